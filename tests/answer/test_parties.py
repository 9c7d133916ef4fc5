"""Who gives what to whom, in any order, voice and verb of four languages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.answer.gate import judge, prepare
from pincite.answer.parties import reversed_transfer

PARTIES = st.sampled_from(["buyer", "hub", "zorbler", "clearing house"])
FORMS = st.sampled_from(
    [
        "The {giver} pays the toll to the {receiver}.",
        "The {giver} owes the {receiver} the toll.",
        "The toll is paid by the {giver} to the {receiver}.",
        "The {receiver} receives the toll from the {giver}.",
    ]
)


def released(answer, passage, language):
    return all(s.released for s in judge(answer, [prepare(passage, language)], language))


@given(PARTIES, PARTIES, FORMS, FORMS)
def test_the_parties_of_a_transfer_are_the_same_in_every_form(giver, receiver, one, other):
    if giver == receiver:
        return
    said = one.format(giver=giver, receiver=receiver)
    same, turned = other.format(giver=giver, receiver=receiver), other.format(giver=receiver, receiver=giver)

    assert reversed_transfer(said, [same], "en", "en") is None
    assert reversed_transfer(said, [turned], "en", "en") == turned


@pytest.mark.parametrize(
    ("language", "passage", "right", "wrong"),
    [
        (
            "en",
            "For a delivery, the buyer pays the freight charge to the carrier. For a return, the carrier pays the "
            "storage charge to the buyer.",
            "For a return, the carrier owes the buyer the storage charge.",
            "For a return, the buyer pays the storage charge to the carrier.",
        ),
        (
            "nl",
            "De verhuurder vergoedt de huurder de schade aan de muren. De huurder vergoedt de verhuurder de kosten "
            "van een verloren sleutel.",
            "De kosten van een verloren sleutel vergoedt de huurder de verhuurder.",
            "De kosten van een verloren sleutel vergoedt de verhuurder de huurder.",
        ),
        (
            "de",
            "Der Vermieter erstattet dem Mieter die Kosten der Heizung. Der Mieter erstattet dem Vermieter die Kosten "
            "der Reinigung.",
            "Die Kosten der Reinigung erstattet der Mieter dem Vermieter.",
            "Die Kosten der Reinigung erstattet der Vermieter dem Mieter.",
        ),
        (
            "fr",
            "L'acheteur verse au transporteur le prix. Le transporteur verse à l'acheteur une pénalité de retard.",
            "La pénalité de retard est versée par le transporteur à l'acheteur.",
            "La pénalité de retard est versée par l'acheteur au transporteur.",
        ),
    ],
)
def test_the_parties_are_those_of_the_sentence_about_the_same_thing(language, passage, right, wrong):
    assert released(right, passage, language)
    assert not released(wrong, passage, language)


def test_a_party_is_known_by_how_it_stands_not_by_its_name():
    passage = "The zorbler sends the quibb the ledger. The quibb sends the zorbler the key."

    assert released("The key is sent by the quibb to the zorbler.", passage, "en")
    assert not released("The key is sent by the zorbler to the quibb.", passage, "en")


def test_who_does_it_is_not_another_one_who_does_something_else():
    passage = "Der Besteller stellt die Gerüste auf. Der Monteur stellt die Leitern auf."

    assert released("Die Leitern werden vom Monteur aufgestellt.", passage, "de")
    assert not released("Die Leitern werden vom Besteller aufgestellt.", passage, "de")
