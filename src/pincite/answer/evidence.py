"""Contexts made ready for the gate, and how well a claim fits each place in them.

A context is prose, a table, or prose with tables written as lines of cells; it is prepared once and can be kept. The
question is not "does the value stand in the right place" but "is there a better-fitting place that holds another
value": `weigh` returns the best place of the same value and the best place of another one (the competitor).
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import pairwise
from typing import Protocol, TypeAlias

import Stemmer

from pincite.answer.claims import Sentence, is_claim, is_row, sentences
from pincite.quantity import (
    HEADER_SCALE,
    UNITS,
    Certification,
    Found,
    Identifier,
    Normal,
    Quantity,
    Value,
    dimension,
    equality,
    equals_with_scale,
    is_rounding,
    normalise,
    read_normal,
)
from pincite.types import Cell, Table

DOUBTFUL_TABLE = 0.5
"""A table read with less confidence than this is never evidence (types.Table)."""
FOUND = 0.5
"""Equality from which a value counts as found."""

HALF_WORDS_ANSWER = 7.0
"""Words from the claim at which a word of the answer counts half. Without decay catch fell by .11 on paraphrases."""
HALF_WORDS_CONTEXT = 5.0
"""Words further from the value than in the answer at which a matching word of the context counts half."""
OTHER_SENTENCE = 0.5
OTHER_CLAUSE = 0.6
OTHER_CLAUSE_TABLE = 0.35
OTHER_SIDE = 0.8
"""A word that stands before the claim but after the value."""
NEIGHBOUR = 0.05
"""Added for each direct neighbour word that is equal."""
FUNCTION_WORD = 0.05
FUNCTION_WORD_LABEL = 0.3
ROW_SHARE, COLUMN_SHARE = 0.6, 0.4
ROW_ONLY_SHARE = 0.9
"""Of the row's fit, when no word of any column heading matches."""
SECTION_ROW_BONUS = 0.15
OTHER_CONTEXT_HANDICAP = 0.25
"""Taken from competitors in other contexts than the one of the evidence."""
NUMERIC_LABEL_COLUMN = 0.3
"""Columns after the first with a smaller share of numeric cells are labels too."""
COMMON_TITLE_WORD = 0.1
"""Weight of a word that stands in every column title; one that is unique among five weighs 1.7."""
RANGE_GAP = 9
"""Characters that may stand between the ends of one range (" tot en met ")."""
MAX_HEADER_ROWS = 4


# ---------------------------------------------------------------- words

_STOP_WORDS = frozenset(
    """
        a an the of to in on at by for from with and or is are was were be been being as that this these those
        it its their his her he she they we you i not no than then there which who whom whose what when where
        how may can could would should shall will must do does did has have had also if into over under per via
        such more most less least about after before during between each any all some other both only same so
        but up out de het een van tot op aan bij voor met en of is zijn was waren wordt worden als dat dit deze
        die er in te om niet geen dan ook door naar over onder per zoals wel uit moet mag kan kunnen zal zullen
        heeft hebben had der die das den dem des ein eine einer eines einem einen und oder ist sind war werden
        wird mit von zu im am auf für bei nach aus als auch nicht kein dass le la les un une du des et ou est
        sont à au aux dans par pour sur avec que qui ne pas se sa son ses ce cette il elle être
        """.split()  # noqa: SIM905
)
_HINTS = {
    "en": frozenset(
        """
        the of and to is in for what are by with that must may shall
        """.split()  # noqa: SIM905
    ),
    "nl": frozenset(
        """
        het een van de en niet worden wordt voor aan bij dat zijn is bedraagt
        """.split()  # noqa: SIM905
    ),
    "de": frozenset(
        """
        der die das und nicht werden wird für ist dem den mit beträgt
        """.split()  # noqa: SIM905
    ),
    "fr": frozenset(
        """
        le la les des et est une pour dans du sont ne pas que par sur
        """.split()  # noqa: SIM905
    ),
}
_STEMMERS = {"en": "english", "nl": "dutch", "de": "german", "fr": "french"}
_WORD = re.compile(r"[^\W_]+(?:[.,/\-'’]?[^\W_]+)*")


