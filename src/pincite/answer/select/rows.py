"""How well rows of tables fit a question, and which of their cells answer."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pincite.answer.contrast import agrees, company, contrasts, other_company
from pincite.answer.select.fit import (
    COLUMN_TITLE,
    ENOUGH,
    LABEL_IDENTITY,
    LABEL_PRECISION,
    MISSING_CRITICAL,
    MOST_CONTRAST,
    OTHER_CELL,
    OTHER_ROW,
    OWN,
    OWN_BONUS,
    ROW_CONTRAST,
    SAME_LANGUAGE,
    SECTION,
    SIBLING,
    TITLE,
    TYPE_BONUS,
    Coverage,
    Level,
    Scored,
    cover,
    critical_missing,
    has_sibling,
    holds,
    rank_bonus,
    type_fit,
    typed_terms,
)
from pincite.answer.select.question import Question, Term
from pincite.answer.select.units import Cellular, Cut, is_numeric, row_words
from pincite.answer.select.values import has_unit, is_column_of, names_column
from pincite.answer.select.words import forms, is_function_word, normalise, word_set, words_in

SAME_CELL = 0.05
"""Cells of a row within this of its best answer together: two quantities asked at once."""
WORD_FOR_VALUE = 0.7
"""Fit of a word in a column of values: "not allowed", "free", "warning" answer "how much" as well."""

DEFINED = 0.50
"""The row of a code is what the code means."""
COLUMN_NAMED = 0.10
"""The one column whose title has a word of the question holds the answer more likely than its neighbours."""
LONG_CELL = 80
"""A remark of more characters is no value, though it has numbers in it."""
SHORT_CELL = 24
"""A cell of at most so many characters may tell its row from another."""
ECHO = 0.15
"""A cell that only repeats the question's words is its subject, not its answer."""


def label_columns(table: Cellular) -> int:
    """How many leading columns name the row rather than hold values; at least 1, and one column of values stays."""
    width = len(table.grid[0])
    body = table.grid[table.headers :]
    count = 1
    while count < width - 1:
        cells = [row[count] for row in body if row[count]]
        if cells and sum(map(is_numeric, cells)) >= 0.3 * len(cells):
            break
        if not any(is_numeric(cell) for row in body for cell in row[count + 1 :]):
            break
        count += 1
    return count


def telling_columns(question: Question, table: Cellular, row: int, columns: Sequence[int]) -> tuple[int, ...]:
    """``columns``, after those that tell the row from others with the same labels: "2900" of four duty points.

    First those with a number of the question, then from the left, until no other row says the same.
    """
    cells = table.grid[row]
    labels = label_columns(table)
    alike = [
        other
        for index, other in enumerate(table.grid[table.headers :], table.headers)
        if index != row and other[:labels] == cells[:labels] and table.groups[index] == table.groups[row]
    ]
    if not alike or not columns or min(columns) < labels:
        return tuple(columns)
    numbers = {form for term in question.terms if term.kind == "number" for form in term.forms}
    free = [c for c in range(labels, len(cells)) if c not in columns and not is_blank(cells[c])]
    asked = [c for c in free if not numbers.isdisjoint(word_set(cells[c], "en"))]
    told: list[int] = []
    for column in (*asked, *(c for c in free if c not in asked and len(cells[c]) <= SHORT_CELL)):
        if column not in asked and not alike:
            break
        if column in asked or any(other[column] != cells[column] for other in alike):
            told.append(column)
            alike = [other for other in alike if other[column] == cells[column]]
    return (*sorted(told), *columns)


@dataclass(frozen=True, slots=True)
class _CellFit:
    score: float
    column: int
    covered: Coverage
    fit: float


