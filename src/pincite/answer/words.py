"""Words, their stems and the language they are in; a text as tokens to look quotations up in."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from pincite.lexicon import LANGUAGES, stem

STOP_WORDS = frozenset(
    """
        a an the of to in on at by for from with and or is are was were be been being as that this these those
        it its their his her he she they we you i not no than then there which who whom whose what when where
        how may can could would should shall will must do does did has have had also if into over under per via
        such more most less least about after before during between each any all some other both only same so
        but up out de het een van tot op aan bij voor met en of is zijn was waren wordt worden als dat dit deze
        die er in te om niet geen dan ook door naar over onder per zoals wel uit moet mag kan kunnen zal zullen
        heeft hebben had der die das den dem des ein eine einer eines einem einen und oder ist sind war werden
        wird mit von zu im am vom zum zur auf für bei nach aus als auch nicht kein dass le la les un une du des et
        ou est sont à au aux dans par pour sur avec que qui ne pas se sa son ses ce cette il elle être
        hoe waar wanneer welke waarom wie wo wann welche welcher welches warum comment quand où quel quelle
        quels quelles pourquoi while whereas terwijl tandis otherwise anders sonst andernfalls sinon autrement
        equals bedraagt bedragen beträgt betragen élève
        """.split()  # noqa: SIM905
)
_HINTS = {
    "en": frozenset(
        """
        the of and to is in for what are by with that must may shall
        """.split()  # noqa: SIM905
    ),
    "nl": frozenset(
        """
        het een van de en niet worden wordt voor aan bij dat zijn is bedraagt
        """.split()  # noqa: SIM905
    ),
    "de": frozenset(
        """
        der die das und nicht werden wird für ist dem den mit beträgt
        """.split()  # noqa: SIM905
    ),
    "fr": frozenset(
        """
        le la les des et est une pour dans du sont ne pas que par sur
        """.split()  # noqa: SIM905
    ),
}
WORD = re.compile(r"[^\W_]+(?:[.,/\-'’]?[^\W_]+)*")


def detect_language(text: str) -> str:
    """Return en, nl, de or fr by the function words of ``text``; empty when they do not decide."""
    words = re.findall(r"[^\W\d_]+", text.lower())
    scores = sorted(((sum(word in hints for word in words), name) for name, hints in _HINTS.items()), reverse=True)
    (best, language), (second, _) = scores[0], scores[1]
    return language if best >= 2 and best > second else ""


STEMMED_STOP_WORDS = STOP_WORDS | {stem(word, language) for word in STOP_WORDS for language in LANGUAGES}


def is_function_word(word: str) -> bool:
    """Say whether a word or stem carries no content of its own in one of the four languages."""
    return word in STEMMED_STOP_WORDS


_SEPARABLE = re.compile(
    r"(ab|an|auf|aus|bei|bereit|ein|fest|frei|her|hin|mit|nach|vor|weg|wieder|zurück"
    r"|aan|af|bij|in|mee|na|om|op|terug|toe|uit|voor|vrij)(?:ge|zu|te)(?=\w{4})"
)
"""German and Dutch verb forms carry a "ge", "zu" or "te" inside: abgelehnt, abzulehnen, terugbetaald."""
_PARTICIPLE = re.compile(r"^ge(?=\w{3,}(?:t|d|en)$)")
_ENDING = re.compile(r"(?<=\w{4})(?:ungen|ung|ingen|ing|ations?|ement|ées?|és?|ten|en|t|n|d|e|s)$")
_ROOT_LENGTH = 8
"""Letters in which a verb and its noun agree ("withdrawn", "withdrawal"); "internal" and "international" differ."""
_TURNS_ROUND = re.compile(r"(?:inter|trans|un|on|in|non|nicht|niet|geen|kein|anti|ex|sub|contra|gegen|tegen|contre)")
"""What stands before a word and makes another one of it: international, onbevoegd."""
_LEAST_PART, _LEAST_REST = 4, 3
"""Letters of a part of a compound, and of what it leaves."""
COMPOUND = 0.7
"""Worth of a word that is found as a part of a compound, or in another form, beside the word itself."""


@lru_cache(maxsize=200_000)
def _whole_root(stem_: str) -> str:
    if any(c.isdigit() for c in stem_):
        return stem_
    return _ENDING.sub("", _PARTICIPLE.sub("", _SEPARABLE.sub(r"\1", stem_)))


def root(stem_: str) -> str:
    """Return a stem cut to what a verb and its noun have in common.

    >>> root("abgelehnt") == root("ablehnung"), root("withdrawn") == root("withdraw")
    (True, True)
    """
    return stem_ if any(c.isdigit() for c in stem_) else _whole_root(stem_)[:_ROOT_LENGTH]


@lru_cache(maxsize=65536)
def kin(stem_: str, vocabulary: frozenset[str]) -> tuple[str, ...]:
    """Return the words of a vocabulary that say the same in another form, or are a compound with the word.

    >>> kin("slang", frozenset({"slanglengt", "lang"})), kin("geandert", frozenset({"anderung"}))
    (('slanglengt',), ('anderung',))
    >>> kin("national", frozenset({"international"}))
    ()
    """
    ours = _whole_root(stem_)
    if len(ours) < _LEAST_PART or any(c.isdigit() for c in ours):
        return ()
    short = ours[:_ROOT_LENGTH]
    return tuple(
        sorted(
            word
            for word in vocabulary
            if word != stem_ and (root(word) == short or _is_compound(ours, _whole_root(word)))
        )
    )


def _is_compound(one: str, other: str) -> bool:
    part, whole = (one, other) if len(one) < len(other) else (other, one)
    rest = len(whole) - len(part)
    if len(part) < _LEAST_PART or rest < _LEAST_REST or any(c.isdigit() for c in whole):
        return False
    return whole.startswith(part) or (whole.endswith(part) and not _TURNS_ROUND.fullmatch(whole[:rest]))


@dataclass(frozen=True, slots=True)
class Word:
    stem: str
    start: int
    end: int


def split_words(text: str, language: str) -> tuple[Word, ...]:
    """Return the words of a normalised text; compounds with a hyphen or slash are split unless they hold a digit."""
    out: list[Word] = []
    for match in WORD.finditer(text):
        word, start = match.group(), match.start()
        if ("-" in word or "/" in word) and not any(c.isdigit() for c in word):
            at = start
            for part in re.split(r"[-/]", word):
                if part:
                    out.append(Word(stem(part, language), at, at + len(part)))
                at += len(part) + 1
        else:
            out.append(Word(stem(word.split("'")[0] or word, language), start, match.end()))
    return tuple(out)


def stems(text: str, language: str) -> tuple[str, ...]:
    return tuple(word.stem for word in split_words(text, language))


_TOKEN = re.compile(r"\w+|[^\w\s]")
UNQUOTED = frozenset("\"'*_`«»")
TRAILING = frozenset(".,;:!?…)]")


@dataclass(frozen=True, slots=True)
class Quotable:
    """A text as one string of tokens, to look quotations up in."""

    joined: str
    """Tokens in lower case, each between line feeds; quotation marks and emphasis left out."""
    offsets: tuple[int, ...]
    """Where each token begins in ``joined``."""
    spans: tuple[tuple[int, int], ...]
    """Where each token stands in the normalised text."""


def quotable(text: str) -> Quotable:
    """Return the tokens of a normalised text for `find_quotation`."""
    pieces: list[str] = []
    offsets: list[int] = []
    spans: list[tuple[int, int]] = []
    at = 1
    for match in _TOKEN.finditer(text):
        token = match.group().casefold()
        if token in UNQUOTED:
            continue
        pieces.append(token)
        offsets.append(at)
        spans.append(match.span())
        at += len(token) + 1
    return Quotable("\n" + "\n".join(pieces) + "\n", tuple(offsets), tuple(spans))
