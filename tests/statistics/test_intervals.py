from __future__ import annotations

import numpy as np
import pytest

from microveil.risk.attacks.rates import Rate
from microveil.statistics.intervals import area_interval, difference_interval, wilson


def test_shares_have_wilson_s_interval() -> None:
    # Newcombe (1998), method 3, 81 of 263.
    found = wilson(81 / 263, 263, 0.95)
    assert found.centre - found.error == pytest.approx(0.2553, abs=5e-5)
    assert found.centre + found.error == pytest.approx(0.3662, abs=5e-5)


def test_differences_have_newcombe_s_interval() -> None:
    # Newcombe (1998b), method 10, example (a): 56/70 and 48/80.
    first, second = Rate(70, 56), Rate(80, 48)
    found = difference_interval(first.share, first.interval, second.share, second.interval)
    assert found == pytest.approx((0.0524, 0.3339), abs=5e-5)
    assert difference_interval(1.0, (0.9, 1.0), 0.0, (0.0, 0.1))[1] == 1.0


def test_the_interval_of_an_area_covers_the_truth_about_as_often_as_it_says() -> None:
    rng = np.random.default_rng(2)
    hits, true_area = 0, 0.7601999  # Φ(1/√2)
    for _ in range(400):
        first, second = rng.normal(1, 1, 60), rng.normal(0, 1, 80)
        area = float((first[:, None] > second).mean())
        low, high = area_interval(area, 60, 80, 0.9)
        hits += low <= true_area <= high
    assert 0.85 < hits / 400 < 0.95


def test_without_one_of_the_groups_an_area_may_be_anything() -> None:
    assert area_interval(0.5, 0, 10, 0.95) == (0.0, 1.0)
