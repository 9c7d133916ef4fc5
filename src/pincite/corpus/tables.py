"""Words and rules of a page → tables as grids with merged cells. Pure.

``lattice`` makes grids of the rules and of the edges of shading, ``cells`` puts the words in; here a grid becomes a
table with its header rows, caption, footnotes and confidence, and tables over several sheets are joined. ``striped``
and ``aligned`` find those without a grid. From ``find_tables`` to ``_table`` y grows downwards: row 0 is the upper one.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from statistics import median
from typing import TypeAlias

from pincite.corpus.aligned import find_regions
from pincite.corpus.captions import CAPTION, caption_of, footnotes_of, without_frame_text
from pincite.corpus.carried import carried_down
from pincite.corpus.cells import drafts_of, is_chart, stacks_rows
from pincite.corpus.draft import FIGURE, Draft, cell_text
from pincite.corpus.header_rows import count_header_rows
from pincite.corpus.lattice import Fill, Rules, Segment, boxes_of, clusters, is_regular, joined, lattices_of
from pincite.corpus.layout import Word, rows_of, unturned, words_made
from pincite.corpus.shading import edges_of, shades_of
from pincite.corpus.shading import flipped as flipped_fill
from pincite.corpus.striped import striped_regions
from pincite.types import Box, Cell, Line, Table

_CONTINUED = re.compile(r"\b(cont(inued|['’]d|\.)?|vervolg|fortsetzung|suite)\b", re.IGNORECASE)

_Found: TypeAlias = tuple[Box, list[Draft]]

MIN_BOXES = 4
"""Frames beside each other of which it is asked whether they are the cells of a table."""
MORE_WORDS = 1.3
"""How many times the words of what is ruled a shaded table must hold to stand in its place: a header with rules under
which the rows are told by stripes."""


def rows(table: Table) -> tuple[tuple[str, ...], ...]:
    """Return the whole grid, each merged cell's text copied into every place it covers; line breaks become spaces."""
    height = max((c.r1 for c in table.cells), default=-1) + 1
    width = max((c.c1 for c in table.cells), default=-1) + 1
    grid = [[""] * width for _ in range(height)]
    for cell in table.cells:
        text = " ".join(cell.text.split())
        for r in range(cell.r0, cell.r1 + 1):
            for c in range(cell.c0, cell.c1 + 1):
                grid[r][c] = text
    return tuple(tuple(row) for row in grid)


def header_rows(table: Table) -> int:
    """Return how many of the upper rows are header rows; 0 when the table has none or only continues another."""
    return max((c.r1 + 1 for c in table.cells if c.header), default=0)


def column_names(table: Table) -> tuple[str, ...]:
    """Return the name of each column, those of nested header cells joined: ``"Fee in % › Shop"``.

    A name is empty where the header names nothing; all are where the table has no header rows.
    """
    names: list[list[str]] = [[] for _ in range(max((c.c1 for c in table.cells), default=-1) + 1)]
    for cell in sorted(table.cells, key=lambda c: c.r0):
        text = " ".join(cell.text.split())
        if cell.header and text:
            for c in range(cell.c0, cell.c1 + 1):
                names[c].append(text)
    return tuple(" › ".join(parts) for parts in names)


def holds(table: Table, line: Line) -> bool:
    """Return whether the line is printed inside the table."""
    x, y = (line.box[0] + line.box[2]) / 2, (line.box[1] + line.box[3]) / 2
    x0, y0, x1, y1 = table.box
    return line.page == table.page and x0 <= x <= x1 and y0 <= y <= y1


