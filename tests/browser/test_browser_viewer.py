"""The document beside the answer, over a recorded document whose boxes are known."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

ROOT = Path(__file__).resolve().parents[2]
WEB = ROOT / "web"


def test_a_source_opens_beside_the_answer_with_its_lines_marked(reader: Any) -> None:
    reader.ask("Can I pay with my fridge?").locator(".place a").first.click()

    text = reader.marked_text()

    assert text == (
        "A cardholder may pay with a refrigerator that is enrolled as a device."
        " The refrigerator must ask for a confirmation above 25 euro for each order."
    )
    assert reader.sees(".highlight")
    chat, viewer = reader.page.locator(".column").bounding_box(), reader.page.locator(".viewer").bounding_box()
    assert chat["x"] + chat["width"] <= viewer["x"] + 1
    assert reader.page.input_value(".page-field input") == "1"
    assert "sheet 3 of 7" in reader.page.inner_text(".page-field")


@pytest.mark.parametrize(
    ("n", "text"),
    [
        (3, "A washing machine that turns at 1450 rpm is no terminal."),
        (4, "Inside the crop box: an oven pays like a refrigerator."),
        (5, "The plan of the kitchen is printed on A3, landscape."),
    ],
    ids=["turned by 90 degrees", "cropped", "A3 landscape"],
)
def test_the_mark_covers_the_cited_line_on_a_page_that_is(reader: Any, n: int, text: str) -> None:
    turn = reader.ask("Can I pay with my fridge?")

    turn.get_by_role("button", name=f"Source {n}:").click()

    assert reader.marked_text() == text
    assert reader.sees(".highlight")
    covered = reader.page.evaluate(
        """(text) => { const m = document.querySelector(".highlight").getBoundingClientRect();
             const span = [...document.querySelectorAll(".textLayer span")].find((s) => s.textContent === text);
             const b = span.getBoundingClientRect();
             const w = Math.min(m.right, b.right) - Math.max(m.left, b.left);
             const h = Math.min(m.bottom, b.bottom) - Math.max(m.top, b.top);
             return [w * h / (b.width * b.height), m.width * m.height / (b.width * b.height)]; }""",
        text,
    )
    assert covered[0] >= 0.85, "the text layer's line box is a little higher than its glyphs"
    assert covered[1] <= 1.2, "and nothing beside it is marked"


def test_next_and_previous_walk_through_the_sources(reader: Any) -> None:
    reader.ask("Can I pay with my fridge?").get_by_role("button", name="Source 1:").first.click()
    reader.marked_text()

    for n in (2, 3, 4, 5):
        reader.page.get_by_role("button", name="Next source").click()
        reader.page.wait_for_selector(f".stepper .number:text-is('{n}')")
    reader.until("document.querySelector('.page-field input').value === '5'")
    assert reader.page.get_by_role("button", name="Next source").is_disabled()
    reader.page.get_by_role("button", name="Previous source").click()
    reader.until("document.querySelector('.page-field input').value === '4'")
    assert reader.marked_text() == "Inside the crop box: an oven pays like a refrigerator."


def test_the_page_field_takes_what_is_printed_on_the_page(reader: Any) -> None:
    reader.ask("Can I pay with my fridge?").get_by_role("button", name="Source 1:").first.click()
    reader.marked_text()
    field = reader.page.get_by_role("textbox", name="Page")

    for typed, sheet in (("ii", 2), ("2", 4), ("7", 7)):
        field.fill(typed)
        field.press("Enter")
        reader.page.wait_for_selector(f"text=sheet {sheet} of 7")
    field.fill("xii")
    field.press("Enter")

    assert reader.page.get_by_role("alert").inner_text() == "There is no page xii."


def test_zooming_keeps_the_mark_on_its_line(reader: Any) -> None:
    reader.ask("Can I pay with my fridge?").get_by_role("button", name="Source 2:").click()
    before = reader.marked_text()
    width = reader.page.locator(".page").first.bounding_box()["width"]

    for _ in range(3):
        reader.page.get_by_role("button", name="Larger").click()
    reader.until(f"document.querySelector('.page').clientWidth > {width} * 1.2")
    assert reader.marked_text() == before

    reader.page.get_by_role("button", name="Fit to width").click()
    reader.until(f"Math.abs(document.querySelector('.page').clientWidth - {width}) < 2")
    assert reader.marked_text() == before


def test_a_citations_address_opens_the_document_by_itself(new_reader: Any, reader: Any) -> None:
    address = reader.ask("Can I pay with my fridge?").locator(".place a").nth(2).get_attribute("href")
    other = new_reader(reader.address)

    other.open(address)

    other.page.wait_for_selector(".page[data-page-number='5'] canvas")
    other.until("document.querySelector('.page-field input')?.value === '3'")
    assert "Farrow Rulebook: Acceptance" in other.page.inner_text("h2")


def test_words_are_found_in_the_whole_document_and_walked_through(reader: Any) -> None:
    reader.ask("Can I pay with my fridge?").get_by_role("button", name="Source 1:").first.click()
    reader.marked_text()
    reader.page.locator(".viewer-scroll").focus()

    reader.page.keyboard.press("Control+f")
    reader.page.locator(".finder input:focus").wait_for()
    reader.page.keyboard.type("appliance")
    reader.until("/^[0-9]+ of [0-9]+$/.test(document.querySelector('.finder .fine').innerText)")
    count = int(reader.page.inner_text(".finder .fine").split()[-1])
    seen = {reader.page.inner_text(".finder .fine")}
    for _ in range(count - 1):
        reader.page.keyboard.press("Enter")
        reader.until(f"!{json.dumps(sorted(seen))}.includes(document.querySelector('.finder .fine').innerText)")
        seen.add(reader.page.inner_text(".finder .fine"))

    assert seen == {f"{n} of {count}" for n in range(1, count + 1)}
    assert reader.page.locator(".textLayer .highlight").first.is_visible()
    reader.page.fill(".finder input", "toaster")
    reader.page.wait_for_selector(".finder :text('Not found')")
    reader.page.keyboard.press("Escape")
    reader.page.wait_for_selector(".finder", state="detached")
    assert reader.page.locator(".textLayer .highlight").count() == 0
    assert reader.page.locator(".viewer").is_visible(), "Escape closed the search, not the document"


def test_the_outline_leads_to_its_place(reader: Any) -> None:
    reader.ask("Can I pay with my fridge?").get_by_role("button", name="Source 1:").first.click()
    reader.marked_text()

    reader.page.get_by_role("button", name="Outline").click()
    outline = reader.page.get_by_role("navigation", name="Outline")
    outline.locator("li li").first.wait_for()
    assert outline.locator("li li").all_inner_texts() == ["3.1 Household appliances", "3.2 Pumps"]
    outline.get_by_role("button", name="5 Appliances that turn").click()

    reader.until("document.querySelector('.page-field input').value === '3'")
    assert outline.count() == 0


def test_the_original_file_opens_as_it_is(reader: Any) -> None:
    reader.ask("Can I pay with my fridge?").get_by_role("button", name="Source 1:").first.click()
    reader.marked_text()

    address = reader.page.get_by_role("link", name="Open the original file").get_attribute("href")

    assert address.endswith("/file#page=3")
    whole = reader.page.request.get(reader.address + address.split("#")[0])
    assert whole.body() == (WEB / "dev/rulebook.pdf").read_bytes()


def test_of_a_large_file_only_what_the_page_needs_is_loaded(new_reader: Any, recorded: str, long_file: Path) -> None:
    canvas = Canvas(str(long_file), pageCompression=0)
    for page in range(1, 41):
        canvas.drawString(72, 700, f"This is page {page}.")
        canvas.drawImage(ImageReader(Image.frombytes("RGB", (360, 300), os.urandom(324_000))), 72, 100)
        canvas.showPage()
    canvas.save()
    size = long_file.stat().st_size
    assert size > 12_000_000
    reader = new_reader(recorded)
    network = reader.page.context.new_cdp_session(reader.page)
    network.send("Network.enable")
    asked, loaded = set[str](), list[int]()
    network.on(
        "Network.requestWillBeSent",
        lambda sent: asked.add(sent["requestId"]) if sent["request"]["url"].endswith("/file") else None,
    )
    network.on(
        "Network.dataReceived",
        lambda data: loaded.append(data["dataLength"]) if data["requestId"] in asked else None,
    )

    reader.open(f"/view/long/{'0' * 64}?page=20")
    reader.page.wait_for_selector(".page[data-page-number='20'] .textLayer :text('This is page 20.')")

    reader.page.wait_for_timeout(500)
    assert 0 < sum(loaded) < size / 3, f"{sum(loaded):,} of {size:,} bytes"


def test_a_document_that_is_gone_says_so(reader: Any) -> None:
    reader.page.route("**/file", lambda route: route.fulfill(status=404, json={"message": "It was withdrawn."}))
    reader.ask("Can I pay with my fridge?").locator(".place a").first.click()

    assert reader.page.locator(".viewer-note[role=alert]").inner_text() == "It was withdrawn."
    reader.complaints.clear()


@pytest.mark.parametrize("width", [320, 360])
def test_on_a_narrow_screen_nothing_sticks_out_and_the_document_lies_over_the_chat(
    new_reader: Any, recorded: str, width: int
) -> None:
    reader = new_reader(recorded, width=width, height=640, has_touch=True)
    reader.open()
    reader.ask("What is the fee?")
    turn = reader.ask("Can I pay with my fridge?")
    sticking_out = """(width) => [...document.querySelectorAll("body *")].filter((e) => {
        const b = e.getBoundingClientRect();
        return b.width && b.right > width + 1 && !e.closest(".scroll, .viewer-scroll, .hidden");
      }).map((e) => e.outerHTML.slice(0, 90))"""
    assert reader.page.evaluate(sticking_out, width) == []
    assert reader.page.evaluate("document.documentElement.scrollWidth") <= width

    turn.locator(".place a").nth(2).click()

    assert reader.marked_text() == "A washing machine that turns at 1450 rpm is no terminal."
    assert reader.sees(".highlight")
    box = reader.page.locator(".viewer").bounding_box()
    assert (box["x"], box["width"]) == (0, width)
    assert reader.page.locator(".column").get_attribute("inert") is not None
    assert reader.page.evaluate(sticking_out, width) == []
    reader.page.get_by_role("button", name="Close document").click()
    reader.page.wait_for_selector(".viewer", state="detached")

    reader.page.get_by_role("button", name="Show conversations").click()
    reader.page.wait_for_selector(".history.over")
    assert reader.page.evaluate("document.activeElement.id") == "history-search"
    reader.page.keyboard.press("Escape")
    reader.page.wait_for_selector(".history", state="hidden")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 320])
def test_axe_finds_nothing_wrong(new_reader: Any, recorded: str, scheme: str, width: int) -> None:
    reader = new_reader(recorded, width=width, color_scheme=scheme)
    reader.open()
    assert reader.axe() == []

    reader.ask("May a toaster pay?")
    reader.ask("What is the fee?")
    reader.ask("Can I pay with my fridge?").get_by_role("button", name="Not helpful").click()
    assert reader.axe() == []

    reader.page.locator(".turn").last.locator(".place a").first.click()
    reader.marked_text()
    assert reader.axe() == []
