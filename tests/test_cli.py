"""The command line as users and checks call it: real processes over a small library of sample sheets."""

from __future__ import annotations

import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import time
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path

import pytest

SAMPLES = Path(__file__).parents[1] / "samples"
PINCITE = [sys.executable, "-m", "pincite.cli"]
NPSH = "What is the NPSH of the CRN 32-3 at 2900 rpm?"


def pincite(*arguments, stdin=None):
    command = [*PINCITE, *map(str, arguments)]
    return subprocess.run(command, input=stdin, capture_output=True, text=True, timeout=120)


def printed(*arguments, stdin=None, code=0):
    done = pincite(*arguments, stdin=stdin)
    assert done.returncode == code, done.stderr
    return json.loads(done.stdout)


@contextmanager
def served(library):
    """The address of a server of the library, as long as the block runs."""
    server = subprocess.Popen(
        [*PINCITE, "serve", "--port", "0", "--library", str(library)], stderr=subprocess.PIPE, text=True
    )
    try:
        assert server.stderr is not None
        deadline = time.monotonic() + 60
        while "answers at" not in (line := server.stderr.readline()):
            assert time.monotonic() < deadline
        yield re.search(r"http://([^\s/]+)", line)[1]
    finally:
        server.terminate()
        server.wait(timeout=30)


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sheets")
    for name in ("CRN-32-3-rev2.pdf", "CRN-32-3-rev3.pdf", "CRN-45-2-rev1.pdf"):
        shutil.copy(SAMPLES / "pdf" / name, folder)
    (folder / "broken.pdf").write_bytes(b"")
    library = folder / "library"
    report = printed("index", folder, "--library", library, "--json")
    assert {d["source"]: d["status"] for d in report["documents"]} == {
        "CRN-32-3-rev2.pdf": "new",
        "CRN-32-3-rev3.pdf": "new",
        "CRN-45-2-rev1.pdf": "new",
        "broken.pdf": "failed",
    }
    assert report["documents"][0]["pages_not_text"] == []
    assert {"document", "source", "revision", "sha256", "status", "standing", "pages", "tables", "chunks"} <= set(
        report["documents"][0]
    )
    assert set(report["seconds"]) == {"parse", "embed", "build"}
    return library


def test_the_documents_are_listed_with_their_standing(library):
    listed = printed("documents", "--library", library, "--json")

    standing = {d["source"]: d["standing"] for d in listed["documents"]}
    assert standing == {
        "CRN-32-3-rev3.pdf": "citable",
        "CRN-32-3-rev2.pdf": "readable",
        "CRN-45-2-rev1.pdf": "citable",
    }


def test_sections_have_their_path_title_and_pages(library):
    found = printed("sections", "crn-32-3", "--library", library, "--json")

    assert {"path": ["1 Rated duty point"], "title": "1 Rated duty point", "pages": [1]} in found["sections"]
    assert pincite("sections", "nothing", "--library", library).returncode == 2


def test_search_gives_passages_in_rank_order_without_scores(library):
    found = printed("search", NPSH, "-k", 3, "--library", library, "--json")

    assert len(found["passages"]) == 3
    assert {"id", "document", "source", "revision", "section", "pages", "kind", "text"} <= set(found["passages"][0])
    assert "score" not in found["passages"][0]
    assert found["passages"][0]["source"] == "CRN-32-3-rev3.pdf"


def test_an_answer_names_revision_page_and_quotation(library):
    answer = printed("ask", NPSH, "--library", library, "--json")

    assert answer["outcome"] == "answered"
    assert "3.9" in answer["markdown"]
    assert "4.2" not in answer["markdown"]  # revision 2's value
    citation = answer["citations"][0]
    assert (citation["source"], citation["revision"], citation["pages"][0]["page"]) == ("CRN-32-3-rev3.pdf", "3", 1)
    assert "3.9" in citation["quote"]
    assert citation["pages"][0]["boxes"]


def test_a_follow_up_goes_on_with_its_conversation(library):
    first = printed("ask", NPSH, "--library", library, "--json")

    second = printed("ask", "and at 1450?", "--conversation", first["conversation"], "--library", library, "--json")

    assert "1450" in second["standalone_question"]
    assert "1.4" in second["markdown"]


def test_the_events_of_an_answer_are_json_lines_that_end_with_the_outcome(library):
    lines = pincite("ask", NPSH, "--events", "--library", library).stdout.splitlines()

    events = [json.loads(line) for line in lines]
    assert events[0]["event"] == "step"
    assert events[-1]["event"] == "outcome"
    blocks = "".join(event["data"]["markdown"] for event in events if event["event"] == "block")
    assert blocks == events[-1]["data"]["markdown"]


