"""Rows told by blocks of wrapped lines, however their cells are aligned."""

from corpus_pages import Sheet
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.corpus.blocks import rows_by_blocks
from pincite.corpus.body import drafts_in
from pincite.corpus.columns import Column, text_lines
from pincite.corpus.fragments import fragments
from pincite.corpus.layout import Word
from pincite.corpus.pdf import read_pdf
from pincite.corpus.tables import header_rows, rows

LEADING = 11.0
COLUMNS = [Column(0, 10, 90, 100), Column(100, 110, 190, 200), Column(200, 210, 290, 300)]


def laid_out(texts, *, pad=3.0, align="middle"):
    """Return the flipped words of rows of cells of several lines, one word a line, from the top down."""
    words, top = [], 0.0
    for row in texts:
        height = max(len(cell) for cell in row) * LEADING
        for c, cell in enumerate(row):
            off = {"top": 0.0, "middle": 0.5, "bottom": 1.0}[align] * (height - len(cell) * LEADING)
            for k, text in enumerate(cell):
                base = top + off + (k + 1) * LEADING
                x = COLUMNS[c].x0
                words.append(Word(text, x, base - 6, x + 5 * len(text), base, -base, 9.0, False, 0))
        top += height + 2 * pad
    return words


def grid(words):
    drafts = drafts_in(text_lines(words), COLUMNS, 0, [])
    return [(d.place, " ".join(w.text for w in d.words)) for d in drafts if d.words]


word = st.text("abcdefgh", min_size=2, max_size=9)
cell = st.lists(word, min_size=1, max_size=4)
figure = st.integers(10, 9999).map(lambda n: [str(n)])


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.tuples(cell, cell, figure), min_size=3, max_size=8).filter(
        lambda texts: any(len(c) > 1 for row in texts for c in row)
    ),
    st.sampled_from(["top", "middle", "bottom"]),
)
def test_rows_with_white_between_them_are_told_however_their_cells_are_aligned(texts, align):
    expected = [((r, r, c, c), " ".join(cell)) for r, row in enumerate(texts) for c, cell in enumerate(row)]

    assert grid(laid_out(texts, align=align)) == expected


def test_figures_as_close_as_wrapped_lines_are_rows_each():
    texts = [(["first"], ["a"], ["12"]), (["second"], ["b"], ["13"]), (["third"], ["c"], ["14"])]

    assert [text for _, text in grid(laid_out(texts, pad=0.0))] == [c[0] for row in texts for c in row]


def test_groups_of_rows_with_white_between_them_are_not_taken_for_wrapped_cells():
    words = laid_out([(["abc", "bcd", "cde"], ["fgh", "gha", "hab"], ["dc", "cb", "ba"])] * 3)
    lines = text_lines(words)

    assert rows_by_blocks(lines, [fragments(line, COLUMNS) for line in lines], []) is None


def test_a_label_that_is_wrapped_beside_two_rows_is_over_both():
    words = laid_out([(["red"], ["abc"], ["12"]), ([], ["bcd", "cde"], ["13"]), ([], ["efg"], ["14"])])
    label = [
        Word(text, 10, base - 6, 50, base, -base, 9.0, False, 0) for text, base in (("blue", 36.0), ("green", 47.0))
    ]

    assert ((1, 2, 0, 0), "blue green") in grid([*words, *label])


def named_groups(bold):
    """Return a table between three rules with wrapped cells and the name of a group in the middle of it."""
    sheet = Sheet().text("The fees below apply to all members of the scheme and are due each month.")
    y = 690.0
    sheet.canvas.line(72, y + 14, 442, y + 14)
    for x, text in ((76, "Fee"), (200, "Basis"), (380, "Per cent")):
        sheet.at(x, y, text, size=9)
    sheet.canvas.line(72, y - 4, 442, y - 4)
    for k, lines in enumerate((["each member", "of the scheme"], [], ["all cards", "that are live"], ["orders"])):
        y -= 10 + 11 * max(len(lines), 1)
        top = y + 11 * (len(lines) - 1)
        if not lines:
            width = sheet.canvas.stringWidth("On request", "Helvetica-Bold" if bold else "Helvetica", 9)
            sheet.at(257 - width / 2, y, "On request", size=9, bold=bold)
            continue
        sheet.at(76, (y + top) / 2, f"Duty {k}", size=9)
        sheet.at(380, (y + top) / 2, f"{k}.50", size=9)
        for n, text in enumerate(lines):
            sheet.at(200, top - 11 * n, text, size=9)
    sheet.canvas.line(72, y - 6, 442, y - 6)
    sheet.at(72, y - 22, "The fees in this part are due in each month of the year and are paid at its end.", size=9)
    return sheet


def test_a_groups_name_in_the_middle_of_a_table_spans_it_whatever_its_weight():
    for bold in (True, False):
        (table,) = read_pdf(named_groups(bold).bytes(), "fees.pdf").tables

        assert rows(table) == (
            ("Fee", "Basis", "Per cent"),
            ("Duty 0", "each member of the scheme", "0.50"),
            ("On request",) * 3,
            ("Duty 2", "all cards that are live", "2.50"),
            ("Duty 3", "orders", "3.50"),
        )
        assert header_rows(table) == 1
