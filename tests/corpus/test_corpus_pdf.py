from pathlib import Path

import pikepdf
import pytest
from corpus_pages import Sheet, changed, encrypted, fees
from reportlab.lib.pagesizes import A3, landscape

from pincite.corpus.pdf import read_pdf
from pincite.errors import UnreadablePdf


def parsed(data, source="rules.pdf"):
    return read_pdf(data, source)


def line_with(document, words):
    return next(line for line in (*document.lines, *document.furniture) if words in line.text)


def two_lines():
    return Sheet().at(100, 500, "Interchange fee 0.20 %", size=12).at(100, 300, "Refund fee 0.05 %", size=12).bytes()


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
@pytest.mark.parametrize("crop", [None, (20, 30, 380, 580)])
def test_neither_rotation_nor_crop_box_moves_a_box(rotation, crop):
    def change(pdf):
        pdf.pages[0].Rotate = rotation
        if crop:
            pdf.pages[0].CropBox = pikepdf.Array(crop)

    document = parsed(changed(two_lines(), change))

    box = line_with(document, "Interchange").box
    assert 99 < box[0] < 103
    assert 496 < box[1] < 501 < 508 < box[3] < 511
    assert document.pages[0].rotation == rotation
    assert document.pages[0].box == (crop or pytest.approx((0, 0, 595.3, 841.9), abs=0.1))
    assert (document.pages[0].width, document.pages[0].height) == pytest.approx((595.3, 841.9), abs=0.1)


def test_boxes_stay_in_user_space_when_the_media_box_does_not_begin_at_zero():
    def change(pdf):
        pdf.pages[0].MediaBox = pikepdf.Array((-50, -60, 595, 842))

    document = parsed(changed(two_lines(), change))

    assert line_with(document, "Refund").box[0] == pytest.approx(100, abs=2)
    assert document.pages[0].box == (-50, -60, 595, 842)
    assert document.pages[0].width == 645


def test_text_that_runs_upwards_on_a_turned_sheet_is_read_in_order():
    sheet = Sheet(size=(400, 600))
    sheet.canvas.rotate(90)
    for k in range(6):
        sheet.at(60, -100 - 14 * k, f"Line {k} of the landscape insert reads upwards")

    def change(pdf):
        pdf.pages[0].Rotate = 90

    document = parsed(changed(sheet.bytes(), change))

    assert [line.text.split()[1] for line in document.lines] == ["0", "1", "2", "3", "4", "5"]
    x0, y0, x1, y1 = document.lines[0].box
    assert x1 - x0 < 14 < 100 < y1 - y0


def test_a_landscape_insert_keeps_its_own_size():
    sheet = Sheet(size=landscape(A3)).line("Wide sheet")

    page = parsed(sheet.bytes()).pages[0]

    assert (round(page.width), round(page.height)) == (1191, 842)


def test_printed_labels_are_kept_beside_the_sheet_index():
    sheet = Sheet()
    for k in range(8):
        sheet.line(f"Sheet {k + 1} says something of its own").page()

    def change(pdf):
        pdf.Root.PageLabels = pikepdf.Dictionary(
            Nums=pikepdf.Array([0, pikepdf.Dictionary(S=pikepdf.Name.r), 6, pikepdf.Dictionary(S=pikepdf.Name.D)])
        )

    document = parsed(changed(sheet.bytes(), change))

    assert [page.label for page in document.pages] == ["i", "ii", "iii", "iv", "v", "vi", "1", "2"]
    assert line_with(document, "Sheet 7").page == 7


def test_a_file_without_labels_shows_the_sheet_index():
    assert [page.label for page in parsed(two_lines()).pages] == ["1"]


def test_two_columns_are_read_one_after_the_other():
    sheet = Sheet()
    sheet.line("A title over both columns of the sheet", size=16, bold=True, gap=0, leading=30)
    for k in range(20):
        sheet.at(60, 700 - 14 * k, f"left {k} runs on with some more words here")
        sheet.at(320, 697 - 14 * k, f"right {k} runs on with some more words too")

    lines = [line.text for line in parsed(sheet.bytes()).lines]

    assert lines[0].startswith("A title")
    assert [text.split()[0] for text in lines[1:]] == ["left"] * 20 + ["right"] * 20


