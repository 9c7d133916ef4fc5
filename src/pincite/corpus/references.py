"""Lines → mentions of other places: "see section 4.2", "Rulebook X, chapter 3", "SP 800-57 Part 1". Pure.

A mention says what is written and what it is bound to; where that is, ``resolving`` decides, which knows the library.
Not mentions: headings, captions, lists of contents, addresses, "this section", numbered citations ("[12]"), and what a
document calls itself without a section.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, TypeAlias

from pincite.corpus import wording
from pincite.corpus.naming import Designation, Names, designation
from pincite.types import Line, ParsedDocument

Unit: TypeAlias = Literal["section", "article", "chapter", "appendix", "table", "figure", "weak"]
Binding: TypeAlias = Literal["own", "part", "other"]

VERSION = "references-2"
"""Raise it when the same lines would give other mentions or targets: it makes another release."""


@dataclass(frozen=True, slots=True)
class Mention:
    """One place that is referred to, where it is written."""

    text: str
    """Verbatim; lines joined by a newline."""
    first_line: int
    """Index in the document's lines."""
    start: int
    """In the first line; ``end``, in the last one, is not part of it."""
    last_line: int
    end: int
    page: int
    unit: Unit | None
    """None when a document as a whole is meant."""
    numbers: tuple[str, ...] = ()
    """Of the unit, as written without subdivisions in brackets; a range has its two ends."""
    is_range: bool = False
    subdivision: str = ""
    """What follows the number in brackets: ``(1)(f)``."""
    binding: Binding = "own"
    """``other``: of the document in ``designation`` or ``title``, or of one that was only named."""
    designation: Designation | None = None
    title: str = ""
    """Name of another document as the library knows it; with binding ``part``, the number of the part."""
    named: str = ""
    """The words that name the other document, on one line; "" when the binding is ``own``."""


@dataclass(frozen=True, slots=True)
class _Place:
    """A number of a unit in the text, before it is known what it is bound to; offsets in the text of the document."""

    start: int
    end: int
    unit: Unit
    word: str
    numbers: tuple[str, ...]
    is_range: bool
    subdivision: str
    head: int
    """Offset at which the unit's word begins: the same for all numbers after one word."""
    tail: int
    """Offset after the last number of the list and its subdivisions."""
    is_last: bool


@dataclass(frozen=True, slots=True)
class _Named:
    """A document in the text."""

    start: int
    end: int
    designation: Designation | None = None
    title: str = ""
    named: str = ""


def find_mentions(document: ParsedDocument, names: Names) -> tuple[Mention, ...]:
    """Return what a document refers to, in the order of its text."""
    return tuple(_Finder(document, names).mentions())


