"""Stripes of a page → the tables whose rows they tell. Pure.

Stripes are filled rectangles of equal extent, one above the other, each as wide as the table; a row between two of them
may be white. They say for sure that there is a table and what its rows are, so only the columns are told by white
space. As in ``lattice``, y grows downwards.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import median

from pincite.corpus.aligned import CAPTION, Region
from pincite.corpus.body import drafts_in
from pincite.corpus.columns import TextLine, header_and_columns, text_lines
from pincite.corpus.lattice import Fill, Segment
from pincite.corpus.layout import Word, text_of
from pincite.types import Box

SAME_PT = 2.0
"""Stripes whose ends differ by no more have the same extent."""
MIN_WIDTH_PT = 60.0
MIN_ROWS = 3
"""Fewer are a heading of two lines on a dark ground."""
MAX_HEADER_LINES = 6
"""Lines without a fill above the first stripe that may name its columns."""
CONFIDENCE = 0.95
"""Share of neighbouring cells rightly told in the striped tables of docs/evaluation.md."""


def striped_regions(words: Sequence[Word], shades: Sequence[Fill], taken: Sequence[Box]) -> list[Region]:
    """Return the striped tables, from the top down.

    Args:
        words: flipped words of the page.
        shades: flipped fills that are no paper.
        taken: boxes of the tables that rules tell.
    """
    found: list[Region] = []
    for stripes in sorted(_runs(shades), key=lambda run: -len(run)):
        box = (stripes[0].box[0], stripes[0].box[1], stripes[0].box[2], stripes[-1].box[3])
        if any(_overlap(box, other) for other in (*taken, *(r.box for r in found))):
            continue
        region = _region(stripes, [w for w in words if not w.turn and box[0] - 2 <= _middle(w) <= box[2] + 2])
        if region:
            found.append(region)
    return sorted(found, key=lambda r: (r.box[1], r.box[0]))


def _middle(word: Word) -> float:
    return (word.x0 + word.x1) / 2


def _overlap(a: Box, b: Box) -> bool:
    return min(a[2], b[2]) > max(a[0], b[0]) + 2 and min(a[3], b[3]) > max(a[1], b[1]) + 2


def _runs(shades: Sequence[Fill]) -> Iterator[list[Fill]]:
    """Yield runs of two or more stripes of equal extent with no more than one row of white between two of them."""
    wide = sorted((s for s in shades if s.box[2] - s.box[0] >= MIN_WIDTH_PT), key=lambda s: (s.box[0], s.box[1]))
    while wide:
        first = wide[0]
        run, rest = [first], list[Fill]()
        for shade in wide[1:]:
            same = abs(shade.box[0] - first.box[0]) <= SAME_PT and abs(shade.box[2] - first.box[2]) <= SAME_PT
            step = shade.box[1] - run[-1].box[3]
            if same and -SAME_PT <= step <= 2.5 * max(_height(shade), _height(run[-1])):
                run.append(shade)
            else:
                rest.append(shade)
        if len(run) >= 2:
            yield run
        wide = rest


def _height(shade: Fill) -> float:
    return shade.box[3] - shade.box[1]


def _region(stripes: list[Fill], words: list[Word]) -> Region | None:
    x0, top, x1, bottom = stripes[0].box[0], stripes[0].box[1], stripes[0].box[2], stripes[-1].box[3]
    lines = text_lines(words)
    inside = [line for line in lines if top - 1 <= _height_of(line) <= bottom + 1]
    if len(inside) < 2 or any(not any(_within(line, s) for line in inside) for s in stripes):
        return None
    usual = median(_height(s) for s in stripes[1:])
    after = [line for line in lines if bottom + 1 < _height_of(line) <= bottom + 1.2 * usual]
    if after and all(len(line.entries) > 1 for line in after) and max(line.bottom for line in after) <= bottom + usual:
        inside += after
        bottom += usual
    filled_header = len(stripes) > 1 and stripes[0].colour != stripes[1].colour and _touch(stripes)
    if filled_header:
        header = [line for line in inside if _within(line, stripes[0])]
    else:
        header = _names_above(lines, (x0, top, x1, bottom), usual)
    own = [*(line for line in header if line not in inside), *inside]
    body = own[len(header) :]
    if not body or sum(any(_within(b, s) and len(b.entries) > 1 for b in body) for s in stripes) < 0.4 * len(stripes):
        return None
    _, columns = header_and_columns(own, len(header))
    if len(columns) < 2:
        return None
    edges = sorted({round(y, 1) for s in stripes for y in (s.box[1], s.box[3])})
    rules: list[Segment] = [(y, x0, x1) for y in edges if y <= bottom]
    drafts = drafts_in(own, columns, len(header), rules)
    filled = [d.place for d in drafts if d.words]
    if len({p.r0 for p in filled}) < MIN_ROWS or len({p.c0 for p in filled}) < 2:
        return None
    box = (x0, min(top, *(line.top - 1 for line in own)), x1, max(bottom, *(line.bottom + 1 for line in own)))
    return Region(box, drafts, CONFIDENCE)


def _height_of(line: TextLine) -> float:
    return line.base - 0.3 * line.size


def _within(line: TextLine, shade: Fill) -> bool:
    return shade.box[1] - 1 <= _height_of(line) <= shade.box[3] + 1


def _touch(stripes: list[Fill]) -> bool:
    """Return whether the first stripe is a header: what follows it is a stripe, or the first row in white."""
    return stripes[1].box[1] - stripes[0].box[3] <= 1.2 * _height(stripes[1]) + SAME_PT


def _names_above(lines: Sequence[TextLine], box: Box, usual: float) -> list[TextLine]:
    """Return the lines right above the first stripe that name its columns: several entries, or set in from the left."""
    out: list[TextLine] = []
    edge = box[1]
    for line in reversed([line for line in lines if _height_of(line) < box[1] - 1]):
        named = len(line.entries) > 1 or line.x0 > box[0] + 0.2 * (box[2] - box[0])
        near = edge - line.bottom <= max(0.6 * usual, line.size)
        inside = line.x0 >= box[0] - SAME_PT and line.x1 <= box[2] + SAME_PT
        if not (named and near and inside) or CAPTION.match(text_of(line.words)) or len(out) == MAX_HEADER_LINES:
            break
        out.append(line)
        edge = line.top
    return out[::-1]
