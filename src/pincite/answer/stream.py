"""A draft as it is written → what may be shown: each sentence only after the gate, with the citations that carry it.

``VerifiedStream`` is the last thing between a model and a reader. It is pure: text goes in, events come out, and the
same text gives the same events in whatever pieces it came. It never takes anything back.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from pincite.answer import phrases
from pincite.answer.citing import Citations, Found, show_table
from pincite.answer.splitting import MARK, Marked, Splitter, Unit, read_marks
from pincite.answer.tools import is_citable
from pincite.types import (
    AnswerEvent,
    AnswerTable,
    Block,
    Citation,
    Passage,
    SentenceVerdict,
    SentenceWithheld,
    TableShown,
    Verdict,
    Withheld,
)

Judge: TypeAlias = Callable[[str, Sequence[Passage]], Sequence[SentenceVerdict]]
"""The gate on a text against passages; ``Evidence.context`` is an index into these, or -1 for a title or heading."""

_RESTRICTS = re.compile(
    r"\b(?:not|no|never|none|except|unless|without|neither|nor|only|niet|geen|nooit|behalve|tenzij|zonder|alleen|nicht|kein\w*|"
    r"nie|außer|ohne|nur|ne|pas|jamais|sauf|sans|aucun\w*|seulement)\b",
    re.IGNORECASE,
)
"""Words that turn what follows a lead-in round: its items may not stand without it."""


@dataclass(frozen=True, slots=True)
class _Checked:
    """What the gate says of one text against chosen passages."""

    released: bool
    found: tuple[Found, ...] = ()
    handles: tuple[str, ...] = ()
    """Passages that carry it, in the order in which they were cited."""
    refused: Verdict | None = None
    """The verdict that held it back."""


@dataclass(frozen=True, slots=True)
class _Held:
    """A heading, lead-in or table head that waits for what follows it."""

    unit: Unit
    text: str
    handles: tuple[str, ...]
    lost: bool = False
    """Something that followed it was withheld."""


@dataclass(slots=True)
class VerifiedStream:
    """Text of a model in, verified events out. ``feed`` pieces, then ``close``; ``begin`` before a further response."""

    offered: Mapping[str, Passage]
    """Passage of each handle given out so far; grows while the model searches."""
    judge: Judge
    retrieved_at: Mapping[str, str]
    language: phrases.Language
    question: str
    """Original and standalone question: what a model may name as not found are words of it."""
    repairs: bool = True
    """Look for another passage when the cited one does not carry a sentence. A quotation has only its own."""
    stops: bool = True
    """Stop at the first withheld sentence (a model that can mend it) or go on (the built-in one)."""

    markdown: str = ""
    """What was released, marks as ``{{n}}``."""
    tables: list[AnswerTable] = field(default_factory=list[AnswerTable])
    said: bool = False
    """Whether a sentence was released; a table shown beside what was withheld answers nothing by itself."""
    withheld: list[Withheld] = field(default_factory=list[Withheld])
    failed: Withheld | None = None
    """The sentence at which this response stopped."""
    none: str | None = None
    """The model's reason for saying that the documents do not say, or ``out_of_scope``."""
    missing: list[str] = field(default_factory=list[str])
    _citations: Citations = field(default_factory=Citations)
    _splitter: Splitter = field(default_factory=Splitter)
    _draft: list[str] = field(default_factory=list[str])
    _said_before: tuple[int, int] = (0, 0)
    """Pieces of the draft and characters shown when this response began."""
    _events: list[AnswerEvent] = field(default_factory=list[AnswerEvent])
    _held: list[_Held] = field(default_factory=list[_Held])
    _uncited: list[tuple[Unit, Marked]] = field(default_factory=list[tuple[Unit, Marked]])
    _lasting: tuple[str, ...] = ()
    """Handles that an unmarked sentence of the same paragraph, or item of the same list, rests on."""
    _gap: str = ""
    _shown: set[str] = field(default_factory=set[str])
    _lost: set[str] = field(default_factory=set[str])
    """Passages of which a quotation was withheld."""
    _evidence: dict[str, list[Found]] = field(default_factory=dict[str, list[Found]])
    _header: tuple[str, ...] = ()

    # ------------------------------------------------------------ in

    def begin(self) -> None:
        """Start on a new response of the model; what was released stays, and the next release is a new paragraph."""
        self._splitter = Splitter()
        self._held, self._uncited, self._lasting, self._header = [], [], (), ()
        self.failed = None
        self._gap = "\n\n"
        if self._draft:
            self._draft.append("\n\n")
        self._said_before = len(self._draft), len(self.markdown)

    def feed(self, piece: str) -> list[AnswerEvent]:
        """The events that ``piece`` completes."""
        self._draft.append(piece)
        for unit in self._splitter.feed(piece):
            self._take(unit)
        return self._drain()

    def close(self) -> list[AnswerEvent]:
        """The events that waited for more text. A response that was cut off is not closed: its last words are no
        sentence."""
        for unit in self._splitter.close():
            self._take(unit)
        self._settle(())
        return self._drain()

    def forget(self) -> None:
        """Drop what waits: the model said it on its way to a tool, it is no part of the answer."""
        self._splitter = Splitter()
        self._held, self._uncited, self._lasting = [], [], ()
        pieces, shown = self._said_before
        if len(self.markdown) == shown:
            del self._draft[pieces:]

    @property
    def citations(self) -> tuple[Citation, ...]:
        return tuple(self._citations.all)

    def draft(self) -> str:
        """All that the model wrote, for the person who takes over, handles as titles."""

        def named(match: re.Match[str]) -> str:
            marked = read_marks(match.group(0))
            passages = [self.offered[handle] for handle in (*marked.handles, *marked.tables) if handle in self.offered]
            places = [f"{p.revision.title}{_on_pages(p)}" for p in passages]
            return f" [{'; '.join(places)}]" if places else " [?]" if marked.handles or marked.tables else ""

        return MARK.sub(named, "".join(self._draft)).strip()

    # ------------------------------------------------------------ unit by unit

    def _drain(self) -> list[AnswerEvent]:
        events, self._events = self._events, []
        return events

    def _take(self, unit: Unit) -> None:
        if self.failed and self.stops:
            return
        if "\n" in unit.before or unit.kind != "sentence":
            self._settle(())
            if unit.kind in ("sentence", "lead"):
                self._lasting = ()
                self._held = [h for h in self._held if not h.lost]
            if unit.kind != "row":
                self._held = [h for h in self._held if h.unit.kind != "header"]
                self._header = ()
        marked = read_marks(unit.text)
        if marked.outside:
            self.none = self.none or "out_of_scope"
        if marked.none is not None:
            self.none = self.none or marked.none or "nothing_fits"
        self.missing += [what for what in marked.missing if self.is_asked(what) and what not in self.missing]
        if marked.outside or marked.none is not None or marked.missing:
            return
        handles = tuple(dict.fromkeys((*marked.handles, *marked.tables)))
        match unit.kind:
            case "heading":
                level = len(unit.prefix.strip())
                self._held = [h for h in self._held if h.unit.kind == "heading" and len(h.unit.prefix.strip()) < level]
                self._held.append(_Held(unit, marked.text, handles))
                self._lasting = ()
            case "lead":
                self._held = [h for h in self._held if h.unit.kind == "heading"]
                self._held.append(_Held(unit, marked.text, handles))
                self._lasting = handles
            case "header":
                self._held.append(_Held(unit, marked.text, handles))
                self._header = _cells(unit.text.split("\n", 1)[0])
            case "sentence":
                if not marked.text:
                    self._show_tables(marked)
                elif handles:
                    self._settle(handles)
                    self._lasting = handles
                    self._decide(unit, marked, handles)
                else:
                    # Several sentences may share the mark of the last one: wait for it, or for the paragraph's end.
                    self._uncited.append((unit, marked))
            case "item" | "row":
                if unit.kind == "item" and not marked.text:
                    self._show_tables(marked)
                    return
                self._decide(unit, marked, handles or self._lasting)

    def _settle(self, handles: tuple[str, ...]) -> None:
        """Decide on the sentences that wait for a mark: the one that came, else the one before them, else any."""
        waiting, self._uncited = self._uncited, []
        for unit, marked in waiting:
            self._decide(unit, marked, handles or self._lasting)

    def _decide(self, unit: Unit, marked: Marked, handles: tuple[str, ...]) -> None:
        if self.failed and self.stops:
            return
        text = self._said(unit, marked)
        if not re.search(r"\w", text) or (handles and self._lost.issuperset(handles)):
            return
        checked = self._check(text, handles)
        leads: list[_Held] = []
        if checked.released:
            checked, leads = self._with_leads(checked)
        if not checked.released:
            self._part(unit.before)
            if not self.repairs:
                # Quotations come best first: without the best one of a passage, the next would pass for the answer.
                self._lost.update(handles)
            self._withhold(text, handles, checked)
            return
        for held in leads:
            self._release(held.unit, read_marks(held.unit.text), ())
        citations = tuple(self._cite(handle, checked.found) for handle in checked.handles)
        self._release(unit, marked, citations)
        self._show_tables(marked)

    def _said(self, unit: Unit, marked: Marked) -> str:
        """The text as the gate reads it: without Markdown, of a table row with the head of each column."""
        if unit.kind != "row":
            # A line that begins with a capital is judged as a sentence of its own; Markdown would join it to the item.
            return re.sub(r"(?<=[^\s.!?:;,])[ \t]*\n\s*(?=[A-ZÀ-Ý])", ".\n", plain(marked.text))
        cells = _cells(MARK.sub("", unit.text))
        if len(self._header) != len(cells):
            return plain("; ".join(cell for cell in cells if cell))
        pairs = zip(self._header, cells, strict=True)
        return plain("; ".join(f"{head}: {cell}" if head else cell for head, cell in pairs if cell))

    # ------------------------------------------------------------ the gate

    def _check(self, text: str, handles: Sequence[str]) -> _Checked:
        """The cited passages first; when they do not carry the text, any other one that was given out and does."""
        cited = [handle for handle in handles if handle in self.offered and is_citable(self.offered[handle])]
        first = self._ask(text, cited) if cited else _Checked(released=False)
        if first.released or not self.repairs:
            return first
        others = [h for h, passage in self.offered.items() if h not in cited and is_citable(passage)]
        for other in others:
            if (mended := self._ask(text, [other])).released:
                return mended
        for other in others if cited else ():
            if (mended := self._ask(text, [*cited, other])).released:
                return mended
        return first

    def _ask(self, text: str, handles: Sequence[str]) -> _Checked:
        sentences = self.judge(text, [self.offered[handle] for handle in handles])
        refused = next((v for s in sentences if not s.released for v in s.verdicts if v.label != "supported"), None)
        if not sentences or any(not sentence.released for sentence in sentences):
            return _Checked(released=False, refused=refused)
        found = [
            Found(handles[e.context], (e.start, e.end), e.cell)
            for sentence in sentences
            for verdict in sentence.verdicts
            if (e := verdict.evidence) is not None and 0 <= e.context < len(handles)
        ]
        carrying = [handle for handle in handles if any(one.handle == handle for one in found)]
        return _Checked(True, tuple(found), tuple(carrying or handles))

    def _with_leads(self, checked: _Checked) -> tuple[_Checked, list[_Held]]:
        """What stands before the unit and may be shown with it; refused when it changes the unit and is not carried."""
        shown: list[_Held] = []
        for held in self._held:
            if held.unit.kind == "header":
                shown.append(held)
                continue
            known = [h for h in held.handles if h in self.offered and is_citable(self.offered[h])]
            alone = self._ask(plain(held.text), known or list(checked.handles))
            if alone.released:
                shown.append(held)
            elif held.unit.kind == "lead" and (
                _RESTRICTS.search(held.text) or (alone.refused and alone.refused.claim.kind != "statement")
            ):
                return _Checked(released=False, refused=alone.refused), []
        for held in self._held:
            if held not in shown:
                self._part(held.unit.before)
        self._held = []
        return checked, shown

    # ------------------------------------------------------------ out

    def _release(self, unit: Unit, marked: Marked, citations: tuple[Citation, ...]) -> None:
        self.said = True
        marks = "".join(f"{{{{{citation.n}}}}}" for citation in citations)
        if unit.kind == "row":
            inner = safe_markdown(MARK.sub("", unit.text)).rstrip().removesuffix("|").rstrip()
            body = f"{inner} {marks} |" if marks else f"{inner} |"
        elif unit.kind == "header":
            body = safe_markdown(unit.text)
        else:
            beside = f"{phrases.beside_draft(marked.draft, self.language)} " if marked.draft else ""
            body = unit.prefix + beside + safe_markdown(marked.text) + (f" {marks}" if marks else "")
        self._part(unit.before)
        self._emit(body, citations)

    def _part(self, gap: str) -> None:
        """What was left out between two units still parts them."""
        self._gap = max(self._gap, gap, key=_width)

    def _emit(self, body: str, citations: tuple[Citation, ...]) -> None:
        text = (self._gap if self.markdown else "") + body
        self._gap = ""
        self.markdown += text
        self._events.append(Block(text, citations))

    def say(self, sentence: str) -> list[AnswerEvent]:
        """Release a sentence of Pincite's own, as a paragraph; for refusals and for what was not found."""
        self._gap = "\n\n"
        self._emit(safe_markdown(sentence), ())
        return self._drain()

    def _withhold(self, text: str, handles: Sequence[str], checked: _Checked) -> None:
        verdict = checked.refused
        unknown = [handle for handle in handles if handle not in self.offered]
        stale = [handle for handle in handles if handle in self.offered and not is_citable(self.offered[handle])]
        if verdict is not None:
            reason, claim, label = verdict.reason, verdict.claim.text, verdict.label
        else:
            claim, label = text, "unsupported"
            reason = "no passage that was found carries it"
        if unknown:
            reason = f"it cites {', '.join(unknown)}, which was never found, and {reason}"
        elif stale:
            reason = f"it rests on a superseded or doubtful passage; {reason}"
        withheld = Withheld(text, claim, label, reason)
        self.withheld.append(withheld)
        self.failed = withheld
        self._held = [replace(h, lost=h.unit.kind == "lead") for h in self._held]
        self._events.append(SentenceWithheld(withheld))

    def _cite(self, handle: str, found: Sequence[Found]) -> Citation:
        own = [one for one in found if one.handle == handle]
        self._evidence.setdefault(handle, []).extend(own)
        return self._citations.cite(self.offered[handle], own, self.retrieved_at.get(handle, ""))

    def _show_tables(self, marked: Marked) -> None:
        for handle in marked.tables:
            passage = self.offered.get(handle)
            if passage is None or passage.chunk.table is None or not is_citable(passage):
                what = (
                    "a superseded or doubtful table" if passage and passage.chunk.table else "no table that was found"
                )
                text = f"the table of {handle}"
                withheld = Withheld(text, text, "unsupported", f"{handle} is {what}")
                self.withheld.append(withheld)
                self.failed = withheld
                self._events.append(SentenceWithheld(withheld))
                continue
            if handle in self._shown:
                continue
            self._shown.add(handle)
            found = self._evidence.get(handle, [])
            citation = self._citations.cite(passage, found, self.retrieved_at.get(handle, ""))
            table = show_table(passage, found, number=len(self.tables) + 1, citation=citation.n)
            self._gap = "\n\n"
            self._emit(f"{safe_markdown(table.caption)} {{{{{citation.n}}}}}", (citation,))
            self._gap = "\n\n"
            self.tables.append(table)
            self._events.append(TableShown(table))

    def is_asked(self, what: str) -> bool:
        """Whether all words are the asker's own: only those are repeated to the reader without a check."""
        asked = {word.casefold() for word in re.findall(r"\w+", self.question)}
        return all(word.casefold() in asked for word in re.findall(r"\w+", what))


