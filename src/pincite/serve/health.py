"""Whether this process lives and whether it can answer, for a supervisor; each says why not."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from fastapi import APIRouter
from fastapi.responses import JSONResponse

from pincite.errors import PinciteError
from pincite.journal import Journal

if TYPE_CHECKING:
    from pincite.retrieve.retriever import Retriever

STOPPING = "Pincite is stopping."
NO_PAGE = "The web page was not built: install Pincite again with `pip install .`, which builds it."


class Health:
    """The routes ``/healthz`` (would a restart help?) and ``/readyz`` (can it answer?)."""

    def __init__(self, current: Callable[[], Retriever], journal: Journal, index: Path) -> None:
        """``index``: the built page, which must be there."""
        self._current, self._journal, self._index = current, journal, index
        self.stopping = False
        self.router = APIRouter()
        self.router.add_api_route("/healthz", self.healthz, response_model=None)
        self.router.add_api_route("/readyz", self.readyz, response_model=None)

    async def healthz(self) -> JSONResponse:
        """Whether the process lives; one that lives but cannot answer is not helped by a restart."""
        return _said([STOPPING] if self.stopping else [])

    async def readyz(self) -> JSONResponse:
        """Whether questions can be answered: a release is open, the journal can be read, the page is there."""
        why = [STOPPING] if self.stopping else []
        try:
            await asyncio.to_thread(self._current)
        except PinciteError as error:
            why.append(str(error))
        try:
            await self._journal.knows("")
        except PinciteError as error:
            why.append(str(error))
        if not self._index.is_file():
            why.append(NO_PAGE)
        return _said(why)


def _said(why: list[str]) -> JSONResponse:
    return JSONResponse({"ok": not why, "why": why}, 503 if why else 200)
