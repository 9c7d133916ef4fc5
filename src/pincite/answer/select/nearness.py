"""The embedding model's opinion of the few best pieces: it bridges wording and languages, and chooses columns."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from pincite.answer.select.fit import Scored, holds
from pincite.answer.select.question import Question
from pincite.answer.select.rows import is_blank, label_columns
from pincite.answer.select.units import Cut, is_numeric
from pincite.answer.select.words import word_set

Similarity: TypeAlias = Callable[[str, Sequence[str]], Sequence[float]]
"""Cosines of a question to each text."""

SIMILARITY_BONUS = 0.7
"""Weight of the cosine, scaled to 0..1 over the candidates, in the question's own language: of .35, .6 and .8 (sample
cases and 53 questions of our own) all gave the same number of right answers within one; the higher ones put the right
sentence first where the wording differs."""
CROSS_LANGUAGE_BONUS = 1.0
"""The same in another language: words hardly ever meet and the cosine has to carry the choice."""
SIMILAR_TEXTS_OF_A_PASSAGE = 16
"""In another language words do not choose among the pieces, so no passage may take all the places."""
SIMILAR_TEXTS = 24
"""Most are a line long: a quarter of a second of one core with the embedded encoder. Of 60, 40, 32 and 24, all gave the
same answers to 206 open questions; 16 refuses one of 173 that 32 answers rightly."""


def add_similarity(
    question: Question, scored: Sequence[Scored], cuts: Sequence[Cut], similarity: Similarity
) -> list[Scored]:
    """The best pieces again, with the embedding model's opinion; the others keep their place behind them."""
    texts: list[str] = []
    offered: list[tuple[Scored, tuple[_Said, ...]]] = []
    shares: dict[int, int] = {}
    for item in scored:
        foreign = is_foreign(question, item, cuts[item.cut])
        if foreign and shares.get(item.cut, 0) >= SIMILAR_TEXTS_OF_A_PASSAGE:
            continue
        said = _said(question, item, cuts[item.cut], foreign=foreign)
        shares[item.cut] = shares.get(item.cut, 0) + len(said)
        if len(texts) + len(said) > SIMILAR_TEXTS:
            break
        offered.append((item, said))
        texts += [one.text for one in said]
    if not texts:
        return list(scored)
    cosines = iter([float(value) for value in similarity(question.text, texts)])
    judged = [(item, [(next(cosines), one.columns) for one in said]) for item, said in offered]
    every = [cosine for _, found in judged for cosine, _ in found]
    low, spread = min(every), max(max(every) - min(every), LEAST_SPREAD)
    again: list[Scored] = []
    for item, found in judged:
        cosine, columns = max(found, key=lambda pair: pair[0])
        close = (cosine - low) / spread
        foreign = is_foreign(question, item, cuts[item.cut])
        weight = CROSS_LANGUAGE_BONUS if foreign else SIMILARITY_BONUS
        # The nearest of both kinds gain the same where there are both.
        score = item.score + weight * close - (weight - SIMILARITY_BONUS)
        again.append(replace(item, similarity=cosine, closeness=close, score=score, columns=columns))
    taken = {(item.cut, item.unit.order) for item in again}
    rest = [item for item in scored if (item.cut, item.unit.order) not in taken]
    return sorted(again + rest, key=lambda s: (-s.score, cuts[s.cut].rank, s.unit.order))


def is_foreign(question: Question, scored: Scored, cut: Cut) -> bool:
    """Whether a piece is in another language than the question, and few of the question's words are met there even
    through the glossary, so that only its meaning can speak for it."""
    return cut.language != question.language and scored.tight < BRIDGED


BRIDGED = 0.5
"""Share of a question's weight that must be met at a piece in another language for its words to count as in one's
own."""

LEAST_SPREAD = 0.02
"""Cosines nearer to each other than this say nothing; they are not blown up to a difference."""


@dataclass(frozen=True, slots=True)
class _Said:
    """What the embedding model reads of a piece, and the columns that answer if it is near."""

    text: str
    columns: tuple[int, ...] = ()


def _said(question: Question, scored: Scored, cut: Cut, *, foreign: bool) -> tuple[_Said, ...]:
    """A sentence with its section title; a row of a table in another language as one text for each cell, for there the
    cosine also chooses the column. A number says nothing and is left out: "Domestic, Purchase: Fee by card Consumer"
    was nearer to questions in four languages than any wording of the row with its values."""
    table, row = cut.table, scored.unit.row
    if table is None or row is None:
        return (_Said(embeddable(scored, cut)),)
    cells = table.grid[row]
    labels = label_columns(table)
    label = ", ".join(dict.fromkeys(filter(None, cells[:labels])))
    columns = _named(question, scored, cut) or range(labels, len(cells)) if foreign else scored.columns[:1]
    said: list[_Said] = []
    for column in columns:
        if (
            column not in scored.able
            or is_blank(cells[column])
            or (column > labels and cells[column] == cells[column - 1])
        ):
            continue
        content = "" if is_numeric(cells[column]) else cells[column]
        parts = dict.fromkeys(filter(None, (label, table.titles[column], content)))
        kept = (column,) if foreign else scored.columns
        said.append(_Said(": ".join(parts)[:EMBEDDED_CHARACTERS], kept))
    return tuple(said) or (_Said(label[:EMBEDDED_CHARACTERS], scored.columns),)


def _named(question: Question, scored: Scored, cut: Cut) -> list[int]:
    """Of the columns that answer, those whose title has a word of the question that no other title has."""
    assert cut.table is not None
    titles = [word_set(title, cut.language) for title in cut.table.titles]
    alone = [
        held[0]
        for term in question.terms
        if not term.asks and len(held := [c for c, title in enumerate(titles) if holds(term, title)]) == 1
    ]
    return sorted({column for column in alone if column in scored.able})


EMBEDDED_CHARACTERS = 320
"""A sentence and its section title; longer texts cost time and blur what they are about."""


def embeddable(scored: Scored, cut: Cut) -> str:
    """What the embedding model reads of a sentence or entry: after its lead-in or section title; a few lines at
    most.

    Of a lead-in its first clause: "A cardholder may pay with each of the following devices" is what its entries have in
    common, the conditions that follow only blur it. An entry goes without its letter and its semicolon.
    """
    unit = scored.unit
    if unit.lead is not None:
        entry = _ENTRY_END.sub("", _ENTRY_MARK.sub("", unit.text))
        return f"{_first_clause(cut.units[unit.lead].text)}: {entry}"[:EMBEDDED_CHARACTERS]
    return (
        f"{cut.section_title}: {unit.text}"[:EMBEDDED_CHARACTERS]
        if cut.section_title
        else unit.text[:EMBEDDED_CHARACTERS]
    )


_ENTRY_MARK = re.compile(r"^\s*(?:[•●▪■◦‣–—*\-]|\(?(?:[a-z]{1,2}|[ivx]{1,4}|\d{1,2})[.)]|\d{1,2}°)\s+", re.IGNORECASE)
_ENTRY_END = re.compile(r"[;,.]?(?:\s+(?:and|or|en|of|und|oder|et|ou))?\s*$")


def _first_clause(lead: str) -> str:
    whole = lead.strip().rstrip(":").rstrip()
    clause = re.split(r"[,;:]\s", whole, maxsplit=1)[0]
    return clause if len(clause.split()) >= LEAST_CLAUSE else whole


LEAST_CLAUSE = 5
"""Words; a shorter beginning ("In that case, …") is not what the entries have in common."""
