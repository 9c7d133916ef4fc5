"""Every kind of endpoint over real HTTP: what works, and what may go wrong on the way."""

from __future__ import annotations

import time

import pytest
from answering import GOOD, QUESTION, SEARCH, answer_of, with_models
from scripted_models import PATHS, Declines, Fails, Rubbish, Says, Stalls, endpoint

from pincite.chat import Price
from pincite.types import ModelUsage

WIRES = ("openai", "azure", "anthropic")
TOOLS = ["search_passages", "read_section", "read_document", "list_documents"]


def replaced(answer):
    return [step.summary for step in answer.steps if step.tool == "model"]


@pytest.mark.parametrize("wire", WIRES)
async def test_an_endpoint_is_asked_in_its_own_protocol_with_fragmented_calls(wire):
    with endpoint(SEARCH, Says(GOOD), wire=wire, piece=3) as server:
        answer = await answer_of(with_models(server))

    assert answer.outcome == "answered" and "120 days" in answer.markdown and answer.model == "scripted-1"
    assert [step.tool for step in answer.steps] == ["question", "search_passages"] and not answer.withheld
    assert set(server.paths) == {PATHS[wire]}
    assert set(server.keys) == {"secret-key" if wire == "azure" else "Bearer secret-key"}
    named = [tool.get("function", tool)["name"] for tool in server.asked[0]["tools"]]
    assert named == TOOLS
    assert "transaction date" in str(server.asked[1]["messages"])


@pytest.mark.parametrize("wire", WIRES)
async def test_tokens_and_costs_are_counted(wire):
    with endpoint(SEARCH, Says(GOOD), wire=wire) as server:
        answer = await answer_of(with_models(server, options={"price": Price(2.0, 10.0, 0.5)}))

    # Each response: 600 tokens at 2, 400 at 0.5 and 50 at 10 a million.
    assert answer.usage == (ModelUsage("scripted-1", 2, 2000, 800, 100, pytest.approx(2 * 0.0019)),)


async def test_without_a_price_tokens_are_counted_and_costs_are_unknown():
    with endpoint(SEARCH, Says(GOOD)) as server:
        answer = await answer_of(with_models(server))

    assert answer.usage == (ModelUsage("scripted-1", 2, 2000, 800, 100, None),)


async def test_tokens_that_an_endpoint_does_not_say_are_estimated_and_said_to_be():
    with endpoint(SEARCH, Says(GOOD), usage=None) as server:
        (used,) = (await answer_of(with_models(server))).usage

    # The instructions and what was found are hundreds of words; the sentence has thirteen.
    assert used.estimated and used.requests == 2 and used.input_tokens > 1000 and 13 <= used.output_tokens < 60


async def test_the_built_in_model_costs_nothing():
    assert (await answer_of(with_models())).usage == ()


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize(
    ("failure", "why"),
    [
        (Fails(401), "it refused the key"),
        (Fails(404), "the endpoint does not know it"),
        (Fails(429), "it is busy"),
        (Fails(500), "it failed"),
        (Stalls(), "it did not answer in time"),
        (Rubbish(), "it broke off"),
        (Declines(), "it declined to answer"),
    ],
)
async def test_whatever_is_wrong_with_an_endpoint_the_next_model_answers_and_says_why(wire, failure, why):
    with endpoint(failure, wire=wire) as server:
        answer = await answer_of(with_models(server))

    assert answer.outcome == "answered" and answer.model == "extractive" and "120 days" in answer.markdown
    assert replaced(answer) == [f"The model scripted-1 could not be used ({why}); the built-in model answers instead"]
    assert server.served == 1


@pytest.mark.parametrize("wire", WIRES)
async def test_a_busy_endpoint_gets_the_short_pause_that_it_asks_for(wire):
    with endpoint(Fails(429, retry_after="1"), SEARCH, Says(GOOD), wire=wire) as server:
        begun = time.monotonic()
        answer = await answer_of(with_models(server, options={"first_token_s": 5.0}))

    assert answer.model == "scripted-1" and server.served == 3 and time.monotonic() - begun >= 1.0


@pytest.mark.parametrize("asks", ["60", "Wed, 21 Oct 2099 07:28:00 GMT"])
async def test_a_busy_endpoint_is_not_waited_for_when_it_asks_for_much(asks):
    with endpoint(Fails(429, retry_after=asks)) as server:
        answer = await answer_of(with_models(server))

    assert answer.model == "extractive" and server.served == 1


@pytest.mark.parametrize("wire", WIRES)
async def test_a_stream_that_breaks_before_anything_was_shown_is_taken_over(wire):
    with endpoint(SEARCH, Says(GOOD, stop_after=10), wire=wire) as server:
        answer = await answer_of(with_models(server))

    assert answer.model == "extractive" and answer.outcome == "answered" and "120 days" in answer.markdown
    assert replaced(answer) == [
        "The model scripted-1 could not be used (it broke off); the built-in model answers instead"
    ]
    assert answer.usage[0].estimated


