"""The application: routes, errors as sentences, the page."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, HTMLResponse, JSONResponse
from starlette.exceptions import HTTPException
from starlette.staticfiles import StaticFiles

from pincite import __version__
from pincite.errors import (
    DiskError,
    DocumentWithdrawn,
    InputError,
    LibraryBusy,
    ModelError,
    NoConversation,
    NotIndexed,
    PinciteError,
    ServeError,
    StoreUnavailable,
    UsageError,
    WrongModel,
    WrongReader,
)
from pincite.journal import Journal
from pincite.serve.answering import Answerer, Answering
from pincite.serve.chat import Chat
from pincite.serve.documents import Documents
from pincite.serve.guard import BODY_BYTES, BODY_SECONDS, Guard, response_headers
from pincite.serve.health import Health
from pincite.serve.indexing import UPLOADS, Indexing
from pincite.serve.wire import Json

if TYPE_CHECKING:
    from pincite.retrieve.retriever import Retriever
    from pincite.types import ParsedDocument

NOT_BUILT = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Pincite</title></head><body>
<h1>The page was not built</h1>
<p>The server and its interface under <code>/api</code> work, but this installation has no web page:
install Pincite again with <code>pip install .</code>, which builds it.</p>
</body></html>"""


@dataclass(frozen=True, slots=True)
class ServeSettings:
    """What the server tells about itself and where its limits are."""

    model: str
    """Name of the model that answers."""
    notice: str = "Answers are made by a machine from the documents of this library; check the cited page."
    """Shown before the first question."""
    examples: tuple[str, ...] = ()
    """Questions that this library can answer."""
    static: Path = field(default=Path(__file__).parent / "static")
    """The built web page."""
    question_characters: int = 8000
    answers_at_once: int = 200
    body_bytes: int = BODY_BYTES
    body_seconds: float = BODY_SECONDS
    heartbeat_s: float = 15.0
    """Without an event for so long a comment is sent, so that nobody takes the connection for dead."""


def create_app(
    *,
    answerer: Answerer,
    current: Callable[[], Retriever],
    source_file: Callable[[str], Path],
    parsed: Callable[[str], ParsedDocument | None],
    indexing: Indexing,
    journal: Journal,
    settings: ServeSettings,
) -> FastAPI:
    """The ASGI application; it opens the journal when it starts and closes it when it stops.

    Args:
        current: The retriever of the published release; called for each request, from a worker thread.
        source_file: The place of the file with the given SHA-256; raises LibraryError when the library has none.
        parsed: What the parser saw in it; None when that is not kept.
    """
    answering = Answering(answerer, journal, at_once=settings.answers_at_once)
    health = Health(current, journal, settings.static / "index.html")

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncGenerator[None]:
        await journal.open()
        await indexing.sweep()
        yield
        health.stopping = True
        await indexing.close()
        await answering.close()
        await journal.close()

    app = FastAPI(
        title="Pincite",
        version=__version__,
        lifespan=lifespan,
        redirect_slashes=False,
        openapi_url="/api/openapi.json",
        docs_url=None,  # its page loads scripts from another host
        redoc_url=None,
    )
    app.state.answering = answering
    app.state.journal = journal
    app.add_exception_handler(PinciteError, _pincite_error)
    app.add_exception_handler(HTTPException, _http_error)
    app.add_exception_handler(RequestValidationError, _invalid)
    limit = settings.question_characters
    app.include_router(
        Chat(answering, journal, question_characters=limit, heartbeat_s=settings.heartbeat_s).router,
    )
    app.include_router(Documents(current, source_file, parsed, journal, question_characters=limit).router)
    app.include_router(indexing.router)
    app.include_router(health.router)
    app.add_api_route("/api/about", _About(current, settings).about, response_model=None)
    _add_page(app, settings.static)
    app.add_middleware(
        Guard,
        headers=response_headers(wasm=any(settings.static.rglob("*.wasm"))),
        streamed=frozenset({UPLOADS}),
        body_bytes=settings.body_bytes,
        body_seconds=settings.body_seconds,
    )
    return app


class _About:
    def __init__(self, current: Callable[[], Retriever], settings: ServeSettings) -> None:
        self._current, self._settings = current, settings

    async def about(self) -> Json:
        """What is served here; without a release it says so and works all the same."""
        try:
            release = (await asyncio.to_thread(self._current)).release
        except NotIndexed:
            release = None
        return {
            "name": "Pincite",
            "version": __version__,
            "release": None if release is None else release.id,
            "documents": 0 if release is None else len({revision.document for revision in release.revisions}),
            "chunks": 0 if release is None else release.chunks,
            "model": self._settings.model,
            "notice": self._settings.notice,
            "examples": list(self._settings.examples),
            # On the loopback address one user has all roles; nothing else is served yet (`server.check_host`).
            "roles": ["asker", "reviewer", "admin"],
        }


def _add_page(app: FastAPI, static: Path) -> None:
    """Serve the built page under each of its addresses, and its files."""
    index = static / "index.html"

    async def page() -> Response:
        return FileResponse(index) if index.is_file() else HTMLResponse(NOT_BUILT, 503)

    for path in ("/", "/c/{conversation}", "/view/{document:path}/{sha256}", "/library", "/library/{document:path}"):
        app.add_api_route(path, page, include_in_schema=False)
    if (static / "assets").is_dir():
        app.mount("/assets", StaticFiles(directory=static / "assets"))
    for extra in sorted(static.glob("*")):
        if extra.is_file() and extra != index:
            app.add_api_route(f"/{extra.name}", _file(extra), include_in_schema=False)


def _file(path: Path) -> Callable[[], Response]:
    return lambda: FileResponse(path)


_STATUS: tuple[tuple[type[PinciteError], int], ...] = (
    (NoConversation, 404),
    (UsageError, 422),
    (InputError, 422),
    (DocumentWithdrawn, 410),
    (NotIndexed, 503),
    (LibraryBusy, 503),
    (WrongModel, 503),
    (WrongReader, 503),
    (StoreUnavailable, 503),
    (ModelError, 503),
    (ServeError, 503),
    (DiskError, 507),
)


async def _pincite_error(_: Request, error: Exception) -> Response:
    status = next((status for kind, status in _STATUS if isinstance(error, kind)), 500)
    return JSONResponse({"message": str(error)}, status)


async def _http_error(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    usual = {
        400: "The request cannot be read: send JSON.",
        404: "There is nothing at this address.",
        405: "This address does not know that method.",
    }
    plain = error.detail in ("Not Found", "Method Not Allowed", "There was an error parsing the body")
    message = usual.get(error.status_code, error.detail) if plain else error.detail
    return JSONResponse({"message": message}, error.status_code, error.headers)


async def _invalid(_: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    faults: list[str] = []
    for fault in error.errors():
        # The first part says body, query or path; what was sent is never repeated.
        place = ".".join(str(part) for part in fault["loc"][1:] if not isinstance(part, int))
        what = fault["msg"].removeprefix("Value error, ")
        faults.append(f"{place or 'the body'}: {what[:1].lower()}{what[1:]}")
    return JSONResponse({"message": "; ".join(faults) + "."}, 422)
