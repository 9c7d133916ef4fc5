"""Questions asked in turn of a running server or of an answerer in this process; the journal keeps nothing of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from pincite.errors import UsageError
from pincite.serve.answering import Answerer
from pincite.serve.client import ask_server, stream_server
from pincite.serve.wire import read_answer
from pincite.types import Answer, Broke, Finished, Turn


def ask_served(library_root: Path, questions: Sequence[str]) -> Answer | Broke:
    """Return the answer to the last of at least one question, from the server of a library.

    The conversation is deleted again, and its id taken out of the answer: questions that nobody asked are no part of
    the journal. The first question that breaks ends it.

    Raises:
        ServeError: If the server went away.
    """
    end: Answer | Broke | None = None
    begun: list[str] = []
    try:
        for question in questions:
            asked = {"question": question, "conversation": begun[-1] if begun else None}
            for event in stream_server(library_root, "/api/chat", asked, on_conversation=begun.append):
                if event["event"] == "outcome":
                    end = replace(read_answer(event["data"]), conversation="")
                elif event["event"] == "error":
                    return Broke(**event["data"])
    except UsageError as error:
        return Broke(str(error), retry=False)
    finally:
        for conversation in set(begun):
            ask_server(library_root, "DELETE", f"/api/conversations/{conversation}")
    assert end is not None
    return end


async def ask_here(answerer: Answerer, questions: Sequence[str]) -> Answer | Broke:
    """Return the answer to the last of at least one question; the first one that breaks ends it."""
    turns: tuple[Turn, ...] = ()
    end: Answer | Broke | None = None
    try:
        for question in questions:
            async for event in answerer.ask(question, conversation="", history=turns, id=""):
                if isinstance(event, Broke):
                    return event
                if isinstance(event, Finished):
                    end = replace(event.answer, conversation="")
                    turns = (*turns, Turn(question, event.answer.markdown))
    except UsageError as error:
        return Broke(str(error), retry=False)
    assert end is not None
    return end
