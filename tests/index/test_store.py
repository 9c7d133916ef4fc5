import numpy as np
import pytest

from pincite.errors import LibraryBusy
from pincite.index.embed import DIMENSION, Lexicon
from pincite.index.store import EVERYONE, Only, Store, StoredChunk, Weights
from pincite.types import Chunk

TEXTS = (
    ("fees", ("4 Fees",), "A domestic purchase costs 0.20 %."),
    ("fees", ("4 Fees", "4.2 Cross-border"), "A cross-border purchase costs 0.35 %."),
    ("messages", ("2 Fields",), "TRX-0042 carries the amount."),
)


def vector(axis):
    unit = np.zeros(DIMENSION, np.float32)
    unit[axis] = 1
    return unit


@pytest.fixture
def store(tmp_path):
    lexicon = Lexicon(50)
    store = Store.create(tmp_path)
    stored = [
        StoredChunk(f"{document}/{i}", document, "ab" * 32, "en", "citable", Chunk(i, path, "text", (1,), text, text))
        for i, (document, path, text) in enumerate(TEXTS)
    ]
    store.add(stored, np.stack([vector(i) for i in range(3)]), [lexicon.document(t, "en") for *_, t in TEXTS], start=0)
    yield store
    store.close()


def ids(hits):
    return [hit.stored.id for hit in hits]


def test_both_legs_count_in_a_hybrid_search(store):
    words = Lexicon(50).question("TRX-0042", ["en"])

    hits = store.search(vector(0), words, depth=50, limit=30, rrf_k=10)

    assert set(ids(hits)[:2]) == {"fees/0", "messages/2"}


def test_the_constant_of_rank_fusion_is_the_one_given(store):
    words = Lexicon(50).question("TRX-0042", ["en"])

    hits = store.search(vector(2), words, depth=50, limit=30, rrf_k=10)

    assert ids(hits)[0] == "messages/2"
    assert hits[0].score == pytest.approx(2 / 10)  # first in both legs, ranks from 0


def test_a_search_can_be_kept_to_documents_and_sections(store):
    only = Only(documents=("fees",), sections=(("4 Fees", "4.2 Cross-border"),))

    assert ids(store.search(vector(0), None, depth=50, limit=30, rrf_k=10, only=only)) == ["fees/1"]
    assert [s.id for s in store.read(Only(sections=(("4 Fees",),)))] == ["fees/0", "fees/1"]


def test_a_search_can_be_kept_to_standings_and_audiences(tmp_path):
    whose = [("citable", EVERYONE), ("readable", EVERYONE), ("citable", "staff")]
    store = Store.create(tmp_path)
    stored = [
        StoredChunk(f"fees/{i}", "fees", "ab" * 32, "en", standing, Chunk(i, (), "text", (1,), "Fee", "Fee"), audience)
        for i, (standing, audience) in enumerate(whose)
    ]
    store.add(stored, np.stack([vector(0)] * 3), [Lexicon(50).document("Fee", "en")] * 3, start=0)

    def found(only):
        return ids(store.search(vector(0), None, depth=5, limit=5, rrf_k=10, only=only))

    assert found(Only(standings=("readable",))) == ["fees/1"]
    assert found(Only(audiences=(EVERYONE,))) == ["fees/0", "fees/1"]
    assert found(Only(audiences=(EVERYONE, "staff"), standings=("citable",))) == ["fees/0", "fees/2"]
    assert [stored.audience for stored in store.read(Only())] == [EVERYONE, EVERYONE, "staff"]
    store.close()


def test_the_weights_of_a_fusion_decide_which_leg_comes_first(store):
    words = Lexicon(50).question("TRX-0042", ["en"])

    def found(weights):
        return store.search(vector(0), words, depth=1, limit=30, rrf_k=10, weights=weights)

    assert ids(found(Weights(dense=2, lexical=1))) == ["fees/0", "messages/2"]
    assert ids(found(Weights(dense=1, lexical=2))) == ["messages/2", "fees/0"]
    assert [hit.score for hit in found(Weights(dense=2, lexical=1))] == pytest.approx([1 / 9.5, 1 / 10])
    assert found(Weights(dense=1, lexical=0)) == store.search(vector(0), None, depth=1, limit=30, rrf_k=10)


def test_a_question_without_words_finds_nothing_by_words(store):
    assert store.search(None, Lexicon(50).question("??", ["en"]), depth=5, limit=5, rrf_k=10) == []


def test_a_store_comes_back_whole_and_verbatim(store, tmp_path):
    before = store.read(Only())
    store.close()

    again = Store.open(tmp_path)

    assert again.read(Only()) == before
    assert again.count() == 3
    again.close()


def test_a_second_owner_is_told_that_the_library_is_busy(store, tmp_path):
    with pytest.raises(LibraryBusy, match="another process"):
        Store.open(tmp_path, wait_s=0.1)
