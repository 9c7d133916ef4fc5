"""Kinds of answers: what a question asks for, and whether a text holds a value of that kind. Shallow on purpose:
the gate decides what a value means, this only steers the choice of sentences."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

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
_SPELLED = (  # "ten minste" is Dutch for "at least".
    rf"\b(?!ten (?:minste|hoogste|aanzien|behoeve|gevolge|laste|gunste|opzichte|einde|eerste|tweede|derde|dele|"
    rf"tijde|name)\b)"
    rf"(?:{'|'.join(_NUMBER_WORDS.split())})\b"
)


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
    _kind("efficiency", r"efficiency rendement \w*wirkungsgrad", r"%", symbols="Eff eff Eta eta η Rend Wirk"),
    _kind(
        "voltage", r"volt\w* \w*spanning \w*spannung tension vceo vcbo vdss?", r"[mkµ]?V(?:AC|DC|ac|dc)?", symbols="U V"
    ),
    _kind("current", r"current amp\w* \w*stroom \w*strom courant intensité", r"[mkµn]?A(?:AC|DC)?", symbols="I"),
    _kind("power", r"power \w*vermogen \w*leistung puissance watt\w* kw", r"[mkM]?W hp PS k?VA", symbols="P P1 P2"),
    _kind(
        "temperature",
        r"\w*temp[eé]rat\w* \w*grad degrees? graden degrés how_(?:hot|cold|warm)",
        r"°\s?[CF] ℃ K",
        symbols="T t Ta Tj",
    ),
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
        r"speed \w*snelheid \w*toerental \w*geschwindigkeit \w*drehzahl vitesse rpm toeren "
        r"umdrehungen how_fast hoe_snel",
        r"m/s km/h rpm min-1 1/min min⁻¹ r/min tr/min U/min",
        symbols="n",
        firm=False,
    ),
    _kind(
        "height",
        r"height \w*hoogte höhe hauteur",
        r"[µmck]?m inch(?:es)? ft met(?:er|re)s? mètres?",
        symbols="H h",
        firm=False,  # "die Höhe der Gebühr" is an amount
    ),
    _kind(
        "length",
        r"length width diameter distance lengte breedte afstand länge breite abstand durchmesser "
        r"longueur largeur diamètre thickness dikte dicke épaisseur how_(?:deep|wide|tall|far) hoe_(?:breed|diep|dik) "
        r"wie_(?:breit|tief|dick)",
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
        r"fines? fees? amounts? costs? prices? penalt\w+ charges? expensive cheap\w* costl\w+ duur(?:der|ste?)? "
        r"goedkoop\w* teuer\w* billig\w* (?:moins|plus)_cher\w* pay_for owes? owed \w*boete\w* bedrag\w* "
        r"kosten? kost prijs "
        r"vergoeding\w* tarie\w+ betrag kosten preise? \w*gebühr\w* \w*entgelt\w* geldbuße bußgeld\w* kostet "
        r"montant coûts? "
        r"coûten?t? prix frais amendes? commissions? daily_limit \w*limiet \w*limit plafond interchange",
        r"EUR USD GBP CHF € \$ £ euros? dollars? cents? basis\spoints bps",
        before=r"EUR|USD|GBP|CHF|€|US\$|\$|£",
    ),
    _kind(
        "time",
        r"how_(?:long|soon|quickly|fast) when hoe_?(?:lang|snel) wanneer wie_(?:lange|schnell) "
        r"wann quand",
        _TIMES,
        spelled=True,
        firm=False,
    ),
    AnswerKind(
        "repetition",
        re.compile(r"\b(?:how (?:often|many times)|hoe ?vaak|hoeveel keer|wie ?oft|combien de fois)\b", re.IGNORECASE),
        re.compile(r"\b(?:times|keer|maal|mal|fois)\b"),
        re.compile(
            rf"(?:{_NUMBER}|{_SPELLED})\s?(?:times|keer|maal|mal|fois|(?:[\w/-]+\s)?(?:cycles?|cycli|zyklen|schaltspiele|"
            rf"operations|schakelingen))\b|\b(?:once|twice|annual(?:ly)?|yearly|"
            rf"monthly|weekly|"
            r"daily|quarterly|every|per (?:day|week|month|year)|(?:een|twee|drie)maal|(?:jaar|maande|weke|"
            r"dage)lijks\w*|"
            r"elke|iedere|per (?:dag|week|maand|jaar)|(?:ein|zwei|drei)mal|(?:jähr|monat|wöchent|täg)lich\w*|"
            r"alle (?:\d+|zwei|drei|vier|fünf|sechs|zehn)|jede[nrs]?|pro (?:tag|woche|monat|jahr)|une fois|chaque|"
            r"tou(?:te)?s les|annuel\w*|mensuel\w*|par (?:jour|mois|an))\b",
            re.IGNORECASE,
        ),
        frozenset(),
        firm=False,
    ),
    AnswerKind(
        "year",
        re.compile(
            r"\b(?:(?:which|what) years?|year of (?:issue|publication)|welke? ja(?:ar|ren)|jaar van uitgave|"
            r"welche[mns]? jahre?n?|(?:en )?quelles? années?)\b",
            re.IGNORECASE,
        ),
        re.compile(r"\b(?:19|20)\d\d\b"),
        re.compile(r"(?<![\d.,-])(?:19|20)\d\d(?!\d|[.,-]\d)"),
        frozenset(),
        firm=False,
    ),
    _kind(
        "period",
        r"periods? deadlines? term time(?:_|-)?outs? durations? within idle days? hours? minutes? months? years? "
        r"weeks? retention \w*termijn\w* binnen dagen uur uren maanden jaar jaren weken wie_viel_zeit \w*frist\w* "
        r"innerhalb dauer tagen? "
        r"stunden? monaten? jahren? combien_de_temps délais? durée jours? heures? mois ans années cryptoperiods? "
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


@dataclass(frozen=True, slots=True)
class Given:
    """A value that the question itself brings, as a condition: "at 1450 rpm", "bij een opvoerhoogte van 40 m"."""

    number: str
    noun: str
    """The word before it that names its kind; empty when none does."""
    kinds: frozenset[str]
    """Names of the kinds that its noun, or else its unit, allows; never empty."""
    start: int
    end: int
    """Half-open span in the question, with noun and unit."""


_GIVEN = re.compile(
    rf"(?:(?P<noun>[^\W\d_]+)\s+(?:(?:of|van|von|"
    rf"de)\s+)?)?(?<![^\W\d_][-/])(?P<number>{_NUMBER})(?:\s?(?P<unit>[^\s?,;:()\d]\S*))?"
)


_ASKING_VERB = re.compile(
    r"weighs?|costs?|we(?:egt|gen)|wieg(?:t|en)|kost(?:en|et)?|pès(?:e|ent)|coûte(?:nt)?", re.IGNORECASE
)


def given_values(question: str) -> tuple[Given, ...]:
    """The values of a known kind that a question brings.

    >>> [(g.number, g.noun, sorted(g.kinds)) for g in given_values("Q of the CRN 45-2 at a head of 40 m and 2900 rpm?")]
    [('40', 'head', ['head']), ('2900', '', ['speed'])]
    """
    found: list[Given] = []
    for match in _GIVEN.finditer(_one_micro(question)):
        noun, unit = match["noun"] or "", (match["unit"] or "").rstrip(".!?")
        if _ASKING_VERB.fullmatch(unit):
            unit = ""  # "what does number 1234 weigh" asks for it
        named = frozenset(kind.name for kind in KINDS if noun and kind.asks.fullmatch(noun))
        measured = frozenset(
            kind.name for kind in KINDS if unit and (kind.units.fullmatch(unit) or kind.asks.fullmatch(unit))
        )
        if named and measured and not named & measured:
            named = frozenset[str]()  # the noun belongs to something else
        if named or measured:
            start = match.start() if named else match.start("number")
            end = match.end() if measured else match.end("number")
            found.append(Given(match["number"], noun if named else "", named or measured, start, end))
    return tuple(found)


def is_column_of(given: Given, title: str, unit: str = "") -> bool:
    """Whether a column holds values of the given value's kind, by its title or the unit of its cells."""
    if given.noun and names_column(given.noun, title):
        return True
    symbols = [title, *([unit] if unit else [])]
    return any(kind.name in given.kinds and any(map(kind.units.search, symbols)) for kind in KINDS)


