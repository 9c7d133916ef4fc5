from collections import Counter
from dataclasses import replace
from itertools import pairwise

import pytest
from corpus_pages import Sheet, fees
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from pincite.corpus.chunks import cut, parts
from pincite.corpus.pdf import read_pdf
from pincite.corpus.tables import holds
from pincite.types import Cell, Figure, Line, Note, Page, ParsedDocument, Section, Table

SENTENCE = "Members pay the fee of the month within thirty days after its end."


def any_length(text):
    return True


def document(lines, sections=(), tables=(), title="Fee Rulebook"):
    last = max((line.page for line in lines), default=1)
    pages = tuple(Page(p, str(p), "text", 595, 842, 0, (0, 0, 595, 842)) for p in range(1, last + 1))
    return ParsedDocument(
        "f.pdf", "0" * 64, "test", title, "en", pages, tuple(lines), (), tuple(sections), tuple(tables)
    )


def printed(texts, *, page=1, leading=14.0):
    return [
        Line(text, page, (72.0, 760 - leading * k, 72.0 + 5 * len(text), 770 - leading * k), 10.0)
        for k, text in enumerate(texts)
    ]


def test_chunks_end_with_a_sentence_where_they_can():
    lines = printed([SENTENCE if k % 3 == 2 else SENTENCE[:-1] for k in range(50)])

    chunks = cut(document(lines), fits=any_length, size=700)

    assert len(chunks) > 3
    assert all(chunk.text.endswith(".") for chunk in chunks[:-1])
    assert all(len(chunk.text) <= 700 for chunk in chunks)


def test_a_list_stays_with_the_colon_that_introduces_it():
    filler = [SENTENCE] * 8
    listing = ["The fees are:", "(a) twenty cents in a shop;", "(b) thirty cents online;", "(c) nothing in a crisis."]
    lines = printed(filler + listing + filler)

    chunks = cut(document(lines), fits=any_length, size=620)

    assert any("\n".join(listing) in chunk.text for chunk in chunks)


def test_a_chunk_never_crosses_a_section():
    lines = printed(["1 Scope", SENTENCE, "2 Fees", SENTENCE])
    sections = [Section(("1 Scope",), "1 Scope", 1, 1, 0), Section(("2 Fees",), "2 Fees", 1, 1, 2)]

    chunks = cut(document(lines, sections), fits=any_length)

    assert [(chunk.section, chunk.text) for chunk in chunks] == [
        (("1 Scope",), f"1 Scope\n{SENTENCE}"),
        (("2 Fees",), f"2 Fees\n{SENTENCE}"),
    ]


def test_a_span_leads_from_each_line_to_its_page_and_box():
    lines = printed([SENTENCE] * 3) + printed(["On the next sheet."], page=2)

    (chunk,) = cut(document(lines), fits=any_length)

    assert chunk.pages == (1, 2)
    assert [chunk.text[s.start : s.end] for s in chunk.spans] == [line.text for line in lines]
    assert [(s.page, s.box) for s in chunk.spans] == [(line.page, line.box) for line in lines]


def test_prose_is_cut_smaller_until_title_path_and_text_fit_the_encoder():
    lines = printed([SENTENCE] * 60)
    sections = [Section(("4 Fees", "4.2 Cross-border"), "4.2 Cross-border", 2, 1, 0)]

    def fits(text):
        return len(text.split()) <= 90

    chunks = cut(document(lines, sections), fits=fits)

    assert all(fits(chunk.embedded_text) for chunk in chunks)
    assert all(chunk.embedded_text.startswith("Fee Rulebook\n4 Fees › 4.2 Cross-border\n") for chunk in chunks)
    assert "\n".join(chunk.text for chunk in chunks) == "\n".join(line.text for line in lines)


def test_a_line_longer_than_a_chunk_is_cut_between_words():
    lines = printed([" ".join(["fee"] * 2000)])

    chunks = cut(document(lines), fits=any_length, size=500)

    assert all(len(chunk.text) <= 500 for chunk in chunks)
    assert "".join(chunk.text for chunk in chunks) == lines[0].text


