"""Question and passages in, a draft of quotations out, or a refusal."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from pincite.answer.sections import match_sections, path_text
from pincite.answer.select.draft import Draft, DraftSentence, RefusalReason, Within
from pincite.answer.select.extremes import extreme_rows
from pincite.answer.select.fit import POINTER, REFERENCE, Scored, holds, rarity
from pincite.answer.select.held import (
    ENOUGH_FIT,
    PLAIN_WEIGHT,
    could_answer,
    could_be_pointed_at,
    is_beside,
    of_what_is_asked,
    says_more,
)
from pincite.answer.select.nearness import Similarity, add_similarity, is_foreign
from pincite.answer.select.policy import is_other
from pincite.answer.select.question import Question, analyse
from pincite.answer.select.reading import read_columns, read_row, telling_labels
from pincite.answer.select.rows import label_columns, telling_columns
from pincite.answer.select.score import score_all
from pincite.answer.select.units import Cut, cut, row_words
from pincite.answer.select.words import speaks, word_set
from pincite.types import Passage

MOST_SENTENCES = 3
MOST_WORDS = 120
"""Nothing is begun that would go beyond; a list that was begun is quoted whole, for half of it would be wrong."""
MOST_ENTRIES = 8
"""Entries of one list, only where a list was asked for."""
MOST_ROWS = 8
MOST_PARTS = 3

ENOUGH_COVERAGE = 0.55
LEAST_SCORE = 0.5
"""Stops only what is near in meaning and nothing else: in another language than the question's, far down the
ranking."""
LEAST_COVERAGE = 0.35
COVERAGE_STEP = 0.03
SHORT_QUESTION = 5
"""Share of a short question's weight that must stand in or around the best piece, less by a step for each further word.
Of 62 own questions over 17 rulebooks and laws, those answered lie above .55, and 4 of the 20 without an answer."""
ENOUGH_TIGHT = 0.55
"""Of a question for a value, this share must stand at the value itself: a neighbour's subject is another subject."""
NEAR_ENOUGH = 0.82
"""Least cosine of a piece in another language than the question's, unless its words cover the question. On the samples'
36 questions in nl, de and fr, wrong pieces came nearest at .80 to .82 (7 of 9) and right ones mostly above; a question
that is refused can be asked again, a wrong fee is believed. Holds for the embedded encoder only."""
LEAST_NEAR = 0.76
"""Least cosine of a piece in another language, however many of its words the glossary joins to the question's."""
NEAR_ANYHOW = 0.85
"""From this cosine on a piece in another language may lack words that the glossary knows: it has yet others."""
AHEAD = 0.01
"""Cosine by which such a piece must lead those of other documents: of 36 open questions in nl, de and fr the right ones
led by .017 and more, two wrong ones by .001 at most."""
SAME_MEANING = 0.885
SOME_COVERAGE, MUCH_COVERAGE = 0.30, 0.50
"""A piece this near in meaning answers in other words ("fridge", "refrigerator"), unless a value is asked for:
questions without an answer came to .879 on their own subject. Of the embedded encoder; another one needs its own."""
POINTING = 0.35
"""What points at the best piece's section may score this much less: it is shown for what it says of that section."""
DEFINING = 0.30
"""A definition may score this much less than what else speaks of the thing, and is then quoted alone."""
MARGIN = 0.15
"""A further sentence may score this much less than the best; more would be padding."""
SAME_ROW = 0.03
"""Rows this near to the best cannot be told apart: all are shown."""
SAID = 1.0
"""A sentence that states the bound may score this much less than a row that has to be compared."""
AMBIGUOUS = 0.20
"""Off rows that cannot be told apart: another table may have the one row that was asked for."""
SHORT_LIST = 5
"""A list of so many entries is quoted whole unless a value or a yes or no was asked for."""
DOUBTFUL_TABLE = 0.5
"""Tables below this confidence are never evidence (types.Table)."""


