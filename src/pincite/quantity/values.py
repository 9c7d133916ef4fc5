"""The values that stand in texts: frozen, compared by what they say."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Literal, TypeAlias

Bound: TypeAlias = Literal["", "at least", "at most", "more than", "less than"]
RangeEnd: TypeAlias = Literal["", "low", "high"]


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number with what belongs to it. Empty strings mean "not printed"."""

    readings: frozenset[Decimal]
    """Every number the printed form can stand for, scale words ("million") multiplied in."""
    unit: str = ""
    """Key of `UNITS`."""
    currency: str = ""
    """ISO 4217."""
    bound: Bound = ""
    end: RangeEnd = ""
    """Which end of a printed range ("4–20 mA") it is."""
    tolerance: bool = False
    """Printed after ±: a deviation, never a value of its own."""
    spelled: bool = False
    """Printed in words ("seven"); equal to the same number in digits."""
    scale: int = 0
    """Power of ten that a scale word or letter ("million", "M") stands for; 0 when none was printed."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Quantity) and self._identity() == other._identity()

    def __hash__(self) -> int:
        return hash(self._identity())

    def _identity(self) -> tuple[object, ...]:
        return (self.readings, self.unit, self.currency, self.bound, self.end, self.tolerance)


@dataclass(frozen=True, slots=True)
class Moment:
    """A date; parts that are not printed are None. More than one reading when day and month cannot be told apart."""

    readings: frozenset[tuple[int | None, int | None, int | None]]
    """(year, month, day)."""


@dataclass(frozen=True, slots=True)
class Quarter:
    quarter: int
    year: int | None = None


@dataclass(frozen=True, slots=True)
class Clock:
    """A time of day: hour 0 to 23, minute 0 to 59."""

    hour: int
    minute: int


@dataclass(frozen=True, slots=True)
class Identifier:
    """Code, standard, part number or reference. ``CRN 32-3`` is not ``CRN 32-4``, ``AC-17`` is ``AC 17``."""

    core: str
    """Upper case, without spaces and without hyphens next to a letter."""
    prefix: str = ""
    """Canonical kind word: SECTION, ARTICLE, ISO, SP …"""


@dataclass(frozen=True, slots=True)
class Certification:
    name: str
    negated: bool = False
    """The text denies it: "not for use in ATEX zones"."""


Value: TypeAlias = Quantity | Moment | Quarter | Clock | Identifier | Certification


@dataclass(frozen=True, slots=True)
class Found:
    """A value in a text; half-open span in that text."""

    value: Value
    start: int
    end: int
    parts: bool = False
    """A part of a number printed in groups ("100 200" may be two numbers): evidence, never a claim."""
