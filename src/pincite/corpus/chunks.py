"""ParsedDocument → chunks: whole lines, never over a section, tables in one piece. Pure.

Put back in order, chunks give every body line outside tables and every table, once.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from pincite.corpus.tables import header_rows, holds, rows
from pincite.types import Chunk, Line, ParsedDocument, SectionPath, Span, Table

SIZE = 2000
"""Characters of a chunk of prose. Beyond that a citation points at half a page; an encoder may bound it lower."""

MAX_TITLE = 120
"""Characters of title that are embedded with every chunk; the titles of statutes run to 400."""

COPIED_CELL = 200
"""A merged cell longer than this is copied once: a remark of 3,000 characters over 12 rows is one remark."""

SMALLEST = 40
"""Characters that ``fits`` must accept without title and path; a line is never cut into smaller pieces."""

_BULLET = re.compile(
    r"^([•▪●○◦‣–—\-*]\s|\(?[a-z]{1,3}[.)]\s?|\(?\d{1,3}[.)]\s|\(?[ivxl]+[.)]\s|\d+°\s?)", re.IGNORECASE
)
_SENTENCE_END = re.compile(r"[.!?;:…]['\"’”)\]]*$")


@dataclass(frozen=True, slots=True)
class _Piece:
    """A line or, of a line that is too long for a chunk, a part of it."""

    text: str
    line: Line


def cut(document: ParsedDocument, *, fits: Callable[[str], bool], size: int = SIZE) -> tuple[Chunk, ...]:
    """Return the chunks of a document in reading order.

    A prose chunk has at most ``size`` characters (more only if a single short line has more), and its
    ``embedded_text`` passes ``fits``. A table is one chunk however long; see ``parts`` for what is embedded of it.
    """
    cutter = _Cutter(document, fits, size)
    return tuple(cutter.chunks())


class _Cutter:
    def __init__(self, document: ParsedDocument, fits: Callable[[str], bool], size: int) -> None:
        self.document = document
        self.fits = fits
        self.size = size
        self.leading = _leading(document.lines)
        self.on_page: dict[int, list[int]] = {}
        for i, table in enumerate(document.tables):
            self.on_page.setdefault(table.page, []).append(i)

    def chunks(self) -> Iterator[Chunk]:
        lines = self.document.lines
        starts = [(0, ())] if not self.document.sections or self.document.sections[0].line > 0 else []
        starts += [(s.line, s.path) for s in self.document.sections]
        ends = [line for line, _ in starts[1:]] + [len(lines)]
        index = 0
        shown: set[int] = set()
        for (start, path), end in zip(starts, ends, strict=True):
            prose: list[Line] = []
            for k in range(start, end):
                line = lines[k]
                # Tables above this line on its page, or on sheets before it, that hold no line of their own come too.
                home = next((i for i in self.on_page.get(line.page, ()) if holds(self.document.tables[i], line)), None)
                if home is None:
                    prose.append(line)
                elif home not in shown:
                    for chunk in self._prose(prose, path, index):
                        yield chunk
                        index += 1
                    prose = []
                    shown.add(home)
                    yield self._table(home, path, index)
                    index += 1
            for chunk in self._prose(prose, path, index):
                yield chunk
                index += 1
        for i in range(len(self.document.tables)):
            if i not in shown:
                yield self._table(i, starts[-1][1] if starts else (), index)
                index += 1

    # -------------------------------------------------------- prose

    def _prose(self, lines: list[Line], path: SectionPath, index: int) -> Iterator[Chunk]:
        if not lines:
            return
        prefix = self._prefix(path)
        chunk: list[_Piece] = []
        waiting: list[list[_Piece]] = list(reversed(self._groups(lines)))
        while waiting:
            group = waiting.pop()
            if self._fit(prefix, [*chunk, *group]):
                chunk += group
                continue
            length = sum(len(p.text) + 1 for p in chunk)
            alone = self._fit(prefix, group)
            if chunk and (length >= self.size // 2 or (alone and length >= self.size // 4)):
                yield self._chunk(chunk, path, prefix, index)
                index += 1
                chunk = []
                waiting.append(group)
                continue
            finer = self._finer(group, room=self.size - length - 1)
            if finer:
                waiting += reversed(finer)
            elif chunk:
                yield self._chunk(chunk, path, prefix, index)
                index += 1
                chunk = []
                waiting.append(group)
            else:
                halves = _halves(group[0]) if len(group[0].text) > SMALLEST else []
                if halves:
                    waiting += reversed(halves)
                else:
                    chunk = list(group)
        if chunk:
            yield self._chunk(chunk, path, prefix, index)

    def _fit(self, prefix: str, pieces: Sequence[_Piece]) -> bool:
        text = "\n".join(p.text for p in pieces)
        return len(text) <= self.size and self.fits(prefix + text)

    def _prefix(self, path: SectionPath) -> str:
        """Return title and path, or as much of them as leaves room for text."""
        title = self.document.title[:MAX_TITLE]
        sample = "x" * SMALLEST
        for said in (
            f"{title}\n{' › '.join(path)}\n" if path else f"{title}\n",
            f"{title}\n{path[-1][:MAX_TITLE]}\n" if path else "",
            f"{title}\n",
        ):
            if said and len(said) < self.size and self.fits(said + sample):
                return said
        return ""

    def _groups(self, lines: list[Line]) -> list[list[_Piece]]:
        """Return paragraphs; a list that a colon introduces is one with the line that does."""
        paragraphs: list[list[_Piece]] = []
        for i, line in enumerate(lines):
            piece = _Piece(line.text, line)
            if i and not self._begins(lines[i - 1], line):
                paragraphs[-1].append(piece)
            else:
                paragraphs.append([piece])
        groups: list[list[_Piece]] = []
        listing = False
        for paragraph in paragraphs:
            item = bool(_BULLET.match(paragraph[0].text.lstrip()))
            if groups and listing and item:
                joined = [*groups[-1], *paragraph]
                if sum(len(p.text) + 1 for p in joined) <= self.size:
                    groups[-1] = joined
                    continue
                listing = False
            listing = paragraph[-1].text.rstrip().endswith(":")
            begins = _last_sentence(paragraph) if listing else 0
            if begins:
                groups.append(paragraph[:begins])
            groups.append(paragraph[begins:])
        return groups

    def _begins(self, before: Line, line: Line) -> bool:
        """Return whether a paragraph begins: white above, a bullet, other type, or a new line after a short one."""
        if _BULLET.match(line.text.lstrip()):
            return True
        if abs(before.size - line.size) > 0.6 or before.bold != line.bold:
            return True
        ended = bool(_SENTENCE_END.search(before.text.rstrip()))
        if before.page != line.page or before.box[1] <= line.box[1]:
            return ended
        if before.box[1] - line.box[1] > 1.35 * self.leading:
            return True
        return ended and before.box[2] < line.box[2] - 4 * line.size

    def _finer(self, group: list[_Piece], *, room: int) -> list[list[_Piece]]:
        """Return a group in two or more parts: its entries, else what has room, to a sentence end if there is one."""
        if len(group) == 1:
            return []
        entries: list[list[_Piece]] = []
        for i, piece in enumerate(group):
            if i and not self._begins(group[i - 1].line, piece.line):
                entries[-1].append(piece)
            else:
                entries.append([piece])
        if len(entries) > 1:
            return entries
        # What is short enough but has too many tokens is halved, roughly.
        room = min(room, sum(len(p.text) + 1 for p in group) * 3 // 5)
        length, last, full = 0, 0, 1
        for i, piece in enumerate(group[:-1], 1):
            length += len(piece.text) + 1
            if length > room:
                break
            full = i
            if _SENTENCE_END.search(piece.text.rstrip()) and length >= room // 3:
                last = i
        return [group[: last or full], group[last or full :]]

    def _chunk(self, pieces: list[_Piece], path: SectionPath, prefix: str, index: int) -> Chunk:
        spans: list[Span] = []
        at = 0
        for piece in pieces:
            spans.append(Span(at, at + len(piece.text), piece.line.page, piece.line.box))
            at += len(piece.text) + 1
        text = "\n".join(p.text for p in pieces)
        pages = tuple(sorted({p.line.page for p in pieces}))
        return Chunk(index, path, "text", pages, text, prefix + text, tuple(spans))

    # -------------------------------------------------------- tables

    def _table(self, i: int, path: SectionPath, index: int) -> Chunk:
        table = self.document.tables[i]
        text, spans = _printed(table)
        embedded = "\n".join(
            [
                self.document.title[:MAX_TITLE],
                *([" › ".join(path)] if path else []),
                *([" ".join(caption.split())] if (caption := self._caption(i)) else []),
                *self._header(i),
                *_copied(table),
                *(" ".join(note.split()) for note in table.footnotes),
            ]
        )
        return Chunk(index, path, "table", (table.page,), text, embedded, spans, table)

    def _origin(self, i: int) -> int:
        """Return the first region of the table that region ``i`` continues."""
        seen = {i}
        while (before := self.document.tables[i].continues) is not None and before not in seen:
            i = before
            seen.add(i)
        return i

    def _caption(self, i: int) -> str:
        return self.document.tables[i].caption or self.document.tables[self._origin(i)].caption

    def _header(self, i: int) -> list[str]:
        """Return the header of the first region, for a region that does not repeat it."""
        table, origin = self.document.tables[i], self.document.tables[self._origin(i)]
        if origin is table or header_rows(table):
            return []
        return _copied(origin)[: header_rows(origin)]


def parts(chunk: Chunk, fits: Callable[[str], bool]) -> tuple[str, ...]:
    """Return the texts to embed for a chunk: one when it fits; else several, each with title, path and header again.

    Of a table every part holds whole rows, unless one row alone is too long.
    """
    if fits(chunk.embedded_text):
        return (chunk.embedded_text,)
    lines = chunk.embedded_text.split("\n")
    if chunk.table is None:
        body = chunk.text.split("\n")
        lead = lines[: len(lines) - len(body)]
    else:
        own_rows = len(rows(chunk.table)) - header_rows(chunk.table)
        count = own_rows + len(chunk.table.footnotes)
        lead, body = lines[: len(lines) - count], lines[len(lines) - count :]
    prefix = _shortened("\n".join(lead), fits)
    out: list[str] = []
    current: list[str] = []
    waiting = list(reversed(body))
    while waiting:
        row = waiting.pop()
        if fits(prefix + "\n".join([*current, row])):
            current.append(row)
        elif current:
            out.append(prefix + "\n".join(current))
            current = []
            waiting.append(row)
        elif len(row) > SMALLEST:
            middle = _break(row)
            waiting += [row[middle:], row[:middle]]
        else:
            current.append(row)
    if current or not out:
        out.append(prefix + "\n".join(current))
    return tuple(out)


def _shortened(prefix: str, fits: Callable[[str], bool]) -> str:
    """Return the prefix with a line break, cut at its end until it leaves room for as much text again."""
    while prefix and not fits(prefix + "\n" + prefix[:400] + "x" * SMALLEST):
        prefix = prefix[: len(prefix) * 3 // 4]
    return prefix + "\n" if prefix else ""


def _printed(table: Table) -> tuple[str, tuple[Span, ...]]:
    """Return the rows as lines, each merged cell once where it begins, with the place of every row."""
    height = max((c.r1 for c in table.cells), default=-1) + 1
    width = max((c.c1 for c in table.cells), default=-1) + 1
    at = 0
    lines: list[str] = []
    spans: list[Span] = []
    for r in range(height):
        cells = [""] * width
        boxes = [c.box for c in table.cells if c.r0 == c.r1 == r and c.box] or [
            c.box for c in table.cells if c.r0 <= r <= c.r1 and c.box
        ]
        for cell in table.cells:
            if cell.r0 == r:
                cells[cell.c0] = " ".join(cell.text.split())
        line = " | ".join(cells)
        box = (
            (min(b[0] for b in boxes), min(b[1] for b in boxes), max(b[2] for b in boxes), max(b[3] for b in boxes))
            if boxes
            else table.box
        )
        lines.append(line)
        spans.append(Span(at, at + len(line), table.page, box))
        at += len(line) + 1
    return "\n".join(lines), tuple(spans)


def _copied(table: Table) -> list[str]:
    """Return the rows as lines with merged cells copied into every row; into every column only if they are short.

    A long remark (over ``COPIED_CELL`` characters) appears once.
    """
    grid = [list(row) for row in rows(table)]
    for cell in table.cells:
        text = " ".join(cell.text.split())
        places = [(r, c) for r in range(cell.r0, cell.r1 + 1) for c in range(cell.c0, cell.c1 + 1)]
        if len(text) > COPIED_CELL:
            for r, c in places[1:]:
                grid[r][c] = ""
    return [" | ".join(row) for row in grid]


def _last_sentence(paragraph: Sequence[_Piece]) -> int:
    """Return the index of the first line after the last sentence that ends with a line; 0 when none does."""
    for k in range(len(paragraph) - 1, 0, -1):
        if _SENTENCE_END.search(paragraph[k - 1].text.rstrip()):
            return k
    return 0


def _halves(piece: _Piece) -> list[list[_Piece]]:
    middle = _break(piece.text)
    return [[_Piece(piece.text[:middle], piece.line)], [_Piece(piece.text[middle:], piece.line)]]


def _break(text: str) -> int:
    """Return where to break a text in two: after the white space nearest the middle, else in the middle."""
    middle = len(text) // 2
    spaces = [m.end() for m in re.finditer(r"\s+", text) if 0 < m.end() < len(text)]
    return min(spaces, key=lambda s: abs(s - middle)) if spaces else middle


def _leading(lines: Sequence[Line]) -> float:
    gaps: Counter[float] = Counter()
    for a, b in pairwise(lines):
        if a.page == b.page and 0 < a.box[1] - b.box[1] < 4 * max(a.size, 4.0):
            gaps[round(a.box[1] - b.box[1], 1)] += 1
    return gaps.most_common(1)[0][0] if gaps else 14.0
