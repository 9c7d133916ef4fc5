"""The cases of `evaluation/gate.jsonl` are whole: pairs of a right and a wrong answer, halves of the same mix."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import pytest

PATH = Path(__file__).resolve().parents[2] / "evaluation" / "gate.jsonl"
KINDS = frozenset(
    """
    tolerance comparator range converted-unit certification sibling-identifier spelled-out-number period-header
    footnote two-passages date section-reference money-percent modal-negation swapped-parties swapped-row-column
    header-level revision cross-language run-on lead-in framing
    """.split()  # noqa: SIM905
)
LANGUAGES = ("de", "en", "fr", "nl")
CASES: list[dict[str, Any]] = [json.loads(line) for line in PATH.read_text(encoding="utf-8").splitlines()]


def test_there_are_at_least_300_cases_each_with_its_own_id_and_answer():
    assert len(CASES) >= 300
    assert len({case["id"] for case in CASES}) == len(CASES)
    assert len({case["answer"] for case in CASES}) == len(CASES)


@pytest.mark.parametrize("half", ["open", "kept"])
def test_every_kind_is_in_every_language_in_both_halves(half: str):
    found = {(case["kind"], case["language"]) for case in CASES if case["half"] == half}

    assert found == {(kind, language) for kind in KINDS for language in LANGUAGES}
    assert {case["half"] for case in CASES} == {"open", "kept"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_has_at_least_sixty_cases(language: str):
    assert sum(case["language"] == language for case in CASES) >= 60


def test_the_kept_half_weighs_every_kind_and_language_the_same():
    kept = Counter((case["kind"], case["language"], case["label"]) for case in CASES if case["half"] == "kept")

    assert kept.total() >= 120
    assert len(set(kept.values())) == 1


def test_no_passage_stands_in_both_halves():
    halves: dict[str, set[str]] = defaultdict(set)
    for case in CASES:
        for passage in case["context"]:
            halves[passage].add(case["half"])

    assert all(len(found) == 1 for found in halves.values())


def test_a_right_answer_and_its_wrong_twin_differ_in_the_answer_only():
    pairs: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for case in CASES:
        pairs[case["pair"]].append(case)
    told = ("answer", "id", "label", "unsupported_spans", "value_elsewhere_in_passage")

    for pair in pairs.values():
        assert sorted(case["label"] for case in pair) == ["supported", "unsupported"]
        one, other = ({k: v for k, v in case.items() if k not in told} for case in pair)
        assert one == other


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_the_wrong_words_of_a_case_are_where_it_says(case: dict[str, Any]):
    assert case["context"]
    assert all(text.strip() for text in case["context"])
    assert case.get("context_language", case["language"]) in LANGUAGES
    spans = case["unsupported_spans"]
    assert bool(spans) == (case["label"] == "unsupported")
    assert all(case["answer"][span["start"] : span["end"]] == span["text"] for span in spans)
    assert all(span["text"] not in ("", span["original"]) for span in spans)


@pytest.mark.parametrize("case", [c for c in CASES if c["label"] == "unsupported"], ids=lambda case: case["id"])
def test_a_wrong_answer_with_its_wrong_words_mended_is_the_right_one(case: dict[str, Any]):
    mended = case["answer"]
    for span in reversed(case["unsupported_spans"]):
        mended = mended[: span["start"]] + span["original"] + mended[span["end"] :]
    [right] = [c["answer"] for c in CASES if c["pair"] == case["pair"] and c["label"] == "supported"]

    assert mended == right
