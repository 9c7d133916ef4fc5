"""Passages cut into what can be quoted: sentences, list entries and table rows, each with what stands around it."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from typing import Literal, TypeAlias

from pincite.answer.select.values import unit_in_title
from pincite.answer.select.words import word_set
from pincite.corpus.chunks import DESCRIBED
from pincite.corpus.hyphenation import softened, unbroken
from pincite.types import Chunk, Passage, Table

UnitKind: TypeAlias = Literal["sentence", "list", "row"]

_MARKER = re.compile(
    r"^\s*(?:[•●▪■◦‣o–—*\-]|\(?(?:[a-z]{1,2}|[ivx]{1,4}|\d{1,2})[.)]|\d{1,2}°)\s+(?=\S)", re.IGNORECASE
)
_FIRST_MARKER = re.compile(r"^\s*(?:[•●▪■◦‣–—-]|\(?(?:a|i|1)[.)]|1°\.?)\s+(?=\S)", re.IGNORECASE)
_NUMBERED_HEADING = re.compile(
    r"^\s*(?:\d+(?:\.\d+)*\.?|[A-Z]\.\d+(?:\.\d+)*|§\s?\d+\w?|(?:Artikel|Article|Section|Chapter|Annex|"
    r"Bijlage)\s+\w+)\s+\S"
)
_MARKER_ALONE = re.compile(r"^\s*(?:[•●▪■◦‣–—*\-]|\(?(?:[a-z]{1,2}|[ivx]{1,4}|\d{1,2})[.)])\s*$", re.IGNORECASE)
_SENTENCE_END = re.compile(
    r"(?:(?<=[.!?])[”\"’)\]]?|(?<=\D[.!?])[”\"’)\]]?\d{1,3})\s+(?=[A-ZÀ-Ý0-9“\"(•§¹²³⁴⁵⁶⁷⁸⁹])|(?<=:)\s+(?=\(?[a-z0-9]{1,3}[.)]\s|[•●▪■–-]\s)"
)
_INLINE_ENTRY = re.compile(
    r"(?<=[;:,.])\s+(?:(?:and|or|en|of|und|oder|et|ou)\s+)?(?=\((?:[a-z]{1,2}|[ivx]{1,4}|\d{1,2})\)\s)"
)
_ABBREVIATION = re.compile(
    r"\b(?:e\.g|i\.e|no|nos|art|artt|nr|sec|fig|tab|vs|cf|ca|max|min|z\.\s?b|d\.\s?h|bijv|bv|resp|approx|etc|inc|"
    r"corp|ltd|co|abs|bzw|vgl|zgn|"
    r"o\.a|m\.b\.t|i\.v\.m|p|pp|par|vol|rev|ed|eds|dr|mr|mrs|prof|st|u\.s|env|incl|excl|temp|[A-Z])\.$",
    re.IGNORECASE,
)
_NUMBER_AFTER = re.compile(r"\s+\(?\d{1,2}[.)]$")
_CONTENTS = re.compile(r"^\[[^\]]{2,40}\]\s|\.{5,}|(?:\.\s){5,}|…{2,}")
_TABLE_LINE = " | "
_MARK = r"[¹²³⁴⁵⁶⁷⁸⁹]|\*{1,3}|[†‡]"
_MARKED = re.compile(rf"(?<=\S)\s?({_MARK})\)?$")
_NOTE = re.compile(rf"\s*({_MARK})\)?\s*(?=\S)")
"""The mark of a note, at the end of a cell and at the beginning of the note."""
_NOTE_LINE = re.compile(r"^[¹²³⁴⁵⁶⁷⁸⁹]{1,2}\)?[ \t]+\S.*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Cellular:
    """A table as selection sees it: the expanded grid, how many of its rows are titles, and the span of each row."""

    grid: tuple[tuple[str, ...], ...]
    headers: int
    titles: tuple[str, ...]
    """Column titles, joined over the header rows."""
    spans: tuple[tuple[int, int] | None, ...]
    """Where each row stands in the chunk's text; None for a row whose cells are all printed elsewhere."""
    groups: tuple[str, ...]
    """For each row, the title of the group of rows it is in; empty without one."""
    caption: str
    owners: tuple[tuple[int, ...], ...] = ()
    """For each place of the grid, which printed cell it shows; empty when merged cells are not known."""
    notes: tuple[str, ...] = ()
    """Notes under the table, each with the mark it begins with."""

    def same_cell(self, column: int, a: int, b: int) -> bool:
        """Whether a column of two rows shows one merged cell."""
        return bool(self.owners) and self.owners[a][column] == self.owners[b][column]

    def notes_of(self, row: int, columns: Collection[int]) -> tuple[str, ...]:
        """The notes whose marks the cells of a row bear in these columns, as printed under the table."""
        marks = {m.group(1) for c in columns if (m := _MARKED.search(self.grid[row][c]))}
        return tuple(note for note in self.notes if (m := _NOTE.match(note)) and m.group(1) in marks)

    def is_group_title(self, row: int) -> bool:
        """Whether a row only names the rows below it."""
        return bool(self.grid[row][0]) and self.groups[row] == self.grid[row][0]

    def unit(self, row: int, column: int) -> str:
        """The unit of a cell that is a bare number: from its column title, its row label, or a cell beside it that
        holds nothing else."""
        cells = self.grid[row]
        if not re.fullmatch(r"[\s<>≤≥±+−–-]*\d[\d.,\s×-]*[\s)*¹²³]*", cells[column]):
            return ""
        if found := unit_in_title(self.titles[column]):
            return found
        beside = [cells[k] for k in (column + 1, column - 1) if 0 < k < len(cells)]
        whole = next(filter(None, (unit_in_title(f"({cell})") for cell in beside)), "")
        return whole or (unit_in_title(cells[0]) if column else "")


