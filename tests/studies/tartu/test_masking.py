"""Replications are masked many at once, each by itself."""

from __future__ import annotations

import numpy as np
import pytest

from microveil.studies.tartu.masking import (
    METHODS,
    SWAPS,
    correlations,
    masked_by,
    normal_data,
    rank_correlations,
)


def test_the_data_are_standard_normal_with_the_correlation_asked_for() -> None:
    data = normal_data(400, 0.6, 3, 50, np.random.default_rng(1))
    assert data.shape == (50, 400, 3)
    assert data.mean() == pytest.approx(0, abs=0.03)
    assert data.std() == pytest.approx(1, abs=0.03)
    assert correlations(data[:, :, 0], data[:, :, 2]).mean() == pytest.approx(0.6, abs=0.02)


@pytest.mark.parametrize("method", METHODS)
def test_values_stay_in_their_column_and_replication(method: str) -> None:
    data = normal_data(60, 0.4, 2, 4, np.random.default_rng(2))
    before, after = masked_by(method, data, np.random.default_rng(3))
    assert before.shape == after.shape == (4, 30, 2)
    assert np.array_equal(before, data[:, :30])
    assert not np.array_equal(before, after)
    if method == "C&S":
        # Halves are exchanged: what is released are the others' values.
        assert np.array_equal(np.sort(after, axis=1), np.sort(data[:, 30:], axis=1))
    else:
        assert np.array_equal(np.sort(after, axis=1), np.sort(before, axis=1))


@pytest.mark.parametrize("method", SWAPS)
def test_swaps_keep_to_their_share_of_the_ranks(method: str) -> None:
    data = normal_data(80, 0.0, 2, 3, np.random.default_rng(4))
    before, after = masked_by(method, data, np.random.default_rng(5))
    ranks = [np.argsort(np.argsort(one, axis=1), axis=1) for one in (before, after)]
    assert np.abs(ranks[0] - ranks[1]).max() <= max(SWAPS[method] * 40, 1)


def test_correlations_are_pearsons_and_spearmans() -> None:
    x = np.array([[1.0, 2.0, 3.0, 10.0]])
    y = np.array([[1.0, 4.0, 9.0, 100.0]])
    assert correlations(x, y)[0] == pytest.approx(np.corrcoef(x[0], y[0])[0, 1])
    assert rank_correlations(np.stack([x, y], axis=2))[0] == pytest.approx(1.0)
    assert rank_correlations(np.stack([x, -y], axis=2))[0] == pytest.approx(-1.0)
