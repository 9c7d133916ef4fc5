"""A model that loops, floods, spends or meets broken tools ends with a person and its draft, never in silence."""

from __future__ import annotations

import threading
from itertools import islice, permutations

import pytest
from answering import GOOD, QUESTION, SEARCH, answer_of, events_of, with_models
from scripted_models import Call, Says, endpoint
from small_library import SmallLibrary, prose, revision

from pincite.answer.agent import Answerer
from pincite.chat import Price
from pincite.errors import StoreUnavailable
from pincite.types import Broke


async def test_a_model_that_reorders_the_words_of_its_search_eight_times_ends_at_the_limit():
    library = SmallLibrary()
    words = islice(permutations(("chargeback", "raised", "within", "days")), 8)
    calls = [Call("search_passages", {"query": " ".join(order), "expecting": "the period"}) for order in words]
    with endpoint(*calls, Call("list_documents", {"expecting": "more"})) as server:
        answer = await answer_of(with_models(server, library=lambda: library))

    assert answer.outcome == "escalated" and "more than 8 searches and readings" in answer.reason
    assert len(library.searches) == 1 and server.served == 9
    assert "order changes nothing" in str(server.asked[2]["messages"])
    assert "last call" in str(server.asked[8]["messages"])


async def test_before_its_sixth_call_a_model_must_say_what_it_expects():
    library = SmallLibrary()
    words = ("invoice", "surcharge", "seal", "flow", "refund", "chargeback")
    calls = [Call("search_passages", {"query": word}) for word in words]
    told = Call("search_passages", {"query": "chargeback", "expecting": "the period for a chargeback"})
    with endpoint(*calls, told, Says("A chargeback must be raised within 120 days of the transaction date.")) as server:
        answer = await answer_of(with_models(server, library=lambda: library))

    assert "say in `expecting` what new thing" in str(server.asked[6]["messages"])
    assert library.searches == [*words[:5], "chargeback"]
    assert answer.outcome == "answered"


async def test_2500_documents_do_not_flood_a_model():
    many = [(revision(f"d{n}", f"Data sheet of pump number {n}"), prose(0, (), 1, "text")) for n in range(2500)]
    calls = [Call("list_documents", {"page": page, "expecting": "a title"}) for page in (1, 2, 100, 10**9, -5)]
    with endpoint(*calls, Says("[[none]]")) as server:
        answer = await answer_of(
            with_models(server, library=lambda: SmallLibrary(many)), "Which pump is the best known?"
        )

    told = [message for message in server.asked[5]["messages"] if message["role"] == "tool"]
    assert all(message["content"].count("Data sheet") <= 25 and len(message["content"]) < 3000 for message in told)
    assert "2500 documents, page 100 of 100" in told[2]["content"]
    assert answer.outcome == "refused" and "all 2500 documents" in answer.reason


async def test_2500_documents_do_not_flood_the_built_in_model():
    many = [
        (revision(f"d{n}", f"Data sheet of pump number {n}"), prose(0, (), 1, "The rated flow is 7."))
        for n in range(2500)
    ]
    answer = await answer_of(with_models(library=lambda: SmallLibrary(many)), "What does number 1234 weigh in kg?")

    assert answer.outcome == "refused" and len(answer.markdown) < 1000


class Broken(SmallLibrary):
    def __init__(self, error):
        super().__init__()
        self.error = error

    def search(self, question, **filters):
        raise self.error


@pytest.mark.parametrize("models", [0, 1])
async def test_a_library_that_fails_goes_to_a_person_and_not_to_the_documents_do_not_say(models):
    with endpoint(SEARCH, SEARCH, Says("[[none]]")) as server:
        answer = await answer_of(with_models(*[server] * models, library=lambda: Broken(OSError("input/output error"))))

    assert answer.outcome == "escalated" and answer.reason.endswith("the library could not be read.")
    assert answer.markdown == "" and "input/output" not in repr(answer)
    assert "The library could not be read" in [step.summary for step in answer.steps]


async def test_a_library_that_says_what_to_do_breaks_the_stream_with_it():
    error = StoreUnavailable("the Qdrant server does not answer: start it")
    events = await events_of(with_models(library=lambda: Broken(error)))

    assert events[-1] == Broke("the Qdrant server does not answer: start it", retry=False)


