"""Ranking for section coherence: pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from pincite.types import Passage

SECTION_BONUS = 0.08
"""Share of its own score that a passage gains for each other candidate of its section, up to `MAX_COMPANIONS`.

A section that was found several times is more likely the place that answers than one that was found once. Chosen on the
samples' cases; see docs/evaluation.md."""
MAX_COMPANIONS = 3


def cohere(passages: Sequence[Passage]) -> list[Passage]:
    """Return the same passages re-ordered so that those whose section was found more than once move up.

    Nothing is lost and nothing doubled; ties keep their order; ranks are renumbered from 1, scores keep their values.
    """
    found = Counter(_place(passage) for passage in passages)

    def gained(passage: Passage) -> float:
        companions = min(found[_place(passage)] - 1, MAX_COMPANIONS)
        return passage.score * (1 + SECTION_BONUS * companions)

    ordered = sorted(passages, key=gained, reverse=True)  # stable
    return [
        Passage(id=p.id, revision=p.revision, chunk=p.chunk, rank=rank, score=p.score)
        for rank, p in enumerate(ordered, 1)
    ]


def _place(passage: Passage) -> tuple[str, tuple[str, ...]]:
    return passage.revision.sha256, passage.chunk.section