@dataclass(frozen=True, slots=True)
class Unit:
    """A quotable piece of one passage."""

    kind: UnitKind
    text: str
    """White space normalised."""
    passage: int
    start: int
    end: int
    words: frozenset[str]
    order: int
    """0-based position among the units of its passage."""
    lead: int | None = None
    """Position of the lead-in of a list entry."""
    row: int | None = None
    contents: bool = False
    """A line of a table of contents or of a list of references."""
    heading: bool = False


@dataclass(frozen=True, slots=True)
class Cut:
    """One citable passage in pieces, with the words around them."""

    passage: int
    rank: int
    document: str
    language: str
    units: tuple[Unit, ...]
    title: frozenset[str]
    section: frozenset[str]
    every: frozenset[str]
    """Words of the whole passage."""
    sections: tuple[str, ...]
    """Section titles, from the root down."""
    table: Cellular | None = None
    entries: dict[int, tuple[int, ...]] = field(default_factory=dict[int, tuple[int, ...]])
    """Positions of the entries of each lead-in."""

    @property
    def section_title(self) -> str:
        return self.sections[-1] if self.sections else ""


@dataclass(frozen=True, slots=True)
class _Stretch:
    """Half-open span of a text."""

    start: int
    end: int


def _lines(text: str) -> list[_Stretch]:
    found: list[_Stretch] = []
    at = 0
    for line in text.split("\n"):
        found.append(_Stretch(at, at + len(line)))
        at += len(line) + 1
    return found


def _paragraphs(text: str) -> list[_Stretch]:
    """Lines joined to paragraphs: a list marker, a blank line, or a short line before a capital begins a new one."""
    lines = _lines(text)
    longest = max((line.end - line.start for line in lines), default=0)
    found: list[_Stretch] = []
    start = end = -1
    for line in lines:
        printed = text[line.start : line.end]
        if not printed.strip():
            if start >= 0:
                found.append(_Stretch(start, end))
            start = -1
            continue
        if start >= 0:
            before = text[start:end].rsplit("\n", 1)[-1]
            alone = _MARKER_ALONE.match(before)
            first = printed.lstrip()[:1]
            continues = first.islower() and not _MARKER.match(printed)
            short = len(before.strip()) < 0.6 * longest
            if not alone and (
                _MARKER.match(printed)
                or _MARKER_ALONE.match(printed)
                or (_NUMBERED_HEADING.match(printed) and before.rstrip()[-1:] in ".;:")
                or (short and not continues)
            ):
                found.append(_Stretch(start, end))
                start = -1
        if start < 0:
            start = line.start
        end = line.end
    if start >= 0:
        found.append(_Stretch(start, end))
    return found


def _is_column_of_lines(lines: Sequence[str]) -> bool:
    """Whether lines are entries, one each, that nothing marks: a table without rules read as text."""
    return len(lines) > 2 and all(
        len(line.split()) <= 9
        and (line[:1].isupper() or line[:1].isdigit())
        and (line[-1:] not in ".,;:?!-" or k == len(lines) - 1)
        for k, line in enumerate(line.strip() for line in lines)
    )