async def test_a_tool_that_failed_once_does_not_end_the_answer():
    class Shaky(SmallLibrary):
        def read(self, document):
            raise OSError("input/output error")

    with endpoint(SEARCH, Call("read_document", {"document": "P1"}), Says(GOOD)) as server:
        answer = await answer_of(with_models(server, library=Shaky))

    assert answer.outcome == "answered" and "could not be read" in str(server.asked[2]["messages"])


async def test_a_search_that_never_comes_back_ends_at_the_limit_of_time():
    gone = threading.Event()

    class Hangs(SmallLibrary):
        def search(self, question, **filters):
            gone.wait(20)
            return ()

    answerer = with_models(library=Hangs, seconds=0.5)
    await answerer.prepare()
    answer = await answer_of(answerer)
    gone.set()

    assert answer.outcome == "escalated" and "more than 0.5 seconds" in answer.reason


async def test_tokens_are_limited():
    with endpoint(SEARCH, Call("list_documents", {}), Says(GOOD), usage=(60_000, 0, 100)) as server:
        answer = await answer_of(with_models(server, tokens=100_000))

    assert answer.outcome == "escalated" and "more than 100000 tokens" in answer.reason and server.served == 2


async def test_money_is_limited():
    options = {"price": Price(5.0, 20.0)}
    with endpoint(SEARCH, Call("list_documents", {}), Says(GOOD), usage=(60_000, 0, 100)) as server:
        answer = await answer_of(with_models(server, options=options, cost=0.5))

    assert answer.outcome == "escalated" and "cost more than 0.5" in answer.reason and server.served == 2
    assert answer.usage[0].cost == pytest.approx(0.604)


async def test_an_answer_that_is_complete_is_given_whatever_it_took():
    with endpoint(SEARCH, Says(GOOD), usage=(60_000, 0, 100)) as server:
        answer = await answer_of(with_models(server, tokens=100_000))

    assert answer.outcome == "answered"


async def test_a_model_that_writes_without_end_is_stopped_and_its_draft_kept():
    endless = f"{GOOD} " + "The acquirer answers a chargeback within 14 days [[P1]]. " * 200
    with endpoint(SEARCH, Says(endless), piece=500) as server:
        answer = await answer_of(with_models(server, written_characters=3000))

    assert answer.outcome == "escalated" and "wrote more than" in answer.reason and "120 days" in answer.draft


async def test_arguments_without_end_are_stopped_too():
    with endpoint(Call("search_passages", {"query": "chargeback " * 2000})) as server:
        answer = await answer_of(with_models(server, written_characters=3000))

    assert answer.outcome == "escalated" and "wrote more than" in answer.reason


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        ("Binnen hoeveel dagen moet een chargeback worden ingediend?", "het kostte meer dan 8 keer zoeken en lezen."),
        ("Innerhalb von wie vielen Tagen muss das eingereicht werden?", "es brauchte mehr als 8 Suchen und Lesungen."),
        ("Dans quel délai faut-il déposer cela ?", "il a fallu plus de 8 recherches et lectures."),
    ],
)
async def test_why_an_answer_went_to_a_person_is_said_in_the_language_of_the_question(question, reason):
    with endpoint(SEARCH) as server:
        answer = await answer_of(with_models(server), question)

    assert answer.outcome == "escalated" and answer.reason.endswith(reason)


async def test_without_a_model_nothing_needs_a_network(monkeypatch):
    """No socket is opened: neither for the answer, nor because a key of some provider lies in the environment."""
    import socket

    def refused(*_: object, **__: object) -> None:
        raise AssertionError("a socket was opened")

    for variable in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "AZURE_OPENAI_API_KEY"):
        monkeypatch.setenv(variable, "k")
    for name in ("connect", "connect_ex", "sendto"):
        monkeypatch.setattr(socket.socket, name, refused)
    monkeypatch.setattr(socket, "getaddrinfo", refused)
    monkeypatch.setattr(socket, "create_connection", refused)

    answer = await answer_of(Answerer(SmallLibrary), QUESTION)

    assert answer.outcome == "answered" and answer.model == "extractive" and "120 days" in answer.markdown
