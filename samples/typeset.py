"""How the made documents look: page furniture, numbered headings, footnotes, ruled and unruled tables.

Only fonts that come with reportlab are used (Bitstream Vera, embedded as subsets, and the standard Courier), so that
the same versions give the same bytes on every machine. Vera has no Greek but µ, Ω and π: write "efficiency", not eta.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date

import pikepdf
from reportlab import rl_config
from reportlab.lib.colors import HexColor, black, white
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import (
    BaseDocTemplate,
    CondPageBreak,
    Flowable,
    Frame,
    KeepTogether,
    NextPageTemplate,
    PageBreak,
    PageTemplate,
    Paragraph,
    Preformatted,
    Spacer,
    Table,
    TableStyle,
)
from reportlab.platypus.tableofcontents import TableOfContents

rl_config.invariant = 1

for _name, _file in (("Vera", "Vera.ttf"), ("Vera-Bold", "VeraBd.ttf"), ("Vera-Italic", "VeraIt.ttf")):
    pdfmetrics.registerFont(TTFont(_name, _file))
pdfmetrics.registerFontFamily("Vera", normal="Vera", bold="Vera-Bold", italic="Vera-Italic", boldItalic="Vera-Bold")

Story = list[Flowable]
CellText = str | int
Span = tuple[int, int, int, int]
"""First column, first row, last column, last row of a merged cell; from 0, inclusive."""

FRONT_SHEETS = 4
"""Cover, document control, contents, list of tables: labels i to iv. The body starts at label 1 on sheet 5."""

GREY, LIGHT = HexColor("#5b6470"), HexColor("#eef1f4")
BODY = ParagraphStyle("body", fontName="Vera", fontSize=8.8, leading=13, spaceAfter=6, textColor=black)
SMALL = ParagraphStyle("small", parent=BODY, fontSize=7.4, leading=9.8, spaceAfter=2)
CELL = ParagraphStyle("cell", parent=BODY, fontSize=7.7, leading=10, spaceAfter=0)
HEAD = ParagraphStyle("head", parent=CELL, fontName="Vera-Bold")
CAPTION = ParagraphStyle(
    "caption", parent=BODY, fontName="Vera-Bold", fontSize=8, leading=11, spaceBefore=5, spaceAfter=3
)
CODE = ParagraphStyle("code", parent=BODY, fontName="Courier", fontSize=8, leading=10.4, leftIndent=6, spaceAfter=8)
ITEM = ParagraphStyle(
    "item", parent=BODY, leftIndent=20, bulletIndent=2, spaceAfter=3.5, bulletFontName="Vera", bulletFontSize=8.8
)
HEADINGS = (
    ParagraphStyle("h1", parent=BODY, fontName="Vera-Bold", fontSize=14, leading=18, spaceBefore=12, spaceAfter=7),
    ParagraphStyle("h2", parent=BODY, fontName="Vera-Bold", fontSize=10.4, leading=14, spaceBefore=9, spaceAfter=4),
)


def roman(number: int) -> str:
    """The number in lower-case roman numerals, 1 to 39.

    >>> roman(4), roman(14)
    ('iv', 'xiv')
    """
    return "x" * (number // 10) + ("", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix")[number % 10]


def label(sheet: int) -> str:
    """The printed label of a sheet (from 1) of a rulebook."""
    return roman(sheet) if sheet <= FRONT_SHEETS else str(sheet - FRONT_SHEETS)


# ---------------------------------------------------------------- text


class Heading(Paragraph):
    """A numbered heading that enters the contents, the outline and the running header."""

    def __init__(self, text: str, level: int) -> None:
        super().__init__(text, HEADINGS[level])
        self.level = level
        self.title = text


def h1(text: str, *, need: float = 60) -> list[Flowable]:
    """A chapter heading; goes to the next page when less than ``need`` millimetres are left."""
    return [CondPageBreak(need * mm), Heading(text, 0)]


def h2(text: str, *, need: float = 28) -> list[Flowable]:
    return [CondPageBreak(need * mm), Heading(text, 1)]


class Note(Flowable):
    """An invisible mark where a footnote is called; the page it lands on prints the note at its foot."""

    def __init__(self, mark: str, text: str) -> None:
        super().__init__()
        self.mark, self.text = mark, text

    def wrap(self, availWidth: float, availHeight: float) -> tuple[float, float]:  # noqa: N803
        return 0, 0

    def draw(self) -> None:
        self.canv.pincite_notes.append(self)  # type: ignore[attr-defined]

    def paragraph(self) -> Paragraph:
        return Paragraph(f"<super>{self.mark}</super> {self.text}", SMALL)


def p(text: str, *notes: tuple[str, str]) -> list[Flowable]:
    """A paragraph; each note is (mark, text), and the mark is printed where the text says ``{mark}``."""
    for mark, _ in notes:
        text = text.replace("{" + mark + "}", f"<super>{mark}</super>")
    body = Paragraph(text, BODY)
    return [KeepTogether([body, *(Note(*note) for note in notes)])] if notes else [body]


def items(entries: Iterable[str], marks: Callable[[int], str] = lambda n: f"({chr(97 + n)})") -> list[Flowable]:
    """A list with printed marks: (a), (b) … unless said otherwise."""
    return [Paragraph(text, ITEM, bulletText=marks(n)) for n, text in enumerate(entries)] + [Spacer(1, 3)]


def bullets(entries: Iterable[str]) -> list[Flowable]:
    return items(entries, lambda _: "•")


def code(text: str) -> list[Flowable]:
    return [Preformatted(text, CODE)]


# ---------------------------------------------------------------- tables


def table(
    caption: str,
    rows: Sequence[Sequence[CellText]],
    widths: Sequence[float],
    *,
    head: int = 1,
    spans: Sequence[Span] = (),
    rules: str = "grid",
    right: Sequence[int] = (),
    notes: Sequence[str] = (),
    breakable: bool = False,
    pad: float = 2.6,
) -> list[Flowable]:
    """A table with its caption above and its notes below; widths in millimetres.

    ``rules`` is "grid", "three" (above the header, below it, below the last row) or "none". Only the first cell of a
    span is printed. A breakable table repeats its header on the next page.
    """
    covered = {
        (row, column)
        for c0, r0, c1, r1 in spans
        for row in range(r0, r1 + 1)
        for column in range(c0, c1 + 1)
        if (row, column) != (r0, c0)
    }
    cells = [
        [
            "" if (r, c) in covered else Paragraph(str(text), _cell_style(header=r < head, right=c in right))
            for c, text in enumerate(row)
        ]
        for r, row in enumerate(rows)
    ]
    style: list[tuple[object, ...]] = [
        ("VALIGN", (0, 0), (-1, -1), "MIDDLE"),
        ("TOPPADDING", (0, 0), (-1, -1), pad),
        ("BOTTOMPADDING", (0, 0), (-1, -1), pad + 0.6),
        ("LEFTPADDING", (0, 0), (-1, -1), 4),
        ("RIGHTPADDING", (0, 0), (-1, -1), 4),
        *(("SPAN", (c0, r0), (c1, r1)) for c0, r0, c1, r1 in spans),
    ]
    if rules == "grid":
        style += [("GRID", (0, 0), (-1, -1), 0.5, GREY), ("BACKGROUND", (0, 0), (-1, head - 1), LIGHT)]
    elif rules == "three":
        style += [
            ("LINEABOVE", (0, 0), (-1, 0), 1, black),
            ("LINEBELOW", (0, head - 1), (-1, head - 1), 0.5, black),
            ("LINEBELOW", (0, -1), (-1, -1), 1, black),
        ]
    grid = Table(cells, [w * mm for w in widths], repeatRows=head, style=TableStyle(style), hAlign="LEFT")
    title = [Caption(caption)] if caption else []
    foot = [Spacer(1, 2), *(Paragraph(note, SMALL) for note in notes)] if notes else []
    if breakable:
        return [CondPageBreak(50 * mm), *title, grid, *foot, Spacer(1, 8)]
    return [KeepTogether([*title, grid, *foot]), Spacer(1, 8)]


def _cell_style(*, header: bool, right: bool) -> ParagraphStyle:
    style = HEAD if header else CELL
    return ParagraphStyle("right", parent=style, alignment=1 if header else 2) if right else style


class Caption(Paragraph):
    """A table's caption; enters the list of tables."""

    def __init__(self, text: str) -> None:
        super().__init__(text, CAPTION)
        self.title = text


