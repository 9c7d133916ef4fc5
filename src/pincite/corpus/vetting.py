"""File name, first page and metadata → which document, which revision; revisions → standing. Pure.

The newest revision of a document is citable, older ones stay readable. Nothing is lost silently: two files that claim
to be the same revision are told apart and reported.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from pincite.types import Line, ParsedDocument, Standing


@dataclass(frozen=True, slots=True)
class Identity:
    """What a file says it is."""

    document: str
    """Slug of the name without its revision mark: lower case, digits, hyphens."""
    revision: str
    """As named or printed: "3", "1.2"; "" when nothing says."""
    date: str
    """ISO 8601 day of the file's own modification or creation date; "" when it has none."""
    named: bool = False
    """Whether the file's name says the revision; else page 1 does."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """One file before its standing is known."""

    source: str
    sha256: str
    identity: Identity
    folder: str = ""
    """Name of the folder it lies in: tells two files apart that are named alike."""
    present: bool = True
    """False for a file that is known from an earlier release and no longer there."""
    modified: str = ""
    """ISO 8601 time at which the file appeared here: breaks ties between revisions that nothing tells apart."""


@dataclass(frozen=True, slots=True)
class Vetted:
    source: str
    sha256: str
    document: str
    revision: str
    """First 8 digits of the hash when nothing says."""
    standing: Standing
    reason: str
    """Why it is not citable, or what else a person should know; "" when there is nothing to say."""


_NUMBER = r"(?P<number>\d{1,4}(?:[.\-_]\d{1,3}){0,3}[a-z]?|[ivx]{1,4}|[a-z](?![a-z0-9]))"
_DOTTED = r"(?P<number>\d{1,4}(?:[.\-_]\d{1,3}){0,3}[a-z]?)(?![a-z0-9])"
_BEFORE = r"[\s._\-\[(]+"
_NAMED = (
    # "SP800-57part1rev4", "manual-rev-2", "rules [rev 3]", "rulebook Revision1".
    re.compile(
        rf"(?:^|(?<=[a-z0-9])|{_BEFORE})(?:revision|revisie|révision|rev)\.?[\s._\-]*{_NUMBER}(?![a-z0-9])",
        re.IGNORECASE,
    ),
    # "fees v1.2", "Rulebook (v2)", "x version 3".
    re.compile(rf"{_BEFORE}(?:version|versie|vers|ver|v)\.?[\s._\-]*{_DOTTED}", re.IGNORECASE),
    # "guide_r3", "SP800-40r3".
    re.compile(rf"(?:(?<=\d)|{_BEFORE})r(?P<number>\d{{1,2}})(?![a-z0-9])", re.IGNORECASE),
)
_PRINTED = re.compile(
    r"(?:^|[\s,;(|–—-])(?:revision|revisie|révision|rev\.|version|versie|fassung|version\s+consolidée)"
    r"\s*(?:no\.?|nr\.?|number|:)?\s*(?P<number>\d{1,3}(?:\.\d{1,3}){0,3})(?=$|[\s,;)|])",
    re.IGNORECASE,
)
_FIRST_LINES = 40
_DATE = re.compile(r"D:(\d{4})(\d{2})?(\d{2})?")


def slug(text: str) -> str:
    """Return lower-case ASCII letters and digits with single hyphens; "document" when nothing is left.

    >>> slug("Pumpe – CRN 32 (DE)")
    'pumpe-crn-32-de'
    """
    plain = unicodedata.normalize("NFKD", text.replace("ß", "ss")).encode("ascii", "ignore").decode()
    short = re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")
    if short:
        return short[:120].strip("-")
    # A name in another script still needs an id of its own.
    points = "-".join(f"{ord(c):x}" for c in text.strip()[:16] if not c.isspace())
    return points or "document"


def identify(source: str, lines: Sequence[str], metadata: Mapping[str, str]) -> Identity:
    """Return which document a file is and which revision of it, from its name, else from lines of ``first_sheet``.

    >>> identify("SP800-57part1rev4.pdf", (), {}).document, identify("SP800-57part1rev4.pdf", (), {}).revision
    ('sp800-57part1', '4')
    """
    name = unicodedata.normalize("NFC", PurePath(source).name)
    stem = name[:-4] if name.lower().endswith(".pdf") else name
    date = _date(metadata)
    for pattern in _NAMED:
        match = pattern.search(stem)
        if not match:
            continue
        rest = stem[: match.start()] + " " + stem[match.end() :].lstrip("])")
        if re.search(r"[^\W_]", rest):
            return Identity(slug(rest), _plain(match["number"]), date, named=True)
    printed = printed_revision(lines)
    return Identity(slug(stem), printed[1] if printed else "", date)


def first_sheet(document: ParsedDocument) -> tuple[Line, ...]:
    """Return the lines that may print a revision: the upper ones of sheet 1, then its header and footer.

    A footer comes last: forms print the revision of the empty form there.
    """
    body = [line for line in document.lines if line.page == 1]
    return (*body[:_FIRST_LINES], *(line for line in document.furniture if line.page == 1))


def printed_revision(lines: Sequence[str]) -> tuple[int, str] | None:
    """Return (index of the line, revision) of the first revision that lines of ``first_sheet`` print; None without."""
    for i, line in enumerate(lines):
        match = _PRINTED.search(line)
        if match and len(line) < 100:
            return i, _plain(match["number"])
    return None


def _plain(number: str) -> str:
    return re.sub(r"[_\-]", ".", number).lower().lstrip("0") or "0"


def _date(metadata: Mapping[str, str]) -> str:
    for key in ("ModDate", "CreationDate"):
        match = _DATE.match(metadata.get(key, ""))
        if match:
            return "-".join((match[1], match[2] or "01", match[3] or "01"))
    return ""


def order(revision: str) -> tuple[int, tuple[tuple[int, int, str], ...]]:
    """Return a key that sorts revisions as people count: "" before "1", "2" before "10", "1.2" before "1.10"."""
    if not revision:
        return (0, ())
    roman = {"i": 1, "ii": 2, "iii": 3, "iv": 4, "v": 5, "vi": 6, "vii": 7, "viii": 8, "ix": 9, "x": 10}
    parts: list[tuple[int, int, str]] = []
    for part in re.findall(r"\d+|[a-z]+", revision.lower()):
        if part.isdigit():
            parts.append((1, int(part), ""))
        elif part in roman and len(part) > 1:
            parts.append((1, roman[part], ""))
        else:
            parts.append((0, 0, part))
    return (1, tuple(parts))


def decide(candidates: Sequence[Candidate]) -> tuple[Vetted, ...]:
    """Return the standing of every file, in the order given.

    The newest revision of a document is citable, older ones are readable. A file that was replaced in place is older
    than the one that is there. Two files that are both there, differ, and say the same document and revision are two
    documents: the second gets an id with its folder or its hash. Equal bytes are one document: one name stands, the
    others are rejected with the reason. The same files give the same answer in any order.
    """
    out: dict[int, Vetted] = {}
    by_hash: defaultdict[str, list[int]] = defaultdict(list)
    for i, candidate in enumerate(candidates):
        by_hash[candidate.sha256].append(i)
    kept: list[int] = []
    for same in by_hash.values():
        first, *twins = sorted(same, key=lambda i: _standing_name(candidates[i]))
        kept.append(first)
        for i in twins:
            c, named = candidates[i], candidates[first]
            reason = f"the same bytes as {named.source}"
            out[i] = Vetted(c.source, c.sha256, named.identity.document, _said(named), "rejected", reason)
    documents = _told_apart([(i, candidates[i]) for i in kept])
    by_document: defaultdict[str, list[int]] = defaultdict(list)
    for i in kept:
        by_document[documents[i]].append(i)
    for document, group in by_document.items():
        ranked = sorted(group, key=lambda i: _newest(candidates[i]))
        labels = _labels([candidates[i] for i in ranked])
        for i, label in zip(ranked, labels, strict=True):
            c = candidates[i]
            if i == ranked[-1]:
                apart = document != c.identity.document
                note = f"another file is {c.identity.document} revision {_said(c)} too" if apart else ""
                out[i] = Vetted(c.source, c.sha256, document, label, "citable", note)
            else:
                out[i] = Vetted(c.source, c.sha256, document, label, "readable", f"superseded by revision {labels[-1]}")
    return tuple(out[i] for i in range(len(candidates)))


def _standing_name(candidate: Candidate) -> tuple[bool, bool, str, str]:
    return (not candidate.present, not candidate.identity.revision, candidate.source, candidate.folder)


def _told_apart(kept: Sequence[tuple[int, Candidate]]) -> dict[int, str]:
    """Return the document id of each file, so that no two that are there share document and revision."""
    taken: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
    by_index = dict(kept)
    out: dict[int, str] = {}
    for i, c in kept:
        out[i] = c.identity.document
        if c.present:
            taken[c.identity.document, c.identity.revision].append(i)
    ids = set(out.values())
    for (document, _), rivals in sorted(taken.items()):
        rivals.sort(key=lambda i: (by_index[i].folder, by_index[i].source, by_index[i].sha256))
        for i in rivals[1:]:
            c = by_index[i]
            by_folder = f"{document}-{slug(c.folder)}" if c.folder else ""
            same_folder = any(by_index[j].folder == c.folder for j in rivals if j != i)
            out[i] = (
                by_folder if by_folder and not same_folder and by_folder not in ids else f"{document}-{c.sha256[:8]}"
            )
            ids.add(out[i])
    return out


def _said(candidate: Candidate) -> str:
    return candidate.identity.revision or candidate.sha256[:8]


def _labels(ranked: Sequence[Candidate]) -> list[str]:
    """Return a revision for each, the last of equals plain, the ones before with their hash: "3 (1f0c9a2b)"."""
    said = [_said(c) for c in ranked]
    return [f"{s} ({ranked[k].sha256[:8]})" if s in said[k + 1 :] else s for k, s in enumerate(said)]


def _newest(candidate: Candidate) -> tuple[tuple[int, tuple[tuple[int, int, str], ...]], bool, str, str, str]:
    identity = candidate.identity
    return (order(identity.revision), candidate.present, identity.date, candidate.modified, candidate.sha256)
