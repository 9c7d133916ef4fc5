import gc
import gzip
import json
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from pincite.corpus.library import Library
from pincite.errors import InputError, LibraryDamaged, NotIndexed, UsageError
from pincite.index.edge import EmbeddedEngine
from pincite.index.releases import Releases
from pincite.index.run import Indexer, Progress
from pincite.index.store import Only
from pincite.types import Chunk, ParsedDocument

SAMPLES = Path(__file__).parents[2] / "samples" / "pdf"
OLD, NEW, OTHER = "CRN-32-3-rev2.pdf", "CRN-32-3-rev3.pdf", "CRN-45-2-rev1.pdf"


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "sheets"
    folder.mkdir()
    shutil.copy(SAMPLES / OLD, folder)
    return folder


@pytest.fixture
def indexer(tmp_path, encoder):
    library = tmp_path / "library"
    return Indexer(Library(library), Releases(library), encoder, 2000, 200, 3)


def statuses(run):
    return {report.source: report.status for report in run.documents}


def stored(indexer):
    store = EmbeddedEngine().open(indexer.releases.store(indexer.releases.current().id))
    chunks = store.read(Only())
    store.close()
    return chunks


def test_a_folder_becomes_a_release_whose_chunks_are_verbatim(indexer, folder):
    run = indexer.index_pdfs([folder])

    assert statuses(run) == {OLD: "new"}
    chunks = stored(indexer)
    assert len(chunks) == run.release.chunks == run.documents[0].chunks > 0
    assert any("4.2" in s.chunk.text and s.chunk.kind == "table" for s in chunks)  # the NPSH of revision 2
    described = run.release.revisions[0].description
    assert {s.date for s in chunks} == {described.date.reading.value}  # what a later filter by date needs


def test_a_run_that_changes_nothing_publishes_nothing(indexer, folder):
    first = indexer.index_pdfs([folder])

    second = indexer.index_pdfs([folder])

    assert not second.published
    assert second.release == first.release
    assert statuses(second) == {OLD: "unchanged"}


def test_a_newer_revision_is_citable_and_the_older_one_stays_readable(indexer, folder):
    indexer.index_pdfs([folder])
    shutil.copy(SAMPLES / NEW, folder)

    run = indexer.index_pdfs([folder])

    assert statuses(run) == {OLD: "unchanged", NEW: "changed"}
    standing = {revision.source: (revision.standing, revision.reason) for revision in run.release.revisions}
    assert standing == {NEW: ("citable", ""), OLD: ("readable", "superseded by revision 3")}
    assert len({revision.document for revision in run.release.revisions}) == 1


def test_a_file_that_was_replaced_in_place_is_never_found_again(indexer, folder):
    indexer.index_pdfs([folder])
    shutil.copy(SAMPLES / NEW, folder / OLD)

    run = indexer.index_pdfs([folder])

    assert len(run.release.revisions) == 1
    assert "dropped" in [report.status for report in run.documents]
    assert {chunk.sha256 for chunk in stored(indexer)} == {run.release.revisions[0].sha256}


def test_what_is_not_named_stays_unless_it_is_pruned(indexer, folder, tmp_path):
    indexer.index_pdfs([folder])
    other = shutil.copy(SAMPLES / OTHER, tmp_path)

    kept = indexer.index_pdfs([Path(other)])
    pruned = indexer.index_pdfs([Path(other)], prune=True)

    assert statuses(kept) == {OLD: "unchanged", OTHER: "new"}
    assert statuses(pruned) == {OLD: "dropped", OTHER: "unchanged"}


def test_a_file_that_became_unreadable_is_reported_and_loses_nothing(indexer, folder):
    indexer.index_pdfs([folder])
    (folder / OLD).write_bytes(b"<html>404 not found</html>")

    run = indexer.index_pdfs([folder], prune=True)

    failed = [report for report in run.documents if report.status == "failed"]
    assert [report.source for report in failed] == [OLD]
    assert failed[0].reason
    assert len(indexer.releases.current().revisions) == 1


def test_the_same_bytes_under_two_names_are_indexed_once_and_reported(indexer, folder):
    shutil.copy(folder / OLD, folder / "copy of the sheet.pdf")

    run = indexer.index_pdfs([folder])

    assert len(run.release.revisions) == 1
    rejected = [report for report in run.documents if report.standing == "rejected"]
    assert len(rejected) == 1
    assert "same bytes" in rejected[0].reason
    assert not indexer.index_pdfs([folder]).published


