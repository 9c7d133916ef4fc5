"""The journal keeps what was asked and answered, resumes it, and forgets it when told to."""

import asyncio
import json
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import create_engine

from pincite.errors import DiskError, LibraryDamaged, LibraryError
from pincite.journal import Journal, JournalEvent
from pincite.migrations.tables import Base
from pincite.types import Answer, AnswerTable, Cell, Citation, CitedPage, ModelUsage, Step, Timing, Turn, Withheld

FEES = Citation(
    n=1,
    document="fees-2026",
    source="- Fees [rev 3] (NL).pdf",
    title="Scheme fees",
    revision="3",
    sha256="a" * 64,
    section=("4 Fees", "4.2 Cross-border"),
    pages=(CitedPage(page=9, label="3", boxes=((72.0, 500.25, 300.0, 512.0),)),),
    quote="Purchase | 0.20 % | 0.35 %",
    standing="citable",
    retrieved_at="2026-11-30T12:00:00Z",
    url="/view/fees-2026/" + "a" * 64 + "?page=9",
)


def answer(id="a1", conversation="c1", question="What does a domestic purchase cost?", **changes):
    fields = {
        "id": id,
        "conversation": conversation,
        "question": question,
        "standalone_question": question,
        "outcome": "answered",
        "markdown": "A domestic purchase costs 0.20 % {{1}}",
        "citations": (FEES,),
        "tables": (
            AnswerTable(
                id="t1",
                citation=1,
                columns=("Fee", "Domestic", "Cross-border"),
                rows=(("Purchase", "0.20 %", "0.35 %"),),
                highlighted=((0, 1),),
                cells=(Cell(r0=0, r1=1, c0=0, c1=0, text="Fee", box=(1.0, 2.0, 3.0, 4.0), header=True),),
            ),
        ),
        "withheld": (Withheld("It costs 0.35 %.", "0.35 %", "unsupported", "0.35 % is Cross-border"),),
        "steps": (Step("search", {"question": question, "k": 10}, "Searched for “fees”", 12),),
        "model": "extractive-1",
        "release": "r1",
        "milliseconds": Timing(first_step=3, first_block=20, total=41),
    }
    return Answer(**(fields | changes))


async def ask(journal, answered, events=()):
    await journal.begin(answered.id, conversation=answered.conversation, question=answered.question)
    await journal.record(answered.id, events, answered)


@pytest.fixture
async def journal(tmp_path):
    async with Journal(tmp_path / "journal.sqlite") as opened:
        yield opened


async def test_an_answer_comes_back_as_it_was_given(journal):
    given = answer()

    await ask(journal, given)

    assert await journal.answer("a1") == given


async def test_answers_conversations_and_feedback_survive_a_restart(tmp_path):
    async with Journal(tmp_path / "journal.sqlite") as before:
        await ask(before, answer(), [JournalEvent(1, "step", "{}"), JournalEvent(2, "outcome", '{"id": "a1"}')])
        await before.give_feedback("a1", "down", "wrong column")

    async with Journal(tmp_path / "journal.sqlite") as after:
        assert await after.answer("a1") == answer()
        assert [e.type for e in await after.events("a1")] == ["step", "outcome"]
        assert [c.title for c in await after.conversations()] == ["What does a domestic purchase cost?"]
        said = await after.feedback("a1")
        assert said is not None and (said.thumbs, said.word) == ("down", "wrong column")


USED = (ModelUsage("gpt", 3, 4200, 1000, 130, 0.0123), ModelUsage("llama", 1, 900, 0, 40, None, estimated=True))


async def test_tokens_and_costs_are_kept_as_rows_that_can_be_summed(journal, tmp_path):
    await ask(journal, answer(usage=USED))
    await ask(journal, answer(id="a2", usage=USED[:1]))

    assert (await journal.answer("a1")).usage == USED
    with sqlite3.connect(tmp_path / "journal.sqlite") as connection:
        rows = connection.execute(
            "select model, sum(output_tokens), sum(cost), max(estimated) from usage group by model"
        )
        assert rows.fetchall() == [("gpt", 260, pytest.approx(0.0246), 0), ("llama", 40, None, 1)]
    assert await journal.delete("c1")
    with sqlite3.connect(tmp_path / "journal.sqlite") as connection:
        assert connection.execute("select count(*) from usage").fetchone() == (0,)


async def test_a_journal_from_before_costs_were_kept_goes_on(tmp_path):
    path = tmp_path / "journal.sqlite"
    async with Journal(path) as journal:
        await ask(journal, answer())
    with sqlite3.connect(path) as connection:
        connection.execute("drop table usage")
        connection.execute("update alembic_version set version_num = '0001'")
        connection.execute("update answers set json = json_remove(json, '$.usage')")

    async with Journal(path) as journal:
        assert await journal.answer("a1") == answer()
        await ask(journal, answer(id="a2", usage=USED))


