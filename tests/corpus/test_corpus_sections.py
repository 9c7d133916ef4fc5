from pathlib import Path

from corpus_pages import Sheet
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.corpus.contents import contents_lines, listed
from pincite.corpus.headings import heading_at
from pincite.corpus.numbering import believed
from pincite.corpus.pdf import read_pdf
from pincite.corpus.sections import find_sections
from pincite.corpus.typography import OutlineEntry, Printed
from pincite.types import Line, Table

BODY = (
    "Members pay the fee that is set out in the annex within thirty days, and the",
    "scheme may set off what it owes them against what they owe the scheme.",
)


def paths(sheet):
    return [section.path for section in read_pdf(sheet.bytes(), "rulebook.pdf").sections]


def test_parts_chapters_and_decimal_numbers_nest_as_numbered():
    sheet = Sheet()
    sheet.heading("PART I General", size=18).text(*BODY)
    sheet.heading("1. Scope").text(*BODY).heading("1.1 Members", size=12).text(*BODY)
    sheet.heading("2. Fees").text(*BODY)
    sheet.heading("PART II Special", size=18).text(*BODY).heading("1. Refunds").text(*BODY)

    assert paths(sheet) == [
        ("PART I General",),
        ("PART I General", "1. Scope"),
        ("PART I General", "1. Scope", "1.1 Members"),
        ("PART I General", "2. Fees"),
        ("PART II Special",),
        ("PART II Special", "1. Refunds"),
    ]


def test_entries_of_a_list_are_no_headings_though_they_are_numbered():
    sheet = Sheet()
    sheet.heading("4.2 Cross-border").text(*BODY)
    sheet.text(
        "(a) the fee of the shop;", "(b) the fee of the bank;", "1. Send the form to the scheme.", "2. Wait for it."
    )

    assert paths(sheet) == [("4.2 Cross-border",)]


def test_a_contents_list_repeats_no_heading():
    sheet = Sheet()
    sheet.heading("Contents")
    sheet.text(
        "1 Scope .................................... 2",
        "1.1 Members ............................. 2",
        "2 Fees ..... 3",
    ).page()
    sheet.heading("1 Scope").text(*BODY).heading("1.1 Members", size=12).text(*BODY).page()
    sheet.heading("2 Fees").text(*BODY)

    assert paths(sheet) == [("1 Scope",), ("1 Scope", "1.1 Members"), ("2 Fees",)]


def test_a_contents_list_without_leaders_repeats_no_heading():
    sheet = Sheet()
    sheet.heading("Table of Contents")
    sheet.line("1 Scope 2", bold=True, gap=6).line("2 Fees 3", bold=True, gap=6).line(
        "Annex A 4", bold=True, gap=6
    ).page()
    sheet.heading("1 Scope").text(*BODY).heading("2 Fees").text(*BODY).heading("Annex A").text(*BODY)

    assert paths(sheet) == [("1 Scope",), ("2 Fees",), ("Annex A",)]


def test_a_table_row_that_begins_with_a_number_is_no_heading():
    sheet = Sheet()
    sheet.heading("4.2 Fees").text(*BODY)
    cells = [(0, 0, 0, 0, "Clause"), (0, 0, 1, 1, "Text"), (1, 1, 0, 0, "4.2.1 Domestic"), (1, 1, 1, 1, "0.20 %")]
    sheet.grid([72, 200, 300], [500, 480, 460], cells)

    assert paths(sheet) == [("4.2 Fees",)]


def test_an_appendix_restarts_the_numbering():
    sheet = Sheet()
    sheet.heading("1 Scope").text(*BODY).heading("2 Fees").text(*BODY)
    sheet.heading("Appendix A Forms").text(*BODY).heading("1 Order form").text(*BODY).heading("2 Refund form").text(
        *BODY
    )
    sheet.heading("Appendix B").text(*BODY).heading("1 Dates").text(*BODY)

    assert paths(sheet) == [
        ("1 Scope",),
        ("2 Fees",),
        ("Appendix A Forms",),
        ("Appendix A Forms", "1 Order form"),
        ("Appendix A Forms", "2 Refund form"),
        ("Appendix B",),
        ("Appendix B", "1 Dates"),
    ]


