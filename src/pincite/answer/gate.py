"""What may be said: the verdict on every sentence of an answer, from the passages it cites.

`prepare` a context once, `judge` an answer against contexts, ask for the `outcome`. The gate certifies figures and the
place they stand in, and checks the words of other sentences; it does not know what is true. Confidence from
`SUPPORTED_FROM` passes, everything else is withheld: a wrong number is worse than no answer.

>>> fees = prepare("Fee | Domestic | Cross-border\\nPurchase | 0.20 % | 0.35 %\\nRefund | 0.05 % | 0.05 %")
>>> judge("A domestic purchase costs 0.35 %.", [fees])[0].verdicts[0].reason
'the table gives 0.20 % for Purchase, Domestic; 0.35 % is Cross-border'
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias, cast

from pincite.answer.additions import unsupported_addition
from pincite.answer.addresses import foreign_address
from pincite.answer.binding import bind, row_label, settle
from pincite.answer.claims import Sentence, kind_of
from pincite.answer.contexts import Grid, Prepared, Prose, Slot, prepare, table_from_lines
from pincite.answer.evidence import (
    Draft,
    Place,
    Weighed,
    claim_slots,
    read_draft,
    weigh,
    without_labels,
)
from pincite.answer.footnotes import with_notes
from pincite.answer.limits import limits, transfer_conflict, typed_contradiction
from pincite.answer.quotations import Quotation, evidence_of, find_quotation, find_reading, find_row, row_cells
from pincite.answer.reasons import around, printed, reason_of, where
from pincite.answer.statements import announces, asks, is_foreign, is_framing, statement_support
from pincite.answer.translating import Translated, is_understood, passage_language, translated
from pincite.answer.words import detect_language
from pincite.errors import InputError
from pincite.quantity import NEGATION, SECTION_KINDS, Clock, Identifier, Moment, Quantity, dimension
from pincite.types import Claim, Evidence, Outcome, SentenceVerdict, Verdict, VerdictLabel

__all__ = ["Prepared", "gate_case", "judge", "outcome", "prepare", "table_from_lines"]

SUPPORTED_FROM = 0.7
"""Confidence from which a claim passes. On open sets 96 to 99 % above it were right, from .5 to .7 about half."""
WEAK_FROM = 0.4
"""Below `SUPPORTED_FROM` and from here a person may find the claim right; below it nothing speaks for it."""

NOT_FOUND = 0.03
NOT_FOUND_DATE = 0.2
"""A date can be printed in more ways than are read."""
NOT_FOUND_SMALL_WORD = 0.55
"""A number word up to three without a unit ("two kinds") often counts what the text lists without saying the number."""
ROUNDED = 0.45
ROUNDED_FIT = 0.3
"""Fit from which a rounded value counts as the value of that place."""
CONTRADICTED = 0.2
MIXED = 0.2
"""Values of one sentence from different rows of one label."""
OTHER_COMPANY = 0.2
"""With verification for without it."""
BEATEN = 0.65
"""At most, in prose, for a claim that fits another value better by `BEATEN_BY`, or that says what another value is
about and leaves out what its own is about (`LEFT_OUT`): weak, a person decides."""
BEATEN_BY = -0.1
LEFT_OUT = -0.4
"""On the sets below, margins up to -.1 held 378 of 402 false claims and 19 of 3,011 right ones, contrasts up to -.4
250 and 15."""
FOREIGN = 0.3
"""At most, for a value in a sentence that says hardly anything of what the passages say."""
QUOTED = 0.99
HALF_UNDERSTOOD = "the passage is in another language, gives other values too, and not every word is understood"
NOTHING_FOLLOWS = "announces what does not follow"

_MARGIN_RANGE = (-0.7, 0.4)


@dataclass(frozen=True, slots=True)
class _Logistic:
    bias: float
    weights: Mapping[str, float]


# Fitted by benchmarks/fit_gate.py on half of the documents of two sets (gate_synthetic and what gate_generated.py makes
# of tables and texts). On the other half .995 of the false values in tables were stopped and .020 of the right ones
# (n = 442, 408), in prose .958 and .001 (n = 166, 1336). Labels had nothing to learn from: a guess.
_MODELS: Mapping[str, _Logistic] = {
    "prose": _Logistic(
        0.03,
        {
            "margin": 4.96,
            "deficit": 3.6,
            "fit": 1.47,
            "equality": 0.7,
            "bare": 0.17,
            "identifier": 1.07,
            "contrast": 0.78,
            "left out": 1.01,
        },
    ),
    "table": _Logistic(0.76, {"margin": 8.38, "deficit": 3.42, "fit": 0.4, "equality": -0.08, "several": -0.23}),
    "label": _Logistic(-1.0, {"fit": 3.0, "equality": 1.5}),
}


# ---------------------------------------------------------------- judging


def judge(
    answer: str, contexts: Sequence[Prepared], language: str = "en", *, continued: bool = False
) -> tuple[SentenceVerdict, ...]:
    """Return the verdict on each sentence, list item and table row of ``answer``, in order; spans are in ``answer``.

    A sentence is released when all of its claims are supported. Evidence names the context by its place in
    ``contexts``. ``language`` is that of the answer; empty when it is unknown. A lead-in ("except:") at its end
    says less or more than the passage, and is not released unless the answer is ``continued``.
    """
    other = passage_language(answer, contexts, language)
    if not other:
        return _judge(answer, contexts, language, language, continued=continued)
    said = translated(answer, language, contexts, other)
    judged = _judge(said.text, contexts, other, language, continued=continued)
    return tuple(_in_original(sentence, said, answer) for sentence in judged)


def _in_original(sentence: SentenceVerdict, said: Translated, answer: str) -> SentenceVerdict:
    """Return the verdict on a translated sentence as that on the one that was written."""
    start, end = said.original(sentence.start, sentence.end)
    verdicts: list[Verdict] = []
    for verdict in sentence.verdicts:
        first, last = said.original(verdict.claim.start, verdict.claim.end)
        claim = replace(verdict.claim, text=answer[first:last], start=first, end=last)
        verdicts.append(replace(verdict, claim=claim))
    return replace(sentence, text=answer[start:end], start=start, end=end, verdicts=tuple(verdicts))


def _judge(
    answer: str, contexts: Sequence[Prepared], language: str, numbers: str, *, continued: bool
) -> tuple[SentenceVerdict, ...]:
    draft = read_draft(answer, language, numbers)
    slots = claim_slots(draft)
    quotations = [_quotation(draft, index, contexts) for index in range(len(draft.sentences))]
    weighed = weigh_all(draft, slots, contexts, quoted=[quotation is not None for quotation in quotations])
    data_cells = _data_cells(weighed.values())
    judged: list[SentenceVerdict] = []
    for index, (sentence, quotation) in enumerate(zip(draft.sentences, quotations, strict=True)):
        inside = [slot for slot in slots if sentence.start <= slot.start < sentence.end]
        if quotation is not None:
            verdicts = _quoted(draft, sentence, inside, quotation, contexts)
        elif sentence.kind == "rule":
            verdicts = ()
        elif sentence.kind == "row":
            verdicts = _judge_row(draft, index, inside, contexts, language)
        else:
            under = _lead_of(draft, index)
            verdicts = _judge_sentence(draft, sentence, inside, contexts, language, weighed, data_cells, under)
            text = draft.prose.text[sentence.start : sentence.end]
            if any(verdict.label != "supported" for verdict in verdicts) and (read := find_reading(text, contexts)):
                # Whole cells of one row under their own titles: whatever else stands in the table, that is in it.
                verdicts = _quoted(draft, sentence, inside, read, contexts)
        address = foreign_address(draft.prose.text, sentence.start, sentence.end, contexts)
        if address is not None:
            start, end = draft.normal.span(*address)
            claim = Claim(draft.prose.text[slice(*address)], start, end, "identifier")
            verdicts = (
                *verdicts,
                Verdict(claim, "unsupported", NOT_FOUND, f"{claim.text} does not stand in the cited passage"),
            )
        last = index == len(draft.sentences) - 1 and not continued
        if last and _leads(draft, sentence) and not _ends_part(quotation, contexts):
            verdicts = (*verdicts, Verdict(_statement_claim(draft, sentence), "unsupported", 0.0, NOTHING_FOLLOWS))
        start, end = draft.normal.span(sentence.start, sentence.end)
        released = all(verdict.label == "supported" for verdict in verdicts)
        judged.append(SentenceVerdict(answer[start:end], start, end, released, verdicts))
    return tuple(judged)


def _leads(draft: Draft, sentence: Sentence) -> bool:
    return draft.prose.text[sentence.start : sentence.end].rstrip("*_ ").endswith(":")


def _ends_part(quotation: Quotation | None, contexts: Sequence[Prepared]) -> bool:
    """Say whether a quotation goes to the end of its passage, where nothing follows either."""
    if quotation is None:
        return False
    part = contexts[quotation.context].parts[quotation.part]
    if not isinstance(part, Prose):
        return False
    # It may be said twice, and be found where it stands first.
    said = part.text[quotation.start : quotation.end].rstrip(" :.")
    return part.text.rstrip(" :.").endswith(said)


def _lead_of(draft: Draft, index: int) -> str:
    """Return the lead-in of the list that an item stands in when it denies: "not covered are:"; else nothing."""
    if draft.sentences[index].kind != "item":
        return ""
    while index and draft.sentences[index].kind == "item":
        index -= 1
    sentence = draft.sentences[index]
    text = draft.prose.text[sentence.start : sentence.end].rstrip("*_: ")
    return text if _leads(draft, sentence) and NEGATION.search(text) else ""


def outcome(sentences: Sequence[SentenceVerdict]) -> Outcome:
    """Return ``answered`` when every sentence was released, else ``escalated``; nothing said is ``refused``."""
    if not sentences:
        return "refused"
    return "answered" if all(sentence.released for sentence in sentences) else "escalated"


def gate_case(record: Mapping[str, object]) -> dict[str, object]:
    """Return the JSON of ``pincite gate`` for a record ``{id, context: [str], answer, language?, context_language?}``.

    The language of the contexts is ``context_language``, else the record's, or what function words say, or unknown.

    Raises:
        InputError: If the record has no ``answer`` text or its ``context`` is no text or list of texts.
    """
    answer = record.get("answer")
    given = record.get("context")
    source = f"gate case {record.get('id')}"
    texts = _texts([given] if isinstance(given, str) else given)
    if not isinstance(answer, str) or texts is None:
        raise InputError(f'{source} needs "answer" (a text) and "context" (a list of texts)', source=source)
    stated = record.get("language")
    fixed = stated if isinstance(stated, str) else None
    told = record.get("context_language", fixed)
    contexts = [prepare(text, told if isinstance(told, str) else detect_language(text)) for text in texts]
    language = fixed if fixed is not None else detect_language(answer) or detect_language(" ".join(texts))
    judged = judge(answer, contexts, language)
    return {
        "id": record.get("id"),
        "outcome": "answered" if outcome(judged) == "answered" else "escalated",  # nothing said answers nothing
        "sentences": [{"text": s.text, "start": s.start, "end": s.end, "released": s.released} for s in judged],
        "claims": [_verdict_json(verdict) for sentence in judged for verdict in sentence.verdicts],
    }


def _texts(value: object) -> list[str] | None:
    """Return the value when it is a list of texts, else None."""
    if not isinstance(value, list):
        return None
    items = cast("list[object]", value)  # JSON: what a list holds is only known by looking
    return [item for item in items if isinstance(item, str)] if all(isinstance(i, str) for i in items) else None


def _verdict_json(verdict: Verdict) -> dict[str, object]:
    claim = verdict.claim
    out: dict[str, object] = {
        "text": claim.text,
        "start": claim.start,
        "end": claim.end,
        "kind": claim.kind,
        "verdict": verdict.label,
        "confidence": round(verdict.confidence, 3),
        "reason": verdict.reason,
    }
    if verdict.evidence is not None:
        evidence = verdict.evidence
        out["evidence"] = {"context": evidence.context, "start": evidence.start, "end": evidence.end}
    return out


def _label(confidence: float) -> VerdictLabel:
    if confidence >= SUPPORTED_FROM:
        return "supported"
    return "weak" if confidence >= WEAK_FROM else "unsupported"


# ---------------------------------------------------------------- one sentence


def _judge_sentence(
    draft: Draft,
    sentence: Sentence,
    slots: Sequence[Slot],
    contexts: Sequence[Prepared],
    language: str,
    weighed: Mapping[Slot, Weighed],
    data_cells: DataCells,
    under: str,
) -> tuple[Verdict, ...]:
    text = draft.prose.text[sentence.start : sentence.end]
    if not slots:
        if is_framing(text, sentence.kind, language) or announces(text, contexts, language):
            return ()
        if asks(text, contexts, language):
            return ()
        return (_judge_statement(draft, sentence, contexts, language, under),)
    verdicts = [_judge_claim(slot, draft, weighed[slot], contexts, data_cells) for slot in slots]
    conflict = typed_contradiction(text, [weighed[slot] for slot in slots], contexts, language)
    conflict = conflict or transfer_conflict(text, contexts, language)
    if conflict is not None:
        verdicts = [_limited(verdict, CONTRADICTED, conflict.reason) for verdict in verdicts]
    added = unsupported_addition(draft.prose.text, sentence, slots, contexts, language)
    if draft.numbers != language and not is_understood(text, contexts, language):
        verdicts = [
            _limited(v, BEATEN, HALF_UNDERSTOOD) if len(weighed[s].fits) > len(weighed[s].same) else v
            for s, v in zip(slots, verdicts, strict=True)
        ]
    if all(_is_bare(slot) for slot in slots) and is_foreign(text, contexts, language):
        verdicts = [_limited(verdict, FOREIGN, "the cited passage is about something else") for verdict in verdicts]
    if added is not None:
        start, end = draft.normal.span(added.start, added.end)
        claim = Claim(draft.prose.text[added.start : added.end], start, end, "statement")
        support = added.support
        verdicts.append(
            Verdict(claim, _label(support.confidence), support.confidence, support.reason, support.evidence)
        )
    return tuple(verdicts)


def _is_bare(slot: Slot) -> bool:
    """Say whether a value is no more than a number or the name of a section, which stand by chance in any passage."""
    value = slot.value
    if isinstance(value, Identifier):
        return value.prefix in SECTION_KINDS
    return isinstance(value, Quantity) and not dimension(value) and not value.currency


def _limited(verdict: Verdict, most: float, reason: str) -> Verdict:
    if verdict.label != "supported":
        return verdict
    return replace(verdict, label=_label(most), confidence=most, reason=reason)


def _quoted(
    draft: Draft, sentence: Sentence, slots: Sequence[Slot], quotation: Quotation, contexts: Sequence[Prepared]
) -> tuple[Verdict, ...]:
    evidence = evidence_of(quotation, contexts)
    reason = "stands word for word in the " + ("table" if quotation.row >= 0 else "cited passage")
    claims = [_claim(draft, slot) for slot in slots] or [_statement_claim(draft, sentence)]
    return tuple(Verdict(claim, "supported", QUOTED, reason, evidence) for claim in claims)


def _claim(draft: Draft, slot: Slot) -> Claim:
    start, end = draft.normal.span(slot.start, slot.end)
    return Claim(draft.prose.text[slot.start : slot.end], start, end, kind_of(slot.value))


def _statement_claim(draft: Draft, sentence: Sentence) -> Claim:
    start, end = draft.normal.span(sentence.start, sentence.end)
    return Claim(draft.prose.text[sentence.start : sentence.end], start, end, "statement")


def _judge_statement(
    draft: Draft, sentence: Sentence, contexts: Sequence[Prepared], language: str, under: str = ""
) -> Verdict:
    claim = _statement_claim(draft, sentence)
    lead_in = claim.text.rstrip().endswith(":")
    support = statement_support(claim.text, contexts, language, lead_in=lead_in, under=under)
    conflict = transfer_conflict(claim.text, contexts, language) if support.confidence >= SUPPORTED_FROM else None
    if conflict is not None:
        return Verdict(claim, _label(CONTRADICTED), CONTRADICTED, conflict.reason, support.evidence)
    return Verdict(claim, _label(support.confidence), support.confidence, support.reason, support.evidence)


# ---------------------------------------------------------------- one table row of the answer


def _quotation(draft: Draft, index: int, contexts: Sequence[Prepared]) -> Quotation | None:
    """Return where a sentence or row stands word for word, or None."""
    sentence = draft.sentences[index]
    text = draft.prose.text[sentence.start : sentence.end]
    if sentence.kind == "rule":
        return None
    if sentence.kind == "row":
        return find_row(row_cells(text), _header_of(draft, index), contexts)
    return find_quotation(text, contexts)


def _header_of(draft: Draft, index: int) -> tuple[str, ...] | None:
    """Return the column titles that a row of the answer stands under; None for the titles themselves or without any."""
    first = index
    while first and draft.sentences[first - 1].kind in ("row", "rule"):
        first -= 1
    if first == index:
        return None
    line = draft.sentences[first]
    cells = row_cells(draft.prose.text[line.start : line.end])
    ruled = draft.sentences[first + 1].kind == "rule"
    titles = ruled or not any(any(c.isdigit() for c in cell) for cell in cells[1:])
    return cells if titles and len(cells) > 1 else None


def _judge_row(
    draft: Draft, index: int, slots: Sequence[Slot], contexts: Sequence[Prepared], language: str
) -> tuple[Verdict, ...]:
    sentence = draft.sentences[index]
    header = _header_of(draft, index)
    line = draft.prose.text[sentence.start : sentence.end]
    cells = row_cells(line)
    if not slots or (all(_is_bare(slot) for slot in slots) and is_foreign(line, contexts, language)):
        return (_judge_statement(draft, sentence, contexts, language),)
    read: list[tuple[Draft, Slot]] = []
    for slot in slots:
        column = _column_at(line, slot.start - sentence.start)
        title = header[column] if header is not None and column < len(header) else ""
        label = cells[0] if column else ""
        printed = draft.prose.text[slot.start : slot.end]
        # The row is read out as a sentence of its own: what it is about, the column's title, the value.
        spoken = f"{label} : {title} : " if column else ""
        cell = cells[column] if column < len(cells) else printed
        own = read_draft(spoken + cell, language, draft.numbers)
        twin = next((s for s in claim_slots(own) if s.value == slot.value and s.start >= len(spoken) - 1), None)
        read.append((draft, slot) if twin is None else (own, twin))
    found = [weigh(twin, own, contexts) for own, twin in read]
    found = bind([draft.prose.text[slot.start : slot.end] for slot in slots], found, contexts)
    data_cells = _data_cells(found)
    return tuple(
        replace(_judge_claim(twin, own, weighed, contexts, data_cells), claim=_claim(draft, slot))
        for slot, (own, twin), weighed in zip(slots, read, found, strict=True)
    )


def _column_at(line: str, at: int) -> int:
    bars = line[:at].count("|")
    return bars - 1 if line.startswith("|") and line.endswith("|") else bars


# ---------------------------------------------------------------- one claim


DataCells: TypeAlias = Mapping[tuple[int, int], frozenset[tuple[int, int]]]
"""For each table (context, part) the cells (row, column) that claims of the answer rest on."""


def weigh_all(
    draft: Draft, slots: Sequence[Slot], contexts: Sequence[Prepared], *, quoted: Sequence[bool] = ()
) -> dict[Slot, Weighed]:
    """Return every claim weighed, those of one sentence together; rows and ``quoted`` sentences need no weighing."""
    weighed: dict[Slot, Weighed] = {}
    for index, sentence in enumerate(draft.sentences):
        if sentence.kind == "row" or (quoted and quoted[index]):
            continue
        inside = [slot for slot in slots if sentence.start <= slot.start < sentence.end]
        found = [weigh(slot, draft, contexts) for slot in inside]
        labels = {slot for slot, w in zip(inside, found, strict=True) if w.best is not None and w.best.label}
        if labels and len(labels) < len(inside):
            cut = without_labels(draft, labels)
            found = [w if s in labels else weigh(s, cut, contexts) for s, w in zip(inside, found, strict=True)]
        bound = bind([draft.prose.text[s.start : s.end] for s in inside], found, contexts)
        settled = settle(bound)
        weighed |= {s: with_notes(s, draft, w, contexts) for s, w in zip(inside, settled, strict=True)}
    return weighed


def _data_cells(weighed: Iterable[Weighed]) -> DataCells:
    """Return the cells that claims rest on: a label ("Age 4") is supported by a value from its row or column."""
    found: dict[tuple[int, int], set[tuple[int, int]]] = {}
    for best in (w.noted or w.best for w in weighed):
        if best is not None and not best.label and best.slot.cell is not None:
            found.setdefault((best.context, best.part), set()).add(best.slot.cell)
    return {key: frozenset(cells) for key, cells in found.items()}


def _judge_claim(
    slot: Slot,
    draft: Draft,
    weighed: Weighed,
    contexts: Sequence[Prepared],
    data_cells: DataCells,
) -> Verdict:
    claim = _claim(draft, slot)
    best = weighed.best
    if best is None:
        confidence, reason = _missing(slot, claim, weighed, contexts)
        return Verdict(claim, _label(confidence), confidence, reason)
    weighed = _label_in_use(weighed, best, contexts, data_cells)
    confidence = confidence_of(slot, weighed)
    evidence = _evidence(best, contexts)
    reason = reason_of(slot, claim, weighed, contexts, supported=confidence >= SUPPORTED_FROM)
    if weighed.named is not None and confidence > BEATEN:
        confidence = BEATEN
        reason = reason_of(slot, claim, replace(weighed, competitor=weighed.named), contexts, supported=False)
    elif best.slot.row < 0 and confidence > BEATEN:
        if weighed.margin <= BEATEN_BY:
            confidence, reason = BEATEN, reason_of(slot, claim, weighed, contexts, supported=False)
        elif weighed.contrast <= LEFT_OUT:
            confidence = BEATEN
            reason = f"the passage gives {claim.text} in “{around(best, contexts)}”, which the sentence is not about"
    if best.other:
        confidence, reason = min(confidence, OTHER_COMPANY), _other_company(claim, weighed, contexts)
    elif weighed.mixed:
        confidence, reason = min(confidence, MIXED), weighed.mixed
    limit, why = limits(slot, best, _sentence_around(draft, slot), contexts)
    if limit < confidence:
        confidence, reason = limit, why
    return Verdict(claim, _label(confidence), confidence, reason, evidence)


def _other_company(claim: Claim, weighed: Weighed, contexts: Sequence[Prepared]) -> str:
    best, rival = weighed.best, weighed.competitor
    assert best is not None
    if best.slot.row < 0:
        return f"the passage gives {claim.text} “{best.other}”: “{around(best, contexts)}”"
    gives = f"the table gives it{where(best, contexts) or f' “{best.other}”'}"
    if rival is None or rival.slot.row < 0:
        return gives
    return f"{gives}; it gives {printed(rival, contexts)}{where(rival, contexts)}"


def _sentence_around(draft: Draft, slot: Slot) -> str:
    unit = next((u for u in draft.sentences if u.start <= slot.start < u.end), None)
    return draft.prose.text[unit.start : unit.end] if unit is not None else draft.prose.text


def _label_in_use(
    weighed: Weighed,
    best: Place,
    contexts: Sequence[Prepared],
    data_cells: DataCells,
) -> Weighed:
    """Raise a label that heads the row or column of another supported value; halve one of a table without any."""
    if not best.label or best.slot.cell is None:
        return weighed
    grid = contexts[best.context].parts[best.part]
    assert isinstance(grid, Grid)
    row, column = best.slot.cell
    used = data_cells.get((best.context, best.part), frozenset())
    printed = grid.cell(row, column)
    # A label may be printed again in each of its rows, or once for all of them.
    if any(
        c == column
        if row < grid.header_rows
        else r == row or (column == 0 and printed is not None and row_label(grid, r) == printed.text)
        for r, c in used
    ):
        return replace(weighed, best=replace(best, fit=max(best.fit, 1.0)))
    return weighed if data_cells else replace(weighed, best=replace(best, fit=best.fit * 0.5))


def features(slot: Slot, weighed: Weighed) -> tuple[str, dict[str, float]]:
    """Return the name of the model that judges a found claim, and its inputs."""
    best = weighed.best
    assert best is not None
    low, high = _MARGIN_RANGE
    margin = max(low, min(high, weighed.margin))
    if best.label:
        return "label", {"fit": best.fit, "equality": best.equality}
    shared = {"margin": margin, "deficit": min(margin, 0.0), "fit": min(1.0, best.fit), "equality": best.equality}
    if best.slot.row >= 0:
        return "table", {**shared, "several": float(weighed.count > 1)}
    value = slot.value
    bare = not (isinstance(value, Quantity) and dimension(value))
    return "prose", {
        **shared,
        "bare": float(bare),
        "identifier": float(isinstance(value, Identifier)),
        "contrast": weighed.contrast,
        "left out": min(0.0, weighed.contrast),
    }


def confidence_of(slot: Slot, weighed: Weighed) -> float:
    """Return how sure it is that the claim's best place supports it, 0 to 1."""
    name, inputs = features(slot, weighed)
    model = _MODELS[name]
    z = model.bias + sum(model.weights[key] * value for key, value in inputs.items())
    return 1 / (1 + math.exp(-z))


