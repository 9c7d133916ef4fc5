"""Words of a page → lines in reading order; running headers and footers apart. Pure.

Everything here works in an *upright frame*: user space turned so that most words of the page run from left to right.
``turned`` and ``unturned`` convert boxes between user space and the frame: turned about the origin, never moved.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise, repeat
from operator import attrgetter, itemgetter
from typing import Any, Literal, NamedTuple, TypeAlias

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
    italic: bool = False
    colour: int = 0
    """0xRRGGBB of its first character."""


_new: Callable[[type[Word], tuple[Any, ...]], Word] = attrgetter("__new__")(tuple)
# Any: the fields of a Word, in their order.


def words_made(fields: Iterable[tuple[Any, ...]]) -> list[Word]:
    """Return words of their fields, all of them and in order: ``Word._make`` without its check, in a third of the time.

    Every page comes here several times with all its words.
    """
    return list(map(_new, repeat(Word), fields))


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
    marks: tuple[tuple[str, int], ...] = ()
    """Raised marks with their offsets in the text: they lead to footnotes, or are exponents."""


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
    _, x0, y0, x1, y1, *_ = zip(*words, strict=True)
    return (min(x0), min(y0), max(x1), max(y1))


def rows_of(words: Sequence[Word]) -> list[list[Word]]:
    """Return words on one baseline together, from the top down, each row from left to right.

    A baseline may differ by half the smaller type size. Superscripts and subscripts are set further off, but in smaller
    type and right beside what they belong to: they stay with its row.
    """
    rows: list[list[Word]] = []
    marks: list[tuple[float, float]] = []
    row: list[Word] = []
    base = size = 0.0
    for word in sorted(words, key=_top_down):
        baseline, own = word.baseline, word.size if word.size > 1.0 else 1.0
        if row and base - baseline <= 0.5 * (size if size < own else own):
            row.append(word)
            if own > size + 1:
                # The larger type carries the line: a footnote mark printed first must not drag the row upwards.
                base, size = baseline, own
                marks[-1] = (base, size)
        else:
            row = [word]
            rows.append(row)
            base, size = baseline, own
            marks.append((base, size))
    for row in rows:
        # What begins at one place keeps the order of ``_top_down``.
        row.sort(key=_x0)
    return _with_raised(rows, marks)


def _top_down(word: Word) -> tuple[float, float, str]:
    return (-word.baseline, word.x0, word.text)


_x0 = itemgetter(1)


def _left_to_right(word: Word) -> tuple[float, float, str]:
    return (word.x0, -word.baseline, word.text)


def _with_raised(rows: list[list[Word]], marks: list[tuple[float, float]]) -> list[list[Word]]:
    """Return the rows with those that hold nothing but raised or lowered signs put into the row they belong to.

    ``marks``: baseline and type size of each row.
    """
    home: dict[int, int] = {}
    for i, (base, size) in enumerate(marks):
        # A raised sign stands within the height of the type it belongs to, a lowered one hangs a little below.
        for j, reach in ((i + 1, 0.75), (i - 1, 0.45)):
            if not 0 <= j < len(rows):
                continue
            other_base, other_size = marks[j]
            near = size < other_size and abs(base - other_base) <= reach * other_size
            if near and j not in home and all(_is_beside(w, rows[j], reach) for w in rows[i]):
                home[i] = j
                break
    if not home:
        return rows
    for i, j in home.items():
        rows[j] += rows[i]
        rows[j].sort(key=_left_to_right)
    return [row for i, row in enumerate(rows) if i not in home]


def _is_beside(word: Word, row: Sequence[Word], reach: float) -> bool:
    """Return whether a word stands right beside one of the row in larger type, its baseline within ``reach`` of it."""
    for k, other in enumerate(row):
        gap = max(word.x0 - other.x1, other.x0 - word.x1)
        # The mark of a footnote may stand a tab before its text.
        before_all = k == 0 and word.x1 <= other.x0
        if (
            word.size <= 0.8 * other.size
            and -0.2 * word.size <= gap <= (2.5 * other.size if before_all else 0.4 * word.size)
            and abs(word.baseline - other.baseline) <= reach * other.size
        ):
            return True
    return False


def text_of(row: Sequence[Word]) -> str:
    """Return the row's words with one space between those that are printed apart."""
    if not row:
        return ""
    parts = [row[0].text]
    for last, word in pairwise(row):
        gap, size, other = word.x0 - last.x1, word.size, last.size
        apart = gap > 0.12 * (size if size < other else other) or word.x0 < last.x0 + 0.1
        if apart and not (len(last.text) == 1 and _is_initial(last, word)):
            parts.append(" ")
        parts.append(word.text)
    return "".join(parts)


_AFTER_A_OR_I = frozenset(["s", "t", "n", "nd", "ll", "ny", "fter", "lthough", "f", "ts"])
"""How words go on that begin with A or I; these two letters are words too."""


