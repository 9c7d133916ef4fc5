"""What is said of a row of a table in a line: which columns, which labels, in the table's own words."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pincite.answer.contrast import agrees, contrasts
from pincite.answer.parties import names_party
from pincite.answer.select.fit import Scored, holds
from pincite.answer.select.question import Question
from pincite.answer.select.rows import is_blank, label_columns
from pincite.answer.select.units import Cellular, row_words
from pincite.answer.select.values import names_column, unit_in_title, values_of
from pincite.answer.select.words import word_set


def read_columns(question: Question, scored: Scored, table: Cellular, language: str) -> tuple[int, ...]:
    """Columns to say: the one that holds the value asked for; else those that the question names, by a title or by what
    their cell says beyond the labels; and where it names none, what the row says."""
    row = scored.unit.row
    if row is None:
        return scored.columns[:1]
    if question.amount:
        # Each of several limits may be the one that is passed.
        limits = [c for c in range(1, len(table.grid[row])) if _is_value(question, table, row, c)]
        return tuple(limits) if 0 < len(limits) <= MOST_LIMITS else scored.columns[:1]
    if question.needs_value:
        if _AND.search(question.text) and len(question.kinds) > 1:
            return _one_of_each_kind(question, scored, table, row)
        # In another language no title has the question's words: there the nearest column was chosen by its meaning.
        several = _open_columns(question, scored, table, row, language) if language == question.language else ()
        return several or scored.columns[:1]
    cells = table.grid[row]
    told = [c for c in range(1, len(cells)) if not is_blank(cells[c]) and cells[c] != cells[c - 1]]
    told = [c for c in told if not contrasts(question.text, table.titles[c])]
    if question.who and (parties := [c for c in told if names_party(cells[c])]):
        return tuple(parties)
    if question.yes_no:
        return (
            tuple(told)
            if len(told) <= READ_WHOLE and sum(len(cells[c]) for c in told) <= READ_CHARACTERS
            else scored.columns[:1]
        )
    labels = label_columns(table)
    short = sum(len(cells[c]) for c in told) <= READ_CHARACTERS
    named = _named_columns(question, table, told, cells, labels, language)
    speaking = any(len(cells[column].split()) >= SAID_IN_A_CELL for column in named)
    if named and (speaking or not short or len(told) > READ_WHOLE):
        return tuple(sorted(named))
    return tuple(told) if short and told else scored.columns[:1]


def _open_columns(question: Question, scored: Scored, table: Cellular, row: int, language: str) -> tuple[int, ...]:
    """The columns among which a question for one value does not choose: the limit of a watch is one per payment and one
    per day. None where it names its column, or an extreme of one is asked."""
    if question.extreme or not question.kinds or not scored.columns:
        return ()
    columns = [c for c in range(label_columns(table), len(table.titles)) if _is_value(question, table, row, c)]
    columns = [c for c in columns if not contrasts(question.text, table.titles[c])]
    if scored.columns[0] not in columns or not 1 < len(columns) <= MOST_LIMITS:
        return ()
    titles = {c: word_set(table.titles[c], language) for c in columns}

    def is_chosen(column: int) -> bool:
        return any(
            (holds(term, titles[column]) or names_column(term.text, table.titles[column]))
            and not all(holds(term, other) or names_column(term.text, table.titles[c]) for c, other in titles.items())
            for term in question.terms
        ) or (agrees(question.text, table.titles[column]))

    return () if any(map(is_chosen, columns)) else tuple(columns)


def _one_of_each_kind(question: Question, scored: Scored, table: Cellular, row: int) -> tuple[int, ...]:
    """The best column of each kind of value that is asked for at once: "what output voltage and current"."""
    each = (
        next((c for c in (*scored.columns, *scored.able) if _is_of_kind(kind, table, row, c)), None)
        for kind in sorted(question.kinds)
    )
    found = sorted({column for column in each if column is not None})
    return tuple(found) if len(found) > 1 else scored.columns


def _is_of_kind(kind: str, table: Cellular, row: int, column: int) -> bool:
    return bool(values_of(kind, f"{table.grid[row][column]} {table.unit(row, column)}"))


def _is_value(question: Question, table: Cellular, row: int, column: int) -> bool:
    shown = f"{table.grid[row][column]} {table.unit(row, column)}"
    return any(values_of(kind, shown) for kind in question.kinds)


def _named_columns(
    question: Question, table: Cellular, columns: Sequence[int], cells: Sequence[str], labels: int, language: str
) -> set[int]:
    """Of ``columns``, those with a word of the question that no other title has, or that their cell adds to the labels.

    None when the question names no column by its title and what a cell adds is no sentence.
    """
    titles = {column: word_set(table.titles[column], language) for column in columns}
    label = row_words(cells[:labels], language)
    terms = [term for term in question.terms if not (term.critical and holds(term, label))]
    titled = {held[0] for t in terms if len(held := [c for c in columns if holds(t, titles[c])]) == 1}
    adding = {
        column
        for column in columns
        for term in terms
        if column >= labels
        and not term.critical
        and holds(term, word_set(cells[column], language))
        and not holds(term, label)
    }
    return titled | adding if titled or any(len(cells[c].split()) >= SAID_IN_A_CELL for c in adding) else set()


MOST_LIMITS = 5
READ_WHOLE = 3
"""Cells of a short row that are always read out together: what a code means, and what to do then."""
SAID_IN_A_CELL = 4
"""Words from which a cell says something by itself."""


_AND = re.compile(r"\b(?:and|en|und|et)\b", re.IGNORECASE)
READ_CHARACTERS = 200
"""A row is read out whole up to this length; a longer one is seen in its table."""


def telling_labels(
    question: Question, table: Cellular, row: int, columns: Sequence[int], language: str
) -> tuple[int, ...]:
    """Label columns of a row to say before its value.

    A merged value holds for every row that it covers: of their labels only those that they share, or that were asked
    for, belong to it. "Cash withdrawal: Refund: 0.05 %" would say of one row what the table says of four.
    """
    covered = [r for r in range(table.headers, len(table.grid)) if all(table.same_cell(c, row, r) for c in columns)]
    names = range(label_columns(table))
    if len(covered) < 2:
        return tuple(names)

    def asked(cell: str) -> bool:
        words = word_set(cell, language)
        return any(holds(term, words) for term in question.terms)

    shared = [name for name in names if len({table.grid[r][name] for r in covered}) == 1]
    return tuple(name for name in names if name in shared or asked(table.grid[row][name]))


def read_row(table: Cellular, row: int, columns: Sequence[int], labels: Sequence[int] | None = None) -> str:
    """Cells in words of the table: their labels, then column title and value with unit, without footnote marks.

    "Domestic, Purchase: Consumer card: 0.20 %"; "R-68: Meaning: Timed out; Repeat: yes, once". ``labels``: columns of
    the labels to say; all of them when None.
    """
    cells = table.grid[row]
    labelled = label_columns(table)
    names = cells[: min(labelled, *columns) or labelled]
    if labels is not None:
        names = tuple(cells[label] for label in labels if label < len(names))
    said_labels = [
        _unmarked(cell) for cell in dict.fromkeys(names) if cell and (len(columns) > 1 or cell != cells[columns[0]])
    ]
    said = ["; ".join(_say(table, row, column) for column in columns)]
    return ": ".join(filter(None, (", ".join(said_labels), *said)))


def _say(table: Cellular, row: int, column: int) -> str:
    """Title and value, the unit at the value wherever the table prints it: "H: 148.8 m" of "H [m]" and "148.8"."""
    value = _parted(_unmarked(table.grid[row][column]))
    title = re.sub(r"[¹²³⁴⁵⁶⁷⁸⁹]+\)$", "", table.titles[column])
    if unit := table.unit(row, column):
        title = re.sub(rf"\s*(?:[\[(]\s*{re.escape(unit)}\s*[\])]|,\s*{re.escape(unit)})\s*$", "", title)
        value = value if value.endswith(unit) else f"{value} {unit}"
    return ": ".join(dict.fromkeys(filter(None, (re.sub(r"\*+", "", title).strip(), value))))


_GLUED = re.compile(r"(?P<number>[±+−–-]?\s?\d[\d.,]*)(?P<unit>[^\W\d_]\S*)")


def _parted(value: str) -> str:
    """A value with a space before its unit: "12 VDC" where "12VDC" is printed; anything else as it is.

    >>> _parted("12VDC"), _parted("2N3904"), _parted("165 mA")
    ('12 VDC', '2N3904', '165 mA')
    """
    glued = _GLUED.fullmatch(value)
    return f"{glued['number']} {glued['unit']}" if glued and unit_in_title(f"({glued['unit']})") else value


def _unmarked(cell: str) -> str:
    """A cell without the footnote mark at its end; a raised digit after a letter is part of a unit."""
    return re.sub(r"(?<=[\d%).])\s*[¹²³⁴⁵⁶⁷⁸⁹]+\)?$|\s*\*+\)?$|(?<=\w)[¹²³⁴⁵⁶⁷⁸⁹]+\)$", "", cell)
