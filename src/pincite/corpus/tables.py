"""Words and rules of a page → ruled tables as grids with merged cells. Pure.

A lattice is a set of rules that cross. Neighbouring places of its grid are one cell where the rule between them is
missing. Tables without rules are not found here: they stay text. Inside this module y grows downwards (``_flip``), so
that row 0 is the upper one.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from pincite.corpus.layout import Word, rows_of, text_of, unturned
from pincite.types import Box, Cell, Line, Table

Segment: TypeAlias = tuple[float, float, float]
"""Position across, start, end: of a horizontal rule (y, x0, x1), of a vertical one (x, y0, y1)."""

SNAP_PT = 2.0
"""Rules closer than this are one rule drawn twice; double rules of printed tables stand 1 to 2 pt apart."""
REACH_PT = 2.5
"""How far a rule may stop short of the one it meets."""
COVERED = 0.6
"""Share of a shared edge that a rule must cover to part two cells."""
MIN_FILLED = 0.45
"""Below this share of filled cells a lattice is a drawing, a pin-out or an empty form. Picked once on 1,074 pages of
datasheets and filings, where it cut false merged cells from 9,838 to 1,204; not swept."""
MAX_PLACES = 20_000

_CAPTION = re.compile(
    r"^(?i:table|tabel|tabelle|tableau|tab\.|tabla)\s*(\d[\w.\-–]*|[A-Z]([.\-–]?\d+)*|[IVXLC]+)(\s*[.:–—-]|\s*$|\s+[^a-z\s])"
)
"""A sentence that begins with "Table 1 summarizes" is no caption."""
_CONTINUED = re.compile(r"\b(cont(inued|['’]d|\.)?|vervolg|fortsetzung|suite)\b", re.IGNORECASE)
_MARK = re.compile(r"^(\*+\)?|[†‡§¹²³⁴-⁹]+\)?|\(?\d{1,2}\)|\d{1,2}(?=\s[A-Z])|\(?[a-z]\))\s*\S")
_NOTE = re.compile(r"^(notes?|opmerking(en)?|anmerkung(en)?|remarque|source|bron|quelle)\b", re.IGNORECASE)
_FIGURE = re.compile(r"^[\s\d.,:+\-−–—%‰€$£¥±≤≥<>~()/*]*\d[\s\d.,:+\-−–—%‰€$£¥±≤≥<>~()/*]*$")


@dataclass(frozen=True, slots=True)
class Rules:
    """Horizontal and vertical rules of a page."""

    across: tuple[Segment, ...]
    down: tuple[Segment, ...]

    def turned(self, turn: int) -> Rules:
        """Return the rules in the frame of text that runs in ``turn``; see ``layout.turned``."""
        if turn == 1:
            return Rules(tuple((-x, a, b) for x, a, b in self.down), tuple((y, -b, -a) for y, a, b in self.across))
        if turn == 2:
            return Rules(tuple((-y, -b, -a) for y, a, b in self.across), tuple((-x, -b, -a) for x, a, b in self.down))
        if turn == 3:
            return Rules(tuple((x, -b, -a) for x, a, b in self.down), tuple((-y, a, b) for y, a, b in self.across))
        return self


class _Place(NamedTuple):
    """A rectangle of grid places, inclusive."""

    r0: int
    r1: int
    c0: int
    c1: int


class _Lattice(NamedTuple):
    xs: list[float]
    ys: list[float]
    across: list[Segment]
    down: list[Segment]


class _Draft(NamedTuple):
    place: _Place
    words: list[Word]
    box: Box


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


def holds(table: Table, line: Line) -> bool:
    """Return whether the line is printed inside the table."""
    x, y = (line.box[0] + line.box[2]) / 2, (line.box[1] + line.box[3]) / 2
    x0, y0, x1, y1 = table.box
    return line.page == table.page and x0 <= x <= x1 and y0 <= y <= y1


def find_tables(words: Sequence[Word], rules: Rules, *, page: int, turn: int = 0) -> list[Table]:
    """Return the ruled tables of a page from the top down.

    ``words`` and ``rules`` are in the upright frame of the page, ``turn`` leads back to user space.
    """
    if len(rules.across) < 2 or not rules.down:
        return []
    flipped = [_flip(word) for word in words]
    across = _joined([(-y, a, b) for y, a, b in rules.across])
    down = _joined([(x, -b, -a) for x, a, b in rules.down])
    found: list[tuple[Box, Table]] = []
    for lattice in _lattices(across, down):
        drafts = _drafts(lattice, flipped)
        if drafts is None:
            continue
        table = _table(lattice, drafts, flipped, page=page, turn=turn)
        if table:
            found.append(((lattice.xs[0], lattice.ys[0], lattice.xs[-1], lattice.ys[-1]), table))
    # A lattice inside another one (a drawing in a cell) is not a table of its own.
    outer = [
        (box, table) for box, table in found if not any(other is not box and _within(box, other) for other, _ in found)
    ]
    return [table for _, table in sorted(outer, key=lambda item: (item[0][1], item[0][0]))]


def _within(inner: Box, outer: Box) -> bool:
    return (
        inner[0] >= outer[0] - 1 and inner[1] >= outer[1] - 1 and inner[2] <= outer[2] + 1 and inner[3] <= outer[3] + 1
    )


def _flip(word: Word) -> Word:
    return Word(word.text, word.x0, -word.y1, word.x1, -word.y0, word.baseline, word.size, word.bold, word.turn)


# ---------------------------------------------------------------- lattices


def _joined(segments: list[Segment]) -> list[Segment]:
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


def _clusters(values: Sequence[float]) -> list[float]:
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


def _lattices(across: list[Segment], down: list[Segment]) -> Iterator[_Lattice]:
    """Yield each connected set of crossing rules with the positions of its grid lines."""
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
    groups: defaultdict[int, tuple[list[Segment], list[Segment]]] = defaultdict(lambda: ([], []))
    for i, segment in enumerate(across):
        groups[sets.find(i)][0].append(segment)
    for j, segment in enumerate(down):
        groups[sets.find(n + j)][1].append(segment)
    for horizontal, vertical in groups.values():
        if len(horizontal) < 2 or not vertical:
            continue
        xs, ys = _clusters([s[0] for s in vertical]), _clusters([s[0] for s in horizontal])
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
            yield _Lattice(xs, ys, horizontal, vertical)


def _places(lattice: _Lattice) -> list[_Place]:
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
    out: list[_Place] = []
    for members in groups.values():
        r0, r1 = min(r for r, _ in members), max(r for r, _ in members)
        c0, c1 = min(c for _, c in members), max(c for _, c in members)
        if (r1 - r0 + 1) * (c1 - c0 + 1) == len(members):
            out.append(_Place(r0, r1, c0, c1))
            continue
        by_row: defaultdict[int, list[int]] = defaultdict(list)
        for r, c in members:
            by_row[r].append(c)
        for r, columns in by_row.items():
            columns.sort()
            start = previous = columns[0]
            for c in [*columns[1:], None]:
                if c is None or c != previous + 1:
                    out.append(_Place(r, r, start, previous))
                    start = c if c is not None else start
                previous = c if c is not None else previous
    return sorted(out)


def _nearest(value: float, positions: list[float]) -> int:
    return min(range(len(positions)), key=lambda i: abs(positions[i] - value))


def _covers(pieces: list[tuple[float, float]], low: float, high: float) -> bool:
    middle = (low + high) / 2
    return any(a <= middle <= b and min(b, high) - max(a, low) >= COVERED * (high - low) for a, b in pieces)


# ---------------------------------------------------------------- words into cells


def _drafts(lattice: _Lattice, words: Sequence[Word]) -> list[_Draft] | None:
    """Return the cells with their words; None when the lattice holds no table."""
    xs, ys = lattice.xs, lattice.ys
    places = _places(lattice)
    if len(places) < 2:
        return None
    home = {(r, c): k for k, p in enumerate(places) for r in range(p.r0, p.r1 + 1) for c in range(p.c0, p.c1 + 1)}
    own: defaultdict[int, list[Word]] = defaultdict(list)
    for word in words:
        x, y = (word.x0 + word.x1) / 2, (word.y0 + word.y1) / 2
        if xs[0] - 1 <= x <= xs[-1] + 1 and ys[0] - 1 <= y <= ys[-1] + 1:
            column = min(max(bisect_right(xs, x) - 1, 0), len(xs) - 2)
            row = min(max(bisect_right(ys, y) - 1, 0), len(ys) - 2)
            own[home[row, column]].append(word)
    drafts = [draft for k, place in enumerate(places) for draft in _split_at_gaps(place, own.get(k, []), xs, ys)]
    if not _is_grid(drafts):
        return None
    drafts = _compact(drafts)
    if not _is_grid(drafts):
        return None
    drafts = _compact(_split_at_lines(_split_at_rows(_split_at_columns(drafts))))
    if not _is_grid(drafts) or sum(1 for d in drafts if d.words) < MIN_FILLED * len(drafts):
        return None
    return drafts


def _is_grid(drafts: list[_Draft]) -> bool:
    """Return whether there is text in two rows and two columns: less is a frame around text."""
    filled = [d.place for d in drafts if d.words]
    return len(filled) >= 3 and len({p.r0 for p in filled}) >= 2 and len({p.c0 for p in filled}) >= 2


def _split_at_gaps(place: _Place, words: list[Word], xs: list[float], ys: list[float]) -> list[_Draft]:
    """Return a cell in parts where every text line leaves a wide gap at a grid line.

    Such a cell spans columns only because the body of the table has no vertical rules.
    """
    cuts: list[int] = []
    if place.c1 > place.c0 and len(words) > 1:
        for column in range(place.c0 + 1, place.c1 + 1):
            x = xs[column]
            if any(w.x0 < x - 1.5 and w.x1 > x + 1.5 for w in words):
                continue
            left = [w for w in words if w.x1 <= x + 1.5]
            right = [w for w in words if w.x0 >= x - 1.5]
            if left and right and all(_wide_gap(w, right) for w in left):
                cuts.append(column)
    out: list[_Draft] = []
    for a, b in zip([place.c0, *cuts], [*cuts, place.c1 + 1], strict=True):
        part = [
            w
            for w in words
            if (a == place.c0 or (w.x0 + w.x1) / 2 >= xs[a]) and (b == place.c1 + 1 or (w.x0 + w.x1) / 2 < xs[b])
        ]
        box = (xs[a], ys[place.r0], xs[b], ys[place.r1 + 1])
        out.append(_Draft(_Place(place.r0, place.r1, a, b - 1), part, box))
    return out


def _split_at_columns(drafts: list[_Draft]) -> list[_Draft]:
    """Return the cells with columns that are told by white space only made columns: figures beside figures.

    A strip must be white in every line of a column, with text left of it and figures right of it in most lines.
    """
    offset = 0
    for column in range(max(d.place.c1 for d in drafts) + 1):
        c = column + offset
        own = [d for d in drafts if d.place.c0 == d.place.c1 == c and d.words and not any(w.turn for w in d.words)]
        lines = [row for d in own for row in rows_of(d.words)]
        cuts = _white_strips(lines) if len(lines) >= 3 else []
        if not cuts and len(own) > 1:
            # The names of the columns may be wider than the figures below them.
            below = [row for d in own[1:] for row in rows_of(d.words)]
            cuts = _white_strips(below) if len(below) >= 3 else []
        if not cuts:
            continue
        out: list[_Draft] = []
        for draft in drafts:
            place = draft.place
            if place.c0 == place.c1 == c:
                x0, y0, x1, y1 = draft.box
                for k, (a, b) in enumerate(pairwise([x0, *cuts, x1])):
                    part = [
                        w for w in draft.words if (k == 0 or _middle(w) >= a) and (k == len(cuts) or _middle(w) < b)
                    ]
                    out.append(_Draft(place._replace(c0=c + k, c1=c + k), part, (a, y0, b, y1)))
            else:
                shift = len(cuts)
                out.append(
                    draft._replace(
                        place=place._replace(
                            c0=place.c0 + (shift if place.c0 > c else 0), c1=place.c1 + (shift if place.c1 >= c else 0)
                        )
                    )
                )
        drafts, offset = out, offset + len(cuts)
    return drafts


def _middle(word: Word) -> float:
    return (word.x0 + word.x1) / 2


def _white_strips(lines: list[list[Word]]) -> list[float]:
    """Return where the lines of a column part into columns: the middles of the white strips with figures beyond."""
    inked = sorted((w.x0, w.x1) for line in lines for w in line)
    strips: list[tuple[float, float]] = []
    end = inked[0][1]
    for a, b in inked:
        if a - end >= 6:
            strips.append((end, a))
        end = max(end, b)
    cuts: list[float] = []
    for k, (a, b) in enumerate(strips):
        middle = (a + b) / 2
        limit = strips[k + 1][0] + 0.1 if k + 1 < len(strips) else math.inf
        left = sum(1 for line in lines if any(_middle(w) < middle for w in line))
        right = [text for line in lines if (text := text_of([w for w in line if middle < _middle(w) <= limit]))]
        figures = sum(1 for text in right if _FIGURE.match(text) or len(text) <= 2)
        if left >= 0.6 * len(lines) and len(right) >= 0.6 * len(lines) and figures >= 0.6 * len(right):
            cuts.append(middle)
    return cuts


def _split_at_rows(drafts: list[_Draft]) -> list[_Draft]:
    """Return cells over many rows in parts where they hold an entry for each row that nothing rules off.

    Told from a merged cell with wrapped text by lines that end at different places, begin in capitals and stand one
    to a row.
    """
    edges: dict[int, tuple[float, float]] = {}
    for d in drafts:
        if d.place.r0 == d.place.r1:
            edges[d.place.r0] = (d.box[1], d.box[3])
    out: list[_Draft] = []
    for draft in drafts:
        spanned = list(range(draft.place.r0, draft.place.r1 + 1))
        lines = rows_of(draft.words) if len(spanned) >= 3 and not any(w.turn for w in draft.words) else []
        at: defaultdict[int, list[Word]] = defaultdict(list)
        for line in lines:
            y = (line[0].y0 + line[0].y1) / 2
            home = next((r for r in spanned if r in edges and edges[r][0] <= y <= edges[r][1]), -1)
            at[home] += line
        widths = sorted(line[-1].x1 - line[0].x0 for line in lines)
        entries = (
            -1 not in at
            and len(lines) <= len(at) * 1.2
            and len(at) >= max(3, 0.8 * len(spanned))
            and widths[len(widths) // 2] < 0.8 * widths[-1]
            and sum(line[0].text[:1].isupper() or line[0].text[:1].isdigit() for line in lines) >= 0.7 * len(lines)
        )
        if not entries:
            out.append(draft)
            continue
        for r in spanned:
            box = (draft.box[0], edges[r][0], draft.box[2], edges[r][1]) if r in edges else draft.box
            out.append(_Draft(draft.place._replace(r0=r, r1=r), at.get(r, []), box))
    return out


def _split_at_lines(drafts: list[_Draft]) -> list[_Draft]:
    """Return the cells with rows that are told by white space only made rows: columns of figures between two rules.

    Only where most lines have something in most columns and most of that is figures: a row of wrapped text looks alike
    but for the figures, and must stay one row.
    """
    out: list[_Draft] = []
    offset = 0
    for r in range(max(d.place.r1 for d in drafts) + 1):
        band = [d for d in drafts if d.place.r0 == r]
        whole = all(d.place.r1 == r for d in band) and not any(d.place.r0 < r <= d.place.r1 for d in drafts)
        lines = _lines_of_figures(band) if whole and len(band) >= 2 else []
        if not lines:
            # A cell that began above keeps its place; those that begin here move down with what was split above.
            out += [d._replace(place=_moved(d.place, offset)) for d in band]
            continue
        tops = [band[0].box[1], *(min(w.y0 for w in line) - 1 for line in lines[1:]), band[0].box[3]]
        for k, line in enumerate(lines):
            members = {id(w) for w in line}
            for draft in band:
                place = draft.place._replace(r0=r + offset + k, r1=r + offset + k)
                box = (draft.box[0], tops[k], draft.box[2], tops[k + 1])
                out.append(_Draft(place, [w for w in draft.words if id(w) in members], box))
        offset += len(lines) - 1
    return out


def _moved(place: _Place, down: int) -> _Place:
    return place._replace(r0=place.r0 + down, r1=place.r1 + down)


def _lines_of_figures(band: list[_Draft]) -> list[list[Word]]:
    """Return the lines of a band as rows of a table; none when the band is one row."""
    words = [w for d in band for w in d.words]
    if len(words) < 8 or any(w.turn for w in words):
        return []
    home = {id(w): k for k, d in enumerate(band) for w in d.words}
    lines = rows_of(words)
    used = [{home[id(w)] for w in line} for line in lines]
    columns = len({k for cells in used for k in cells})
    full = [cells for cells in used if len(cells) >= max(2, 0.6 * columns)]
    if len(lines) < 3 or columns < 2 or len(full) < 0.6 * len(lines):
        return []
    first = min(k for cells in used for k in cells)
    entries = [
        text_of([w for w in line if home[id(w)] == k])
        for line, cells in zip(lines, used, strict=True)
        for k in cells
        if k != first
    ]
    if sum(bool(_FIGURE.match(e)) or len(e) <= 2 for e in entries) < 0.6 * len(entries):
        return []
    rows_out: list[list[Word]] = []
    for line, cells in zip(lines, used, strict=True):
        if rows_out and len(cells) == 1 and cells != {first}:
            rows_out[-1] += line
        else:
            rows_out.append(list(line))
    return rows_out


def _wide_gap(word: Word, right: list[Word]) -> bool:
    height = word.y1 - word.y0
    gaps = [v.x0 - word.x1 for v in right if abs((v.y0 + v.y1) - (word.y0 + word.y1)) < height]
    return not gaps or min(gaps) >= 0.9 * height


def _compact(drafts: list[_Draft]) -> list[_Draft]:
    """Return the cells without grid rows and columns in which nothing is printed: double rules, decoration."""
    keep_rows = _live([(d.place.r0, d.place.r1, bool(d.words), d.box[3] - d.box[1]) for d in drafts])
    keep_columns = _live([(d.place.c0, d.place.c1, bool(d.words), d.box[2] - d.box[0]) for d in drafts])
    out: list[_Draft] = []
    for draft in drafts:
        r0, r1, c0, c1 = draft.place
        mine = [keep_rows[r] for r in range(r0, r1 + 1) if r in keep_rows]
        across = [keep_columns[c] for c in range(c0, c1 + 1) if c in keep_columns]
        if mine and across:
            out.append(draft._replace(place=_Place(mine[0], mine[-1], across[0], across[-1])))
    return out


def _live(extents: list[tuple[int, int, bool, float]]) -> dict[int, int]:
    """Return the new index of each row (or column) that stays."""
    kept: list[int] = []
    for value in range(max(end for _, end, _, _ in extents) + 1):
        own = [e for e in extents if e[0] <= value <= e[1]]
        alone = [e for e in own if e[0] == e[1]]
        size = min((e[3] for e in alone), default=99.0)
        if any(e[2] for e in alone) or (alone and size > 6) or (not alone and len({e[:2] for e in own}) > 1):
            kept.append(value)
    return {value: i for i, value in enumerate(kept)}


def _cell_text(words: list[Word]) -> str:
    """Return the printed lines of a cell, joined with line breaks."""
    lines: list[str] = []
    for turn in (0, 1, 2, 3):
        some = [w for w in words if w.turn == turn]
        if not some:
            continue
        if turn == 0:
            # Only baselines and x are used, and baselines were not flipped.
            lines += [text_of(row) for row in rows_of(some)]
            continue
        by_baseline: list[list[Word]] = []
        for word in sorted(some, key=lambda w: -w.baseline):
            if by_baseline and by_baseline[-1][0].baseline - word.baseline <= 0.5 * word.size:
                by_baseline[-1].append(word)
            else:
                by_baseline.append([word])
        for row in by_baseline:
            # Bottom to top, right to left, top to bottom.
            row.sort(key=lambda w: -w.y0 if turn == 1 else -w.x0 if turn == 2 else w.y0)
            lines.append(" ".join(w.text for w in row))
    return "\n".join(lines)


# ---------------------------------------------------------------- what the grid means


def _table(lattice: _Lattice, drafts: list[_Draft], words: Sequence[Word], *, page: int, turn: int) -> Table | None:
    def back(box: Box) -> Box:
        return unturned((box[0], -box[3], box[2], -box[1]), turn)

    drafts = sorted(drafts, key=lambda d: (d.place.r0, d.place.c0))
    headers = _header_rows(drafts)
    cells = tuple(Cell(*d.place, _cell_text(d.words), back(d.box), header=d.place.r0 < headers) for d in drafts)
    x0, y0, x1, y1 = lattice.xs[0], lattice.ys[0], lattice.xs[-1], lattice.ys[-1]
    outside = [w for w in words if w.turn == 0 and w.x1 > x0 - 60 and w.x0 < x1 + 60]
    caption = _caption(outside, y0, y1)
    notes = _footnotes([w for w in outside if w.x1 > x0 - 4 and w.x0 < x1 + 4], cells, y1)
    box = back((x0 - 1, y0 - 1, x1 + 1, y1 + 1))
    return Table(page, box, cells, caption, notes, confidence=_confidence(drafts))


def _confidence(drafts: list[_Draft]) -> float:
    """Return 0 to 1; below .5 the grid is doubtful. Penalties are guesses, ordered by what was seen to go wrong."""
    filled = [d for d in drafts if d.words]
    words = [(w, d) for d in filled for w in d.words]
    crossing = sum(1 for w, d in words if w.x0 < d.box[0] - 2 or w.x1 > d.box[2] + 2)
    confidence = 0.95
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


def _unparted_figures(filled: list[_Draft]) -> float:
    """Return the share of cells that hold two figures with a wide gap between them: columns that nothing rules off."""
    bad = 0
    for draft in filled:
        for row in rows_of([w for w in draft.words if not w.turn]):
            if any(
                b.x0 - a.x1 > 1.2 * a.size and _FIGURE.match(a.text) and _FIGURE.match(b.text) for a, b in pairwise(row)
            ):
                bad += 1
                break
    return bad / len(filled) if filled else 0.0


def _unruled_rows(drafts: list[_Draft]) -> float:
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


def _header_rows(drafts: list[_Draft]) -> int:
    """Return how many upper rows name the columns: by weight, by words over figures, by cells over several columns."""
    height = max(d.place.r1 for d in drafts) + 1
    width = max(d.place.c1 for d in drafts) + 1
    if height < 2:
        return 0

    def starting(r: int) -> list[_Draft]:
        return [d for d in drafts if d.place.r0 == r and d.words]

    def bold(r: int) -> bool:
        letters = [(len(w.text), w.bold) for d in starting(r) for w in d.words]
        return bool(letters) and sum(n for n, b in letters if b) > 0.7 * sum(n for n, _ in letters)

    def figures(r: int) -> int:
        return sum(1 for d in starting(r) if _FIGURE.match(_cell_text(d.words)))

    body_bold = sum(bold(r) for r in range(1, height)) > 0.5 * (height - 1)
    first = starting(0)
    if not first or figures(0) > 0.34 * len(first):
        return 0
    numeric_body = any(figures(r) for r in range(1, height))
    is_header = (bold(0) and not body_bold) or numeric_body or (width >= 3 and len(first) >= 2 and height >= 3)
    if not is_header:
        return 0
    end = max(d.place.r1 for d in first if d.place.c1 - d.place.c0 + 1 < width) + 1 if len(first) > 1 else 1
    # A cell over some of the columns has the names of these columns below it.
    grouped = any(d.place.c1 - d.place.c0 > 0 for d in first)
    while end < height - 1 and end < 4:
        row = starting(end)
        names = bool(row) and not figures(end)
        if names and ((grouped and end == 1) or (bold(end) and bold(0) and not body_bold)) and len(row) > 1:
            end = max(end, *(d.place.r1 for d in row)) + 1
        else:
            break
    return min(end, height - 1)


def _caption(outside: list[Word], top: float, bottom: float) -> str:
    """Return the line "Table 3 …" right above the table, or right below it; "" when there is none."""
    above = rows_of([w for w in outside if top - 60 <= w.y1 <= top + 2])
    for i in range(len(above) - 1, max(len(above) - 4, -1), -1):
        if _CAPTION.match(text_of(above[i])):
            return " ".join(text_of(row) for row in above[i:])
    below = rows_of([w for w in outside if bottom - 2 <= w.y0 <= bottom + 24])
    if below and _CAPTION.match(text_of(below[0])):
        return text_of(below[0])
    return ""


def _footnotes(outside: list[Word], cells: tuple[Cell, ...], bottom: float) -> tuple[str, ...]:
    """Return the notes printed right below the table: lines that begin with a mark, or with "Note"."""
    size = max((w.size for w in outside), default=10.0)
    notes: list[str] = []
    edge = bottom
    for row in rows_of([w for w in outside if bottom - 2 <= w.y0 <= bottom + 160]):
        text = text_of(row)
        if min(w.y0 for w in row) - edge > 1.3 * size + 4:
            break
        mark = _MARK.match(text)
        if _NOTE.match(text) or (mark and _has_mark(mark.group(1).strip("()"), cells)):
            notes.append(text)
        elif notes and row[0].size <= 0.95 * size:
            notes[-1] += " " + text
        else:
            break
        edge = max(w.y1 for w in row)
    return tuple(notes)


def _has_mark(mark: str, cells: tuple[Cell, ...]) -> bool:
    if not mark:
        return False
    pattern = re.compile(
        rf"(?<![\w]){re.escape(mark)}\)|(?<=\S){re.escape(mark)}\)?(\s|$)|(^|\s)\(?{re.escape(mark)}\)(\s|$)"
    )
    return any(pattern.search(cell.text) for cell in cells)


# ---------------------------------------------------------------- over several sheets


def continued(tables: tuple[Table, ...], lines: Sequence[Line], heights: Mapping[int, float]) -> tuple[Table, ...]:
    """Return the tables with ``continues`` set where a region goes on from the sheet before.

    That is: the last thing on one sheet, the first on the next, and columns at the same places. Only a repeated
    caption and the notes of the first region may stand between. ``heights`` are not needed for that today but bound
    the gap of regions on sheets of another size.
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
        if any(not (_CAPTION.match(t) or _CONTINUED.search(t)) for t in lead) or len(lead) > 2:
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
    return _clusters([v for c in table.cells if c.box for v in (c.box[0], c.box[2])])


def _same_columns(a: Table, b: Table) -> bool:
    width_a, width_b = max(c.c1 for c in a.cells), max(c.c1 for c in b.cells)
    if width_a != width_b:
        return False
    mine, other = _edges(a), _edges(b)
    return abs(mine[0] - other[0]) <= 8 and abs(mine[-1] - other[-1]) <= 8


def _repeats_header(a: Table, b: Table) -> bool:
    count = header_rows(a)
    return count > 0 and rows(a)[:count] == rows(b)[:count]
