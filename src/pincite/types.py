"""The nouns of Pincite: frozen, standard library only.

A *page* is a sheet index from 1; its *label* is what is printed on it. Boxes are ``(x0, y0, x1, y1)`` in points, origin
bottom left, in the unrotated MediaBox: only the viewer converts. Tuples are in reading order unless said otherwise.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Box: TypeAlias = tuple[float, float, float, float]
SectionPath: TypeAlias = tuple[str, ...]
"""Headings from the root down, as printed: ``("4 Fees", "4.2 Cross-border")``. Empty before the first heading."""

PageVerdict: TypeAlias = Literal["text", "ocr", "empty", "garbled", "failed"]
Standing: TypeAlias = Literal["citable", "readable", "rejected"]
ChunkKind: TypeAlias = Literal["text", "table", "figure"]
Outcome: TypeAlias = Literal["answered", "escalated", "refused"]
VerdictLabel: TypeAlias = Literal["supported", "weak", "unsupported"]
ClaimKind: TypeAlias = Literal[
    "number", "quantity", "money", "percentage", "date", "time", "identifier", "certification", "section", "statement"
]
"""``statement`` stands for a sentence without a typed value; it is judged as a whole."""


# ---------------------------------------------------------------- documents in


@dataclass(frozen=True, slots=True)
class Line:
    """One printed line, verbatim."""

    text: str
    page: int
    box: Box
    size: float
    """Font size in points of most of its characters."""
    bold: bool = False
    italic: bool = False
    colour: int = 0
    """Of most of its characters: 0xRRGGBB, 0 is black."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell; rows and columns from 0, inclusive. A merged cell is one record."""

    r0: int
    r1: int
    c0: int
    c1: int
    text: str
    box: Box | None = None
    """None when the cell was not read from a page (passages made elsewhere)."""
    header: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """One table region of one page."""

    page: int
    box: Box
    cells: tuple[Cell, ...]
    caption: str = ""
    footnotes: tuple[str, ...] = ()
    continues: int | None = None
    """Index, in the document's tables, of the region that this one continues."""
    confidence: float = 1.0
    """0 to 1. Below .5 the table is doubtful: shown, searched, never evidence."""


@dataclass(frozen=True, slots=True)
class Page:
    page: int
    label: str
    """Printed label; the sheet index as text when the file has no labels."""
    verdict: PageVerdict
    width: float
    height: float
    """Size in points of the MediaBox, unrotated."""
    rotation: int
    """0, 90, 180 or 270 degrees clockwise."""
    box: Box
    """The CropBox: what a viewer shows."""
    reason: str = ""
    """Why the verdict is not ``text``; also what was left out of a page that is (words that nobody can see)."""
    confidence: float = 1.0
    """Mean confidence of OCR, 0 to 1; 1 where the text layer was read. Below ``ocr.DOUBTFUL`` its text is doubtful."""
    needs_ocr: bool = False
    """Whether something is printed on it that was not read: another OCR engine may help."""


@dataclass(frozen=True, slots=True)
class Section:
    path: SectionPath
    title: str
    level: int
    """1 at the root."""
    page: int
    """Sheet of the heading."""
    line: int
    """Index, in the document's lines, of the heading; the section's own text runs to the next section's ``line``."""


@dataclass(frozen=True, slots=True)
class Note:
    """A note at the foot of a page, taken out of the text that runs over it."""

    mark: str
    """As printed before it: ``1``, ``*``, ``a)``."""
    lines: tuple[Line, ...]
    line: int
    """Index, in the document's lines, of the line that carries the mark; the last line above the note without one."""
    at: int | None = None
    """Offset of the mark in that line's text; None when it was not found."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A picture or drawing of one page with what is printed in it."""

    page: int
    box: Box
    """Of the picture alone: what a viewer shows of the page."""
    line: int
    """Index, in the document's lines, of its caption; without one, of the line it stands before."""
    caption_lines: int = 0
    """How many lines from ``line`` on are its caption."""
    lines: tuple[Line, ...] = ()
    """What is printed inside: numbers of axes, names of curves. Not among the document's lines."""