def compose(
    question: str, passages: Sequence[Passage], *, language: str | None = None, similarity: Similarity | None = None
) -> Draft:
    """The best quotations that answer the question, or a refusal with its reason.

    Args:
        passages: in rank order. Those of a standing other than citable, and doubtful tables, are never quoted.
        language: of the question; found from its function words when None.
        similarity: cosines of the question to short texts, from the embedding model. Called at most once for each part
            of the question, for at most 32 short texts. Without it a question in another language than the passages' is
            mostly refused: words do not meet.
    """
    asked = analyse(question, language)
    if asked.small_talk:
        return _refusal(asked, asked.small_talk)
    if not passages:
        return _refusal(asked, "no_passages")
    cuts = [
        cut(passage, index)
        for index, passage in enumerate(passages)
        if _is_quotable(passage) and _is_of_revision(passage, question)
    ]
    if not any(c.units for c in cuts):
        unknown = _unknown_revisions(passages, question)
        return _refusal(asked, "identifier_missing" if unknown else "not_citable", unknown)
    everywhere = [c.every | c.title | c.section for c in cuts]
    missing = [term for term in asked.terms if not any(holds(term, words) for words in everywhere)]
    foreign = all(c.language != asked.language for c in cuts)
    # An abbreviation may be another one in the passages' language (AVG, DSGVO); a part number never is.
    lacking = tuple(t.text for t in missing if t.kind == "identifier" or (t.kind == "capitals" and not foreign))
    # A part's maker is often printed in a logo only; without a part number, a name that stands nowhere is of others.
    if not any(term.kind == "identifier" for term in asked.terms):
        lacking += tuple(t.text for t in missing if t.name and (not foreign or is_other(t.text)))
    if not foreign and asked.document and all(term in missing for term in asked.document):
        lacking += tuple(term.text for term in asked.document if term.text not in lacking)
    if lacking:
        return _refusal(asked, "identifier_missing", lacking)
    absent = tuple(term.text for term in missing)
    parts = asked.parts[:MOST_PARTS] or (asked,)
    answers = [_answer(part, cuts, frozenset(absent), similarity) for part in parts]
    chosen: list[DraftSentence] = []
    for piece in (p for round_ in zip_longest(*(answer.pieces for answer in answers)) for p in round_):
        if piece is not None and (piece.passage, piece.start, piece.reading) not in (
            (c.passage, c.start, c.reading) for c in chosen
        ):
            chosen.append(piece)
    if not chosen:
        return replace(_refusal(asked, "nothing_fits", absent), within=_within(asked, cuts))
    follow = (*(answer.around for answer in answers if answer.around), *_references(chosen))
    return Draft(tuple(chosen), refused=False, reason="", language=asked.language, follow=follow, missing=absent)


def _refusal(question: Question, reason: RefusalReason, missing: tuple[str, ...] = ()) -> Draft:
    return Draft((), refused=True, reason=reason, language=question.language, missing=missing)


def _within(question: Question, cuts: Sequence[Cut]) -> Within | None:
    """The document that all codes of the question name, or that most passages are of, to be searched for the rest.

    A part number stands on every page of its datasheet and outweighs what is asked about the part.
    """
    codes = [term for term in question.terms if term.kind == "identifier"]
    named = [c for c in cuts if all(holds(term, c.title | c.every) for term in codes)] if codes else list(cuts)
    documents = Counter(c.document for c in named)
    if not documents:
        return None
    document, passages = documents.most_common(1)[0]
    if not codes and passages < MOST_OF_TEN:
        return None
    spoken = {term.text for term in codes}
    words = [word for word in question.text.split() if word.strip(".,;:?!()") not in spoken]
    return Within(" ".join(words), next(c.passage for c in cuts if c.document == document))


MOST_OF_TEN = 5
"""Passages of one document from which it is taken for the one that the question is about."""


def _is_quotable(passage: Passage) -> bool:
    table = passage.chunk.table
    return passage.revision.standing == "citable" and (table is None or table.confidence >= DOUBTFUL_TABLE)


_REVISION = re.compile(
    r"\b(?:revision|revisie|révision|rev\.?|version|versie|fassung|edition)\s+(?:no\.?\s*|nr\.?\s*)?(\d+(?:\.\d+)*)\b",
    re.IGNORECASE,
)


def _unknown_revisions(passages: Sequence[Passage], question: str) -> tuple[str, ...]:
    """The revisions that the question names and no passage is of, citable or not, as asked."""
    known = {passage.revision.revision for passage in passages}
    return tuple(match.group() for match in _REVISION.finditer(question) if match.group(1) not in known)


