"""What a question asks, held against what is quoted: kinds of questions whose tempting answer is wrong."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_select_compose import OTHER_PUMP, PUMP, fees, passage, said

from pincite.answer.select import compose
from pincite.answer.select.fit import rarity
from pincite.answer.select.held import says_more
from pincite.answer.select.question import analyse
from pincite.answer.select.score import score_all
from pincite.answer.select.units import cut
from pincite.answer.select.values import given_values
from pincite.types import Cell, Revision, Table

CURVE = "n [rpm] | Q [m³/h] | H [m]\n1450 | 22.5 | 26.1\n1450 | 28 | 21.4\n2900 | 40 | 123.2\n2900 | 56 | 85.6"
BUILDING = Revision("bouwbesluit", "bouwbesluit.pdf", "1", "04", "Bouwbesluit 2012", "nl", "citable")
WATER = Revision("drinkwaterbesluit", "drinkwaterbesluit.pdf", "1", "05", "Drinkwaterbesluit", "nl", "citable")
DEVICES = Revision("devices", "devices.pdf", "5", "06", "Acceptance Devices Rulebook", "en", "citable")


def lines(text, revision, rank=1, section=()):
    cells = tuple(
        Cell(r, r, c, c, cell, header=r == 0)
        for r, row in enumerate(text.split("\n"))
        for c, cell in enumerate(row.split(" | "))
    )
    return passage(text, revision, rank=rank, section=section, table=Table(1, (0, 0, 1, 1), cells))


def read(draft):
    return [piece.reading or piece.text for piece in draft.sentences]


# ---------------------------------------------------------------- the side that was asked for


@pytest.mark.parametrize("where", ["abroad", "in a foreign country"])
def test_abroad_is_answered_from_the_row_across_the_border(where):
    draft = compose(f"What does a cash withdrawal with a commercial card cost {where}?", [fees()])

    assert read(draft) == ["Cross-border, Cash withdrawal: Commercial card: € 1.10 + 0.10 %"]


def test_a_section_on_new_buildings_says_nothing_of_existing_ones():
    new = passage("De breedte van een trap is ten minste 0,8 m.", BUILDING, section=("§ 2.5.1 Nieuwbouw",))
    old = passage("De breedte van een trap is ten minste 0,7 m.", BUILDING, rank=2, section=("§ 2.5.2 Bestaande bouw",))

    assert said(compose("Hoe breed moet een trap in een bestaand gebouw zijn?", [new, old])) == [
        "De breedte van een trap is ten minste 0,7 m."
    ]
    assert compose("Hoe breed moet een trap in een bestaand gebouw zijn?", [new]).refused


# ---------------------------------------------------------------- a value that is brought along


@pytest.mark.parametrize(
    ("question", "number", "noun", "kinds"),
    [
        ("Welke hoogte levert de CRN 45-2 bij 1450 toeren?", "1450", "", {"speed"}),
        ("Debiet bij een opvoerhoogte van 40 m?", "40", "opvoerhoogte", {"head", "height"}),
        ("Which RSA key size gives a security strength of 128 bits?", "128", "", {"bits"}),
    ],
)
def test_a_value_that_the_question_brings_is_known_by_its_noun_or_its_unit(question, number, noun, kinds):
    (found,) = given_values(question)

    assert (found.number, found.noun, set(found.kinds)) == (number, noun, kinds)
    assert not analyse(question).kinds & (kinds - {"bits"})


def test_a_part_number_brings_no_value():
    assert given_values("What does SVC-127 cost?") == ()


@given(st.text(max_size=60))
def test_a_value_that_is_brought_stands_in_the_question(text):
    for found in given_values(text):
        assert found.kinds and found.number in text[found.start : found.end]


def test_a_duty_point_is_looked_for_in_its_own_column():
    curve = lines(CURVE, OTHER_PUMP)

    assert compose("What is the flow of the CRN 45-2 at a head of 40 m?", [curve]).refused
    assert read(compose("What is the head of the CRN 45-2 at 40 m³/h?", [curve])) == ["2900: Q: 40 m³/h; H: 123.2 m"]


def test_a_height_is_not_read_from_the_column_of_flows():
    curve = lines("n [rpm] | Q [m³/h] | H [m]\n1450 | 22.5 | 26.1", OTHER_PUMP)
    nearest_to_flow = lambda _, texts: [0.9 if "Q [" in text else 0.8 for text in texts]  # noqa: E731

    draft = compose("Welke hoogte levert de CRN 45-2 bij 1450 toeren?", [curve], similarity=nearest_to_flow)

    assert read(draft) == ["1450: H: 26.1 m"]


# ---------------------------------------------------------------- the kind that was asked for


@pytest.mark.parametrize(
    ("question", "text"),
    [
        (
            "Within how many days must the Acquirer answer a chargeback?",
            "The Acquirer answers a chargeback within 12 s.",
        ),
        (
            "How many attempts does the Acquirer have for a chargeback?",
            "The Acquirer attempts a chargeback within 12 s.",
        ),
        ("What does a chargeback cost the Acquirer?", "The Acquirer answers a chargeback within 12 days."),
        ("How often may a failed model be presented again?", "A failed model may be presented again after 20 days."),
        ("Combien de jours l'Acquirer a-t-il ?", "L'Acquirer paie 12 € pour chaque jour."),
        ("Hoeveel pogingen heeft de Acquirer?", "De Acquirer heeft voor pogingen 12 dagen."),
        ("Wie viele Tage hat der Acquirer?", "Der Acquirer hat 12 % der Tage."),
    ],
)
def test_a_value_of_another_kind_answers_nothing(question, text):
    assert compose(question, [passage(text)], language=None).refused


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("How often is the plan reviewed?", "The plan is reviewed every four years."),
        ("Hoe vaak wordt het plan herzien?", "Het plan wordt eenmaal per vier jaar herzien."),
        ("How many attempts are allowed?", "At most 3 attempts are allowed within 10 s."),
    ],
)
def test_a_value_of_the_kind_that_is_asked_for_answers(question, text):
    assert said(compose(question, [passage(text, BUILDING if "plan w" in text else DEVICES)])) == [text]


def test_the_value_of_another_thing_is_no_answer():
    found = passage("Voor enkele stoffen geldt een maximale waarde van 1,0 μg/l in tabel II.", WATER)

    assert compose("Wat is de maximale waarde voor uranium in tabel II van het Drinkwaterbesluit?", [found]).refused


# ---------------------------------------------------------------- the place, document or name that was given


def test_a_section_that_is_not_there_is_not_answered_from_another():
    found = passage("See section 5.2.3 of the rulebook for what section 5 requires.", section=("5.2 Biometrics",))

    assert compose("What does section 14.3 of the rulebook require?", [found]).refused
    assert not compose("What does section 5.2.3 of the rulebook require?", [found]).refused


def test_what_another_document_says_is_not_lent_to_the_one_that_was_named():
    here = passage("Emergency lighting is lit within 15 s.", DEVICES, rank=2)

    assert compose("What is the fee for a cash withdrawal in the Acceptance Devices Rulebook?", [fees(), here]).refused
    assert not compose("What is the fee for a cash withdrawal in the Fees Rulebook?", [fees(), here]).refused


@pytest.mark.parametrize(
    "question",
    [
        "Is the Interchange fee of Mastercard lower?",
        "Quels sont les frais de Visa pour un achat ?",
        "Wat kost een betaling bij PayPal?",
        "Ist die Gebühr bei Visa niedriger?",
    ],
)
def test_a_scheme_that_no_document_names_is_not_answered_for(question):
    draft = compose(question, [fees()], similarity=lambda _, texts: [0.95] * len(texts))

    assert draft.refused and draft.missing


def test_a_maker_printed_in_a_logo_only_does_not_stop_an_answer_about_its_part():
    pump = passage("The CRN 32-3 is delivered with seals of type HQQE.", PUMP)

    assert not compose("Which seals does the Nordpump CRN 32-3 have?", [pump]).refused


@pytest.mark.parametrize(
    "question",
    [
        "Which pump would you recommend?",
        "Do you recommend hardware tokens?",
        "Welke pomp raadt u ons aan?",
        "Welchen Zahlungsdienstleister würden Sie mir empfehlen?",
        "Quelle pompe nous conseillez-vous ?",
        "Should we buy a CRN 32-3?",
        "What will the weather be in Rotterdam tomorrow?",
        "Vertaal de AVG in het Spaans.",
    ],
)
def test_advice_and_what_is_of_no_document_is_declined_before_anything_is_searched(question):
    assert analyse(question).small_talk == "out_of_scope"


@pytest.mark.parametrize(
    "question",
    [
        "What does the other big card scheme charge for a cross-border payment?",
        "How much do competing networks charge?",
        "Wat rekent een ander betaalschema voor een opname?",
        "Was verlangen andere Anbieter für eine Auszahlung?",
        "Combien les autres réseaux facturent-ils pour un retrait ?",
    ],
)
def test_the_fees_of_others_are_not_answered_with_ones_own(question: str):
    assert analyse(question).small_talk == "out_of_scope"


def test_what_a_document_says_of_others_is_a_question_to_it():
    assert analyse("What does a payment with the other card cost?").small_talk == ""
    assert analyse("May a member use another supplier?").small_talk == ""


def test_what_a_document_recommends_is_a_question_to_it():
    assert analyse("Which key length is recommended for RSA?").small_talk == ""


# ---------------------------------------------------------------- forms


def test_a_list_whose_lead_in_has_no_colon_is_quoted_whole():
    found = passage(
        "Der Dienstleister verlangt eine starke Authentifizierung, wenn der Zahler\n"
        "1. online auf sein Konto zugreift;\n2. eine Zahlung auslöst;\n3. aus der Ferne handelt.",
        Revision("zag", "zag.pdf", "1", "07", "Gesetz", "de", "citable"),
    )

    draft = compose("In welchen Fällen verlangt der Dienstleister eine starke Authentifizierung?", [found])

    assert len(draft.sentences) == 4


def test_what_only_points_is_read_on_and_is_no_answer_by_itself():
    pointer = passage("The fee of a refrigerator is that of section 5.1.", section=("3 Devices",))
    value = passage("Each refrigerator costs € 2,800.", rank=2, section=("5 Fees", "5.1 Certification"))
    question = "Which fee has a refrigerator?"

    alone = compose(question, [pointer])
    both = compose(question, [pointer, passage("A token costs € 1.", rank=2, section=("6 Tokens",)), value])

    assert alone.follow == ("section 5.1",) and alone.settled().refused
    assert "Each refrigerator costs € 2,800." in said(both.settled())


def test_what_is_permitted_comes_before_its_conditions():
    admitted = passage(
        "A cardholder may pay with:\n(a) a mobile phone;\n(b) a refrigerator, under the conditions of section 3.3.",
        section=("3 Devices", "3.1 Admitted devices"),
    )
    conditions = passage(
        "A refrigerator may start to pay only if all of these conditions are met:\n"
        "(a) it is registered;\n(b) the goods are delivered.",
        rank=2,
        section=("3 Devices", "3.3 Household appliances"),
    )
    question = "May I pay with a refrigerator?"

    assert said(compose(question, [admitted, conditions]))[:2] == [
        "A cardholder may pay with:",
        "(b) a refrigerator, under the conditions of section 3.3.",
    ]
    assert compose(question, [conditions]).follow == ("3 Devices",)


def test_two_values_of_one_row_are_both_said():
    limits = lines(
        "Parameter | Maximum value | Remark\n"
        "Pesticides (each) | 0.10 μg/l | For aldrin the maximum value is 0.030 μg/l.",
        DEVICES,
    )

    draft = compose("What is the maximum value of pesticides and what is the maximum value of aldrin?", [limits])

    assert any("0.10 μg/l" in text for text in read(draft)) and any("0.030 μg/l" in text for text in read(draft))


def test_the_abbreviation_that_is_asked_for_is_in_the_row_that_answers():
    station = Revision("meteodata", "meteodata.pdf", "1", "08", "Meteodata 140 S", "de", "citable")
    data = lines("Property | Value\nMeteodata 140 S | 1409207\nSchutzart | IP 44 nach EN 60529", station)

    draft = compose("Which IP class has the Meteodata 140 S?", [data])

    assert read(draft) == ["Schutzart: Value: IP 44 nach EN 60529"]


def test_of_two_voltages_the_one_that_goes_out_is_read():
    models = lines(
        "Model | Input voltage | Output voltage | Output current\n2N-0512 | 9 V | 12 V | 165 mA\n"
        "2N-0513 | 9 V | 15 V | 135 mA",
        PUMP,
    )

    draft = compose("What output voltage does the model 2N-0512 provide?", [models])

    assert read(draft) == ["2N-0512: Output voltage: 12 V"]


@pytest.mark.parametrize(
    ("question", "wide", "text"),
    [
        ("Hoe breed is een gang ten minste?", "breed", "De breedte van een gang is ten minste 1,1 m."),
        ("How wide is a corridor?", "wide", "The width of a corridor is 1.1 m."),
        ("Wie breit ist ein Gang?", "breit", "Die Breite eines Ganges beträgt 1,1 m."),
    ],
)
def test_an_adjective_asks_for_its_noun(question, wide, text):
    (term,) = [term for term in analyse(question).terms if term.text == wide]

    assert term.asks and said(compose(question, [passage(text, BUILDING)])) == [text]


def test_ten_minste_is_no_number_and_jahren_are_years():
    assert analyse("Nach wie vielen Jahren ist die Prüfung fällig?").kinds == {"period"}
    assert compose("How many attempts are allowed?", [passage("De pogingen zijn ten minste bekend, attempts.")]).refused


def test_no_further_sentence_is_begun_beyond_so_many_words():
    long = " ".join(f"The Acquirer sends a refund by rule {letter} {'and so on ' * 20}." for letter in "XYZ")

    draft = compose("How does the Acquirer send a refund?", [passage(long)])

    assert 0 < sum(len(text.split()) for text in said(draft)) <= 120


def test_what_a_thing_is_is_answered_by_its_definition_alone():
    text = (
        "A cold site is not always cheaper than what a cold site of another maker offers a cold site. "
        "A cold site is a facility with space and power. This cold site serves a cold site."
    )

    assert (
        said(compose("What is a cold site?", [passage(text)]))[-1] == "A cold site is a facility with space and power."
    )


def test_a_sentence_without_its_beginning_gives_way_to_a_whole_one():
    cut_off = passage("controller notifies the breach within 72 hours of the breach.")
    whole = passage("The controller notifies the breach within 72 hours.", rank=2)

    assert said(compose("Who notifies the breach?", [cut_off, whole]))[0] == whole.chunk.text


@pytest.mark.parametrize(("other", "refused"), [(0.86, True), (0.82, False)])
def test_in_another_language_what_is_as_near_in_another_document_is_not_sure(other, refused):
    one = passage("The advice must arrive within 180 days.")
    two = passage("A model may be presented after 20 days.", DEVICES, rank=2)

    draft = compose(
        "Binnen hoeveel dagen moet een avis toekomen?",  # not in the glossary
        [one, two],
        similarity=lambda _, texts: [0.86 if "advice" in text else other for text in texts],
    )

    assert draft.refused == refused


def test_in_another_language_what_lacks_most_known_words_answers_only_when_it_is_very_near():
    asked = "Binnen hoeveel dagen moet een terugboeking beantwoord zijn?"
    other = compose(
        asked, [passage("The advice must arrive within 180 days.")], similarity=lambda _, t: [0.84] * len(t)
    )
    right = compose(
        asked, [passage("A chargeback is answered within 20 days.")], similarity=lambda _, t: [0.84] * len(t)
    )

    assert other.refused
    assert said(right) == ["A chargeback is answered within 20 days."]


def test_a_value_is_found_where_another_sentence_points_though_the_thing_is_named_only_there():
    pointer = passage(
        "For look-up secrets the verifier limits failed attempts as described in Section 5.2.2.",
        section=("5.1.2 Look-up secrets",),
    )
    value = passage(
        "The verifier shall limit consecutive failed attempts on a single account to no more than 100.",
        section=("5.2.2 Rate limiting",),
        rank=2,
    )

    draft = compose("How many consecutive failed attempts are allowed for a look-up secret?", [pointer, value])

    assert "no more than 100" in said(draft)[-1]


def test_a_question_that_finds_nothing_says_in_which_document_to_look_again():
    sheet = passage("The AX-1402 has three lock bits that can be left unprogrammed.")

    draft = compose("How often can the memory of the AX-1402 be erased?", [sheet])

    assert draft.refused
    assert draft.within is not None
    assert draft.within.query == "How often can the memory of the be erased?"


def test_a_sentence_beside_the_best_one_says_more_when_it_holds_more_of_the_question_and_a_value():
    question = analyse("After how much idle time is a session at AAL2 closed?")
    cuts = [cut(passage("At AAL2 it is 12 hours. A session is closed after 30 minutes of idle time. It is closed."), 0)]
    names, says, rest = sorted(
        score_all(question, rarity(question.terms, cuts), cuts), key=lambda scored: scored.unit.order
    )
    best = replace(names, own=0.3, coverage=0.5)
    more = replace(says, own=0.5, coverage=0.7)

    assert says_more(best, [best, more, rest]) is more
    assert says_more(more, [best, more, rest]) is None
    assert says_more(best, [replace(more, cut=1)]) is None  # of another passage
    assert says_more(best, [replace(more, fit=0.0)]) is None  # no value
