"""The framework's side of an answer: the agent with its tools, the chain of models, one run. Import it late: 1 s."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Callable, Mapping, Sequence

from pydantic_ai import Agent, ModelRetry, RunContext, Tool, UsageLimits
from pydantic_ai.exceptions import (
    AgentRunError,
    FallbackExceptionGroup,
    ModelAPIError,
    ModelHTTPError,
    UsageLimitExceeded,
)
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
    ToolCallPartDelta,
    UserPromptPart,
)
from pydantic_ai.models import Model
from pydantic_ai.models.fallback import FallbackModel
from pydantic_ai.tools import ToolDefinition

from pincite.answer import phrases, prompts
from pincite.answer.drafts import asked_of, draft_of, request_of
from pincite.answer.extractive import Composer, ExtractiveModel, quoted
from pincite.answer.lookups import part_queries, write_rows
from pincite.answer.rows import RowPassage, names_number
from pincite.answer.run import BUILT_IN, Run, Understood
from pincite.answer.select import compose as select_pieces
from pincite.answer.select.question import analyse
from pincite.answer.stream import Judge
from pincite.answer.tools import LimitReached, is_citable
from pincite.chat import ChatEndpoint, chat_model
from pincite.lexicon import detect_language
from pincite.types import AnswerEvent, Passage, Turn

_log = logging.getLogger("pincite.answer")


class BrokenOff(Exception):
    """A model could not answer, or ended before its answer was complete."""

    def __init__(self, fault: str, messages: Sequence[ModelMessage]) -> None:
        super().__init__(fault)
        self.fault = fault
        """One of ``phrases``' faults; "" when it was said already."""
        self.messages = messages
        """What was said until then, up to the last request: the next model goes on from there."""


class Engine:
    """The agent and its models; made once, it serves all questions."""

    def __init__(
        self, endpoints: Sequence[ChatEndpoint], *, judge: Judge | None = None, compose: Composer | None = None
    ) -> None:
        if judge is None:
            from pincite.answer.judging import PassageGate

            judge = PassageGate()
        self.judge: Judge = judge
        self._compose = compose or select_pieces
        self._models = [(endpoint, chat_model(endpoint)) for endpoint in endpoints]
        self._agent = make_agent()

    def understand(self, question: str, standalone: str) -> Understood:
        """Language, parts and small talk of a standalone question, and the draft that the question brings, by rules."""
        asked, draft = analyse(standalone), draft_of(question)
        language = phrases.language_of(detect_language(request_of(question, draft) if draft else standalone))
        return Understood(language, tuple(part.text for part in asked.parts), asked.small_talk, draft)

    async def answer(self, run: Run, history: Sequence[Turn], messages: int) -> LimitReached | None:
        """Let the models answer; what may be shown went to ``run.log``. Why it stopped early, if it did."""

        def goes_on() -> None:
            # The built-in model cannot mend a sentence; what it quotes next does not lean on the one before, and a
            # quotation that its own passage does not carry must not be pinned to another.
            run.verified.stops = run.verified.repairs = False

        built_in = ExtractiveModel(
            run.standalone, run.understood.parts, run.toolbox.offered, self._compose, on_start=goes_on
        )
        chain = _Chain(self._models, built_in, run)
        language = phrases.LANGUAGE_NAMES[run.understood.language]
        form = prompts.QUESTION if run.standalone == run.question else prompts.FOLLOW_UP
        prompt: str | None = form.format(question=run.question, standalone=run.standalone, language=language)
        past: Sequence[ModelMessage] = told(history, messages)
        while True:
            try:
                if chain.name == BUILT_IN and run.understood.draft:
                    goes_on()
                    await self._check(run)
                    return None
                await self._converse(chain, run, prompt, past)
            except LimitReached as error:
                return error
            except BrokenOff as error:
                if run.verified.markdown or run.verified.withheld:
                    return LimitReached("broke_off", model=chain.name)
                if error.fault:
                    chain.give_up(error.fault)
                prompt, past = None, error.messages
                continue
            return None

    async def _check(self, run: Run) -> None:
        """Check a draft sentence by sentence, without a language model: carried, said otherwise, or not found."""
        run.model = BUILT_IN
        reading = _Reading(run)
        for sentence in run.understood.draft:
            said = await self._beside_rows(run, sentence)
            if not said:
                await run.toolbox.search_passages(sentence, expecting="what the documents say of it")
                said = await asyncio.to_thread(self._beside, sentence, run.toolbox.offered)
            await reading.read(said)
        await reading.close()

    async def _beside_rows(self, run: Run, sentence: str) -> str:
        """A list item that says what the catalogue says of a sentence of a draft; "" when it has no row of it."""
        if run.toolbox.catalogue is None:
            return ""
        for query in part_queries(sentence):
            await run.toolbox.lookup_part(query, expecting="what the catalogue says of it")
        rows = {
            handle: one
            for handle, one in run.toolbox.offered.items()
            if isinstance(one, RowPassage) and names_number(one.part.number, sentence)
        }
        for handle, row in rows.items():
            verdicts = await asyncio.to_thread(self.judge, sentence, [row])
            if all(verdict.released for verdict in verdicts):
                return f"- {quoted(sentence)} [[{handle}]] [[agrees]]\n"
        return f"{write_rows(sentence, rows).splitlines()[0]} [[differs]]\n" if rows else ""

    def _beside(self, sentence: str, offered: Mapping[str, Passage]) -> str:
        """A list item that says what the documents say of a sentence of a draft, as the loop reads it."""
        for handle, passage in offered.items():
            verdicts = self.judge(sentence, [passage]) if is_citable(passage) else ()
            if verdicts and all(verdict.released for verdict in verdicts):
                return f"- {quoted(sentence)} [[{handle}]] [[agrees]]\n"
        handles = [handle for handle, one in offered.items() if not isinstance(one, RowPassage)]
        for question, stay in asked_of(sentence):
            draft = self._compose(question, [offered[handle] for handle in handles])
            piece = draft.sentences[0] if draft.sentences and not draft.refused else None
            if piece and all(value in (piece.reading or piece.text) for value in stay):
                return f"- {quoted(piece.reading or piece.text)} [[{handles[piece.passage]}]] [[differs]]\n"
        return f"\n[[missing: {' '.join(re.sub(r'[][]', ' ', sentence).split())[:180].rstrip('. ')}]]\n"

    async def _converse(self, chain: _Chain, run: Run, prompt: str | None, past: Sequence[ModelMessage]) -> None:
        # Each call takes a turn at least; two answers, and slack for calls that were malformed.
        limits = UsageLimits(request_limit=run.toolbox.limits.calls + 6)
        began = False
        async with self._agent.iter(
            prompt, deps=run, model=chain.model, message_history=past, usage_limits=limits
        ) as going:
            try:
                async for node in going:
                    if not Agent.is_model_request_node(node):
                        continue
                    run.spending.check()
                    reading = _Reading(run)
                    try:
                        async with node.stream(going.ctx) as stream:
                            async for event in stream:
                                await reading.take(event)
                            response = stream.response
                    except BaseException:
                        began = bool(reading.text)
                        chain.count(None, going.all_messages(), reading.text)
                        raise
                    chain.count(response, going.all_messages(), reading.text)
                    await reading.end(response)
            except UsageLimitExceeded as error:
                raise LimitReached("turns") from error
            except FallbackExceptionGroup as error:
                raise BrokenOff("", going.all_messages()) from error  # each was said as it failed
            except (AgentRunError, _Incomplete) as error:
                if chain.name == BUILT_IN:
                    raise  # nobody is left to ask: a fault of ours
                _log.warning("model %s failed: %s", chain.name, type(error).__name__)
                heard = list(going.all_messages())
                while heard and not isinstance(heard[-1], ModelRequest):
                    heard.pop()
                fault = error.fault if isinstance(error, _Incomplete) else "broke_off" if began else fault_of(error)
                raise BrokenOff(fault, heard) from error


