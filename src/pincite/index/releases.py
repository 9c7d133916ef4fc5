"""Releases: built beside the live one, published by one atomic switch, never changed afterwards.

releases/<id>/release.json   the record: revisions with their standing, the report of the run, model, parser
releases/<id>/statistics.npy how rare each word is, where each language lies
releases/<id>/store/         the engine's files, opened by one process at a time, or where on a server they are
releases/.building-…/        an unfinished build and what it needs on the way; whoever builds next removes it
current                      the id of the published release: the only thing that publishing changes
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from filelock import FileLock, Timeout
from pydantic import TypeAdapter

from pincite.errors import DiskError, LibraryBusy, LibraryDamaged, NotIndexed, StoreUnavailable, UsageError
from pincite.index.edge import EmbeddedEngine
from pincite.index.lexicon import Lexicon
from pincite.index.statistics import Counting, Statistics, read_statistics
from pincite.index.store import Engine, Store, StoredChunk
from pincite.types import Chunk, DocumentReport, Release, Revision

if TYPE_CHECKING:
    from numpy.typing import NDArray

_release: TypeAdapter[Release] = TypeAdapter(Release)
_POINTER = "current"
_STATISTICS = "statistics.npy"
_BUILDING = ".building-"


@dataclass(frozen=True, slots=True)
class Entry:
    """One revision with its chunks, ready to be stored."""

    revision: Revision
    ids: tuple[str, ...]
    """Passage ids, one for each chunk; unique in a release."""
    chunks: tuple[Chunk, ...]
    vectors: Sequence[NDArray[Any]]
    """Of each chunk the unit vectors of its parts, shape (parts, dimension)."""


class Releases:
    """The releases of one library directory."""

    def __init__(self, root: Path, engine: Engine | None = None) -> None:
        """``engine``: where stores are kept; in files below ``root`` when nothing else is said."""
        self._root = root
        self._engine: Engine = engine or EmbeddedEngine()
        self._directory = root / "releases"

    def current_id(self) -> str | None:
        """Return the id of the published release, None when nothing was published yet."""
        try:
            return (self._root / _POINTER).read_text(encoding="utf-8").strip() or None
        except FileNotFoundError:
            return None

    def current(self) -> Release:
        """Return the published release.

        Raises:
            NotIndexed: If nothing was published yet.
        """
        found = self.current_id()
        if found is None:
            raise NotIndexed(f"nothing is indexed in {self._root}: run `pincite index FOLDER` first")
        return self.load(found)

    def load(self, release: str) -> Release:
        """Return the record of a kept release.

        Raises:
            UsageError: If no such release is kept.
            LibraryDamaged: If its record cannot be read.
        """
        if release not in self._ids():
            raise UsageError(f"there is no release {release!r}: `pincite releases` lists those that are kept")
        path = self._directory / release / "release.json"
        try:
            return _release.validate_json(path.read_bytes())
        except (OSError, ValueError) as error:
            raise LibraryDamaged(f"{path} cannot be read: run `pincite index` again") from error

    def kept(self) -> tuple[Release, ...]:
        """Return the releases that can be rolled back to, newest first."""
        return tuple(self.load(release) for release in sorted(self._ids(), reverse=True))

    def store(self, release: str) -> Path:
        """Return the directory of a release's store."""
        return self._directory / release / "store"

    def statistics(self, release: str) -> Statistics:
        """Return what was counted in a release's chunks.

        Raises:
            LibraryDamaged: If it cannot be read.
        """
        return read_statistics(self._directory / release / _STATISTICS)

    @contextlib.contextmanager
    def writing(self) -> Generator[None]:
        """Hold the library's write lock: one index run or roll-back at a time.

        Raises:
            LibraryBusy: If another process writes.
            DiskError: If the directory cannot be written.
        """
        try:
            self._directory.mkdir(parents=True, exist_ok=True)
            lock = FileLock(self._root / "write.lock", timeout=0)
            lock.acquire()
        except Timeout:
            raise LibraryBusy(f"another index run is writing to {self._root}: wait until it is done") from None
        except OSError as error:
            raise _disk_error(self._root, error) from error
        try:
            for unfinished in self._directory.glob(f"{_BUILDING}*"):
                self._remove(unfinished)
            yield
        finally:
            lock.release()

    @contextlib.contextmanager
    def workshop(self) -> Generator[Path]:
        """Lend an empty directory for what a build needs on the way; call it while `writing`.

        Raises:
            DiskError: If it cannot be made.
        """
        directory = self._directory / f"{_BUILDING}drafts"
        try:
            directory.mkdir(parents=True)
        except OSError as error:
            raise _disk_error(self._root, error) from error
        try:
            yield directory
        finally:
            shutil.rmtree(directory, ignore_errors=True)

    def build(
        self,
        entries: Iterable[Entry],
        reports: Sequence[DocumentReport],
        *,
        model: str,
        parser: str,
        average_length: float,
        dimension: int,
        on_chunks: Callable[[int], None] = lambda _: None,
    ) -> Release:
        """Write a new release beside the published one; readers do not see it until `publish`.

        One entry is held at a time.

        Raises:
            DiskError: If the disk is full or may not be written; nothing is left behind.
        """
        now = datetime.now(UTC)
        building = self._directory / f"{_BUILDING}{now:%Y%m%dT%H%M%S.%f}"
        try:
            (building / "store").mkdir(parents=True)
            revisions, counted = _write_store(
                self._engine.create(building / "store", dimension), entries, average_length, on_chunks
            )
            statistics = counted.result()
            statistics.write(building / _STATISTICS)
            release = Release(
                id=self._new_id(now, revisions),
                created=now.isoformat(timespec="seconds"),
                model=model,
                parser=parser,
                average_length=average_length,
                revisions=revisions,
                documents=tuple(reports),
                chunks=statistics.chunks,
            )
            _write(building / "release.json", _release.dump_json(release, indent=1))
            building.rename(self._directory / release.id)
            _sync(self._directory)
        except OSError as error:
            raise _disk_error(self._root, error) from error
        finally:
            self._remove(building)
        return release

    def publish(self, release: str, *, keep: int) -> None:
        """Make ``release`` the one that readers see, by one atomic rename; then remove all but the ``keep`` newest.

        Readers in flight finish on the release that they began with.
        """
        self.load(release)
        # Whoever asks the engine itself may see the new release a moment before our readers, never one that is gone.
        self._engine.publish(self.store(release))
        try:
            _write(self._root / f"{_POINTER}.new", release.encode())
            (self._root / f"{_POINTER}.new").replace(self._root / _POINTER)
            _sync(self._root)
        except OSError as error:
            raise _disk_error(self._root, error) from error
        for old in sorted(self._ids() - {release}, reverse=True)[max(keep - 1, 0) :]:
            self._remove(self._directory / old)

    def is_held(self, release: str) -> bool:
        """Say whether a kept release lies where the configured engine looks for it."""
        return self._engine.holds(self.store(release))

    def _remove(self, release: Path) -> None:
        """Remove a release or what was to become one; what a server does not let go of now stays for the next run."""
        with contextlib.suppress(StoreUnavailable):
            self._engine.drop(release / "store")
            shutil.rmtree(release, ignore_errors=True)

    def previous(self) -> str:
        """Return the id of the newest release older than the published one.

        Raises:
            UsageError: If none is kept.
        """
        older = sorted(release for release in self._ids() if release < (self.current_id() or ""))
        if not older:
            raise UsageError("there is no older release to go back to: `pincite releases` lists those that are kept")
        return older[-1]

    def _ids(self) -> set[str]:
        if not self._directory.is_dir():
            return set()
        return {path.name for path in self._directory.iterdir() if path.is_dir() and not path.name.startswith(".")}

    def _new_id(self, now: datetime, revisions: Sequence[Revision]) -> str:
        """Ids sort by time; the last part tells apart what was built in the same microsecond."""
        content = hashlib.sha256("\n".join(revision.sha256 for revision in revisions).encode()).hexdigest()
        return f"{now:%Y%m%dT%H%M%S.%f}"[:-3] + f"-{content[:6]}"


