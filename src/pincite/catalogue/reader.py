"""One lookup in one database: what is asked in which order, and rows as parts."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sqlalchemy import Connection

from pincite.catalogue.mapping import several
from pincite.catalogue.part import (
    EXACT,
    ROWS,
    SIMILAR_FROM,
    Found,
    Lookup,
    Match,
    Part,
    bare,
    folded,
    match_of,
    numbers_in,
    ranked,
    spellings_in,
    words_in,
)
from pincite.catalogue.statements import Condition, Query, Statements
from pincite.catalogue.values import number_of, text_of
from pincite.errors import CatalogueUnavailable

CHAIN = 8
"""Steps that a chain of supersessions is followed, either way; a longer one is a circle or a mistake."""


@dataclass(frozen=True, slots=True)
class _Row:
    """One row as it came, with what other tables hold about it found by."""

    part: Part
    oem_by: Any
    """The value by which the table of OEM numbers knows the part."""
    supersession_by: Any


class Reading:
    """One lookup: a connection, a read time, a deadline."""

    def __init__(
        self, statements: Statements, connection: Connection, read_at: str, deadline: float, where: str
    ) -> None:
        self._statements = statements
        self.connection = connection
        self.read_at = read_at
        self._deadline = deadline
        self._where = where
        self._known: dict[str, _Row] = {}
        """Every row that was read, by its key."""
        raw = connection.connection.driver_connection
        if isinstance(raw, sqlite3.Connection):
            # The only database here that knows no time-out of its own.
            raw.set_progress_handler(lambda: time.monotonic() > deadline, 100_000)

    def lookup(self, query: str) -> Lookup:
        numbers = numbers_in(query)
        found = self._matching(query, self._with_number(numbers, spellings_in(query)), {"number", "oem", "spelling"})
        if any(one.match in EXACT for one in found):
            found += self._successors([one for one in found if one.match in EXACT])
        if not found:
            pieces = [piece for number in numbers if len(piece := bare(number)) >= SIMILAR_FROM]
            found = self._matching(query, self._holding(pieces), {"similar"})
        if not found:
            found = self._matching(query, self._saying(words_in(query)), {"words"})
        best = ranked(found)
        shown = best[:ROWS]
        return Lookup(query, self._chained(shown), more=len(best) > len(shown))

    def probe(self) -> bool:
        """Read from every table of the mapping; whether there is a part."""
        found = [self._rows(statement) for _, statement in self._statements.probes()]
        return bool(found[0])

    # ------------------------------------------------------------ steps

    def _with_number(self, numbers: Sequence[str], bares: Sequence[str]) -> list[_Row]:
        held = self._statements.is_oem_number(numbers, bares)
        rows = self._parts(self._statements.is_number(numbers, bares))
        rows += self._parts(held) if held is not None else []
        return rows + self._of_oem(self._statements.parts_of_oem(numbers, bares))

    def _holding(self, bares: Sequence[str]) -> list[_Row]:
        if not bares:
            return []
        rows = self._parts(self._statements.holds(bares))
        return rows + self._of_oem(self._statements.parts_of_oem_that_hold(bares))

    def _saying(self, words: Sequence[str]) -> list[_Row]:
        if not words:
            return []
        condition = self._statements.says(words[0])
        for word in words[1:]:
            condition = condition & self._statements.says(word)
        return self._parts(condition)

    def _of_oem(self, statement: Query | None) -> list[_Row]:
        oem = self._statements.mapping.oem
        values = [row[0] for row in self._rows(statement)] if statement is not None else []
        if oem is None or not values:
            return []
        return self._parts(self._statements.has(oem.by or self._statements.mapping.part.number, values))

    def _matching(self, query: str, rows: Iterable[_Row], wanted: set[Match]) -> list[Found]:
        once = {row.part.key: row for row in rows}
        matched = ((row, match_of(query, row.part)) for row in once.values())
        return [Found(row.part, match) for row, match in matched if match in wanted]

    def _successors(self, found: Sequence[Found]) -> list[Found]:
        """The newest parts that superseded those that were found."""
        chain = self._statements.mapping.supersession
        if chain is None:
            return []
        values = [self._known[one.part.key].supersession_by for one in found]
        newer = self._follow(values, newer=True)
        newest = [raw for key, raw in newer.values.items() if not newer.after.get(key) and key not in newer.began]
        if not newest:
            return []
        rows = self._parts(self._statements.has(chain.by or self._statements.mapping.part.number, newest))
        present = {one.part.key for one in found}
        return [Found(row.part, "successor") for row in rows if row.part.key not in present]

    def _chained(self, found: Sequence[Found]) -> tuple[Found, ...]:
        """The parts with what they supersede and what superseded them."""
        if self._statements.mapping.supersession is None:
            return tuple(found)
        values = [self._known[one.part.key].supersession_by for one in found]
        newer, older = self._follow(values, newer=True), self._follow(values, newer=False)
        every = newer.values | older.values
        numbers = self._numbers(every)
        chained: list[Found] = []
        for one, value in zip(found, values, strict=True):
            own = _key(value)
            part = replace(
                one.part,
                superseded_by=tuple(numbers[key] for key in newer.reached(own) if key in numbers),
                supersedes=tuple(numbers[key] for key in older.reached(own) if key in numbers),
            )
            chained.append(replace(one, part=part))
        return tuple(chained)

    def _follow(self, values: Sequence[Any], *, newer: bool) -> _Chain:
        chain = _Chain(frozenset(map(_key, values)))
        ahead = [value for value in values if _key(value)]
        for _ in range(CHAIN):
            statement = self._statements.supersessions(ahead, newer=newer) if ahead else None
            if statement is None:
                break
            ahead = list[Any]()
            for old, new in self._rows(statement):
                here, there = (old, new) if newer else (new, old)
                # Half a pair, or one that leads to itself, is how old systems say that nothing was replaced.
                if _key(there) and _key(there) != _key(here):
                    if _key(there) not in chain.values:
                        ahead.append(there)
                    chain.values.setdefault(_key(there), there)
                    chain.after.setdefault(_key(here), []).append(_key(there))
        return chain

    def _numbers(self, values: dict[str, Any]) -> dict[str, str]:
        """Part numbers by what supersessions hold."""
        statement = self._statements.numbers(list(values.values())) if values else None
        if statement is None:
            return {key: text_of(value) for key, value in values.items()}
        return {_key(by): text_of(number) for by, number in self._rows(statement)}

    # ------------------------------------------------------------ rows

    def _parts(self, where: Condition) -> list[_Row]:
        """Rows that meet a condition, each with all of its OEM numbers; several of one key are one."""
        read = [
            dict(zip(self._statements.labels, row, strict=True)) for row in self._rows(self._statements.parts(where))
        ]
        oem = self._oem_numbers([values["oem_by"] for values in read if values.get("oem_by") is not None])
        rows: dict[str, _Row] = {}
        for values in read:
            row = self._row(values, oem)
            if row.part.number:
                before = rows.get(row.part.key)
                rows[row.part.key] = row if before is None else replace(before, part=_merged(before.part, row.part))
        self._known |= rows
        return list(rows.values())

    def _row(self, values: dict[str, Any], oem: dict[str, list[str]]) -> _Row:
        mapping = self._statements.mapping
        key = ", ".join(f"{name}={text_of(values[f'key{n}'])}" for n, name in enumerate(several(mapping.part.key)))
        texts = [text_of(values[f"description{n}"]) for n in range(len(several(mapping.part.description)))]
        numbers = list(oem.get(_key(values.get("oem_by")), ()))
        for n in range(len(several(mapping.oem.columns)) if mapping.oem else 0):
            numbers += _parted(values[f"oem{n}"], mapping.oem.separators if mapping.oem else "")
        price = number_of(values.get("price"), mapping.decimal)
        part = Part(
            number=text_of(values["number"]),
            oem_numbers=tuple(dict.fromkeys(filter(None, numbers))),
            manufacturer=text_of(values.get("manufacturer")),
            model=text_of(values.get("model")),
            description=" ".join(filter(None, texts)),
            supersedes=(),
            superseded_by=(),
            stock=number_of(values.get("stock"), mapping.decimal),
            price=price if price is not None and price > 0 else None,
            currency=(text_of(values.get("currency")) or mapping.currency) if price is not None and price > 0 else "",
            key=f"{mapping.part.table} {key}",
            read_at=self.read_at,
        )
        return _Row(part, values.get("oem_by"), values.get("supersession_by"))

    def _oem_numbers(self, parts: Sequence[Any]) -> dict[str, list[str]]:
        """OEM numbers by what their table knows the part by."""
        statement = self._statements.oem_numbers(list(dict.fromkeys(parts))) if parts else None
        numbers: dict[str, list[str]] = {}
        for part, number in self._rows(statement) if statement is not None else ():
            numbers.setdefault(_key(part), []).append(text_of(number))
        return numbers

    def _rows(self, statement: Query) -> Sequence[Any]:
        if time.monotonic() > self._deadline:
            raise CatalogueUnavailable(f"{self._where} did not answer in time: ask again, or raise catalogue.timeout_s")
        return self.connection.execute(statement).fetchall()


@dataclass(slots=True)
class _Chain:
    """Supersessions one way, from some parts on; values by their `_key`."""

    began: frozenset[str]
    values: dict[str, Any] = field(default_factory=dict[str, Any])
    """What was reached, as the database writes it."""
    after: dict[str, list[str]] = field(default_factory=dict[str, list[str]])

    def reached(self, own: str) -> list[str]:
        """What follows, the nearest first; a circle ends where it began."""
        seen = {own: None}
        ahead = [own]
        while ahead:
            ahead = [there for here in ahead for there in self.after.get(here, ()) if there not in seen]
            seen |= dict.fromkeys(ahead)
        return [one for one in seen if one != own]


def _key(value: object) -> str:
    """A value that leads from one table to another, as the same text whatever its type and padding."""
    return folded(text_of(value))


def _parted(value: object, separators: str) -> list[str]:
    raw = str(value) if isinstance(value, str) else text_of(value)
    for separator in separators:
        raw = raw.replace(separator, "\n")
    return [text_of(piece) for piece in raw.split("\n")]


def _merged(one: Part, other: Part) -> Part:
    """Two rows of one key: a join found several. Numbers that differ are not known, for none is the part's own."""
    return replace(
        one,
        oem_numbers=tuple(dict.fromkeys((*one.oem_numbers, *other.oem_numbers))),
        stock=one.stock if one.stock == other.stock else None,
        price=one.price if (one.price, one.currency) == (other.price, other.currency) else None,
        currency=one.currency if (one.price, one.currency) == (other.price, other.currency) else "",
    )
