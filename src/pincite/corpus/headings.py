"""Lines → which of them are headings, by numbering, type and outline. Pure.

A heading is found by evidence, not by one rule: a keyword with a number ("Artikel 5", "Annex II"), a decimal number
("4.2.1") or an unnumbered line, each set apart by type or named in the outline. Contents lists, table rows and
sentences that merely begin with a number are not headings.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from pincite.corpus.typography import Look, Printed, Style
from pincite.types import Line

MAX_HEADING = 220
"""Characters of the longest heading taken, continuation lines included. Statutes have headings of 180."""

MAX_WORDS = 14
"""Of a chapter that only its size sets apart; more make a sentence."""

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

_SPELLED = (
    "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|een|twee|drie|vier|vijf|zes|zeven|acht|negen|tien|"
    "elf|twaalf|eins|zwei|drei|fünf|sechs|sieben|neun|zehn|zwölf"
)
"""Numbers of chapters and parts in words; like all numbers after a keyword they begin with a capital."""
_NUMBER = rf"(?:\d+[a-z]{{0,2}}(?:[.:]\d+[a-z]{{0,2}})*|[IVXLC]+[a-z]?|[A-Z](?:[.\-]?\d+)*|(?:{_SPELLED})(?!\w))"
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
_GLUED = re.compile(r"^(\d{1,3}(?:\.\d{1,3})+\.)(?=[^\W\d_]{2})")
"""A number printed without a space before its title: "4.5.Identifiers"."""
_PARTED = re.compile(r"^(\d{1,2})\. (\d{1,2})(?=\.? [^\W\d_])")
"""A number printed with a space inside: "5. 1 Key types"."""
_LONE_NUMBER = re.compile(r"^(?P<number>\d{1,2}(?:\.\d{1,3}){0,5})\.?$")
_NO_TITLE = re.compile(r"^[^\w\"'“‘„«¿¡]")
"""Bullets, brackets and the private-use signs that word processors print as bullets."""
_WORD = re.compile(r"[^\W\d_]{4}")
_IS_VALUE = re.compile(r"0\.\d{2}|\d+\.\d+\s*(mm|cm|in|MAX|MIN|max\.?|min\.?|typ\.?|TYP|BSC|REF|x)\b")
_AXIS = re.compile(r"[\[(](%|°|[kMGmµμnp]?(A|V|W|J|F|H|Hz|Ω|s|m)|°[CF]|bar|pF|[kM]?Pa|l/min|m³/h|rpm|dB)[\])]$")
"""The end of an axis label: its unit in brackets."""
UNFINISHED = re.compile(
    r"(?<![.\d])\s(the|a|an|of|to|and|or|in|on|for|with|by|that|as|is|are|be|if|its|their|from|at|this|these|which|when|"
    r"van|de|het|een|en|of|op|voor|met|aan|bij|uit|door|der|die|das|den|dem|des|und|oder|im|für|von|zur|zum|mit|eine[rmns]?|"
    r"du|et|ou|le|la|les|à|pour|dass|dat)$"
)
"""The last word of a line that goes on below."""
_TWO_SENTENCES = re.compile(r"[a-z)]{3}[.:;—] ?(?=[A-Z][a-z]* [a-z])|[a-z]{3}[.;] [a-z]")
_FILLED_IN = re.compile(r"\[[^\]]*\]$|:\s*_*$|_{3,}$|[=<>{}]|\w+:\s+\[")
"""The end of a line of a form, and signs that only code has."""
_ADDRESS = re.compile(r"://|\bwww\.|\S@\S|\w\(\)")
_REMARK = re.compile(
    r"^(notes?|remarks?|warning|caution|attention|important|tip|examples?|opmerking(en)?|noot|noten|let op|"
    r"waarschuwing|voorbeeld(en)?|anmerkung(en)?|hinweis(e)?|achtung|warnung|vorsicht|beispiel(e)?|remarques?|avertissement|exemples?)"
    r"\W*$",
    re.IGNORECASE,
)
"""What is printed before a remark, in the type of headings."""
_SENTENCE_END = re.compile(r"[.;,]$")
RANK_DECIMAL = 100
RANK_PLAIN = 200
RANK_FAINT = 300
RANK_PART, RANK_CHAPTER, RANK_ARTICLE = 10, 30, 60
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
_ROMAN_VALUES = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100}


@dataclass(slots=True)
class Heading:
    """A heading before it has its place in the tree; ``line`` is the index of its first line."""

    line: int
    title: str
    rank: float
    style: Style
    last: int
    """Index of the heading's last line."""
    numbered: bool
    outline: int = 0
    """Level in the outline; 0 when it is not there."""
    number: str = ""
    restarts: bool = False
    """An annex: what is numbered inside starts again."""
    weak: bool = False
    """Only its number says so: it is believed where the count goes on with it."""
    look: Look = (0.0, False, False, False, 0)
    inside: bool = False
    """A part of the annex above it, not of the document."""
    faint: bool = False
    """Only its italics, colour or place say so: it is believed where others look like it and no text does."""

    @property
    def lettered(self) -> bool:
        """Whether it is numbered within an annex: "A.1"."""
        return self.rank > RANK_DECIMAL and self.number[:1].isalpha() and "." in self.number


