"""OCR: with the engines that are installed here; what needs one that is not says so and is not run."""

import io
import math

import numpy as np
import pytest
from corpus_pages import Sheet
from hypothesis import given
from hypothesis import strategies as st
from reportlab.lib.utils import ImageReader

from pincite.corpus import ocr
from pincite.corpus.ingest import OCR_LIMITS, inspect_pdf, read_files
from pincite.corpus.ink import Picture
from pincite.corpus.jail import Limits
from pincite.corpus.library import Library, recognised_from_json, recognised_to_json
from pincite.corpus.ocr import Recognised, Seen
from pincite.corpus.pdf import read_pdf
from pincite.corpus.pdfium import open_document, picture_of
from pincite.corpus.scan import likely_turns, read_picture, rules_in
from pincite.corpus.textlayer import agrees, moved, unlikely

ENGINES = [
    pytest.param(name, marks=pytest.mark.skipif(ocr.find_engine(name) is None, reason=f"{name} is not installed here"))
    for name in ("rapidocr", "tesseract")
]
any_engine = pytest.mark.skipif(ocr.find_engine() is None, reason="no OCR engine is installed here")

LINES = ["4.2 Cross-border fees", "The fee for a refund is 0.35 % of its amount.", "It is due on 12 March 2026."]


def printed(*lines, size=12):
    sheet = Sheet()
    for line in lines:
        sheet.line(line, size=size, leading=24)
    return sheet.bytes()


def as_scan(data, *, quarter_turns=0, slant=0.0, dpi=200):
    """Return a PDF whose only page is a picture of the first page of ``data``, turned anticlockwise."""
    document = open_document(data, "x.pdf")
    picture, _ = picture_of(document, 0, dpi=dpi)
    document.close()
    pixels = np.rot90(picture.pixels[:, :, 0], quarter_turns)
    if slant:
        # A shear of the rows: what a sheet that lies askew looks like, for small angles.
        shifts = np.round(np.arange(pixels.shape[1]) * slant).astype(int)
        pixels = np.stack([np.roll(pixels[:, k], -s) for k, s in enumerate(shifts)], axis=1)
    height, width = pixels.shape
    from PIL import Image

    sheet = Sheet(size=(width * 72 / dpi, height * 72 / dpi))
    sheet.canvas.drawImage(ImageReader(Image.fromarray(pixels)), 0, 0, width * 72 / dpi, height * 72 / dpi)
    out = io.BytesIO(sheet.bytes())
    return out.getvalue()


def written(tmp_path, data, name="scan.pdf"):
    path = tmp_path / name
    path.write_bytes(data)
    return path


def text_of(document, page=1):
    return " ".join(line.text for line in document.lines if line.page == page)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_scan_is_read_and_says_by_what(tmp_path, engine):
    document = inspect_pdf(written(tmp_path, as_scan(printed(*LINES))), engine=engine)

    (page,) = document.pages
    assert page.verdict == "ocr"
    assert engine in page.reason
    assert page.confidence > ocr.DOUBTFUL
    assert document.ocr.startswith(engine)
    assert "0.35 % of its amount" in text_of(document)


@any_engine
@pytest.mark.parametrize("turns", [1, 2, 3])
def test_a_scan_that_lies_on_its_side_or_its_head_is_read(tmp_path, turns):
    document = inspect_pdf(written(tmp_path, as_scan(printed(*LINES), quarter_turns=turns)))

    assert "The fee for a refund is 0.35 %" in text_of(document)


@any_engine
def test_the_words_of_a_scan_stand_where_they_are_printed(tmp_path):
    data = printed(*LINES)
    truth = {line.text: line.box for line in read_pdf(data, "x.pdf").lines}

    document = inspect_pdf(written(tmp_path, as_scan(data)))

    for line in document.lines:
        assert line.box == pytest.approx(truth[line.text], abs=5)


