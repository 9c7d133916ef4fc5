"""Uploads, and the one index run that a server may have under way: in another process, while questions are answered.

Uploaded files lie in the library until their run has ended. A run that dies loses nothing: it publishes at its end or
not at all (`index.run`), and whoever asks is told its last sentence.
"""

from __future__ import annotations

import asyncio
import json
import logging
import re
import secrets
import shutil
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Final

from fastapi import APIRouter, HTTPException, Query, Request
from pydantic import BaseModel, Field, StringConstraints
from starlette.requests import ClientDisconnect

from pincite.corpus.library import disk
from pincite.serve.wire import Json

log = logging.getLogger(__name__)

UPLOADS: Final = "/api/uploads"
UPLOAD_BYTES: Final = 512 * 1024 * 1024
SILENCE_SECONDS: Final = 60.0
"""An upload may take long, but not stand still."""

FOLDER: Final = "uploaded"
"""What the folder of uploaded files is called; tells two documents apart that are named alike (`corpus.vetting`)."""

_FAULT = "The index run ended without a word: its server's log has the details. Nothing was published."
_ID = re.compile(r"[0-9a-f]{32}")

_NAME = re.compile(r"[^./\\:\x00-\x1f\x7f][^/\\:\x00-\x1f\x7f]*\.pdf", re.IGNORECASE)

Command = Callable[[Sequence[Path]], Sequence[str]]


class Wanted(BaseModel):
    """Uploads to index, by their ids."""

    uploads: Annotated[
        list[Annotated[str, StringConstraints(pattern=rf"^{_ID.pattern}$")]], Field(min_length=1, max_length=1000)
    ]


@dataclass(slots=True)
class Run:
    """One index run as those who watch it see it."""

    files: tuple[str, ...]
    running: bool = True
    stage: str = ""
    done: int = 0
    of: int = 0
    error: str = ""
    result: Json | None = None
    """What ``pincite index --json`` prints; None while it runs and when it failed."""


