"""Kinds of answers: what a question asks for, and whether a text holds a value of that kind. Shallow on purpose:
the gate decides what a value means, this only steers the choice of sentences."""

from __future__ import annotations

import re
from dataclasses import dataclass

_NUMBER = r"(?<![\w.,±])(?<!± )[-−–+]?\d[\d.,]*(?:\s\d{3}(?!\d))*"
_SCALE = (
    r"(?:\s?(?:million|mln|mio|miljoen|millionen|millions?|billion|bn|miljard|milliarden?|milliards?|thousand|k)\b)?"
)
_NUMBER_WORDS = (  # Neither "one" nor "een", "ein", "un": articles.
    "two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty sixty ninety hundred "
    "twee drie vier vijf zes zeven acht negen tien twaalf twintig dertig zestig negentig honderd "
    "zwei drei vier fünf sechs sieben acht neun zehn zwölf zwanzig dreißig sechzig neunzig hundert "
    "deux trois quatre cinq six sept huit dix douze quinze vingt trente soixante cent"
)
_SPELLED = rf"\b(?:{'|'.join(_NUMBER_WORDS.split())})\b"


@dataclass(frozen=True, slots=True)
class AnswerKind:
    """A kind of value: words that ask for it, units and symbols that show it."""

    name: str
    asks: re.Pattern[str]
    units: re.Pattern[str]
    """Matches a unit alone: in a column title, in a cell beside the number."""
    value: re.Pattern[str]
    """Matches a number together with its unit."""
    symbols: frozenset[str]
    """What a column title prints instead of the word: H for head."""
    firm: bool
    """The words ask for nothing else: a pressure is a pressure, but "when" may be answered by a condition."""


def _kind(
    name: str,
    asks: str,
    units: str,
    *,
    symbols: str = "",
    firm: bool = True,
    spelled: bool = False,
    before: str = "",
) -> AnswerKind:
    """A kind from words separated by white space ("_" for a space inside one) and regular expressions of units.

    Args:
        firm: see ``AnswerKind``.
        spelled: numbers may be words, units in any case ("seven days").
        before: units that stand before the number as well.
    """
    words = "|".join(word.replace("_", " ") for word in asks.split())
    unit = rf"(?:{'|'.join(units.split())})(?![\w/²³])"
    number = rf"(?:{_NUMBER}|{_SPELLED})" if spelled else _NUMBER
    value = rf"{number}{_SCALE}\s?[-‐]?{unit}" + (rf"|(?:{before})\s?{_NUMBER}" if before else "")
    return AnswerKind(
        name,
        re.compile(rf"\b(?:{words})\b", re.IGNORECASE),
        re.compile(rf"(?<![\w/]){unit}"),
        re.compile(value, re.IGNORECASE if spelled or before else 0),
        frozenset(symbols.split()),
        firm,
    )


_TIMES = (
    r"-?(?:seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|weeks?|months?|years?) seconden? minuten minuut uur "
    r"uren dag(?:en)? "
    r"we[e]?k(?:en)? maand(?:en)? jaar jaren sekunden? stunden? tag(?:en?)? wochen? monat(?:en?)? jahr(?:en?)? "
    r"secondes? "
    r"heures? jours? semaines? mois ans? années? m?s h min further\smonths? "
    r"(?:business|working|calendar|consecutive|werk|kalender)[-\s]?(?:days?|dagen)"
)

