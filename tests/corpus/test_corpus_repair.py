import io

import pikepdf
import pytest
from corpus_pages import Sheet, encrypted, fees

from pincite.corpus.ingest import inspect_pdf, read_files
from pincite.corpus.library import Library
from pincite.corpus.pdf import read_pdf
from pincite.corpus.repair import open_or_repair
from pincite.errors import UnreadablePdf


def rulebook():
    return fees(Sheet(title="Fee Rulebook").heading("4.2 Fees").text("The fees are as follows.")).bytes()


def with_object_streams(data):
    out = io.BytesIO()
    with pikepdf.open(io.BytesIO(data)) as pdf:
        pdf.save(out, object_stream_mode=pikepdf.ObjectStreamMode.generate)
    return out.getvalue()


DAMAGED = {
    "its end is cut off": lambda: rulebook()[:-60],
    "its last tenth is cut off": lambda: rulebook()[: len(rulebook()) * 9 // 10],
    "its trailer is overwritten": lambda: rulebook().replace(b"trailer", b"trail\0\0"),
    "the header of a download stands before it": lambda: b"Content-Type: application/pdf\r\n" * 80 + rulebook(),
    "the ends of its objects are gone": lambda: with_object_streams(rulebook()).replace(b"endobj", b""),
}


@pytest.mark.parametrize("damage", sorted(DAMAGED))
def test_a_damaged_file_is_read_from_a_repaired_copy_and_says_so(damage):
    whole = read_pdf(rulebook(), "fees.pdf")

    mended = read_pdf(DAMAGED[damage](), "fees.pdf")

    assert mended.repaired
    assert not whole.repaired
    assert [(line.text, line.page, line.box) for line in mended.lines] == [
        (line.text, line.page, line.box) for line in whole.lines
    ]
    assert len(mended.tables) == len(whole.tables) == 1


def test_a_file_beyond_repair_says_that_it_is_damaged():
    with pytest.raises(UnreadablePdf, match="damaged"):
        open_or_repair(rulebook()[:700], "fees.pdf")


def test_a_file_without_pages_says_so_after_a_repair_was_tried():
    out = io.BytesIO()
    pikepdf.new().save(out)

    with pytest.raises(UnreadablePdf) as caught:
        open_or_repair(out.getvalue(), "none.pdf")

    assert "no pages" in caught.value.reason or "damaged" in caught.value.reason


def test_a_page_whose_content_was_cut_off_is_reported_and_not_called_empty():
    out = io.BytesIO()
    with pikepdf.open(io.BytesIO(rulebook())) as pdf:
        pdf.add_blank_page()
        pdf.pages[1].Contents = pdf.pages[0].Contents
        pdf.pages[0].Contents = pdf.make_stream(pdf.pages[0].Contents.read_bytes())
        pdf.save(out, object_stream_mode=pikepdf.ObjectStreamMode.disable)
    data = out.getvalue()
    number = _content_of_page(data, 1)
    # The object is gone as in a file that was cut off: its number leads nowhere.
    broken = data.replace(b"\n%d 0 obj" % number, b"\n%d 0 xxx" % number).replace(b"trailer", b"trail\0\0")

    document = read_pdf(broken, "fees.pdf")

    assert document.repaired
    assert document.pages[1].verdict == "failed"
    assert "damaged" in document.pages[1].reason


def _content_of_page(data, index):
    with pikepdf.open(io.BytesIO(data)) as pdf:
        return pdf.pages[index].Contents.objgen[0]


def test_the_bytes_that_are_kept_of_a_repaired_file_are_its_own(tmp_path):
    path, library = tmp_path / "fees.pdf", Library(tmp_path / "library")
    path.write_bytes(rulebook()[:-60])

    (read,) = read_files([path], library)

    assert read.parsed is not None
    assert read.parsed.repaired
    assert library.whole_source(read.sha256).read_bytes() == rulebook()[:-60]


def test_a_file_that_asks_nobody_for_a_password_is_opened(tmp_path):
    out = io.BytesIO()
    with pikepdf.open(io.BytesIO(rulebook())) as pdf:
        pdf.save(out, encryption=pikepdf.Encryption(owner="owner's", user=""))
    path = tmp_path / "fees.pdf"
    path.write_bytes(out.getvalue())

    document = inspect_pdf(path)

    assert not document.repaired
    assert document.sections[0].path == ("4.2 Fees",)


def test_a_damaged_file_with_a_password_is_not_opened(tmp_path):
    path = tmp_path / "secret.pdf"
    path.write_bytes(b"x" * 2000 + encrypted(rulebook(), "secret"))

    with pytest.raises(UnreadablePdf, match=r"damaged|password"):
        inspect_pdf(path)
