"""Lines of a region in fragments → its rows by blocks: the lines of one wrapped cell, below each other. Pure.

Cells are wrapped with less white between their lines than is between two rows. Then the lines of a column fall into
blocks, and blocks of different columns that stand beside each other are one row, however they are aligned in it: at the
top, in the middle or at the bottom. As in ``lattice``, y grows downwards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median_low
from typing import NamedTuple

from pincite.corpus.columns import WRAP_EM, TextLine, is_figure
from pincite.corpus.fragments import Fragment
from pincite.corpus.layout import text_of

LOOSE = 1.07
"""Baselines of one cell differ by the least step of the region, but for rounding: a browser pads rows by 2 pt."""
BESIDE_EM = 0.15
"""Blocks stand beside each other when they have so much height in common, in type sizes."""
STACKED = 0.02
"""Share of the figures that may stand as close below another as wrapped lines do: then rows are no wider apart."""
FILLED = 0.75
"""Share of the places of a row of several lines that holds something in every line: then each line is a row."""


class Between(NamedTuple):
    """A fragment that stands beside the rows ``r0`` to ``r1``, two or more: a cell over these rows, at least."""

    r0: int
    r1: int
    fragment: Fragment
    at_top: bool
    """It begins on the first line of row ``r0``: it may reach further down than its lines do."""


class Rows(NamedTuple):
    """Rows from the top down, each with its cells, and what stands beside several of them."""

    rows: list[list[Fragment]]
    between: list[Between]


@dataclass(slots=True)
class Block:
    """Lines of one cell: fragments over the same columns, one below the other."""

    c0: int
    c1: int
    parts: list[Fragment]
    first: int
    """Index of its first line; ``last`` that of its last one."""
    last: int
    top: float
    bottom: float
    base: float
    """Baseline of its last line."""

    def whole(self) -> Fragment:
        return Fragment(self.c0, self.c1, [w for part in self.parts for w in part.words])


def rows_by_blocks(
    lines: Sequence[TextLine], pieces: Sequence[Sequence[Fragment]], ruled: Sequence[float]
) -> Rows | None:
    """Return the rows that blocks tell; None where wrapped lines are no closer than rows, or none is wrapped.

    Args:
        lines: from the top down.
        pieces: the fragments of each line.
        ruled: heights of the rules over all columns.
    """
    leading = leading_of(lines, pieces)
    if leading is None:
        return None
    blocks = blocks_of(lines, pieces, ruled, leading * LOOSE)
    size = lines[0].size
    spanning = [b for b in blocks if _spans(b, blocks, size)]
    # Of two cells that each seem to span the other's rows, none is told.
    rows = _beside([b for b in blocks if not any(b is s for s in spanning)], size)
    if len(rows) < 2 or any(_doubled(row) for row in rows) or _each_line_is_a_row(rows):
        return None
    rows, floating = _without_floating(rows)
    between: list[Between] = []
    for block in [*spanning, *floating]:
        near = [r for r, row in enumerate(rows) if _common(block, _extent(row)) > BESIDE_EM * size]
        if not near:
            near = [r for r, row in enumerate(rows) if _extent(row)[1] <= block.top][-1:]
            near = [*near, *(r + 1 for r in near if r + 1 < len(rows))]
        if not near:
            return None
        whole = block.whole()
        home = next((b for b in rows[near[0]] if b.c0 <= block.c1 and block.c0 <= b.c1), None)
        if len(near) == 1 and home is None:
            rows[near[0]].append(block)
        elif len(near) == 1:
            return None
        else:
            at_top = block.first == min(b.first for b in rows[near[0]])
            between.append(Between(near[0], near[-1], whole, at_top))
    return Rows([[b.whole() for b in sorted(row, key=lambda b: b.c0)] for row in rows], between)


def row_start(lines: Sequence[TextLine], pieces: Sequence[Sequence[Fragment]], i: int) -> int:
    """Return the index of the first line of the row in which line ``i`` stands."""
    leading = leading_of(lines, pieces)
    if leading is None:
        return i
    size = lines[i].size
    blocks = blocks_of(lines, pieces, (), leading * LOOSE)
    own = [b for b in blocks if b.first <= i <= b.last and not _spans(b, blocks, size)]
    if not own:
        return i
    extent = _extent(own)
    return min([b.first for b in blocks if _common(b, extent) > BESIDE_EM * size and not _spans(b, blocks, size)])


def leading_of(lines: Sequence[TextLine], pieces: Sequence[Sequence[Fragment]]) -> float | None:
    """Return the step between baselines of one cell, in points; None when no cell is surely wrapped."""
    steps: list[float] = []
    stacked: list[float] = []
    above: dict[int, tuple[float, Fragment, TextLine]] = {}
    for line, row in zip(lines, pieces, strict=True):
        for f in row:
            if f.c0 == f.c1 and f.c0 in above:
                base, g, other = above[f.c0]
                step = line.base - base
                alike = abs(line.size - other.size) <= 0.1 * line.size
                if is_figure(text_of(f.words)) and is_figure(text_of(g.words)):
                    stacked.append(step)
                elif alike and 0.9 * line.size <= step <= WRAP_EM * line.size:
                    steps.append(step)
            for c in range(f.c0, f.c1 + 1):
                above[c] = (line.base, f, line)
    if not steps:
        return None
    leading = min(steps)
    if sum(step <= leading * LOOSE for step in stacked) > STACKED * len(stacked):
        return None
    return leading


def blocks_of(
    lines: Sequence[TextLine], pieces: Sequence[Sequence[Fragment]], ruled: Sequence[float], limit: float
) -> list[Block]:
    """Return the blocks, from the top down: lines over the same columns at most ``limit`` points below each other."""
    out: list[Block] = []
    latest: dict[int, Block] = {}
    for i, (line, row) in enumerate(zip(lines, pieces, strict=True)):
        for f in row:
            mine = {id(b): b for c in range(f.c0, f.c1 + 1) if (b := latest.get(c)) is not None}
            block = next(iter(mine.values()), None)
            if (
                block is None
                or len(mine) > 1
                or line.base - block.base > limit
                or any(block.base - 0.3 * line.size < y < line.base - 0.3 * line.size for y in ruled)
                or ((len(row) == 1 or len(pieces[block.last]) == 1) and _bold(f) != _bold(block.parts[-1]))
            ):
                block = Block(f.c0, f.c1, [], i, i, line.base - 0.7 * line.size, 0.0, line.base)
                out.append(block)
            block.parts.append(f)
            block.c0, block.c1 = min(block.c0, f.c0), max(block.c1, f.c1)
            block.last, block.base, block.bottom = i, line.base, line.base + 0.2 * line.size
            for c in range(block.c0, block.c1 + 1):
                latest[c] = block
    return out


def _bold(f: Fragment) -> bool:
    return all(w.bold for w in f.words)


def _common(block: Block, extent: tuple[float, float]) -> float:
    return min(block.bottom, extent[1]) - max(block.top, extent[0])


def _extent(row: Sequence[Block]) -> tuple[float, float]:
    return min(b.top for b in row), max(b.bottom for b in row)


def _spans(block: Block, blocks: Sequence[Block], size: float) -> bool:
    """Return whether a block stands beside two blocks of another column: a cell over several rows."""
    seen: set[int] = set()
    for other in blocks:
        if other.c0 > block.c1 or other.c1 < block.c0:
            if _common(block, (other.top, other.bottom)) <= BESIDE_EM * size:
                continue
            across = set(range(other.c0, other.c1 + 1))
            if across & seen:
                return True
            seen |= across
    return False


def _beside(blocks: Sequence[Block], size: float) -> list[list[Block]]:
    """Return the rows: blocks that stand beside each other."""
    rows: list[list[Block]] = []
    for block in sorted(blocks, key=lambda b: b.top):
        if rows and _common(block, _extent(rows[-1])) > BESIDE_EM * size:
            rows[-1].append(block)
        else:
            rows.append([block])
    return rows


def _doubled(row: Sequence[Block]) -> bool:
    columns = [c for b in row for c in range(b.c0, b.c1 + 1)]
    return len(columns) != len(set(columns))


def _each_line_is_a_row(rows: Sequence[Sequence[Block]]) -> bool:
    """Return whether the rows of several lines are filled in every line: groups of rows with white between them."""
    several = [row for row in rows if max(len(b.parts) for b in row) > 1]
    if any(len(b.parts) == 1 and is_figure(text_of(b.parts[0].words)) for row in several for b in row):
        # One figure beside several lines: they are wrapped.
        return False
    places = sum(len(row) * max(len(b.parts) for b in row) for row in several if len(row) > 1)
    filled = sum(len(b.parts) for row in several for b in row if len(row) > 1)
    return places > 0 and filled > FILLED * places


def _without_floating(rows: list[list[Block]]) -> tuple[list[list[Block]], list[Block]]:
    """Return the rows without those that stand in the white between two fuller ones, and the blocks of these."""
    most = max(len(row) for row in rows)
    full = [r for r, row in enumerate(rows) if len(row) >= max(2, 0.6 * most)]
    gaps = [_extent(rows[j])[0] - _extent(rows[i])[1] for i, j in pairwise(full)]
    if not gaps:
        return rows, []
    usual = median_low(gaps)
    gone: set[int] = set()
    for (i, j), gap in zip(pairwise(full), gaps, strict=True):
        # A row of its own has the usual white above and below it.
        if j == i + 2 and len(rows[i + 1]) <= 0.5 * most and gap <= 1.25 * usual:
            gone.add(i + 1)
    return [row for r, row in enumerate(rows) if r not in gone], [b for r in gone for b in rows[r]]
