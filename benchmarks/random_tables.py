"""Random tables in five styles as PDFs with their truth, and how well the product reads them.

    python benchmarks/random_tables.py OUT [--count 40] [--seed 1] [--style grid ...] [--no-read]

Writes OUT/pdf/STYLE-NNN.pdf and OUT/truth.jsonl (one table a line: {"doc", "page", "cells": [{"r0", "r1", "c0", "c1",
"text"}], "seen": [...]}, rows and columns from 0, inclusive), reads the PDFs and prints for each style the macro F1 of
adjacency relations as in the ICDAR-2013 competition and the merged cells. Equal seeds give equal files.

Styles: ``grid`` every edge ruled; ``inner`` no outer frame; ``shading`` fills with white rules, gaps, or in stripes;
``three`` rules above and below the header and below the body; ``none``. What typesetters vary is drawn anew for each
table: type, size, leading, alignment, padding, header bands, units rows, row labels, merged cells, wrapped text, empty
cells, number formats, captions, notes, prose around it, how a rule is drawn.

The truth has two forms: ``cells`` as the author merged them and ``seen`` as a reader can tell. Where all edges are
ruled or parted by gaps they are the same. Elsewhere a merge over columns is seen when the ink of the cell meets the ink
of two of them, or of none, or a rule runs below its columns only; a merge over rows when its lines stand on no row's
baselines, or rules above and below part its rows from the rest. Other merged cells look like a cell beside empty ones.
Relations are scored against both; merged cells that are right against the author's, those found against the seen ones.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import time
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

from random_tables_drawn import Drawing, Grid, draw, looks_for
from reportlab.lib.pagesizes import A4, LETTER, landscape
from reportlab.pdfgen import canvas

from pincite.corpus.pdf import read_pdf
from pincite.types import Table

STYLES = ("grid", "inner", "shading", "three", "none")

NOUNS = """fee purchase refund pump flow head pressure bearing seal motor shaft rating supply region quarter member
scheme issuer merchant terminal deposit loan reserve capital revenue cost margin volume weight length diameter class
category level test sample group year month rate index share transport energy housing water land forest school teacher
pupil hospital nurse patient household income tax vergoeding toeslag pomp waaier druk debiet klasse tarief regio
Gebühr Druck Förderhöhe Leistung Welle Dichtung Anteil Jahr"""
ADJECTIVES = """domestic online total net gross annual monthly minimum maximum nominal average other new public private
rural urban primary secondary foreign local technical mean adjusted final provisional"""
PLACES = "Belgium Denmark Germany Estonia Ireland Greece Spain France Croatia Italy Cyprus Latvia Malta Austria Poland"
UNITS = ("%", "EUR", "[m]", "[kW]", "(in %)", "(€ million)", "mm", "kg/year", "[m³/h]", "(number)", "bar", "per 1,000")
SENTENCE = """the of and to in for with on by is are shall may must not each where that this member fee report period
within days after unless otherwise stated value table section amount party written notice standard measured under
conditions given above below figures apply from first second half year"""


class Words:
    """Makes text; all from one source of chance."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self._nouns, self._adjectives = NOUNS.split(), ADJECTIVES.split()

    def noun(self) -> str:
        return self.chance.choice(self._nouns)

    def name(self, most: int = 3) -> str:
        parts = [self.noun()]
        if most > 1 and self.chance.random() < 0.6:
            parts.insert(0, self.chance.choice(self._adjectives))
        if most > 2 and self.chance.random() < 0.3:
            parts += [self.chance.choice(("of", "and", "per", "for")), self.noun()]
        text = " ".join(parts)
        return text[0].upper() + text[1:] if self.chance.random() < 0.85 else text

    def sentence(self, low: int, high: int) -> str:
        words = [self.chance.choice(SENTENCE.split()) for _ in range(self.chance.randint(low, high))]
        return " ".join(words).capitalize() + "."


