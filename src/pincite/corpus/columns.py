"""Lines of a region without rules down → its columns, told by white strips that run through many lines. Pure.

As in ``lattice``, y grows downwards. A line is one baseline; an *entry* is a run of its words without a wide gap.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from pincite.corpus.draft import FIGURE
from pincite.corpus.layout import Word, rows_of, text_of

ENTRY_GAP_EM = 0.9
"""White between two words that surely parts entries, in type sizes. Justified prose rarely reaches it; a strip through
several lines may be much narrower, see ``_needed``."""
BLANK_EM = 0.45
"""White between two words that may be a blank, in type sizes: a blank is .25 to .35, more in justified lines."""
WRAP_EM = 1.45
"""Baselines of one wrapped cell are at most this many type sizes apart."""
MAX_UNIT_LETTERS = 8
"""Letters of a value: "VDC typ."; more are words."""
MAX_HEADER_LINES = 9
"""Upper lines of a region that may be header lines, so that their ink does not close a strip."""


@dataclass(frozen=True, slots=True)
class TextLine:
    """Words on one baseline, from left to right."""

    words: tuple[Word, ...]
    base: float
    """Baseline, downwards."""
    top: float
    bottom: float
    size: float
    entries: tuple[tuple[Word, ...], ...]
    middles: tuple[float, ...]
    """Of the words, ascending but for overprinted ones."""
    x0: float
    x1: float


class Column(NamedTuple):
    """What is printed in a column lies between ``x0`` and ``x1``; its place reaches from ``left`` to ``right``."""

    left: float
    x0: float
    x1: float
    right: float


def text_lines(words: Sequence[Word]) -> list[TextLine]:
    """Return the lines of flipped words from the top down."""
    return [text_line(row) for row in rows_of(words)]


def text_line(row: Sequence[Word]) -> TextLine:
    # One walk: every line of every page comes here.
    longest = highest = row[0]
    size_of = (len(longest.text), longest.size)
    base_of = (longest.size, len(longest.text))
    top, bottom, x1 = longest.y0, longest.y1, longest.x1
    middles: list[float] = []
    for word in row:
        length, size = len(word.text), word.size
        if (length, size) > size_of:
            longest, size_of = word, (length, size)
        # The longest word stands on the line; a mark set first stands above it.
        if (size, length) > base_of:
            highest, base_of = word, (size, length)
        top, bottom, x1 = min(top, word.y0), max(bottom, word.y1), max(x1, word.x1)
        middles.append((word.x0 + word.x1) / 2)
    size = longest.size or 1.0
    entries: list[tuple[Word, ...]] = []
    start = 0
    for i in range(1, len(row)):
        if row[i].x0 - row[i - 1].x1 >= ENTRY_GAP_EM * size:
            entries.append(tuple(row[start:i]))
            start = i
    entries.append(tuple(row[start:]))
    return TextLine(tuple(row), -highest.baseline, top, bottom, size, tuple(entries), tuple(middles), row[0].x0, x1)


def is_bold(line: TextLine) -> bool:
    return sum(len(w.text) for w in line.words if w.bold) > 0.7 * sum(len(w.text) for w in line.words)


def is_figure(text: str) -> bool:
    """Return whether an entry is a value of a table: digits, or a sign that stands for none.

    >>> is_figure("12 060.5"), is_figure("–"), is_figure("n/a"), is_figure("IP 55")
    (True, True, True, False)
    """
    bare = text.strip("*†‡§¹²³() ")
    return bool(FIGURE.match(text)) or bare.lower() in {
        "",
        "-",
        "–",
        "—",
        "−",
        "..",
        "...",
        "…",
        "n/a",
        "na",
        "x",
        "(x)",
    }


_MEASURED = re.compile(r"^[±+\-–−<>≤≥≈~(*]*\s?\d")


def is_value(text: str) -> bool:
    """Return whether an entry is a figure with or without its unit: few letters after digits.

    >>> is_value("4.5 – 9.0 VDC"), is_value("±200 mA"), is_value("–"), is_value("2 wires, shielded")
    (True, True, True, False)
    """
    return is_figure(text) or (
        bool(_MEASURED.match(text)) and len(text) <= 24 and sum(map(str.isalpha, text)) <= MAX_UNIT_LETTERS
    )


_GROUP = re.compile(r"^\d{3}(?!\d)")
_BEFORE_GROUP = re.compile(r"(?<![\d.,])\d{1,3}$")
_CURRENCY = frozenset({"$", "€", "£", "¥", "US$", "C$", "A$"})
_SIGNS = frozenset({"%", "‰", "€", "$", "°C", "%)", ")"})


class _Strip(NamedTuple):
    a: float
    b: float

    @property
    def middle(self) -> float:
        return (self.a + self.b) / 2


def _free(lines: Sequence[TextLine], tolerated: int) -> list[_Strip]:
    """Return the strips that the ink of at most ``tolerated`` lines crosses."""
    events: list[tuple[float, int]] = []
    for line in lines:
        at: tuple[float, float] | None = None
        for word in line.words:
            if at and word.x0 <= at[1] + 0.2:
                at = (at[0], max(at[1], word.x1))
            else:
                if at:
                    events += [(at[0], 1), (at[1], -1)]
                at = (word.x0, word.x1)
        if at:
            events += [(at[0], 1), (at[1], -1)]
    events.sort()
    out: list[_Strip] = []
    count = 0
    start: float | None = None
    for x, step in events:
        before = count
        count += step
        if before > tolerated >= count:
            start = x
        elif before <= tolerated < count and start is not None:
            out.append(_Strip(start, x))
            start = None
    return out


def _needed(both: int, figures: bool) -> float:
    """Return how wide a strip must be, in type sizes, when ``both`` lines have words on both sides of it."""
    if figures:
        return {0: 2.0, 1: 0.9, 2: 0.6}.get(both, 0.3)
    return {0: 2.0, 1: 1.5, 2: 1.0, 3: 0.8, 4: 0.65}.get(both, 0.5)


def blank_of(lines: Sequence[TextLine]) -> float:
    """Return how wide a blank is, in type sizes: the usual gap between words of one entry; .3 when there is none."""
    gaps = sorted((b.x0 - a.x1) / line.size for line in lines for entry in line.entries for a, b in pairwise(entry))
    return gaps[len(gaps) // 2] if len(gaps) >= 3 else 0.3


def _strength(strips: Sequence[_Strip], k: int, lines: Sequence[TextLine], blank: float) -> float:
    """Return the width of strip ``k`` as a share of what it needs."""
    low = strips[k - 1].middle if k else float("-inf")
    middle = strips[k].middle
    high = strips[k + 1].middle if k + 1 < len(strips) else float("inf")
    both = filled = figures = thousands = units = 0
    starts: list[float] = []
    size = 0.0
    for line in lines:
        at = bisect_right(line.middles, middle)
        end = bisect_right(line.middles, high)
        size = max(size, line.size)
        left = line.words[at - 1] if at and line.middles[at - 1] > low else None
        if at < end:
            right = line.words[at:end]
            text = text_of(right)
            filled += 1
            figures += is_figure(text) and (left is None or is_figure(left.text))
            units += text in _SIGNS
            starts.append(right[0].x0)
            if left is not None:
                both += 1
                thousands += bool(_GROUP.match(right[0].text) and _BEFORE_GROUP.search(left.text))
    width = strips[k].b - strips[k].a
    if width < 0.95 * size and both and (thousands >= 0.9 * both or units >= 0.9 * filled):
        # "12 060" and "3.5 %" are one entry.
        return 0.0
    needed = _needed(both, figures >= 0.6 * filled > 0)
    starts.sort()
    if both >= 2 and len(starts) >= 4 and starts[-2] - starts[0] <= 0.1 * size:
        # A common left edge tells a column too, if the gap is more than a blank.
        needed = min(needed, max(BLANK_EM, 1.5 * blank))
    return width / (needed * size)


def _strips(lines: Sequence[TextLine]) -> list[_Strip]:
    """Return the strips that part the columns of these lines."""
    several = sorted(len(line.entries) for line in lines if len(line.entries) > 1)
    if not several:
        return []
    usual = several[len(several) * 3 // 4]
    full = [line for line in lines if len(line.entries) >= max(2, 0.5 * usual)]
    size = sorted(line.size for line in full)[len(full) // 2]
    strips = [s for s in _free(full, len(full) // 12) if s.b - s.a >= 0.25 * size]
    blank = blank_of(full)
    strengths = [_strength(strips, k, full, blank) for k in range(len(strips))]
    while strips:
        weakest = min(range(len(strips)), key=strengths.__getitem__)
        if strengths[weakest] >= 1:
            break
        del strips[weakest], strengths[weakest]
        # Only its neighbours have other columns beside them now.
        for k in range(max(weakest - 1, 0), min(weakest + 1, len(strips))):
            strengths[k] = _strength(strips, k, full, blank)
    sparse = [line for line in lines if len(line.entries) < max(2, 0.5 * usual)]
    strips = _without_signs(strips, full)
    return _beside(_without_islands(strips, full), full, sparse) if strips else []


def _without_signs(strips: list[_Strip], lines: Sequence[TextLine]) -> list[_Strip]:
    """Return the strips without those right of a column of currency signs: "$ 178" is one entry, however wide it is."""
    out: list[_Strip] = []
    low = float("-inf")
    for strip in strips:
        left = [w.text for line in lines for w in line.words if low < (w.x0 + w.x1) / 2 < strip.middle]
        low = strip.middle
        if not left or not all(text in _CURRENCY for text in left):
            out.append(strip)
    return out


def _without_islands(strips: list[_Strip], lines: Sequence[TextLine]) -> list[_Strip]:
    """Return the strips, those around a column of spanning entries only as one.

    An entry in the middle of two columns stands in a column of its own, beside two empty places.
    """
    k = 1
    while k < len(strips):
        low = strips[k - 2].middle if k > 1 else float("-inf")
        high = strips[k + 1].middle if k + 1 < len(strips) else float("inf")
        a, b = strips[k - 1].middle, strips[k].middle
        own = [line for line in lines if any(a < (w.x0 + w.x1) / 2 < b for w in line.words)]
        alone = all(
            not any(low < (w.x0 + w.x1) / 2 < a or b < (w.x0 + w.x1) / 2 < high for w in line.words) for line in own
        )
        if alone and len(own) <= max(2, 0.3 * len(lines)):
            strips[k - 1 : k + 1] = [_Strip(strips[k - 1].a, strips[k].b)]
        else:
            k += 1
    return strips


def header_and_columns(lines: Sequence[TextLine], header: int | None) -> tuple[int, list[Column]]:
    """Return how many upper lines were left out because their ink closes strips, and the columns of the others.

    Args:
        header: how many upper lines a rule says are the header; None when nothing says.
    """
    best: list[_Strip] = []
    at = header or 0
    counts = [header] if header is not None else range(min(MAX_HEADER_LINES, max(len(lines) - 2, 0)) + 1)
    for left_out in counts:
        above = lines[left_out - 1] if header is None and left_out else None
        if above is not None and len(above.entries) > 1 and not _blocks(above, lines[left_out:]):
            continue
        strips = _strips(lines[left_out:])
        if len(strips) > len(best):
            best, at = strips, left_out
    return at, columns_at(best, lines[at:])


def _blocks(line: TextLine, others: Sequence[TextLine]) -> bool:
    """Return whether a line prints something where two thirds of the others print nothing."""
    return any(
        sum(not any(w.x0 < x < w.x1 for w in other.words) for other in others) > 0.67 * len(others)
        for word in line.words
        for x in (word.x0 + 0.5, word.x1 - 0.5)
    )


def columns_at(strips: Iterable[_Strip], lines: Sequence[TextLine]) -> list[Column]:
    """Return the columns between strips, with the extent of the ink that lies in one column only."""
    cuts = [s.middle for s in strips]
    left, right = min(line.x0 for line in lines) - 1, max(line.x1 for line in lines) + 1
    bounds = [left, *cuts, right]
    inked: list[list[tuple[float, float]]] = [[] for _ in bounds[1:]]
    for line in lines:
        if len(line.entries) < 2 and len(bounds) > 2:
            continue
        at = -1
        for word in line.words:
            k = min(max(bisect_right(bounds, (word.x0 + word.x1) / 2) - 1, 0), len(inked) - 1)
            if word.x0 < bounds[k] - 0.5 or word.x1 > bounds[k + 1] + 0.5:
                at = -1
            elif k == at:
                inked[k][-1] = (inked[k][-1][0], max(inked[k][-1][1], word.x1))
            else:
                inked[k].append((word.x0, word.x1))
                at = k
    out: list[Column] = []
    for k, own in enumerate(inked):
        a, b = _usual_extent(own) if own else (bounds[k], bounds[k + 1])
        out.append(Column(bounds[k], a, b, bounds[k + 1]))
    return out


def _usual_extent(inked: list[tuple[float, float]]) -> tuple[float, float]:
    """Return the extent of most entries of a column; a few beside them, which touch none, stand between columns."""
    groups: list[tuple[float, float, int]] = []
    for a, b in sorted(inked):
        if groups and a <= groups[-1][1] + 1:
            groups[-1] = (groups[-1][0], max(groups[-1][1], b), groups[-1][2] + 1)
        else:
            groups.append((a, b, 1))
    largest = max(groups, key=lambda g: g[2])
    if largest[2] >= 0.75 * len(inked) and len(inked) >= 4:
        return largest[0], largest[1]
    return groups[0][0], groups[-1][1]


def _beside(strips: list[_Strip], lines: Sequence[TextLine], sparse: Sequence[TextLine]) -> list[_Strip]:
    """Return the strips, with those that part lone entries from a column that they never touch.

    The label of several rows, set between two of them, is alone on its line.
    """
    out = list(strips)
    bounds = [float("-inf"), *(s.middle for s in strips), float("inf")]
    for low, high in pairwise(bounds):
        inside = [(w.x0, w.x1) for line in lines for w in line.words if low < (w.x0 + w.x1) / 2 < high]
        lone = [
            (entry[0].x0, entry[-1].x1)
            for line in sparse
            for entry in line.entries
            if low < entry[0].x0 and entry[-1].x1 < high
        ]
        if not inside or not lone:
            continue
        a, b = min(x for x, _ in inside), max(x for _, x in inside)
        size = lines[0].size
        if max(x for _, x in lone) <= a - 0.45 * size:
            out.append(_Strip(max(x for _, x in lone), a))
        elif min(x for x, _ in lone) >= b + 0.45 * size:
            out.append(_Strip(b, min(x for x, _ in lone)))
    return sorted(out)
