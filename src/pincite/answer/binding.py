"""The claims of one sentence weighed together: those on rows of one label belong to a row, pairs may be exchanged.

`evidence` weighs each claim by itself; what it finds is bound and settled here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from pincite.answer.contexts import Grid, Prepared
from pincite.answer.evidence import Place, Spot, Weighed

ALIKE = 0.15
"""A place may fit this much less than the best one of its value and still be the one that is meant."""

_Label: TypeAlias = tuple[int, int, str, tuple[str, ...]]
"""Context, part, row label and section: rows that have it in common are told apart by their values only."""


def bind(claims: Sequence[str], weighed: Sequence[Weighed], contexts: Sequence[Prepared]) -> tuple[Weighed, ...]:
    """Return the claims of one sentence or row with those on rows of one label bound to a row together.

    A pump curve has many rows that are all labelled "2900": the flow that is said tells which of them the efficiency is
    to be read from. Where no row holds what is said together, the claims are ``mixed``. Claims on one column list it
    ("24 and 32 m³/h at 71 and 75 %"): the first goes with the first. ``claims`` are their texts.
    """
    names: dict[tuple[int, int], list[_Label | None]] = {}
    out = list(weighed)
    groups: dict[_Label, list[int]] = {}
    for index, w in enumerate(weighed):
        label = None if w.best is None or w.best.label or w.best.other else _label_of(w.best, contexts, names)
        if label is not None:
            groups.setdefault(label, []).append(index)
    for label, members in groups.items():
        meant = {index: _meant(weighed[index], label, contexts, names) for index in members}
        columns: dict[int, list[int]] = {}
        for index in members:
            best = weighed[index].best
            assert best is not None
            columns.setdefault(best.slot.column, []).append(index)
        if len(columns) < 2:
            continue
        longest = max(columns.values(), key=len)
        if all(len(column) == len(longest) for column in columns.values()):
            sets = [tuple(said) for said in zip(*columns.values(), strict=True)]
        else:
            # Each needs one of those on the fullest column to stand with.
            alone = [index for column in columns.values() if column is not longest for index in column]
            sets = [
                (index, next((leader for leader in longest if meant[index].keys() & meant[leader].keys()), longest[0]))
                for index in alone
            ]
        for said in sets:
            rows = frozenset[int].intersection(*(frozenset(meant[index]) for index in said))
            listed = " and ".join(claims[index] for index in sorted(said))
            for index in said:
                if not rows:
                    out[index] = replace(out[index], mixed=f"{listed} stand in different rows of {label[2]}")
                else:
                    places = [place for row in rows for place in meant[index][row]]
                    best = max(places, key=lambda place: place.fit + 0.1 * place.equality)
                    best = replace(best, fit=max(best.fit, _fit_of_label(best, weighed[index], label, contexts, names)))
                    rivals = tuple(
                        p for p in weighed[index].rivals if p.slot.row in rows or _label_of(p, contexts, names) != label
                    )
                    closest = max(rivals, key=lambda place: place.fit, default=None)
                    out[index] = replace(out[index], best=best, rivals=rivals, competitor=closest)
    return tuple(out)


def _fit_of_label(
    best: Place,
    weighed: Weighed,
    label: _Label,
    contexts: Sequence[Prepared],
    names: dict[tuple[int, int], list[_Label | None]],
) -> float:
    """Return how well the claim fits the column in any row of the label; lines of text print it once."""
    alike = [p for p in (*weighed.same, *weighed.rivals) if p.slot.column == best.slot.column and not p.other]
    return max((p.fit for p in alike if not p.label and _label_of(p, contexts, names) == label), default=0.0)


def _meant(
    weighed: Weighed,
    label: _Label,
    contexts: Sequence[Prepared],
    names: dict[tuple[int, int], list[_Label | None]],
) -> dict[int, list[Place]]:
    """Return by row the places of a label that the claim may mean."""
    best = weighed.best
    assert best is not None
    found: dict[int, list[Place]] = {}
    for place in weighed.same:
        near = place.slot.column == best.slot.column or place.fit >= best.fit - ALIKE
        if near and not place.label and not place.other and _label_of(place, contexts, names) == label:
            found.setdefault(place.slot.row, []).append(place)
    return found


def _label_of(
    place: Place, contexts: Sequence[Prepared], names: dict[tuple[int, int], list[_Label | None]]
) -> _Label | None:
    """Return the label that a table's place shares with another row, or None when its row is the only one of it."""
    grid = contexts[place.context].parts[place.part]
    if not isinstance(grid, Grid):
        return None
    key = (place.context, place.part)
    if key not in names:
        names[key] = _shared_labels(grid, *key)
    return names[key][place.slot.row]


def row_label(grid: Grid, row: int) -> str:
    """Return what the first column says of a row; one that begins blank belongs to the row above it."""
    for above in range(row, grid.header_rows - 1, -1):
        cell = grid.cell(above, 0)
        if cell is not None and cell.text:
            return cell.text
    return ""


def _shared_labels(grid: Grid, context: int, part: int) -> list[_Label | None]:
    """Return the label of each row that has it in common with others; one that begins blank has the label above it."""
    labels: list[_Label] = []
    for row, (title, section) in enumerate(zip(grid.row_titles, grid.section_words, strict=True)):
        labels.append((context, part, " ".join((title or row_label(grid, row)).split()), section))
    often = Counter(labels[grid.header_rows :])
    return [
        label if row >= grid.header_rows and label[2] and often[label] > 1 else None for row, label in enumerate(labels)
    ]


def settle(weighed: Sequence[Weighed]) -> tuple[Weighed, ...]:
    """Return the claims of one sentence weighed together.

    "A has 3, B has 5": the place of 5 competes for the claim 3 and the other way round. What counts for such a pair is
    how much better the values fit as they are said than exchanged, half of it for each.
    """
    spots = {w.best.spot: w for w in weighed if w.best is not None and not w.best.label}
    return tuple(_settled(_attributed(w, weighed), spots) for w in weighed)


def _attributed(weighed: Weighed, all_of_it: Sequence[Weighed]) -> Weighed:
    """Return the claim without the value that it was named for when another claim of the sentence says that value.

    The words belong to the other claim then, unless that one is named for this one's value: the two are exchanged.
    """
    if weighed.named is None:
        return weighed
    own = {place.spot for place in weighed.same}
    sayers = [w for w in all_of_it if w is not weighed and any(place.spot == weighed.named.spot for place in w.same)]
    exchanged = any(w.named is not None and w.named.spot in own for w in sayers)
    return weighed if not sayers or exchanged else replace(weighed, named=None)


def _settled(weighed: Weighed, spots: Mapping[Spot, Weighed]) -> Weighed:
    best = weighed.best
    if best is None or best.label or len(spots) < 2:
        return weighed
    closest: Place | None = None
    for rival in weighed.rivals:
        other = spots.get(rival.spot)
        fit = rival.fit
        if other is not None and other.best is not None and best.spot in other.fits:
            ours = best.fit - rival.fit
            theirs = other.best.fit - other.fits[best.spot]
            fit = best.fit - (ours + theirs) / 2
        if closest is None or fit > closest.fit:
            closest = replace(rival, fit=fit)
    return replace(weighed, competitor=closest)
