"""Rows of the parts catalogue as evidence: what a model reads, what the gate judges, what a citation shows. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from itertools import pairwise

from pincite.answer.phrases import Language
from pincite.answer.row_phrases import MATCHES, SUPERSEDED_BY, SUPERSEDES, TITLES
from pincite.catalogue import EXACT, Found, Match, Part
from pincite.catalogue.part import folded
from pincite.catalogue.values import price_text, stock_text
from pincite.quantity import Quantity, read
from pincite.types import Cell, Chunk, Citation, Passage, Revision, Table

DOCUMENT = "catalogue:"
"""Begins what stands for a catalogue where a document's id is wanted; no document's id holds a colon."""


@dataclass(frozen=True, slots=True)
class RowPassage(Passage):
    """One row of the catalogue, offered and cited like a passage."""

    part: Part
    match: Match


def row_passage(found: Found, catalogue: str, language: Language, rank: int) -> RowPassage:
    """The row as a passage: a table of titles and values in the asker's language, and what superseded what below."""
    part = found.part
    values = [(TITLES[field][language], value) for field, value in fields_of(part, language)]
    cells = tuple(
        Cell(row, row, column, column, text, header=row == 0)
        for column, pair in enumerate(values)
        for row, text in enumerate(pair)
    )
    notes = (*supersedes(part, language), *superseded_by(part, language))
    digest = sha256(repr((part.key, values, notes)).encode()).hexdigest()
    text = "\n".join((" | ".join(title for title, _ in values), " | ".join(value for _, value in values)))
    return RowPassage(
        id=f"{DOCUMENT}{part.key}:{digest[:12]}",
        revision=Revision(DOCUMENT + catalogue, catalogue, "", digest, catalogue, language, "citable"),
        # What is fuzzy is said in the place that every door shows; never what was asked, or it would be evidence.
        chunk=Chunk(
            index=0,
            section=(part.number, *([MATCHES[found.match][language]] if found.match not in EXACT else [])),
            kind="table",
            pages=(),
            text=text,
            embedded_text=text,
            table=Table(0, (0.0, 0.0, 0.0, 0.0), cells, footnotes=notes),
        ),
        rank=rank,
        score=0.0,
        part=part,
        match=found.match,
    )


def fields_of(part: Part, language: Language) -> list[tuple[str, str]]:
    """What the row says, by the fields of ``TITLES``, in their order; numbers have the language's decimal sign."""
    decimal = "." if language == "en" else ","
    price = f"{part.currency} {price_text(part.price, decimal)}".strip() if part.price is not None else ""
    fields = {
        "number": part.number,
        "description": part.description,
        "manufacturer": part.manufacturer,
        "model": part.model,
        "oem": ", ".join(part.oem_numbers),
        "stock": stock_text(part.stock, decimal) if part.stock is not None else "",
        "price": price,
    }
    return [(field, value) for field, value in fields.items() if value]


def supersedes(part: Part, language: Language) -> tuple[str, ...]:
    """Sentences that say what the part supersedes, the nearest first."""
    return tuple(SUPERSEDES[language].format(new=part.number, old=old) for old in part.supersedes)


def superseded_by(part: Part, language: Language) -> tuple[str, ...]:
    """Sentences that say what superseded the part, step by step."""
    chain = (part.number, *part.superseded_by)
    return tuple(SUPERSEDED_BY[language].format(old=old, new=new) for old, new in pairwise(chain))


def read_out(passage: RowPassage) -> str:
    """The row on one line: what a citation quotes."""
    table = passage.chunk.table
    titles = [cell.text for cell in table.cells if cell.r0 == 0] if table else []
    values = [cell.text for cell in table.cells if cell.r0 == 1] if table else []
    pairs = "; ".join(f"{title}: {value}" for title, value in zip(titles, values, strict=True))
    return " ".join([pairs + ".", *(table.footnotes if table else ())])


def row_citation(n: int, passage: RowPassage) -> Citation:
    """The citation of a row: no page and no link, but its key, and when it was read."""
    revision = passage.revision
    return Citation(
        n=n,
        document=revision.document,
        source=revision.source,
        title=revision.title,
        revision=revision.revision,
        sha256=revision.sha256,
        section=passage.chunk.section,
        pages=(),
        quote=read_out(passage),
        standing=revision.standing,
        retrieved_at=passage.part.read_at,
        url="",
        row=passage.part.key,
    )


