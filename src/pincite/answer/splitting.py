"""A stream of Markdown, in pieces of any size → its sentences, list items, table rows and headings, with their marks.

A model marks what it rests on in double square brackets, which no unit and no reference in a document uses::

    The fee is 0.20 % [[P3]].     rests on passage P3; also [[P3, P4]] and [[P3]][[P4]], before or after the full stop
    [[table:P4]]                  show the table of passage P4, from the document
    [[none]]                      the documents do not say; [[missing: refunds after a year]] for a part of the question
    [[outside]]                   not a question to these documents

The units are the same however the text was cut into pieces: a decision is taken only when the characters that it
depends on are there. Pure.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

UnitKind: TypeAlias = Literal["sentence", "lead", "item", "heading", "header", "row"]
"""``lead`` ends with a colon before a list, table or paragraph; ``header`` is a table's head with the line under it."""


@dataclass(frozen=True, slots=True)
class Unit:
    """One piece that is released or withheld as a whole."""

    kind: UnitKind
    before: str
    """What parts it from the unit before: a space, a line break or an empty line; empty for the first."""
    prefix: str
    """List mark or heading mark with its indent: ``"- "``, ``"2. "``, ``"## "``."""
    text: str
    """As written, marks included, without the prefix."""


@dataclass(frozen=True, slots=True)
class Marked:
    """The text of a unit and what it points at."""

    text: str
    """Without marks and the space before them."""
    handles: tuple[str, ...]
    """As written, upper case, in order, each once; a handle that was never given is among them."""
    tables: tuple[str, ...] = ()
    none: str | None = None
    """Reason given in ``[[none: reason]]``, often empty; None without such a mark."""
    missing: tuple[str, ...] = ()
    outside: bool = False
    draft: str = ""
    """``agrees`` or ``differs``: what the asker's draft says beside this."""


MARK = re.compile(
    r"[ \t]*\[\[[ \t]*(?:"
    r"(?P<table>table)[ \t]*:[ \t]*(?P<shown>[A-Za-z]{0,3}\d{1,9})"
    r"|(?P<none>none)(?:[ \t]*:[ \t]*(?P<why>[a-z_ ]{0,40}))?"
    r"|(?P<missing>missing)[ \t]*:[ \t]*(?P<what>[^\[\]]{1,200})"
    r"|(?P<outside>outside)"
    r"|(?P<draft>agrees|differs)"
    r"|(?P<handles>[A-Za-z]{0,3}\d{1,9}(?:[ \t]*[,;][ \t]*[A-Za-z]{0,3}\d{1,9})*)"
    r")[ \t]*\]\]",
    re.IGNORECASE,
)
_LONGEST_MARK = 240
"""Characters within which a mark must close; an opening without an end is text."""


def read_marks(text: str) -> Marked:
    """The text without its marks, and the marks.

    >>> read_marks("The fee is 0.20 % [[P3, p4]].").handles
    ('P3', 'P4')
    """
    handles: dict[str, None] = {}
    tables: dict[str, None] = {}
    missing: list[str] = []
    none: str | None = None
    outside, draft = False, ""
    for match in MARK.finditer(text):
        if match["table"]:
            tables[match["shown"].upper()] = None
        elif match["none"]:
            none = (match["why"] or "").strip()
        elif match["missing"]:
            missing.append(" ".join(match["what"].split()))
        elif match["outside"]:
            outside = True
        elif match["draft"]:
            draft = match["draft"].lower()
        else:
            for handle in re.split(r"[ \t]*[,;][ \t]*", match["handles"]):
                handles[handle.upper()] = None
    bare = MARK.sub("", text)
    return Marked(" ".join(bare.split()), tuple(handles), tuple(tables), none, tuple(missing), outside, draft)


_HEADING = re.compile(r"#{1,6}[ \t]+")
_ITEM = re.compile(r"(?:[-*+•‣–][ \t]+|\d{1,3}[.)][ \t]+)")
_RULE = re.compile(r"\|?[ \t]*:?-{2,}:?[ \t]*(?:\|[ \t]*:?-{2,}:?[ \t]*)*\|?[ \t]*")
_KNOWN_AFTER = 8
"""Characters of a line, after its indent, from which its kind is certain: ``###### x`` and ``123. x`` fit."""

