"""Words of a page → rows in the order people read them: columns, notes in the margin, everything else row by row. Pure.

A page is cut into runs of rows that leave one strip white. What stands beside the strip says what it is: prose on both
sides are columns; prose beside a narrow strip of notes is a text with marginal notes; all else (a list, a form, a
table that nobody found) is read row by row.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import inf
from statistics import median
from typing import Literal, NamedTuple, TypeAlias

from pincite.corpus.layout import Word, rows_of

Row: TypeAlias = list[Word]

MIN_GUTTER_PT = 9.0
"""Narrowest white strip between two columns of prose. IEEE style prints 12 pt, statutes in two columns 14 to 20 pt."""

MIN_COLUMN_ROWS = 6
"""Fewer rows beside each other are a table without rules or a list, unless their sentences run on below each other."""

MIN_RUNNING_ROWS = 3
"""Rows of a column whose sentences run on from row to row: an abstract in two columns may have four."""

MAX_COLUMNS = 6
"""Of prose, beside each other. Newspapers on A3 print five."""

RUNS_ON = 0.4
"""Share of the rows of prose that neither end a sentence nor are followed by a capital. Books have .6 to .9, entries
of a table 0 to .2; a guess between them."""

ALIGNED_PT = 1.5
"""Rows that begin within this distance begin at one place: an italic or round letter reaches further left."""

MARGIN_SHARE = 0.34
"""Widest column of marginal notes, as a share of the text's width."""

_ENDS = re.compile(r"[.!?:;…]['\"’”)\]]*$")
_LEADER = re.compile(r"(\.\s?){4,}|…{2,}|_{5,}")
_NUMBERED = re.compile(r"^\(?(\d{1,3})[.):]?$")
_LETTERS = re.compile(r"[^\W\d_]{2,}")


def in_reading_order(words: Sequence[Word]) -> list[Row]:
    """Return every word once, in rows in reading order; a row never holds words of two columns.

    The order of ``words`` does not matter. A word without text stands for a table or figure and takes part like one
    wide word.
    """
    return _ordered(rows_of(_with_initials(words)))


def _with_initials(words: Sequence[Word]) -> Sequence[Word]:
    """Return the words with an initial over several lines moved, by its baseline, to the line that it begins."""
    sizes = [w.size for w in words if w.text]
    usual = median(sizes) if sizes else 0.0
    initials = [w for w in words if w.size > 2 * usual and len(w.text) == 1 and w.text.isupper()]
    if not initials:
        return words
    moved: dict[int, Word] = {}
    for big in initials:
        near = [
            w
            for w in words
            if 0 <= w.x0 - big.x1 <= big.size and big.y0 < w.baseline < big.y1 and w.size < big.size / 2
        ]
        # Two lines or more stand beside it: one would be a heading that begins with a large letter.
        if len({round(w.baseline) for w in near}) > 1:
            first = max(near, key=lambda w: (w.baseline, -w.x0))
            moved[id(big)] = big._replace(baseline=first.baseline, size=first.size)
    return [moved.get(id(w), w) for w in words] if moved else words


def _ordered(rows: list[Row]) -> list[Row]:
    if len(rows) < MIN_RUNNING_ROWS:
        return rows
    left, right = min(r[0].x0 for r in rows), max(w.x1 for r in rows for w in r)
    white = [_white(row, left, right) for row in rows]
    out: list[Row] = []
    start = 0
    while start < len(rows):
        strips, end = _run(white, start, left, right)
        parted = None
        if end - start >= MIN_RUNNING_ROWS:
            parted = _parted(rows[start:end], [s for s in strips if s.low > left and s.high < right], right - left)
        if parted is None:
            out.append(rows[start])
            start += 1
        else:
            out += parted.rows
            start += parted.taken
    return out


class _Strip(NamedTuple):
    low: float
    high: float


def _white(row: Row, left: float, right: float) -> list[_Strip]:
    """Return the strips of at least ``MIN_GUTTER_PT`` in which the row prints nothing, margins included."""
    strips: list[_Strip] = []
    at = left - MIN_GUTTER_PT
    for word in row:
        if word.x0 - at >= MIN_GUTTER_PT:
            strips.append(_Strip(at, word.x0))
        at = max(at, word.x1)
    if right + MIN_GUTTER_PT - at >= MIN_GUTTER_PT:
        strips.append(_Strip(at, right + MIN_GUTTER_PT))
    return strips


