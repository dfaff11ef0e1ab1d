from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import polars as pl
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from microveil.plots.bins import N_BINS, counts_in, numbers_of, round_edges, round_width
from microveil.plots.small_counts import SMALL_COUNT, drawable

samples = hnp.arrays(np.float64, st.integers(0, 60), elements=st.floats(-1e9, 1e9))


@given(samples)
def test_every_value_is_in_exactly_one_bin(values: np.ndarray) -> None:
    edges = round_edges(values)

    assert (np.diff(edges) > 0).all()
    assert counts_in(values, edges).sum() == len(values)
    assert len(edges) <= N_BINS + 3


@given(hnp.arrays(np.float64, st.integers(1, 60), elements=st.integers(-500, 500).map(float)))
def test_bins_count_what_lies_between_their_edges(values: np.ndarray) -> None:
    edges = round_edges(values)

    naive = [((values >= a) & (values < b)).sum() for a, b in pairwise(edges)]
    assert counts_in(values, edges).tolist() == naive


@given(st.floats(1e-9, 1e9))
def test_widths_are_round(raw: float) -> None:
    width = round_width(raw)

    digit = width / 10 ** math.floor(math.log10(width * (1 + 1e-12)))
    assert raw * (1 - 1e-9) <= width <= 2.5 * raw * (1 + 1e-9)
    assert min(abs(digit - one) for one in (1, 2, 5)) < 1e-9


def test_a_constant_column_has_one_bin() -> None:
    assert len(round_edges(np.full(5, 3.7))) == 2
    assert round_edges(np.empty(0)).tolist() == [0.0, 1.0]


def test_missing_and_infinite_numbers_are_left_out() -> None:
    column = pl.Series([1.0, None, float("nan"), float("inf")])

    assert numbers_of(column).tolist() == [1.0]


@given(st.integers(0, 5_000))
def test_the_public_sees_nothing_or_a_multiple_of_the_small_count(count: int) -> None:
    shown = drawable(count, public=True)

    assert shown % SMALL_COUNT == 0
    assert (shown == 0) == (count < SMALL_COUNT)
    assert count < SMALL_COUNT or abs(shown - count) <= SMALL_COUNT / 2
    assert drawable(count, public=False) == count
