"""A document as two revisions of it are compared: its sections with their sentences, its tables as whole grids. Pure.

Where a line ends, where a page ends and into how many chunks a text was cut is no part of what it says.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from pincite.corpus.chunks import cut
from pincite.corpus.hyphenation import SOFT, softened
from pincite.corpus.tables import column_names, header_rows, rows
from pincite.types import Box, Chunk, Note, ParsedDocument, SectionPath, Span, Table

_LONG = 12_000
"""Characters of a chunk: few are cut, and those between paragraphs. Time grows with its square."""

_ENTRY = re.compile(r"^(?:[•▪●○◦‣–—*·]\s|-\s|\(?[a-z]{1,3}[.)]\s|\(?\d{1,3}[.)]\s)")
_SENTENCE = re.compile(r"(?<=[.!?;:])\s+(?=[\"“‘(\[]?[A-ZÄÖÜÉÀ0-9•(])")
_LEADERS = re.compile(r"\.{4,}|(?:\. ){3,}|…{2,}|_{4,}")
"""Of a list of contents: it says where things stand, and that changes with every page."""

_WHITE = 1.35
"""Steps from line to line beyond which a paragraph begins, as chunks are cut."""

_SAME = str.maketrans({"‘": "'", "’": "'", "“": '"', "”": '"', "\u2010": "-", "\u2011": "-", "–": "-", "\u00ad": None})


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence, an entry of a list or a heading."""

    text: str
    page: int | None
    """Sheet it begins on; None for passages made elsewhere without one."""

    @property
    def key(self) -> str:
        """What is compared: quotation marks and hyphens of one kind, white space aside."""
        return comparable(self.text)


@dataclass(frozen=True, slots=True)
class SectionText:
    """A section's own text, without its subsections, its tables and its heading."""

    path: SectionPath
    page: int | None
    sentences: tuple[Sentence, ...]

    @property
    def title(self) -> str:
        return self.path[-1] if self.path else ""


@dataclass(frozen=True, slots=True)
class Grid:
    """A table with all the regions that continue it; merged cells are copied, each with the number of its record."""

    caption: str
    section: SectionPath
    columns: tuple[str, ...]
    """Their names; "" where the header names nothing."""
    rows: tuple[tuple[str, ...], ...]
    """Below the header, all of one length."""
    records: tuple[tuple[int, ...], ...] = field(compare=False)
    """As ``rows``: the same number in every place that one merged cell covers."""
    pages: tuple[int | None, ...] = field(compare=False)
    """Sheet of each row."""
    page: int | None = field(default=None, compare=False)
    """Sheet on which it begins."""


@dataclass(frozen=True, slots=True)
class Content:
    """What a revision says, in reading order."""

    sections: tuple[SectionText, ...]
    tables: tuple[Grid, ...]


def comparable(text: str) -> str:
    """Return a text as it is compared: quotation marks and hyphens of one kind, no white space."""
    return "".join(text.translate(_SAME).split())


def content_of(document: ParsedDocument) -> Content:
    """Return what a parsed document says."""
    document = _without_marks(document)
    chunks = cut(document, fits=lambda _: True, size=_LONG)
    homes = {(c.table.page, c.table.box): c.section for c in chunks if c.table is not None}
    return Content(_sections(chunks), tuple(_grids(document.tables, homes)))


def _without_marks(document: ParsedDocument) -> ParsedDocument:
    """Return the document without the marks of its footnotes: a note that is added counts all others anew."""
    lines = list(document.lines)
    # From the right: a line may carry two marks.
    for note in sorted(
        (n for n in document.notes if n.at is not None), key=lambda n: (n.line, n.at or 0), reverse=True
    ):
        line, at = lines[note.line], note.at or 0
        if mark := _mark_at(line.text[at:], note.mark):
            lines[note.line] = replace(line, text=(line.text[:at].rstrip() + line.text[at + len(mark) :]).strip())
    notes: list[Note] = []
    for note in document.notes:
        first = note.lines[0]
        text = first.text[len(_mark_at(first.text, note.mark)) :].lstrip()
        notes.append(replace(note, lines=(replace(first, text=text), *note.lines[1:])))
    return replace(document, lines=tuple(lines), notes=tuple(notes))


def _mark_at(text: str, mark: str) -> str:
    """Return how a mark is printed at the start of a text, raised or not; "" when it is not there."""
    printed = text[: len(mark)]
    return printed if unicodedata.normalize("NFKC", printed) == mark else ""


def content_of_chunks(chunks: Sequence[Chunk]) -> Content:
    """Return what chunks say: those of passages made elsewhere, which have no other form."""
    tables = [c.table for c in chunks if c.table is not None]
    homes = {(c.table.page, c.table.box): c.section for c in chunks if c.table is not None}
    return Content(_sections(chunks), tuple(_grids(tables, homes)))


# ---------------------------------------------------------------- text


