"""Bytes → ParsedDocument. Call it only in a jailed worker: PDFium, which ``pdfium`` asks, may abort its process."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from operator import attrgetter
from typing import Any, NamedTuple

from pincite.corpus.figures import FigureDraft, caption_lines, find_figures, is_caption
from pincite.corpus.footnotes import bound, notes_of
from pincite.corpus.furniture import furniture_of
from pincite.corpus.ink import meets
from pincite.corpus.language import detect
from pincite.corpus.lattice import Rules
from pincite.corpus.layout import (
    PlacedLine,
    Turn,
    Word,
    box_of,
    garbled,
    line_of,
    raised_marks,
    rows_of,
    turned,
    unturned,
)
from pincite.corpus.library import PARSER
from pincite.corpus.margin import without_margin
from pincite.corpus.metadata import title_of
from pincite.corpus.ocr import DOUBTFUL, HOW_TO_INSTALL, Recognised
from pincite.corpus.pdfium import Contents, Document, metadata_of, outline_of, page_label, read_sheet
from pincite.corpus.reading_order import in_reading_order
from pincite.corpus.repair import open_or_repair
from pincite.corpus.sections import find_sections
from pincite.corpus.tables import continued, find_tables
from pincite.corpus.textlayer import agrees, moved, unlikely
from pincite.errors import UnreadablePdf
from pincite.types import Box, Figure, Line, Page, PageVerdict, ParsedDocument, Table

MAX_PAGES = 20_000

DOUBTFUL_TABLE = 0.5
"""A table below this confidence may be a chart on a grid."""

_TURNS: tuple[Turn, ...] = (0, 1, 2, 3)
_TURN_OF = attrgetter("turn")


def read_pdf(
    data: bytes,
    source: str,
    *,
    recognised: Mapping[int, Recognised] | None = None,
    no_ocr: str = HOW_TO_INSTALL,
    on_page: Callable[[int, int], None] | None = None,
) -> ParsedDocument:
    """Return what is printed in a PDF, page by page, with a verdict on every page.

    ``recognised`` is what OCR read, by page. A page that needs OCR and is not there says so, with ``no_ocr`` as what to
    do. Ask without it first: the pages with ``needs_ocr`` are those to recognise.

    ``on_page(page, pages)`` is called before each page, from 1, and once after the last with ``pages + 1``: a
    supervisor takes it as a sign of life.

    Raises:
        UnreadablePdf: The bytes are no PDF, are damaged beyond repair, are protected with a password, or hold no page.
    """
    document, repaired = open_or_repair(data, source)
    try:
        count = len(document)
        if count > MAX_PAGES:
            raise UnreadablePdf(f"the file says it has {count} pages, more than {MAX_PAGES}; split it", source=source)
        pages: list[Page] = []
        placed: list[list[PlacedLine]] = []
        tables: list[Table] = []
        figures: list[list[_PageFigure]] = []
        for index in range(count):
            if on_page:
                on_page(index + 1, count)
            read = _read_page(document, index, (recognised or {}).get(index + 1), no_ocr)
            page = read.page
            if repaired and page.verdict == "empty" and not page.needs_ocr:
                # A repaired copy has a page for each that is listed, also where what was printed on it is gone.
                page = replace(page, verdict="failed", reason="the file is damaged: nothing is left on this page")
            pages.append(page)
            placed.append(read.lines)
            tables += read.tables
            figures.append(read.figures)
        if on_page:
            on_page(count + 1, count)
        outline = tuple(outline_of(document, count))
        metadata = metadata_of(document)
    finally:
        document.close()
    running = furniture_of(placed)
    drafts, in_notes = notes_of(placed, running, tables)
    body = [p for page in placed for p in page if id(p) not in running and id(p) not in in_notes]
    lines = tuple(p.line for p in body)
    notes = bound(drafts, {id(p): i for i, p in enumerate(body)})
    furniture = tuple(p.line for page in placed for p in page if id(p) in running)
    found_tables = continued(tuple(tables), lines)
    title = title_of(lines, furniture, dict(metadata), source)
    return ParsedDocument(
        source=source,
        sha256=hashlib.sha256(data).hexdigest(),
        parser=PARSER,
        title=title,
        language=detect(line.text for line in lines),
        pages=tuple(pages),
        lines=lines,
        furniture=furniture,
        sections=find_sections(lines, found_tables, outline, title=title),
        tables=found_tables,
        metadata=metadata,
        ocr=next((seen.engine for seen in (recognised or {}).values()), ""),
        notes=notes,
        figures=_placed_figures(figures, lines),
        repaired=repaired,
    )


class _Read(NamedTuple):
    page: Page
    lines: list[PlacedLine]
    tables: list[Table]
    figures: list[_PageFigure]


class _PageFigure(NamedTuple):
    """A figure in user space before the lines of the document are counted."""

    box: Box
    lines: tuple[Line, ...]
    caption: tuple[float, float] | None
    """A point on the first word of its caption."""


def _read_page(document: Document, index: int, seen: Recognised | None, no_ocr: str) -> _Read:
    number = index + 1
    label = page_label(document, index)
    sheet = read_sheet(document, index)
    if sheet is None:
        nothing: Box = (0.0, 0.0, 0.0, 0.0)
        failed = Page(number, label, "failed", 0.0, 0.0, 0, nothing, "PDFium cannot load this page")
        return _Read(failed, [], [], [])
    media, crop, rotation, contents = sheet
    shown = _sheet(media, crop)
    # Printers' marks and whatever else stands beside the sheet is seen by nobody, so nobody may rest on it.
    words = [word for word in contents.words if meets(word, shown)]
    verdict, reason, needs_ocr = _verdict(contents, words, shown)
    confidence = 1.0
    if needs_ocr and seen is None:
        reason = "; ".join((reason, no_ocr))
    elif needs_ocr and seen is not None:
        layer = [word.text for word in contents.words]
        was = verdict
        verdict, reason, needs_ocr = _verdict_on_ocr(seen, verdict, reason, layer)
        if verdict == "ocr":
            contents = _with_ocr(contents, seen, keep_layer=was == "empty")
            words = [word for word in contents.words if meets(word, shown)]
            confidence = seen.confidence
    turn = _main_turn(contents.words, rotation)
    if turn:
        words = [_in_frame(word, turn) for word in words]
    tables = [] if not contents.words else find_tables(words, contents.rules.turned(turn), page=number, turn=turn)
    drafts = _figures(words, contents, tables, turn=turn, sheet=shown)
    # What was read as a table with doubt and has a figure's caption is a chart on a grid.
    tables = [t for t in tables if not any(d.caption and _inside(turned(t.box, turn), d.box) for d in drafts)]
    taken = {id(w) for draft in drafts for w in draft.words}
    outside = [w for w in words if id(w) not in taken]
    lines = _lines(outside, tables, page=number, turn=turn, sheet=shown, rotation=rotation)
    figures = [
        _PageFigure(
            unturned(draft.box, turn),
            tuple(p.line for p in _lines(draft.words, [], page=number, turn=turn, sheet=shown, rotation=rotation)),
            _middle(unturned(box_of([draft.caption]), turn)) if draft.caption else None,
        )
        for draft in drafts
    ]
    if verdict == "ocr" and seen is not None and seen.slope:
        lines = [replace(p, line=replace(p.line, box=seen.slanted(p.line.box))) for p in lines]
        tables = [_slanted(table, seen) for table in tables]
        figures = [
            f._replace(lines=tuple(replace(line, box=seen.slanted(line.box)) for line in f.lines), caption=None)
            for f in figures
        ]
    width, height = media[2] - media[0], media[3] - media[1]
    page = Page(number, label, verdict, width, height, rotation, crop, reason, confidence, needs_ocr)
    return _Read(page, lines, tables, figures)


def _figures(
    words: list[Word], contents: Contents, tables: list[Table], *, turn: Turn, sheet: Box
) -> list[FigureDraft]:
    """Return the figures of a page, in its frame; what lies in a table that is not in doubt is none."""
    if not contents.pictures and not contents.drawn:
        return []
    frames = [turned(t.box, turn) for t in tables if t.confidence >= DOUBTFUL_TABLE]
    rules = contents.rules.turned(turn)
    thin = [(a, y, b, y) for y, a, b in rules.across] + [(x, a, x, b) for x, a, b in rules.down]

    def free(boxes: Iterable[Box]) -> list[Box]:
        return [b for b in boxes if not any(_inside(b, frame) for frame in frames)]

    outside = [w for w in words if not any(_inside((w.x0, w.y0, w.x1, w.y1), frame) for frame in frames)]
    drawn = free([*(turned(b, turn) for b in contents.drawn), *thin])
    return find_figures(outside, drawn, free(turned(b, turn) for b in contents.pictures), turned(sheet, turn))


def _middle(box: Box) -> tuple[float, float]:
    return ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)


def _inside(inner: Box, outer: Box) -> bool:
    """Return whether the middle of a box lies in another one."""
    x, y = _middle(inner)
    return outer[0] <= x <= outer[2] and outer[1] <= y <= outer[3]


def _placed_figures(found: list[list[_PageFigure]], lines: tuple[Line, ...]) -> tuple[Figure, ...]:
    """Return the figures with the place of their captions in the document's lines."""
    if not any(found):
        return ()
    on_page: dict[int, list[int]] = {}
    letters: Counter[float] = Counter()
    for i, line in enumerate(lines):
        on_page.setdefault(line.page, []).append(i)
        letters[line.size] += len(line.text)
    usual = letters.most_common(1)[0][0] if letters else 10.0
    out: list[Figure] = []
    for page, figures in enumerate(found, 1):
        here = on_page.get(page, [])
        after = next((i for i, line in enumerate(lines) if line.page > page), len(lines))
        for figure in figures:
            point = figure.caption
            line = next((i for i in here if point and _inside((*point, *point), lines[i].box)), None)
            if line is not None and is_caption(lines[line].text):
                out.append(Figure(page, figure.box, line, caption_lines(lines, line, usual), figure.lines))
            else:
                below = next((i for i in here if lines[i].box[3] <= figure.box[3]), after)
                out.append(Figure(page, figure.box, below, 0, figure.lines))
    return tuple(out)