def _is_of_revision(passage: Passage, question: str) -> bool:
    """Whether a passage is of the revision that the question names, if it names one.

    What the current revision says is no answer to "under revision 2".
    """
    named = _REVISION.findall(question)
    return not named or passage.revision.revision in named


def _answer(question: Question, cuts: Sequence[Cut], absent: frozenset[str], similarity: Similarity | None) -> _Answer:
    if question.needs_value and any(t.kind == "number" and t.critical and t.text in absent for t in question.terms):
        # "at 3500 rpm" of a sheet that has 1450 and 2900: the neighbouring value would be wrong.
        return _Answer()
    weights = rarity(question.terms, cuts)
    every = score_all(question, weights, cuts)
    reachable = [
        scored
        for scored in every
        if not (scored.unit.contents or scored.unit.heading) and could_be_pointed_at(question, scored, cuts)
    ]
    able = [scored for scored in reachable if could_answer(question, scored, cuts)]
    able = of_what_is_asked(question, able, cuts)
    if similarity is not None:
        able = add_similarity(question, able, cuts, similarity)
    fitting = [s for s in _less_ambiguous(able, question, cuts) if _fits(question, s, cuts)]
    if not fitting:
        return _Answer()
    if defining := [s for s in fitting if s.defines and s.score >= fitting[0].score - DEFINING]:
        fitting = defining
    best = fitting[0]
    if question.extreme:
        # "Pump head" is a part, not a head: a row that is compared has values of the kind itself.
        best = next((s for s in fitting if s.fit >= 1), best)
        # What says that it is the bound goes before what would have to be compared.
        best = next((s for s in fitting if s.unit.kind != "row" and s.fit >= 1 and s.score >= best.score - SAID), best)
    if _is_as_near_elsewhere(question, best, able, cuts):
        return _Answer()
    if question.yes_no and (denial := _denying(question, best, able, cuts)) is not None:
        return _Answer(tuple(_sentences(question, [denial], able, cuts)))
    if question.amount and (limits := _limits(question, best, able, cuts)):
        home = cuts[limits[0].cut].document
        there = [s for s in fitting if cuts[s.cut].document == home and s.unit.kind != "row"]
        rest = _sentences(question, there, able, cuts) if there else []
        return _Answer((*_rows(question, limits, cuts), *rest))
    if best.unit.kind == "row":
        if question.extreme and (rows := extreme_rows(question, best, able, cuts)) is not None:
            # Other parts of its table may hold a larger one: the whole section is read before it is said.
            pieces = [piece for row in rows[:MOST_SENTENCES] for piece in _with_notes(question, row, cuts)]
            return _Answer(tuple(pieces), path_text(cuts[best.cut].sections))
        also = _complement(question, best, every, cuts) if question.needs_value else []
        return _Answer((*_rows(question, fitting, cuts), *also))
    if question.needs_value and best.fit == POINTER and (value := _pointed_at(best, reachable, cuts)) is not None:
        is_row = value.unit.kind == "row"
        rest = _rows(question, [value], cuts) if is_row else _sentences(question, [value], reachable, cuts)
        return _Answer((_piece(best, question, cuts), *rest))
    pieces = tuple(_sentences(question, fitting, able, cuts))
    if question.needs_value and (more := says_more(best, able)) is not None:
        pieces += tuple(p for p in _sentences(question, [more], able, cuts) if p not in pieces)
    if not question.yes_no:
        return _Answer(tuple(replace(p, points=best.fit == POINTER and question.needs_value) for p in pieces))
    if (admits := _pointing_at(best, able, cuts)) is not None:
        pieces = (*_sentences(question, [admits], able, cuts), *pieces)
        return _Answer((*pieces, *_forbidden_beside(pieces, able, cuts, question)))
    pieces += tuple(_forbidden_beside(pieces, able, cuts, question))
    around = cuts[best.cut].sections[:-1]
    lead = best.unit.lead if best.unit.lead is not None else best.unit.order
    if around and _ALL_OF.search(cuts[best.cut].units[lead].text):
        return _Answer(pieces, path_text(around))
    return _Answer(pieces)


