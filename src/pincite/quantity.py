"""Typed values as they are printed in English, Dutch, German and French, and when two of them are the same.

A value is a set of readings: ``1.450`` is 1450 in a Dutch text, 1.45 in an English one, and either where the language
is unknown. Nothing is guessed: what cannot be read is no value, and two values are equal only after exact conversion.

>>> [show(found.value) for found in read("Q = 1.450 m³/h bij ≤ 16 bar", "nl")]
['1450 m3/h', 'at most 16 bar']
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache
from typing import Literal, TypeAlias

Bound: TypeAlias = Literal["", "at least", "at most", "more than", "less than"]
RangeEnd: TypeAlias = Literal["", "low", "high"]


# ---------------------------------------------------------------- the values


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number with what belongs to it. Empty strings mean "not printed"."""

    readings: frozenset[Decimal]
    """Every number the printed form can stand for, scale words ("million") multiplied in."""
    unit: str = ""
    """Key of `UNITS`."""
    currency: str = ""
    """ISO 4217."""
    bound: Bound = ""
    end: RangeEnd = ""
    """Which end of a printed range ("4–20 mA") it is."""
    tolerance: bool = False
    """Printed after ±: a deviation, never a value of its own."""
    spelled: bool = False
    """Printed in words ("seven"); equal to the same number in digits."""
    scale: int = 0
    """Power of ten that a scale word or letter ("million", "M") stands for; 0 when none was printed."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Quantity) and self._identity() == other._identity()

    def __hash__(self) -> int:
        return hash(self._identity())

    def _identity(self) -> tuple[object, ...]:
        return (self.readings, self.unit, self.currency, self.bound, self.end, self.tolerance)


@dataclass(frozen=True, slots=True)
class Moment:
    """A date; parts that are not printed are None. More than one reading when day and month cannot be told apart."""

    readings: frozenset[tuple[int | None, int | None, int | None]]
    """(year, month, day)."""


@dataclass(frozen=True, slots=True)
class Quarter:
    quarter: int
    year: int | None = None


@dataclass(frozen=True, slots=True)
class Clock:
    """A time of day: hour 0 to 23, minute 0 to 59."""

    hour: int
    minute: int


@dataclass(frozen=True, slots=True)
class Identifier:
    """Code, standard, part number or reference. ``CRN 32-3`` is not ``CRN 32-4``, ``AC-17`` is ``AC 17``."""

    core: str
    """Upper case, without spaces and without hyphens next to a letter."""
    prefix: str = ""
    """Canonical kind word: SECTION, ARTICLE, ISO, SP …"""


@dataclass(frozen=True, slots=True)
class Certification:
    name: str
    negated: bool = False
    """The text denies it: "not for use in ATEX zones"."""


Value: TypeAlias = Quantity | Moment | Quarter | Clock | Identifier | Certification


@dataclass(frozen=True, slots=True)
class Found:
    """A value in a text; half-open span in that text."""

    value: Value
    start: int
    end: int
    parts: bool = False
    """A part of a number printed in groups ("100 200" may be two numbers): evidence, never a claim."""


# ---------------------------------------------------------------- normal form


@dataclass(frozen=True, slots=True)
class Normal:
    """A text in one spelling of characters, with the way back."""

    text: str
    origin: tuple[int, ...] | None
    """For each character of ``text`` the index it came from; None when nothing moved."""
    length: int
    """Of the original."""

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return the half-open span of the original that holds ``[start, end)`` of ``text``."""
        if self.origin is None:
            return start, end
        if end <= start:
            at = self.origin[start] if start < len(self.origin) else self.length
            return at, at
        stop = self.origin[end] if end < len(self.origin) else self.length
        last = self.origin[end - 1]
        # What was dropped after the last kept character (soft hyphens, joiners) stays outside the span.
        return self.origin[start], min(stop, last + 1) if stop > last else last + 1


_SUPERSCRIPT = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻", "0123456789+-")
_FRACTIONS = {
    "½": "1/2",
    "¼": "1/4",
    "¾": "3/4",
    "⅛": "1/8",
    "⅜": "3/8",
    "⅝": "5/8",
    "⅞": "7/8",
    "⅓": "1/3",
    "⅔": "2/3",
}
_DROPPED = frozenset("\u00ad\u200b\u200c\u200d\u2060\ufeff\ufffe")
_REPLACED = {
    "μ": "µ",
    "\u2212": "-",
    "\u2010": "-",
    "\u2011": "-",
    "\u02b9": "'",
    "′": "'",
    "″": '"',
    "”": '"',
    "“": '"',
    "„": '"',
    "’": "'",
    "×": "×",
    "⋅": "·",
    "∙": "·",
    "⁄": "/",
}
_GLUED_STOP = re.compile(r"(?<=[a-z0-9)])\.(?=[A-Z][a-z])")


_RAISED = frozenset("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻")


def _is_exponent(before: str, raised: str) -> bool:
    """Say whether raised digits belong to a unit: m², s⁻¹; anything else raised is a footnote mark."""
    return before[-1:].isalpha() and (raised[0] in "⁻⁺" or (before[-1:] == "m" and raised[0] in "²³"))


def _normal_pieces(text: str) -> tuple[list[str], list[int]]:
    pieces: list[str] = []
    origin: list[int] = []

    def put(piece: str, index: int) -> None:
        pieces.extend(piece)
        origin.extend([index] * len(piece))

    for index, character in enumerate(text):
        if character.isascii():
            put(character, index)
        elif character in _DROPPED:
            continue
        elif character in _FRACTIONS:
            put((" " if pieces and pieces[-1].isdigit() else "") + _FRACTIONS[character], index)
        elif character in _RAISED:
            if index and text[index - 1] in _RAISED and pieces:
                if pieces[-1] == " ":
                    continue
            elif re.search(r"(?<!\d)10$|\^$", "".join(pieces[-3:])):
                put("^", index)
            elif not _is_exponent("".join(pieces[-2:]), text[index:]):
                # A footnote mark, not another digit of the value.
                put(" ", index)
                continue
            put(character.translate(_SUPERSCRIPT), index)
        elif character in _REPLACED:
            put(_REPLACED[character], index)
        else:
            put("".join(_REPLACED.get(c, c) for c in unicodedata.normalize("NFKC", character)), index)
    return pieces, origin


