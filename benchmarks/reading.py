#!/usr/bin/env python3
"""Measure the whole reader: CPU time a page by stage, pages a second and core, memory, scaling; others as ratios.

    python benchmarks/reading.py PDF_FOLDER [--files N] [--scaling N] [--against pdfplumber camelot liteparse]

Every PDF under the folder (or a seeded sample of N) is read by ``read_pdf`` in one process: CPU milliseconds a page by
stage, exclusive of the stages inside it, and the peak of resident memory. ``--scaling`` reads a seeded sample of files
with one worker and with two, as the product does, and compares wall times (0 leaves it out); it says little on a
machine that does other work. ``--against`` reads a seeded sample of pages, each saved as a PDF of its own, with the
others that are installed (``pip install pdfplumber camelot-py liteparse``; none is a dependency of the product) and
with us: words with boxes, and tables where the engine has them. Times depend on the machine and on what else runs on
it; the ratios of one run do not.
"""

from __future__ import annotations

import argparse
import importlib
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pypdfium2

STAGES = {
    "PDFium's page": ("pypdfium2:PdfDocument.get_page", "pypdfium2:PdfPage.get_textpage"),
    "words": ("pincite.corpus.pdfium:found_words",),
    "ink": ("pincite.corpus.pdfium:seen_words",),
    "rules": ("pincite.corpus.pdfium:_Drawings.collect",),
    "tables": ("pincite.corpus.pdf:find_tables", "pincite.corpus.pdf:continued"),
    "lines": ("pincite.corpus.pdf:_lines", "pincite.corpus.pdf:furniture_of"),
    "sections": ("pincite.corpus.pdf:find_sections",),
}
"""Functions, by the module that calls them, whose time is the stage's; all else is "the rest"."""


class Clock:
    """CPU time of the stages, each without the stages it calls."""

    def __init__(self) -> None:
        self.spent: defaultdict[str, float] = defaultdict(float)
        self._running = ["the rest"]
        self._since = time.process_time()

    def turn_to(self, stage: str) -> None:
        now = time.process_time()
        self.spent[self._running[-1]] += now - self._since
        self._since = now
        self._running.append(stage)

    def turn_back(self) -> None:
        now = time.process_time()
        self.spent[self._running.pop()] += now - self._since
        self._since = now

    def watch(self, stage: str, place: str) -> None:
        """Time the function at ``module:name`` as a part of ``stage``.

        Raises:
            AttributeError: If it has another name by now: then this list must follow.
        """
        module, name = place.split(":")
        holder: Any = importlib.import_module(module)  # Any: functions are replaced in it by name.
        *parts, last = name.split(".")
        for part in parts:
            holder = getattr(holder, part)
        inner = getattr(holder, last)

        def timed(*args: Any, **kwargs: Any) -> Any:
            self.turn_to(stage)
            try:
                return inner(*args, **kwargs)
            finally:
                self.turn_back()

        setattr(holder, last, timed)


def read_all(files: Sequence[Path], *, by_stage: bool) -> dict[str, Any]:
    """Read files in this process; CPU seconds by stage, pages, and peak resident MiB."""
    from pincite.corpus import language
    from pincite.corpus.pdf import read_pdf

    language.load()
    clock = Clock()
    for stage, places in STAGES.items() if by_stage else ():
        for place in places:
            clock.watch(stage, place)
    pages = characters = 0
    begun = time.process_time()
    clock.turn_to("the rest")
    for file in files:
        document = read_pdf(file.read_bytes(), file.name)
        pages += len(document.pages)
        characters += sum(len(line.text) for line in document.lines)
    clock.turn_back()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return {
        "pages": pages,
        "characters": characters,
        "cpu_s": time.process_time() - begun,
        "stages": {stage: clock.spent[stage] for stage in (*STAGES, "the rest")},
        "peak_mib": peak / (1 << 20 if sys.platform == "darwin" else 1 << 10),
    }


def in_a_child(*arguments: str) -> dict[str, Any]:
    """Run this script again with other arguments; what it prints is JSON. Each engine's memory is its own."""
    done = subprocess.run([sys.executable, __file__, *arguments], stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout)


def scaling(files: Sequence[Path]) -> dict[str, float]:
    """Pages a second of wall time through the jailed workers, by number of workers."""
    from pincite.corpus.ingest import read_files
    from pincite.corpus.library import Library

    found: dict[str, float] = {}
    for workers in (1, 2):
        with tempfile.TemporaryDirectory(prefix="pincite-reading-") as folder:
            begun = time.perf_counter()
            reads = read_files(files, Library(Path(folder)), workers=workers)
            took = time.perf_counter() - begun
            # While the folder is there: the library keeps what was read in it.
            pages = sum(len(read.parsed.pages) for read in reads if read.parsed)
        found[f"{workers} worker{'s' if workers > 1 else ''}"] = pages / took
    return found


# ---------------------------------------------------------------- others


def read_with_pincite(file: Path) -> tuple[int, int]:
    from pincite.corpus.pdf import read_pdf

    document = read_pdf(file.read_bytes(), file.name)
    return sum(len(line.text.split()) for line in (*document.lines, *document.furniture)), len(document.tables)


def read_with_pdfplumber(file: Path) -> tuple[int, int]:
    import pdfplumber

    with pdfplumber.open(file) as document:
        page = document.pages[0]
        return len(page.extract_words()), len(page.extract_tables())


