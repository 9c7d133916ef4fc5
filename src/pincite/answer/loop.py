"""The framework's side of an answer: the agent with its tools, the chain of models, one run. Import it late: 1 s."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Callable, Sequence

from pydantic_ai import Agent, ModelRetry, RunContext, Tool, UsageLimits
from pydantic_ai.exceptions import AgentRunError, FallbackExceptionGroup, UsageLimitExceeded
from pydantic_ai.messages import (
    AgentStreamEvent,
    ModelMessage,
    ModelRequest,
    ModelResponse,
    PartDeltaEvent,
    PartStartEvent,
    TextPart,
    TextPartDelta,
    ToolCallPart,
    UserPromptPart,
)
from pydantic_ai.models import Model
from pydantic_ai.models.fallback import FallbackModel

from pincite.answer import phrases, prompts
from pincite.answer.extractive import Composer, ExtractiveModel
from pincite.answer.run import Run, Understood
from pincite.answer.select import compose as select_pieces
from pincite.answer.select.question import analyse
from pincite.answer.select.words import detect_language
from pincite.answer.stream import Judge
from pincite.answer.tools import LimitReached
from pincite.models import ChatEndpoint, chat_model
from pincite.types import AnswerEvent, Turn

_log = logging.getLogger("pincite.answer")


class BrokenOff(Exception):
    """The response of a model ended before it was complete; ``name`` is the model."""

    def __init__(self, name: str) -> None:
        super().__init__(f"The model {name} broke off in the middle of its answer.")
        self.name = name


class Engine:
    """The agent and its chain of models; made once, it serves all questions."""

    def __init__(
        self, endpoints: Sequence[ChatEndpoint], *, judge: Judge | None = None, compose: Composer | None = None
    ) -> None:
        if judge is None:
            from pincite.answer.judging import PassageGate

            judge = PassageGate()
        self.judge: Judge = judge
        self._compose = compose or select_pieces
        self._models: tuple[Model, ...] = tuple(map(chat_model, endpoints))
        self._agent = make_agent()

    def understand(self, question: str) -> Understood:
        """Language, parts and small talk of a standalone question, by rules."""
        asked = analyse(question)
        language = phrases.language_of(detect_language(question))
        return Understood(language, tuple(part.text for part in asked.parts), asked.small_talk)

    async def rewrite(self, question: str, history: Sequence[Turn], seconds: float) -> str:
        """The question as a model says it standing alone; empty when none says it in time, or says too much."""
        if not self._models:
            return ""
        turns = "\n".join(f"Asked: {turn.question}\nAnswered: {turn.markdown[:400]}" for turn in history[-4:])
        agent = Agent(output_type=str, instructions=prompts.STANDALONE)
        try:
            async with asyncio.timeout(seconds):
                result = await agent.run(f"{turns}\nLast question: {question}", model=_chain(self._models))
        except (AgentRunError, FallbackExceptionGroup, TimeoutError):
            return ""
        said = " ".join(result.output.split()).strip('"“”')
        return said if len(said) <= max(400, 2 * len(question)) and "[[" not in said else ""

    async def answer(self, run: Run, history: Sequence[Turn], messages: int) -> LimitReached | None:
        """Let the models answer; what may be shown went to ``run.log``. Why it stopped early, if it did."""

        def goes_on() -> None:
            # The built-in model cannot mend a sentence; what it quotes next does not lean on the one before, and a
            # quotation that its own passage does not carry must not be pinned to another.
            run.verified.stops = run.verified.repairs = False

        built_in = ExtractiveModel(
            run.standalone, run.understood.parts, run.toolbox.offered, self._compose, on_start=goes_on
        )
        prompt = run.question
        if run.standalone != run.question:
            prompt += f"\n\nStanding alone: {run.standalone}"
        prompt += f"\n\nAnswer in {phrases.LANGUAGE_NAMES[run.understood.language]}."
        past = told(history, messages)
        try:
            await self._converse([*self._models, built_in], run, prompt, past)
        except LimitReached as error:
            return error
        except (BrokenOff, AgentRunError) as error:
            name = error.name if isinstance(error, BrokenOff) else run.model or "that was configured"
            _log.warning("model %s failed: %s", name, type(error).__name__)
            if run.verified.markdown or run.verified.withheld:
                return LimitReached("broke_off", model=name)
            run.log.say("model_broke_off", run.standalone, model=name)
            try:
                await self._converse([built_in], run, prompt, past)
            except LimitReached as limit:
                return limit
        return None

    async def _converse(self, models: Sequence[Model], run: Run, prompt: str, past: Sequence[ModelMessage]) -> None:
        # Each call takes a turn at least; two answers, and slack for calls that were malformed.
        limits = UsageLimits(request_limit=run.toolbox.calls_allowed + 6)
        try:
            async with self._agent.iter(
                prompt, deps=run, model=_chain(models), message_history=past, usage_limits=limits
            ) as going:
                async for node in going:
                    if not Agent.is_model_request_node(node):
                        continue
                    reading = _Reading(run)
                    try:
                        async with node.stream(going.ctx) as stream:
                            async for event in stream:
                                await reading.take(event)
                            response = stream.response
                    except AgentRunError as error:
                        if reading.began:
                            raise BrokenOff(stream_name(run, models)) from error
                        raise
                    await reading.end(response)
        except UsageLimitExceeded as error:
            raise LimitReached("turns") from error
        except FallbackExceptionGroup as error:
            raise AgentRunError("no model of the chain answered") from error


def stream_name(run: Run, models: Sequence[Model]) -> str:
    return run.model or models[0].model_name


class _Reading:
    """One response of a model as it is read: its text is verified as it comes, unless it turns out to call a tool."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._called = False
        self.began = False
        run.verified.begin()

    async def take(self, event: AgentStreamEvent) -> None:
        match event:
            case PartStartEvent(part=ToolCallPart()):
                self.began = self._called = True
                self._run.verified.forget()
            case PartStartEvent(part=TextPart(content=text)) | PartDeltaEvent(delta=TextPartDelta(content_delta=text)):
                self.began = True
                # What is said beside a call of a tool is no part of the answer.
                if text and not self._called:
                    await self._show(lambda: self._run.verified.feed(text))
            case _:
                pass

    async def end(self, response: ModelResponse) -> None:
        """Close the response.

        Raises:
            BrokenOff: it has no proper end. Its last words are not shown: half a sentence can say the opposite.
        """
        self._name_failures(response)
        name = self._run.model = response.model_name or self._run.model
        if self._called:
            self._run.verified.forget()
        elif response.finish_reason != "stop":
            raise BrokenOff(name)
        else:
            await self._show(self._run.verified.close)

    async def _show(self, verify: Callable[[], list[AnswerEvent]]) -> None:
        # The gate computes; the event loop serves others meanwhile. What it released when time ran out still goes out.
        verifying = asyncio.ensure_future(asyncio.to_thread(verify))
        try:
            await asyncio.shield(verifying)
        finally:
            for event in await verifying:
                self._run.log.emit(event)

    def _name_failures(self, response: ModelResponse) -> None:
        for attempt in response.failed_attempts or ():
            failed = attempt.model_name or "that was configured"
            if failed not in self._run.unusable:
                self._run.unusable.append(failed)
                self._run.log.say("model_unusable", self._run.standalone, model=failed)


