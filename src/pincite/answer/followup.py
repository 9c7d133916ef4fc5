"""A follow-up and the question before it → a question that stands alone, by rules. Pure; four languages.

"NPSH of the CRN 32-3 at 1450 rpm?", then "and at 2900?" → "NPSH of the CRN 32-3 at 2900 rpm?". A follow-up is one of
three things: a phrase that takes the place of a phrase of the question before it; a question that points back ("who
pays it?"), which gets the subject in brackets; or a question of its own, which is left as it is. Carrying too much over
finds the wrong page.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from pincite.answer.contrast import swapped
from pincite.lexicon import detect_language


class _Grammar(NamedTuple):
    """The small words of one language."""

    of: frozenset[str]
    """What ties a property to its thing."""
    at: frozenset[str]
    """What ties a condition, a means, a place or a time."""
    articles: frozenset[str]
    verbs: frozenset[str]
    """At which a phrase ends."""
    verb_last: bool
    """Whether infinitives and participles stand at the end of the question."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_GRAMMARS = {
    "en": _Grammar(
        _words("of for"),
        _words("at with in on under from to per within after by during"),
        _words("the a an my your our his her their its this that these those"),
        _words(
            "is are was were be been being do does did may can must should shall will would has have had cost costs"
        ),
        False,
    ),
    "nl": _Grammar(
        _words("van voor"),
        _words("bij op met binnen na in tegen tijdens onder per naar"),
        _words("de het een mijn uw onze zijn haar hun dit dat deze die"),
        _words("is was wordt mag mogen kan kunnen moet moeten heeft hebben kost kosten geldt zegt"),
        True,
    ),
    "de": _Grammar(
        _words("von für vom"),
        _words("bei mit auf zu nach in innerhalb an unter während pro"),
        _words(
            "der die das den dem des ein eine einen einem einer eines mein meine meinem meinen meiner sein seine ihr"
        ),
        _words("ist sind war wird darf dürfen kann können muss müssen hat haben kostet kosten gilt sagt"),
        True,
    ),
    "fr": _Grammar(
        _words("de du des d' pour"),
        _words("à au avec en dans sous chez pendant après par"),
        _words("le la les l' un une mon ma mes son sa ses leur notre votre"),
        _words("est sont était peut peuvent doit doivent a ont coûte coûtent faut dit"),
        False,
    ),
}

