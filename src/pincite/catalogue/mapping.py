"""How a legacy schema is mapped: which table and columns hold what a part is. Names are as the database writes them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

Columns: TypeAlias = str | tuple[str, ...]
"""A column, or several. ``name.column`` is a column of the joined table that goes by that name."""

Value: TypeAlias = str | int


@dataclass(frozen=True, slots=True, kw_only=True)
class PartColumns:
    """The table of parts; a column that is not named is not read."""

    table: str
    key: Columns
    """What tells its rows apart; shown in citations."""
    number: str
    manufacturer: str = ""
    model: str = ""
    description: Columns = ()
    """Several are read as one text, in this order."""
    stock: str = ""
    price: str = ""
    currency: str = ""
    only: Mapping[str, Value | tuple[Value, ...]] = field(default_factory=dict[str, "Value | tuple[Value, ...]"])
    """Rows that count: ``{ Actief = 1 }``."""

    __pydantic_config__ = {"extra": "forbid"}  # noqa: RUF012 - read by the settings, never changed


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinedTable:
    """A table with at most one row for a part: its manufacturer, its stock, its price."""

    table: str
    name: str
    """What its columns are called by."""
    on: Mapping[str, str]
    """Its column → a column of the table of parts, or of a table that was joined before."""

    __pydantic_config__ = {"extra": "forbid"}  # noqa: RUF012


@dataclass(frozen=True, slots=True, kw_only=True)
class OemNumbers:
    """Numbers of other makers: in columns of the part, in a table of their own, or both."""

    columns: Columns = ()
    separators: str = ",;\n"
    """Characters that part several numbers of one column."""
    table: str = ""
    part: str = ""
    """Its column that names the part."""
    by: str = ""
    """The part's column that ``part`` holds; the part's number when empty."""
    number: str = ""

    __pydantic_config__ = {"extra": "forbid"}  # noqa: RUF012

    def __post_init__(self) -> None:
        if self.table and not (self.part and self.number):
            raise ValueError("a table of OEM numbers needs `part` and `number`, two of its columns")
        if not self.table and not self.columns:
            raise ValueError("name the `columns` that hold OEM numbers, or the `table`")


@dataclass(frozen=True, slots=True, kw_only=True)
class Supersession:
    """Which part replaced which: a column of the part, or a table of pairs."""

    column: str = ""
    """Of the part: what replaced it."""
    table: str = ""
    old: str = ""
    new: str = ""
    by: str = ""
    """The part's column whose values these columns hold; the part's number when empty."""

    __pydantic_config__ = {"extra": "forbid"}  # noqa: RUF012

    def __post_init__(self) -> None:
        if bool(self.table) == bool(self.column):
            raise ValueError("name either the `column` of the part that says what replaced it, or a `table` of pairs")
        if self.table and not (self.old and self.new):
            raise ValueError("a table of pairs needs `old` and `new`, two of its columns")


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogueMapping:
    part: PartColumns
    joins: tuple[JoinedTable, ...] = ()
    oem: OemNumbers | None = None
    supersession: Supersession | None = None
    in_schema: str = ""
    """Of all tables, where the database has schemas."""
    currency: str = ""
    """ISO 4217, of prices without a currency of their own."""
    decimal: Literal[".", ","] = "."
    """Of numbers that the database keeps as text."""


def several(columns: Columns) -> tuple[str, ...]:
    return (columns,) if isinstance(columns, str) else columns
