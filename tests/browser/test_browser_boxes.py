"""Boxes as the parser writes them, marked by the viewer: on sheets turned, cropped, moved and of several sizes."""

from __future__ import annotations

import hashlib
import io
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pikepdf
import pytest

HOSTILE = Path(__file__).resolve().parents[2] / "samples/hostile"


# The glyphs, in reading order, whose middle lies under a mark.
GLYPHS = """(page) => {
  const sheet = document.querySelector(`.page[data-page-number="${page}"]`);
  const marks = [...sheet.querySelectorAll(".highlights .highlight")].map((m) => m.getBoundingClientRect());
  const range = document.createRange();
  let found = "";
  for (const span of sheet.querySelectorAll(".textLayer span[role=presentation]")) {
    const text = span.firstChild;
    for (let i = 0; i < (text?.length ?? 0); i += 1) {
      range.setStart(text, i);
      range.setEnd(text, i + 1);
      const b = range.getBoundingClientRect(), x = (b.left + b.right) / 2, y = (b.top + b.bottom) / 2;
      if (marks.some((m) => m.left <= x && x <= m.right && m.top <= y && y <= m.bottom)) found += text.data[i];
    }
  }
  return found.replace(/\\s+/g, "");
}"""


def as_it_is(pdf: pikepdf.Pdf) -> None:
    pass


def turned(degrees: int) -> Callable[[pikepdf.Pdf], None]:
    def change(pdf: pikepdf.Pdf) -> None:
        for page in pdf.pages:
            page.rotate(degrees, relative=True)

    return change


def moved(pdf: pikepdf.Pdf) -> None:
    """The media box begins left of and below the origin, as plotters and page imposition leave it."""
    for page in pdf.pages:
        x0, y0, x1, y1 = (float(side) for side in page.mediabox)
        page.mediabox = pikepdf.Array([x0 - 40, y0 - 60, x1, y1])
        if "/CropBox" in page:
            del page["/CropBox"]


def moved_and_cropped(pdf: pikepdf.Pdf) -> None:
    moved(pdf)
    for page in pdf.pages:
        x0, y0, x1, y1 = (float(side) for side in page.mediabox)
        page.cropbox = pikepdf.Array([x0 + 30, y0 + 30, x1 - 20, y1 - 10])
        page.rotate(270, relative=True)


def longest(lines: Any, page: Any) -> list[Any]:
    """Lines inside the page's crop box, the longest first."""
    x0, y0, x1, y1 = page.box
    shown = [
        line
        for line in lines
        if line.page == page.page
        and line.box[0] >= x0
        and line.box[1] >= y0
        and line.box[2] <= x1
        and line.box[3] <= y1
    ]
    return sorted(shown, key=lambda line: -len(line.text))


def answer_about(source: str, sha256: str, lines: list[Any]) -> dict[str, Any]:
    """A stored answer that cites each of the lines by itself."""
    citations = [
        {"n": n, "document": "hostile", "source": source, "title": source, "revision": "1", "sha256": sha256,
         "section": [], "quote": line.text, "standing": "citable", "retrieved_at": "2026-11-30T12:00:00Z",
         "pages": [{"page": line.page, "label": str(line.page), "boxes": [list(line.box)]}],
         "url": f"/view/hostile/{sha256}?page={line.page}"}
        for n, line in enumerate(lines, 1)
    ]  # fmt: skip
    marks = " ".join(f"{{{{{n}}}}}" for n in range(1, len(lines) + 1))
    timing = {"first_step": 1, "first_block": 1, "total": 1}
    return {"id": "a", "conversation": "t", "question": source, "standalone_question": source, "outcome": "answered",
            "reason": "", "markdown": f"See {marks}", "citations": citations, "tables": [], "withheld": [],
            "steps": [], "model": "m", "release": "r", "milliseconds": timing}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("rotated-90.pdf", as_it_is),
        ("rotated-90.pdf", turned(90)),
        ("cropbox.pdf", as_it_is),
        ("cropbox.pdf", turned(180)),
        ("a3-insert.pdf", as_it_is),
        ("a3-insert.pdf", turned(270)),
        ("table-over-two-sheets.pdf", as_it_is),
        ("table-over-two-sheets.pdf", moved),
        ("table-over-two-sheets.pdf", moved_and_cropped),
        ("awkward-tables.pdf", as_it_is),
        ("labels-and-blanks.pdf", as_it_is),
        ("- CRN [rev 3] (NL).pdf", turned(180)),
        ("quoted-prompt.pdf", moved_and_cropped),
    ],
    ids=lambda value: getattr(value, "__name__", str(value)),
)
def test_the_mark_lies_on_the_line_that_the_parser_read(
    new_reader: Any, recorded: str, name: str, change: Callable[[pikepdf.Pdf], None]
) -> None:
    pdf_room = pytest.importorskip("pincite.corpus.pdf", reason="the parser is not in this checkout")
    if not (HOSTILE / name).is_file():
        pytest.skip(f"samples/hostile lacks {name}")
    changed = io.BytesIO()
    with pikepdf.open(HOSTILE / name) as pdf:
        change(pdf)
        pdf.save(changed, deterministic_id=True)
    data = changed.getvalue()
    parsed = pdf_room.read_pdf(data, name)
    # Two lines of each sheet: long enough to be told apart, and where a viewer shows them.
    lines = [line for page in parsed.pages for line in longest(parsed.lines, page)[:2]][:6]
    assert lines
    reader = new_reader(recorded)
    answer = answer_about(name, hashlib.sha256(data).hexdigest(), lines)
    stored = {"id": "t", "title": name, "answers": [answer], "unfinished": []}
    reader.page.route("**/api/conversations/t", lambda route: route.fulfill(json=stored))
    reader.page.route(
        "**/file", lambda route: route.fulfill(body=data, content_type="application/pdf", headers={"X-Whole": "1"})
    )
    reader.open("/c/t")

    for n, line in enumerate(lines, 1):
        reader.page.locator(f".prose .mark:text-is('{n}')").click()
        reader.page.wait_for_selector(f".stepper .number:text-is('{n}')") if len(lines) > 1 else None
        reader.page.wait_for_selector(f".page[data-page-number='{line.page}'] .highlight")

        marked = reader.marked_text()

        assert re.findall(r"\w+", marked) == re.findall(r"\w+", line.text), f"line {n}: {line.text}"
        glyphs, printed = reader.page.evaluate(GLYPHS, line.page), "".join(line.text.split())
        assert len(glyphs) >= 0.9 * len(printed), "at least 90 % of the quoted glyphs are covered"
        rest = iter(printed)
        assert all(glyph in rest for glyph in glyphs), "and none of its neighbours"
        assert reader.sees(".highlight")
