"""What a question asks, held against a piece: of the kind and on the side asked for, of the thing that was named.

A piece that shares many words with a question may still answer another one. These are the reasons why it does; each of
them refuses, for a wrong answer is worse than none (ADR 0027).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from pincite.answer.contrast import company, contrasts
from pincite.answer.parties import names_party
from pincite.answer.select.extremes import says_extreme, states_bound
from pincite.answer.select.fit import Scored, holds, holds_part
from pincite.answer.select.question import WEAK_WEIGHT, Extreme, Question, Term
from pincite.answer.select.rows import LONG_CELL, label_columns
from pincite.answer.select.units import Cut, row_words
from pincite.answer.select.values import is_firm
from pincite.answer.select.words import word_set, words_in

PLAIN_WEIGHT = 0.5
"""Words that say what is asked for, apart from names, codes and numbers."""
ENOUGH_FIT = 0.5
FIRM_FIT = 0.7
"""A question for a value is not answered by a piece without one; for a pressure, only by a pressure."""


def could_answer(question: Question, scored: Scored, cuts: Sequence[Cut]) -> bool:
    """Whether a piece is about the thing that was named and asked for, and holds a value where one is asked for."""
    cut = cuts[scored.cut]
    return could_be_pointed_at(question, scored, cuts) and (
        not question.needs_value
        or cut.language != question.language
        or (_speaks_of_it(question, scored, cut) and _is_of_object(question.object, scored, cut))
    )


def could_be_pointed_at(question: Question, scored: Scored, cuts: Sequence[Cut]) -> bool:
    """As ``could_answer``, but the thing may be named by what points here: "for look-up secrets see 5.2.2"."""
    cut = cuts[scored.cut]
    return (
        not contrasts(question.text, *_said_around(scored, cut))
        and _holds_what_is_critical(question, scored, cuts)
        and _stands_at(question.places, scored, cut)
        and _is_of_document(question.document, scored, cuts)
        and _holds_the_kind(question, scored)
        and says_extreme(question, scored, cut)
        and (
            not question.limit
            or (question.amount and scored.unit.kind != "row")
            or _states_a_bound(question, scored, cut)
        )
        and (not question.who or _names_a_party(scored, cut))
        and _includes_what_is_asked_in(question, scored, cut)
        and not _has_it_beside(question, scored, cut)
    )


def is_beside(question: Question, scored: Scored, cuts: Sequence[Cut]) -> bool:
    """Whether a piece that is not of the object itself may stand beside an answer: a value of the kind, on its side."""
    return (
        not contrasts(question.text, *_said_around(scored, cuts[scored.cut]))
        and _holds_what_is_critical(question, scored, cuts)
        and _holds_the_kind(question, scored)
    )


def says_more(best: Scored, able: Sequence[Scored]) -> Scored | None:
    """A sentence of the same passage that says more of what is asked than the best one, and also holds a value.

    "At level 2 it is repeated every 12 hours. It is repeated after 30 minutes of inactivity.": the level is named in
    the first only, the inactivity that was asked for in the second.
    """
    beside = (s for s in able if s.cut == best.cut and s.unit.kind == best.unit.kind and s.fit >= best.fit)
    more = [s for s in beside if s.own > best.own and s.coverage > best.coverage]
    return max(more, key=lambda s: (s.coverage, -s.unit.order), default=None)


def _said_around(scored: Scored, cut: Cut) -> tuple[str, ...]:
    """The piece, then what it stands in, nearest first; of a row, first its labels."""
    unit, table = scored.unit, cut.table
    sections = tuple(reversed(cut.sections))
    if table is not None and unit.row is not None:
        labels = " | ".join((*table.grid[unit.row][: label_columns(table)], table.groups[unit.row]))
        return (labels, unit.text, table.caption, *sections)
    lead = (cut.units[unit.lead].text,) if unit.lead is not None else ()
    return (unit.text, *lead, *sections)


def _holds_what_is_critical(question: Question, scored: Scored, cuts: Sequence[Cut]) -> bool:
    row = scored.unit.kind == "row"
    for term in question.terms:
        if not term.critical:
            continue
        if term.kind == "identifier" and term.text in scored.missing:
            return False
        if row and (term.text in scored.loose or (scored.sibling and term.kind == "identifier")):
            return False  # another row has it, or this one is of its sibling
        if term.kind == "capitals" and term.text in scored.missing and any(holds(term, c.every) for c in cuts):
            return False  # another passage has it
        if (question.needs_value or row) and term.kind == "number" and term.text in scored.missing:
            return False  # at 24 m³/h, of a sheet that has 22.5 and 45
    return True


def _is_of_object(asked: Sequence[Term], scored: Scored, cut: Cut) -> bool:
    """Whether the thing whose value is asked for stands at the piece, not only beside it or further away."""
    if not asked:
        return True
    here = word_set(" ".join(_said_around(scored, cut)), cut.language) | scored.unit.words | cut.title
    if cut.table is not None:
        here |= word_set(" ".join(cut.table.titles), cut.language)
    compounds = cut.language in ("nl", "de")
    return any(holds(term, here) or (compounds and holds_part(term, here)) for term in asked)


def _stands_at(places: Sequence[str], scored: Scored, cut: Cut) -> bool:
    """Whether the numbered place that is asked about is the piece's own, or named in it or in one of its entries."""
    entries = (cut.units[k].text for k in cut.entries.get(scored.unit.order, ()))
    said = "\n".join((*_said_around(scored, cut), *entries))
    return all(
        re.search(rf"(?<![\w.]){re.escape(place)}(?!\w|[.-]\d)", said, re.IGNORECASE) is not None for place in places
    )


