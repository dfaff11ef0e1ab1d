from __future__ import annotations

import itertools

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import microveil as mv
from microveil.errors import InputError
from microveil.risk.linkage import assignment
from microveil.risk.record_linkage import RecordLinkage
from tests.risk.linkage.cases import linked, people


@given(
    st.lists(st.tuples(*[st.integers(0, 30)] * 4), min_size=1, max_size=6, unique=True),
    st.integers(0, 5),
)
@settings(max_examples=40, deadline=None)
def test_an_assignment_is_the_cheapest_of_all_permutations(
    rows: list[tuple[int, ...]], jitter: int
) -> None:
    x, y = np.array(rows)[:, :2] + 0.0, np.array(rows)[:, 2:] + 0.001 * jitter
    schema = ["a", "b"]
    measure = RecordLinkage(method="assignment", standardize="none", worst_columns=False)
    score = measure.measure(pl.DataFrame(x, schema=schema), pl.DataFrame(y, schema=schema))
    used = [j for j in range(2) if len(set(x[:, j])) > 1 and len(set(y[:, j])) > 1]
    costs = ((x[:, None, used] - y[None, :, used]) ** 2).sum(axis=2)
    totals = {
        order: costs[range(len(x)), order].sum() for order in itertools.permutations(range(len(x)))
    }
    best = [order for order, total in totals.items() if total <= min(totals.values()) + 1e-9]
    if len(best) == 1 and used:
        right = [float(place == number) for number, place in enumerate(best[0])]
        assert score.records is not None
        assert score.records.tolist() == right


def test_a_large_assignment_among_neighbours_is_near_the_exact_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    frame = people(400).select("age", "pay", "town")
    noisy = mv.AdditiveNoise(columns=["pay", "age"], sd_share=0.1).protect(frame, seed=4)
    exact = RecordLinkage(method="assignment").measure(frame, noisy)
    monkeypatch.setattr(assignment, "EXACT", 10)
    near = RecordLinkage(method="assignment").measure(frame, noisy)
    assert exact.parts["exact"]
    assert not near.parts["exact"]
    assert near.value == pytest.approx(exact.value, abs=0.02)
    assert near.parts["n_unlinked"] < 10
    assert RecordLinkage(method="assignment").measure(frame, frame).value == 1
    monkeypatch.setattr(assignment, "MOST", 100)
    with pytest.raises(InputError, match="Measure a sample"):
        RecordLinkage(method="assignment").measure(frame, noisy)


def test_one_to_one_links_more_than_the_nearest() -> None:
    frame = people(500).select("age", "pay")
    noisy = mv.AdditiveNoise(columns=["pay", "age"], sd_share=0.1).protect(frame, seed=4)
    assert linked(frame, noisy, method="assignment") > linked(frame, noisy)