def test_a_folder_without_a_pdf_is_an_error_that_says_so(indexer, tmp_path):
    (tmp_path / "empty").mkdir()

    with pytest.raises(UsageError, match="no PDF"):
        indexer.index_pdfs([tmp_path / "empty"])


def passages(tmp_path, *records):
    path = tmp_path / "passages.jsonl"
    path.write_text("\n".join(json.dumps(record) for record in records), encoding="utf-8")
    return path


def test_passages_made_elsewhere_keep_their_ids_and_empty_ones_are_skipped(indexer, tmp_path):
    path = passages(
        tmp_path,
        {"id": "a-1", "doc": "Act", "section": "Article 1", "text": "The fee is 0.20 %.", "page": 3},
        {"id": "a-2", "document": "Act", "section": ["Part I", "Article 2"], "text": ""},
        {"id": "b-1", "document": "Decree", "section": "", "text": "waaierdiameter " * 900},
    )

    assert indexer.index_passages(path).empty_passages == 1

    found = {chunk.id: chunk for chunk in stored(indexer)}
    assert set(found) == {"a-1", "b-1"}
    assert found["a-1"].chunk.pages == (3,)
    assert found["a-1"].chunk.section == ("Article 1",)
    assert found["b-1"].chunk.pages == ()  # unknown: it never borrows one


def test_pdfs_and_passages_live_in_one_release(indexer, folder, tmp_path):
    indexer.index_pdfs([folder])
    path = passages(tmp_path, {"id": "a-1", "document": "Act", "section": "1", "text": "The fee is 0.20 %."})

    run = indexer.index_passages(path)

    assert {revision.source for revision in run.release.revisions} == {OLD, "passages.jsonl"}


@pytest.mark.parametrize(
    "line", ['{"id": "x"}', "no json", '{"id": 1, "document": "d", "section": "", "text": "", "page": "x"}']
)
def test_a_line_that_is_no_passage_is_named(indexer, tmp_path, line):
    path = tmp_path / "bad.jsonl"
    path.write_text('{"id": "1", "document": "d", "section": "", "text": "t"}\n' + line, encoding="utf-8")

    with pytest.raises(InputError, match="line 2"):
        indexer.index_passages(path)
    assert indexer.releases.current_id() is None


def test_vectors_are_made_once_and_taken_from_the_cache_afterwards(indexer, folder, tmp_path, encoder):
    indexer.index_pdfs([folder])
    library = indexer.library.root
    embedded = sorted(path.name for path in (library / "vectors").iterdir())
    shutil.copy(SAMPLES / OTHER, folder)

    indexer.index_pdfs([folder])

    assert set(embedded) < {path.name for path in (library / "vectors").iterdir()}
    assert np.allclose(np.linalg.norm(indexer.library.vectors(embedded[0][: -len(".f32")]), axis=1), 1, atol=1e-5)


def test_a_release_keeps_where_references_lead_and_reports_those_that_lead_nowhere(indexer, tmp_path):
    folder = tmp_path / "rulebooks"
    folder.mkdir()
    for name in ("farrowmere-fees-rev3.pdf", "farrowmere-acceptance-devices-rev5.pdf"):
        shutil.copy(SAMPLES / name, folder)

    run = indexer.index_pdfs([folder])

    leads = {
        reference.text: reference.targets[0]
        for s in stored(indexer)
        if s.document == "farrowmere-fees"
        for reference in s.chunk.references
        if reference.targets
    }
    found = leads["Acceptance Devices Rulebook, section 5.1"]
    assert (found.document, found.section[-1], found.page) == ("farrowmere-acceptance-devices", "5.1 Levels", 8)
    nowhere = {one.text: one.reason for report in run.documents for one in report.unresolved}
    assert nowhere["Message Specifications, section 3.2"].endswith("is not in the library under that name")
    assert sum(report.references for report in run.documents) > len(nowhere)


def alive(kind):
    return sum(isinstance(thing, kind) for thing in gc.get_objects())


class CountingLibrary(Library):
    """Notes how many documents were in memory at most while one was loaded."""

    most = 0

    def needed(self, sha256):
        found = super().needed(sha256)
        self.most = max(self.most, alive(ParsedDocument))
        return found


def test_a_run_holds_one_document_at_a_time(tmp_path, encoder, folder):
    for number in range(6):
        (folder / f"{'abcdef'[number]}-sheet.pdf").write_bytes((SAMPLES / OLD).read_bytes() + b"%% %d\n" % number)
    library = CountingLibrary(tmp_path / "library")
    held = []
    progress = Progress(advance=lambda _: held.append(alive(Chunk)))
    gc.collect()
    documents, chunks = alive(ParsedDocument), alive(Chunk)

    run = Indexer(library, Releases(library.root), encoder, 2000, 200, 3).index_pdfs([folder], progress=progress)

    assert len(run.release.revisions) == 7
    # The one that was loaded last may still be there while the next one is.
    assert 0 < library.most - documents <= 2
    assert 0 < max(held) - chunks <= 2 * max(report.chunks for report in run.documents)


