"""Raised and lowered digits of a word → the Unicode signs for them: m³, H₂SO₄, 10⁻³, supplement². Pure.

A page prints the mark of a footnote, a power and a digit of a number with the same ten glyphs and tells them apart by
height. Plain text that forgets the height says another number: "56B" with the mark 37 is no "56B37" (docs/adr/0014).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import Literal

from pincite.corpus.layout import Word

RAISED_EM = 0.2
"""From this height over the baseline on a digit's foot is raised. Of 170 rulebook and datasheet pages, real marks stand
at .27 to .50 and no other digit over .05."""
LOWERED_EM = 0.06
"""So far below the baseline a lowered digit hangs, its head under ``LOW_EM``: digits in the old style hang too, but
those that do are ``SMALL_EM`` and more from foot to head."""
LOW_EM = 0.5
SMALL_EM = 0.56
"""Digits are .64 to .73 high at full size, raised and lowered ones .4 to .52."""
FAR_EM = 1.0
"""Beyond it a digit stands on another line."""
SMALLER = 0.85
"""Largest size of a mark that is a word of its own, as a share of its neighbour's."""

_DIGITS = "0123456789"
_UP = str.maketrans(_DIGITS + "+-−–", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻")
_DOWN = str.maketrans(_DIGITS, "₀₁₂₃₄₅₆₇₈₉")
_FRACTIONS = {unicodedata.normalize("NFKC", sign).replace("⁄", "/"): sign for sign in "½⅓¼⅕⅙⅐⅛⅑⅒⅔⅖¾⅗⅜⅘⅚⅝⅞"}

_Height = Literal["", "up", "down"]


def height_of(character: str, foot: float, head: float) -> _Height:
    """Return whether a character with its foot and head so high over the baseline, in em, is raised or lowered.

    Only digits are: other signs are high or low by nature, and letters read the same ("1st").
    """
    if character not in _DIGITS:
        return ""
    if foot >= RAISED_EM and head <= FAR_EM + RAISED_EM and head - foot < SMALL_EM:
        return "up"
    if -FAR_EM < foot <= -LOWERED_EM and head < LOW_EM and head - foot < SMALL_EM:
        return "down"
    return ""


def with_heights(text: str, feet: Sequence[float], heads: Sequence[float], small: Sequence[bool]) -> str:
    """Return a word with its raised and lowered digits as Unicode has them; all sequences have its length.

    ``small`` says of each character whether it is set smaller than the word: a sign before a raised digit is raised
    with it then. Digits, a stroke and digits that are small all are one fraction and stay on the line: 2½, 5/16.

    >>> with_heights("m3/h", [0, 0.3, 0, 0], [0.5, 0.7, 0.7, 0.7], [False, True, False, False])
    'm³/h'
    """
    heights = [height_of(c, foot, head) for c, foot, head in zip(text, feet, heads, strict=True)]
    little = [
        c in _DIGITS and (bool(height) or head - foot < SMALL_EM)
        for c, height, foot, head in zip(text, heights, feet, heads, strict=True)
    ]
    out: list[str] = []
    k = 0
    while k < len(text):
        fraction = _fraction_at(text, k, heights, little)
        if fraction:
            said = _FRACTIONS.get(text[k:fraction].replace("⁄", "/"))
            # 2 and 5/16 are not 25/16.
            out.append(said or (" " if k and text[k - 1] in _DIGITS else "") + text[k:fraction])
            k = fraction
            continue
        signed = text[k] in "+-−–" and k > 0 and small[k] and heights[k + 1 : k + 2] == ["up"]
        out.append(
            text[k].translate(_UP)
            if signed or heights[k] == "up"
            else text[k].translate(_DOWN)
            if heights[k] == "down"
            else text[k]
        )
        k += 1
    return "".join(out)


def _fraction_at(text: str, start: int, heights: Sequence[str], little: Sequence[bool]) -> int:
    """Return the end of the fraction that begins at ``start``; 0 where none does."""
    if heights[start] != "up" or (start and heights[start - 1] == "up"):
        return 0
    stroke = next((k for k in range(start, len(text)) if heights[k] != "up"), len(text))
    if text[stroke : stroke + 1] not in ("/", "⁄"):
        return 0
    end = next((k for k in range(stroke + 1, len(text)) if not little[k] or heights[k] == "up"), len(text))
    return end if end > stroke + 1 else 0


_MARK = re.compile(r"[(\[]?[+\-−–]?\d{1,3}(?:[,;]\d{1,3})*[)\]]?[.,;:]?")


def marks_beside(words: Sequence[Word]) -> Iterator[tuple[int, Word]]:
    """Yield the words, by place, that are a mark raised beside the last or the next word, or lowered behind the last.

    Their text says the height then, and their baseline is that of the word they stand beside.

    ``words`` stand in the order of the file, in user space.
    """
    for k, word in enumerate(words):
        # Most words are none, so this is asked in the cheapest way first.
        text, turn = word.text, word.turn
        if not (text[-1].isdecimal() or text[0].isdecimal()) or not _MARK.fullmatch(text):
            continue
        for other, behind in ((k - 1, True), (k + 1, False)):
            if not 0 <= other < len(words) or words[other].turn != turn or word.size >= SMALLER * words[other].size:
                continue
            size = words[other].size
            rise = (word.baseline - words[other].baseline) / size
            (start, end), (other_start, other_end) = _along(word, turn), _along(words[other], turn)
            gap = (start - other_end if behind else other_start - end) / size
            if 0.15 <= rise <= 0.8 and -0.2 <= gap <= (0.6 if behind else 1.2):
                yield k, word._replace(text=word.text.translate(_UP), baseline=words[other].baseline)
                break
            if behind and -0.5 <= rise <= -LOWERED_EM and -0.2 <= gap <= 0.3:
                yield k, word._replace(text=word.text.translate(_DOWN), baseline=words[other].baseline)
                break


def _along(word: Word, turn: int) -> tuple[float, float]:
    """Return where a word starts and ends in its direction of writing."""
    return ((word.x0, word.x1), (word.y0, word.y1), (-word.x1, -word.x0), (-word.y1, -word.y0))[turn]
