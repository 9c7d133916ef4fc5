"""Chunks with their vectors: the contract that the embedded engine and a Qdrant server keep alike.

A trap of the engine is closed here: a boolean match silently finds nothing (flags are stored as words). Each leg is
asked alone; `retrieve` fuses them. `edge` and `server` say the same in their engine's words.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol, TypeVar

from pydantic import TypeAdapter

from pincite.errors import LibraryDamaged
from pincite.index.lexicon import SparseVector
from pincite.types import Chunk, SectionPath, Standing

if TYPE_CHECKING:
    from numpy.typing import NDArray

DENSE, SPARSE = "dense", "bm25"
"""Names of a point's two vectors."""
INDEXED: Mapping[str, Literal["keyword", "integer"]] = {
    "document": "keyword",
    "sha256": "keyword",
    "section": "keyword",
    "kind": "keyword",
    "language": "keyword",
    "standing": "keyword",
    "audience": "keyword",
    "position": "integer",
    "date": "integer",
}
"""What of a payload can be filtered by."""
FORMAT = "store-3"
"""Version of points and payload; another one makes another release, from the same vectors."""
BATCH = 256
"""Points of one write or one page."""
QUANTISE_FROM = 5_000
"""Chunks from which a release is searched by int8 copies of its vectors, the best of them rescored by the vectors."""
OVERSAMPLING = 2.0
"""Candidates that are rescored for each that is asked for. See docs/adr/0023 for what it is worth."""
MARKER = "server.json"
"""In a store's directory when its points lie on a server: says in which collection."""

EVERYONE = "everyone"
"""The audience of what nobody restricted."""

_chunk: TypeAdapter[Chunk] = TypeAdapter(Chunk)


@dataclass(frozen=True, slots=True)
class StoredChunk:
    """A chunk with the facts that searches filter by."""

    id: str
    document: str
    sha256: str
    language: str
    standing: str
    chunk: Chunk
    audience: str = EVERYONE
    """Who may see it."""
    date: str = ""
    """Of the revision, ISO 8601 to the precision that is known (``2013-07``); "" when it is not."""


class Ranked(NamedTuple):
    """A chunk that one leg of a search found. A search makes a thousand, and tuples are made fastest."""

    id: int
    """Its number in the store, from 0 in the order of storing."""
    score: float
    """Cosine of its closest part, or BM25."""


@dataclass(frozen=True, slots=True)
class Only:
    """Which chunks a search may see; an empty field restricts nothing."""

    documents: tuple[str, ...] = ()
    sha256: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    sections: tuple[SectionPath, ...] = ()
    """A chunk lies in a section when the section's path begins its own."""
    positions: tuple[int, ...] = ()
    """Positions in the document, from 0."""
    standings: tuple[Standing, ...] = ()
    audiences: tuple[str, ...] = ()
    """Every audience that the reader belongs to, ``EVERYONE`` among them: no audience holds another."""


@dataclass(frozen=True, slots=True)
class Point:
    """What is stored of one chunk."""

    id: int
    """From 0 in the order of storing, which is the order of reading."""
    dense: list[list[float]]
    """One vector for each of its parts; a search compares the closest."""
    sparse: SparseVector
    payload: dict[str, Any]


Wanted = Mapping[str, list[str] | list[int]]
"""Values of payload fields; a point is wanted that has one of the values of each field."""


class StoreWriter(ABC):
    """A store that is being filled. Nothing reads it before it is finished, nothing changes it afterwards."""

    def add(
        self,
        chunks: Iterable[StoredChunk],
        dense: Sequence[NDArray[Any]],
        sparse: Sequence[SparseVector],
        *,
        start: int,
        on_batch: Callable[[int], None] = lambda _: None,
    ) -> int:
        """Add chunks with their vectors, of equal length and order; ``start`` is the number of chunks already there.

        Args:
            dense: of each chunk its parts' unit vectors, shape (parts, dimension), at least one.

        Returns:
            The number of chunks added. The whole call is not atomic: only a finished release is ever published.
        """

        def points() -> Iterator[Point]:
            for offset, (stored, vector, words) in enumerate(zip(chunks, dense, sparse, strict=True)):
                yield Point(start + offset, vector.tolist(), words, _payload(stored))

        count = 0
        for batch in _batches(points(), BATCH):
            self._upsert(batch)
            count += len(batch)
            on_batch(len(batch))
        return count

    @abstractmethod
    def finish(self) -> None:
        """Make what was added fast to search and safe on disk, and let go of it.

        Raises:
            DiskError: If the disk is full or may not be written.
        """

    @abstractmethod
    def abandon(self) -> None:
        """Let go of it, finished or not; doing so twice does no harm."""

    @abstractmethod
    def _upsert(self, points: list[Point]) -> None:
        """Write at most ``BATCH`` points."""