def test_a_question_that_the_documents_do_not_answer_ends_with_one(library):
    answer = printed("ask", "What is the NPSH of the CRN 32-4 at 2900 rpm?", "--library", library, "--json", code=1)

    assert answer["outcome"] == "refused"
    assert answer["citations"] == []


def test_a_question_about_a_superseded_revision_is_not_answered_from_the_current_one(library):
    answer = printed("ask", f"{NPSH[:-1]} under revision 2?", "--library", library, "--json", code=1)

    assert "3.9" not in answer["markdown"]


NO_NETWORK = """
import socket

def refuse(*_, **__):
    raise SystemExit("a socket was opened")

real = socket.socket.connect
socket.socket.connect = lambda self, to: real(self, to) if self.family == socket.AF_UNIX else refuse()
socket.getaddrinfo = socket.create_connection = refuse
"""


def test_everything_works_without_a_network_when_no_model_is_configured(tmp_path, monkeypatch):
    (tmp_path / "sitecustomize.py").write_text(NO_NETWORK)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")]))
    library = tmp_path / "library"

    printed("index", SAMPLES / "pdf" / "CRN-32-3-rev3.pdf", "--library", library, "--json")
    answer = printed("ask", NPSH, "--library", library, "--json")

    assert "3.9" in answer["markdown"] and answer["model"] == "extractive" and answer["usage"] == []
    assert printed("search", NPSH, "--library", library, "--json")["passages"]
    blocked = subprocess.run([sys.executable, "-c", "import socket; socket.create_connection(('127.0.0.1', 9))"])
    assert blocked.returncode == 1  # the test would notice


def test_a_conversation_that_is_not_known_is_refused_and_not_begun(library):
    done = pincite("ask", NPSH, "--conversation", "made-up", "--library", library)

    assert done.returncode == 2 and "no such conversation" in done.stderr and done.stdout == ""


def test_a_conversation_is_an_id_and_never_a_path(library):
    done = pincite("ask", NPSH, "--conversation", "../../etc", "--library", library)

    assert done.returncode == 2


def test_the_same_question_gets_the_same_answer(library):
    def stable():
        answer = printed("ask", NPSH, "--library", library, "--json")
        for changing in ("id", "conversation", "milliseconds"):
            del answer[changing]
        for citation in answer["citations"]:
            del citation["retrieved_at"]
        for step in answer["steps"]:
            del step["milliseconds"]
        return answer

    assert stable() == stable()


def test_inspect_shows_pages_sections_chunks_and_tables(tmp_path):
    seen = printed("inspect", SAMPLES / "pdf" / "farrowmere-fees-rev3.pdf", "--json")

    assert [page["label"] for page in seen["pages"]][:6] == ["i", "ii", "iii", "iv", "1", "2"]
    assert {"index", "section", "kind", "pages", "text", "embedded_text"} <= set(seen["chunks"][0])
    fees = next(table for table in seen["tables"] if table.get("caption") == "Table 1 Interchange fees")
    refund = next(cell for cell in fees["cells"] if cell["text"].startswith("0.05 %"))
    assert (refund["r1"] - refund["r0"], len(refund["bbox"])) == (3, 4)


def test_tables_are_printed_in_the_form_that_scorers_read():
    done = pincite("tables", SAMPLES / "pdf" / "CRN-45-2-rev1.pdf")

    tables = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0
    assert {table["doc"] for table in tables} == {"CRN-45-2-rev1.pdf"}
    assert {"page", "cells"} <= set(tables[0])


def test_the_gate_reads_and_writes_json_lines():
    fees = "Fee | Domestic | Cross-border\nPurchase | 0.20 % | 0.35 %"
    cases = [
        {"id": "right", "context": [fees], "answer": "A domestic purchase costs 0.20 %."},
        {"id": "wrong", "context": [fees], "answer": "A domestic purchase costs 0.35 %."},
    ]

    done = pincite("gate", stdin="\n".join(map(json.dumps, cases)))

    right, wrong = map(json.loads, done.stdout.splitlines())
    assert done.returncode == 1
    assert (right["outcome"], wrong["outcome"]) == ("answered", "escalated")
    assert wrong["claims"][0]["verdict"] == "unsupported"
    assert "Domestic" in wrong["claims"][0]["reason"]


