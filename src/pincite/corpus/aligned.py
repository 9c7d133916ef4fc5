"""Words and rules that no lattice took → tables told by rules across and by white space. Pure.

A region is found by rules of equal extent, or as a run of lines with several entries; ``columns``, ``fragments``,
``bands`` and ``body`` make cells of it. Prose misread as a table makes wrong rows, so what does not look like a table
stays text. As in ``lattice``, y grows downwards.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from statistics import median
from typing import NamedTuple

from pincite.corpus.bands import header_lines
from pincite.corpus.body import drafts_in
from pincite.corpus.columns import (
    ENTRY_GAP_EM,
    Column,
    TextLine,
    header_and_columns,
    text_line,
    text_lines,
)
from pincite.corpus.draft import Draft
from pincite.corpus.fragments import full_rules
from pincite.corpus.judging import confidence_of, has_cells, is_contents, is_list, is_tabular
from pincite.corpus.labels import row_labels
from pincite.corpus.lattice import Segment
from pincite.corpus.layout import Word, rows_of, text_of
from pincite.corpus.reading_order import in_reading_order
from pincite.types import Box

MIN_RULE_PT = 60.0
"""Shorter rules across underline words or lead to footnotes."""
SAME_PT = 6.0
"""Rules whose ends differ by no more have the same extent."""
MAX_BREAK = 3
"""Lines with one entry that may stand between two lines with several: names of groups, wrapped labels."""
MAX_NAMES = 4
"""Lines of one entry above a run that may be names over its columns."""
MAX_WRAPPED = 12
"""Lines that the longest cell of a row may have besides."""
MAX_PARTINGS = 4
"""Wide gaps of one run at which it is asked whether another table begins."""
CAPTIONED = 0.2
"""What a table's caption right above or below adds to the confidence."""
MIN_LINES = 3
"""Lines with several entries that make a table without rules."""
LEAST = 0.45
"""Below this confidence what is set in columns stays text: lists of acronyms, diagrams, addresses."""
MAX_DOWN = 1.3
"""Length of the rules down inside a region, as a share of its height, from which it is part of a grid that ``tables``
has judged already: one rule beside the labels is common, more is a diagram or a form."""

CAPTION = re.compile(
    r"^(table|tabel|tabelle|tableau|tab\.|tabla|figure|fig\.|figuur|abbildung|exhibit|chart)\s*\S", re.IGNORECASE
)
_FIGURE = re.compile(r"^(figure|fig\.|figuur|abbildung|abb\.|chart|grafiek|graphique)\s*\d", re.IGNORECASE)
_ANY_CAPTION = re.compile(
    r"^(table|tabel|tabelle|tableau|figure|fig\.|figuur|abbildung|abb\.|chart|grafiek|graphique)\s*(\d|(?-i:[A-Z])[\s.:\-\d])",
    re.IGNORECASE,
)
MAX_CAPTION_PT = 220.0
"""How far a figure's caption may be from lettering in it; diagrams are up to a third of a page high."""
_NOTE = re.compile(r"^(notes?|source|bron|quelle|opmerking|anmerkung|remarque)s?\s*:", re.IGNORECASE)
_DASHES = re.compile(r"^[-–—_=.·]{8,}$")


class Region(NamedTuple):
    """Cells of one table with the box that holds them and how sure it is one, 0 to 1."""

    box: Box
    drafts: list[Draft]
    confidence: float


def find_regions(
    words: Sequence[Word], across: Sequence[Segment], down: Sequence[Segment], taken: Sequence[Box]
) -> list[Region]:
    """Return the tables that rules across and white space tell, from the top down.

    Args:
        words: flipped words of the page.
        across: joined rules across.
        down: joined rules down; where there are many, a grid was found and was no table.
        taken: boxes of the lattices that are tables.
    """
    free = _outside([w for w in words if not w.turn], taken)
    if len(free) < 6:
        return []
    rules = [
        r for r in across if not any(box[1] - 2 <= r[0] <= box[3] + 2 and box[0] - 2 <= r[1] <= box[2] for box in taken)
    ]
    free, dashes = _without_dashes(free)
    rules = sorted([*rules, *dashes])
    rows = rows_of(free)
    if not rules and len([1 for row in rows if may_part(row)]) < MIN_LINES:
        # White space alone must part some lines.
        return []
    lines = [text_line(row) for row in rows]
    if sum(len(line.entries) > 1 for line in lines) < 2:
        return []
    found = _between_rules(free, rules, down)
    found += _by_white(free, lines, rules, down, found)
    return sorted(found, key=lambda r: (r.box[1], r.box[0]))


