"""How well headings are found when the outline is hidden: precision, recall and F1 against the outline, per document.

    python benchmarks/headings.py PDF_OR_FOLDER... [--show] [--half choose|check]

Each file is read in a jailed worker; its sections are then found from its lines and tables alone. The outline
(bookmarks) is the ground truth, where it is one:

* An entry counts when it is printed at the start of a line on the sheet that it points to. Left out, and counted by
  reason: entries that are not printed there, that name a table, a figure, a list of contents or the document itself
  (in its own words, or as the one entry above all others, on the first sheet),
  and whole sentences (word processors put a paragraph in the outline that was given a heading's style by mistake): 15
  words and a full stop, or more than 220 characters. A document counts when at least 5 entries do.
* A found heading is right when its title is that of an entry on the same sheet, compared in lower case without spaces
  and punctuation; a number before it may be missing on either side, a footnote mark of up to 3 characters may follow.
  Every entry and every heading is used once.
* Any other found heading is wrong, unless the outline does not go there: it stands above the first entry that counts
  (front matter), is what a left-out entry names, or is *deeper* than the outline in its branch. A branch is an entry
  of the first level that has 3 entries, or one that names an annex, with what stands below it (exports of word
  processors hang annexes below the last section of the last chapter). A numbered heading is deeper when its number has
  more parts than that of any entry of the branch, or is of another kind (1.1 in a branch that is numbered A.1: a form
  or model text printed in an annex); any other when its type is smaller or lighter than that of all
  entries of the branch. Precision without this mercy is printed beside it as "strict".
* The parent of a right heading is right when the nearest heading above it in its path that the outline can know is the
  one the outline names, or none where it names none. Annexes are not judged by it, for the reason above.

The half "choose" holds every other file by name, the first included; rules are chosen on it, "check" is for the end.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import mean

from pincite.corpus.contents import squeezed
from pincite.corpus.ingest import find_pdfs, read_files
from pincite.corpus.library import Library
from pincite.corpus.sections import find_sections
from pincite.corpus.typography import OutlineEntry
from pincite.types import Line, ParsedDocument, Section

LEAST_ENTRIES = 5
FOOTNOTE_MARK = 3
_NAMES_TABLE = re.compile(
    r"(table|tabel|tabelle|figure|figuur|abbildung|fig\.|abb\.|equation|listing)\s*[A-Z]?[-.]?\d", re.I
)
_NAMES_CONTENTS = re.compile(
    r"(table of )?contents?|inhoud(sopgave)?|inhalt(sverzeichnis)?|table des matières|sommaire|"
    r"list of (tables|figures|appendices|acronyms)|cover( page)?|title page|tables|figures|bookmarks?",
    re.I,
)
_ANNEX = re.compile(r"(appendix|appendices|annex|annexe|bijlage|anlage|anhang)\b", re.I)
_WORD_NUMBER = re.compile(
    r"^(part|chapter|section|appendix|annex|article|hoofdstuk|bijlage|artikel|kapitel|anhang|anlage|teil)\s+"
    r"([A-Z]|[IVXLC]+|\d+(?:\.\d+)*|one|two|three|four|five|six|seven|eight|nine|ten)\b[\s.:–—-]*",
    re.I,
)
_NUMBER = re.compile(r"^(§\s*)?(([A-Z]|\d{1,3})([.-]\d{1,3})*|[IVXLC]+)([.):]|\b)[\s.:–—-]+(?=\S)")


@dataclass(frozen=True)
class Read:
    """A document with the outline that its file carries."""

    document: ParsedDocument
    outline: tuple[OutlineEntry, ...]


def forms(title: str) -> frozenset[str]:
    """Return what a title may be squeezed to: whole, and without the number before it."""
    bare = [title]
    for pattern in (_WORD_NUMBER, _NUMBER):
        if match := pattern.match(title):
            bare.append(title[match.end() :])
    return frozenset(filter(None, map(squeezed, bare)))


def agree(a: str, b: str) -> bool:
    """Return whether two titles are one, as the module's first lines say."""
    for x in forms(a):
        for y in forms(b):
            short, long = sorted((x, y), key=len)
            if x == y or (len(short) > 3 and long.startswith(short) and len(long) - len(short) <= FOOTNOTE_MARK):
                return True
    return False


