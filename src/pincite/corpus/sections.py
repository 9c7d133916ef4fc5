"""Lines → sections, by numbering, type and outline. Pure.

A heading is found by evidence, not by one rule: a keyword with a number ("Artikel 5", "Annex II"), a decimal number
("4.2.1") or an unnumbered line, each set apart by type or named in the outline. Contents lists, table rows and
sentences that merely begin with a number are not headings.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import NamedTuple

from pincite.corpus.tables import holds
from pincite.types import Line, Section, Table

MAX_HEADING = 220
"""Characters of the longest heading taken, continuation lines included. Statutes have headings of 180."""

_KEYWORDS: tuple[tuple[int, str], ...] = (
    (10, r"part|deel|teil|partie|book|boek|buch|livre"),
    (10, r"annex|annexe|appendix|schedule|bijlage|anlage|anhang|bilaga|attachment|exhibit"),
    (20, r"title|titel|titre"),
    (30, r"chapter|hoofdstuk|kapitel|chapitre|module"),
    (40, r"section|afdeling|abschnitt"),
    (50, r"unterabschnitt|subsection|sous-section|subafdeling|onderafdeling"),
    (55, r"paragraaf|paragraph|paragraphe|subparagraaf"),
    (60, r"article|artikel|artículo|articolo|art\."),
)
"""Rank and names: a smaller rank stands above. Annexes stand at the root and restart whatever is numbered."""

_NUMBER = r"(?:\d+[a-z]{0,2}(?:[.:]\d+[a-z]{0,2})*|[IVXLC]+[a-z]?|[A-Z](?:[.\-]?\d+)*)"
_KEYWORD = re.compile(
    r"^(?P<word>"
    + "|".join(names for _, names in _KEYWORDS)
    + rf")\s+(?P<number>{_NUMBER})(?P<end>[.:)]|\s*[-–—:])?(?P<rest>\s.*|(?<=[-–—])\S.*|)$",
    re.IGNORECASE,
)
_BARE_ANNEX = re.compile(
    r"^(annex|annexe|appendix|bijlage|anlage|anhang|bijlagen|annexes|appendices)[.:]?$", re.IGNORECASE
)
_SIGN = re.compile(r"^§\s*(?P<number>\d+[a-z]{0,2}(?:[.:]\d+[a-z]{0,2})*)(?P<end>\.)?(?P<rest>\s.*|)$")
_DECIMAL = re.compile(r"^(?P<number>\d{1,3}(?:\.\d{1,3}){0,6})(?P<end>[.):])?(?P<rest>\s+\S.*)$")
_LETTERED = re.compile(
    r"^(?P<number>[A-Z](?:\.\d{1,3}){1,5}|[A-Z](?=\.\s)|[A-Z](?=\s[-–—]\s))(?P<end>[.):])?(?P<rest>\s+\S.*)$"
)
_ROMAN = re.compile(r"^(?P<number>[IVXLC]+)(?P<end>[.)])(?P<rest>\s+\S.*)$")
_LONE_NUMBER = re.compile(r"^(?P<number>\d{1,2}(?:\.\d{1,3}){0,5})\.?$")
_CONTENTS = re.compile(
    r"^(table of contents?|contents|inhoud(sopgave)?|inhaltsverzeichnis|inhalt|table des matières|sommaire|"
    r"list of (tables|figures|appendices))$",
    re.IGNORECASE,
)
_LEADER = re.compile(r"(\.\s?){4,}|…{2,}|_{5,}|(·\s?){4,}")
_ENDS_WITH_PAGE = re.compile(r"\s(\d{1,4}|[ivxlc]{1,6}|[A-Z]-\d{1,3})$")
_CAPTION = re.compile(r"^(table|tabel|tabelle|tableau|figure|figuur|abbildung|fig\.|abb\.)\s*[\dA-Z]", re.IGNORECASE)
_NO_TITLE = re.compile(r"^[^\w\"'“‘„«¿¡]")
"""Bullets, brackets and the private-use signs that word processors print as bullets."""
_SENTENCE_END = re.compile(r"[.;,]$")
_RANK_DECIMAL = 100
_RANK_PLAIN = 200
_RANK_CHAPTER, _RANK_ARTICLE = 30, 60
_IN_RUNNING_TEXT = re.compile(
    r"(?<![\w(,])(?P<word>Article|Artikel|CHAPTER|HOOFDSTUK|KAPITEL|CHAPITRE)\s+(?P<number>\d+|[IVXLC]+)\s+"
    r"(?=[A-Z][A-Za-z])"
)
_REFERS = re.compile(
    r"\b(in|of|to|and|or|with|under|by|from|that|per|see|pursuant|van|en|of|met|op|in|bij|uit|und|oder|nach|gemäß|de|à|l)\s*$"
)
_TITLE_ENDS = re.compile(
    r"\s(?=\(?\d{1,2}[.)]\s|(Article|Artikel|Section|SECTION|CHAPTER)\s+[\dIVX])|(?<=[a-z’')])\s(?=[A-Z])"
)
_NAMES_FOLLOW = re.compile(r"\b(the|of|a|an|by|Member|European|de|het|van|des|der|la|le)$")


class OutlineEntry(NamedTuple):
    title: str
    page: int
    level: int
    """1 at the root."""


@dataclass(slots=True)
class _Heading:
    line: int
    title: str
    rank: float
    style: tuple[float, bool, bool]
    last: int
    """Index of the heading's last line."""
    numbered: bool
    outline: int = 0
    """Level in the outline; 0 when it is not there."""
    number: str = ""
    restarts: bool = field(default=False)
    """An annex: what is numbered inside starts again."""


