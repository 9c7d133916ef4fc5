"""The catalogue over a real MariaDB: looked up, timed out, and never written, though every path tries."""

from __future__ import annotations

import socket
import threading
import time
from dataclasses import replace
from decimal import Decimal

import pymysql
import pytest
from catalogue_legacy import MAPPING, statements
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from pincite.catalogue import Catalogue
from pincite.catalogue.connect import Address
from pincite.errors import CatalogueError, CatalogueUnavailable

TABLES = ("tblArtikel", "tblLeverancier", "tblOEM", "tblVoorraad", "tblVervangen")
WRITES = (
    "INSERT INTO tblOEM VALUES (9, 'X')",
    "UPDATE tblArtikel SET Prijs = 1",
    "DELETE FROM tblArtikel",
    "REPLACE INTO tblOEM VALUES (9, 'X')",
    "DROP TABLE tblOEM",
    "TRUNCATE TABLE tblOEM",
    "ALTER TABLE tblOEM ADD COLUMN x INT",
    "CREATE TABLE tblNieuw (x INT)",
    "CREATE INDEX i ON tblOEM (Nr)",
)


def as_root(server, database=None, **options):
    return pymysql.connect(host="127.0.0.1", port=server.port, user="root", database=database, **options)


@pytest.fixture(scope="module")
def database(mariadb):
    """As legacy databases are: MyISAM, latin1, zero dates; a reader's account and one that may do everything."""
    with as_root(mariadb, autocommit=True) as connection, connection.cursor() as cursor:
        cursor.execute("CREATE DATABASE parts CHARACTER SET latin1")
        cursor.execute("CREATE USER 'catalogue_ro'@'127.0.0.1' IDENTIFIED BY 'canary-ro'")
        cursor.execute("GRANT SELECT ON parts.* TO 'catalogue_ro'@'127.0.0.1'")
        cursor.execute("CREATE USER 'careless'@'127.0.0.1' IDENTIFIED BY 'canary-rw'")
        cursor.execute("GRANT ALL ON parts.* TO 'careless'@'127.0.0.1'")
        cursor.execute("USE parts")
        for sql, values in statements(price="DECIMAL(10,4)", date="DATE", zero="0000-00-00", mark="%s", quote="`"):
            cursor.execute(sql + (" ENGINE=MyISAM" if sql.startswith("CREATE") else ""), values)
    return mariadb


def catalogue(server, user="catalogue_ro", password="canary-ro", mapping=MAPPING, timeout_s=20.0, **options):
    query = "&".join(f"{name}={value}" for name, value in options.items())
    url = f"mysql://{user}@127.0.0.1:{server.port}/parts" + (f"?{query}" if query else "")
    return Catalogue(mapping, Address(url, password, timeout_s))


def checksums(server):
    with as_root(server, "parts") as connection, connection.cursor() as cursor:
        cursor.execute("CHECKSUM TABLE " + ", ".join(TABLES))
        sums = cursor.fetchall()
        cursor.execute("SHOW TABLES")
        return sums, cursor.fetchall()


def found(catalogue, query):
    return [(one.match, one.part.number) for one in catalogue.lookup(query).found]


def test_numbers_oem_numbers_spellings_and_words_are_looked_up(database):
    parts = catalogue(database)

    assert found(parts, "px-1044-a") == [("number", "PX-1044-A"), ("successor", "PX-1044-C")]
    assert found(parts, "70025458")[0] == ("oem", "PX-1044-A")
    assert found(parts, "OX 77 1") == [("spelling", "ZQ.9/2")]
    assert found(parts, "PX-1044-D") == []
    assert found(parts, "seal hqqe") == [("words", "PX-1044-B")]


@pytest.mark.parametrize("charset", ["utf8mb4", "latin1"])
def test_latin1_columns_are_read_whatever_the_connection_speaks(database, charset):
    part = catalogue(database, charset=charset).lookup("dichtungsring für").found[0].part

    assert (part.description, part.manufacturer) == ("Dichtungsring für Kreiselpumpe", "Müller & Söhne")
    assert (part.price, part.stock) == (Decimal("1234.5000"), 2)