def cites_fuzzy(citations: Iterable[Citation], passages: Iterable[Passage]) -> bool:
    """Whether a row is cited that was not found by its number."""
    fuzzy = {one.part.key for one in passages if isinstance(one, RowPassage) and one.match not in EXACT}
    return any(citation.row in fuzzy for citation in citations)


# ---------------------------------------------------------------- what a row cannot carry

_STOCKED = re.compile(
    r"\b(?:in stock|on stock|available|op voorraad|in voorraad|voorradig|leverbaar|beschikbaar|auf lager|vorrätig|"
    r"lieferbar|verfügbar|en stock|disponibles?)\b",
    re.IGNORECASE,
)
_SOLD_OUT = re.compile(
    r"\b(?:out of stock|sold out|unavailable|uitverkocht|ausverkauft|épuisée?s?|en rupture(?: de stock)?)\b",
    re.IGNORECASE,
)
_DENIED = re.compile(r"\b(?:not|no|none|n't|niet|geen|nicht|kein\w*|pas|aucun\w*|plus)\b|n't\b", re.IGNORECASE)
_PASSIVE = re.compile(
    r"\b(?:(?:superseded|succeeded) by|replaced (?:by|with)|vervangen door|opgevolgd door|(?:ersetzt|abgelöst) durch|"
    r"remplacée?s? par|durch(?=.*\b(?:ersetzt|abgelöst)\b)|door(?=.*\b(?:vervangen|opgevolgd)\b))",
    re.IGNORECASE,
)
_ACTIVE = re.compile(
    r"\b(?:supersedes?|replaces?|is the successor (?:of|to)|vervangt|is de opvolger van|ersetzt|"
    r"ist der nachfolger von|remplace|est le successeur de)\b",
    re.IGNORECASE,
)


def refuted(sentence: str, passage: RowPassage) -> str:
    """Why a row cannot carry the sentence though all its values stand in it; "" when nothing speaks against it.

    A row has a bare count and two kinds of numbers, and knows which part came after which: a table of a document has no
    such fields, so the gate knows none of this.
    """
    part = passage.part
    said = _DENIED.search(sentence) is not None
    if _SOLD_OUT.search(sentence) or _STOCKED.search(sentence):
        claims_stock = (_SOLD_OUT.search(sentence) is None) != said
        if part.stock is None:
            return "the row says nothing of the stock"
        if claims_stock != (part.stock > 0):
            return f"the row gives a stock of {stock_text(part.stock)}"
    own = f"{part.number} {part.description} {part.model}"
    if any(part.price is None or part.price not in amount.readings for amount in _amounts(sentence)):
        return "it is not the price that the row gives"
    if _measured(sentence) - _measured(own):
        return "the row's numbers are a stock and a price, without such a unit"
    return _wrong_order(sentence, part)


def _measured(text: str) -> set[Quantity]:
    """Numbers with a unit; sums of money have none."""
    values = (found.value for found in read(text))
    return {value for value in values if isinstance(value, Quantity) and value.unit and not value.currency}


def _amounts(text: str) -> list[Quantity]:
    values = (found.value for found in read(text))
    return [value for value in values if isinstance(value, Quantity) and value.currency]


def _wrong_order(sentence: str, part: Part) -> str:
    order = [folded(one) for one in (*reversed(part.supersedes), part.number, *part.superseded_by)]
    passive, active = _PASSIVE.search(sentence), _ACTIVE.search(sentence)
    verb = passive or active
    if verb is None:
        other = next((one for one in order if one != folded(part.number) and names_number(one, sentence)), "")
        return f"the row is of {part.number} and says of {other} only its place in the succession" if other else ""
    before = [one for one in order if names_number(one, sentence[: verb.start()])]
    after = [one for one in order if names_number(one, sentence[verb.end() :])]
    if not before or not after:
        return ""
    older, newer = (before, after) if passive else (after, before)
    if max(map(order.index, older)) < min(map(order.index, newer)):
        return ""
    return "the row says it the other way round: which part superseded which"


def names_number(number: str, text: str) -> bool:
    """Whether the text names this number, and not one that only begins or ends like it."""
    return re.search(rf"(?<![^\W_]){re.escape(folded(number))}(?![^\W_]|[-./][^\W_])", folded(text)) is not None
