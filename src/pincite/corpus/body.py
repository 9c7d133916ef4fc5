"""Lines and columns of a region without rules down → its cells: the rows of the body, wrapped and merged cells. Pure.

As in ``lattice``, y grows downwards. A row is told by the lines that hold figures or fill most columns; what stands
between them is wrapped text of a neighbour, the name of a group, or a cell over several rows.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median

from pincite.corpus.bands import Cells, header_cells
from pincite.corpus.blocks import Between, Rows, rows_by_blocks
from pincite.corpus.columns import WRAP_EM, Column, TextLine, is_figure
from pincite.corpus.draft import Draft
from pincite.corpus.fragments import Fragment, fragments, full_rules
from pincite.corpus.lattice import Place, Segment
from pincite.corpus.layout import text_of

_OPEN_END = re.compile(
    r"([-–,/&(]|\b(and|or|of|the|for|in|to|with|by|per|en|of|van|de|het|voor|und|oder|der|die|das))$"
)


MAX_LINES_A_ROW = 3.5
"""Mean number of lines between two rules up to which these can part all rows."""
CENTRED_EM = 1.5
"""How far the middle of a group's name may be from that of the table, in type sizes: the ink ends before the frame."""


@dataclass(slots=True)
class _Row:
    """One row of the body: lines whose fragments are read together."""

    lines: list[int] = field(default_factory=list)
    anchored: bool = False


def drafts_in(
    lines: Sequence[TextLine], columns: Sequence[Column], header: int, rules: Sequence[Segment]
) -> list[Draft]:
    """Return the cells of a region, from the top down.

    Args:
        header: how many of the upper lines are header lines.
        rules: rules across inside the region: (y, x0, x1).
    """
    bands = header_cells(lines[:header], columns, lines[header:], rules)
    above = max((place.r1 for place, _ in bands), default=-1) + 1
    body = _body_cells(lines[header:], columns, rules)
    cells = [*bands, *((p._replace(r0=p.r0 + above, r1=p.r1 + above), words) for p, words in body)]
    return _boxed(cells, columns)


# ---------------------------------------------------------------- rows


def _body_cells(lines: Sequence[TextLine], columns: Sequence[Column], rules: Sequence[Segment]) -> Cells:
    if not lines:
        return []
    pieces = [fragments(line, columns) for line in lines]
    ruled = full_rules(rules, columns)
    rows, between = _told(lines, pieces, columns, ruled)
    cells: Cells = []
    at: dict[tuple[int, int], int] = {}
    for r, row in enumerate(rows):
        merged: list[Fragment] = []
        for f in row:
            mine = next((g for g in merged if g.c0 <= f.c1 and f.c0 <= g.c1), None)
            if mine is None:
                merged.append(Fragment(f.c0, f.c1, list(f.words)))
            else:
                mine.words += f.words
                mine.c0, mine.c1 = min(mine.c0, f.c0), max(mine.c1, f.c1)
        if len(merged) == 1 and merged[0].c0 == 0 and merged[0].c1 > 0:
            merged[0].c1 = len(columns) - 1
        if len(merged) == 1 and _names_group(merged[0], columns, rules):
            merged[0].c0, merged[0].c1 = 0, len(columns) - 1
        for f in merged:
            for c in range(f.c0, f.c1 + 1):
                at.setdefault((r, c), len(cells))
            cells.append((Place(r, r, f.c0, f.c1), f.words))
    loose = between
    for c in range(min(2, len(columns) - 1)):
        loose = _labels_down(c, loose, cells, at, len(rows))
    for one in loose:
        _float(one, cells, at, len(rows))
    return cells


