from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from microveil.kernels.sorting import argsort, sort_integers

sizes = st.integers(0, 100)


@given(seed=st.integers(0, 10_000), n=sizes, levels=st.integers(1, 50))
@settings(max_examples=80, deadline=None)
def test_equal_values_keep_their_order(seed: int, n: int, levels: int) -> None:
    values = np.random.default_rng(seed).integers(0, levels, n) / 8
    assert argsort(values).tolist() == np.argsort(values, kind="stable").tolist()


@given(seed=st.integers(0, 10_000), n=sizes, narrow=st.booleans())
@settings(max_examples=80, deadline=None)
def test_whole_numbers_are_sorted_in_place(seed: int, n: int, *, narrow: bool) -> None:
    numbers = np.random.default_rng(seed).integers(-50, 50, n)
    numbers = numbers.astype(np.int32) if narrow else numbers
    expected = np.sort(numbers)
    sort_integers(numbers)
    assert np.array_equal(numbers, expected)
