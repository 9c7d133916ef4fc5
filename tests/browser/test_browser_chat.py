"""The page by itself, over recorded answers."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

WATCH = """() => {
  window.frames_seen = [];
  new MutationObserver(() => {
    const prose = document.querySelector(".turn:last-child .prose");
    if (prose) window.frames_seen.push(prose.textContent.replaceAll("\\u2060", ""));
  }).observe(document.body, {childList: true, subtree: true, characterData: true});
}"""


def test_the_first_screen_says_that_a_machine_answers_and_gives_examples(reader: Any) -> None:
    assert "made by a machine" in reader.page.inner_text(".notice")
    assert "opens the page it rests on" in reader.page.inner_text(".notice")
    reader.page.get_by_role("button", name="Can I pay with my fridge?").click()
    reader.page.wait_for_selector(".outcome.answered")


def test_steps_show_while_it_works_and_sentences_are_only_ever_added(reader: Any) -> None:
    reader.page.evaluate(WATCH)
    reader.page.fill("#question", "Can I pay with my fridge?")
    reader.page.keyboard.press("Enter")

    reader.page.wait_for_selector(".steps.busy :text('Searched for')")
    reader.page.wait_for_selector(".outcome.answered")

    frames = [frame for frame in reader.page.evaluate("window.frames_seen") if frame]
    assert len({*frames}) >= 4, "the answer came in pieces"
    for before, after in pairwise(frames):
        assert after.startswith(before), "nothing that was shown is taken back"
    for frame in frames:
        assert "{{" not in frame
        assert "**" not in frame


@pytest.mark.parametrize("question", ["the fee, please", "fridge and break"])
def test_no_frame_shows_raw_markdown(reader: Any, question: str) -> None:
    reader.page.evaluate(WATCH)

    reader.ask(question)

    for frame in reader.page.evaluate("window.frames_seen"):
        assert "---" not in frame
        assert "\\|" not in frame
        assert "| Fee" not in frame


def test_a_broken_connection_ends_with_the_same_answer(reader: Any) -> None:
    whole = reader.ask("Can I pay with my fridge?").locator(".prose").inner_html()
    reader.page.get_by_role("button", name="New conversation").click()

    resumed = reader.ask("Can my fridge break?").locator(".prose").inner_html()

    assert resumed == whole


def test_what_documents_print_survives(reader: Any) -> None:
    text = reader.ask("Can I pay with my fridge?").locator(".prose").inner_text()
    assert "[m³/h]" in text
    assert "TRX_0042_A" in text
    assert "FR<200>" in text

    text = reader.ask("What is the fee?").locator(".prose").inner_text()
    assert "Purchase | debit" in text
    assert "€ 12,50 – $15" in text
    assert "0.05 % of the purchase | minimum € 0.10" in text


def test_a_source_table_keeps_its_merged_cells_and_marks_the_evidence(reader: Any) -> None:
    table = reader.ask("What is the fee?").locator(".source-table")

    assert table.locator("td[rowspan='2']").inner_text() == "0.35 %"
    assert table.locator("td[colspan='4']").count() == 1
    assert table.locator("mark").all_text_contents() == [
        "Purchase (the answer rests on this)",
        "0.20 % (the answer rests on this)",
    ]


def test_a_sentence_without_evidence_is_shown_as_withheld_with_its_reason(reader: Any) -> None:
    turn = reader.ask("May a toaster pay?")

    assert turn.locator(".withheld del").is_visible(), "never a blank"
    assert turn.locator(".withheld del").inner_text() == "A toaster may pay up to 40 euro."
    assert "no passage that was found has 40 euro" in turn.locator(".withheld").inner_text()
    assert "40 euro" not in turn.locator(".prose").inner_text()
    assert "Passed to a person" in turn.locator(".outcome").inner_text()


def test_what_the_documents_do_not_say_is_said_plainly(reader: Any) -> None:
    assert "Not in the documents" in reader.ask("What is the capital of Peru?").locator(".outcome").inner_text()


def test_a_document_that_is_cited_five_times_has_one_card(reader: Any) -> None:
    turn = reader.ask("Can I pay with my fridge?")

    assert turn.locator(".card").count() == 1
    assert turn.locator(".place").count() == 5
    first = turn.locator(".place").first.inner_text()
    assert "3 Devices › 3.1 Household appliances · page 1" in first
    assert "A cardholder may pay with a refrigerator" in first
    assert "Read, not citable" in turn.locator(".card-title").inner_text()


def test_a_conversation_goes_on_and_is_the_same_after_a_reload(reader: Any) -> None:
    reader.ask("Can I pay with my fridge?")
    address = reader.page.url
    assert "/c/" in address
    reader.ask("And what is the fee?")
    assert reader.page.url == address
    before = [turn.locator(".prose, .sources").all_inner_texts() for turn in reader.page.locator(".turn").all()]

    reader.page.reload()
    reader.page.locator(".turn .sources").nth(1).wait_for()

    assert [turn.locator(".prose, .sources").all_inner_texts() for turn in reader.page.locator(".turn").all()] == before


def test_a_reload_in_the_middle_of_an_answer_goes_on_with_it(reader: Any) -> None:
    whole = reader.ask("Can I pay with my fridge?").locator(".prose").inner_html()
    reader.page.get_by_role("button", name="New conversation").click()
    reader.page.fill("#question", "slow: can I pay with my fridge?")
    reader.page.keyboard.press("Enter")
    reader.page.wait_for_selector(".prose p", timeout=15_000)

    reader.page.reload()

    reader.page.wait_for_selector(".outcome.answered", timeout=15_000)
    assert reader.page.locator(".turn").count() == 1
    assert reader.page.locator(".prose").inner_html() == whole


def test_what_is_typed_while_it_answers_is_kept(reader: Any) -> None:
    reader.page.fill("#question", "Can I pay with my fridge?")
    reader.page.keyboard.press("Enter")
    reader.page.keyboard.type("And with an oven")
    reader.page.wait_for_selector(".outcome.answered")

    reader.page.keyboard.press("End")
    reader.page.keyboard.type("?")

    assert reader.page.input_value("#question") == "And with an oven?"


def test_a_draft_survives_a_reload_and_is_gone_once_sent(reader: Any) -> None:
    reader.page.fill("#question", "Can I pay with")
    reader.page.press("#question", "Shift+Enter")
    reader.page.type("#question", "my fridge?")

    reader.page.reload()

    assert reader.page.input_value("#question") == "Can I pay with\nmy fridge?"
    reader.page.press("#question", "Enter")
    reader.page.wait_for_selector(".outcome")
    assert reader.page.input_value("#question") == ""


def test_a_long_pasted_text_fits_and_is_folded_in_the_talk(reader: Any) -> None:
    text = "\n".join(f"Line {i} of a mail about a fridge" for i in range(200))
    reader.page.fill("#question", text)
    assert reader.page.locator("#question").bounding_box()["height"] < 400

    reader.page.keyboard.press("Enter")
    turn = reader.page.locator(".turn").last

    assert turn.locator("h2").bounding_box()["height"] < 250
    turn.get_by_role("button", name="Show all").click()
    assert turn.locator("h2").bounding_box()["height"] > 1000


def test_stopping_keeps_what_was_checked_and_offers_to_ask_again(reader: Any) -> None:
    reader.page.fill("#question", "slow: can I pay with my fridge?")
    reader.page.keyboard.press("Enter")
    reader.page.wait_for_selector(".prose p", timeout=15_000)

    reader.page.get_by_role("button", name="Stop").click()

    reader.page.wait_for_selector(".outcome.stopped")
    assert "Yes: a cardholder may pay" in reader.page.inner_text(".prose")
    assert reader.page.get_by_role("button", name="Ask again").is_enabled()
    assert reader.page.get_by_role("button", name="Send").is_visible()
    shown = reader.page.inner_text(".prose")

    reader.page.reload()

    reader.page.wait_for_selector(".outcome")
    assert reader.page.inner_text(".prose") == shown
    assert "You stopped this answer." in reader.page.inner_text(".outcome")


def test_a_server_that_is_away_is_named_and_asked_again(reader: Any) -> None:
    reader.page.route("**/api/chat", lambda route: route.abort())
    reader.page.fill("#question", "Can I pay with my fridge?")
    reader.page.keyboard.press("Enter")
    reader.page.wait_for_selector(".outcome.broken")
    assert "cannot be reached" in reader.page.inner_text(".outcome")

    reader.page.unroute("**/api/chat")
    reader.page.get_by_role("button", name="Try again").click()

    reader.page.wait_for_selector(".outcome.answered")
    assert reader.page.locator(".turn").count() == 1


def test_the_answer_is_copied_as_text_with_its_sources(new_reader: Any, recorded: str) -> None:
    reader = new_reader(recorded, permissions=["clipboard-read", "clipboard-write"])
    reader.open()
    reader.ask("What is the fee?").get_by_role("button", name="Copy answer with its sources").click()
    reader.page.wait_for_selector("text=Copied")

    text = reader.page.evaluate("navigator.clipboard.readText()")

    assert "costs 0.20 %. [1]" in text
    assert "[1] Farrow Rulebook: Acceptance, revision 5, 4 Fees, page 2" in text
    assert f"{recorded}/view/farrow-acceptance/" in text


def test_a_link_to_an_answer_opens_the_conversation_there(new_reader: Any, recorded: str) -> None:
    reader = new_reader(recorded, height=400, permissions=["clipboard-read", "clipboard-write"])
    reader.open()
    first = reader.ask("What is the fee?")
    first.get_by_role("button", name="Copy link to this answer").click()
    reader.page.wait_for_selector("text=Link copied")
    link = reader.page.evaluate("navigator.clipboard.readText()")
    reader.ask("Can I pay with my fridge?")
    other = new_reader(recorded, height=400)

    other.open(link.removeprefix(recorded))

    other.page.locator(".turn .sources").nth(1).wait_for()
    other.until("document.querySelector('.turn').getBoundingClientRect().top < 100")
    assert other.sees(".turn:first-of-type .source-table")
    assert "#answer-" in other.page.url
    other.ask("What is the capital of Peru?")
    assert "#" not in other.page.url, "the newest answer is what the address is about now"


def test_a_source_that_was_superseded_since_says_so_on_card_and_page(reader: Any) -> None:
    revisions = reader.page.request.get(f"{reader.address}/api/documents/farrow-acceptance/revisions").json()
    (old,) = revisions["documents"]
    now = [
        {**old, "revision": "6", "sha256": "6" * 64},
        {**old, "standing": "readable", "reason": "superseded by revision 6"},
    ]
    reader.page.route("**/revisions", lambda route: route.fulfill(json={**revisions, "documents": now}))

    turn = reader.ask("What is the fee?")

    assert turn.locator(".badge").inner_text() == "Superseded by revision 6"
    turn.locator(".place a").click()
    note = reader.page.locator(".viewer .newer")
    assert note.inner_text() == "This is revision 5. Revision 6 is newer. Open the newer one"
    assert note.locator("a").get_attribute("href") == f"/view/farrow-acceptance/{'6' * 64}"
    assert "Fee" in reader.marked_text() or reader.marked_text(), "and the old one opens as it was"


def test_a_source_that_left_the_library_says_so(reader: Any) -> None:
    reader.page.route("**/revisions", lambda route: route.fulfill(json={"release": "r", "documents": []}))

    turn = reader.ask("What is the fee?")

    assert turn.locator(".badge").inner_text() == "No longer in the library"


def test_a_row_of_the_catalogue_is_a_card_without_a_page_to_open(new_reader: Any, recorded: str) -> None:
    citation = {
        "n": 1,
        "document": "catalogue:Parts catalogue",
        "source": "Parts catalogue",
        "title": "Parts catalogue",
        "revision": "",
        "sha256": "1" * 64,
        "section": ["PX-1044-B", "similar number, not the one asked for"],
        "pages": [],
        "quote": "Part number: PX-1044-B; Stock: 14; Price: EUR 112.50.",
        "standing": "citable",
        "retrieved_at": "2026-12-01T09:30:00+00:00",
        "url": "",
        "row": "tblArtikel ArtID=2",
    }
    answer = {
        "id": "a",
        "conversation": "t",
        "question": "PX-1044?",
        "standalone_question": "PX-1044?",
        "outcome": "answered",
        "reason": "",
        "markdown": "PX-1044-B costs EUR 112.50 {{1}}",
        "citations": [citation],
        "tables": [],
        "withheld": [],
        "steps": [],
        "model": "m",
        "release": "r",
        "milliseconds": {"first_step": 1, "first_block": 1, "total": 1},
    }
    stored = {"id": "t", "title": "PX-1044-B", "answers": [answer], "unfinished": []}
    reader = new_reader(recorded)
    reader.page.route("**/api/conversations/t", lambda route: route.fulfill(json=stored))

    reader.open("/c/t")

    card = reader.page.locator(".card")
    assert card.locator("strong").inner_text() == "Parts catalogue"
    assert "similar number, not the one asked for · row tblArtikel ArtID=2, read December 1, 2026" in card.inner_text()
    assert "Price: EUR 112.50" in card.locator("blockquote").inner_text()
    assert card.locator("a, .badge").count() == 0
    card.locator(".place").click()
    reader.page.locator(".prose .mark").click()
    assert reader.page.locator(".viewer").count() == 0
    assert reader.axe() == []


def test_thumbs_go_to_the_server_with_an_optional_word(reader: Any) -> None:
    sent: list[Any] = []
    reader.page.on(
        "request", lambda request: sent.append(json.loads(request.post_data)) if "feedback" in request.url else None
    )
    turn = reader.ask("Can I pay with my fridge?")

    turn.get_by_role("button", name="Not helpful").click()
    turn.get_by_label("What was missing or wrong? (optional)").fill("Which section?")
    reader.page.keyboard.press("Enter")
    reader.page.wait_for_selector("text=Thank you.")

    assert sent == [{"thumbs": "down"}, {"thumbs": "down", "word": "Which section?"}]
    assert turn.get_by_role("button", name="Not helpful").get_attribute("aria-pressed") == "true"


def test_conversations_are_found_renamed_and_deleted(reader: Any) -> None:
    reader.ask("Can I pay with my fridge?")
    reader.page.get_by_role("button", name="New conversation").click()
    reader.ask("What about the zebra fee?")
    entries = reader.page.locator(".entry")
    reader.page.fill("#history-search", "zebra")
    reader.until("document.querySelectorAll('.entry').length === 1")

    entries.first.hover()
    reader.page.get_by_role("button", name="Rename “What about the zebra fee?”").click()
    reader.page.get_by_label("Title").fill("Stripes")
    reader.page.keyboard.press("Enter")
    reader.page.wait_for_selector(".entry-title:text-is('Stripes')")

    entries.first.hover()
    reader.page.get_by_role("button", name="Delete “Stripes”").click()
    assert entries.count() == 1, "deleting asks first"
    reader.page.get_by_role("button", name="Delete", exact=True).click()
    reader.until("document.querySelectorAll('.entry').length === 0")
    reader.page.wait_for_selector(".welcome")


def test_every_conversation_can_be_reached(reader: Any) -> None:
    notes = [{"id": f"c{n}", "title": f"Talk {n}", "updated": "2026-11-30T12:00:00Z", "turns": 1} for n in range(120)]

    def page(route: Any) -> None:
        from_ = int(parse_qs(urlsplit(route.request.url).query).get("after", ["0"])[0])
        more = from_ + 50 < len(notes)
        part = {"conversations": notes[from_ : from_ + 50], "next": str(from_ + 50) if more else None}
        route.fulfill(json=part)

    reader.page.route("**/api/conversations?*", page)
    reader.page.reload()
    entries = reader.page.locator(".entry")
    entries.first.wait_for()

    for there in (50, 100, 120):
        assert entries.count() == there
        if there < 120:
            reader.page.get_by_role("button", name="Show more").click()
            reader.until(f"document.querySelectorAll('.entry').length > {there}")

    assert reader.page.get_by_role("button", name="Show more").count() == 0
    assert len(set(reader.page.locator(".entry-title").all_inner_texts())) == 120


def test_the_interface_speaks_the_readers_language(new_reader: Any, recorded: str) -> None:
    for locale, word in (
        ("nl-BE", "Vraag het de documenten"),
        ("fr-FR", "Interrogez"),
        ("de-DE", "Die Dokumente fragen"),
    ):
        reader = new_reader(recorded, locale=locale)
        reader.open()
        assert word in reader.page.inner_text("h1")
        assert reader.page.get_attribute("html", "lang") == locale[:2]


def test_everything_can_be_done_by_keyboard(reader: Any) -> None:
    page = reader.page
    assert page.evaluate("document.activeElement.id") == "question"
    page.keyboard.type("Can I pay with my fridge?")
    page.keyboard.press("Enter")
    page.wait_for_selector(".outcome.answered")
    assert page.evaluate("document.activeElement.id") == "question", "the field keeps the focus for a follow-up"

    for _ in range(80):
        page.keyboard.press("Shift+Tab")
        if page.evaluate("document.activeElement.matches('.prose .mark')"):
            break
    label = page.evaluate("document.activeElement.ariaLabel")
    assert label.startswith("Source 5: Farrow Rulebook: Acceptance, revision 5")
    page.keyboard.press("Enter")
    page.wait_for_selector(".highlight")
    assert page.evaluate("document.activeElement.id") == "viewer-title"

    page.keyboard.press("Escape")

    page.wait_for_selector(".viewer", state="detached")
    reader.until("document.activeElement.ariaLabel?.startsWith('Source 5')")


def test_a_screen_reader_is_told_steps_sentences_and_the_outcome(reader: Any) -> None:
    reader.ask("Can I pay with my fridge?")

    told = reader.page.locator("[role=log]").inner_text()

    assert "Searched for" in told
    assert "The refrigerator must ask for a confirmation" in told
    assert "Answered from 5 places in the documents" in told
    assert "{{" not in told
