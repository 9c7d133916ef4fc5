import random
from collections import Counter
from itertools import pairwise

import pytest
from corpus_pages import Sheet, changed, fees
from hypothesis import given, settings
from hypothesis import strategies as st
from reportlab.lib.pagesizes import A3, A4, landscape
from reportlab.pdfbase.pdfmetrics import stringWidth

from pincite.corpus.layout import Word
from pincite.corpus.pdf import read_pdf
from pincite.corpus.reading_order import in_reading_order

VOCABULARY = [
    "member",
    "scheme",
    "fee",
    "month",
    "domestic",
    "refund",
    "issuer",
    "merchant",
    "terminal",
    "dispute",
    "clearing",
    "ledger",
    "payment",
    "holder",
    "bank",
    "party",
    "notice",
    "period",
    "amount",
    "rule",
    "rate",
    "card",
    "limit",
    "claim",
]


def prose(count, *, seed=0, width=220, size=9, measure=None):
    """Lines of running text as full as a line of the width in points is; the last is shorter and ends a sentence."""
    pick = random.Random(seed)
    measure = measure or (lambda text: stringWidth(text, "Helvetica", size))
    lines = []
    for k in range(count):
        words = [pick.choice(VOCABULARY)]
        while True:
            word = pick.choice(VOCABULARY)
            if measure(" ".join([*words, word])) > (width if k < count - 1 else 0.7 * width):
                break
            words.append(word)
        lines.append(" ".join(words))
    return [lines[0].capitalize(), *lines[1:-1], lines[-1] + "."] if count > 1 else lines


def column(sheet, x, top, lines, *, size=9, leading=12, width=220):
    """Print lines below each other, spread to the width as justified text is, but for the last."""
    for k, line in enumerate(lines):
        at = x
        words = line.split()
        space = stringWidth(" ", "Helvetica", size)
        if k < len(lines) - 1 and len(words) > 1:
            space = (width - sum(stringWidth(w, "Helvetica", size) for w in words)) / (len(words) - 1)
        for word in words:
            sheet.at(at, top - leading * k, word, size=size)
            at += stringWidth(word, "Helvetica", size) + space
    return sheet


def texts(data):
    return [line.text for line in read_pdf(data, "rules.pdf").lines]


@pytest.mark.parametrize(("columns", "width"), [(2, 220), (3, 140)])
def test_columns_are_read_from_left_to_right_below_a_title_over_all(columns, width):
    sheet = Sheet()
    sheet.at(150, 760, "A title over all columns of this sheet of the book", size=14, bold=True)
    wanted = []
    for k in range(columns):
        lines = prose(30, seed=k, width=width)
        column(sheet, 60 + k * (width + 24), 720 - 2 * k, lines, width=width)
        wanted += lines

    assert texts(sheet.bytes())[1:] == wanted


def test_a_short_column_beside_a_long_one_ends_where_it_ends():
    sheet = Sheet()
    left, right = prose(40, seed=1), prose(9, seed=2)
    column(sheet, 60, 760, left, width=220)
    column(sheet, 310, 760, right, width=220)

    assert texts(sheet.bytes()) == [*left, *right]


def test_an_abstract_of_four_lines_in_two_columns_is_read_column_by_column():
    sheet = Sheet()
    left, right = prose(4, seed=1), prose(4, seed=2)
    column(sheet, 60, 700, left, width=220)
    column(sheet, 310, 700, right, width=220)

    assert texts(sheet.bytes()) == [*left, *right]


def test_text_over_both_columns_parts_what_is_above_from_what_is_below():
    sheet = Sheet()
    above, between, below = (
        [prose(10, seed=k) for k in (1, 2)],
        prose(3, seed=3, width=470),
        [prose(10, seed=k) for k in (4, 5)],
    )
    for k in (0, 1):
        column(sheet, 60 + 250 * k, 760, above[k], width=220)
        column(sheet, 60 + 250 * k, 560, below[k], width=220)
    column(sheet, 60, 615, between, width=470)

    assert texts(sheet.bytes()) == [*above[0], *above[1], *between, *below[0], *below[1]]


