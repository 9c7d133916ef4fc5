"""What a sentence says beside its values, and sentences that only say what follows."""

import pytest

from pincite.answer.claims import sentences
from pincite.answer.gate import judge, prepare


def verdicts(answer, passage, language="en"):
    return [v for s in judge(answer, [prepare(passage, language)], language) for v in s.verdicts]


def released(answer, passage, language="en"):
    return all(v.label == "supported" for v in verdicts(answer, passage, language))


@pytest.mark.parametrize(
    ("language", "passage", "right", "added"),
    [
        (
            "en",
            "The carrier pays a bonus of EUR 12.50 to the driver for each round. The depot bills the client.",
            "The carrier pays a bonus of EUR 12.50 to the driver for each round",
            " and the driver must share this bonus with the client",
        ),
        (
            "nl",
            "De huurder meldt gebreken binnen 5 dagen. De verhuurder herstelt de lift binnen 36 uur.",
            "De verhuurder herstelt de lift binnen 36 uur",
            " en betaalt een schadevergoeding",
        ),
        (
            "de",
            "Die Prämie beträgt 0,4 % des Umsatzes, mindestens 90 Euro.",
            "Die Prämie beträgt 0,4 % des Umsatzes, mindestens 90 Euro",
            ", und sie kann gestundet werden",
        ),
        (
            "fr",
            "La commission répond dans les trente jours qui suivent la demande.",
            "La commission répond dans les trente jours qui suivent la demande",
            " et affiche sa réponse à la mairie",
        ),
    ],
)
def test_a_clause_beside_a_right_value_needs_support_of_its_own(language, passage, right, added):
    assert released(right + ".", passage, language)
    assert not released(right + added + ".", passage, language)


def test_the_verdict_names_the_clause_that_nothing_carries():
    passage = "The fee is EUR 18.50 for each dispute."

    wrong = [v for v in verdicts("The fee is EUR 18.50 and the bank must waive it.", passage) if v.label != "supported"]

    assert [v.claim.text for v in wrong] == ["the bank must waive it."]
    assert wrong[0].claim.kind == "statement"


def test_according_to_the_table_adds_nothing():
    assert released("The weight is 48 kg, according to the table.", "Weight: 48 kg.")


@pytest.mark.parametrize(
    ("language", "framing"),
    [
        ("en", "Below is a summary of the noise data."),
        ("nl", "Hieronder staat wat de handleiding over het geluid zegt."),
        ("de", "Gern fasse ich die Stelle zusammen."),
        ("fr", "Voici un résumé."),
    ],
)
def test_a_sentence_that_says_what_follows_passes(language, framing):
    noise = {"en": "Noise level 71 dB.", "nl": "Het geluid is 71 dB.", "de": "Schall 71 dB.", "fr": "Bruit 71 dB."}

    assert verdicts(framing, noise[language], language) == []


@pytest.mark.parametrize(
    "claim",
    [
        "Below is a summary of the vibration data.",
        "Here you must stop the pump.",
        "Below, no noise is allowed.",
        "Here noise is a summary, which courts criticised.",
    ],
)
def test_a_sentence_that_begins_like_framing_and_claims_something_is_judged(claim):
    assert verdicts(claim, "Noise level 71 dB.") != []


def test_a_number_ends_a_sentence_where_it_counts_nothing():
    assert len(sentences("It is certified for zone 1. Type B has no approval.")) == 2
    assert len(sentences("Es gilt der 2. Absatz der Vorschrift.")) == 1
    assert len(sentences("Die Frist endet am 3. Mai 2026.")) == 1
