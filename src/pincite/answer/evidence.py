"""How well a claim fits each place of the contexts that could hold its value.

The question is not "does the value stand in the right place" but "is there a better-fitting place that holds another
value": `weigh` returns the best place of the same value and the best place of another one (the competitor).
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TypeAlias

from pincite.answer.claims import Sentence, is_claim
from pincite.answer.contexts import Grid, Prepared, Prose, Slot, clauses, read_prose
from pincite.answer.contrast import company, other_company
from pincite.answer.scopes import Scope, said_of, scope, speaks
from pincite.answer.words import COMPOUND, is_function_word, kin
from pincite.quantity import (
    HEADER_SCALE,
    Certification,
    Found,
    Identifier,
    Normal,
    Quantity,
    Value,
    dimension,
    equality,
    equals_with_scale,
    is_rounding,
    normalise,
)

FOUND = 0.5
"""Equality from which a value counts as found."""

HALF_WORDS_ANSWER = 7.0
"""Words from the claim at which a word of the answer counts half. Without decay catch fell by .11 on paraphrases."""
HALF_WORDS_CONTEXT = 5.0
"""Words further from the value than in the answer at which a matching word of the context counts half."""
OTHER_SENTENCE = 0.5
OTHER_CLAUSE = 0.6
OTHER_CLAUSE_TABLE = 0.35
OTHER_SIDE = 0.8
"""A word that stands before the claim but after the value."""
NEIGHBOUR = 0.05
"""Added for each direct neighbour word that is equal."""
FUNCTION_WORD = 0.05
FUNCTION_WORD_LABEL = 0.3
ROW_SHARE, COLUMN_SHARE = 0.6, 0.4
ROW_ONLY_SHARE = 0.9
"""Of the row's fit, when no word of any column heading matches."""
SECTION_ROW_BONUS = 0.15
OTHER_CONTEXT_HANDICAP = 0.25
"""Taken from competitors in other contexts than the one of the evidence."""
COMMON_TITLE_WORD = 0.1
"""Weight of a word that stands in every column title; one that is unique among five weighs 1.7."""
SURE_FIT = 0.38
"""Margin of fit from which the sentence repeats the place nearly word for word: what it adds then says nothing. On
generated sentences right claims had .41 and more, on cases of our own wrong ones .31 and less."""
RANGE_GAP = 9
"""Characters that may stand between the ends of one range (" tot en met ")."""


# ---------------------------------------------------------------- the answer


@dataclass(frozen=True, slots=True)
class Draft:
    """An answer in normal form, with what the fit of each claim needs."""

    numbers: str
    """Language that its numbers are printed in."""
    normal: Normal
    prose: Prose
    clause_of: tuple[int, ...]
    """Clause index of each word."""
    sentences: tuple[Sentence, ...]
    """Spans in the normalised text."""


_MARKS = re.compile(r"\{\{\d+\}\}")
_EMPHASIS = re.compile(r"(?<![\w*])(\*{1,3})(?=[^\s*])([^*\n]+)(?<=[^\s*])\1(?![\w*])|(`+)([^`\n]+)\3")


def read_draft(answer: str, language: str, numbers: str | None = None) -> Draft:
    """Return the answer ready to be weighed; citation marks and emphasis are blanked, spans stay."""
    blanked = _EMPHASIS.sub(_without_marks, _MARKS.sub(lambda m: " " * len(m.group()), answer))
    normal_prose = read_prose(blanked, 0, language, numbers)
    return Draft(
        numbers=language if numbers is None else numbers,
        normal=normal_prose.normal,
        prose=normal_prose,
        clause_of=normal_prose.clause_of,
        sentences=normal_prose.sentences,
    )


def _without_marks(match: re.Match[str]) -> str:
    mark = match.group(1) or match.group(3)
    return " " * len(mark) + (match.group(2) or match.group(4)) + " " * len(mark)


def claim_slots(draft: Draft) -> tuple[Slot, ...]:
    """Return the slots of the draft that are claims."""
    return tuple(
        slot
        for slot in draft.prose.slots
        if is_claim(draft.prose.text, Found(slot.value, slot.start, slot.end, slot.parts))
    )