def _complement(question: Question, best: Scored, every: Sequence[Scored], cuts: Sequence[Cut]) -> list[DraftSentence]:
    """The row of another table of the document for what the best row leaves out: the fee of a purchase abroad, and how
    it changes for the car that was asked about. The first alone would pass for the whole."""
    lacking = [
        t for t in question.terms if t.kind == "word" and not (t.asks or t.borrowed) and t.weight >= PLAIN_WEIGHT
    ]
    lacking = [t for t in lacking if t.text in best.missing | best.loose]
    for scored in every if lacking else ():
        table, row = cuts[scored.cut].table, scored.unit.row
        if table is None or row is None or scored.cut == best.cut or not is_beside(question, scored, cuts):
            continue
        label = row_words(table.grid[row][: label_columns(table)], cuts[scored.cut].language)
        same = cuts[scored.cut].document == cuts[best.cut].document and table.titles != _titles(best, cuts)
        if same and any(holds(term, label) for term in lacking):
            return _with_notes(question, scored, cuts)
    return []


def _titles(scored: Scored, cuts: Sequence[Cut]) -> tuple[str, ...]:
    table = cuts[scored.cut].table
    return table.titles if table is not None else ()


def _limits(question: Question, best: Scored, able: Sequence[Scored], cuts: Sequence[Cut]) -> list[Scored]:
    """The row with limits for the very thing that is to be as much as the question says."""
    found: list[Scored] = []
    for scored in able:
        cut, row = cuts[scored.cut], scored.unit.row
        if cut.table is None or row is None:
            continue
        label = row_words(cut.table.grid[row][: label_columns(cut.table)], cut.language)
        if any(holds(term, label) for term in question.terms if not term.borrowed):
            found.append(scored)
    return sorted(found, key=lambda s: cuts[s.cut].document != cuts[best.cut].document)[:1]


_FORBIDS = re.compile(
    r"\b(?:(?:must|may|shall|should|can) not(?! exceed)|cannot|never|not (?:allowed|permitted|admitted)"
    r"|not for use|not suitable|prohibited|forbidden"
    r"|(?:mag|mogen|moet|moeten|kan|kunnen) (?:\w+ ){0,4}?(?:niet|geen)|verboden"
    r"|niet (?:toegestaan|toegelaten|bestemd|geschikt)|(?:darf|dürfen|kann|können) (?:\w+ ){0,4}?(?:nicht|kein\w*)"
    r"|nicht (?:zulässig|erlaubt|gestattet|geeignet)|(?:ne|n') ?(?:peut|peuvent|doit|doivent)|interdite?s?)\b",
    re.IGNORECASE,
)


def _denying(question: Question, best: Scored, able: Sequence[Scored], cuts: Sequence[Cut]) -> Scored | None:
    """The sentence that forbids what is asked, where it holds more of the question's words than the best piece does.

    "May I withdraw cash with a refrigerator?": that one may pay with it is no answer, that it must not start a
    withdrawal is.
    """
    if _FORBIDS.search(best.unit.text):
        return None
    said = {t.text for t in question.terms if holds(t, best.unit.words)}
    for scored in sorted(able, key=lambda s: -s.own):
        more = {t.text for t in question.terms if holds(t, scored.unit.words)} - said
        if scored.own <= best.own:
            break
        if scored.unit.kind != "row" and more and _FORBIDS.search(scored.unit.text) and _fits(question, scored, cuts):
            return scored
    return None


def _forbidden_beside(
    pieces: Sequence[DraftSentence], able: Sequence[Scored], cuts: Sequence[Cut], question: Question
) -> list[DraftSentence]:
    """What the section of a permission forbids, of what the question speaks of: a permission alone would be half."""
    places = {(cut.document, cut.sections) for cut in cuts for piece in pieces if piece.passage == cut.passage}
    said = {(piece.passage, piece.start) for piece in pieces}
    if any(_FORBIDS.search(piece.text) for piece in pieces):
        return []
    beside = [
        s
        for s in able
        if (cuts[s.cut].document, cuts[s.cut].sections) in places
        and s.unit.kind == "sentence"
        and (s.unit.passage, s.unit.start) not in said
        and _FORBIDS.search(s.unit.text)
        and (cuts[s.cut].language != question.language or s.own > 0)
    ]
    return [_piece(s, question, cuts) for s in beside[:1]]


@dataclass(frozen=True, slots=True)
class _Answer:
    """The pieces for one question that asks one thing, best first; none when nothing fits."""

    pieces: tuple[DraftSentence, ...] = ()
    around: str = ""
    """The section around conditions for which nothing was found that they are conditions of."""


