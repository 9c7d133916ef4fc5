"""ParsedDocument → one to three sentences of its own that say what it is about. Pure, extractive, without a model."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from pincite.types import Field, Line, ParsedDocument, Reading

WORDS = 60
"""Words of a summary, at most."""

_FIRST_LINES = 1500
"""Lines that are looked at: what a document is about stands in its front."""

_COVER = 5
"""Sheets on which "This document …" counts without a heading such as "Scope" above it."""

_SHORT = 12
"""Sheets of a document whose first prose says what it is about."""

_SAYS = re.compile(
    r"^(?:(?:The (?:purpose|scope|objective|aim) of )?(?:this|the present) (?:document|publication|guide|guideline|"
    r"guidance|recommendation|standard|report|rulebook|manual|regulation|profile|specification|policy|annex|"
    r"data ?sheet|bulletin|framework|handbook|special publication)\b|"
    r"Dit (?:document|besluit|reglement|handboek|blad|rapport)\b|"
    r"Deze (?:wet|regeling|handleiding|richtlijn|verordening|norm)\b|"
    r"Dieses (?:Dokument|Gesetz|Datenblatt|Handbuch)\b|Diese (?:Verordnung|Anleitung|Richtlinie|Norm)\b|"
    r"(?:Ce|Cette|Le présent|La présente) (?:document|guide|manuel|règlement|norme)\b)",
    re.IGNORECASE,
)
_VERB = re.compile(
    r"\b(?:provides?|describes?|specif(?:y|ies)|defines?|sets? out|lays? down|is intended|gives?|contains?|applies|"
    r"covers?|discusses|explains?|presents?|assists?|establish(?:es)?|explores|supplements?|seeks|purpose|scope|helps?|"
    r"lists|beschrijft|bevat|regelt|geeft|is van toepassing|beschreibt|enthält|gilt|décrit|définit|est destiné)\b",
    re.IGNORECASE,
)
_ABOUT = re.compile(
    r"^(?:[\dIVX.]*\s*)?(?:abstract|scope|summary|executive summary|purpose(?: and scope)?|introduction|samenvatting|"
    r"toepassingsgebied|doel|inleiding|zusammenfassung|anwendungsbereich|zweck|einleitung|résumé|objet|"
    r"champ d.application|applications?|description|toepassing)\b",
    re.IGNORECASE,
)
_BOILERPLATE = re.compile(
    r"\b(?:copyright|all rights reserved|free of charge|endorse(?:d|ment)|warranty|statutory|contradict|trade names|"
    r"commercial entities|acknowledge|comments on this|supersedes?|obtained from|reproduced|is consistent with|"
    r"series reports|does not|is not|should not|satisfies the|treedt|aangehaald|berust|niet van toepassing|"
    r"in kraft|zitiert)\b",
    re.IGNORECASE,
)
_END = re.compile(r"(?<=[.!?])\s+(?=[A-ZÄÖÜÉ“\"(])")


def summarise(document: ParsedDocument) -> Field:
    """Return the sentences that say what the document is about; without a reading when none do.

    A sentence like "This document describes …" counts most, then what stands under "Scope", "Abstract" and the like.
    """
    if document.language not in ("en", "nl", "de", "fr"):
        return Field(None)
    about = {section.line for section in document.sections if _ABOUT.match(section.title)}
    heads = {section.line for section in document.sections}
    best: tuple[float, list[str], Line] | None = None
    for lines, heading in _paragraphs(document.lines[:_FIRST_LINES], heads):
        sentences = _sentences(lines)
        if not sentences:
            continue
        for k, sentence in enumerate(sentences):
            if not 6 <= len(sentence.split()) <= WORDS or _BOILERPLATE.search(sentence):
                continue
            score = 0.0
            if _SAYS.match(sentence):
                if document.sections and heading not in about and lines[0].page > _COVER:
                    continue  # of a definition or a standard that is quoted
                score += 2 + (1 if _VERB.search(sentence[:160]) else 0)
            if heading in about and k == 0:
                score += 1.5
            if not score:
                continue
            score -= lines[0].page / 50
            if best is None or score > best[0]:
                best = (score, sentences[k:], lines[0])
    if best is None:
        best = _opening(document, heads)
    if best is None:
        return Field(None)
    kept: list[str] = []
    for sentence in best[1][:3]:
        if kept and (
            sum(len(s.split()) for s in kept) + len(sentence.split()) > WORDS or _BOILERPLATE.search(sentence)
        ):
            break
        kept.append(sentence)
    return Field(Reading(" ".join(kept), "printed", best[2].page, best[2].box))


def _opening(document: ParsedDocument, heads: set[int]) -> tuple[float, list[str], Line] | None:
    """Return the first prose of a short document, such as a data sheet, before its second heading."""
    if len(document.pages) > _SHORT:
        return None
    for lines, heading in _paragraphs(document.lines[:40], heads):
        sentences = _sentences(lines)
        if heading > min(heads, default=0):
            break
        if sentences and 6 <= len(sentences[0].split()) <= WORDS and not _BOILERPLATE.search(sentences[0]):
            return 0.0, sentences, lines[0]
    return None


def _paragraphs(lines: Sequence[Line], heads: set[int]) -> Iterator[tuple[list[Line], int]]:
    """Yield runs of lines in one type with the line of the heading above them, -1 before the first."""
    run: list[Line] = []
    heading = -1
    for i, line in enumerate(lines):
        apart = bool(run) and (
            abs(line.size - run[-1].size) > 0.6
            or line.bold != run[-1].bold
            or (line.page == run[-1].page and not 0 < run[-1].box[1] - line.box[1] < 2.2 * max(line.size, 4.0))
            or (line.page != run[-1].page and run[-1].text.rstrip()[-1:] in ".:!?")
        )
        if i in heads or apart:
            if run:
                yield run, heading
            run = []
        if i in heads:
            heading = i
            continue
        run.append(line)
    if run:
        yield run, heading


def _sentences(lines: Sequence[Line]) -> list[str]:
    """Return whole sentences; a hyphen at a line's end is kept as printed, with its line break gone."""
    text = ""
    for line in lines:
        part = " ".join(line.text.split())
        text += part if not text or text.endswith("-") else f" {part}"
    return [s for s in _END.split(text) if s.rstrip()[-1:] in ".!?”)" and len(s) < 600]