def test_a_heading_over_both_columns_ends_the_columns_though_it_is_short():
    sheet = Sheet()
    above, below = [prose(10, seed=k) for k in (1, 2)], [prose(10, seed=k) for k in (4, 5)]
    for k in (0, 1):
        column(sheet, 60 + 250 * k, 760, above[k], width=220)
        column(sheet, 60 + 250 * k, 580, below[k], width=220)
    sheet.at(60, 615, "3 Clearing", size=13, bold=True)

    assert texts(sheet.bytes()) == [*above[0], *above[1], "3 Clearing", *below[0], *below[1]]


def test_a_heading_inside_the_left_column_stays_there():
    sheet = Sheet()
    left, right = [*prose(10, seed=1), "3 Clearing", *prose(10, seed=4)], prose(25, seed=2)
    column(sheet, 60, 760, left[:10], width=220)
    sheet.at(60, 625, left[10], size=11, bold=True)
    column(sheet, 60, 608, left[11:], width=220)
    column(sheet, 310, 760, right, width=220)

    assert texts(sheet.bytes()) == [*left, *right]


def test_a_ruled_table_over_both_columns_parts_them():
    sheet = Sheet()
    above, below = [prose(10, seed=k) for k in (1, 2)], [prose(10, seed=k) for k in (4, 5)]
    for k in (0, 1):
        column(sheet, 60 + 250 * k, 780, above[k], width=220)
        column(sheet, 60 + 250 * k, 520, below[k], width=220)
    fees(sheet, top=640, left=100)

    found = texts(sheet.bytes())

    prose_lines = [*above[0], *above[1], *below[0], *below[1]]
    assert [line for line in found if line in prose_lines] == prose_lines
    assert found.index("Transaction") == 20


def test_a_figure_between_two_columns_does_not_part_them():
    sheet = Sheet()
    left, right = prose(12, seed=1), prose(12, seed=2)
    for x, lines in ((60, left), (310, right)):
        column(sheet, x, 760, lines[:6], width=220)
        column(sheet, x, 480, lines[6:], width=220)
    sheet.canvas.rect(60, 500, 470, 180, fill=1)

    found = texts(sheet.bytes())

    assert found == [*left[:6], *right[:6], *left[6:], *right[6:]] or found == [*left, *right]


def test_text_beside_a_figure_is_read_on_below_it():
    sheet = Sheet()
    lines = [*prose(8, seed=1, width=470), *prose(10, seed=2), *prose(8, seed=3, width=470)]
    column(sheet, 60, 760, lines[:8], width=470)
    column(sheet, 60, 664, lines[8:18], width=220)
    column(sheet, 60, 544, lines[18:], width=470)
    sheet.canvas.rect(310, 556, 220, 110, fill=1)

    assert texts(sheet.bytes()) == lines


def test_marginal_notes_on_the_right_do_not_break_the_sentences_beside_them():
    sheet = Sheet()
    body = prose(20, seed=1, width=350)
    column(sheet, 60, 760, body, width=350)
    for k, words in ((2, ("Fees of", "members")), (9, ("Notice", "periods"))):
        for j, note in enumerate(words):
            sheet.at(520 - sheet.canvas.stringWidth(note, "Helvetica", 7), 760 - 12 * (k + j), note, size=7)

    found = texts(sheet.bytes())

    assert [line for line in found if line in body] == body
    assert [line for line in found if line not in body] == ["Fees of", "members", "Notice", "periods"]


