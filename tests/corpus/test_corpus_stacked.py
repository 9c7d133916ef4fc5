"""Cells between two rules that hold the values of several rows."""

from itertools import pairwise

from corpus_pages import Sheet
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.corpus.columns import is_value
from pincite.corpus.lattice import Rules
from pincite.corpus.layout import Word
from pincite.corpus.pdf import read_pdf
from pincite.corpus.tables import find_tables, rows

XS = (60, 130, 250, 350, 410, 470, 530)
NAMES = ("Symbol", "Parameter", "Conditions", "Typ", "Max", "Unit")


def read(*bands, middle=()):
    """The table of a sheet whose bands are ruled all around; each text is in lines, from the top of its band.

    ``middle`` are columns whose text is set in the middle of the band.
    """
    sheet = Sheet()
    y = 700
    for number, texts in enumerate((NAMES, *bands)):
        lines = [text.split("\n") for text in texts]
        most = max(map(len, lines))
        bottom = y - 8 - 10 * most
        for x0, x1 in pairwise(XS):
            sheet.canvas.rect(x0, bottom, x1 - x0, y - bottom, stroke=1, fill=0)
        for c, (x, own) in enumerate(zip(XS, lines, strict=False)):
            down = 5 * (most - len(own)) if c in middle else 0
            for k, text in enumerate(own):
                sheet.at(x + 4, y - 11 - 10 * k - down, text, size=8, bold=not number)
        y = bottom
    (table,) = read_pdf(sheet.bytes(), "sheet.pdf").tables
    return rows(table)[1:]


LAST = ("fT", "transition frequency", "IC = 10 mA", "300", "-", "MHz")


def test_values_under_each_other_with_a_condition_each_are_rows_of_one_label():
    table = read(("VCE", "saturation voltage", "IC = 10 mA\nIC = 100 mA", "90\n200", "250\n600", "mV\nmV"), LAST)

    assert table == (
        ("VCE", "saturation voltage", "IC = 10 mA", "90", "250", "mV"),
        ("VCE", "saturation voltage", "IC = 100 mA", "200", "600", "mV"),
        LAST,
    )


def test_a_text_that_is_wrapped_beside_values_is_one_cell_over_their_rows():
    table = read(
        (
            "td\ntr",
            "Turn-on time\nRise time",
            "VDD = 100 V\nRG = 4.7 Ohm\n(see figure 3)",
            "13\n27",
            "17\n35",
            "ns\nns",
        ),
        LAST,
    )

    assert [row[:2] + row[3:] for row in table[:2]] == [
        ("td", "Turn-on time", "13", "17", "ns"),
        ("tr", "Rise time", "27", "35", "ns"),
    ]
    assert {row[2] for row in table[:2]} == {"VDD = 100 V RG = 4.7 Ohm (see figure 3)"}


def test_values_with_units_tell_rows_and_what_is_set_in_the_middle_spans_them():
    codes = "\n".join(f"TES-{n}" for n in range(7))
    volts = "3.3 VDC\n5 VDC\n12 VDC\n15 VDC\n±5 VDC\n±12 VDC\n±15 VDC"
    amps = "500 mA\n400 mA\n165 mA\n135 mA\n±200 mA\n±85 mA\n±65 mA"
    table = read((codes, "9 – 18 VDC\n(nominal 12 VDC)", "", volts, amps, ""), LAST, middle=(1,))

    assert [row[0] for row in table] == [*(f"TES-{n}" for n in range(7)), "fT"]
    assert {row[1] for row in table[:7]} == {"9 – 18 VDC (nominal 12 VDC)"}
    assert [row[3] for row in table[:7]] == volts.split("\n")


def test_a_value_beside_the_first_of_several_rows_is_not_said_of_the_others():
    table = read(("VBE", "on voltage", "IC = 2 mA\nIC = 10 mA", "660", "700\n720", "mV\nmV"), LAST)

    assert [row[3:5] for row in table[:2]] == [("660", "700"), ("", "720")]


def test_wrapped_text_beside_one_value_stays_one_row():
    table = read(("II", "leakage of every\ninput that is open", "VCC = 5 V\nTA = 25 C", "-", "1.0", "µA"), LAST)

    assert table[0] == ("II", "leakage of every input that is open", "VCC = 5 V TA = 25 C", "-", "1.0", "µA")


def test_values_below_the_name_of_a_group_are_left_to_what_tells_that_name_from_a_wrapped_label():
    table = read(("Children aged 3\nIn the group\nNot in it", "", "", "85.1\n17.3", "14.9\n82.7", ""), LAST)

    assert not any("Children aged 3 In the group" in row[0] and row[3] == "85.1" for row in table)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(1, 5), st.booleans()), min_size=2, max_size=4))
def test_every_value_of_a_band_stands_in_a_row_with_its_own_label(bands):
    """Each band: how many rows it has, and whether its condition is wrapped text instead of one for each row."""
    xs, words, y, want = (60.0, 160.0, 300.0, 380.0, 440.0), [], 700.0, []
    across, down = [(y, xs[0], xs[-1])], []

    def put(c, k, text):
        words.append(
            Word(text, xs[c] + 4, y - 13 - 10 * k, xs[c] + 40, y - 5 - 10 * k, y - 11 - 10 * k, 8.0, bold=False)
        )

    for b, (count, wrapped) in enumerate([(1, False), *bands]):
        for k in range(count):
            label, value, most = f"Label{b}{k}", f"{b}.{k}", f"{b}{k}"
            put(0, k, label)
            put(1, k, f"low{b}" if wrapped and k else f"Text{b}{k}")
            put(2, k, value if b else "Typ")
            put(3, k, most if b else "Max")
            want += [(label, value, most)] if b else []
        y -= 10 * count + 8
        across.append((y, xs[0], xs[-1]))
    down = [(x, y, 700.0) for x in xs]

    (table,) = find_tables(words, Rules(tuple(across), tuple(down)), page=1)

    assert [(row[0], row[2], row[3]) for row in rows(table)[1:]] == want


def test_words_that_begin_with_a_digit_are_no_values():
    assert not any(is_value(text) for text in ("2 wires, shielded", "50 Units/Rail", "Derate above 25 C"))
