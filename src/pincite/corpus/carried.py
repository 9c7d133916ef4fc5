"""Rules of a page → the rules that a table is read as if it had, where its grid is drawn in part. Pure.

Datasheets rule off their columns in the header only: below it, rules across part the rows, and the columns go on
without any. And they set tables with the same columns under each other, with one header above the first and the name of
a group, or nothing, between. As in ``lattice``, y grows downwards.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from pincite.corpus.captions import CAPTION, is_note
from pincite.corpus.columns import BLANK_EM, TextLine, is_bold, is_figure, text_lines
from pincite.corpus.lattice import REACH_PT, Segment, clusters
from pincite.corpus.layout import Word, text_of

SAME_PT = 3.0
"""Ends of rules that differ by no more are one place."""
MIN_COLUMNS = 3
MAX_HEADER_LINES = 6
MAX_FIGURES = 0.34
"""Share of the names of columns that may be figures."""
MIN_RULE_PT = 60.0
"""A shorter rule that ends at no column is a line over a word."""
MAX_ROW_EM = 3.0
"""White below a rule, or above the next one, in type sizes, that one row may have."""
MAX_GAP_EM = 1.3
"""White between two rows below the last rule, in type sizes."""
LARGER = 1.12
"""Type that is as many times as large as the header's is a heading."""
CENTRED_EM = 1.5
"""How far the middle of a group's name may be from that of the table, in type sizes."""
MIN_COVERED = 0.95
"""Share of the width that a rule over all columns covers; it may be in pieces."""
MAX_CROSSED = 0.2
"""Share of the places where a column's edge meets a row that text may run across: groups' names, merged cells."""


class Carried(NamedTuple):
    across: list[Segment]
    down: list[Segment]


class _Header(NamedTuple):
    """A ruled header at whose lower edge all its rules down end."""

    x0: float
    x1: float
    top: float
    bottom: float
    xs: list[float]
    """Edges of the columns between its ends."""
    lines: list[TextLine]

    @property
    def is_bold(self) -> bool:
        return is_bold(self.lines[0])


class _Band(NamedTuple):
    """What stands between two rules."""

    top: float
    bottom: float
    lines: list[TextLine]
    gridded: bool = False
    """Whether its columns are ruled."""
    whole: bool = False
    """Whether both rules run over all columns."""

    def is_row(self, header: _Header) -> bool:
        """Return whether columns go on through it: not through white, nor through the name of a group.

        That is alone between two rules, at the left or in the middle.
        """
        if not self.lines or self.gridded:
            return False
        only = self.lines[0]
        if not self.whole or len(self.lines) > 1 or len(only.entries) > 1:
            return True
        off = abs(only.x0 + only.x1 - header.x0 - header.x1) / 2
        return off > CENTRED_EM * only.size and 0 not in _columns(self.lines, header.xs)


def carried_down(words: Sequence[Word], across: Sequence[Segment], down: Sequence[Segment]) -> Carried:
    """Return the rules down, and the upper and lower edges, that columns below a ruled header are read as if they had.

    Args:
        words: flipped words of the page.
        across: joined rules across and edges that stand for them, in ascending order.
        down: joined rules down and edges that stand for them, in ascending order.
    """
    out = Carried([], [])
    upright: list[Word] | None = None
    for header in _headers(across, down):
        if upright is None:
            upright = sorted((w for w in words if not w.turn), key=lambda w: w.y0)
        inside = [w for w in upright if header.x0 - 2 <= _middle(w) <= header.x1 + 2]
        body = _body(header, inside, across, down)
        if body:
            out.across.extend(body.across)
            out.down.extend(body.down)
    return out


