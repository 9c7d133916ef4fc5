"""How documents are called: the numbers and titles that they print, learnt from the documents themselves. Pure.

Nothing is known beforehand about a publisher. That "SP" and "Special Publication" mean one series is learnt from a
document that has the one in its file name and the other on its cover.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from pincite.corpus.contents import squeezed
from pincite.corpus.vetting import first_sheet, identify, order
from pincite.corpus.wording import arabic
from pincite.types import ParsedDocument

_PRINTED = re.compile(
    r"(?<![\w.])(?P<words>(?:[A-Z(][\w().&/]*[ \t]+){0,3}[A-Z(][\w().&/]*\s+)(?:No\.?\s+|[Nn]r\.?\s+)?"
    r"(?P<number>\d{3,}(?:[-/]\d+)*[A-Za-z]?(?:r\d+)?|\d+(?:[-/]\d+)+[A-Za-z]?(?:r\d+)?)(?!\w|-[A-Za-z])"
)
_IN_NAME = re.compile(r"(?P<series>[A-Za-z]{2,12})[\s._-]?(?P<number>\d{3,}(?:-\d+)*(?![a-z]*\d*[a-z]{4}))")
_YEAR = re.compile(r"(?:19|20)\d\d$")
_SUFFIX = re.compile(r"(?<=\d)(?P<letter>[A-Z]?)(?:R(?:EV)?\.?(?P<revision>\d+))$")
_PART = re.compile(r"\b(?:part|pt\.?|deel|teil|partie)\s*(?P<part>\d+|[IVX]+\b)", re.IGNORECASE)
_VOLUME = re.compile(r"\b(?:volume|vol\.?)\s*(?P<volume>\d+|[IVX]+\b)", re.IGNORECASE)
_NAMED_PART = re.compile(r"(?:part|pt)[\s_-]?(?P<part>\d+)", re.IGNORECASE)
_NAMED_VOLUME = re.compile(r"(?:vol(?:ume)?[\s_-]?|(?<=\d)v)(?P<volume>\d+)(?=r|\b|_)", re.IGNORECASE)
_SHORT = re.compile(r"\(([A-Z][^()\n]{2,60})\)")
_SHEETS_OF_A_HEADER = 3
"""Sheets on which a running header must show a number before it is believed without the file's name."""

_FILLER = frozenset(
    """the a an of and for to in no nr document edition version revision rev volume part page
    """.split()  # noqa: SIM905 - a list of words reads as words
)


@dataclass(frozen=True, slots=True)
class Designation:
    """A document's number as written: series, number and what narrows it down; "" for what is not said."""

    series: str
    number: str
    """Capitals, without white space: ``800-57``, ``2016/679``."""
    part: str = ""
    volume: str = ""
    revision: str = ""


@dataclass(frozen=True, slots=True)
class Known:
    """What one document of a release is called."""

    document: str
    revision: str
    designations: tuple[Designation, ...]
    titles: tuple[str, ...]
    """Title and short names, as printed; most telling first."""


def plain_number(written: str) -> str:
    """Return a number for comparison: no white space, capitals, one kind of hyphen.

    >>> plain_number("800-\\n63b"), plain_number("2016/679.")
    ('800-63B', '2016/679')
    """
    return re.sub(r"\s+", "", written).replace("–", "-").replace("‐", "-").rstrip(".,:;-_").upper()


def plain_series(written: str) -> str:
    return " ".join(re.sub(r"[^\w]+", " ", written).upper().split())


def designation(series: str, number: str, after: str = "") -> Designation:
    """Return the designation of a number as written and of the words that follow it ("Part 1, Revision 4").

    >>> designation("SP", "800-57", " Part 1, Rev. 4").part, designation("SP", "800-40r3").revision
    ('1', '3')
    """
    plain = plain_number(number)
    suffix = _SUFFIX.search(plain)
    revision = ""
    if suffix:
        revision, plain = suffix["revision"], plain[: suffix.start()] + suffix["letter"]
    part, volume = _PART.search(after), _VOLUME.search(after)
    said = re.search(r"\b(?:revision|revisie|révision|rev\.?)\s*(\d+(?:\.\d+)?|[IVX]+\b)", after, re.IGNORECASE)
    return Designation(
        plain_series(series),
        plain,
        arabic(part["part"]) if part else "",
        arabic(volume["volume"]) if volume else "",
        revision or (arabic(said[1]) if said else ""),
    )