def test_a_name_over_two_lines_stands_before_the_paragraph_beside_it():
    sheet = Sheet()
    first, second = prose(5, seed=1, width=350), prose(5, seed=2, width=350)
    column(sheet, 170, 760, first, width=350)
    column(sheet, 170, 690, second, width=350)
    sheet.at(60, 760, "Clearing").at(60, 748, "member").at(60, 690, "Settlement").at(60, 678, "agent")

    assert texts(sheet.bytes()) == ["Clearing", "member", *first, "Settlement", "agent", *second]


def test_a_sidebar_is_read_in_one_piece():
    sheet = Sheet()
    body, side = prose(24, seed=1, width=310), prose(12, seed=2, width=135, size=8)
    column(sheet, 60, 760, body, width=310)
    column(sheet, 400, 720, side, size=8, width=135)

    found = texts(sheet.bytes())

    at = found.index(side[0])
    assert found[at : at + 12] == side
    assert [line for line in found if line in body] == body


def test_numbers_before_their_text_stay_in_its_line():
    sheet = Sheet()
    for k in range(12):
        sheet.at(60, 760 - 14 * k, f"{k + 1}.").at(90, 760 - 14 * k, " ".join(prose(2, seed=k, width=150)))

    assert [text.split()[0] for text in texts(sheet.bytes())] == [f"{k + 1}." for k in range(12)]


@pytest.mark.parametrize("rotation", [90, 180, 270])
def test_columns_on_a_turned_sheet_are_read_in_order(rotation):
    left, right = prose(20, seed=1), prose(20, seed=2)
    sheet = Sheet(size=landscape(A4) if rotation != 180 else A4)
    width, height = sheet.size
    sheet.canvas.saveState()
    # What /Rotate turns is written turned back, so that people see it upright.
    if rotation == 90:
        sheet.canvas.translate(width, 0)
    elif rotation == 180:
        sheet.canvas.translate(width, height)
    else:
        sheet.canvas.translate(0, height)
    sheet.canvas.rotate(rotation)
    column(sheet, 60, 400, left, width=220)
    column(sheet, 310, 400, right, width=220)
    sheet.canvas.restoreState()

    def change(pdf):
        pdf.pages[0].Rotate = rotation

    assert texts(changed(sheet.bytes(), change)) == [*left, *right]


def test_a_note_that_runs_up_the_edge_of_the_sheet_is_a_line_of_its_own():
    sheet = Sheet()
    body = prose(20, seed=1, width=400)
    column(sheet, 72, 760, body, width=400)
    sheet.canvas.saveState()
    sheet.canvas.translate(30, 300)
    sheet.canvas.rotate(90)
    sheet.at(0, 0, "Printed in Farrowmere", size=7)
    sheet.canvas.restoreState()

    assert texts(sheet.bytes()) == [*body, "Printed in Farrowmere"]


def test_two_pages_on_an_a3_insert_are_read_one_after_the_other():
    sheet = Sheet(size=landscape(A3))
    left, right = prose(40, seed=1, width=450), prose(40, seed=2, width=450)
    column(sheet, 70, 760, left, width=450)
    column(sheet, 660, 760, right, width=450)

    assert texts(sheet.bytes()) == [*left, *right]


