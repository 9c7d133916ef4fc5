"""A text cut into the units that are released, and the claims in each.

The unit is a sentence, a list item, a heading or a table row. A claim is one typed value; citation marks ``{{n}}``,
list numbers and the parts of a grouped number are none.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, TypeAlias

from pincite.quantity import (
    SECTION_KINDS,
    Certification,
    Clock,
    Found,
    Identifier,
    Moment,
    Quantity,
    Quarter,
    Value,
    read,
)
from pincite.types import Claim, ClaimKind

SentenceKind: TypeAlias = Literal["prose", "item", "heading", "row", "rule"]
"""``rule`` is a line without words: a table's separator, a horizontal rule, a code fence."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """One unit of a text; half-open span in it, without white space at its ends."""

    start: int
    end: int
    kind: SentenceKind


@dataclass(frozen=True, slots=True)
class TypedClaim:
    """A claim with the value that it stands for."""

    claim: Claim
    value: Value


# ---------------------------------------------------------------- sentences

_ABBREVIATIONS = frozenset(
    """
        no nos art arts sec sect fig figs par para ch eq ref refs rev ed vol vols pp approx incl excl max min
        e.g i.e cf etc vs al dr mr mrs ms prof st inc ltd co corp dept u.s u.k u.s.c a.m p.m viz resp nr blz
        bijv bv d.w.z o.a m.b.t t.a.v i.v.m enz ca evt jl jo lid m.n n.v b.v t.o.v z.b d.h u.a bzw usw ggf abs
        abb nr bspw vgl inkl zzgl max mind m env ex c.-à-d p.ex fr chf resp jan feb mar apr jun jul aug sep sept
        oct okt nov dec dez
        """.split()  # noqa: SIM905
)
"""Words before a full stop that seldom ends a sentence. A wrong entry joins two sentences, a missing one cuts a value
off its subject: both are judged, the first more strictly."""

_STOP = re.compile(r"[.!?…]+[\"'”’»)\]]*(?:\s*\{\{\d+\}\})*(?=\s)")
_OPENS = re.compile(r"\s+[\"'“„«(\[*_]*(?:[^\W\d_]|\d|[-–•§€$£])")
_MARKER = re.compile(r"\s*(?:[-*+•–]|\(?(?:\d{1,3}|[a-z]|[ivx]{1,4})[.)])(?:\s+|$)")
_HEADING = re.compile(r"\s{0,3}#{1,6}\s")
_ORDINAL_BEFORE = re.compile(r"(?<![\w.,])\d{1,2}\.$")
_COUNTED = re.compile(
    r"\b(?:der|die|das|dem|den|des|am|im|vom|zum|zur|ein\w{0,2}|jede\w?|und|oder|bis|ab|seit|nach|vor)\s+\d$",
    re.IGNORECASE,
)
"""Words between which and a noun a German ordinal stands: "der 2. Absatz"; "for zone 1. Type" ends a sentence."""
_WORDLESS = re.compile(r"[\W_]*")


def sentences(text: str) -> tuple[Sentence, ...]:
    """Return the units of ``text`` in order; between them there is only white space.

    A line with `` | `` or that begins with ``|`` is a table row; a line with a list mark begins an item; a blank line
    ends everything; a single line break does not end a sentence.
    """
    units: list[Sentence] = []
    for start, end, kind in _blocks(text):
        if kind in ("row", "heading"):
            units.extend(_trimmed(text, start, end, kind))
        else:
            units.extend(_split(text, start, end, kind))
    return tuple(units)


def is_row(line: str) -> bool:
    """Say whether a line is a row of a table written as text: cells separated by `` | ``."""
    stripped = line.strip()
    return " | " in stripped or (stripped.startswith("|") and stripped.count("|") >= 2) or stripped.endswith(" |")


def _blocks(text: str) -> list[tuple[int, int, SentenceKind]]:
    """Cut into rows, headings, items and paragraphs, as spans in order."""
    blocks: list[tuple[int, int, SentenceKind]] = []
    open_from: int | None = None
    open_kind: SentenceKind = "prose"
    at = 0
    for line in text.splitlines(keepends=True):
        end = at + len(line)
        blank = not line.strip()
        kind: SentenceKind | None = None
        if is_row(line):
            kind = "row"
        elif _HEADING.match(line):
            kind = "heading"
        if blank or kind or _MARKER.match(line):
            if open_from is not None:
                blocks.append((open_from, at, open_kind))
            open_from = None
        if kind:
            blocks.append((at, end, kind))
        elif not blank and open_from is None:
            open_from, open_kind = at, "item" if _MARKER.match(line) else "prose"
        at = end
    if open_from is not None:
        blocks.append((open_from, len(text), open_kind))
    return blocks


