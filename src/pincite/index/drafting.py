"""Sources → drafts: what goes into a release, document by document, with its chunks on disk until they are stored."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import chain
from pathlib import Path

from pydantic import TypeAdapter

from pincite.corpus import vetting
from pincite.corpus.language import detect
from pincite.corpus.library import Library, disk
from pincite.corpus.metadata import describe
from pincite.corpus.resolving import Resolver, Source, attach, unresolved
from pincite.corpus.vision import account
from pincite.index.cutting import Cut, Cutter
from pincite.index.passages import PassageFile, read_passages
from pincite.types import Chunk, PageVerdict, Revision, Unresolved


@dataclass(frozen=True, slots=True)
class IndexedFile:
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
class Draft:
    """A revision on its way into a release: what the report says of it, and where the rest lies.

    Its chunks are on disk and come back one document at a time: a run may have more of them than memory takes.
    """

    revision: Revision
    path: Path | None = None
    """Where its `Content` lies; None of a rejected revision, which has none."""
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
class Content:
    """What is too much to be held of all documents of a run."""

    ids: tuple[str, ...]
    """Passage ids, one for each chunk."""
    chunks: tuple[Chunk, ...]
    parts: tuple[int, ...]
    """How many vectors each chunk has."""


@dataclass(frozen=True, slots=True)
class Drafter:
    """Makes drafts of what a library holds."""

    library: Library
    cutter: Cutter

    def drafts(self, wanted: set[IndexedFile], directory: Path) -> list[Draft]:
        """Return what goes into the release, in its order, with the chunks of each kept in ``directory``."""
        pdfs = sorted((source for source in wanted if source.is_pdf), key=lambda source: (source.name, source.sha256))
        files = sorted((source for source in wanted if not source.is_pdf), key=lambda source: source.sha256)
        drafts: list[Draft] = []
        for draft, content in chain(self._read_pdfs(pdfs), *(self.passages(source) for source in files)):
            if content is None:
                drafts.append(draft)
                continue
            path = directory / f"{len(drafts)}.json"
            with disk(path):
                path.write_bytes(_contents().dump_json(content))
            drafts.append(replace(draft, path=path))
        return sorted(drafts, key=lambda one: (one.revision.document, one.revision.sha256, one.revision.source))

    def _read_pdfs(self, sources: Sequence[IndexedFile]) -> Iterator[tuple[Draft, Content | None]]:
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
            draft = Draft(
                revision,
                pages=len(document.pages),
                ocr=document.ocr,
                repaired=document.repaired,
                vision=account(document.described),
            )
            if vetted.standing == "rejected":
                yield draft, None
                continue
            made = self.cutter.cut(document)
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
            yield draft, Content(ids, chunks, made.parts)

    def _candidate(self, source: IndexedFile) -> vetting.Candidate:
        document = self.library.needed(source.sha256)
        first = [line.text for line in vetting.first_sheet(document)]
        identity = vetting.identify(source.name, first, dict(document.metadata))
        return vetting.Candidate(source.name, source.sha256, identity, source.folder)

    def passages(self, source: IndexedFile) -> Iterator[tuple[Draft, Content]]:
        file: PassageFile = read_passages(self.library.passages(source.sha256), source.name)
        for document, found in file.documents.items():
            chunks = tuple(chunk for _, chunk in found)
            revision = file.revision(document, source.name, detect(chunk.text for chunk in chunks[:50]))
            pages = len({page for chunk in chunks for page in chunk.pages})
            made = self.cutter.of_passages(revision.sha256, chunks, revision.language)
            ids = tuple(id_ for id_, _ in found)
            yield _measured(Draft(revision, pages=pages), made), Content(ids, chunks, made.parts)


@cache
def _contents() -> TypeAdapter[Content]:
    # Built when needed: it takes a tenth of a second.
    return TypeAdapter(Content)


def content_of(draft: Draft) -> Content:
    """Return the chunks of a draft that has some."""
    assert draft.path is not None
    with disk(draft.path):
        return _contents().validate_json(draft.path.read_bytes())


def _measured(draft: Draft, made: Cut) -> Draft:
    return replace(draft, vectors=made.vectors, texts=sum(made.parts), chunks=len(made.chunks), lengths=made.lengths)
