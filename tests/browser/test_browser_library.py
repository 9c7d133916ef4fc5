"""The library: what is there, what was found in it, and how more gets in."""

from __future__ import annotations

import hashlib
from base64 import b64encode
from pathlib import Path
from typing import Any

import pytest
from reportlab.pdfgen.canvas import Canvas

DROP = """async ([name, data]) => {
  const bytes = Uint8Array.from(atob(data), (c) => c.charCodeAt(0));
  const transfer = new DataTransfer();
  transfer.items.add(new File([bytes], name, {type: "application/pdf"}));
  document.querySelector(".drop").dispatchEvent(new DragEvent("drop", {dataTransfer: transfer, bubbles: true}));
}"""


def test_the_library_tells_what_is_there_and_what_could_not_be_read(reader: Any) -> None:
    reader.page.get_by_role("link", name="Library").click()
    entry = reader.page.locator(".shelf-entry")
    entry.wait_for()

    assert "rulebook · revision 5 · 7 pages · 2026-03-01" in entry.inner_text()
    assert "Citable" in entry.inner_text()
    assert "1 page not read as text" in entry.inner_text()
    assert "torn.pdf the file is damaged" in reader.page.inner_text(".library")
    reader.page.get_by_role("searchbox", name="Search by title, file or kind").fill("zebra")
    reader.page.wait_for_selector("text=Nothing in the library matches.")


def test_a_document_shows_its_sections_and_pages_and_opens_at_them(reader: Any) -> None:
    reader.page.goto(f"{reader.address}/library/farrow-acceptance")
    reader.page.wait_for_selector(".tree .tree")

    pages = reader.page.locator(".run li").all_inner_texts()
    assert [" ".join(page.split()) for page in pages] == [
        "page i read by OCR a scan",
        "page 2 doubtful table: Table 4.1",
    ]
    reader.page.get_by_role("button", name="5 Appliances that turn page 3").click()

    reader.page.wait_for_selector(".page[data-page-number='5'] canvas")
    reader.until("document.querySelector('.page-field input')?.value === '3'")
    assert "Farrow Rulebook: Acceptance" in reader.page.inner_text(".viewer h2")
    reader.page.keyboard.press("Escape")
    reader.until("document.activeElement.textContent.startsWith('5 Appliances that turn')")
    reader.page.get_by_role("button", name="Sections of 3 Devices").click()
    assert reader.page.get_by_role("button", name="3.2 Pumps").count() == 0


@pytest.mark.parametrize("width", [1280, 320])
@pytest.mark.parametrize("path", ["/library", "/library/farrow-acceptance"])
def test_axe_finds_nothing_wrong_in_the_library(new_reader: Any, recorded: str, path: str, width: int) -> None:
    for scheme in ("light", "dark"):
        reader = new_reader(recorded, width=width, color_scheme=scheme)
        reader.page.goto(recorded + path)
        reader.page.locator(".run li").first.wait_for()

        assert reader.axe() == []
        assert reader.page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_reader_without_the_admin_role_is_not_offered_to_add_documents(reader: Any) -> None:
    about = reader.page.request.get(f"{reader.address}/api/about").json()
    reader.page.route("**/api/about", lambda route: route.fulfill(json={**about, "roles": ["asker"]}))
    reader.page.goto(f"{reader.address}/library")
    reader.page.locator(".shelf-entry").wait_for()

    assert reader.page.locator(".drop").count() == 0


def test_a_dropped_file_is_indexed_while_questions_are_answered(new_reader: Any, served: str, tmp_path: Path) -> None:
    name = "- Tariff <b onclick=alert(1)>[rev 1] (NL).pdf"
    file = tmp_path / "tariff.pdf"
    canvas = Canvas(str(file), invariant=True)
    canvas.drawString(72, 720, "1 Zebra crossings")
    canvas.drawString(72, 700, "The supplement for a zebra crossing is 7.25 euro for each zebra.")
    canvas.save()
    data = b64encode(file.read_bytes()).decode()
    reader = new_reader(served)
    reader.page.goto(f"{served}/library")
    reader.page.locator(".drop").wait_for()

    reader.page.evaluate(DROP, [name, data])
    reader.page.wait_for_selector(".progress")
    other = new_reader(served)
    other.open()
    other.ask("Can I pay with my fridge?")

    reader.page.wait_for_selector("text=Done: the new release answers from now on.", timeout=120_000)
    assert f"{name} new" in reader.page.inner_text(".add")
    assert reader.page.locator(".library b").count() == 0, "a file's name is text"
    reader.page.locator(".shelf-entry", has_text=name).wait_for()
    turn = other.ask("What is the supplement for a zebra crossing?")
    assert "7.25 euro" in turn.locator(".prose").inner_text()
    turn.locator(".place a").first.click()
    assert "7.25 euro" in other.marked_text()
    assert hashlib.sha256(file.read_bytes()).hexdigest() in turn.locator(".place a").first.get_attribute("href")


def test_what_is_no_pdf_is_refused_in_a_sentence(new_reader: Any, served: str) -> None:
    reader = new_reader(served)
    reader.page.goto(f"{served}/library")
    reader.page.locator(".drop").wait_for()

    reader.page.evaluate(DROP, ["note.txt", b64encode(b"hello").decode()])
    reader.page.wait_for_selector(".add [role=alert]:has-text('note.txt is not a PDF file.')")
    reader.page.evaluate(DROP, ["fake.pdf", b64encode(b"PK hello").decode()])
    reader.page.wait_for_selector(".add [role=alert]:has-text('fake.pdf is not a PDF')")
    reader.complaints.clear()  # Chromium writes the refusal down
