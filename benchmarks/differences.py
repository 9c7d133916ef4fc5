#!/usr/bin/env python3
"""Count what two revisions differ in, and the time it takes.

    .venv/bin/python benchmarks/differences.py OLD.pdf NEW.pdf [--show]

Prints sections added, gone and changed, stretches of text and cells that changed, rows and columns that came and went,
and the CPU time of comparing what was read. ``--show`` prints the difference as ``pincite releases diff`` does. Both
revisions against themselves must give nothing, or it ends with an error.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from pincite.corpus.ingest import inspect_pdf
from pincite.index.content import content_of
from pincite.index.difference import compare_contents
from pincite.show_difference import content_difference


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    parser.add_argument("--show", action="store_true")
    given = parser.parse_args()
    parsed = [inspect_pdf(path) for path in (given.old, given.new)]
    begun = time.process_time()
    was, now = map(content_of, parsed)
    found = compare_contents(was, now)
    seconds = time.process_time() - begun
    if not all(compare_contents(side, side).is_empty for side in (was, now)):
        sys.exit("a revision differs from itself")
    tables = found.tables.changed
    print(f"pages {len(parsed[0].pages)} → {len(parsed[1].pages)}, {seconds:.2f} s CPU to compare")
    print(f"sections: {len(found.added)} added, {len(found.removed)} gone, {len(found.sections)} changed")
    print(
        f"text: {sum(len(s.text) for s in found.sections)} stretches changed, {found.sentences_moved} sentences moved"
    )
    print(
        f"tables: {len(found.tables.added)} added, {len(found.tables.removed)} gone, {len(tables)} changed: "
        f"{sum(len(t.cells) for t in tables)} cells, rows {sum(len(t.rows_added) for t in tables)} added and "
        f"{sum(len(t.rows_removed) for t in tables)} gone"
    )
    if given.show:
        print("\n".join(content_difference(found)))


if __name__ == "__main__":
    main()