def _trimmed(text: str, start: int, end: int, kind: SentenceKind) -> list[Sentence]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if start == end:
        return []
    return [Sentence(start, end, "rule" if _WORDLESS.fullmatch(text, start, end) else kind)]


def _split(text: str, start: int, end: int, kind: SentenceKind) -> list[Sentence]:
    units: list[Sentence] = []
    begin = start
    for match in _STOP.finditer(text, start, end):
        if match.end() >= end or not _OPENS.match(text, match.end(), end):
            continue
        if _MARKER.fullmatch(text[begin : match.end()]) or not _ends_sentence(text, begin, match, end):
            continue
        units.extend(_trimmed(text, begin, match.end(), kind))
        begin = match.end()
    units.extend(_trimmed(text, begin, end, kind))
    return units


def _ends_sentence(text: str, begin: int, match: re.Match[str], end: int) -> bool:
    """Say whether the stop that was matched closes the sentence that began at ``begin``."""
    following = text[match.end() : min(end, match.end() + 40)].lstrip()
    if match.group().startswith(".") and match.group()[1:2] not in (".", "?", "!"):
        before = text[begin : match.start()]
        word = re.search(r"[^\s(\[\"'“„]+$", before)
        last = word.group().casefold().rstrip(".") if word else ""
        if last in _ABBREVIATIONS:
            return False
        if re.fullmatch(r"[^\W\d_]", last) and word is not None and word.group()[0].isupper():
            return False
        # German ordinals: "am 3. Mai", "der 2. Absatz"; a year or a longer number does end a sentence.
        if _ORDINAL_BEFORE.search(before + ".") and len(before.strip()) > len(last):
            counted = len(last) == 1 and _COUNTED.search(before)
            return not re.match(r"[^\W\d_]", following) or (
                following[:1].isupper() and not counted and not _is_month(following)
            )
        if not before.strip():
            return False
    first = re.sub(r"^[\"'“„«(\[*_]+", "", following)[:1]
    return not first.islower()


_MONTH_NAME = re.compile(
    r"(?:jan|feb|mar|mär|maart|apr|mai|may|mei|jun|jul|aug|sep|oct|okt|nov|dec|dez|juin|juil|août|avr|fév|déc)", re.I
)


def _is_month(following: str) -> bool:
    return bool(_MONTH_NAME.match(following))


# ---------------------------------------------------------------- claims

_LIST_NUMBER_BEFORE = re.compile(r"(?:^|\n|[:;]\s{1,4})[ \t]*\(?$")


def claims(text: str, language: str = "") -> tuple[TypedClaim, ...]:
    """Return the typed values that ``text`` states, in order; spans are in ``text``."""
    return tuple(
        TypedClaim(Claim(text[found.start : found.end], found.start, found.end, kind_of(found.value)), found.value)
        for found in read(text, language)
        if is_claim(text, found)
    )


def is_claim(text: str, found: Found) -> bool:
    """Say whether a value read from ``text`` is stated there: not a list number, not a part of a grouped number."""
    if found.parts:
        return False
    value = found.value
    if isinstance(value, Quantity) and not value.unit and not value.currency and found.end - found.start <= 3:
        printed = text[found.start : found.end]
        marks = re.match(r"[.)](?:\s|$)", text[found.end : found.end + 2])
        if printed.isdigit() and marks and _LIST_NUMBER_BEFORE.search(text[max(0, found.start - 8) : found.start]):
            return False
    return True


def kind_of(value: Value) -> ClaimKind:
    """Return what a claim of this value is called."""
    match value:
        case Quantity():
            if value.currency:
                return "money"
            if value.unit in ("%", "‰", "bp"):
                return "percentage"
            return "quantity" if value.unit else "number"
        case Moment() | Quarter():
            return "date"
        case Clock():
            return "time"
        case Identifier():
            return "section" if value.prefix in SECTION_KINDS else "identifier"
        case Certification():
            return "certification"
