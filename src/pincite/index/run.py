"""One index run: files → parsed documents → chunks → vectors → a published release."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from pincite.corpus import vetting
from pincite.corpus.ingest import FileRead, find_pdfs, read_files
from pincite.corpus.library import Library
from pincite.corpus.ocr import EngineChoice
from pincite.errors import InputError, LibraryDamaged, UsageError
from pincite.index.cutting import Cutter
from pincite.index.drafting import Draft, Drafter, IndexedFile, content_of
from pincite.index.embed import Encoder
from pincite.index.passages import read_passages, without
from pincite.index.releases import Entry, Releases
from pincite.index.vectors import keep_vectors
from pincite.index.versions import made_by
from pincite.index.withdrawn import Withdrawal
from pincite.types import DocumentReport, Release

if TYPE_CHECKING:
    from pincite.models import VisionEndpoint


@dataclass(frozen=True, slots=True)
class IndexRun:
    """What one run did."""

    release: Release
    documents: tuple[DocumentReport, ...]
    """By document; failed and dropped ones included."""
    seconds: dict[str, float]
    """Wall time of parse, embed and build."""
    published: bool
    """False when nothing had changed and the live release stayed."""
    empty_passages: int = 0
    """Passages made elsewhere that had no text: counted, not indexed."""


@dataclass(frozen=True, slots=True)
class Progress:
    """Callbacks for whoever shows progress: a stage begins with its number of units; units are done."""

    begin: Callable[[str, int], None] = lambda _stage, _units: None
    advance: Callable[[int], None] = lambda _units: None


@dataclass(frozen=True, slots=True)
class Indexer:
    """Builds and publishes releases of one library."""

    library: Library
    releases: Releases
    encoder: Encoder
    chunk_characters: int
    average_length: float | None
    """As `Lexicon` takes it; None: the mean of the chunks."""
    releases_kept: int
    ocr_engine: EngineChoice = "auto"
    vision: VisionEndpoint | None = None
    """Who is shown figures and unreadable pages; None: nobody."""

    @property
    def _drafter(self) -> Drafter:
        return Drafter(self.library, Cutter(self.library, self.encoder, self.chunk_characters))

    @property
    def reader(self) -> str:
        """What makes releases here, as they record it."""
        return made_by(self.chunk_characters, self.average_length)

    def index_pdfs(
        self, paths: Sequence[Path], *, prune: bool = False, workers: int | None = None, progress: Progress = Progress()
    ) -> IndexRun:
        """Index PDF files and folders of them and publish a release.

        Files that are not named stay in the next release as they are, unless ``prune``. A file that cannot be read is
        reported and loses nothing: the revision that was indexed from it before stays.

        Raises:
            UsageError: If there is no PDF at all.
            DiskError, LibraryBusy: As the library says; the live release stays.
        """
        with self._writing():
            begun = time.perf_counter()
            found = find_pdfs(paths)
            if not found:
                raise UsageError(f"there is no PDF in {', '.join(map(str, paths))}: name PDF files or folders of them")
            progress.begin("reading", len(found))
            reads = read_files(
                found,
                self.library,
                refused=self._refused,
                workers=workers or os.cpu_count() or 1,
                engine=self.ocr_engine,
                on_file=lambda read: progress.advance(0 if read.ocr and not read.cached else 1),
                on_ocr=lambda done, pages: progress.advance(1) if done else progress.begin("recognising", pages),
                vision=self.vision,
                on_vision=lambda done, of: progress.advance(1) if done else progress.begin("describing", of),
            )
            seconds = {"parse": time.perf_counter() - begun}
            sources = {
                IndexedFile(read.sha256, read.source, read.path.parent.name, read.ocr, read.vision)
                for read in reads
                if not read.reason
            }
            failed = [_failure(read) for read in reads if read.reason]
            return self._publish(sources, failed, prune=prune, seconds=seconds, progress=progress)

    def index_passages(self, path: Path, *, prune: bool = False, progress: Progress = Progress()) -> IndexRun:
        """Index passages made elsewhere (`read_passages`) and publish a release.

        Raises:
            InputError: If the file is missing or a line is not a passage.
            DiskError, LibraryBusy: As the library says; the live release stays.
        """
        with self._writing():
            begun = time.perf_counter()
            try:
                data = path.read_bytes()
            except OSError as error:
                raise InputError(f"{path} cannot be read: {error.strerror}", source=path.name) from error
            read = read_passages(data, path.name)  # a bad line is an error before anything is kept
            order = self.releases.withdrawn.of_passages(read.documents)
            if order is not None:
                raise InputError(f"{path.name}: {order.reason}; or take its lines out", source=path.name)
            sha256 = self.library.keep_passages(data)
            name = path.name if path.name.endswith(".jsonl") else f"{path.name}.jsonl"
            seconds = {"parse": time.perf_counter() - begun}
            run = self._publish({IndexedFile(sha256, name)}, [], prune=prune, seconds=seconds, progress=progress)
            return replace(run, empty_passages=read.empty)

    def withdraw(self, document: str, *, progress: Progress = Progress()) -> IndexRun | None:
        """Forget a document: forbid it to every reader, publish a release without it, remove all that was made of it.

        A run that was killed on the way is completed by another one.

        Returns:
            The run that published the release; None when nothing else was in the library, which is empty now.

        Raises:
            UsageError: If no release ever held such a document.
            DiskError: If something of it could not be removed; it stays forbidden.
        """
        with self._writing():
            there = {r.sha256 for release in self.releases.kept() for r in release.revisions if r.document == document}
            sha256 = there | self.releases.register.of(document)
            orders = [order for order in self.releases.withdrawn.all() if order.document == document]
            sha256.update(*(order.sha256 for order in orders))
            if not sha256:
                raise UsageError(
                    f"there is no document {document!r}: `pincite documents` lists those that are there, and "
                    "`pincite releases diff` those that were"
                )
            now = datetime.now(UTC).isoformat(timespec="seconds")
            # Of a run that was killed only the order is left to tell what was a file of passages.
            files = {one for one in sha256 if self.library.has_passages(one)}
            files.update(*(order.sha256 for order in orders if order.passages))
            for passages in (False, True):
                some = tuple(sorted(one for one in sha256 if (one in files) is passages))
                if some and not any(set(some) <= set(o.sha256) and o.passages is passages for o in orders):
                    self.releases.withdrawn.add(Withdrawal(document, some, now, passages))
            rest = self._rest(document, [one for one in sorted(files) if self.library.has_passages(one)])
            left = self._known(prune=True)
            run = None
            if rest or (left and _there(left)):
                run = self._publish(rest, [], prune=False, seconds={"parse": 0.0}, progress=progress)
            self.releases.forget()
            for one in sorted(sha256):
                self.library.forget(one)
            return run

    def _rest(self, document: str, files: Sequence[str]) -> set[IndexedFile]:
        """Return what stays of files of passages, with the vectors that were made of it."""
        live = self._known(prune=True)
        named = {report.sha256: report.source for report in _there(live)} if live else {}
        rest: set[IndexedFile] = set()
        for sha256 in files:
            data = without(self.library.passages(sha256), document)
            if sha256 not in named or not data:
                continue
            source = IndexedFile(self.library.keep_passages(data), named[sha256])
            rest.add(source)
            before = {
                draft.revision.document: draft for draft, _ in self._drafter.passages(replace(source, sha256=sha256))
            }
            for draft, _ in self._drafter.passages(source):
                vectors = self.library.vectors(before[draft.revision.document].vectors)
                if vectors is not None:
                    self.library.keep_vectors(draft.vectors, vectors)
        return rest

    @contextmanager
    def _writing(self) -> Generator[None]:
        with self.releases.writing():
            self.library.sweep()
            yield

    def _refused(self, sha256: str) -> str:
        """Return why bytes may not be indexed; "" when they may."""
        order = self.releases.withdrawn.of_bytes(sha256)
        return order.reason if order else ""

    def _known(self, *, prune: bool) -> Release | None:
        """Return the live release or, when its record is damaged, the newest that can be read; None without any.

        Raises:
            LibraryDamaged: If none can be read and files that this run does not name would be lost: unless ``prune``.
        """
        try:
            return self.releases.current() if self.releases.current_id() is not None else None
        except LibraryDamaged as error:
            older = self.releases.kept()
            if older or prune:
                return older[0] if older else None
            raise LibraryDamaged(
                f"{error}. What else was indexed is unknown: name all files and folders, with --prune"
            ) from error

    def _publish(
        self,
        named: set[IndexedFile],
        failed: list[DocumentReport],
        *,
        prune: bool,
        seconds: dict[str, float],
        progress: Progress,
    ) -> IndexRun:
        live = self._known(prune=prune)
        wanted = _carried(live, named, {report.source for report in failed}, prune=prune) | named
        if live and self._equals(live, wanted):
            unchanged = [
                replace(r, status="unchanged") for r in live.documents if r.status not in ("failed", "dropped")
            ]
            reports = _in_order(unchanged + failed)
            self.releases.trim(self.releases_kept)  # a run that was killed after it had published may not have
            return IndexRun(live, reports, seconds | {"embed": 0.0, "build": 0.0}, published=False)
        if not wanted:
            reasons = "; ".join(f"{report.source}: {report.reason}" for report in failed[:3])
            raise InputError(f"no file could be read ({reasons})", source=failed[0].source)

        begun = time.perf_counter()
        with self.releases.workshop() as directory:
            drafts = self._drafter.drafts(wanted, directory)
            self._embed(drafts, progress)
            seconds["embed"] = time.perf_counter() - begun

            begun = time.perf_counter()
            reports = _in_order([*_reports(live, drafts), *_dropped(live, drafts), *failed])
            progress.begin("building", sum(draft.chunks for draft in drafts))
            release = self.releases.build(
                self._entries(drafts),
                reports,
                model=self.encoder.model,
                parser=self.reader,
                average_length=self.average_length or _mean_length(drafts),
                dimension=self.encoder.dimension,
                on_chunks=progress.advance,
            )
        self.releases.publish(release.id, keep=self.releases_kept)
        seconds["build"] = time.perf_counter() - begun
        return IndexRun(release, reports, seconds, published=True)

    def _equals(self, live: Release, wanted: set[IndexedFile]) -> bool:
        """Say whether a new release would equal the live one."""
        return (
            live.id == self.releases.current_id()
            and live.model == self.encoder.model
            and live.parser == self.reader
            and {IndexedFile(r.sha256, r.source, ocr=r.ocr, vision=r.vision) for r in _there(live)} == wanted
            and self.releases.is_whole(live.id)
        )

    def _embed(self, drafts: Sequence[Draft], progress: Progress) -> None:
        """Make the vectors that the library does not hold yet."""
        missing = [one for one in drafts if one.path and self.library.vectors(one.vectors) is None]
        if missing:
            progress.begin("embedding", sum(draft.texts for draft in missing))
        for draft in missing:
            texts = list(chain.from_iterable(self._drafter.cutter.texts(content_of(draft).chunks)))
            # Kept at once: a killed run goes on from here.
            keep_vectors(self.library, self.encoder, draft.vectors, texts, on_text=lambda: progress.advance(1))

    def _entries(self, drafts: Sequence[Draft]) -> Iterator[Entry]:
        for draft in drafts:
            if draft.path is None:
                continue
            content, vectors = content_of(draft), self.library.vectors(draft.vectors)
            if vectors is None:
                raise LibraryDamaged(f"the vectors of {draft.revision.source} are gone; index the file again")
            of_chunks = np.split(vectors, np.cumsum(content.parts))[:-1]  # none of a document without text
            yield Entry(draft.revision, content.ids, content.chunks, of_chunks)


def _mean_length(drafts: Sequence[Draft]) -> float:
    """Return the mean length of chunks to tens, so that a new document seldom changes how the others are weighed."""
    lengths = [length for draft in drafts for length in draft.lengths]
    return max(10.0, round(sum(lengths) / len(lengths), -1)) if lengths else 100.0


def _there(release: Release) -> list[DocumentReport]:
    """What a release was made of: files that could be read, rejected ones included."""
    return [report for report in release.documents if report.status not in ("failed", "dropped")]


def _carried(live: Release | None, named: set[IndexedFile], unreadable: set[str], *, prune: bool) -> set[IndexedFile]:
    """Return what stays from the live release although this run did not read it.

    A file of the same name with other bytes replaces its revision; one that has become unreadable does not.
    """
    if live is None:
        return set()
    replaced = {source.name for source in named}
    return {
        IndexedFile(report.sha256, report.source, ocr=report.ocr, vision=report.vision)
        for report in _there(live)
        if report.source not in replaced and (not prune or report.source in unreadable)
    }


def _reports(live: Release | None, drafts: Sequence[Draft]) -> list[DocumentReport]:
    before = {(r.document, r.sha256) for r in live.revisions} if live else set[tuple[str, str]]()
    known = {document for document, _ in before}
    reports: list[DocumentReport] = []
    for item in drafts:
        revision = item.revision
        is_same = (revision.document, revision.sha256) in before
        reports.append(
            DocumentReport(
                document=revision.document,
                source=revision.source,
                revision=revision.revision,
                sha256=revision.sha256,
                status="unchanged" if is_same else "changed" if revision.document in known else "new",
                standing=revision.standing,
                pages=item.pages,
                tables=item.tables,
                chunks=item.chunks,
                pages_not_text=item.pages_not_text,
                ocr=item.ocr,
                repaired=item.repaired,
                vision=item.vision,
                reason=revision.reason,
                references=item.references,
                unresolved=item.unresolved,
            )
        )
    return reports


def _dropped(live: Release | None, drafts: Sequence[Draft]) -> list[DocumentReport]:
    there = {(item.revision.document, item.revision.sha256) for item in drafts}
    documents = {document for document, _ in there}
    return [
        DocumentReport(
            document=revision.document,
            source=revision.source,
            revision=revision.revision,
            sha256=revision.sha256,
            status="dropped",
            standing=revision.standing,
            reason="replaced by another revision" if revision.document in documents else "not named any more",
        )
        for revision in (live.revisions if live else ())
        if (revision.document, revision.sha256) not in there
    ]


def _failure(read: FileRead) -> DocumentReport:
    return DocumentReport(
        document=vetting.identify(read.source, (), {}).document,
        source=read.source,
        revision="",
        sha256=read.sha256,
        status="failed",
        standing="rejected",
        reason=read.reason,
    )


def _in_order(reports: Iterable[DocumentReport]) -> tuple[DocumentReport, ...]:
    return tuple(sorted(reports, key=lambda report: (report.document, report.source, report.status)))
