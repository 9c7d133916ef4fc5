"""Every piece of the passages with its fit to a question; sentences here, rows of tables next door."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pincite.answer.select.fit import (
    CONTENTS_LINE,
    DEFINITION_BONUS,
    EXAMPLE,
    FRAGMENT,
    HEADING,
    LEAD_IN,
    MISSING_CRITICAL,
    NEXT,
    NEXT_BUT_ONE,
    OWN,
    OWN_BONUS,
    PASSAGE,
    RANGE_BONUS,
    RANGE_WORD,
    SAME_LANGUAGE,
    SECTION,
    SIBLING,
    TITLE,
    TOO_SHORT,
    TYPE_BONUS,
    Level,
    Scored,
    cover,
    critical_missing,
    has_sibling,
    holds,
    rank_bonus,
    type_fit,
    typed_terms,
)
from pincite.answer.select.question import Question
from pincite.answer.select.rows import score_rows
from pincite.answer.select.units import Cut, Unit
from pincite.answer.select.words import is_function_word, word_set, words_in

_EXAMPLE = re.compile(
    r"\b(?:for example|for instance|thus|e\.g\.|bijvoorbeeld|bijv\.|zum Beispiel|z\.\s?B\.|beispielsweise|par "
    r"exemple|p\. ex\.)",
    re.IGNORECASE,
)
_NOTE = re.compile(r"[¹²³⁴⁵⁶⁷⁸⁹]")
"""A footnote says what else holds, of something else."""
_CUT_OFF = re.compile(r"[a-zà-ÿ]{2,}(?![.)\w])")
"""A beginning in lower case that is no mark of an entry."""
LEAST_SENTENCE = 8
"""Words; what is shorter and has no full stop is a line of its own."""
_DEFINES = re.compile(
    r"(?:\b(?:means?|refers? to|(?:is|are) defined as|stands? for|betekent|wordt verstaan|bezeichnet|bedeutet|"
    r"ist im Sinne|désigne|signifie|s'entend)\b|"
    r"\b(?:is|ist|est)\s+(?:an?|the|any|one|ein\w*|d(?:er|ie|as)|une?|l[ea])\b|\b(?:are|zijn|sind|sont)\b|\bis "
    r"(?:een|het|de)\b|[:–—])",
    re.IGNORECASE,
)


def score_sentence(question: Question, weights: Sequence[float], cut: Cut, unit: Unit, position: int) -> Scored:
    units = cut.units
    here = unit.order

    def near(*offsets: int) -> frozenset[str]:
        return frozenset[str]().union(*(units[here + k].words for k in offsets if 0 <= here + k < len(units)))

    # What a sentence gives for an example it is not about: "… the name of the device, for example “fridge”".
    example = _EXAMPLE.search(unit.text)
    own = word_set(unit.text[: example.start()], cut.language) if example and example.start() else unit.words
    levels: list[Level] = [(OWN, own)]
    fit = type_fit(question, unit.text)
    if unit.lead is not None:
        levels.append((LEAD_IN, units[unit.lead].words))
        fit = max(fit, type_fit(question, units[unit.lead].text))
    elif here in cut.entries:
        levels.append((LEAD_IN, near(*(k - here for k in cut.entries[here]))))
    levels += [
        (TITLE, cut.title),
        (SECTION, cut.section),
        (NEXT, near(-1, 1)),
        (NEXT_BUT_ONE, near(-2)),
        (PASSAGE, cut.every),
    ]
    compounds = cut.language in ("nl", "de")
    found = cover(question.terms, weights, levels, compounds=compounds, typed=typed_terms(question, fit))
    score = found.share + OWN_BONUS * found.own + TYPE_BONUS * fit + rank_bonus(cut)
    count = len(unit.text.split())
    if count < 4 and unit.lead is None:
        score -= TOO_SHORT
    if count > 90:
        score -= 0.1
    if example or _NOTE.match(unit.text):
        score -= EXAMPLE
    if unit.contents:
        score -= CONTENTS_LINE
    if unit.heading:
        score -= HEADING
    if question.wants_range and fit > 0.5 and RANGE_WORD.search(unit.text):
        score += RANGE_BONUS
    defines = question.definition and _defines(question, unit.text, cut.language)
    if defines:
        score += DEFINITION_BONUS
    if unit.kind == "sentence" and (_CUT_OFF.match(unit.text) or _is_unfinished(unit, units)):
        score -= FRAGMENT
    sibling = has_sibling(question, unit.text)
    if sibling:
        score -= SIBLING
    score -= MISSING_CRITICAL * critical_missing(question, weights, found.missing)
    if cut.language == question.language:
        score += SAME_LANGUAGE
    return Scored(
        unit,
        position,
        score,
        found.share,
        found.own,
        found.tight,
        fit,
        found.missing,
        found.loose,
        sibling,
        defines=defines,
    )


def _is_unfinished(unit: Unit, units: Sequence[Unit]) -> bool:
    """Whether a sentence breaks off where its passage ends: "… competent in accordance with", and then "unless"."""
    last = unit.order == len(units) - 1 and unit.text[-1:] not in ".!?:;…”\"')]"
    return last and not unit.heading and len(unit.text.split()) >= LEAST_SENTENCE


def _defines(question: Question, text: str, language: str) -> bool:
    """Whether the text begins with the thing that is asked for and then says what it is."""
    match = _DEFINES.search(text)
    if not match or match.start() > 80:
        return False
    head = word_set(text[: match.start()], language)
    strong = [term for term in question.terms if term.weight >= 1]
    if not strong or not all(holds(term, head) for term in strong):
        return False
    beginning = sum(not is_function_word(word.group(), language) for word in words_in(text[: match.start()]))
    return beginning <= len(strong) + 2


def score_all(question: Question, weights: Sequence[float], cuts: Sequence[Cut]) -> list[Scored]:
    """Every piece with its lexical fit, best first; ties in rank, then reading order."""
    found: list[Scored] = []
    for position, cut in enumerate(cuts):
        if cut.table is not None:
            found += score_rows(question, weights, cut, cut.table, position)
        else:
            found += [score_sentence(question, weights, cut, unit, position) for unit in cut.units]
    return sorted(found, key=lambda s: (-s.score, cuts[s.cut].rank, s.unit.order))
