"""Lines of a document → how it is printed: usual type, leading, contents lists, lines named in the outline. Pure."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from statistics import median
from typing import NamedTuple

from pincite.corpus.tables import holds
from pincite.types import Line, Table

_CONTENTS = re.compile(
    r"^(table of contents?|contents|inhoud(sopgave)?|inhaltsverzeichnis|inhalt|table des matières|sommaire|"
    r"list of (tables|figures|appendices))$",
    re.IGNORECASE,
)
_LEADER = re.compile(r"(\.\s?){4,}|…{2,}|_{5,}|(·\s?){4,}")
_ENDS_WITH_PAGE = re.compile(r"\s(\d{1,4}|[ivxlc]{1,6}|[A-Z]-\d{1,3})$")


class OutlineEntry(NamedTuple):
    """An entry of the outline that the file carries; ``page`` counts from 1."""

    title: str
    page: int
    level: int
    """1 at the root."""


def squeezed(text: str) -> str:
    """Return the text in lower case without spaces and punctuation: what two ways of printing a title share."""
    return re.sub(r"[\W_]+", "", text).lower()


class Printed:
    """The lines of a document with what is usual in it."""

    def __init__(self, lines: Sequence[Line], tables: Sequence[Table], outline: Sequence[OutlineEntry]) -> None:
        self.lines = lines
        by_page: defaultdict[int, list[Table]] = defaultdict(list)
        for table in tables:
            by_page[table.page].append(table)
        self.in_table = [any(holds(t, line) for t in by_page.get(line.page, ())) for line in lines]
        self.contents = self._contents_lines()
        # What is read, not what is listed: the contents of a short rulebook hold more letters than its prose.
        body = [i for i in range(len(lines)) if not self.in_table[i] and i not in self.contents]
        self.body_size = _usual_size([lines[i] for i in body])
        weights: Counter[bool] = Counter()
        for i in body:
            weights[lines[i].bold] += len(lines[i].text)
        self.body_bold = weights[True] > weights[False]
        self.leading = self._leading()
        self.first_text = self._first_text()
        self.outline: dict[int, int] = self._outline_lines(outline)
        self.has_outline = len(self.outline) >= 5
        self.right = {
            page: median(sorted((line.box[2] for line in group), reverse=True)[: max(len(group) // 3, 1)])
            for page, group in _by_page(lines).items()
        }

    def _contents_lines(self) -> set[int]:
        """Return the lines of contents lists: those with leaders or a page number at the end, in runs."""
        marked: list[bool] = []
        for line in self.lines:
            text = line.text.strip()
            marked.append(bool(_LEADER.search(text)))
        out = {i for i, m in enumerate(marked) if m}
        # A list without leaders: after its heading, lines that end with a page number, with the lines they wrap from.
        for i, line in enumerate(self.lines):
            if not _CONTENTS.match(line.text.strip()):
                continue
            out.add(i)
            misses, j, block = 0, i + 1, [i]
            while j < len(self.lines) and misses < 3:
                hit = marked[j] or bool(_ENDS_WITH_PAGE.search(self.lines[j].text.strip()))
                misses = 0 if hit else misses + 1
                if hit:
                    block += range(block[-1] + 1, j + 1)
                j += 1
            out.update(block)
        # Entries that wrap: the upper half of an entry has no leader, but stands between entries.
        for i in range(1, len(self.lines) - 1):
            if i not in out and i - 1 in out and i + 1 in out and self.lines[i - 1].page == self.lines[i + 1].page:
                out.add(i)
        return out

    def _first_text(self) -> int:
        """Return the first line of the first page with text to read: covers before it print names in large type."""
        first: dict[int, int] = {}
        for i, line in enumerate(self.lines):
            first.setdefault(line.page, i)
        for page, group in _by_page(self.lines).items():
            long = sum(1 for line in group if len(line.text) > 55 and abs(line.size - self.body_size) < 1.1)
            if long >= 4:
                return first[page]
        return 0

    def _leading(self) -> float:
        gaps: list[float] = []
        for a, b in zip(self.lines, self.lines[1:], strict=False):
            if a.page == b.page and 0 < a.box[1] - b.box[1] < 4 * self.body_size:
                gaps.append(round(a.box[1] - b.box[1], 1))
        return Counter(gaps).most_common(1)[0][0] if gaps else self.body_size * 1.2

    def _outline_lines(self, outline: Sequence[OutlineEntry]) -> dict[int, int]:
        """Return line → level for every outline entry that is printed on its page."""
        starts: defaultdict[int, list[int]] = defaultdict(list)
        for i, line in enumerate(self.lines):
            if i not in self.contents and not self.in_table[i]:
                starts[line.page].append(i)
        out: dict[int, int] = {}
        for entry in outline:
            wanted = squeezed(entry.title)
            if len(wanted) < 3:
                continue
            for i in starts.get(entry.page, ()):
                if i in out:
                    continue
                said = squeezed(self.lines[i].text)
                if said == wanted or (len(said) >= 4 and wanted.startswith(said) and self._goes_on(i, wanted)):
                    out[i] = entry.level
                    break
                # An outline often leaves the number out.
                if len(wanted) > 8 and said.endswith(wanted) and len(said) - len(wanted) <= 12:
                    out[i] = entry.level
                    break
        return out

    def _goes_on(self, i: int, wanted: str) -> bool:
        said = squeezed(self.lines[i].text)
        for line in self.lines[i + 1 : i + 4]:
            said += squeezed(line.text)
            if said == wanted or not wanted.startswith(said):
                break
        return said.startswith(wanted) or wanted == said

    def style(self, i: int) -> tuple[float, bool, bool]:
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

    def gap_above(self, i: int) -> float:
        """Return the white above a line in multiples of the usual leading; large at the top of a page."""
        if i == 0 or self.lines[i - 1].page != self.lines[i].page:
            return 9.0
        distance = self.lines[i - 1].box[1] - self.lines[i].box[1]
        return 9.0 if distance <= 0 else distance / max(self.leading, 1.0)

    def ends_short(self, i: int) -> bool:
        """Return whether the line ends well before the right edge of the text, so that it does not run on."""
        line = self.lines[i]
        return line.box[2] < self.right[line.page] - 3 * line.size


def _usual_size(lines: Sequence[Line]) -> float:
    """Return the type size, in points, of most of the text; sizes a quarter of a point apart count as one."""
    letters: Counter[float] = Counter()
    for line in lines:
        letters[line.size] += len(line.text)
    if not letters:
        return 10.0
    return max(letters, key=lambda size: (sum(n for other, n in letters.items() if abs(other - size) <= 0.25), size))


def _by_page(lines: Sequence[Line]) -> dict[int, list[Line]]:
    out: defaultdict[int, list[Line]] = defaultdict(list)
    for line in lines:
        out[line.page].append(line)
    return out
