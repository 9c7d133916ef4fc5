"""Question → passages of one release."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from pincite.errors import UsageError, WrongModel
from pincite.index.embed import Encoder
from pincite.index.lexicon import MOST, Lexicon
from pincite.index.statistics import Statistics
from pincite.index.store import Only, Ranked, Store, StoredChunk
from pincite.retrieve.coherence import cohere, is_bare_heading
from pincite.retrieve.fusion import DEFAULT, Fusion, fuse
from pincite.retrieve.query import lexical, normalize
from pincite.types import ChunkKind, Passage, Release, Revision, SectionPath, Standing

Mode = Literal["hybrid", "dense", "bm25"]


@dataclass(frozen=True, slots=True)
class Depths:
    """How many candidates each stage hands on."""

    nearest: int = 500
    """By meaning, of each language. Deep, because a chunk that only words found counts as the last of these: at 50 that
    is nearly as close as the best, and words in common by chance win (page hit@10 on `evaluation/laws_questions.jsonl`
    .18, at 500 .33)."""
    matching: int = 100
    """By words. 50 finds .0025 less of what answers on 1,400 questions over regulation, 200 as much."""
    kept: int = 40
    """After fusion, re-ranked for section coherence."""


LANGUAGE_SHARE = 0.5
"""How much of a question's closeness to all chunks of a language is taken off its closeness to each of them.

The encoder places a question nearer to everything in its own language. Of 40 questions in Dutch, German and French over
English rulebooks beside Dutch and German statutes, meaning alone finds the page of .40 without this, of .50 at .5 and
of .58 at 1; but 60 questions over the statutes fall from .52 to .45 at .75 and to .28 at 1."""


class Retriever:
    """Finds and reads passages of one release. Not thread-safe towards the engine: the engine serialises."""

    def __init__(
        self,
        release: Release,
        store: Store,
        statistics: Statistics,
        encoder: Encoder,
        *,
        depths: Depths = Depths(),
        fusion: Fusion = DEFAULT,
        withdrawn: Callable[[Iterable[tuple[str, str]]], set[tuple[str, str]]] = lambda _: set(),
    ) -> None:
        """
        Args:
            release, store, statistics: of the same release.
            withdrawn: of pairs (document, SHA-256), those that nobody may read any more. Asked at every step: an order
                to forget holds at once, long before the release without it is built.

        Raises:
            WrongModel: If the release was built with another embedding model.
        """
        if release.model != encoder.model:
            raise WrongModel(
                f"release {release.id} was built with {release.model}, this installation has {encoder.model}: "
                "run `pincite index` again, or configure the model it was built with"
            )
        self._release, self._withdrawn = release, withdrawn
        self._store, self._statistics, self._encoder = store, statistics, encoder
        self._depths, self._fusion = depths, fusion
        self._lexicon = Lexicon(release.average_length)
        self._by_hash = {(r.document, r.sha256): r for r in release.revisions}
        self._languages = sorted({r.language for r in release.revisions})
        order = {"citable": 0, "readable": 1, "rejected": 2}
        self._newest = {r.document: r for r in sorted(release.revisions, key=lambda r: -order[r.standing])}

    @property
    def release(self) -> Release:
        """The record, without what was withdrawn since."""
        hidden = self._withdrawn((r.document, r.sha256) for r in self._release.revisions)
        if not hidden:
            return self._release
        shown = tuple(r for r in self._release.revisions if (r.document, r.sha256) not in hidden)
        return replace(self._release, revisions=shown)

    def search(
        self,
        question: str,
        *,
        k: int = 10,
        mode: Mode = "hybrid",
        documents: Sequence[str] = (),
        kinds: Sequence[ChunkKind] = (),
        languages: Sequence[str] = (),
        standings: Sequence[Standing] = (),
        audiences: Sequence[str] = (),
    ) -> tuple[Passage, ...]:
        """Return the ``k`` best passages, best first; none when nothing matches.

        Readable (superseded) revisions are found like others: the gate, not the search, keeps them out of evidence.
        Each filter that is not empty keeps the search to what has one of its values.

        Raises:
            UsageError: If the question is empty.
        """
        text = normalize(question)
        if not text:
            raise UsageError("the question is empty: say what to look for")
        only = Only(
            documents=tuple(documents),
            kinds=tuple(kinds),
            languages=tuple(languages),
            standings=tuple(standings),
            audiences=tuple(audiences),
        )
        if mode == "dense":
            return self._passages(self._nearest(text, only)[:k])
        matching, most = self._matching(lexical(text), only)
        if mode == "bm25":
            return self._passages(matching[:k])
        found = fuse(self._nearest(text, only), matching, most, self._fusion)
        return tuple(cohere(self._opened(self._passages(found[: max(self._depths.kept, k)])))[:k])

    def _nearest(self, text: str, only: Only) -> list[Ranked]:
        """Return chunks by meaning, the languages ranked apart and merged; see `LANGUAGE_SHARE`."""
        vector = self._encoder.query(text)
        found: list[Ranked] = []
        groups = self._statistics.groups
        for group in groups:
            wanted = [code for code in group.languages if not only.languages or code in only.languages]
            if not wanted:
                continue
            kept = only if len(groups) == 1 else replace(only, languages=tuple(wanted))
            own = LANGUAGE_SHARE * float(vector @ group.mean) if len(groups) > 1 else 0.0
            nearest = self._store.nearest(vector, limit=self._depths.nearest, only=kept)
            found += [Ranked(one.id, one.score - own) for one in nearest]
        return sorted(found, key=lambda one: (-one.score, one.id))[: self._depths.nearest]

    def _matching(self, words: str, only: Only) -> tuple[list[Ranked], float]:
        """Return chunks by words, and what BM25 gives to one that holds all of them.

        Of the languages that is the one where the question weighs least: in its own, its small words are stopwords.
        """
        question = self._lexicon.question(words, self._languages)
        matching = self._store.matching(question, limit=self._depths.matching, only=only)
        rarities = [self._statistics.rarity(self._lexicon.words(words, language)) for language in self._languages]
        return matching, MOST * min((rarity for rarity in rarities if rarity), default=0.0)

    def _passages(self, found: Sequence[Ranked]) -> tuple[Passage, ...]:
        stored = self._store.fetch([one.id for one in found])
        hidden = self._withdrawn((chunk.document, chunk.sha256) for chunk in stored)
        pairs = [
            (chunk, one)
            for chunk, one in zip(stored, found, strict=True)
            if (chunk.document, chunk.sha256) not in hidden
        ]
        return tuple(self._passage(chunk, rank, one.score) for rank, (chunk, one) in enumerate(pairs, 1))

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

    def _opened(self, found: Sequence[Passage]) -> list[Passage]:
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
        if newest is None or self._withdrawn([(newest.document, newest.sha256)]):
            return ()
        stored = self._store.read(Only(documents=only.documents, sha256=(newest.sha256,), sections=only.sections))
        return tuple(self._passage(item, rank, 0.0) for rank, item in enumerate(stored, 1))

    def _passage(self, stored: StoredChunk, rank: int, score: float) -> Passage:
        revision = self._by_hash[stored.document, stored.sha256]
        return Passage(id=stored.id, revision=revision, chunk=stored.chunk, rank=rank, score=score)


def _place(revision: Revision, position: int) -> tuple[str, str, int]:
    return revision.document, revision.sha256, position