KINDS = (
    _kind(
        "pressure",
        r"press\w* pression\w* druk\w* \w*drücke? druck\w* bar \w+druk",
        r"m?bar bar\(?[ag]\)? [kMmh]?Pa psi mWS mmHg",
        symbols="p PN PS",
    ),
    _kind("npsh", r"npsh\w*", r"m ft", symbols="NPSH NPSHr NPSHA"),
    _kind("head", r"head opvoerhoogte förderhöhe hauteur_manométrique", r"m ft mWS", symbols="H"),
    _kind(
        "flow",
        r"flow capacity debiet capaciteit volumenstrom förder(?:menge|strom) débit",
        r"m[³3]/h l/s l/min l/h m[³3]/s gpm",
        symbols="Q V",
    ),
    _kind(
        "voltage", r"volt\w* \w*spanning \w*spannung tension vceo vcbo vdss?", r"[mkµ]?V(?:AC|DC|ac|dc)?", symbols="U V"
    ),
    _kind("current", r"current amp\w* \w*stroom \w*strom courant intensité", r"[mkµn]?A(?:AC|DC)?", symbols="I"),
    _kind("power", r"power \w*vermogen \w*leistung puissance watt\w* kw", r"[mkM]?W hp PS k?VA", symbols="P P1 P2"),
    _kind("temperature", r"\w*temp[eé]rat\w* how_(?:hot|cold|warm)", r"°\s?[CF] ℃ K", symbols="T t Ta Tj"),
    _kind("resistance", r"\w*resistance \w*weerstand \w*widerstand résistance", r"[mkM]?(?:Ω|[oO]hms?)", symbols="R"),
    _kind("frequency", r"frequenc\w* frequentie frequenz fréquence\w*", r"[kMG]?Hz", symbols="f"),
    _kind("noise", r"noise sound \w*geluid\w* schall\w* bruit sonore", r"dB(?:\(A\))?"),
    _kind(
        "mass",
        r"weigh\w* mass \w*gewicht masse poids how_heavy hoe_zwaar wie_schwer weegt wiegt pèse",
        r"[kmµ]?g t tonnes? lbs?",
        symbols="m",
    ),
    _kind(
        "speed",
        r"speed \w*snelheid \w*toerental \w*geschwindigkeit \w*drehzahl vitesse rpm how_fast hoe_snel",
        r"m/s km/h rpm min-1 1/min min⁻¹ r/min tr/min U/min",
        symbols="n",
        firm=False,
    ),
    _kind(
        "length",
        r"length width height diameter distance lengte breedte \w*hoogte afstand länge breite höhe abstand durchmesser "
        r"longueur largeur hauteur diamètre thickness dikte dicke épaisseur how_(?:deep|wide|tall|far)",
        r"[µmck]?m inch(?:es)? ft met(?:er|re)s? mètres?",
        firm=False,
    ),
    _kind("volume", r"volumes? inhoud fassungsvermögen lit(?:er|re)s?", r"m?[lL] lit(?:er|re)s? m[³3]", firm=False),
    _kind(
        "concentration",
        r"[ck]on[cz]entrati\w* gehalte? limit_value grenswaarde grenzwert\w* maximale_waarde maximum_value norm "
        r"parameterwaarde valeur_limite",
        r"[µmnk]g/(?:l|L|kg|m[³3]) Bq/l mmol/l kve/\w+ °C %",
        firm=False,
    ),
    _kind(
        "bits",
        r"bits? bytes? key_(?:size|length)s? schlüssellänge sleutellengte entrop\w+ taille_de_clé",
        r"-?bits? bytes? octets? [kMG]i?B",
        firm=False,
    ),
    _kind(
        "percentage",
        r"percent\w* per_cent share rate procent\w* prozent\w* pourcent\w* taux aandeel anteil",
        r"% percent per\s?cent procent prozent pour\scent pct",
        spelled=True,
        firm=False,
    ),
    _kind(
        "money",
        r"fines? fees? amounts? costs? prices? penalt\w+ charges? expensive pay_for owes? owed \w*boete\w* bedrag\w* "
        r"kosten? kost prijs "
        r"vergoeding\w* tarie\w+ betrag kosten preise? \w*gebühr\w* \w*entgelt\w* geldbuße bußgeld\w* kostet "
        r"montant coûts? "
        r"coûten?t? prix frais amendes? commissions? daily_limit \w*limiet \w*limit plafond interchange",
        r"EUR USD GBP CHF € \$ £ euros? dollars? cents? basis\spoints bps",
        before=r"EUR|USD|GBP|CHF|€|US\$|\$|£",
    ),
    _kind(
        "time",
        r"how_(?:long|often|soon|quickly|fast) when hoe_?(?:lang|vaak|snel) wanneer wie_(?:lange|oft|schnell) "
        r"wann quand",
        _TIMES,
        spelled=True,
        firm=False,
    ),
    _kind(
        "period",
        r"periods? deadlines? term time(?:_|-)?outs? durations? within idle days? hours? minutes? months? years? "
        r"weeks? retention "
        r"\w*termijn\w* binnen dagen uur uren maanden jaar jaren weken wie_viel_zeit \w*frist\w* innerhalb dauer tage "
        r"stunden monate jahre combien_de_temps délais? durée jours? heures? mois ans années cryptoperiods? "
        r"lieferzeit levertijd",
        _TIMES,
        spelled=True,
    ),
)
"""Words that ask in the four languages, units that answer: those that rulebooks, laws and datasheets print."""

ANY_NUMBER = re.compile(rf"{_NUMBER}|{_SPELLED}", re.IGNORECASE)
_DATE = re.compile(
    r"\b\d{1,2}[./-]\d{1,2}[./-]\d{4}\b|\b\d{4}-\d\d-\d\d\b|\b\d{1,2}:\d\d\b|"
    r"\b(?:\d{1,2}\.?\s+)?(?:jan|feb|mar|maa|mär|apr|may|mei|mai|jun|juin|jul|juil|aug|août|sep|oct|okt|nov|dec|"
    r"dez|déc)\w*\.?,?"
    r"\s+(?:\d{1,2},\s*)?\d{4}\b",
    re.IGNORECASE,
)
MODAL = re.compile(
    r"\b(?:may|must|shall|should|cannot|can|not|no|only|permitted|prohibited|forbidden|allowed|required|suitable|"
    r"mag|mogen|moet|moeten|niet|geen|verboden|toegestaan|verplicht|alleen|kan|kunnen|"
    r"darf|dürfen|nicht|kein\w*|zulässig|muss|müssen|nur|kann|können|"
    r"peut|peuvent|doit|doivent|interdite?s?|autorisée?s?|ne|pas|seulement)\b",
    re.IGNORECASE,
)
"""Words that permit, demand or deny: what a yes-or-no question is answered with."""

