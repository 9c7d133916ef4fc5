"""The whole walk: real documents, `pincite serve`, a browser."""

from __future__ import annotations

import re
from typing import Any

QUESTION = "Can I pay with my fridge?"


def words(text: str) -> list[str]:
    """Words without the hyphens of line ends, for comparing a quotation with what is printed."""
    return re.findall(r"\w+", re.sub(r"[-\u00ad]\s+", "", text.lower()))


def test_a_question_is_answered_from_a_page_that_shows_the_cited_lines(new_reader: Any, served: str) -> None:
    reader = new_reader(served)
    reader.open()
    assert "machine" in reader.page.inner_text(".notice")

    turn = reader.ask(QUESTION)

    assert turn.locator(".outcome.answered").count() == 1
    assert re.search(r"refrigerator|fridge", turn.locator(".prose").inner_text(), re.IGNORECASE)
    assert turn.locator(".prose .mark").count() >= 1
    assert re.search(r"\d steps?, ", turn.locator(".steps summary").inner_text())
    card = turn.locator(".card").first
    assert "revision 5" in card.inner_text()
    place = turn.locator(".place").first
    quote = place.locator("blockquote").text_content()

    place.locator("a").click()

    marked = words(reader.marked_text())
    cited = words(quote)
    assert sum(word in marked for word in cited) >= 0.9 * len(cited), "the mark covers the quotation"
    assert len(marked) <= 2.5 * len(cited) + 10, "and little beside it"
    assert reader.sees(".highlight")


def test_a_follow_up_stays_in_the_conversation_and_survives_a_reload(new_reader: Any, served: str) -> None:
    reader = new_reader(served)
    reader.open()
    reader.ask(QUESTION)
    address = reader.page.url
    reader.ask("And which amount needs a confirmation?")
    assert reader.page.url == address
    before = [turn.locator(".prose, .sources").all_inner_texts() for turn in reader.page.locator(".turn").all()]

    reader.page.reload()
    reader.page.locator(".turn .outcome").nth(1).wait_for()

    assert [turn.locator(".prose, .sources").all_inner_texts() for turn in reader.page.locator(".turn").all()] == before


def test_a_conversation_begun_on_the_command_line_is_in_the_list(new_reader: Any, served: str, pincite: Any) -> None:
    reader = new_reader(served)
    reader.open()
    question = "Which amount needs a confirmation?"

    pincite("ask", question)
    reader.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")

    reader.page.locator(".entry", has_text=question).first.locator("a").click()
    reader.page.wait_for_selector(".turn .outcome")
    assert reader.page.inner_text(".turn h2").endswith(question)


def test_the_served_page_passes_axe(new_reader: Any, served: str) -> None:
    for scheme in ("light", "dark"):
        reader = new_reader(served, color_scheme=scheme)
        reader.open()
        turn = reader.ask("What is the domestic fee for a purchase?")
        if turn.locator(".place a").count():
            turn.locator(".place a").first.click()
            reader.page.locator(".page canvas").first.wait_for()
        assert reader.axe() == []


def test_an_empty_library_says_what_to_do(new_reader: Any, served: str) -> None:
    reader = new_reader(served)
    nothing = {"name": "Pincite", "version": "0", "release": None, "documents": 0, "chunks": 0, "model": "m"}
    answer = {**nothing, "notice": "n", "examples": []}
    reader.page.route("**/api/about", lambda route: route.fulfill(json=answer))
    reader.open()
    assert "pincite index" in reader.page.inner_text(".trouble")
