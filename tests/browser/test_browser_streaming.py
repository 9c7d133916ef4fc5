"""What a reader sees while an answer comes, and that nothing which anybody wrote is more than text."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

RECORDED = json.loads((Path(__file__).resolve().parents[2] / "web/dev/recording.json").read_text(encoding="utf-8"))

# Events as the test gives them, in pieces of random sizes that may end inside a character, with a frame now and then.
STREAM = """() => {
  const get = window.fetch;
  window.fetch = (address, options) => {
    const played = window.played;
    if (!String(address).endsWith("/api/chat") || !played) return get(address, options);
    const bytes = new TextEncoder().encode(played.events);
    let at = 0, turn = 0;
    const body = new ReadableStream({
      async pull(stream) {
        const size = played.sizes[turn++ % played.sizes.length];
        if (turn % 5 === 0) await new Promise(requestAnimationFrame);
        stream.enqueue(bytes.slice(at, at + size));
        at += size;
        if (at >= bytes.length) stream.close();
      },
    });
    return Promise.resolve(new Response(body, {headers: {"Content-Type": "text/event-stream"}}));
  };
}"""
SHIFTS = """() => {
  window.shifts = [];
  new PerformanceObserver((list) => list.getEntries().forEach((entry) => {
    const moved = entry.sources.map(({node}) => node?.parentElement?.closest("[class]")?.className ?? node?.nodeName);
    const talk = entry.sources.some(({node}) => (node?.closest ? node : node?.parentElement)?.closest(".talk"));
    const begun = document.querySelector(".turn:last-child .prose")?.textContent;
    if (talk && begun) window.shifts.push([entry.value, moved.join()]);
  })).observe({type: "layout-shift"});
}"""


def sse(events: list[dict[str, Any]]) -> str:
    return "".join(
        f"id: a:{n}\nevent: {event['event']}\ndata: {json.dumps(event['data'], ensure_ascii=False)}\n\n"
        for n, event in enumerate(events, 1)
    )


def ending(whole: dict[str, Any], blocks: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The outcome of an answer that has these blocks."""
    markdown = "".join(block["data"]["markdown"] for block in blocks)
    return [{"event": "outcome", "data": {**whole, "id": "a", "conversation": "", "markdown": markdown}}]


def test_an_answer_that_streamed_looks_as_one_that_did_not(reader: Any) -> None:
    """For any prefix of its sentences and rows, cut into pieces of any size."""
    seeded = random.Random(7)
    rows = [f"\n| P{i} \\| {i % 3} € | € {i},50 – $15 [m³/h] TRX_{i}_A {{{{1}}}} |" for i in range(40)]
    fee = next(answer for answer in RECORDED["answers"] if answer["match"] == "fee")["events"]
    table = [
        {"event": "block", "data": {"markdown": text, "citations": []}} for text in ("\n\n| a | b |\n|---|---|", *rows)
    ]
    reader.page.evaluate(STREAM)
    for round_ in range(10):
        source = seeded.choice(
            [answer["events"] for answer in RECORDED["answers"]] + [[*fee[:4], *table, *fee[-2:]]] * 3
        )
        whole, before = source[-1]["data"], source[:-2]
        kept = before[: seeded.randint(1, len(before))]
        blocks = [event for event in kept if event["event"] == "block"]
        tables = [event["data"] for event in kept if event["event"] == "table"]
        end = ending({**whole, "tables": tables}, blocks)
        shown = []
        for events in ([*kept, *end], end):
            played = {"events": sse(events), "sizes": [seeded.randint(1, 400) for _ in range(50)]}
            reader.page.get_by_role("button", name="New conversation").click()
            reader.page.evaluate("(played) => { window.played = played; }", played)
            shown.append(reader.ask(f"Round {round_}").locator(".prose").inner_html())

        assert shown[0] == shown[1]


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("question", ["Can I pay with my fridge?", "What is the fee?"])
def test_nothing_moves_while_an_answer_comes(new_reader: Any, recorded: str, question: str, width: int) -> None:
    reader = new_reader(recorded, width=width)
    reader.open()
    reader.page.evaluate(SHIFTS)

    reader.ask(question)

    reader.page.wait_for_timeout(300)
    assert reader.page.evaluate("window.shifts") == []


