"""A value of a note stands for the value of the cell that bears the note's mark."""

import pytest

from pincite.answer.gate import judge, prepare

MOTORS = (
    "Frame | Power (kW) | Mass (kg)\n112 M | 4 ¹ | 31\n132 S | 7.5 | 46 ²\n"
    "¹ At 40 °C ambient temperature; 3.3 kW at 60 °C.\n² With brake 58 kg."
)


def released(answer, passage=MOTORS, language="en"):
    return all(s.released for s in judge(answer, [prepare(passage, language)], language))


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("Frame 112 M has a power of 4 kW.", "At 60 °C frame 112 M has a power of 4 kW."),
        ("With brake, the mass of frame 132 S is 58 kg.", "With brake, the mass of frame 132 S is 46 kg."),
        ("The mass of frame 132 S is 46 kg.", "The mass of frame 132 S is 31 kg."),
    ],
)
def test_the_note_gives_the_value_under_its_condition_and_the_cell_without_it(right, wrong):
    assert released(right)
    assert not released(wrong)


def test_a_note_gives_no_value_to_a_row_without_its_mark():
    assert not released("With brake, the mass of frame 112 M is 58 kg.")
