from pathlib import Path

from corpus_pages import FEES, Sheet, changed, fees
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.corpus.lattice import Rules
from pincite.corpus.layout import Word
from pincite.corpus.pdf import read_pdf
from pincite.corpus.tables import column_names, find_tables, header_rows, holds, rows


def tables(sheet):
    return read_pdf(sheet.bytes(), "fees.pdf").tables


def grid_of(table):
    return {(c.r0, c.r1, c.c0, c.c1): c.text for c in table.cells}


def test_merged_cells_over_rows_and_columns_are_one_cell_each():
    (table,) = tables(fees(Sheet()))

    assert grid_of(table) == {tuple(cell[:4]): cell[4] for cell in FEES}
    assert table.confidence > 0.8


def test_the_expanded_grid_copies_merged_cells_into_every_place():
    (table,) = tables(fees(Sheet()))

    assert rows(table) == (
        ("Transaction", "Channel", "Fee in %", "Fee in %"),
        ("Domestic", "Shop", "0.20", "0.25"),
        ("Domestic", "Online", "0.30", "0.35"),
        ("Refund", "Refund", "0.05", "0.06"),
    )


def test_the_row_that_names_the_columns_is_a_header_row():
    (table,) = tables(fees(Sheet()))

    assert header_rows(table) == 1
    assert {c.text for c in table.cells if c.header} == {"Transaction", "Channel", "Fee in %"}


def test_boxes_of_cells_are_where_they_are_printed():
    (table,) = tables(fees(Sheet(), top=600, left=72))

    box = next(c.box for c in table.cells if c.text == "Refund")
    assert [round(v) for v in box] == [72, 512, 252, 534]


def test_the_table_of_a_published_standard_has_its_caption_header_and_merged_cell():
    page = Path(__file__).parents[1] / "pages" / "fips199.pdf"

    (table,) = read_pdf(page.read_bytes(), page.name).tables

    assert table.caption == "TABLE 1: POTENTIAL IMPACT DEFINITIONS FOR SECURITY OBJECTIVES"
    assert header_rows(table) == 2
    assert rows(table)[0] == ("", "POTENTIAL IMPACT", "POTENTIAL IMPACT", "POTENTIAL IMPACT")
    assert [row[0].split()[0] for row in rows(table)[2:]] == ["Confidentiality", "Integrity", "Availability"]
    assert table.confidence > 0.8


def test_a_grid_of_thin_filled_rectangles_is_a_table_too():
    sheet = Sheet()
    for k in range(4):
        sheet.canvas.rect(72, 600 - 20 * k, 200, 0.7, stroke=0, fill=1)
    for k in range(3):
        sheet.canvas.rect(72 + 100 * k, 540, 0.7, 60.7, stroke=0, fill=1)
    for k in range(3):
        sheet.at(76, 586 - 20 * k, f"Row {k}", size=9).at(176, 586 - 20 * k, f"{k}.5 bar", size=9)

    (table,) = tables(sheet)

    assert rows(table) == (("Row 0", "0.5 bar"), ("Row 1", "1.5 bar"), ("Row 2", "2.5 bar"))


def test_a_drawing_of_empty_boxes_is_no_table():
    sheet = Sheet()
    for k in range(5):
        for j in range(5):
            sheet.canvas.rect(72 + 50 * k, 500 + 30 * j, 50, 30)
    sheet.at(80, 510, "A", size=9).at(180, 570, "B", size=9).at(280, 630, "C", size=9)

    assert tables(sheet) == ()


def test_a_frame_around_a_paragraph_is_no_table():
    sheet = Sheet()
    sheet.canvas.rect(60, 500, 400, 100)
    sheet.at(72, 580, "A note in a frame").at(72, 560, "goes on here")

    assert tables(sheet) == ()


def test_caption_and_footnotes_are_kept_with_the_table():
    sheet = Sheet()
    sheet.at(72, 612, "Table 3: Fees per transaction", size=9)
    xs, ys = [72, 200, 300], [600, 580, 560]
    sheet.grid(xs, ys, [(0, 0, 0, 0, "Fee"), (0, 0, 1, 1, "0.20 *)"), (1, 1, 0, 0, "Refund"), (1, 1, 1, 1, "0.05")])
    sheet.at(72, 546, "*) from 1 January on", size=8).at(72, 500, "The next paragraph begins here.")

    (table,) = tables(sheet)

    assert table.caption == "Table 3: Fees per transaction"
    assert table.footnotes == ("*) from 1 January on",)


