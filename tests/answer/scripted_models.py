"""A chat endpoint over real HTTP that plays a script: tool calls and text in pieces of a few bytes.

It speaks three protocols: OpenAI's, Azure OpenAI's (another path and another header) and Anthropic's.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal, TypeAlias

Wire: TypeAlias = Literal["openai", "azure", "anthropic"]


@dataclass(frozen=True)
class Call:
    """The model calls a tool; ``say`` is what it says before."""

    name: str
    arguments: dict[str, Any]
    say: str = ""


@dataclass(frozen=True)
class Says:
    """The model writes text. ``stop_after`` characters the connection breaks; ``reason`` is the finish reason."""

    text: str
    stop_after: int | None = None
    reason: str = "stop"
    pause_s: float = 0.0
    """Between two pieces."""


@dataclass(frozen=True)
class Declines:
    """The provider's filter answers instead of the model."""


@dataclass(frozen=True)
class Fails:
    status: int = 500
    retry_after: str = ""


@dataclass(frozen=True)
class Rubbish:
    """A stream that is not of the protocol."""


@dataclass(frozen=True)
class Stalls:
    """Headers, then nothing until the client leaves."""


Played: TypeAlias = Call | Says | Declines | Fails | Rubbish | Stalls


@dataclass
class Endpoint:
    """What a running endpoint was asked."""

    url: str
    wire: Wire
    script: Sequence[Played]
    piece: int = 5
    """Characters of one piece."""
    usage: tuple[int, int, int] | None = (1000, 400, 50)
    """Tokens of each response: of input, of it cached, of output; None: the endpoint does not say."""
    asked: list[dict[str, Any]] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    served: int = 0
    left: threading.Event = field(default_factory=threading.Event)


@contextmanager
def endpoint(
    *script: Played, piece: int = 5, wire: Wire = "openai", usage: tuple[int, int, int] | None = (1000, 400, 50)
) -> Iterator[Endpoint]:
    """A server that plays ``script``, one entry a request; the last entry is played for ever."""
    state = Endpoint("", wire, script, piece, usage)
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler(state))
    server.daemon_threads = True
    root = f"http://127.0.0.1:{server.server_address[1]}"
    state.url = f"{root}/v1" if wire == "openai" else root
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield state
    finally:
        state.left.set()
        server.shutdown()
        server.server_close()


PATHS = {
    "openai": "/v1/chat/completions",
    "azure": "/openai/deployments/scripted-1/chat/completions?api-version=2026-01-01",
    "anthropic": "/v1/messages",
}
KEY_HEADERS = {"openai": "Authorization", "azure": "api-key", "anthropic": "Authorization"}


def handler(state: Endpoint) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            state.asked.append(body)
            state.paths.append(self.path)
            state.keys.append(self.headers.get(KEY_HEADERS[state.wire], ""))
            played = state.script[min(state.served, len(state.script) - 1)]
            state.served += 1
            if isinstance(played, Fails):
                self.whole(error_of(state.wire), played.status, played.retry_after)
            elif not body.get("stream"):
                assert isinstance(played, Says)
                self.whole(whole_of(state, body["model"], played.text))
            else:
                self.stream(body["model"], played)

        def whole(self, answer: dict[str, Any], status: int = 200, retry_after: str = "") -> None:
            data = json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            if retry_after:
                self.send_header("Retry-After", retry_after)
            self.end_headers()
            self.wfile.write(data)

        def stream(self, model: str, played: Call | Says | Declines | Rubbish | Stalls) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            if isinstance(played, Stalls):
                state.left.wait(20)
                self.close_connection = True
                return
            if isinstance(played, Rubbish):
                self.chunk("data: {this is no JSON\n\n")
                self.wfile.write(b"0\r\n\r\n")
                return
            events = anthropic_events if state.wire == "anthropic" else openai_events
            sent = 0
            for text, event in events(state, model, played):
                if isinstance(played, Says) and played.stop_after is not None and sent >= played.stop_after:
                    # No last chunk: the client sees a connection that broke.
                    self.close_connection = True
                    return
                sent += len(text)
                if text and isinstance(played, Says) and played.pause_s:
                    time.sleep(played.pause_s)
                self.chunk(event)
            self.wfile.write(b"0\r\n\r\n")

        def chunk(self, event: str) -> None:
            data = event.encode()
            try:
                self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
                self.wfile.flush()
            except (BrokenPipeError, ConnectionResetError):
                self.close_connection = True  # the client left

        def log_message(self, format: str, *args: Any) -> None:
            pass

    return Handler


