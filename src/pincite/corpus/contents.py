"""The printed list of contents → which lines of the body are the headings that it names. Pure.

Who set the document listed its headings: a list of contents is better evidence than type. Entries are found again in
the body by their words; printed page numbers say on which sheet, by the distance that most entries agree on.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from typing import NamedTuple

from pincite.types import Line

_LIST = re.compile(
    r"^(table of contents?|contents|inhoud(sopgave)?|inhaltsverzeichnis|inhalt|table des matières|sommaire|"
    r"list of (tables|figures|appendices))$",
    re.IGNORECASE,
)
_LEADER = re.compile(r"(\.\s?){4,}|…{2,}|_{5,}|(·\s?){4,}")
_PAGE = r"(?:\d{1,4}|[ivxlc]{1,6}|[A-Z]{1,2}[-–.]?\d{1,3}|(?:[A-Z]\.)?\d{1,2}[-–]\d{1,3})"
_ENDS_WITH_PAGE = re.compile(r"\s(\d{1,4}|[ivxlc]{1,6}|[A-Z]-\d{1,3}|\d{1,2}[-–]\d{1,3})$")
_ENTRY = re.compile(rf"^(?P<title>.*?)(?:[\s.…_·]*(?:\.|…|_|·|\s)\s*(?P<page>{_PAGE}))?[\s.…_·]*$")
CAPTION = re.compile(
    r"(?i:table|tabel|tabelle|tableau|tab\.|figure|figuur|abbildung|fig\.?|abb\.?)\s*"
    r"(\d|[A-Z](?:[-–.]?\d|[.:)]|\s|$)|[IVXLC]+\b)|(?:TABLE|FIGURE|TABEL|TABELLE)[.:]\s"
)
"""How the caption of a table or figure begins, and its entry in a list of them."""
_NUMBERED = re.compile(
    r"^((?:section|chapter|hoofdstuk|kapitel|afdeling|abschnitt)\s+)?(\d{1,3}(\.\d{1,3})*|[A-Z](\.\d{1,3})+)[.)]?\s*(?=[^\W\d_])",
    re.IGNORECASE,
)
_BEGINS = re.compile(
    r"(\d{1,3}(\.\d{1,3})*|[A-Z](\.\d{1,3})+)[.)]?\s|(appendix|annexe?|bijlage|anlage|anhang|part|chapter|section)\s",
    re.I,
)
"""How an entry begins that is no lower half of another."""
_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}
LEAST_LETTERS = 3
MAX_LINES = 5
"""Lines of the longest heading that is looked for."""


def squeezed(text: str) -> str:
    """Return the text in lower case without spaces and punctuation: what two ways of printing a title share."""
    return re.sub(r"[\W_]+", "", text).lower()


def _bare(text: str) -> str:
    """Return a title without the number before it."""
    return _NUMBERED.sub("", text.strip(), count=1)


class Named(NamedTuple):
    """A line that a list names as a heading."""

    level: int
    """1 at the root; 0 when the list does not say."""
    last: int
    """Index of the heading's last line."""


class _Entry(NamedTuple):
    wanted: tuple[tuple[str, bool], ...]
    """Squeezed titles to look for, the likeliest first; whether each has its number."""
    kind: str
    """How its page is counted: "1" in Arabic digits, "i" in Roman ones, "A" within annex A, "4-" within
    chapter 4, "" not at all."""
    page: int
    x0: float


def contents_lines(lines: Sequence[Line]) -> set[int]:
    """Return the lines of contents lists: those with leaders or a page number at the end, in runs."""
    marked = [bool(_LEADER.search(line.text)) for line in lines]
    out = {i for i, m in enumerate(marked) if m}
    # A list without leaders: after its heading, lines that end with a page number, with the lines they wrap from.
    for i, line in enumerate(lines):
        if not _LIST.match(line.text.strip()):
            continue
        out.add(i)
        misses, j, block = 0, i + 1, [i]
        while j < len(lines) and misses < 3:
            hit = marked[j] or bool(_ENDS_WITH_PAGE.search(lines[j].text.strip()))
            misses = 0 if hit else misses + 1
            if hit:
                block += range(block[-1] + 1, j + 1)
            j += 1
        out.update(block)
    # Entries that wrap: the upper half of an entry has no leader, but stands between entries.
    for i in range(1, len(lines) - 1):
        if i not in out and i - 1 in out and i + 1 in out and lines[i - 1].page == lines[i + 1].page:
            out.add(i)
    return out


