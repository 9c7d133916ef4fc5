import gc
import json
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from pincite.corpus.library import Library
from pincite.errors import InputError, UsageError
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
