"""What `/healthz` and `/readyz` say, and why not."""

from serve_scripted import nothing_indexed


async def test_a_server_that_can_answer_says_so(client):
    for path in ("/healthz", "/readyz"):
        response = await client.get(path)
        assert (response.status_code, response.json()) == (200, {"ok": True, "why": []})


async def test_without_a_release_it_lives_but_is_not_ready_and_says_what_to_do(make_client, journal):
    async with make_client(current=nothing_indexed) as client:
        healthy, ready = await client.get("/healthz"), await client.get("/readyz")

    assert healthy.status_code == 200
    assert ready.status_code == 503
    (why,) = ready.json()["why"]
    assert "pincite index" in why


async def test_every_reason_is_named_not_only_the_first(make_client, static, library):
    async with make_client(current=nothing_indexed) as client:
        (static / "index.html").unlink()
        await client.get("/readyz")  # the journal is open now, and then its file is no database any more
        (library / "journal.sqlite").write_bytes(b"no database" * 1000)
        for left in library.glob("journal.sqlite-*"):
            left.unlink()
        why = (await client.get("/readyz")).json()["why"]

    assert len(why) == 3
    assert "pincite index" in why[0]
    assert "journal" in why[1] and "damaged" in why[1]
    assert "pip install" in why[2]


async def test_a_server_that_stops_is_neither(make_app):
    import httpx2

    app = make_app()
    async with app.router.lifespan_context(app):
        pass
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app=app), base_url="http://localhost") as client:
        response = await client.get("/healthz")

    assert (response.status_code, response.json()["why"]) == (503, ["Pincite is stopping."])