def fee_document():
    return read_pdf(fees(Sheet(title="Fee Rulebook").text("The fees are as follows.")).bytes(), "fees.pdf")


def test_a_table_is_one_chunk_with_its_rows_as_printed():
    chunks = cut(fee_document(), fits=any_length)

    assert [chunk.kind for chunk in chunks] == ["text", "table"]
    table = chunks[1]
    assert table.text.split("\n") == [
        "Transaction | Channel | Fee in % | ",
        "Domestic | Shop | 0.20 | 0.25",
        " | Online | 0.30 | 0.35",
        "Refund |  | 0.05 | 0.06",
    ]
    assert [table.text[s.start : s.end] for s in table.spans] == table.text.split("\n")


def test_search_sees_merged_cells_in_every_row_they_cover():
    table = cut(fee_document(), fits=any_length)[1]

    assert table.embedded_text.split("\n") == [
        "Fee Rulebook",
        "Transaction | Channel | Fee in % | Fee in %",
        "Domestic | Shop | 0.20 | 0.25",
        "Domestic | Online | 0.30 | 0.35",
        "Refund | Refund | 0.05 | 0.06",
    ]


def long_remark(rows=12):
    cells = [Cell(0, 0, 0, 0, "Fee", header=True), Cell(0, 0, 1, 1, "Remark", header=True)]
    cells += [Cell(r, r, 0, 0, f"Kind {r}") for r in range(1, rows + 1)]
    cells.append(Cell(1, rows, 1, 1, "remark " * 430))
    return Table(1, (0, 0, 600, 800), tuple(cells))


def test_a_long_remark_over_twelve_rows_is_embedded_once():
    table = long_remark()

    (chunk,) = cut(document(printed(["Fee"]), tables=[table]), fits=any_length)

    assert chunk.embedded_text.count("remark remark") == chunk.text.count("remark remark")
    assert len(chunk.embedded_text) < 3_500


def test_a_table_that_does_not_fit_is_embedded_in_parts_that_repeat_its_header():
    header = [Cell(0, 0, 0, 0, "Model", header=True), Cell(0, 0, 1, 1, "NPSH [m]", header=True)]
    cells = header + [c for r in range(1, 41) for c in (Cell(r, r, 0, 0, f"CRN {r}"), Cell(r, r, 1, 1, f"{r}.5"))]
    (chunk,) = cut(document(printed(["CRN"]), tables=[Table(1, (0, 0, 600, 800), tuple(cells))]), fits=any_length)

    def fits(text):
        return len(text) <= 200

    found = parts(chunk, fits)

    assert len(found) > 2
    assert all(fits(part) and part.startswith("Fee Rulebook\nModel | NPSH [m]\n") for part in found)
    rows = [row for part in found for row in part.split("\n")[2:]]
    assert rows == [f"CRN {r} | {r}.5" for r in range(1, 41)]


def test_a_row_that_alone_is_too_long_is_still_embedded_whole_over_parts():
    (chunk,) = cut(document(printed(["Fee"]), tables=[long_remark(1)]), fits=any_length)

    found = parts(chunk, lambda text: len(text) <= 300)

    assert all(len(part) <= 300 for part in found)
    assert "".join(found).count("remark") == chunk.embedded_text.count("remark")


def test_what_fits_is_embedded_in_one_part():
    chunk = cut(fee_document(), fits=any_length)[0]

    assert parts(chunk, any_length) == (chunk.embedded_text,)


