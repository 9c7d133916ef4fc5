"""What one answer is worth against its case: pure, and by what a reader is shown."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from pincite.evaluate.cases import Case, Place, is_page_hit
from pincite.types import Answer, Broke, Timing

Judgement: TypeAlias = Literal[
    "right", "gold_without_page", "table_only", "wrong", "forbidden", "refused", "escalated", "broken"
]
"""Exactly one for each answer, the first that holds:

``broken``: there is no answer; ``forbidden``: it says what the case says it must not; ``refused``, ``escalated``: its
outcome, where another was expected; ``wrong``: it was answered where it should not have been, or without a gold string
that is nowhere on the screen; ``table_only``: the gold strings are complete only with the source tables beside it;
``gold_without_page``: its sentences hold every gold string, no citation leads to a gold page; ``right``: the rest."""

_MARK = re.compile(r"\{\{\d+\}\}")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_RAISED_MARK = re.compile(r"[¹²³⁰⁴-⁹]+[)⁾]")
"""The mark of a note, ``3.9¹)``; a raised digit without a bracket may be a power and stays."""


@dataclass(frozen=True, slots=True)
class Judged:
    """One answer against its case."""

    answer: Answer | Broke
    judgement: Judgement
    missing: tuple[tuple[str, ...], ...] = ()
    """Gold groups of which no alternative is in the sentences."""
    forbidden: tuple[str, ...] = ()
    """What it says and must not."""
    cited: tuple[tuple[str, tuple[int, ...]], ...] = ()
    """Source and sheets of every citation, in order."""


def judge(case: Case, answer: Answer | Broke) -> Judged:
    """Return what an answer is worth; gold strings and forbidden ones are looked for in the sentences alone."""
    if isinstance(answer, Broke):
        return Judged(answer, "broken")
    said = _readable(answer.markdown)
    missing = tuple(group for group in case.gold_all_of if not any(holds(said, gold) for gold in group))
    forbidden = tuple(text for text in case.must_not if holds(said, text))
    places = [Place("", c.source, tuple(page.page for page in c.pages)) for c in answer.citations]
    return Judged(
        answer,
        _judgement(case, answer, missing, forbidden=bool(forbidden), places=places),
        missing,
        forbidden,
        tuple((place.source, place.pages) for place in places),
    )


def _judgement(
    case: Case, answer: Answer, missing: tuple[tuple[str, ...], ...], *, forbidden: bool, places: list[Place]
) -> Judgement:
    if forbidden:
        return "forbidden"
    if answer.outcome != case.expected:
        return "wrong" if answer.outcome == "answered" else answer.outcome
    if answer.outcome != "answered":
        return "right"
    tables = " ".join(
        _readable(cell) for table in answer.tables for row in (table.columns, *table.rows) for cell in row
    )
    if not all(any(holds(tables, gold) for gold in group) for group in missing):
        return "wrong"
    if missing:
        return "table_only"
    shows_page = any(is_page_hit(place, gold) for place in places for gold in case.evidence)
    return "right" if shows_page or not case.evidence else "gold_without_page"


def holds(text: str, wanted: str) -> bool:
    """Say whether a text has a string as whole tokens, white space, case and compatible characters aside.

    A number is one token with its decimals, its thousands and a sign that stands at it; decimals that are zeros add
    nothing to it.

    >>> holds("It costs 150 euro.", "15"), holds("It costs 15 euro.", "15"), holds("It costs 15.00 euro.", "15")
    (False, True, True)
    >>> holds("at −20 °C", "20 °C"), holds("from 10-20 °C", "20 °C"), holds("section 4.2", "4")
    (False, True, False)
    """
    plain, string = _plain(text), _plain(wanted)
    if not string:
        return False
    before = r"(?<!\w)"
    if string[0].isdigit():
        before += r"(?<!\d[.,])(?<!\s[-−])(?<!\([-−])(?<!^[-−])"
    after = r"(?!\w)"
    if string[-1].isdigit():
        after += r"(?![.,](?!0{1,2}(?!\d))\d)"
    return re.search(before + re.escape(string) + after, plain) is not None


def is_same(one: Answer, other: Answer) -> bool:
    """Say whether two answers are equal but for what differs each time: id, times, and when sources were retrieved."""
    return _timeless(one) == _timeless(other)


def _timeless(answer: Answer) -> Answer:
    return replace(
        answer,
        id="",
        milliseconds=Timing(None, None, 0),
        citations=tuple(replace(citation, retrieved_at="") for citation in answer.citations),
        steps=tuple(replace(step, milliseconds=0) for step in answer.steps),
    )


def _readable(markdown: str) -> str:
    """Markdown as it is read: without marks, emphasis and escapes."""
    return _ESCAPED.sub(r"\1", _MARK.sub(" ", markdown).replace("**", ""))


def _plain(text: str) -> str:
    raised = _RAISED_MARK.sub(" ", text).replace("\u00ad", "")
    # A hyphen at which no line may break is a hyphen.
    return " ".join(unicodedata.normalize("NFKC", raised).replace("\u2010", "-").casefold().split())
