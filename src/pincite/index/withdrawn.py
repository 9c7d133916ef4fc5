"""What must be forgotten: the list that readers and index runs check, and the register of what there is to forget.

withdrawn      documents that nobody may read or index any more
register       every revision that was ever published, by document: releases go, their sources stay
"""

from __future__ import annotations

import threading
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter

from pincite.errors import LibraryDamaged
from pincite.index.seal import read_checked, write_checked


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """An order to forget one document."""

    document: str
    sha256: tuple[str, ...]
    """Of every revision's bytes."""
    at: str
    """ISO 8601, UTC."""
    passages: bool = False
    """Whether it stood in files of passages made elsewhere, with other documents that stay."""

    @property
    def reason(self) -> str:
        """What is said of it, for people."""
        return (
            f"{self.document} was withdrawn on {self.at[:10]} and may not be read; "
            f"`pincite withdraw {self.document} --lift` allows its bytes to be indexed again"
        )


_orders: TypeAdapter[tuple[Withdrawal, ...]] = TypeAdapter(tuple[Withdrawal, ...])
_register: TypeAdapter[dict[str, list[str]]] = TypeAdapter(dict[str, list[str]])


class Withdrawn:
    """The documents of a library that are withdrawn. Cheap to ask: the file is read again when it has changed."""

    def __init__(self, root: Path) -> None:
        self._path = root / "withdrawn"
        self._lock = threading.Lock()
        self._seen: tuple[tuple[int, int, int] | None, tuple[Withdrawal, ...]] = (None, ())

    def all(self) -> tuple[Withdrawal, ...]:
        """Return every order that was not lifted, oldest first.

        Raises:
            LibraryDamaged: If the list cannot be read; nothing may be shown then.
        """
        try:
            status = self._path.stat()
        except FileNotFoundError:
            return ()
        stamp = (status.st_mtime_ns, status.st_size, status.st_ino)
        with self._lock:
            if self._seen[0] != stamp:
                self._seen = (stamp, self._read())
            return self._seen[1]

    def among(self, revisions: Iterable[tuple[str, str]]) -> set[tuple[str, str]]:
        """Return those of some revisions, (document, SHA-256), that nobody may read."""
        orders = self.all()
        if not orders:
            return set()
        hashes = {sha256 for order in orders if not order.passages for sha256 in order.sha256}
        pairs = {(order.document, sha256) for order in orders if order.passages for sha256 in order.sha256}
        return {one for one in revisions if one[1] in hashes or one in pairs}

    def of_bytes(self, sha256: str) -> Withdrawal | None:
        """Return the order that forbids these bytes of a PDF."""
        return next((order for order in self.all() if sha256 in order.sha256 and not order.passages), None)

    def of_passages(self, documents: Iterable[str]) -> Withdrawal | None:
        """Return the order that forbids one of these documents of a file of passages."""
        named = set(documents)
        return next((order for order in self.all() if order.passages and order.document in named), None)

    def add(self, order: Withdrawal) -> None:
        """Forbid; readers see it at their next step."""
        write_checked(self._path, _orders.dump_json((*(o for o in self.all() if o != order), order), indent=1))

    def lift(self, document: str) -> tuple[Withdrawal, ...]:
        """Allow a document's bytes to be indexed again; return the orders that were lifted."""
        lifted = tuple(order for order in self.all() if order.document == document)
        if lifted:
            kept = tuple(order for order in self.all() if order not in lifted)
            write_checked(self._path, _orders.dump_json(kept, indent=1))
        return lifted

    def _read(self) -> tuple[Withdrawal, ...]:
        data = read_checked(self._path)
        try:
            return _orders.validate_json(data) if data is not None else ()
        except ValueError as error:
            raise LibraryDamaged(f"{self._path} cannot be read: restore it from a backup") from error


class Register:
    """Every revision that a release of the library ever held."""

    def __init__(self, root: Path) -> None:
        self._path = root / "register"

    def of(self, document: str) -> frozenset[str]:
        """Return the hashes of a document's revisions."""
        return frozenset(self._read().get(document, ()))

    def add(self, revisions: Iterable[tuple[str, str]]) -> None:
        """Note (document, SHA-256) pairs."""
        known = self._read()
        before = sum(map(len, known.values()))
        for document, sha256 in revisions:
            if sha256 not in known.setdefault(document, []):
                known[document].append(sha256)
        if sum(map(len, known.values())) > before:
            write_checked(self._path, _register.dump_json(known))

    def _read(self) -> dict[str, list[str]]:
        data = read_checked(self._path)
        try:
            return _register.validate_json(data) if data is not None else {}
        except ValueError as error:
            raise LibraryDamaged(f"{self._path} cannot be read: restore it from a backup") from error
