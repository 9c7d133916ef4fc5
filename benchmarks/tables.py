"""How tables are read: adjacency relations, merged cells, and what the confidence is worth.

    python benchmarks/tables.py TRUTH.jsonl PDF...

TRUTH: one table a line, {"doc", "page", "cells": [{"r0", "r1", "c0", "c1", "text"}]}, rows and columns from 0,
inclusive: ICDAR-2013, or what ``random_tables.py`` writes. Prints the macro F1, the merged cells, and for each band of
confidence how many tables were said and which share of their relations is true. A table that is none has no true ones.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

from random_tables import Score, cells_of, relations

from pincite.corpus.pdf import read_pdf

BANDS = ((0.0, 0.5), (0.5, 0.7), (0.7, 0.85), (0.85, 0.95), (0.95, 1.01))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("truth", type=Path)
    parser.add_argument("pdf", type=Path, nargs="+")
    parser.add_argument("--show", action="store_true", help="print each document that is not wholly right")
    options = parser.parse_args()
    truth: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    for line in options.truth.read_text(encoding="utf-8").splitlines():
        table = json.loads(line)
        truth[table["doc"]].append(table)
    score = Score()
    bands: defaultdict[tuple[float, float], list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    spent, pages = 0.0, 0
    for path in options.pdf:
        if path.name not in truth:
            continue
        start = time.process_time()
        parsed = read_pdf(path.read_bytes(), path.name)
        spent += time.process_time() - start
        pages += len(parsed.pages)
        mine = truth[path.name]
        said = [(t, cells_of(t)) for t in parsed.tables]
        on_page: defaultdict[int, list[Any]] = defaultdict(list)
        for table in mine:
            on_page[table["page"]].append(table)
        score.add(path.name, mine, [(table.page, cells) for table, cells in said])
        for table, cells in said:
            want = sum((relations(t["cells"]) for t in on_page[table.page]), Counter())
            got = relations(cells)
            band = next(b for b in BANDS if b[0] <= table.confidence < b[1])
            right = (want & got).total()
            for k, n in enumerate((1, right, got.total(), right >= 0.95 * got.total() > 0)):
                bands[band][k] += n
    print("         macro F1 (as seen)   micro P / R   documents whole   merged cells")
    print(f"         {score.line()}")
    if options.show:
        for value, doc in sorted(score.per_document):
            if value < 0.9999:
                print(f"    {value:.3f} {doc}")
    print("confidence   tables   relations that are true   tables with .95 of them true")
    for (low, high), (count, right, said_relations, good) in sorted(bands.items()):
        share = right / said_relations if said_relations else 0.0
        print(f"{low:.2f}-{min(high, 1.0):.2f}    {count:6}   {share:.3f}                     {good} of {count}")
    print(f"{1000 * spent / max(pages, 1):.1f} ms CPU a page, everything that reads it together")


if __name__ == "__main__":
    main()