def number_of(title: str) -> str:
    """Return the number before a title, "" when it has none: "4.2", "A.1", "II"."""
    match = _WORD_NUMBER.match(title + " ") or _NUMBER.match(title)
    return match[2] if match else ""


def depth(title: str) -> int:
    """Return how many parts the number before a title has; 0 when it has none."""
    return len(re.findall(r"\w+", number_of(title)))


@dataclass
class Entry:
    """An entry of the outline and where it is printed."""

    title: str
    page: int
    level: int
    line: int
    """Index of the line in the document, -1 when it is not printed among the body's lines."""
    reason: str
    """Why it does not count; "" when it does."""
    parent: Entry | None = None
    found: Section | None = None


@dataclass
class Score:
    name: str
    right: int = 0
    wanted: int = 0
    wrong: int = 0
    passed_over: Counter[str] = field(default_factory=Counter)
    """Found headings that the outline cannot judge, by reason."""
    left_out: Counter[str] = field(default_factory=Counter)
    """Entries that do not count, by reason."""
    parents: int = 0
    nested: int = 0
    """Right headings whose parent is judged."""
    missed: list[Entry] = field(default_factory=list)
    besides: list[Section] = field(default_factory=list)
    astray: list[tuple[Section, str]] = field(default_factory=list)

    @property
    def precision(self) -> float:
        return self.right / max(self.right + self.wrong, 1)

    @property
    def strict(self) -> float:
        found = self.right + self.wrong + sum(self.passed_over.values())
        return self.right / max(found, 1)

    @property
    def recall(self) -> float:
        return self.right / max(self.wanted, 1)

    @property
    def f1(self) -> float:
        return _f1(self.precision, self.recall)


def _f1(precision: float, recall: float) -> float:
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def _printed_at(entry: OutlineEntry, lines: Sequence[Line], on_page: Sequence[int]) -> int | None:
    """Return the line that the entry's title begins, alone or with the lines below it."""
    for exact in (True, False):
        for place, i in enumerate(on_page):
            said = ""
            for j in on_page[place : place + 6]:
                said = f"{said} {lines[j].text}"
                if agree(said.strip(), entry.title):
                    return i
            if not exact and any(
                f.startswith(w) for f in forms(said.strip()) for w in forms(entry.title) if len(w) > 5
            ):
                # A heading that runs on into its text.
                return i
    return None


def entries_of(read: Read) -> list[Entry]:
    """Return the entries of the outline, each with its place or the reason why it does not count."""
    document = read.document
    by_page: defaultdict[int, list[int]] = defaultdict(list)
    aside: defaultdict[int, list[Line]] = defaultdict(list)
    for i, line in enumerate(document.lines):
        by_page[line.page].append(i)
    for line in document.furniture:
        aside[line.page].append(line)
    out: list[Entry] = []
    above: list[Entry] = []
    highest = [e for e in read.outline if e.level == min(other.level for other in read.outline)]
    alone_on_top = highest[0] if len(highest) == 1 else None
    for entry in read.outline:
        reason, at = "", -1
        if _NAMES_TABLE.match(entry.title):
            reason = "names a table or figure"
        elif _NAMES_CONTENTS.fullmatch(entry.title.strip(" .:")):
            reason = "names a list of contents or the cover"
        elif (entry.page == 1 and alone_on_top == entry) or (
            len(squeezed(entry.title)) > 8 and squeezed(entry.title) in squeezed(document.title)
        ):
            reason = "names the document"
        elif len(entry.title) > 220 or (entry.title.endswith(".") and len(entry.title.split()) >= 15):
            reason = "is a sentence"
        else:
            found = _printed_at(entry, document.lines, by_page[entry.page])
            if found is not None:
                at = found
            elif _printed_at(entry, aside[entry.page], range(len(aside[entry.page]))) is None:
                # One that is printed among the running headers counts: they may be headings taken for furniture.
                reason = "not printed on its sheet"
        made = Entry(entry.title, entry.page, entry.level, at, reason)
        while above and above[-1].level >= entry.level:
            above.pop()
        made.parent = next((e for e in reversed(above) if not e.reason), None)
        above.append(made)
        out.append(made)
    return out


Type = tuple[float, bool, bool]


def _type(line: Line) -> Type:
    return (round(line.size * 2) / 2, line.bold, line.text.isupper())