def without_labels(draft: Draft, labels: Collection[Slot]) -> Draft:
    """Return the draft with its clauses cut as if ``labels`` were words: "For 3-year-olds, the total is 2,559"."""
    prose = draft.prose
    return replace(draft, clause_of=clauses(prose.text, prose.words, prose.slots, labels))


# ---------------------------------------------------------------- fit


@dataclass(frozen=True, slots=True)
class Place:
    """One slot of one context, and how well the claim fits it."""

    context: int
    part: int
    slot: Slot
    fit: float
    """0 to about 1.1."""
    equality: float
    label: bool = False
    """The slot names a row or column."""
    other: str = ""
    """What stands with the value and is the other one of what the claim says: "with verification" for "without"."""

    @property
    def spot(self) -> Spot:
        return (self.context, self.part, self.slot.row, self.slot.column, self.slot.start)


Spot: TypeAlias = tuple[int, int, int, int, int]
"""Context, part, row, column and start of a slot."""


@dataclass(frozen=True, slots=True)
class Weighed:
    """What the contexts say about one claim."""

    best: Place | None
    """Best-fitting place with the same value."""
    competitor: Place | None
    """Best-fitting place with another value that could stand there; its fit has the handicap taken off."""
    rounding: Place | None
    """Best-fitting place whose value the claim rounds."""
    count: int
    """Places with the same value."""
    contrast: float = 0.0
    """How much more of the best place's own clause is said than of another value's, -1 to 1; prose only."""
    rivals: tuple[Place, ...] = ()
    """Places with another value that could stand there, each with its handicap taken off."""
    fits: Mapping[Spot, float] = field(default_factory=dict[Spot, float])
    """How well the claim fits every place that was weighed, whatever its value."""
    same: tuple[Place, ...] = ()
    """Every place with the same value."""
    named: Place | None = None
    """Place of another value that the sentence speaks of instead (`scopes.speaks`)."""
    noted: Place | None = None
    """The table cell that the best place is a note to (`footnotes.with_notes`)."""
    mixed: str = ""
    """Why the claim cannot stand beside the other claims of its sentence: they rest on other rows of one label."""

    @property
    def margin(self) -> float:
        """How much better the claim fits its best place than the competitor's; -1 when it stands nowhere."""
        if self.best is None:
            return -1.0
        if self.best.label or self.competitor is None:
            return self.best.fit
        return self.best.fit - max(0.0, self.competitor.fit)


def weigh(claim: Slot, draft: Draft, contexts: Sequence[Prepared]) -> Weighed:
    """Return the best place of the claim's value and its best competitor over all contexts."""
    near = _weights(claim, draft, decay=True)
    flat = {stem_: weight for stem_, (weight, _) in _weights(claim, draft, decay=False).items()}
    same: list[Place] = []
    rivals: list[Place] = []
    fits: dict[Spot, float] = {}
    said = _company_of(claim, draft.prose, draft.clause_of)
    rounding: Place | None = None
    for number, context in enumerate(contexts):
        for index, part in enumerate(context.parts):
            if isinstance(part, Grid):
                places = _places_in_grid(claim, part, flat, number, index)
            else:
                places = _places_in_prose(claim, draft, part, near, number, index)
            for place in places:
                fits[place.spot] = place.fit
                if said and (other := other_company(said, _company_at(place.slot, part))):
                    if place.equality >= FOUND:
                        same.append(replace(place, other=other))
                    continue
                if place.equality >= FOUND:
                    same.append(place)
                    continue
                if _is_rounded(claim.value, place.slot.value) and (rounding is None or place.fit > rounding.fit):
                    rounding = place
                if _could_fill(claim.value, place.slot) and not place.label:
                    rivals.append(place)
    named = _named_instead(claim, draft, same, rivals, contexts)
    best = max(
        same,
        key=lambda place: (not place.other, place.spot not in named, place.fit + 0.1 * place.equality),
        default=None,
    )
    if best is not None:
        rivals = [
            place if place.context == best.context else replace(place, fit=place.fit - OTHER_CONTEXT_HANDICAP)
            for place in rivals
        ]
    if best is not None:
        rivals = [place for place in rivals if not _spoken_of(claim, draft, best, place, contexts)]
    if best is not None and _quotes_whole_cell(best, draft, contexts):
        rivals = []
    rivals = [place for place in rivals if place.fit > 0 and not (best is not None and _belongs_to(best, place))]
    competitor = max(rivals, key=lambda place: place.fit, default=None)
    contrast = 0.0
    if best is not None and best.slot.row < 0:
        part = contexts[best.context].parts[best.part]
        assert isinstance(part, Prose)
        contrast = _contrast(claim, best.slot, part, flat)
    return Weighed(
        best,
        competitor,
        rounding,
        len(same),
        contrast,
        tuple(rivals),
        fits,
        tuple(same),
        named=None if best is None else named.get(best.spot),
    )


