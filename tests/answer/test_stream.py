"""What is shown of a draft: every sentence after the gate, with citations that can be followed."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_library import FEES, OLD_FEES, PUMP, SmallLibrary, grid, prose

from pincite.answer.judging import PassageGate
from pincite.answer.splitting import MARK
from pincite.answer.stream import VerifiedStream, plain, safe_markdown
from pincite.types import Block, SentenceWithheld, TableShown

GATE = PassageGate()
LIBRARY = SmallLibrary()
READ = [passage for document in ("fees", "fees-2019", "crn-32-3") for passage in LIBRARY.read(document)]
OFFERED = {f"P{n}": passage for n, passage in enumerate(READ, 1)}
"""P1 general, P2 fee table, P3 chargebacks, P4 superseded, P5 hydraulics, P6 certificates."""


def stream(*, stops=False, offered=OFFERED, question="fees"):
    when = dict.fromkeys(offered, "2026-11-30T12:00:00+00:00")
    return VerifiedStream(offered=offered, judge=GATE, retrieved_at=when, language="en", question=question, stops=stops)


def release(text, *, cuts=(), **how):
    verified, events, start = stream(**how), [], 0
    for end in (*sorted(cuts), len(text)):
        events += verified.feed(text[start:end])
        start = max(start, end)
    events += verified.close()
    return verified, events


def blocks(events):
    return [event.markdown for event in events if isinstance(event, Block)]


def test_a_sentence_leaves_with_the_mark_of_its_passage_and_not_with_the_handle():
    verified, events = release("A chargeback must be raised within 120 days of the transaction date [[P3]].")

    assert verified.markdown == "A chargeback must be raised within 120 days of the transaction date. {{1}}"
    assert blocks(events) == [verified.markdown]


def test_the_citation_names_document_revision_section_page_label_quote_and_boxes():
    verified, _ = release("The acquirer answers a chargeback within 14 days. [[P3]]")

    (citation,) = verified.citations
    assert (citation.n, citation.document, citation.revision, citation.sha256) == (1, "fees", "3", FEES.sha256)
    assert citation.section == ("7 Disputes", "7.2 Chargebacks")
    assert citation.quote == "The acquirer answers a chargeback within 14 days."
    assert citation.quote in OFFERED["P3"].chunk.text
    assert [(page.page, page.label, page.boxes) for page in citation.pages] == [
        (4, "3", ((72.0, 686.0, 520.0, 698.0),))
    ]
    assert citation.url == f"/view/fees/{FEES.sha256}?page=4"


def test_the_same_section_and_page_keeps_one_number_and_grows_its_boxes():
    verified, events = release(
        "A chargeback must be raised within 120 days of the transaction date [[P3]]. "
        "The CRN 32-3 has an NPSH of 1.9 m at 1450 rpm [[P5]]. The acquirer answers a chargeback within 14 days [[P3]]."
    )

    assert re.findall(r"\{\{\d+\}\}", verified.markdown) == ["{{1}}", "{{2}}", "{{1}}"]
    assert [citation.n for citation in verified.citations] == [1, 2]
    assert len(verified.citations[0].pages[0].boxes) == 2
    assert events[-1].citations[0] == verified.citations[0]


def test_a_wrong_number_is_withheld_with_a_reason():
    verified, events = release("A chargeback must be raised within 90 days of the transaction date [[P3]].")

    assert verified.markdown == "" and blocks(events) == []
    (withheld,) = (event.withheld for event in events if isinstance(event, SentenceWithheld))
    assert "90" in withheld.claim and withheld.reason


def test_a_value_of_the_neighbouring_row_is_withheld():
    verified, _ = release("The fee for a domestic purchase is 0.05 % [[P2]].")

    assert verified.markdown == "" and len(verified.withheld) == 1


def test_a_handle_that_was_never_given_is_mended_by_a_passage_that_carries_the_sentence():
    verified, _ = release("The acquirer answers a chargeback within 14 days [[P99]].")

    assert [citation.section for citation in verified.citations] == [("7 Disputes", "7.2 Chargebacks")]


def test_a_handle_that_was_never_given_is_withheld_when_nothing_carries_the_sentence():
    verified, _ = release("The acquirer answers a chargeback within 17 days [[99]].")

    assert verified.markdown == ""
    assert verified.withheld[0].reason.startswith("it cites 99, which was never found")


def test_a_superseded_passage_is_never_evidence():
    verified, _ = release("A member shall pay the scheme fee within 60 days of the invoice [[P4]].")

    assert verified.markdown == "" and "superseded" in verified.withheld[0].reason


def test_a_doubtful_table_is_neither_evidence_nor_shown():
    doubtful = replace(OFFERED["P2"], chunk=grid(1, (), 3, "", ("Fee | Domestic", "Purchase | 0.20 %"), confidence=0.4))

    verified, events = release(
        "The fee for a domestic purchase is 0.20 % [[P1]].\n\n[[table:P1]]", offered={"P1": doubtful}
    )

    assert verified.markdown == "" and not any(isinstance(event, TableShown) for event in events)


def test_a_table_is_shown_from_the_stored_grid_with_the_cells_the_answer_rests_on():
    verified, events = release("The fee for a domestic purchase is 0.20 % [[P2]].\n\n[[table:P2]]")

    (table,) = (event.table for event in events if isinstance(event, TableShown))
    assert table.columns == ("Fee", "Domestic", "Cross-border")
    assert table.rows == (("Purchase", "0.20 %", "0.35 %"), ("Refund", "0.05 %", "0.10 %"))
    assert table.highlighted == ((0, 1),) and table.citation == 1
    assert verified.citations[0].quote == "Purchase | 0.20 % | 0.35 %"
    assert "{{1}}" in blocks(events)[-1] and "0.35" not in verified.markdown


def test_the_boxes_of_a_table_row_hold_nothing_of_the_row_above():
    verified, _ = release("The fee for a domestic refund is 0.05 % [[P2]].")

    assert {box[1] for box in verified.citations[0].pages[0].boxes} == {560.0}


def test_a_passage_without_pages_is_cited_without_a_page():
    chunk = replace(prose(0, (), 1, "The valve opens at 7 bar."), pages=(), spans=())
    passage = replace(OFFERED["P1"], id="made elsewhere", chunk=chunk)

    verified, _ = release("The valve opens at 7 bar [[P1]].", offered={"P1": passage})

    assert verified.citations[0].pages == () and "page" not in verified.citations[0].url


def test_sentences_of_one_paragraph_share_the_mark_of_the_last():
    verified, _ = release(
        "A chargeback must be raised within 120 days of the transaction date. "
        "The acquirer answers a chargeback within 14 days. [[P3]]"
    )

    assert verified.markdown.count("{{1}}") == 2 and not verified.withheld


def test_a_lead_in_and_a_heading_wait_for_what_they_lead_to():
    verified = stream()

    assert verified.feed("## Chargebacks\n\nA chargeback must be raised:\n\n- ") == []
    events = verified.feed("within 120 days of the transaction date [[P3]]\n\n")
    events += verified.close()

    assert blocks(events)[-1].endswith("- within 120 days of the transaction date {{1}}")
    assert "A chargeback must be raised:" in verified.markdown


def test_a_heading_over_nothing_that_was_released_is_not_shown():
    verified, _ = release(
        "## Surcharges\n\nA member may surcharge 5 % [[P1]].\n\n"
        "## Chargebacks\n\nThe acquirer answers a chargeback within 14 days [[P3]]."
    )

    assert "Surcharge" not in verified.markdown and "5 %" not in verified.markdown


def test_a_restricting_lead_in_is_never_left_off():
    verified, _ = release("It is never true that:\n\n- The acquirer answers a chargeback within 14 days [[P3]].")

    assert verified.markdown == "" or "never true" in verified.markdown


def test_a_certificate_that_a_passage_denies_is_withheld():
    verified, _ = release("The CRN 32-3 is ATEX certified [[P6]].")

    assert verified.markdown == ""


def test_what_was_said_before_a_tool_was_called_is_no_part_of_the_answer():
    verified = stream()
    verified.begin()
    verified.feed("Let me look that up in the rulebook. ")
    verified.forget()
    verified.begin()
    events = verified.feed("The acquirer answers a chargeback within 14 days [[P3]].") + verified.close()

    assert len(blocks(events)) == 1 and not verified.withheld


def test_a_model_that_can_mend_is_stopped_at_its_first_unsupported_sentence():
    wrong = "The acquirer answers a chargeback within 17 days [[P3]]."

    verified, events = release(f"{wrong} The acquirer answers a chargeback within 14 days [[P3]].", stops=True)

    assert blocks(events) == [] and verified.failed is not None
    assert "within 14 days" in verified.draft() and "Scheme Fee Rulebook, p. 4" in verified.draft()


def test_without_the_best_quotation_of_a_passage_the_next_does_not_pass_for_the_answer():
    draft = "- The domestic refund fee is 9 % [[P2]]\n- The domestic purchase fee is 0.20 % [[P2]]\n\n[[table:P2]]"
    verified = stream()
    verified.repairs = False

    events = verified.feed(draft) + verified.close()

    assert "0.20" not in verified.markdown and any(isinstance(event, TableShown) for event in events)


def test_what_is_missing_is_named_only_in_words_of_the_question():
    draft = "[[missing: surcharge limit]] [[missing: the pump is ATEX certified]]"

    verified, _ = release(draft, question="surcharge limit?")

    assert verified.missing == ["surcharge limit"]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("flow in [m³/h] and [km/h]", "flow in [m³/h] and [km/h]"),
        ("![x](https://example.org/p.png)", r"\![x]\(https://example.org/p.png)"),
        ("[x][1] and [1]: https://example.org", r"[x]\[1] and [1]: https://example.org"),
        ("[1]: https://example.org", r"[1]\: https://example.org"),
        ("NPSH [m]: 3.9 m", "NPSH [m]: 3.9 m"),
        ("<svg onload=1> a < b", r"\<svg onload=1> a < b"),
        ("{{1}} R&D &lt;", r"\{\{1}} R&D &amp;lt;"),
    ],
)
def test_released_markdown_loads_nothing_links_nowhere_and_forges_no_mark(text, shown):
    assert safe_markdown(text) == shown
    assert plain(safe_markdown("flow in [m³/h]")) == "flow in [m³/h]"


SENTENCES = [
    "The acquirer answers a chargeback within 14 days",
    "The acquirer answers a chargeback within 41 days",
    "The CRN 32-3 has an NPSH of 1.9 m at 1450 rpm",
    "The NPSH of the CRN 32-3 is 9.9 m at 1450 rpm",
    "The CRN 32-3 is ATEX certified",
    "The CRN 32-3 is not for use in ATEX zones",
    "A member shall surcharge a cardholder",
    "The fee for a domestic purchase is 0.20 %",
    "The fee for a domestic purchase is 0.35 %",
    "Part number 96587563 fits",
]
FORBIDDEN = ["41 days", "9.9 m", "is ATEX certified", "shall surcharge", "purchase is 0.35", "96587563"]
MARKS = [
    "",
    " [[P1]]",
    " [[P2]]",
    " [[P3]]",
    " [[P5]]",
    " [[P6]]",
    " [[P4]]",
    " [[P99]]",
    " [[P3, P5]]",
    " [[table:P2]]",
]
FRAMES = [
    "{}. ",
    "- {}\n",
    "{}.\n\n",
    "## {}\n\n",
    "{}:\n\n",
    "1. {}\n",
    "**{}**. ",
    "| {} | x |\n|---|---|\n| {} | y |\n",
]


@st.composite
def drafts(draw):
    pieces = []
    for _ in range(draw(st.integers(1, 6))):
        said = draw(st.sampled_from(SENTENCES)) + draw(st.sampled_from(MARKS))
        frame = draw(st.sampled_from(FRAMES))
        pieces.append(frame.format(said, said) if frame.count("{}") == 2 else frame.format(said))
    return "".join(pieces)


@settings(max_examples=60, deadline=None)
@given(drafts(), st.booleans())
def test_no_prefix_of_what_is_released_holds_a_sentence_that_the_documents_do_not_carry(draft, stops):
    _, events = release(draft, stops=stops)

    shown = plain("".join(blocks(events)))
    assert [text for text in FORBIDDEN if text in shown] == []


@settings(max_examples=40, deadline=None)
@given(drafts(), st.lists(st.integers(0, 400), max_size=30))
def test_the_events_do_not_depend_on_how_the_draft_was_cut(draft, cuts):
    whole, events = release(draft)
    pieces, others = release(draft, cuts=[min(cut, len(draft)) for cut in cuts])

    assert others == events and pieces.markdown == whole.markdown


@settings(max_examples=40, deadline=None)
@given(drafts())
def test_blocks_joined_are_the_markdown_and_every_mark_has_its_citation(draft):
    verified, events = release(draft)

    assert "".join(blocks(events)) == verified.markdown
    assert not MARK.search(verified.markdown)
    marks = [int(n) for n in re.findall(r"\{\{(\d+)\}\}", verified.markdown)]
    first_uses = list(dict.fromkeys(marks))
    assert first_uses == [citation.n for citation in verified.citations] == list(range(1, len(first_uses) + 1))
    for citation in verified.citations:
        assert citation.standing == "citable" and citation.document in (FEES.document, PUMP.document)
        assert any(citation.quote in passage.chunk.text for passage in OFFERED.values()) and citation.quote
    assert all(citation.document != OLD_FEES.document for citation in verified.citations)
