"""Limits at and above, foreign pages, headers, and the page itself."""

import json

import pytest

from pincite.serve.guard import is_loopback

ASK = {"question": "fees?"}


async def test_a_question_may_have_its_limit_and_not_one_character_more(client, answerer):
    at = await client.post("/api/ask", json={"question": "é" * 8000})
    above = await client.post("/api/ask", json={"question": "é" * 8001})

    assert at.status_code == 200
    assert above.status_code == 422 and "8,001" in above.json()["message"] and "8,000" in above.json()["message"]
    assert len(answerer.asked) == 1


async def test_a_search_has_the_same_limit(client):
    at = await client.get("/api/search", params={"question": "e" * 8000})
    above = await client.get("/api/search", params={"question": "e" * 8001})

    assert (at.status_code, above.status_code) == (200, 422)


def padded(size):
    body = json.dumps(ASK)
    return body + " " * (size - len(body))


async def test_a_body_may_have_64_kb_and_not_one_byte_more(client, answerer):
    headers = {"Content-Type": "application/json"}
    at = await client.post("/api/ask", content=padded(65536), headers=headers)
    above = await client.post("/api/ask", content=padded(65537), headers=headers)

    assert at.status_code == 200
    assert above.status_code == 413 and "64 KB" in above.json()["message"]
    assert len(answerer.asked) == 1


async def test_a_body_of_unsaid_size_is_cut_off_at_the_limit(client, answerer):
    read = 0

    async def endless():
        nonlocal read
        while True:
            read += 1000
            yield b"a" * 1000

    response = await client.post("/api/ask", content=endless(), headers={"Content-Type": "application/json"})

    assert response.status_code == 413 and read <= 67000 and not answerer.asked


BROKEN = [
    '{"question": null}', "[]", '""', "null", '{"question": "x", "conversation": "\\ud800"}',
    '{"question": {"$ne": null}}', '{"question": NaN}', '{"question": 7}', "{",
    "", "{}", '{"question": "\\ud800"}', '{"question": "  "}', "[" * 60000, '{"question": "x", "conversation": []}',
    "\udcff\udcfe",
]  # fmt: skip


@pytest.mark.parametrize("body", BROKEN)
@pytest.mark.parametrize("path", ["/api/ask", "/api/chat"])
async def test_a_malformed_question_is_refused_with_a_sentence(client, answerer, journal, path, body):
    raw = body.encode("utf-8", "surrogateescape")
    response = await client.post(path, content=raw, headers={"Content-Type": "application/json"})

    assert response.status_code in (400, 422), response.text
    assert list(response.json()) == ["message"] and len(response.json()["message"]) < 300
    assert not answerer.asked and await journal.conversations() == ()


async def test_the_last_of_two_equal_keys_counts_and_both_are_harmless(client, answerer):
    body = '{"question": "a", "question": "b"}'

    response = await client.post("/api/ask", content=body, headers={"Content-Type": "application/json"})

    assert response.status_code == 200 and answerer.asked[0][0] == "b"


@pytest.mark.parametrize(
    "type", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""]
)
async def test_a_form_of_another_page_cannot_ask(client, answerer, type):
    response = await client.post("/api/ask", content=json.dumps(ASK), headers={"Content-Type": type})

    assert response.status_code == 422 and not answerer.asked


FOREIGN_HOSTS = [
    "attacker.example",
    "localhost.attacker.example",
    "127.0.0.1.attacker.example",
    "10.0.0.1",
    "0.0.0.0",
    "localhost@attacker.example",
    "[::2]",
    "localhost:80:90",
    "xn--localhost-x",
]


@pytest.mark.parametrize("host", ["", *FOREIGN_HOSTS])
async def test_a_page_on_another_host_name_gets_nothing(client, host):
    for path in ("/", "/api/documents", "/assets/index-Ab3dE6gh.js"):
        response = await client.get(path, headers={"Host": host})
        assert response.status_code == 421 and list(response.json()) == ["message"]


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:8000", "127.0.0.1:9", "127.0.0.2", "[::1]:8000", "[::1]"])
async def test_loopback_names_are_answered(client, host):
    assert (await client.get("/api/about", headers={"Host": host})).status_code == 200


FOREIGN = [
    {"Origin": "https://attacker.example"},
    {"Origin": "null"},
    {"Origin": "http://localhost:3000"},
    {"Origin": ""},
    {"Origin": "http://localhost:8000.attacker.example"},
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
    {"Origin": "http://localhost:8000", "Sec-Fetch-Site": "cross-site"},
]
CHANGES = [
    ("POST", "/api/chat", ASK),
    ("POST", "/api/ask", ASK),
    ("POST", "/api/answers/x/stop", None),
    ("POST", "/api/answers/x/feedback", {"thumbs": "up"}),
    ("PATCH", "/api/conversations/x", {"title": "x"}),
    ("DELETE", "/api/conversations/x", None),
    ("POST", "/api/uploads", None),
    ("POST", "/api/index", {"uploads": ["0" * 32]}),
]


