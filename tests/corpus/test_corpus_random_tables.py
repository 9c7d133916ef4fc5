"""The generator of random tables: a measure that is wrong is worse than none."""

import random
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))

from random_tables import STYLES, Score, random_grid, relations, write_document


@pytest.mark.parametrize("style", STYLES)
def test_every_place_of_a_random_table_belongs_to_one_cell(style):
    for seed in range(40):
        grid = random_grid(random.Random(seed), style)

        places = [(r, c) for e in grid.cells for r in range(e.r0, e.r1 + 1) for c in range(e.c0, e.c1 + 1)]
        assert sorted(places) == [(r, c) for r in range(grid.height) for c in range(grid.width)]


def test_equal_seeds_give_equal_files(tmp_path):
    first = write_document(tmp_path / "a.pdf", "three", random.Random(7))
    second = write_document(tmp_path / "b.pdf", "three", random.Random(7))

    assert (tmp_path / "a.pdf").read_bytes() == (tmp_path / "b.pdf").read_bytes()
    assert [t["cells"] for t in first] == [t["cells"] for t in second]


def cell(r0, r1, c0, c1, text):
    return {"r0": r0, "r1": r1, "c0": c0, "c1": c1, "text": text}


def test_neighbours_are_the_nearest_cells_that_are_not_blank():
    cells = [cell(0, 0, 0, 0, "a"), cell(0, 0, 1, 1, ""), cell(0, 0, 2, 2, "b"), cell(1, 1, 0, 2, "c")]

    assert relations(cells) == {("a", "b", "right"): 1, ("a", "c", "below"): 1, ("b", "c", "below"): 1}


def test_a_table_that_was_not_read_costs_its_relations_and_its_merged_cells():
    truth = [{"page": 1, "cells": [cell(0, 0, 0, 1, "a"), cell(1, 1, 0, 0, "b"), cell(1, 1, 1, 1, "c")]}]
    missed, read = Score(), Score()

    missed.add("x.pdf", truth, [])
    read.add("x.pdf", truth, [(1, truth[0]["cells"])])

    assert (missed.per_document, missed.spans_right, missed.spans_true) == ([(0.0, "x.pdf")], 0, 1)
    assert (read.per_document, read.spans_right, read.spans_true) == ([(1.0, "x.pdf")], 1, 1)


@pytest.mark.parametrize("style", STYLES)
def test_the_truth_covers_the_same_places_whatever_a_reader_can_tell(tmp_path, style):
    for seed in range(12):
        for table in write_document(tmp_path / "a.pdf", style, random.Random(seed)):
            cells = table["cells"]
            height, width = max(e["r1"] for e in cells) + 1, max(e["c1"] for e in cells) + 1
            assert covered(table["seen"]) == covered(cells) == [(r, c) for r in range(height) for c in range(width)]


def covered(cells):
    return sorted((r, c) for e in cells for r in range(e["r0"], e["r1"] + 1) for c in range(e["c0"], e["c1"] + 1))
