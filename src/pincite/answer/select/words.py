"""Words as they are compared: function words of four languages, forms of a word, the language of a question."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from pincite.lexicon import FUNCTION_WORDS, stem


def word_list(text: str) -> frozenset[str]:
    """The words of a text that white space parts."""
    return frozenset(text.split())


EVERY_FUNCTION_WORD = frozenset[str]().union(*FUNCTION_WORDS.values()) - {"us", "on", "die", "was", "fait", "an"}
"""Dropped from questions and passages of any language. The few left out are content words elsewhere ("the die", "fait")
and are dropped in their own language only."""

WEAK_WORDS = word_list(
    """
        say said tell please set provide give given prescribe apply happen mean kind sort type case thing time
        way rule document datasheet data sheet describe require need allow make get use used according state
        name value number exactly know want like does maximum minimum maximal minimal highest lowest largest
        smallest high low few extra again happen number possible current zeggen zeg noem noemen geef geven
        soort geval document gegevensblad staat schrijft bepaalt bedragen bedraagt waarde maximale maximaal
        minimale minimaal hoogste laagste hoog laag groot grote weinig aantal extra opnieuw hoogstens zitten
        minstens hooguit uiterlijk spätestens least
        nennen nenne geben gib fall dokument datenblatt steht beträgt betragen wert maximal maximale minimal
        mindestens höchstens höchste niedrigste hoch groß wenige anzahl zahl erneut dire dites citer donner
        donnez sorte cas document fiche valeur maximale maximal minimale minimal haut bas nombre
        """
)
"""Content words that rarely stand in the answer: they count a third."""

WORD = re.compile(r"[^\W_]+(?:[.,/\-'’&+][^\W_]+)*")
_LEVEL = re.compile(
    r"levels?|niveaus?|stufe|class(?:es)?|klasse|classe|types?|typ|categor(?:y|ie)|kategorie|catégorie|annexe?|"
    r"bijlage|anhang|"
    r"anlage|appendix|part|deel|teil|group|groep|gruppe|groupe|zone|grade|option|variant",
    re.IGNORECASE,
)
"""Words before a single letter that names something: "level D"."""
_LETTERS_THEN_DIGITS = re.compile(r"([a-z]{1,5})-?(\d[\w./-]*)")


def normalise(text: str) -> str:
    """The text in one Unicode form, one dash for word-joining hyphens, soft hyphens out. May change its length."""
    # A raised digit behind a digit or bracket is a footnote mark or an exponent: folding it would make 1.4¹ into 1.41.
    # Behind a word of three letters, or its full stop, it is a mark too ("m²" and "kg/m³" are not).
    unmarked = re.sub(r"(?<=[\d)%*])[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+\)?", " ", text)
    unmarked = re.sub(r"(?:(?<=[^\W\d_]{3})|(?<=[^\W\d_][.,;:]))[⁰¹²³⁴⁵⁶⁷⁸⁹]+", " ", unmarked)
    folded = unicodedata.normalize("NFKC", unmarked)
    return folded.replace("\u00ad", "").replace("\u2010", "-").replace("\u2011", "-").replace("μ", "µ")


def number_forms(word: str) -> frozenset[str]:
    """Every reading of digits with separators, without grouping and with a decimal point; empty for other words.

    >>> sorted(number_forms("1.450")), sorted(number_forms("0,20"))
    (['1.45', '1450'], ['0.2'])
    """
    if not re.fullmatch(r"\d+(?:[.,]\d+)*", word):
        return frozenset()
    separators = re.findall(r"[.,]", word)
    if not separators:
        return frozenset({word.lstrip("0") or "0"})
    found: set[str] = set()
    head, _, tail = re.sub(r"[.,](?=.*[.,])", "", word).replace(",", ".").partition(".")
    if len(set(separators)) == len(separators):
        found.add(f"{head.lstrip('0') or '0'}.{tail}".rstrip("0").rstrip("."))
    if len(set(separators)) == 1 and re.fullmatch(r"[1-9]\d{0,2}(?:[.,]\d{3})+", word):
        found.add(re.sub(r"[.,]", "", word))
    return frozenset(found or {word})


_VERBS_IN_T = {"nl": ("t", "ien"), "de": ("t",)}
"""Ends of verbs before which their stem stands."""


@lru_cache(maxsize=100_000)
def forms(word: str, language: str) -> frozenset[str]:
    """The strings under which a printed word is found: itself, its stem, its parts, its number readings."""
    lower = word.lower()
    found = {lower, *number_forms(lower)}
    if any(c.isdigit() for c in lower):
        parts = [part for part in re.split(r"[-/.,+&]", lower) if part]
        if len(parts) > 1 and not number_forms(lower):
            found.update(parts)
            found.add("".join(parts))
        if match := _LETTERS_THEN_DIGITS.fullmatch(lower):
            found.update(match.groups())
        return frozenset(found)
    for part in re.split(r"[-/.&+]", lower):
        bare = re.split(r"['’]", part)
        kept = bare[-1] if language == "fr" and len(bare[0]) <= 2 else bare[0]
        if kept:
            found.update((kept, stem(kept, language)))
            if language == "nl":
                found.add(stem(stem(kept, language), language))  # "binnenlandse" and "binnenlands"
            # "betaalt" and "betalen", "herziet" and "herzien", "prüft" and "prüfen": no stemmer joins them.
            if language in _VERBS_IN_T and len(kept) > 4 and kept.endswith(_VERBS_IN_T[language]):
                found.add(stem(kept[:-1], language))
    found.add(re.sub(r"[-./]", "", lower))
    return frozenset(found)


def words_in(text: str) -> Iterator[re.Match[str]]:
    """Words of the text in order, hyphenated and dotted ones whole."""
    return WORD.finditer(text)


def is_function_word(word: str, language: str) -> bool:
    lower = word.lower()
    return lower in EVERY_FUNCTION_WORD or lower in FUNCTION_WORDS.get(language, frozenset())


def is_level(text: str) -> bool:
    """Whether the text ends with a word that a single letter may follow: "a certificate of level"."""
    words = text.split()
    return bool(words) and _LEVEL.fullmatch(words[-1]) is not None


@lru_cache(maxsize=20_000)
def word_set(text: str, language: str) -> frozenset[str]:
    """All forms of the content words of a text; letters and a following number also joined ("CRN 32-3": crn32-3)."""
    found: set[str] = set()
    before = ""
    for match in words_in(normalise(text)):
        word = match.group()
        if before.isupper() and 1 < len(before) <= 5 and word[0].isdigit():
            found.add((before + word).lower())
            found.add(re.sub(r"[-/.]", "", before + word).lower())
        previous, before = before, word if word.isalpha() else ""
        if (
            len(word) > 1
            or word.isdigit()
            or (word.isupper() and ((match.start() and _LEVEL.fullmatch(previous)) or len(text) < 12))
        ):
            if is_function_word(word, language) and not word.isupper():
                continue
            found |= forms(word, language)
    # Thousands set apart by spaces are one number as well: "20 000 000".
    for match in re.finditer(r"(?<![\d.,])\d{1,3}(?:[ \u00a0\u202f'’]\d{3})+(?!\d)", text):
        found.add(re.sub(r"\D", "", match.group()))
    return frozenset(found)


@lru_cache(maxsize=20_000)
def speaks(text: str, language: str, instead_of: str) -> bool:
    """Whether a text is in ``language`` though its document is in another: by at least three function words, and more
    than the other language has."""
    words = [match.group() for match in re.finditer(r"[^\W\d_]+", text.lower())]
    here, there = (
        sum(word in FUNCTION_WORDS.get(code, frozenset()) for word in words) for code in (language, instead_of)
    )
    return here >= 3 and here > there
