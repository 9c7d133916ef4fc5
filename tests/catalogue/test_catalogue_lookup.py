"""Lookups in a legacy schema, on SQLite: the same statements run on MariaDB and PostgreSQL in tests/databases."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal

import pytest
from catalogue_legacy import MAPPING, statements
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pincite.catalogue import Catalogue
from pincite.catalogue.connect import Address
from pincite.catalogue.mapping import JoinedTable, OemNumbers, Supersession
from pincite.errors import CatalogueError, CatalogueUnavailable, UsageError

NOW = datetime(2026, 12, 1, 9, 30, tzinfo=UTC)


@pytest.fixture(scope="module")
def database(tmp_path_factory):
    file = tmp_path_factory.mktemp("catalogue") / "parts.db"
    with sqlite3.connect(file) as connection:
        for sql, values in statements(price="TEXT", date="TEXT", zero="0000-00-00", mark="?"):
            connection.execute(sql, values)
    return file


@pytest.fixture
def catalogue(database):
    return Catalogue(MAPPING, Address(f"sqlite:///{database}"), now=lambda: NOW)


def matches(catalogue, query):
    return [(one.match, one.part.number) for one in catalogue.lookup(query).found]


def test_a_part_number_finds_its_row_with_all_that_other_tables_say(catalogue):
    part = catalogue.lookup("PX-1044-A").found[0].part

    assert (part.number, part.manufacturer, part.model) == ("PX-1044-A", "Noord Seals", "TP 32")
    assert part.description == "Shaft seal 22 mm"
    assert part.oem_numbers == ("70011844", "70025458")
    assert (part.price, part.currency, part.stock) == (Decimal("98.00"), "EUR", 3)
    assert part.superseded_by == ("PX-1044-B", "PX-1044-C")
    assert (part.key, part.read_at) == ("tblArtikel ArtID=1", "2026-12-01T09:30:00+00:00")


def test_case_white_space_and_kinds_of_dashes_do_not_make_another_number(catalogue):
    assert matches(catalogue, " px–1044-b ")[0] == ("number", "PX-1044-B")


def test_an_exact_number_keeps_every_similar_one_away_but_brings_what_superseded_it(catalogue):
    assert matches(catalogue, "PX-1044-A") == [("number", "PX-1044-A"), ("successor", "PX-1044-C")]


def test_a_number_that_is_only_part_of_others_is_said_to_be_similar(catalogue):
    assert matches(catalogue, "PX-1044") == [
        ("similar", "PX-1044-A"),
        ("similar", "PX-1044-B"),
        ("similar", "PX-1044-C"),
    ]


def test_a_wrong_suffix_finds_nothing(catalogue):
    assert matches(catalogue, "PX-1044-D") == []


@pytest.mark.parametrize("query", ["PX 1044 B", "px1044b", "PX.1044/B"])
def test_another_spelling_of_the_separators_is_said_to_be_one(catalogue, query):
    assert matches(catalogue, query) == [("spelling", "PX-1044-B")]


def test_an_oem_number_is_found_in_a_column_of_several_and_in_a_table_of_its_own(catalogue):
    assert matches(catalogue, "70025458")[0] == ("oem", "PX-1044-A")
    assert matches(catalogue, "ox/77-1") == [("oem", "ZQ.9/2")]
    assert matches(catalogue, "OX 77 1") == [("spelling", "ZQ.9/2")]


def test_a_piece_of_an_oem_number_is_no_oem_number(catalogue):
    assert [match for match, _ in matches(catalogue, "7002545")] == ["similar"]


def test_words_find_parts_that_say_all_of_them(catalogue):
    assert matches(catalogue, "seal tp HQQE") == [("words", "PX-1044-B")]
    assert matches(catalogue, "DICHTUNGSRING FÜR") == [("words", "ZQ.9/2")]
    assert matches(catalogue, "seal for a submarine") == []


def test_a_number_in_a_sentence_is_looked_up(catalogue):
    assert matches(catalogue, "What does the PX-1044-C cost?") == [("number", "PX-1044-C")]


def test_a_price_of_zero_is_no_price_and_a_stock_of_zero_is_a_stock(catalogue):
    part = catalogue.lookup("PX-1044-C").found[0].part

    assert (part.price, part.currency, part.stock) == (None, "", 0)


def test_rows_that_do_not_count_are_not_there(catalogue):
    assert matches(catalogue, "ALT-77") == []


def test_a_part_that_supersedes_itself_is_superseded_by_nothing(catalogue):
    assert catalogue.lookup("ZQ.9/2").found[0].part.superseded_by == ()


def test_a_circle_of_supersessions_ends(database, tmp_path):
    file = tmp_path / "circle.db"
    file.write_bytes(database.read_bytes())
    with sqlite3.connect(file) as connection:
        connection.execute("INSERT INTO tblVervangen VALUES (3, 1)")
    catalogue = Catalogue(MAPPING, Address(f"sqlite:///{file}"))

    part = catalogue.lookup("PX-1044-B").found[0].part

    assert part.superseded_by == ("PX-1044-C", "PX-1044-A")


def test_a_chain_in_a_column_of_the_part_is_followed_too(database, tmp_path):
    file = tmp_path / "column.db"
    file.write_bytes(database.read_bytes())
    with sqlite3.connect(file) as connection:
        connection.execute("ALTER TABLE tblArtikel ADD COLUMN VervDoor TEXT")
        connection.execute("UPDATE tblArtikel SET VervDoor = 'PX-1044-B' WHERE ArtID = 1")
        connection.execute("UPDATE tblArtikel SET VervDoor = 'PX-1044-C' WHERE ArtID = 2")
        connection.execute("UPDATE tblArtikel SET VervDoor = '' WHERE ArtID = 3")
    catalogue = Catalogue(replace(MAPPING, supersession=Supersession(column="VervDoor")), Address(f"sqlite:///{file}"))

    found = catalogue.lookup("PX-1044-A").found

    assert found[0].part.superseded_by == ("PX-1044-B", "PX-1044-C")
    assert [(one.match, one.part.number) for one in found[1:]] == [("successor", "PX-1044-C")]
    assert found[1].part.supersedes == ("PX-1044-B", "PX-1044-A")


def test_two_stocks_of_one_part_are_no_stock(database, tmp_path):
    file = tmp_path / "stocks.db"
    file.write_bytes(database.read_bytes())
    with sqlite3.connect(file) as connection:
        connection.execute("INSERT INTO tblVoorraad VALUES (2, 90)")
    catalogue = Catalogue(MAPPING, Address(f"sqlite:///{file}"))

    found = catalogue.lookup("PX-1044-B").found

    assert [one.part.number for one in found] == ["PX-1044-B", "PX-1044-C"]
    assert found[0].part.stock is None


def test_at_most_eight_rows_come_and_more_are_announced(tmp_path):
    file = tmp_path / "many.db"
    with sqlite3.connect(file) as connection:
        for sql, values in statements(price="TEXT", date="TEXT", zero="", mark="?"):
            connection.execute(sql, values)
        for n in range(40):
            row = (100 + n, f"VV-{n:04}", "Valve", None, "", 1, "1.00", None, "", 1)
            connection.execute(f"INSERT INTO tblArtikel VALUES ({', '.join('?' * 10)})", row)
    found = Catalogue(MAPPING, Address(f"sqlite:///{file}")).lookup("valve")

    assert [one.part.number for one in found.found] == [f"VV-{n:04}" for n in range(8)]
    assert found.more


@given(query=st.text(max_size=40) | st.sampled_from(["'; DROP TABLE tblArtikel; --", "%", "_", "\\", "1 OR 1=1", "*"]))
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_whatever_is_asked_every_row_that_comes_answers_to_it_and_nothing_is_changed(catalogue, database, query):
    before = database.read_bytes()

    try:
        found = catalogue.lookup(query).found
    except UsageError:
        found = ()

    assert len(found) <= 8
    assert all(one.part.number for one in found)
    assert database.read_bytes() == before


def test_a_name_in_the_mapping_is_a_name_and_no_sql(database):
    evil = 'tblArtikel"; DROP TABLE tblOEM; --'
    catalogue = Catalogue(replace(MAPPING, part=replace(MAPPING.part, table=evil)), Address(f"sqlite:///{database}"))

    with pytest.raises(CatalogueError, match="not as the mapping says"):
        catalogue.lookup("PX-1044-A")

    with sqlite3.connect(database) as connection:
        assert connection.execute("SELECT count(*) FROM tblOEM").fetchone() == (2,)


@pytest.mark.parametrize(
    "wrong",
    [
        replace(MAPPING, part=replace(MAPPING.part, price="Preis")),
        replace(MAPPING, joins=(JoinedTable(table="tblNergens", name="lev", on={"LevID": "LevID"}), MAPPING.joins[1])),
        replace(MAPPING, oem=OemNumbers(table="tblOEM", part="ArtID", by="ArtID", number="Nummer")),
    ],
)
def test_a_table_or_column_that_is_not_there_is_named(database, wrong):
    with pytest.raises(CatalogueError, match=r"no such (table|column).*correct \[catalogue\]"):
        Catalogue(wrong, Address(f"sqlite:///{database}")).check()


def test_a_database_that_is_gone_is_said_to_be_unreadable_and_is_not_made(tmp_path):
    file = tmp_path / "gone.db"

    with pytest.raises(CatalogueUnavailable, match="could not be read"):
        Catalogue(MAPPING, Address(f"sqlite:///{file}")).lookup("PX-1044-A")

    assert not file.exists()


def test_a_statement_that_takes_too_long_is_given_up(database):
    slow = Catalogue(MAPPING, Address(f"sqlite:///{database}", timeout_s=0.2))

    with pytest.raises(CatalogueUnavailable), slow._reading() as reading:
        from sqlalchemy import text

        endless = "SELECT count(*) FROM tblArtikel a" + "".join(f", tblArtikel b{n}" for n in range(24))
        reading.connection.execute(text(endless)).fetchall()


def test_an_empty_query_is_refused(catalogue):
    with pytest.raises(UsageError):
        catalogue.lookup("  ?! ")


def test_a_password_in_the_address_is_refused_and_not_repeated():
    catalogue = Catalogue(MAPPING, Address("mysql://ro:canary-7@127.0.0.1/parts"))

    with pytest.raises(CatalogueError) as error:
        catalogue.lookup("PX-1044-A")

    assert "canary-7" not in str(error.value)


@pytest.mark.parametrize("url", ["nonsense", "oracle7://x/y", "mysql://ro@127.0.0.1:notaport/x"])
def test_an_address_that_is_none_is_said_to_be_one(url):
    with pytest.raises(CatalogueError, match=r"catalogue\.url"):
        Catalogue(MAPPING, Address(url)).lookup("PX-1044-A")
