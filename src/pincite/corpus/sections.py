"""Lines → sections: the headings that ``headings`` finds, nested by number, type and outline. Pure."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from statistics import median

from pincite.corpus.contents import squeezed
from pincite.corpus.headings import (
    RANK_ARTICLE,
    RANK_CHAPTER,
    RANK_DECIMAL,
    RANK_PART,
    RANK_PLAIN,
    Heading,
    heading_at,
    running_headings,
    value_of,
)
from pincite.corpus.numbering import believed, outranks
from pincite.corpus.typography import OutlineEntry, Printed
from pincite.types import Line, Section, Table


def find_sections(
    lines: Sequence[Line], tables: Sequence[Table], outline: Sequence[OutlineEntry] = (), *, title: str = ""
) -> tuple[Section, ...]:
    """Return the sections, ascending by the line of their heading. None when nothing reads as a heading.

    The document's own title, printed on its first sheets, heads no section: everything would stand under it.
    """
    if not lines:
        return ()
    printed = Printed(lines, tables, outline)
    found: list[Heading] = []
    i = 0
    while i < len(lines):
        heading = heading_at(printed, i)
        if heading is None:
            i += 1
            continue
        found.append(heading)
        i = heading.last + 1
    running = running_headings(lines)
    if sum(h.rank == RANK_ARTICLE for h in running) > 2 * sum(h.rank == RANK_ARTICLE for h in found):
        found = sorted([*(h for h in found if h.rank not in (RANK_CHAPTER, RANK_ARTICLE)), *running], key=_line)
    found = _without_title(believed(found, printed), lines, title)
    if len({h.outline for h in found if h.outline}) == 1:
        # An outline of one level names the headings but not how they nest.
        for heading in found:
            heading.outline = 0
    _rank_plain(found, printed.body_size)
    _put_parts_inside(found)
    return _nested(found, lines)


def _line(heading: Heading) -> int:
    return heading.line


def _without_title(found: list[Heading], lines: Sequence[Line], title: str) -> list[Heading]:
    """Return the headings without the document's title and what else is printed large on its cover."""
    wanted = squeezed(title)
    cover = lines[0].page + 1
    named = {h.line for h in found if squeezed(h.title) in wanted or (wanted and wanted in squeezed(h.title))}
    others = [h for h in found if h.line not in named]
    if not wanted or not others:
        return found
    regular = {h.style for h in others}
    inside = [h.style[0] for h in others if lines[h.line].page > cover or h.numbered]

    def names_document(heading: Heading) -> bool:
        if lines[heading.line].page > cover or heading.restarts:
            return False
        if heading.numbered:
            # "Part 1: General" on the cover of part 1; not the first part of a document that says no other title.
            said = squeezed(heading.title)
            return heading.rank <= RANK_CHAPTER and 6 < len(said) < len(wanted) - 8 and said in wanted
        if heading.line in named:
            return heading.style not in regular
        return bool(inside) and not heading.outline and heading.style[0] > max(inside) + 0.75

    return [h for h in found if not names_document(h)]


def _rank_plain(found: list[Heading], body_size: float) -> None:
    """Give unnumbered headings the rank of numbered ones in the same type or at the same outline level."""
    by_style: defaultdict[tuple[float, bool, bool], list[float]] = defaultdict(list)
    by_level: defaultdict[int, list[float]] = defaultdict(list)
    for heading in found:
        if heading.numbered:
            by_style[heading.style].append(heading.rank)
            if heading.outline:
                by_level[heading.outline].append(heading.rank)
    plain_styles = sorted({h.style for h in found if not h.numbered}, key=_style_order)
    by_look = {h.look: h.rank for h in found if h.numbered}
    for heading in found:
        if heading.numbered:
            continue
        if heading.faint and not heading.outline and heading.look not in by_look:
            # Below whatever stands above it.
            continue
        if heading.outline and by_level.get(heading.outline):
            heading.rank = median(by_level[heading.outline])
        elif by_style.get(heading.style):
            heading.rank = Counter(by_style[heading.style]).most_common(1)[0][0]
        else:
            # Between the numbered styles that are larger and those that are smaller.
            larger = [rank for style, ranks in by_style.items() if outranks(style, heading.style) for rank in ranks]
            step = plain_styles.index(heading.style) / 100
            heading.rank = (max(larger) + 0.5 if larger else 5.0) + step


def _style_order(style: tuple[float, bool, bool]) -> tuple[float, bool, bool]:
    size, bold, capitals = style
    return (-size, not bold, not capitals)


def _put_parts_inside(found: list[Heading]) -> None:
    """Mark the parts of an annex: "Part I" after it, unless the parts of the document go on with that number."""
    last = 0
    in_annex = False
    for heading in found:
        if heading.restarts:
            in_annex = True
        elif heading.rank == RANK_PART and heading.number:
            value = value_of(heading.number.split()[-1])
            heading.inside = in_annex and value is not None and (last == 0 or value != last + 1)
            if not heading.inside:
                in_annex, last = False, value or last


def _nested(found: list[Heading], lines: Sequence[Line]) -> tuple[Section, ...]:
    sections: list[Section] = []
    stack: list[Heading] = []
    for heading in found:
        while stack and not _is_above(stack[-1], heading):
            stack.pop()
        if heading.numbered and heading.rank > RANK_DECIMAL:
            _climb_to_parent(stack, heading)
        stack.append(heading)
        path = tuple(h.title for h in stack)
        sections.append(Section(path, heading.title, len(stack), lines[heading.line].page, heading.line))
    return tuple(sections)


def _is_above(parent: Heading, heading: Heading) -> bool:
    """Return whether a heading on the stack can be the parent of the next one."""
    if parent.restarts and heading.inside:
        return True
    if parent.lettered and _is_of_form(heading):
        return True
    if parent.outline and heading.outline and not (parent.numbered and heading.numbered):
        return parent.outline < heading.outline
    if parent.numbered and not heading.numbered and RANK_DECIMAL + 1 < parent.rank < RANK_PLAIN:
        # "Typical usage" in the type of "10.2.1 …" stands below it; "References" in the type of "1 …" beside it.
        return parent.rank <= heading.rank
    if not parent.numbered and heading.numbered:
        # Numbering outranks type, unless the type is larger: chapters without numbers that restart the numbering.
        return parent.rank < heading.rank and heading.rank > 50 and parent.style[0] > heading.style[0] + 0.75
    return parent.rank < heading.rank


def _is_of_form(heading: Heading) -> bool:
    """Return whether a heading after "A.1" belongs to a text that is printed there: it is numbered in another way."""
    return RANK_DECIMAL < heading.rank < RANK_PLAIN and bool(heading.number) and not heading.lettered


def _climb_to_parent(stack: list[Heading], heading: Heading) -> None:
    """Pop what is not above "4.2.1": a decimal heading of another branch, and what hangs below its ancestor."""

    def is_ancestor(other: Heading) -> bool:
        if other.restarts:
            # "A.1" stands below "Appendix A".
            return heading.number[:1].lower() == other.number[-1:] and heading.number[1:2] == "."
        return bool(other.number) and heading.number.startswith(other.number + ".")

    if any(is_ancestor(h) for h in stack):
        while not is_ancestor(stack[-1]):
            stack.pop()
        return
    while stack and stack[-1].numbered and stack[-1].rank > RANK_DECIMAL:
        if stack[-1].lettered and _is_of_form(heading):
            break
        stack.pop()
