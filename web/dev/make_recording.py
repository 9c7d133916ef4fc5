# ruff: noqa: E501 (the recorded lines read better whole)
"""Makes rulebook.pdf and recording.json: a document whose boxes are known because this script prints it, and the events
of a few answers about it. Run with the project's Python after a change: python web/dev/make_recording.py
"""

from __future__ import annotations

import hashlib
import io
import json
from pathlib import Path

import pikepdf
from reportlab.lib.pagesizes import A3, A4, landscape
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

HERE = Path(__file__).parent
TITLE = "Farrow Rulebook: Acceptance"
W, H = A4
boxes: dict[str, list[float]] = {}


def write(canvas: Canvas, key: str, x: float, y: float, text: str, *, bold: bool = False, size: float = 11) -> None:
    """Print a line and remember its box in the page's own points."""
    font = "Helvetica-Bold" if bold else "Helvetica"
    canvas.setFont(font, size)
    canvas.drawString(x, y, text)
    boxes[key] = [x, y - 0.22 * size, x + stringWidth(text, font, size), y + 0.76 * size]


def draw_table(
    canvas: Canvas, top: float, name: str, rows: list[list[tuple[str, int, int]]], widths: list[float]
) -> None:
    """Rows of (text, rows down, columns wide); a cell that an earlier one covers is left out by the caller."""
    left, height = 72.0, 24.0
    taken: set[tuple[int, int]] = set()
    for r, row in enumerate(rows):
        c = 0
        for text, down, wide in row:
            while (r, c) in taken:
                c += 1
            taken |= {(r + i, c + j) for i in range(down) for j in range(wide)}
            x, w = left + sum(widths[:c]), sum(widths[c : c + wide])
            canvas.rect(x, top - (r + down) * height, w, down * height)
            write(canvas, f"{name} {r} {c}", x + 6, top - (r + down / 2) * height - 4, text, bold=r < 2)
            boxes[f"{name} cell {r} {c}"] = [x, top - (r + down) * height, x + w, top - r * height]
            c += wide


FEES = [
    [("Fee", 2, 1), ("Domestic", 1, 2), ("Cross-border", 1, 2)],
    [("Debit", 1, 1), ("Credit", 1, 1), ("Debit", 1, 1), ("Credit", 1, 1)],
    [("Purchase", 1, 1), ("0.20 %", 1, 1), ("0.30 %", 1, 1), ("0.35 %", 2, 1), ("0.45 %", 1, 1)],
    [("Cash advance", 1, 1), ("0.25 %", 1, 1), ("0.40 %", 1, 1), ("0.60 %", 1, 1)],
    [("Refund", 1, 1), ("0.05 % of the purchase | minimum € 0.10", 1, 4)],
    [("Chargeback <= 30 days", 1, 1), ("€ 12,50", 1, 2), ("$15", 1, 2)],
]


def grid(rows: list[list[tuple[str, int, int]]]) -> list[dict[str, object]]:
    cells: list[dict[str, object]] = []
    taken: set[tuple[int, int]] = set()
    for r, row in enumerate(rows):
        c = 0
        for text, down, wide in row:
            while (r, c) in taken:
                c += 1
            taken |= {(r + i, c + j) for i in range(down) for j in range(wide)}
            cells.append({"r0": r, "r1": r + down - 1, "c0": c, "c1": c + wide - 1, "text": text, "box": None,
                          "header": r < 2 or c == 0})  # fmt: skip
            c += wide
    return cells


def full(rows: list[list[tuple[str, int, int]]]) -> list[list[str]]:
    cells = grid(rows)
    height = max(int(str(cell["r1"])) for cell in cells) + 1
    return [
        [next(str(k["text"]) for k in cells if k["r0"] <= r <= k["r1"] and k["c0"] <= c <= k["c1"]) for c in range(5)]  # type: ignore[operator]
        for r in range(height)
    ]


