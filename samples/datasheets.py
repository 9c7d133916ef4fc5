"""Datasheets of a made-up pump maker: CRN 32-3 (two revisions, and Dutch) and CRN 45-2.

The figures obey the affinity laws (flow as the speed, head as its square, power as its cube, rounded), so that they look
right; no such pump exists. Revision 2 of the CRN 32-3 differs from revision 3 in one quantity: the NPSH at 2900 rpm.
"""

# ruff: noqa: E501 (printed sentences and table rows stay on one line)
from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

from reportlab.graphics.shapes import Drawing, Group, Line, PolyLine, Rect, String
from reportlab.lib.colors import HexColor, black, white
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import BaseDocTemplate, Flowable, Frame, PageBreak, PageTemplate, Paragraph
from typeset import BODY, CAPTION, GREY, SMALL, Story, finish, table

MAKER = "Aldervane Pumps"
BLUE, ORANGE = HexColor("#1b3f73"), HexColor("#d2691e")
H = ParagraphStyle(
    "h", parent=BODY, fontName="Vera-Bold", fontSize=10.5, leading=14, spaceBefore=7, spaceAfter=3, textColor=BLUE
)

Point = tuple[float, float, float | None, float, float | None]
"""Flow [m³/h], head [m], NPSH [m], shaft power P2 [kW], efficiency [%]; None where the sheet prints a dash."""


@dataclass(frozen=True)
class Pump:
    model: str
    stages: int
    revision: int
    day: date
    supersedes: str
    at_1450: tuple[Point, ...]
    at_2900: tuple[Point, ...]
    rated: int
    """Index, in both lists, of the rated point."""
    impeller_mm: int
    weight_kg: float
    article: str
    seal: str
    connection: str
    pressure_bar: int
    top_m: float
    """Upper end of the head axis of the figure."""
    top_m3h: float


def _crn32(revision: int) -> Pump:
    npsh = (1.9, 2.8, 3.9, 5.6) if revision >= 3 else (1.9, 2.8, 4.2, 5.6)
    return Pump(
        model="CRN 32-3",
        stages=3,
        revision=revision,
        day=date(2025, 9, 15) if revision >= 3 else date(2021, 4, 6),
        supersedes=f"replaces revision {revision - 1}",
        at_1450=(
            (0, 45.4, None, 1.05, None),
            (8, 43.4, 0.8, 1.58, 60),
            (12, 40.9, 1.0, 1.90, 70),
            (16, 37.2, 1.4, 2.20, 74),
            (20, 30.8, 2.0, 2.40, 70),
        ),
        at_2900=(
            (0, 181.6, None, 8.4, None),
            (16, 173.6, npsh[0], 12.4, 61),
            (24, 163.6, npsh[1], 15.0, 71),
            (32, 148.8, npsh[2], 17.3, 75),
            (40, 123.2, npsh[3], 18.9, 71),
        ),
        rated=3,
        impeller_mm=210,
        weight_kg=118.5,
        article="AV-320310",
        seal="HQQE",
        connection="DN 65",
        pressure_bar=25,
        top_m=200,
        top_m3h=45,
    )


CRN_45 = Pump(
    model="CRN 45-2",
    stages=2,
    revision=1,
    day=date(2025, 2, 3),
    supersedes="first edition",
    at_1450=(
        (0, 31.6, None, 1.12, None),
        (11, 30.4, 1.0, 1.66, 55),
        (17, 28.7, 1.3, 1.93, 69),
        (22.5, 26.1, 1.8, 2.13, 75),
        (28, 21.4, 2.7, 2.30, 71),
    ),
    at_2900=(
        (0, 126.4, None, 8.9, None),
        (22, 121.6, 2.4, 13.0, 56),
        (34, 114.8, 3.4, 15.2, 70),
        (45, 104.4, 5.1, 16.8, 76),
        (56, 85.6, 7.2, 18.1, 72),
    ),
    rated=3,
    impeller_mm=214,
    weight_kg=126.0,
    article="AV-450210",
    seal="HQQV",
    connection="DN 80",
    pressure_bar=16,
    top_m=140,
    top_m3h=65,
)


