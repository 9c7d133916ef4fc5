"""A connection that only reads, whatever the database: the session's transactions, the guard, and short patience.

The account is the first of the three, and not made here: docs/catalogue.md says how, `writes_allowed` looks at it.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import quote

from sqlalchemy import URL, Connection, Engine, NullPool, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError, SQLAlchemyError

from pincite.catalogue.guard import check_statement
from pincite.errors import CatalogueError, CatalogueUnavailable

AT_ONCE = 4
"""Connections to a catalogue at a time: it has work of its own."""

_DRIVERS = {
    "mysql": "mysql+pymysql",
    "mariadb": "mysql+pymysql",
    "postgresql": "postgresql+pg8000",
    "postgres": "postgresql+pg8000",
}


@dataclass(frozen=True, slots=True)
class Address:
    """Where the database is."""

    url: str
    """As SQLAlchemy writes it, without the password: ``mysql://catalogue_ro@db.example.net/parts?charset=latin1``."""
    password: str = field(default="", repr=False)
    timeout_s: float = 5.0
    """Of connecting, and of one statement."""


class Cursor(Protocol):
    def execute(self, statement: str, /) -> object: ...
    def fetchall(self) -> Any: ...
    def close(self) -> None: ...


def connect(address: Address) -> Engine:
    """The engine of a catalogue; nothing is connected yet.

    Raises:
        CatalogueError: The address is no address, or names a driver that is not installed.
    """
    try:
        url = make_url(address.url)
        if url.password is not None:
            raise CatalogueError(
                "catalogue.url must not hold a password: give it as catalogue.password or PINCITE_CATALOGUE__PASSWORD"
            )
        if url.drivername == "sqlite":
            return _guarded(_sqlite(Path(url.database or ""), address.timeout_s), address.timeout_s)
        url = url.set(drivername=_DRIVERS.get(url.drivername, url.drivername))
        if address.password:
            url = url.set(password=address.password)
        return _guarded(
            create_engine(
                url,
                pool_size=AT_ONCE,
                max_overflow=0,
                pool_timeout=address.timeout_s,
                pool_pre_ping=True,
                pool_recycle=300,
                connect_args=_patience(url, address.timeout_s),
            ),
            address.timeout_s,
        )
    except (ArgumentError, NoSuchModuleError, ValueError) as error:
        raise CatalogueError(
            f"catalogue.url cannot be used ({_first_line(error)}): mysql://, postgresql://, sqlite:/// or mssql+pyodbc://"
        ) from error
    except ImportError as error:
        raise CatalogueError(f"catalogue.url needs the driver {error.name}, which is not installed") from error


def _patience(url: URL, seconds: float) -> dict[str, Any]:
    whole = max(1, round(seconds))
    match url.drivername:
        case "mysql+pymysql":
            timeouts = {"connect_timeout": whole, "read_timeout": whole, "write_timeout": whole}
            return timeouts | {"local_infile": False}
        case "postgresql+pg8000":
            return {"timeout": seconds}
        case driver if driver.endswith("+pyodbc"):
            return {"timeout": whole, "readonly": True}
        case _:
            return {}


def sqlite_engine(file: Path) -> Engine:
    """The engine of a file that nobody else changes meanwhile: an export that was read in."""
    return _guarded(_sqlite(file, 30), 30)


def _sqlite(file: Path, timeout_s: float) -> Engine:
    def opened() -> sqlite3.Connection:
        if not file.is_file():
            # SQLite would make an empty one.
            raise sqlite3.OperationalError(f"there is no file {file}")
        return sqlite3.connect(
            f"file:{quote(str(file.absolute()))}?mode=ro", uri=True, timeout=timeout_s, check_same_thread=False
        )

    return create_engine("sqlite://", creator=opened, poolclass=NullPool)


def _guarded(engine: Engine, timeout_s: float) -> Engine:
    prepare = _SESSIONS.get(engine.dialect.name)

    def begin_session(connection: Any, _: object) -> None:
        # Below SQLAlchemy, where the guard is not asked: these are the only words that set anything.
        if prepare is not None:
            cursor = connection.cursor()
            try:
                prepare(cursor, timeout_s)
            finally:
                cursor.close()
            connection.commit()
        if engine.dialect.driver == "pyodbc":
            connection.timeout = max(1, round(timeout_s))

    def guard(_c: object, _cursor: object, statement: str, *_: object) -> None:
        check_statement(statement)

    event.listen(engine, "connect", begin_session)
    event.listen(engine, "before_cursor_execute", guard)
    return engine


def _mysql(cursor: Cursor, seconds: float) -> None:
    cursor.execute("SELECT VERSION()")
    said = str(cursor.fetchall()[0][0])
    if version_of(said) >= (5, 6, 5):
        cursor.execute("SET SESSION TRANSACTION READ ONLY")
    if "mariadb" in said.lower():
        cursor.execute(f"SET SESSION max_statement_time = {seconds:.3f}")
    elif version_of(said) >= (5, 7, 8):
        cursor.execute(f"SET SESSION max_execution_time = {round(seconds * 1000)}")


