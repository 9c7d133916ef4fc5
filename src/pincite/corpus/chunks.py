"""ParsedDocument → chunks: whole lines, never over a section, tables and figures apart. Pure.

Put back in order, the chunks of a section give its lines, each footnote after the paragraph that carries its mark, and
its tables and figures, once. One exception: of a table that is cut between rows every part repeats the header.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from pincite.corpus.hyphenation import SOFT, known_words, only_breaks, softened, unbroken
from pincite.corpus.table_text import body_lines, for_search, in_parts, printed, with_header
from pincite.corpus.tables import header_rows, holds
from pincite.types import Box, Chunk, Figure, Line, Note, ParsedDocument, SectionPath, Span

SIZE = 2000
"""Characters of a chunk of prose. Beyond that a citation points at half a page; an encoder may bound it lower."""

MAX_TITLE = 120
"""Characters of title that are embedded with every chunk; the titles of statutes run to 400."""

SMALLEST = 40
"""Characters that ``fits`` must accept without title and path; a line is never cut into smaller pieces."""

DESCRIBED = "Described by a model:"
"""What parts the words of a vision model from what is printed, in the embedded text of a chunk of kind ``figure``."""

_BULLET = re.compile(
    r"^([•▪●○◦‣–—\-*]\s|\(?[a-z]{1,3}[.)]\s?|\(?\d{1,3}[.)]\s|\(?[ivxl]+[.)]\s|\d+°\s?)", re.IGNORECASE
)
_SENTENCE_END = re.compile(r"[.!?;:…]['\"’”)\]]*$")


@dataclass(frozen=True, slots=True)
class _Piece:
    """A line or, of a line that is too long for a chunk, a part of it."""

    text: str
    line: Line
    notes: tuple[Note, ...] = ()
    """Whose marks stand in the line."""
    note: bool = False
    """Whether it is a line of a footnote."""


def cut(
    document: ParsedDocument, *, fits: Callable[[str], bool], size: int = SIZE, lead: str = ""
) -> tuple[Chunk, ...]:
    """Return the chunks of a document in reading order.

    A prose chunk has at most ``size`` characters (more only if a single short line has more), and its
    ``embedded_text`` passes ``fits``. A table is one chunk unless it is very long (``table_text.LARGEST``); see
    ``parts`` for what is embedded of it. ``lead`` is what every embedded text begins with, up to as much as fits; the
    document's title when it is empty.
    """
    cutter = _Cutter(document, fits, size, lead or document.title[:MAX_TITLE])
    return tuple(cutter.chunks())


class _Cutter:
    def __init__(self, document: ParsedDocument, fits: Callable[[str], bool], size: int, lead: str) -> None:
        self.document = document
        self.fits = fits
        self.size = size
        self.lead = lead
        self.known = known_words(document.lines)
        self.leading = _leading(document.lines)
        self.on_page: dict[int, list[int]] = {}
        for i, table in enumerate(document.tables):
            self.on_page.setdefault(table.page, []).append(i)
        self.notes: dict[int, list[Note]] = {}
        for note in document.notes:
            self.notes.setdefault(note.line, []).append(note)
        self.figures: dict[int, list[Figure]] = {}
        for figure in document.figures:
            self.figures.setdefault(figure.line, []).append(figure)
        self.index = 0

    def chunks(self) -> Iterator[Chunk]:
        lines = self.document.lines
        starts = [(0, ())] if not self.document.sections or self.document.sections[0].line > 0 else []
        starts += [(s.line, s.path) for s in self.document.sections]
        ends = [line for line, _ in starts[1:]] + [len(lines)]
        shown: set[int] = set()
        for (start, path), end in zip(starts, ends, strict=True):
            prose: list[_Piece] = []
            k = start
            while k < end:
                line = lines[k]
                for figure in self.figures.get(k, ()):
                    yield from self._prose(prose, path)
                    prose = []
                    yield from self._figure(figure, path, end)
                if captions := max((f.caption_lines for f in self.figures.get(k, ())), default=0):
                    prose += [p for note in self._notes(k, min(k + captions, end)) for p in _note_pieces(note)]
                    k = min(k + captions, end)
                    continue
                # Tables above this line on its page, or on sheets before it, that hold no line of their own come too.
                home = next((i for i in self.on_page.get(line.page, ()) if holds(self.document.tables[i], line)), None)
                notes = self._notes(k, k + 1)
                if home is None:
                    prose.append(_Piece(line.text, line, notes))
                else:
                    if home not in shown:
                        yield from self._prose(prose, path)
                        prose = []
                        shown.add(home)
                        yield from self._tables(home, path)
                    prose += [p for note in notes for p in _note_pieces(note)]
                k += 1
            yield from self._prose(prose, path)
        last = starts[-1][1] if starts else ()
        for figure in self.figures.get(len(lines), ()):
            yield from self._figure(figure, last, len(lines))
        for i in range(len(self.document.tables)):
            if i not in shown:
                yield from self._tables(i, last)
        if not lines:
            yield from self._prose([p for note in self._notes(0, 1) for p in _note_pieces(note)], last)
        for said in self.document.described:
            if said.text and not said.figure:
                path = next((s.path for s in reversed(self.document.sections) if s.page <= said.page), ())
                yield self._picture("", (), (said.page,), path, said.box, 0, said.text)

    def _notes(self, start: int, end: int) -> tuple[Note, ...]:
        return tuple(note for k in range(start, end) for note in self.notes.get(k, ()))

    def _next(self) -> int:
        self.index += 1
        return self.index - 1

    # -------------------------------------------------------- prose

    def _prose(self, lines: list[_Piece], path: SectionPath) -> Iterator[Chunk]:
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
            heading = _is_heading(chunk, path)
            if chunk and not heading and (length >= self.size // 2 or (alone and length >= self.size // 4)):
                yield self._chunk(chunk, path, prefix)
                chunk = []
                waiting.append(group)
                continue
            finer = self._finer(group, room=self.size - length - 1)
            halves = _halves(group[0]) if len(group) == 1 and len(group[0].text) > SMALLEST else []
            if finer:
                waiting += reversed(finer)
            elif halves and (not chunk or heading):
                # A heading takes half of what follows along rather than be a chunk by itself.
                waiting += reversed(halves)
            elif chunk:
                yield self._chunk(chunk, path, prefix)
                chunk = []
                waiting.append(group)
            else:
                chunk = list(group)
        if chunk:
            yield self._chunk(chunk, path, prefix)

    def _fit(self, prefix: str, pieces: Sequence[_Piece]) -> bool:
        if sum(len(p.text) + 1 for p in pieces) - 1 > self.size:
            return False
        return self.fits(prefix + self._read(pieces))

    def _read(self, pieces: Sequence[_Piece]) -> str:
        """Return the text of lines with the words that they break in one piece."""
        return unbroken(
            "\n".join(
                p.text[:-1] + SOFT if i + 1 < len(pieces) and self._breaks(p, pieces[i + 1]) else p.text
                for i, p in enumerate(pieces)
            )
        )

    def _breaks(self, piece: _Piece, after: _Piece) -> bool:
        return (
            piece.text[-1:] in ("-", "\u2010", SOFT)
            and piece.note == after.note
            and only_breaks(piece.text, after.text, self.known, self.document.language)
        )

    def _prefix(self, path: SectionPath) -> str:
        """Return title and path, or as much of them as leaves room for text."""
        title = self.lead
        sample = "x" * SMALLEST
        for said in (
            f"{title}\n{' › '.join(path)}\n" if path else f"{title}\n",
            f"{title[:MAX_TITLE]}\n{path[-1][:MAX_TITLE]}\n" if path else "",
            f"{title[:MAX_TITLE]}\n",
        ):
            if said and len(said) < self.size and self.fits(said + sample):
                return said
        return ""

    def _groups(self, lines: list[_Piece]) -> list[list[_Piece]]:
        """Return paragraphs, each with its notes after it; a list is one with the line that introduces it."""
        paragraphs: list[list[_Piece]] = []
        for i, piece in enumerate(lines):
            if i and not self._begins(lines[i - 1].line, piece.line):
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
            if paragraph[0].note:
                groups.append(paragraph)
                continue
            listing = paragraph[-1].text.rstrip().endswith(":")
            begins = _last_sentence(paragraph) if listing else 0
            if begins:
                groups.append(paragraph[:begins])
            groups.append(paragraph[begins:])
        out: list[list[_Piece]] = []
        for group in groups:
            out.append(group)
            out += [list(_note_pieces(note)) for piece in group for note in piece.notes]
        return out

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

    def _chunk(self, pieces: list[_Piece], path: SectionPath, prefix: str) -> Chunk:
        text, spans = _joined([p.text for p in pieces], [p.line for p in pieces])
        breaks = tuple(
            span.end - 1 for span, (a, b) in zip(spans, pairwise(pieces), strict=False) if self._breaks(a, b)
        )
        embedded = prefix + self._read(pieces)
        held = {id(p.line) for p in pieces}
        for note in (n for p in pieces for n in p.notes if id(n.lines[0]) not in held):
            # The note is a line of another chunk; search finds this one by it too, where there is room.
            longer = embedded + "\n" + self._read(list(_note_pieces(note)))
            if self.fits(longer):
                embedded = longer
        pages = tuple(sorted({p.line.page for p in pieces}))
        return Chunk(self._next(), path, "text", pages, text, embedded, spans, breaks=breaks)

    # -------------------------------------------------------- figures

    def _figure(self, figure: Figure, path: SectionPath, end: int) -> Iterator[Chunk]:
        """Yield the chunk of a figure: its caption, then what is printed inside.

        A picture without text has none, unless a model described it: then the chunk's text is empty.
        """
        caption = self.document.lines[figure.line : min(figure.line + figure.caption_lines, end)]
        lines = [*caption, *figure.lines]
        said = next(
            (d.text for d in self.document.described if d.figure and (d.page, d.box) == (figure.page, figure.box)), ""
        )
        if not lines and not said:
            return
        text, spans = _joined([line.text for line in lines], lines)
        length = spans[len(caption) - 1].end if caption else 0
        pages = tuple(sorted({line.page for line in lines})) or (figure.page,)
        yield self._picture(text, spans, pages, path, figure.box, length, said)

    def _picture(
        self,
        text: str,
        spans: tuple[Span, ...],
        pages: tuple[int, ...],
        path: SectionPath,
        box: Box,
        caption: int,
        said: str,
    ) -> Chunk:
        embedded = self._prefix(path) + text
        if said:
            embedded += f"\n{DESCRIBED} {said}"
        return Chunk(self._next(), path, "figure", pages, text, embedded, spans, picture=box, caption=caption)

    # -------------------------------------------------------- tables

    def _tables(self, i: int, path: SectionPath) -> Iterator[Chunk]:
        table = with_header(self.document.tables[i], self.document.tables[self._origin(i)])
        own = table is self.document.tables[i]
        for number, part in enumerate(in_parts(table)):
            text, spans = printed(part)
            if not own:
                # The header of the first region is there for who reads the cells; printed here are only the rows.
                text, spans = _without_first(text, spans, header_rows(part))
            caption = " ".join(self._caption(i).split())
            embedded = "\n".join(
                [
                    self.lead,
                    *([" › ".join(path)] if path else []),
                    *([f"{caption} (continued)".strip() if number else caption] if caption or number else []),
                    *for_search(part),
                    *(" ".join(note.split()) for note in part.footnotes),
                ]
            )
            yield Chunk(self._next(), path, "table", (part.page,), text, embedded, spans, part)

    def _origin(self, i: int) -> int:
        """Return the first region of the table that region ``i`` continues."""
        seen = {i}
        while (before := self.document.tables[i].continues) is not None and before not in seen:
            i = before
            seen.add(i)
        return i

    def _caption(self, i: int) -> str:
        return self.document.tables[i].caption or self.document.tables[self._origin(i)].caption


def _note_pieces(note: Note) -> Iterator[_Piece]:
    for line in note.lines:
        yield _Piece(line.text, line, note=True)


def _is_heading(pieces: Sequence[_Piece], path: SectionPath) -> bool:
    """Return whether the lines are nothing but the heading of their section."""
    said = " ".join(p.text for p in pieces)
    return bool(path) and "".join(said.split()) == "".join(path[-1].split())


def _joined(texts: Sequence[str], lines: Sequence[Line]) -> tuple[str, tuple[Span, ...]]:
    spans: list[Span] = []
    at = 0
    for text, line in zip(texts, lines, strict=True):
        spans.append(Span(at, at + len(text), line.page, line.box))
        at += len(text) + 1
    return "\n".join(texts), tuple(spans)


def _without_first(text: str, spans: tuple[Span, ...], count: int) -> tuple[str, tuple[Span, ...]]:
    """Return the lines after the first ``count`` with their spans."""
    if not count or count >= len(spans):
        return text, spans
    at = spans[count].start
    return text[at:], tuple(Span(s.start - at, s.end - at, s.page, s.box) for s in spans[count:])


PART_CHARACTERS = 500
"""Of a chunk's text in one embedded part. A short passage is closer to a short question than a page is. With one vector
for each chunk, page hit@10 of meaning alone is .52, .50 and .81 on the three files of `evaluation/`; with the closest
of such parts it is .57, .65 and .81, and hit@1 rises on two of them. See docs/adr/0026."""


def parts(chunk: Chunk, fits: Callable[[str], bool], size: int = PART_CHARACTERS) -> tuple[str, ...]:
    """Return the texts to embed for a chunk: its lines in parts of about ``size``, each with title, path and header.

    Of a table every part holds whole rows, unless one row alone is more than the encoder takes.
    """
    lines = chunk.embedded_text.split("\n")
    if chunk.table is None:
        # Whatever stands before the text: title and path. Notes of other chunks may follow it.
        body = unbroken(softened(chunk)).split("\n")
        start = max(chunk.embedded_text.find("\n".join(body)), 0)
        count = len(lines) - chunk.embedded_text[:start].count("\n")
    else:
        count = body_lines(chunk.table) + len(chunk.table.footnotes)
    lead, body = lines[: len(lines) - count], lines[len(lines) - count :]
    if sum(map(len, body)) <= size and fits(chunk.embedded_text):
        return (chunk.embedded_text,)
    prefix = _shortened("\n".join(lead), fits)
    longest = size if chunk.table is None else sum(map(len, body))  # of one row
    out: list[str] = []
    current: list[str] = []
    waiting = list(reversed(body))
    while waiting:
        row = waiting.pop()
        length = sum(map(len, current)) + len(row)
        if (
            (not current or length <= size)
            and len(row) <= max(longest, SMALLEST)
            and fits(prefix + "\n".join([*current, row]))
        ):
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


def _last_sentence(paragraph: Sequence[_Piece]) -> int:
    """Return the index of the first line after the last sentence that ends with a line; 0 when none does."""
    for k in range(len(paragraph) - 1, 0, -1):
        if _SENTENCE_END.search(paragraph[k - 1].text.rstrip()):
            return k
    return 0


def _halves(piece: _Piece) -> list[list[_Piece]]:
    middle = _break(piece.text)
    return [
        [_Piece(piece.text[:middle], piece.line, note=piece.note)],
        [_Piece(piece.text[middle:], piece.line, piece.notes, piece.note)],
    ]


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