def pieces(text: str, size: int) -> list[str]:
    return [text[start : start + size] for start in range(0, len(text), size)]


def error_of(wire: Wire) -> dict[str, Any]:
    if wire == "anthropic":
        return {"type": "error", "error": {"type": "api_error", "message": "out of order"}}
    return {"error": {"message": "out of order", "type": "server_error"}}


def whole_of(state: Endpoint, model: str, text: str) -> dict[str, Any]:
    if state.wire == "anthropic":
        content = [{"type": "text", "text": text}]
        whole = {"id": "m", "type": "message", "role": "assistant", "model": model, "stop_sequence": None}
        return {**whole, "content": content, "stop_reason": "end_turn", "usage": anthropic_usage(state)}
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
    whole = {"id": "c", "object": "chat.completion", "created": 1, "model": model, "choices": [choice]}
    return whole | ({"usage": openai_usage(state)} if state.usage else {})


def openai_usage(state: Endpoint) -> dict[str, Any]:
    assert state.usage is not None
    read, cached, written = state.usage
    totals = {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written}
    return {**totals, "prompt_tokens_details": {"cached_tokens": cached}}


def anthropic_usage(state: Endpoint) -> dict[str, Any]:
    read, cached, written = state.usage or (0, 0, 0)
    # Anthropic counts what was cached apart.
    return {"input_tokens": read - cached, "cache_read_input_tokens": cached, "output_tokens": written}


def openai_events(state: Endpoint, model: str, played: Call | Says | Declines) -> Iterator[tuple[str, str]]:
    """The text of each event and the event as it is sent."""

    def event(delta: dict[str, Any], finish: str | None = None) -> str:
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        whole = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": model, "choices": [choice]}
        return f"data: {json.dumps(whole, ensure_ascii=False)}\n\n"

    yield "", event({"role": "assistant", "content": ""})
    if isinstance(played, Says):
        for piece in pieces(played.text, state.piece):
            yield piece, event({"content": piece})
        yield "", event({}, played.reason)
    elif isinstance(played, Declines):
        yield "", event({"refusal": "I cannot help with that."})
        yield "", event({}, "stop")
    else:
        if played.say:
            yield "", event({"content": played.say})
        function = {"name": played.name, "arguments": ""}
        yield "", event({"tool_calls": [{"index": 0, "id": "call_1", "type": "function", "function": function}]})
        for piece in pieces(json.dumps(played.arguments), 7):
            yield "", event({"tool_calls": [{"index": 0, "function": {"arguments": piece}}]})
        yield "", event({}, "tool_calls")
    if state.usage:
        last = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": model, "choices": []}
        yield "", f"data: {json.dumps({**last, 'usage': openai_usage(state)})}\n\n"
    yield "", "data: [DONE]\n\n"


def anthropic_events(state: Endpoint, model: str, played: Call | Says | Declines) -> Iterator[tuple[str, str]]:
    """The text of each event and the event as it is sent."""

    def event(type: str, **data: Any) -> str:
        return f"event: {type}\ndata: {json.dumps({'type': type, **data}, ensure_ascii=False)}\n\n"

    usage = anthropic_usage(state)
    message = {"id": "m", "type": "message", "role": "assistant", "model": model, "content": [], "stop_reason": None}
    yield "", event("message_start", message={**message, "stop_sequence": None, "usage": {**usage, "output_tokens": 1}})
    yield "", event("ping")
    reason = "end_turn"
    if isinstance(played, Declines):
        reason = "refusal"
    else:
        said = played.text if isinstance(played, Says) else played.say
        at = 0
        if said:
            yield "", event("content_block_start", index=at, content_block={"type": "text", "text": ""})
            for piece in pieces(said, state.piece):
                delta = {"type": "text_delta", "text": piece}
                yield piece, event("content_block_delta", index=at, delta=delta)
            yield "", event("content_block_stop", index=at)
            at += 1
        if isinstance(played, Call):
            block = {"type": "tool_use", "id": "toolu_1", "name": played.name, "input": {}}
            yield "", event("content_block_start", index=at, content_block=block)
            for piece in pieces(json.dumps(played.arguments), 7):
                delta = {"type": "input_json_delta", "partial_json": piece}
                yield "", event("content_block_delta", index=at, delta=delta)
            yield "", event("content_block_stop", index=at)
            reason = "tool_use"
        elif played.reason != "stop":
            reason = "max_tokens"
    end = {"stop_reason": reason, "stop_sequence": None}
    yield "", event("message_delta", delta=end, usage={"output_tokens": usage["output_tokens"]})
    yield "", event("message_stop")
