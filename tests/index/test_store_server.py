"""What is particular to stores on a Qdrant server: addresses, patience, names; and a whole library on one, through the
client's in-memory double. Where no server is at hand, nothing here proves that one behaves as its client's double."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest
from starlette.testclient import TestClient

from pincite.build import House
from pincite.errors import LibraryDamaged, StoreUnavailable, UsageError
from pincite.index.lexicon import SparseVector
from pincite.index.server import Address, Patience, ServerEngine, connect
from pincite.index.store import MARKER, StoredChunk, collection_of
from pincite.settings import Settings, StoreSettings
from pincite.types import Chunk

qdrant_client = pytest.importorskip("qdrant_client", reason="the extra `server` is not installed")
pytestmark = [
    pytest.mark.filterwarnings("ignore:Payload indexes have no effect"),
    pytest.mark.filterwarnings("ignore:Local mode performs exact"),
]
FAST = Patience(attempts=4, first_wait_s=0.01, longest_wait_s=0.02)

# ---------------------------------------------------------------- addresses


@pytest.mark.parametrize(
    ("url", "key", "lacking"),
    [
        ("http://qdrant.example.net:6333", "", "a key and TLS"),
        ("http://qdrant.example.net:6333", "k", "without TLS"),
        ("https://qdrant.example.net:6333", "", "without a key"),
        ("http://10.0.0.7:6333", "", "a key and TLS"),
        ("http://localhost.example.net:6333", "", "a key and TLS"),
    ],
)
def test_a_server_on_another_machine_needs_key_and_tls(url, key, lacking):
    with pytest.raises(UsageError, match=lacking):
        Address(url, key)

    assert Address(url, key, insecure=True).url == url


@pytest.mark.parametrize("url", ["http://127.0.0.1:6333", "http://localhost:6333", "http://[::1]:6333"])
def test_a_server_on_this_machine_needs_neither(url):
    assert Address(url).url == url


@pytest.mark.parametrize("url", ["qdrant.example.net", "", "ftp://127.0.0.1", "https://user:pass@qdrant.example.net"])
def test_an_address_that_is_none_is_refused(url):
    with pytest.raises(UsageError, match=r"\[store\]"):
        Address(url, "k")


def test_a_key_is_never_shown():
    assert "secret-7" not in repr(Address("https://qdrant.example.net", "secret-7"))


def test_the_settings_are_checked_before_anything_is_sent(tmp_path):
    settings = Settings(library=tmp_path, store=StoreSettings(url="http://qdrant.example.net:6333"))

    with pytest.raises(UsageError, match="insecure"):
        House(settings)


# ---------------------------------------------------------------- over the wire, against a scripted server


class Scripted:
    """Answers as Qdrant does; a step of the script is a status that comes instead, once."""

    def __init__(self):
        self.script, self.asked, self.version = [], [], "1.20.0"

    def answer(self, method, path):
        self.asked.append((method, path))
        if path == "/":
            return 200, {"title": "qdrant", "version": self.version}
        status = self.script.pop(0) if self.script else 200
        if status != 200:
            return status, {"status": {"error": "scripted"}, "time": 0}
        if path.endswith("/exists"):
            return 200, {"result": {"exists": method == "GET" and self.there}, "status": "ok", "time": 0}
        if path.endswith("/points/count"):
            return 200, {"result": {"count": 1}, "status": "ok", "time": 0}
        if "/points" in path or "/index" in path:
            return 200, {"result": {"operation_id": 0, "status": "completed"}, "status": "ok", "time": 0}
        return 200, {"result": True, "status": "ok", "time": 0}

    there = False


@pytest.fixture
def scripted():
    script = Scripted()

    class Handler(BaseHTTPRequestHandler):
        def do(self):
            self.rfile.read(int(self.headers.get("Content-Length") or 0))
            status, body = script.answer(self.command, self.path.partition("?")[0])
            data = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = do  # noqa: N815

        def log_message(self, *_):
            pass

    listening = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=listening.serve_forever, daemon=True).start()
    address = Address(f"http://127.0.0.1:{listening.server_port}")
    script.engine = ServerEngine(lambda: connect(address), patience=FAST, place=address.url)
    yield script
    listening.shutdown()
    listening.server_close()


def add(store):
    chunk = StoredChunk("f/0", "f", "ab" * 32, "en", "citable", Chunk(0, (), "text", (1,), "Fee", "Fee"))
    return store.add([chunk], [np.ones((1, 4), np.float32)], [SparseVector((7,), (1.0,))], start=0)


@pytest.mark.parametrize("status", [429, 500, 503, 408])
def test_a_batch_is_sent_again_while_the_server_is_busy_or_fails(scripted, tmp_path, status):
    store = scripted.engine.create(tmp_path, 4)
    scripted.asked.clear()
    scripted.script = [status, status]

    assert add(store) == 1
    assert [path for method, path in scripted.asked if method == "PUT"].count(
        f"/collections/{collection_of(tmp_path)}/points"
    ) == 3


def test_patience_has_an_end_and_says_what_to_do(scripted, tmp_path):
    store = scripted.engine.create(tmp_path, 4)
    scripted.script = [503] * 9

    with pytest.raises(StoreUnavailable, match=r"HTTP 503.*try again"):
        add(store)
    assert len(scripted.script) == 9 - FAST.attempts


@pytest.mark.parametrize(("status", "sentence"), [(401, "api_key"), (403, "api_key"), (400, "scripted")])
def test_a_refusal_is_told_and_not_repeated(scripted, tmp_path, status, sentence):
    store = scripted.engine.create(tmp_path, 4)
    scripted.script = [status, 500]

    with pytest.raises(StoreUnavailable, match=sentence):
        add(store)
    assert scripted.script == [500]


def test_a_release_that_did_not_arrive_whole_is_not_finished(scripted, tmp_path):
    store = scripted.engine.create(tmp_path, 4)
    add(store)
    store._written = 2  # as when the server lost one

    with pytest.raises(StoreUnavailable, match="1 of 2"):
        store.finish()


def test_a_server_too_old_for_several_vectors_of_a_chunk_is_refused(scripted, tmp_path):
    scripted.version = "1.9.7"

    with pytest.raises(StoreUnavailable, match=r"1\.9\.7.*1\.10"):
        scripted.engine.create(tmp_path, 4)


def test_a_server_that_is_not_there_says_so(tmp_path):
    engine = ServerEngine(lambda: connect(Address("http://127.0.0.1:1")), patience=FAST, place="http://127.0.0.1:1")

    with pytest.raises(StoreUnavailable, match="cannot be reached"):
        engine.create(tmp_path, 4)


def test_a_collection_that_is_gone_and_a_marker_that_is_damaged_are_told(scripted, tmp_path):
    (tmp_path / MARKER).write_text('{"collection": "pincite-1"}')
    with pytest.raises(LibraryDamaged, match="pincite-1"):
        scripted.engine.open(tmp_path)

    (tmp_path / MARKER).write_text('{"collect')
    with pytest.raises(LibraryDamaged, match="index"):
        scripted.engine.open(tmp_path)


# ---------------------------------------------------------------- a whole library, on the in-memory double


@pytest.fixture
def client():
    client = qdrant_client.QdrantClient(":memory:")
    yield client
    client.close()


@pytest.fixture
def house(client, encoder, tmp_path):
    settings = Settings(library=tmp_path / "library", store=StoreSettings(url="http://127.0.0.1:6333", name="rules"))
    house = House(settings, qdrant=lambda: client)
    house.__dict__["encoder"] = encoder  # already loaded by the suite
    return house


def passages(path, *texts):
    lines = [
        {"id": f"p{i}", "document": "fees", "section": "4 Fees", "text": text, "page": i + 1}
        for i, text in enumerate(texts)
    ]
    path.write_text("\n".join(map(json.dumps, lines)))
    return path


def collections(client):
    return {collection.name for collection in client.get_collections().collections}


def published(client):
    return {alias.alias_name: alias.collection_name for alias in client.get_aliases().aliases}


def found(house, question):
    return [p["text"] for p in house.search(question, k=3, mode="hybrid", debug=False)["passages"]]


def test_a_library_on_a_server_is_indexed_searched_and_asked(house, client, tmp_path):
    run = house.indexer().index_passages(passages(tmp_path / "a.jsonl", "A refund costs 0.05 %.", "A card is needed."))

    assert found(house, "What does a refund cost?")[0] == "A refund costs 0.05 %."
    events = list(house.ask("What does a refund cost?", conversation=None))
    assert any("0.05 %" in json.dumps(event["data"]) for event in events if event["event"] == "block")
    store = house.releases.store(run.release.id)
    assert [path.name for path in store.iterdir()] == [MARKER]
    assert published(client) == {"rules": collection_of(store)}


def test_a_library_on_a_server_is_served(house, tmp_path):
    house.indexer().index_passages(passages(tmp_path / "a.jsonl", "A refund costs 0.05 %.", "A card is needed."))

    with TestClient(house.app(), base_url="http://127.0.0.1") as browser:
        answered = browser.get("/api/search", params={"question": "What does a refund cost?"})

    assert answered.json()["passages"][0]["text"] == "A refund costs 0.05 %."


def test_a_run_that_changes_nothing_builds_nothing_and_a_lost_collection_is_built_again(house, client, tmp_path):
    file = passages(tmp_path / "a.jsonl", "A refund costs 0.05 %.")
    first = house.indexer().index_passages(file)

    assert not house.indexer().index_passages(file).published
    client.delete_collection(collection_of(house.releases.store(first.release.id)))
    assert house.indexer().index_passages(file).published
    assert found(house, "refund") == ["A refund costs 0.05 %."]


def test_a_roll_back_is_a_switch_and_what_is_not_kept_leaves_the_server(house, client, tmp_path):
    client.create_collection("of-others", vectors_config={})
    runs = [house.indexer().index_passages(passages(tmp_path / "a.jsonl", f"A refund costs {n} %.")) for n in range(5)]

    assert len(collections(client)) == 3 + 1  # releases kept, and what was never ours
    assert found(house, "refund") == ["A refund costs 4 %."]
    house.releases.publish(runs[3].release.id, keep=3)
    assert found(house, "refund") == ["A refund costs 3 %."]
    assert published(client)["rules"] == collection_of(house.releases.store(runs[3].release.id))


def test_an_unfinished_build_leaves_nothing_on_the_server(house, client, tmp_path, monkeypatch):
    def fail(*_, **__):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(qdrant_client.QdrantClient, "upsert", fail)
        with pytest.raises(KeyboardInterrupt):
            house.indexer().index_passages(passages(tmp_path / "a.jsonl", "A refund costs 0.05 %."))

    assert collections(client) == set()


def test_what_a_killed_build_left_on_the_server_is_removed_by_the_next_run(house, client, tmp_path):
    left = house.root / "releases" / ".building-1" / "store"
    left.mkdir(parents=True)
    house.engine.create(left, 4)
    (left_over,) = collections(client)

    house.indexer().index_passages(passages(tmp_path / "a.jsonl", "A refund costs 0.05 %."))

    assert left_over not in collections(client)
    assert not left.exists()


def test_a_library_moves_onto_a_server_and_back_by_indexing_it(house, client, encoder, tmp_path):
    file = passages(tmp_path / "a.jsonl", "A refund costs 0.05 %.")
    embedded = House(Settings(library=house.root))
    embedded.__dict__["encoder"] = encoder
    embedded.indexer().index_passages(file)

    with pytest.raises(StoreUnavailable, match="pincite index"):
        house.retriever()
    assert house.indexer().index_passages(file).published
    assert found(house, "refund") == ["A refund costs 0.05 %."]
    with pytest.raises(StoreUnavailable, match=r"\[store\] url"):
        embedded.retriever()
    embedded.indexer().index_passages(file)
    assert found(embedded, "refund") == ["A refund costs 0.05 %."]
