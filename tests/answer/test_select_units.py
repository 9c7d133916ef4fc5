"""Passages cut into what can be quoted."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from pincite.answer.select.units import cut, expanded, joined, sentences
from pincite.types import Cell, Chunk, Passage, Revision, Table

RULEBOOK = Revision("fees", "fees.pdf", "3", "00", "Fees Rulebook", "en", "citable")


def passage(text, *, table=None, section=()):
    chunk = Chunk(0, section, "table" if table else "text", (1,), text, text, (), table)
    return Passage("p", RULEBOOK, chunk, 1, 1.0)


def pieces(text, **more):
    return [(unit.kind, unit.text) for unit in cut(passage(text, **more), 0).units]


def test_lines_that_wrap_are_one_sentence_and_abbreviations_do_not_end_it():
    text = "A card may be used abroad, e.g. in\nBelgium, cf. Art. 5 of the rules. It is\nblocked after three errors."

    assert [t for _, t in pieces(text)] == [
        "A card may be used abroad, e.g. in Belgium, cf. Art. 5 of the rules.",
        "It is blocked after three errors.",
    ]


def test_entries_after_a_colon_belong_to_their_lead_in():
    found = cut(passage("A cardholder may pay with:\n(a) a mobile phone;\n(b) a ring with a\nchip; and\n(c) a car."), 0)

    assert [unit.text for unit in found.units] == [
        "A cardholder may pay with:",
        "(a) a mobile phone;",
        "(b) a ring with a chip; and",
        "(c) a car.",
    ]
    assert found.entries == {0: (1, 2, 3)}


def test_a_list_within_a_line_is_cut_at_its_marks():
    text = "The following are admitted: (a) phones; (b) watches; and (k) refrigerators with a credential."

    assert [kind for kind, _ in pieces(text)] == ["sentence", "list", "list", "list"]


def test_a_run_in_title_stays_with_what_it_names():
    text = "Software as a Service (SaaS). The capability is to use the provider's applications. They run in a cloud."

    assert pieces(text)[0][1].startswith("Software as a Service (SaaS). The capability")


def test_a_word_broken_over_lines_keeps_its_hyphen_and_is_found_whole():
    found = cut(passage("The consent may be with-\ndrawn at any time."), 0)

    assert found.units[0].text == "The consent may be with-drawn at any time."
    assert "withdrawn" in found.units[0].words


def test_a_row_stands_where_it_is_printed_and_knows_its_merged_cells():
    cells = (
        Cell(0, 0, 0, 0, "Region", header=True),
        Cell(0, 0, 1, 1, "Transaction", header=True),
        Cell(0, 0, 2, 2, "Fee", header=True),
        Cell(1, 2, 0, 0, "Domestic"),
        Cell(1, 1, 1, 1, "Purchase"),
        Cell(1, 1, 2, 2, "0.20 %"),
        Cell(2, 2, 1, 1, "Cash withdrawal"),
        Cell(2, 2, 2, 2, "€ 0.45"),
    )
    table = Table(1, (0, 0, 1, 1), cells)
    text = "Region | Transaction | Fee\nDomestic | Purchase | 0.20 %\n | Cash withdrawal | € 0.45"

    found = cut(passage(text, table=table), 0)

    assert [text[unit.start : unit.end] for unit in found.units] == [
        "Domestic | Purchase | 0.20 %",
        "| Cash withdrawal | € 0.45",
    ]
    assert "domest" in found.units[1].words
    assert expanded(table)[2] == ("Domestic", "Cash withdrawal", "€ 0.45")


def test_the_unit_of_a_cell_comes_from_its_title_or_the_cell_beside_it():
    titled = cut(passage("Pump | NPSH [m]\nCRN 32-3 | 3.9"), 0)
    beside = cut(passage("Stof | Waarde | Eenheid\nLood | 10 | μg/l\nNitraat | 50 | mg/l"), 0)
    assert titled.table is None  # one line of cells is not yet a table that anything tells apart from text
    assert beside.table is not None

    assert beside.table.unit(1, 1) == "μg/l"
    assert beside.table.unit(1, 0) == ""


def test_lines_of_contents_and_of_reference_lists_are_marked():
    found = cut(passage("4.2 Fees ............ 12\n\n[RFC 6960] IETF, Online Certificate Status Protocol."), 0)

    assert all(unit.contents for unit in found.units)


@given(st.text(alphabet="ab Z1.:;,()\n-•"))
def test_sentences_lie_in_order_inside_the_text_and_lose_only_white_space(text):
    spans = sentences(text)

    assert all(0 <= start < end <= len(text) for start, end in spans)
    assert all(before[1] <= after[0] for before, after in pairwise(spans))
    assert "".join("".join(text[a:b].split()) for a, b in spans) == "".join(text.split())


@given(st.text())
def test_every_piece_is_the_text_at_its_place(text):
    for unit in cut(passage(text), 0).units:
        assert unit.text == joined(text[unit.start : unit.end])


def test_a_heading_with_the_number_of_the_paragraph_below_it_is_a_heading():
    found = cut(passage("Article 33 Notification of a personal data breach 1.\n\nThe controller notifies it."), 0)

    assert [unit.heading for unit in found.units] == [True, False]
