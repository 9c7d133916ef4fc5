"""Which of a page's words are seen: the page is rendered and ``ink`` looks. Only PDFium knows what a page shows."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Sequence
from itertools import compress
from typing import Any, NamedTuple

import numpy as np
import pypdfium2 as pdfium
import pypdfium2.raw as raw

from pincite.corpus.ink import (
    Picture,
    all_stand_out,
    around,
    shown_at_once,
    shows,
    shows_each,
    shows_throughout,
    too_small,
)
from pincite.corpus.layout import Word
from pincite.corpus.pdfium_words import Found, found_words
from pincite.types import Box

MAX_PIXELS = 12_000_000
"""Of one rendered page. A4 at ``SCALE`` has 1.1 million, A0 has 18 million and is rendered a little smaller."""
SCALE = 1.5
"""Pixels per point when a page is looked at for what is seen: 2 to 6 ms a page."""
SECOND_SCALE = 3.0
"""For the words that showed nothing at first, in colour: a hair-thin dash and yellow type come out."""
MIN_SCALE = 0.4
MAX_CLOSE_LOOKS = 300
"""Words of a large sheet that are drawn one by one; each draws through the whole content of the page."""
INK = 160
"""Grey value, of 255, below which a pixel is ink."""
INKED = 0.0003
"""Share of a page's pixels that are ink from which something is drawn on it: two words of 10 points on A4."""
MAX_SIDE_PT = 200_000.0
"""Beyond it PDFium's single-precision coordinates are too coarse. The format ends at 14,400."""


class Seen(NamedTuple):
    words: list[Word]
    unseen: int
    """Words that are left out because nobody can see them."""
    unproven: str = ""
    """Why it cannot be told what is seen; then no word is returned."""


def seen_words(page: pdfium.PdfPage, text: Any, found: Found, pictures: Sequence[Box]) -> Seen:
    """Return the words that can be seen.

    What is not painted may lie on other text that is, and shows its ink: it stays only over one of the ``pictures``.
    """
    # Any: a PDFium handle.
    words = found.words
    sheet = sheet_of(page)
    if sheet is None:
        return Seen(words, 0)
    corners = found.shapes.corners
    x0, y0, x1, y1 = corners.T
    # What stands beside the sheet is the reader's to leave out: it is no attempt to hide anything.
    inside = (x1 > sheet[0]) & (x0 < sheet[2]) & (y1 > sheet[1]) & (y0 < sheet[3])
    hidden = inside & too_small(found.shapes)
    for k in np.flatnonzero(inside & found.invisible).tolist():
        hidden[k] |= not is_over(words[k], pictures)
    places = np.flatnonzero(inside & ~hidden)
    if not len(places):
        return Seen(list(compress(words, ~hidden)), int(hidden.sum()))
    picture = render(page, sheet, around(corners[places], sheet), SCALE, 1)
    if picture is None:
        why = "the sheet is too large to be rendered, so nobody can tell which of its words are seen"
        return Seen([], len(words), why)
    shown = shown_at_once(found.shapes.at(places), found.letters.at(places), picture)
    doubtful: list[int] = [k for k in places[~shown].tolist() if not _shows_at_first(found, k, picture)]
    if not doubtful:
        return Seen(list(compress(words, ~hidden)), int(hidden.sum()))
    parts: dict[int, list[Word]] = {}
    # Few words come here: a picture of what they take up together is drawn once, on a large sheet one of each word.
    together = render(page, sheet, around(corners[doubtful], sheet), SECOND_SCALE, 4)
    for number, k in enumerate(doubtful):
        closer = together
        if (closer is None or closer.across < SCALE) and number < MAX_CLOSE_LOOKS:
            closer = render(page, sheet, around(corners[k : k + 1], sheet), SECOND_SCALE, 4)
        if closer is None or not shows(words[k], closer):
            hidden[k] = True
            continue
        characters = range(int(found.first[k]), int(found.last[k]) + 1)
        if all_stand_out(found.letters.of(k), closer):
            continue
        unseen = _unseen_characters(text, characters, closer)
        if unseen:
            some = found_words(text, characters, unseen)
            parts[k] = some.words if some else []
    if not parts:
        return Seen(list(compress(words, ~hidden)), int(hidden.sum()))
    kept = [part for k in np.flatnonzero(~hidden).tolist() for part in parts.get(k, (words[k],))]
    return Seen(kept, int(hidden.sum()) + len(parts))