def _missing(slot: Slot, claim: Claim, weighed: Weighed, contexts: Sequence[Prepared]) -> tuple[float, str]:
    """Return confidence and reason for a value that stands nowhere."""
    value = slot.value
    if not contexts:
        return NOT_FOUND, "no passage was cited"
    passage = "passage" if len(contexts) == 1 else "passages"
    absent = f"{claim.text} does not stand in the cited {passage}"
    near = weighed.rounding
    if near is not None and near.fit >= ROUNDED_FIT:
        return ROUNDED, f"{claim.text} rounds {printed(near, contexts)} of the cited {passage}"
    if isinstance(value, Quantity) and value.spelled and not dimension(value) and max(value.readings) <= 3:
        return NOT_FOUND_SMALL_WORD, absent
    confidence = NOT_FOUND_DATE if isinstance(value, Moment | Clock) else NOT_FOUND
    rival = weighed.competitor
    if rival is not None and rival.fit >= ROUNDED_FIT:
        place = where(rival, contexts)
        return confidence, f"{absent}, which gives {printed(rival, contexts)}{place}".replace(
            f"{passage}, which gives", f"{passage}, which gives" if passage == "passage" else f"{passage}, which give"
        )
    return confidence, absent


def _evidence(place: Place, contexts: Sequence[Prepared]) -> Evidence:
    part = contexts[place.context].parts[place.part]
    slot = place.slot
    if isinstance(part, Grid):
        cell = part.cell(slot.row, slot.column)
        assert cell is not None
        start, end = cell.normal.span(slot.start, slot.end)
        return Evidence(place.context, cell.start + start, cell.start + end, slot.cell)
    start, end = part.normal.span(slot.start, slot.end)
    return Evidence(place.context, part.offset + start, part.offset + end)
