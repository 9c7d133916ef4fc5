"""Rules of a page → lattices: grids of places, with the places that no rule parts taken together. Pure.

A lattice is a set of rules that cross. Neighbouring places of its grid are one cell where the rule between them is
missing. Here y grows downwards, so that row 0 is the upper one; only ``Rules`` are in the frame of ``layout``.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from pincite.corpus.layout import turned
from pincite.types import Box

Segment: TypeAlias = tuple[float, float, float]
"""Position across, start, end: of a horizontal rule (y, x0, x1), of a vertical one (x, y0, y1)."""

SNAP_PT = 2.0
"""Rules closer than this are one rule drawn twice; double rules of printed tables stand 1 to 2 pt apart."""
REACH_PT = 2.5
"""How far a rule may stop short of the one it meets."""
COVERED = 0.6
"""Share of a shared edge that a rule must cover to part two cells."""
MAX_PLACES = 20_000
MAX_OPEN_ROW_PT = 40.0
"""Height of a row without rules down that still belongs to the rows above and below it: two lines of text. What stands
between two tables is higher: a caption with white above and below."""


class Fill(NamedTuple):
    """A filled rectangle: shading."""

    box: Box
    colour: int
    """0xRRGGBB."""


@dataclass(frozen=True, slots=True)
class Rules:
    """Horizontal and vertical rules of a page, and its filled rectangles that are too thick to be rules."""

    across: tuple[Segment, ...]
    down: tuple[Segment, ...]
    fills: tuple[Fill, ...] = ()
    """In the order in which they are painted: a later one covers an earlier one."""

    def turned(self, turn: int) -> Rules:
        """Return the rules in the frame of text that runs in ``turn``; see ``layout.turned``."""
        if turn == 0:
            return self
        fills = tuple(Fill(turned(box, turn), colour) for box, colour in self.fills)
        if turn == 1:
            across, down = [(-x, a, b) for x, a, b in self.down], [(y, -b, -a) for y, a, b in self.across]
        elif turn == 2:
            across, down = [(-y, -b, -a) for y, a, b in self.across], [(-x, -b, -a) for x, a, b in self.down]
        else:
            across, down = [(x, -b, -a) for x, a, b in self.down], [(-y, a, b) for y, a, b in self.across]
        return Rules(tuple(across), tuple(down), fills)


class Place(NamedTuple):
    """A rectangle of grid places, inclusive."""

    r0: int
    r1: int
    c0: int
    c1: int


class Lattice(NamedTuple):
    """A connected set of rules with the positions of its grid lines, ascending."""

    xs: list[float]
    ys: list[float]
    across: list[Segment]
    down: list[Segment]


def joined(segments: list[Segment]) -> list[Segment]:
    """Return rules with positions snapped and pieces that touch joined: dashed rules become one."""
    segments.sort()
    out: list[Segment] = []
    i = 0
    while i < len(segments):
        j = i
        while (
            j + 1 < len(segments)
            and segments[j + 1][0] - segments[j][0] <= 0.75 * SNAP_PT
            and segments[j + 1][0] - segments[i][0] <= 2 * SNAP_PT
        ):
            j += 1
        group = segments[i : j + 1]
        position = sum(s[0] for s in group) / len(group)
        pieces = sorted((a, b) for _, a, b in group)
        start, end = pieces[0]
        for a, b in pieces[1:]:
            if a <= end + REACH_PT:
                end = max(end, b)
            else:
                out.append((position, start, end))
                start, end = a, b
        out.append((position, start, end))
        i = j + 1
    return [s for s in out if s[2] - s[1] >= 4]


def clusters(values: Sequence[float]) -> list[float]:
    """Return the values in ascending order, those within ``SNAP_PT`` of the one before as one: their mean."""
    groups: list[list[float]] = []
    for value in sorted(values):
        if groups and value - groups[-1][-1] <= SNAP_PT:
            groups[-1].append(value)
        else:
            groups.append([value])
    return [sum(g) / len(g) for g in groups]


class _Sets:
    """Disjoint sets of 0 … n - 1."""

    def __init__(self, n: int) -> None:
        self._parent = list(range(n))

    def find(self, a: int) -> int:
        while self._parent[a] != a:
            self._parent[a] = self._parent[self._parent[a]]
            a = self._parent[a]
        return a

    def union(self, a: int, b: int) -> None:
        self._parent[self.find(a)] = self.find(b)


def _connected(
    across: list[Segment], down: list[Segment], tied: Iterable[tuple[int, int]]
) -> Iterator[tuple[list[Segment], list[Segment]]]:
    """Yield the rules of each connected set; ``tied`` are pairs of rules across, by index, that belong together."""
    n = len(across)
    sets = _Sets(n + len(down))
    heights = [s[0] for s in across]
    for j, (x, a, b) in enumerate(down):
        for i in range(bisect_right(heights, a - REACH_PT - 0.01), n):
            y, c, d = across[i]
            if y > b + REACH_PT:
                break
            if c - REACH_PT <= x <= d + REACH_PT:
                sets.union(i, n + j)
    for i, k in tied:
        sets.union(i, k)
    groups: defaultdict[int, tuple[list[Segment], list[Segment]]] = defaultdict(lambda: ([], []))
    for i, segment in enumerate(across):
        groups[sets.find(i)][0].append(segment)
    for j, segment in enumerate(down):
        groups[sets.find(n + j)][1].append(segment)
    yield from groups.values()


def boxes_of(across: list[Segment], down: list[Segment]) -> list[Box]:
    """Return the rectangles that four rules frame and no other rule touches: cells that are set apart by white."""
    out: list[Box] = []
    for horizontal, vertical in _connected(across, down, ()):
        if len(horizontal) == len(vertical) == 2:
            (y0, a, b), (y1, _, _) = sorted(horizontal)
            (x0, _, _), (x1, _, _) = sorted(vertical)
            if abs(a - x0) <= REACH_PT and abs(b - x1) <= REACH_PT:
                out.append((x0, y0, x1, y1))
    return out


def lattices_of(across: list[Segment], down: list[Segment], frames: Sequence[Segment]) -> Iterator[Lattice]:
    """Yield each connected set of crossing rules with the positions of its grid lines.

    Args:
        across: joined rules across, and edges that stand for them, in ascending order.
        down: joined rules down, and edges that stand for them, in ascending order.
        frames: those of ``down`` that are drawn, so that they can be the outer frame of a table.
    """
    for horizontal, vertical in _connected(across, down, _open_rows(across, down, frames)):
        if len(horizontal) < 2 or not vertical:
            continue
        xs, ys = clusters([s[0] for s in vertical]), clusters([s[0] for s in horizontal])
        # Tables without an outer frame: the rules across reach beyond the outermost rules down, and the reverse.
        if min(s[1] for s in horizontal) < xs[0] - 8:
            xs.insert(0, min(s[1] for s in horizontal))
        if max(s[2] for s in horizontal) > xs[-1] + 8:
            xs.append(max(s[2] for s in horizontal))
        if min(s[1] for s in vertical) < ys[0] - 6:
            ys.insert(0, min(s[1] for s in vertical))
        if max(s[2] for s in vertical) > ys[-1] + 6:
            ys.append(max(s[2] for s in vertical))
        if len(xs) >= 2 and len(ys) >= 2 and (len(xs) > 2 or len(ys) > 2):
            yield Lattice(xs, ys, horizontal, vertical)


def _open_rows(across: list[Segment], down: list[Segment], frames: Sequence[Segment]) -> Iterator[tuple[int, int]]:
    """Yield pairs of rules across, by index, between which a table without an outer frame has a row that is one cell.

    No rule down runs there, so that nothing else ties what is above it to what is below: the name of a group of rows.
    """
    xs, frame_xs = [s[0] for s in down], [s[0] for s in frames]
    for i, (y, a, b) in enumerate(across):
        below = -1
        for k in range(i + 1, len(across)):
            if across[k][0] - y > MAX_OPEN_ROW_PT:
                break
            if across[k][0] - y > SNAP_PT and _same_ends(across[k], (y, a, b)):
                below = k
                break
        if below < 0:
            continue
        low = across[below][0]
        first, last = bisect_left(xs, a - REACH_PT), bisect_right(xs, b + REACH_PT)
        touching = [s for s in down[first:last] if _meets(s, y, low)]
        sides = [
            s
            for at in (a, b)
            for s in frames[bisect_left(frame_xs, at - REACH_PT) : bisect_right(frame_xs, at + REACH_PT)]
        ]
        framed = any(_meets(s, y, low) for s in sides)
        between = any(min(s[2], low) - max(s[1], y) > REACH_PT for s in touching)
        above = [s[0] for s in touching if s[2] < (y + low) / 2]
        under = [s[0] for s in touching if s[2] >= (y + low) / 2]
        if above and under and not framed and not between and _same_places(under, above):
            yield i, below


def _same_places(some: list[float], others: list[float]) -> bool:
    """Return whether half of the columns' edges go on: else it is another table."""
    return 2 * sum(any(abs(x - other) <= REACH_PT for other in others) for x in some) >= len(some)