def two_sheets(header_again):
    xs = [72, 200, 300, 400]

    def row(r, *texts):
        return [(r, r, c, c, text) for c, text in enumerate(texts)]

    sheet = Sheet()
    sheet.text("The fees of the scheme are set out below.")
    head = row(0, "Fee", "Shop", "Online")
    sheet.grid(xs, [200, 180, 160, 140], head + row(1, "Purchase", "0.20", "0.30") + row(2, "Refund", "0.05", "0.06"))
    sheet.page()
    body = row(1, "Cash", "1.00", "2.00") + row(2, "Advice", "3.00", "4.00")
    if not header_again:
        body = [(r - 1, r - 1, c0, c1, t) for r, _, c0, c1, t in body]
    sheet.grid(xs, [760, 740, 720, 700][: 4 if header_again else 3], (head if header_again else []) + body)
    sheet.text("After the table the text goes on.")
    return sheet


def test_a_table_that_goes_on_overleaf_names_the_region_it_continues():
    first, second = tables(two_sheets(header_again=True))

    assert (first.continues, second.continues) == (None, 0)
    assert header_rows(second) == 1


def test_the_second_region_has_no_header_row_of_its_own_when_none_is_repeated():
    first, second = tables(two_sheets(header_again=False))

    assert second.continues == 0
    assert header_rows(first) == 1
    assert header_rows(second) == 0


def test_two_tables_with_text_between_them_are_two_tables():
    sheet = two_sheets(header_again=True)
    sheet.page()
    sheet.text("Another table.")
    fees(sheet)

    assert [t.continues for t in tables(sheet)] == [None, 0, None]


def test_a_cell_that_is_printed_upwards_is_read_from_below():
    sheet = Sheet()
    xs, ys = [72, 100, 200, 300], [600, 570, 540]
    sheet.grid(
        xs,
        ys,
        [(0, 1, 0, 0, ""), (0, 0, 1, 1, "Shop"), (0, 0, 2, 2, "0.20"), (1, 1, 1, 1, "Online"), (1, 1, 2, 2, "0.30")],
    )
    sheet.canvas.saveState()
    sheet.canvas.translate(90, 545)
    sheet.canvas.rotate(90)
    sheet.at(0, 0, "In Europe", size=9)
    sheet.canvas.restoreState()

    (table,) = tables(sheet)

    assert grid_of(table)[0, 1, 0, 0] == "In Europe"


def test_every_line_of_a_table_is_held_by_it_and_none_of_the_text():
    document = read_pdf(fees(Sheet().text("The fees are as follows.")).bytes(), "fees.pdf")

    inside = [line.text for line in document.lines if holds(document.tables[0], line)]

    assert "The fees are as follows." not in inside
    assert sorted(inside) == sorted(cell[4] for cell in FEES)


@st.composite
def grids(draw):
    """A ruled grid with random merged cells, the truth first."""
    height, width = draw(st.integers(2, 6)), draw(st.integers(2, 5))
    free = {(r, c) for r in range(height) for c in range(width)}
    cells = []
    for r in range(height):
        for c in range(width):
            if (r, c) not in free:
                continue
            down, across = draw(st.integers(1, 2)), draw(st.integers(1, 2))
            places = {(i, j) for i in range(r, min(r + down, height)) for j in range(c, min(c + across, width))}
            if not places <= free:
                places = {(r, c)}
            free -= places
            cells.append((r, max(i for i, _ in places), c, max(j for _, j in places)))
    return height, width, cells


