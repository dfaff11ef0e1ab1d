from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microveil.errors import ColumnError, InputError, SpecError
from microveil.methods.parts.base import Outcome
from microveil.methods.top_bottom_code import TopBottomCode
from microveil.tables import Table


def outcome(values: Any, **how: Any) -> Outcome:
    return TopBottomCode(columns="x", **how).apply(Table({"x": values}), np.random.default_rng(0))


def coded(values: Any, **how: Any) -> list[Any]:
    return list(outcome(values, **how).table.frame["x"].to_list())


def test_values_beyond_a_limit_become_the_limit() -> None:
    after = outcome([1, 5, 9, 10, None], top=9, bottom=5)
    assert after.table.frame["x"].to_list() == [5, 5, 9, 9, None]
    assert after.facts == {
        "n_top_coded": {"x": 1},
        "n_bottom_coded": {"x": 1},
        "n_missing": {"x": 1},
        "now_float": [],
    }


@given(
    st.lists(st.integers(-1000, 1000) | st.none(), max_size=40),
    st.integers(-500, 500),
    st.integers(0, 300),
)
def test_nothing_lies_beyond_the_limits_and_the_rest_stays(
    values: list[int | None], bottom: int, width: int
) -> None:
    top = bottom + width
    naive = [None if x is None else min(max(x, bottom), top) for x in values]
    assert coded(pl.Series(values, dtype=pl.Int64), top=top, bottom=bottom) == naive


@given(st.lists(st.integers(0, 20), min_size=1, max_size=60), st.floats(0.01, 0.5), st.booleans())
def test_a_share_is_never_exceeded_and_cut_as_deep_as_ties_allow(
    values: list[int],
    share: float,
    at_the_top: bool,  # noqa: FBT001  a drawn parameter
) -> None:
    how = {"top_share": share} if at_the_top else {"bottom_share": share}
    after = outcome(values, **how)
    signed = values if at_the_top else [-x for x in values]
    n_coded = after.facts["n_top_coded" if at_the_top else "n_bottom_coded"]["x"]
    n_cut = int(share * len(values) + 1e-9)
    limit = sorted(signed, reverse=True)[n_cut]
    assert n_coded == sum(x > limit for x in signed) <= n_cut
    result = [min(x, limit) for x in signed]
    assert coded(values, **how) == (result if at_the_top else [-x for x in result])


def test_a_share_takes_whole_records_and_lets_ties_stay() -> None:
    assert coded(list(range(10)), top_share=0.3) == [0, 1, 2, 3, 4, 5, 6, 6, 6, 6]
    assert coded([1, 2, 3, 3, 3], top_share=0.2) == [1, 2, 3, 3, 3]


def test_the_mean_of_what_is_cut_off_keeps_the_total() -> None:
    after = outcome([1, 2, 10, 12, 17], top=5, replace_by="mean")
    assert after.table.frame["x"].to_list() == [1.0, 2.0, 13.0, 13.0, 13.0]
    assert after.facts["now_float"] == ["x"]


def test_the_mean_of_two_is_not_published() -> None:
    assert coded([1.0, 2.0, 10.0, 12.0], top=5, replace_by="mean") == [1.0, 2.0, 5.0, 5.0]


def test_means_of_dates_are_dates() -> None:
    days = [date(2024, 1, day) for day in (1, 10, 12, 20)]
    after = coded(days, top="2024-01-05", replace_by="mean")
    assert after == [date(2024, 1, 1)] + [date(2024, 1, 14)] * 3


@pytest.mark.parametrize(
    ("values", "top", "result"),
    [
        ([date(2024, 1, 1), date(2024, 3, 1)], "2024-01-31", date(2024, 1, 31)),
        ([date(2024, 1, 1), date(2024, 3, 1)], date(2024, 1, 31), date(2024, 1, 31)),
        (
            [datetime(2024, 1, 1), datetime(2024, 3, 1)],  # noqa: DTZ001  naive on purpose
            "2024-01-31T12:00",
            datetime(2024, 1, 31, 12),  # noqa: DTZ001  likewise
        ),
        (
            [datetime(2024, 1, 1, tzinfo=UTC), datetime(2024, 3, 1, tzinfo=UTC)],
            "2024-01-31T12:00+02:00",
            datetime(2024, 1, 31, 10, tzinfo=UTC),
        ),
        ([time(8), time(22)], "20:00", time(20)),
        ([timedelta(0), timedelta(hours=5)], 3600, timedelta(hours=1)),
        ([Decimal("1.00"), Decimal("9.99")], 2.5, Decimal("2.50")),
        ([1.0, float("inf")], 2, 2.0),
    ],
)
def test_limits_fit_every_kind_that_has_an_order(values: Any, top: Any, result: Any) -> None:
    after = outcome(values, top=top).table.frame["x"]
    assert after.to_list() == [values[0], result]
    assert after.dtype == pl.Series(values).dtype


