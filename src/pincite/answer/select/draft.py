"""What the built-in model hands to the loop: literal pieces of passages and why there are none."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

PieceKind: TypeAlias = Literal["sentence", "list", "row", "table"]
"""``sentence`` also stands for the lead-in of a list; ``table`` for a whole small table that was asked for as such."""

RefusalReason: TypeAlias = Literal[
    "", "out_of_scope", "greeting", "no_passages", "not_citable", "identifier_missing", "nothing_fits"
]
"""Why a draft is empty. ``not_citable``: only superseded or doubtful passages fit. ``identifier_missing``: an
identifier or abbreviation of the question stands in no citable passage (at most a sibling does)."""


@dataclass(frozen=True, slots=True)
class DraftSentence:
    """One sentence, list entry or table row of a passage."""

    text: str
    """Verbatim but for white space: runs are one space."""
    passage: int
    """0-based index in the passages that were given."""
    start: int
    end: int
    """Half-open character span in the text of the passage's chunk."""
    kind: PieceKind
    score: float
    """Comparable inside one draft and against the thresholds of this room; about 0 to 2."""
    cells: tuple[tuple[int, int], ...] = ()
    """Of a row: (row, column), from 0 in the expanded grid, of the cells that answer, best first."""
    reading: str = ""
    """Of a row: label, column title and value with its unit, all words of the table: ``"Lead: limit: 10 µg/l"``. What
    is printed is ``text``; this is for where a row has to be said in a line."""
    points: bool = False
    """It only says where the value that was asked for stands. Unless that is read and found, it is no answer."""


@dataclass(frozen=True, slots=True)
class Within:
    """Where to look again, and for what."""

    query: str
    """The question without the codes that stand all over the document."""
    passage: int
    """0-based index of a passage of the document."""


@dataclass(frozen=True, slots=True)
class Draft:
    """An answer made of quotations only, best first; or a refusal, which has no sentences."""

    sentences: tuple[DraftSentence, ...]
    refused: bool
    reason: RefusalReason
    language: str
    """ISO 639-1 of the question: what the framing must be written in."""
    follow: tuple[str, ...] = ()
    """Sections to read, for they may complete it: those that the chosen sentences point at, as printed ("Section
    5.2.2"), and the one around conditions of which it is not yet said what they permit."""
    missing: tuple[str, ...] = ()
    """Words of the question that no citable passage holds, as asked; critical ones first."""

    within: Within | None = None
    """Of a refusal: the document that the question is about, whose other passages may answer."""

    def settled(self) -> Draft:
        """The draft when nothing more is read: without what only points, and refused when nothing else is left."""
        kept = tuple(piece for piece in self.sentences if not piece.points)
        if kept or not self.sentences:
            return replace(self, sentences=kept)
        return replace(self, sentences=(), refused=True, reason="nothing_fits")