def detect_language(text: str) -> str:
    """Return en, nl, de or fr by the function words of ``text``; empty when they do not decide."""
    words = re.findall(r"[^\W\d_]+", text.lower())
    scores = sorted(((sum(word in hints for word in words), name) for name, hints in _HINTS.items()), reverse=True)
    (best, language), (second, _) = scores[0], scores[1]
    return language if best >= 2 and best > second else ""


class _Stems(Protocol):
    """What is used of PyStemmer, which has no types."""

    def stemWord(self, word: str, /) -> str: ...  # noqa: N802  # the library's name


@lru_cache(maxsize=8)
def _stemmer(language: str) -> _Stems:
    return Stemmer.Stemmer(_STEMMERS.get(language, "english"))  # pyright: ignore


@lru_cache(maxsize=200_000)
def stem(word: str, language: str) -> str:
    """Return the word in lower case without its ending."""
    return _stemmer(language).stemWord(word.lower())


def is_function_word(word: str) -> bool:
    return word in _STOP_WORDS


@dataclass(frozen=True, slots=True)
class Word:
    stem: str
    start: int
    end: int


def split_words(text: str, language: str) -> tuple[Word, ...]:
    """Return the words of a normalised text; compounds with a hyphen or slash are split unless they hold a digit."""
    out: list[Word] = []
    for match in _WORD.finditer(text):
        word, start = match.group(), match.start()
        if ("-" in word or "/" in word) and not any(c.isdigit() for c in word):
            at = start
            for part in re.split(r"[-/]", word):
                if part:
                    out.append(Word(stem(part, language), at, at + len(part)))
                at += len(part) + 1
        else:
            out.append(Word(stem(word.split("'")[0] or word, language), start, match.end()))
    return tuple(out)


def _stems(text: str, language: str) -> tuple[str, ...]:
    return tuple(word.stem for word in split_words(text, language))


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


_TOKEN = re.compile(r"\w+|[^\w\s]")
_UNQUOTED = frozenset("\"'*_`«»")
_TRAILING = frozenset(".,;:!?…)]")


@dataclass(frozen=True, slots=True)
class Quotable:
    """A text as one string of tokens, to look quotations up in."""

    joined: str
    """Tokens in lower case, each between line feeds; quotation marks and emphasis left out."""
    offsets: tuple[int, ...]
    """Where each token begins in ``joined``."""
    spans: tuple[tuple[int, int], ...]
    """Where each token stands in the normalised text."""


def quotable(text: str) -> Quotable:
    """Return the tokens of a normalised text for `find_quotation`."""
    pieces: list[str] = []
    offsets: list[int] = []
    spans: list[tuple[int, int]] = []
    at = 1
    for match in _TOKEN.finditer(text):
        token = match.group().casefold()
        if token in _UNQUOTED:
            continue
        pieces.append(token)
        offsets.append(at)
        spans.append(match.span())
        at += len(token) + 1
    return Quotable("\n" + "\n".join(pieces) + "\n", tuple(offsets), tuple(spans))


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
    positions: Mapping[str, tuple[int, ...]]
    quotable: Quotable

    @property
    def text(self) -> str:
        return self.normal.text


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
            parts.append(_grid(_cells_of_lines(region, start), language, header_rows=None, caption=""))
        elif region.strip():
            parts.append(_prose(region, start, language))
    return Prepared(context, language, tuple(parts))


