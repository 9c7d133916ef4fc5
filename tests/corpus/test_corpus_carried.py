"""Grids that are drawn in part: columns ruled in the header only, tables of one header under each other."""

import pytest
from corpus_pages import Sheet
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.corpus.lattice import Rules
from pincite.corpus.layout import Word
from pincite.corpus.pdf import read_pdf
from pincite.corpus.tables import column_names, find_tables, header_rows, rows

XS = (60, 130, 260, 340, 400, 460, 520)
NAMES = ("Symbol", "Parameter", "Conditions", "Min", "Typ", "Max")


def tables(sheet):
    return read_pdf(sheet.bytes(), "sheet.pdf").tables


def put(sheet, y, texts, bold=False):
    for x, text in zip(XS, texts, strict=False):
        if text:
            sheet.at(x + 4, y, text, size=8, bold=bold)


def header(sheet, top, *, open_above=False, names=NAMES):
    """A header of 16 points with its rules down; what is below it has none."""
    if not open_above:
        sheet.canvas.line(XS[0], top, XS[-1], top)
    sheet.canvas.line(XS[0], top - 16, XS[-1], top - 16)
    for x in XS[1:-1]:
        sheet.canvas.line(x, top, x, top - 16)
    put(sheet, top - 11, names, bold=True)
    return top - 16


def ruled(sheet, y, texts, *, since=0):
    """One row of 16 points with a rule below it that begins at a column."""
    put(sheet, y - 11, texts)
    sheet.canvas.line(XS[since], y - 16, XS[-1], y - 16)
    return y - 16


VALUES = (
    ("VIH", "input voltage, high", "VCC = 4.5 V", "3.15", "2.4", "-"),
    ("VIL", "input voltage, low", "VCC = 4.5 V", "-", "2.1", "1.35"),
    ("II", "input leakage", "VI = VCC", "-", "-", "1.0"),
)


@pytest.mark.parametrize("open_above", [False, True])
def test_columns_that_only_the_header_rules_go_on_between_rules_across(open_above):
    sheet = Sheet()
    y = header(sheet, 700, open_above=open_above)
    for texts in VALUES:
        y = ruled(sheet, y, texts)

    (table,) = tables(sheet)

    assert header_rows(table) == 1
    assert column_names(table) == NAMES
    assert rows(table)[1:] == VALUES


def test_a_label_over_rows_whose_rules_begin_beside_it_is_one_cell():
    sheet = Sheet()
    y = header(sheet, 700)
    y = ruled(sheet, y, ("VIH", "input voltage, high", "VCC = 2.0 V", "1.5", "1.2", "-"), since=2)
    y = ruled(sheet, y, ("", "", "VCC = 4.5 V", "3.15", "2.4", "-"))
    ruled(sheet, y, VALUES[1])

    (table,) = tables(sheet)

    assert [row[:3] for row in rows(table)[1:]] == [
        ("VIH", "input voltage, high", "VCC = 2.0 V"),
        ("VIH", "input voltage, high", "VCC = 4.5 V"),
        ("VIL", "input voltage, low", "VCC = 4.5 V"),
    ]


def test_groups_of_rows_parted_by_a_blank_stripe_are_one_table():
    sheet = Sheet()
    y = header(sheet, 700, open_above=True)
    for k, texts in enumerate(VALUES * 2):
        y = ruled(sheet, y, texts)
        if k == 2:
            y -= 14
            sheet.canvas.line(XS[0], y, XS[-1], y)

    (table,) = tables(sheet)

    assert rows(table)[1:] == VALUES * 2


def test_the_name_of_a_group_runs_over_the_columns_it_crosses():
    sheet = Sheet()
    y = header(sheet, 700)
    y = ruled(sheet, y, ("Switching characteristics at rated load",))
    for texts in VALUES:
        y = ruled(sheet, y, texts)

    (table,) = tables(sheet)

    assert rows(table)[1][:2] == ("Switching characteristics at rated load",) * 2
    assert rows(table)[2:] == VALUES


def test_the_name_of_a_group_in_the_middle_is_no_entry_of_the_column_it_stands_in():
    sheet = Sheet()
    y = header(sheet, 700)
    sheet.at(275, y - 11, "Dynamic", size=8)
    y = ruled(sheet, y, ())
    for texts in VALUES:
        y = ruled(sheet, y, texts)

    (table,) = tables(sheet)

    assert set(rows(table)[1]) == {"Dynamic"}


def test_rows_below_the_last_rule_belong_to_the_table_and_the_note_below_them_does_not():
    sheet = Sheet()
    y = header(sheet, 700)
    y = ruled(sheet, y, VALUES[0])
    put(sheet, y - 11, VALUES[1])
    sheet.at(60, y - 23, "Note: measured at 25 degrees with all outputs open and no load.", size=8)

    (table,) = tables(sheet)

    assert rows(table)[1:] == VALUES[:2]