def score_rows(question: Question, weights: Sequence[float], cut: Cut, table: Cellular, position: int) -> list[Scored]:
    labels = label_columns(table)
    language = cut.language
    titles = [
        word_set(title, language)
        | {f for t in question.terms if names_column(t.text, title) or agrees(t.text, title) for f in t.forms}
        for title in table.titles
    ]
    every_title = frozenset[str]().union(*titles)
    named_only = [
        any(holds(t, title) and sum(holds(t, other) for other in titles) == 1 for t in question.terms)
        for title in titles
    ]
    titled = frozenset(term.text for term in question.terms if holds(term, every_title))
    about = f"{table.caption} {cut.section_title}"
    around = cut.section | word_set(table.caption, language)
    rows = {unit.row: row_words(table.grid[unit.row], language) for unit in cut.units if unit.row}
    named = [any(holds(term, words) for words in rows.values()) for term in question.terms]
    asked = company(question.text)
    other = [
        contrasts(question.text, title) or (bool(asked) and bool(other_company(asked, company(title))))
        for title in table.titles
    ]
    inputs = _input_columns(question, table)
    valued = frozenset(c for c in range(labels, len(table.titles)) if _holds_values(question, table, c))
    found: list[Scored] = []
    for unit in cut.units:
        row = unit.row
        if row is None:
            continue
        cells = table.grid[row]
        if asked and other_company(
            asked, company(" | ".join(cells[:labels]), f"{table.groups[row]} | {table.caption}")
        ):
            continue
        label_words = row_words(cells[:labels], language)
        beside = unit.words | every_title | word_set(table.groups[row], language)
        fits: list[_CellFit] = []
        for column, cell in enumerate(cells):
            if is_blank(cell) or (column and cell == cells[column - 1] and not other[column - 1]) or other[column]:
                continue
            if asked and other_company(asked, company(cell)):
                continue
            levels: list[Level] = [
                (OWN, label_words | word_set(cell, language)),
                (COLUMN_TITLE, titles[column]),
                (OTHER_CELL, beside),
                (TITLE, cut.title),
                (SECTION, around),
                (OTHER_ROW, cut.every),
            ]
            echo = _echoes(question, cell)
            fit = type_fit(
                question, cell, unit=table.unit(row, column), bare=True, about=f"{table.titles[column]} {about}"
            )
            if fit < ENOUGH and not is_numeric(cell) and column in valued:
                fit = WORD_FOR_VALUE
            if fit < 1 and is_numeric(cell) and not echo:
                fit = 1.0 if any(has_unit(kind, table.titles[column]) for kind in question.kinds) else fit
            typed = typed_terms(question, fit) - titled
            covered = cover(question.terms, weights, levels, compounds=language in ("nl", "de"), typed=typed)
            score = (
                covered.share
                + OWN_BONUS * covered.own
                + TYPE_BONUS * fit
                - ECHO * echo
                + COLUMN_NAMED * named_only[column]
                - 0.05 * (column < labels)
            )
            fits.append(_CellFit(score, column, covered, fit))
        if not fits:
            continue
        fits.sort(key=lambda item: (-item.score, item.column))
        best = fits[0]
        if any(not _holds_input(term, columns, cells, language) for term, columns in inputs):
            continue
        told = unit.words | titles[best.column]
        contrast = sum(
            1.0 if term.text in best.covered.loose else 0.5
            for term, there in zip(question.terms, named, strict=True)
            if there and not term.borrowed and not holds(term, told)
        )
        score = best.score + rank_bonus(cut) + LABEL_PRECISION * _precision(question, label_words)
        score -= min(MOST_CONTRAST, ROW_CONTRAST * contrast)
        defined = any(term.critical and _is_label(term, cells[0]) for term in question.terms)
        score += LABEL_IDENTITY * defined + DEFINED * (defined and question.definition)
        sibling = has_sibling(question, " ".join(cells))
        score -= SIBLING * sibling + 0.3 * (len(set(filter(None, cells))) < 2)
        score -= MISSING_CRITICAL * critical_missing(question, weights, best.covered.missing)
        score += SAME_LANGUAGE * (language == question.language)
        able = _able(question, fits, cells)
        columns = tuple(item.column for item in fits if item.score >= best.score - SAME_CELL)[:3]
        columns = tuple(column for column in columns if column in able) or able[:1] or columns
        covered = best.covered
        found.append(
            Scored(
                unit,
                position,
                score,
                covered.share,
                covered.own,
                covered.tight,
                max(item.fit for item in fits if item.column in columns),
                covered.missing,
                covered.loose,
                sibling,
                columns,
                able,
                defined,
            )
        )
    return found


def _input_columns(question: Question, table: Cellular) -> list[tuple[Term, frozenset[int]]]:
    """The numbers that the question brings as a condition, each with the columns of its kind; none without any."""
    found: list[tuple[Term, frozenset[int]]] = []
    for given in question.given:
        columns = [
            frozenset(
                column
                for column, title in enumerate(table.titles)
                if (names_column(given.noun, title) if by_name else is_column_of(given, title))
            )
            for by_name in (True, False)
        ]
        term = next((t for t in question.terms if t.kind == "number" and given.number.strip() in t.text), None)
        kept = columns[0] or columns[1]
        if term is not None and kept:
            found.append((term, kept))
    return found


def _holds_input(term: Term, columns: frozenset[int], cells: Sequence[str], language: str) -> bool:
    """Whether a row is that of a value the question brings: 40 m of head is not the row of 40 m³/h."""
    return any(holds(term, word_set(cells[column], language)) for column in columns)


def _able(question: Question, fits: Sequence[_CellFit], cells: Sequence[str]) -> tuple[int, ...]:
    """Columns that may answer: of a question for a value those whose cells are of the asked kind, where there are any.

    A head is not read from the column of flows, though both are numbers.
    """
    if not question.needs_value:
        return tuple(item.column for item in fits)
    short = [item for item in fits if item.fit >= ENOUGH and len(cells[item.column]) <= LONG_CELL]
    right = [item for item in short if item.fit >= 1] if question.kinds else []
    return tuple(item.column for item in right or short)


def _holds_values(question: Question, table: Cellular, column: int) -> bool:
    """Whether a column is one of values of the asked kind, so that a word in it is an answer too."""
    cells = [row[column] for row in table.grid[table.headers :] if not is_blank(row[column])]
    numeric = [cell for cell in cells if is_numeric(cell)]
    return len(numeric) >= 0.3 * len(cells) and any(type_fit(question, cell, bare=True) >= ENOUGH for cell in numeric)


def is_blank(cell: str) -> bool:
    """Whether a cell says nothing: empty, a dash, "n/a"."""
    return not cell or re.fullmatch(r"[\s–—−.-]+|n\.?/?a\.?", cell, re.IGNORECASE) is not None


def _is_label(term: Term, cell: str) -> bool:
    return normalise(cell).strip(" .:()").lower() in term.forms


def _echoes(question: Question, cell: str) -> bool:
    """Whether a cell says nothing that the question does not."""
    said = [m.group() for m in words_in(normalise(cell)) if not is_function_word(m.group(), question.language)]
    return bool(said) and all(
        any(not forms(word, question.language).isdisjoint(term.forms) for term in question.terms) for word in said
    )


def _precision(question: Question, label: frozenset[str]) -> float:
    words = [word for word in label if word.isalpha()]
    return sum(any(word in term.forms for term in question.terms) for word in words) / len(words) if words else 0.0