def find_tables(words: Sequence[Word], rules: Rules, *, page: int, turn: int = 0) -> list[Table]:
    """Return the tables of a page from the top down.

    ``words`` and ``rules`` are in the upright frame of the page, ``turn`` leads back to user space.
    """
    flipped = words_made((w[0], w[1], -w[4], w[3], -w[2], *w[5:]) for w in words)
    across = joined([(-y, a, b) for y, a, b in rules.across])
    down = joined([(x, -b, -a) for x, a, b in rules.down])
    fills = [flipped_fill(fill) for fill in rules.fills]
    edges_across, edges_down = edges_of(fills, across, down)
    shades = shades_of(fills)
    carried = carried_down(flipped, sorted(across + edges_across), down)
    if carried.down:
        across, down = joined(across + carried.across), joined(down + carried.down)
        edges_across, edges_down = edges_of(fills, across, down)
    ruled = _ruled(flipped, across, down, down)
    apart = [Fill(box, 0) for box in boxes_of(across, down)]
    if len(apart) >= MIN_BOXES:
        # Frames with white between them are cells like filled ones.
        ruled = _with_shaded(ruled, _ruled(flipped, *edges_of(apart, [], []), []))
    if edges_across:
        shaded = _ruled(flipped, sorted(across + edges_across), sorted(down + edges_down), down)
        ruled = _with_shaded(ruled, shaded)
    outer: list[tuple[Box, Table]] = []
    doubtful: list[_Found] = []
    charts = [box for box, drafts in ruled if is_chart(drafts)]
    for box, drafts in ruled:
        if box in charts:
            continue
        if is_under_ruled(drafts):
            doubtful.append((box, drafts))
            continue
        outer.append((box, _table(box, drafts, flipped, shades, page=page, turn=turn)))
    taken = [*charts, *(box for box, _ in outer)]
    striped = striped_regions(flipped, shades, taken)
    # What rules and stripes do not tell, alignment may.
    taken += [region.box for region in striped]
    unjudged = [rule for rule in down if not any(_runs_in(rule, box) for box, _ in doubtful)]
    regions = [*striped, *find_regions(flipped, across, unjudged, taken)]
    for box, drafts in doubtful:
        if not any(_overlap(box, region.box) for region in regions):
            outer.append((box, _table(box, drafts, flipped, shades, page=page, turn=turn)))
    for region in regions:
        table = _table(region.box, region.drafts, flipped, shades, page=page, turn=turn)
        outer.append((region.box, replace(table, confidence=region.confidence)))
    return [table for _, table in sorted(outer, key=lambda item: (item[0][1], item[0][0]))]


def _ruled(words: list[Word], across: list[Segment], down: list[Segment], frames: list[Segment]) -> list[_Found]:
    """Return the lattices that hold tables: their boxes and cells; ``frames`` are the rules down that are drawn."""
    shaded = frames is not down
    found: list[_Found] = []
    for lattice in lattices_of(across, down, frames):
        drafts = None if shaded and not is_regular(lattice) else drafts_of(lattice, words)
        if drafts is not None:
            found.append(((lattice.xs[0], lattice.ys[0], lattice.xs[-1], lattice.ys[-1]), drafts))
    # A lattice inside another one (a drawing in a cell) is not a table of its own.
    return [
        (box, drafts)
        for box, drafts in found
        if not any(other is not box and _within(box, other) for other, _ in found)
    ]


def _with_shaded(ruled: list[_Found], shaded: list[_Found]) -> list[_Found]:
    """Return the ruled tables, and the shaded ones where nothing is ruled or little of the table is."""
    out = list(ruled)
    for box, drafts in shaded:
        if stacks_rows(drafts):
            # Fills of one colour that touch hide the edge between two cells: a heat map. Alignment tells its rows.
            continue
        beside = [found for found in out if _overlap(found[0], box)]
        if _count(drafts) >= MORE_WORDS * sum(_count(d) for _, d in beside):
            out = [found for found in out if not any(found is b for b in beside)]
            out.append((box, drafts))
    return out


def _count(drafts: list[Draft]) -> int:
    return sum(len(d.words) for d in drafts)


def _runs_in(rule: Segment, box: Box) -> bool:
    """Return whether a rule down runs in the box."""
    x, y0, y1 = rule
    return box[0] - 2 <= x <= box[2] + 2 and y0 < box[3] and y1 > box[1]


