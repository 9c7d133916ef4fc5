#!/usr/bin/env python3
"""Random tables that a browser lays out and prints, and how well the product reads them.

    python benchmarks/browser_tables.py OUT [--count 30] [--seed 7] [--style grid ...] [--worst N]

A check on random_tables.py by another typesetter: HTML tables with merged cells, header bands, wrapped cells and cells
aligned to the middle of their row, printed by Chromium (the one that the browser tests use). Writes
OUT/STYLE-NNN.pdf and OUT/truth.jsonl and prints the same figures. Nothing of the reader was chosen on it before its
first figures in docs/evaluation.md.

The truth has two forms, as there. A merge that no rule shows is *seen* when the ink of the cell meets the ink of two of
the columns, or stands between the lines of the rows that it covers; else its text is a cell of the row and column where
it stands.
"""

from __future__ import annotations

import argparse
import html
import json
import os
import random
import shutil
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright
from random_tables import STYLES, Score, cells_of

from pincite.corpus.pdf import read_pdf

NOUNS = """pump motor shaft seal flow head power speed noise mass price stock order rate share card fee issuer region
total average north south value limit class grade code material pressure temperature inlet outlet voltage current cable
length width depth"""
FONTS = ("DejaVu Sans", "DejaVu Serif", "Liberation Sans", "Liberation Serif", "DejaVu Sans Condensed")
UNITS = ("[m]", "(kW)", "EUR", "%", "[bar]", "2019", "2020")
PROSE = """The figures in this part were collected over the year and are given as reported. Where a figure was not
reported the place is left empty. Readers who need the figures of earlier years find them in the report of that year,
which is kept with the office and can be asked for in writing at any time without a charge."""
INK = """() => [...document.querySelectorAll("[data-k]")].map(cell => {
  const range = document.createRange(); range.selectNodeContents(cell);
  const ink = range.getBoundingClientRect();
  return [ink.left, ink.top, ink.right, ink.bottom];
})"""


@dataclass
class Draft:
    """One table as it is made: ``rows`` of HTML by row and column, ``cells`` in the order of their ``data-k``."""

    style: str
    columns: int
    cells: list[dict[str, Any]] = field(default_factory=list)
    rows: list[list[tuple[int, str]]] = field(default_factory=list)

    def add(self, tag: str, r0: int, r1: int, c0: int, c1: int, text: str, css: str, *, ruled: bool = False) -> None:
        self.cells.append({"r0": r0, "r1": r1, "c0": c0, "c1": c1, "text": text, "ruled": ruled})
        if self.style == "inner":
            css += (";border-left:0" if c0 == 0 else "") + (";border-right:0" if c1 == self.columns - 1 else "")
        while len(self.rows) <= r0:
            self.rows.append([])
        merged = f'rowspan="{r1 - r0 + 1}" colspan="{c1 - c0 + 1}" data-k="{len(self.cells) - 1}"'
        self.rows[r0].append((c0, f'<{tag} {merged} style="{css}">{html.escape(text)}</{tag}>'))


def phrase(chance: random.Random, low: int, high: int) -> str:
    return " ".join(chance.choice(NOUNS.split()) for _ in range(chance.randint(low, high))).capitalize()


def entry(chance: random.Random, kind: str) -> str:
    match kind:
        case "whole":
            return f"{chance.randint(0, 99999):,}"
        case "decimal":
            return f"{chance.uniform(0, 999):.{chance.choice([1, 2])}f}"
        case "share":
            return f"{chance.uniform(0, 100):.1f}%"
        case "code":
            return f"{chance.choice('ABCDX')}{chance.choice('RTN')}-{chance.randint(10, 99)}"
        case "text":
            return phrase(chance, 1, 2)
        case _:
            return phrase(chance, 4, 9)


