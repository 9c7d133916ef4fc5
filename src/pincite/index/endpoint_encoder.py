"""The encoder behind an embedding endpoint, and how it is told whether that is still the model it was."""

from __future__ import annotations

import hashlib
import json
import os
import re
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pincite.errors import DiskError, ModelError
from pincite.index.embed import Encoder, Habits
from pincite.index.onnx_encoder import cut_by_tokens
from pincite.models import EmbeddingEndpoint, embed_texts

if TYPE_CHECKING:
    from numpy.typing import NDArray

_PROBES = ("What does a cross-border purchase cost?", "De pomp levert 20 m³/h.", "§ 4.2 TRX-0042")
SAME = 0.9995
"""Cosine from which two vectors of a probe count as the same model's. A guess between what is known: sums in another
order move a cosine by a millionth, and the int8 copy of the built-in model is at .9989 of its floats."""


class EndpointEncoder(Encoder):
    """A model that is asked over HTTP.

    A name says little about what answers to it. So the first run keeps the vectors of three probes in the library; the
    model is the one of a release as long as its vectors of them are, wherever it is asked.
    """

    def __init__(
        self, endpoint: EmbeddingEndpoint, habits: Habits, *, records: Path, tokenizer: Path | None = None
    ) -> None:
        """Ask for the vectors of the probes.

        Args:
            endpoint: where it is.
            habits: how it wants to be asked.
            records: directory where the probes of the models that were met are kept.
            tokenizer: the model's tokenizer.json. Without it every byte counts as a token, which is never too few: a
                tokenizer of bytes, words or pieces makes no more.

        Raises:
            ModelError: If the endpoint cannot be used, or the tokenizer not be read.
            DiskError: If a model is met for the first time and cannot be recorded.
        """
        self.habits, self._endpoint = habits, endpoint
        self._tokenizer = _load(tokenizer)
        probes = self._encode(_PROBES, lambda: None, None)
        self._dimension = probes.shape[1]
        self._model = _recognise(records, endpoint, habits, probes)

    @property
    def model(self) -> str:
        return self._model

    @property
    def dimension(self) -> int:
        return self._dimension

    def count(self, text: str) -> int:
        if self._tokenizer is None:
            return len(text.encode("utf-8", "replace"))
        return len(self._tokenizer.encode(text, add_special_tokens=False).ids)

    def parts(self, text: str) -> tuple[str, ...]:
        if self._tokenizer is not None:
            return cut_by_tokens(self._tokenizer, text, self.habits)
        prefix = max(self.count(one) for one in (self.habits.query_prefix, self.habits.passage_prefix))
        return _cut_by_bytes(text, self.habits.max_tokens - prefix - _ENDS)

    def _fits(self, prefixed: str) -> bool:
        if self._tokenizer is None:
            return self.count(prefixed) + _ENDS <= self.habits.max_tokens
        return len(self._tokenizer.encode(prefixed).ids) <= self.habits.max_tokens

    def _encode(self, texts: Sequence[str], on_done: Callable[[], None], threads: int | None) -> NDArray[np.float32]:
        vectors = np.array(embed_texts(self._endpoint, texts, on_done), np.float32)
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


_ENDS = 3
"""Tokens that a model adds to a text of its own accord."""


def _load(path: Path | None) -> Any:
    if path is None:
        return None
    from tokenizers import Tokenizer

    try:
        tokenizer: Any = Tokenizer.from_file(str(path))
    except Exception as error:  # the library raises its own kinds
        raise ModelError(f"the tokenizer {path} cannot be read: {error}") from error
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


def _cut_by_bytes(text: str, room: int) -> tuple[str, ...]:
    """Return pieces of at most ``room`` bytes, cut at white space where there is some, else between characters."""
    room = max(room, 4)  # a character has up to four
    parts: list[str] = []
    while len(data := text.encode("utf-8", "replace")) > room:
        head = data[:room].decode("utf-8", "ignore")
        space = max(head.rfind(" "), head.rfind("\n"))
        head = head[: space + 1] if space > len(head) // 2 else head
        parts.append(head)
        text = text[len(head) :]
    return (*parts, text) if text.strip() or not parts else tuple(parts)


def _recognise(records: Path, endpoint: EmbeddingEndpoint, habits: Habits, probes: NDArray[np.float32]) -> str:
    """Return the identity of the model that gave ``probes``: the one it had, or a new one, which is recorded."""
    told = {"name": endpoint.model, "query_prefix": habits.query_prefix, "passage_prefix": habits.passage_prefix}
    for path in sorted(records.glob("*.json")) if records.is_dir() else ():
        try:
            record: Any = json.loads(path.read_text(encoding="utf-8"))
            known = np.array(record["probes"], np.float32)
            same = all(record[key] == value for key, value in told.items()) and known.shape == probes.shape
            if same and float((known * probes).sum(axis=1).min()) >= SAME:
                return str(record["model"])
        except (OSError, ValueError, LookupError, TypeError) as error:
            raise ModelError(f"{path} cannot be read: remove it, then run `pincite index` again") from error
    digest = hashlib.sha256(repr(told).encode() + probes.astype("<f2").tobytes()).hexdigest()[:16]
    model = f"{endpoint.model}@{digest}"
    record = told | {
        "model": model,
        "base_url": endpoint.base_url,
        "probes": [[round(float(x), 6) for x in v] for v in probes],
    }
    name = re.sub(r"[^\w.-]+", "-", endpoint.model)[:60]
    _write(records / f"{name}-{digest}.json", json.dumps(record))
    return model


def _write(path: Path, text: str) -> None:
    """Write beside the target and rename, so that a reader sees the whole file or none."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=".writing-")
        with os.fdopen(handle, "w", encoding="utf-8") as out:
            out.write(text)
        Path(name).replace(path)
    except OSError as error:
        raise DiskError(f"cannot write {path}: {error.strerror}. Free some space", path=str(path)) from error
