"""Asking over HTTP: events in order, nothing lost, nothing taken back."""

import asyncio
import json
import sqlite3

import pytest
from serve_scripted import FEES

from pincite.serve.wire import read_answer


def parse(text):
    """Server-sent events as (id, type, data); comments are dropped."""
    events = []
    for block in text.split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.split("\n") if line and not line.startswith(":"))
        if fields:
            events.append((fields["id"], fields["event"], json.loads(fields["data"])))
    return events


async def chat(client, question="What are the fees?", **more):
    if "conversation" in more:
        client.know(more["conversation"])
    response = await client.post("/api/chat", json={"question": question, **more})
    assert response.status_code == 200, response.text
    return parse(response.text)


async def begin_to_wait(client, question="wait", conversation="c1"):
    """An answer that is running, by its id."""
    client.know(conversation)
    task = asyncio.create_task(client.post("/api/chat", json={"question": question, "conversation": conversation}))
    while True:
        found = await client.get(f"/api/conversations/{conversation}")
        if found.status_code == 200 and found.json()["unfinished"]:
            return found.json()["unfinished"][0]["id"], task
        await asyncio.sleep(0.01)


async def test_an_answer_comes_as_numbered_events_with_the_outcome_last(client):
    events = await chat(client)

    answer = events[-1][2]["id"]
    assert [type for _, type, _ in events] == ["step", "passages", "block", "withheld", "sources", "outcome"]
    assert [id for id, _, _ in events] == [f"{answer}:{n}" for n in range(1, 7)]


async def test_the_answer_is_the_same_from_every_door(client):
    events = await chat(client)
    outcome = events[-1][2]

    kept = (await client.get(f"/api/answers/{outcome['id']}")).json()
    conversation = (await client.get(f"/api/conversations/{outcome['conversation']}")).json()

    assert kept == outcome and conversation["answers"] == [outcome]
    assert read_answer(kept).citations[0].pages[0].boxes == ((72.0, 500.0, 300.0, 512.0),)
    assert {"id", "conversation", "standalone_question", "outcome", "markdown", "tables", "release"} <= outcome.keys()


async def test_an_answer_that_went_well_leaves_nothing_in_the_log(client, caplog):
    await chat(client)

    assert not [record for record in caplog.records if record.name.startswith("pincite")]


async def test_passages_are_named_without_their_text_or_score(client):
    events = await chat(client)

    first = events[1][2]["passages"][0]
    assert first == {
        "id": "p1",
        "document": "fees",
        "source": "- Fees [rev 3] (NL).pdf",
        "revision": "3",
        "sha256": FEES,
        "standing": "citable",
        "title": "Scheme fees",
        "section": ["4 Fees"],
        "pages": [2],
        "kind": "text",
    }


async def test_text_of_an_answer_cannot_forge_an_event(client):
    events = await chat(client)

    assert [type for _, type, _ in events].count("outcome") == 1
    assert "\n\nevent: outcome\r\ndata: {}" in events[2][2]["markdown"]


async def test_asking_without_a_stream_gives_the_whole_answer(client):
    response = await client.post("/api/ask", json={"question": "  What are the fees?  "})

    assert response.json()["question"] == "What are the fees?"
    assert response.json()["outcome"] == "answered"


async def test_a_follow_up_gets_the_turns_before_it(client, answerer):
    first = (await client.post("/api/ask", json={"question": "fees?"})).json()
    await client.post("/api/ask", json={"question": "and abroad?", "conversation": first["conversation"]})

    question, conversation, history = answerer.asked[1]
    assert (question, conversation) == ("and abroad?", first["conversation"])
    assert [turn.question for turn in history] == ["fees?"] and history[0].markdown == first["markdown"]


@pytest.mark.parametrize("door", ["/api/ask", "/api/chat"])
async def test_a_conversation_that_is_not_known_is_refused_and_not_begun(client, answerer, door):
    response = await client.post(door, json={"question": "and abroad?", "conversation": "my-talk_1"})

    assert response.status_code == 404 and "no such conversation" in response.json()["message"]
    assert (await client.get("/api/conversations")).json()["conversations"] == [] and not answerer.asked
    assert (await client.post(door, json={"question": "fees?"})).status_code == 200


async def test_a_conversation_that_was_deleted_is_not_gone_on_with(client):
    first = (await client.post("/api/ask", json={"question": "fees?"})).json()
    await client.delete(f"/api/conversations/{first['conversation']}")

    response = await client.post("/api/ask", json={"question": "and?", "conversation": first["conversation"]})

    assert response.status_code == 404


@pytest.mark.parametrize("name", ["", "a b", "../x", "x" * 65, 'x"', 7])
async def test_a_conversation_of_an_impossible_name_is_refused(client, name):
    response = await client.post("/api/ask", json={"question": "fees?", "conversation": name})

    assert response.status_code == 422 and response.json()["message"].startswith("conversation: ")


