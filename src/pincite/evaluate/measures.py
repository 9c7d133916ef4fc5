"""Measures of a ranking and their intervals: pure. Definitions as in docs/evaluation.md; ranks count from 1.

An empty set is an error, never 0: what was not measured was not bad.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

Z_95 = 1.959964
"""Standard normal quantile of a two-sided 95 % interval."""


@dataclass(frozen=True, slots=True)
class Measure:
    """A mean over questions with its 95 % interval."""

    value: float
    low: float
    high: float
    n: int


def rate(hits: int, n: int) -> Measure:
    """Return the share ``hits / n`` with Wilson's score interval (Wilson 1927), which is honest at 0 and at 1.

    >>> rate(0, 60)
    Measure(value=0.0, low=0.0, high=0.06017, n=60)
    """
    _require(n)
    p, z2 = hits / n, Z_95**2
    centre = (p + z2 / (2 * n)) / (1 + z2 / n)
    half = Z_95 * math.sqrt(p * (1 - p) / n + z2 / (4 * n * n)) / (1 + z2 / n)
    return Measure(p, round(max(centre - half, 0.0), 5), round(min(centre + half, 1.0), 5), n)


def mean(values: Sequence[float]) -> Measure:
    """Return the mean of values in 0..1 with the normal approximation of its interval, cut to 0..1."""
    n = len(values)
    _require(n)
    average = sum(values) / n
    spread = math.sqrt(sum((v - average) ** 2 for v in values) / (n - 1)) if n > 1 else 1.0
    half = Z_95 * spread / math.sqrt(n)
    return Measure(average, round(max(average - half, 0.0), 5), round(min(average + half, 1.0), 5), n)


def hit_rate(first_ranks: Sequence[int | None], k: int) -> Measure:
    """Share of questions with any gold passage in the first ``k``; a rank of None was not found."""
    return rate(sum(rank is not None and rank <= k for rank in first_ranks), len(first_ranks))


def mrr(first_ranks: Sequence[int | None]) -> Measure:
    """Mean over all questions of 1 / rank of the first gold passage, 0 when none is found (Voorhees 1999)."""
    return mean([0.0 if rank is None else 1 / rank for rank in first_ranks])


def recall(found: Sequence[tuple[int, int]]) -> Measure:
    """Mean share of all gold evidence that was found; pairs of (found, gold) with gold > 0 (TREC's recall)."""
    return mean([hits / gold for hits, gold in found])


def ndcg(gains: Sequence[float], ideal: int, k: int) -> float:
    """Return nDCG@k of one ranking with gain = grade, discount log2(rank + 1) (Järvelin & Kekäläinen 2002).

    Args:
        gains: gain at each rank, from rank 1.
        ideal: number of relevant items with gain 1 that exist; at least 1.

    >>> ndcg([0.0, 1.0], 1, 10) == 1 / math.log2(3)
    True
    """
    _require(ideal)
    reached = sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains[:k], 1))
    best = sum(1 / math.log2(rank + 1) for rank in range(1, min(ideal, k) + 1))
    return reached / best


def average_precision(gains: Sequence[float], relevant: int, k: int) -> float:
    """Return AP@k of one ranking: precision at each rank that gains, over all that is relevant (trec_eval's map_cut).

    >>> average_precision([0.0, 1.0], 1, 10)
    0.5
    """
    _require(relevant)
    found, total = 0, 0.0
    for rank, gain in enumerate(gains[:k], 1):
        if gain:
            found += 1
            total += found / rank
    return min(total / relevant, 1.0)


def _require(n: int) -> None:
    if n < 1:
        raise ValueError("no question to measure: an empty set has no value")
