from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from microveil.kernels.linkage import link_by_columns
from microveil.kernels.linkage.link_bounds import Candidates
from microveil.kernels.linkage.link_by_prefix import count_by_prefix
from microveil.kernels.neighbours.mixed_tree import ABSOLUTE, ABSOLUTE_SPAN, NUMBER, SPAN, WITHIN
from tests.kernels.linkage.test_link_by_prefix import CODES, some_metric
from tests.kernels.ways import both_ways


@given(
    seed=st.integers(0, 2**32 - 1),
    n=st.integers(1, 30),
    m=st.integers(1, 12),
    first=st.sampled_from([NUMBER, ABSOLUTE, WITHIN]),
    span=st.sampled_from([SPAN, ABSOLUTE_SPAN]),
)
@settings(max_examples=60, deadline=None)
def test_numpy_counts_the_same_ties(seed: int, n: int, m: int, first: int, span: int) -> None:
    rng = np.random.default_rng(seed)
    metric = some_metric(rng)
    metric.kinds[0], metric.widths[0], metric.costs[0] = first, 1.0, 0.3
    metric.kinds[3] = span
    records, queries = (rng.integers(0, CODES, (size, 4)).astype(float) for size in (n, m))
    for rows in (records, queries):
        rows[rng.random(rows.shape) < 0.15] = np.nan
    candidates = Candidates(records, rng.integers(1, 4, n))
    bounds = rng.choice([0.0, 0.3, 1.0, 1.5, 2.0, 3.5], m)
    compiled, plain = both_ways(lambda: count_by_prefix(metric, queries, candidates, bounds))
    assert compiled.tolist() == plain.tolist()


def test_many_cells_are_left_to_machine_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link_by_columns, "MOST_CELLS", 3)
    candidates = Candidates(np.zeros((2, 2)), np.ones(2, np.int64))
    unready = count_by_prefix.__globals__["_count"]
    monkeypatch.setattr(type(unready), "is_ready", lambda _: False)
    monkeypatch.setattr(unready, "n_spared", 0)
    assert not link_by_columns.without_machine_code(unready, np.zeros((1, 2)), candidates)
    assert unready.n_spared == 0
