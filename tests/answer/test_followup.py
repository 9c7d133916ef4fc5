"""A follow-up and the question before it → a question that stands alone."""

from __future__ import annotations

import pytest

from pincite.answer.followup import clean_question, complete, stand_alone

NPSH = "NPSH of the CRN 32-3 at 1450 rpm?"


@pytest.mark.parametrize(
    ("question", "before", "expected"),
    [
        ("and at 2900?", NPSH, "NPSH of the CRN 32-3 at 2900 rpm?"),
        ("same for the 45", "NPSH of the CRN 32-3 at 2900 rpm?", "NPSH of the CRN 45 at 2900 rpm?"),
        ("thanks, what about seals?", "NPSH of the CRN 45 at 2900 rpm?", "seals of the CRN 45?"),
        ("en bij 2900?", "NPSH van de CRN 32-3 bij 1450 tpm?", "NPSH van de CRN 32-3 bij 2900 tpm?"),
        ("und bei 2900?", "NPSH der CRN 32-3 bei 1450 min⁻¹?", "NPSH der CRN 32-3 bei 2900 min⁻¹?"),
        ("et à 2900 ?", "NPSH de la CRN 32-3 à 1450 tr/min ?", "NPSH de la CRN 32-3 à 2900 tr/min?"),
        ("and the CRN 45-2?", NPSH, "NPSH of the CRN 45-2 at 1450 rpm?"),
        ("and for a refund?", "What is the fee for a purchase?", "What is the fee for a refund?"),
        ("En met manchetknopen?", "Mag ik met mijn koelkast betalen?", "Mag ik met manchetknopen betalen?"),
        ("Und mit einer Uhr?", "Kann ich mit meinem Ring bezahlen?", "Kann ich mit einer Uhr bezahlen?"),
        ("Does it have an ATEX certificate?", NPSH, "Does it have an ATEX certificate (CRN 32-3)?"),
    ],
)
def test_a_follow_up_takes_over_what_it_leaves_unsaid(question, before, expected):
    assert stand_alone(question, before) == expected


@pytest.mark.parametrize(
    "question",
    [
        "What is a bank?",
        "Within how many days must a chargeback be raised?",
        "What is the weight of the TRX-0042?",
        "Is it allowed to surcharge?",
        "Welke pakkingen heeft de CRN 90?",
    ],
)
def test_a_question_that_stands_alone_is_left_alone(question):
    assert stand_alone(question, NPSH) == question


def test_the_first_question_of_a_conversation_is_left_alone():
    assert stand_alone("and at 2900?", "") == "and at 2900?"


TITLES = ["CRN 45-2 data sheet", "CRN 32-3 data sheet", "CRN 32-4 data sheet"]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("NPSH of the CRN 45 at 2900 rpm?", "NPSH of the CRN 45-2 at 2900 rpm?"),
        ("NPSH of the CRN 32 at 2900 rpm?", "NPSH of the CRN 32 at 2900 rpm?"),
        ("NPSH of the CRN 4 at 2900 rpm?", "NPSH of the CRN 4 at 2900 rpm?"),
        ("NPSH of the CRN 32-3?", "NPSH of the CRN 32-3?"),
    ],
)
def test_a_series_is_made_whole_only_when_one_title_alone_can_be_meant(question, expected):
    assert complete(question, TITLES) == expected


def test_characters_that_nobody_sees_are_taken_out_of_a_question():
    assert clean_question("\u202eStock\u202c of 9658\u200b75\u200d63?\U000e0049 \ud800") == "Stock of 96587563? ?"


def test_the_other_one_of_a_pair_takes_its_place():
    before = "What is the interchange fee for a domestic purchase with a consumer card?"

    assert stand_alone("and cross-border?", before) == before.replace("domestic", "cross-border")
    assert stand_alone("En grensoverschrijdend?", "Wat kost een binnenlandse aankoop?").startswith("Wat kost een grens")