def _is_as_near_elsewhere(question: Question, best: Scored, able: Sequence[Scored], cuts: Sequence[Cut]) -> bool:
    """Whether only meaning speaks for a piece in another language, and as much for one of another document.

    "May I" is left out: what several documents say of a fridge is near to it in all of them.
    """
    alone = cuts[best.cut].language != question.language and best.coverage < ENOUGH_COVERAGE
    if not alone or best.defined or question.yes_no or best.similarity is None:
        return False
    others = [s.similarity or 0.0 for s in able if cuts[s.cut].document != cuts[best.cut].document]
    return best.similarity - max(others, default=-1.0) < AHEAD


def _pointed_at(pointer: Scored, able: Sequence[Scored], cuts: Sequence[Cut]) -> Scored | None:
    """The best value in a section that a sentence points at: "… as described in section 5.2.2"."""
    places = [match.group() for match in REFERENCE.finditer(pointer.unit.text)]
    there = (s for s in able if s.fit >= ENOUGH_FIT and s.fit != POINTER and _stands_in(places, s, pointer, cuts))
    return next(there, None)


def _pointing_at(condition: Scored, able: Sequence[Scored], cuts: Sequence[Cut]) -> Scored | None:
    """The best piece that points at the section of a condition: "(f) a refrigerator, under the conditions of 3.3"."""
    for scored in able:
        places = [match.group() for match in REFERENCE.finditer(scored.unit.text)]
        if scored.score >= condition.score - POINTING and _stands_in(places, condition, scored, cuts):
            return scored
    return None


def _stands_in(places: Sequence[str], scored: Scored, pointer: Scored, cuts: Sequence[Cut]) -> bool:
    """Whether a piece stands in one of the places, of the same document, and not where they are named."""
    here, there = cuts[scored.cut], cuts[pointer.cut]
    if here.document != there.document or here.sections == there.sections:
        return False
    paths = [here.sections[: k + 1] for k in range(len(here.sections))]
    return any(match_sections(place, paths) for place in places)


def _less_ambiguous(ranked: Sequence[Scored], question: Question, cuts: Sequence[Cut]) -> list[Scored]:
    """The ranking with rows moved down that the question's words do not tell from other rows of their table.

    In another language words tell nothing; small differences of the cosine have to.
    """
    rows: dict[int, list[float]] = {}
    for scored in ranked:
        if scored.unit.kind == "row":
            rows.setdefault(scored.cut, []).append(scored.score)

    def certain(scored: Scored) -> float:
        if scored.unit.kind != "row" or cuts[scored.cut].language != question.language:
            return scored.score
        same = sum(scored.score <= other + SAME_ROW and other <= scored.score + SAME_ROW for other in rows[scored.cut])
        return scored.score - AMBIGUOUS * (same > 1)

    return sorted(ranked, key=lambda s: -certain(s))


def enough_coverage(question: Question) -> float:
    """The least coverage that answers; falls with the length of the question, for a long one says much by the way."""
    words = sum(not term.borrowed for term in question.terms)
    return max(LEAST_COVERAGE, ENOUGH_COVERAGE - COVERAGE_STEP * max(0, words - SHORT_QUESTION))


def _fits(question: Question, best: Scored, cuts: Sequence[Cut]) -> bool:
    if best.score < LEAST_SCORE:
        return False
    if question.who and best.defined:
        return True  # it is the row of the code, and names somebody
    cut = cuts[best.cut]
    foreign = cut.language != question.language and not speaks(best.unit.text, question.language, cut.language)
    own = sum(other.language == question.language for other in cuts)
    if foreign and best.coverage < (MUCH_COVERAGE if own > 2 else SOME_COVERAGE if own else 0.0):
        return False  # where passages of the reader's language were found, they hold the words
    plain = [t for t in question.terms if t.kind in ("word", "capitals") and t.weight >= PLAIN_WEIGHT and not t.name]
    plain = [term.text for term in plain if not holds(term, cut.title)]
    if plain and all(text in best.missing for text in plain):
        # It names the pump, and says nothing of the colour that is asked for; the name alone brings meanings near.
        named = any(term.hard and term.text not in best.missing for term in question.terms) and not best.defined
        return (best.similarity or 0.0) >= (NEAR_ENOUGH if foreign and not named else SAME_MEANING)
    if best.defined:
        return best.coverage >= LEAST_COVERAGE
    if best.similarity is not None and foreign:
        if best.similarity < LEAST_NEAR or _lacks_what_is_known(question, best, half=own > 2):
            return False
        if best.coverage >= ENOUGH_COVERAGE or best.similarity >= NEAR_ENOUGH:
            return True
        if is_foreign(question, best, cut):
            return False
    if question.needs_value:
        enough = enough_coverage(question)
        return best.tight >= min(ENOUGH_TIGHT, enough) and best.coverage >= enough
    if best.similarity is not None and best.similarity >= SAME_MEANING and best.coverage >= SOME_COVERAGE:
        return True
    return best.coverage >= enough_coverage(question)


