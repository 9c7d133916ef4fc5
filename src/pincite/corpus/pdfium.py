"""Bytes → what PDFium says of each page: words, rules, pictures, labels, outline.

Only the modules of this name know PDFium, and nothing else does.

PDFium may abort its process: call it only in a jailed worker. Its page space is the PDF's own user space: neither
/Rotate nor the CropBox moves a box (tests/corpus/test_corpus_pdf.py).
"""

from __future__ import annotations

import ctypes
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise, repeat
from typing import Any, NamedTuple, TypeAlias, cast

import pypdfium2 as pdfium
import pypdfium2.raw as raw

from pincite.corpus.ink import Picture
from pincite.corpus.lattice import Fill, Rules
from pincite.corpus.layout import Word
from pincite.corpus.pdfium_ink import Seen, is_inked, render, seen_words, sheet_of
from pincite.corpus.pdfium_words import Handle, called, found_words
from pincite.corpus.typography import OutlineEntry
from pincite.errors import DamagedPdf, UnreadablePdf
from pincite.types import Box

Document: TypeAlias = pdfium.PdfDocument

MAX_CHARACTERS = 300_000
"""On one page. The fullest real page seen holds 14,000; a crafted one holds five million."""
MAX_OBJECTS = 100_000
"""Drawing operations on one page that are looked at for rules. Maps reach 60,000."""
MAX_FORMS = 6
"""Depth of forms within forms that are looked into."""
MAX_OCR_PIXELS = 9_000_000
"""Of a page rendered for OCR: A4 at 300 dpi has 8.7 million. rapidocr takes 100 bytes for each and more."""
THIN_PT = 3.0
"""A filled rectangle up to this thick is a rule; thicker ones are shading."""
A4: Box = (0.0, 0.0, 595.0, 842.0)
"""What a viewer assumes of a page without a MediaBox."""

_Matrix = tuple[float, float, float, float, float, float]
_SAME: _Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Contents:
    """What one page holds, in user space."""

    words: list[Word]
    """Each with its own turn; ``baseline`` is measured across it."""
    rules: Rules
    pictures: list[Box]
    reason: str = ""
    unseen: int = 0
    """Words left out because nobody can see them."""
    inked: bool = False
    """Of a page without words: whether anything is drawn on it. Letters may be outlines, or a picture of text."""
    drawn: tuple[Box, ...] = ()
    """What is drawn and is no rule: curves, bars, outlines."""


class Sheet(NamedTuple):
    """A page as the file describes it; boxes in user space, ``rotation`` in degrees."""

    media: Box
    crop: Box
    rotation: int
    contents: Contents


def open_document(data: bytes, source: str) -> Document:
    """Return the opened document; who opens it closes it.

    Raises:
        UnreadablePdf: The bytes are no PDF or are protected; a DamagedPdf if ``repair`` may help.
    """
    if not data:
        raise UnreadablePdf("the file is empty (0 bytes); copy or download it again", source=source)
    if b"%PDF-" not in data[:1024]:
        start = data[:512].lstrip().lower()
        if start.startswith((b"<!doctype", b"<html", b"<?xml")):
            raise UnreadablePdf("this is a web page saved under a PDF's name; download the PDF itself", source=source)
        if b"%PDF-" in data:
            raise DamagedPdf("damaged: something stands before the PDF; export or download it again", source=source)
        raise UnreadablePdf("this is not a PDF: its first bytes do not say %PDF", source=source)
    try:
        return pdfium.PdfDocument(data)
    except pdfium.PdfiumError as error:
        code = getattr(error, "err_code", None)
        if code == raw.FPDF_ERR_PASSWORD:
            reason = "protected with a password; save a copy without one"
        elif code == raw.FPDF_ERR_SECURITY:
            reason = "protected in a way that cannot be opened; save a copy without protection"
        else:
            # PDFium itself rebuilds a lost cross-reference table; what it cannot open is worse.
            reason = "damaged (cut off?): PDFium cannot open it; export or download it again"
            raise DamagedPdf(reason, source=source) from error
        raise UnreadablePdf(reason, source=source) from error


def read_sheet(document: Document, index: int) -> Sheet | None:
    """Return what one page holds, counted from 0; None when PDFium cannot load it."""
    try:
        page = document[index]
    except pdfium.PdfiumError:
        return None
    try:
        media = cast(Box, tuple(float(v) for v in page.get_mediabox() or A4))
        crop = cast(Box, tuple(float(v) for v in page.get_cropbox() or media))
        rotation = page.get_rotation()
        try:
            contents = _contents(page)
        except pdfium.PdfiumError as error:
            contents = Contents([], Rules((), ()), [], f"PDFium cannot read this page: {error}")
    finally:
        page.close()
    return Sheet(media, crop, rotation, contents)