def test_headings_without_numbers_nest_by_type_size():
    sheet = Sheet()
    for chapter in ("Fees", "Refunds"):
        sheet.heading(chapter, size=18).text(*BODY)
        sheet.heading(f"{chapter} in shops", size=13).text(*BODY).heading(f"{chapter} online", size=13).text(*BODY)

    assert paths(sheet) == [
        ("Fees",),
        ("Fees", "Fees in shops"),
        ("Fees", "Fees online"),
        ("Refunds",),
        ("Refunds", "Refunds in shops"),
        ("Refunds", "Refunds online"),
    ]


def test_the_title_on_the_first_sheet_stands_above_no_section():
    sheet = Sheet(title="Fee Rulebook")
    sheet.line("Fee Rulebook", size=26, bold=True, leading=40).text(*BODY)
    sheet.heading("1 Scope").text(*BODY)

    assert paths(sheet) == [("1 Scope",)]


def test_the_first_chapter_stays_a_section_when_its_title_is_taken_for_the_documents():
    sheet = Sheet()
    for chapter in ("Fees", "Refunds", "Disputes"):
        sheet.heading(chapter, size=18).text(*BODY).page()

    assert paths(sheet) == [("Fees",), ("Refunds",), ("Disputes",)]


def test_a_title_above_headings_in_smaller_type_heads_no_section():
    sheet = Sheet()
    sheet.line("Fee Rulebook", size=26, bold=True, leading=40).text(*BODY)
    sheet.heading("Fees", size=16).text(*BODY).heading("Refunds", size=16).text(*BODY)

    assert paths(sheet) == [("Fees",), ("Refunds",)]


def test_an_article_takes_the_title_that_is_printed_below_its_number():
    sheet = Sheet()
    sheet.heading("CHAPTER II", size=14).text(*BODY)
    sheet.line("Article 5", size=11, bold=True, gap=12).line("Principles of processing", size=11, bold=True).text(*BODY)
    sheet.line("Article 6", size=11, bold=True, gap=12).line("Lawfulness", size=11, bold=True).text(*BODY)

    assert [path[-1] for path in paths(sheet)] == [
        "CHAPTER II",
        "Article 5 Principles of processing",
        "Article 6 Lawfulness",
    ]


def test_a_sentence_that_begins_with_an_article_is_no_heading():
    sheet = Sheet()
    sheet.heading("Artikel 5").text(
        "De vergoeding wordt betaald binnen dertig dagen na het einde van de maand, bedoeld in",
        "Artikel 4, tweede lid, tenzij het lid daarvan schriftelijk heeft afgezien; dan geldt",
        "Artikel 6 van de wet voor zover de regeling niet anders bepaalt.",
    )

    assert paths(sheet) == [("Artikel 5",)]


def test_dutch_and_german_statutes_are_read_by_their_own_words():
    sheet = Sheet()
    sheet.heading("Hoofdstuk 1. Algemeen", size=16).text(*BODY)
    sheet.heading("§ 1.1 Begrippen", size=13).text(*BODY).heading("Artikel 1a", size=12).text(*BODY)
    sheet.heading("Bijlage A", size=16).text(*BODY)

    assert paths(sheet) == [
        ("Hoofdstuk 1. Algemeen",),
        ("Hoofdstuk 1. Algemeen", "§ 1.1 Begrippen"),
        ("Hoofdstuk 1. Algemeen", "§ 1.1 Begrippen", "Artikel 1a"),
        ("Bijlage A",),
    ]


