"""A row of a table that is read out in a line, held against the table."""

import pytest

from pincite.answer.contexts import prepare
from pincite.answer.gate import judge
from pincite.answer.quotations import find_reading

PUMPS = "Type | Q [m³/h] | H [m] | Mark\nCRN 32-3 | 32 | 48 | A\nCRN 32-4 | 32 | 64 | B"
CODES = "Code | Decree\nC-43 | Tattooing Decree\nC-44 | Toys Decree"
GROUPED = "Region | Kind | Fee\nHome | Purchase | 0.20 %\nHome | Refund | 0.05 %\nAbroad | Purchase | 0.35 %"


@pytest.mark.parametrize(
    ("line", "table"),
    [
        ("CRN 32-4: H [m]: 64", PUMPS),
        ("CRN 32-4: H: 64 m", PUMPS),
        ("- CRN 32-4: Q: 32 m³/h; H: 64 m; Mark: B", PUMPS),
        ("Type: CRN 32-3; Mark: A", PUMPS),
        ("C-43: Decree: Tattooing Decree", CODES),
        ("C-43: Tattooing Decree", CODES),
        ("Home, Purchase: Fee: 0.20 %.", GROUPED),
    ],
)
def test_a_row_that_is_read_out_is_found_and_released(line: str, table: str):
    assert find_reading(line, [prepare(table, "en")]) is not None
    assert [verdict.released for verdict in judge(line, [prepare(table, "en")], "en")] == [True]


@pytest.mark.parametrize(
    ("line", "table"),
    [
        ("CRN 32-4: H: 48 m", PUMPS),
        ("CRN 32-4: Q: 64 m³/h", PUMPS),
        ("CRN 32-4: H: 64 km", PUMPS),
        ("CRN 32-4: Mark: A", PUMPS),
        ("H: 64 m", PUMPS),
        ("CRN 32-4: H: 6", PUMPS),
        ("C-43: Decree: Toys Decree", CODES),
        ("C-43: Toys Decree", CODES),
        ("C-43: Decree: Tattooing", CODES),
        ("Purchase: Fee: 0.20 %", GROUPED),
        ("Abroad, Refund: Fee: 0.05 %", GROUPED),
    ],
)
def test_another_rows_cell_another_title_or_half_a_cell_is_no_reading(line: str, table: str):
    assert find_reading(line, [prepare(table, "en")]) is None


def test_a_line_that_two_rows_begin_alike_does_not_say_which_it_is():
    table = "Pump | n | Q\nCRN 32-3 | fast | 32 m³/h\nCRN 32-3 | fast | 40 m³/h"

    assert find_reading("CRN 32-3, fast: Q: 32 m³/h", [prepare(table, "en")]) is None
