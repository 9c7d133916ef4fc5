from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.corpus.chunks import cut
from pincite.corpus.naming import Designation, Names, designation, name_of
from pincite.corpus.references import find_mentions
from pincite.corpus.resolving import Resolver, Source, attach, unresolved
from pincite.types import Line, Note, Page, ParsedDocument, Section


def document(source, *texts, title="", headings=(), language="en", furniture=()):
    """A document of one page for each list of lines; a line that ``headings`` names is a section's heading."""
    pages = [t if isinstance(t, list) else [t] for t in texts]
    lines, sections = [], []
    for number, page in enumerate(pages, 1):
        for k, text in enumerate(page):
            is_heading = text in headings
            if is_heading:
                level = 1 + text.split(" ")[0].count(".") if text[0].isdigit() else 1
                above = sections[-1].path[: level - 1] if sections and level > 1 else ()
                sections.append(Section((*above, text), text, level, number, len(lines)))
            y = 800 - 12 * k
            lines.append(Line(text, number, (72, y, 72 + 5 * len(text), y + 10), 10, is_heading))
    return ParsedDocument(
        source=source,
        sha256=f"{abs(hash(source)):064x}"[:64],
        parser="test",
        title=title or source.removesuffix(".pdf"),
        language=language,
        pages=tuple(Page(n, str(n), "text", 595, 842, 0, (0, 0, 595, 842)) for n in range(1, len(pages) + 1)),
        lines=tuple(lines),
        furniture=tuple(Line(text, n, (72, 20, 200, 30), 8) for n, text in enumerate(furniture, 1)),
        sections=tuple(sections),
        tables=(),
    )


RULES = document(
    "card-rules-2024.pdf",
    ["Card Rules for Acceptance", "4 Fees", "4.1 Domestic", "Text.", "4.2 Cross-border", "Text."],
    ["Table 3. Fees by region", "Text.", "Appendix B Forms", "Text.", "Article 6", "(1) Text."],
    title="Card Rules for Acceptance",
    headings=("4 Fees", "4.1 Domestic", "4.2 Cross-border", "Appendix B Forms", "Article 6"),
)
SHEET = document(
    "RE90222_2015.pdf", ["RE 90222 axial piston pump", "A10VSO", "3 Fluids", "Text."], headings=("3 Fluids",)
)
PARTS = [
    document(
        f"QX700-57part{n}rev{rev}.pdf",
        [f"ACME Quality Sheet 700-57 Part {n}", f"Revision {rev}", "2 Keys", f"Text of part {n}."],
        title=f"Recommendation for Keys, Part {n}",
        headings=("2 Keys",),
    )
    for n, rev in ((1, 4), (2, 1))
]


def refers(*lines, among=(RULES, SHEET, *PARTS), language="en", headings=(), source="letter.pdf"):
    """(text, [(file, last heading, page)], reason) of each reference in lines of another document or of the rules."""
    own = document(source, list(lines), language=language, headings=headings)
    everything = (own, *among)
    resolver = Resolver(Source(one.source, one) for one in everything)
    return [
        (
            " ".join(one.mention.text.split()),
            [(t.document, t.section[-1] if t.section else "", t.page) for t in one.targets],
            one.reason,
        )
        for one in resolver.references(own.source, own)
    ]


def refers_in_rules(*lines):
    """As ``refers``, of lines that are printed at the end of the rules themselves."""
    more = tuple(Line(text, 3, (72, 700 - 12 * k, 400, 710 - 12 * k), 10) for k, text in enumerate(lines))
    own = replace(RULES, lines=(*RULES.lines, *more))
    resolver = Resolver(Source(one.source, one) for one in (own, SHEET, *PARTS))
    return [
        (
            " ".join(one.mention.text.split()),
            [(t.document, t.section[-1] if t.section else "", t.page) for t in one.targets],
        )
        for one in resolver.references(own.source, own)
        if one.mention.first_line >= len(RULES.lines)
    ]


OWN = "card-rules-2024.pdf"


def test_a_section_of_the_same_document_is_found_with_its_page():
    assert refers_in_rules("For the fees see section 4.2 and the rest.") == [
        ("section 4.2", [(OWN, "4.2 Cross-border", 1)])
    ]


def test_a_list_is_one_reference_for_each_number_and_a_range_is_one_for_all():
    assert refers_in_rules("as in sections 4.1 and 4.2, or in sections 4.1 to 4.2.") == [
        ("sections 4.1", [(OWN, "4.1 Domestic", 1)]),
        ("4.2", [(OWN, "4.2 Cross-border", 1)]),
        ("sections 4.1 to 4.2", [(OWN, "4.1 Domestic", 1), (OWN, "4.2 Cross-border", 1)]),
    ]


