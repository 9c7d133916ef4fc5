from corpus_pages import Sheet, fees

from pincite.corpus.pdf import read_pdf
from pincite.corpus.sections import find_sections
from pincite.types import Cell, Line, Table

BODY = (
    "Members pay the fee that is set out in the annex within thirty days, and the",
    "scheme may set off what it owes them against what they owe the scheme.",
)


def read(sheet):
    return read_pdf(sheet.bytes(), "rulebook.pdf")


def paths(sheet):
    return [section.path for section in read(sheet).sections]


def titles(sheet):
    return [section.title for section in read(sheet).sections]


# ---------------------------------------------------------------- type that sets little apart


def test_lines_alone_in_italics_head_sections_below_the_numbered_ones():
    sheet = Sheet()
    sheet.heading("4 Fees").text(*BODY)
    for title in ("Domestic purchases", "Cross-border purchases", "Refunds of both"):
        sheet.line(title, italic=True, gap=10, leading=20).text(*BODY)
    sheet.heading("5 Notices").text(*BODY)

    assert paths(sheet) == [
        ("4 Fees",),
        ("4 Fees", "Domestic purchases"),
        ("4 Fees", "Cross-border purchases"),
        ("4 Fees", "Refunds of both"),
        ("5 Notices",),
    ]


def test_lines_alone_in_a_colour_of_their_own_head_sections():
    sheet = Sheet()
    for title in ("Domestic purchases", "Cross-border purchases", "Refunds of both"):
        sheet.line(title, colour=0x0D4B62, gap=10, leading=20).text(*BODY)

    assert titles(sheet) == ["Domestic purchases", "Cross-border purchases", "Refunds of both"]


def test_italics_that_also_run_through_paragraphs_head_nothing():
    sheet = Sheet()
    sheet.heading("4 Fees").text(*BODY)
    for title in ("Domestic purchases", "Cross-border purchases", "Refunds of both"):
        sheet.line(title, italic=True, gap=10, leading=20).text(*BODY)
        for words in BODY * 2:
            sheet.line(words, italic=True)

    assert titles(sheet) == ["4 Fees"]


def test_one_line_in_italics_is_no_heading():
    sheet = Sheet()
    sheet.heading("4 Fees").text(*BODY).line("Rules of the Court", italic=True, gap=10, leading=20).text(*BODY)

    assert titles(sheet) == ["4 Fees"]


def test_web_addresses_in_the_colour_of_links_are_no_headings():
    sheet = Sheet()
    for k in range(4):
        sheet.text(*BODY).line(f"https://scheme.example/fees/{k}", colour=0x1A4480, gap=8, leading=20)

    assert titles(sheet) == []


def test_bold_lines_that_end_with_a_full_stop_are_headings_where_several_do():
    sheet = Sheet()
    sheet.heading("4 Fees").text(*BODY)
    for title in ("Domestic purchases.", "Cross-border purchases.", "Refunds of both."):
        sheet.line(title, bold=True, gap=10, leading=20).text(*BODY)

    assert titles(sheet) == ["4 Fees", "Domestic purchases.", "Cross-border purchases.", "Refunds of both."]


def test_a_heading_that_stands_close_to_the_text_is_one_like_those_that_look_like_it():
    sheet = Sheet()
    for gap, title in ((10, "Domestic purchases"), (2, "Cross-border purchases"), (10, "Refunds of both")):
        sheet.line(title, bold=True, gap=gap).text(*BODY)

    assert titles(sheet) == ["Domestic purchases", "Cross-border purchases", "Refunds of both"]


def test_the_word_before_a_remark_heads_no_section():
    sheet = Sheet()
    for title in ("Domestic purchases", "Note", "Refunds of both", "Opmerking", "Hinweis:"):
        sheet.line(title, bold=True, gap=10).text(*BODY)

    assert titles(sheet) == ["Domestic purchases", "Refunds of both"]


# ---------------------------------------------------------------- numbers


def test_numbers_on_lines_of_their_own_each_take_the_title_below():
    sheet = Sheet()
    for text in ("1", "SCOPE", "1.1", "MEMBERS"):
        sheet.line(text, bold=True, leading=17)
    sheet.text(*BODY * 2)
    for text in ("1.2", "OTHERS"):
        sheet.line(text, bold=True, gap=6, leading=17)
    sheet.text(*BODY * 2)

    assert paths(sheet) == [("1 SCOPE",), ("1 SCOPE", "1.1 MEMBERS"), ("1 SCOPE", "1.2 OTHERS")]


