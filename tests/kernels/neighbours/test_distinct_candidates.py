from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from microveil.kernels.neighbours.distinct_candidates import distinct
from tests.kernels.gower import mixed
from tests.kernels.neighbours.test_gower_by_columns import repeated


@given(seed=st.integers(0, 10_000), n=st.integers(1, 12), times=st.integers(1, 4))
@settings(max_examples=40, deadline=None)
def test_every_candidate_is_found_again(seed: int, n: int, times: int) -> None:
    _, candidates, _ = mixed(seed, n, 1)
    many = repeated(candidates, times)
    found = distinct(many)
    assert found.counts.sum() == n * times
    assert np.array_equal(np.bincount(found.groups), found.counts)
    for name in ("numbers", "codes", "labels"):
        once, all_ = getattr(found.candidates, name), getattr(many, name)
        assert np.array_equal(once[:, found.groups], all_, equal_nan=name == "numbers")
    assert times <= 2 or len(found.counts) <= n
