"""Lines of a document → how it is printed: usual type, leading, contents lists, lines named in the outline. Pure."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from statistics import median
from typing import NamedTuple, TypeAlias

from pincite.corpus.contents import CAPTION, Named, contents_lines, listed, spelled, squeezed
from pincite.corpus.tables import holds
from pincite.types import Line, Table

_EXHIBIT = re.compile(r"exhibit\s+\d+[a-z]?(\.\d+)*[.:]?(\s|$)", re.IGNORECASE)
_CAPTION_ENDS = re.compile(r"[^\W\d_]\s+(?:Table|Tabel|Tabelle|Figure|Figuur|Abbildung|Fig\.)\s\d{1,3}[a-z]?\.?$")
"""A caption that is numbered at its end: "TRUTH TABLE Table 1"."""
MAX_CAPTION = 5
"""Lines of the longest caption."""
LABEL = 14
"""Letters of a line that may be a label in a drawing."""
_DECIMAL = re.compile(r"\d+(\.\d+)*(?!\.?\d)")
LEAST_LISTED = 5
"""Headings that a list must name before it is believed about those that it does not name."""


LEAST_OUTSIDE = 0.05
"""Letters outside tables, as a share of those in them, from which text is what stands outside."""
LARGER = 1.2
"""Of the type of a table: a row in it is a heading."""
USUAL = 0.2
"""Share of the letters of a document in a colour that sets nothing apart."""

Style: TypeAlias = tuple[float, bool, bool]
"""Type size to half a point, bold, capitals."""
Look: TypeAlias = tuple[float, bool, bool, bool, int]
"""A style with italics and colour."""


class OutlineEntry(NamedTuple):
    """An entry of the outline that the file carries; ``page`` counts from 1."""

    title: str
    page: int
    level: int
    """1 at the root."""


class Printed:
    """The lines of a document with what is usual in it."""

    def __init__(self, lines: Sequence[Line], tables: Sequence[Table], outline: Sequence[OutlineEntry]) -> None:
        self.lines = lines
        by_page: defaultdict[int, list[Table]] = defaultdict(list)
        for table in tables:
            by_page[table.page].append(table)
        homes = [next((t for t in by_page.get(line.page, ()) if holds(t, line)), None) for line in lines]
        headings = _headings_in_tables(lines, homes)
        self.in_table = [home is not None and i not in headings for i, home in enumerate(homes)]
        self.contents = contents_lines(lines)
        # What is read, not what is listed: the contents of a short rulebook hold more letters than its prose.
        body = [i for i in range(len(lines)) if not self.in_table[i] and i not in self.contents]
        letters = [0, 0]
        for line, home in zip(lines, homes, strict=True):
            letters[home is not None] += len(line.text)
        # A document that is all tables is read in them.
        all_tables = letters[False] < LEAST_OUTSIDE * letters[True]
        self.body_size = _usual_size(lines if all_tables else [lines[i] for i in body])
        weights: Counter[bool] = Counter()
        for i in body:
            weights[lines[i].bold] += len(lines[i].text)
        self.body_bold = weights[True] > weights[False]
        slopes: Counter[bool] = Counter()
        colours: Counter[int] = Counter()
        for i in body:
            slopes[lines[i].italic] += len(lines[i].text)
            colours[lines[i].colour] += len(lines[i].text)
        self.body_italic = slopes[True] > slopes[False]
        self.body_colours = [colour for colour, letters in colours.items() if letters > USUAL * colours.total()]
        self.leading = self._leading()
        self.first_text = self._first_text()
        places = frozenset(body)
        by_contents = listed(lines, self.contents, places)
        by_outline = self._outline_lines(outline, places)
        if by_outline:
            # Two lists may count levels differently: the outline's are believed.
            by_contents = {i: named._replace(level=0) for i, named in by_contents.items()}
        self.named: dict[int, Named] = by_contents | by_outline
        """Lines that the outline or the printed list of contents names as headings."""
        self.is_listed = len(self.named) >= LEAST_LISTED
        depths = [_DECIMAL.match(lines[i].text) for i in self.named] if self.is_listed else []
        self.listed_depth = max((match[0].count(".") + 1 for match in depths if match), default=0)
        """Parts of the longest decimal number that a list names; 0 without one."""
        self.captions = self._captions()
        self.edges, self.edge = self._edges(body)
        pages = _by_page(lines)
        self.right = {
            page: median(sorted((line.box[2] for line in group), reverse=True)[: max(len(group) // 3, 1)])
            for page, group in pages.items()
        }
        self.left = {page: min(line.box[0] for line in group) for page, group in pages.items()}

    def _captions(self) -> set[int]:
        """Return the lines of captions: of tables, figures and numbered exhibits, with the lines that they wrap to."""
        out: set[int] = set()
        for i, line in enumerate(self.lines):
            text = line.text.lstrip()
            says = CAPTION.match(text) or _CAPTION_ENDS.search(text) or (_EXHIBIT.match(text) and self._is_within(i))
            if i in out or not says:
                continue
            out.add(i)
            for j in range(i + 1, min(i + MAX_CAPTION, len(self.lines))):
                if self.look(j) != self.look(i) or self.gap_above(j) > 1.3 * max(line.size / self.body_size, 1.0):
                    break
                out.add(j)
        return out

    def _is_within(self, i: int) -> bool:
        """Return whether a line stands inside a page or above a table: an exhibit that is an annex begins a page."""
        first = i == 0 or self.lines[i - 1].page != self.lines[i].page
        return not first or any(self.in_table[i + 1 : i + 5])

    def _first_text(self) -> int:
        """Return the first line of the first page with text to read: covers before it print names in large type."""
        first: dict[int, int] = {}
        for i, line in enumerate(self.lines):
            first.setdefault(line.page, i)
        for page, group in _by_page(self.lines).items():
            long = sum(1 for line in group if len(line.text) > 40 and abs(line.size - self.body_size) < 1.1)
            if long >= 4:
                return first[page]
        return 0

    def _leading(self) -> float:
        gaps: list[float] = []
        least, most = 0.6 * self.body_size, 4 * self.body_size
        for (i, a), b in zip(enumerate(self.lines), self.lines[1:], strict=False):
            # Lines of cells stand closer, and their baselines may differ by a hair.
            if not self.in_table[i] and a.page == b.page and least < (gap := a.box[1] - b.box[1]) < most:
                gaps.append(round(gap, 1))
        return Counter(gaps).most_common(1)[0][0] if gaps else self.body_size * 1.2

    def _outline_lines(self, outline: Sequence[OutlineEntry], body: Collection[int]) -> dict[int, Named]:
        """Return what the outline says of each line that begins one of its headings."""
        starts: defaultdict[int, list[int]] = defaultdict(list)
        if outline:
            for i in sorted(body):
                starts[self.lines[i].page].append(i)
        out: dict[int, Named] = {}
        for entry in outline:
            wanted = squeezed(entry.title)
            if len(wanted) < 3:
                continue
            for i in starts.get(entry.page, ()):
                if i in out:
                    continue
                last = spelled(self.lines, i, wanted, body)
                said = squeezed(self.lines[i].text)
                # An outline often leaves the number out.
                if last is None and len(wanted) > 8 and said.endswith(wanted) and len(said) - len(wanted) <= 12:
                    last = i
                if last is not None:
                    out[i] = Named(entry.level, last)
                    break
        return out

    def _edges(self, body: Sequence[int]) -> tuple[list[float], float]:
        """Return the left edges of the text, where at least one in fifty of the longer lines begins, and the usual one.

        Without longer lines there is no edge, and the usual one is 0.
        """
        counted: Counter[int] = Counter()
        for i in body:
            if len(self.lines[i].text) > 40:
                counted[round(self.lines[i].box[0] / 4)] += 1
        least = max(0.02 * counted.total(), 1)
        edges = [4.0 * edge for edge, times in counted.items() if times >= least]
        return edges, 4.0 * counted.most_common(1)[0][0] if counted else 0.0

    def is_in_margin(self, i: int) -> bool:
        """Return whether a line stands wholly left of the text."""
        x0, _, x1, _ = self.lines[i].box
        return x0 < self.edge - 2 * self.body_size and x1 < self.edge + 4

    def is_placed(self, i: int) -> bool:
        """Return whether a line begins where text begins, hangs out of it to the left or is centred on it.

        A label in a drawing does not.
        """
        x0, _, x1, _ = self.lines[i].box
        if not self.edges or x0 <= min(self.edges) or any(abs(x0 - edge) <= 8 for edge in self.edges):
            return True
        page = self.lines[i].page
        return abs((x0 + x1) / 2 - (self.left[page] + self.right[page]) / 2) <= 12

    def style(self, i: int) -> Style:
        line = self.lines[i]
        capitals = line.text.isupper() and len(line.text) > 3
        return (round(line.size * 2) / 2, line.bold, capitals)

    def stands_out(self, i: int) -> bool:
        size, bold, capitals = self.style(i)
        return (
            size >= self.body_size + 0.9
            or (bold and not self.body_bold and size >= self.body_size - 1.1)
            or (capitals and size >= self.body_size - 0.6 and len(self.lines[i].text) < 100)
        )

    def look(self, i: int) -> Look:
        line = self.lines[i]
        return (*self.style(i), line.italic, line.colour)

    def is_tinted(self, i: int) -> bool:
        """Return whether a line is in italics or in a colour where the text is not."""
        line = self.lines[i]
        if line.italic and not self.body_italic:
            return True
        return all(_far(line.colour, usual) for usual in self.body_colours)

    def gap_above(self, i: int) -> float:
        """Return the white above a line in multiples of the usual leading; large at the top of a page."""
        if i == 0 or self.lines[i - 1].page != self.lines[i].page:
            return 9.0
        distance = self.lines[i - 1].box[1] - self.lines[i].box[1]
        return 9.0 if distance <= 0 else distance / max(self.leading, 1.0)

    def is_tight(self, i: int) -> bool:
        """Return whether a line in large type is set solid below one like it: white above a heading is wider."""
        above, line = self.lines[i - 1], self.lines[i]
        large = min(above.size, line.size) >= self.body_size + 0.9
        return large and 0 < above.box[1] - line.box[1] <= 1.25 * line.size

    def ends_short(self, i: int) -> bool:
        """Return whether the line ends well before the right edge of the text, so that it does not run on."""
        line = self.lines[i]
        return line.box[2] < self.right[line.page] - 3 * line.size


def _headings_in_tables(lines: Sequence[Line], homes: Sequence[Table | None]) -> set[int]:
    """Return the lines in tables that read as headings over rows: alone in their row, in larger type than the others.

    Documents that are all tables have their headings in them, and what was taken for a table may reach over one.
    """
    groups: defaultdict[int, list[int]] = defaultdict(list)
    for i, home in enumerate(homes):
        if home is not None:
            groups[id(home)].append(i)
    out: set[int] = set()
    for group in groups.values():
        usual = median(lines[i].size for i in group)
        for i in group:
            line = lines[i]
            if line.size < LARGER * usual or sum(c.isalpha() for c in line.text) < 4:
                continue
            middle = (line.box[1] + line.box[3]) / 2
            beside = any(j != i and lines[j].box[1] < middle < lines[j].box[3] for j in group)
            if not beside and line.box[0] <= min(lines[j].box[0] for j in group) + line.size:
                out.add(i)
    return out


def _far(a: int, b: int) -> bool:
    """Return whether the eye tells two colours apart: by at least a fifth of the range of red, green or blue."""
    return any(abs((a >> shift & 255) - (b >> shift & 255)) >= 51 for shift in (16, 8, 0))


def _usual_size(lines: Sequence[Line]) -> float:
    """Return the type size, in points, of most of the text; sizes a quarter of a point apart count as one."""
    on_sheet: defaultdict[tuple[int, float], int] = defaultdict(int)
    for line in lines:
        # Labels of drawings are many and short.
        on_sheet[line.page, line.size] += len(line.text) if len(line.text) > LABEL else len(line.text) // 3
    if not any(on_sheet.values()):
        return lines[0].size if lines else 10.0
    sheets: Counter[int] = Counter()
    for (page, _), count in on_sheet.items():
        sheets[page] += count
    # A sheet full of addresses or terms in small print counts as much as any other.
    most = 1.5 * median(sheets.values())
    letters: defaultdict[float, float] = defaultdict(float)
    for (_, size), count in on_sheet.items():
        letters[size] += min(count, most)
    return max(letters, key=lambda size: (sum(n for other, n in letters.items() if abs(other - size) <= 0.25), size))


def _by_page(lines: Sequence[Line]) -> dict[int, list[Line]]:
    out: defaultdict[int, list[Line]] = defaultdict(list)
    for line in lines:
        out[line.page].append(line)
    return out
