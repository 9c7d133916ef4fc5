"""How a command asks the server that has its library open: HTTP over a socket in the library that only the owner opens.

Light to import: the command line looks here before it decides whether to open the library itself.
"""

from __future__ import annotations

import json
import socket
import stat
import tempfile
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pincite.errors import PinciteError, ServeError, UsageError

if TYPE_CHECKING:
    import httpx2

SOCKET_NAME = "serve.sock"
PATH_BYTES = 100
"""A socket's address holds 104 bytes on macOS and 108 on Linux."""


def socket_path(library_root: Path) -> Path:
    """Where the server of a library listens."""
    return library_root / SOCKET_NAME


def is_served(library_root: Path) -> bool:
    """Whether a server has this library open; a socket that nobody listens on is removed."""
    path = socket_path(library_root)
    try:
        if not stat.S_ISSOCK(path.stat().st_mode):
            return False
    except FileNotFoundError:
        return False
    with short_path(path) as short, socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        try:
            probe.connect(short)
        except (ConnectionRefusedError, FileNotFoundError):
            path.unlink(missing_ok=True)
            return False
        except PermissionError as error:
            raise ServeError(f"another user serves {library_root}: ask them, or index a library of your own") from error
    return True


def ask_server(library_root: Path, method: str, path: str, data: object = None) -> Any:
    """What the server of a library answers, decoded; None when it has nothing to say (204).

    Args:
        path: With its query, already encoded: ``/api/search?question=fees``.
        data: Sent as JSON; None sends no body.

    Raises:
        UsageError: If the server says that the request is wrong (4xx).
        ServeError: If the server cannot answer (5xx) or went away.
    """
    with _client(library_root) as client:
        response = client.request(method, path, json=data)
        _raise_for_status(response)
        return response.json() if response.content else None


def stream_server(
    library_root: Path, path: str, data: object, *, on_conversation: Callable[[str], None] = lambda _: None
) -> Generator[dict[str, Any]]:
    """Each event of a stream as ``{id, event, data}``, as it comes; the last is an ``outcome`` or an ``error``.

    ``on_conversation`` is called with the id of the conversation before the first event.

    Raises:
        UsageError, ServeError: As `ask_server`; also when the stream ends before its last event.
    """
    with _client(library_root) as client, client.stream("POST", path, json=data) as response:
        if response.is_error:
            response.read()
        _raise_for_status(response)
        on_conversation(response.headers.get("Pincite-Conversation", ""))
        fields: dict[str, Any] = {}
        for line in response.iter_lines():
            if line:
                name, _, value = line.partition(": ")
                # A comment, which keeps the connection open, has no name.
                if name:
                    fields[name] = json.loads(value) if name == "data" else value
                continue
            if "event" in fields:
                yield fields
                if fields["event"] in ("outcome", "error"):
                    return
            fields = {}
    raise ServeError("the server stopped while it was answering: ask again")


@contextmanager
def short_path(path: Path) -> Generator[str]:
    """An address of ``path`` that fits into a socket's: itself, or through a short-lived link to its directory."""
    if len(bytes(path)) <= PATH_BYTES:
        yield str(path)
        return
    with tempfile.TemporaryDirectory(prefix="pincite-") as directory:
        link = Path(directory) / "l"
        link.symlink_to(path.parent.absolute(), target_is_directory=True)
        yield str(link / path.name)


@contextmanager
def _client(library_root: Path) -> Generator[httpx2.Client]:
    # Imported late: most commands never talk to a server.
    import httpx2

    with short_path(socket_path(library_root)) as short:
        transport = httpx2.HTTPTransport(uds=short)
        # An answer may take its time between two events; the heartbeat is every 15 s.
        with httpx2.Client(transport=transport, base_url="http://localhost", timeout=120) as client:
            try:
                yield client
            except httpx2.TransportError as error:
                raise ServeError(f"the server of {library_root} does not answer ({error}): start it again") from error


def _raise_for_status(response: httpx2.Response) -> None:
    if not response.is_error:
        return
    try:
        message = response.json()["message"]
    except (ValueError, KeyError, TypeError):
        message = f"the server answered {response.status_code}: look at its log"
    kind: type[PinciteError] = UsageError if response.is_client_error else ServeError
    raise kind(message)
