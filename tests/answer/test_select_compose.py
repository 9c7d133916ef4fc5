"""The built-in model's choice among passages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.answer.gate import judge, prepare
from pincite.answer.select import compose
from pincite.types import Cell, Chunk, Passage, Revision, Table

RULEBOOK = Revision("fees", "fees.pdf", "3", "00", "Fees Rulebook", "en", "citable")
OLD_RULEBOOK = Revision("fees", "fees.pdf", "2", "01", "Fees Rulebook", "en", "readable", "superseded by revision 3")
PUMP = Revision("crn-32-3", "CRN-32-3.pdf", "3", "02", "CRN 32-3 data sheet", "en", "citable")
OTHER_PUMP = Revision("crn-45-2", "CRN-45-2.pdf", "1", "03", "CRN 45-2 data sheet", "en", "citable")

DEVICES = """3.1 Admitted devices
A cardholder may pay with each of the following devices:
(a) a card that was handed out by the Issuer;
(b) a mobile phone with a secure element;
(c) a refrigerator or another Appliance that orders goods for the household, under the
conditions of section 3.3.
Payments by an Appliance above € 40 are confirmed on a second device within 10 minutes."""

DUTY = "n [rpm] | Q [m³/h] | H [m] | NPSH [m]\n1450 | 16 | 37.2 | 1.4¹)\n2900 | 32 | 148.8 | 3.9¹)"
OTHER_DUTY = "n [rpm] | Q [m³/h] | H [m] | NPSH [m]\n1450 | 22.5 | 26.1 | 1.8\n2900 | 45 | 104.4 | 5.1"


def fee_table():
    """The fee table with cells over two rows (Region) and four (Refund), as it is printed."""
    rows = [
        ("Domestic", "Purchase", "0.20 %", "0.90 %"),
        ("", "Cash withdrawal", "€ 0.45", "€ 0.75"),
        ("Cross-border", "Purchase", "0.35 %", "1.40 %"),
        ("", "Cash withdrawal", "€ 0.65 + 0.10 %", "€ 1.10 + 0.10 %"),
    ]
    cells = [
        Cell(0, 0, column, column, title, header=True)
        for column, title in enumerate(("Region", "Transaction", "Consumer card", "Commercial card", "Refund"))
    ]
    cells += [
        Cell(1, 2, 0, 0, "Domestic"),
        Cell(3, 4, 0, 0, "Cross-border"),
        Cell(1, 4, 4, 4, "0.05 %, at least € 0.02"),
    ]
    cells += [Cell(r, r, c, c, row[c]) for r, row in enumerate(rows, 1) for c in (1, 2, 3)]
    table = Table(6, (0, 0, 1, 1), tuple(cells), caption="Table 1 Interchange fees")
    text = "Region | Transaction | Consumer card | Commercial card | Refund\n" + "\n".join(
        " | ".join((*row, "0.05 %, at least € 0.02" if k == 0 else "")) for k, row in enumerate(rows)
    )
    return text, table


def passage(text, revision=RULEBOOK, *, rank=1, section=(), table=None):
    kind = "table" if table else "text"
    chunk = Chunk(rank, section, kind, (1,), text, f"{revision.title}\n{text}", (), table)
    return Passage(f"{revision.document}-{rank}", revision, chunk, rank, 1 / rank)


def fees(rank=1):
    text, table = fee_table()
    return passage(text, rank=rank, section=("4 Transaction fees",), table=table)


def said(draft):
    return [piece.text for piece in draft.sentences]


def test_a_sentence_is_quoted_with_the_place_it_stands_in():
    found = passage("The PIN has 4 to 8 digits. After 3 wrong entries the token is suspended.\nNobody may lift this.")

    draft = compose("After how many wrong entries is the token suspended?", [found])

    assert said(draft) == ["After 3 wrong entries the token is suspended."]
    piece = draft.sentences[0]
    assert found.chunk.text[piece.start : piece.end] == piece.text


@pytest.mark.parametrize(
    ("question", "row", "column", "reading"),
    [
        (
            "What is the fee for a domestic purchase with a commercial card?",
            1,
            3,
            "Domestic, Purchase: Commercial card: 0.90 %",
        ),
        (
            "What does a cross-border purchase with a consumer card cost?",
            3,
            2,
            "Cross-border, Purchase: Consumer card: 0.35 %",
        ),
        (
            "What is the fee for a domestic cash withdrawal with a consumer card?",
            2,
            2,
            "Domestic, Cash withdrawal: Consumer card: € 0.45",
        ),
    ],
)
def test_the_row_and_the_column_of_a_fee_table_are_found(question, row, column, reading):
    draft = compose(question, [fees()])

    assert len(draft.sentences) == 1
    assert draft.sentences[0].kind == "row"
    assert draft.sentences[0].cells[0] == (row, column)
    assert draft.sentences[0].reading == reading


def test_a_cell_over_four_rows_answers_for_each_of_them():
    draft = compose("What is the fee for refunding a cross-border purchase?", [fees()])

    assert "Cross-border, Purchase: Refund: 0.05 %, at least € 0.02" in [piece.reading for piece in draft.sentences]


@pytest.mark.parametrize(("speed", "value"), [("1450", "1.4"), ("2900", "3.9")])
def test_the_speed_chooses_the_row_and_the_symbol_the_column(speed, value):
    passages = [passage(DUTY, PUMP), passage(OTHER_DUTY, OTHER_PUMP, rank=2)]

    draft = compose(f"What is the NPSH of the CRN 32-3 at {speed} rpm?", passages)

    assert [piece.reading for piece in draft.sentences] == [f"{speed}: NPSH: {value} m"]


def test_head_is_found_under_its_symbol():
    draft = compose("What is the head of the CRN 32-3 at 2900 rpm?", [passage(DUTY, PUMP)])

    assert draft.sentences[0].reading == "2900: H: 148.8 m"


@pytest.mark.parametrize(
    "question",
    [
        "What is the NPSH of the CRN 32-4 at 2900 rpm?",
        "What is the NPSH of the CRN 320-3?",
        "Wat is de NPSH van de CRN 45-3 bij 1450 rpm?",
    ],
)
def test_a_sibling_of_the_part_number_is_no_answer(question):
    draft = compose(question, [passage(DUTY, PUMP), passage(OTHER_DUTY, OTHER_PUMP, rank=2)])

    assert draft.refused
    assert draft.reason == "identifier_missing"
    assert draft.sentences == ()


def test_the_value_at_another_speed_is_no_answer():
    draft = compose("What is the NPSH of the CRN 32-3 at 3500 rpm?", [passage(DUTY, PUMP)])

    assert draft.refused
    assert "3500" in draft.missing


def test_what_another_sheet_says_is_not_lent_to_the_pump_that_was_named():
    passages = [
        passage("The CRN 32-3 is not for use in ATEX zones.", PUMP),
        passage("On order the CRN 45-2 is delivered with an inspection certificate.", OTHER_PUMP, rank=2),
    ]

    assert compose("Is the CRN 45-2 ATEX certified?", passages).refused
    assert said(compose("Is the CRN 32-3 ATEX certified?", passages)) == ["The CRN 32-3 is not for use in ATEX zones."]


def test_a_price_is_not_answered_with_a_weight():
    sheet = passage("Property | Value\nWeight with motor | 118.5 kg ± 3 %\nStages | 3\nConnection | DN 65", PUMP)

    assert compose("What does the CRN 32-3 cost?", [sheet]).refused


def test_a_question_about_something_else_is_refused():
    draft = compose("What is the boiling point of ethanol?", [passage(DEVICES), fees(2)])

    assert draft.refused
    assert draft.reason == "nothing_fits"


def test_a_superseded_revision_is_never_quoted():
    old = passage("The fee for a refund is 0.07 %.", OLD_RULEBOOK)
    new = passage("The fee for a refund is 0.05 %.", RULEBOOK, rank=2)

    assert said(compose("What is the fee for a refund?", [old, new])) == ["The fee for a refund is 0.05 %."]
    assert compose("What is the fee for a refund?", [old]).reason == "not_citable"


def test_a_doubtful_table_is_never_quoted():
    text, table = fee_table()
    doubtful = Table(table.page, table.box, table.cells, confidence=0.3)

    assert compose("What is the fee for a domestic purchase?", [passage(text, table=doubtful)]).reason == "not_citable"


def test_an_entry_brings_its_lead_in_and_not_its_neighbours():
    draft = compose("May a cardholder pay with a mobile phone?", [passage(DEVICES)])

    assert said(draft) == [
        "A cardholder may pay with each of the following devices:",
        "(b) a mobile phone with a secure element;",
    ]


def test_a_list_that_is_asked_for_is_quoted_whole():
    draft = compose("Which devices may a cardholder pay with?", [passage(DEVICES)])

    assert [piece.kind for piece in draft.sentences] == ["sentence", "list", "list", "list"]


def test_meaning_bridges_the_wording_where_an_encoder_is_given():
    """The cosines are those of the embedded encoder (multilingual-e5-small) for these texts, rounded."""

    def similarity(question, texts):
        return [0.86 if "refrigerator" in text else 0.78 for text in texts]

    question = "Kan ik met mijn provisiekast betalen?"  # not in the glossary
    draft = compose(question, [passage(DEVICES)], similarity=similarity)

    assert draft.language == "nl"
    assert any("refrigerator" in text for text in said(draft))
    assert compose(question, [passage(DEVICES)]).refused


def test_the_glossary_bridges_languages_without_an_encoder():
    draft = compose("Kan ik met mijn koelkast betalen?", [passage(DEVICES)])

    assert any("refrigerator" in text for text in said(draft))


def test_an_encoder_is_asked_about_few_short_texts():
    asked = []

    def similarity(question, texts):
        asked.append(texts)
        return [0.8] * len(texts)

    long = passage("\n".join(f"{n}. The appliance number {n} may pay at most once in {n} days." for n in range(1, 200)))
    compose("How often may an appliance pay?", [long], similarity=similarity)

    assert len(asked) == 1
    assert 0 < len(asked[0]) <= 32
    assert max(map(len, asked[0])) <= 320


def test_both_halves_of_a_question_are_served():
    passages = [
        passage("An authorisation request times out after 12 s."),
        passage("After a time-out the Acquirer sends a reversal, TRX-0060.", rank=2),
    ]

    draft = compose("When does an authorisation request time out, and which reversal does the Acquirer send?", passages)

    assert {piece.passage for piece in draft.sentences} == {0, 1}


def test_sections_that_a_sentence_points_at_are_offered_for_reading():
    found = passage("A refrigerator is certified at level B. The fee is that of section 5.1 for the level.")

    draft = compose("Which fee has a refrigerator?", [found])

    assert draft.follow == ("section 5.1",)


def test_small_talk_needs_no_passages():
    assert compose("Hello!", []).reason == "greeting"
    assert compose("Tell me a joke about pumps", []).reason == "out_of_scope"
    assert compose("What is the fee?", []).reason == "no_passages"


@given(st.text(), st.text(), st.lists(st.text(alphabet="ab|\n 1."), max_size=3))
def test_whatever_is_asked_of_whatever_text_only_the_text_is_quoted(question, text, others):
    passages = [passage(t, rank=k) for k, t in enumerate([text, DEVICES, *others], 1)]

    draft = compose(question, passages, similarity=lambda _, texts: [0.9] * len(texts))

    assert draft.refused == (not draft.sentences)
    assert bool(draft.reason) == draft.refused
    for piece in draft.sentences:
        printed = passages[piece.passage].chunk.text[piece.start : piece.end]
        assert "".join(printed.split()) == "".join(piece.text.split())


@given(st.permutations(range(3)))
def test_the_same_passages_in_the_same_order_give_the_same_draft(order):
    texts = [DEVICES, "The PIN has 4 to 8 digits.", "Payments above € 40 are confirmed."]
    passages = [passage(texts[k], rank=rank) for rank, k in enumerate(order, 1)]

    assert compose("How many digits has the PIN?", passages) == compose("How many digits has the PIN?", passages)


def test_a_row_that_is_no_value_is_read_out_whole():
    codes = passage("Code | Meaning | Repeat\nR-51 | Not enough money | no\nR-68 | Confirmation timed out | yes, once")

    draft = compose("What is response code R-68?", [codes])

    assert [piece.reading for piece in draft.sentences] == ["R-68: Meaning: Confirmation timed out; Repeat: yes, once"]


def test_of_a_row_the_column_that_the_question_names_is_read_out():
    head = "Code | Meaning | Repeat | Shown | Field\nR-51 | Not enough money | no | Declined | 39\n"
    codes = passage(head + "R-68 | Confirmation timed out | yes, once | Confirm | 39")

    (piece,) = compose("What is the meaning of response code R-68?", [codes]).sentences

    assert piece.reading == "R-68: Meaning: Confirmation timed out"


def test_a_sentence_about_the_other_kind_of_purchase_answers_nothing():
    text = "A domestic purchase of € 80.00 with a consumer card thus costs the Acquirer € 0.16."
    passage = Passage("p", RULEBOOK, Chunk(0, ("4 Fees",), "text", (2,), text, text), 1, 1.0)

    assert compose("What does a cross-border purchase with a consumer card cost?", [passage]).refused
    assert not compose("What does a domestic purchase with a consumer card cost?", [passage]).refused


CONDITIONS = """3.3 Household appliances
A refrigerator or another Appliance may start a payment only if all of these conditions are met:
(a) the Appliance is registered to one account and one postal address;
(b) every payment above € 40 is confirmed by the cardholder within 10 minutes;
(c) the goods are delivered to the registered postal address."""


def test_conditions_that_hold_together_are_quoted_all_or_not_at_all():
    passage = Passage("p", RULEBOOK, Chunk(0, ("3 Devices",), "text", (2,), CONDITIONS, CONDITIONS), 1, 1.0)

    draft = compose("May a refrigerator start a payment above € 40?", [passage])

    quoted = [sentence.text[:3] for sentence in draft.sentences]
    assert quoted[1:] == ["(a)", "(b)", "(c)"]


def test_a_word_in_an_example_is_not_what_the_sentence_is_about():
    text = "A confirmation must show the name of the device, for example “fridge in the kitchen”."
    passage = Passage("p", RULEBOOK, Chunk(0, ("4 Requirements",), "text", (2,), text, text), 1, 1.0)

    assert compose("Can I pay with my fridge?", [passage]).refused


def test_a_row_at_another_flow_is_no_answer_though_its_pump_and_speed_are_right():
    draft = compose("What is the head of the CRN 45-2 at 24 m³/h and 2900 rpm?", [passage(OTHER_DUTY, OTHER_PUMP)])

    assert draft.refused


def test_naming_the_pump_is_not_enough_to_answer():
    text = "On order the CRN 45-2 is delivered with an inspection certificate."

    assert compose("What colour is the CRN 45-2?", [passage(text, OTHER_PUMP)]).refused
    assert compose("Which certificate comes with the CRN 45-2?", [passage(text, OTHER_PUMP)]).sentences


def test_what_the_current_revision_says_does_not_answer_for_another_revision():
    assert compose("What is the NPSH of the CRN 32-3 at 2900 rpm under revision 2?", [passage(DUTY, PUMP)]).refused
    assert not compose("What is the NPSH of the CRN 32-3 at 2900 rpm in revision 3?", [passage(DUTY, PUMP)]).refused


def grid(text):
    """The table that lines of cells are, the first row its titles."""
    rows = [line.split(" | ") for line in text.splitlines()]
    cells = [Cell(r, r, c, c, cell, header=r == 0) for r, row in enumerate(rows) for c, cell in enumerate(row)]
    return passage(text, table=Table(1, (0, 0, 1, 1), tuple(cells)))


VERIFIED = (
    "Device | Limit without verification per payment | Limit with verification per payment | Limit with verification "
    "per day\nCar | € 50 | € 200 | € 400\nFridge | € 20 | € 40 | € 100"
)
VERIFIED_NL = (
    "Apparaat | Limiet zonder verificatie | Limiet met verificatie\nAuto | € 50 | € 200\nKoelkast | € 20 | € 40"
)
VERIFIED_DE = "Gerät | Limit ohne Prüfung | Limit mit Prüfung\nAuto | 50 € | 200 €\nKühlschrank | 20 € | 40 €"


@pytest.mark.parametrize(
    ("question", "text", "column"),
    [
        ("How much may a car pay without verification per payment?", VERIFIED, 1),
        ("How much may a car pay with verification per payment?", VERIFIED, 2),
        ("How much may a car pay with verification per day?", VERIFIED, 3),
        ("Hoeveel is de limiet zonder verificatie voor een auto?", VERIFIED_NL, 1),
        ("Hoeveel is de limiet met verificatie voor een auto?", VERIFIED_NL, 2),
        ("Wie hoch ist das Limit ohne Prüfung für ein Auto?", VERIFIED_DE, 1),
        ("Wie hoch ist das Limit mit Prüfung für ein Auto?", VERIFIED_DE, 2),
    ],
)
def test_the_column_with_something_does_not_answer_for_without_it(question, text, column):
    (piece,) = compose(question, [grid(text)]).sentences

    assert piece.cells[0] == (1, column)


def test_a_sentence_with_something_does_not_answer_for_without_it():
    other = passage("A car may pay up to € 200 with verification.")
    both = passage("A car may pay up to € 200 with verification. Without verification it may pay € 50.")

    assert compose("How much may a car pay without verification?", [other]).refused
    assert said(compose("How much may a car pay without verification?", [both])) == [
        "Without verification it may pay € 50."
    ]


@pytest.mark.parametrize(
    ("question", "title", "language"),
    [
        ("What is the head at 2900 rpm and 32 m³/h?", "Head", "en"),
        ("Wat is de opvoerhoogte bij 2900 rpm en 32 m³/h?", "Opvoerhoogte", "nl"),
    ],
)
def test_the_reading_of_a_row_says_what_tells_it_from_others_of_its_label(question, title, language):
    found = grid(f"n [rpm] | Q [m³/h] | {title} [m]\n1450 | 16 | 37.2\n2900 | 24 | 160\n2900 | 32 | 148.8")

    (piece,) = compose(question, [found]).sentences

    assert piece.reading == f"2900: Q: 32 m³/h; {title}: 148.8 m"
    assert found.chunk.table is not None
    assert all(s.released for s in judge(piece.reading, [prepare(found.chunk.table, language)], language))


def test_the_column_per_payment_does_not_answer_for_the_day():
    (piece,) = compose("What is the daily limit for a car with verification?", [grid(VERIFIED)]).sentences

    assert piece.cells[0] == (1, 3)


@pytest.mark.parametrize("title", ["Leakage current** [µA]", "Leakage current, µA", "Leakage current (µA)"])
def test_a_unit_is_said_at_the_value_wherever_the_table_prints_it(title: str):
    table = f"Filter | {title} | Weight [g]\nFN 380-2-2 | 2 | 50\nFN 380-4-2 | 373 | 55"

    draft = compose("What is the leakage current of the FN 380-4-2?", [passage(table)])

    assert draft.sentences[0].reading == "FN 380-4-2: Leakage current: 373 µA"


def test_two_kinds_asked_at_once_are_both_read_from_the_row():
    table = (
        "Ordercode | Input voltage | Output voltage | Output current max. | Efficiency\n"
        "TES 2N-0511 | 9 VDC | 5VDC | 400 mA | 73 %\nTES 2N-0512 | 9 VDC | 12VDC | 165 mA | 75 %"
    )

    draft = compose("What output voltage and output current does the TES 2N-0512 provide?", [passage(table)])

    assert draft.sentences[0].reading == "TES 2N-0512: Output voltage: 12 VDC; Output current max.: 165 mA"


def test_the_row_of_a_sibling_never_answers_though_the_title_names_both():
    table = "Symbol | Parameter | Value | Units\nVCEO | Voltage: BC546 | 65 | V\nVCEO | Voltage: BC548 | 30 | V"

    assert compose(
        "What is the VCEO of the BC547?", [passage("BC547 and its siblings."), passage(table, rank=2)]
    ).refused
