"""The built-in model: no language model at all, but the same loop. It answers in quotations and source tables.

It searches with the question, once more for the second part of a question that has two, where nothing answers once more
in the document that the question is about, follows one reference, and writes what ``answer.select.compose`` chose, each
piece with the handle of its passage. Same passages, same words.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, TypeAlias

from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    ModelResponseStreamEvent,
    RetryFeedbackPart,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models import Model, ModelRequestParameters, StreamedResponse
from pydantic_ai.settings import ModelSettings

from pincite.answer.lookups import asked_fields, part_queries, write_rows
from pincite.answer.rows import RowPassage
from pincite.answer.run import BUILT_IN
from pincite.answer.select import Draft
from pincite.types import Passage

if TYPE_CHECKING:
    from pydantic_ai import RunContext

Composer: TypeAlias = Callable[[str, Sequence[Passage]], Draft]
"""Question and passages in; a draft of quotations out: ``answer.select.compose``."""

_OWN_CALL = "extractive-"
_FEEDBACK = re.compile(r"<(?:\w+:)?(?:retry_feedback|validation_errors)\b")


class ExtractiveModel(Model):
    """A model of the agent framework that quotes. One for each answer: it reads the passages the loop has found."""

    def __init__(
        self,
        question: str,
        parts: Sequence[str],
        offered: dict[str, Passage],
        compose: Composer,
        *,
        on_start: Callable[[], None] = lambda: None,
    ) -> None:
        super().__init__()
        self._question = question
        self._parts = tuple(parts)
        self._offered = offered
        self._compose = compose
        self._on_start = on_start

    @property
    def model_name(self) -> str:
        return BUILT_IN

    @property
    def system(self) -> str:
        return "pincite"

    @property
    def provider(self) -> None:
        return None

    async def request(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> ModelResponse:
        part = await self._next(messages, model_request_parameters)
        return ModelResponse(parts=[part], model_name=BUILT_IN, provider_name="pincite", finish_reason="stop")

    @asynccontextmanager
    async def request_stream(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
        run_context: RunContext[Any] | None = None,
    ) -> AsyncGenerator[StreamedResponse]:
        part = await self._next(messages, model_request_parameters)
        yield _Stream(model_request_parameters=model_request_parameters, part=part)

    async def _next(
        self, messages: Sequence[ModelMessage], parameters: ModelRequestParameters
    ) -> TextPart | ToolCallPart:
        self._on_start()
        tools = {tool.name for tool in parameters.function_tools}
        made = own_calls(messages)
        # Feedback on an answer is no question, and nothing that a further search could serve.
        searching = "search_passages" in tools and not (asks_again(messages) and self._offered)
        for number, query in enumerate((self._question, *self._parts[1:2])):
            call = f"{_OWN_CALL}search-{number}"
            if searching and call not in made:
                return ToolCallPart("search_passages", {"query": query}, tool_call_id=call)
        lookup = "lookup_part" in tools and not asks_again(messages)
        for number, query in enumerate(part_queries(self._question, self._parts) if lookup else ()):
            call = f"{_OWN_CALL}part-{number}"
            if call not in made:
                return ToolCallPart("lookup_part", {"query": query, "expecting": "its row"}, tool_call_id=call)
        rows = write_rows(self._question, self._offered)
        others = [part for part in self._parts if not asked_fields(part)] if lookup else []
        if rows and not others:
            return TextPart(rows)
        handles = [handle for handle, passage in self._offered.items() if not isinstance(passage, RowPassage)]
        passages = [self._offered[handle] for handle in handles]
        draft = await asyncio.to_thread(self._compose, others[0] if rows else self._question, passages)
        open_parts = others[:1] if rows and draft.refused else []
        if others and not rows and draft.refused:
            # Neither the catalogue nor the documents answer all of it: the documents may answer the rest.
            draft = await asyncio.to_thread(self._compose, others[0], passages)
            open_parts = [part for part in self._parts if part not in others]
        call = f"{_OWN_CALL}search-within"
        if searching and draft.within and not rows and call not in made:
            arguments = {"query": draft.within.query, "documents": [handles[draft.within.passage]]}
            return ToolCallPart("search_passages", arguments, tool_call_id=call)
        call = f"{_OWN_CALL}read"
        if searching and "read_section" in tools and draft.follow and draft.sentences and call not in made:
            place = handles[draft.sentences[0].passage]
            arguments = {"document": place, "section_path": draft.follow[0]}
            return ToolCallPart("read_section", arguments, tool_call_id=call)
        if rows and draft.refused:
            return TextPart(rows + _missing(open_parts))
        written = write_draft(draft.settled(), handles)
        return TextPart((f"{rows}\n\n" if rows else "") + written + ("" if draft.refused else _missing(open_parts)))


def _missing(parts: Sequence[str]) -> str:
    """Marks for the parts of a question that nothing answers."""
    return "".join(f"\n\n[[missing: {_unmarked(part)[:180].strip(' ?.')}]]" for part in parts)


def own_calls(messages: Sequence[ModelMessage]) -> frozenset[str]:
    """Ids of the calls that the built-in model made in this run, answered, refused or sent back for another try.

    A call that comes back to be tried again (outcome ``retried``) is not made again: the same words would fail again.
    """
    made = {
        part.tool_call_id
        for message in messages
        if isinstance(message, ModelResponse)
        for part in message.parts
        if isinstance(part, ToolCallPart)
    }
    returned = {
        part.tool_call_id
        for message in messages
        if isinstance(message, ModelRequest)
        for part in message.parts
        if isinstance(part, ToolReturnPart)
    }
    return frozenset(call for call in made | returned if call.startswith(_OWN_CALL))


def asks_again(messages: Sequence[ModelMessage]) -> bool:
    """Whether the last message sends an answer back.

    The framework hands that to a model as a user's message in a fence, which is not a new question.
    """
    last = messages[-1] if messages else None
    if not isinstance(last, ModelRequest):
        return False
    return any(
        isinstance(part, RetryFeedbackPart)
        or (isinstance(part, UserPromptPart) and isinstance(part.content, str) and bool(_FEEDBACK.search(part.content)))
        for part in last.parts
    )


def write_draft(draft: Draft, handles: Sequence[str]) -> str:
    """The draft as the loop reads it: quotations, list items and tables, each with the handle of its passage."""
    if draft.refused or not draft.sentences:
        missing = "".join(f" [[missing: {word}]]" for word in map(_unmarked, draft.missing) if word.strip())
        return f"[[none: {draft.reason or 'nothing_fits'}]]{missing if draft.reason == 'identifier_missing' else ''}"
    lines: list[str] = []
    tables: dict[str, None] = {}
    listed = False
    for piece in draft.sentences:
        handle = handles[piece.passage]
        # Of rows only the table of the best one: the others are quoted as rows.
        if piece.kind == "table" or (piece.kind == "row" and not tables):
            tables[handle] = None
        if piece.kind == "table":
            continue
        text = quoted(piece.reading if piece.kind == "row" and piece.reading else piece.text)
        entry = piece.kind in ("list", "row")
        if entry:
            text = _BULLET.sub("", text)  # the item gets one of ours
        # An empty line parts quotations; entries of one list stand line under line.
        lines.append("" if not lines else "\n" if entry and listed else "\n\n")
        lines.append(f"- {text} [[{handle}]]" if entry else f"{text} [[{handle}]]")
        listed = entry
    shown = "\n\n".join(f"[[table:{handle}]]" for handle in tables)
    return "".join(lines) + ("\n\n" + shown if lines and shown else shown)


_BULLET = re.compile(r"^\s*\\?[•●▪■◦‣]\s+")


def _unmarked(text: str) -> str:
    return re.sub(r"[\[\]]", " ", text)


def quoted(text: str) -> str:
    """A quotation that Markdown shows as it is printed, and that carries no mark of its own."""
    line = " ".join(text.split())
    line = line.replace("\\", "\\\\")
    for mark in "`*_":
        # One alone begins nothing; entries and paragraphs do not pair with each other.
        if line.count(mark) > 1:
            line = re.sub(rf"(?<![^\W_])\{mark}|\{mark}(?![^\W_])", rf"\\{mark}", line)
    line = re.sub(r"\[(?=\[)", r"[\\", line)
    # What begins like a list item or a heading would become one.
    return re.sub(r"^(#{1,6}(?=\s)|[-+–•‣>](?=\s)|\d{1,3}(?=[.)]\s)|\|)", _escape_start, line)


def _escape_start(match: re.Match[str]) -> str:
    start = match.group(0)
    return f"{start}\\" if start[0].isdigit() else f"\\{start}"


@dataclass
class _Stream(StreamedResponse):
    """A response that is complete before it streams; text goes out sentence by sentence, as it would from a model."""

    part: TextPart | ToolCallPart
    started: datetime = field(default_factory=lambda: datetime.now(UTC))

    def __post_init__(self) -> None:
        self.finish_reason = "stop"

    async def _get_event_iterator(self) -> AsyncIterator[ModelResponseStreamEvent]:
        if isinstance(self.part, ToolCallPart):
            yield self._parts_manager.handle_tool_call_part(
                vendor_part_id="call",
                tool_name=self.part.tool_name,
                args=self.part.args_as_dict(),
                tool_call_id=self.part.tool_call_id,
            )
            return
        for piece in re.findall(r".+?(?:\n+|$)", self.part.content, re.DOTALL):
            for event in self._parts_manager.handle_text_delta(vendor_part_id="text", content=piece):
                yield event

    @property
    def model_name(self) -> str:
        return BUILT_IN

    @property
    def provider_name(self) -> str:
        return "pincite"

    @property
    def provider_url(self) -> None:
        return None

    @property
    def timestamp(self) -> datetime:
        return self.started
