"""The catalogue over a real PostgreSQL."""

from __future__ import annotations

from decimal import Decimal

import pg8000.dbapi
import pytest
from catalogue_legacy import MAPPING, statements
from sqlalchemy import text

from pincite.catalogue import Catalogue
from pincite.catalogue.connect import Address
from pincite.errors import CatalogueError, CatalogueUnavailable

WRITES = (
    "INSERT INTO \"tblOEM\" VALUES (9, 'X')",
    'UPDATE "tblArtikel" SET "Prijs" = 1',
    'DELETE FROM "tblArtikel"',
    'DROP TABLE "tblOEM"',
    'TRUNCATE "tblOEM"',
    "CREATE TABLE nieuw (x INT)",
)


@pytest.fixture(scope="module")
def database(postgresql):
    root = pg8000.dbapi.connect("postgres", host="127.0.0.1", port=postgresql.port)
    cursor = root.cursor()
    for sql, values in statements(price="NUMERIC", date="DATE", zero=None, mark="%s"):
        cursor.execute(sql, values)
    for user in ("catalogue_ro", "careless"):
        cursor.execute(f"CREATE USER {user}")
        cursor.execute(f"GRANT SELECT ON ALL TABLES IN SCHEMA public TO {user}")
    cursor.execute("GRANT INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO careless")
    root.commit()
    root.close()
    return postgresql


def catalogue(server, user="catalogue_ro", timeout_s=20.0):
    return Catalogue(MAPPING, Address(f"postgresql://{user}@127.0.0.1:{server.port}/postgres", timeout_s=timeout_s))


def found(catalogue, query):
    return [(one.match, one.part.number) for one in catalogue.lookup(query).found]


def test_numbers_oem_numbers_spellings_and_words_are_looked_up(database):
    parts = catalogue(database)

    assert found(parts, "px-1044-a") == [("number", "PX-1044-A"), ("successor", "PX-1044-C")]
    assert found(parts, "OX/77-1") == [("oem", "ZQ.9/2")]
    assert found(parts, "PX 1044 B") == [("spelling", "PX-1044-B")]
    assert found(parts, "PX-1044-D") == []
    assert found(parts, "DICHTUNGSRING kreisel") == [("words", "ZQ.9/2")]
    assert parts.lookup("ZQ.9/2").found[0].part.price == Decimal("1234.50")


@pytest.mark.parametrize("user", ["catalogue_ro", "careless", "postgres"])
def test_no_path_writes_with_any_account(database, user):
    parts = catalogue(database, user)

    for statement in WRITES:
        parts.lookup(f"x'; {statement}; -- ")
        with parts._reading() as reading:
            with pytest.raises(CatalogueError, match="was not sent"):
                reading.connection.execute(text(statement))
            with pytest.raises(pg8000.dbapi.DatabaseError, match=r"read-only transaction|permission denied|owner"):
                reading.connection.connection.cursor().execute(statement)

    assert found(catalogue(database), "PX-1044-B")[0] == ("number", "PX-1044-B")


def test_the_doctor_names_what_an_account_may_do_besides_reading(database):
    assert "read-only transactions" in catalogue(database).check()
    with pytest.raises(CatalogueError, match="DELETE, INSERT, UPDATE"):
        catalogue(database, "careless").check()
    with pytest.raises(CatalogueError, match="superuser"):
        catalogue(database, "postgres").check()


def test_a_slow_statement_is_given_up(database):
    with pytest.raises(CatalogueUnavailable), catalogue(database, timeout_s=1)._reading() as reading:
        endless = "SELECT count(*) FROM " + ", ".join(f"information_schema.columns c{n}" for n in range(6))
        reading.connection.execute(text(endless))
