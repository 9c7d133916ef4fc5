"""No ink, no evidence: which words of a page leave a trace on the rendered sheet. Pure; ``pdfium`` renders.

White, transparent, clipped, covered and switched-off text is alike in this: where it stands, nothing is seen.
White words on a dark band and the text layer of a scan do show contrast in their boxes, and stay.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pincite.corpus.layout import Word
from pincite.types import Box

CONTRAST = 32
"""Least difference, of 255, between the lightest and the darkest pixel of a word that can be read."""
LETTERS = 3
STRUCTURE = 0.25
"""Share of the pixel rows and of the columns of a word of ``LETTERS`` letters that are not of one shade. A rule
under or through hidden words gives columns two shades but not rows; a line down through them, rows but not columns.
"""
GAP = 0.25
"""Of the type size. Narrower stretches without ink are the blank between two letters."""
MIN_SIZE_PT = 2.0
"""Type set smaller than this is read by nobody. The smallest on a real page seen is 3 points."""
MIN_LETTER_PT = 1.0
"""Height of a letter without ascender in type of ``MIN_SIZE_PT``; a size that a file only claims is caught by it."""


class Picture(NamedTuple):
    """A part of a sheet as it is shown, unrotated; row 0 is at the top."""

    pixels: NDArray[np.uint8]
    """(rows, columns, channels)."""
    left: float
    top: float
    """User space coordinates of the corner at (0, 0)."""
    across: float
    down: float
    """Pixels per point."""


def too_small(word: Word) -> bool:
    """Return whether a word is set too small to be read, whatever its colour."""
    if word.size < MIN_SIZE_PT:
        return True
    # A dash or a full stop is low at any size.
    return any(c.isalnum() for c in word.text) and max(word.x1 - word.x0, word.y1 - word.y0) < MIN_LETTER_PT


def shows(word: Word, picture: Picture) -> bool:
    """Return whether the box of a word, in user space, holds something that stands out from its ground."""
    part = _under(word, picture)
    if part.size == 0:
        return False
    structured = sum(map(str.isalnum, word.text)) >= LETTERS
    # One channel is enough: yellow on white differs in blue only, red on green hardly in grey.
    return any(_stands_out(part[:, :, k], structured=structured) for k in range(part.shape[2]))


def _stands_out(part: NDArray[np.uint8], *, structured: bool) -> bool:
    most, least = np.maximum.reduce, np.minimum.reduce
    if not structured:
        return int(most(part, axis=None)) - int(least(part, axis=None)) >= CONTRAST
    rows, columns = part.shape
    return (
        np.count_nonzero(most(part, axis=1) - least(part, axis=1) >= CONTRAST) >= STRUCTURE * rows
        and np.count_nonzero(most(part, axis=0) - least(part, axis=0) >= CONTRAST) >= STRUCTURE * columns
    )


def shows_throughout(word: Word, picture: Picture, *, upright: bool) -> bool:
    """Return whether a word in a grey picture shows and no stretch of it is bare that could hold a hidden letter."""
    part = _under(word, picture)[:, :, 0]
    if part.size == 0:
        return False
    most, least = np.maximum.reduce, np.minimum.reduce
    columns = most(part, axis=0) - least(part, axis=0) >= CONTRAST
    if len(word.text) < 2:
        return bool(columns.any()) or int(most(part, axis=None)) - int(least(part, axis=None)) >= CONTRAST
    rows = most(part, axis=1) - least(part, axis=1) >= CONTRAST
    if sum(map(str.isalnum, word.text)) >= LETTERS and (
        np.count_nonzero(rows) < STRUCTURE * len(rows) or np.count_nonzero(columns) < STRUCTURE * len(columns)
    ):
        return False
    along, scale = (rows, picture.down) if upright else (columns, picture.across)
    if not (rows.any() or columns.any()):
        return False
    # Each False is a zero byte, so a bare stretch is a run of them.
    return along.tobytes().find(b"\0" * (max(int(GAP * word.size * scale), 2) + 1)) < 0


def _under(word: Word, picture: Picture) -> NDArray[np.uint8]:
    """Return the pixels of a word's box, those it only touches too; none when it stands beside the picture."""
    rows, columns = picture.pixels.shape[:2]
    x0 = max(int((word.x0 - picture.left) * picture.across), 0)
    y0 = max(int((picture.top - word.y1) * picture.down), 0)
    x1 = min(int((word.x1 - picture.left) * picture.across) + 1, columns)
    y1 = min(int((picture.top - word.y0) * picture.down) + 1, rows)
    return picture.pixels[y0 : max(y1, y0), x0 : max(x1, x0)]


def meets(word: Word, sheet: Box) -> bool:
    """Return whether any of a word's box lies on the sheet."""
    return word.x1 > sheet[0] and word.x0 < sheet[2] and word.y1 > sheet[1] and word.y0 < sheet[3]


def around(words: Iterable[Word], sheet: Box) -> Box:
    """Return the part of the sheet that these words, at least one, take up; empty (x1 <= x0) when none does."""
    boxes = [(w.x0, w.y0, w.x1, w.y1) for w in words]
    return (
        max(min(b[0] for b in boxes) - 1, sheet[0]),
        max(min(b[1] for b in boxes) - 1, sheet[1]),
        min(max(b[2] for b in boxes) + 1, sheet[2]),
        min(max(b[3] for b in boxes) + 1, sheet[3]),
    )
