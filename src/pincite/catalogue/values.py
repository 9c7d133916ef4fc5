"""Values of a legacy database as a part holds them: read as they are, or not at all. Pure."""

from __future__ import annotations

import re
from datetime import date, datetime
from decimal import Decimal, InvalidOperation

_ZERO_DATE = re.compile(r"(?:0000-00-00|\d\d/00/\d\d)(?:[ T]00:00:00(?:\.0+)?)?")
"""MySQL's date of nothing, and what `mdb-export` prints of one of Access: the day 0."""


def text_of(value: object) -> str:
    """The value as text on one line; "" of nothing and of the zero date, by which old databases say nothing.

    >>> text_of(1044.0), text_of("0000-00-00"), text_of(b"Dichtung \\xfc")
    ('1044', '', 'Dichtung ü')
    """
    if value is None:
        return ""
    if isinstance(value, bytes | bytearray):
        raw = bytes(value)
        try:
            text = raw.decode("utf-8")
        except UnicodeDecodeError:
            text = raw.decode("cp1252", errors="replace")
    elif isinstance(value, float) and value.is_integer():
        text = str(int(value))  # a number kept in a column of numbers: 1044, not 1044.0
    elif isinstance(value, Decimal) and value == value.to_integral_value():
        text = str(int(value))
    elif isinstance(value, datetime):
        text = value.isoformat(sep=" ")
    elif isinstance(value, date):
        text = value.isoformat()
    else:
        text = str(value)
    # Control characters of old systems would break a line, a table or a terminal.
    line = " ".join(re.sub(r"[\x00-\x1f\x7f-\x9f]", " ", text).split())
    return "" if _ZERO_DATE.fullmatch(line) else line


def number_of(value: object, decimal: str = ".") -> Decimal | None:
    """The value as a number; None where it is none, or could be read in two ways.

    ``decimal`` is the sign of numbers that are kept as text; the other one of ``.,`` may part thousands.

    >>> number_of("1.234,50", ","), number_of("on request"), number_of("12,5", ".")
    (Decimal('1234.50'), None, None)
    """
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, Decimal | int):
        found = Decimal(value)
        return found if found.is_finite() else None
    if isinstance(value, float):
        value, decimal = repr(value), "."
    other = "," if decimal == "." else "."
    text = text_of(value)
    point, thousands = re.escape(decimal), re.escape(other)
    if not re.fullmatch(rf"[-+]?(?:\d+|\d{{1,3}}(?:{thousands}\d{{3}})+)(?:{point}\d+)?(?:[eE][-+]?\d+)?", text):
        return None
    try:
        return Decimal(text.replace(other, "").replace(decimal, "."))
    except InvalidOperation:
        return None


def price_text(price: Decimal, decimal: str = ".") -> str:
    """The price with two decimals, or as many as it has.

    >>> price_text(Decimal("12.5000")), price_text(Decimal("0.0125"), ",")
    ('12.50', '0,0125')
    """
    whole = price.normalize()
    exponent = whole.as_tuple().exponent
    places = max(2, -exponent if isinstance(exponent, int) else 2)
    return f"{price:.{places}f}".replace(".", decimal)


def stock_text(stock: Decimal, decimal: str = ".") -> str:
    """The stock without zeros that say nothing.

    >>> stock_text(Decimal("14.000")), stock_text(Decimal("2.5"), ",")
    ('14', '2,5')
    """
    return f"{stock.normalize():f}".replace(".", decimal)
