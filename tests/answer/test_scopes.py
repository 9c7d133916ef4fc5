"""What a value is said of: its own item, the head it shares, its text; and of which value a sentence speaks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.answer.gate import judge, prepare
from pincite.answer.scopes import Scope, root, speaks

WORDS = st.frozensets(st.sampled_from(["pump", "liquid", "seal", "domestic", "fee"]), max_size=4)
SCOPES = st.builds(Scope, WORDS, WORDS, WORDS)


def released(answer, *contexts, language="en"):
    return all(s.released for s in judge(answer, [prepare(c, language) for c in contexts], language))


@pytest.mark.parametrize(
    ("language", "passages", "right", "wrong"),
    [
        pytest.param(
            "nl",
            ["De oven werkt van 80 tot 220 °C, met rooster R van 80 tot 260 °C."],
            "Met rooster R werkt de oven van 80 tot 260 °C.",
            "Met rooster R werkt de oven van 80 tot 220 °C.",
            id="the end of a neighbouring range",
        ),
        pytest.param(
            "fr",
            ["Badges : BD-204 pour les visiteurs, BD-214 pour les livreurs, BD-240 pour le personnel."],
            "Pour les livreurs, il faut le badge BD-214.",
            "Pour les livreurs, il faut le badge BD-204.",
            id="the item before it in a list",
        ),
        pytest.param(
            "en",
            ["Reply codes:\n11 – card is lost\n14 – card is stolen\n17 – card is blocked by the holder"],
            "Code 17 means that the card is blocked by the holder.",
            "Code 14 means that the card is blocked by the holder.",
            id="the line before it in a list",
        ),
        pytest.param(
            "en",
            [
                "Manual, edition 4: renew the filter after 300 hours.",
                "Manual, edition 5: renew the filter after 450 hours.",
            ],
            "Edition 5 of the manual renews the filter after 450 hours.",
            "Edition 5 of the manual renews the filter after 300 hours.",
            id="another edition",
        ),
        pytest.param(
            "de",
            ["Kran A: Traglast 40 t, Masse 12 t.", "Kran B: Traglast 65 t, Masse 17 t."],
            "Kran B hat eine Traglast von 65 t.",
            "Kran B hat eine Traglast von 40 t.",
            id="another passage",
        ),
        pytest.param(
            "de",
            ["Die Ausführung LK-P ist nach ATEX zertifiziert. Die Ausführung LK-Q ist nicht nach ATEX zertifiziert."],
            "Nach ATEX zertifiziert ist die Ausführung LK-P.",
            "Nach ATEX zertifiziert ist die Ausführung LK-Q.",
            id="a certificate that a sibling has",
        ),
        pytest.param(
            "en",
            ["A shop whose losses exceed 2 % is put on a list (see 4.2). It is struck off when they fall (see 4.6)."],
            "Being struck off is dealt with in 4.6.",
            "Being struck off is dealt with in 4.2.",
            id="the reference of the sentence before it",
        ),
    ],
)
def test_a_value_of_what_the_sentence_does_not_speak_of_is_withheld(language, passages, right, wrong):
    assert released(right, *passages, language=language)
    assert not released(wrong, *passages, language=language)


def test_the_reason_names_the_value_of_what_the_sentence_speaks_of():
    passage = "The oven works from 80 to 220 °C, with grate R from 80 to 260 °C."

    (sentence,) = judge("With grate R the oven works from 80 to 220 °C.", [prepare(passage)])

    assert any("the passage gives 260 °C there" in verdict.reason for verdict in sentence.verdicts)


def test_a_verb_and_its_noun_have_one_root():
    assert root("abgelehnt") == root("ablehnung") == root("abzulehnen")
    assert root("internal") != root("international")


@given(WORDS, SCOPES, SCOPES, st.booleans())
def test_a_sentence_that_speaks_of_one_of_two_values_does_not_speak_of_the_other(said, one, other, same):
    turned = {"of the first": "of the second", "of the second": "of the first", "": ""}

    assert speaks(said, other, one, same_text=same) == turned[speaks(said, one, other, same_text=same)]


@given(WORDS, SCOPES)
def test_two_values_of_the_same_thing_are_not_told_apart(said, one):
    assert speaks(said, one, one, same_text=True) == ""