def heading_at(printed: Printed, i: int) -> Heading | None:
    """Return the heading that begins with line ``i``; None when the line begins none."""
    line = printed.lines[i]
    text = line.text.strip()
    if text[:1].isdigit():
        text = _PARTED.sub(r"\1.\2", _GLUED.sub(r"\1 ", text))
    if i in printed.contents or i in printed.captions or printed.in_table[i] or not text or len(text) > MAX_HEADING:
        return None
    if lone := _LONE_NUMBER.match(text):
        return _lone_number(printed, i, lone["number"])
    if not re.search(r"[^\W\d_]|§", text):
        return None
    numbered = _keyword(printed, i, text) or _sign(printed, i, text) or _number(printed, i, text)
    return numbered or _plain(printed, i, text) or _faint(printed, i, text)


def _made(
    printed: Printed,
    i: int,
    rank: float,
    *,
    number: str,
    restarts: bool = False,
    title_below: bool = False,
    weak: bool = False,
) -> Heading:
    last = printed.named[i].last if i in printed.named else _last(printed, i, title_below=title_below)
    title = " ".join(printed.lines[i].text.split())
    for line in printed.lines[i + 1 : last + 1]:
        title += (" " if not title.endswith("-") else "") + " ".join(line.text.split())
    level = printed.named[i].level if i in printed.named else 0
    style = printed.style(i)
    if number[:1].isdigit():
        number = ".".join(parts_of(number))
    return Heading(i, title, rank, style, last, bool(number), level, number, restarts, weak, printed.look(i))


def parts_of(number: str) -> tuple[str, ...]:
    """Return the parts of a decimal number; "4.0" is printed for chapter 4."""
    parts = tuple(number.split("."))
    while len(parts) > 1 and parts[-1] == "0":
        parts = parts[:-1]
    return parts


def _last(printed: Printed, i: int, *, title_below: bool) -> int:
    """Return the last line of a heading that wraps, or whose title is printed below its number."""
    last = i
    length = len(printed.lines[i].text)
    while last + 1 < len(printed.lines) and last - i < 4:
        j = last + 1
        line, text = printed.lines[j], printed.lines[j].text.strip()
        length += len(text) + 1
        if line.page != printed.lines[i].page or printed.in_table[j] or j in printed.contents or length > MAX_HEADING:
            break
        if j in printed.named or _starts_numbered(text) or _LONE_NUMBER.match(text) or j in printed.captions:
            break
        first_title = title_below and last == i
        close = printed.gap_above(j) <= (
            2.6 if first_title else 1.75 * max(printed.lines[i].size / printed.body_size, 1.0)
        )
        same = printed.style(j)[:2] == printed.style(i)[:2]
        if first_title:
            # The title of "Article 5" stands on the next line, set apart from the text below it.
            if not close or not printed.stands_out(j) or (text[:1].islower() and not same):
                break
        else:
            wraps = text[:1].islower() or last > i or not printed.ends_short(i) or _goes_with(printed, i, j)
            wraps = wraps or (printed.is_in_margin(i) and abs(line.box[0] - printed.lines[i].box[0]) < 3)
            wraps = wraps or printed.is_tight(j) or bool(UNFINISHED.search(printed.lines[last].text.strip()))
            wraps = wraps or (_starts_numbered(printed.lines[i].text) and printed.gap_above(j) < 1.06)
            if not (close and same and wraps and printed.stands_out(i) and printed.stands_out(j)):
                break
        last = j
    return last


