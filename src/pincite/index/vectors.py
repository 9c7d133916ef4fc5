"""The vectors of a document's chunks: made in parts, so that a run that is killed loses little."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from pincite.corpus.library import Library
from pincite.index.embed import Encoder, unit

if TYPE_CHECKING:
    from numpy.typing import NDArray

PART = 512
"""Texts after which vectors of one document are kept: 20 s of two cores' work, more than most documents have."""


def keep_vectors(
    library: Library,
    encoder: Encoder,
    key: str,
    chunks: Sequence[tuple[str, ...]],
    *,
    on_text: Callable[[], None] = lambda: None,
    part: int = PART,
) -> None:
    """Make the vectors of chunks, which are the mean of their texts' vectors, and keep them under ``key``.

    A document of more than ``part`` texts is made in parts; those that a run that was killed left are taken over.

    Args:
        chunks: the texts of each chunk, at least one.
        on_text: called for each text that is done, whenever it was.
    """
    pieces = list(_pieces(chunks, part))
    names = [f"{key}.{number}-of-{len(pieces)}" for number in range(len(pieces))]
    made: list[NDArray[np.float32]] = []
    for piece, name in zip(pieces, names, strict=True):
        found = library.vectors(name) if len(pieces) > 1 else None
        if found is None:
            found = _means(encoder, piece, on_text)
            if len(pieces) > 1:
                library.keep_vectors(name, found)
        else:
            for _ in range(sum(map(len, piece))):
                on_text()
        made.append(found)
    library.keep_vectors(key, np.concatenate(made) if made else np.zeros((0, encoder.dimension), np.float32))
    for name in names if len(pieces) > 1 else ():
        library.vectors_path(name).unlink(missing_ok=True)


def _pieces(chunks: Sequence[tuple[str, ...]], part: int) -> Iterator[Sequence[tuple[str, ...]]]:
    """Runs of whole chunks with ``part`` texts or a few more."""
    start = texts = 0
    for end, chunk in enumerate(chunks, 1):
        texts += len(chunk)
        if texts >= part or end == len(chunks):
            yield chunks[start:end]
            start, texts = end, 0


def _means(encoder: Encoder, chunks: Sequence[tuple[str, ...]], on_text: Callable[[], None]) -> NDArray[np.float32]:
    vectors = encoder.passages([text for texts in chunks for text in texts], on_done=on_text)
    means: list[NDArray[np.float32]] = []
    start = 0
    for texts in chunks:
        means.append(unit(vectors[start : start + len(texts)].mean(axis=0)))
        start += len(texts)
    return np.stack(means)