def _names_group(f: Fragment, columns: Sequence[Column], rules: Sequence[Segment]) -> bool:
    """Return whether what stands alone in its row names the rows below it: it is set in the middle of the table."""
    size = f.words[0].size
    one_line = max(w.baseline for w in f.words) - min(w.baseline for w in f.words) < 0.5 * size
    extents = [(columns[0].x0, columns[-1].x1)]
    extents += [(a, b) for _, a, b in rules if a <= columns[0].x0 and columns[-1].x1 <= b]
    off = min(abs((f.x0 + f.x1) / 2 - (left + right) / 2) for left, right in extents)
    return f.c0 > 0 and len(columns) > 2 and one_line and off <= CENTRED_EM * size and not is_figure(text_of(f.words))


def _told(
    lines: Sequence[TextLine], pieces: list[list[Fragment]], columns: Sequence[Column], ruled: Sequence[float]
) -> Rows:
    """Return the rows by rules, else by blocks of wrapped lines, else line by line."""
    by_lines = _ruled_rows(lines, pieces, ruled)
    by_blocks = rows_by_blocks(lines, pieces, ruled) if by_lines is None else None
    if by_blocks is not None:
        return by_blocks
    rows, floating = by_lines or _rows(lines, pieces, columns, ruled)
    return Rows(
        [[f for i in row.lines for f in pieces[i]] for row in rows],
        [Between(after, after + 1, f, at_top=False) for i, after in floating for f in pieces[i]],
    )


def _labels_down(
    c: int, loose: list[Between], cells: Cells, at: dict[tuple[int, int], int], height: int
) -> list[Between]:
    """Stretch the labels of column ``c`` over the rows they stand for; return the fragments that were not placed.

    Labels set in the middle of their rows fill the column without rest. Those set at the top look like labels beside
    empty places: they are stretched where the next column names each row.
    """
    own = [k for k, (place, _) in enumerate(cells) if place.c0 == place.c1 == c]
    marks = [(float(cells[k][0].r0), k) for k in own]
    floats = [((b.r0 + b.r1) / 2, n) for n, b in enumerate(loose) if b.fragment.c0 == b.fragment.c1 == c]
    others = {cells[k][0].r0 for k in own}
    # A row that is one cell, or that has only a label, is no part of a group.
    spoken: list[set[int]] = [set() for _ in range(height)]
    for (r, column), k in at.items():
        spoken[r].add(column if cells[k][0].c0 == cells[k][0].c1 else -1)
    breaks = [r for r in range(height) if (r, c) in at and (at[r, c] not in own or spoken[r] == {c})]
    placed: set[int] = set()
    for start, end in _between(breaks, height):
        here = [(m, k) for m, k in marks if start <= m < end]
        loose_here = [(m, n) for m, n in floats if start <= m < end]
        blank = [r for r in range(start, end) if r not in others]
        if not blank or not (here or loose_here):
            continue
        stops = sorted([m for m, _ in here] + [m for m, _ in loose_here])
        tiles = _tiled(stops, start, end)
        if tiles is None and not loose_here and here[0][0] == start and c == 0 and _named(range(start, end), cells, at):
            tiles = [(int(a), int(b) - 1) for a, b in pairwise([*stops, float(end)])]
        if tiles is None:
            continue
        by_stop = dict(zip(stops, tiles, strict=True))
        for m, k in here:
            cells[k] = (cells[k][0]._replace(r0=by_stop[m][0], r1=by_stop[m][1]), cells[k][1])
            for r in range(by_stop[m][0], by_stop[m][1] + 1):
                at[r, c] = k
        for m, n in loose_here:
            for r in range(by_stop[m][0], by_stop[m][1] + 1):
                at[r, c] = len(cells)
            cells.append((Place(*by_stop[m], c, c), loose[n].fragment.words))
            placed.add(n)
    return [item for n, item in enumerate(loose) if n not in placed]


def _between(breaks: Sequence[int], height: int) -> list[tuple[int, int]]:
    """Return the half-open runs of rows between the breaks."""
    edges = [-1, *breaks, height]
    return [(a + 1, b) for a, b in pairwise(edges) if b > a + 1]