def normalise(text: str) -> Normal:
    """Return ``text`` with ligatures, signs, spaces and raised digits in one spelling, and where each came from.

    NFKC but for raised digits (``10⁻³`` keeps its power, ``16¹`` loses its footnote mark); one micro sign, one minus;
    soft hyphens out; a space after a full stop glued to the next sentence.
    """
    if text.isascii() and not _GLUED_STOP.search(text):
        return Normal(text, None, len(text))
    composed = text
    pieces, origin = _normal_pieces(composed)
    joined = "".join(pieces)
    # A combining mark that PDFs print after its letter is composed with it.
    if any(unicodedata.combining(c) for c in joined):
        pieces, origin = _compose(joined, origin)
        joined = "".join(pieces)
    for match in reversed(list(_GLUED_STOP.finditer(joined))):
        pieces.insert(match.end(), " ")
        origin.insert(match.end(), origin[match.start()])
    return Normal("".join(pieces), tuple(origin), len(text))


def _compose(text: str, origin: list[int]) -> tuple[list[str], list[int]]:
    pieces: list[str] = []
    kept: list[int] = []
    for index, character in enumerate(text):
        if unicodedata.combining(character) and pieces:
            pair = unicodedata.normalize("NFC", pieces[-1] + character)
            if len(pair) == 1:
                pieces[-1] = pair
                continue
        pieces.append(character)
        kept.append(origin[index])
    return pieces, kept


# ---------------------------------------------------------------- units and currencies


@dataclass(frozen=True, slots=True)
class Unit:
    dimension: str
    factor: float
    """Multiplied with the number gives the base unit of the dimension."""
    offset: float = 0.0
    """Added after the factor: degrees only."""


UNITS: dict[str, Unit] = {}
"""Units by their canonical symbol."""
_EXACT: dict[str, str] = {}
_FOLDED: dict[str, str] = {}


def _unit(dimension: str, factor: float, names: str, offset: float = 0.0) -> None:
    """Register a unit; the first name is canonical, names of one letter and those after ``=`` keep their case."""
    exact, _, folded = names.partition(" ~ ")
    symbols = exact.split()
    UNITS[symbols[0]] = Unit(dimension, factor, offset)
    for name in symbols:
        _EXACT[name] = symbols[0]
    for name in folded.split():
        _FOLDED[name.casefold()] = symbols[0]


# Symbols before "~" are matched in their case (mW is not MW), words after it in any case.
_unit("length", 1e-6, "µm um ~ micrometer micrometre micron microns")
_unit("length", 1e-3, "mm MM ~ millimeter millimeters millimetre millimetres millimètre millimètres")
_unit("length", 1e-2, "cm ~ centimeter centimeters centimetre centimetres")
_unit("length", 1.0, "m ~ meter meters metre metres mètre mètres")
_unit("length", 1e3, "km ~ kilometer kilometers kilometre kilometres kilomètres")
_unit("length", 0.0254, "inch ~ inches duim zoll pouce pouces")
_unit("length", 0.3048, "ft ~ feet foot voet")
_unit("length", 1609.344, "mile ~ miles")
_unit("area", 1e-6, "mm2 mm^2")
_unit("area", 1e-4, "cm2 cm^2")
_unit("area", 1.0, "m2 m^2")
_unit("mass", 1e-9, "µg ug")
_unit("mass", 1e-6, "mg ~ milligram")
_unit("mass", 1e-3, "g gr ~ gram grams gramme grammes gramm")
_unit("mass", 1.0, "kg KG Kg ~ kilogram kilograms kilo")
_unit("mass", 1e3, "t ~ ton tonne tonnes tons")
_unit("mass", 0.45359237, "lb lbs ~ pounds")
_unit("time", 1e-9, "ns ~ nanoseconds")
_unit("time", 1e-6, "µs us ~ microseconds")
_unit("time", 1e-3, "ms ~ millisecond milliseconds")
_unit("time", 1.0, "s sec ~ second seconds seconde seconden secondes sekunde sekunden")
_unit("time", 60.0, "min ~ minute minutes minuut minuten")
_unit("time", 3600.0, "h hr hrs ~ hour hours uur uren stunde stunden heure heures")
_unit("time", 86400.0, "day ~ days dag dagen tag tage tagen jour jours")
_unit("time", 604800.0, "week ~ weeks weken woche wochen semaine semaines")
_unit("business days", 1.0, "workday ~ workdays werkdag werkdagen werktag werktage werktagen")
_unit("months", 1.0, "month ~ months maand maanden monat monate monaten mois")
_unit("months", 12.0, "year yr yrs ~ years jaar jaren jahr jahre jahren an ans année années")
_unit("voltage", 1e-3, "mV")
_unit("voltage", 1.0, "V VDC VAC Vdc Vac ~ volt volts")
_unit("voltage", 1e3, "kV")
_unit("current", 1e-9, "nA")
_unit("current", 1e-6, "µA uA")
_unit("current", 1e-3, "mA ~ milliampere")
_unit("current", 1.0, "A ~ amp amps ampere ampère")
_unit("power", 1e-3, "mW")
_unit("power", 1.0, "W ~ watt watts")
_unit("power", 1e3, "kW KW ~ kilowatt")
_unit("power", 1e6, "MW ~ megawatt")
_unit("power", 735.49875, "pk PS")
_unit("power", 745.6998715822702, "hp HP")
_unit("energy", 1.0, "J ~ joule joules")
_unit("energy", 1e3, "kJ")
_unit("energy", 3.6e6, "kWh")
_unit("energy", 3.6e9, "MWh")
_unit("apparent power", 1e3, "kVA")
_unit("resistance", 1e-3, "mΩ")
_unit("resistance", 1.0, "Ω ~ ohm ohms")
_unit("resistance", 1e3, "kΩ ~ kohm")
_unit("resistance", 1e6, "MΩ")
_unit("frequency", 1.0, "Hz hz HZ ~ hertz")
_unit("frequency", 1e3, "kHz KHz")
_unit("frequency", 1e6, "MHz")
_unit("frequency", 1e9, "GHz")
_unit("capacitance", 1e-12, "pF")
_unit("capacitance", 1e-9, "nF")
_unit("capacitance", 1e-6, "µF uF")
_unit("temperature", 1.0, "°C ºC ~ celsius")
_unit("temperature", 5 / 9, "°F ºF ~ fahrenheit", offset=-160 / 9)
_unit("temperature", 1.0, "K ~ kelvin", offset=-273.15)
_unit("pressure", 1e5, "bar Bar BAR ~ bars")
_unit("pressure", 1e2, "mbar hPa")
_unit("pressure", 1.0, "Pa ~ pascal")
_unit("pressure", 1e3, "kPa")
_unit("pressure", 1e6, "MPa")
_unit("pressure", 6894.757293168, "psi PSI")
_unit("water column", 1.0, "mWC mWS mWk mwk mCE")
_unit("volume", 1e-6, "ml mL cm3 cm^3")
_unit("volume", 1e-3, "l L dm3 ~ liter liters litre litres")
_unit("volume", 1.0, "m3 m^3")
_unit("flow", 1 / 3600, "m3/h m^3/h m3/u m3/hr cbm/h")
_unit("flow", 1.0, "m3/s m^3/s")
_unit("flow", 1 / 60, "m3/min")
_unit("flow", 1e-3, "l/s L/s dm3/s")
_unit("flow", 1e-3 / 60, "l/min L/min lpm LPM")
_unit("flow", 1e-3 / 3600, "l/h L/h")
_unit("flow", 3.785411784e-3 / 60, "gpm GPM")
_unit("concentration", 1e-6, "µg/l ug/l µg/L")
_unit("concentration", 1e-3, "mg/l mg/L")
_unit("concentration", 1.0, "g/l kg/m3")
_unit("speed", 1.0, "m/s")
_unit("speed", 1 / 3.6, "km/h km/u")
_unit("rotation", 1.0, "rpm RPM 1/min min-1 min^-1 r/min tr/min U/min omw/min t/min ~ toeren")
_unit("torque", 1.0, "Nm N·m")
_unit("force", 1.0, "N ~ newton")
_unit("force", 1e3, "kN")
_unit("information", 1.0, "bit ~ bits")
_unit("information", 8.0, "byte B ~ bytes octet octets")
_unit("information", 8192.0, "kB KB ~ kbyte kbytes kilobytes")
_unit("information", 8388608.0, "MB ~ mbyte megabytes")
_unit("information", 8589934592.0, "GB ~ gigabytes")
_unit("rate", 1.0, "bit/s bps")
_unit("rate", 1e3, "kbit/s kbps Kbps")
_unit("rate", 1e6, "Mbit/s Mbps")
_unit("rate", 1e9, "Gbit/s Gbps")
_unit("share", 1.0, "% ~ percent procent prozent pct percentage-points")
_unit("share", 0.1, "‰ ~ promille")
_unit("share", 0.01, "bp ~ basispunten basispunkte")
_unit("level", 1.0, "dB dB(A) dBA")
_unit("characters", 1.0, "character ~ characters tekens zeichen caractères")
_unit("angle", 1.0, "° ~ degrees graden grad degrés")
_unit("order", 1.0, "ordinal")
_unit("decade", 1.0, "decade")
_unit("times", 1.0, "x")

