"""Questions in, events out: an answer runs by itself, and any number of connections follow it.

An answer is a task that no connection owns: when a connection drops the answer goes on, and whoever comes back with the
last event id gets the rest, from memory while it runs and from the journal afterwards. An event is sent once it is
journalled, so that what was seen can always be seen again.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Annotated, Literal, Protocol

from fastapi import APIRouter, Header, HTTPException, Response
from fastapi.responses import JSONResponse, StreamingResponse
from pydantic import AfterValidator, BaseModel, Field, StringConstraints

from pincite.errors import LibraryBusy, ModelError, PinciteError
from pincite.journal import Journal, JournalEvent
from pincite.serve.wire import LAST, Json, answer_json, encoded, event_json
from pincite.types import AnswerEvent, Broke, Finished, Turn

log = logging.getLogger(__name__)

STOPPED = "You stopped this answer: ask again when you want it."
SHUT_DOWN = "Pincite was stopped while it was answering: ask again once it runs."
INTERRUPTED = "Pincite was restarted while it was answering: ask again."
FAILED = "Something went wrong inside Pincite while it was answering: ask again; its log has the details."

NO_ANSWER = "There is no such answer: it may have been deleted with its conversation."
NO_CONVERSATION = "There is no such conversation: it may have been deleted."

Id = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{1,64}$")]


def _whole(text: str) -> str:
    """The text, if it can be written down: JSON can carry half of a character, UTF-8 cannot."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise ValueError(f"character {error.start + 1} is half of one, write the whole") from error
    return text


Text = Annotated[str, AfterValidator(_whole)]


class Answerer(Protocol):
    """What the server asks of ``answer.agent.Answerer``; the tests' scripted one is the other implementation."""

    def ask(
        self, question: str, *, conversation: str, history: Sequence[Turn], id: str
    ) -> AsyncIterator[AnswerEvent]: ...


class Asked(BaseModel):
    """A question; a conversation begins with the first question that names it, or without a name."""

    question: Text
    conversation: Id | None = None


class Rated(BaseModel):
    thumbs: Literal["up", "down"]
    word: Text = Field(default="", max_length=2000)


class Named(BaseModel):
    title: Annotated[Text, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)]


class Run:
    """One answer in the making, as those who follow it see it."""

    def __init__(self, id: str, conversation: str) -> None:
        self.id = id
        self.conversation = conversation
        self.sent: list[JournalEvent] = []
        """Event ``n`` is at ``n - 1``."""
        self.over = False
        self.end: Finished | Broke = Broke(FAILED, retry=True)
        """The last event, once ``over``."""
        self._changed = asyncio.Event()

    def publish(self, events: Sequence[JournalEvent], *, end: Finished | Broke | None) -> None:
        self.sent.extend(events)
        if end is not None:
            self.end, self.over = end, True
        self._changed.set()
        self._changed = asyncio.Event()

    async def follow(self, after: int, heartbeat_s: float) -> AsyncIterator[JournalEvent | None]:
        """Events numbered above ``after`` as they come, to the last; None whenever nothing came for a while."""
        n = after
        while True:
            while n < len(self.sent):
                n += 1
                yield self.sent[n - 1]
            if self.over:
                return
            try:
                await asyncio.wait_for(self._changed.wait(), heartbeat_s)
            except TimeoutError:
                yield None


