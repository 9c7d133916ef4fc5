"""Tables told by rules across and by white space, and what only looks like them."""

from corpus_pages import Sheet
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.corpus.aligned import find_regions, may_part
from pincite.corpus.columns import header_and_columns, text_line, text_lines
from pincite.corpus.layout import Word
from pincite.corpus.pdf import read_pdf
from pincite.corpus.tables import header_rows, rows


def read(sheet):
    return read_pdf(sheet.bytes(), "fees.pdf")


def right(sheet, x, y, text, **how):
    size = how.get("size", 9)
    return sheet.at(x - sheet.canvas.stringWidth(text, "Helvetica", size), y, text, size=size)


def centre(sheet, x, y, text, size=9):
    return sheet.at(x - sheet.canvas.stringWidth(text, "Helvetica", size) / 2, y, text, size=size)


BODY = [
    ("Purchase", "0.20", "0.35", "1.10", "2.15"),
    ("Refund", "0.05", "0.06", "0.40", "0.90"),
    ("Cash advance", "1.20", "1.35", "2.10", "3.15"),
    ("Account check", "0.01", "0.02", "0.03", "0.04"),
]
EDGES = (230, 300, 370, 440)


def body(sheet, top, entries=BODY, step=15):
    for k, (label, *values) in enumerate(entries):
        sheet.at(72, top - step * k, label, size=9)
        for x, value in zip(EDGES, values, strict=True):
            right(sheet, x, top - step * k, value)
    return top - step * (len(entries) - 1)


def fees_with_three_rules():
    sheet = Sheet()
    sheet.text("The fees below apply to all members of the scheme and are due each month.")
    sheet.at(72, 722, "Table 2: Fees in percent", size=9)
    sheet.canvas.line(72, 712, 442, 712)
    centre(sheet, 256, 700, "Domestic")
    centre(sheet, 396, 700, "Cross-border")
    sheet.canvas.line(205, 696, 302, 696)
    sheet.canvas.line(345, 696, 442, 696)
    sheet.at(72, 684, "Transaction", size=9)
    for x, name in zip(EDGES, ("Shop", "Online", "Shop", "Online"), strict=True):
        right(sheet, x, 684, name)
    sheet.canvas.line(72, 678, 442, 678)
    bottom = body(sheet, 665) - 6
    sheet.canvas.line(72, bottom, 442, bottom)
    return sheet


def test_a_table_with_three_rules_has_the_header_cells_that_span_columns():
    (table,) = read(fees_with_three_rules()).tables

    spans = {c.text: (c.r0, c.r1, c.c0, c.c1) for c in table.cells if (c.r0, c.c0) != (c.r1, c.c1) and c.text}
    assert spans == {"Domestic": (0, 0, 1, 2), "Cross-border": (0, 0, 3, 4), "Transaction": (0, 1, 0, 0)}
    assert rows(table)[2:] == tuple(BODY)
    assert (header_rows(table), table.caption) == (2, "Table 2: Fees in percent")
    assert table.confidence >= 0.5


def test_a_table_without_any_rule_is_read_by_its_columns():
    sheet = Sheet()
    sheet.text("The fees below apply to all members of the scheme and are due each month.")
    sheet.at(72, 684, "Transaction", size=9)
    for x, name in zip(EDGES, ("Shop", "Online", "Post", "Phone"), strict=True):
        right(sheet, x, 684, name)
    body(sheet, 668)

    (table,) = read(sheet).tables

    assert rows(table) == (("Transaction", "Shop", "Online", "Post", "Phone"), *BODY)
    assert header_rows(table) == 1


def test_a_name_centred_over_columns_spans_them_without_a_rule():
    sheet = Sheet()
    centre(sheet, 256, 700, "Domestic")
    centre(sheet, 396, 700, "Cross-border")
    sheet.at(72, 684, "Transaction", size=9)
    for x, name in zip(EDGES, ("Shop", "Online", "Shop", "Online"), strict=True):
        right(sheet, x, 684, name)
    body(sheet, 668)

    (table,) = read(sheet).tables

    assert rows(table)[0] == ("Transaction", "Domestic", "Domestic", "Cross-border", "Cross-border")


def test_a_label_that_wraps_stays_with_its_row():
    sheet = Sheet()
    sheet.canvas.line(72, 680, 442, 680)
    body(sheet, 668, BODY[:2])
    sheet.at(72, 638, "Cash advance outside", size=9).at(76, 627, "of the euro area", size=9)
    for x, value in zip(EDGES, BODY[2][1:], strict=True):
        right(sheet, x, 638, value)
    body(sheet, 612, BODY[3:])
    sheet.canvas.line(72, 606, 442, 606)

    (table,) = read(sheet).tables

    assert [row[0] for row in rows(table)] == [
        "Purchase",
        "Refund",
        "Cash advance outside of the euro area",
        "Account check",
    ]


