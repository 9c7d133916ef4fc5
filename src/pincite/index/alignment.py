"""Which parts of two sequences belong together, in order. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TypeAlias

Pair: TypeAlias = tuple[int | None, int | None]
"""Index before and index now; None where the other side has nothing for it."""

LARGEST = 60_000
"""Products of lengths up to which pairs are looked for: 245 rows against 245. Beyond, all of it is written anew."""


def align(was: int, now: int, score: Callable[[int, int], float]) -> list[Pair]:
    """Return the pairs of two sequences, in order and without crossing, that have the largest sum of scores.

    Args:
        was: length of the first sequence; ``now``: of the second.
        score: of a pair, 0 when it may not be one. Called for every pair unless there are more than ``LARGEST``; then
            there are no pairs.
    """
    if not was or not now or was * now > LARGEST:
        return [*((i, None) for i in range(was)), *((None, j) for j in range(now))]
    scores = [[score(i, j) for j in range(now)] for i in range(was)]
    best = [[0.0] * (now + 1) for _ in range(was + 1)]
    for i in range(was - 1, -1, -1):
        row, below = best[i], best[i + 1]
        for j in range(now - 1, -1, -1):
            paired = below[j + 1] + scores[i][j] if scores[i][j] > 0 else 0.0
            row[j] = max(below[j], row[j + 1], paired)
    pairs: list[Pair] = []
    i = j = 0
    while i < was and j < now:
        if scores[i][j] > 0 and best[i][j] == best[i + 1][j + 1] + scores[i][j]:
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            pairs.append((i, None))
            i += 1
        else:
            pairs.append((None, j))
            j += 1
    return [*pairs, *((k, None) for k in range(i, was)), *((None, k) for k in range(j, now))]


def overlap(one: Counter[str], other: Counter[str]) -> float:
    """Return the share of what two multisets have in common, 0 to 1 (Dice); 1 of two empty ones."""
    total = one.total() + other.total()
    return 2 * (one & other).total() / total if total else 1.0


def in_order(places: Sequence[int]) -> set[int]:
    """Return the indices of a longest part of ``places`` that ascends: what stayed, when something was moved.

    >>> sorted(in_order([0, 3, 1, 2]))
    [0, 2, 3]
    """
    ends: list[int] = []  # index of the least place that ends an ascending part of each length
    before: list[int | None] = []
    for k, place in enumerate(places):
        low, high = 0, len(ends)
        while low < high:
            middle = (low + high) // 2
            low, high = (middle + 1, high) if places[ends[middle]] < place else (low, middle)
        before.append(ends[low - 1] if low else None)
        ends[low : low + 1] = [k]
    kept: set[int] = set()
    k = ends[-1] if ends else None
    while k is not None:
        kept.add(k)
        k = before[k]
    return kept


def best_first(scored: Iterable[tuple[float, int, int]]) -> list[tuple[int, int]]:
    """Return pairs of which no two share an index, those with the largest scores first.

    Of equal scores the ones nearer to each other come first, which does not depend on which side is which.
    """
    taken: set[tuple[int, int]] = set()
    pairs: list[tuple[int, int]] = []
    for _, i, j in sorted(scored, key=lambda s: (-s[0], abs(s[1] - s[2]), s[1] + s[2])):
        if not taken & {(0, i), (1, j)}:
            taken |= {(0, i), (1, j)}
            pairs.append((i, j))
    return pairs


def only_once(keys: Sequence[Hashable]) -> dict[Hashable, int]:
    """Return the index of every key that comes once."""
    counted = Counter(keys)
    return {key: i for i, key in enumerate(keys) if counted[key] == 1}