def asks_kind(word: str) -> bool:
    """Whether a single word asks for a kind of value."""
    return any(kind.asks.fullmatch(word) for kind in KINDS)


@lru_cache(maxsize=20_000)
def kinds_in(text: str) -> frozenset[str]:
    """Names of the kinds of which the text holds a value."""
    return frozenset(kind.name for kind in KINDS if values_of(kind.name, text))


def counts(text: str) -> tuple[str, ...]:
    """Numbers that count: as `counted`, without those that a unit makes a quantity of something.

    >>> counts("Time-out: 12 s; at most 3 attempts, € 5 each")
    ('3',)
    """
    spent = [match.span() for kind in KINDS for match in kind.value.finditer(_one_micro(text))]
    bare = "".join(" " if any(a <= k < b for a, b in spent) else c for k, c in enumerate(text))
    return counted(bare)


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


_TIME_UNITS = (
    (r"sec\w*|seconde\w*|sekunde\w*|s", 1),
    (r"min\w*", 60),
    (r"h|hours?|hrs?|uur|uren|stunden?|heures?", 3600),
    (r"\w*days?|\w*dag(?:en)?|\w*tage?n?|jours?", 86_400),
    (r"we[e]?k(?:en)?|weeks?|wochen?|semaines?", 604_800),
    (r"maand(?:en)?|months?|monate?n?|mois", 2_592_000),
    (r"jaar|jaren|years?|jahre?n?|ans?|années?", 31_536_000),
)
_SECONDS = tuple((re.compile(rf"(?<![^\W\d_])(?:{words})\b", re.IGNORECASE), seconds) for words, seconds in _TIME_UNITS)


def seconds_of_unit(text: str) -> int:
    """How long the unit of time is that a text names first; 0 when it names none.

    >>> seconds_of_unit("how many days"), seconds_of_unit("12 s"), seconds_of_unit("attempts")
    (86400, 1, 0)
    """
    found = [(match.start(), seconds) for unit, seconds in _SECONDS if (match := unit.search(text))]
    return min(found)[1] if found else 0


def is_of_like_size(value: str, asked_s: int) -> bool:
    """Whether a time may be said in the unit that was asked for: hours or a month for days, never seconds or years, nor
    a time of the day."""
    own = seconds_of_unit(value)
    return not asked_s or (own > 0 and 1 / 60 < own / asked_s < 60)


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
