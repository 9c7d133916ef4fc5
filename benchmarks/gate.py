"""Measure the gate on labelled answers: ``python benchmarks/gate.py CASES.jsonl [--errors]``.

Cases: ``{id, kind, label: supported|unsupported, context: [str], answer, value_elsewhere_in_passage?}``. Prints the
catch rate and the false refusals, by kind and, of what a string search cannot see, apart; and milliseconds an answer.
An answer is stopped when not all of its sentences are released.
"""

from __future__ import annotations

import json
import math
import sys
import time
from collections import defaultdict
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
    if "cells" in case:
        table = Table(page=1, box=(0.0, 0.0, 0.0, 0.0), cells=tuple(Cell(*cell) for cell in case["cells"]))
        return [prepare(table, case.get("language", ""))]
    return [prepare(text, case.get("language", detect_language(text))) for text in case["context"]]


def main(path: str, *, errors: bool) -> None:
    cases = [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines() if line.strip()]
    groups: dict[tuple[str, str], list[bool]] = defaultdict(list)
    times: list[float] = []
    for case in cases:
        began = time.perf_counter()
        judged = judge(case["answer"], contexts_of(case), case.get("language", detect_language(case["answer"])))
        times.append((time.perf_counter() - began) * 1000)
        stopped = outcome(judged) != "answered"
        bad = case["label"] == "unsupported"
        measure = "catch" if bad else "false refusals"
        for group in ("all", case["kind"], "hard" if case.get("value_elsewhere_in_passage") else "easy"):
            groups[measure, group].append(stopped)
        if errors and stopped != bad:
            print(case["id"], case["kind"], case["label"], [s["text"] for s in case.get("unsupported_spans", [])])
            print("   ", case["answer"])
            for verdict in (v for sentence in judged for v in sentence.verdicts):
                print(
                    "     ", verdict.claim.text[:60], verdict.label, f"{verdict.confidence:.2f}", verdict.reason[:150]
                )
    for measure, group in sorted(groups, key=lambda k: (k[0], k[1] != "all", k[1])):
        stopped = groups[measure, group]
        print(f"{measure:15} {group:28} {interval(sum(stopped), len(stopped))}")
    times.sort()
    p50, p95 = times[len(times) // 2], times[int(len(times) * 0.95)]
    print(f"ms/answer       mean {sum(times) / len(times):.1f}  p50 {p50:.1f}  p95 {p95:.1f}")


if __name__ == "__main__":
    main(sys.argv[1], errors="--errors" in sys.argv)