def name_of(document: str, parsed: ParsedDocument) -> Known:
    """Return what a document is called.

    A number counts when it is printed on the first sheets and the file's name or metadata say it too, or when it runs
    along in the headers: one planted line makes nobody another document.
    """
    stem = PurePath(parsed.source).stem
    cover = [line.text for line in parsed.lines if line.page <= 2][:80]
    identity = identify(parsed.source, [line.text for line in first_sheet(parsed)], dict(parsed.metadata))
    said = squeezed(" ".join([stem, *(value for key, value in parsed.metadata if key in ("Title", "Subject"))]))
    headers: defaultdict[str, set[int]] = defaultdict(set)
    for line in parsed.furniture:
        headers[line.text].add(line.page)
    running = [text for text, sheets in headers.items() if len(sheets) >= _SHEETS_OF_A_HEADER]
    text = "\n".join([parsed.title, *cover])
    numbers: dict[str, set[str]] = {}
    for trusted, place in ((False, text), (True, "\n".join(running))):
        for match in _PRINTED.finditer(place):
            number = plain_number(match["number"])
            if _YEAR.match(number) or not (trusted or squeezed(number) in said):
                continue
            numbers.setdefault(number, set()).update(_phrases(match["words"]))
    for match in _IN_NAME.finditer(stem):
        number = plain_number(match["number"])
        for known in numbers:
            if known == number or known.startswith(number):
                numbers[known].add(plain_series(match["series"]))
    part = _NAMED_PART.search(stem) or _PART.search(parsed.title)
    volume = _NAMED_VOLUME.search(stem) or _VOLUME.search(parsed.title)
    found: dict[Designation, None] = {}
    for number, phrases in numbers.items():
        for phrase in sorted(phrases):
            whole = designation(phrase, number)
            revision = identity.revision or whole.revision
            own = Designation(
                whole.series,
                whole.number,
                arabic(part["part"]) if part else "",
                arabic(volume["volume"]) if volume else "",
                revision,
            )
            found[own] = None
            # "800-63-3" is the third revision of 800-63.
            dashed = re.fullmatch(r"(\d+[-/]\d+)-(\d)", own.number)
            if dashed:
                found[Designation(own.series, dashed[1], own.part, own.volume, dashed[2])] = None
    return Known(document, identity.revision, tuple(found), _titles(parsed, stem, cover, numbers))


def _phrases(words: str) -> set[str]:
    """Return the names of the series that stand before a number: the last two words, a last one in capitals."""
    parts = words.split()
    if parts[-1].strip("().").lower() in _FILLER:
        return set()
    out = {plain_series(" ".join(parts[-2:]))} if len(parts) > 1 else set[str]()
    last = parts[-1].strip("().")
    if len(parts) == 1 or (last.isupper() and len(last) >= 2):
        out.add(plain_series(last))
    return {phrase for phrase in out if not {w.lower() for w in phrase.split()} & _FILLER}


def _titles(parsed: ParsedDocument, stem: str, cover: Sequence[str], numbers: Iterable[str]) -> tuple[str, ...]:
    title = " ".join(parsed.title.split())
    # What stands before the title's first comma is often the number: "NIST SP 800-111, Guide to …".
    first, _, rest = title.partition(",")
    if any(squeezed(number) in squeezed(first) for number in numbers) and len(rest) >= 12:
        title = re.sub(r"^\s*Rev(?:ision|\.)?\s*\d+,?\s+", "", rest.strip())
    title = re.sub(r"\s*[–—-]\s*Rev(?:ision|\.)?\s*\d+$", "", title).rstrip(" .")
    names: list[str] = []
    if len(title) >= 12 and " " in title and title != stem:
        names.append(title)
    plain = squeezed(stem)
    pieces = [piece for piece in re.split(r"[\s_]+", stem) if not _YEAR.match(piece)]
    own = {squeezed(pieces[0]) if pieces else "", squeezed("".join(pieces))}
    for match in _SHORT.finditer("\n".join([parsed.title, *cover[:40]])):
        for name in re.split(r"\s+[–—-]\s+", match[1]):
            short = squeezed(name)
            if len(short) >= 3 and not short.isdigit() and short in own:
                names.append(name.strip())
    ending = re.search(r"\(([^()]{8,})\)$", " ".join(parsed.title.split()))
    if ending and " " in ending[1].strip():
        names.append(ending[1].strip())  # how a statute says its short title
    first = next((line for line in cover if len(squeezed(line)) >= 6), "")
    if first and squeezed(first) == plain and " " not in first.strip():
        names.append(first.strip())
    return tuple(dict.fromkeys(names))


