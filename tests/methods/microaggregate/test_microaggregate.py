from __future__ import annotations

import datetime as dt
from collections import Counter
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import microveil as mv
from microveil.errors import ColumnError
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


@given(st.lists(st.integers(-50, 50), min_size=5, max_size=30), st.integers(2, 5))
def test_the_optimal_groups_lose_no_more_than_others(values: list[int], k: int) -> None:
    frame = pl.DataFrame({"x": values})
    losses = {}
    for algorithm in ("optimal", "mdav", "fixed", "refined"):
        released = Microaggregate(columns="x", k=k, algorithm=algorithm).protect(frame)["x"]
        losses[algorithm] = float(((frame["x"] - released) ** 2).sum())
    assert losses["optimal"] <= min(losses["mdav"], losses["fixed"]) + 1e-9
    assert losses["refined"] == pytest.approx(losses["optimal"])


def test_refining_never_loses_more_than_mdav() -> None:
    rng = np.random.default_rng(0)
    frame = pl.DataFrame({name: rng.lognormal(size=200) for name in "abc"})
    shares = []
    for algorithm in ("mdav", "refined"):
        step = Microaggregate(columns=list("abc"), k=4, algorithm=algorithm)
        facts = step.apply(mv.Table(frame), np.random.default_rng(1)).facts
        shares.append(facts["loss_share"])
        assert 4 <= facts["smallest_group"] <= facts["largest_group"] <= 7
    assert shares[1] < shares[0]


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


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        pytest.param([1, 2, 50, 51], [1.5, 1.5, 50.5, 50.5], id="integers"),
        pytest.param(
            [dt.date(2020, 1, 1), dt.date(2020, 1, 3), dt.date(2021, 1, 1), dt.date(2021, 1, 3)],
            [dt.date(2020, 1, 2)] * 2 + [dt.date(2021, 1, 2)] * 2,
            id="dates",
        ),
        pytest.param([True, True, False, False], [True, True, False, False], id="booleans"),
        pytest.param(["u", "u", "v", "v"], ["u", "u", "v", "v"], id="nominal"),
    ],
)
def test_every_kind_has_its_centre(values: list[Any], expected: list[Any]) -> None:
    released = Microaggregate(columns="x", k=2).protect({"x": values})["x"]
    assert released.to_list() == expected


def test_integers_stay_integers_when_asked() -> None:
    released = Microaggregate(columns="x", k=3, keep_integers=True).protect({"x": [1, 2, 5]})["x"]
    assert released.dtype == pl.Int64
    assert released.to_list() == [3, 3, 3]


ORDERED = pl.Enum(["low", "mid", "high", "top"])


@pytest.mark.parametrize(
    ("aggregation", "expected"),
    [("median", "low"), ("mode", "low"), ("convex_median", "mid"), ("auto", "low")],
)
def test_ordinal_values_have_medians(aggregation: Any, expected: str) -> None:
    # Two camps, low and top: the median takes the larger, the convex median meets between them.
    frame = pl.DataFrame({"x": ["low", "low", "low", "top", "top"]}, schema={"x": ORDERED})
    step = Microaggregate(columns="x", k=5, aggregation=aggregation)
    assert step.protect(frame)["x"].unique().to_list() == [expected]


def test_aggregation_can_differ_by_column() -> None:
    step = Microaggregate(columns=["x", "y"], k=3, aggregation={"x": "median", "y": "mode"})
    released = step.protect({"x": [1.0, 2.0, 9.0], "y": [1, 1, 7]})
    assert released["x"].unique().to_list() == [2.0]
    assert released["y"].unique().to_list() == [1]


@pytest.mark.parametrize("distance", ["euclidean", "gower"])
def test_mixed_records_are_grouped_by_all_their_columns(distance: Any) -> None:
    frame = pl.DataFrame(
        {
            "age": [30, 31, 30, 60, 61, 60],
            "level": pl.Series(["low", "mid", "low", "high", "top", "high"], dtype=ORDERED),
            "town": ["Ur", "Ur", "Ur", "Uruk", "Uruk", "Uruk"],
        }
    )
    released = Microaggregate(columns=["age", "level", "town"], k=3, distance=distance).protect(
        frame
    )
    assert released["town"].to_list() == frame["town"].to_list()
    assert released["level"].to_list() == ["low"] * 3 + ["high"] * 3
    assert released["age"].to_list() == pytest.approx([91 / 3] * 3 + [181 / 3] * 3)


def test_units_do_not_matter_when_standardised() -> None:
    rng = np.random.default_rng(3)
    frame = pl.DataFrame({"a": rng.normal(size=60), "b": rng.normal(size=60)})
    scaled = frame.with_columns(pl.col("b") * 1000)
    step = Microaggregate(columns=["a", "b"], k=3)
    assert step.protect(frame)["a"].to_list() == pytest.approx(step.protect(scaled)["a"].to_list())
    raw = step.model_copy(update={"standardize": False})
    assert raw.protect(frame)["a"].to_list() != raw.protect(scaled)["a"].to_list()


def test_constant_columns_and_ties_are_no_trouble() -> None:
    frame = pl.DataFrame({"a": [5.0] * 7, "b": [1.0] * 7})
    assert Microaggregate(columns=["a", "b"], k=3).protect(frame).equals(frame)


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


def test_a_mean_of_categories_is_refused() -> None:
    with pytest.raises(mv.ColumnError, match="cannot be aggregated by mean"):
        Microaggregate(columns="x", k=2, aggregation="mean").protect({"x": ["u", "v"]})


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


@pytest.mark.parametrize("aggregation", ["mean", "median", "mode"])
def test_a_weight_stands_for_so_many_records(aggregation: Any) -> None:
    rng = np.random.default_rng(5)
    for _ in range(20):
        values, weights = rng.integers(0, 6, 7), rng.integers(0, 4, 7)
        weights[rng.integers(7)] += 1
        table = Table({"x": values, "w": weights}, Roles(weight="w"))
        step = Microaggregate(columns="x", k=7, aggregation=aggregation)
        found = step.protect(table).frame["x"][0]
        many = np.repeat(values, weights)
        expected = {"mean": many.mean(), "median": np.median(many), "mode": mode(many)}
        assert found == pytest.approx(expected[aggregation])


def test_ordinal_medians_go_by_weight() -> None:
    kind = pl.Enum(["a", "b", "c"])
    frame = {"x": pl.Series(["a", "b", "c"], dtype=kind), "w": [1, 1, 5]}
    after = Microaggregate(columns="x", k=3).protect(Table(frame, Roles(weight="w")))
    assert after.frame["x"].to_list() == ["c"] * 3


def test_groups_without_weight_and_unusable_weights() -> None:
    table = Table({"x": [1.0, 2, 8, 9], "w": [0, 0, 1, 3]}, Roles(weight="w"))
    after = Microaggregate(columns="x", k=2).protect(table).frame["x"].to_list()
    assert after == [1.5, 1.5, 8.75, 8.75]
    for bad in ([1, None, 1, 1], [1, -1, 1, 1], [1.0, float("inf"), 1, 1], ["a", "b", "c", "d"]):
        table = Table({"x": [1.0, 2, 8, 9], "w": bad}, Roles(weight="w"))
        with pytest.raises(ColumnError, match="'w'"):
            Microaggregate(columns="x", k=2).protect(table)


def mode(values: Any) -> int:
    found, counts = np.unique(values, return_counts=True)
    return int(found[np.argmax(counts)])
