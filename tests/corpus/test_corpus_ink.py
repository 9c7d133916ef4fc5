import json
from pathlib import Path

import numpy as np
import pikepdf
import pypdfium2
import pytest
from corpus_pages import Sheet, changed, fees
from hypothesis import given
from hypothesis import strategies as st
from reportlab.lib.colors import Color, black, white, yellow
from reportlab.lib.pagesizes import A4
from reportlab.lib.utils import ImageReader

from pincite.corpus.ink import CONTRAST, Picture, shows
from pincite.corpus.layout import Word
from pincite.corpus.pdf import read_pdf

SAMPLES = Path(__file__).resolve().parents[2] / "samples"
RECORDS = json.loads((SAMPLES / "hostile" / "plants.json").read_text("utf-8"))
UNSEEN = {r["file"]: r["plant"]["text"] for r in RECORDS if r.get("twin") == "twin.pdf"}
LEFT_OUT = [
    "a049-white-text.pdf",
    "a050-tiny-text.pdf",
    "a052-under-white-box.pdf",
    "a054-hidden-layer.pdf",
    "hidden-clipped.pdf",
    "hidden-render-mode-3.pdf",
    "hidden-transparent.pdf",
    "hidden-white-1pt.pdf",
]


def hostile(name):
    return read_pdf((SAMPLES / "hostile" / name).read_bytes(), name)


def shown(document):
    return " ".join(line.text for line in (*document.lines, *document.furniture))


def evidence(document):
    return document.lines, document.furniture, document.tables, document.language


@pytest.mark.parametrize("name", UNSEEN)
def test_a_plant_that_nobody_sees_leaves_the_evidence_of_its_twin(name):
    document, twin = hostile(name), hostile("twin.pdf")

    assert UNSEEN[name] not in shown(document)
    assert evidence(document) == evidence(twin)
    assert [(s.path, s.page, s.line) for s in document.sections][1:] == [
        (s.path, s.page, s.line) for s in twin.sections
    ][1:]


@pytest.mark.parametrize("name", LEFT_OUT)
def test_words_left_out_are_counted_on_their_page(name):
    page = hostile(name).pages[0]

    assert (page.verdict, page.reason) == ("text", "18 words that cannot be seen were left out")


@pytest.mark.parametrize("path", sorted((SAMPLES / "pdf").glob("*.pdf")), ids=lambda path: path.name)
def test_no_printed_word_of_a_sample_is_left_out(path):
    if path.name.startswith("EU-2016-679"):
        pytest.skip("this print of the regulation cuts off the last lines of most sheets")

    assert not [page for page in read_pdf(path.read_bytes(), path.name).pages if "left out" in page.reason]


def test_lines_that_a_sheet_cuts_off_at_its_foot_are_left_out():
    path = SAMPLES / "pdf" / "EU-2016-679-GDPR-en.pdf"
    pages = read_pdf(path.read_bytes(), path.name).pages

    assert pages[1].reason.endswith("words that cannot be seen were left out")
    assert not pages[0].reason


def test_white_words_on_a_dark_band_stay():
    path = SAMPLES / "pdf" / "CRN-32-3-rev3.pdf"
    raw = pypdfium2.PdfDocument(path)[0].get_textpage().get_text_range().split()

    document = read_pdf(path.read_bytes(), path.name)

    inside = [line for figure in document.figures for line in figure.lines]
    first_sheet = [line.text for line in (*document.lines, *document.furniture, *inside) if line.page == 1]
    assert sorted(" ".join(first_sheet).split()) == sorted(raw)


def test_white_words_are_seen_on_black_and_not_on_white():
    sheet = Sheet().line("Interchange fees for the year")
    sheet.canvas.setFillColor(black)
    sheet.canvas.rect(60, 480, 400, 40, stroke=0, fill=1)
    sheet.canvas.setFillColor(white)
    sheet.at(72, 495, "Header printed in white").at(72, 400, "Hidden instruction")

    document = read_pdf(sheet.bytes(), "rules.pdf")

    assert "Header printed in white" in shown(document)
    assert "Hidden" not in shown(document)
    assert document.pages[0].reason == "2 words that cannot be seen were left out"