def test_the_parts_of_an_annex_stand_below_it():
    sheet = Sheet()
    sheet.heading("Artikel 1 Begrippen").text(*BODY).heading("Bijlage 1 Tarieven").text(*BODY)
    sheet.heading("Deel I Aankopen").text(*BODY).heading("Deel II Terugbetalingen").text(*BODY)
    sheet.heading("Bijlage 2 Formulieren").text(*BODY).heading("Deel I Aanmelding").text(*BODY)

    assert paths(sheet) == [
        ("Artikel 1 Begrippen",),
        ("Bijlage 1 Tarieven",),
        ("Bijlage 1 Tarieven", "Deel I Aankopen"),
        ("Bijlage 1 Tarieven", "Deel II Terugbetalingen"),
        ("Bijlage 2 Formulieren",),
        ("Bijlage 2 Formulieren", "Deel I Aanmelding"),
    ]


def test_a_part_that_goes_on_with_the_parts_of_the_document_ends_the_annex():
    sheet = Sheet()
    sheet.heading("Part I General").text(*BODY).heading("Annex A Fees").text(*BODY)
    sheet.heading("Part II Special").text(*BODY)

    assert paths(sheet) == [("Part I General",), ("Annex A Fees",), ("Part II Special",)]


def test_a_form_in_an_annex_has_a_numbering_and_appendices_of_its_own_below_its_section():
    named = (
        "1 Scope",
        "2 Fees",
        "Appendix A Model plans",
        "A.1 Small members",
        "A.2 Large members",
        "Appendix B Ends",
    )
    sheet = Sheet()
    sheet.heading("Contents")
    sheet.text(*(f"{title} ................ {page}" for title, page in zip(named, (2, 2, 2, 2, 3, 4), strict=True)))
    sheet.page()
    sheet.heading("1 Scope").text(*BODY).heading("2 Fees").text(*BODY).heading("Appendix A Model plans").text(*BODY)
    for section in ("A.1 Small members", "A.2 Large members"):
        sheet.heading(section, size=12).text(*BODY)
        sheet.heading("1.1 Purpose", size=11).text(*BODY).heading("1.2 Roles", size=11).text(*BODY)
        sheet.heading("APPENDIX A CONTACTS", size=11).text(*BODY).page()
    sheet.heading("Appendix B Ends").text(*BODY)

    annex = "Appendix A Model plans"
    assert paths(sheet)[2:] == [
        (annex,),
        *(
            (annex, *path)
            for section in ("A.1 Small members", "A.2 Large members")
            for path in (
                (section,),
                (section, "1.1 Purpose"),
                (section, "1.2 Roles"),
                (section, "APPENDIX A CONTACTS"),
            )
        ),
        ("Appendix B Ends",),
    ]


# ---------------------------------------------------------------- captions, tables, margins, sheets


def test_the_second_line_of_a_caption_is_no_heading():
    sheet = Sheet()
    sheet.heading("4 Fees").text(*BODY)
    sheet.line("TABLE 6", bold=True, size=11, gap=10, leading=13)
    sheet.line("Fees by Channel and Region", bold=True, size=11, leading=20).text(*BODY)

    assert titles(sheet) == ["4 Fees"]


def test_an_exhibit_inside_a_page_is_a_caption_and_one_that_begins_a_page_an_annex():
    sheet = Sheet()
    sheet.heading("4 Fees").text(*BODY).line("Exhibit 2. Fees by Channel", bold=True, size=12, gap=10, leading=20)
    sheet.text(*BODY * 2).page().heading("Exhibit 3 Form of Notice").text(*BODY * 2)

    assert titles(sheet) == ["4 Fees", "Exhibit 3 Form of Notice"]


def test_a_heading_about_tables_is_no_caption():
    sheet = Sheet()
    sheet.heading("Tables and figures").text(*BODY).heading("Figures of merit").text(*BODY)

    assert titles(sheet) == ["Tables and figures", "Figures of merit"]


def place(text, y, size=9.0, x=72.0):
    return Line(text, 1, (x, y, x + 5 * len(text), y + size), size)


def test_larger_type_alone_in_its_row_of_a_table_is_a_heading():
    rows = [("Purchase in a shop", "0.20"), ("Refund of a purchase", "0.05"), ("Annual fee of members", "12.00")]
    lines, cells = [place("1.1 Domestic", 700, size=12.0)], [Cell(0, 0, 0, 1, "1.1 Domestic")]
    for r, (name, fee) in enumerate(rows, 1):
        lines += [place(name, 700 - 20 * r), place(fee, 700 - 20 * r, x=300.0)]
        cells += [Cell(r, r, 0, 0, name), Cell(r, r, 1, 1, fee)]
    lines += [place("1.2 Cross-border", 620, size=12.0), place("Purchase", 600), place("0.35", 600, x=300.0)]
    table = Table(1, (70.0, 590.0, 500.0, 720.0), tuple(cells))

    assert [s.title for s in find_sections(lines, (table,))] == ["1.1 Domestic", "1.2 Cross-border"]


def test_a_row_of_a_table_in_its_own_type_is_no_heading():
    sheet = Sheet()
    sheet.heading("4 Fees").text(*BODY)
    fees(sheet, top=600)
    sheet.text(*BODY)

    assert titles(sheet) == ["4 Fees"]