def _squeezed(text: str) -> str:
    return re.sub(r"[\W_]+", "", text).lower()


def find_sections(
    lines: Sequence[Line], tables: Sequence[Table], outline: Sequence[OutlineEntry] = (), *, title: str = ""
) -> tuple[Section, ...]:
    """Return the sections, ascending by the line of their heading. None when nothing reads as a heading.

    The document's own title, printed on its first sheets, heads no section: everything would stand under it.
    """
    if not lines:
        return ()
    text = _Text(lines, tables, outline)
    found: list[_Heading] = []
    i = 0
    while i < len(lines):
        heading = text.heading(i)
        if heading is None:
            i += 1
            continue
        found.append(heading)
        i = heading.last + 1
    running = _running(lines)
    if sum(h.rank == _RANK_ARTICLE for h in running) > 2 * sum(h.rank == _RANK_ARTICLE for h in found):
        found = sorted([*(h for h in found if h.rank not in (_RANK_CHAPTER, _RANK_ARTICLE)), *running], key=_line)
    found = _without_title(_without_drift(found), lines, title)
    if len({h.outline for h in found if h.outline}) == 1:
        # An outline of one level names the headings but not how they nest.
        for heading in found:
            heading.outline = 0
    _rank_plain(found, text.body_size)
    return _nested(found, lines)


