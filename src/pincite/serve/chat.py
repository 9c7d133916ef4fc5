"""The routes that ask, follow, stop, rate, list and forget; a stream is server-sent events with resumable ids."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Annotated, Literal

from fastapi import APIRouter, Header, HTTPException, Query, Response
from fastapi.responses import JSONResponse, StreamingResponse
from pydantic import AfterValidator, BaseModel, Field, StringConstraints

from pincite.errors import NoConversation
from pincite.journal import Journal, JournalEvent, Position
from pincite.serve.answering import CONVERSATION, Answering, Run, checked, entry_of
from pincite.serve.wire import LAST, Json, answer_json
from pincite.types import Broke

INTERRUPTED = "Pincite was restarted while it was answering: ask again."
NO_ANSWER = "There is no such answer: it may have been deleted with its conversation."

Id = Annotated[str, StringConstraints(pattern=rf"^{CONVERSATION}$")]


def _whole(text: str) -> str:
    """The text, if it can be written down: JSON can carry half of a character, UTF-8 cannot."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise ValueError(f"character {error.start + 1} is half of one, write the whole") from error
    return text


Text = Annotated[str, AfterValidator(_whole)]


class Asked(BaseModel):
    """A question; without a conversation it begins one."""

    question: Text
    conversation: Id | None = None


class Rated(BaseModel):
    thumbs: Literal["up", "down"]
    word: Text = Field(default="", max_length=2000)


class Named(BaseModel):
    title: Annotated[Text, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)]


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
        if run.error is not None:
            raise run.error
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
            entries = (*entries, entry_of(len(entries) + 1, Broke(INTERRUPTED, retry=True)))
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

    async def conversations(
        self, search: str = "", after: str = "", limit: Annotated[int, Query(ge=1, le=200)] = 50
    ) -> Json:
        """Conversations, latest first; ``next`` is what to give as ``after`` for those behind them, null at the end."""
        updated, _, last = after.partition(" ")
        position = Position(updated, last) if last else None
        found = await self._journal.conversations(search, limit=limit + 1, after=position)
        shown = found[:limit]
        return {
            "conversations": [{"id": c.id, "title": c.title, "updated": c.updated, "turns": c.turns} for c in shown],
            "next": f"{shown[-1].updated} {shown[-1].id}" if len(found) > limit else None,
        }

    async def conversation(self, id: str) -> Json:
        """A conversation with its answers in order, and the questions that have none."""
        found = await self._journal.conversation(id)
        if found is None:
            raise NoConversation
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
            raise NoConversation
        return Response(status_code=204)

    async def forget(self, id: str) -> Response:
        """Stop what is running in a conversation and delete its text."""
        await self._answering.stop_conversation(id)
        if not await self._journal.delete(id):
            raise NoConversation
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


def _sse(id: str, entry: JournalEvent) -> bytes:
    # The data is JSON on one line: no text of an answer can end an event or begin another.
    return f"id: {id}:{entry.n}\nevent: {entry.type}\ndata: {entry.json}\n\n".encode()


def _number(id: str, last_event_id: str) -> int:
    """How many events were seen; 0 when the header is not one of this answer's ids, so that nothing is missed."""
    answer, _, n = last_event_id.rpartition(":")
    return int(n) if answer == id and n.isascii() and n.isdigit() and len(n) < 10 else 0
