"""Answers in another language than their passages, judged in the words of the passages."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.answer.gate import judge, prepare
from pincite.answer.translating import passage_language, translated

FEES = "The fee for a payment is £1,340. The fee for a refund is £415."


def released(answer, passage, language, other):
    return all(sentence.released for sentence in judge(answer, [prepare(passage, other)], language))


@pytest.mark.parametrize(
    ("language", "answer", "wrong"),
    [
        ("nl", "De vergoeding voor een terugbetaling is £ 415.", "De vergoeding voor een terugbetaling is £ 1.340."),
        ("de", "Die Gebühr für eine Erstattung beträgt £ 415.", "Die Gebühr für eine Erstattung beträgt £ 1.340."),
    ],
)
def test_a_figure_is_held_against_what_the_passage_says_of_it_in_its_own_language(language, answer, wrong):
    assert released(answer, FEES, language, "en")
    assert not released(wrong, FEES, language, "en")


def test_a_figure_beside_others_is_weak_when_a_word_is_not_understood():
    answer = "De vergoeding voor een blorfing is £ 415."
    [sentence] = judge(answer, [prepare(FEES, "en")], "nl")

    assert [verdict.label for verdict in sentence.verdicts] == ["weak"]


def test_spans_are_those_of_the_answer_as_it_was_written():
    answer = "De vergoeding voor een terugbetaling is £ 415. De vergoeding voor een betaling is £ 7."
    judged = judge(answer, [prepare(FEES, "en")], "nl")

    assert "".join(answer[s.start : s.end] for s in judged) == answer.replace(". De", ".De")
    assert all(answer[v.claim.start : v.claim.end] == v.claim.text for s in judged for v in s.verdicts)
    assert [v.claim.text for s in judged for v in s.verdicts] == ["£ 415", "£ 7"]


def test_only_passages_of_one_other_known_language_are_translated_to():
    english, dutch, unknown = prepare("One fee.", "en"), prepare("Een prijs.", "nl"), prepare("x", "")

    assert passage_language("De prijs is 5.", [english], "nl") == "en"
    assert passage_language("De prijs is 5.", [english, unknown], "nl") == "en"
    assert passage_language("De prijs is 5.", [english, dutch], "de") == ""
    assert passage_language("De prijs is 5.", [english], "en") == ""
    assert passage_language("De prijs is 5.", [unknown], "nl") == passage_language("De prijs is 5.", [], "nl") == ""
    assert passage_language("One fee.", [english], "nl") == ""


@given(st.lists(st.sampled_from(["De", "vergoeding", "verlenging", "415", "en", "x", ".", "huur"]), max_size=12))
def test_every_character_of_the_answer_is_in_one_piece_of_the_translation(words):
    answer = " ".join(words)
    said = translated(answer, "nl", [prepare(FEES, "en")], "en")

    assert "".join(answer[start:end] for start, end, _ in said.pieces) == answer
    assert said.original(0, len(said.text)) == (0, len(answer)) or not answer
