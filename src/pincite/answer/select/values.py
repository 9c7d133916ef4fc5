"""Kinds of answers: what a question asks for, and whether a text holds a value of that kind. Shallow on purpose:
the gate decides what a value means, this only steers the choice of sentences."""

from __future__ import annotations

import re
from dataclasses import dataclass

_NUMBER = r"(?<![\w.,])[-−–+±]?\d[\d.,]*(?:\s\d{3}(?!\d))*"
_SCALE = (
    r"(?:\s?(?:million|mln|mio|miljoen|millionen|millions?|billion|bn|miljard|milliarden?|milliards?|thousand|k)\b)?"
)
_NUMBER_WORDS = (
    "two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty sixty ninety hundred "
    "twee drie vier vijf zes zeven acht negen tien twaalf twintig dertig zestig negentig honderd "
    "zwei drei vier fünf sechs sieben acht neun zehn zwölf zwanzig dreißig sechzig neunzig hundert "
    "deux trois quatre cinq six sept huit dix douze quinze vingt trente soixante cent"
).split()
_SPELLED = rf"\b(?:{'|'.join(dict.fromkeys(_NUMBER_WORDS))})\b"


@dataclass(frozen=True, slots=True)
class AnswerKind:
    """A kind of value: words that ask for it, units that show it."""

    name: str
    asks: re.Pattern[str]
    units: re.Pattern[str]
    """Matches a unit alone: in a header, in a cell beside the number."""
    value: re.Pattern[str]
    """Matches a number together with its unit."""


def _kind(name: str, asks: str, units: str, *, spelled: bool = False, before: str = "") -> AnswerKind:
    unit = rf"(?:{units})(?![\w/²³])"
    number = rf"(?:{_NUMBER}|{_SPELLED})" if spelled else _NUMBER
    value = rf"{number}{_SCALE}\s?[-‐]?{unit}" + (rf"|(?:{before})\s?{_NUMBER}" if before else "")
    return AnswerKind(
        name,
        re.compile(rf"\b(?:{asks})\b", re.IGNORECASE),
        re.compile(rf"(?<![\w/]){unit}"),
        re.compile(value, re.IGNORECASE if spelled or before else 0),
    )


KINDS = (
    _kind(
        "pressure",
        r"press\w*|pression\w*|druk\w*|\w*drücke?|druck\w*|bar|\w+druk",
        r"m?bar|bar\(?[ag]?\)?|[kMmh]?Pa|psi|mWS|mmHg",
    ),
    _kind("head", r"head|npsh\w*|opvoerhoogte|förderhöhe|hauteur manométrique", r"m|ft|mWS"),
    _kind(
        "flow",
        r"flow|capacity|debiet|capaciteit|volumenstrom|förder(?:menge|strom)|débit",
        r"m[³3]/h|l/s|l/min|l/h|m[³3]/s|gpm",
    ),
    _kind("voltage", r"volt\w*|\w*spanning|\w*spannung|tension|vceo|vcbo|vdss?", r"[mkµ]?V(?:AC|DC|ac|dc)?"),
    _kind("current", r"current|amp\w*|\w*stroom|\w*strom|courant|intensité", r"[mkµn]?A(?:AC|DC)?"),
    _kind("power", r"power|vermogen|leistung|puissance|watt\w*|wattage|kw", r"[mkM]?W|hp|PS|k?VA"),
    _kind("temperature", r"temp\w*|how (?:hot|cold|warm)", r"°\s?[CF]|℃|K"),
    _kind("resistance", r"\w*resistance|weerstand|\w*widerstand|résistance", r"[mkM]?(?:Ω|Ω|[oO]hms?)"),
    _kind("frequency", r"frequen\w*|fréquence\w*", r"[kMG]?Hz"),
    _kind(
        "mass",
        r"weigh\w*|mass|gewicht|masse|poids|how heavy|hoe zwaar|wie schwer|weegt|wiegt|pèse",
        r"[kmµ]?g|t|tonnes?|lbs?",
    ),
    _kind(
        "speed",
        r"speed|snelheid|\w*snelheid|toerental|\w*geschwindigkeit|drehzahl|vitesse|rpm|how fast|hoe snel",
        r"m/s|km/h|rpm|min-1|1/min|min⁻¹|r/min|tr/min|U/min",
    ),
    _kind(
        "length",
        r"length|width|height|diameter|distance|lengte|breedte|\w*hoogte|afstand|länge|breite|höhe|abstand|durchmesser|longueur|largeur|hauteur|diamètre|thickness|dikte|dicke|épaisseur|how (?:deep|wide|tall|far)",
        r"[µmck]?m|inch(?:es)?|ft|meters?|metres?|mètres?",
    ),
    _kind("volume", r"volumes?|inhoud|fassungsvermögen|liters?|litres?", r"m?[lL]|liters?|litres?|m[³3]"),
    _kind(
        "concentration",
        r"concentrati\w*|konzentration\w*|gehalte?|limit value|grenswaarde|grenzwert\w*|maximale waarde|maximum value|norm|parameterwaarde",
        r"[µmnk]g/(?:l|L|kg|m[³3])|Bq/l|mmol/l|kve/\w+",
    ),
    _kind(
        "bits",
        r"bits?|bytes?|key (?:size|length)s?|schlüssellänge|sleutellengte|entropy|taille de clé",
        r"-?bits?|bytes?|octets?|[kMG]i?B",
    ),
    _kind(
        "percentage",
        r"percent\w*|per cent|share|rate|procent\w*|prozent\w*|pourcent\w*|taux|aandeel|anteil|hoeveel procent",
        r"%|percent|per cent|procent|prozent|pour cent|pct",
        spelled=True,
    ),
    _kind(
        "money",
        r"fines?|fees?|amounts?|costs?|prices?|penalt\w+|charges?|expensive|pay for|\w*boete\w*|bedrag\w*|kost(?:en)?|prijs|vergoeding|tarief|tarieven|betrag|kosten|preis|gebühr\w*|entgelt\w*|geldbuße|bußgeld\w*|montant|coûts?|coûte|prix|frais|amende\w*|commission|limit(?:et)?|interchange",
        r"EUR|USD|GBP|CHF|€|\$|£|euros?|dollars?|cents?|%|basis points|bps",
        before=r"EUR|USD|GBP|CHF|€|US\$|\$|£",
    ),
    _kind(
        "time",
        r"how (?:long|often|soon|quickly|fast)|when|period\w*|deadline|term|time ?outs?|duration|within|idle|days?|hours?|minutes?|months?|years?|weeks?|retention|hoe ?(?:lang|vaak|snel)|\w*termijn\w*|wanneer|binnen|dagen|uur|uren|maanden|jaar|jaren|weken|wie (?:lange|oft|schnell)|wann|\w*frist\w*|innerhalb|dauer|tage|stunden|monate|jahre|combien de temps|quand|délai\w*|durée|jours?|heures?|mois|ans|années",
        r"-?(?:seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|weeks?|months?|years?|seconden?|minuten|minuut|uur|uren|dag(?:en)?|we[e]?k(?:en)?|maand(?:en)?|jaar|jaren|sekunden?|stunden?|tag(?:en?)?|wochen?|monat(?:en?)?|jahr(?:en?)?|secondes?|heures?|jours?|semaines?|mois|ans?|années?|m?s|h|min)|(?:business|working|calendar|consecutive|werk|kalender)[- ]?(?:days?|dagen)",
        spelled=True,
    ),
)
"""Words that ask in the four languages, units that answer. Kept to the units that rulebooks, laws and datasheets print."""