def _goes_with(printed: Printed, i: int, j: int) -> bool:
    """Return whether a line of the same type right below goes on with the heading: centred, or named so."""
    a, b = printed.lines[i], printed.lines[j]
    centred = abs((a.box[0] + a.box[2]) / 2 - (b.box[0] + b.box[2]) / 2) < 6 and abs(a.box[0] - b.box[0]) > 12
    hanging = b.box[0] > a.box[0] + 8 and _starts_numbered(a.text)
    return centred or (hanging and printed.gap_above(j) < 1.4 * max(a.size / printed.body_size, 1.0))


def _keyword(printed: Printed, i: int, text: str) -> Heading | None:
    if _BARE_ANNEX.match(text) and (printed.stands_out(i) or printed.gap_above(i) > 1.5 or i in printed.named):
        return _made(printed, i, 10, number=text, restarts=True)
    match = _KEYWORD.match(text)
    if not match:
        return None
    word, number, rest = match["word"], match["number"], (match["rest"] or "").strip()
    if not word[0].isupper():
        return None
    if number.isalpha() and number.islower():
        # "Artikel vijf" does not come here, "part of" and "section a" do.
        return None
    if match["end"] == ")" and i not in printed.named:
        return None
    rank = next(r for r, names in _KEYWORDS if re.fullmatch(names, word, re.IGNORECASE))
    annex = rank == 10 and not re.fullmatch(_KEYWORDS[0][1], word, re.IGNORECASE)
    listed = i in printed.named
    alone = not rest and not (match["end"] or "").strip(".:-–— ")
    if alone and match["end"] == "." and not (listed or printed.stands_out(i)):
        # The end of a sentence that was broken before "Appendix C."
        return None
    if alone and (match["end"] or "") != ")" and _whole(printed, i):
        return _made(printed, i, rank, number=f"{word} {number}".lower(), restarts=annex, title_below=True)
    if not rest or (_SENTENCE_END.search(rest) and not printed.stands_out(i)):
        return None
    if rest[:1].islower() and not listed and not printed.stands_out(i):
        return None
    if re.match(r"^[,;)]|^(van|of|and|en|und|lid|et)\b", rest) and not listed and not _begins_bold(printed, i):
        return None
    if listed or printed.stands_out(i) or (printed.gap_above(i) > 1.3 and _whole(printed, i)):
        made = _made(printed, i, rank, number=f"{word} {number}".lower(), restarts=annex)
        return made if listed or not _breaks_off(printed, made) else None
    return None


def _breaks_off(printed: Printed, made: Heading) -> bool:
    """Return whether a heading is the beginning of a paragraph: it stops in a sentence, and text goes on below."""
    below = made.last + 1
    if below >= len(printed.lines) or printed.lines[below].page != printed.lines[made.line].page:
        return False
    goes_on = printed.gap_above(below) < 1.2 and not printed.ends_short(made.last)
    return goes_on and (bool(UNFINISHED.search(made.title)) or printed.lines[below].text.strip()[:1].islower())


def _whole(printed: Printed, i: int) -> bool:
    """Return whether a line is not the middle of a paragraph: the line before has ended, or this stands out."""
    if printed.stands_out(i) or i in printed.named or printed.gap_above(i) > 1.35:
        return True
    before = printed.lines[i - 1].text.strip()
    return bool(re.search(r"[.:;!?)\]]$", before)) or printed.ends_short(i - 1)


def _begins_bold(printed: Printed, i: int) -> bool:
    return printed.stands_out(i) and (i == 0 or not printed.stands_out(i - 1) or printed.gap_above(i) > 1.2)


def _set_apart(printed: Printed, i: int) -> bool:
    return printed.stands_out(i) and printed.gap_above(i) > 1.2


def _sign(printed: Printed, i: int, text: str) -> Heading | None:
    match = _SIGN.match(text)
    if not match:
        return None
    rest = match["rest"].strip()
    if not (printed.stands_out(i) or i in printed.named or (not rest and _whole(printed, i))):
        return None
    if re.match(r"^(Abs|Nr|Satz|lid)\b", rest):
        return None
    # German statutes: the paragraph is the article. Dutch ones: a part above it. Either way between the two.
    return _made(printed, i, 58, number=f"§ {match['number']}", title_below=not rest)


