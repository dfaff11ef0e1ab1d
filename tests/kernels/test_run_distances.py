from __future__ import annotations

import numpy as np
import pytest

from microveil.kernels.jit import always_compiled
from microveil.kernels.run_distances import sum_distances


@pytest.mark.parametrize("compiled", [False, True])
def test_distances_are_summed_over_the_values_of_each_run(*, compiled: bool) -> None:
    rng = np.random.default_rng(4)
    values = np.sort(rng.normal(0, 10, 40))
    low = rng.integers(0, 30, 6)
    high = low + rng.integers(0, 11, 6)
    chosen = rng.integers(0, 40, 9)
    if compiled:
        with always_compiled():
            found = sum_distances(values, chosen, low, high)
    else:
        found = sum_distances(values, chosen, low, high)
    for i, place in enumerate(chosen):
        for run in range(6):
            apart = np.abs(values[low[run] : high[run]] - values[place]).sum()
            assert found[i, run] == pytest.approx(apart, abs=1e-9)