@dataclass(slots=True)
class Indexing:
    """The routes that take files and index them.

    All need the admin role, which the one user on the loopback address has; a server on another address is refused
    until roles are checked (`server.check_host`).
    """

    command: Command
    """The program and arguments that index files and print JSON Lines ``{event, data}``."""
    folder: Path
    """Where uploads lie until they are indexed; emptied when the server starts."""
    upload_bytes: int = UPLOAD_BYTES
    silence_s: float = SILENCE_SECONDS
    router: APIRouter = field(default_factory=APIRouter)
    _run: Run | None = None
    _task: asyncio.Task[None] | None = None

    def __post_init__(self) -> None:
        self.router.add_api_route(UPLOADS, self.upload, methods=["POST"], response_model=None)
        self.router.add_api_route("/api/index", self.begin, methods=["POST"], response_model=None, status_code=202)
        self.router.add_api_route("/api/index", self.state, response_model=None)

    async def upload(self, request: Request, name: Annotated[str, Query(min_length=1, max_length=200)]) -> Json:
        """Keep the PDF in the body until it is indexed."""
        if not _is_name(name):
            raise HTTPException(422, "name: give the file's own name, which ends with .pdf, without folders.")
        id = secrets.token_hex(16)
        place = self.folder / id / FOLDER
        try:
            with disk(place):
                place.mkdir(parents=True)
                size = await self._keep(request, place / name)
        except ClientDisconnect:
            shutil.rmtree(self.folder / id, ignore_errors=True)
            raise HTTPException(400, "The upload broke off: send it again.") from None
        except BaseException:
            shutil.rmtree(self.folder / id, ignore_errors=True)
            raise
        return {"id": id, "name": name, "bytes": size}

    async def _keep(self, request: Request, path: Path) -> int:
        size, first = 0, True
        with path.open("xb") as file:
            async for piece in _steadily(request.stream(), self.silence_s):
                size += len(piece)
                if size > self.upload_bytes:
                    raise HTTPException(413, f"A file may have {self.upload_bytes // 2**20} MB: use `pincite index`.")
                if first and piece and b"%PDF-" not in piece[:1024]:
                    raise HTTPException(422, f"{path.name} is not a PDF: it does not begin like one.")
                first = first and not piece
                file.write(piece)
        if first:
            raise HTTPException(422, f"{path.name} is empty.")
        return size

    async def begin(self, wanted: Wanted) -> Json:
        """Index uploads in another process; one run at a time."""
        if self._run is not None and self._run.running:
            raise HTTPException(409, "An index run is under way: wait for its end, then start the next.")
        files = [path for id in wanted.uploads for path in sorted((self.folder / id / FOLDER).glob("*"))]
        if len(files) < len(set(wanted.uploads)):
            raise HTTPException(422, "uploads: one of them is not there any more, send the file again.")
        self._run = Run(tuple(path.name for path in files))
        self._task = asyncio.create_task(self._index(self._run, files, wanted.uploads))
        return await self.state()

    async def state(self) -> Json:
        """The run that is under way or the last one since the server started; ``run`` is null without any."""
        run = self._run
        if run is None:
            return {"run": None}
        shown = ("running", "stage", "done", "of", "error", "result")
        return {"run": {"files": list(run.files), **{name: getattr(run, name) for name in shown}}}

    async def sweep(self) -> None:
        """Remove what a server that was killed left behind."""
        await asyncio.to_thread(shutil.rmtree, self.folder, ignore_errors=True)

    async def close(self) -> None:
        """End the run; what it has read is kept and the next one goes on from there."""
        if self._task is not None and not self._task.done():
            self._task.cancel()
            await asyncio.wait([self._task])

    async def _index(self, run: Run, files: Sequence[Path], ids: Sequence[str]) -> None:
        last = b""
        try:
            process = await asyncio.create_subprocess_exec(
                *self.command(files), stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE, limit=2**28
            )
            try:
                assert process.stdout is not None and process.stderr is not None
                words = asyncio.create_task(process.stderr.read())
                async for line in process.stdout:
                    _follow(run, json.loads(line))
                last = await words
                await process.wait()
            finally:
                if process.returncode is None:
                    process.terminate()
                    await process.wait()
        except OSError as error:
            run.error = f"the index run cannot be started: {error.strerror}"
        except Exception:
            log.exception("the index run broke")
        finally:
            for id in ids:
                shutil.rmtree(self.folder / id, ignore_errors=True)
            if run.result is None and not run.error:
                said = [line for line in last.decode(errors="replace").splitlines() if line.startswith("pincite: ")]
                run.error = said[-1].removeprefix("pincite: ") if said else _FAULT
            run.running = False


def _follow(run: Run, line: dict[str, Any]) -> None:
    data = line["data"]
    match line["event"]:
        case "stage":
            run.stage, run.done, run.of = data["stage"], 0, data["of"]
        case "progress":
            run.done += data["done"]
        case "result":
            run.result = data
        case _:
            pass


def _is_name(name: str) -> bool:
    r"""Whether a file may be kept under the name that a browser gives it: its own, never a path.

    >>> [_is_name(name) for name in ("- CRN [rev 3] (NL).pdf", "Entgelte für 2026.PDF", "../a.pdf", ".a.pdf", "a.txt")]
    [True, True, False, False, False]
    >>> [_is_name(name) for name in ("a\\b.pdf", "C:a.pdf", "a\n.pdf", "x" * 300 + ".pdf")]
    [False, False, False, False]
    """
    with suppress(UnicodeEncodeError):
        fits = len(name.encode()) <= 240
        return (
            fits and re.fullmatch(r"[^./\\:\x00-\x1f\x7f][^/\\:\x00-\x1f\x7f]*\.pdf", name, re.IGNORECASE) is not None
        )
    return False


async def _steadily(pieces: AsyncIterator[bytes], silence_s: float) -> AsyncIterator[bytes]:
    while True:
        try:
            piece = await asyncio.wait_for(anext(pieces), silence_s)
        except StopAsyncIteration:
            return
        except TimeoutError:
            raise HTTPException(408, "The upload stood still for too long: send it again.") from None
        yield piece