@dataclass(frozen=True, slots=True)
class Described:
    """What a vision model says of a page or figure: it is searched, never evidence and never quoted."""

    page: int
    box: Box
    """The figure's, or the page's when all of it was shown to the model."""
    model: str
    """Its name, as the endpoint knows it."""
    text: str
    """"" when there is none."""
    figure: bool = False
    reason: str = ""
    """Why there is no text, for people."""


@dataclass(frozen=True, slots=True)
class ParsedDocument:
    """What the parser saw in one file. A cache key is its bytes' hash and ``parser``."""

    source: str
    """Base name of the file."""
    sha256: str
    parser: str
    """Version of the parser; another one parses again."""
    title: str
    language: str
    """ISO 639-1: en, nl, de, fr, or what was detected."""
    pages: tuple[Page, ...]
    lines: tuple[Line, ...]
    """Body lines in reading order, with those inside tables, without running headers and footers, footnotes and what is
    printed inside figures."""
    furniture: tuple[Line, ...]
    """Running headers and footers: searchable, never in chunks."""
    sections: tuple[Section, ...]
    """Ascending by ``line``."""
    tables: tuple[Table, ...]
    metadata: tuple[tuple[str, str], ...] = ()
    """What the file says about itself, as (key, value): Title, Author, CreationDate …"""
    ocr: str = ""
    """Engine and version that was asked for the pages without usable text; "" when none was."""
    notes: tuple[Note, ...] = ()
    """Footnotes in the order of their pages. Notes of a table are the table's."""
    figures: tuple[Figure, ...] = ()
    """In the order of their pages."""
    repaired: bool = False
    """Whether the file is damaged and a repaired copy was read: pages and boxes are its own; some may be missing."""
    described: tuple[Described, ...] = ()
    """What a vision model was asked, in the order of the pages; empty when none was configured."""


ReadFrom: TypeAlias = Literal["printed", "metadata", "file name"]


@dataclass(frozen=True, slots=True)
class Reading:
    """A value that a document says of itself, and where it says so."""

    value: str
    read_from: ReadFrom
    page: int | None = None
    """Sheet, when it is printed."""
    box: Box | None = None
    key: str = ""
    """Of the metadata: ``Title``."""


@dataclass(frozen=True, slots=True)
class Field:
    """What is believed, and what else is said that differs: printed before metadata before the file's name."""

    reading: Reading | None
    """None when nothing says."""
    others: tuple[Reading, ...] = ()


@dataclass(frozen=True, slots=True)
class Description:
    """What a document is, as far as it says."""

    title: Field
    revision: Field
    """As ``vetting`` reads it, which decides the standing: the file's name before page 1."""
    date: Field
    """ISO 8601 to the precision that is said: ``2023-06-30``, ``2013-07``."""
    kind: Field
    """statute, form, letter, datasheet, manual, rulebook, guide, standard or report."""
    brand: Field
    model: Field
    summary: Field
    """One to three sentences of the document itself, verbatim."""


@dataclass(frozen=True, slots=True)
class Span:
    """Half-open character span of a chunk's text and the place where it is printed."""

    start: int
    end: int
    page: int
    box: Box


@dataclass(frozen=True, slots=True)
class Target:
    """A place that a reference leads to."""

    document: str
    section: SectionPath
    """Empty when the document as a whole is meant, or its section was not found."""
    page: int | None
    """Sheet on which the section, or the caption of the table or figure, begins; None without one."""


@dataclass(frozen=True, slots=True)
class Reference:
    """Another place that a chunk names ("see section 4.2"); half-open span in the chunk's text."""

    text: str
    start: int
    end: int
    page: int
    targets: tuple[Target, ...]
    """More than one only of a range ("Articles 13 to 15"); empty when it leads nowhere in the library."""
    reason: str = ""
    """Why it leads nowhere, or to the document only; "" when its place was found."""