def test_a_single_word_left_out_is_told_in_the_singular():
    sheet = Sheet().line("Interchange fees for the year")
    sheet.canvas.setFillColor(white)

    page = read_pdf(sheet.at(72, 400, "Hidden").bytes(), "rules.pdf").pages[0]

    assert page.reason == "1 word that cannot be seen was left out"


def test_yellow_pale_grey_and_thin_signs_are_seen():
    sheet = Sheet()
    sheet.canvas.setFillColor(yellow)
    sheet.line("Marked in yellow")
    sheet.canvas.setFillColor(Color(0.85, 0.85, 0.85))
    sheet.line("Watermark in pale grey", size=9)
    sheet.canvas.setFillColor(black)
    sheet.line("0.20 - 0.30 . | l I – 1 : n/a", size=5)

    document = read_pdf(sheet.bytes(), "rules.pdf")

    assert [line.text for line in document.lines] == [
        "Marked in yellow",
        "Watermark in pale grey",
        "0.20 - 0.30 . | l I – 1 : n/a",
    ]
    assert not document.pages[0].reason


def test_a_rule_through_hidden_words_does_not_make_them_seen():
    sheet = Sheet().line("Interchange fees for the year")
    sheet.canvas.setFillColor(white)
    sheet.at(72, 400, "Hidden instruction underlined").at(72, 300, "Hidden instruction crossed")
    sheet.canvas.line(60, 399, 300, 399)
    sheet.canvas.line(60, 303, 300, 303)
    for x in range(60, 300, 30):
        sheet.canvas.line(x, 200, x, 260)
    sheet.at(72, 230, "Hidden instruction behind bars")

    assert shown(read_pdf(sheet.bytes(), "rules.pdf")) == "Interchange fees for the year"


@pytest.mark.parametrize("rotation", [0, 90])
def test_hidden_digits_do_not_join_the_number_they_stand_beside(rotation):
    sheet = Sheet()
    sheet.canvas.rotate(rotation)
    at = (72, 500) if not rotation else (300, -200)
    write = sheet.canvas.beginText(*at)
    write.setFont("Helvetica", 10)
    write.textOut("The fee is 0.20")
    write.setFillColor(white)
    write.textOut("5")
    write.setFillColor(black)
    write.textOut(" percent III lll || —— 1.1")
    sheet.canvas.drawText(write)

    document = read_pdf(sheet.bytes(), "rules.pdf")

    assert shown(document) == "The fee is 0.20 percent III lll || —— 1.1"
    assert document.pages[0].reason == "1 word that cannot be seen was left out"


def test_a_number_that_is_covered_in_part_is_not_read_in_whole():
    sheet = Sheet().line("The limit is 12500 euros", size=12)
    sheet.canvas.setFillColor(white)
    start = 72 + sheet.canvas.stringWidth("The limit is 125", "Helvetica", 12)
    sheet.canvas.rect(start, sheet.y + 10, 13.3, 16, stroke=0, fill=1)

    assert shown(read_pdf(sheet.bytes(), "rules.pdf")) == "The limit is 125 euros"


def scan(text):
    """Return a sheet that is a picture of printed lines with a text layer nobody sees, as OCR writes it."""
    printed = Sheet()
    for line in text:
        printed.line(line, size=12)
    picture = pypdfium2.PdfDocument(printed.bytes())[0].render(scale=2).to_pil()
    sheet = Sheet()
    sheet.canvas.drawImage(ImageReader(picture), 0, 0, *A4)
    layer = sheet.canvas.beginText(72, A4[1] - 90)
    layer.setFont("Helvetica", 12)
    layer.setLeading(14)
    layer.setTextRenderMode(3)
    for line in text:
        layer.textLine(line)
    sheet.canvas.drawText(layer)
    return sheet


