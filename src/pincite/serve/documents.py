"""What is in the library, for people: documents, their sections, their files, search.

Nothing in a request is ever a path: a file is looked up by document and hash among the revisions of the release, or
among those that answers cite, and only then fetched from the library by its hash.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from fastapi import APIRouter, HTTPException, Query, Request, Response
from fastapi.responses import FileResponse, JSONResponse

from pincite.errors import DocumentWithdrawn, LibraryDamaged, LibraryError
from pincite.journal import Journal
from pincite.serve.answering import checked
from pincite.serve.wire import Json, documents_json, failures_json, pages_json, search_json, sections_json

if TYPE_CHECKING:
    from pincite.retrieve.retriever import Retriever
    from pincite.types import ParsedDocument

NO_DOCUMENT = "There is no such document: GET /api/documents lists those that are there."
NO_FILE = "There is no such file: it is not in this library, or the document has no pages."

_SEARCHED = ("document", "source", "title", "kind")

_RANGES = re.compile(r"bytes=\s*(\d{1,15}-\d{0,15}|-\d{1,15})(\s*,\s*(\d{1,15}-\d{0,15}|-\d{1,15}))*\s*")


class Documents:
    """The routes under ``/api`` that show the library; ``current`` is called for each request, so that a release that
    was published a moment ago answers.
    """

    def __init__(
        self,
        current: Callable[[], Retriever],
        source_file: Callable[[str], Path],
        parsed: Callable[[str], ParsedDocument | None],
        journal: Journal,
        *,
        question_characters: int,
    ) -> None:
        self._current, self._source_file, self._journal = current, source_file, journal
        self._parsed = parsed
        self._question_characters = question_characters
        self.router = APIRouter()
        file = "/api/documents/{document:path}/revisions/{sha256}/file"
        for path, endpoint in (
            ("/api/documents", self.documents),
            ("/api/documents/{document:path}/sections", self.sections),
            ("/api/documents/{document:path}/revisions", self.revisions),
            ("/api/documents/{document:path}/revisions/{sha256}/pages", self.pages),
            (file, self.file),
            ("/api/search", self.search),
        ):
            self.router.add_api_route(path, endpoint, response_model=None)
        self.router.add_api_route(file, self.file, methods=["HEAD"], include_in_schema=False)

    async def documents(
        self,
        search: str = "",
        offset: Annotated[int, Query(ge=0)] = 0,
        limit: Annotated[int | None, Query(ge=1, le=1000)] = None,
    ) -> Json:
        """Revisions of the published release whose id, file, title or kind has the words of ``search``, ``total`` of
        them; ``failed`` are files that the run which made it could not read.
        """
        release = (await asyncio.to_thread(self._current)).release
        listed = documents_json(release)
        words = search.casefold().split()
        found = [
            document
            for document in listed["documents"]
            if all(word in " ".join(str(document[name]) for name in _SEARCHED).casefold() for word in words)
        ]
        return listed | {
            "created": release.created,
            "total": len(found),
            "documents": found[offset : None if limit is None else offset + limit],
            "failed": failures_json(release),
        }

    async def pages(self, document: str, sha256: str) -> Json:
        """What was found on each page of one revision: text, OCR, nothing, rubbish, doubtful tables."""
        try:
            await asyncio.to_thread(self._source_file, sha256)  # says so of one that may not be read any more
        except (DocumentWithdrawn, LibraryDamaged):
            raise
        except (LibraryError, ValueError) as error:
            raise HTTPException(404, NO_FILE) from error
        parsed = await asyncio.to_thread(self._parsed, sha256)
        if parsed is None or await self._source_of(document, sha256) is None:
            raise HTTPException(404, NO_FILE)
        return pages_json(parsed)

    async def sections(self, document: str) -> Json:
        """Sections of the newest revision of a document with their sheets."""

        def read() -> Json | None:
            retriever = self._current()
            if all(revision.document != document for revision in retriever.release.revisions):
                return None
            return sections_json(retriever.sections(document), retriever.read(document))

        found = await asyncio.to_thread(read)
        if found is None:
            raise HTTPException(404, NO_DOCUMENT)
        return found

    async def revisions(self, document: str) -> Json:
        """The revisions of one document in the published release, which may hold none: is what was cited the newest?"""
        release = (await asyncio.to_thread(self._current)).release
        own = tuple(revision for revision in release.revisions if revision.document == document)
        return documents_json(replace(release, revisions=own))

    async def search(
        self,
        question: str,
        k: Annotated[int, Query(ge=1, le=100)] = 10,
        mode: Literal["hybrid", "dense", "bm25"] = "hybrid",
        debug: bool = False,
    ) -> Json:
        """Passages in rank order; the object that ``pincite search --json`` prints."""
        question = checked(question, self._question_characters)

        def find() -> Json:
            began = time.perf_counter()
            passages = self._current().search(question, k=k, mode=mode)
            return search_json(passages, round(1000 * (time.perf_counter() - began)), debug=debug)

        return await asyncio.to_thread(find)

    async def file(self, request: Request, document: str, sha256: str) -> Response:
        """The bytes of one revision, whole or in ranges; also of one that only an old answer cites.

        A revision that was withdrawn is 410 Gone, whoever cites it.
        """
        try:
            path = await asyncio.to_thread(self._source_file, sha256)
        except (DocumentWithdrawn, LibraryDamaged):
            raise
        except (LibraryError, ValueError) as error:
            raise HTTPException(404, NO_FILE) from error
        source = await self._source_of(document, sha256)
        if source is None:
            raise HTTPException(404, NO_FILE)
        # The name is the hash of the bytes, so it is the strongest of entity tags.
        headers = {"ETag": f'"{sha256}"', "Cache-Control": "private, no-cache"}
        if sha256 in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        size = (await asyncio.to_thread(path.stat)).st_size
        wanted = request.headers.get("range")
        if wanted is not None and not _RANGES.fullmatch(wanted):
            # RFC 9110, 14.2: a Range that is not understood is ignored.
            request.scope["headers"] = [(name, value) for name, value in request.scope["headers"] if name != b"range"]
        elif wanted is not None and _begins_past(wanted, size):
            message = f"The file has {size} bytes: ask for a range inside it."
            return JSONResponse({"message": message}, 416, {"Content-Range": f"bytes */{size}"})
        return FileResponse(
            path, media_type="application/pdf", headers=headers, filename=source, content_disposition_type="inline"
        )

    async def _source_of(self, document: str, sha256: str) -> str | None:
        """The file name of a revision, from the release or else from the answers that cite it; None when unknown."""
        try:
            revisions = (await asyncio.to_thread(self._current)).release.revisions
        except LibraryError:
            revisions = ()
        for revision in revisions:
            if (revision.document, revision.sha256) == (document, sha256):
                return revision.source
        return await self._journal.cited_source(document, sha256)


def _begins_past(wanted: str, size: int) -> bool:
    """Whether a well-formed Range header asks for bytes behind the end.

    >>> _begins_past("bytes=0-1,900-", 900), _begins_past("bytes=899-2000", 900), _begins_past("bytes=-5", 900)
    (True, False, False)
    """
    firsts = [part.strip().partition("-")[0] for part in wanted.removeprefix("bytes=").split(",")]
    return any(first and int(first) >= size for first in firsts)
