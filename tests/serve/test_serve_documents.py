"""What the library shows to people, and that it shows nothing else."""

import asyncio
from urllib.parse import quote

import httpx2
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from serve_scripted import FEES, OLD_FEES, RULES, Shelf, cite, nothing_indexed

FILE = f"/api/documents/fees/revisions/{FEES}/file"


async def test_documents_are_listed_with_standing_and_pages(client):
    listed = (await client.get("/api/documents")).json()

    assert listed["release"] == "r1"
    assert listed["documents"][0] == {
        "document": "fees",
        "source": "- Fees [rev 3] (NL).pdf",
        "title": "Scheme fees",
        "revision": "3",
        "sha256": FEES,
        "standing": "citable",
        "reason": "",
        "pages": 3,
        "language": "en",
        "date": "",
        "kind": "",
        "summary": "",
        "tables": 0,
        "pages_not_text": [],
        "repaired": False,
    }
    assert listed["documents"][1]["pages"] == 7


@pytest.mark.parametrize(
    ("query", "found", "total"),
    [
        ({"search": "SCHEME fees"}, ["fees"], 1),
        ({"search": "core"}, ["rules/core"], 1),
        ({"search": "nothing"}, [], 0),
        ({"limit": 1}, ["fees"], 2),
        ({"limit": 1, "offset": 1}, ["rules/core"], 2),
        ({"offset": 5}, [], 2),
    ],
)
async def test_documents_are_searched_and_paged(client, query, found, total):
    listed = (await client.get("/api/documents", params=query)).json()

    assert [d["document"] for d in listed["documents"]] == found
    assert listed["total"] == total


async def test_each_page_says_what_was_found_on_it(make_client):
    from pincite.types import Page, ParsedDocument, Table

    box = (0.0, 0.0, 595.0, 842.0)
    pages = (
        Page(1, "i", "text", 595, 842, 0, box),
        Page(2, "1", "ocr", 595, 842, 0, box, reason="a scan", confidence=0.914),
        Page(3, "2", "garbled", 595, 842, 0, box, reason="its font copies as rubbish"),
    )
    tables = (Table(1, box, (), caption="Table 1"), Table(1, box, (), caption="Table 2", confidence=0.3))
    parsed = ParsedDocument("f.pdf", FEES, "1", "Fees", "en", pages, (), (), (), tables, ocr="rapidocr 3")
    async with make_client(parsed={FEES: parsed}.get) as client:
        found = (await client.get(f"/api/documents/fees/revisions/{FEES}/pages")).json()
        of_another = await client.get(f"/api/documents/rules/core/revisions/{FEES}/pages")
        not_kept = await client.get(f"/api/documents/fees/revisions/{OLD_FEES}/pages")

    assert [(p["label"], p["verdict"], p["confidence"]) for p in found["pages"]] == [
        ("i", "text", 1.0),
        ("1", "ocr", 0.91),
        ("2", "garbled", 1.0),
    ]
    assert (found["pages"][0]["tables"], found["pages"][0]["doubtful_tables"]) == (2, ["Table 2"])
    assert of_another.status_code == not_kept.status_code == 404


async def test_the_revisions_of_one_document_tell_whether_a_citation_is_still_the_newest(client):
    listed = (await client.get("/api/documents/rules/core/revisions")).json()

    assert [(d["document"], d["revision"], d["standing"]) for d in listed["documents"]] == [
        ("rules/core", "2026", "citable")
    ]
    assert (await client.get("/api/documents/nope/revisions")).json()["documents"] == []


async def test_sections_have_the_sheets_of_their_subsections_too(client):
    sections = (await client.get("/api/documents/fees/sections")).json()["sections"]

    assert sections == [
        {"path": ["4 Fees"], "title": "4 Fees", "pages": [2, 3]},
        {"path": ["4 Fees", "4.2 Cross-border"], "title": "4.2 Cross-border", "pages": [2, 3]},
    ]


async def test_a_document_whose_id_has_a_slash_is_found_written_either_way(client):
    for name in ("rules/core", "rules%2Fcore"):
        sections = (await client.get(f"/api/documents/{name}/sections")).json()["sections"]
        assert sections == [{"path": ["1 Scope"], "title": "1 Scope", "pages": []}]