def test_what_documents_models_and_readers_write_is_text(new_reader: Any, recorded: str) -> None:
    evil = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>'
    link = (
        "[click](javascript:window.hacked=1) [away](https://attacker.example/) ![see](https://attacker.example/a.png)"
    )
    fee = next(answer for answer in RECORDED["answers"] if answer["match"] == "fee")["events"][-1]["data"]
    citation = {**fee["citations"][0], "title": evil, "source": f"{evil}.pdf", "section": [evil], "quote": evil}
    citation |= {"url": "javascript:window.hacked=1"}
    table = {**fee["tables"][0], "caption": evil, "footnotes": [evil]}
    table["cells"] = [{**cell, "text": evil} for cell in table["cells"]]
    answer = {
        **fee,
        "id": "a",
        "conversation": "t",
        "question": evil,
        "reason": evil,
        "outcome": "escalated",
        "markdown": f"{evil} {link} {{{{1}}}}\n\n| {evil} |\n|---|\n| {evil} |",
        "citations": [citation],
        "tables": [table],
        "withheld": [{"text": evil, "claim": evil, "verdict": "unsupported", "reason": evil}],
        "steps": [{"tool": "search", "arguments": {}, "summary": evil, "milliseconds": 1}],
    }
    reader = new_reader(recorded)
    reader.page.route(
        "**/api/conversations/t",
        lambda route: route.fulfill(json={"id": "t", "title": evil, "answers": [answer], "unfinished": []}),
    )
    notes = [{"id": "t", "title": evil, "updated": "2026-11-30T12:00:00Z", "turns": 1}]
    reader.page.route(
        "**/api/conversations?*", lambda route: route.fulfill(json={"conversations": notes, "next": None})
    )

    reader.open("/c/t")
    reader.page.locator(".turn .sources").wait_for()
    reader.page.locator(".place a").click()
    reader.page.locator(".viewer .page canvas").first.wait_for()

    assert reader.page.evaluate("window.hacked") is None
    assert reader.page.locator("#page img, #page script, [onerror]").count() == 0
    for place in (".turn h2", ".prose", ".source-table td >> nth=0", ".withheld", ".sources", ".viewer h2", ".entry"):
        assert "<script>" in reader.page.locator(place).first.text_content(), place
    outside = reader.page.evaluate(
        "[...document.querySelectorAll('a')].map((a) => a.href).filter((h) => !h.startsWith(location.origin))"
    )
    assert outside == []


def test_the_keyboard_goes_through_the_page_in_the_order_it_is_read(reader: Any) -> None:
    reader.ask("What is the fee?")
    # The page takes the focus to the question at first; a reader who comes by keyboard begins at the top.
    reader.page.evaluate("() => { document.activeElement.blur(); document.body.tabIndex = -1; document.body.focus(); }")
    seen = []
    for _ in range(600):  # the history has what other tests asked
        reader.page.keyboard.press("Tab")
        at = reader.page.evaluate(
            """() => { const e = document.activeElement, b = e.getBoundingClientRect();
                 const region = e.closest(".history, .bar, .turn, .composer, .skip")?.className.split(" ")[0] ?? "";
                 if (e === document.body) return null;
                 return [e.ariaLabel ?? e.innerText ?? "", region, b.width > 0 && b.height > 0]; }"""
        )
        if at is None or (seen and at[0] == seen[0][0]):
            break
        seen.append(at)

    regions = list(dict.fromkeys(region for _, region, _ in seen))
    assert regions == ["skip", "history", "bar", "turn", "composer"]
    in_turn = [label for label, region, _ in seen if region == "turn"]
    order = [next(i for i, text in enumerate(in_turn) if text.startswith(part))
             for part in ("Source 1:", "Table 4.1", "4 Fees", "Copy answer", "Copy link", "Helpful")]  # fmt: skip
    assert order == sorted(order)
    assert all(visible for _, _, visible in seen), "nothing hidden takes the focus"


def test_an_answer_is_printed_with_its_sources_and_nothing_else(reader: Any) -> None:
    reader.ask("What is the fee?")
    reader.page.emulate_media(media="print", color_scheme="light")

    for hidden in (".composer", ".bar", ".history", ".actions"):
        assert not reader.page.locator(hidden).first.is_visible(), hidden
    for shown in (".question h2", ".prose", ".source-table", ".sources blockquote"):
        assert reader.page.locator(shown).first.is_visible(), shown
    cut = reader.page.evaluate(
        """() => [...document.querySelectorAll(".scroll, blockquote, .talk, .column")].filter(
             (e) => e.scrollHeight > e.clientHeight + 1 && getComputedStyle(e).overflowY !== "visible").length"""
    )
    assert cut == 0, "nothing is cut off on paper"
