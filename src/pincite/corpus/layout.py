"""Words of a page → lines in reading order; running headers and footers apart. Pure.

Everything here works in an *upright frame*: user space turned so that most words of the page run from left to right.
``turned`` and ``unturned`` convert boxes between user space and the frame: turned about the origin, never moved.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Literal, NamedTuple, TypeAlias

from pincite.types import Box, Line

Turn: TypeAlias = Literal[0, 1, 2, 3]
"""Quarter turns anticlockwise in which text runs: 0 is left to right, 1 bottom to top."""


class Word(NamedTuple):
    """Characters printed without white space between them; coordinates in the frame, in points."""

    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    baseline: float
    size: float
    bold: bool
    turn: Turn = 0
    """Relative to the frame: 0 for nearly all words."""


@dataclass(frozen=True, slots=True)
class PlacedLine:
    """A line and where it stands in the frame of its page; the frame decides about margins, user space is stored."""

    line: Line
    top: float
    """Distance in points from the upper edge of the sheet as people see it to the line's upper edge."""
    height: float
    """Height in points of that sheet as people see it."""
    in_table: bool = False
    askew: bool = False
    """Whether it is printed across the direction of the page's text: a note along the edge."""


def turned(box: Box, turn: int) -> Box:
    """Return ``box`` of user space in the frame of text that runs in ``turn``.

    >>> turned((10.0, 20.0, 30.0, 25.0), 1)
    (20.0, -30.0, 25.0, -10.0)
    """
    x0, y0, x1, y1 = box
    if turn == 1:
        return (y0, -x1, y1, -x0)
    if turn == 2:
        return (-x1, -y1, -x0, -y0)
    if turn == 3:
        return (-y1, x0, -y0, x1)
    return box


def unturned(box: Box, turn: int) -> Box:
    """Return ``box`` of the frame in user space: the inverse of ``turned``."""
    return turned(box, (4 - turn) % 4)


def box_of(words: Iterable[Word]) -> Box:
    """Return the smallest box that holds all words; there must be one."""
    group = list(words)
    return (
        min(w.x0 for w in group),
        min(w.y0 for w in group),
        max(w.x1 for w in group),
        max(w.y1 for w in group),
    )


def rows_of(words: Sequence[Word]) -> list[list[Word]]:
    """Return words on one baseline together, from the top down, each row from left to right.

    Superscripts and subscripts stay with their row: a baseline may differ by half the larger type size.
    """
    rows: list[list[Word]] = []
    base = size = 0.0
    for word in sorted(words, key=lambda w: (-w.baseline, w.x0)):
        if rows and base - word.baseline <= 0.5 * min(size, max(word.size, 1.0)):
            rows[-1].append(word)
            if word.size > size + 1:
                # The larger type carries the line: a footnote mark printed first must not drag the row upwards.
                base, size = word.baseline, word.size
        else:
            rows.append([word])
            base, size = word.baseline, max(word.size, 1.0)
    for row in rows:
        row.sort(key=lambda w: w.x0)
    return rows


def text_of(row: Sequence[Word]) -> str:
    """Return the row's words with one space between those that are printed apart."""
    parts: list[str] = []
    for i, word in enumerate(row):
        if (i and word.x0 - row[i - 1].x1 > 0.12 * min(word.size, row[i - 1].size)) or (
            i and word.x0 < row[i - 1].x0 + 0.1
        ):
            parts.append(" ")
        parts.append(word.text)
    return "".join(parts)


def line_of(row: Sequence[Word], *, page: int, turn: int) -> Line:
    """Return one printed line; type size and weight are those of most of its characters."""
    sizes: Counter[float] = Counter()
    bold = total = 0
    for word in row:
        sizes[round(word.size, 1)] += len(word.text)
        total += len(word.text)
        bold += len(word.text) * word.bold
    size = max(sizes.items(), key=lambda item: (item[1], item[0]))[0]
    return Line(text_of(row), page, unturned(box_of(row), turn), size, bold * 2 > total)


# ---------------------------------------------------------------- columns

MIN_GUTTER_PT = 9.0
"""Narrowest white strip between two columns of prose. IEEE style prints 12 pt, statutes in two columns 14 to 20 pt."""

MIN_COLUMN_ROWS = 6
"""Fewer rows beside each other are a table without rules or a list, which is read row by row."""


