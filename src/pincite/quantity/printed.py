"""How numbers, words and references are printed in the four languages: tables and patterns."""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal
from functools import lru_cache

from pincite.quantity.units import EXACT, FOLDED, SCALES, by_word
from pincite.quantity.values import Bound

_GROUPED = r"\d{1,3}(?:[ '.,]\d{3})+(?!\d)(?:[.,]\d+)?"
_PLAIN = r"\d+(?:[.,]\d+)?"
NUMBER = f"(?:{_GROUPED}|{_PLAIN}|(?<![\\w.,])[.,]\\d+)"
_POINT_THOUSANDS = frozenset({"nl", "de"})


@lru_cache(maxsize=65536)
def read_number(printed: str, language: str = "") -> frozenset[Decimal]:
    """Return every number that ``printed`` can stand for; empty when it is none.

    Two kinds of separator: the last is the decimal one. One separator before exactly three digits is thousands or
    decimal: the language (ISO 639-1) decides where it can, otherwise both. A leading zero is always decimal.

    >>> sorted(read_number("1.450", "nl")), sorted(read_number("1.450"))
    ([Decimal('1450')], [Decimal('1.450'), Decimal('1450')])
    """
    compact = printed.strip().replace("\u00a0", "").replace("\u202f", "").replace(" ", "").replace("'", "")
    compact = compact.replace("’", "")
    if not re.fullmatch(r"\d*(?:[.,]\d+)*", compact) or not compact:
        return frozenset()
    points, commas = compact.count("."), compact.count(",")
    if points and commas:
        decimal = max(compact.rfind("."), compact.rfind(","))
        groups = re.split(r"[.,]", compact[:decimal])
        if compact.count(compact[decimal]) > 1 or any(len(group) != 3 for group in groups[1:]):
            return frozenset()
        return frozenset({Decimal("".join(groups) + "." + compact[decimal + 1 :])})
    if points + commas == 0:
        return frozenset({Decimal(compact)})
    if points + commas > 1:
        groups = re.split(r"[.,]", compact)
        regular = all(len(group) == 3 for group in groups[1:]) and 1 <= len(groups[0]) <= 3
        return frozenset({Decimal("".join(groups))}) if regular else frozenset()
    whole, decimals = re.split(r"[.,]", compact)
    as_decimal = Decimal((whole or "0") + "." + decimals)
    if len(decimals) != 3 or not 1 <= len(whole) <= 3 or whole.startswith("0"):
        return frozenset({as_decimal})
    as_thousands = Decimal(whole + decimals)
    if " " in printed.strip():
        return frozenset({as_decimal})
    if language == "en":
        return frozenset({as_thousands if commas else as_decimal})
    if language in _POINT_THOUSANDS:
        return frozenset({as_thousands if points else as_decimal})
    if language == "fr" and commas:
        return frozenset({as_decimal})
    return frozenset({as_decimal, as_thousands})


def _count_from(start: int, names: str) -> dict[str, int]:
    return {name: start + index for index, name in enumerate(names.split())}


def _tens(names: str) -> dict[str, int]:
    return {name: 20 + 10 * index for index, name in enumerate(names.split())}


def _spelled_numbers() -> dict[str, dict[str, int]]:
    """Return for each language the number words that are nothing but numbers."""
    english = _count_from(
        2,
        "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
        "eighteen nineteen",
    )
    english_tens = _tens("twenty thirty forty fifty sixty seventy eighty ninety")
    english |= {"hundred": 100, "dozen": 12, **english_tens}
    for ten, value in english_tens.items():
        for one, digit in _count_from(1, "one two three four five six seven eight nine").items():
            english[f"{ten}-{one}"] = value + digit
    dutch_ones = _count_from(1, "een twee drie vier vijf zes zeven acht negen")
    dutch = {**dutch_ones, "één": 1, "honderd": 100, "dozijn": 12}
    dutch |= _count_from(10, "tien elf twaalf dertien veertien vijftien zestien zeventien achttien negentien")
    dutch_tens = _tens("twintig dertig veertig vijftig zestig zeventig tachtig negentig")
    for ten, value in dutch_tens.items():
        dutch[ten] = value
        for one, digit in dutch_ones.items():
            dutch[one + ("ën" if one.endswith("e") else "en") + ten] = value + digit
    german_ones = _count_from(1, "ein zwei drei vier fünf sechs sieben acht neun")
    german = {**german_ones, "eins": 1, "hundert": 100}
    german |= _count_from(10, "zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn")
    german_tens = _tens("zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig")
    for ten, value in german_tens.items():
        german[ten] = value
        for one, digit in german_ones.items():
            german[f"{one}und{ten}"] = value + digit
    french = _count_from(
        2,
        "deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit "
        "dix-neuf vingt",
    )
    french |= {"trente": 30, "quarante": 40, "cinquante": 50, "soixante": 60, "cent": 100}
    return {"en": english, "nl": dutch, "de": german, "fr": french}