def _run(white: list[list[_Strip]], start: int, left: float, right: float) -> tuple[list[_Strip], int]:
    """Return the strips that the longest run of rows from ``start`` leaves free, and the row after the run.

    A row that only ends early begins no run: it is read before the columns below it either way. One that begins far
    from the left does: the left column may begin lower, below a figure.
    """
    indent = left + 0.25 * (right - left)
    strips = white[start]
    end = start + 1
    if not any(s.high < right and (s.low > left or s.high > indent) for s in strips):
        return [], end
    while end < len(white):
        common: list[_Strip] = []
        found = False
        for p, q in strips:
            for r, s in white[end]:
                low, high = (p if p > r else r), (q if q < s else s)
                if high - low >= MIN_GUTTER_PT:
                    common.append(_Strip(low, high))
                    found = found or (high < right and (low > left or high > indent))
        if not found:
            break
        strips = common
        end += 1
    return strips, end


# ---------------------------------------------------------------- what stands beside a strip

_Side: TypeAlias = Literal["left", "right"]


class _Parted(NamedTuple):
    """Rows of a run in reading order, and how many rows of the page they take up."""

    rows: list[Row]
    taken: int


class _Column(NamedTuple):
    rows: list[Row]
    width: float
    fill: float
    """Median length of a row as a share of the width."""
    words: float
    """Median number of words in a row."""
    runs_on: float
    """Of the rows of prose, see ``RUNS_ON``."""
    share: float
    """Share of the characters that stand in rows of prose: nearly full ones of several words."""
    prose_rows: int

    def is_prose(self, width: float) -> bool:
        """Return whether the column is filled with sentences, between headings and formulas perhaps."""
        if self.width < 0.2 * width:
            return False
        running = self.runs_on >= RUNS_ON
        if self.fill >= 0.7 and self.words >= 4:
            return len(self.rows) >= (MIN_RUNNING_ROWS if running else MIN_COLUMN_ROWS)
        return running and self.share >= 0.6 and self.prose_rows > MIN_RUNNING_ROWS


def _words(row: Row) -> int:
    """Return how many words are words, not figures, dashes or single letters of a formula."""
    return len([1 for w in row if len(w.text) > 1 and w.text[0].isalpha()])


def _column(rows: list[Row]) -> _Column:
    low, high = min(r[0].x0 for r in rows), max(r[-1].x1 for r in rows)
    lengths = [r[-1].x1 - r[0].x0 for r in rows]
    words = [_words(r) for r in rows]
    prose = [n >= 3 and len(r) >= 4 and x >= 0.7 * (high - low) for n, r, x in zip(words, rows, lengths, strict=True)]
    letters = [sum([len(w.text) for w in r]) for r in rows]
    pairs = [(a, b) for (a, b), is_prose in zip(pairwise(rows), prose, strict=False) if is_prose]
    on = sum(not _ENDS.search(a[-1].text) and not b[0].text[:1].isupper() for a, b in pairs)
    return _Column(
        rows,
        high - low,
        median(lengths) / max(high - low, 1.0),
        median(len(r) if n >= 2 else n for r, n in zip(rows, words, strict=True)),
        on / max(len(pairs), 1),
        sum(n for n, is_prose in zip(letters, prose, strict=True) if is_prose) / max(sum(letters), 1),
        sum(prose),
    )


