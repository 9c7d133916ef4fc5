"""Answers in the making: each runs by itself, and any number of readers follow it.

An answer is a task that no connection owns: when a connection drops the answer goes on, and whoever comes back gets the
rest, from memory while it runs and from the journal afterwards. An event is published once it is journalled, so that
what was seen can always be seen again. Free of any web framework: the command line answers with it when nothing serves.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Protocol

from pincite.errors import (
    DiskError,
    LibraryBusy,
    ModelError,
    NoConversation,
    PinciteError,
    ServeError,
    StoreUnavailable,
    UsageError,
)
from pincite.journal import Journal, JournalEvent
from pincite.serve.wire import encoded, event_json
from pincite.types import AnswerEvent, Broke, Finished, Turn

log = logging.getLogger(__name__)

CONVERSATION = r"[A-Za-z0-9_-]{1,64}"
"""What an id of a conversation looks like, whoever made it."""

STOPPED = "You stopped this answer: ask again when you want it."
SHUT_DOWN = "Pincite was stopped while it was answering: ask again once it runs."
FAILED = "Something went wrong inside Pincite while it was answering: ask again; its log has the details."


class Answerer(Protocol):
    """What the server asks of ``answer.agent.Answerer``; the tests' scripted one is the other implementation."""

    def ask(
        self, question: str, *, conversation: str, history: Sequence[Turn], id: str
    ) -> AsyncIterator[AnswerEvent]: ...


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
        self.error: PinciteError | None = None
        """What broke it, when that is something the asker can act on."""
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
        """Start to answer, in a new conversation or a known one; returns as soon as the question is journalled, where
        the disk lets it be.

        Raises:
            ServeError: If as many answers are running as may.
            NoConversation: If there is none of that id. To begin one under the id would look like going on with it.
        """
        if len(self._runs) >= self._at_once:
            raise ServeError("too many questions are being answered just now: ask again in a moment")
        run = Run(secrets.token_hex(16), conversation or secrets.token_hex(16))
        self._runs[run.id] = run
        history: Sequence[Turn] = ()
        try:
            if conversation is not None and not await self._journal.has_conversation(conversation):
                raise NoConversation
            history = await self._journal.history(run.conversation)
            await self._journal.begin(run.id, conversation=run.conversation, question=question)
        except DiskError as error:
            # A full disk stops the journal, not the answer that somebody is waiting for.
            log.error("answer %s will not be in the journal: %s", run.id, error)
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
            run.publish([entry_of(len(run.sent) + 1, run.end)], end=run.end)
        finally:
            for kept in (self._runs, self._makers, self._recorders):
                kept.pop(run.id, None)

    async def _send(self, run: Run, events: Sequence[AnswerEvent]) -> None:
        """Journal, then publish, what was made; whatever follows a last event is not sent."""
        end = next((event for event in events if isinstance(event, Finished | Broke)), None)
        if end is not None:
            events = events[: events.index(end) + 1]
        entries = [entry_of(n, event) for n, event in enumerate(events, len(run.sent) + 1)]
        try:
            await self._journal.record(run.id, entries, end.answer if isinstance(end, Finished) else None)
        except PinciteError as error:
            log.error("events of answer %s are not in the journal: %s", run.id, error)
        run.publish(entries, end=end)

    def _end_of(self, run: Run, maker: asyncio.Task[None]) -> Broke:
        """Why the answer ended without a last event of its own; never a stack trace."""
        if maker.cancelled():
            return Broke(self._why_stopped, retry=True)
        error = maker.exception()
        if isinstance(error, PinciteError):
            run.error = error
            return Broke(str(error), retry=isinstance(error, ModelError | LibraryBusy | StoreUnavailable))
        log.error("answer %s broke", run.id, exc_info=error)
        return Broke(FAILED, retry=True)


def checked(question: str, limit: int) -> str:
    """The question without white space around it.

    Raises:
        UsageError: If it is empty or has more than ``limit`` characters.
    """
    question = question.strip()
    if not question:
        raise UsageError("question: it is empty, write what you want to know")
    if len(question) > limit:
        raise UsageError(
            f"question: it has {len(question):,} characters and may have {limit:,}: shorten it, or ask in parts"
        )
    return question


def entry_of(n: int, event: AnswerEvent) -> JournalEvent:
    """The event as it is journalled and sent."""
    type, data = event_json(event)
    return JournalEvent(n, type, encoded(data))
