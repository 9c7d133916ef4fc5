"""What a typed word, phrase, compound or text is said to say."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.lexicon import LANGUAGES, senses, senses_in
from pincite.lexicon.compounds import SHORTEST, parts


def says(word: str, language: str, other: str, other_language: str) -> bool:
    """Whether a line of the one word holds the other."""
    return any(other in sense.words[other_language] for sense in senses(word, language))


@pytest.mark.parametrize(
    ("typed", "language", "other", "other_language"),
    [
        ("refunds", "en", "Rückerstattung", "de"),
        ("paid", "en", "paiement", "fr"),
        ("Schlüsseln", "de", "key", "en"),
        ("schluessel", "de", "sleutel", "nl"),
        ("schlussel", "de", "clé", "fr"),
        ("cle", "fr", "sleutel", "nl"),
        ("l'échéance", "fr", "deadline", "en"),
        ("CARDHOLDER'S", "en", "Karteninhaber", "de"),
        ("notice periods", "en", "Kündigungsfrist", "de"),
        ("mots de passe", "fr", "wachtwoord", "nl"),
        ("boss", "en", "Vorgesetzter", "de"),
        ("d'office", "fr", "von Amts wegen", "de"),
        ("s'occuper", "fr", "maintain", "en"),
        ("thrown away", "en", "entsorgen", "de"),
    ],
)
def test_a_word_as_typed_says_what_its_line_says(typed, language, other, other_language):
    assert says(typed, language, other, other_language)


def test_a_sense_holds_the_stems_of_all_languages_its_own_included():
    (sense,) = senses("notice period", "en")

    assert ("notic", "period") in sense.stems["en"]
    assert ("kundigungsfrist",) in sense.stems["de"]
    assert set(sense.stems) == set(LANGUAGES)


def test_a_word_that_stands_on_a_line_is_not_another_of_the_same_stem():
    assert {sense.words["nl"] for sense in senses("police", "en")} == {("politie",)}
    assert not says("policy", "en", "politie", "nl")


@pytest.mark.parametrize(
    ("compound", "language", "expected"),
    [
        ("Versicherungspflicht", "de", ["insurance", "obligation"]),
        ("Kartenverlust", "de", ["card", "lost"]),
        ("kaartverlies", "nl", ["card", "lost"]),
        ("Passwort-Sperre", "de", ["password", "block"]),
        ("betalingsbewijs", "nl", ["payment", "evidence"]),
    ],
)
def test_a_compound_says_what_its_parts_say_and_is_marked(compound, language, expected):
    found = senses(compound, language)

    assert all(sense.part for sense in found)
    assert all(any(word in sense.words["en"] for sense in found) for word in expected)


def test_a_listed_compound_is_not_taken_apart():
    assert [sense.part for sense in senses("Kündigungsfristen", "de")] == [""]


@pytest.mark.parametrize(
    ("word", "language"),
    [
        ("xyzzy", "en"),
        ("Freundschaft", "de"),  # Freund is listed, and -schaft no word.
        ("tegenwoordigheid", "nl"),
        ("", "fr"),
        ("…", "de"),
        ("pump", "xx"),
        ("TRX-0042", "en"),
    ],
)
def test_unknown_words_and_languages_say_nothing(word, language):
    assert senses(word, language) == ()


def test_a_phrase_goes_before_its_words_in_a_text():
    text = "What is the notice period of cards?"

    spotted = [(text[found.start : found.end], found.senses[0].words["nl"][0]) for found in senses_in(text, "en")]

    assert spotted == [("notice period", "opzegtermijn"), ("cards", "kaart")]


LISTED = ["karte", "frist", "zahlung", "kündigung", "sperre", "vertrag", "recht"]


@given(st.lists(st.sampled_from(LISTED), min_size=2, max_size=4), st.sampled_from(["s", "n", "en", ""]))
def test_what_is_joined_of_known_words_comes_apart_into_known_words(words, link):
    joined = link.join(words)

    found = parts(joined, "de", LISTED.__contains__)

    assert found
    assert len(found) <= len(words)
    assert all(piece in LISTED for piece in found)


@given(st.text(alphabet="abcdenrst", max_size=2 * SHORTEST - 1), st.sampled_from(["nl", "de"]))
def test_short_words_are_never_taken_apart(word, language):
    assert parts(word, language, lambda piece: True) == ()


@given(
    st.text(alphabet="aeknrst", min_size=8, max_size=18), st.sets(st.text(alphabet="aeknrst", min_size=1, max_size=6))
)
def test_parts_are_known_long_enough_and_in_order(word, listed):
    found = parts(word, "de", listed.__contains__)

    at = 0
    for piece in found:
        assert piece in listed
        assert len(piece) >= SHORTEST
        at = word.index(piece, at) + len(piece)


@given(st.text(max_size=60), st.sampled_from(LANGUAGES))
def test_any_text_is_read_and_what_is_spotted_stands_in_it_in_order(text, language):
    spotted = senses_in(text, language)

    assert all(0 <= found.start < found.end <= len(text) and found.senses for found in spotted)
    assert all(first.end <= second.start for first, second in pairwise(spotted))


@pytest.mark.parametrize(
    ("typed", "listed", "language"),
    [("binnenlandse", "binnenlands", "nl"), ("beantwoord", "beantwoorden", "nl"), ("beantwortet", "beantworten", "de")],
)
def test_a_form_that_the_stemmer_does_not_join_is_found_as_it_is_listed(typed: str, listed: str, language: str):
    assert senses(typed, language) == senses(listed, language) != ()
