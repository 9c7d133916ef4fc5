"""Question in, events of a gated answer out: the door of the answering room."""

from __future__ import annotations

import asyncio
import logging
import time
import uuid
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from pincite.answer import phrases, row_phrases
from pincite.answer.followup import clean_question, made_whole, stand_alone
from pincite.answer.rows import cites_fuzzy
from pincite.answer.run import BUILT_IN, Run, Spending
from pincite.answer.stream import Judge, VerifiedStream
from pincite.answer.tools import LimitReached, Limits, Retriever, Toolbox
from pincite.catalogue import Catalogue
from pincite.chat import ChatEndpoint
from pincite.errors import LibraryBusy, PinciteError, UsageError
from pincite.lexicon import LANGUAGES, detect_language, senses
from pincite.types import (
    Answer,
    AnswerEvent,
    Block,
    Broke,
    Finished,
    Outcome,
    SourcesListed,
    Step,
    StepTaken,
    Timing,
    Turn,
)

if TYPE_CHECKING:
    from pincite.answer.extractive import Composer
    from pincite.answer.loop import Engine

_log = logging.getLogger("pincite.answer")


@dataclass(frozen=True, slots=True)
class Clock:
    """Where time comes from."""

    seconds: Callable[[], float] = time.monotonic
    """Monotonic."""
    now: Callable[[], datetime] = lambda: datetime.now(UTC)


class Answerer:
    """Answers questions from one library, with the configured models and in the end the built-in one."""

    def __init__(
        self,
        retriever: Callable[[], Retriever],
        *,
        models: Sequence[ChatEndpoint] = (),
        limits: Limits | None = None,
        clock: Clock | None = None,
        judge: Judge | None = None,
        compose: Composer | None = None,
        catalogue: Catalogue | None = None,
    ) -> None:
        """
        Args:
            retriever: gives the retriever of the release that answers now. Asked once for each question, in a thread,
                so that an answer never mixes two releases.
            models: in the order in which they are tried; one that failed is not asked again for the same answer. The
                built-in one is always the last.
            judge: the gate; ``answer.judging.PassageGate`` when None.
            compose: the built-in model's choice; ``answer.select.compose`` when None. Where there is an encoder, bind
                its similarity here.
        """
        self._retriever = retriever
        self._endpoints = tuple(models)
        self._limits = limits or Limits()
        self._clock = clock or Clock()
        self._judge = judge
        self._compose = compose
        self._catalogue = catalogue
        self._engine: Engine | None = None
        self._loading = asyncio.Lock()

    @property
    def model(self) -> str:
        """Name of the model that is asked first."""
        return self._endpoints[0].model if self._endpoints else BUILT_IN

    async def prepare(self) -> None:
        """Import and build what the first question would otherwise wait for, a second or two; a server does it early.

        Raises:
            ModelError: a configured endpoint cannot be used as it is written.
        """
        await self._ready()
        for language in LANGUAGES:
            await asyncio.to_thread(senses, "fee", language)  # reads the glossary, a tenth of a second each

    async def ask(
        self, question: str, *, conversation: str = "", history: Sequence[Turn] = (), id: str = ""
    ) -> AsyncIterator[AnswerEvent]:
        """The events of one answer; the last is ``Finished``, or ``Broke`` when something failed that is not an answer.

        Args:
            history: turns of the conversation so far, oldest first. They help to understand the question and are
                never evidence.
            id: of the answer; made when empty, as is ``conversation``.

        Raises:
            UsageError: before the first event: the question is empty or too long.
        """
        cleaned = clean_question(question)
        if not cleaned:
            raise UsageError("The question is empty: write what you want to know.")
        if len(cleaned) > self._limits.question_characters:
            raise UsageError(
                f"The question has {len(cleaned)} characters; at most {self._limits.question_characters} are read. "
                "Leave out what it does not need."
            )
        asked = _Asked(id or uuid.uuid4().hex, conversation or uuid.uuid4().hex, cleaned, tuple(history), self._clock)
        # The run has a task of its own: a reader who leaves cancels it as a whole, wherever it stands.
        task = asyncio.create_task(self._answer(asked))
        task.add_done_callback(lambda _: asked.events.put_nowait(None))
        try:
            while (event := await asked.events.get()) is not None:
                yield event
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    # ------------------------------------------------------------ inside

    async def _ready(self) -> Engine:
        async with self._loading:
            if self._engine is None:
                self._engine = await asyncio.to_thread(self._load)
            return self._engine

    def _load(self) -> Engine:
        # Here and not above: the agent framework takes a second to import, and `pincite --help` does not need it.
        from pincite.answer.loop import Engine

        return Engine(self._endpoints, judge=self._judge, compose=self._compose)

    async def _answer(self, asked: _Asked) -> None:
        try:
            asked.emit(Finished(await self._attempt(asked)))
        except PinciteError as error:
            asked.emit(Broke(str(error), retry=isinstance(error, LibraryBusy)))
        except Exception:
            _log.exception("answer %s broke", asked.id)
            asked.emit(Broke("The answer could not be finished: a fault on our side. Ask it again.", retry=True))

    async def _attempt(self, asked: _Asked) -> Answer:
        standalone = stand_alone(asked.question, "")
        if not asked.history:
            # Nothing to find out: the reader sees the first step at once, before anything is loaded.
            asked.understood(standalone)
        engine = await self._ready()
        retriever = await asyncio.to_thread(self._retriever)
        if asked.history:
            titles = [revision.title for revision in await asyncio.to_thread(retriever.documents)]
            standalone = made_whole([*(turn.question for turn in asked.history), asked.question], titles)
            asked.understood(standalone)
        understood = engine.understand(asked.question, standalone)
        toolbox = Toolbox(
            retriever,
            limits=self._limits,
            language=understood.language,
            steps=asked.steps,
            emit=asked.emit,
            milliseconds=asked.milliseconds,
            now=asked.now,
            catalogue=self._catalogue,
        )
        verified = VerifiedStream(
            offered=toolbox.offered,
            judge=engine.judge,
            retrieved_at=toolbox.retrieved_at,
            language=understood.language,
            question=f"{asked.question} {standalone}",
        )
        run = Run(asked.question, standalone, understood, toolbox, verified, asked, Spending(self._limits))
        if understood.small_talk:
            verified.none = understood.small_talk
        else:
            try:
                async with asyncio.timeout(self._limits.seconds - asked.milliseconds() / 1000):
                    run.stopped = await engine.answer(run, asked.history, self._limits.history_messages)
            except TimeoutError:
                run.stopped = LimitReached("seconds", n=self._limits.seconds)
        outcome, reason = await self._conclude(run)
        if verified.citations:
            asked.emit(SourcesListed(verified.citations))
        return Answer(
            id=asked.id,
            conversation=asked.conversation,
            question=asked.question,
            standalone_question=standalone,
            outcome=outcome,
            markdown=verified.markdown,
            citations=verified.citations,
            tables=tuple(verified.tables),
            withheld=tuple(verified.withheld),
            steps=tuple(asked.steps),
            model=run.model or BUILT_IN,
            release=retriever.release.id,
            milliseconds=Timing(asked.first_step, asked.first_block, asked.milliseconds()),
            reason=reason,
            draft=verified.draft() if outcome == "escalated" else "",
            usage=tuple(run.spending.used.values()),
        )

    async def _conclude(self, run: Run) -> tuple[Outcome, str]:
        """The outcome and, when it is not ``answered``, the reason for the reader; says what is left to say."""
        verified, language = run.verified, run.verified.language
        withheld = verified.failed if verified.stops else None
        nothing_left = not verified.said and verified.withheld and verified.none is None
        if nothing_left and withheld is None:
            withheld = verified.withheld[0]
        if run.stopped:
            why = phrases.stopped(run.stopped.key, language, **run.stopped.values)
            return "escalated", phrases.escalation(why, language)
        if withheld:
            return "escalated", phrases.withheld(withheld.text, withheld.reason, language)
        if run.toolbox.failures and not verified.markdown and verified.none != "out_of_scope":
            # "The documents do not say" would be a guess: they were not all searched.
            return "escalated", phrases.escalation(phrases.stopped("library", language), language)
        if run.toolbox.unread and not verified.markdown and verified.none != "out_of_scope":
            return "escalated", phrases.escalation(phrases.stopped("catalogue", language), language)
        if verified.markdown:
            if verified.missing:
                self._say(run, phrases.not_found(verified.missing, language))
            if cites_fuzzy(verified.citations, run.toolbox.offered.values()):
                self._say(run, row_phrases.FUZZY[language])
            if run.toolbox.unread:
                self._say(run, row_phrases.UNREAD[language])
            return "answered", ""
        documents = await asyncio.to_thread(run.toolbox.documents)
        reason = phrases.refusal(
            verified.none or "nothing_fits",
            language,
            titles=run.toolbox.searched,
            missing=verified.missing,
            documents=len(documents),
        )
        no_row = row_phrases.NO_ROW[language]
        in_vain = [no_row.format(query=query) for query in run.toolbox.in_vain if verified.is_asked(query)]
        reason = " ".join([reason, *in_vain])
        self._say(run, reason)
        return "refused", reason

    def _say(self, run: Run, sentence: str) -> None:
        for event in run.verified.say(sentence):
            run.log.emit(event)