def _between_rules(free: Sequence[Word], rules: Sequence[Segment], down: Sequence[Segment]) -> list[Region]:
    found: list[Region] = []
    for x0, x1, y0, y1 in _ruled_boxes(rules, free):
        box = (x0, y0, x1, y1)
        inside = [w for w in free if x0 - 3 <= _middle(w) <= x1 + 3 and y0 - 1 <= (w.y0 + w.y1) / 2 <= y1 + 1]
        if len(inside) < 4 or any(_overlaps(box, r.box) for r in found):
            continue
        lines = text_lines(inside)
        if len(_parts(lines[_hinted_header(lines, rules) or 0 :], ruled=True)) > 1 or _goes_on_below(lines, box, free):
            continue
        own = [r for r in rules if y0 - 1 <= r[0] <= y1 + 1 and r[1] >= x0 - 8 and r[2] <= x1 + 8]
        labels = row_labels(lines, box, free)
        lines, own = _with_names_above(lines, box, free, rules, own, figures_only=bool(labels))
        if labels:
            lines = text_lines([w for line in (*lines, *labels) for w in line.words])
            # The rules do not reach over the labels, so none parts all columns: the figures tell the header.
            x0 = min(line.x0 for line in labels)
        region = _region(lines, own, ruled=True)
        if region and not _is_gridded(region.box, down):
            whole = (min(region.box[0], x0), min(region.box[1], y0), max(region.box[2], x1), max(region.box[3], y1))
            found.append(region._replace(box=whole))
    return found


def _by_white(
    words: Sequence[Word],
    lines: Sequence[TextLine],
    rules: Sequence[Segment],
    down: Sequence[Segment],
    taken: Sequence[Region],
) -> list[Region]:
    """Return the regions that white space tells among the words outside ``taken``.

    Row by row first: reading order may take the words of a table for columns of prose. Then what stands beside prose.
    """
    found: list[Region] = []
    judged: set[tuple[float, ...]] = set()
    for by_columns in (False, True):
        free = _outside(words, [r.box for r in (*taken, *found)])
        rows = text_lines(free) if len(free) < len(words) or by_columns else list(lines)
        if sum(has_cells(line) for line in rows) < MIN_LINES:
            break
        if by_columns and sum(is_tabular(line) for line in rows) < MIN_LINES:
            # Prose in columns or a list: no need to find out in which order it is read.
            break
        if by_columns:
            rows = [text_line(row) for row in in_reading_order(free)]
        for part in (part for run in _runs(rows) for part in _parts(run)):
            x0, x1 = min(line.x0 for line in part), max(line.x1 for line in part)
            place = (part[0].base, part[-1].base, x0, x1)
            if place in judged or (not by_columns and _holds_prose(part)):
                continue
            judged.add(place)
            caption = _nearest_caption(part, lines)
            if caption == "figure":
                continue
            own = [r for r in rules if part[0].top - 4 <= r[0] <= part[-1].bottom + 4 and r[1] < x1 and r[2] > x0]
            region = _region(part, own, ruled=False, captioned=caption == "table")
            if region and not _is_gridded(region.box, down):
                found.append(region)
    return found


def _is_gridded(box: Box, down: Sequence[Segment]) -> bool:
    """Return whether rules run down through the region: the grid of a diagram, or boxes with arrows between them."""
    x0, y0, x1, y1 = box
    inside = sum(max(min(b, y1) - max(a, y0), 0.0) for x, a, b in down if x0 + 4 < x < x1 - 4)
    return inside >= MAX_DOWN * (y1 - y0)


def _middle(word: Word) -> float:
    return (word.x0 + word.x1) / 2


def _overlaps(a: Box, b: Box) -> bool:
    return min(a[2], b[2]) > max(a[0], b[0]) and min(a[3], b[3]) > max(a[1], b[1]) + 1


def _outside(words: Sequence[Word], boxes: Sequence[Box]) -> list[Word]:
    out = list(words)
    for x0, y0, x1, y1 in boxes:
        out = [w for w in out if not (x0 <= (w.x0 + w.x1) / 2 <= x1 and y0 <= (w.y0 + w.y1) / 2 <= y1)]
    return out


def may_part(row: Sequence[Word]) -> bool:
    """Return whether a row can be a line of several entries: a gap is wide enough for its smallest word."""
    wide = ENTRY_GAP_EM * min([w.size or 1.0 for w in row])
    return any(b.x0 - a.x1 >= wide for a, b in pairwise(row))