# ---------------------------------------------------------------- words


@dataclass(frozen=True)
class Words:
    language: str
    kind: str
    revision: str
    months: tuple[str, ...]
    use: str
    text: tuple[str, ...]
    rated: str
    performance: str
    figure: str
    head: tuple[str, ...]
    measured: str
    reserve: str
    technical: str
    properties: tuple[str, ...]
    property: str
    value: str
    materials: str
    parts: tuple[tuple[str, str, str], ...]
    parts_head: tuple[str, str, str]
    remarks: str
    sample: str
    page: str


EN = Words(
    language="en",
    kind="Data sheet",
    revision="Revision",
    months=(
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ),
    use="Vertical multistage centrifugal pump",
    text=(
        "For clean, thin liquids without solids: drinking water, boiler feed water, cooling water, mild acids and lyes. "
        "All parts in contact with the liquid are of stainless steel.",
    ),
    rated="1 Rated duty point",
    performance="2 Performance",
    figure="Figure 1 Head over flow. Water, 20 °C, density 1000 kg/m³.",
    head=("n [rpm]", "Q [m³/h]", "H [m]", "NPSH [m]", "P2 [kW]", "Eff. [%]"),
    measured="¹) Required NPSH with water at 20 °C and the {mm} mm impeller. Add a reserve of 0.5 m.",
    reserve="*) At 1450 rpm with a four-pole motor; continuous operation below 8 m³/h is not allowed.",
    technical="3 Technical data",
    property="Property",
    value="Value",
    properties=(
        "Number of stages",
        "Impeller diameter",
        "Article number",
        "Largest operating pressure",
        "Liquid temperature",
        "Ambient temperature",
        "Connection",
        "Shaft seal",
        "Weight with motor",
        "Motor",
        "Sound pressure level",
        "Insulation resistance, cold",
    ),
    materials="4 Materials",
    parts_head=("Part", "Material", "EN number"),
    parts=(
        ("Pump head", "Stainless steel", "1.4408"),
        ("Impeller", "Stainless steel", "1.4401"),
        ("Shaft", "Stainless steel", "1.4462"),
        ("Seal faces", "Silicon carbide / silicon carbide", "–"),
        ("O-rings", "", "–"),
    ),
    remarks="5 Approvals and limits of use",
    sample="Made-up maker and pump: sample data for Pincite, CC0.",
    page="Page",
)

NL = Words(
    language="nl",
    kind="Gegevensblad",
    revision="Revisie",
    months=(
        "januari",
        "februari",
        "maart",
        "april",
        "mei",
        "juni",
        "juli",
        "augustus",
        "september",
        "oktober",
        "november",
        "december",
    ),
    use="Verticale meertraps centrifugaalpomp",
    text=(
        "Voor schone, dunne vloeistoffen zonder vaste delen: drinkwater, ketelvoedingswater, koelwater, zwakke zuren en "
        "logen. Alle delen die met de vloeistof in aanraking komen zijn van roestvast staal.",
    ),
    rated="1 Nominaal werkpunt",
    performance="2 Prestaties",
    figure="Figuur 1 Opvoerhoogte tegen debiet. Water, 20 °C, dichtheid 1000 kg/m³.",
    head=("n [rpm]", "Q [m³/h]", "H [m]", "NPSH [m]", "P2 [kW]", "Rend. [%]"),
    measured="¹) Vereiste NPSH met water van 20 °C en de waaier van {mm} mm. Tel er een reserve van 0,5 m bij op.",
    reserve="*) Bij 1450 rpm met een vierpolige motor; continu bedrijf onder 8 m³/h is niet toegestaan.",
    technical="3 Technische gegevens",
    property="Eigenschap",
    value="Waarde",
    properties=(
        "Aantal trappen",
        "Waaierdiameter",
        "Artikelnummer",
        "Hoogste bedrijfsdruk",
        "Vloeistoftemperatuur",
        "Omgevingstemperatuur",
        "Aansluiting",
        "Asafdichting",
        "Gewicht met motor",
        "Motor",
        "Geluidsdrukniveau",
        "Isolatieweerstand, koud",
    ),
    materials="4 Materialen",
    parts_head=("Onderdeel", "Materiaal", "EN-nummer"),
    parts=(
        ("Pompkop", "Roestvast staal", "1.4408"),
        ("Waaier", "Roestvast staal", "1.4401"),
        ("As", "Roestvast staal", "1.4462"),
        ("Loopvlakken", "Siliciumcarbide / siliciumcarbide", "–"),
        ("O-ringen", "", "–"),
    ),
    remarks="5 Keuringen en gebruiksgrenzen",
    sample="Verzonnen maker en pomp: voorbeeldgegevens voor Pincite, CC0.",
    page="Blad",
)