@pytest.mark.parametrize("name", ["nothing.jsonl", "folder", "latin1.jsonl"])
def test_a_gate_file_that_cannot_be_read_ends_with_two_and_one_sentence(name, tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "latin1.jsonl").write_bytes(b'{"id": "\xff"}')

    done = pincite("gate", tmp_path / name)

    assert done.returncode == 2
    assert "Traceback" not in done.stderr


def test_a_malformed_gate_line_is_named():
    done = pincite("gate", stdin='{"id": 1}')

    assert done.returncode == 2
    assert "line 1" in done.stderr


def test_the_row_that_an_answer_rests_on_is_marked_and_no_other(library):
    done = pincite("ask", "What is the head of the CRN 45-2 at 1450 rpm?", "--library", library)

    rows = [line.split() for line in done.stdout.splitlines() if line.startswith(("1450 ", "2900 "))]
    assert {row[0] for row in rows} == {"1450", "2900"}
    assert {row[0] for row in rows if row[-1] == "[1]"} == {"1450"}


def test_releases_can_be_listed_and_gone_back_to(library, tmp_path):
    copy = shutil.copytree(library, tmp_path / "library")
    printed("index", SAMPLES / "pdf" / "CRN-45-2-rev1.pdf", "--prune", "--library", copy, "--json")

    back = printed("rollback", "--library", copy, "--json")

    listed = printed("releases", "--library", copy, "--json")["releases"]
    assert [r["release"] for r in listed if r["live"]] == [back["release"]] == [listed[1]["release"]]
    assert NPSH and printed("ask", NPSH, "--library", copy, "--json")["outcome"] == "answered"


def test_a_folder_that_is_not_there_is_wrong_usage_and_changes_nothing(library, tmp_path):
    done = pincite("index", tmp_path / "nowhere", "--library", library)

    assert done.returncode == 2 and "there is no such file" in done.stderr


def test_the_doctor_finds_what_an_order_to_forget_would_trip_over(library, tmp_path):
    copy = shutil.copytree(library, tmp_path / "library")
    (copy / "register").write_bytes(b"?" + (copy / "register").read_bytes())

    checks = printed("doctor", "--library", copy, "--json", code=1)["checks"]

    assert any("register" in check["message"] for check in checks if not check["ok"])


@pytest.mark.skipif(os.name == "nt", reason="no sockets in the file system")
def test_a_document_is_withdrawn_while_a_server_runs_and_its_citations_say_so(library, tmp_path):
    copy = shutil.copytree(library, tmp_path / "library", ignore=shutil.ignore_patterns("*.sock"))
    with served(copy) as address:
        answer = printed("ask", NPSH, "--library", copy, "--json")
        cited = answer["citations"][0]

        done = printed("withdraw", "crn-32-3", "--library", copy, "--json")

        assert done["document"] == "crn-32-3" and done["withdrawn"]
        assert "crn-32-3" not in {d["document"] for d in printed("documents", "--library", copy, "--json")["documents"]}
        found = printed("search", NPSH, "--library", copy, "--json")["passages"]
        assert {p["document"] for p in found} == {"crn-45-2"}
        again = printed("ask", NPSH, "--library", copy, "--json", code=1)
        assert "crn-32-3" not in {c["document"] for c in again["citations"]}
        connection = HTTPConnection(address)
        connection.request("GET", f"/api/documents/crn-32-3/revisions/{cited['sha256']}/file")
        gone = connection.getresponse()
        assert (gone.status, gone.reason) == (410, "Gone") and "withdrawn" in json.loads(gone.read())["message"]
    assert pincite("withdraw", "nothing", "--library", copy).returncode == 2
    assert printed("withdraw", "crn-32-3", "--lift", "--library", copy, "--json")["withdrawn"] is False


