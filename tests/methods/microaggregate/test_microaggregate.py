from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import microveil as mv
from microveil.errors import ColumnError
from microveil.kernels.microaggregation import mdav as mdav_module
from microveil.kernels.microaggregation import mdav_on_cores
from microveil.kernels.microaggregation.mdav_by_scans import mdav_by_scans
from microveil.methods.microaggregate.step import Microaggregate
from microveil.tables import Roles, Table

JOINT = ("mdav", "v_mdav", "refined", "principal_component", "single_axis")
cells = st.one_of(st.none(), st.sampled_from([0.0, 1.0, 2.0, 2.5, 10.0, -3.0]))
tables = st.lists(st.tuples(cells, cells, st.sampled_from(["u", "v", "w"])), max_size=40)


def frame_of(rows: list[Any]) -> pl.DataFrame:
    return pl.DataFrame(
        rows, schema={"a": pl.Float64, "b": pl.Float64, "c": pl.String}, orient="row"
    )


@given(tables, st.integers(2, 5), st.sampled_from(JOINT))
def test_the_result_is_k_anonymous_on_all_columns(rows: list[Any], k: int, how: Any) -> None:
    frame = frame_of(rows)
    step = Microaggregate(columns=["a", "b", "c"], k=k, algorithm=how, steps=500)
    try:
        released = step.protect(frame, seed=1)
    except mv.InputError as error:
        assert "cannot be formed" in str(error)  # noqa: PT017  the only way to fail
        assert all(n < k for n in Counter((a is None, b is None) for a, b, _ in rows).values())
        return
    counted = Counter(released.rows())
    assert all(n >= k or row == (None, None, None) for row, n in counted.items())


@given(tables, st.integers(2, 5))
def test_missing_cells_stay_missing_and_means_are_kept(rows: list[Any], k: int) -> None:
    frame = frame_of(rows).select("a")
    present = frame["a"].drop_nulls()
    if 0 < len(present) < k:
        with pytest.raises(mv.InputError, match="cannot be formed"):
            Microaggregate(columns="a", k=k).protect(frame)
        return
    released = Microaggregate(columns="a", k=k).protect(frame)["a"]
    assert released.is_null().equals(frame["a"].is_null())
    assert released.sum() == pytest.approx(present.sum(), abs=1e-9)
    assert all(n >= k for n in Counter(released.drop_nulls()).values())


def test_groups_are_made_within_strata() -> None:
    frame = pl.DataFrame({"region": [1, 1, 2, 2], "x": [1.0, 100.0, 2.0, 101.0]})
    roles = mv.Roles(strata=["region"])
    step = Microaggregate(columns="x", k=2)
    assert step.protect(frame, roles=roles)["x"].to_list() == [50.5, 50.5, 51.5, 51.5]
    across = step.model_copy(update={"by_strata": False})
    assert across.protect(frame, roles=roles)["x"].to_list() == [1.5, 100.5, 1.5, 100.5]


def test_a_stratum_smaller_than_k_is_an_error() -> None:
    frame = pl.DataFrame({"region": [1, 1, 2], "x": [1.0, 2.0, 3.0]})
    with pytest.raises(mv.InputError, match="1 records in column 'x' of one stratum"):
        Microaggregate(columns="x", k=2).protect(frame, roles=mv.Roles(strata=["region"]))


def test_aggregation_can_differ_by_column() -> None:
    step = Microaggregate(columns=["x", "y"], k=3, aggregation={"x": "median", "y": "mode"})
    released = step.protect({"x": [1.0, 2.0, 9.0], "y": [1, 1, 7]})
    assert released["x"].unique().to_list() == [2.0]
    assert released["y"].unique().to_list() == [1]


def test_infinite_numbers_are_refused_by_column() -> None:
    with pytest.raises(mv.ColumnError, match="'x'"):
        Microaggregate(columns="x", k=2).protect({"x": [1.0, float("inf"), 2.0]})


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"columns": ["a", "b"], "algorithm": "optimal"}, "each: true"),
        ({"columns": ["a"], "distance": "gower", "algorithm": "v_mdav"}, "goes with"),
        ({"columns": ["a"], "axis": "b", "algorithm": "single_axis"}, "one of the columns"),
        ({"columns": ["a"], "aggregation": {"b": "mean"}}, "names 'b'"),
        ({"columns": ["a"], "k": 1}, "greater than or equal to 2"),
    ],
)
def test_parameters_that_do_not_fit_are_refused(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(mv.SpecError, match=message):
        Microaggregate.parse({"k": 2} | fields)


def test_rows_that_alone_miss_a_cell_are_blanked() -> None:
    frame = pl.DataFrame({"a": [1.0, 2.0, 3.0], "b": [1.0, 2.0, None]})
    outcome = Microaggregate(columns=["a", "b"], k=2).apply(
        mv.Table(frame), np.random.default_rng(1)
    )
    assert outcome.table.frame.rows() == [(1.5, 1.5), (1.5, 1.5), (None, None)]
    assert outcome.facts["n_blanked"] == 1


def test_weighted_means_are_kept_where_records_have_weights() -> None:
    rng = np.random.default_rng(2)
    frame = pl.DataFrame(
        {"x": rng.normal(size=60), "y": rng.integers(0, 99, 60), "w": rng.integers(1, 9, 60)}
    )
    table = Table(frame, Roles(weight="w"))
    step = Microaggregate(columns=["x", "y"], k=4)
    outcome = step.apply(table, rng)
    after = outcome.table.frame
    for name in ("x", "y"):
        before_mean = np.average(frame[name], weights=frame["w"])
        assert np.average(after[name], weights=after["w"]) == pytest.approx(before_mean)
        assert after[name].mean() != pytest.approx(frame[name].mean())
    assert outcome.facts["weighted"] is True
    plain = Microaggregate(columns=["x", "y"], k=4, weighted=False).apply(table, rng)
    assert plain.table.frame["y"].mean() == pytest.approx(frame["y"].mean())
    assert plain.facts["weighted"] is False


def test_groups_without_weight_and_unusable_weights() -> None:
    table = Table({"x": [1.0, 2, 8, 9], "w": [0, 0, 1, 3]}, Roles(weight="w"))
    after = Microaggregate(columns="x", k=2).protect(table).frame["x"].to_list()
    assert after == [1.5, 1.5, 8.75, 8.75]
    for bad in ([1, None, 1, 1], [1, -1, 1, 1], [1.0, float("inf"), 1, 1], ["a", "b", "c", "d"]):
        table = Table({"x": [1.0, 2, 8, 9], "w": bad}, Roles(weight="w"))
        with pytest.raises(ColumnError, match="'w'"):
            Microaggregate(columns="x", k=2).protect(table)


@pytest.mark.parametrize("decimals", [0, 9])
def test_threads_that_look_ahead_change_no_group(
    monkeypatch: pytest.MonkeyPatch, decimals: int
) -> None:
    points = np.round(np.random.default_rng(1).normal(size=(160, 2)), decimals)
    monkeypatch.setattr(mdav_module, "ON_CORES_FROM", 0)
    monkeypatch.setattr(mdav_module, "stood_in_for", lambda *_: False)
    monkeypatch.setattr(mdav_on_cores, "_REST", 20)
    monkeypatch.setattr(mdav_on_cores, "_MOST", 16)
    with mv.settings.using(threads=4):
        found = mdav_module.mdav(points, 3)
    assert found.tolist() == mdav_by_scans(points, 3).tolist()
