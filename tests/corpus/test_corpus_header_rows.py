"""Which upper rows of a table name its columns."""

import pytest
from corpus_pages import Sheet
from reportlab.lib.colors import HexColor

from pincite.corpus.pdf import read_pdf
from pincite.corpus.tables import column_names, header_rows

XS = (60, 160, 240, 320, 400, 480)


def read(texts, grounds=(), bold=0, xs=XS):
    """The table of these rows, the first ``bold`` of them bold, on these grounds: 0xRRGGBB, or None for paper."""
    sheet = Sheet()
    for r, row in enumerate(texts):
        y = 700 - 18 * r
        for c, text in enumerate(row):
            if r < len(grounds) and grounds[r]:
                sheet.canvas.setFillColor(HexColor(grounds[r]))
                sheet.canvas.rect(xs[c], y - 18, xs[c + 1] - xs[c], 18, stroke=0, fill=1)
                sheet.canvas.setFillColor(HexColor(0))
            sheet.canvas.rect(xs[c], y - 18, xs[c + 1] - xs[c], 18, stroke=1, fill=0)
            sheet.at(xs[c] + 4, y - 12, text, size=9, bold=r < bold)
    (table,) = read_pdf(sheet.bytes(), "sheet.pdf").tables
    return table


SIZES = (("Size", "28", "32", "45"), ("Shaft, mm", "25", "30", "30"), ("Force, kN", "5.7", "5.4", "7.6"))


def test_a_first_row_of_figures_on_a_ground_of_its_own_names_the_columns():
    assert column_names(read(SIZES, (0xDDDDDD,))) == SIZES[0]


def test_one_row_below_a_name_on_a_ground_of_its_own_is_enough():
    table = read((("Name", "Range", "Use"), ("Level", "low, high", "sets it")), (0xDDEEFF,))

    assert header_rows(table) == 1


def test_a_sentence_on_a_ground_of_its_own_names_no_column():
    requirement = "Limit access to the system to those who are authorised, to their processes and to devices."
    table = read(
        (("3.1.1", requirement), ("3.1.1[a]", "users are known"), ("3.1.1[b]", "devices are")),
        (0xDDEEFF,),
        xs=(60, 130, 560),
    )

    assert header_rows(table) == 0


def test_two_rows_on_one_ground_are_both_header_rows():
    table = read((("Part", "Load", "Loss"), ("", "in kN", "in W"), *(row[:3] for row in SIZES[1:])), (0xDDDDDD,) * 2)

    assert header_rows(table) == 2


def test_the_name_of_the_first_group_on_the_ground_of_the_header_is_no_header_row():
    sheet = Sheet()
    cells = [(0, 0, 0, 0, "Part"), (0, 0, 1, 1, "Load"), (0, 0, 2, 2, "Loss"), (1, 1, 0, 2, "Pumps of all sizes")]
    rest = [(r, r, c, c, f"{r}{c} units of it") for r in (2, 3) for c in (0, 1, 2)]
    sheet.canvas.setFillColor(HexColor(0xDDDDDD))
    sheet.canvas.rect(60, 652, 300, 48, stroke=0, fill=1)
    sheet.canvas.setFillColor(HexColor(0))
    (table,) = read_pdf(
        sheet.grid([60, 160, 260, 360], [700, 676, 652, 628, 604], cells + rest).bytes(), "sheet.pdf"
    ).tables

    assert header_rows(table) == 1


def test_stripes_that_come_again_make_no_header_of_the_first():
    assert header_rows(read(SIZES, (0xDDDDDD, None, 0xDDDDDD))) == 0


def test_a_table_wholly_on_one_ground_has_no_header_by_it():
    assert header_rows(read(SIZES, (0xDDDDDD,) * 3)) == 0


@pytest.mark.parametrize("bits", [("3", "2", "1", "0"), ("0", "1", "2", "3")])
def test_the_bits_of_a_register_are_names(bits):
    table = read((("Register", *bits), ("PCON", "PD", "IDL", "-", "GF0"), ("AUXR", "-", "M0", "-", "AO")))

    assert column_names(table) == ("Register", *bits)


def test_a_row_of_figures_that_do_not_count_on_is_no_header():
    assert header_rows(read(SIZES)) == 0
