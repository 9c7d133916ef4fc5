"""No ink, no evidence: which words of a page leave a trace on the rendered sheet. Pure; ``pdfium`` renders.

White, transparent, clipped, covered and switched-off text is alike in this: where it stands, nothing is seen.
White words on a dark band and the text layer of a scan do show contrast in their boxes, and stay.
"""

from __future__ import annotations

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

DARK, LIGHT = 191, 224
"""Shades that differ by more than ``CONTRAST``: print on white paper, and on most shading, has both."""


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


class Shapes(NamedTuple):
    """What is asked of words when their ink is looked for; arrays of one length."""

    corners: NDArray[np.float64]
    """(x0, y0, x1, y1) in user space, shape (n, 4)."""
    sizes: NDArray[np.float64]
    """Type size in points."""
    lengths: NDArray[np.int64]
    """Number of characters."""
    alphanumeric: NDArray[np.int64]
    """Number of letters and digits among them."""
    upright: NDArray[np.bool_]
    """Whether a word runs up or down the sheet."""

    def at(self, places: NDArray[np.int64]) -> Shapes:
        return Shapes._make(part[places] for part in self)


class Letters(NamedTuple):
    """The characters of words, one word after the other."""

    boxes: NDArray[np.float64]
    """(left, right, bottom, top) of each, shape (m, 4)."""
    ends: NDArray[np.int64]
    """Place after each word's last character."""

    def of(self, word: int) -> NDArray[np.float64]:
        """Return the boxes of one word's characters, the word given by its place."""
        return self.boxes[self.ends[word - 1] if word else 0 : self.ends[word]]

    def at(self, places: NDArray[np.int64]) -> Letters:
        """Return the characters of some words, their places in ascending order."""
        lengths = np.diff(self.ends, prepend=0)
        chosen = np.zeros(len(lengths), dtype=np.bool_)
        chosen[places] = True
        return Letters(self.boxes[np.repeat(chosen, lengths)], np.cumsum(lengths[places]))


def letters_in(text: str) -> int:
    """Return how many letters and digits a text holds."""
    return sum(map(str.isalnum, text))


def too_small(words: Shapes) -> NDArray[np.bool_]:
    """Return of each word whether it is set too small to be read, whatever its colour."""
    x0, y0, x1, y1 = words.corners.T
    # A dash or a full stop is low at any size.
    low = (y1 - y0 < MIN_LETTER_PT) & (x1 - x0 < MIN_LETTER_PT)
    return (words.sizes < MIN_SIZE_PT) | (low & (words.alphanumeric > 0))


def shows(word: Word, picture: Picture) -> bool:
    """Return whether the box of a word, in user space, holds something that stands out from its ground."""
    part = _under(word, picture)
    if part.size == 0:
        return False
    structured = _has_letters(word.text)
    # One channel is enough: yellow on white differs in blue only, red on green hardly in grey.
    return any(_stands_out(part[:, :, k], structured=structured) for k in range(part.shape[2]))


def _has_letters(text: str) -> bool:
    return letters_in(text) >= LETTERS


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
    if _has_letters(word.text) and (
        np.count_nonzero(rows) < STRUCTURE * len(rows) or np.count_nonzero(columns) < STRUCTURE * len(columns)
    ):
        return False
    along, scale = (rows, picture.down) if upright else (columns, picture.across)
    if not (rows.any() or columns.any()):
        return False
    # Each False is a zero byte, so a bare stretch is a run of them.
    return along.tobytes().find(b"\0" * (max(int(GAP * word.size * scale), 2) + 1)) < 0


def shows_each(letters: NDArray[np.float64], word: Word, picture: Picture, *, upright: bool) -> bool:
    """Return whether a word in a grey picture shows, and every letter in the columns, or rows, that are its own.

    ``letters`` holds (left, right, bottom, top) of each, shape (n, 4). A bare stretch is then only space between two.
    """
    part = _under(word, picture)[:, :, 0]
    if part.size == 0:
        return False
    columns = part.max(axis=0) - part.min(axis=0) >= CONTRAST
    rows = part.max(axis=1) - part.min(axis=1) >= CONTRAST
    if np.count_nonzero(rows) < STRUCTURE * len(rows) or np.count_nonzero(columns) < STRUCTURE * len(columns):
        return False
    if upright:
        marks, scale = rows, picture.down
        start, end = (picture.top - letters[:, 3]) * scale, (picture.top - letters[:, 2]) * scale
        first = max(int((picture.top - word.y1) * scale), 0)
    else:
        marks, scale = columns, picture.across
        start, end = (letters[:, 0] - picture.left) * scale, (letters[:, 1] - picture.left) * scale
        first = max(int((word.x0 - picture.left) * scale), 0)
    before = np.concatenate(([0], np.cumsum(marks)))
    a, b = own_pixels(np.stack((start, end), axis=1))
    a, b = a - first, b - first
    if (a < 0).any() or (b > len(marks)).any():
        return False
    return bool((before[b] > before[a]).all())