def test_a_list_with_two_short_columns_is_read_row_by_row():
    sheet = Sheet()
    for k in range(10):
        sheet.at(72, 700 - 14 * k, f"Model {k}").at(300, 700 - 14 * k, f"{k} bar")

    lines = [line.text for line in parsed(sheet.bytes()).lines]

    assert lines == [f"Model {k} {k} bar" for k in range(10)]


def test_running_headers_and_page_numbers_are_furniture_but_headings_that_count_are_not():
    sheet = Sheet()
    for k in range(1, 7):
        sheet.at(72, 810, "4.2 Fees", size=9).at(280, 30, f"Page {k} of 6", size=9)
        sheet.at(72, 780, f"Article {10 + 3 * k}", size=12, bold=True)
        sheet.text(f"Body of sheet {k}, which differs from the others: {k * 'fee '}.").page()

    document = parsed(sheet.bytes())

    assert {line.text for line in document.furniture} == {"4.2 Fees", *(f"Page {k} of 6" for k in range(1, 7))}
    assert [line.text for line in document.lines if line.text.startswith("Article")] == [
        f"Article {10 + 3 * k}" for k in range(1, 7)
    ]


def test_a_hyphen_at_the_end_of_a_line_is_kept_as_printed():
    document = parsed(Sheet().text("This is a self-", "asserted claim of the member state.").bytes())

    assert [line.text for line in document.lines] == ["This is a self-", "asserted claim of the member state."]


def test_units_brackets_and_signs_are_read_as_printed():
    text = "Q [m³/h] ≤ 16, H [m], −10 °C ± 5 %, € 12,50"
    sheet = Sheet()
    sheet.at(72, 700, text.replace("≤", "<").replace("−", "-"))

    assert parsed(sheet.bytes()).lines[0].text == text.replace("≤", "<").replace("−", "-")


def test_type_size_and_weight_of_a_line_are_those_it_is_shown_in():
    sheet = Sheet()
    sheet.canvas.saveState()
    sheet.canvas.translate(72, 700)
    sheet.canvas.scale(2, 2)
    sheet.at(0, 0, "Twice as large", size=9, bold=True)
    sheet.canvas.restoreState()
    sheet.at(72, 600, "As it is", size=9)

    large, plain = parsed(sheet.bytes()).lines

    assert (large.size, large.bold) == (18.0, True)
    assert (plain.size, plain.bold) == (9.0, False)


def test_every_page_has_a_verdict_and_a_reason_unless_it_is_text():
    sheet = Sheet()
    sheet.text("A page with text that people can read and search.").page()
    sheet.page()
    from reportlab.lib.utils import ImageReader

    picture = __import__("io").BytesIO()
    from PIL import Image

    Image.new("L", (60, 80), 200).save(picture, "PNG")
    picture.seek(0)
    sheet.canvas.drawImage(ImageReader(picture), 0, 0, 595, 842)
    sheet.page()
    sheet.text(*("".join(chr(0x21 + (ord(c) * 7) % 14) for c in "the fee of a purchase") for _ in range(12))).page()
    # What a font map that is off by three copies as: "the fee is paid by" …
    moved = str.maketrans("abcdefghijklmnopqrstuvwxyz", "defghijklmnopqrstuvwxyzabc")
    sheet.text(*("the fee is paid by the member of the scheme every month".translate(moved) for _ in range(12)))

    pages = parsed(sheet.bytes()).pages

    assert [page.verdict for page in pages] == ["text", "empty", "empty", "garbled", "garbled"]
    assert "scan" in pages[2].reason
    assert all(page.reason for page in pages[1:])


