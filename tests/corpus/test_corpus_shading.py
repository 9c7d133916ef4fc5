from corpus_pages import FEES, Sheet
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.corpus.lattice import Fill, Rules
from pincite.corpus.layout import Word
from pincite.corpus.pdf import read_pdf
from pincite.corpus.shading import edges_of
from pincite.corpus.tables import find_tables, rows

XS = [72, 172, 252, 332, 412]
YS = [600, 578, 556, 534, 512]


def tables(sheet):
    return read_pdf(sheet.bytes(), "fees.pdf").tables


def grid_of(table):
    return {(c.r0, c.r1, c.c0, c.c1): c.text for c in table.cells}


def filled(sheet, gap=0.0, colours=((0.85, 0.9, 0.85),)):
    """The fee table with each cell filled; ``gap`` points are left white between cells."""
    for r0, r1, c0, c1, text in FEES:
        x0, x1, top, bottom = XS[c0] + gap / 2, XS[c1 + 1] - gap / 2, YS[r0] - gap / 2, YS[r1 + 1] + gap / 2
        sheet.canvas.setFillColorRGB(*colours[r0 % len(colours)])
        sheet.canvas.rect(x0, bottom, x1 - x0, top - bottom, stroke=0, fill=1)
        sheet.canvas.setFillGray(0)
        sheet.at(x0 + 4, (top + bottom) / 2 - 3, text, size=9)
    return sheet


def test_cells_that_are_filled_with_white_between_them_are_a_table():
    (table,) = tables(filled(Sheet(), gap=2.5))

    assert grid_of(table) == {tuple(cell[:4]): cell[4] for cell in FEES}


def test_white_rules_on_shading_part_cells_and_end_at_merged_ones():
    sheet = filled(Sheet())
    sheet.canvas.setStrokeGray(1)
    for r0, r1, c0, c1, _ in FEES:
        if r0:
            sheet.canvas.line(XS[c0], YS[r0], XS[c1 + 1], YS[r0])
        if c0:
            sheet.canvas.line(XS[c0], YS[r0], XS[c0], YS[r1 + 1])

    (table,) = tables(sheet)

    assert grid_of(table) == {tuple(cell[:4]): cell[4] for cell in FEES}


def striped(sheet, texts):
    for r, row in enumerate(texts):
        if r % 2:
            sheet.canvas.setFillGray(0.88)
            sheet.canvas.rect(72, 600 - 20 * (r + 1), 300, 20, stroke=0, fill=1)
            sheet.canvas.setFillGray(0)
        for c, text in enumerate(row):
            sheet.at(76 + 100 * c, 600 - 20 * r - 14, text, size=9)
    return sheet


def test_stripes_are_rows_where_only_rules_down_are_drawn():
    texts = [("Pump", "H [m]", "P [kW]"), *((f"CRN {k}", f"{k}.5", f"{k}.25") for k in range(1, 6))]
    sheet = striped(Sheet(), texts)
    for x in (172, 272):
        sheet.canvas.line(x, 600, x, 480)

    (table,) = tables(sheet)

    assert rows(table) == tuple(texts)


def test_a_row_that_is_one_cell_does_not_end_a_table_without_an_outer_frame():
    sheet = Sheet()
    for r in range(1, 6):
        sheet.canvas.line(72, 600 - 20 * r, 372, 600 - 20 * r)
    for x in (172, 272):
        sheet.canvas.line(x, 600, x, 560)
        sheet.canvas.line(x, 540, x, 480)
    texts = [("Fee", "Shop", "Online"), ("Cash", "1.00", "2.00"), ("Cards",)]
    texts += [(name, "0.20", "0.30") for name in ("Debit", "Credit", "Other")]
    for r, row in enumerate(texts):
        for c, text in enumerate(row):
            sheet.at(76 + 100 * c, 600 - 20 * r - 14, text, size=9)

    (table,) = tables(sheet)

    assert rows(table) == (*texts[:2], ("Cards",) * 3, *texts[3:])