def test_a_line_over_the_name_of_a_signal_parts_no_rows():
    sheet = Sheet()
    y = header(sheet, 700)
    y = ruled(sheet, y, ("tpd", "delay", "MR to Q7S", "14", "30", "37"))
    sheet.canvas.line(XS[2] + 4, y + 13, XS[2] + 16, y + 13)
    ruled(sheet, y, VALUES[1])

    (table,) = tables(sheet)

    assert [row[0] for row in rows(table)] == ["Symbol", "tpd", "VIL"]


def test_a_heading_and_another_grid_below_end_the_table():
    sheet = Sheet()
    y = header(sheet, 700)
    for texts in VALUES:
        y = ruled(sheet, y, texts)
    sheet.at(60, y - 14, "Thermal characteristics", size=9, bold=True)
    y = header(sheet, y - 24, names=("Mark", "Quantity", "Place", "A", "B", "C"))
    for texts in VALUES[:2]:
        y = ruled(sheet, y, texts)

    first, second = tables(sheet)

    assert (len(rows(first)), len(rows(second))) == (4, 3)
    assert column_names(second)[:2] == ("Mark", "Quantity")


def test_prose_below_a_small_grid_is_not_drawn_into_its_columns():
    sheet = Sheet()
    y = header(sheet, 700)
    for k in range(6):
        sheet.at(
            60, y - 14 - 11 * k, "The unit is switched off when the load is larger than the rated one for long.", size=9
        )

    assert not [t for t in tables(sheet) if "unit" in " ".join(c.text for c in t.cells)]


@settings(max_examples=60, deadline=None)
@given(
    counts=st.lists(st.integers(1, 4), min_size=1, max_size=4),
    columns=st.integers(3, 6),
    stripe=st.sampled_from((0.0, 12.0)),
)
def test_every_row_below_a_ruled_header_is_read_whatever_the_groups(counts, columns, stripe):
    xs = [60.0 + 70 * k for k in range(columns + 1)]
    words, y = [], 700.0

    def put_row(texts, top, bold):
        for c, text in enumerate(texts):
            words.append(Word(text, xs[c] + 4, top - 12, xs[c] + 40, top - 4, top - 11, 8.0, bold))

    across, down = [(y, xs[0], xs[-1]), (y - 16, xs[0], xs[-1])], [(x, y - 16, y) for x in xs[1:-1]]
    put_row([f"Name{c}" for c in range(columns)], y, True)
    y -= 16
    want = []
    for g, count in enumerate(counts):
        for k in range(count):
            texts = [f"G{g}R{k}", *(f"{g}.{k}{c}" for c in range(1, columns))]
            want.append(tuple(texts))
            put_row(texts, y, False)
            y -= 16
            across.append((y, xs[0], xs[-1]))
        if stripe:
            y -= stripe
            across.append((y, xs[0], xs[-1]))

    (table,) = find_tables(words, Rules(tuple(across), tuple(down)), page=1)

    assert rows(table)[1:] == tuple(want)
    assert column_names(table) == tuple(f"Name{c}" for c in range(columns))


def gridded(sheet, y, texts, columns=XS):
    put(sheet, y - 11, texts)
    for x in columns:
        sheet.canvas.line(x, y, x, y - 16)
    sheet.canvas.line(XS[0], y - 16, XS[-1], y - 16)
    return y - 16


def test_grids_of_the_same_columns_under_each_other_are_one_table_with_the_names_of_their_groups():
    sheet = Sheet()
    y = gridded(sheet, header(sheet, 700), VALUES[0])
    for name, texts in (("Dynamic", VALUES[1]), ("Static", VALUES[2])):
        sheet.at(64, y - 11, name, size=8)
        sheet.canvas.line(XS[0], y - 16, XS[-1], y - 16)
        y = gridded(sheet, y - 16, texts)

    (table,) = tables(sheet)

    assert column_names(table) == NAMES
    assert [row[:2] for row in rows(table)[1:]] == [
        VALUES[0][:2],
        ("Dynamic", "Dynamic"),
        VALUES[1][:2],
        ("Static", "Static"),
        VALUES[2][:2],
    ]


def test_a_grid_with_a_header_of_its_own_is_a_table_of_its_own():
    sheet = Sheet()
    y = gridded(sheet, header(sheet, 700), VALUES[0])
    y = gridded(sheet, y, VALUES[1])
    y = gridded(sheet, header(sheet, y - 14, names=("Mark", "Quantity", "Place", "A", "B", "C")), VALUES[2])

    first, second = tables(sheet)

    assert (len(rows(first)), len(rows(second))) == (3, 2)
