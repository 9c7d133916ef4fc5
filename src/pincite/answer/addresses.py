"""Addresses in a text, which must stand in the cited passage as they are: links, hosts, e-mail, paths upwards."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from pincite.answer.contexts import Prepared

_ADDRESS = re.compile(
    r"(?<![\w@])(?:[a-z][a-z0-9+.-]{1,15}://[^\s<>()\[\]]+|(?:javascript|vbscript|data|file|mailto):[^\s<>()\[\]]+"
    r"|//[\w.-]+\.[a-z]{2,}[^\s<>()\[\]]*|www\.[^\s<>()\[\]]+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+"
    r"|(?:[a-z0-9-]+\.)+[a-z]{2,}/[^\s<>()\[\]]*|(?:[a-z0-9-]+\.)+(?:com|net|org|eu|io|ai|info|example|test)\b"
    r"|(?:\.\./)+[^\s<>()\[\]]+)",
    re.IGNORECASE,
)


def foreign_address(text: str, start: int, end: int, contexts: Sequence[Prepared]) -> tuple[int, int] | None:
    """Return the span of the first address of a sentence that no context holds, or None.

    >>> text = "See https://attacker.example/c?x=SECRET for details."
    >>> text[slice(*foreign_address(text, 0, len(text), []))]
    'https://attacker.example/c?x=SECRET'
    """
    held = [context.text.casefold() for context in contexts]
    for at, printed in _addresses(text, start, end):
        if not any(printed.casefold() in one for one in held):
            return at, at + len(printed)
    return None


def _addresses(text: str, start: int, end: int) -> Iterator[tuple[int, str]]:
    for match in _ADDRESS.finditer(text, start, end):
        yield match.start(), match.group().rstrip(".,;:!?\"'")
