from collections import Counter

from corpus_pages import Sheet

from pincite.corpus.chunks import cut
from pincite.corpus.pdf import read_pdf

BODY = "Members of the scheme pay the fee of the month within thirty days after its end"


def any_length(text):
    return True


def two_sheets(*, mark="1", raised=True, note="1 Without value added tax, see chapter 9 of the manual."):
    """A paragraph that runs from one sheet to the next, with a note at the foot of the first."""
    sheet = Sheet()
    sheet.line("1 Fees", size=14, bold=True, leading=24)
    sheet.line("The fee is 0.20 % of the amount of the purchase")
    y = sheet.y + 14
    if raised:
        x = 72 + sheet.canvas.stringWidth("The fee is 0.20 % of the amount of the purchase", "Helvetica", 10)
        sheet.at(x + 0.6, y + 4, mark, size=6)
    sheet.text(*[BODY + " and"] * 30)
    sheet.at(72, 70, note, size=8)
    sheet.page()
    sheet.text("no later than that.", *[BODY + "."] * 10)
    sheet.line("2 Disputes", size=14, bold=True, gap=14, leading=24)
    sheet.text(*[BODY + "."] * 10)
    return read_pdf(sheet.bytes(), "rules.pdf")


def test_a_footnote_is_taken_out_of_the_paragraph_that_runs_over_the_page():
    document = two_sheets()

    (note,) = document.notes
    at = [line.text for line in document.lines].index("no later than that.")
    assert document.lines[at - 1].text == BODY + " and"
    assert [line.text for line in note.lines] == ["1 Without value added tax, see chapter 9 of the manual."]


def test_a_footnote_is_bound_to_the_line_that_carries_its_mark():
    document = two_sheets()

    (note,) = document.notes
    line = document.lines[note.line].text
    assert note.mark == "1"
    assert line.startswith("The fee is 0.20 %")
    assert line[note.at] in "1¹"


def test_search_finds_the_passage_of_the_mark_by_its_note_and_the_note_stands_in_one_chunk():
    document = two_sheets()

    chunks = cut(document, fits=any_length, size=700)

    marked = next(chunk for chunk in chunks if "0.20 %" in chunk.text)
    assert "value added tax" in marked.embedded_text
    assert sum("value added tax" in chunk.text for chunk in chunks) == 1
    assert next(chunk for chunk in chunks if "value added tax" in chunk.text).section == ("1 Fees",)


def test_a_note_whose_mark_is_not_found_stays_on_its_sheet_and_in_its_section():
    document = two_sheets(raised=False, note="* Without value added tax.")

    (note,) = document.notes
    chunks = cut(document, fits=any_length, size=700)
    assert note.at is None
    assert document.lines[note.line].page == 1
    assert [c.section for c in chunks if "value added tax" in c.text] == [("1 Fees",)]


def test_small_print_without_a_mark_and_a_list_in_small_type_stay_in_the_text():
    sheet = Sheet()
    sheet.text(*[BODY + "."] * 30)
    sheet.at(72, 250, "The fees are set by the board of the scheme.", size=8)
    sheet.at(72, 238, "2024 was the first year in which they were due.", size=8)

    document = read_pdf(sheet.bytes(), "rules.pdf")

    assert not document.notes
    assert [line.text for line in document.lines][-1] == "2024 was the first year in which they were due."


def test_several_notes_count_on_and_take_the_lines_that_go_on():
    sheet = Sheet()
    sheet.line("The fee2 is due3 at once.").text(*[BODY + "."] * 20)
    for k, text in enumerate(["2 Of purchases, not", "of refunds.", "3 On the day of the", "2024 notice."]):
        sheet.at(72, 120 - 10 * k, text, size=7)

    document = read_pdf(sheet.bytes(), "rules.pdf")

    assert [(n.mark, [line.text for line in n.lines]) for n in document.notes] == [
        ("2", ["2 Of purchases, not", "of refunds."]),
        ("3", ["3 On the day of the", "2024 notice."]),
    ]
    assert [document.lines[n.line].text[n.at] for n in document.notes] == ["2", "3"]


def test_nothing_of_a_document_with_notes_is_lost_or_doubled():
    document = two_sheets()

    chunks = cut(document, fits=any_length, size=500)

    said = Counter(line for chunk in chunks for line in chunk.text.split("\n"))
    assert said == Counter(line.text for line in (*document.lines, *(n for note in document.notes for n in note.lines)))


def test_the_power_of_a_unit_is_no_mark_of_a_note():
    sheet = Sheet()
    sheet.line("The hall has 40 m² of floor for members and their agents.").line("The fee² is due at once.")
    sheet.text(*[BODY + "."] * 20).at(72, 90, "² Of purchases, not of refunds.", size=7)

    document = read_pdf(sheet.bytes(), "rules.pdf")

    (note,) = document.notes
    assert document.lines[note.line].text.startswith("The fee")
