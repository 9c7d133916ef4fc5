from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from pincite.retrieve.coherence import cohere
from pincite.types import Chunk, Passage, Revision

REVISION = Revision("fees", "fees.pdf", "3", "ab" * 32, "Fees", "en", "citable")


def passage(index, section, score):
    return Passage(f"fees/{index}", REVISION, Chunk(index, section, "text", (1,), "", ""), index + 1, score)


def test_a_section_found_three_times_passes_a_stray_passage_just_above_it():
    stray = passage(0, ("9 Annex",), 0.101)
    section = [passage(i, ("4 Fees",), 0.100) for i in (1, 2, 3)]

    assert [p.chunk.index for p in cohere([stray, *section])] == [1, 2, 3, 0]


def test_a_far_better_passage_stays_first():
    best = passage(0, ("9 Annex",), 0.2)
    section = [passage(i, ("4 Fees",), 0.1) for i in (1, 2, 3)]

    assert cohere([best, *section])[0].id == best.id


@given(st.lists(st.tuples(st.sampled_from(["a", "b", "c"]), st.floats(0, 1)), max_size=30))
def test_nothing_is_lost_or_doubled_and_ranks_count_from_one(found):
    passages = [passage(i, (section,), score) for i, (section, score) in enumerate(found)]

    ordered = cohere(passages)

    assert Counter(p.id for p in ordered) == Counter(p.id for p in passages)
    assert [p.rank for p in ordered] == list(range(1, len(passages) + 1))