def make_pdf() -> bytes:
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=A4, invariant=True)
    canvas.setTitle(TITLE)
    write(canvas, "cover", 72, 600, TITLE, bold=True, size=24)
    write(canvas, "cover2", 72, 570, "Revision 5")
    canvas.showPage()
    write(canvas, "contents", 72, 760, "Contents", bold=True, size=16)
    for i, line in enumerate(["3 Devices ........ 1", "4 Fees ........ 2", "5 Appliances that turn ........ 3"]):
        write(canvas, f"contents {i}", 72, 730 - 18 * i, line)
    canvas.showPage()
    write(canvas, "3", 72, 770, "3 Devices", bold=True, size=16)
    write(canvas, "3.1", 72, 740, "3.1 Household appliances", bold=True, size=13)
    for i, line in enumerate([
        "A cardholder may pay with a refrigerator that is enrolled as a device.",
        "The refrigerator must ask for a confirmation above 25 euro for each order.",
        "An appliance that cannot show the amount is not a device.",
        "Part numbers such as TRX_0042_A and FR<200> are read from the label.",
    ]):  # fmt: skip
        write(canvas, f"3.1 {i}", 72, 714 - 18 * i, line)
    write(canvas, "3.2", 72, 620, "3.2 Pumps", bold=True, size=13)
    write(canvas, "3.2 0", 72, 596, "A pump reports its flow in m3/h and its speed in 1/min.")
    canvas.showPage()
    write(canvas, "4", 72, 770, "4 Fees", bold=True, size=16)
    draw_table(canvas, 740, "fees", FEES, [130, 80, 80, 80, 80])
    canvas.showPage()
    # A page that is stored lying on its side and shown upright by /Rotate 90.
    canvas.setPageSize((W, H))
    canvas.saveState()
    canvas.translate(W, 0)
    canvas.rotate(90)
    text = "A washing machine that turns at 1450 rpm is no terminal."
    canvas.setFont("Helvetica", 11)
    canvas.drawString(72, 480, text)
    wide = stringWidth(text, "Helvetica", 11)
    boxes["turned"] = [W - 480 - 0.76 * 11, 72, W - 480 + 0.22 * 11, 72 + wide]
    canvas.restoreState()
    canvas.showPage()
    write(canvas, "cropped", 200, 400, "Inside the crop box: an oven pays like a refrigerator.")
    write(canvas, "crop mark", 20, 20, "Printer's mark, outside")
    canvas.showPage()
    canvas.setPageSize(landscape(A3))
    write(canvas, "wide", 700, 500, "The plan of the kitchen is printed on A3, landscape.")
    canvas.showPage()
    canvas.save()
    with pikepdf.open(io.BytesIO(out.getvalue())) as pdf:
        pdf.pages[4].Rotate = 90
        pdf.pages[5].CropBox = pikepdf.Array([150, 200, 550, 600])
        pdf.Root.PageLabels = pikepdf.Dictionary(
            Nums=pikepdf.Array([0, pikepdf.Dictionary(S=pikepdf.Name.r), 2, pikepdf.Dictionary(S=pikepdf.Name.D)])
        )
        done = io.BytesIO()
        pdf.save(done, deterministic_id=True)
    return done.getvalue()