def _without_dashes(words: list[Word]) -> tuple[list[Word], list[Segment]]:
    """Return the words without lines of dashes, and those as rules: typewritten tables are ruled so."""
    dashes = [w for w in words if len(w.text) >= 8 and _DASHES.match(w.text) and "." not in w.text]
    if not dashes:
        return words, []
    gone = {id(w) for w in dashes}
    return [w for w in words if id(w) not in gone], [((w.y0 + w.y1) / 2, w.x0, w.x1) for w in dashes]


# ---------------------------------------------------------------- regions between rules


def _ruled_boxes(rules: Sequence[Segment], words: Sequence[Word]) -> list[tuple[float, float, float, float]]:
    """Return x0, x1, y0, y1 of runs of rules of equal extent between which stands what may be a table."""
    rows: list[list[Segment]] = []
    for rule in sorted(rules):
        if rows and rule[0] - rows[-1][-1][0] <= 1.5:
            rows[-1].append(rule)
        else:
            rows.append([rule])
    groups: list[list[Segment]] = []
    for row in rows:
        pieces = sorted((a, b) for _, a, b in row)
        whole = [pieces[0]]
        for a, b in pieces[1:]:
            # The rule below a header may be in pieces, with gaps between groups of columns.
            if a - whole[-1][1] <= 30:
                whole[-1] = (whole[-1][0], max(whole[-1][1], b))
            else:
                whole.append((a, b))
        for a, b in whole:
            if b - a < MIN_RULE_PT:
                continue
            for group in groups:
                if abs(group[-1][1] - a) <= SAME_PT and abs(group[-1][2] - b) <= SAME_PT:
                    group.append((row[0][0], a, b))
                    break
            else:
                groups.append([(row[0][0], a, b)])
    out: list[tuple[float, float, float, float]] = []
    for group in groups:
        run = [group[0]]
        for before, rule in pairwise(group):
            if not _may_be_rows(before, rule, words):
                out += _extent(run)
                run = []
            run.append(rule)
        out += _extent(run)
    return sorted(out, key=lambda b: b[2] - b[3])


def _extent(run: Sequence[Segment]) -> list[tuple[float, float, float, float]]:
    if len(run) < 2:
        return []
    return [(min(a for _, a, _ in run), max(b for _, _, b in run), run[0][0], run[-1][0])]


def _may_be_rows(upper: Segment, lower: Segment, words: Sequence[Word]) -> bool:
    """Return whether rows of one table may stand between two rules: no caption, note or prose, and not nothing."""
    x0, x1 = upper[1] - 3, upper[2] + 3
    inside = [w for w in words if x0 <= (w.x0 + w.x1) / 2 <= x1 and upper[0] < (w.y0 + w.y1) / 2 < lower[0]]
    if not inside:
        return lower[0] - upper[0] <= 4
    lines = text_lines(inside)
    if any(CAPTION.match(t) or _NOTE.match(t) for t in (text_of(line.words) for line in lines)):
        return False
    if max(lines[0].top - upper[0], lower[0] - lines[-1].bottom) > 5 * lines[0].size:
        return False
    return not any(
        len(line.entries) == 1 and len(line.words) >= 8 and line.x1 - line.x0 > 0.75 * (x1 - x0) for line in lines
    )


def _goes_on_below(lines: Sequence[TextLine], box: Box, free: Sequence[Word]) -> bool:
    """Return whether rows go on right below the last rule: then it closes the header of another table."""
    x0, _, x1, y1 = box
    size = lines[-1].size
    below = [w for w in free if x0 - 3 <= _middle(w) <= x1 + 3 and y1 < (w.y0 + w.y1) / 2 < y1 + 3 * size]
    first = text_lines(below)[0] if below else None
    return first is not None and first.top < y1 + 1.2 * size and len(first.entries) > 2


