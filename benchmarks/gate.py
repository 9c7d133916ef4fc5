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

from pincite.answer.gate import gate_case


def interval(hits: int, n: int) -> str:
    """Return hits of n as a share with its 95 % Wilson interval."""
    if not n:
        return "n = 0"
    z, p = 1.96, hits / n
    middle = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return f"{p:.3f} ({max(0, middle - half):.3f}-{min(1, middle + half):.3f}, {hits} of {n})"


def main(path: str, *, errors: bool) -> None:
    cases = [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines() if line.strip()]
    groups: dict[tuple[str, str], list[bool]] = defaultdict(list)
    times: list[float] = []
    for case in cases:
        began = time.perf_counter()
        result = gate_case({"id": case["id"], "context": case["context"], "answer": case["answer"]})
        times.append((time.perf_counter() - began) * 1000)
        stopped = result["outcome"] != "answered"
        bad = case["label"] == "unsupported"
        measure = "catch" if bad else "false refusals"
        for group in ("all", case["kind"], "hard" if case.get("value_elsewhere_in_passage") else "easy"):
            groups[measure, group].append(stopped)
        if errors and stopped != bad:
            print(case["id"], case["kind"], case["label"], [s["text"] for s in case.get("unsupported_spans", [])])
            print("   ", case["answer"])
            for claim in result["claims"]:
                print("     ", claim["text"][:60], claim["verdict"], claim["confidence"], claim["reason"][:150])
    for measure, group in sorted(groups, key=lambda k: (k[0], k[1] != "all", k[1])):
        stopped = groups[measure, group]
        print(f"{measure:15} {group:28} {interval(sum(stopped), len(stopped))}")
    times.sort()
    p50, p95 = times[len(times) // 2], times[int(len(times) * 0.95)]
    print(f"ms/answer       mean {sum(times) / len(times):.1f}  p50 {p50:.1f}  p95 {p95:.1f}")


if __name__ == "__main__":
    main(sys.argv[1], errors="--errors" in sys.argv)
