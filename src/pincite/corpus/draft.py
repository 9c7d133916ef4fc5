"""What a cell is before it is one of a table: its place, its words and its box. Pure.

As in ``lattice``, y grows downwards; baselines alone are left as they are printed.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from pincite.corpus.lattice import Place
from pincite.corpus.layout import Word, rows_of, text_of
from pincite.types import Box

FIGURE = re.compile(r"^[\s\d.,:+\-−–—%‰€$£¥±≤≥<>~()/*]*\d[\s\d.,:+\-−–—%‰€$£¥±≤≥<>~()/*]*$")


class Draft(NamedTuple):
    """A cell before its words are joined to text."""

    place: Place
    words: list[Word]
    box: Box


def cell_text(words: list[Word]) -> str:
    """Return the printed lines of a cell, joined with line breaks."""
    lines: list[str] = []
    for turn in (0, 1, 2, 3):
        some = [w for w in words if w.turn == turn]
        if not some:
            continue
        if turn == 0:
            # Only baselines and x are used, and baselines were not flipped.
            lines += [text_of(row) for row in rows_of(some)]
            continue
        by_baseline: list[list[Word]] = []
        for word in sorted(some, key=lambda w: -w.baseline):
            if by_baseline and by_baseline[-1][0].baseline - word.baseline <= 0.5 * word.size:
                by_baseline[-1].append(word)
            else:
                by_baseline.append([word])
        for row in by_baseline:
            # Bottom to top, right to left, top to bottom.
            row.sort(key=lambda w: -w.y0 if turn == 1 else -w.x0 if turn == 2 else w.y0)
            lines.append(" ".join(w.text for w in row))
    return "\n".join(lines)