async def test_events_after_a_number_are_those_a_reader_has_not_seen(journal):
    await journal.begin("a1", conversation="c1", question="q")
    await journal.record("a1", [JournalEvent(n, "block", json.dumps({"n": n})) for n in (1, 2, 3)])

    assert [e.n for e in await journal.events("a1", after=1)] == [2, 3]
    assert await journal.events("a1", after=3) == ()
    assert await journal.events("made-up") == ()


async def test_history_gives_the_last_answered_turns_oldest_first(journal):
    for n in range(12):
        await ask(journal, answer(id=f"a{n}", question=f"question {n}", markdown=f"answer {n}"))
    await journal.begin("running", conversation="c1", question="not answered yet")

    turns = await journal.history("c1", limit=4)

    assert turns == (Turn("question 10", "answer 10"), Turn("question 11", "answer 11"))
    assert len(await journal.history("c1")) == 10
    assert await journal.history("another") == ()


async def test_a_question_that_broke_off_is_listed_as_unfinished(journal):
    await ask(journal, answer())
    await journal.begin("a2", conversation="c1", question="and cross-border?")

    conversation = await journal.conversation("c1")

    assert conversation is not None
    assert [a.id for a in conversation.answers] == ["a1"]
    assert [u.question for u in conversation.unfinished] == ["and cross-border?"]
    assert await journal.answer("a2") is None
    assert await journal.knows("a2") and not await journal.knows("a3")


async def test_conversations_are_found_by_title_question_and_answer_whatever_the_case(journal):
    await ask(journal, answer(id="a1", conversation="fees", question="What is the fee?", markdown="It is 100 %_x."))
    await ask(journal, answer(id="a2", conversation="seals", question="Which seals?", markdown="Cartridge seals."))
    await journal.rename("seals", "Pump room")

    found = {
        word: [c.id for c in await journal.conversations(word)] for word in ("FEE", "cartridge", "pump", "%_", "%")
    }

    assert found == {"FEE": ["fees"], "cartridge": ["seals"], "pump": ["seals"], "%_": ["fees"], "%": ["fees"]}
    assert [c.id for c in await journal.conversations()] == ["seals", "fees"]


async def test_a_long_question_names_its_conversation_by_its_first_words(journal):
    await journal.begin("a1", conversation="c1", question="Can I\n\npay " + "with my fridge " * 20)

    (summary,) = await journal.conversations()

    assert summary.title.startswith("Can I pay with my fridge") and summary.title.endswith(" …")
    assert len(summary.title) <= 82
    assert summary.turns == 1


async def test_a_deleted_conversation_leaves_no_text_in_any_file(tmp_path):
    async with Journal(tmp_path / "journal.sqlite") as journal:
        secret = answer(question="Does Zephyrinus owe a fee?", markdown="Zephyrinus owes 0.20 %.")
        await ask(journal, secret, [JournalEvent(1, "block", '{"markdown": "Zephyrinus owes"}')])
        await journal.give_feedback("a1", "up", "Zephyrinus says thanks")
        await ask(journal, answer(id="a2", conversation="c2", question="Something else"))

        assert await journal.delete("c1")

        assert await journal.conversation("c1") is None
        assert await journal.answer("a1") is None and await journal.events("a1") == ()
        assert [c.id for c in await journal.conversations()] == ["c2"]
        assert not [p.name for p in tmp_path.iterdir() if b"Zephyrinus" in p.read_bytes()]


async def test_an_answer_that_was_still_running_does_not_bring_a_deleted_conversation_back(journal):
    await journal.begin("a1", conversation="c1", question="q")
    await journal.delete("c1")

    assert not await journal.record("a1", [JournalEvent(1, "block", "{}")], answer())
    assert await journal.conversations() == () and await journal.events("a1") == ()


async def test_renaming_deleting_and_rating_what_is_not_there_says_so(journal):
    assert not await journal.rename("made-up", "x")
    assert not await journal.delete("made-up")
    assert not await journal.give_feedback("made-up", "up")


async def test_new_feedback_replaces_the_old(journal):
    await ask(journal, answer())
    await journal.give_feedback("a1", "up")
    await journal.give_feedback("a1", "down", "no")

    said = await journal.feedback("a1")

    assert said is not None and (said.thumbs, said.word) == ("down", "no")


async def test_sentences_held_back_are_rows_with_verdict_and_reason(tmp_path, journal):
    await ask(journal, answer())

    rows = (
        sqlite3.connect(tmp_path / "journal.sqlite").execute("select claim, verdict, reason from withheld").fetchall()
    )

    assert rows == [("0.35 %", "unsupported", "0.35 % is Cross-border")]


async def test_a_revision_is_known_as_long_as_an_answer_cites_it(journal):
    await ask(journal, answer())

    assert await journal.cited_source("fees-2026", "a" * 64) == "- Fees [rev 3] (NL).pdf"
    assert await journal.cited_source("fees-2026", "b" * 64) is None
    assert await journal.cited_source("made-up", "a" * 64) is None

    await journal.delete("c1")
    assert await journal.cited_source("fees-2026", "a" * 64) is None


