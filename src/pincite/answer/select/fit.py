"""How well each piece fits a question, by its words, its values and where it stands."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from pincite.answer.select.question import Question, Term
from pincite.answer.select.units import Cut, Unit
from pincite.answer.select.values import MODAL, counted, counts, is_of_like_size, kinds_in, values_of
from pincite.answer.select.words import normalise, words_in

# Where a term of the question stands, and how much that counts for the piece (notes-gate.md; measured there).
OWN = 1.0
COLUMN_TITLE = 0.9
OTHER_CELL = 0.8
LEAD_IN = 0.8
TITLE = 0.75
SECTION = 0.6
NEXT = 0.55
NEXT_BUT_ONE = 0.42
PASSAGE = 0.3
OTHER_ROW = 0.1
"""A word that only another row of the table has names another thing."""
COMPOUND = 0.7
"""A part of a Dutch or German compound counts this share of the whole word."""
ALIKE, IN_PARTS = 0.9, 0.5
"""What says the same in other words counts this share of the word itself; less where a compound is said in its parts,
for they may stand far apart."""

OWN_BONUS = 0.10
TYPE_BONUS = 0.30
RANK_BONUS = 0.35
RANK_STEP = 0.05
"""The first passage gets the whole rank bonus, each further one this share less: BM25's own scores fall about as fast,
and ranks are all that fused rankings share."""
MISSING_CRITICAL = 0.6
SIBLING = 0.25
CONTENTS_LINE = 0.5
TOO_SHORT = 0.25
HEADING = 0.5
EXAMPLE = 0.15
"""An example shows the rule at work with amounts of its own; the rule itself is the answer."""
FRAGMENT = 0.25
"""What begins in lower case lost its beginning where the page was read: who does it, or that nobody does."""
RANGE_BONUS = 0.2
DEFINITION_BONUS = 0.2
LABEL_PRECISION = 0.10
LABEL_IDENTITY = 0.35
"""The row whose first cell is the very code that was asked for defines it."""
ROW_CONTRAST = 0.15
MOST_CONTRAST = 0.45
"""Off a row for each word of the question that another row has and this one lacks ("cross-border"); half where the
section or title has it."""
SAME_LANGUAGE = 0.10
"""Between equal answers in two languages, the reader's own."""


