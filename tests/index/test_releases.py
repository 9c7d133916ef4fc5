import os
import re
import subprocess
import sys
import threading

import numpy as np
import pytest

from pincite.errors import DiskError, LibraryBusy, LibraryDamaged, NotIndexed, UsageError, WrongReader
from pincite.index.edge import EmbeddedEngine
from pincite.index.releases import Entry, Releases
from pincite.index.store import Only
from pincite.index.versions import made_by
from pincite.index.withdrawn import Withdrawal
from pincite.types import Chunk, Revision


def entry(text, sha="ab" * 32):
    revision = Revision("fees", "fees.pdf", "3", sha, "Fees", "en", "citable")
    unit = [np.eye(1, 8, dtype=np.float32)]
    return Entry(revision, (f"fees/{sha[:8]}/0",), (Chunk(0, ("4 Fees",), "text", (1,), text, text),), unit)


def build(releases, text, sha="ab" * 32):
    return releases.build([entry(text, sha)], [], model="m", parser=made_by(2000, None), average_length=50, dimension=8)


def published_text(releases):
    store = EmbeddedEngine().open(releases.store(releases.current().id))
    text = store.read(Only())[0].chunk.text
    store.close()
    return text


def test_nothing_is_there_before_the_first_release(tmp_path):
    with pytest.raises(NotIndexed, match="pincite index"):
        Releases(tmp_path).current()


def test_readers_see_the_old_release_until_the_new_one_is_published(tmp_path):
    releases = Releases(tmp_path)
    with releases.writing():
        releases.publish(build(releases, "costs 0.20 %").id, keep=3)
        second = build(releases, "costs 0.25 %", "cd" * 32)

        assert published_text(releases) == "costs 0.20 %"
        releases.publish(second.id, keep=3)

    assert published_text(releases) == "costs 0.25 %"


def test_an_older_release_can_be_published_again_unchanged(tmp_path):
    releases = Releases(tmp_path)
    with releases.writing():
        first = build(releases, "costs 0.20 %")
        releases.publish(first.id, keep=3)
        releases.publish(build(releases, "costs 0.25 %", "cd" * 32).id, keep=3)

        releases.publish(releases.previous(), keep=3)

    assert releases.current() == first
    assert published_text(releases) == "costs 0.20 %"


def test_only_the_newest_releases_are_kept(tmp_path):
    releases = Releases(tmp_path)
    with releases.writing():
        built = [build(releases, f"costs 0.2{i} %", f"{i}a" * 32) for i in range(4)]
        releases.publish(built[-1].id, keep=2)

    assert [release.id for release in releases.kept()] == [built[3].id, built[2].id]
    with pytest.raises(UsageError, match="no release"):
        releases.load(built[0].id)


def test_what_a_killed_run_left_behind_is_never_read_and_goes_at_the_next_run(tmp_path):
    releases = Releases(tmp_path)
    with releases.writing():
        live = build(releases, "costs 0.20 %")
        releases.publish(live.id, keep=3)
    torn = tmp_path / "releases" / ".building-20990101T000000"
    (torn / "store").mkdir(parents=True)

    assert [release.id for release in releases.kept()] == [live.id]
    with releases.writing():
        assert not torn.exists()


def test_two_runs_do_not_write_at_once(tmp_path):
    with Releases(tmp_path).writing(), pytest.raises(LibraryBusy, match="wait"), Releases(tmp_path).writing():
        pass


@pytest.mark.skipif(os.name == "nt", reason="renames of open files")
def test_a_path_as_a_release_id_reads_nothing(tmp_path):
    with pytest.raises(UsageError):
        Releases(tmp_path).load("../releases")


def flip(path):
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def published(tmp_path, *texts):
    releases = Releases(tmp_path)
    with releases.writing():
        built = [build(releases, text, f"{i}a" * 32) for i, text in enumerate(texts)]
        for release in built:
            releases.publish(release.id, keep=9)
    return releases, built


def test_a_release_is_opened_only_when_every_byte_is_as_it_was_written(tmp_path):
    releases, (first, second) = published(tmp_path, "costs 0.20 %", "costs 0.25 %")
    store = EmbeddedEngine().open(releases.open(second.id).store)
    assert store.read(Only())[0].chunk.text == "costs 0.25 %"
    store.close()

    assert releases.open(second.id).release == second  # the engine changed nothing while it had it open
    flip(next(releases.store(second.id).glob("segments/*/payload_storage/page_0.dat")))
    with pytest.raises(LibraryDamaged, match="does not have the bytes"):
        releases.open(second.id)
    assert releases.open(first.id).release == first


def test_a_damaged_record_is_never_shown(tmp_path):
    releases, (first, second) = published(tmp_path, "costs 0.20 %", "costs 0.25 %")
    path = releases.store(second.id).parent / "release.json"
    path.write_bytes(path.read_bytes().replace(b"Fees", b"Fee5"))

    with pytest.raises(LibraryDamaged):
        releases.current()
    assert releases.kept() == (first,)
    assert releases.rollback(None, keep=9) == first.id


