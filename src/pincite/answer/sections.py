"""A section as somebody names it ("Section 4.2", "4 Fees › 4.2 Cross-border") → the sections it may stand for. Pure."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from difflib import SequenceMatcher

from pincite.types import SectionPath

TITLE_CHARACTERS = 120
"""Titles come out of files that anybody may have written: one line, cut."""

_PREFIXES = re.compile(
    r"^(?:section|sec\.?|chapter|clause|article|art\.?|annex|appendix|paragraph|§+|artikel|hoofdstuk|paragraaf|bijlage"
    r"|abschnitt|kapitel|anhang|absatz|chapitre|annexe|paragraphe)\s+(?=\S)",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"^(?:\d+(?:\.\d+)*[a-z]?|[A-Z](?:\.\d+)+|[A-Z](?=\s)|[IVXLC]+)(?=[.):]?(?:\s|$))")


def match_sections(wanted: str, paths: Sequence[SectionPath]) -> tuple[SectionPath, ...]:
    """The sections that ``wanted`` names: the whole path, else the title, else its number; all of the best kind.

    >>> match_sections("Section 4.2", (("4 Fees",), ("4 Fees", "4.2 Cross-border")))
    (('4 Fees', '4.2 Cross-border'),)
    """
    key = _plain(re.sub(r"\s*[›>→]\s*", " › ", wanted))
    whole = tuple(path for path in paths if path and _plain(path_text(path)) == key)
    if whole:
        return whole
    last = tuple(path for path in paths if path and _plain(path[-1]) == key)
    if last:
        return last
    number = _number(wanted)
    return tuple(path for path in paths if path and number and _number(path[-1]) == number)


def nearest_sections(wanted: str, paths: Sequence[SectionPath]) -> tuple[SectionPath, ...]:
    """All sections, the likeliest first: those that share most of the number, then the most similar titles."""
    key, number = _plain(wanted), _number(wanted)

    def distance(path: SectionPath) -> tuple[float, float]:
        own = _number(path[-1]) if path else ""
        shared = sum(1 for _ in _common(number.split("."), own.split("."))) if number and own else 0
        return -shared, -SequenceMatcher(None, key, _plain(path[-1] if path else "")).ratio()

    return tuple(sorted(paths, key=distance))


def _common(left: Sequence[str], right: Sequence[str]) -> list[str]:
    same: list[str] = []
    for one, other in zip(left, right, strict=False):
        if one != other:
            break
        same.append(one)
    return same


def _number(title: str) -> str:
    match = _NUMBER.match(_PREFIXES.sub("", title.strip()))
    return match.group(0).rstrip(".") if match else ""


def _plain(title: str) -> str:
    return " ".join(_PREFIXES.sub("", unicodedata.normalize("NFKC", title).strip()).casefold().split())


def path_text(path: SectionPath) -> str:
    """The path on one line, as it is shown to models and readers."""
    return " › ".join(one_line(title, TITLE_CHARACTERS) for title in path)


def one_line(text: str, characters: int) -> str:
    """The text on one line without control characters, cut to a length."""
    line = " ".join("".join(c if unicodedata.category(c)[0] != "C" else " " for c in text).split())
    return line if len(line) <= characters else line[: characters - 1] + "…"
