from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from microveil.populations.superpopulations import (
    CERTAIN,
    UniqueRisks,
    negative_binomial,
    poisson,
)
from microveil.populations.uniqueness import SizeCounts

N_CLASSES = 400_000


def truth(
    people: np.ndarray[tuple[int], np.dtype[np.int64]], share: float
) -> tuple[SizeCounts, UniqueRisks, int]:
    """A sample, what its unique records really risk, and how many there are."""
    seen = np.random.default_rng(7).binomial(people, share)
    behind = people[seen == 1]
    real = UniqueRisks(float((behind == 1).mean()), float((1 / behind).mean()))
    return SizeCounts.of(seen[seen > 0]), real, len(behind)


def agrees(found: UniqueRisks, real: UniqueRisks, n_unique: int) -> bool:
    """Within five binomial standard errors, which bound those of 1/F too."""
    errors = [5 * np.sqrt(max(p * (1 - p), 1e-4) / n_unique) for p in real]
    return all(abs(a - b) < e for a, b, e in zip(found, real, errors, strict=True))


@pytest.mark.parametrize("share", [0.1, 0.5])
def test_the_poisson_model_finds_the_population_it_is_a_model_of(share: float) -> None:
    people = np.random.default_rng(1).poisson(1.7, N_CLASSES)
    sample, real, n_unique = truth(people, share)
    assert agrees(poisson(sample, share), real, n_unique)


@pytest.mark.parametrize(
    ("shape", "share", "error"), [(0.5, 0.1, 0.0128), (0.5, 0.5, 0.0021), (3.0, 0.2, 0.0013)]
)
def test_the_negative_binomial_model_finds_its_population(
    shape: float, share: float, error: float
) -> None:
    """Within four standard errors, which were measured over thirty draws."""
    rng = np.random.default_rng(2)
    people = rng.poisson(rng.gamma(shape, 2.0, N_CLASSES))
    sample, real, _ = truth(people, share)
    assert negative_binomial(sample, share) == pytest.approx(real, abs=4 * error)
    assert poisson(sample, share) != pytest.approx(real, abs=4 * error)


@given(st.lists(st.integers(1, 9), min_size=1, max_size=30), st.floats(0.001, 1))
@settings(deadline=None, max_examples=15)
def test_chances_are_chances_and_a_match_is_at_least_as_likely_as_being_unique(
    sizes: list[int], share: float
) -> None:
    sample = SizeCounts.of(np.array(sizes))
    for found in (poisson(sample, share), negative_binomial(sample, share)):
        assert 0 <= found.unique <= found.inverse + 1e-12 <= 1 + 2e-12


def test_a_census_and_a_table_of_uniques_leave_no_doubt() -> None:
    for model in (poisson, negative_binomial):
        assert model(SizeCounts.of(np.array([1, 1, 1])), 0.01) == CERTAIN
        assert model(SizeCounts.of(np.array([1, 2, 3])), 1.0) == pytest.approx(CERTAIN)