class Names:
    """The names of all documents of a release."""

    def __init__(self, known: Iterable[Known]) -> None:
        self.known = tuple(known)
        self._same = _Groups()
        self._by_number: defaultdict[str, list[tuple[Designation, Known]]] = defaultdict(list)
        for one in self.known:
            first = ""
            for own in one.designations:
                self._by_number[own.number].append((own, one))
                first = first or own.series
                self._same.unite(first, own.series)
        self.titles: dict[str, str] = {}
        """Document by title, white space as single spaces; titles that two documents bear are nobody's."""
        owners: defaultdict[str, set[str]] = defaultdict(set)
        for one in self.known:
            for title in one.titles:
                owners[" ".join(title.split())].add(one.document)
        for title, some in _without_common_start(owners):
            owners[title] |= some
        for title in tuple(owners):
            # A sign of a trade mark is printed once, on the cover.
            owners[re.sub(r"[®™]", "", title)] |= owners[title]
        self.titles = {title: next(iter(some)) for title, some in owners.items() if len(some) == 1}

    @property
    def series(self) -> tuple[str, ...]:
        """Names of series, longest first, in capitals; without those that end with another."""
        known = set(self._same.members())
        # "NIST Special Publication" is found where "Special Publication" is.
        return tuple(sorted((s for s in known if not _ends_with_another(s, known)), key=lambda s: (-len(s), s)))

    def is_called(self, document: str, wanted: Designation) -> bool:
        """Return whether this is a name of the document itself, its part and revision aside."""
        return any(one.document == document for _, one in self._of_series(wanted.number, wanted.series))

    def find(self, wanted: Designation, written: str) -> tuple[str, str]:
        """Return (document, "") or ("", why none is meant, with the name as it is written).

        A part, volume or revision that is said must be that of the document; one that is not said may be any, as long
        as one document remains.
        """
        number, revision = wanted.number, wanted.revision
        candidates = self._of_series(number, wanted.series)
        dashed = re.fullmatch(r"(\d+(?:[-/]\d+)?)-(\d)", number)
        if not candidates and dashed and not revision:
            candidates, revision = self._of_series(dashed[1], wanted.series), dashed[2]
        if not candidates:
            return "", f"{written} is not in the library"
        fitting = [
            (own, one)
            for own, one in candidates
            if (not wanted.part or own.part == wanted.part) and (not wanted.volume or own.volume == wanted.volume)
        ]
        if not fitting:
            return "", f"{written} is not in the library"
        if revision:
            of_revision = [(own, one) for own, one in fitting if _same_revision(own.revision, revision)]
            if not of_revision:
                there = max((own.revision for own, _ in fitting), key=order)
                has = f"revision {there}" if there else "another revision"
                return "", f"{written} is not in the library, which has {has}"
            fitting = of_revision
        documents = sorted({one.document for _, one in fitting})
        if len(documents) > 1:
            return "", f"{written} may be {', '.join(documents)}"
        return documents[0], ""

    def siblings(self, document: str, part: str) -> tuple[str, ...]:
        """Return the documents that are this part of the work which ``document`` is a part of."""
        own = {(d.series, d.number) for one in self.known if one.document == document for d in one.designations}
        return tuple(
            sorted(
                {
                    one.document
                    for one in self.known
                    for d in one.designations
                    if (d.series, d.number) in own and d.part == part
                }
            )
        )

    def _of_series(self, number: str, series: str) -> list[tuple[Designation, Known]]:
        found = self._by_number.get(number, [])
        if not series:
            return found
        if series not in self._same.members() and series[:-1] in self._same.members():
            series = series[:-1]  # "Special Publications 800-61, 800-83"
        return [(own, one) for own, one in found if self._same.are_one(own.series, series)]


def _without_common_start(owners: Mapping[str, set[str]]) -> list[tuple[str, set[str]]]:
    """Return titles without what several begin with: "Fees Rulebook" of "Farrowmere Pay Fees Rulebook".

    Only names are left out: words with a capital, with a capital after them.
    """
    starts: defaultdict[str, set[str]] = defaultdict(set)
    for title, some in owners.items():
        words = title.split()
        for n in range(1, len(words) - 1):
            if not words[n - 1][0].isupper():
                break
            starts[" ".join(words[:n])] |= some
    out: list[tuple[str, set[str]]] = []
    for title, some in owners.items():
        words = title.split()
        shared = [n for n in range(1, len(words) - 1) if len(starts.get(" ".join(words[:n]), ())) > 1]
        if shared and words[max(shared)][0].isupper():
            out.append((" ".join(words[max(shared) :]), some))
    return out


def _ends_with_another(series: str, known: set[str]) -> bool:
    words = series.split()
    return any(" ".join(words[n:]) in known for n in range(1, len(words)))


def _same_revision(own: str, wanted: str) -> bool:
    return own.lstrip("0") == wanted.lstrip("0")


class _Groups:
    """Names of series that mean one series: sets that grow together."""

    def __init__(self) -> None:
        self._parent: dict[str, str] = {}

    def members(self) -> tuple[str, ...]:
        return tuple(self._parent)

    def unite(self, a: str, b: str) -> None:
        self._parent[self._root(a)] = self._root(b)

    def are_one(self, a: str, b: str) -> bool:
        if a == b:
            return True
        if a not in self._parent or b not in self._parent:
            return False
        return self._root(a) == self._root(b)

    def _root(self, name: str) -> str:
        self._parent.setdefault(name, name)
        while self._parent[name] != name:
            name = self._parent[name]
        return name
