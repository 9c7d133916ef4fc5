"""What one answer carries on its way through the loop."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Protocol

from pincite.answer.phrases import Language
from pincite.answer.stream import VerifiedStream
from pincite.answer.tools import LimitReached, Limits, Toolbox
from pincite.chat import Price
from pincite.types import AnswerEvent, ModelUsage

BUILT_IN = "extractive"
"""Name of the model that needs no language model."""


class Log(Protocol):
    """Where events and steps go; the answerer's queue."""

    def emit(self, event: AnswerEvent) -> None: ...

    def say(self, tool: str, summary: str, **arguments: object) -> None: ...


@dataclass(frozen=True, slots=True)
class Understood:
    """What is known of a question before anything is searched."""

    language: Language
    """In which Pincite speaks to this asker."""
    parts: tuple[str, ...]
    """The questions in it, when it asks more than one thing; else empty."""
    small_talk: str
    """``greeting``, ``out_of_scope`` or nothing."""
    draft: tuple[str, ...] = ()
    """The sentences of a draft that the asker wants to have checked."""


@dataclass(slots=True)
class Spending:
    """The tokens and the money of one answer, against what they may be."""

    limits: Limits
    used: dict[str, ModelUsage] = field(default_factory=dict[str, ModelUsage])

    def add(self, model: str, price: Price | None, tokens: tuple[int, int, int], *, estimated: bool) -> None:
        """Count one response; ``tokens`` are of input, of it cached, and of output."""
        read, cached, written = tokens
        cost = price.of(read, cached, written) if price else None
        before = self.used.get(model, ModelUsage(model, 0, 0, 0, 0, 0.0 if price else None))
        self.used[model] = replace(
            before,
            requests=before.requests + 1,
            input_tokens=before.input_tokens + read,
            cached_tokens=before.cached_tokens + cached,
            output_tokens=before.output_tokens + written,
            cost=None if cost is None or before.cost is None else before.cost + cost,
            estimated=before.estimated or estimated,
        )

    def check(self) -> None:
        """Refuse a further request.

        Raises:
            LimitReached: as many tokens or as much money as one answer may take were spent.
        """
        tokens = sum(one.input_tokens + one.output_tokens for one in self.used.values())
        if tokens >= self.limits.tokens:
            raise LimitReached("tokens", n=self.limits.tokens)
        cost = sum(one.cost or 0.0 for one in self.used.values())
        if self.limits.cost is not None and cost >= self.limits.cost:
            raise LimitReached("cost", n=self.limits.cost)


@dataclass(slots=True)
class Run:
    """One question, its tools and what was shown."""

    question: str
    standalone: str
    understood: Understood
    toolbox: Toolbox
    verified: VerifiedStream
    log: Log
    spending: Spending
    model: str = ""
    """Name of the model whose text was read last, as it calls itself."""
    mended: bool = False
    """The one chance to mend a withheld sentence was given."""
    stopped: LimitReached | None = None
    """Why the answer ended before the model had finished; None when it had."""
