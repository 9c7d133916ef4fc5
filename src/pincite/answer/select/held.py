"""What a question asks, held against a piece: of the kind and on the side asked for, of the thing that was named.

A piece that shares many words with a question may still answer another one. These are the reasons why it does; each of
them refuses, for a wrong answer is worse than none (ADR 0027).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from pincite.answer.contrast import contrasts
from pincite.answer.select.fit import Scored, holds, holds_part
from pincite.answer.select.question import Question, Term
from pincite.answer.select.rows import label_columns
from pincite.answer.select.units import Cut
from pincite.answer.select.values import is_firm
from pincite.answer.select.words import word_set

ENOUGH_FIT = 0.5
FIRM_FIT = 0.7
"""A question for a value is not answered by a piece without one; for a pressure, only by a pressure."""


def could_answer(question: Question, scored: Scored, cuts: Sequence[Cut]) -> bool:
    """Whether a piece is about the thing that was named and asked for, and holds a value where one is asked for."""
    cut = cuts[scored.cut]
    return (
        not contrasts(question.text, *_said_around(scored, cut))
        and _holds_what_is_critical(question, scored, cuts)
        and _stands_at(question.places, scored, cut)
        and _is_of_document(question.document, scored, cuts)
        and _holds_the_kind(question, scored)
        and (
            not question.needs_value or cut.language != question.language or _is_of_object(question.object, scored, cut)
        )
    )


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
        if row and term.text in scored.loose:
            return False  # another row has it
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


def _holds_the_kind(question: Question, scored: Scored) -> bool:
    if not question.needs_value:
        return True
    return scored.fit >= (FIRM_FIT if any(map(is_firm, question.kinds)) else ENOUGH_FIT)