_GLUED_ONLY = {**dict.fromkeys("th st nd rd e ste de er ème".split(), "ordinal"), "x": "x"}  # noqa: SIM905
_NOT_AFTER_SPACE = frozenset({"x", "ordinal", "decade", "B", "an", "gr", "t", "min-1"})
"""Names that are ordinary words or plain letters when a space stands before them."""


def _by_word(table: str) -> dict[str, str]:
    """Return word → meaning of lines ``MEANING: word word``."""
    lines = (line.split(":", 1) for line in table.strip().splitlines())
    return {word: meaning.strip() for meaning, words in lines for word in words.split()}


CURRENCIES = _by_word(
    """
    USD: $ us$ usd dollar dollars
    EUR: € eur euro euros
    GBP: £ gbp
    CHF: chf
    JPY: ¥ jpy
    SEK: sek
    DKK: dkk
    NOK: nok
    PLN: pln
    FRF: ffr
    """
)  # fmt: skip
_SYMBOL_SCALES = {"k": 3, "m": 6, "mm": 6, "b": 9, "t": 12}
"""Letters that scale an amount of money ("$4.6M") and nothing else, as powers of ten."""
SCALES = {
    word: int(power)
    for power, words in {
        3: "thousand duizend tausend mille",
        6: "million millions mln mio miljoen millionen mn",
        9: "billion billions bn miljard mld mrd milliard milliards milliarden milliarde",
        12: "trillion biljoen",
    }.items()
    for word in words.split()
}  # fmt: skip


# ---------------------------------------------------------------- numbers

_GROUPED = r"\d{1,3}(?:[ '.,]\d{3})+(?!\d)(?:[.,]\d+)?"
_PLAIN = r"\d+(?:[.,]\d+)?"
_NUMBER = f"(?:{_GROUPED}|{_PLAIN}|(?<![\\w.,])[.,]\\d+)"
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
_BEFORE_UNIT = {
    "en": {"one": 1, "zero": 0},
    "nl": {"acht": 8, "nul": 0},
    "de": {"acht": 8, "null": 0},
    "fr": {"neuf": 9, "zéro": 0, "un": 1, "une": 1},
}
"""Read only where a unit follows."""
_SPELLED = {
    language: {word: value for word, value in words.items() if word not in _ARTICLES}
    for language, words in _spelled_numbers().items()
}
_SHARED = frozenset(["ten", "onze", "cent", "six", "elf"])
"""Numbers in one language and ordinary words in another: without a known language they need a unit."""
_SPELLED[""] = {
    word: value for words in list(_SPELLED.values()) for word, value in words.items() if word not in _SHARED
}
_BEFORE_UNIT[""] = {"one": 1, "ten": 10, "six": 6, "elf": 11}


def _spelled_pattern(language: str) -> re.Pattern[str]:
    words = sorted({**_SPELLED[language], **_BEFORE_UNIT[language]}, key=len, reverse=True)
    return re.compile(
        rf"(?<![\w-])({'|'.join(map(re.escape, words))})(?!\w)(?:\s(hundred|honderd|thousand|duizend)\b)?",
        re.IGNORECASE,
    )


_SPELLED_PATTERNS = {language: _spelled_pattern(language) for language in _SPELLED}

# ---------------------------------------------------------------- patterns

