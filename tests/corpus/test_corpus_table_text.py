from collections import Counter
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.answer.contexts import Grid, prepare
from pincite.corpus.chunks import cut
from pincite.corpus.table_text import LARGEST, for_search, in_parts, printed, with_header
from pincite.corpus.tables import header_rows, rows
from pincite.types import Cell, Line, Page, ParsedDocument, Table

PAGE = (0.0, 0.0, 600.0, 800.0)


def grid(*lines, header=1):
    """A table from lines "a | b"; each place its own cell."""
    cells = [
        Cell(r, r, c, c, text.strip(), (60.0 * c, 700.0 - 12 * r, 60.0 * c + 50, 710.0 - 12 * r), r < header)
        for r, line in enumerate(lines)
        for c, text in enumerate(line.split("|"))
    ]
    return Table(1, PAGE, tuple(cells))


def document(*tables):
    lines = tuple(Line(f"t{t.page}", t.page, (10, 400, 20, 410), 10.0) for t in tables)
    pages = tuple(Page(p, str(p), "text", 600, 800, 0, PAGE) for p in range(1, len(tables) + 1))
    return ParsedDocument("f.pdf", "0" * 64, "test", "Fees", "en", pages, lines, (), (), tuple(tables))


def any_length(text):
    return True


def test_nested_headers_are_one_line_of_names_for_search():
    cells = (
        Cell(0, 1, 0, 0, "Transaction", header=True),
        Cell(0, 0, 1, 2, "Fee in %", header=True),
        Cell(1, 1, 1, 1, "Shop", header=True),
        Cell(1, 1, 2, 2, "Online", header=True),
        Cell(2, 3, 0, 0, "Domestic"),
        Cell(2, 2, 1, 1, "0.20"),
        Cell(2, 2, 2, 2, "0.25"),
        Cell(3, 3, 1, 2, "0.05"),
    )

    assert for_search(Table(1, PAGE, cells)) == [
        "Transaction | Fee in % › Shop | Fee in % › Online",
        "Domestic | 0.20 | 0.25",
        "Domestic | 0.05 | 0.05",
    ]


def test_a_title_over_all_columns_is_said_once():
    table = grid("x | y | z", "Model | Q | H", "CRN 3 | 1 | 2", header=2)
    title = Cell(0, 0, 0, 2, "Performance at 1450 rpm", header=True)
    table = replace(table, cells=(title, *(c for c in table.cells if c.r0 > 0)))

    assert for_search(table) == ["Performance at 1450 rpm", "Model | Q | H", "CRN 3 | 1 | 2"]


def test_a_region_on_the_next_sheet_is_read_under_the_header_of_the_first():
    first = grid("Fee | Shop", "Purchase | 0.20 %")
    second = replace(grid("Refund | 0.05 %", header=0), page=2, continues=0)

    chunks = cut(document(first, second), fits=any_length)

    assert [c.text for c in chunks] == ["Fee | Shop\nPurchase | 0.20 %", "Refund | 0.05 %"]
    assert rows(chunks[1].table) == (("Fee", "Shop"), ("Refund", "0.05 %"))
    assert [c.text for c in chunks[1].table.cells if c.box is None] == ["Fee", "Shop"]
    part = prepare(chunks[1].table, "en").parts[0]
    assert isinstance(part, Grid)
    assert part.column_titles == ("Fee", "Shop")


def test_a_very_long_table_is_cut_between_rows_with_its_header_again():
    table = grid("Model | NPSH [m] | Remark", *(f"CRN {r} | {r}.5 | {'suits cold water ' * 5}" for r in range(1, 201)))

    chunks = cut(document(table), fits=any_length)

    assert len(chunks) > 2
    assert all(c.text.startswith("Model | NPSH [m] | Remark\n") and len(c.text) <= LARGEST for c in chunks)
    assert [line.split(" |")[0] for c in chunks for line in c.text.split("\n")[1:]] == [
        f"CRN {r}" for r in range(1, 201)
    ]
    assert "(continued)" not in chunks[0].embedded_text
    assert all("\n(continued)\n" in c.embedded_text for c in chunks[1:])


def test_a_table_is_not_cut_through_a_merged_cell_where_another_place_is_near():
    lines = [f"CRN {r} | {r}.5" for r in range(12)]
    table = grid("Model | NPSH", *lines)
    merged = Cell(5, 8, 0, 0, "CRN 4 to 7")
    table = replace(table, cells=(*(c for c in table.cells if not (c.c0 == 0 and 5 <= c.r0 <= 8)), merged))

    parts = list(in_parts(table, limit=70))

    assert sum(any(c.text == "CRN 4 to 7" for c in part.cells) for part in parts) == 1


def test_the_header_of_another_region_has_no_place_on_this_sheet():
    table = with_header(replace(grid("Refund | 0.05 %", header=0), page=2), grid("Fee | Shop", "Purchase | 0.20 %"))

    assert header_rows(table) == 1
    assert all(c.box is None for c in table.cells if c.header)


@st.composite
def tables(draw):
    height, width = draw(st.integers(1, 14)), draw(st.integers(1, 4))
    head = draw(st.integers(0, min(2, height - 1)))
    taken: set[tuple[int, int]] = set()
    cells = []
    for r in range(height):
        for c in range(width):
            if (r, c) in taken:
                continue
            tall = draw(st.integers(1, 3))
            end = min(r + tall - 1, head - 1 if r < head else height - 1)
            while any((k, c) in taken for k in range(r, end + 1)):
                end -= 1
            taken |= {(k, c) for k in range(r, end + 1)}
            cells.append(Cell(r, end, c, c, f"c{r}.{c} " * draw(st.integers(1, 6)), header=r < head))
    return Table(1, PAGE, tuple(cells))


@settings(max_examples=200, deadline=None)
@given(tables(), st.integers(20, 400))
def test_parts_of_a_table_hold_every_row_once_and_whole(table, limit):
    head = header_rows(table)

    parts = list(in_parts(table, limit))

    assert all(rows(part)[:head] == rows(table)[:head] for part in parts)
    assert [row for part in parts for row in rows(part)[head:]] == list(rows(table)[head:])


@settings(max_examples=100, deadline=None)
@given(tables())
def test_every_cell_is_printed_once(table):
    text, spans = printed(table)

    assert Counter(text.replace("|", " ").split()) == Counter(w for c in table.cells for w in c.text.split())
    assert [text[s.start : s.end] for s in spans] == text.split("\n")