@dataclass(frozen=True, slots=True)
class Unresolved:
    """What a document refers to and the library does not have."""

    text: str
    reason: str
    pages: tuple[int, ...]
    """Sheets it is written on, ascending."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """The stored, embedded unit. Chunks of a document never overlap and never cross a section."""

    index: int
    """0-based position in the document."""
    section: SectionPath
    kind: ChunkKind
    pages: tuple[int, ...]
    """Sheets it is printed on, ascending; empty when unknown (it never borrows one)."""
    text: str
    """Verbatim; empty of a picture that is only described. Of a table: rows as lines, cells separated by `` | ``,
    merged cells once."""
    embedded_text: str
    """What search sees: title, section path and text, merged cells copied into the rows and columns they cover;
    of a figure or unreadable page also what a vision model says of it, which is nowhere else."""
    spans: tuple[Span, ...] = ()
    """One for each printed line of ``text``, ascending."""
    table: Table | None = None
    """The grid of a chunk of kind ``table``."""
    breaks: tuple[int, ...] = ()
    """Offsets in ``text`` of hyphens that only break a word over two lines, ascending."""
    picture: Box | None = None
    """Of a chunk of kind ``figure``: the part of its page to show."""
    caption: int = 0
    """Of a chunk of kind ``figure``: how many characters of ``text``, from its start, are the caption; the rest is
    printed inside the picture and is never evidence."""
    references: tuple[Reference, ...] = ()
    """Other places that the text names, ascending; known once all documents of a release are."""


@dataclass(frozen=True, slots=True)
class Revision:
    """One published file of a document, as one release knows it."""

    document: str
    """Id that survives revisions."""
    source: str
    revision: str
    """As printed or named ("3"); the first 8 digits of the hash when nothing says."""
    sha256: str
    title: str
    language: str
    standing: Standing
    reason: str = ""
    """Why the standing is not ``citable``: "superseded by revision 3"."""
    labels: tuple[str, ...] = ()
    """Printed label of each sheet, in order; empty for passages made elsewhere, which have no pages."""
    description: Description | None = None
    """What the document says it is; None for passages made elsewhere."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A chunk as found for one question."""

    id: str
    revision: Revision
    chunk: Chunk
    rank: int
    """1-based."""
    score: float
    """Comparable only inside one ranking; never shown without ``--debug``."""


# ---------------------------------------------------------------- the gate


@dataclass(frozen=True, slots=True)
class Claim:
    """One typed value in a text; half-open span in that text."""

    text: str
    start: int
    end: int
    kind: ClaimKind


@dataclass(frozen=True, slots=True)
class Evidence:
    """Where a claim is supported: half-open span in the text of one context."""

    context: int
    """0-based index in the contexts that were given to the gate."""
    start: int
    end: int
    cell: tuple[int, int] | None = None
    """Row and column (from 0) when the context is a table."""


@dataclass(frozen=True, slots=True)
class Verdict:
    claim: Claim
    label: VerdictLabel
    confidence: float
    """0 to 1."""
    reason: str
    """A sentence for people: "the table gives 0.20 % for Purchase, Domestic; 0.35 % is Cross-border"."""
    evidence: Evidence | None = None
    """None when nothing in the contexts carries the value."""


@dataclass(frozen=True, slots=True)
class SentenceVerdict:
    """What the gate says of one sentence, list item or table row; half-open span in the answer."""

    text: str
    start: int
    end: int
    released: bool
    verdicts: tuple[Verdict, ...]


# ---------------------------------------------------------------- an answer


@dataclass(frozen=True, slots=True)
class CitedPage:
    page: int
    label: str
    boxes: tuple[Box, ...]


@dataclass(frozen=True, slots=True)
class Citation:
    """What a reader can follow by hand."""

    n: int
    """Its mark in the answer is ``{{n}}``; from 1."""
    document: str
    source: str
    title: str
    revision: str
    sha256: str
    section: SectionPath
    pages: tuple[CitedPage, ...]
    quote: str
    standing: Standing
    retrieved_at: str
    """ISO 8601, UTC."""
    url: str
    """Opens the document at the page, on the server that answered; "" of a row of the catalogue."""
    row: str = ""  # key of the catalogue's row, when it is no place in a document that is cited


@dataclass(frozen=True, slots=True)
class AnswerTable:
    """A source table, from the stored grid; never retyped by a model."""

    id: str
    citation: int
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    """Merged cells copied into every place they cover."""
    highlighted: tuple[tuple[int, int], ...]
    """Row (in ``rows``) and column of each cell the answer rests on."""
    cells: tuple[Cell, ...] = ()
    """The real grid, merged cells as merged, for the screen."""
    caption: str = ""
    footnotes: tuple[str, ...] = ()
    """As printed below it; a note may take back what a cell says."""


