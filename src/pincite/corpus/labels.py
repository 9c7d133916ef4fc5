"""Columns of figures between rules → the labels of their rows, where the rules run over the figures only. Pure.

Financial reports rule off each column of figures and leave the labels at the left bare. As in ``lattice``, y grows
downwards.
"""

from __future__ import annotations

from collections.abc import Sequence

from pincite.corpus.columns import TextLine, is_figure, text_lines
from pincite.corpus.layout import Word, text_of
from pincite.types import Box

MIN_LABELLED = 0.7
"""Share of the lines of figures that have a label, from which the labels belong to the table."""
MAX_WORDS = 9
"""Mean words of a label; more are lines of a column of prose."""
SAME_LINE_EM = 0.3
"""Baselines of a label and of its figures differ by no more, in type sizes."""


def row_labels(lines: Sequence[TextLine], box: Box, free: Sequence[Word]) -> list[TextLine]:
    """Return the lines left of a box that label the lines of figures in it; none where it has labels of its own.

    Args:
        lines: of the words in the box.
        box: that the rules tell.
        free: words of the page.
    """
    figured = [line for line in lines if _is_figured(line)]
    if len(figured) < 3 or any(not _is_figure(line.entries[0]) for line in figured):
        return []
    size = figured[0].size
    first, last = figured[0].base, figured[-1].base
    beside = [w for w in free if w.x1 < box[0] + 3 and first - 1.5 * size <= -w.baseline <= last + 0.3 * size]
    left = text_lines(beside) if beside else []
    if not left or any(len(line.entries) > 1 for line in left):
        return []
    labelled = sum(any(_alike(line, label) for label in left) for line in figured)
    words = sum(len(line.words) for line in left)
    if labelled < MIN_LABELLED * len(figured) or words > MAX_WORDS * len(left) or _is_prose(left):
        return []
    return left


def _is_figured(line: TextLine) -> bool:
    entries = [e for e in line.entries if text_of(e) not in {"$", "€", "£", "¥"}]
    return len(entries) > 1 and sum(_is_figure(e) for e in entries) >= 0.6 * len(entries)


def _is_figure(entry: Sequence[Word]) -> bool:
    return is_figure(text_of(entry)) or text_of(entry) in {"$", "€", "£", "¥"}


def _alike(line: TextLine, label: TextLine) -> bool:
    return abs(line.base - label.base) <= SAME_LINE_EM * line.size


def _is_prose(left: Sequence[TextLine]) -> bool:
    """Return whether most lines end at one place, or begin in small letters: a column of text beside the table."""
    edge = max(line.x1 for line in left)
    even = sum(edge - line.x1 <= line.size for line in left)
    small = sum(line.words[0].text[:1].islower() for line in left)
    return (len(left) >= 4 and even >= 0.6 * len(left)) or small > 0.5 * len(left)
