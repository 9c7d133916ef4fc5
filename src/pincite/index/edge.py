"""Stores in Qdrant's embedded engine. A directory has one owner process at a time."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pincite.errors import DiskError, LibraryBusy, LibraryDamaged, StoreUnavailable
from pincite.index.edge_writer import EmbeddedWriter, edge_words
from pincite.index.lexicon import SparseVector
from pincite.index.store import BATCH, OVERSAMPLING, QUANTISE_FROM, Ranked, Store, StoreWriter, Wanted, collection_of


@dataclass(frozen=True, slots=True)
class EmbeddedEngine:
    """Keeps each store in files of its own directory."""

    quantise_from: int = QUANTISE_FROM
    wait_s: float = 10.0
    """How long `open` waits for another process to let go of a store."""

    def describe(self) -> str:
        return "embedded Qdrant engine, in the library"

    def create(self, directory: Path, dimension: int) -> StoreWriter:
        return EmbeddedWriter(directory, dimension, self.quantise_from)

    def open(self, directory: Path) -> Store:
        import qdrant_edge as edge

        if collection_of(directory):
            raise StoreUnavailable(
                "the release lies on a Qdrant server: set [store] url, or run `pincite index` to build it here"
            )
        deadline = time.monotonic() + self.wait_s
        while True:
            try:
                return EmbeddedStore(edge.EdgeShard.load(str(directory)))
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

    def holds(self, directory: Path) -> bool:
        return directory.is_dir() and not collection_of(directory)

    def publish(self, directory: Path) -> None:
        pass  # the library's pointer is all that readers look at

    def drop(self, directory: Path) -> None:
        if collection_of(directory):
            # Removing the directory would leave the texts on the server, with nobody who knows of them.
            raise StoreUnavailable(
                "a release lies on a Qdrant server that is not configured: set [store] url, so that it can be removed"
            )


class EmbeddedStore(Store):
    """One shard of the engine, which runs one call at a time."""

    def __init__(self, shard: Any) -> None:
        self._shard = shard
        self._lock = threading.Lock()
        self._closed = False

    def count(self) -> int:
        import qdrant_edge as edge

        return int(self._shard.count(edge.CountRequest(exact=True)))

    def close(self) -> None:
        with self._lock:
            if not self._closed:
                self._closed = True
                self._shard.close()

    def _query(self, vector: list[float] | SparseVector, using: str, wanted: Wanted, limit: int) -> list[Ranked]:
        import qdrant_edge as edge

        rescored = edge.QuantizationSearchParams(rescore=True, oversampling=OVERSAMPLING)
        request = edge.QueryRequest(
            limit=limit,
            query=edge.Query.Nearest(edge_words(vector) if isinstance(vector, SparseVector) else vector, using),
            filter=_filter(wanted),
            params=edge.SearchParams(quantization=rescored),
        )
        found: list[Any] = self._shard.query(request)
        return [Ranked(int(point.id), float(point.score)) for point in found]

    def _payloads(self, ids: Sequence[int]) -> dict[int, dict[str, Any]]:
        records: list[Any] = self._shard.retrieve(list(ids), with_payload=True, with_vector=False)
        return {int(record.id): record.payload for record in records}

    def _scroll(self, wanted: Wanted) -> Iterator[dict[str, Any]]:
        import qdrant_edge as edge

        filter_, offset = _filter(wanted), None
        while True:
            records, offset = self._shard.scroll(
                edge.ScrollRequest(limit=BATCH, offset=offset, filter=filter_, with_payload=True)
            )
            for record in records:
                yield record.payload
            if offset is None:
                return


def _filter(wanted: Wanted) -> Any:
    import qdrant_edge as edge

    conditions: list[Any] = [
        edge.FieldCondition(key=field, match=edge.MatchAny(values)) for field, values in wanted.items()
    ]
    return edge.Filter(must=conditions) if conditions else None
