"""What a model may do while it answers: search, read a section, read a document, list documents.

Everything a model is told is text made here, in the words of ``prompts``. It sees handles (``P1`` for a passage, ``D1``
for a document), never file names, hashes, page numbers or ids, so it has none to retype; document text stands between
fences, as data. This module knows no agent framework: ``loop`` registers the four methods of ``Toolbox``.
"""

from __future__ import annotations

import asyncio
import logging
import re
import unicodedata
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from pincite.answer import phrases, prompts
from pincite.answer.rows import RowPassage, row_passage
from pincite.answer.sections import TITLE_CHARACTERS, match_sections, nearest_sections, one_line, path_text
from pincite.catalogue import EXACT, Catalogue
from pincite.corpus.hyphenation import softened, unbroken
from pincite.corpus.tables import rows
from pincite.errors import CatalogueError, PinciteError, UsageError
from pincite.types import (
    AnswerEvent,
    ChunkKind,
    Passage,
    PassagesFound,
    Release,
    Revision,
    SectionPath,
    Step,
    StepTaken,
    Target,
)

_log = logging.getLogger("pincite.answer")


class Retriever(Protocol):
    """What the loop asks of ``retrieve.retriever.Retriever``; the tests' in-memory one is the other implementation."""

    @property
    def release(self) -> Release: ...

    def search(
        self, question: str, *, k: int = 10, documents: Sequence[str] = (), kinds: Sequence[ChunkKind] = ()
    ) -> tuple[Passage, ...]: ...

    def section(self, document: str, path: SectionPath) -> tuple[Passage, ...]: ...

    def sections(self, document: str) -> tuple[SectionPath, ...]: ...

    def read(self, document: str) -> tuple[Passage, ...]: ...

    def documents(self) -> tuple[Revision, ...]: ...

    def count(self, text: str) -> int: ...


@dataclass(frozen=True, slots=True)
class Limits:
    """What one answer may cost at most. Above it the question goes to a person, with the draft."""

    calls: int = 8
    """Calls of tools."""
    explained_from: int = 6
    """From this call on the model must say what new thing it expects."""
    seconds: float = 120.0
    """From the question to the end of the answer."""
    tokens: int = 500_000
    """Read and written by language models for one answer; each turn of a conversation with one reads everything again,
    so a document of the longest that may be read whole fits in four times."""
    cost: float | None = None
    """Of one answer, in the currency of the configured prices; None: no limit."""
    written_characters: int = 40_000
    """Of one response of a model: one that repeats itself without end is stopped here."""
    question_characters: int = 8000
    history_messages: int = 20
    document_tokens: int = 100_000
    """A longer document, or section, is not read as a whole: the model gets the list of its sections."""
    passages: int = 10
    """Passages of one search."""


class LimitReached(Exception):
    """The answer must stop here and go to a person. ``key`` is one of ``phrases``' reasons, ``values`` its figures."""

    def __init__(self, key: str, **values: object) -> None:
        super().__init__(phrases.stopped(key, "en", **values))
        self.key, self.values = key, values


KINDS: tuple[ChunkKind, ...] = ("text", "table", "figure")
DOCUMENTS_A_PAGE = 25
SECTIONS_SHOWN = 60
REFERENCES_SHOWN = 6
"""Of one passage. A page of a statute may name thirty places; the first ones are as good a guess as any."""
FAILURES = 2
"""Of the library in one answer, after which it is no use to go on."""


@dataclass(frozen=True, slots=True)
class _Told:
    """What came of a call: the text for the model, the words for the reader."""

    text: str
    summary: str


