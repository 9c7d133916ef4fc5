"""What is printed around a table: its caption and the notes that its marks lead to. Pure.

Both may stand inside the frame, as a first or last row that is one cell. As in ``lattice``, y grows downwards.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from pincite.corpus.draft import Draft, cell_text
from pincite.corpus.layout import Word, rows_of, text_of
from pincite.types import Cell

CAPTION = re.compile(
    r"^(?i:table|tabel|tabelle|tableau|tab\.|tabla)\s*(\d[\w.\-–]*|[A-Z]([.\-–]?\d+)*|[IVXLC]+)(\s*[.:–—-]|\s*$|\s+[^a-z\s])"
)
"""A sentence that begins with "Table 1 summarizes" is no caption."""
_TITLE = re.compile(r"^(?i:table|tabel|tabelle|tableau|tab\.|tabla|exhibit|figure|figuur|box|overzicht)\s*\d")
"""Of a first row that is one cell; there "Box 2" and "Exhibit 9" are captions too."""
_MARK = re.compile(r"^(\*+\)?|[†‡§¹²³⁴-⁹]+\)?|\(?\d{1,2}\)|\d{1,2}(?=\s[A-Z])|\(?[a-z]\))\s*\S")
_NOTE = re.compile(r"^(notes?|opmerking(en)?|anmerkung(en)?|remarque|source|bron|quelle)\b", re.IGNORECASE)


def without_frame_text(drafts: list[Draft]) -> tuple[list[Draft], list[str], tuple[str, ...]]:
    """Return the cells without the caption and the notes that are printed inside the frame, and those texts."""
    last = max(d.place.c1 for d in drafts)
    height = max(d.place.r1 for d in drafts) + 1
    whole = {d.place.r0: cell_text(d.words) for d in drafts if d.place.c0 == 0 and d.place.c1 == last and last > 0}
    first, end = 0, height
    titles: list[str] = []
    while first < height - 2 and first in whole and (not whole[first] or _TITLE.match(whole[first])):
        titles += [" ".join(whole[first].split())] if whole[first] else []
        first += 1
    remarks: list[str] = []
    while end > first + 2 and end - 1 in whole and (not whole[end - 1] or _is_remark(whole[end - 1])):
        remarks[:0] = [" ".join(whole[end - 1].split())] if whole[end - 1] else []
        end -= 1
    if not titles and not remarks:
        return drafts, [], ()
    first = first if titles else 0
    end = end if remarks else height
    kept = [
        d._replace(place=d.place._replace(r0=d.place.r0 - first, r1=d.place.r1 - first))
        for d in drafts
        if first <= d.place.r0 and d.place.r1 < end
    ]
    return kept, titles, tuple(remarks)


def is_note(text: str) -> bool:
    """Return whether a line begins a note: "Note", "Source", in four languages.

    >>> is_note("Anmerkung: ohne Last"), is_note("Notebook")
    (True, False)
    """
    return bool(_NOTE.match(text))


def _is_remark(text: str) -> bool:
    """Return whether the last row, one cell, says something about the table: a note, a source, a whole sentence."""
    return bool(_NOTE.match(text)) or (text[:1].isupper() and text.rstrip().endswith(".") and len(text.split()) >= 10)


def caption_of(outside: Sequence[Word], top: float, bottom: float) -> str:
    """Return the line "Table 3 …" right above the table, or right below it; "" when there is none."""
    above = rows_of([w for w in outside if top - 60 <= w.y1 <= top + 2])
    for i in range(len(above) - 1, max(len(above) - 4, -1), -1):
        if CAPTION.match(text_of(above[i])):
            return " ".join(text_of(row) for row in above[i:])
    below = rows_of([w for w in outside if bottom - 2 <= w.y0 <= bottom + 24])
    if below and CAPTION.match(text_of(below[0])):
        return text_of(below[0])
    return ""


def footnotes_of(outside: Sequence[Word], cells: tuple[Cell, ...], bottom: float, size: float) -> tuple[str, ...]:
    """Return the notes printed right below the table: lines that begin with a mark, or with "Note".

    Args:
        size: type size of the table's text, in points. A larger line ("2 Performance") is a heading, not note 2.
    """
    notes: list[str] = []
    edge, left = bottom, 0.0
    note: Word | None = None
    for row in rows_of([w for w in outside if bottom - 2 <= w.y0 <= bottom + 160]):
        text, first = text_of(row), row[0]
        if min(w.y0 for w in row) - edge > 1.3 * size + 4 or first.size > size + 0.6:
            break
        mark = _MARK.match(text)
        if _NOTE.match(text) or (mark and _has_mark(mark.group(1).strip("()"), cells)):
            notes.append(text)
            note = row[-1]
            left = first.x0
        elif note is not None and _goes_on(note, left, first):
            notes[-1] += " " + text
            note = row[-1]
        else:
            break
        edge = max(w.y1 for w in row)
    return tuple(notes)


def _goes_on(note: Word, left: float, first: Word) -> bool:
    """Return whether a line that begins with ``first`` continues the note whose line above ends with ``note``.

    It is set alike and begins below the note or hangs below its text; the axis of a drawing does not.
    """
    alike = abs(first.size - note.size) <= 0.3 and first.bold == note.bold
    return alike and left - 2 <= first.x0 <= left + 3 * note.size and first.y0 - note.y0 <= 1.7 * note.size


def _has_mark(mark: str, cells: tuple[Cell, ...]) -> bool:
    if not mark:
        return False
    pattern = re.compile(
        rf"(?<![\w]){re.escape(mark)}\)|(?<=\S){re.escape(mark)}\)?(\s|$)|(^|\s)\(?{re.escape(mark)}\)(\s|$)"
    )
    return any(pattern.search(cell.text) for cell in cells)
