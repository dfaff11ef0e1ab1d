from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from microveil.risk.population.record_risks import RiskCounts, posterior_sd


@given(
    st.lists(st.tuples(st.integers(1, 9), st.integers(1, 5)), min_size=1, max_size=12),
    st.floats(0.01, 1),
)
@settings(deadline=None)
def test_the_threshold_is_the_largest_risk_that_cutting_off_at_makes_safe(
    found: list[tuple[int, int]], goal: float
) -> None:
    risks = np.array([1 / f for f, _ in found])
    counts = np.array([n for _, n in found])
    everyone = np.repeat(risks, counts)
    safe = [r for r in set(risks) if np.minimum(everyone, r).sum() < goal * len(everyone) - 1e-12]
    near = any(
        abs(np.minimum(everyone, r).sum() - goal * len(everyone)) <= 1e-12 for r in set(risks)
    )
    threshold = RiskCounts.of(risks, counts).threshold_for(goal)
    assert near or threshold == pytest.approx(max(safe, default=0.0))


@given(st.lists(st.tuples(st.integers(1, 9), st.integers(1, 5)), min_size=1, max_size=12))
@settings(deadline=None)
def test_records_far_above_the_others_are_counted_as_sdcmicro_does(
    found: list[tuple[int, int]],
) -> None:
    risks = np.array([1 / f for f, _ in found])
    counts = np.array([n for _, n in found])
    everyone = np.repeat(risks, counts)
    middle = np.median(everyone)
    spread = 1.4826 * np.median(np.abs(everyone - middle))
    expected = int((everyone > max(middle + 3 * spread, 0.1)).sum())
    assert RiskCounts.of(risks, counts).n_far_above() == expected


def test_classes_put_together_have_nearly_the_same_deviation() -> None:
    rng = np.random.default_rng(0)
    sizes = rng.geometric(0.2, 15_000).astype(np.float64)
    sizes[:40] += 100
    drawn = rng.uniform(0.001, 1, 15_000)
    doubled = posterior_sd(np.tile(sizes, 2), np.tile(drawn, 2))
    assert doubled == pytest.approx(math.sqrt(2) * posterior_sd(sizes, drawn), rel=1e-3)
