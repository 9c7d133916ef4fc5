"""Texts → dense vectors, by any encoder."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


_REMEMBERED = 4096


@dataclass(frozen=True, slots=True)
class Habits:
    """How a sentence encoder wants to be asked; vectors made with other habits do not fit."""

    query_prefix: str = ""
    passage_prefix: str = ""
    max_tokens: int = 512
    """What it reads of one text, prefix and ends included. Nothing longer is ever handed to it."""


class Encoder(ABC):
    """Texts → unit vectors. A text's vector depends on nothing but the text. Safe to use from several threads."""

    habits: Habits

    @property
    @abstractmethod
    def model(self) -> str:
        """Name and digest, as every release records it: equal exactly where vectors are."""

    @property
    @abstractmethod
    def dimension(self) -> int:
        """Length of the vectors."""

    @abstractmethod
    def count(self, text: str) -> int:
        """Return the number of the encoder's tokens in ``text``, without ends and prefix; an upper bound of it where
        the encoder's tokenizer is not known."""

    @abstractmethod
    def parts(self, text: str) -> tuple[str, ...]:
        """Return ``text`` cut into pieces that fit; itself when it fits."""

    @abstractmethod
    def _fits(self, prefixed: str) -> bool:
        """Say whether a text with its prefix is read whole."""

    @abstractmethod
    def _encode(self, texts: Sequence[str], on_done: Callable[[], None], threads: int | None) -> NDArray[np.float32]:
        """Return unit vectors of at least one text, each with its prefix, shape (texts, dimension)."""

    def fits(self, text: str) -> bool:
        """Say whether ``text`` is read whole when embedded as a passage."""
        return self._fits(self.habits.passage_prefix + text)

    def passages(
        self, texts: Sequence[str], *, on_done: Callable[[], None] = lambda: None, threads: int | None = None
    ) -> NDArray[np.float32]:
        """Return unit vectors of passages, shape (texts, dimension), in order.

        Args:
            texts: each fits.
            on_done: called when one more is done, in whatever thread.
            threads: as many texts at a time; None: as many as there are processors.

        Raises:
            ValueError: If a text does not fit (see `fits`): cut it first, nothing is truncated.
            ModelError: If the model fails, or does not answer.
        """
        if not texts:
            return np.zeros((0, self.dimension), np.float32)
        return self._encode([self._checked(self.habits.passage_prefix + text) for text in texts], on_done, threads)

    def query(self, text: str) -> NDArray[np.float32]:
        """Return the unit vector of a question, shape (dimension,).

        A pasted e-mail may be longer than the encoder reads; then the mean of its parts, so that its end counts too.
        """
        return unit(self._recalled([self.habits.query_prefix + part for part in self.parts(text)]).mean(axis=0))

    def similarity(self, question: str, texts: Sequence[str]) -> list[float]:
        """Return the cosine of the question to each text; over-long texts are compared by their first part."""
        if not texts:
            return []
        vectors = self._recalled([self.habits.passage_prefix + self.parts(text)[0] for text in texts])
        return [float(x) for x in vectors @ self.query(question)]

    def _recalled(self, prefixed: Sequence[str]) -> NDArray[np.float32]:
        """Return the vectors of at least one text; those of late are remembered, for while a question is answered the
        same sentences are compared with it again, and of two questions on one matter many are the same.
        """
        vectors = self._remembered.get(prefixed)
        missing = [text for text in dict.fromkeys(prefixed) if text not in vectors]
        if missing:
            made = self._encode([self._checked(text) for text in missing], lambda: None, None)
            vectors |= dict(zip(missing, made, strict=True))
            self._remembered.put(vectors)
        return np.stack([vectors[text] for text in prefixed])

    @cached_property
    def _remembered(self) -> _Remembered:
        return _Remembered()

    def _checked(self, prefixed: str) -> str:
        if not self._fits(prefixed):
            raise ValueError(f"a text does not fit the encoder's {self.habits.max_tokens} tokens")
        return prefixed


class _Remembered:
    """The vectors of the texts that were asked for last: at most ``_REMEMBERED``, 6 MB with the built-in model."""

    def __init__(self) -> None:
        self._vectors: OrderedDict[str, NDArray[np.float32]] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, texts: Sequence[str]) -> dict[str, NDArray[np.float32]]:
        with self._lock:
            return {text: self._vectors[text] for text in texts if text in self._vectors}

    def put(self, vectors: dict[str, NDArray[np.float32]]) -> None:
        with self._lock:
            for text, vector in vectors.items():
                self._vectors[text] = vector
                self._vectors.move_to_end(text)
            while len(self._vectors) > _REMEMBERED:
                self._vectors.popitem(last=False)


def unit(vector: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return a vector's direction; one without any (all zeros) stays as it is."""
    length = np.float32(np.linalg.norm(vector))
    return np.asarray(vector / length, np.float32) if length else vector


def spans(offsets: Sequence[tuple[int, int]], room: int) -> list[tuple[int, int]]:
    """Return the character spans of runs of at most ``room`` tokens, which lie at ``offsets``."""
    return [(offsets[i][0], offsets[min(i + room, len(offsets)) - 1][1]) for i in range(0, len(offsets), room)]
