"""Footnotes: taken out of the text that runs over the page, bound to the marks that they belong to. Pure."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from pincite.corpus.figures import is_caption
from pincite.corpus.layout import PlacedLine
from pincite.types import Note, Table

SMALLER_PT = 0.7
"""Notes are set at least this much smaller than the text."""

LOWER_SHARE = 0.35
"""Notes begin below this share of the sheet's height; a page may be half notes."""

_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_UP = {digit: raised for raised, digit in zip("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789", strict=True)}
_MARK = re.compile(
    r"^(?P<mark>[*†‡§¶]{1,3}|[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3}|\d{1,3}|[a-z])(?P<end>[).]?)\s?(?=[^\W\d_]|[\"'“‘„«(<\d])"
)
_SENTENCE_END = re.compile(r"[.!?:;]['\"’”)\]]*$")


@dataclass(slots=True)
class Draft:
    """A note before the lines of the document are counted."""

    mark: str
    lines: list[PlacedLine] = field(default_factory=list[PlacedLine])
    raised: bool = False
    home: PlacedLine | None = None
    at: int | None = None


def notes_of(
    pages: Sequence[Sequence[PlacedLine]], running: set[int], tables: Sequence[Table] = ()
) -> tuple[list[Draft], set[int]]:
    """Return the footnotes of all pages and the ``id`` of every placed line that is part of one.

    A note stands in small type below the text of its column and begins with a mark. It is believed when the mark is
    found in the text of its page, is raised, is no letter or figure, or counts on from the note before it. Notes of a
    table are left to it.
    """
    of_tables: defaultdict[int, str] = defaultdict(str)
    for table in tables:
        of_tables[table.page] += "\n".join(table.footnotes)
    size = _body_size(pages)
    notes: list[Draft] = []
    for lines in pages:
        here = [p for p in lines if id(p) not in running and p.line.text not in of_tables.get(p.line.page, "")]
        used: set[tuple[int, int]] = set()
        for start, end in _feet(here, size):
            notes += _read(here, start, end, used, notes[-1] if notes else None)
    return notes, {id(p) for note in notes for p in note.lines}


def bound(drafts: Sequence[Draft], index: Mapping[int, int]) -> tuple[Note, ...]:
    """Return the notes with the place of their mark; ``index``: ``id`` of a placed line → index in the document."""
    out: list[Note] = []
    for draft in drafts:
        line = index.get(id(draft.home), 0) if draft.home is not None else 0
        out.append(Note(draft.mark, tuple(p.line for p in draft.lines), line, draft.at))
    return tuple(out)


def _body_size(pages: Sequence[Sequence[PlacedLine]]) -> float:
    letters: Counter[float] = Counter()
    for lines in pages:
        for placed in lines:
            if not placed.in_table:
                letters[placed.line.size] += len(placed.line.text)
    return letters.most_common(1)[0][0] if letters else 10.0


def _feet(lines: Sequence[PlacedLine], size: float) -> list[tuple[int, int]]:
    """Return half-open runs of lines in small type that nothing in the size of the text stands below."""
    out: list[tuple[int, int]] = []
    i = 0
    while i < len(lines):
        if not _is_small(lines[i], size):
            i += 1
            continue
        j = i
        while j < len(lines) and _is_small(lines[j], size):
            j += 1
        start = i
        while start < j and not _MARK.match(lines[start].line.text):
            start += 1
        if start < j and not any(_is_below(p, lines[start]) for p in lines if not _is_small(p, size)):
            out.append((i, j))
        i = j
    return out


def _is_small(placed: PlacedLine, size: float) -> bool:
    small = placed.line.size <= size - SMALLER_PT and placed.top > LOWER_SHARE * placed.height
    return small and not placed.in_table and not placed.askew


def _is_below(placed: PlacedLine, note: PlacedLine) -> bool:
    """Return whether a line stands below the note in its column."""
    overlap = min(placed.line.box[2], note.line.box[2]) - max(placed.line.box[0], note.line.box[0])
    return placed.top > note.top + 2 and overlap > 0 and not placed.askew


