"""Results as a person reads them in a terminal, and the JSON of `inspect`."""

from __future__ import annotations

import json
import re
import sys
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from pincite.corpus.metadata import describe
from pincite.corpus.tables import column_names, header_rows
from pincite.evaluate.answers import groups_of
from pincite.index.run import IndexRun
from pincite.index.run import Progress as IndexProgress
from pincite.types import Cell, Chunk, Description, Field, ParsedDocument, Reading, Table

_REPAIRED = "the file is damaged, a repaired copy was read; pages may be missing: export or download it again"
_UNITS = {
    "reading": "files",
    "recognising": "pages by OCR",
    "describing": "pictures by a vision model",
    "embedding": "texts",
    "building": "chunks",
    "asking": "questions",
    "comparing": "documents",
}


@contextmanager
def progress() -> Generator[IndexProgress]:
    """Show the stages of an index run on standard error: bars in a terminal, one line a stage elsewhere."""
    if not sys.stderr.isatty():
        yield IndexProgress(begin=lambda stage, units: print(f"{stage} {units} {_UNITS[stage]}", file=sys.stderr))
        return
    columns = (TextColumn("{task.description:10}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True)) as bars:
        tasks = [bars.add_task("", total=0, visible=False)]

        def begin(stage: str, units: int) -> None:
            tasks.append(bars.add_task(stage, total=units))

        yield IndexProgress(begin=begin, advance=lambda units: bars.advance(tasks[-1], units))


def progress_lines() -> IndexProgress:
    """Progress of an index run as JSON Lines on standard output, for whoever watches it from another process."""

    def line(event: str, data: dict[str, Any]) -> None:
        print(json.dumps({"event": event, "data": data}), flush=True)

    return IndexProgress(
        begin=lambda stage, units: line("stage", {"stage": stage, "of": units}),
        advance=lambda units: line("progress", {"done": units}),
    )


def index_report(run: IndexRun) -> str:
    """What an index run did: totals, then every file that is not simply unchanged and every page without text."""
    count: dict[str, int] = {}
    for report in run.documents:
        count[report.status] = count.get(report.status, 0) + 1
    lines = [", ".join(f"{n} {status}" for status, n in sorted(count.items()))]
    for report in run.documents:
        notable = report.status in ("failed", "dropped") or report.standing != "citable"
        if notable:
            lines.append(f"  {report.status:9} {report.source}: {report.reason or report.standing}")
        if report.repaired:
            lines.append(f"  repaired  {report.source}: {_REPAIRED}")
        if report.vision:
            lines.append(f"  vision    {report.source}: {report.vision}")
        if report.pages_not_text:
            by_verdict: dict[str, list[int]] = {}
            for page, verdict in report.pages_not_text:
                by_verdict.setdefault(verdict, []).append(page)
            pages = "; ".join(f"{verdict} {_ranges(found)}" for verdict, found in by_verdict.items())
            lines.append(f"  pages     {report.source}: {pages}")
    nowhere = [(report, len(report.unresolved)) for report in run.documents if report.unresolved]
    if nowhere:
        references, leading = sum(r.references for r in run.documents), sum(n for _, n in nowhere)
        most = max(nowhere, key=lambda pair: pair[1])[0].source
        lines.append(
            f"  references {references} read; {leading} texts in {len(nowhere)} documents lead nowhere in the library, "
            f"most of them in {most} (--json lists them)"
        )
    if run.empty_passages:
        lines.append(f"  skipped   {run.empty_passages} passages without text")
    seconds = ", ".join(f"{stage} {spent:.1f} s" for stage, spent in run.seconds.items())
    what = "published" if run.published else "nothing changed: kept"
    lines.append(f"{what} release {run.release.id}: {run.release.chunks} chunks ({seconds})")
    return "\n".join(lines)


def index_json(run: IndexRun) -> dict[str, Any]:
    """The object of `pincite index --json`."""
    documents: list[dict[str, Any]] = []
    for report in run.documents:
        record = asdict(report)
        record["pages_not_text"] = [{"page": page, "verdict": verdict} for page, verdict in report.pages_not_text]
        documents.append(record)
    return {
        "release": run.release.id,
        "published": run.published,
        "documents": documents,
        "empty_passages": run.empty_passages,
        "seconds": run.seconds,
    }


def documents_table(listed: dict[str, Any]) -> str:
    """One line a revision."""
    rows = [("document", "revision", "standing", "pages", "language", "title")]
    for d in listed["documents"]:
        standing = d["standing"] + (f" ({d['reason']})" if d["reason"] else "")
        rows.append((d["document"], d["revision"], standing, str(d["pages"]), d["language"], d["title"][:60]))
    return _columns(rows)


def sections_tree(found: dict[str, Any]) -> str:
    """Sections indented by depth, with their first page."""
    return "\n".join(
        f"{'  ' * (len(s['path']) - 1)}{s['title']}  ·  {'page ' + str(s['pages'][0]) if s['pages'] else 'no page'}"
        for s in found["sections"]
    )


def releases_table(listed: Sequence[dict[str, Any]]) -> str:
    """One line a release, the live one marked."""
    rows = [("", "release", "created", "documents", "chunks")]
    rows += [
        ("live" if r["live"] else "", r["release"], r["created"], str(r["documents"]), str(r["chunks"])) for r in listed
    ]
    return _columns(rows)


def search_results(found: dict[str, Any]) -> str:
    """Passages with the place they stand in and how they begin."""
    if not found["passages"]:
        return "nothing found"
    lines: list[str] = []
    for rank, p in enumerate(found["passages"], 1):
        pages = f", page {_ranges(p['pages'])}" if p["pages"] else ""
        place = " › ".join(p["section"]) or "before the first heading"
        standing = "" if p["standing"] == "citable" else f"  [{p['standing']}]"
        score = f"  {p['score']:.4f}" if "score" in p else ""
        lines.append(f"{rank:2}. {p['title']} (revision {p['revision']}){pages}{standing}{score}")
        lines.append(f"    {place}")
        lines.append(f"    {' '.join(p['text'].split())[:220]}")
    lines.append(f"{found['milliseconds']} ms")
    return "\n".join(lines)


class AnswerPrinter:
    """Prints an answer while it streams: steps on standard error, verified blocks on standard output."""

    def __init__(self, *, quiet: bool) -> None:
        self._quiet = quiet
        self._begun = time.monotonic()

    def show(self, event: dict[str, Any]) -> None:
        """Print one event of the stream."""
        if self._quiet:
            return
        data = event["data"]
        match event["event"]:
            case "step":
                print(f"· {data['summary']}", file=sys.stderr, flush=True)
            case "block":
                print(_with_marks(data["markdown"]), flush=True)
            case "table":
                print(_grid(data), flush=True)
            case "withheld":
                print(f"[withheld: {data['reason']}]", flush=True)
            case "outcome":
                self._sources(data)
            case _:
                pass

    def _sources(self, answer: dict[str, Any]) -> None:
        if answer["outcome"] == "escalated" or (answer["outcome"] == "refused" and not answer["markdown"]):
            print(f"\n{answer['outcome']}: {answer['reason']}")
        for c in answer["citations"]:
            pages = ", ".join(p["label"] for p in c["pages"])
            where = " › ".join(c["section"])
            place = f"revision {c['revision']}, {where}{', page ' + pages if pages else ''}"
            if c["row"]:
                place = f"{where}, row {c['row']}, read {c['retrieved_at']}"
            print(f"\n[{c['n']}] {c['title']}, {place}")
            print(f"    “{' '.join(c['quote'].split())[:400]}”")


_MATCHES = {
    "number": "has this number",
    "oem": "has this OEM number",
    "successor": "supersedes a part with this number",
    "spelling": "SIMILAR: the number is written otherwise",
    "similar": "SIMILAR: another number that holds this one",
    "words": "found by words",
}


def lookup_table(found: dict[str, Any], name: str) -> str:
    """Rows of the catalogue, each with why it was found, its key and when it was read."""
    if not found["rows"]:
        return f"{name} has no row for {found['query']!r}"
    lines: list[str] = []
    for row in found["rows"]:
        lines.append(f"{row['number']}   ({_MATCHES[row['match']]})")
        price = f"{row['currency']} {row['price']}".strip() if row["price"] is not None else ""
        fields = {
            "description": row["description"],
            "manufacturer": row["manufacturer"],
            "model": row["model"],
            "OEM numbers": ", ".join(row["oem_numbers"]),
            "supersedes": ", ".join(row["supersedes"]),
            "superseded by": " → ".join(row["superseded_by"]),
            "stock": row["stock"] or "",
            "price": price,
            "row": f"{row['key']}, read {row['read_at']}",
        }
        lines += [f"    {label + ':':15}{value}" for label, value in fields.items() if value]
    more = ["more rows match: ask for a number, or for more words"] if found["more"] else []
    return "\n".join([*lines, *more])


def retrieval_report(report: dict[str, Any]) -> str:
    """Measures with intervals, then what moved against an earlier run."""
    cases = report["cases"]
    lines = [
        f"{cases['file']}: {cases['measured']} of {cases['total']} cases measured "
        f"({cases['documents_missing']} lack their documents, {cases['without_evidence']} have no evidence to find)"
    ]
    names = list(report["measures"])
    rows = [("", *names, "n")]
    groups = [
        (f"all, {report['mode']}", report["measures"]),
        *((mode, other["measures"]) for mode, other in report["beside"].items()),
        *report["by_kind"].items(),
        *report["by_language"].items(),
    ]
    for group, measures in groups:
        shown = [f"{measures[n]['value']:.2f} ({measures[n]['low']:.2f}-{measures[n]['high']:.2f})" for n in names]
        rows.append((group, *shown, str(measures[names[0]]["n"])))
    lines.append(_columns(rows))
    for mode, other in report["beside"].items():
        for what in ("gained", "lost"):
            lines.append(f"{what} against {mode}: {len(other[what])}{''.join(f' {id_}' for id_ in other[what][:30])}")
    missed = [q["id"] for q in report["questions"] if q["first_rank"] is None]
    if missed:
        more = f" and {len(missed) - 50} more" if len(missed) > 50 else ""
        lines.append(f"not found: {', '.join(missed[:50])}{more}")
    for moved in report.get("moved", []):
        lines.append(f"  {moved['id']}: rank {moved['before'] or '-'} → {moved['now'] or '-'}")
    lines.append(f"search p50 {report['milliseconds']['p50']} ms, p95 {report['milliseconds']['p95']} ms")
    return "\n".join(lines)


_JUDGED = {
    "right": "right",
    "gold_without_page": "right, another page cited",
    "table_only": "only in the table shown",
    "wrong": "wrong",
    "forbidden": "says what it must not",
    "refused": "refused",
    "escalated": "passed to a person",
    "broken": "broke",
}


def answers_report(report: dict[str, Any], *, each: bool) -> str:
    """Counts for each group, those that are right with intervals; times; whether answers stay the same; what moved."""
    cases = report["cases"]
    half = f", half {cases['half']}" if cases["half"] else ""
    lines = [
        f"{cases['file']}{half}: {cases['measured']} of {cases['total']} cases measured "
        f"({cases['documents_missing']} lack their documents, {cases['left_out']} of another half), answered by "
        f"{', '.join(f'{model} ({n})' for model, n in report['answered_by'].items()) or 'nothing'}"
    ]
    if each:
        lines += [_judged_line(question) for question in report["questions"]]
    for name in ("answerable", "unanswerable"):
        groups = [(group, found[name]) for group, found in groups_of(report) if found[name]]
        used = [j for j in _JUDGED if j == "right" or any(found[j]["value"] for _, found in groups)]
        rows = [(name, *(_JUDGED[j] for j in used), "n")] if groups else []
        for group, found in groups:
            others = (str(round(found[j]["value"] * found[j]["n"])) for j in used if j != "right")
            rows.append((group, _counted(found["right"]), *others, str(found["right"]["n"])))
        lines += ["", _columns(rows)] if rows else []
    lines.append("")
    for name in ("as_expected", "wrong_and_not_refused", "coverage", "selective_accuracy"):
        if report[name]:
            n = report[name]["n"]
            lines.append(f"{name.replace('_', ' ')}: {_counted(report[name])} of {n}")
    times = (f"{name.replace('_', ' ')} {t['p50']:.0f} / {t['p95']:.0f}" for name, t in report["milliseconds"].items())
    lines.append(f"milliseconds, p50 / p95: {', '.join(times)}")
    repeat = report["repeat"]
    if repeat["times"] > 1:
        flipped = f"; by themselves flip {', '.join(repeat['flipped'])}" if repeat["flipped"] else ""
        lines.append(
            f"the same answer {repeat['times']} times: {repeat['same_answer']} of {cases['measured']}{flipped}"
        )
    if against := report.get("against"):
        lines.append(
            f"against the earlier report, {against['paired']} cases of both: {len(against['gained'])} became right, "
            f"{len(against['lost'])} no longer are (p = {against['p']:.3f}); {against['other_words']} answers differ"
        )
        for m in against["moved"]:
            chance = "  (flips by itself)" if m["by_itself"] else ""
            lines.append(f"  {m['id']}: {_JUDGED[m['before']]} → {_JUDGED[m['now']]}{chance}")
    return "\n".join(lines)


def _counted(measure: dict[str, Any]) -> str:
    count = round(measure["value"] * measure["n"])
    return f"{count} = {measure['value']:.2f} ({measure['low']:.2f}-{measure['high']:.2f})"


def _judged_line(question: dict[str, Any]) -> str:
    said = " ".join(_with_marks(question["answer"] or question["reason"]).split())[:160]
    place = " ".join(filter(None, (question["half"], question["language"])))
    return f"{question['id']:12} {place:8} {_JUDGED[question['judgement']]:26} {question['question'][:60]} → {said}"


def doctor_report(checks: Sequence[Any]) -> str:
    """One line a check, with what to do where it failed."""
    return "\n".join(f"{'ok  ' if check.ok else 'FAIL'}  {check.name}: {check.message}" for check in checks)


# ---------------------------------------------------------------- inspect


def inspection_json(parsed: ParsedDocument, chunks: Sequence[Chunk]) -> dict[str, Any]:
    """The object of `pincite inspect --json`."""
    return {
        "source": parsed.source,
        "sha256": parsed.sha256,
        "title": parsed.title,
        "language": parsed.language,
        "repaired": parsed.repaired,
        "description": asdict(describe(parsed)),
        "pages": [
            {
                "page": p.page,
                "label": p.label,
                "verdict": p.verdict,
                "width": p.width,
                "height": p.height,
                "rotation": p.rotation,
                "box": p.box,
                "reason": p.reason,
            }
            for p in parsed.pages
        ],
        "sections": [{"path": s.path, "title": s.title, "level": s.level, "page": s.page} for s in parsed.sections],
        "chunks": [
            {
                "index": c.index,
                "section": c.section,
                "kind": c.kind,
                "pages": c.pages,
                "text": c.text,
                "embedded_text": c.embedded_text,
            }
            for c in chunks
        ],
        "tables": [table_json(table) for table in parsed.tables],
        "figures": [
            {
                "page": f.page,
                "box": f.box,
                "caption": " ".join(line.text for line in parsed.lines[f.line : f.line + f.caption_lines]),
                "printed_inside": [line.text for line in f.lines],
            }
            for f in parsed.figures
        ],
        "notes": [
            {"mark": n.mark, "page": n.lines[0].page, "text": " ".join(line.text for line in n.lines)}
            for n in parsed.notes
        ],
        "furniture": [{"page": line.page, "text": line.text} for line in parsed.furniture],
    }


def table_json(table: Table) -> dict[str, Any]:
    """A table as `inspect` and `tables` print it; what it does not have is left out."""
    record: dict[str, Any] = {
        "page": table.page,
        "cells": [_cell_json(cell) for cell in table.cells],
        "confidence": table.confidence,
    }
    if header_rows(table):
        record["columns"] = column_names(table)
    if table.caption:
        record["caption"] = table.caption
    if table.footnotes:
        record["footnotes"] = table.footnotes
    if table.continues is not None:
        record["continues"] = table.continues
    return record


def _cell_json(cell: Cell) -> dict[str, Any]:
    return {
        "r0": cell.r0,
        "r1": cell.r1,
        "c0": cell.c0,
        "c1": cell.c1,
        "text": cell.text,
        "bbox": cell.box,
        "header": cell.header,
    }


def inspection(parsed: ParsedDocument, chunks: Sequence[Chunk]) -> str:
    """A summary for people: what was found, the sections, pages with a note."""
    lines = [
        f"{parsed.title}  ({parsed.source}, {parsed.language})",
        f"{len(parsed.pages)} pages, {len(parsed.sections)} sections, {len(parsed.tables)} tables, "
        f"{len(parsed.figures)} figures, {len(parsed.notes)} footnotes, {len(chunks)} chunks",
        *_described(describe(parsed)),
    ]
    lines += [f"  {_REPAIRED}"] if parsed.repaired else []
    lines += [f"  page {p.page} ({p.label}): {p.verdict}: {p.reason}" for p in parsed.pages if p.reason]
    lines += [f"{'  ' * s.level}{s.title}  ·  page {s.page}" for s in parsed.sections]
    for table in parsed.tables:
        rows, columns = max(c.r1 for c in table.cells) + 1, max(c.c1 for c in table.cells) + 1
        doubtful = "  doubtful" if table.confidence < 0.5 else ""
        lines.append(f"  table on page {table.page}: {rows} × {columns} {table.caption}{doubtful}")
    return "\n".join(lines)


def _described(description: Description) -> list[str]:
    """One line for each field that the document says, with the place; what else is said follows in brackets."""
    lines: list[str] = []
    for name in ("title", "revision", "date", "kind", "brand", "model", "summary"):
        found: Field = getattr(description, name)
        if found.reading is None:
            continue
        others = "; ".join(f"{other.value} ({_place(other)})" for other in found.others)
        also = f"   [also: {others}]" if others else ""
        lines.append(f"  {name:9} {found.reading.value}  ({_place(found.reading)}){also}")
    return lines


def _place(reading: Reading) -> str:
    if reading.read_from == "printed":
        return f"page {reading.page}"
    return f"metadata: {reading.key}" if reading.read_from == "metadata" else reading.read_from


# ---------------------------------------------------------------- text


def _with_marks(markdown: str) -> str:
    """Markdown as plain lines: marks as [1], escapes undone."""
    text = re.sub(r"\{\{(\d+)\}\}", r"[\1]", markdown)
    return re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", text).strip("\n")


def _grid(table: dict[str, Any]) -> str:
    """A table as lines; the rows that the answer rests on carry its mark, as they are highlighted on the page."""
    evidence = {row for row, _ in table["highlighted"]}
    lines = _columns([[_short(cell) for cell in row] for row in (table["columns"], *table["rows"])]).split("\n")
    marked = [f"{line}  [{table['citation']}]" if row in evidence else line for row, line in enumerate(lines, -1)]
    return "\n".join([*marked, *table["footnotes"]])


def _short(cell: str) -> str:
    text = " ".join(cell.split())
    return text if len(text) <= 40 else f"{text[:39]}…"


def _columns(rows: Sequence[Sequence[str]]) -> str:
    if not rows:
        return ""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return "\n".join("  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)).rstrip() for row in rows)


def _ranges(pages: Sequence[int]) -> str:
    """Sheets as people write them: 3–5, 9."""
    out: list[list[int]] = []
    for page in sorted(pages):
        if out and page == out[-1][-1] + 1:
            out[-1].append(page)
        else:
            out.append([page])
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}–{run[-1]}" for run in out)