@any_engine
def test_lines_of_a_slanted_scan_are_not_mixed_and_keep_their_places(tmp_path):
    lines = [f"Line {k} of the rules says that the fee is {k}.50 euros for each of the days" for k in range(10, 40)]
    sheet = Sheet()
    for line in lines:
        sheet.line(line, size=10, leading=14)

    document = inspect_pdf(written(tmp_path, as_scan(sheet.bytes(), slant=0.02)))

    read = [line.text for line in document.lines]
    assert sum(line in read for line in lines) >= 28
    first = next(line for line in document.lines if line.text == lines[0])
    last = next(line for line in document.lines if line.text == lines[-2])
    assert first.box[1] > last.box[1] + 300


def test_a_scan_without_an_engine_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setattr(ocr, "find_engine", lambda choice="auto": None)

    (page,) = inspect_pdf(written(tmp_path, as_scan(printed(*LINES)))).pages

    assert (page.verdict, page.needs_ocr) == ("empty", True)
    assert "pincite[ocr]" in page.reason


def test_ocr_that_is_switched_off_says_so(tmp_path):
    (page,) = inspect_pdf(written(tmp_path, as_scan(printed(*LINES))), engine="off").pages

    assert page.verdict == "empty"
    assert "switched off" in page.reason


@any_engine
def test_a_page_that_takes_too_long_ends_in_a_reason_and_the_others_are_kept(tmp_path):
    short = Limits(document_s=0.01, page_s=0.01, memory_bytes=OCR_LIMITS.memory_bytes)

    document = inspect_pdf(written(tmp_path, as_scan(printed(*LINES))), ocr_limits=short)

    (page,) = document.pages
    assert page.verdict == "empty"
    assert "failed: reading it took more than" in page.reason


@any_engine
def test_what_ocr_read_is_read_again_only_by_a_better_engine(tmp_path, monkeypatch):
    library = Library(tmp_path / "library")
    path = written(tmp_path, as_scan(printed(*LINES)))
    with monkeypatch.context() as without:
        without.setattr(ocr, "find_engine", lambda choice="auto": None)
        (bare,) = read_files([path], library)
        (again,) = read_files([path], library)
    (read,) = read_files([path], library)
    (known,) = read_files([path], library)

    assert (bare.ocr, bare.cached, again.cached) == ("", False, True)
    assert (read.cached, known.cached) == (False, True)
    assert read.ocr == known.ocr == ocr.find_engine().id
    assert [p.verdict for p in known.parsed.pages] == ["ocr"]


@any_engine
def test_a_page_that_was_recognised_is_not_recognised_again_after_a_kill(tmp_path):
    library = Library(tmp_path / "library")
    path = written(tmp_path, as_scan(printed(*LINES)))
    (read,) = read_files([path], library)
    library.parsed_path(read.sha256).unlink()
    recognised = []

    (again,) = read_files([path], library, on_ocr=lambda done, of: recognised.append(of))

    assert recognised == [0]
    assert again.parsed == read.parsed


# ---------------------------------------------------------------- pure


class Prints:
    """An engine that sees one line of words, upright only."""

    def __init__(self, confidence=0.99, upright=(0,), wrong=0.6):
        self.asked = 0
        self.confidence, self.upright, self.wrong = confidence, upright, wrong

    def lines(self, pixels):
        turn = self.asked
        self.asked += 1
        sure = self.confidence if turn in self.upright else self.wrong
        return [[Seen(word, 10 + 60 * k, 10, 60 + 60 * k, 30, sure) for k, word in enumerate(["Store", "the", "pump"])]]


def blank(rows=400, columns=600):
    return Picture(np.full((rows, columns, 1), 255, np.uint8), 0.0, rows / 2, 2.0, 2.0)


def test_a_page_that_reads_well_is_read_once_and_another_one_the_other_way_round():
    well, badly = Prints(), Prints(upright=(1,))

    read_picture(blank(), well, page=1, name="fake 1")
    turned = read_picture(blank(), badly, page=1, name="fake 1")

    assert (well.asked, badly.asked) == (1, 2)
    assert turned.confidence == pytest.approx(0.99)


def test_words_that_an_engine_is_not_sure_of_are_left_out_and_counted():
    page = read_picture(blank(), Prints(confidence=0.3, wrong=0.2), page=1, name="fake 1")

    assert (page.words, page.left_out) == ((), 3)