def plain(markdown: str) -> str:
    """The text that a reader sees: without emphasis, code marks and escapes."""
    text = re.sub(r"(?<!\\)(\*\*|__|`)", "", markdown)
    text = re.sub(r"(?<![\w\\*])\*(?=\S)([^*\n]*?)(?<=\S)\*(?![\w*])", r"\1", text)
    return re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", text)


_UNSEEN = re.compile("[\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f]")
"""Characters that turn text round or are not seen: tags, embeddings, overrides, isolates."""


def safe_markdown(text: str) -> str:
    """The text as Markdown that loads nothing, links nowhere and holds no HTML and no citation mark of its own.

    Brackets of units stay as they are: ``[m³/h]``.

    >>> safe_markdown("see [here](https://example.org) at 5 [m³/h]")
    'see [here]\\\\(https://example.org) at 5 [m³/h]'
    """
    text = _UNSEEN.sub("", text)
    text = re.sub(r"(?<!\\)\](?=[(\[])", r"]\\", text)
    # Only at the beginning would it define where a reference leads.
    text = re.sub(r"^(\s*\[[^\]]*\]):", r"\1\\:", text)
    text = re.sub(r"(?<!\\)!(?=\[)", r"\\!", text)
    text = re.sub(r"(?<!\\)<(?=[A-Za-z/!?])", r"\\<", text)
    text = re.sub(r"&(?=#?\w+;)", "&amp;", text)
    return text.replace("{{", "\\{\\{")


def _cells(row: str) -> tuple[str, ...]:
    inner = row.strip().removeprefix("|").removesuffix("|")
    return tuple(cell.strip() for cell in re.split(r"(?<!\\)\|", inner))


def _width(gap: str) -> int:
    return 2 * gap.count("\n") + (gap != "")


def _on_pages(passage: Passage) -> str:
    return f", p. {', '.join(map(str, passage.chunk.pages))}" if passage.chunk.pages else ""
