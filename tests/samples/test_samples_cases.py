"""Every evaluation case can be proved from the page that it names."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

import pypdfium2
import pytest

SAMPLES = Path(__file__).resolve().parents[2] / "samples"
KINDS = {
    "identifier",
    "paraphrase",
    "table",
    "table-merged",
    "list",
    "crossref",
    "unanswerable",
    "out-of-scope",
    "follow-up",
}
CASES = [json.loads(line) for line in (SAMPLES / "cases.jsonl").read_text("utf-8").splitlines()]
BY_ID = [pytest.param(case, id=case["id"]) for case in CASES]


def plain(text: str) -> str:
    return re.sub(r"\s+", " ", text.replace("\ufffe", "-"))


@cache
def pages(source: str) -> tuple[str, ...]:
    document = pypdfium2.PdfDocument(SAMPLES / "pdf" / source)
    return tuple(plain(page.get_textpage().get_text_range()) for page in document)


@pytest.mark.parametrize("case", BY_ID)
def test_the_words_that_prove_an_answer_stand_on_the_page_that_the_case_names(case):
    missing = [
        (evidence["source"], page, words)
        for evidence in case["evidence"]
        for page in (evidence["page"], *evidence["also_on_pages"])
        for words in evidence["must_contain"]
        if words not in pages(evidence["source"])[page - 1]
    ]

    assert not missing


@pytest.mark.parametrize("case", BY_ID)
def test_one_spelling_of_each_gold_string_is_printed_in_the_evidence(case):
    printed = " ".join(pages(evidence["source"])[evidence["page"] - 1] for evidence in case["evidence"])

    missing = [
        spellings
        for spellings in case["gold_all_of"]
        if not any(re.search(rf"(?<!\w){re.escape(each)}(?!\w)", printed, re.IGNORECASE) for each in spellings)
    ]

    assert not missing


@pytest.mark.parametrize("case", BY_ID)
def test_a_case_never_forbids_what_it_asks_for(case):
    wanted = {spelling for spellings in case["gold_all_of"] for spelling in spellings}

    assert not wanted & set(case.get("must_not", []))


def test_a_case_is_answered_exactly_when_it_has_gold_and_evidence():
    odd = [
        case["id"]
        for case in CASES
        if (case["expected"] == "answered") is not (bool(case["gold_all_of"]) and bool(case["evidence"]))
    ]

    assert not odd


def test_there_are_cases_of_every_kind_in_four_languages():
    assert len(CASES) >= 60
    assert len({case["id"] for case in CASES}) == len(CASES)
    assert {case["kind"] for case in CASES} == KINDS
    assert {case["language"] for case in CASES} == {"en", "nl", "de", "fr"}
    assert all(case.get("history") for case in CASES if case["kind"] == "follow-up")


def test_no_evidence_stands_in_a_superseded_revision():
    superseded = {"farrowmere-fees-rev2.pdf", "CRN-32-3-rev2.pdf"}

    assert not [case["id"] for case in CASES for e in case["evidence"] if e["source"] in superseded]