def _tiled(stops: Sequence[float], start: int, end: int) -> list[tuple[int, int]] | None:
    """Return the rows of each label, inclusive, when every label stands in the middle of its rows; else None.

    >>> _tiled([0.5, 3.0], 0, 5)
    [(0, 1), (2, 4)]
    """
    out: list[tuple[int, int]] = []
    at = start
    for stop in stops:
        last = 2 * stop - at
        if last < at or last >= end:
            return None
        out.append((at, int(last)))
        at = int(last) + 1
    return out if at == end else None


def _named(group: range, cells: Cells, at: dict[tuple[int, int], int]) -> bool:
    """Return whether the second column holds words, not figures, in every one of these rows."""
    texts = [text_of(cells[at[r, 1]][1]) if (r, 1) in at else "" for r in group]
    return all(texts) and sum(is_figure(t) for t in texts) <= 0.2 * len(texts)


def _float(one: Between, cells: Cells, at: dict[tuple[int, int], int], height: int) -> None:
    """Place what stands between rows: over those it stands beside, and over as many blank rows up as down."""
    f = one.fragment
    across = range(f.c0, f.c1 + 1)

    def clear(r: int) -> bool:
        return 0 <= r < height and not any((r, c) in at for c in across)

    r0, r1 = one.r0, one.r1
    if all(clear(r) for r in range(r0, r1 + 1)):
        while clear(r0 - 1) and clear(r1 + 1) and not one.at_top:
            r0, r1 = r0 - 1, r1 + 1
        for r in range(r0, r1 + 1):
            for c in across:
                at[r, c] = len(cells)
        cells.append((Place(r0, r1, f.c0, f.c1), f.words))
        return
    r = next((r for r in range(r0, r1 + 1) if clear(r)), min(r1, height - 1))
    home = next((at[r, c] for c in across if (r, c) in at), None)
    if home is None:
        for c in across:
            at[r, c] = len(cells)
        cells.append((Place(r, r, f.c0, f.c1), f.words))
    else:
        cells[home] = (cells[home][0], [*cells[home][1], *f.words])


def _rows(
    lines: Sequence[TextLine], pieces: list[list[Fragment]], columns: Sequence[Column], ruled: Sequence[float]
) -> tuple[list[_Row], list[tuple[int, int]]]:
    """Return the rows, and the lines that stand between two rows with the row above them."""
    n = len(lines)
    anchors = _anchors(lines, pieces, columns, ruled)
    gaps = [_gap(lines[i], lines[i + 1], ruled) for i in range(n - 1)]
    between = _in_between(lines, pieces, anchors)
    firm = [i for i in range(n) if anchors[i] and i not in between]
    steps = [
        lines[j].base - lines[i].base
        for i, j in pairwise(firm)
        if j == i + 1 or all(k in between for k in range(i + 1, j))
    ]
    pitch = median(steps or [0.0])
    # down[i]: line i is one row with line i + 1.
    down = [False] * n
    for i in range(n):
        if anchors[i] or i in between:
            continue
        before, after = gaps[i - 1] if i else float("inf"), gaps[i] if i < n - 1 else float("inf")
        size = lines[i].size
        least = min(before, after)
        near = least < 0.88 * pitch if pitch else least <= 1.3 * size
        if near and least <= WRAP_EM * size:
            if before <= after:
                down[i - 1] = True
            else:
                down[i] = True
        elif i and before <= WRAP_EM * size and _goes_on(pieces, i - 1, i, columns, lines):
            down[i - 1] = True
        elif i < n - 1 and after <= WRAP_EM * size and _goes_on(pieces, i, i + 1, columns, lines):
            down[i] = True
    rows: list[_Row] = []
    floating: list[tuple[int, int]] = []
    joined = False
    for i in range(n):
        if i in between:
            floating.append((i, len(rows) - 1))
            joined = False
            continue
        if joined and rows and not (anchors[i] and rows[-1].anchored):
            rows[-1].lines.append(i)
            rows[-1].anchored = rows[-1].anchored or anchors[i]
        else:
            rows.append(_Row([i], anchors[i]))
        joined = down[i]
    return rows, floating