_ABBREVIATION = re.compile(
    r"(?:^|[\s(\[“\"'’*_])(?:e\.g|i\.e|cf|viz|vs|no|nos|nr|art|arts|sec|sect|fig|figs|tab|eq|ch|pp|p|ca|max|min|approx|resp|etc|incl|excl"
    r"|inc|corp|ltd|co|st|dr|mr|mrs|ms|prof|al|vol|ed|rev|ver|dept|est|tel"
    r"|bijv|bv|d\.w\.z|m\.b\.t|o\.a|t\.o\.v|i\.p\.v|enz|lid|blz|evt|z\.g|n\.v|b\.v|jl|resp"
    r"|z\.b|d\.h|u\.a|bzw|ggf|evtl|abs|str|usw|inkl|vgl|mind|höchst|i\.d\.r|o\.g"
    r"|p\.ex|par ex|c\.-à-d|env|mme|chap|n°|réf"
    r")\.$",
    re.IGNORECASE,
)
_INITIAL = re.compile(r"(?:^|[^\d\s]\s|[(.])[A-Za-z]\.$")
"""One letter is an initial or a part of an abbreviation, but a unit behind a number: "1.9 m. The next"."""
_MONTHS = frozenset(
    re.findall(r"\w+", "januar jänner februar märz april mai juni juli august september oktober november dezember")
)
_CLOSERS = "\"'”’»)]}*_"


@dataclass(slots=True)
class Splitter:
    """Text in, units out; ``feed`` pieces in order, then ``close`` once."""

    _buffer: str = ""
    _before: str = ""
    _started: bool = False
    _header: tuple[str, str] | None = None
    """First row of a table whose second line was not seen yet, and what parts it from the unit before."""
    _in_table: bool = False
    _units: list[Unit] = field(default_factory=list[Unit])

    def feed(self, piece: str) -> list[Unit]:
        """The units that became complete with ``piece``."""
        self._buffer += piece.replace("\r", "")
        return self._drain(final=False)

    def close(self) -> list[Unit]:
        """The units that were waiting for more."""
        units = self._drain(final=True)
        self._units = []
        self._flush_header()
        return units + self._units

    def unfinished(self) -> str:
        """What was fed and is in no unit yet."""
        return (self._header[0] + "\n" if self._header is not None else "") + self._buffer

    def _drain(self, *, final: bool) -> list[Unit]:
        self._units = []
        while self._step(final=final):
            pass
        units, self._units = self._units, []
        return units

    def _unit(self, kind: UnitKind, prefix: str, text: str) -> Unit:
        before, self._before = (self._before if self._started else ""), " "
        self._started = True
        return Unit(kind, before, prefix, text)

    def _step(self, *, final: bool) -> bool:
        """Take one unit, or white space, off the front of the buffer; False when more text is needed."""
        text = self._buffer
        space = len(text) - len(text.lstrip())
        if space == len(text):
            # White space at the very end may be the start of a longer gap.
            if final:
                self._buffer = ""
            return False
        gap = text[:space]
        indent = gap.rsplit("\n", 1)[-1]
        breaks = gap.count("\n")
        at_line_start = breaks > 0 or not self._started
        if not at_line_start:
            self._buffer = text[space:]
            return self._sentence(final=final)
        kind = _line_kind(text, space, final=final)
        if kind is None:
            return False
        if breaks:
            self._before = "\n\n" if breaks > 1 else "\n"
        if kind != "row":
            self._flush_header()
        self._in_table = self._in_table and kind == "row" and breaks < 2
        if kind == "prose":
            self._buffer = text[space:]
            return self._sentence(final=final)
        end = _line_end(text, space)
        if end is None and not final:
            return False
        end = len(text) if end is None else end
        if kind == "item":
            if (end := _item_end(text, space, final=final)) is None:
                return False
            match = _ITEM.match(text, space)
            assert match is not None
            body = " ".join(text[match.end() : end].split())
            self._buffer = text[end:]
            if body:
                self._units.append(self._unit("item", indent + match.group(0), body))
            return True
        line = text[space:end].rstrip()
        self._buffer = text[end:]
        if kind == "heading":
            match = _HEADING.match(text, space)
            assert match is not None
            title = re.sub(r"(?:^|[ \t])#+$", "", text[match.end() : max(end, match.end())].strip()).rstrip()
            if title:
                self._units.append(self._unit("heading", match.group(0), title))
        else:
            self._row(line)
        return True

    def _row(self, line: str) -> None:
        if self._header is not None and _RULE.fullmatch(line):
            header, self._before = self._header
            self._header = None
            self._in_table = True
            self._units.append(self._unit("header", "", f"{header}\n{line}"))
            return
        self._flush_header()
        if self._in_table:
            self._units.append(self._unit("row", "", line))
        else:
            self._header = line, self._before
            self._before = "\n"

    def _flush_header(self) -> None:
        """A first row that turned out to be the head of nothing is a row."""
        if self._header is not None:
            here = self._before
            line, self._before = self._header
            self._header = None
            self._units.append(self._unit("row", "", line))
            self._before = here

    def _sentence(self, *, final: bool) -> bool:
        end = _sentence_end(self._buffer, final=final)
        if end is None:
            return False
        text, self._buffer = self._buffer[:end], self._buffer[end:]
        body = " ".join(text.split())
        if body:
            stops = not self._buffer or "\n" in self._buffer[: len(self._buffer) - len(self._buffer.lstrip())]
            lead = read_marks(body).text.rstrip("*_").endswith(":") and stops
            self._units.append(self._unit("lead" if lead else "sentence", "", body))
        return True