def add_header(draft: Draft, chance: random.Random, align: str) -> int:
    """Add one to three header rows and return how many."""
    bands = chance.choice([1, 1, 2, 2, 3])
    if bands == 1:
        for c in range(draft.columns):
            draft.add("th", 0, 0, c, c, phrase(chance, 1, 2), f"text-align:{'left' if c == 0 else align}")
        return 1
    vertical = chance.choice(["middle", "bottom", "top"])
    draft.add("th", 0, bands - 1, 0, 0, phrase(chance, 1, 2), f"text-align:left;vertical-align:{vertical}")
    under = draft.style == "three" and chance.random() < 0.7
    c = 1
    while c < draft.columns:
        width = min(2 if c == 1 else chance.choice([1, 2, 2, 3]), draft.columns - c)
        if width == 1:
            css = f"text-align:{align};vertical-align:{vertical}"
            draft.add("th", 0, bands - 1, c, c, phrase(chance, 1, 2), css)
        else:
            rule = ";border-bottom:0.7px solid #000" if under else ""
            draft.add("th", 0, 0, c, c + width - 1, phrase(chance, 1, 3), f"text-align:center{rule}", ruled=under)
            for k in range(c, c + width):
                draft.add("th", 1, 1, k, k, phrase(chance, 1, 2 if bands == 2 else 1), f"text-align:{align}")
                if bands == 3:
                    draft.add("th", 2, 2, k, k, chance.choice(UNITS), f"text-align:{align}")
        c += width
    return bands


def add_body(draft: Draft, chance: random.Random, top: int, align: str) -> None:
    ruled = draft.style in ("grid", "inner", "shading")
    columns, end = draft.columns, top + chance.randint(4, 16)
    kinds = [
        chance.choice(["whole", "decimal", "share", "whole", "decimal", "code", "text", "long"]) for _ in range(columns)
    ]
    if kinds.count("long") > 1:
        kinds = ["whole" if kind == "long" else kind for kind in kinds]
    figures = align if align != "left" else "right"
    aligns = [{"code": "center", "text": "left", "long": "left"}.get(kind, figures) for kind in kinds]
    labels_merge = columns > 3 and chance.random() < 0.35
    group_rows = not labels_merge and chance.random() < 0.25
    taken: set[tuple[int, int]] = set()
    row = top
    while row < end:
        if group_rows and chance.random() < 0.25 and row < end - 1:
            css = f"text-align:{chance.choice(['left', 'center'])};font-weight:{chance.choice(['bold', 'normal'])}"
            draft.add("td", row, row, 0, columns - 1, phrase(chance, 1, 3), css)
            row += 1
            continue
        height = min(chance.choice([1, 2, 2, 3, 4]), end - row) if labels_merge else 1
        css = f"text-align:left;vertical-align:{chance.choice(['top', 'middle'])}"
        draft.add("td", row, row + height - 1, 0, 0, phrase(chance, 1, 3), css)
        for r in range(row, row + height):
            c = 1
            while c < columns:
                if (r, c) in taken:
                    c += 1
                    continue
                wide = ruled and c + 1 < columns and (r, c + 1) not in taken and chance.random() < 0.03
                high = ruled and not wide and r + 1 < row + height and chance.random() < 0.02
                text = "" if chance.random() < 0.04 else entry(chance, kinds[c])
                css = f"text-align:{'center' if wide else aligns[c]};vertical-align:middle"
                draft.add("td", r, r + high, c, c + wide, text or ("n/a" if wide or high else ""), css)
                if high:
                    taken.add((r + 1, c))
                c += 1 + wide
        row += height


def printed(draft: Draft, chance: random.Random, head: int) -> str:
    """Return the page."""
    dark = chance.random() < 0.3
    css = {
        "grid": f"th,td{{border:{chance.choice([0.5, 1, 1.5])}px solid {chance.choice(['#000', '#666', '#999'])}}}",
        "inner": "th,td{border:0.8px solid #000} thead tr:first-child>*{border-top:0} "
        "tbody tr:last-child>*{border-bottom:0}",
        "shading": f"th{{background:{'#345' if dark else '#dde8f0'};color:{'#fff' if dark else '#000'}}} "
        "td{background:#f0f0f0} th,td{border:1.5px solid #fff}",
        "three": "table{border-top:1.2px solid #000;border-bottom:1.2px solid #000} "
        "thead{border-bottom:0.8px solid #000}",
        "none": "",
    }[draft.style]
    rows = ["<tr>" + "".join(cell for _, cell in sorted(row)) + "</tr>" for row in draft.rows]
    pad = f"{chance.choice([1, 2, 3, 4])}px {chance.choice([5, 8, 12])}px"
    caption = f"<p><b>Table {chance.randint(1, 20)}</b> {phrase(chance, 3, 6)}</p>" if chance.random() < 0.6 else ""
    return (
        f"<meta charset=utf-8><style>@page{{margin:18mm}}"
        f"body{{font:{chance.choice([9, 10, 11, 12, 13])}px '{chance.choice(FONTS)}'}}"
        f"table{{border-collapse:collapse;{chance.choice(['width:100%', '', 'width:80%'])}}}th,td{{padding:{pad}}}"
        f"th{{font-weight:{chance.choice(['bold', 'normal', 'bold'])}}}thead{{display:table-row-group}}{css}</style>"
        f"<h3>{phrase(chance, 2, 4)}</h3><p>{PROSE}</p>{caption}"
        f"<table><thead>{''.join(rows[:head])}</thead><tbody>{''.join(rows[head:])}</tbody></table><p>{PROSE}</p>"
    )