@pytest.mark.parametrize("wire", WIRES)
async def test_a_stream_that_breaks_after_a_sentence_goes_to_a_person(wire):
    text = f"{GOOD} The acquirer answers a chargeback within 14 days unless"
    with endpoint(SEARCH, Says(text, stop_after=len(text) - 5), wire=wire) as server:
        answer = await answer_of(with_models(server))

    assert answer.outcome == "escalated" and "120 days" in answer.markdown and "14 days" not in answer.markdown
    assert "14 days" in answer.draft and "broke off" in answer.reason


@pytest.mark.parametrize("wire", WIRES)
async def test_an_answer_that_is_cut_at_the_endpoints_limit_does_not_show_its_last_words(wire):
    with endpoint(SEARCH, Says(f"{GOOD} The acquirer answers within 14", reason="length"), wire=wire) as server:
        answer = await answer_of(with_models(server))

    assert answer.outcome == "escalated" and "14" not in answer.markdown and "120 days" in answer.markdown


@pytest.mark.parametrize("wire", WIRES)
async def test_a_slow_stream_is_read_to_its_end(wire):
    with endpoint(SEARCH, Says(GOOD, pause_s=0.02), wire=wire) as server:
        answer = await answer_of(with_models(server, options={"silence_s": 1.0}))

    assert answer.model == "scripted-1" and "120 days" in answer.markdown


async def test_a_stream_that_falls_silent_counts_as_broken():
    with endpoint(SEARCH, Says(GOOD, pause_s=3.0)) as server:
        answer = await answer_of(with_models(server, options={"silence_s": 0.3}))

    assert answer.model == "extractive" and "120 days" in answer.markdown


async def test_a_model_that_failed_is_not_asked_again_for_the_same_answer():
    with endpoint(Stalls()) as slow, endpoint(SEARCH, SEARCH, Says(GOOD)) as sound:
        answer = await answer_of(with_models(slow, sound))

    assert answer.model == "scripted-2" and slow.served == 1 and sound.served == 3
    assert replaced(answer) == [
        "The model scripted-1 could not be used (it did not answer in time); scripted-2 answers instead"
    ]


async def test_the_next_model_goes_on_where_the_one_before_it_broke_off():
    with endpoint(SEARCH, Fails(500)) as first, endpoint(Says(GOOD)) as second:
        answer = await answer_of(with_models(first, second))

    told = str(second.asked[0]["messages"])
    assert answer.model == "scripted-2" and answer.outcome == "answered"
    assert "chargeback raised within days" in told and "transaction date" in told
    assert [one.model for one in answer.usage] == ["scripted-1", "scripted-2"]


async def test_the_next_model_goes_on_after_a_stream_that_broke():
    with endpoint(SEARCH, Says(GOOD, stop_after=10)) as first, endpoint(Says(GOOD)) as second:
        answer = await answer_of(with_models(first, second))

    told = str(second.asked[0]["messages"])
    assert answer.model == "scripted-2" and answer.outcome == "answered" and "transaction date" in told
    assert "I will look" in told and GOOD[:10] + "k" not in told and answer.markdown.count("120 days") == 1


async def test_the_built_in_model_has_its_searches_when_the_one_before_it_used_them_up():
    searches = [SEARCH] * 8
    with endpoint(*searches, Fails(500)) as server:
        answer = await answer_of(with_models(server))

    assert answer.model == "extractive" and answer.outcome == "answered"


@pytest.mark.parametrize("language", ["nl", "de", "fr"])
async def test_that_another_model_answers_is_said_in_the_language_of_the_question(language):
    question = {
        "nl": "Binnen hoeveel dagen moet een chargeback worden ingediend?",
        "de": "Innerhalb von wie vielen Tagen muss ein Chargeback eingereicht werden?",
        "fr": "Dans quel délai un chargeback doit-il être déposé ?",
    }[language]
    with endpoint(Fails(401)) as server:
        said = replaced(await answer_of(with_models(server), question))

    assert said == [
        {
            "nl": "Het model scripted-1 was niet bruikbaar (het weigerde de sleutel); het ingebouwde model antwoordt",
            "de": "Das Modell scripted-1 war nicht zu gebrauchen (es lehnte den Schlüssel ab); das eingebaute Modell "
            "antwortet",
            "fr": "Le modèle scripted-1 n'a pas pu être utilisé (il a refusé la clé) ; le modèle intégré répond",
        }[language]
    ]


@pytest.mark.parametrize("wire", WIRES)
async def test_the_key_is_in_no_event_no_log_and_no_message(wire, caplog, capfd):
    with endpoint(SEARCH, Says(GOOD, stop_after=10), Fails(401), wire=wire) as server:
        answers = [await answer_of(with_models(server)), await answer_of(with_models(server), QUESTION)]

    written = capfd.readouterr()
    assert "secret-key" not in written.out + written.err + caplog.text + repr(answers) + str(server.asked)