def _parted(run: list[Row], strips: list[_Strip], width: float) -> _Parted | None:
    """Return the run read column by column, or with its marginal notes apart; None when it is read row by row."""
    for low, high in sorted(strips, key=lambda s: (s.low - s.high, s.low)):
        middle = (low + high) / 2
        split = [([w for w in row if w.x1 <= middle], [w for w in row if w.x0 >= middle]) for row in run]
        count = _end_of_columns(split)
        split = split[:count]
        left, right = [a for a, _ in split if a], [b for _, b in split if b]
        if min(len(left), len(right)) < 1:
            continue
        if columns := _columns(run[:count], strips, width):
            return _Parted([row for rows in columns for row in _ordered(rows)], count)
        a = _column(left)
        if not a.is_prose(width) and a.width > MARGIN_SHARE * width:
            # Neither one of two columns nor notes beside one.
            continue
        b = _column(right)
        if a.is_prose(width) and b.is_prose(width):
            short = min(len(left), len(right)) < MIN_COLUMN_ROWS
            if not _aligned(right) or (short and max(a.runs_on, b.runs_on) < RUNS_ON):
                continue
            parts = _numbered_across(split) or [(left, right)]
            return _Parted([row for side in parts for rows in side for row in _ordered(rows)], count)
        # Type is compared within a row: a title in larger type is no note beside the text below it.
        level = [(a, b) for a, b in split if a and b]
        like = sum(abs(a[-1].size - b[0].size) < 0.6 for a, b in level) > 0.5 * len(level)
        strip = high - low if like else inf
        if _is_margin(b, "right", beside=a, width=width, strip=strip):
            return _Parted(_with_notes(left, right, "right"), count)
        if _is_margin(a, "left", beside=b, width=width, strip=strip):
            return _Parted(_with_notes(right, left, "left"), count)
    return None


def _columns(run: list[Row], strips: list[_Strip], width: float) -> list[list[Row]]:
    """Return three or more columns of prose that all strips together cut; none when one of them is no prose."""
    edges = sorted((s.low + s.high) / 2 for s in strips)
    # With more strips the run is a table that nobody found.
    while 1 < len(edges) < MAX_COLUMNS:
        columns = [
            [part for row in run if (part := [w for w in row if w.x0 >= low and w.x1 <= high])]
            for low, high in pairwise([-inf, *edges, inf])
        ]
        rivers = [edge for edge, rows in zip(edges, columns[1:], strict=True) if not rows or not _aligned(rows)]
        if not rivers:
            enough = all(len(rows) >= MIN_COLUMN_ROWS and _column(rows).is_prose(width) for rows in columns if rows)
            return columns if enough and all(columns) else []
        edges = [edge for edge in edges if edge not in rivers]
    return []


def _numbered_across(split: list[tuple[Row, Row]]) -> list[tuple[list[Row], list[Row]]]:
    """Return the parts of a run that white over both columns cuts apart, when numbers count across them, else none.

    Boxes numbered "1 2" over "3 4" are read so; boxes numbered "1 3" over "2 4" are two columns.
    """
    leading = _leading([a for a, _ in split if a])
    parts: list[tuple[list[Row], list[Row]]] = [([], [])]
    above = split[0]
    for row in split:
        apart = (above[0] or above[1])[0].baseline - (row[0] or row[1])[0].baseline > 1.8 * leading
        if apart and all(parts[-1]) and any(side and _NUMBERED.match(side[0].text) for side in row):
            parts.append(([], []))
        for side in (0, 1):
            if row[side]:
                parts[-1][side].append(row[side])
        above = row
    numbers = [int(m[1]) if side and (m := _NUMBERED.match(side[0][0].text)) else -1 for part in parts for side in part]
    return parts if len(parts) > 1 and numbers == list(range(numbers[0], numbers[0] + len(numbers))) else []


def _end_of_columns(split: list[tuple[Row, Row]]) -> int:
    """Return how many rows of a run belong to its columns: a heading over both, set off by white, ends them.

    Such a heading is short, so it leaves the strip free and looks like one of the left column. It is larger or bolder
    than the rows above it, and the other column prints nothing for more than two rows beside it.
    """
    if len(split) < 2 * MIN_RUNNING_ROWS:
        return len(split)
    above, other_above = split[0]
    leading = _leading([a for a, _ in split if a])
    for i in range(1, len(split)):
        row, other = split[i]
        if row and above and not other and other_above and row[0].text and i >= MIN_RUNNING_ROWS:
            head = row[0].size > above[0].size + 0.9 or (row[0].bold and row[-1].bold and not above[-1].bold)
            if head and above[0].baseline - row[0].baseline > 1.2 * leading:
                below = next((b for _, b in split[i:] if b), None)
                empty = other_above[0].baseline - below[0].baseline if below else float("inf")
                if empty > 2.7 * leading and not (below is None and _goes_on_below(split[i:])):
                    return i
        above, other_above = row or above, other or other_above
    return len(split)


