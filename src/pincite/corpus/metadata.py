"""ParsedDocument → what it says it is: title, revision, date, kind, brand, model, each with its place. Pure.

What is printed counts before what the file's properties say, and those before its name; all that differ are kept.
A title in the properties that is not printed on the first sheets is a claim by whoever wrote the properties, no title.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import PurePath

from pincite.corpus import dates
from pincite.corpus.layout import garbled
from pincite.corpus.summary import summarise
from pincite.corpus.vetting import first_sheet, identify, printed_revision
from pincite.types import Description, Field, Line, ParsedDocument, Reading

FIRST_SHEETS = 2
"""Sheets on which a title is looked for: the cover and the inner cover."""

_CONFIRMED = 0.8
"""Share of a title's letters, in words, that large type and headers must print before it is believed.

Abbreviations ("SP", "Rev.") are printed in full and miss; they are short. Chosen on the 57 rulebooks.
"""

_FILE_LIKE = re.compile(
    r"^(microsoft (word|powerpoint|excel)\b.*|untitled.*|.*\.(docx?|pdf|indd|qxd|xlsx?|pptx?|tex|dvi|fm|rtf|odt)|"
    r"(document|slide|layout|layout 1|title|titel|draft|print|blank|unknown|none)\d*|[\W\d_]*|\(anonymous\))$",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W_]+(?:[-.][^\W_]+)*")
_NUMBERED = re.compile(r"^(?:\d+(?:\.\d+)*\.?|§\s*\d+)\s")
_SHORT_TITLE = re.compile(
    r"\((?P<name>(?:[A-Z][\w-]+ ){1,6}(?:Regulation|Act|Directive|Rules|Code|Decree)|"
    r"[A-Z][\w ]{3,60}(?:wet|besluit|regeling)|[A-ZÄÖÜ][\wäöüß-]+(?:gesetz|verordnung|ordnung))\b"
)

_KINDS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(rf"\b(?:{words})\b", re.IGNORECASE))
    for kind, words in (
        ("datasheet", r"data\s?sheets?|datenbl[aä]tt(?:er)?|productblad|gegevensblad|fiche technique|technical data"),
        ("form", r"application form|forms?\b(?! of)|formulier|formular|antrag|formulaire"),
        ("manual", r"manual|instructions?|handleiding|(?:betriebs|bedienungs|montage)anleitung|notice|handbuch"),
        ("rulebook", r"rule ?book|scheme rules|rules|reglement|regelwerk|règlement intérieur"),
        ("standard", r"standards?|specifications?|requirements|norm|spezifikation|registry"),
        ("guide", r"guides?|guidelines?|guidance|recommendations?|recommended|leidraad|leitfaden|framework|profile"),
        ("report", r"report|rapport|bericht|glossary|study|evaluation"),
    )
)
_STATUTE = re.compile(
    r"^(?:(?:wet|besluit|regeling|rijkswet|verordening)\s+(?:van|houdende|op)\b|\w*(?:wet|besluit|regeling)\b|.{0,60}\b(?:gesetz|verordnung)\b|"
    r"(?:.*\b)?(?:REGULATION|DIRECTIVE)\s+\(E[UC]\))|(?:wet|besluit|regeling|gesetz|verordnung)\)?$",
    re.IGNORECASE,
)
_OF_DATE = re.compile(r"(?:\bof|\bvan|\bvom|\bdu)\s+\d{1,2}\.?\s+[^\W\d]+\s+(?:19|20)\d\d")
_DATE_LINE = 75
"""Characters from which a line is prose, and a date in it some date."""
_ARTICLE = re.compile(r"^(?:artikel|article|art\.|§)\s*\d", re.IGNORECASE)
_GREETING = re.compile(r"^(?:Dear\s|Geachte\s|Beste\s|Sehr geehrte|Madame|Monsieur)", re.IGNORECASE)
_MODEL = re.compile(r"\b[A-Z]{1,6}[ -]?\d[\w./]*(?:-\d\w*)*")
_MAKER = re.compile(
    r"^(?:manufacturer|fabrikant|hersteller|fabricant|maker|brand|merk|marke)\s*:\s*(?P<name>\S.{1,50})$", re.IGNORECASE
)


def describe(document: ParsedDocument) -> Description:
    """Return what a document says of itself."""
    cover = _cover(document)
    properties = dict(document.metadata)
    title = read_title(document.lines, document.furniture, properties, document.source)
    kind = _kind(document, title, cover)
    model = _model(document, cover, title)
    is_product = kind.reading.value in ("datasheet", "manual") if kind.reading else model.reading is not None
    return Description(
        title=title,
        revision=_revision(document, properties),
        date=_date(document, cover, properties),
        kind=kind,
        brand=_brand(cover, properties) if is_product else Field(None),
        model=model if is_product else Field(None),
        summary=summarise(document),
    )


# ---------------------------------------------------------------- title


def read_title(lines: Sequence[Line], furniture: Sequence[Line], properties: Mapping[str, str], source: str) -> Field:
    """Return the title: what is printed largest on the first sheets, in full where the properties say it in full.

    The properties' title is believed when large type and headers of the first sheets print its words, those of the
    largest type among them. Without anything printed large it is the short title in brackets of a legal act, else what
    the properties say, else the file's name.
    """
    first = [line for line in lines if line.page <= FIRST_SHEETS]
    headers = [line for line in furniture if line.page <= FIRST_SHEETS]
    run = _largest(lines, [*headers, *first])
    said = " ".join(properties.get("Title", "").split())
    usable = 4 <= len(said) <= 250 and not _FILE_LIKE.match(said) and not garbled(said.split())
    named = Reading(PurePath(source).stem or source, "file name")
    claimed = Reading(said, "metadata", key="Title") if said else None
    shown = _shown(lines, first, furniture)
    if usable and claimed and _is_printed(said, shown, run):
        place = run[0] if run else next(iter([*headers, *first]), None)
        return Field(Reading(said, "printed", place.page if place else 1, place.box if place else None, "Title"))
    others = (claimed,) if claimed else ()
    if run:
        text = " ".join(" ".join(line.text for line in run).split())[:250]
        if garbled(text.split()):
            return Field(named, others)
        return Field(Reading(text, "printed", run[0].page, run[0].box), others)
    for line in first:
        if short := _SHORT_TITLE.search(line.text):
            return Field(Reading(short["name"], "printed", line.page, line.box), others)
    return Field(claimed, (named,)) if usable and claimed else Field(named, others)


def title_of(lines: Sequence[Line], furniture: Sequence[Line], properties: Mapping[str, str], source: str) -> str:
    """Return the value of ``read_title``: a file's name at the least."""
    reading = read_title(lines, furniture, properties, source).reading
    return reading.value if reading else source