def _scope_of(place: Place, contexts: Sequence[Prepared]) -> Scope | None:
    part = contexts[place.context].parts[place.part]
    return scope(place.slot, part) if isinstance(part, Prose) else None


def _named_instead(
    claim: Slot, draft: Draft, same: Sequence[Place], rivals: Sequence[Place], contexts: Sequence[Prepared]
) -> Mapping[Spot, Place]:
    """Return for places of the claim's value the place of another value that the sentence speaks of instead."""
    said = said_of(claim, draft.prose, draft.clause_of)
    found: dict[Spot, Place] = {}
    others = [(place, at) for place in rivals if (at := _scope_of(place, contexts)) is not None]
    for place in same:
        here = _scope_of(place, contexts)
        if here is None:
            continue
        for rival, there in others:
            if place.fit - rival.fit > SURE_FIT:
                continue
            verdict = speaks(said, here, there, same_text=place.context == rival.context)
            if verdict == "of the second" and (place.spot not in found or rival.fit > found[place.spot].fit):
                found[place.spot] = rival
    return found


def _spoken_of(claim: Slot, draft: Draft, best: Place, rival: Place, contexts: Sequence[Prepared]) -> bool:
    """Say whether the sentence speaks of the best place rather than of the rival."""
    here, there = _scope_of(best, contexts), _scope_of(rival, contexts)
    if here is None or there is None:
        return False
    said = said_of(claim, draft.prose, draft.clause_of)
    return speaks(said, here, there, same_text=best.context == rival.context) == "of the first"


def _company_of(claim: Slot, prose: Prose, clause_of: Sequence[int]) -> Mapping[str, tuple[frozenset[str], str]]:
    """Return what the claim's clause, or else its sentence, says "with" or "without" of."""
    if not prose.words:
        return company(prose.text)
    here = min(claim.first, len(prose.words) - 1)
    sentence = prose.sentence_of[here]
    unit = prose.sentences[sentence]
    whole = prose.text[unit.start : unit.end]
    wide = company(whole)
    if not wide:
        return wide
    inside = [
        w
        for w, s, c in zip(prose.words, prose.sentence_of, clause_of, strict=True)
        if (s, c) == (sentence, clause_of[here])
    ]
    return company(prose.text[inside[0].start : inside[-1].end], whole)


def _company_at(slot: Slot, part: Prose | Grid) -> Mapping[str, tuple[frozenset[str], str]]:
    """Return what the place of a value says "with" or "without" of: its clause or cell, then what that stands in."""
    if isinstance(part, Prose):
        return _company_of(slot, part, part.clause_of)
    cell = part.cell(slot.row, slot.column)
    titles = f"{part.row_titles[slot.row]} | {part.column_titles[slot.column]}"
    return company(f"{cell.text if cell is not None else ''} | {titles}", part.caption)


def _contrast(claim: Slot, best: Slot, part: Prose, said: Mapping[str, float]) -> float:
    """Compare how much of its own clause is said with how much of another value's clause.

    "The fee is 0.20 % for domestic and 0.35 % for cross-border payments": who says "cross-border" and 0.20 % leaves out
    what 0.20 % is about and says what another value is about.
    """
    own = part.clause_words.get(part.clause_at(best), frozenset())
    if not own:
        return 0.0
    ours = _said(own, said)
    theirs = 0.0
    sentence = part.clause_at(best)[0]
    for slot in part.slots:
        clause = part.clause_at(slot)
        if slot.parts or clause == part.clause_at(best) or equality(claim.value, slot.value) >= FOUND:
            continue
        near = clause[0] == sentence and type(slot.value) is type(claim.value)
        if near or _could_fill(claim.value, slot):
            words = part.clause_words.get(clause, frozenset()) - own
            theirs = max(theirs, _said(words, said)) if words else theirs
    return ours - theirs