def _entry_maker(words: Words, kind: str) -> Any:
    """Return a function that makes one entry of a column of this kind."""
    chance = words.chance
    if kind == "integer":
        high = 10 ** chance.randint(2, 7)
        separator = chance.choice((",", " ", ".", ""))
        sign = chance.random() < 0.2

        def integer() -> str:
            text = f"{chance.randint(0, high):,}".replace(",", separator)
            return ("-" if sign and chance.random() < 0.3 else "") + text

        return integer
    if kind == "decimal":
        digits, scale, comma = chance.randint(1, 3), 10 ** chance.randint(0, 3), chance.random() < 0.3

        def decimal() -> str:
            text = f"{chance.random() * scale:.{digits}f}"
            return text.replace(".", ",") if comma else text

        return decimal
    if kind == "percent":
        space = chance.choice(("", " "))
        return lambda: f"{chance.random() * 100:.1f}{space}%"
    if kind == "code":
        stem = "".join(chance.choices("ABCDEFGHKLMNPRSTX", k=chance.randint(2, 3)))
        return lambda: f"{stem}{chance.choice('- ')}{chance.randint(10, 999)}"
    if kind == "word":
        pool = chance.choice((("yes", "no"), ("x", "–"), ("A", "B", "C"), ("high", "medium", "low"), ("M", "O", "n/a")))
        return lambda: chance.choice(pool)
    if kind == "date":
        return lambda: f"{chance.randint(1, 28)}-{chance.randint(1, 12):02}-{chance.randint(1998, 2026)}"
    if kind == "place":
        return lambda: chance.choice(PLACES.split())
    if kind == "prose":
        longest = chance.randint(5, 16)
        return lambda: words.sentence(2, longest)
    return lambda: words.name()


def _parts(chance: random.Random, count: int, smallest: int, largest: int) -> list[int]:
    """Return ``count`` cut into runs."""
    runs: list[int] = []
    while sum(runs) < count:
        runs.append(min(chance.randint(smallest, largest), count - sum(runs)))
    return runs


def random_grid(chance: random.Random, style: str) -> Grid:
    """Return a table's cells with their texts, alignments and which rows are header rows."""
    words = Words(chance)
    labels = chance.choices((1, 2, 0), (6, 3, 1))[0]
    columns = chance.choices(range(1, 9), (1, 4, 6, 6, 4, 3, 2, 1))[0]
    if labels + columns < 2:
        columns = 2
    width = labels + columns
    body = chance.choices(range(2, 25), [3] * 10 + [1] * 13)[0]
    figures = ("integer", "decimal", "percent")
    mixed = (*figures, "integer", "decimal", "code", "word", "date", "name", "prose")
    if chance.random() < 0.5:
        kinds = [chance.choice(figures)] * columns
    else:
        kinds = [chance.choice(mixed) for _ in range(columns)]
    if kinds.count("prose") > 1:
        kinds = [k if k != "prose" or i == kinds.index("prose") else "name" for i, k in enumerate(kinds)]
    label_kinds = [chance.choice(("name", "name", "place", "code", "prose" if columns < 5 else "name"))] * labels
    if labels == 2:
        label_kinds = [chance.choice(("name", "place")), chance.choice(("name", "code", "name"))]
    grid = Grid(width=width, kinds=[*label_kinds, *kinds])
    bands = chance.choices((0, 1, 2, 3), (1, 9, 6, 2))[0]
    if bands >= 2 and columns < 2:
        bands = 1
    _add_header(grid, words, bands=bands, labels=labels, columns=columns)
    _add_body(grid, words, body=body, labels=labels, merging=chance.choices((0.0, 0.04, 0.1), (4, 3, 2))[0])
    return grid