def read_with_camelot(file: Path) -> tuple[int, int]:
    import camelot

    return 0, len(camelot.read_pdf(str(file), flavor="lattice"))


def read_with_liteparse(file: Path) -> tuple[int, int]:
    import liteparse

    page = liteparse.LiteParse(ocr_enabled=False, quiet=True).parse(str(file)).pages[0]
    return len(page.text_items), 0


ENGINES: dict[str, Callable[[Path], tuple[int, int]]] = {
    "pincite": read_with_pincite,
    "pdfplumber": read_with_pdfplumber,
    "camelot": read_with_camelot,
    "liteparse": read_with_liteparse,
}


def measure(engine: str, files: Sequence[Path]) -> dict[str, Any]:
    """Read one-page files with an engine; the first is read twice, so that imports and models do not count."""
    read = ENGINES[engine]
    read(files[0])
    words = tables = failed = 0
    begun = time.process_time()
    for file in files:
        try:
            some, found = read(file)
        except Exception:  # Whatever an engine raises on a page is a page it failed on.
            failed += 1
            continue
        words, tables = words + some, tables + found
    took = time.process_time() - begun
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 << 20 if sys.platform == "darwin" else 1 << 10)
    return {"ms": 1000 * took / len(files), "words": words, "tables": tables, "failed": failed, "peak_mib": peak}


def save_pages(files: Sequence[Path], count: int, seed: int, folder: Path) -> list[Path]:
    """Save ``count`` pages, drawn by lot among all pages of ``files``, as PDFs of their own."""
    where: list[tuple[Path, int]] = []
    for file in files:
        with pypdfium2.PdfDocument(file) as document:
            where += [(file, index) for index in range(len(document))]
    drawn = random.Random(seed).sample(where, min(count, len(where)))
    out: list[Path] = []
    for number, (file, index) in enumerate(drawn):
        with pypdfium2.PdfDocument(file) as document, pypdfium2.PdfDocument.new() as single:
            single.import_pages(document, [index])
            out.append(folder / f"{number:04}.pdf")
            single.save(out[-1])
    return out


def compare(files: Sequence[Path], engines: Sequence[str], count: int, seed: int) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    with tempfile.TemporaryDirectory(prefix="pincite-reading-") as folder:
        saved = save_pages(files, count, seed, Path(folder))
        for engine in ("pincite", *engines):
            found[engine] = in_a_child("--engine", engine, *map(str, saved))
    return found


def installed(engines: Sequence[str]) -> list[str]:
    found = [engine for engine in engines if importlib.util.find_spec(engine)]
    for engine in set(engines) - set(found):
        name = "camelot-py" if engine == "camelot" else engine
        print(f"{engine} is not installed here (pip install {name}): left out", file=sys.stderr)
    return found


# ---------------------------------------------------------------- report


def print_stages(figures: dict[str, Any]) -> None:
    pages, cpu = figures["pages"], figures["cpu_s"]
    print(f"{pages} pages, {figures['characters']} characters in lines, {cpu:.1f} s of CPU")
    print(f"\n{'stage':16}{'ms a page':>10}{'share':>8}")
    for stage, seconds in figures["stages"].items():
        print(f"{stage:16}{1000 * seconds / pages:10.2f}{seconds / cpu:8.0%}")
    print(f"{'everything':16}{1000 * cpu / pages:10.2f}{pages / cpu:8.1f} pages/s and core")
    print(f"peak resident memory {figures['peak_mib']:.0f} MiB")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="+")
    parser.add_argument("--files", type=int, default=0, help="read a seeded sample of so many files (default: all)")
    parser.add_argument("--scaling", type=int, default=6, help="files that are read with one worker and with two")
    parser.add_argument("--against", nargs="*", default=[], choices=sorted(set(ENGINES) - {"pincite"}))
    parser.add_argument("--pages", type=int, default=60, help="pages the others are measured on")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    parser.add_argument("--engine", choices=sorted(ENGINES), help=argparse.SUPPRESS)
    parser.add_argument("--stages", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.engine or given.stages:
        figures = measure(given.engine, given.folder) if given.engine else read_all(given.folder, by_stage=True)
        print(json.dumps(figures))
        return
    files = sorted({f for path in given.folder for f in (path.rglob("*.pdf") if path.is_dir() else [path])})
    if not files:
        sys.exit("no PDF there")
    lots = random.Random(given.seed)
    some = sorted(lots.sample(files, min(given.files, len(files)))) if given.files else files
    report: dict[str, Any] = {"reading": in_a_child("--stages", *map(str, some))}
    if given.scaling:
        report["pages_a_second"] = scaling(lots.sample(files, min(given.scaling, len(files))))
    if engines := installed(given.against):
        report["against"] = compare(files, engines, given.pages, given.seed)
    if given.json:
        print(json.dumps(report, indent=1))
        return
    print_stages(report["reading"])
    for workers, rate in report.get("pages_a_second", {}).items():
        print(f"{workers}: {rate:.1f} pages a second of wall time")
    if "against" in report:
        ours = report["against"]["pincite"]["ms"]
        print(f"\n{'engine':12}{'ms a page':>10}{'ratio':>8}{'words':>8}{'tables':>8}{'failed':>8}{'MiB':>6}")
        for engine, f in report["against"].items():
            print(
                f"{engine:12}{f['ms']:10.1f}{f['ms'] / ours:8.1f}{f['words']:8}{f['tables']:8}{f['failed']:8}"
                f"{f['peak_mib']:6.0f}"
            )


if __name__ == "__main__":
    main()
