"""Verdicts in words for people: "the table gives 0.20 % for Purchase, Domestic; 0.35 % is Cross-border"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pincite.answer.contexts import Grid, Prepared, Prose, Slot
from pincite.answer.evidence import Place, Weighed
from pincite.quantity import Quantity, show
from pincite.types import Claim


def printed(place: Place, contexts: Sequence[Prepared]) -> str:
    """Return the value as the context prints it, with the unit that its heading gives."""
    part = contexts[place.context].parts[place.part]
    slot = place.slot
    if isinstance(part, Grid):
        cell = part.cell(slot.row, slot.column)
        text = cell.text[slot.start : slot.end] if cell is not None else show(slot.value)
    else:
        text = part.text[slot.start : slot.end]
    value = slot.value
    if isinstance(value, Quantity) and value.unit and not re.search(r"[^\d\s.,'+\-–]", text):
        text = f"{text} {value.unit}"
    return " ".join(text.split())


def row_name(place: Place, contexts: Sequence[Prepared]) -> str:
    """Return the labels of a table place's row."""
    part = contexts[place.context].parts[place.part]
    assert isinstance(part, Grid)
    return part.row_titles[place.slot.row]


def column_name(place: Place, contexts: Sequence[Prepared]) -> str:
    """Return the title of a table place's column."""
    part = contexts[place.context].parts[place.part]
    assert isinstance(part, Grid)
    return part.column_titles[place.slot.column]


def where(place: Place, contexts: Sequence[Prepared]) -> str:
    """Return " for Purchase, Domestic" of a table's value, or what stands around one in prose."""
    part = contexts[place.context].parts[place.part]
    if isinstance(part, Grid):
        names = [name for name in (row_name(place, contexts), column_name(place, contexts)) if name]
        return f" for {', '.join(names)}" if names else ""
    return ""


def around(place: Place, contexts: Sequence[Prepared]) -> str:
    """Return the few words of prose that a value stands in."""
    part = contexts[place.context].parts[place.part]
    assert isinstance(part, Prose)
    slot = place.slot
    start = part.words[max(0, slot.first - 5)].start if part.words else slot.start
    end = part.words[min(len(part.words) - 1, slot.last + 3)].end if part.words else slot.end
    return " ".join(part.text[min(start, slot.start) : max(end, slot.end)].split())


def reason_of(slot: Slot, claim: Claim, weighed: Weighed, contexts: Sequence[Prepared], *, supported: bool) -> str:
    """Return why a claim that was found is supported, or what stands where the sentence places it."""
    best, rival = weighed.best, weighed.competitor
    assert best is not None
    in_table = best.slot.row >= 0
    if supported:
        if in_table and not best.label:
            return f"the table gives it{where(best, contexts)}"
        return "names the row or column of the table" if in_table else "stands in the cited passage in this place"
    if rival is None or best.label:
        source = "table" if in_table else "passage"
        return f"{claim.text} stands in the {source}, but not where the sentence places it"
    if in_table and rival.slot.row >= 0:
        gives = f"the table gives {printed(rival, contexts)}{where(rival, contexts)}"
        same_table = (best.context, best.part) == (rival.context, rival.part)
        names: list[str] = []
        if not same_table or best.slot.row != rival.slot.row:
            names.append(row_name(best, contexts))
        if not same_table or best.slot.column != rival.slot.column:
            names.append(column_name(best, contexts))
        other = ", ".join(name for name in names if name)
        return f"{gives}; {claim.text} is {other}" if other else gives
    if rival.slot.row >= 0:
        return f"the table gives {printed(rival, contexts)}{where(rival, contexts)}"
    gives = f"the passage gives {printed(rival, contexts)} there"
    if in_table:
        return f"{gives}; {claim.text} is{where(best, contexts).removeprefix(' for')}"
    return f"{gives}; {claim.text} stands in “{around(best, contexts)}”"
