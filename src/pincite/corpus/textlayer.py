"""Whether the text layer of a page says what the page shows. Pure.

``layout.garbled`` knows rubbish when there is much of it. Here: a font map that moves every letter by one number of
places, on pages however short; and pages that are only unlikely, which are to be compared with what OCR reads.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import product

from pincite.corpus.layout import COMMON_WORDS, count_of, known_words

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
    known = known_words(words)
    if len(words) < 5 or known * 8 >= len(words):
        return ""
    found: defaultdict[int, set[str]] = defaultdict(set)
    for word in {word for word in words if 1 < len(word) <= _LONGEST}:
        for first, common in _SHAPES.get(_shape(word), ()):
            found[first - ord(word[0])].add(common)
    for places in range(1, FARTHEST + 1):
        for step in (places, -places):
            # Two different words: a column of bars must not be taken for one word over and over.
            if len(found[step]) < 2:
                continue
            tried = ["".join(chr(max(ord(c) + step, 0)) for c in word) for word in words if len(word) > 1]
            if known_words(tried) >= max(3, len(words) / 8, 3 * known):
                return f"every letter is moved by {places} places (broken font map)"
    return ""


def _shape(word: str) -> tuple[int, ...]:
    """Return how far each letter is from the first: moving all letters by one number keeps it."""
    first = ord(word[0])
    return tuple(ord(c) - first for c in word)


def _shapes() -> dict[tuple[int, ...], list[tuple[int, str]]]:
    """Return the common words of two letters or more, with the code of their first letter, by shape in any case."""
    out: defaultdict[tuple[int, ...], list[tuple[int, str]]] = defaultdict(list)
    for common in sorted(word for word in COMMON_WORDS if len(word) > 1):
        for letters in product(*((c, c.upper()) for c in common)):
            out[_shape("".join(letters))].append((ord(letters[0]), common))
    return dict(out)


_SHAPES = _shapes()
_LONGEST = max(map(len, _SHAPES))


def unlikely(words: Sequence[str], characters: Counter[str] | None = None) -> str:
    """Return why the words do not look like a language, though they may be codes, formulas or a list; else "".

    ``characters`` are those of the words, where they were counted already.
    """
    characters = Counter("".join(words)) if characters is None else characters
    latin = count_of(_LATIN, characters)
    if latin < FEW_LETTERS or latin * 2 < characters.total():
        return ""
    vowels = count_of(_VOWELS, characters)
    if vowels < FEW_VOWELS * latin and known_words(words) * 50 < len(words):
        return f"{vowels} vowels in {latin} letters and hardly a known word"
    return ""


def agrees(layer: Sequence[str], seen: Sequence[str]) -> bool | None:
    """Return whether the text layer holds what OCR has seen; None when too little was seen to tell."""
    held = "".join("".join(filter(str.isalnum, word)).casefold() for word in layer)
    longer = [w for word in seen if len(w := "".join(filter(str.isalnum, word)).casefold()) >= 4]
    if len(longer) < 3:
        return None
    return sum(word in held for word in longer) >= AGREES * len(longer)