def _ruled_rows(
    lines: Sequence[TextLine], pieces: list[list[Fragment]], ruled: Sequence[float]
) -> tuple[list[_Row], list[tuple[int, int]]] | None:
    """Return the rows where rules part all of them; None when rules part groups of rows, or nothing.

    Two figures below each other in one column between two rules are two rows. What stands on a rule is over two rows.
    """
    home = [bisect_left(ruled, line.base - 0.3 * line.size) for line in lines]
    on_rule = [any(line.base - 0.75 * line.size < y < line.base - 0.1 * line.size for y in ruled) for line in lines]
    bands = sorted({k for k, floats in zip(home, on_rule, strict=True) if not floats})
    if len(bands) < 3 or len(lines) > MAX_LINES_A_ROW * len(bands):
        return None
    stacked: set[int] = set()
    seen: set[tuple[int, int]] = set()
    for k, row, floats in zip(home, pieces, on_rule, strict=True):
        for f in row:
            if not floats and f.c0 == f.c1 > 0 and is_figure(text_of(f.words)):
                if (k, f.c0) in seen:
                    stacked.add(k)
                seen.add((k, f.c0))
    if len(stacked) > 0.15 * len(bands):
        return None
    order = {k: r for r, k in enumerate(bands)}
    rows = [_Row(anchored=True) for _ in bands]
    floating: list[tuple[int, int]] = []
    for i, (k, floats) in enumerate(zip(home, on_rule, strict=True)):
        if floats:
            below = min((j for j in range(len(lines)) if not on_rule[j] and lines[j].base > lines[i].base), default=-1)
            floating.append((i, order[home[below]] - 1 if below >= 0 else len(rows) - 1))
        else:
            rows[order[k]].lines.append(i)
    return rows, floating


def _in_between(lines: Sequence[TextLine], pieces: list[list[Fragment]], anchors: Sequence[bool]) -> set[int]:
    """Return the lines that stand half way between two fuller lines, too close to both to be a row: merged cells."""
    most = max(len(row) for row in pieces)
    full = [i for i, row in enumerate(pieces) if len(row) >= max(2, 0.6 * most)]
    steps = [lines[j].base - lines[i].base for i, j in pairwise(full)]
    if not steps:
        return set()
    usual = median(steps)
    out: set[int] = set()
    for i, j in pairwise(full):
        step = lines[j].base - lines[i].base
        if j != i + 2 or step > 1.35 * usual:
            continue
        k = i + 1
        if len(pieces[k]) > 0.5 * min(len(pieces[i]), len(pieces[j])):
            continue
        off = abs(lines[k].base - (lines[i].base + lines[j].base) / 2)
        clear = not any(f.c0 <= g.c1 and g.c0 <= f.c1 for f in pieces[k] for g in (*pieces[i], *pieces[j]))
        if off <= 0.15 * step and clear:
            out.add(k)
    return out


def _gap(a: TextLine, b: TextLine, ruled: Sequence[float]) -> float:
    if any(a.base - 0.3 * a.size < y < b.base - 0.3 * b.size for y in ruled):
        return float("inf")
    return b.base - a.base