async def test_a_fault_inside_is_a_sentence_and_no_trace(client):
    events = await chat(client, "please break")

    assert [type for _, type, _ in events] == ["step", "error"]
    assert events[-1][2]["retry"] and "ask again" in events[-1][2]["message"]
    assert "secret" not in str(events) and "Traceback" not in str(events)


async def test_what_the_user_can_mend_is_said_as_it_is(client):
    events = await chat(client, "the model is away")
    whole = await client.post("/api/ask", json={"question": "the model is away"})

    message = "the model at http://localhost:1 does not answer: check its address"
    assert events[-1][1:] == ("error", {"message": message, "retry": True})
    assert (whole.status_code, whole.json()) == (503, {"message": message})


async def test_a_question_that_the_answer_room_refuses_is_the_askers_to_mend(client):
    whole = await client.post("/api/ask", json={"question": "unreadable"})
    events = await chat(client, "unreadable")

    assert (whole.status_code, whole.json()["message"]) == (422, "write what you want to know")
    assert events[-1][1:] == ("error", {"message": "write what you want to know", "retry": False})


async def test_an_answer_that_just_ends_is_an_error_not_a_silence(client):
    events = await chat(client, "vanish")

    assert [type for _, type, _ in events] == ["step", "error"]


async def test_an_answer_goes_on_when_its_connection_drops(client, answerer):
    id, connection = await begin_to_wait(client)
    connection.cancel()
    await asyncio.sleep(0.05)
    answerer.go.set()

    rest = await client.get(f"/api/answers/{id}/events", headers={"Last-Event-ID": f"{id}:1"})

    assert [type for _, type, _ in parse(rest.text)] == ["passages", "block", "withheld", "sources", "outcome"]
    assert (await client.get(f"/api/answers/{id}")).status_code == 200


async def test_several_can_follow_one_answer_and_see_the_same(client, answerer):
    id, first = await begin_to_wait(client)
    others = [asyncio.create_task(client.get(f"/api/answers/{id}/events")) for _ in range(5)]
    await asyncio.sleep(0.05)
    answerer.go.set()

    seen = {str(parse((await task).text)) for task in [first, *others]}

    assert len(seen) == 1


@pytest.mark.parametrize("seen", range(7))
async def test_a_finished_answer_resumes_from_the_journal_after_any_event(client, seen):
    events = await chat(client)
    id = events[-1][2]["id"]

    rest = await client.get(f"/api/answers/{id}/events", headers={"Last-Event-ID": f"{id}:{seen}"})

    assert parse(rest.text) == events[seen:]
    assert rest.status_code == (204 if seen == 6 else 200)


@pytest.mark.parametrize(
    "odd", ["-1", "9999999999999999999", "x:1", "{id}:-1", "{id}:99999999999999999999", ":", "{id}:²"]
)
async def test_an_odd_last_event_id_never_loses_an_event(client, odd):
    events = await chat(client)
    id = events[-1][2]["id"]

    headers = {"Last-Event-ID": odd.replace("{id}", id).encode("latin-1")}
    rest = await client.get(f"/api/answers/{id}/events", headers=headers)

    assert parse(rest.text) == events


async def test_heartbeats_keep_a_silent_connection_open(client, answerer):
    _, connection = await begin_to_wait(client)
    await asyncio.sleep(0.2)
    answerer.go.set()

    text = (await connection).text

    assert text.count(": still answering\n\n") >= 2 and parse(text)[-1][1] == "outcome"


async def test_a_stopped_answer_says_so_and_lets_go_of_its_work(client, answerer):
    id, connection = await begin_to_wait(client)

    stopped = await client.post(f"/api/answers/{id}/stop")

    assert stopped.status_code == 204 and answerer.closed == [id]
    assert parse((await connection).text)[-1][1:] == (
        "error",
        {"message": "You stopped this answer: ask again when you want it.", "retry": True},
    )
    assert (await client.get(f"/api/answers/{id}")).status_code == 409
    assert (await client.get("/api/conversations/c1")).json()["unfinished"][0]["running"] is False


async def test_an_answer_can_be_stopped_before_it_began(make_client, answerer):
    async with make_client() as client:
        run = await client.app.state.answering.begin("wait", None)
        await client.app.state.answering.stop([run.id])

    assert run.over and answerer.asked == []


async def test_stopping_what_has_ended_changes_nothing(client):
    events = await chat(client)
    id = events[-1][2]["id"]

    assert (await client.post(f"/api/answers/{id}/stop")).status_code == 204
    assert (await client.get(f"/api/answers/{id}")).json() == events[-1][2]


async def test_a_conversation_deleted_while_it_is_answered_stays_deleted(client, answerer):
    id, connection = await begin_to_wait(client)

    assert (await client.delete("/api/conversations/c1")).status_code == 204

    assert parse((await connection).text)[-1][1] == "error"
    assert (await client.get("/api/conversations/c1")).status_code == 404
    assert (await client.get(f"/api/answers/{id}")).status_code == 404
    assert (await client.get(f"/api/answers/{id}/events")).status_code == 404