# ---------------------------------------------------------------- a rulebook


@dataclass(frozen=True)
class Cover:
    scheme: str
    title: str
    revision: int
    in_force: date
    supersedes: str
    """One sentence for the cover: "Supersedes revision 2 of 1 July 2025." or empty."""
    changes: tuple[tuple[str, str, str], ...]
    """(revision, date, what changed), newest last."""
    notice: tuple[str, ...]
    colour: str

    @property
    def day(self) -> str:
        return f"{self.in_force.day} {self.in_force:%B %Y}"


class _Rulebook(BaseDocTemplate):
    def __init__(self, stream: io.BytesIO, cover: Cover) -> None:
        super().__init__(
            stream,
            pagesize=A4,
            title=f"{cover.scheme} {cover.title}",
            author=cover.scheme,
            subject=f"Revision {cover.revision}, in force from {cover.day}",
            keywords=f"revision {cover.revision}",
            creator="samples/make.py",
        )
        self.cover = cover
        self.chapter = ""
        self.anchors = 0
        self.notes: dict[int, list[Note]] = {}
        self.settled: dict[int, list[Note]] = {}
        width, height = A4
        self.foot = 24 * mm
        frame = {"leftPadding": 0, "rightPadding": 0, "topPadding": 0, "bottomPadding": 0}
        body = Frame(25 * mm, self.foot, width - 50 * mm, height - 52 * mm, id="body", **frame)
        front = Frame(25 * mm, self.foot, width - 50 * mm, height - 52 * mm, id="front", **frame)
        self.addPageTemplates(
            [
                PageTemplate(
                    "cover", [Frame(25 * mm, 30 * mm, width - 50 * mm, height - 120 * mm, **frame)], self._cover
                ),
                PageTemplate("front", [front], onPageEnd=self._furniture),
                PageTemplate("body", [body], onPage=self._make_room, onPageEnd=self._furniture),
            ]
        )

    def _cover(self, canvas: Canvas, _: BaseDocTemplate) -> None:
        width, height = A4
        colour = HexColor(self.cover.colour)
        canvas.pincite_notes = []  # type: ignore[attr-defined]
        canvas.setFillColor(colour)
        canvas.rect(0, height - 62 * mm, width, 62 * mm, fill=1, stroke=0)
        canvas.setFillColor(white)
        for n in range(3):
            canvas.circle(31 * mm + n * 7 * mm, height - 28 * mm, 6 * mm, fill=0 if n % 2 else 1, stroke=0)
        canvas.setStrokeColor(white)
        canvas.setLineWidth(1.2)
        canvas.circle(38 * mm, height - 28 * mm, 6 * mm, fill=0, stroke=1)
        canvas.setFont("Vera-Bold", 17)
        canvas.drawString(58 * mm, height - 30 * mm, self.cover.scheme)
        canvas.setFont("Vera", 9)
        canvas.drawString(25 * mm, height - 52 * mm, "Scheme rules")
        canvas.setFillColor(GREY)
        canvas.setFont("Vera", 7.5)
        canvas.drawString(25 * mm, 18 * mm, "A made-up scheme. This document is sample data for Pincite, CC0.")
        self._label(canvas)

    def _label(self, canvas: Canvas) -> None:
        if self.page == 1:
            canvas.addPageLabel(0, style="ROMAN_LOWER", start=1)
        elif self.page == FRONT_SHEETS + 1:
            canvas.addPageLabel(FRONT_SHEETS, style="ARABIC", start=1)

    def _make_room(self, canvas: Canvas, _: BaseDocTemplate) -> None:
        """Shorten the page's frame by the notes that the pass before put on it."""
        canvas.pincite_notes = self.notes.setdefault(self.page, [])  # type: ignore[attr-defined]
        frame = self.pageTemplate.frames[0]
        width, height = A4
        used = self._notes_height(self.settled.get(self.page, []), width - 50 * mm)
        frame._y1, frame._height = self.foot + used, height - 52 * mm - used
        frame._geom()
        frame._reset()

    @staticmethod
    def _notes_height(notes: list[Note], width: float) -> float:
        return sum(note.paragraph().wrap(width, 999)[1] + 2 for note in notes) + (8 if notes else 0)

    def _furniture(self, canvas: Canvas, _: BaseDocTemplate) -> None:
        width, height = A4
        self._label(canvas)
        canvas.saveState()
        canvas.setStrokeColor(HexColor(self.cover.colour))
        canvas.setLineWidth(0.8)
        canvas.line(25 * mm, height - 20 * mm, width - 25 * mm, height - 20 * mm)
        canvas.setFillColor(GREY)
        canvas.setFont("Vera", 7.4)
        canvas.drawString(25 * mm, height - 17.5 * mm, f"{self.cover.scheme} {self.cover.title}")
        if self.page > FRONT_SHEETS:
            canvas.drawRightString(width - 25 * mm, height - 17.5 * mm, self.chapter)
        canvas.drawString(25 * mm, 13 * mm, f"Revision {self.cover.revision} · {self.cover.day}")
        canvas.drawRightString(width - 25 * mm, 13 * mm, label(self.page))
        notes = self.notes.get(self.page, [])
        y = self.foot + self._notes_height(notes, width - 50 * mm) - 6
        if notes:
            canvas.setStrokeColor(GREY)
            canvas.setLineWidth(0.4)
            canvas.line(25 * mm, y + 2, 65 * mm, y + 2)
        for note in notes:
            paragraph = note.paragraph()
            tall = paragraph.wrap(width - 50 * mm, 999)[1]
            y -= tall + 2
            paragraph.drawOn(canvas, 25 * mm, y)
        canvas.restoreState()

    def _key(self) -> str:
        self.anchors += 1
        return f"a{self.anchors}"

    def afterFlowable(self, flowable: Flowable) -> None:  # noqa: N802 (reportlab's name)
        if isinstance(flowable, Heading):
            key = self._key()
            self.canv.bookmarkPage(key)
            self.canv.addOutlineEntry(flowable.title, key, flowable.level, closed=False)
            self.notify("Contents", (flowable.level, flowable.title, self.page, key))
            if flowable.level == 0:
                self.chapter = flowable.title
        elif isinstance(flowable, Caption):
            key = self._key()
            self.canv.bookmarkPage(key)
            self.notify("Tables", (0, flowable.title, self.page, key))