def _largest(lines: Sequence[Line], first: Sequence[Line]) -> list[Line]:
    """Return the lines in the largest type of the first sheet that has any type larger than the text."""
    body = _body_size(lines)
    for page in range(1, FIRST_SHEETS + 1):
        large = [line for line in first if line.page == page and line.size > body * 1.1 and _may_be_title(line.text)]
        if not large:
            continue
        top = max(line.size for line in large)
        start = next(i for i, line in enumerate(large) if line.size >= top - 0.2)
        run = [large[start]]
        for line in large[start + 1 : start + 6]:
            if line.size < top - 0.6 or run[-1].box[1] - line.box[3] > 1.5 * line.size:
                break
            run.append(line)
        return run
    top = [line for line in first if line.page == 1][:12]
    bold: list[Line] = []
    for line in top:
        if not line.bold or len(bold) == 3 or _NUMBERED.match(line.text):
            break
        bold.append(line)
    if bold and _letters(bold[0].text) >= 4:
        return bold
    if not 0 < len(top) < 12:
        return []
    # Of a short sheet in one type the first line is its title, unless it is a sentence or a numbered heading.
    return top[:1] if _may_be_title(top[0].text) and top[0].text.rstrip()[-1] not in ",;:" else []


def _body_size(lines: Sequence[Line]) -> float:
    sizes: Counter[float] = Counter()
    for line in lines[:3000]:
        sizes[round(line.size * 2) / 2] += len(line.text)
    return sizes.most_common(1)[0][0] if sizes else 10.0


