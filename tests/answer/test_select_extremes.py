"""Extremes, limits, prohibitions and notes: questions whose nearest row or sentence says something else."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_select_compose import OTHER_PUMP, PUMP, passage, said
from test_select_held import DEVICES, lines, read

from pincite.answer.select import compose
from pincite.answer.select.question import analyse
from pincite.answer.select.units import cut
from pincite.types import Cell, Passage, Revision, Table

HEAD = "n [rpm] | Q [m³/h] | H [m] | P2 [kW]"
SHEET = Revision("pks-40-2", "pks-40-2.pdf", "1", "09", "PKS 40-2 data sheet", "en", "citable")


def sheet():
    """A rated point, and the curve that has more than it."""
    rated = lines(f"{HEAD}\n2900 | 40 | 88.1 | 11.2", SHEET, section=("1 Rated duty point",))
    curve = lines(
        f"{HEAD}\n2900 | 0 | 97.4 | 5.1\n2900 | 20 | 95.0 | 8.4\n2900 | 40 | 88.1 | 11.2\n2900 | 50 | 79.9 | 12.6",
        SHEET,
        rank=2,
        section=("2 Performance",),
    )
    return [rated, curve]


def with_notes(text, notes, revision, rank=1):
    cells = tuple(
        Cell(r, r, c, c, cell, header=r == 0)
        for r, row in enumerate(text.split("\n"))
        for c, cell in enumerate(row.split(" | "))
    )
    return passage(text, revision, rank=rank, table=Table(1, (0, 0, 1, 1), cells, footnotes=notes))


# ---------------------------------------------------------------- extremes


@pytest.mark.parametrize(
    "question",
    [
        "What is the maximum head of the PKS 40-2?",
        "What is the largest head of the PKS 40-2 at 2900 rpm?",
        "Wat is de maximale opvoerhoogte van de PKS 40-2?",
        "Welche maximale Förderhöhe hat die PKS 40-2?",
        "Quelle est la hauteur maximale de la PKS 40-2 ?",
    ],
)
def test_the_maximum_of_a_curve_is_not_its_rated_point(question):
    draft = compose(question, sheet(), similarity=lambda _, texts: [0.9] * len(texts))

    assert read(draft) == ["2900: Q: 0 m³/h; H: 97.4 m"]


def test_the_largest_power_is_at_another_point_than_the_largest_head():
    assert read(compose("What is the highest power P2 of the PKS 40-2?", sheet())) == ["2900: Q: 50 m³/h; P2: 12.6 kW"]


@pytest.mark.parametrize(
    ("question", "row"),
    [
        ("Which stage is the most expensive?", "Appeal: Fee: € 500"),
        ("Which stage is the cheapest?", "Request: Fee: € 5"),
    ],
)
def test_the_dearest_and_the_cheapest_are_read_from_the_column_of_amounts(question, row):
    stages = lines(
        "Stage | Time | Fee\nRequest | 120 days | € 5\nHearing | 45 days | € 80\nAppeal | 20 days | € 500", DEVICES
    )

    assert read(compose(question, [stages])) == [row]


def test_two_columns_of_amounts_have_no_one_that_is_cheapest():
    levels = lines("Level | First | Renewal\nA | € 4,500 | € 350\nB | € 2,800 | € 1,400\nC | € 950 | € 475", DEVICES)

    assert compose("Which level is the cheapest?", [levels]).refused


def test_a_row_that_says_that_it_is_a_bound_answers_by_itself():
    data = lines("Property | Value\nLargest operating pressure | 16 bar\nTest pressure | 24 bar", PUMP)

    assert read(compose("What is the maximum operating pressure of the CRN 32-3?", [data]))[0] == (
        "Largest operating pressure: Value: 16 bar"
    )


def test_a_sentence_that_states_no_bound_is_no_maximum():
    found = passage("The NPSH of the CRN 32-3 is 1.4 m at 1450 rpm.", PUMP)
    bound = passage("The NPSH of the CRN 32-3 must not exceed 6 m.", PUMP, rank=2)

    assert compose("What is the maximum NPSH of the CRN 32-3?", [found]).refused
    assert said(compose("What is the maximum NPSH of the CRN 32-3?", [found, bound])) == [bound.chunk.text]


@settings(deadline=None)
@given(st.lists(st.integers(1, 9999), min_size=2, max_size=9, unique=True))
def test_the_extreme_of_a_column_is_the_largest_or_smallest_that_is_printed(fees):
    table = lines("Stage | Fee\n" + "\n".join(f"Stage {k} | € {fee}" for k, fee in enumerate(fees)), DEVICES)

    for question, extreme in (("Which stage has the highest fee?", max(fees)), ("… the lowest fee?", min(fees))):
        (text,) = read(compose(question.replace("…", "Which stage has"), [table]))

        assert text.endswith(f"€ {extreme}")


@pytest.mark.parametrize(
    "question",
    [
        "What is the shut-off head of the PKS 40-2?",
        "What is the head of the PKS 40-2 at zero flow?",
        "Wat is de opvoerhoogte van de PKS 40-2 bij gesloten afsluiter?",
        "Welche Förderhöhe hat die PKS 40-2 bei geschlossenem Schieber?",
        "Quelle est la hauteur de la PKS 40-2 à débit nul ?",
    ],
)
def test_a_closed_valve_is_the_row_without_flow(question):
    draft = compose(question, sheet(), similarity=lambda _, texts: [0.9] * len(texts))

    assert read(draft) == ["2900: Q: 0 m³/h; H: 97.4 m"]


def test_what_is_to_be_included_is_not_left_out():
    assert compose("What is the head of the PKS 40-2 at 40 m³/h including the tolerance?", sheet()).refused


# ---------------------------------------------------------------- notes of cells


def test_a_note_that_denies_what_its_cell_would_say_stands_alone():
    fees = with_notes(
        "Transaction | Interchange fee | Refund fee\nPurchase | 0.20 % | 0.05 %*)\nCash withdrawal | € 0.45 | 0.05 %*)",
        ("*) A refund of a cash withdrawal does not exist.",),
        DEVICES,
    )

    assert said(compose("What is the refund fee of a cash withdrawal?", [fees])) == [
        "*) A refund of a cash withdrawal does not exist."
    ]
    assert read(compose("What is the refund fee of a purchase?", [fees])) == [
        "Purchase: Refund fee: 0.05 %",
        "*) A refund of a cash withdrawal does not exist.",
    ]


def test_a_note_of_another_cell_is_not_brought():
    points = with_notes(
        "n [rpm] | H [m] | NPSH [m]\n1450 | 37.2 | 1.4¹)\n2900 | 148.8 | 3.9¹)",
        ("¹) Add a reserve of 0.5 m.", "²) Of another table."),
        PUMP,
    )

    assert read(compose("What is the head of the CRN 32-3 at 1450 rpm?", [points])) == ["1450: H: 37.2 m"]
    assert read(compose("What is the NPSH of the CRN 32-3 at 1450 rpm?", [points])) == [
        "1450: NPSH: 1.4 m",
        "¹) Add a reserve of 0.5 m.",
    ]


def test_a_note_printed_within_a_sentence_does_not_stand_in_it():
    text = "A supplement of 0.15 % is owed\n² The Issuer owes the supplement.\non top of the fee."

    units = cut(passage(text), 0).units

    assert [unit.text for unit in units] == [
        "A supplement of 0.15 % is owed on top of the fee.",
        "² The Issuer owes the supplement.",
    ]


@pytest.mark.parametrize("unit", ["1.5 A/m", "3.25 V", "0.5 K", "7.5 N"])
def test_a_number_before_a_capital_unit_ends_no_sentence(unit):
    text = f"It answers at every strength from {unit} upwards.2 It is tested."

    assert [u.text for u in cut(passage(text), 0).units] == [
        f"It answers at every strength from {unit} upwards.2",
        "It is tested.",
    ]


# ---------------------------------------------------------------- may it


def test_what_is_forbidden_answers_before_what_is_permitted():
    admitted = passage(
        "A cardholder may pay with:\n(a) a mobile phone;\n(b) a refrigerator.",
        DEVICES,
        section=("3.1 Admitted devices",),
    )
    rules = passage("A refrigerator must not start a cash withdrawal.", DEVICES, rank=2, section=("3.3 Appliances",))

    draft = compose("Is it allowed to withdraw cash with a refrigerator?", [admitted, rules])

    assert said(draft) == ["A refrigerator must not start a cash withdrawal."]


def test_a_permission_comes_with_what_its_section_forbids_of_it():
    rules = passage(
        "A garment may be used for contactless payments. A garment must not be used by children.",
        DEVICES,
        section=("3.4",),
    )

    assert said(compose("May a garment be used for contactless payments?", [rules])) == [
        "A garment may be used for contactless payments.",
        "A garment must not be used by children.",
    ]


@pytest.mark.parametrize(
    "question",
    [
        "May a watch make a payment of 1,200 euro at once?",
        "Can I make a payment of € 1,200 with a watch?",
        "Is a payment of € 40 with a watch allowed?",
    ],
)
def test_whether_an_amount_is_allowed_is_answered_by_the_limits_of_the_thing(question):
    fees = lines("Device | Change of the fee\nRing | + € 0.02\nWatch | + € 0.04", DEVICES, rank=2)
    limits = passage_of_limits()

    assert read(compose(question, [fees, limits]))[0] == ("Watch: Limit per payment: € 1,000; Limit per day: € 2,500")


def passage_of_limits() -> Passage:
    return lines(
        "Device | Limit per payment | Limit per day\nRing | € 250 | € 500\nWatch | € 1,000 | € 2,500",
        DEVICES,
        section=("3.2 Limits",),
    )


def test_a_change_of_a_fee_is_no_limit():
    fees = lines("Device | Change\nRing | + 0.02 %\nCar | + 0.01 %", DEVICES, section=("4.3 Fees by device",))

    assert compose("What is the limit per day for a ring?", [fees]).refused
    assert read(compose("What is the limit per day for a ring?", [fees, passage_of_limits()])) == [
        "Ring: Limit per day: € 500"
    ]


def test_not_every_time_is_a_time_out():
    found = passage("An approval is valid for 7 days.", DEVICES, section=("4.2 TRX-0043 Response",))

    assert compose("What is the time-out of TRX-0043?", [found]).refused


# ---------------------------------------------------------------- who


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("Who sends a reversal?", "en"),
        ("Wie stuurt een reversal?", "nl"),
        ("Wer sendet ein Reversal?", "de"),
        ("Qui envoie un reversal ?", "fr"),
    ],
)
def test_a_question_for_somebody_is_not_answered_without_anybody(question, language):
    assert analyse(question, language).who
    assert compose(
        question, [passage("After the third repetition it sends a reversal.")], similarity=lambda _, t: [0.95] * len(t)
    ).refused


def test_how_many_asks_for_nobody():
    assert not analyse("Wie viele Stellen hat eine PIN?", "de").who


# ---------------------------------------------------------------- forms


def test_a_sentence_that_turns_brings_the_one_it_turns_from():
    found = passage(
        "Verifiers must not ask for a new secret every year. However, they force a change of a secret after a leak."
    )

    draft = compose("When do verifiers force a change of a secret?", [found])

    assert said(draft)[0].startswith("Verifiers must not")


def test_entries_of_a_list_are_quoted_as_they_are_printed():
    found = passage(
        "The maker must file for a model:\n(a) the samples of the model;\n(b) the report;\n(c) the fee of the model;\n"
        "(d) the name.",
        DEVICES,
    )

    marks = [text[:3] for text in said(compose("What must the maker file for a model?", [found]))[1:]]

    assert marks == sorted(marks) and marks


def test_a_remark_over_all_rows_says_nothing_of_one_of_them():
    remark = "A model that differs in colour only is entered in the register free of charge, " * 2
    rows = ["Level A | € 4,500", "Level B | € 2,800", "Change of software | € 600"]
    cells = [Cell(0, 0, c, c, title, header=True) for c, title in enumerate(("Service", "Fee", "Remark"))]
    cells += [Cell(r, r, c, c, text) for r, row in enumerate(rows, 1) for c, text in enumerate(row.split(" | "))]
    cells.append(Cell(1, 3, 2, 2, remark))
    text = "Service | Fee | Remark\n" + "\n".join(f"{row} | {remark if k == 0 else ''}" for k, row in enumerate(rows))
    fees = passage(text, DEVICES, table=Table(1, (0, 0, 1, 1), tuple(cells), caption="Fees for certification"))

    assert compose("What does it cost to register a colour?", [fees]).refused
    assert read(compose("What does a change of software cost?", [fees]))[0] == "Change of software: Fee: € 600"


def test_efficiency_is_known_by_its_abbreviation():
    sheet_ = lines("Q [m³/h] | H [m] | Eff. [%]\n45 | 104.4 | 76\n56 | 85.6 | 72", OTHER_PUMP)

    assert read(compose("What is the efficiency of the CRN 45-2 at 45 m³/h?", [sheet_])) == ["45: Eff.: 76 %"]


def test_who_sends_a_message_is_read_from_the_row_of_its_code():
    messages = lines(
        "Code | Message | From | To\nTRX-0051 | Refund advice | Acquirer | Issuer\n7 | Time of sending | n | 14",
        DEVICES,
    )

    assert read(compose("Who sends the message TRX-0051?", [messages])) == [
        "TRX-0051, Refund advice: From: Acquirer; To: Issuer"
    ]


@pytest.mark.parametrize("asked", ["daily", "per day"])
def test_the_daily_limit_is_not_the_total(asked):
    limits = lines("Device | Limit in total | Limit per day\nRing | € 100 | € 500\nCar | € 300 | € 400", DEVICES)

    assert read(compose(f"What is the {asked} limit of a ring?", [limits])) == ["Ring: Limit per day: € 500"]


# ---------------------------------------------------------------- half an answer


def test_the_weight_with_motor_is_not_that_of_the_motor():
    data = lines("Property | Value\nWeight with motor | 126.0 kg\nMotor | 22 kW", OTHER_PUMP)

    assert compose("What is the weight of the motor of the CRN 45-2?", [data]).refused
    assert read(compose("What is the weight of the CRN 45-2?", [data])) == ["Weight with motor: Value: 126.0 kg"]


def test_what_another_table_changes_for_the_thing_is_said_with_the_fee():
    fees = lines(
        "Transaction | Fee\nPurchase abroad | 0.35 %\nPurchase at home | 0.20 %", DEVICES, section=("4.1 Fees",)
    )
    changes = lines("Device | Change of the fee\nRing | + 0.02 %\nCar | + 0.01 %", DEVICES, rank=2, section=("4.3",))

    assert read(compose("What is the fee for a purchase abroad by a car?", [fees, changes])) == [
        "Purchase abroad: Fee: 0.35 %",
        "Car: Change of the fee: + 0.01 %",
    ]


def test_a_sentence_that_breaks_off_with_its_passage_gives_way_to_a_whole_one():
    broken = passage(
        "The controller shall notify the breach within 72 hours to the authority competent in accordance with"
    )
    whole = passage(
        "The controller shall notify the breach to the authority within 72 hours, unless no risk is likely.", rank=2
    )

    assert said(compose("Within how many hours must the controller notify a breach?", [broken, whole]))[0] == (
        whole.chunk.text
    )


def test_a_revision_that_is_not_there_is_named_and_one_that_was_superseded_is_said_to_be():
    old = Revision("fees", "fees.pdf", "2", "01", "Fees Rulebook", "en", "readable", "superseded by revision 3")
    found = [passage("The fee is 0.40 %.", old), passage("The fee is 0.35 %.")]

    assert compose("What was the fee under revision 2?", found).reason == "not_citable"
    unknown = compose("What was the fee under revision 9?", found)
    assert (unknown.reason, unknown.missing) == ("identifier_missing", ("revision 9",))


def test_a_question_that_does_not_choose_among_limits_is_told_each():
    limits = passage_of_limits()

    assert read(compose("What is the limit for a watch?", [limits])) == [
        "Watch: Limit per payment: € 1,000; Limit per day: € 2,500"
    ]
    assert read(compose("What is the limit per payment for a watch?", [limits])) == [
        "Watch: Limit per payment: € 1,000"
    ]
    assert read(compose("What is the highest limit per day?", [limits])) == ["Watch: Limit per day: € 2,500"]


def test_a_minimum_that_is_stated_goes_before_the_first_point_of_a_curve():
    note = passage("Continuous operation below a flow of 8 m³/h is not allowed.", SHEET, rank=3)

    assert compose("What is the minimum flow of the PKS 40-2?", sheet()).refused
    assert said(compose("What is the minimum flow of the PKS 40-2?", [*sheet(), note])) == [note.chunk.text]


def test_a_sentence_that_only_names_the_thing_does_not_say_which_seal_it_has():
    data = lines("Property | Value\nShaft seal | HQQV, FKM\nConnection | DN 80", OTHER_PUMP, rank=2)
    order = passage("On order the CRN 45-2 is delivered with an inspection certificate.", OTHER_PUMP)

    draft = compose(
        "Which seal has the CRN 45-2?", [order, data], similarity=lambda _, t: [0.9 - 0.1 * k for k in range(len(t))]
    )

    assert read(draft) == ["Shaft seal: Value: HQQV, FKM"]