def _meets(rule: Segment, y0: float, y1: float) -> bool:
    return rule[2] >= y0 - REACH_PT and rule[1] <= y1 + REACH_PT


def _same_ends(one: Segment, other: Segment) -> bool:
    return abs(one[1] - other[1]) <= REACH_PT and abs(one[2] - other[2]) <= REACH_PT


def is_regular(lattice: Lattice) -> bool:
    """Return whether each grid line down runs along a third of the height: highlighted words of a text do not."""
    height = lattice.ys[-1] - lattice.ys[0]
    return all(
        sum(b - a for at, a, b in lattice.down if abs(at - x) <= SNAP_PT) >= height / 3 for x in lattice.xs[1:-1]
    )


def places_of(lattice: Lattice) -> list[Place]:
    """Return the cells of a lattice: places that no rule parts are one, if together they are a rectangle."""
    xs, ys = lattice.xs, lattice.ys
    height, width = len(ys) - 1, len(xs) - 1
    if height * width > MAX_PLACES:
        return []
    on_y: defaultdict[int, list[tuple[float, float]]] = defaultdict(list)
    on_x: defaultdict[int, list[tuple[float, float]]] = defaultdict(list)
    for y, a, b in lattice.across:
        on_y[_nearest(y, ys)].append((a, b))
    for x, a, b in lattice.down:
        on_x[_nearest(x, xs)].append((a, b))
    sets = _Sets(height * width)
    for r in range(height):
        for c in range(width):
            if c + 1 < width and not _covers(on_x[c + 1], ys[r], ys[r + 1]):
                sets.union(r * width + c, r * width + c + 1)
            if r + 1 < height and not _covers(on_y[r + 1], xs[c], xs[c + 1]):
                sets.union(r * width + c, (r + 1) * width + c)
    groups: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
    for k in range(height * width):
        groups[sets.find(k)].append(divmod(k, width))
    out: list[Place] = []
    for members in groups.values():
        r0, r1 = min(r for r, _ in members), max(r for r, _ in members)
        c0, c1 = min(c for _, c in members), max(c for _, c in members)
        if (r1 - r0 + 1) * (c1 - c0 + 1) == len(members):
            out.append(Place(r0, r1, c0, c1))
            continue
        by_row: defaultdict[int, list[int]] = defaultdict(list)
        for r, c in members:
            by_row[r].append(c)
        for r, columns in by_row.items():
            columns.sort()
            start = previous = columns[0]
            for c in [*columns[1:], None]:
                if c is None or c != previous + 1:
                    out.append(Place(r, r, start, previous))
                    start = c if c is not None else start
                previous = c if c is not None else previous
    return sorted(out)


def _nearest(value: float, positions: list[float]) -> int:
    return min(range(len(positions)), key=lambda i: abs(positions[i] - value))


def _covers(pieces: list[tuple[float, float]], low: float, high: float) -> bool:
    middle = (low + high) / 2
    return any(a <= middle <= b and min(b, high) - max(a, low) >= COVERED * (high - low) for a, b in pieces)
