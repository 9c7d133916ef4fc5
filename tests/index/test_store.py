"""The contract of stores, on every engine: embedded always, the client of a server on its in-memory double, and on a
server where QDRANT_URL (and QDRANT_API_KEY) name one."""

import json
import os

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.errors import DiskError, LibraryBusy, LibraryDamaged, StoreUnavailable
from pincite.index.edge import EmbeddedEngine
from pincite.index.lexicon import PAIR_WEIGHT, Lexicon, SparseVector
from pincite.index.server import Address, ServerEngine, connect
from pincite.index.store import EVERYONE, MARKER, Only, StoredChunk, _date, _number, _payload
from pincite.types import Chunk

pytestmark = [
    pytest.mark.filterwarnings("ignore:Payload indexes have no effect"),
    pytest.mark.filterwarnings("ignore:Local mode performs exact"),
]
qdrant_client = pytest.importorskip("qdrant_client", reason="the extra `server` is not installed")

DIMENSION = 8
TEXTS = (
    ("fees", ("4 Fees",), "A domestic purchase costs 0.20 %."),
    ("fees", ("4 Fees", "4.2 Cross-border"), "A cross-border purchase costs 0.35 %."),
    ("messages", ("2 Fields",), "TRX-0042 carries the amount."),
)


def vector(axis):
    unit = np.zeros(DIMENSION, np.float32)
    unit[axis] = 1
    return unit


@pytest.fixture(params=["embedded", "client in memory", "server"])
def engine(request):
    if request.param == "embedded":
        yield EmbeddedEngine()
    elif request.param == "client in memory":
        client = qdrant_client.QdrantClient(":memory:")
        yield ServerEngine(lambda: client)
        client.close()
    else:
        url = os.environ.get("QDRANT_URL")
        if not url:
            pytest.skip("QDRANT_URL names no Qdrant server: the contract was not tested on one")
        address = Address(url, os.environ.get("QDRANT_API_KEY", ""), insecure=True)
        yield ServerEngine(lambda: connect(address), name="pincite-contract")


@pytest.fixture
def make(engine, tmp_path):
    """Stores of an engine, removed after the test."""
    made = []

    def create(stored, vectors=None, *, name="store"):
        store = made_store(engine, tmp_path / name, stored, vectors)
        made.append((store, tmp_path / name))
        return store

    yield create
    for store, directory in made:
        store.close()
        engine.drop(directory)


def made_store(engine, directory, stored, vectors=None, dimension=DIMENSION):
    directory.mkdir(exist_ok=True)
    writer = engine.create(directory, dimension)
    assert fill(writer, stored, vectors) == len(stored)
    writer.finish()
    return engine.open(directory)


def chunk(position, text, path=(), kind="text"):
    return Chunk(position, path, kind, (1,), text, text)


def stored_texts():
    return [
        StoredChunk(f"{document}/{i}", document, "ab" * 32, "en", "citable", chunk(i, text, path))
        for i, (document, path, text) in enumerate(TEXTS)
    ]


def fill(store, stored, vectors=None, *, start=0):
    lexicon = Lexicon(50)
    words = [lexicon.document(one.chunk.text, one.language) for one in stored]
    given_ = vectors if vectors is not None else [vector(i % DIMENSION) for i in range(len(stored))]
    return store.add(stored, [np.atleast_2d(one) for one in given_], words, start=start)


@pytest.fixture
def store(make):
    return make(stored_texts())


def ids(store, ranked):
    return [stored.id for stored in store.fetch([one.id for one in ranked])]


def nearest(store, dense, *, limit=30, **more):
    return ids(store, store.nearest(dense, limit=limit, **more))


def matching(store, words, *, limit=30, **more):
    return ids(store, store.matching(words, limit=limit, **more))


CODE = Lexicon(50).question("TRX-0042", ["en"])


def test_each_leg_has_its_own_order_and_scores(store):
    (first, *_) = store.nearest(vector(0) + vector(1), limit=30)
    (found,) = store.matching(CODE, limit=30)

    assert ids(store, [found]) == ["messages/2"]
    assert first.score == pytest.approx(2**-0.5)
    assert found.score > 1  # BM25, not a cosine


def test_a_chunk_is_as_near_as_its_closest_part(make):
    parts = [np.stack([vector(0), vector(1)]), np.stack([vector(2), vector(3), vector(4)])]
    store = make(stored_texts()[:2], parts)

    assert nearest(store, vector(1))[0] == "fees/0"
    assert nearest(store, vector(4))[0] == "fees/1"
    assert store.nearest(vector(4), limit=1)[0].score == pytest.approx(1)
    assert store.count() == 2


