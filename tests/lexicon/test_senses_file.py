"""The glossary's lines: whole, distinct, and each found by the words that stand on it."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from pincite.answer.select.words import FUNCTION_WORDS
from pincite.lexicon import LANGUAGES, senses
from pincite.lexicon.glossary import lines, words_of
from pincite.lexicon.stemming import stem, typings

LINES = [(line, tuple(map(words_of, columns))) for line, columns in lines()]
WORDS = [
    (line, language, word)
    for line, columns in LINES
    for language, alternatives in zip(LANGUAGES, columns, strict=True)
    for word in alternatives
]


def found(word: str, language: str) -> set[str]:
    return {sense.line for sense in senses(word, language) if not sense.part}


def taken(language: str) -> frozenset[str]:
    """What means itself when it is typed: words as listed, and function words."""
    return FUNCTION_WORDS[language] | {word.lower() for _, spoken, word in WORDS if spoken == language}


def test_every_line_says_something_in_all_four_languages():
    assert [line for line, columns in LINES if len(columns) != len(LANGUAGES) or not all(map(all, columns))] == []


def test_no_line_stands_twice_and_none_repeats_a_word():
    as_sets = Counter(tuple(map(frozenset, columns)) for _, columns in LINES)
    repeated = [
        line for line, columns in LINES for words in columns if len(words) != len({word.lower() for word in words})
    ]

    assert [words for words, n in as_sets.items() if n > 1] == []
    assert repeated == []


def test_words_are_printed_as_a_text_prints_them():
    odd = [(line, word) for line, _, word in WORDS if not re.fullmatch(r"[^\W_]+(?:[ .’'/-]{1,2}[^\W_]+)*", word)]

    assert odd == []


def test_function_words_stand_on_no_line_and_are_not_found():
    listed = [(line, word) for line, language, word in WORDS if word.lower() in FUNCTION_WORDS[language]]
    asked = [
        (word, language, sense.line)
        for language, words in FUNCTION_WORDS.items()
        for word in sorted(words)
        for sense in senses(word, language)
    ]

    assert listed == []
    assert asked == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_word_finds_its_own_line_in_any_case_and_without_accents(language):
    missed = [
        (line, typed)
        for line, spoken, word in WORDS
        if spoken == language
        for typed in (word, word.upper().replace("ß", "SS"), word.lower())
        if line not in found(typed, language) and "ẞ" not in typed
    ]
    # "du" typed for "dû" is a function word.
    # "Masse" typed for "Maße" is the other word: what stands on a line as typed goes first.
    exact = taken(language)
    unaccented = [
        (line, typed)
        for line, spoken, word in WORDS
        if spoken == language
        for typed in typings(word.lower(), language)
        if typed not in exact and line not in found(typed, language)
    ]

    assert [miss for miss in missed if miss[1].lower() not in exact or "SS" not in miss[1]] == []
    assert unaccented == []


ENDINGS = {
    "en": ("s", "ed", "ing"),
    "nl": ("en", "s", "e"),
    "de": ("en", "n", "e", "er", "es", "s"),
    "fr": ("s", "e", "es"),
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_single_word_finds_its_own_line_by_the_forms_that_the_stemmer_joins(language):
    exact = taken(language)
    asked = [
        (line, word + ending)
        for line, spoken, word in WORDS
        if spoken == language and word.isalpha()
        for ending in ENDINGS[language]
        if stem(word + ending, language) == stem(word, language) and (word + ending).lower() not in exact
    ]

    assert len(asked) > len(LINES) / 2
    assert [(line, form) for line, form in asked if line not in found(form, language)] == []


def test_two_words_find_each_other_by_the_same_line():
    by_line = dict(LINES)
    one_way: list[tuple[str, str, str]] = []
    for line, language, word in WORDS:
        for sense in senses(word, language):
            for other_language, other in zip(LANGUAGES, by_line[sense.line], strict=True):
                one_way += [(line, word, back) for back in other if sense.line not in found(back, other_language)]

    assert one_way == []