def test_the_title_is_what_the_file_says_unless_that_is_a_file_name():
    def page(title):
        return Sheet(title=title).line("Fee Rulebook", size=24, leading=40).text(*["Members pay fees."] * 5).bytes()

    assert parsed(page("Rulebook on Fees")).title == "Rulebook on Fees"
    assert parsed(page("Microsoft Word - fees_final.doc")).title == "Fee Rulebook"
    assert parsed(page("untitled")).title == "Fee Rulebook"
    assert parsed(Sheet().page().bytes(), "fees 2024.pdf").title == "fees 2024"


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "The member shall pay the fee within thirty days after the end of the month."),
        ("nl", "Het lid betaalt de vergoeding binnen dertig dagen na afloop van de maand."),
        ("de", "Das Mitglied zahlt die Gebühr innerhalb von dreißig Tagen nach Monatsende."),
        ("fr", "Le membre paie la redevance dans les trente jours suivant la fin du mois."),
    ],
)
def test_the_language_of_the_text_is_found(language, sentence):
    assert parsed(Sheet().text(sentence, sentence).bytes()).language == language


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "empty"),
        (b"<!DOCTYPE html><html><body>404</body></html>", "web page"),
        (b"PK\x03\x04 a spreadsheet", "not a PDF"),
        (b"%PDF-1.7\nnothing follows", "damaged"),
    ],
)
def test_what_is_no_pdf_says_so(data, reason):
    with pytest.raises(UnreadablePdf) as caught:
        parsed(data)

    assert reason in caught.value.reason


def test_a_protected_file_says_that_it_needs_a_password():
    with pytest.raises(UnreadablePdf) as caught:
        parsed(encrypted(two_lines(), "secret"))

    assert "password" in caught.value.reason


def test_lines_of_a_table_stand_together_and_none_reaches_over_it():
    sheet = fees(Sheet().text("The fees are as follows."), left=150)
    for k in range(6):
        sheet.at(72, 590 - 14 * k, "left").at(520, 590 - 14 * k, "right")

    document = parsed(sheet.bytes())

    assert len(document.tables) == 1
    assert [line.text for line in document.lines].count("left") == 6
    assert [line.text for line in document.lines].count("right") == 6


def test_a_header_that_names_the_chapter_is_furniture_though_it_changes():
    sheet = Sheet()
    chapters = ["1 Introduction", "2 Definitions", "3 Fees", "3 Fees", "4 Disputes", "5 Changes"]
    for k, chapter in enumerate(chapters, 1):
        sheet.at(72, 810, f"Harbour Ferries Tariff Handbook  {chapter}", size=8)
        sheet.at(72, 780, f"Clause {7 * k} deals with {chapter[2:].lower()}", size=10)
        sheet.text(f"Body of sheet {k}, which differs from the others: {k * 'fee '}.").page()

    document = parsed(sheet.bytes())

    assert [line.text for line in document.furniture] == [f"Harbour Ferries Tariff Handbook {c}" for c in chapters]


def test_prose_is_no_heading_because_a_long_contents_list_is_set_smaller():
    sheet = Sheet()
    for k in range(1, 41):
        sheet.at(72, 800 - 14 * k, f"{k} A chapter with quite a long title that fills its line {'.' * 40} {k}", size=8)
    sheet.page()
    for k in range(1, 4):
        sheet.at(72, 760 - 150 * k, f"{k} Chapter", size=14, bold=True)
        sheet.at(
            72, 730 - 150 * k, "A paragraph of the text that people read, in the usual size of the book and", size=9
        )
        sheet.at(72, 718 - 150 * k, "going on for a second line", size=9)

    document = parsed(sheet.bytes())

    assert [section.title for section in document.sections] == ["1 Chapter", "2 Chapter", "3 Chapter"]


def test_what_is_printed_beside_the_visible_sheet_is_not_read():
    path = Path(__file__).parents[2] / "samples" / "hostile" / "cropbox.pdf"

    document = read_pdf(path.read_bytes(), path.name)

    assert not [line.text for line in document.lines if "4711" in line.text]
    assert "€ 40" in {line.text for line in document.lines}


def test_a_table_printed_with_bars_for_its_lines_is_text():
    sheet = Sheet()
    for k in range(30):
        sheet.at(40, 800 - 20 * k, f"{k} | Woonfunctie | 1 | 2 | " + "| " * 60, size=8)

    assert [page.verdict for page in parsed(sheet.bytes()).pages] == ["text"]


def test_a_line_says_whether_it_is_in_italics_and_in_which_colour():
    sheet = Sheet()
    sheet.line("Fees of members").line("Fees of others", italic=True).line("Notices", colour=0x0D4B62, bold=True)

    lines = read_pdf(sheet.bytes(), "rulebook.pdf").lines

    assert [(line.bold, line.italic, line.colour) for line in lines] == [
        (False, False, 0),
        (False, True, 0),
        (True, False, 0x0D4B62),
    ]