def _headers(across: Sequence[Segment], down: Sequence[Segment]) -> Iterator[_Header]:
    ends = sorted((b, k) for k, (_, _, b) in enumerate(down))
    seen: set[tuple[float, float, float]] = set()
    for y, a, b in across:
        near = ends[bisect_left(ends, (y - REACH_PT, -1)) : bisect_right(ends, (y + REACH_PT, len(down)))]
        ending = [down[k] for _, k in near]
        stops = [s for s in ending if a - REACH_PT <= s[0] <= b + REACH_PT]
        if len(clusters([x for x, _, _ in stops if a + 4 < x < b - 4])) + 1 < MIN_COLUMNS:
            continue
        top = min(s for _, s, _ in stops)
        # The lower edge may be in pieces, with none below a merged cell.
        wide = [(c, d) for at, c, d in across if top - 2 <= at < y - 1 and (c < a - 4 < d or c < b + 4 < d)]
        x0, x1 = min([a, *(c for c, _ in wide)]), max([b, *(d for _, d in wide)])
        xs = clusters([x for x, _, _ in ending if x0 + 4 < x < x1 - 4])
        goes_on = any(s < y + 4 < e and x0 + 4 < x < x1 - 4 for x, s, e in down)
        if not goes_on and (y, x0, x1) not in seen:
            seen.add((y, x0, x1))
            yield _Header(x0, x1, top, y, xs, [])


def _body(header: _Header, words: Sequence[Word], across: Sequence[Segment], down: Sequence[Segment]) -> Carried | None:
    x0, x1, top, bottom, xs, _ = header
    header = header._replace(lines=text_lines([w for w in words if top - 2 <= _height(w) <= bottom + 1]))
    entries = [text_of(entry) for line in header.lines for entry in line.entries]
    if not header.lines:
        return None
    only_names = len(header.lines) <= MAX_HEADER_LINES and sum(map(is_figure, entries)) <= MAX_FIGURES * len(entries)
    if not (only_names or header.is_bold):
        return None
    bands = _bands(header, words, across, down, only_names=only_names)
    if len({c for band in bands for c in _columns(band.lines, xs)}) < 2:
        return None
    rules: list[Segment] = [(x0, top, bottom), (x1, top, bottom)]
    crossed = met = 0
    for band in bands:
        y0, y1, lines, _, _ = band
        # A table without an outer frame keeps none beside its own grid.
        rules += [] if band.gridded else [(x, y0, y1) for x in (x0, x1)]
        for x in xs if band.is_row(header) else ():
            open_ = any(_crosses(line, x) for line in lines)
            crossed, met = crossed + open_, met + 1
            if not open_:
                rules.append((x, y0, y1))
    if crossed > MAX_CROSSED * met:
        return None
    closed = (
        [top, bottom] if any(abs(y - bands[-1].bottom) <= 1 for y, _, _ in across) else [top, bottom, bands[-1].bottom]
    )
    return Carried([(y, x0, x1) for y in closed], rules)


