"""A table as lines of text: as printed for reading, and with copied cells and column names for search. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pincite.corpus.tables import column_names, header_rows, rows
from pincite.types import Box, Cell, Span, Table

COPIED_CELL = 200
"""A merged cell longer than this is copied once: a remark of 3,000 characters over 12 rows is one remark."""

LARGEST = 6000
"""Characters of the rows of one chunk. A longer table is cut between rows, each part with the header again."""


def printed(table: Table) -> tuple[str, tuple[Span, ...]]:
    """Return the rows as lines, each merged cell once where it begins, with the place of every row that has one."""
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
        lines.append(line)
        spans.append(Span(at, at + len(line), table.page, _around(boxes) if boxes else table.box))
        at += len(line) + 1
    return "\n".join(lines), tuple(spans)


def _around(boxes: list[Box]) -> Box:
    return (min(b[0] for b in boxes), min(b[1] for b in boxes), max(b[2] for b in boxes), max(b[3] for b in boxes))


def for_search(table: Table) -> list[str]:
    """Return the table as lines of comma-less CSV: titles over all columns, the names of the columns, the rows.

    Merged cells are copied into every place they cover, so that a row says all by itself; a long one (over
    ``COPIED_CELL`` characters) appears once. Nested names are joined: "Fee in % › Shop".
    """
    head = header_rows(table)
    width = max((c.c1 for c in table.cells), default=-1) + 1
    titles = [c for c in table.cells if c.header and c.c0 == 0 and c.c1 == width - 1 and width > 1]
    named = replace(table, cells=tuple(c for c in table.cells if c not in titles and len(c.text) <= COPIED_CELL))
    long = [c for c in table.cells if c.header and c not in titles and len(c.text) > COPIED_CELL]
    lines = [" ".join(c.text.split()) for c in (*titles, *long)]
    names = column_names(named)
    if any(names):
        lines.append(" | ".join([*names, *[""] * (width - len(names))]))
    return lines + _copied(table)[head:]


def body_lines(table: Table) -> int:
    """Return how many of the lines of ``for_search`` are rows below the header."""
    return len(rows(table)) - header_rows(table)


def _copied(table: Table) -> list[str]:
    grid = [list(row) for row in rows(table)]
    for cell in table.cells:
        if len(" ".join(cell.text.split())) > COPIED_CELL:
            places = [(r, c) for r in range(cell.r0, cell.r1 + 1) for c in range(cell.c0, cell.c1 + 1)]
            for r, c in places[1:]:
                grid[r][c] = ""
    return [" | ".join(row) for row in grid]


def with_header(table: Table, origin: Table) -> Table:
    """Return a region that repeats no header with the header rows of the region it continues, without their boxes.

    They are printed on another sheet, so no place on this one can be shown for them.
    """
    count = header_rows(origin)
    if not count or header_rows(table):
        return table
    head = [replace(c, r1=min(c.r1, count - 1), box=None) for c in origin.cells if c.r0 < count]
    below = [replace(c, r0=c.r0 + count, r1=c.r1 + count) for c in table.cells]
    return replace(table, cells=tuple(head + below))


def in_parts(table: Table, limit: int = LARGEST) -> Iterator[Table]:
    """Yield the table, or if its rows have more than ``limit`` characters, parts of it with whole rows.

    Cut where no merged cell is cut if there is such a place. Every part has the header rows, and the merged cells that
    reach into it, again.
    """
    lengths = [len(line) + 1 for line in printed(table)[0].split("\n")]
    head = header_rows(table)
    if sum(lengths) <= limit or len(lengths) - head < 2:
        yield table
        return
    crossed = {r for c in table.cells for r in range(c.r0 + 1, c.r1 + 1)}
    room = max(limit - sum(lengths[:head]), limit // 2)
    start, last, used = head, head, 0
    for r in range(head, len(lengths)):
        if r > start and used + lengths[r] > room:
            end = last if last > start else r
            yield _part(table, head, start, end)
            start, last, used = end, end, sum(lengths[end:r])
        used += lengths[r]
        if r + 1 not in crossed:
            last = r + 1
    yield _part(table, head, start, len(lengths))


def _part(table: Table, head: int, start: int, end: int) -> Table:
    cells: list[Cell] = []
    for c in table.cells:
        if c.r0 < head:
            cells.append(replace(c, r1=min(c.r1, head - 1)))
        r0, r1 = max(c.r0, start), min(c.r1, end - 1)
        if r0 <= r1 and c.r1 >= head:
            cells.append(replace(c, r0=r0 - start + head, r1=r1 - start + head, header=False))
    return replace(table, cells=tuple(cells))