class _Branches:
    """Down to what depth the outline goes at each line."""

    def __init__(self, entries: Sequence[Entry], lines: Sequence[Line]) -> None:
        counted = sorted((e for e in entries if not e.reason and e.line >= 0), key=lambda e: e.line)
        levels = Counter(e.level for e in counted)
        root = next((level for level in sorted(levels) if levels[level] >= 3), min(levels))
        self.starts: list[int] = []
        self.depths: list[int] = []
        self.kinds: list[set[bool]] = []
        """Whether numbers begin with a digit."""
        self.types: list[list[Type]] = []
        for entry in counted:
            if entry.level <= root or not self.starts or _ANNEX.match(entry.title):
                self.starts.append(entry.line)
                self.depths.append(0)
                self.kinds.append(set())
                self.types.append([])
            self.depths[-1] = max(self.depths[-1], depth(entry.title), depth(lines[entry.line].text))
            for title in (entry.title, lines[entry.line].text):
                if number := number_of(title):
                    self.kinds[-1].add(number[0].isdigit())
            self.types[-1].append(_type(lines[entry.line]))

    def judge(self, section: Section, line: Line) -> str:
        """Return why the outline cannot judge a heading; "" when it can."""
        if section.line < self.starts[0]:
            return "front matter"
        at = max(k for k, start in enumerate(self.starts) if start <= section.line)
        parts = depth(section.title)
        if parts:
            kind = number_of(section.title)[0].isdigit()
            return "deeper" if parts > self.depths[at] or (self.kinds[at] and kind not in self.kinds[at]) else ""
        size, bold, capitals = _type(line)
        for other in self.types[at]:
            if abs(size - other[0]) <= 0.5:
                # As large: lighter only without the other's bold or capitals.
                if (bold, capitals) == other[1:] or (bold >= other[1] and capitals >= other[2]):
                    return ""
            elif size > other[0]:
                return ""
        return "deeper"


def score(read: Read, sections: Sequence[Section]) -> Score:
    """Hold found sections against the outline."""
    entries = entries_of(read)
    lines = read.document.lines
    result = Score(read.document.source)
    result.left_out.update(e.reason for e in entries if e.reason)
    counted = [e for e in entries if not e.reason]
    result.wanted = len(counted)
    if len(counted) < LEAST_ENTRIES:
        return result
    free = list(sections)
    for entry in counted:
        hit = next((s for s in free if s.page == entry.page and agree(s.title, entry.title)), None)
        if hit is None:
            result.missed.append(entry)
            continue
        entry.found = hit
        free.remove(hit)
        result.right += 1
    for entry in entries:
        if entry.reason:
            named = next((s for s in free if s.page == entry.page and agree(s.title, entry.title)), None)
            if named is not None:
                free.remove(named)
                result.passed_over["left-out entry"] += 1
    branches = _Branches(entries, lines)
    unknown: set[int] = set()
    for section in free:
        reason = branches.judge(section, lines[section.line])
        if reason:
            result.passed_over[reason] += 1
            unknown.add(section.line)
        else:
            result.wrong += 1
            result.besides.append(section)
    at = {s.path: s for s in sections}
    for entry in counted:
        if entry.found is None or _ANNEX.match(entry.title):
            continue
        result.nested += 1
        path, said = entry.found.path[:-1], ""
        while path:
            above = at.get(path)
            if above is None or above.line not in unknown:
                said = path[-1]
                break
            path = path[:-1]
        wanted = entry.parent.title if entry.parent else ""
        if (not said and not wanted) or (said and wanted and agree(said, wanted)):
            result.parents += 1
        else:
            result.astray.append((entry.found, wanted))
    return result


def read_all(paths: Sequence[Path], *, workers: int = 1) -> Iterator[Read]:
    """Yield each readable document with its outline, both read in a process that may die alone."""
    with tempfile.TemporaryDirectory() as folder:
        for read in read_files(paths, Library(Path(folder)), workers=workers):
            if read.parsed is None:
                print(f"{read.source}: {read.reason}", file=sys.stderr)
                continue
            said = subprocess.run(
                [sys.executable, __file__, "--outline-of", str(read.path)], capture_output=True, text=True, timeout=120
            )
            entries = json.loads(said.stdout) if said.returncode == 0 else []
            yield Read(read.parsed, tuple(OutlineEntry(*entry) for entry in entries))


