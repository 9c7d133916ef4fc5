"""A server of a library on a free port of 127.0.0.1, for the benchmarks that ask one."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection, RemoteDisconnected
from pathlib import Path
from typing import Any
from urllib.parse import urlencode


@dataclass
class Served:
    address: str
    process: subprocess.Popen[str]
    _own: threading.local = field(default_factory=threading.local)

    def search(self, question: str, k: int = 10) -> dict[str, Any]:
        """Return what the server finds, asked over a connection that belongs to the calling thread."""
        if not hasattr(self._own, "connection"):
            self._own.connection = HTTPConnection(self.address, timeout=60)
        connection: HTTPConnection = self._own.connection
        path = f"/api/search?{urlencode({'question': question, 'k': k})}"
        try:
            connection.request("GET", path)
            response = connection.getresponse()
        except (RemoteDisconnected, ConnectionResetError, BrokenPipeError):  # it was idle for too long
            connection.close()
            connection.request("GET", path)
            response = connection.getresponse()
        body = response.read()
        if response.status != 200:
            raise RuntimeError(f"HTTP {response.status}: {body[:200]!r}")
        return json.loads(body)


@contextmanager
def serving(library: Path) -> Generator[Served]:
    """Serve a library as long as the block runs."""
    serve = [sys.executable, "-m", "pincite.cli", "serve", "--port", "0", "--library", str(library)]
    process = subprocess.Popen(serve, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stderr is not None
        said = process.stderr.readline()
        while said and "http://" not in said:
            print(said, end="", file=sys.stderr)
            said = process.stderr.readline()
        if not said:
            raise SystemExit("the server did not start")
        threading.Thread(target=process.stderr.read, daemon=True).start()  # a full pipe would stop it
        yield Served(said.split("http://")[1].split()[0].strip("/"), process)
    finally:
        process.terminate()
        process.wait()