ANY_NUMBER = re.compile(rf"{_NUMBER}|{_SPELLED}", re.IGNORECASE)
DATE = re.compile(
    r"\b\d{1,2}[./-]\d{1,2}[./-]\d{4}\b|\b\d{4}-\d\d-\d\d\b|\b(?:\d{1,2}\.?\s+)?(?:jan|feb|mar|maa|mär|apr|may|mei|mai|jun|juin|"
    r"jul|juil|aug|août|sep|oct|okt|nov|dec|dez|déc)\w*\.?,?\s+(?:\d{1,2},\s*)?\d{4}\b|\b\d{1,2}:\d\d\b",
    re.IGNORECASE,
)
MODAL = re.compile(
    r"\b(?:may|must|shall|should|cannot|can|not|only|permitted|prohibited|forbidden|allowed|required|suitable|mag|mogen|moet|"
    r"moeten|niet|verboden|toegestaan|verplicht|alleen|darf|dürfen|nicht|zulässig|verboten|muss|müssen|nur|peut|peuvent|doit|"
    r"doivent|interdit|autorisé|ne|pas|seulement|kan|kunnen|kann|können)\b",
    re.IGNORECASE,
)


_NOT_COUNTED = re.compile(
    r"(?:\b(?:sections?|sec\.|articles?|artikel(?:en|s)?|art\.|lid|leden|abs(?:atz|ätze)?\.?|satz|nr\.?|no\.?|annex|anlage|bijlage|appendix|chapter|"
    r"hoofdstuk|kapitel|part|pt\.|teil|deel|figure|fig\.|table|tabel|tabelle|step|rev\.?|revision|version|page|pagina|seite|publications?|pub|fips|sp|"
    r"iso|en|rfc|ir|regulation|directive|no|note|noot|rule|clause|item|l|§§?)\s?|[(\[/:]|^\W*)$",
    re.IGNORECASE,
)


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
        and not re.match(r"[.:]?\d*[-/:]\d|[A-Za-z]\d", text[match.end() : match.end() + 4])
    )


def asked_kinds(question: str) -> frozenset[str]:
    """Names of the kinds of value that the question's words ask for."""
    return frozenset(kind.name for kind in KINDS if kind.asks.search(question))


def values_of(kind_name: str, text: str) -> tuple[str, ...]:
    """The values of one kind in the text, as printed; dates count as times."""
    kind = next(kind for kind in KINDS if kind.name == kind_name)
    found = [match.group() for match in kind.value.finditer(text)]
    if kind_name == "time":
        found += [match.group() for match in DATE.finditer(text)]
    return tuple(found)


def has_unit(kind_name: str, text: str) -> bool:
    """Whether a unit of the kind stands in the text, as in a column title: ``"Q [m³/h]"``."""
    return any(kind.name == kind_name and kind.units.search(text) for kind in KINDS)


def unit_in_title(title: str) -> str:
    """The unit printed at the end of a column or row title, in brackets or after a comma; empty when there is none.

    >>> unit_in_title("NPSH [m]"), unit_in_title("Q (m³/h)"), unit_in_title("Domestic")
    ('m', 'm³/h', '')
    """
    match = re.search(r"[\[(]\s*([^\s\[\]()]{1,8})\s*[\])]\s*$|,\s*([^\s,]{1,6})$", title.strip())
    unit = (match.group(1) or match.group(2)) if match else ""
    return unit if unit and any(kind.units.fullmatch(unit) for kind in KINDS) else ""
