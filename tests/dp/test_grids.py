from __future__ import annotations

from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microveil import dp
from microveil.dp.grids import moment_grid, sum_grid

bounds = st.tuples(st.floats(-1e9, 1e9), st.floats(1e-6, 1e9)).map(lambda b: (b[0], b[0] + b[1]))


@pytest.mark.parametrize("make", [moment_grid, sum_grid])
@given(limits=bounds, value=st.floats(allow_nan=False, allow_infinity=False))
def test_codes_stay_within_the_limits_their_noise_is_scaled_by(
    make: Any, limits: tuple[float, float], value: float
) -> None:
    if not limits[0] < limits[1]:
        return
    grid = make(limits, whole=False)
    code = grid.code(value)
    assert grid.low <= code <= grid.high
    assert max(abs(grid.low), abs(grid.high)) <= 2**24
    near = float(grid.offset + code * grid.unit)
    moved = min(max(value, limits[0]), limits[1])
    assert abs(near - moved) <= float(grid.unit) * 1.01


@pytest.mark.parametrize("width", [1e-12, 1e-300, 1e12])
def test_narrow_and_wide_bounds_work(width: float) -> None:
    declaration = dp.Declaration.parse(
        {"columns": {"x": {"type": "real", "bounds": [0, width]}}, "size": 10}
    )
    frame = pl.DataFrame({"x": [0.25 * width, 0.75 * width] * 500})
    for query in (dp.Mean(column="x"), dp.Sum(column="x"), dp.Median(column="x")):
        found = dp.answer(query, frame, declaration, 10**6)
        assert found.value == pytest.approx(
            {"mean": 0.5, "sum": 500, "median": 0.5}[query.kind()] * width, rel=0.6
        )
