"""Is what is set in columns a table? Contents lists, numbered lists, formulas and axes are none. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from pincite.corpus.columns import Column, TextLine, is_figure
from pincite.corpus.fragments import fragments
from pincite.corpus.layout import text_of

MAX_CELL_WORDS = 6
"""Words of one entry up to which a line is no line of prose."""
_EQUALS = frozenset("=≈≤≥≡∑+")
_LEADER = re.compile(r"(\.\s?){4,}|…{2,}")
_PAGE = re.compile(r"([\divxlc]|[A-Z]-?\d){1,5}$", re.IGNORECASE)
_BULLET = re.compile(
    r"^([•▪●○◦‣–—\-*·□■➢✓o]|\(?[a-zA-Z]{1,2}[.)]|\(?\d{1,3}[.)]|\(?[ivxlIVXL]+[.)]|\[\d+\]|\d+(\.\d+)+\.?)$"
)
_ROMAN = re.compile(r"^[ivxlc]+$", re.IGNORECASE)


def is_contents(body: Sequence[TextLine], columns: Sequence[Column]) -> bool:
    """Return whether it is a contents list: a last column of page numbers that never fall, after long titles."""
    if sum(_leads_to_page(text_of(line.words)) for line in body) >= 0.4 * len(body):
        return True
    last: list[str] = []
    titles = 0
    leaders = 0
    inner = 0
    for line in body:
        parts = fragments(line, columns)
        if len(parts) < 2:
            continue
        text = text_of(parts[-1].words).strip(". ")
        last.append(text)
        rest = text_of([w for f in parts[:-1] for w in f.words])
        titles += sum(c.isalpha() for c in rest) >= 4
        leaders += bool(_LEADER.search(text_of(line.words)))
        inner += sum(is_figure(text_of(f.words)) for f in parts[1:-1])
    if len(last) < 3:
        return False
    numbers = [int(t) for t in last if t.isdigit() and len(t) <= 4]
    roman = sum(bool(_ROMAN.match(t)) for t in last)
    if len(numbers) + roman < 0.8 * len(last) or titles < 0.7 * len(last) or inner > 0.3 * len(last):
        return False
    rising = sum(a <= b for a, b in pairwise(numbers))
    return leaders >= 0.5 * len(last) or rising >= 0.85 * max(len(numbers) - 1, 1)


def _leads_to_page(text: str) -> bool:
    """Return whether a line ends with dots that lead to a page number. Only its end is looked at, however long it is.

    >>> _leads_to_page("2.1 Fees . . . . . . . . 12"), _leads_to_page("0.85 ........ 53 59 64")
    (True, False)
    """
    end = text[-40:]
    number = _PAGE.search(end)
    return bool(number) and "".join(end[: number.start()].split()).endswith((".....", "……"))


def has_cells(line: TextLine) -> bool:
    """Return whether a line has several entries that are not the mark of a list and what it marks."""
    if len(line.entries) != 2 or len(line.entries[0]) != 1 or not _BULLET.match(line.entries[0][0].text):
        return len(line.entries) > 1
    # "1.25" beside "3.50" is a value, beside a sentence it is a number of the list.
    return is_figure(text_of(line.entries[1]))


def is_tabular(line: TextLine) -> bool:
    """Return whether two entries of a line may be cells: short, and none the mark of a list.

    Two columns of prose have long entries, a list has its mark and a sentence.
    """
    return sum(len(e) <= MAX_CELL_WORDS and not _BULLET.match(e[0].text) for e in line.entries) > 1


def is_list(body: Sequence[TextLine], columns: Sequence[Column]) -> bool:
    """Return whether it is a list: two columns, the first of which holds bullets or numbers."""
    if len(columns) != 2:
        return False
    marks = texts = figures = 0
    for line in body:
        parts = fragments(line, columns)
        if parts[0].c0 == 0 and parts[0].c1 == 0:
            texts += 1
            marks += bool(_BULLET.match(text_of(parts[0].words)))
        figures += len(parts) > 1 and is_figure(text_of(parts[-1].words))
    # "1.25" beside "3.50" is a value, beside a sentence it is a number of the list.
    return texts > 0 and marks >= 0.6 * texts and figures < 0.6 * texts


def confidence_of(body: Sequence[TextLine], columns: Sequence[Column], header: int, *, ruled: bool) -> float:
    """Return 0 to 1 from how short, aligned and filled the columns are, and how many hold figures."""
    entries: dict[int, list[tuple[float, float, str, int]]] = {}
    full = crossing = total = 0
    for line in body:
        parts = fragments(line, columns)
        total += len(parts)
        full += len(parts) > 1
        for f in parts:
            crossing += f.c1 > f.c0
            if f.c0 == f.c1:
                entries.setdefault(f.c0, []).append((f.x0, f.x1, text_of(f.words), len(f.words)))
    if full < 2:
        return 0.0
    aligned = numeric = wordy = 0
    for c, own in entries.items():
        if len(own) < 2:
            continue
        aligned += _aligned(own)
        figures = sum(is_figure(t) for _, _, t, _ in own) / len(own)
        numeric += figures >= 0.6 and c > 0
        wordy += median([n for _, _, _, n in own]) > 6
    count = max(len(entries), 1)
    confidence = 0.55 if ruled else 0.2
    confidence += 0.2 * aligned / count
    confidence += 0.25 * min(numeric, 2) / 2
    confidence += 0.05 * min(len(columns) - 2, 3)
    confidence += 0.1 if full >= 5 else 0.0
    confidence -= 0.35 * wordy / count
    confidence -= 0.5 * crossing / max(total, 1)
    if not ruled and not numeric:
        confidence -= 0.15
    if not ruled and not header and len(columns) == 2:
        # Terms and what they mean, a listing, an address: two columns that nothing names read as well line by line.
        confidence -= 0.2
    if _is_axis(entries):
        confidence -= 0.6
    if sum(any(w.text in _EQUALS for w in line.words) for line in body) > 0.3 * len(body):
        # Formulas, set under each other at their signs.
        confidence -= 0.5
    if sum(len(own) for own in entries.values()) < 0.5 * len(columns) * full:
        confidence -= 0.4
    return round(min(max(confidence, 0.0), 0.95), 2)


def _aligned(own: Sequence[tuple[float, float, str, int]]) -> bool:
    """Return whether most entries share a left edge, a right edge, a middle or the place of the decimal sign."""
    for values in ([a for a, _, _, _ in own], [b for _, b, _, _ in own], [(a + b) / 2 for a, b, _, _ in own]):
        centre = median(values)
        if sum(abs(v - centre) <= 2.0 for v in values) >= 0.6 * len(values):
            return True
    return False


def _is_axis(entries: dict[int, list[tuple[float, float, str, int]]]) -> bool:
    """Return whether the figures of every column are evenly spaced: the axes of a diagram."""
    for own in entries.values():
        values: list[float] = []
        if len(own) < 3:
            continue
        for _, _, text, _ in own:
            bare = re.sub(r"[^\d.\-]", "", text.replace(",", ""))
            try:
                values.append(float(bare))
            except ValueError:
                return False
        steps = [b - a for a, b in pairwise(values)]
        if max(steps) - min(steps) > 0.01 * max(abs(s) for s in steps) or not any(steps):
            return False
    return any(len(own) >= 3 for own in entries.values())
