"""A chat endpoint over real HTTP that plays a script: tool calls and text in pieces of a few bytes."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Call:
    """The model calls a tool; ``say`` is what it says before."""

    name: str
    arguments: dict[str, Any]
    say: str = ""


@dataclass(frozen=True)
class Says:
    """The model writes text. ``stop_after`` bytes the connection breaks; ``reason`` is the finish reason."""

    text: str
    stop_after: int | None = None
    reason: str = "stop"


@dataclass(frozen=True)
class Fails:
    status: int = 500


@dataclass(frozen=True)
class Stalls:
    """Headers, then nothing until the client leaves."""


@dataclass
class Endpoint:
    """What a running endpoint was asked."""

    url: str
    script: Sequence[Call | Says | Fails | Stalls]
    piece: int = 5
    """Characters of one piece."""
    asked: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    served: int = 0
    left: threading.Event = field(default_factory=threading.Event)


@contextmanager
def endpoint(*script: Call | Says | Fails | Stalls, piece: int = 5) -> Iterator[Endpoint]:
    """A server that plays ``script``, one entry a request; the last entry is played for ever."""
    state = Endpoint("", script, piece)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            state.asked.append(body)
            state.keys.append(self.headers.get("Authorization", ""))
            played = state.script[min(state.served, len(state.script) - 1)]
            state.served += 1
            if isinstance(played, Fails):
                answer = json.dumps({"error": {"message": "out of order", "type": "server_error"}}).encode()
                self.send_response(played.status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)
                return
            if not body.get("stream"):
                assert isinstance(played, Says)
                choice = {"index": 0, "message": {"role": "assistant", "content": played.text}, "finish_reason": "stop"}
                whole = {"id": "c", "object": "chat.completion", "created": 1, "model": body["model"]}
                answer = json.dumps({**whole, "choices": [choice]}).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)
                return
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            if isinstance(played, Stalls):
                state.left.wait(20)
                self.close_connection = True
                return
            sent = 0
            for delta, finish in deltas(played, state.piece):
                if isinstance(played, Says) and played.stop_after is not None and sent >= played.stop_after:
                    # No last chunk: the client sees a connection that broke.
                    self.close_connection = True
                    return
                sent += len(delta.get("content") or "")
                self.event(body["model"], delta, finish)
            self.chunk(b"data: [DONE]\n\n")
            self.wfile.write(b"0\r\n\r\n")

        def event(self, model: str, delta: dict[str, Any], finish: str | None) -> None:
            choice = {"index": 0, "delta": delta, "finish_reason": finish}
            whole = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": model, "choices": [choice]}
            self.chunk(f"data: {json.dumps(whole, ensure_ascii=False)}\n\n".encode())

        def chunk(self, data: bytes) -> None:
            self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
            self.wfile.flush()

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    state.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield state
    finally:
        state.left.set()
        server.shutdown()
        server.server_close()


def deltas(played: Call | Says, piece: int) -> Iterator[tuple[dict[str, Any], str | None]]:
    if isinstance(played, Says):
        yield {"role": "assistant", "content": ""}, None
        for start in range(0, len(played.text), piece):
            yield {"content": played.text[start : start + piece]}, None
        yield {}, played.reason
        return
    if played.say:
        yield {"role": "assistant", "content": played.say}, None
    arguments = json.dumps(played.arguments)
    function = {"name": played.name, "arguments": ""}
    yield {"tool_calls": [{"index": 0, "id": "call_1", "type": "function", "function": function}]}, None
    for start in range(0, len(arguments), 7):
        yield {"tool_calls": [{"index": 0, "function": {"arguments": arguments[start : start + 7]}}]}, None
    yield {}, "tool_calls"
