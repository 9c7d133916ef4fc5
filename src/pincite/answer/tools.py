"""What a model may do while it answers: search, read a section, read a document, list documents.

Everything a model is told is text made here. It sees handles (``P1`` for a passage, ``D1`` for a document), never file
names, hashes, page numbers or ids, so it has none to retype; document text stands between fences, as data. This module
knows no agent framework: ``agent`` registers the four methods of ``Toolbox``.
"""

from __future__ import annotations

import asyncio
import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Protocol

from pincite.corpus.hyphenation import softened, unbroken
from pincite.corpus.tables import rows
from pincite.errors import UsageError
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
)


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
    seconds: float = 60.0
    question_characters: int = 8000
    history_messages: int = 20
    document_tokens: int = 100_000
    """A longer document, or section, is not read as a whole: the model gets the list of its sections."""
    passages: int = 10
    """Passages of one search."""


class LimitReached(Exception):
    """The answer must stop here and go to a person; the message says why, for the reader."""


KINDS: tuple[ChunkKind, ...] = ("text", "table", "figure")
DOCUMENTS_A_PAGE = 25
SECTIONS_SHOWN = 60
TITLE_CHARACTERS = 120
"""Titles come out of files that anybody may have written: one line, cut."""

_PREFIXES = re.compile(
    r"^(?:section|sec\.?|chapter|clause|article|art\.?|annex|appendix|paragraph|§+|artikel|hoofdstuk|paragraaf|bijlage"
    r"|abschnitt|kapitel|anhang|absatz|chapitre|annexe|paragraphe)\s+(?=\S)",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"^(?:\d+(?:\.\d+)*[a-z]?|[A-Z](?:\.\d+)+|[A-Z](?=\s)|[IVXLC]+)(?=[.):]?(?:\s|$))")


