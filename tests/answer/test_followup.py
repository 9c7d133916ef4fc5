"""A follow-up and the question before it → a question that stands alone."""

from __future__ import annotations

import pytest

from pincite.answer.followup import clean_question, complete, made_whole, stand_alone

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
        (
            "and for a commercial card?",
            "What is the fee for a cross-border purchase with a consumer card?",
            "What is the fee for a cross-border purchase with a commercial card?",
        ),
        (
            "Und mit einer Firmenkarte?",
            "Was kostet ein Kauf im Ausland mit einer Verbraucherkarte?",
            "Was kostet ein Kauf im Ausland mit einer Firmenkarte?",
        ),
        ("And the renewal?", "What does the first test at level B cost?", "What does the renewal at level B cost?"),
        ("what is the daily limit?", "Can I pay with a ring?", "what is the daily limit with a ring?"),
        ("en wat is de daglimiet?", "Mag ik met mijn auto betalen?", "wat is de daglimiet met mijn auto?"),
        (
            "Wie hoch ist das Tageslimit?",
            "Darf ich mit einer Uhr zahlen?",
            "Wie hoch ist das Tageslimit mit einer Uhr?",
        ),
        (
            "Quelle est la limite par jour ?",
            "Puis-je payer avec une bague ?",
            "Quelle est la limite par jour avec une bague?",
        ),
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
        "What is the fee for a refund?",
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


PUMPS = ["CRN 45-2 Datenblatt", "CRN 32-3 data sheet", "CRN 32-4 data sheet"]


@pytest.mark.parametrize(
    ("questions", "standing_alone"),
    [
        (
            ["NPSH of the CRN 32-3 at 1450 rpm?", "and at 2900?", "same for the 45", "thanks, what about seals?"],
            ["NPSH of the CRN 32-3 at 2900 rpm?", "NPSH of the CRN 45-2 at 2900 rpm?", "seals of the CRN 45-2?"],
        ),
        (
            [
                "NPSH van de CRN 32-3 bij 1450 tpm?",
                "en bij 2900?",
                "hetzelfde voor de 45",
                "bedankt, en de seals?",
            ],
            [
                "NPSH van de CRN 32-3 bij 2900 tpm?",
                "NPSH van de CRN 45-2 bij 2900 tpm?",
                "seals van de CRN 45-2?",
            ],
        ),
        (
            [
                "NPSH of the CRN 32-3 at 1450 rpm?",
                "Thanks!",
                "what about at 2900 rpm for the CRN 45-2?",
                "How heavy is it?",
            ],
            ["Thanks!", "NPSH of the CRN 45-2 at 2900 rpm?", "How heavy is it (CRN 45-2)?"],
        ),
        (
            ["What is the fee for a purchase?", "and for a refund?", "who pays it?", "When is it due?"],
            ["What is the fee for a refund?", "who pays it (fee for a refund)?", "When is it due (fee for a refund)?"],
        ),
        (
            ["Wat kost een aankoop?", "en een terugbetaling?", "wie betaalt dat?", "Waarom?"],
            ["Wat kost een terugbetaling?", "wie betaalt dat (terugbetaling)?", "Waarom (terugbetaling)?"],
        ),
        (
            ["Can I pay with my fridge?", "And with a watch?", "Why not?", "What about cufflinks?"],
            ["Can I pay with a watch?", "Why not (pay with a watch)?", "Why not (pay with cufflinks)?"],
        ),
        (
            ["Mag ik met mijn koelkast betalen?", "en een ring?", "Waarom niet?"],
            ["Mag ik met een ring betalen?", "Waarom niet (met een ring betalen)?"],
        ),
        (
            ["What does article 33 of the GDPR say?", "and article 34?"],
            ["What does article 34 of the GDPR say?"],
        ),
        (
            ["Was ist der Förderstrom der CRN 32-3?", "und die Förderhöhe?", "und bei 60 Hz?"],
            ["Förderhöhe von der CRN 32-3?", "Förderhöhe von der CRN 32-3 bei 60 Hz?"],
        ),
        (
            ["Quel est le débit de la CRN 32-3 ?", "et à 60 Hz ?", "quels matériaux ?"],
            ["Quel est le débit de la CRN 32-3 à 60 Hz?", "quels matériaux (CRN 32-3)?"],
        ),
        (
            ["What is the rated flow of the CRN 32-3?", "in the latest revision?", "is it different at 60 Hz?"],
            ["What is the rated flow of the CRN 32-3 in the latest revision?", "is it different at 60 Hz (CRN 32-3)?"],
        ),
        (
            [
                "How long may a verifier keep a secret?",
                "What about biometrics?",
                "what does the GDPR say about breaches?",
            ],
            ["How long may a verifier keep biometrics?", "what does the GDPR say about breaches?"],
        ),
    ],
)
def test_a_conversation_is_followed_turn_by_turn(questions, standing_alone):
    followed = [made_whole(questions[: n + 1], PUMPS) for n in range(len(questions))]

    assert followed == [questions[0], *standing_alone]


@pytest.mark.parametrize(
    "question",
    [
        "Is it allowed to pay in cash?",
        "Is het toegestaan contant te betalen?",
        "Gibt es eine Frist für Rückbuchungen?",
        "Has the CRN 45-2 a seal, and is it HQQE?",
        "What does a chargeback cost the acquirer after the deadline of that month has passed and nobody has replied?",
        "Within how many days must a chargeback be raised?",
    ],
)
def test_a_question_that_names_what_it_means_is_not_given_another_subject(question):
    assert made_whole(["What is the fee for a refund?", question], PUMPS) == question


def test_words_of_an_earlier_question_are_not_piled_up():
    questions = ["What is the fee for a purchase?"] + ["and for a refund?", "and for a purchase?"] * 9

    assert made_whole(questions, ()) == "What is the fee for a purchase?"
