"""Every question, event, answer and verdict, so that answers can be read, resumed and followed up after a restart.

SQLite in WAL mode by default; any SQLAlchemy URL with an async driver otherwise. What is written:

conversations   one row each; deleting one deletes all that hangs on it
answers         one row for each question, from the moment it is asked; ``json`` is the whole Answer once there is one
events          what was streamed, numbered from 1, so that a broken connection resumes
steps, withheld what the loop did and what the gate held back and why, as rows, for counting
cited           the revisions that answers cite, so that they open long after a newer one took their place
usage           tokens and cost of each language model that an answer took
feedback        the last word of the reader on an answer
"""

from __future__ import annotations

import asyncio
import json
import logging
import sqlite3
import tempfile
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, Self, TypeAlias, TypeVar, cast

from pydantic import TypeAdapter
from sqlalchemy import and_, delete, event, func, insert, make_url, or_, select, update
from sqlalchemy.engine import Connection
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import DatabaseError, OperationalError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from pincite.errors import DiskError, LibraryDamaged
from pincite.migrations.tables import (
    AnswerRow,
    CitedRow,
    ConversationRow,
    EventRow,
    FeedbackRow,
    StepRow,
    UsageRow,
    WithheldRow,
)
from pincite.types import Answer, Turn

log = logging.getLogger(__name__)

Thumbs: TypeAlias = Literal["up", "down"]
T = TypeVar("T")

BUSY_TIMEOUT_S = 30
"""How long a writer waits for another process; within a process writers queue before SQLite sees them."""

TITLE_LENGTH = 80
"""Characters of the first question that name a conversation until someone renames it."""

_ANSWER = TypeAdapter(Answer)


@dataclass(frozen=True, slots=True)
class JournalEvent:
    """One event as it was streamed."""

    n: int
    """From 1, without gaps."""
    type: str
    json: str


@dataclass(frozen=True, slots=True)
class Feedback:
    thumbs: Thumbs
    word: str
    at: str
    """ISO 8601, UTC."""


@dataclass(frozen=True, slots=True)
class ConversationSummary:
    id: str
    title: str
    updated: str
    """ISO 8601, UTC."""
    turns: int
    """Questions asked, answered or not."""