def _leading(rows: list[Row]) -> float:
    """Return the usual distance of baselines, in points."""
    return median([a[0].baseline - b[0].baseline for a, b in pairwise(rows)] or [12.0])


def _goes_on_below(split: list[tuple[Row, Row]]) -> bool:
    """Return whether the left column alone goes on below a heading: the right one was shorter."""
    return len(split) > MIN_RUNNING_ROWS


def _aligned(rows: list[Row]) -> bool:
    """Return whether most rows begin at one of a few places, as in a column; right of a river they begin anywhere."""
    rows = [row for row in rows if _words(row) >= 3] or rows
    starts = sorted(row[0].x0 for row in rows)
    enough = max(0.15 * len(rows), min(0.6 * len(rows), 3.0))
    aligned = sum(bisect_right(starts, x + ALIGNED_PT) - bisect_left(starts, x - ALIGNED_PT) >= enough for x in starts)
    return aligned >= 0.6 * len(rows)


# ---------------------------------------------------------------- marginal notes


def _is_margin(notes: _Column, side: _Side, *, beside: _Column, width: float, strip: float) -> bool:
    """Return whether a narrow column holds notes beside running text.

    Numbers, letters and bullets before the text, the names of a glossary on one line each, the values of a list and the
    last word of a line that is spread wide stay in the rows they stand in. ``strip``: width of the white between, in
    points; infinite when the notes are set in other type.
    """
    if notes.width > MARGIN_SHARE * width or not beside.is_prose(width) or beside.runs_on < RUNS_ON:
        return False
    if len(beside.rows) < MIN_COLUMN_ROWS:
        return False
    named = sum(bool(_LETTERS.search(" ".join(w.text for w in row))) for row in notes.rows)
    if named <= 0.5 * len(notes.rows):
        return False
    if strip < inf:
        size = median(row[0].size for row in beside.rows)
        edges = Counter(round(edge) for row in notes.rows for edge in (row[0].x0, row[-1].x1))
        narrow = strip < 1.4 * size and not (side == "left" and _aligned(beside.rows))
        if narrow or len(notes.rows) < 2 or max(edges.values()) < 0.6 * len(notes.rows):
            return False
    # A name that always has one row belongs to the row it begins.
    if side == "left" and all(len(block) < 2 for block in _blocks(notes.rows)):
        return False
    leaders = sum(bool(_LEADER.search(" ".join([w.text for w in row]))) for row in beside.rows)
    return leaders <= 0.3 * len(beside.rows)


def _blocks(rows: list[Row]) -> list[list[Row]]:
    """Return rows that follow each other without white between them together."""
    out: list[list[Row]] = []
    for row in rows:
        size = max(w.size for w in row)
        if out and out[-1][-1][0].baseline - row[0].baseline <= 1.6 * size:
            out[-1].append(row)
        else:
            out.append([row])
    return out


def _with_notes(main: list[Row], notes: list[Row], side: _Side) -> list[Row]:
    """Return the text with each block of notes before the paragraph it stands beside, on the right after it."""
    paragraphs = list(_paragraphs(main))
    ends = [p[-1][0].baseline for p in paragraphs]
    before: list[list[Row]] = [[] for _ in range(len(paragraphs) + 1)]
    for block in _blocks(notes):
        top = block[0][0].baseline
        # The first paragraph that reaches as far down as the note's first row.
        home = next((k for k, end in enumerate(ends) if end <= top + 0.5 * block[0][0].size), len(paragraphs) - 1)
        before[home + (side == "right")] += block
    out: list[Row] = []
    for k, paragraph in enumerate(paragraphs):
        out += before[k]
        out += _ordered(paragraph)
    return out + before[-1]


def _paragraphs(rows: list[Row]) -> Iterator[list[Row]]:
    leading = _leading(rows)
    right = max(row[-1].x1 for row in rows)
    paragraph: list[Row] = []
    for row in rows:
        if paragraph:
            last = paragraph[-1]
            apart = last[0].baseline - row[0].baseline > 1.35 * leading
            ended = bool(_ENDS.search(last[-1].text)) and last[-1].x1 < right - 2 * last[-1].size
            if apart or ended:
                yield paragraph
                paragraph = []
        paragraph.append(row)
    if paragraph:
        yield paragraph
