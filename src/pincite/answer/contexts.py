"""Contexts made ready for the gate: prose, tables, and prose with tables written as lines of cells."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

from pincite.answer.claims import Sentence, is_row, sentences
from pincite.answer.words import (
    STOP_WORDS,
    WORD,
    Quotable,
    Word,
    detect_language,
    is_function_word,
    quotable,
    split_words,
    stems,
)
from pincite.quantity import (
    UNITS,
    Certification,
    Normal,
    Quantity,
    Value,
    normalise,
    read_normal,
)
from pincite.types import Cell, Table

DOUBTFUL_TABLE = 0.5
"""A table read with less confidence than this is never evidence (types.Table)."""
NUMERIC_LABEL_COLUMN = 0.3
"""Columns after the first with a smaller share of numeric cells are labels too."""
MAX_HEADER_ROWS = 4


# ---------------------------------------------------------------- prepared contexts


@dataclass(frozen=True, slots=True)
class Slot:
    """One value in a context; spans are in the normalised text of its part."""

    value: Value
    start: int
    end: int
    first: int = 0
    last: int = 0
    """Half-open span in the part's words."""
    row: int = -1
    column: int = -1
    parts: bool = False

    @property
    def cell(self) -> tuple[int, int] | None:
        return (self.row, self.column) if self.row >= 0 else None


@dataclass(frozen=True, slots=True)
class Prose:
    """Running text, made ready."""

    offset: int
    """Where it begins in the context's text."""
    normal: Normal
    words: tuple[Word, ...]
    slots: tuple[Slot, ...]
    sentences: tuple[Sentence, ...]
    """Spans in the normalised text."""
    sentence_of: tuple[int, ...]
    """Sentence index of each word."""
    clause_of: tuple[int, ...]
    """Clause index of each word."""
    clause_words: Mapping[tuple[int, int], frozenset[str]]
    """Content words of each (sentence, clause), without those of values."""
    positions: Mapping[str, tuple[int, ...]]
    vocabulary: frozenset[str]
    """Stems of its words."""
    quotable: Quotable

    @property
    def text(self) -> str:
        return self.normal.text

    def clause_at(self, slot: Slot) -> tuple[int, int]:
        """Return the sentence and clause that a slot stands in."""
        at = min(slot.first, len(self.words) - 1)
        return (self.sentence_of[at], self.clause_of[at]) if self.words else (0, 0)


@dataclass(frozen=True, slots=True)
class GridCell:
    """A cell's text in normal form and where it stands in the context's text."""

    normal: Normal
    start: int
    r0: int
    r1: int
    c0: int
    c1: int

    @property
    def text(self) -> str:
        return self.normal.text


@dataclass(frozen=True, slots=True)
class Grid:
    """A table, made ready: every place knows its cell, a merged cell covers all of its rows and columns."""

    cells: tuple[GridCell, ...]
    at: Mapping[tuple[int, int], int]
    """(row, column) → index in ``cells``."""
    rows: int
    columns: int
    header_rows: int
    label_column: int
    """Last of the leading columns that name their row."""
    column_titles: tuple[str, ...]
    row_titles: tuple[str, ...]
    column_words: tuple[tuple[str, ...], ...]
    row_words: tuple[tuple[tuple[str, ...], ...], ...]
    """For each row the stems of each of its label cells, and of all together."""
    section_words: tuple[tuple[str, ...], ...]
    """For each row the stems of the section row above it and of the caption."""
    slots: tuple[Slot, ...]
    """Spans are in the text of their cell."""
    row_frequency: Mapping[str, int]
    column_frequency: Mapping[str, int]
    vocabulary: frozenset[str]
    """Stems of all labels, section rows and the caption."""
    caption: str = ""

    def cell(self, row: int, column: int) -> GridCell | None:
        index = self.at.get((row, column))
        return None if index is None else self.cells[index]

    def is_label(self, row: int, column: int) -> bool:
        """Say whether the place names things rather than giving values."""
        cell = self.cell(row, column)
        if row < self.header_rows or column == 0:
            return True
        return column <= self.label_column and cell is not None and not _is_numeric(cell.text)

    def row_text(self, row: int) -> str:
        """Return the cells of a row once each, in order, separated by `` | ``."""
        seen: list[int] = []
        for column in range(self.columns):
            index = self.at.get((row, column))
            if index is not None and index not in seen:
                seen.append(index)
        return " | ".join(self.cells[index].text for index in seen)


