import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.answer.gate import judge, prepare
from pincite.corpus.chunks import cut
from pincite.corpus.hyphenation import known_words, only_breaks, softened, unbroken
from pincite.types import Line, Page, ParsedDocument


def lines(*texts):
    return [Line(text, 1, (72, 700 - 14 * k, 500, 710 - 14 * k), 10.0) for k, text in enumerate(texts)]


def document(*texts, language="en"):
    page = Page(1, "1", "text", 595, 842, 0, (0, 0, 595, 842))
    return ParsedDocument("f.pdf", "0" * 64, "test", "Rules", language, (page,), tuple(lines(*texts)), (), (), ())


def any_length(text):
    return True


@pytest.mark.parametrize(
    ("before", "after", "language", "joined"),
    [
        ("Regeln für den Zahlungs-", "verkehr im Inland", "de", True),
        ("de vergoeding voor grens-", "overschrijdende betalingen", "nl", True),
        ("the ship goes from NL-", "BE to the north", "en", False),
        ("Ein- und Ausfuhr, ein-", "und ausgehende Zahlungen", "de", False),
        ("in- en", "uitgaande betalingen", "nl", False),
        ("the member's respon-", "sibility for the fee", "en", True),
        ("les membres sont respon-", "sables de la redevance", "fr", True),
        ("model CRN 32-", "3 and its successor", "en", False),
        ("pages 12-", "fifteen are blank", "en", False),
        ("an e-", "mail to the member", "en", False),
        ("the fees - in euro -", "are due", "en", False),
        ("with a soft hy\u00ad", "phen at its end", "en", True),
    ],
)
def test_a_hyphen_at_a_line_end_goes_where_it_only_breaks_a_word(before, after, language, joined):
    assert only_breaks(before, after, frozenset(), language) is joined


def test_what_the_document_prints_unbroken_decides():
    known = known_words(lines("A well-known cooperation of members", "and their self-assessment."))

    assert only_breaks("a co-", "operation of", known, "en")
    assert not only_breaks("it is well-", "known that", known, "en")
    assert not only_breaks("a self-", "assessment of", known, "en")


def test_two_words_that_both_stand_in_an_english_document_keep_their_hyphen():
    known = known_words(lines("The cross on the border of the sheet."))

    assert not only_breaks("a cross-", "border fee", known, "en")


def test_a_chunk_stays_as_printed_and_is_read_with_whole_words():
    (chunk,) = cut(document("Der Zahlungs-", "verkehr kostet 0,20 %.", language="de"), fits=any_length)

    assert chunk.text == "Der Zahlungs-\nverkehr kostet 0,20 %."
    assert chunk.embedded_text == "Rules\nDer Zahlungsverkehr kostet 0,20 %."
    assert unbroken(softened(chunk)) == "Der Zahlungsverkehr kostet 0,20 %."
    assert len(softened(chunk)) == len(chunk.text)


def test_the_gate_reads_a_broken_word_as_one_and_says_where_it_stands():
    (chunk,) = cut(document("Der Zahlungs-", "verkehr kostet 0,20 %.", language="de"), fits=any_length)

    (verdict,) = judge("Der Zahlungsverkehr kostet 0,20 %.", [prepare(softened(chunk), "de")], "de")

    assert verdict.released
    evidence = verdict.verdicts[0].evidence
    assert chunk.text[evidence.start : evidence.end] in chunk.text


PARTS = st.sampled_from(
    ["Zahlungs-", "verkehr", "respon-", "sible", "NL-", "BE", "fee", "ein-", "und", "due.", "12-", "3"]
)


@given(
    st.lists(st.lists(PARTS, min_size=1, max_size=4).map(" ".join), min_size=1, max_size=12),
    st.sampled_from(["en", "de"]),
)
def test_joining_changes_nothing_but_hyphens_at_line_ends(texts, language):
    for chunk in cut(document(*texts, language=language), fits=any_length, size=60):
        assert all(chunk.text[at] == "-" and chunk.text[at + 1] == "\n" for at in chunk.breaks)
        letters = "".join(chunk.text.split()).replace("-", "")
        assert "".join(unbroken(softened(chunk)).split()).replace("-", "") == letters