def test_the_sections_of_a_published_standard_nest_as_printed():
    page = Path(__file__).parents[1] / "pages" / "fips199.pdf"

    found = [section.path for section in read_pdf(page.read_bytes(), page.name).sections]

    third = "3 CATEGORIZATION OF INFORMATION AND INFORMATION SYSTEMS"
    assert found == [
        ("FOREWORD",),
        ("AUTHORITY",),
        ("1 PURPOSE",),
        ("2 APPLICABILITY",),
        (third,),
        (third, "Security Objectives"),
        (third, "Security Objectives", "CONFIDENTIALITY"),
        (third, "Security Objectives", "INTEGRITY"),
        (third, "Security Objectives", "AVAILABILITY"),
        (third, "Potential Impact on Organizations and Individuals"),
        (third, "Security Categorization Applied to Information Types"),
        (third, "Security Categorization Applied to Information Systems"),
        ("APPENDIX A TERMS AND DEFINITIONS",),
        ("APPENDIX B REFERENCES",),
    ]


def test_steps_of_a_list_are_no_chapters_where_they_break_the_count():
    sheet = Sheet()
    sheet.heading("1 Scope").text(*BODY).heading("1.1 Members", size=12).text(*BODY)
    for step in ("1. Register", "2. Sign the form", "3. Send the form"):
        sheet.line(step, bold=True, gap=8).text(*BODY)
    sheet.heading("1.2 Others", size=12).text(*BODY).heading("2 Fees").text(*BODY)
    sheet.heading("2.1 Domestic", size=12).text(*BODY)

    assert paths(sheet) == [
        ("1 Scope",),
        ("1 Scope", "1.1 Members"),
        ("1 Scope", "1.2 Others"),
        ("2 Fees",),
        ("2 Fees", "2.1 Domestic"),
    ]


def test_a_running_header_that_reads_as_a_heading_is_none():
    sheet = Sheet()
    for page, title in enumerate(("4 Costs", "4.1 Entry", "4.2 Fees", "4.3 Refunds", "5 Disputes")):
        sheet.at(72, sheet.size[1] - 40, "4.2 Fees", bold=True)
        if page == 0:
            sheet.text(*BODY)
        sheet.heading(title, size=12 if "." in title else 14).text(*BODY, *BODY).page()

    assert paths(sheet) == [
        ("4 Costs",),
        ("4 Costs", "4.1 Entry"),
        ("4 Costs", "4.2 Fees"),
        ("4 Costs", "4.3 Refunds"),
        ("5 Disputes",),
    ]


def test_what_the_contents_list_names_is_a_heading_though_no_type_sets_it_apart():
    sheet = Sheet()
    sheet.heading("Contents").text("Scope .......... 2", "Fees of members .......... 2", "Refunds of", "fees ...... 3")
    sheet.text("Disputes ............ 3", "Notices ............ 3").page()
    sheet.line("Scope").text(*BODY).line("Fees of members").text(*BODY).page()
    sheet.line("Refunds of fees").text(*BODY).line("Disputes").text(*BODY).line("Notices").text(*BODY)

    assert paths(sheet) == [("Scope",), ("Fees of members",), ("Refunds of fees",), ("Disputes",), ("Notices",)]


def test_a_bold_line_in_the_type_of_the_listed_headings_is_none_when_the_contents_leave_it_out():
    sheet = Sheet()
    titles = ("1 Scope", "2 Fees", "3 Refunds", "4 Disputes", "5 Notices")
    sheet.heading("Contents").text(*(f"{title} ........................ 2" for title in titles)).page()
    for title in titles:
        sheet.heading(title, size=12).text(*BODY)
    sheet.heading("Warning", size=12).text(*BODY)

    assert paths(sheet) == [(title,) for title in titles]


def test_lesser_type_than_the_listed_headings_heads_a_section_below_them():
    sheet = Sheet()
    titles = ("1 Scope", "2 Fees", "3 Refunds", "4 Disputes", "5 Notices")
    sheet.heading("Contents").text(*(f"{title} ........................ 2" for title in titles)).page()
    for title in titles:
        sheet.heading(title, size=16).text(*BODY)
    sheet.heading("Form of notices", size=12).text(*BODY)

    assert paths(sheet)[-2:] == [("5 Notices",), ("5 Notices", "Form of notices")]


