"""Cases and a library → a report of what its answers are worth, how long they took, and whether they stay the same."""

from __future__ import annotations

import html
import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias, get_args

from pincite.errors import InputError
from pincite.evaluate import measures, reports
from pincite.evaluate.cases import Case, indexed, read_cases
from pincite.evaluate.judging import Judged, Judgement, is_same, judge
from pincite.types import Answer, Broke, Release

Half: TypeAlias = Literal["open", "kept"]

JUDGEMENTS: tuple[Judgement, ...] = get_args(Judgement)


@dataclass(frozen=True, slots=True)
class Asked:
    """One case and what each time of asking was worth, in order."""

    case: Case
    times: tuple[Judged, ...]

    @property
    def first(self) -> Judged:
        return self.times[0]

    @property
    def answers(self) -> int:
        """How many different answers there were; what broke differs from every answer."""
        different: list[Answer] = []
        broke = False
        for judged in self.times:
            if isinstance(judged.answer, Broke):
                broke = True
            elif not any(is_same(judged.answer, other) for other in different):
                different.append(judged.answer)
        return len(different) + broke

    @property
    def flips(self) -> bool:
        """Whether it was right one time and not right another."""
        return len({judged.judgement == "right" for judged in self.times}) > 1


def evaluate_answers(
    path: Path,
    release: Release,
    ask: Callable[[Case], Answer | Broke],
    *,
    half: Half | None = None,
    repeat: int = 1,
    passage_ids: Callable[[], set[str]] = set,
    begin: Callable[[int], None] = lambda _: None,
    advance: Callable[[], None] = lambda: None,
) -> dict[str, Any]:
    """Return the report of the answers to the cases of ``path`` whose documents are in the release.

    Args:
        ask: case → its answer, after the questions of its history.
        half: ask only the cases of this half.
        repeat: how often the whole set is asked, at least 1. What an answer is worth is counted the first time; the
            others say how much of it is chance.
        begin: called once with the number of questions, ``advance`` after each.

    Raises:
        InputError: If no case is of that half, or none has its documents in the release.
    """
    cases = read_cases(path)
    chosen = [case for case in cases if half in (None, case.half)]
    if not chosen:
        raise InputError(f"{path.name} has no case whose half is {half!r}: leave out --half", source=path.name)
    usable = indexed(chosen, release, passage_ids, path=path)
    begin(len(usable) * repeat)
    times: list[list[Judged]] = [[] for _ in usable]
    for _ in range(repeat):  # the set again, not each case again: what drifts with time must be able to show
        for case, judged in zip(usable, times, strict=True):
            judged.append(judge(case, ask(case)))
            advance()
    asked = [Asked(case, tuple(judged)) for case, judged in zip(usable, times, strict=True)]
    return {
        "kind": "answers",
        "cases": {
            **reports.fingerprint(path),
            "total": len(cases),
            "half": half,
            "measured": len(usable),
            "left_out": len(cases) - len(chosen),
            "documents_missing": len(chosen) - len(usable),
        },
        "release": release.id,
        "model": release.model,
        "answered_by": dict(Counter(answer.model for answer in _answers(asked)).most_common()),
        **_measured(asked),
        "by_half": _split(asked, lambda a: a.case.half) if any(a.case.half for a in asked) else {},
        "by_kind": _split(asked, lambda a: a.case.kind),
        "by_language": _split(asked, lambda a: a.case.language),
        "repeat": {
            "times": repeat,
            "same_answer": sum(a.answers == 1 for a in asked),
            "flipped": [a.case.id for a in asked if a.flips],
        },
        "milliseconds": _milliseconds(asked),
        "questions": [_question(a) for a in asked],
    }


def compare(report: dict[str, Any], earlier: dict[str, Any]) -> dict[str, Any]:
    """Return what moved against an earlier report: the cases of both whose judgement differs, losses first.

    Cases of the same id with another question are not the same case. ``p`` is McNemar's exact two-sided test of the
    cases that became right against those that no longer are; a case that flips by itself is marked ``by_itself``.
    """
    before = {(q["id"], q["question"]): q for q in earlier["questions"]}
    by_itself = {*report["repeat"]["flipped"], *earlier["repeat"]["flipped"]}
    pairs = [(before[key], q) for q in report["questions"] if (key := (q["id"], q["question"])) in before]
    moved = [
        {"id": now["id"], "before": was["judgement"], "now": now["judgement"], "by_itself": now["id"] in by_itself}
        for was, now in pairs
        if was["judgement"] != now["judgement"]
    ]
    moved.sort(key=lambda m: (m["before"] != "right", m["now"] == "right"))
    gained = [m["id"] for m in moved if m["now"] == "right"]
    lost = [m["id"] for m in moved if m["before"] == "right"]
    other_words = sum(was["answer"] != now["answer"] for was, now in pairs)
    return {
        "paired": len(pairs),
        "other_words": other_words,
        "gained": gained,
        "lost": lost,
        "p": _mcnemar(len(gained), len(lost)),
        "moved": moved,
    }


