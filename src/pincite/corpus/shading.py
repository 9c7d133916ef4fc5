"""Filled rectangles of a page → the rules that their edges stand for. Pure.

A stripe or a filled cell ends where a rule could be drawn. What is drawn decides: where a rule runs along an edge, also
one that breaks off at a merged cell, the edge says nothing. As in ``lattice``, y grows downwards.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence

from pincite.corpus.lattice import SNAP_PT, Fill, Segment, joined
from pincite.types import Box

MIN_SIDE_PT = 5.0
"""A thinner stripe holds no text."""
MAX_GAP_PT = 4.0
"""White between filled cells that stands for a rule."""
TOUCHING_PT = 0.3
"""White that no one sees."""
MAX_FILLS = 3_000
"""More are a shaded drawing or a map."""
NEAR_WHITE = 0xF8
"""Red, green and blue from here on are paper."""


def edges_of(
    fills: Sequence[Fill], across: Sequence[Segment], down: Sequence[Segment]
) -> tuple[list[Segment], list[Segment]]:
    """Return the edges of the fills, across and down, joined like rules, where no rule runs.

    Args:
        fills: with boxes whose y grows downwards.
        across: joined rules across, in ascending order.
        down: joined rules down, in ascending order.
    """
    shades = shades_of(fills)
    if not 0 < len(shades) <= MAX_FILLS:
        return [], []
    xs = _closed([(x0, False) for (x0, _, _, _), _ in shades] + [(x1, True) for (_, _, x1, _), _ in shades])
    ys = _closed([(y0, False) for (_, y0, _, _), _ in shades] + [(y1, True) for (_, _, _, y1), _ in shades])
    flat = [(y, x0, x1, colour) for (x0, y0, x1, y1), colour in shades for y in (y0, y1)]
    upright = [(x, y0, y1, colour) for (x0, y0, x1, y1), colour in shades for x in (x0, x1)]
    lying = [(ys.get(y, y), xs.get(a, a), xs.get(b, b)) for y, a, b in _single(flat)]
    standing = [(xs.get(x, x), ys.get(a, a), ys.get(b, b)) for x, a, b in _single(upright)]
    return _not_ruled(joined(lying), across), _not_ruled(joined(standing), down)


def shades_of(fills: Iterable[Fill]) -> list[Fill]:
    """Return the fills that can be told from paper and are high and wide enough to hold text."""
    out: list[Fill] = []
    for fill in fills:
        x0, y0, x1, y1 = fill.box
        channels = (fill.colour >> 16, fill.colour >> 8 & 0xFF, fill.colour & 0xFF)
        if min(x1 - x0, y1 - y0) >= MIN_SIDE_PT and min(channels) < NEAR_WHITE:
            out.append(fill)
    return out


def _closed(edges: list[tuple[float, bool]]) -> dict[float, float]:
    """Return where each edge belongs: those on both sides of a gap between fills at one place, its middle.

    Args:
        edges: position and whether the fill ends there (else it begins there).
    """
    edges.sort()
    out: dict[float, float] = {}
    i = 0
    while i < len(edges):
        j = i
        while j + 1 < len(edges) and edges[j + 1][0] - edges[i][0] <= MAX_GAP_PT:
            j += 1
        group = edges[i : j + 1]
        both = len({ends for _, ends in group}) == 2
        middle = (group[0][0] + group[-1][0]) / 2
        out |= {at: middle if both else at for at, _ in group}
        i = j + 1
    return out


def _single(edges: list[tuple[float, float, float, int]]) -> list[Segment]:
    """Return the edges without those along which two fills of one colour touch: nothing shows there."""
    by_colour: defaultdict[int, list[Segment]] = defaultdict(list)
    for at, a, b, colour in edges:
        by_colour[colour].append((at, a, b))
    out: list[Segment] = []
    for group in by_colour.values():
        group.sort()
        places = [at for at, _, _ in group]
        for i, (at, a, b) in enumerate(group):
            first, last = bisect_left(places, at - TOUCHING_PT), bisect_right(places, at + TOUCHING_PT)
            others = [(c, d) for j, (_, c, d) in enumerate(group[first:last], first) if j != i]
            out += [(at, p, q) for p, q in _left_over(a, b, others)]
    return out


def _left_over(a: float, b: float, covers: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return the parts of a … b that nothing covers, those over a point long."""
    out: list[tuple[float, float]] = []
    for c, d in sorted(covers):
        if d <= a or c >= b:
            continue
        if c > a + 1:
            out.append((a, c))
        a = max(a, d)
    if b > a + 1:
        out.append((a, b))
    return out


def _not_ruled(edges: list[Segment], rules: Sequence[Segment]) -> list[Segment]:
    places = [rule[0] for rule in rules]
    out: list[Segment] = []
    for at, a, b in edges:
        near = rules[bisect_left(places, at - SNAP_PT) : bisect_right(places, at + SNAP_PT)]
        if not any(c < b - 1 and d > a + 1 for _, c, d in near):
            out.append((at, a, b))
    return out


def flipped(fill: Fill) -> Fill:
    """Return the fill with y growing downwards."""
    x0, y0, x1, y1 = fill.box
    box: Box = (x0, -y1, x1, -y0)
    return Fill(box, fill.colour)