_ARTICLES = frozenset({"een", "ein", "acht", "neuf"})
"""Number words that are first of all other words: "een" is an article, "acht" Dutch for "deems", "neuf" French for
"new"."""
BEFORE_UNIT = {
    "en": {"one": 1, "zero": 0},
    "nl": {"acht": 8, "nul": 0},
    "de": {"acht": 8, "null": 0},
    "fr": {"neuf": 9, "zéro": 0, "un": 1, "une": 1},
}
"""Read only where a unit follows."""
SPELLED = {
    language: {word: value for word, value in words.items() if word not in _ARTICLES}
    for language, words in _spelled_numbers().items()
}
_SHARED = frozenset(["ten", "onze", "cent", "six", "elf"])
"""Numbers in one language and ordinary words in another: without a known language they need a unit."""
SPELLED[""] = {word: value for words in list(SPELLED.values()) for word, value in words.items() if word not in _SHARED}
BEFORE_UNIT[""] = {"one": 1, "ten": 10, "six": 6, "elf": 11}


def _spelled_pattern(language: str) -> re.Pattern[str]:
    words = sorted({**SPELLED[language], **BEFORE_UNIT[language]}, key=len, reverse=True)
    return re.compile(
        rf"(?<![\w-])({'|'.join(map(re.escape, words))})(?!\w)(?:\s(hundred|honderd|thousand|duizend)\b)?",
        re.IGNORECASE,
    )


SPELLED_PATTERNS = {language: _spelled_pattern(language) for language in SPELLED}

# ---------------------------------------------------------------- patterns

MONTHS = {
    name: month
    for month, names in enumerate(
        (
            "january jan januari januar janvier",
            "february feb februari februar février",
            "march mar maart märz mrt mars",
            "april apr avril",
            "may mei mai",
            "june jun juni juin",
            "july jul juli juillet",
            "august aug augustus août",
            "september sep sept septembre",
            "october oct oktober okt octobre",
            "november nov novembre",
            "december dec dezember dez décembre",
        ),
        1,
    )
    for name in names.split()
}
MONTH = "(?:" + "|".join(
    "(?-i:May|MAY)" if name == "may" else name for name in sorted(MONTHS, key=len, reverse=True)
) + ")"  # fmt: skip

SECTION_WORDS = by_word(
    """
    ARTICLE: article articles artikel artikelen art.
    PARAGRAPH: lid absatz abs. paragraph paragraphe alinéa
    SECTION: section sections sec. paragraaf abschnitt clause § §§
    TABLE: table tabel tabelle tableau
    ANNEX: annex bijlage anhang annexe
    APPENDIX: appendix
    CHAPTER: chapter hoofdstuk kapitel chapitre
    PART: part
    RULE: rule
    FIGURE: figure figuur abbildung
    """
)  # fmt: skip
NAMED = by_word(
    """
    LEVEL: level niveau
    STEP: step
    CLASS: class klasse
    REVISION: rev rev. revision revisie
    VERSION: version versie
    REGULATION: regulation verordening
    DIRECTIVE: directive richtlijn
    RULEBOOK: rulebook
    """
)  # fmt: skip
STANDARDS = """SP FIPS RFC ISO/IEC ISO IEC EN DIN NEN-EN NEN IP IR NISTIR CNSSI ANSI IEEE ASTM VDI DN PN""".split()  # noqa: SIM905
_PREFIX_WORDS = "|".join(sorted(map(re.escape, {**SECTION_WORDS, **NAMED}), key=len, reverse=True))
_REFERENCE = r"(?:\d+[A-Za-z]?(?:[-./:]\w+)*(?:\(\w{1,3}\))*|(?-i:[IVX]{1,5})\b|(?-i:[A-Z])\b(?:[.-]\d+)*)"