def test_the_second_region_of_a_table_is_embedded_with_the_header_of_the_first():
    def table(page, first, continues, header):
        head = [Cell(0, 0, c, c, t, header=True) for c, t in enumerate(("Fee", "Shop"))] if header else []
        body = [Cell(len(head) // 2, len(head) // 2, c, c, t) for c, t in enumerate((first, "0.20"))]
        return Table(page, (0, 0, 600, 800), tuple(head + body), "Table 3: Fees", (), continues)

    tables = [table(1, "Purchase", None, True), replace(table(2, "Refund", 0, False), caption="")]
    chunks = cut(document(printed(["a"]) + printed(["b"], page=2), tables=tables), fits=any_length)

    assert chunks[1].embedded_text.split("\n") == ["Fee Rulebook", "Table 3: Fees", "Fee | Shop", "Refund | 0.20"]
    assert chunks[1].text == "Refund | 0.20"


WORDS = st.sampled_from(["fee", "Members", "pay.", "(a)", "•", "thirty", "days:", "4.2", "0,20 %", "a" * 60])


@st.composite
def documents(draw):
    lines = []
    for page in range(1, draw(st.integers(1, 3)) + 1):
        texts = draw(st.lists(st.lists(WORDS, min_size=1, max_size=30).map(" ".join), min_size=1, max_size=15))
        gap = draw(st.sampled_from([12.0, 14.0, 25.0]))
        lines += printed(texts, page=page, leading=gap)
    starts = sorted(draw(st.sets(st.integers(0, len(lines) - 1), max_size=4)))
    sections = [Section((f"S{k}",), f"S{k}", 1, lines[k].page, k) for k in starts]
    tables = []
    for page in draw(st.sets(st.integers(1, 3), max_size=2)):
        top = draw(st.integers(560, 770))
        cells = (Cell(0, 0, 0, 0, f"table {page}"), Cell(1, 1, 0, 0, "x"))
        tables.append(Table(page, (0, top - 60, 3000, top), cells))
    return document(lines, sections, sorted(tables, key=lambda t: t.page))


@settings(max_examples=200, deadline=None)
@given(documents(), st.integers(60, 900), st.integers(120, 900))
def test_chunks_put_back_in_order_give_every_line_and_every_table_once(doc, size, limit):
    def fits(text):
        return len(text) <= limit

    chunks = cut(doc, fits=fits, size=size)

    outside = [line for line in doc.lines if not any(holds(t, line) for t in doc.tables)]
    prose = [chunk for chunk in chunks if chunk.kind == "text"]
    assert "".join("".join(c.text.split()) for c in prose) == "".join("".join(line.text.split()) for line in outside)
    assert Counter(id(c.table) for c in chunks if c.table) == Counter(id(t) for t in doc.tables)
    assert [c.index for c in chunks] == list(range(len(chunks)))
    for chunk in chunks:
        assert chunk.pages == tuple(sorted({s.page for s in chunk.spans}))
        assert all(a.end < b.start for a, b in zip(chunk.spans, chunk.spans[1:], strict=False))
        assert "\n".join(chunk.text[s.start : s.end] for s in chunk.spans) == chunk.text
        if chunk.kind == "text":
            assert len(chunk.text) <= size
            assert fits(chunk.embedded_text)


@st.composite
def documents_with_notes_and_figures(draw):
    """Every line has words of its own, so that what is lost or doubled is seen."""
    count = draw(st.integers(1, 25))
    lines = []
    for k in range(count):
        words = draw(st.lists(WORDS, min_size=1, max_size=12))
        text = f"l{k} {' '.join(words)}" + draw(st.sampled_from(["", ".", "-", ":"]))
        lines.append(Line(text, 1 + k // 10, (72, 760 - 14 * (k % 10), 400, 770 - 14 * (k % 10)), 10.0))
    starts = sorted(draw(st.sets(st.integers(0, count - 1), max_size=4)))
    sections = [Section((lines[k].text,), lines[k].text, 1, lines[k].page, k) for k in starts]
    notes = []
    for n, k in enumerate(sorted(draw(st.lists(st.integers(0, count - 1), max_size=4)))):
        texts = [
            f"n{n}.{j} {' '.join(draw(st.lists(WORDS, min_size=1, max_size=9)))}"
            for j in range(draw(st.integers(1, 3)))
        ]
        notes.append(Note(str(n), tuple(Line(t, lines[k].page, (72, 60, 400, 70), 7.0) for t in texts), k, 0))
    figures = []
    for n, k in enumerate(sorted(draw(st.sets(st.integers(0, count), max_size=2)))):
        inside = tuple(Line(f"f{n}.{j} 40", 1, (80, 300, 90, 310), 7.0) for j in range(draw(st.integers(0, 3))))
        room = next((s for s in starts if s > k), count) - k
        caption = draw(st.integers(0, min(2, room)))
        figures.append(Figure(1, (72, 200, 400, 320), k, caption, inside))
    if len(figures) == 2 and figures[0].line + figures[0].caption_lines > figures[1].line:
        figures.pop()
    return replace(document(lines, sections), notes=tuple(notes), figures=tuple(figures))


def said(doc):
    """Every printed line of a document with the section that it stands in."""
    starts = {s.line: s.path for s in doc.sections}
    paths, path = [], ()
    for k in range(len(doc.lines)):
        path = starts.get(k, path)
        paths.append(path)
    out = [(paths[k], line.text) for k, line in enumerate(doc.lines)]
    out += [(paths[n.line], line.text) for n in doc.notes for line in n.lines]
    return out + [(paths[min(f.line, len(paths) - 1)], line.text) for f in doc.figures for line in f.lines]


@settings(max_examples=120, deadline=None)
@given(documents_with_notes_and_figures(), st.integers(60, 900), st.integers(120, 900))
def test_every_line_note_and_figure_is_in_one_chunk_of_its_section(doc, size, limit):
    chunks = cut(doc, fits=lambda text: len(text) <= limit, size=size)

    # Characters, not words: a word longer than a chunk is cut.
    wanted = Counter((path, letter) for path, text in said(doc) for letter in "".join(text.split()))
    assert Counter((c.section, letter) for c in chunks for letter in "".join(c.text.split())) == wanted
    assert [c.index for c in chunks] == list(range(len(chunks)))
    for chunk in chunks:
        assert "\n".join(chunk.text[s.start : s.end] for s in chunk.spans) == chunk.text
        if chunk.kind == "text":
            assert len(chunk.text) <= size
            assert len(chunk.embedded_text) <= limit


@settings(max_examples=100, deadline=None)
@given(documents_with_notes_and_figures(), st.integers(60, 900))
def test_the_chunks_of_a_section_in_order_give_its_lines_in_order(doc, size):
    doc = replace(doc, notes=(), figures=())

    chunks = cut(doc, fits=any_length, size=size)

    paths = dict.fromkeys(path for path, _ in said(doc))
    for path in paths:
        own = "".join(text for at, text in said(doc) if at == path)
        assert "".join("".join(c.text for c in chunks if c.section == path).split()) == "".join(own.split())


@settings(max_examples=100, deadline=None)
@given(documents_with_notes_and_figures(), st.integers(120, 900))
def test_no_chunk_is_a_heading_alone_where_text_follows(doc, size):
    chunks = cut(replace(doc, figures=(), notes=()), fits=any_length, size=size)

    for chunk, after in pairwise(chunks):
        alone = chunk.section and chunk.text == chunk.section[-1]
        assert not (alone and after.section == chunk.section and len(chunk.text) + 41 < size)


@settings(max_examples=100, deadline=None)
@given(documents(), st.integers(100, 400))
def test_the_parts_of_any_chunk_fit_and_hold_its_text(doc, limit):
    chunks = cut(doc, fits=any_length)
    assume(chunks)
    for chunk in chunks:
        found = parts(chunk, lambda text: len(text) <= limit)
        assert all(len(part) <= limit for part in found)
        for row in chunk.text.split("\n"):
            if len(row) < 40:
                assert any(row.strip() in part for part in found)


@pytest.mark.parametrize("size", [300, 2000])
def test_a_document_without_lines_or_tables_has_no_chunks(size):
    assert cut(document([]), fits=any_length, size=size) == ()