def _postgresql(cursor: Cursor, seconds: float) -> None:
    cursor.execute("SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY")
    cursor.execute(f"SET statement_timeout = {round(seconds * 1000)}")


def _sqlite_session(cursor: Cursor, _: float) -> None:
    cursor.execute("PRAGMA query_only = ON")


_SESSIONS: dict[str, Callable[[Cursor, float], None]] = {
    "mysql": _mysql,
    "mariadb": _mysql,
    "postgresql": _postgresql,
    "sqlite": _sqlite_session,
}


def version_of(said: str) -> tuple[int, ...]:
    """The version that a server says it has; MariaDB 10 and later calls itself 5.5.5 to old clients.

    >>> version_of("5.5.5-10.11.6-MariaDB-0+deb12u1"), version_of("5.1.73-log")
    ((10, 11, 6), (5, 1, 73))
    """
    found = re.search(r"(\d+)\.(\d+)\.(\d+)", said.removeprefix("5.5.5-"))
    return tuple(map(int, found.groups())) if found else (0,)


def reads_only(connection: Connection) -> bool:
    """Whether the database refuses to write in this session's transactions, as it says itself."""
    if connection.dialect.name == "sqlite":
        return True
    cursor = connection.connection.cursor()
    try:
        match connection.dialect.name:
            case "mysql" | "mariadb":
                cursor.execute("SHOW VARIABLES WHERE Variable_name IN ('transaction_read_only', 'tx_read_only')")
                return any(str(row[1]).upper() == "ON" for row in cursor.fetchall())
            case "postgresql":
                cursor.execute("SHOW transaction_read_only")
                return cursor.fetchall()[0][0] == "on"
            case _:
                return False
    finally:
        cursor.close()


def writes_allowed(connection: Connection, tables: tuple[str, ...]) -> str:
    """What the account may do besides reading, as the server says; "" when nothing, or when it cannot be asked."""
    cursor = connection.connection.cursor()
    try:
        match connection.dialect.name:
            case "mysql" | "mariadb":
                cursor.execute("SHOW GRANTS")
                return ", ".join(dict.fromkeys(w for row in cursor.fetchall() for w in _granted(str(row[0]))))
            case "postgresql":
                cursor.execute("SELECT rolsuper FROM pg_roles WHERE rolname = current_user")
                if cursor.fetchall()[0][0]:
                    return "everything: it is a superuser"
                listed = ", ".join("'" + table.replace("'", "''") + "'" for table in tables)
                cursor.execute(
                    "SELECT DISTINCT privilege_type FROM information_schema.role_table_grants WHERE privilege_type "
                    f"NOT IN ('SELECT', 'REFERENCES') AND table_name IN ({listed}) ORDER BY privilege_type"
                )
                return ", ".join(str(row[0]) for row in cursor.fetchall())
            case _:
                return ""
    finally:
        cursor.close()


_HARMLESS = re.compile(r"SELECT(?: ?\([^)]*\))?|USAGE|SHOW VIEW|SHOW DATABASES|REFERENCES|PROCESS")


def _granted(grant: str) -> list[str]:
    """Privileges of one line of SHOW GRANTS that do more than read."""
    found = re.match(r"GRANT (.+?) ON ", grant)
    return [one for one in re.split(r", (?![^(]*\))", found.group(1)) if not _HARMLESS.fullmatch(one)] if found else []


def said_by(error: SQLAlchemyError | sqlite3.Error, where: str) -> CatalogueError:
    """What went wrong, in a sentence: the mapping, or a database that does not answer."""
    why = _first_line(error.orig if isinstance(error, DBAPIError) and error.orig else error)
    if _WRONG_NAME.search(why):
        return CatalogueError(f"{where} is not as the mapping says ({why}): correct [catalogue] in the configuration")
    return CatalogueUnavailable(f"{where} could not be read ({why}): see whether it runs and lets this account in")


_WRONG_NAME = re.compile(
    r"no such (?:table|column)|unknown column|(?:table|view) .* doesn'?t exist|(?:relation|column) .* does not exist|"
    r"invalid (?:object|column) name|unknown database|data type|datatype|operator does not exist|collation",
    re.IGNORECASE,
)


def _first_line(error: BaseException) -> str:
    """The driver's words, without what SQLAlchemy adds of statement and values."""
    arguments = error.args
    if len(arguments) == 1 and isinstance(arguments[0], dict):  # pg8000
        said = str(arguments[0].get("M", ""))  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]
    elif len(arguments) > 1 and isinstance(arguments[-1], str):
        said = arguments[-1]
    else:
        said = str(error)
    return " ".join((said.strip().splitlines() or [type(error).__name__])[0].split())[:300]
