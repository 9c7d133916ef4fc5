"""Dutch and German compounds as the words that they are made of."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

LINKS = {"de": ("", "s", "es", "n", "en", "er", "e"), "nl": ("", "s", "en", "n", "e", "er")}
"""What stands between the parts: Kündigung-s-frist, goed-eren-recht is none."""

SHORTEST = 4
"""Letters of a part at least: shorter ones are found in any word ("rat", "tag", "ei")."""

_LONE = 5
"""Letters at least of the only part that is known."""

_NO_FRONTS = frozenset(
    """
    über unter wider wieder gegen hinter durch zurück zusammen entgegen ausser außer inner ueber selbst
    over onder door tegen weder achter voor voort samen terug mede vooruit neder buiten binnen
    """.split()  # noqa: SIM905
)
_NO_ENDS = frozenset(
    """
    schaft schaften heit heiten keit keiten lich liche lichen licher liches lichkeit isch ische ischen haft
    igkeit losigkeit barkeit bare baren ungen bar los lose losen mäßig weise
    schap schappen heid heden baar bare baarheid loos loze lijk lijke lijkheid achtig achtige ingen isch ische
    """.split()  # noqa: SIM905
)
"""Beginnings and endings that make one word of another, not two of one."""


def parts(word: str, language: str, known: Callable[[str], bool]) -> tuple[str, ...]:
    """The known words of which a lower-case word is made, in order; empty when it is not seen to be a compound.

    Either all of it is known words with links between them, the fewest of them; or it ends in a known one, or begins
    with one, and the whole rest is taken for a word that is not.

    >>> parts("kündigungsfrist", "de", {"kündigung", "frist"}.__contains__)
    ('kündigung', 'frist')
    >>> parts("opvoerhoogte", "nl", {"hoogte"}.__contains__)
    ('hoogte',)
    """
    links = LINKS.get(language)
    if links is None or len(word) < 2 * SHORTEST or not word.isalpha():
        return ()

    @cache
    def of(start: int) -> tuple[str, ...]:
        """The fewest known words that make up the rest of the word; of equally many those with the longest first."""
        best: tuple[str, ...] = ()
        for end in range(len(word), start + SHORTEST - 1, -1):
            if (end == len(word) and start == 0) or len(word) - end in range(1, SHORTEST):
                continue
            if not known(piece := word[start:end]):
                continue
            if end == len(word):
                return (piece,)
            for link in links:
                rest = of(end + len(link)) if word.startswith(link, end) else ()
                if rest and (not best or len(rest) + 1 < len(best)):
                    best = (piece, *rest)
        return best

    return of(0) or _lone(word, links, known)


def _lone(word: str, links: tuple[str, ...], known: Callable[[str], bool]) -> tuple[str, ...]:
    """The longest known end of a word, or its longest known beginning."""
    for start in range(SHORTEST, len(word) - _LONE + 1):
        if word[:start] not in _NO_FRONTS and known(word[start:]):
            return (word[start:],)
    for end in range(len(word) - SHORTEST, _LONE - 1, -1):
        rest = word[end:]
        bare = min((rest.removeprefix(link) for link in links if rest.startswith(link)), key=len)
        derived = any(word.endswith(ending) and len(bare) <= len(ending) for ending in _NO_ENDS)
        if len(bare) >= SHORTEST and not derived and known(word[:end]):
            return (word[:end],)
    return ()
