import hashlib
import os
import random
import signal
import subprocess
import sys
import textwrap
import time
from dataclasses import replace
from pathlib import Path

import psutil
import pytest
from corpus_pages import BOMBS, Sheet, bomb, encrypted, fees

from pincite.corpus.ingest import LIMITS, Limits, find_pdfs, inspect_pdf, read_files
from pincite.corpus.library import Library
from pincite.errors import UnreadablePdf

TIGHT = Limits(document_s=6, page_s=4, memory_bytes=400 << 20)
"""What the real limits do, within the patience of a test run."""


def rulebook(title="Fee Rulebook"):
    return fees(Sheet(title=title).heading("4.2 Fees").text("The fees are as follows.")).bytes()


@pytest.fixture
def library(tmp_path):
    return Library(tmp_path / "library")


def write(folder, **files):
    folder.mkdir(exist_ok=True)
    for name, data in files.items():
        (folder / f"{name.replace('_', '-')}.pdf").write_bytes(data)
    return folder


def test_every_file_of_a_folder_is_read_or_says_why_not(tmp_path, library):
    folder = write(
        tmp_path / "rules",
        good=rulebook(),
        empty=b"",
        page=b"<html><body>Please log in</body></html>",
        sheet=b"PK\x03\x04 not a PDF",
        secret=encrypted(rulebook(), "secret"),
        damaged=rulebook()[:700],
    )
    seen = []

    reads = read_files([folder, tmp_path / "missing.pdf"], library, workers=2, on_file=seen.append)

    reasons = {read.source: read.reason for read in reads}
    assert reasons["good.pdf"] == ""
    assert "empty" in reasons["empty.pdf"]
    assert "web page" in reasons["page.pdf"]
    assert "not a PDF" in reasons["sheet.pdf"]
    assert "password" in reasons["secret.pdf"]
    assert "damaged" in reasons["damaged.pdf"]
    assert "no such file" in reasons["missing.pdf"]
    assert [read.source for read in reads] == [path.name for path in find_pdfs([folder, tmp_path / "missing.pdf"])]
    assert sorted(read.source for read in seen) == sorted(reasons)


def test_what_was_parsed_is_not_parsed_again(tmp_path, library):
    folder = write(tmp_path / "rules", good=rulebook())

    (first,) = read_files([folder], library)
    (second,) = read_files([folder], library)

    assert (first.cached, second.cached) == (False, True)
    assert second.parsed == first.parsed
    assert first.parsed is not None
    assert first.parsed.sha256 == hashlib.sha256(rulebook()).hexdigest() == first.sha256
    assert library.whole_source(first.sha256).read_bytes() == rulebook()


def test_a_damaged_artefact_is_parsed_again(tmp_path, library):
    folder = write(tmp_path / "rules", good=rulebook())
    (first,) = read_files([folder], library)
    library.parsed_path(first.sha256).write_bytes(b"rubbish")

    (second,) = read_files([folder], library)

    assert not second.cached
    assert second.parsed == first.parsed
    assert library.parsed(first.sha256) == first.parsed


def test_many_copies_of_a_failing_file_are_tried_once_and_all_reported(tmp_path, library):
    folder = write(tmp_path / "rules", **{f"copy{k}": rulebook()[:700] for k in range(1000)})

    reads = read_files([folder], library)

    assert len(reads) == 1000
    assert {read.reason for read in reads} == {reads[0].reason}
    assert len({read.seconds for read in reads}) == 1


def test_files_are_found_in_one_order_and_none_twice(tmp_path):
    folder = write(tmp_path / "rules", b=b"x", a=b"x")
    write(folder / ".hidden", c=b"x")
    (folder / "notes.txt").write_text("no PDF")
    (folder / "UPPER.PDF").write_bytes(b"x")

    found = find_pdfs([folder, folder / "a.pdf"])

    assert [path.name for path in found] == ["UPPER.PDF", "a.pdf", "b.pdf"]


