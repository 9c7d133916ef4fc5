"""Mentions → the document, section and page that they lead to, where the library has it. Pure.

A mention that leads nowhere keeps the reason: another organisation's standard that is not in the library is not an
error, and neither is a section that a document refers to and does not have.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from pincite.corpus import wording
from pincite.corpus.naming import Known, Names, name_of
from pincite.corpus.references import Mention, find_mentions
from pincite.types import Chunk, Line, ParsedDocument, Reference, Section, SectionPath, Target, Unresolved

_HEADING = re.compile(
    r"^\W{0,2}(?:(?P<word>[^\W\d_]+\.?|§{1,2})\s*)?"
    r"(?P<number>\d+(?:[.:]\d+|[\-–]\d+)*[a-z]{0,2}(?![^\W\d_])|[A-Z](?:[.\-–]\d+)+|[IVXLC]+(?![^\W_])|[A-Z](?![^\W_]))"
)
_CAPTION = re.compile(
    r"^\W{0,3}(?P<word>[^\W\d_]+\.?)\s*(?P<number>(?:[A-Z][.\-–]?)?\d+(?:[.\-–]\d+)*|[IVXLC]+)(?P<rest>.*)$"
)
_MOST = 60
"""Members of a range that are looked up; a longer one is led to by its two ends."""


@dataclass(frozen=True, slots=True)
class _Head:
    unit: str
    section: Section


class Places:
    """What one document can be entered by: its numbered sections and the captions of tables and figures."""

    def __init__(self, document: ParsedDocument) -> None:
        self.sha256 = document.sha256
        self.sections: defaultdict[str, list[_Head]] = defaultdict(list)
        self._children: defaultdict[SectionPath, list[Section]] = defaultdict(list)
        for section in document.sections:
            self._children[section.path[:-1]].append(section)
            match = _HEADING.match(section.title)
            if match is None:
                continue
            unit = wording.unit_of(match["word"] or "") or ("" if not match["word"] else "?")
            if unit == "?":
                continue
            self.sections[_plain(match["number"])].append(_Head(unit, section))
        self.captions: defaultdict[tuple[str, str], list[tuple[int, SectionPath]]] = defaultdict(list)
        paths = _path_of_each_line(document)
        for i, line in enumerate(document.lines):
            match = _CAPTION.match(line.text)
            unit = wording.unit_of(match["word"]) if match else None
            if match is None or unit not in ("table", "figure") or wording.LEADER.search(line.text):
                continue
            rest = match["rest"]
            if not rest.strip() or wording.CAPTION.match(rest):
                ends = re.search(r"\s\d{1,3}$", line.text) is not None
                self.captions[unit, _plain(match["number"])].append((-1 if ends else line.page, paths[i]))

    def find(
        self, mention: Mention, number: str, at: SectionPath
    ) -> tuple[Section | tuple[int, SectionPath] | None, str]:
        """Return the section or (page, section path) that a number leads to, or why there is none.

        ``at`` is where it is mentioned: of two sections with one number, the one in the same branch is meant.
        """
        plain = _plain(number)
        said = f"{mention.unit} {number}"
        if mention.unit in ("table", "figure"):
            found = self.captions.get((mention.unit, plain), [])
            # An entry of a list of tables ends with a page; the caption itself seldom does.
            real = [place for place in found if place[0] > 0]
            return (real[0], "") if real else (None, f"no caption of {said} was found")
        heads = [head for head in self.sections.get(plain, ()) if _may_be(mention.unit, head.unit)]
        exact = [head for head in heads if head.unit == mention.unit]
        heads = exact or heads
        if len(heads) > 1:
            shared = [_shared(head.section.path, at) for head in heads]
            closest = [head for head, n in zip(heads, shared, strict=True) if n == max(shared)]
            main = [head for head in closest if not _in_appendix(head.section.path)] or closest
            heads = self._with_first_part(main, plain) or main
        if not heads:
            return None, f"it has no {said} that was recognised"
        if len(heads) > 1:
            return None, f"it has more than one {said}"
        return self._inside(heads[0].section, mention.subdivision), ""

    def _with_first_part(self, heads: Sequence[_Head], number: str) -> list[_Head]:
        """Return the one of equal headings that "3.1" follows: the others are entries of a list."""
        for first in self.sections.get(f"{number}.1", ()):
            before = [head for head in heads if head.section.line < first.section.line]
            if before:
                return before[-1:]
        return list(heads[:1]) if len({head.section.title for head in heads}) == 1 else []

    def _inside(self, section: Section, subdivision: str) -> Section:
        """Return the deepest section that "(1)(f)" after the number leads to."""
        for mark in re.findall(r"\((\w+)\)", subdivision):
            child = next(
                (c for c in self._children[section.path] if re.match(rf"\(?{re.escape(mark)}[).]\s", c.title)), None
            )
            if child is None:
                break
            section = child
        return section


def _plain(number: str) -> str:
    return re.sub(r"\s+", "", number).replace("–", "-").rstrip(".").upper()


def _may_be(wanted: str | None, unit: str) -> bool:
    """Return whether a heading of this unit may be what a word names: "section 4" may be "4 Fees", not "Chapter 4"."""
    if unit == wanted:
        return True
    if unit == "":
        return True
    return {wanted, unit} <= {"section", "article"} or (wanted == "section" and unit == "appendix")


def _shared(path: SectionPath, at: SectionPath) -> int:
    n = 0
    for a, b in zip(path, at, strict=False):
        if a != b:
            break
        n += 1
    return n


def _in_appendix(path: SectionPath) -> bool:
    match = _HEADING.match(path[0]) if path else None
    return bool(match and match["word"] and wording.unit_of(match["word"]) == "appendix")


@dataclass(frozen=True, slots=True)
class Source:
    """One revision of a release, as resolving needs it."""

    document: str
    parsed: ParsedDocument
    citable: bool = True


@dataclass(frozen=True, slots=True)
class Found:
    """A mention with where it leads."""

    mention: Mention
    targets: tuple[Target, ...]
    reason: str
    """Why it leads nowhere, or not as far as is written; "" when all is found."""


class Resolver:
    """Where the documents of a release can be entered, and by what names.

    ``sources`` is gone through once, and no parsed document is held: a release may have more than memory takes.
    """

    def __init__(self, sources: Iterable[Source]) -> None:
        known: list[Known] = []
        self._places: dict[str, Places] = {}
        for source in sources:
            known.append(name_of(source.document, source.parsed))
            if source.citable or source.document not in self._places:
                self._places[source.document] = Places(source.parsed)
        self.names = Names(known)

    def references(self, document: str, parsed: ParsedDocument) -> tuple[Found, ...]:
        """Return every mention in a revision of a document, in the order of its text, with what it leads to."""
        there = self._places.get(document)
        own = there if there and there.sha256 == parsed.sha256 else Places(parsed)
        paths = [*_path_of_each_line(parsed)]
        paths += [paths[note.line] if paths else () for note in parsed.notes for _ in note.lines]
        found: list[Found] = []
        for mention in find_mentions(replace(parsed, lines=searched_lines(parsed)), self.names):
            one = self._resolve(document, own, mention, paths[mention.first_line])
            if one is not None:
                found.append(one)
        return tuple(found)

    def _resolve(self, within: str, places: Places, mention: Mention, at: SectionPath) -> Found | None:
        """Return where a mention in the document ``within`` leads; ``places`` are that revision's own."""
        if mention.binding == "own":
            return _in(within, places, mention, at, own=True)
        if mention.binding == "part":
            documents = self.names.siblings(within, wording.arabic(mention.title))
            if len(documents) != 1:
                return _in(within, places, mention, at, own=True)
            return _in(documents[0], self._places[documents[0]], mention, (), own=False)
        if mention.title:
            document, reason = self.names.titles[mention.title], ""
        elif mention.designation:
            if mention.unit is None and self.names.is_called(within, mention.designation):
                return None  # "CRN 32-3" in a sheet of CRN 32-3, of which there are two
            document, reason = self.names.find(mention.designation, mention.named)
        else:
            document, reason = self._called(mention.named)
        if not document:
            return Found(mention, (), reason)
        own = document == within
        if mention.unit is None:
            # A document that says its own name leads nowhere.
            return None if own else Found(mention, (Target(document, (), None),), "")
        return _in(document, places if own else self._places[document], mention, at if own else (), own=own)

    def _called(self, named: str) -> tuple[str, str]:
        plain = " ".join(re.sub(r"^(?:the|that|de|het|des|der)\s+", "", named).split())
        document = self.names.titles.get(plain, "")
        return (document, "") if document else ("", f"{plain} is not in the library under that name")


