from __future__ import annotations

import numpy as np
import pytest

import microveil as mv
from microveil.tabulation.protections.cell_keys.noise_rows import noise_row

PUBLISHED = [
    ({"count": 1, "deviation": 2, "variance": 0.9}, [0.3625, 0.3625, 0.1875, 0.0875]),
    (
        {"count": 2, "deviation": 2, "variance": 0.9},
        [0.05154609, 0.24381564, 0.40927654, 0.24381564, 0.05154609],
    ),
    (
        {"count": 2, "deviation": 2, "variance": 1.0},
        [0.06382714, 0.24469145, 0.3829628, 0.24469145, 0.06382714],
    ),
    (
        {"count": 1, "deviation": 2, "variance": 1.05, "smallest": 1},
        [0.50833333, 0.475, 0.01666667],
    ),
    (
        {"count": 2, "deviation": 2, "variance": 1.05, "smallest": 1},
        [0.16155827, 0.55565037, 0.24246618, 0.04032518],
    ),
    (
        {"count": 3, "deviation": 2, "variance": 1.05, "smallest": 1, "monotone": False},
        [0.41231301, 0.28806097, 0.18693903, 0.11268699],
    ),
    (
        {"count": 4, "deviation": 2, "variance": 1.05, "smallest": 1},
        [0.07012498, 0.24450007, 0.3707499, 0.24450007, 0.07012498],
    ),
    (
        {"count": 1, "deviation": 5, "variance": 3.0, "smallest": 2},
        [0.73446954, 0.13672019, 0.07279631, 0.03742956, 0.018584399],
    ),
    (
        {"count": 2, "deviation": 5, "variance": 3.0, "smallest": 2},
        [0.40880704, 0.406643537, 0.14762401, 0.03231882, 0.004266868, 0.0003397188],
    ),
]
"""Rows of perturbation tables that ptable publishes."""


@pytest.mark.parametrize(("asked", "shares"), PUBLISHED)
def test_rows_are_those_published(asked: dict[str, float], shares: list[float]) -> None:
    assert noise_row(**asked).shares == pytest.approx(shares, abs=1e-6)  # type: ignore[arg-type]


@pytest.mark.parametrize("stay", [None, 0.3, 0.5])
@pytest.mark.parametrize("smallest", [0, 2])
@pytest.mark.parametrize("count", [2, 5, 9])
def test_what_was_asked_for_holds(count: int, smallest: int, stay: float | None) -> None:
    row = noise_row(count, deviation=8, variance=4.0, smallest=smallest, stay=stay)
    assert row.shares.sum() == pytest.approx(1)
    assert row.mean == pytest.approx(0, abs=1e-9)
    assert row.variance == pytest.approx(4)
    assert not ((row.targets > 0) & (row.targets <= smallest)).any()
    if stay is not None and count in row.targets:
        assert row.shares[row.targets == count] == pytest.approx(stay)


def test_a_variance_that_is_impossible_is_an_error_with_what_is_possible() -> None:
    with pytest.raises(mv.GoalNotReachedError, match="between 0 and 1 is possible"):
        noise_row(1, deviation=2, variance=1.2)


def test_zero_stays_zero() -> None:
    row = noise_row(0, deviation=3, variance=1.0)
    assert (row.targets.tolist(), row.shares.tolist()) == ([0], [1.0])
    assert np.isclose(row.variance, 0)