class _Incomplete(Exception):
    """A response without a proper end. Its last words are not shown: half a sentence can say the opposite."""

    def __init__(self, fault: str) -> None:
        super().__init__(fault)
        self.fault = fault


class _Chain:
    """The models of one answer in the order in which they are asked. One that failed is not asked again: its time-out
    would be waited for at every turn."""

    def __init__(self, models: Sequence[tuple[ChatEndpoint, Model]], built_in: Model, run: Run) -> None:
        self._run = run
        self._left: list[ChatEndpoint | None] = [*(endpoint for endpoint, _ in models), None]
        self._failed = 0
        """How many of ``_left`` failed since the last request."""
        # A draft is checked without the framework when no language model does.
        own = () if run.understood.draft and models else (built_in,)
        self.model = FallbackModel(*(model for _, model in models), *own, fallback_on=self._falls_back)

    @property
    def name(self) -> str:
        """Of the model that is asked now, as it is configured."""
        endpoint = self._left[self._failed]
        return endpoint.model if endpoint else BUILT_IN

    def give_up(self, fault: str) -> None:
        """Go on with the next model, and say so."""
        self._say(fault)
        self._drop()

    def _falls_back(self, error: Exception) -> bool:
        if not isinstance(error, ModelAPIError):
            return False
        # The framework walks through its models just now: they are dropped when it has found one.
        self._say(fault_of(error))
        return True

    def _say(self, fault: str) -> None:
        failed = self.name
        self._failed += 1
        if self.name == BUILT_IN:
            self._run.toolbox.calls = 0  # the built-in model needs three, whatever the others have used up
        by = "" if self.name == BUILT_IN else self.name
        summary = phrases.replaced(failed, fault, by, self._run.understood.language)
        self._run.log.say("model", summary, model=failed, fault=fault)

    def _drop(self) -> None:
        del self._left[: self._failed], self.model.models[: self._failed]
        self._failed = 0

    def count(self, response: ModelResponse | None, asked: Sequence[ModelMessage], text: str) -> None:
        """Count what a response took; None: it broke off."""
        self._drop()
        endpoint = self._left[0]
        if endpoint is None:
            return
        usage = response.usage if response else None
        if usage and usage.has_values():
            tokens = usage.input_tokens, usage.cache_read_tokens, usage.output_tokens
            self._run.spending.add(endpoint.model, endpoint.price, tokens, estimated=False)
        elif response or text:
            count = self._run.toolbox.count
            self._run.spending.add(
                endpoint.model, endpoint.price, (count(_said(asked)), 0, count(text)), estimated=True
            )


