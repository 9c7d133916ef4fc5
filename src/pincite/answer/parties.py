"""Who gives what to whom, and whether a passage has the two parties the other way round. Pure.

"Where a dispute is withdrawn, the issuer pays the acquirer EUR 7" is not "the acquirer owes the issuer EUR 7". A party
is known by how it stands in a sentence, not by its name: behind "to", "by", "aan", "door", "von" or "à", in the dative,
as the subject that begins an active clause. Whoever stands so in one place is a party in all of them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, TypeAlias

from pincite.answer.words import is_function_word, root
from pincite.lexicon import stem

Mark: TypeAlias = Literal["to", "by", "from", "subject", "der", "other", ""]
"""How a noun stands: receiver, giver of a passive, what comes from it, a German nominative, behind a noun and "der" (a
feminine genitive or dative), behind another preposition; empty for a bare subject or object."""

_RECEIVES = re.compile(
    r"\b(?:receive[sd]?|collects?|obtains?|ontvang(?:t|en)|krijg(?:t|en)|erhält|erhalten|bekomm(?:t|en)|reçoi(?:t|vent)"
    r"|perçoi(?:t|vent))\b",
    re.IGNORECASE,
)
_DETERMINERS = frozenset(
    """
        the a an its their his her each every any this that these those
        de het een zijn haar hun elke ieder iedere deze die dit dat
        der die das dem den des ein eine einem einen einer eines jede jeder jedem jeden
        seine seiner seinem ihre ihrer ihrem vom zum zur beim
        le la les l un une son sa ses leur leurs chaque ce cette au aux du des
    """.split()  # noqa: SIM905
)
_BEFORE: dict[Mark, str] = {
    "to": "to towards aan naar an à au aux dem den einem seinem ihrem jedem zum zur",
    "by": "by door von vom durch par",
    "from": "from of van du d des eines",
    "other": """
        with for in on at under after before within per during into about over upon without
        met voor op bij onder na binnen uit tegen sinds zonder
        mit für im auf bei beim nach vor aus gegen über unter ohne wegen bis innerhalb
        avec pour dans sur chez en sous contre sans après avant entre
    """,
}
_MARKS: dict[str, Mark] = {word: mark for mark, words in _BEFORE.items() for word in words.split()}
_PASSIVE = frozenset(
    """
        is are was were be been wordt worden werd werden wird wurde wurden est sont été sera seront
    """.split()  # noqa: SIM905
)
_JOINS = frozenset("and or en of und oder et ou".split())  # noqa: SIM905
_CLAUSE = re.compile(r"[.;:!?]\s|,\s|\s(?:and|en|und|et)\s(?=(?:the|de|het|der|die|das|le|la|l')\s)", re.IGNORECASE)
_LONGEST_PHRASE = 3


@dataclass(frozen=True, slots=True)
class _Phrase:
    """A determiner and the words behind it."""

    words: tuple[str, ...]
    """Their roots: adjectives and the noun, at times the verb that follows."""
    mark: Mark
    begins: bool
    """It is the subject with which an active clause begins."""


@dataclass(frozen=True, slots=True)
class _Clause:
    phrases: tuple[_Phrase, ...]
    receives: bool
    about: frozenset[str]
    """Roots of all content words of its sentence."""


@dataclass(frozen=True, slots=True)
class Roles:
    """Who may give and who may receive in one clause, as roots."""

    givers: frozenset[str]
    receivers: frozenset[str]


@lru_cache(maxsize=8192)
def _clauses(sentence: str, language: str) -> tuple[_Clause, ...]:
    about = frozenset(
        root(stem(word, language))
        for word in re.findall(r"[^\W\d_]+", sentence)
        if len(word) > 1 and not is_function_word(word.lower())
    )
    found: list[_Clause] = []
    for text in _CLAUSE.split(sentence):
        phrases = _phrases(re.findall(r"[^\W\d_]+", text), language)
        if phrases:
            found.append(_Clause(phrases, _RECEIVES.search(text) is not None, about))
    return tuple(found)


def _phrases(words: Sequence[str], language: str) -> tuple[_Phrase, ...]:
    lower = [word.lower() for word in words]
    phrases: list[_Phrase] = []
    for index, word in enumerate(lower):
        if word not in _DETERMINERS:
            continue
        end = index + 1
        while end < len(words) and end - index <= _LONGEST_PHRASE and not _ends_phrase(lower[end]):
            end += 1
            if language == "de" and words[end - 1][0].isupper():
                break
        held = tuple(root(stem(w, language)) for w in words[index + 1 : end])
        if not held:
            continue
        before = lower[index - 1] if index else ""
        mark = _mark(word, before, words[index + 1 : end], language)
        if mark == "subject" and index and words[index - 1][0].isupper():
            mark = "der"
        active = index < 2 and not mark and (end == len(words) or lower[end] not in _PASSIVE)
        if before in _JOINS and phrases and not mark:
            mark = phrases[-1].mark or "other"  # "the issuer and the acquirer" are one subject
        phrases.append(_Phrase(held, mark, active or (index == 0 and mark == "subject")))
    return tuple(phrases)


def _ends_phrase(word: str) -> bool:
    return is_function_word(word) or word in _MARKS


def _mark(word: str, before: str, held: Sequence[str], language: str) -> Mark:
    """Return how the phrase behind a determiner stands: the preposition before it decides, else its case."""
    if before in _MARKS and before not in _DETERMINERS:
        return _MARKS[before]
    if before in ("de", "d") and language == "fr":
        return "from"
    if word in _MARKS and language in ("de", "fr"):
        return _MARKS[word]
    if word == "der" and language == "de":
        # "der ersten Stelle" is no nominative; of "der Stelle" only other places of the noun tell.
        return "to" if len(held) > 1 and held[0].endswith("en") else "subject"
    return ""


_DECLINED = re.compile(r"\b(die|eine|dem|den|des|einem|einen) (?:[a-zäöüß]+ )?([A-ZÄÖÜ]\w+)", re.IGNORECASE)


def _feminine(texts: Iterable[str], language: str) -> frozenset[str]:
    """Return the roots of German nouns that stand behind "die" or "eine" and never behind "dem", "den" or "des"."""
    if language != "de":
        return frozenset()
    feminine: set[str] = set()
    other: set[str] = set()
    for text in texts:
        for article, noun in _DECLINED.findall(text):
            side = feminine if article.lower() in ("die", "eine") else other
            side.add(root(stem(noun, language)))
    return frozenset(feminine - other)


def _roles(clause: _Clause, parties: Collection[str], feminine: Collection[str]) -> Roles:
    by_mark: dict[str, list[frozenset[str]]] = {"to": [], "by": [], "from": [], "bare": []}
    for phrase in clause.phrases:
        held = frozenset(word for word in phrase.words if word in parties)
        mark = phrase.mark
        if mark == "subject":
            mark = "to" if held & frozenset(feminine) else "by"
        elif mark == "der":
            mark = "to" if held & frozenset(feminine) else "other"
        if held and mark != "other":
            by_mark[mark or "bare"].append(held)
    bare = by_mark["bare"]
    givers, receivers = by_mark["by"], by_mark["to"]
    if clause.receives:
        givers, receivers = [*by_mark["from"], *givers], bare or receivers
    elif givers:
        receivers = receivers or bare
    elif receivers:
        givers = bare
    else:
        givers, receivers = bare[:1], bare[1:2]
    none = frozenset[str]()
    both = none.union(*givers) & none.union(*receivers)
    return Roles(none.union(*givers) - both, none.union(*receivers) - both)


def _parties(said: Iterable[_Clause], printed: Iterable[_Clause], language: str) -> frozenset[str]:
    """Return the roots of those that give and receive somewhere; a Dutch or German answer may begin with the gift."""
    found: set[str] = set()
    for clauses, begin in ((said, language in ("en", "fr")), (printed, True)):
        for clause in clauses:
            marks = ("to", "by", "subject", *(("from",) if clause.receives else ()))
            for phrase in clause.phrases:
                if phrase.mark in marks or (begin and phrase.begins):
                    found.update(phrase.words)
    return frozenset(found)


def reversed_transfer(answer: str, evidence: Iterable[str], answer_language: str, evidence_language: str) -> str | None:
    """Return the sentence that has the parties of the answer the other way round about the same thing, or None.

    Of the sentences about both parties those count that say most of what the answer says. Where the answer names only
    who gives, the one that says most of the rest must not name another one.

    >>> reversed_transfer("The fee is paid by the hub to the bank.", ["The bank pays the hub a fee."], "en", "en")
    'The bank pays the hub a fee.'
    >>> reversed_transfer("The bank owes the hub a fee.", ["The fee is paid by the bank to the hub."], "en", "en")
    """
    said = _clauses(answer, answer_language)
    if not said:
        return None
    texts = list(evidence)
    printed = [(text, clause) for text in texts for clause in _clauses(text, evidence_language)]
    parties = _parties(said, [clause for _, clause in printed], answer_language)
    feminine = _feminine([answer, *texts], answer_language)
    held = [(text, other.about, _roles(other, parties, feminine)) for text, other in printed]
    for clause in said:
        ours = _roles(clause, parties, feminine)
        if not ours.givers or not (ours.receivers or any(phrase.mark == "by" for phrase in clause.phrases)):
            continue
        alike: list[tuple[int, bool, str]] = []
        for text, about, theirs in held:
            shared = clause.about & about
            if ours.receivers:
                turned = bool(ours.givers & theirs.receivers and ours.receivers & theirs.givers)
                same = bool(ours.givers & theirs.givers and ours.receivers & theirs.receivers)
            else:
                # Who stands in a sentence at all may do there what the answer says, in other words.
                same = bool(ours.givers & about)
                turned = bool(theirs.givers)
                shared -= ours.givers
            if turned or same:
                alike.append((len(shared), turned and not same, text))
        most = max((shared for shared, _, _ in alike), default=0)
        nearest = [(turned, text) for shared, turned, text in alike if shared == most]
        known = ours.receivers or any(not turned for _, turned, _ in alike)
        if known and nearest and all(turned for turned, _ in nearest):
            return nearest[0][1]
    return None


# ---------------------------------------------------------------- whether anybody is named

_PARTIES = re.compile(
    r"(?:issuer|acquirer|cardholder|merchant|scheme|customer|consumer|client|payer|payee|bank|supplier|buyer|seller"
    r"|landlord|tenant|lessor|lessee|employer|employee|operator|municipality|authority|contractor|applicant|holder"
    r"|member|manager|insurer|licensee|user|owner|driver|carrier|depot|processor|agent"
    r"|uitgever|kaarthouder|winkelier|klant|consument|betaler|begunstigde|leverancier|koper|verkoper|verhuurder|huurder"
    r"|werkgever|werknemer|exploitant|gemeente|college|opdrachtgever|opdrachtnemer|aannemer|aanvrager|houder|lid"
    r"|beheerder|verzekeraar|gebruiker|eigenaar|ontvanger|vervoerder"
    r"|herausgeber|karteninhaber|händler|kunde|verbraucher|zahler|lieferant|käufer|verkäufer|vermieter|mieter"
    r"|arbeitgeber|arbeitnehmer|betreiber|gemeinde|behörde|auftraggeber|auftragnehmer|antragsteller|inhaber|mitglied"
    r"|verwalter|versicherer|nutzer|eigentümer"
    r"|émetteur|acquéreur|porteur|commerçant|client|consommateur|payeur|bénéficiaire|banque|fournisseur|acheteur"
    r"|vendeur|bailleur|locataire|employeur|salarié|exploitant|commune|autorité|entrepreneur|demandeur|titulaire"
    r"|adhérent|gestionnaire|assureur|utilisateur|propriétaire|transporteur)(?:s|en|n|es|innen)?",
    re.IGNORECASE,
)
"""Roles of contracts and rules."""
_ORGANS = re.compile(
    r"(?:controller|processor|requestor|maker|board|committee|commission|court|council|agency|department|minister"
    r"|officer|administrator|supervisor|laborator(?:y|ie)|subscriber|verifier|claimant|provider|director|state|government"
    r"|person|people|staff|team|parent|auditor|assessor|inspector|manufacturer|installer|company|organi[sz]ation"
    r"|verwerkingsverantwoordelijke|verwerker|aanbieder|commissie|rechter|bestuur|directie|persoon|personen|betrokkene"
    r"|toezichthouder|fabrikant|installateur|bedrijf|organisatie|ministerie|verantwortliche|auftragsverarbeiter"
    r"|anbieter|kommission|gericht|ministerium|amt|stelle|person|hersteller|betrieb|unternehmen|organisation"
    r"|responsable|sous-traitant|prestataire|tribunal|ministre|personne|fabricant|entreprise|organisme|état)"
    r"(?:s|en|n|es|r|innen)?",
    re.IGNORECASE,
)
"""Bodies and offices that act, beside the parties of contracts."""
_ACTS = re.compile(r"\b[A-Z]{2,6}s? (?:SHALL|shall|must|MUST|may|MAY|should|SHOULD|is|are|has)\b")
"""An abbreviation that must or may do something is somebody."""


def names_party(text: str) -> bool:
    """Say whether a text names somebody who acts: a party, a body, an office.

    >>> names_party("The Acquirer sends a reversal."), names_party("After the third repetition it sends a reversal.")
    (True, False)
    """
    words = re.findall(r"[^\W\d_]+(?:-[^\W\d_]+)*", text)
    return any(_PARTIES.fullmatch(word) or _ORGANS.fullmatch(word) for word in words) or bool(_ACTS.search(text))