def _bands(
    header: _Header, words: Sequence[Word], across: Sequence[Segment], down: Sequence[Segment], *, only_names: bool
) -> list[_Band]:
    """Return what stands between two rules below the header, from the top down, until something else begins.

    The last may be closed by no rule. Below a whole table, which has more than ``only_names``, a grid must follow.
    """
    x0, x1, y, xs = header.x0, header.x1, header.bottom, header.xs
    size = max(line.size for line in header.lines)
    places = [x0, *xs, x1]
    out: list[_Band] = []
    was_whole = True
    for at, a, b in across:
        if at - y <= 1 or a < x0 - SAME_PT or b > x1 + SAME_PT:
            continue
        if not (_is_near(a, places) and _is_near(b, places)):
            if b - a < MIN_RULE_PT:
                # A line over the name of a signal.
                continue
            return _without_names(out, xs)
        lines = text_lines([w for w in words if y < _height(w) < at])
        own = clusters([x for x, s, e in down if min(e, at) - max(s, y) > 4 and x0 + 4 < x < x1 - 4])
        if own:
            named_anew = not header.is_bold or (lines and is_bold(lines[0]))
            if named_anew or not all(_is_near(x, xs) for x in own) or 2 * len(own) < len(xs):
                # Another grid begins.
                return _without_names(out, xs)
            out.append(_Band(y, at, lines, gridded=True))
            y = at
            continue
        white = (
            [lines[0].top - y, at - lines[-1].bottom, *(q.top - p.bottom for p, q in pairwise(lines))] if lines else []
        )
        if max(white, default=at - y) > MAX_ROW_EM * size or any(_ends_table(line, size, x0, x1) for line in lines):
            break
        if (
            not only_names
            and not any(band.gridded for band in out)
            and (len(lines) > 1 or len(_columns(lines, xs)) > 1)
        ):
            return []
        covered = sum(
            d - c for height, c, d in across if abs(height - at) <= 1 and x0 - SAME_PT <= c and d <= x1 + SAME_PT
        )
        whole = covered >= MIN_COVERED * (x1 - x0)
        out.append(_Band(y, at, lines, whole=whole and was_whole))
        y, was_whole = at, whole
    if not only_names:
        return _without_names(out, xs) if any(band.gridded for band in out) else []
    tail = _tail([w for w in words if y < _height(w) < y + 60 * size], header, y, size)
    edge = tail[-1].bottom if tail else y
    # A rule that runs through what was taken for the rest of the table belongs to something else.
    crossed = any(y + 1 < at < edge and a < x1 and b > x0 for at, a, b in across)
    if tail and not crossed and not any(s < edge and e > y + 4 and x0 + 4 < x < x1 - 4 for x, s, e in down):
        out.append(_Band(y, edge + 1, tail))
    return _without_names(out, xs)


def _is_near(x: float, places: Sequence[float]) -> bool:
    return any(abs(x - place) <= SAME_PT for place in places)


def _tail(words: Sequence[Word], header: _Header, edge: float, size: float) -> list[TextLine]:
    """Return the lines below the last rule that are rows of the table."""
    out: list[TextLine] = []
    for line in text_lines(words) if words else ():
        beside = line.x0 < header.x0 - 2 or line.x1 > header.x1 + 2 or any(_crosses(line, x) for x in header.xs)
        if line.top - edge > MAX_GAP_EM * size or beside or _ends_table(line, size, header.x0, header.x1):
            break
        if not out and len(_columns([line], header.xs)) < 2:
            break
        out.append(line)
        edge = line.bottom
    return out


def _without_names(bands: list[_Band], xs: Sequence[float]) -> list[_Band]:
    """Return the bands without the last ones in which nothing or one name stands: it is over what comes next."""
    while (
        bands
        and not bands[-1].gridded
        and (_columns(bands[-1].lines, xs) <= {0} or len(bands[-1].lines) == len(bands[-1].lines[0].entries) == 1)
    ):
        bands.pop()
    return bands


def _columns(lines: Sequence[TextLine], xs: Sequence[float]) -> set[int]:
    return {bisect_right(xs, _middle(w)) for line in lines for w in line.words}


def _ends_table(line: TextLine, size: float, x0: float, x1: float) -> bool:
    text = text_of(line.words)
    prose = len(line.entries) == 1 and len(line.words) >= 8 and line.x1 - line.x0 > 0.75 * (x1 - x0)
    return prose or line.size > LARGER * size or bool(CAPTION.match(text)) or is_note(text)


def _crosses(line: TextLine, x: float) -> bool:
    """Return whether text runs across ``x``: a word, or two with no more than a blank between them."""
    left = right = None
    for word in line.words:
        if word.x0 < x - 1.5 and word.x1 > x + 1.5:
            return True
        if _middle(word) < x:
            left = word
        elif right is None:
            right = word
    return left is not None and right is not None and right.x0 - left.x1 < BLANK_EM * line.size


def _middle(word: Word) -> float:
    return (word.x0 + word.x1) / 2


def _height(word: Word) -> float:
    return (word.y0 + word.y1) / 2
