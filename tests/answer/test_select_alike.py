"""Words of a question in other words: the glossary beside the words themselves."""

import pytest

from pincite.answer.select.alike import alike_in
from pincite.answer.select.fit import ALIKE, LEAD_IN, OWN, cover, holds, holds_itself
from pincite.answer.select.question import Term, analyse
from pincite.answer.select.words import word_set


def term(question: str, word: str) -> Term:
    return next(term for term in analyse(question).terms if term.text == word)


@pytest.mark.parametrize(
    ("question", "word", "text", "language"),
    [
        ("Can I pay with my fridge?", "fridge", "(f) a refrigerator that orders goods", "en"),
        ("Kan ik met mijn koelkast betalen?", "koelkast", "(f) a refrigerator that orders goods", "en"),
        ("Wie hoch ist das Gewicht der Pumpe?", "Gewicht", "Weight 24 kg", "en"),
        ("What is the weight of the pump?", "weight", "Gewicht 24 kg", "de"),
        ("Quel est le délai de remboursement ?", "remboursement", "De terugbetaling volgt binnen 5 dagen.", "nl"),
        ("Binnen hoeveel werkdagen volgt een besluit?", "werkdagen", "within ten business days", "en"),
    ],
)
def test_a_word_is_found_in_other_words_and_other_languages(question: str, word: str, text: str, language: str):
    asked = term(question, word)
    words = word_set(text, language)
    assert holds(asked, words)
    assert not holds_itself(asked, words)


def test_another_thing_is_not_found():
    asked = term("Kan ik met mijn koelkast betalen?", "koelkast")
    assert not holds(asked, word_set("(g) a car, for fuel, charging, parking and tolls", "en"))


def test_a_compound_is_found_where_all_its_parts_are_said():
    asked = term("Wie lang ist die Kündigungsfrist?", "Kündigungsfrist")
    assert holds(asked, word_set("The notice period is 6 months.", "en"))
    assert not holds(asked, word_set("The billing period is 6 months.", "en"))


def test_codes_and_names_have_no_other_words():
    terms = analyse("Which key does the Ring 32-3 of Apple have?").terms
    assert {t.text for t in terms if t.alike.words} == {"key"}


def test_the_word_itself_counts_more_than_what_says_the_same():
    asked = term("What is the weight?", "weight")
    itself = cover([asked], [1.0], [(OWN, word_set("weight", "en"))], compounds=False, typed=frozenset())
    other = cover([asked], [1.0], [(OWN, word_set("mass", "en"))], compounds=False, typed=frozenset())
    assert (itself.share, other.share) == (1.0, ALIKE)
    assert other.own == ALIKE
    assert other.tight == 1.0


def test_the_word_in_the_lead_in_goes_before_another_word_in_the_piece_only_if_it_counts_more():
    asked = term("What is the weight?", "weight")
    levels = [(OWN, word_set("mass", "en")), (LEAD_IN, word_set("weight", "en"))]
    assert cover([asked], [1.0], levels, compounds=False, typed=frozenset()).share == max(OWN * ALIKE, LEAD_IN)


def test_the_words_of_a_phrase_share_what_it_says():
    found = alike_in("within ten business days", "en")
    assert {found[start].words for start in found if start >= 11} != {frozenset()}
    assert found[11] is found[20]


def test_what_is_left_of_a_phrase_is_no_word_for_it():
    asked = term("What does a domestic purchase cost?", "domestic")
    assert not holds(asked, word_set("the country of the terminal", "en"))
    assert holds(asked, word_set("een binnenlandse aankoop", "nl"))