def test_a_contents_list_whose_numbers_are_out_of_date_still_names_the_headings():
    sheet = Sheet()
    titles = ("Scope", "Fees", "Refunds", "Disputes", "Notices")
    sheet.heading("Contents").text(*(f"{n}. {title} ................ 2" for n, title in enumerate(titles, 4))).page()
    for n, title in enumerate(titles, 1):
        sheet.line(f"{n}. {title}").text(*BODY)

    assert paths(sheet) == [(f"{n}. {title}",) for n, title in enumerate(titles, 1)]


def test_a_heading_that_wraps_is_one_heading_also_when_it_was_broken_by_hand():
    sheet = Sheet()
    sheet.heading("1 Scope").text(*BODY)
    sheet.line("2 Fees that members pay for", size=14, bold=True, gap=14, leading=16)
    sheet.line("Refunds", size=14, bold=True, leading=22).text(*BODY)
    sheet.heading("3 Notices").text(*BODY)

    assert paths(sheet) == [("1 Scope",), ("2 Fees that members pay for Refunds",), ("3 Notices",)]


def test_a_number_printed_without_a_space_or_with_one_too_many_still_nests():
    sheet = Sheet()
    sheet.heading("1.0 Fees").text(*BODY).heading("1.1.Domestic", size=12).text(*BODY)
    sheet.heading("1. 2 Cross-border", size=12).text(*BODY).heading("2.0 Refunds").text(*BODY)

    assert paths(sheet) == [
        ("1.0 Fees",),
        ("1.0 Fees", "1.1.Domestic"),
        ("1.0 Fees", "1. 2 Cross-border"),
        ("2.0 Refunds",),
    ]


def test_chapters_that_are_numbered_in_words_take_the_title_below():
    sheet = Sheet()
    for number, title in (("ONE", "INTRODUCTION"), ("TWO", "THE FUNDAMENTALS")):
        sheet.line(f"CHAPTER {number}", size=14, bold=True, gap=14, leading=22)
        sheet.line(title, size=14, bold=True, leading=24).text(*BODY)

    assert paths(sheet) == [("CHAPTER ONE INTRODUCTION",), ("CHAPTER TWO THE FUNDAMENTALS",)]


def test_a_paragraph_that_begins_in_bold_is_no_heading():
    sheet = Sheet()
    sheet.heading("Fees").text(*BODY)
    sheet.line("Fees of the members are due at once. They are paid to the", bold=True, gap=8).text(*BODY)
    sheet.line("Reminders are sent to members that have not paid for a", bold=True, gap=8).text(*BODY)

    assert paths(sheet) == [("Fees",)]


def test_labels_in_a_drawing_are_no_headings():
    sheet = Sheet(title="Fee Rulebook")
    sheet.heading("Process").text(*BODY * 3)
    for x, y, label in ((150, 500, "Request"), (338, 480, "Decision"), (300, 440, "Refund")):
        sheet.at(x, y, label, size=13, bold=True)
    sheet.y = 400
    sheet.text(*BODY * 3)

    assert paths(sheet) == [("Process",)]


def test_a_section_number_that_ends_a_sentence_at_the_start_of_a_line_is_no_heading():
    sheet = Sheet()
    sheet.heading("1 Scope").text(*BODY)
    sheet.text(
        "The forms that members use for notices are set out in part 2, and the list of fees stands in", "Appendix C."
    )
    sheet.text("", *BODY).heading("2 Fees").text(*BODY)

    assert paths(sheet) == [("1 Scope",), ("2 Fees",)]


def test_numbered_paragraphs_are_no_headings():
    sheet = Sheet()
    sheet.heading("4 Duties").text(*BODY).heading("4.1 Members", size=12).text(*BODY)
    for number in (1, 2, 3):
        sheet.line(f"4.1.{number} The member keeps its records for ten years after the year in which", gap=8)
        sheet.text("they were made, and shows them to the scheme on request.")
    sheet.heading("4.2 Scheme", size=12).text(*BODY)

    assert paths(sheet) == [("4 Duties",), ("4 Duties", "4.1 Members"), ("4 Duties", "4.2 Scheme")]