@dataclass(frozen=True, slots=True)
class Prepared:
    """A context ready to be judged against. Keep it as long as the passage: it never changes."""

    text: str
    """What spans of `Evidence` count in."""
    language: str
    parts: tuple[Prose | Grid, ...]
    """Empty for a table that is too doubtful to be evidence."""


def prepare(context: str | Table, language: str = "en") -> Prepared:
    """Return the context ready for `gate.judge`.

    ``language`` (ISO 639-1) decides what separators in numbers mean; empty when it is unknown. Lines of cells separated
    by `` | `` become a table. Of a `Table`, the text is its rows as lines, merged cells once, then its footnotes.
    """
    if isinstance(context, Table):
        return _prepare_table(context, language)
    parts: list[Prose | Grid] = []
    for start, end, rows in _regions(context):
        region = context[start:end]
        if rows:
            parts.append(_grid(cells_of_lines(region, start), language, header_rows=None, caption=""))
        elif region.strip():
            parts.append(read_prose(region, start, language))
    return Prepared(context, language, tuple(parts))


def table_from_lines(text: str) -> Table | None:
    """Return the table that ``text`` is when all of its lines are rows of cells separated by `` | ``, else None."""
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) < 2 or not all(is_row(line) for line in lines):
        return None
    cells = tuple(
        Cell(cell.r0, cell.r1, cell.c0, cell.c1, text[cell.start : cell.start + cell.normal.length])
        for cell in cells_of_lines(text, 0)
    )
    return Table(page=0, box=(0.0, 0.0, 0.0, 0.0), cells=cells)


def table_text(table: Table) -> str:
    """Return the rows of a table as lines, cells separated by `` | ``, a merged cell once, where it begins."""
    return "\n".join(" | ".join(_flat(cell.text) for cell in row) for row in _cells_by_row(table))