def spelled(lines: Sequence[Line], i: int, wanted: str, body: Collection[int], *, numbered: bool = True) -> int | None:
    """Return the last line of the heading that begins with line ``i`` and reads as ``wanted`` (squeezed), or None.

    A footnote mark of up to two digits may follow. Unless ``numbered``, the number before the heading is passed over.
    """
    said = ""
    for j in range(i, min(i + MAX_LINES, len(lines))):
        if j not in body or lines[j].page != lines[i].page:
            return None
        said += squeezed(lines[j].text if numbered or j > i else _bare(lines[j].text))
        if said == wanted or (
            said.startswith(wanted) and said[len(wanted) :].isdigit() and len(said) < len(wanted) + 3
        ):
            return j
        if not wanted.startswith(said):
            return None
    return None


def listed(lines: Sequence[Line], contents: Collection[int], body: Collection[int]) -> dict[int, Named]:
    """Return line → what the printed list of contents says of the heading that begins there.

    ``body`` holds the lines that may be headings. An entry that is found nowhere, or on no sheet that its page number
    allows, names nothing.
    """
    entries = _entries(lines, contents)
    if not entries:
        return {}
    by_start: defaultdict[str, list[int]] = defaultdict(list)
    starts = {wanted[:LEAST_LETTERS] for e in entries for wanted, _ in e.wanted}
    for i in sorted(body):
        text = lines[i].text[:24]
        if len(text) < 8 and i + 1 in body:
            # A number on a line of its own.
            text += " " + lines[i + 1].text[:24]
        for start in {squeezed(said)[:LEAST_LETTERS] for said in (text, _bare(text))} & starts:
            by_start[start].append(i)
    matches: list[list[tuple[int, int]]] = []
    votes: defaultdict[str, Counter[int]] = defaultdict(Counter)
    for entry in entries:
        found: list[tuple[int, int]] = []
        # Lists that were not made anew after a change, and lists without numbers, agree in the words alone.
        for wanted, numbered in entry.wanted:
            if found:
                break
            for i in by_start.get(wanted[:LEAST_LETTERS], ()):
                last = spelled(lines, i, wanted, body, numbered=numbered)
                if last is not None:
                    found.append((i, last))
        matches.append(found)
        if entry.kind and len(entry.wanted[0][0]) > 6:
            votes[entry.kind].update({lines[i].page - entry.page for i, _ in found})
    offsets = {kind: counter.most_common(1)[0][0] for kind, counter in votes.items() if counter}
    levels = _levels([entry.x0 for entry in entries])
    out: dict[int, Named] = {}
    for entry, found, level in zip(entries, matches, levels, strict=True):
        if entry.kind not in offsets:
            some = found if len(found) == 1 else []
        else:
            sheet = offsets[entry.kind] + entry.page
            some = [m for m in found if lines[m[0]].page == sheet]
            some = some or [m for m in found if abs(lines[m[0]].page - sheet) == 1]
        free = [m for m in some if m[0] not in out]
        if free:
            i, last = max(free, key=lambda m: (lines[m[0]].size, lines[m[0]].bold, -m[0]))
            out[i] = Named(level, last)
    return out


def _entries(lines: Sequence[Line], contents: Collection[int]) -> list[_Entry]:
    out: list[_Entry] = []
    above = ""
    x0, before = 0.0, -2
    for i in sorted(contents):
        text = lines[i].text.strip()
        if _LIST.match(text):
            above = ""
            continue
        match = _ENTRY.match(text)
        if match is None:
            continue
        if not above or before != i - 1:
            above, x0 = "", lines[i].box[0]
        before = i
        above = f"{above} {match['title']}".strip()
        if match["page"] is None and not _LEADER.search(text):
            continue
        if not CAPTION.match(above):
            # The line above may be the upper half of the entry, or a word above a group: "Appendices".
            own = match["title"].strip()
            titles = (above, own) if own != above and _BEGINS.match(own) else (above,)
            wanted = [(squeezed(said), numbered) for t in titles for said, numbered in ((t, True), (_bare(t), False))]
            long = tuple(w for k, w in enumerate(wanted) if len(w[0]) > (LEAST_LETTERS if k else LEAST_LETTERS - 1))
            kind, page = _page(match["page"] or "")
            if long:
                out.append(_Entry(long, kind, page, x0))
        above = ""
    return out


def _page(said: str) -> tuple[str, int]:
    if said.isdigit():
        return "1", int(said)
    if said and said.islower():
        values = [_ROMAN[c] for c in said]
        return "i", sum(-v if v < max(values[k + 1 :], default=0) else v for k, v in enumerate(values))
    match = re.match(r"([A-Z]+|(?:[A-Z]\.)?\d+[-–])\D?(\d+)$", said)
    return (match[1], int(match[2])) if match else ("", 0)


def _levels(edges: Sequence[float]) -> list[int]:
    """Return the level of each entry by its indent: left edges within 5 points count as one."""
    distinct: list[float] = []
    for edge in sorted(edges):
        if not distinct or edge - distinct[-1] > 5:
            distinct.append(edge)
    return [max(k for k, left in enumerate(distinct) if left <= edge) + 1 for edge in edges]
