import math

from corpus_pages import Sheet, fees

from pincite.answer.gate import judge, prepare
from pincite.answer.judging import PassageGate
from pincite.answer.tools import passage_text
from pincite.corpus.chunks import cut
from pincite.corpus.library import from_json, to_json
from pincite.corpus.pdf import read_pdf
from pincite.types import Passage, Revision

BODY = "The pump runs dry in no case, and the seal is flushed with clean water before it starts."


def any_length(text):
    return True


def curve(sheet, left, bottom, width=320, height=150):
    """A head curve on a grid, numbers on both axes, their titles, a name on the curve."""
    for k in range(6):
        x, y = left + width * k / 5, bottom + height * k / 5
        sheet.canvas.line(x, bottom, x, bottom + height)
        sheet.canvas.line(left, y, left + width, y)
        sheet.at(x - 4, bottom - 11, str(10 * k), size=7).at(left - 17, y - 2, str(40 * k), size=7)
    path = sheet.canvas.beginPath()
    path.moveTo(left, bottom + 0.9 * height)
    for k in range(1, 30):
        path.lineTo(left + width * k / 30, bottom + height * (0.9 - 0.7 * math.pow(k / 30, 2)))
    sheet.canvas.drawPath(path)
    sheet.at(left + 0.6 * width, bottom + 0.75 * height, "2900 rpm", size=7)
    sheet.at(left - 17, bottom + height + 8, "H [m]", size=7).at(left + width / 2, bottom - 22, "Q [m³/h]", size=7)
    return sheet


def pump(caption="Figure 1: Head over flow at 20 °C.", before=5):
    sheet = Sheet(title="CRN 32-3").heading("2 Performance").text(*[BODY] * before)
    curve(sheet, 120, 400)
    sheet.at(120, 362, caption, size=8)
    sheet.y = 330
    sheet.text(*[BODY] * 5)
    return read_pdf(sheet.bytes(), "pump.pdf")


def test_the_numbers_of_an_axis_are_not_in_the_text():
    document = pump()

    assert [line.text for line in document.lines] == [
        "2 Performance",
        *[BODY] * 5,
        "Figure 1: Head over flow at 20 °C.",
        *[BODY] * 5,
    ]


def test_a_curve_is_one_figure_with_its_caption_and_all_that_is_printed_in_it():
    document = pump()

    (figure,) = document.figures
    words = sorted(word for line in figure.lines for word in line.text.split())
    numbers = [str(10 * k) for k in range(6)] + [str(40 * k) for k in range(6)]
    assert words == sorted([*numbers, "2900", "rpm", "H", "[m]", "Q", "[m³/h]"])
    assert document.lines[figure.line].text.startswith("Figure 1")
    assert all(abs(a - b) < 3 for a, b in zip(figure.box, (120, 400, 440, 550), strict=True))
    assert from_json(to_json(document)).figures == document.figures


def test_a_figure_is_a_chunk_of_its_own_with_caption_first_and_the_box_of_its_picture():
    document = pump()

    chunks = cut(document, fits=any_length)

    assert [c.kind for c in chunks] == ["text", "figure", "text"]
    figure = chunks[1]
    assert figure.text[: figure.caption] == "Figure 1: Head over flow at 20 °C."
    assert figure.section == ("2 Performance",)
    assert figure.picture == document.figures[0].box
    assert [figure.text[s.start : s.end] for s in figure.spans] == figure.text.split("\n")
    assert "2900 rpm" in figure.embedded_text


def passage(chunk):
    revision = Revision("crn", "pump.pdf", "3", "0" * 64, "CRN 32-3", "en", "citable")
    return Passage("P1", revision, chunk, 1, 1.0)


def test_a_number_of_an_axis_supports_no_claim_but_one_of_the_caption_does():
    figure = next(c for c in cut(pump(), fits=any_length) if c.kind == "figure")
    judge_passages = PassageGate()

    (axis,) = judge_passages("The pump runs at 2900 rpm.", [passage(figure)])
    (caption,) = judge_passages("Head over flow is given at 20 °C.", [passage(figure)])

    assert not axis.released
    assert caption.released
    assert judge("The pump runs at 2900 rpm.", [prepare("The pump runs at 2900 rpm.", "en")], "en")[0].released


def test_a_model_is_told_what_is_printed_inside_a_picture():
    figure = next(c for c in cut(pump(), fits=any_length) if c.kind == "figure")

    shown = passage_text(passage(figure))

    assert shown.startswith("Figure 1: Head over flow at 20 °C.\n[printed inside the picture, not evidence:]\n")


def test_a_sentence_about_a_figure_is_no_caption():
    document = pump(caption="Figure 1 shows the head over the flow.")

    assert not document.figures
    assert "Figure 1 shows the head over the flow." in [line.text for line in document.lines]


def test_a_ruled_table_is_no_figure():
    sheet = fees(Sheet().text(BODY))
    sheet.at(72, 490, "Figure 1: Fees of the month", size=8)

    document = read_pdf(sheet.bytes(), "fees.pdf")

    assert len(document.tables) == 1
    assert not document.figures


def test_a_framed_text_with_a_caption_stays_text():
    sheet = Sheet().text(*[BODY] * 3)
    sheet.canvas.rect(60, 500, 470, 120)
    for k in range(6):
        sheet.at(72, 600 - 14 * k, BODY)
    sheet.at(72, 485, "Figure 2: What to do before the first start", size=8)

    document = read_pdf(sheet.bytes(), "pump.pdf")

    assert [line.text for line in document.lines].count(BODY) == 9


def test_text_beside_a_figure_is_not_taken_into_it():
    sheet = Sheet()
    for k in range(14):
        sheet.at(330, 690 - 14 * k, "the seal is flushed with clean water before")
    curve(sheet, 80, 540, width=200, height=120)
    sheet.at(80, 500, "Fig. 3 Head over flow", size=8)

    document = read_pdf(sheet.bytes(), "pump.pdf")

    assert [line.text for line in document.lines].count("the seal is flushed with clean water before") == 14
    assert len(document.figures) == 1