def _with_names_above(
    lines: list[TextLine],
    box: Box,
    free: Sequence[Word],
    rules: Sequence[Segment],
    own: list[Segment],
    *,
    figures_only: bool,
) -> tuple[list[TextLine], list[Segment]]:
    """Return lines and rules of a region with header lines that stand above its first full rule.

    There a rule over some of the columns, or nothing, is the upper edge of the table.

    Args:
        figures_only: whether the rules run over the columns of figures only; a title stands in the middle of a table,
            so that what stands in the middle of these columns is a name over them.
    """
    x0, y0, x1, _ = box
    above = [
        w for w in free if x0 - 3 <= (w.x0 + w.x1) / 2 <= x1 + 3 and y0 - 90 <= w.y1 and (w.y0 + w.y1) / 2 < y0 - 1
    ]
    partial = [
        r
        for r in rules
        if y0 - 90 <= r[0] < y0 - 1.6 and r[1] > x0 - 3 and r[2] < x1 + 3 and r[2] - r[1] < 0.97 * (x1 - x0)
    ]
    names: list[TextLine] = []
    below = y0
    for line in reversed(text_lines(above)):
        if (
            below - line.base > 1.5 * line.size
            or CAPTION.match(text_of(line.words))
            or line.x0 < x0 - 3
            or line.x1 > x1 + 3
        ):
            break
        over_figures = figures_only and abs((line.x0 + line.x1) / 2 - (x0 + x1) / 2) <= line.size
        if (
            len(line.entries) < 2
            and not over_figures
            and (line.x0 < x0 + 0.1 * (x1 - x0) or not any(abs(r[0] - line.base) < 2 * line.size for r in partial))
        ):
            break
        names.insert(0, line)
        below = line.top + 1
    if not names:
        return lines, own
    return [*names, *lines], sorted([*own, *(r for r in partial if r[0] > names[0].top - 3)])


# ---------------------------------------------------------------- regions told by white space


def _runs(lines: Sequence[TextLine]) -> list[list[TextLine]]:
    """Return runs of lines with several entries, with the few lines of one entry between them."""
    out: list[list[TextLine]] = []
    run: list[TextLine] = []
    lead: list[TextLine] = []
    waiting: list[TextLine] = []

    def close() -> None:
        nonlocal run, waiting
        if sum(len(line.entries) > 1 for line in run) >= MIN_LINES:
            out.append([*_leading_names(lead, run), *run, *_trailing(waiting, run)])
        run, waiting = [], []

    before: list[TextLine] = []
    for line in lines:
        last = waiting[-1] if waiting else run[-1] if run else None
        if last is not None and (line.base <= last.base or line.base - last.base > 3.2 * max(line.size, last.size)):
            close()
            before = []
        if len(line.entries) > 1:
            if not run:
                lead = before[-MAX_NAMES:]
            run += [*waiting, line]
            waiting = []
        elif run:
            waiting.append(line)
            # Wrapped text of a column that is not the first may go on for many lines.
            names = sum(one.x0 <= run[-1].x0 + one.size or one.x1 > run[-1].x1 + 4 * one.size for one in waiting)
            if (
                names > MAX_BREAK
                or len(waiting) > MAX_WRAPPED
                or _is_prose(line, run)
                or CAPTION.match(text_of(line.words))
            ):
                close()
        before.append(line)
    close()
    return out


def _leading_names(lead: Sequence[TextLine], run: Sequence[TextLine]) -> list[TextLine]:
    """Return the lines of one entry above a run that can be names over columns: within it, right of its left edge."""
    left, right = min(line.x0 for line in run), max(line.x1 for line in run)
    pitch = median([b.base - a.base for a, b in pairwise(run)])
    out: list[TextLine] = []
    below = run[0]
    for line in reversed(lead):
        near = 0 < below.base - line.base <= max(1.8 * line.size, 1.2 * pitch)
        if not near or len(line.entries) > 1 or CAPTION.match(text_of(line.words)) or len(line.words) > 8:
            break
        if line.x0 <= left + 2 * line.size or line.x1 > right + 2 * line.size:
            break
        out.insert(0, line)
        below = line
    return out


def _trailing(waiting: Sequence[TextLine], run: Sequence[TextLine]) -> list[TextLine]:
    """Return the lines below a run that hold the rest of a cell of its last row: close, not in its first column."""
    left, right = min(line.x0 for line in run), max(line.x1 for line in run)
    out: list[TextLine] = []
    above = run[-1]
    for line in waiting:
        if line.base - above.base > 1.35 * line.size or line.x0 <= left + 2 * line.size or line.x1 > right + line.size:
            break
        out.append(line)
        above = line
    return out


def _is_prose(line: TextLine, run: Sequence[TextLine]) -> bool:
    """Return whether a line of one entry is a line of prose: it is as wide as what stands above it."""
    left, right = min(one.x0 for one in run), max(one.x1 for one in run)
    return len(line.words) >= 7 and line.x1 - line.x0 > 0.75 * (right - left)


