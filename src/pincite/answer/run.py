"""What one answer carries on its way through the loop."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from pincite.answer.phrases import Language
from pincite.answer.stream import VerifiedStream
from pincite.answer.tools import LimitReached, Toolbox
from pincite.types import AnswerEvent

BUILT_IN = "extractive"
"""Name of the model that needs no language model."""


class Log(Protocol):
    """Where events and steps go; the answerer's queue."""

    def emit(self, event: AnswerEvent) -> None: ...

    def say(self, key: str, standalone: str, **values: object) -> None: ...


@dataclass(frozen=True, slots=True)
class Understood:
    """What is known of a question before anything is searched."""

    language: Language
    """In which Pincite speaks to this asker."""
    parts: tuple[str, ...]
    """The questions in it, when it asks more than one thing; else empty."""
    small_talk: str
    """``greeting``, ``out_of_scope`` or nothing."""


@dataclass(slots=True)
class Run:
    """One question, its tools and what was shown."""

    question: str
    standalone: str
    understood: Understood
    toolbox: Toolbox
    verified: VerifiedStream
    log: Log
    model: str = ""
    """Name of the model whose text was read last."""
    mended: bool = False
    """The one chance to mend a withheld sentence was given."""
    unusable: list[str] = field(default_factory=list[str])
    """Models that could not be used, said once each."""
    stopped: LimitReached | None = None
    """Why the answer ended before the model had finished; None when it had."""
