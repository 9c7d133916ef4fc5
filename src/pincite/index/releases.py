"""Releases: built beside the live one, published by one atomic switch, never changed afterwards.

releases/<id>/release.json   the record: revisions with their standing, the report of the run, model, parser
releases/<id>/statistics.npy how rare each word is, where each language lies
releases/<id>/store/         the engine's files, opened by one process at a time, or where on a server they are
releases/<id>/checksums      of all of these; compared whenever the release is opened
releases/.building-…/        an unfinished build and what it needs on the way; whoever writes next removes it
releases/.removed-…/         a release on its way out; likewise
current                      the id of the published release: the only thing that publishing changes
withdrawn, register          see `withdrawn.py`
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from filelock import FileLock, Timeout
from pydantic import TypeAdapter

from pincite.corpus.library import disk_error
from pincite.errors import DiskError, LibraryBusy, LibraryDamaged, NotIndexed, StoreUnavailable, UsageError
from pincite.index import seal
from pincite.index.edge import EmbeddedEngine
from pincite.index.lexicon import Lexicon
from pincite.index.statistics import Counting, Statistics, read_statistics
from pincite.index.store import Engine, StoredChunk, StoreWriter
from pincite.index.versions import check_readable
from pincite.index.withdrawn import Register, Withdrawn
from pincite.types import Chunk, DocumentReport, Release, Revision

if TYPE_CHECKING:
    from numpy.typing import NDArray

_release: TypeAdapter[Release] = TypeAdapter(Release)
_POINTER = "current"
_STATISTICS = "statistics.npy"
_BUILDING, _REMOVED = ".building-", ".removed-"


@dataclass(frozen=True, slots=True)
class Entry:
    """One revision with its chunks, ready to be stored."""

    revision: Revision
    ids: tuple[str, ...]
    """Passage ids, one for each chunk; unique in a release."""
    chunks: tuple[Chunk, ...]
    vectors: Sequence[NDArray[Any]]
    """Of each chunk the unit vectors of its parts, shape (parts, dimension)."""


@dataclass(frozen=True, slots=True)
class Opened:
    """A release whose files were compared with their checksums."""

    release: Release
    store: Path
    """Directory for the engine."""
    statistics: Statistics
    discard: Callable[[], None]
    """To be called when the store is closed: removes a private copy, where one was needed."""


class Releases:
    """The releases of one library directory."""

    def __init__(self, root: Path, engine: Engine | None = None) -> None:
        """``engine``: where stores are kept; in files below ``root`` when nothing else is said."""
        self._root = root
        self._engine: Engine = engine or EmbeddedEngine()
        self._directory = root / "releases"
        self.withdrawn = Withdrawn(root)
        self.register = Register(root)

    # ------------------------------------------------------------ reading

    def current_id(self) -> str | None:
        """Return the id of the published release, None when nothing was published yet."""
        try:
            return (self._root / _POINTER).read_text(encoding="utf-8", errors="replace").strip()
        except FileNotFoundError:
            return None

    def current(self) -> Release:
        """Return the published release.

        Raises:
            NotIndexed: If nothing was published yet.
            LibraryDamaged: If the pointer or the record is damaged.
        """
        found = self.current_id()
        if found is None:
            raise NotIndexed(f"nothing is indexed in {self._root}: run `pincite index FOLDER` first")
        if found not in self._ids():
            raise LibraryDamaged(
                f"{self._root / _POINTER} names no release that is kept: `pincite rollback RELEASE` publishes one of "
                f"{', '.join(sorted(self._ids(), reverse=True)) or 'none'}"
            )
        return self.load(found)

    def load(self, release: str) -> Release:
        """Return the record of a kept release, without what was withdrawn.

        Raises:
            UsageError: If no such release is kept.
            LibraryDamaged: If its record does not have the bytes it was written with.
        """
        record = self._record(release)
        hidden = self._hidden(record)
        if not hidden:
            return record
        revisions = tuple(r for r in record.revisions if (r.document, r.sha256) not in hidden)
        reports = tuple(r for r in record.documents if r.status == "failed" or (r.document, r.sha256) not in hidden)
        return replace(record, revisions=revisions, documents=reports)

    def kept(self) -> tuple[Release, ...]:
        """Return the releases that can be rolled back to, newest first; damaged ones are passed over."""
        found: list[Release] = []
        for release in sorted(self._ids(), reverse=True):
            with contextlib.suppress(LibraryDamaged):
                found.append(self.load(release))
        return tuple(found)

    def open(self, release: str) -> Opened:
        """Compare a release with its checksums and return where its store is to be opened.

        The embedded engine opens its files for writing, though it changes nothing: where it may not, it is given a
        private copy in the system's directory for temporary files, which takes as much room as the release has bytes.

        Raises:
            UsageError: If no such release is kept.
            LibraryDamaged: If a file does not have the bytes it was written with.
            WrongReader: If it was made by versions that this one does not read.
            DiskError: If there is no room for the copy that is needed.
        """
        record = self.load(release)
        check_readable(record)
        directory, store = self._directory / release, self.store(release)
        if os.access(store, os.W_OK):
            seal.check(directory)
            return Opened(record, store, read_statistics(directory / _STATISTICS), lambda: None)
        try:
            copy = tempfile.TemporaryDirectory(prefix="pincite-release-")
            seal.check(directory, copy_to=Path(copy.name))
        except OSError as error:
            raise disk_error(error, Path(tempfile.gettempdir(), "pincite-release")) from error
        copied = Path(copy.name)
        return Opened(record, copied / "store", read_statistics(copied / _STATISTICS), copy.cleanup)

    def store(self, release: str) -> Path:
        """Return the directory of a release's store, unchecked."""
        return self._directory / release / "store"

    def is_whole(self, release: str) -> bool:
        """Say whether a kept release lies where the configured engine looks for it, with the bytes it was written
        with, and holds nothing that was withdrawn.
        """
        try:
            seal.check(self._directory / release)
        except LibraryDamaged:
            return False
        return self._engine.holds(self.store(release)) and not self._hidden(self._record(release))

    def previous(self) -> str:
        """Return the id of the newest release older than the published one.

        Raises:
            UsageError: If none is kept.
        """
        live = self.current_id()
        # A pointer that is damaged names none: then the newest that is kept is the one to go back to.
        older = sorted(release for release in self._ids() if live not in self._ids() or release < str(live))
        if not older:
            raise UsageError("there is no older release to go back to: `pincite releases` lists those that are kept")
        return older[-1]

    # ------------------------------------------------------------ writing

    @contextlib.contextmanager
    def writing(self) -> Generator[None]:
        """Hold the library's write lock: one index run, withdrawal or roll-back at a time.

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
            raise disk_error(error, self._root) from error
        try:
            for path in list(self._directory.iterdir()):
                if path.name.startswith((_BUILDING, _REMOVED)):
                    self._destroy(path)
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
            raise disk_error(error, self._root) from error
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
            StoreUnavailable: If a server that is to keep the store does not answer.
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
            seal.write_whole(building / "release.json", _release.dump_json(release, indent=1))
            seal.seal(building)
            building.rename(self._directory / release.id)
            seal.sync(self._directory)
        except OSError as error:
            raise disk_error(error, self._root) from error
        finally:
            self._destroy(building)
        return release

    def publish(self, release: str, *, keep: int) -> None:
        """Make ``release`` the one that readers see, by one atomic rename; then remove all but the ``keep`` newest.

        Readers in flight finish on the release that they began with: what is removed leaves the list at once and the
        disk when its last reader is done. On Windows, which removes no file that is open, what is left of a release
        that is being read goes with the next run.

        Raises:
            UsageError: If there is no such release, or it holds what was withdrawn.
            DiskError: If the pointer cannot be written; the live release stays.
        """
        record = self._record(release)
        if self._hidden(record):
            raise UsageError(f"release {release} holds a document that was withdrawn: it is not published again")
        # Whoever asks the engine itself may see the new release a moment before our readers, never one that is gone.
        self._engine.publish(self.store(release))
        try:
            self.register.add((revision.document, revision.sha256) for revision in record.revisions)
            seal.write_whole(self._root / _POINTER, release.encode())
        except OSError as error:
            raise disk_error(error, self._root) from error
        self.trim(keep)

    def trim(self, keep: int) -> None:
        """Remove all but the published release and the ``keep`` - 1 newest others."""
        for old in sorted(self._ids() - {self.current_id() or ""}, reverse=True)[max(keep - 1, 0) :]:
            with contextlib.suppress(OSError):
                self._remove(old)

    def rollback(self, release: str | None, *, keep: int) -> str:
        """Publish an older release again, by default the one before; return its id.

        Raises:
            UsageError: As `previous` and `publish`.
            LibraryDamaged, WrongReader: If it cannot be read; the live release stays.
        """
        target = release or self.previous()
        check_readable(self._record(target))
        seal.check(self._directory / target)
        self.publish(target, keep=keep)
        return target

    def forget(self) -> None:
        """Remove every release that holds, or may hold, what was withdrawn; the published one too.

        Raises:
            DiskError, StoreUnavailable: If one is still there.
        """
        for release in sorted(self._ids()):
            try:
                if not self._hidden(self._record(release)):
                    continue
            except LibraryDamaged:
                pass  # nobody can tell what it holds
            try:
                if release == self.current_id():
                    (self._root / _POINTER).unlink()
                    seal.sync(self._root)
                self._remove(release)
            except OSError as error:
                raise DiskError(
                    f"release {release} holds what was withdrawn and cannot be removed ({error.strerror}): stop what "
                    "reads it, then run `pincite withdraw` again",
                    path=str(self._directory / release),
                ) from error
        left = [path for path in self._directory.iterdir() if path.name.startswith(_REMOVED)]
        if left:
            raise DiskError(
                f"{left[0]} may hold what was withdrawn and cannot be removed: stop what reads it, then run "
                "`pincite withdraw` again",
                path=str(left[0]),
            )

    # ------------------------------------------------------------ inside

    def _remove(self, release: str) -> None:
        """Take a release out of the list at once, then from the disk: a kill in between leaves no half release."""
        gone = self._directory / f"{_REMOVED}{release}"
        (self._directory / release).rename(gone)
        self._destroy(gone)

    def _destroy(self, directory: Path) -> None:
        """Remove what is in no list; what a server does not let go of now stays for the next run."""
        with contextlib.suppress(StoreUnavailable):
            self._engine.drop(directory / "store")
            shutil.rmtree(directory, ignore_errors=True)

    def _record(self, release: str) -> Release:
        if release not in self._ids():
            raise UsageError(f"there is no release {release!r}: `pincite releases` lists those that are kept")
        directory = self._directory / release
        if (directory / seal.NAME).exists():  # a release of 2026-11 has none: it is not opened, but says what it holds
            seal.check(directory, only="release.json")
        try:
            return _release.validate_json((directory / "release.json").read_bytes())
        except (OSError, ValueError) as error:
            raise LibraryDamaged(
                f"the record of release {release} cannot be read: run `pincite index` again"
            ) from error

    def _hidden(self, record: Release) -> set[tuple[str, str]]:
        """What was withdrawn of a release: (document, SHA-256)."""
        there = [report for report in record.documents if report.status not in ("failed", "dropped")]
        return self.withdrawn.among((r.document, r.sha256) for r in (*record.revisions, *there))

    def _ids(self) -> set[str]:
        if not self._directory.is_dir():
            return set()
        return {path.name for path in self._directory.iterdir() if path.is_dir() and not path.name.startswith(".")}

    def _new_id(self, now: datetime, revisions: Sequence[Revision]) -> str:
        """Ids sort by time; the last part tells apart what was built in the same microsecond."""
        content = hashlib.sha256("\n".join(revision.sha256 for revision in revisions).encode()).hexdigest()
        return f"{now:%Y%m%dT%H%M%S.%f}"[:-3] + f"-{content[:6]}"


def _write_store(
    writer: StoreWriter, entries: Iterable[Entry], average_length: float, on_chunks: Callable[[int], None]
) -> tuple[tuple[Revision, ...], Counting]:
    """Store the entries as they come; return their revisions and what was counted in them."""
    lexicon, counting = Lexicon(average_length), Counting()
    revisions: list[Revision] = []
    try:
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
            writer.add(stored, entry.vectors, words, start=counting.chunks, on_batch=on_chunks)
            for vectors, sparse in zip(entry.vectors, words, strict=True):
                counting.add(revision.language, sparse, vectors)
        writer.finish()
    finally:
        writer.abandon()
    return tuple(revisions), counting
