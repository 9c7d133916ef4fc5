import pytest
from corpus_pages import Sheet

from pincite.corpus.chunks import cut
from pincite.corpus.pdf import read_pdf

BODY = "Clause {} of this rulebook says what members pay and when they pay it."


def book(pages, header=lambda k: "", footer=lambda k: "", top=810, bottom=30, size=8, lines=12):
    sheet = Sheet()
    for k in range(1, pages + 1):
        for text, y in ((header(k), top), (footer(k), bottom)):
            if text:
                sheet.at(72, y, text, size=size)
        sheet.text(*(BODY.format(f"{k}.{j}") for j in range(lines)))
        sheet.page()
    return read_pdf(sheet.bytes(), "rules.pdf")


def furniture(document):
    return [line.text for line in document.furniture]


@pytest.mark.parametrize(
    "number",
    [
        lambda k: f"Page {k} of 12",
        lambda k: ["i", "ii", "iii", "iv", "v", "vi"][k - 1],
        lambda k: f"A-{k}",
        lambda k: f"- {k} -",
    ],
)
@pytest.mark.parametrize("pages", [1, 2, 3, 6])
def test_page_numbers_are_furniture_on_long_and_short_documents(number, pages):
    document = book(pages, footer=number, size=10)

    assert furniture(document) == [number(k) for k in range(1, pages + 1)]


def test_headers_that_alternate_between_left_and_right_sheets_are_furniture():
    document = book(8, header=lambda k: "Farrowmere Scheme" if k % 2 else "Fee Rulebook")

    assert set(furniture(document)) == {"Farrowmere Scheme", "Fee Rulebook"}
    assert len(document.furniture) == 8


def test_headers_that_carry_the_name_of_the_section_alone_are_furniture():
    names = ["Scope", "Definitions", "Fees", "Disputes", "Clearing", "Changes"]
    document = book(6, header=lambda k: names[k - 1])

    assert furniture(document) == names


@pytest.mark.parametrize("pages", [2, 3])
def test_a_header_of_a_short_document_is_furniture(pages):
    document = book(pages, header=lambda _: "Farrowmere Scheme, Fee Rulebook")

    assert furniture(document) == ["Farrowmere Scheme, Fee Rulebook"] * pages


def test_a_sentence_that_every_sheet_begins_with_stays_in_the_text():
    sheet = Sheet()
    for k in range(1, 7):
        sheet.y = 800
        sheet.text(
            "All fees below are in euro and without value added tax.", *(BODY.format(f"{k}.{j}") for j in range(9))
        )
        sheet.page()

    document = read_pdf(sheet.bytes(), "rules.pdf")

    assert [line.text for line in document.lines].count("All fees below are in euro and without value added tax.") == 6
    assert not document.furniture


def test_a_line_that_repeats_below_headings_stays_in_the_text():
    sheet = Sheet()
    for k in range(1, 13):
        sheet.at(72, 815, "Farrowmere Scheme", size=8)
        sheet.y = 785
        if k % 3 == 0:
            sheet.line(f"{2 * k + 1} Clearing of this kind", size=14, bold=True, leading=22).line(
                "This chapter binds all members."
            )
            sheet.y -= 20
        sheet.text(*(BODY.format(f"{k}.{j}") for j in range(9)))
        sheet.page()

    document = read_pdf(sheet.bytes(), "rules.pdf")

    assert [line.text for line in document.lines].count("This chapter binds all members.") == 4
    assert set(furniture(document)) == {"Farrowmere Scheme"}


def test_furniture_is_kept_but_in_no_chunk():
    document = book(6, header=lambda _: "Farrowmere Scheme", footer=lambda k: f"Page {k} of 6")

    chunks = cut(document, fits=lambda text: True)

    assert len(document.furniture) == 12
    assert not [chunk for chunk in chunks if "Farrowmere" in chunk.text or "Page" in chunk.text]