class _Settle(Flowable):
    """Makes ``multiBuild`` go on until every footnote stays on the page it was put on."""

    def __init__(self, book: _Rulebook) -> None:
        super().__init__()
        self.book = book

    def wrap(self, availWidth: float, availHeight: float) -> tuple[float, float]:  # noqa: N803
        return 0, 0

    def draw(self) -> None: ...

    def isIndexing(self) -> int:  # noqa: N802
        return 1

    def beforeBuild(self) -> None:  # noqa: N802
        self.book.settled, self.book.notes = self.book.notes, {}
        self.book.chapter = ""
        self.book.anchors = 0

    def afterBuild(self) -> None: ...  # noqa: N802

    def notify(self, kind: str, stuff: object) -> None: ...

    def isSatisfied(self) -> bool:  # noqa: N802
        marks = [
            {page: [note.text for note in notes] for page, notes in each.items() if notes}
            for each in (self.book.settled, self.book.notes)
        ]
        return marks[0] == marks[1]


class _Entries(TableOfContents):
    def __init__(self, kind: str) -> None:
        super().__init__(
            formatter=label,
            dotsMinLevel=0,
            levelStyles=[
                ParagraphStyle(
                    "c0", parent=BODY, fontName="Vera-Bold", fontSize=8.6, leading=12, spaceBefore=5, spaceAfter=0
                ),
                ParagraphStyle("c1", parent=BODY, fontSize=8.2, leading=11.6, leftIndent=12, spaceAfter=0),
            ],
        )
        self.kind = kind
        if kind == "Tables":
            self.levelStyles = self.levelStyles[1:]

    def notify(self, kind: str, stuff: tuple[object, ...]) -> None:
        if kind == self.kind:
            self.addEntry(*stuff)


