"""Running headers and footers of a document: by position, repetition, page number and type. Pure."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence

from pincite.corpus.layout import PlacedLine

MARGIN_SHARE = 0.14
"""Running lines stand in the outer seventh of the sheet."""

EDGE_SHARE = 0.09
"""Lines that nothing repeats are furniture only in the outer eleventh: a page number, the stamp of a download."""

SHARED_WORDS = 3
SHARED_LETTERS = 12
"""Words, and letters in them, that a changing header keeps; "Article 12 Scope" keeps fewer."""

LARGE = 1.4
"""Of the size of the text: running headers are smaller."""

_DIGITS = re.compile(r"\d+")
_ROMAN = re.compile(r"\b[ivxlc]+\b", re.IGNORECASE)
_BESIDE_NUMBER = re.compile(r"^\W*\d|\d\W*$")
_NUMBER = r"(\d{1,4}|[ivxlc]{1,7}|([a-z]{1,2}|\d{1,2})[-–]\d{1,3})"
_PAGE_NUMBER = re.compile(
    rf"^[-–—|\[(]?\s*(page|pagina|pag\.|blz\.|p\.|seite|s\.|feuille)?\s*{_NUMBER}"
    rf"(\s*(/|of|van|von|de|sur|\|)\s*{_NUMBER})?\s*[-–—|\])]?$",
    re.IGNORECASE,
)
"""The whole line is a page number: "Page 3 of 12", "- 3 -", "xii", "A-3", "3/12"."""


_NOTE = re.compile(r"^([*†‡§¶]|\(?\d{1,3}[).]?\s|[a-z][).])")
"""What a footnote begins with: it may stand as low as a footer."""


def furniture_of(pages: Sequence[Sequence[PlacedLine]]) -> set[int]:
    """Return the ``id`` of every placed line that is a running header or footer.

    A line in the outer margin is one when the same words stand at the same height on three sheets (on two of a file of
    two or three). Lines that differ in digits only count when the digits follow the sheets (page numbers): "Article
    12" at the top of one sheet and "Article 13" at the top of the next are body. A header that names the chapter
    changes from sheet to sheet: it keeps its first or last words at one height on two fifths of the sheets, or is
    always the outermost line, in type smaller than the text. A line that the text below runs on from is body, however
    often it is repeated.
    """
    enough = 2 if len(pages) <= 3 else 3
    found = _repeated(pages, enough) | _changing_headers(pages, enough)
    found = _outside_text(pages, found)
    size = _body_size(pages)
    times = Counter(_masked(p.line.text) for lines in pages for p in lines if id(p) in found)
    # A header may stand close above the text; then it stands there on most sheets.
    usual = {text for text, count in times.items() if count >= 0.4 * len(pages)}
    found -= {
        id(p)
        for lines in pages
        for i, p in enumerate(lines)
        if id(p) in found and _runs_on(lines, i, size, reach=1.5 if _masked(p.line.text) in usual else 2.6)
    }
    found |= _running_titles(pages, found, size)
    found |= _at_the_edge(pages, found, size)
    return found - _titles_of_sheets(pages, found, size)


def _titles_of_sheets(pages: Sequence[Sequence[PlacedLine]], found: set[int], size: float) -> set[int]:
    """Return the lines in much larger type than the text, each where it is first printed: a title over its sheets.

    What a third of the sheets repeat, or what says the page, is a running header in any type.
    """
    first: dict[str, int] = {}
    times: Counter[str] = Counter()
    for lines in pages:
        for placed in lines:
            text = placed.line.text
            large = placed.line.size >= LARGE * size and sum(c.isalpha() for c in text) >= 4
            if id(placed) in found and large and not placed.askew and not _BESIDE_NUMBER.search(text):
                first.setdefault(text, id(placed))
                times[text] += 1
    return {line for text, line in first.items() if 3 * times[text] < len(pages)}


def _masked(text: str) -> str:
    return _ROMAN.sub("#", _DIGITS.sub("#", " ".join(text.lower().split())))


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(n[:9]) for n in _DIGITS.findall(text))


def _share(placed: PlacedLine) -> float:
    return placed.top / max(placed.height, 1.0)


def _repeated(pages: Sequence[Sequence[PlacedLine]], enough: int) -> set[int]:
    candidates: defaultdict[tuple[str, bool], list[tuple[int, PlacedLine]]] = defaultdict(list)
    for number, lines in enumerate(pages):
        for placed in lines:
            share = _share(placed)
            if not placed.in_table and (share <= MARGIN_SHARE or share >= 1 - MARGIN_SHARE or placed.askew):
                candidates[_masked(placed.line.text), share < 0.5].append((number, placed))
    found: set[int] = set()
    for (_, at_top), group in candidates.items():
        heights = [p.top if at_top else p.height - p.top for _, p in group]
        for height in {round(h / 3) for h in heights}:
            near = [group[i] for i, h in enumerate(heights) if abs(h - 3 * height) <= 4.5]
            if len({n for n, _ in near}) < enough:
                continue
            texts = Counter(p.line.text for _, p in near)
            steps = Counter(v - n for n, p in near for v in set(_numbers(p.line.text)) if _DIGITS.search(p.line.text))
            follows = {step for step, times in steps.items() if times >= enough and times * 2 >= len(near)}
            for n, p in near:
                numbers = _numbers(p.line.text)
                roman = not numbers and _masked(p.line.text).strip("-–—. |") in {"#", "page #"}
                if texts[p.line.text] >= enough or roman or any(v - n in follows for v in numbers):
                    found.add(id(p))
    return found


def _changing_headers(pages: Sequence[Sequence[PlacedLine]], enough: int) -> set[int]:
    shared: defaultdict[tuple[str, str, int], dict[int, int]] = defaultdict(dict)
    for number, lines in enumerate(pages):
        for placed in lines:
            if placed.in_table or MARGIN_SHARE < _share(placed) < 1 - MARGIN_SHARE:
                continue
            words = _masked(placed.line.text).split()
            if len(words) <= SHARED_WORDS:
                continue
            for end, key in (("first", words[:SHARED_WORDS]), ("last", words[-SHARED_WORDS:])):
                if sum(len(word) for word in key if word != "#") >= SHARED_LETTERS and "#" not in key:
                    shared[end, " ".join(key), round(placed.top / 3)][number] = id(placed)
    wanted = max(enough, 0.4 * len(pages))
    return {found for on_sheets in shared.values() if len(on_sheets) >= wanted for found in on_sheets.values()}


def _body_size(pages: Sequence[Sequence[PlacedLine]]) -> float:
    letters: Counter[float] = Counter()
    for lines in pages:
        for placed in lines:
            letters[placed.line.size] += len(placed.line.text)
    return letters.most_common(1)[0][0] if letters else 10.0


def _outside_text(pages: Sequence[Sequence[PlacedLine]], found: set[int]) -> set[int]:
    """Return the found lines without those that stand inside the text: some other line is nearer to the edge.

    What two fifths of the sheets repeat is furniture all the same: a stamp may stand above it.
    """
    times = Counter(_masked(p.line.text) for lines in pages for p in lines if id(p) in found)
    out: set[int] = set()
    for lines in pages:
        for at_top in (True, False):
            side = sorted(
                (p for p in lines if not p.in_table and not p.askew and (_share(p) < 0.5) == at_top),
                key=lambda p: p.top if at_top else -p.top,
            )
            # The height of the outermost line that is not furniture: lines beside it are as far out as it is.
            edge = next((p.top for p in side if id(p) not in found), None)
            for p in side:
                nearer = edge is None or (p.top <= edge + 3 if at_top else p.top >= edge - 3)
                if id(p) in found and (nearer or times[_masked(p.line.text)] >= 0.4 * len(pages)):
                    out.add(id(p))
        out.update(id(p) for p in lines if p.askew and id(p) in found)
    return out


def _runs_on(lines: Sequence[PlacedLine], i: int, size: float, *, reach: float) -> bool:
    """Return whether line ``i`` is in the type of the text, which goes on below it or came right above it.

    ``reach``: largest distance between the two, in multiples of the type size.
    """
    placed = lines[i]
    j = i + 1 if _share(placed) < 0.5 else i - 1
    if placed.askew or not 0 <= j < len(lines) or abs(placed.line.size - size) > 0.3:
        return False
    other = lines[j]
    alike = abs(other.line.size - placed.line.size) <= 0.3 and other.line.bold == placed.line.bold
    return alike and 0 < abs(other.top - placed.top) <= reach * placed.line.size


def _outermost(lines: Sequence[PlacedLine], found: set[int], *, at_top: bool) -> list[PlacedLine]:
    """Return what stands next to the edge, furniture that was found left out: the lines of one height."""
    rest = [p for p in lines if id(p) not in found and not p.in_table and not p.askew]
    if not rest:
        return []
    edge = min(p.top for p in rest) if at_top else max(p.top for p in rest)
    return [p for p in rest if abs(p.top - edge) <= 3]


def _gap(lines: Sequence[PlacedLine], placed: PlacedLine, *, at_top: bool) -> float:
    """Return the distance in points to the nearest line further in."""
    tops = [p.top for p in lines if (p.top > placed.top + 3 if at_top else p.top < placed.top - 3)]
    return abs((min(tops) if at_top else max(tops)) - placed.top) if tops else 0.0


def _running_titles(pages: Sequence[Sequence[PlacedLine]], found: set[int], size: float) -> set[int]:
    """Return headers that name the section alone: outermost at one height on half of the sheets, in small type."""
    out: set[int] = set()
    for at_top in (True, False):
        slots: defaultdict[tuple[int, float], list[int]] = defaultdict(list)
        for lines in pages:
            for placed in _outermost(lines, found, at_top=at_top):
                share = _share(placed) if at_top else 1 - _share(placed)
                small = placed.line.size <= size - 0.4
                if share <= MARGIN_SHARE and small and _gap(lines, placed, at_top=at_top) > 1.6 * placed.line.size:
                    slots[round(placed.top / 3), placed.line.size].append(id(placed))
        for keys in slots.values():
            if len(keys) >= max(4, 0.5 * len(pages)):
                out.update(keys)
    return out


def _at_the_edge(pages: Sequence[Sequence[PlacedLine]], found: set[int], size: float) -> set[int]:
    """Return lone page numbers, and lines in small type next to the edge, apart from all text: nothing repeats them."""
    out: set[int] = set()
    for lines in pages:
        if len(lines) < 4:
            continue
        for at_top in (True, False):
            for _ in range(3):
                row = _outermost(lines, found | out, at_top=at_top)
                taken = False
                for placed in row:
                    share = _share(placed) if at_top else 1 - _share(placed)
                    gap = _gap(lines, placed, at_top=at_top)
                    note = not at_top and _NOTE.match(placed.line.text)
                    number = bool(_PAGE_NUMBER.match(placed.line.text.strip())) and gap > 1.4 * placed.line.size
                    apart = placed.line.size <= size - 0.9 and gap > 1.8 * placed.line.size and not note
                    if share <= EDGE_SHARE and (number or apart):
                        out.add(id(placed))
                        taken = True
                if not taken:
                    break
    return out