def _sections(chunks: Sequence[Chunk]) -> tuple[SectionText, ...]:
    found: list[SectionText] = []
    for chunk in chunks:
        page = chunk.pages[0] if chunk.pages else None
        if not found or found[-1].path != chunk.section:
            found.append(SectionText(chunk.section, page, ()))
        found[-1] = replace(found[-1], sentences=(*found[-1].sentences, *_sentences(chunk)))
    return tuple(_without_heading(section) for section in found)


def _without_heading(section: SectionText) -> SectionText:
    """Leave out the heading, which may be printed over several lines: it is compared as a title."""
    wanted, said = comparable(section.title), ""
    for n, sentence in enumerate(section.sentences, 1):
        said += sentence.key
        if said == wanted:
            return replace(section, sentences=section.sentences[n:])
        if wanted.startswith(said):
            continue
        if wanted and said.startswith(wanted):  # a heading that runs into its paragraph
            rest = _after(sentence.text, len(sentence.key) - (len(said) - len(wanted)))
            return replace(section, sentences=(Sentence(rest, sentence.page), *section.sentences[n:]))
        break
    return section


def _after(text: str, letters: int) -> str:
    """Return what follows the first ``letters`` characters that are compared."""
    for at in range(len(text) + 1):
        if len(comparable(text[:at])) >= letters:
            return text[at:].strip()
    return ""


def _sentences(chunk: Chunk) -> Iterator[Sentence]:
    if chunk.kind == "figure":  # what is printed inside a picture is no sentence
        text, pages = chunk.text[: chunk.caption], [chunk.pages[0]] if chunk.pages else []
    elif chunk.kind == "table":
        notes = chunk.table.footnotes if chunk.table else ()
        yield from (Sentence(" ".join(note.split()), chunk.pages[0] if chunk.pages else None) for note in notes)
        return
    else:
        text, pages = softened(chunk), [span.page for span in chunk.spans]
    lines = text.split("\n")
    if len(pages) != len(lines):
        pages = [chunk.pages[0] if chunk.pages else None] * len(lines)
    apart = _apart(chunk.spans) if len(chunk.spans) == len(lines) else set[int]()
    said, begun = "", None
    for i, (line, page) in enumerate(zip(lines, pages, strict=True)):
        line = line.strip()
        if _LEADERS.search(line):
            yield from _split(said, begun)
            said = ""
            continue
        if said and (i in apart or _ENTRY.match(line) or said[-1] in ".!?:;"):
            yield from _split(said, begun)
            said = ""
        begun = page if not said else begun
        if said.endswith(SOFT):
            said = said[:-1] + line
        elif said.endswith(("-", "\u2010")):
            said += line
        else:
            said = f"{said} {line}" if said else line
    yield from _split(said, begun)


def _apart(spans: Sequence[Span]) -> set[int]:
    """Return the lines with white above them: headings and labels end without a full stop."""
    steps = {
        i: before.box[1] - line.box[1]
        for i, (before, line) in enumerate(pairwise(spans), 1)
        if before.page == line.page and before.box[1] > line.box[1]
    }
    if not steps:
        return set()
    usual = sorted(steps.values())[len(steps) // 2]
    return {i for i, step in steps.items() if step > _WHITE * usual}


def _split(text: str, page: int | None) -> Iterator[Sentence]:
    yield from (Sentence(part.strip(), page) for part in _SENTENCE.split(text.replace(SOFT, "")) if part.strip())


# ---------------------------------------------------------------- tables


def _grids(tables: Sequence[Table], homes: Mapping[tuple[int, Box], SectionPath]) -> Iterator[Grid]:
    regions: dict[int, list[Table]] = {}
    first: dict[int, int] = {}
    for i, table in enumerate(tables):
        # A region continues one before it; what says otherwise begins a table.
        origin = first.get(table.continues, i) if table.continues is not None else i
        first[i] = origin
        regions.setdefault(origin, []).append(table)
    for parts in regions.values():
        yield _grid(parts, homes.get((parts[0].page, parts[0].box), ()))


def _grid(parts: Sequence[Table], section: SectionPath) -> Grid:
    names = column_names(parts[0])
    body: list[tuple[str, ...]] = []
    records: list[tuple[int, ...]] = []
    pages: list[int | None] = []
    number = 0
    for table in parts:
        height, grid = len(rows(table)), rows(table)
        width = len(grid[0]) if grid else 0
        numbers = [[-1] * width for _ in range(height)]
        for cell in table.cells:
            for r in range(cell.r0, cell.r1 + 1):
                for c in range(cell.c0, cell.c1 + 1):
                    numbers[r][c] = number
            number += 1
        for r in range(header_rows(table), height):
            body.append(grid[r])
            records.append(tuple(numbers[r]))
            pages.append(table.page)
    width = max([len(names), *(len(row) for row in body)], default=0)
    return Grid(
        caption=" ".join(parts[0].caption.split()),
        section=section,
        columns=names + ("",) * (width - len(names)),
        rows=tuple(row + ("",) * (width - len(row)) for row in body),
        records=tuple(row + (-1,) * (width - len(row)) for row in records),
        pages=tuple(pages),
        page=parts[0].page,
    )
