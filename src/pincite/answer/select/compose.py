"""Question and passages in, a draft of quotations out, or a refusal."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import zip_longest

from pincite.answer.select.draft import Draft, DraftSentence, RefusalReason
from pincite.answer.select.question import Question, analyse
from pincite.answer.select.score import Scored, Similarity, add_similarity, holds, rarity, score_all
from pincite.answer.select.units import Cut, cut
from pincite.types import Passage

MOST_SENTENCES = 3
MOST_ENTRIES = 8
"""Entries of one list, only where a list was asked for."""
MOST_ROWS = 8
MOST_PARTS = 3

ENOUGH_COVERAGE = 0.45
"""Share of the question's weight that must stand in or around the best piece; below, nothing fits."""
ENOUGH_FIT = 0.5
"""A question for a value is not answered by a piece without one."""
CROSS_LANGUAGE_COVERAGE = 0.0
MARGIN = 0.15
"""A further sentence or row may score this much less than the best; more would be padding."""
DOUBTFUL_TABLE = 0.5
"""Tables below this confidence are never evidence (types.Table)."""

_REFERENCE = re.compile(
    r"(?<!\w)(?:Sections?|Sec\.|Articles?|Artikels?|Art\.|Annex|Anhang|Bijlage|Annexe|Appendix|Chapter|Hoofdstuk|Kapitel|Chapitre|Tables?|Tabel|Tabelle|Tableau)"
    r"\s(?:\d+(?:\.\d+)*[a-z]?|[IVX]+\b|[A-Z]\b(?:\.\d+)*)|§§?\s?\d+(?:\.\d+)*[a-z]?",
    re.IGNORECASE,
)


def compose(
    question: str, passages: Sequence[Passage], *, language: str | None = None, similarity: Similarity | None = None
) -> Draft:
    """The best quotations that answer the question, or a refusal with its reason.

    Args:
        passages: in rank order. Those of a standing other than citable, and doubtful tables, are never quoted.
        language: of the question; found from its function words when None.
        similarity: cosines of the question to short texts, from the embedding model. Called at most once for each part
            of the question, for at most 40 texts. Without it a question in another language than the passages' is
            mostly refused: words do not meet.
    """
    asked = analyse(question, language)
    if asked.small_talk:
        return _refusal(asked, asked.small_talk)
    if not passages:
        return _refusal(asked, "no_passages")
    cuts = [cut(passage, index) for index, passage in enumerate(passages) if _is_quotable(passage)]
    if not any(c.units for c in cuts):
        return _refusal(asked, "not_citable")
    missing = tuple(
        term.text for term in asked.terms if not any(holds(term, c.every | c.title | c.section) for c in cuts)
    )
    lacking = [term for term in asked.hard_terms if term.text in missing]
    foreign = all(c.language != asked.language for c in cuts)
    if any(term.kind == "identifier" or not foreign for term in lacking):
        return _refusal(asked, "identifier_missing", tuple(term.text for term in lacking))
    parts = asked.parts[:MOST_PARTS] or (asked,)
    answers = [_answer(part, cuts, similarity) for part in parts]
    chosen: list[DraftSentence] = []
    for piece in (p for round_ in zip_longest(*answers) for p in round_):
        if piece is not None and not any(piece.passage == c.passage and piece.start == c.start for c in chosen):
            chosen.append(piece)
    if not chosen:
        return _refusal(asked, "nothing_fits", missing)
    return Draft(
        tuple(chosen), refused=False, reason="", language=asked.language, follow=_references(chosen), missing=missing
    )


def _refusal(question: Question, reason: RefusalReason, missing: tuple[str, ...] = ()) -> Draft:
    return Draft((), refused=True, reason=reason, language=question.language, missing=missing)


def _is_quotable(passage: Passage) -> bool:
    table = passage.chunk.table
    return passage.revision.standing == "citable" and (table is None or table.confidence >= DOUBTFUL_TABLE)


def _answer(question: Question, cuts: Sequence[Cut], similarity: Similarity | None) -> list[DraftSentence]:
    """Pieces for one question that asks one thing, best first; none when nothing fits."""
    weights = rarity(question.terms, cuts)
    ranked = score_all(question, weights, cuts)
    if similarity is not None:
        ranked = add_similarity(question, ranked, cuts, similarity)
    ranked = [s for s in ranked if not (s.unit.contents or s.unit.heading)]
    if not ranked or not _fits(question, ranked[0], cuts, with_similarity=similarity is not None):
        return []
    best = ranked[0]
    if best.unit.kind == "row":
        return _rows(question, ranked, cuts)
    return _sentences(question, ranked, cuts)


def _fits(question: Question, best: Scored, cuts: Sequence[Cut], *, with_similarity: bool) -> bool:
    if any(term.kind == "identifier" and term.text in best.missing for term in question.terms):
        return False
    if question.needs_value and best.fit < ENOUGH_FIT:
        return False
    if with_similarity and cuts[best.cut].language != question.language:
        return best.coverage >= CROSS_LANGUAGE_COVERAGE
    return best.coverage >= ENOUGH_COVERAGE


def _rows(question: Question, ranked: Sequence[Scored], cuts: Sequence[Cut]) -> list[DraftSentence]:
    best = ranked[0]
    near = [s for s in ranked if s.cut == best.cut and s.unit.kind == "row" and s.score >= best.score - MARGIN]
    return [_piece(s, cuts) for s in near[:MOST_ROWS]]


def _sentences(question: Question, ranked: Sequence[Scored], cuts: Sequence[Cut]) -> list[DraftSentence]:
    best = ranked[0]
    by_place = {(s.cut, s.unit.order): s for s in ranked}
    chosen: list[Scored] = []

    def take(item: Scored) -> None:
        if item.unit.text not in {c.unit.text for c in chosen}:
            chosen.append(item)

    for item in ranked:
        if len(chosen) >= MOST_SENTENCES or item.score < best.score - MARGIN:
            break
        if item.unit.kind == "row" or item.fit < best.fit:
            continue
        entries = cuts[item.cut].entries
        lead = item.unit.lead if item.unit.lead is not None else item.unit.order
        if lead in entries:
            family = [by_place[item.cut, k] for k in entries[lead] if (item.cut, k) in by_place]
            if (item.cut, lead) in by_place:
                take(by_place[item.cut, lead])
            if question.wants_list:
                for entry in family[:MOST_ENTRIES]:
                    take(entry)
            elif item.unit.lead is not None:
                take(item)
            elif family:
                take(max(family, key=lambda s: (s.score, -s.unit.order)))
        else:
            take(item)
    return [_piece(s, cuts) for s in chosen]


def _piece(scored: Scored, cuts: Sequence[Cut]) -> DraftSentence:
    unit = scored.unit
    table = cuts[scored.cut].table
    cells: tuple[tuple[int, int], ...] = ()
    reading = ""
    if table is not None and unit.row is not None and scored.columns:
        cells = tuple((unit.row, column) for column in scored.columns)
        column = scored.columns[0]
        value = " ".join(filter(None, (table.grid[unit.row][column], table.unit(unit.row, column))))
        said = (table.grid[unit.row][0] if column else "", table.titles[column], value)
        reading = ": ".join(dict.fromkeys(filter(None, said)))
    return DraftSentence(
        unit.text, unit.passage, unit.start, unit.end, unit.kind, round(scored.score, 4), cells, reading
    )


def _references(chosen: Sequence[DraftSentence]) -> tuple[str, ...]:
    found = (re.sub(r"\s+", " ", m.group()) for piece in chosen for m in _REFERENCE.finditer(piece.text))
    return tuple(dict.fromkeys(found))
