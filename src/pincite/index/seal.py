"""Checksums of files that never change again: what was flipped on the disk is refused, not read.

A sealed directory holds ``checksums``: its own, then one line a file: SHA-256, size in bytes, path. A file of a store
is mostly holes; its digest leaves out blocks of zeros, so that a hole costs next to nothing and a byte that appears in
one is seen.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

from pincite.errors import LibraryDamaged

NAME = "checksums"
_BLOCK = 1 << 16
_ZEROS = bytes(_BLOCK)


def seal(directory: Path) -> None:
    """Write the checksums of every file under ``directory``, and everything to the disk."""
    lines: list[str] = []
    for path in sorted(path for path in directory.rglob("*") if path.is_file()):
        digest, size = _digest(path)
        lines.append(f"{digest} {size} {path.relative_to(directory).as_posix()}\n")
        _flush(path)
    write_checked(directory / NAME, "".join(lines).encode())
    for folder in [directory, *(path for path in directory.rglob("*") if path.is_dir())]:
        sync(folder)


def check(directory: Path, *, only: str = "", copy_to: Path | None = None) -> None:
    """Compare a sealed directory, or the one file ``only``, with its checksums.

    With ``copy_to``, an empty directory, the files are copied there as they are read, holes left out.

    Raises:
        LibraryDamaged: If a file is missing or has other bytes.
    """
    for digest, size, name in _lines(directory):
        if only and name != only:
            continue
        path, copy = directory / name, copy_to / name if copy_to else None
        try:
            same = path.stat().st_size == size and _digest(path, copy) == (digest, size)
        except FileNotFoundError:
            same = False
        if not same:
            raise LibraryDamaged(
                f"{path} does not have the bytes it was written with: run `pincite index` again to build the index "
                "anew, or `pincite rollback` to go back to an older release"
            )
        if name == only:
            return
    if only:
        raise _unsealed(directory)


def write_whole(path: Path, data: bytes) -> None:
    """Replace a file at once: a reader sees the old bytes or the new ones, also after a power cut."""
    new = path.with_name(f"{path.name}.new")
    with new.open("wb") as stream:
        stream.write(data)
        stream.flush()
        os.fsync(stream.fileno())
    new.replace(path)
    sync(path.parent)


def write_checked(path: Path, data: bytes) -> None:
    """`write_whole` with a first line that `read_checked` compares the rest with."""
    write_whole(path, hashlib.sha256(data).hexdigest().encode() + b"\n" + data)


def read_checked(path: Path) -> bytes | None:
    """Return what `write_checked` wrote; None when there is no such file.

    Raises:
        LibraryDamaged: If it has other bytes.
    """
    try:
        digest, _, data = path.read_bytes().partition(b"\n")
    except FileNotFoundError:
        return None
    if hashlib.sha256(data).hexdigest().encode() != digest:
        raise LibraryDamaged(f"{path} does not have the bytes it was written with: restore it from a backup")
    return data


def sync(directory: Path) -> None:
    """Write a directory's entries to the disk."""
    if os.name == "nt":  # Windows cannot open a directory to flush it; its renames are journalled
        return
    handle = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _lines(directory: Path) -> Iterator[tuple[str, int, str]]:
    try:
        data = read_checked(directory / NAME)
    except (OSError, LibraryDamaged) as error:
        raise _unsealed(directory) from error
    if data is None:
        raise _unsealed(directory)
    for line in data.decode().split("\n")[:-1]:
        digest, size, name = line.split(" ", 2)
        yield digest, int(size), name


def _unsealed(directory: Path) -> LibraryDamaged:
    return LibraryDamaged(
        f"{directory} has no checksums that can be read: run `pincite index` again to build the index anew"
    )


def _digest(path: Path, copy: Path | None = None) -> tuple[str, int]:
    """Return the digest of a file and its size, writing a copy with holes where it has zeros."""
    digest, at = hashlib.sha256(), 0
    out = None
    if copy is not None:
        copy.parent.mkdir(parents=True, exist_ok=True)
        out = copy.open("wb")
    try:
        with path.open("rb", buffering=0) as stream:
            while block := stream.read(_BLOCK):
                if block != _ZEROS:
                    digest.update(at.to_bytes(8, "little") + block)
                    if out is not None:
                        out.seek(at)
                        out.write(block)
                at += len(block)
        if out is not None:
            out.truncate(at)
    finally:
        if out is not None:
            out.close()
    return digest.hexdigest(), at


def _flush(path: Path) -> None:
    with path.open("rb+") as stream:
        os.fsync(stream.fileno())