def _white(row: Sequence[Word], left: float, right: float) -> list[tuple[float, float]]:
    """Return the strips of at least ``MIN_GUTTER_PT`` in which the row prints nothing, margins included."""
    strips: list[tuple[float, float]] = []
    at = left - MIN_GUTTER_PT
    for word in row:
        if word.x0 - at >= MIN_GUTTER_PT:
            strips.append((at, word.x0))
        at = max(at, word.x1)
    if right + MIN_GUTTER_PT - at >= MIN_GUTTER_PT:
        strips.append((at, right + MIN_GUTTER_PT))
    return strips


def _shared(a: list[tuple[float, float]], b: list[tuple[float, float]]) -> list[tuple[float, float]]:
    return [(max(p, r), min(q, s)) for p, q in a for r, s in b if min(q, s) - max(p, r) >= MIN_GUTTER_PT]


def _gutter(run: Sequence[Sequence[Word]], strips: list[tuple[float, float]], width: float) -> float | None:
    """Return where the run of rows parts into two columns of prose; None when it does not.

    Two columns of a table without rules leave such a strip too: there the parts are short, so both columns must be
    filled with prose: several words a row, and most rows nearly as long as their column.
    """
    for low, high in sorted(strips, key=lambda s: s[0] - s[1]):
        middle = (low + high) / 2
        left = [[w for w in row if w.x1 <= middle] for row in run]
        right = [[w for w in row if w.x0 >= middle] for row in run]
        left, right = [r for r in left if r], [r for r in right if r]
        if min(len(left), len(right)) < MIN_COLUMN_ROWS:
            continue
        filled = True
        for side in (left, right):
            lo, hi = min(r[0].x0 for r in side), max(r[-1].x1 for r in side)
            lengths = [r[-1].x1 - r[0].x0 for r in side]
            words = [len(r) for r in side]
            if hi - lo < 0.2 * width or median(lengths) < 0.7 * (hi - lo) or median(words) < 4:
                filled = False
        if filled:
            return middle
    return None


def in_reading_order(words: Sequence[Word]) -> list[list[Word]]:
    """Return rows in the order people read them: columns of prose one after the other, all else row by row."""
    rows = rows_of(words)
    if len(rows) < MIN_COLUMN_ROWS:
        return rows
    left, right = min(w.x0 for w in words), max(w.x1 for w in words)
    white = [_white(row, left, right) for row in rows]
    out: list[list[Word]] = []
    start = 0
    while start < len(rows):
        # The longest run of rows from here that leave one common strip free.
        strips = white[start]
        end = start + 1
        while end < len(rows):
            common = _shared(strips, white[end])
            interior = [s for s in common if s[0] > left and s[1] < right]
            if not interior:
                break
            strips, end = common, end + 1
        middle = _gutter(rows[start:end], [s for s in strips if s[0] > left and s[1] < right], right - left)
        if middle is None:
            out.append(rows[start])
            start += 1
            continue
        run = [w for row in rows[start:end] for w in row]
        out += in_reading_order([w for w in run if w.x1 <= middle])
        out += in_reading_order([w for w in run if w.x0 >= middle])
        start = end
    return out


# ---------------------------------------------------------------- running headers and footers

MARGIN_SHARE = 0.14
"""Running lines stand in the outer seventh of the sheet."""

_DIGITS = re.compile(r"\d+")
_ROMAN = re.compile(r"\b[ivxlc]+\b", re.IGNORECASE)


def _masked(text: str) -> str:
    return _ROMAN.sub("#", _DIGITS.sub("#", " ".join(text.lower().split())))


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(n[:9]) for n in _DIGITS.findall(text))


SHARED_WORDS = 3
SHARED_LETTERS = 12
"""Words, and letters in them, that a changing header keeps; "Article 12 Scope" keeps fewer."""