@pytest.mark.parametrize("kind", sorted(BOMBS))
def test_no_crafted_file_takes_the_reader_down_or_goes_unreported(tmp_path, library, kind):
    folder = write(tmp_path / "rules", a_bomb=bomb(kind), b_good=rulebook())

    crafted, good = read_files([folder], library, workers=1, limits=TIGHT)

    assert good.parsed is not None
    if crafted.parsed is None:
        assert crafted.reason
    else:
        assert all(page.verdict == "text" or page.reason for page in crafted.parsed.pages)


def test_a_file_that_needs_too_much_memory_is_stopped_and_says_so(tmp_path):
    path = write(tmp_path / "rules", bomb=bomb("flate-twice")) / "bomb.pdf"

    with pytest.raises(UnreadablePdf) as caught:
        inspect_pdf(path, limits=replace(TIGHT, memory_bytes=200 << 20))

    assert "200 MiB" in caught.value.reason or "crashed" in caught.value.reason


def test_a_file_that_takes_too_long_is_stopped_and_says_where(tmp_path):
    path = write(tmp_path / "rules", slow=bomb("paths-500k")) / "slow.pdf"

    with pytest.raises(UnreadablePdf) as caught:
        inspect_pdf(path, limits=replace(LIMITS, page_s=0.2))

    assert "s for one page on page 1 of 1 and was stopped" in caught.value.reason


def test_a_file_over_the_size_limit_is_not_opened(tmp_path):
    path = write(tmp_path / "rules", big=rulebook()) / "big.pdf"

    with pytest.raises(UnreadablePdf, match="more than"):
        inspect_pdf(path, limits=replace(LIMITS, file_bytes=100))


def test_mutants_of_a_page_are_read_or_reported(tmp_path, library):
    chance = random.Random(7)
    folder = tmp_path / "rules"
    folder.mkdir()
    original = rulebook()
    for k in range(30):
        data = bytearray(original)
        for _ in range(chance.choice([1, 5, 40])):
            data[chance.randrange(len(data))] = chance.randrange(256)
        (folder / f"mutant-{k:02}.pdf").write_bytes(bytes(data))

    reads = read_files([folder], library, workers=2)

    assert len(reads) == 30
    assert all((read.parsed is None) == bool(read.reason) for read in reads)
    assert not [read.reason for read in reads if "please report" in read.reason]


def test_one_file_can_be_inspected_without_a_library(tmp_path):
    path = write(tmp_path / "rules", good=rulebook()) / "good.pdf"

    document = inspect_pdf(path)

    assert document.sections[0].path == ("4.2 Fees",)
    assert [p for p in tmp_path.rglob("*") if p.is_file()] == [path]


def children_of(pid):
    return psutil.Process(pid).children(recursive=True)


@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_no_worker_outlives_the_command_that_started_it(tmp_path, number):
    write(tmp_path / "rules", slow=bomb("same-page-18k"))
    program = textwrap.dedent(
        f"""
        from pathlib import Path
        from pincite.corpus.ingest import read_files
        from pincite.corpus.library import Library
        read_files([Path({str(tmp_path / "rules")!r})], Library(Path({str(tmp_path / "library")!r})))
        """
    )
    source = Path(__file__).parents[2] / "src"
    parent = subprocess.Popen(
        [sys.executable, "-c", program], env={**os.environ, "PYTHONPATH": str(source)}, stderr=subprocess.PIPE
    )
    deadline = time.monotonic() + 30
    workers = []
    while not workers and time.monotonic() < deadline:
        workers = children_of(parent.pid)
        time.sleep(0.05)

    parent.send_signal(number)
    parent.communicate(timeout=30)

    _, alive = psutil.wait_procs(workers, timeout=10)
    assert workers
    assert not [p for p in alive if p.status() != psutil.STATUS_ZOMBIE]
