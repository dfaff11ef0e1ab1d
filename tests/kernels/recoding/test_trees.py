from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from microveil.kernels.recoding.trees import (
    common_cost,
    common_level,
    common_levels,
    pair_table,
)
from microveil.search.local_recoding import space as recoding_space
from tests.kernels.recoded import everything


@pytest.mark.parametrize("table_cells", [0, 2**22])
def test_a_common_label_costs_the_same_by_table_and_by_climbing(
    table_cells: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recoding_space, "TABLE_CELLS", table_cells)
    space = everything()
    assert ((space.trees.pair >= 0) == (table_cells > 0)).all()
    for j, key in enumerate(space.keys):
        n = key.first.shape[1]
        for low, high in product(range(n), range(n)):
            level = next(
                at for at in range(len(key.first)) if key.first[at, low] == key.first[at, high]
            )
            assert common_level(space.trees, j, low, high) == level
            expected = key.cost[level, low] * space.factors[j]
            assert common_cost(space.trees, j, low, high) == pytest.approx(expected)


def test_the_table_of_pairs_holds_what_climbing_finds() -> None:
    space = everything()
    for j, key in enumerate(space.keys):
        n = key.first.shape[1]
        cost = (key.cost * space.factors[j]).ravel()
        table = pair_table(key.first.ravel().astype(np.int32), cost, n).reshape(n, n)
        assert (table == table.T).all()
        for low, high in product(range(n), range(n)):
            level = next(
                at for at in range(len(key.first)) if key.first[at, low] == key.first[at, high]
            )
            assert table[low, high] == pytest.approx(cost.reshape(-1, n)[level, low])


def test_levels_of_classes_are_those_of_their_ends() -> None:
    space = everything()
    rng = np.random.default_rng(0)
    n_codes = np.array([key.first.shape[1] for key in space.keys])
    ends = np.sort(rng.integers(0, n_codes, (2, 30, 3)), axis=0).astype(np.int32)
    found = common_levels(space.trees, ends[0], ends[1])
    for row, column in product(range(30), range(3)):
        low, high = int(ends[0, row, column]), int(ends[1, row, column])
        assert found[row, column] == common_level(space.trees, column, low, high)
