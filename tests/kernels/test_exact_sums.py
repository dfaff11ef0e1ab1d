import math

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from microveil.kernels.exact_sums import add_exactly

# Decimals: a sum within 32 digits, where the pair of floats is exact but for ties.
VALUES = st.lists(st.floats(-1e9, 1e9).map(lambda value: round(value, 6)), max_size=40)


@given(VALUES)
@settings(deadline=None)
def test_the_running_sum_is_the_exact_sum_rounded(values: list[float]) -> None:
    high, low = np.zeros(1), np.zeros(1)
    for value in values:
        add_exactly(high, low, 0, value)
    assert abs(high[0] - math.fsum(values)) <= 1e-22 * sum(map(abs, values))


def test_taking_everything_out_again_leaves_nothing() -> None:
    values = np.random.default_rng(0).lognormal(sigma=5, size=10_000)
    high, low = np.zeros(1), np.zeros(1)
    for value in values:
        add_exactly(high, low, 0, value)
    for value in values:
        add_exactly(high, low, 0, -value)
    assert abs(high[0]) < 1e-25 * values.sum()