@pytest.mark.parametrize(
    ("line", "text", "heading", "page"),
    [
        ("listed in Appendix B, with forms.", "Appendix B", "Appendix B Forms", 2),
        ("pursuant to Article 6(1)(f) thereof, and", "Article 6(1)(f)", "Article 6", 2),
        ("the amounts are given in Table 3 below.", "Table 3", "4.2 Cross-border", 2),
        ("bedoeld in artikel 6, tweede lid, onder a.", "artikel 6, tweede lid, onder a", "Article 6", 2),
    ],
)
def test_appendices_articles_and_tables_are_found(line, text, heading, page):
    assert refers_in_rules(line) == [(text, [(OWN, heading, page)])]


def test_a_mention_over_two_lines_is_one_and_keeps_its_line_break():
    own = replace(
        RULES,
        lines=(
            *RULES.lines,
            Line("The acquirer pays the fee of section", 3, (72, 700, 400, 710), 10),
            Line("4.2 to the issuer.", 3, (72, 688, 400, 698), 10),
        ),
    )

    [mention] = [m for m in find_mentions(own, Names([name_of("rules", own)])) if m.page == 3]

    assert (mention.text, mention.numbers) == ("section\n4.2", ("4.2",))
    assert (mention.last_line - mention.first_line, mention.end) == (1, 3)


@pytest.mark.parametrize(
    "line",
    [
        "This section explains the following table and this document.",
        "1.1 Scope ........................................ 4",
        "Section 4.2 Cross-border ......................... 12",
        "Table 3. Fees by region",
        "APPENDIX B PAGE B-4",
        "see https://example.org/section/4.2/SP-700-57 for more",
        "as was shown earlier [12].",
        "In 2 sections of 3 pages",
        "the article I read, and the table a waiter laid",
    ],
)
def test_what_only_looks_like_a_reference_is_none(line):
    assert refers_in_rules("Something ends here.", line) == []


def test_the_heading_of_a_section_does_not_refer_to_itself():
    assert refers("Section 1 Scope", "Text.", headings=("Section 1 Scope",)) == []


def test_a_section_of_another_document_is_not_one_of_this_document():
    assert refers_in_rules(
        "see Section 4.2 of RFC 3711, Circular A-130, Appendix B, 44 U.S.C., Sec. 4.2 and QX 700-57 Part 2, Section 2."
    ) == [
        ("Section 4.2 of RFC 3711", []),
        ("Circular A-130, Appendix B", []),
        ("44 U.S.C., Sec. 4.2", []),
        ("QX 700-57 Part 2, Section 2", [("QX700-57part2rev1.pdf", "2 Keys", 1)]),
    ]


def test_the_name_of_a_series_is_learnt_from_cover_and_file_name():
    found = refers("See Quality Sheet 700-57 Part 1, QX 700-57 Part 2 and QX 700-99.")

    assert [(text, [t[0] for t in targets]) for text, targets, _ in found] == [
        ("Quality Sheet 700-57 Part 1", ["QX700-57part1rev4.pdf"]),
        ("QX 700-57 Part 2", ["QX700-57part2rev1.pdf"]),
        ("QX 700-99", []),
    ]


def test_a_number_that_two_documents_share_is_not_guessed():
    [(_, targets, reason)] = refers("according to QX 700-57 and so on")

    assert targets == []
    assert reason == "QX 700-57 may be QX700-57part1rev4.pdf, QX700-57part2rev1.pdf"


def test_a_revision_that_the_library_does_not_have_is_said_to_be_missing():
    [(_, targets, reason)] = refers("see QX 700-57 Part 1, Revision 5.")

    assert targets == []
    assert reason == "QX 700-57 Part 1, Revision 5 is not in the library, which has revision 4"


def test_titles_and_catalogue_numbers_lead_to_documents():
    found = refers("see RE 90222 and, for cards, Card Rules for Acceptance, chapter 4.")

    assert [(text, targets) for text, targets, _ in found] == [
        ("RE 90222", [("RE90222_2015.pdf", "", None)]),
        ("Card Rules for Acceptance, chapter 4", [(OWN, "4 Fees", 1)]),
    ]


def test_standards_that_are_not_in_the_library_are_listed_and_no_error():
    [(text, targets, reason)] = refers("certified to ISO/IEC 27001:2022 by an auditor")

    assert (text, targets) == ("ISO/IEC 27001:2022", [])
    assert reason == "ISO/IEC 27001:2022 is not in the library"


def test_a_german_law_after_its_paragraph_is_another_document():
    found = refers("nach § 12 Abs. 2 BDSG in der Fassung", "§ 12 Ziele", language="de", headings=("§ 12 Ziele",))

    assert [(text, targets) for text, targets, _ in found] == [("§ 12 Abs. 2 BDSG", [])]


def test_the_law_that_a_decree_belongs_to_is_not_the_decree():
    lines = ("bedoeld in artikel 3, eerste lid, van de wet en in artikel 3 van dit besluit.", "Artikel 3")

    found = refers(*lines, language="nl", headings=("Artikel 3",))

    assert [bool(targets) for _, targets, _ in found] == [False, True]


def test_a_document_that_says_its_own_name_refers_to_nothing():
    assert refers("RE 90222 is this sheet.", source="RE90222_2016.pdf", among=()) == []