def picture_of(document: Document, index: int, *, dpi: float, part: Box | None = None) -> tuple[Picture, int] | None:
    """Return a page, counted from 0, or a part of it, in grey as a viewer shows it but unrotated, and its /Rotate.

    A large sheet is rendered with less than ``dpi``; None when the page cannot be loaded or is too large for that too.
    """
    try:
        page = document[index]
    except pdfium.PdfiumError:
        return None
    try:
        sheet = sheet_of(page)
        if sheet is None:
            return None
        x0, y0, x1, y1 = part or sheet
        part = (max(x0, sheet[0]), max(y0, sheet[1]), min(x1, sheet[2]), min(y1, sheet[3]))
        if part[0] >= part[2] or part[1] >= part[3]:
            return None
        area = max((part[2] - part[0]) * (part[3] - part[1]), 1.0)
        picture = render(page, sheet, part, min(dpi / 72, (MAX_OCR_PIXELS / area) ** 0.5), 1)
        return None if picture is None else (picture, page.get_rotation())
    finally:
        page.close()


def page_label(document: Document, index: int) -> str:
    """Return the printed number of a page, counted from 0; its place in the file, from 1, when it has none."""
    any_document: Any = document  # Any: this part of pypdfium2 has no types.
    try:
        label = str(any_document.get_page_label(index))
    except (pdfium.PdfiumError, UnicodeDecodeError, ValueError):
        label = ""
    return label.replace("\x00", "").strip() or str(index + 1)


def metadata_of(document: Document) -> tuple[tuple[str, str], ...]:
    """Return what the file says of itself, as key and value; nothing when it cannot be read."""
    try:
        found = document.get_metadata_dict(skip_empty=True)
    except (pdfium.PdfiumError, UnicodeDecodeError):
        return ()
    return tuple((key, " ".join(_clean(value).split())) for key, value in found.items() if value.strip())