def _line_kind(text: str, start: int, *, final: bool) -> Literal["heading", "item", "row", "prose"] | None:
    """What the line that begins at ``start`` (after its indent) is; None when more text is needed."""
    known = text.find("\n", start)
    if known < 0 and not final and len(text) - start < _KNOWN_AFTER:
        return None
    if text[start] == "|":
        return "row"
    if _HEADING.match(text, start):
        return "heading"
    # "-" alone and "1." alone become items only with the space behind them, which is there from eight characters on.
    return "item" if _ITEM.match(text, start) else "prose"


def _line_end(text: str, start: int) -> int | None:
    end = text.find("\n", start)
    return None if end < 0 else end


def _item_end(text: str, start: int, *, final: bool) -> int | None:
    """End of a list item with its indented further lines; None when more text is needed."""
    end = _line_end(text, start)
    while end is not None:
        gap = re.compile(r"\s*").match(text, end)
        assert gap is not None
        if gap.end() == len(text):
            return end if final else None
        indent = gap.group(0).rsplit("\n", 1)[-1]
        if gap.group(0).count("\n") > 1 or len(indent) < 2:
            return end
        kind = _line_kind(text, gap.end(), final=final)
        if kind is None:
            return None
        if kind != "prose":
            return end
        end = _line_end(text, gap.end())
    return len(text) if final else None


def _sentence_end(text: str, *, final: bool) -> int | None:
    """End of the first sentence of ``text``, which begins with it; None when more text is needed."""
    position = 0
    while position < len(text):
        character = text[position]
        if character == "[" and text.startswith("[[", position):
            close = text.find("]]", position)
            if close < 0 and not final and len(text) - position < _LONGEST_MARK:
                return None
            position = close + 2 if 0 <= close - position < _LONGEST_MARK else position + 2
            continue
        if character == "\n":
            after = position + len(text[position:]) - len(text[position:].lstrip())
            if after == len(text):
                return position if final else None
            if text[position:after].count("\n") > 1:
                return position
            kind = _line_kind(text, after, final=final)
            if kind is None:
                return None
            if kind != "prose":
                return position
            bare = read_marks(text[:position]).text
            # A capital on a new line begins a sentence, with or without a full stop before it: as part of the sentence
            # above it would be released by what that one rests on. A line that was only wrapped is judged in two.
            if bare.endswith(":") or (text[after].isupper() and not bare.endswith((",", ";", "-", "–", "(", "/"))):
                return position
            position = after
            continue
        if character in ".!?…":
            end = _after_stop(text, position, final=final)
            if end is None:
                return None
            if end > 0:
                return end
        position += 1
    return len(text) if final else None


def _after_stop(text: str, position: int, *, final: bool) -> int | None:
    """End of the sentence whose full stop may be at ``position``; 0 when it goes on; None when more text is needed."""
    end = position + 1
    while end < len(text) and text[end] in ".!?…":
        end += 1
    while end < len(text) and text[end] in _CLOSERS and not text.startswith("[[", end):
        end += 1
    marked = False
    while True:
        ahead = end
        while ahead < len(text) and text[ahead] in " \t":
            ahead += 1
        if ahead == len(text):
            return end if final else None
        if text[ahead] != "[":
            break
        if ahead + 1 == len(text) and not final:
            return None
        if not text.startswith("[[", ahead):
            break
        match = MARK.match(text, ahead)
        if match is None:
            if text.find("]]", ahead) < 0 and not final and len(text) - ahead < _LONGEST_MARK:
                return None
            break
        end, marked = match.end(), True
        if end < len(text) and text[end] in ".!?…":
            end += 1
    if marked:
        return end
    if ahead == end and text[end] != "\n":
        return 0
    if text[ahead] == "\n":
        return 0 if _is_abbreviation(text[: position + 1]) else end
    word = re.compile(r"[^\W\d_]*").match(text, ahead)
    assert word is not None
    if word.end() == len(text) and not final:
        return None
    following = text[ahead]
    if text[position] in ".…" and (following.islower() or _is_abbreviation(text[: position + 1])):
        return 0
    if text[position] in "!?" and following.islower():
        return 0
    ordinal = re.search(r"(?:^|\s)\d{1,2}\.$", text[: position + 1])
    return 0 if ordinal and word.group(0).lower() in _MONTHS else end


def _is_abbreviation(head: str) -> bool:
    """Whether the full stop that ends ``head`` belongs to an abbreviation or an initial."""
    tail = head[-16:]
    if re.search(r"(?:^|\s)\d{1,3}\\?\.$", tail):
        # "Limit is 5. The next" ends a sentence, "5. The" at its beginning is a number of a list.
        return re.fullmatch(r"\s*\d{1,3}\\?\.", head) is not None
    return _ABBREVIATION.search(tail) is not None or _INITIAL.search(tail) is not None
