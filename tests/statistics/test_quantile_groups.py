from __future__ import annotations

import numpy as np
import pytest

from microveil.statistics.quantile_groups import quantile_groups


@pytest.mark.parametrize("n_groups", [2, 5, 20])
def test_groups_of_distinct_numbers_are_about_equally_large(n_groups: int) -> None:
    values = np.random.default_rng(1).permutation(1000).astype(float)
    first, second, n = quantile_groups(values, values[:10], n_groups)
    counts = np.bincount(first, minlength=n)
    assert counts[:n_groups].min() >= 1000 // n_groups - 1
    assert counts[n_groups:].sum() == 0
    assert second.tolist() == first[:10].tolist()


def test_missing_cells_share_the_last_group_and_outliers_the_outermost() -> None:
    before = np.array([1.0, 2.0, 3.0, 4.0, np.nan])
    first, second, n = quantile_groups(before, np.array([-9.0, 99.0, np.nan]), 4)
    assert n == 5
    assert first.tolist() == [0, 1, 2, 3, 4]
    assert second.tolist() == [0, 3, 4]


def test_equal_numbers_stay_together_and_nothing_present_is_one_group() -> None:
    first, _, n = quantile_groups(np.array([1.0] * 9 + [2.0]), np.array([1.0]), 4)
    assert len(set(first[:9].tolist())) == 1
    assert n <= 5
    empty, other, n = quantile_groups(np.array([np.nan]), np.array([3.0]), 4)
    assert (empty.tolist(), other.tolist(), n) == ([1], [0], 2)
