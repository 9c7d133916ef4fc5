"""Headings found line by line → those that the document as a whole bears out. Pure.

One line cannot tell whether "3. Notify the members" is the third chapter or the third step of a list, nor whether a
bold line is a heading. The numbers before and after it can, the type of the headings that are certain, and what the
list of contents leaves out.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from itertools import pairwise
from statistics import median

from pincite.corpus.contents import squeezed
from pincite.corpus.headings import RANK_ARTICLE, RANK_DECIMAL, Heading, parts_of
from pincite.corpus.typography import Look, Printed, Style

_MASKED = re.compile(r"\d+|\b[A-Z]\b|\b[IVXLC]+\b")
_SAYS_PAGE = re.compile(r"\b(page|pagina|blz\.?|seite)\s+[\w.-]{1,6}(\s*(of|van|von|/)\s*\d+)?$", re.IGNORECASE)
_CONTINUED = re.compile(r"\W*\b(continued|cont['’]?d|cont\.|vervolg(d)?|fortsetzung|forts\.|suite)\W*$", re.IGNORECASE)
RUNNING = 3
"""Sheets whose edge shows the same words before they are taken for a running header; with the same number, 2 do."""
LEAST_ITEMS = 4
"""Numbered headings without text below them that make a list."""

LEAST_ALIKE = 3
"""Headings of one look, known by nothing else, before they are believed."""


def believed(found: Sequence[Heading], printed: Printed) -> list[Heading]:
    """Return the headings without running headers, entries of lists and what a list of contents would have named."""
    kept = _without_repeats(_without_faint(_without_running(found, printed), printed), printed)
    if printed.is_listed:
        kept = _without_strangers(kept, printed)
    _demote_annexes(kept, printed)
    out: list[Heading] = []
    for part in _parts(kept):
        out += _in_sequence(_without_lists(part, printed), printed)
    return _as_listed(out, printed) if printed.is_listed else out


def outranks(a: Style, b: Style) -> bool:
    """Return whether type ``a`` stands above ``b``: larger, or as large and bold or in capitals where b is not."""
    if abs(a[0] - b[0]) > 0.75:
        return a[0] > b[0]
    return a[1:] > b[1:]


def _without_running(found: Sequence[Heading], printed: Printed) -> list[Heading]:
    """Return the headings without those at the edge of sheets that differ in numbers only from sheet to sheet."""
    first: dict[int, int] = {}
    last: dict[int, int] = {}
    for i, line in enumerate(printed.lines):
        first.setdefault(line.page, i)
        last[line.page] = i
    sheets: defaultdict[tuple[str, str], set[int]] = defaultdict(set)
    at_edge: dict[int, tuple[str, str]] = {}
    for heading in found:
        page = printed.lines[heading.line].page
        if heading.line not in printed.named and (heading.line <= first[page] + 1 or heading.last >= last[page] - 1):
            # "Article 12 Fees", "Article 13 Fees" are no running header: a number of its own is not masked.
            at_edge[heading.line] = (heading.number, _MASKED.sub("#", heading.title))
            sheets[at_edge[heading.line]].add(page)
    running = {
        line
        for line, said in at_edge.items()
        if len(sheets[said]) >= (2 if said[0] else RUNNING) or _SAYS_PAGE.search(printed.lines[line].text)
    }
    return [h for h in found if h.line not in running]


def _without_faint(found: Sequence[Heading], printed: Printed) -> list[Heading]:
    """Return the headings without faint ones whose look is that of few headings, or of text too.

    Who sets headings in italics does so throughout; italics that also run through paragraphs are for emphasis.
    """
    alike: Counter[Look] = Counter(h.look for h in found if not h.number)
    wanted = {h.look for h in found if h.faint and alike[h.look] >= LEAST_ALIKE}
    if not wanted:
        return [h for h in found if not h.faint]
    inside = {i for h in found for i in range(h.line, h.last + 1)}
    others: Counter[Look] = Counter()
    for i in range(printed.first_text, len(printed.lines)):
        if i not in inside and i not in printed.contents and not printed.in_table[i]:
            look = printed.look(i)
            if look in wanted:
                others[look] += 1
    return [h for h in found if not h.faint or (h.look in wanted and others[h.look] < alike[h.look])]


def _without_repeats(found: Sequence[Heading], printed: Printed) -> list[Heading]:
    """Return the headings without those printed again where their section goes on over the page.

    Such a one says "(continued)", or stands at the top of the sheet after the one that the same heading begins on.
    """
    out: list[Heading] = []
    before: tuple[str, Look] | None = None
    page = 0
    for heading in found:
        title = squeezed(_CONTINUED.sub("", heading.title))
        own = printed.lines[heading.line].page
        at_top = heading.line < 3 or printed.lines[heading.line - 3].page != own
        again = before == (title, heading.look) and own > page
        if again and title and (at_top or _CONTINUED.search(heading.title)):
            page = own
            continue
        out.append(heading)
        before, page = (title, heading.look), own
    return out


def _without_strangers(found: Sequence[Heading], printed: Printed) -> list[Heading]:
    """Return the headings without parts, chapters and sections by name where the list names none by that name.

    "Part 3: Application" above the first chapter is the title; "Section 2 explains" is a sentence. Annexes stay: lists
    leave them out.
    """
    words = {h.number.split()[0] for h in found if h.line in printed.named and h.rank < RANK_ARTICLE and h.number}
    return [
        h
        for h in found
        if h.line in printed.named or h.restarts or not 10 <= h.rank < 50 or h.number.split()[0] in words
    ]


def _demote_annexes(found: Sequence[Heading], printed: Printed) -> None:
    """Set annexes that no list names below those that it names: a form printed in an annex may have its own.

    Such an annex has a number that a named one has too, or lesser type than any of those, or follows on such a one.
    """
    named = [h for h in found if h.restarts and h.line in printed.named]
    numbers = {h.number for h in named}
    letter = ""
    """Of the demoted annex before."""
    for heading in found:
        if not named or not heading.restarts:
            continue
        if heading.line in printed.named:
            letter = ""
            continue
        own = heading.number[-1:]
        follows = bool(letter) and heading.number[-2:-1] == " " and ord(letter) < ord(own) <= ord(letter) + 2
        if heading.number in numbers or follows or all(outranks(h.style, heading.style) for h in named):
            heading.restarts = False
            heading.rank = RANK_DECIMAL + 1
            letter = own


def _without_lists(part: Sequence[Heading], printed: Printed) -> list[Heading]:
    """Return one stretch without whole numbers that have nothing below them: a list of sources, one item each."""
    whole = [h for h in part if h.number.isdigit() and h.line not in printed.named]
    if len(whole) < LEAST_ITEMS or any(h.number.count(".") for h in part if h.number[:1].isdigit()):
        return list(part)
    lengths: list[int] = []
    for a, b in pairwise(part):
        if a.number.isdigit():
            lengths.append(b.line - a.last - 1)
    if lengths and median(lengths) >= 1:
        return list(part)
    items = {h.line for h in whole}
    return [h for h in part if h.line not in items]


def _parts(found: Iterable[Heading]) -> Iterable[list[Heading]]:
    """Yield stretches of one numbering: an annex, its sections, a part or a chapter by name may begin again at 1."""
    part: list[Heading] = []
    in_annex = False
    for heading in found:
        in_annex = heading.restarts or (in_annex and not 10 <= heading.rank < 50)
        if part and (heading.restarts or 10 <= heading.rank < 50 or (in_annex and heading.lettered)):
            yield part
            part = []
        part.append(heading)
    if part:
        yield part


def _in_sequence(part: Sequence[Heading], printed: Printed) -> list[Heading]:
    """Return one stretch without decimal numbers that break its count."""
    decimal = [h for h in part if h.rank >= RANK_DECIMAL and h.number[:1].isdigit()]
    if not decimal:
        return list(part)
    dropped: set[int] = set()
    certain = {h.line for h in decimal if h.line in printed.named}
    numbers = {h.line: parts_of(h.number) for h in decimal}
    # Of two headings with one number, the one that is named or larger stands; of equals the first.
    best: dict[tuple[str, ...], Heading] = {}
    for heading in decimal:
        number = numbers[heading.line]
        if len(number) < 2:
            continue
        other = best.setdefault(number, heading)
        if other is heading:
            continue
        if (heading.line in certain, outranks(heading.style, other.style)) > (other.line in certain, False):
            dropped.add(other.line)
            best[number] = heading
        else:
            dropped.add(heading.line)
    nested = [h for h in decimal if len(numbers[h.line]) > 1 and h.line not in dropped]
    sure = [h for h in nested if h.line in certain] or nested
    lines = [h.line for h in sure]
    chapters: defaultdict[int, list[Heading]] = defaultdict(list)
    for heading in decimal:
        if len(numbers[heading.line]) > 1:
            continue
        value = int(numbers[heading.line][0])
        at = bisect_right(lines, heading.line)
        before = int(numbers[lines[at - 1]][0]) if at else -1
        after = int(numbers[lines[at]][0]) if at < len(lines) else 1 << 30
        if heading.line not in certain and (value <= before or value > after):
            dropped.add(heading.line)
        else:
            chapters[value].append(heading)
    dropped.update(_unsupported(decimal, numbers, dropped))
    opened = {int(numbers[h.line][0]) for h in nested}
    _choose_chapters(chapters, opened, certain, dropped)
    return [h for h in part if h.line not in dropped]


def _unsupported(
    decimal: Sequence[Heading], numbers: dict[int, tuple[str, ...]], dropped: Collection[int]
) -> Iterable[int]:
    """Yield the weak headings whose number goes on from none before: neither parent nor elder was seen."""
    seen: set[tuple[str, ...]] = set()
    for heading in decimal:
        number = numbers[heading.line]
        if heading.line in dropped:
            continue
        if heading.weak and len(number) > 1 and number[-1].isdigit():
            elder = (*number[:-1], str(int(number[-1]) - 1))
            if not (elder in seen or (number[-1] == "1" and number[:-1] in seen)):
                yield heading.line
                continue
        seen.add(number)


def _choose_chapters(
    chapters: dict[int, list[Heading]], opened: set[int], certain: set[int], dropped: set[int]
) -> None:
    """Add to ``dropped`` what cannot be chapter 1, 2, 3 …: doubles, and lesser type than the chapters that are sure."""
    known = [h.style for some in chapters.values() for h in some if h.line in certain]
    if not known:
        known = [some[-1].style for value, some in chapters.items() if value in opened]
    for value, some in chapters.items():
        if any(h.line in certain for h in some):
            dropped.update(h.line for h in some if h.line not in certain)
            continue
        rest = [h for h in some if not known or not all(outranks(style, h.style) for style in known)]
        dropped.update(h.line for h in some if h not in rest)
        if len(rest) > 1:
            # The one that its sections follow is the last before them; otherwise the first that was printed.
            chosen = rest[-1] if value in opened else rest[0]
            dropped.update(h.line for h in rest if h is not chosen)


def _as_listed(found: Sequence[Heading], printed: Printed) -> list[Heading]:
    """Return the headings without unnumbered ones in the type of those that the list names in the same chapter.

    Lists of contents are made from type: what looks like a listed heading and is not listed was not meant as one. What
    stands above the first listed heading (foreword, abstract), and lesser type than any listed, a list leaves out.
    """
    named = [h for h in found if h.line in printed.named]
    if len(named) < len(printed.named) // 2 or not named:
        return list(found)
    levels = [printed.named[h.line].level for h in named]
    top = min(levels)
    starts = [h.line for h, level in zip(named, levels, strict=True) if level == top]
    styles: defaultdict[int, list[Style]] = defaultdict(list)
    for heading in named:
        styles[bisect_right(starts, heading.line)].append(heading.style)
    out: list[Heading] = []
    for heading in found:
        if not heading.numbered and heading.line not in printed.named and heading.line > named[0].line:
            listed = styles[bisect_right(starts, heading.line)]
            if not listed or not all(outranks(style, heading.style) for style in listed):
                continue
        out.append(heading)
    return out
