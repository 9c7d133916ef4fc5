"""Whether the text layer of a page says what the page shows. Pure.

``layout.garbled`` knows rubbish when there is much of it. Here: a font map that moves every letter by one number of
places, on pages however short; and pages that are only unlikely, which are to be compared with what OCR reads.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from pincite.corpus.layout import COMMON_WORDS

FEW_LETTERS = 40
"""From which the share of vowels says anything; ``layout.garbled`` is sure from 250."""
FEW_VOWELS = 0.27
"""Share below which letters are unlikely to be a language with the words of ``COMMON_WORDS``; English has .40."""
FARTHEST = 40
"""Places by which a map is tried. Glyph numbers taken for characters move Latin letters by 29 or 31."""
AGREES = 0.5
"""Share of the longer words read by OCR that the text layer must hold. Right layers hold 90 % of a clean scan's, about
60 % of a bad one's; broken maps none."""

_LATIN = re.compile(r"[A-Za-zÀ-ɏ]")
_VOWELS = re.compile(r"[aeiouyàáâäæèéêëìíîïòóôöøùúûüœ]", re.IGNORECASE)


def moved(words: Sequence[str]) -> str:
    """Return why the words are rubbish if moving every character by one number makes them a language; else "".

    >>> moved("7KH JXDUDQWHH ODVWV IRU PRQWKV DIWHU GHOLYHU\\\\ WR WKH ILUVW RZQHU".split())
    'every letter is moved by 29 places (broken font map)'
    """
    known = _known(words)
    if len(words) < 5 or known * 8 >= len(words):
        return ""
    for places in range(1, FARTHEST + 1):
        for step in (places, -places):
            tried = ["".join(chr(max(ord(c) + step, 0)) for c in word) for word in words if len(word) > 1]
            # Two different words: a column of bars must not be taken for one word over and over.
            different = len({word.lower() for word in tried} & COMMON_WORDS)
            if different > 1 and _known(tried) >= max(3, len(words) / 8, 3 * known):
                return f"every letter is moved by {places} places (broken font map)"
    return ""


def unlikely(words: Sequence[str]) -> str:
    """Return why the words do not look like a language, though they may be codes, formulas or a list; else ""."""
    text = "".join(words)
    latin = len(_LATIN.findall(text))
    if latin < FEW_LETTERS or latin * 2 < len(text) or _known(words) * 50 >= len(words):
        return ""
    vowels = len(_VOWELS.findall(text))
    if vowels < FEW_VOWELS * latin:
        return f"{vowels} vowels in {latin} letters and hardly a known word"
    return ""


def agrees(layer: Sequence[str], seen: Sequence[str]) -> bool | None:
    """Return whether the text layer holds what OCR has seen; None when too little was seen to tell."""
    held = "".join("".join(filter(str.isalnum, word)).casefold() for word in layer)
    longer = [w for word in seen if len(w := "".join(filter(str.isalnum, word)).casefold()) >= 4]
    if len(longer) < 3:
        return None
    return sum(word in held for word in longer) >= AGREES * len(longer)


def _known(words: Sequence[str]) -> int:
    return sum(word.lower().strip(".,;:()") in COMMON_WORDS for word in words)
