"""The server process: one TCP port on the loopback address, one socket in the library, and a clean end."""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import signal
import socket
from collections.abc import Callable, Generator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import FrameType

import uvicorn
from fastapi import FastAPI

from pincite.errors import DiskError, ServeError
from pincite.serve.client import is_served, short_path
from pincite.serve.guard import is_loopback

log = logging.getLogger(__name__)

SHUTDOWN_SECONDS = 5
"""Time for open connections to end; running answers are stopped first, so they need less."""


def run_server(
    app: FastAPI,
    *,
    host: str = "127.0.0.1",
    port: int = 8000,
    socket_path: Path | None = None,
    on_ready: Callable[[str], None] = lambda _: None,
) -> None:
    """Serve until SIGINT or SIGTERM, then stop running answers, close connections and return.

    Args:
        port: 0 takes any that is free.
        socket_path: The socket in the library over which commands ask; None, or a system without them: TCP only.
        on_ready: Called once with the address of the page, when it answers.

    Raises:
        ServeError: If the address is not a loopback one, the port is in use, or the library is served already.
        PinciteError: If the journal cannot be opened.
    """
    check_host(host)
    with ExitStack() as stack:
        tcp = stack.enter_context(_listen_tcp(host, port))
        sockets = [tcp]
        if socket_path is not None and hasattr(socket, "AF_UNIX"):
            try:
                sockets.append(stack.enter_context(_listen_unix(socket_path)))
            except DiskError as error:
                log.warning("%s Commands cannot ask this server; they open the library themselves.", error)
        shown = f"[{host}]" if ":" in host else host
        url = f"http://{shown}:{tcp.getsockname()[1]}"
        config = uvicorn.Config(
            app,
            lifespan="on",
            log_config=None,
            access_log=False,  # it would write down what people search for
            server_header=False,
            timeout_graceful_shutdown=SHUTDOWN_SECONDS,
        )
        server = _Server(config, app, lambda: on_ready(url))

        async def serve() -> None:
            # Opened before uvicorn starts the application, which would print a stack trace of what is wrong with it.
            await app.state.journal.open()
            await server.serve(sockets)

        asyncio.run(serve())


def check_host(host: str) -> None:
    """Accept an address that only this computer reaches.

    Raises:
        ServeError: For any other.
    """
    if not is_loopback(host):
        raise ServeError(
            f"Pincite does not serve {host} yet: keys and sign-on are not built, so everyone who reaches that address "
            "could read everything. Leave out --host, or give 127.0.0.1"
        )


def check_port(host: str, port: int) -> None:
    """Accept a port that can be listened on now; worth knowing before minutes of other work.

    Raises:
        ServeError: If it is in use or may not be had.
    """
    with _listen_tcp(host, port):
        pass


class _Server(uvicorn.Server):
    """A server that says when it is ready, and ends with the process alive to tidy up."""

    def __init__(self, config: uvicorn.Config, app: FastAPI, on_ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._app, self._on_ready = app, on_ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._on_ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        # Streams end only with their answers, and the server waits for streams: so the answers go first.
        await self._app.state.answering.close()
        await super().shutdown(sockets)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        # The original raises the signal again after the shutdown, which would kill the process before it tidied up.
        if self.should_exit and sig == signal.SIGINT:
            self.force_exit = True
        self.should_exit = True


@contextmanager
def _listen_tcp(host: str, port: int) -> Generator[socket.socket]:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # TCP is named, because asyncio sends at once only on sockets that say so; on others the body of an answer waits for
    # the reader's acknowledgement of its head, 40 ms.
    with socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP) as listener:
        if os.name == "posix":  # elsewhere the option lets two servers have the port
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind(("127.0.0.1" if host == "localhost" else host, port))
        except OverflowError as error:
            raise ServeError(f"there is no port {port}: choose one from 1024 to 65535 with --port") from error
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                raise ServeError(f"port {port} is in use: choose another with --port") from error
            if error.errno == errno.EACCES:
                raise ServeError(f"port {port} needs more rights: choose one from 1024 up with --port") from error
            raise ServeError(f"cannot listen on {host} port {port}: {error.strerror}. Choose another --host") from error
        yield listener


@contextmanager
def _listen_unix(path: Path) -> Generator[socket.socket]:
    """A listening socket that only its owner can open, gone at the end."""
    if is_served(path.parent):
        raise ServeError(f"{path.parent} is served already: stop that server first, or choose another --library")
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
        before = os.umask(0o177)
        try:
            with short_path(path) as short:
                listener.bind(short)
        except OSError as error:
            message = f"cannot make {path}: {error.strerror}. Check who may write to the library."
            if error.errno in (errno.EROFS, errno.ENOSPC, errno.EDQUOT):
                raise DiskError(message, path=str(path)) from error
            raise ServeError(message) from error
        finally:
            os.umask(before)
        made = path.stat().st_ino
        try:
            yield listener
        finally:
            # A newer server may have taken the place meanwhile.
            if path.exists() and path.stat().st_ino == made:
                path.unlink()