def _read(
    lines: Sequence[PlacedLine], start: int, end: int, used: set[tuple[int, int]], before: Draft | None
) -> list[Draft]:
    found: list[Draft] = []
    waiting: list[PlacedLine] = []
    for placed in lines[start:end]:
        match = _MARK.match(placed.line.text)
        draft = _draft(placed, match, [*lines[:start], *lines[end:]], used, found) if match else None
        if draft is not None:
            found.append(draft)
        elif not found:
            waiting.append(placed)
        elif _goes_on(found[-1].lines[-1], placed):
            found[-1].lines.append(placed)
        else:
            break
    last = before.lines[-1].line if before else None
    if before and last and waiting and found and last.page == waiting[0].line.page - 1:
        # The end of a note that did not fit on the sheet before.
        before.lines += [] if _SENTENCE_END.search(last.text) else waiting
    return found


def _goes_on(last: PlacedLine, placed: PlacedLine) -> bool:
    """Return whether a line continues a note: right below it in its type, and no caption."""
    close = 0 < placed.top - last.top <= 1.9 * last.line.size
    return close and abs(placed.line.size - last.line.size) <= 0.6 and not is_caption(placed.line.text)


def _draft(
    placed: PlacedLine,
    match: re.Match[str],
    body: Sequence[PlacedLine],
    used: set[tuple[int, int]],
    found: Sequence[Draft],
) -> Draft | None:
    mark = match["mark"].translate(_RAISED)
    raised = mark != match["mark"] or any(at == 0 for _, at in placed.marks)
    counts_on = bool(found) and mark.isdigit() and found[-1].mark.isdigit() and int(mark) == int(found[-1].mark) + 1
    home = _home(mark, body, used)
    if mark.isalpha() and not match["end"] and not raised:
        # "a member" begins with an article.
        return None
    if found and mark.isdigit() and found[-1].mark.isdigit() and not counts_on and not raised:
        # A year or number at the beginning of a line that goes on.
        return None
    if home is None and not raised and not counts_on and mark.isalnum():
        return None
    draft = Draft(mark, [placed], raised, body[-1] if body else None)
    above = [p for p in body if p.top < placed.top]
    if above:
        draft.home = above[-1]
    if home is not None:
        draft.home, draft.at = body[home[0]], home[1]
        used.add(home)
    return draft


def _home(mark: str, body: Sequence[PlacedLine], used: set[tuple[int, int]]) -> tuple[int, int] | None:
    """Return the line, as an index in ``body``, and the offset where the mark stands; raised ones first."""
    for i, placed in enumerate(body):
        for said, at in placed.marks:
            if said.strip("().,").translate(_RAISED) == mark and (i, at) not in used:
                return i, at
    if mark.isdigit():
        # Raised as the reader writes it: "fee¹"; not the power of a unit, "m²" or "10³".
        said = "".join(_UP[digit] for digit in mark)
        raised = re.compile(rf"(?<![⁰¹²³⁴-⁹⁻⁺])(?<!\b[cdkm]m)(?<!\bm)(?<!10){said}(?![⁰¹²³⁴-⁹])")
        for i, placed in enumerate(body):
            for match in raised.finditer(placed.line.text):
                if (i, match.start()) not in used:
                    return i, match.start()
    escaped = re.escape(mark)
    # Right behind a word or its punctuation: "fee3", "fee.3", "fee*"; not "IE3", "2.5" or "3 years".
    pattern = re.compile(rf"(?:(?<=[a-zà-ÿ]{{2}})|(?<=[a-zà-ÿ)\]”\"’][.,;:)\]”\"’])){escaped}(?![\w.,]*\d)(?!\w)")
    for i, placed in enumerate(body):
        match = pattern.search(placed.line.text)
        if match and (i, match.start()) not in used:
            return i, match.start()
    return None