def test_a_heading_in_the_margin_is_read_before_the_text_that_stands_beside_it():
    sheet = Sheet()
    wording = ("Members pay the fee that is set out in", "the annex within thirty days, and the")
    for first, second in (("Fees and", "charges"), ("Notices to", "members")):
        sheet.y -= 14
        sheet.at(40, sheet.y, first, size=12, bold=True).at(40, sheet.y - 16, second, size=12, bold=True)
        for words in wording * 3:
            sheet.line(words, x=180)

    document = read(sheet)

    assert [s.title for s in document.sections] == ["Fees and charges", "Notices to members"]
    assert [line.text for line in document.lines][:4] == ["Fees and", "charges", *wording]


def test_terms_that_stand_before_what_they_mean_stay_on_its_line():
    sheet = Sheet()
    sheet.heading("Terms").text(*BODY)
    for term in ("Issuer", "Acquirer", "Scheme", "Member", "Fee"):
        sheet.at(72, sheet.y, term, bold=True).line("is whoever the rules of the scheme call so.", x=160)

    assert [line.text for line in read(sheet).lines if line.text.startswith("Issuer")] == [
        "Issuer is whoever the rules of the scheme call so."
    ]


def test_a_title_that_is_repeated_in_large_type_over_its_sheets_is_a_heading_where_it_is_first_printed():
    sheet = Sheet()
    for title in ("Technical data", "Dimensions", "Accessories", "Installation"):
        for _ in range(3):
            sheet.at(72, sheet.size[1] - 60, title, size=18, bold=True)
            sheet.text(*BODY * 6).page()

    assert titles(sheet) == ["Technical data", "Dimensions", "Accessories", "Installation"]


def test_a_running_header_in_large_type_is_no_heading():
    sheet = Sheet()
    for page in range(1, 9):
        says = f"{page} Scheme rules" if page % 2 else "Scheme rules"
        sheet.at(72, sheet.size[1] - 60, says, size=18, bold=True)
        sheet.text(*BODY * 6).page()

    assert titles(sheet) == []


def test_a_sheet_of_addresses_in_small_print_does_not_make_all_other_type_large():
    sheet = Sheet()
    for title in ("Features", "Applications", "Limiting values"):
        sheet.line(title, bold=True, gap=10, leading=20).text(*BODY).page()
    for _ in range(60):
        sheet.line("Members of the scheme in all countries, with their address, " * 2, size=7, leading=9)

    assert titles(sheet) == ["Features", "Applications", "Limiting values"]


# ---------------------------------------------------------------- drawings, lists, sheets that go on


def test_a_heading_that_is_printed_again_where_its_section_goes_on_is_one_heading():
    sheet = Sheet()
    sheet.heading("Dimensions").text(*BODY * 4).page()
    sheet.heading("Dimensions (continued)").text(*BODY * 4).page()
    sheet.heading("Maximum ratings").text(*BODY * 4).page()
    sheet.heading("Maximum ratings").text(*BODY * 4)

    assert titles(sheet) == ["Dimensions", "Maximum ratings"]


def test_headings_of_one_wording_under_different_ones_stay():
    sheet = Sheet()
    sheet.line("Scheme Rulebook", size=24, bold=True, leading=40)
    for chapter in ("1 Issuers", "2 Acquirers"):
        sheet.heading(chapter, size=16).text(*BODY).heading("Registers", size=12).text(*BODY * 2).page()

    assert titles(sheet) == ["1 Issuers", "Registers", "2 Acquirers", "Registers"]


def test_values_and_axes_of_drawings_are_no_headings_though_their_type_is_large():
    sheet = Sheet()
    sheet.heading("Dimensions").text(*BODY * 3)
    for label in ("1.75 MAX A", "35 RD", "0.25 x 45 C", "Drain Current (A)", "Thermal Response [°C]", "SOT-23"):
        sheet.line(label, size=12, gap=16, leading=24).text(*BODY)

    assert titles(sheet) == ["Dimensions"]


def test_a_caption_with_its_number_at_the_end_is_no_heading():
    sheet = Sheet()
    sheet.heading("Setting the clock").text(*BODY)
    for caption in ("CLOCK REGISTERS Table 2", "BLOCK DIAGRAM Figure 1"):
        sheet.line(caption, bold=True, gap=14, leading=20).text(*BODY)

    assert titles(sheet) == ["Setting the clock"]


def test_steps_in_larger_type_than_the_small_print_are_no_chapters():
    sheet = Sheet()
    for _ in range(40):
        sheet.line("Members pay the fee that is set out in the annex within thirty days, and the scheme", size=8)
    sheet.page()
    for number in (1, 2, 3):
        sheet.line(f"{number}. Design your application so that the product is used within the ranges", gap=8)
        sheet.line("that the maker guarantees, in particular for voltage, heat and the mounting", leading=20)

    assert titles(sheet) == []
