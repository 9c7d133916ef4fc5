#!/usr/bin/env python3
"""Measure the embedded store at sizes that no library at hand has: time to build, disk, memory, latency, recall.

    python benchmarks/scale.py DIRECTORY [--chunks 10000 100000 500000] [--graph-to 10000] [--queries 200]

Chunks are generated with a fixed seed. Their vectors lie in a narrow cone like those of a sentence encoder, by topic,
document and chunk, so that every chunk has neighbours; their texts have words of a Zipf distribution. Each size is
stored once and searched as it is (exact scan of floats), then with int8 copies rescored by the floats, as releases from
`[store] quantise_from` chunks on are, and up to ``--graph-to`` chunks with an HNSW graph over the int8 copies, which
the product does not build. Every row is measured in a process of its own that opens the finished store: resident memory
after 50 searches, then wall and CPU time of ``--queries`` searches as `search` asks: 500 chunks by meaning, each as
close as its closest part, 100 by words, and the payloads of up to 60. Recall@10 is of the dense leg, against numpy.
DIRECTORY takes about 8 kB a chunk and is emptied again.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import psutil

from pincite.index.edge import EmbeddedEngine
from pincite.index.lexicon import Lexicon
from pincite.index.store import DENSE, Only, StoredChunk
from pincite.types import Chunk

DIMENSION = 384
CHUNKS_OF_DOCUMENT = 20
DOCUMENTS_OF_TOPIC = 50
WORDS_OF_CHUNK = 90
PARTS_OF_CHUNK = 2
"""Vectors of a chunk: docs/adr/0026."""
VOCABULARY = 50_000
BLOCK = 10_000
NEVER = 10**9


def directions(rng: np.random.Generator, rows: int) -> np.ndarray:
    return rng.normal(size=(rows, DIMENSION)).astype(np.float32) / np.sqrt(DIMENSION)


@lru_cache(maxsize=1)
def block(start: int, size: int) -> tuple[list[str], np.ndarray]:
    """Texts and unit vectors, shape (size, parts, dimension), of the chunks from ``start`` on, always the same."""
    number = np.arange(start, start + size)
    document, topic = number // CHUNKS_OF_DOCUMENT, number // (CHUNKS_OF_DOCUMENT * DOCUMENTS_OF_TOPIC)
    cone = directions(np.random.default_rng(1), 1)

    def by(ids: np.ndarray, seed: int) -> np.ndarray:
        distinct, place = np.unique(ids, return_inverse=True)
        return np.concatenate([directions(np.random.default_rng((seed, int(one))), 1) for one in distinct])[place]

    rng = np.random.default_rng((4, start))
    own = directions(rng, size * PARTS_OF_CHUNK).reshape(size, PARTS_OF_CHUNK, DIMENSION)
    vectors = (1.6 * cone + 0.6 * by(topic, 2) + 0.4 * by(document, 3))[:, None] + 0.4 * own
    vectors /= np.linalg.norm(vectors, axis=2, keepdims=True)
    ranks = np.minimum(rng.zipf(1.2, size=(size, WORDS_OF_CHUNK)), VOCABULARY)
    return [" ".join(f"word{rank}" for rank in row) for row in ranks], vectors


def chunks(texts: list[str], start: int) -> Iterator[StoredChunk]:
    for number, text in enumerate(texts, start):
        document, position = divmod(number, CHUNKS_OF_DOCUMENT)
        path = (f"{position // 5 + 1} Part", f"{position // 5 + 1}.{position % 5} Section")
        chunk = Chunk(position, path, "text", (position + 1,), text, f"Document {document}\n{text}")
        yield StoredChunk(
            f"d{document}/{position}", f"d{document}", f"{document:064x}", ("en", "nl")[document % 2], "citable", chunk
        )


def build(directory: Path, count: int) -> dict[str, float]:
    """Store ``count`` chunks; return wall and CPU seconds of storing, texts and vectors made."""
    begun, cpu, made = time.perf_counter(), time.process_time(), 0.0
    store, lexicon = EmbeddedEngine(quantise_from=NEVER).create(directory, DIMENSION), Lexicon(WORDS_OF_CHUNK)
    vectors = np.lib.format.open_memmap(
        directory.parent / "vectors.npy", "w+", np.float32, (count, PARTS_OF_CHUNK, DIMENSION)
    )
    for start in range(0, count, BLOCK):
        making = time.process_time()
        texts, vectors[start : start + BLOCK] = block(start, min(BLOCK, count - start))
        made += time.process_time() - making
        words = [lexicon.document(text, "en") for text in texts]
        store.add(chunks(texts, start), list(vectors[start : start + len(texts)]), words, start=start)
    store.finish()
    store.close()
    return {"build_s": time.perf_counter() - begun - made, "build_cpu_s": time.process_time() - cpu - made}


def ready(directory: Path, kind: str) -> dict[str, float]:
    """Give a store that is there int8 copies, or a graph; return what that takes."""
    begun, cpu = time.perf_counter(), time.process_time()
    if kind == "int8":
        store = EmbeddedEngine(quantise_from=1).open(directory)
        store.finish()
        store.close()
    elif kind == "graph":
        import qdrant_edge as edge  # what the product does not do is done here

        graph = edge.HnswIndexConfig(m=16, ef_construct=100, full_scan_threshold=10_000)
        dense = {DENSE: edge.EdgeVectorParams(size=DIMENSION, distance=edge.Distance.Cosine)}
        shard = edge.EdgeShard.load(str(directory), edge.EdgeConfig(vectors=dense, hnsw_config=graph))
        shard.optimize()
        shard.flush()
        shard.close()
    return {"ready_s": time.perf_counter() - begun, "ready_cpu_s": time.process_time() - cpu}


def questions(directory: Path, count: int) -> tuple[np.ndarray, list[str]]:
    """Vectors near those of chunks, and eight words of each."""
    vectors = np.load(directory.parent / "vectors.npy", mmap_mode="r")
    rng = np.random.default_rng(9)
    picked = np.sort(rng.choice(len(vectors), count, replace=False))  # so that each block is made once
    near = vectors[picked, 0] + 0.3 * directions(rng, count)
    texts: list[str] = []
    for number in picked:
        start = int(number) // BLOCK * BLOCK
        words = block(start, min(BLOCK, len(vectors) - start))[0][int(number) - start].split()
        texts.append(" ".join(rng.choice(words, 8, replace=False)))
    return near / np.linalg.norm(near, axis=1, keepdims=True), texts


def exact(directory: Path, asked: np.ndarray) -> list[list[int]]:
    vectors = np.load(directory.parent / "vectors.npy", mmap_mode="r")
    best = np.full((len(asked), 10), -np.inf, np.float32)
    found = np.zeros((len(asked), 10), np.int64)
    for start in range(0, len(vectors), BLOCK):
        scores = np.concatenate(
            [best, np.einsum("qd,cpd->qcp", asked, vectors[start : start + BLOCK]).max(axis=2)], axis=1
        )
        ids = np.concatenate([found, np.tile(np.arange(start, start + scores.shape[1] - 10), (len(asked), 1))], axis=1)
        top = np.argsort(-scores, axis=1, kind="stable")[:, :10]
        best, found = np.take_along_axis(scores, top, 1), np.take_along_axis(ids, top, 1)
    return found.tolist()


def measure(directory: Path) -> dict[str, float]:
    """Open a store and search it; what it says goes into one row."""
    prepared = json.loads((directory.parent / "questions.json").read_text())
    lexicon = Lexicon(WORDS_OF_CHUNK)
    dense = np.array(prepared["vectors"], np.float32)
    words = [lexicon.question(text, ["en", "nl"]) for text in prepared["texts"]]
    before = psutil.Process().memory_info().rss
    begun = time.perf_counter()
    store = EmbeddedEngine().open(directory)
    row = {"open_s": time.perf_counter() - begun}
    legs: dict[str, Callable[[int], Any]] = {
        "dense": lambda i: store.nearest(dense[i], limit=500),
        "bm25": lambda i: store.matching(words[i], limit=100),
        "hybrid": lambda i: store.fetch([*{h.id: 0 for h in legs["dense"](i)[:30] + legs["bm25"](i)[:30]}]),
    }
    for i in range(50):
        legs["hybrid"](i % len(words))
    row["rss_mib"] = (psutil.Process().memory_info().rss - before) / 2**20
    right = 0
    for name, ask in legs.items():
        times: list[float] = []
        cpu = time.process_time()
        for i in range(len(words)):
            begun = time.perf_counter()
            hits = ask(i)
            times.append(1000 * (time.perf_counter() - begun))
            if name == "dense":
                right += len({hit.id for hit in hits[:10]} & set(prepared["exact"][i]))
        row[f"{name}_cpu"] = 1000 * (time.process_time() - cpu) / len(words)
        row[f"{name}_p50"], row[f"{name}_p95"] = np.percentile(times, [50, 95])
    row["recall"] = right / (10 * len(words))
    of_one = [store.nearest(dense[i], limit=1) for i in range(20)]
    begun = time.process_time()
    for hits in of_one:
        (found,) = store.fetch([hits[0].id])
        assert len(store.read(Only(documents=(found.document,)))) == CHUNKS_OF_DOCUMENT
    row["read_cpu"] = 1000 * (time.process_time() - begun) / len(of_one)
    store.close()
    return row


def allocated(directory: Path) -> float:
    """MiB on disk; the engine's files have holes."""
    return sum(path.stat().st_blocks * 512 for path in directory.rglob("*") if path.is_file()) / 2**20


