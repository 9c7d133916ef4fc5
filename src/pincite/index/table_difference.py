"""Tables of two revisions → the cells, rows and columns that changed. Pure."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import TypeAlias

from pincite.index.alignment import Pair, align, best_first, overlap
from pincite.index.content import Grid, comparable
from pincite.types import SectionPath

Row: TypeAlias = tuple[str, ...]

LEAST_ALIKE = 0.35
"""Share of cells that two tables have in common from which they are taken for the same one; half of it with the same
caption. A guess."""
LEAST_ROW = 0.5
"""Likeness of two rows from which one is the other, edited; 0.7 where their names differ."""

_FIGURE = re.compile(r"\d")


@dataclass(frozen=True, slots=True)
class TableAt:
    """A table and where it stands."""

    caption: str
    section: SectionPath
    page: int | None
    rows: int
    columns: int


@dataclass(frozen=True, slots=True)
class CellChange:
    """One cell, a merged one once, with the names of the row and the column it stands in."""

    row: str
    column: str
    was: str
    now: str
    page_was: int | None
    page_now: int | None


@dataclass(frozen=True, slots=True)
class RowAt:
    page: int | None
    cells: Row
    row: int = field(compare=False)
    """Its place below the header, from 0."""


@dataclass(frozen=True, slots=True)
class TableChange:
    """What changed in one table; at least one thing did."""

    was: TableAt
    now: TableAt
    cells: tuple[CellChange, ...]
    rows_added: tuple[RowAt, ...]
    rows_removed: tuple[RowAt, ...]
    rows_moved: int
    """Rows that stand elsewhere in it, unchanged."""
    columns_added: tuple[str, ...]
    columns_removed: tuple[str, ...]
    columns_renamed: tuple[tuple[str, str], ...]
    caption_changed: bool


@dataclass(frozen=True, slots=True)
class TablesDifference:
    added: tuple[TableAt, ...]
    removed: tuple[TableAt, ...]
    changed: tuple[TableChange, ...]


def compare_tables(
    was: Sequence[Grid], now: Sequence[Grid], same_section: Mapping[SectionPath, SectionPath]
) -> TablesDifference:
    """Return what changed between the tables of two revisions.

    Args:
        same_section: path before → path now of the sections that are the same.
    """
    pairs = _matched(was, now, same_section)
    paired_was, paired_now = {i for i, _ in pairs}, {j for _, j in pairs}
    raw = [_Compared(was[i], now[j]) for i, j in pairs]
    # A table that a page break parts in one revision only: its rows went and came, and nothing changed.
    loose_was = [_Loose(was[k]) for k in range(len(was)) if k not in paired_was]
    loose_now = [_Loose(now[k]) for k in range(len(now)) if k not in paired_now]
    both = _counted([r.cells for one in (*raw, *loose_was) for r in one.gone])
    both &= _counted([r.cells for one in (*raw, *loose_now) for r in one.come])
    left_was, left_now = both.copy(), both.copy()
    for compared in raw:
        compared.settle()
    for one in (*raw, *loose_was):
        one.gone = _without(one.gone, left_was)
    for one in (*raw, *loose_now):
        one.come = _without(one.come, left_now)
    edited = _pair_across([*raw, *loose_was], [*raw, *loose_now])
    return TablesDifference(
        added=tuple(_at(loose.grid) for loose in loose_now if loose.come or not loose.grid.rows),
        removed=tuple(_at(loose.grid) for loose in loose_was if loose.gone or not loose.grid.rows),
        changed=tuple(change for one in (*raw, *loose_now) if (change := one.change(edited.get(id(one), ())))),
    )


def _at(grid: Grid) -> TableAt:
    return TableAt(grid.caption, grid.section, grid.page, len(grid.rows), len(grid.columns))


def _key(row: Row) -> Row:
    return tuple(comparable(cell) for cell in row if cell)


def _comparable(row: Sequence[str]) -> Row:
    return tuple(comparable(cell) for cell in row)


def _counted(rows: Sequence[Row]) -> Counter[Row]:
    return Counter(key for row in rows if (key := _key(row)))


@dataclass(frozen=True, slots=True)
class _Edited:
    """A row that stood in another table before: that one, the row there, the row here, the columns of both."""

    was: Grid
    a: int
    b: int
    columns: tuple[tuple[int, int], ...]


def _pair_across(
    was: Sequence[_Compared | _Loose], now: Sequence[_Compared | _Loose]
) -> dict[int, tuple[_Edited, ...]]:
    """Pair the rows that are left in different tables, and take them out: one that a page break parts was edited too.

    By identity of the table now.
    """
    gone = [(one, row) for one in was for row in one.gone]
    come = [(one, row) for one in now for row in one.come]
    keys = [_key(row.cells) for _, row in gone], [_key(row.cells) for _, row in come]

    def score(i: int, j: int) -> float:
        one, two = keys[0][i], keys[1][j]
        return _alike(one, two, None) if len(one) == len(two) and gone[i][0] is not come[j][0] else 0.0

    found: dict[int, tuple[_Edited, ...]] = defaultdict(tuple)
    for i, j in align(len(gone), len(come), score):
        if i is None or j is None:
            continue
        (before, one), (after, two) = gone[i], come[j]
        before.gone.remove(one)
        after.come.remove(two)
        filled = [[c for c, text in enumerate(row.cells) if text] for row in (one, two)]
        edited = _Edited(before.before, one.row, two.row, tuple(zip(*filled, strict=True)))
        found[id(after)] = (*found[id(after)], edited)
    return found


# ---------------------------------------------------------------- which table is which


def _matched(
    was: Sequence[Grid], now: Sequence[Grid], same_section: Mapping[SectionPath, SectionPath]
) -> list[tuple[int, int]]:
    """Return the pairs of tables that are the same one, in the order of now."""
    equal: dict[tuple[object, ...], list[int]] = defaultdict(list)
    for j, grid in enumerate(now):
        equal[_content(grid)].append(j)
    pairs: list[tuple[int, int]] = []
    for i, grid in enumerate(was):
        if found := equal[_content(grid)]:
            pairs.append((i, found.pop(0)))
    left = sorted(set(range(len(was))) - {i for i, _ in pairs})
    right = sorted(set(range(len(now))) - {j for _, j in pairs})
    words_was, words_now = {i: _cells(was[i]) for i in left}, {j: _cells(now[j]) for j in right}
    scored: list[tuple[float, int, int]] = []
    for i in left:
        for j in right:
            alike = overlap(words_was[i], words_now[j])
            named = bool(was[i].caption) and _caption(was[i]) == _caption(now[j])
            placed = same_section.get(was[i].section) == now[j].section
            least = LEAST_ALIKE / 2 if named else LEAST_ALIKE
            if alike >= least or (named and placed):
                scored.append((alike + named * 0.5 + placed * 0.1, i, j))
    return sorted([*pairs, *best_first(scored)], key=lambda pair: pair[1])


def _content(grid: Grid) -> tuple[object, ...]:
    return (comparable(grid.caption), *map(comparable, grid.columns), *map(_key, grid.rows))


def _caption(grid: Grid) -> str:
    """Return the caption without its number, which changes when a table is added before it."""
    return comparable(re.sub(r"^\w+\s+[A-Z]?[\d.\-–]+[:.]?\s*", "", grid.caption) or grid.caption)


def _cells(grid: Grid) -> Counter[str]:
    return Counter(comparable(cell) for row in (grid.columns, *grid.rows) for cell in row if cell)


# ---------------------------------------------------------------- one table


class _Loose:
    """A table that has no counterpart."""

    def __init__(self, grid: Grid) -> None:
        self.grid = self.before = grid
        self.gone = [RowAt(page, row, r) for r, (page, row) in enumerate(zip(grid.pages, grid.rows, strict=True))]
        self.come = list(self.gone)

    def change(self, edited: Sequence[_Edited]) -> TableChange | None:
        """Return the cells that were edited, when all its rows stood in other tables before."""
        if self.come or not edited:
            return None
        cells = tuple(_cell_changes(self.grid, edited))
        at = _at(self.grid)
        return TableChange(at, at, cells, (), (), 0, (), (), (), caption_changed=False) if cells else None


class _Compared:
    """One table in two revisions."""

    def __init__(self, was: Grid, now: Grid) -> None:
        self.was = self.before = was
        self.now = now
        self.columns = _columns(was, now)
        self.kept = tuple((a, b) for a, b in self.columns if a is not None and b is not None)
        self.rows = _rows(was, now, self.kept)
        self.gone = [RowAt(was.pages[a], was.rows[a], a) for a, b in self.rows if a is not None and b is None]
        self.come = [RowAt(now.pages[b], now.rows[b], b) for a, b in self.rows if b is not None and a is None]
        self.moved = 0

    def settle(self) -> None:
        """Count the rows that went and came in it."""
        here = _counted([r.cells for r in self.gone]) & _counted([r.cells for r in self.come])
        self.moved = here.total()

    def change(self, edited: Sequence[_Edited]) -> TableChange | None:
        was, now = self.was, self.now
        here = [_Edited(was, a, b, self.kept) for a, b in self.rows if a is not None and b is not None]
        renamed = [
            (was.columns[a], now.columns[b])
            for a, b in self.kept
            if comparable(was.columns[a]) != comparable(now.columns[b])
        ]
        change = TableChange(
            was=_at(was),
            now=_at(now),
            cells=tuple(_cell_changes(now, [*here, *edited])),
            rows_added=tuple(self.come),
            rows_removed=tuple(self.gone),
            rows_moved=self.moved,
            columns_added=tuple(_name(now, b) for a, b in self.columns if a is None and b is not None),
            columns_removed=tuple(_name(was, a) for a, b in self.columns if b is None and a is not None),
            columns_renamed=tuple(renamed),
            caption_changed=comparable(was.caption) != comparable(now.caption),
        )
        said = (change.cells, change.rows_added, change.rows_removed, change.columns_added, change.columns_removed)
        return change if any(said) or change.rows_moved or renamed or change.caption_changed else None


def _cell_changes(now: Grid, edited: Sequence[_Edited]) -> list[CellChange]:
    """Return the cells that differ in rows that belong together; a merged cell once."""
    seen: set[tuple[int, int, int]] = set()
    found: list[CellChange] = []
    for pair in sorted(edited, key=lambda pair: pair.b):
        was, a, b = pair.was, pair.a, pair.b
        for c, d in pair.columns:
            before, after = was.rows[a][c], now.rows[b][d]
            records = (id(was), was.records[a][c], now.records[b][d])
            if comparable(before) == comparable(after) or records in seen:
                continue
            seen.add(records)
            place = (was.pages[a], now.pages[b])
            found.append(CellChange(_row_name(now, b, d), _name(now, d), before, after, *place))
    return found


def _without(rows: Sequence[RowAt], counts: Counter[Row]) -> list[RowAt]:
    left: list[RowAt] = []
    for row in rows:
        if (key := _key(row.cells)) and counts[key] > 0:
            counts[key] -= 1
        elif key:
            left.append(row)
    return left


def _name(grid: Grid, column: int) -> str:
    return grid.columns[column] or f"column {column + 1}"


def _row_name(grid: Grid, row: int, column: int) -> str:
    """Return what a person calls the row: its words before the cell, up to the first figure; else where it stands."""
    names: list[str] = []
    for c, text in enumerate(grid.rows[row][:column]):
        if text and text not in names:
            if names and _FIGURE.match(text) and not grid.columns[c]:
                break
            names.append(
                text if not _FIGURE.match(text) or not grid.columns[c] or not c else f"{grid.columns[c]} {text}"
            )
    return " › ".join(names[:3]) or f"row {row + 1}"


def _columns(was: Grid, now: Grid) -> list[Pair]:
    """Pair columns by name and by what stands in them; in tables of equal width in order, unless these disagree."""
    inside_was = [Counter(comparable(row[c]) for row in was.rows if row[c]) for c in range(len(was.columns))]
    inside_now = [Counter(comparable(row[c]) for row in now.rows if row[c]) for c in range(len(now.columns))]

    def score(a: int, b: int) -> float:
        named = bool(was.columns[a]) and comparable(was.columns[a]) == comparable(now.columns[b])
        return 0.05 + named + overlap(inside_was[a], inside_now[b])

    return align(len(was.columns), len(now.columns), score)


def _rows(was: Grid, now: Grid, kept: Sequence[tuple[int, int]]) -> list[Pair]:
    """Pair rows in order: equal ones first, then edited ones by what names them and by their cells."""
    one = [_comparable([row[a] for a, _ in kept]) for row in was.rows]
    two = [_comparable([row[b] for _, b in kept]) for row in now.rows]
    naming = _naming(one, two)
    pairs: list[Pair] = []
    for tag, i0, i1, j0, j1 in SequenceMatcher(None, one, two, autojunk=False).get_opcodes():
        if tag == "equal":
            pairs += zip(range(i0, i1), range(j0, j1), strict=True)
            continue

        alone = i1 - i0 == j1 - j0 == 1

        def score(i: int, j: int, i0: int = i0, j0: int = j0, alone: bool = alone) -> float:
            # A row between two that stayed is that row while anything in it stayed.
            here = one[i0 + i], two[j0 + j]
            stayed = len(here[0]) == 1 or any(a == b for a, b in zip(*here, strict=True) if a)
            return 1.0 if alone and stayed else _alike(*here, naming)

        pairs += [
            (None if i is None else i0 + i, None if j is None else j0 + j) for i, j in align(i1 - i0, j1 - j0, score)
        ]
    return pairs


def _naming(one: Sequence[Row], two: Sequence[Row]) -> int | None:
    """Return the first column of which every cell is filled and comes once: it says what each row is about."""
    width = len(one[0]) if one else 0
    for column in range(width):
        sides = [[row[column] for row in rows] for rows in (one, two)]
        if all(all(cells) and len(set(cells)) == len(cells) for cells in sides):
            return column
    return None


def _alike(one: Row, two: Row, naming: int | None) -> float:
    """Return how likely one row is the other, edited: 0 when it is another."""
    filled = [(a, b) for a, b in zip(one, two, strict=True) if a or b]
    if not filled:
        return 0.0
    alike = sum(1.0 if a == b else _letters(a, b) for a, b in filled) / len(filled)
    if naming is not None:
        if one[naming] == two[naming]:
            return 1.0 + alike
        return alike if alike >= LEAST_ROW + 0.2 else 0.0
    return alike if alike >= LEAST_ROW else 0.0


def _letters(one: str, two: str) -> float:
    """Return how alike two long cells are; short ones are equal or not, as one digit makes another value."""
    if min(len(one), len(two)) < 20:
        return 0.0
    return 0.9 * SequenceMatcher(None, one, two, autojunk=False).quick_ratio()