def test_a_zero_date_says_nothing(database):
    mapping = replace(MAPPING, part=replace(MAPPING.part, model="Gewijzigd"))

    assert catalogue(database, mapping=mapping).lookup("PX-1044-C").found[0].part.model == ""
    assert catalogue(database, mapping=mapping).lookup("PX-1044-A").found[0].part.model == "2009-03-14"


def test_a_number_kept_as_a_number_is_no_match_for_a_text(database):
    # MySQL takes 'PX-1044-A' for 0 beside a column of numbers.
    mapping = replace(MAPPING, part=replace(MAPPING.part, number="ArtID"), supersession=None)

    assert found(catalogue(database, mapping=mapping), "PX-1044-A") == []
    assert found(catalogue(database, mapping=mapping), "2") == [("number", "2")]


@pytest.mark.parametrize("user", ["catalogue_ro", "careless"])
def test_no_path_writes_with_either_account(database, user):
    parts = catalogue(database, user, "canary-ro" if user == "catalogue_ro" else "canary-rw")
    before = checksums(database)
    refused = []

    for statement in WRITES:
        # What is asked for, in words and in names of the mapping.
        parts.lookup(f"x'; {statement}; -- ")
        evil = replace(MAPPING, part=replace(MAPPING.part, table=f"tblArtikel`; {statement}; -- "))
        with pytest.raises(CatalogueError):
            catalogue(database, user, parts._place.password, evil).lookup("PX-1044-A")
        with parts._reading() as reading:
            # Through the guard, by SQLAlchemy and by the driver's own text.
            for send in (
                lambda sql=statement: reading.connection.execute(text(sql)),
                lambda sql=statement: reading.connection.exec_driver_sql(sql),
                lambda sql=statement: reading.connection.exec_driver_sql(f"SELECT 1; {sql}"),
            ):
                with pytest.raises(CatalogueError, match="was not sent"):
                    send()
            # Past the guard, below SQLAlchemy: the transaction, or the account, or both.
            cursor = reading.connection.connection.cursor()
            with pytest.raises(pymysql.err.MySQLError) as error:
                cursor.execute(statement)
            refused.append(error.value.args[0])
            with pytest.raises(pymysql.err.MySQLError):
                cursor.execute(f"SELECT 1; {statement}")

    assert checksums(database) == before
    # 1792: cannot execute in a read only transaction; 1142: command denied to the user.
    assert set(refused) <= {1792, 1142, 1044}
    assert user != "careless" or set(refused) == {1792}


def test_the_account_alone_keeps_the_reader_from_writing(database):
    before = checksums(database)

    with (
        pymysql.connect(
            host="127.0.0.1", port=database.port, user="catalogue_ro", password="canary-ro", database="parts"
        ) as connection,
        connection.cursor() as cursor,
    ):
        for statement in WRITES:
            with pytest.raises(pymysql.err.MySQLError, match="denied"):
                cursor.execute(statement)

    assert checksums(database) == before


def test_no_file_is_read_or_written_for_a_server(database):
    with catalogue(database)._reading() as reading:
        cursor = reading.connection.connection.cursor()
        with pytest.raises(pymysql.err.MySQLError):
            cursor.execute("LOAD DATA LOCAL INFILE '/etc/hostname' INTO TABLE tblOEM")
        with pytest.raises(pymysql.err.MySQLError):
            cursor.execute("SELECT * FROM tblOEM INTO OUTFILE '/tmp/pincite-outfile'")


def test_the_doctor_names_what_an_account_may_do_besides_reading(database):
    assert "read-only transactions" in catalogue(database).check()

    with pytest.raises(CatalogueError, match="ALL PRIVILEGES") as error:
        catalogue(database, "careless", "canary-rw").check()
    assert "canary" not in str(error.value)


def test_a_slow_statement_is_given_up_and_the_next_question_is_answered(database):
    parts = catalogue(database, timeout_s=1)
    begun = time.monotonic()

    with pytest.raises(CatalogueUnavailable, match="could not be read"), parts._reading() as reading:
        endless = "SELECT count(*) FROM " + ", ".join(f"information_schema.columns c{n}" for n in range(6))
        reading.connection.execute(text(endless))

    assert time.monotonic() - begun < 60
    assert found(catalogue(database), "PX-1044-B")[0] == ("number", "PX-1044-B")


