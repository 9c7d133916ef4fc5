"""Asks the loop in tests: an answerer over the small library, with scripted models or without."""

from __future__ import annotations

from scripted_models import Call, Endpoint
from small_library import SmallLibrary

from pincite.answer.agent import Answerer
from pincite.answer.tools import Limits
from pincite.chat import ChatEndpoint
from pincite.types import Finished

QUESTION = "Within how many days must a chargeback be raised?"
SEARCH = Call("search_passages", {"query": "chargeback raised within days"}, say="I will look it up.")
GOOD = "A chargeback must be raised within 120 days of the transaction date [[P1]]."


async def events_of(answerer, question=QUESTION, history=(), **ids):
    return [event async for event in answerer.ask(question, history=history, **ids)]


async def answer_of(answerer, question=QUESTION, history=()):
    last = (await events_of(answerer, question, history))[-1]
    assert isinstance(last, Finished), last
    return last.answer


def endpoint_of(server: Endpoint, name="scripted-1", **options):
    version = "2026-01-01" if server.wire == "azure" else ""
    options = {"first_token_s": 1.0} | options
    return ChatEndpoint(server.url, name, "secret-key", server.wire, api_version=version, **options)


def with_models(*servers: Endpoint, library=SmallLibrary, options=None, **limits):
    endpoints = [endpoint_of(server, f"scripted-{n}", **(options or {})) for n, server in enumerate(servers, 1)]
    return Answerer(library, models=endpoints, limits=Limits(**limits))
