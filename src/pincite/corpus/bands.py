"""Upper lines of a region without rules down → its header: how many lines, which names span which columns. Pure.

As in ``lattice``, y grows downwards. Rules across are hints: one over the full width ends the header, one over some
columns says which columns the name above it spans.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from pincite.corpus.blocks import row_start
from pincite.corpus.columns import WRAP_EM, Column, TextLine, blank_of, is_bold, is_figure
from pincite.corpus.fragments import Fragment, fragments, full_rules
from pincite.corpus.lattice import Place, Segment
from pincite.corpus.layout import Word, text_of

TIGHT_EM = 1.32
"""Baselines of one name are rarely farther apart; rows of names are, by the white around them."""

_YEAR = re.compile(r"^(19|20)\d\d([-–/]\d{2,4})?[\s\d*†‡a-z()]{0,3}$")


def header_lines(lines: Sequence[TextLine], columns: Sequence[Column], rules: Sequence[Segment]) -> int:
    """Return how many upper lines are header lines: those above the first full rule, else those above the figures."""
    for y in full_rules(rules, columns):
        above = sum(line.base < y + 1 for line in lines)
        if 0 < above < len(lines):
            return above if above <= max(6, len(lines) // 2) else 0
    named = [_names(line, columns) for line in lines]
    figures = [_figures(line, columns) for line in lines]
    filled = [i for i, line in enumerate(lines) if len(line.entries) > 1]
    if not filled:
        return 0
    numeric = [i for i in filled if figures[i] >= 0.5]
    if len(numeric) >= max(2, 0.2 * len(filled)):
        first = next((i for i in numeric if not named[i]), numeric[0])
        # A label alone above the first figures belongs to the body: it is a group's name.
        while (
            first > 0
            and _is_label(lines[first - 1], columns)
            and any(len(one.entries) > 1 for one in lines[: first - 1])
        ):
            first -= 1
        # Wrapped text beside the first figures begins above them.
        first = row_start(lines, [fragments(line, columns) for line in lines], first)
        return first if first <= 8 else 0
    bold = [is_bold(line) for line in lines]
    count = 0
    while count < len(lines) - 1 and bold[count]:
        count += 1
    if 0 < count <= 6 and not all(bold):
        return count
    return 1 if len(lines[0].entries) > 1 else next((i + 1 for i in filled), 1)


def _figures(line: TextLine, columns: Sequence[Column]) -> float:
    """Return the share of figures among what stands right of the first column."""
    entries = [text_of(f.words) for f in fragments(line, columns) if f.c0 > 0]
    return sum(is_figure(e) for e in entries) / len(entries) if entries else 0.0


def _names(line: TextLine, columns: Sequence[Column]) -> bool:
    """Return whether the figures of a line are years, or numbers of columns: (1) (2) (3)."""
    entries = [text_of(f.words) for f in fragments(line, columns) if f.c0 > 0]
    return bool(entries) and all(_YEAR.match(e) or re.fullmatch(r"\(\d\)", e) for e in entries)


def _is_label(line: TextLine, columns: Sequence[Column]) -> bool:
    return len(line.entries) == 1 and line.x0 <= columns[0].x0 + 0.5 * (columns[0].x1 - columns[0].x0)


# ---------------------------------------------------------------- header bands

Cells: TypeAlias = list[tuple[Place, list[Word]]]
"""Places with the words that stand in them."""


@dataclass(slots=True)
class _Name:
    """A header cell while it is put together; ``line`` is the last header line that holds words of it."""

    first: int
    line: int
    c0: int
    c1: int
    words: list[Word]
    base: float
    x0: float
    x1: float


def header_cells(
    lines: Sequence[TextLine], columns: Sequence[Column], body: Sequence[TextLine], rules: Sequence[Segment]
) -> Cells:
    if not lines:
        return []
    names: list[_Name] = []
    parting = max(0.42, 1.45 * blank_of([*lines, *body]))
    rows = [fragments(line, columns, parting * line.size) for line in lines]
    for i, row in enumerate(rows):
        below = {c for later in rows[i + 1 :] for f in later for c in range(f.c0, f.c1 + 1)}
        near = i + 1 < len(lines) and lines[i + 1].base - lines[i].base <= WRAP_EM * lines[i].size
        following = rows[i + 1] if near else []
        # A column that is named above already is not spanned here.
        below -= {f.c0 for earlier in rows[:i] for f in earlier if f.c0 == f.c1}
        named = [
            (
                min([column.x0, *(f.x0 for later in rows[i + 1 :] for f in later if f.c0 == f.c1 == c)]),
                max([column.x1, *(f.x1 for later in rows[i + 1 :] for f in later if f.c0 == f.c1 == c)]),
            )
            for c, column in enumerate(columns)
        ]
        partial = _partial(rules, lines, i)
        over = _over_ruled(row, columns, partial) or (i and _over_ruled(row, columns, _partial(rules, lines, i - 1)))
        if over:
            row[0].c0, row[0].c1 = over
        elif not all(_is_half(f, i, rows, lines) for f in row):
            _spread(row, columns, named, below, following, partial, first=_stub(row, rows, columns, i))
        for f in row:
            names.append(_Name(i, i, f.c0, f.c1, f.words, lines[i].base, f.x0, f.x1))
    names = _wrapped(names, lines, rules)
    starts = sorted({n.first for n in names})
    level = {first: k for k, members in enumerate(_levels(names, starts)) for first in members}
    height = max(level.values()) + 1
    cells: Cells = []
    taken = {(level[n.first], c): n for n in names for c in range(n.c0, n.c1 + 1)}
    for n in names:
        r0 = r1 = level[n.first]
        across = range(n.c0, n.c1 + 1)
        if n.c0 == n.c1 or r1 == height - 1:
            while r0 > 0 and not any((r0 - 1, c) in taken for c in across):
                r0 -= 1
        if n.c0 == n.c1:
            while r1 < height - 1 and not any((r1 + 1, c) in taken for c in across):
                r1 += 1
        for r in range(r0, r1 + 1):
            for c in across:
                taken[r, c] = n
        cells.append((Place(r0, r1, n.c0, n.c1), n.words))
    return cells


def _is_half(f: Fragment, i: int, rows: Sequence[Sequence[Fragment]], lines: Sequence[TextLine]) -> bool:
    """Return whether a name is one of two lines of a name: set alike right below or above the other, in one column."""
    for j, line in enumerate(lines):
        step = abs(line.base - lines[i].base)
        if not 0.85 * line.size <= step <= TIGHT_EM * line.size:
            continue
        for g in rows[j]:
            alike = min(abs(f.x0 - g.x0), abs(f.x1 - g.x1), abs(f.x0 + f.x1 - g.x0 - g.x1) / 2) <= 0.15 * line.size
            if f.c0 == f.c1 == g.c0 == g.c1 and alike:
                return True
    return False


def _stub(row: list[Fragment], rows: list[list[Fragment]], columns: Sequence[Column], i: int) -> bool:
    """Return whether a name above the first column may span others: only if that column is named below it."""
    return any(f.c0 == 0 for later in rows[i + 1 :] for f in later) or not any(f.c0 == 0 for f in row)


def _partial(rules: Sequence[Segment], lines: Sequence[TextLine], i: int) -> list[Segment]:
    """Return the rules between line ``i`` and the next one."""
    top = lines[i].base - 0.2 * lines[i].size
    bottom = lines[i + 1].base - 0.2 * lines[i + 1].size if i + 1 < len(lines) else lines[i].base
    return [r for r in rules if top < r[0] < bottom]


def _over_ruled(row: Sequence[Fragment], columns: Sequence[Column], rules: Sequence[Segment]) -> tuple[int, int] | None:
    """Return the first and last column that the only name of a line is over: those ruled off one by one next to it."""
    if len(row) != 1 or len(rules) < 2:
        return None
    left, right = min(a for _, a, _ in rules), max(b for _, _, b in rules)
    ruled = [
        c for c, column in enumerate(columns) if any(a - 2 <= (column.x0 + column.x1) / 2 <= b + 2 for _, a, b in rules)
    ]
    centred = abs((row[0].x0 + row[0].x1) / 2 - (left + right) / 2) <= row[0].words[0].size
    return (ruled[0], ruled[-1]) if centred and len(ruled) >= 2 else None


def _spread(
    row: list[Fragment],
    columns: Sequence[Column],
    named: Sequence[tuple[float, float]],
    below: set[int],
    following: Sequence[Fragment],
    rules: Sequence[Segment],
    *,
    first: bool,
) -> None:
    """Widen the names of one header line to the columns they span: told by a rule below, else by being centred."""
    done: set[int] = set()
    if rules:
        for k, f in enumerate(row):
            own = [r for r in rules if r[1] - 2 <= (f.x0 + f.x1) / 2 <= r[2] + 2]
            if len(own) == 1:
                inside = [c for c, col in enumerate(columns) if own[0][1] - 2 <= (col.x0 + col.x1) / 2 <= own[0][2] + 2]
                others = [g for g in row if g is not f and own[0][1] <= (g.x0 + g.x1) / 2 <= own[0][2]]
                if inside and not others and (len(inside) < len(columns) or len(columns) < 3):
                    f.c0, f.c1 = inside[0], inside[-1]
                    done.add(k)
    loose = [k for k in range(len(row)) if k not in done]
    if not loose or not below:
        return
    free = [True] * len(columns)
    for k in done:
        for c in range(row[k].c0, row[k].c1 + 1):
            free[c] = False
    if first is False:
        free[0] = False
    _centre([row[k] for k in loose], columns, named, [_within_reach(row[k], below, following) for k in loose], free)


def _within_reach(f: Fragment, below: set[int], following: Sequence[Fragment]) -> set[int]:
    """Return the columns that a name may span: those named below it.

    A name right above another one that is aligned with it is the first line of that name, unless the line below names
    the other columns too.
    """
    middle = (f.x0 + f.x1) / 2
    near = 0.2 * f.words[0].size
    for g in following:
        if min(f.x1, g.x1) <= max(f.x0, g.x0):
            continue
        if abs(f.x1 - g.x1) <= near < abs(f.x0 - g.x0):
            # Set flush right like the figures: names over columns are centred or set flush left.
            return set()
        if min(abs(f.x0 - g.x0), abs(f.x1 - g.x1), abs(middle - (g.x0 + g.x1) / 2)) <= near:
            return below & {c for h in following for c in range(h.c0, h.c1 + 1)}
    return below


def _centre(
    row: list[Fragment],
    columns: Sequence[Column],
    named: Sequence[tuple[float, float]],
    reach: Sequence[set[int]],
    free: list[bool],
) -> None:
    """Widen each name to the run of columns it stands in the middle of; left-aligned names reach to the next one.

    The least sum of distances wins; a column that has a name below and none above it costs a little.
    """
    n, m = len(columns), len(row)
    below = set[int]().union(*reach)
    uncovered = 0.35
    infinite = float("inf")
    # best[k][c]: least cost with the first k names and the first c columns used up.
    best = [[infinite] * (n + 1) for _ in range(m + 1)]
    back: dict[tuple[int, int], tuple[int, int]] = {}
    best[0][0] = 0.0
    for k in range(m + 1):
        for c in range(n):
            cost = best[k][c]
            if cost == infinite:
                continue
            skip = cost + (uncovered if c in below and free[c] and c > 0 else 0.0)
            if skip < best[k][c + 1]:
                best[k][c + 1] = skip
                back[k, c + 1] = (k, c)
            if k == m:
                continue
            for end in range(c, n):
                if not free[end] and not (row[k].c0 <= end <= row[k].c1):
                    break
                if end > c and not {c, end} <= reach[k]:
                    break
                price = _price(row[k], columns, named, c, end)
                if cost + price < best[k + 1][end + 1]:
                    best[k + 1][end + 1] = cost + price
                    back[k + 1, end + 1] = (k, c)
    if best[m][n] == infinite:
        return
    k, c = m, n
    while (k, c) != (0, 0):
        k0, c_before = back[k, c]
        if k0 < k:
            row[k0].c0, row[k0].c1 = c_before, c - 1
        k, c = k0, c_before


def _price(f: Fragment, columns: Sequence[Column], named: Sequence[tuple[float, float]], a: int, b: int) -> float:
    """Return what it costs to say that a name spans columns ``a`` to ``b``: how far it is from their middle, in type
    sizes."""
    left, right = columns[a].x0, columns[b].x1
    middle = (f.x0 + f.x1) / 2
    size = 2 * f.words[0].size
    if a == b:
        # A name of one column may be aligned with either edge of it, or wider than its figures.
        off = min(abs(f.x0 - left), abs(f.x1 - right), abs(middle - (left + right) / 2))
        inside = columns[a].left - 1 <= middle <= columns[a].right + 1
        return min(off / size, 0.5) + (0.0 if inside else 1.0) + (0.8 if f.c0 < f.c1 else 0.0)
    outside = max(0.0, left - f.x0) + max(0.0, f.x1 - right)
    place = (columns[a].left + columns[b].right) / 2
    names = (named[a][0] + named[b][1]) / 2
    off = min(
        abs(middle - (left + right) / 2),
        abs(middle - place),
        abs(middle - names),
        min(abs(f.x0 - left), abs(f.x0 - named[a][0])) + 0.5 * f.words[0].size,
    )
    return (off + outside) / size + (0.2 if a == 0 else 0.0)


def _wrapped(names: list[_Name], lines: Sequence[TextLine], rules: Sequence[Segment]) -> list[_Name]:
    """Return the names with the lines of one joined: right below each other, over the same columns, no rule between."""
    out: list[_Name] = []
    for n in names:
        before = next(
            (
                o
                for o in reversed(out)
                if (o.c0, o.c1) == (n.c0, n.c1)
                and o.line < n.first
                and n.base - o.base <= WRAP_EM * lines[n.first].size
                and not any(
                    o.base < y < n.base - 0.3 * lines[n.first].size and min(b, o.x1) - max(a, o.x0) > 0
                    for y, a, b in rules
                )
            ),
            None,
        )
        if before is None:
            out.append(n)
            continue
        before.words = [*before.words, *n.words]
        before.line, before.base = n.line, n.base
        before.x0, before.x1 = min(before.x0, n.x0), max(before.x1, n.x1)
    return out


def _levels(names: list[_Name], starts: list[int]) -> list[set[int]]:
    """Return the header rows as sets of first lines: names that begin a line apart stay one row if neither is above."""
    levels: list[set[int]] = []
    for start in starts:
        own = [n for n in names if n.first == start]
        above = [n for n in names if levels and n.first in levels[-1]]
        if levels and not any(a.c0 <= n.c1 and n.c0 <= a.c1 for a in above for n in own):
            levels[-1].add(start)
        else:
            levels.append({start})
    return levels