@dataclass(frozen=True, slots=True)
class Withheld:
    text: str
    claim: str
    verdict: VerdictLabel
    reason: str


@dataclass(frozen=True, slots=True)
class Step:
    """One call of a tool, in words."""

    tool: str
    arguments: dict[str, object]
    summary: str
    milliseconds: int


@dataclass(frozen=True, slots=True)
class Timing:
    """Milliseconds since the question; None when it did not come to that."""

    first_step: int | None
    first_block: int | None
    total: int


@dataclass(frozen=True, slots=True)
class ModelUsage:
    """Tokens of one configured language model for one answer, and their cost; None without a price."""

    model: str
    requests: int
    input_tokens: int
    cached_tokens: int  # of the input
    output_tokens: int
    cost: float | None
    estimated: bool = False  # counted with the encoder's tokenizer: the endpoint did not say


@dataclass(frozen=True, slots=True)
class Answer:
    id: str
    conversation: str
    question: str
    standalone_question: str
    outcome: Outcome
    markdown: str
    citations: tuple[Citation, ...]
    tables: tuple[AnswerTable, ...]
    withheld: tuple[Withheld, ...]
    steps: tuple[Step, ...]
    model: str
    release: str
    milliseconds: Timing
    reason: str = ""
    """Why the outcome is not ``answered``, for the reader."""
    draft: str = ""
    """The whole draft of an escalated answer, for the person who takes over; never part of ``markdown``."""
    usage: tuple[ModelUsage, ...] = ()  # in the order in which they were asked, without the built-in one


@dataclass(frozen=True, slots=True)
class Turn:
    """One earlier exchange of a conversation, for follow-ups."""

    question: str
    """As asked, not the standalone form."""
    markdown: str
    """What was released, with its marks; empty when nothing was."""


@dataclass(frozen=True, slots=True)
class StepTaken:
    step: Step


@dataclass(frozen=True, slots=True)
class PassagesFound:
    passages: tuple[Passage, ...]


@dataclass(frozen=True, slots=True)
class Block:  # one verified sentence, list item, heading or table row
    markdown: str
    citations: tuple[Citation, ...] = ()


@dataclass(frozen=True, slots=True)
class TableShown:
    table: AnswerTable


@dataclass(frozen=True, slots=True)
class SentenceWithheld:
    withheld: Withheld


@dataclass(frozen=True, slots=True)
class SourcesListed:
    citations: tuple[Citation, ...]


@dataclass(frozen=True, slots=True)
class Finished:  # the last event of a stream that did not break
    answer: Answer


@dataclass(frozen=True, slots=True)
class Broke:  # the last event of a stream that broke
    message: str
    retry: bool


AnswerEvent: TypeAlias = (
    StepTaken | PassagesFound | Block | TableShown | SentenceWithheld | SourcesListed | Finished | Broke
)


# ---------------------------------------------------------------- releases


@dataclass(frozen=True, slots=True)
class DocumentReport:
    """What one index run did with one file."""

    document: str
    source: str
    revision: str
    sha256: str
    status: Literal["new", "changed", "unchanged", "failed", "dropped"]
    standing: Standing
    pages: int = 0
    tables: int = 0
    chunks: int = 0
    pages_not_text: tuple[tuple[int, PageVerdict], ...] = ()
    reason: str = ""
    references: int = 0
    """References to other places that were read in it."""
    unresolved: tuple[Unresolved, ...] = ()
    """Those that lead nowhere in the library, in order of appearance."""
    ocr: str = ""
    """Engine that was asked for the pages without usable text; "" when none was."""
    repaired: bool = False
    """Whether the file is damaged and a repaired copy was read; pages may be missing."""
    vision: str = ""
    """What a vision model described, and why not the rest; "" when none was asked."""


@dataclass(frozen=True, slots=True)
class Release:
    """One published index; immutable."""

    id: str
    created: str
    """ISO 8601, UTC."""
    model: str
    """Name and hash of the embedding model."""
    parser: str
    average_length: float
    """Mean tokens of a chunk that BM25 was built with."""
    revisions: tuple[Revision, ...]
    documents: tuple[DocumentReport, ...]
    chunks: int