class Answering:
    """The answers that are running in this process."""

    def __init__(self, answerer: Answerer, journal: Journal, *, at_once: int) -> None:
        self._answerer, self._journal, self._at_once = answerer, journal, at_once
        self._runs: dict[str, Run] = {}
        self._makers: dict[str, asyncio.Task[None]] = {}
        self._recorders: dict[str, asyncio.Task[None]] = {}
        self._why_stopped = STOPPED

    def running(self, id: str) -> Run | None:
        """The answer of that id if it is still in the making."""
        return self._runs.get(id)

    async def begin(self, question: str, conversation: str | None) -> Run:
        """Start to answer; returns as soon as the question is journalled.

        Raises:
            HTTPException: 503 when as many answers are running as may.
        """
        if len(self._runs) >= self._at_once:
            raise HTTPException(503, "Too many questions are being answered just now: ask again in a moment.")
        run = Run(secrets.token_hex(16), conversation or secrets.token_hex(16))
        self._runs[run.id] = run
        try:
            history = await self._journal.history(run.conversation)
            await self._journal.begin(run.id, conversation=run.conversation, question=question)
        except BaseException:
            del self._runs[run.id]
            raise
        queue: asyncio.Queue[AnswerEvent | None] = asyncio.Queue()
        maker = asyncio.create_task(self._make(run, question, history, queue))
        maker.add_done_callback(lambda _: queue.put_nowait(None))
        self._makers[run.id] = maker
        self._recorders[run.id] = asyncio.create_task(self._record(run, queue, maker))
        return run

    async def stop(self, ids: Sequence[str]) -> None:
        """Stop those of the answers that are running, and wait until their last event is journalled."""
        for id in ids:
            if id in self._makers:
                self._makers[id].cancel()
        recorders = [self._recorders[id] for id in ids if id in self._recorders]
        if recorders:
            await asyncio.wait(recorders)

    async def stop_conversation(self, conversation: str) -> None:
        """Stop whatever is being answered in a conversation."""
        await self.stop([run.id for run in self._runs.values() if run.conversation == conversation])

    async def close(self) -> None:
        """Stop every answer; the server is going down."""
        self._why_stopped = SHUT_DOWN
        await self.stop(list(self._makers))

    async def _make(
        self, run: Run, question: str, history: Sequence[Turn], queue: asyncio.Queue[AnswerEvent | None]
    ) -> None:
        events = self._answerer.ask(question, conversation=run.conversation, history=history, id=run.id)
        try:
            async for event in events:
                queue.put_nowait(event)
                if isinstance(event, Finished | Broke):
                    return
        finally:
            close: Callable[[], Awaitable[None]] | None = getattr(events, "aclose", None)
            if close is not None:
                await close()

    async def _record(self, run: Run, queue: asyncio.Queue[AnswerEvent | None], maker: asyncio.Task[None]) -> None:
        try:
            while not run.over:
                batch = [await queue.get()]
                while not queue.empty():
                    batch.append(queue.get_nowait())
                events = [event for event in batch if event is not None]
                if None in batch and not any(isinstance(event, Finished | Broke) for event in events):
                    events.append(self._end_of(run, maker))
                await self._send(run, events)
        except Exception:
            log.exception("answer %s could not be sent", run.id)
            run.publish([_entry(len(run.sent) + 1, run.end)], end=run.end)
        finally:
            for kept in (self._runs, self._makers, self._recorders):
                kept.pop(run.id, None)

    async def _send(self, run: Run, events: Sequence[AnswerEvent]) -> None:
        """Journal, then publish, what was made; whatever follows a last event is not sent."""
        end = next((event for event in events if isinstance(event, Finished | Broke)), None)
        if end is not None:
            events = events[: events.index(end) + 1]
        entries = [_entry(n, event) for n, event in enumerate(events, len(run.sent) + 1)]
        try:
            await self._journal.record(run.id, entries, end.answer if isinstance(end, Finished) else None)
        except PinciteError:
            # A full disk stops the journal, not the answer that somebody is waiting for.
            log.exception("events of answer %s are not in the journal", run.id)
        run.publish(entries, end=end)

    def _end_of(self, run: Run, maker: asyncio.Task[None]) -> Broke:
        """Why the answer ended without a last event of its own; never a stack trace."""
        if maker.cancelled():
            return Broke(self._why_stopped, retry=True)
        error = maker.exception()
        if isinstance(error, PinciteError):
            return Broke(str(error), retry=isinstance(error, ModelError | LibraryBusy))
        log.error("answer %s broke", run.id, exc_info=error)
        return Broke(FAILED, retry=True)


