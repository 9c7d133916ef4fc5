"""An answer in another language than its passages, said in their words as far as the glossary knows them. Pure.

"De kosten van een terugbetaling zijn £ 415" over "The fee for a refund is £415" is judged as "De fee van een refund
zijn £ 415": what it says of its figures can then be held against what the passage says. Words that the glossary does
not know, or whose translation stands in no passage, stay as they are and count as missing. Figures are not touched.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from pincite.answer.contexts import Prepared
from pincite.answer.statements import content
from pincite.answer.words import is_function_word, kin
from pincite.lexicon import LANGUAGES, Sense, senses_in, stem
from pincite.quantity import read


@dataclass(frozen=True, slots=True)
class Translated:
    """A text with words replaced, and where each piece of it stands in the original."""

    text: str
    starts: tuple[int, ...]
    """Where each piece begins in ``text``."""
    pieces: tuple[tuple[int, int, bool], ...]
    """Span of each piece in the original, and whether it was replaced."""

    def original(self, start: int, end: int) -> tuple[int, int]:
        """Return the span of the original that a span of the text stands for; replaced words are taken whole."""
        return self._at(start, end=False), self._at(end, end=True)

    def _at(self, at: int, *, end: bool) -> int:
        if not self.pieces:
            return 0
        index = max(0, bisect_right(self.starts, at - 1 if end and at else at) - 1)
        first, last, replaced = self.pieces[index]
        if replaced:
            return last if end else first
        return min(last, first + at - self.starts[index])


SAME_LANGUAGE = 0.5
"""Share of an answer's content words in the passages from which their language is the answer's, whatever it is called:
a few words of a table are soon taken for another one."""


def passage_language(answer: str, contexts: Sequence[Prepared], language: str) -> str:
    """Return the language of the contexts when it is one, known, and not that of the answer; else nothing."""
    found = {context.language for context in contexts if context.language}
    [other] = found if len(found) == 1 else {""}
    if not {language, other} <= set(LANGUAGES) or other == language:
        return ""
    held = _held(contexts)
    words = [word for word in content(answer, other) if not word[0].isdigit()]
    return "" if sum(word in held for word in words) > SAME_LANGUAGE * len(words) else other


def translated(answer: str, language: str, contexts: Sequence[Prepared], other: str) -> Translated:
    """Return the answer with each word that the glossary knows as a word of the contexts."""
    held = _held(contexts)
    out: list[str] = []
    starts: list[int] = []
    pieces: list[tuple[int, int, bool]] = []
    at = length = 0

    def add(text: str, start: int, end: int, *, replaced: bool) -> None:
        nonlocal length
        if start < end:
            out.append(text)
            starts.append(length)
            pieces.append((start, end, replaced))
            length += len(text)

    values = [(found.start, found.end) for found in read(answer, language)]
    for spotted in senses_in(answer, language):
        if any(start < spotted.end and spotted.start < end for start, end in values):
            continue
        said = _said(spotted.senses, other, held)
        if said:
            add(answer[at : spotted.start], at, spotted.start, replaced=False)
            add(said, spotted.start, spotted.end, replaced=True)
            at = spotted.end
    add(answer[at:], at, len(answer), replaced=False)
    return Translated("".join(out), tuple(starts), tuple(pieces))


def _held(contexts: Sequence[Prepared]) -> frozenset[str]:
    return frozenset[str]().union(*(part.vocabulary for context in contexts for part in context.parts))


def is_understood(sentence: str, contexts: Sequence[Prepared], other: str) -> bool:
    """Say whether every content word of a translated sentence is one of the passages."""
    held = _held(contexts)
    return all(word[0].isdigit() or word in held or bool(kin(word, held)) for word in content(sentence, other))


def _said(senses: Sequence[Sense], other: str, held: frozenset[str]) -> str:
    """Return the words of the passages for what was spotted: of each part of a compound those that stand there."""
    parts: dict[str, str] = {}
    for sense in senses:
        if sense.part in parts:
            continue
        for printed in sense.words.get(other, ()):
            stems = next((stems for stems in sense.stems[other] if _is_of(stems, printed, other)), ())
            if stems and all(stem in held or is_function_word(stem) for stem in stems):
                parts[sense.part] = printed
                break
    return " ".join(parts.values())


def _is_of(stems: tuple[str, ...], printed: str, language: str) -> bool:
    return stems == tuple(stem(word, language) for word in printed.replace("-", " ").split())