def test_a_heading_in_body_type_is_believed_where_the_count_goes_on_with_it():
    sheet = Sheet()
    sheet.heading("4 Duties").text(*BODY).heading("4.1 Members", size=12).text(*BODY)
    sheet.line("4.1.1 Records", gap=8, leading=22).text(*BODY).line("4.1.2 Notices", gap=8, leading=22).text(*BODY)
    sheet.line("7.3.9 Annual report", gap=8, leading=22).text(*BODY)

    assert paths(sheet)[1:] == [
        ("4 Duties", "4.1 Members"),
        ("4 Duties", "4.1 Members", "4.1.1 Records"),
        ("4 Duties", "4.1 Members", "4.1.2 Notices"),
    ]


def test_a_heading_at_the_foot_of_a_page_heads_the_next_one():
    sheet = Sheet()
    sheet.heading("1 Scope").text(*BODY * 10).heading("2 Fees").page()
    sheet.text(*BODY * 10).heading("3 Refunds").text(*BODY)

    assert paths(sheet) == [("1 Scope",), ("2 Fees",), ("3 Refunds",)]


def test_headings_in_two_columns_are_read_column_by_column():
    sheet = Sheet()
    top = sheet.y
    words = (
        "Members pay the fee that is set out in",
        "the annex within thirty days, and the",
        "scheme may set off what it owes them.",
    )
    for x, titles in ((60, ("1 Scope", "2 Fees")), (320, ("3 Refunds", "4 Notices"))):
        sheet.y = top
        for title in titles:
            sheet.line(title, size=12, bold=True, x=x, gap=12, leading=18)
            for one in words * 3:
                sheet.line(one, x=x)

    assert paths(sheet) == [("1 Scope",), ("2 Fees",), ("3 Refunds",), ("4 Notices",)]


def test_an_annex_in_a_form_does_not_end_the_annex_that_it_is_printed_in():
    sheet = Sheet()
    titles = ("1 Scope", "2 Fees", "Appendix A Model plan", "Appendix B Terms", "Appendix C Sources")
    sheet.heading("Contents").text(*(f"{title} .................... 2" for title in titles)).page()
    sheet.heading("1 Scope").text(*BODY).heading("2 Fees").text(*BODY).heading("Appendix A Model plan").text(*BODY)
    sheet.heading("Appendix A Contacts", size=11).text(*BODY).heading("Appendix B Vendors", size=11).text(*BODY)
    sheet.heading("Appendix B Terms").text(*BODY).heading("Appendix C Sources").text(*BODY)

    assert paths(sheet)[2:] == [
        ("Appendix A Model plan",),
        ("Appendix A Model plan", "Appendix A Contacts"),
        ("Appendix A Model plan", "Appendix B Vendors"),
        ("Appendix B Terms",),
        ("Appendix C Sources",),
    ]


def line(text, k, size=10.0, bold=False):
    return Line(text, 1, (72.0, 700.0 - 14 * k, 72.0 + 5 * len(text), 710.0 - 14 * k), size, bold)


def test_the_outline_names_headings_that_no_type_sets_apart():
    lines = [line("Fees of members", 0), *(line(text, k + 1) for k, text in enumerate(BODY))]

    assert [s.title for s in find_sections(lines, (), ())] == []
    assert [s.title for s in find_sections(lines, (), (OutlineEntry("Fees of members", 1, 1),))] == ["Fees of members"]


def test_articles_in_running_text_are_found_by_an_unbroken_count():
    # The consolidated text of Regulation (EU) 2016/679 is offered as a PDF without a line break at any heading.
    text = "HAVE ADOPTED THIS REGULATION: " + " ".join(
        f"Article {n} Right of kind {n} 1. The data subject shall have the right in Article {n + 1} of this text."
        for n in range(1, 12)
    )
    words = text.split()
    lines = [line(" ".join(words[i : i + 12]), i // 12) for i in range(0, len(words), 12)]

    found = find_sections(lines, (), ())

    assert [s.title for s in found] == [f"Article {n} Right of kind {n}" for n in range(1, 12)]


TEXTS = st.sampled_from(
    ["1 Scope", "1.1 Members", "4.2.1 Fees", "Artikel 5", "§ 12", "Annex II", "PART I", "A.1 Terms", "Fees", *BODY]
) | st.text(max_size=40)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(TEXTS, st.sampled_from([8.0, 10.0, 10.0, 14.0, 18.0]), st.booleans()), max_size=40))
def test_sections_ascend_by_line_and_each_path_ends_in_its_title(entries):
    lines = [line(text, k, size, bold) for k, (text, size, bold) in enumerate(entries)]
    tables: tuple[Table, ...] = ()

    found = find_sections(lines, tables, ())

    assert [s.line for s in found] == sorted(s.line for s in found)
    for before, section in zip((None, *found), found, strict=False):
        assert section.path[-1] == section.title
        assert section.level == len(section.path)
        assert 0 <= section.line < len(lines)
        if before is not None:
            assert section.path[:-1] == before.path[: section.level - 1]