def test_boxes_numbered_across_are_read_across_and_boxes_numbered_down_are_read_down():
    def cards(numbers):
        sheet = Sheet()
        for place, number in enumerate(numbers):
            x, y = 60 + 260 * (place % 2), 760 - 120 * (place // 2)
            sheet.at(x, y, f"{number}. Rule of its own", size=12, bold=True)
            column(sheet, x, y - 30, prose(4, seed=number), width=220)
        return [text[0] for text in texts(sheet.bytes()) if text[0].isdigit()]

    assert cards([1, 2, 3, 4]) == ["1", "2", "3", "4"]
    assert cards([1, 3, 2, 4]) == ["1", "2", "3", "4"]


def test_a_raised_mark_does_not_become_a_line_of_its_own():
    sheet = Sheet()
    sheet.at(72, 700, "The fee is due at once", size=10).at(172.5, 704.4, "1", size=6)
    sheet.at(182, 700, "and is not refunded.", size=10)

    (line,) = texts(sheet.bytes())

    assert line.replace(" ", "") == "Thefeeisdueatonce¹andisnotrefunded."


# ---------------------------------------------------------------- properties


@st.composite
def pages(draw):
    """Words anywhere on a sheet, on a grid coarse enough that they seldom overlap."""
    places = draw(st.sets(st.tuples(st.integers(0, 11), st.integers(0, 40)), max_size=80))
    words = []
    for x, y in sorted(places):
        size = draw(st.sampled_from([6.0, 9.0, 10.0, 14.0]))
        text = draw(st.sampled_from(["fee", "Members", "1.", "pay.", "of", "•"]))
        shift = draw(st.floats(0, 8))
        x0, base = 40 + 45 * x + shift, 780 - 12 * y
        words.append(Word(text, x0, base - 2, x0 + 0.5 * size * len(text), base + 0.7 * size, base, size, False))
    return words


@settings(max_examples=150, deadline=None)
@given(pages())
def test_every_word_of_a_page_is_in_exactly_one_row(words):
    rows = in_reading_order(words)

    assert Counter(w for row in rows for w in row) == Counter(words)
    assert all(rows)
    assert all(a.x0 <= b.x0 for row in rows for a, b in pairwise(row))


@settings(max_examples=150, deadline=None)
@given(pages(), st.randoms(use_true_random=False))
def test_the_order_of_the_content_stream_does_not_matter(words, chance):
    shuffled = list(words)
    chance.shuffle(shuffled)

    assert in_reading_order(shuffled) == in_reading_order(words)


def set_lines(count, seed, width):
    return prose(
        count, seed=seed, width=width, measure=lambda text: 4.0 * len(text.replace(" ", "")) + 2.5 * text.count(" ")
    )


@st.composite
def column_layouts(draw):
    """Blocks of columns below text over the whole width; the words in the order they are read."""
    wanted = []
    y = 780.0
    seed = draw(st.integers(0, 10_000))
    for block in range(draw(st.integers(1, 2))):
        # Two blocks of columns with nothing but white between them are the same two columns to every reader.
        if block or draw(st.booleans()):
            wanted += _printed(set_lines(draw(st.integers(2, 4)), seed, 480), 60, y, 480)
            y -= 12 * 4 + draw(st.sampled_from([12, 20]))
        count = draw(st.integers(2, 3))
        gutter = draw(st.sampled_from([14, 18, 30]))
        width = (480 - gutter * (count - 1)) / count
        heights = [draw(st.integers(7, 20)) for _ in range(count)]
        offset = draw(st.sampled_from([0.0, 1.5, 4.0]))
        for k, height in enumerate(heights):
            seed += 1
            lines = set_lines(height, seed, width)
            wanted += _printed(lines, 60 + k * (width + gutter), y - offset * (k % 2), width)
        y -= 12 * max(heights) + 14
    return wanted


def _printed(lines, x, top, width):
    """Words of lines spread to the width, all but the last."""
    out = []
    for k, line in enumerate(lines):
        words = line.split()
        inked = sum(4.0 * len(w) for w in words)
        space = (width - inked) / max(len(words) - 1, 1)
        at = x
        for word in words:
            base = top - 12 * k
            out.append(Word(word, at, base - 2, at + 4.0 * len(word), base + 7, base, 9.0, False))
            at += 4.0 * len(word) + (space if k < len(lines) - 1 and space > 1 else 2.5)
    return out


@settings(max_examples=150, deadline=None)
@given(column_layouts(), st.randoms(use_true_random=False))
def test_random_columns_come_back_in_the_order_they_were_set(words, chance):
    shuffled = list(words)
    chance.shuffle(shuffled)

    assert lined(w for row in in_reading_order(shuffled) for w in row) == lined(words)


def lined(words):
    return [(round(w.x0), round(w.baseline), w.text) for w in words]