def _said(words: Collection[str], said: Mapping[str, float]) -> float:
    """Return the share of ``words`` that the answer says, by weight."""
    return sum(min(1.0, said.get(word, 0.0)) for word in words) / len(words)


def _quotes_whole_cell(best: Place, draft: Draft, contexts: Sequence[Prepared]) -> bool:
    """Say whether the draft has the cell of a value word for word, with its row's label, and the cell is a sentence.

    What a remark says of its value is said in the remark: "for aldrin the maximum value is 0.030 µg/l" beside a column
    titled "Maximum value".
    """
    part = contexts[best.context].parts[best.part]
    cell = part.cell(best.slot.row, best.slot.column) if isinstance(part, Grid) else None
    if not isinstance(part, Grid) or cell is None or len(cell.text.split()) < LEAST_SENTENCE:
        return False
    said, label = _plain(draft.prose.text), part.row_titles[best.slot.row]
    return _plain(cell.text) in said and all(word in said for word in _plain(label).split())


LEAST_SENTENCE = 6
"""Words from which a cell says for itself what its value is of; a guess."""


def _plain(text: str) -> str:
    return " ".join(normalise(text).text.split()).casefold()


def _belongs_to(best: Place, other: Place) -> bool:
    """Say whether the other value is printed as part of the same one: in the same cell, or the range's other end."""
    if (best.context, best.part) != (other.context, other.part):
        return False
    if best.slot.row >= 0:
        return best.slot.cell == other.slot.cell
    ours, theirs = best.slot.value, other.slot.value
    both = isinstance(ours, Quantity) and isinstance(theirs, Quantity) and bool(ours.end) and bool(theirs.end)
    gap = max(other.slot.start - best.slot.end, best.slot.start - other.slot.end)
    return both and gap <= RANGE_GAP


def _is_rounded(claim: Value, evidence: Value) -> bool:
    return isinstance(claim, Quantity) and isinstance(evidence, Quantity) and is_rounding(claim, evidence)


def _equality(claim: Value, slot: Slot) -> float:
    same = equality(claim, slot.value)
    if same or slot.parts or not (isinstance(claim, Quantity) and isinstance(slot.value, Quantity)):
        return same
    return HEADER_SCALE if equals_with_scale(claim, slot.value) else 0.0


_SPANS_OF_TIME = frozenset({"time", "months", "business days"})
"""Never equal, but one deadline competes with another."""


def _could_fill(claim: Value, slot: Slot) -> bool:
    """Say whether the slot's value could be the true value of the place that the claim fills."""
    evidence = slot.value
    if type(claim) is not type(evidence) or slot.parts:
        return False
    if isinstance(claim, Quantity) and isinstance(evidence, Quantity):
        ours, theirs = dimension(claim), dimension(evidence)
        if ours and theirs:
            return ours == theirs or {ours, theirs} <= _SPANS_OF_TIME
        # In prose a bare number never competes with a quantity; in a table the unit may stand anywhere.
        return slot.row >= 0 or ours == theirs
    if isinstance(claim, Identifier) and isinstance(evidence, Identifier):
        if claim.prefix or evidence.prefix:
            return claim.prefix == evidence.prefix or _shape(claim.core) == _shape(evidence.core)
        return _shape(claim.core)[:2] == _shape(evidence.core)[:2]
    if isinstance(claim, Certification) and isinstance(evidence, Certification):
        return claim.name == evidence.name
    return True


@lru_cache(maxsize=65536)
def _shape(core: str) -> str:
    return re.sub(r"\d+", "0", re.sub(r"[A-Z]+", "A", core))