_THANKS = re.compile(
    r"^\s*(?:(?:ok(?:ay|é)?|thanks?(?: you)?(?: very much| a lot)?|thx|great|right|bedankt|dank ?(?:je|u)(?: wel)?"
    r"|dankjewel|prima|danke(?: schön)?|gut|super|merci(?: beaucoup)?|d'accord|bien)\b[\s,.!;:–-]*)+",
    re.IGNORECASE,
)
_OPENING = re.compile(
    r"^\s*(?:(?:and|but|or|so|en|maar|of|und|aber|oder|et|mais|ou)\s+)?"
    r"(?:(?:(?:the )?same(?: thing| question)?(?: again)?|what about|how about|what if it is|idem|hetzelfde"
    r"|dezelfde vraag|hoe zit het (?:dan )?met|wat (?:met|over|is het met)|dasselbe|das gleiche"
    r"|wie (?:ist|sieht) es (?:aus )?mit|was ist mit|la même (?:chose|question)"
    r"|qu'en est-il (?:de|du|des|pour))\b[\s,:]*)?",
    re.IGNORECASE,
)
_ASKS = _words(
    """what which who whom whose when where why how do does is are can may must wat welke welk wie wanneer waar waarom
    hoe hoeveel mag moet kan is heeft geldt wordt zijn was welche welcher welches welchem wer wann wo warum wieviel darf
    muss kann ist gilt hat quel quelle quels quelles qui quand où pourquoi comment combien est-ce peut-on faut-il"""
)
_POINTS = re.compile(
    r"\b(?:its|they|their|them|this one|that one|hij|hiervan|daarvan|ervan|erbij|ervoor|daarvoor|daarna|daarbij|diens"
    r"|davon|dafür|danach|dabei|damit|dessen|deren|ihn|celui-ci|celle-ci|ceux-ci|cela|ça|leur)\b"
    # Words that point back only where no noun follows them: "that purchase" and "het gewicht" name what they mean.
    r"|\b(?:it|this|that|these|those|het|dat|dit|deze|die|es|das|er|elle|elles|il|ils)\b(?=\s*(?:[?.!,]|$|also\b|too\b"
    r"|apply|applies|true\b|different\b|cost|mean|work|have\b|has\b|need|take|weigh|come|allowed\b|still\b|not\b|be\b|as"
    r" well|for\b|in\b|at\b|on\b|with\b|when\b|if\b|due\b|paid\b|made\b|measured\b|ook\b|voor\b|bij\b|op\b|met\b|dan\b"
    r"|altijd\b|niet\b|wel\b|gemeld|betaald|auch\b|bei\b|für\b|mit\b|immer\b|nicht\b|aussi\b|pour\b|avec\b|ge\w+[dt] "
    r"(?:worden|wordt)))"
    r"|\b(?:a-t-|est-)(?:il|elle)\b",
    re.IGNORECASE,
)
_POINTS_NOWHERE = re.compile(
    r"\b(?:(?:is|was|does|will|would|can|may) it (?:allowed|permitted|possible|necessary|required|mandatory|forbidden"
    r"|prohibited|legal|ok|okay|enough|true)|(?:is|wordt) het (?:toegestaan|verboden|mogelijk|verplicht|nodig|waar)"
    r"|ist es (?:erlaubt|verboten|möglich|nötig|pflicht)|gibt es|est-il (?:permis|possible|interdit|obligatoire)"
    r"|y a-t-il|il (?:faut|y a)|faut-il)\b",
    re.IGNORECASE,
)
_AUXILIARY = re.compile(
    r"^(?:\S+\s+){0,6}?(?:is|are|was|were|do|does|did|may|can|must|should|shall|will|has|have|mag|mogen|kan|kunnen|moet"
    r"|moeten|zijn|wordt|heeft|hebben|darf|dürfen|kann|können|muss|müssen|ist|sind|wird|hat|haben|est|sont|peut"
    r"|doit)\s+",
    re.IGNORECASE,
)
_PROPERTY = re.compile(
    r"^\W*(?:what(?:'s| is| are)|which is|how (?:high|long|large|heavy) (?:is|are)|wat (?:is|zijn)"
    r"|hoe (?:hoog|lang|groot|zwaar) (?:is|zijn)"
    r"|was (?:ist|sind)|wie (?:hoch|lang|groß|schwer) (?:ist|sind)|quel(?:le)?s? (?:est|sont))\s"
    r"(?:the|de|het|der|die|das|le|la|les|l['’])",
    re.IGNORECASE,
)
"""A property with its definite article, of a thing that may not be said."""
_IS_NAMED = re.compile(r"[A-Z]|[A-Z]*\d\S*")
_EACH = re.compile(r"\b(?:per|pro|par|je)\s[^\W\d_]+", re.IGNORECASE)
"""A rate says no thing: "the limit per day"."""
_PLAIN_ARTICLES = _words("the a an de het een der die das den dem ein eine einen einem einer le la les l' un une")
_SPEAKER = _words("i we you one ik wij we je u men ich wir man je on nous")
_IDENTIFIER = re.compile(r"\b(?:[A-Z][A-Z0-9]{1,}(?:[ -]\d[\w./-]*)|[A-Za-z]+-?\d[\w./-]*|\d+-\d[\w-]*)", re.UNICODE)
_NUMBER = re.compile(r"^[+−-]?\d[\d.,]*$")
_VERB_AT_END = re.compile(r"(?:[a-zà-ÿ]{2,}en|ge[a-zà-ÿ]+[dt]|[a-zà-ÿ]+(?:iert|diend|daan))$")
_ONE_OF_A_PAIR = ("domestic", "foreign", "minimum", "maximum", "consumer", "corporate", "debit", "credit", "daily")
LONGEST_PHRASE = 8
"""Words. A longer follow-up says what it means itself."""
LONGEST_TOPIC = 12
LEAST_KINDRED = 5
"""Letters of the last part that makes compounds kindred: "Firmenkarte", "Verbraucherkarte"."""
LONGEST_NOUN = 3
"""Words of a noun phrase with its article."""


def made_whole(questions: Sequence[str], titles: Sequence[str]) -> str:
    """The last of the questions of a conversation, oldest first, as it stands alone; ``titles``: of the documents.

    >>> made_whole(["NPSH of the CRN 32-3 at 1450 rpm?", "and at 2900?", "thanks!", "same for the 45"], ["CRN 45-2"])
    'NPSH of the CRN 45-2 at 2900 rpm?'
    """
    standalone = ""
    for question in questions[:-1]:
        # Thanks in between change nothing of what is spoken about.
        if _THANKS.sub("", question).strip():
            standalone = _completed(question, standalone, titles)
    return _completed(questions[-1], standalone, titles)