def test_what_an_engine_parts_is_not_joined_again():
    page = read_picture(blank(), Prints(), page=1, name="fake 1")

    for before, after in zip(page.words, page.words[1:], strict=False):
        assert after.x0 - before.x1 > 0.12 * before.size


def test_stripes_tell_the_way_that_lines_run():
    pixels = np.full((400, 400), 255, np.uint8)
    for k in range(0, 400, 20):
        pixels[k : k + 8, 40:360] = 0

    assert likely_turns(pixels)[0] == 0
    assert likely_turns(pixels, 180)[0] == 2
    assert set(likely_turns(pixels.T)[:2]) == {1, 3}
    assert likely_turns(pixels.T, 270)[0] == 3
    assert sorted(likely_turns(pixels)) == [0, 1, 2, 3]


def test_rules_of_a_picture_are_found_where_they_are_and_letters_are_none():
    pixels = np.full((800, 600), 255, np.uint8)
    pixels[100:103, 50:550] = 0
    pixels[100:400, 300:303] = 0
    pixels[500:520, 60:75] = 0

    rules = rules_in(pixels, (0.0, 0.0, 300.0, 400.0))

    ((y, x0, x1),), ((x, y0, y1),) = rules.across, rules.down
    assert (y, x0, x1) == pytest.approx((349.25, 25, 275), abs=1.5)
    assert (x, y0, y1) == pytest.approx((150.75, 200, 350), abs=1.5)


@given(
    st.sampled_from([0, 1, 2, 3]),
    st.floats(-0.1, 0.1),
    st.tuples(st.floats(0, 500), st.floats(0, 700), st.floats(1, 90), st.floats(1, 90)),
)
def test_a_slant_put_back_keeps_the_size_of_a_box_and_its_distance_from_the_centre(turn, slope, place):
    x, y, w, h = place
    page = Recognised(1, "fake 1", turn=turn, slope=slope, centre=(0.0, 0.0))

    x0, y0, x1, y1 = page.slanted((x, y, x + w, y + h))

    assert (x1 - x0, y1 - y0) == pytest.approx((w, h), abs=1e-6)
    before, after = math.hypot(x + w / 2, y + h / 2), math.hypot((x0 + x1) / 2, (y0 + y1) / 2)
    assert after == pytest.approx(before, abs=1e-6)


def test_what_was_recognised_survives_its_json():
    page = read_picture(blank(), Prints(), page=3, name="fake 1")

    assert recognised_from_json(recognised_to_json(page)) == page


# ---------------------------------------------------------------- the text layer


def words(text):
    return text.split()


@given(st.integers(1, 31).filter(lambda k: k != 26))
def test_letters_moved_by_any_number_of_places_are_known_on_a_short_page(places):
    said = words("the guarantee lasts for thirty months after delivery to the first owner of the pump")

    assert moved(said) == ""
    assert moved(["".join(chr(ord(c) + places) for c in word) for word in said])


def test_codes_and_figures_are_not_taken_for_moved_letters():
    codes = [
        "CRN",
        "32-3",
        "IE3",
        "DN65",
        "PN16",
        "2900",
        "rpm",
        "400",
        "V",
        "50",
        "Hz",
        "18.5",
        "kW",
        "EPDM",
        "HQQE",
        "AISI",
        "304",
        "TRX-0042",
    ]

    assert moved(codes) == ""


def test_a_page_of_unlikely_letters_is_to_be_compared_and_prose_is_not():
    assert unlikely(words("Qwrx bcdf ghjk lmnp qrst vwxz bcdf ghjk lmnp qrst vwxz bcdfg hjklm"))
    assert not unlikely(
        [
            "The",
            "fee",
            "is",
            "due",
            "on",
            "the",
            "first",
            "day",
            "of",
            "the",
            "month",
            "for",
            "all",
            "of",
            "the",
            "members",
        ]
    )


def test_a_text_layer_agrees_when_it_holds_the_words_that_are_seen():
    seen = words("Store the pump between plus five degrees and forty degrees")

    assert agrees(["Store", "thepump", "between", "plus", "five", "degrees", "and", "forty"], seen) is True
    assert agrees(["7KH", "JXDUDQWHH", "ODVWV", "IRU"], seen) is False
    assert agrees(seen, ["the", "of"]) is None
