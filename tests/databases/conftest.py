"""Real servers for the catalogue's tests, each started once on a free port and stopped again.

They come from Debian packages: `tests/everything.py` installs them, or says why these tests were not run.
"""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "catalogue"))

MARIADBD = Path("/usr/sbin/mariadbd")


@dataclass(frozen=True)
class Server:
    port: int
    folder: Path


@pytest.fixture(scope="session")
def mariadb():
    if not MARIADBD.exists():
        pytest.skip("MariaDB is not installed: apt-get install mariadb-server")
    folder = _folder("mysql")
    # Only root may and must become somebody else; who is not root has no such user to be.
    as_user = ["--user=mysql"] if os.geteuid() == 0 else []
    data = ["--no-defaults", *as_user, f"--datadir={folder}/data"]
    install = ["mariadb-install-db", *data, "--auth-root-authentication-method=normal", "--skip-test-db"]
    subprocess.run(install, check=True, capture_output=True)
    port = _free_port()
    options = [f"--socket={folder}/sock", f"--pid-file={folder}/pid", "--bind-address=127.0.0.1", f"--port={port}"]
    small = ["--skip-log-bin", "--innodb-buffer-pool-size=16M", "--innodb-flush-log-at-trx-commit=0", "--sql-mode="]
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen([str(MARIADBD), *data, *options, *small], stdout=log, stderr=log)
    try:
        yield _when_ready(Server(port, folder), process, lambda: _listens(port))
    finally:
        process.kill()
        process.wait()
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def postgresql():
    programs = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    if not programs:
        pytest.skip("PostgreSQL is not installed: apt-get install postgresql")
    folder = _folder("postgres")
    become = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] if os.geteuid() == 0 else []
    init = [f"{programs[-1]}/initdb", "-D", f"{folder}/data", "-U", "postgres", "--auth=trust", "-E", "UTF8"]
    subprocess.run([*become, *init, "--no-sync", "--locale=C.UTF-8"], check=True, capture_output=True, cwd=folder)
    port = _free_port()
    options = ["-p", str(port), "-c", "listen_addresses=127.0.0.1", "-c", f"unix_socket_directories={folder}"]
    command = [*become, f"{programs[-1]}/postgres", "-D", f"{folder}/data", "-c", "fsync=off", *options]
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log, cwd=folder)
    try:
        # It listens before it lets anybody in.
        asked = [f"{programs[-1]}/pg_isready", "-q", "-h", "127.0.0.1", "-p", str(port)]
        yield _when_ready(Server(port, folder), process, lambda: subprocess.run(asked).returncode == 0)
    finally:
        process.send_signal(signal.SIGINT)  # others wait until every client has gone
        process.wait()
        shutil.rmtree(folder, ignore_errors=True)


def _folder(user: str) -> Path:
    """A folder that the server's user may reach: those of pytest belong to root alone."""
    folder = Path(tempfile.mkdtemp(prefix="pincite-test-"))
    if os.geteuid() == 0:
        own = pwd.getpwnam(user)
        os.chown(folder, own.pw_uid, own.pw_gid)
    folder.chmod(0o755)
    return folder


def _free_port() -> int:
    with socket.socket() as chosen:
        chosen.bind(("127.0.0.1", 0))
        return chosen.getsockname()[1]


def _listens(port: int) -> bool:
    with socket.socket() as trial:
        trial.settimeout(1)
        return trial.connect_ex(("127.0.0.1", port)) == 0


def _when_ready(server: Server, process: subprocess.Popen, is_ready: Callable[[], bool]) -> Server:
    until = time.monotonic() + 120
    while time.monotonic() < until and process.poll() is None:
        if is_ready():
            return server
        time.sleep(0.1)
    pytest.fail(f"the server did not start: {(server.folder / 'log').read_text(errors='replace')[-2000:]}")
