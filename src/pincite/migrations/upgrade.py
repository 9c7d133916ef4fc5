"""Brings a database to the journal's present shape, whenever a journal is opened."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
import time
from contextlib import closing
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Connection
from sqlalchemy.ext.asyncio import AsyncEngine

from pincite.errors import LibraryError

_ONE_AT_A_TIME = threading.Lock()
"""Alembic keeps the running migration in module globals (``alembic.context``): two at once in a process would mix."""


def upgrade(connection: Connection, place: str) -> None:
    """Bring the database behind ``connection`` to the newest shape, inside the transaction it already holds.

    Raises:
        LibraryError: If the database at ``place`` is of a newer shape than this package knows.
    """
    config = Config()
    # The value goes through ConfigParser, where a bare % is an interpolation.
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    script = ScriptDirectory.from_config(config)
    if MigrationContext.configure(connection).get_current_heads() == tuple(script.get_heads()):
        return
    config.attributes["connection"] = connection
    try:
        command.upgrade(config, "head")
    except CommandError as error:
        raise LibraryError(
            f"The journal {place} was written by a newer Pincite ({error}): use that version, or move the file away to "
            "begin a new journal."
        ) from error


async def upgrade_all(engine: AsyncEngine, place: str) -> None:
    """Bring the engine's database to the newest shape; several processes may do so at once.

    It runs in a thread with a loop of its own, so ``engine`` must not be shared with the caller's loop.
    """

    async def run() -> None:
        try:
            async with engine.begin() as connection:
                await connection.run_sync(upgrade, place)
        finally:
            await engine.dispose()

    def run_alone() -> None:
        with _ONE_AT_A_TIME:
            if engine.dialect.name == "sqlite" and engine.url.database:
                _keep_a_write_ahead_log(engine.url.database)
            asyncio.run(run())

    await asyncio.to_thread(run_alone)


def _keep_a_write_ahead_log(path: str) -> None:
    """Switch an SQLite file to WAL for good: readers then never wait for a writer.

    The switch fails with "database is locked" when two processes do it at once, whatever the busy timeout says.
    """
    new = not Path(path).exists()
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for _ in range(200):
            try:
                connection.execute("PRAGMA journal_mode = WAL")
                if new:  # it holds what people ask; the log beside it takes over these rights
                    Path(path).chmod(0o600)
                return
            except sqlite3.OperationalError as error:
                if "locked" not in str(error):
                    raise
                time.sleep(0.05)
        raise sqlite3.OperationalError("database is locked")