_CERTIFICATIONS = (
    r"(?:[Aa][Tt][Ee][Xx]|IECEx|cUL|UL|CSA|VDE|CE|UKCA|FCC|RoHS|REACH|KEMA|DNV|TÜV|FDA|EHEDG|3-A|NSF|KTW|WRAS|ACS|"
    r"SIL ?\d|HALAL|KOSHER|PED|ASME|DVGW|KIWA|Kiwa|BSI|MID)"
)
CERTIFICATION = re.compile(rf"(?<![\w-]){_CERTIFICATIONS}(?!\w)")
NEGATION = re.compile(
    r"\b(?:not|no(?!\.\s?\d)|never|without|non|neither|nor|cannot|nobody|none|nothing|niet|geen|zonder|nooit|niemand"
    r"|niets|noch|nicht|kein\w*|ohne|nie|niemals|niemand\w*|nichts|weder|ne|pas|sans|jamais|aucune?|ni)\b|n't\b",
    re.IGNORECASE,
)
"""Words that deny, in the four languages."""

_ORDINAL_WORDS = by_word(
    """
    1: first eerste erste erster ersten erstes premier première 1st 1e 1er 1ère 1.
    2: second tweede zweite zweiter zweiten zweites deuxième 2nd 2e 2.
    3: third derde dritte dritter dritten drittes troisième 3rd 3e 3.
    4: fourth vierde vierte vierter vierten viertes quatrième 4th 4e 4.
    5: fifth vijfde fünfte fünfter fünften cinquième 5th 5e 5.
    6: sixth zesde sechste sechster sechsten sixième 6th 6e 6.
    """
)
ORDINALS = {word: int(number) for word, number in _ORDINAL_WORDS.items()}
"""Words that count quarters and paragraphs."""
_ORDINAL = "|".join(sorted(map(re.escape, ORDINALS), key=len, reverse=True))

