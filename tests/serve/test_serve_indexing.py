"""Files that are uploaded, and the index run in another process that they begin."""

import asyncio
import sys

import pytest

PDF = b"%PDF-1.7\n1 0 obj << >> endobj\n"

RUN = """
import json, sys, time
from pathlib import Path
files = [Path(name) for name in sys.argv[1:]]
def say(event, **data):
    print(json.dumps({"event": event, "data": data}), flush=True)
say("stage", stage="reading", of=len(files))
for file in files:
    assert file.read_bytes().startswith(b"%PDF-")
    say("progress", done=1)
if any("wrong" in file.name for file in files):
    sys.exit("pincite: the disk is full; free some space and run again")
if any("dies" in file.name for file in files):
    sys.exit(3)
while any("waits" in file.name for file in files) and not Path(files[0]).with_suffix(".go").exists():
    time.sleep(0.02)
say("result", release="r2", documents=[{"source": file.name, "status": "new"} for file in files])
"""


def command(files):
    return [sys.executable, "-c", RUN, *map(str, files)]


async def upload(client, name, body=PDF):
    return await client.post("/api/uploads", params={"name": name}, content=body)


async def until(client, true):
    for _ in range(1500):
        run = (await client.get("/api/index")).json()["run"]
        if true(run):
            return run
        await asyncio.sleep(0.02)
    raise AssertionError(run)


async def test_uploaded_files_are_indexed_in_another_process_and_gone_afterwards(make_client, library):
    async with make_client(command=command) as client:
        assert (await client.get("/api/index")).json() == {"run": None}
        ids = [(await upload(client, name)).json()["id"] for name in ("- CRN [rev 3] (NL).pdf", "fees.pdf")]

        begun = await client.post("/api/index", json={"uploads": ids})
        ended = await until(client, lambda run: not run["running"])

    assert begun.status_code == 202 and begun.json()["run"]["running"]
    assert (ended["stage"], ended["done"], ended["of"], ended["error"]) == ("reading", 2, 2, "")
    assert [d["source"] for d in ended["result"]["documents"]] == ["- CRN [rev 3] (NL).pdf", "fees.pdf"]
    assert list((library / "uploads").rglob("*.pdf")) == []


async def test_one_run_at_a_time_and_questions_are_answered_meanwhile(make_client, library):
    async with make_client(command=command) as client:
        waits, other = [(await upload(client, name)).json()["id"] for name in ("waits.pdf", "other.pdf")]
        await client.post("/api/index", json={"uploads": [waits]})
        await until(client, lambda run: run["done"] == 1)

        second = await client.post("/api/index", json={"uploads": [other]})
        answer = await client.post("/api/ask", json={"question": "fees?"})
        (library / "uploads" / waits / "uploaded" / "waits.go").touch()
        await until(client, lambda run: not run["running"])

    assert second.status_code == 409 and "under way" in second.json()["message"]
    assert answer.status_code == 200


@pytest.mark.parametrize(
    ("name", "said"), [("wrong.pdf", "the disk is full; free some space and run again"), ("dies.pdf", "without a word")]
)
async def test_a_run_that_fails_says_why_and_another_can_begin(make_client, name, said):
    async with make_client(command=command) as client:
        for each, error in ((name, said), ("good.pdf", "")):
            id = (await upload(client, each)).json()["id"]
            await client.post("/api/index", json={"uploads": [id]})
            run = await until(client, lambda run: not run["running"])
            assert error in run["error"] and bool(run["error"]) is bool(error)
            assert (run["result"] is None) is bool(error)


async def test_a_run_is_ended_with_the_server_and_its_files_are_gone(make_app, library):
    import httpx2

    app = make_app(command=command)
    transport = httpx2.ASGITransport(app=app)
    async with (
        app.router.lifespan_context(app),
        httpx2.AsyncClient(transport=transport, base_url="http://localhost") as c,
    ):
        id = (await upload(c, "waits.pdf")).json()["id"]
        await c.post("/api/index", json={"uploads": [id]})
        await until(c, lambda run: run["done"] == 1)

    assert not (library / "uploads" / id).exists()


@pytest.mark.parametrize(
    "name", ["../up.pdf", "a/b.pdf", "a\\b.pdf", ".hidden.pdf", "note.txt", "nul\0.pdf", "", "x" * 300 + ".pdf"]
)
async def test_a_name_is_never_a_path(client, library, name):
    response = await upload(client, name)

    assert response.status_code == 422
    assert not list(library.rglob("*hidden*")) and not list(library.parent.glob("up.pdf"))


@pytest.mark.parametrize(("body", "said"), [(b"PK\3\4 a spreadsheet", "not a PDF"), (b"", "empty")])
async def test_what_is_no_pdf_is_refused_and_not_kept(client, library, body, said):
    response = await upload(client, "a.pdf", body)

    assert response.status_code == 422 and said in response.json()["message"]
    assert list((library / "uploads").glob("*")) == []


async def test_a_file_may_have_its_limit_and_not_one_byte_more(make_client, library):
    async with make_client(limits={"upload_bytes": 1000}) as client:
        fits = await upload(client, "a.pdf", PDF.ljust(1000))
        over = await upload(client, "a.pdf", PDF.ljust(1001))

    assert (fits.status_code, fits.json()["bytes"], over.status_code) == (200, 1000, 413)
    assert len(list((library / "uploads").glob("*"))) == 1


async def test_an_upload_that_stands_still_is_given_up(make_client, library):
    async def trickle():
        yield PDF
        await asyncio.sleep(30)

    async with make_client(limits={"silence_s": 0.1}) as client:
        response = await upload(client, "a.pdf", trickle())

    assert response.status_code == 408
    assert list((library / "uploads").glob("*")) == []


async def test_an_upload_that_is_not_there_is_not_indexed(make_client):
    async with make_client(command=command) as client:
        missing = await client.post("/api/index", json={"uploads": ["0" * 32]})
        path = await client.post("/api/index", json={"uploads": ["../../etc"]})

    assert missing.status_code == path.status_code == 422
    assert "not there any more" in missing.json()["message"]