async def test_an_unknown_document_is_named_as_such(client):
    response = await client.get("/api/documents/nope/sections")

    assert response.status_code == 404 and "GET /api/documents" in response.json()["message"]


async def test_search_gives_passages_in_rank_order_without_scores(client):
    found = (await client.get("/api/search", params={"question": "fees purchase", "k": 5})).json()

    assert [p["id"] for p in found["passages"]] == ["p1", "p2"]
    assert found["passages"][1]["text"] == "Purchase | 0.20 %" and found["passages"][1]["pages"] == [2, 3]
    assert "score" not in found["passages"][0] and isinstance(found["milliseconds"], int)


async def test_scores_are_shown_for_debugging_only(client):
    found = (await client.get("/api/search", params={"question": "fees", "debug": "true"})).json()

    assert found["passages"][0]["score"] == 1.0


@pytest.mark.parametrize(
    "query",
    [{}, {"question": " "}, {"question": "x", "k": 0}, {"question": "x", "k": "many"}, {"question": "x", "mode": "y"}],
)
async def test_a_search_that_cannot_be_done_names_the_field(client, query):
    response = await client.get("/api/search", params=query)

    assert response.status_code == 422
    assert response.json()["message"].split(":")[0] in ("question", "k", "mode")


async def test_a_file_comes_whole_under_its_own_name(client, library):
    response = await client.get(FILE)

    assert response.content == (library / f"{FEES}.pdf").read_bytes() and response.content.startswith(b"%PDF")
    assert response.headers["content-type"] == "application/pdf"
    assert response.headers["accept-ranges"] == "bytes"
    assert response.headers["content-disposition"].startswith("inline; filename*=utf-8''-%20Fees")


async def test_a_reader_that_has_the_file_is_not_sent_it_again(client):
    tag = (await client.get(FILE)).headers["etag"]

    again = await client.get(FILE, headers={"If-None-Match": tag})

    assert again.status_code == 304 and again.content == b""


async def test_the_size_can_be_asked_without_the_file(client, library):
    response = await client.head(FILE)

    assert int(response.headers["content-length"]) == (library / f"{FEES}.pdf").stat().st_size
    assert response.content == b""


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(first=st.integers(0, 3000), last=st.integers(0, 10**14))
def test_a_range_is_the_slice_of_the_file(make_client, library, first, last):
    whole = (library / f"{FEES}.pdf").read_bytes()

    async def ask():
        async with make_client() as client:
            return await client.get(FILE, headers={"Range": f"bytes={first}-{last}"})

    response = asyncio.run(ask())

    if first >= len(whole):
        assert response.status_code == 416 and response.headers["content-range"] == f"bytes */{len(whole)}"
        assert str(len(whole)) in response.json()["message"]
    elif last >= first:
        assert response.status_code == 206 and response.content == whole[first : last + 1]
    else:
        assert response.status_code < 500


async def test_the_end_of_a_file_and_several_pieces_can_be_asked_for(client, library):
    whole = (library / f"{FEES}.pdf").read_bytes()

    end = await client.get(FILE, headers={"Range": "bytes=-20"})
    pieces = await client.get(FILE, headers={"Range": "bytes=0-3, 10-13"})

    assert end.status_code == 206 and end.content == whole[-20:]
    assert pieces.status_code == 206 and whole[:4] in pieces.content and whole[10:14] in pieces.content


@pytest.mark.parametrize(
    "odd", ["pages=1-2", "bytes=", "bytes=a-b", "bytes=-", "bytes=1-2-3", "bytes=" + "9" * 5000 + "-"]
)
async def test_a_range_that_means_nothing_is_ignored(client, odd):
    response = await client.get(FILE, headers={"Range": odd})

    assert response.status_code == 200