async def test_sixteen_journals_write_at_once_without_a_lock_error(tmp_path):
    path = tmp_path / "journal.sqlite"

    async def writer(n):
        async with Journal(path) as journal:
            for turn in range(5):
                await journal.history(f"c{n}")
                await ask(journal, answer(id=f"a{n}-{turn}", conversation=f"c{n}"), [JournalEvent(1, "step", "{}")])

    await asyncio.gather(*(writer(n) for n in range(16)))

    async with Journal(path) as journal:
        assert sorted(c.turns for c in await journal.conversations()) == [5] * 16


WRITER = """
import asyncio, sys
from pathlib import Path
from pincite.journal import Journal, JournalEvent

async def main():
    async with Journal(Path(sys.argv[1])) as journal:
        for turn in range(10):
            await journal.begin(f"{sys.argv[2]}-{turn}", conversation=sys.argv[2], question="q")
            await journal.record(f"{sys.argv[2]}-{turn}", [JournalEvent(1, "step", "{}")])

asyncio.run(main())
"""


async def test_processes_that_make_and_write_the_same_journal_do_not_lock_each_other_out(tmp_path):
    path = tmp_path / "journal.sqlite"
    processes = [subprocess.Popen([sys.executable, "-c", WRITER, str(path), f"c{n}"]) for n in range(4)]

    assert [p.wait(60) for p in processes] == [0] * 4

    async with Journal(path) as journal:
        assert sorted(c.turns for c in await journal.conversations()) == [10] * 4


async def test_a_write_that_was_cancelled_is_still_whole(journal):
    await journal.begin("a1", conversation="c1", question="q")
    writing = asyncio.ensure_future(journal.record("a1", [JournalEvent(1, "block", "{}")], answer()))
    await asyncio.sleep(0)
    writing.cancel()

    await journal.rename("c1", "later")

    assert await journal.answer("a1") == answer()
    assert len(await journal.events("a1")) == 1


async def test_migrations_from_nothing_make_the_tables_the_code_expects(tmp_path):
    async with Journal(tmp_path / "journal.sqlite"):
        pass

    with create_engine(f"sqlite:///{tmp_path / 'journal.sqlite'}").connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), Base.metadata) == []


async def test_an_error_of_the_database_does_not_repeat_what_was_asked(journal):
    await journal.begin("a1", conversation="c1", question="q")

    with pytest.raises(Exception, match="UNIQUE") as caught:
        await journal.begin("a1", conversation="c1", question="Zephyrinus")

    assert "Zephyrinus" not in str(caught.value)


async def test_a_path_with_a_percent_sign_and_brackets_is_a_path(tmp_path):
    path = tmp_path / "100% [rev 3]" / "journal.sqlite"
    path.parent.mkdir()

    async with Journal(path) as journal:
        await ask(journal, answer())

    assert path.exists()


async def test_a_journal_of_a_newer_pincite_is_refused_and_left_alone(tmp_path):
    path = tmp_path / "journal.sqlite"
    async with Journal(path):
        pass
    with sqlite3.connect(path) as connection:
        connection.execute("update alembic_version set version_num = '9999'")

    with pytest.raises(LibraryError, match="newer Pincite"):
        await Journal(path).open()


async def test_only_the_owner_can_read_what_people_asked(tmp_path, journal):
    await ask(journal, answer())

    assert {path.name: path.stat().st_mode & 0o777 for path in tmp_path.iterdir()} == {
        "journal.sqlite": 0o600,
        "journal.sqlite-shm": 0o600,
        "journal.sqlite-wal": 0o600,
    }


async def test_a_file_that_is_no_journal_is_said_to_be_damaged(tmp_path):
    path = tmp_path / "journal.sqlite"
    path.write_bytes(b"%PDF-1.7 this is not a database" * 200)

    with pytest.raises(LibraryDamaged, match="move it away"):
        await Journal(path).open()


async def test_a_journal_where_nobody_can_write_names_the_place(tmp_path):
    path = tmp_path / "missing" / "journal.sqlite"

    with pytest.raises(DiskError, match="may write there") as caught:
        await Journal(path).open()

    assert caught.value.path == str(path)


async def test_a_spare_journal_takes_over_where_nobody_can_write_and_says_so(tmp_path, caplog):
    async with Journal(tmp_path / "missing" / "journal.sqlite", spare=True) as journal:
        await ask(journal, answer(question="fees?", markdown="0.20 %"))
        assert await journal.history("c1") == (Turn("fees?", "0.20 %"),)

    assert "forgotten when this process ends" in caplog.text


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text(st.characters(exclude_categories=["Cs"]), max_size=200))
def test_any_text_comes_back_unchanged(tmp_path: Path, text):
    async def round_trip():
        async with Journal(tmp_path / "journal.sqlite") as journal:
            await journal.delete("c1")
            await ask(journal, answer(question=text, markdown=text))
            return await journal.history("c1"), await journal.answer("a1")

    turns, kept = asyncio.run(round_trip())

    assert turns == (Turn(text, text),)
    assert kept == answer(question=text, markdown=text)
