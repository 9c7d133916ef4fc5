import json
from dataclasses import replace

import pytest

from pincite.errors import InputError
from pincite.evaluate.answers import compare, evaluate_answers, to_html
from pincite.evaluate.cases import Case
from pincite.evaluate.judging import holds, is_same, judge
from pincite.types import Answer, AnswerTable, Broke, Citation, CitedPage, Release, Revision, Step, Timing

FEES = Revision("fees", "fees.pdf", "3", "ab" * 32, "Fees", "en", "citable")
RELEASE = Release("r1", "2026-12-01T00:00:00+00:00", "m", "p", 200, (FEES,), (), 3)
CASE = {
    "id": "fee-1",
    "kind": "table",
    "language": "en",
    "question": "What does a domestic purchase <b> cost?",
    "expected": "answered",
    "gold_all_of": [["0.20 %", "0,20 %"], ["Purchase"]],
    "evidence": [{"source": "fees.pdf", "page": 7, "also_on_pages": [9]}],
    "must_not": ["0.35 %"],
}
ABSENT = {"id": "absent", "question": "What does a ski pass cost?", "expected": "refused"}


def cited(page, source="fees.pdf"):
    pages = (CitedPage(page, str(page), ()),)
    return Citation(1, "fees", source, "Fees", "3", "ab" * 32, ("4 Fees",), pages, "Purchase", "citable", "now", "")


def answered(markdown, *, page=7, tables=(), outcome="answered", total=90):
    return Answer(
        id="a1",
        conversation="c",
        question="",
        standalone_question="",
        outcome=outcome,
        markdown=markdown,
        citations=(cited(page),) if outcome == "answered" else (),
        tables=tables,
        withheld=(),
        steps=(Step("search", {}, "searched", 12),),
        model="extractive",
        release="r1",
        milliseconds=Timing(1, 60 if outcome == "answered" else None, total),
    )


GOOD = answered("**Purchase**, domestic: 0.20 % {{1}}")
REFUSED = answered("The documents do not say.", outcome="refused")


def judgement(answer, case=CASE):
    return judge(Case.model_validate(case), answer).judgement


def written(tmp_path, *cases):
    path = tmp_path / "cases.jsonl"
    path.write_text("\n".join(json.dumps(case) for case in cases), encoding="utf-8")
    return path


def evaluated(tmp_path, ask, *cases, **more):
    return evaluate_answers(written(tmp_path, *(cases or (CASE,))), RELEASE, ask, **more)


# ---------------------------------------------------------------- one answer


def test_an_answer_with_every_gold_string_that_cites_the_gold_page_is_right():
    assert judgement(GOOD) == "right"
    assert judgement(replace(GOOD, citations=(cited(9),))) == "right"


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (answered("Purchase: 0.90 % {{1}}"), "wrong"),
        (answered("Purchase: 10.20 % {{1}}"), "wrong"),
        (answered("Domestic: 0.20 % {{1}}"), "wrong"),
        (answered("Purchase: 0.20 % {{1}}", page=8), "gold_without_page"),
        (answered("Purchase: 0.20 %, cross-border 0.35 % {{1}}"), "forbidden"),
        (answered("The documents say nothing of 0.35 %.", outcome="refused"), "forbidden"),
        (REFUSED, "refused"),
        (answered("", outcome="escalated"), "escalated"),
        (Broke("the model went away", retry=True), "broken"),
    ],
)
def test_an_answer_that_is_not_right_is_told_by_what_it_lacks(answer, expected):
    assert judgement(answer) == expected


def test_a_page_of_another_document_is_not_the_gold_page():
    assert judgement(replace(GOOD, citations=(cited(7, "other.pdf"),))) == "gold_without_page"


def test_gold_that_stands_only_in_the_table_shown_is_told_apart():
    table = AnswerTable("t1", 1, ("Fee", "Domestic"), (("Purchase", "0.20 %"),), ())

    assert judgement(answered("Table 1 Interchange fees {{1}}", tables=(table,))) == "table_only"
    assert judgement(answered("Table 1 Interchange fees {{1}}", tables=(replace(table, rows=()),))) == "wrong"


def test_a_case_that_no_document_answers_is_right_when_refused_and_wrong_when_answered():
    assert judgement(REFUSED, ABSENT) == "right"
    assert judgement(GOOD, ABSENT) == "wrong"
    assert judgement(answered("", outcome="escalated"), ABSENT) == "escalated"
    assert judgement(answered("", outcome="escalated"), ABSENT | {"expected": "escalated"}) == "right"


@pytest.mark.parametrize(
    ("text", "gold"),
    [
        ("at least 15 characters", "15"),
        ("15.", "15"),
        ("€ 400.00 a day", "€ 400"),
        ("3.9¹) m", "3.9"),
        ("rated at 373 µA", "373 μA"),
        ("a multi\u2011factor\n  Authenticator", "multi-factor authenticator"),
        ("from 5-20 days", "20 days"),
        ("− 0.05 %", "0.05 %"),
        ("level AC-2(1)", "AC-2"),
    ],
)
def test_a_gold_string_is_found_whatever_its_case_white_space_and_signs_of_layout(text, gold):
    assert holds(text, gold)


@pytest.mark.parametrize(
    ("text", "gold"),
    [
        ("150", "15"),
        ("1.15", "15"),
        ("15,5", "15"),
        ("€ 4,000", "€ 4"),
        ("€ 14,000", "4,000"),
        ("at −20 °C", "20 °C"),
        ("section 4.2", "4"),
        ("AC-20", "AC-2"),
        ("cardholder", "card"),
        ("10³ bar", "10"),
        ("anything", ""),
    ],
)
def test_a_gold_string_is_not_found_inside_another_word_or_number(text, gold):
    assert not holds(text, gold)