def _completed(question: str, before: str, titles: Sequence[str]) -> str:
    standalone = stand_alone(question, before)
    return complete(standalone, titles) if before and standalone != " ".join(question.split()) else standalone


def stand_alone(question: str, before: str) -> str:
    """The question with what it leaves to be understood from ``before``, the standalone question of the last turn.

    >>> stand_alone("same for the 45", "NPSH of the CRN 32-3 at 2900 rpm?")
    'NPSH of the CRN 45 at 2900 rpm?'
    >>> stand_alone("thanks, what about seals?", "NPSH of the CRN 45 at 2900 rpm?")
    'seals of the CRN 45?'
    >>> stand_alone("who pays it?", "What is the fee for a refund?")
    'who pays it (fee for a refund)?'
    >>> stand_alone("What is a bank?", "NPSH of the CRN 45 at 2900 rpm?")
    'What is a bank?'
    """
    asked = " ".join(question.split())
    if not before.strip():
        return asked
    grammar = _GRAMMARS[detect_language(f"{before} {asked}")]
    rest = _THANKS.sub("", asked)
    opening = _OPENING.match(rest)
    said = opening.group(0).strip() if opening else ""
    bare = rest[len(opening.group(0)) :].strip() if opening and said else rest
    words = bare.rstrip("?.! ").split()
    if not words:
        return asked
    own = bool(_IDENTIFIER.search(bare))
    if not said and words[0].casefold() in grammar.of | grammar.at and len(words) <= LONGEST_PHRASE:
        said = "" if words[1:] and words[1].casefold() in _ASKS else words[0]
    if not said or words[0].casefold() in _ASKS:
        back = _points_back(bare)
        if len(words) > 2 * LONGEST_PHRASE or (own and not back):
            return bare if said else rest
        if back or _is_bare(words, grammar):
            return f"{bare.rstrip('?.! ')} ({_topic(before, grammar)})?"
        subject = _subject(before, grammar)
        if said and subject and len(words) <= LONGEST_PHRASE:
            return f"{bare.rstrip('?.! ')} {subject}?"
        if thing := _of_what(bare, before, grammar):
            return f"{bare.rstrip('?.! ')} {thing}?"
        return bare if said else rest
    if len(words) > 2 * LONGEST_PHRASE:
        return bare
    return _with_phrases(before, words, grammar)


def _of_what(question: str, before: str, grammar: _Grammar) -> str:
    """The phrase of ``before`` that a question for a property leaves out: "what is the daily limit?" after "can I pay
    with a ring?" is "with a ring". Nothing where the question says of what itself."""
    words = _EACH.sub("", question).rstrip("?.! ").split()
    last = words[:-1] if grammar.verb_last else words
    asks_property = _PROPERTY.match(question) is not None and len(words) <= LONGEST_PHRASE
    if not asks_property or any(word.casefold() in grammar.of | grammar.at for word in last[2:]):
        return ""
    if subject := _subject(before, grammar):
        return subject
    old = before.rstrip("?.! )").split()
    places = [i for i, word in enumerate(old) if word.casefold() in grammar.of | grammar.at and i + 1 < len(old)]
    if not places:
        return ""
    at = places[-1]
    stop = next((i for i in range(at + 2, len(old)) if old[i].casefold() in grammar.verbs), len(old))
    stop = _before_verbs(old, at + 1) if grammar.verb_last and stop == len(old) else stop
    return " ".join(old[at:stop]) if stop - at <= LONGEST_NOUN + 1 else ""


def _points_back(text: str) -> bool:
    pointer = _POINTS.search(_POINTS_NOWHERE.sub(lambda nothing: " " * len(nothing.group(0)), text))
    named = _IDENTIFIER.search(text)
    # "Has the CRN 45-2 a seal, and is it HQQE?" points at its own words.
    return bool(pointer) and not (named and pointer and named.start() < pointer.start())


def _is_bare(words: list[str], grammar: _Grammar) -> bool:
    """ "Why not?", "which materials?", "since when?": an asking word with no verb of its own."""
    if len(words) > 3 or not any(word.casefold() in _ASKS for word in words[:2]):
        return False
    return not any(word.casefold() in grammar.verbs for word in words)


def _topic(before: str, grammar: _Grammar) -> str:
    """What the question before was about: its identifier, else what is left of it without asking words and verbs."""
    if brackets := re.search(r"\(([^()]+)\)\?$", before):
        return brackets.group(1)
    if found := _IDENTIFIER.search(before):
        return found.group(0).rstrip("?.!,")
    rest = _AUXILIARY.sub("", before.rstrip("?.! ")).split()
    while len(rest) > 1 and rest[0].casefold() in _ASKS | grammar.articles | grammar.verbs | _SPEAKER:
        rest = rest[1:]
    return " ".join(rest[:LONGEST_TOPIC])