@dataclass(slots=True)
class _Asked:
    """One question on its way."""

    id: str
    conversation: str
    question: str
    history: tuple[Turn, ...]
    clock: Clock
    steps: list[Step] = field(default_factory=list[Step])
    events: asyncio.Queue[AnswerEvent | None] = field(default_factory=asyncio.Queue[AnswerEvent | None])
    first_step: int | None = None
    first_block: int | None = None
    started: float = 0.0

    def __post_init__(self) -> None:
        self.started = self.clock.seconds()

    def milliseconds(self) -> int:
        return round((self.clock.seconds() - self.started) * 1000)

    def now(self) -> str:
        return self.clock.now().astimezone(UTC).isoformat(timespec="seconds")

    def say(self, tool: str, summary: str, **arguments: object) -> None:
        """A step that no model asked for: the standalone question, another model."""
        self.steps.append(Step(tool, arguments, summary, 0))
        self.emit(StepTaken(self.steps[-1]))

    def understood(self, standalone: str) -> None:
        language = phrases.language_of(detect_language(standalone))
        self.say("question", phrases.step("question", language, question=standalone), question=standalone)

    def emit(self, event: AnswerEvent) -> None:
        if isinstance(event, StepTaken) and self.first_step is None:
            self.first_step = self.milliseconds()
        if isinstance(event, Block) and self.first_block is None:
            self.first_block = self.milliseconds()
        self.events.put_nowait(event)
