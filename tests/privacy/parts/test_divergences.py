from __future__ import annotations

from collections import Counter

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microveil.privacy.parts.distribution import distribution
from microveil.privacy.parts.divergences import (
    hellinger_distances,
    kolmogorov_smirnov_distances,
    kullback_leibler_distances,
)
from microveil.tables import Classes, Table


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 4)), min_size=1, max_size=20))
def test_distances_are_those_of_all_values_written_out(some: list[tuple[int, int]]) -> None:
    frame = pl.DataFrame(some, schema=["q", "s"], orient="row")
    classes = Classes.of(Table(frame), ["q"])
    found = distribution(classes, "s")
    table = Counter(s for _, s in some)
    q = np.array([table[value] / len(some) for value in range(5)])
    for i, key in enumerate(classes.keys["q"]):
        inside = Counter(s for k, s in some if k == key)
        p = np.array([inside[value] / inside.total() for value in range(5)])
        hellinger = np.sqrt(((np.sqrt(p) - np.sqrt(q)) ** 2).sum() / 2)
        there = p > 0
        bits = float((p[there] * np.log2(p[there] / q[there])).sum())
        apart = float(np.abs(np.cumsum(p) - np.cumsum(q)).max())
        assert hellinger_distances(found)[i] == pytest.approx(hellinger, abs=1e-7)
        assert kullback_leibler_distances(found)[i] == pytest.approx(bits, abs=1e-9)
        assert kolmogorov_smirnov_distances(found)[i] == pytest.approx(apart, abs=1e-9)
