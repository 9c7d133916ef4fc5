"""Which of a page's words are seen: the page is rendered and ``ink`` looks. Only PDFium knows what a page shows."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pypdfium2 as pdfium
import pypdfium2.raw as raw

from pincite.corpus.ink import Picture, around, meets, shown_at_once, shows, shows_each, shows_throughout, too_small
from pincite.corpus.layout import Turn, Word
from pincite.corpus.pdfium_words import Found, character_boxes, found_words
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


def seen_words(
    page: pdfium.PdfPage, text: Any, found: list[Found], pictures: Sequence[Box]
) -> tuple[list[tuple[Word, Turn]], int, str]:
    """Return the words that can be seen, how many cannot, and why that cannot be told (then none is returned) or "".

    What is not painted may lie on other text that is, and shows its ink: it stays only over one of the ``pictures``.
    """
    # Any: a PDFium handle.
    bounds = raw.FS_RECTF()
    if not found or not raw.FPDF_GetPageBoundingBox(page.raw, bounds):
        return [(f.word, f.turn) for f in found], 0, ""
    sheet: Box = (bounds.left, bounds.bottom, bounds.right, bounds.top)
    # What stands beside the sheet is the reader's to leave out: it is no attempt to hide anything.
    inside = [f for f in found if meets(f.word, sheet)]
    hidden = {id(f) for f in inside if too_small(f.word) or (f.invisible and not is_over(f.word, pictures))}
    doubtful = [f for f in inside if id(f) not in hidden]
    if doubtful:
        picture = render(page, sheet, around([f.word for f in doubtful], sheet), SCALE, 1)
        if picture is None:
            return (
                [],
                len(found),
                "the sheet is too large to be rendered, so nobody can tell which of its words are seen",
            )
        shown = shown_at_once([f.word for f in doubtful], [f.turn % 2 == 1 for f in doubtful], picture)
        doubtful = [
            f
            for f, surely in zip(doubtful, shown.tolist(), strict=True)
            if not surely and not shows_throughout(f.word, picture, upright=f.turn % 2 == 1)
        ]
        doubtful = [f for f in doubtful if not _shows_each(text, f, picture)]
    parts: dict[int, list[Found]] = {}
    # Few words come here: a picture of what they take up together is drawn once, on a large sheet one of each word.
    together = render(page, sheet, around([f.word for f in doubtful], sheet), SECOND_SCALE, 4) if doubtful else None
    for number, f in enumerate(doubtful):
        closer = together
        if (closer is None or closer.across < SCALE) and number < MAX_CLOSE_LOOKS:
            closer = render(page, sheet, around([f.word], sheet), SECOND_SCALE, 4)
        if closer is None or not shows(f.word, closer):
            hidden.add(id(f))
            continue
        unseen = _unseen_characters(text, f.characters, closer)
        if unseen:
            parts[id(f)] = found_words(text, f.characters, unseen)
    kept: list[tuple[Word, Turn]] = [
        (g.word, g.turn) for f in found if id(f) not in hidden for g in parts.get(id(f), (f,))
    ]
    return kept, len(hidden) + len(parts), ""


def is_over(word: Word, pictures: Sequence[Box]) -> bool:
    """Return whether the middle of a word lies on a picture."""
    x, y = (word.x0 + word.x1) / 2, (word.y0 + word.y1) / 2
    return any(x0 <= x <= x1 and y0 <= y <= y1 for x0, y0, x1, y1 in pictures)


def _shows_each(text: Any, f: Found, picture: Picture) -> bool:
    # Any: a PDFium handle.
    letters = character_boxes(text, f.characters)
    return letters is not None and shows_each(letters, f.word, picture, upright=f.turn % 2 == 1)


def _unseen_characters(text: Any, characters: range, picture: Picture) -> set[int]:
    # Any: a PDFium handle.
    left, right, bottom, top = (ctypes.c_double() for _ in range(4))
    out: set[int] = set()
    for k in characters:
        if int(raw.FPDFText_GetUnicode(text, k)) > 32 and raw.FPDFText_GetCharBox(text, k, left, right, bottom, top):
            # A little beyond its box: a bar fills its own to the edge.
            around_it = (left.value - 0.3, bottom.value - 0.3, right.value + 0.3, top.value + 0.3)
            if not shows(Word("", *around_it, bottom.value, 0.0, False), picture):
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