_IDENTIFIER = re.compile(r"(?<!\w)(?=[\w./-]*\d)(?=[\w./-]*(?:[A-Za-z]|\d[-/]\d))[A-Za-z0-9]+(?:[-./][A-Za-z0-9]+)*")
REFERENCE = re.compile(
    r"(?<!\w)(?:Sections?|Sec\.|Articles?|Artikels?|Art\.|Annex|Anhang|Anlage|Bijlage|Annexe|Appendix|Chapter|"
    r"Hoofdstuk|"
    r"Kapitel|Chapitre|Tables?|Tabel|Tabelle|Tableau)\s(?:\d+(?:\.\d+)*[a-z]?|[IVX]+\b|[A-Z]\b(?:\.\d+)*)"
    r"|§§?\s?\d+(?:\.\d+)*[a-z]?",
    re.IGNORECASE,
)
"""A place that a text points at."""
_POINTS = re.compile(
    r"\b(?:(?:is|are) (?:that|those) of|(?:is|zijn) die van|(?:ist|sind) d(?:er|ie|as) |see|described|specified|"
    r"set (?:out|forth)|given|listed|found|laid down|in accordance with|according to|zie|"
    r"volgens|overeenkomstig|voldoen aan|vermeld|opgenomen|beschreven|siehe|nach|gemäß|aufgeführt|festgelegt|voir|"
    r"selon|"
    r"conformément|décrit\w*|prévu\w*)\b[^.;]{0,40}?(?:" + REFERENCE.pattern + r")"
    r"|(?:" + REFERENCE.pattern + r")[^.;]{0,20}\b(?:applies|gives|sets|geldt|gilt|s'applique)\b",
    re.IGNORECASE,
)
"""A sentence that says where something stands; "as referred to in Article 37" only says of what it speaks."""
RANGE_WORD = re.compile(
    r"\b(?:between|from|range|minimum|tussen|van|bereik|zwischen|von|bereich|entre|de|plage)\b|\d\s*(?:-|–|to|"
    r"tot|bis|à|\.\.\.?|…)\s*[+-]?\d",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Scored:
    """A piece with its fit to one question."""

    unit: Unit
    cut: int
    """0-based position of its passage among the citable ones."""
    score: float
    coverage: float
    """0 to 1: share of the question's weight that stands in the piece or around it."""
    own: float
    """0 to 1: the same, in the piece itself."""
    tight: float
    """0 to 1: the same, in the piece, its lead-in, column titles, section and document titles: not counting "
    "neighbours."""
    fit: float
    """0 to 1: whether a value of the asked kind is there."""
    missing: frozenset[str]
    """Texts of the terms that stand neither in the piece nor anywhere around it."""
    loose: frozenset[str]
    """Texts of the terms that stand only elsewhere in the passage; of a row: only in other rows."""
    sibling: bool = False
    columns: tuple[int, ...] = ()
    """Of a row: columns that answer, best first."""
    able: tuple[int, ...] = ()
    """Of a row: columns that hold a value of the asked kind, or all where none is asked for."""
    defined: bool = False
    """Of a row: its first cell is the very code that was asked for."""
    defines: bool = False
    """It begins with the thing whose definition is asked for, and says what it is."""
    similarity: float | None = None
    """Cosine; None when it was not asked for."""
    closeness: float = 0.0
    """The cosine scaled to 0..1 over the candidates."""


def holds(term: Term, words: frozenset[str]) -> bool:
    """Whether a text with these word forms names the term. An identifier may carry an ordering suffix of up to three
    letters more, or have ``x`` for any: "FN 380-4-2x" is named by "FN 380-4-2"; "BC547" never by "BC546"."""
    return holds_itself(term, words) or term.alike.stands_in(words)


def holds_itself(term: Term, words: frozenset[str]) -> bool:
    """As ``holds``, but not in other words."""
    if not term.forms.isdisjoint(words):
        return True
    if term.kind != "identifier":
        return False
    bare = re.sub(r"[-/]", "", term.text.lower())
    asked = bare.rstrip("x")
    if len(asked) < 4 or (asked.isdigit() and len(asked) < 5):
        return False
    for word in words:
        if word[:2] != asked[:2]:
            continue
        printed = re.sub(r"[-/]", "", word)
        longer, shorter = (printed, asked) if len(printed) >= len(asked) else (bare, printed.rstrip("x"))
        rest = longer[len(shorter) :]
        if len(shorter) >= 4 and longer.startswith(shorter) and len(rest) <= 3 and (not rest or rest.isalpha()):
            return True
    return False


@lru_cache(maxsize=20_000)
def holds_part(term: Term, words: frozenset[str]) -> bool:
    """Whether a compound shares its first or last part with the term ("waaierdiameter" and "waaier"), or with what says
    the same ("impeller"); or a text says one part of the term where that is a compound."""
    if any(part.stands_in(words) for part in term.alike.parts):
        return True
    for form in term.forms | term.alike.words:
        if len(form) < 5 or not form.isalpha():
            continue
        for word in words:
            if len(word) > len(form) + 2 and (word.startswith(form) or word.endswith(form)):
                return True
            if len(word) >= 5 and len(form) > len(word) + 2 and (form.startswith(word) or form.endswith(word)):
                return True
    return False


Level: TypeAlias = tuple[float, frozenset[str]]


@dataclass(frozen=True, slots=True)
class Coverage:
    share: float
    own: float
    tight: float
    missing: frozenset[str]
    loose: frozenset[str]


def cover(
    terms: Sequence[Term], weights: Sequence[float], levels: Sequence[Level], *, compounds: bool, typed: frozenset[str]
) -> Coverage:
    """The weighted share of terms, each at the best level where it stands; levels descending, the own words first.

    Args:
        typed: texts of the terms that ask for a kind of value the piece has: the value stands for the word.
    """
    total = sum(weights)
    if not total:
        return Coverage(0.0, 0.0, 0.0, frozenset(), frozenset())
    share = own = tight = solid = 0.0
    missing: set[str] = set()
    loose: set[str] = set()
    for term, weight in zip(terms, weights, strict=True):
        best = near = OWN if term.text in typed else 0.0
        for level, words in levels:
            if level <= best:
                continue
            if holds_itself(term, words):
                found = level
            elif term.alike.stands_in(words):
                found = level * (IN_PARTS if term.alike.parts else ALIKE)
            elif compounds and level > 0.5 and term.kind == "word" and holds_part(term, words):
                found = level * COMPOUND
            else:
                continue
            if found > best:
                best, near = found, level
        share += weight * best
        own += weight * best * (near == OWN)
        if term.text not in typed:
            solid += weight
            tight += weight * (near >= SECTION)
        if not best:
            missing.add(term.text)
        elif best <= PASSAGE:
            loose.add(term.text)
    return Coverage(share / total, own / total, tight / solid if solid else 1.0, frozenset(missing), frozenset(loose))


def rarity(terms: Sequence[Term], cuts: Sequence[Cut]) -> tuple[float, ...]:
    """The weight of each term: its own times how rare it is among the pieces at hand (at most 3); a term that stands
    nowhere counts almost as the rarest: retrieval would have found it."""
    every = [unit.words for cut in cuts for unit in cut.units]
    count = len(every)
    found: list[float] = []
    for term in terms:
        seen = sum(holds(term, words) for words in every)
        rare = math.log(1 + (count - seen + 0.5) / (seen + 0.5))
        least = LEAST_CRITICAL if term.critical else LEAST_RARE
        found.append(term.weight * min(MOST_RARE if seen else UNSEEN, max(least, rare)))
    return tuple(found)


UNSEEN = 3.0
LEAST_RARE = 0.5
LEAST_CRITICAL = 1.5
MOST_RARE = 3.5
"""Bounds of rarity, a guess: with ten passages on one subject its own name is everywhere and must still count."""


def type_fit(question: Question, text: str, *, unit: str = "", bare: bool = False, about: str = "") -> float:
    """0 to 1: whether the text holds a value of the asked kind that the question does not itself contain.

    Args:
        unit: unit of a table cell whose text is only the number.
        bare: the text is a cell, where a number may stand for a quantity of any kind.
        about: column title, caption and section title of a cell.
    """
    if question.kinds or question.asks_number:
        # "May it pay € 40?" is answered by € 40 as well.
        asked = "" if question.amount else _flat(question.text)
        best = 0.0
        shown = f"{text} {unit}" if unit else text
        for kind in question.kinds:
            new = [value for value in values_of(kind, shown, about=about) if _flat(value) not in asked]
            new = [value for value in new if is_of_like_size(value, question.unit_s)]
            if question.wants_range and len(new) < 2 and not RANGE_WORD.search(text):
                new = []
            if new:
                return 1.0
        numbers = [n for n in (counts if question.counts else counted)(shown) if not _in_question(n, question)]
        if numbers:
            best = 0.5 if question.kinds else 1.0
            # A bare number may be of any kind; "22 kW" is of another one.
            if bare and not unit and not kinds_in(text):
                best = max(best, 0.7)
        elif question.needs_value and not bare and _POINTS.search(text):
            best = POINTER
        if question.yes_no and MODAL.search(text):
            best = max(best, 0.6)
        return best
    if question.wants_list:
        return 1.0 if enumerates(text) else 0.3
    if question.yes_no:
        return 0.8 if MODAL.search(text) else 0.3
    return 0.5


_ENUMERATION = re.compile(
    r"(?:[^,;]{2,60}[,;]\s+){2,}(?:and|or|en|of|und|oder|et|ou)?\s*\S|\((?:i|a|1)\).*\((?:ii|b|2)\)|\d+,\s\d+"
)


def enumerates(text: str) -> bool:
    """Whether the text lists at least three things, or leads into a list."""
    return text.endswith(":") or bool(_ENUMERATION.search(text))


def _flat(text: str) -> str:
    return re.sub(r"[\s\u00a0]", "", text).lower()


def _in_question(number: str, question: Question) -> bool:
    if question.amount:
        return False
    bare = number.strip("-−+± ")
    return any(word.group().strip("-−+±") == bare for word in words_in(question.text)) or any(
        term.borrowed and term.text == bare for term in question.terms
    )


def shape(identifier: str) -> str:
    """Letters as A, each digit as 0, without separators: siblings share it."""
    return re.sub(r"\d", "0", re.sub(r"[A-Za-z]", "A", re.sub(r"[-_/]", "", identifier)))


def has_sibling(question: Question, text: str) -> bool:
    """Whether the text names an identifier of the same shape as one of the question's, and not that one itself."""
    asked = [term.text for term in question.terms if term.kind == "identifier"]
    if not asked:
        return False
    printed = {re.sub(r"[-_/]", "", m.group().upper()) for m in _IDENTIFIER.finditer(normalise(text))}
    for name in asked:
        wanted = re.sub(r"[-_/]", "", name.upper())
        if any(wanted in other or other in wanted for other in printed if len(other) > 2):
            continue
        if any(shape(other) == shape(wanted) for other in printed):
            return True
    return False


def critical_missing(question: Question, weights: Sequence[float], missing: frozenset[str]) -> float:
    critical = [(t, w) for t, w in zip(question.terms, weights, strict=True) if t.critical and t.weight >= 0.5]
    if not critical:
        return 0.0
    return sum(t.text in missing for t, _ in critical) / len(critical)


ENOUGH = 0.5
POINTER = 0.7
"""Fit of a sentence that says where the value stands: "the fee is that of section 5.1"."""


def typed_terms(question: Question, fit: float) -> frozenset[str]:
    """Texts of the terms for which a value of the asked kind stands."""
    if not (question.kinds or question.asks_number) or fit < 1:
        return frozenset()
    return frozenset(term.text for term in question.terms if term.asks)


def rank_bonus(cut: Cut) -> float:
    return RANK_BONUS * max(0.0, 1 - RANK_STEP * (cut.rank - 1))