def _split(text: str, paragraph: _Stretch) -> list[_Stretch]:
    if _is_column_of_lines(text[paragraph.start : paragraph.end].split("\n")):
        lines = (
            _Stretch(paragraph.start + at.start, paragraph.start + at.end)
            for at in _lines(text[paragraph.start : paragraph.end])
        )
        return [_trim(text, line) for line in lines]
    found: list[_Stretch] = []
    start = paragraph.start
    body = text[paragraph.start : paragraph.end]
    ends = {m.end(): m for pattern in (_SENTENCE_END, _INLINE_ENTRY) for m in pattern.finditer(body)}
    for at in sorted(ends):
        cut = paragraph.start + at
        before = text[start:cut].rstrip()
        if len(before) < 3 or _MARKER_ALONE.match(before) or _ABBREVIATION.search(before):
            continue
        if start == paragraph.start and _is_run_in_title(before):
            continue
        found.append(_Stretch(start, cut))
        start = cut
    found.append(_Stretch(start, paragraph.end))
    return [_trim(text, piece) for piece in found if text[piece.start : piece.end].strip()]


_VERB = re.compile(
    r"\b(?:is|are|was|has|have|must|shall|may|can|will|does|costs?|applies|zijn|heeft|moet|mag|kan|wordt|geldt|"
    r"ist|sind|hat|"
    r"muss|darf|kann|wird|gilt|est|sont|a|doit|peut)\b",
    re.IGNORECASE,
)


def _is_run_in_title(text: str) -> bool:
    """Whether a sentence only names what the next one is about: "Software as a Service (SaaS)."."""
    return len(text.split()) <= 6 and not text.endswith(":") and not _VERB.search(text.replace(" a ", " "))


def _trim(text: str, piece: _Stretch) -> _Stretch:
    body = text[piece.start : piece.end]
    return _Stretch(piece.start + len(body) - len(body.lstrip()), piece.start + len(body.rstrip()))


def sentences(text: str) -> tuple[tuple[int, int], ...]:
    """Half-open spans of the sentences and list entries of a text, ascending, without white space at their ends."""
    return tuple((piece.start, piece.end) for paragraph in _paragraphs(text) for piece in _split(text, paragraph))


def joined(text: str) -> str:
    """The text in one line; a word broken over two lines loses the break, and its hyphen where that is soft."""
    return re.sub(r"\s+", " ", re.sub(r"(?<=\w[-\u2010])\n(?=\w)", "", unbroken(text))).strip()


def _for_words(text: str) -> str:
    """As ``joined``, with broken words also whole, so that either form is found."""
    whole = " ".join(m.group(1) + m.group(2) for m in re.finditer(r"(\w+)[-\u00ad\u2010]\n(\w+)", text))
    return f"{joined(text)} {whole}" if whole else joined(text)


def expanded(table: Table) -> tuple[tuple[str, ...], ...]:
    """The grid with merged cells copied into every place they cover, white space normalised."""
    height = max((cell.r1 for cell in table.cells), default=-1) + 1
    width = max((cell.c1 for cell in table.cells), default=-1) + 1
    grid = [[""] * width for _ in range(height)]
    for cell in table.cells:
        for row in range(cell.r0, cell.r1 + 1):
            for column in range(cell.c0, cell.c1 + 1):
                grid[row][column] = joined(cell.text)
    return tuple(tuple(row) for row in grid)


def is_numeric(cell: str) -> bool:
    """Whether a cell is a value rather than a label: digits, and at most one longer word."""
    return bool(re.search(r"\d", cell)) and len(re.findall(r"[^\W\d_]{3,}", cell)) <= 1


def _header_rows(table: Table | None, grid: Sequence[Sequence[str]]) -> int:
    """How many leading rows are titles; at most 4, and at least one row of values stays."""
    if table is not None and table.cells:
        return min(4, len(grid) - 1, max((cell.r1 + 1 for cell in table.cells if cell.header), default=0))
    count = 1
    while count < min(4, len(grid) - 1):
        row, above = grid[count], grid[count - 1]
        repeated = any(a and a == b for a, b in pairwise(above)) and len(set(filter(None, above))) > 1
        labelled_above = bool(row[0]) and row[0] == above[0]
        if not (repeated or labelled_above or not row[0]):
            break
        if any(is_numeric(cell) for cell in row[1:]) and not labelled_above:
            break
        count += 1
    return min(count, max(len(grid) - 1, 0))