def _is_of_document(named: Sequence[Term], scored: Scored, cuts: Sequence[Cut]) -> bool:
    """Whether the piece is of the document that the question names, where one of the passages is, or names it."""
    cut = cuts[scored.cut]
    if not named or all(holds(term, cut.title) for term in named):
        return True
    if not any(all(holds(term, other.title) for term in named) for other in cuts):
        return True
    around = scored.unit.words | cut.section | cut.title
    return all(holds(term, around) for term in named)


def _states_a_bound(question: Question, scored: Scored, cut: Cut) -> bool:
    """Whether a piece for a limit is one, by its words or by those around it: a fee that changes is no limit."""
    if not question.limit or (question.amount and scored.unit.kind != "row"):
        return True
    around = "\n".join(_said_around(scored, cut))
    if cut.table is not None and scored.columns:
        around += f"\n{cut.table.titles[scored.columns[0]]}"
    ends: tuple[Extreme, ...] = (question.extreme,) if question.extreme else ("most", "least")
    return any(states_bound(end, around) for end in ends)


def _names_a_party(scored: Scored, cut: Cut) -> bool:
    """Whether a piece names somebody: "it sends a reversal" does not say who."""
    lead = cut.units[scored.unit.lead].text if scored.unit.lead is not None else ""
    entries = " ".join(cut.units[k].text for k in cut.entries.get(scored.unit.order, ()))
    return names_party(f"{lead} {scored.unit.text} {entries}")


def _speaks_of_it(question: Question, scored: Scored, cut: Cut) -> bool:
    """Whether a row is about what is asked by more than a remark: one that covers all rows tells of none of them."""
    table, row = cut.table, scored.unit.row
    plain = [t for t in question.terms if not (t.asks or t.critical or t.borrowed or t.weight <= WEAK_WEIGHT)]
    if table is None or row is None or not plain:
        return True
    cells = [cell for cell in table.grid[row] if len(cell) <= LONG_CELL]
    said = " | ".join((*cells, *table.titles, table.groups[row], table.caption, *cut.sections))
    words = word_set(said, cut.language) | row_words(cells, cut.language) | cut.title
    compounds = cut.language in ("nl", "de")
    remarks = [cell for cell in table.grid[row] if len(cell) > LONG_CELL]
    if any(scored.columns and table.grid[row][c] in remarks for c in scored.columns):
        return True  # the remark itself answers
    return any(holds(term, words) or (compounds and holds_part(term, words)) for term in plain) or not remarks


def _has_it_beside(question: Question, scored: Scored, cut: Cut) -> bool:
    """Whether a row is of something *with* what is asked about: a weight with motor is not that of the motor."""
    table, row = cut.table, scored.unit.row
    if table is None or row is None or not question.needs_value:
        return False
    label = " | ".join(table.grid[row][: label_columns(table)])
    beside = company(label)
    if not beside or company(question.text):
        return False
    rest = label
    for _, phrase in beside.values():
        rest = rest.replace(phrase, " ")
    with_it, alone = (word_set(text, cut.language) for text in (" ".join(p for _, p in beside.values()), rest))
    words = [t for t in question.terms if t.kind == "word" and not t.asks and not t.borrowed]
    plain = [t for t in words if t.weight > WEAK_WEIGHT]
    return any(holds(t, with_it) and not holds(t, alone) for t in plain) and not any(holds(t, alone) for t in plain)


_INCLUDED = re.compile(
    r"\b(?:includ\w+|inclusive of|incl\.|plus|inclusief|met inbegrip van|einschließlich|inklusive|zuzüglich|y compris"
    r"|inclu\w+)\s+(?:(?:the|an?|de|het|een|der|des|dem|le|la|les|un|une)\s)?(?P<thing>[^\W\d_]{3,})",
    re.IGNORECASE,
)


def _includes_what_is_asked_in(question: Question, scored: Scored, cut: Cut) -> bool:
    """Whether what is to be included ("including the reserve") is spoken of at the piece: nothing is added up here."""
    asked = _INCLUDED.search(question.text) if question.needs_value else None
    if asked is None:
        return True
    named = {match.group().lower() for match in words_in(asked["thing"])}
    terms = [term for term in question.terms if term.text.lower() in named]
    column = cut.table.titles[scored.columns[0]] if cut.table is not None and scored.columns else ""
    words = scored.unit.words | word_set(" ".join((*_said_around(scored, cut), column)), cut.language)
    return all(holds(term, words) for term in terms)


def _holds_the_kind(question: Question, scored: Scored) -> bool:
    if not question.needs_value:
        return True
    return scored.fit >= (FIRM_FIT if any(map(is_firm, question.kinds)) else ENOUGH_FIT)


def of_what_is_asked(question: Question, able: list[Scored], cuts: Sequence[Cut]) -> list[Scored]:
    """Of a question for something of a named thing ("which seal has the CRN 45-2?") the pieces that speak of it, where
    there are any: what only names the thing says something else of it."""
    plain = [t for t in question.terms if t.kind == "word" and not (t.asks or t.borrowed) and t.weight >= PLAIN_WEIGHT]
    if question.needs_value or question.yes_no or not plain:
        return able
    if not any(holds(term, cuts[s.cut].title) for term in question.hard_terms for s in able):
        return able  # not named by a title: the name itself tells the pieces apart

    def speaks_of_it(scored: Scored) -> bool:
        unit, units = scored.unit, cuts[scored.cut].units
        words = unit.words | (units[unit.lead].words if unit.lead is not None else frozenset[str]())
        return scored.defined or any(holds(term, words) for term in plain)

    return [scored for scored in able if speaks_of_it(scored)] or able
