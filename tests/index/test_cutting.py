import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from pincite.corpus import chunks
from pincite.corpus.library import Library
from pincite.index import cutting
from pincite.index.embed import Habits
from pincite.index.releases import Releases
from pincite.index.run import Indexer

SAMPLES = Path(__file__).parents[2] / "samples" / "pdf"
FIRST, SECOND = "CRN-32-3-rev2.pdf", "CRN-45-2-rev1.pdf"


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "sheets"
    folder.mkdir()
    shutil.copy(SAMPLES / FIRST, folder)
    return folder


@pytest.fixture
def indexer(tmp_path, encoder):
    library = tmp_path / "library"
    return Indexer(Library(library), Releases(library), encoder, 2000, None, 3)


@pytest.fixture
def work(monkeypatch):
    """What is cut (hashes of documents) and what is cut into parts or counted (texts)."""
    done = {"cut": [], "texts": []}

    def counted(document, **how):
        done["cut"].append(document.sha256)
        return chunks.cut(document, **how)

    def parts(chunk, fits):
        done["texts"].append(chunk.embedded_text)
        return chunks.parts(chunk, fits)

    class Counting(cutting.Lexicon):
        def length(self, text, language):
            done["texts"].append(text)
            return super().length(text, language)

    monkeypatch.setattr(cutting, "cut", counted)
    monkeypatch.setattr(cutting, "parts", parts)
    monkeypatch.setattr(cutting, "Lexicon", Counting)
    return done


def made(work):
    found = {name: list(what) for name, what in work.items()}
    for what in work.values():
        what.clear()
    return found


def sha256(run, source):
    return next(report.sha256 for report in run.documents if report.source == source)


def test_a_run_cuts_and_measures_only_what_is_new(indexer, folder, work):
    first = indexer.index_pdfs([folder])
    before = made(work)
    shutil.copy(SAMPLES / SECOND, folder)

    second = indexer.index_pdfs([folder])

    now = made(work)
    assert before["cut"] == [sha256(first, FIRST)]
    assert now["cut"] == [sha256(second, SECOND)]
    assert now["texts"]
    assert not set(now["texts"]) & set(before["texts"])


def test_a_cut_from_the_library_makes_the_release_that_a_fresh_one_makes(indexer, folder, tmp_path, encoder):
    indexer.index_pdfs([folder])
    shutil.copy(SAMPLES / SECOND, folder)
    other = tmp_path / "other"

    kept = indexer.index_pdfs([folder])
    fresh = Indexer(Library(other), Releases(other), encoder, 2000, None, 3).index_pdfs([folder])

    assert kept.release.chunks == fresh.release.chunks
    assert kept.release.average_length == fresh.release.average_length
    names = [{path.name for path in (root / "vectors").iterdir()} for root in (indexer.library.root, other)]
    assert names[0] == names[1]


def test_another_size_cuts_again(indexer, folder, work):
    indexer.index_pdfs([folder])
    made(work)

    run = replace(indexer, chunk_characters=900).index_pdfs([folder])

    assert made(work)["cut"] == [sha256(run, FIRST)]


class Other:
    """An encoder that differs from another in what it says of itself."""

    def __init__(self, encoder, **differs):
        self._encoder = encoder
        self.__dict__.update(differs)

    def __getattr__(self, name):
        return getattr(self._encoder, name)


@pytest.mark.parametrize(
    "differs",
    [{"model": "other@1"}, {"habits": Habits(max_tokens=100)}, {"count": lambda text: len(text.encode())}],
    ids=["model", "habits", "tokenizer"],
)
def test_another_encoder_cuts_again(indexer, folder, work, differs):
    run = indexer.index_pdfs([folder])
    document = indexer.library.needed(sha256(run, FIRST))
    made(work)

    cutting.Cutter(indexer.library, indexer.encoder, 2000).cut(document)
    assert not made(work)["cut"]
    cutting.Cutter(indexer.library, Other(indexer.encoder, **differs), 2000).cut(document)

    assert made(work)["cut"] == [document.sha256]


def test_a_damaged_cut_is_made_again(indexer, folder, work):
    run = indexer.index_pdfs([folder])
    document = indexer.library.needed(sha256(run, FIRST))
    cutter = cutting.Cutter(indexer.library, indexer.encoder, 2000)
    good = cutter.cut(document)
    made(work)
    (path,) = (indexer.library.root / "chunks").iterdir()
    path.write_bytes(path.read_bytes()[:100])

    assert cutter.cut(document) == good
    assert made(work)["cut"] == [document.sha256]


def test_what_is_forgotten_leaves_no_cut(indexer, folder):
    run = indexer.index_pdfs([folder])

    indexer.library.forget(sha256(run, FIRST))

    assert not list((indexer.library.root / "chunks").iterdir())
