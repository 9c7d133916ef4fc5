"""How many references are found, and how many lead where they should, on mentions that were read on their pages.

    python benchmarks/references.py CASES.jsonl PDF_FOLDER [--half development|"held back"] [--show]

A case is a place on a page that a broad search for words like "section 4" found, read in its context, by no code. Its
``expected`` is a place ({document, section, page}; section None: the document as a whole, page None then), "unresolved"
(a reference to what the folder does not hold, or to a section that does not exist) or "no reference" (a heading, a
caption, a list of contents, a running header, an address). ``optional`` cases (keys of a bibliography, labels in a
drawing) count only where something was found. A target is right when its document is, its section begins as expected
and its page is the expected one. Parsed documents are kept in a library beside the system's temporary files.
"""

from __future__ import annotations

import argparse
import json
import re
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from pincite.corpus.ingest import find_pdfs, read_files
from pincite.corpus.library import Library
from pincite.corpus.resolving import Found, Resolver, Source, searched_lines
from pincite.corpus.vetting import Candidate, decide, identify
from pincite.evaluate.measures import rate
from pincite.types import ParsedDocument

AROUND = (40, 25, 12, 6, 0)
"""Letters and digits of the context that are compared, the longest first that is found once."""


def read(folder: Path, library: Library) -> list[tuple[Source, ParsedDocument]]:
    reads = [one for one in read_files(find_pdfs([folder]), library, workers=1) if not one.reason]
    documents = [library.needed(one.sha256) for one in reads]
    candidates = [
        Candidate(
            one.source,
            one.sha256,
            identify(one.source, [line.text for line in d.lines if line.page == 1], dict(d.metadata)),
            one.path.parent.name,
        )
        for one, d in zip(reads, documents, strict=True)
    ]
    vetted = decide(candidates)
    return [
        (Source(v.document, d, v.standing == "citable"), d)
        for v, d in zip(vetted, documents, strict=True)
        if v.standing != "rejected"
    ]


def squeezed(text: str) -> str:
    return re.sub(r"[\W_]+", "", text).lower()


class Letters:
    """The letters and digits of a page's lines, with where each of them stands."""

    def __init__(self, document: ParsedDocument, page: int) -> None:
        self.text = ""
        self.places: list[tuple[int, int]] = []
        for i, line in enumerate(searched_lines(document)):
            if line.page != page:
                continue
            for k, c in enumerate(line.text):
                for letter in squeezed(c):
                    self.text += letter
                    self.places.append((i, k))

    def find(self, case: dict[str, Any]) -> list[tuple[int, int]]:
        """Return (line, character) of the letters of a mention; nothing when the body does not have it once."""
        before, mention, after = (squeezed(case[key]) for key in ("before", "mention", "after"))
        for n in AROUND:
            for left, right in ((before[-n:] if n else "", after[:n]), (before[-n:] if n else "", ""), ("", after[:n])):
                wanted = left + mention + right
                if self.text.count(wanted) == 1:
                    at = self.text.index(wanted) + len(left)
                    return self.places[at : at + len(mention)]
        return []


def covers(found: Found, letters: list[tuple[int, int]]) -> int:
    """Return how many of the letters a reference covers."""
    m = found.mention
    return sum((m.first_line, m.start) <= place < (m.last_line, m.end) for place in letters)


def is_right(expected: dict[str, Any], found: Found, files: dict[str, str]) -> bool:
    for target in found.targets:
        if files.get(target.document) != expected["document"]:
            continue
        section, page = expected["section"], expected["page"]
        if section is None:
            return not target.section
        heading = squeezed(target.section[-1]) if target.section else ""
        wanted = squeezed(section)
        caption = section.lower().startswith(("table", "figure"))
        bare = re.sub(r"^(section|article|chapter|appendix|annex)", "", heading)
        begins = heading.startswith(wanted) or bare.startswith(
            re.sub(r"^(section|article|chapter|appendix)", "", wanted)
        )
        if target.page == page and (caption or begins):
            return True
    return False


def judge(case: dict[str, Any], found: Found | None, files: dict[str, str]) -> str:
    """Return one of: right, wrong target, spurious, missed, quiet (nothing found where nothing is)."""
    expected = case["expected"]
    if found is None:
        return "quiet" if expected == "no reference" or case.get("optional") else "missed"
    if expected == "no reference":
        return "spurious"
    if expected == "unresolved":
        return "right" if not found.targets else "wrong target"
    return "right" if is_right(expected, found, files) else "wrong target"


def share(k: int, n: int) -> str:
    found = rate(k, n)
    return f"{found.value:.3f} ({found.low:.3f}-{found.high:.3f}, {k} of {n})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cases", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--half", choices=("development", "held back"))
    parser.add_argument("--library", type=Path, default=Path(tempfile.gettempdir()) / "pincite-references")
    parser.add_argument("--show", action="store_true", help="print the cases that are not right")
    arguments = parser.parse_args()
    cases = [json.loads(line) for line in arguments.cases.read_text(encoding="utf-8").splitlines()]
    cases = [case for case in cases if arguments.half in (None, case["half"])]
    documents = read(arguments.folder, Library(arguments.library))
    files = {source.document: parsed.source for source, parsed in documents}
    begun = time.process_time()
    resolver = Resolver(source for source, _ in documents)
    found = {parsed.source: resolver.references(source.document, parsed) for source, parsed in documents}
    spent = time.process_time() - begun
    pages = sum(len(parsed.pages) for _, parsed in documents)
    by_name = {parsed.source: parsed for _, parsed in documents}
    counts: Counter[str] = Counter()
    for case in cases:
        letters = Letters(by_name[case["source"]], case["page"]).find(case)
        near = [(covers(one, letters), one) for one in found[case["source"]] if letters]
        best = max((n for n, _ in near), default=0)
        one = next(f for n, f in near if n == best) if best else None
        verdict = judge(case, one, files)
        counts[verdict] += 1
        if arguments.show and verdict not in ("right", "quiet"):
            said = [(t.document, t.section[-1:] or "", t.page) for t in one.targets] if one else []
            print(f"{case['id']} {verdict:12} {case['source'][:28]} p{case['page']} {case['mention']!r}")
            print(f"     expected {case['expected']}")
            print(f"     found    {one.mention.text if one else ''!r} {said} {one.reason if one else ''}")
            if not letters:
                print("     its place was not found in the body lines")
    right, wrong, spurious = counts["right"], counts["wrong target"], counts["spurious"]
    print(f"{len(cases)} cases, {right + wrong + counts['missed']} of them references that count")
    print(f"precision  {share(right, right + wrong + spurious)}")
    print(f"recall     {share(right, right + wrong + counts['missed'])}")
    total = [one for some in found.values() for one in some]
    nowhere = Counter(bool(one.targets) for one in total)
    print(f"all: {len(total)} references, {nowhere[True]} lead somewhere; {1000 * spent / pages:.2f} ms CPU a page")


if __name__ == "__main__":
    main()
