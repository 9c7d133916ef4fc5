"""Cases and a release → a report of what retrieval found, hybrid beside its legs."""

from __future__ import annotations

import html
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from pincite.evaluate import measures, reports
from pincite.evaluate.cases import Case, Place, hits, indexed, read_cases
from pincite.evaluate.measures import Measure
from pincite.types import Release


@dataclass(frozen=True, slots=True)
class Ranked:
    """What one question's ranking held."""

    case: Case
    first_rank: int | None
    """Rank of the first passage that shows gold evidence, None when it is not among those retrieved."""
    found: int
    evidence: int
    """Pieces of evidence that were retrieved, and that there are."""
    ndcg: float
    average_precision: float
    milliseconds: float


def evaluate_retrieval(
    path: Path,
    release: Release,
    searches: Mapping[str, Callable[[str], Sequence[Place]]],
    *,
    passage_ids: Callable[[], set[str]] = set,
    k: int = 10,
) -> dict[str, Any]:
    """Return the report of retrieval alone on the cases of ``path`` whose evidence is in the release.

    Args:
        searches: by name of the mode, question → places of at least the ``k`` best passages, best first. The first
            mode is the one reported on; the others stand beside it, with the questions it gained and lost on each.
        passage_ids: ids of the passages made elsewhere that the release holds; asked for only when a case names some.

    Raises:
        InputError: If no case of the file has all its evidence in the release.
    """
    cases = read_cases(path)
    answerable = [case for case in cases if case.expected == "answered"]
    with_evidence = [case for case in answerable if case.evidence or case.gold_passage_ids]
    usable = indexed(with_evidence, release, passage_ids, path=path)
    ranked = {mode: [_rank(case, search, k) for case in usable] for mode, search in searches.items()}
    mode, *others = ranked
    return {
        "kind": "retrieval",
        "cases": {
            **reports.fingerprint(path),
            "total": len(cases),
            "measured": len(usable),
            "without_evidence": len(cases) - len(with_evidence),
            "documents_missing": len(with_evidence) - len(usable),
        },
        "release": release.id,
        "model": release.model,
        "k": k,
        "mode": mode,
        "measures": _measures(ranked[mode], k),
        "by_kind": _split(ranked[mode], k, lambda r: r.case.kind),
        "by_language": _split(ranked[mode], k, lambda r: r.case.language),
        "beside": {
            other: {"measures": _measures(ranked[other], k), **_gained_and_lost(ranked[other], ranked[mode])}
            for other in others
        },
        "milliseconds": reports.percentiles([r.milliseconds for r in ranked[mode]]),
        "questions": [
            {
                "id": r.case.id,
                "kind": r.case.kind,
                "language": r.case.language,
                "question": r.case.question,
                "first_rank": r.first_rank,
                "evidence_found": r.found,
                "evidence": r.evidence,
            }
            for r in ranked[mode]
        ],
    }


def compare(report: dict[str, Any], earlier: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the questions of both reports whose first rank moved, worst loss first."""
    before = {q["id"]: q["first_rank"] for q in earlier["questions"]}
    moved = [
        {"id": q["id"], "before": before[q["id"]], "now": q["first_rank"]}
        for q in report["questions"]
        if q["id"] in before and before[q["id"]] != q["first_rank"]
    ]
    far = 1_000_000  # a passage that was not found ranks behind every one that was
    return sorted(moved, key=lambda m: (m["before"] or far) - (m["now"] or far))


def to_html(report: dict[str, Any]) -> str:
    """Return the report as one page for people, without scripts."""
    beside = [(mode, other["measures"]) for mode, other in report["beside"].items()]
    groups = [
        (f"all, {report['mode']}", report["measures"]),
        *beside,
        *report["by_kind"].items(),
        *report["by_language"].items(),
    ]
    names = list(report["measures"])
    measured = [(group, *(reports.shown(found[name]) for name in names)) for group, found in groups]
    moved = "".join(
        f"<p>Against {html.escape(mode)}: gained {_named(other['gained'])}; lost {_named(other['lost'])}.</p>"
        for mode, other in report["beside"].items()
    )
    questions = [
        (q["id"], q["question"], str(q["first_rank"] or "not found"), f"{q['evidence_found']} of {q['evidence']}")
        for q in report["questions"]
    ]
    return reports.page(
        f"Retrieval on {report['cases']['file']}",
        f"<p>{report['cases']['measured']} of {report['cases']['total']} cases measured; release "
        f"{html.escape(report['release'])}; model {html.escape(report['model'])}; k = {report['k']}. "
        f"Brackets hold 95 % intervals.</p>{reports.table(('', *names), measured)}{moved}"
        f"<h2>Questions</h2>{reports.table(('id', 'question', 'first rank', 'evidence'), questions)}",
    )


def _rank(case: Case, search: Callable[[str], Sequence[Place]], k: int) -> Ranked:
    begun = time.perf_counter()
    places = search(case.question)
    milliseconds = (time.perf_counter() - begun) * 1000
    rows = [hits(place, case) for place in places[:k]]
    evidence = len(case.evidence) + len(case.gold_passage_ids)
    first = next((rank for rank, row in enumerate(rows, 1) if any(row)), None)
    seen: set[int] = set()
    gains: list[float] = []
    for row in rows:  # a second passage of the same page adds nothing: each piece of evidence gains once
        new = {i for i, hit in enumerate(row) if hit} - seen
        seen |= new
        gains.append(1.0 if new else 0.0)
    return Ranked(
        case,
        first,
        len(seen),
        evidence,
        measures.ndcg(gains, evidence, k),
        measures.average_precision(gains, evidence, k),
        milliseconds,
    )


def _gained_and_lost(other: Sequence[Ranked], ours: Sequence[Ranked]) -> dict[str, list[str]]:
    """Name the questions that were found in one mode's first k and not in the other's."""
    pairs = [(theirs.case.id, theirs.first_rank, mine.first_rank) for theirs, mine in zip(other, ours, strict=True)]
    return {
        "gained": [id_ for id_, before, now in pairs if before is None and now is not None],
        "lost": [id_ for id_, before, now in pairs if before is not None and now is None],
    }


def _measures(ranked: Sequence[Ranked], k: int) -> dict[str, dict[str, Any]]:
    firsts = [r.first_rank for r in ranked]
    found: dict[str, Measure] = {
        "hit@1": measures.hit_rate(firsts, 1),
        f"hit@{k}": measures.hit_rate(firsts, k),
        f"recall@{k}": measures.recall([(r.found, r.evidence) for r in ranked]),
        "mrr": measures.mrr(firsts),
        f"map@{k}": measures.mean([r.average_precision for r in ranked]),
        f"ndcg@{k}": measures.mean([min(r.ndcg, 1.0) for r in ranked]),
    }
    return {name: asdict(measure) for name, measure in found.items()}


def _split(ranked: Sequence[Ranked], k: int, key: Callable[[Ranked], str]) -> dict[str, dict[str, Any]]:
    groups = sorted({key(r) for r in ranked})
    return {group: _measures([r for r in ranked if key(r) == group], k) for group in groups}


def _named(ids: Sequence[str]) -> str:
    return f"{len(ids)} ({html.escape(', '.join(ids))})" if ids else "none"