def test_a_damaged_pointer_says_which_releases_can_be_published(tmp_path):
    releases, (first,) = published(tmp_path, "costs 0.20 %")
    (tmp_path / "current").write_bytes(b"\xff" + first.id.encode()[1:])

    with pytest.raises(LibraryDamaged, match=first.id):
        releases.current()


def test_a_damaged_release_is_not_rolled_back_to(tmp_path):
    releases, (first, second) = published(tmp_path, "costs 0.20 %", "costs 0.25 %")
    flip(next(releases.store(first.id).glob("segments/*/vector_storage-dense/vectors/chunk_0.mmap")))

    with pytest.raises(LibraryDamaged):
        releases.rollback(None, keep=9)
    assert releases.current() == second


@pytest.mark.parametrize("number", range(5))
def test_a_release_that_another_version_made_is_refused_with_a_sentence(tmp_path, number):
    versions = made_by(2000, None).split("+")
    versions[number] = re.sub(r"\d+", "0", versions[number], count=1)
    releases, (live,) = published(tmp_path, "costs 0.20 %")
    with releases.writing():
        other = releases.build([entry("x")], [], model="m", parser="+".join(versions), average_length=50, dimension=8)

    with pytest.raises(WrongReader, match="pincite index"):
        releases.open(other.id)
    with pytest.raises(WrongReader, match="pincite index"):
        releases.rollback(other.id, keep=9)
    assert releases.current() == live


def test_what_is_removed_is_gone_from_the_disk_and_a_reader_of_it_goes_on(tmp_path):
    releases, (first,) = published(tmp_path, "costs 0.20 %")
    reader = EmbeddedEngine().open(releases.store(first.id))

    with releases.writing():
        releases.publish(build(releases, "costs 0.25 %", "cd" * 32).id, keep=1)

    assert [path.name for path in (tmp_path / "releases").iterdir()] == [releases.current().id]
    assert reader.read(Only())[0].chunk.text == "costs 0.20 %"
    reader.close()
    assert [path.name for path in (tmp_path / "releases").iterdir()] == [releases.current().id]


def test_what_was_withdrawn_is_hidden_at_once_and_its_release_is_not_published_again(tmp_path):
    releases, (first, second) = published(tmp_path, "costs 0.20 %", "costs 0.25 %")
    releases.withdrawn.add(Withdrawal("fees", ("0a" * 32,), "2026-12-01T00:00:00+00:00"))

    assert releases.load(first.id).revisions == ()
    assert releases.current() == second
    with pytest.raises(UsageError, match="withdrawn"):
        releases.rollback(first.id, keep=9)
    releases.forget()
    assert releases.kept() == (second,)


def test_a_damaged_list_of_what_was_withdrawn_shows_nothing_at_all(tmp_path):
    releases, _ = published(tmp_path, "costs 0.20 %")
    releases.withdrawn.add(Withdrawal("fees", ("cd" * 32,), "2026-12-01T00:00:00+00:00"))
    flip(tmp_path / "withdrawn")

    with pytest.raises(LibraryDamaged, match="backup"):
        Releases(tmp_path).current()


def mounted(options, *arguments):
    if sys.platform != "linux" or os.geteuid() != 0:
        pytest.skip("only root on Linux can mount a file system")
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", *arguments], capture_output=True, text=True)
    if done.returncode:
        pytest.skip(f"no file system can be mounted here: {done.stderr.strip()}")


def test_a_full_disk_stops_the_build_with_a_sentence_and_not_the_readers(tmp_path):
    mounted("size=160m", str(tmp_path))
    try:
        releases, (first,) = published(tmp_path, "costs 0.20 %")
        many = (entry(f"costs {i} % " * 2000, f"{i:064x}") for i in range(2000))

        with pytest.raises(DiskError, match="full"), releases.writing():
            releases.build(many, [], model="m", parser=made_by(2000, None), average_length=50, dimension=8)

        assert published_text(releases) == "costs 0.20 %"
        assert [path.name for path in (tmp_path / "releases").iterdir()] == [first.id]
    finally:
        subprocess.run(["umount", "-l", str(tmp_path)], check=True)


def test_a_library_on_a_read_only_file_system_is_read_from_a_private_copy(tmp_path):
    mounted("size=160m", str(tmp_path))
    try:
        releases, (first,) = published(tmp_path, "costs 0.20 %")
        subprocess.run(["mount", "-o", "remount,ro", str(tmp_path)], check=True)

        opened = releases.open(first.id)
        store = EmbeddedEngine().open(opened.store)
        assert store.read(Only())[0].chunk.text == "costs 0.20 %"
        store.close()
        assert not opened.store.is_relative_to(tmp_path)
        opened.discard()
        assert not opened.store.exists()
        with pytest.raises(DiskError, match="only be read"), releases.writing():
            pass
    finally:
        subprocess.run(["umount", "-l", str(tmp_path)], check=True)


def test_a_build_does_not_hold_up_the_threads_of_its_process(tmp_path):
    releases, steps, stop = Releases(tmp_path), [0], threading.Event()

    def count():
        while not stop.wait(0.001):
            steps[0] += 1

    counting = threading.Thread(target=count)
    counting.start()
    with releases.writing():
        build(releases, "costs 0.20 %")
    stop.set()
    counting.join()

    assert steps[0] > 20  # the engine alone would hold Python's lock while it writes