def main() -> None:
    data = make_pdf()
    (HERE / "rulebook.pdf").write_bytes(data)
    digest = hashlib.sha256(data).hexdigest()

    def citation(
        n: int, section: list[str], sheets: dict[int, list[str]], quote: str, standing: str = "citable"
    ) -> object:
        labels = ["i", "ii", "1", "2", "3", "4", "5"]
        pages = [{"page": p, "label": labels[p - 1], "boxes": [boxes[k] for k in keys]} for p, keys in sheets.items()]
        return {"n": n, "document": "farrow-acceptance", "source": "farrow-acceptance-rev5.pdf", "title": TITLE,
                "revision": "5", "sha256": digest, "section": section, "pages": pages, "quote": quote,
                "standing": standing, "retrieved_at": "2026-11-30T12:00:00Z",
                "url": f"/view/farrow-acceptance/{digest}?page={pages[0]['page']}"}  # fmt: skip

    appliances = ["3 Devices", "3.1 Household appliances"]
    may = citation(1, appliances, {3: ["3.1 0", "3.1 1"]},
                   "A cardholder may pay with a refrigerator that is enrolled as a device. The refrigerator must ask for a"
                   " confirmation above 25 euro for each order.")  # fmt: skip
    amount = citation(2, appliances, {3: ["3.1 2"]}, "An appliance that cannot show the amount is not a device.")
    turned = citation(3, ["5 Appliances that turn"], {5: ["turned"]},
                      "A washing machine that turns at 1450 rpm is no terminal.", "readable")  # fmt: skip
    cropped = citation(4, ["5 Appliances that turn"], {6: ["cropped"]},
                       "Inside the crop box: an oven pays like a refrigerator.")  # fmt: skip
    plan = citation(
        5, ["5 Appliances that turn"], {7: ["wide"]}, "The plan of the kitchen is printed on A3, landscape."
    )
    fees = citation(
        1, ["4 Fees"], {4: ["fees cell 2 0", "fees cell 2 1"]}, "Purchase | 0.20 % | 0.30 % | 0.35 % | 0.45 %"
    )
    table = {"id": "t1", "citation": 1, "columns": ["Fee", "Domestic Debit", "Domestic Credit", "Cross-border Debit",
             "Cross-border Credit"], "rows": full(FEES)[2:], "highlighted": [[0, 0], [0, 1]], "cells": grid(FEES),
             "caption": "Table 4.1: Fees for each transaction", "footnotes": []}  # fmt: skip

    def step(tool: str, summary: str, ms: int, **arguments: object) -> object:
        return {"event": "step", "data": {"tool": tool, "arguments": arguments, "summary": summary, "milliseconds": ms}}

    def note(title: str) -> object:
        return {"id": title, "document": "farrow-acceptance", "source": "x.pdf", "revision": "5", "section": [],
                "pages": [3], "kind": "text", "title": title}  # fmt: skip

    def block(markdown: str, *citations: object) -> object:
        return {"event": "block", "data": {"markdown": markdown, "citations": list(citations)}}

    def answer(match: str, events: list[object], outcome: str, *, citations: list[object], reason: str = "",
               tables: list[object] | None = None, withheld: list[object] | None = None) -> object:  # fmt: skip
        blocks = [e["data"] for e in events if e["event"] == "block"]  # type: ignore[index]
        steps = [e["data"] for e in events if e["event"] == "step"]  # type: ignore[index]
        whole = {"id": "", "conversation": "", "question": "", "standalone_question": "", "outcome": outcome,
                 "reason": reason, "markdown": "".join(b["markdown"] for b in blocks), "citations": citations,
                 "tables": tables or [], "withheld": withheld or [], "steps": steps, "model": "recorded",
                 "release": "2026-11-30", "milliseconds": {"first_step": 12, "first_block": 900, "total": 2400}}  # fmt: skip
        ends = [{"event": "sources", "data": {"citations": citations}}, {"event": "outcome", "data": whole}]
        return {"match": match, "events": [*events, *ends]}

    dropped = {"text": "A toaster may pay up to 40 euro.", "claim": "40 euro", "verdict": "unsupported",
               "reason": "no passage that was found has 40 euro"}  # fmt: skip
    search = step(
        "search", "Searched for “pay with a refrigerator”: 10 passages in 3 documents", 140, question="fridge"
    )
    read = step("section", "Read section 3.1 Household appliances", 20, path="3.1")
    seen = {
        "event": "passages",
        "data": {"passages": [note(TITLE), note("Farrow Rulebook: Fees"), note("CRN 32-3 [rev 3]")]},
    }
    answers = [
        answer("fridge", [
            step("standalone", "The question stands by itself", 4), search, seen, read,
            block("Yes: a cardholder may pay with a refrigerator that is enrolled as a device. {{1}}", may),
            block(" The refrigerator must ask for a confirmation above 25 euro for each order. {{1}}", may),
            block("\n\nWhat does not count:"),
            block("\n\n- An appliance that cannot show the amount is not a device. {{2}}", amount),
            block("\n- A washing machine that turns at 1450 rpm is no terminal, whatever its flow in [m³/h]. {{3}}", turned),
            block("\n- An oven pays like a refrigerator; see TRX\\_0042\\_A, FR&lt;200> and the [plan](/view/plan). {{4}} {{5}}"
                  .replace("&lt;", "<"), cropped, plan),
            {"event": "withheld", "data": dropped},
        ], "answered", citations=[may, amount, turned, cropped, plan], withheld=[dropped]),
        answer("fee", [
            step("search", "Searched for “domestic purchase fee”: 10 passages in 2 documents", 130), seen,
            block("A domestic purchase with a debit card costs 0.20 %. {{1}}", fees),
            {"event": "table", "data": table},
            block("\n\n| Fee | Domestic |\n| --- | --- |"),
            block("\n| Purchase \\| debit | 0.20 % {{1}} |", fees),
            block("\n| Chargeback | € 12,50 – $15 {{1}} |", fees),
        ], "answered", citations=[fees], tables=[table]),
        answer("toaster", [search, {"event": "withheld", "data": dropped}], "escalated", citations=[], withheld=[dropped],
               reason="The draft names an amount that no document carries. A person will look at it."),
        answer("", [search], "refused", citations=[], reason="Nothing that was found is about this."),
    ]  # fmt: skip
    recording = {
        "about": {"name": "Pincite", "version": "dev", "release": "2026-11-30", "documents": 1, "chunks": 9,
                  "model": "recorded", "notice": "Answers are made by a machine from the documents of this library.",
                  "examples": ["Can I pay with my fridge?", "What is the domestic purchase fee?",
                               "May a toaster pay?", "What is the capital of Peru?"],
                  "roles": ["asker", "reviewer", "admin"]},
        "documents": [{"document": "farrow-acceptance", "source": "farrow-acceptance-rev5.pdf", "title": TITLE,
                       "revision": "5", "sha256": digest, "standing": "citable", "reason": "", "pages": 7, "language": "en",
                       "date": "2026-03-01", "kind": "rulebook", "summary": "Which devices pay, and what it costs.",
                       "tables": 1, "pages_not_text": [{"page": 1, "verdict": "ocr"}], "repaired": False}],
        "pages": [
            {"page": p, "label": label, "verdict": "ocr" if p == 1 else "text", "reason": "a scan" if p == 1 else "",
             "confidence": 0.91 if p == 1 else 1.0, "tables": int(p == 4),
             "doubtful_tables": ["Table 4.1"] if p == 4 else []}
            for p, label in enumerate(["i", "ii", "1", "2", "3", "4", "5"], 1)
        ],
        "sections": [
            {"path": ["3 Devices"], "title": "3 Devices", "pages": [3]},
            {"path": appliances, "title": appliances[-1], "pages": [3]},
            {"path": ["3 Devices", "3.2 Pumps"], "title": "3.2 Pumps", "pages": [3]},
            {"path": ["4 Fees"], "title": "4 Fees", "pages": [4]},
            {"path": ["5 Appliances that turn"], "title": "5 Appliances that turn", "pages": [5, 6, 7]},
        ],
        "answers": answers,
        "boxes": boxes,
    }  # fmt: skip
    (HERE / "recording.json").write_text(json.dumps(recording, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
