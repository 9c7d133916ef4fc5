"""Days and months as covers print them, in English, Dutch, German and French. Pure."""

from __future__ import annotations

import re

_MONTHS = (
    ("january", "januari", "januar", "janvier", "jan"),
    ("february", "februari", "februar", "février", "fevrier", "feb"),
    ("march", "maart", "märz", "mars", "mar", "mrt"),
    ("april", "avril", "apr"),
    ("may", "mei", "mai"),
    ("june", "juni", "juin", "jun"),
    ("july", "juli", "juillet", "jul"),
    ("august", "augustus", "août", "aout", "aug"),
    ("september", "septembre", "sept", "sep"),
    ("october", "oktober", "octobre", "oct", "okt"),
    ("november", "novembre", "nov"),
    ("december", "dezember", "décembre", "decembre", "dec", "dez"),
)
_NUMBER = {name: n for n, names in enumerate(_MONTHS, 1) for name in names}
_NAME = "|".join(sorted(_NUMBER, key=len, reverse=True))
_WRITTEN = re.compile(
    rf"(?<!\w)(?:(?P<day>\d{{1,2}})(?:\.|st|nd|rd|th)?\s+)?(?P<month>{_NAME})\.?,?\s?"
    r"(?:(?P<day_us>\d{1,2})(?:st|nd|rd|th)?,\s+)?(?P<year>(?:19|20)\d\d)(?!\d)",
    re.IGNORECASE,
)
_ISO = re.compile(r"(?<!\d)(?P<year>(?:19|20)\d\d)-(?P<month>\d\d)(?:-(?P<day>\d\d))?(?![\d-])")
_DIGITS = re.compile(r"(?<![\d.])(?P<a>\d{1,2})[./](?P<b>\d{1,2})[./](?P<year>(?:19|20)\d\d)(?!\d)")


def find(text: str, language: str) -> str:
    """Return the first day or month of a line, ISO 8601; "" without one, or when day and month cannot be told apart.

    >>> find("Revision 3 · 15 September 2025", "en"), find("June 2017", "en")
    ('2025-09-15', '2017-06')
    >>> find("06/07/2023", "en"), find("06.07.2023", "de")
    ('', '2023-07-06')
    """
    if m := _WRITTEN.search(text):
        return _iso(m["year"], _NUMBER[m["month"].lower()], int(m["day"] or m["day_us"] or 0))
    if m := _ISO.search(text):
        return _iso(m["year"], int(m["month"]), int(m["day"] or 0))
    if m := _DIGITS.search(text):
        a, b = int(m["a"]), int(m["b"])
        if language == "en" and a <= 12 and b <= 12 and a != b:
            return ""  # the month comes first in one country and second in another
        day, month = (b, a) if language == "en" and b > 12 else (a, b)
        return _iso(m["year"], month, day)
    return ""


def _iso(year: str, month: int, day: int) -> str:
    if not 1 <= month <= 12 or day > 31:
        return ""
    return f"{year}-{month:02d}" + (f"-{day:02d}" if day else "")