def _sheet(media: Box, crop: Box) -> Box:
    """Return what a viewer shows: the CropBox within the MediaBox, or the MediaBox when they do not meet."""
    x0, y0, x1, y1 = max(media[0], crop[0]), max(media[1], crop[1]), min(media[2], crop[2]), min(media[3], crop[3])
    return (x0, y0, x1, y1) if x1 > x0 and y1 > y0 else media


def _main_turn(words: Sequence[Word], rotation: int) -> Turn:
    """Return the turn of most words; of a page without words, the one that /Rotate sets upright."""
    if not words:
        return _TURNS[rotation // 90 % 4]
    turns = Counter(map(_TURN_OF, words))
    return max(_TURNS, key=lambda turn: (turns[turn], turn == rotation // 90 % 4))


def _in_frame(word: Word, turn: Turn) -> Word:
    """Return a word of user space in the frame of text that runs in ``turn``."""
    x0, y0, x1, y1 = turned((word.x0, word.y0, word.x1, word.y1), turn)
    # ``baseline`` is measured across the word's own direction of writing, so in its own frame already.
    return word._replace(x0=x0, y0=y0, x1=x1, y1=y1, turn=_TURNS[(word.turn - turn) % 4])


def _lines(
    words: list[Word], tables: list[Table], *, page: int, turn: Turn, sheet: Box, rotation: int
) -> list[PlacedLine]:
    """Return the lines of a page in reading order; those of a table stand together, cell by cell."""
    shown = turned(sheet, rotation // 90 % 4)
    height = shown[3] - shown[1]

    def place(row: list[Word], line_turn: int, in_table: bool = False) -> PlacedLine:
        line = line_of(row, page=page, turn=line_turn)
        top = shown[3] - turned(line.box, rotation // 90 % 4)[3]
        return PlacedLine(line, top, height, in_table, line_turn != turn, raised_marks(row, line.size))

    frames = [turned(table.box, turn) for table in tables]
    inside: list[list[Word]] = [[] for _ in tables]
    outside: list[Word] = []
    askew: list[list[Word]] = [[], [], [], []]
    for word in words:
        x, y = (word.x0 + word.x1) / 2, (word.y0 + word.y1) / 2
        for i, (x0, y0, x1, y1) in enumerate(frames):
            if x0 <= x <= x1 and y0 <= y <= y1:
                inside[i].append(word)
                break
        else:
            if word.turn:
                askew[word.turn].append(word)
            else:
                outside.append(word)
    # A table takes part in the reading order as one wide word at its upper edge.
    stand_ins = [Word("", f[0], f[1], f[2], f[3], f[3] - 8, 10.0, False) for f in frames]
    where = {id(word): i for i, word in enumerate(stand_ins)}
    out: list[PlacedLine] = []
    for row in without_margin(in_reading_order([*outside, *stand_ins])):
        for part in _parted(row, frames):
            i = where.get(id(part[0]))
            if i is None:
                out.append(place(part, turn))
            else:
                out += [place(r, (turn + t) % 4, True) for t, r in _table_rows(inside[i], tables[i], turn)]
    for relative in (1, 2, 3):
        own = (turn + relative) % 4
        back = [w._replace(**_boxed(unturned((w.x0, w.y0, w.x1, w.y1), turn), own)) for w in askew[relative]]
        out += [place(row, own) for row in rows_of(back)]
    return out


def _parted(row: list[Word], frames: list[Box]) -> Iterator[list[Word]]:
    """Yield a row in pieces, so that none reaches over a table and a table's stand-in is a piece of its own."""
    piece: list[Word] = []
    for word in row:
        if piece:
            last = piece[-1]
            apart = not word.text or not last.text
            for x0, y0, x1, y1 in frames:
                apart = apart or (last.x1 <= x0 + 2 and word.x0 >= x1 - 2 and word.y1 > y0 and word.y0 < y1)
            if apart:
                yield piece
                piece = []
        piece.append(word)
    if piece:
        yield piece


def _boxed(user: Box, turn: int) -> dict[str, Any]:
    # Any: keyword arguments for NamedTuple._replace, which is not typed by field.
    x0, y0, x1, y1 = turned(user, turn)
    return {"x0": x0, "y0": y0, "x1": x1, "y1": y1}


def _table_rows(words: list[Word], table: Table, turn: Turn) -> Iterator[tuple[int, list[Word]]]:
    """Yield the printed lines of a table, cell by cell, each with its turn relative to the frame."""
    cells = [(turned(c.box, turn), c) for c in table.cells if c.box]
    groups: dict[int, list[Word]] = {}
    for word in words:
        x, y = (word.x0 + word.x1) / 2, (word.y0 + word.y1) / 2
        home = next((i for i, (b, _) in enumerate(cells) if b[0] <= x <= b[2] and b[1] <= y <= b[3]), -1)
        groups.setdefault(home, []).append(word)
    for i in sorted(groups, key=lambda i: (cells[i][1].r0, cells[i][1].c0) if i >= 0 else (1 << 30, 0)):
        for relative in (0, 1, 2, 3):
            some = [w for w in groups[i] if w.turn == relative]
            if relative and some:
                own = (turn + relative) % 4
                some = [w._replace(**_boxed(unturned((w.x0, w.y0, w.x1, w.y1), turn), own)) for w in some]
            for row in rows_of(some):
                yield relative, row


# ---------------------------------------------------------------- OCR


def _with_ocr(contents: Contents, seen: Recognised, *, keep_layer: bool) -> Contents:
    """Return the contents of a page with what OCR read instead of, or beside, its text layer."""
    kept = contents.words if keep_layer else []
    taken = [(w.x0, w.y0, w.x1, w.y1) for w in kept]
    read = [w._replace(turn=seen.turn) for w in seen.words if not any(_within(w, box) for box in taken)]
    rules = Rules((*contents.rules.across, *seen.across), (*contents.rules.down, *seen.down), contents.rules.fills)
    return replace(contents, words=[*kept, *read], rules=rules)


def _within(word: Word, box: Box) -> bool:
    x, y = (word.x0 + word.x1) / 2, (word.y0 + word.y1) / 2
    return box[0] <= x <= box[2] and box[1] <= y <= box[3]


def _slanted(table: Table, seen: Recognised) -> Table:
    cells = tuple(replace(cell, box=seen.slanted(cell.box)) if cell.box else cell for cell in table.cells)
    return replace(table, box=seen.slanted(table.box), cells=cells)


class _Judged(NamedTuple):
    verdict: PageVerdict
    reason: str
    needs_ocr: bool = False


def _verdict_on_ocr(seen: Recognised, verdict: PageVerdict, reason: str, layer: list[str]) -> _Judged:
    """Return the verdict on a page that OCR was asked to read; ``verdict`` and ``reason`` are those without it.

    ``layer``: the words of its text layer. Where both say the same the layer is right, however odd it looked.
    """
    if seen.failure:
        return _Judged(verdict, f"{reason}; OCR ({seen.engine}) failed: {seen.failure}", True)
    if not seen.words:
        return _Judged(verdict, f"{reason}; OCR ({seen.engine}) found no text on it", True)
    if verdict in ("text", "garbled"):
        alike = agrees(layer, [word.text for word in seen.words])
        if alike:
            return _Judged("text", f"{reason}, but OCR ({seen.engine}) reads the same")
        if verdict == "text" and (alike is None or seen.confidence < DOUBTFUL):
            return _Judged("text", f"{reason}; OCR ({seen.engine}) could not settle it", True)
    told = [f"read by OCR ({seen.engine}), mean confidence {seen.confidence:.2f}"]
    if seen.confidence < DOUBTFUL:
        told.append("doubtful: compare it with the page")
    if seen.left_out:
        told.append(f"{seen.left_out} words could not be made out")
    told.append(f"its text layer: {reason}" if verdict in ("text", "garbled") else reason)
    return _Judged("ocr", "; ".join(told))


def _verdict(contents: Contents, words: Sequence[Word], sheet: Box) -> _Judged:
    """Return the verdict on a page and why; words left out because nobody sees them are always told.

    ``words`` are those that stand on the sheet.
    """
    verdict, reason, needs_ocr = _verdict_on_seen(contents, words, sheet)
    unseen = ""
    if contents.unseen == 1:
        unseen = "1 word that cannot be seen was left out"
    elif contents.unseen:
        unseen = f"{contents.unseen} words that cannot be seen were left out"
    return _Judged(verdict, "; ".join(filter(None, (reason, unseen))), needs_ocr)


def _verdict_on_seen(contents: Contents, words: Sequence[Word], sheet: Box) -> _Judged:
    if contents.reason and not words:
        return _Judged("failed", contents.reason)
    area = max((sheet[2] - sheet[0]) * (sheet[3] - sheet[1]), 1.0)
    covered = max(((b[2] - b[0]) * (b[3] - b[1]) / area for b in contents.pictures), default=0.0)
    characters = sum(len(w.text) for w in words)
    if not words and covered > 0.3:
        return _Judged("empty", "a picture without a text layer (a scan?)", True)
    if not words:
        return _Judged("empty", "no text is printed on it", contents.inked)
    texts = [w.text for w in words]
    counted = Counter("".join(texts))
    if rubbish := garbled(texts, counted) or moved(texts):
        return _Judged("garbled", rubbish, True)
    if covered > 0.6 and characters < 60:
        return _Judged("empty", f"a picture covers it and only {characters} characters are text (a scan?)", True)
    if doubt := unlikely(texts, counted):
        return _Judged("text", doubt, True)
    return _Judged("text", contents.reason)