def _overlap(a: Box, b: Box) -> bool:
    return min(a[2], b[2]) > max(a[0], b[0]) + 2 and min(a[3], b[3]) > max(a[1], b[1]) + 2


def _within(inner: Box, outer: Box) -> bool:
    return (
        inner[0] >= outer[0] - 1 and inner[1] >= outer[1] - 1 and inner[2] <= outer[2] + 1 and inner[3] <= outer[3] + 1
    )


# ---------------------------------------------------------------- what the grid means


def _table(
    around: Box, drafts: list[Draft], words: Sequence[Word], shades: Sequence[Fill], *, page: int, turn: int
) -> Table:
    def back(box: Box) -> Box:
        return unturned((box[0], -box[3], box[2], -box[1]), turn)

    drafts = sorted(drafts, key=lambda d: (d.place.r0, d.place.c0))
    drafts, titles, remarks = without_frame_text(drafts)
    headers = count_header_rows(drafts, shades)
    cells = tuple(Cell(*d.place, cell_text(d.words), back(d.box), header=d.place.r0 < headers) for d in drafts)
    x0, x1 = around[0], around[2]
    y0, y1 = min(d.box[1] for d in drafts), max(d.box[3] for d in drafts)
    outside = [w for w in words if w.turn == 0 and w.x1 > x0 - 60 and w.x0 < x1 + 60]
    caption = " ".join(titles) or caption_of(outside, y0, y1)
    size = median([w.size for d in drafts for w in d.words] or [10.0])
    notes = remarks or footnotes_of([w for w in outside if w.x1 > x0 - 4 and w.x0 < x1 + 4], cells, y1, size)
    box = back((x0 - 1, y0 - 1, x1 + 1, y1 + 1))
    return Table(page, box, cells, caption, notes, confidence=_confidence(drafts))


def is_under_ruled(drafts: list[Draft]) -> bool:
    """Return whether the rules leave many rows or columns of the table in one cell."""
    words = [w for d in drafts for w in d.words if not w.turn]
    bands = max(d.place.r1 for d in drafts) + 1
    if bands > 3 and len(rows_of(words)) < 4 * bands:
        return False
    return _unparted_figures([d for d in drafts if d.words]) > 0.1 or _unruled_rows(drafts) > 0.4


def _confidence(drafts: list[Draft]) -> float:
    """Return 0 to 1: about the share of neighbouring cells that are rightly told; below .5 the grid is doubtful.

    Measured in docs/evaluation.md for a clean grid; penalties are guesses, ordered by what was seen to go wrong.
    """
    filled = [d for d in drafts if d.words]
    words = [(w, d) for d in filled for w in d.words]
    crossing = sum(1 for w, d in words if w.x0 < d.box[0] - 2 or w.x1 > d.box[2] + 2)
    confidence = 0.99
    if len(filled) < 0.6 * len(drafts):
        confidence -= 0.15
    if crossing > 0.05 * len(words):
        confidence -= 0.2
    if crossing > 0.15 * len(words):
        confidence -= 0.3
    width = max(d.place.c1 for d in drafts) + 1
    if width >= 6 and sum(d.place.c1 > d.place.c0 for d in filled) > 0.5 * len(filled):
        # A bar chart on a grid: each bar ends one cell that seems to span the rest of the row.
        confidence -= 0.5
    if _unparted_figures(filled) > 0.1:
        confidence -= 0.5
    if _unruled_rows(drafts) > 0.4:
        confidence -= 0.5
    return round(max(confidence, 0.05), 2)


def _unparted_figures(filled: list[Draft]) -> float:
    """Return the share of cells that hold two figures with a wide gap between them: columns that nothing rules off."""
    bad = 0
    for draft in filled:
        for row in rows_of([w for w in draft.words if not w.turn]):
            if any(
                b.x0 - a.x1 > 1.2 * a.size and FIGURE.match(a.text) and FIGURE.match(b.text) for a, b in pairwise(row)
            ):
                bad += 1
                break
    return bad / len(filled) if filled else 0.0


