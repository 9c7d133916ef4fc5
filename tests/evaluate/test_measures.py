import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.evaluate.measures import hit_rate, mean, mrr, ndcg, rate, recall

ranks = st.lists(st.one_of(st.none(), st.integers(1, 30)), min_size=1)


def test_none_of_sixty_is_not_certainty():
    assert rate(0, 60).high == pytest.approx(0.060, abs=0.001)


def test_an_empty_set_has_no_value():
    for measure in (lambda: rate(0, 0), lambda: mean([]), lambda: mrr([]), lambda: ndcg([], 0, 10)):
        with pytest.raises(ValueError, match="no question"):
            measure()


def test_a_question_without_a_hit_counts_as_zero_in_the_reciprocal_rank():
    assert mrr([1, None, 4]).value == pytest.approx((1 + 0 + 0.25) / 3)


def test_recall_is_the_share_of_all_gold_evidence():
    assert recall([(1, 2), (2, 2)]).value == pytest.approx(0.75)


def test_the_discount_is_the_logarithm_of_rank_plus_one():
    assert ndcg([0, 1, 1], 2, 10) == pytest.approx((1 / math.log2(3) + 1 / 2) / (1 + 1 / math.log2(3)))


@given(ranks)
def test_looking_further_down_never_lowers_the_hit_rate(first_ranks):
    values = [hit_rate(first_ranks, k).value for k in range(1, 31)]

    assert values == sorted(values)
    assert all(
        0 <= hit_rate(first_ranks, k).low <= v <= hit_rate(first_ranks, k).high <= 1 for k, v in enumerate(values, 1)
    )


@given(st.lists(st.sampled_from([0.0, 1.0]), min_size=1, max_size=20))
def test_the_best_order_scores_one(gains):
    relevant = int(sum(gains))
    if relevant:
        assert ndcg(sorted(gains, reverse=True), relevant, 20) == pytest.approx(1)
        assert ndcg(gains, relevant, 20) <= 1 + 1e-9