def test_the_text_layer_of_a_scan_stays():
    text = [f"Rule {k}: the issuer pays the acquirer a fee of 0.{k} % for each refund" for k in range(1, 9)]

    document = read_pdf(scan(text).bytes(), "scan.pdf")

    assert [line.text for line in document.lines] == text
    assert document.pages[0].verdict == "text"
    assert document.pages[0].reason == "its text is an invisible layer over a picture (OCR)"


def invisible(sheet, x, y, text):
    layer = sheet.canvas.beginText(x, y)
    layer.setFont("Helvetica", 10)
    layer.setTextRenderMode(3)
    layer.textOut(text)
    sheet.canvas.drawText(layer)


def test_invisible_words_that_lie_on_visible_ones_are_left_out():
    sheet = Sheet().at(72, 500, "Interchange fee 0.20 %")
    invisible(sheet, 72, 500, "Interchange fee 0.99 %")

    document = read_pdf(sheet.bytes(), "rules.pdf")

    assert shown(document) == "Interchange fee 0.20 %"
    assert document.pages[0].reason == "4 words that cannot be seen were left out"


def tagged(drawn, said):
    """Return a sheet with a line that a tag gives another text."""

    def change(pdf):
        content = f"/Span <</ActualText ({said})>> BDC BT 0 g /F1 11 Tf 72 600 Td ({drawn}) Tj ET EMC"
        pdf.pages[0].contents_add(pdf.make_stream(content.encode()))

    return changed(Sheet().line("Fees of the scheme").bytes(), change)


def test_what_a_tag_says_in_place_of_print_is_never_read():
    document = read_pdf(tagged("The fee is 0.20 percent", "The fee is 0.99 percent"), "rules.pdf")

    assert [line.text for line in document.lines] == ["Fees of the scheme", "The fee is 0.20 percent"]
    assert document.pages[0].reason == "what a tag says in place of print was left out"


def test_a_tag_that_says_what_is_printed_is_no_finding():
    document = read_pdf(tagged("The fee is 0.20 percent", "The fee is 0.20 percent"), "rules.pdf")

    assert "The fee is 0.20 percent" in shown(document)
    assert not document.pages[0].reason


def test_a_tag_inside_a_form_is_not_read_either():
    def change(pdf):
        page = pdf.pages[0]
        content = b"/Span <</ActualText (99 percent)>> BDC BT /F1 11 Tf 72 600 Td (20 percent) Tj ET EMC"
        form = pdf.make_stream(content, Type=pikepdf.Name.XObject, Subtype=pikepdf.Name.Form)
        form.BBox, form.Resources = pikepdf.Array((0, 0, 595, 842)), page.Resources
        page.Resources.XObject = pikepdf.Dictionary(Tag=pdf.make_indirect(form))
        page.contents_add(pdf.make_stream(b"/Tag Do"))

    document = read_pdf(changed(Sheet().line("Fees of the scheme").bytes(), change), "rules.pdf")

    assert shown(document) == "Fees of the scheme 20 percent"


def test_a_title_that_is_printed_nowhere_is_not_the_document_s():
    assert "IGNORE" not in hostile("a058-metadata-title.pdf").title
    assert hostile("twin.pdf").title == "CRN 32-3 short sheet"


def test_a_text_layer_beside_what_the_scan_shows_is_left_out():
    sheet = scan(["Rule 1: the issuer pays the acquirer a fee of 0.20 % for each refund of a purchase"])
    sheet.canvas.setFillColor(white)
    sheet.at(72, 300, "Rule 2: the issuer pays nothing")

    document = read_pdf(sheet.bytes(), "scan.pdf")

    assert "Rule 1" in shown(document)
    assert "Rule 2" not in shown(document)


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
@pytest.mark.parametrize("crop", [None, (20, 30, 380, 580)])
@pytest.mark.parametrize("origin", [(0, 0), (-50, -60), (10, 15)])
def test_what_is_seen_does_not_depend_on_rotation_crop_or_origin(rotation, crop, origin):
    sheet = Sheet().at(100, 500, "Interchange fee 0.20 %", size=12)
    sheet.canvas.setFillColor(white)
    sheet.at(100, 300, "Hidden fee 0.05 %", size=12)

    def change(pdf):
        pdf.pages[0].Rotate = rotation
        pdf.pages[0].MediaBox = pikepdf.Array((*origin, 595, 842))
        if crop:
            pdf.pages[0].CropBox = pikepdf.Array(crop)

    document = read_pdf(changed(sheet.bytes(), change), "rules.pdf")

    assert shown(document) == "Interchange fee 0.20 %"
    assert document.pages[0].reason == "4 words that cannot be seen were left out"