class _Text:
    """The lines of a document with what is usual in it."""

    def __init__(self, lines: Sequence[Line], tables: Sequence[Table], outline: Sequence[OutlineEntry]) -> None:
        self.lines = lines
        by_page: defaultdict[int, list[Table]] = defaultdict(list)
        for table in tables:
            by_page[table.page].append(table)
        self.in_table = [any(holds(t, line) for t in by_page.get(line.page, ())) for line in lines]
        self.contents = self._contents_lines()
        # What is read, not what is listed: the contents of a short rulebook hold more letters than its prose.
        body = [i for i in range(len(lines)) if not self.in_table[i] and i not in self.contents]
        self.body_size = _usual_size([lines[i] for i in body])
        weights: Counter[bool] = Counter()
        for i in body:
            weights[lines[i].bold] += len(lines[i].text)
        self.body_bold = weights[True] > weights[False]
        self.leading = self._leading()
        self.first_text = self._first_text()
        self.outline: dict[int, int] = self._outline_lines(outline)
        self.has_outline = len(self.outline) >= 5
        self.right = {
            page: median(sorted((line.box[2] for line in group), reverse=True)[: max(len(group) // 3, 1)])
            for page, group in _by_page(lines).items()
        }

    def _contents_lines(self) -> set[int]:
        """Return the lines of contents lists: those with leaders or a page number at the end, in runs."""
        marked: list[bool] = []
        for line in self.lines:
            text = line.text.strip()
            marked.append(bool(_LEADER.search(text)))
        out = {i for i, m in enumerate(marked) if m}
        # A list without leaders: after its heading, lines that end with a page number, with the lines they wrap from.
        for i, line in enumerate(self.lines):
            if not _CONTENTS.match(line.text.strip()):
                continue
            out.add(i)
            misses, j, block = 0, i + 1, [i]
            while j < len(self.lines) and misses < 3:
                hit = marked[j] or bool(_ENDS_WITH_PAGE.search(self.lines[j].text.strip()))
                misses = 0 if hit else misses + 1
                if hit:
                    block += range(block[-1] + 1, j + 1)
                j += 1
            out.update(block)
        # Entries that wrap: the upper half of an entry has no leader, but stands between entries.
        for i in range(1, len(self.lines) - 1):
            if i not in out and i - 1 in out and i + 1 in out and self.lines[i - 1].page == self.lines[i + 1].page:
                out.add(i)
        return out

    def _first_text(self) -> int:
        """Return the first line of the first page with text to read: covers before it print names in large type."""
        first: dict[int, int] = {}
        for i, line in enumerate(self.lines):
            first.setdefault(line.page, i)
        for page, group in _by_page(self.lines).items():
            long = sum(1 for line in group if len(line.text) > 55 and abs(line.size - self.body_size) < 1.1)
            if long >= 4:
                return first[page]
        return 0

    def _leading(self) -> float:
        gaps: list[float] = []
        for a, b in zip(self.lines, self.lines[1:], strict=False):
            if a.page == b.page and 0 < a.box[1] - b.box[1] < 4 * self.body_size:
                gaps.append(round(a.box[1] - b.box[1], 1))
        return Counter(gaps).most_common(1)[0][0] if gaps else self.body_size * 1.2

    def _outline_lines(self, outline: Sequence[OutlineEntry]) -> dict[int, int]:
        """Return line → level for every outline entry that is printed on its page."""
        starts: defaultdict[int, list[int]] = defaultdict(list)
        for i, line in enumerate(self.lines):
            if i not in self.contents and not self.in_table[i]:
                starts[line.page].append(i)
        out: dict[int, int] = {}
        for entry in outline:
            wanted = _squeezed(entry.title)
            if len(wanted) < 3:
                continue
            for i in starts.get(entry.page, ()):
                if i in out:
                    continue
                said = _squeezed(self.lines[i].text)
                if said == wanted or (len(said) >= 4 and wanted.startswith(said) and self._goes_on(i, wanted)):
                    out[i] = entry.level
                    break
                # An outline often leaves the number out.
                if len(wanted) > 8 and said.endswith(wanted) and len(said) - len(wanted) <= 12:
                    out[i] = entry.level
                    break
        return out

    def _goes_on(self, i: int, wanted: str) -> bool:
        said = _squeezed(self.lines[i].text)
        for line in self.lines[i + 1 : i + 4]:
            said += _squeezed(line.text)
            if said == wanted or not wanted.startswith(said):
                break
        return said.startswith(wanted) or wanted == said

    # -------------------------------------------------------- one line

    def style(self, i: int) -> tuple[float, bool, bool]:
        line = self.lines[i]
        capitals = line.text.isupper() and len(line.text) > 3
        return (round(line.size * 2) / 2, line.bold, capitals)

    def stands_out(self, i: int) -> bool:
        size, bold, capitals = self.style(i)
        return (
            size >= self.body_size + 0.9
            or (bold and not self.body_bold and size >= self.body_size - 1.1)
            or (capitals and size >= self.body_size - 0.6 and len(self.lines[i].text) < 100)
        )

    def gap_above(self, i: int) -> float:
        """Return the white above a line in multiples of the usual leading; large at the top of a page."""
        if i == 0 or self.lines[i - 1].page != self.lines[i].page:
            return 9.0
        distance = self.lines[i - 1].box[1] - self.lines[i].box[1]
        return 9.0 if distance <= 0 else distance / max(self.leading, 1.0)

    def ends_short(self, i: int) -> bool:
        """Return whether the line ends well before the right edge of the text, so that it does not run on."""
        line = self.lines[i]
        return line.box[2] < self.right[line.page] - 3 * line.size

    def heading(self, i: int) -> _Heading | None:
        line = self.lines[i]
        text = line.text.strip()
        if i in self.contents or self.in_table[i] or not text or len(text) > MAX_HEADING:
            return None
        if lone := _LONE_NUMBER.match(text):
            return self._lone_number(i, lone["number"])
        if _CAPTION.match(text) or not re.search(r"[^\W\d_]|§", text):
            return None
        return self._keyword(i, text) or self._sign(i, text) or self._number(i, text) or self._plain(i, text)

    def _made(self, i: int, rank: float, *, number: str, restarts: bool = False, title_below: bool = False) -> _Heading:
        last = self._last(i, title_below=title_below)
        title = " ".join(self.lines[i].text.split())
        for line in self.lines[i + 1 : last + 1]:
            title += (" " if not title.endswith("-") else "") + " ".join(line.text.split())
        level = self.outline.get(i, 0)
        return _Heading(i, title, rank, self.style(i), last, bool(number), level, number, restarts)

    def _last(self, i: int, *, title_below: bool) -> int:
        """Return the last line of a heading that wraps, or whose title is printed below its number."""
        last = i
        length = len(self.lines[i].text)
        while last + 1 < len(self.lines) and last - i < 4:
            j = last + 1
            line, text = self.lines[j], self.lines[j].text.strip()
            length += len(text) + 1
            if line.page != self.lines[i].page or self.in_table[j] or j in self.contents or length > MAX_HEADING:
                break
            if j in self.outline or _starts_numbered(text) or _CAPTION.match(text):
                break
            first_title = title_below and last == i
            close = self.gap_above(j) <= (2.6 if first_title else 1.75 * max(self.lines[i].size / self.body_size, 1.0))
            same = self.style(j)[:2] == self.style(i)[:2]
            if first_title:
                # The title of "Article 5" stands on the next line, set apart from the text below it.
                if not close or not self.stands_out(j) or (text[:1].islower() and not same):
                    break
            else:
                wraps = text[:1].islower() or last > i or not self.ends_short(i) or self._goes_with(i, j)
                if not (close and same and wraps and self.stands_out(i) and self.stands_out(j)):
                    break
            last = j
        return last

    def _goes_with(self, i: int, j: int) -> bool:
        """Return whether a line of the same type right below goes on with the heading: centred, or named so."""
        a, b = self.lines[i], self.lines[j]
        centred = abs((a.box[0] + a.box[2]) / 2 - (b.box[0] + b.box[2]) / 2) < 6 and abs(a.box[0] - b.box[0]) > 12
        hanging = b.box[0] > a.box[0] + 8 and _starts_numbered(a.text)
        return centred or (hanging and self.gap_above(j) < 1.4 * max(a.size / self.body_size, 1.0))

    def _keyword(self, i: int, text: str) -> _Heading | None:
        if _BARE_ANNEX.match(text) and (self.stands_out(i) or self.gap_above(i) > 1.5 or i in self.outline):
            return self._made(i, 10, number=text, restarts=True)
        match = _KEYWORD.match(text)
        if not match:
            return None
        word, number, rest = match["word"], match["number"], (match["rest"] or "").strip()
        if not word[0].isupper():
            return None
        if number.isalpha() and number.islower():
            # "Artikel vijf" does not come here, "part of" and "section a" do.
            return None
        rank = next(r for r, names in _KEYWORDS if re.fullmatch(names, word, re.IGNORECASE))
        annex = rank == 10 and not re.fullmatch(_KEYWORDS[0][1], word, re.IGNORECASE)
        listed = i in self.outline
        alone = not rest and not (match["end"] or "").strip(".:-–— ")
        if alone and (match["end"] or "") != ")" and self._whole(i):
            return self._made(i, rank, number=f"{word} {number}".lower(), restarts=annex, title_below=True)
        if not rest or (_SENTENCE_END.search(rest) and not self.stands_out(i)):
            return None
        if rest[:1].islower() and not listed and not self.stands_out(i):
            return None
        if re.match(r"^[,;)]|^(van|of|and|en|und|lid|et)\b", rest) and not listed and not self._begins_bold(i):
            return None
        if listed or self.stands_out(i) or (self.gap_above(i) > 1.3 and self._whole(i)):
            return self._made(i, rank, number=f"{word} {number}".lower(), restarts=annex)
        return None

    def _whole(self, i: int) -> bool:
        """Return whether a line is not the middle of a paragraph: the line before has ended, or this stands out."""
        if self.stands_out(i) or i in self.outline or self.gap_above(i) > 1.35:
            return True
        before = self.lines[i - 1].text.strip()
        return bool(re.search(r"[.:;!?)\]]$", before)) or self.ends_short(i - 1)

    def _begins_bold(self, i: int) -> bool:
        return self.stands_out(i) and (i == 0 or not self.stands_out(i - 1) or self.gap_above(i) > 1.2)

    def _set_apart(self, i: int) -> bool:
        return self.stands_out(i) and self.gap_above(i) > 1.2

    def _sign(self, i: int, text: str) -> _Heading | None:
        match = _SIGN.match(text)
        if not match:
            return None
        rest = match["rest"].strip()
        if not (self.stands_out(i) or i in self.outline or (not rest and self._whole(i))):
            return None
        if re.match(r"^(Abs|Nr|Satz|lid)\b", rest):
            return None
        # German statutes: the paragraph is the article. Dutch ones: a part above it. Either way between the two.
        return self._made(i, 58, number=f"§ {match['number']}", title_below=not rest)

    def _number(self, i: int, text: str) -> _Heading | None:
        match = _DECIMAL.match(text) or _LETTERED.match(text) or (_ROMAN.match(text) if self.stands_out(i) else None)
        if not match:
            return None
        number, rest = match["number"], match["rest"].strip()
        listed = i in self.outline
        depth = number.count(".") + 1
        if not listed:
            if match["end"] in (")", ":") or not rest[:1].isalpha() or len(text) > 160:
                return None
            if _SENTENCE_END.search(rest) and not (self.stands_out(i) and depth > 1 and len(text) < 90):
                return None
            if (
                depth == 1
                and number.isdigit()
                and (int(number) > 60 or (rest[:1].islower() and not self.stands_out(i)))
            ):
                return None
            if depth == 1 and len(number) > 1 and number.startswith("0"):
                return None
            if not self.stands_out(i):
                # Without type of its own only "4.2 Title" on a line alone, and only where the document numbers so.
                if (
                    depth < 2
                    or rest[:1].islower()
                    or self.gap_above(i) < 1.35
                    or not self.ends_short(i)
                    or self.has_outline
                ):
                    return None
            elif not (self._set_apart(i) or self.style(i)[0] >= self.body_size + 0.9 or depth > 1):
                return None
        return self._made(i, _RANK_DECIMAL + depth, number=number)

    def _lone_number(self, i: int, number: str) -> _Heading | None:
        """Return the heading of a number that stands alone, with its title in the same type on the next line."""
        j = i + 1
        if j >= len(self.lines) or not self.stands_out(i) or self.style(i)[:2] != self.style(j)[:2]:
            return None
        title = self.lines[j].text.strip()
        if not self.stands_out(j) or not title[:1].isalpha() or self.gap_above(i) < 1.1:
            return None
        made = self._made(i, _RANK_DECIMAL + number.count(".") + 1, number=number, title_below=True)
        return made if made.last > i else None

    def _plain(self, i: int, text: str) -> _Heading | None:
        """Return an unnumbered heading: a short line in type of its own, above text."""
        if i in self.outline:
            return self._made(i, _RANK_PLAIN, number="")
        letters = sum(c.isalpha() for c in text)
        if i < self.first_text or letters < 3 or letters < 0.55 * len(text.replace(" ", "")) or len(text) > 120:
            return None
        if text[:1].islower() or _SENTENCE_END.search(text) or _NO_TITLE.match(text):
            return None
        size, bold, capitals = self.style(i)
        gap = self.gap_above(i)
        larger = size >= self.body_size + 0.9
        heavier = bold and not self.body_bold and size >= self.body_size - (1.3 if gap > 1.5 else 0.6)
        if not larger and not heavier and not (capitals and len(text) < 70 and letters > 5):
            return None
        if gap < 1.25 and size < self.body_size + 1.9:
            return None
        if not larger and (text.endswith(":") or not self._followed_by_text(i)):
            return None
        made = self._made(i, _RANK_PLAIN, number="")
        return None if _SENTENCE_END.search(made.title) or self._runs_on(made.last) else made

    def _runs_on(self, i: int) -> bool:
        """Return whether the line is full and the next one goes on right below: a paragraph that begins in bold."""
        if i + 1 >= len(self.lines) or self.ends_short(i):
            return False
        return self.lines[i + 1].page == self.lines[i].page and self.gap_above(i + 1) < 1.2

    def _followed_by_text(self, i: int) -> bool:
        for j in range(i + 1, min(i + 4, len(self.lines))):
            if self.in_table[j]:
                return True
            if not self.stands_out(j) or _starts_numbered(self.lines[j].text):
                return True
        return False


def _usual_size(lines: Sequence[Line]) -> float:
    """Return the type size, in points, of most of the text; sizes a quarter of a point apart count as one."""
    letters: Counter[float] = Counter()
    for line in lines:
        letters[line.size] += len(line.text)
    if not letters:
        return 10.0
    return max(letters, key=lambda size: (sum(n for other, n in letters.items() if abs(other - size) <= 0.25), size))


def _by_page(lines: Sequence[Line]) -> dict[int, list[Line]]:
    out: defaultdict[int, list[Line]] = defaultdict(list)
    for line in lines:
        out[line.page].append(line)
    return out


def _starts_numbered(text: str) -> bool:
    return bool(_DECIMAL.match(text) or _KEYWORD.match(text) or _SIGN.match(text) or _LETTERED.match(text))


# ---------------------------------------------------------------- the tree


def _without_drift(found: list[_Heading]) -> list[_Heading]:
    """Return the headings without numbered lines that break the numbering: a step in a list, a row of a form."""
    out: list[_Heading] = []
    seen: set[str] = set()
    for heading in found:
        if heading.restarts or 10 <= heading.rank < 50:
            seen.clear()
        if heading.numbered and not heading.outline and heading.number[:1].isdigit():
            parts = heading.number.split(".")
            if len(parts) == 1 and heading.number in seen and not heading.restarts:
                # The second "1 …" of a document that numbers its sections is an entry of a list.
                continue
            seen.add(heading.number)
        out.append(heading)
    return out


_ROMAN_VALUES = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100}


def _line(heading: _Heading) -> int:
    return heading.line


def _value(number: str) -> int:
    """Return a number in Arabic or Roman digits as an integer."""
    if number.isdigit():
        return int(number)
    values = [_ROMAN_VALUES[c] for c in number]
    return sum(-v if v < max(values[i + 1 :], default=0) else v for i, v in enumerate(values))


def _running(lines: Sequence[Line]) -> list[_Heading]:
    """Return the articles and chapters of a text that was printed without line breaks at its headings.

    Only an unbroken count from 1 to at least 8 is believed (tests/corpus/test_sections.py quotes the regulation that
    is printed so). A section begins with the line that holds its heading: half a line may belong to the one before.
    """
    starts: list[int] = []
    at = 0
    for line in lines:
        starts.append(at)
        at += len(line.text) + 1
    text = "\n".join(line.text for line in lines)
    expected = {_RANK_CHAPTER: 1, _RANK_ARTICLE: 1}
    out: list[_Heading] = []
    for match in _IN_RUNNING_TEXT.finditer(text):
        rank = _RANK_ARTICLE if match["word"].startswith("Art") else _RANK_CHAPTER
        if _value(match["number"]) != expected[rank] or _REFERS.search(
            text[max(match.start() - 12, 0) : match.start()]
        ):
            continue
        expected[rank] += 1
        i = bisect_right(starts, match.start()) - 1
        title = f"{match['word']} {match['number']} {_running_title(text[match.end() : match.end() + 160])}"
        number = f"{match['word']} {match['number']}".lower()
        out.append(_Heading(i, title, rank, (lines[i].size, False, False), i, True, 0, number))
    return out if expected[_RANK_ARTICLE] > 8 else []


def _running_title(text: str) -> str:
    """Return the title that running text begins with: up to the first paragraph number or the next sentence."""
    flat = " ".join(text.split())
    for end in _TITLE_ENDS.finditer(flat):
        if not _NAMES_FOLLOW.search(flat[: end.start()]):
            return flat[: end.start()]
    return flat[:100].rsplit(" ", 1)[0]


def _without_title(found: list[_Heading], lines: Sequence[Line], title: str) -> list[_Heading]:
    """Return the headings without the document's title and what else is printed large on its cover."""
    wanted = _squeezed(title)
    cover = lines[0].page + 1
    named = {h.line for h in found if _squeezed(h.title) in wanted or (wanted and wanted in _squeezed(h.title))}
    others = [h for h in found if h.line not in named]
    if not wanted or not others:
        return found
    regular = {h.style for h in others}
    inside = [h.style[0] for h in others if lines[h.line].page > cover or h.numbered]

    def names_document(heading: _Heading) -> bool:
        if lines[heading.line].page > cover or heading.restarts:
            return False
        if heading.numbered:
            # "Part 1: General" on the cover of part 1; not the first part of a document that says no other title.
            said = _squeezed(heading.title)
            return heading.rank <= _RANK_CHAPTER and 6 < len(said) < len(wanted) - 8 and said in wanted
        if heading.line in named:
            return heading.style not in regular
        return bool(inside) and not heading.outline and heading.style[0] > max(inside) + 0.75

    return [h for h in found if not names_document(h)]


def _rank_plain(found: list[_Heading], body_size: float) -> None:
    """Give unnumbered headings the rank of numbered ones in the same type or at the same outline level."""
    by_style: defaultdict[tuple[float, bool, bool], list[float]] = defaultdict(list)
    by_level: defaultdict[int, list[float]] = defaultdict(list)
    for heading in found:
        if heading.numbered:
            by_style[heading.style].append(heading.rank)
            if heading.outline:
                by_level[heading.outline].append(heading.rank)
    plain_styles = sorted({h.style for h in found if not h.numbered}, key=_style_order)
    for heading in found:
        if heading.numbered:
            continue
        if heading.outline and by_level.get(heading.outline):
            heading.rank = median(by_level[heading.outline])
        elif by_style.get(heading.style):
            heading.rank = Counter(by_style[heading.style]).most_common(1)[0][0]
        else:
            # Between the numbered styles that are larger and those that are smaller.
            larger = [rank for style, ranks in by_style.items() if _outranks(style, heading.style) for rank in ranks]
            step = plain_styles.index(heading.style) / 100
            heading.rank = (max(larger) + 0.5 if larger else 5.0) + step


def _outranks(a: tuple[float, bool, bool], b: tuple[float, bool, bool]) -> bool:
    """Return whether type ``a`` stands above ``b``: larger, or as large and bold or in capitals where b is not."""
    if abs(a[0] - b[0]) > 0.75:
        return a[0] > b[0]
    return a[1:] > b[1:]


def _style_order(style: tuple[float, bool, bool]) -> tuple[float, bool, bool]:
    size, bold, capitals = style
    return (-size, not bold, not capitals)


def _nested(found: list[_Heading], lines: Sequence[Line]) -> tuple[Section, ...]:
    sections: list[Section] = []
    stack: list[_Heading] = []
    for heading in found:
        while stack and not _is_above(stack[-1], heading):
            stack.pop()
        if heading.numbered and heading.rank > _RANK_DECIMAL:
            _climb_to_parent(stack, heading)
        stack.append(heading)
        path = tuple(h.title for h in stack)
        sections.append(Section(path, heading.title, len(stack), lines[heading.line].page, heading.line))
    return tuple(sections)


def _is_above(parent: _Heading, heading: _Heading) -> bool:
    """Return whether a heading on the stack can be the parent of the next one."""
    if parent.outline and heading.outline and not (parent.numbered and heading.numbered):
        return parent.outline < heading.outline
    if parent.numbered and not heading.numbered and _RANK_DECIMAL + 1 < parent.rank < _RANK_PLAIN:
        # "Typical usage" in the type of "10.2.1 …" stands below it; "References" in the type of "1 …" beside it.
        return parent.rank <= heading.rank
    if not parent.numbered and heading.numbered:
        # Numbering outranks type, unless the type is larger: chapters without numbers that restart the numbering.
        return parent.rank < heading.rank and heading.rank > 50 and parent.style[0] > heading.style[0] + 0.75
    return parent.rank < heading.rank


def _climb_to_parent(stack: list[_Heading], heading: _Heading) -> None:
    """Pop what is not above "4.2.1": a decimal heading of another branch, and what hangs below its ancestor."""

    def is_ancestor(other: _Heading) -> bool:
        return bool(other.number) and heading.number.startswith(other.number + ".")

    if any(is_ancestor(h) for h in stack):
        while not is_ancestor(stack[-1]):
            stack.pop()
        return
    while stack and stack[-1].numbered and stack[-1].rank > _RANK_DECIMAL:
        stack.pop()
