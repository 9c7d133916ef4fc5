#!/usr/bin/env python3
"""Measure searches of a running server: one after another, then many at a time.

    .venv/bin/python benchmarks/searching.py LIBRARY CASES.jsonl [--at-once 16] [--rounds 3]

Serves the library on a free port of 127.0.0.1, asks every question of the cases once to warm up, then each one alone,
then all of them ``rounds`` times from ``at-once`` threads. Prints p50 and p95, CPU time of the server, how many failed.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import psutil
from served import serving

from pincite.evaluate.cases import read_cases
from pincite.index.releases import Releases


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("library", type=Path)
    parser.add_argument("cases", type=Path)
    parser.add_argument("--at-once", type=int, default=16)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    questions = [case.question for case in read_cases(given.cases)]

    with serving(given.library) as server:

        def search(question: str) -> float:
            begun = time.perf_counter()
            server.search(question)
            return 1000 * (time.perf_counter() - begun)

        for question in questions:
            search(question)
        process = psutil.Process(server.process.pid)
        before = sum(process.cpu_times()[:2])
        alone = [search(question) for question in questions]
        cpu = 1000 * (sum(process.cpu_times()[:2]) - before) / len(questions)
        print(f"{Releases(given.library).current().chunks} chunks, {len(questions)} questions, other work: see load")
        print(f"one at a time: {_shown(alone)}; {cpu:.1f} ms CPU of the server for each")
        with ThreadPoolExecutor(given.at_once) as pool:
            begun = time.perf_counter()
            many = list(pool.map(_counted(search), questions * given.rounds))
            seconds = time.perf_counter() - begun
        good = [milliseconds for milliseconds in many if milliseconds is not None]
        print(
            f"{given.at_once} at a time: {_shown(good)}; {len(good) / seconds:.0f} a second; "
            f"{len(many) - len(good)} of {len(many)} failed"
        )


def _counted(search: Callable[[str], float]) -> Callable[[str], float | None]:
    def counted(question: str) -> float | None:
        try:
            return search(question)
        except Exception as error:  # counted and said: the run goes on, as other users' would
            print(f"failed: {type(error).__name__}: {error}", file=sys.stderr)
            return None

    return counted


def _shown(milliseconds: list[float]) -> str:
    p50, p95 = np.percentile(milliseconds, [50, 95])
    return f"p50 {p50:.1f} ms, p95 {p95:.1f} ms"


if __name__ == "__main__":
    main()