class Toolbox:
    """The tools of one answer and what they found: one release, one asker, one budget of calls."""

    def __init__(
        self,
        retriever: Retriever,
        *,
        limits: Limits,
        language: phrases.Language,
        steps: list[Step],
        emit: Callable[[AnswerEvent], None],
        milliseconds: Callable[[], int],
        now: Callable[[], str],
        catalogue: Catalogue | None = None,
    ) -> None:
        self._retriever = retriever
        self.limits = limits
        self._language: phrases.Language = language
        self._emit = emit
        self._milliseconds = milliseconds
        self._now = now
        self.catalogue = catalogue
        # A model may ask for several tools at once; one at a time keeps the handles the same in every run.
        self._one_at_a_time = asyncio.Lock()
        self._handles: dict[str, str] = {}
        self._documents: dict[str, str] = {}
        self._library: dict[str, Revision] = {}
        self._memory: dict[tuple[str, ...], str] = {}
        self.offered: dict[str, Passage] = {}
        """Passage of each handle that the model was given, in order."""
        self.retrieved_at: dict[str, str] = {}
        """ISO 8601, UTC, for each handle."""
        self.searched: list[str] = []
        """Titles of documents in which something was found or read, in order."""
        self.steps = steps
        self.calls = 0
        self.failures = 0
        """Calls that the library could not serve."""
        self.in_vain: list[str] = []
        """What the catalogue has no row for."""
        self.unread = False
        """Whether the catalogue could not be read."""

    # ------------------------------------------------------------ the four tools

    async def search_passages(
        self, query: str, documents: Sequence[str] = (), kinds: Sequence[str] = (), expecting: str = ""
    ) -> str:
        """The passages that fit ``query``, best first, as text for the model."""
        arguments: dict[str, object] = {"query": query}
        if documents:
            arguments["documents"] = list(documents)
        if kinds:
            arguments["kinds"] = list(kinds)
        wanted: tuple[ChunkKind, ...] = tuple(kind for kind in KINDS if kind in kinds)
        return await self._call(
            "search_passages", arguments, expecting, lambda: self._search(one_line(query, 1000), documents, wanted)
        )

    async def read_section(self, document: str, section_path: str | Sequence[str] = "", expecting: str = "") -> str:
        """A section with its subsections, as text for the model; the valid sections, nearest first, when unknown.

        ``document`` is the handle of a document, or of a passage: with an empty ``section_path``, the passage's own.
        """
        wanted = section_path if isinstance(section_path, str) else " › ".join(section_path)
        arguments: dict[str, object] = {"document": document, "section_path": wanted}
        return await self._call("read_section", arguments, expecting, lambda: self._section(document, wanted))

    async def read_document(self, document: str, expecting: str = "") -> str:
        """The whole document as text for the model; the list of its sections when it is too long."""
        arguments: dict[str, object] = {"document": document}
        return await self._call("read_document", arguments, expecting, lambda: self._whole(document))

    async def list_documents(self, filter: str = "", page: int = 1, expecting: str = "") -> str:
        """25 documents whose title holds the words of ``filter``, with handles, for the model; ``page`` from 1."""
        arguments: dict[str, object] = {"filter": filter, "page": page}
        return await self._call("list_documents", arguments, expecting, lambda: self._list(filter, page))

    async def lookup_part(self, query: str, expecting: str = "") -> str:
        """Rows of the catalogue for a part number, an OEM number or words, as text for the model; rows or nothing."""
        asked = one_line(query, 300)
        return await self._call("lookup_part", {"query": asked}, expecting, lambda: self._lookup(asked))

    def count(self, text: str) -> int:
        """Tokens by the encoder's tokenizer."""
        return self._retriever.count(text)

    def documents(self) -> tuple[Revision, ...]:
        """The documents that the release holds for this asker, each by its newest revision."""
        return tuple(self._known().values())

    # ------------------------------------------------------------ one call

    async def _call(
        self, tool: str, arguments: dict[str, object], expecting: str, work: Callable[[], Awaitable[_Told]]
    ) -> str:
        """Do the work within the budget; a step for the reader, a text for the model.

        Raises:
            LimitReached: at the first call above the limit (the result of the last allowed one said so), or when the
                library has failed too often.
            PinciteError: the library cannot be used, and nothing was found before.
        """
        async with self._one_at_a_time:
            if self.calls >= self.limits.calls:
                raise LimitReached("calls", n=self.limits.calls)
            self.calls += 1
            started = self._milliseconds()
            if self.calls >= self.limits.explained_from and not expecting.strip():
                text = prompts.EXPLAIN.format(call=self.calls, calls=self.limits.calls)
                told = _Told(text, self._say("unexplained"))
            else:
                told = await self._attempt(tool, work)
            step = Step(tool, arguments, told.summary, self._milliseconds() - started)
            self.steps.append(step)
            self._emit(StepTaken(step))
            if self.failures >= FAILURES:
                raise LimitReached("library")
            return told.text + (prompts.LAST_CALL if self.calls >= self.limits.calls else "")

    async def _attempt(self, tool: str, work: Callable[[], Awaitable[_Told]]) -> _Told:
        try:
            return await work()
        except UsageError as error:
            return _Told(prompts.NOT_DONE.format(why=error), self._say("no_words"))
        except Exception as error:
            # Whatever breaks in a store or on a disk: the answer goes on without it, or ends with words.
            if isinstance(error, PinciteError) and not self.offered:
                raise
            _log.exception("%s failed", tool)
            self.failures += 1
            return _Told(prompts.FAILED, self._say("failed"))

    async def _search(self, query: str, documents: Sequence[str], kinds: tuple[ChunkKind, ...]) -> _Told:
        ids: list[str] = []
        for handle in documents:
            if (document := self._document(handle)) is None:
                return self._unknown(handle)
            ids.append(document)
        key = ("search", *sorted(_words(query)), "|", *sorted(ids), "|", *kinds)
        if key in self._memory:
            text = prompts.SAME_WORDS.format(result=self._memory[key])
            return _Told(text, self._say("searched_again", query=query))
        found = await asyncio.to_thread(
            self._retriever.search, query, k=self.limits.passages, documents=tuple(ids), kinds=kinds
        )
        if not found:
            where = ", ".join(self._documents[id] for id in ids) if ids else f"all {len(self.documents())} documents"
            if kinds:
                where += f" (only {', '.join(kinds)})"
            self._memory[key] = prompts.NOTHING_FOUND.format(query=query, where=where)
            return _Told(self._memory[key], self._say("searched_in_vain", query=query))
        nothing_new = all(passage.id in self._handles for passage in found)
        text, handles = await self._offer(found)
        self._memory[key] = f"Passages {', '.join(handles)}, shown above."
        if nothing_new:
            text = prompts.SAME_PASSAGES.format(handles=", ".join(handles))
            return _Told(text, self._say("searched_again", query=query))
        self._emit(PassagesFound(found))
        counted = phrases.passages(len(found), self._language)
        among = phrases.documents(len({passage.revision.document for passage in found}), self._language)
        return _Told(text, self._say("searched", query=query, passages=counted, documents=among))

    async def _section(self, handle: str, wanted: str) -> _Told:
        document = self._document(handle)
        if document is None:
            return self._unknown(handle)
        passage = self.offered.get(_handle(handle))
        target = self._referred(passage, wanted) if passage else None
        if target:
            document = target.document
        paths = await asyncio.to_thread(self._retriever.sections, document)
        if target:
            matches = (target.section,)
        elif wanted.strip():
            matches = match_sections(wanted, paths)
        else:
            matches = (passage.chunk.section,) if passage and passage.chunk.section else ()
        if len(matches) != 1:
            why = prompts.AMBIGUOUS if matches else prompts.NO_SECTION
            listed = _listed(matches or nearest_sections(wanted, paths))
            title = one_line(self._known()[document].title, TITLE_CHARACTERS)
            summary = self._say("unknown_section", section=one_line(wanted, 80), title=title)
            return _Told(why.format(section=one_line(wanted, 80), sections=listed), summary)
        path = matches[0]
        key = ("section", document, *path)
        if key in self._memory:
            return _Told(
                prompts.SAME_SECTION.format(what=self._memory[key]), self._say("read_again", what=path_text(path))
            )
        found = await asyncio.to_thread(self._retriever.section, document, path)
        if not found:
            return _Told(prompts.EMPTY, self._say("empty", what=path_text(path)))
        if await self._tokens(found) > self.limits.document_tokens:
            inside = [one for one in paths if one[: len(path)] == path and one != path]
            return self._too_long("section", path_text(path), inside)
        text, handles = await self._offer(found)
        self._memory[key] = f"passages {', '.join(handles)}, shown above."
        self._emit(PassagesFound(found))
        return _Told(text + _neighbours(path, paths), self._say("read", what=path_text(path)))

    async def _whole(self, handle: str) -> _Told:
        document = self._document(handle)
        if document is None:
            return self._unknown(handle)
        title = one_line(self._known()[document].title, TITLE_CHARACTERS)
        key = ("document", document)
        if key in self._memory:
            return _Told(prompts.SAME_SECTION.format(what=self._memory[key]), self._say("read_again", what=title))
        found = await asyncio.to_thread(self._retriever.read, document)
        if not found:
            return _Told(prompts.EMPTY, self._say("empty", what=title))
        if await self._tokens(found) > self.limits.document_tokens:
            paths = await asyncio.to_thread(self._retriever.sections, document)
            return self._too_long("document", title, paths)
        text, handles = await self._offer(found)
        self._memory[key] = f"passages {handles[0]} to {handles[-1]}, shown above."
        self._emit(PassagesFound(found))
        return _Told(text, self._say("read", what=title))

    async def _list(self, filter: str, page: int) -> _Told:
        everything = await asyncio.to_thread(self.documents)
        for revision in everything:
            self._document_handle(revision.document)
        wanted = _words(filter)
        listed = [one for one in everything if all(word in one.title.casefold() for word in wanted)]
        pages = max(1, -(-len(listed) // DOCUMENTS_A_PAGE))
        page = min(max(page, 1), pages)
        lines = [
            f"{self._documents[one.document]}: {one_line(one.title, TITLE_CHARACTERS)} (revision "
            f"{one_line(one.revision, 40)}, {_standing(one)})"
            for one in listed[(page - 1) * DOCUMENTS_A_PAGE : page * DOCUMENTS_A_PAGE]
        ]
        head = prompts.LISTING.format(n=len(listed), page=page, pages=pages)
        text = "\n".join([head, "<documents>", *map(_defuse, lines), "</documents>"])
        return _Told(text, self._say("listed", page=page, pages=pages))

    async def _lookup(self, query: str) -> _Told:
        if self.catalogue is None:
            raise UsageError("there is no catalogue")
        key = ("part", *sorted(_words(query)))
        if key in self._memory:
            return _Told(prompts.SAME_ROWS.format(what=self._memory[key]), self._say("searched_again", query=query))
        if self.unread:
            return _Told(prompts.UNREAD_CATALOGUE, self._say("catalogue_failed"))  # its time-out is waited for once
        try:
            lookup = await asyncio.to_thread(self.catalogue.lookup, query)
        except CatalogueError as error:
            _log.warning("lookup_part failed: %s", error)
            self.unread = True
            return _Told(prompts.UNREAD_CATALOGUE, self._say("catalogue_failed"))
        rows_ = [row_passage(one, self.catalogue.name, self._language, n) for n, one in enumerate(lookup.found, 1)]
        text, handles = self._offer_rows(rows_)
        self._memory[key] = f"rows {', '.join(handles)}, shown above." if handles else "no row."
        if rows_:
            self._emit(PassagesFound(tuple(rows_)))
        else:
            self.in_vain.append(query)
        more = prompts.MORE_ROWS if lookup.more else ""
        summary = self._say("looked_up", query=query, n=len(rows_))
        return _Told(text + more if rows_ else prompts.NO_ROW.format(query=query), summary)

    def _offer_rows(self, rows_: Sequence[RowPassage]) -> tuple[str, list[str]]:
        """Rows as text for the model, and their handles."""
        shown: list[str] = []
        handles: list[str] = []
        for row in rows_:
            before = self._handles.get(row.id)
            handle = before or f"C{sum(one.startswith('C') for one in self.offered) + 1}"
            handles.append(handle)
            if before:
                shown.append(f'<row handle="{handle}">shown above</row>')
                continue
            self._handles[row.id] = handle
            self.offered[handle] = row
            self.retrieved_at[handle] = row.part.read_at
            match = "exact" if row.match in EXACT else f"fuzzy, {row.chunk.section[-1]}"
            shown.append(f'<row handle="{handle}" match="{match}">\n{_defuse(passage_text(row))}\n</row>')
        return "\n".join(shown), handles

    # ------------------------------------------------------------ inside

    def _say(self, key: str, **values: object) -> str:
        return phrases.step(key, self._language, **values)

    def _known(self) -> dict[str, Revision]:
        """The newest revision of each document, by id."""
        if not self._library:
            for revision in self._retriever.documents():
                before = self._library.get(revision.document)
                if before is None or (before.standing != "citable" and revision.standing == "citable"):
                    self._library[revision.document] = revision
        return self._library

    def _unknown(self, handle: str) -> _Told:
        return _Told(prompts.NO_DOCUMENT.format(handle=one_line(handle, 40)), self._say("unknown_document"))

    def _document(self, handle: str) -> str | None:
        """Id of the document that ``D3`` or ``P3`` stands for; None when no such handle was given out."""
        name = _handle(handle)
        if passage := self.offered.get(name):
            return passage.revision.document
        return next((document for document, own in self._documents.items() if own == name), None)

    def _document_handle(self, document: str) -> str:
        return self._documents.setdefault(document, f"D{len(self._documents) + 1}")

    async def _tokens(self, passages: Sequence[Passage]) -> int:
        count = self._retriever.count
        return await asyncio.to_thread(lambda: sum(count(passage.chunk.text) for passage in passages))

    def _too_long(self, what: str, title: str, paths: Sequence[SectionPath]) -> _Told:
        text = prompts.TOO_LONG.format(what=what, tokens=f"{self.limits.document_tokens:,}", sections=_listed(paths))
        return _Told(text, self._say("too_long", what=title))

    async def _offer(self, passages: Sequence[Passage]) -> tuple[str, list[str]]:
        """The passages as text for the model, and their handles; one that was offered before keeps its handle."""
        known = await asyncio.to_thread(self._known)
        shown: list[str] = []
        handles: list[str] = []
        for passage in passages:
            document = self._document_handle(passage.revision.document)
            before = self._handles.get(passage.id)
            handle = before or f"P{sum(one.startswith('P') for one in self.offered) + 1}"
            handles.append(handle)
            if before:
                shown.append(f'<passage handle="{handle}">shown above</passage>')
                continue
            self._handles[passage.id] = handle
            self.offered[handle] = passage
            self.retrieved_at[handle] = self._now()
            if passage.revision.title not in self.searched:
                self.searched.append(passage.revision.title)
            title = _attribute(passage.revision.title)
            section = _attribute(path_text(passage.chunk.section))
            shown.append(
                f'<passage handle="{handle}" document="{document}" title="{title}" section="{section}" '
                f'kind="{passage.chunk.kind}" standing="{_standing(passage.revision)}">\n'
                f"{_defuse(passage_text(passage))}\n{self._references(passage, known)}</passage>"
            )
        return "\n".join(shown), handles

    def _referred(self, passage: Passage, wanted: str) -> Target | None:
        """The place that the passage means by these words of its own, as it was resolved when the release was built."""
        words = " ".join(wanted.casefold().split())
        for reference in passage.chunk.references:
            said = " ".join(reference.text.casefold().split())
            if words and re.search(rf"(?<![\w.]){re.escape(words)}(?![\w.])", said) and len(reference.targets) == 1:
                target = reference.targets[0]
                return target if target.section and target.document in self._known() else None
        return None

    def _references(self, passage: Passage, known: dict[str, Revision]) -> str:
        """A line for each place that the passage refers to, as it was resolved when the release was built."""
        lines: dict[tuple[str, SectionPath], str] = {}
        for reference in passage.chunk.references:
            for target in reference.targets:
                place = target.document, target.section
                if target.document not in known or place == (passage.revision.document, passage.chunk.section):
                    continue
                handle = self._document_handle(target.document)
                where = _attribute(path_text(target.section))
                title = "" if target.document == passage.revision.document else _attribute(known[target.document].title)
                lines.setdefault(
                    place,
                    f'<refers words="{_attribute(reference.text)}" document="{handle}"'
                    + (f' title="{title}"' if title else "")
                    + (f' section="{where}"' if where else "")
                    + "/>\n",
                )
        return "".join(list(lines.values())[:REFERENCES_SHOWN])


def _listed(paths: Sequence[SectionPath]) -> str:
    lines = [f"- {_defuse(path_text(path))}" for path in paths[:SECTIONS_SHOWN]] or ["- (it has no sections)"]
    more = [f"… and {len(paths) - SECTIONS_SHOWN} more"] if len(paths) > SECTIONS_SHOWN else []
    return "\n".join(["<sections>", *lines, *more, "</sections>"])


def _neighbours(path: SectionPath, paths: Sequence[SectionPath]) -> str:
    """The titles of the sections that stand before and after the one that was read, subsections passed over."""
    outside = [one for one in paths if one == path or one[: len(path)] != path]
    at = outside.index(path)
    before = f' before="{_attribute(path_text(outside[at - 1]))}"' if at else ""
    after = f' after="{_attribute(path_text(outside[at + 1]))}"' if at + 1 < len(outside) else ""
    return f"\n<neighbours{before}{after}/>" if before or after else ""


def is_citable(passage: Passage) -> bool:
    """Whether the passage may be evidence: of a current revision, and no table that was read with doubt."""
    doubtful = passage.chunk.table is not None and passage.chunk.table.confidence < 0.5
    return passage.revision.standing == "citable" and not doubtful


def passage_text(passage: Passage) -> str:
    """The text a model reads, broken words whole: of a table the grid, merged cells in every place that they cover."""
    table = passage.chunk.table
    if table is None:
        text = unbroken(softened(passage.chunk))
        if passage.chunk.kind == "figure":
            if not text:
                return "[a picture without readable text]"
            caption = unbroken(softened(passage.chunk)[: passage.chunk.caption])
            return f"{caption}\n[printed inside the picture, not evidence:]{text[len(caption) :]}"
        return text
    lines = [" | ".join(row) for row in rows(table)]
    return "\n".join([*([table.caption] if table.caption else []), *lines, *table.footnotes])


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"[^\W_]+(?:[.,/\-][^\W_]+)*", unicodedata.normalize("NFKC", text).casefold()))


def _standing(revision: Revision) -> str:
    return "citable" if revision.standing == "citable" else "read only, never cite it"


def _handle(written: str) -> str:
    return written.strip().strip("[]").upper()


def _attribute(text: str) -> str:
    return one_line(text, 3 * TITLE_CHARACTERS).replace('"', "”").replace("<", "‹").replace(">", "›")


def _defuse(text: str) -> str:
    """Document text that cannot close its own fence nor look like another passage."""
    return re.sub(r"<(?=/?\s*(?:passage|row|documents|sections|refers|neighbours)\b)", "‹", text, flags=re.IGNORECASE)