def table_from_lines(text: str) -> Table | None:
    """Return the table that ``text`` is when all of its lines are rows of cells separated by `` | ``, else None."""
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) < 2 or not all(is_row(line) for line in lines):
        return None
    cells = tuple(
        Cell(cell.r0, cell.r1, cell.c0, cell.c1, text[cell.start : cell.start + cell.normal.length])
        for cell in _cells_of_lines(text, 0)
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
        parts.append(_prose(notes, len(body) + 1, language))
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


def _cells_of_lines(text: str, offset: int) -> list[GridCell]:
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


def _prose(text: str, offset: int, language: str) -> Prose:
    normal = normalise(text)
    words = split_words(normal.text, language or detect_language(text))
    units = sentences(normal.text)
    starts = [unit.start for unit in units]
    positions: dict[str, list[int]] = {}
    for index, word in enumerate(words):
        positions.setdefault(word.stem, []).append(index)
    return Prose(
        offset=offset,
        normal=normal,
        words=words,
        slots=_slots_of(normal.text, words, language),
        sentences=units,
        sentence_of=tuple(max(0, bisect_right(starts, word.start) - 1) for word in words),
        positions={key: tuple(value) for key, value in positions.items()},
        quotable=quotable(normal.text),
    )


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
    caption_words = _stems(normalise(caption).text, stems_language)
    row_words = tuple(
        tuple(
            _stems(label, stems_language)
            for label in dict.fromkeys([*row_labels, " ".join(dict.fromkeys(row_labels))])
            if label
        )
        for row_labels in labels
    )
    column_words = tuple(_stems(title, stems_language) for title in column_titles)
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
        section_words=tuple((*_stems(section, stems_language), *caption_words) for section in sections),
        slots=(),
        row_frequency=dict(row_frequency),
        column_frequency=dict(column_frequency),
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


# ---------------------------------------------------------------- the answer


@dataclass(frozen=True, slots=True)
class Draft:
    """An answer in normal form, with what the fit of each claim needs."""

    normal: Normal
    prose: Prose
    clause_of: tuple[int, ...]
    """Clause index of each word."""
    sentences: tuple[Sentence, ...]
    """Spans in the normalised text."""


_STRONG_BREAK = re.compile(
    r";|\)\s*,|\b(?:while|whereas|but|versus|vs|compared (?:to|with)|terwijl|maar|während|aber|sowie|tandis que|"
    r"mais)\b",
    re.IGNORECASE,
)
_WEAK_BREAK = re.compile(r",(?=\s)|\b(?:and|en|und|or|of|et|ou)\b", re.IGNORECASE)
_MARKS = re.compile(r"\{\{\d+\}\}")
_EMPHASIS = re.compile(r"(?<![\w*])\*{1,3}(?=\S)|(?<=\S)\*{1,3}(?![\w*])|`")


def read_draft(answer: str, language: str) -> Draft:
    """Return the answer ready to be weighed; citation marks and emphasis are blanked, spans stay."""
    blanked = _EMPHASIS.sub(lambda m: " " * len(m.group()), _MARKS.sub(lambda m: " " * len(m.group()), answer))
    normal_prose = _prose(blanked, 0, language)
    return Draft(
        normal=normal_prose.normal,
        prose=normal_prose,
        clause_of=_clauses(normal_prose),
        sentences=normal_prose.sentences,
    )


def claim_slots(draft: Draft) -> tuple[Slot, ...]:
    """Return the slots of the draft that are claims."""
    return tuple(
        slot
        for slot in draft.prose.slots
        if is_claim(draft.prose.text, Found(slot.value, slot.start, slot.end, slot.parts))
    )


def without_labels(draft: Draft, labels: Collection[Slot]) -> Draft:
    """Return the draft with its clauses cut as if ``labels`` were words: "For 3-year-olds, the total is 2,559"."""
    return replace(draft, clause_of=_clauses(draft.prose, labels))


def _clauses(prose: Prose, labels: Collection[Slot] = ()) -> tuple[int, ...]:
    """Return the clause of each word: cut between two claims at the last break that separates what they are about."""
    cuts: list[int] = []
    whole = [slot for slot in prose.slots if not slot.parts and slot not in labels]
    kinds = [type(slot.value) for slot in whole]
    for index, (left, right) in enumerate(pairwise(whole)):
        gap = prose.text[left.end : right.start]
        strong = list(_STRONG_BREAK.finditer(gap))
        weak = list(_WEAK_BREAK.finditer(gap))
        says_more = any(word.lower() not in _STOP_WORDS for word in _WORD.findall(gap))
        # "ISCED 3-4 is 54 and ISCED 0-2 is 16": label and value alternate, and only the labels tell them apart.
        alternates = (
            kinds[index] != kinds[index + 1] and kinds[max(0, index - 1) : index + 1] == kinds[index + 1 : index + 3]
        )
        if strong:
            cuts.append(left.end + strong[-1].start())
        elif weak and (says_more or alternates):
            cuts.append(left.end + weak[-1].start())
    return tuple(bisect_right(cuts, word.start) for word in prose.words)


# ---------------------------------------------------------------- quotations


@dataclass(frozen=True, slots=True)
class Quotation:
    """Where a sentence stands word for word."""

    context: int
    part: int
    start: int
    end: int
    """Half-open span in the normalised text of the prose, or of the grid's context when ``row`` is set."""
    row: int = -1


_LEADING_MARKER = re.compile(r"(?:[-*+•–]|#{1,6}|\(?(?:\d{1,3}|[a-z]|[ivx]{1,4})[.)])\s+")


def find_quotation(sentence: str, contexts: Sequence[Prepared]) -> Quotation | None:
    """Return where a sentence (in normal form) stands word for word as whole sentences of a context, or None.

    Half a sentence is no quotation: "16 bar" out of "not more than 16 bar" says something else. List marks, emphasis,
    quotation marks, white space and case do not count; digits and their separators do.
    """
    marker = _LEADING_MARKER.match(sentence)
    body = sentence[marker.end() :] if marker else sentence
    wanted = quotable(body)
    count = len(wanted.offsets)
    while count and body[slice(*wanted.spans[count - 1])] in _TRAILING:
        count -= 1
    if not count:
        return None
    needle = wanted.joined[: wanted.offsets[count - 1] + len(body[slice(*wanted.spans[count - 1])].casefold()) + 1]
    for number, context in enumerate(contexts):
        for index, part in enumerate(context.parts):
            if isinstance(part, Prose):
                span = _whole_sentences(needle, count, part)
                if span is not None:
                    return Quotation(number, index, *span)
    return None


def _whole_sentences(needle: str, count: int, part: Prose) -> tuple[int, int] | None:
    hay = part.quotable
    at = hay.joined.find(needle)
    while at >= 0:
        first = bisect_left(hay.offsets, at + 1)
        start, end = hay.spans[first][0], hay.spans[first + count - 1][1]
        if _begins(part, start) and _closes(part, end):
            return start, end
        at = hay.joined.find(needle, at + 1)
    return None


def _begins(part: Prose, start: int) -> bool:
    index = bisect_right([unit.start for unit in part.sentences], start) - 1
    if index < 0:
        return True
    lead = part.text[part.sentences[index].start : start]
    return not lead.strip("\"'*_`«» ") or bool(_LEADING_MARKER.fullmatch(lead))


def _closes(part: Prose, end: int) -> bool:
    index = bisect_left([unit.end for unit in part.sentences], end)
    if index >= len(part.sentences):
        return True
    rest = part.text[end : part.sentences[index].end]
    return all(c in _TRAILING or c in _UNQUOTED or c.isspace() for c in rest)


def row_cells(line: str) -> tuple[str, ...]:
    """Return the cells of a line of cells, in normal form and in lower case."""
    return tuple(_plain(cell.text) for cell in _cells_of_lines(line, 0))


def _plain(text: str) -> str:
    return " ".join(re.sub(r"[*_`]", "", normalise(text).text).split()).casefold()


def find_row(cells: Sequence[str], header: Sequence[str] | None, contexts: Sequence[Prepared]) -> Quotation | None:
    """Return the row that ``cells`` (see `row_cells`) quotes whole, under the same column titles if any are given."""
    for number, context in enumerate(contexts):
        for index, part in enumerate(context.parts):
            if not isinstance(part, Grid):
                continue
            rows = [_row_forms(part, row) for row in range(part.rows)]
            if header is not None and not any(tuple(header) in rows[row] for row in range(part.header_rows)):
                titles = tuple(_plain(title) for title in part.column_titles)
                if tuple(header) != titles:
                    continue
            for row, forms in enumerate(rows):
                if tuple(cells) in forms:
                    return Quotation(number, index, *_row_span(part, row), row=row)
    return None


def _row_forms(grid: Grid, row: int) -> tuple[tuple[str, ...], ...]:
    """Return the row with merged cells copied, printed once, and blank where they go on."""
    indices = [grid.at.get((row, column), -1) for column in range(grid.columns)]
    texts = ["" if i < 0 else _plain(grid.cells[i].text) for i in indices]
    begins = [i >= 0 and grid.cells[i].r0 == row and grid.cells[i].c0 == c for c, i in enumerate(indices)]
    own = [i >= 0 and grid.cells[i].c0 == c for c, i in enumerate(indices)]
    return (
        tuple(texts),
        tuple(text for text, keep in zip(texts, begins, strict=True) if keep),
        tuple(text for text, keep in zip(texts, own, strict=True) if keep),
        tuple(text if keep else "" for text, keep in zip(texts, begins, strict=True)),
    )


def _row_span(grid: Grid, row: int) -> tuple[int, int]:
    cells = [cell for cell in grid.cells if cell.r0 == row] or [
        cell for cell in grid.cells if cell.r0 <= row <= cell.r1
    ]
    return min(c.start for c in cells), max(c.start + c.normal.length for c in cells)


# ---------------------------------------------------------------- fit


@dataclass(frozen=True, slots=True)
class Place:
    """One slot of one context, and how well the claim fits it."""

    context: int
    part: int
    slot: Slot
    fit: float
    """0 to about 1.1."""
    equality: float
    label: bool = False
    """The slot names a row or column."""

    @property
    def spot(self) -> Spot:
        return (self.context, self.part, self.slot.row, self.slot.column, self.slot.start)


Spot: TypeAlias = tuple[int, int, int, int, int]
"""Context, part, row, column and start of a slot."""


@dataclass(frozen=True, slots=True)
class Weighed:
    """What the contexts say about one claim."""

    best: Place | None
    """Best-fitting place with the same value."""
    competitor: Place | None
    """Best-fitting place with another value that could stand there; its fit has the handicap taken off."""
    rounding: Place | None
    """Best-fitting place whose value the claim rounds."""
    count: int
    """Places with the same value."""
    rivals: tuple[Place, ...] = ()
    """Places with another value that could stand there, each with its handicap taken off."""
    fits: Mapping[Spot, float] = field(default_factory=dict[Spot, float])
    """How well the claim fits every place that was weighed, whatever its value."""

    @property
    def margin(self) -> float:
        """How much better the claim fits its best place than the competitor's; -1 when it stands nowhere."""
        if self.best is None:
            return -1.0
        if self.best.label or self.competitor is None:
            return self.best.fit
        return self.best.fit - max(0.0, self.competitor.fit)


def weigh(claim: Slot, draft: Draft, contexts: Sequence[Prepared]) -> Weighed:
    """Return the best place of the claim's value and its best competitor over all contexts."""
    near = _weights(claim, draft, decay=True)
    flat = {stem_: weight for stem_, (weight, _) in _weights(claim, draft, decay=False).items()}
    same: list[Place] = []
    rivals: list[Place] = []
    fits: dict[Spot, float] = {}
    rounding: Place | None = None
    for number, context in enumerate(contexts):
        for index, part in enumerate(context.parts):
            if isinstance(part, Grid):
                places = _places_in_grid(claim, part, flat, number, index)
            else:
                places = _places_in_prose(claim, draft, part, near, number, index)
            for place in places:
                fits[place.spot] = place.fit
                if place.equality >= FOUND:
                    same.append(place)
                    continue
                if _is_rounded(claim.value, place.slot.value) and (rounding is None or place.fit > rounding.fit):
                    rounding = place
                if _could_fill(claim.value, place.slot) and not place.label:
                    rivals.append(place)
    best = max(same, key=lambda place: place.fit + 0.1 * place.equality, default=None)
    if best is not None:
        rivals = [
            place if place.context == best.context else replace(place, fit=place.fit - OTHER_CONTEXT_HANDICAP)
            for place in rivals
        ]
    rivals = [place for place in rivals if place.fit > 0 and not (best is not None and _belongs_to(best, place))]
    competitor = max(rivals, key=lambda place: place.fit, default=None)
    return Weighed(best, competitor, rounding, len(same), tuple(rivals), fits)


def _belongs_to(best: Place, other: Place) -> bool:
    """Say whether the other value is printed as part of the same one: in the same cell, or the range's other end."""
    if (best.context, best.part) != (other.context, other.part):
        return False
    if best.slot.row >= 0:
        return best.slot.cell == other.slot.cell
    ours, theirs = best.slot.value, other.slot.value
    both = isinstance(ours, Quantity) and isinstance(theirs, Quantity) and bool(ours.end) and bool(theirs.end)
    gap = max(other.slot.start - best.slot.end, best.slot.start - other.slot.end)
    return both and gap <= RANGE_GAP


def settle(weighed: Sequence[Weighed]) -> tuple[Weighed, ...]:
    """Return the claims of one sentence weighed together.

    "A has 3, B has 5": the place of 5 competes for the claim 3 and the other way round. What counts for such a pair is
    how much better the values fit as they are said than exchanged, half of it for each.
    """
    spots = {w.best.spot: w for w in weighed if w.best is not None and not w.best.label}
    return tuple(_settled(w, spots) for w in weighed)


def _settled(weighed: Weighed, spots: Mapping[Spot, Weighed]) -> Weighed:
    best = weighed.best
    if best is None or best.label or len(spots) < 2:
        return weighed
    closest: Place | None = None
    for rival in weighed.rivals:
        other = spots.get(rival.spot)
        fit = rival.fit
        if other is not None and other.best is not None and best.spot in other.fits:
            ours = best.fit - rival.fit
            theirs = other.best.fit - other.fits[best.spot]
            fit = best.fit - (ours + theirs) / 2
        if closest is None or fit > closest.fit:
            closest = replace(rival, fit=fit)
    return replace(weighed, competitor=closest)


def _is_rounded(claim: Value, evidence: Value) -> bool:
    return isinstance(claim, Quantity) and isinstance(evidence, Quantity) and is_rounding(claim, evidence)


def _equality(claim: Value, slot: Slot) -> float:
    same = equality(claim, slot.value)
    if same or slot.parts or not (isinstance(claim, Quantity) and isinstance(slot.value, Quantity)):
        return same
    return HEADER_SCALE if equals_with_scale(claim, slot.value) else 0.0


def _could_fill(claim: Value, slot: Slot) -> bool:
    """Say whether the slot's value could be the true value of the place that the claim fills."""
    evidence = slot.value
    if type(claim) is not type(evidence) or slot.parts:
        return False
    if isinstance(claim, Quantity) and isinstance(evidence, Quantity):
        ours, theirs = dimension(claim), dimension(evidence)
        if ours and theirs:
            return ours == theirs
        # In prose a bare number never competes with a quantity; in a table the unit may stand anywhere.
        return slot.row >= 0 or ours == theirs
    if isinstance(claim, Identifier) and isinstance(evidence, Identifier):
        if claim.prefix or evidence.prefix:
            return claim.prefix == evidence.prefix or _shape(claim.core) == _shape(evidence.core)
        return _shape(claim.core)[:2] == _shape(evidence.core)[:2]
    if isinstance(claim, Certification) and isinstance(evidence, Certification):
        return claim.name == evidence.name
    return True


@lru_cache(maxsize=65536)
def _shape(core: str) -> str:
    return re.sub(r"\d+", "0", re.sub(r"[A-Z]+", "A", core))


def _weights(claim: Slot, draft: Draft, *, decay: bool) -> dict[str, tuple[float, int]]:
    """Return for each word of the draft around the claim its best weight and its signed distance in words."""
    prose = draft.prose
    words = prose.words
    if not words:
        return {}
    here = min(claim.first, len(words) - 1)
    sentence, clause = prose.sentence_of[here], draft.clause_of[here]
    out: dict[str, tuple[float, int]] = {}
    for index, word in enumerate(words):
        if claim.first <= index < claim.last:
            continue
        distance = index - claim.first if index < claim.first else index - claim.last + 1
        weight = 1.0
        if decay:
            weight = (FUNCTION_WORD if word.stem in _STOP_WORDS else 1.0) * 0.5 ** (abs(distance) / HALF_WORDS_ANSWER)
        if prose.sentence_of[index] != sentence:
            weight *= OTHER_SENTENCE
        if draft.clause_of[index] != clause:
            weight *= OTHER_CLAUSE if decay else OTHER_CLAUSE_TABLE
        if weight > out.get(word.stem, (0.0, 0))[0]:
            out[word.stem] = (weight, distance)
    return out


def _places_in_prose(
    claim: Slot, draft: Draft, part: Prose, near: Mapping[str, tuple[float, int]], context: int, index: int
) -> list[Place]:
    places: list[Place] = []
    for slot in part.slots:
        same = _equality(claim.value, slot)
        if same < FOUND and not _could_fill(claim.value, slot) and not _is_rounded(claim.value, slot.value):
            continue
        fit = _prose_fit(near, slot, part) + NEIGHBOUR * _equal_neighbours(claim, draft.prose, slot, part)
        places.append(Place(context, index, slot, fit, same))
    return places


def _prose_fit(near: Mapping[str, tuple[float, int]], slot: Slot, part: Prose) -> float:
    if not part.words:
        return 0.0
    sentence = part.sentence_of[min(slot.first, len(part.words) - 1)]
    matched = total = 0.0
    for stem_, (weight, distance) in near.items():
        total += weight
        best = 0.0
        for at in part.positions.get(stem_, ()):
            if slot.first <= at < slot.last:
                continue
            away = at - slot.first if at < slot.first else at - slot.last + 1
            match = 0.5 ** (max(0, abs(away) - abs(distance)) / HALF_WORDS_CONTEXT)
            if (distance < 0) != (away < 0):
                match *= OTHER_SIDE
            if part.sentence_of[at] != sentence:
                match *= OTHER_SENTENCE
            best = max(best, match)
        matched += weight * best
    return matched / total if total else 0.0


def _equal_neighbours(claim: Slot, draft: Prose, slot: Slot, part: Prose) -> int:
    ours, theirs = draft.words, part.words
    count = 0
    if claim.first > 0 and slot.first > 0:
        count += ours[claim.first - 1].stem == theirs[slot.first - 1].stem
    if claim.last < len(ours) and slot.last < len(theirs):
        count += ours[claim.last].stem == theirs[slot.last].stem
    return count


def _places_in_grid(claim: Slot, grid: Grid, flat: Mapping[str, float], context: int, index: int) -> list[Place]:
    candidates = [(slot, _equality(claim.value, slot)) for slot in grid.slots]
    if not any(same >= FOUND or _could_fill(claim.value, slot) for slot, same in candidates):
        return []
    columns = _column_fits(grid, flat)
    rows = _row_fits(grid, flat, columns)
    best_row = max(rows[grid.header_rows :], default=0.0) or 1.0
    best_column = max(columns[grid.label_column + 1 :], default=0.0) or 1.0
    any_column = max(columns, default=0.0) > 0
    places: list[Place] = []
    for slot, same in candidates:
        row, column = slot.row, slot.column
        if grid.is_label(row, column):
            if same >= FOUND:
                places.append(
                    _label_place(
                        grid, slot, same, flat, rows[row] / best_row, columns[column] / best_column, context, index
                    )
                )
            continue
        fit = (
            ROW_SHARE * min(1.0, rows[row]) + COLUMN_SHARE * columns[column]
            if any_column
            else min(1.0, rows[row]) * ROW_ONLY_SHARE
        )
        places.append(Place(context, index, slot, fit, same))
    return places


def _label_place(
    grid: Grid, slot: Slot, same: float, flat: Mapping[str, float], row: float, column: float, context: int, index: int
) -> Place:
    """Weigh a claim that stands in a label ("Age 4") by the other words of that label."""
    is_header = slot.row < grid.header_rows
    labels = grid.row_words[slot.row]
    words = grid.column_words[slot.column] if is_header else (labels[-1] if labels else ())
    others = [word for word in words if not word[:1].isdigit()]
    fit = sum(word in flat for word in others) / len(others) if others else 0.5
    fit *= min(1.0, max(0.3, column if is_header else row))
    return Place(context, index, slot, fit, same, label=True)


def _f1(pairs: Sequence[tuple[float, float]]) -> list[float]:
    """Return for (matched, full) weights the F1 of the share matched and of the match against the best."""
    most = max((matched for matched, _ in pairs), default=0.0) or 1.0
    out: list[float] = []
    for matched, full in pairs:
        recall = matched / full if full else 0.0
        precision = matched / most
        out.append(2 * recall * precision / (recall + precision) if recall + precision else 0.0)
    return out


def _column_fits(grid: Grid, flat: Mapping[str, float]) -> list[float]:
    def weight(word: str) -> float:
        # What all columns share ("Threshold for releases to air | … to water") tells none of them apart.
        rare = math.log(max(2, grid.columns) / grid.column_frequency[word]) + COMMON_TITLE_WORD
        return rare * (FUNCTION_WORD_LABEL if word in _STOP_WORDS else 1.0)

    fits = _f1(
        [
            (sum(weight(w) * flat[w] for w in words if w in flat), sum(weight(w) for w in words))
            for words in grid.column_words
        ]
    )
    for column in range(min(grid.label_column + 1, len(fits))):
        fits[column] = 0.0
    return fits


def _row_fits(grid: Grid, flat: Mapping[str, float], columns: Sequence[float]) -> list[float]:
    # Words that already chose the column say less about the row.
    used: frozenset[str] = frozenset()
    if columns and max(columns) > 0.5:
        used = frozenset(grid.column_words[max(range(len(columns)), key=lambda c: columns[c])])
    body = max(1, grid.rows - grid.header_rows)

    def weight(word: str) -> float:
        frequency = grid.row_frequency.get(word, 0)
        rare = math.log(1 + body / frequency) if frequency else 1.0
        return rare * (FUNCTION_WORD_LABEL if word in _STOP_WORDS else 1.0)

    pairs: list[tuple[float, float]] = []
    for labels in grid.row_words:
        best = (0.0, 1.0)
        for words in labels:
            matched = sum(weight(w) * flat[w] * (0.5 if w in used else 1.0) for w in words if w in flat)
            full = sum(weight(w) for w in words)
            if full and matched * matched / full > best[0] * best[0] / best[1]:
                best = (matched, full)
        pairs.append(best)
    most = max((matched for matched, _ in pairs[grid.header_rows :]), default=0.0) or 1.0
    fits: list[float] = []
    for (matched, full), section in zip(pairs, grid.section_words, strict=True):
        recall, precision = matched / full, matched / most
        fit = 2 * recall * precision / (recall + precision) if recall + precision else 0.0
        if section:
            fit += SECTION_ROW_BONUS * sum(flat.get(word, 0.0) for word in section) / len(section)
        fits.append(fit)
    return fits
