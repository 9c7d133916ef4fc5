"""Where a sentence or a table row of an answer stands word for word."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from pincite.answer.contexts import Grid, Prepared, Prose, cells_of_lines
from pincite.answer.words import TRAILING, UNQUOTED, quotable
from pincite.quantity import normalise
from pincite.types import Evidence


@dataclass(frozen=True, slots=True)
class Quotation:
    """Where a sentence stands word for word."""

    context: int
    part: int
    start: int
    end: int
    """Half-open span in the normalised text of the prose, or of the grid's context when ``row`` is set."""
    row: int = -1
    column: int = 0
    """Of a row that is read out: the column of the last cell that is read."""


def evidence_of(quotation: Quotation, contexts: Sequence[Prepared]) -> Evidence:
    """Return where a quotation stands in its context, as evidence."""
    part = contexts[quotation.context].parts[quotation.part]
    if isinstance(part, Prose):
        start, end = part.normal.span(quotation.start, quotation.end)
        return Evidence(quotation.context, part.offset + start, part.offset + end)
    return Evidence(quotation.context, quotation.start, quotation.end, (quotation.row, quotation.column))


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
    while count and body[slice(*wanted.spans[count - 1])] in TRAILING:
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
    unquoted = lead.rstrip("\"'*_`«»")
    return not unquoted.strip("\"'*_`«» ") or bool(_LEADING_MARKER.fullmatch(unquoted))


def _closes(part: Prose, end: int) -> bool:
    index = bisect_left([unit.end for unit in part.sentences], end)
    if index >= len(part.sentences):
        return True
    rest = part.text[end : part.sentences[index].end]
    return all(c in TRAILING or c in UNQUOTED or c.isspace() for c in rest)


def row_cells(line: str) -> tuple[str, ...]:
    """Return the cells of a line of cells, in normal form and in lower case."""
    return tuple(_plain(cell.text) for cell in cells_of_lines(line, 0))


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
                # Without titles there is nothing that blank cells at the ends could shift.
                bare = header is None and _trimmed(cells) in {_trimmed(form) for form in forms}
                if tuple(cells) in forms or bare:
                    return Quotation(number, index, *_row_span(part, row), row=row)
    return None


def _trimmed(cells: Sequence[str]) -> tuple[str, ...]:
    filled = [index for index, cell in enumerate(cells) if cell]
    return tuple(cells[filled[0] : filled[-1] + 1]) if filled else ()


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


def find_reading(sentence: str, contexts: Sequence[Prepared]) -> Quotation | None:
    """Return the one row that a line reads out: its labels, then column titles with its cells, or None.

    "CRN 32-3: Q: 32 m³/h; H [m]: 48". Whole cells only, each under its own title (its unit may stand at the value), the
    row's first cell among them. Where two rows read alike up to their values, the line does not say which it is.
    """
    marker = _LEADING_MARKER.match(sentence)
    line = _plain(sentence[marker.end() :] if marker else sentence).rstrip(".")
    found: list[Quotation] = []
    for number, context in enumerate(contexts):
        for index, part in enumerate(context.parts):
            if isinstance(part, Grid):
                for row in range(part.header_rows, part.rows):
                    read = _Reading(part, row)
                    if (column := read.says(line)) >= 0:
                        if any(_Reading(part, other).begins_like(read) for other in range(part.rows) if other != row):
                            return None
                        found.append(Quotation(number, index, *_row_span(part, row), row=row, column=column))
    return found[0] if found else None


_UNIT_AT_END = re.compile(r"\s*(?:[\[(]\s*(\S{1,8}?)\s*[\])]|,\s*(\S{1,6}))\s*$")


class _Reading:
    """A row of a grid as it may be read out."""

    def __init__(self, grid: Grid, row: int) -> None:
        cells = [grid.cell(row, column) for column in range(grid.columns)]
        self.texts = ["" if cell is None else _plain(cell.text) for cell in cells]
        self.first = next((column for column, text in enumerate(self.texts) if text), -1)
        self.labels = tuple(text for column, text in enumerate(self.texts) if text and grid.is_label(row, column))
        titles = [_plain(title).replace(" › ", " ") for title in grid.column_titles]
        self._forms = [self._read(title, text) for title, text in zip(titles, self.texts, strict=True)]

    def _read(self, title: str, text: str) -> tuple[str, ...]:
        if not text:
            return ()
        unit = _UNIT_AT_END.search(title)
        moved = (f"{title[: unit.start()]}: {text} {unit.group(1) or unit.group(2)}",) if unit else ()
        # Of two columns the second says what the first names, with or without a title.
        bare = (text,) if not title or len(self.texts) == 2 else ()
        return (*((f"{title}: {text}",) if title else ()), *moved, *bare)

    def begins_like(self, other: _Reading) -> bool:
        """Whether another row has the same labels and other cells."""
        return self.labels == other.labels and self.texts != other.texts

    def says(self, line: str) -> int:
        """The column of the last cell that a line reads out of the row; -1 when it does not read it."""
        if self.first < 0:
            return -1
        column = self._values(line, 0, named=False)
        return column if column >= 0 else self._labels(line, 0, 0, named=False)

    def _labels(self, line: str, at: int, column: int, *, named: bool) -> int:
        for c in range(column, len(self.texts)):
            end = at + len(self.texts[c])
            if not self.texts[c] or not line.startswith(self.texts[c], at):
                continue
            known = named or c == self.first
            if line.startswith(": ", end) and (last := self._values(line, end + 2, named=known)) >= 0:
                return last
            if line.startswith(", ", end) and (last := self._labels(line, end + 2, c + 1, named=known)) >= 0:
                return last
        return -1

    def _values(self, line: str, at: int, *, named: bool) -> int:
        for c, forms in enumerate(self._forms):
            for form in forms:
                if not line.startswith(form, at):
                    continue
                end, known = at + len(form), named or c == self.first
                if end == len(line) and known:
                    return c
                if line.startswith("; ", end) and (last := self._values(line, end + 2, named=known)) >= 0:
                    return last
        return -1