def _lacks_what_is_known(question: Question, best: Scored, *, half: bool) -> bool:
    """Whether most of the words that the glossary knows do not stand at a piece of another language.

    ``half``: half of them are enough to say so, for there are passages in the question's own language.
    """
    known = [t for t in question.terms if t.weight >= PLAIN_WEIGHT and t.alike.is_known and not t.borrowed]
    lacking = sum(term.text in best.missing or term.text in best.loose for term in known)
    if half:
        return len(known) > 1 and lacking >= len(known) / 2
    return len(known) > 1 and lacking > len(known) / 2 and (best.similarity or 0.0) < NEAR_ANYHOW


def _rows(question: Question, ranked: Sequence[Scored], cuts: Sequence[Cut]) -> list[DraftSentence]:
    """The best row, and others of its table only where several were asked for or several fit as well."""
    best = ranked[0]
    same = SAME_ROW if cuts[best.cut].language == question.language else 0.0
    margin = MARGIN if question.wants_list else same
    near = [s for s in ranked if s.cut == best.cut and s.unit.kind == "row" and s.score >= best.score - margin]
    near = [s for k, s in enumerate(near) if not any(_says_the_same(s, other, cuts) for other in near[:k])]
    near = near[: MOST_ROWS if question.wants_list else MOST_SENTENCES]
    return [piece for s in near for piece in _with_notes(question, s, cuts)]


def _with_notes(question: Question, scored: Scored, cuts: Sequence[Cut]) -> list[DraftSentence]:
    """A row and the notes whose marks its cells bear; the note alone where it denies what the row would say of the
    question's own words ("a refund of a cash withdrawal does not exist")."""
    piece = _piece(scored, question, cuts)
    cut, row = cuts[scored.cut], scored.unit.row
    if cut.table is None or row is None:
        return [piece]
    labels = range(label_columns(cut.table))
    told = {column for _, column in piece.cells} | set(labels)
    notes = cut.table.notes_of(row, told)
    label = row_words([cut.table.grid[row][c] for c in labels], cut.language)
    named = [term for term in question.terms if holds(term, label) and not term.critical]
    pieces = [
        DraftSentence(note, piece.passage, piece.start, piece.end, "sentence", piece.score, reading=note)
        for note in notes
    ]
    for note, said in zip(notes, pieces, strict=True):
        words = word_set(note, cut.language)
        if named and _DENIES.search(note) and all(holds(term, words) for term in named):
            return [said]
    return [piece, *pieces]


_DENIES = re.compile(r"\b(?:not|no|none|never|niet|geen|nooit|nicht|kein\w*|nie|pas|aucune?|jamais)\b", re.IGNORECASE)


def _says_the_same(scored: Scored, other: Scored, cuts: Sequence[Cut]) -> bool:
    """Whether two rows answer with one merged cell: the second adds nothing but a label."""
    table, row, before = cuts[scored.cut].table, scored.unit.row, other.unit.row
    if table is None or row is None or before is None or scored.columns != other.columns:
        return False
    return bool(scored.columns) and all(table.same_cell(column, row, before) for column in scored.columns)


