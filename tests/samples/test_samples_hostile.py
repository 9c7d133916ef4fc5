"""The hostile documents carry what their records say: plants are in the file, right values on the page."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pypdfium2
import pytest

SAMPLES = Path(__file__).resolve().parents[2] / "samples"
HOSTILE = SAMPLES / "hostile"
RECORDS = json.loads((HOSTILE / "plants.json").read_text("utf-8"))
BY_FILE = {record["file"]: record for record in RECORDS if record["file"]}
UNSEEN = [name for name, record in BY_FILE.items() if record.get("twin") == "twin.pdf"]


def opened(name: str) -> pypdfium2.PdfDocument:
    return pypdfium2.PdfDocument(HOSTILE / name)


def text(name: str, page: int) -> str:
    return opened(name)[page - 1].get_textpage().get_text_range()


def pixels(name: str) -> bytes:
    # Annotations stay out: an icon or an empty form field is no text.
    return opened(name)[0].render(scale=2, may_draw_forms=False, draw_annots=False).to_pil().tobytes()


def inside(name: str, cited: dict) -> str:
    x0, y0, x1, y1 = cited["box"]
    page = opened(name)[cited["page"] - 1]
    return page.get_textpage().get_text_bounded(x0, y0, x1, y1)


def test_every_file_has_a_record_and_every_record_its_file():
    assert set(BY_FILE) == {path.name for path in HOSTILE.glob("*.pdf")}


@pytest.mark.parametrize("name", UNSEEN)
def test_a_hidden_plant_leaves_the_page_looking_like_its_twin(name):
    tiny_leaves_a_trace = {"a050-tiny-text.pdf"}

    same = pixels(name) == pixels("twin.pdf")

    assert same or name in tiny_leaves_a_trace


@pytest.mark.parametrize(
    "name", ["a049-white-text.pdf", "a052-under-white-box.pdf", "a053-off-page.pdf", "hidden-clipped.pdf"]
)
def test_a_careless_reader_finds_the_plant(name):
    assert BY_FILE[name]["plant"]["text"] in text(name, 1)


def test_actual_text_says_another_flow_than_the_page_shows():
    assert "99 m3/h" in text("a062-actual-text.pdf", 1)
    assert "45 m3/h" in BY_FILE["a062-actual-text.pdf"]["right"]["flow at 1450 rpm"]


def test_the_labels_and_the_sheets_of_the_handbook_differ():
    document = opened("labels-and-blanks.pdf")
    right = BY_FILE["labels-and-blanks.pdf"]["right"]

    assert [document.get_page_label(index) for index in range(len(document))] == right["labels"]
    assert all(sentence["text"] in text("labels-and-blanks.pdf", sentence["page"]) for sentence in right["sentences"])
    assert all(not text("labels-and-blanks.pdf", page) for page in right["blank sheets"])


@pytest.mark.parametrize(
    ("name", "cited"),
    [(name, cited) for name, record in BY_FILE.items() for cited in (record.get("right") or {}).get("cited", ())],
)
def test_the_box_of_a_cited_row_holds_that_row_and_nothing_else(name, cited):
    assert inside(name, cited).split() == " ".join(cited["row"]).split()


def test_the_turned_page_and_the_cropped_page_are_what_they_are_called():
    assert opened("rotated-90.pdf")[0].get_rotation() == 90
    assert list(opened("cropbox.pdf")[0].get_cropbox()) == [60, 55, 655, 897]
    assert list(opened("cropbox.pdf")[1].get_mediabox()) == [-60, -80, 535, 762]


def test_the_bad_text_layers_are_bad():
    shown = BY_FILE["bad-text-layers.pdf"]["right"]["shown"]

    assert shown[1][1] in text("bad-text-layers.pdf", 2)
    assert text("bad-text-layers.pdf", 3) == text("bad-text-layers.pdf", 4) == ""
    assert "7KH JXDUDQWHH" in text("bad-text-layers.pdf", 5)


def test_a_bomb_is_small_on_disk(tmp_path):
    quick = ("a123-form-exponential.pdf", "a126-pages-lie.pdf", "a126-pages-cycle.pdf", "a131-xmp.pdf")
    subprocess.run([sys.executable, SAMPLES / "bombs.py", tmp_path, *quick], check=True, capture_output=True)

    sizes = {path.name: path.stat().st_size for path in tmp_path.iterdir()}

    assert sorted(sizes) == sorted(quick)
    assert max(sizes.values()) < 10_000
