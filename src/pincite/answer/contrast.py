"""What excludes each other where one of it is asked for: domestic and cross-border, with and without a PIN. Pure.

A sentence about domestic purchases does not answer a question about cross-border ones, however many words they share;
and "and cross-border?" after "What does a domestic purchase cost?" asks for the other one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

_SETS: tuple[tuple[str, ...], ...] = (
    (
        r"domestic|national|binnenland\w*|inländisch\w*|inland|nationale?n?r?s?|intérieure?s?",
        r"cross-border|international|foreign|abroad|grensoverschrijdend\w*|buitenland\w*|grenzüberschreitend\w*"
        r"|ausländisch\w*|ausland\w*|transfrontali\w+|étrang\w+|internationa\w+",
    ),
    (r"minim(?:um|al|aal)\w*", r"maxim(?:um|al|aal)\w*"),
    (r"consumer|consument\w*|verbraucher\w*|consommateur\w*", r"commercial\w*|corporate|zakelijk\w*|gewerblich\w*"),
    (r"debit|debet\w*|débit", r"credit|krediet\w*|kredit\w*|crédit"),
    (r"inlet|suction|zuig\w*|saug\w*|aspiration", r"outlet|discharge|pers\w*zijde|druckseit\w*|refoulement"),
    (
        r"per payment|per transaction|per betaling|per transactie|(?:pro|je) zahlung|par (?:paiement|transaction)",
        r"daily|per day|a day|dagelijks\w*|daglimiet|per dag|täglich\w*|tages\w*|pro tag|journali\w+|par jour",
        r"monthly|per month|a month|maandelijks\w*|per maand|monatlich\w*|pro monat|mensuel\w*|par mois",
        r"yearly|annual|per year|a year|jaarlijks\w*|per jaar|jährlich\w*|pro jahr|annuel\w*|par an",
    ),
    (r"indoors?|binnenshuis", r"outdoors?|buitenshuis"),
    (
        r"new|nieuwe?|nieuwbouw|te bouwen|neue?[rnsm]?|neubau\w*|nouve(?:l|lle|lles|aux?)|neufs?|neuves?",
        r"existing|bestaande?|bestehende?[rnsm]?|existante?s?",
    ),
    (r"public|openba(?:ar|re)|publieke?|öffentlich\w*|publi(?:c|que)s?", r"private|privé|privat\w*|privée?s?"),
    (r"input|ingang\w*|eingang\w*|entrée", r"output|uitgang\w*|ausgang\w*|sortie"),
    (r"internal|inwendige?|innere[rnsm]?|interne?s?", r"external|uitwendige?|äußere[rnsm]?|externe?s?"),
)
"""Each set: patterns of whole words, in English, Dutch, German and French, of which a thing is one at most."""

_WORDS = tuple(tuple(re.compile(rf"(?<![\w-])(?:{side})(?![\w-])", re.IGNORECASE) for side in set_) for set_ in _SETS)


def contrasts(question: str, text: str, *around: str) -> bool:
    """Say whether the text speaks of the other one of something that is asked for, and not of that.

    ``around`` is what the text stands in, nearest first: the first of them that names either decides what the text
    leaves open.

    >>> contrasts("the cross-border fee", "A domestic purchase costs € 0.16.")
    True
    >>> contrasts("the cross-border fee", "Domestic and cross-border purchases cost the same.")
    False
    >>> contrasts("the limit without verification", "The limit with verification is € 200.")
    True
    >>> contrasts("the width of existing stairs", "Stairs are 0.8 m wide.", "2.5.1 New buildings")
    True
    """
    if other_company(company(question), company(text)):
        return True
    for sides in _WORDS:
        asked = [side for side in sides if side.search(question)]
        if len(asked) != 1:
            continue
        for said in (text, *around):
            named = [side for side in sides if side.search(said)]
            if named:
                if asked[0] not in named:
                    return True
                break
    return False


def agrees(question: str, text: str) -> bool:
    """Say whether the text names the very one of a set that is asked for: "per day" for "the daily limit".

    >>> agrees("the daily limit", "Limit per day"), agrees("the daily limit", "Limit in total")
    (True, False)
    """
    for sides in _WORDS:
        asked = [side for side in sides if side.search(question)]
        if len(asked) == 1 and [side for side in sides if side.search(text)] == asked:
            return True
    return False


def swapped(before: str, word: str) -> str:
    """Return ``before`` with the one that ``word`` excludes replaced by it, or nothing when there is none.

    >>> swapped("What does a domestic purchase cost?", "cross-border")
    'What does a cross-border purchase cost?'
    """
    for sides in _WORDS:
        named = [side for side in sides if side.fullmatch(word)]
        other = [found for side in sides if side not in named and (found := side.search(before))]
        if len(named) == 1 and len(other) == 1:
            return before[: other[0].start()] + word + before[other[0].end() :]
    return ""


_WITH = (
    r"with|including|includes?|inclusive of|incl\.?|met|inclusief|mit|inklusive|einschließlich|inkl\.?|avec|y compris"
    r"|incluant"
)
_WITHOUT = (
    r"without|w/o|excluding|excludes?|exclusive of|excl\.?|zonder|exclusief|ohne|exklusive|exkl\.?|sans|hors"
    r"|à l['’]exclusion (?:de|du|des)"
)
_COMPANY = re.compile(rf"(?<![\w-])(?:(?P<without>{_WITHOUT})|{_WITH})(?![\w-])", re.IGNORECASE)
_NONE = re.compile(r"no|geen|kein\w*|aucune?")
_NOT_BEFORE = re.compile(r"\b(?:not|never|niet|nooit|nicht|nie|pas|jamais)\s+$", re.IGNORECASE)
_LETTERS = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_BETWEEN = frozenset(
    """
        a an the any or and of such additional further extra another its their his her this that these those de het een
        of en enige extra aanvullende bijkomende zijn haar hun deze dit der die das dem den des ein eine einer einem
        einen und oder jede jeder zusätzliche zusätzlicher weitere weiterer le la les l un une du des d ou et
        supplémentaire son sa ses with without met zonder mit ohne avec sans including excluding inclusief exclusief
        inklusive exklusive toute tout aucune aucun no geen kein keine keiner keinen
        """.split()  # noqa: SIM905
)
"""What may stand between "without" and the thing: "without any additional verification"."""
_MOST_BETWEEN = 4


@lru_cache(maxsize=4096)
def company(narrow: str, wide: str = "") -> Mapping[str, tuple[frozenset[str], str]]:
    """Return what a text says "with" or "without" of: by the thing, which of both, and the phrase as printed.

    ``wide`` is what the text stands in; it says what ``narrow`` leaves open.

    >>> company("Limit without any verification")
    {'verification': (frozenset({'without'}), 'without any verification')}
    >>> sorted(company("Paiement avec ou sans vérification")["vérification"][0])
    ['with', 'without']
    """
    found: dict[str, tuple[frozenset[str], str]] = {}
    for text in (narrow, wide):
        here: dict[str, tuple[frozenset[str], str]] = {}
        for match in _COMPANY.finditer(text):
            if match["without"] and _NOT_BEFORE.search(text[: match.start()]):
                continue
            side = "without" if match["without"] else "with"
            # The clause ends at a stop or a cell's border; "incl." has its own.
            rest = re.split(r"[.;:|?!()\[\]\n]", text[match.end() :], maxsplit=1)[0]
            for count, word in enumerate(_LETTERS.finditer(rest)):
                name = word.group().casefold()
                if name in _BETWEEN and count < _MOST_BETWEEN:
                    if _NONE.fullmatch(name) and not count:
                        side = "without"
                    continue
                key = next((other for other in here if _same_word(other, name)), name)
                sides, phrase = here.get(key, (frozenset[str](), match.group() + rest[: word.end()]))
                here[key] = (sides | {side}, " ".join(phrase.split()))
                break
        for name, said in here.items():
            if not any(_same_word(name, other) for other in found):
                found[name] = said
    return found


def other_company(
    said: Mapping[str, tuple[frozenset[str], str]], printed: Mapping[str, tuple[frozenset[str], str]]
) -> str:
    """Return the phrase of ``printed`` that says "with" of what ``said`` says "without" of, or the reverse; or nothing.

    >>> other_company(company("zonder verificatie"), company("Limiet met verificatie per betaling"))
    'met verificatie'
    >>> other_company(company("ohne Prüfung"), company("mit oder ohne Prüfung"))
    ''
    >>> other_company(company("inclusive of VAT"), company("Price excl. VAT"))
    'excl. VAT'
    """
    for name, (sides, _) in said.items():
        for other, (theirs, phrase) in printed.items():
            if _same_word(name, other) and not sides & theirs:
                return phrase
    return ""


def _same_word(one: str, other: str) -> bool:
    """Say whether two words are the same but for an ending: "signature" and "signatures"."""
    short, long = sorted((one, other), key=len)
    return long.startswith(short) and (len(short) == len(long) or (len(short) >= 3 and len(long) - len(short) <= 2))
