"""Evidence in passages → what a reader can follow by hand: citations and source tables. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from urllib.parse import quote as url_quote

from pincite.answer.rows import RowPassage, row_citation
from pincite.corpus.tables import header_rows, rows
from pincite.types import AnswerTable, Box, Chunk, Citation, CitedPage, Passage, Span, Table

LONGEST_QUOTE = 600
"""Characters. A quotation grows to its whole sentence, and with a second sentence of the same passage, up to here."""


@dataclass(frozen=True, slots=True)
class Found:
    """Where in a passage something is supported: a half-open span of the chunk's text, or a cell, or as a whole."""

    handle: str
    span: tuple[int, int] | None = None
    cell: tuple[int, int] | None = None
    """Row and column, from 0, in the expanded grid."""


class Citations:
    """The numbered citations of one answer, in order of first use."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[object, ...], int] = {}
        self._chunks: dict[int, tuple[str, tuple[int, int]]] = {}
        """Passage id and quoted span of each number: only a quotation of the same passage can grow."""
        self._rows: dict[int, set[int]] = {}
        """Rows quoted of each number that cites cells."""
        self.all: list[Citation] = []

    def cite(self, passage: Passage, found: Sequence[Found], retrieved_at: str) -> Citation:
        """The citation of ``passage`` for what was found in it.

        One document, section and page keeps one number: a second use adds its boxes, and lengthens the quotation when
        it comes from the same passage.
        """
        if isinstance(passage, RowPassage):
            return self._cite_row(passage)
        revision, chunk = passage.revision, passage.chunk
        spans = [span for one in found if (span := evidence_span(chunk, one)) is not None]
        quoted = _whole_sentences(chunk, min(a for a, _ in spans), max(b for _, b in spans)) if spans else _head(chunk)
        boxes = _boxes(chunk, [_whole_sentences(chunk, *span) for span in spans] or [quoted], found)
        pages = tuple(sorted(boxes)) if spans and boxes else chunk.pages
        key = (revision.document, revision.sha256, chunk.section, pages or passage.id)
        cited = tuple(CitedPage(page, _label(revision.labels, page), tuple(boxes.get(page, ()))) for page in pages)
        if (n := self._numbers.get(key)) is not None:
            return self._grow(n, passage, quoted, cited, found)
        n = self._numbers[key] = len(self.all) + 1
        self._chunks[n] = passage.id, quoted
        where = f"/view/{url_quote(revision.document, safe='')}/{revision.sha256}"
        citation = Citation(
            n=n,
            document=revision.document,
            source=revision.source,
            title=revision.title,
            revision=revision.revision,
            sha256=revision.sha256,
            section=chunk.section,
            pages=cited,
            quote=self._quotation(n, chunk, quoted, found),
            standing=revision.standing,
            retrieved_at=retrieved_at,
            url=f"{where}?page={pages[0]}" if pages else where,
        )
        self.all.append(citation)
        return citation

    def _cite_row(self, passage: RowPassage) -> Citation:
        """The citation of a row of the catalogue, always of all that it says."""
        n = self._numbers.setdefault((passage.id,), len(self.all) + 1)
        if n > len(self.all):
            self.all.append(row_citation(n, passage))
        return self.all[n - 1]

    def _quotation(self, n: int, chunk: Chunk, span: tuple[int, int], found: Sequence[Found]) -> str:
        """The text of the span; of cells, their rows with the merged cells that reach into them."""
        rows_ = self._rows.setdefault(n, set())
        rows_ |= {one.cell[0] for one in found if one.cell is not None}
        if chunk.table is None or not rows_:
            return chunk.text[slice(*span)]
        ordered = sorted(chunk.table.cells, key=lambda cell: cell.c0)
        lines = [[cell.text for cell in ordered if cell.r0 <= row <= cell.r1] for row in sorted(rows_)]
        return "\n".join(" | ".join(" ".join(text.split()) for text in line) for line in lines)

    def _grow(
        self,
        n: int,
        passage: Passage,
        quoted: tuple[int, int],
        cited: tuple[CitedPage, ...],
        found: Sequence[Found],
    ) -> Citation:
        old = self.all[n - 1]
        pages = tuple(
            replace(before, boxes=tuple(dict.fromkeys((*before.boxes, *after.boxes))))
            for before, after in zip(old.pages, cited, strict=True)
        )
        quotation = old.quote
        own, (start, end) = self._chunks[n]
        if own == passage.id:
            start, end = min(start, quoted[0]), max(end, quoted[1])
            longer = self._quotation(n, passage.chunk, (start, end), found)
            if len(longer) <= LONGEST_QUOTE:
                self._chunks[n] = own, (start, end)
                quotation = longer
        self.all[n - 1] = replace(old, pages=pages, quote=quotation)
        return self.all[n - 1]


def show_table(passage: Passage, found: Sequence[Found], *, number: int, citation: int) -> AnswerTable:
    """The passage's table as stored, with the cells of ``found`` marked; ``number`` from 1 makes its id.

    A table without a caption goes by the name of its section or document.
    """
    table = passage.chunk.table
    if table is None:
        raise ValueError(f"passage {passage.id} holds no table")
    grid = rows(table)
    head = header_rows(table)
    columns = tuple(
        " ".join(dict.fromkeys(grid[row][column] for row in range(head) if grid[row][column]))
        for column in range(len(grid[0]) if grid else 0)
    )
    caption = table.caption or (passage.chunk.section[-1] if passage.chunk.section else passage.revision.title)
    marked = sorted({one.cell for one in found if one.cell is not None and one.cell[0] >= head})
    return AnswerTable(
        id=f"t{number}",
        citation=citation,
        columns=columns,
        rows=grid[head:],
        highlighted=tuple((row - head, column) for row, column in marked),
        cells=table.cells,
        caption=" ".join(caption.split()),
        footnotes=table.footnotes,
    )


def evidence_span(chunk: Chunk, found: Found) -> tuple[int, int] | None:
    """The half-open span of the chunk's text that ``found`` stands in: of a cell, the line of its row."""
    if found.cell is not None and chunk.table is not None:
        return _row_line(chunk, chunk.table, found.cell)
    if found.span is None or not 0 <= found.span[0] < found.span[1] <= len(chunk.text):
        return None
    return found.span