def _row_spans(text: str, grid: Sequence[Sequence[str]]) -> tuple[tuple[int, int] | None, ...]:
    """Where each row of the grid stands in the chunk's text, in order; None for a row that cannot be found."""
    every = _lines(text)
    if len(every) == len(grid):
        pieces = [_trim(text, line) for line in every]
        return tuple((p.start, p.end) if text[p.start : p.end].strip(" |") else None for p in pieces)
    lines = [line for line in every if text[line.start : line.end].strip()]
    printed = [
        {joined(part) for part in text[line.start : line.end].split(_TABLE_LINE.strip())} - {""} for line in lines
    ]
    spans: list[tuple[int, int] | None] = []
    at = 0
    for row in grid:
        cells = set(filter(None, row))
        best = next((k for k in range(at, len(lines)) if printed[k] and printed[k] <= cells), None)
        if best is None or (best > at + 3 and not cells):
            spans.append(None)
            continue
        piece = _trim(text, lines[best])
        spans.append((piece.start, piece.end))
        at = best + 1
    return tuple(spans)


def _cellular(chunk: Chunk) -> Cellular | None:
    if chunk.table is not None:
        grid = expanded(chunk.table)
        caption = chunk.table.caption
    else:
        rows = [line for line in chunk.text.split("\n") if _TABLE_LINE in f" {line} "]
        if len(rows) < 2:
            return None
        cells = [[joined(part) for part in f" {row} ".split(_TABLE_LINE)] for row in rows]
        width = max(len(row) for row in cells)
        grid = tuple(tuple(row + [""] * (width - len(row))) for row in cells)
        caption = ""
    if len(grid) < 2 or len(grid[0]) < 2:
        return None
    headers = _header_rows(chunk.table, grid)
    titles = tuple(
        " ".join(dict.fromkeys(grid[row][column] for row in range(headers) if grid[row][column]))
        for column in range(len(grid[0]))
    )
    groups: list[str] = []
    group = ""
    for k, row in enumerate(grid):
        distinct = set(filter(None, row))
        if (
            k >= headers
            and len(distinct) == 1
            and row[0]
            and not is_numeric(row[0])
            and (len(set(row)) == 1 or not any(row[1:]))
        ):
            group = row[0]
        groups.append(group)
    owners = _owners(chunk.table, grid) if chunk.table is not None else ()
    notes = tuple(joined(note) for note in chunk.table.footnotes) if chunk.table is not None else ()
    return Cellular(grid, headers, titles, _row_spans(chunk.text, grid), tuple(groups), caption, owners, notes)


def _owners(table: Table, grid: Sequence[Sequence[str]]) -> tuple[tuple[int, ...], ...]:
    owners = [[-1 - row * len(cells) - column for column in range(len(cells))] for row, cells in enumerate(grid)]
    for number, cell in enumerate(table.cells):
        for row in range(cell.r0, cell.r1 + 1):
            for column in range(cell.c0, cell.c1 + 1):
                owners[row][column] = number
    return tuple(map(tuple, owners))


def row_words(cells: Sequence[str], language: str) -> frozenset[str]:
    """Word forms of a row, cell by cell: a cell that is one letter is a name ("A"), a letter within text is not."""
    return frozenset[str]().union(*(word_set(cell, language) for cell in cells))


def _rows(chunk: Chunk, passage: int, language: str, table: Cellular) -> list[Unit]:
    found: list[Unit] = []
    for row in range(table.headers, len(table.grid)):
        span = table.spans[row]
        if span is None or table.is_group_title(row):
            continue
        start, end = span
        words = row_words(table.grid[row], language)
        found.append(Unit("row", joined(chunk.text[start:end]), passage, start, end, words, len(found), row=row))
    return found


def _pieces(text: str) -> list[tuple[int, int, str]]:
    """Start, end and text of the sentences and entries in order; a note printed within a sentence stands by itself.

    A chunk has each note behind the line that bears its mark, and a sentence may run on below it.
    """
    within: list[re.Match[str]] = []
    for note in _NOTE_LINE.finditer(text):
        above, below = text[: note.start()].rstrip(), text[note.end() :].lstrip()
        if above and above[-1] not in ".!?:;" and note.group().rstrip()[-1:] in ".!?" and below:
            within.append(note)
    hidden = text
    for note in within:
        hidden = hidden[: note.start() - 1] + " " * (len(note.group()) + 1) + hidden[note.end() :]
    found = [(start, end, hidden[start:end]) for start, end in sentences(hidden)]
    return sorted([*found, *((note.start(), note.end(), note.group()) for note in within)])


