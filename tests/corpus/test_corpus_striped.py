from corpus_pages import Sheet
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.corpus.lattice import Fill, Rules
from pincite.corpus.layout import Word
from pincite.corpus.pdf import read_pdf
from pincite.corpus.tables import find_tables, header_rows, rows


def tables(sheet):
    return read_pdf(sheet.bytes(), "pumps.pdf").tables


def grid_of(table):
    return {(c.r0, c.r1, c.c0, c.c1): c.text for c in table.cells}


PUMPS = [("Pump", "H [m]", "P [kW]"), *((f"CRN {k}", f"{k}.5", f"{k}.25") for k in range(1, 8))]


def striped(texts, *, height=20, filled_header=True):
    sheet = Sheet().text("The pumps of the series are listed below.")
    for r, row in enumerate(texts):
        if r % 2 == 0 and (r or filled_header):
            sheet.canvas.setFillGray(0.7 if r == 0 else 0.9)
            sheet.canvas.rect(72, 600 - height * (r + 1), 300, height, stroke=0, fill=1)
            sheet.canvas.setFillGray(0)
        for c, text in enumerate(row):
            if text:
                sheet.at(76 + 100 * c, 600 - height * r - height / 2 - 3, text, size=9)
    return sheet


def test_rows_told_by_stripes_alone_are_a_table():
    (table,) = tables(striped(PUMPS))

    assert rows(table) == tuple(PUMPS)
    assert header_rows(table) == 1
    assert table.confidence > 0.9


def test_the_names_above_the_first_stripe_belong_to_the_table():
    (table,) = tables(striped(PUMPS, filled_header=False))

    assert rows(table)[0] == PUMPS[0]


def test_a_row_of_two_lines_within_one_stripe_is_one_row():
    texts = [("Duty", "Members"), *((f"Duty {k}", f"{10 * k}") for k in range(1, 7))]
    sheet = striped(texts, height=30)
    sheet.at(76, 600 - 30 * 3 - 15 - 14, "and what follows from it", size=9)

    (table,) = tables(sheet)

    assert rows(table)[3] == ("Duty 3 and what follows from it", "30")
    assert len(rows(table)) == 7


def test_a_label_that_stands_on_the_edge_of_two_stripes_is_over_both_rows():
    texts = [list(row) for row in PUMPS]
    texts[3][0] = texts[4][0] = ""
    sheet = striped(texts)
    sheet.at(76, 600 - 20 * 4 - 3, "CRN 3/4", size=9)

    (table,) = tables(sheet)

    assert grid_of(table)[3, 4, 0, 0] == "CRN 3/4"


def test_paragraphs_in_shaded_boxes_of_equal_width_are_no_table():
    sheet = Sheet()
    for k in range(3):
        sheet.canvas.setFillGray(0.9)
        sheet.canvas.rect(72, 560 - 60 * k, 400, 50, stroke=0, fill=1)
        sheet.canvas.setFillGray(0)
        sheet.at(80, 592 - 60 * k, "The fee is charged to the member that sent the message, and is due within", size=9)
        sheet.at(80, 580 - 60 * k, "thirty days of the end of the month in which the message was sent by it.", size=9)

    assert tables(sheet) == ()


def test_rows_between_two_rules_are_read_by_their_lines_though_rules_part_the_columns():
    sheet = Sheet()
    sheet.grid([72, 220, 300, 380], [600, 575, 480], [(r, r, c, c, "") for r in range(2) for c in range(3)])
    texts = [("All", "", ""), ("Group A", "85.1 %", "14.9 %"), ("Group B", "17.3 %", "82.7 %")]
    texts += [("Group C", "79.8 %", "20.2 %"), ("Group D", "13.9 %", "86.1 %"), ("Group E", "20.0 %", "80.0 %")]
    for x, name in zip((80, 228, 308), ("Sample", "Yes", "No"), strict=True):
        sheet.at(x, 584, name, size=9)
    for k, row in enumerate(texts):
        for x, text in zip((80, 228, 308), row, strict=True):
            sheet.at(x, 562 - 14 * k, text, size=9)

    (table,) = tables(sheet)

    assert rows(table)[-5:] == tuple(texts[1:])


def test_a_heading_of_two_lines_on_a_dark_ground_is_no_table():
    sheet = Sheet()
    for k, texts in enumerate((("5", "Hosting: threats and aims"), ("", "and protection"))):
        sheet.canvas.setFillGray(0.2)
        sheet.canvas.rect(72, 600 - 16 * k, 420, 16, stroke=0, fill=1)
        sheet.canvas.setFillGray(1)
        for x, text in zip((76, 112), texts, strict=True):
            sheet.at(x, 604 - 16 * k, text, size=11, bold=True)
    sheet.canvas.setFillGray(0)

    assert tables(sheet.text("The hosting environment is described here.")) == ()


def test_highlighted_words_of_a_listing_are_no_table():
    fills, words = [], []
    for k, width in enumerate((90, 225, 180, 180)):
        y = 600 - 12 * k
        fills.append(Fill((135.0, y, 135.0 + width, y + 12), 0xFFFF00))
        words += [Word(f"uuid{k}{x}", x, y + 3, x + 38, y + 9, y + 3, 8.0, False) for x in range(72, 420, 45)]

    assert find_tables(words, Rules((), (), tuple(fills)), page=1) == []


boxes = st.tuples(st.integers(0, 3), st.integers(0, 30), st.integers(8, 40), st.integers(1, 4)).map(
    lambda b: (20.0 * b[0], 15.0 * b[1], 20.0 * b[0] + 10.0 * b[2], 15.0 * (b[1] + b[3]))
)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.builds(Fill, boxes, st.sampled_from([0x336699, 0xCCCCCC])), max_size=10),
    st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40)), max_size=60),
)
def test_any_fills_and_words_give_grids_that_cover_each_place_at_most_once(fills, points):
    words = [Word("w", 12.0 * x, 12.0 * y, 12.0 * x + 8, 12.0 * y + 8, 12.0 * y, 9.0, False) for x, y in points]

    for table in find_tables(words, Rules((), (), tuple(fills)), page=1):
        places = [
            (r, c) for cell in table.cells for r in range(cell.r0, cell.r1 + 1) for c in range(cell.c0, cell.c1 + 1)
        ]
        assert len(places) == len(set(places))
        assert 0 <= table.confidence <= 1


def test_the_lone_first_line_of_a_wrapped_name_spans_no_other_columns():
    sheet = striped([("Duty", "supply", "Cap"), *PUMPS[1:]], height=24)
    sheet.at(176, 600 - 12 - 3 + 10.5, "Minimum", size=9)

    (table,) = tables(sheet)

    assert rows(table)[0] == ("Duty", "Minimum supply", "Cap")
