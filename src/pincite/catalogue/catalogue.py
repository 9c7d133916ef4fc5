"""A legacy parts database, read-only: rows or nothing."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from pincite.catalogue.mapping import CatalogueMapping
from pincite.catalogue.part import Lookup, numbers_in, words_in
from pincite.errors import CatalogueError, CatalogueUnavailable, UsageError

if TYPE_CHECKING:
    # SQLAlchemy takes a while to import, and most commands do not need it.
    from sqlalchemy import Engine

    from pincite.catalogue.access import AccessExport
    from pincite.catalogue.connect import Address
    from pincite.catalogue.reader import Reading
    from pincite.catalogue.statements import Statements

LONGEST_QUERY = 300
"""Characters; a longer one is no question for a part."""


class Catalogue:
    """The parts of one legacy database, or of the export of one. Safe to call from several threads."""

    def __init__(
        self,
        mapping: CatalogueMapping,
        place: Address | Path,
        *,
        name: str = "Parts catalogue",
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        """
        Args:
            place: a database, or the folder of a Microsoft Access export. Nothing is opened yet.
            name: what readers know it by.
        """
        self.mapping = mapping
        self.name = name
        self._place = place
        self._now = now

    def lookup(self, query: str) -> Lookup:
        """The parts that a part number, an OEM number or words stand for; at most `ROWS`, never a guess.

        An exact number beats a fuzzy one: other spellings, longer numbers and words are tried in this order, each only
        when nothing was found before. Who superseded a part that was found exactly comes with it.

        Raises:
            UsageError: There is nothing to look for.
            CatalogueUnavailable: The database does not answer, or not in time.
            CatalogueError: It is not as the mapping says.
        """
        asked = " ".join(query.split())[:LONGEST_QUERY]
        if not numbers_in(asked) and not words_in(asked):
            raise UsageError("give a part number, an OEM number or words to look for in the catalogue")
        with self._reading() as reading:
            return reading.lookup(asked)

    def check(self) -> str:
        """What it is and that it can be read, for the doctor.

        Raises:
            CatalogueError: It cannot be read, or more than read, and what to do.
        """
        from pincite.catalogue.connect import reads_only, writes_allowed

        with self._reading() as reading:
            parts = reading.probe()
            said = f"{self.name}: {self._where}, {'a part was read' if parts else 'its table of parts is empty'}"
            if self._export is not None:
                return f"{said}; exported at {reading.read_at}"
            allowed = writes_allowed(reading.connection, tuple(table for table, _ in self._statements.probes()))
            if allowed:
                raise CatalogueError(
                    f"{self._where}: the account may do more than read ({allowed}): give Pincite one that may only "
                    "SELECT, as docs/catalogue.md shows"
                )
            transaction = "read-only transactions" if reads_only(reading.connection) else _NO_READ_ONLY
            return f"{said}; {transaction}"

    # ------------------------------------------------------------ inside

    @cached_property
    def _statements(self) -> Statements:
        from pincite.catalogue.statements import Statements

        return Statements(self.mapping)

    @cached_property
    def _engine(self) -> Engine | None:
        from pincite.catalogue.connect import connect

        return None if isinstance(self._place, Path) else connect(self._place)

    @cached_property
    def _export(self) -> AccessExport | None:
        from pincite.catalogue.access import AccessExport

        if not isinstance(self._place, Path):
            return None
        mapping = self.mapping
        oem, chain = mapping.oem, mapping.supersession
        others = [oem.table if oem else "", chain.table if chain else ""]
        tables = [mapping.part.table, *(joined.table for joined in mapping.joins), *filter(None, others)]
        return AccessExport(self._place, tuple(tables))

    @property
    def _where(self) -> str:
        if isinstance(self._place, Path):
            return f"the export in {self._place}"
        return f"the catalogue at {self._place.url.partition('?')[0]}"

    @contextmanager
    def _reading(self) -> Generator[Reading]:
        from sqlalchemy.exc import SQLAlchemyError

        from pincite.catalogue.connect import said_by
        from pincite.catalogue.reader import Reading

        patience = 30.0 if isinstance(self._place, Path) else 2 * self._place.timeout_s
        deadline = time.monotonic() + patience
        try:
            snapshot = self._export.snapshot() if self._export else None
            engine = snapshot.engine if snapshot else self._engine
            assert engine is not None
            with engine.connect() as connection:
                read_at = snapshot.made_at if snapshot else self._now().astimezone(UTC).isoformat(timespec="seconds")
                yield Reading(self._statements, connection, read_at, deadline, self._where)
        except (SQLAlchemyError, sqlite3.Error) as error:
            raise said_by(error, self._where) from error
        except OSError as error:
            raise CatalogueUnavailable(f"{self._where} could not be read ({error.strerror or error})") from error


_NO_READ_ONLY = (
    "this server knows no read-only transactions: only the account and Pincite's own guard keep it from being written"
)
