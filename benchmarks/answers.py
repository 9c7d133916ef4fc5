#!/usr/bin/env python3
"""Count what a library answers to cases whose right answer is known.

    .venv/bin/python benchmarks/answers.py LIBRARY [CASES.jsonl] [--show]

Asks every case (default: the samples') of the model that the settings name, without a server, and prints how many
were answered with every gold string, only with the gold string in a source table, with something else, refused or
passed on; and, of the cases that no document answers, how many were refused. ``--show`` prints a line for each case.
Gold strings are matched on token boundaries, white space and case aside.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import unicodedata
from collections import Counter
from pathlib import Path

from pincite.build import House
from pincite.evaluate.cases import Case, read_cases
from pincite.settings import load
from pincite.types import Answer, Finished, Turn

SAMPLES = Path(__file__).parents[1] / "samples" / "cases.jsonl"
MARK = re.compile(r"\{\{\d+\}\}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("library", type=Path)
    parser.add_argument("cases", type=Path, nargs="?", default=SAMPLES)
    parser.add_argument("--show", action="store_true")
    given = parser.parse_args()
    cases = list(read_cases(given.cases))
    counts: Counter[tuple[str, str]] = Counter()
    for case, answer in zip(cases, asyncio.run(ask(given.library, cases)), strict=True):
        kind = "answerable" if case.expected == "answered" else "unanswerable"
        outcome = judged(case, answer)
        counts[kind, outcome] += 1
        if given.show:
            said = " ".join(answer.markdown.split())[:160]
            print(f"{case.id:14} {case.language}  {outcome:28} {case.question[:60]} -> {said}")
    for (kind, outcome), count in sorted(counts.items()):
        print(f"{kind:14} {outcome:32} {count}")


async def ask(library: Path, cases: list[Case]) -> list[Answer]:
    answerer = House(load(None, library)).answerer()
    answers: list[Answer] = []
    for case in cases:
        turns: tuple[Turn, ...] = ()
        for question in (*case.history, case.question):
            events = answerer.ask(question, conversation="", history=turns, id="")
            (answer,) = [event.answer async for event in events if isinstance(event, Finished)]
            turns = (*turns, Turn(question, answer.markdown))
        answers.append(answer)
    return answers


def judged(case: Case, answer: Answer) -> str:
    """Return what the answer is worth against its case, in words that the counts are printed under."""
    said = MARK.sub(" ", answer.markdown)
    if any(_holds(said, bad) for bad in case.must_not):
        return "says what it must not"
    if answer.outcome != "answered":
        return answer.outcome
    if case.expected != "answered":
        return "answered, must not"
    shown = said + " " + " ".join(cell for table in answer.tables for row in table.rows for cell in row)
    if all(any(_holds(said, gold) for gold in group) for group in case.gold_all_of):
        return "answered with the gold"
    if all(any(_holds(shown, gold) for gold in group) for group in case.gold_all_of):
        return "gold in the table only"
    return "answered with something else"


def _holds(text: str, gold: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(_plain(gold))}(?!\w)", _plain(text)) is not None


def _plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).lower().split())


if __name__ == "__main__":
    main()