def _parts(run: list[TextLine], *, ruled: bool = False) -> list[list[TextLine]]:
    """Return a run in parts where a wide gap is followed by other columns.

    Args:
        ruled: whether the run stands between rules; then a line alone in the middle names a group of rows.
    """
    gaps = [b.base - a.base for a, b in pairwise(run)]
    if len(gaps) < 4:
        return [run]
    # Cells set in the middle of their row have lines half way between those of their neighbours.
    usual = median([gap for gap, line in zip(gaps, run, strict=False) if gap >= 0.9 * line.size] or gaps)
    wide = [i for i in range(len(gaps)) if gaps[i] >= 1.7 * usual]
    together = 0
    for i in sorted(wide, key=lambda i: -gaps[i])[:MAX_PARTINGS]:
        upper, lower = run[: i + 1], run[i + 1 :]
        if min(sum(len(line.entries) > 1 for line in part) for part in (upper, lower)) < 3:
            continue
        if len(lower[0].entries) == 1 and not ruled and not _at_left(lower[0], lower):
            return [*_parts(upper, ruled=ruled), *_parts(lower, ruled=ruled)]
        together = together or len(header_and_columns(run, 0)[1])
        if min(len(header_and_columns(part, 0)[1]) for part in (upper, lower)) > together:
            return [*_parts(upper, ruled=ruled), *_parts(lower, ruled=ruled)]
    return [run]


def _nearest_caption(part: Sequence[TextLine], lines: Sequence[TextLine]) -> str:
    """Return "figure" when the nearest caption is that of a figure: what is set in columns there is its lettering.

    "table" when a table's caption stands right above or below; else "".
    """
    nearest: tuple[float, str] | None = None
    for line in lines:
        text = text_of(line.words)
        if not _ANY_CAPTION.match(text):
            continue
        away = part[0].base - line.base if line.base < part[0].base else line.base - part[-1].base
        if 0 < away <= MAX_CAPTION_PT and (nearest is None or away < nearest[0]):
            nearest = (away, text)
    if nearest is None:
        return ""
    if _FIGURE.match(nearest[1]):
        return "figure"
    return "table" if nearest[0] <= 4 * part[0].size else ""


def _holds_prose(part: Sequence[TextLine]) -> bool:
    """Return whether some entries are as long as lines of prose, line after line: a column of text beside figures."""
    long = [max(len(entry) for entry in line.entries) >= 6 for line in part]
    return sum(a and b for a, b in pairwise(long)) >= max(3, 0.4 * len(part))


def _at_left(line: TextLine, lines: Sequence[TextLine]) -> bool:
    return line.x0 <= min(one.x0 for one in lines) + 2 * line.size


# ---------------------------------------------------------------- is it a table?


def _region(lines: list[TextLine], rules: Sequence[Segment], *, ruled: bool, captioned: bool = False) -> Region | None:
    """Return the region as a table; None when it is prose, a list, a contents list, a form or a drawing."""
    several = sum(len(line.entries) > 1 for line in lines)
    if several < (2 if ruled else MIN_LINES) or (not ruled and sum(has_cells(line) for line in lines) < MIN_LINES):
        return None
    if ruled and several < (0.2 if len(rules) == 3 else 0.4) * len(lines):
        return None
    hinted = _hinted_header(lines, rules) if ruled else None
    _, columns = header_and_columns(lines, hinted)
    if len(columns) < 2:
        return None
    header = header_lines(lines, columns, rules)
    body = lines[header:]
    if not body or is_contents(body, columns) or is_list(body, columns):
        return None
    confidence = confidence_of(body, columns, header, ruled=ruled)
    if captioned and confidence:
        confidence = round(min(confidence + CAPTIONED, 0.95), 2)
    if confidence < LEAST:
        return None
    drafts = drafts_in(lines, columns, header, rules)
    filled = [d for d in drafts if d.words]
    if len({d.place.r0 for d in filled}) < 2 or len({d.place.c0 for d in filled}) < 2:
        return None
    box = (
        columns[0].left,
        min(line.top for line in lines) - 1,
        columns[-1].right,
        max(line.bottom for line in lines) + 1,
    )
    return Region(box, drafts, confidence)


def _hinted_header(lines: Sequence[TextLine], rules: Sequence[Segment]) -> int | None:
    """Return how many lines stand above the second rule over the full width; None when there is none."""
    left, right = min(line.x0 for line in lines), max(line.x1 for line in lines)
    whole = [Column(left, left, left + 0.1 * (right - left), 0), Column(0, right - 0.1 * (right - left), right, right)]
    for y in full_rules(rules, whole):
        above = sum(line.base < y + 1 for line in lines)
        if 0 < above <= max(6, len(lines) // 2) and above < len(lines):
            return above
    return None