def _anchors(
    lines: Sequence[TextLine], pieces: list[list[Fragment]], columns: Sequence[Column], ruled: Sequence[float]
) -> list[bool]:
    """Return for each line whether it begins a row by itself: it holds figures, or enough columns of words."""
    filled: defaultdict[int, int] = defaultdict(int)
    figures: defaultdict[int, int] = defaultdict(int)
    for row in pieces:
        for f in row:
            if f.c0 == f.c1:
                filled[f.c0] += 1
                figures[f.c0] += is_figure(text_of(f.words))
    numeric = {c for c in filled if c > 0 and figures[c] >= 0.6 * filled[c] and filled[c] >= 2}
    most = max((len(row) for row in pieces), default=0)
    out: list[bool] = []
    for row in pieces:
        if numeric:
            own = any(f.c0 in numeric and is_figure(text_of(f.words)) for f in row)
            out.append(own or (len(row) >= max(2, 0.6 * most) and not _all_go_on(row)))
        else:
            out.append(len(row) >= max(2, 0.6 * most) and not _all_go_on(row))
    if numeric:
        return out
    # Columns of words that wrap together: rows are told by the gaps, if there are two kinds of gaps.
    gaps = [g for a, b in pairwise(lines) if (g := _gap(a, b, ruled)) < 1e6]
    small = [g for g in gaps if g <= WRAP_EM * lines[0].size]
    large = [g for g in gaps if g > 1.2 * median(small)] if small else []
    if small and (large or len(gaps) < len(lines) - 1) and len(large) + len(lines) - 1 - len(gaps) >= 1:
        limit = 1.15 * median(small)
        tight = [g for g in small if g <= limit]
        if len(tight) >= 0.25 * len(lines):
            for i in range(1, len(lines)):
                if out[i] and _gap(lines[i - 1], lines[i], ruled) <= limit:
                    out[i] = False
    return out


def _all_go_on(row: list[Fragment]) -> bool:
    return all(f.words[0].text[:1].islower() for f in row)


def _goes_on(
    pieces: list[list[Fragment]], i: int, j: int, columns: Sequence[Column], lines: Sequence[TextLine]
) -> bool:
    """Return whether line ``j`` holds the rest of a cell that line ``i`` begins."""
    for b in pieces[j]:
        a = next((f for f in pieces[i] if f.c0 <= b.c1 and b.c0 <= f.c1), None)
        if a is None:
            continue
        first = b.words[0]
        column = columns[a.c0]
        room = max(column.x1, a.x1) - a.x1
        fits = first.x1 - first.x0 + 0.3 * lines[j].size < room
        text = text_of(a.words)
        if first.text[:1].islower() or first.text[:1] in "(&" or _OPEN_END.search(text):
            return True
        return not fits and b.x0 > a.x0 + 0.3 * lines[i].size and not is_figure(text)
    return False


# ---------------------------------------------------------------- boxes


def _boxed(cells: Cells, columns: Sequence[Column]) -> list[Draft]:
    """Return the cells with boxes that do not overlap: columns by their places, rows by the middle between them."""
    height = max((p.r1 for p, _ in cells), default=-1) + 1
    tops = [float("inf")] * height
    bottoms = [float("-inf")] * height
    for place, words in cells:
        if place.r0 == place.r1:
            tops[place.r0] = min(tops[place.r0], *(w.y0 for w in words))
            bottoms[place.r0] = max(bottoms[place.r0], *(w.y1 for w in words))
    for r in range(height):
        if tops[r] > bottoms[r]:
            own = [w for p, words in cells if p.r0 <= r <= p.r1 for w in words]
            tops[r], bottoms[r] = min(w.y0 for w in own), max(w.y1 for w in own)
    cuts = (
        [tops[0] - 1, *((bottoms[r] + tops[r + 1]) / 2 for r in range(height - 1)), bottoms[-1] + 1] if height else []
    )
    for r in range(1, len(cuts)):
        cuts[r] = max(cuts[r], cuts[r - 1] + 0.1)
    used = {(r, c) for p, _ in cells for r in range(p.r0, p.r1 + 1) for c in range(p.c0, p.c1 + 1)}
    empty: Cells = [(Place(r, r, c, c), []) for r in range(height) for c in range(len(columns)) if (r, c) not in used]
    return [
        Draft(place, words, (columns[place.c0].left, cuts[place.r0], columns[place.c1].right, cuts[place.r1 + 1]))
        for place, words in sorted([*cells, *empty], key=lambda cell: cell[0])
    ]