_MONTHS = {
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
_MONTH = "(?:" + "|".join(
    "(?-i:May|MAY)" if name == "may" else name for name in sorted(_MONTHS, key=len, reverse=True)
) + ")"  # fmt: skip

_SECTION_WORDS = _by_word(
    """
    ARTICLE: article articles artikel artikelen art.
    PARAGRAPH: lid absatz abs. paragraph alinéa
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
_NAMED = _by_word(
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
_STANDARDS = """SP FIPS RFC ISO/IEC ISO IEC EN DIN NEN-EN NEN IP IR NISTIR CNSSI ANSI IEEE ASTM VDI DN PN""".split()  # noqa: SIM905
_PREFIX_WORDS = "|".join(sorted(map(re.escape, {**_SECTION_WORDS, **_NAMED}), key=len, reverse=True))
_REFERENCE = r"(?:\d+[A-Za-z]?(?:[-./:]\w+)*(?:\(\w{1,3}\))*|(?-i:[IVX]{1,5})\b|(?-i:[A-Z])\b(?:[.-]\d+)*)"

_CERTIFICATIONS = (
    r"(?:[Aa][Tt][Ee][Xx]|IECEx|cUL|UL|CSA|VDE|CE|UKCA|FCC|RoHS|REACH|KEMA|DNV|TÜV|FDA|EHEDG|3-A|NSF|KTW|WRAS|ACS|"
    r"SIL ?\d|HALAL|KOSHER|PED|ASME|DVGW|KIWA|Kiwa|BSI|MID)"
)
_CERTIFICATION = re.compile(rf"(?<![\w-]){_CERTIFICATIONS}(?!\w)")
NEGATION = re.compile(
    r"\b(?:not|no(?!\.\s?\d)|never|without|non|neither|nor|cannot|niet|geen|zonder|nooit|nicht|kein\w*|ohne|nie|"
    r"ne|pas|sans|jamais|aucune?)\b|n't\b",
    re.IGNORECASE,
)
"""Words that deny, in the four languages."""

_PATTERN = re.compile(
    "|".join(
        [
            r"(?P<skip>https?://\S+|www\.\S+|\{\{\d+\}\})",
            r"(?P<iso>\b(?:19|20)\d\d-\d\d-\d\d\b)",
            r"(?P<dmy>(?<![\w.])\d{1,2}(?P<sep>[./-])\d{1,2}(?P=sep)(?:19|20)\d\d\b)",
            rf"(?P<daymonth>\b\d{{1,2}}(?:st|nd|rd|th|er|\.)?\s+(?:of\s+)?{_MONTH}\b\.?(?:,?\s+(?:19|20)\d\d)?)",
            rf"(?P<monthday>\b{_MONTH}\.?\s+\d{{1,2}}(?:st|nd|rd|th)?\b(?![.,]?\d|\s*(?:%|percent|bits))"
            r"(?:,?\s+(?:19|20)\d\d)?)",
            rf"(?P<monthyear>\b{_MONTH}\.?,?\s+(?:19|20)\d\d\b)",
            r"(?P<clock>\b\d{1,2}:\d\d(?::\d\d)?(?:\s?[ap]\.?m\b\.?)?|\b\d{1,2}\s?[ap]\.?m\b\.?)",
            r"(?P<quarter>\b(?-i:Q)[1-4]\b(?:\s(?:19|20)\d\d)?|\b[1-4](?-i:Q)(?=\d\d|\b)"
            r"|\b(?:first|second|third|fourth|1st|2nd|3rd|4th)[- ]quarter\b)",
            rf"(?P<reference>(?:\b(?:{_PREFIX_WORDS}))\s?{_REFERENCE}|§+\s?\d+\w*(?:[.-]\d+)*)",
            rf"(?P<standard>\b(?-i:{'|'.join(_STANDARDS)})\s?(?:PUB\s)?(?:\d+[A-Za-z]?(?:[-./:]\w+)*(?:\(\w{{1,3}}\))*))",
            r"(?P<act>(?<![\w./])(?:19|20)\d\d/\d{1,4}(?:/(?-i:[A-Z]{2,3}))?(?![\w/]))",
            r"(?P<part>\b(?-i:[A-Z]{2,6})\s\d+(?:-\d+)+(?:-?(?-i:[A-Z]))*\b)",
            r'(?P<fraction>(?<![\w./])(?:\d+[ -])?\d{1,2}/\d{1,2}\s?(?:"|\'\'|(?:inch|inches|duim|Zoll|pouces?)\b))',
            rf"(?P<power>(?P<powersign>[-+])?{_NUMBER}\s?[×x·*]\s?10\s?\^?\s?(?P<exponent>(?<=\^)[-+]?\d+|[-+]\d+))",
            r"(?P<identifier>(?<!\w)(?=[\w./()+-]*\d)(?=[\w./()+-]*[^\W\d_])[^\W_]+(?:[-./_+][^\W_]+)*(?:\(\w{1,3}\))*)",
            r"(?P<outline>(?<![\w.,])\d+(?:\.\d+){2,}(?!\w))",
            rf"(?P<number>(?P<currency>(?:US\$|[$€£¥]|\b(?:EUR|USD|CHF|GBP|JPY|SEK|DKK|NOK|PLN)\b)\s?)?"
            rf"(?P<sign>\+/-\s?|±\s?|[-–+](?=[\d.,]))?(?P<digits>{_NUMBER}))",
        ]
    ),
    re.IGNORECASE,
)
_UNIT_PATTERN = re.compile(
    r"\s?(?:-\s?)?("
    + "|".join(sorted(map(re.escape, {**_EXACT, **_FOLDED}), key=len, reverse=True))
    + r")(?![\w^])(?!/[^\W\d_])",
    re.IGNORECASE,
)
_SCALE_PATTERN = re.compile(r"\s?-?(" + "|".join(sorted(SCALES, key=len, reverse=True)) + r")\b\.?", re.IGNORECASE)
_CURRENCY_PATTERN = re.compile(
    r"\s?(€|\$|£|¥|EUR|USD|GBP|CHF|JPY|SEK|DKK|NOK|PLN|euros?|dollars?|FFr)(?!\w)", re.IGNORECASE
)
_POINTS = re.compile(r"\s?(?:percentage points?|per ?cent|pour ?cent|procentpunten?|Prozentpunkte?)\b", re.IGNORECASE)
_BASIS_POINTS = re.compile(r"\s?basis points?\b", re.IGNORECASE)
_GLUED = re.compile(r"([-+]?\d+(?:[.,]\d+)*)([^\W\d_]+[23]?(?:/[^\W\d_]+)?)")
_HYPHENED = re.compile(r"(\d+(?:[.,]\d+)?)-([^\W\d_]+)(?:-[^\W\d_]+)*")
_ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "1st": 1, "2nd": 2, "3rd": 3, "4th": 4}
_JOINS_RANGE = re.compile(r"\s?(?:-|–|—|to|tot|bis|à|\.\.\.?|tot en met|through|up to|÷|until)\s?", re.IGNORECASE)
_SHARES_UNIT = re.compile(r"\s?(?:and|en|und|et|or|of|oder|ou|/)\s?", re.IGNORECASE)


def _ending(words: str) -> re.Pattern[str]:
    return re.compile(rf"(?:{words})\s*$", re.IGNORECASE)


_BOUNDS_BEFORE: tuple[tuple[Bound, re.Pattern[str]], ...] = (
    (
        "at least",
        _ending(
            r"≥|>=|=>|\bat least|\bno less than|\bnot less than|\bnot be less than|\bminimum of|\bno fewer than|"
            r"\bten minste|\btenminste|\bminimaal|\bminstens|\bniet minder dan|\bmindestens|\bwenigstens|"
            r"\bnicht weniger als|\bau moins|\bminimum de|\bau minimum"
        ),
    ),
    (
        "at most",
        _ending(
            r"≤|<=|=<|\bat most|\bno more than|\bnot more than|\bup to|\bmaximum of|\bnot (?:to )?exceed(?:ing)?|"
            r"\bno later than|\bten hoogste|\bhoogstens|\bmaximaal|\bniet meer dan|\bhöchstens|\bmaximal|\bbis zu|"
            r"\bnicht mehr als|\bau plus|\bau maximum|\bmaximum de|\bjusqu'à"
        ),
    ),
    (
        "more than",
        _ending(
            r">|\bmore than|\bgreater than|\bhigher than|\blonger than|\blarger than|\bexceed(?:s|ing)?|"
            r"\bmeer dan|\bhoger dan|\bgroter dan|\blanger dan|\bmehr als|\bgrößer als|\blänger als|\bplus de|"
            r"\bsupérieure? à"
        ),
    ),
    (
        "less than",
        _ending(
            r"<|\bless than|\bfewer than|\blower than|\bshorter than|\bsmaller than|\bminder dan|\blager dan|"
            r"\bkleiner dan|\bkorter dan|\bweniger als|\bkleiner als|\bkürzer als|\bmoins de|\binférieure? à"
        ),
    ),
)
_BOUNDS_AFTER: tuple[tuple[Bound, re.Pattern[str]], ...] = (
    (
        "at least",
        re.compile(r"\s?(?:or (?:more|longer|higher|above|greater)|of meer|of langer|oder mehr|ou plus)\b", re.I),
    ),
    ("at most", re.compile(r"\s?(?:or (?:less|fewer|lower|below)|of minder|oder weniger|ou moins)\b", re.I)),
)


# ---------------------------------------------------------------- reading


def read(text: str, language: str = "") -> tuple[Found, ...]:
    """Return the values of ``text`` in order of their start; spans are in ``text`` as given.

    ``language`` (ISO 639-1) decides what separators mean; empty when it is unknown. Citation marks and web addresses
    hold no values.
    """
    normal = normalise(text)
    return tuple(
        replace(found, start=span[0], end=span[1])
        for found in read_normal(normal.text, language)
        for span in (normal.span(found.start, found.end),)
    )


def parse(text: str, language: str = "") -> Value | None:
    """Return the one value that ``text`` is, or None when it is not exactly one."""
    stripped = text.strip()
    found = read(stripped, language)
    if len(found) != 1:
        return None
    start, end = found[0].start, found[0].end
    rest = (stripped[:start] + stripped[end:]).strip()
    value = found[0].value
    bound = isinstance(value, Quantity) and bool(value.bound)
    return value if not rest or bound else None


def read_normal(text: str, language: str = "") -> tuple[Found, ...]:
    """Return the values of a text that `normalise` made; spans are in it."""
    found: list[Found] = []
    at = 0
    while match := _PATTERN.search(text, at):
        here = _read_match(text, match, language)
        found.extend(here)
        # A unit that was taken with its number ("m3/h") is not read again as an identifier.
        at = max([match.end(), *(item.end for item in here)])
    found.extend(_spelled(text, found, language))
    found.extend(_certifications(text))
    found.sort(key=lambda item: (item.start, item.start - item.end))
    return tuple(_bounded(text, _ranged(text, found)))


def _read_match(text: str, match: re.Match[str], language: str) -> list[Found]:
    groups = match.groupdict()
    kind = next(name for name in groups if groups[name] is not None and name not in _INNER_GROUPS)
    start, end = match.span()
    printed = match.group(0)
    if kind == "skip":
        return []
    if kind in ("iso", "dmy", "daymonth", "monthday", "monthyear"):
        moment = _moment(kind, printed, language)
        return [Found(moment, start, end)] if moment else []
    if kind == "clock":
        return _clock(printed, start, end)
    if kind == "quarter":
        year = re.search(r"(?:19|20)\d\d", printed)
        digit = re.search(r"[1-4]", printed)
        number = int(digit.group()) if digit else _ORDINALS[printed.lower()[:-7].strip(" -")]
        return [Found(Quarter(number, int(year.group()) if year else None), start, end)]
    if kind in ("reference", "standard", "act", "part", "outline"):
        return [Found(read_identifier(printed, outline=kind == "outline"), start, end)]
    if kind == "fraction":
        return _fraction(printed, start, end)
    if kind == "power":
        return _power(text, match, language)
    if kind == "identifier":
        return _mixed(text, printed, start, end, language)
    return _plain_number(text, match, language)


_INNER_GROUPS = frozenset({"sep", "powersign", "exponent", "currency", "sign", "digits"})


def _moment(kind: str, printed: str, language: str) -> Moment | None:
    numbers = [int(n) for n in re.findall(r"\d+", printed)]
    if kind == "iso":
        readings = {(numbers[0], numbers[1], numbers[2])}
    elif kind == "dmy":
        first, second, year = numbers
        readings = {(year, second, first)} if second <= 12 else set[tuple[int, int, int]]()
        # Month first is an American habit; in the other languages the day always comes first.
        if first <= 12 and language in ("", "en"):
            readings.add((year, first, second))
    else:
        name = re.search(_MONTH, printed, re.IGNORECASE)
        assert name is not None
        year = next((n for n in numbers if n > 1900), None)
        day = next((n for n in numbers if n <= 31), None)
        return Moment(frozenset({(year, _MONTHS[name.group().lower()], day)}))
    valid = {r for r in readings if 1 <= r[1] <= 12 and 1 <= r[2] <= 31}
    return Moment(frozenset(valid)) if valid else None


def _clock(printed: str, start: int, end: int) -> list[Found]:
    match = re.match(r"(\d+)(?::(\d+))?", printed)
    assert match is not None
    hour, minute = int(match.group(1)), int(match.group(2) or 0)
    if hour > 24 or minute > 59:
        return []
    half = re.search(r"[ap](?=\.?m\b)", printed.lower())
    if half:
        hour = hour % 12 + (12 if half.group() == "p" else 0)
    return [Found(Clock(hour % 24, minute), start, end)]


def _fraction(printed: str, start: int, end: int) -> list[Found]:
    match = re.match(r"(?:(\d+)[ -])?(\d+)/(\d+)", printed)
    assert match is not None
    whole, above, below = int(match.group(1) or 0), int(match.group(2)), int(match.group(3))
    if below == 0:
        return []
    return [Found(Quantity(frozenset({whole + Decimal(above) / below}), unit="inch"), start, end)]


def _power(text: str, match: re.Match[str], language: str) -> list[Found]:
    digits = re.match(rf"[-+]?({_NUMBER})", match.group(0))
    assert digits is not None
    exponent = int(match.group("exponent"))
    if abs(exponent) > 300:
        return []
    readings = frozenset(number.scaleb(exponent) for number in read_number(digits.group(1), language))
    if match.group("powersign") == "-":
        readings = frozenset(-number for number in readings)
    unit, end = _unit_at(text, match.end())
    return [Found(Quantity(readings, unit=unit), match.start(), end)]


def _mixed(text: str, printed: str, start: int, end: int, language: str) -> list[Found]:
    """Read a token of letters and digits: a number glued to its unit, or an identifier."""
    glued = _GLUED.match(printed)
    before = _CURRENCY_BEFORE.search(text[max(0, start - 5) : start])
    if glued and glued.end() == len(printed):
        number, letters = glued.groups()
        readings = read_number(number.lstrip("+-"), language)
        scale = SCALES.get(letters.lower()) or (
            _SYMBOL_SCALES.get(letters.lower()) if before or letters == "k" else None
        )
        if scale is not None:
            currency = CURRENCIES[before.group(1).lower()] if before else ""
            return [
                Found(
                    Quantity(frozenset(r.scaleb(scale) for r in readings), currency=currency, scale=scale), start, end
                )
            ]
        unit = _GLUED_ONLY.get(letters.lower()) or _unit_named(letters)
        if letters == "s" and re.fullmatch(r"\d{2}0", number[-3:]) and len(number) in (3, 4):
            unit = "decade"
        if letters == "C":
            unit = "°C"
        if unit and readings:
            return [Found(Quantity(_signed(text, start, readings), unit=unit), start, end)]
    if _unit_named(printed):
        return []
    hyphened = _HYPHENED.match(printed)
    if hyphened and hyphened.end() == len(printed) and hyphened.group(2).islower():
        readings = read_number(hyphened.group(1), language)
        unit = _unit_named(hyphened.group(2))
        stop = start + hyphened.end(2 if unit else 1)
        return [Found(Quantity(readings, unit=unit), start, stop)]
    scientific = re.fullmatch(r"(\d+(?:[.,]\d+)?)[eE]([-+]?\d{1,2})", printed)
    if scientific and ("." in printed or "," in printed or "-" in printed or "+" in printed):
        readings = frozenset(n.scaleb(int(scientific.group(2))) for n in read_number(scientific.group(1), language))
        unit, stop = _unit_at(text, end)
        return [Found(Quantity(readings, unit=unit), start, stop)]
    return [Found(read_identifier(printed), start, end)]


_CURRENCY_BEFORE = re.compile(r"(US\$|[$€£¥]|\b(?:EUR|USD|CHF|GBP))\s?-?$", re.IGNORECASE)


def _signed(text: str, start: int, readings: frozenset[Decimal]) -> frozenset[Decimal]:
    before = text[max(0, start - 2) : start]
    if before.endswith("-") and not re.match(r"[\w)%°]", before[:1] if len(before) == 2 else ""):
        return frozenset(-r for r in readings)
    return readings


def _plain_number(text: str, match: re.Match[str], language: str) -> list[Found]:
    digits = match.group("digits")
    readings = read_number(digits, language)
    if not readings:
        return []
    start = match.start()
    sign = (match.group("sign") or "").strip()
    if sign in ("-", "–"):
        before = text[:start].rstrip() if sign == "–" else text[:start]
        if match.group("currency") or not re.match(r"[\w)%°\"]", before[-1:]):
            readings = frozenset(-r for r in readings)
        else:
            start += len(match.group("sign"))
    currency = CURRENCIES[match.group("currency").strip().lower()] if match.group("currency") else ""
    value, end = _with_tail(text, match.end("digits"), readings, currency)
    value = replace(value, tolerance=sign in ("±", "+/-"))
    found = [Found(value, start, end)]
    if " " in digits:
        # "100 200 300" in a flattened table may be three numbers.
        at = match.start("digits")
        groups = digits.split(" ")
        for index, group in enumerate(groups):
            last = index == len(groups) - 1
            part = replace(value, readings=read_number(group, language)) if last else Quantity(read_number(group))
            found.append(Found(part, at, end if last else at + len(group), parts=True))
            at += len(group) + 1
    return found


def _with_tail(text: str, at: int, readings: frozenset[Decimal], currency: str) -> tuple[Quantity, int]:
    """Take the scale word, currency and unit that follow a number; returns the value and where it ends."""
    end = at
    scale = 0
    match = _SCALE_PATTERN.match(text, end)
    if match:
        scale = SCALES[match.group(1).lower()]
        end = match.end()
    elif currency:
        match = re.compile(r"\s?(k|mm|m|b|t)\b(?![/\w])", re.IGNORECASE).match(text, end)
        if match:
            scale = _SYMBOL_SCALES[match.group(1).lower()]
            end = match.end()
    unit = ""
    if not currency:
        match = _CURRENCY_PATTERN.match(text, end)
        if match:
            currency = CURRENCIES[match.group(1).lower()]
            end = match.end()
        else:
            unit, end = _unit_at(text, end)
    if scale:
        readings = frozenset(r.scaleb(scale) for r in readings)
    return Quantity(readings, unit=unit, currency=currency, scale=scale), end


def _unit_at(text: str, at: int) -> tuple[str, int]:
    """Return the unit printed at ``at`` and where it ends; empty and ``at`` when there is none."""
    match = _POINTS.match(text, at)
    if match:
        return "%", match.end()
    match = _BASIS_POINTS.match(text, at)
    if match:
        return "bp", match.end()
    if text[at : at + 1] == '"' or text[at : at + 2] == "''":
        # After an opened quotation the sign closes it; otherwise it stands for inches.
        opened = text.count('"', text.rfind("\n", 0, at) + 1, at) % 2 == 1
        if not opened:
            return "inch", at + (1 if text[at] == '"' else 2)
    match = _UNIT_PATTERN.match(text, at)
    if not match:
        return "", at
    name = match.group(1)
    unit = _unit_named(name)
    spaced = match.group(0)[0] != name[0]
    if not unit or (spaced and name in _NOT_AFTER_SPACE):
        return "", at
    return unit, match.end()


def _unit_named(name: str) -> str:
    return _EXACT.get(name) or (_FOLDED.get(name.casefold(), "") if len(name) > 1 else "")


def _spelled(text: str, found: list[Found], language: str) -> list[Found]:
    known = language if language in _SPELLED else ""
    spelled: list[Found] = []
    taken = [(item.start, item.end) for item in found]
    for match in _SPELLED_PATTERNS[known].finditer(text):
        start, end = match.span()
        if any(a < end and start < b for a, b in taken):
            continue
        word = match.group(1).lower()
        needs_unit = word in _BEFORE_UNIT[known]
        number = _BEFORE_UNIT[known][word] if needs_unit else _SPELLED[known][word]
        if match.group(2):
            number *= 100 if match.group(2).lower() in ("hundred", "honderd") else 1000
        value, stop = _with_tail(text, end, frozenset({Decimal(number)}), "")
        if needs_unit and stop == end and not match.group(2):
            continue
        spelled.append(Found(replace(value, spelled=True), start, stop))
    return spelled


def _certifications(text: str) -> list[Found]:
    found: list[Found] = []
    for match in _CERTIFICATION.finditer(text):
        before = re.split(r"[.;:!?]\s|\n", text[max(0, match.start() - 40) : match.start()])[-1]
        after = re.split(r"[.;:!?](?:\s|$)|\n|,", text[match.end() : match.end() + 30])[0]
        negated = bool(NEGATION.search(before) or NEGATION.search(after))
        name = match.group(0).upper().replace(" ", "")
        found.append(Found(Certification(name, negated), match.start(), match.end()))
    return found


def _ranged(text: str, found: list[Found]) -> list[Found]:
    """Hand the unit of a range's right end to its left one ("4–20 mA") and mark both ends."""
    done = list(found)
    for index in range(len(done) - 2, -1, -1):
        left, right = done[index], done[index + 1]
        if left.parts or right.parts or not (isinstance(left.value, Quantity) and isinstance(right.value, Quantity)):
            continue
        between = text[left.end : right.start]
        low, high = left.value, right.value
        spans = bool(_JOINS_RANGE.fullmatch(between))
        bare = not low.unit and not low.currency
        if high.tolerance:
            if bare and high.unit != "%" and not between.strip():
                done[index] = replace(left, value=replace(low, unit=high.unit, currency=high.currency))
            continue
        if not spans and not _SHARES_UNIT.fullmatch(between):
            continue
        if bare and (high.unit or high.currency):
            low = replace(low, unit=high.unit, currency=high.currency)
        if spans:
            if low.currency and not high.currency and not high.unit:
                high = replace(high, currency=low.currency)
            if min(low.readings) <= max(high.readings):
                low, high = replace(low, end="low"), replace(high, end="high")
        done[index], done[index + 1] = replace(left, value=low), replace(right, value=high)
    return done


def _bounded(text: str, found: list[Found]) -> list[Found]:
    return [
        replace(item, value=replace(item.value, bound=bound))
        if isinstance(item.value, Quantity) and (bound := _bound_of(text, item))
        else item
        for item in found
    ]


def _bound_of(text: str, item: Found) -> Bound:
    before = text[max(0, item.start - 26) : item.start]
    for bound, pattern in _BOUNDS_BEFORE:
        if pattern.search(before):
            return bound
    for bound, pattern in _BOUNDS_AFTER:
        if pattern.match(text, item.end):
            return bound
    return ""


# ---------------------------------------------------------------- identifiers

_PREFIX_KINDS = {
    **{word.upper(): kind for word, kind in {**_SECTION_WORDS, **_NAMED}.items()},
    **{word: word for word in _STANDARDS},
    "FIPSPUB": "FIPS",
}
_PREFIX = re.compile("|".join(sorted(map(re.escape, _PREFIX_KINDS), key=len, reverse=True)))
SECTION_KINDS = frozenset(_SECTION_WORDS.values())
"""Prefixes that name a place in a document rather than a thing."""


@lru_cache(maxsize=65536)
def read_identifier(printed: str, *, outline: bool = False) -> Identifier:
    """Return the identifier that ``printed`` is, in one spelling.

    >>> read_identifier("Artikel 12") == read_identifier("Article 12"), read_identifier("AC-17(4)")
    (True, Identifier(core='AC17(4)', prefix=''))
    """
    compact = re.sub(r"\s", "", printed.upper())
    match = _PREFIX.match(compact)
    prefix = ""
    if match and match.end() < len(compact):
        rest = compact[match.end() :].lstrip("-.:")
        if re.match(r"\d|[IVX]+$|[A-Z](?:[.-]\d|$)", rest):
            compact, prefix = rest, _PREFIX_KINDS[match.group()]
    if outline:
        prefix = "SECTION"
    # Hyphens between digits tell part numbers apart (32-3, 323); next to a letter they are a habit of print.
    core = re.sub(r"(?<![0-9])[-_]|[-_](?![0-9])", "", compact)
    return Identifier(core, prefix)


# ---------------------------------------------------------------- equality

NOT_EQUAL, EXACT = 0.0, 1.0
ONE_SIDED_UNIT = 0.85
"""Only one side prints the unit or currency: a cell under "Q [m³/h]" against "16 m³/h"."""
HEADER_SCALE = 0.7
"""The claim says "million" where the cell may stand under such a heading."""
PARTIAL = 0.6
"""A date without its day, a range end quoted alone, a number for an identifier."""
SAME_CORE, OTHER_PREFIX = 0.8, 0.3
OTHER_POLARITY = 0.2


def equality(claim: Value, evidence: Value) -> float:
    """Return how far ``evidence`` says what ``claim`` says: 0 not at all, 1 exactly; from .5 it is found.

    Not symmetric: evidence may say more (a date with its year) than the claim, not less. Bounds are compared by
    `bounds_agree`, because a wrong bound wants its own reason.
    """
    match claim, evidence:
        case Quantity(), Quantity():
            return _same_quantity(claim, evidence)
        case Moment(), Moment():
            return _same_moment(claim, evidence)
        case Quarter(), Quarter():
            same = claim.quarter == evidence.quarter and (
                claim.year is None or evidence.year is None or claim.year == evidence.year
            )
            return EXACT if same else NOT_EQUAL
        case Clock(), Clock():
            if claim == evidence:
                return EXACT
            return PARTIAL if claim.hour % 12 == evidence.hour % 12 and claim.minute == evidence.minute else NOT_EQUAL
        case Clock(), Quantity():
            bare = not evidence.unit and not evidence.currency
            return PARTIAL if bare and claim.minute == 0 and Decimal(claim.hour) in evidence.readings else NOT_EQUAL
        case Identifier(), Identifier():
            return _same_identifier(claim, evidence)
        case Identifier(), Quantity():
            bare = not evidence.unit and not evidence.currency
            return PARTIAL if bare and _digits_equal(claim, evidence) else NOT_EQUAL
        case Quantity(), Identifier():
            bare = not claim.unit and not claim.currency
            return PARTIAL if bare and _digits_equal(evidence, claim) else NOT_EQUAL
        case Quantity(), Moment():
            years = {Decimal(year) for year, _, _ in evidence.readings if year}
            return 0.9 if not claim.unit and not claim.currency and years & claim.readings else NOT_EQUAL
        case Quantity(), Quarter():
            year = evidence.year
            return 0.9 if not claim.unit and not claim.currency and year and year in claim.readings else NOT_EQUAL
        case Certification(), Certification():
            if claim.name != evidence.name:
                return NOT_EQUAL
            return EXACT if claim.negated == evidence.negated else OTHER_POLARITY
        case _:
            return NOT_EQUAL


def bounds_agree(claim: Bound, evidence: Bound) -> bool:
    """Say whether two values may stand for each other as far as "at least" and the like go: ``≤ 16`` is not ``16``."""
    return claim == evidence


def dimension(quantity: Quantity) -> str:
    """Return what kind of thing is measured: a unit's dimension, "money", or empty for a bare number."""
    if quantity.currency:
        return "money"
    return UNITS[quantity.unit].dimension if quantity.unit else ""


def base_readings(quantity: Quantity) -> frozenset[float]:
    """Return the readings in the base unit of their dimension, rounded to ten digits so that conversions meet."""
    return _base(quantity.readings, quantity.unit)


@lru_cache(maxsize=65536)
def _base(readings: frozenset[Decimal], unit: str) -> frozenset[float]:
    factor, offset = (UNITS[unit].factor, UNITS[unit].offset) if unit else (1.0, 0.0)
    return frozenset(_round(float(number) * factor + offset) for number in readings)


def _round(number: float) -> float:
    return 0.0 if abs(number) < 1e-300 else float(f"{number:.9e}")


def _same_quantity(claim: Quantity, evidence: Quantity) -> float:
    if claim.tolerance != evidence.tolerance or (
        claim.currency and evidence.currency != claim.currency and evidence.currency
    ):
        return NOT_EQUAL
    if {claim.end, evidence.end} == {"low", "high"}:
        return NOT_EQUAL
    if claim.unit and evidence.unit:
        if UNITS[claim.unit].dimension != UNITS[evidence.unit].dimension:
            return NOT_EQUAL
        same = bool(base_readings(claim) & base_readings(evidence))
        return EXACT if same else NOT_EQUAL
    if (claim.unit and evidence.currency) or (claim.currency and evidence.unit):
        return NOT_EQUAL
    if not _base(claim.readings, "") & _base(evidence.readings, ""):
        return NOT_EQUAL
    one_sided = bool(claim.unit) != bool(evidence.unit) or bool(claim.currency) != bool(evidence.currency)
    return ONE_SIDED_UNIT if one_sided else EXACT


def equals_with_scale(claim: Quantity, evidence: Quantity) -> bool:
    """Say whether the claim is the evidence in thousands, millions or billions ("62.7 billion", cell "62.7")."""
    if not claim.scale or evidence.scale or claim.unit or evidence.unit:
        return False
    return bool(claim.readings & frozenset(r.scaleb(claim.scale) for r in evidence.readings))


def is_rounding(claim: Quantity, evidence: Quantity) -> bool:
    """Say whether the claim is the evidence with fewer digits, at most 2 % away."""
    if claim.unit and evidence.unit and dimension(claim) != dimension(evidence):
        return False
    both = bool(claim.unit and evidence.unit)
    claimed = base_readings(claim) if both else _base(claim.readings, "")
    printed = base_readings(evidence) if both else _base(evidence.readings, "")
    return any(
        x != y and x and y and abs(x - y) <= 0.02 * abs(y) and _significant(x) < _significant(y)
        for x in claimed
        for y in printed
    )


def _significant(number: float) -> int:
    return len(f"{number:.9e}".partition("e")[0].replace(".", "").replace("-", "").rstrip("0"))


def _same_moment(claim: Moment, evidence: Moment) -> float:
    best = NOT_EQUAL
    for wanted in claim.readings:
        for printed in evidence.readings:
            if all(w is None or p is None or w == p for w, p in zip(wanted, printed, strict=True)):
                says_all = all(w is None or w == p for w, p in zip(wanted, printed, strict=True))
                best = max(best, EXACT if says_all else PARTIAL)
    return best


def _same_identifier(claim: Identifier, evidence: Identifier) -> float:
    if claim.core != evidence.core:
        return NOT_EQUAL
    if claim.prefix == evidence.prefix:
        return EXACT
    return SAME_CORE if not claim.prefix or not evidence.prefix else OTHER_PREFIX


def _digits_equal(identifier: Identifier, quantity: Quantity) -> bool:
    return identifier.core.isdigit() and len(quantity.readings) == 1 and Decimal(identifier.core) in quantity.readings


# ---------------------------------------------------------------- printing


def show(value: Value, language: str = "en") -> str:
    """Return the value as a person writes it in ``language``, such that `parse` reads it back."""
    match value:
        case Quantity():
            return _show_quantity(value, language)
        case Moment():
            year, month, day = min(value.readings, key=lambda r: tuple(p or 0 for p in r))
            if year and month and day:
                return f"{year:04d}-{month:02d}-{day:02d}"
            name = _MONTH_NAMES[(month or 1) - 1]
            return f"{day} {name}" if day else f"{name} {year}"
        case Quarter():
            return f"Q{value.quarter}" + (f" {value.year}" if value.year else "")
        case Clock():
            return f"{value.hour}:{value.minute:02d}"
        case Identifier():
            return (
                f"{value.prefix.capitalize() if value.prefix in SECTION_KINDS else value.prefix} {value.core}".strip()
            )
        case Certification():
            return f"not {value.name}" if value.negated else value.name


_MONTH_NAMES = "January February March April May June July August September October November December".split()  # noqa: SIM905


def _show_quantity(value: Quantity, language: str) -> str:
    number = min(value.readings)
    text = f"{abs(number):f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    # Three digits after the separator are the one case that a reader could take for thousands: one more digit ends it.
    whole, _, decimals = text.partition(".")
    if len(decimals) == 3 and not whole.startswith("0"):
        decimals += "0"
    text = whole + ((("," if language in ("nl", "de", "fr") else ".") + decimals) if decimals else "")
    if number < 0:
        text = "-" + text
    if value.tolerance:
        text = "± " + text
    if value.currency:
        text = f"{value.currency} {text}"
    elif value.unit:
        text = f"{text} {value.unit}" if value.unit not in ("ordinal", "decade", "x") else _show_glued(text, value.unit)
    return f"{value.bound} {text}" if value.bound else text


def _show_glued(text: str, unit: str) -> str:
    return text + {"ordinal": "th", "decade": "s", "x": "x"}[unit]
