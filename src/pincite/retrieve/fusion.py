"""Two rankings of one question, by meaning and by words, made one: pure.

Both scores have a scale of their own that means the same for every question, so they are added and not only ranked.
The cosine is compared with the lowest that was found. BM25 is divided by what a text would reach that holds every word
of the question as often as counts: a share from 0 to 1. So a question in the document's own words is decided by words,
and one in other words, or in another language, where the share is small for every chunk, by meaning. See docs/adr/0026.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pincite.index.store import Ranked


@dataclass(frozen=True, slots=True)
class Fusion:
    """The constants of `fuse`."""

    meaning: float = 3.0
    """What a cosine counts beside a share of words. Below 2, words in common by chance win over questions in other
    words than the document's; above 6, meaning wins over questions that quote it. Figures in docs/adr/0026."""
    power: float = 1.5
    """To which the share is raised: above 1, few words in common count less than in proportion."""


DEFAULT = Fusion()


def fuse(nearest: Sequence[Ranked], matching: Sequence[Ranked], most: float, fusion: Fusion = DEFAULT) -> list[Ranked]:
    """Return every chunk of both rankings with its score, at least 0; best first, ties by number.

    A chunk that only one ranking holds counts in the other as its worst.

    Args:
        nearest: by cosine, each chunk once.
        matching: by BM25, each chunk once.
        most: BM25 of a text that holds all that is asked; 0 when nothing is asked by words.
    """
    cosines = {one.id: one.score for one in nearest}
    lowest = min(cosines.values(), default=0.0)
    shares = {one.id: min(one.score / most, 1.0) for one in matching} if most > 0 else {}
    scored = (
        Ranked(
            id_,
            max(shares.get(id_, 0.0), 0.0) ** fusion.power + fusion.meaning * (cosines.get(id_, lowest) - lowest),
        )
        for id_ in cosines.keys() | shares.keys()
    )
    return sorted(scored, key=lambda one: (-one.score, one.id))