def test_a_locked_table_is_given_up(database):
    with as_root(database, "parts") as connection, connection.cursor() as cursor:
        cursor.execute("LOCK TABLES tblArtikel WRITE")

        with pytest.raises(CatalogueUnavailable):
            catalogue(database, timeout_s=1).lookup("PX-1044-A")

        cursor.execute("UNLOCK TABLES")


@pytest.mark.parametrize(
    ("user", "password", "said"), [("catalogue_ro", "canary-wrong", "denied"), ("nobody", "", "denied")]
)
def test_an_account_that_is_not_let_in_is_said_to_be(database, user, password, said):
    with pytest.raises(CatalogueUnavailable, match=said) as error:
        catalogue(database, user, password).lookup("PX-1044-A")

    assert "canary" not in str(error.value)


def test_a_server_that_is_not_there_or_says_nothing_is_given_up():
    class Port:
        port = 0

    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        Port.port = silent.getsockname()[1]
        with pytest.raises(CatalogueUnavailable):
            catalogue(Port, timeout_s=1).lookup("PX-1044-A")
        silent.listen()
        begun = time.monotonic()
        with pytest.raises(CatalogueUnavailable):
            catalogue(Port, timeout_s=1).lookup("PX-1044-A")
        assert time.monotonic() - begun < 60


def test_many_questions_at_once_share_four_connections(database):
    parts = catalogue(database)
    answers: list[object] = []

    def ask():
        answers.append(found(parts, "PX-1044-B")[0])

    threads = [threading.Thread(target=ask) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)

    assert answers == [("number", "PX-1044-B")] * 12


def test_a_connection_that_the_server_closed_is_replaced(database):
    parts = catalogue(database)
    assert found(parts, "PX-1044-B")

    with as_root(database) as connection, connection.cursor() as cursor:
        cursor.execute("SELECT id FROM information_schema.processlist WHERE user = 'catalogue_ro'")
        for (id_,) in cursor.fetchall():
            cursor.execute(f"KILL {id_}")

    assert found(parts, "PX-1044-B")[0] == ("number", "PX-1044-B")


def test_a_server_before_read_only_transactions_is_still_kept_from_writing_by_guard_and_account():
    from pincite.catalogue.connect import _mysql

    class Old:
        def __init__(self):
            self.sent: list[str] = []

        def execute(self, statement):
            self.sent.append(statement)

        def fetchall(self):
            return (("5.1.73-log",),)

    old = Old()
    _mysql(old, 5)

    assert old.sent == ["SELECT VERSION()"]


def test_an_error_of_the_driver_does_not_repeat_what_was_asked(database):
    wrong = replace(MAPPING, part=replace(MAPPING.part, price="Preis"))

    with pytest.raises(CatalogueError, match="Unknown column") as error:
        catalogue(database, mapping=wrong).lookup("secret-number-1")

    assert "secret-number-1" not in str(error.value)
    assert isinstance(error.value.__cause__, DBAPIError)


def test_the_same_rows_come_through_an_odbc_driver(database):
    pyodbc = pytest.importorskip("pyodbc")
    if "MariaDB Unicode" not in pyodbc.drivers():
        pytest.skip("no ODBC driver for MariaDB is installed: apt-get install odbc-mariadb")
    url = f"mysql+pyodbc://careless@127.0.0.1/parts?driver=MariaDB+Unicode&port={database.port}"
    parts = Catalogue(MAPPING, Address(url, "canary-rw", 20))
    before = checksums(database)

    assert found(parts, "px-1044-a") == [("number", "PX-1044-A"), ("successor", "PX-1044-C")]
    assert found(parts, "dichtungsring für") == [("words", "ZQ.9/2")]
    with parts._reading() as reading:
        with pytest.raises(CatalogueError, match="was not sent"):
            reading.connection.execute(text(WRITES[0]))
        for statement in WRITES:
            with pytest.raises(pyodbc.Error, match="READ ONLY"):
                reading.connection.connection.cursor().execute(statement)

    assert checksums(database) == before
