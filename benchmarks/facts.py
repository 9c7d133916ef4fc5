"""Share of facts about pages that hold in what the parser reads, by type.

    python benchmarks/facts.py open.jsonl PDF_FOLDER [--no-ocr] [--missed]

A fact is a record ``{doc, page, id, type, …}`` in the manner of the olmOCR benchmark (Apache-2.0):

- ``present``, ``absent``: ``text`` is, or is not, in the page's body, but for ``max_diffs`` wrong characters
  (``first_n``, ``last_n``: only so many characters are looked at; ``case_sensitive``);
- ``order``: ``before`` stands before ``after``;
- ``table``: some cell reads ``cell`` and has the neighbour ``up``, ``down``, ``left``, ``right``, or stands under the
  ``top_heading`` or right of the ``left_heading``;
- ``math``: a formula in LaTeX. Pincite quotes what is printed and writes no LaTeX: these never hold, and are counted.

White space, kinds of quotation marks and of dashes make no difference.
"""

from __future__ import annotations

import argparse
import json
import re
import time
import unicodedata
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from pincite.corpus.ingest import inspect_pdf
from pincite.corpus.tables import rows
from pincite.types import ParsedDocument

_SAME = str.maketrans({**dict.fromkeys("‘’‚‛′", "'"), **dict.fromkeys("“”„‟″", '"'), **dict.fromkeys("‐‑‒–—―−", "-")})


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("facts", type=Path)
    arguments.add_argument("pdfs", type=Path)
    arguments.add_argument("--no-ocr", action="store_true", help="Read text layers only.")
    arguments.add_argument("--missed", action="store_true", help="Print each fact that does not hold.")
    given = arguments.parse_args()
    facts = [json.loads(line) for line in given.facts.read_text(encoding="utf-8").splitlines() if line.strip()]
    documents: dict[str, ParsedDocument] = {}
    begun = time.monotonic()
    for name in sorted({fact["doc"] for fact in facts}):
        documents[name] = inspect_pdf(given.pdfs / name, engine="off" if given.no_ocr else "auto")
    seconds = time.monotonic() - begun
    tally: defaultdict[str, list[int]] = defaultdict(lambda: [0, 0])
    for fact in facts:
        document = documents[fact["doc"]]
        verdict = next(page.verdict for page in document.pages if page.page == fact["page"])
        held = holds(fact, document)
        for group in ("all", fact["type"], f"pages with the verdict {verdict}"):
            tally[group][0] += held
            tally[group][1] += 1
        if given.missed and not held:
            print(f"missed: {json.dumps(fact, ensure_ascii=False)}")
    for group, (held, count) in sorted(tally.items()):
        print(f"{group:32} {held:3} of {count:3}  {held / count:.2f}")
    print(f"{seconds:.1f} s for {len(documents)} files")


def holds(fact: dict[str, Any], document: ParsedDocument) -> bool:
    """Return whether a fact holds in what was read."""
    text = normal("\n".join(line.text for line in document.lines if line.page == fact["page"]))
    kind = fact["type"]
    if kind in ("present", "absent"):
        return (place(fact["text"], text, fact) is not None) == (kind == "present")
    if kind == "order":
        before, after = place(fact["before"], text, fact), place(fact["after"], text, fact)
        return before is not None and after is not None and before < after
    return kind == "table" and any(_in_table(fact, grid) for grid in _grids(document, fact["page"]))


def normal(text: str) -> str:
    """Return text without what makes no difference."""
    return " ".join(unicodedata.normalize("NFC", text).translate(_SAME).replace("\xad", "").split())


def place(wanted: str, text: str, fact: dict[str, Any]) -> int | None:
    """Return where the first best match of ``wanted`` ends, with at most ``max_diffs`` edits; None without one."""
    wanted = normal(wanted)
    first, last = fact.get("first_n"), fact.get("last_n")
    if first or last:
        text = (text[:first] if first else "") + " " + (text[-last:] if last else "")
    if not fact.get("case_sensitive", True):
        wanted, text = wanted.lower(), text.lower()
    costs = edits(wanted, text)
    best = int(np.argmin(costs))
    return best if costs[best] <= int(fact.get("max_diffs", 0)) else None


def edits(wanted: str, text: str) -> np.ndarray:
    """Return, for each end in ``text``, the fewest edits that make some piece ending there ``wanted`` (Sellers 1980).

    >>> edits("abc", "xxabdx").tolist()
    [3, 3, 3, 2, 1, 1, 2]
    """
    letters = np.array([ord(c) for c in text], dtype=np.int64)
    steps = np.arange(len(text) + 1)
    row = np.zeros(len(text) + 1, dtype=np.int64)
    for k, letter in enumerate(wanted, 1):
        following = np.empty_like(row)
        following[0] = k
        following[1:] = np.minimum(row[1:] + 1, row[:-1] + (letters != ord(letter)))
        # A deletion may follow a deletion: the running minimum of cost - position carries it along the row.
        row = np.minimum.accumulate(following - steps) + steps
    return row


def _grids(document: ParsedDocument, page: int) -> Iterator[list[list[str]]]:
    for table in document.tables:
        if table.page == page:
            yield [[normal(cell) for cell in row] for row in rows(table)]


def _in_table(fact: dict[str, Any], grid: list[list[str]]) -> bool:
    return any(
        _same(fact["cell"], cell) and all(_beside(fact, grid, r, c, side) for side in _SIDES if fact.get(side))
        for r, row in enumerate(grid)
        for c, cell in enumerate(row)
    )


_SIDES = {
    "up": (-1, 0),
    "down": (1, 0),
    "left": (0, -1),
    "right": (0, 1),
    "top_heading": (-1, 0),
    "left_heading": (0, -1),
}


def _beside(fact: dict[str, Any], grid: list[list[str]], r: int, c: int, side: str) -> bool:
    down, across = _SIDES[side]
    while 0 <= (r := r + down) < len(grid) and 0 <= (c := c + across) < len(grid[r]):
        if _same(fact[side], grid[r][c]):
            return True
        if not side.endswith("heading"):
            return False
    return False


def _same(wanted: str, cell: str) -> bool:
    return re.sub(r"\s+", "", normal(wanted)) == re.sub(r"\s+", "", cell)


if __name__ == "__main__":
    main()