def test_nothing_but_releases_is_left_where_they_are_built(indexer, folder):
    run = indexer.index_pdfs([folder])

    assert [path.name for path in (indexer.library.root / "releases").iterdir()] == [run.release.id]


def test_what_another_machine_read_and_embedded_is_taken_over_by_copying_it(indexer, folder, tmp_path, monkeypatch):
    first = indexer.index_pdfs([folder])
    library = Library(tmp_path / "gathered")
    for made in ("sources", "parsed", "vectors"):
        shutil.copytree(indexer.library.root / made, library.root / made)
    monkeypatch.setattr(type(indexer.encoder), "passages", None)  # nothing is embedded again

    gathered = Indexer(library, Releases(library.root), indexer.encoder, 2000, 200, 3).index_pdfs([folder])

    assert gathered.release.chunks == first.release.chunks


def test_the_length_of_a_middling_chunk_is_that_of_what_is_indexed(tmp_path, indexer):
    passages = tmp_path / "rules.jsonl"
    lines = [{"id": f"{i}", "document": "rules", "section": "", "text": "fee " * 40} for i in range(30)]
    passages.write_text("\n".join(map(json.dumps, lines)))

    run = replace(indexer, average_length=None).index_passages(passages)

    assert run.release.average_length == 40


# ---------------------------------------------------------------- withdrawal


def holding(root, text):
    """Files under a directory that hold ``text``, packed ones unpacked."""
    found = []
    for path in (path for path in root.rglob("*") if path.is_file()):
        data = path.read_bytes()
        data = gzip.decompress(data) if path.suffix == ".gz" else data
        if text.encode() in data:
            found.append(path.name)
    return found


def test_a_withdrawn_document_leaves_no_byte_behind_and_the_others_stay(indexer, folder):
    shutil.copy(SAMPLES / OTHER, folder)
    (document, *_) = indexer.index_pdfs([folder]).release.revisions
    sha256 = document.sha256

    run = indexer.withdraw(document.document)

    assert run is not None and [r.document for r in run.release.revisions] == ["crn-45-2"]
    assert indexer.releases.kept() == (run.release,)  # the older ones held it
    assert not list(indexer.library.root.rglob(f"*{sha256}*"))
    assert set(holding(indexer.library.root, sha256)) == {"withdrawn", "register"}
    assert {chunk.document for chunk in stored(indexer)} == {"crn-45-2"}


def test_the_bytes_of_a_withdrawn_document_are_refused_until_the_order_is_lifted(indexer, folder):
    shutil.copy(SAMPLES / OTHER, folder)
    indexer.index_pdfs([folder])
    indexer.withdraw("crn-32-3")

    refused = indexer.index_pdfs([folder])
    assert statuses(refused)[OLD] == "failed"
    assert "withdrawn" in {r.source: r.reason for r in refused.documents}[OLD]

    indexer.releases.withdrawn.lift("crn-32-3")
    assert statuses(indexer.index_pdfs([folder]))[OLD] == "new"


def test_a_document_that_no_release_holds_any_more_can_still_be_withdrawn(indexer, folder, tmp_path):
    indexer.index_pdfs([folder])
    other = Path(shutil.copy(SAMPLES / OTHER, tmp_path))
    single = replace(indexer, releases_kept=1)
    single.index_pdfs([other], prune=True)
    assert len(list((indexer.library.root / "sources").iterdir())) == 2  # kept, for the citations of old answers

    single.withdraw("crn-32-3")

    assert len(list((indexer.library.root / "sources").iterdir())) == 1


def test_what_is_unknown_cannot_be_withdrawn(indexer, folder):
    indexer.index_pdfs([folder])

    with pytest.raises(UsageError, match="pincite documents"):
        indexer.withdraw("nothing")


def test_the_last_document_can_be_withdrawn_and_leaves_an_empty_library(indexer, folder):
    indexer.index_pdfs([folder])

    assert indexer.withdraw("crn-32-3") is None
    with pytest.raises(NotIndexed):
        indexer.releases.current()
    assert not (indexer.library.root / "current").exists()