def test_retrieval_is_measured_on_cases(library, tmp_path):
    case = {
        "id": "npsh",
        "kind": "table",
        "language": "en",
        "question": NPSH,
        "expected": "answered",
        "evidence": [{"source": "CRN-32-3-rev3.pdf", "page": 1}],
    }
    cases = tmp_path / "cases.jsonl"
    cases.write_text(json.dumps(case), encoding="utf-8")

    report = printed("evaluate", "retrieval", cases, "--library", library, "--out", tmp_path / "report.html", "--json")

    assert report["measures"]["hit@1"]["value"] == 1
    assert "CRN 32-3" in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_what_changed_between_two_releases_is_shown_and_the_end_says_whether_anything_did(library, tmp_path):
    copy = shutil.copytree(library, tmp_path / "library")
    older = [SAMPLES / "pdf" / name for name in ("CRN-32-3-rev2.pdf", "CRN-45-2-rev1.pdf")]
    printed("index", *older, "--prune", "--library", copy, "--json")
    now, was = [r["release"] for r in printed("releases", "--library", copy, "--json")["releases"]]

    found = printed("releases", "diff", "--library", copy, "--json", code=1)
    for parsed in (copy / "parsed").glob("*"):  # of another parser, say: the files are read again
        parsed.unlink()
    again = printed("releases", "diff", was, now, "--library", copy, "--json", code=1)
    shown = pincite("releases", "diff", "--library", copy).stdout
    same = pincite("releases", "diff", now, "--library", copy)
    for source in (copy / "sources").glob("*"):
        source.unlink()
    unread = printed("releases", "diff", "--library", copy, "--json", code=1)

    (change,) = found["changed"]
    cells = [cell for table in change["content"]["tables"]["changed"] for cell in table["cells"]]
    assert (change["was"]["revision"], change["now"]["revision"], found["equal"]) == ("3", "2", False)
    assert next((cell["column"], cell["was"], cell["now"]) for cell in cells) == ("NPSH [m]", "3.9¹)", "4.2¹)")
    assert again == found
    assert "[-3.9¹)-] {+4.2¹)+}" in shown
    assert (same.returncode, same.stdout.count("the same")) == (0, 1)
    assert "cannot be read any more" in unread["changed"][0]["unread"]
    assert pincite("releases", "diff", "nothing", "--library", copy).returncode == 2


ANSWER_CASES = (
    {"id": "npsh", "question": NPSH, "gold_all_of": [["3.9"]], "must_not": ["4.2"]},
    {"id": "again", "history": [NPSH], "question": "and at 1450?", "gold_all_of": [["1.4"]]},
    {"id": "wrong", "question": NPSH, "gold_all_of": [["39"]]},
    {"id": "absent", "question": "What is the NPSH of the CRN 32-4 at 2900 rpm?", "expected": "refused"},
    {"id": "other", "question": "?", "evidence": [{"source": "not-there.pdf", "page": 1}]},
)
SHEET = [{"source": "CRN-32-3-rev3.pdf", "page": 1}]


@pytest.fixture
def answer_cases(tmp_path):
    path = tmp_path / "cases.jsonl"
    lines = (json.dumps({"evidence": [] if case.get("expected") else SHEET} | case) for case in ANSWER_CASES)
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def conversations(library):
    if not (library / "journal.db").exists():
        return set()
    with sqlite3.connect(library / "journal.db") as journal:
        return {id_ for (id_,) in journal.execute("SELECT id FROM conversations")}


def judgements(report):
    return {question["id"]: question["judgement"] for question in report["questions"]}


def test_answers_are_measured_on_cases_and_a_wrong_one_is_wrong(library, answer_cases, tmp_path):
    command = ("evaluate", "answers", answer_cases, "--library", library)
    report = printed(*command, "--repeat", 2, "--out", tmp_path / "a.html", "--json", code=1)
    earlier = tmp_path / "earlier.json"
    earlier.write_text(json.dumps(report), encoding="utf-8")
    again = pincite(*command, "--against", earlier, "--show")

    assert judgements(report) == {"npsh": "right", "again": "right", "wrong": "wrong", "absent": "right"}
    assert report["cases"]["documents_missing"] == 1
    assert report["repeat"] == {"times": 2, "same_answer": 4, "flipped": []}
    assert "CRN 32-3" in (tmp_path / "a.html").read_text(encoding="utf-8")
    assert "0 answers differ" in again.stdout
    assert again.returncode == 1


def test_a_report_of_something_else_is_no_earlier_report(library, answer_cases, tmp_path):
    (tmp_path / "other.json").write_text('{"kind": "retrieval", "questions": []}', encoding="utf-8")

    done = pincite("evaluate", "answers", answer_cases, "--against", tmp_path / "other.json", "--library", library)

    assert done.returncode == 2
    assert "is not a report of" in done.stderr