async def test_an_answer_cut_off_by_a_restart_is_told_to_be_asked_again(client, journal):
    await journal.begin("cut", conversation="c1", question="fees?")

    events = parse((await client.get("/api/answers/cut/events")).text)

    assert events == [
        ("cut:1", "error", {"message": "Pincite was restarted while it was answering: ask again.", "retry": True})
    ]


async def test_conversations_are_renamed_searched_and_deleted(client):
    client.know("c1", "c2")
    await client.post("/api/ask", json={"question": "fees?", "conversation": "c1"})
    await client.post("/api/ask", json={"question": "seals?", "conversation": "c2"})

    assert (await client.patch("/api/conversations/c1", json={"title": "  Money "})).status_code == 204
    found = (await client.get("/api/conversations", params={"search": "money"})).json()["conversations"]
    assert [(c["id"], c["title"], c["turns"]) for c in found] == [("c1", "Money", 1)]
    assert found[0]["updated"].endswith("Z")

    assert (await client.delete("/api/conversations/c1")).status_code == 204
    assert [c["id"] for c in (await client.get("/api/conversations")).json()["conversations"]] == ["c2"]


async def test_every_conversation_is_reached_page_by_page_and_none_twice(client):
    # Also those of one moment: `know` gives all the same time.
    asked = {f"c{n:03}" for n in range(123)}
    client.know(*asked)
    seen, after = [], ""

    while after is not None:
        page = (await client.get("/api/conversations", params={"after": after})).json()
        seen += [c["id"] for c in page["conversations"]]
        after = page["next"]
        if len(seen) == 50:  # what is deleted meanwhile moves nothing
            await client.delete(f"/api/conversations/{seen[-1]}")

    assert len(seen) == len(set(seen)) == 123
    assert set(seen) == asked


@pytest.mark.parametrize("after", [" ", "x", "2026-11-30T12:00:00Z", "'; drop table conversations; -- x"])
async def test_a_place_in_the_list_that_means_nothing_is_harmless(client, after):
    client.know("c1")

    assert (await client.get("/api/conversations", params={"after": after})).status_code == 200


async def test_feedback_is_kept_with_the_answer(client, journal):
    id = (await chat(client))[-1][2]["id"]

    response = await client.post(f"/api/answers/{id}/feedback", json={"thumbs": "down", "word": "wrong column"})

    assert response.status_code == 204
    assert (await journal.feedback(id)).word == "wrong column"
    assert (await client.post(f"/api/answers/{id}/feedback", json={"thumbs": "sideways"})).status_code == 422


MADE_UP = [
    ("GET", "/api/answers/{}", None),
    ("GET", "/api/answers/{}/events", None),
    ("POST", "/api/answers/{}/stop", None),
    ("POST", "/api/answers/{}/feedback", {"thumbs": "up"}),
    ("GET", "/api/conversations/{}", None),
    ("PATCH", "/api/conversations/{}", {"title": "x"}),
    ("DELETE", "/api/conversations/{}", None),
]


@pytest.mark.parametrize(("method", "path", "body"), MADE_UP)
async def test_made_up_and_deleted_ids_cannot_be_told_apart(client, method, path, body):
    outcome = (await chat(client, conversation="gone"))[-1][2]
    await client.delete("/api/conversations/gone")
    gone = outcome["id"] if "answers" in path else "gone"

    responses = [
        await client.request(method, path.format(id), json=body) for id in (gone, "f" * 32, "x", "ä", "0" * 500)
    ]

    assert {r.status_code for r in responses} == {404}
    assert len({r.text for r in responses}) == 1


async def test_too_many_answers_at_once_are_told_to_wait(make_client, answerer):
    async with make_client(answers_at_once=1) as client:
        _, connection = await begin_to_wait(client)

        refused = await client.post("/api/chat", json={"question": "fees?"})
        answerer.go.set()
        await connection
        accepted = await client.post("/api/chat", json={"question": "fees?"})

    assert (refused.status_code, accepted.status_code) == (503, 200)
    assert "in a moment" in refused.json()["message"]


def drop_events(path):
    with sqlite3.connect(path, timeout=20) as other:
        other.execute("drop table events")


async def test_a_journal_that_cannot_be_written_does_not_silence_a_running_answer(client, answerer, library):
    _, connection = await begin_to_wait(client)
    await asyncio.to_thread(drop_events, library / "journal.sqlite")
    answerer.go.set()

    assert parse((await connection).text)[-1][1] == "outcome"


async def test_sixteen_conversations_at_once_are_all_journalled(client, journal):
    await asyncio.gather(*(chat(client, f"fees {n}?", conversation=f"c{n}") for n in range(16)))

    assert sorted(c.turns for c in await journal.conversations()) == [1] * 16