def test_a_document_of_a_file_of_passages_is_withdrawn_and_the_other_lines_stay(indexer, tmp_path):
    file = tmp_path / "made.jsonl"
    lines = [
        {"id": f"{d}1", "document": d, "section": [], "text": f"The {d} costs 5 cents."} for d in ("secret", "open")
    ]
    file.write_text("\n".join(json.dumps(line) for line in lines))
    indexer.index_passages(file)

    run = indexer.withdraw("secret")

    assert run is not None and [s.chunk.text for s in stored(indexer)] == ["The open costs 5 cents."]
    assert holding(indexer.library.root, "The secret costs") == []
    with pytest.raises(InputError, match="withdrawn"):
        indexer.index_passages(file)


@pytest.mark.parametrize("step", ["publish", "forget"])
def test_a_withdrawal_that_was_killed_forbids_at_once_and_is_completed_by_another(indexer, folder, monkeypatch, step):
    shutil.copy(SAMPLES / OTHER, folder)
    live = indexer.index_pdfs([folder]).release

    def killed(*_, **__):
        raise KeyboardInterrupt

    with monkeypatch.context() as broken, pytest.raises(KeyboardInterrupt):
        broken.setattr(Releases, step, killed)
        indexer.withdraw("crn-32-3")
    assert "crn-32-3" not in {r.document for r in indexer.releases.current().revisions}
    with pytest.raises(UsageError, match="withdrawn"):
        indexer.releases.rollback(live.id, keep=3)

    indexer.withdraw("crn-32-3")

    assert "crn-32-3" not in {r.document for r in indexer.releases.current().revisions}
    assert holding(indexer.library.root, "CRN 32-3") == []


def test_a_release_whose_bytes_were_changed_is_built_anew(indexer, folder):
    live = indexer.index_pdfs([folder]).release
    record = indexer.releases.store(live.id) / "edge_config.json"
    record.write_bytes(record.read_bytes() + b" ")

    run = indexer.index_pdfs([folder])

    assert run.published and run.release.id != live.id
    assert statuses(run) == {OLD: "unchanged"}
    assert stored(indexer)


def test_a_release_of_an_older_pincite_without_checksums_is_built_anew_with_all_that_it_holds(
    indexer, folder, tmp_path
):
    live = indexer.index_pdfs([folder]).release
    (indexer.releases.store(live.id).parent / "checksums").unlink()

    run = indexer.index_pdfs([Path(shutil.copy(SAMPLES / OTHER, tmp_path))])

    assert statuses(run) == {OLD: "unchanged", OTHER: "new"}


def test_damaged_vectors_are_made_again_and_do_not_stop_a_withdrawal(indexer, folder, tmp_path):
    indexer.index_pdfs([folder])
    before = stored(indexer)
    (vectors,) = (indexer.library.root / "vectors").iterdir()
    vectors.write_bytes(vectors.read_bytes()[:-1] + b"?")
    other = Path(shutil.copy(SAMPLES / OTHER, tmp_path))

    indexer.index_pdfs([other])
    assert [chunk for chunk in stored(indexer) if chunk.document == before[0].document] == before

    vectors.write_bytes(vectors.read_bytes()[:-1] + b"?")
    assert indexer.withdraw("crn-45-2") is not None
    assert stored(indexer) == before


def test_an_empty_pointer_as_after_a_power_cut_loses_nothing(indexer, folder, tmp_path):
    live = indexer.index_pdfs([folder]).release
    (indexer.library.root / "current").write_bytes(b"")

    with pytest.raises(LibraryDamaged, match=live.id):
        indexer.releases.current()
    assert indexer.releases.rollback(None, keep=3) == live.id

    (indexer.library.root / "current").write_bytes(b"")
    run = indexer.index_pdfs([Path(shutil.copy(SAMPLES / OTHER, tmp_path))])
    assert statuses(run) == {OLD: "unchanged", OTHER: "new"}


def test_the_next_run_removes_the_releases_that_a_killed_one_had_no_time_for(indexer, folder):
    patient = replace(indexer, releases_kept=9)
    patient.index_pdfs([folder])
    shutil.copy(SAMPLES / OTHER, folder)
    patient.index_pdfs([folder])

    replace(indexer, releases_kept=1).index_pdfs([folder])

    assert len(indexer.releases.kept()) == 1


def test_a_run_that_was_killed_leaves_nothing_to_the_next_but_what_it_had_finished(indexer, folder):
    indexer.index_pdfs([folder])
    torn = indexer.library.root / "vectors" / ".writing-abc"
    torn.write_bytes(b"half")

    indexer.index_pdfs([folder])

    assert not torn.exists()