def _shown(lines: Sequence[Line], first: Sequence[Line], furniture: Sequence[Line]) -> set[str]:
    """Return the words that stand out on the first sheets: larger or bolder than the text, or in a header."""
    body = _body_size(lines)
    out = [line.text for line in first if line.size > body * 1.1 or (line.bold and line.size >= body)]
    # The top of a cover in the type of the text is a cover too.
    out += [line.text for line in first[:12] if line.page == 1 and len(line.text) < 90]
    out += [line.text for line in furniture if line.page <= FIRST_SHEETS]
    return {word for text in out for word in _words(text)}


def _is_printed(title: str, shown: set[str], run: Sequence[Line]) -> bool:
    words = _words(title)
    letters = sum(len(word) for word in words)
    if not letters or sum(len(word) for word in words if word in shown) < _CONFIRMED * letters:
        return False
    largest = [word for line in run for word in _words(line.text)]
    return not largest or 2 * sum(word in words for word in largest) >= len(largest)


def _words(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(text)]


def _letters(text: str) -> int:
    return sum(c.isalpha() for c in text)


def _may_be_title(text: str) -> bool:
    """Return whether a line is neither a sentence, nor a numbered heading, nor letter-spaced."""
    return (
        _letters(text) >= 4 and not text.rstrip().endswith(".") and not _NUMBERED.match(text) and not _is_spaced(text)
    )


def _is_spaced(text: str) -> bool:
    """Return whether a line is letter-spaced: "C O M P U T E R"."""
    words = text.split()
    return sum(len(word) == 1 for word in words) > len(words) / 2 and len(words) > 3


# ---------------------------------------------------------------- revision and date


def _revision(document: ParsedDocument, properties: Mapping[str, str]) -> Field:
    first = first_sheet(document)
    identity = identify(document.source, [line.text for line in first], properties)
    found = printed_revision([line.text for line in first])
    printed = Reading(found[1], "printed", 1, first[found[0]].box) if found else None
    if identity.named:
        named = Reading(identity.revision, "file name")
        agrees = printed is not None and printed.value == named.value
        return Field(printed if agrees else named, (printed,) if printed and not agrees else ())
    return Field(printed)


def _date(document: ParsedDocument, cover: Sequence[Line], properties: Mapping[str, str]) -> Field:
    """Return the first day or month that the first sheets print in a short line or an act's title, else the file's."""
    printed: list[Reading] = []
    for i, line in enumerate(cover):
        # The date of an act stands in its title, whatever the line's length.
        acted = _OF_DATE.search(line.text) if i < 8 else None
        if acted or len(line.text) < _DATE_LINE:
            found = dates.find(line.text[acted.start() :] if acted else line.text, document.language)
            if found:
                printed.append(Reading(found, "printed", line.page, line.box))
    said: list[Reading] = []
    for key in ("CreationDate", "ModDate"):
        match = re.match(r"D:(\d{4})(\d{2})?(\d{2})?", properties.get(key, ""))
        if match:
            said.append(Reading("-".join(part for part in match.groups() if part), "metadata", key=key))
    everything = [*printed[:1], *said]
    if not everything:
        return Field(None)
    first = everything[0]
    others = {r.value: r for r in reversed(everything[1:]) if r.value[:7] != first.value[:7]}
    return Field(first, tuple(others.values()))