def _clean(text: str) -> str:
    """Return text that can be written as UTF-8: half surrogate pairs become the replacement character."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").replace("\x00", "")


def outline_of(document: Document, pages: int) -> Iterator[OutlineEntry]:
    """Yield the entries of the outline that lead to one of the ``pages`` pages, in order."""
    any_document: Any = document  # Any: this part of pypdfium2 has no types.
    try:
        for mark in any_document.get_toc(max_depth=8):
            title = " ".join(_clean(str(mark.get_title())).split())
            target = mark.get_dest()
            index = target.get_index() if target else None
            if title and index is not None and 0 <= index < pages:
                yield OutlineEntry(title, index + 1, mark.level + 1)
    except (pdfium.PdfiumError, UnicodeDecodeError, ValueError, RuntimeError):
        # A broken outline is worth less than the page it points to; headings are found without it.
        return


def _contents(page: pdfium.PdfPage) -> Contents:
    things = _objects_on(page)
    collector = _Drawings()
    collector.collect(things, _SAME, 0)
    said = _replaced_text(page, things)
    text_page = page.get_textpage()
    try:
        count = int(raw.FPDFText_CountChars(text_page.raw))
        if count > MAX_CHARACTERS:
            return Contents([], Rules((), ()), [], f"{count} characters on one page, more than {MAX_CHARACTERS}")
        found = found_words(text_page.raw, range(count))
        words, unseen, unproven = seen_words(page, text_page.raw, found, collector.pictures) if found else Seen([], 0)
        untrue = said and _letters(text_page) != said
    finally:
        text_page.close()
    if unproven:
        return Contents([], Rules((), ()), [], unproven, unseen)
    reason = "what a tag says in place of print was left out" if untrue else ""
    if found and words and found.invisible.sum() * 2 > len(found.words):
        reason = "; ".join(filter(None, ("its text is an invisible layer over a picture (OCR)", reason)))
    rules = Rules(tuple(collector.across), tuple(collector.down), tuple(collector.fills))
    if collector.seen > MAX_OBJECTS:
        more = f"more than {MAX_OBJECTS} drawing operations: tables were not looked for"
        reason, rules = "; ".join(filter(None, (reason, more))), Rules((), ())
    inked = not words and is_inked(page)
    return Contents(words, rules, collector.pictures, reason, unseen, inked, tuple(collector.drawn))


def _letters(text_page: pdfium.PdfTextPage) -> str:
    text = unicodedata.normalize("NFKC", _clean(text_page.get_text_range(errors="replace")))
    return "".join(filter(str.isalnum, text))


_object_at = called(raw.FPDFPage_GetObject, Handle)
_inner_at = called(raw.FPDFFormObj_GetObject, Handle)
_type_of = called(raw.FPDFPageObj_GetType, ctypes.c_int)
_marks_on = called(raw.FPDFPageObj_CountMarks, ctypes.c_int)
_mark_at = called(raw.FPDFPageObj_GetMark, Handle)
_kind_of = called(raw.FPDFPageObjMark_GetParamValueType, ctypes.c_int)
_remove = called(raw.FPDFPageObj_RemoveMark, ctypes.c_int)
_count_on = called(raw.FPDFPage_CountObjects, ctypes.c_int)
_count_in = called(raw.FPDFFormObj_CountObjects, ctypes.c_int)
_bounds_of = called(raw.FPDFPageObj_GetBounds, ctypes.c_int)
_matrix_of = called(raw.FPDFPageObj_GetMatrix, ctypes.c_int)
_colour_of = called(raw.FPDFPageObj_GetFillColor, ctypes.c_int)
_mode_of = called(raw.FPDFPath_GetDrawMode, ctypes.c_int)
_segments_of = called(raw.FPDFPath_CountSegments, ctypes.c_int)
_segment_at = called(raw.FPDFPath_GetPathSegment, Handle)
_segment_type = called(raw.FPDFPathSegment_GetType, ctypes.c_int)
_segment_point = called(raw.FPDFPathSegment_GetPoint, ctypes.c_int)
_segment_closes = called(raw.FPDFPathSegment_GetClose, ctypes.c_int)


def _objects_on(page: pdfium.PdfPage) -> list[Handle]:
    any_page: Any = page.raw
    handle = ctypes.cast(any_page, ctypes.c_void_p)
    return list(map(_object_at, repeat(handle), range(_count_on(handle))))


def _objects_in(form: Handle) -> list[Handle]:
    return list(map(_inner_at, repeat(form), range(_count_in(form))))


def _replaced_text(page: pdfium.PdfPage, things: list[Handle]) -> str:
    """Take every /ActualText off the page and return the letters it had with it, "" when there was none.

    ``things`` are the objects of the page. A tag may say anything in place of what it holds (ISO 32000-1, 14.9.4), and
    PDFium would believe it.
    """
    marked: list[tuple[Handle, Handle]] = []

    def look(things: list[Handle], depth: int) -> None:
        for thing, marks in zip(things, map(_marks_on, things), strict=True):
            for mark in map(_mark_at, repeat(thing), range(marks)):
                if _kind_of(mark, b"ActualText") != raw.FPDF_OBJECT_UNKNOWN:
                    marked.append((thing, mark))
        if depth < MAX_FORMS:
            for thing, kind in zip(things, map(_type_of, things), strict=True):
                if kind == raw.FPDF_PAGEOBJ_FORM:
                    look(_objects_in(thing), depth + 1)

    look(things, 0)
    if not marked:
        return ""
    text_page = page.get_textpage()
    try:
        said = _letters(text_page)
    finally:
        text_page.close()
    for thing, mark in marked:
        # 0 where objects that share their marks have lost it already.
        _remove(thing, mark)
    return said


class _Drawings:
    """Rules and pictures of a page, in user space, form objects included."""

    def __init__(self) -> None:
        self.across: list[tuple[float, float, float]] = []
        self.down: list[tuple[float, float, float]] = []
        self.fills: list[Fill] = []
        self.pictures: list[Box] = []
        self.drawn: list[Box] = []
        self.seen = 0
        self._bounds = tuple(ctypes.c_float() for _ in range(4))
        self._at_bounds = tuple(map(ctypes.byref, self._bounds))

    def collect(self, things: list[Handle], matrix: _Matrix, depth: int) -> None:
        """Add what is drawn by these objects, ``depth`` forms within the page; ``matrix`` leads to user space."""
        for thing, kind in zip(things, map(_type_of, things), strict=True):
            if self.seen > MAX_OBJECTS:
                return
            self.seen += 1
            if kind == raw.FPDF_PAGEOBJ_PATH:
                self._add_path(thing, matrix)
            elif kind == raw.FPDF_PAGEOBJ_IMAGE:
                box = self._box(thing, matrix)
                width, height = box[2] - box[0], box[3] - box[1]
                if width <= THIN_PT or height <= THIN_PT:
                    self._add_thin(box)
                else:
                    self.pictures.append(box)
            elif kind == raw.FPDF_PAGEOBJ_FORM and depth < MAX_FORMS:
                self.collect(_objects_in(thing), _compose(_matrix(thing), matrix), depth + 1)

    def _box(self, thing: Handle, matrix: _Matrix) -> Box:
        if not _bounds_of(thing, *self._at_bounds):
            return (0.0, 0.0, 0.0, 0.0)
        left, bottom, right, top = self._bounds
        if matrix == _SAME:
            return (left.value, bottom.value, right.value, top.value)
        ends = [_apply(matrix, x, y) for x in (left.value, right.value) for y in (bottom.value, top.value)]
        return (min(x for x, _ in ends), min(y for _, y in ends), max(x for x, _ in ends), max(y for _, y in ends))

    def _add_thin(self, box: Box) -> None:
        x0, y0, x1, y1 = box
        if x1 - x0 > THIN_PT:
            self.across.append(((y0 + y1) / 2, x0, x1))
        elif y1 - y0 > THIN_PT:
            self.down.append(((x0 + x1) / 2, y0, y1))

    def _add_path(self, thing: Handle, matrix: _Matrix) -> None:
        fill, stroke = ctypes.c_int(), ctypes.c_int()
        if not _mode_of(thing, ctypes.byref(fill), ctypes.byref(stroke)) or not (fill.value or stroke.value):
            return
        box = self._box(thing, matrix)
        if box[2] - box[0] <= THIN_PT or box[3] - box[1] <= THIN_PT:
            self._add_thin(box)
            return
        self.drawn.append(box)
        count: int = _segments_of(thing)
        self.seen += count // 8
        if count > 4000:
            return
        whole = _compose(_matrix(thing), matrix)
        colour = _fill_colour(thing) if fill.value else -1
        for subpath in _subpaths(thing, count, whole):
            self._add_subpath(subpath, stroked=bool(stroke.value), colour=colour)

    def _add_subpath(self, points: list[tuple[float, float, bool]], *, stroked: bool, colour: int) -> None:
        """Add the rules of one subpath; a filled rectangle that is not thin is shading. ``colour`` < 0: not filled."""
        xs, ys = [p[0] for p in points], [p[1] for p in points]
        box = (min(xs), min(ys), max(xs), max(ys))
        if box[2] - box[0] <= THIN_PT or box[3] - box[1] <= THIN_PT:
            if all(straight for _, _, straight in points[1:]):
                self._add_thin(box)
            return
        if colour >= 0 and _is_rectangle(points, box):
            self.fills.append(Fill(box, colour))
        if not stroked:
            return
        for (ax, ay, _), (bx, by, straight) in pairwise(points):
            if not straight:
                continue
            if abs(ay - by) <= 1 and abs(ax - bx) > THIN_PT:
                self.across.append(((ay + by) / 2, min(ax, bx), max(ax, bx)))
            elif abs(ax - bx) <= 1 and abs(ay - by) > THIN_PT:
                self.down.append(((ax + bx) / 2, min(ay, by), max(ay, by)))


def _fill_colour(thing: Handle) -> int:
    """Return 0xRRGGBB; -1 when it is see-through or unknown (a pattern)."""
    red, green, blue, alpha = (ctypes.c_uint() for _ in range(4))
    if not _colour_of(thing, *map(ctypes.byref, (red, green, blue, alpha))) or alpha.value < 8:
        return -1
    return red.value << 16 | green.value << 8 | blue.value


def _is_rectangle(points: list[tuple[float, float, bool]], box: Box) -> bool:
    """Return whether the outline runs along the edges of its box only."""
    if len(points) > 6:
        return False
    x0, y0, x1, y1 = box
    return all(
        straight and min(abs(x - x0), abs(x - x1)) <= 1 and min(abs(y - y0), abs(y - y1)) <= 1
        for x, y, straight in points[1:]
    )


def _matrix(thing: Handle) -> _Matrix:
    m = raw.FS_MATRIX()
    if not _matrix_of(thing, ctypes.byref(m)):
        return _SAME
    return (m.a, m.b, m.c, m.d, m.e, m.f)


def _compose(inner: _Matrix, outer: _Matrix) -> _Matrix:
    a, b, c, d, e, f = inner
    p, q, r, s, t, u = outer
    return (a * p + b * r, a * q + b * s, c * p + d * r, c * q + d * s, e * p + f * r + t, e * q + f * s + u)


def _apply(m: _Matrix, x: float, y: float) -> tuple[float, float]:
    return (m[0] * x + m[2] * y + m[4], m[1] * x + m[3] * y + m[5])


def _subpaths(path: Handle, count: int, matrix: _Matrix) -> Iterator[list[tuple[float, float, bool]]]:
    """Yield each subpath as (x, y, whether a straight line leads here), closed where the path closes it."""
    x, y = ctypes.c_float(), ctypes.c_float()
    at = ctypes.byref(x), ctypes.byref(y)
    points: list[tuple[float, float, bool]] = []
    for i in range(count):
        segment = _segment_at(path, i)
        kind: int = _segment_type(segment)
        _segment_point(segment, *at)
        px, py = _apply(matrix, x.value, y.value)
        if kind == raw.FPDF_SEGMENT_MOVETO:
            if len(points) > 1:
                yield points
            points = []
        points.append((px, py, kind == raw.FPDF_SEGMENT_LINETO))
        if _segment_closes(segment) and len(points) > 1:
            points.append((points[0][0], points[0][1], True))
    if len(points) > 1:
        yield points
