"""The nouns as JSON: the one mapping that the server, the command line and the socket client share.

Free of any web framework: the command line imports it. Fields are those of ``types.py``, in snake case; what is shown
of a passage, document or section differs from the noun and is written out here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal, TypeAlias

from pydantic import TypeAdapter
from pydantic_core import to_json

from pincite.answer.rows import RowPassage
from pincite.catalogue import Lookup, Part
from pincite.types import (
    Answer,
    AnswerEvent,
    AnswerTable,
    Block,
    Broke,
    Field,
    Finished,
    ParsedDocument,
    Passage,
    PassagesFound,
    Release,
    Revision,
    SectionPath,
    SentenceWithheld,
    SourcesListed,
    StepTaken,
    TableShown,
    Withheld,
)

Json: TypeAlias = dict[str, Any]
EventType: TypeAlias = Literal["step", "passages", "block", "table", "withheld", "sources", "outcome", "error"]

DOUBTFUL = 0.5
"""Confidence of a table below which it is shown and searched, never evidence (`types.Table`)."""

LAST: frozenset[str] = frozenset({"outcome", "error"})
"""Types of the events that end a stream."""

_ANSWER = TypeAdapter(Answer)
_BLOCK = TypeAdapter(Block)
_BROKE = TypeAdapter(Broke)
_PART = TypeAdapter(Part)
_SOURCES = TypeAdapter(SourcesListed)
_STEP = TypeAdapter(StepTaken)
_TABLE = TypeAdapter(AnswerTable)
_WITHHELD = TypeAdapter(Withheld)


def answer_json(answer: Answer) -> Json:
    """The Answer, field for field."""
    return _ANSWER.dump_python(answer, mode="json")


def read_answer(data: Json | str | bytes) -> Answer:
    """The Answer that ``answer_json`` wrote.

    Raises:
        pydantic.ValidationError: If a field is missing or of another type.
    """
    return _ANSWER.validate_json(data) if isinstance(data, str | bytes) else _ANSWER.validate_python(data)


def event_json(event: AnswerEvent) -> tuple[EventType, Json]:
    """The type of a streamed event and its data."""
    match event:
        case StepTaken():
            return "step", _STEP.dump_python(event, mode="json")["step"]
        case PassagesFound(passages=passages):
            return "passages", {"passages": [_noted(passage) for passage in passages]}
        case Block():
            return "block", _BLOCK.dump_python(event, mode="json")
        case TableShown(table=table):
            return "table", _TABLE.dump_python(table, mode="json")
        case SentenceWithheld(withheld=withheld):
            return "withheld", _WITHHELD.dump_python(withheld, mode="json")
        case SourcesListed():
            return "sources", _SOURCES.dump_python(event, mode="json")
        case Finished(answer=answer):
            return "outcome", answer_json(answer)
        case Broke():
            return "error", _BROKE.dump_python(event, mode="json")


def event_line(answer: str, n: int, event: AnswerEvent) -> Json:
    """One line of ``pincite ask --events``: the parts of a server-sent event under their own names."""
    type, data = event_json(event)
    return {"id": f"{answer}:{n}", "event": type, "data": data}


def encoded(data: object) -> str:
    """JSON on one line; text outside ASCII as it is."""
    return to_json(data).decode()


def search_json(passages: Sequence[Passage], milliseconds: int, *, debug: bool = False) -> Json:
    """What ``pincite search --json`` prints: passages in rank order, scores only for debugging."""
    shown: list[Json] = []
    for passage in passages:
        shown.append(_noted(passage) | {"text": passage.chunk.text})
        if debug:
            shown[-1] |= {"rank": passage.rank, "score": passage.score}
    return {"passages": shown, "milliseconds": milliseconds}


def lookup_json(lookup: Lookup, milliseconds: int) -> Json:
    """What ``pincite catalogue lookup --json`` prints: rows, best match first; numbers as the database has them."""
    return {
        "query": lookup.query,
        "rows": [_PART.dump_python(one.part, mode="json") | {"match": one.match} for one in lookup.found],
        "more": lookup.more,
        "milliseconds": milliseconds,
    }


def documents_json(release: Release) -> Json:
    """Every revision of a release with its standing, by document, newest standing first."""
    reports = {report.sha256: report for report in release.documents}
    order = {"citable": 0, "readable": 1, "rejected": 2}
    revisions = sorted(release.revisions, key=lambda r: (r.document, order[r.standing], r.revision))
    return {
        "release": release.id,
        "documents": [
            {
                "document": revision.document,
                "source": revision.source,
                "title": revision.title,
                "revision": revision.revision,
                "sha256": revision.sha256,
                "standing": revision.standing,
                "reason": revision.reason,
                "pages": len(revision.labels) or (report.pages if report else 0),
                "language": revision.language,
                **_described(revision),
                "tables": report.tables if report else 0,
                "pages_not_text": [{"page": page, "verdict": verdict} for page, verdict in report.pages_not_text]
                if report
                else [],
                "repaired": report.repaired if report else False,
            }
            for revision in revisions
            for report in (reports.get(revision.sha256),)
        ],
    }


def failures_json(release: Release) -> list[Json]:
    """Files that the run which made the release could not read, and why."""
    return [{"source": r.source, "reason": r.reason} for r in release.documents if r.status == "failed"]


def pages_json(parsed: ParsedDocument) -> Json:
    """What was found on each page of a document: its verdict, how sure OCR was, and tables that are doubtful."""
    doubtful = [table for table in parsed.tables if table.confidence < DOUBTFUL]
    return {
        "ocr": parsed.ocr,
        "repaired": parsed.repaired,
        "pages": [
            {
                "page": page.page,
                "label": page.label,
                "verdict": page.verdict,
                "reason": page.reason,
                "confidence": round(page.confidence, 2),
                "tables": sum(table.page == page.page for table in parsed.tables),
                "doubtful_tables": [table.caption for table in doubtful if table.page == page.page],
            }
            for page in parsed.pages
        ],
    }


def _described(revision: Revision) -> Json:
    """Date, kind and summary, "" where the document does not say."""
    about = revision.description
    fields = (about.date, about.kind, about.summary) if about else (Field(None),) * 3
    return {
        name: field.reading.value if field.reading else ""
        for name, field in zip(("date", "kind", "summary"), fields, strict=True)
    }


def sections_json(sections: Iterable[SectionPath], passages: Iterable[Passage]) -> Json:
    """Section paths in order with the sheets, ascending, that they and their subsections are printed on."""
    pages: dict[SectionPath, set[int]] = {path: set() for path in sections}
    for passage in passages:
        path = passage.chunk.section
        for depth in range(1, len(path) + 1):
            pages.setdefault(path[:depth], set()).update(passage.chunk.pages)
    return {
        "sections": [
            {"path": list(path), "title": path[-1], "pages": sorted(printed)} for path, printed in pages.items() if path
        ]
    }


def _noted(passage: Passage) -> Json:
    revision = passage.revision
    return {
        "id": passage.id,
        "document": revision.document,
        "source": revision.source,
        "revision": revision.revision,
        "sha256": revision.sha256,
        "standing": revision.standing,
        "title": revision.title,
        "section": list(passage.chunk.section),
        "pages": list(passage.chunk.pages),
        "kind": passage.chunk.kind,
    } | ({"row": passage.part.key} if isinstance(passage, RowPassage) else {})