class Store(ABC):
    """The chunks of one release, for reading. Inside a process calls are safe from several threads."""

    def nearest(self, vector: NDArray[Any], *, limit: int, only: Only = Only()) -> list[Ranked]:
        """Return the ``limit`` chunks whose closest part has the highest cosine to ``vector``, shape (dimension,).

        Best first; what is equally good in the order it was stored.
        """
        return _best_first(self._query(vector.tolist(), DENSE, _wanted(only), limit))

    def matching(self, words: SparseVector, *, limit: int, only: Only = Only()) -> list[Ranked]:
        """Return the ``limit`` chunks that hold the most telling of ``words``, by BM25; best first, as `nearest`."""
        return _best_first(self._query(words, SPARSE, _wanted(only), limit)) if words.indices else []

    def fetch(self, ids: Sequence[int]) -> list[StoredChunk]:
        """Return the chunks with these numbers, in this order.

        Raises:
            LibraryDamaged: If one is not there.
        """
        there = self._payloads(ids) if ids else {}
        if lost := [id_ for id_ in ids if id_ not in there]:
            raise LibraryDamaged(f"the index lacks {len(lost)} chunks that it found: run `pincite index` again")
        return [_stored(there[id_]) for id_ in ids]

    def read(self, only: Only) -> list[StoredChunk]:
        """Return every chunk that ``only`` admits, in the order they were stored: by document and position."""
        return [_stored(payload) for payload in self._scroll(_wanted(only))]

    @abstractmethod
    def count(self) -> int:
        """Return the number of chunks."""

    @abstractmethod
    def close(self) -> None:
        """Let go of the store; closing twice does no harm."""

    @abstractmethod
    def _query(self, vector: list[float] | SparseVector, using: str, wanted: Wanted, limit: int) -> list[Ranked]:
        """Return the best ``limit`` points by one of their vectors."""

    @abstractmethod
    def _payloads(self, ids: Sequence[int]) -> dict[int, dict[str, Any]]:
        """Return the payloads of the points with these ids that are there."""

    @abstractmethod
    def _scroll(self, wanted: Wanted) -> Iterator[dict[str, Any]]:
        """Yield the payload of every wanted point by ascending id."""


class Engine(Protocol):
    """Where a library keeps its stores. Each has a directory; what lies in it is the engine's business."""

    def describe(self) -> str:
        """Return what this is and where, for a person; a server is asked whether it is there.

        Raises:
            StoreUnavailable: If it is not.
        """
        ...

    def create(self, directory: Path, dimension: int) -> StoreWriter:
        """Begin a store that belongs to the existing, empty ``directory``, which may be renamed when it is finished."""
        ...

    def open(self, directory: Path) -> Store:
        """Open the store of a directory.

        Raises:
            LibraryBusy: If another process keeps it.
            LibraryDamaged: If it cannot be read.
            StoreUnavailable: If a server does not answer, or the store lies elsewhere than this engine looks.
        """
        ...

    def holds(self, directory: Path) -> bool:
        """Say whether the store of a directory lies where this engine would look for it."""
        ...

    def publish(self, directory: Path) -> None:
        """Tell others who ask the engine itself that this is the store of the published release."""
        ...

    def drop(self, directory: Path) -> None:
        """Remove what lies outside of ``directory``; removing the directory itself is for the caller, afterwards.

        Dropping what is already gone does no harm.
        """
        ...


def collection_of(directory: Path) -> str:
    """Return the name of the collection where a server keeps the store of this directory; "" when it is none.

    Raises:
        LibraryDamaged: If the directory says so, but not readably.
    """
    try:
        text = (directory / MARKER).read_text(encoding="utf-8")
    except FileNotFoundError:
        return ""
    try:
        return str(json.loads(text)["collection"])
    except (ValueError, LookupError, TypeError) as error:
        raise LibraryDamaged(f"{directory / MARKER} is damaged: run `pincite index` again") from error


def _payload(stored: StoredChunk) -> dict[str, Any]:
    path = stored.chunk.section
    return {
        "id": stored.id,
        "document": stored.document,
        "sha256": stored.sha256,
        "section": [_key(path[:depth]) for depth in range(1, len(path) + 1)],
        "kind": stored.chunk.kind,
        "language": stored.language,
        "standing": stored.standing,
        "audience": stored.audience,
        "position": stored.chunk.index,
        "chunk": _chunk.dump_json(stored.chunk).decode(),
    } | ({"date": _number(stored.date)} if stored.date else {})


def _stored(payload: dict[str, Any]) -> StoredChunk:
    return StoredChunk(
        id=payload["id"],
        document=payload["document"],
        sha256=payload["sha256"],
        language=payload["language"],
        standing=payload["standing"],
        audience=payload.get("audience", EVERYONE),  # releases of 2026-11 have none
        date=_date(payload.get("date", 0)),
        chunk=_chunk.validate_json(payload["chunk"]),
    )


def _number(date: str) -> int:
    """Dates as numbers that ranges work on: ``2013-07`` is 20130700."""
    year, month, day = [*date.split("-"), "0", "0"][:3]
    return int(year) * 10_000 + int(month) * 100 + int(day)


def _date(number: int) -> str:
    year, month, day = number // 10_000, number // 100 % 100, number % 100
    return "-".join([*([f"{year:04}"] if year else []), *(f"{part:02}" for part in (month, day) if part)])


def _key(path: SectionPath) -> str:
    return "\x1f".join(path)  # a separator that no printed heading holds


def _wanted(only: Only) -> Wanted:
    """
    Raises:
        TypeError: If a value is a boolean: the engines' match of one finds nothing, and says nothing.
    """
    wanted: dict[str, list[Any]] = {
        "document": [*only.documents],
        "sha256": [*only.sha256],
        "kind": [*only.kinds],
        "language": [*only.languages],
        "section": [_key(path) for path in only.sections],
        "position": [*only.positions],
        "standing": [*only.standings],
        "audience": [*only.audiences],
    }
    for field, values in wanted.items():
        if any(isinstance(value, bool) for value in values):
            raise TypeError(f"{field} cannot be filtered by a boolean: the engine would find nothing")
    return {field: values for field, values in wanted.items() if values}


def _best_first(found: Iterable[Ranked]) -> list[Ranked]:
    return sorted(found, key=lambda one: (-one.score, one.id))


_T = TypeVar("_T")


def _batches(items: Iterator[_T], size: int) -> Iterator[list[_T]]:
    while batch := list(islice(items, size)):
        yield batch
