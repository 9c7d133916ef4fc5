"""Files → library: each PDF is read in a jailed child process, pages without usable text by OCR in another one."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from pincite.corpus import ocr, ocr_worker, worker
from pincite.corpus.jail import Limits, supervise
from pincite.corpus.library import (
    Library,
    disk_error,
    from_json,
    recognised_from_json,
    recognised_to_json,
)
from pincite.corpus.ocr import Available, EngineChoice, Recognised
from pincite.corpus.vision import account, describe_pictures
from pincite.errors import LibraryDamaged, UnreadablePdf
from pincite.types import ParsedDocument

if TYPE_CHECKING:
    from pincite.models import VisionEndpoint

__all__ = ["LIMITS", "OCR_LIMITS", "FileRead", "Limits", "find_pdfs", "inspect_pdf", "read_files"]

LIMITS = Limits()
OCR_LIMITS = Limits(document_s=300.0, page_s=300.0, memory_bytes=3 << 29)
"""For one page, by the clock. A dense page takes 3 to 10 s of a quiet core, twice that when it must be turned, and many
times that on a machine that is busy."""


@dataclass(frozen=True, slots=True)
class FileRead:
    """What came of one file."""

    source: str
    """Base name."""
    path: Path
    sha256: str
    """"" when the file could not be opened at all."""
    cached: bool
    """True when it had been parsed before by this parser."""
    reason: str
    """Why it could not be read, for people; "" when it was."""
    seconds: float
    ocr: str
    """Engine that was asked for its pages without usable text; "" when none was."""
    library: Library = field(repr=False, compare=False)
    vision: str = ""
    """What a vision model described of it, and why not the rest; "" when none was asked."""

    @property
    def parsed(self) -> ParsedDocument | None:
        """The document, loaded from the library anew each time: a run over 38,000 files holds none of them."""
        return None if self.reason else self.library.needed(self.sha256)


def find_pdfs(paths: Iterable[Path]) -> tuple[Path, ...]:
    """Return the files to read: those named, and every *.pdf under the folders named, sorted, none twice.

    A path that does not exist is returned too, so that it is reported. Hidden files and folders are passed over.
    """
    found: dict[Path, None] = {}
    for path in paths:
        if not path.is_dir():
            found.setdefault(path)
            continue
        inside: list[Path] = []
        for folder, folders, names in os.walk(path):
            folders[:] = sorted(f for f in folders if not f.startswith("."))
            inside += [Path(folder) / n for n in names if n.lower().endswith(".pdf") and not n.startswith(".")]
        for file in sorted(inside, key=lambda p: p.as_posix()):
            found.setdefault(file)
    return tuple(found)


def read_files(
    paths: Iterable[Path],
    library: Library,
    *,
    workers: int = 2,
    engine: EngineChoice = "auto",
    on_file: Callable[[FileRead], None] | None = None,
    on_ocr: Callable[[int, int], None] | None = None,
    limits: Limits = LIMITS,
    ocr_limits: Limits = OCR_LIMITS,
    vision: VisionEndpoint | None = None,
    on_vision: Callable[[int, int], None] | None = None,
    refused: Callable[[str], str] = lambda _: "",
) -> tuple[FileRead, ...]:
    """Return what came of every file, in the order of ``find_pdfs``; no file raises.

    ``on_file`` is called in the caller's thread as each file is done, ``on_ocr(pages, of)`` before OCR begins and
    after each page that it has read. Equal bytes are read once. A file that was read before is read again only when
    pages of it lack text that the ``engine`` which is installed now has not been asked for.

    In the end ``vision`` is asked about figures and unreadable pages that it has not described yet; ``on_vision`` is
    called as ``on_ocr`` is. With None nothing is sent, and what was described before stays.

    ``refused`` says of a SHA-256 why its bytes may not be read; "" when they may.

    Raises:
        DiskError: If the library cannot be written.
    """
    files = find_pdfs(paths)
    reads: dict[Path, FileRead] = {}
    by_hash: dict[str, list[Path]] = {}

    def done(
        path: Path, sha256: str, reason: str, seconds: float, *, cached: bool = False, engine: str = "", told: str = ""
    ) -> None:
        reads[path] = FileRead(path.name, path, sha256, cached, reason, seconds, engine, library, told)
        if on_file:
            on_file(reads[path])

    for path in files:
        started = time.monotonic()
        sha256, reason = _hash(path, limits)
        reason = reason or refused(sha256)
        if reason:
            done(path, sha256, reason, time.monotonic() - started)
        else:
            by_hash.setdefault(sha256, []).append(path)
    scans: list[_Scan] = []
    unknown: list[tuple[Path, str]] = []
    for sha256, same in by_hash.items():
        started = time.monotonic()
        parsed = _known(library, sha256)
        if parsed is None:
            unknown.append((same[0], sha256))
        elif pages := _to_recognise(parsed, engine):
            scans.append(_Scan(same[0].name, sha256, pages))
        else:
            for path in same:
                told = account(parsed.described)
                done(path, sha256, "", time.monotonic() - started, cached=True, engine=parsed.ocr, told=told)

    for job, read in _parsed([_Parse(path, path.name) for path, _ in unknown], workers, limits, engine):
        path, sha256 = unknown[job]
        reason = read.reason
        if read.document is not None:
            try:
                if read.document.sha256 != sha256:
                    raise LibraryDamaged("changed while it was read; index it again")
                library.keep_source(path, sha256)
                if pages := _to_recognise(read.document, engine):
                    scans.append(_Scan(path.name, sha256, pages))
                    continue
                library.keep_parsed(read.document)
            except LibraryDamaged as error:
                reason = str(error)
        for twin in by_hash[sha256]:
            done(twin, sha256, reason, read.seconds)

    found = ocr.find_engine(engine)
    if scans and found:
        failures: dict[tuple[str, int], Recognised] = {}
        wanted = [
            _Page(library.source_path(scan.sha256), scan.source, scan.sha256, page)
            for scan in scans
            for page in scan.pages
            if library.recognised(scan.sha256, page, found.id) is None
        ]
        if on_ocr:
            on_ocr(0, len(wanted))
        for number, (page, seen) in enumerate(_recognised(wanted, found, workers, ocr_limits), 1):
            if on_ocr:
                on_ocr(number, len(wanted))
            if seen.failure:
                failures[page.sha256, page.page] = seen
            else:
                library.keep_recognised(page.sha256, seen)

        def seen_on(scan: _Scan) -> Iterator[Recognised]:
            for page in scan.pages:
                seen = failures.get((scan.sha256, page)) or library.recognised(scan.sha256, page, found.id)
                yield seen or Recognised(page, found.id, failure="its OCR is damaged; index the file again")

        again = [
            _Parse(library.source_path(s.sha256), s.source, lambda s=s: {p.page: p for p in seen_on(s)}) for s in scans
        ]
        for job, read in _parsed(again, workers, limits, engine):
            if read.document is not None:
                library.keep_parsed(read.document)
            for twin in by_hash[scans[job].sha256]:
                done(twin, scans[job].sha256, read.reason, read.seconds, engine=found.id)
    if vision is not None:
        sources = {read.sha256: read.source for read in reads.values() if not read.reason}
        accounts = describe_pictures(library, sources, vision, workers=workers, limits=limits, on_picture=on_vision)
        reads = {path: replace(read, vision=accounts.get(read.sha256, "")) for path, read in reads.items()}
    return tuple(reads[path] for path in files)


def inspect_pdf(
    path: Path, *, engine: EngineChoice = "auto", limits: Limits = LIMITS, ocr_limits: Limits = OCR_LIMITS
) -> ParsedDocument:
    """Return what the parser sees in one file, read in a jailed worker, without a library.

    Raises:
        UnreadablePdf: If the file cannot be read within its limits.
    """
    sha256, reason = _hash(path, limits)
    if reason:
        raise UnreadablePdf(reason, source=path.name)
    ((_, read),) = tuple(_parsed([_Parse(path, path.name)], 1, limits, engine))
    if read.document is None:
        raise UnreadablePdf(read.reason, source=path.name)
    pages, found = _to_recognise(read.document, engine), ocr.find_engine(engine)
    if not pages or found is None:
        return read.document
    jobs = [_Page(path, path.name, sha256, page) for page in pages]
    seen = {page.page: result for page, result in _recognised(jobs, found, 1, ocr_limits)}
    ((_, read),) = tuple(_parsed([_Parse(path, path.name, lambda: seen)], 1, limits, engine))
    if read.document is None:
        raise UnreadablePdf(read.reason, source=path.name)
    return read.document


@dataclass(frozen=True, slots=True)
class _Scan:
    """A file in the library with pages that are to be read by OCR."""

    source: str
    sha256: str
    pages: tuple[int, ...]


def _known(library: Library, sha256: str) -> ParsedDocument | None:
    try:
        return library.parsed(sha256) if library.has_source(sha256) else None
    except LibraryDamaged:
        # The artefact is a cache: parsing again mends it.
        return None


def _to_recognise(document: ParsedDocument, engine: EngineChoice) -> tuple[int, ...]:
    """Return the pages that the engine at hand should read: none when it, or rapidocr, has been asked before."""
    # Asking which engine there is starts a program: only for documents that need one.
    pages = tuple(page.page for page in document.pages if page.needs_ocr or page.verdict == "ocr")
    found = ocr.find_engine(engine) if pages else None
    if found is None or document.ocr == found.id:
        return ()
    if document.ocr.startswith("rapidocr") and found.name != "rapidocr":
        return ()
    return pages


# ---------------------------------------------------------------- jobs for workers


@dataclass(frozen=True, slots=True)
class _Parse:
    path: Path
    source: str
    recognised: Callable[[], Mapping[int, Recognised]] = dict


@dataclass(frozen=True, slots=True)
class _Parsed:
    document: ParsedDocument | None
    reason: str
    seconds: float


def _parsed(
    jobs: Sequence[_Parse], workers: int, limits: Limits, engine: EngineChoice
) -> Iterator[tuple[int, _Parsed]]:
    """Yield the index of each job with the document, or why there is none, as they are done."""

    def body(job: _Parse) -> bytes:
        seen = [recognised_to_json(page).decode() for page in job.recognised().values()]
        no_ocr = "OCR is switched off" if engine == "off" else ocr.HOW_TO_INSTALL
        return worker.job_bytes(path=str(job.path.resolve()), source=job.source, recognised=seen, no_ocr=no_ocr)

    bodies = [partial(body, job) for job in jobs]
    for i, outcome in supervise(bodies, [worker.__name__], workers=workers, limits=limits):
        document, reason = None, outcome.reason
        if outcome.answer is not None:
            try:
                document = from_json(outcome.answer)
            except ValueError as error:
                reason = f"the reader said something that is no document: {error}"[:300]
        yield i, _Parsed(document, reason, outcome.seconds)


@dataclass(frozen=True, slots=True)
class _Page:
    path: Path
    source: str
    sha256: str
    page: int


def _recognised(
    pages: Sequence[_Page], found: Available, workers: int, limits: Limits
) -> Iterator[tuple[_Page, Recognised]]:
    """Yield each page with what the engine read on it, or with why it could not, as they are done."""

    def body(page: _Page) -> bytes:
        return worker.job_bytes(path=str(page.path.resolve()), source=page.source, page=page.page)

    bodies = [partial(body, page) for page in pages]
    for i, outcome in supervise(bodies, [ocr_worker.__name__, found.name], workers=workers, limits=limits):
        failure = outcome.reason
        if outcome.answer is not None:
            try:
                yield pages[i], recognised_from_json(outcome.answer)
                continue
            except ValueError as error:
                failure = f"the engine said something that is no page: {error}"[:300]
        yield pages[i], Recognised(pages[i].page, found.id, failure=failure)


def _hash(path: Path, limits: Limits) -> tuple[str, str]:
    """Return the file's hash and why it cannot be used; the reason is "" when it can."""
    digest = hashlib.sha256()
    try:
        if path.is_dir():
            return "", "is a folder, not a file"
        if not path.exists():
            return "", "there is no such file"
        if not path.is_file():
            return "", "is no regular file (a pipe or a device)"
        size = path.stat().st_size
        if size > limits.file_bytes:
            return (
                "",
                f"has {size >> 20} MB, more than {limits.file_bytes >> 20}; split it or make its pictures smaller",
            )
        with path.open("rb") as stream:
            while block := stream.read(1 << 20):
                digest.update(block)
    except OSError as error:
        return "", str(disk_error(error, path))
    sha256 = digest.hexdigest()
    return sha256, "" if size else "the file is empty (0 bytes); copy or download it again"