def test_a_planted_number_makes_nobody_another_document():
    planted = document("menu.pdf", ["Lunch menu", "ACME Quality Sheet 700-58 Revision 9"])

    assert name_of("menu", planted).designations == ()


def test_references_stand_in_the_chunks_with_their_spans():
    resolver = Resolver([Source("rules", RULES)])
    own = document("rules.pdf", ["1 Scope", "The fee is that of section", "2 and no other.", "2 Fees", "Text."])
    own = replace(own, sections=(Section(("1 Scope",), "1 Scope", 1, 1, 0), Section(("2 Fees",), "2 Fees", 1, 1, 3)))
    chunks = cut(own, fits=lambda text: len(text) < 4000)

    named = attach(chunks, own, resolver.references("rules", own))

    [reference] = named[0]
    assert chunks[0].text[reference.start : reference.end] == reference.text == "section\n2"
    assert reference.targets[0].section == ("2 Fees",)


def test_what_leads_nowhere_is_listed_once_with_its_pages():
    own = document("a.pdf", ["see RFC 3711 today."], ["and RFC 3711 tomorrow."])
    found = Resolver([Source("a", own)]).references("a", own)

    assert [(one.text, one.pages) for one in unresolved(found)] == [("RFC 3711", (1, 2))]


@given(st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\r\n"), max_size=60), min_size=1, max_size=8))
def test_every_mention_is_verbatim_between_its_offsets(texts):
    lines = [f"{text} see section 4.2, SP 800-53" for text in texts]
    own = document("any.pdf", lines)

    for mention in find_mentions(own, Names([name_of("rules", RULES)])):
        inside = [own.lines[i].text for i in range(mention.first_line, mention.last_line + 1)]
        inside[-1] = inside[-1][: mention.end]
        inside[0] = inside[0][mention.start :]
        assert "\n".join(inside) == mention.text


@given(st.integers(1, 9), st.integers(1, 999), st.sampled_from(["", "A", "b"]), st.integers(0, 9))
def test_a_designation_survives_how_it_is_written(first, second, letter, revision):
    number = f"{first}00-{second}{letter}"
    written = f"{number}r{revision}" if revision else number

    assert designation("SP", written) == Designation("SP", number.upper(), "", "", str(revision) if revision else "")


FEES = document(
    "pay-fees-rev3.pdf", ["4.1 Domestic", "Text."], title="Lindholm Pay Fees Rulebook", headings=("4.1 Domestic",)
)
DEVICES = document(
    "pay-devices.pdf",
    ["4.1 Radio", "Text.", "4.2 Time", "Text."],
    title="Lindholm Pay Devices Rulebook",
    headings=("4.1 Radio", "4.2 Time"),
)


def test_a_rulebook_is_known_without_the_publisher_that_several_begin_with():
    found = refers(
        "see the Devices Rulebook, section 4.1 (radio) and section 4.2, and the Fees Rulebook, section 4.1.",
        among=(FEES, DEVICES),
    )

    assert [targets[0][:2] for _, targets, _ in found] == [
        ("pay-devices.pdf", "4.1 Radio"),
        ("pay-devices.pdf", "4.2 Time"),
        ("pay-fees-rev3.pdf", "4.1 Domestic"),
    ]


def test_a_section_of_a_rulebook_that_is_not_there_is_not_one_of_this_document():
    assert refers_in_rules("see the Travel Desk Manual, section 4.2.") == [("Travel Desk Manual, section 4.2", [])]


def test_a_series_in_the_plural_is_the_same_series():
    found = refers("see Quality Sheets 700-57 Part 1 and 700-99.")

    assert [[t[0] for t in targets] for _, targets, _ in found] == [["QX700-57part1rev4.pdf"], []]


def test_a_long_title_is_known_in_other_capitals_and_without_its_trade_mark():
    guide = document(
        "guide.pdf", ["1 Scope", "Text."], title="Guide to ACME-Based Pump® Content", headings=("1 Scope",)
    )

    [(_, targets, _)] = refers("see Guide to ACME-based Pump Content, Section 1.", among=(guide,))

    assert targets == [("guide.pdf", "1 Scope", 1)]


def test_a_reference_in_a_footnote_is_read_and_stands_in_the_chunk_that_has_the_note():
    headings = ("4 Fees", "4.1 Domestic")
    body = document("notes.pdf", [*headings, "A fee is due.\u00b9", "It is paid."], headings=headings)
    line = Line("\u00b9 See section 4.1 for the amount.", 1, (72, 60, 300, 70), 8)
    noted = replace(body, notes=(Note("1", (line,), 2),))

    found = Resolver([Source("notes", noted)]).references("notes", noted)
    chunks = cut(noted, fits=lambda text: len(text) < 2000, size=2000)

    assert [target.section[-1] for one in found for target in one.targets] == ["4.1 Domestic"]
    assert [r.text for some in attach(chunks, noted, found).values() for r in some] == ["section 4.1"]
