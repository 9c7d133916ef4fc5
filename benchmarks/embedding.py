#!/usr/bin/env python3
"""Measure what embedding costs, and what a large library of datasheets would take.

    python benchmarks/embedding.py [--texts 60] [--config FILE]
    python benchmarks/embedding.py --sheets 2000 DIRECTORY [--workers 2]

The first form embeds texts of 128, 256 and 512 tokens, cut from the project's own documentation, one at a time on one
thread, with the configured model: texts for each second of CPU time, which is what one core that does nothing else
makes in a second. The second makes so many datasheets as the samples have them, each with another model, figures and
article, in DIRECTORY/sheets, indexes them into DIRECTORY/library as `pincite index` does, and prints the CPU time of
each stage, each document's share, and what 38,000 would take. It may be stopped and started again: what was read and
embedded is kept, and the projection then says less than the whole.
"""

from __future__ import annotations

import argparse
import resource
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from pincite.build import House
from pincite.index.embed import Encoder
from pincite.index.run import Progress
from pincite.settings import Settings, load

LENGTHS = (128, 256, 512)
DATASHEETS = 38_000
DOCUMENTATION = Path(__file__).parents[1] / "docs"


def cut(encoder: Encoder, text: str, tokens: int, count: int) -> list[str]:
    """``count`` pieces of ``text`` that are read as just under ``tokens`` tokens, prefix and ends included."""
    words, pieces, at = text.split(), list[str](), 0
    while len(pieces) < count:
        size = tokens  # at least one token a word
        while encoder.count(" ".join(words[at : at + size])) > tokens - 8:
            size -= max(1, size // 40)
        pieces.append(" ".join(words[at : at + size]))
        at = (at + size) % (len(words) - tokens)
    return pieces


def measure_lengths(house: House, count: int) -> None:
    encoder = house.encoder
    text = "\n".join(path.read_text(encoding="utf-8") for path in sorted(DOCUMENTATION.rglob("*.md")))
    print(f"{encoder.model}, {encoder.dimension} dimensions\n\n| tokens | texts for a second of one core |\n|---|---|")
    for tokens in LENGTHS:
        if tokens > encoder.habits.max_tokens:
            continue
        pieces = cut(encoder, text, tokens, count)
        encoder.passages(pieces[:3], threads=1)
        begun = time.process_time()
        encoder.passages(pieces, threads=1)
        print(f"| {tokens} | {count / (time.process_time() - begun):.1f} |", flush=True)


def scaled(points: tuple[Any, ...], by: float) -> tuple[Any, ...]:
    """Points of a pump's curve with head and power multiplied."""
    return tuple(
        (flow, round(head * by, 1), npsh, round(power * by, 1), share) for flow, head, npsh, power, share in points
    )


def make_sheets(folder: Path, count: int) -> None:
    sys.path.insert(0, str(Path(__file__).parents[1] / "samples"))
    import datasheets

    folder.mkdir(parents=True, exist_ok=True)
    for number in range(count):
        path = folder / f"CRX-{number:05}-rev3.pdf"
        if path.exists():
            continue
        words = (datasheets.EN, datasheets.NL)[number % 2]
        scale = 0.5 + number % 97 / 97

        pump = datasheets._crn32(3)
        pump = replace(
            pump,
            model=f"CRX {number // 100}-{number % 100}",
            article=f"98{number:06}",
            weight_kg=round(pump.weight_kg * scale, 1),
            at_1450=scaled(pump.at_1450, scale),
            at_2900=scaled(pump.at_2900, scale),
        )
        path.write_bytes(datasheets.sheet(pump, words))


def cpu() -> float:
    return sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


def index_sheets(directory: Path, count: int, workers: int | None) -> None:
    make_sheets(directory / "sheets", count)
    house = House(Settings(library=directory / "library"))
    indexer = house.indexer()
    stages: dict[str, float] = {}
    units: dict[str, int] = {}
    now, mark = "", cpu()

    def begin(stage: str, number: int) -> None:
        nonlocal now, mark
        stages[now] = stages.get(now, 0) + cpu() - mark
        now, mark = stage, cpu()
        units[stage] = number

    run = indexer.index_pdfs([directory / "sheets"], workers=workers, progress=Progress(begin=begin))
    stages[now] = stages.get(now, 0) + cpu() - mark
    pages = sum(report.pages for report in run.documents)
    print(f"{count} sheets, {pages} pages, {run.release.chunks} chunks; wall time {run.seconds}\n")
    print(f"| stage | s CPU | ms CPU a document | h of one core for {DATASHEETS:,} |\n|---|---|---|---|")
    for stage, seconds in stages.items():
        if stage:
            each = seconds / count
            print(f"| {stage} | {seconds:.0f} | {1000 * each:.0f} | {each * DATASHEETS / 3600:.1f} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory", type=Path, nargs="?")
    parser.add_argument("--texts", type=int, default=60)
    parser.add_argument("--config", type=Path)
    parser.add_argument("--sheets", type=int, default=0)
    parser.add_argument("--workers", type=int)
    given = parser.parse_args()
    if given.sheets and given.directory:
        index_sheets(given.directory, given.sheets, given.workers)
    else:
        measure_lengths(House(load(given.config, None)), given.texts)


if __name__ == "__main__":
    main()
