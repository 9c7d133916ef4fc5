"""What the built-in model asks the catalogue, and how it writes the rows that came. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from pincite.answer.phrases import language_of
from pincite.answer.row_phrases import TITLES
from pincite.answer.rows import RowPassage, fields_of, superseded_by, supersedes
from pincite.answer.select.question import QUESTION_WORDS
from pincite.answer.words import STOP_WORDS, WORD
from pincite.catalogue.part import numbers_in
from pincite.types import Passage

LOOKUPS = 3
"""Most numbers of one question that are looked up."""

_FIELDS: dict[str, str] = {
    "price": r"prices?|priced|costs?|prijs|prijzen|kost(?:en)?|preise?|listenpreis|kostet|prix|coûte(?:nt)?|tarif",
    "stock": r"(?:in |on )?stock|available|availability|(?:op )?voorraad|voorradig|leverbaar|bestand|(?:auf )?lager|"
    r"lagernd|vorrätig|verfügbar|lieferbar|disponibles?|disponibilité",
    "oem": r"oem(?:[- ]?(?:numbers?|nummers?|nummern?))?",
    "number": r"(?:part|article|item|order)s?[- ]?(?:numbers?|no\.?)|(?:artikel|onderdeel|bestel)nummers?|"
    r"(?:artikel|teile|ersatzteil|bestell)nummern?|référence(?: de la pièce)?|numéro de (?:pièce|l'article)|"
    r"catalogue|catalogus|katalog|spare parts?|ersatzteile?|reserveonderdelen|onderdeel|pièces? de rechange",
    "supersession": r"supersed\w+|success(?:or|eur)s?|opvolgers?|nachfolger|replac(?:es|ed|ement)s?|vervang\w+|ersetzt|"
    r"remplac\w+",
}
_ASKED = {field: re.compile(rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE) for field, words in _FIELDS.items()}


def asked_fields(question: str) -> frozenset[str]:
    """What of a part the question asks for: price, stock, oem, number, supersession; empty: nothing of a part.

    >>> sorted(asked_fields("Wat kost de PX-1044-B en is hij op voorraad?"))
    ['price', 'stock']
    """
    return frozenset(field for field, pattern in _ASKED.items() if pattern.search(question))


def part_queries(question: str, parts: Sequence[str] = ()) -> tuple[str, ...]:
    """What to look up: each number of the question, or else its words without those that ask; nothing of a part: none.

    Of a question with ``parts``, those that ask for something of a part; all of it where these name none.

    >>> part_queries("Is the PX-1044-B in stock, and what does the PX-1044-C cost?")
    ('PX-1044-B', 'PX-1044-C')
    >>> part_queries("What is the price of the shaft seal?"), part_queries("What is the NPSH of the CRN 32-3?")
    (('shaft seal',), ())
    """
    asking = [part for part in parts or (question,) if asked_fields(part)]
    found = dict.fromkeys(query for part in asking for query in _numbers(part))
    if asking and not found:
        found = dict.fromkeys(_numbers(question) or filter(None, map(_words, asking)))
    return tuple(found)[:LOOKUPS]


def _words(part: str) -> str:
    """The words of a question without those that ask."""
    for pattern in _ASKED.values():
        part = pattern.sub(" ", part)
    words = [word for word in WORD.findall(part) if len(word) > 1]
    return " ".join(word for word in words if word.casefold() not in STOP_WORDS | QUESTION_WORDS)


_SPACED = re.compile(r"(?<!\w)[A-Z]{1,4} \d{3,}(?: [A-Z]{1,2})?(?!\w)")
"""A number written as several words: "PX 1044 B"."""


def _numbers(question: str) -> tuple[str, ...]:
    """The part numbers of a question, with a letter behind that may belong to one: "PX-1044 B"."""
    found: dict[str, None] = dict.fromkeys(_SPACED.findall(question))
    for number in numbers_in(question)[1:]:
        if not any(number in spaced for spaced in found):
            behind = re.search(rf"(?i:{re.escape(number)}) [A-Z]{{1,2}}(?!\w)", question)
            found[behind.group(0) if behind else number] = None
    return tuple(found)


def write_rows(question: str, offered: Mapping[str, Passage]) -> str:
    """The rows that answer, as list items with their handles; "" when there are none.

    Of a row with another number than the one asked for, only what it is: its price is not the price that was asked for.
    """
    asked = asked_fields(question)
    items: list[str] = []
    priced = stocked = False
    rows = {handle: row for handle, row in offered.items() if isinstance(row, RowPassage)}
    for handle, row in rows.items():
        language = language_of(row.revision.language)
        wanted = {"description", "model", *(("price", "stock", "oem") if not asked - {"number"} else asked)}
        if row.match == "similar":
            wanted -= {"price", "stock"}
        values = fields_of(row.part, language)
        said = [f"{TITLES[field][language]}: {value}" for field, value in values if field in wanted]
        priced = priced or ("price" in wanted and row.part.price is not None)
        stocked = stocked or ("stock" in wanted and row.part.stock is not None)
        number = f"{TITLES['number'][language]}: {row.part.number}"
        items.append(f"- {_unmarked('; '.join([number, *said]))} [[{handle}]]")
        if row.match in ("number", "oem", "spelling"):
            items += [f"- {_unmarked(note)} [[{handle}]]" for note in superseded_by(row.part, language)]
        if "supersession" in asked and row.match != "successor":
            items += [f"- {_unmarked(note)} [[{handle}]]" for note in supersedes(row.part, language)]
    lacking = [field for field, there in (("price", priced), ("stock", stocked)) if field in asked and not there]
    words = [match.group(0) for field in lacking if (match := _ASKED[field].search(question))]
    return "\n".join(items) + "".join(f"\n\n[[missing: {word}]]" for word in words if items)


def _unmarked(text: str) -> str:
    """Text of a database that carries no mark of an answer and begins no Markdown."""
    return re.sub(r"([\\`*_\[\]<|])", r"\\\1", " ".join(text.split()))
