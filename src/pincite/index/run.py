"""One index run: files → parsed documents → chunks → vectors → a published release."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from pydantic import TypeAdapter

from pincite.corpus import vetting
from pincite.corpus.ingest import FileRead, find_pdfs, read_files
from pincite.corpus.language import detect
from pincite.corpus.library import PARSER, Library, disk
from pincite.corpus.metadata import describe
from pincite.corpus.ocr import EngineChoice
from pincite.corpus.references import VERSION as REFERENCES
from pincite.corpus.resolving import Resolver, Source, attach, unresolved
from pincite.corpus.vision import account
from pincite.errors import InputError, LibraryDamaged, UsageError
from pincite.index.cutting import CHUNKER, Cut, Cutter
from pincite.index.embed import Encoder
from pincite.index.lexicon import VERSION as LEXICON
from pincite.index.passages import PassageFile, read_passages
from pincite.index.releases import Entry, Releases
from pincite.index.store import FORMAT
from pincite.index.vectors import keep_vectors
from pincite.types import Chunk, DocumentReport, PageVerdict, Release, Revision, Unresolved

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
class _Source:
    """A file that belongs into the next release."""

    sha256: str
    name: str
    folder: str = field(default="", compare=False)
    """Name of the folder it was found in; "" when it was not looked at in this run."""
    ocr: str = ""
    """Engine that was asked for its pages without usable text; another one makes another document."""
    vision: str = ""
    """What a vision model described of it; more makes another document too."""

    @property
    def is_pdf(self) -> bool:
        return not self.name.endswith(".jsonl")


@dataclass(frozen=True, slots=True)
class _Draft:
    """A revision on its way into a release: what the report says of it, and where the rest lies.

    Its chunks are on disk and come back one document at a time: a run may have more of them than memory takes.
    """

    revision: Revision
    path: Path | None = None
    """Where its `_Content` lies; None of a rejected revision, which has none."""
    vectors: str = ""
    """Key of its vectors in the library."""
    texts: int = 0
    """What is embedded of it."""
    chunks: int = 0
    lengths: tuple[int, ...] = ()
    """Words of a few of its chunks, spread evenly."""
    pages: int = 0
    tables: int = 0
    pages_not_text: tuple[tuple[int, PageVerdict], ...] = ()
    references: int = 0
    unresolved: tuple[Unresolved, ...] = ()
    ocr: str = ""
    repaired: bool = False
    vision: str = ""


@dataclass(frozen=True, slots=True)
class _Content:
    """What is too much to be held of all documents of a run."""

    ids: tuple[str, ...]
    """Passage ids, one for each chunk."""
    chunks: tuple[Chunk, ...]
    parts: tuple[int, ...]
    """How many vectors each chunk has."""


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
    def _cutter(self) -> Cutter:
        return Cutter(self.library, self.encoder, self.chunk_characters)

    @property
    def reader(self) -> str:
        """Versions of parser, chunker, reader of references, lexicon and payload, as a release records them."""
        lexicon = f"{LEXICON}-{self.average_length or 'mean'}"
        return f"{PARSER}+{CHUNKER}-{self.chunk_characters}+{REFERENCES}+{lexicon}+{FORMAT}"

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
                vision=self.vision,
                on_vision=lambda done, of: progress.advance(1) if done else progress.begin("describing", of),
            )
            seconds = {"parse": time.perf_counter() - begun}
            sources = {
                _Source(read.sha256, read.source, read.path.parent.name, read.ocr, read.vision)
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
        with self.releases.workshop() as directory:
            drafts = self._draft(wanted, directory)
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

    def _equals(self, live: Release, wanted: set[_Source]) -> bool:
        """Say whether a new release would equal the live one."""
        return (
            live.model == self.encoder.model
            and live.parser == self.reader
            and {_Source(r.sha256, r.source, ocr=r.ocr, vision=r.vision) for r in _there(live)} == wanted
            and self.releases.is_held(live.id)
        )

    def _draft(self, wanted: set[_Source], directory: Path) -> list[_Draft]:
        """Return what goes into the release, in its order, with the chunks of each kept in ``directory``."""
        pdfs = sorted((source for source in wanted if source.is_pdf), key=lambda source: (source.name, source.sha256))
        files = sorted((source for source in wanted if not source.is_pdf), key=lambda source: source.sha256)
        drafts: list[_Draft] = []
        for draft, content in chain(self._read_pdfs(pdfs), *(self._read_passages(source) for source in files)):
            if content is None:
                drafts.append(draft)
                continue
            path = directory / f"{len(drafts)}.json"
            with disk(path):
                path.write_bytes(_contents().dump_json(content))
            drafts.append(replace(draft, path=path))
        return sorted(drafts, key=lambda one: (one.revision.document, one.revision.sha256, one.revision.source))

    def _read_pdfs(self, sources: Sequence[_Source]) -> Iterator[tuple[_Draft, _Content | None]]:
        # Three times over the documents, because each needs something of all others first: its standing, then where
        # their sections begin. Holding them all instead would not fit.
        decided = vetting.decide([self._candidate(source) for source in sources])
        resolver = Resolver(
            Source(vetted.document, self.library.needed(vetted.sha256), vetted.standing == "citable")
            for vetted in decided
            if vetted.standing != "rejected"
        )
        for vetted in decided:
            document = self.library.needed(vetted.sha256)
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
            draft = _Draft(
                revision,
                pages=len(document.pages),
                ocr=document.ocr,
                repaired=document.repaired,
                vision=account(document.described),
            )
            if vetted.standing == "rejected":
                yield draft, None
                continue
            made = self._cutter.cut(document)
            found = resolver.references(vetted.document, document)
            named = attach(made.chunks, document, found)
            chunks = tuple(replace(chunk, references=named.get(chunk.index, ())) for chunk in made.chunks)
            draft = replace(
                _measured(draft, made),
                tables=len(document.tables),
                pages_not_text=tuple((p.page, p.verdict) for p in document.pages if p.verdict != "text"),
                references=len(found),
                unresolved=unresolved(found),
            )
            ids = tuple(f"{revision.document}/{revision.sha256[:8]}/{chunk.index}" for chunk in chunks)
            yield draft, _Content(ids, chunks, made.parts)

    def _candidate(self, source: _Source) -> vetting.Candidate:
        document = self.library.needed(source.sha256)
        first = [line.text for line in vetting.first_sheet(document)]
        identity = vetting.identify(source.name, first, dict(document.metadata))
        return vetting.Candidate(source.name, source.sha256, identity, source.folder)

    def _read_passages(self, source: _Source) -> Iterator[tuple[_Draft, _Content]]:
        file: PassageFile = read_passages(self.library.passages(source.sha256), source.name)
        for document, found in file.documents.items():
            chunks = tuple(chunk for _, chunk in found)
            revision = file.revision(document, source.name, detect(chunk.text for chunk in chunks[:50]))
            pages = len({page for chunk in chunks for page in chunk.pages})
            made = self._cutter.of_passages(revision.sha256, chunks, revision.language)
            ids = tuple(id_ for id_, _ in found)
            yield _measured(_Draft(revision, pages=pages), made), _Content(ids, chunks, made.parts)

    def _embed(self, drafts: Sequence[_Draft], progress: Progress) -> None:
        """Make the vectors that the library does not hold yet."""
        missing = [one for one in drafts if one.path and not self.library.vectors_path(one.vectors).is_file()]
        if missing:
            progress.begin("embedding", sum(draft.texts for draft in missing))
        for draft in missing:
            texts = list(chain.from_iterable(self._cutter.texts(_content(draft).chunks)))
            # Kept at once: a killed run goes on from here.
            keep_vectors(self.library, self.encoder, draft.vectors, texts, on_text=lambda: progress.advance(1))

    def _entries(self, drafts: Sequence[_Draft]) -> Iterator[Entry]:
        for draft in drafts:
            if draft.path is None:
                continue
            content, vectors = _content(draft), self.library.vectors(draft.vectors)
            if vectors is None:
                raise LibraryDamaged(f"the vectors of {draft.revision.source} are gone; index the file again")
            of_chunks = np.split(vectors, np.cumsum(content.parts))[:-1]  # none of a document without text
            yield Entry(draft.revision, content.ids, content.chunks, of_chunks)


def _measured(draft: _Draft, made: Cut) -> _Draft:
    return replace(draft, vectors=made.vectors, texts=sum(made.parts), chunks=len(made.chunks), lengths=made.lengths)


def _mean_length(drafts: Sequence[_Draft]) -> float:
    """Return the mean length of chunks to tens, so that a new document seldom changes how the others are weighed."""
    lengths = [length for draft in drafts for length in draft.lengths]
    return max(10.0, round(sum(lengths) / len(lengths), -1)) if lengths else 100.0


@cache
def _contents() -> TypeAdapter[_Content]:
    # Built when needed: it takes a tenth of a second.
    return TypeAdapter(_Content)


def _content(draft: _Draft) -> _Content:
    """Return the chunks of a draft that has some."""
    assert draft.path is not None
    with disk(draft.path):
        return _contents().validate_json(draft.path.read_bytes())


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
        _Source(report.sha256, report.source, ocr=report.ocr, vision=report.vision)
        for report in _there(live)
        if report.source not in replaced and (not prune or report.source in unreadable)
    }


def _reports(live: Release | None, drafts: Sequence[_Draft]) -> list[DocumentReport]:
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


def _dropped(live: Release | None, drafts: Sequence[_Draft]) -> list[DocumentReport]:
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