def _weights(claim: Slot, draft: Draft, *, decay: bool) -> dict[str, tuple[float, int]]:
    """Return for each word of the draft around the claim its best weight and its signed distance in words."""
    prose = draft.prose
    words = prose.words
    if not words:
        return {}
    here = min(claim.first, len(words) - 1)
    sentence, clause = prose.sentence_of[here], draft.clause_of[here]
    out: dict[str, tuple[float, int]] = {}
    for index, word in enumerate(words):
        if claim.first <= index < claim.last:
            continue
        distance = index - claim.first if index < claim.first else index - claim.last + 1
        weight = 1.0
        if decay:
            weight = (FUNCTION_WORD if is_function_word(word.stem) else 1.0) * 0.5 ** (
                abs(distance) / HALF_WORDS_ANSWER
            )
        if prose.sentence_of[index] != sentence:
            weight *= OTHER_SENTENCE
        if draft.clause_of[index] != clause:
            weight *= OTHER_CLAUSE if decay else OTHER_CLAUSE_TABLE
        if weight > out.get(word.stem, (0.0, 0))[0]:
            out[word.stem] = (weight, distance)
    return out


def _places_in_prose(
    claim: Slot, draft: Draft, part: Prose, near: Mapping[str, tuple[float, int]], context: int, index: int
) -> list[Place]:
    places: list[Place] = []
    for slot in part.slots:
        same = _equality(claim.value, slot)
        if same < FOUND and not _could_fill(claim.value, slot) and not _is_rounded(claim.value, slot.value):
            continue
        fit = _prose_fit(near, slot, part) + NEIGHBOUR * _equal_neighbours(claim, draft.prose, slot, part)
        places.append(Place(context, index, slot, fit, same))
    return places


def _prose_fit(near: Mapping[str, tuple[float, int]], slot: Slot, part: Prose) -> float:
    if not part.words:
        return 0.0
    sentence = part.sentence_of[min(slot.first, len(part.words) - 1)]
    matched = total = 0.0
    for stem_, (weight, distance) in near.items():
        total += weight
        best = 0.0
        worth = 1.0
        places = part.positions.get(stem_, ())
        if not places and not is_function_word(stem_):
            worth = COMPOUND
            places = [at for other in kin(stem_, part.vocabulary) for at in part.positions[other]]
        for at in places:
            if slot.first <= at < slot.last:
                continue
            away = at - slot.first if at < slot.first else at - slot.last + 1
            match = worth * 0.5 ** (max(0, abs(away) - abs(distance)) / HALF_WORDS_CONTEXT)
            if (distance < 0) != (away < 0):
                match *= OTHER_SIDE
            if part.sentence_of[at] != sentence:
                match *= OTHER_SENTENCE
            best = max(best, match)
        matched += weight * best
    return matched / total if total else 0.0


def _equal_neighbours(claim: Slot, draft: Prose, slot: Slot, part: Prose) -> int:
    ours, theirs = draft.words, part.words
    count = 0
    if claim.first > 0 and slot.first > 0:
        count += ours[claim.first - 1].stem == theirs[slot.first - 1].stem
    if claim.last < len(ours) and slot.last < len(theirs):
        count += ours[claim.last].stem == theirs[slot.last].stem
    return count


def _places_in_grid(claim: Slot, grid: Grid, flat: Mapping[str, float], context: int, index: int) -> list[Place]:
    candidates = [(slot, _equality(claim.value, slot)) for slot in grid.slots]
    if not any(same >= FOUND or _could_fill(claim.value, slot) for slot, same in candidates):
        return []
    flat = _with_kin(flat, grid.vocabulary)
    columns = _column_fits(grid, flat)
    rows = _row_fits(grid, flat, columns)
    best_row = max(rows[grid.header_rows :], default=0.0) or 1.0
    best_column = max(columns[grid.label_column + 1 :], default=0.0) or 1.0
    any_column = max(columns, default=0.0) > 0
    places: list[Place] = []
    for slot, same in candidates:
        row, column = slot.row, slot.column
        if grid.is_label(row, column):
            if same >= FOUND:
                places.append(
                    _label_place(
                        grid, slot, same, flat, rows[row] / best_row, columns[column] / best_column, context, index
                    )
                )
            continue
        fit = (
            ROW_SHARE * min(1.0, rows[row]) + COLUMN_SHARE * columns[column]
            if any_column
            else min(1.0, rows[row]) * ROW_ONLY_SHARE
        )
        places.append(Place(context, index, slot, fit, same))
    return places