def _chain(models: Sequence[Model]) -> Model:
    return models[0] if len(models) == 1 else FallbackModel(models[0], *models[1:])


def told(history: Sequence[Turn], messages: int) -> list[ModelMessage]:
    """The last turns as at most so many messages: what was asked and shown, without marks, for they stand for nothing
    now."""
    past: list[ModelMessage] = []
    for turn in history[-(messages // 2) :] if messages >= 2 else ():
        past.append(ModelRequest(parts=[UserPromptPart(turn.question)]))
        text = re.sub(r"\s*\{\{\d+\}\}", "", turn.markdown) or "(Nothing could be shown.)"
        past.append(ModelResponse(parts=[TextPart(text)]))
    return past


# ---------------------------------------------------------------- the agent


async def _search_passages(
    ctx: RunContext[Run],
    query: str,
    documents: list[str] | None = None,
    kinds: list[str] | None = None,
    expecting: str = "",
) -> str:
    return await ctx.deps.toolbox.search_passages(query, documents or (), kinds or (), expecting)


async def _read_section(
    ctx: RunContext[Run], document: str, section_path: str | list[str] = "", expecting: str = ""
) -> str:
    return await ctx.deps.toolbox.read_section(document, section_path, expecting)


async def _read_document(ctx: RunContext[Run], document: str, expecting: str = "") -> str:
    return await ctx.deps.toolbox.read_document(document, expecting)


async def _list_documents(ctx: RunContext[Run], filter: str = "", page: int = 1, expecting: str = "") -> str:
    return await ctx.deps.toolbox.list_documents(filter, page, expecting)


def _send_back(ctx: RunContext[Run], text: str) -> str:
    """Give the model one chance to mend the sentence that was withheld."""
    run = ctx.deps
    failed = run.verified.failed
    if failed is not None and run.verified.stops and not run.mended:
        run.mended = True
        released = run.verified.markdown or "(nothing yet)"
        raise ModelRetry(prompts.FEEDBACK.format(text=failed.text, reason=failed.reason, released=released))
    return text


def make_agent() -> Agent[Run, str]:
    """The agent with its instructions, without a model. It can only read: no tool writes, sends or fetches."""
    agent = Agent(
        deps_type=Run,
        output_type=str,
        instructions=prompts.INSTRUCTIONS,
        tools=[
            Tool(_search_passages, name="search_passages", description=prompts.TOOLS["search_passages"]),
            Tool(_read_section, name="read_section", description=prompts.TOOLS["read_section"]),
            Tool(_read_document, name="read_document", description=prompts.TOOLS["read_document"]),
            Tool(_list_documents, name="list_documents", description=prompts.TOOLS["list_documents"]),
        ],
        retries={"tools": 2, "output": 2},
    )
    agent.output_validator(_send_back)
    return agent
