"""What every report shares: the cases it was made on, percentiles, reading an earlier one, and the page for people."""

from __future__ import annotations

import hashlib
import html
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

from pincite.errors import InputError

Kind = Literal["retrieval", "answers"]

_STYLE = (
    "body{font:16px/1.5 system-ui;margin:2rem;max-width:75rem}td,th{padding:.2rem .8rem;text-align:left;"
    "vertical-align:top}tr:nth-child(even){background:#8881}"
)


def fingerprint(path: Path) -> dict[str, str]:
    """Return name and hash of a file of cases: which questions a figure was measured on."""
    return {"file": path.name, "sha256": hashlib.sha256(path.read_bytes()).hexdigest()}


def percentiles(values: Sequence[float]) -> dict[str, float]:
    """Return p50 and p95 of at least one value, each of them a value that was measured."""
    ordered = sorted(values)
    return {
        "p50": round(ordered[len(ordered) // 2], 1),
        "p95": round(ordered[min(int(len(ordered) * 0.95), len(ordered) - 1)], 1),
    }


def read_report(path: Path, kind: Kind) -> dict[str, Any]:
    """Return an earlier report as its JSON was written.

    Raises:
        InputError: If the file is not a report of that kind.
    """
    try:
        report: dict[str, Any] = json.loads(path.read_bytes())
        if report["kind"] == kind and isinstance(report["questions"], list):
            return report
    except (OSError, ValueError, KeyError, TypeError):
        pass
    raise InputError(f"{path} is not a report of `pincite evaluate {kind} --json`", source=path.name)


def shown(measure: dict[str, Any]) -> str:
    """Return a measure with its interval and n, for people."""
    return f"{measure['value']:.3f} ({measure['low']:.3f}–{measure['high']:.3f}, n = {measure['n']})"


def page(title: str, body: str) -> str:
    """Return one page of HTML that needs nothing else; ``body`` is HTML already, ``title`` is text."""
    return (
        f"<!doctype html><html lang=en><meta charset=utf-8><title>{html.escape(title)}</title>"
        f"<style>{_STYLE}</style><h1>{html.escape(title)}</h1>{body}</html>\n"
    )


def table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table as HTML from plain text; the first cell of each row heads it."""
    head = "".join(f"<th>{html.escape(cell)}</th>" for cell in heads)
    body = "".join(
        f"<tr><th>{html.escape(row[0])}</th>{''.join(f'<td>{html.escape(cell)}</td>' for cell in row[1:])}</tr>"
        for row in rows
    )
    return f"<table><tr>{head}</tr>{body}</table>"