@dataclass(frozen=True, slots=True)
class Position:
    """Where a conversation stands in the list, whatever is added or taken away meanwhile."""

    updated: str
    id: str


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A question without an answer: still running, stopped, or broken off."""

    id: str
    question: str
    asked_at: str


@dataclass(frozen=True, slots=True)
class Conversation:
    """Answers and unfinished questions, each in the order they were asked."""

    id: str
    title: str
    answers: tuple[Answer, ...]
    unfinished: tuple[Unfinished, ...]


class Journal:
    """The journal behind ``url``: a path of an SQLite file, or an SQLAlchemy URL with an async driver.

    Nothing is touched before ``open``; a journal belongs to the event loop that opened it. Everything raises DiskError
    when the disk is full or read-only, and LibraryDamaged when the file is no database.
    """

    def __init__(self, url: Path | str, *, spare: bool = False) -> None:
        """
        Args:
            spare: whether a journal that may not be written gives way to one in a temporary file, so that questions are
                still answered; the log says so.
        """
        self._spare = spare
        self._temporary: tempfile.TemporaryDirectory[str] | None = None
        self._url = f"sqlite+aiosqlite:///{url}" if isinstance(url, Path) else url
        self._engine: AsyncEngine | None = None
        self._one_writer = asyncio.Lock()
        self._writing: set[asyncio.Future[Any]] = set()

    async def open(self) -> None:
        """Make or upgrade the tables and connect; a journal that is open stays so.

        Raises:
            LibraryError: If a newer Pincite wrote the journal.
        """
        if self._engine is not None:
            return
        try:
            await self._upgrade()
        except DiskError as error:
            if not self._spare:
                raise
            log.warning("%s Until then questions and answers are forgotten when this process ends.", error)
            self._temporary = tempfile.TemporaryDirectory(prefix="pincite-journal-")
            self._url = f"sqlite+aiosqlite:///{Path(self._temporary.name) / 'journal.db'}"
            await self._upgrade()
        self._engine = self._connect()

    async def _upgrade(self) -> None:
        # Imported here because alembic takes a quarter of a second and only whoever opens a journal needs it.
        from pincite.migrations.upgrade import upgrade_all

        with self._errors_for_people():
            await upgrade_all(self._connect().execution_options(**_WRITES), self._place)

    async def close(self) -> None:
        """Finish what is being written and let go of the file."""
        if self._engine is None:
            return
        if self._writing:
            await asyncio.wait(self._writing)
        await self._engine.dispose()
        self._engine = None
        if self._temporary is not None:
            self._temporary.cleanup()

    async def __aenter__(self) -> Self:
        await self.open()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    # ------------------------------------------------------------ writing

    async def begin(self, answer: str, *, conversation: str, question: str) -> None:
        """Write down that a question was asked; a conversation begins with its first question."""
        now = _now()

        async def work(connection: AsyncConnection) -> None:
            known = await connection.scalar(select(ConversationRow.id).where(ConversationRow.id == conversation))
            if known is None:
                row = {"id": conversation, "title": _title(question), "created": now, "updated": now}
                await connection.execute(insert(ConversationRow).values(row))
            else:
                await connection.execute(
                    update(ConversationRow).where(ConversationRow.id == conversation).values(updated=now)
                )
            await connection.execute(
                insert(AnswerRow).values(
                    id=answer,
                    conversation=conversation,
                    asked_at=now,
                    question=question,
                    standalone_question="",
                    markdown="",
                    model="",
                    release="",
                )
            )

        await self._write(work)

    async def record(self, id: str, events: Sequence[JournalEvent], answer: Answer | None = None) -> bool:
        """Write events, and the answer that they end with, in one transaction.

        Returns False, and writes nothing, when the conversation was deleted in the meantime: an answer that was still
        running must not bring its text back.
        """

        async def work(connection: AsyncConnection) -> bool:
            if await connection.scalar(select(AnswerRow.id).where(AnswerRow.id == id)) is None:
                return False
            if events:
                rows = [{"answer": id, "n": e.n, "type": e.type, "json": e.json} for e in events]
                await connection.execute(insert(EventRow), rows)
            if answer is not None:
                await _write_answer(connection, id, answer)
            return True

        return await self._write(work)

    async def rename(self, conversation: str, title: str) -> bool:
        """Whether there was such a conversation to rename."""

        async def work(connection: AsyncConnection) -> bool:
            wanted = update(ConversationRow).where(ConversationRow.id == conversation).values(title=title)
            return (await connection.execute(wanted)).rowcount > 0

        return await self._write(work)

    async def delete(self, conversation: str) -> bool:
        """Whether there was such a conversation; its questions, answers and events are gone, also from the file.

        SQLite overwrites deleted text (``secure_delete``) and the write-ahead log is emptied; while another process
        is reading the log keeps its copy until the last one closes the journal.
        """

        async def work(connection: AsyncConnection) -> bool:
            wanted = delete(ConversationRow).where(ConversationRow.id == conversation)
            return (await connection.execute(wanted)).rowcount > 0

        found = await self._write(work)
        if found and self._is_sqlite:
            async with self._read() as connection:
                await connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
        return found

    async def give_feedback(self, answer: str, thumbs: Thumbs, word: str = "") -> bool:
        """Whether there is such an answer; new feedback replaces the old."""

        async def work(connection: AsyncConnection) -> bool:
            if await connection.scalar(select(AnswerRow.id).where(AnswerRow.id == answer)) is None:
                return False
            await connection.execute(delete(FeedbackRow).where(FeedbackRow.answer == answer))
            row = {"answer": answer, "thumbs": thumbs, "word": word, "at": _now()}
            await connection.execute(insert(FeedbackRow).values(row))
            return True

        return await self._write(work)

    # ------------------------------------------------------------ reading

    async def history(self, conversation: str, limit: int = 20) -> tuple[Turn, ...]:
        """The last turns that were answered, oldest first; ``limit`` counts messages, and a turn is two of them."""
        last = (
            select(AnswerRow.question, AnswerRow.markdown)
            .where(AnswerRow.conversation == conversation, AnswerRow.outcome.is_not(None))
            .order_by(AnswerRow.asked_at.desc(), AnswerRow.id.desc())
            .limit(limit // 2)
        )
        async with self._read() as connection:
            rows = (await connection.execute(last)).all()
        return tuple(Turn(question=row.question, markdown=row.markdown) for row in reversed(rows))

    async def conversations(
        self, search: str = "", *, limit: int = 200, after: Position | None = None
    ) -> tuple[ConversationSummary, ...]:
        """Conversations, latest first, whose title, questions or answers contain ``search``; those behind ``after``."""
        turns = select(func.count()).where(AnswerRow.conversation == ConversationRow.id).scalar_subquery()
        found = select(ConversationRow.id, ConversationRow.title, ConversationRow.updated, turns.label("turns"))
        if search.strip():
            text = search.strip()
            said = select(AnswerRow.id).where(
                AnswerRow.conversation == ConversationRow.id,
                or_(
                    AnswerRow.question.icontains(text, autoescape=True),
                    AnswerRow.markdown.icontains(text, autoescape=True),
                ),
            )
            found = found.where(or_(ConversationRow.title.icontains(text, autoescape=True), said.exists()))
        if after is not None:
            same_time = and_(ConversationRow.updated == after.updated, ConversationRow.id > after.id)
            found = found.where(or_(ConversationRow.updated < after.updated, same_time))
        found = found.order_by(ConversationRow.updated.desc(), ConversationRow.id).limit(limit)
        async with self._read() as connection:
            rows = (await connection.execute(found)).all()
        return tuple(ConversationSummary(id=r.id, title=r.title, updated=r.updated, turns=r.turns) for r in rows)

    async def conversation(self, id: str) -> Conversation | None:
        """The conversation, or None when there is none of that id."""
        asked = (
            select(AnswerRow.id, AnswerRow.question, AnswerRow.asked_at, AnswerRow.json)
            .where(AnswerRow.conversation == id)
            .order_by(AnswerRow.asked_at, AnswerRow.id)
        )
        async with self._read() as connection:
            title = await connection.scalar(select(ConversationRow.title).where(ConversationRow.id == id))
            if title is None:
                return None
            rows = (await connection.execute(asked)).all()
        return Conversation(
            id=id,
            title=title,
            answers=tuple(_ANSWER.validate_json(row.json) for row in rows if row.json is not None),
            unfinished=tuple(Unfinished(r.id, r.question, r.asked_at) for r in rows if r.json is None),
        )

    async def has_conversation(self, id: str) -> bool:
        """Whether there is a conversation of that id."""
        async with self._read() as connection:
            return await connection.scalar(select(ConversationRow.id).where(ConversationRow.id == id)) is not None

    async def knows(self, answer: str) -> bool:
        """Whether a question of that id was asked, answered or not."""
        async with self._read() as connection:
            return await connection.scalar(select(AnswerRow.id).where(AnswerRow.id == answer)) is not None

    async def answer(self, id: str) -> Answer | None:
        """The answer as it was given, or None when there is none (yet)."""
        async with self._read() as connection:
            found = await connection.scalar(select(AnswerRow.json).where(AnswerRow.id == id))
        return None if found is None else _ANSWER.validate_json(found)

    async def events(self, answer: str, after: int = 0) -> tuple[JournalEvent, ...]:
        """Events of an answer with a number above ``after``, in order; empty when there are none."""
        wanted = (
            select(EventRow.n, EventRow.type, EventRow.json)
            .where(EventRow.answer == answer, EventRow.n > after)
            .order_by(EventRow.n)
        )
        async with self._read() as connection:
            rows = (await connection.execute(wanted)).all()
        return tuple(JournalEvent(n=row.n, type=row.type, json=row.json) for row in rows)

    async def cited_source(self, document: str, sha256: str) -> str | None:
        """The file name of a revision that some answer cites; None when no answer does."""
        wanted = select(CitedRow.source).where(CitedRow.document == document, CitedRow.sha256 == sha256).limit(1)
        async with self._read() as connection:
            return await connection.scalar(wanted)

    async def feedback(self, answer: str) -> Feedback | None:
        """What the reader last said of an answer; None when nothing."""
        wanted = select(FeedbackRow.thumbs, FeedbackRow.word, FeedbackRow.at).where(FeedbackRow.answer == answer)
        async with self._read() as connection:
            row = (await connection.execute(wanted)).one_or_none()
        return None if row is None else Feedback(thumbs=cast(Thumbs, row.thumbs), word=row.word, at=row.at)

    # ------------------------------------------------------------ connections

    @property
    def _is_sqlite(self) -> bool:
        return make_url(self._url).get_backend_name() == "sqlite"

    @property
    def _place(self) -> str:
        url = make_url(self._url)
        return url.database or "" if self._is_sqlite else url.render_as_string(hide_password=True)

    def _connect(self) -> AsyncEngine:
        # Without parameters in its errors: they hold what people asked, and errors go to the log.
        engine = create_async_engine(self._url, hide_parameters=True)
        if self._is_sqlite:
            event.listen(engine.sync_engine, "connect", _prepare_sqlite)
            event.listen(engine.sync_engine, "begin", _begin_sqlite)
        return engine

    @asynccontextmanager
    async def _read(self) -> AsyncGenerator[AsyncConnection]:
        with self._errors_for_people():
            async with self._opened().connect() as connection:
                yield connection

    async def _write(self, work: Callable[[AsyncConnection], Awaitable[T]]) -> T:
        """What ``work`` returns, once it is committed; a caller that is cancelled does not tear the transaction."""

        async def transaction() -> T:
            with self._errors_for_people():
                engine = self._opened().execution_options(**_WRITES)
                async with self._one_writer, engine.begin() as connection:
                    return await work(connection)

        task = asyncio.ensure_future(transaction())
        self._writing.add(task)
        task.add_done_callback(self._writing.discard)
        return await asyncio.shield(task)

    def _opened(self) -> AsyncEngine:
        if self._engine is None:
            raise RuntimeError("the journal is not open")
        return self._engine

    @contextmanager
    def _errors_for_people(self) -> Generator[None]:
        try:
            yield
        except (OperationalError, sqlite3.OperationalError) as error:
            raise DiskError(
                f"The journal {self._place} cannot be used ({_said(error)}): check that its disk has room and that you "
                "may write there.",
                path=self._place,
            ) from error
        except (DatabaseError, sqlite3.DatabaseError) as error:
            # Subclasses are faults of this program; only the bare class says that the bytes are no database.
            if type(error) not in (DatabaseError, sqlite3.DatabaseError):
                raise
            raise LibraryDamaged(
                f"The journal {self._place} is damaged ({_said(error)}): move it away to begin a new one."
            ) from error


_WRITES = {"pincite_writes": True}


def _prepare_sqlite(connection: DBAPIConnection, _: object) -> None:
    # Transactions are begun by `_begin_sqlite`, not guessed by the driver from the first word of a statement.
    connection.isolation_level = None
    cursor = connection.cursor()
    try:
        cursor.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT_S * 1000}")
        cursor.execute("PRAGMA foreign_keys = ON")
        # A power cut may lose the last events of a running answer, never the file.
        cursor.execute("PRAGMA synchronous = NORMAL")
        cursor.execute("PRAGMA secure_delete = ON")
    finally:
        cursor.close()


def _begin_sqlite(connection: Connection) -> None:
    # A deferred transaction that reads first and writes later fails at once with "database is locked" when another
    # process wrote in between; the busy timeout does not apply to it. An immediate one waits its turn.
    writes = connection.get_execution_options().get("pincite_writes")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


async def _write_answer(connection: AsyncConnection, id: str, answer: Answer) -> None:
    await connection.execute(
        update(AnswerRow)
        .where(AnswerRow.id == id)
        .values(
            standalone_question=answer.standalone_question,
            outcome=answer.outcome,
            markdown=answer.markdown,
            model=answer.model,
            release=answer.release,
            first_step=answer.milliseconds.first_step,
            first_block=answer.milliseconds.first_block,
            milliseconds=answer.milliseconds.total,
            json=_ANSWER.dump_json(answer).decode(),
        )
    )
    steps = [
        {
            "answer": id,
            "n": n,
            "tool": step.tool,
            "arguments": json.dumps(step.arguments, ensure_ascii=False, default=str),
            "summary": step.summary,
            "milliseconds": step.milliseconds,
        }
        for n, step in enumerate(answer.steps, 1)
    ]
    if steps:
        await connection.execute(insert(StepRow), steps)
    withheld = [
        {"answer": id, "n": n, "text": w.text, "claim": w.claim, "verdict": w.verdict, "reason": w.reason}
        for n, w in enumerate(answer.withheld, 1)
    ]
    if withheld:
        await connection.execute(insert(WithheldRow), withheld)
    usage = [
        {
            "answer": id,
            "n": n,
            "model": u.model,
            "requests": u.requests,
            "input_tokens": u.input_tokens,
            "cached_tokens": u.cached_tokens,
            "output_tokens": u.output_tokens,
            "cost": u.cost,
            "estimated": int(u.estimated),
        }
        for n, u in enumerate(answer.usage, 1)
    ]
    if usage:
        await connection.execute(insert(UsageRow), usage)
    cited = [
        {
            "answer": id,
            "n": c.n,
            "document": c.document,
            "source": c.source,
            "revision": c.revision,
            "sha256": c.sha256,
            "standing": c.standing,
        }
        for c in {c.n: c for c in answer.citations}.values()
    ]
    if cited:
        await connection.execute(insert(CitedRow), cited)


def _said(error: Exception) -> str:
    """What the driver said, without the statement and its parameters: those hold people's questions."""
    return str(error.orig) if isinstance(error, DatabaseError) else str(error)


def _title(question: str) -> str:
    """The question on one line, cut at a word."""
    line = " ".join(question.split())
    return line if len(line) <= TITLE_LENGTH else line[:TITLE_LENGTH].rsplit(" ", 1)[0] + " …"


def _now() -> str:
    # Always with microseconds: rows are ordered by this text.
    return datetime.now(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
