"""Rows of a page → headings that are printed in the margin, beside their text, as rows of their own. Pure.

Manuals set headings left of the text, on the line where it begins. Read along the baseline, such a heading is the
beginning of a sentence, and its second line stands in the middle of one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from pincite.corpus.layout import Word

GAP_EM = 1.0
"""White between a heading and the text beside it, at least, in type sizes of the text."""
HANGS_EM = 3.0
"""How far left of the text a heading begins, at least, in type sizes."""
LEAST_ROWS = 5
"""Rows that begin at one edge before that is the edge of the text."""
MOST_HEADS = 0.4
"""Of the rows at the edge: more rows that reach into the margin are a list of terms, or text at another edge."""
LEADING_EM = 1.5
"""Baselines of one heading are at most this many of its type sizes apart."""


def without_margin(rows: Sequence[list[Word]]) -> list[list[Word]]:
    """Return the rows of a page with what is printed in the margin in rows of its own, before the text beside it.

    Args:
        rows: in reading order, each from left to right; a word without text stands for a table.
    """
    starts = Counter(round(row[0].x0) for row in rows if len(row) > 1)
    edge = max(starts, key=lambda x: (starts[x], -x), default=0)
    at_edge = sum(starts[x] for x in (edge - 1, edge, edge + 1))
    if at_edge < LEAST_ROWS:
        return list(rows)
    left = [i for i, row in enumerate(rows) if row[0].text and row[0].x0 < edge - HANGS_EM * row[0].size]
    heads = {i: k for i in left if (k := _head_of(rows[i], edge))}
    if not heads or len(left) > MOST_HEADS * at_edge:
        return list(rows)
    out: list[list[Word]] = []
    done: set[int] = set()
    for i, row in enumerate(rows):
        if i in done:
            continue
        if i not in heads:
            out.append(row)
            continue
        beside: list[list[Word]] = []
        last = row
        for j in range(i, len(rows)):
            if j != i and rows[j][0].baseline < last[0].baseline - LEADING_EM * last[0].size:
                break
            k = heads.get(j, 0)
            if k and (j == i or _goes_on(last, rows[j])):
                last = rows[j]
                out.append(rows[j][:k])
                beside += [rows[j][k:]] if rows[j][k:] else []
            else:
                beside.append(rows[j])
            done.add(j)
        out += beside
    return out


def _head_of(row: Sequence[Word], edge: float) -> int:
    """Return how many words of a row are a heading in the margin; 0 when none are."""
    k = next((k for k, word in enumerate(row) if word.x0 >= edge - word.size), len(row))
    head, rest = row[:k], row[k:]
    if not all(word.text and word.bold for word in head) or not any(c.isalpha() for c in head[0].text):
        return 0
    if not rest:
        return k if head[-1].x1 < edge else 0
    size = rest[0].size if rest[0].text else head[0].size
    gap = rest[0].x0 - head[-1].x1
    if gap < GAP_EM * size:
        return 0
    other = not rest[0].text or head[0].size > 1.08 * size or not rest[0].bold
    # In one type both are headings, unless the second begins where the text does.
    return k if other or (gap >= 2 * size and abs(rest[0].x0 - edge) <= 2) else 0


def _goes_on(last: Sequence[Word], row: Sequence[Word]) -> bool:
    return abs(last[0].x0 - row[0].x0) <= 3 and abs(last[0].size - row[0].size) <= 0.3
