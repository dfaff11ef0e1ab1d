from __future__ import annotations

import numpy as np

from microveil.methods.additive_noise.outliers import outlying


def test_values_above_the_quantile_stand_out() -> None:
    points = np.arange(1000.0).reshape(-1, 1)
    flags = outlying(points)
    assert np.flatnonzero(flags).tolist() == list(range(990, 1000))


def test_about_the_expected_share_of_normal_records_stands_out() -> None:
    points = np.random.default_rng(0).normal(size=(5000, 3))
    share = outlying(points).mean()
    # 2.5 per cent by distance, 1 per cent in each of three columns, some by both.
    assert 0.03 < share < 0.07


def test_a_cluster_far_away_does_not_hide_itself() -> None:
    rng = np.random.default_rng(0)
    points = rng.normal(size=(500, 2))
    points[:150] = rng.normal(-8, 0.1, size=(150, 2))
    flags = outlying(points)
    assert flags[:150].all()
    assert flags[150:].mean() < 0.1


def test_records_off_a_plane_stand_out() -> None:
    rng = np.random.default_rng(0)
    x = rng.normal(size=300)
    points = np.column_stack([x, 2 * x])
    points[7] = [0.0, 0.5]
    flags = outlying(points)
    assert flags[7]
    assert flags.mean() < 0.1


def test_constants_gaps_and_few_records_are_no_problem() -> None:
    rng = np.random.default_rng(0)
    assert not outlying(np.ones((50, 2))).any()
    assert not outlying(np.full((50, 2), np.nan)).any()
    assert outlying(np.zeros((0, 2))).tolist() == []
    points = rng.normal(size=(100, 2))
    points[3] = [np.nan, 50.0]
    assert outlying(points)[3]
