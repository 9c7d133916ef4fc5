"""How numbers are compared, values read, and statements let through: pure."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.catalogue.guard import check_statement
from pincite.catalogue.part import EXACT, Found, Part, bare, folded, match_of, numbers_in, ranked
from pincite.catalogue.values import number_of, price_text, stock_text, text_of
from pincite.errors import CatalogueError

NUMBERS = st.from_regex(r"[A-Z]{1,3}[-./]?[0-9]{2,5}([-./][A-Z0-9]{1,3})?", fullmatch=True)


def part(number, oem=(), description=""):
    return Part(number, tuple(oem), "", "", description, (), (), None, None, "", f"t id={number}", "")


@given(NUMBERS)
def test_a_number_is_found_exactly_however_its_case_and_dashes_are_written(number):
    asked = f"  {number.lower().replace('-', '–')} "

    assert match_of(asked, part(number)) == "number"
    assert match_of(asked, part("QQQQQQ", [number])) == "oem"


@given(NUMBERS, NUMBERS)
def test_a_match_is_exact_only_of_the_number_itself(asked, other):
    if folded(asked) != folded(other):
        assert match_of(asked, part(other)) not in EXACT
    if bare(asked) not in bare(other):
        assert match_of(asked, part(other)) is None


def test_a_number_that_is_followed_by_something_may_be_another_one_with_that_suffix():
    found = [Found(one, match) for one in map(part, ["PX-1044", "PX-1044-B"]) if (match := match_of("PX-1044 B", one))]

    assert [(one.part.number, one.match) for one in ranked(found)] == [("PX-1044", "number"), ("PX-1044-B", "spelling")]


@given(st.lists(st.tuples(NUMBERS, st.sampled_from(["number", "oem", "successor", "spelling", "similar", "words"]))))
def test_ranking_invents_nothing_and_mixes_no_fuzzy_row_with_an_exact_one(rows):
    found = [Found(part(number), match) for number, match in rows]

    kept = ranked(found)

    assert all(one in found for one in kept)
    assert bool(kept) == bool(found)
    assert not {one.match for one in kept} & {"similar", "words"} or len({one.match for one in kept}) == 1
    if any(one.match in EXACT for one in found):
        assert {one for one in found if one.match in EXACT} == {one for one in kept if one.match in EXACT}


def test_a_speed_in_a_sentence_is_no_part_number():
    assert numbers_in("seal for 2900 rpm")[1:] == ()
    assert numbers_in("2900") == ("2900",)


@given(st.decimals(min_value=0, max_value=10**7, places=4))
def test_a_price_is_shown_as_the_number_that_it_is(price):
    assert Decimal(price_text(price)) == price
    assert number_of(price_text(price, ","), ",") == price
    assert Decimal(stock_text(price)) == price


@pytest.mark.parametrize(
    ("text", "decimal", "value"),
    [
        ("1.234,50", ",", "1234.50"),
        ("1,234.50", ".", "1234.50"),
        ("12,5", ".", None),
        ("12.5", ",", None),
        ("1.234", ",", "1234"),
        ("on request", ".", None),
        ("12 EUR", ".", None),
        ("", ".", None),
        ("-3", ".", "-3"),
        ("1.2.3", ".", None),
    ],
)
def test_a_number_kept_as_text_is_read_in_one_way_or_not_at_all(text, decimal, value):
    assert number_of(text, decimal) == (None if value is None else Decimal(value))


def test_numbers_of_every_type_of_column_are_read():
    assert number_of(12.35) == Decimal("12.35")
    assert number_of(Decimal("12.350")) == Decimal("12.350")
    assert number_of(float("nan")) is None
    assert number_of(Decimal("Infinity")) is None
    assert number_of(True) is None


@pytest.mark.parametrize("zero", ["0000-00-00", "0000-00-00 00:00:00", b"0000-00-00", "01/00/00 00:00:00"])
def test_the_zero_date_says_nothing(zero):
    assert text_of(zero) == ""


def test_texts_are_one_line_without_control_characters():
    assert text_of("Shaft\x00seal\r\n 22 mm\x1b[31m") == "Shaft seal 22 mm [31m"
    assert text_of("Dichtung für Gehäuse".encode("latin-1")) == "Dichtung für Gehäuse"
    assert text_of(date(2009, 3, 14)) == "2009-03-14"
    assert text_of(datetime(2009, 3, 14, 8)) == "2009-03-14 08:00:00"
    assert text_of(1044.0) == "1044"


WRITES = [
    "INSERT INTO parts VALUES (1)",
    "UPDATE parts SET price = 0",
    "DELETE FROM parts",
    "REPLACE INTO parts VALUES (1)",
    "DROP TABLE parts",
    "TRUNCATE parts",
    "SELECT 1; DELETE FROM parts",
    "SELECT * FROM parts INTO OUTFILE '/tmp/x'",
    "SELECT * INTO copy FROM parts",
    "SELECT * FROM parts FOR UPDATE",
    "SELECT * FROM parts LOCK IN SHARE MODE",
    "WITH gone AS (DELETE FROM parts RETURNING *) SELECT * FROM gone",
    "SELECT /*! SLEEP(5) */ 1",
    "SELECT 1 -- ' \n; DELETE FROM parts",
    "SELECT 'a\\'; DELETE FROM parts; -- '",
    "SELECT sleep(10)",
    "SELECT pg_terminate_backend(1)",
    "SELECT lo_import('x')",
    "SELECT nextval('s')",
    "SELECT load_extension('x')",
    "SET SESSION TRANSACTION READ WRITE",
    "PRAGMA query_only = OFF",
    "CALL tidy()",
    "EXEC xp_cmdshell 'x'",
    "BEGIN; COMMIT",
    "COMMIT",
    "",
]


@pytest.mark.parametrize("statement", WRITES)
def test_what_does_more_than_select_is_not_sent(statement):
    with pytest.raises(CatalogueError, match="was not sent"):
        check_statement(statement)


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT `update`, `delete` FROM `drop` WHERE `set` = %(set_1)s",
        'SELECT "into" FROM "insert" WHERE "a;b" = $1',
        "SELECT [lock] FROM [share] WHERE x LIKE '%' + :p + '%' ESCAPE '/'",
        "select replace(upper(number), %(a)s, %(b)s) from parts limit 8",
    ],
)
def test_names_may_be_any_word_when_they_are_quoted(statement):
    check_statement(statement)
