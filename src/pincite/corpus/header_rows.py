"""Cells of a table → how many of its upper rows are header rows. Pure.

As in ``lattice``, y grows downwards.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise

from pincite.corpus.draft import FIGURE, Draft, cell_text
from pincite.corpus.lattice import Fill
from pincite.types import Box

MAX_HEADER_ROWS = 4
MAX_SHADES = 1_000
"""Fills of a page up to which it is asked on which of them its cells stand."""
MAX_NAME = 60
"""Characters of the name of a column."""
MIN_NUMBERED = 4
PAPER = -1


def count_header_rows(drafts: Sequence[Draft], shades: Sequence[Fill]) -> int:
    """Return how many upper rows name the columns: by a ground of their own, else by what is printed in them.

    Args:
        shades: flipped fills of the page that are no paper.
    """
    return max(_by_ground(drafts, shades), _by_words(drafts))


def _by_ground(drafts: Sequence[Draft], shades: Sequence[Fill]) -> int:
    """Return how many upper rows stand on a colour that no other row has; stripes come again."""
    if not 0 < len(shades) <= MAX_SHADES:
        return 0
    rows: defaultdict[int, set[int]] = defaultdict(set)
    for draft in drafts:
        rows[draft.place.r0].add(_ground(draft.box, shades))
    height = max(d.place.r1 for d in drafts) + 1
    own = rows[0]
    if len(own) != 1 or PAPER in own:
        return 0
    count = next((r for r in range(height) if rows[r] and rows[r] != own), height)
    count = max(d.place.r1 for d in drafts if d.place.r0 < count) + 1
    last = max(d.place.c1 for d in drafts)
    groups = {d.place.r0 for d in drafts if d.place.r0 == d.place.r1 and d.place.c0 == 0 and d.place.c1 == last}
    while count > 1 and count - 1 in groups:
        count -= 1
    again = any(rows[r] == own for r in range(count, height) if r not in groups)
    # A sentence on a ground of its own is what the rows below it are about, not the name of a column.
    told = any(len(cell_text(d.words)) > MAX_NAME for d in drafts if d.place.r0 < count)
    return count if count <= min(MAX_HEADER_ROWS, height - 1) and not (again or told) else 0


def _ground(box: Box, shades: Sequence[Fill]) -> int:
    """Return the colour of the ground in the middle of a cell: the last fill covers those before it."""
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return next((c for (x0, y0, x1, y1), c in reversed(shades) if x0 <= x <= x1 and y0 <= y <= y1), PAPER)


def _by_words(drafts: Sequence[Draft]) -> int:
    """Return how many upper rows name the columns: by weight, by words over figures, by cells over several columns."""
    height = max(d.place.r1 for d in drafts) + 1
    width = max(d.place.c1 for d in drafts) + 1
    if height < 2:
        return 0

    def starting(r: int) -> list[Draft]:
        return [d for d in drafts if d.place.r0 == r and d.words]

    def bold(r: int) -> bool:
        letters = [(len(w.text), w.bold) for d in starting(r) for w in d.words]
        return bool(letters) and sum(n for n, b in letters if b) > 0.7 * sum(n for n, _ in letters)

    def figures(r: int) -> int:
        texts = [cell_text(d.words) for d in starting(r)]
        return sum(1 for text in texts if FIGURE.match(text)) - _numbered(texts)

    body_bold = sum(bold(r) for r in range(1, height)) > 0.5 * (height - 1)
    first = starting(0)
    if not first or figures(0) > 0.34 * len(first):
        return 0
    numeric_body = any(figures(r) for r in range(1, height))
    is_header = (bold(0) and not body_bold) or numeric_body or (width >= 3 and len(first) >= 2 and height >= 3)
    if not is_header:
        return 0
    end = max(d.place.r1 for d in first if d.place.c1 - d.place.c0 + 1 < width) + 1 if len(first) > 1 else 1
    # A cell over some of the columns has the names of these columns below it.
    grouped = any(d.place.c1 - d.place.c0 > 0 for d in first)
    while end < height - 1 and end < 4:
        row = starting(end)
        names = bool(row) and not figures(end)
        if names and ((grouped and end == 1) or (bold(end) and bold(0) and not body_bold)) and len(row) > 1:
            end = max(end, *(d.place.r1 for d in row)) + 1
        else:
            break
    return min(end, height - 1)


def _numbered(texts: Sequence[str]) -> int:
    """Return how many names are numbers in a row: the bits of a register, "7 6 5 4 3 2 1 0".

    >>> _numbered(["Name", "7", "6", "5", "4"]), _numbered(["Name", "7", "6", "3"])
    (4, 0)
    """
    numbers = [int(text) for text in texts if text.isdecimal() and len(text) <= 2]
    steps = {b - a for a, b in pairwise(numbers)}
    return len(numbers) if len(numbers) >= MIN_NUMBERED and len(numbers) < len(texts) and steps in ({1}, {-1}) else 0