@settings(max_examples=60, deadline=None)
@given(grids())
def test_any_ruled_grid_with_text_in_every_cell_comes_back_with_its_merged_cells(grid):
    height, width, cells = grid
    across, down, words = [], [], []
    for k, (r0, r1, c0, c1) in enumerate(cells):
        x0, x1, top, bottom = 60 * c0, 60 * (c1 + 1), -20 * r0, -20 * (r1 + 1)
        across += [(top, x0, x1), (bottom, x0, x1)]
        down += [(x0, bottom, top), (x1, bottom, top)]
        middle = (top + bottom) / 2
        words.append(Word(f"w{k}", x0 + 5, middle - 3, x0 + 25, middle + 5, middle - 3, 9.0, False))
    starts_r, starts_c = {c[0] for c in cells}, {c[2] for c in cells}
    found = find_tables(words, Rules(tuple(across), tuple(down)), page=1)
    # A row or column in which no cell begins cannot be told from a taller one.
    whole = starts_r == set(range(height)) and starts_c == set(range(width))
    if not whole or len(cells) < 3 or len({c[0] for c in cells}) < 2 or len({c[2] for c in cells}) < 2:
        return

    assert len(found) == 1
    assert sorted((c.r0, c.r1, c.c0, c.c1, c.text) for c in found[0].cells) == sorted(
        (*cell, f"w{k}") for k, cell in enumerate(cells)
    )


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.tuples(st.floats(-50, 700), st.floats(-50, 700), st.floats(-50, 700)), max_size=30),
    st.lists(st.tuples(st.floats(-50, 700), st.floats(-50, 700), st.floats(-50, 700)), max_size=30),
    st.lists(st.tuples(st.floats(0, 600), st.floats(0, 800)), max_size=40),
    st.sampled_from([0, 1, 2, 3]),
)
def test_any_rules_and_words_give_grids_that_cover_each_place_at_most_once(across, down, points, turn):
    rules = Rules(
        tuple((y, min(a, b), max(a, b)) for y, a, b in across), tuple((x, min(a, b), max(a, b)) for x, a, b in down)
    )
    words = [Word("w", x, y, x + 20, y + 9, y, 9.0, False) for x, y in points]

    for table in find_tables(words, rules, page=1, turn=turn):
        places = [
            (r, c) for cell in table.cells for r in range(cell.r0, cell.r1 + 1) for c in range(cell.c0, cell.c1 + 1)
        ]
        assert len(places) == len(set(places))
        assert 0 <= table.confidence <= 1
        assert rows(table)


def columns(sheet, top, *rows_, xs=(80, 220, 300), leading=14):
    for k, row in enumerate(rows_):
        for x, text in zip(xs, row, strict=True):
            sheet.at(x, top - leading * k, text, size=9)
    return sheet


def test_figures_between_two_rules_are_rows_though_nothing_parts_them():
    sheet = Sheet()
    sheet.grid([72, 200, 280, 360], [600, 580, 500], [(r, r, c, c, "") for r in range(2) for c in range(3)])
    columns(sheet, 586, ("Model", "H [m]", "P [kW]"))
    columns(sheet, 566, *((f"CRN {k}", f"{k}.5", f"{k * 3}") for k in range(1, 6)))

    (table,) = tables(sheet)

    assert rows(table)[1:] == tuple((f"CRN {k}", f"{k}.5", f"{k * 3}") for k in range(1, 6))


def test_figures_beside_figures_are_columns_though_nothing_parts_them():
    sheet = Sheet()
    ys = [600 - 20 * k for k in range(6)]
    sheet.grid([72, 200, 400], ys, [(r, r, c, c, "") for r in range(5) for c in range(2)])
    columns(sheet, 586, *((f"CRN {k}", f"{k}.5", f"{k * 3}") for k in range(1, 6)), leading=20)

    (table,) = tables(sheet)

    assert rows(table) == tuple((f"CRN {k}", f"{k}.5", f"{k * 3}") for k in range(1, 6))


def test_wrapped_text_beside_wrapped_text_stays_one_row():
    sheet = Sheet()
    sheet.grid([72, 220, 400], [600, 580, 520], [(r, r, c, c, "") for r in range(2) for c in range(2)])
    columns(sheet, 586, ("Duty", "Explanation"), xs=(80, 230))
    columns(
        sheet,
        566,
        ("Members pay the", "within thirty days of"),
        ("fee of the month", "its end, unless the"),
        ("to the scheme", "scheme says otherwise"),
        xs=(80, 230),
    )

    (table,) = tables(sheet)

    assert len(rows(table)) == 2


def test_rows_that_nothing_rules_off_in_the_first_column_are_not_one_merged_cell():
    sheet = Sheet()
    ys = [600 - 20 * k for k in range(7)]
    cells = [(0, 5, 0, 0, "")] + [(r, r, 1, 1, f"{r}.25") for r in range(6)]
    sheet.grid([72, 200, 300], ys, cells)
    names = ["Salaries", "Travel", "Rent of offices and halls", "Bad debts", "Total", "Mean"]
    columns(sheet, 586, *((name,) for name in names), xs=(80,), leading=20)

    (table,) = tables(sheet)

    assert rows(table) == tuple((name, f"{r}.25") for r, name in enumerate(names))