def seen(cells: list[dict[str, Any]], ink: list[list[float]]) -> list[dict[str, Any]]:
    """Return the cells with merges that nothing shows taken back to where their text stands."""

    def extent(along: int, low: str, high: str, index: int) -> tuple[float, float] | None:
        own = [
            ink[k]
            for k, cell in enumerate(cells)
            if cell[low] == cell[high] == index and cell["text"] and cell["r0"] == cell["r1"]
        ]
        return (min(box[along] for box in own), max(box[along + 2] for box in own)) if own else None

    out: list[dict[str, Any]] = []
    for k, cell in enumerate(cells):
        told = dict(cell)
        if cell["c1"] > cell["c0"] and not cell["ruled"]:
            places = [(c, extent(0, "c0", "c1", c)) for c in range(cell["c0"], cell["c1"] + 1)]
            met = [c for c, at in places if at and ink[k][0] < at[1] and ink[k][2] > at[0]]
            if len(met) == 1:
                told["c0"] = told["c1"] = met[0]
        if cell["r1"] > cell["r0"]:
            middle = (ink[k][1] + ink[k][3]) / 2
            places = [(r, extent(1, "r0", "r1", r)) for r in range(cell["r0"], cell["r1"] + 1)]
            near = [r for r, at in places if at and abs((at[0] + at[1]) / 2 - middle) < 2]
            if near:
                told["r0"] = told["r1"] = near[0]
        out.append(told)
    return out


def make(page: Page, path: Path, style: str, chance: random.Random) -> dict[str, Any]:
    """Print one table and return its truth."""
    draft = Draft(style, chance.randint(3, 7))
    align = chance.choice(["center", "center", "left", "right"])
    head = add_header(draft, chance, align)
    add_body(draft, chance, head, align)
    page.set_content(printed(draft, chance, head))
    page.emulate_media(media="print")
    page.pdf(path=path, format="A4")
    cells = [cell for cell in draft.cells if cell["text"]]
    told = cells
    if style in ("three", "none"):
        ink = [box for box, cell in zip(page.evaluate(INK), draft.cells, strict=True) if cell["text"]]
        told = seen(cells, ink)
    return {"doc": path.name, "page": 1, "cells": cells, "seen": told}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--count", type=int, default=30, help="documents of each style")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--style", nargs="*", choices=STYLES, default=STYLES)
    parser.add_argument("--worst", type=int, default=0, help="print so many of the worst documents of each style")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    browser = os.environ.get("PINCITE_CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    if not browser:
        parser.exit(2, "no Chromium found: install it, or name it in PINCITE_CHROMIUM\n")
    spent = count = 0.0
    truth_lines: list[str] = []
    print("style    macro F1 (as seen)   micro P / R   documents whole   merged cells")
    with sync_playwright() as playwright:
        page = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox"]).new_page()
        # As wide as the paper inside its margins, so that the screen breaks lines as the print does.
        page.set_viewport_size({"width": 658, "height": 1000})
        for style in options.style:
            score = Score()
            for k in range(options.count):
                path = options.out / f"{style}-{k:03}.pdf"
                truth = make(page, path, style, random.Random(f"{options.seed}/{style}/{k}"))
                begun = time.process_time()
                parsed = read_pdf(path.read_bytes(), path.name)
                spent += time.process_time() - begun
                if len(parsed.pages) > 1:
                    # A table over two sheets is another question; its rows would count as wrong.
                    path.unlink()
                    continue
                count += 1
                truth_lines.append(json.dumps(truth, ensure_ascii=False) + "\n")
                score.add(path.name, [truth], [(table.page, cells_of(table)) for table in parsed.tables])
            print(f"{style:8} {score.line()}")
            for value, doc in sorted(score.per_document)[: options.worst]:
                print(f"    {value:.3f} {doc}")
    (options.out / "truth.jsonl").write_text("".join(truth_lines), encoding="utf-8")
    print(f"{1000 * spent / max(count, 1):.1f} ms CPU a page, everything that reads it together")


if __name__ == "__main__":
    main()
