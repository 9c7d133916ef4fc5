"""Forms of words that no stemmer joins, words in one that say nothing, codes in a document's id."""

from dataclasses import replace

import pytest
from test_select_compose import passage

from pincite.answer.select.question import analyse
from pincite.answer.select.units import cut
from pincite.answer.select.values import is_of_like_size, seconds_of_unit, values_of
from pincite.answer.select.words import forms


@pytest.mark.parametrize(
    ("one", "other", "language"),
    [
        ("betaalt", "betalen", "nl"),
        ("herziet", "herzien", "nl"),
        ("bewaart", "bewaren", "nl"),
        ("prüft", "prüfen", "de"),
    ],
)
def test_a_verb_meets_its_infinitive(one: str, other: str, language: str):
    assert forms(one, language) & forms(other, language)


@pytest.mark.parametrize(
    "question",
    [
        "Combien de temps un code est-il valable ?",
        "Peut-on enregistrer un indice ?",
        "Faut-il qu'un code expire ?",
        "Quelle valeur est-elle permise ?",
    ],
)
def test_small_words_in_one_are_no_terms(question: str):
    assert not [term.text for term in analyse(question).terms if "-" in term.text or "'" in term.text]


@pytest.mark.parametrize(
    "question",
    ["Welk jaar geldt de uitgave?", "In what year was it issued?", "Welches Jahr gilt?", "Quelle année vaut ?"],
)
def test_a_year_is_asked_for_and_found(question: str):
    assert "year" in analyse(question).kinds
    assert values_of("year", "f. NEN 3651: 2003;") == ("2003",)


def test_no_year_is_a_part_of_a_number():
    assert values_of("year", "12.2003,5 and 20034 and 1,2003") == ()


@pytest.mark.parametrize("text", ["Endurance: 1000 Write/Erase Cycles", "mindestens 50 000 Schaltspiele", "3 times"])
def test_cycles_say_how_often(text: str):
    assert values_of("repetition", text)


def test_a_time_of_the_day_is_no_number_of_days():
    assert not is_of_like_size("12:07", seconds_of_unit("days"))
    assert is_of_like_size("12:07", 0)


def test_the_id_of_a_document_names_the_codes_in_it():
    found = passage("Any text.")
    named = replace(found, revision=replace(found.revision, document="756b70-mxz-3f54vf4-manual"))

    assert "mxz3f54vf4" in cut(named, 0).title
    assert "756b70mxz" in cut(named, 0).title  # where a code begins, the id does not say


def test_a_part_number_is_one_behind_a_french_elision():
    assert "ADX1100" in [term.text for term in analyse("Quel est le courant de l'ADX1100 ?").terms]