def _number(printed: Printed, i: int, text: str) -> Heading | None:
    match = _DECIMAL.match(text) or _LETTERED.match(text) or (_ROMAN.match(text) if printed.stands_out(i) else None)
    if not match:
        return None
    number, rest = match["number"], match["rest"].strip()
    listed = i in printed.named
    depth = len(parts_of(number))
    if not listed:
        if match["end"] in (")", ":") or not rest[:1].isalpha() or len(text) > 160:
            return None
        if _SENTENCE_END.search(rest) and not (printed.stands_out(i) and depth > 1 and len(text) < 90):
            return None
        if depth == 1 and number.isdigit() and (int(number) > 60 or (rest[:1].islower() and not printed.stands_out(i))):
            return None
        if depth == 1 and len(number) > 1 and number.startswith("0"):
            return None
        if not printed.stands_out(i):
            # Without type of its own only "4.2 Title" on a line alone, and only deeper than a list of contents goes.
            weak = depth >= 2 and depth > printed.listed_depth and rest[:1].isupper() and not reads_as_text(text)
            if not (weak and _stands_alone(printed, i)):
                return None
            return _made(printed, i, RANK_DECIMAL + depth, number=number, weak=True)
        if not (_set_apart(printed, i) or printed.style(i)[0] >= printed.body_size + 0.9 or depth > 1):
            return None
        if not printed.lines[i].bold and (not _WORD.search(rest) or _IS_VALUE.match(text)):
            # A value in a drawing: "35 RD", "1.2 MAX", "0.25 x 45".
            return None
    made = _made(printed, i, RANK_DECIMAL + depth, number=number)
    if not listed and not printed.lines[i].bold:
        # Larger than most of a document that has little text, yet the step of a list.
        words = len(made.title.split())
        if _TWO_SENTENCES.search(made.title) or words > (MAX_WORDS if depth == 1 else 2 * MAX_WORDS):
            return None
    return made


def _stands_alone(printed: Printed, i: int) -> bool:
    """Return whether a line is a paragraph of its own, and a short one."""
    if printed.gap_above(i) < 1.2 or not printed.ends_short(i):
        return False
    return i + 1 >= len(printed.lines) or printed.gap_above(i + 1) >= 1.2


def _lone_number(printed: Printed, i: int, number: str) -> Heading | None:
    """Return the heading of a number that stands alone, with its title in the same type on the next line."""
    j = i + 1
    if j >= len(printed.lines) or not printed.stands_out(i) or printed.style(i)[:2] != printed.style(j)[:2]:
        return None
    title = printed.lines[j].text.strip()
    if not printed.stands_out(j) or not title[:1].isalpha() or printed.gap_above(i) < 1.1:
        return None
    made = _made(printed, i, RANK_DECIMAL + len(parts_of(number)), number=number, title_below=True)
    return made if made.last > i else None


def _plain(printed: Printed, i: int, text: str) -> Heading | None:
    """Return an unnumbered heading: a short line in type of its own, above text."""
    if i in printed.named:
        return _made(printed, i, RANK_PLAIN, number="")
    if i < printed.first_text or len(text) > 120 or not printed.stands_out(i):
        return None
    letters = sum(c.isalpha() for c in text)
    if letters < 3 or letters < 0.55 * len(text.replace(" ", "")):
        return None
    if not printed.lines[i].bold and (not _WORD.search(text) or _AXIS.search(text)):
        return None
    if text[:1].islower() or _SENTENCE_END.search(text) or _NO_TITLE.match(text):
        return None
    if _REMARK.match(text) and printed.style(i)[0] < printed.body_size + 0.9:
        return None
    size, bold, capitals = printed.style(i)
    gap = printed.gap_above(i)
    larger = size >= printed.body_size + 0.9
    heavier = bold and not printed.body_bold and size >= printed.body_size - (1.3 if gap > 1.5 else 0.6)
    if not larger and not heavier and not (capitals and len(text) < 70 and letters > 5):
        return None
    if gap < 1.25 and size < printed.body_size + 1.9:
        return None
    if not larger and (text.endswith(":") or not _followed_by_text(printed, i)):
        return None
    if larger and not _followed_by_text(printed, i, within=8):
        return None
    if not printed.is_placed(i):
        return None
    made = _made(printed, i, RANK_PLAIN, number="")
    if _SENTENCE_END.search(made.title) or _runs_on(printed, made.last):
        return None
    if not bold and _starts_numbered(text) and len(made.title.split()) > MAX_WORDS:
        return None
    return None if reads_as_text(made.title) or _FILLED_IN.search(made.title) else made