async def test_a_revision_that_only_an_old_answer_cites_still_opens(client, journal, library):
    url = f"/api/documents/fees/revisions/{OLD_FEES}/file"
    assert (await client.get(url)).status_code == 404

    client.know("c1")
    await client.post("/api/ask", json={"question": "old fees", "conversation": "c1"})
    opened = await client.get(url)
    assert opened.status_code == 200 and opened.content == (library / f"{OLD_FEES}.pdf").read_bytes()

    await client.delete("/api/conversations/c1")
    assert (await client.get(url)).status_code == 404


async def test_files_nobody_may_have_and_files_that_are_not_there_look_the_same(client):
    addresses = [
        f"/api/documents/fees/revisions/{'b' * 64}/file",
        f"/api/documents/other/revisions/{FEES}/file",
        f"/api/documents/fees/revisions/{OLD_FEES}/file",
        f"/api/documents/rules/core/revisions/{RULES}/file",
    ]

    responses = [await client.get(address) for address in addresses]

    assert {r.status_code for r in responses} == {404} and len({r.text for r in responses}) == 1


OUTSIDE = [
    "../outside",
    "..%2Foutside",
    "%2e%2e/outside",
    "..\\outside",
    "....//outside",
    "%00",
    "/etc/passwd",
    "%2Fetc%2Fpasswd",
    "..%252Foutside",
    "outside.pdf",
    "..;/outside",
    "%c0%ae%c0%ae/outside",
]
PLACES = [
    "/api/documents/fees/revisions/{}/file",
    "/api/documents/{}/revisions/" + FEES + "/file",
    "/assets/{}",
    "/assets/../{}",
    "/{}",
    "/assets/pdfjs/{}",
]


@pytest.mark.parametrize("name", OUTSIDE)
async def test_no_address_leads_out_of_the_library(client, name):
    for place in PLACES:
        for path in (place.format(name), place.format(name) + ".pdf"):
            url = httpx2.URL("http://localhost:8000", raw_path=path.encode())
            response = await client.get(url)
            assert response.status_code in (404, 405), path
            assert b"not for readers" not in response.content and b"root:" not in response.content


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(path=st.text(st.characters(min_codepoint=1, exclude_categories=["Cs"]), max_size=60))
def test_no_address_at_all_is_a_fault_of_the_server(make_client, path):
    async def ask():
        async with make_client() as client:
            return await client.get("/api/documents/" + quote(path, safe="/") + "/sections")

    assert asyncio.run(ask()).status_code in (404, 405)


async def test_a_new_release_is_seen_at_the_next_request(make_client):
    releases = iter(["r1", "r2"])
    async with make_client(current=lambda: Shelf(next(releases))) as client:
        seen = [(await client.get("/api/documents")).json()["release"] for _ in range(2)]

    assert seen == ["r1", "r2"]


async def test_about_names_what_is_served(make_client):
    async with make_client(notice="Made by a machine.", examples=("What are the fees?",)) as client:
        about = (await client.get("/api/about")).json()

    assert about.pop("version")
    assert about == {
        "name": "Pincite",
        "release": "r1",
        "documents": 2,
        "chunks": 3,
        "model": "scripted",
        "notice": "Made by a machine.",
        "examples": ["What are the fees?"],
        "roles": ["asker", "reviewer", "admin"],
    }


async def test_without_a_release_the_server_says_what_to_do(make_client, journal):
    async with make_client(current=nothing_indexed) as client:
        about = await client.get("/api/about")
        refused = [
            await client.get(url) for url in ("/api/documents", "/api/search?question=x", "/api/documents/x/sections")
        ]
        file = await client.get(FILE)

    assert about.status_code == 200 and about.json()["release"] is None and about.json()["documents"] == 0
    assert {r.status_code for r in refused} == {503}
    assert all("pincite index" in r.json()["message"] for r in refused)
    assert file.status_code == 404


async def test_an_old_citation_opens_even_while_nothing_is_published(make_client, journal):
    from pincite.types import Answer, Timing

    answer = Answer("a", "c", "q", "q", "answered", "m", (cite(),), (), (), (), "m", "r", Timing(None, None, 1))
    await journal.begin("a", conversation="c", question="q")
    await journal.record("a", [], answer)

    async with make_client(current=nothing_indexed) as client:
        assert (await client.get(FILE)).status_code == 200