class Toolbox:
    """The tools of one answer and what they found: one release, one asker, one budget of calls."""

    def __init__(
        self,
        retriever: Retriever,
        *,
        limits: Limits,
        steps: list[Step],
        emit: Callable[[AnswerEvent], None],
        milliseconds: Callable[[], int],
        now: Callable[[], str],
    ) -> None:
        self._retriever = retriever
        self._limits = limits
        self._emit = emit
        self._milliseconds = milliseconds
        self._now = now
        # A model may ask for several tools at once; one at a time keeps the handles the same in every run.
        self._one_at_a_time = asyncio.Lock()
        self._handles: dict[str, str] = {}
        self._documents: dict[str, str] = {}
        self._revisions: dict[str, Revision] = {}
        self._memory: dict[tuple[str, ...], str] = {}
        self.offered: dict[str, Passage] = {}
        """Passage of each handle that the model was given, in order."""
        self.retrieved_at: dict[str, str] = {}
        """ISO 8601, UTC, for each handle."""
        self.searched: list[str] = []
        """Titles of documents in which something was found or read, in order."""
        self.steps = steps
        self.calls = 0

    # ------------------------------------------------------------ the four tools

    async def search_passages(
        self, query: str, documents: Sequence[str] = (), kinds: Sequence[str] = (), expecting: str = ""
    ) -> str:
        """The passages that fit ``query``, best first, as text for the model."""
        async with self._one_at_a_time:
            note = self._count_call(expecting)
            if note:
                return self._step("search_passages", {"query": query}, "A further search was not explained", note)
            arguments: dict[str, object] = {"query": query}
            if documents:
                arguments["documents"] = list(documents)
            if kinds:
                arguments["kinds"] = list(kinds)
            query = _one_line(query, 1000)
            wanted: tuple[ChunkKind, ...] = tuple(kind for kind in KINDS if kind in kinds)
            ids: list[str] = []
            for handle in documents:
                if (document := self._document(handle)) is None:
                    text = f"There is no document {_one_line(handle, 40)}. list_documents gives the handles."
                    return self._step("search_passages", arguments, "Asked for an unknown document", text)
                ids.append(document)
            key = ("search", *sorted(_words(query)), "|", *sorted(ids), "|", *wanted)
            if key in self._memory:
                text = (
                    "You have searched for these words before; their order changes nothing. The same result as then:\n"
                    f"{self._memory[key]}\nSearch for something else, read a section, or write the answer."
                )
                return self._step("search_passages", arguments, f"Searched again for “{query}”: nothing new", text)
            started = self._milliseconds()
            try:
                found = await asyncio.to_thread(
                    self._retriever.search, query, k=self._limits.passages, documents=tuple(ids), kinds=wanted
                )
            except UsageError as error:
                text = f"Not done: {error}"
                return self._step("search_passages", arguments, "Asked for a search without words", text, started)
            where = f"{len(ids)} document{'s' * (len(ids) != 1)}" if ids else "all documents"
            if not found:
                text = (
                    f"Nothing was found. Searched for “{query}” in {where}, by words and by meaning. Other words for "
                    "the same thing will not help; a wider question, another document or another kind may. Otherwise "
                    "the documents do not say."
                )
                self._memory[key] = text
                return self._step("search_passages", arguments, f"Searched for “{query}”: nothing found", text, started)
            text, handles = self._offer(found)
            self._memory[key] = "Passages " + ", ".join(handles) + ", shown above."
            titles = {passage.revision.document for passage in found}
            summary = (
                f"Searched for “{query}”: {len(found)} passage{'s' * (len(found) != 1)} "
                f"in {len(titles)} document{'s' * (len(titles) != 1)}"
            )
            self._emit(PassagesFound(found))
            return self._step("search_passages", arguments, summary, text, started)

    async def read_section(self, document: str, section: str = "", expecting: str = "") -> str:
        """A section with its subsections, as text for the model; the valid sections, nearest first, when unknown.

        ``document`` is the handle of a document, or of a passage: with an empty ``section``, the passage's own.
        """
        async with self._one_at_a_time:
            arguments: dict[str, object] = {"document": document, "section": section}
            if note := self._count_call(expecting):
                return self._step("read_section", arguments, "A further reading was not explained", note)
            started = self._milliseconds()
            resolved = self._document(document)
            if resolved is None:
                text = f"There is no document or passage {_one_line(document, 40)}. Use a handle that you were given."
                return self._step("read_section", arguments, "Asked for an unknown document", text)
            passage = self.offered.get(_handle(document))
            paths = await asyncio.to_thread(self._retriever.sections, resolved)
            if section.strip():
                matches = match_sections(section, paths)
            else:
                matches = (passage.chunk.section,) if passage and passage.chunk.section else ()
            title = self._title(resolved)
            if len(matches) != 1:
                nearest = matches or nearest_sections(section, paths)
                why = "stands for more than one section" if matches else "is not a section of this document"
                listed = "\n".join(f"- {_path(path)}" for path in nearest[:SECTIONS_SHOWN]) or "- (it has no sections)"
                text = (
                    f"“{_one_line(section, 80)}” {why}. Nothing was read. Valid sections, nearest first; give the "
                    f"whole line:\n{listed}"
                )
                summary = f"Looked for section “{_one_line(section, 80)}” in {title}: not there"
                return self._step("read_section", arguments, summary, text, started)
            key = ("section", resolved, *matches[0])
            if key in self._memory:
                text = f"You have read this section before: {self._memory[key]} Write the answer or read another."
                return self._step("read_section", arguments, f"Read again {_path(matches[0])}: nothing new", text)
            found = await asyncio.to_thread(self._retriever.section, resolved, matches[0])
            if not found:
                return self._step(
                    "read_section", arguments, f"Read {_path(matches[0])}: empty", "It is empty.", started
                )
            if await self._tokens(found) > self._limits.document_tokens:
                inside = [path for path in paths if path[: len(matches[0])] == matches[0] and path != matches[0]]
                text = self._too_long("section", inside)
                return self._step("read_section", arguments, f"{_path(matches[0])} is too long", text, started)
            text, handles = self._offer(found)
            self._memory[key] = f"passages {', '.join(handles)}, shown above."
            self._emit(PassagesFound(found))
            return self._step("read_section", arguments, f"Reading {_path(matches[0])}", text, started)

    async def read_document(self, document: str, expecting: str = "") -> str:
        """The whole document as text for the model; the list of its sections when it is too long."""
        async with self._one_at_a_time:
            arguments: dict[str, object] = {"document": document}
            if note := self._count_call(expecting):
                return self._step("read_document", arguments, "A further reading was not explained", note)
            started = self._milliseconds()
            resolved = self._document(document)
            if resolved is None:
                text = f"There is no document {_one_line(document, 40)}. list_documents gives the handles."
                return self._step("read_document", arguments, "Asked for an unknown document", text)
            title = self._title(resolved)
            key = ("document", resolved)
            if key in self._memory:
                text = f"You have read this document before: {self._memory[key]}"
                return self._step("read_document", arguments, f"Read {title} again: nothing new", text)
            found = await asyncio.to_thread(self._retriever.read, resolved)
            if await self._tokens(found) > self._limits.document_tokens:
                paths = await asyncio.to_thread(self._retriever.sections, resolved)
                text = self._too_long("document", paths)
                return self._step("read_document", arguments, f"{title} is too long to read whole", text, started)
            text, handles = self._offer(found)
            self._memory[key] = f"passages {handles[0]} and following, shown above." if handles else "it is empty."
            self._emit(PassagesFound(found))
            return self._step("read_document", arguments, f"Reading {title}", text or "It is empty.", started)

    async def list_documents(self, page: int = 1, containing: str = "", expecting: str = "") -> str:
        """25 documents, with their handles, as text for the model; ``page`` from 1."""
        async with self._one_at_a_time:
            arguments: dict[str, object] = {"page": page, "containing": containing}
            if note := self._count_call(expecting):
                return self._step("list_documents", arguments, "A further listing was not explained", note)
            started = self._milliseconds()
            everything = await asyncio.to_thread(self._retriever.documents)
            for revision in everything:
                self._document_handle(revision)
            wanted = _words(containing)
            listed = [one for one in everything if wanted <= _words(one.title)]
            pages = max(1, -(-len(listed) // DOCUMENTS_A_PAGE))
            page = min(max(page, 1), pages)
            shown = listed[(page - 1) * DOCUMENTS_A_PAGE : page * DOCUMENTS_A_PAGE]
            lines = [
                f"{self._documents[one.document]}: {_one_line(one.title, TITLE_CHARACTERS)} (revision "
                f"{_one_line(one.revision, 40)}, {_standing(one)})"
                for one in shown
            ]
            head = f"{len(listed)} documents, page {page} of {pages}. Searching is quicker than listing."
            text = "\n".join([head, "<documents>", *map(_defuse, lines), "</documents>"])
            summary = f"Listed documents: page {page} of {pages}"
            return self._step("list_documents", arguments, summary, text, started)

    @property
    def calls_allowed(self) -> int:
        return self._limits.calls

    def documents(self) -> tuple[Revision, ...]:
        """What the release holds for this asker."""
        return self._retriever.documents()

    # ------------------------------------------------------------ inside

    def _count_call(self, expecting: str) -> str:
        """A note that replaces the result, or nothing.

        Raises:
            LimitReached: at the first call above the limit. The result of the last allowed one said so.
        """
        if self.calls >= self._limits.calls:
            raise LimitReached(f"It took more than {self._limits.calls} searches and readings.")
        self.calls += 1
        if self.calls >= self._limits.explained_from and not expecting.strip():
            return (
                f"Not done. This would be call {self.calls} of {self._limits.calls}: say in `expecting` what new thing "
                f"it will bring, or write the answer now.{self._last_call()}"
            )
        return ""

    def _last_call(self) -> str:
        return "\nThat was the last call. Write the answer now." if self.calls >= self._limits.calls else ""

    def _step(
        self, tool: str, arguments: dict[str, object], summary: str, text: str, started: int | None = None
    ) -> str:
        now = self._milliseconds()
        step = Step(tool, arguments, summary, now - (now if started is None else started))
        self.steps.append(step)
        self._emit(StepTaken(step))
        return text + self._last_call()

    def _document(self, handle: str) -> str | None:
        """Id of the document that ``D3`` or ``P3`` stands for; None when no such handle was given out."""
        name = _handle(handle)
        if passage := self.offered.get(name):
            return passage.revision.document
        return next((document for document, own in self._documents.items() if own == name), None)

    def _document_handle(self, revision: Revision) -> str:
        self._revisions.setdefault(revision.document, revision)
        return self._documents.setdefault(revision.document, f"D{len(self._documents) + 1}")

    def _title(self, document: str) -> str:
        revision = self._revisions.get(document)
        return _one_line(revision.title, TITLE_CHARACTERS) if revision else "the document"

    async def _tokens(self, passages: Sequence[Passage]) -> int:
        count = self._retriever.count
        return await asyncio.to_thread(lambda: sum(count(passage.chunk.text) for passage in passages))

    def _too_long(self, what: str, paths: Sequence[SectionPath]) -> str:
        listed = "\n".join(f"- {_path(path)}" for path in paths[:SECTIONS_SHOWN])
        more = f"\n… and {len(paths) - SECTIONS_SHOWN} more" if len(paths) > SECTIONS_SHOWN else ""
        limit = f"{self._limits.document_tokens:,}"
        return f"This {what} has more than {limit} tokens and was not read. Read one of its sections:\n{listed}{more}"

    def _offer(self, passages: Sequence[Passage]) -> tuple[str, list[str]]:
        """The passages as text for the model, and their handles; one that was offered before keeps its handle."""
        shown: list[str] = []
        handles: list[str] = []
        for passage in passages:
            document = self._document_handle(passage.revision)
            known = self._handles.get(passage.id)
            handle = known or f"P{len(self._handles) + 1}"
            handles.append(handle)
            if known:
                shown.append(f'<passage handle="{handle}">shown above</passage>')
                continue
            self._handles[passage.id] = handle
            self.offered[handle] = passage
            self.retrieved_at[handle] = self._now()
            if passage.revision.title not in self.searched:
                self.searched.append(passage.revision.title)
            title = _attribute(passage.revision.title)
            section = _attribute(_path(passage.chunk.section))
            shown.append(
                f'<passage handle="{handle}" document="{document}" title="{title}" section="{section}" '
                f'kind="{passage.chunk.kind}" standing="{_standing(passage.revision)}">\n'
                f"{_defuse(passage_text(passage))}\n</passage>"
            )
        return "\n".join(shown), handles


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


def match_sections(wanted: str, paths: Sequence[SectionPath]) -> tuple[SectionPath, ...]:
    """The sections that ``wanted`` names: the whole path, else the title, else its number; all of the best kind.

    >>> match_sections("Section 4.2", (("4 Fees",), ("4 Fees", "4.2 Cross-border")))
    (('4 Fees', '4.2 Cross-border'),)
    """
    key = _plain(wanted)
    whole = tuple(path for path in paths if path and _plain(_path(path)) == key)
    if whole:
        return whole
    last = tuple(path for path in paths if path and _plain(path[-1]) == key)
    if last:
        return last
    number = _number(wanted)
    return tuple(path for path in paths if path and number and _number(path[-1]) == number)


def nearest_sections(wanted: str, paths: Sequence[SectionPath]) -> tuple[SectionPath, ...]:
    """All sections, the likeliest first: those that share most of the number, then the most similar titles."""
    key, number = _plain(wanted), _number(wanted)

    def distance(path: SectionPath) -> tuple[float, float]:
        own = _number(path[-1]) if path else ""
        shared = sum(1 for _ in _common(number.split("."), own.split("."))) if number and own else 0
        return -shared, -SequenceMatcher(None, key, _plain(path[-1] if path else "")).ratio()

    return tuple(sorted(paths, key=distance))


def _common(left: Sequence[str], right: Sequence[str]) -> list[str]:
    same: list[str] = []
    for one, other in zip(left, right, strict=False):
        if one != other:
            break
        same.append(one)
    return same


def _number(title: str) -> str:
    match = _NUMBER.match(_PREFIXES.sub("", title.strip()))
    return match.group(0).rstrip(".") if match else ""


def _plain(title: str) -> str:
    return " ".join(_PREFIXES.sub("", unicodedata.normalize("NFKC", title).strip()).casefold().split())


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"[^\W_]+(?:[.,/\-][^\W_]+)*", unicodedata.normalize("NFKC", text).casefold()))


def _path(path: SectionPath) -> str:
    return " › ".join(_one_line(title, TITLE_CHARACTERS) for title in path)


def _standing(revision: Revision) -> str:
    return "citable" if revision.standing == "citable" else "read only, never cite it"


def _handle(written: str) -> str:
    return written.strip().strip("[]").upper()


def _one_line(text: str, characters: int) -> str:
    line = " ".join("".join(c if unicodedata.category(c)[0] != "C" else " " for c in text).split())
    return line if len(line) <= characters else line[: characters - 1] + "…"


def _attribute(text: str) -> str:
    return _one_line(text, 3 * TITLE_CHARACTERS).replace('"', "”").replace("<", "‹").replace(">", "›")


def _defuse(text: str) -> str:
    """Document text that cannot close its own fence nor look like another passage."""
    return re.sub(r"<(?=/?\s*(?:passage|documents)\b)", "‹", text, flags=re.IGNORECASE)
