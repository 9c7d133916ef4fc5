"""Lines of a region and its columns → fragments: which words of a line stand in which columns. Pure.

As in ``lattice``, y grows downwards.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from pincite.corpus.columns import BLANK_EM, Column, TextLine, is_figure
from pincite.corpus.lattice import Segment
from pincite.corpus.layout import Word

FULL = 0.8
"""Share of the width of a table that a rule over all columns covers."""


@dataclass(slots=True)
class Fragment:
    """Words of one line that stand in one place: a part of a cell, or all of it."""

    c0: int
    c1: int
    words: list[Word]

    @property
    def x0(self) -> float:
        return self.words[0].x0

    @property
    def x1(self) -> float:
        return max(w.x1 for w in self.words)


def _column_of(x: float, columns: Sequence[Column]) -> int:
    return min(max(bisect_right([c.left for c in columns], x) - 1, 0), len(columns) - 1)


def fragments(line: TextLine, columns: Sequence[Column], parting: float = 0.0) -> list[Fragment]:
    """Return the line in fragments: parted at wide gaps, and at columns where the gap is more than a blank.

    Args:
        parting: in a header line, the gap in points from which names are apart wherever they stand; 0 elsewhere.
    """
    groups: list[list[Word]] = [[line.words[0]]]
    for a, b in pairwise(line.words):
        gap = b.x0 - a.x1
        apart = False
        if _column_of(_middle(a), columns) != _column_of(_middle(b), columns):
            figures = is_figure(a.text) and is_figure(b.text)
            apart = gap >= (0.25 if figures else BLANK_EM) * line.size and (figures or not parting)
        if apart or 0 < parting <= gap:
            groups.append([])
        groups[-1].append(b)
    out: list[Fragment] = []
    spans = [_span_of(words, columns) for words in groups]
    taken = [c for c0, c1 in spans for c in range(c0, c1 + 1) if c0 >= 0]
    for words, (c0, c1) in zip(groups, spans, strict=True):
        if c0 < 0 or (c0 == c1 and _reaches_out(words, columns[c0])):
            others = {c for c in taken if c != c0}
            c0, c1 = _between_columns(words[0].x0, max(w.x1 for w in words), columns, others)
        out.append(Fragment(c0, c1, words))
    # Two fragments may not claim one column.
    for a, b in pairwise(out):
        if b.c0 <= a.c1:
            ka, kb = _column_of((a.x0 + a.x1) / 2, columns), _column_of((b.x0 + b.x1) / 2, columns)
            a.c1 = min(a.c1, max(ka, b.c0 - 1)) if ka < kb else ka
            b.c0 = max(b.c0, a.c1 + 1) if ka < kb else kb
            b.c1 = max(b.c1, b.c0)
            a.c0 = min(a.c0, a.c1)
    return out


def _span_of(words: Sequence[Word], columns: Sequence[Column]) -> tuple[int, int]:
    """Return the first and last column whose ink these words meet; -1 twice when they meet none."""
    x0, x1 = words[0].x0, max(w.x1 for w in words)
    met = [k for k, c in enumerate(columns) if min(x1, c.x1) - max(x0, c.x0) > 1.0]
    if len(met) > 1 and len(words) == 1 and not _crosses(words[0], columns):
        met = [_column_of((x0 + x1) / 2, columns)]
    return (met[0], met[-1]) if met else (-1, -1)


def _reaches_out(words: Sequence[Word], column: Column) -> bool:
    """Return whether much of an entry stands outside the place of the only column whose ink it meets."""
    x0, x1 = words[0].x0, max(w.x1 for w in words)
    return max(column.left - x0, x1 - column.right) > 0.2 * (x1 - x0)


def _between_columns(x0: float, x1: float, columns: Sequence[Column], taken: set[int]) -> tuple[int, int]:
    """Return the columns in whose middle an entry stands that meets the ink of none; else its own place."""
    middle = (x0 + x1) / 2
    home = _column_of(middle, columns)
    best, found = 2.5, (home, home)
    for a in range(home, max(home - 4, -1), -1):
        if a in taken:
            break
        for b in range(max(a + 1, home), min(home + 4, len(columns))):
            if b in taken:
                break
            off = min(
                abs(middle - (columns[a].x0 + columns[b].x1) / 2),
                abs(middle - (columns[a].left + columns[b].right) / 2),
            )
            if off < best:
                best, found = off, (a, b)
    return found


def _crosses(word: Word, columns: Sequence[Column]) -> bool:
    return any(word.x0 < c.left - 1 and word.x1 > c.x0 + 1 for c in columns[1:])


def _middle(word: Word) -> float:
    return (word.x0 + word.x1) / 2


def full_rules(rules: Sequence[Segment], columns: Sequence[Column]) -> list[float]:
    """Return the heights at which rules cover all columns, pieces with gaps between them taken together."""
    left, right = columns[0].x0, columns[-1].x1
    heights: list[list[Segment]] = []
    for rule in sorted(rules):
        if heights and rule[0] - heights[-1][-1][0] <= 2.0:
            heights[-1].append(rule)
        else:
            heights.append([rule])
    out: list[float] = []
    for group in heights:
        covered = sum(max(0.0, min(b, right) - max(a, left)) for _, a, b in group)
        ends = all(
            any(min(b, c.x1) - max(a, c.x0) > share * (c.x1 - c.x0) for _, a, b in group)
            for c, share in ((columns[0], 0.3), (columns[-1], 0.5))
        )
        if ends and covered >= FULL * (right - left):
            out.append(group[0][0])
    return out