def own_pixels(extents: NDArray[np.float64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the whole pixels from the start to the end of each letter; of one that has none, that in its middle."""
    start, end = extents[:, 0], extents[:, 1]
    first, last = np.ceil(start), np.floor(end)
    middle = np.floor((start + end) / 2)
    thin = last <= first
    return _pixels(np.where(thin, middle, first)), _pixels(np.where(thin, middle + 1, last))


def shown_at_once(words: Shapes, letters: Letters, picture: Picture) -> NDArray[np.bool_]:
    """Return of each word whether it surely ``shows_throughout`` or ``shows_each``: most do, and are told at once.

    A row or column of a word that holds a ``DARK`` and a ``LIGHT`` pixel has contrast.
    """
    height, width = picture.pixels.shape[:2]
    # Crafted coordinates reach beyond what an integer holds.
    x0, y0, x1, y1 = (words.corners[:, side] for side in range(4))
    left, right = _pixels((x0 - picture.left) * picture.across), _pixels((x1 - picture.left) * picture.across)
    upper, lower = _pixels((picture.top - y1) * picture.down), _pixels((picture.top - y0) * picture.down)
    left, upper = np.maximum(left, 0), np.maximum(upper, 0)
    right, lower = np.minimum(right + 1, width), np.minimum(lower + 1, height)
    out = (right > left) & (lower > upper)
    some = np.flatnonzero(out)
    if not len(some):
        return out
    if len(some) < len(out):
        words, letters = words.at(some), letters.at(some)
        left, right, upper, lower = left[some], right[some], upper[some], lower[some]
    grey = picture.pixels[:, :, 0]
    dark, light = np.packbits(grey <= DARK, axis=1), np.packbits(grey >= LIGHT, axis=1)
    # Eight pixels of a row: the upper byte tells which are dark, the lower which are light.
    bits = np.left_shift(dark, 8, dtype=np.uint16) | light
    across, down = _Ragged(left, right), _Ragged(upper, lower)
    columns = _contrast_in_columns(bits, across, upper, lower)
    rows = _contrast_in_rows(bits, down, left, right)
    n_columns, n_rows = across.count(columns), down.count(rows)
    shaped = (n_rows >= STRUCTURE * (lower - upper)) & (n_columns >= STRUCTURE * (right - left))
    bare = GAP * words.sizes * np.where(words.upright, picture.down, picture.across)
    bare = np.maximum(np.minimum(bare, 1e6).astype(np.int64), 2) + 1
    whole = ~across.has_bare(columns, bare)
    each = across.marked_each(columns, (letters.boxes[:, :2] - picture.left) * picture.across, letters.ends)
    if words.upright.any():
        whole = np.where(words.upright, ~down.has_bare(rows, bare), whole)
        up = down.marked_each(rows, (picture.top - letters.boxes[:, 3:1:-1]) * picture.down, letters.ends)
        each = np.where(words.upright, up, each)
    whole &= (shaped | (words.alphanumeric < LETTERS)) & ((n_rows > 0) | (n_columns > 0))
    out[some] = np.where(words.lengths < 2, n_columns > 0, whole) | (shaped & each)
    return out


def _pixels(at: NDArray[np.float64]) -> NDArray[np.int64]:
    return np.clip(at, -1e9, 1e9).astype(np.int64)


class _Ragged:
    """The pixel rows, or columns, of some words, at least one of each, one word after the other in one array."""

    def __init__(self, start: NDArray[np.int64], end: NDArray[np.int64]) -> None:
        self.lengths = end - start
        self.ends = np.cumsum(self.lengths)
        self.begins = self.ends - self.lengths
        self.word = np.repeat(np.arange(len(start)), self.lengths)
        self.at: NDArray[np.int64] = np.arange(int(self.ends[-1])) + np.repeat(start - self.begins, self.lengths)

    def count(self, marks: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Return how many places of each word are marked."""
        return np.add.reduceat(marks, self.begins, dtype=np.int64)

    def has_bare(self, marks: NDArray[np.bool_], bare: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return which words hold a run of at least ``bare`` places, a number for each word, without a mark."""
        marked = np.flatnonzero(marks)
        word = self.word[marked]
        last = self.begins - 1
        last[word] = marked
        out = self.ends - last > bare
        previous = np.maximum(np.concatenate(([-1], marked[:-1])), self.begins[word] - 1)
        out[word[marked - previous > bare[word]]] = True
        return out

    def marked_each(
        self, marks: NDArray[np.bool_], extents: NDArray[np.float64], ends: NDArray[np.int64]
    ) -> NDArray[np.bool_]:
        """Return which words have a mark in each of their letters; see ``own_pixels``.

        ``extents`` holds the start and the end of each letter in pixels, shape (m, 2), ``ends`` the place after each
        word's last letter.
        """
        first, last = own_pixels(extents)
        lengths = np.diff(ends, prepend=0)
        shift = np.repeat(self.begins - self.at[self.begins], lengths)
        begins, stops = np.repeat(self.begins, lengths), np.repeat(self.ends, lengths)
        first, last = first + shift, last + shift
        inside = (first >= begins) & (last <= stops)
        before = np.concatenate(([0], np.cumsum(marks)))
        marked = before[np.where(inside, last, 0)] > before[np.where(inside, first, 0)]
        return np.logical_and.reduceat(marked, ends - lengths)


def _contrast_in_columns(
    bits: NDArray[np.uint16], columns: _Ragged, upper: NDArray[np.int64], lower: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Return which columns of the words have a dark and a light pixel between ``upper`` and ``lower``.

    ``taller[k][y]`` tells of 2 ** k rows from y on, and two of those that overlap tell of any number.
    """
    power = np.log2(lower - upper + 0.5).astype(np.int64)
    taller = np.zeros((int(power.max()) + 1, *bits.shape), dtype=np.uint16)
    taller[0] = bits
    for k in range(1, len(taller)):
        half = 1 << (k - 1)
        np.bitwise_or(taller[k - 1][:-half], taller[k - 1][half:], out=taller[k][:-half])
    rows, width = bits.shape
    flat, at = taller.ravel(), columns.at >> 3
    found = flat.take(np.repeat((power * rows + upper) * width, columns.lengths) + at)
    found |= flat.take(np.repeat((power * rows + lower - (1 << power)) * width, columns.lengths) + at)
    found >>= (7 - (columns.at & 7)).astype(np.uint16)
    return found & 0x101 == 0x101


def _contrast_in_rows(
    bits: NDArray[np.uint16], rows: _Ragged, left: NDArray[np.int64], right: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Return which rows of the words have a dark and a light pixel between ``left`` and ``right``.

    Of the bytes at both ends a part counts; how many of those between hold one is a difference of two counts.
    """
    height, width = bits.shape
    before = np.zeros((height, width + 1), dtype=np.uint32)
    np.cumsum((bits > 0xFF).astype(np.uint32) << 16 | (bits & 0xFF != 0), axis=1, dtype=np.uint32, out=before[:, 1:])
    first, last = left >> 3, (right - 1) >> 3
    head = (0xFF >> (left & 7)) * 0x101
    tail = (0xFF << (7 - (right - 1 & 7)) & 0xFF) * 0x101
    head, tail = np.where(first == last, head & tail, head), np.where(first == last, 0, tail)
    word, counts, flat = rows.word, before.ravel(), bits.ravel()
    second: NDArray[np.int64] = np.minimum(first + 1, last)
    start = rows.at * (width + 1)
    between: NDArray[np.uint32] = counts[start + last[word]] - counts[start + second[word]]
    start = rows.at * width
    ends: NDArray[np.uint16] = flat[start + first[word]] & head.astype(np.uint16)[word]
    ends |= flat[start + last[word]] & tail.astype(np.uint16)[word]
    return ((between > 0xFFFF) | (ends > 0xFF)) & ((between & 0xFFFF != 0) | (ends & 0xFF != 0))


def all_stand_out(letters: NDArray[np.float64], picture: Picture) -> bool:
    """Return whether something stands out from its ground in the box of each letter: (left, right, bottom, top)."""
    rows, columns = picture.pixels.shape[:2]
    # A little beyond its box: a bar fills its own to the edge.
    beyond = np.array([-0.3, 0.3])
    across = _pixels((letters[:, :2] + beyond - picture.left) * picture.across)
    down = _pixels((picture.top - letters[:, 3:1:-1] + beyond) * picture.down)
    x0, x1 = np.maximum(across[:, 0], 0).tolist(), np.minimum(across[:, 1] + 1, columns).tolist()
    y0, y1 = np.maximum(down[:, 0], 0).tolist(), np.minimum(down[:, 1] + 1, rows).tolist()
    most, least = np.maximum.reduce, np.minimum.reduce
    for a, b, c, d in zip(x0, x1, y0, y1, strict=True):
        if a >= b or c >= d:
            return False
        part = picture.pixels[c:d, a:b]
        if not (most(part, axis=(0, 1)) - least(part, axis=(0, 1)) >= CONTRAST).any():
            return False
    return True


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


def around(corners: NDArray[np.float64], sheet: Box) -> Box:
    """Return the part of the sheet that words with these corners, one at least, take up; empty (x1 <= x0) if none."""
    x0, y0 = (corners[:, :2].min(axis=0) - 1).tolist()
    x1, y1 = (corners[:, 2:].max(axis=0) + 1).tolist()
    return (max(x0, sheet[0]), max(y0, sheet[1]), min(x1, sheet[2]), min(y1, sheet[3]))
