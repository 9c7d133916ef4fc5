"""A real server process: connections that break, the socket in the library, signals, restarts."""

import asyncio
import re
import signal
import socket
import stat
import subprocess
import sys

import httpx2
import pytest
import serve_scripted
from serve_scripted import FEES, make_pdf

from pincite.errors import LibraryDamaged, ServeError, UsageError
from pincite.journal import Journal
from pincite.serve.app import ServeSettings, create_app
from pincite.serve.client import ask_server, is_served, short_path, socket_path, stream_server
from pincite.serve.indexing import Indexing
from pincite.serve.server import _listen_tcp, check_port, run_server


class Process:
    """A server on a free port until the test ends."""

    def __init__(self, root, port=0):
        command = [sys.executable, serve_scripted.__file__, str(root), str(port)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().strip()
        assert self.url, self.process.stderr.read()
        self.port = int(self.url.rsplit(":", 1)[1])

    def end(self, by=signal.SIGTERM):
        """What it printed at the end, and its exit code."""
        self.process.send_signal(by)
        printed, complaints = self.process.communicate(timeout=15)
        return printed.strip(), self.process.returncode, complaints


@pytest.fixture
def serve(library):
    begun = []

    def begin(root=library, port=0):
        begun.append(Process(root, port))
        return begun[-1]

    yield begin
    for server in begun:
        if server.process.poll() is None:
            server.end()


@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    """One server for the tests that leave it as it was; its library is at ``root``."""
    root = tmp_path_factory.mktemp("shared")
    make_pdf(root / f"{FEES}.pdf", pages=200)
    server = Process(root)
    server.root = root
    yield server
    server.end()


def read_until(pieces, wanted):
    """Text of a stream up to and with the given words."""
    text = ""
    for piece in pieces:
        text += piece
        if wanted in text:
            return text
    raise AssertionError(f"ended without {wanted!r}: {text}")


def test_a_connection_that_breaks_resumes_where_it_was(shared):
    with httpx2.Client(base_url=shared.url, timeout=20) as client:
        with client.stream("POST", "/api/chat", json={"question": "slowly, the fees"}) as response:
            first = read_until(response.iter_text(), "\nevent: block")
        seen = re.findall(r"^id: (\w+):(\d+)$", first, re.MULTILINE)
        answer, last = seen[-1]

        rest = client.get(f"/api/answers/{answer}/events", headers={"Last-Event-ID": f"{answer}:{last}"}).text

    numbers = [int(n) for _, n in seen + re.findall(r"^id: (\w+):(\d+)$", rest, re.MULTILINE)]
    assert numbers == list(range(1, 16))
    assert rest.count("\nevent: outcome\ndata: ") == 1


def test_events_come_when_they_are_made_not_at_the_end(shared):
    with (
        httpx2.Client(base_url=shared.url, timeout=20) as client,
        client.stream("POST", "/api/chat", json={"question": "wait"}) as response,
    ):
        text = read_until(response.iter_text(), ": still answering")

    assert "event: step" in text and "event: outcome" not in text


def test_a_stop_signal_ends_streams_with_a_sentence_and_the_process_with_success(serve, library):
    server = serve()
    with (
        httpx2.Client(base_url=server.url, timeout=20) as client,
        client.stream("POST", "/api/chat", json={"question": "wait"}) as response,
    ):
        pieces = response.iter_text()
        read_until(pieces, "event: step")
        server.process.send_signal(signal.SIGINT)
        text = read_until(pieces, "event: error")
    printed, code, complaints = server.end()

    assert "Pincite was stopped while it was answering" in text
    assert (printed, code) == ("tidy", 0), complaints
    assert not socket_path(library).exists()


def test_answers_survive_a_kill_and_what_was_running_is_said_to_be_cut_off(serve, library):
    server = serve()
    with httpx2.Client(base_url=server.url, timeout=20) as client:
        done = client.post("/api/ask", json={"question": "fees"}).json()
        going_on = {"question": "wait", "conversation": done["conversation"]}
        with client.stream("POST", "/api/chat", json=going_on) as response:
            running = re.search(r"id: (\w+):1", read_until(response.iter_text(), "event: step"))[1]
            server.process.kill()
            server.process.wait()

    again = serve()  # the socket of the killed one is still there
    with httpx2.Client(base_url=again.url, timeout=20) as client:
        conversation = client.get(f"/api/conversations/{done['conversation']}").json()
        events = client.get(f"/api/answers/{running}/events").text

    assert conversation["answers"] == [done]
    assert [u["running"] for u in conversation["unfinished"]] == [False]
    assert re.findall("event: (.*)", events) == ["step", "error"] and "restarted" in events


def test_commands_ask_over_a_socket_that_only_its_owner_can_open(shared):
    path = socket_path(shared.root)

    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert is_served(shared.root)
    found = ask_server(shared.root, "GET", "/api/search?question=fees")
    assert [p["id"] for p in found["passages"]] == ["p1"]
    answer = ask_server(shared.root, "POST", "/api/ask", {"question": "fees"})
    assert answer["outcome"] == "answered"
    assert ask_server(shared.root, "DELETE", f"/api/conversations/{answer['conversation']}") is None
    with pytest.raises(UsageError, match="question: it is empty"):
        ask_server(shared.root, "POST", "/api/ask", {"question": ""})
    with pytest.raises(ServeError, match="the model at"):
        ask_server(shared.root, "POST", "/api/ask", {"question": "model"})


def test_a_command_streams_the_events_of_an_answer(shared):

    events = list(stream_server(shared.root, "/api/chat", {"question": "slowly"}))

    assert [e["event"] for e in events[:3]] == ["step", "passages", "block"] and events[-1]["event"] == "outcome"
    assert events[-1]["id"] == f"{events[-1]['data']['id']}:15"
    with pytest.raises(UsageError, match="8,000"):
        list(stream_server(shared.root, "/api/chat", {"question": "x" * 8001}))


def test_a_library_with_a_very_long_path_is_served_too(serve, tmp_path):
    root = tmp_path / ("long " * 40) / ("é" * 60)
    root.mkdir(parents=True)
    serve(root)

    assert is_served(root) and ask_server(root, "GET", "/api/about")["name"] == "Pincite"


def test_a_library_is_not_served_twice(shared):
    with pytest.raises(ServeError, match="is served already"):
        run_server(app_of(shared.root), port=0, socket_path=socket_path(shared.root))

    assert is_served(shared.root)


def test_what_is_written_is_sent_at_once_and_does_not_wait_for_the_readers_acknowledgement():
    async def option():
        told = asyncio.get_running_loop().create_future()

        async def accept(_reader, writer):
            told.set_result(writer.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            writer.close()

        with _listen_tcp("127.0.0.1", 0) as listener:
            async with await asyncio.start_server(accept, sock=listener):
                _, writer = await asyncio.open_connection(*listener.getsockname())
                writer.close()
                return await told

    assert asyncio.run(option()) == 1


def test_a_port_in_use_is_said_with_what_to_do(shared, library):
    with pytest.raises(ServeError, match=f"port {shared.port} is in use: choose another with --port"):
        run_server(app_of(library), port=shared.port)
    with pytest.raises(ServeError, match="is in use"):
        check_port("127.0.0.1", shared.port)
    check_port("127.0.0.1", 0)


def test_a_socket_nobody_listens_on_is_removed_and_other_files_are_not(library):
    assert not is_served(library)
    with short_path(socket_path(library)) as short, socket.socket(socket.AF_UNIX) as dead:
        dead.bind(short)
    assert socket_path(library).exists()

    assert not is_served(library) and not socket_path(library).exists()

    socket_path(library).write_text("not a socket")
    assert not is_served(library) and socket_path(library).exists()


def test_asking_a_library_that_is_not_served_says_so(library):
    with pytest.raises(ServeError, match="does not answer"):
        ask_server(library, "GET", "/api/about")


def app_of(library):
    return create_app(
        answerer=serve_scripted.Scripted(),
        current=serve_scripted.Shelf,
        source_file=serve_scripted.files(library),
        parsed=serve_scripted.nothing_parsed,
        indexing=Indexing(serve_scripted.no_index_run, library / "uploads"),
        journal=Journal(library / "journal.sqlite"),
        settings=ServeSettings(model="scripted"),
    )


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.2", "example.org", ""])
def test_an_address_that_others_reach_is_refused_in_a_sentence(library, host):
    with pytest.raises(ServeError, match="keys and sign-on are not built"):
        run_server(app_of(library), host=host, port=0)


def test_a_port_that_cannot_be_is_refused(library):
    with pytest.raises(ServeError, match="there is no port 70000"):
        run_server(app_of(library), port=70000)


def test_a_damaged_journal_stops_the_start_with_its_own_sentence(library, caplog):
    (library / "journal.sqlite").write_bytes(b"no database at all" * 500)

    with pytest.raises(LibraryDamaged, match="move it away"):
        run_server(app_of(library), port=0, socket_path=socket_path(library))
    assert not socket_path(library).exists() and not caplog.records


def test_a_body_that_trickles_in_is_cut_off_while_others_are_answered(shared):
    with socket.create_connection(("127.0.0.1", shared.port)) as slow:
        head = (
            "POST /api/ask HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{"
        )
        slow.sendall(head.encode())
        assert httpx2.get(f"{shared.url}/api/about").status_code == 200
        slow.settimeout(10)
        assert b" 408 " in slow.recv(1000)


@pytest.mark.parametrize("length", ["-1", "x", "99999999999999999999", "1e3"])
def test_an_impossible_content_length_is_refused(shared, length):
    with socket.create_connection(("127.0.0.1", shared.port)) as raw:
        raw.sendall(f"POST /api/ask HTTP/1.1\r\nHost: localhost\r\nContent-Length: {length}\r\n\r\n".encode())
        raw.settimeout(10)
        assert re.match(rb"HTTP/1.1 4(00|13) ", raw.recv(1000))


def test_a_large_file_is_read_by_ranges_over_the_wire(shared):
    whole = (shared.root / f"{FEES}.pdf").read_bytes()
    url = f"{shared.url}/api/documents/fees/revisions/{FEES}/file"

    parts = [
        httpx2.get(url, headers={"Range": f"bytes={start}-{start + 65535}"}) for start in range(0, len(whole), 65536)
    ]

    assert {p.status_code for p in parts} == {206} and b"".join(p.content for p in parts) == whole


def test_nothing_that_people_ask_is_written_to_the_log(serve):
    server = serve()
    httpx2.post(f"{server.url}/api/ask", json={"question": "please break Zephyrinus"})
    httpx2.get(f"{server.url}/api/search", params={"question": "Zephyrinus"})

    _, _, complaints = server.end()

    assert "RuntimeError" in complaints and "Zephyrinus" not in complaints


def test_the_command_line_can_ask_or_answer_without_loading_a_web_framework():
    code = (
        "import sys, pincite.serve.client, pincite.serve.wire, pincite.serve.answering;"
        "print([m for m in ('fastapi', 'starlette', 'uvicorn', 'httpx2') if m in sys.modules])"
    )

    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout

    assert printed.strip() == "[]"
