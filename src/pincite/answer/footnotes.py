"""Values in a note under a table, which stand for the value whose mark the note carries. Pure.

"160 M | 11 ¹ | 98" with "¹ At 40 °C ambient temperature; 9.2 kW at 55 °C." below: at 55 °C the power of 160 M is
9.2 kW, not 11 kW. A note is said of the row and column of the cells that bear its mark.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from pincite.answer.contexts import Grid, GridCell, Prepared, Prose, Slot
from pincite.answer.evidence import Draft, Place, Spot, Weighed
from pincite.answer.scopes import scope
from pincite.answer.words import is_function_word, root
from pincite.quantity import equality

_MARK = r"[¹²³⁴⁵⁶⁷⁸⁹]|\*{1,3}|[†‡]"
_NOTE = re.compile(rf"^[ \t]*({_MARK})\)?[ \t]+(?=\S)", re.MULTILINE)
_MARKED = re.compile(rf"\s?({_MARK})\s*$")


@dataclass(frozen=True, slots=True)
class MarkedCell:
    """A cell of a table that a note bears on."""

    part: int
    row: int
    column: int


def noted_cells(context: Prepared) -> Mapping[str, tuple[MarkedCell, ...]]:
    """Return for each mark of a note the cells that bear it; empty for a context without notes."""
    marks = {match.group(1) for match in _NOTE.finditer(context.text)}
    if not marks:
        return {}
    found: dict[str, list[MarkedCell]] = {}
    for index, part in enumerate(context.parts):
        if not isinstance(part, Grid):
            continue
        for (row, column), at in part.at.items():
            match = _MARKED.search(_printed(part.cells[at], context))
            if match and match.group(1) in marks:
                found.setdefault(match.group(1), []).append(MarkedCell(index, row, column))
    return {mark: tuple(cells) for mark, cells in found.items()}


def _printed(cell: GridCell, context: Prepared) -> str:
    return context.text[cell.start : cell.start + cell.normal.length]


def mark_of(slot: Slot, part: Prose, context: Prepared) -> str:
    """Return the mark of the note that a value of running text stands in; empty when it stands in none."""
    at = part.offset + part.normal.span(slot.start, slot.end)[0]
    line = context.text.rfind("\n", 0, at) + 1
    match = _NOTE.match(context.text, line)
    return match.group(1) if match else ""


def with_notes(claim: Slot, draft: Draft, weighed: Weighed, contexts: Sequence[Prepared]) -> Weighed:
    """Return the claim weighed with what notes say of the cells that bear their mark.

    A value of a note that the sentence speaks of fits as well as the cell does, and the cell does not compete with it;
    a cell whose note the sentence speaks of is not where the sentence takes its value from.
    """
    best = weighed.best
    if best is None:
        return weighed
    notes = [place for place in (*weighed.same, *weighed.rivals) if place.slot.row < 0]
    marked: dict[Spot, list[Place]] = {}
    table = {(p.context, p.part, p.slot.row, p.slot.column): p for p in (*weighed.same, *weighed.rivals)}
    held = {number: noted_cells(contexts[number]) for number in {place.context for place in notes}}
    for note in notes:
        part = contexts[note.context].parts[note.part]
        if not held[note.context] or not isinstance(part, Prose):
            continue
        cells = held[note.context].get(mark_of(note.slot, part, contexts[note.context]), ())
        found = [at for c in cells if (at := table.get((note.context, c.part, c.row, c.column))) is not None]
        if found and _names(claim, draft, note.slot, part):
            marked[note.spot] = found
    for note in sorted(weighed.same, key=lambda place: -place.fit):
        if note.spot in marked:
            cell = max(marked[note.spot], key=lambda place: place.fit)
            theirs = {place.spot for place in marked[note.spot]}
            rivals = tuple(place for place in weighed.rivals if place.spot not in theirs)
            raised = replace(note, fit=max(note.fit, cell.fit))
            closest = max(rivals, key=lambda place: place.fit, default=None)
            return replace(
                weighed, best=raised, rivals=rivals, competitor=closest, contrast=0.0, named=None, noted=cell
            )
    instead = [n for n in weighed.rivals if n.spot in marked and any(c.spot == best.spot for c in marked[n.spot])]
    return replace(weighed, named=instead[0]) if instead else weighed


def _names(claim: Slot, draft: Draft, note: Slot, part: Prose) -> bool:
    """Say whether the claim's sentence has a word or another value that stands beside the value of a note."""
    sentence = next((u for u in draft.sentences if u.start <= claim.start < u.end), None)
    if sentence is None:
        return False
    said = {
        root(w.stem)
        for w in draft.prose.words
        if sentence.start <= w.start < sentence.end and not is_function_word(w.stem)
    }
    if said & scope(note, part).own:
        return True
    values = [s.value for s in draft.prose.slots if s is not claim and sentence.start <= s.start < sentence.end]
    beside = [s.value for s in part.slots if s is not note and part.clause_at(s) == part.clause_at(note)]
    return any(equality(value, other) == 1.0 for value in values for other in beside)