def rulebook(cover: Cover, body: Story) -> bytes:
    """The PDF of a rulebook: cover, document control, contents, list of tables (i to iv), then the body from 1."""
    stream = io.BytesIO()
    book = _Rulebook(stream, cover)
    colour = HexColor(cover.colour)
    title = ParagraphStyle("title", parent=BODY, fontName="Vera-Bold", fontSize=25, leading=31, textColor=colour)
    line = ParagraphStyle("line", parent=BODY, fontSize=11, leading=17)
    plain = HEADINGS[0]
    story: Story = [
        Paragraph(cover.title, title),
        Spacer(1, 12 * mm),
        Paragraph(f"Revision {cover.revision}", line),
        Paragraph(f"In force from {cover.day}", line),
        Paragraph(cover.supersedes, line),
        NextPageTemplate("front"),
        PageBreak(),
        Paragraph("Document control", plain),
        *table("", [("Revision", "In force from", "Changes"), *cover.changes], (22, 34, 104)),
        *(Paragraph(text, BODY) for text in cover.notice),
        PageBreak(),
        Paragraph("Contents", plain),
        _Entries("Contents"),
        PageBreak(),
        Paragraph("Tables", plain),
        _Entries("Tables"),
        NextPageTemplate("body"),
        PageBreak(),
        _Settle(book),
        *body,
    ]
    book.multiBuild(story)
    return finish(stream.getvalue(), language="en", day=cover.in_force)


def finish(pdf: bytes, *, language: str, day: date) -> bytes:
    """The same document with its language and date said in the file, packed small; same bytes each time."""
    out = io.BytesIO()
    with pikepdf.open(io.BytesIO(pdf)) as file:
        file.Root.Lang = pikepdf.String(language)
        file.docinfo["/CreationDate"] = file.docinfo["/ModDate"] = f"D:{day:%Y%m%d}090000Z"
        file.docinfo["/Producer"] = "reportlab"
        file.save(out, deterministic_id=True, object_stream_mode=pikepdf.ObjectStreamMode.generate)
    return out.getvalue()
