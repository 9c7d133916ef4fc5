"""A Microsoft Access export: the CSV files of `mdb-export`, one for each table, as a database of this process."""

from __future__ import annotations

import csv
import sqlite3
import sys
import tempfile
import threading
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import Engine

from pincite.catalogue.connect import sqlite_engine
from pincite.errors import CatalogueError, CatalogueUnavailable


@dataclass(frozen=True, slots=True)
class Snapshot:
    engine: Engine
    made_at: str
    """ISO 8601, UTC: when the oldest of its files was written."""
    place: tempfile.TemporaryDirectory[str]
    """Where the database lies; it goes when nobody reads this snapshot any more."""


@dataclass(slots=True)
class AccessExport:
    """The folder of an export; it is read again when a file of it is another."""

    folder: Path
    tables: tuple[str, ...]
    """Files ``TABLE.csv`` that are needed; others are left alone."""
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _seen: tuple[tuple[str, int, int], ...] = ()
    _snapshot: Snapshot | None = None

    def snapshot(self) -> Snapshot:
        """The export as it is now.

        Raises:
            CatalogueError: A file is missing or is no CSV with column names.
        """
        with self._lock:
            files = [self.folder / f"{table}.csv" for table in dict.fromkeys(self.tables)]
            missing = [file.name for file in files if not file.is_file()]
            if missing:
                raise CatalogueUnavailable(
                    f"{self.folder} lacks {', '.join(missing)}: `mdb-export FILE.mdb TABLE > TABLE.csv` writes it"
                )
            seen = tuple((file.name, (at := file.stat()).st_mtime_ns, at.st_size) for file in files)
            if self._snapshot is None or seen != self._seen:
                self._snapshot = self._read(files, min(mtime for _, mtime, _ in seen))
                self._seen = seen
            return self._snapshot

    def _read(self, files: Iterable[Path], written_ns: int) -> Snapshot:
        place = tempfile.TemporaryDirectory(prefix="pincite-catalogue-", ignore_cleanup_errors=True)
        database = Path(place.name) / "export.db"
        connection = sqlite3.connect(database)
        try:
            with connection:
                for file in files:
                    _read_file(connection, file)
        finally:
            connection.close()
        made = datetime.fromtimestamp(written_ns / 1e9, UTC).isoformat(timespec="seconds")
        return Snapshot(sqlite_engine(database), made, place)


def _read_file(connection: sqlite3.Connection, file: Path) -> None:
    csv.field_size_limit(min(sys.maxsize, 2**31 - 1))  # memo fields
    try:
        with file.open(encoding="utf-8-sig", newline="") as text:
            rows = csv.reader(text)
            columns: list[str] = next(rows, list[str]())
            if not columns or len({column.casefold() for column in columns}) != len(columns) or not all(columns):
                raise CatalogueError(f"{file}: the first line must name the columns, as `mdb-export` does without -H")
            names = ", ".join(f"{_name(column)} TEXT" for column in columns)
            table = _name(file.stem)
            connection.execute(f"CREATE TABLE {table} ({names})")
            marks = ", ".join("?" * len(columns))
            # An empty field is nothing: Access knows no empty text unless it is told to.
            filled = ([cell or None for cell in row] for row in rows if row)
            connection.executemany(f"INSERT INTO {table} VALUES ({marks})", filled)
    except (UnicodeDecodeError, csv.Error) as error:
        raise CatalogueError(f"{file} is no CSV in UTF-8 ({error}): export it again with `mdb-export`") from error
    except sqlite3.Error as error:
        raise CatalogueError(
            f"{file}: a line has more or fewer fields than the first one ({error}): export it again"
        ) from error


def _name(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