def offsets_of(row: Sequence[Word]) -> list[int]:
    """Return where each word of the row begins in ``text_of(row)``."""
    starts: list[int] = []
    for i, word in enumerate(row):
        starts.append(len(text_of(row[: i + 1])) - len(word.text))
    return starts


def raised_marks(row: Sequence[Word], size: float) -> tuple[tuple[str, int], ...]:
    """Return the small raised words of a line of ``size`` points as (text, offset): what may be a footnote mark."""
    if all(word.size > 0.8 * size for word in row):
        return ()
    base = min((word.baseline for word in row if word.size > 0.8 * size), default=row[0].baseline)
    return tuple(
        (word.text, at)
        for word, at in zip(row, offsets_of(row), strict=True)
        if word.size <= 0.8 * size and word.baseline > base + 0.15 * size and _RAISED_MARK.match(word.text)
    )


_RAISED_MARK = re.compile(r"^\(?([*†‡§¶]{1,3}|\d{1,3}|[a-z])[).,]?$")


def _is_initial(initial: Word, word: Word) -> bool:
    """Return whether one letter over several lines begins this word: "O" and "ver" are "Over"."""
    if initial.y1 - initial.y0 < 1.5 * word.size or not word.text[:1].islower():
        return False
    near = word.x0 - initial.x1 < 0.7 * word.size
    return near and (initial.text not in "AI" or word.text in _AFTER_A_OR_I)


def line_of(row: Sequence[Word], *, page: int, turn: int) -> Line:
    """Return one printed line; type size, weight, slope and colour are those of most of its characters."""
    sizes: defaultdict[float, int] = defaultdict(int)
    colours: defaultdict[int, int] = defaultdict(int)
    bold = italic = total = 0
    for word in row:
        count = len(word.text)
        sizes[word.size] += count
        colours[word.colour] += count
        total += count
        if word.bold:
            bold += count
        if word.italic:
            italic += count
    if len(sizes) > 1:
        rounded: defaultdict[float, int] = defaultdict(int)
        for exact, count in sizes.items():
            rounded[round(exact, 1)] += count
        _, size = max((count, size) for size, count in rounded.items())
    else:
        size = round(row[0].size, 1)
    colour = max(colours, key=colours.__getitem__)
    return Line(text_of(row), page, unturned(box_of(row), turn), size, bold * 2 > total, italic * 2 > total, colour)


# ---------------------------------------------------------------- is it text at all?

_ODD = re.compile(r"[\x00-\x1f\x7f-\x9f\ue000-\uf8ff\ufffd]")
_PLAIN = re.compile(r"[^\W_]|[.,;:()\-–/%€$§•·_…|]")
_LETTERS = re.compile(r"[^\W\d_]")
_LATIN = re.compile(r"[A-Za-zÀ-ɏ]")
_VOWELS = re.compile(r"[aeiouyàáâäæèéêëìíîïòóôöøùúûüœAEIOUYÀÁÂÄÆÈÉÊËÌÍÎÏÒÓÔÖØÙÚÛÜŒ]")
_COMMONEST = """
the of and to in is for with on by de het een van en der die das und zu den mit le la les et des est du el los
las y que il di e che per os da do um uma och att det som og af på
"""
COMMON_WORDS = frozenset(_COMMONEST.split())
"""The commonest words of eight languages, in small letters."""


def garbled(words: Sequence[str], characters: Counter[str] | None = None) -> str:
    """Return why the words of a page are rubbish, or "" when they read as text.

    Catches what a broken font map copies as: replacement, private-use and control characters, mostly punctuation, or
    letters moved along the alphabet. A page of codes and figures is not rubbish: letters alone are judged, and only
    when there are many and none of the commonest words of eight languages. ``characters`` are those of the words, where
    they were counted already.
    """
    characters = Counter("".join(words)) if characters is None else characters
    total = characters.total()
    if not total:
        return ""
    odd = count_of(_ODD, characters)
    if odd > 0.3 * total:
        return f"{odd} of {total} characters have no meaning (broken font map)"
    if total > 80 and (plain := count_of(_PLAIN, characters)) < 0.55 * total:
        return f"only {plain} of {total} characters are letters, digits or common signs (broken font map)"
    latin = count_of(_LATIN, characters)
    if latin > 250 and latin > 0.5 * count_of(_LETTERS, characters):
        vowels = count_of(_VOWELS, characters)
        # Tables of abbreviations have a quarter; between the two ``textlayer.unlikely`` asks OCR before it judges.
        if vowels < 0.2 * latin and known_words(words) * 50 < len(words):
            return f"{vowels} vowels in {latin} letters and hardly a known word (broken font map)"
    return ""


def count_of(kind: re.Pattern[str], characters: Counter[str]) -> int:
    """Return how many of the characters are of a kind."""
    return sum(times for character, times in characters.items() if kind.match(character))


def known_words(words: Sequence[str]) -> int:
    """Return how many of the words are among ``COMMON_WORDS``, signs around them and capitals aside."""
    return sum(word.lower().strip(".,;:()") in COMMON_WORDS for word in words)
