"""Only one SELECT, and nothing that writes, locks or waits, leaves for a catalogue. Pure.

This is the last of three: the account may only read, and so may the transaction; see docs/catalogue.md.
"""

from __future__ import annotations

import re

from pincite.errors import CatalogueError

_QUOTED = re.compile(r"'(?:[^'\\]|'')*'|\"(?:[^\"]|\"\")*\"|`(?:[^`]|``)*`|\[[^\]]*\]")
"""Texts and names; a backslash in a text ends the reading, for two dialects disagree on what it means."""
_REFUSED = re.compile(
    r"\b(?:INSERT|UPDATE|DELETE|MERGE|UPSERT|TRUNCATE|DROP|CREATE|ALTER|RENAME|GRANT|REVOKE|INTO|CALL|EXEC|EXECUTE|DO|"
    r"HANDLER|LOCK|UNLOCK|SET|RESET|ATTACH|DETACH|PRAGMA|VACUUM|COPY|LOAD|IMPORT|INSTALL|SHUTDOWN|KILL|BEGIN|START|"
    r"COMMIT|ROLLBACK|SAVEPOINT|PREPARE|DEALLOCATE|LISTEN|NOTIFY|OUTFILE|DUMPFILE|PROCEDURE|RETURNING|WITH|SHARE|"
    r"SLEEP|BENCHMARK|GET_LOCK|RELEASE_LOCK|LOAD_FILE|NEXTVAL|SETVAL|LAST_INSERT_ID|LOAD_EXTENSION|WRITEFILE|READFILE|"
    r"PG_\w+|LO_\w+|DBLINK\w*|XP_\w+|SP_\w+|OPENROWSET|OPENQUERY|WAITFOR|BACKUP|RESTORE)\b",
    re.IGNORECASE,
)


def check_statement(statement: str) -> None:
    """Let a statement pass that is one SELECT.

    Raises:
        CatalogueError: It is anything else. Nothing was sent.

    >>> check_statement("SELECT `update` FROM `parts` WHERE `number` = %(number)s LIMIT 8")
    """
    bare = _QUOTED.sub(" x ", statement)
    fault = (
        "is no SELECT"
        if not re.match(r"\s*SELECT\b", bare, re.IGNORECASE)
        else "holds a comment"
        if re.search(r"--|/\*|#", bare)
        else "holds more than one statement"
        if ";" in bare
        else "holds a text that can be read in two ways"
        if re.search(r"['\"`\\]", bare)
        else f"says {found.group(0).upper()}"
        if (found := _REFUSED.search(bare))
        else ""
    )
    if fault:
        raise CatalogueError(f"the catalogue is only read: a statement that {fault} was not sent")