@pytest.mark.parametrize(
    ("kind", "how", "after", "result"),
    [
        (pl.UInt8, {"top": 2}, pl.UInt8, [1, 2, 2]),
        (pl.UInt8, {"top": 2.0}, pl.UInt8, [1, 2, 2]),
        (pl.UInt8, {"top": 300}, pl.Int64, [1, 2, 3]),
        (pl.UInt8, {"top": -5}, pl.Int64, [-5, -5, -5]),
        (pl.Int64, {"top": 2.5}, pl.Float64, [1.0, 2.0, 2.5]),
        (pl.UInt64, {"bottom": -1}, pl.Float64, [1.0, 2.0, 3.0]),
        (pl.Float32, {"top": 2.5}, pl.Float32, [1.0, 2.0, 2.5]),
    ],
)
def test_a_type_changes_only_when_the_limit_does_not_fit_it(
    kind: type[pl.DataType], how: dict[str, Any], after: type[pl.DataType], result: list[float]
) -> None:
    series = outcome(pl.Series([1, 2, 3], dtype=kind), **how).table.frame["x"]
    assert series.dtype == after
    assert series.to_list() == result


@pytest.mark.parametrize("replace_by", ["limit", "mean"])
def test_every_ordered_kind_keeps_its_gaps(any_ordered: pl.Series, replace_by: str) -> None:
    step = TopBottomCode(columns="x", top_share=0.4, bottom_share=0.1, replace_by=replace_by)
    after = step.protect(any_ordered.to_frame())["x"]
    assert after.is_null().equals(any_ordered.is_null())


@pytest.mark.parametrize("values", [["a"], [True]])
def test_categories_are_refused_with_a_hint(values: list[Any]) -> None:
    with pytest.raises(ColumnError, match=r"needs numbers.*group_rare.*'x'"):
        coded(values, top=1)


@pytest.mark.parametrize(
    ("values", "top", "message"),
    [
        ([1], "2024-01-31", r"column 'x' \(Int64\) must be a number"),
        ([date(2024, 1, 1)], 5, r"column 'x' \(Date\) must be an ISO date"),
        ([timedelta(0)], "2024-01-31", "must be a number of seconds"),
        ([time(8)], "2024-01-31", "must be an ISO time"),
        ([datetime(2024, 1, 1)], "2024-01-31T12:00Z", "must be an ISO date-time"),  # noqa: DTZ001
    ],
)
def test_a_limit_of_another_kind_is_refused(values: Any, top: Any, message: str) -> None:
    with pytest.raises(ColumnError, match=message):
        coded(values, top=top)


@pytest.mark.parametrize(
    ("top", "result"),
    [("2024-01-31T12:00", "2024-01-31T11:00Z"), ("2024-01-31T12:00Z", "2024-01-31T12:00Z")],
)
def test_a_limit_without_an_offset_is_local_to_the_column(top: str, result: str) -> None:
    late = pl.Series([datetime(2024, 6, 1, tzinfo=UTC)]).dt.convert_time_zone("Europe/Madrid")
    assert coded(late, top=top) == [datetime.fromisoformat(result)]


def test_a_limit_beyond_the_type_is_refused() -> None:
    with pytest.raises(ColumnError, match="is beyond the range of Duration"):
        coded([timedelta(0)], top=1e20)
    moments = pl.Series([datetime(2024, 1, 1)], dtype=pl.Datetime("ns"))  # noqa: DTZ001  naive
    with pytest.raises(ColumnError, match="is beyond the range of Datetime"):
        coded(moments, top="9999-01-01")


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({}, "Give a limit"),
        ({"top": 1, "top_share": 0.1}, "top or top_share"),
        ({"top": 1, "bottom": 2}, "bottom limit is above the top"),
        ({"top": "2024-01-01", "bottom": "2024-01-02"}, "bottom limit is above the top"),
        ({"top_share": 0.6, "bottom_share": 0.6}, "exceed 1"),
        ({"top": "tall"}, "A limit is a number, or an ISO date"),
        ({"top_share": 1.5}, "less than 1"),
    ],
)
def test_unclear_limits_are_refused(how: dict[str, Any], message: str) -> None:
    with pytest.raises(SpecError, match=message):
        TopBottomCode.parse({"columns": ["x"], **how})


def test_a_bottom_found_above_the_top_is_refused_without_values() -> None:
    with pytest.raises(InputError, match="'x' the bottom limit is above") as error:
        coded([1, 2, 77], bottom=50, top_share=0.5)
    assert "77" not in str(error.value)


@pytest.mark.parametrize("values", [[], [None, None]])
def test_without_values_nothing_happens(values: list[None]) -> None:
    series = pl.Series(values, dtype=pl.Int64)
    assert coded(series, top_share=0.1, bottom=3) == values


@pytest.mark.parametrize(
    ("how", "row_wise"),
    [({"top": 1}, True), ({"top_share": 0.1}, False), ({"top": 1, "replace_by": "mean"}, False)],
)
def test_only_what_needs_the_whole_column_asks_for_it(how: dict[str, Any], row_wise: bool) -> None:  # noqa: FBT001  a parameter of the case
    assert TopBottomCode(columns="x", **how).row_wise is row_wise


def test_a_recipe_gives_dates_back_as_text() -> None:
    step = TopBottomCode(columns="x", top=date(2024, 1, 31))
    assert step.to_dict()["top"] == "2024-01-31"
    assert TopBottomCode.parse(step.to_dict()) == step
