"""The words of references in English, Dutch, German and French, as patterns. Pure.

General shapes only: units of a document, standards bodies, and how laws are numbered. What a publisher calls its series
is learnt by ``naming``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

ADDRESS: Final = re.compile(
    r"(?:https?://|www\.|ftp://)\S+(?:(?<=[-/_.])\n(?=[\w%#/-]*[./_\d-])\S+)?|\bdoi:\s*\S+|\b10\.\d{4,5}/\S+|\S+@\S+\.\w+"
)

_WORDS: Final[dict[str, str]] = {
    "section": r"sub-?sections?|sections?|sects?\.|secs?\.|paragraaf|paragrafen|§{1,2}|abschnitte?[ns]?|ziffern?|"
    r"clauses?",
    "article": r"articles?|arts?\.|artikelen|artikeln?|artikels",
    "chapter": r"chapters?|hoofdstukken|hoofdstuk|kapiteln?|chapitres?",
    "appendix": r"appendix|appendices|annexes|annex|bijlagen?|anhänge|anhangs?|anlagen?|annexes?|schedules?",
    "table": r"tables?|tabellen?|tabel|tableaux?",
    "figure": r"figures?|figs?\.|figuren|figuur|abbildungen|abbildung|abb\.",
    "weak": r"title|subtitle|subchapter|subpart|part|parts|volume|titel|afdeling|deel|teil",
}
_PLURAL: Final = re.compile(
    r"(?:sections|subsections|sub-sections|sects\.|secs\.|paragrafen|§§|abschnitten?|ziffern|clauses|articles|arts?\.|artikelen|"
    r"artikeln?|chapters|hoofdstukken|kapiteln?|chapitres|appendices|annexes|bijlagen|anhänge|anlagen|schedules|"
    r"tables|tabellen|tableaux|figures|figs\.|figuren|abbildungen)",
    re.IGNORECASE,
)
Unit = Literal["section", "article", "chapter", "appendix", "table", "figure", "weak"]
_UNITS: Final[dict[str, Unit]] = {
    "section": "section",
    "article": "article",
    "chapter": "chapter",
    "appendix": "appendix",
    "table": "table",
    "figure": "figure",
    "weak": "weak",
}

_PLAIN = (
    r"(?:\d+(?:[.:]\d+|[\-–]\d+)*(?:[a-z]{1,2}(?![\w]))?|[A-Z](?:[.\-–]\d+)+[a-z]?|[IVXLC]+(?:\.\d+)*|[A-Z]\d{0,2})"
    r"(?![\w]|[.\-–]\d)"
)
_SUB = r"(?:\s?\((?:[a-z]{1,3}|[ivx]{1,5}|\d{1,3}|[A-Z])\))*"
NUMBER: Final = re.compile(rf"(?<![\w.\-–])(?P<number>{_PLAIN})(?P<sub>{_SUB})")
_JOIN = (
    r"(?:\s*(?:,|;|/|&|\n)\s*(?:(?:and|or|en|of|und|oder|et|ou|bis|through|to)\s+)?"
    r"|\s+(?:and|or|en|of|und|oder|sowie|et|ou|to|through|bis|à|t/m|tot\s+en\s+met)\s+|\s?[–-]\s?)"
)
THROUGH: Final = re.compile(r"\s*(?:[–-]|to|through|bis|à|t/m|tot\s+en\s+met)\s*")

_ORDINAL = r"(?:eerste|tweede|derde|vierde|vijfde|zesde|zevende|achtste|negende|tiende|elfde|twaalfde|\d+e)"
SUBDIVISIONS: Final = re.compile(
    rf"(?:,?\s+(?:(?:aanhef\s+en\s+)?{_ORDINAL}(?:\s*,\s*{_ORDINAL})*(?:\s+(?:en|of|tot\s+en\s+met)\s+{_ORDINAL})?\s+(?:lid|volzin)|"
    r"(?:aanhef(?:\s+en|,)?\s+)?(?:onderdel(?:en)?|onderdeel|onder|sub)\s+[a-z0-9]+°?(?:(?:,|\s+(?:en|of|tot\s+en\s+met))\s+[a-z0-9]+°?(?!\w))*|"
    r"(?:Abs(?:\.|atz|ätze)|Satz|Sätze|S\.|Nr\.|Nrn\.|Nummern?|Buchst(?:\.|aben?)|Halbsatz|Unterabsatz)\s*\d*[a-z]?(?:\s*(?:,|und|oder|bis)\s*\d+)*|"
    r"(?:first|second|third|fourth)\s+(?:sub-?paragraph|paragraph|sentence|indent)|(?:para(?:graph|\.)?s?|points?|items?|bullets?)\s+\(?\w{1,3}\)?))*",
)

OF: Final = re.compile(
    r",?\s+(?P<word>of|in|to|from|under|van|uit|bij|der|des|du|zu|zum|zur|de)\s+(?:(?:the|de|het|le|la|dem|den)\s+)?\[?"
)
ISSUER: Final = re.compile(r"[A-Z]{2,}\s+")
"""Who issues a document, before its series: the NIST of "NIST SP 800-53"."""
OF_THIS: Final = re.compile(
    r",?\s+(?:of|in|to|van|uit|bij|de|du|in|zu)?\s*(?:this|the\s+present|dit|deze|dieses|dieser|diesem|cette|cet|ce)\s+\w+|\s+herein\b"
)
OF_PART: Final = re.compile(r",?\s+(?:of|in|van|uit)\s+(?:the\s+)?(?:Part|Pt\.|Deel|Teil)\s+(?P<part>\d+|[IVX]+)\b")
OF_ANOTHER: Final = re.compile(
    r",?\s+(?:"
    r"of\s+(?P<name>(?:the|that)\s+(?!(?i:annex|appendix|section|chapter|article|part|schedule|table)\b)(?:[A-Z][\w’'&.-]*(?:\s+(?:and|of|on|for|the)\s+(?=[A-Z]))?\s?)+|that\s+\w+|[A-Z]{2,}[\w-]*)|"
    r"van\s+(?P<name_nl>(?:(?:de|het)\s+)?(?!artikel|bijlage|paragraaf|hoofdstuk|lid\b)[A-Z]\w+(?:\s+(?:op|van|de|het|en|[A-Z]\w+))*|(?:de|het|die)\s+(?:wet|besluit|regeling|verordening|richtlijn|verdrag)\b)|"
    r"(?P<name_de>(?:des|der|zur|zum)\s+(?:Verordnung|Richtlinie|[A-ZÄÖÜ]\w*(?:gesetz|ordnung|buch|vertrag|richtlinie)\w*))|"
    r"(?:du|de\s+la)\s+(?P<name_fr>(?:code|loi|règlement|directive|décret)\b[^,.;\n]{0,40}))"
)
CITED: Final = re.compile(r"\[[^\[\]\n]{1,30}\]")
ABBREVIATED: Final = re.compile(r"\s+(?P<name>[A-ZÄÖÜ][A-Za-zäöüß]*[A-ZÄÖÜ][A-Za-zäöüß]*)\b")
GAP: Final = re.compile(r"(?:[,:;)\]]{0,2}\s*(?:\(?(?:in|at|under|see|and)\s+)?|\s*[–—-]\s*|\s*\()$")
CITED_BEFORE: Final = re.compile(r"(?P<name>\[[^\[\]\n]{1,24}\])[,:]?\s*(?:in\s+)?$")
_KINDS = (
    r"(?:Rulebook|Rules|Guidelines?|Guide|Manual|Handbook|Standards?|Specifications?|Regulations?|Directive|Act|Code|"
    r"Agreement|Policy|Plan|Procedures?|Framework|Profile|Reglement|Handboek|Handleiding|Regeling|Verordening|Wet|Besluit|"
    r"Regelwerk|Handbuch|Richtlinien?|Verordnung|Gesetz|Vertrag|Norm|Règlement|Manuel|Guide|Code)"
)
"""What documents are called at the end of their names."""
CALLED_BEFORE: Final = re.compile(
    rf"(?P<name>(?<![\w-])(?:[A-Z][\w’'&.-]*\s+(?:(?:of|for|and|on|to|the|van|der|für|und)\s+)*){{1,7}}{_KINDS}),\s+(?:in\s+)?$"
)
AND_THEN: Final = re.compile(r"(?:\s*\([^()\n]{1,40}\))?,?\s+(?:and|or|en|of|und|oder|et|ou)\s+(?:in\s+)?")
ACRONYM_BEFORE: Final = re.compile(r"(?:^|[^\w.])(?P<name>[A-Z][A-Z&]+[A-Z0-9]|[A-Z]{1,3}-\d+) $")
SHOUTED: Final = frozenset(
    """AND OR NOT SEE IN OF TO THE FOR SHALL MUST MAY SHOULD IF AS NOTE WITH BY FROM ON ALSO THIS PER USE
    """.split()  # noqa: SIM905 - a list of words reads as words
)
"""Words in capitals that name no document."""

LEADER: Final = re.compile(r"\.{4,}|(?:\.\s){4,}|…{2,}|_{6,}\s*\d")
RUNNING: Final = re.compile(r"\s*(?:PAGE\b.*|[\-–|]?\s*[\w.\-]{0,7}\s*)$", re.IGNORECASE)
CAPTION: Final = re.compile(r"\s*[.:—–|\-]+\s*(?:\S|$)|\s+[\"“‘(]?[A-ZÄÖÜÉ0-9]|\s*\(?[Cc]ont")
ENTRY: Final = re.compile(r"\s+\D.*\s\d{1,3}$")

QUALIFIERS: Final = re.compile(
    r"(?:\]?,?\s*\(?(?:(?:Part|Pt\.|PART|part|Volume|Vol\.|VOLUME)\s*(?:\d+|[IVX]+\b)|"
    r"(?:Revision|REVISION|Rev\.?|REV\.?|revision)\s*(?:No\.\s*)?(?:\d+|[IVX]+\b)|[Rr]\d+\b)\)?)+"
)
NEXT_NUMBER: Final = (
    r"(?:\]?\s*(?:,|;|/|&)\s*(?:and\s+|or\s+)?|\s+(?:and|or|&|en|und|et)\s+)"
    r"(?P<number>PREFIX\s?\d+(?:-\d+)?[A-Za-z]?(?:r\d+)?)(?![\w])(?!-\w)"
)
"""Another number of one series; PREFIX stands for how the first one begins."""
_PUBLISHED = r"(?:\s+(?:Pub(?:lication|\.)?s?|PUB|Standard|Report|Document|Publication))?"
_BODIES = (
    r"(?:ISO|IEC|EN|DIN|NEN|BS|NF|ANSI|IEEE|ETSI|ITU(?:-T)?|ASTM|ASME|VDE|VDI|CEN|CENELEC|UL|OIML|ISA|RFC|STD)s?"
    r"(?:[/\-–\s](?:ISO|IEC|IEEE|EN|TS|TR|DIN|ASHRAE|IES|PAS|Guide))*"
)
_NUMBERED = (
    r"(?:Circular|Memorandum|Memoranda|Bulletin|Instruction|Directive|Executive\s+Order|Order|Rundschreiben|Circulaire|"
    r"Handbook|Handboek)"
)
LAWS: Final = re.compile(
    r"\b\d{1,2}\s+(?:U\.?\s?S\.?\s?C\b\.?A?\.?|United\s+States\s+Code|C\.?\s?F\.?\s?R\b\.?)"
    r"|\b(?:Pub(?:lic|\.)?\s*L(?:aw|\.)?|P\.\s?L\.)\s*(?:No\.?\s*)?\d{2,3}\s?[-–\u0002]\s?\d{1,3}"
    r"|\b(?:(?:Council|Commission|Delegated|Implementing)\s+)*(?:Regulation|Directive|Decision|Verordening|Richtlijn|Besluit|"
    r"Verordnung|Richtlinie|Règlement)\s+(?:\((?:E[CU]|EG|EU|CE|UE|Euratom)(?:,\s*\w+)?\)\s+)?(?:[Nn][or]\.?\s*)?\d+/\d+(?:/[A-Z]{2,3})?"
    # Lists of sources in glossaries: "SOURCE: CNSSI-4009; SP 800-53", "[CNSSI No. 4009]".
    r"|(?:(?<=SOURCE: )|(?<=Source: )|(?<=; )|(?<=\[))[A-Z]{3,8}(?:-|\s+No\.\s+)\d{3,}\b"
)


@dataclass(frozen=True, slots=True)
class Grammar:
    """The patterns that need to know what series the library has."""

    designations: re.Pattern[str]
    places: re.Pattern[str]


@lru_cache(maxsize=8)
def grammar(series: Sequence[str]) -> Grammar:
    """Return the patterns for a library whose documents belong to these series."""
    learnt = "|".join(_flexible(one) for one in series)
    own = rf"(?:{learnt})s?{_PUBLISHED}|" if learnt else ""
    number = (
        r"(?P<number>(?:[A-Z]{1,2}-)?\d+(?:\s?\n?[-–]\s?\n?\s?\d+|[/.:]\d+)*"
        r"(?:[A-Z](?![a-z])|[a-z](?=\b))?(?:r(?:ev)?\d+)?)(?!\w|-[A-Za-z]|%)"
    )
    designations = re.compile(
        rf"(?<![\w/.\-])(?P<series>{own}{_BODIES}|(?:[A-Z]{{2,6}}\s+)?{_NUMBERED})(?:\s*\([A-Z]{{2,8}}\))?"
        rf"[\s.\-–:]{{0,2}}(?:N[or]\.?\s*|nr\.?\s*)?{number}"
    )
    words = "|".join(f"(?:{some})" for some in _WORDS.values())
    places = re.compile(
        rf"(?<![\w\-])(?P<word>(?i:{words}))\s*(?P<numbers>{_PLAIN}{_SUB}(?:{_JOIN}{_PLAIN}{_SUB})*)",
    )
    return Grammar(designations, places)


def _flexible(series: str) -> str:
    """Return a pattern for a series: one word as it is, several in any case and over line ends."""
    words = [re.escape(word) for word in series.split()]
    if len(words) == 1:
        return words[0]
    return "(?i:" + r"[\s(.&]+".join(words) + r")\)?"


_ROMAN: Final = {"I": "1", "II": "2", "III": "3", "IV": "4", "V": "5", "VI": "6", "VII": "7", "VIII": "8", "IX": "9"}


def arabic(number: str) -> str:
    """Return a small Roman numeral as digits; anything else as it is."""
    return _ROMAN.get(number.upper(), number)


def is_designation(series: str, number: str) -> bool:
    """Return whether a number is long enough to name a document: not the 4 of "Order 4", nor a bare year.

    >>> is_designation("SP", "800-57"), is_designation("Order", "4"), is_designation("NIST", "2014")
    (True, False, False)
    """
    digits = sum(c.isdigit() for c in number)
    if digits < 3 and not re.search(r"[-/.]", number):
        return False
    return not re.fullmatch(r"(?:19|20)\d\d", number) or bool(re.match(r"RFC|ISO|IEC|EN\b", series))


def unit_of(word: str) -> Unit | None:
    """Return what kind of place a word names; None when it names none."""
    for unit, words in _WORDS.items():
        if re.fullmatch(words, word, re.IGNORECASE):
            return _UNITS[unit]
    return None


def is_plural(word: str) -> bool:
    return bool(_PLURAL.fullmatch(word))


def may_be_number(unit: str, word: str, number: str) -> bool:
    """Return whether what follows a word is its number: "section I" is not, "Section I" and "appendix A" are."""
    if number[0].isdigit():
        return True
    if unit == "appendix" or re.search(r"\d", number):
        return True
    return word[0].isupper() or word.startswith("§")
