"""Figures and curves of a page: what is drawn beside a caption, and the words printed inside. Pure.

Everything is in the upright frame of the page. Without a caption a picture is kept for the viewer, but takes no words:
text printed over a photograph or a coloured ground is text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from pincite.corpus.layout import Word, box_of, rows_of, text_of
from pincite.types import Box, Line

_NAME = re.compile(r"^(figure|fig\.|figuur|afbeelding|afb\.|abbildung|abb\.|bild|schéma)$", re.IGNORECASE)
_CAPTION = re.compile(
    r"^(?i:figure|fig\.|figuur|afbeelding|afb\.|abbildung|abb\.|bild|schéma)\s*"
    r"(\d+[a-z]?(?:[.\-–]\w+)*|[A-Z](?:[.\-–]?\d+)*|[IVXLC]+)(?![\w\-–])"
    r"(\s*[.:–—](?=\s|$)|\s+[-–—]\s|\s*$|\s+[^a-z\s\-–—])"
)
"""A sentence that begins with "Figure 1 shows" is no caption."""

NEAR_PT = 45.0
"""Widest white between a picture and its caption."""
APART_PT = 18.0
"""Widest white between two parts of one drawing."""
LABEL_PT = 16.0
"""How far outside the drawn lines the numbers of an axis stand."""
SMALLEST_PT = 40.0
"""Height and width of the smallest figure: what is smaller is a logo or a sign in the text."""
MAX_OBJECTS = 4000
"""Drawn things of one page that are looked at."""


@dataclass(slots=True)
class FigureDraft:
    """A figure before its lines are made; boxes in the frame."""

    box: Box
    words: list[Word] = field(default_factory=list[Word])
    caption: Word | None = None
    """First word of the caption."""


def is_caption(text: str) -> bool:
    """Return whether a line is the caption of a figure."""
    return bool(_CAPTION.match(text))


def find_figures(words: Sequence[Word], drawn: Sequence[Box], pictures: Sequence[Box], sheet: Box) -> list[FigureDraft]:
    """Return the figures of a page from the top down; what is handed in lies outside tables."""
    objects = [_within(b, sheet) for b in (*drawn[:MAX_OBJECTS], *pictures)]
    objects = [b for b in objects if b[2] >= b[0] and b[3] >= b[1] and not _covers(b, sheet)]
    out: list[FigureDraft] = []
    if objects:
        for caption in _captions(words):
            box = _beside(caption, objects, [w for w in words if w is not caption[0]])
            if box is None or any(_overlap(box, other.box) for other in out):
                continue
            draft = FigureDraft(box, caption=caption[0])
            draft.words = _inside(box, words, caption)
            if _is_prose(draft.words):
                # A framed text with a caption: it is read as text.
                draft.words = []
            out.append(draft)
    area = (sheet[2] - sheet[0]) * (sheet[3] - sheet[1])
    for b in (_within(b, sheet) for b in pictures):
        large = (b[2] - b[0]) * (b[3] - b[1]) >= 0.03 * area and min(b[2] - b[0], b[3] - b[1]) >= SMALLEST_PT
        if large and not _covers(b, sheet) and not any(_overlap(b, other.box) for other in out):
            out.append(FigureDraft(b))
    return sorted(out, key=lambda d: (-d.box[3], d.box[0]))


def _captions(words: Sequence[Word]) -> Iterator[list[Word]]:
    """Yield the words of each line, up to a wide gap, that begins a caption."""
    if not any(_NAME.match(w.text) for w in words):
        return
    for row in rows_of([w for w in words if not w.turn and w.text]):
        start = 0
        for i, (a, b) in enumerate(pairwise(row), 1):
            if b.x0 - a.x1 > max(9.0, a.size):
                if is_caption(text_of(row[start:i])):
                    yield row[start:i]
                start = i
        if is_caption(text_of(row[start:])):
            yield row[start:]


def _beside(caption: Sequence[Word], objects: Sequence[Box], words: Sequence[Word]) -> Box | None:
    """Return the box of what is drawn above the caption, else below it; None when nothing of a figure's size is."""
    x0, y0, x1, y1 = box_of(caption)
    for above in (True, False):
        first = [
            b
            for b in objects
            if (b[1] >= y1 - 6 and b[1] - y1 <= NEAR_PT if above else b[3] <= y0 + 6 and y0 - b[3] <= NEAR_PT)
            and b[0] <= x1 + NEAR_PT
            and b[2] >= x0 - NEAR_PT
        ]
        if not first:
            continue
        box = first[0]
        rest = list(objects)
        grown = True
        while grown:
            near = [
                b for b in rest if _overlap(_wider(box, APART_PT), b) and (b[1] >= y1 - 6 if above else b[3] <= y0 + 6)
            ]
            grown = bool(near)
            rest = [b for b in rest if b not in near]
            for b in (*near, *first):
                box = (min(box[0], b[0]), min(box[1], b[1]), max(box[2], b[2]), max(box[3], b[3]))
        parts = [b for b in objects if _overlap(_wider(b, 0.1), box)]
        solid = any(min(b[2] - b[0], b[3] - b[1]) >= APART_PT for b in parts)
        if (solid or len(parts) > 6) and box[2] - box[0] >= SMALLEST_PT and box[3] - box[1] >= SMALLEST_PT:
            return box
    return None