def test_a_footer_that_says_the_page_is_no_heading_though_it_is_printed_once():
    sheet = Sheet(title="Fee Rulebook")
    sheet.heading("APPENDIX C FORMS").text(*BODY * 4).at(72, 40, "APPENDIX C PAGE C-1", bold=True)

    assert paths(sheet) == [("APPENDIX C FORMS",)]


def test_a_list_of_sources_in_an_annex_is_no_list_of_sections():
    sheet = Sheet()
    sheet.heading("1 Scope").text(*BODY).heading("2 Fees").text(*BODY).heading("Appendix A Sources")
    for number, source in enumerate(("Act on Payments", "Act on Banks", "Fee Regulation", "Rules of the Court"), 1):
        sheet.line(f"{number}. {source}", size=12, gap=8)

    assert paths(sheet) == [("1 Scope",), ("2 Fees",), ("Appendix A Sources",)]


def test_a_section_that_is_numbered_by_letter_stands_below_the_annex_of_that_letter():
    sheet = Sheet()
    sheet.heading("1 Scope").text(*BODY).heading("Appendix A Forms").text(*BODY)
    sheet.heading("A.1 Order form", size=12).text(*BODY).heading("Appendix B Terms").text(*BODY)

    assert paths(sheet) == [
        ("1 Scope",),
        ("Appendix A Forms",),
        ("Appendix A Forms", "A.1 Order form"),
        ("Appendix B Terms",),
    ]


ENTRIES = st.sampled_from(
    ["Contents", "1 Scope .... 2", "1.1 Members .... 2", "Fees 3", "2 Fees", "Appendices", "Annex A .... A-1", "Scope"]
)


@settings(max_examples=150, deadline=None)
@given(st.lists(ENTRIES | TEXTS, max_size=40))
def test_a_contents_list_names_lines_of_the_body_only_and_each_heading_once(texts):
    lines = [line(text, k) for k, text in enumerate(texts)]
    contents = contents_lines(lines)
    body = frozenset(range(len(lines))) - contents

    named = listed(lines, contents, body)

    assert set(named) <= body
    for i, name in named.items():
        assert i <= name.last < len(lines)
        assert set(range(i, name.last + 1)) <= body
        assert name.level >= 1


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(TEXTS, st.sampled_from([10.0, 10.0, 14.0]), st.booleans()), max_size=40))
def test_what_the_document_bears_out_is_among_what_was_found_in_order(entries):
    lines = [line(text, k, size, bold) for k, (text, size, bold) in enumerate(entries)]
    printed = Printed(lines, (), ())
    found = [heading for i in range(len(lines)) if (heading := heading_at(printed, i))]

    kept = [h.line for h in believed(found, printed)]

    assert kept == [h.line for h in found if h.line in set(kept)]


def test_a_part_that_no_contents_list_names_is_the_title_and_swallows_no_chapter():
    sheet = Sheet()
    titles = ("1 Scope", "2 Fees", "3 Refunds", "4 Disputes", "5 Notices")
    sheet.heading("Contents").text(*(f"{title} ........................ 2" for title in titles)).page()
    sheet.text(*BODY * 3).page().heading("Part 3: Fees of members", size=18)
    for title in titles:
        sheet.heading(title).text(*BODY)

    assert paths(sheet) == [(title,) for title in titles]
