"""Make labelled answers from real tables and texts: ``python benchmarks/gate_generated.py TABLES PASSAGES…``.

TABLES: `cells` with spans (ICDAR 2013 form); PASSAGES: `{text, lang}` or cases of
the gate, whose first context is the text. Prints cases as `benchmarks/gate.py` reads them.
What is true is said again in other words and order; what is false takes the value of another row or column, swaps two
values, takes another value of the passage, makes one up, or turns a statement round. The same input and seed give the
same cases; which half a case belongs to (`half`) goes by its document.
"""

from __future__ import annotations

import json
import random
import re
import sys
import zlib
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

from pincite.answer.claims import claims, sentences

CASE = dict[str, Any]

ONE = (
    "For {row}, the {col} is {v}.",
    "{row} had {v} under {col}.",
    "In the column {col}, {row} stands at {v}.",
    "- {row}: {v} ({col})",
    "The figure given for {row} in {col} was {v}.",
    "{col} of {row} amounts to {v}, according to the table.",
)
TWO_ROWS = (
    "{row} shows {v} and {row2} {v2} for {col}.",
    "{col}: {v} for {row}, but {v2} for {row2}.",
    "While {row} has {v}, {row2} has {v2} ({col}).",
)
TWO_COLUMNS = ("For {row}, {col} is {v} and {col2} is {v2}.", "{row}: {v} ({col}), {v2} ({col2}).")


def half_of(name: str) -> int:
    return zlib.crc32(name.encode()) % 2


def flat(text: str) -> str:
    return " ".join(text.split())


def is_value(text: str) -> bool:
    return bool(re.fullmatch(r"[^\w]{0,3}\d[\d ,.]*\s?(?:%|[A-Za-z]{1,3}|bn|million)?", text)) and len(text) < 14


def spans_of(answer: str, values: tuple[str, ...]) -> list[CASE]:
    """Return where the false values stand: their last occurrence as a whole."""
    spans: list[CASE] = []
    for value in values:
        found = list(re.finditer(rf"(?<![\w.,]){re.escape(value)}(?![\w])", answer))
        if found:
            spans.append({"text": value, "start": found[-1].start(), "end": found[-1].end()})
    return spans


