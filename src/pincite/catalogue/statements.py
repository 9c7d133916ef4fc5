"""The mapping as SELECTs of SQLAlchemy, in the SQL that databases of 2009 read: joins, lists and patterns only."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, TypeAlias

from sqlalchemy import ColumnElement, Select, String, cast, column, func, literal, or_, select, table
from sqlalchemy.sql.elements import quoted_name
from sqlalchemy.sql.selectable import FromClause, NamedFromClause

from pincite.catalogue.mapping import CatalogueMapping, several
from pincite.errors import CatalogueError

CANDIDATES = 60
"""Rows that one statement may bring; more match than are shown, so that the best are among them."""
_PART = "pincite_part"
_SEPARATORS = "-./_ "
"""Characters of a part number that are left out where spellings are compared."""

Condition: TypeAlias = ColumnElement[bool]
Query: TypeAlias = Select[*tuple[Any, ...]]


class Statements:
    """What is asked of one mapped schema. Every name is quoted, every value is bound."""

    def __init__(self, mapping: CatalogueMapping) -> None:
        self.mapping = mapping
        part = mapping.part
        self._tables: dict[str, NamedFromClause] = {_PART: self._table(part.table, _PART)}
        self._from: FromClause = self._tables[_PART]
        for joined in mapping.joins:
            if joined.name in self._tables or "." in joined.name or not joined.name:
                raise CatalogueError(f"catalogue.joins: {joined.name!r} is no name, or is used twice")
            own = self._tables[joined.name] = self._table(joined.table, joined.name)
            pairs = [_column(own, mine) == self.column(theirs) for mine, theirs in joined.on.items()]
            if not pairs:
                raise CatalogueError(f"catalogue.joins: {joined.name} needs `on`: its column = a column of the part")
            self._from = self._from.outerjoin(own, pairs[0] if len(pairs) == 1 else pairs[0] & _all(pairs[1:]))
        wanted: dict[str, str] = {"number": part.number}
        wanted |= {f"key{n}": name for n, name in enumerate(several(part.key))}
        wanted |= {f"description{n}": name for n, name in enumerate(several(part.description))}
        for name in ("manufacturer", "model", "stock", "price", "currency"):
            if mapped := getattr(part, name):
                wanted[name] = mapped
        if mapping.oem:
            wanted |= {f"oem{n}": name for n, name in enumerate(several(mapping.oem.columns))}
            if mapping.oem.table:
                wanted["oem_by"] = mapping.oem.by or part.number
        if mapping.supersession:
            wanted["supersession_by"] = mapping.supersession.by or part.number
        self._columns = [self.column(name).label(f"pincite_{label}") for label, name in wanted.items()]
        self.labels = tuple(wanted)

    def column(self, name: str) -> ColumnElement[Any]:
        """A column of the part, or ``name.column`` of a joined table."""
        before, dot, after = name.partition(".")
        if dot and before in self._tables and before != _PART:
            return _column(self._tables[before], after)
        return _column(self._tables[_PART], name)

    def parts(self, where: Condition) -> Query:
        """Rows of parts in the order of their numbers."""
        statement = select(*self._columns).select_from(self._from).where(where)
        for name, wanted in self.mapping.part.only.items():
            values = wanted if isinstance(wanted, tuple) else (wanted,)
            statement = statement.where(self.column(name).in_(values))
        return statement.order_by(self.column(self.mapping.part.number)).limit(CANDIDATES)

    # ------------------------------------------------------------ conditions on parts

    def is_number(self, folded: Sequence[str], bares: Sequence[str]) -> Condition:
        """The part has one of these numbers, whatever separators stand in it."""
        own = self.column(self.mapping.part.number)
        return or_(_upper(own).in_(folded), _bare(own).in_(bares))

    def is_oem_number(self, folded: Sequence[str], bares: Sequence[str]) -> Condition | None:
        """A column of the part holds one of these as an OEM number; None without such columns."""
        held = [_upper(one).contains(n, autoescape=True) for one in self._oem_columns for n in folded]
        held += [_bare(one).contains(n, autoescape=True) for one in self._oem_columns for n in bares]
        return or_(*held) if held else None

    def holds(self, bares: Sequence[str]) -> Condition:
        """A number of the part holds one of these, whatever separators stand in it."""
        columns = [self.column(self.mapping.part.number), *self._oem_columns]
        return or_(*(_bare(one).contains(b, autoescape=True) for one in columns for b in bares))

    def says(self, word: str) -> Condition:
        """One of the part's texts holds the word; a letter outside ASCII stands for any, for not every database knows
        its other case."""
        part = self.mapping.part
        names = [part.number, part.manufacturer, part.model, *several(part.description)]
        texts = [self.column(name) for name in names if name] + self._oem_columns
        escaped = re.sub(r"([/%_])", r"/\1", word)
        pattern = "%" + "".join(c if c.isascii() else "_" for c in escaped) + "%"
        return or_(*(_text(one).ilike(pattern, escape="/") for one in texts))

    def has(self, name: str, values: Sequence[Any]) -> Condition:
        """A column holds one of these values, as they were read from another row."""
        return self.column(name).in_(values)

    @cached_property
    def _oem_columns(self) -> list[ColumnElement[Any]]:
        oem = self.mapping.oem
        return [self.column(name) for name in several(oem.columns)] if oem else []

    # ------------------------------------------------------------ other tables

    def parts_of_oem(self, folded: Sequence[str], bares: Sequence[str]) -> Query | None:
        """What names the parts that have one of these OEM numbers; None without a table of them.

        A list of its own and no subquery: MySQL 5.1 runs a subquery anew for every row.
        """
        return self._in_oem_table(lambda number: or_(_upper(number).in_(folded), _bare(number).in_(bares)))

    def parts_of_oem_that_hold(self, bares: Sequence[str]) -> Query | None:
        """What names the parts that have an OEM number that holds one of these; None without a table of them."""
        return self._in_oem_table(lambda number: or_(*(_bare(number).contains(b, autoescape=True) for b in bares)))

    def _in_oem_table(self, condition: Callable[[ColumnElement[Any]], Condition]) -> Query | None:
        oem = self.mapping.oem
        if oem is None or not oem.table:
            return None
        links = self._table(oem.table, "pincite_oem")
        return select(_column(links, oem.part)).where(condition(_column(links, oem.number))).limit(CANDIDATES)

    def oem_numbers(self, parts: Sequence[Any]) -> Query | None:
        """Pairs of part and OEM number; None without a table of them."""
        oem = self.mapping.oem
        if oem is None or not oem.table:
            return None
        links = self._table(oem.table, "pincite_oem")
        part, number = _column(links, oem.part), _column(links, oem.number)
        return select(part, number).where(part.in_(parts)).order_by(number).limit(1000)

    def supersessions(self, values: Sequence[Any], *, newer: bool) -> Query | None:
        """Pairs of old and new in which one of these values is the old one, or the new one."""
        chain = self.mapping.supersession
        if chain is None:
            return None
        if chain.table:
            pairs = self._table(chain.table, "pincite_supersession")
            old, new = _column(pairs, chain.old), _column(pairs, chain.new)
        else:
            pairs = self._from
            old, new = self.column(chain.by or self.mapping.part.number), self.column(chain.column)
        return (
            select(old, new).select_from(pairs).where((old if newer else new).in_(values)).order_by(old, new).limit(100)
        )

    def numbers(self, values: Sequence[Any]) -> Query | None:
        """Pairs of what supersessions hold and the part's number; None when they hold the number itself."""
        chain = self.mapping.supersession
        if chain is None or chain.by in ("", self.mapping.part.number):
            return None
        by = self.column(chain.by)
        return (
            select(by, self.column(self.mapping.part.number)).select_from(self._from).where(by.in_(values)).limit(1000)
        )

    def probes(self) -> list[tuple[str, Query]]:
        """One statement for each table of the mapping, with its name: is everything there that was named?"""
        every = [(self.mapping.part.table, select(*self._columns).select_from(self._from).limit(1))]
        oem, chain = self.mapping.oem, self.mapping.supersession
        if oem and oem.table:
            links = self._table(oem.table, "pincite_oem")
            every.append((oem.table, select(_column(links, oem.part), _column(links, oem.number)).limit(1)))
        if chain and chain.table:
            pairs = self._table(chain.table, "pincite_supersession")
            every.append((chain.table, select(_column(pairs, chain.old), _column(pairs, chain.new)).limit(1)))
        return every

    def _table(self, name: str, alias: str) -> NamedFromClause:
        schema = quoted_name(self.mapping.in_schema, quote=True) if self.mapping.in_schema else None
        return table(quoted_name(name, quote=True), schema=schema).alias(quoted_name(alias, quote=True))


def _column(of: FromClause, name: str) -> ColumnElement[Any]:
    own: ColumnElement[Any] = column(quoted_name(name, quote=True), _selectable=of)
    return own


def _all(conditions: Sequence[Condition]) -> Condition:
    found = conditions[0]
    for one in conditions[1:]:
        found = found & one
    return found


def _text(one: ColumnElement[Any]) -> ColumnElement[str]:
    return cast(one, String(4000))


def _upper(one: ColumnElement[Any]) -> ColumnElement[str]:
    return func.upper(func.trim(_text(one)))


def _bare(one: ColumnElement[Any]) -> ColumnElement[str]:
    found: ColumnElement[str] = _upper(one)
    for separator in _SEPARATORS:
        found = func.replace(found, literal(separator), literal(""))
    return found