def _unruled_rows(drafts: list[Draft]) -> float:
    """Return the share of words in cells of three or more lines whose baselines repeat in a neighbour of the row.

    There the rows of the table are told by white space only, so that one cell holds many.
    """
    by_rows: defaultdict[tuple[int, int], list[tuple[int, set[int], bool]]] = defaultdict(list)
    total = bad = 0
    for draft in drafts:
        total += len(draft.words)
        baselines = {round((w.y0 + w.y1) / 6) for w in draft.words}
        starts = [row[0].text[:1] for row in rows_of([w for w in draft.words if not w.turn])]
        wrapped = sum(c.islower() for c in starts[1:]) > 0.3 * len(starts)
        by_rows[draft.place.r0, draft.place.r1].append((len(draft.words), baselines, wrapped))
    for cells in by_rows.values():
        for i, (count, mine, wrapped) in enumerate(cells):
            if len(mine) < 3 or wrapped:
                continue
            for j, (_, other, _) in enumerate(cells):
                same = sum(1 for q in mine if q in other or q + 1 in other or q - 1 in other)
                # Prose in two neighbouring cells shares baselines too, but is set in long lines.
                if j != i and len(other) >= 3 and same >= 0.6 * len(mine) and count <= 4 * len(mine):
                    bad += count
                    break
    return bad / total if total else 0.0


# ---------------------------------------------------------------- over several sheets


def continued(tables: tuple[Table, ...], lines: Sequence[Line]) -> tuple[Table, ...]:
    """Return the tables with ``continues`` set where a region goes on from the sheet before.

    That is: the last thing on one sheet, the first on the next, and columns at the same places. Only a repeated
    caption and the notes of the first region may stand between.
    """
    out = list(tables)
    by_page: defaultdict[int, list[int]] = defaultdict(list)
    for i, table in enumerate(tables):
        by_page[table.page].append(i)
    on_page: defaultdict[int, list[Line]] = defaultdict(list)
    for line in lines:
        if line.page in by_page:
            on_page[line.page].append(line)
    for page, here in by_page.items():
        before = by_page.get(page - 1)
        if not before:
            continue
        first, last = here[0], before[-1]
        if not _same_columns(tables[last], tables[first]):
            continue
        lead = _between(on_page[page], tables[first], before_it=True)
        tail = _between(on_page[page - 1], tables[last], before_it=False)
        notes = " ".join(tables[last].footnotes)
        if any(not (CAPTION.match(t) or _CONTINUED.search(t)) for t in lead) or len(lead) > 2:
            continue
        if any(t not in notes for t in tail):
            continue
        cells = tables[first].cells
        if not _repeats_header(out[last], tables[first]):
            cells = tuple(replace(c, header=False) for c in cells)
        out[first] = replace(tables[first], continues=last, cells=cells)
    return tuple(out)


def _between(lines: list[Line], table: Table, *, before_it: bool) -> list[str]:
    own = [i for i, line in enumerate(lines) if holds(table, line)]
    if not own:
        return ["?"]
    return [line.text for line in (lines[: own[0]] if before_it else lines[own[-1] + 1 :])]


def _edges(table: Table) -> list[float]:
    """Return the positions of the columns' edges along the reading direction of the sheet."""
    return clusters([v for c in table.cells if c.box for v in (c.box[0], c.box[2])])


def _same_columns(a: Table, b: Table) -> bool:
    width_a, width_b = max(c.c1 for c in a.cells), max(c.c1 for c in b.cells)
    if width_a != width_b:
        return False
    mine, other = _edges(a), _edges(b)
    return abs(mine[0] - other[0]) <= 8 and abs(mine[-1] - other[-1]) <= 8


def _repeats_header(a: Table, b: Table) -> bool:
    count = header_rows(a)
    return count > 0 and rows(a)[:count] == rows(b)[:count]
