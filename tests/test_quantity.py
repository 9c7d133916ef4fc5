"""Values as printed in four languages, and when two of them are the same (faults.md F)."""

from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.quantity import (
    CURRENCIES,
    UNITS,
    Certification,
    Clock,
    Identifier,
    Moment,
    Quantity,
    Quarter,
    equality,
    is_rounding,
    normalise,
    parse,
    read,
    read_number,
    show,
)


def same(left, right, language="en", other=None):
    return equality(parse(left, language), parse(right, other or language))


def values(text, language="en"):
    return [found.value for found in read(text, language)]


@pytest.mark.parametrize(
    ("printed", "language", "number"),
    [
        ("3,5", "nl", "3.5"),
        ("3.5", "nl", "3.5"),
        ("1.450", "nl", "1450"),
        ("1 450", "nl", "1450"),
        ("1,450", "en", "1450"),
        ("1.450", "en", "1.45"),
        ("16.000", "nl", "16000"),
        ("16.000", "en", "16"),
        ("1.250,50", "de", "1250.5"),
        ("1'250.50", "de", "1250.5"),
        ("12 500,75", "fr", "12500.75"),
        ("0.125", "nl", "0.125"),
        ("2.50", "en", "2.5"),
    ],
)
def test_the_language_decides_what_a_separator_means(printed, language, number):
    assert read_number(printed, language) == {Decimal(number)}


def test_an_unknown_language_keeps_both_readings():
    assert read_number("1.450") == {Decimal("1.450"), Decimal("1450")}
    assert read_number("3,5") == {Decimal("3.5")}


def test_a_number_with_ill_formed_groups_is_none():
    assert read_number("1.23.456") == frozenset()
    assert read_number("1,2.345,6") == frozenset()


def test_the_same_value_in_two_languages_is_equal():
    assert same("1.450 rpm", "1,450 rpm", "nl", "en") == 1
    assert same("3,5 bar", "3.5 bar", "nl", "en") == 1
    assert same("0,20 %", "0.35 %", "nl", "en") == 0


def test_minus_signs_of_print_are_minus_signs():
    assert parse("−10 °C") == parse("-10 °C") == Quantity(frozenset({Decimal(-10)}), unit="°C")
    assert same("−10 °C", "10 °C") == 0


def test_units_of_another_dimension_are_never_equal():
    assert same("16 bar", "16 mm") == 0
    assert same("12 m3/h", "12 m³/h") == 1
    assert same("12 m³/h", "12 l/s") == 0


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("1.6 MPa", "16 bar"),
        ("36 m³/h", "10 l/s"),
        ("60 minutes", "1 hour"),
        ("12 months", "1 year"),
        ("50 °F", "10 °C"),
        ("20 bp", "0.2 %"),
        ("1500 mm", "1.5 m"),
        ("2.9 kW", "2900 W"),
        ("$4.6M", "USD 4,600,000"),
    ],
)
def test_a_conversion_is_exact(left, right):
    assert same(left, right) == 1


def test_a_business_day_is_no_day():
    assert same("5 business days", "5 days") == 0
    assert same("5 working days", "5 werkdagen", "en", "nl") == 1


def test_milli_is_not_mega():
    assert same("5 mW", "5 MW") == 0
    assert same("5 MW", "5000 kW") == 1


def test_part_numbers_and_classes_differ_by_their_last_sign():
    assert same("CRN 32-3", "CRN 32-4") == 0
    assert same("CRN 32-3", "CRN 323") == 0
    assert same("IE3", "IE5") == 0
    assert same("AC-17(4)", "AC 17(4)") == 1 or values("AC-17(4)")[0] == Identifier("AC17(4)")


def test_powers_of_ten_keep_their_exponent():
    assert parse("3 × 10⁻³ m") == Quantity(frozenset({Decimal("0.003")}), unit="m")
    assert same("3 × 10⁻³ m", "3 mm") == 1


def test_a_raised_footnote_mark_is_no_digit():
    assert values("16¹ bar")[0].readings == {Decimal(16)}
    assert values("Q = 12 m³/h¹")[0] == Quantity(frozenset({Decimal(12)}), unit="m3/h")


def test_inches_are_read_with_their_fraction():
    assert parse('1/2"') == Quantity(frozenset({Decimal("0.5")}), unit="inch")
    assert same('1½"', "38.1 mm") == 1


def test_a_tolerance_is_no_value_of_its_own():
    nominal, tolerance = values("230 V ± 5 %")

    assert nominal == Quantity(frozenset({Decimal(230)}), unit="V")
    assert tolerance.tolerance
    assert equality(parse("5 %"), tolerance) == 0


