from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import microveil as mv
from tests.utility.cases import DATA, tarragona


@pytest.mark.parametrize(
    ("name", "total"), [("Tarragona", 1092.09648606563), ("CASCrefmicrodata", 1607.93990880066)]
)
def test_il1s_after_mdav_is_sdcmicro_s(name: str, total: float) -> None:
    frame = pl.read_csv(DATA / "casc" / f"{name}.csv").cast(pl.Float64)
    released = mv.Microaggregate(columns=frame.columns, k=3).protect(frame)
    assert mv.IL1s().measure(frame, released).value == pytest.approx(total, rel=1e-9)


numbers = st.lists(st.integers(-(10**6), 10**6).map(float), min_size=3, max_size=30)


@given(numbers, st.floats(0.01, 100), st.floats(-100, 100))
def test_il1s_does_not_depend_on_the_unit(values: list[float], scale: float, shift: float) -> None:
    before = np.array(values)
    after = before[::-1].copy()
    one = mv.IL1s().measure({"x": before}, {"x": after}).value
    other = mv.IL1s().measure({"x": before * scale + shift}, {"x": after * scale + shift}).value
    assert one == pytest.approx(other, rel=1e-3, abs=1e-6)


def test_cells_missing_on_either_side_count_for_nothing() -> None:
    before = {"x": [1.0, None, 3.0, 5.0]}
    after = {"x": [1.0, 2.0, None, 5.0]}
    assert mv.IL1s().measure(before, after).value == 0
    assert mv.Sse().measure(before, after).value == 0


def test_a_column_that_is_no_number_is_named() -> None:
    with pytest.raises(mv.ColumnError, match="'x'"):
        mv.IL1s(columns="x").measure({"x": ["a"]}, {"x": ["a"]})


def test_lost_rows_are_aligned_by_the_release() -> None:
    frame = pl.DataFrame({"sex": ["f", "f", "m"], "pay": [1.0, 2.0, 9.0]})
    roles = mv.Roles(quasi_identifiers=["sex"])
    release = mv.run(mv.Recipe(roles=roles, steps=[mv.SuppressRecords(k=2)]), frame)
    assert release.utility["il1s"].value == 0


def test_the_change_per_cell_is_sdcmicro_s() -> None:
    found = mv.IL1s().measure(*tarragona()).parts["per_cell"]
    assert found == pytest.approx(0.100728323747061, rel=1e-9)


def test_the_unit_is_the_spread_of_the_whole_original_where_rows_were_removed() -> None:
    before = mv.Table({"x": [0.0, 1.0, 2.0, 1000.0]})
    kept = mv.Table({"x": [1.0, 2.0, 3.0]}, rows=np.array([0, 1, 2]))
    spread = np.std([0.0, 1.0, 2.0, 1000.0], ddof=1)
    assert mv.IL1s().measure(before, kept).value == pytest.approx(3 / (np.sqrt(2) * spread))
