import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.index.store import Ranked
from pincite.retrieve.fusion import fuse

rankings = st.dictionaries(st.integers(0, 20), st.floats(0, 1), max_size=20).map(
    lambda scores: sorted((Ranked(i, s) for i, s in scores.items()), key=lambda one: (-one.score, one.id))
)


def order(nearest, matching, most):
    return [one.id for one in fuse(nearest, matching, most)]


NEAREST = [Ranked(1, 0.86), Ranked(2, 0.84), Ranked(3, 0.80)]


def test_a_question_in_the_documents_own_words_is_decided_by_words():
    assert order(NEAREST, [Ranked(9, 18.0), Ranked(1, 2.0)], 20.0) == [9, 1, 2, 3]


def test_words_in_common_by_chance_do_not_outweigh_meaning():
    assert order(NEAREST, [Ranked(9, 2.0)], 20.0)[0] == 1


def test_what_both_find_comes_before_what_one_finds():
    assert order(NEAREST, [Ranked(2, 8.0), Ranked(9, 8.0)], 20.0)[0] == 2


def test_a_question_without_words_is_ranked_by_meaning_alone():
    assert order(NEAREST, [], 0.0) == [1, 2, 3]


def test_nothing_found_by_meaning_leaves_the_order_of_words():
    assert order([], [Ranked(5, 3.0), Ranked(4, 1.0)], 10.0) == [5, 4]


@given(rankings, rankings, st.floats(0, 40))
def test_every_chunk_of_either_ranking_comes_once_best_first_and_no_score_is_negative(nearest, matching, most):
    fused = fuse(nearest, matching, most)

    wanted = {one.id for one in nearest} | ({one.id for one in matching} if most > 0 else set())
    assert sorted(one.id for one in fused) == sorted(wanted)
    assert [one.score for one in fused] == sorted((one.score for one in fused), reverse=True)
    assert all(one.score >= 0 for one in fused)


@given(rankings, st.floats(-0.5, 0.5))
def test_cosines_that_are_all_moved_alike_change_nothing(nearest, step):
    moved = [Ranked(one.id, one.score + step) for one in nearest]

    plain, shifted = fuse(nearest, [], 1.0), fuse(moved, [], 1.0)
    assert {one.id: one.score for one in shifted} == pytest.approx({one.id: one.score for one in plain}, abs=1e-9)
