"""Evaluation cases: JSON Lines, one question each, with the pages that answer it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from pincite.errors import InputError
from pincite.types import Release


class GoldPage(BaseModel):
    """A page that a person found to answer the question."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    source: str
    page: int
    also_on_pages: tuple[int, ...] = ()
    must_contain: tuple[str, ...] = ()
    section: str | None = None


class Case(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    id: str
    kind: str = "question"
    language: str = "und"
    question: str
    expected: Literal["answered", "refused", "escalated"] = "answered"
    gold_all_of: tuple[tuple[str, ...], ...] = ()
    """Every group must be in the answer, by one of its alternatives."""
    evidence: tuple[GoldPage, ...] = ()
    gold_passage_ids: tuple[str, ...] = ()
    """Of questions over passages made elsewhere: the passages that answer, by the ids they were given."""
    must_not: tuple[str, ...] = ()
    history: tuple[str, ...] = ()
    """Earlier questions of the conversation, oldest first."""
    half: str = ""
    """Of a set that keeps one half aside while rules are changed: ``open`` may be looked at, ``kept`` is asked last."""
    why: str = ""


def read_cases(path: Path) -> tuple[Case, ...]:
    """Return the cases of a file in its order.

    Raises:
        InputError: If the file is missing or empty, a line is not a case, or an id comes twice; the line is named.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}", source=path.name) from error
    cases: dict[str, Case] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            case = Case.model_validate_json(line)
        except ValidationError as error:
            fault = error.errors()[0]
            where = ".".join(map(str, fault["loc"])) or "the line"
            raise InputError(f"{path.name}, line {number}: {where}: {fault['msg']}", source=path.name) from error
        if case.id in cases:
            raise InputError(f"{path.name}, line {number}: the id {case.id!r} comes twice", source=path.name)
        cases[case.id] = case
    if not cases:
        raise InputError(f"{path.name} holds no case", source=path.name)
    return tuple(cases.values())


def indexed(
    cases: Sequence[Case], release: Release, passage_ids: Callable[[], set[str]], *, path: Path
) -> tuple[Case, ...]:
    """Return the cases whose documents and passages are in the release; a case that names none is always among them.

    Args:
        passage_ids: ids of the passages made elsewhere that the release holds; asked for only when a case names some.
        path: file of the cases, for the error.

    Raises:
        InputError: If no case is left.
    """
    there = {revision.source for revision in release.revisions}
    passages = passage_ids() if any(case.gold_passage_ids for case in cases) else set[str]()
    usable = tuple(
        case
        for case in cases
        if all(gold.source in there for gold in case.evidence) and passages.issuperset(case.gold_passage_ids)
    )
    if not usable:
        missing = sorted({gold.source for case in cases for gold in case.evidence} - there)
        named = f"index {', '.join(missing[:3])} …" if missing else "index the passages it was made for"
        raise InputError(f"{path.name}: no case has its documents in the release; {named}", source=path.name)
    return usable


@dataclass(frozen=True, slots=True)
class Place:
    """Where a passage that was found is printed."""

    id: str
    source: str
    pages: tuple[int, ...]
    """Sheets, ascending."""


def hits(place: Place, case: Case) -> tuple[bool, ...]:
    """Say of each piece of a case's evidence, pages first, whether the passage shows it."""
    pages = tuple(is_page_hit(place, gold) for gold in case.evidence)
    return pages + tuple(place.id == gold for gold in case.gold_passage_ids)


def is_page_hit(place: Place, gold: GoldPage) -> bool:
    """Say whether a passage shows the gold page; a passage longer than two pages counts for its first two."""
    wanted = {gold.page, *gold.also_on_pages}
    return place.source == gold.source and any(page in wanted for page in place.pages[:2])
