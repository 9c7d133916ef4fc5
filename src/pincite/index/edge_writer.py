"""Writing the embedded engine's files, in a child process.

The engine maps its files into memory: on a disk that is full the system kills whoever writes to them, with a signal
that no handler survives. It is the child that dies; the parent says what happened. The engine also keeps Python's lock
while it works: in a process of its own nobody waits for it.
"""

from __future__ import annotations

import contextlib
import errno
import multiprocessing
import os
import signal
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from pincite.corpus.library import disk_error
from pincite.errors import DiskError
from pincite.index.lexicon import SparseVector
from pincite.index.store import DENSE, INDEXED, SPARSE, Point, StoreWriter

_FINISH = b"finish"
_KILLED_BY_A_FULL_DISK = {-getattr(signal, name, 0) for name in ("SIGBUS", "SIGXFSZ")} - {0} | {0xC0000006}
"""Exit codes; the last is Windows' for a mapped page that cannot be had."""
_SAID_OF_A_FULL_DISK = ("No space left", "File too large", "not enough space")


class EmbeddedWriter(StoreWriter):
    """One shard of the engine, written by a child that lives until it is finished or abandoned."""

    def __init__(self, directory: Path, dimension: int, quantise_from: int) -> None:
        self._directory = directory
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._child = context.Process(
            target=_write, args=(theirs, str(directory), dimension, quantise_from), name="pincite-store", daemon=True
        )
        self._child.start()
        theirs.close()

    def finish(self) -> None:
        self._hear()
        self._say(_FINISH)
        self._hear()
        self.abandon()

    def abandon(self) -> None:
        self._pipe.close()
        self._child.kill()
        self._child.join()

    def _upsert(self, points: list[Point]) -> None:
        self._hear()  # of the batch before: the child writes one while the next is made
        self._say(points)

    def _say(self, message: object) -> None:
        try:
            self._pipe.send(message)
        except OSError as error:
            raise self._failure("") from error

    def _hear(self) -> None:
        try:
            said: str | None = self._pipe.recv()
        except (EOFError, OSError) as error:
            raise self._failure("") from error
        if said is not None:
            raise self._failure(said)

    def _failure(self, said: str) -> Exception:
        self._child.join(5)
        if self._child.exitcode in _KILLED_BY_A_FULL_DISK or any(words in said for words in _SAID_OF_A_FULL_DISK):
            return disk_error(OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)), self._directory.parent)
        place = str(self._directory)
        if said:
            return DiskError(
                f"the index cannot be written to {place}: {said}. Check the disk and run again", path=place
            )
        return DiskError(
            f"the process that writes the index to {place} was ended ({self._child.exitcode}): see whether the machine "
            "has memory left, and run again",
            path=place,
        )


def _write(pipe: Connection, directory: str, dimension: int, quantise_from: int) -> None:
    """Be the child: batches of points come, after each and at the beginning None or what went wrong is said."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides what an interrupted run leaves behind
    with contextlib.suppress(EOFError, BrokenPipeError, ConnectionResetError):  # the parent is gone
        try:
            shard = _create(directory, dimension)
            pipe.send(None)
            while (message := pipe.recv()) != _FINISH:
                _add(shard, message)
                pipe.send(None)
            _finish(shard, directory, quantise_from)
            pipe.send(None)
        except (EOFError, BrokenPipeError, ConnectionResetError):
            raise
        except Exception as error:  # the binding raises one untyped exception for every cause
            pipe.send(str(error) or type(error).__name__)


def _create(directory: str, dimension: int) -> Any:
    import qdrant_edge as edge

    config = edge.EdgeConfig(
        vectors={
            DENSE: edge.EdgeVectorParams(
                size=dimension,
                distance=edge.Distance.Cosine,
                multivector_config=edge.MultiVectorConfig(edge.MultiVectorComparator.MaxSim),
            )
        },
        sparse_vectors={SPARSE: edge.EdgeSparseVectorParams(modifier=edge.Modifier.Idf)},
        # Both take effect when a store is finished. Without a graph (m = 0) that takes seconds instead of minutes,
        # and a scan of int8 vectors is fast enough for what one machine holds: docs/adr/0023.
        hnsw_config=edge.HnswIndexConfig(m=0, ef_construct=100, full_scan_threshold=10_000),
        quantization_config=edge.ScalarQuantizationConfig(
            type=edge.ScalarType.Int8, quantile=0.99, memory=edge.Memory.Pinned
        ),
        optimizers=edge.EdgeOptimizersConfig(default_segment_number=1, indexing_threshold=1),
    )
    shard = edge.EdgeShard.create(directory, config)
    kinds = {"keyword": edge.PayloadSchemaType.Keyword, "integer": edge.PayloadSchemaType.Integer}
    for field, kind in INDEXED.items():
        shard.update(edge.UpdateOperation.create_field_index(field, kinds[kind]))
    return shard


def _add(shard: Any, points: list[Point]) -> None:
    import qdrant_edge as edge

    made = [edge.Point(p.id, {DENSE: p.dense, SPARSE: edge_words(p.sparse)}, p.payload) for p in points]
    shard.update(edge.UpdateOperation.upsert_points(made))


def _finish(shard: Any, directory: str, quantise_from: int) -> None:
    import qdrant_edge as edge

    if shard.count(edge.CountRequest(exact=True)) >= quantise_from:
        shard.optimize()
    shard.flush()
    shard.close()
    # The engine tidies up when it first opens a store, and changes nothing afterwards: only then can it be sealed.
    edge.EdgeShard.load(directory).close()


def edge_words(words: SparseVector) -> Any:
    """Return words as the engine takes them."""
    import qdrant_edge as edge

    return edge.SparseVector(list(words.indices), list(words.values))