def _in(document: str, places: Places, mention: Mention, at: SectionPath, *, own: bool) -> Found:
    targets: list[Target] = []
    missing = ""
    for number in _expanded(mention):
        place, reason = places.find(mention, number, at)
        if place is None:
            missing = missing or reason
        elif isinstance(place, Section):
            targets.append(Target(document, place.path, place.page))
        else:
            targets.append(Target(document, place[1], place[0]))
    if targets:
        return Found(mention, tuple(targets), "")
    # The document is known even where the section is not.
    return Found(mention, () if own else (Target(document, (), None),), missing)


def _path_of_each_line(parsed: ParsedDocument) -> list[SectionPath]:
    out: list[SectionPath] = []
    path: SectionPath = ()
    following = {section.line: section.path for section in parsed.sections}
    for i in range(len(parsed.lines)):
        path = following.get(i, path)
        out.append(path)
    return out


def _expanded(mention: Mention) -> tuple[str, ...]:
    """Return all numbers of a range whose ends differ in their last part only; else the numbers as written."""
    if not mention.is_range:
        return mention.numbers
    first, last = mention.numbers
    a, b = re.fullmatch(r"(.*?)(\d+)", first), re.fullmatch(r"(.*?)(\d+)", last)
    if a and b and a[1] == b[1] and 0 < int(b[2]) - int(a[2]) < _MOST:
        return tuple(f"{a[1]}{n}" for n in range(int(a[2]), int(b[2]) + 1))
    if len(first) == len(last) == 1 and first.isalpha() and 0 < ord(last) - ord(first) < 26:
        return tuple(chr(n) for n in range(ord(first), ord(last) + 1))
    return mention.numbers


