"""Words that are broken at the end of a line: which hyphens only break a word, and which are part of it. Pure.

``text`` of a chunk stays as printed, hyphen and line feed included: spans, boxes and quotations count in it. What is
compared (embedding, words of the index, the gate, the sentence of an answer) is read through ``softened`` and
``unbroken``.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from pincite.types import Chunk, Line

SOFT = "\u00ad"
_HYPHENS = "-\u2010\u00ad"
_BROKEN = re.compile(rf"([^\W\d_]+(?:[-\u2010][^\W\d_]+)*)[{_HYPHENS}]$")
_BEGINS = re.compile(r"[^\W\d_]+(?:[-\u2010][^\W\d_]+)*")
_WORD = re.compile(r"[^\W\d_]+(?:[-\u2010][^\W\d_]+)*(?![-\u2010\u00ad])")
_CONJUNCTIONS = frozenset({"and", "or", "und", "oder", "sowie", "bzw", "en", "of", "et", "ou", "to", "bis", "tot"})
"""After "ein-" in "ein- und ausgehend": the hyphen stands for what follows later."""
_COMPOUNDING = frozenset({"de", "nl"})
"""Languages that write compounds as one word; in the others two known words are more likely joined by a hyphen."""


def known_words(lines: Iterable[Line]) -> frozenset[str]:
    """Return the words of a document that are printed unbroken, in lower case, hyphenated ones whole."""
    found: set[str] = set()
    for line in lines:
        text = line.text.rstrip()
        found.update(word.lower() for word in _WORD.findall(text))
    return frozenset(found)


def only_breaks(before: str, after: str, known: Collection[str], language: str) -> bool:
    """Return whether the hyphen at the end of the line ``before`` goes when the line ``after`` is read on.

    A word that the document prints unbroken decides, as one word or with its hyphen. Otherwise: a capital, a digit or a
    conjunction after the hyphen keeps it ("NL-BE", "ein- und"), and so do, outside German and Dutch, two words that
    both stand in the document ("well-known").

    >>> only_breaks("der Zahlungs-", "verkehr ist", (), "de"), only_breaks("is well-", "known", {"well", "known"}, "en")
    (True, False)
    """
    left, right = _BROKEN.search(before.rstrip()), _BEGINS.match(after.lstrip())
    if left is None or right is None:
        return False
    if before.rstrip().endswith(SOFT):
        return True
    first, second = left[1], right[0]
    if not second[0].islower() or second.lower() in _CONJUNCTIONS or len(first) < 2:
        return False
    # Of "self-as-" only the last part is broken, of "known-plain" only the first one goes on.
    tail, head = re.split(r"[-\u2010]", first)[-1].lower(), re.split(r"[-\u2010]", second)[0].lower()
    whole, hyphened = f"{first}{second}".lower(), f"{first}-{second}".lower()
    if whole in known or f"{tail}{head}" in known:
        return hyphened not in known or whole in known
    if hyphened in known or f"{tail}-{head}" in known:
        return False
    return language in _COMPOUNDING or not (tail in known and head in known)


def softened(chunk: Chunk) -> str:
    """Return the chunk's text with a soft hyphen for each that only breaks a word: as long, so that spans hold."""
    if not chunk.breaks:
        return chunk.text
    letters = list(chunk.text)
    for at in chunk.breaks:
        letters[at] = SOFT
    return "".join(letters)


def unbroken(softened_text: str) -> str:
    """Return a softened text with its broken words in one piece; other line feeds stay."""
    return softened_text.replace(f"{SOFT}\n", "")
