"""The gate, asked about passages: each is prepared once, with its title and headings beside it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import replace
from threading import Lock

from pincite.answer.gate import Prepared, judge, prepare
from pincite.answer.rows import RowPassage, refuted
from pincite.answer.words import detect_language
from pincite.corpus.hyphenation import softened
from pincite.types import Claim, Passage, SentenceVerdict, Verdict

PREPARED = 4000
"""Passages kept prepared. Preparing takes most of the gate's time; ten passages of an answer come back in the next."""


class PassageGate:
    """Verdicts on a text against passages. Safe to call from several threads."""

    def __init__(self) -> None:
        self._prepared: OrderedDict[tuple[str, int, str], tuple[Prepared, Prepared]] = OrderedDict()
        self._lock = Lock()

    def __call__(self, text: str, passages: Sequence[Passage]) -> tuple[SentenceVerdict, ...]:
        """Verdicts in order. ``Evidence.context`` is the passage's index, -1 for evidence in a title or heading."""
        contexts = [prepared for passage in passages for prepared in self._prepare(passage)]
        language = detect_language(text) or (passages[0].revision.language if passages else "en")
        judged = (
            replace(sentence, verdicts=tuple(map(_in_passage, sentence.verdicts)))
            for sentence in judge(text, contexts, language, continued=True)
        )
        return tuple(_beside_rows(sentence, passages) for sentence in judged)

    def _prepare(self, passage: Passage) -> tuple[Prepared, Prepared]:
        key = (passage.revision.sha256, passage.chunk.index, passage.id)
        with self._lock:
            if known := self._prepared.get(key):
                self._prepared.move_to_end(key)
                return known
        revision, chunk = passage.revision, passage.chunk
        headings = ". ".join([revision.title, *chunk.section])
        text = softened(chunk)
        if chunk.kind == "figure":
            # What is printed inside a picture, the numbers of an axis above all, says nothing of its own.
            text = text[: chunk.caption]
        made = prepare(chunk.table or text, revision.language), prepare(headings, revision.language)
        with self._lock:
            self._prepared[key] = made
            while len(self._prepared) > PREPARED:
                self._prepared.popitem(last=False)
        return made


def _beside_rows(sentence: SentenceVerdict, passages: Sequence[Passage]) -> SentenceVerdict:
    """The sentence, held back where it rests on a row of the catalogue that cannot carry it."""
    resting = {verdict.evidence.context for verdict in sentence.verdicts if verdict.evidence is not None}
    rows = [one for n, one in enumerate(passages) if isinstance(one, RowPassage) and (n in resting or resting <= {-1})]
    why = next(filter(None, (refuted(sentence.text, row) for row in rows)), "")
    if not sentence.released or not why:
        return sentence
    claim = Claim(sentence.text, sentence.start, sentence.end, "statement")
    return replace(sentence, released=False, verdicts=(*sentence.verdicts, Verdict(claim, "unsupported", 0.03, why)))


def _in_passage(verdict: Verdict) -> Verdict:
    evidence = verdict.evidence
    if evidence is None:
        return verdict
    index = -1 if evidence.context % 2 else evidence.context // 2
    return replace(verdict, evidence=replace(evidence, context=index))
