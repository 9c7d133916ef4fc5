"""What a sentence adds to its values: clauses that hold none, each of which needs support of its own. Pure.

"The fee is EUR 18.50 and the issuer must pass it on to the cardholder": that EUR 18.50 stands in the passage says
nothing of who passes it on.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pincite.answer.claims import Sentence
from pincite.answer.contexts import Prepared, Slot
from pincite.answer.statements import Support, content, is_framing, statement_support

LEAST_WORDS = 2
"""Content words from which a piece between two breaks says something: "banks, shops and other members" lists."""
CARRIED = 0.7
"""Support of a clause from which it passes, as for a sentence without values."""

_BREAK = re.compile(
    r"(?<=[^\W\d_]),\s|(?<=[\d%)]),\s|;\s|\s[–—]\s"
    r"|\s(?:and|but|while|whereas|en|maar|terwijl|und|aber|sowie|während|et|mais|tandis que)\s",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Addition:
    """A clause without a value; half-open span in the sentence's text."""

    start: int
    end: int
    support: Support


def _pieces(text: str, start: int, end: int, first: int, language: str) -> list[tuple[int, int]]:
    cuts = [start]
    for match in _BREAK.finditer(text, start, end):
        comma = text[match.start()] == ","
        if (match.end() <= first and comma) or (language == "fr" and match.group().strip().lower() == "en"):
            continue
        cuts += [match.start() + (comma), match.end()]
    cuts.append(end)
    return [(a, b) for a, b in zip(cuts[::2], cuts[1::2], strict=True) if text[a:b].strip()]


def unsupported_addition(
    text: str, sentence: Sentence, slots: Sequence[Slot], contexts: Sequence[Prepared], language: str
) -> Addition | None:
    """Return the first clause of a sentence with values that holds none and that no passage carries, or None.

    Before the first value a comma ends no clause: "for a late delivery, the penalty is 5 %" is said of the penalty.

    """
    first = min(slot.start for slot in slots)
    for start, end in _pieces(text, sentence.start, sentence.end, first, language):
        if any(slot.start < end and start < slot.end for slot in slots):
            continue
        piece = text[start:end].strip(" ,;.")
        if len(content(piece, language)) < LEAST_WORDS or is_framing(piece, sentence.kind, language):
            continue
        support = statement_support(piece, contexts, language, under=text[sentence.start : sentence.end])
        if support.confidence < CARRIED:
            return Addition(start, end, support)
    return None
