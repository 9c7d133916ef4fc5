"""The library directory: source files by hash, parsed artefacts, vectors. Every write is whole or not at all.

sources/<sha256>.pdf                      the bytes as they were indexed; old citations open them
parsed/<sha256>-<parser>.json.gz          a cache: may be made again
ocr/<sha256>-<page>-<engine>.json.gz      a cache: what an OCR engine read on one page
vision/<sha256>-<page>-<key>.json.gz      a cache: what a vision model said of one page or figure
chunks/<sha256>-<key>.json.gz             a cache: how the document was cut
vectors/<key>.f32                         a cache: SHA-256 of the rest, shape, little-endian float32
"""

from __future__ import annotations

import errno
import gzip
import hashlib
import os
import re
import shutil
import struct
import tempfile
import zlib
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray
from pydantic import TypeAdapter, ValidationError

from pincite.corpus.ocr import Recognised
from pincite.errors import DiskError, LibraryDamaged
from pincite.types import Box, Described, ParsedDocument

PARSER = "pincite-10"
"""Version of everything between bytes and ParsedDocument. Raise it when the same bytes would give another document."""

_SHA256 = re.compile(r"[0-9a-f]{64}")
_FOLDERS = ("sources", "parsed", "ocr", "vision", "passages", "chunks", "vectors")
_WRITING = ".writing-"
_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,180}")


@cache
def _documents() -> TypeAdapter[ParsedDocument]:
    # Building the adapter takes a tenth of a second; commands that read no document should not pay it.
    return TypeAdapter(ParsedDocument)


def to_json(document: ParsedDocument) -> bytes:
    return _documents().dump_json(document)


def from_json(data: bytes) -> ParsedDocument:
    """Return the document.

    Raises:
        ValueError: If the bytes are no document.
    """
    return _documents().validate_json(data)


@cache
def _recognised() -> TypeAdapter[Recognised]:
    return TypeAdapter(Recognised)


def recognised_to_json(page: Recognised) -> bytes:
    return _recognised().dump_json(page)


def recognised_from_json(data: bytes) -> Recognised:
    """Return what an engine read.

    Raises:
        ValueError: If the bytes are no such thing.
    """
    return _recognised().validate_json(data)


@cache
def _described() -> TypeAdapter[Described]:
    return TypeAdapter(Described)