RINGS = {"HQQE": "EPDM", "HQQV": "FKM"}


def _remarks(pump: Pump, words: Words) -> tuple[str, ...]:
    if pump.model == "CRN 45-2":
        return (
            "Declaration of conformity to the Machinery Directive 2006/42/EC. Performance tested to ISO 9906:2012, grade 3B.",
            "On order the CRN 45-2 is delivered with an inspection certificate 3.1 to EN 10204.",
            "Not suitable for hydrocarbons. With seal HQQV not suitable for hot water above +90 °C.",
        )
    if words.language == "nl":
        return (
            "Verklaring van overeenstemming met de Machinerichtlijn 2006/42/EG. Prestaties beproefd volgens ISO 9906:2012, klasse 3B.",
            "De CRN 32-3 is niet bestemd voor gebruik in ATEX-zones.",
            "Zonder inspectiecertificaat; een fabrieksverklaring 2.2 volgens EN 10204 is op aanvraag verkrijgbaar.",
        )
    return (
        "Declaration of conformity to the Machinery Directive 2006/42/EC. Performance tested to ISO 9906:2012, grade 3B.",
        "The CRN 32-3 is not for use in ATEX zones.",
        "Without inspection certificate; a test report 2.2 to EN 10204 can be had on request.",
    )


# ---------------------------------------------------------------- the sheet


def sheet(pump: Pump, words: Words) -> bytes:
    """The PDF of one data sheet, two pages."""
    stream = io.BytesIO()
    width, height = A4
    document = BaseDocTemplate(
        stream,
        pagesize=A4,
        title=f"{pump.model} {words.kind.lower()}",
        author=MAKER,
        subject=f"{words.revision} {pump.revision}, {_day(pump, words)}",
        keywords=f"{pump.model}, {words.revision.lower()} {pump.revision}",
        creator="samples/make.py",
    )
    frame = Frame(20 * mm, 20 * mm, width - 40 * mm, height - 56 * mm, 0, 0, 0, 0)
    document.addPageTemplates(
        [PageTemplate("sheet", [frame], lambda canvas, doc: _furniture(canvas, doc.page, pump, words))]
    )
    document.build(_story(pump, words))
    return finish(stream.getvalue(), language=words.language, day=pump.day)


def _day(pump: Pump, words: Words) -> str:
    return f"{pump.day.day} {words.months[pump.day.month - 1]} {pump.day.year}"


