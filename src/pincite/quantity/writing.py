"""Values as a person writes them, such that they are read back."""

from __future__ import annotations

from pincite.quantity.reading import SECTION_KINDS
from pincite.quantity.values import Certification, Clock, Identifier, Moment, Quantity, Quarter, Value


def show(value: Value, language: str = "en") -> str:
    """Return the value as a person writes it in ``language``, such that `parse` reads it back."""
    match value:
        case Quantity():
            return _show_quantity(value, language)
        case Moment():
            year, month, day = min(value.readings, key=lambda r: tuple(p or 0 for p in r))
            if year and month and day:
                return f"{year:04d}-{month:02d}-{day:02d}"
            name = _MONTH_NAMES[(month or 1) - 1]
            return f"{day} {name}" if day else f"{name} {year}"
        case Quarter():
            return f"Q{value.quarter}" + (f" {value.year}" if value.year else "")
        case Clock():
            return f"{value.hour}:{value.minute:02d}"
        case Identifier():
            return (
                f"{value.prefix.capitalize() if value.prefix in SECTION_KINDS else value.prefix} {value.core}".strip()
            )
        case Certification():
            return f"not {value.name}" if value.negated else value.name


_MONTH_NAMES = "January February March April May June July August September October November December".split()  # noqa: SIM905


def _show_quantity(value: Quantity, language: str) -> str:
    number = min(value.readings)
    text = f"{abs(number):f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    # Three digits after the separator are the one case that a reader could take for thousands: one more digit ends it.
    whole, _, decimals = text.partition(".")
    if len(decimals) == 3 and not whole.startswith("0"):
        decimals += "0"
    text = whole + ((("," if language in ("nl", "de", "fr") else ".") + decimals) if decimals else "")
    if number < 0:
        text = "-" + text
    if value.tolerance:
        text = "± " + text
    if value.currency:
        text = f"{value.currency} {text}"
    elif value.unit:
        text = f"{text} {value.unit}" if value.unit not in ("ordinal", "decade", "x") else _show_glued(text, value.unit)
    return f"{value.bound} {text}" if value.bound else text


def _show_glued(text: str, unit: str) -> str:
    return text + {"ordinal": "th", "decade": "s", "x": "x"}[unit]
