import os

import numpy as np
import pytest

from pincite.errors import LibraryBusy, NotIndexed, UsageError
from pincite.index.edge import EmbeddedEngine
from pincite.index.releases import Entry, Releases
from pincite.index.store import Only
from pincite.types import Chunk, Revision


def entry(text, sha="ab" * 32):
    revision = Revision("fees", "fees.pdf", "3", sha, "Fees", "en", "citable")
    unit = [np.eye(1, 8, dtype=np.float32)]
    return Entry(revision, (f"fees/{sha[:8]}/0",), (Chunk(0, ("4 Fees",), "text", (1,), text, text),), unit)


def build(releases, text, sha="ab" * 32):
    return releases.build([entry(text, sha)], [], model="m", parser="p", average_length=50, dimension=8)


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