def _cover(document: ParsedDocument) -> list[Line]:
    """Return what is printed on the first sheets, headers and footers too, in reading order of the sheets."""
    return [
        line
        for page in range(1, FIRST_SHEETS + 2)
        for lines in (document.lines, document.furniture)
        for line in lines
        if line.page == page
    ]


# ---------------------------------------------------------------- kind, brand, model


def _kind(document: ParsedDocument, title: Field, cover: Sequence[Line]) -> Field:
    """Return the kind by what it is called; of statutes and letters by how they are built."""
    value = title.reading.value if title.reading else ""
    found: list[Reading] = []
    place = title.reading
    articles = [section for section in document.sections if _ARTICLE.match(section.title)]
    legal = next((line for line in cover[:8] if _STATUTE.search(line.text)), None)
    if _STATUTE.search(value) and place:
        found.append(Reading("statute", place.read_from, place.page, place.box))
    elif legal or (len(articles) >= 5 and 2 * len(articles) > len(document.sections)):
        line = legal or document.lines[articles[0].line]
        found.append(Reading("statute", "printed", line.page, line.box))
    greeting = next((line for line in document.lines if line.page == 1 and _GREETING.match(line.text)), None)
    if greeting and len(document.pages) <= 6:
        found.append(Reading("letter", "printed", greeting.page, greeting.box))
    last: list[tuple[int, str]] = []
    for kind, pattern in _KINDS:
        # "Guide to … Standards" is a guide, "Standards for …" is a standard: what comes first names it.
        if match := pattern.search(value):
            last.append((match.start(), kind))
    if last and place:
        found += [Reading(kind, place.read_from, place.page, place.box) for _, kind in sorted(last)]
    else:
        for line in cover[:25]:
            kinds = [(m.start(), kind) for kind, pattern in _KINDS if (m := pattern.search(line.text))]
            if kinds and len(line.text) < 60:
                found.append(Reading(min(kinds)[1], "printed", line.page, line.box))
    unique = {reading.value: reading for reading in reversed(found)}
    ordered = [unique[value] for value in dict.fromkeys(reading.value for reading in found)]
    return Field(ordered[0], tuple(ordered[1:])) if ordered else Field(None)


def _brand(cover: Sequence[Line], properties: Mapping[str, str]) -> Field:
    """Return who makes it: after "Manufacturer:", with ® or ™, or the author of the file where it is printed too."""
    for line in cover:
        if match := _MAKER.match(line.text):
            return Field(Reading(match["name"].strip(), "printed", line.page, line.box))
    for key in ("Author", "Company", "Publisher", "Creator"):
        said = " ".join(properties.get(key, "").split())
        at = next((line for line in cover if len(said) >= 3 and _contains(line.text, said)), None)
        if at:
            return Field(Reading(said, "printed", at.page, at.box, key))
    for line in cover:
        if match := re.search(r"(?P<name>[A-Z][\w&-]+(?: [A-Z][\w&-]+)?)\s?[®™]", line.text):
            return Field(Reading(match["name"], "printed", line.page, line.box))
    return Field(None)


def _contains(text: str, name: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text, re.IGNORECASE) is not None


def _model(document: ParsedDocument, cover: Sequence[Line], title: Field) -> Field:
    """Return the type that the cover prints and the file's name, its title or its headers say too."""
    running = " ".join(line.text for line in document.furniture if line.page <= FIRST_SHEETS)
    stem = PurePath(document.source).stem
    value = title.reading.value if title.reading else ""
    agreeing = [_plain(stem), _plain(value), _plain(running)]
    for line in cover:
        for match in _MODEL.finditer(line.text):
            name = match.group().strip(" .-/")
            plain = _plain(name)
            if len(plain) >= 4 and any(plain in text for text in agreeing):
                return Field(Reading(name, "printed", line.page, line.box))
    return Field(None)


def _plain(text: str) -> str:
    return re.sub(r"[\W_]+", "", text).casefold()