def test_a_bar_chart_on_a_grid_is_no_table():
    sheet = Sheet()
    xs, ys = [72 + 30 * k for k in range(11)], [600 - 20 * k for k in range(9)]
    cells = [(r, r, 0, 0, f"Year {r}") for r in range(8)]
    cells += [cell for r in range(8) for cell in ((r, r, 1, r + 1, f"{r}.2"), (r, r, r + 2, 9, "rest"))]
    sheet.grid(xs, ys, cells)

    assert tables(sheet) == ()


def test_a_table_on_a_turned_sheet_has_its_cells_around_their_words_in_user_space():
    sheet = Sheet(size=(600, 800))
    sheet.canvas.translate(600, 0)
    sheet.canvas.rotate(90)
    fees(sheet, top=500, left=100)

    def change(pdf):
        pdf.pages[0].Rotate = 90

    document = read_pdf(changed(sheet.bytes(), change), "fees.pdf")

    (table,) = document.tables
    assert grid_of(table) == {tuple(cell[:4]): cell[4] for cell in FEES}
    for cell in table.cells:
        line = next(line for line in document.lines if line.text == cell.text)
        assert cell.box[0] <= line.box[0] <= line.box[2] <= cell.box[2]
        assert cell.box[1] <= line.box[1] <= line.box[3] <= cell.box[3]


def test_a_note_ends_where_the_next_heading_or_a_drawing_begins():
    sheet = Path(__file__).parents[2] / "samples" / "pdf" / "CRN-32-3-rev3.pdf"

    first, second, *_ = read_pdf(sheet.read_bytes(), sheet.name).tables

    assert [note[:40] for note in first.footnotes] == ["¹) Required NPSH with water at 20 °C and"]
    assert [note[-28:] for note in second.footnotes] == ["below 8 m³/h is not allowed."]


def test_blank_lines_beside_labels_part_rows_that_nothing_rules_off():
    sheet = Sheet()
    sheet.grid([72, 200, 400], [600, 580, 500], [(r, r, c, c, "") for r in range(2) for c in range(2)])
    columns(sheet, 586, ("Source", "Definition"), xs=(80, 210))
    columns(sheet, 568, ("Major", "Ten tons a year or"), ("", "more of one pollutant"), xs=(80, 210), leading=11)
    columns(sheet, 535, ("Area", "Less than ten tons"), ("", "of each pollutant"), xs=(80, 210), leading=11)

    (table,) = tables(sheet)

    assert [row[0] for row in rows(table)] == ["Source", "Major", "Area"]


def test_the_name_of_a_column_holds_the_names_above_it():
    (table,) = tables(nested(Sheet()))

    assert column_names(table) == ("Transaction", "Fee in % › Shop", "Fee in % › Online", "Cap › EUR")


def nested(sheet):
    cells = [(0, 1, 0, 0, "Transaction"), (0, 0, 1, 2, "Fee in %"), (1, 1, 1, 1, "Shop"), (1, 1, 2, 2, "Online")]
    cells += [(0, 0, 3, 3, "Cap"), (1, 1, 3, 3, "EUR")]
    for r, name in enumerate(("Debit", "Credit", "Refund"), 2):
        cells += [(r, r, 0, 0, name), *((r, r, c, c, f"{r}.{c}0") for c in range(1, 4))]
    return sheet.grid([72, 172, 252, 332, 412], [600 - 20 * k for k in range(6)], cells)


def test_a_table_without_header_rows_names_no_column():
    sheet = Sheet()
    sheet.grid([72, 172, 252], [600, 580, 560], [(r, r, c, c, f"{r}.{c}") for r in range(2) for c in range(2)])

    (table,) = tables(sheet)

    assert column_names(table) == ("", "")


