"""When one printed value says what another one says."""

from __future__ import annotations

from decimal import Decimal
from functools import lru_cache

from pincite.quantity.units import UNITS
from pincite.quantity.values import Bound, Certification, Clock, Identifier, Moment, Quantity, Quarter, Value

NOT_EQUAL, EXACT = 0.0, 1.0
ONE_SIDED_UNIT = 0.85
"""Only one side prints the unit or currency: a cell under "Q [m³/h]" against "16 m³/h"."""
HEADER_SCALE = 0.7
"""The claim says "million" where the cell may stand under such a heading."""
PARTIAL = 0.6
"""A date without its day, a range end quoted alone, a number for an identifier."""
SAME_CORE, OTHER_PREFIX = 0.8, 0.3
OTHER_POLARITY = 0.2


def equality(claim: Value, evidence: Value) -> float:
    """Return how far ``evidence`` says what ``claim`` says: 0 not at all, 1 exactly; from .5 it is found.

    Not symmetric: evidence may say more (a date with its year) than the claim, not less. Bounds are compared by
    `bounds_agree`, because a wrong bound wants its own reason.
    """
    match claim, evidence:
        case Quantity(), Quantity():
            return _same_quantity(claim, evidence)
        case Moment(), Moment():
            return _same_moment(claim, evidence)
        case Quarter(), Quarter():
            same = claim.quarter == evidence.quarter and (
                claim.year is None or evidence.year is None or claim.year == evidence.year
            )
            return EXACT if same else NOT_EQUAL
        case Clock(), Clock():
            if claim == evidence:
                return EXACT
            return PARTIAL if claim.hour % 12 == evidence.hour % 12 and claim.minute == evidence.minute else NOT_EQUAL
        case Clock(), Quantity():
            bare = not evidence.unit and not evidence.currency
            return PARTIAL if bare and claim.minute == 0 and Decimal(claim.hour) in evidence.readings else NOT_EQUAL
        case Identifier(), Identifier():
            return _same_identifier(claim, evidence)
        case Identifier(), Quantity():
            bare = not evidence.unit and not evidence.currency
            return PARTIAL if bare and _digits_equal(claim, evidence) else NOT_EQUAL
        case Quantity(), Identifier():
            bare = not claim.unit and not claim.currency
            return PARTIAL if bare and _digits_equal(evidence, claim) else NOT_EQUAL
        case Quantity(), Moment():
            years = {Decimal(year) for year, _, _ in evidence.readings if year}
            return 0.9 if not claim.unit and not claim.currency and years & claim.readings else NOT_EQUAL
        case Quantity(), Quarter():
            year = evidence.year
            return 0.9 if not claim.unit and not claim.currency and year and year in claim.readings else NOT_EQUAL
        case Certification(), Certification():
            if claim.name != evidence.name:
                return NOT_EQUAL
            return EXACT if claim.negated == evidence.negated else OTHER_POLARITY
        case _:
            return NOT_EQUAL


def bounds_agree(claim: Bound, evidence: Bound) -> bool:
    """Say whether two values may stand for each other as far as "at least" and the like go: ``≤ 16`` is not ``16``."""
    return claim == evidence


def dimension(quantity: Quantity) -> str:
    """Return what kind of thing is measured: a unit's dimension, "money", or empty for a bare number."""
    if quantity.currency:
        return "money"
    return UNITS[quantity.unit].dimension if quantity.unit else ""


def base_readings(quantity: Quantity) -> frozenset[float]:
    """Return the readings in the base unit of their dimension, rounded to ten digits so that conversions meet."""
    return _base(quantity.readings, quantity.unit)


@lru_cache(maxsize=65536)
def _base(readings: frozenset[Decimal], unit: str) -> frozenset[float]:
    factor, offset = (UNITS[unit].factor, UNITS[unit].offset) if unit else (1.0, 0.0)
    return frozenset(_round(float(number) * factor + offset) for number in readings)


def _round(number: float) -> float:
    return 0.0 if abs(number) < 1e-300 else float(f"{number:.9e}")


def _same_quantity(claim: Quantity, evidence: Quantity) -> float:
    if claim.tolerance != evidence.tolerance or (
        claim.currency and evidence.currency != claim.currency and evidence.currency
    ):
        return NOT_EQUAL
    if {claim.end, evidence.end} == {"low", "high"}:
        return NOT_EQUAL
    if claim.unit and evidence.unit:
        if UNITS[claim.unit].dimension != UNITS[evidence.unit].dimension:
            return NOT_EQUAL
        same = bool(base_readings(claim) & base_readings(evidence))
        return EXACT if same else NOT_EQUAL
    if (claim.unit and evidence.currency) or (claim.currency and evidence.unit):
        return NOT_EQUAL
    if not _base(claim.readings, "") & _base(evidence.readings, ""):
        return NOT_EQUAL
    one_sided = bool(claim.unit) != bool(evidence.unit) or bool(claim.currency) != bool(evidence.currency)
    return ONE_SIDED_UNIT if one_sided else EXACT


def equals_with_scale(claim: Quantity, evidence: Quantity) -> bool:
    """Say whether the claim is the evidence in thousands, millions or billions ("62.7 billion", cell "62.7")."""
    if not claim.scale or evidence.scale or claim.unit or evidence.unit:
        return False
    return bool(claim.readings & frozenset(r.scaleb(claim.scale) for r in evidence.readings))


def is_rounding(claim: Quantity, evidence: Quantity) -> bool:
    """Say whether the claim is the evidence with fewer digits, at most 2 % away."""
    if claim.unit and evidence.unit and dimension(claim) != dimension(evidence):
        return False
    both = bool(claim.unit and evidence.unit)
    claimed = base_readings(claim) if both else _base(claim.readings, "")
    printed = base_readings(evidence) if both else _base(evidence.readings, "")
    return any(
        x != y and x and y and abs(x - y) <= 0.02 * abs(y) and _significant(x) < _significant(y)
        for x in claimed
        for y in printed
    )


def _significant(number: float) -> int:
    return len(f"{number:.9e}".partition("e")[0].replace(".", "").replace("-", "").rstrip("0"))


def _same_moment(claim: Moment, evidence: Moment) -> float:
    best = NOT_EQUAL
    for wanted in claim.readings:
        for printed in evidence.readings:
            if all(w is None or p is None or w == p for w, p in zip(wanted, printed, strict=True)):
                says_all = all(w is None or w == p for w, p in zip(wanted, printed, strict=True))
                best = max(best, EXACT if says_all else PARTIAL)
    return best


def _same_identifier(claim: Identifier, evidence: Identifier) -> float:
    if claim.core != evidence.core:
        return NOT_EQUAL
    if claim.prefix == evidence.prefix:
        return EXACT
    return SAME_CORE if not claim.prefix or not evidence.prefix else OTHER_PREFIX


def _digits_equal(identifier: Identifier, quantity: Quantity) -> bool:
    return identifier.core.isdigit() and len(quantity.readings) == 1 and Decimal(identifier.core) in quantity.readings
