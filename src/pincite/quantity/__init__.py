"""Typed values as they are printed in English, Dutch, German and French, and when two of them are the same.

A value is a set of readings: ``1.450`` is 1450 in a Dutch text, 1.45 in an English one, and either where the language
is unknown. Nothing is guessed: what cannot be read is no value, and two values are equal only after exact conversion.

>>> [show(found.value) for found in read("Q = 1.450 m³/h bij ≤ 16 bar", "nl")]
['1450 m3/h', 'at most 16 bar']
"""

from pincite.quantity.equality import (
    HEADER_SCALE,
    base_readings,
    bounds_agree,
    dimension,
    equality,
    equals_with_scale,
    is_rounding,
)
from pincite.quantity.normal import Normal, normalise
from pincite.quantity.printed import NEGATION, read_number
from pincite.quantity.reading import SECTION_KINDS, parse, read, read_identifier, read_normal
from pincite.quantity.units import CURRENCIES, UNITS, Unit
from pincite.quantity.values import (
    Bound,
    Certification,
    Clock,
    Found,
    Identifier,
    Moment,
    Quantity,
    Quarter,
    RangeEnd,
    Value,
)
from pincite.quantity.writing import show

__all__ = [
    "CURRENCIES",
    "HEADER_SCALE",
    "NEGATION",
    "SECTION_KINDS",
    "UNITS",
    "Bound",
    "Certification",
    "Clock",
    "Found",
    "Identifier",
    "Moment",
    "Normal",
    "Quantity",
    "Quarter",
    "RangeEnd",
    "Unit",
    "Value",
    "base_readings",
    "bounds_agree",
    "dimension",
    "equality",
    "equals_with_scale",
    "is_rounding",
    "normalise",
    "parse",
    "read",
    "read_identifier",
    "read_normal",
    "read_number",
    "show",
]
