"""Contexts made ready, and which place of them a claim fits best."""

from hypothesis import given
from hypothesis import strategies as st

from pincite.answer.contexts import Grid, prepare, table_text
from pincite.answer.evidence import claim_slots, read_draft, weigh
from pincite.answer.quotations import find_quotation
from pincite.answer.words import detect_language
from pincite.types import Cell, Table

PUMPS = "Type | Q [m³/h] | H [m]\nCRN 32-3 | 32 | 48\nCRN 32-4 | 32 | 64"


def best_and_competitor(answer, context):
    draft = read_draft(answer, "en")
    slot = claim_slots(draft)[-1]
    return weigh(slot, draft, [context])


def test_a_column_title_gives_its_unit_to_bare_cells():
    (grid,) = prepare(PUMPS).parts

    assert isinstance(grid, Grid)
    assert {slot.value.unit for slot in grid.slots if slot.column == 1 and slot.row > 0} == {"m3/h"}


def test_the_competitor_is_the_value_of_the_better_place():
    weighed = best_and_competitor("The head H of the CRN 32-3 is 64 m", prepare(PUMPS))

    assert weighed.best.slot.cell == (2, 2)
    assert weighed.competitor.slot.cell == (1, 2)
    assert weighed.margin < 0


def test_words_of_a_merged_label_count_in_each_of_its_rows():
    table = Table(
        page=1,
        box=(0, 0, 1, 1),
        cells=(
            Cell(0, 0, 0, 1, "Fee", header=True),
            Cell(0, 0, 2, 2, "Rate", header=True),
            Cell(1, 2, 0, 0, "Domestic"),
            Cell(1, 1, 1, 1, "Purchase"),
            Cell(1, 1, 2, 2, "0.20 %"),
            Cell(2, 2, 1, 1, "Refund"),
            Cell(2, 2, 2, 2, "0.05 %"),
        ),
    )
    (grid,) = prepare(table).parts

    assert grid.row_titles == ("Fee", "Domestic Purchase", "Domestic Refund")


def test_a_row_header_in_the_first_column_is_not_taken_for_a_column_header():
    table = Table(
        page=1,
        box=(0, 0, 1, 1),
        cells=(
            Cell(0, 0, 0, 0, "Type", header=True),
            Cell(0, 0, 1, 1, "H [m]", header=True),
            Cell(1, 1, 0, 0, "CRN 32-3", header=True),
            Cell(1, 1, 1, 1, "48"),
        ),
    )

    assert prepare(table).parts[0].header_rows == 1


def test_half_a_sentence_is_no_quotation():
    context = prepare("The pressure is not more than 16 bar. The head is 48 m.")

    assert find_quotation("The head is 48 m.", [context]) is not None
    assert find_quotation("more than 16 bar.", [context]) is None
    assert find_quotation("The pressure is not more than 16 bar. The head is 48 m", [context]) is not None


def test_the_language_of_a_short_text_stays_unknown():
    assert detect_language("De pomp is voorzien van een motor en een waaier.") == "nl"
    assert detect_language("3,5 bar") == ""


TEXT = st.text(alphabet="abc 0123.,%|€-", max_size=12)


@given(st.lists(st.lists(TEXT, min_size=2, max_size=4), min_size=1, max_size=5))
def test_cells_of_lines_stand_where_their_context_says(rows):
    text = "\n".join(" | ".join(row) for row in rows)

    for part in prepare(text).parts:
        if isinstance(part, Grid):
            for cell in part.cells:
                assert text[cell.start : cell.start + cell.normal.length].strip() == cell.text.strip()


@given(st.lists(st.lists(TEXT, min_size=1, max_size=4), min_size=1, max_size=5))
def test_the_text_of_a_table_holds_every_cell_where_its_slots_say(rows):
    cells = tuple(Cell(r, r, c, c, text) for r, row in enumerate(rows) for c, text in enumerate(row))
    table = Table(page=1, box=(0, 0, 1, 1), cells=cells)

    prepared = prepare(table)

    assert prepared.text.startswith(table_text(table))
    for part in prepared.parts:
        if isinstance(part, Grid):
            for cell in part.cells:
                assert prepared.text[cell.start : cell.start + cell.normal.length] == cell.text
