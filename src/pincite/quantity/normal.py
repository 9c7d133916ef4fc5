"""A text in one spelling of its characters, with the way back to the original."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Normal:
    """A text in one spelling of characters, with the way back."""

    text: str
    origin: tuple[int, ...] | None
    """For each character of ``text`` the index it came from; None when nothing moved."""
    length: int
    """Of the original."""

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return the half-open span of the original that holds ``[start, end)`` of ``text``."""
        if self.origin is None:
            return start, end
        if end <= start:
            at = self.origin[start] if start < len(self.origin) else self.length
            return at, at
        stop = self.origin[end] if end < len(self.origin) else self.length
        last = self.origin[end - 1]
        # What was dropped after the last kept character (soft hyphens, joiners) stays outside the span.
        return self.origin[start], min(stop, last + 1) if stop > last else last + 1


_SUPERSCRIPT = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻", "0123456789+-")
_FRACTIONS = {
    "½": "1/2",
    "¼": "1/4",
    "¾": "3/4",
    "⅛": "1/8",
    "⅜": "3/8",
    "⅝": "5/8",
    "⅞": "7/8",
    "⅓": "1/3",
    "⅔": "2/3",
}
_DROPPED = frozenset("\u00ad\u200b\u200c\u200d\u2060\ufeff\ufffe")
_REPLACED = {
    "μ": "µ",
    "\u2212": "-",
    "\u2010": "-",
    "\u2011": "-",
    "\u02b9": "'",
    "′": "'",
    "″": '"',
    "”": '"',
    "“": '"',
    "„": '"',
    "’": "'",
    "×": "×",
    "⋅": "·",
    "∙": "·",
    "⁄": "/",
}
_GLUED_STOP = re.compile(r"(?<=[a-z0-9)])\.(?=[A-Z][a-z])")


_RAISED = frozenset("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻")


def _is_exponent(before: str, raised: str) -> bool:
    """Say whether raised digits belong to a unit: m², s⁻¹; anything else raised is a footnote mark."""
    return before[-1:].isalpha() and (raised[0] in "⁻⁺" or (before[-1:] == "m" and raised[0] in "²³"))


def _normal_pieces(text: str) -> tuple[list[str], list[int]]:
    pieces: list[str] = []
    origin: list[int] = []

    def put(piece: str, index: int) -> None:
        pieces.extend(piece)
        origin.extend([index] * len(piece))

    for index, character in enumerate(text):
        if character == "\n" and text[index - 1 : index] == "\u00ad":
            # A word broken over two lines is one word.
            continue
        if character.isascii():
            put(character, index)
        elif character in _DROPPED:
            continue
        elif character in _FRACTIONS:
            put((" " if pieces and pieces[-1].isdigit() else "") + _FRACTIONS[character], index)
        elif character in _RAISED:
            if index and text[index - 1] in _RAISED and pieces:
                if pieces[-1] == " ":
                    continue
            elif re.search(r"(?<!\d)10$|\^$", "".join(pieces[-3:])):
                put("^", index)
            elif not _is_exponent("".join(pieces[-2:]), text[index:]):
                # A footnote mark, not another digit of the value.
                put(" ", index)
                continue
            put(character.translate(_SUPERSCRIPT), index)
        elif character in _REPLACED:
            put(_REPLACED[character], index)
        else:
            put("".join(_REPLACED.get(c, c) for c in unicodedata.normalize("NFKC", character)), index)
    return pieces, origin


def normalise(text: str) -> Normal:
    """Return ``text`` with ligatures, signs, spaces and raised digits in one spelling, and where each came from.

    NFKC but for raised digits (``10⁻³`` keeps its power, ``16¹`` loses its footnote mark); one micro sign, one minus;
    soft hyphens out, with the line break after them; a space after a full stop glued to the next sentence.
    """
    if text.isascii() and not _GLUED_STOP.search(text):
        return Normal(text, None, len(text))
    composed = text
    pieces, origin = _normal_pieces(composed)
    joined = "".join(pieces)
    # A combining mark that PDFs print after its letter is composed with it.
    if any(unicodedata.combining(c) for c in joined):
        pieces, origin = _compose(joined, origin)
        joined = "".join(pieces)
    for match in reversed(list(_GLUED_STOP.finditer(joined))):
        pieces.insert(match.end(), " ")
        origin.insert(match.end(), origin[match.start()])
    return Normal("".join(pieces), tuple(origin), len(text))


def _compose(text: str, origin: list[int]) -> tuple[list[str], list[int]]:
    pieces: list[str] = []
    kept: list[int] = []
    for index, character in enumerate(text):
        if unicodedata.combining(character) and pieces:
            pair = unicodedata.normalize("NFC", pieces[-1] + character)
            if len(pair) == 1:
                pieces[-1] = pair
                continue
        pieces.append(character)
        kept.append(origin[index])
    return pieces, kept