def to_html(report: dict[str, Any]) -> str:
    """Return the report as one page for people, without scripts; what is not right comes first."""
    tables = ""
    for name in ("answerable", "unanswerable"):
        groups = [(group, found[name]) for group, found in groups_of(report) if found[name]]
        if groups:
            heads = ("", *JUDGEMENTS)
            rows = [(group, *(reports.shown(found[judgement]) for judgement in JUDGEMENTS)) for group, found in groups]
            tables += f"<h2>{name.capitalize()}</h2>{reports.table(heads, rows)}"
    times = [(name, str(t["p50"]), str(t["p95"]), str(t["n"])) for name, t in report["milliseconds"].items()]
    moved = ""
    if against := report.get("against"):
        rows = [(m["id"], m["before"], m["now"], "flips by itself" if m["by_itself"] else "") for m in against["moved"]]
        moved = (
            f"<h2>Against the earlier report</h2><p>{against['paired']} cases of both; {len(against['gained'])} became "
            f"right, {len(against['lost'])} no longer are (p = {against['p']:.3f}).</p>"
            f"{reports.table(('id', 'before', 'now', ''), rows)}"
        )
    questions = [
        (q["id"], q["judgement"], q["kind"], q["question"], q["answer"] or q["reason"], _fault(q))
        for q in sorted(report["questions"], key=lambda q: q["judgement"] == "right")
    ]
    cases = report["cases"]
    models = html.escape(", ".join(report["answered_by"]))
    return reports.page(
        f"Answers to {cases['file']}",
        f"<p>{cases['measured']} of {cases['total']} cases measured; {cases['documents_missing']} lack documents, "
        f"{cases['left_out']} are of another half. Release {html.escape(report['release'])}, answered by {models}, "
        f"asked {report['repeat']['times']} times. Brackets hold 95 % intervals.</p>{tables}"
        f"<h2>Milliseconds</h2>{reports.table(('', 'p50', 'p95', 'n'), times)}{moved}"
        f"<h2>Questions</h2>{reports.table(('id', 'judgement', 'kind', 'question', 'answer', 'why not'), questions)}",
    )


def groups_of(report: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """Return the groups of a report by name, all of it first."""
    return [
        ("all", report),
        *((f"half {half or 'of none'}", found) for half, found in report["by_half"].items()),
        *report["by_kind"].items(),
        *report["by_language"].items(),
    ]


def _fault(question: dict[str, Any]) -> str:
    """What is missing or too much in one answer, for people."""
    parts = [f"lacks {' | '.join(group)}" for group in question["missing"]] if question["outcome"] == "answered" else []
    parts += [f"says {text}" for text in question["forbidden"]]
    if question["judgement"] == "gold_without_page":
        parts.append("cites " + "; ".join(f"{c['source']} {c['pages']}" for c in question["cited"]))
    return ", ".join(parts)


def _measured(asked: Sequence[Asked]) -> dict[str, Any]:
    """Judgements of the answerable and of the unanswerable apart ({} where there are none), and what both come to."""
    groups = {
        "answerable": [a.first for a in asked if a.case.expected == "answered"],
        "unanswerable": [a.first for a in asked if a.case.expected != "answered"],
    }
    every = [a.first for a in asked]
    answered = [j for j in every if isinstance(j.answer, Answer) and j.answer.outcome == "answered"]
    right = sum(j.judgement == "right" for j in answered)
    wrong = sum(j.judgement in ("wrong", "forbidden") for j in answered)
    return {
        **{
            name: {
                judgement: asdict(measures.rate(sum(j.judgement == judgement for j in group), len(group)))
                for judgement in JUDGEMENTS
            }
            if group
            else {}
            for name, group in groups.items()
        },
        "as_expected": asdict(measures.rate(sum(j.judgement == "right" for j in every), len(every))),
        "wrong_and_not_refused": asdict(measures.rate(wrong, len(every))),
        "coverage": asdict(measures.rate(len(answered), len(every))),
        "selective_accuracy": asdict(measures.rate(right, len(answered))) if answered else None,
    }


def _split(asked: Sequence[Asked], key: Callable[[Asked], str]) -> dict[str, dict[str, Any]]:
    return {group: _measured([a for a in asked if key(a) == group]) for group in sorted({key(a) for a in asked})}


def _answers(asked: Sequence[Asked]) -> list[Answer]:
    """Every answer of every time of asking; what broke is none."""
    return [judged.answer for a in asked for judged in a.times if isinstance(judged.answer, Answer)]


def _milliseconds(asked: Sequence[Asked]) -> dict[str, dict[str, float]]:
    """Percentiles of every time of asking; a part is left out when no answer came to it."""
    timings = [answer.milliseconds for answer in _answers(asked)]
    parts = {
        "first_step": [t.first_step for t in timings if t.first_step is not None],
        "first_block": [t.first_block for t in timings if t.first_block is not None],
        "total": [t.total for t in timings],
    }
    return {name: {**reports.percentiles(values), "n": len(values)} for name, values in parts.items() if values}


def _question(asked: Asked) -> dict[str, Any]:
    case, first = asked.case, asked.first
    answer = first.answer if isinstance(first.answer, Answer) else None
    record: dict[str, Any] = {
        "id": case.id,
        "kind": case.kind,
        "language": case.language,
        "half": case.half,
        "question": case.question,
        "expected": case.expected,
        "outcome": answer.outcome if answer else "",
        "judgement": first.judgement,
        "missing": first.missing,
        "forbidden": first.forbidden,
        "cited": [{"source": source, "pages": pages} for source, pages in first.cited],
        "answer": answer.markdown if answer else "",
        "reason": answer.reason if answer else first.answer.message if isinstance(first.answer, Broke) else "",
        "milliseconds": asdict(answer.milliseconds) if answer else None,
    }
    if len(asked.times) > 1:
        record["answers"] = asked.answers
        record["judgements"] = [judged.judgement for judged in asked.times]
    return record


def _mcnemar(gained: int, lost: int) -> float:
    """Return the exact two-sided p of ``gained`` against ``lost`` when either is as likely (McNemar 1947).

    >>> _mcnemar(0, 5), _mcnemar(3, 3), _mcnemar(0, 0)
    (0.0625, 1.0, 1.0)
    """
    n = gained + lost
    tail = sum(math.comb(n, i) for i in range(min(gained, lost) + 1))
    return min(2 * tail / 2**n, 1.0)
