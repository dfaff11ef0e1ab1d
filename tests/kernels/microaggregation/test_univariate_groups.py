import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from microveil.arrays import Floats, Ints
from microveil.kernels.microaggregation.group_means import group_sse
from microveil.kernels.microaggregation.mdav import mdav
from microveil.kernels.microaggregation.univariate_groups import (
    fixed_groups,
    mdav_groups,
    optimal_groups,
)
from tests.kernels.casc import columns, sizes_hold, tables


def _sse(values: Floats, labels: Ints) -> float:
    return float(group_sse(values.reshape(-1, 1), labels).sum())


def _spread(values: Floats) -> float:
    return float(((values - values.mean()) ** 2).sum())


def brute_force(values: Floats, k: int) -> float:
    """Least sum of squares over all ways to cut the sorted values into groups of k..2k−1."""
    values = np.sort(values)
    best = [0.0] + [np.inf] * len(values)
    for stop in range(k, len(values) + 1):
        best[stop] = min(
            best[start] + _spread(values[start:stop])
            for start in range(max(0, stop - 2 * k + 1), stop - k + 1)
        )
    return best[-1]


@given(st.integers(1, 5), st.data())
@settings(deadline=None, max_examples=200)
def test_mdav_on_one_column_is_mdav(k: int, data: st.DataObject) -> None:
    points = data.draw(tables(least=k, widest=1))
    assert mdav_groups(points[:, 0], k).tolist() == mdav(points, k).tolist()


@given(st.integers(1, 5), st.data())
@settings(deadline=None, max_examples=200)
def test_optimal_groups_are_as_good_as_brute_force(k: int, data: st.DataObject) -> None:
    values = data.draw(tables(least=k, most=40, widest=1))[:, 0]
    labels = optimal_groups(values, k)
    assert sizes_hold(labels, k)
    assert _sse(values, labels) == pytest.approx(brute_force(values, k), rel=1e-9, abs=1e-6)
    assert _sse(values, labels) <= _sse(values, mdav_groups(values, k)) * (1 + 1e-9) + 1e-6


def test_cuts_are_the_best_of_all_partitions() -> None:
    values = np.random.default_rng(0).normal(size=11)
    k, least = 2, np.inf
    for parts in range(1, 6):
        for sizes in itertools.product((2, 3), repeat=parts):
            if sum(sizes) == 11:
                pieces = np.split(np.sort(values), np.cumsum(sizes)[:-1])
                least = min(least, sum(map(_spread, pieces)))
    assert _sse(values, optimal_groups(values, k)) == pytest.approx(least)


@pytest.mark.parametrize("k", [5, 80])
def test_optimal_groups_survive_a_large_offset_and_outliers(k: int) -> None:
    values = np.random.default_rng(1).integers(0, 1000, 2000) / 1024
    values[:3] = [4e5, 5e5, 6e5]
    plain, moved = optimal_groups(values, k), optimal_groups(values + 2.0**30, k)
    assert _sse(values, moved) == pytest.approx(_sse(values, plain), rel=1e-12)
    assert _sse(values, plain) == pytest.approx(brute_force(values, k), rel=1e-12)


def test_fixed_groups_take_k_neighbours_and_the_last_the_rest() -> None:
    values = np.array([7.0, 1.0, 3.0, 2.0, 6.0, 5.0, 4.0, 8.0])
    assert fixed_groups(values, 3).tolist() == [1, 0, 0, 0, 1, 1, 1, 1]


def test_sums_of_squares_are_those_of_sdcmicro_on_sales() -> None:
    sales = columns("Tarragona")[:, 6]
    assert _sse(sales, fixed_groups(sales, 3)) == pytest.approx(21879641754492, rel=1e-12)
    assert _sse(sales, optimal_groups(sales, 3)) == pytest.approx(21359950567662.7, rel=1e-12)


@given(st.integers(1, 5), st.data())
@settings(deadline=None, max_examples=50)
def test_groups_have_k_to_2k_less_one_values(k: int, data: st.DataObject) -> None:
    values = data.draw(tables(least=k, widest=1))[:, 0]
    assert sizes_hold(fixed_groups(values, k), k)
    assert sizes_hold(mdav_groups(values, k), k)


@pytest.mark.parametrize("group", [fixed_groups, mdav_groups, optimal_groups])
def test_too_few_or_missing_values_are_refused(group: object) -> None:
    assert callable(group)
    with pytest.raises(ValueError, match="A group needs k = 3 records, there are 2"):
        group(np.zeros(2), 3)
    with pytest.raises(ValueError, match="finite"):
        group(np.array([1.0, np.nan]), 2)
    with pytest.raises(ValueError, match="one column"):
        group(np.zeros((3, 2)), 2)
