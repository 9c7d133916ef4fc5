"""Question → passages of one release."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from pincite.errors import UsageError, WrongModel
from pincite.index.embed import Encoder, Lexicon
from pincite.index.store import Only, Store, StoredChunk
from pincite.retrieve.coherence import cohere, is_bare_heading
from pincite.retrieve.query import lexical, normalize
from pincite.types import ChunkKind, Passage, Release, Revision, SectionPath

Mode = Literal["hybrid", "dense", "bm25"]


@dataclass(frozen=True, slots=True)
class Depths:
    """How many candidates each stage hands on."""

    leg: int = 50
    """Taken from the dense and from the BM25 leg each."""
    fused: int = 30
    """Kept after fusion, re-ranked for section coherence."""
    rrf_k: int = 10
    """Constant of reciprocal rank fusion. 10 beat 60 on people's questions; see docs/evaluation.md."""


class Retriever:
    """Finds and reads passages of one release. Not thread-safe towards the engine: the engine serialises."""

    def __init__(self, release: Release, store: Store, encoder: Encoder, depths: Depths = Depths()) -> None:
        """
        Raises:
            WrongModel: If the release was built with another embedding model.
        """
        if release.model != encoder.model:
            raise WrongModel(
                f"release {release.id} was built with {release.model}, this installation has {encoder.model}: "
                "run `pincite index` again, or configure the model it was built with"
            )
        self.release = release
        self._store, self._encoder, self._depths = store, encoder, depths
        self._lexicon = Lexicon(release.average_length)
        self._by_hash = {(r.document, r.sha256): r for r in release.revisions}
        self._languages = sorted({r.language for r in release.revisions})
        order = {"citable": 0, "readable": 1, "rejected": 2}
        self._newest = {r.document: r for r in sorted(release.revisions, key=lambda r: -order[r.standing])}

    def search(
        self,
        question: str,
        *,
        k: int = 10,
        mode: Mode = "hybrid",
        documents: Sequence[str] = (),
        kinds: Sequence[ChunkKind] = (),
    ) -> tuple[Passage, ...]:
        """Return the ``k`` best passages, best first; none when nothing matches.

        Readable (superseded) revisions are found like others: the gate, not the search, keeps them out of evidence.

        Raises:
            UsageError: If the question is empty.
        """
        text = normalize(question)
        if not text:
            raise UsageError("the question is empty: say what to look for")
        hits = self._store.search(
            None if mode == "bm25" else self._encoder.query(text),
            None if mode == "dense" else self._lexicon.question(lexical(text), self._languages),
            depth=max(self._depths.leg, k),
            limit=max(self._depths.fused, k),
            rrf_k=self._depths.rrf_k,
            only=Only(documents=tuple(documents), kinds=tuple(kinds)),
        )
        found = [self._passage(hit.stored, rank, hit.score) for rank, hit in enumerate(hits, 1)]
        return tuple((cohere(self._opened(found)) if mode == "hybrid" else found)[:k])

    def section(self, document: str, path: SectionPath) -> tuple[Passage, ...]:
        """Return a whole section, subsections included, in order, of the newest revision; empty when unknown."""
        return self._read(document, Only(documents=(document,), sections=(path,)))

    def read(self, document: str) -> tuple[Passage, ...]:
        """Return every passage of the newest revision of a document, in order; empty when unknown."""
        return self._read(document, Only(documents=(document,)))

    def sections(self, document: str) -> tuple[SectionPath, ...]:
        """Return the section paths of the newest revision of a document, in order of appearance."""
        seen: dict[SectionPath, None] = {}
        for passage in self.read(document):
            path = passage.chunk.section
            for depth in range(1, len(path) + 1):
                seen.setdefault(path[:depth])
        return tuple(seen)

    def documents(self) -> tuple[Revision, ...]:
        """Return every revision of the release, by document."""
        return tuple(sorted(self.release.revisions, key=lambda r: (r.document, r.standing, r.sha256)))

    def count(self, text: str) -> int:
        """Return the number of tokens in ``text`` by the encoder's tokenizer."""
        return self._encoder.count(text)

    def similarity(self, question: str, texts: Sequence[str]) -> list[float]:
        """Return how close each text is in meaning to the question: cosine, comparable only within this call."""
        return self._encoder.similarity(normalize(question), texts)

    def close(self) -> None:
        """Let go of the store; the retriever is of no use afterwards."""
        self._store.close()

    def _opened(self, found: list[Passage]) -> list[Passage]:
        """The same with each bare heading replaced by the passage it stands over, unless that was found itself.

        "3 Devices a cardholder may pay with" fits the question; what answers it is the list in 3.1.
        """
        known = {_place(p.revision, p.chunk.index) for p in found}
        bare = [p for p in found if is_bare_heading(p.chunk)]
        wanted = {_place(p.revision, p.chunk.index + 1): p for p in bare} if bare else {}
        opened: dict[str, Passage] = {}
        for place in wanted.keys() - known:
            heading = wanted[place]
            only = Only((place[0],), (place[1],), positions=(place[2],))
            for stored in self._store.read(only):
                if stored.chunk.section[: len(heading.chunk.section)] == heading.chunk.section:
                    opened[heading.id] = self._passage(stored, heading.rank, heading.score)
        gone = {p.id for place, p in wanted.items() if place in known}
        return [opened.get(p.id, p) for p in found if p.id not in gone]

    def _read(self, document: str, only: Only) -> tuple[Passage, ...]:
        newest = self._newest.get(document)
        if newest is None:
            return ()
        stored = self._store.read(Only(documents=only.documents, sha256=(newest.sha256,), sections=only.sections))
        return tuple(self._passage(item, rank, 0.0) for rank, item in enumerate(stored, 1))

    def _passage(self, stored: StoredChunk, rank: int, score: float) -> Passage:
        revision = self._by_hash[stored.document, stored.sha256]
        return Passage(id=stored.id, revision=revision, chunk=stored.chunk, rank=rank, score=score)


def _place(revision: Revision, position: int) -> tuple[str, str, int]:
    return revision.document, revision.sha256, position