def table_cases(record: CASE, chance: random.Random) -> Iterator[CASE]:
    rows, columns = record["n_rows"], record["n_cols"]
    grid = [["" for _ in range(columns)] for _ in range(rows)]
    for cell in record["cells"]:
        for r in range(cell["r0"], cell["r1"] + 1):
            for c in range(cell["c0"], cell["c1"] + 1):
                grid[r][c] = flat(cell["text"])
    heads = next((r for r in range(rows) if any(is_value(t) for t in grid[r][1:])), rows)
    if not 0 < heads <= 3 or rows - heads < 2:
        return
    titles = [" ".join(dict.fromkeys(grid[r][c] for r in range(heads) if grid[r][c])) for c in range(columns)]
    labels = [grid[r][0] for r in range(rows)]
    places = [
        (r, c)
        for r in range(heads, rows)
        for c in range(1, columns)
        if is_value(grid[r][c])
        and re.search(r"[A-Za-z]{3}", labels[r])
        and labels.count(labels[r]) == 1
        and len(titles[c]) > 2
        and titles.count(titles[c]) == 1
    ]

    def case(kind: str, label: str, answer: str, *false: str) -> CASE:
        return {
            "kind": kind,
            "unsupported_spans": spans_of(answer, false),
            "label": label,
            "answer": answer,
            "context": [],
            "cells": [[c["r0"], c["r1"], c["c0"], c["c1"], flat(c["text"])] for c in record["cells"]],
            "half": half_of(record["doc"]),
            "value_elsewhere_in_passage": label == "unsupported",
            "language": "",
        }

    def shorter(text: str, among: list[str]) -> str:
        """Return a label with a word less, unless that makes it fit another one as well."""
        words = text.split()
        if len(words) <= 4:
            return text
        words.pop(chance.randrange(1, len(words)))
        others = [set(other.split()) for other in among if other != text]
        return text if any(set(words) <= other for other in others) else " ".join(words)

    for r, c in chance.sample(places, min(5, len(places))):
        value, row, col = grid[r][c], shorter(labels[r], labels), shorter(titles[c], titles)
        below = [grid[i][c] for i, j in places if j == c and i != r and grid[i][c] != value]
        beside = [grid[r][j] for i, j in places if i == r and j != c and grid[r][j] != value]
        one = chance.choice(ONE)
        yield case("table: right", "supported", one.format(row=row, col=col, v=value))
        if below:
            yield case(
                "table: wrong row",
                "unsupported",
                one.format(row=row, col=col, v=(wrong := chance.choice(below))),
                wrong,
            )
        if beside:
            yield case(
                "table: wrong column",
                "unsupported",
                one.format(row=row, col=col, v=(wrong := chance.choice(beside))),
                wrong,
            )
        others = [i for i, j in places if j == c and i != r and grid[i][c] != value]
        if others:
            i = chance.choice(others)
            words = {"row": row, "row2": labels[i], "col": col}
            two = chance.choice(TWO_ROWS)
            yield case("table: right pair", "supported", two.format(v=value, v2=grid[i][c], **words))
            yield case(
                "table: swapped pair", "unsupported", two.format(v=grid[i][c], v2=value, **words), value, grid[i][c]
            )
        others = [j for i, j in places if i == r and j != c and grid[r][j] != value]
        if others:
            j = chance.choice(others)
            words = {"row": row, "col": col, "col2": titles[j]}
            two = chance.choice(TWO_COLUMNS)
            yield case("table: right pair", "supported", two.format(v=value, v2=grid[r][j], **words))
            yield case(
                "table: swapped pair", "unsupported", two.format(v=grid[r][j], v2=value, **words), value, grid[r][j]
            )


KEPT = re.compile(
    r"not|geen|niet|nicht|kein\w*|less|more|least|most|minder|meer|minste|hoogste|mehr|weniger|artikel\w*|articles?|"
    r"sections?|table|tabel|onderdeel|absatz|than|with\w*|zonder|ohne|shall|must|should|moet|niveau|level|class\w*|bijlage",
    re.IGNORECASE,
)
"""Words that carry the meaning of what stands beside them: never dropped."""