def test_two_framed_tables_with_a_line_between_them_stay_two():
    sheet = Sheet()
    for top, name in ((600, "Shop"), (520, "Online")):
        texts = [(0, 0, 0, 0, "Fee"), (0, 0, 1, 1, name), (1, 1, 0, 0, "Cash"), (1, 1, 1, 1, "0.20")]
        sheet.grid([72, 172, 272], [top, top - 20, top - 40], texts)
    sheet.at(76, 540, "The second table is about shops on the web.", size=9)

    assert [rows(table)[0] for table in tables(sheet)] == [("Fee", "Shop"), ("Fee", "Online")]


def test_a_title_and_a_source_inside_the_frame_are_caption_and_note():
    sheet = Sheet()
    cells = [
        (0, 0, 0, 1, "Exhibit 9: Fees per channel"),
        (1, 1, 0, 0, "Channel"),
        (1, 1, 1, 1, "Fee"),
        (2, 2, 0, 0, "Shop"),
        (2, 2, 1, 1, "0.20"),
        (3, 3, 0, 1, "Source: annual report"),
    ]
    sheet.grid([72, 172, 272], [600, 580, 560, 540, 520], cells)

    (table,) = tables(sheet)

    assert rows(table) == (("Channel", "Fee"), ("Shop", "0.20"))
    assert (table.caption, table.footnotes) == ("Exhibit 9: Fees per channel", ("Source: annual report",))


def test_the_blank_of_a_typewriter_is_no_column():
    across = tuple((-20.0 * r, 0.0, 120.0) for r in range(6))
    down = tuple((x, -100.0, 0.0) for x in (0.0, 60.0, 120.0))
    words = []
    for r in range(5):
        y = -20.0 * r - 14
        for c in range(2):
            x = 60.0 * c + 4
            words += [
                Word(f"{r}{c}.5", x, y, x + 18, y + 6, y, 9.0, False),
                Word("%", x + 24.3, y, x + 29, y + 6, y, 9.0, False),
            ]

    (table,) = find_tables(words, Rules(across, down), page=1)

    assert rows(table)[1] == ("10.5 %", "11.5 %")


boxes = st.tuples(st.integers(0, 60), st.integers(0, 60), st.integers(1, 30), st.integers(1, 30)).map(
    lambda b: (10.0 * b[0], 10.0 * b[1], 10.0 * (b[0] + b[2]), 10.0 * (b[1] + b[3]))
)


@settings(max_examples=80, deadline=None)
@given(st.lists(st.builds(Fill, boxes, st.sampled_from([0x336699, 0xCCCCCC])), max_size=12))
def test_edges_stand_where_fills_end_and_not_where_a_rule_runs(fills):
    across, down = edges_of(fills, [], [])

    for at, a, b in across:
        assert any(at in (f.box[1], f.box[3]) for f in fills)
        assert a < b
    assert edges_of(fills, across, down) == ([], [])


@given(st.builds(Fill, boxes, st.just(0xFFFFFF)))
def test_white_fills_are_paper(fill):
    assert edges_of([fill], [], []) == ([], [])


def test_two_fills_of_one_colour_that_touch_show_no_edge_between_them():
    left, right = Fill((0.0, 0.0, 50.0, 20.0), 0xCCCCCC), Fill((50.0, 0.0, 90.0, 20.0), 0xCCCCCC)

    assert [x for x, _, _ in edges_of([left, right], [], [])[1]] == [0.0, 90.0]


def test_cells_framed_one_by_one_with_white_between_them_are_a_table():
    sheet = Sheet()
    for r0, r1, c0, c1, text in FEES:
        x0, x1, top, bottom = XS[c0] + 1.5, XS[c1 + 1] - 1.5, YS[r0] - 1.5, YS[r1 + 1] + 1.5
        sheet.canvas.rect(x0, bottom, x1 - x0, top - bottom, stroke=1, fill=0)
        sheet.at(x0 + 4, (top + bottom) / 2 - 3, text, size=9)

    (table,) = tables(sheet)

    assert grid_of(table) == {tuple(cell[:4]): cell[4] for cell in FEES}