def _furniture(canvas: Canvas, page: int, pump: Pump, words: Words) -> None:
    width, height = A4
    canvas.saveState()
    canvas.setFillColor(BLUE)
    canvas.rect(0, height - 24 * mm, width, 24 * mm, fill=1, stroke=0)
    canvas.setFillColor(ORANGE)
    canvas.rect(0, height - 25.2 * mm, width, 1.2 * mm, fill=1, stroke=0)
    canvas.setFillColor(white)
    canvas.setFont("Vera-Bold", 16)
    canvas.drawString(20 * mm, height - 14 * mm, pump.model)
    canvas.setFont("Vera", 8)
    canvas.drawString(20 * mm, height - 19.5 * mm, words.use)
    canvas.setFont("Vera-Bold", 10)
    canvas.drawRightString(width - 20 * mm, height - 14 * mm, MAKER)
    canvas.setFont("Vera", 8)
    canvas.drawRightString(width - 20 * mm, height - 19.5 * mm, words.kind)
    canvas.setFillColor(GREY)
    canvas.setFont("Vera", 7)
    canvas.drawString(
        20 * mm, 11 * mm, f"{pump.model} · {words.revision} {pump.revision} · {_day(pump, words)} · {words.sample}"
    )
    canvas.drawRightString(width - 20 * mm, 11 * mm, f"{words.page} {page} / 2")
    canvas.restoreState()


def _story(pump: Pump, words: Words) -> Story:
    def say(value: float | None, digits: int = 0) -> str:
        if value is None:
            return "–"
        text = f"{value:.{digits}f}"
        return text.replace(".", ",") if words.language == "nl" else text

    def row(speed: str, point: Point, digits: int, mark: str = "") -> tuple[str, ...]:
        flow, head, npsh, power, efficiency = point
        flow_digits = 0 if flow == int(flow) else 1
        return (speed, say(flow, flow_digits), say(head, 1), say(npsh, 1) + mark, say(power, digits), say(efficiency))

    n = len(pump.at_1450)
    rows = [
        words.head,
        *(row("1450*)" if i == 0 else "", point, 2) for i, point in enumerate(pump.at_1450)),
        *(row("2900" if i == 0 else "", point, 1) for i, point in enumerate(pump.at_2900)),
    ]
    measured = words.measured.format(mm=pump.impeller_mm)
    reserve = words.reserve.replace("8 m³/h", "11 m³/h") if pump.model == "CRN 45-2" else words.reserve
    widths = (28, 28, 28, 28, 29, 29)
    seal = f"{pump.seal}, {RINGS[pump.seal]}"
    values = (
        str(pump.stages),
        f"{pump.impeller_mm} mm",
        pump.article,
        f"{pump.pressure_bar} bar",
        "−20 °C … +120 °C" if pump.seal == "HQQE" else "−15 °C … +90 °C",
        "≤ 40 °C",
        f"{pump.connection}, PN {pump.pressure_bar}",
        seal,
        f"{say(pump.weight_kg, 1)} kg ± 3 %",
        "22 kW, IE3, 3 × 400 V, 50 Hz",
        f"≤ {say(71)} dB(A)",
        "≥ 20 MΩ",
    )
    parts = [(part, material or pump_ring(pump), number) for part, material, number in words.parts]
    replaced = {
        "replaces revision 2": {"en": "replaces revision 2", "nl": "vervangt revisie 2"},
        "replaces revision 1": {"en": "replaces revision 1"},
        "first edition": {"en": "first edition"},
    }[pump.supersedes][words.language]
    return [
        Paragraph(f"{words.revision} {pump.revision} · {_day(pump, words)} · {replaced}", SMALL),
        *(Paragraph(text, BODY) for text in words.text),
        Paragraph(words.rated, H),
        *table(
            "",
            [
                words.head,
                row("1450", pump.at_1450[pump.rated], 2, "¹)"),
                row("2900", pump.at_2900[pump.rated], 1, "¹)"),
            ],
            widths,
            right=(1, 2, 3, 4, 5),
            notes=(measured,),
        ),
        Paragraph(words.performance, H),
        *table("", rows, widths, spans=((0, 1, 0, n), (0, n + 1, 0, 2 * n)), right=(1, 2, 3, 4, 5), notes=(reserve,)),
        _figure(pump, words),
        Paragraph(words.figure, CAPTION),
        PageBreak(),
        Paragraph(words.technical, H),
        *table("", [(words.property, words.value), *zip(words.properties, values, strict=True)], (80, 90)),
        Paragraph(words.materials, H),
        *table("", [words.parts_head, *parts], (60, 70, 40), rules="three"),
        Paragraph(words.remarks, H),
        *(Paragraph(text, BODY) for text in _remarks(pump, words)),
    ]