@pytest.mark.parametrize(
    ("printed", "language", "bound"),
    [
        ("≤ 16 bar", "en", "at most"),
        ("at least 16 bar", "en", "at least"),
        ("niet meer dan 16 bar", "nl", "at most"),
        ("ten minste 16 bar", "nl", "at least"),
        ("höchstens 16 bar", "de", "at most"),
        ("mehr als 16 bar", "de", "more than"),
        ("au moins 16 bar", "fr", "at least"),
        ("16 bar or more", "en", "at least"),
        ("16 bar au moins", "fr", "at least"),
        ("16 bar au plus", "fr", "at most"),
        ("16 bar nicht überschreiten", "de", "at most"),
        ("ne doit pas dépasser 16 bar", "fr", "at most"),
        ("inférieur ou égal à 16 bar", "fr", "at most"),
        ("inférieures à 16 bar", "fr", "less than"),
        ("supérieurs à 16 bar", "fr", "more than"),
        ("above 16 bar", "en", "more than"),
        ("below 16 bar", "en", "less than"),
        ("must not run for longer than 16 s", "en", "at most"),
        ("mag 16 s draaien, niet langer", "nl", "at most"),
    ],
)
def test_a_bound_belongs_to_the_value(printed, language, bound):
    (value,) = values(printed, language)

    assert value.bound == bound
    assert value != parse(f"16 {value.unit}")


@pytest.mark.parametrize("printed", ["4–20 mA", "4-20 mA", "4 to 20 mA", "4 … 20 mA"])
def test_a_range_hands_its_unit_to_its_left_end(printed):
    low, high = values(printed)

    assert (low.unit, low.end, high.unit, high.end) == ("mA", "low", "mA", "high")
    assert equality(high, low) == 0


def test_ligatures_do_not_hide_a_value_or_move_its_span():
    text = "The ﬁrst coeﬃcient is 3,5 m."

    (found,) = read(text, "nl")

    assert text[found.start : found.end] == "3,5 m"


def test_a_certificate_is_denied_by_the_words_around_it():
    assert values("not for use in ATEX zones") == [Certification("ATEX", negated=True)]
    assert values("ATEX-gecertificeerd", "nl") == [Certification("ATEX")]
    assert values("The pump is ATEX certified and it is not for ATEX zones")[0] == Certification("ATEX")
    assert values("The pump is ATEX certified The pump is not for ATEX zones")[0] == Certification("ATEX")
    assert values("ATEX is not available", "en") == [Certification("ATEX", negated=True)]
    assert values("The pump has no ATEX approval", "en") == [Certification("ATEX", negated=True)]
    assert values("zonder KIWA-keur", "nl") == [Certification("KIWA", negated=True)]
    assert values("It does not leak. ATEX certified.") == [Certification("ATEX")]


def test_dates_are_read_in_four_languages():
    day = Moment(frozenset({(2024, 3, 5)}))

    assert values("5 March 2024") == values("March 5, 2024") == [day]
    assert values("5 maart 2024", "nl") == values("5. März 2024", "de") == values("5 mars 2024", "fr") == [day]
    assert values("2024-03-05") == values("05-03-2024", "nl") == [day]
    assert equality(parse("5 March"), day) == 1
    assert equality(day, parse("5 March")) == 0.6


def test_month_and_day_in_figures_are_both_kept_in_english():
    (moment,) = values("05/03/2024")

    assert moment.readings == {(2024, 3, 5), (2024, 5, 3)}


def test_the_verb_may_is_no_month():
    assert values("10 may apply") == [Quantity(frozenset({Decimal(10)}))]


def test_clock_times_and_quarters():
    assert values("1:34 PM") == [Clock(13, 34)]
    assert values("Q3 2024") == [Quarter(3, 2024)]


def test_references_say_the_same_in_every_language():
    assert values("Artikel 12", "nl") == values("Article 12") == [Identifier("12", "ARTICLE")]
    assert values("3.1.15") == [Identifier("3.1.15", "SECTION")]
    assert same("SP 800-53", "SP 800-54") == 0
    assert same("EN 10204", "ISO 10204") == 0.3


def test_a_unit_alone_is_no_identifier_and_a_web_address_no_number():
    assert values("Q [m³/h], see https://example.org/2024/03 and {{3}}") == []


def test_words_of_one_language_are_no_numbers_in_another():
    assert values("ten aanzien van onze klanten", "nl") == []
    assert values("ten days") == [Quantity(frozenset({Decimal(10)}), unit="day")]
    assert values("vierentwintig uur", "nl") == [Quantity(frozenset({Decimal(24)}), unit="h")]


