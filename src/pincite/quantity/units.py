"""Units, currencies and scale words: what a printed name stands for and how to convert it."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Unit:
    dimension: str
    factor: float
    """Multiplied with the number gives the base unit of the dimension."""
    offset: float = 0.0
    """Added after the factor: degrees only."""


UNITS: dict[str, Unit] = {}
"""Units by their canonical symbol."""
EXACT: dict[str, str] = {}
FOLDED: dict[str, str] = {}


def _unit(dimension: str, factor: float, names: str, offset: float = 0.0) -> None:
    """Register a unit; the first name is canonical, names of one letter and those after ``=`` keep their case."""
    exact, _, folded = names.partition(" ~ ")
    symbols = exact.split()
    UNITS[symbols[0]] = Unit(dimension, factor, offset)
    for name in symbols:
        EXACT[name] = symbols[0]
    for name in folded.split():
        FOLDED[name.casefold()] = symbols[0]


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

GLUED_ONLY = {**dict.fromkeys("th st nd rd e ste de er ème".split(), "ordinal"), "x": "x"}  # noqa: SIM905
NOT_AFTER_SPACE = frozenset({"x", "ordinal", "decade", "B", "an", "gr", "t"})
"""Names that are ordinary words or plain letters when a space stands before them."""


def by_word(table: str) -> dict[str, str]:
    """Return word → meaning of lines ``MEANING: word word``."""
    lines = (line.split(":", 1) for line in table.strip().splitlines())
    return {word: meaning.strip() for meaning, words in lines for word in words.split()}


CURRENCIES = by_word(
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


def currency_of(printed: str) -> str:
    """Return the currency that a sign, a code or words stand for ("francs suisses", "pounds sterling").

    Raises:
        KeyError: If it is none.
    """
    name = printed.strip().lower()
    if name.endswith("sterling"):
        return "GBP"
    return "CHF" if re.search(r"\bfran[ck]", name) else CURRENCIES[name]


SYMBOL_SCALES = {"k": 3, "m": 6, "mm": 6, "b": 9, "t": 12}
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