def pump_ring(pump: Pump) -> str:
    return RINGS[pump.seal]


def _figure(pump: Pump, words: Words) -> Flowable:
    """Head over flow at both speeds, drawn as lines with named axes and ticks."""
    wide, tall, left, low = 165 * mm, 58 * mm, 15 * mm, 11 * mm
    plot_wide, plot_tall = wide - left - 8 * mm, tall - low - 7 * mm
    drawing = Drawing(wide, tall)
    marks = Group()
    text = {"fontName": "Vera", "fontSize": 6.5, "fillColor": black}

    def place(flow: float, head: float) -> tuple[float, float]:
        return left + flow / pump.top_m3h * plot_wide, low + head / pump.top_m * plot_tall

    marks.add(Rect(left, low, plot_wide, plot_tall, strokeColor=black, strokeWidth=0.7, fillColor=None))
    step = 5
    for flow in range(0, int(pump.top_m3h) + 1, step):
        x, y = place(flow, 0)
        marks.add(Line(x, y, x, y + plot_tall, strokeColor=HexColor("#c9ced6"), strokeWidth=0.3))
        marks.add(String(x, y - 9, str(flow), textAnchor="middle", **text))
    for head in range(0, int(pump.top_m) + 1, 20 if pump.top_m < 160 else 40):
        x, y = place(0, head)
        marks.add(Line(x, y, x + plot_wide, y, strokeColor=HexColor("#c9ced6"), strokeWidth=0.3))
        marks.add(String(x - 4, y - 2.3, str(head), textAnchor="end", **text))
    marks.add(String(left + plot_wide / 2, 1, "Q [m³/h]", textAnchor="middle", **text))
    marks.add(String(left - 6 * mm, low + plot_tall + 5, "H [m]", textAnchor="start", **text))
    for speed, points, colour in (("2900 rpm", pump.at_2900, BLUE), ("1450 rpm", pump.at_1450, ORANGE)):
        curve = [place(flow, head) for flow, head in _smooth([(point[0], point[1]) for point in points])]
        marks.add(PolyLine([c for xy in curve for c in xy], strokeColor=colour, strokeWidth=1.6))
        x, y = curve[-1]
        marks.add(String(x + 4, y - 2, speed, textAnchor="start", fontName="Vera-Bold", fontSize=6.5, fillColor=colour))
    drawing.add(marks)
    drawing.hAlign = "LEFT"
    return drawing


def _smooth(points: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Points of a curve through the given ones (Catmull-Rom), eight to a piece."""
    padded = [points[0], *points, points[-1]]
    curve: list[tuple[float, float]] = []
    for a, b, c, d in zip(padded, padded[1:], padded[2:], padded[3:], strict=False):
        for i in range(8):
            t = i / 8
            x, y = (
                0.5 * (2 * q + (r - o) * t + (2 * o - 5 * q + 4 * r - s) * t**2 + (3 * q - o - 3 * r + s) * t**3)
                for o, q, r, s in zip(a, b, c, d, strict=True)
            )
            curve.append((x, y))
    return [*curve, points[-1]]


DOCUMENTS: dict[str, Callable[[], bytes]] = {
    "CRN-32-3-rev2.pdf": lambda: sheet(_crn32(2), EN),
    "CRN-32-3-rev3.pdf": lambda: sheet(_crn32(3), EN),
    "CRN 32-3 [rev 3] (NL).pdf": lambda: sheet(_crn32(3), NL),
    "CRN-45-2-rev1.pdf": lambda: sheet(CRN_45, EN),
}