def test_a_row_of_two_lines_is_one_row_whose_cells_keep_their_line_breaks():
    sheet = Sheet()
    cells = [
        (0, 0, 0, 0, "Fee"),
        (0, 0, 1, 1, "Basis"),
        (1, 1, 0, 0, "Clearing and\nsettlement"),
        (1, 1, 1, 1, "0.20 %"),
    ]
    sheet.grid([72, 200, 300], [600, 580, 540], cells)

    (table,) = tables(sheet)

    assert grid_of(table)[1, 1, 0, 0] == "Clearing and\nsettlement"
    assert rows(table)[1] == ("Clearing and settlement", "0.20 %")


def test_a_line_of_text_over_two_columns_is_one_cell_though_a_blank_stands_at_the_rule_above():
    sheet = Sheet()
    xs, ys = [72, 160, 260, 360], [600, 580, 560, 540]
    cells = [(r, r, c, c, f"{r}.{c}0") for r in (0, 2) for c in range(3)]
    cells += [(1, 1, 0, 0, "Refund"), (1, 1, 1, 2, "free of charge within the first 30 days")]
    sheet.grid(xs, ys, cells)

    (table,) = tables(sheet)

    assert grid_of(table)[1, 1, 1, 2] == "free of charge within the first 30 days"


def test_a_mark_in_a_cell_is_bound_to_its_note_and_the_next_sentence_is_not():
    sheet = Sheet()
    cells = [(0, 0, 0, 0, "Fee"), (0, 0, 1, 1, "Rate ¹)"), (1, 1, 0, 0, "Cash"), (1, 1, 1, 1, "0.20 *)")]
    sheet.grid([72, 200, 300], [600, 580, 560], cells)
    sheet.at(72, 548, "¹) per transaction, without tax", size=8)
    sheet.at(72, 538, "*) at least 1.00 EUR", size=8)
    sheet.at(72, 510, "The scheme bills members monthly.")

    (table,) = tables(sheet)

    assert table.footnotes == ("¹) per transaction, without tax", "*) at least 1.00 EUR")


def test_a_table_over_three_sheets_is_a_chain_and_a_table_with_other_columns_begins_anew():
    sheet = Sheet()
    for page in range(4):
        xs = [72, 200, 300, 400] if page < 3 else [72, 150, 250, 350, 450]
        cells = [(r, r, c, c, f"{page}{r}.{c}") for r in range(3) for c in range(len(xs) - 1)]
        sheet.grid(xs, [760, 740, 720, 700], cells)
        if page < 3:
            sheet.page()

    assert [t.continues for t in tables(sheet)] == [None, 0, 1, None]


def test_a_repeated_caption_does_not_break_a_table_that_goes_on():
    sheet = Sheet()
    for page, caption in enumerate(("Table 7: Fees", "Table 7: Fees (continued)")):
        sheet.at(72, 772, caption, size=9)
        cells = [(0, 0, 0, 0, "Fee"), (0, 0, 1, 1, "Rate"), (1, 1, 0, 0, f"Cash {page}"), (1, 1, 1, 1, f"{page}.20")]
        sheet.grid([72, 200, 300], [760, 740, 720], cells)
        if not page:
            sheet.page()

    assert [t.continues for t in tables(sheet)] == [None, 0]


FIGURES = ("0.20", "1.15", "0.07", "3.40", "2.25", "0.91")


def three_rules_over_two_sheets(header_again):
    sheet = Sheet().text("The fees of the scheme are set out below.")
    head = [("Fee", "Shop", "Online")]
    for page, (top, header) in enumerate(((200, head), (760, head if header_again else []))):
        texts = header + [(f"Fee {page}{k}", f, FIGURES[5 - k]) for k, f in enumerate(FIGURES)]
        for y in {top, top - 18 * len(header), top - 18 * len(texts)}:
            sheet.canvas.line(72, y, 400, y)
        for k, row in enumerate(texts):
            for x, text in zip((76, 240, 340), row, strict=True):
                sheet.at(x, top - 13 - 18 * k, text, size=9)
        sheet.y = top - 18 * len(texts) - 20
        if not page:
            sheet.page()
    return sheet.text("After the table the text goes on.")


def test_a_table_with_three_rules_goes_on_overleaf_with_its_header_and_without():
    again, anew = tables(three_rules_over_two_sheets(True)), tables(three_rules_over_two_sheets(False))

    assert [(t.continues, header_rows(t)) for t in again] == [(None, 1), (0, 1)]
    assert [(t.continues, header_rows(t)) for t in anew] == [(None, 1), (0, 0)]