def _prose(chunk: Chunk, passage: int, language: str) -> tuple[list[Unit], dict[int, tuple[int, ...]]]:
    found: list[Unit] = []
    entries: dict[int, list[int]] = {}
    lead: int | None = None
    titles = {joined(title).lower() for title in chunk.section}
    whole = softened(chunk)
    if chunk.kind == "figure":
        whole = whole[: chunk.caption]
    for start, end, printed in _pieces(whole):
        text = joined(printed)
        order = len(found)
        if lead is None and order and _FIRST_MARKER.match(text) and _leads_on(found[-1]):
            lead = order - 1
        is_entry = bool(_MARKER.match(text)) and lead is not None
        if text.endswith(":"):
            is_nested = is_entry
            lead_of_this = lead if is_nested else None
            lead = order if not is_nested else lead
        elif is_entry:
            lead_of_this = lead
        else:
            lead_of_this = None
            # A sentence that runs on inside an entry ("(k) refrigerators. They …") ends the list only when unmarked
            # text follows that does not begin in lower case.
            lead = lead if text[:1].islower() else None
        if lead_of_this is not None:
            entries.setdefault(lead_of_this, []).append(order)
        # "Article 33 Notification of a breach 1." is a heading with the number of the paragraph below it.
        bare = _NUMBER_AFTER.sub("", text)
        heading = bare.lower() in titles or (
            lead_of_this is None
            and len(bare) < 90
            and bool(_NUMBERED_HEADING.match(bare))
            and bare[-1:] not in ".;:?!,"
        )
        found.append(
            Unit(
                "list" if lead_of_this is not None else "sentence",
                text,
                passage,
                start,
                end,
                word_set(_for_words(printed), language),
                order,
                lead=lead_of_this,
                contents=bool(_CONTENTS.search(text)),
                heading=heading,
            )
        )
    return found, {k: tuple(v) for k, v in entries.items()}


def _leads_on(unit: Unit) -> bool:
    """Whether a sentence that stops without a mark goes on in the entries below it: "… zu zahlen, wenn der Kunde"."""
    return len(unit.text.split()) >= 4 and unit.text[-1].isalpha() and not unit.heading and not unit.contents


def cut(passage: Passage, index: int) -> Cut:
    """The pieces of one passage, which is the ``index``-th (from 0) of those given."""
    revision, chunk = passage.revision, passage.chunk
    return _cut(chunk, revision.title, revision.document, revision.language, index, passage.rank)


def _codes_in(document: str) -> frozenset[str]:
    """The codes that may stand in a document's id, where a hyphen is put for every mark: "756b70-mxz-3f54vf4-manual"
    names the MXZ-3F54VF4."""
    parts = re.split(r"[-_\s]+", document.lower())
    runs = (
        "".join(parts[a:b]) for a in range(len(parts)) for b in range(a + 1, min(a + MOST_OF_A_CODE, len(parts)) + 1)
    )
    return frozenset(run for run in runs if len(run) >= LEAST_OF_A_CODE and re.search(r"\d", run))


MOST_OF_A_CODE = 4
"""Parts of a document's id that are one code at most: FN-380-4-2."""
LEAST_OF_A_CODE = 4
"""Characters of a code at least: shorter runs of an id are counters and years' ends."""


@lru_cache(maxsize=256)
def _cut(chunk: Chunk, title: str, document: str, language: str, index: int, rank: int) -> Cut:
    table = (
        _cellular(chunk)
        if chunk.kind == "table" or chunk.table is not None or chunk.text.count(_TABLE_LINE) > 3
        else None
    )
    entries: dict[int, tuple[int, ...]] = {}
    if table is not None:
        units = _rows(chunk, index, language, table)
    else:
        units, entries = _prose(chunk, index, language)
    return Cut(
        passage=index,
        rank=rank,
        document=document,
        language=language,
        units=tuple(units),
        title=word_set(f"{title} {document.replace('_', ' ')}", language) | _codes_in(document),
        section=word_set(" ".join(chunk.section), language),
        # What a model says of a picture finds the passage, but makes nothing that is printed there an answer.
        every=frozenset[str]().union(
            *(unit.words for unit in units), word_set(chunk.embedded_text.partition(f"\n{DESCRIBED}")[0], language)
        ),
        sections=tuple(chunk.section),
        table=table,
        entries=entries,
    )
