"""What a search must know of all chunks of a release: how rare each word is, and where each language lies."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pincite.errors import LibraryDamaged
from pincite.index.lexicon import FIRST_PAIR, SparseVector

if TYPE_CHECKING:
    from numpy.typing import NDArray

SMALL = 0.02
"""Languages of less than this share of the chunks are taken together: a list of their own is not worth a search."""


@dataclass(frozen=True, slots=True)
class LanguageGroup:
    """Chunks that are ranked in one list because they are in one language, or in none that many are in."""

    languages: tuple[str, ...]
    mean: NDArray[np.float32]
    """Mean of their parts' vectors, shape (dimension,)."""


@dataclass(frozen=True)
class Statistics:
    """Made with a release, never changed."""

    chunks: int
    words: NDArray[np.uint32]
    """Ids of the words that chunks hold, ascending; pairs are left out."""
    frequencies: NDArray[np.uint32]
    """How many chunks hold each word."""
    means: dict[str, tuple[int, NDArray[np.float32]]]
    """By language: number of chunks, mean vector of their parts."""

    def rarity(self, words: Iterable[int]) -> float:
        """Return the sum of the inverse document frequencies of distinct words, as the engine weighs them.

        A word that no chunk holds counts as one that half a chunk holds: ln(2 n + 1).
        """
        asked = np.array(sorted(set(words)), np.uint32)
        if not len(asked) or not self.chunks:
            return 0.0
        at = np.searchsorted(self.words, asked)
        known = at < len(self.words)
        known[known] = self.words[at[known]] == asked[known]
        held = self.frequencies[at[known]].astype(np.float64)
        weights = np.log((self.chunks - held + 0.5) / (held + 0.5) + 1)
        return float(weights.sum()) + int((~known).sum()) * math.log(2 * self.chunks + 1)

    @cached_property
    def groups(self) -> tuple[LanguageGroup, ...]:
        """The languages that are ranked apart, by name, and one group of the small rest."""
        large = {code for code, (count, _) in self.means.items() if count >= SMALL * self.chunks}
        rest = sorted(self.means.keys() - large)
        groups = [LanguageGroup((code,), self.means[code][1]) for code in sorted(large)]
        if rest:
            counts = np.array([self.means[code][0] for code in rest], np.float32)
            means = np.stack([self.means[code][1] for code in rest])
            groups.append(LanguageGroup(tuple(rest), (counts @ means / counts.sum()).astype(np.float32)))
        return tuple(groups)

    def write(self, path: Path) -> None:
        """Write to a file, the same bytes for the same content."""
        languages = sorted(self.means)
        head = json.dumps({"chunks": self.chunks, "languages": {code: self.means[code][0] for code in languages}})
        with path.open("wb") as stream:
            np.save(stream, np.frombuffer(head.encode(), np.uint8))
            np.save(stream, self.words)
            np.save(stream, self.frequencies)
            np.save(stream, np.stack([self.means[code][1] for code in languages]) if languages else np.zeros((0, 0)))


def read_statistics(path: Path) -> Statistics:
    """
    Raises:
        LibraryDamaged: If the file is missing or is none that `Statistics.write` wrote.
    """
    try:
        with path.open("rb") as stream:
            head, words, frequencies, means = (np.load(stream, allow_pickle=False) for _ in range(4))
        said: dict[str, Any] = json.loads(head.tobytes())
        counted = zip(said["languages"].items(), means, strict=True)
        return Statistics(said["chunks"], words, frequencies, {code: (n, mean) for (code, n), mean in counted})
    except (OSError, ValueError, KeyError, TypeError, EOFError) as error:
        raise LibraryDamaged(f"{path} cannot be read: run `pincite index` again") from error


@dataclass(slots=True)
class Counting:
    """Statistics while chunks come."""

    chunks: int = 0
    _words: Counter[int] = field(default_factory=Counter[int])
    _sums: dict[str, tuple[int, int, Any]] = field(default_factory=dict[str, tuple[int, int, Any]])

    def add(self, language: str, words: SparseVector, vectors: NDArray[Any]) -> None:
        """Count a chunk with its words and its parts' vectors, shape (parts, dimension)."""
        self.chunks += 1
        self._words.update(i for i in words.indices if i < FIRST_PAIR)
        chunks, parts, total = self._sums.get(language, (0, 0, np.float64(0)))
        self._sums[language] = chunks + 1, parts + len(vectors), total + vectors.sum(axis=0, dtype=np.float64)

    def result(self) -> Statistics:
        counted: Sequence[tuple[int, int]] = sorted(self._words.items())
        return Statistics(
            self.chunks,
            np.array([word for word, _ in counted], np.uint32),
            np.array([n for _, n in counted], np.uint32),
            {code: (n, (total / parts).astype(np.float32)) for code, (n, parts, total) in self._sums.items()},
        )