def test_a_page_of_hidden_words_only_is_empty_and_says_so():
    sheet = Sheet().line("Something to read").page()
    sheet.canvas.setFillColor(white)
    sheet.text("Nobody reads this", "nor this")

    page = read_pdf(sheet.bytes(), "rules.pdf").pages[1]

    assert page.verdict == "empty"
    assert page.reason == "no text is printed on it; 5 words that cannot be seen were left out"


def test_hidden_words_become_no_title_heading_or_table_cell():
    sheet = Sheet()
    sheet.canvas.setFillColor(white)
    sheet.line("Hidden title of the document", size=30).heading("1 Hidden heading", size=18)
    sheet.canvas.setFillColor(black)
    sheet.heading("2 Fees", size=14).text("The fees of the scheme are these.", "They change each year.")
    fees(sheet)
    sheet.canvas.setFillColor(white)
    sheet.at(76, 539, "Hiddencell", size=8)

    document = read_pdf(sheet.bytes(), "rules.pdf")

    assert "Hidden" not in document.title
    assert "Hidden" not in " ".join(section.title for section in document.sections)
    assert document.tables
    assert not [cell for table in document.tables for cell in table.cells if "Hidden" in cell.text]


def test_a_sheet_too_large_to_be_looked_at_gives_no_evidence():
    def change(pdf):
        pdf.pages[0].MediaBox = pikepdf.Array((0, 0, 1_000_000, 1_000_000))

    page = read_pdf(changed(Sheet().line("Words").bytes(), change), "rules.pdf").pages[0]

    assert page.verdict == "failed"
    assert "too large to be rendered" in page.reason
    assert page.reason.endswith("1 word that cannot be seen was left out")


def test_words_on_a_wall_chart_are_read():
    sheet = Sheet(size=(8000, 6000)).line("Top left corner").at(7500, 20, "Bottom right corner")
    sheet.canvas.setFillColor(yellow)
    sheet.at(72, 20, "Bottom left").at(7500, 5900, "Top right")
    sheet.canvas.setFillColor(white)

    document = read_pdf(sheet.at(4000, 3000, "Hidden").bytes(), "chart.pdf")

    assert "Top left corner" in shown(document)
    assert "Bottom right corner" in shown(document)
    assert "Bottom left" in shown(document)
    assert "Top right" in shown(document)
    assert "Hidden" not in shown(document)


texts = st.text("abcXYZ019-.", min_size=1, max_size=12)


@given(texts, st.integers(0, 255), st.integers(0, CONTRAST - 1), st.integers(0, 1 << 30))
def test_a_ground_of_almost_one_shade_shows_no_word(text, shade, spread, seed):
    low = min(shade, 255 - spread)
    pixels = np.random.default_rng(seed).integers(low, low + spread + 1, (60, 90, 3)).astype(np.uint8)
    picture = Picture(pixels, 10.0, 70.0, 1.5, 1.5)

    assert not shows(Word(text, 15, 40, 60, 50, 41, 10, False), picture)


@given(texts, st.floats(-500, 500), st.floats(-500, 500), st.floats(0, 300), st.floats(0, 300), st.floats(0.4, 3))
def test_a_word_anywhere_is_judged_without_an_error_and_beside_the_picture_never_seen(text, x, y, w, h, scale):
    noise = np.random.default_rng(1).integers(0, 256, (50, 80, 1)).astype(np.uint8)

    seen = shows(Word(text, x, y, x + w, y + h, y, 10, False), Picture(noise, 0.0, 50.0, scale, scale))

    beside = x + w < -1 / scale or x > 80 / scale or y > 50 + 1 / scale or y + h < 50 - 50 / scale
    assert not (beside and seen)
