from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from microveil.risk.record_linkage import RecordLinkage
from tests.risk.linkage.cases import methods

cell = st.one_of(st.none(), st.integers(0, 4))


row = st.tuples(cell, st.one_of(st.none(), st.sampled_from("abc")), st.integers(0, 6))


def _column_squares(x: list[Any], y: list[Any], unit: str) -> np.ndarray:
    there = [value for value in y if value is not None]
    scale: float = 1.0
    missing: float = 0.0
    if there and isinstance(there[0], str):
        shares = np.array([there.count(value) for value in set(there)]) / len(there)
        missing = float(1 - (shares**2).sum())
    elif there:
        scales = {
            "sd": np.std(there, ddof=1) if len(there) > 1 else 1.0,
            "range": np.ptp(there),
            "none": 1.0,
        }
        scale = float(scales[unit])
        scale = scale if scale > 0 else 1.0
        missing = 2 * float(np.var(np.array(there) / scale))
    found = np.zeros((len(x), len(y)))
    for i, first in enumerate(x):
        for k, second in enumerate(y):
            if first is None or second is None:
                found[i, k] = 0 if first is second else missing
            elif isinstance(first, str):
                found[i, k] = first != second
            else:
                found[i, k] = ((first - second) / scale) ** 2
    return found


@methods
def test_twins_share_the_chance_of_a_link(parameters: dict[str, Any]) -> None:
    frame = pl.DataFrame({"x": [1, 1, 1, 1, 5, 9], "y": ["a", "a", "b", "b", "b", "b"]})
    score = RecordLinkage(**parameters, agree_within=0).measure(frame, frame)
    assert score.records is not None
    assert score.records.tolist() == [0.5, 0.5, 0.5, 0.5, 1, 1]


@given(
    st.lists(st.tuples(row, row), min_size=1, max_size=20),
    st.sampled_from(["sd", "range", "none"]),
    st.sampled_from([0.5, 1.0, 4.0]),
)
@settings(max_examples=80, deadline=None)
def test_distance_linkage_is_that_of_all_pairs(
    rows: list[tuple[tuple[Any, ...], tuple[Any, ...]]], unit: str, weight: float
) -> None:
    schema = {"n": pl.Float64, "c": pl.String, "m": pl.Float64}
    before, after = (
        pl.DataFrame([pair[side] for pair in rows], schema=schema, orient="row") for side in (0, 1)
    )
    # A single new label may be read as what is left over: here labels are categories.
    assume(len(set(after["c"].drop_nulls()) - set(before["c"].drop_nulls())) != 1)
    measure = RecordLinkage(standardize=unit, weights={"n": weight}, worst_columns=False)
    score = measure.measure(before, after)
    n = len(rows)
    squares = np.zeros((n, n))
    for name in schema:
        x, y = before[name].to_list(), after[name].to_list()
        if len(set(x)) < 2 or len(set(y)) < 2:
            continue
        squares += _column_squares(x, y, unit) * (weight if name == "n" else 1)
    own = np.diag(squares)
    limit = own * (1 + 1e-9) + 1e-20
    ties = (squares <= limit[:, None]).sum(axis=1)
    beaten = (squares < (own * (1 - 1e-9) - 1e-20)[:, None]).any(axis=1)
    assert score.records is not None
    assert score.records == pytest.approx(np.where(beaten, 0, 1 / ties))
