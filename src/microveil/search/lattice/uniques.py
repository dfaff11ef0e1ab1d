"""Population uniqueness in a search: how few unique records have to go."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from microveil.populations.uniqueness import SizeCounts
from microveil.privacy import PopulationUniqueness, PrivacyModel


def of_uniques(models: Sequence[PrivacyModel]) -> tuple[PopulationUniqueness, ...]:
    """The models that look at the sizes of classes alone, and break in unique records."""
    # A class of the user's own may judge otherwise, whatever it is derived from.
    return tuple(
        model
        for model in models
        if isinstance(model, PopulationUniqueness) and type(model) is PopulationUniqueness
    )


def n_to_suppress(
    models: Sequence[PopulationUniqueness], sizes: NDArray[np.int64], most: int
) -> int:
    """How many unique records must go so that all models hold; one more than ``most`` if more.

    Found by halving: the fewer uniques, the smaller the estimate. That holds by definition for
    Zayatz's with the size of the population given; of the others the number found is enough,
    and the smallest as far as they behave alike.

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
    """The smallest number that is enough, between 1 and one that is."""
    low = 0
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high