def test_chunks_are_fetched_in_the_order_asked_for_and_a_lost_one_is_an_error(store):
    assert [stored.id for stored in store.fetch([2, 0])] == ["messages/2", "fees/0"]
    assert store.fetch([]) == []
    with pytest.raises(LibraryDamaged, match="pincite index"):
        store.fetch([0, 77])


def test_what_is_equally_good_comes_in_the_order_it_was_stored(make):
    store = make(
        [StoredChunk(f"f/{i}", "f", "ab" * 32, "en", "citable", chunk(i, "Fee")) for i in range(9)], [vector(0)] * 9
    )

    assert nearest(store, vector(0)) == [f"f/{i}" for i in range(9)]


def test_a_search_can_be_kept_to_documents_and_sections(store):
    only = Only(documents=("fees",), sections=(("4 Fees", "4.2 Cross-border"),))

    assert nearest(store, vector(0), only=only) == ["fees/1"]
    assert [s.id for s in store.read(Only(sections=(("4 Fees",),)))] == ["fees/0", "fees/1"]


def test_a_filter_holds_in_both_legs(store):
    assert nearest(store, vector(0), only=Only(documents=("messages",))) == ["messages/2"]
    assert matching(store, CODE, only=Only(documents=("fees",))) == []


def test_a_search_can_be_kept_to_every_fact_of_a_chunk(make):
    facts = (
        {"kind": "text", "language": "en", "standing": "citable", "audience": EVERYONE},
        {"kind": "table", "language": "en", "standing": "readable", "audience": EVERYONE},
        {"kind": "text", "language": "nl", "standing": "citable", "audience": "staff"},
    )
    store = make(
        [
            StoredChunk(
                f"fees/{i}",
                "fees",
                f"{i}" * 64,
                fact["language"],
                fact["standing"],
                chunk(i, "Fee", kind=fact["kind"]),
                fact["audience"],
            )
            for i, fact in enumerate(facts)
        ],
    )

    def found(**only):
        return sorted(nearest(store, vector(0), only=Only(**only)))

    assert found(kinds=("table",)) == ["fees/1"]
    assert found(languages=("nl",)) == ["fees/2"]
    assert found(standings=("readable",)) == ["fees/1"]
    assert found(sha256=("0" * 64, "2" * 64)) == ["fees/0", "fees/2"]
    assert found(positions=(0, 1)) == ["fees/0", "fees/1"]
    assert found(audiences=(EVERYONE,)) == ["fees/0", "fees/1"]
    assert found(audiences=(EVERYONE, "staff"), standings=("citable",)) == ["fees/0", "fees/2"]
    assert found(audiences=("nobody",)) == []


def test_a_filter_by_a_boolean_is_refused_because_it_would_find_nothing(store):
    for only in (Only(kinds=(True,)), Only(positions=(True,))):
        with pytest.raises(TypeError, match="boolean"):
            store.read(only)
    assert not any(isinstance(value, bool) for value in _payload(stored_texts()[0]).values())


def test_a_question_without_words_finds_nothing_by_words(store):
    assert store.matching(Lexicon(50).question("??", ["en"]), limit=30) == []


def test_a_rare_word_weighs_more_than_one_that_every_chunk_holds(make):
    texts = ["fee fee fee"] * 5 + ["fee rebate"]
    store = make([StoredChunk(f"f/{i}", "f", "ab" * 32, "en", "citable", chunk(i, t)) for i, t in enumerate(texts)])

    assert matching(store, Lexicon(50).question("fee rebate", ["en"]))[0] == "f/5"


def test_documents_come_back_whole_verbatim_and_in_order_over_several_pages(engine, tmp_path):
    stored = [
        StoredChunk(
            f"{name}/{i}", name, "ab" * 32, "nl", "citable", chunk(i, f"Alinea {i} €", ("§ 1",)), EVERYONE, date
        )
        for name, date in (("a", "2024"), ("b", ""))
        for i in range(300)
    ]
    (tmp_path / "store").mkdir()
    writer = engine.create(tmp_path / "store", DIMENSION)
    assert fill(writer, stored[:299]) + fill(writer, stored[299:], start=299) == 600
    writer.finish()
    store = engine.open(tmp_path / "store")

    assert store.read(Only()) == stored
    assert store.read(Only(documents=("b",))) == stored[300:]
    assert store.count() == 600


