"""A follow-up and the question before it → a question that stands alone, by rules. Pure; four languages.

"NPSH of the CRN 32-3 at 1450 rpm?", then "and at 2900?" → "NPSH of the CRN 32-3 at 2900 rpm?". When the rules see no
follow-up the question is returned as it is: carrying too much over finds the wrong page.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from pincite.answer.contrast import swapped

_THANKS = re.compile(
    r"^\s*(?:(?:ok(?:ay|é)?|thanks?(?: you)?(?: very much| a lot)?|thx|great|right|bedankt|dank ?(?:je|u)(?: wel)?"
    r"|dankjewel|prima|danke(?: schön)?|gut|super|merci(?: beaucoup)?|d'accord|bien)\b[\s,.!;:–-]*)+",
    re.IGNORECASE,
)
_OPENING = re.compile(
    r"^\s*(?:(?:and|but|or|so|en|maar|of|und|aber|oder|et|mais|ou)\s+)?"
    r"(?:(?:(?:the )?same(?: thing| question)?(?: again)?|what about|how about|what if it is|idem|hetzelfde"
    r"|dezelfde vraag|hoe zit het met|wat (?:met|over|is het met)|dasselbe|das gleiche"
    r"|wie (?:ist|sieht) es (?:aus )?mit|was ist mit|la même (?:chose|question)"
    r"|qu'en est-il (?:de|du|des|pour))\b[\s,:]*)?",
    re.IGNORECASE,
)
_OF = frozenset(("of", "for", "van", "voor", "von", "für", "vom", "de", "du", "des", "d'", "pour"))
_AT = frozenset(
    re.findall(
        r"\S+",
        """at with in on under from to per within after bij op met binnen na bei mit auf zu nach à avec en dans sous""",
    )
)
_VERB_LAST = frozenset(
    ("met", "bij", "op", "binnen", "na", "naar", "voor", "van", "mit", "bei", "auf", "zu", "nach", "für", "von", "in")
)
_ARTICLES = frozenset(re.findall(r"\S+", "the a an het der die das den dem ein eine le la les l' un une"))
_ASKS = frozenset(
    re.findall(
        r"\S+",
        """what which who when where why how does do is are can may must wat welke wie wanneer waar waarom hoe mag moet
        kan was welche welcher wer wann wo warum darf muss kann quel quelle quels quelles qui quand où pourquoi
        comment""",
    )
)
_PRONOUN = re.compile(
    r"\b(?:its|they|their|them|this one|that one|these|those|ervan|erbij|hiervan|daarvan|diens|deze|seine|ihre|dessen"
    r"|davon|dafür|celui-ci|celle-ci|elle|elles|leur|(?<!is )(?<!was )it)\b",
    re.IGNORECASE,
)
"""Words that point back. "Is it allowed", "es gibt" and "il faut" point at nothing."""
_IDENTIFIER = re.compile(r"\b(?:[A-Z][A-Z0-9]{1,}(?:[ -]\d[\w./-]*)|[A-Za-z]+-?\d[\w./-]*|\d+-\d[\w-]*)", re.UNICODE)
_NUMBER = re.compile(r"^[+−-]?\d[\d.,]*$")


def stand_alone(question: str, before: str) -> str:
    """The question with what it leaves to be understood from ``before``, the standalone question of the last turn.

    >>> stand_alone("same for the 45", "NPSH of the CRN 32-3 at 2900 rpm?")
    'NPSH of the CRN 45 at 2900 rpm?'
    >>> stand_alone("thanks, what about seals?", "NPSH of the CRN 45 at 2900 rpm?")
    'seals of the CRN 45?'
    >>> stand_alone("What is a bank?", "NPSH of the CRN 45 at 2900 rpm?")
    'What is a bank?'
    """
    asked = " ".join(question.split())
    if not before.strip():
        return asked
    rest = _THANKS.sub("", asked)
    opening = _OPENING.match(rest)
    opened = bool(opening and opening.group(0).strip())
    rest_bare = rest[opening.end() :].strip() if opening and opened else rest
    words = rest_bare.rstrip("?.! ").split()
    if not words:
        return asked
    subject = _subject(before)
    if not opened:
        named = _IDENTIFIER.search(subject)
        if named is None or not _PRONOUN.search(rest) or _IDENTIFIER.search(rest) or len(words) > 25:
            return rest
        return f"{rest.rstrip('?.! ')} ({named.group(0)})?"
    if _is_sentence(words):
        # "and what does it cost?" is a whole question but for its subject.
        if not subject or _IDENTIFIER.search(rest_bare):
            return rest_bare
        return f"{rest_bare.rstrip('?.! ')} {subject}?"
    other = swapped(before, words[0]) if len(words) == 1 else ""
    replaced = other or _replace(before, words)
    if replaced:
        return replaced
    if _IDENTIFIER.search(rest_bare) and (old := _IDENTIFIER.search(before)):
        new = _IDENTIFIER.search(rest_bare)
        assert new is not None
        return before[: old.start()] + new.group(0) + before[old.end() :]
    if subject and not _IDENTIFIER.search(rest_bare):
        return f"{rest_bare.rstrip('?.! ')} {subject}?"
    return f"{before.rstrip('?.! ')}, {rest_bare.rstrip('?.! ')}?"


def _is_sentence(words: list[str]) -> bool:
    return words[0].casefold() in _ASKS


def _subject(before: str) -> str:
    """The phrase that names what the question is about: its identifier with the words that tie it, or nothing."""
    found = _IDENTIFIER.search(before)
    if not found:
        return ""
    head = before[: found.start()].split()
    tie: list[str] = []
    while head and head[-1].casefold() in _OF | _ARTICLES and len(tie) < 2:
        tie.insert(0, head.pop())
    return " ".join([*tie, found.group(0).rstrip("?.!,")])


def _replace(before: str, words: list[str]) -> str:
    """``before`` with the phrase that the new words stand in for replaced, or nothing when none is found."""
    first = words[0].casefold()
    kind = _OF if first in _OF else _AT if first in _AT else None
    body = words[1:] if kind else list(words)
    while body and body[0].casefold() in _ARTICLES:
        body = body[1:]
    if not body:
        return ""
    old = before.rstrip("?.! ").split()
    end_mark = "?" if before.rstrip().endswith("?") else ""
    bare_number = len(body) == 1 and bool(_NUMBER.match(body[0]))
    identifier = _IDENTIFIER.search(before)
    if bare_number and kind is not _AT and identifier:
        # "the 45" after "CRN 32-3": the series stays, its number changes.
        series = re.match(r"[A-Za-z]+[ -]?(?=\d)", identifier.group(0))
        new = (series.group(0) if series else "") + body[0]
        return before[: identifier.start()] + new + before[identifier.end() :]
    if kind is None:
        return ""
    places = [i for i, word in enumerate(old) if word.casefold() in kind]
    exact = [i for i in places if old[i].casefold() == first]
    if not (exact or places):
        return ""
    at = (exact or places)[-1]
    stop = next((i for i in range(at + 1, len(old)) if old[i].casefold() in _OF | _AT and i > at + 1), len(old))
    phrase = old[at + 1 : stop]
    if bare_number:
        numbers = [i for i, word in enumerate(phrase) if _NUMBER.match(word)]
        if not numbers:
            return ""
        # The unit that was said before still holds.
        phrase[numbers[0]] = body[0]
    else:
        keeps_article = phrase[0].casefold() in _ARTICLES and words[1].casefold() not in _ARTICLES
        # "Mag ik met mijn koelkast betalen?": the verb at the end belongs to the question, not to the phrase.
        keeps_verb = stop == len(old) and len(phrase) > 1 and old[at].casefold() in _VERB_LAST
        verb = phrase[-1:] if keeps_verb and re.fullmatch(r"[a-zà-ÿ]+en", phrase[-1]) else []
        phrase = (phrase[:1] if keeps_article else []) + words[1:] + verb
    return " ".join([*old[: at + 1], *phrase, *old[stop:]]) + end_mark


def complete(question: str, titles: Iterable[str]) -> str:
    """The question with an identifier that stands in no title made whole, when one in the titles alone begins with it.

    For follow-ups: whoever says "the 45" after "CRN 32-3" means the one pump of that series, if there is one.

    >>> complete("NPSH of the CRN 45 at 2900 rpm?", ["CRN 45-2 data sheet", "CRN 32-3 data sheet"])
    'NPSH of the CRN 45-2 at 2900 rpm?'
    """
    named = _IDENTIFIER.search(question)
    known = {found.group(0) for title in titles for found in _IDENTIFIER.finditer(title)}
    if named is None or named.group(0) in known:
        return question
    longer = sorted(one for one in known if re.match(rf"{re.escape(named.group(0))}[-/.]", one))
    return question[: named.start()] + longer[0] + question[named.end() :] if len(longer) == 1 else question


def clean_question(question: str) -> str:
    """The question without characters that nobody sees: zero-width, direction marks, tags, controls."""
    text = unicodedata.normalize("NFC", question.encode("utf-8", "replace").decode("utf-8"))
    unseen = ("Cc", "Cf", "Cs", "Co", "Cn")
    return "".join(c for c in text if c in "\n\t" or unicodedata.category(c) not in unseen).strip()