def _write_store(
    store: Store, entries: Iterable[Entry], average_length: float, on_chunks: Callable[[int], None]
) -> tuple[tuple[Revision, ...], Counting]:
    """Store the entries as they come; return their revisions and what was counted in them."""
    lexicon, counting = Lexicon(average_length), Counting()
    revisions: list[Revision] = []
    for entry in entries:
        revision = entry.revision
        revisions.append(revision)
        read = revision.description.date.reading if revision.description else None
        stored = [
            StoredChunk(
                id=passage,
                document=revision.document,
                sha256=revision.sha256,
                language=revision.language,
                standing=revision.standing,
                chunk=chunk,
                date=read.value if read else "",
            )
            for passage, chunk in zip(entry.ids, entry.chunks, strict=True)
        ]
        words = [lexicon.document(chunk.embedded_text, revision.language) for chunk in entry.chunks]
        store.add(stored, entry.vectors, words, start=counting.chunks, on_batch=on_chunks)
        for vectors, sparse in zip(entry.vectors, words, strict=True):
            counting.add(revision.language, sparse, vectors)
    store.finish()
    store.close()
    return tuple(revisions), counting


def _write(path: Path, data: bytes) -> None:
    with path.open("wb") as stream:
        stream.write(data)
        stream.flush()
        os.fsync(stream.fileno())


def _sync(directory: Path) -> None:
    if os.name == "nt":  # Windows cannot open a directory to flush it; its renames are journalled
        return
    handle = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _disk_error(path: Path, error: OSError) -> DiskError:
    cause = error.strerror or str(error)
    return DiskError(f"cannot write to {path}: {cause}. Free some space or choose another --library", path=str(path))
