"""Words that exclude each other where one of them is asked for: domestic and cross-border, minimum and maximum. Pure.

A sentence about domestic purchases does not answer a question about cross-border ones, however many words they share;
and "and cross-border?" after "What does a domestic purchase cost?" asks for the other one.
"""

from __future__ import annotations

import re

_SETS: tuple[tuple[str, ...], ...] = (
    (
        r"domestic|national|binnenlands\w*|inländisch\w*|nationale?n?r?s?|intérieure?s?",
        r"cross-border|international|foreign|grensoverschrijdend\w*|buitenlands\w*|grenzüberschreitend\w*|ausländisch\w*"
        r"|transfrontali\w+|étrang\w+|internationa\w+",
    ),
    (r"minim(?:um|al|aal)\w*", r"maxim(?:um|al|aal)\w*"),
    (r"consumer|consument\w*|verbraucher\w*|consommateur\w*", r"commercial\w*|corporate|zakelijk\w*|gewerblich\w*"),
    (r"debit|debet\w*|débit", r"credit|krediet\w*|kredit\w*|crédit"),
    (r"inlet|suction|zuig\w*|saug\w*|aspiration", r"outlet|discharge|pers\w*zijde|druckseit\w*|refoulement"),
    (r"indoors?|binnenshuis", r"outdoors?|buitenshuis"),
)
"""Each set: patterns of whole words, in English, Dutch, German and French, of which a thing is one at most."""

_WORDS = tuple(tuple(re.compile(rf"(?<![\w-])(?:{side})(?![\w-])", re.IGNORECASE) for side in set_) for set_ in _SETS)


def contrasts(question: str, text: str) -> bool:
    """Say whether the text speaks of the other one of something that is asked for, and not of that.

    >>> contrasts("the cross-border fee", "A domestic purchase costs € 0.16.")
    True
    >>> contrasts("the cross-border fee", "Domestic and cross-border purchases cost the same.")
    False
    """
    for sides in _WORDS:
        asked = [side for side in sides if side.search(question)]
        if len(asked) != 1:
            continue
        if not asked[0].search(text) and any(side.search(text) for side in sides if side is not asked[0]):
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