class Chat:
    """The routes under ``/api`` that ask, follow, stop, rate, list and forget."""

    def __init__(self, answering: Answering, journal: Journal, *, question_characters: int, heartbeat_s: float) -> None:
        self._answering, self._journal = answering, journal
        self._question_characters, self._heartbeat_s = question_characters, heartbeat_s
        self.router = APIRouter()
        for path, endpoint, method in (
            ("/api/chat", self.chat, "POST"),
            ("/api/ask", self.ask, "POST"),
            ("/api/answers/{id}", self.answer, "GET"),
            ("/api/answers/{id}/events", self.events, "GET"),
            ("/api/answers/{id}/stop", self.stop, "POST"),
            ("/api/answers/{id}/feedback", self.feedback, "POST"),
            ("/api/conversations", self.conversations, "GET"),
            ("/api/conversations/{id}", self.conversation, "GET"),
            ("/api/conversations/{id}", self.rename, "PATCH"),
            ("/api/conversations/{id}", self.forget, "DELETE"),
        ):
            self.router.add_api_route(path, endpoint, methods=[method], response_model=None)

    async def chat(self, asked: Asked) -> Response:
        """The events of a new answer."""
        run = await self._answering.begin(checked(asked.question, self._question_characters), asked.conversation)
        return self._stream(run, 0)

    async def ask(self, asked: Asked) -> Response:
        """The whole answer at once."""
        run = await self._answering.begin(checked(asked.question, self._question_characters), asked.conversation)
        async for _ in run.follow(0, self._heartbeat_s):
            pass
        if isinstance(run.end, Broke):
            raise HTTPException(503 if run.end.retry else 500, run.end.message)
        return JSONResponse(answer_json(run.end.answer))

    async def answer(self, id: str) -> Response:
        """An answer as it was given."""
        found = await self._journal.answer(id)
        if found is None:
            await self._must_know(id)
            raise HTTPException(
                409, "This question has no answer: it is still being answered, was stopped or broke off."
            )
        return JSONResponse(answer_json(found))

    async def events(self, id: str, last_event_id: Annotated[str, Header()] = "") -> Response:
        """The events of an answer after the last one that was seen; 204 when all were."""
        after = _number(id, last_event_id)
        run = self._answering.running(id)
        if run is not None:
            return self._stream(run, after)
        await self._must_know(id)
        entries = await self._journal.events(id)
        if not entries or entries[-1].type not in LAST:
            entries = (*entries, _entry(len(entries) + 1, Broke(INTERRUPTED, retry=True)))
        # An EventSource that is told 204 does not come back; one that is told nothing asks for ever.
        missed = b"".join(_sse(id, entry) for entry in entries[after:])
        return Response(missed, media_type="text/event-stream") if missed else Response(status_code=204)

    async def stop(self, id: str) -> Response:
        """Stop an answer; one that has ended stays as it is."""
        if self._answering.running(id) is None:
            await self._must_know(id)
        await self._answering.stop([id])
        return Response(status_code=204)

    async def feedback(self, id: str, rated: Rated) -> Response:
        """Write down what the reader thinks of an answer."""
        if not await self._journal.give_feedback(id, rated.thumbs, rated.word):
            raise HTTPException(404, NO_ANSWER)
        return Response(status_code=204)

    async def conversations(self, search: str = "") -> Json:
        """Conversations, latest first."""
        found = await self._journal.conversations(search)
        return {
            "conversations": [{"id": c.id, "title": c.title, "updated": c.updated, "turns": c.turns} for c in found]
        }

    async def conversation(self, id: str) -> Json:
        """A conversation with its answers in order, and the questions that have none."""
        found = await self._journal.conversation(id)
        if found is None:
            raise HTTPException(404, NO_CONVERSATION)
        return {
            "id": found.id,
            "title": found.title,
            "answers": [answer_json(answer) for answer in found.answers],
            "unfinished": [
                {
                    "id": unfinished.id,
                    "question": unfinished.question,
                    "asked_at": unfinished.asked_at,
                    "running": self._answering.running(unfinished.id) is not None,
                }
                for unfinished in found.unfinished
            ],
        }

    async def rename(self, id: str, named: Named) -> Response:
        """Give a conversation another title."""
        if not await self._journal.rename(id, named.title):
            raise HTTPException(404, NO_CONVERSATION)
        return Response(status_code=204)

    async def forget(self, id: str) -> Response:
        """Stop what is running in a conversation and delete its text."""
        await self._answering.stop_conversation(id)
        if not await self._journal.delete(id):
            raise HTTPException(404, NO_CONVERSATION)
        return Response(status_code=204)

    def _stream(self, run: Run, after: int) -> StreamingResponse:
        async def events() -> AsyncIterator[bytes]:
            async for entry in run.follow(after, self._heartbeat_s):
                # A comment keeps proxies from closing a connection on which nothing happens.
                yield b": still answering\n\n" if entry is None else _sse(run.id, entry)

        headers = {"X-Accel-Buffering": "no", "Pincite-Answer": run.id, "Pincite-Conversation": run.conversation}
        return StreamingResponse(events(), media_type="text/event-stream", headers=headers)

    async def _must_know(self, id: str) -> None:
        if not await self._journal.knows(id):
            raise HTTPException(404, NO_ANSWER)


def checked(question: str, limit: int) -> str:
    """The question without white space around it.

    Raises:
        HTTPException: 422 when it is empty or has more than ``limit`` characters.
    """
    question = question.strip()
    if not question:
        raise HTTPException(422, "question: it is empty, write what you want to know.")
    if len(question) > limit:
        raise HTTPException(
            422, f"question: it has {len(question):,} characters and may have {limit:,}: shorten it, or ask in parts."
        )
    return question


def _entry(n: int, event: AnswerEvent) -> JournalEvent:
    type, data = event_json(event)
    return JournalEvent(n, type, encoded(data))


def _sse(id: str, entry: JournalEvent) -> bytes:
    # The data is JSON on one line: no text of an answer can end an event or begin another.
    return f"id: {id}:{entry.n}\nevent: {entry.type}\ndata: {entry.json}\n\n".encode()


def _number(id: str, last_event_id: str) -> int:
    """How many events were seen; 0 when the header is not one of this answer's ids, so that nothing is missed."""
    answer, _, n = last_event_id.rpartition(":")
    return int(n) if answer == id and n.isascii() and n.isdigit() and len(n) < 10 else 0
