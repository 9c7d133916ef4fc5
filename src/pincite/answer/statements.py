"""Sentences without a typed value: whether the words of a passage carry them, and what contradicts them.

A first, honest check. It compares content words, names and what is negated, allowed or required; it does not
understand. Paraphrases in other words are withheld, and two facts whose words stand near each other can still be mixed.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import takewhile

from pincite.answer.claims import SentenceKind
from pincite.answer.contexts import Grid, Prepared, Prose
from pincite.answer.contrast import company, other_company
from pincite.answer.words import COMPOUND, is_function_word, kin, split_words
from pincite.lexicon import stem
from pincite.quantity import NEGATION
from pincite.types import Evidence

NEARBY = 0.7
"""Weight of a content word that stands only in the sentence before or after."""
ELSEWHERE = 0.35
"""Weight of a content word that stands only further away in the same part of the context."""
NAME_WEIGHT = 2.0
MISSING_NAME = 0.3
"""Highest confidence of a sentence with a name that the context does not hold."""
OPPOSED = 0.2
LEAD_IN_COVERAGE = 0.5
CLOSE = 0.5
"""Coverage from which two sentences are about the same thing, so that "not" in one of them contradicts."""
VERY_CLOSE = 0.75
"""Coverage from which one sentence is taken for the other in other words."""
LEAST_FOREIGN, LEAST_KNOWN = 2, 0.3
"""Content words from which a sentence with values is looked at, and the share of them that its passages must hold."""
RUNNER_UP = 0.1
"""Coverage by which a sentence without a contradiction may fall behind the best one and still carry the claim."""


@dataclass(frozen=True, slots=True)
class Conflict:
    reason: str


@dataclass(frozen=True, slots=True)
class Support:
    confidence: float
    reason: str
    evidence: Evidence | None = None


# ---------------------------------------------------------------- framing

_FRAMING = frozenset(
    """
        documents document documentation sources source passages passage rulebook rulebooks texts text wording says
        say said states state stated according following follows below above here answer answers question questions
        table tables summary overview section sections find found see read reads relevant applicable shown shows given
        gives quote quotation cited information manual guide guidelines datasheet sheet brochure lease contract
        agreement law statute statutes act regulation regulations rule rules policy terms conditions clause clauses
        article articles provision provisions paragraph chapter page note notes data prescribes describes mentions
        sets explains summarise summarised summarize summarized short brief case cases good thanks gladly sure
        regarding concerning mean documenten bron bronnen tekst bewoording volgens volgende volgt hieronder hierboven
        antwoord vraag vragen tabel tabellen zegt zeggen staat staan vermeldt vermelden samenvatting overzicht zie
        vind vindt vinden gevonden lees leest gelezen informatie handleiding gids richtlijn datablad overeenkomst
        huurcontract wet verordening reglement regeling regels regel polis statuten voorwaarden artikel artikelen
        bepaling bepalingen voorschrift voorschriften hoofdstuk paragraaf pagina bladzijde toelichting gegevens
        bepaalt regelt beschrijft noemt geldt samengevat geval gevallen bedoelt bedoel goede bedankt graag erover
        daarover betreft betreffende omtrent inzake wat wij ons je ik mij u kort samenvatten dokumente dokument quelle
        quellen laut gemäß folgende folgendes folgt unten oben antwort frage fragen tabelle sagt sagen steht stehen
        zusammenfassung zusammen zusammengefasst fasse überblick siehe finde finden gefunden lese liest gelesen
        angaben information handbuch anleitung betriebsanleitung leitfaden datenblatt broschüre vertrag mietvertrag
        gesetz verordnung satzung ordnung richtlinie regelwerk regeln vorschrift vorschriften bestimmung bestimmungen
        artikel absatz kapitel seite stelle hinweis daten regelt bestimmt beschreibt nennt fall fälle fällen meinen
        meint gute danke gern gerne darüber dazu hierzu bezüglich betreffend ich wir was mir ihnen kurz documents
        sources texte suivant suivante suivants suivantes selon voici réponse questions tableau tableaux dit disent
        indique indiquent résumé résume bref vue voir trouve trouvé trouvée trouvés trouvées lis lit lu informations
        manuel notice fiche brochure guide bail contrat accord loi règlement règle règles statuts police conditions
        article articles disposition dispositions chapitre page consigne consignes note données prévoit prévoient
        précise précisent décrit énonce mentionne cas parlez bonne merci volontiers concernant quant nous vous je ai
        """.split()  # noqa: SIM905
)
"""Words of and about texts: what they are called, that they say, that one finds it there, that it follows."""
_NOT_SAID = re.compile(
    r"\b(?:documents?|passages?|sources?|rulebooks?|text|document(?:en)?|bronnen|dokumente?|quellen?|tekst)\b[^.]{0,40}"
    r"\b(?:(?:do|does|did) not (?:say|state|mention|contain|give|specify|cover|answer)|"
    r"(?:zeggen|zegt|vermelden|vermeldt|noemen|noemt|bevatten|bevat)\b.{0,30}\b(?:niet|geen)|"
    r"(?:sagen|sagt|nennen|nennt|enthalten|enthält)\b.{0,30}\b(?:nicht|kein\w*)|"
    r"ne (?:disent|dit|mentionnent|mentionne|contiennent|contient|précisent|précise)\b.{0,20}\bpas)",
    re.IGNORECASE,
)


_GOES_ON = re.compile(r"[,;:]\s|\s[–—]\s|\b(?:but|and|however|so|maar|en|aber|und|mais|et)\b", re.IGNORECASE)
"""What parts a second clause from "the documents do not say that"."""


def is_framing(sentence: str, kind: SentenceKind, language: str) -> bool:
    """Say whether a sentence without a typed value claims nothing: "The documents say:".

    That the documents do not say something is no claim about the world either; whoever asked sees the passages.
    """
    stripped = sentence.strip()
    if _NOT_SAID.search(stripped) and not _GOES_ON.search(stripped):
        return True
    words = re.findall(r"[^\W\d_]+", stripped.lower())
    return all(word in _FRAMING or is_function_word(word) or len(word) == 1 for word in words)


_TOPIC = frozenset(
    """
        about on regarding concerning for of over van voor omtrent betreffende inzake über zu zur zum von für bezüglich
        betreffend sur pour concernant de du des au aux quant
        """.split()  # noqa: SIM905
)
"""What may stand before the subject of a text: "what the lease says about the deposit"."""


def asks(sentence: str, contexts: Sequence[Prepared], language: str) -> bool:
    """Say whether a sentence is a question to the reader in words of the passages: "Which of the two pumps is meant?"

    A question in other words is an echo of somebody else's.
    """
    if not sentence.rstrip(" *_").endswith("?"):
        return False
    held = _held(contexts)
    words = [w for w in re.findall(r"[^\W\d_]+", sentence.lower()) if w not in _FRAMING and not is_function_word(w)]
    keys = [stem(word, language) for word in words if len(word) > 1]
    return all(key in held or kin(key, held) for key in keys)


def _held(contexts: Sequence[Prepared]) -> frozenset[str]:
    return frozenset[str]().union(*(part.vocabulary for c in contexts for part in c.parts))


def is_foreign(text: str, contexts: Sequence[Prepared], language: str) -> bool:
    """Say whether a sentence with values says hardly anything that its passages say: "Maintenance mode, build 7."."""
    held = _held(contexts)
    said = [word for word in re.findall(r"[^\W\d_]+", text.lower()) if word not in _FRAMING]
    keys = list(dict.fromkeys(content(" ".join(said), language)))
    known = sum(key in held or bool(kin(key, held)) for key in keys)
    return len(keys) >= LEAST_FOREIGN and known < len(keys) * LEAST_KNOWN


def announces(sentence: str, contexts: Sequence[Prepared], language: str) -> bool:
    """Say whether a sentence without a value says only what a text is about: "Below is a summary of the acoustic data."

    It denies, allows and requires nothing, and beside words about texts holds only topics: words of the passages behind
    "about", "of" or the like.
    """
    if NEGATION.search(sentence) or any(pattern.search(sentence.lower()) for pattern in _MODALS.values()):
        return False
    held = _held(contexts)
    topic = speaks = False
    for word in re.findall(r"[^\W\d_]+|[,;:.!]", sentence.lower()):
        if not word[0].isalpha():
            topic = False
        elif word in _FRAMING:
            topic, speaks = False, True
        elif word in _TOPIC:
            topic = True
        elif len(word) > 1 and not is_function_word(word):
            key = stem(word, language)
            if not topic or not (key in held or kin(key, held)):
                return False
    return speaks


# ---------------------------------------------------------------- what is allowed, required, denied

_MODALS = {
    "must": re.compile(r"\b(?:shall|must|required to|moet(?:en)?|dient|dienen|muss|müssen|doit|doivent)\b"),
    "may": re.compile(
        r"\b(?:may|can|might|allowed to|permitted to|mag|mogen|kan|kunnen|darf|dürfen|kann|können|peut|peuvent)\b"
    ),
    "should": re.compile(r"\b(?:should|recommended|zou(?:den)? moeten|soll(?:te|ten|en)?|devrait|devraient)\b"),
}
# Bounds ("not more than") are judged with their number.
_BOUND_PHRASES = re.compile(
    r"\b(?:whether or not|al dan niet|ob oder ob nicht|not only|niet alleen|nicht nur)\b|"
    r"\b(?:not|no|niet|nicht) (?:more|less|later|fewer|longer|to exceed|exceed|meer|minder|later|mehr|weniger)\b",
    re.IGNORECASE,
)
_OPPOSITES = [
    tuple(pair.split("/"))
    for pair in """
        increase/decrease increases/decreases increased/decreased before/after included/excluded
        includes/excludes including/excluding minimum/maximum higher/lower highest/lowest first/last
        enabled/disabled with/without allowed/prohibited permitted/prohibited mandatory/optional
        required/optional internal/external domestic/international public/private always/never above/below
        more/less earlier/later open/closed voor/na minimaal/maximaal hoger/lager inclusief/exclusief
        verplicht/optioneel altijd/nooit met/zonder vor/nach höher/niedriger inklusive/exklusive mit/ohne
        immer/nie avant/après
        """.split()  # noqa: SIM905
]
_OPPOSITE_OF: dict[str, set[str]] = {}
for _left, _right in _OPPOSITES:
    _OPPOSITE_OF.setdefault(_left, set()).add(_right)
    _OPPOSITE_OF.setdefault(_right, set()).add(_left)


def content(text: str, language: str) -> list[str]:
    """Return the stems of the words that carry a text, in order."""
    return [word.stem for word in split_words(text, language) if not is_function_word(word.stem) and len(word.stem) > 1]


@dataclass(frozen=True, slots=True)
class _Scope:
    """What a "not", "may" or "shall" bears on."""

    after: frozenset[str]
    """The next two content words."""
    before: frozenset[str]
    """The content word before it."""

    def bears_on(self, words: Collection[str], *, close: bool) -> bool:
        """Say whether it stands in a text of these words; what stands before counts in close texts only."""
        return any(word in words for word in self.after) or (close and any(word in words for word in self.before))

    def meets(self, other: _Scope) -> bool:
        return bool(self.after & other.after or (self.before & other.before and not (self.after and other.after)))


def _scopes(text: str, pattern: re.Pattern[str], language: str) -> list[_Scope]:
    scopes: list[_Scope] = []
    for match in pattern.finditer(text):
        after = content(re.split(r"[.;:]", text[match.end() :])[0], language)[:2]
        before = content(text[: match.start()], language)[-1:]
        scopes.append(_Scope(frozenset(after), frozenset(before)))
    return scopes


def contradiction(answer: str, evidence: str, answer_language: str, evidence_language: str) -> Conflict | None:
    """Return how a passage sentence denies the answer's: "shall not" for "shall", "may" for "must"; else None.

    Only of sentences about the same thing: half of the answer's content words stand in the passage's.
    """
    ours = set(content(answer, answer_language))
    theirs = set(content(evidence, evidence_language))
    shared = len(ours & theirs) / len(ours) if ours else 0.0
    if shared < CLOSE:
        return None
    if other := other_company(company(answer), company(evidence)):
        return Conflict(f"the passage says “{other}”: “{_shorten(evidence)}”")
    close = shared >= VERY_CLOSE
    said = _BOUND_PHRASES.sub(" ", answer.lower())
    printed = _BOUND_PHRASES.sub(" ", evidence.lower())
    denied = _scopes(printed, NEGATION, evidence_language)
    denying = _scopes(said, NEGATION, answer_language)
    if any(scope.bears_on(ours, close=close) and not any(scope.meets(d) for d in denying) for scope in denied):
        return Conflict(f"the passage denies it: “{_shorten(evidence)}”")
    if any(scope.bears_on(theirs, close=close) and not any(scope.meets(d) for d in denied) for scope in denying):
        return Conflict(f"the passage does not deny it: “{_shorten(evidence)}”")
    printed_modals = {name: _scopes(printed, pattern, evidence_language) for name, pattern in _MODALS.items()}
    for name, pattern in _MODALS.items():
        for scope in _scopes(said, pattern, answer_language):
            others = [other for other, held in printed_modals.items() if any(scope.meets(s) for s in held)]
            if others and name not in others:
                reason = f"the answer says “{name}” where the passage says “{others[0]}”: “{_shorten(evidence)}”"
                return Conflict(reason)
    one, other = _only_modal(said), _only_modal(printed)
    if close and one and other and one != other:
        return Conflict(f"the answer says “{one}” where the passage says “{other}”: “{_shorten(evidence)}”")
    if _reversed_parties(answer, evidence, answer_language, evidence_language):
        return Conflict(f"the passage says it the other way round: “{_shorten(evidence)}”")
    words = set(re.findall(r"[^\W\d_]+", said))
    shown = set(re.findall(r"[^\W\d_]+", printed))
    for word in words & _OPPOSITE_OF.keys():
        if word not in shown and _OPPOSITE_OF[word] & shown and not _OPPOSITE_OF[word] & words:
            opposite = sorted(_OPPOSITE_OF[word] & shown)[0]
            return Conflict(f"the answer says “{word}” where the passage says “{opposite}”: “{_shorten(evidence)}”")
    return None


def _only_modal(text: str) -> str:
    """Return what a text allows or requires when it does so once; else nothing."""
    found = [name for name, pattern in _MODALS.items() for _ in pattern.finditer(text)]
    return found[0] if len(found) == 1 else ""


_EXEMPT = re.compile(
    r"\b(?:exempt(?:ed)?|except(?:ed|ion)?|vrijgesteld|uitgezonderd|ausgenommen|befreit|exonéré\w*|exempté?\w*)\b",
    re.IGNORECASE,
)
_WITHOUT = re.compile(r"\b(?:without|zonder|ohne|sans)\b", re.IGNORECASE)
"""Denies only what follows it (`contrast.company`)."""
_SHORT = 3
"""Content words of a sentence that is about nothing else: "Refunds are exempt."."""
_ANAPHORA = re.compile(
    r"\W*(?:it|they|this|these|that|such|hij|ze|zij|dit|deze|dat|er|sie|es|diese\w*|dies|il|elle|ils|elles|cel[aà]"
    r"|c[e'’]\w*)\b",
    re.IGNORECASE,
)
"""Words that a sentence begins with which goes on about what the one before it is about."""


def denied_beside(
    answer: str,
    evidence: str,
    beside: Iterable[str],
    elsewhere: Iterable[str],
    answer_language: str,
    evidence_language: str,
) -> Conflict | None:
    """Return how a sentence beside the evidence denies the evidence of what only the answer names, if one does.

    "A supplement is owed in the evening. It is not owed for refunds.": nothing of refunds in the first, so "for refunds
    a supplement is owed" rests on the second. One that stands ``elsewhere`` counts when the answer has its words.
    """
    if NEGATION.search(answer) or _EXEMPT.search(answer):
        return None
    ours = set(content(answer, answer_language))
    shared = ours & set(content(evidence, evidence_language))
    added = {word for word in ours - shared if not word[0].isdigit()}
    near = tuple(beside)
    for sentence in (*near, *elsewhere) if added else ():
        if not (NEGATION.search(sentence) or _EXEMPT.search(sentence)):
            continue
        text = _WITHOUT.sub(" ", _BOUND_PHRASES.sub(" ", sentence))
        goes_on = _ANAPHORA.match(text) is not None
        for clause in re.split(r"[;:]", text):
            words = set(content(clause, evidence_language))
            if not words & added:
                continue
            about = len(words & ours) >= VERY_CLOSE * len(words)
            about = about or (sentence in near and (goes_on or bool(words & shared)))
            denied = [content(clause[m.end() :], evidence_language)[:2] for m in NEGATION.finditer(clause)]
            # "shall not disclose the PIN" denies nothing but disclosing.
            if about and any(after and (after[0] in ours or (goes_on and added & {*after})) for after in denied):
                return Conflict(f"the passage denies it: “{_shorten(sentence)}”")
            exempt = _scopes(clause, _EXEMPT, evidence_language)
            if (
                sentence in near
                and (about or len(words) <= _SHORT)
                and any((scope.after | scope.before) & added for scope in exempt)
            ):
                return Conflict(f"the passage exempts it: “{_shorten(sentence)}”")
    return None


_LINKS = frozenset(
    """
        the a an to de het een aan der die das den dem ein eine einem einen einer an le la les l un une au aux à du
        """.split()  # noqa: SIM905
)
_MAY = r"shall|must|may|will|should|can|moet|mag|kan|zal|muss|darf|kann|soll|doit|peut"
_CARRIES = re.compile(rf"(?:{_MAY}|is|est|ist)")
"""Verbs without content that in Dutch, German or French stand between the parties: "de Issuer moet de Acquirer"."""
_DATIVE = re.compile(r"(?:dem|den|einem|einer)")
_MIDDLE = 2
_EITHER_WAY = frozenset("plus versus times resp equal match matches meets".split())  # noqa: SIM905


def _relations(text: str, language: str) -> frozenset[tuple[str, str, str]]:
    """Return (party, verb, party) as they follow on each other, with nothing but articles and "to" in between.

    Without those that begin with a German dative: "Dem Acquirer schuldet der Issuer" has the order turned round.
    """
    found: set[tuple[str, str, str]] = set()
    for clause in re.split(r"[;:()|]|[.,](?!\d)", text):
        printed = re.findall(r"[^\W\d_]+", clause)
        words = [word.lower() for word in printed]
        kept = [i for i, word in enumerate(words) if word not in _LINKS]
        for at, one in enumerate(kept):
            if not _is_party(words[one], language) or (one and _DATIVE.fullmatch(words[one - 1])):
                continue
            for middle, other in enumerate(kept[at + 2 : at + 2 + _MIDDLE], 1):
                between = kept[at + 1 : at + 1 + middle]
                carried = _CARRIES.fullmatch(words[between[0]]) is not None
                verb = words[between[-1]]
                # Three nouns in a row are no relation: "memorized secret authenticators".
                linked = other > between[-1] + 1
                named = printed[one][0].isupper() and printed[other][0].isupper() and verb == printed[between[-1]]
                says = carried if middle > 1 else carried or linked or named
                if not says or not _is_party(words[other], language) or verb in _EITHER_WAY:
                    continue
                end = ""
                if middle == 1 and carried:
                    after = kept[at + 3 : at + 4]
                    end = words[after[0]] if after else ""
                elif is_function_word(verb):
                    continue
                found.add((stem(words[one], language), stem(verb, language) + end, stem(words[other], language)))
    return frozenset(found)


def _is_party(word: str, language: str) -> bool:
    return len(word) > 3 and not is_function_word(word) and not is_function_word(stem(word, language))


def _reversed_parties(answer: str, evidence: str, answer_language: str, evidence_language: str) -> bool:
    """Say whether the passage has two parties the other way round about the same verb, and not as the answer does."""
    printed = _relations(evidence, evidence_language)
    return any(
        said not in printed and said[::-1] in printed and said[0] != said[2]
        for said in _relations(answer, answer_language)
    )


def _shorten(text: str, limit: int = 160) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= limit else flat[: limit - 1].rsplit(" ", 1)[0] + "…"


# ---------------------------------------------------------------- support


@dataclass(frozen=True, slots=True)
class _Unit:
    """A sentence of prose or a table row, with the words that carry it."""

    text: str
    words: frozenset[str]
    evidence: Evidence


def _units(number: int, part: Prose | Grid) -> list[_Unit]:
    if isinstance(part, Prose):
        held: list[set[str]] = [set() for _ in part.sentences]
        for word, index in zip(part.words, part.sentence_of, strict=True):
            if held:
                held[index].add(word.stem)
        units: list[_Unit] = []
        for sentence, words in zip(part.sentences, held, strict=True):
            start, end = part.normal.span(sentence.start, sentence.end)
            evidence = Evidence(number, part.offset + start, part.offset + end)
            units.append(_Unit(part.text[sentence.start : sentence.end], frozenset(words), evidence))
        return units
    titles = {word for words in part.column_words for word in words}
    rows: list[_Unit] = []
    for row in range(part.rows):
        cells = [part.cells[i] for i in {part.at[row, c] for c in range(part.columns) if (row, c) in part.at}]
        if not cells:
            continue
        words = {word.stem for cell in cells for word in split_words(cell.text, "")}
        words |= {word for label in part.row_words[row] for word in label} | set(part.section_words[row]) | titles
        start = min(cell.start for cell in cells)
        end = max(cell.start + cell.normal.length for cell in cells)
        rows.append(_Unit(part.row_text(row), frozenset(words), Evidence(number, start, end, (row, 0))))
    return rows


def _names(sentence: str, language: str) -> frozenset[str]:
    """Return the stems of words that look like names: capitals inside the sentence, or all capitals.

    German writes every noun with a capital: there only words in all capitals count.
    """
    found: list[str] = []
    for match in re.finditer(r"[^\W_]+", sentence):
        word = match.group()
        inside = bool(re.search(r"[\w,)]\s+[\"'(]*$", sentence[: match.start()]))
        capitals = len(word) > 1 and word.isupper()
        if capitals or (inside and word[0].isupper() and language != "de"):
            found.extend(content(word, language))
    return frozenset(found)


def statement_support(
    sentence: str, contexts: Sequence[Prepared], language: str, *, lead_in: bool = False, under: str = ""
) -> Support:
    """Return how well the contexts carry a sentence without a typed value.

    Confidence is the weighted share of its content words that stand in the best passage sentence or table row (less in
    its neighbours), lowered by missing names and by what contradicts it. ``lead_in``: the sentence leads to what
    follows it and needs half of its words only. ``under``: what it is a part of, the lead-in of its list or its
    sentence, which may deny it.
    """
    wanted = content(sentence, language)
    if lead_in:
        # "in the following cases:" says nothing of what the cases are.
        framing = {stem(word, language) for word in _FRAMING}
        wanted = [word for word in wanted if word not in framing] or wanted
    if not contexts:
        return Support(0.0, "no passage was cited")
    if not wanted:
        return Support(1.0, "claims nothing")
    names = _names(sentence, language)
    seen: list[tuple[float, _Unit, frozenset[str]]] = []
    for number, context in enumerate(contexts):
        for part in context.parts:
            units = _units(number, part)
            everywhere = frozenset[str]().union(*(unit.words for unit in units)) if units else frozenset[str]()
            for index, unit in enumerate(units):
                near: frozenset[str] = frozenset()
                if isinstance(part, Prose):
                    near = near.union(*(u.words for u in _neighbours(units, index)))
                seen.append((_coverage(wanted, names, unit.words, near, everywhere), unit, everywhere))
    if not seen:
        return Support(0.0, "the cited table is too doubtful to be evidence")
    seen.sort(key=lambda item: -item[0])
    covered, unit, everywhere = seen[0]
    conflict: Conflict | None = None
    close = list(takewhile(lambda item: item[0] >= seen[0][0] - RUNNER_UP, seen))
    said = f"{under} {sentence}" if under else sentence
    found = [contradiction(said, u.text, language, contexts[u.evidence.context].language) for _, u, _ in close]
    against = [u for (_, u, _), denied in zip(close, found, strict=True) if denied is not None]
    opposed = bool(against)
    clean = [
        item
        for item, denied in zip(close, found, strict=True)
        if denied is None and not any(_says_more(u, item[1], wanted) for u in against)
    ]
    if clean:
        covered, unit, everywhere = clean[0]
    else:
        conflict = next((denied for denied in found if denied is not None), None)
    if conflict is not None:
        return Support(OPPOSED, conflict.reason, unit.evidence)
    missing = sorted(names - everywhere)
    if missing:
        name = next(
            (w for w in re.findall(r"[^\W_]+", sentence) if content(w, language)[:1] == missing[:1]), missing[0]
        )
        return Support(min(MISSING_NAME, covered), f"{name} does not stand in the cited passage", unit.evidence)
    # Half of the words are too few to prefer this sentence to a fuller one that says the opposite.
    if lead_in and covered >= LEAD_IN_COVERAGE and not opposed:
        covered = max(covered, 0.75)
    absent = [w for w in dict.fromkeys(wanted) if w not in everywhere]
    if covered >= 0.7:
        return Support(min(0.95, covered), f"the passage says: “{_shorten(unit.text)}”", unit.evidence)
    if absent:
        return Support(
            covered, f"the cited passage says nothing of “{_original(absent[0], sentence, language)}”", unit.evidence
        )
    return Support(covered, "the cited passage holds these words, but not together", unit.evidence)


def _says_more(one: _Unit, other: _Unit, wanted: Sequence[str]) -> bool:
    """Say whether a unit says of a sentence all that another one says, and more.

    "A receiver may refuse cash. It may charge no supplement for cash." says more of "a receiver may charge a supplement
    for cash" in its second sentence, whose subject stands in the first.
    """
    more = any(word in one.words and word not in other.words for word in wanted)
    less = any(word in other.words and word not in one.words for word in wanted)
    return more and (not less or _ANAPHORA.match(one.text) is not None)


def _original(stem_: str, sentence: str, language: str) -> str:
    return next((w for w in re.findall(r"[^\W_]+", sentence) if content(w, language)[:1] == [stem_]), stem_)


def _neighbours(units: Sequence[_Unit], index: int) -> Iterable[_Unit]:
    return [units[i] for i in (index - 1, index + 1) if 0 <= i < len(units)]


def _coverage(
    wanted: Sequence[str],
    names: frozenset[str],
    own: frozenset[str],
    near: frozenset[str],
    everywhere: frozenset[str],
) -> float:
    total = matched = 0.0
    for word in dict.fromkeys(wanted):
        weight = NAME_WEIGHT if word in names else 1.0
        total += weight
        if word in own:
            matched += weight
        elif kin(word, own):
            matched += weight * COMPOUND
        elif word in near:
            matched += weight * NEARBY
        elif word in everywhere:
            matched += weight * ELSEWHERE
    return matched / total if total else 0.0
