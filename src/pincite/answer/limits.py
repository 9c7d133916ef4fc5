"""What holds a claim back whose value stands in its place: bounds, polarity and what its sentence denies. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise

from pincite.answer.contexts import Grid, Prepared, Prose, Slot
from pincite.answer.evidence import Place, Weighed
from pincite.answer.parties import reversed_transfer
from pincite.answer.reasons import column_name, printed, row_name
from pincite.answer.statements import Conflict, contradiction, denied_beside
from pincite.quantity import NEGATION, Certification, Quantity, bounds_agree

OTHER_BOUND = 0.3
"""At most for at least, or the like."""
ONE_SIDED_BOUND = 0.5
"""A bound on one side only: ≤ 16 is not 16."""
DENIED = 0.2

_BOUND_WORDS: Mapping[str, re.Pattern[str]] = {
    "at most": re.compile(r"\b(?:max\b|maxim\w+|limit\w*|ceiling|upper|hoogste|grens\w*|höchst\w*|obergrenze)", re.I),
    "at least": re.compile(r"\b(?:min\.|minim\w+|lower|laagste|ondergrens|mindest\w*|untergrenze)", re.I),
}
"""Words that say "at most" or "at least" from a distance: "Max. pressure | 16 bar", "the minimum age is 18"."""


def _bound_in_words(
    claim: Quantity, evidence: Quantity, best: Place, sentence: str, contexts: Sequence[Prepared]
) -> bool:
    """Say whether the side without a bound says it in other words: in its sentence or its titles."""
    if claim.bound and evidence.bound:
        return False
    pattern = _BOUND_WORDS.get(claim.bound or evidence.bound)
    if pattern is None:
        return False
    return bool(pattern.search(sentence if evidence.bound else _surroundings(best, contexts)))


def _surroundings(place: Place, contexts: Sequence[Prepared]) -> str:
    """Return what a value stands in: the sentence, or the titles of its row and column."""
    part = contexts[place.context].parts[place.part]
    if isinstance(part, Grid):
        return f"{row_name(place, contexts)} {column_name(place, contexts)} {part.caption}"
    if not part.words:
        return part.text
    unit = part.sentences[part.sentence_of[min(place.slot.first, len(part.words) - 1)]]
    return part.text[unit.start : unit.end]


def _beside(place: Place, contexts: Sequence[Prepared]) -> tuple[list[str], list[str]]:
    """Return the sentences of prose next to the one that a value stands in, and all others of the contexts."""
    next_to: list[str] = []
    others: list[str] = []
    for number, context in enumerate(contexts):
        for index, part in enumerate(context.parts):
            if not isinstance(part, Prose):
                continue
            here = -2  # beside nothing
            if (number, index) == (place.context, place.part) and part.words:
                here = part.sentence_of[min(place.slot.first, len(part.words) - 1)]
            for at, unit in enumerate(part.sentences):
                if at != here:
                    (next_to if abs(at - here) == 1 else others).append(part.text[unit.start : unit.end])
    return next_to, others


def limits(slot: Slot, best: Place, sentence: str, contexts: Sequence[Prepared]) -> tuple[float, str]:
    """Return the highest confidence that bounds and polarity allow, and why."""
    claim, evidence = slot.value, best.slot.value
    if (
        isinstance(claim, Quantity)
        and isinstance(evidence, Quantity)
        and not bounds_agree(claim.bound, evidence.bound)
        and not _bound_in_words(claim, evidence, best, sentence, contexts)
    ):
        source = "table" if best.slot.row >= 0 else "passage"
        said = f"{evidence.bound} {printed(best, contexts)}".strip()
        reason = f"the {source} says {said}" if evidence.bound else f"the {source} says {said}, not {claim.bound}"
        one_sided = not claim.bound or not evidence.bound
        return (ONE_SIDED_BOUND if one_sided else OTHER_BOUND), reason
    if isinstance(claim, Certification) and isinstance(evidence, Certification) and claim.negated != evidence.negated:
        reason = f"the passage denies {claim.name}" if evidence.negated else f"the passage does not deny {claim.name}"
        return DENIED, reason
    return 1.0, ""


def typed_contradiction(
    text: str, weighed: Sequence[Weighed], contexts: Sequence[Prepared], language: str
) -> Conflict | None:
    """Return how the passage sentence that carries the values denies what the answer says of them, if it does."""
    for best in (w.best for w in weighed):
        if best is None or best.slot.row >= 0:
            continue
        around = _of_the_claims(best, weighed, contexts)
        language_of = contexts[best.context].language
        found = contradiction(text, around, language, language_of)
        if found is None:
            found = denied_beside(text, around, *_beside(best, contexts), language, language_of)
        if found is not None:
            return found
    return None


def _of_the_claims(best: Place, weighed: Sequence[Weighed], contexts: Sequence[Prepared]) -> str:
    """Return the sentence that a value stands in, without the pieces that deny something of another value.

    "E and H are approved; S is not": that S is not approved denies nothing of H.
    """
    part = contexts[best.context].parts[best.part]
    if not isinstance(part, Prose) or not part.words:
        return _surroundings(best, contexts)
    unit = part.sentences[part.sentence_of[min(best.slot.first, len(part.words) - 1)]]
    kept: list[str] = []
    for start, end in _pieces(part.text, unit.start, unit.end):
        text = part.text[start:end]
        denial = NEGATION.search(text)
        if denial is None or not any(_only_of_others(w, best, start, start + denial.start(), end) for w in weighed):
            kept.append(text)
    return "".join(kept)


def _only_of_others(weighed: Weighed, best: Place, start: int, denial: int, end: int) -> bool:
    """Say whether a piece of the best place's part names another value before its denial and this one nowhere."""
    here = (best.context, best.part)
    rivals = [p.slot.start for p in weighed.rivals if (p.context, p.part) == here]
    same = [p.slot.start for p in weighed.same if (p.context, p.part) == here]
    return any(start <= at < denial for at in rivals) and not any(start <= at < end for at in same)


def _pieces(text: str, start: int, end: int) -> list[tuple[int, int]]:
    cuts = [start, *(match.end() for match in re.finditer(r"[;,]\s", text[:end]) if match.start() > start), end]
    return list(pairwise(cuts))


def transfer_conflict(text: str, contexts: Sequence[Prepared], language: str) -> Conflict | None:
    """Return the passage sentence that has giver and receiver the other way round than ``text``, if one does."""
    for context in contexts:
        for part in context.parts:
            if isinstance(part, Prose):
                printed_ = [part.text[unit.start : unit.end] for unit in part.sentences]
                found = reversed_transfer(text, printed_, language, context.language)
                if found is not None:
                    return Conflict(f"the passage says it the other way round: “{' '.join(found.split())}”")
    return None
