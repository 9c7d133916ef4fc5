"""Chunks with their vectors in Qdrant's embedded engine: the only door to Qdrant.

Two traps of the engine are closed here: a boolean match silently finds nothing (flags are stored as words), and
reciprocal rank fusion defaults to k = 2 (k is always given). A directory has one owner process at a time.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import TypeAdapter

from pincite.errors import DiskError, LibraryBusy, LibraryDamaged
from pincite.index.embed import DIMENSION, SparseVector
from pincite.types import Chunk, SectionPath, Standing

if TYPE_CHECKING:
    from numpy.typing import NDArray

_DENSE, _SPARSE = "dense", "bm25"
_KEYWORDS = ("document", "sha256", "section", "kind", "language", "standing", "audience")
_BATCH = 256

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


@dataclass(frozen=True, slots=True)
class Hit:
    stored: StoredChunk
    score: float


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
class Weights:
    """What each leg of a hybrid search counts, from 0; see `Store.search` for the formula."""

    dense: float = 1.0
    lexical: float = 1.0


EQUAL = Weights()


class Store:
    """The chunks of one release. Not safe across processes; inside one, calls are serialised by the engine."""

    def __init__(self, shard: Any) -> None:
        self._shard = shard
        self._closed = False

    @classmethod
    def create(cls, directory: Path) -> Store:
        """Make an empty store in the existing, empty ``directory``."""
        import qdrant_edge as edge

        config = edge.EdgeConfig(
            vectors={_DENSE: edge.EdgeVectorParams(size=DIMENSION, distance=edge.Distance.Cosine)},
            sparse_vectors={_SPARSE: edge.EdgeSparseVectorParams(modifier=edge.Modifier.Idf)},
        )
        shard = edge.EdgeShard.create(str(directory), config)
        for field in _KEYWORDS:
            shard.update(edge.UpdateOperation.create_field_index(field, edge.PayloadSchemaType.Keyword))
        shard.update(edge.UpdateOperation.create_field_index("position", edge.PayloadSchemaType.Integer))
        return cls(shard)

    @classmethod
    def open(cls, directory: Path, *, wait_s: float = 10.0) -> Store:
        """Open a store, waiting up to ``wait_s`` seconds for another process to let go of it.

        Raises:
            LibraryBusy: If another process keeps it.
            LibraryDamaged: If the engine cannot read its files.
        """
        import qdrant_edge as edge

        deadline = time.monotonic() + wait_s
        while True:
            try:
                return cls(edge.EdgeShard.load(str(directory)))
            except Exception as error:  # the binding raises one untyped exception for every cause
                if not os.access(directory, os.W_OK):
                    raise DiskError(
                        f"{directory} may not be written by this user, and the engine needs to: change its "
                        "permissions, or index into a --library of your own",
                        path=str(directory),
                    ) from error
                if "WouldBlock" not in str(error):
                    raise LibraryDamaged(
                        f"the index in {directory} cannot be read: run `pincite index` again to build it anew"
                    ) from error
                if time.monotonic() > deadline:
                    raise LibraryBusy(
                        "another process is using this library: wait for it, or ask the running server"
                    ) from error
            time.sleep(0.05)

    def add(
        self,
        chunks: Iterable[StoredChunk],
        dense: NDArray[Any],
        sparse: Sequence[SparseVector],
        *,
        start: int,
        on_batch: Callable[[int], None] = lambda _: None,
    ) -> int:
        """Add chunks with their vectors, of equal length and order; ``start`` is the number of chunks already there.

        Returns:
            The number of chunks added. The whole call is not atomic: only a finished release is ever published.
        """
        import qdrant_edge as edge

        def points() -> Iterator[Any]:
            for offset, (stored, vector, words) in enumerate(zip(chunks, dense, sparse, strict=True)):
                lexical = edge.SparseVector(list(words.indices), list(words.values))
                yield edge.Point(start + offset, {_DENSE: vector.tolist(), _SPARSE: lexical}, _payload(stored))

        count = 0
        for batch in _batches(points(), _BATCH):
            self._shard.update(edge.UpdateOperation.upsert_points(batch))
            count += len(batch)
            on_batch(len(batch))
        return count

    def search(
        self,
        dense: NDArray[Any] | None,
        sparse: SparseVector | None,
        *,
        depth: int,
        limit: int,
        rrf_k: int,
        weights: Weights = EQUAL,
        only: Only = Only(),
    ) -> list[Hit]:
        """Return the best chunks, best first; ties in the order they were stored.

        With both legs the score is Σ 1 / (k - 1 + (rank + 1) / weight) over the legs, ranks from 0. That is Qdrant's
        weighted reciprocal rank fusion: a weight w reads rank r of its leg as if it were r / w. With equal weights of 1
        it is the usual Σ 1 / (k + rank). With one leg the score is the leg's own: cosine, or BM25.

        Args:
            dense: shape (384,), or None to search by words alone.
            sparse: words of the question, or None to search by meaning alone. At least one of both is given.
            depth: candidates taken from each leg before fusion.
            limit: hits returned.
            rrf_k: the constant k of reciprocal rank fusion.
            weights: what each leg counts in the fusion; a leg of weight 0 is not asked, and its hits are not there.
        """
        import qdrant_edge as edge

        filter_ = _filter(only)
        legs: list[tuple[Any, float]] = []
        if dense is not None and weights.dense:
            legs.append((edge.Query.Nearest(dense.tolist(), using=_DENSE), weights.dense))
        if sparse is not None and sparse.indices and weights.lexical:
            words = edge.SparseVector(list(sparse.indices), list(sparse.values))
            legs.append((edge.Query.Nearest(words, using=_SPARSE), weights.lexical))
        if not legs:
            return []
        if len(legs) == 1:
            request = edge.QueryRequest(limit=limit, query=legs[0][0], filter=filter_, with_payload=True)
        else:
            prefetches = [edge.Prefetch(limit=depth, query=leg, filter=filter_) for leg, _ in legs]
            fusion: Any = edge.Fusion.Rrf(k=rrf_k, weights=[weight for _, weight in legs])
            request = edge.QueryRequest(limit=limit, prefetches=prefetches, query=fusion, with_payload=True)
        points: list[Any] = sorted(self._shard.query(request), key=lambda point: (-point.score, point.id))
        return [Hit(_stored(point.payload), float(point.score)) for point in points]

    def read(self, only: Only) -> list[StoredChunk]:
        """Return every chunk that ``only`` admits, by document and position."""
        found = [_stored(record.payload) for record in self._scroll(_filter(only))]
        return sorted(found, key=lambda stored: (stored.document, stored.sha256, stored.chunk.index))

    def _scroll(self, filter_: Any) -> Iterator[Any]:
        import qdrant_edge as edge

        offset: Any = None
        while True:
            records, offset = self._shard.scroll(
                edge.ScrollRequest(limit=_BATCH, offset=offset, filter=filter_, with_payload=True)
            )
            yield from records
            if offset is None:
                return

    def count(self) -> int:
        """Return the number of chunks."""
        import qdrant_edge as edge

        return int(self._shard.count(edge.CountRequest(exact=True)))

    def close(self) -> None:
        """Write everything to disk and let go of the directory; closing twice does no harm."""
        if not self._closed:
            self._closed = True
            self._shard.flush()
            self._shard.close()


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
    }


def _stored(payload: dict[str, Any]) -> StoredChunk:
    return StoredChunk(
        id=payload["id"],
        document=payload["document"],
        sha256=payload["sha256"],
        language=payload["language"],
        standing=payload["standing"],
        audience=payload.get("audience", EVERYONE),  # releases of 2026-11 have none
        chunk=_chunk.validate_json(payload["chunk"]),
    )


def _key(path: SectionPath) -> str:
    return "\x1f".join(path)  # a separator that no printed heading holds


def _filter(only: Only) -> Any:
    import qdrant_edge as edge

    wanted: dict[str, tuple[Any, ...]] = {
        "document": only.documents,
        "sha256": only.sha256,
        "kind": only.kinds,
        "language": only.languages,
        "section": tuple(_key(path) for path in only.sections),
        "position": only.positions,
        "standing": only.standings,
        "audience": only.audiences,
    }
    conditions: list[Any] = [
        edge.FieldCondition(key=field, match=edge.MatchAny(list(values))) for field, values in wanted.items() if values
    ]
    return edge.Filter(must=conditions) if conditions else None


_T = TypeVar("_T")


def _batches(items: Iterator[_T], size: int) -> Iterator[list[_T]]:
    while batch := list(islice(items, size)):
        yield batch