def _subject(before: str, grammar: _Grammar) -> str:
    """The phrase that names the thing of ``before``: its identifier with the words that tie it, or nothing."""
    found = _IDENTIFIER.search(before)
    if not found:
        return ""
    head = before[: found.start()].split()
    tie: list[str] = []
    while head and head[-1].casefold() in grammar.of | grammar.articles and len(tie) < 2:
        tie.insert(0, head.pop())
    if not tie or tie[0].casefold() not in grammar.of:
        tie.insert(0, {"of": "of", "van": "van", "von": "von", "de": "de"}[min(grammar.of & _words("of van von de"))])
    return " ".join([*tie, found.group(0).rstrip("?.!,")])


def _with_phrases(before: str, words: list[str], grammar: _Grammar) -> str:
    """``before`` with each phrase of the follow-up in the place of the phrase that it stands in for."""
    small = grammar.of | grammar.at
    starts = [
        0,
        *(i for i in range(1, len(words)) if words[i].casefold() in small and words[i - 1].casefold() not in small),
    ]
    if words[0].casefold() not in small:
        # "the power at 50 Hz": a thing with what belongs to it.
        head, tail = words[: (starts[1:] or [len(words)])[0]], starts[1:]
        result = _with_thing(before, head, grammar)
    else:
        result, tail = before, starts
    for start, stop in pairwise([*tail, len(words)]):
        result = _with_phrase(result, words[start], words[start + 1 : stop], grammar)
    return result


def _with_thing(before: str, words: list[str], grammar: _Grammar) -> str:
    """``before`` about another thing: one of a pair, another code, another number of a kind, or another noun."""
    text = " ".join(words)
    if len(words) == 1 and (other := swapped(before, words[0])):
        return other
    new, old = _IDENTIFIER.search(text), _IDENTIFIER.search(before)
    if new and old:
        return before[: old.start()] + new.group(0) + before[old.end() :]
    bare = words[1:] if words[0].casefold() in grammar.articles else words
    if old and len(bare) == 1 and _NUMBER.match(bare[0]):
        return _of_the_series(before, old, bare[0])
    if len(bare) >= 2 and any(c.isdigit() for c in bare[-1]):
        kind = re.search(rf"\b{re.escape(bare[-2])}\s+[\dA-Z][\w.()-]*", before, re.IGNORECASE)
        if kind:  # "article 34" after "article 33"
            return before[: kind.start()] + " ".join(bare[-2:]) + before[kind.end() :]
    if old and not new:
        # A thing with a name has properties: "the head" after "the flow of the CRN 32-3".
        return f"{' '.join(bare) or text} {_subject(before, grammar)}?"
    one_of_a_pair = len(words) == 1 and any(swapped(other, words[0]) for other in _ONE_OF_A_PAIR)
    tokens = before.rstrip("?.! )").split()
    span = None if one_of_a_pair else _last_noun(tokens, grammar)
    if span is None:
        return f"{before.rstrip('?.! ')}, {text}?"
    closing = ")?" if before.rstrip().endswith(")?") else "?"
    return " ".join([*tokens[: span[0]], *words, *tokens[span[1] :]]) + closing


def _last_noun(tokens: list[str], grammar: _Grammar) -> tuple[int, int] | None:
    """Half-open span of the last noun phrase: from its article or from behind a preposition to the next small word."""
    small = grammar.of | grammar.at
    starts = [
        i
        for i, token in enumerate(tokens)
        if i and (token.casefold() in grammar.articles or tokens[i - 1].strip("(").casefold() in small)
    ]
    # An article behind a preposition is one start, not two.
    starts = [i for i in starts if i - 1 not in starts]
    if not starts:
        return None

    def end(start: int) -> int:
        return next(
            (i for i in range(start + 1, len(tokens)) if tokens[i].casefold() in small | grammar.verbs), len(tokens)
        )

    # What is named stays: "the renewal" after "the first certification at level B" is still at level B.
    plain = [i for i in starts if not _IS_NAMED.fullmatch(tokens[end(i) - 1])]
    start = (plain or starts)[-1]
    stop = end(start)
    if grammar.verb_last and stop == len(tokens):
        # "Mag ik met mijn koelkast betalen?": the verb at the end belongs to the question, not to the phrase.
        stop = _before_verbs(tokens, start)
    # A longer one holds a verb that is not known here: "a verifier keep biometrics".
    return (start, stop) if stop - start <= LONGEST_NOUN else None