def _add_header(grid: Grid, words: Words, *, bands: int, labels: int, columns: int) -> None:
    chance = words.chance
    if not bands:
        return
    units = chance.random() < 0.2
    height = bands + units
    for c in range(labels):
        empty = chance.random() < 0.25
        separate = bands > 1 and chance.random() < 0.15
        rows = [(r, r) for r in range(height)] if separate else [(0, height - 1)]
        for k, (r0, r1) in enumerate(rows):
            grid.add(r0, r1, c, c, "" if empty or k < len(rows) - 1 else words.name(2))
    runs = [(labels, labels + columns - 1)]
    for band in range(bands):
        last = band == bands - 1
        following: list[tuple[int, int]] = []
        for a, b in runs:
            if last or a == b:
                for c in range(a, b + 1):
                    grid.add(band, band if not last and a != b else bands - 1, c, c, words.name(2))
                continue
            sizes = _parts(chance, b - a + 1, 1, max(2, (b - a + 1) // max(bands - band - 1, 1)))
            if band == 0 and bands == 2 and chance.random() < 0.3:
                sizes = [b - a + 1]
            at = a
            for size in sizes:
                if size == 1:
                    grid.add(band, bands - 1, at, at, words.name(2))
                else:
                    grid.add(band, band, at, at + size - 1, words.name(3))
                    following.append((at, at + size - 1))
                at += size
        runs = following
    if units:
        same = chance.random() < 0.3
        if same and columns > 1:
            grid.add(bands, bands, labels, labels + columns - 1, chance.choice(UNITS))
        else:
            for c in range(labels, labels + columns):
                grid.add(bands, bands, c, c, chance.choice(UNITS))
    grid.header = height


def _add_body(grid: Grid, words: Words, *, body: int, labels: int, merging: float) -> None:
    chance = words.chance
    top, width = grid.header, grid.width
    makers = [_entry_maker(words, kind) for kind in grid.kinds]
    empty = chance.choices((0.0, 0.05, 0.15), (5, 3, 1))[0]
    section_rows = chance.random() < 0.15
    grouped = labels == 2 or (labels == 1 and chance.random() < 0.12)
    groups = _parts(chance, body, 1 if chance.random() < 0.4 else 2, 5) if grouped else [1] * body
    r = top
    for number, size in enumerate(groups):
        if section_rows and (number == 0 or chance.random() < 0.25) and width > 2:
            grid.add(r, r, 0, width - 1, words.name(3))
            grid.sections.append(r)
            r += 1
        if labels:
            grid.add(r, r + size - 1, 0, 0, makers[0]() or words.name())
            grid.groups.append((r, r + size - 1))
        taken: set[tuple[int, int]] = set()
        for i in range(size):
            for c in range(min(labels, 1), width):
                if (i, c) in taken:
                    continue
                down = across = 1
                if c >= labels and chance.random() < merging:
                    if chance.random() < 0.5:
                        across = min(chance.randint(2, 3), width - c)
                    else:
                        down = min(chance.randint(2, 3), size - i)
                across = next((k for k in range(1, across) if (i, c + k) in taken), across)
                taken |= {(i + a, c + b) for a in range(down) for b in range(across)}
                text = "" if c >= labels and chance.random() < empty and down == across == 1 else makers[c]()
                if c < labels:
                    text = words.name() if grid.kinds[c] == "name" else makers[c]()
                grid.add(r + i, r + i + down - 1, c, c + across - 1, text)
        r += size
    if labels and chance.random() < 0.25:
        grid.add(r, r, 0, labels - 1, chance.choice(("Total", "Totaal", "Sum", "Average", "All members")))
        for c in range(labels, width):
            grid.add(r, r, c, c, makers[c]())
        grid.total = r
        r += 1
    grid.height = r
    grid.close_up()


# ---------------------------------------------------------------- pages


@dataclass
class Page:
    """A page being written from the top down."""

    canvas: canvas.Canvas
    size: tuple[float, float]
    chance: random.Random
    words: Words
    left: float
    right: float
    y: float
    font: str = "Times-Roman"
    text_size: float = 10.0
    leading: float = field(default=12.5)

    def prose(self, lines: int) -> None:
        """Write a paragraph of so many lines, the last one short."""
        for k in range(lines):
            text = ""
            limit = (self.right - self.left) * (1.0 if k < lines - 1 else self.chance.uniform(0.2, 0.9))
            for word in self.words.sentence(40, 40).split():
                if self.canvas.stringWidth(f"{text} {word}", self.font, self.text_size) > limit:
                    break
                text = f"{text} {word}".strip()
            self.line(text)
        self.y -= self.leading * 0.5

    def line(self, text: str, *, bold: bool = False, size: float = 0.0) -> None:
        bolds = {"Times-Roman": "Times-Bold", "Helvetica": "Helvetica-Bold", "Courier": "Courier-Bold"}
        self.canvas.setFillGray(0)
        self.canvas.setFont(bolds[self.font] if bold else self.font, size or self.text_size)
        self.y -= self.leading
        self.canvas.drawString(self.left, self.y, text)


def write_document(path: Path, style: str, chance: random.Random) -> list[dict[str, Any]]:
    """Write one PDF of one page with one or two tables; return the truth."""
    size = chance.choice((A4, A4, LETTER))
    if chance.random() < 0.15:
        size = landscape(size)
    out = canvas.Canvas(str(path), pagesize=size, invariant=1)
    margin = chance.uniform(45, 85)
    page = Page(out, size, chance, Words(chance), margin, size[0] - margin, size[1] - margin)
    page.font = chance.choice(("Times-Roman", "Helvetica", "Helvetica"))
    page.text_size = chance.choice((9.0, 10.0, 10.0, 11.0))
    page.leading = page.text_size * chance.uniform(1.15, 1.4)
    if chance.random() < 0.5:
        page.line(f"{chance.randint(1, 9)}.{chance.randint(1, 9)} {page.words.name()}", bold=True, size=12)
        page.y -= 4
    page.prose(chance.randint(1, 8))
    truth: list[dict[str, Any]] = []
    for number in range(chance.choices((1, 2), (5, 1))[0]):
        bottom = margin + 60
        for _ in range(40):
            drawing = Drawing(random_grid(chance, style), looks_for(style, chance), chance, page.right - page.left)
            if drawing.fits(page.right - page.left, page.y - bottom - 60):
                break
        else:
            break
        above = chance.random() < 0.6
        caption = f"Table {number + 1}{chance.choice((':', '.', ' –'))} {page.words.name()}"
        if above:
            page.line(caption, bold=chance.random() < 0.5)
        page.y -= chance.uniform(6, 16)
        slack = page.right - page.left - drawing.width
        x = page.left + chance.choice((0.0, 0.0, slack / 2, slack))
        drawn = draw(out, drawing, x, page.y)
        page.y -= drawing.height + chance.uniform(4, 12)
        if chance.random() < 0.25:
            page.line(chance.choice(("Source: ", "Note: ", "¹) ")) + page.words.sentence(4, 9), size=page.text_size - 2)
        if not above and chance.random() < 0.3:
            page.line(caption)
        page.y -= chance.uniform(4, 14)
        page.prose(chance.randint(1, 4))
        truth.append({"doc": path.name, "page": 1, "style": style, "looks": drawing.looks.said(), **drawn})
    while page.y > margin + 60 and chance.random() < 0.7:
        page.prose(chance.randint(2, 5))
    out.showPage()
    out.save()
    return truth


# ---------------------------------------------------------------- scoring

_DASHES = {0x2013: "-", 0x2212: "-", 0x2014: "-", 0x2010: "-", 0x2011: "-", 0xAD: None}
Relation = tuple[str, str, str]
Cells = list[dict[str, Any]]


def normalised(text: str) -> str:
    text = unicodedata.normalize("NFKC", text).translate(_DASHES)
    return "".join(c for c in text if c.isalnum() or c in "+-%$<>=±").lower()


def relations(cells: Sequence[dict[str, Any]]) -> Counter[Relation]:
    """Return each pair of a cell that is not blank and its nearest such neighbour to the right and below."""
    at: dict[tuple[int, int], int] = {}
    texts = [normalised(cell["text"]) for cell in cells]
    for k, cell in enumerate(cells):
        if texts[k]:
            for r in range(cell["r0"], cell["r1"] + 1):
                for c in range(cell["c0"], cell["c1"] + 1):
                    at.setdefault((r, c), k)
    pairs: set[tuple[int, int, str]] = set()
    for way, turn in (("right", 0), ("below", 1)):
        lines: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
        for place, k in at.items():
            lines[place[turn]].append((place[1 - turn], k))
        for line in lines.values():
            line.sort()
            pairs |= {(a, b, way) for (_, a), (_, b) in pairwise(line) if a != b}
    return Counter((texts[a], texts[b], way) for a, b, way in pairs)


def spans(cells: Iterable[dict[str, Any]]) -> Counter[tuple[str, int, int]]:
    return Counter(
        (normalised(c["text"]), c["r1"] - c["r0"], c["c1"] - c["c0"])
        for c in cells
        if normalised(c["text"]) and (c["r1"] > c["r0"] or c["c1"] > c["c0"])
    )


def _sum(counters: Iterable[Counter[Any]]) -> Counter[Any]:
    return sum(counters, Counter())


def f1(right: int, said: int, true: int) -> float:
    precision, recall = right / said if said else float(not true), right / true if true else 1.0
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


@dataclass
class Score:
    """Counts of one style."""

    per_document: list[tuple[float, str]] = field(default_factory=list)
    as_seen: list[float] = field(default_factory=list)
    """F1 of each document against what a reader can tell."""
    right: int = 0
    said: int = 0
    true: int = 0
    spans_right: int = 0
    spans_said: int = 0
    spans_true: int = 0
    seen_right: int = 0
    seen_true: int = 0

    def add(self, doc: str, truth: Sequence[dict[str, Any]], said: Sequence[tuple[int, Cells]]) -> None:
        """Count one document; ``said`` are pages with the cells of a table read there."""
        right = right_seen = got_total = want_total = seen_total = 0
        for page in {t["page"] for t in truth} | {page for page, _ in said}:
            mine = [t["cells"] for t in truth if t["page"] == page]
            seen = [t.get("seen", t["cells"]) for t in truth if t["page"] == page]
            read = [cells for on, cells in said if on == page]
            want, can, got = _sum(map(relations, mine)), _sum(map(relations, seen)), _sum(map(relations, read))
            right += (want & got).total()
            right_seen += (can & got).total()
            got_total += got.total()
            want_total += want.total()
            seen_total += can.total()
            merged, told, found = _sum(map(spans, mine)), _sum(map(spans, seen)), _sum(map(spans, read))
            self.spans_right += (merged & found).total()
            self.spans_said += found.total()
            self.spans_true += merged.total()
            self.seen_right += (told & found).total()
            self.seen_true += told.total()
        self.right, self.said, self.true = self.right + right, self.said + got_total, self.true + want_total
        self.per_document.append((f1(right, got_total, want_total), doc))
        self.as_seen.append(f1(right_seen, got_total, seen_total))

    def line(self) -> str:
        precision = self.right / self.said if self.said else 0.0
        recall = self.right / self.true if self.true else 1.0
        whole = sum(value > 0.9999 for value, _ in self.per_document)
        return (
            f"{statistics.mean(v for v, _ in self.per_document):.3f} ({statistics.mean(self.as_seen):.3f})   "
            f"{precision:.3f} / {recall:.3f}   {whole:4} of {len(self.per_document)}   "
            f"{self.spans_right:4} right of {self.spans_said:4} said, {self.spans_true:4} true; "
            f"{self.seen_right} of {self.seen_true} seen"
        )


def cells_of(table: Table) -> list[dict[str, Any]]:
    return [{"r0": c.r0, "r1": c.r1, "c0": c.c0, "c1": c.c1, "text": c.text} for c in table.cells]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--count", type=int, default=40, help="documents of each style")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--style", nargs="*", choices=STYLES, default=STYLES)
    parser.add_argument("--no-read", action="store_true", help="write the files only")
    parser.add_argument("--worst", type=int, default=0, help="print so many of the worst documents of each style")
    options = parser.parse_args()
    folder: Path = options.out / "pdf"
    folder.mkdir(parents=True, exist_ok=True)
    scores: dict[str, Score] = {}
    spent = 0.0
    with (options.out / "truth.jsonl").open("w", encoding="utf-8") as truth_file:
        for style in options.style:
            score = scores.setdefault(style, Score())
            for k in range(options.count):
                path = folder / f"{style}-{k:03}.pdf"
                truth = write_document(path, style, random.Random(f"{options.seed}/{style}/{k}"))
                truth_file.writelines(json.dumps(table, ensure_ascii=False) + "\n" for table in truth)
                if options.no_read:
                    continue
                start = time.process_time()
                parsed = read_pdf(path.read_bytes(), path.name)
                spent += time.process_time() - start
                score.add(path.name, truth, [(table.page, cells_of(table)) for table in parsed.tables])
    if options.no_read:
        return
    print("style    macro F1 (as seen)   micro P / R   documents whole   merged cells")
    for style, score in scores.items():
        print(f"{style:8} {score.line()}")
        for value, doc in sorted(score.per_document)[: options.worst]:
            print(f"    {value:.3f} {doc}")
    print(f"{1000 * spent / (options.count * len(options.style)):.1f} ms CPU a page, everything that reads it together")


if __name__ == "__main__":
    main()
