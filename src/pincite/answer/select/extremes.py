"""The largest and the smallest: what asks for one, what says that it is one, and the row of a table that has it.

"Maximum head" is not the head of some row. A piece answers only where it says itself that its value is a bound
("Largest operating pressure", "at most € 50"), or where it is the largest of all comparable cells of the column that
is asked.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from pincite.answer.contrast import agrees, contrasts
from pincite.answer.select.fit import Scored, holds
from pincite.answer.select.question import Extreme, Question
from pincite.answer.select.rows import is_blank, label_columns
from pincite.answer.select.units import Cellular, Cut, row_words
from pincite.answer.select.values import has_unit, names_column
from pincite.answer.select.words import word_set
from pincite.quantity import Quantity, parse

_BOUND = {
    "most": re.compile(
        r"\b(?:max\b|maxim\w*|high(?:est)|largest|greatest|biggest|longest|limits?|ceiling|cap|up to|at most|within"
        r"|exceed\w*|(?:no|not) (?:more|longer|later|higher|greater|larger|above)|never (?:above|more)|not allowed"
        r"|hoogste|hoogstens|grootste|langste|ten hoogste|\w*limiet\w*|\w*grens\w*|tot|niet (?:meer|langer|hoger|later)"
        r"|overschrijd\w*|uiterlijk|binnen|niet toegestaan|höchst\w*|größte\w*|längste\w*|\w*grenz\w*|bis|innerhalb"
        r"|nicht (?:mehr|länger|höher|später)|überschr\w*|spätestens|nicht zulässig|plafond\w*|limites?|jusqu\w*"
        r"|au plus|dépass\w*|excéd\w*|plus (?:haut|grand|élevé|long)\w*|norm|thresholds?|parameter\w*|seuils?|valeur)\b"
        r"|[≤<]",
        re.IGNORECASE,
    ),
    "least": re.compile(
        r"\b(?:min\b|minim\w*|lowest|smallest|least|shortest|(?:no|not) (?:less|fewer|below|lower|earlier|shorter)"
        r"|never (?:below|less)|below|under|onder|unter|from"
        r"|laagste|kleinste|kortste|minste|minstens|niet (?:minder|lager|eerder|korter)|vanaf"
        r"|mindest\w*|wenigstens|kleinste\w*|niedrigste\w*|kürzeste\w*|nicht (?:weniger|unter|kürzer)|unterschreit\w*"
        r"|ab|au moins|pas moins|à partir|plus (?:bas|petit|court)\w*|norm|thresholds?|seuils?)\b|[≥>]",
        re.IGNORECASE,
    ),
}
"""What says of a value that it is a bound: of a list, of a rule, of a machine."""


def states_bound(extreme: Extreme, text: str) -> bool:
    """Whether a text says that its value is the bound in the direction that is asked for.

    >>> states_bound("most", "Largest operating pressure"), states_bound("most", "Rated duty point")
    (True, False)
    >>> states_bound("least", "The fee is at least € 0.02."), states_bound("least", "at most € 2")
    (True, False)
    """
    return extreme != "" and _BOUND[extreme].search(text) is not None


def says_extreme(question: Question, scored: Scored, cut: Cut) -> bool:
    """Whether a piece may answer a question for an extreme: it states one, or it is a row that can be compared."""
    if not question.extreme:
        return True
    if scored.unit.kind == "row":
        return True
    lead = cut.units[scored.unit.lead].text if scored.unit.lead is not None else ""
    return states_bound(question.extreme, f"{scored.unit.text}\n{lead}\n{cut.section_title}")


def extreme_rows(
    question: Question, best: Scored, able: Sequence[Scored], cuts: Sequence[Cut]
) -> tuple[Scored, ...] | None:
    """The rows that hold the extreme; none where it cannot be told; None where the best row states it by itself.

    Compared are the rows of the best row's table, and of tables of the same document with the same columns, that hold
    as many of the question's words as the best row does. The column must be certain: named by the question, or the only
    one with values of the asked kind.
    """
    cut = cuts[best.cut]
    table, row = cut.table, best.unit.row
    if table is None or row is None or not best.columns:
        return ()
    column = best.columns[0]
    own = " | ".join((*table.grid[row][: label_columns(table)], table.groups[row]))
    if states_bound(question.extreme, f"{own} | {table.grid[row][column]}"):
        return None
    family = [
        s
        for s in able
        if s.unit.row is not None
        and (other := cuts[s.cut].table) is not None
        and cuts[s.cut].document == cut.document
        and other.titles == table.titles
    ]
    told = {id(s): _told(question, s, cuts[s.cut], column) for s in family}
    most = max(map(len, told.values()))
    alike = [s for s in family if len(told[id(s)]) == most]
    around = f"{table.titles[column]} | {table.caption} | {cut.section_title}"
    if len(alike) == 1 and states_bound(question.extreme, around):
        return None
    if not _is_certain(question, column, best, cut):
        return ()
    values: list[tuple[Decimal, str, Scored]] = []
    for scored in alike:
        other = cuts[scored.cut].table
        assert other is not None and scored.unit.row is not None
        cell = other.grid[scored.unit.row][column]
        if is_blank(cell) or (question.extreme == "most" and _DENIED.search(cell)):
            continue
        value = parse(_unmarked(cell), cut.language)
        if not isinstance(value, Quantity) or len(value.readings) != 1:
            return ()
        values.append((next(iter(value.readings)), value.unit, scored))
    if len(values) < 2 or len({unit for _, unit, _ in values}) != 1:
        return ()
    pick = max if question.extreme == "most" else min
    extreme = pick(number for number, _, _ in values)
    if question.extreme == "least" and not extreme:
        return ()  # a curve begins at nothing; that is no minimum of what it may be
    return tuple(replace(s, columns=(column,)) for number, _, s in values if number == extreme)


_DENIED = re.compile(r"\b(?:not|niet|nicht|non|pas|kein\w*)\b", re.IGNORECASE)


def _told(question: Question, scored: Scored, cut: Cut, column: int) -> frozenset[str]:
    """The words of the question that a row holds outside the asked column."""
    table, row = cut.table, scored.unit.row
    assert table is not None and row is not None
    cells = [cell for c, cell in enumerate(table.grid[row]) if c != column]
    words = row_words(cells, cut.language) | word_set(table.groups[row], cut.language)
    return frozenset(term.text for term in question.terms if not term.asks and holds(term, words))


def _is_certain(question: Question, column: int, best: Scored, cut: Cut) -> bool:
    table = cut.table
    assert table is not None
    labels = label_columns(table)
    titles = [word_set(title, cut.language) for title in table.titles]
    telling = [t for t in question.terms if not all(holds(t, title) for title in titles[labels:])]

    def named(c: int) -> bool:
        title = table.titles[c]
        if contrasts(question.text, title):
            return False
        return agrees(question.text, title) or any(holds(t, titles[c]) or names_column(t.text, title) for t in telling)

    columns = [c for c in range(labels, len(table.titles)) if named(c)]
    if columns:
        return columns == [column]
    return list(best.able) == [column] or [c for c in best.able if _is_of_kind(question, table, c)] == [column]


def _is_of_kind(question: Question, table: Cellular, column: int) -> bool:
    cells = [row[column] for row in table.grid[table.headers :]]
    return any(has_unit(kind, f"{table.titles[column]} {cell}") for kind in question.kinds for cell in cells)


def _unmarked(cell: str) -> str:
    return re.sub(r"\s*(?:[¹²³⁴⁵⁶⁷⁸⁹]+\)?|\*+\)?)$", "", cell)
