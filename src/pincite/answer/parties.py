"""Who gives what to whom, and whether a passage has the two parties the other way round. Pure.

"Where a dispute is withdrawn, the issuer pays the acquirer EUR 7" is not "the acquirer owes the issuer EUR 7". Verbs of
giving and receiving, active and passive, with "to", "by", "aan", "door", "von", "à" or a dative, in four languages.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from pincite.answer.scopes import root
from pincite.answer.words import is_function_word
from pincite.lexicon import stem

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
"""Roles of contracts and rules. A party that is not among them is not told from a thing."""
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
_GIVES = re.compile(
    r"\b(?:pa(?:y|ys|id)|owe[sd]?|reimburse[sd]?|refund(?:s|ed)?|compensate[sd]?|credit(?:s|ed)?|deliver(?:s|ed)?"
    r"|provide[sd]?|send[s]?|sent|notif(?:y|ies|ied)|inform(?:s|ed)?|report(?:s|ed)?|grant(?:s|ed)?|suppl(?:y|ies|ied)"
    r"|betaal\w*|betalen|vergoed\w*|verschuldigd|lever\w*|geleverd|meld\w*|gemeld|stuur\w*|sturen|verstrek\w*"
    r"|zahl\w*|gezahlt|erstatte\w*|schulde\w*|liefer\w*|geliefert|melde\w*|leiste\w*|überweis\w*|vergüte\w*"
    r"|verse\w*|versé\w*|paie\w*|pay[eé]\w*|rembours\w*|doit|doivent|livr\w*|fourni\w*|notifi\w*|inform\w*)\b",
    re.IGNORECASE,
)
_RECEIVES = re.compile(
    r"\b(?:receive[sd]?|collects?|obtains?|ontvang(?:t|en)|krijg(?:t|en)|erhält|erhalten|bekomm(?:t|en)|reçoi(?:t|vent)"
    r"|perçoi(?:t|vent))\b",
    re.IGNORECASE,
)
_TO = frozenset("to aan à au aux an dem den einem einer ten".split())  # noqa: SIM905
_BY = frozenset("by door von vom durch par".split())  # noqa: SIM905
_FROM = frozenset("from van von vom de du des d".split())  # noqa: SIM905
_ARTICLES = frozenset("the a an its their het de een der die das ein eine le la les l un une".split())  # noqa: SIM905
_CLAUSE = re.compile(r"[.;:!?]\s|,\s|\s(?:and|en|und|et)\s(?=(?:the|de|het|der|die|das|le|la|l')\s)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Transfer:
    """Who gives to whom, and the roots of what else the sentence says of it."""

    giver: str
    receiver: str
    about: frozenset[str]

    @property
    def parties(self) -> frozenset[str]:
        return frozenset({self.giver, self.receiver})


@dataclass(frozen=True, slots=True)
class _Mention:
    party: str
    mark: str
    """"to", "by" or "from"; empty for a bare subject or object."""


def _mentions(clause: str, language: str) -> list[_Mention]:
    words = re.findall(r"[^\W\d_]+", clause)
    found: list[_Mention] = []
    for index, word in enumerate(words):
        if not _PARTIES.fullmatch(word):
            continue
        before = [w.lower() for w in words[max(0, index - 2) : index]]
        near = before[-1:] if not before or before[-1] not in _ARTICLES else before
        marks = [("to", _TO), ("by", _BY), ("from", _FROM)]
        mark = next((name for name, held in marks if any(w in held and w not in ("de", "d") for w in near)), "")
        if not mark and near[-1:] in (["de"], ["d"]) and language == "fr":
            mark = "from"
        found.append(_Mention(stem(word, language), mark))
    return found


def names_party(text: str) -> bool:
    """Say whether a text names somebody who acts: a party, a body, an office.

    >>> names_party("The Acquirer sends a reversal."), names_party("After the third repetition it sends a reversal.")
    (True, False)
    """
    words = re.findall(r"[^\W\d_]+(?:-[^\W\d_]+)*", text)
    return any(_PARTIES.fullmatch(word) or _ORGANS.fullmatch(word) for word in words) or bool(_ACTS.search(text))


def transfers(sentence: str, language: str) -> tuple[Transfer, ...]:
    """Return the transfers that a sentence states, in order.

    >>> transfers("The fee is paid by the acquirer to the issuer.", "en")[0].receiver
    'issuer'
    >>> transfers("De houder vergoedt het college de kosten.", "nl")[0].giver
    'houder'
    """
    words = {
        root(stem(word, language))
        for word in re.findall(r"[^\W\d_]+", sentence)
        if len(word) > 1 and not is_function_word(word.lower()) and not _PARTIES.fullmatch(word)
    }
    found: list[Transfer] = []
    for clause in _CLAUSE.split(sentence):
        receives = _RECEIVES.search(clause) is not None
        if not receives and not _GIVES.search(clause):
            continue
        mentions = _mentions(clause, language)
        if len({m.party for m in mentions}) < 2:
            continue
        pair = _pair(mentions, receives=receives)
        if pair is not None:
            found.append(Transfer(pair[0], pair[1], frozenset(words)))
    return tuple(found)


def _pair(mentions: list[_Mention], *, receives: bool) -> tuple[str, str] | None:
    """Return giver and receiver of one clause, or None where they cannot be told."""
    bare = [m.party for m in mentions if not m.mark]
    marked = {name: [m.party for m in mentions if m.mark == name] for name in ("to", "by", "from")}
    if receives:
        givers = marked["from"] + marked["by"]
        pair = (givers[0], bare[0]) if givers and bare else None
    elif marked["by"] and (marked["to"] or bare):
        pair = (marked["by"][0], (marked["to"] or bare)[0])
    elif marked["to"] and bare:
        pair = (bare[0], marked["to"][0])
    elif len(bare) > 1:
        pair = (bare[0], bare[1])
    else:
        pair = None
    return pair if pair is not None and pair[0] != pair[1] else None


def reversed_transfer(answer: str, evidence: Iterable[str], answer_language: str, evidence_language: str) -> str | None:
    """Return the sentence that has the parties of the answer the other way round about the same thing, or None.

    Of the sentences about both parties those count that say most of what the answer says.
    """
    said = transfers(answer, answer_language)
    if not said:
        return None
    printed = [(text, transfer) for text in evidence for transfer in transfers(text, evidence_language)]
    for ours in said:
        alike = [(len(t.about & ours.about), text, t) for text, t in printed if t.parties == ours.parties]
        most = max((shared for shared, _, _ in alike), default=0)
        nearest = [(text, t) for shared, text, t in alike if shared == most]
        if nearest and all(t.giver != ours.giver for _, t in nearest):
            return nearest[0][0]
    return None