def test_the_name_of_a_group_is_a_row_of_its_own():
    sheet = Sheet()
    sheet.canvas.line(72, 680, 442, 680)
    body(sheet, 668, BODY[:2])
    sheet.at(72, 638, "Cash", size=9)
    body(sheet, 623, [("Advance", *BODY[2][1:]), ("Deposit", *BODY[3][1:])])
    sheet.canvas.line(72, 602, 442, 602)

    (table,) = read(sheet).tables

    assert [row[0] for row in rows(table)] == ["Purchase", "Refund", "Cash", "Advance", "Deposit"]


def test_a_label_half_way_between_two_rows_spans_both():
    sheet = Sheet()
    for k, name in enumerate(("Shop", "Online", "Post", "Phone")):
        sheet.at(160, 668 - 20 * k, name, size=9)
        for x, value in zip(EDGES, BODY[k][1:], strict=True):
            right(sheet, x, 668 - 20 * k, value)
    sheet.at(72, 658, "Domestic", size=9).at(72, 618, "Abroad", size=9)

    (table,) = read(sheet).tables

    assert [row[0] for row in rows(table)] == ["Domestic", "Domestic", "Abroad", "Abroad"]


def test_thousands_set_apart_by_a_blank_stay_one_number():
    sheet = Sheet()
    for k, values in enumerate((("12 060", "1 450"), ("8 120", "2 900"), ("44 200", "3 350"), ("10 100", "5 800"))):
        sheet.at(72, 668 - 14 * k, f"Pump {k}", size=9)
        right(sheet, 260, 668 - 14 * k, values[0])
        right(sheet, 360, 668 - 14 * k, values[1])

    (table,) = read(sheet).tables

    assert rows(table)[0] == ("Pump 0", "12 060", "1 450")


def test_two_rows_of_figures_below_names_are_a_table_too():
    sheet = Sheet()
    sheet.at(72, 684, "Transaction", size=9)
    for x, name in zip(EDGES, ("Shop", "Online", "Post", "Phone"), strict=True):
        right(sheet, x, 684, name)
    body(sheet, 668, BODY[:2])

    (table,) = read(sheet).tables

    assert rows(table)[1:] == tuple(BODY[:2])


def test_two_columns_of_decimals_are_no_numbered_list():
    sheet = Sheet()
    sheet.at(80, 682, "Bearing", size=9).at(200, 682, "Shaft", size=9)
    for k, values in enumerate((("2.25", "18.688"), ("1.50", "52.942"), ("8.75", "56.142"), ("3.00", "0.820"))):
        right(sheet, 110, 668 - 14 * k, values[0])
        right(sheet, 225, 668 - 14 * k, values[1])

    (table,) = read(sheet).tables

    assert rows(table)[:2] == (("Bearing", "Shaft"), ("2.25", "18.688"))


PROSE = "The member pays the fee within ten days after the notice and the scheme confirms it in writing to the bank"


def test_two_columns_of_prose_are_no_table():
    sheet = Sheet()
    words = PROSE.split()
    for k in range(24):
        sheet.at(72, 720 - 13 * k, " ".join(words[k % 9 : k % 9 + 8]), size=9)
        sheet.at(320, 720 - 13 * k, " ".join(words[(k + 4) % 9 : (k + 4) % 9 + 8]), size=9)

    assert read(sheet).tables == ()


def test_a_contents_list_is_no_table():
    sheet = Sheet()
    for k in range(14):
        sheet.at(72, 700 - 15 * k, f"{k // 4 + 1}.{k % 4 + 1}", size=10)
        sheet.at(110, 700 - 15 * k, f"Fees of kind {k} and who pays them", size=10)
        right(sheet, 500, 700 - 15 * k, str(3 + 2 * k), size=10)

    assert read(sheet).tables == ()


def test_a_contents_list_with_dots_that_lead_to_the_page_is_no_table():
    sheet = Sheet()
    sheet.at(72, 720, "Table of Contents", size=12)
    for k in range(14):
        sheet.at(72, 700 - 15 * k, f"{k // 4 + 1}.{k % 4 + 1}", size=10)
        sheet.at(110, 700 - 15 * k, f"Fees of kind {k} {'.' * 60} {3 + k}", size=10)

    assert read(sheet).tables == ()


def test_a_numbered_list_is_no_table():
    sheet = Sheet()
    for k in range(8):
        sheet.at(72, 700 - 15 * k, f"{k + 1}.", size=10).at(110, 700 - 15 * k, f"The member pays fee {k}.", size=10)

    assert read(sheet).tables == ()


def test_the_axes_of_a_diagram_are_no_table():
    sheet = Sheet()
    for k in range(6):
        right(sheet, 100, 600 + 20 * k, f"{50 + k},000")
        sheet.at(400, 600 + 20 * k, f"0.{40 + 2 * k}", size=9)

    assert read(sheet).tables == ()


def test_formulas_below_each_other_are_no_table():
    sheet = Sheet()
    for k, (a, b) in enumerate(
        (("Fee", "0.2 * amount + 1"), ("Total", "Fee + tax"), ("Tax", "0.21 * Fee"), ("Net", "Fee"))
    ):
        sheet.at(72, 700 - 20 * k, a).at(150, 700 - 20 * k, "=").at(170, 700 - 20 * k, b)

    assert read(sheet).tables == ()


