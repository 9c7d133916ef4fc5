from hypothesis import given
from hypothesis import strategies as st

from pincite.retrieve.query import lexical, normalize

MAIL = """Dear colleague, thank you for the pleasant call of this morning about the matter that we discussed at length.
As promised here is what our member wrote to us after the weekend, and I hope that you can help me to answer it soon.
They would like to know which of the fields they have to fill in, and they were told that it is {code} but the person
on the telephone was not sure about that at all, so please have a look at it and let me know what the rules say here."""


def test_the_code_in_a_long_pasted_mail_is_what_its_words_are_searched_by():
    words = lexical(normalize(MAIL.format(code="TRX-0042")))

    assert "TRX-0042" in words
    assert len(words.split()) < 10


def test_a_short_question_is_searched_as_it_is():
    assert lexical("NPSH of the CRN 32-3?") == "NPSH of the CRN 32-3?"


@given(st.text())
def test_normalizing_twice_changes_nothing(text):
    assert normalize(normalize(text)) == normalize(text)


@given(st.text())
def test_what_is_searched_by_words_was_in_the_question(text):
    asked = normalize(text)

    assert set(lexical(asked).split()) <= set(asked.split())