def child(*job: str) -> dict[str, float]:
    done = subprocess.run([sys.executable, __file__, "--child", *job], check=True, stdout=subprocess.PIPE, text=True)
    return json.loads(done.stdout)


HEAD = (
    "| chunks | vectors | stored, s CPU | made ready, s CPU | disk, MiB | memory, MiB | opens, s "
    "| dense p50 / p95 / CPU, ms | BM25 | hybrid | recall@10 | read a document, ms CPU |\n" + "|---" * 12 + "|"
)


def line(count: int, kind: str, row: dict[str, float]) -> str:
    legs = " | ".join(
        f"{row[f'{leg}_p50']:.1f} / {row[f'{leg}_p95']:.1f} / {row[f'{leg}_cpu']:.1f}"
        for leg in ("dense", "bm25", "hybrid")
    )
    return (
        f"| {count:,} | {kind} | {row['build_cpu_s']:.0f} | {row['ready_cpu_s']:.1f} | {row['disk_mib']:.0f} "
        f"| {row['rss_mib']:.0f} | {row['open_s']:.2f} | {legs} | {row['recall']:.3f} | {row['read_cpu']:.1f} |"
    )


def run(directory: Path, counts: list[int], graph_to: int, queries: int) -> None:
    print(HEAD, flush=True)
    for count in counts:
        place = directory / str(count)
        store = place / "store"
        store.mkdir(parents=True)
        built = child("build", str(store), str(count))
        asked, texts = questions(store, queries)
        (place / "questions.json").write_text(
            json.dumps({"vectors": asked.tolist(), "texts": texts, "exact": exact(store, asked)})
        )
        kinds = {"floats, exact": "none", "int8, rescored": "int8"} | (
            {"int8 and HNSW": "graph"} if count <= graph_to else {}
        )
        for name, kind in kinds.items():
            row = built | child("ready", str(store), kind) | {"disk_mib": allocated(store)}
            print(line(count, name, row | child("measure", str(store))), flush=True)
        shutil.rmtree(place)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory", type=Path)
    parser.add_argument("--chunks", type=int, nargs="+", default=[10_000, 100_000, 500_000])
    parser.add_argument("--graph-to", type=int, default=10_000)
    parser.add_argument("--queries", type=int, default=200)
    given = parser.parse_args()
    run(given.directory, given.chunks, given.graph_to, given.queries)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        os.environ.setdefault("OMP_NUM_THREADS", "1")
        job, path, *rest = sys.argv[2:]
        jobs: dict[str, Callable[..., dict[str, float]]] = {
            "build": lambda: build(Path(path), int(rest[0])),
            "ready": lambda: ready(Path(path), rest[0]),
            "measure": lambda: measure(Path(path)),
        }
        print(json.dumps(jobs[job]()))
    else:
        main()
