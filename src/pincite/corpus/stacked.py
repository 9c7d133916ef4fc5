"""Cells between two rules that hold an entry for each of several rows → cells of these rows. Pure.

As in ``lattice``, y grows downwards; baselines alone are left as they are printed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from pincite.corpus.columns import TextLine, is_value, text_lines
from pincite.corpus.draft import FIGURE, Draft
from pincite.corpus.lattice import Place
from pincite.corpus.layout import Word, rows_of, text_of

MAX_LABEL_LINES = 4
"""Lines of a label that stands beside several rows."""
MAX_UNIT = 5
"""Letters of a unit, which may begin in a small one: "mV", "µA/°C"."""


def split_at_lines(drafts: list[Draft]) -> list[Draft]:
    """Return the cells with rows that are told by white space only made rows: columns of figures between two rules.

    Only where most lines have something in most columns and most of that is figures: a row of wrapped text looks alike
    but for the figures, and must stay one row.
    """
    out: list[Draft] = []
    offset = 0
    for r in range(max(d.place.r1 for d in drafts) + 1):
        band = [d for d in drafts if d.place.r0 == r]
        whole = all(d.place.r1 == r for d in band) and not any(d.place.r0 < r <= d.place.r1 for d in drafts)
        lines = _lines_of_figures(band) if whole and len(band) >= 2 else []
        if not lines:
            # A cell that began above keeps its place; those that begin here move down with what was split above.
            out += [d._replace(place=_moved(d.place, offset)) for d in band]
            continue
        out += _in_rows(band, lines, r + offset)
        offset += len(lines) - 1
    return out


def _in_rows(band: list[Draft], rows: list[list[Word]], r: int) -> list[Draft]:
    """Return the cells of one row as cells of several rows from ``r`` on, each with its words."""
    tops = [band[0].box[1], *(min(w.y0 for w in row) - 1 for row in rows[1:]), band[0].box[3]]
    out: list[Draft] = []
    for k, row in enumerate(rows):
        members = {id(w) for w in row}
        for draft in band:
            place = draft.place._replace(r0=r + k, r1=r + k)
            box = (draft.box[0], tops[k], draft.box[2], tops[k + 1])
            out.append(Draft(place, [w for w in draft.words if id(w) in members], box))
    return out


def split_at_blank_lines(drafts: list[Draft]) -> list[Draft]:
    """Return the cells with rows that blank lines tell made rows: each begins with a label in the first column.

    Two cells of paragraphs rarely break at the same height, and never beside a label for each.
    """
    out: list[Draft] = []
    offset = 0
    for r in range(max(d.place.r1 for d in drafts) + 1):
        band = [d for d in drafts if d.place.r0 == r]
        whole = all(d.place.r1 == r for d in band) and not any(d.place.r0 < r <= d.place.r1 for d in drafts)
        parts = _labelled_parts(band) if whole and len(band) >= 2 else []
        if len(parts) < 2:
            out += [d._replace(place=_moved(d.place, offset)) for d in band]
            continue
        out += _in_rows(band, parts, r + offset)
        offset += len(parts) - 1
    return out


def _labelled_parts(band: list[Draft]) -> list[list[Word]]:
    words = sorted((w for d in band for w in d.words), key=lambda w: w.y0)
    first = min(band, key=lambda d: d.place.c0)
    if len(words) < 6 or any(w.turn for w in words) or not first.words:
        return []
    home = {id(w): d.place.c0 for d in band for w in d.words}
    size = max(w.size for w in words)
    parts: list[list[Word]] = [[]]
    bottom = words[0].y1
    for word in words:
        # Lines of one paragraph leave less than half a line of white.
        if word.y0 - bottom > 0.75 * size:
            parts.append([])
        parts[-1].append(word)
        bottom = max(bottom, word.y1)
    used = [{home[id(w)] for w in part} for part in parts]
    labelled = all(first.place.c0 in columns for columns in used)
    return parts if labelled and sum(len(columns) > 1 for columns in used) >= 2 else []


def _moved(place: Place, down: int) -> Place:
    return place._replace(r0=place.r0 + down, r1=place.r1 + down)


def _lines_of_figures(band: list[Draft]) -> list[list[Word]]:
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
    if sum(bool(FIGURE.match(e)) or len(e) <= 2 for e in entries) < 0.6 * len(entries):
        return []
    rows_out: list[list[Word]] = []
    for line, cells in zip(lines, used, strict=True):
        if rows_out and len(cells) == 1 and cells != {first}:
            rows_out[-1] += line
        else:
            rows_out.append(list(line))
    return rows_out


# ---------------------------------------------------------------- rows told by values under each other


def split_at_values(drafts: list[Draft]) -> list[Draft]:
    """Return the cells with rows that values under each other tell made rows, each with a label of its own.

    A text that is wrapped beside them, or set once for all of them, is one cell over these rows.
    """
    own: defaultdict[int, list[Draft]] = defaultdict(list)
    listed: set[int] = set()
    for draft in drafts:
        if draft.place.r0 == draft.place.r1:
            own[draft.place.r0].append(draft)
        elif draft.words and len(rows_of(draft.words)) > MAX_LABEL_LINES:
            # A list over several bands: their rows are not told by one of them.
            listed.update(range(draft.place.r0, draft.place.r1 + 1))
    height = max(d.place.r1 for d in drafts) + 1
    bands = {r: parts for r, band in own.items() if r not in listed and (parts := _by_values(band))}
    if not bands:
        return drafts
    start = [0]
    for r in range(height):
        start.append(start[r] + (max(d.place.r1 for d in bands[r]) + 1 if r in bands else 1))
    out = [d._replace(place=_moved(d.place, start[r])) for r, parts in bands.items() for d in parts]
    for d in drafts:
        if d.place.r0 < d.place.r1 or d.place.r0 not in bands:
            out.append(d._replace(place=d.place._replace(r0=start[d.place.r0], r1=start[d.place.r1 + 1] - 1)))
    return out


class _Stack(NamedTuple):
    """One cell of a band in lines."""

    draft: Draft
    lines: list[TextLine]
    texts: list[str]

    @property
    def valued(self) -> bool:
        return bool(self.lines) and all(map(is_value, self.texts))


def _by_values(band: list[Draft]) -> list[Draft]:
    """Return the cells of one row as cells of several rows from 0 on; none where it is one row."""
    if len(band) < 2 or any(w.turn for d in band for w in d.words):
        return []
    stacks: list[_Stack] = []
    for draft in band:
        lines = text_lines(draft.words) if draft.words else []
        stacks.append(_Stack(draft, lines, [text_of(line.words) for line in lines]))
    first = min(d.place.c0 for d in band)
    values = [s for s in stacks if s.draft.place.c0 > first and len(s.lines) > 1 and s.valued]
    if not values:
        return []
    bases = [line.base for line in max(values, key=lambda s: len(s.lines)).lines]
    size = values[0].lines[0].size
    for line in (line for s in values for line in s.lines):
        if min(abs(line.base - base) for base in bases) > 0.8 * size:
            bases.append(line.base)
    bases.sort()
    if any(b - a < 0.8 * size for a, b in pairwise(bases)):
        return []
    rows = {id(s): [_row_at(line, bases, size) for line in s.lines] for s in stacks}
    if any(None in rows[id(s)] for s in values):
        return []
    every = set(range(len(bases)))
    left = min(s.draft.place.c0 for s in values)
    labels = [
        s
        for s in stacks
        if s.draft.place.c0 < left
        and (not s.valued or s.draft.place.c0 == first)
        and set(rows[id(s)]) >= every
        # What stands above the first value is the name of a group of rows.
        and rows[id(s)][0] == 0
        and not _is_wrapped(s)
    ]
    # A cell with more lines than rows and more than a label has holds rows that have no value here.
    if not labels or any(len(s.lines) > max(len(bases) + 1, MAX_LABEL_LINES) and s not in labels for s in stacks):
        return []
    tops = [
        band[0].box[1],
        *(
            min(line.top for s in labels for line, r in zip(s.lines, rows[id(s)], strict=True) if r == k) - 1
            for k in range(1, len(bases))
        ),
        band[0].box[3],
    ]
    out: list[Draft] = []
    for s in stacks:
        for r0, r1, lines in _pieces(s, rows[id(s)], len(bases), first):
            x0, _, x1, _ = s.draft.box
            words = [w for line in lines for w in line.words]
            place = s.draft.place._replace(r0=r0, r1=r1)
            out.append(Draft(place, words, (x0, tops[r0], x1, tops[r1 + 1])))
    return out


def _pieces(s: _Stack, rows: list[int | None], count: int, first: int) -> Iterator[tuple[int, int, list[TextLine]]]:
    """Yield the first and last row of each cell that a cell of the band becomes, with its lines."""
    found = {r for r in rows if r is not None}
    text = not s.valued or s.draft.place.c0 == first
    each = len(found) == count and not _is_wrapped(s)
    if not s.lines or each or (not text and None not in rows):
        at: list[list[TextLine]] = [[] for _ in range(count)]
        r = 0
        for line, row in zip(s.lines, rows, strict=True):
            # What stands on none of the lines goes on from the line above.
            r = r if row is None else row
            at[r].append(line)
        yield from ((k, k, lines) for k, lines in enumerate(at))
        return
    blocks: list[tuple[int, list[TextLine]]] = []
    apart = len(found) == len(rows) and not _is_wrapped(s)
    for line, row in zip(s.lines, rows, strict=True):
        if apart and row is not None and (not blocks or row > blocks[-1][0] + len(blocks[-1][1])):
            blocks.append((row, [line]))
        elif blocks:
            blocks[-1][1].append(line)
        else:
            blocks.append((0, [line]))
    if len(blocks) == 1:
        yield 0, count - 1, s.lines
        return
    starts = [0, *(row for row, _ in blocks[1:]), count]
    for (_, lines), (a, b) in zip(blocks, pairwise(starts), strict=True):
        yield a, b - 1, lines


def _row_at(line: TextLine, bases: list[float], size: float) -> int | None:
    k = min(range(len(bases)), key=lambda k: abs(bases[k] - line.base))
    return k if abs(bases[k] - line.base) <= 0.4 * size else None


def _is_wrapped(s: _Stack) -> bool:
    """Return whether a later line goes on with the one above: it begins in a small letter, or a remark in brackets."""
    return any((t[:1].islower() and len(t) > MAX_UNIT) or (t.startswith("(") and "=" not in t) for t in s.texts[1:])
