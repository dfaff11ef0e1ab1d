from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from microveil.statistics.poisson_fits import iterated_least_squares, proportional_fit

tables = st.lists(st.integers(1, 20), min_size=12, max_size=12).map(
    lambda cells: np.array(cells, dtype=np.float64).reshape(2, 3, 2)
)


@settings(max_examples=30)
@given(tables)
def test_independence_is_the_product_of_its_margins(counts: np.ndarray) -> None:
    fit = proportional_fit(counts, [(0,), (1,), (2,)])
    n = counts.sum()
    one, two, three = counts.sum((1, 2)), counts.sum((0, 2)), counts.sum((0, 1))
    expected = one[:, None, None] * two[:, None] * three / n**2
    assert fit == pytest.approx(expected, rel=1e-6)


@settings(max_examples=30)
@given(tables)
def test_the_margins_asked_for_are_kept(counts: np.ndarray) -> None:
    fit = proportional_fit(counts, [(0, 1), (1, 2)])
    assert fit.sum(2) == pytest.approx(counts.sum(2), rel=1e-6)
    assert fit.sum(0) == pytest.approx(counts.sum(0), rel=1e-6)


def test_cells_that_must_be_empty_stay_empty() -> None:
    start = np.array([[0.0, 1.0], [1.0, 1.0]])
    fit = proportional_fit(np.array([[0.0, 2.0], [3.0, 4.0]]), [(0,), (1,)], start)
    assert fit[0, 0] == 0
    assert fit.sum(1) == pytest.approx([2, 7])


@settings(max_examples=30)
@given(tables)
def test_both_ways_to_fit_a_table_agree(counts: np.ndarray) -> None:
    flat = counts[:, :, 0]
    rows, columns = np.indices(flat.shape)
    effects = [np.ones(6), rows.ravel() == 1, columns.ravel() == 1, columns.ravel() == 2]
    design = np.stack(effects, axis=1).astype(np.float64)
    means = iterated_least_squares(design, flat.ravel(), np.zeros(6))
    assert means == pytest.approx(proportional_fit(flat, [(0,), (1,)]).ravel(), rel=1e-6)


def test_an_offset_scales_the_means() -> None:
    exposure = np.array([1.0, 2.0, 7.0])
    means = iterated_least_squares(np.ones((3, 1)), np.array([3.0, 1.0, 6.0]), np.log(exposure))
    assert means == pytest.approx(exposure)
