"""Texts → BM25 vectors: words by Qdrant's own embedder, the same in every store, and pairs of neighbouring words.

Pairs are what tells "12.50" from "12.05" and holds TRX-0042 and pacs.008.001.08 together, in any language and without a
list of patterns: a code is a row of words that stand side by side. They also prefer a passage that says "security
strength" to one that says both words somewhere. See docs/adr/0025.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any

from pincite.lexicon import detect_language, senses_in

VERSION = "pairs-1"
"""Version of the vectors; another one makes another release, from the same chunks."""

PAIR_WEIGHT = 0.4
"""What a pair of the question counts beside a word. On 1,400 questions over 13,012 passages of regulation, words alone
reach recall@10 .779 and MAP@10 .640; pairs at .3 to .5 lift that to .79 and .67, at 1 they gain less."""

ALIKE_WEIGHT, ALIKE_OWN = 1.5, 0.5
"""What a word that says the same in another language, and in the question's own, counts beside a word of the question.
Over 17,979 chunks in three languages, 40 questions in Dutch, German and French about English rulebooks find their page
first for .28 without, .38 at 1 and .40 at 1.5, within ten for .53, .68 and .73; 60 about Dutch and German statutes stay
within one (.50). 1,400 English questions about regulation: recall@10 by words alone .794 without, .796 at .5."""

MOST = 2.2
"""What BM25 makes of a word at most, besides its inverse document frequency: k + 1."""

_K, _B = 1.2, 0.3
"""BM25's saturation and length normalisation for pairs. Words keep the engine's b = .75; a pair is rare enough that a
long passage should hardly pay for its length (.75 → .3: MAP@10 .663 → .673 on the same questions)."""

FIRST_PAIR = 1 << 31
"""Ids of pairs begin here; the engine's ids of words lie below."""

_SNOWBALL = {"en": "english", "nl": "dutch", "de": "german", "fr": "french"}
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class SparseVector:
    """Token ids and weights of the same length; ids ascending and distinct."""

    indices: tuple[int, ...]
    values: tuple[float, ...]


class Lexicon:
    """BM25 vectors in the languages of a release.

    A chunk is stemmed in its own language; a question, whose language may be another, in all of them.
    """

    def __init__(self, average_length: float) -> None:
        """``average_length``: tokens of a chunk that count as neither long nor short; baked into the vectors."""
        self._average = average_length
        self._languages = {code: _Language(name, average_length) for code, name in _SNOWBALL.items()}

    def document(self, text: str, language: str) -> SparseVector:
        """Return the vector of a stored text; an unknown language is stemmed as English."""
        spoken = self._language(language)
        tokens = spoken.tokens(text)
        length = _K * (1 - _B + _B * len(tokens) / self._average)
        pairs = Counter(_pairs(tokens))
        weights = spoken.document(text) | {pair: n * (_K + 1) / (n + length) for pair, n in pairs.items()}
        return _sparse(weights)

    def question(self, text: str, languages: Iterable[str]) -> SparseVector:
        """Return the vector of a question: each distinct word of each language weighs 1, each pair `PAIR_WEIGHT`, and
        what says the same in other words `ALIKE_WEIGHT`."""
        weights: dict[int, float] = {}
        codes = sorted({code if code in self._languages else "en" for code in languages} or {"en"})
        for code in codes:
            tokens = self._languages[code].tokens(text)
            weights |= dict.fromkeys(tokens, 1.0) | dict.fromkeys(_pairs(tokens), PAIR_WEIGHT)
        for token, weight in self._alike(text, codes).items():
            weights.setdefault(token, weight)
        return _sparse(weights)

    def _alike(self, text: str, codes: Sequence[str]) -> dict[int, float]:
        """What says the same as the words of a question, by the glossary, in each of the languages."""
        spoken = detect_language(text)
        weights: dict[int, float] = {}
        for spotted in senses_in(text, spoken):
            for code in codes:
                words = sorted({word for sense in spotted.senses for word in sense.words[code]})
                # One word in four ways must not count as four words, nor one word of a phrase as the phrase.
                weight = (ALIKE_OWN if code == spoken else ALIKE_WEIGHT) / math.sqrt(len(words) or 1)
                for word in words:
                    for token in self._languages[code].tokens(word):
                        weights[token] = max(weights.get(token, 0.0), weight / len(word.split()))
        return weights

    def length(self, text: str, language: str) -> int:
        """Return the number of words of a text, as `average_length` counts them."""
        return len(self._language(language).tokens(text))

    def words(self, text: str, language: str) -> set[int]:
        """Return the ids of the words of a text in one language, stopwords out."""
        return set(self._language(language).tokens(text))

    def _language(self, code: str) -> _Language:
        return self._languages.get(code, self._languages["en"])


class _Language:
    """Qdrant's embedder for one language."""

    def __init__(self, name: str, average_length: float) -> None:
        from qdrant_edge import Bm25, Bm25Config

        model: Any = Bm25(Bm25Config(language=name, avg_len=average_length))

        def stem(word: str) -> tuple[int, ...]:
            """Ids of what the engine makes of a word: none of a stopword, rarely more than one."""
            return tuple(model.embed_query(word).indices)

        self._model = model
        self._stem = lru_cache(maxsize=1 << 16)(stem)

    def document(self, text: str) -> dict[int, float]:
        found = self._model.embed_document(text)
        return dict(zip(found.indices, found.values, strict=True))

    def tokens(self, text: str) -> list[int]:
        """Ids of the words of a text in order, stopwords out."""
        return [id_ for word in _WORD.findall(text) for id_ in self._stem(word)]


def _pairs(tokens: Iterable[int]) -> list[int]:
    return [
        FIRST_PAIR | (first * 0x9E3779B1 + second * 0x85EBCA6B) >> 7 & FIRST_PAIR - 1
        for first, second in pairwise(tokens)
    ]


def _sparse(weights: dict[int, float]) -> SparseVector:
    ordered = sorted(weights.items())
    return SparseVector(tuple(i for i, _ in ordered), tuple(v for _, v in ordered))
