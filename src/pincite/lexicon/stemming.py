"""The stemmer of four languages, and words without their accents."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Protocol

import Stemmer

LANGUAGES = ("en", "nl", "de", "fr")


class _Stemmer(Protocol):
    """What is used of PyStemmer, which has no types; this module is its one door."""

    def stemWord(self, word: str, /) -> str: ...  # noqa: N802  # the library's name
    def stemWords(self, words: list[str], /) -> list[str]: ...  # noqa: N802


_stemmers: dict[str, _Stemmer] = {code: Stemmer.Stemmer(code) for code in LANGUAGES}  # pyright: ignore

_PLAIN = str.maketrans(
    {"ß": "ss", "œ": "oe", "æ": "ae"}
    | dict(zip("àáâãäåçèéêëìíîïñòóôõöùúûüýÿ", "aaaaaaceeeeiiiinooooouuuuyy", strict=True))
)
_SPELT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})


@lru_cache(maxsize=200_000)
def stem(word: str, language: str) -> str:
    """The word in lower case without its ending; English rules where the language has none here."""
    return _stemmers.get(language, _stemmers["en"]).stemWord(word.lower())


def stems_of(words: Iterable[str], language: str) -> dict[str, str]:
    """The stem of each of many lower-case words: ten times as fast as one by one."""
    listed = list(words)
    return dict(zip(listed, _stemmers[language].stemWords(listed), strict=True))


def folded(text: str) -> str:
    """A lower-case text without accents: what is typed on a keyboard that has none.

    >>> folded("kündigung"), folded("décembre"), folded("maß")
    ('kundigung', 'decembre', 'mass')
    """
    return text if text.isascii() else text.translate(_PLAIN)


def typings(text: str, language: str) -> tuple[str, ...]:
    """Other ways in which a lower-case text is typed: without accents, in German also with "ue" for "ü".

    >>> typings("kündigung", "de"), typings("clé", "fr"), typings("frist", "de")
    (('kundigung', 'kuendigung'), ('cle',), ())
    """
    if text.isascii():
        return ()
    plain = folded(text)
    spelt = folded(text.translate(_SPELT)) if language == "de" else plain
    return (plain,) if spelt == plain else (plain, spelt)


def bases(word: str, language: str) -> tuple[str, ...]:
    """Forms in which a lower-case Dutch or German word may be listed that its stem does not tell: without the ending of
    an adjective, as the infinitive of a verb.

    >>> bases("binnenlandse", "nl"), bases("beantwoord", "nl"), bases("prüft", "de")
    (('binnenlands',), ('beantwoorden',), ('prüften', 'prüfen'))
    """
    if language not in ("nl", "de") or len(word) < 5:
        return ()
    found = (word[:-1],) if word.endswith("e") else ()
    if word[-1] in "dt":
        found += (f"{word}en",)
    return (*found, f"{word[:-1]}en") if word.endswith("t") else found