# Nothing but signs begins inside a word: asking that first halves the time of reading.
PATTERN = re.compile(
    r"(?:(?<![^\W_])|(?=[±+$€£¥§]))(?:"
    + "|".join(
        [
            r"(?P<skip>https?://\S+|www\.\S+|\{\{\d+\}\})",
            r"(?P<iso>\b(?:19|20)\d\d-\d\d-\d\d\b)",
            r"(?P<dmy>(?<![\w.])\d{1,2}(?P<sep>[./-])\d{1,2}(?P=sep)(?:19|20)\d\d\b)",
            rf"(?P<daymonth>\b\d{{1,2}}(?:st|nd|rd|th|er|\.)?\s+(?:of\s+)?{MONTH}\b\.?(?:,?\s+(?:19|20)\d\d)?)",
            rf"(?P<monthday>\b{MONTH}\.?\s+\d{{1,2}}(?:st|nd|rd|th)?\b(?![.,]?\d|\s*(?:%|percent|bits))"
            r"(?:,?\s+(?:19|20)\d\d)?)",
            rf"(?P<monthyear>\b{MONTH}\.?,?\s+(?:19|20)\d\d\b)",
            r"(?P<clock>\b\d{1,2}:\d\d(?::\d\d)?(?:\s?[ap]\.?m\b\.?)?|\b\d{1,2}\s?[ap]\.?m\b\.?)",
            r"(?P<quarter>\b(?-i:Q)[1-4]\b(?:\s(?:19|20)\d\d)?|\b[1-4](?-i:Q)(?=\d\d|\b)"
            r"|\b(?-i:T)[1-4]\s(?:19|20)\d\d\b"
            rf"|\b(?:{_ORDINAL})[- ](?:quarter|kwartaal|quartals?|trimestre)\b"
            r"(?:\s(?:of\s|van\s|de\s)?(?:19|20)\d\d)?)",
            rf"(?P<ordinalplace>\b(?:{_ORDINAL})\s(?:lid|absatz|paragraph|alinéa)\b)",
            rf"(?P<reference>(?:\b(?:{_PREFIX_WORDS}))\s?{_REFERENCE}|§+\s?\d+\w*(?:[.-]\d+)*)",
            rf"(?P<standard>\b(?-i:{'|'.join(STANDARDS)})\s?(?:PUB\s)?(?:\d+[A-Za-z]?(?:[-./:]\w+)*(?:\(\w{{1,3}}\))*))",
            r"(?P<act>(?<![\w./])(?:19|20)\d\d/\d{1,4}(?:/(?-i:[A-Z]{2,3}))?(?![\w/]))",
            r"(?P<part>\b(?-i:[A-Z]{2,6})\s\d+(?:-\d+)+(?:-?(?-i:[A-Z]))*\b)",
            r'(?P<fraction>(?<![\w./])(?:\d+[ -])?\d{1,2}/\d{1,2}\s?(?:"|\'\'|(?:inch|inches|duim|Zoll|pouces?)\b))',
            rf"(?P<power>(?P<powersign>[-+])?{NUMBER}\s?[×x·*]\s?10\s?\^?\s?(?P<exponent>(?<=\^)[-+]?\d+|[-+]\d+))",
            r"(?P<identifier>(?<!\w)(?=[\w./()+-]*\d)(?=[\w./()+-]*[^\W\d_])[^\W_]+(?:[-./_+][^\W_]+)*(?:\(\w{1,3}\))*)",
            r"(?P<outline>(?<![\w.,])(?!\d{1,3}(?:\.\d{3}){2,}(?![\w.]\d))\d+(?:\.\d+){2,}(?!\w))",
            rf"(?P<number>(?P<currency>(?:US\$|[$€£¥]|\b(?:EUR|USD|CHF|GBP|JPY|SEK|DKK|NOK|PLN)\b)\s?)?"
            rf"(?P<sign>\+/-\s?|±\s?|[-–+](?=[\d.,]))?(?P<digits>{NUMBER}))",
        ]
    )
    + ")",
    re.IGNORECASE,
)
UNIT_PATTERN = re.compile(
    r"\s?(?:-\s?)?("
    + "|".join(sorted(map(re.escape, {**EXACT, **FOLDED}), key=len, reverse=True))
    + r")(?![\w^])(?!/[^\W\d_])",
    re.IGNORECASE,
)
SCALE_PATTERN = re.compile(r"\s?-?(" + "|".join(sorted(SCALES, key=len, reverse=True)) + r")\b\.?", re.IGNORECASE)
CURRENCY_PATTERN = re.compile(
    r"\s?(€|\$|£|¥|EUR|USD|GBP|CHF|JPY|SEK|DKK|NOK|PLN|euros?|dollars?|FFr|francs? suisses?|swiss francs?"
    r"|zwitserse franken?|zwitserse frank|schweizer franken|livres? sterling|pounds? sterling|pond sterling"
    r"|pfund sterling)(?!\w)",
    re.IGNORECASE,
)
POINTS = re.compile(r"\s?(?:percentage points?|per ?cent|pour ?cent|procentpunten?|Prozentpunkte?)\b", re.IGNORECASE)
WORKDAYS = re.compile(r"\s?-?(?:business|working|banking)[- ]days?\b|\s?jours? ouvr(?:able|é)s?\b", re.IGNORECASE)
CALENDAR_DAYS = re.compile(r"\s?-?(?:calendar[- ]days?|kalenderdagen|Kalendertagen?)\b", re.IGNORECASE)
BASIS_POINTS = re.compile(r"\s?basis points?\b", re.IGNORECASE)
WORDED_UNITS = ((POINTS, "%"), (BASIS_POINTS, "bp"), (WORKDAYS, "workday"), (CALENDAR_DAYS, "day"))
"""Units of two words."""
GLUED = re.compile(r"([-+]?\d+(?:[.,]\d+)*)([^\W\d_]+[23]?(?:/[^\W\d_]+)?)")
HYPHENED = re.compile(r"(\d+(?:[.,]\d+)?)-([^\W\d_]+)(?:-[^\W\d_]+)*")
JOINS_RANGE = re.compile(r"\s?(?:-|–|—|to|tot|bis|à|\.\.\.?|tot en met|through|up to|÷|until)\s?", re.IGNORECASE)
SHARES_UNIT = re.compile(r"\s?(?:and|en|und|et|or|of|oder|ou|/)\s?", re.IGNORECASE)


def _ending(words: str) -> re.Pattern[str]:
    return re.compile(rf"(?:{words})\s*$", re.IGNORECASE)