def test_the_catalogue_is_looked_up_and_checked(tmp_path):
    with sqlite3.connect(tmp_path / "parts.db") as connection:
        connection.execute("CREATE TABLE parts (id INT, number TEXT, price TEXT)")
        connection.execute("INSERT INTO parts VALUES (7, 'PX-1044-B', '112.50')")
    config = tmp_path / "pincite.toml"
    part = 'part = { table = "parts", key = "id", number = "number", price = "price" }'
    config.write_text(f'[catalogue]\nurl = "sqlite:///{tmp_path}/parts.db"\ncurrency = "EUR"\n{part}\n')
    lookup = ["catalogue", "lookup", "--config", config]

    found = printed(*lookup, "px-1044-b", "--json")
    nothing = pincite(*lookup, "PX-1044-C")
    doctor = pincite("doctor", "--config", config, "--library", tmp_path / "none", "--json")

    row = found["rows"][0]
    assert (row["match"], row["number"], row["price"], row["currency"]) == ("number", "PX-1044-B", "112.50", "EUR")
    assert row["key"] == "parts id=7"
    assert (nothing.returncode, nothing.stdout) == (1, "Parts catalogue has no row for 'PX-1044-C'\n")
    check = next(check for check in json.loads(doctor.stdout)["checks"] if check["name"] == "catalogue")
    assert check["ok"]
    assert "a part was read" in check["message"]


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ("", "no catalogue is configured"),
        ('[catalogue]\npart = { table = "t", key = "k", number = "n" }', "name the url of a database or the folder"),
        ('[catalogue]\nurl = "sqlite:///x"\npart = { table = "t", key = "k" }', "number: is missing"),
        ('[catalogue]\nurl = "sqlite:///x"\npart = { table = "t", key = "k", number = "n", price = "p" }', "currency"),
        ('[catalogue]\nexport = "gone"\npart = { table = "t", key = "k", number = "n" }', "mdb-export FILE.mdb"),
    ],
)
def test_a_catalogue_that_cannot_be_used_is_said_to_be_so_with_what_to_do(tmp_path, settings, said):
    config = tmp_path / "pincite.toml"
    config.write_text(settings)

    done = pincite("catalogue", "lookup", "PX-1044-B", "--config", config)

    assert done.returncode == 2
    assert said in done.stderr


def test_doctor_says_what_is_right(library):
    checks = printed("doctor", "--library", library, "--json")["checks"]

    assert {check["name"] for check in checks} >= {"configuration", "embedding model", "library", "store", "disk"}
    assert all(check["ok"] for check in checks if check["name"] not in ("page", "samples"))


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("search", "fees"), "nothing is indexed"),
        (("index",), "name PDF files"),
        (("index", "nowhere"), "there is no such file"),
        (("search", "fees", "--config", "nowhere.toml"), "no configuration file"),
        (("serve", "--host", "0.0.0.0"), "keys"),
        (("documents", "--config", SAMPLES / "pdf" / "CRN-45-2-rev1.pdf"), "TOML"),
    ],
)
def test_wrong_usage_ends_with_two_and_one_sentence(arguments, sentence, tmp_path):
    done = pincite(*arguments, "--library", tmp_path / "empty")

    assert done.returncode == 2
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


@pytest.mark.skipif(os.name == "nt", reason="no sockets in the file system")
def test_commands_ask_the_running_server_and_get_the_same(library, answer_cases, tmp_path):
    copy = shutil.copytree(library, tmp_path / "library")
    measured = printed("evaluate", "answers", answer_cases, "--library", copy, "--json", code=1)
    before = printed("search", NPSH, "--library", copy, "--json")["passages"]
    kept_before = conversations(copy)
    with served(copy):
        during = printed("search", NPSH, "--library", copy, "--json")["passages"]
        asked = printed("evaluate", "answers", answer_cases, "--library", copy, "--json", code=1)
        answer = printed("ask", NPSH, "--library", copy, "--json")
        index = printed("index", SAMPLES / "pdf" / "CRN-45-2-rev1.pdf", "--prune", "--library", copy, "--json")
        after = printed("ask", NPSH, "--library", copy, "--json", code=1)
        difference = printed("releases", "diff", "--library", copy, "--json", code=1)

    assert during == before
    assert judgements(asked) == judgements(measured)
    assert [q["answer"] for q in asked["questions"]] == [q["answer"] for q in measured["questions"]]
    # Nobody asked the questions of the evaluation.
    assert conversations(copy) == {answer["conversation"], after["conversation"]} | kept_before
    assert answer["outcome"] == "answered"
    assert after["release"] == index["release"]  # the server noticed it by itself
    assert [document["document"] for document in difference["dropped"]] == ["crn-32-3"]
    assert not (copy / "serve.sock").exists()
