"""Passages made elsewhere: JSON Lines → revisions and chunks."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import Any, cast

from pincite.errors import InputError
from pincite.types import Chunk, Revision, SectionPath


@dataclass(frozen=True, slots=True)
class PassageFile:
    """What a file of passages holds, by document in order of appearance."""

    sha256: str
    documents: dict[str, tuple[tuple[str, Chunk], ...]]
    """(id as given, chunk) of each document, in file order."""
    empty: int
    """Passages without text: counted, not indexed."""

    def revision(self, document: str, source: str, language: str) -> Revision:
        """Return the one revision of a document of this file; it has no sheets, so no labels."""
        return Revision(
            document=document,
            source=source,
            revision=self.sha256[:8],
            sha256=self.sha256,
            title=document,
            language=language,
            standing="citable",
        )


def read_passages(data: bytes, source: str) -> PassageFile:
    """Read ``{id, document | doc, section, text, page?}`` lines.

    Raises:
        InputError: If a line is not such a record, or an id comes twice; the message names the line.
    """
    documents: dict[str, list[tuple[str, Chunk]]] = {}
    seen: set[str] = set()
    empty = 0
    for number, line in enumerate(data.decode("utf-8", errors="replace").splitlines(), 1):
        if not line.strip():
            continue
        try:
            record: dict[str, Any] = json.loads(line)
            id_, document = str(record["id"]), str(record.get("document") or record["doc"])
            text, path = str(record.get("text") or ""), _path(record.get("section"))
            pages = (int(record["page"]),) if record.get("page") else ()
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise InputError(
                f"{source}, line {number}: expected {{id, document, section, text, page?}}, found {line[:60]!r}",
                source=source,
            ) from error
        if id_ in seen:
            raise InputError(f"{source}, line {number}: the id {id_!r} comes twice", source=source)
        seen.add(id_)
        if not text.strip():
            empty += 1
            continue
        chunks = documents.setdefault(document, [])
        chunks.append((id_, Chunk(len(chunks), path, "text", pages, text, _embedded(document, path, text))))
    if not documents:
        raise InputError(f"{source}: no passage has text", source=source)
    return PassageFile(hashlib.sha256(data).hexdigest(), {d: tuple(c) for d, c in documents.items()}, empty)


def without(data: bytes, document: str) -> bytes:
    """Return a file that was read before without the lines of one document; b"" when none with text is left."""
    kept: list[str] = []
    has_text = False
    for line in data.decode("utf-8", errors="replace").splitlines():
        if not line.strip():
            continue
        record: dict[str, Any] = json.loads(line)
        if str(record.get("document") or record["doc"]) != document:
            kept.append(line)
            has_text = has_text or bool(str(record.get("text") or "").strip())
    return ("\n".join(kept) + "\n").encode() if has_text else b""


def _path(section: object) -> SectionPath:
    if section is None or section == "":
        return ()
    if isinstance(section, list):
        return tuple(str(part) for part in cast(list[object], section))
    return (str(section),)


def _embedded(document: str, path: SectionPath, text: str) -> str:
    return "\n".join(part for part in (document, " › ".join(path), text) if part)
