"""What changed between two revisions: the samples have two pairs of which the difference is known, word by word."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.corpus.ingest import inspect_pdf
from pincite.index.alignment import align, best_first, in_order
from pincite.index.content import Content, SectionText, Sentence, content_of
from pincite.index.difference import compare_contents, compare_releases
from pincite.show_difference import release_difference
from pincite.types import Cell, Line, Note, Release, Revision, Table

PDF = Path(__file__).parents[2] / "samples" / "pdf"


@cache
def parsed(name):
    return inspect_pdf(PDF / f"{name}.pdf")


@cache
def content(name):
    return content_of(parsed(name))


def fees(n):
    return content(f"farrowmere-fees-rev{n}")


def kinds(found):
    return {change.now.path[-1] if change.now.path else "": change.kinds for change in found.sections}


def texts(found):
    return [(change.was, change.now) for section in found.sections for change in section.text]


def with_cell(document, old, new):
    """The document with the text of the one cell that begins with ``old`` replaced."""
    (at,) = [
        (t, c) for t, table in enumerate(document.tables) for c, cell in enumerate(table.cells) if cell.text == old
    ]
    tables = list(document.tables)
    cells = list(tables[at[0]].cells)
    cells[at[1]] = replace(cells[at[1]], text=new)
    tables[at[0]] = replace(tables[at[0]], cells=tuple(cells))
    return replace(document, tables=tuple(tables))


# ---------------------------------------------------------------- real revisions


@pytest.mark.parametrize(
    "name", ["farrowmere-fees-rev3", "farrowmere-messages-rev7", "CRN-32-3-rev3", "NIST.SP.800-63b", "CRN-45-2-rev1"]
)
def test_nothing_changed_between_a_revision_and_itself(name):
    assert compare_contents(content(name), content(name)).is_empty


def test_the_new_revision_of_the_fees_has_one_section_and_one_fee_more():
    found = compare_contents(fees(2), fees(3))

    assert [section.path[-1] for section in found.added] == ["4.4 Repeated orders by appliances"]
    assert "€ 0.03" in found.added[0].text
    assert found.removed == ()
    (cell,) = [cell for table in found.tables.changed for cell in table.cells]
    assert (cell.row, cell.column) == ("Cross-border › Purchase", "Fee by card › Consumer")
    assert (cell.was, cell.now, cell.page_now) == ("0.40 %", "0.35 %", 6)
    (row,) = [row.cells for table in found.tables.changed for row in table.rows_added]
    assert row[:2] == ("3", "1 July 2026")
    assert kinds(found) == {"": ("changed",)}  # the cover, and what stands at the foot of the sheets before the first


def test_the_new_revision_of_a_data_sheet_changes_one_value_in_two_tables():
    found = compare_contents(content("CRN-32-3-rev2"), content("CRN-32-3-rev3"))

    cells = [(c.column, c.was, c.now) for table in found.tables.changed for c in table.cells]
    assert cells == [("NPSH [m]", "4.2¹)", "3.9¹)"), ("NPSH [m]", "4.2", "3.9")]
    ((was, now),) = texts(found)
    assert "6 April 2021" in was and "15 September 2025" in now


def test_words_that_went_and_came_are_marked_inside_their_sentence():
    (section,) = compare_contents(content("CRN-32-3-rev2"), content("CRN-32-3-rev3")).sections

    words = section.text[0].words
    assert ("removed", "6 April 2021") in words and ("added", "15 September 2025") in words
    assert " ".join(text for kind, text in words if kind != "removed") == section.text[0].now


# ---------------------------------------------------------------- properties


PAIRS = [("farrowmere-fees-rev2", "farrowmere-fees-rev3"), ("CRN-32-3-rev2", "CRN-32-3-rev3"), ("CRN-45-2-rev1",) * 2]


@pytest.mark.parametrize(("one", "two"), [*PAIRS, ("farrowmere-fees-rev3", "farrowmere-messages-rev7")])
def test_the_other_way_round_what_came_has_gone(one, two):
    there, back = compare_contents(content(one), content(two)), compare_contents(content(two), content(one))

    def loose(sections):
        return {(section.path, section.text) for section in sections}

    def rows(found, what):
        return Counter(row.cells for table in found.tables.changed for row in getattr(table, what))

    assert loose(there.added) == loose(back.removed)
    assert loose(there.removed) == loose(back.added)
    assert rows(there, "rows_added") == rows(back, "rows_removed")
    assert set(there.tables.added) == set(back.tables.removed)
    assert Counter((c.was, c.now) for t in there.tables.changed for c in t.cells) == Counter(
        (c.now, c.was) for t in back.tables.changed for c in t.cells
    )


@pytest.mark.parametrize("name", ["farrowmere-fees-rev3", "farrowmere-messages-rev7", "CRN-45-2-rev1"])
@given(seed=st.integers(0, 10_000))
@settings(max_examples=25, deadline=None)
def test_one_edited_cell_of_a_real_table_is_the_one_difference(name, seed):
    document = parsed(name)
    draw = random.Random(seed)
    t = draw.randrange(len(document.tables))
    cells = [k for k, cell in enumerate(document.tables[t].cells) if cell.text and not cell.header]
    k = draw.choice(cells)
    edited = list(document.tables[t].cells)
    edited[k] = replace(edited[k], text="99.75 %")
    tables = list(document.tables)
    tables[t] = replace(tables[t], cells=tuple(edited))

    found = compare_contents(content(name), content_of(replace(document, tables=tuple(tables))))

    assert (found.added, found.removed, found.sections, found.tables.added, found.tables.removed) == ((),) * 5
    (change,) = found.tables.changed
    assert [(c.was, c.now) for c in change.cells] == [(" ".join(document.tables[t].cells[k].text.split()), "99.75 %")]
    assert (change.rows_added, change.rows_removed, change.columns_added, change.columns_removed) == ((),) * 4


@pytest.mark.parametrize("name", ["farrowmere-fees-rev3", "farrowmere-messages-rev7", "NIST.SP.800-63b"])
@given(seed=st.integers(0, 10_000))
@settings(max_examples=25, deadline=None)
def test_a_section_that_moves_among_its_neighbours_is_moved_and_nothing_else(name, seed):
    whole = content(name)
    draw = random.Random(seed)
    leaves = [
        k for k, s in enumerate(whole.sections) if s.path and _is_leaf(whole, k) and len(_family(whole, s.path)) > 2
    ]
    k = draw.choice(leaves)
    moved = whole.sections[k]
    home = [i for i in _family(whole, moved.path) if i != k]
    others = [s for i, s in enumerate(whole.sections) if i != k]
    target = draw.choice(home)
    at = others.index(whole.sections[target])

    found = compare_contents(whole, Content((*others[:at], moved, *others[at:]), whole.tables))

    assert (found.added, found.removed, texts(found)) == ((), (), [])
    assert {kind for change in found.sections for kind in change.kinds} <= {"moved"}
    assert len(found.sections) <= 1  # none when it was put back where it was


def _family(whole, path):
    """Leaf sections that stand directly below the same one."""
    return [i for i, s in enumerate(whole.sections) if s.path and s.path[:-1] == path[:-1] and _is_leaf(whole, i)]


def _is_leaf(whole, k):
    path = whole.sections[k].path
    return not any(s.path[: len(path)] == path for i, s in enumerate(whole.sections) if i != k)


# ---------------------------------------------------------------- sections


def section(*path, text="", page=1):
    return SectionText(path, page, tuple(Sentence(t, page) for t in text.split("|") if t))


LIABILITY = section("5 Liability", text="The Issuer bears the loss.|It pays within 60 days.")
REFUNDS = section("4 Fees", "4.1 Refunds", text="A refund costs nothing.|It is made in the currency of the payment.")
FEES = section("4 Fees", text="Fees are due on the first day of the month.")


def compared(was, now):
    return compare_contents(Content(tuple(was), ()), Content(tuple(now), ()))


def test_a_section_that_moves_below_another_one_is_moved_and_takes_its_subsections_along():
    inner = section("4 Fees", "4.1 Refunds", "Chargebacks", text="A chargeback costs € 15.")
    below = [replace(s, path=("5 Liability", *s.path[1:])) for s in (REFUNDS, inner)]

    found = compared([FEES, REFUNDS, inner, LIABILITY], [FEES, LIABILITY, *below])

    assert (found.added, found.removed) == ((), ())
    assert kinds(found) == {"4.1 Refunds": ("moved",)}


def test_another_number_is_no_other_name_and_an_inserted_section_moves_none():
    new = section("4 Fees", "4.1 Repeated orders", text="An order that is repeated costs € 0.03.")
    later = replace(REFUNDS, path=("4 Fees", "4.2 Refunds"))

    found = compared([FEES, REFUNDS, LIABILITY], [FEES, new, later, LIABILITY])

    assert [s.path[-1] for s in found.added] == ["4.1 Repeated orders"]
    assert kinds(found) == {"4.2 Refunds": ("renumbered",)}


def test_another_name_with_the_same_text_is_a_new_name_also_when_a_sentence_was_edited():
    called = section("5 Who pays", text="The Issuer bears the whole loss.|It pays within 60 days.")

    found = compared([FEES, LIABILITY], [FEES, called])

    assert kinds(found) == {"5 Who pays": ("renamed", "changed")}
    assert texts(found) == [("The Issuer bears the loss.", "The Issuer bears the whole loss.")]


def test_a_heading_that_only_one_revision_sets_as_one_is_no_news():
    read_as_text = section("4 Fees", text="Fees are due on the first day of the month.|Refunds|A refund costs nothing.")
    read_as_heading = section("4 Fees", "Refunds", text="A refund costs nothing.")

    assert compared([FEES, read_as_heading], [read_as_text]).is_empty


def test_a_sentence_that_is_parted_elsewhere_only_has_not_changed():
    one = section("4 Fees", text="Basic requirements 3.1 Limit access.|Access ends at noon.")
    two = section("4 Fees", text="Basic requirements|3.1 Limit access.|Access ends at night.")

    assert texts(compared([one], [two])) == [("Access ends at noon.", "Access ends at night.")]


def test_of_a_sentence_that_stood_twice_the_one_that_went_is_shown():
    twice = section("4 Fees", text="No fee is due.|Fees are due monthly.|No fee is due.")
    once = section("4 Fees", text="No fee is due.|Fees are due monthly.")

    assert texts(compared([twice], [once])) == [("No fee is due.", "")]


def test_line_ends_page_ends_and_the_marks_of_notes_are_no_part_of_the_text():
    def lines(*said):
        return tuple(Line(text, 1 + n // 2, (50, 700 - 14 * n, 300, 710 - 14 * n), 10) for n, text in enumerate(said))

    document = parsed("CRN-45-2-rev1")
    bare = replace(document, sections=(), tables=(), figures=(), notes=(), lines=())
    note = Line("¹ Without tax.", 1, (50, 50, 300, 58), 8)
    one = replace(
        bare, lines=lines("A fee¹ of two euro is due on", "the first day."), notes=(Note("1", (note,), 0, 5),)
    )
    other = replace(note, text="² Without tax.")
    two = replace(
        bare, lines=lines("A fee² of two", "euro is due", "on the first day."), notes=(Note("2", (other,), 0, 5),)
    )

    assert compare_contents(content_of(one), content_of(two)).is_empty
    assert [s.text for s in content_of(one).sections[0].sentences] == [
        "A fee of two euro is due on the first day.",
        "Without tax.",
    ]


# ---------------------------------------------------------------- tables


def grid(*rows, page=1, caption="Table 1 Fees", continues=None, header=True):
    cells = [
        Cell(r, r, c, c, text, header=header and r == 0) for r, row in enumerate(rows) for c, text in enumerate(row)
    ]
    return Table(page, (0, 0, 100, 100), tuple(cells), caption=caption, continues=continues)


HEAD = ("Payment", "Card", "Phone")
ROWS = (("Purchase", "0.20 %", "0.30 %"), ("Refund", "0.05 %", "0.05 %"), ("Cash", "€ 0.65", "€ 0.45"))


def tables(*tables):
    document = replace(parsed("CRN-45-2-rev1"), sections=(), lines=(), figures=(), notes=(), tables=tables)
    return content_of(document)


def changed(was, now):
    found = compare_contents(was, now).tables
    assert (found.added, found.removed) == ((), ())
    (change,) = found.changed
    return change


def test_a_row_and_a_column_that_came_are_no_edited_cells():
    wider = grid((*HEAD, "Watch"), *((*row, "0.10 %") for row in ROWS), ("Top-up", "€ 1", "€ 1", "€ 2"))

    change = changed(tables(grid(HEAD, *ROWS)), tables(wider))

    assert change.columns_added == ("Watch",)
    assert [row.cells[0] for row in change.rows_added] == ["Top-up"]
    assert (change.cells, change.rows_removed, change.columns_removed) == ((), (), ())


def test_a_column_that_went_leaves_the_others_as_they_were():
    change = changed(tables(grid(HEAD, *ROWS)), tables(grid((HEAD[0], HEAD[2]), *((r[0], r[2]) for r in ROWS))))

    assert change.columns_removed == ("Card",)
    assert (change.cells, change.columns_renamed) == ((), ())


def test_a_row_that_moves_is_moved_and_a_renamed_column_renamed():
    change = changed(tables(grid(HEAD, *ROWS)), tables(grid(("Payment", "Plastic", "Phone"), ROWS[2], *ROWS[:2])))

    assert change.rows_moved == 1
    assert change.columns_renamed == (("Card", "Plastic"),)
    assert (change.cells, change.rows_added, change.rows_removed) == ((), (), ())


def test_another_value_in_a_merged_cell_is_one_change():
    document = parsed("farrowmere-fees-rev3")
    (old,) = {c.text for t in document.tables for c in t.cells if c.text.startswith("0.05 %") and c.r1 > c.r0}

    found = compare_contents(content_of(document), content_of(with_cell(document, old, "0.06 %")))

    (cell,) = [cell for table in found.tables.changed for cell in table.cells]
    assert (cell.was, cell.now) == (" ".join(old.split()), "0.06 %")


def test_where_a_page_break_parts_a_table_is_no_change_but_an_edited_row_in_it_is():
    whole = grid(HEAD, *ROWS)
    rest = grid(("Refund", "0.05 %", "0.05 %"), ("Cash", "€ 0.75", "€ 0.45"), page=2, continues=0, header=False)
    apart = replace(rest, continues=None, caption="Table 2 Fees, second part")
    first = grid(HEAD, ROWS[0])

    joined = changed(tables(whole), tables(first, rest))
    parted = compare_contents(tables(whole), tables(first, apart)).tables

    assert [(c.row, c.column, c.was, c.now) for c in joined.cells] == [("Cash", "Card", "€ 0.65", "€ 0.75")]
    assert (joined.rows_added, joined.rows_removed) == ((), ())
    assert [(c.was, c.now) for change in parted.changed for c in change.cells] == [("€ 0.65", "€ 0.75")]
    assert (parted.added, parted.removed) == ((), ())


# ---------------------------------------------------------------- releases


def revision(document, n, sha="ab", standing="citable", language="en"):
    return Revision(document, f"{document}-rev{n}.pdf", str(n), sha * 32, document.title(), language, standing)


def release(id_, *revisions):
    return Release(id_, "2026-12-01T00:00:00+00:00", "m", "p", 200, revisions, (), 3)


def unread(_):
    raise AssertionError("what has the same bytes is not read")


def test_documents_that_came_went_and_lost_their_standing_are_told_without_reading_any():
    was = release("r1", revision("fees", 2), revision("old", 1), revision("messages", 7))
    now = release("r2", revision("fees", 2), revision("new", 1), revision("messages", 7, standing="readable"))

    found = compare_releases(was, now, unread)

    assert [d.document for d in found.added] == ["new"]
    assert [d.document for d in found.dropped] == ["old"]
    assert [(c.was.standing, c.now.standing, c.content) for c in found.changed] == [("citable", "readable", None)]
    assert found.unchanged == 1
    assert "citable → readable" in release_difference(found)


def test_a_release_and_itself_are_the_same():
    same = release("r1", revision("fees", 2), revision("fees", 1, sha="cd", standing="readable"))

    assert compare_releases(same, same, unread).is_empty


def test_the_citable_revisions_of_two_releases_are_compared_and_a_translation_is_another_document():
    dutch = revision("fees", 3, sha="ef", language="nl")
    was = release("r1", revision("fees", 2), dutch)
    now = release("r2", revision("fees", 2, standing="readable"), revision("fees", 3, sha="cd"), dutch)
    asked = []

    found = compare_releases(was, now, lambda r: asked.append(r.revision) or fees(r.revision))

    assert asked == ["2", "3"]
    (change,) = found.changed
    assert change.content is not None and len(change.content.added) == 1
    assert "[-0.40 %-] {+0.35 %+}" in release_difference(found)


def test_a_revision_whose_file_is_gone_is_said_to_be_not_compared():
    was, now = release("r1", revision("fees", 2)), release("r2", revision("fees", 3, sha="cd"))

    found = compare_releases(was, now, lambda r: fees(3) if r.revision == "3" else "it was withdrawn")

    assert found.changed[0].content is None
    assert "not compared: it was withdrawn" in release_difference(found)


# ---------------------------------------------------------------- alignment


@given(st.lists(st.integers(0, 5), max_size=8), st.lists(st.integers(0, 5), max_size=8))
def test_pairs_are_in_order_and_leave_nothing_out(was, now):
    pairs = align(len(was), len(now), lambda i, j: float(was[i] == now[j]))

    assert [i for i, _ in pairs if i is not None] == list(range(len(was)))
    assert [j for _, j in pairs if j is not None] == list(range(len(now)))
    assert all(was[i] == now[j] for i, j in pairs if i is not None and j is not None)


@given(st.lists(st.integers(0, 50), unique=True, max_size=30))
def test_what_stayed_ascends_and_nothing_more_could_be_put_between(places):
    kept = sorted(in_order(places))

    assert all(places[a] < places[b] for a, b in pairwise(kept))
    for k in set(range(len(places))) - set(kept):
        longer = [places[i] for i in sorted([*kept, k])]
        assert longer != sorted(longer)


def test_of_two_claims_on_the_same_the_likelier_wins():
    assert best_first([(0.5, 0, 0), (0.9, 0, 1), (0.4, 1, 1)]) == [(0, 1)]