def test_a_rounding_is_recognised_but_not_equal():
    assert is_rounding(parse("3.9 m"), parse("3.87 m"))
    assert same("3.9 m", "3.87 m") == 0
    assert not is_rounding(parse("3.87 m"), parse("3.9 m"))


def test_a_number_in_groups_may_be_several_numbers():
    found = read("20 000 000")

    assert [f.parts for f in found] == [False, True, True, True] or [f.parts for f in found].count(False) == 1


NUMBERS = st.decimals(min_value=-999_999, max_value=999_999, allow_nan=False, allow_infinity=False, places=2)
LANGUAGES = st.sampled_from(["en", "nl", "de", "fr"])
BOUNDS = st.sampled_from(["", "at least", "at most", "more than", "less than"])


@given(
    NUMBERS, st.sampled_from(sorted(UNITS.keys() - {"ordinal", "decade", "x", "B", "t", "°", "an"})), BOUNDS, LANGUAGES
)
def test_a_quantity_is_read_back_as_it_was_shown(number, unit, bound, language):
    value = Quantity(frozenset({number}), unit=unit, bound=bound)

    assert parse(show(value, language), language) == value


@given(NUMBERS, st.sampled_from(sorted(set(CURRENCIES.values()) - {"FRF"})), LANGUAGES)
def test_an_amount_is_read_back_as_it_was_shown(number, currency, language):
    value = Quantity(frozenset({number}), currency=currency)

    assert parse(show(value, language), language) == value


@given(st.dates(min_value=date(1900, 1, 1), max_value=date(2099, 12, 31)))
def test_a_date_is_read_back_as_it_was_shown(day):
    value = Moment(frozenset({(day.year, day.month, day.day)}))

    assert parse(show(value)) == value


@given(st.integers(0, 23), st.integers(0, 59))
def test_a_time_is_read_back_as_it_was_shown(hour, minute):
    value = Clock(hour, minute)

    assert parse(show(value)) == value


@given(st.text(max_size=60))
def test_spans_lie_in_the_text_and_reading_never_fails(text):
    for found in read(text):
        assert 0 <= found.start <= found.end <= len(text)


@given(st.text(alphabet="aé1½³⁻ﬁ−\u00ad\u0301 .B", max_size=40))
def test_normalising_keeps_a_way_back_for_every_character(text):
    normal = normalise(text)

    for index in range(len(normal.text)):
        start, end = normal.span(index, index + 1)
        assert 0 <= start < end <= len(text)


@pytest.mark.parametrize(
    ("printed", "language"),
    [
        ("may deviate by 2 %", "en"),
        ("mag 2 % afwijken", "nl"),
        ("afwijking ten hoogste 2 %", "nl"),
        ("darf um 2 % abweichen", "de"),
        ("tolérance de 2 %", "fr"),
    ],
)
def test_a_deviation_in_words_is_one_in_signs(printed, language):
    assert values(printed, language) == values("± 2 %", language)


@pytest.mark.parametrize(
    ("printed", "language"),
    [
        ("third quarter of 2025", "en"),
        ("3e kwartaal 2025", "nl"),
        ("derde kwartaal van 2025", "nl"),
        ("3. Quartal 2025", "de"),
        ("T3 2025", "fr"),
        ("troisième trimestre 2025", "fr"),
    ],
)
def test_a_quarter_is_read_in_four_languages(printed, language):
    assert values(printed, language) == [Quarter(3, 2025)]


def test_currencies_are_read_in_words():
    assert values("24 francs suisses", "fr") == values("24 Swiss francs") == values("CHF 24")
    assert values("24 pounds sterling") == values("£24")
    assert equality(parse("24 euros"), parse("24 francs suisses")) == 0


@given(st.integers(10**6, 10**10))
def test_thousands_with_points_are_no_section_number(number):
    printed = f"{number:,}".replace(",", ".")

    assert equality(*values(printed, "de"), *values(f"{number:,}", "en")) == 1


def test_a_number_with_a_unit_is_no_reference():
    assert values("Noise level 71 dB(A)") == values("71 dB(A)")
    assert values("level 3") == [Identifier("3", "LEVEL")]


def test_paragraphs_are_counted_in_words_too():
    assert values("eerste lid", "nl") == values("lid 1", "nl") == [Identifier("1", "PARAGRAPH")]
    assert values("paragraphe 3", "fr") == [Identifier("3", "PARAGRAPH")]