@pytest.mark.parametrize("headers", FOREIGN)
async def test_a_foreign_page_cannot_change_anything(client, answerer, headers):
    for method, path, body in CHANGES:
        response = await client.request(method, path, json=body, headers=headers)
        assert response.status_code == 403 and "own page" in response.json()["message"]
    assert not answerer.asked


async def test_every_route_that_changes_something_is_in_the_list_of_foreign_attempts(client):
    routes = (await client.get("/api/openapi.json")).json()["paths"]

    changing = {(m.upper(), path) for path, methods in routes.items() for m in methods if m not in ("get", "head")}
    assert changing == {(method, path.replace("/x", "/{id}")) for method, path, _ in CHANGES}


@pytest.mark.parametrize("headers", [{}, {"Origin": "http://localhost:8000", "Sec-Fetch-Site": "same-origin"}])
async def test_our_own_page_and_the_command_line_can(client, headers):
    assert (await client.post("/api/ask", json=ASK, headers=headers)).status_code == 200


ANSWERED = [
    "/",
    "/c/x",
    "/view/fees/abc?page=2",
    "/library",
    "/library/rules/core",
    "/icon.svg",
    "/assets/index-Ab3dE6gh.js",
    "/api/about",
    "/nope",
    "/api/nope",
]


@pytest.mark.parametrize("path", ANSWERED)
async def test_every_response_says_what_a_browser_may_do_with_it(client, path):
    headers = (await client.get(path)).headers

    policy = dict(part.split(" ", 1) for part in headers["content-security-policy"].split("; "))
    assert policy["default-src"] == "'none'" and policy["frame-ancestors"] == "'none'"
    assert policy["script-src"] == "'self' 'wasm-unsafe-eval'" and policy["worker-src"] == "'self'"
    assert "unsafe-inline" not in str(policy) and "http" not in str(policy)
    assert headers["x-content-type-options"] == "nosniff" and headers["referrer-policy"] == "no-referrer"
    assert not any(name.startswith("access-control-") for name in headers)


async def test_refusals_and_streams_carry_the_headers_too(client):
    refused = await client.post("/api/ask", json=ASK, headers={"Origin": "null"})
    stream = await client.post("/api/chat", json=ASK)

    assert all("content-security-policy" in r.headers for r in (refused, stream))
    assert stream.headers["cache-control"] == "no-store"
    assert stream.headers["pincite-conversation"] and stream.headers["content-type"].startswith("text/event-stream")


async def test_webassembly_is_allowed_only_where_the_page_has_some(make_client, static):
    (static / "assets" / "pdfjs" / "openjpeg.wasm").unlink()

    async with make_client() as client:
        assert "wasm" not in (await client.get("/")).headers["content-security-policy"]


@pytest.mark.parametrize(
    "path", ["/", "/c/0123", "/view/fees/abc?page=2", "/view/rules/core/abc", "/view/rules%2Fcore/abc"]
)
async def test_each_address_of_the_page_is_the_page(client, path):
    response = await client.get(path)

    assert response.status_code == 200 and "index-Ab3dE6gh.js" in response.text
    assert response.headers["cache-control"] == "no-cache"


async def test_hashed_files_are_kept_and_others_asked_for_again(client):
    hashed = await client.get("/assets/index-Ab3dE6gh.js")
    fixed = await client.get("/assets/pdfjs/openjpeg.wasm")

    assert "immutable" in hashed.headers["cache-control"] and "javascript" in hashed.headers["content-type"]
    assert fixed.headers["cache-control"] == "no-cache" and fixed.headers["content-type"] == "application/wasm"


async def test_a_missing_page_is_said_on_the_page(make_client, tmp_path):
    async with make_client(static=tmp_path / "nothing") as client:
        page, api = await client.get("/"), await client.get("/api/about")

    assert page.status_code == 503 and "pip install ." in page.text and api.status_code == 200


@pytest.mark.parametrize(("method", "path", "status"), [
    ("GET", "/nope", 404), ("GET", "/api/nope", 404), ("GET", "/assets/nope.js", 404), ("PUT", "/api/chat", 405),
    ("GET", "/docs", 404), ("GET", "/redoc", 404), ("POST", "/", 405),
])  # fmt: skip
async def test_what_is_not_there_is_a_sentence_in_json(client, method, path, status):
    response = await client.request(method, path)

    assert response.status_code == status and response.json()["message"].endswith(".")


async def test_a_fault_of_the_server_is_a_sentence_without_a_trace(make_client):
    def broken():
        raise RuntimeError("secret in /etc/passwd")

    async with make_client(current=broken) as client:
        response = await client.get("/api/documents")

    assert response.status_code == 500 and list(response.json()) == ["message"] and "secret" not in response.text
    assert "content-security-policy" in response.headers


def test_only_an_address_that_nobody_else_reaches_is_loopback():
    assert all(map(is_loopback, ["127.0.0.1", "::1", "127.9.9.9", "localhost"]))
    assert not any(map(is_loopback, ["0.0.0.0", "::", "192.168.1.2", "example.org", "", "[::1]"]))