def _print_outline(path: Path) -> None:
    from pincite.corpus.pdfium import open_document, outline_of

    document = open_document(path.read_bytes(), path.name)
    print(json.dumps(list(outline_of(document, len(document)))))
    document.close()


def summary(scores: Sequence[Score], label: str) -> str:
    """Return one line: means over documents (macro) and over headings (micro)."""
    right, wanted = sum(s.right for s in scores), sum(s.wanted for s in scores)
    wrong, spared = sum(s.wrong for s in scores), sum(sum(s.passed_over.values()) for s in scores)
    precision, recall = right / max(right + wrong, 1), right / max(wanted, 1)
    strict = right / max(right + wrong + spared, 1)
    return (
        f"{label}: n {len(scores)}, headings {wanted}; "
        f"macro P/R/F1 {mean(s.precision for s in scores):.3f} {mean(s.recall for s in scores):.3f} "
        f"{mean(s.f1 for s in scores):.3f}; micro {precision:.3f} {recall:.3f} {_f1(precision, recall):.3f}; "
        f"strict P {strict:.3f} F1 {_f1(strict, recall):.3f}; "
        f"parent right {sum(s.parents for s in scores) / max(sum(s.nested for s in scores), 1):.3f}"
    )


def print_scores(reads: Sequence[Read], *, show: bool, half: str = "") -> None:
    everything: list[tuple[int, Score]] = []
    cpu, pages = 0.0, 0
    print(f"{'document':44} want right wrong spared    P    R   F1 strict parent")
    for number, read in enumerate(sorted(reads, key=lambda r: r.document.source)):
        if half and number % 2 != (half == "check"):
            continue
        document = read.document
        started = time.process_time()
        sections = find_sections(document.lines, document.tables, title=document.title)
        cpu += time.process_time() - started
        pages += len(document.pages)
        result = score(read, sections)
        everything.append((number, result))
        if result.wanted < LEAST_ENTRIES:
            continue
        print(
            f"{result.name[:44]:44} {result.wanted:4} {result.right:5} {result.wrong:5} "
            f"{sum(result.passed_over.values()):6} {result.precision:.2f} {result.recall:.2f} {result.f1:.2f}   "
            f"{result.strict:.2f}   {result.parents / max(result.nested, 1):.2f}"
        )
        if show:
            for entry in result.missed:
                print(f"    missed  p{entry.page} {entry.title!r}")
            for section in result.besides:
                print(f"    besides p{section.page} {section.title!r}")
            for section, wanted in result.astray:
                print(f"    astray  p{section.page} {' › '.join(section.path)!r}: outline says below {wanted!r}")
    counted = [(number, s) for number, s in everything if s.wanted >= LEAST_ENTRIES]
    if not counted:
        print("no document has an outline that counts")
        return
    for label, rest in (("choose", 0), ("check", 1)):
        some = [s for number, s in counted if number % 2 == rest]
        if some:
            print(summary(some, label))
    print(summary([s for _, s in counted], "all"))
    left_out: Counter[str] = sum((s.left_out for _, s in counted), Counter())
    spared: Counter[str] = sum((s.passed_over for _, s in counted), Counter())
    short = sum(1 for _, s in everything if s.wanted < LEAST_ENTRIES and (s.wanted or s.left_out))
    none = len(everything) - len(counted) - short
    print(f"documents without an outline: {none}; with fewer than {LEAST_ENTRIES} entries that count: {short}")
    print("entries left out:", ", ".join(f"{n} {reason}" for reason, n in left_out.most_common()) or "none")
    print("headings not judged:", ", ".join(f"{n} {reason}" for reason, n in spared.most_common()) or "none")
    print(f"finding sections: {1000 * cpu / max(pages, 1):.2f} ms CPU a page over {pages} pages")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="*", type=Path)
    parser.add_argument("--show", action="store_true", help="print every difference")
    parser.add_argument("--half", choices=("choose", "check"), default="")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--outline-of", type=Path, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.outline_of:
        _print_outline(chosen.outline_of)
        return
    if not find_pdfs(chosen.paths):
        parser.error("no PDF there")
    print_scores(list(read_all(chosen.paths, workers=chosen.workers)), show=chosen.show, half=chosen.half)


if __name__ == "__main__":
    main()