def is_over(word: Word, pictures: Sequence[Box]) -> bool:
    """Return whether the middle of a word lies on a picture."""
    x, y = (word.x0 + word.x1) / 2, (word.y0 + word.y1) / 2
    return any(x0 <= x <= x1 and y0 <= y <= y1 for x0, y0, x1, y1 in pictures)


def _shows_at_first(found: Found, k: int, picture: Picture) -> bool:
    word = found.words[k]
    upright = bool(found.shapes.upright[k])
    return shows_throughout(word, picture, upright=upright) or shows_each(
        found.letters.of(k), word, picture, upright=upright
    )


def _unseen_characters(text: Any, characters: range, picture: Picture) -> set[int]:
    # Any: a PDFium handle.
    left, right, bottom, top = (ctypes.c_double() for _ in range(4))
    out: set[int] = set()
    for k in characters:
        printed = int(raw.FPDFText_GetUnicode(text, k)) > 32
        if printed and raw.FPDFText_GetCharBox(text, k, left, right, bottom, top):
            box = np.array([[left.value, right.value, bottom.value, top.value]])
            if not all_stand_out(box, picture):
                out.add(k)
    return out


def sheet_of(page: pdfium.PdfPage) -> Box | None:
    """Return what a viewer shows of a page, in user space; None when PDFium cannot tell."""
    bounds = raw.FS_RECTF()
    if not raw.FPDF_GetPageBoundingBox(page.raw, bounds):
        return None
    return (bounds.left, bounds.bottom, bounds.right, bounds.top)


def is_inked(page: pdfium.PdfPage) -> bool:
    """Return whether anything but a speck is drawn on a page."""
    sheet = sheet_of(page)
    picture = render(page, sheet, sheet, SCALE, 1) if sheet else None
    return picture is not None and float(np.mean(picture.pixels < INK)) > INKED


def render(page: pdfium.PdfPage, sheet: Box, part: Box, scale: float, channels: int) -> Picture | None:
    """Return a part of the sheet as a viewer shows it, in grey (1 channel) or colour (4); None when too large."""
    width, height = sheet[2] - sheet[0], sheet[3] - sheet[1]
    area = (part[2] - part[0]) * (part[3] - part[1])
    scale = min(scale, math.sqrt(MAX_PIXELS / channels / max(area, 1.0)))
    if not (0 < width < MAX_SIDE_PT and 0 < height < MAX_SIDE_PT) or scale < MIN_SCALE:
        return None
    whole_x, whole_y = max(round(width * scale), 1), max(round(height * scale), 1)
    across, down = whole_x / width, whole_y / height
    x, y = math.floor((part[0] - sheet[0]) * across), math.floor((sheet[3] - part[3]) * down)
    columns = max(math.ceil((part[2] - sheet[0]) * across) - x, 1)
    rows = max(math.ceil((sheet[3] - part[1]) * down) - y, 1)
    kind, flags = (raw.FPDFBitmap_Gray, raw.FPDF_GRAYSCALE) if channels == 1 else (raw.FPDFBitmap_BGRx, 0)
    bitmap = raw.FPDFBitmap_CreateEx(columns, rows, kind, None, 0)
    if not bitmap:
        return None
    try:
        raw.FPDFBitmap_FillRect(bitmap, 0, 0, columns, rows, 0xFFFFFFFF)
        # Turned back by what /Rotate turns: boxes of words are in user space. Annotations may cover text: they count.
        back = (4 - page.get_rotation() // 90) % 4
        raw.FPDF_RenderPageBitmap(bitmap, page.raw, -x, -y, whole_x, whole_y, back, flags | raw.FPDF_ANNOT)
        stride = int(raw.FPDFBitmap_GetStride(bitmap))
        data = ctypes.string_at(raw.FPDFBitmap_GetBuffer(bitmap), stride * rows)
    finally:
        raw.FPDFBitmap_Destroy(bitmap)
    lines = np.frombuffer(data, dtype=np.uint8).reshape(rows, stride)
    pixels = lines[:, : columns * channels].reshape(rows, columns, channels)[:, :, :3]
    return Picture(pixels, sheet[0] + x / across, sheet[3] - y / down, across, down)