def searched_lines(parsed: ParsedDocument) -> tuple[Line, ...]:
    """Return the lines that references are looked for in: those of the text, then those of its footnotes."""
    return (*parsed.lines, *(line for note in parsed.notes for line in note.lines))


def attach(
    chunks: Sequence[Chunk], parsed: ParsedDocument, found: Sequence[Found]
) -> Mapping[int, tuple[Reference, ...]]:
    """Return the references that stand in each chunk, by its index, with their spans in its text.

    A mention that begins in one chunk and ends in the next belongs to the first, as far as it goes.
    """
    lines = searched_lines(parsed)
    by_place: defaultdict[tuple[int, object], list[tuple[Chunk, int, int]]] = defaultdict(list)
    for chunk in chunks:
        for span in chunk.spans:
            by_place[span.page, span.box].append((chunk, span.start, span.end))
    out: defaultdict[int, list[Reference]] = defaultdict(list)
    for one in found:
        mention = one.mention
        line = lines[mention.first_line]
        ends_here = mention.last_line == mention.first_line
        wanted = line.text[mention.start : mention.end if ends_here else len(line.text)]
        for chunk, start, end in by_place.get((line.page, line.box), ()):
            at = start + mention.start
            if chunk.text[at : at + len(wanted)] != wanted or at + len(wanted) > end:
                at = chunk.text.find(wanted, start, end)
            if at < 0:
                continue
            whole = chunk.text[at : at + len(mention.text)]
            stop = at + (len(mention.text) if whole == mention.text else len(wanted))
            out[chunk.index].append(Reference(chunk.text[at:stop], at, stop, line.page, one.targets, one.reason))
            break
    return {index: tuple(some) for index, some in out.items()}


def unresolved(found: Iterable[Found]) -> tuple[Unresolved, ...]:
    """Return what leads nowhere, each text and reason once with its pages, in order of appearance."""
    pages: defaultdict[tuple[str, str], dict[int, None]] = defaultdict(dict)
    for one in found:
        if one.reason:
            pages[" ".join(one.mention.text.split()), one.reason][one.mention.page] = None
    return tuple(Unresolved(text, reason, tuple(some)) for (text, reason), some in pages.items())