def test_a_store_is_opened_again_under_the_name_that_its_directory_has_then(engine, make, store, tmp_path):
    before = store.read(Only())
    store.close()
    (tmp_path / "store").rename(tmp_path / "release")

    again = engine.open(tmp_path / "release")

    assert again.read(Only()) == before
    assert engine.holds(tmp_path / "release")
    again.close()
    engine.drop(tmp_path / "release")


def test_two_stores_hold_what_was_put_into_each(engine, make, store, tmp_path):
    other = make(stored_texts()[2:], name="other")
    engine.publish(tmp_path / "other")

    assert nearest(other, vector(0)) == ["messages/2"]
    assert store.count() == 3


def test_dropping_a_store_twice_does_no_harm(engine, store, tmp_path):
    store.close()

    engine.drop(tmp_path / "store")
    engine.drop(tmp_path / "store")


def test_int8_copies_of_vectors_change_neither_order_nor_scores(engine, tmp_path):
    rng = np.random.default_rng(5)
    vectors = rng.normal(size=(400, 64)).astype(np.float32)
    stored = [StoredChunk(f"f/{i}", "f", "ab" * 32, "en", "citable", chunk(i, f"Fee {i}")) for i in range(400)]
    found = {}
    for name, from_ in (("exact", 10_000), ("int8", 100)):
        directory, quantising = tmp_path / name, quantise(engine, from_)
        store = made_store(quantising, directory, stored, vectors, 64)
        found[name] = [(hit.id, round(hit.score, 4)) for hit in store.nearest(vectors[7] + vectors[8], limit=30)]
        store.close()
        quantising.drop(directory)

    assert found["int8"][:10] == found["exact"][:10]


def quantise(engine, chunks):
    if isinstance(engine, EmbeddedEngine):
        return EmbeddedEngine(quantise_from=chunks)
    return ServerEngine(engine._client, name="pincite-contract", quantise_from=chunks)


@given(st.sampled_from(["", "2013", "2013-07", "2013-07-30", "0800-12-31"]))
def test_a_date_comes_back_to_the_precision_it_had(date):
    assert _date(_number(date) if date else 0) == date


# ---------------------------------------------------------------- the embedded engine alone


def test_a_second_owner_is_told_that_the_library_is_busy(tmp_path):
    store = made_store(EmbeddedEngine(), tmp_path, stored_texts())
    with pytest.raises(LibraryBusy, match="another process"):
        EmbeddedEngine(wait_s=0.1).open(tmp_path)
    store.close()


def test_a_store_that_is_being_written_says_what_ended_its_writer(tmp_path):
    writer = EmbeddedEngine().create(tmp_path, DIMENSION)
    writer._child.kill()

    with pytest.raises(DiskError, match="was ended"):
        fill(writer, stored_texts())
        writer.finish()
    writer.abandon()


def test_an_abandoned_store_leaves_no_process_behind(tmp_path):
    writer = EmbeddedEngine().create(tmp_path, DIMENSION)
    fill(writer, stored_texts())

    writer.abandon()
    writer.abandon()

    assert not writer._child.is_alive()


def test_a_release_that_lies_on_a_server_is_not_taken_for_an_empty_one(tmp_path):
    (tmp_path / MARKER).write_text(json.dumps({"collection": "pincite-1"}))

    assert not EmbeddedEngine().holds(tmp_path)
    for use in (EmbeddedEngine().open, EmbeddedEngine().drop):
        with pytest.raises(StoreUnavailable, match=r"\[store\] url"):
            use(tmp_path)


def test_a_directory_without_a_store_is_damaged(tmp_path):
    with pytest.raises(LibraryDamaged, match="index"):
        EmbeddedEngine().open(tmp_path)


def test_vectors_are_quantised_from_the_configured_size_on(tmp_path):
    for name, chunks in (("small", 49), ("large", 50)):
        made_store(EmbeddedEngine(quantise_from=50), tmp_path / name, stored_texts()[:1] * chunks).close()

    assert list((tmp_path / "large").rglob("quantized*"))
    assert not list((tmp_path / "small").rglob("quantized*"))


def test_the_ids_of_words_are_those_that_kept_releases_were_built_with():
    words = Lexicon(50).question("TRX-0042", ["en"])

    assert words == SparseVector((1008106138, 1324649310, 3675475224), (1.0, 1.0, PAIR_WEIGHT))
