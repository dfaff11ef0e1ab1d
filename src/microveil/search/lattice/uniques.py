"""Population uniqueness in a search: how few unique records must be suppressed."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from microveil.populations.uniqueness import SizeCounts
from microveil.privacy import PopulationUniqueness, PrivacyModel


def of_uniques(models: Sequence[PrivacyModel]) -> tuple[PopulationUniqueness, ...]:
    """The models that depend on class sizes alone, and fail in unique records."""
    # A user's subclass may judge differently, whatever it is derived from.
    return tuple(
        model
        for model in models
        if isinstance(model, PopulationUniqueness) and type(model) is PopulationUniqueness
    )


def n_to_suppress(
    models: Sequence[PopulationUniqueness], sizes: NDArray[np.int64], most: int
) -> int:
    """Number of unique records to suppress so that all models hold; at most ``most`` + 1.

    Found by bisection: the fewer uniques, the smaller the estimate. This holds by definition for
    Zayatz's with a given population size; for the others the number found is sufficient, and
    minimal as far as they behave the same way.

    >>> model = PopulationUniqueness(threshold=0.1, population_size=60, estimator="zayatz")
    >>> n_to_suppress([model], np.array([1] * 20 + [3] * 10), 20)
    14
    """
    sample = SizeCounts.of(sizes)
    n_unique = int(sample.of_size(1))

    def enough(n_gone: int) -> bool:
        left = sample.counts - np.where(sample.sizes == 1, n_gone, 0)
        there = left > 0
        kept = SizeCounts(sample.sizes[there], left[there])
        return all(model.holds_for(kept) for model in models)

    if not n_unique or enough(0):
        return 0
    if n_unique > most and not enough(most):
        return most + 1
    return _least(enough, min(n_unique, most))


def _least(enough: Callable[[int], bool], high: int) -> int:
    """The smallest sufficient number, between 1 and a known one."""
    low = 0
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high
