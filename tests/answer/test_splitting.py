"""Text of a model, in pieces of any size → sentences, items, rows."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.answer.splitting import Splitter, Unit, read_marks

ANSWER = """\
## Fees

The fee is 0.20 % [[P3]]. See art. 5 and e.g. No. 7 for the flow in [m³/h]. The NPSH is 1.9 m. [[P1]] Am 1. Januar
2024 gilt es. Next one?! Yes.
The following hold:

- one thing at 3.5 bar [[P1]]
  and more
- two. With sentences. [[P2]]
1. first
2) second [[table:P4]]

| a | b |
|---|---|
| 1 | 2 [[P1]] |
| 3 | 4 |

See https://example.org/z?a=1. And "quoted." Then [[P1, P2]][[99]] done
"""


def split(text: str, *, cuts: tuple[int, ...] = ()) -> list[Unit]:
    splitter, units, start = Splitter(), [], 0
    for end in (*sorted(cuts), len(text)):
        units += splitter.feed(text[start:end])
        start = max(start, end)
    return units + splitter.close()


def texts(text: str) -> list[str]:
    return [unit.text for unit in split(text)]


@given(st.lists(st.integers(0, len(ANSWER)), max_size=60).map(tuple))
def test_the_units_do_not_depend_on_how_the_text_was_cut(cuts):
    assert split(ANSWER, cuts=cuts) == split(ANSWER)


FRAGMENTS = (
    "The fee is 0.20 %",
    *(
        ". ",
        "[[P3]]",
        " [[",
        "]]",
        "[m³/h]",
        "\n",
        "\n\n",
        "- ",
        "1. ",
        "# ",
        "| a | b |",
        "|--|--|",
        ":",
        "e.g. ",
        "! ",
    ),
    *("Next", " ", "**", "…", "x", "[[table:P4]]", "[[none]]", "é", "\r\n", "  ", "1", "Art. 5"),
)


@given(st.lists(st.sampled_from(FRAGMENTS), max_size=25).map("".join), st.lists(st.integers(0, 120), max_size=12))
def test_no_text_at_all_depends_on_how_it_was_cut(text, cuts):
    assert split(text, cuts=tuple(min(cut, len(text)) for cut in cuts)) == split(text)


@given(st.lists(st.sampled_from(FRAGMENTS), max_size=25).map("".join))
def test_no_word_is_lost_or_doubled(text):
    joined = "".join(unit.prefix + unit.text for unit in split(text))

    # Letters only: the "1." of an item without text is a mark, not a word.
    assert [c for c in joined if c.isalpha()] == [c for c in text if c.isalpha()]


@pytest.mark.parametrize(
    "text",
    [
        "The pump of Art. 5, e.g. the CRN 32-3, runs at 1.450 rpm.",
        "See https://example.org/a.b?c=1. for it",
        "It costs approx. 3.50 EUR.",
        "Bijv. art. 7 lid 2 geldt.",
        "Das gilt z.B. ab dem 1. Januar 2024.",
        "As J. Smith wrote, {{1}} is text.",
    ],
)
def test_abbreviations_decimals_initials_and_addresses_do_not_end_a_sentence(text):
    assert texts(text) == [text]


def test_a_unit_of_one_letter_ends_a_sentence():
    assert texts("The head is 1.9 m. The flow is 5 l.") == ["The head is 1.9 m.", "The flow is 5 l."]


def test_a_mark_belongs_to_the_sentence_before_it_on_either_side_of_the_full_stop():
    assert texts("One. [[P1]] Two [[P2]]. Three") == ["One. [[P1]]", "Two [[P2]].", "Three"]


def test_a_capital_on_a_new_line_begins_a_sentence_although_no_full_stop_stands_before_it():
    assert texts("The fee is 0.20 % [[P3]]\nA member shall surcharge. ") == [
        "The fee is 0.20 % [[P3]]",
        "A member shall surcharge.",
    ]
    assert texts("The fee is 0.20 %\nof the amount. ") == ["The fee is 0.20 % of the amount."]


def test_a_line_with_a_colon_at_its_end_is_a_lead_in():
    assert [unit.kind for unit in split("These hold:\n- a [[P1]]\n- b [[P1]]")] == ["lead", "item", "item"]


def test_brackets_of_units_and_references_are_no_marks():
    marked = read_marks("Q [m³/h], speed [km/h], see [3] and [[wiki]] and arr[[0] 1]")

    assert marked.handles == () and marked.text == "Q [m³/h], speed [km/h], see [3] and [[wiki]] and arr[[0] 1]"


def test_an_invented_handle_is_read_as_a_handle():
    assert read_marks("Yes [[99]] and [[p3; S12]].").handles == ("99", "P3", "S12")
