import unicodedata

import pikepdf
import pytest
from corpus_pages import Sheet, changed
from hypothesis import given
from hypothesis import strategies as st

from pincite.corpus.pdf import read_pdf
from pincite.corpus.raised import height_of, with_heights


def printed(*parts, size=10, rotation=0):
    """Return what is read of one line of parts (text, height over the baseline in em, share of the type size)."""
    sheet = Sheet()
    if rotation:
        sheet.canvas.rotate(rotation)
    line = sheet.canvas.beginText(*{0: (72, 700), 90: (100, -300), 270: (-700, 300)}[rotation])
    for text, rise, share in parts:
        line.setFont("Helvetica", size * share)
        line.setRise(rise * size)
        line.textOut(text)
    sheet.canvas.drawText(line)
    data = changed(sheet.bytes(), lambda pdf: pdf.pages[0].__setattr__("MediaBox", pikepdf.Array((0, 0, 800, 800))))
    return "\n".join(line.text for line in read_pdf(data, "rules.pdf").lines)


UP, DOWN = (0.33, 0.65), (-0.15, 0.65)


@pytest.mark.parametrize("rotation", [0, 90, 270])
def test_powers_and_indices_are_read_at_their_height(rotation):
    read = printed(
        *[("Flow 45 m", 0, 1), ("3", *UP), ("/h of H", 0, 1), ("2", *DOWN), ("SO", 0, 1), ("4", *DOWN)],
        *[(" at 3 × 10", 0, 1), ("-3", *UP), (" bar and 2", 0, 1), ("40", *UP)],
        rotation=rotation,
    )

    assert read == "Flow 45 m³/h of H₂SO₄ at 3 × 10⁻³ bar and 2⁴⁰"


def test_the_mark_of_a_footnote_joins_no_word_and_no_number():
    read = printed(
        ("In 2002", 0, 1), ("37", *UP), (" and SP 800-56B", 0, 1), ("12", *UP), (" the supplement", 0, 1), ("2", *UP)
    )

    assert read == "In 2002³⁷ and SP 800-56B¹² the supplement²"


def test_a_mark_that_stands_apart_is_raised_too_and_stays_on_its_line():
    assert printed(("2", *UP), (" See the other document.", 0, 1), ("  3", *UP)) == "² See the other document. ³"


def test_a_mark_in_front_gives_its_line_neither_size_nor_baseline():
    sheet = Sheet()
    sheet.at(72, 703, "2", size=6).at(75.4, 700, "See the other document", size=10)

    (line,) = read_pdf(sheet.bytes(), "rules.pdf").lines

    assert (line.text, line.size) == ("²See the other document", 10)


def test_a_fraction_is_no_mark_and_joins_no_number():
    half = [("1", 0.33, 0.6), ("/", 0, 1), ("2", 0, 0.6)]
    other = [("5", 0.33, 0.6), ("/", 0, 1), ("16", -0.1, 0.6)]

    read = printed(("A 2", 0, 1), *half, ('" pipe, a ', 0, 1), *half, ('" pipe and 2', 0, 1), *other, ('" too', 0, 1))

    assert read == 'A 2½" pipe, a ½" pipe and 2 5/16" too'


def test_raised_letters_quotation_marks_and_stars_stay_as_they_are():
    read = printed(("The 1", 0, 1), ("st", *UP), (" 'rule'* of 25° at 100 %", 0, 1), ("*)", *UP))

    assert read == "The 1st 'rule'* of 25° at 100 %*)"


def test_smaller_digits_on_the_line_and_digits_of_two_lines_stay_digits():
    sheet = Sheet().at(72, 700, "Rule 12", size=12)
    sheet.at(115, 700, "0.35", size=7).at(72, 692, "0.20", size=7)

    assert set("".join(line.text for line in read_pdf(sheet.bytes(), "rules.pdf").lines)) <= set("Rule 0123.5")


def test_words_drawn_twice_to_look_bold_are_read_once():
    sheet = Sheet()
    for shift in (0, 0.2, 0.4):
        sheet.at(72 + shift, 620, "Fees of the scheme: 0.20 %")

    assert [line.text for line in read_pdf(sheet.bytes(), "rules.pdf").lines] == ["Fees of the scheme: 0.20 %"]


digits = st.text("0123456789abc/-+ m", min_size=1, max_size=10)


@given(digits)
def test_a_word_on_its_baseline_is_left_alone(text):
    flat = [0.0] * len(text)

    assert with_heights(text, flat, [0.7] * len(text), [False] * len(text)) == text


@given(digits, st.data())
def test_heights_change_signs_for_their_own_forms_only(text, data):
    heights = data.draw(
        st.lists(
            st.tuples(st.sampled_from([-0.2, 0.0, 0.33]), st.sampled_from([0.4, 0.7]), st.booleans()),
            min_size=len(text),
            max_size=len(text),
        )
    )
    feet = [foot for foot, _, _ in heights]

    said = with_heights(text, feet, [foot + high for foot, high, _ in heights], [small for *_, small in heights])

    folded = unicodedata.normalize("NFKC", said).replace("⁄", "/").replace("−", "-")
    assert folded.replace(" ", "") == text.replace(" ", "")


@given(st.characters(), st.floats(-3, 3), st.floats(-3, 3))
def test_only_digits_are_raised_or_lowered(character, foot, head):
    assert character in "0123456789" or height_of(character, foot, head) == ""
