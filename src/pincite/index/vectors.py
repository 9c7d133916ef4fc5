"""The vectors of a document's chunks: made in parts, so that a run that is killed loses little."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from pincite.corpus.library import Library
from pincite.index.embed import Encoder

if TYPE_CHECKING:
    from numpy.typing import NDArray

PART = 512
"""Texts after which vectors of one document are kept: 20 s of two cores' work, more than most documents have."""


def keep_vectors(
    library: Library,
    encoder: Encoder,
    key: str,
    texts: Sequence[str],
    *,
    on_text: Callable[[], None] = lambda: None,
    part: int = PART,
) -> None:
    """Make the vectors of a document's texts and keep them under ``key``, shape (texts, dimension).

    A document of more than ``part`` texts is made in parts; those that a run that was killed left are taken over.

    Args:
        on_text: called for each text that is done, whenever it was.
    """
    pieces = [texts[start : start + part] for start in range(0, len(texts), part)]
    names = [f"{key}.{number}-of-{len(pieces)}" for number in range(len(pieces))]
    made: list[NDArray[np.float32]] = []
    for piece, name in zip(pieces, names, strict=True):
        found = library.vectors(name) if len(pieces) > 1 else None
        if found is None:
            found = encoder.passages(piece, on_done=on_text)
            if len(pieces) > 1:
                library.keep_vectors(name, found)
        else:
            for _ in piece:
                on_text()
        made.append(found)
    library.keep_vectors(key, np.concatenate(made) if made else np.zeros((0, encoder.dimension), np.float32))
    for name in names if len(pieces) > 1 else ():
        library.vectors_path(name).unlink(missing_ok=True)