class Library:
    """The files under one directory, which is made when something is first written.

    Raises, from every method that touches the disk: DiskError when the disk is full or a place may not be read or
    written; LibraryDamaged when a stored file does not have the bytes it was written with.
    """

    def __init__(self, root: Path) -> None:
        self.root = Path(root)
        self._seen_whole: dict[str, tuple[int, int, int]] = {}

    # -------------------------------------------------------- sources

    def source_path(self, sha256: str) -> Path:
        """Return where the bytes with this hash are or would be; ValueError if it is no SHA-256."""
        if not _SHA256.fullmatch(sha256):
            raise ValueError(f"not a SHA-256 in lower-case hex: {sha256!r}")
        return self.root / "sources" / f"{sha256}.pdf"

    def has_source(self, sha256: str) -> bool:
        return self.source_path(sha256).is_file()

    def keep_source(self, path: Path, sha256: str) -> None:
        """Copy a file into the library under its hash.

        Raises:
            LibraryDamaged: If the file no longer has this hash; nothing is kept then.
        """
        target = self.source_path(sha256)
        if target.is_file():
            return

        def copy(out: BinaryIO) -> None:
            digest = hashlib.sha256()
            with path.open("rb") as source:
                while block := source.read(1 << 20):
                    digest.update(block)
                    out.write(block)
            if digest.hexdigest() != sha256:
                raise LibraryDamaged(f"{path.name} changed while it was read; index it again")

        self._write(target, copy)

    def whole_source(self, sha256: str) -> Path:
        """Return where the bytes with this hash are, once it is seen that they are these: again when the file changes.

        Raises:
            KeyError: If the library does not hold them.
            LibraryDamaged: If they are others.
        """
        path = self.source_path(sha256)
        with disk(path):
            if not path.is_file():
                raise KeyError(sha256)
            status = path.stat()
            stamp = (status.st_mtime_ns, status.st_size, status.st_ino)
            if self._seen_whole.get(sha256) != stamp:
                with path.open("rb") as stream:
                    found = hashlib.file_digest(stream, "sha256").hexdigest()
                if found != sha256:
                    raise LibraryDamaged(
                        f"{path} does not have the bytes it was indexed with: delete it and index the file again"
                    )
                self._seen_whole[sha256] = stamp
        return path

    # -------------------------------------------------------- parsed artefacts

    def parsed_path(self, sha256: str, parser: str = PARSER) -> Path:
        return self.root / "parsed" / f"{self.source_path(sha256).stem}-{parser}.json.gz"

    def keep_parsed(self, document: ParsedDocument) -> None:
        """Store a parsed document; one that was there is replaced."""
        data = gzip.compress(to_json(document), compresslevel=4, mtime=0)
        self._write(self.parsed_path(document.sha256, document.parser), lambda out: _put(out, data))

    def parsed(self, sha256: str, parser: str = PARSER) -> ParsedDocument | None:
        """Return the parsed document; None when this parser has not read these bytes yet."""
        path = self.parsed_path(sha256, parser)
        with disk(path):
            if not path.is_file():
                return None
            data = path.read_bytes()
        try:
            # gzip carries a checksum: a flipped bit does not come through.
            document = from_json(gzip.decompress(data))
        except (OSError, EOFError, zlib.error, ValidationError, ValueError) as error:
            raise LibraryDamaged(f"{path} is damaged; index the file again") from error
        if document.sha256 != sha256 or document.parser != parser:
            raise LibraryDamaged(f"{path} holds another document; index the file again")
        return document

    def parsed_digest(self, sha256: str, parser: str = PARSER) -> str:
        """Return what names the parsed artefact as it is now: its bytes' SHA-256, "" when there is none."""
        path = self.parsed_path(sha256, parser)
        with disk(path):
            return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""

    def needed(self, sha256: str) -> ParsedDocument:
        """Return the parsed document of a release.

        Raises:
            LibraryDamaged: If it is not there: the parser has changed or the cache was removed.
        """
        found = self.parsed(sha256)
        if found is None:
            raise LibraryDamaged(f"{self.root} holds no text of {sha256[:8]}…; index its file again")
        return found

    # -------------------------------------------------------- what OCR read

    def recognised_path(self, sha256: str, page: int, engine: str) -> Path:
        key = engine if _PLAIN.fullmatch(engine) else hashlib.sha256(engine.encode()).hexdigest()[:16]
        return self.root / "ocr" / f"{self.source_path(sha256).stem}-{page}-{key}.json.gz"

    def keep_recognised(self, sha256: str, page: Recognised) -> None:
        """Store what an engine read on one page of these bytes."""
        data = gzip.compress(recognised_to_json(page), compresslevel=4, mtime=0)
        self._write(self.recognised_path(sha256, page.page, page.engine), lambda out: _put(out, data))

    def recognised(self, sha256: str, page: int, engine: str) -> Recognised | None:
        """Return what this engine read on one page; None when it has not, or the artefact is damaged: it is a cache."""
        path = self.recognised_path(sha256, page, engine)
        with disk(path):
            if not path.is_file():
                return None
            data = path.read_bytes()
        try:
            return recognised_from_json(gzip.decompress(data))
        except (OSError, EOFError, zlib.error, ValueError):
            return None

    # -------------------------------------------------------- what a vision model said

    def described_path(self, sha256: str, page: int, box: Box, asked: str) -> Path:
        """Return the file of one page or figure; ``asked`` names the model and the version of the question."""
        key = hashlib.sha256(f"{asked} {box}".encode()).hexdigest()[:24]
        return self.root / "vision" / f"{self.source_path(sha256).stem}-{page}-{key}.json.gz"

    def keep_described(self, sha256: str, asked: str, said: Described) -> None:
        data = gzip.compress(_described().dump_json(said), compresslevel=4, mtime=0)
        self._write(self.described_path(sha256, said.page, said.box, asked), lambda out: _put(out, data))

    def described(self, sha256: str, page: int, box: Box, asked: str) -> Described | None:
        """Return what was said of a page or figure; None without, or when the artefact is damaged."""
        path = self.described_path(sha256, page, box, asked)
        with disk(path):
            if not path.is_file():
                return None
            data = path.read_bytes()
        try:
            return _described().validate_json(gzip.decompress(data))
        except (OSError, EOFError, zlib.error, ValueError):
            return None

    # -------------------------------------------------------- how documents were cut

    def cut_path(self, sha256: str, key: str) -> Path:
        return self.root / "chunks" / f"{self.source_path(sha256).stem}-{key}.json.gz"

    def keep_cut(self, sha256: str, key: str, cut: bytes) -> None:
        """Store the cut of a document under a key that names all that it was made from."""
        data = gzip.compress(cut, compresslevel=4, mtime=0)
        self._write(self.cut_path(sha256, key), lambda out: _put(out, data))

    def cut(self, sha256: str, key: str) -> bytes | None:
        """Return what was stored under a key; None without, or when it is damaged: it is a cache."""
        path = self.cut_path(sha256, key)
        with disk(path):
            if not path.is_file():
                return None
            data = path.read_bytes()
        try:
            return gzip.decompress(data)
        except (OSError, EOFError, zlib.error):
            return None

    # -------------------------------------------------------- passages made elsewhere

    def keep_passages(self, data: bytes) -> str:
        """Keep a file of passages; return its SHA-256."""
        sha256 = hashlib.sha256(data).hexdigest()
        self._write(self.root / "passages" / f"{sha256}.jsonl", lambda out: _put(out, data))
        return sha256

    def has_passages(self, sha256: str) -> bool:
        return (self.root / "passages" / f"{self.source_path(sha256).stem}.jsonl").is_file()

    def passages(self, sha256: str) -> bytes:
        """Return a file of passages that was kept.

        Raises:
            LibraryDamaged: If it is gone or has other bytes.
        """
        path = self.root / "passages" / f"{self.source_path(sha256).stem}.jsonl"
        with disk(path):
            data = path.read_bytes() if path.is_file() else b""
        if hashlib.sha256(data).hexdigest() != sha256:
            raise LibraryDamaged(f"{path} is gone or damaged; index the passages again")
        return data

    # -------------------------------------------------------- vectors

    def vectors_path(self, key: str) -> Path:
        """Return the file of a key; keys that are no plain file name are hashed."""
        name = key if _PLAIN.fullmatch(key) else hashlib.sha256(key.encode()).hexdigest()
        return self.root / "vectors" / f"{name}.f32"

    def keep_vectors(self, key: str, vectors: NDArray[np.float32]) -> None:
        """Store an array of shape (n, dim) under a key that names the document, the parser and the model."""
        if vectors.ndim != 2:
            raise ValueError(f"vectors need shape (n, dim), got {vectors.shape}")
        body = struct.pack("<QQ", *vectors.shape) + np.ascontiguousarray(vectors, dtype="<f4").tobytes()
        data = hashlib.sha256(body).digest() + body
        self._write(self.vectors_path(key), lambda out: _put(out, data))

    def vectors(self, key: str) -> NDArray[np.float32] | None:
        """Return the array stored under a key, shape (n, dim); None without, or when it is damaged: it is a cache."""
        path = self.vectors_path(key)
        with disk(path):
            if not path.is_file():
                return None
            data = path.read_bytes()
        digest, body = data[:32], data[32:]
        if len(body) < 16 or hashlib.sha256(body).digest() != digest:
            return None
        count, width = struct.unpack_from("<QQ", body)
        return np.frombuffer(body, dtype="<f4", offset=16).reshape(count, width).astype(np.float32)

    # -------------------------------------------------------- removal

    def forget(self, sha256: str) -> tuple[Path, ...]:
        """Remove the bytes with this hash and all that was made from them; return what was removed."""
        self.source_path(sha256)
        removed: list[Path] = []
        for folder in _FOLDERS:
            for path in sorted((self.root / folder).glob(f"{sha256}*")):
                with disk(path):
                    path.unlink(missing_ok=True)
                removed.append(path)
        return tuple(removed)

    def sweep(self) -> None:
        """Remove what a run that was killed had begun to write; call it while nobody else writes."""
        for folder in _FOLDERS:
            for path in (self.root / folder).glob(f"{_WRITING}*"):
                with disk(path):
                    path.unlink(missing_ok=True)

    def _write(self, path: Path, fill: Callable[[BinaryIO], None]) -> None:
        """Write beside the target and rename, so that a reader sees the whole file or none."""
        with disk(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=path.parent, prefix=_WRITING)
            try:
                with os.fdopen(handle, "wb") as out:
                    fill(out)
                    out.flush()
                    os.fsync(out.fileno())
                Path(name).replace(path)
            except BaseException:
                Path(name).unlink(missing_ok=True)
                raise


def _put(out: BinaryIO, data: bytes) -> None:
    out.write(data)


@contextmanager
def disk(path: Path) -> Generator[None]:
    """Tell a user what an operating system's error inside means: DiskError."""
    try:
        yield
    except OSError as error:
        raise disk_error(error, path) from error


def disk_error(error: OSError, path: Path) -> DiskError:
    """Return what to tell a user of an operating system's error."""
    place = str(error.filename or path)
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        there = next((above for above in path.absolute().parents if above.exists()), path)
        free = ""
        with suppress(OSError):
            free = f" ({shutil.disk_usage(there).free >> 20} MB free)"
        return DiskError(f"the disk of {there} is full{free}; free some space and run again", path=place)
    if error.errno == errno.EROFS:
        return DiskError(f"{place} lies on a disk that may only be read; choose another --library", path=place)
    if error.errno in (errno.EACCES, errno.EPERM):
        return DiskError(f"{place} may not be read or written by this user; change its permissions", path=place)
    return DiskError(f"{place}: {error.strerror or error}; check the disk and run again", path=place)