_NOT_COUNTED = re.compile(
    r"(?:\b(?:sections?|sec\.|articles?|artikel(?:en|s)?|art\.|lid|leden|abs(?:atz|ätze)?\.?|satz|nr\.?|no\.?|"
    r"annex|anlage|"
    r"bijlage|appendix|chapter|hoofdstuk|kapitel|part|pt\.|teil|deel|figure|fig\.|tables?|tabel|tabelle|step|"
    r"rev\.?|revision|"
    r"version|page|pagina|seite|publications?|pub|fips|sp|iso|en|rfc|ir|regulation|directive|note|noot|rule|"
    r"clause|item|l|§§?)"
    r"\s?|[(\[/:])$",
    re.IGNORECASE,
)
_NOT_COUNTED_AFTER = re.compile(r"[.:]?\d*[-/:]\d|[A-Z]\b|[A-Za-z]\d|[)\]]\s")


def counted(text: str) -> tuple[str, ...]:
    """Numbers that count or measure: not those of sections, articles, standards, list entries or years.

    >>> counted("3. Section 5.2.2 of SP 800-63B (2017) allows no more than 100 attempts.")
    ('100',)
    """
    return tuple(
        match.group()
        for match in ANY_NUMBER.finditer(text)
        if not _NOT_COUNTED.search(text[max(0, match.start() - 16) : match.start()])
        and not re.fullmatch(r"(?:19|20)\d\d", match.group().strip())
        and not _NOT_COUNTED_AFTER.match(text[match.end() : match.end() + 4])
        and not (match.group()[0] in "-−–" and text[: match.start()].rstrip()[-1:].isdigit())
        and not (not text[: match.start()].strip("•- ") and re.match(r"[.)]?\s+[A-ZÀ-Ý(]", text[match.end() :]))
        and not re.search(r"\w[-–/]$", text[max(0, match.start() - 2) : match.start()])
    )


def asked_kinds(question: str) -> frozenset[str]:
    """Names of the kinds of value that the question's words ask for."""
    return frozenset(kind.name for kind in KINDS if kind.asks.search(question))


def asks_kind(word: str) -> bool:
    """Whether a single word asks for a kind of value."""
    return any(kind.asks.fullmatch(word) for kind in KINDS)


def is_firm(kind_name: str) -> bool:
    """Whether the words that ask for the kind ask for nothing else."""
    return any(kind.name == kind_name and kind.firm for kind in KINDS)


def names_column(word: str, title: str) -> bool:
    """Whether a column title stands for what the word asks: "H [m]" for head, "P2 [kW]" for power.

    >>> names_column("head", "H [m]"), names_column("head", "NPSH [m]"), names_column("Leistung", "P2 [kW]")
    (True, False, True)
    """
    symbol = re.match(r"[^\W_]+", title)
    return symbol is not None and any(symbol.group() in kind.symbols and kind.asks.fullmatch(word) for kind in KINDS)


def values_of(kind_name: str, text: str, *, about: str = "") -> tuple[str, ...]:
    """The values of one kind in the text, as printed.

    Dates count as times; percentages as money where the text, or what it is ``about``, speaks of fees or the like.
    """
    kind = next(kind for kind in KINDS if kind.name == kind_name)
    text = _one_micro(text)
    found = [match.group() for match in kind.value.finditer(text)]
    if kind_name in ("time", "period"):
        found += [match.group() for match in _DATE.finditer(text)]
    if kind_name == "money" and kind.asks.search(f"{about} {text}"):
        found += values_of("percentage", text)
    return tuple(found)


def has_unit(kind_name: str, text: str) -> bool:
    """Whether a unit of the kind stands in the text, as in a column title: ``"Q [m³/h]"``."""
    text = _one_micro(text)
    return any(kind.name == kind_name and kind.units.search(text) for kind in KINDS)


def unit_in_title(title: str) -> str:
    """The unit printed at the end of a column or row title, in brackets or after a comma; empty when there is none.

    >>> unit_in_title("NPSH [m]"), unit_in_title("Q (m³/h)"), unit_in_title("Domestic")
    ('m', 'm³/h', '')
    """
    match = re.search(r"[\[(]\s*([^\s\[\]()]{1,8})\s*[\])]\s*$|,\s*([^\s,]{1,6})$", title.strip())
    unit = (match.group(1) or match.group(2)) if match else ""
    return unit if unit and any(kind.units.fullmatch(_one_micro(unit)) for kind in KINDS) else ""


def _one_micro(text: str) -> str:
    """The text with the Greek letter for micro as the micro sign; as long as before."""
    return text.replace("μ", "µ")