class _Finder:
    def __init__(self, document: ParsedDocument, names: Names) -> None:
        self.document = document
        self.names = names
        self.lines = document.lines
        self.starts = _starts(self.lines)
        whole = "\n".join(line.text for line in self.lines)
        # An address holds names of documents that nobody is meant to read there.
        self.text = wording.ADDRESS.sub(lambda m: "\x01" * len(m.group()), whole)
        self.verbatim = whole
        self.headings = _heading_lines(document)
        self.grammar = wording.grammar(names.series)

    def mentions(self) -> Iterator[Mention]:
        named = self._documents()
        places = list(self._places())
        bound = self._bound(places, named)
        places = [
            place for place in places if self._follows(bound[place.start][1], place) or not self._is_heading(place)
        ]
        used: set[int] = set()
        out: list[Mention] = []
        merged_heads: set[int] = set()
        for place in places:
            binding, who, part = bound[place.start]
            start = place.start
            if place.unit == "weak":
                continue
            if who is not None:
                used.add(who.start)
                if who.end <= place.head and place.head not in merged_heads and place.start <= place.head + 1:
                    start = who.start
                merged_heads.add(place.head)
            end = place.tail if place.is_last else place.end
            if who is not None and who.start >= place.tail and place.is_last:
                end = who.end
            out.append(
                self._mention(
                    start,
                    end,
                    unit=place.unit,
                    numbers=place.numbers,
                    is_range=place.is_range,
                    subdivision=place.subdivision,
                    binding=binding,
                    designation=who.designation if who else None,
                    title=part or (who.title if who else ""),
                    named=self._words(who),
                )
            )
        for one in named:
            if one.start in used or one.named or self._line_of(one.start) in self.headings:
                continue
            out.append(
                self._mention(
                    one.start,
                    one.end,
                    unit=None,
                    binding="other",
                    designation=one.designation,
                    title=one.title,
                    named=self._words(one),
                )
            )
        return iter(sorted(out, key=lambda m: (m.first_line, m.start, m.last_line, m.end)))

    # -------------------------------------------------------- documents

    def _documents(self) -> list[_Named]:
        found: list[_Named] = []
        for match in self.grammar.designations.finditer(self.text):
            series = match["series"]
            if not wording.is_designation(series, match["number"]):
                continue
            after = self.text[match.end() : match.end() + 60]
            tail = wording.QUALIFIERS.match(after)
            end = match.end() + (tail.end() if tail else 0)
            said = tail.group() if tail else ""
            found.append(_Named(match.start(), end, designation(series, match["number"], said)))
            prefix = re.match(r"\d+[-–]", match["number"])
            if prefix is None:
                continue
            # "Special Publications 800-61, 800-83 and 800-92": the series is said once.
            more = re.compile(wording.NEXT_NUMBER.replace("PREFIX", re.escape(prefix.group())))
            while following := more.match(self.text, end):
                after = self.text[following.end() : following.end() + 60]
                tail = wording.QUALIFIERS.match(after)
                end = following.end() + (tail.end() if tail else 0)
                said = tail.group() if tail else ""
                found.append(_Named(following.start("number"), end, designation(series, following["number"], said)))
        for match in wording.LAWS.finditer(self.text):
            found.append(_Named(match.start(), match.end(), designation("", match.group())))
        flat = self.text.replace("\n", " ")
        lower = flat.lower()
        if len(lower) != len(flat):
            lower = flat  # a letter whose small form is longer would shift what follows
        for title in self.names.titles:
            # A long title is known in any case; of a short one the capitals are all that tells it from plain words.
            text, wanted = (lower, title.lower()) if title.count(" ") > 2 else (flat, title)
            at = text.find(wanted)
            while at >= 0:
                end = at + len(wanted)
                if not (text[max(at - 1, 0) : at].isalnum() or text[end : end + 1].isalnum()):
                    found.append(_Named(at, end, title=title))
                at = text.find(wanted, end)
        return _without_overlap(found)

    # -------------------------------------------------------- sections

    def _places(self) -> Iterator[_Place]:
        for match in self.grammar.places.finditer(self.text):
            unit = wording.unit_of(match["word"])
            if unit is None:
                continue
            items = _items(self.text, match.start("numbers"), match.end("numbers"), unit, match["word"])
            if not items:
                continue
            last_end = items[-1][1]
            tail = wording.SUBDIVISIONS.match(self.text, last_end)
            end = tail.end() if tail else last_end
            for n, (start, stop, numbers, is_range, subdivision) in enumerate(items):
                begin = match.start() if n == 0 else start
                yield _Place(
                    begin,
                    stop,
                    unit,
                    match["word"],
                    numbers,
                    is_range,
                    subdivision,
                    match.start(),
                    end,
                    n == len(items) - 1,
                )

    def _bound(
        self, places: Sequence[_Place], named: Sequence[_Named]
    ) -> dict[int, tuple[Binding, _Named | None, str]]:
        """Return, by the offset of each place, whose section it is."""
        by_start = {one.start: one for one in named}
        by_end = {one.end: one for one in named}
        chain: dict[int, tuple[Binding, _Named | None, str]] = {}
        """What stands before, by the offset where it ends."""
        out: dict[int, tuple[Binding, _Named | None, str]] = {}
        lists: dict[int, tuple[Binding, _Named | None, str]] = {}
        for place in places:
            if place.head in lists:
                out[place.start] = lists[place.head]
                continue
            found = self._after(place, by_start) or self._before(place, by_end, chain)
            result: tuple[Binding, _Named | None, str] = found or ("own", None, "")
            out[place.start] = lists[place.head] = result
            if result[0] == "other":
                chain[place.tail] = result
                further = wording.AND_THEN.match(self.text, place.tail)
                if further and self._follows(result[1], place):
                    # "Rulebook X, section 3.3 (appliances) and section 3.4"; not "section 4 of X and section 5".
                    chain[further.end()] = result
        return out

    def _after(self, place: _Place, by_start: dict[int, _Named]) -> tuple[Binding, _Named | None, str] | None:
        text = self.text
        if wording.OF_THIS.match(text, place.tail):
            return ("own", None, "")
        if part := wording.OF_PART.match(text, place.tail):
            return ("part", None, part["part"])
        of = wording.OF.match(text, place.tail)
        issuer = wording.ISSUER.match(text, of.end()) if of else None
        for at in (of.end() if of else -1, issuer.end() if issuer else -1):
            if one := by_start.get(at):
                return ("other", one, "")
        if of and (bracket := wording.CITED.match(text, of.end())):
            return ("other", _Named(of.end(), bracket.end(), named=bracket.group()), "")
        if of and place.unit == "appendix" and of["word"].lower() in ("in", "to"):
            return None
        if other := wording.OF_ANOTHER.match(text, place.tail):
            group = other.lastgroup or "name"
            name = other[group].rstrip()
            return ("other", _Named(other.start(group), other.start(group) + len(name), named=name), "")
        if place.word.startswith("§") or place.unit == "article":
            close = re.compile(r"\s+").match(text, place.tail)
            if close and (one := by_start.get(close.end())):
                return ("other", one, "")
            if adjacent := wording.ABBREVIATED.match(text, place.tail):
                name = adjacent["name"]
                return ("other", _Named(adjacent.start("name"), adjacent.end("name"), named=name), "")
        return None

    def _before(
        self,
        place: _Place,
        by_end: dict[int, _Named],
        chain: dict[int, tuple[Binding, _Named | None, str]],
    ) -> tuple[Binding, _Named | None, str] | None:
        gap = wording.GAP.search(self.text, max(place.head - 12, 0), place.head)
        at = gap.start() if gap else place.head
        if one := by_end.get(at):
            return ("other", one, "")
        if earlier := chain.get(at):
            return earlier
        if earlier := chain.get(place.head):
            return earlier
        before = self.text[max(place.head - 120, 0) : place.head]
        if called := wording.CALLED_BEFORE.search(before):
            start = place.head - len(before) + called.start("name")
            return ("other", _Named(start, start + len(called["name"]), named=called["name"]), "")
        if cited := wording.CITED_BEFORE.search(before):
            start = place.head - len(before) + cited.start()
            return ("other", _Named(start, place.head, named=cited["name"]), "")
        acronym = wording.ACRONYM_BEFORE.search(before)
        if acronym and acronym["name"] not in wording.SHOUTED:
            start = place.head - len(before) + acronym.start("name")
            return ("other", _Named(start, start + len(acronym["name"]), named=acronym["name"]), "")
        return None

    def _follows(self, who: _Named | None, place: _Place) -> bool:
        """Return whether a document is named right before a place, which makes the place no heading."""
        return who is not None and who.end <= place.head

    # -------------------------------------------------------- what is no mention

    def _is_heading(self, place: _Place) -> bool:
        """Return whether a unit with its number heads a section, a table or a page, or stands in a list of contents."""
        i = self._line_of(place.head)
        if i in self.headings:
            return True
        line = self.lines[i]
        before = self.text[self.starts[i] : place.head]
        if before.strip(" \t|") or place.start != place.head:
            # "CHAPTER 5 58" and "Page 4-2 Chapter 4" run along; entries of a list of contents lead to their page.
            return bool(wording.LEADER.search(self._own_text(i)))
        rest = self.text[place.end : self.starts[i] + len(line.text)]
        if any(wording.LEADER.search(self._own_text(k)) for k in range(i, min(i + 3, len(self.lines)))):
            return True
        goes_on = self._goes_on(i)
        if not goes_on and wording.RUNNING.match(rest):
            return True
        if goes_on:
            return False
        return bool(wording.CAPTION.match(rest) or wording.ENTRY.match(rest))

    def _own_text(self, i: int) -> str:
        return self.lines[i].text

    def _goes_on(self, i: int) -> bool:
        """Return whether a line goes on with the sentence of the one before it."""
        if i == 0 or i - 1 in self.headings:
            return False
        line, before = self.lines[i], self.lines[i - 1]
        ended = before.text.rstrip()[-1:] in ".:;!?…" or wording.LEADER.search(before.text)
        if ended or abs(before.size - line.size) > 0.6 or before.bold != line.bold:
            return False
        if before.page != line.page:
            return before.page == line.page - 1 and line.text[:1].islower()
        apart = before.box[1] - line.box[3]
        return apart < 0.9 * max(line.size, 4.0) and len(before.text) > 25

    # -------------------------------------------------------- places in lines

    def _words(self, who: _Named | None) -> str:
        return " ".join((who.named or self.verbatim[who.start : who.end]).split()).strip("[] ") if who else ""

    def _line_of(self, offset: int) -> int:
        return bisect_right(self.starts, offset) - 1

    def _mention(
        self,
        start: int,
        end: int,
        *,
        unit: Unit | None,
        binding: Binding,
        numbers: tuple[str, ...] = (),
        is_range: bool = False,
        subdivision: str = "",
        designation: Designation | None = None,
        title: str = "",
        named: str = "",
    ) -> Mention:
        first, last = self._line_of(start), self._line_of(end - 1)
        return Mention(
            text=self.verbatim[start:end],
            first_line=first,
            start=start - self.starts[first],
            last_line=last,
            end=end - self.starts[last],
            page=self.lines[first].page,
            unit=unit,
            numbers=numbers,
            is_range=is_range,
            subdivision=subdivision,
            binding=binding,
            designation=designation,
            title=title,
            named=named,
        )


