from __future__ import annotations

import numpy as np
import pytest

from microveil.synthesis.private.evidence import (
    DOUBT,
    choice_slack,
    distance_at_most,
    noise_at_most,
)

RNG = np.random.default_rng(4)


def test_the_distance_stays_below_its_bound_however_the_noise_falls() -> None:
    truth, reference = RNG.integers(0, 40, 30).astype(float), np.full(30, 20.0)
    distance = np.abs(truth - reference).sum()
    bounds = [distance_at_most(truth + RNG.normal(0, 5, 30), reference, 5.0) for _ in range(500)]
    assert min(bounds) >= distance


def test_noise_stays_below_its_bound() -> None:
    variance = np.array([1.0, 4.0, 9.0, 100.0])
    drawn = np.abs(RNG.normal(0, np.sqrt(variance), (4000, 4))).sum(axis=1)
    assert (drawn > noise_at_most(variance)).mean() <= 4 * DOUBT + 0.002
    assert noise_at_most(variance / 100) == pytest.approx(noise_at_most(variance) / 10)


def test_a_choice_falls_short_by_no_more_than_its_slack() -> None:
    scores = np.zeros(10)
    scores[0] = -choice_slack(2.0, 10)
    chosen = [(scores + RNG.gumbel(0, 2.0, 10)).argmax() for _ in range(2000)]
    assert np.mean(np.array(chosen) == 0) <= 0.005
    assert choice_slack(0.0, 10) == pytest.approx(0)
