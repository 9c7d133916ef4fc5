"""Sentences and claims of an answer."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.answer.claims import claims, sentences


def units(text):
    return [text[s.start : s.end] for s in sentences(text)]


def kinds(text, language="en"):
    return [(c.claim.text, c.claim.kind) for c in claims(text, language)]


@pytest.mark.parametrize(
    "sentence",
    [
        "The fee is 0.20 % of the amount.",
        "See Art. 5 of Rulebook B, e.g. for refunds.",
        "Zie art. 12 lid 2, d.w.z. binnen 30 dagen.",
        "Die Frist endet am 3. Mai 2024.",
        "Gemäß Abs. 2 gilt dies z.B. für Pumpen.",
        "Mr. J. Smith signed version no. 4 of it.",
        "Voir p.ex. l'art. 7 du règlement.",
        "The head is approx. 3.5 m at 1,450 rpm.",
    ],
)
def test_decimals_abbreviations_and_ordinals_do_not_end_a_sentence(sentence):
    assert units(sentence) == [sentence]


def test_sentences_items_headings_and_rows_are_units():
    text = (
        "## Fees\nThe fees are: see below. They hold {{1}}. Next?\n- Domestic: 0.20 %\n- Other\n\n"
        "| A | B |\n|---|---|\n| 1 | 2 |"
    )

    assert units(text) == [
        "## Fees",
        "The fees are: see below.",
        "They hold {{1}}.",
        "Next?",
        "- Domestic: 0.20 %",
        "- Other",
        "| A | B |",
        "|---|---|",
        "| 1 | 2 |",
    ]
    assert [s.kind for s in sentences(text)][-3:] == ["row", "rule", "row"]


def test_a_citation_mark_stays_with_the_sentence_it_follows():
    assert units("The fee is 5 EUR. {{1}} It is due on Monday. {{2}}") == [
        "The fee is 5 EUR. {{1}}",
        "It is due on Monday. {{2}}",
    ]


def test_a_line_break_alone_does_not_end_a_sentence():
    assert units("The fee for a\ndomestic purchase is low.\n\nNext one.") == [
        "The fee for a\ndomestic purchase is low.",
        "Next one.",
    ]


def test_citation_marks_and_list_numbers_are_no_claims():
    assert kinds("1. The fee is 5 EUR {{12}}.\n2. Nothing.") == [("5 EUR", "money")]


def test_claims_have_their_kind():
    text = "Section 4.2 of ISO 9906: 16 bar, 0.2 %, 5 items on 5 May 2024 at 13:30, ATEX, CRN 32-3."

    assert [kind for _, kind in kinds(text)] == [
        "section",
        "identifier",
        "quantity",
        "percentage",
        "number",
        "date",
        "time",
        "certification",
        "identifier",
    ]


PIECES = st.sampled_from(
    [
        "The fee ",
        "is 0.5 %",
        ". ",
        "\n",
        "\n\n",
        "- ",
        "1. ",
        "Art. 5 ",
        "e.g. ",
        "| a | b |",
        "{{1}}",
        "3. Mai ",
        "? ",
        "Next ",
        "ends.",
    ]
)


@given(st.lists(PIECES, max_size=25).map("".join))
def test_units_cover_all_but_white_space_in_order(text):
    at = 0
    for unit in sentences(text):
        assert at <= unit.start < unit.end <= len(text)
        assert not text[at : unit.start].strip()
        at = unit.end
    assert not text[at:].strip()
