from collections import Counter
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from pincite.retrieve.coherence import cohere, is_bare_heading
from pincite.types import Chunk, Passage, Revision

REVISION = Revision("fees", "fees.pdf", "3", "ab" * 32, "Fees", "en", "citable")


def passage(index, section, score):
    text = f"Clause {index}"
    return Passage(f"fees/{index}", REVISION, Chunk(index, section, "text", (1,), text, text), index + 1, score)


def test_three_passages_in_a_row_pass_a_stray_one_just_above_them():
    last, stray = passage(30, ("30 End",), 0.0), passage(9, ("9 Annex",), 0.104)
    row = [passage(i, ("4 Fees",), 0.100) for i in (1, 2, 3)]

    assert [p.chunk.index for p in cohere([stray, *row, last])] == [1, 2, 3, 9, 30]


def test_passages_that_do_not_touch_gain_nothing():
    stray = passage(9, ("9 Annex",), 0.104)
    apart = [passage(i, ("4 Fees",), 0.100) for i in (1, 3, 5)]

    assert cohere([stray, *apart])[0].id == stray.id


def test_a_far_better_passage_stays_first():
    best = passage(9, ("9 Annex",), 0.2)
    row = [passage(i, ("4 Fees",), 0.1) for i in (1, 2, 3)]

    assert cohere([best, *row])[0].id == best.id


def test_a_superseded_revision_stands_behind_the_current_one():
    old = replace(REVISION, sha256="cd" * 32, revision="2", standing="readable")
    superseded = replace(passage(1, ("4 Fees",), 0.11), revision=old)
    current, last = passage(2, ("4 Fees",), 0.10), passage(30, ("30 End",), 0.0)

    assert [p.revision.revision for p in cohere([superseded, current, last])][:2] == ["3", "2"]


@given(st.lists(st.tuples(st.sampled_from(["a", "b", "c"]), st.floats(0, 1)), max_size=30))
def test_nothing_is_lost_or_doubled_and_ranks_count_from_one(found):
    passages = [passage(i, (section,), score) for i, (section, score) in enumerate(found)]

    ordered = cohere(passages)

    assert Counter(p.id for p in ordered) == Counter(p.id for p in passages)
    assert [p.rank for p in ordered] == list(range(1, len(passages) + 1))


def test_a_contents_list_stands_behind_what_it_lists():
    lines = "\n".join(f"{k} A chapter about fees . . . . . . . . {k}" for k in range(1, 6))
    contents = replace(passage(0, (), 0.12), chunk=Chunk(0, (), "text", (1,), lines, lines))
    found = [contents, passage(5, ("3 Fees",), 0.1), passage(30, ("30 End",), 0.0)]

    assert [p.chunk.index for p in cohere(found)] == [5, 0, 30]


def test_a_heading_without_text_of_its_own_is_recognised():
    assert is_bare_heading(Chunk(0, ("3 Fees",), "text", (1,), "3 Fees", ""))
    assert not is_bare_heading(Chunk(0, ("3 Fees",), "text", (1,), "3 Fees\nA purchase costs 0.20 %.", ""))


def saying(index, text, score, revision=REVISION):
    return replace(
        passage(index, (f"{index}",), score), chunk=Chunk(index, (), "text", (1,), text, text), revision=revision
    )


SENTENCE = "This publication is available free of charge from the operator of the scheme and its members, page {}."


def test_what_two_revisions_say_alike_is_shown_once_before_all_else():
    other = replace(REVISION, sha256="cd" * 32, revision="2")
    found = [
        saying(1, SENTENCE.format(7), 0.9),
        saying(2, SENTENCE.format(7).replace("free of", "free  of"), 0.8, other),
        saying(3, "A purchase costs 0.20 % of the amount.", 0.1),
    ]

    assert [p.chunk.index for p in cohere(found)] == [1, 3, 2]


def test_passages_that_differ_in_a_figure_do_not_repeat_each_other():
    found = [saying(i, SENTENCE.format(i), score) for i, score in ((1, 0.9), (2, 0.8), (3, 0.1))]

    assert [p.chunk.index for p in cohere(found)] == [1, 2, 3]


def test_what_two_documents_or_two_places_say_is_said_twice():
    other = replace(REVISION, document="rules", sha256="cd" * 32)
    found = [
        saying(1, SENTENCE, 0.9),
        saying(5, SENTENCE, 0.85),
        saying(2, SENTENCE, 0.8, other),
        saying(3, "A purchase.", 0.1),
    ]

    assert [p.chunk.index for p in cohere(found)] == [1, 5, 2, 3]
