import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.errors import LibraryDamaged
from pincite.index import seal


@pytest.fixture
def directory(tmp_path):
    directory = tmp_path / "release"
    (directory / "store").mkdir(parents=True)
    (directory / "release.json").write_bytes(b'{"id": "r1"}')
    with (directory / "store" / "page_0.dat").open("wb") as stream:
        stream.write(b"A refund costs 0.25 %.")
        stream.truncate(300_000)  # the rest is a hole, as in the engine's files
    seal.seal(directory)
    return directory


def flip(path, at):
    data = bytearray(path.read_bytes())
    data[at] ^= 1
    path.write_bytes(data)


def test_what_did_not_change_passes(directory):
    seal.check(directory)
    seal.check(directory, only="release.json")


@pytest.mark.parametrize(
    ("name", "at"), [("release.json", 3), ("store/page_0.dat", 5), ("store/page_0.dat", 299_999), ("checksums", 70)]
)
def test_a_flipped_byte_is_refused_also_in_a_hole_and_in_the_checksums(directory, name, at):
    flip(directory / name, at)

    with pytest.raises(LibraryDamaged, match="pincite index"):
        seal.check(directory)


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_a_byte_flipped_anywhere_is_refused(tmp_path_factory, data):
    directory = tmp_path_factory.mktemp("sealed")
    (directory / "store.dat").write_bytes(data.draw(st.binary(min_size=1, max_size=200)) + bytes(70_000))
    seal.seal(directory)
    path = directory / data.draw(st.sampled_from(["store.dat", "checksums"]))

    flip(path, data.draw(st.integers(0, path.stat().st_size - 1)))

    with pytest.raises(LibraryDamaged):
        seal.check(directory)


@pytest.mark.parametrize("change", ["gone", "longer"])
def test_a_file_that_is_gone_or_has_another_length_is_refused(directory, change):
    path = directory / "store" / "page_0.dat"
    if change == "gone":
        path.unlink()
    else:
        with path.open("ab") as stream:
            stream.write(b"\0")

    with pytest.raises(LibraryDamaged, match="page_0"):
        seal.check(directory)


def test_a_release_without_checksums_is_refused(directory):
    (directory / "checksums").unlink()

    with pytest.raises(LibraryDamaged, match="no checksums"):
        seal.check(directory)


def test_a_private_copy_has_the_same_bytes_and_the_same_holes(directory, tmp_path):
    seal.check(directory, copy_to=tmp_path / "copy")

    copy = tmp_path / "copy" / "store" / "page_0.dat"
    assert copy.read_bytes() == (directory / "store" / "page_0.dat").read_bytes()
    assert copy.stat().st_blocks * 512 < 200_000


def test_a_checked_file_that_was_changed_is_refused(tmp_path):
    path = tmp_path / "withdrawn"
    assert seal.read_checked(path) is None
    seal.write_checked(path, b"[1]")
    assert seal.read_checked(path) == b"[1]"

    flip(path, 66)

    with pytest.raises(LibraryDamaged, match="backup"):
        seal.read_checked(path)
