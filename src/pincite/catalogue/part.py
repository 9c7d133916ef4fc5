"""A part of the catalogue, and how a row answers to what was asked. Pure."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal, TypeAlias

ROWS = 8
"""Most rows of one lookup."""

Match: TypeAlias = Literal["number", "oem", "successor", "spelling", "similar", "words"]
"""Why a row was found, best first. ``successor``: it supersedes a part that has the number. ``spelling``: the same
characters with other separators. ``similar``: a longer number that holds the one asked for. ``words``: its texts."""

EXACT: frozenset[Match] = frozenset({"number", "oem", "successor"})
"""Matches of the number that was asked for; the others are said to be fuzzy wherever they are shown."""

_DASHES = re.compile(r"[‐‑‒–—−]")
_BESIDE = " \t\n.,;:?!()[]{}\"'“”‘’«»„"
SPELLED_FROM = 3
"""Letters and digits of a number from which other spellings of it are looked for."""
SIMILAR_FROM = 4
"""Letters and digits from which a piece of a number says something about a part."""
_BARE_DIGITS = 5
"""Digits from which a number without letters, among other words, may be a part number: 2900 is a speed."""


@dataclass(frozen=True, slots=True)
class Part:
    """One part, as its row says; empty or None where the row says nothing."""

    number: str
    oem_numbers: tuple[str, ...]
    manufacturer: str
    model: str
    description: str
    supersedes: tuple[str, ...]
    """Numbers that this one replaced, the nearest first."""
    superseded_by: tuple[str, ...]
    """Numbers that replaced this one, the nearest first: the last one is the newest."""
    stock: Decimal | None
    price: Decimal | None
    """None also where the row says zero: that is no price."""
    currency: str
    """ISO 4217; "" without a price."""
    key: str
    """Of the source row: ``tblArtikel ArtID=1044``."""
    read_at: str
    """ISO 8601, UTC; of an export, when it was made."""


@dataclass(frozen=True, slots=True)
class Found:
    part: Part
    match: Match


@dataclass(frozen=True, slots=True)
class Lookup:
    """What a query found: rows or nothing."""

    query: str
    found: tuple[Found, ...]
    """At most `ROWS`, best match first, then by number."""
    more: bool = False
    """Whether the catalogue holds more that match."""


def folded(number: str) -> str:
    """The number as numbers are compared: case, white space at the ends and kinds of dashes do not count.

    >>> folded(" px–1044-b ") == folded("PX-1044-B"), folded("PX-1044-A") == folded("PX-1044-B")
    (True, False)
    """
    return _DASHES.sub("-", unicodedata.normalize("NFKC", number)).strip().upper()


def bare(number: str) -> str:
    """The letters and digits of a number.

    >>> bare("PX-1044/B")
    'PX1044B'
    """
    return re.sub(r"[\W_]", "", folded(number))


def numbers_in(query: str) -> tuple[str, ...]:
    """What in a query may be a part number, folded: all of it, and every word with a digit.

    >>> numbers_in("price of px-1044-b at 2900 rpm?")
    ('PRICE OF PX-1044-B AT 2900 RPM', 'PX-1044-B')
    """
    words = [folded(word.strip(_BESIDE)) for word in query.split()]
    whole = folded(query.strip(_BESIDE))
    long = [word for word in words if re.search(r"\d", word) and len(bare(word)) >= 3]
    return tuple(
        dict.fromkeys(
            one for one in (whole, *(w for w in long if not w.isdigit() or len(w) >= _BARE_DIGITS)) if bare(one)
        )
    )


def spellings_in(query: str) -> tuple[str, ...]:
    """What in a query may be a part number written with other separators, bare: up to three words with a digit, or all.

    >>> spellings_in("PX 1044 B")
    ('PX1044B', 'PX1044', '1044B')
    """
    words = [one for word in query.split() if (one := bare(word))]
    runs = ("".join(words[at : at + n]) for n in (3, 2, 1) for at in range(len(words) - n + 1))
    several = [run for run in runs if re.search(r"\d", run) and (not run.isdigit() or len(run) >= _BARE_DIGITS)]
    whole = bare(query)
    return tuple(dict.fromkeys(one for one in (whole, *several) if len(one) >= SPELLED_FROM))


def words_in(query: str) -> tuple[str, ...]:
    """The words of a query, each once; single letters are none."""
    words = (word.strip(_BESIDE) for word in _DASHES.sub("-", unicodedata.normalize("NFKC", query)).split())
    return tuple(dict.fromkeys(word for word in words if len(word) > 1))


def match_of(query: str, part: Part) -> Match | None:
    """How the part answers to the query, by what it says itself; None: not at all.

    The database only proposes rows: its collation may take ``é`` for ``e``, and a number for a text.
    """
    asked = numbers_in(query)
    if folded(part.number) in asked:
        return "number"
    oem = {folded(number) for number in part.oem_numbers}
    if oem & set(asked):
        return "oem"
    own = {bare(part.number), *map(bare, part.oem_numbers)} - {""}
    if own & set(spellings_in(query)):
        return "spelling"
    pieces = {bare(number) for number in asked}
    if any(len(piece) >= SIMILAR_FROM and piece in number for piece in pieces for number in own):
        return "similar"
    said = _plain(" ".join((part.number, *part.oem_numbers, part.manufacturer, part.model, part.description)))
    words = words_in(query)
    return "words" if words and all(_says(said, _plain(word)) for word in words) else None


_BESIDE_EXACT: frozenset[Match] = frozenset({"number", "oem", "successor", "spelling"})
_ORDER: tuple[Match, ...] = ("number", "oem", "successor", "spelling", "similar", "words")


def ranked(found: Iterable[Found]) -> tuple[Found, ...]:
    """The best kind of match alone, or all exact ones; an exact number beats a fuzzy one. Ties by number, then key.

    Other spellings stay beside exact ones: who writes "PX-1044 B" may mean two of PX-1044, or PX-1044-B.
    """
    ordered = sorted(found, key=lambda one: (_ORDER.index(one.match), one.part.number, one.part.key))
    best = ordered[0].match if ordered else "number"
    return tuple(one for one in ordered if one.match == best or (best in EXACT and one.match in _BESIDE_EXACT))


def _says(said: str, word: str) -> bool:
    """Whether the word stands there; inside another one, as in a compound, only when it is long."""
    inside = "" if len(word) >= SIMILAR_FROM else r"(?<![^\W_])"
    return re.search(inside + re.escape(word), said) is not None


def _plain(text: str) -> str:
    """Without accents and case: ``lower`` of a database knows neither."""
    parted = unicodedata.normalize("NFKD", text.casefold())
    return "".join(c for c in parted if not unicodedata.combining(c))