def furniture_of(pages: Sequence[Sequence[PlacedLine]]) -> set[int]:
    """Return the ``id`` of every placed line that is a running header or footer.

    A line in the outer margin is one when the same words stand at the same height on three sheets (on both of a
    two-page file). Lines that differ in digits only count when the digits follow the sheets (page numbers): "Article
    12" at the top of one sheet and "Article 13" at the top of the next are body. A header that names the chapter
    changes from sheet to sheet but for its first or last words: those stand at one height on two fifths of the sheets.
    """
    candidates: defaultdict[tuple[str, bool], list[tuple[int, PlacedLine]]] = defaultdict(list)
    for number, lines in enumerate(pages):
        for placed in lines:
            if placed.in_table:
                continue
            share = placed.top / max(placed.height, 1.0)
            if share <= MARGIN_SHARE or share >= 1 - MARGIN_SHARE or placed.askew:
                candidates[_masked(placed.line.text), share < 0.5].append((number, placed))
    enough = 2 if len(pages) == 2 else 3
    found: set[int] = set()
    for (_, at_top), group in candidates.items():
        heights = [p.top if at_top else p.height - p.top for _, p in group]
        for height in {round(h / 3) for h in heights}:
            near = [group[i] for i, h in enumerate(heights) if abs(h - 3 * height) <= 4.5]
            if len({n for n, _ in near}) < enough:
                continue
            texts = Counter(p.line.text for _, p in near)
            steps = Counter(v - n for n, p in near for v in set(_numbers(p.line.text)) if _DIGITS.search(p.line.text))
            follows = {step for step, times in steps.items() if times >= enough and times * 2 >= len(near)}
            for n, p in near:
                numbers = _numbers(p.line.text)
                roman = not numbers and _masked(p.line.text).strip("-–—. |") in {"#", "page #"}
                if texts[p.line.text] >= enough or roman or any(v - n in follows for v in numbers):
                    found.add(id(p))
    return found | _changing_headers(pages, enough)


def _changing_headers(pages: Sequence[Sequence[PlacedLine]], enough: int) -> set[int]:
    shared: defaultdict[tuple[str, str, int], dict[int, int]] = defaultdict(dict)
    for number, lines in enumerate(pages):
        for placed in lines:
            share = placed.top / max(placed.height, 1.0)
            words = _masked(placed.line.text).split()
            if placed.in_table or MARGIN_SHARE < share < 1 - MARGIN_SHARE or len(words) <= SHARED_WORDS:
                continue
            for end, key in (("first", words[:SHARED_WORDS]), ("last", words[-SHARED_WORDS:])):
                if sum(len(word) for word in key if word != "#") >= SHARED_LETTERS and "#" not in key:
                    shared[end, " ".join(key), round(placed.top / 3)][number] = id(placed)
    wanted = max(enough, 0.4 * len(pages))
    return {found for on_sheets in shared.values() if len(on_sheets) >= wanted for found in on_sheets.values()}


# ---------------------------------------------------------------- is it text at all?

_ODD = re.compile(r"[\x00-\x1f\x7f-\x9f\ue000-\uf8ff\ufffd]")
_PLAIN = re.compile(r"[^\W_]|[.,;:()\-–/%€$§•·_…|]")
_LETTERS = re.compile(r"[^\W\d_]")
_LATIN = re.compile(r"[A-Za-zÀ-ɏ]")
_VOWELS = re.compile(r"[aeiouyàáâäæèéêëìíîïòóôöøùúûüœAEIOUYÀÁÂÄÆÈÉÊËÌÍÎÏÒÓÔÖØÙÚÛÜŒ]")
_COMMON_WORDS = """
the of and to in is for with on by de het een van en der die das und zu den mit le la les et des est du el los
las y que il di e che per os da do um uma och att det som og af på
"""
_COMMON = frozenset(_COMMON_WORDS.split())


def garbled(words: Sequence[str]) -> str:
    """Return why the words of a page are rubbish, or "" when they read as text.

    Catches what a broken font map copies as: replacement, private-use and control characters, mostly punctuation, or
    letters moved along the alphabet. A page of codes and figures is not rubbish: letters alone are judged, and only
    when there are many and none of the commonest words of eight languages.
    """
    text = "".join(words)
    if not text:
        return ""
    odd = len(_ODD.findall(text))
    if odd > 0.3 * len(text):
        return f"{odd} of {len(text)} characters have no meaning (broken font map)"
    plain = len(_PLAIN.findall(text))
    if len(text) > 80 and plain < 0.55 * len(text):
        return f"only {plain} of {len(text)} characters are letters, digits or common signs (broken font map)"
    latin = len(_LATIN.findall(text))
    if latin > 250 and latin > 0.5 * len(_LETTERS.findall(text)):
        vowels = len(_VOWELS.findall(text))
        known = sum(1 for w in words if w.lower().strip(".,;:()") in _COMMON)
        if vowels < 0.27 * latin and known * 50 < len(words):
            return f"{vowels} vowels in {latin} letters and hardly a known word (broken font map)"
    return ""