def _faint(printed: Printed, i: int, text: str) -> Heading | None:
    """Return an unnumbered heading that little sets apart: a line alone in italics, in colour or in bold.

    Bold lines come here that stand too close to the text for ``_plain``, or that end with a full stop.
    """
    size, bold, _ = printed.style(i)
    heavier = bold and not printed.body_bold
    if i < printed.first_text or size < printed.body_size - 0.6 or not (heavier or printed.is_tinted(i)):
        return None
    letters = sum(c.isalpha() for c in text)
    if len(text) > 90 or letters < 4 or letters < 0.6 * len(text.replace(" ", "")) or not text[0].isupper():
        return None
    end = text[-1]
    if _REMARK.match(text):
        return None
    if end in ";,:" or (end == "." and not (heavier and len(text.split()) <= 10)) or _ADDRESS.search(text):
        return None
    if reads_as_text(text.rstrip(".")) or _FILLED_IN.search(text) or not printed.ends_short(i):
        return None
    if printed.gap_above(i) < 1.1 or not _whole(printed, i) or not printed.is_placed(i):
        return None
    # Nothing like it beside it: a paragraph in italics, a list in bold.
    alike = [j for j in (i - 1, i + 1) if 0 <= j < len(printed.lines) and printed.look(j)[1:] == printed.look(i)[1:]]
    if alike or i + 1 >= len(printed.lines) or not _followed_by_text(printed, i, within=1):
        return None
    made = _made(printed, i, RANK_FAINT, number="")
    made.faint = True
    return made if made.last == i else None


def reads_as_text(title: str) -> bool:
    """Return whether a title breaks off in the middle of a sentence or holds the end of one."""
    return bool(UNFINISHED.search(title) or _TWO_SENTENCES.search(title))


def _runs_on(printed: Printed, i: int) -> bool:
    """Return whether the line is full and the next one goes on right below: a paragraph that begins in bold."""
    if i + 1 >= len(printed.lines) or printed.ends_short(i):
        return False
    return printed.lines[i + 1].page == printed.lines[i].page and printed.gap_above(i + 1) < 1.2


def _followed_by_text(printed: Printed, i: int, *, within: int = 3) -> bool:
    for j in range(i + 1, min(i + 1 + within, len(printed.lines))):
        if printed.in_table[j]:
            return True
        if not printed.stands_out(j) or _starts_numbered(printed.lines[j].text):
            return True
    return False


def _starts_numbered(text: str) -> bool:
    return bool(_DECIMAL.match(text) or _KEYWORD.match(text) or _SIGN.match(text) or _LETTERED.match(text))


# ---------------------------------------------------------------- headings inside running text


def value_of(number: str) -> int | None:
    """Return a number in Arabic or Roman digits as an integer; None when it is neither."""
    if number.isdigit():
        return int(number)
    values = [_ROMAN_VALUES.get(c, 0) for c in number.upper()]
    if not values or 0 in values:
        return None
    return sum(-v if v < max(values[i + 1 :], default=0) else v for i, v in enumerate(values))


def running_headings(lines: Sequence[Line]) -> list[Heading]:
    """Return the articles and chapters of a text that was printed without line breaks at its headings.

    Only an unbroken count from 1 to at least 8 is believed (tests/corpus/test_corpus_sections.py quotes the regulation
    that is printed so). A section begins with the line that holds its heading: half a line may belong to the one
    before.
    """
    starts: list[int] = []
    at = 0
    for line in lines:
        starts.append(at)
        at += len(line.text) + 1
    text = "\n".join(line.text for line in lines)
    expected = {RANK_CHAPTER: 1, RANK_ARTICLE: 1}
    out: list[Heading] = []
    for match in _IN_RUNNING_TEXT.finditer(text):
        rank = RANK_ARTICLE if match["word"].startswith("Art") else RANK_CHAPTER
        if value_of(match["number"]) != expected[rank] or _REFERS.search(
            text[max(match.start() - 12, 0) : match.start()]
        ):
            continue
        expected[rank] += 1
        i = bisect_right(starts, match.start()) - 1
        title = f"{match['word']} {match['number']} {_running_title(text[match.end() : match.end() + 160])}"
        number = f"{match['word']} {match['number']}".lower()
        out.append(Heading(i, title, rank, (lines[i].size, False, False), i, True, 0, number))
    return out if expected[RANK_ARTICLE] > 8 else []


def _running_title(text: str) -> str:
    """Return the title that running text begins with: up to the first paragraph number or the next sentence."""
    flat = " ".join(text.split())
    for end in _TITLE_ENDS.finditer(flat):
        if not _NAMES_FOLLOW.search(flat[: end.start()]):
            return flat[: end.start()]
    return flat[:100].rsplit(" ", 1)[0]
