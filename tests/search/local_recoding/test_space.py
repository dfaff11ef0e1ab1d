from __future__ import annotations

import numpy as np
import pytest

from microveil.search.local_recoding.space import RecodingSpace
from tests.search.local_recoding.cases import FRAME, recoding_space


def cell_cost(space: RecodingSpace, town: str, level: int) -> float:
    """Cost of the label of a town at a level."""
    key = space.keys[0]
    value = space.stairs[0].distinct.values.to_list().index(town)
    return float(key.cost[level, key.code_of_value[value]])


def test_codes_of_one_label_are_neighbours_on_every_level() -> None:
    space = recoding_space()
    for key in space.keys:
        for first in key.first:
            runs = np.flatnonzero(np.diff(first)) + 1
            assert all(first[run] == run for run in runs)
    assert space.weights.sum() == space.n_records == FRAME.height
    assert len(space.codes) == FRAME.n_unique()


@pytest.mark.parametrize(
    ("loss", "costs"),
    [
        ("loss", [0.0, 2 / 4, 1.0]),
        ("precision", [0.0, 1 / 2, 1.0]),
        ("height", [0.0, 1.0, 2.0]),
        ("entropy_based", [0.0, np.log10(3) / np.log10(10), np.log10(5) / np.log10(10)]),
        ("non_uniform_entropy", [np.log2(3), np.log2(5), np.log2(8)]),
    ],
)
def test_a_label_costs_what_it_covers_its_level_or_what_it_hides(
    loss: str, costs: list[float]
) -> None:
    # Lyon is in 3 of 8 records, France in 5; the trees have 5 towns and 2 sexes.
    space = recoding_space(loss=loss)
    assert [cell_cost(space, "Lyon", level) for level in range(3)] == pytest.approx(costs)


@pytest.mark.parametrize("loss", ["loss", "precision"])
def test_a_record_that_is_all_stars_costs_one(loss: str) -> None:
    space = recoding_space(loss=loss)
    tops = np.array([key.top for key in space.keys])
    assert float(space.factors @ tops) == pytest.approx(1.0)
    everything = tops * space.n_records
    assert space.loss(space.loss_by_key(everything)) == pytest.approx(1.0)
    assert space.loss(space.loss_by_key(0 * everything)) == 0.0
