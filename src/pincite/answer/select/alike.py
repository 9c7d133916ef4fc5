"""What says the same as a word of a question, by the glossary: "koelkast" and "fridge" are a refrigerator."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from pincite.answer.select.words import is_function_word
from pincite.lexicon import LANGUAGES, Sense, senses_in


@dataclass(frozen=True, slots=True)
class Alike:
    """Other words for one word, as the stems of four languages."""

    words: frozenset[str] = frozenset()
    phrases: tuple[frozenset[str], ...] = ()
    """Of several words each: "business day" for "werkdag"."""
    telling: frozenset[str] = frozenset()
    """The longest word of each phrase: where none of them stands, no phrase does."""
    parts: tuple[Alike, ...] = ()
    """What the parts of a compound say: "Kündigungsfrist" is both a notice and a period."""

    @property
    def is_known(self) -> bool:
        """Whether the glossary knows the word, or a part of it."""
        return bool(self.words or self.phrases or self.parts)

    def stands_in(self, words: frozenset[str]) -> bool:
        """Whether a text with these word forms says it: in one word, in a phrase, or in all its parts."""
        if not self.words.isdisjoint(words):
            return True
        if not self.telling.isdisjoint(words) and any(phrase <= words for phrase in self.phrases):
            return True
        return len(self.parts) > 1 and all(part.stands_in(words) for part in self.parts)


NOTHING = Alike()


def alike_in(text: str, language: str) -> dict[int, Alike]:
    """What says the same as the words of a text, by where each begins; the words of a phrase share what it says."""
    found: dict[int, Alike] = {}
    for spotted in senses_in(text, language):
        whole = _alike([sense for sense in spotted.senses if not sense.part])
        pieces = dict.fromkeys(sense.part for sense in spotted.senses if sense.part)
        parts = tuple(_alike([sense for sense in spotted.senses if sense.part == piece]) for piece in pieces)
        alike = replace(whole, parts=parts)
        for start in _starts(text, spotted.start, spotted.end):
            found[start] = alike
    return found


def _alike(senses: Iterable[Sense]) -> Alike:
    every = {(code, stems) for sense in senses for code in LANGUAGES for stems in sense.stems[code]}
    telling = (tuple(s for s in stems if not is_function_word(s, code)) for code, stems in every if len(stems) > 1)
    # What is left of "within the country" is no word for "domestic".
    phrases = {stems for stems in telling if len(stems) > 1}
    return Alike(
        frozenset(stems[0] for _, stems in every if len(stems) == 1),
        tuple(sorted(map(frozenset, phrases), key=sorted)),
        frozenset(max(stems, key=len) for stems in phrases),
    )


def _starts(text: str, start: int, end: int) -> list[int]:
    return [k for k in range(start, end) if text[k].isalnum() and (k == start or not text[k - 1].isalnum())]
