"""What a value of running text is said of, and which of two values a sentence speaks of. Pure.

"Liquid −10 to +110 °C, with seal V −10 to +150 °C": +150 °C is said of seal V (its own item) and, as it has no other
head, of the liquid. A sentence about seal V and +110 °C says all that +110 °C is said of, and more: what it adds is
what +150 °C is said of. So +150 °C is the value of the sentence, however well the other words fit.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, TypeAlias

from pincite.answer.contexts import Prose, Slot
from pincite.answer.words import Word, is_function_word, root
from pincite.quantity import Identifier, Quantity, Value, dimension

Speaks: TypeAlias = Literal["of the first", "of the second", ""]
"""Of which of two values a sentence speaks; empty when its words do not decide."""

_NO_WORDS: frozenset[str] = frozenset()

# ---------------------------------------------------------------- words


def _is_letter_name(text: str, word: Word) -> bool:
    """Say whether a word is a capital that names one of several: "pump A", "revision C"."""
    alone = word.end - word.start == 1 and text[word.start].isupper()
    return alone and bool(re.search(r"[^\W\d_]\s$", text[max(0, word.start - 2) : word.start]))


# ---------------------------------------------------------------- segments

_LIST_LINE = re.compile(r"\n(?=[ \t]*(?:[-–•*]\s|[^\n]{1,20}?(?:\s[-–—]|:)\s))")
"""A line break before a line that begins with what it is about: "05 – do not honour", "Weight: 48 kg"."""
_GOES_ON = re.compile(
    r"\W*(?:it|they|he|she|this|these|hij|zij|ze|dit|deze|er|sie|es|diese\w*|il|elle|ils|elles|celui-ci|celle-ci)\b",
    re.I,
)
"""Words that a sentence begins with whose subject stands in the one before it."""
_TITLE_END = re.compile(r"\n|\s?:\s")
"""What ends a title that is no sentence: "Rules, version of 2020: the limit is …"."""
HEAD_WORDS = 12
"""Words of a first sentence up to which all that follows is about it ("Motor.", "Datasheet, revision C: …")."""


@dataclass(frozen=True, slots=True)
class Scope:
    """What one value is said of, as roots."""

    own: frozenset[str]
    """Words of its own item or clause."""
    shared: frozenset[str]
    """What its item takes from the first of its sentence, or from the sentence before it."""
    head: frozenset[str]
    """What its whole text is about."""


@dataclass(frozen=True, slots=True)
class _Segments:
    of_word: tuple[tuple[int, int, int], ...]
    """Sentence, clause and list line of each word."""
    words: dict[tuple[int, int, int], tuple[int, ...]]
    first: dict[int, tuple[int, int, int]]
    """The first segment of each sentence that holds a value; else its first."""
    roots: tuple[str, ...]
    """Of each word; empty for words that say nothing of what a value is of."""
    goes_on: frozenset[int]
    """Sentences whose subject stands in the one before them."""
    head: frozenset[str]


class _Held:
    """A part by its identity: parts never change and are compared only to themselves."""

    __slots__ = ("part",)

    def __init__(self, part: Prose) -> None:
        self.part = part

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Held) and other.part is self.part

    def __hash__(self) -> int:
        return id(self.part)


@lru_cache(maxsize=1024)
def _segments(held: _Held) -> _Segments:
    part = held.part
    lines = [match.start() for match in _LIST_LINE.finditer(part.text)]
    of_word = tuple(
        (sentence, clause, bisect_right(lines, word.start))
        for word, sentence, clause in zip(part.words, part.sentence_of, part.clause_of, strict=True)
    )
    words: dict[tuple[int, int, int], list[int]] = {}
    first: dict[int, tuple[int, int, int]] = {}
    for index, segment in enumerate(of_word):
        words.setdefault(segment, []).append(index)
        first.setdefault(segment[0], segment)
    roots = _roots(part)
    goes_on = frozenset(
        index for index, unit in enumerate(part.sentences) if index and _GOES_ON.match(part.text, unit.start, unit.end)
    )
    opening = [index for index, sentence in enumerate(part.sentence_of) if sentence == 0]
    title = _TITLE_END.search(part.text)
    if title is not None:
        opening = [index for index in opening if part.words[index].start < title.start()]
    head = frozenset(roots[i] for i in opening if roots[i]) if len(opening) <= HEAD_WORDS else _NO_WORDS
    return _Segments(of_word, {k: tuple(v) for k, v in words.items()}, first, roots, goes_on, head)


def _roots(part: Prose) -> tuple[str, ...]:
    """Return the root of each word; empty for function words and for values with a unit, dates and the like."""
    values: set[int] = set()
    for slot in part.slots:
        if not _names(slot):
            values.update(range(slot.first, slot.last))
    return tuple(
        ""
        if index in values or (is_function_word(word.stem) and not _is_letter_name(part.text, word))
        else root(word.stem)
        for index, word in enumerate(part.words)
    )


_LONGEST_NUMBER = 4
"""Characters of a number that may name one of several: "edition 3", "the version of 2020"."""


def _names(slot: Slot) -> bool:
    """Say whether a value names what others are said of: a part number, an edition, a year."""
    value = slot.value
    bare = isinstance(value, Quantity) and not value.unit and not value.currency

    return isinstance(value, Identifier) or (bare and slot.end - slot.start <= _LONGEST_NUMBER)


def scope(slot: Slot, part: Prose) -> Scope:
    """Return what a value of running text is said of."""
    if not part.words:
        return Scope(_NO_WORDS, _NO_WORDS, _NO_WORDS)
    held = _segments(_Held(part))
    here = held.of_word[min(slot.first, len(part.words) - 1)]
    value = range(slot.first, slot.last)
    own = frozenset(held.roots[i] for i in held.words[here] if i not in value and held.roots[i])
    sentence = here[0]
    shared = set(_of(held, held.words[held.first[sentence]])) if sentence in held.first else set[str]()
    if sentence in held.goes_on:
        shared.update(r for r, s in zip(held.roots, part.sentence_of, strict=True) if s == sentence - 1 and r)
    return Scope(own, frozenset(shared), held.head)


def _of(held: _Segments, words: Collection[int]) -> frozenset[str]:
    return frozenset(held.roots[i] for i in words if held.roots[i])


def said_of(claim: Slot, prose: Prose, clause_of: Sequence[int]) -> frozenset[str]:
    """Return what an answer says of a claim: the roots of its clause and of those beside it that say no like value.

    Without any, those of its sentence: "edition 5 | of the manual … 300 hours" is one clause for 300 hours.
    """
    if not prose.words:
        return _NO_WORDS
    roots = _segments(_Held(prose)).roots
    here = min(claim.first, len(prose.words) - 1)
    sentence = prose.sentence_of[here]
    inside = [i for i, s in enumerate(prose.sentence_of) if s == sentence]
    own = clause_of[here]
    taken = {
        clause_of[slot.first]
        for slot in prose.slots
        if slot.first < len(clause_of) and slot is not claim and _alike(slot.value, claim.value)
    } - {own}
    low = high = own
    while low - 1 >= clause_of[inside[0]] and low - 1 not in taken:
        low -= 1
    while high + 1 <= clause_of[inside[-1]] and high + 1 not in taken:
        high += 1
    said = [i for i in inside if roots[i] and not claim.first <= i < claim.last]
    clause = frozenset(roots[i] for i in said if low <= clause_of[i] <= high)
    return clause or frozenset(roots[i] for i in said)


def _alike(one: Value, other: Value) -> bool:
    """Say whether two values are of one kind, so that each has a clause of its own."""
    if isinstance(one, Quantity) and isinstance(other, Quantity):
        return dimension(one) == dimension(other)
    return type(one) is type(other)


def speaks(said: frozenset[str], one: Scope, other: Scope, *, same_text: bool) -> Speaks:
    """Say of which of two values a sentence speaks that says ``said``.

    It speaks of the one whose scope holds a word of it that the other's has not, when the other's holds none that this
    one's has not. Across texts, what each of them is about counts too.
    """
    ours = said & (one.own if same_text else one.own | one.head)
    theirs = said & (other.own if same_text else other.own | other.head)
    ours_all = one.own | one.shared | (_NO_WORDS if same_text else one.head)
    theirs_all = other.own | other.shared | (_NO_WORDS if same_text else other.head)
    for_one, for_other = bool(ours - theirs_all), bool(theirs - ours_all)
    if for_one == for_other:
        return ""
    return "of the first" if for_one else "of the second"
