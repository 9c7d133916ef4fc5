"""What changed between two releases, as a person who maintains rulebooks reads it in a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pincite.index.difference import (
    ContentDifference,
    DocumentAt,
    DocumentChange,
    LooseSection,
    ReleaseDifference,
    SectionChange,
    TextChange,
    Word,
    marked_words,
)
from pincite.index.table_difference import RowAt, TableAt, TableChange
from pincite.types import SectionPath

_AROUND = 8
"""Words that are shown on either side of a change."""
_BEGINNING = 200
"""Characters of a new or gone text that are shown; `--json` has all of it."""
_LONG_CELL = 40
"""Characters from which a cell is read word by word."""
_DITTO = "″"


def release_difference(found: ReleaseDifference) -> str:
    """Return one paragraph a document; ``[-gone-]`` and ``{+new+}`` mark words and cells."""
    if found.is_empty:
        return f"{found.was} → {found.now}: the documents are the same ({found.unchanged})"
    counts = f"{len(found.added)} added, {len(found.dropped)} dropped, {len(found.changed)} changed"
    lines = [f"{found.was} → {found.now}: {counts}, {found.unchanged} the same"]
    lines += [f"\n+ {_document(document)}" for document in found.added]
    lines += [f"\n- {_document(document)}" for document in found.dropped]
    for change in found.changed:
        lines += ["", *_changed(change)]
    return "\n".join(lines)


def _document(at: DocumentAt) -> str:
    return f"{at.title}, revision {at.revision} ({at.document}, {at.source}, {at.standing})"


def _changed(change: DocumentChange) -> Iterator[str]:
    was, now = change.was, change.now
    revision = (
        f"revision {was.revision} → {now.revision}" if was.revision != now.revision else f"revision {now.revision}"
    )
    standing = f", {was.standing} → {now.standing}" if was.standing != now.standing else ""
    source = f"{was.source} → {now.source}" if was.source != now.source else now.source
    yield f"{now.title}, {revision}{standing} ({now.document}, {source})"
    if change.unread:
        yield f"  not compared: {change.unread}"
    elif change.content is None:
        yield "  the file is the same"
    elif change.content.is_empty:
        yield "  another file, with the same text and tables"
    else:
        yield from content_difference(change.content)


def content_difference(found: ContentDifference) -> Iterator[str]:
    """Yield the lines of one document: sections, then tables."""
    yield from (_loose("+", section) for section in found.added)
    yield from (_loose("-", section) for section in found.removed)
    renumbered = {s.now.path for s in found.sections if "renumbered" in s.kinds}
    for section in found.sections:
        # A subsection takes the number of its section along.
        if section.kinds != ("renumbered",) or section.now.path[:-1] not in renumbered:
            yield from _section(section)
    yield from (f"  + {_table(table)}" for table in found.tables.added)
    yield from (f"  - {_table(table)}" for table in found.tables.removed)
    for table in found.tables.changed:
        yield from _table_change(table)
    if found.sentences_moved:
        yield f"  {found.sentences_moved} sentences stand in another place, unchanged"


def _loose(sign: str, section: LooseSection) -> str:
    text = f"\n      {_short(section.text)}" if section.text else ""
    return f"  {sign} section {_path(section.path)}{_on(section.page)}{text}"


def _section(section: SectionChange) -> Iterator[str]:
    was, now = section.was, section.now
    yield f"  ~ section {_path(now.path)}{_on(now.page, was.page)}"
    if {"renamed", "renumbered"} & set(section.kinds):
        yield f"      was called {was.path[-1] if was.path else '…'}"
    if "moved" in section.kinds:
        yield (
            f"      stood below {_path(was.path[:-1])}"
            if was.path[:-1] != now.path[:-1]
            else "      stood elsewhere here"
        )
    for change in section.text:
        yield f"      {_text(change)}"


def _text(change: TextChange) -> str:
    page = _on(change.page_now, change.page_was).removeprefix(", ")
    lead = f"{page}: " if page else ""
    if not change.was:
        return f"{lead}{{+{_short(change.now)}+}}"
    if not change.now:
        return f"{lead}[-{_short(change.was)}-]"
    return f"{lead}{_marked(change.words)}"


def _marked(words: Sequence[Word]) -> str:
    out: list[str] = []
    for n, (kind, text) in enumerate(words):
        if kind == "removed":
            out.append(f"[-{text}-]")
        elif kind == "added":
            out.append(f"{{+{text}+}}")
        else:
            parts = text.split()
            first, last = n == 0, n == len(words) - 1
            room = _AROUND if first or last else 2 * _AROUND
            if len(parts) <= room:
                out.append(text)
            elif first:
                out.append("… " + " ".join(parts[-_AROUND:]))
            elif last:
                out.append(" ".join(parts[:_AROUND]) + " …")
            else:
                out.append(f"{' '.join(parts[:_AROUND])} … {' '.join(parts[-_AROUND:])}")
    return " ".join(out)


def _table(table: TableAt) -> str:
    named = table.caption or f"in {_path(table.section)}"
    return f"table {named}{_on(table.page)}, {table.rows} × {table.columns}"


def _table_change(change: TableChange) -> Iterator[str]:
    was, now = change.was, change.now
    yield f"  ~ table {now.caption or 'in ' + _path(now.section)}{_on(now.page, was.page)}"
    if change.caption_changed:
        yield f"      was called {was.caption or 'nothing'}"
    yield from (
        f"      column {_short(before)} is called {_short(after)} now" for before, after in change.columns_renamed
    )
    yield from (f"      + column {_short(name)}" for name in change.columns_added)
    yield from (f"      - column {_short(name)}" for name in change.columns_removed)
    for cell in change.cells:
        place = f"{_short(cell.row, 80)}, {_short(cell.column, 80)}{_on(cell.page_now, cell.page_was)}"
        yield f"      {place}: {_cell(cell.was, cell.now)}"
    yield from _rows("+", change.rows_added)
    yield from _rows("-", change.rows_removed)
    if change.rows_moved:
        yield f"      {change.rows_moved} rows stand elsewhere in it"


def _rows(sign: str, rows: Sequence[RowAt]) -> Iterator[str]:
    above: tuple[str, ...] = ()
    for row in rows:
        # What a merged cell says over several rows is read once.
        said = [_DITTO if c < len(above) and text and text == above[c] else text for c, text in enumerate(row.cells)]
        yield f"      {sign} row {_short(' | '.join(said))}{_on(row.page)}"
        above = row.cells


def _cell(was: str, now: str) -> str:
    if min(len(was), len(now)) > _LONG_CELL:
        return _marked(marked_words(was, now))
    return f"[-{_short(was)}-] {{+{_short(now)}+}}"


def _path(path: SectionPath) -> str:
    return " › ".join(path) or "before the first heading"


def _on(page: int | None, was: int | None = None) -> str:
    if page is None:
        return f", page {was} before" if was is not None else ""
    return f", page {page}" + (f" (before: {was})" if was not in (None, page) else "")


def _short(text: str, limit: int = _BEGINNING) -> str:
    return text if len(text) <= limit else text[:limit].rsplit(" ", 1)[0] + " …"
