import errno
import hashlib
import os

import numpy as np
import pytest
from corpus_pages import Sheet, fees

from pincite.corpus.library import Library, disk_error
from pincite.corpus.pdf import read_pdf
from pincite.errors import DiskError, LibraryDamaged


@pytest.fixture
def page():
    return fees(Sheet(title="Fee Rulebook").heading("4.2 Fees").text("The fees are as follows.")).bytes()


def kept(tmp_path, data):
    file = tmp_path / "rulebook.pdf"
    file.write_bytes(data)
    library = Library(tmp_path / "library")
    sha256 = hashlib.sha256(data).hexdigest()
    library.keep_source(file, sha256)
    return library, sha256


def test_a_source_comes_back_as_it_was_kept(tmp_path, page):
    library, sha256 = kept(tmp_path, page)

    assert library.has_source(sha256)
    assert library.whole_source(sha256).read_bytes() == page


def test_a_flipped_byte_in_a_source_is_noticed(tmp_path, page):
    library, sha256 = kept(tmp_path, page)
    path = library.source_path(sha256)
    path.write_bytes(page[:100] + bytes([page[100] ^ 1]) + page[101:])

    with pytest.raises(LibraryDamaged, match="index the file again"):
        library.whole_source(sha256)


def test_an_unknown_source_is_not_there(tmp_path):
    library = Library(tmp_path)

    with pytest.raises(KeyError):
        library.whole_source("0" * 64)
    assert library.parsed("0" * 64) is None
    assert library.vectors("none") is None


@pytest.mark.parametrize("name", ["../../etc/passwd", "", "A" * 64, "0" * 63])
def test_a_hash_that_is_none_never_becomes_a_path(tmp_path, name):
    with pytest.raises(ValueError, match="SHA-256"):
        Library(tmp_path).source_path(name)


def test_a_file_that_changes_while_it_is_read_is_not_kept(tmp_path, page):
    file = tmp_path / "rulebook.pdf"
    file.write_bytes(page)
    library = Library(tmp_path / "library")

    with pytest.raises(LibraryDamaged, match="changed"):
        library.keep_source(file, "0" * 64)
    assert list((tmp_path / "library" / "sources").iterdir()) == []


def test_a_parsed_document_comes_back_equal(tmp_path, page):
    document = read_pdf(page, "rulebook.pdf")
    library = Library(tmp_path)

    library.keep_parsed(document)

    assert library.parsed(document.sha256, document.parser) == document
    assert library.parsed(document.sha256, "another parser") is None


def test_every_flipped_byte_of_a_parsed_document_is_noticed(tmp_path, page):
    document = read_pdf(page, "rulebook.pdf")
    library = Library(tmp_path)
    library.keep_parsed(document)
    path = library.parsed_path(document.sha256)
    data = path.read_bytes()

    # Bytes 3 to 9 of a gzip file are flags, time and system: changing them does not change the document.
    for at in range(10, len(data), max(len(data) // 40, 1)):
        path.write_bytes(data[:at] + bytes([data[at] ^ 0xFF]) + data[at + 1 :])
        with pytest.raises(LibraryDamaged):
            library.parsed(document.sha256)


def test_vectors_come_back_exactly_and_damaged_ones_are_as_if_there_were_none(tmp_path):
    library = Library(tmp_path)
    vectors = np.random.default_rng(7).normal(size=(5, 384)).astype(np.float32)

    library.keep_vectors("e5 small/über:1", vectors)

    assert np.array_equal(library.vectors("e5 small/über:1"), vectors)
    path = library.vectors_path("e5 small/über:1")
    data = path.read_bytes()
    path.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    assert library.vectors("e5 small/über:1") is None


def test_no_vectors_are_vectors_too(tmp_path):
    library = Library(tmp_path)

    library.keep_vectors("empty", np.zeros((0, 384), np.float32))

    assert library.vectors("empty").shape == (0, 384)


def test_forgetting_removes_the_bytes_and_all_that_was_made_of_them(tmp_path, page):
    library, sha256 = kept(tmp_path, page)
    library.keep_parsed(read_pdf(page, "rulebook.pdf"))
    library.keep_vectors(f"{sha256}-e5", np.ones((1, 4), np.float32))
    library.keep_vectors("other", np.ones((1, 4), np.float32))

    removed = library.forget(sha256)

    assert len(removed) == 3
    assert [p.name for p in library.root.rglob("*") if p.is_file()] == ["other.f32"]


def test_a_write_that_fails_half_way_leaves_nothing(tmp_path, monkeypatch, page):
    library, sha256 = kept(tmp_path, page)

    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(DiskError, match="full"):
        library.keep_parsed(read_pdf(page, "rulebook.pdf"))
    assert [p.name for p in library.root.rglob("*") if p.is_file()] == [f"{sha256}.pdf"]


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (errno.ENOSPC, "free some space"),
        (errno.EROFS, "may only be read"),
        (errno.EACCES, "permissions"),
        (errno.EIO, "check the disk"),
    ],
)
def test_an_error_of_the_disk_says_what_to_do(tmp_path, number, words):
    error = disk_error(OSError(number, os.strerror(number)), tmp_path / "x")

    assert words in str(error)
    assert error.path == str(tmp_path / "x")


def test_a_source_whose_bytes_were_changed_is_not_shown_and_may_be_put_back(tmp_path):
    library, file = Library(tmp_path / "library"), tmp_path / "a.pdf"
    file.write_bytes(b"%PDF-1.7 fees")
    sha256 = hashlib.sha256(file.read_bytes()).hexdigest()
    library.keep_source(file, sha256)
    assert library.whole_source(sha256) == library.whole_source(sha256) == library.source_path(sha256)

    library.source_path(sha256).write_bytes(b"%PDF-1.7 fee5")

    with pytest.raises(LibraryDamaged, match="delete it"):
        library.whole_source(sha256)
    library.source_path(sha256).unlink()
    library.keep_source(file, sha256)
    assert library.whole_source(sha256)