def _sentences(
    question: Question, ranked: Sequence[Scored], every: Sequence[Scored], cuts: Sequence[Cut]
) -> list[DraftSentence]:
    """The best sentence and those as good; an entry brings its lead-in, a lead-in its best entry or, asked for, all."""
    best = ranked[0]
    by_place = {(s.cut, s.unit.order): s for s in every}
    chosen: list[Scored] = []

    def take(item: Scored) -> None:
        if item.unit.text not in {c.unit.text for c in chosen}:
            chosen.append(item)

    for item in ranked:
        if len(chosen) >= MOST_SENTENCES or item.score < best.score - MARGIN:
            break
        if item.unit.kind == "row" or item.fit < best.fit:
            continue
        if chosen and sum(len(c.unit.text.split()) for c in (*chosen, item)) > MOST_WORDS:
            break
        entries = cuts[item.cut].entries
        lead = item.unit.lead if item.unit.lead is not None else item.unit.order
        if lead not in entries:
            before = by_place.get((item.cut, item.unit.order - 1))
            if before is not None and before.unit.kind == "sentence" and _TURNS.search(item.unit.text):
                take(before)
            take(item)
            continue
        family = [by_place[item.cut, k] for k in entries[lead] if (item.cut, k) in by_place]
        if (item.cut, lead) in by_place:
            take(by_place[item.cut, lead])
        short = len(family) <= SHORT_LIST and not (question.needs_value or question.yes_no)
        whole = bool(_ALL_OF.search(cuts[item.cut].units[lead].text))
        if whole and len(family) > MOST_ENTRIES:
            continue
        if question.wants_list or short or whole:
            for entry in family[:MOST_ENTRIES]:
                take(entry)
        elif item.unit.lead is not None:
            take(item)
        elif family:
            take(max(family, key=lambda s: (s.score, -s.unit.order)))
    return [_piece(s, question, cuts) for s in _in_printed_order(chosen)]


def _in_printed_order(chosen: Sequence[Scored]) -> list[Scored]:
    """The pieces with the entries of each list together and as they are printed: (a), (b), (d)."""

    def home(scored: Scored) -> tuple[int, int]:
        return scored.cut, scored.unit.lead if scored.unit.lead is not None else scored.unit.order

    first: dict[tuple[int, int], int] = {}
    for place, scored in enumerate(chosen):
        first.setdefault(home(scored), place)
    return sorted(chosen, key=lambda s: (first[home(s)], s.unit.order))


_TURNS = re.compile(
    r"^(?:however|but|nevertheless|conversely|echter|maar|daarentegen|jedoch|aber|dagegen|toutefois|cependant|mais)\b"
    r"|^(?:\w+ ){1,4}(?:however|echter|jedoch|aber|toutefois|cependant)\b",
    re.IGNORECASE,
)
"""A sentence that turns from the one before it says half of the two."""


_ALL_OF = re.compile(
    r"\b(?:all|both|each) of (?:the|these)\b(?=.*\b(?:condition|requirement|criteri))|\bonly (?:if|when)\b|\bunless\b"
    r"|\balle(?:n)?\b.*\b(?:voorwaarden|eisen|bedingungen|voraussetzungen)\b|\balleen (?:als|indien)\b|\btenzij\b"
    r"|\bnur,? wenn\b|\bes sei denn\b|\btoutes les conditions\b|\b(?:uniquement|seulement) si\b|\bsauf si\b",
    re.IGNORECASE | re.DOTALL,
)
"""A lead-in whose entries hold together only: two of five conditions would be read as all there are."""


def _piece(scored: Scored, question: Question, cuts: Sequence[Cut]) -> DraftSentence:
    unit = scored.unit
    table = cuts[scored.cut].table
    cells: tuple[tuple[int, int], ...] = ()
    reading = ""
    if table is not None and unit.row is not None and scored.columns:
        cells = tuple((unit.row, column) for column in scored.columns)
        read = read_columns(question, scored, table, cuts[scored.cut].language)
        told = telling_columns(question, table, unit.row, read)
        labels = telling_labels(question, table, unit.row, told, cuts[scored.cut].language)
        reading = read_row(table, unit.row, told, labels)
    return DraftSentence(
        unit.text, unit.passage, unit.start, unit.end, unit.kind, round(scored.score, 4), cells, reading
    )


def _references(chosen: Sequence[DraftSentence]) -> tuple[str, ...]:
    found = (re.sub(r"\s+", " ", m.group()) for piece in chosen for m in REFERENCE.finditer(piece.text))
    return tuple(dict.fromkeys(found))
