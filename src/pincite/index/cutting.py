"""Parsed documents → chunks and what is embedded of them, made once for each document and kept in the library.

A cut depends on the parsed artefact (whose bytes change with the parser, with OCR and with what a vision model said),
on the chunker and its size, on the encoder that bounds it and on the lexicon that measures it: all are in its key. What
a chunk refers to depends on the other documents of a release and is no part of it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

from pydantic import TypeAdapter, ValidationError

from pincite.corpus.chunks import cut, parts
from pincite.corpus.library import Library
from pincite.index.embed import Encoder
from pincite.index.lexicon import VERSION as LEXICON
from pincite.index.lexicon import Lexicon
from pincite.types import Chunk, ParsedDocument

CHUNKER = "chunks-2"
"""Version of the cut and of its parts. Raise it when the same parsed document would give others: another one makes
another release, from the same parsed documents."""

_SAMPLED = 8
"""Of so many chunks one is measured for the mean length."""

_PROBE = "What does a cross-border purchase cost? De pomp levert 20 m³/h bij § 4.2; TRX-0042 gebührenpflichtig."


@dataclass(frozen=True, slots=True)
class Cut:
    """The chunks of one document and what is embedded of them."""

    chunks: tuple[Chunk, ...]
    """Without references when they were cut here."""
    parts: tuple[int, ...]
    """How many texts are embedded of each chunk."""
    vectors: str
    """Key of their vectors in the library."""
    lengths: tuple[int, ...]
    """Words of a few of the chunks, spread evenly."""


@dataclass(frozen=True, slots=True)
class Cutter:
    """Cuts the documents of one library."""

    library: Library
    encoder: Encoder
    size: int
    """Characters of a chunk of prose."""

    def cut(self, document: ParsedDocument) -> Cut:
        """Return the cut of a document of the library, from the library when it was made before.

        Raises:
            DiskError: As the library says.
        """
        made_from = self.library.parsed_digest(document.sha256)
        return self._kept(
            document.sha256,
            made_from,
            document.language,
            lambda: cut(document, fits=self.encoder.fits, size=self.size),
        )

    def of_passages(self, sha256: str, chunks: tuple[Chunk, ...], language: str) -> Cut:
        """Return the cut of chunks that were made elsewhere and lie in the file with this hash."""
        made_from = hashlib.sha256(_chunks().dump_json(chunks)).hexdigest()
        return self._kept(sha256, made_from, language, lambda: chunks)

    def texts(self, chunks: Sequence[Chunk]) -> list[tuple[str, ...]]:
        """Return what is embedded of each chunk: its parts, none longer than the encoder takes."""
        fits = self.encoder.fits
        return [
            tuple(
                piece for part in parts(chunk, fits) for piece in ((part,) if fits(part) else self.encoder.parts(part))
            )
            for chunk in chunks
        ]

    def _kept(self, sha256: str, made_from: str, language: str, chunks: Callable[[], tuple[Chunk, ...]]) -> Cut:
        encoder = self.encoder
        # An endpoint's tokenizer is no part of its model's name; how it counts tells it from another.
        bounds = (encoder.model, repr(encoder.habits), str(encoder.count(_PROBE)))
        named = "\0".join((made_from, language, CHUNKER, str(self.size), LEXICON, *bounds))
        key = hashlib.sha256(named.encode()).hexdigest()[:24]
        kept = self.library.cut(sha256, key)
        if kept is not None:
            try:
                return _cuts().validate_json(kept)
            except ValidationError:
                pass  # of another version of its fields: it is a cache
        made = self._measured(sha256, chunks(), language)
        self.library.keep_cut(sha256, key, _cuts().dump_json(made))
        return made

    def _measured(self, sha256: str, chunks: tuple[Chunk, ...], language: str) -> Cut:
        texts, lexicon = self.texts(chunks), _lexicon()
        return Cut(
            chunks,
            tuple(map(len, texts)),
            _vectors_key(sha256, self.encoder.model, texts),
            tuple(lexicon.length(chunk.embedded_text, language) for chunk in chunks[::_SAMPLED]),
        )


@cache
def _lexicon() -> Lexicon:
    # For lengths alone, which the average does not touch; its stems are worth keeping from document to document.
    return Lexicon(1.0)


@cache
def _cuts() -> TypeAdapter[Cut]:
    # Built when needed: it takes a tenth of a second.
    return TypeAdapter(Cut)


@cache
def _chunks() -> TypeAdapter[tuple[Chunk, ...]]:
    return TypeAdapter(tuple[Chunk, ...])


def _vectors_key(sha256: str, model: str, chunks: Sequence[tuple[str, ...]]) -> str:
    """Vectors are good for exactly these texts and this model; the source's hash leads, so that it can be forgotten."""
    texts = hashlib.sha256()
    for chunk in chunks:
        for text in chunk:
            texts.update(text.encode() + b"\0")
        texts.update(b"\1")
    return f"{sha256}-{hashlib.sha256(model.encode()).hexdigest()[:8]}-{texts.hexdigest()[:24]}"
