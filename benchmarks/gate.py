"""Measure the gate on labelled answers: ``python benchmarks/gate.py CASES.jsonl [--half open|kept] [--errors]``.

Cases: ``{id, kind, label: supported|unsupported, context: [str], answer, language?, context_language?, half?, pair?,
value_elsewhere_in_passage?}``. Prints the catch rate and the false refusals, by kind, language and half and, of what a
string search cannot see, apart; for cases that come in pairs, one right and one wrong over the same passage, the share
told apart (the right one released and the wrong one stopped); and milliseconds an answer. An answer is stopped when not
all of its sentences are released. A file with halves is measured on one of them: the kept half is for the end.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pincite.answer.contexts import Prepared
from pincite.answer.gate import judge, outcome, prepare
from pincite.answer.words import detect_language
from pincite.types import Cell, Table


def interval(hits: int, n: int) -> str:
    """Return hits of n as a share with its 95 % Wilson interval."""
    if not n:
        return "n = 0"
    z, p = 1.96, hits / n
    middle = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return f"{p:.3f} ({max(0, middle - half):.3f}-{min(1, middle + half):.3f}, {hits} of {n})"


def contexts_of(case: dict[str, Any]) -> list[Prepared]:
    """Return the contexts of a case: its texts, or the table that its ``cells`` (r0, r1, c0, c1, text) make."""
    language = case.get("context_language", case.get("language"))
    if "cells" in case:
        table = Table(page=1, box=(0.0, 0.0, 0.0, 0.0), cells=tuple(Cell(*cell) for cell in case["cells"]))
        return [prepare(table, language or "")]
    return [prepare(text, detect_language(text) if language is None else language) for text in case["context"]]


def groups_of(case: dict[str, Any]) -> Iterator[str]:
    """Yield the groups that a case is counted in."""
    yield "all"
    yield case["kind"]
    if "language" in case:
        yield f"language {case['language']}"
    if "half" in case:
        yield f"half {case['half']}"


def cases_of(path: Path, half: str | None) -> list[dict[str, Any]]:
    """Return the cases of a file, of one half where it has halves.

    Raises:
        SystemExit: If the file has halves and none is named, or no case is left.
    """
    cases = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    if half is None and any("half" in case for case in cases):
        raise SystemExit(f"{path} has halves: name one with --half open (or, at the end, --half kept)")
    chosen = [case for case in cases if half is None or case.get("half") == half]
    if not chosen:
        raise SystemExit(f"{path} holds no cases{f' of the half {half}' if half else ''}")
    return chosen


def main(path: Path, *, half: str | None, errors: bool) -> None:
    cases = cases_of(path, half)
    groups: dict[tuple[str, str], list[bool]] = defaultdict(list)
    twins: dict[str, list[bool]] = defaultdict(list)
    groups_of_twins: dict[str, list[str]] = {}
    times: list[float] = []
    for case in cases:
        began = time.perf_counter()
        judged = judge(case["answer"], contexts_of(case), case.get("language", detect_language(case["answer"])))
        times.append((time.perf_counter() - began) * 1000)
        stopped = outcome(judged) != "answered"
        bad = case["label"] == "unsupported"
        measure = "catch" if bad else "false refusals"
        for group in (*groups_of(case), "hard" if case.get("value_elsewhere_in_passage") else "easy"):
            groups[measure, group].append(stopped)
        if "pair" in case:
            twins[case["pair"]].append(stopped == bad)
            groups_of_twins[case["pair"]] = list(groups_of(case))
        if errors and stopped != bad:
            print(case["id"], case["kind"], case["label"], [s["text"] for s in case.get("unsupported_spans", [])])
            print("   ", case["answer"])
            for verdict in (v for sentence in judged for v in sentence.verdicts):
                print(
                    "     ", verdict.claim.text[:60], verdict.label, f"{verdict.confidence:.2f}", verdict.reason[:150]
                )
    for pair, right in twins.items():
        for group in groups_of_twins[pair]:
            groups["told apart", group].append(all(right))
    for measure, group in sorted(groups, key=lambda k: (k[0], k[1] != "all", k[1])):
        stopped = groups[measure, group]
        print(f"{measure:15} {group:28} {interval(sum(stopped), len(stopped))}")
    times.sort()
    p50, p95 = times[len(times) // 2], times[int(len(times) * 0.95)]
    print(f"ms/answer       mean {sum(times) / len(times):.1f}  p50 {p50:.1f}  p95 {p95:.1f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Measure the gate on labelled answers.")
    parser.add_argument("cases", type=Path)
    parser.add_argument("--half", choices=("open", "kept"))
    parser.add_argument("--errors", action="store_true", help="print what was judged wrongly, with its verdicts")
    arguments = parser.parse_args()
    main(arguments.cases, half=arguments.half, errors=arguments.errors)