def _flat(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()


def _cells_by_row(table: Table) -> list[list[Cell]]:
    rows: dict[int, list[Cell]] = {}
    for cell in sorted(table.cells, key=lambda c: (c.r0, c.c0)):
        rows.setdefault(cell.r0, []).append(cell)
    return [rows[r] for r in sorted(rows)]


def _prepare_table(table: Table, language: str) -> Prepared:
    lines: list[str] = []
    cells: list[GridCell] = []
    at = 0
    for row in _cells_by_row(table):
        texts = [_flat(cell.text) for cell in row]
        for cell, text in zip(row, texts, strict=True):
            cells.append(GridCell(normalise(text), at, cell.r0, cell.r1, cell.c0, cell.c1))
            at += len(text) + 3
        lines.append(" | ".join(texts))
        at += 1 - 3
    body = "\n".join(lines)
    notes = "\n".join(note for note in (table.caption, *table.footnotes) if note.strip())
    text = body + ("\n" + notes if notes else "")
    if table.confidence < DOUBTFUL_TABLE:
        return Prepared(text, language, ())
    marked = [cell.r1 for cell in table.cells if cell.header and not _names_rows_only(cell, table)]
    header_rows = max(marked) + 1 if marked else None
    parts: list[Prose | Grid] = []
    if cells:
        parts.append(_grid(cells, language, header_rows=header_rows, caption=table.caption))
    if notes:
        parts.append(read_prose(notes, len(body) + 1, language))
    return Prepared(text, language, tuple(parts))


def _names_rows_only(cell: Cell, table: Table) -> bool:
    """Say whether a header cell heads its row, not its column: others in its row are no headers."""
    return any(other.r0 <= cell.r0 <= other.r1 and not other.header and other.text.strip() for other in table.cells)


def _regions(text: str) -> list[tuple[int, int, bool]]:
    """Cut into spans that are prose (False) or at least two successive lines of cells (True)."""
    regions: list[tuple[int, int, bool]] = []
    at = 0
    lines: list[tuple[int, int, bool]] = []
    for line in text.splitlines(keepends=True):
        lines.append((at, at + len(line), is_row(line)))
        at += len(line)
    index = 0
    while index < len(lines):
        stop = index
        while stop < len(lines) and lines[stop][2] == lines[index][2]:
            stop += 1
        rows = lines[index][2] and stop - index > 1
        start, end = lines[index][0], lines[stop - 1][1]
        if regions and not rows and not regions[-1][2]:
            regions[-1] = (regions[-1][0], end, False)
        else:
            regions.append((start, end, rows))
        index = stop
    return regions


_SEPARATOR_ROW = re.compile(r"[\s|:\-]+")


def cells_of_lines(text: str, offset: int) -> list[GridCell]:
    """Return the cells of lines separated by `` | ``; Markdown's outer bars and separator rows are no cells."""
    cells: list[GridCell] = []
    at = 0
    row = 0
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    # A line that begins with a bar is Markdown when all do and close with one; else its first cell is empty.
    markdown = all(line.startswith("|") and line.endswith("|") for line in lines)
    for line in text.splitlines(keepends=True):
        body = line.rstrip("\r\n")
        if not body.strip() or _SEPARATOR_ROW.fullmatch(body):
            at += len(line)
            continue
        start, end = (body.index("|") + 1, body.rindex("|")) if markdown else (0, len(body))
        for column, (piece_start, piece_end) in enumerate(_pieces(body, start, end)):
            text_of = body[piece_start:piece_end]
            lead = len(text_of) - len(text_of.lstrip())
            stripped = text_of.strip()
            where = offset + at + piece_start + (lead if stripped else 0)
            cells.append(GridCell(normalise(stripped), where, row, row, column, column))
        row += 1
        at += len(line)
    return cells


_BAR = re.compile(r"(?:(?<=\s)|^)\|(?=\s|$)")
_MARKDOWN_BAR = re.compile(r"(?<!\\)\|")


def _pieces(line: str, start: int, end: int) -> Iterable[tuple[int, int]]:
    """Yield the spans of the cells between ``start`` and ``end``; in Markdown (start > 0) a bar needs no spaces."""
    at = start
    for match in (_MARKDOWN_BAR if start else _BAR).finditer(line, start, end):
        yield at, match.start()
        at = match.end()
    yield at, end


# ---------------------------------------------------------------- prose


def _slots_of(text: str, words: Sequence[Word], language: str) -> tuple[Slot, ...]:
    starts = [word.start for word in words]
    slots: list[Slot] = []
    for found in read_normal(text, language):
        first = bisect_left(starts, found.start)
        last = max(first + 1, bisect_left(starts, found.end))
        slots.append(Slot(found.value, found.start, found.end, first, last, parts=found.parts))
    return tuple(slots)


def read_prose(text: str, offset: int, language: str, numbers: str | None = None) -> Prose:
    """Return running text made ready; ``numbers``: the language its numbers are printed in, where it is another one."""
    normal = normalise(text)
    words = split_words(normal.text, language or detect_language(text))
    slots = _slots_of(normal.text, words, language if numbers is None else numbers)
    units = sentences(normal.text)
    starts = [unit.start for unit in units]
    sentence_of = tuple(max(0, bisect_right(starts, word.start) - 1) for word in words)
    clause_of = clauses(normal.text, words, slots)
    in_values = {at for slot in slots for at in range(slot.first, slot.last)}
    clause_words: dict[tuple[int, int], set[str]] = {}
    for index, word in enumerate(words):
        if index not in in_values and not is_function_word(word.stem):
            clause_words.setdefault((sentence_of[index], clause_of[index]), set()).add(word.stem)
    positions: dict[str, list[int]] = {}
    for index, word in enumerate(words):
        positions.setdefault(word.stem, []).append(index)
    return Prose(
        offset=offset,
        normal=normal,
        words=words,
        slots=slots,
        sentences=units,
        sentence_of=sentence_of,
        clause_of=clause_of,
        clause_words={key: frozenset(held) for key, held in clause_words.items()},
        positions={key: tuple(value) for key, value in positions.items()},
        vocabulary=frozenset(positions),
        quotable=quotable(normal.text),
    )


_STRONG_BREAK = re.compile(
    r";|\)\s*,|\b(?:while|whereas|but|versus|vs|compared (?:to|with)|terwijl|maar|während|aber|sowie|tandis que|"
    r"mais)\b",
    re.IGNORECASE,
)
_WEAK_BREAK = re.compile(r",(?=\s)|\b(?:and|en|und|or|of|et|ou)\b", re.IGNORECASE)


def clauses(text: str, words: Sequence[Word], slots: Sequence[Slot], labels: Collection[Slot] = ()) -> tuple[int, ...]:
    """Return the clause of each word: cut between two claims at the last break that separates what they are about."""
    cuts: list[int] = []
    whole = [slot for slot in slots if not slot.parts and slot not in labels]
    kinds = [type(slot.value) for slot in whole]
    for index, (left, right) in enumerate(pairwise(whole)):
        gap = text[left.end : right.start]
        strong = list(_STRONG_BREAK.finditer(gap))
        weak = list(_WEAK_BREAK.finditer(gap))
        says_more = any(word.lower() not in STOP_WORDS for word in WORD.findall(gap))
        # "ISCED 3-4 is 54 and ISCED 0-2 is 16": label and value alternate, and only the labels tell them apart.
        alternates = (
            kinds[index] != kinds[index + 1] and kinds[max(0, index - 1) : index + 1] == kinds[index + 1 : index + 3]
        )
        if strong:
            cuts.append(left.end + strong[-1].start())
        elif weak and (says_more or alternates):
            cuts.append(left.end + weak[-1].start())
    return tuple(bisect_right(cuts, word.start) for word in words)


# ---------------------------------------------------------------- tables

_YEAR_CELL = re.compile(r"(?:FY\s*)?(?:19|20)\d\d(?:\s*[-–/]\s*\d{2,4})?")
_UNIT_IN_TITLE = re.compile(r"[\[(,]\s*([^\s\[\](),]+)\s*[\])]?\s*$")
_NO_VALUE = re.compile(r"n\.?\s?/?a\.?|n\.?v\.?t\.?|k\.?\s?a\.?|[-–—.…*]+|x|✓|✗", re.IGNORECASE)
_NO_CELL = re.compile(r"(?:no|nee|nein|non|not applicable|n/a|n\.a\.|-|–|—|✗|✘|x)", re.IGNORECASE)


def _is_numeric(text: str) -> bool:
    if not any(c.isdigit() for c in text) or _YEAR_CELL.fullmatch(text.strip()):
        return False
    return len(re.findall(r"[^\W\d_]{3,}", text)) <= 1


def _grid(cells: Sequence[GridCell], language: str, *, header_rows: int | None, caption: str) -> Grid:
    at = {
        (row, column): index
        for index, cell in enumerate(cells)
        for row in range(cell.r0, cell.r1 + 1)
        for column in range(cell.c0, cell.c1 + 1)
    }
    rows = max((cell.r1 for cell in cells), default=-1) + 1
    columns = max((cell.c1 for cell in cells), default=-1) + 1
    texts = [[cells[at[r, c]].text if (r, c) in at else "" for c in range(columns)] for r in range(rows)]
    spans = [[at.get((r, c), -1) for c in range(columns)] for r in range(rows)]
    heads = header_rows if header_rows is not None else _count_header_rows(texts, spans)
    heads = min(heads, max(rows - 1, 0)) if header_rows is None else min(heads, rows)
    label_column = _label_column(texts, heads, columns)
    column_titles = tuple(
        " ".join(dict.fromkeys(texts[r][c] for r in range(heads) if texts[r][c])) for c in range(columns)
    )
    stems_language = language or detect_language(" ".join(" ".join(row) for row in texts))
    labels, sections = _row_labels(texts, heads, label_column)
    caption_words = stems(normalise(caption).text, stems_language)
    row_words = tuple(
        tuple(
            stems(label, stems_language)
            for label in dict.fromkeys([*row_labels, " ".join(dict.fromkeys(row_labels))])
            if label
        )
        for row_labels in labels
    )
    column_words = tuple(stems(title, stems_language) for title in column_titles)
    row_frequency: Counter[str] = Counter()
    for words in row_words[heads:]:
        row_frequency.update({word for label in words for word in label})
    column_frequency: Counter[str] = Counter()
    for words in column_words:
        column_frequency.update(set(words))
    grid = Grid(
        cells=tuple(cells),
        at=at,
        rows=rows,
        columns=columns,
        header_rows=heads,
        label_column=label_column,
        column_titles=column_titles,
        row_titles=tuple(" ".join(dict.fromkeys(label)) for label in labels),
        column_words=column_words,
        row_words=row_words,
        section_words=tuple((*stems(section, stems_language), *caption_words) for section in sections),
        slots=(),
        row_frequency=dict(row_frequency),
        column_frequency=dict(column_frequency),
        vocabulary=frozenset(row_frequency) | frozenset(column_frequency),
        caption=caption,
    )
    return replace(grid, slots=_grid_slots(grid, language))


def _count_header_rows(texts: list[list[str]], spans: list[list[int]]) -> int:
    """Count the rows that head the columns: the first, and those after it that go on with it."""
    count = 1
    while count < min(MAX_HEADER_ROWS, len(texts) - 1):
        row, above = texts[count], texts[count - 1]
        rest = [text for text in row[1:] if text]
        if not rest:
            break
        merged = any(
            spans[count - 1][c] >= 0 and spans[count - 1][c] == spans[count - 1][c + 1] for c in range(len(row) - 1)
        )
        repeated = (
            any(above[c] and above[c] == above[c + 1] for c in range(len(row) - 1))
            and len(set(filter(None, above))) > 1
        )
        if (row[0] and row[0] == above[0]) or merged or repeated:
            count += 1
            continue
        if row[0] or any(_is_numeric(text) for text in (*row[1:], *texts[0][1:])):
            break
        count += 1
    return count


def _label_column(texts: list[list[str]], heads: int, columns: int) -> int:
    last = 0
    for column in range(1, columns):
        body = [row[column] for row in texts[heads:] if row[column] and not _NO_VALUE.fullmatch(row[column])]
        if not body or sum(_is_numeric(text) for text in body) >= NUMERIC_LABEL_COLUMN * len(body):
            break
        last = column
    return max(0, columns - 2) if last >= columns - 1 else last


def _row_labels(texts: list[list[str]], heads: int, label_column: int) -> tuple[list[list[str]], list[str]]:
    """Return for each row its label cells and the section row that it stands under."""
    labels: list[list[str]] = []
    sections: list[str] = []
    section = ""
    for index, row in enumerate(texts):
        filled = [text for text in row if text]
        alone = len(set(filled)) == 1 and (bool(row[0]) or len(filled) == len(row))
        if index >= heads and alone and len(row) > 1 and not _is_numeric(filled[0]):
            section = filled[0]
        label = [text for text in dict.fromkeys(row[: label_column + 1]) if text]
        if not row[0] and label_column > 0 and index > heads and labels:
            # Lines of text print a merged label once; a row that begins blank belongs to the label above it.
            inherited = labels[-1][:1]
            label = [*inherited, *label] if label else label
        labels.append(label)
        sections.append("" if section in row else section)
    return labels, sections


def _grid_slots(grid: Grid, language: str) -> tuple[Slot, ...]:
    slots: list[Slot] = []
    for cell in grid.cells:
        for found in read_normal(cell.text, language):
            value = _with_title_unit(grid, cell, found.value)
            value = _with_answer_of_row(grid, cell, value)
            for row in range(cell.r0, cell.r1 + 1):
                for column in range(cell.c0, cell.c1 + 1):
                    slots.append(Slot(value, found.start, found.end, row=row, column=column, parts=found.parts))
    return tuple(slots)


def _with_title_unit(grid: Grid, cell: GridCell, value: Value) -> Value:
    """Give a bare number the unit that its column's or row's title prints: "Q [m³/h]"."""
    if not isinstance(value, Quantity) or value.unit or value.currency:
        return value
    if cell.r0 < grid.header_rows or cell.c0 <= grid.label_column:
        return value
    for title in (grid.column_titles[cell.c0], grid.row_titles[cell.r0]):
        match = _UNIT_IN_TITLE.search(title)
        if match:
            unit = _unit(match.group(1))
            if unit:
                return replace(value, unit=unit)
        if "%" in title or re.search(r"\bper ?cent", title, re.IGNORECASE):
            return value
    return value


@lru_cache(maxsize=4096)
def _unit(name: str) -> str:
    found = read_normal(f"1 {name}")
    value = found[0].value if len(found) == 1 and found[0].end == len(name) + 2 else None
    return value.unit if isinstance(value, Quantity) and value.unit in UNITS else ""


def _with_answer_of_row(grid: Grid, cell: GridCell, value: Value) -> Value:
    """Deny a certification whose row answers "no"."""
    if not isinstance(value, Certification) or cell.c0 > grid.label_column or cell.r0 < grid.header_rows:
        return value
    answers = [
        grid.cells[grid.at[cell.r0, column]].text.strip()
        for column in range(cell.c1 + 1, grid.columns)
        if (cell.r0, column) in grid.at
    ]
    answers = [answer for answer in answers if answer]
    return replace(value, negated=True) if answers and all(_NO_CELL.fullmatch(a) for a in answers) else value