def test_names_of_columns_that_end_on_one_line_are_not_taken_for_names_over_columns():
    sheet = Sheet()
    sheet.canvas.line(72, 712, 442, 712)
    for k, edge in enumerate(EDGES):
        lines = ("Weight", "relative to", "controls") if k % 2 else ("Body", "weight")
        for n, text in enumerate(reversed(lines)):
            right(sheet, edge, 684 + 10 * n, text)
    sheet.at(72, 684, "Dose", size=9)
    sheet.canvas.line(72, 678, 442, 678)
    bottom = body(sheet, 665) - 6
    sheet.canvas.line(72, bottom, 442, bottom)

    (table,) = read(sheet).tables

    named = ("Dose", *("Body weight", "Weight relative to controls") * 2)
    assert rows(table)[0] == named


def test_an_address_block_is_no_table():
    sheet = Sheet()
    for k, (a, b) in enumerate(
        (("Acme Scheme", "Betalen BV"), ("Main Street 1", "Kerkstraat 2"), ("Dublin", "Utrecht"))
    ):
        sheet.at(72, 700 - 13 * k, a).at(350, 700 - 13 * k, b)

    assert read(sheet).tables == ()


def test_a_listing_of_codes_and_values_that_nothing_names_is_no_table():
    sheet = Sheet().text("A refrigerator orders groceries for 36.00 in Belgium; nobody was asked.")
    values = ("9876543210987654", "000000", "000000003600", "20260714093015", "fridge in the kitchen", "F7K20260001A")
    for k, value in enumerate(values):
        sheet.at(86, 700 - 11 * k, f"{2 * k + 2:03}", size=8).at(110, 700 - 11 * k, value, size=8)

    document = read(sheet)

    assert document.tables == ()
    assert "010 fridge in the kitchen" in [line.text for line in document.lines]


def test_all_text_around_and_in_a_table_without_rules_is_kept_once():
    sheet = fees_with_three_rules()
    sheet.at(72, 560, "The next paragraph begins below the table.")

    document = read(sheet)

    printed = sorted(" ".join(line.text for line in document.lines).split())
    expected = (
        "The fees below apply to all members of the scheme and are due each month. Table 2: Fees in percent Domestic "
        "Cross-border Transaction Shop Online Shop Online The next paragraph begins below the table. "
        + " ".join(" ".join(row) for row in BODY)
    )
    assert printed == sorted(expected.split())


words_anywhere = st.lists(
    st.builds(
        lambda text, x, y, width: Word(text, x, y, x + width, y + 8, -(y + 8.0), 9.0, False),
        st.text("ab1,%", min_size=1, max_size=6),
        st.integers(0, 40).map(lambda v: 12.0 * v),
        st.integers(0, 12).map(lambda v: 12.0 * v),
        st.floats(2, 40),
    ),
    max_size=60,
)
rules_anywhere = st.lists(st.tuples(st.floats(0, 160), st.floats(0, 200), st.floats(210, 500)), max_size=6).map(sorted)


@settings(max_examples=200, deadline=None)
@given(words_anywhere, rules_anywhere)
def test_cells_tile_their_grid_and_hold_each_word_at_most_once(words, rules):
    for region in find_regions(words, rules, [], []):
        places = [
            (r, c)
            for d in region.drafts
            for r in range(d.place.r0, d.place.r1 + 1)
            for c in range(d.place.c0, d.place.c1 + 1)
        ]
        height, width = max(r for r, _ in places) + 1, max(c for _, c in places) + 1
        assert sorted(places) == [(r, c) for r in range(height) for c in range(width)]
        held = [id(w) for d in region.drafts for w in d.words]
        assert len(held) == len(set(held))
        assert 0 <= region.confidence <= 1


@given(st.lists(st.lists(st.integers(0, 9999), min_size=3, max_size=3), min_size=4, max_size=20))
def test_columns_of_figures_far_apart_are_always_found(numbers):
    words = [
        Word(
            str(n),
            100.0 * c + 60 - 5 * len(str(n)),
            14.0 * r,
            100.0 * c + 60,
            14.0 * r + 9,
            -(14.0 * r + 9),
            9.0,
            False,
        )
        for r, row in enumerate(numbers)
        for c, n in enumerate(row)
    ]

    _, columns = header_and_columns(text_lines(words), None)

    assert len(columns) == 3


@given(
    st.lists(
        st.tuples(
            st.text("ab1.", min_size=1, max_size=8), st.floats(0, 20), st.floats(0, 40), st.sampled_from([0, 6, 9])
        ),
        min_size=1,
        max_size=8,
    )
)
def test_a_row_that_cannot_part_is_a_line_of_one_entry(pieces):
    row, x = [], 0.0
    for text, gap, width, size in pieces:
        row.append(Word(text, x + gap, 0.0, x + gap + width, 9.0, 0.0, size, False))
        x += gap + width

    assert may_part(row) or len(text_line(row).entries) == 1
