"""One index run: files → parsed documents → chunks → vectors → a published release."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from pincite.corpus import vetting
from pincite.corpus.chunks import cut, parts
from pincite.corpus.ingest import FileRead, find_pdfs, read_files
from pincite.corpus.language import detect
from pincite.corpus.library import PARSER, Library
from pincite.corpus.metadata import describe
from pincite.corpus.ocr import EngineChoice
from pincite.corpus.references import VERSION as REFERENCES
from pincite.corpus.resolving import Resolver, Source, attach, unresolved
from pincite.errors import InputError, UsageError
from pincite.index.embed import DIMENSION, Encoder
from pincite.index.passages import PassageFile, read_passages
from pincite.index.releases import Entry, Releases
from pincite.types import Chunk, DocumentReport, PageVerdict, Release, Revision, Unresolved

if TYPE_CHECKING:
    from numpy.typing import NDArray

CHUNKER = "chunks-2"
"""Version of the cut; another one makes another release, from the same parsed documents."""


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
class _Source:
    """A file that belongs into the next release."""

    sha256: str
    name: str
    folder: str = field(default="", compare=False)
    """Name of the folder it was found in; "" when it was not looked at in this run."""
    ocr: str = ""
    """Engine that was asked for its pages without usable text; another one makes another document."""

    @property
    def is_pdf(self) -> bool:
        return not self.name.endswith(".jsonl")


@dataclass(frozen=True, slots=True)
class _Ready:
    """A revision with its chunks and what the report says of it, before its vectors are made."""

    revision: Revision
    ids: tuple[str, ...] = ()
    chunks: tuple[Chunk, ...] = ()
    pages: int = 0
    tables: int = 0
    pages_not_text: tuple[tuple[int, PageVerdict], ...] = ()
    references: int = 0
    unresolved: tuple[Unresolved, ...] = ()
    ocr: str = ""
    repaired: bool = False


@dataclass(frozen=True, slots=True)
class Indexer:
    """Builds and publishes releases of one library."""

    library: Library
    releases: Releases
    encoder: Encoder
    chunk_characters: int
    average_length: float
    releases_kept: int
    ocr_engine: EngineChoice = "auto"

    @property
    def reader(self) -> str:
        """Versions of parser, chunker and reader of references, as a release records them."""
        return f"{PARSER}+{CHUNKER}-{self.chunk_characters}+{REFERENCES}"

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
        with self.releases.writing():
            begun = time.perf_counter()
            found = find_pdfs(paths)
            if not found:
                raise UsageError(f"there is no PDF in {', '.join(map(str, paths))}: name PDF files or folders of them")
            progress.begin("reading", len(found))
            reads = read_files(
                found,
                self.library,
                workers=workers or os.cpu_count() or 1,
                engine=self.ocr_engine,
                on_file=lambda read: progress.advance(0 if read.ocr and not read.cached else 1),
                on_ocr=lambda done, pages: progress.advance(1) if done else progress.begin("recognising", pages),
            )
            seconds = {"parse": time.perf_counter() - begun}
            sources = {
                _Source(read.sha256, read.source, read.path.parent.name, read.ocr) for read in reads if not read.reason
            }
            failed = [_failure(read) for read in reads if read.reason]
            return self._publish(sources, failed, prune=prune, seconds=seconds, progress=progress)

    def index_passages(self, path: Path, *, prune: bool = False, progress: Progress = Progress()) -> IndexRun:
        """Index passages made elsewhere (`read_passages`) and publish a release.

        Raises:
            InputError: If the file is missing or a line is not a passage.
            DiskError, LibraryBusy: As the library says; the live release stays.
        """
        with self.releases.writing():
            begun = time.perf_counter()
            try:
                data = path.read_bytes()
            except OSError as error:
                raise InputError(f"{path} cannot be read: {error.strerror}", source=path.name) from error
            read = read_passages(data, path.name)  # a bad line is an error before anything is kept
            sha256 = self.library.keep_passages(data)
            name = path.name if path.name.endswith(".jsonl") else f"{path.name}.jsonl"
            seconds = {"parse": time.perf_counter() - begun}
            run = self._publish({_Source(sha256, name)}, [], prune=prune, seconds=seconds, progress=progress)
            return replace(run, empty_passages=read.empty)

    def _publish(
        self,
        named: set[_Source],
        failed: list[DocumentReport],
        *,
        prune: bool,
        seconds: dict[str, float],
        progress: Progress,
    ) -> IndexRun:
        live = self.releases.current() if self.releases.current_id() else None
        wanted = _carried(live, named, {report.source for report in failed}, prune=prune) | named
        if live and self._equals(live, wanted):
            unchanged = [
                replace(r, status="unchanged") for r in live.documents if r.status not in ("failed", "dropped")
            ]
            reports = _in_order(unchanged + failed)
            return IndexRun(live, reports, seconds | {"embed": 0.0, "build": 0.0}, published=False)
        if not wanted:
            reasons = "; ".join(f"{report.source}: {report.reason}" for report in failed[:3])
            raise InputError(f"no file could be read ({reasons})", source=failed[0].source)

        begun = time.perf_counter()
        ready = self._read(wanted)
        vectors = self._embed(ready, progress)
        seconds["embed"] = time.perf_counter() - begun

        begun = time.perf_counter()
        entries = [
            Entry(item.revision, item.ids, item.chunks, found)
            for item, found in zip(ready, vectors, strict=True)
            if item.revision.standing != "rejected"
        ]
        reports = _in_order([*_reports(live, ready), *_dropped(live, ready), *failed])
        progress.begin("building", sum(len(entry.chunks) for entry in entries))
        release = self.releases.build(
            entries,
            reports,
            model=self.encoder.model,
            parser=self.reader,
            average_length=self.average_length,
            on_chunks=progress.advance,
        )
        self.releases.publish(release.id, keep=self.releases_kept)
        seconds["build"] = time.perf_counter() - begun
        return IndexRun(release, reports, seconds, published=True)

    def _equals(self, live: Release, wanted: set[_Source]) -> bool:
        """Say whether a new release would equal the live one."""
        return (
            live.model == self.encoder.model
            and live.parser == self.reader
            and live.average_length == self.average_length
            and {_Source(r.sha256, r.source, ocr=r.ocr) for r in _there(live)} == wanted
        )

    def _read(self, wanted: set[_Source]) -> list[_Ready]:
        pdfs = sorted((source for source in wanted if source.is_pdf), key=lambda source: (source.name, source.sha256))
        files = sorted((source for source in wanted if not source.is_pdf), key=lambda source: source.sha256)
        ready = [*self._read_pdfs(pdfs), *(item for source in files for item in self._read_passages(source))]
        return sorted(ready, key=lambda item: (item.revision.document, item.revision.sha256, item.revision.source))

    def _read_pdfs(self, sources: Sequence[_Source]) -> Iterable[_Ready]:
        documents = [self.library.needed(source.sha256) for source in sources]
        candidates = [
            vetting.Candidate(
                source.name,
                source.sha256,
                vetting.identify(source.name, [line.text for line in vetting.first_sheet(d)], dict(d.metadata)),
                source.folder,
            )
            for source, d in zip(sources, documents, strict=True)
        ]
        decided = vetting.decide(candidates)
        resolver = Resolver(
            Source(vetted.document, document, vetted.standing == "citable")
            for document, vetted in zip(documents, decided, strict=True)
            if vetted.standing != "rejected"
        )
        for document, vetted in zip(documents, decided, strict=True):
            revision = Revision(
                document=vetted.document,
                source=vetted.source,
                revision=vetted.revision,
                sha256=vetted.sha256,
                title=document.title,
                language=document.language,
                standing=vetted.standing,
                reason=vetted.reason,
                labels=tuple(page.label for page in document.pages),
                description=describe(document),
            )
            if vetted.standing == "rejected":
                yield _Ready(revision, pages=len(document.pages), ocr=document.ocr, repaired=document.repaired)
                continue
            chunks = cut(document, fits=self.encoder.fits, size=self.chunk_characters)
            found = resolver.references(vetted.document, document)
            named = attach(chunks, document, found)
            chunks = tuple(replace(chunk, references=named.get(chunk.index, ())) for chunk in chunks)
            yield _Ready(
                revision,
                tuple(f"{revision.document}/{revision.sha256[:8]}/{chunk.index}" for chunk in chunks),
                chunks,
                pages=len(document.pages),
                tables=len(document.tables),
                pages_not_text=tuple((p.page, p.verdict) for p in document.pages if p.verdict != "text"),
                references=len(found),
                unresolved=unresolved(found),
                ocr=document.ocr,
                repaired=document.repaired,
            )

    def _read_passages(self, source: _Source) -> Iterable[_Ready]:
        file: PassageFile = read_passages(self.library.passages(source.sha256), source.name)
        for document, found in file.documents.items():
            chunks = tuple(chunk for _, chunk in found)
            revision = file.revision(document, source.name, detect(chunk.text for chunk in chunks[:50]))
            pages = len({page for chunk in chunks for page in chunk.pages})
            yield _Ready(revision, tuple(id_ for id_, _ in found), chunks, pages=pages, tables=0, pages_not_text=())

    def _embed(self, ready: Sequence[_Ready], progress: Progress) -> list[NDArray[np.float32]]:
        texts = [self._texts(item) for item in ready]
        keys = [_vectors_key(item.revision.sha256, self.encoder.model, t) for item, t in zip(ready, texts, strict=True)]
        known = [self.library.vectors(key) for key in keys]
        missing = sum(len(t) for t, k in zip(texts, known, strict=True) if k is None)
        if missing:
            progress.begin("embedding", missing)
        vectors: list[NDArray[np.float32]] = []
        for key, chunks, found in zip(keys, texts, known, strict=True):
            if found is None:
                found = self._mean_vectors(chunks, progress)
                self.library.keep_vectors(key, found)  # at once: a killed run goes on from here
            vectors.append(found)
        return vectors

    def _texts(self, item: _Ready) -> list[tuple[str, ...]]:
        """What is embedded of each chunk: itself, or parts of a table or passage that the encoder cannot take whole."""
        fits = self.encoder.fits
        return [
            (chunk.embedded_text,)
            if fits(chunk.embedded_text)
            else (parts(chunk, fits) if chunk.kind == "table" else self.encoder.parts(chunk.embedded_text))
            for chunk in item.chunks
        ]

    def _mean_vectors(self, chunks: Sequence[tuple[str, ...]], progress: Progress) -> NDArray[np.float32]:
        flat = [text for texts in chunks for text in texts]
        vectors = self.encoder.passages(flat, on_done=lambda: progress.advance(1))
        means: list[NDArray[np.float32]] = []
        start = 0
        for texts in chunks:
            mean = vectors[start : start + len(texts)].mean(axis=0)
            means.append(mean / np.linalg.norm(mean))
            start += len(texts)
        return np.stack(means) if means else np.zeros((0, DIMENSION), np.float32)


def _there(release: Release) -> list[DocumentReport]:
    """What a release was made of: files that could be read, rejected ones included."""
    return [report for report in release.documents if report.status not in ("failed", "dropped")]


def _carried(live: Release | None, named: set[_Source], unreadable: set[str], *, prune: bool) -> set[_Source]:
    """Return what stays from the live release although this run did not read it.

    A file of the same name with other bytes replaces its revision; one that has become unreadable does not.
    """
    if live is None:
        return set()
    replaced = {source.name for source in named}
    return {
        _Source(report.sha256, report.source, ocr=report.ocr)
        for report in _there(live)
        if report.source not in replaced and (not prune or report.source in unreadable)
    }


def _reports(live: Release | None, ready: Sequence[_Ready]) -> list[DocumentReport]:
    before = {(r.document, r.sha256) for r in live.revisions} if live else set[tuple[str, str]]()
    known = {document for document, _ in before}
    reports: list[DocumentReport] = []
    for item in ready:
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
                chunks=len(item.chunks),
                pages_not_text=item.pages_not_text,
                ocr=item.ocr,
                repaired=item.repaired,
                reason=revision.reason,
                references=item.references,
                unresolved=item.unresolved,
            )
        )
    return reports


def _dropped(live: Release | None, ready: Sequence[_Ready]) -> list[DocumentReport]:
    there = {(item.revision.document, item.revision.sha256) for item in ready}
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


def _vectors_key(sha256: str, model: str, chunks: Sequence[tuple[str, ...]]) -> str:
    """Vectors are good for exactly these texts and this model; the source's hash leads, so that it can be forgotten."""
    texts = hashlib.sha256()
    for chunk in chunks:
        for text in chunk:
            texts.update(text.encode() + b"\0")
        texts.update(b"\1")
    return f"{sha256}-{hashlib.sha256(model.encode()).hexdigest()[:8]}-{texts.hexdigest()[:24]}"
