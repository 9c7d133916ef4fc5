"""The glossary: read once, looked up by words as they are typed."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from importlib.resources import files

from pincite.lexicon.compounds import parts
from pincite.lexicon.function_words import FUNCTION_WORDS
from pincite.lexicon.stemming import LANGUAGES, bases, folded, stem, stems_of, typings

_WORD = re.compile(r"[^\W_]+")
_ELIDED = re.compile(r"^(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu)['’]", re.IGNORECASE)
_POSSESSIVE = re.compile(r"['’]s$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Sense:
    """One line of the glossary: words of four languages that say the same."""

    line: str
    """Where it stands: "payments:12"."""
    words: Mapping[str, tuple[str, ...]] = field(compare=False)
    """Per language as printed, words of several words with spaces."""
    stems: Mapping[str, frozenset[tuple[str, ...]]] = field(compare=False)
    """Per language the stems of each, one tuple for "fee" (one stem) as for "business day" (two)."""
    part: str = ""
    """The piece of a compound that says this, in lower case; empty where the whole word does."""


@dataclass(frozen=True, slots=True)
class Spotted:
    """A word or phrase of a text and what says the same."""

    start: int
    end: int
    senses: tuple[Sense, ...]


@lru_cache(maxsize=50_000)
def senses(word: str, language: str) -> tuple[Sense, ...]:
    """Return the lines on which a word or phrase stands; of a compound that stands on none, those of its parts.

    The word is taken as typed: in any case and any form that the stemmer joins, with or without its accents. A form
    that itself stands on lines means those only ("policy" is not "police", though they have one stem).
    Unknown words, function words and other languages have none.

    >>> [sense.words["nl"] for sense in senses("refrigerators", "en")]
    [('koelkast',)]
    >>> [sense.part for sense in senses("Kündigungsfristen", "de")]
    ['kündigungs', 'fristen']
    """
    if language not in LANGUAGES:
        return ()
    # "d'office" is listed as it stands; "l'échéance" is "échéance" with its article.
    whole, tokens = _tokens(word, language)
    if (found := _found(whole, language) or _found(tokens, language)) or not tokens or " " in word.strip():
        return found
    if len(tokens) == 1:
        if tokens[0] in FUNCTION_WORDS[language]:
            return ()
        others = (_found([other], language) for other in bases(tokens[0], language))
        return next(filter(None, others), ()) or _of_parts(tokens[0], language)
    # A hyphen is a matter of taste: "e-mail" is "email", and "Passwort-Länge" says the two.
    return _found(["".join(tokens)], language) or tuple(
        replace(sense, part=sense.part or token) for token in tokens for sense in senses(token, language)
    )


def senses_in(text: str, language: str) -> tuple[Spotted, ...]:
    """Return what `senses` says of each word of a text, in order; a listed phrase goes before its words."""
    if language not in LANGUAGES:
        return ()
    matches = list(_WORD.finditer(text))
    tokens = [unicodedata.normalize("NFC", match.group()).lower() for match in matches]
    longest = _index(language).longest
    out: list[Spotted] = []
    at = 0
    while at < len(matches):
        most = min(longest.get(folded(stem(tokens[at], language)), 1), len(tokens) - at)
        for n in range(most, 0, -1):
            found = _found(tokens[at : at + n], language) if n > 1 else senses(tokens[at], language)
            if found:
                out.append(Spotted(matches[at].start(), matches[at + n - 1].end(), found))
                break
        else:
            n = 1
        at += n
    return tuple(out)


def _tokens(word: str, language: str) -> tuple[list[str], list[str]]:
    """The words of what was typed, as it stands and without a French elision or a possessive."""
    whole = unicodedata.normalize("NFC", word).strip()
    bare = _ELIDED.sub("", whole) if language == "fr" else _POSSESSIVE.sub("", whole)
    return _WORD.findall(whole.lower()), _WORD.findall(bare.lower())


def _found(tokens: list[str], language: str) -> tuple[Sense, ...]:
    return tuple(_sense(number) for number in _index(language).numbers(tokens))


def _of_parts(word: str, language: str) -> tuple[Sense, ...]:
    index = _index(language)
    if word in FUNCTION_WORDS[language]:
        return ()
    return tuple(
        replace(_sense(number), part=part)
        for part in parts(word, language, lambda piece: bool(index.numbers([piece])))
        for number in index.numbers([part])
    )


@cache
def lines() -> tuple[tuple[str, list[str]], ...]:
    """Return every line of the glossary: where it stands, and its columns in the order of `LANGUAGES`.

    A column is split into words where they are asked for: most processes ask in one language.
    """
    found: list[tuple[str, list[str]]] = []
    folder = files("pincite.lexicon") / "senses"
    for file in sorted(folder.iterdir(), key=lambda file: file.name):
        if file.name.endswith(".tsv"):
            for number, line in enumerate(file.read_text(encoding="utf-8").split("\n"), 1):
                if line and not line.startswith("#"):
                    found.append((f"{file.name.removesuffix('.tsv')}:{number}", line.split("\t")))
    return tuple(found)


def words_of(column: str) -> tuple[str, ...]:
    """The words of one language of a line."""
    return tuple(column.split(", "))


@cache
def _sense(number: int) -> Sense:
    line, columns = lines()[number]
    words = {language: words_of(column) for language, column in zip(LANGUAGES, columns, strict=True)}
    stems = {
        language: frozenset(tuple(stem(token, language) for token in _WORD.findall(word)) for word in alternatives)
        for language, alternatives in words.items()
    }
    return Sense(line, words, stems)


@dataclass(frozen=True, slots=True)
class _Index:
    """Where the words of one language stand."""

    language: str
    exact: dict[str, tuple[int, ...]]
    stemmed: dict[str, tuple[int, ...]]
    """By stems without accents, of the word as printed and as typed without accents."""
    longest: dict[str, int]
    """By the folded stem of its first word, the words of the longest phrase that begins so."""

    def numbers(self, tokens: list[str]) -> tuple[int, ...]:
        """The lines of a word or phrase in lower case: of its letters if they stand on any, else of its stem."""
        if not tokens or (len(tokens) == 1 and tokens[0] in FUNCTION_WORDS[self.language]):
            return ()
        if found := self.exact.get(" ".join(tokens)):
            return found
        keys = {_stemmed(tokens, self.language), _stemmed([folded(token) for token in tokens], self.language)}
        return tuple(sorted({number for key in keys for number in self.stemmed.get(key, ())}))


def _stemmed(tokens: list[str], language: str) -> str:
    return folded(" ".join(stem(token, language) for token in tokens))


@cache
def _index(language: str) -> _Index:
    column = LANGUAGES.index(language)
    stand = [
        (number, written, typings(written, language))
        for number, (_, columns) in enumerate(lines())
        for written in map(_written, words_of(columns[column]))
    ]
    spellings = {spelling for _, written, others in stand for spelling in (written, *others)}
    stems = stems_of({token for spelling in spellings for token in spelling.split()}, language)
    keys = {token: folded(found) for token, found in stems.items()}
    exact: dict[str, tuple[int, ...]] = {}
    stemmed: dict[str, tuple[int, ...]] = {}
    longest: dict[str, int] = {}
    for number, written, others in stand:
        _add(exact, written, number)
        for spelling in (written, *others):
            if spelling in keys:
                _add(stemmed, keys[spelling], number)
            else:
                words = spelling.split()
                _add(stemmed, " ".join([keys[word] for word in words]), number)
                first = keys[words[0]]
                longest[first] = max(longest.get(first, 1), len(words))
    return _Index(language, exact, stemmed, longest)


def _written(word: str) -> str:
    """A word of the file as it is looked up: in lower case, its words with one space between them."""
    lower = word.lower()
    return lower if lower.isalpha() else " ".join(_WORD.findall(lower))


def _add(tier: dict[str, tuple[int, ...]], key: str, number: int) -> None:
    """Note a line under a key, once; lines come in order."""
    at = tier.get(key, ())
    if number not in at:
        tier[key] = (*at, number)