BOUNDS_BEFORE: tuple[tuple[Bound, re.Pattern[str]], ...] = (
    (
        "at least",
        _ending(
            r"≥|>=|=>|\bat least|\bno less than|\bnot less than|\bnot be less than|\bminimum of|\bno fewer than|"
            r"\bten minste|\btenminste|\bminimaal|\bminstens|\bniet minder dan|\bmindestens|\bwenigstens|"
            r"\bnicht weniger als|\bau moins|\bminimum de|\bau minimum|\bsupérieure?s? ou égale?s? à|"
            r"\bgroter dan of gelijk aan|\bgrößer (?:als )?oder gleich"
        ),
    ),
    (
        "at most",
        _ending(
            r"≤|<=|=<|\bat most|\bno more than|\bnot more than|\bup to|\bmaximum of|\bnot (?:to )?exceed(?:ing)?|"
            r"\bno later than|\bten hoogste|\bhoogstens|\bmaximaal|\bniet meer dan|\bhöchstens|\bmaximal|\bbis zu|"
            r"\bnicht mehr als|\bau plus|\bau maximum|\bmaximum de|\bjusqu'à|\bhooguit|\bmax\.|"
            r"\binférieure?s? ou égale?s? à|\bkleiner dan of gelijk aan|\bkleiner (?:als )?oder gleich|"
            r"\bne (?:(?:doi(?:t|vent)|peu(?:t|vent)) )?(?:pas )?"
            r"(?:dépasse[rz]?|dépassent|excède[rz]?|excéder) (?:pas )?|"
            r"\b(?:not|niet|nicht|pas)\b[^.;:,]{0,30}"
            r"\b(?:longer|later|langer|länger|plus longtemps) (?:than|dan|als|que)|"
            r"\b(?:not|no|niet|nicht) (?:longer|later|langer|länger) (?:than|dan|als)"
        ),
    ),
    (
        "more than",
        _ending(
            r">|\bmore than|\bgreater than|\bhigher than|\blonger than|\blarger than|\bexceed(?:s|ing)?|"
            r"\bmeer dan|\bhoger dan|\bgroter dan|\blanger dan|\bmehr als|\bgrößer als|\blänger als|\bplus de|"
            r"\bsupérieure?s? à|\babove|\bboven|\boberhalb von|\bexcéd\w+|\bdépass\w+|\boverschrijd\w+"
        ),
    ),
    (
        "less than",
        _ending(
            r"<|\bless than|\bfewer than|\blower than|\bshorter than|\bsmaller than|\bminder dan|\blager dan|"
            r"\bkleiner dan|\bkorter dan|\bweniger als|\bkleiner als|\bkürzer als|\bmoins de|\binférieure?s? à|"
            r"\bbelow|\bbeneden|\bonder de|\bunterhalb von"
        ),
    ),
)
BOUNDS_AFTER: tuple[tuple[Bound, re.Pattern[str]], ...] = (
    (
        "at least",
        re.compile(
            r"\s?(?:or (?:more|longer|higher|above|greater)|of meer|of langer|oder mehr|ou plus|au moins|au minimum"
            r"|at least|(?:darf |dürfen )?nicht unterschr\w+|niet onderschr\w+)\b",
            re.I,
        ),
    ),
    (
        "at most",
        re.compile(
            r"\s?(?:or (?:less|fewer|lower|below)|of minder|oder weniger|ou moins|au plus|au maximum|at most"
            r"|nicht überschr\w+|niet overschr\w+"
            r"|\w{0,20},? ?(?:niet|nicht) (?:langer|länger|meer|mehr)(?! (?:dan|als)))\b",
            re.I,
        ),
    ),
)
DENIED_BOUNDS: Mapping[Bound, Bound] = {"more than": "at most", "less than": "at least"}
"""What a bound says when it is denied: "niet boven de 45 °C", "nobody may take more than 20"."""
DENIES_BOUND = re.compile(rf"(?:{NEGATION.pattern})[^.;:,]{{0,30}}$", re.IGNORECASE)
_DEVIATES = r"(?:deviat\w+|afwijk\w*|abweich\w*|écart\w*|tolerance|tolérance|tolerantie|toleranz)"
DEVIATES_BEFORE = re.compile(
    rf"\b{_DEVIATES}\b(?:\s(?:of|by|van|von|um|met|de|is|may be|at most|up to|ten hoogste|maximaal|höchstens|au plus"
    r"|maximale?|d'au plus|bis zu)){0,3}\s*:?\s*$",
    re.IGNORECASE,
)
"""What stands before a deviation; "1 % tolerance" and the verbs of Dutch and German stand after it."""
DEVIATES_AFTER = re.compile(
    rf"\s(?:ervan |daarvan |daar |davon |nach oben oder unten |er )?(?:van |von )?{_DEVIATES}\b", re.I
)