def test_marks_and_escapes_of_markdown_are_not_part_of_what_is_said():
    assert judgement(answered("Purchase{{1}}: 0\\.20 %{{1}}")) == "right"


def test_answers_are_the_same_but_for_id_times_and_moment_of_retrieval():
    later = replace(GOOD, id="a2", milliseconds=Timing(3, 4, 5), citations=(replace(cited(7), retrieved_at="later"),))

    assert is_same(GOOD, replace(later, steps=(Step("search", {}, "searched", 99),)))
    assert not is_same(GOOD, replace(later, markdown="Purchase: 0.20 %"))
    assert not is_same(GOOD, replace(later, steps=()))


# ---------------------------------------------------------------- a report


def test_cases_are_counted_by_what_their_answers_are_worth(tmp_path):
    cases = (CASE, CASE | {"id": "fee-2", "language": "nl"}, ABSENT)
    answers = {"fee-1": GOOD, "fee-2": REFUSED, "absent": GOOD}

    report = evaluated(tmp_path, lambda case: answers[case.id], *cases)

    assert report["answerable"]["right"] == {"value": 0.5, "low": 0.09453, "high": 0.90547, "n": 2}
    assert report["answerable"]["refused"]["value"] == 0.5
    assert report["unanswerable"]["wrong"]["value"] == 1
    assert report["wrong_and_not_refused"]["value"] == pytest.approx(1 / 3)
    assert report["by_language"]["nl"]["answerable"]["right"]["value"] == 0
    assert report["by_language"]["und"]["answerable"] == {}
    assert [q["judgement"] for q in report["questions"]] == ["right", "refused", "wrong"]


def test_cases_whose_documents_are_not_indexed_are_not_asked(tmp_path):
    other = CASE | {"id": "other", "evidence": [{"source": "absent.pdf", "page": 1}]}
    asked = []

    report = evaluated(tmp_path, lambda case: asked.append(case.id) or GOOD, CASE, other)

    assert asked == ["fee-1"]
    assert report["cases"]["documents_missing"] == 1
    assert report["as_expected"]["value"] == 1


def test_a_set_of_which_no_document_is_indexed_is_an_error(tmp_path):
    other = CASE | {"evidence": [{"source": "absent.pdf", "page": 1}]}

    with pytest.raises(InputError, match=r"absent\.pdf"):
        evaluated(tmp_path, lambda _: GOOD, other)


def test_the_kept_half_is_reported_apart_and_can_be_left_alone(tmp_path):
    cases = (CASE | {"half": "open"}, CASE | {"id": "fee-2", "half": "kept"})
    asked = []

    def ask(case):
        asked.append(case.id)
        return GOOD if case.half == "open" else REFUSED

    both = evaluated(tmp_path, ask, *cases)
    asked.clear()
    opened = evaluated(tmp_path, ask, *cases, half="open")

    assert both["by_half"]["open"]["answerable"]["right"]["value"] == 1
    assert both["by_half"]["kept"]["answerable"]["right"]["value"] == 0
    assert asked == ["fee-1"]
    assert opened["cases"]["left_out"] == 1
    with pytest.raises(InputError, match="half"):
        evaluated(tmp_path, ask, half="kept")


def test_asking_again_tells_answers_that_change_from_those_that_stay(tmp_path):
    turn = iter([GOOD, GOOD, replace(GOOD, id="a2"), REFUSED])

    report = evaluated(tmp_path, lambda _: next(turn), CASE, CASE | {"id": "fee-2"}, repeat=2)

    assert report["repeat"] == {"times": 2, "same_answer": 1, "flipped": ["fee-2"]}
    assert report["answerable"]["right"]["value"] == 1  # the first time counts
    assert [q["answers"] for q in report["questions"]] == [1, 2]
    assert report["questions"][1]["judgements"] == ["right", "refused"]


def test_times_are_those_that_the_answers_give_and_what_never_came_has_none(tmp_path):
    report = evaluated(tmp_path, lambda _: REFUSED)

    assert report["milliseconds"]["total"] == {"p50": 90, "p95": 90, "n": 1}
    assert "first_block" not in report["milliseconds"]


def test_what_moved_against_an_earlier_run_is_paired_and_losses_come_first(tmp_path):
    cases = (CASE, CASE | {"id": "fee-2"}, CASE | {"id": "fee-3"})
    earlier = evaluated(tmp_path, lambda case: REFUSED if case.id == "fee-1" else GOOD, *cases)
    changed = (*cases[:2], cases[2] | {"question": "Another question?"})
    later = evaluated(tmp_path, lambda case: REFUSED if case.id != "fee-1" else GOOD, *changed)

    found = compare(later, earlier)

    assert found["paired"] == 2
    assert (found["gained"], found["lost"], found["p"]) == (["fee-1"], ["fee-2"], 1.0)
    assert [(m["id"], m["before"], m["now"]) for m in found["moved"]] == [
        ("fee-2", "right", "refused"),
        ("fee-1", "refused", "right"),
    ]


def test_a_case_that_flips_by_itself_is_marked_as_such(tmp_path):
    turn = iter([GOOD, REFUSED])
    earlier = evaluated(tmp_path, lambda _: next(turn), repeat=2)
    later = evaluated(tmp_path, lambda _: REFUSED)

    assert compare(later, earlier)["moved"][0]["by_itself"] is True


def test_the_page_for_people_shows_questions_as_text_and_what_is_not_right_first(tmp_path):
    report = evaluated(tmp_path, lambda case: GOOD if case.id == "fee-1" else REFUSED, CASE, CASE | {"id": "fee-2"})

    page = to_html(report)

    assert "&lt;b&gt;" in page
    assert "<b>" not in page
    assert page.index("fee-2") < page.index("fee-1")
