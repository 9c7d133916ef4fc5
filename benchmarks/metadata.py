"""How many titles and dates are read as their covers print them.

    python benchmarks/metadata.py CASES.jsonl PDF_FOLDER [--show]

A case is {source, title, date}, read on the first sheets, by no code; date "" where none is printed there. A title is
right when it holds the printed one, with at most 45 letters more (number, revision, subtitle). A date is right to the
precision that is printed; where none is printed the one that is given must be said to come from the metadata.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from pathlib import Path

from references import share, squeezed

from pincite.corpus.ingest import find_pdfs, read_files
from pincite.corpus.library import Library
from pincite.corpus.metadata import describe

MORE = 45


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cases", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--library", type=Path, default=Path(tempfile.gettempdir()) / "pincite-references")
    parser.add_argument("--show", action="store_true", help="print what is not right")
    arguments = parser.parse_args()
    cases = {c["source"]: c for c in map(json.loads, arguments.cases.read_text(encoding="utf-8").splitlines())}
    library = Library(arguments.library)
    titles = dates = summaries = pages = 0
    spent = 0.0
    read = [one for one in read_files(find_pdfs([arguments.folder]), library, workers=1) if one.source in cases]
    for one in read:
        parsed = library.needed(one.sha256)
        begun = time.process_time()
        found = describe(parsed)
        spent += time.process_time() - begun
        pages += len(parsed.pages)
        case = cases[one.source]
        title = found.title.reading.value if found.title.reading else ""
        wanted, said = squeezed(case["title"]), squeezed(title)
        title_right = wanted in said and len(said) - len(wanted) <= MORE
        date = found.date.reading
        if case["date"]:
            date_right = date is not None and date.value == case["date"]
        else:
            date_right = date is None or date.read_from == "metadata"
        titles += title_right
        dates += date_right
        summaries += found.summary.reading is not None
        if arguments.show and not title_right:
            print(f"title  {one.source}: {title!r}, printed {case['title']!r}")
        if arguments.show and not date_right:
            print(f"date   {one.source}: {date.value if date else ''!r}, printed {case['date']!r}")
    n = len(read)
    print(f"titles right   {share(titles, n)}")
    print(f"dates right    {share(dates, n)}")
    print(f"with a summary {share(summaries, n)}")
    print(f"{1000 * spent / pages:.2f} ms CPU a page")


if __name__ == "__main__":
    main()
