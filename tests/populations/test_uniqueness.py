from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microveil.populations.uniqueness import SMALL_SAMPLE, Estimator, SizeCounts, unique_share


def sampled(share: float, seed: int = 1) -> tuple[SizeCounts, int, float]:
    """Class sizes of a sample, the population's size, and its true share of uniques."""
    rng = np.random.default_rng(seed)
    people = rng.zipf(1.6, 40_000) % 5_000
    _, population = np.unique(people, return_counts=True)
    drawn = rng.choice(people, round(share * len(people)), replace=False)
    _, sizes = np.unique(drawn, return_counts=True)
    return SizeCounts.of(sizes), len(people), float((population == 1).sum() / len(people))


@given(st.lists(st.integers(1, 9), min_size=1, max_size=30))
def test_sizes_are_counted(sizes: list[int]) -> None:
    found = SizeCounts.of(np.array(sizes))
    assert (found.n, found.n_classes) == (sum(sizes), len(sizes))
    assert all(found.of_size(size) == sizes.count(size) for size in range(12))


@pytest.mark.parametrize("estimator", ["dankar", "pitman", "zayatz"])
@pytest.mark.parametrize("share", [0.05, 0.5])
def test_estimates_are_of_the_true_size(estimator: Estimator, share: float) -> None:
    sample, size, truth = sampled(share)
    found = unique_share(sample, size, estimator)
    assert 0 <= found <= 1
    assert found == pytest.approx(truth, abs=0.05)


def test_a_sample_without_uniques_has_a_population_without_them() -> None:
    sample = SizeCounts.of(np.array([2, 3, 4]))
    assert unique_share(sample, 1000, "pitman") == 0


def test_the_rule_of_dankar_takes_pitman_for_small_samples() -> None:
    sample, size, _ = sampled(SMALL_SAMPLE / 2)
    assert unique_share(sample, size, "dankar") == unique_share(sample, size, "pitman")