def _inside(box: Box, words: Sequence[Word], caption: Sequence[Word]) -> list[Word]:
    """Return the words in the box, and the numbers and names right outside it that stand alone: those of axes."""
    own = {id(w) for w in caption}
    inner: list[Word] = []
    near = _wider(box, LABEL_PT)
    # The title of an axis stands between the picture and its caption.
    _, y0, _, y1 = box_of(caption)
    near = (near[0], min(near[1], y1), near[2], max(near[3], y0))
    for row in rows_of([w for w in words if id(w) not in own and w.text and not w.turn]):
        inside = [w for w in row if _holds(box, w)]
        inner += inside
        labels = [w for w in row if not _holds(box, w) and _holds(near, w)]
        others = [w for w in row if not _holds(near, w)]
        # The end of a sentence beside or below the picture is no label: the rest of it stands right beside it.
        joined = any(max(w.x0 - v.x1, v.x0 - w.x1) < 2 * w.size for v in labels for w in others)
        if not joined and sum(len(w.text) for w in labels) <= 60:
            inner += labels
    inner += [w for w in words if w.turn and w.text and _holds(near, w)]
    # Nothing beyond the caption belongs to the figure.
    above = box[1] >= y0
    return [w for w in inner if (w.y0 >= y0 - 1 if above else w.y1 <= y1 + 1)]


def _is_prose(words: Sequence[Word]) -> bool:
    rows = rows_of(words)
    long = [row for row in rows if sum(len(w.text) > 1 and w.text[0].isalpha() for w in row) >= 6]
    return len(long) >= 3 and len(long) > 0.4 * len(rows)


def _holds(box: Box, word: Word) -> bool:
    x, y = (word.x0 + word.x1) / 2, (word.y0 + word.y1) / 2
    return box[0] <= x <= box[2] and box[1] <= y <= box[3]


def _overlap(a: Box, b: Box) -> bool:
    return min(a[2], b[2]) > max(a[0], b[0]) and min(a[3], b[3]) > max(a[1], b[1])


def _wider(box: Box, by: float) -> Box:
    return (box[0] - by, box[1] - by, box[2] + by, box[3] + by)


def _within(box: Box, sheet: Box) -> Box:
    return (max(box[0], sheet[0]), max(box[1], sheet[1]), min(box[2], sheet[2]), min(box[3], sheet[3]))


def _covers(box: Box, sheet: Box) -> bool:
    """Return whether a thing is as large as the sheet: a scan, a coloured ground, a frame around everything."""
    wide = box[2] - box[0] >= 0.9 * (sheet[2] - sheet[0])
    return wide and box[3] - box[1] >= 0.8 * (sheet[3] - sheet[1])


def caption_lines(lines: Sequence[Line], start: int, usual: float) -> int:
    """Return how many lines from ``start`` on are a caption: it goes on in the same type right below.

    Args:
        lines: the document's lines.
        start: index of the caption's first line.
        usual: type size of the text in points; a caption in its type has one line, for nothing tells where it ends.
    """
    first = lines[start]
    if abs(first.size - usual) < 0.3 and not first.bold:
        return 1
    count = 1
    while count < 5 and start + count < len(lines):
        a, b = lines[start + count - 1], lines[start + count]
        alike = b.page == a.page and abs(a.size - b.size) < 0.2 and a.bold == b.bold and not is_caption(b.text)
        if not alike or not 0 < a.box[1] - b.box[1] <= 1.45 * a.size:
            break
        count += 1
    return count
