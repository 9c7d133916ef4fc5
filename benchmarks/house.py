#!/usr/bin/env python3
"""Measure a whole walk through the house: index two times, search, ask.

    .venv/bin/python benchmarks/house.py OUT.json PDF_FOLDER… [--cases CASES.jsonl]

Indexes the folders into a new library, once from nothing and once with nothing changed; then searches and asks the
cases' questions (default: the samples'). Prints pages a second of parsing with tables, chunks a second of embedding,
wall times, the second run's share of the first, p50 and p95 of search, time to the first verified block, peak memory.
Times depend on the machine and on what else runs on it; the shares of one run do not.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import psutil

from pincite.evaluate.cases import read_cases

SAMPLES = Path(__file__).parents[1] / "samples" / "cases.jsonl"
PINCITE = [sys.executable, "-m", "pincite.cli"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--cases", type=Path, default=SAMPLES)
    given = parser.parse_args()
    questions = [case.question for case in read_cases(given.cases)]
    with tempfile.TemporaryDirectory(prefix="pincite-benchmark-") as directory:
        library = Path(directory) / "library"
        figures = index_twice(given.folders, library) | search_and_ask(library, questions)
    given.out.write_text(json.dumps(figures, indent=1), encoding="utf-8")
    print(json.dumps(figures, indent=1))


def index_twice(folders: list[Path], library: Path) -> dict[str, Any]:
    command = [*PINCITE, "index", *map(str, folders), "--library", str(library), "--json"]
    first, first_s, peak = run_watched(command)
    second, second_s, _ = run_watched(command)
    pages = sum(report["pages"] for report in first["documents"])
    embedded = first["seconds"]["embed"]
    chunks = sum(report["chunks"] for report in first["documents"])
    return {
        "files": len(first["documents"]),
        "failed": [(r["source"], r["reason"]) for r in first["documents"] if r["status"] == "failed"],
        "pages": pages,
        "pages_not_text": sum(len(r["pages_not_text"]) for r in first["documents"]),
        "tables": sum(r["tables"] for r in first["documents"]),
        "chunks": chunks,
        "parse_pages_a_second": round(pages / first["seconds"]["parse"], 1),
        "embed_chunks_a_second": round(chunks / embedded, 1),
        "build_seconds": round(first["seconds"]["build"], 1),
        "index_seconds": round(first_s, 1),
        "index_again_seconds": round(second_s, 1),
        "index_again_share": round(second_s / first_s, 4),
        "published_again": second["published"],
        "peak_mib_of_all_index_processes": round(peak / 2**20),
        "cores": os.cpu_count(),
    }


def search_and_ask(library: Path, questions: list[str]) -> dict[str, Any]:
    import asyncio

    from pincite.build import House
    from pincite.settings import load
    from pincite.types import Finished

    house = House(load(None, library))
    retriever = house.retriever()
    retriever.search(questions[0])  # the first touch reads the store from disk
    spent: list[float] = []
    for question in questions:
        begun = time.perf_counter()
        retriever.search(question)
        spent.append((time.perf_counter() - begun) * 1000)

    async def ask_all() -> tuple[list[int], list[int], dict[str, int]]:
        answerer = house.answerer()
        first: list[int] = []
        total: list[int] = []
        outcomes: dict[str, int] = {}
        for question in questions:
            async for event in answerer.ask(question, conversation="", history=(), id=""):
                if isinstance(event, Finished):
                    answer = event.answer
                    outcomes[answer.outcome] = outcomes.get(answer.outcome, 0) + 1
                    total.append(answer.milliseconds.total)
                    if answer.milliseconds.first_block is not None:
                        first.append(answer.milliseconds.first_block)
        return first, total, outcomes

    first, total, outcomes = asyncio.run(ask_all())
    return {
        "search_ms": percentiles(spent),
        "first_block_ms": percentiles(first),
        "answer_ms": percentiles(total),
        "outcomes": outcomes,
        "peak_mib_while_answering": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
    }


def percentiles(values: list[float] | list[int]) -> dict[str, float]:
    ordered = sorted(values)
    return {
        "p50": round(statistics.median(ordered), 1),
        "p95": round(ordered[min(int(0.95 * len(ordered)), len(ordered) - 1)], 1),
        "n": len(ordered),
    }


def run_watched(command: list[str]) -> tuple[dict[str, Any], float, int]:
    """Return the command's JSON, its wall time in seconds, and the peak of resident bytes over it and its children."""
    begun = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        peak, over = [0], threading.Event()

        def watch() -> None:
            root = psutil.Process(process.pid)
            while not over.wait(0.5):
                try:
                    family = [root, *root.children(recursive=True)]
                    peak[0] = max(peak[0], sum(member.memory_info().rss for member in family))
                except psutil.Error:
                    continue

        watcher = threading.Thread(target=watch)
        watcher.start()
        printed = process.communicate()[0]
        over.set()
        watcher.join()
    if process.returncode:
        sys.exit(f"{' '.join(command)} ended with {process.returncode}")
    return json.loads(printed), time.perf_counter() - begun, peak[0]


if __name__ == "__main__":
    main()
