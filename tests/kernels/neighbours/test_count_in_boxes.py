from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from microveil.kernels.linkage.link_bounds import Candidates
from microveil.kernels.neighbours.count_in_boxes import count_in_boxes
from tests.kernels.mixed import CODES, some_rows
from tests.kernels.ways import both_ways

seeds = st.integers(0, 2**32 - 1)
sizes = st.integers(1, 60)


@given(seeds, sizes)
@settings(max_examples=25, deadline=None)
def test_boxes_hold_what_a_scan_finds_in_them(seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    records, weights = some_rows(rng, n), rng.integers(1, 4, n)
    low = rng.integers(0, CODES, (9, 5)).astype(np.float64)
    high = low + rng.integers(0, 3, (9, 5))
    low[0], high[0] = -np.inf, np.inf
    counts, plain = both_ways(lambda: count_in_boxes(low, high, Candidates(records, weights)))
    assert counts.tolist() == plain.tolist()
    outside = (records[None] < low[:, None]) | (records[None] > high[:, None])
    assert counts.tolist() == (~outside.any(axis=2) @ weights).tolist()
    assert counts[0] == weights.sum()


def test_nobody_and_no_columns_are_counted_as_such() -> None:
    nobody, nothing = np.zeros((0, 2)), np.zeros(0, np.int64)
    assert not len(count_in_boxes(nobody, nobody, Candidates(nobody, nothing)))
    assert count_in_boxes(
        np.zeros((2, 2)), np.ones((2, 2)), Candidates(nobody, nothing)
    ).tolist() == [0, 0]
    blank = np.zeros((3, 0))
    everybody = Candidates(np.zeros((1, 0)), np.array([3]))
    assert count_in_boxes(blank, blank, everybody).tolist() == [3, 3, 3]


def test_units_of_columns_change_no_count() -> None:
    rng = np.random.default_rng(5)
    records = rng.lognormal(0, 2, (200, 4)) * [1e12, 1e-12, 1.0, 0.0]
    records[0] = np.nan
    low, high = records * 0.9, records * [1.5, 1.1, 1.0, 1.0]
    low, high = np.where(np.isnan(low), -np.inf, low), np.where(np.isnan(high), np.inf, high)
    counts, plain = both_ways(
        lambda: count_in_boxes(low, high, Candidates(records, np.ones(200, np.int64)))
    )
    outside = (records[None] < low[:, None]) | (records[None] > high[:, None])
    assert counts.tolist() == plain.tolist() == (~outside.any(axis=2)).sum(axis=1).tolist()
