import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from microveil.arrays import Floats, Ints
from microveil.kernels.microaggregation.grouping import (
    move_record,
    open_grouping,
    price_of_joining,
    price_of_leaving,
    price_of_swap,
    swap_records,
)


def _naive_sse(points: Floats, labels: Ints) -> float:
    parts = [points[labels == group] for group in np.unique(labels)]
    return float(sum(((part - part.mean(axis=0)) ** 2).sum() for part in parts))


@given(st.integers(0, 2**32 - 1))
@settings(deadline=None)
def test_prices_are_the_changes_they_announce(seed: int) -> None:
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(20, 3))
    labels = rng.permutation(np.repeat(np.arange(4), [3, 5, 6, 6])).astype(np.int32)
    grouping = open_grouping(points, labels, 4)
    before = _naive_sse(points, labels)
    first, second = np.flatnonzero(labels == 1)[0], np.flatnonzero(labels == 2)[0]
    price = price_of_swap(grouping, first, second)
    swap_records(grouping, first, second)
    assert _naive_sse(points, grouping.labels) - before == pytest.approx(price)
    before = _naive_sse(points, grouping.labels)
    price = price_of_leaving(grouping, first) + price_of_joining(grouping, first, 1)
    move_record(grouping, first, 1)
    assert _naive_sse(points, grouping.labels) - before == pytest.approx(price)
