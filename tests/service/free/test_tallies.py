from __future__ import annotations

import numpy as np
import pytest

from microveil.dp import Contingency, Count, Declaration, Histogram, Mean, Sum
from microveil.service.free.tallies import grid_of, tally

DECLARATION = Declaration.parse(
    {
        "name": "t",
        "columns": {
            "age": {"type": "integer", "bounds": [0, 6]},
            "sex": {"type": "text", "keys": ["f", "m"]},
            "town": {"type": "text"},
        },
    }
)


def test_sums_over_rows_are_tallies_and_other_queries_are_not() -> None:
    count = tally(Count(by=("sex",)), DECLARATION)
    assert count is not None
    assert (count.measure, count.size, count.present) == ("rows", 2, ())
    assert count.keys() == [{"sex": "f"}, {"sex": "m"}]
    total = tally(Sum(column="age"), DECLARATION)
    assert total is not None
    assert (total.measure, total.present, total.size) == ("sum of age", ("age",), 1)
    table = tally(Contingency(columns=("sex",)), DECLARATION)
    assert table is not None
    assert table.columns == ("sex",)
    assert tally(Mean(column="age"), DECLARATION) is None
    assert tally(Count(by=("town",)), DECLARATION) is None  # its keys are private


def test_groups_and_filters_divide_the_atoms() -> None:
    whole = tally(Count(), DECLARATION)
    by_sex = tally(Count(by=("sex",), where="age >= 3"), DECLARATION)
    below = tally(Count(where="age < 3"), DECLARATION)
    assert whole is not None
    assert by_sex is not None
    assert below is not None
    grid = grid_of([whole, by_sex, below], DECLARATION, complete=["sex", "age"])
    assert grid is not None
    masks = by_sex.masks(grid)
    assert not (masks[0] & masks[1]).any()
    assert np.array_equal(masks.any(axis=0) | below.masks(grid)[0], whole.masks(grid)[0])


def test_too_many_atoms_are_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    from microveil.service.free import tallies

    bins = tally(Histogram(column="age", edges=(0, 2, 4, 6)), DECLARATION)
    assert bins is not None
    assert bins.size == 3
    monkeypatch.setattr(tallies, "MOST_ATOMS", 2)
    assert grid_of([bins], DECLARATION, complete=["age"]) is None