_FAULTS: dict[str, str] = {
    "ModelAuthenticationError": "key",
    "ModelQuotaExceededError": "quota",
    "ModelRateLimitError": "busy",
    "ModelOverloadedError": "busy",
    "ModelUnavailableError": "busy",
    "ModelTimeoutError": "late",
    "ModelRequestTimeout": "late",
    "ModelConnectionError": "gone",
    "ModelNotFoundError": "unknown",
    "ModelContextWindowExceededError": "long",
    "ModelRequestRejectedError": "refused",
    "ContentFilterError": "declined",
}


def fault_of(error: BaseException) -> str:
    """Why a model failed, as ``phrases`` says it: the framework's category, the narrowest first."""
    known = next((_FAULTS[kind.__name__] for kind in type(error).__mro__ if kind.__name__ in _FAULTS), "")
    return known or ("fault" if isinstance(error, ModelHTTPError) else "broke_off")


def _said(messages: Sequence[ModelMessage]) -> str:
    """All the text of a conversation, to count it when an endpoint does not."""
    parts = [getattr(part, "content", "") or getattr(part, "args", "") for one in messages for part in one.parts]
    return "\n".join([prompts.INSTRUCTIONS, *map(str, parts)])


class _Reading:
    """One response of a model as it is read: its text is verified as it comes, unless it turns out to call a tool."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._called = False
        self.text = ""
        """All that was read, calls included."""
        run.verified.begin()

    async def take(self, event: AgentStreamEvent) -> None:
        """Verify what an event brings.

        Raises:
            LimitReached: the response is longer than any answer.
        """
        match event:
            case PartStartEvent(part=ToolCallPart()):
                self._called = True
                self._run.verified.forget()
            case PartDeltaEvent(delta=ToolCallPartDelta(args_delta=piece)):
                self._read(str(piece or ""))
            case PartStartEvent(part=TextPart(content=text)) | PartDeltaEvent(delta=TextPartDelta(content_delta=text)):
                self._read(text)
                # What is said beside a call of a tool is no part of the answer.
                if text and not self._called:
                    await self._show(lambda: self._run.verified.feed(text))
            case _:
                pass

    async def read(self, text: str) -> None:
        """Verify text that no model streams."""
        self._read(text)
        await self._show(lambda: self._run.verified.feed(text))

    async def close(self) -> None:
        await self._show(self._run.verified.close)

    def _read(self, piece: str) -> None:
        self.text += piece
        if len(self.text) > self._run.toolbox.limits.written_characters:
            raise LimitReached("length")

    async def end(self, response: ModelResponse) -> None:
        """Close the response.

        Raises:
            _Incomplete: it has no proper end.
        """
        self._run.model = response.model_name or self._run.model
        if response.finish_reason == "content_filter":
            raise _Incomplete("declined")
        if self._called:
            self._run.verified.forget()
        elif response.finish_reason != "stop":
            raise _Incomplete("broke_off")
        else:
            await self.close()

    async def _show(self, verify: Callable[[], list[AnswerEvent]]) -> None:
        # The gate computes; the event loop serves others meanwhile. What it released when time ran out still goes out.
        verifying = asyncio.ensure_future(asyncio.to_thread(verify))
        try:
            await asyncio.shield(verifying)
        finally:
            for event in await verifying:
                self._run.log.emit(event)


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


async def _lookup_part(ctx: RunContext[Run], query: str, expecting: str = "") -> str:
    return await ctx.deps.toolbox.lookup_part(query, expecting)


async def _with_catalogue(ctx: RunContext[Run], tool: ToolDefinition) -> ToolDefinition | None:
    return tool if ctx.deps.toolbox.catalogue else None


def _on_catalogue(ctx: RunContext[Run]) -> str:
    return prompts.CATALOGUE if ctx.deps.toolbox.catalogue else ""


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
        instructions=[prompts.INSTRUCTIONS, _on_catalogue],
        tools=[
            Tool(_search_passages, name="search_passages", description=prompts.TOOLS["search_passages"]),
            Tool(_read_section, name="read_section", description=prompts.TOOLS["read_section"]),
            Tool(_read_document, name="read_document", description=prompts.TOOLS["read_document"]),
            Tool(_list_documents, name="list_documents", description=prompts.TOOLS["list_documents"]),
            Tool(
                _lookup_part,
                name="lookup_part",
                description=prompts.TOOLS["lookup_part"],
                prepare=_with_catalogue,
            ),
        ],
        retries={"tools": 2, "output": 2},
    )
    agent.output_validator(_send_back)
    return agent
