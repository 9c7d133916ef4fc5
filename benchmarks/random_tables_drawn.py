"""How the random tables of ``random_tables`` look: from cells to ink, and which merged cells a reader can tell."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import reportlab
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen import canvas


class Entry(NamedTuple):
    """A cell: rows and columns from 0, inclusive."""

    r0: int
    r1: int
    c0: int
    c1: int
    text: str


@dataclass
class Grid:
    """A table as its author thinks of it."""

    width: int
    kinds: list[str]
    cells: list[Entry] = field(default_factory=list)
    header: int = 0
    """Header rows."""
    height: int = 0
    sections: list[int] = field(default_factory=list)
    """Rows that are one cell: the name of what follows."""
    groups: list[tuple[int, int]] = field(default_factory=list)
    """Rows of one label."""
    total: int = -1

    def add(self, r0: int, r1: int, c0: int, c1: int, text: str) -> None:
        self.cells.append(Entry(r0, r1, c0, c1, text))

    def close_up(self) -> None:
        """Take out rows in which no cell begins: nobody can tell them from a taller row above."""
        begun = sorted({e.r0 for e in self.cells})
        row = {r: k for k, r in enumerate(begun)}
        last = [max(k for k, b in enumerate(begun) if b <= r) for r in range(self.height)]
        self.cells = [e._replace(r0=row[e.r0], r1=last[e.r1]) for e in self.cells]
        self.header = sum(r < self.header for r in begun)
        self.sections = [row[r] for r in self.sections]
        self.groups = [(row[a], last[b]) for a, b in self.groups]
        self.total = row.get(self.total, -1)
        self.height = len(begun)


FAMILIES = {
    "Helvetica": ("Helvetica", "Helvetica-Bold"),
    "Times": ("Times-Roman", "Times-Bold"),
    "Courier": ("Courier", "Courier-Bold"),
    "Vera": ("Vera", "VeraBd"),
}
_FOLDER = Path(reportlab.__file__).parent / "fonts"
for _name in FAMILIES["Vera"]:
    pdfmetrics.registerFont(TTFont(_name, str(_FOLDER / f"{_name}.ttf")))

Colour = tuple[float, float, float]


@dataclass
class Looks:
    """What a typesetter chooses once for a table; lengths in points."""

    style: str
    family: str
    size: float
    leading: float
    pad_x: float
    pad_y: float
    header_bold: bool
    header_align: str
    span_align: str
    figures_align: str
    valign: str
    header_valign: str
    span_valign: str
    stretch: float
    """Share of the free width that is given to the columns."""
    extra_height: float
    how: str
    """How rules are drawn: strokes of an edge, long strokes, thin filled rectangles, frames of cells, spaced frames."""
    rule: float
    ink: Colour
    gap: float
    fill: str
    """What is filled: "", "cells", "stripes" or "all"."""
    light: Colour
    other: Colour
    header_fill: Colour | None
    outer: float
    """Width of the outer frame."""
    upright: bool
    """Whether the white rules run down only below the header."""
    spanner_rules: bool
    trim: float
    group_rules: bool
    total_rule: bool
    head_rule: bool
    word_by_word: bool
    turned: bool
    wrap: float
    indent: float

    def said(self) -> str:
        return f"{self.family} {self.size:.1f} {self.how} {self.fill}".strip()


def _tint(chance: random.Random, low: float, high: float) -> Colour:
    if chance.random() < 0.5:
        grey = chance.uniform(low, high)
        return (grey, grey, grey)
    return (chance.uniform(low, high), chance.uniform(low, high), chance.uniform(low, high))


def looks_for(style: str, chance: random.Random) -> Looks:
    """Return how one table is set."""
    ruled = style in ("grid", "inner")
    size = chance.choice((6.5, 7.0, 7.5, 8.0, 8.5, 9.0, 9.0, 9.5, 10.0, 11.0))
    fill, how, gap = "", chance.choice(("edges", "long", "filled", "long")), 0.0
    light, other = _tint(chance, 0.82, 0.96), (1.0, 1.0, 1.0)
    header_fill: Colour | None = None
    upright = False
    if style == "grid":
        how = chance.choices(("edges", "long", "filled", "frames", "spaced"), (3, 3, 3, 3, 1))[0]
        gap = chance.uniform(1.2, 2.8) if how == "spaced" else 0.0
        fill = chance.choices(("", "stripes"), (4, 1))[0]
    elif style == "shading":
        fill, gap = chance.choices((("all", 0.0), ("cells", 0.0), ("gaps", 1.0), ("stripes", 0.0)), (2, 3, 2, 4))[0]
        if fill == "gaps":
            fill, how, gap = "cells", "gaps", chance.uniform(0.8, 3.0)
        elif fill == "stripes":
            how = chance.choice(("nothing", "nothing", "white"))
            upright = chance.random() < 0.7
        else:
            how = "white"
            if chance.random() < 0.6:
                other = _tint(chance, 0.8, 0.95)
    if style in ("grid", "inner", "shading") and (style == "shading" or chance.random() < 0.4):
        header_fill = chance.choice((_tint(chance, 0.65, 0.85), _tint(chance, 0.1, 0.45), None))
    return Looks(
        style=style,
        family=chance.choices(list(FAMILIES), (5, 4, 1, 2))[0],
        size=size,
        leading=size * chance.uniform(1.08, 1.3),
        pad_x=chance.uniform(2, 8) if ruled or how in ("white", "gaps") else chance.uniform(4, 11),
        pad_y=chance.uniform(1.2, 6) if style != "none" else chance.uniform(1.0, 5),
        header_bold=chance.random() < 0.65,
        header_align=chance.choice(("column", "centre", "left")),
        span_align=chance.choices(("centre", "left"), (3, 1))[0],
        figures_align=chance.choices(("right", "centre", "left", "decimal"), (6, 3, 1, 1))[0],
        valign=chance.choices(("top", "middle", "bottom"), (5, 4, 1))[0],
        header_valign=chance.choice(("top", "middle", "bottom")),
        span_valign=chance.choices(("middle", "top", "bottom"), (5, 4, 1))[0],
        stretch=chance.choice((0.0, 0.0, 0.3, 1.0, 1.0)),
        extra_height=chance.choice((0.0, 0.0, 0.0, chance.uniform(0, 8))),
        how=how,
        rule=chance.choice((0.25, 0.4, 0.5, 0.5, 0.75, 1.0, 1.5)),
        ink=chance.choice(((0, 0, 0), (0, 0, 0), _tint(chance, 0.2, 0.6))),
        gap=gap,
        fill=fill,
        light=light,
        other=other,
        header_fill=header_fill,
        outer=chance.choice((0.0, 0.0, 1.5, 2.0)),
        upright=upright,
        spanner_rules=chance.random() < 0.6,
        trim=chance.choice((0.0, 0.0, 2.0, 4.0)),
        group_rules=chance.random() < 0.3,
        total_rule=chance.random() < 0.5,
        head_rule=chance.random() < 0.3,
        word_by_word=chance.random() < 0.2,
        turned=ruled and chance.random() < 0.08,
        wrap=chance.choice((60.0, 80.0, 110.0, 150.0, 400.0)),
        indent=chance.choice((0.0, 6.0, 10.0)),
    )


class Line(NamedTuple):
    x0: float
    x1: float
    baseline: float
    """Downwards from the upper edge of the table."""
    text: str


class Drawing:
    """A table that has been laid out: where each column, row and line of text stands. y grows downwards here."""

    def __init__(self, grid: Grid, looks: Looks, chance: random.Random, room: float) -> None:
        self.grid, self.looks, self.chance = grid, looks, chance
        self.plain, self.bold = FAMILIES[looks.family]
        widths = self._column_widths()
        free = room - sum(widths)
        if free > 0 and looks.stretch:
            widths = [w + free * looks.stretch / len(widths) for w in widths]
        self.xs = [0.0]
        for w in widths:
            self.xs.append(self.xs[-1] + w)
        self.width = self.xs[-1]
        self.wrapped = [
            self._wrap(e, self.xs[e.c1 + 1] - self.xs[e.c0] - 2 * looks.pad_x - self._indent(e)) for e in grid.cells
        ]
        self.ys = self._row_edges()
        self.height = self.ys[-1]
        self.lines = [self._place(e, texts) for e, texts in zip(grid.cells, self.wrapped, strict=True)]

    def fits(self, width: float, height: float) -> bool:
        return self.width <= width + 0.1 and self.height <= height

    def font(self, entry: Entry) -> str:
        head = entry.r0 < self.grid.header
        named = entry.r0 in self.grid.sections or entry.r0 == self.grid.total
        return self.bold if (head or named) and self.looks.header_bold else self.plain

    def measure(self, text: str, font: str) -> float:
        return pdfmetrics.stringWidth(text, font, self.looks.size)

    def _wrap(self, entry: Entry, limit: float) -> list[str]:
        font = self.font(entry)
        lines: list[str] = []
        for word in entry.text.split(" "):
            if lines and self.measure(f"{lines[-1]} {word}", font) <= limit + 0.01:
                lines[-1] += f" {word}"
            else:
                lines.append(word)
        return [line for line in lines if line]

    def _column_widths(self) -> list[float]:
        looks, grid = self.looks, self.grid
        widths = [0.0] * grid.width
        for entry in grid.cells:
            if entry.c0 != entry.c1:
                continue
            font = self.font(entry)
            words = entry.text.split(" ")
            whole = self.measure(entry.text, font) + (looks.indent if entry.c0 == 0 and grid.sections else 0.0)
            head = entry.r0 < grid.header
            wraps = head or grid.kinds[entry.c0] in ("prose", "name")
            limit = max(min(looks.wrap, 70.0) if head else looks.wrap, max(self.measure(w, font) for w in words))
            if entry.c0 == 0 and grid.sections:
                limit += looks.indent
            widths[entry.c0] = max(widths[entry.c0], min(whole, limit) if wraps else whole)
        widths = [max(w, 6.0) + 2 * looks.pad_x for w in widths]
        for entry in grid.cells:
            if entry.c0 == entry.c1:
                continue
            font = self.font(entry)
            longest = max(self.measure(w, font) for w in entry.text.split(" "))
            need = max(longest, min(self.measure(entry.text, font), looks.wrap)) + 2 * looks.pad_x
            have = sum(widths[entry.c0 : entry.c1 + 1])
            for c in range(entry.c0, entry.c1 + 1):
                widths[c] += max(need - have, 0.0) / (entry.c1 - entry.c0 + 1)
        return widths

    def _row_edges(self) -> list[float]:
        looks, grid = self.looks, self.grid
        heights = [looks.leading + 2 * looks.pad_y] * grid.height
        tall = sorted(zip(grid.cells, self.wrapped, strict=True), key=lambda pair: pair[0].r1 - pair[0].r0)
        for entry, lines in tall:
            need = len(lines) * looks.leading + 2 * looks.pad_y
            have = sum(heights[entry.r0 : entry.r1 + 1])
            heights[entry.r1] += max(need - have, 0.0)
        ys = [0.0]
        for h in heights:
            ys.append(ys[-1] + h + looks.extra_height)
        return ys

    def _align(self, entry: Entry) -> str:
        looks = self.looks
        figures = self.grid.kinds[entry.c0] in ("integer", "decimal", "percent")
        own = looks.figures_align if figures else "left"
        if self.grid.kinds[entry.c0] in ("word", "date", "code") and looks.figures_align == "centre":
            own = "centre"
        if entry.r0 in self.grid.sections:
            return "left"
        if entry.c1 > entry.c0:
            return looks.span_align
        if entry.r0 < self.grid.header:
            return own if looks.header_align == "column" else looks.header_align
        return own

    def _place(self, entry: Entry, texts: list[str]) -> list[Line]:
        looks = self.looks
        x0, x1 = self.xs[entry.c0] + looks.pad_x, self.xs[entry.c1 + 1] - looks.pad_x
        top, bottom = self.ys[entry.r0] + looks.pad_y, self.ys[entry.r1 + 1] - looks.pad_y
        block = len(texts) * looks.leading
        vertical = looks.valign
        if entry.r0 < self.grid.header:
            vertical = looks.header_valign
        elif entry.r1 > entry.r0:
            vertical = looks.span_valign
        start = {"top": top, "middle": (top + bottom - block) / 2, "bottom": bottom - block}[vertical]
        align, font = self._align(entry), self.font(entry)
        indent = self._indent(entry)
        out: list[Line] = []
        for k, text in enumerate(texts):
            width = self.measure(text, font)
            x = {"left": x0 + indent, "right": x1 - width, "centre": (x0 + x1 - width) / 2}.get(align, x1 - width)
            if align == "decimal":
                # The sign stands at one place; what follows it may reach further to the right.
                cut = max(text.rfind("."), text.rfind(","))
                after = self.measure(text[cut:], font) if cut >= 0 else 0.0
                x = min(x1 - self.measure("".join(["0"] * 3), font) + after, x1) - width
            if entry.c0 == entry.c1:
                x = max(x, x0 + indent) if width <= x1 - x0 else x0
            out.append(Line(x, x + width, start + k * looks.leading + 0.78 * looks.size, text))
        return out

    def _indent(self, entry: Entry) -> float:
        """Return how far the labels below the name of a section are set in."""
        grid = self.grid
        label = grid.sections and entry.c0 == entry.c1 == 0 and entry.r0 >= grid.header and entry.r0 != grid.total
        return self.looks.indent if label else 0.0

    # ------------------------------------------------------------ what can be seen

    def seen(self, k: int) -> list[Entry]:
        """Return a cell as a reader sees it: itself, or where its text stands and empty cells; see the top."""
        entry, looks = self.grid.cells[k], self.looks
        text = "\n".join(line.text for line in self.lines[k])
        entry = entry._replace(text=text)
        if (
            looks.style in ("grid", "inner")
            or looks.how == "gaps"
            or (looks.how == "white" and not (looks.upright and entry.r1 >= self.grid.header))
        ):
            return [entry]
        columns, rows = range(entry.c0, entry.c1 + 1), range(entry.r0, entry.r1 + 1)
        c = None if len(columns) == 1 or looks.how == "white" else self._only_column(k)
        r = None if len(rows) == 1 else self._only_row(k)
        across = [(entry.c0, entry.c1)] if c is None else [(i, i) for i in columns]
        down = [(entry.r0, entry.r1)] if r is None else [(i, i) for i in rows]
        return [
            Entry(r0, r1, c0, c1, text if c in (None, c0) and r in (None, r0) else "")
            for r0, r1 in down
            for c0, c1 in across
        ]

    def _only_column(self, k: int) -> int | None:
        """Return the column under whose ink alone a cell over columns stands; None when it can be told."""
        entry = self.grid.cells[k]
        head = entry.r1 < self.grid.header
        if not self.lines[k]:
            return entry.c0
        if head and self.looks.style == "three" and self.looks.spanner_rules:
            return None
        x0, x1 = min(line.x0 for line in self.lines[k]), max(line.x1 for line in self.lines[k])
        met: list[int] = []
        for c in range(entry.c0, entry.c1 + 1):
            own = [
                line
                for other, lines in zip(self.grid.cells, self.lines, strict=True)
                if other.c0 == other.c1 == c and other.r0 >= self.grid.header
                for line in lines
            ]
            if own and min(line.x0 for line in own) < x1 and max(line.x1 for line in own) > x0:
                met.append(c)
        return met[0] if len(met) == 1 else None

    def _only_row(self, k: int) -> int | None:
        """Return the row on whose baseline a cell over rows stands; None when it can be told."""
        entry, looks = self.grid.cells[k], self.looks
        rows = range(entry.r0, entry.r1 + 1)
        if not self.lines[k]:
            return entry.r0
        if looks.style == "three" and looks.group_rules and (entry.r0, entry.r1) in self.grid.groups:
            return None
        for other, lines in zip(self.grid.cells, self.lines, strict=True):
            if other.r0 == other.r1 and other.r0 in rows:
                for line in lines:
                    if any(abs(line.baseline - own.baseline) < 0.25 * looks.size for own in self.lines[k]):
                        return other.r0
        return None


# ---------------------------------------------------------------- ink


class Edge(NamedTuple):
    """From (a) to (b) at a position across."""

    at: float
    a: float
    b: float
    outer: bool


def _edges(drawing: Drawing) -> tuple[list[Edge], list[Edge]]:
    """Return the edges between cells, across and down, each one grid place long."""
    grid = drawing.grid
    home = {(r, c): k for k, e in enumerate(grid.cells) for r in range(e.r0, e.r1 + 1) for c in range(e.c0, e.c1 + 1)}
    across, down = [], []
    for r in range(grid.height + 1):
        for c in range(grid.width):
            if home.get((r - 1, c), -1) != home.get((r, c), -1):
                across.append(Edge(drawing.ys[r], drawing.xs[c], drawing.xs[c + 1], r in (0, grid.height)))
    for c in range(grid.width + 1):
        for r in range(grid.height):
            if home.get((r, c - 1), -1) != home.get((r, c), -1):
                down.append(Edge(drawing.xs[c], drawing.ys[r], drawing.ys[r + 1], c in (0, grid.width)))
    return across, down


def _long(edges: list[Edge]) -> list[Edge]:
    out: list[Edge] = []
    for edge in sorted(edges):
        if out and out[-1].at == edge.at and abs(out[-1].b - edge.a) < 0.01:
            out[-1] = out[-1]._replace(b=edge.b)
        else:
            out.append(edge)
    return out


class _Pen:
    """Draws in the frame of the table: x to the right, y downwards from its upper left corner."""

    def __init__(self, out: canvas.Canvas, x: float, y: float) -> None:
        self.out, self.x, self.y = out, x, y

    def fill(self, x0: float, y0: float, x1: float, y1: float, colour: Colour) -> None:
        self.out.setFillColorRGB(*colour)
        self.out.rect(self.x + x0, self.y - y1, x1 - x0, y1 - y0, stroke=0, fill=1)

    def frame(self, x0: float, y0: float, x1: float, y1: float, colour: Colour, width: float) -> None:
        self.out.setStrokeColorRGB(*colour)
        self.out.setLineWidth(width)
        self.out.rect(self.x + x0, self.y - y1, x1 - x0, y1 - y0, stroke=1, fill=0)

    def rules(self, edges: list[Edge], colour: Colour, width: float, *, across: bool, filled: bool) -> None:
        for at, a, b, _ in edges:
            if filled:
                half = width / 2
                box = (a, at - half, b, at + half) if across else (at - half, a, at + half, b)
                self.fill(*box, colour)
                continue
            self.out.setStrokeColorRGB(*colour)
            self.out.setLineWidth(width)
            ends = (a, at, b, at) if across else (at, a, at, b)
            self.out.line(self.x + ends[0], self.y - ends[1], self.x + ends[2], self.y - ends[3])


def _shade(pen: _Pen, drawing: Drawing) -> None:
    looks, grid, xs, ys = drawing.looks, drawing.grid, drawing.xs, drawing.ys
    if looks.fill == "all":
        pen.fill(0, 0, drawing.width, drawing.height, looks.light)
    if looks.fill == "stripes":
        for r in range(grid.header, grid.height):
            colour = (looks.light, looks.other)[(r - grid.header) % 2]
            if colour != (1.0, 1.0, 1.0):
                pen.fill(0, ys[r], drawing.width, ys[r + 1], colour)
    if looks.fill == "cells":
        half = looks.gap / 2
        for e in grid.cells:
            colour = (looks.light, looks.other)[(e.r0 - grid.header) % 2]
            if colour == (1.0, 1.0, 1.0) and looks.how == "gaps":
                colour = tuple(max(v - 0.05, 0.0) for v in looks.light)
            if e.r0 < grid.header and looks.header_fill:
                colour = looks.header_fill
            pen.fill(xs[e.c0] + half, ys[e.r0] + half, xs[e.c1 + 1] - half, ys[e.r1 + 1] - half, colour)
    elif looks.header_fill and grid.header:
        pen.fill(0, 0, drawing.width, ys[grid.header], looks.header_fill)


def _rule(pen: _Pen, drawing: Drawing) -> None:
    looks, grid = drawing.looks, drawing.grid
    across, down = _edges(drawing)
    filled = looks.how == "filled" or (looks.how == "white" and drawing.chance.random() < 0.3)
    if looks.style == "three":
        _three_rules(pen, drawing, filled=filled)
    elif looks.how in ("frames", "spaced"):
        half = looks.gap / 2
        for e in grid.cells:
            x0, x1, y0, y1 = drawing.xs[e.c0], drawing.xs[e.c1 + 1], drawing.ys[e.r0], drawing.ys[e.r1 + 1]
            pen.frame(x0 + half, y0 + half, x1 - half, y1 - half, looks.ink, looks.rule)
    elif looks.how in ("edges", "long", "filled", "white") and looks.style != "none":
        white = looks.how == "white"
        colour = (1.0, 1.0, 1.0) if white else looks.ink
        width = max(looks.rule, 0.75) if white else looks.rule
        inside = looks.style != "grid"
        across = [e for e in across if not (inside and e.outer)]
        down = [e for e in down if not (inside and e.outer)]
        if looks.how != "edges":
            across, down = _long(across), _long(down)
        if looks.upright:
            across = [e for e in across if e.at < drawing.ys[grid.header] - 0.1]
        if across:
            pen.rules(across, colour, width, across=True, filled=filled)
        pen.rules(down, colour, width, across=False, filled=filled)
        if looks.style == "grid" and looks.outer:
            pen.frame(0, 0, drawing.width, drawing.height, looks.ink, looks.outer)


def _three_rules(pen: _Pen, drawing: Drawing, *, filled: bool) -> None:
    looks, grid, ys = drawing.looks, drawing.grid, drawing.ys
    heavy = max(looks.rule, 0.5) * drawing.chance.choice((1.0, 1.6, 2.0))
    ends = [Edge(0.0, 0.0, drawing.width, True), Edge(ys[-1], 0.0, drawing.width, True)]
    pen.rules(ends, looks.ink, heavy, across=True, filled=filled)
    thin: list[Edge] = []
    if grid.header:
        thin.append(Edge(ys[grid.header], 0.0, drawing.width, False))
    if looks.spanner_rules:
        spanners = [e for e in grid.cells if e.r1 < grid.header - 1 and e.c1 > e.c0]
        for e in spanners:
            x0, x1 = drawing.xs[e.c0] + looks.trim, drawing.xs[e.c1 + 1] - looks.trim
            thin.append(Edge(ys[e.r1 + 1], x0, x1, False))
    if looks.group_rules:
        thin += [Edge(ys[a], 0.0, drawing.width, False) for (_, _), (a, b) in pairwise(grid.groups) if b > a]
        thin += [Edge(ys[b + 1], 0.0, drawing.width, False) for (a, b), _ in pairwise(grid.groups) if b > a]
    if looks.total_rule and grid.total > 0:
        thin.append(Edge(ys[grid.total], 0.0, drawing.width, False))
    pen.rules(sorted(set(thin)), looks.ink, looks.rule, across=True, filled=filled)


def _write(pen: _Pen, drawing: Drawing) -> None:
    looks, grid, out = drawing.looks, drawing.grid, pen.out
    for e, lines in zip(grid.cells, drawing.lines, strict=True):
        head = e.r0 < grid.header
        dark = looks.header_fill is not None and head and sum(looks.header_fill) < 1.5
        out.setFillColorRGB(*((1.0, 1.0, 1.0) if dark else (0.0, 0.0, 0.0)))
        font = drawing.font(e)
        out.setFont(font, looks.size)
        height = drawing.ys[e.r1 + 1] - drawing.ys[e.r0]
        if looks.turned and e.c0 == e.c1 == 0 and e.r1 - e.r0 >= 2 and not head:
            width = drawing.measure(e.text, font)
            if width < height - 4:
                out.saveState()
                middle = (drawing.xs[0] + drawing.xs[1]) / 2
                out.translate(pen.x + middle + 0.3 * looks.size, pen.y - (drawing.ys[e.r1 + 1] - (height - width) / 2))
                out.rotate(90)
                out.drawString(0, 0, e.text)
                out.restoreState()
                continue
        for line in lines:
            x = pen.x + line.x0
            if not looks.word_by_word:
                out.drawString(x, pen.y - line.baseline, line.text)
                continue
            for word in line.text.split(" "):
                out.drawString(x, pen.y - line.baseline, word)
                x += drawing.measure(f"{word} ", font)


def draw(out: canvas.Canvas, drawing: Drawing, x: float, y: float) -> dict[str, list[dict[str, Any]]]:
    """Draw the table with its upper left corner at (x, y) of the page.

    Returns:
        ``cells`` as the author merged them, ``seen`` as a reader can tell them.
    """
    pen = _Pen(out, x, y)
    _shade(pen, drawing)
    _rule(pen, drawing)
    _write(pen, drawing)
    texts = ["\n".join(line.text for line in lines) for lines in drawing.lines]
    return {
        "cells": [e._replace(text=t)._asdict() for e, t in zip(drawing.grid.cells, texts, strict=True)],
        "seen": [e._asdict() for k in range(len(texts)) for e in drawing.seen(k)],
    }
