"""The questions of `evaluation/` are whole: they parse, and each says where its answer stands and what it is."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from pincite.evaluate.cases import Case, read_cases
from pincite.evaluate.judging import holds

FOLDER = Path(__file__).resolve().parents[2] / "evaluation"
FILES = sorted(path for path in FOLDER.glob("*.jsonl") if path.name not in ("attacks.jsonl", "gate.jsonl"))
"""Questions; `test_gate_cases` and `test_hostile_model` read the others, which have forms of their own."""


def all_cases() -> list[Case]:
    return [case for path in FILES for case in read_cases(path)]


def test_there_are_files_and_no_id_comes_twice_in_them():
    ids = [case.id for case in all_cases()]

    assert FILES
    assert len(ids) == len(set(ids))


def test_no_question_is_asked_twice_in_them():
    asked = Counter(case.question.casefold().rstrip(" ?") for case in all_cases())

    assert [question for question, times in asked.items() if times > 1] == []


@pytest.mark.parametrize("case", all_cases(), ids=lambda case: case.id)
def test_an_answered_case_has_its_answer_and_its_place(case: Case):
    if case.expected != "answered":
        assert case.gold_all_of == ()
        return

    assert case.gold_all_of
    assert all(group and all(text.strip() for text in group) for group in case.gold_all_of)
    assert case.evidence
    for gold in case.evidence:
        assert gold.source.endswith(".pdf")
        assert min(gold.page, *gold.also_on_pages, gold.page) >= 1
        assert gold.page not in gold.also_on_pages
        assert gold.must_contain
        assert all(text == " ".join(text.split()) != "" for text in gold.must_contain)


@pytest.mark.parametrize("case", all_cases(), ids=lambda case: case.id)
def test_no_wrong_value_is_part_of_a_right_one(case: Case):
    right = {text.casefold() for group in case.gold_all_of for text in group}

    assert right.isdisjoint(text.casefold() for text in case.must_not)


def test_both_halves_of_the_answers_have_the_same_mix_of_kinds():
    path = next(path for path in FILES if path.name == "answers.jsonl")
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    halves = Counter((line["kind"], line["half"]) for line in lines)

    assert {half for _, half in halves} == {"open", "kept"}
    assert all(abs(halves[kind, "open"] - halves[kind, "kept"]) <= 1 for kind, _ in halves)


def test_the_fresh_questions_are_all_kept_and_mixed_evenly():
    lines = [json.loads(line) for line in (FOLDER / "fresh.jsonl").read_text(encoding="utf-8").splitlines()]
    kinds = Counter(line["kind"] for line in lines)
    languages = Counter(line["language"] for line in lines)

    assert len(lines) >= 64
    assert {line["half"] for line in lines} == {"kept"}
    assert max(kinds.values()) - min(kinds.values()) <= 1
    assert set(languages) == {"de", "en", "fr", "nl"}
    assert abs(2 * languages["en"] - len(lines)) <= 4
    assert {line["kind"] for line in lines if line["expected"] != "answered"} == {"absent", "advice", "foreign-fee"}


def test_no_document_answers_more_than_a_few_of_the_fresh_questions():
    cases = read_cases(FOLDER / "fresh.jsonl")
    times = Counter(source for case in cases for source in {gold.source for gold in case.evidence})

    assert max(times.values()) <= 4
    assert len(times) >= 40


@pytest.mark.parametrize("case", all_cases(), ids=lambda case: case.id)
def test_no_wrong_value_is_a_part_that_a_right_answer_cannot_do_without(case: Case):
    forced = [
        wrong for group in case.gold_all_of for wrong in case.must_not if all(holds(text, wrong) for text in group)
    ]

    assert forced == []


@pytest.mark.parametrize("case", all_cases(), ids=lambda case: case.id)
def test_no_question_holds_its_own_answer(case: Case):
    given = [
        text
        for group in case.gold_all_of
        for text in group
        if re.search(rf"(?<!\w){re.escape(text.casefold())}(?!\w)", case.question.casefold())
    ]

    assert given == []