def _before_verbs(tokens: list[str], start: int) -> int:
    stop = len(tokens)
    while stop - start > 1 and _VERB_AT_END.search(tokens[stop - 1]):
        stop -= 1
    return stop


def _of_the_series(before: str, old: re.Match[str], number: str) -> str:
    """ "The 45" after "CRN 32-3": the series stays, its number changes."""
    series = re.match(r"[A-Za-z]+[ -]?(?=\d)", old.group(0))
    return before[: old.start()] + (series.group(0) if series else "") + number + before[old.end() :]


def _with_phrase(before: str, first: str, words: list[str], grammar: _Grammar) -> str:
    """``before`` with the phrase of the same kind of preposition replaced; at its end when it has none."""
    body = words[1:] if len(words) > 1 and words[0].casefold() in grammar.articles else words
    if not body:
        return before
    if kindred := _with_kindred(before, words, body, grammar):
        return kindred
    identifier = _IDENTIFIER.search(before)
    is_of = first.casefold() in grammar.of
    number = len(body) == 1 and bool(_NUMBER.match(body[0]))
    if is_of and identifier:
        new = _IDENTIFIER.search(" ".join(body))
        if new:
            return before[: identifier.start()] + new.group(0) + before[identifier.end() :]
        if number:
            return _of_the_series(before, identifier, body[0])
    old = before.rstrip("?.! ").split()
    kind = grammar.of if is_of else grammar.at
    places = [i for i, word in enumerate(old) if word.casefold() in kind and i + 1 < len(old)]
    exact = [i for i in places if old[i].casefold() == first.casefold()]
    measure = any(_NUMBER.match(word) for word in body)
    # "at 50 Hz" takes the place of another measure only: "within 30 days" is no place for "in the summer".
    fitting = [i for i in exact or places if measure == any(_NUMBER.match(word) for word in old[i + 1 : i + 3])]
    if not (fitting or exact):
        return f"{' '.join(old)} {' '.join([first, *words])}?"
    at = (fitting or exact)[-1]
    small = grammar.of | grammar.at
    stop = next((i for i in range(at + 2, len(old)) if old[i].casefold() in small | grammar.verbs), len(old))
    phrase = old[at + 1 : stop]
    if number and (numbers := [i for i, word in enumerate(phrase) if _NUMBER.match(word)]):
        phrase[numbers[0]] = body[0]  # the unit that was said before still holds
    else:
        keeps_article = phrase[0].casefold() in _PLAIN_ARTICLES and words[0].casefold() not in grammar.articles
        stop_verbs = _before_verbs(old, at + 1) if grammar.verb_last and stop == len(old) else stop
        phrase = (phrase[:1] if keeps_article else []) + words + old[stop_verbs:stop]
    return " ".join([*old[:at], first if exact else old[at], *phrase, *old[stop:]]) + "?"


def _with_kindred(before: str, words: list[str], body: list[str], grammar: _Grammar) -> str:
    """``before`` with the phrase about the same sort of thing replaced: "for a commercial card" after "a cross-border
    purchase with a consumer card"; nothing when there is none, or when it is the same phrase."""
    old = before.rstrip("?.! ").split()
    small = grammar.of | grammar.at
    places = [i for i, word in enumerate(old) if word.casefold() in small and i + 1 < len(old)]
    for at in reversed(places):
        stop = next((i for i in range(at + 2, len(old)) if old[i].casefold() in small | grammar.verbs), len(old))
        stop = _before_verbs(old, at + 1) if grammar.verb_last and stop == len(old) else stop
        if _is_kindred(old[stop - 1], body[-1]) and old[at + 1 : stop] != words:
            keeps = old[at + 1].casefold() in _PLAIN_ARTICLES and words[0].casefold() not in grammar.articles
            return " ".join([*old[: at + 1], *(old[at + 1 : at + 2] if keeps else []), *words, *old[stop:]]) + "?"
    return ""


def _is_kindred(one: str, other: str) -> bool:
    """Whether two words name the same sort of thing: one word, or compounds with the same last part."""
    one, other = one.casefold(), other.casefold()
    if not (one.isalpha() and other.isalpha()):
        return False
    pairs = enumerate(zip(one[::-1], other[::-1], strict=False))
    shared = next((k for k, (a, b) in pairs if a != b), min(len(one), len(other)))
    return one == other or (shared >= LEAST_KINDRED and min(len(one), len(other)) > shared)


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
