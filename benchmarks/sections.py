"""Write the sections of statutes as JSONL for a scorer, and hold them against passages with known label and page.

    python benchmarks/sections.py PASSAGES.jsonl PDF_FOLDER OUT.jsonl [--show]

PASSAGES: lines `{"doc", "section", "page_start"}`. OUT: lines `{"doc", "sections": [{"title", "path", "page"}]}`. A
section is right when its label begins the title of a section on the right sheet, each used once; preambles without a
printed label (aanhef, Kopf) are left out. A label of exactly 80 characters was cut there by whoever made the passages;
"of whole labels" leaves those out, since most end inside a word. A label that is the end of a found title on its sheet
is not right, but counted: whoever made the passages parted "Teil II" from the title printed below it. What is found
besides is mostly sub-headings, which the passages do not name.
"""

from __future__ import annotations

import argparse
import json
import re
import unicodedata
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from headings import read_all

CUT = 80
_UNPRINTED = {"aanhef", "kopf"}


def _plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).lower().split())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("passages", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--show", action="store_true", help="print every difference")
    chosen = parser.parse_args()
    wanted: defaultdict[str, list[tuple[str, int]]] = defaultdict(list)
    for line in chosen.passages.read_text("utf-8").splitlines():
        passage = json.loads(line)
        if _plain(passage["section"]) not in _UNPRINTED:
            wanted[passage["doc"]].append((passage["section"], passage["page_start"]))
    found: dict[str, Sequence[dict[str, object]]] = {}
    with chosen.out.open("w", encoding="utf-8") as out:
        for read in read_all([chosen.folder]):
            sections = [{"title": s.title, "path": s.path, "page": s.page} for s in read.document.sections]
            found[read.document.source] = sections
            out.write(json.dumps({"doc": read.document.source, "sections": sections}, ensure_ascii=False) + "\n")
    right = total = whole_right = whole = besides = ends = 0
    for name, labels in wanted.items():
        free = [(_plain(str(s["title"])), s["page"]) for s in found.get(name, ())]
        for label, page in labels:
            pattern = re.compile(re.escape(_plain(label)) + r"(\W|$)")
            hit = next((f for f in free if f[1] == page and pattern.match(f[0])), None)
            total += 1
            whole += len(label) != CUT
            if hit is None:
                ends += any(f[1] == page and f[0].endswith(_plain(label)) for f in free)
                if chosen.show:
                    print(f"{name}: missed p{page} {label!r}")
                continue
            free.remove(hit)
            right += 1
            whole_right += len(label) != CUT
        besides += len(free)
        if chosen.show:
            print(*(f"{name}: besides p{page} {title!r}" for title, page in free), sep="\n")
    print(f"right {right} of {total} ({right / max(total, 1):.4f}); found besides {besides}")
    print(f"of the others, {ends} are the end of a found title")
    print(f"of whole labels {whole_right} of {whole} ({whole_right / max(whole, 1):.4f})")


if __name__ == "__main__":
    main()