def _with_kin(flat: Mapping[str, float], vocabulary: frozenset[str]) -> Mapping[str, float]:
    """Return the weights of the answer's words, with those of the table's words that are kin of one it has not."""
    out = dict(flat)
    for word, weight in flat.items():
        if word not in vocabulary and not is_function_word(word):
            for other in kin(word, vocabulary):
                out[other] = max(out.get(other, 0.0), COMPOUND * weight)
    return out


def _label_place(
    grid: Grid, slot: Slot, same: float, flat: Mapping[str, float], row: float, column: float, context: int, index: int
) -> Place:
    """Weigh a claim that stands in a label ("Age 4") by the other words of that label."""
    is_header = slot.row < grid.header_rows
    labels = grid.row_words[slot.row]
    words = grid.column_words[slot.column] if is_header else (labels[-1] if labels else ())
    others = [word for word in words if not word[:1].isdigit()]
    fit = sum(word in flat for word in others) / len(others) if others else 0.5
    fit *= min(1.0, max(0.3, column if is_header else row))
    return Place(context, index, slot, fit, same, label=True)


def _f1(pairs: Sequence[tuple[float, float]]) -> list[float]:
    """Return for (matched, full) weights the F1 of the share matched and of the match against the best."""
    most = max((matched for matched, _ in pairs), default=0.0) or 1.0
    out: list[float] = []
    for matched, full in pairs:
        recall = matched / full if full else 0.0
        precision = matched / most
        out.append(2 * recall * precision / (recall + precision) if recall + precision else 0.0)
    return out


def _column_fits(grid: Grid, flat: Mapping[str, float]) -> list[float]:
    def weight(word: str) -> float:
        # What all columns share ("Threshold for releases to air | … to water") tells none of them apart.
        rare = math.log(max(2, grid.columns) / grid.column_frequency[word]) + COMMON_TITLE_WORD
        return rare * (FUNCTION_WORD_LABEL if is_function_word(word) else 1.0)

    fits = _f1(
        [
            (sum(weight(w) * flat[w] for w in words if w in flat), sum(weight(w) for w in words))
            for words in grid.column_words
        ]
    )
    for column in range(min(grid.label_column + 1, len(fits))):
        fits[column] = 0.0
    return fits


def _row_fits(grid: Grid, flat: Mapping[str, float], columns: Sequence[float]) -> list[float]:
    # Words that already chose the column say less about the row.
    used: frozenset[str] = frozenset()
    if columns and max(columns) > 0.5:
        used = frozenset(grid.column_words[max(range(len(columns)), key=lambda c: columns[c])])
    body = max(1, grid.rows - grid.header_rows)

    def weight(word: str) -> float:
        frequency = grid.row_frequency.get(word, 0)
        rare = math.log(1 + body / frequency) if frequency else 1.0
        return rare * (FUNCTION_WORD_LABEL if is_function_word(word) else 1.0)

    pairs: list[tuple[float, float]] = []
    for labels in grid.row_words:
        best = (0.0, 1.0)
        for words in labels:
            matched = sum(weight(w) * flat[w] * (0.5 if w in used else 1.0) for w in words if w in flat)
            full = sum(weight(w) for w in words)
            if full and matched * matched / full > best[0] * best[0] / best[1]:
                best = (matched, full)
        pairs.append(best)
    most = max((matched for matched, _ in pairs[grid.header_rows :]), default=0.0) or 1.0
    fits: list[float] = []
    for (matched, full), section in zip(pairs, grid.section_words, strict=True):
        recall, precision = matched / full, matched / most
        fit = 2 * recall * precision / (recall + precision) if recall + precision else 0.0
        if section:
            fit += SECTION_ROW_BONUS * sum(flat.get(word, 0.0) for word in section) / len(section)
        fits.append(fit)
    return fits
