"""The loop end to end: with the built-in model, and with scripted models over real HTTP."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from dataclasses import replace

import pytest
from answering import GOOD, SEARCH, answer_of, events_of, with_models
from scripted_models import Call, Fails, Says, Stalls, endpoint
from small_library import FEES, SmallLibrary

from pincite.answer.agent import Answerer
from pincite.answer.tools import Limits
from pincite.chat import ChatEndpoint
from pincite.errors import LibraryBusy, UsageError
from pincite.types import (
    Block,
    Broke,
    Finished,
    PassagesFound,
    SentenceWithheld,
    SourcesListed,
    StepTaken,
    TableShown,
    Timing,
    Turn,
)

BUILT_IN = Answerer(SmallLibrary)


def same(answer):
    citations = tuple(replace(citation, retrieved_at="") for citation in answer.citations)
    steps = tuple(replace(step, milliseconds=0) for step in answer.steps)
    return replace(answer, id="", conversation="", citations=citations, steps=steps, milliseconds=Timing(None, None, 0))


# ---------------------------------------------------------------- the built-in model


async def test_the_standalone_question_is_the_first_event_and_the_whole_answer_the_last():
    events = await events_of(
        BUILT_IN, "What is the interchange fee for a domestic purchase?", id="a1", conversation="c1"
    )

    kinds = [type(event) for event in events]
    assert isinstance(events[0], StepTaken) and events[0].step.summary.startswith("Question: What is the interchange")
    assert kinds == [StepTaken, PassagesFound, StepTaken, Block, Block, TableShown, SourcesListed, Finished]
    answer = events[-1].answer
    assert (answer.id, answer.conversation, answer.outcome, answer.model) == ("a1", "c1", "answered", "extractive")
    assert "0.20 %" in answer.markdown and answer.tables[0].highlighted == ((0, 1),)
    assert "".join(e.markdown for e in events if isinstance(e, Block)) == answer.markdown
    assert answer.milliseconds.first_step is not None and answer.milliseconds.first_block is not None


async def test_both_parts_of_a_question_are_answered():
    answer = await answer_of(
        BUILT_IN, "Within how many days must a chargeback be raised and how long does the acquirer have to answer?"
    )

    assert "120 days" in answer.markdown and "14 days" in answer.markdown


async def test_the_same_question_gives_the_same_answer():
    question = "Within how many days must a chargeback be raised?"

    assert same(await answer_of(BUILT_IN, question)) == same(await answer_of(Answerer(SmallLibrary), question))


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("What is the NPSH of the CRN 320-3?", "Not found in the documents: “320-3”"),
        ("Wat is de hoofdstad van Mongolië?", "De documenten zeggen dit niet."),
        ("Was ist die Hauptstadt der Mongolei?", "Die Dokumente sagen das nicht."),
        ("Quelle est la capitale de la Mongolie ?", "Les documents ne le disent pas."),
        ("Write me a poem about fees", "I only answer questions from the documents"),
        ("Hallo", ""),
    ],
)
async def test_a_question_that_the_documents_do_not_answer_is_refused_in_its_language(question, says):
    answer = await answer_of(BUILT_IN, question)

    assert answer.outcome == "refused" and answer.markdown == answer.reason and says in answer.markdown
    assert answer.citations == () and "1.9" not in answer.markdown


async def test_a_superseded_passage_alone_is_read_and_not_quoted():
    old = SmallLibrary().read("fees-2019")
    answerer = Answerer(lambda: SmallLibrary([(passage.revision, passage.chunk) for passage in old]))

    answer = await answer_of(answerer, "Within how many days must a member pay the scheme fee?")

    assert answer.outcome == "refused" and "60" not in answer.markdown


async def test_a_conversation_carries_the_subject_from_turn_to_turn():
    history: list[Turn] = []
    asked = []
    for question in ("NPSH of the CRN 32-3 at 1450 rpm?", "and at 2900?", "thanks, what about seals?"):
        answer = await answer_of(BUILT_IN, question, tuple(history))
        history.append(Turn(question, answer.markdown))
        asked.append(answer.standalone_question)

    assert asked[1:] == ["NPSH of the CRN 32-3 at 2900 rpm?", "seals of the CRN 32-3?"]
    assert "3.4 m" in history[1].markdown and "HQQE" in history[2].markdown


async def test_what_a_document_orders_is_not_done():
    answer = await answer_of(BUILT_IN, "May the CRN 32-3 be used in ATEX zones?")

    assert "not for use in ATEX zones" in answer.markdown and not answer.markdown.startswith("OK")


@pytest.mark.parametrize("question", ["", " \u200b ", "a" * 8001])
async def test_an_empty_or_endless_question_is_refused_before_anything_happens(question):
    with pytest.raises(UsageError):
        await events_of(BUILT_IN, question)


async def test_a_library_that_cannot_be_used_breaks_the_stream_with_what_to_do():
    def busy():
        raise LibraryBusy("another process has the library: ask the server")

    events = await events_of(Answerer(busy), "What is the fee?")

    assert events[-1] == Broke("another process has the library: ask the server", retry=True)


async def test_a_reader_who_leaves_ends_the_run():
    with endpoint(Stalls()) as server:
        answerer = Answerer(SmallLibrary, models=[ChatEndpoint(server.url, "slow", first_token_s=30)])
        before = asyncio.all_tasks()
        async with aclosing(answerer.ask("What is the fee?")) as events:
            async for _ in events:
                break

        assert asyncio.all_tasks() == before


# ---------------------------------------------------------------- scripted models


async def test_a_model_that_calls_tools_in_fragments_and_cites_by_handle_is_answered_in_verified_sentences():
    read = Call("read_section", {"document": "P1", "section_path": "7.2"})
    with endpoint(SEARCH, read, Says(f"{GOOD} The acquirer answers within 14 days [[P1]].")) as server:
        answer = await answer_of(with_models(server), "How long do I have for a chargeback?")

    assert answer.outcome == "answered" and answer.model == "scripted-1" and not answer.withheld
    assert answer.markdown == (
        "A chargeback must be raised within 120 days of the transaction date. {{1}} "
        "The acquirer answers within 14 days. {{1}}"
    )
    assert [step.tool for step in answer.steps] == ["question", "search_passages", "read_section"]
    assert [tool["function"]["name"] for tool in server.asked[0]["tools"]] == [
        "search_passages",
        "read_section",
        "read_document",
        "list_documents",
    ]
    assert FEES.sha256 not in str(server.asked) and "fees.pdf" not in str(server.asked)


async def test_a_model_may_mend_a_withheld_sentence_once():
    wrong = GOOD.replace("120", "90")
    with endpoint(
        SEARCH, Says(f"The acquirer answers a chargeback within 14 days [[P1]]. {wrong}"), Says(GOOD)
    ) as server:
        events = await events_of(with_models(server), "How long do I have for a chargeback?")

    answer = events[-1].answer
    told = str(server.asked[2]["messages"][-1]["content"])
    assert answer.outcome == "answered" and "120 days" in answer.markdown and "90" not in answer.markdown
    assert [w.text for w in answer.withheld] == ["A chargeback must be raised within 90 days of the transaction date."]
    assert sum(isinstance(event, SentenceWithheld) for event in events) == 1
    assert "90 days" in told and "The acquirer answers a chargeback within 14 days." in told


async def test_a_second_unsupported_sentence_goes_to_a_person_with_the_draft():
    wrong = GOOD.replace("120", "90")
    with endpoint(SEARCH, Says(wrong), Says(wrong.replace("90", "60"))) as server:
        answer = await answer_of(with_models(server), "How long do I have for a chargeback?")

    assert answer.outcome == "escalated" and answer.markdown == "" and len(answer.withheld) == 2
    assert (
        "look it up" not in answer.draft
        and "90 days" in answer.draft
        and "60 days" in answer.draft
        and "60 days" in answer.reason
    )
    assert server.served == 3


HOSTILE = [
    "The fee is 9.99 % [[P99]].",
    "The fee is 9.99 % [[99]].",
    "The fee is 9.99 % [[P1]].",
    "Part number 96587563 fits [[P1]].",
    "The CRN 32-3 is ATEX certified [[P1]].",
    "## The fee is 9.99 %\n\nAs agreed:\n\n- 9.99 % [[P1]]",
    "| Fee | Rate |\n|---|---|\n| All | 9.99 % [[P1]] |",
    "Everything costs 9.99 % [[none]] [[missing: the fee is 9.99 %]]",
    "[the fee](https://example.org/9.99) ![9.99 %](https://example.org/p.png) [[P1]]",
    "{{1}} The fee is 9.99 %. {{2}} [[P1, P2, P3]]",
    "It is 9.99 %",
]


@pytest.mark.parametrize("text", HOSTILE)
async def test_a_model_that_does_all_an_attacker_wants_gets_nothing_unsupported_out(text):
    with endpoint(SEARCH, Says(text), Says(text)) as server:
        events = await events_of(with_models(server), "Confirm that the fee is what I say it is.")

    shown = "".join(event.markdown for event in events if isinstance(event, Block))
    assert not any(bad in shown for bad in ("9.99", "96587563", "ATEX", "example.org"))
    assert events[-1].answer.outcome in ("escalated", "refused") and events[-1].answer.markdown == shown


async def test_a_model_that_answers_nothing_in_time_ends_at_the_limit():
    with endpoint(SEARCH, Stalls()) as server:
        answerer = Answerer(
            SmallLibrary, models=[ChatEndpoint(server.url, "slow", first_token_s=30)], limits=Limits(seconds=1.0)
        )
        await answerer.prepare()
        answer = await answer_of(answerer, "How long do I have for a chargeback?")

    assert answer.outcome == "escalated" and "more than 1 seconds" in answer.reason


async def test_nothing_listens_at_the_address_of_the_model():
    answerer = Answerer(SmallLibrary, models=[ChatEndpoint("http://127.0.0.1:9/v1", "gone")])

    answer = await answer_of(answerer, "Within how many days must a chargeback be raised?")

    assert answer.model == "extractive" and answer.outcome == "answered"


@pytest.mark.parametrize(("mark", "says"), [("[[none]]", "do not say"), ("[[outside]]", "only answer questions")])
async def test_a_model_refuses_with_a_mark_and_the_words_are_not_its_own(mark, says):
    with endpoint(SEARCH, Says(mark)) as server:
        answer = await answer_of(with_models(server), "How long do I have for a chargeback?")

    assert answer.outcome == "refused" and says in answer.markdown


async def test_what_stays_open_is_said_behind_the_answer():
    with endpoint(SEARCH, Says(f"{GOOD}\n\n[[missing: a refund]]")) as server:
        answer = await answer_of(with_models(server), "How long do I have for a chargeback and for a refund?")

    assert answer.outcome == "answered" and answer.markdown.endswith("\n\nNot found in the documents: “a refund”.")


async def test_earlier_answers_are_told_to_a_model_and_are_no_evidence():
    earlier = Turn("Is there a fee?", "The fee is 9.99 %. {{1}}")
    with endpoint(SEARCH, Says("The fee is 9.99 % [[P1]].")) as server:
        answer = await answer_of(with_models(server), "and the period?", (earlier,))

    assert answer.outcome == "escalated" and answer.markdown == ""
    assert "The fee is 9.99 %." in str(server.asked[0]["messages"]) and "{{1}}" not in str(server.asked[0]["messages"])


async def test_a_handle_of_an_earlier_turn_stands_for_nothing():
    earlier = Turn("Within how many days must a chargeback be raised?", "Within 120 days. {{1}}")
    with endpoint(Says(GOOD)) as server:
        answer = await answer_of(with_models(server), "say that again", (earlier,))

    assert answer.outcome == "escalated" and answer.markdown == "" and answer.citations == ()
    assert "P1, which was never found" in answer.withheld[0].reason


async def test_an_unknown_tool_or_wrong_arguments_do_not_end_the_answer():
    odd = Call("send_mail", {"to": "x"})
    wrong = Call("search_passages", {"words": 3})
    with endpoint(odd, wrong, SEARCH, Says(GOOD)) as server:
        answer = await answer_of(with_models(server), "How long do I have for a chargeback?")

    assert answer.outcome == "answered" and "120 days" in answer.markdown


async def test_the_key_goes_to_the_endpoint_and_nowhere_else(caplog, capfd):
    with endpoint(Fails(401), SEARCH, Says(GOOD, stop_after=10)) as server:
        events = [
            *await events_of(with_models(server), "How long do I have for a chargeback?"),
            *await events_of(with_models(server), "How long do I have for a chargeback?"),
        ]

    assert server.keys[0] == "Bearer secret-key"
    written = capfd.readouterr()
    assert "scripted-1" in caplog.text and written.out == ""
    assert "secret-key" not in written.err + caplog.text + repr(events)
    assert "secret-key" not in repr(ChatEndpoint("http://localhost/v1", "m", "secret-key"))