def said_again(sentence: str, keep: str, chance: random.Random) -> str:
    """Return a sentence with a few words dropped far from ``keep`` and a clause moved; ``keep`` stays as it is."""
    words = sentence.rstrip(".").split()
    kept = keep.split()
    at = next((i for i in range(len(words)) if words[i : i + len(kept)] == kept), len(words) // 2)
    droppable = [i for i in range(1, len(words)) if abs(i - at) > 4 and words[i].isalpha() and len(words[i]) > 3]
    droppable = [i for i in droppable if not KEPT.fullmatch(words[i])]
    for i in sorted(chance.sample(droppable, min(len(droppable), len(words) // 8)), reverse=True):
        del words[i]
    text = " ".join(words)
    if ", " in text and chance.random() < 0.5:
        first, _, rest = text.partition(", ")
        text = f"{rest}, {first[:1].lower()}{first[1:]}"
    return text + "."


TURNS = {
    "en": [(r"\bshall\b(?! not)", "shall not"), (r"\bmust\b(?! not)", "may"), (r"\bmay\b(?! not)", "shall"),
           (r"\b(shall|must|may|is|are) not\b", r"\1")],
    "nl": [(r"\bkan\b", "kan niet"), (r"\bgeen\b", "een"), (r"\bniet\b ", ""), (r"\bmoet\b", "mag"),
           (r"\bwordt\b", "wordt niet")],
    "de": [(r"\bkann\b", "muss"), (r"\bkeine\b", "eine"), (r"\bnicht\b ", ""), (r"\bmuss\b", "darf"),
           (r"\bist\b", "ist nicht")],
}  # fmt: skip


def prose_cases(record: CASE, chance: random.Random) -> Iterator[CASE]:
    text, language = record["text"], record.get("lang", "")
    if not 300 < len(text) < 4000:
        return
    units = [text[s.start : s.end] for s in sentences(text) if s.kind == "prose"]
    units = [flat(u) for u in units if 40 < len(u) < 300]

    def case(kind: str, label: str, answer: str, *false: str, hard: bool) -> CASE:
        return {
            "unsupported_spans": spans_of(answer, false),
            "kind": f"prose {language}: {kind}",
            "label": label,
            "answer": answer,
            "context": [text],
            "half": half_of(record["doc"]),
            "value_elsewhere_in_passage": hard,
            "language": language,
        }

    typed = [(u, c) for u in units for c in claims(u, language) if c.claim.kind in ("number", "quantity", "percentage")]
    for unit, claim in chance.sample(typed, min(3, len(typed))):
        value = claim.claim.text
        if unit.count(value) != 1:
            continue
        again = said_again(unit, value, chance)
        if value not in again:
            continue
        yield case("right", "supported", again, hard=False)
        rivals = [
            c.claim.text
            for c in claims(text, language)
            if c.claim.kind == claim.claim.kind
            and getattr(c.value, "unit", "") == getattr(claim.value, "unit", "")
            and c.claim.text not in unit
        ]
        if rivals:
            yield case(
                "other value", "unsupported", again.replace(value, wrong := chance.choice(rivals)), wrong, hard=True
            )
        number = re.search(r"\d+", value)
        if number:
            other = str(int(number.group()) + chance.choice([1, 2, 5, 10]))
            made_up = value.replace(number.group(), other, 1)
            if made_up not in text:
                yield case("made up", "unsupported", again.replace(value, made_up), made_up, hard=False)
    for unit in chance.sample(units, min(12, len(units))):
        held = [c for c in claims(unit, language) if c.claim.kind in ("number", "quantity", "percentage", "money")]
        pairs = [
            (a, b)
            for a, b in pairwise(held)
            if a.claim.kind == b.claim.kind
            and a.value != b.value
            and b.claim.start - a.claim.end > 12
            and getattr(a.value, "unit", "") == getattr(b.value, "unit", "")
        ]
        if pairs:
            a, b = (c.claim for c in chance.choice(pairs))
            swapped = unit[: a.start] + b.text + unit[a.end : b.start] + a.text + unit[b.end :]
            yield case("swapped pair", "unsupported", swapped, a.text, b.text, hard=True)
            yield case("half of a pair", "supported", f"{unit[: b.start].rstrip(' ,;')}.", hard=False)
            head = unit[: a.start]
            if len(head.split()) > 3:
                yield case("neighbour's value", "unsupported", f"{head}{b.text}.", b.text, hard=True)
    plain = [u for u in units if not claims(u, language)]
    for unit in chance.sample(plain, min(2, len(plain))):
        again = said_again(unit, "", chance)
        yield case("statement", "supported", again, hard=False)
        turns = [(p, r) for p, r in TURNS.get(language, ()) if re.search(p, again)]
        if turns:
            pattern, put = chance.choice(turns)
            yield case("statement turned", "unsupported", re.sub(pattern, put, again, count=1), hard=True)


def records(path: str) -> Iterator[CASE]:
    seen: set[str] = set()
    for line in Path(path).read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        if "context" in record:
            record = {"text": record["context"][0], "lang": "en", "doc": record["cited"]["doc"]}
            if record["text"] in seen or " | " in record["text"]:
                continue
            seen.add(record["text"])
        yield record


def main(tables: str, *passages: str) -> None:
    chance = random.Random(7)
    made = [case for record in records(tables) for case in table_cases(record, chance)]
    made += [case for path in passages for record in records(path) for case in prose_cases(record, chance)]
    for n, case in enumerate(made):
        print(json.dumps({"id": f"made-{n:05d}", **case}, ensure_ascii=False))


if __name__ == "__main__":
    main(*sys.argv[1:])
