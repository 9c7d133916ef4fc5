"""Words and one lattice → cells with their words, also where only white space parts them. Pure.

As in ``lattice``, y grows downwards; baselines alone are left as they are printed.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise

from pincite.corpus.draft import FIGURE, Draft
from pincite.corpus.lattice import Lattice, Place, places_of
from pincite.corpus.layout import Word, rows_of, text_of
from pincite.corpus.stacked import split_at_blank_lines, split_at_lines, split_at_values

MIN_FILLED = 0.45
"""Below this share of filled cells a lattice is a drawing, a pin-out or an empty form. Picked once on 1,074 pages of
datasheets and filings, where it cut false merged cells from 9,838 to 1,204; not swept."""

WIDE_EM = 0.85
"""White that is more than a blank, in type sizes: a typewriter's blank is .6."""


def drafts_of(lattice: Lattice, words: Sequence[Word]) -> list[Draft] | None:
    """Return the cells with their words; None when the lattice holds no table."""
    xs, ys = lattice.xs, lattice.ys
    places = places_of(lattice)
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
    drafts = _compact(split_at_blank_lines(split_at_values(split_at_lines(_split_at_rows(_split_at_columns(drafts))))))
    if not _is_grid(drafts) or sum(1 for d in drafts if d.words) < MIN_FILLED * len(drafts):
        return None
    return drafts


def is_chart(drafts: list[Draft]) -> bool:
    """Return whether it is a bar chart: each bar ends one cell that seems to span the rest of the row."""
    filled = [d for d in drafts if d.words]
    wide = [d.place[2:] for d in filled if d.place.c1 > d.place.c0]
    # Merged cells of a table repeat from row to row; bars differ.
    return max(d.place.c1 for d in drafts) >= 5 and len(wide) > 0.5 * len(filled) and len(set(wide)) >= 0.5 * len(wide)


def stacks_rows(drafts: list[Draft]) -> bool:
    """Return whether cells over several rows hold an entry for each of these rows: they are many cells.

    Told by figures below each other in two cells, or by a cell of labels, one to a row.
    """
    figures = labels = 0
    for draft in drafts:
        height = draft.place.r1 - draft.place.r0 + 1
        lines = [text_of(row) for row in rows_of([w for w in draft.words if not w.turn])] if height > 1 else []
        if len(lines) > 1:
            figures += all(FIGURE.match(line) for line in lines)
            entries = all(line[:1].isupper() or line[:1].isdigit() for line in lines)
            labels += len(lines) == height >= 3 and entries
    return figures >= 2 or labels > 0


def _is_grid(drafts: list[Draft]) -> bool:
    """Return whether there is text in two rows and two columns: less is a frame around text."""
    filled = [d.place for d in drafts if d.words]
    return len(filled) >= 3 and len({p.r0 for p in filled}) >= 2 and len({p.c0 for p in filled}) >= 2


def _split_at_gaps(place: Place, words: list[Word], xs: list[float], ys: list[float]) -> list[Draft]:
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
            gaps = [_gap(w, right) for w in left]
            # The last line of wrapped text that is set in the middle may stand on one side alone: that is no column.
            if any(gap < math.inf for gap in gaps) and all(
                gap >= WIDE_EM * w.size for gap, w in zip(gaps, left, strict=True)
            ):
                cuts.append(column)
    out: list[Draft] = []
    for a, b in zip([place.c0, *cuts], [*cuts, place.c1 + 1], strict=True):
        part = [
            w
            for w in words
            if (a == place.c0 or (w.x0 + w.x1) / 2 >= xs[a]) and (b == place.c1 + 1 or (w.x0 + w.x1) / 2 < xs[b])
        ]
        box = (xs[a], ys[place.r0], xs[b], ys[place.r1 + 1])
        out.append(Draft(Place(place.r0, place.r1, a, b - 1), part, box))
    return out


def _split_at_columns(drafts: list[Draft]) -> list[Draft]:
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
        out: list[Draft] = []
        for draft in drafts:
            place = draft.place
            if place.c0 == place.c1 == c:
                x0, y0, x1, y1 = draft.box
                for k, (a, b) in enumerate(pairwise([x0, *cuts, x1])):
                    part = [
                        w for w in draft.words if (k == 0 or _middle(w) >= a) and (k == len(cuts) or _middle(w) < b)
                    ]
                    out.append(Draft(place._replace(c0=c + k, c1=c + k), part, (a, y0, b, y1)))
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
    size = max((w.size for line in lines for w in line), default=0.0)
    strips: list[tuple[float, float]] = []
    end = inked[0][1]
    for a, b in inked:
        if a - end >= max(6.0, WIDE_EM * size):
            strips.append((end, a))
        end = max(end, b)
    cuts: list[float] = []
    for k, (a, b) in enumerate(strips):
        middle = (a + b) / 2
        limit = strips[k + 1][0] + 0.1 if k + 1 < len(strips) else math.inf
        left = sum(1 for line in lines if any(_middle(w) < middle for w in line))
        right = [text for line in lines if (text := text_of([w for w in line if middle < _middle(w) <= limit]))]
        figures = sum(1 for text in right if FIGURE.match(text) or len(text) <= 2)
        if left >= 0.6 * len(lines) and len(right) >= 0.6 * len(lines) and figures >= 0.6 * len(right):
            cuts.append(middle)
    return cuts


def _split_at_rows(drafts: list[Draft]) -> list[Draft]:
    """Return cells over many rows in parts where they hold an entry for each row that nothing rules off.

    Told from a merged cell with wrapped text by lines that end at different places, begin in capitals and stand one
    to a row.
    """
    edges: dict[int, tuple[float, float]] = {}
    for d in drafts:
        if d.place.r0 == d.place.r1:
            edges[d.place.r0] = (d.box[1], d.box[3])
    out: list[Draft] = []
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
            out.append(Draft(draft.place._replace(r0=r, r1=r), at.get(r, []), box))
    return out


def _gap(word: Word, right: list[Word]) -> float:
    """Return the white between a word and the next one on its line; infinite when none follows."""
    height = word.y1 - word.y0
    return min((v.x0 - word.x1 for v in right if abs((v.y0 + v.y1) - (word.y0 + word.y1)) < height), default=math.inf)


def _compact(drafts: list[Draft]) -> list[Draft]:
    """Return the cells without grid rows and columns in which nothing is printed: double rules, decoration.

    A row that is one empty cell is white between two groups of rows.
    """
    last = max(d.place.c1 for d in drafts)
    drafts = [d for d in drafts if d.words or d.place.r0 < d.place.r1 or (d.place.c0, d.place.c1) != (0, last)]
    keep_rows = _live([(d.place.r0, d.place.r1, bool(d.words), d.box[3] - d.box[1]) for d in drafts])
    keep_columns = _live([(d.place.c0, d.place.c1, bool(d.words), d.box[2] - d.box[0]) for d in drafts])
    out: list[Draft] = []
    for draft in drafts:
        r0, r1, c0, c1 = draft.place
        mine = [keep_rows[r] for r in range(r0, r1 + 1) if r in keep_rows]
        across = [keep_columns[c] for c in range(c0, c1 + 1) if c in keep_columns]
        if mine and across:
            out.append(draft._replace(place=Place(mine[0], mine[-1], across[0], across[-1])))
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