def _row_line(chunk: Chunk, table: Table, cell: tuple[int, int]) -> tuple[int, int] | None:
    row, column = cell
    grid = rows(table)
    lines = [match.span() for match in re.finditer(r"[^\n]*", chunk.text) if match.group(0)]
    if len(lines) == len(grid):
        return lines[row] if 0 <= row < len(lines) else None
    # A passage made elsewhere may be printed otherwise: the line that holds most of the row, with the cell itself.
    wanted = set(filter(None, grid[row])) if 0 <= row < len(grid) else set[str]()
    own = grid[row][column] if wanted and column < len(grid[row]) else ""
    held = [(sum(text in chunk.text[a:b] for text in wanted), -a, (a, b)) for a, b in lines if own in chunk.text[a:b]]
    return max(held)[2] if held and own else None


def _boxes(chunk: Chunk, spans: Sequence[tuple[int, int]], found: Sequence[Found]) -> dict[int, list[Box]]:
    """Boxes by page: of the printed lines under ``spans`` and the merged cells in ``found``, else of its rows."""
    boxes: dict[int, list[Box]] = {}
    for printed in chunk.spans:
        if any(printed.start < end and start < printed.end for start, end in spans):
            _add(boxes, printed)
    if chunk.picture is not None and chunk.pages and boxes:
        # Who cites a caption is shown the picture too.
        boxes.setdefault(chunk.pages[0], []).append(chunk.picture)
    table = chunk.table
    if table is None:
        return boxes
    lines_known = bool(boxes)
    for row, column in (one.cell for one in found if one.cell is not None):
        for cell in table.cells:
            in_row = cell.r0 == cell.r1 == row
            itself = cell.r0 <= row <= cell.r1 and cell.c0 <= column <= cell.c1
            # A merged cell that reaches into other rows is marked only when the value stands in it; the line of the
            # row does not show it.
            wanted = (itself and cell.r0 < cell.r1) if lines_known else (in_row or itself)
            if wanted and cell.box is not None and cell.box not in boxes.get(table.page, []):
                boxes.setdefault(table.page, []).append(cell.box)
    return boxes


def _add(boxes: dict[int, list[Box]], span: Span) -> None:
    if span.box not in boxes.setdefault(span.page, []):
        boxes[span.page].append(span.box)


def _label(labels: Sequence[str], page: int) -> str:
    return labels[page - 1] if 0 < page <= len(labels) else str(page)


def _head(chunk: Chunk) -> tuple[int, int]:
    """The first sentence or line of the chunk, for a citation of the whole."""
    start = len(chunk.text) - len(chunk.text.lstrip())
    return _whole_sentences(chunk, start, min(start + 1, len(chunk.text)))


def _whole_sentences(chunk: Chunk, start: int, end: int) -> tuple[int, int]:
    """The span grown to whole sentences, or whole lines in a table, as far as the quotation stays short."""
    text = chunk.text
    stop = r"\n" if chunk.kind == "table" else r"(?:[.!?;][\"'”’)\]]*\s+)|\n\s*\n"
    begins = [match.end() for match in re.finditer(stop, text) if match.end() <= start]
    ends = [match.start() + len(match.group(0).rstrip()) for match in re.finditer(stop, text) if match.end() >= end]
    wide = (begins[-1] if begins else 0, next((one for one in ends if one >= end), len(text.rstrip())))
    if wide[1] - wide[0] > LONGEST_QUOTE:
        lines = [match.span() for match in re.finditer(r"[^\n]+", text)]
        touched = [(a, b) for a, b in lines if a < end and start < b] or [(start, end)]
        wide = touched[0][0], touched[-1][1]
    if wide[1] - wide[0] > LONGEST_QUOTE:
        wide = start, min(end, start + LONGEST_QUOTE)
    return wide
