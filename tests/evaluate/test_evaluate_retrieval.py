import json

import pytest

from pincite.errors import InputError
from pincite.evaluate.cases import GoldPage, Place, is_page_hit, read_cases
from pincite.evaluate.retrieval import compare, evaluate_retrieval, to_html
from pincite.types import Release, Revision

FEES = Revision("fees", "fees.pdf", "3", "ab" * 32, "Fees", "en", "citable")
RELEASE = Release("r1", "2026-12-01T00:00:00+00:00", "m", "p", 200, (FEES,), (), 3)
CASE = {
    "id": "fee-1",
    "kind": "table",
    "language": "en",
    "question": "What does a domestic purchase <b> cost?",
    "expected": "answered",
    "gold_all_of": [["0.20 %"]],
    "evidence": [{"source": "fees.pdf", "page": 7, "also_on_pages": [9]}],
}


def place(*pages):
    return Place(f"fees/{pages[0]}", "fees.pdf", pages)


def evaluated(path, search, **more):
    return evaluate_retrieval(path, RELEASE, {"hybrid": search}, **more)


def written(tmp_path, *cases):
    path = tmp_path / "cases.jsonl"
    path.write_text("\n".join(json.dumps(case) for case in cases), encoding="utf-8")
    return path


def test_a_passage_over_many_pages_counts_for_its_first_two():
    gold = GoldPage(source="fees.pdf", page=7)

    assert is_page_hit(place(6, 7), gold)
    assert not is_page_hit(place(5, 6, 7), gold)


def test_the_rank_of_the_first_passage_on_a_gold_page_is_reported(tmp_path):
    report = evaluated(written(tmp_path, CASE), lambda _: [place(3), place(9)])

    assert report["questions"][0]["first_rank"] == 2
    assert report["measures"]["hit@1"]["value"] == 0
    assert report["measures"]["hit@10"]["value"] == 1


def test_cases_whose_documents_are_missing_are_counted_apart_and_not_as_misses(tmp_path):
    other = CASE | {"id": "other", "evidence": [{"source": "absent.pdf", "page": 1}]}

    report = evaluated(written(tmp_path, CASE, other), lambda _: [place(7)])

    assert report["cases"]["measured"] == 1
    assert report["cases"]["documents_missing"] == 1
    assert report["measures"]["hit@1"] == {"value": 1.0, "low": pytest.approx(0.2065, abs=1e-3), "high": 1.0, "n": 1}


def test_a_set_without_a_measurable_case_is_an_error(tmp_path):
    other = CASE | {"evidence": [{"source": "absent.pdf", "page": 1}]}

    with pytest.raises(InputError, match=r"absent\.pdf"):
        evaluated(written(tmp_path, other), lambda _: [])


def test_a_line_that_is_not_a_case_is_named(tmp_path):
    path = written(tmp_path, CASE, {"id": "x"})

    with pytest.raises(InputError, match="line 2"):
        read_cases(path)


def test_what_moved_against_an_earlier_run_is_listed_worst_first(tmp_path):
    path = written(tmp_path, CASE, CASE | {"id": "fee-2"})
    earlier = evaluated(path, lambda _: [place(7)])
    later = evaluated(path, lambda _: [place(3), place(7)])

    assert compare(later, earlier) == [{"id": "fee-1", "before": 1, "now": 2}, {"id": "fee-2", "before": 1, "now": 2}]


def test_the_page_for_people_shows_questions_as_text(tmp_path):
    page = to_html(evaluated(written(tmp_path, CASE), lambda _: [place(7)]))

    assert "&lt;b&gt;" in page
    assert "<b>" not in page


def test_the_questions_that_fusion_gains_and_loses_on_each_leg_are_named(tmp_path):
    path = written(tmp_path, CASE, CASE | {"id": "fee-2", "question": "Who pays?"})

    def hybrid(question):
        return [place(3), place(7)] if question == "Who pays?" else [place(3)]

    def dense(question):
        return [place(7)] if question != "Who pays?" else []

    report = evaluate_retrieval(path, RELEASE, {"hybrid": hybrid, "dense": dense})

    assert report["mode"] == "hybrid"
    assert report["beside"]["dense"]["measures"]["hit@1"]["value"] == 0.5
    assert report["beside"]["dense"]["gained"] == ["fee-2"]
    assert report["beside"]["dense"]["lost"] == ["fee-1"]


def test_passages_made_elsewhere_are_evidence_by_their_ids(tmp_path):
    asked = {"id": "q1", "question": "What is due?", "gold_passage_ids": ["fees/3", "fees/9"]}
    path = written(tmp_path, asked, asked | {"id": "q2", "gold_passage_ids": ["gone"]})

    report = evaluated(path, lambda _: [place(1), place(3), place(9)], passage_ids=lambda: {"fees/3", "fees/9"})

    assert report["cases"]["measured"] == 1
    assert report["cases"]["documents_missing"] == 1
    assert report["measures"]["recall@10"]["value"] == 1
    assert report["measures"]["map@10"]["value"] == pytest.approx((1 / 2 + 2 / 3) / 2)