def _items(text: str, start: int, end: int, unit: Unit, word: str) -> list[tuple[int, int, tuple[str, ...], bool, str]]:
    """Return (start, end, numbers, is_range, subdivision) of each number of a list; a range is one."""
    found = list(wording.NUMBER.finditer(text, start, end))
    if not found:
        return []
    plural = wording.is_plural(word)
    first = found[0]
    kept = [first]
    joins: list[str] = []
    for a, b in pairwise(found):
        join = text[a.end() : b.start()]
        alike = a["number"][:1].isdigit() == b["number"][:1].isdigit()
        if not alike or not (plural or "." in b["number"]):
            break
        kept.append(b)
        joins.append(join)
    if not wording.may_be_number(unit, word, first["number"]):
        return []
    out: list[tuple[int, int, tuple[str, ...], bool, str]] = []
    k = 0
    while k < len(kept):
        one = kept[k]
        if k < len(joins) and wording.THROUGH.fullmatch(joins[k]):
            until = kept[k + 1]
            out.append((one.start(), until.end(), (one["number"], until["number"]), True, until["sub"] or ""))
            k += 2
            continue
        out.append((one.start(), one.end(), (one["number"],), False, one["sub"] or ""))
        k += 1
    return out


def _without_overlap(found: list[_Named]) -> list[_Named]:
    """Return the documents in order; of two that share text, the longer one."""
    kept: list[_Named] = []
    for one in sorted(found, key=lambda n: (n.start, -n.end)):
        if kept and one.start < kept[-1].end:
            if one.end - one.start > kept[-1].end - kept[-1].start:
                kept[-1] = one
            continue
        kept.append(one)
    return kept


def _starts(lines: Sequence[Line]) -> list[int]:
    starts: list[int] = []
    at = 0
    for line in lines:
        starts.append(at)
        at += len(line.text) + 1
    return starts or [0]


def _heading_lines(document: ParsedDocument) -> frozenset[int]:
    """Return the lines of all headings: as many as their titles fill."""
    out: set[int] = set()
    for section in document.sections:
        wanted = len("".join(section.title.split()))
        k = section.line
        while wanted > 0 and k < len(document.lines):
            out.add(k)
            wanted -= len("".join(document.lines[k].text.split()))
            k += 1
    return frozenset(out)
