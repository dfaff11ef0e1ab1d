"""Numbers to intervals whose labels can be read back."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microveil.errors import ColumnError, SpecError
from microveil.hierarchies import Interval, Intervals
from microveil.hierarchies.intervals import labels_between


def labels(spec: Intervals, values: list[Any], level: int = 1) -> list[str]:
    series = pl.Series("v", values)
    return spec.build(series).generalize(series, level).to_list()


def test_cuts_have_open_ends_and_hold_their_lower_end() -> None:
    assert labels(Intervals(cuts=[20, 40]), [19.0, 20.0, 39.5, 40.0]) == [
        "<20",
        "[20, 40)",
        "[20, 40)",
        "≥40",
    ]


def test_cuts_closed_at_the_right_hold_their_upper_end() -> None:
    spec = Intervals(cuts=[20, 40], closed="right")
    assert labels(spec, [20, 21, 40, 41]) == ["≤20", "(20, 40]", "(20, 40]", ">40"]


def test_coarser_cuts_come_from_a_list_or_from_factors() -> None:
    by_list = Intervals(cuts=[[20, 40, 60, 80], [20, 60]])
    by_factor = Intervals(cuts=[20, 40, 60, 80], factors=[2])
    values = [10, 30, 50, 70, 90]
    assert labels(by_list, values, 2) == ["<20", "[20, 60)", "[20, 60)", "≥60", "≥60"]
    assert labels(by_factor, values, 2) == labels(by_list, values, 2)


def test_widths_count_from_the_origin() -> None:
    assert labels(Intervals(width=5, origin=3), [2, 3, 7, 8]) == [
        "[-2, 3)",
        "[3, 8)",
        "[3, 8)",
        "[8, 13)",
    ]


def test_widths_closed_at_the_right_hold_their_upper_end() -> None:
    for values in ([0, 1, 5, 6], [0.0, 1.0, 5.0, 6.0]):
        spec = Intervals(width=5, closed="right")
        assert labels(spec, values) == ["(-5, 0]", "(0, 5]", "(0, 5]", "(5, 10]"]


def test_wider_levels_come_from_a_list_or_from_factors() -> None:
    values = [34, 41, 59]
    by_list = Intervals(width=[10, 20])
    assert labels(by_list, values, 2) == ["[20, 40)", "[40, 60)", "[40, 60)"]
    assert labels(Intervals(width=10, factors=[2]), values, 2) == labels(by_list, values, 2)


def test_bottom_and_top_gather_the_rest_and_clip_their_neighbours() -> None:
    spec = Intervals(width=10, bottom=25, top=80)
    assert labels(spec, [10, 25, 30, 79, 80, 99]) == [
        "<25", "[25, 30)", "[30, 40)", "[70, 80)", "≥80", "≥80",
    ]  # fmt: skip


def test_decimal_widths_cut_where_they_say() -> None:
    spec = Intervals(width=0.1)
    assert labels(spec, [0.3, 0.29, 0.7]) == ["[0.3, 0.4)", "[0.2, 0.3)", "[0.7, 0.8)"]


def test_large_whole_numbers_stay_exact() -> None:
    big = 2**60 + 1
    assert labels(Intervals(width=10), [big]) == [f"[{big // 10 * 10}, {big // 10 * 10 + 10})"]
    assert labels(Intervals(cuts=[0, 2**53]), [2**53 - 1, 2**53 + 1])[1].startswith("≥")


def test_what_is_no_number_has_no_interval() -> None:
    built = Intervals(width=10).build(pl.Series([1.0, np.inf, np.nan, None]))
    assert built.values.to_list() == [1.0]


def test_numbers_too_large_for_the_width_have_no_interval() -> None:
    for largest in (1.7e308, 2**63 - 1, -(2**63)):
        assert Intervals(width=10).build(pl.Series([largest])).n_values == 0
        assert Intervals(cuts=[0, 10]).build(pl.Series([largest])).n_values == 1


def test_nested_cells_are_refused_by_column() -> None:
    with pytest.raises(ColumnError, match="needs numbers"):
        Intervals(width=1).build(pl.Series("v", [[1]]))


@pytest.mark.parametrize("values", [["34"], [True]])
def test_other_kinds_are_refused_by_column(values: list[Any]) -> None:
    with pytest.raises(ColumnError, match="needs numbers; column 'v' holds"):
        Intervals(width=1).build(pl.Series("v", values))


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        ({}, "either `cuts` or `width`"),
        ({"cuts": [1], "width": 2}, "either `cuts` or `width`"),
        ({"cuts": [2, 1]}, "ascending"),
        ({"cuts": [[1, 2], []]}, "ascending"),
        ({"cuts": [[1, 2, 3], [1, 4]]}, "subset"),
        ({"width": [5, 12]}, "multiple"),
        ({"width": [5, 5]}, "multiple"),
        ({"width": 0}, "greater than 0"),
        ({"width": [5, 10], "factors": [2]}, "not both"),
        ({"width": 5, "factors": [1]}, "greater than or equal to 2"),
        ({"width": 5, "bottom": 9, "top": 1}, "less than `top`"),
        ({"cuts": [1], "top": 1}, "go with `width`"),
        ({"width": 5, "wide": 1}, "Unknown field"),
    ],
)
def test_parameters_that_make_no_sense_are_spec_errors(raw: dict[str, Any], message: str) -> None:
    with pytest.raises(SpecError, match=message):
        Intervals.parse(raw)


numbers = st.one_of(
    st.integers(-(10**6), 10**6), st.floats(-1e6, 1e6).map(lambda number: round(number, 4))
)
specs = st.one_of(
    st.builds(
        lambda width, origin, factors, closed: Intervals(
            width=width, origin=origin, factors=factors, closed=closed
        ),
        st.sampled_from([0.1, 0.25, 1, 2.5, 10, 1000]),
        st.sampled_from([0, 0.5, -3]),
        st.lists(st.integers(2, 5), max_size=2),
        st.sampled_from(["left", "right"]),
    ),
    st.builds(
        lambda cuts, closed: Intervals(cuts=sorted(cuts), factors=[2, 2], closed=closed),
        st.sets(st.integers(-1000, 1000), min_size=1),
        st.sampled_from(["left", "right"]),
    ),
)


@given(specs, st.lists(numbers, min_size=1))
def test_every_number_lies_in_its_interval_and_intervals_widen(
    spec: Intervals, values: list[float]
) -> None:
    series = pl.Series([float(value) for value in values])
    built = spec.build(series)
    levels = [built.generalize(series, level).to_list() for level in range(1, built.height)]
    for place, number in enumerate(series):
        ends = [Interval.parse(level[place]) for level in levels]
        for interval in ends:
            assert interval is not None
            if interval.closed == "left":
                assert interval.low <= number < interval.high
            else:
                assert interval.low < number <= interval.high
        for fine, coarse in pairwise(ends):
            assert fine is not None
            assert coarse is not None
            assert coarse.low <= fine.low
            assert fine.high <= coarse.high


@given(st.integers(-500, 500), st.integers(1, 40), st.sampled_from(["left", "right"]))
def test_whole_numbers_and_floats_get_the_same_intervals(
    number: int, width: int, closed: Any
) -> None:
    spec = Intervals(width=width, closed=closed)
    assert labels(spec, [number]) == labels(spec, [float(number)])


@given(st.floats(-1e9, 1e9), st.floats(0.001, 1e9), st.sampled_from(["left", "right"]))
def test_labels_can_be_read_back(low: float, width: float, closed: Any) -> None:
    for interval in (
        Interval(low, low + width, closed),
        Interval(-np.inf, low, closed),
        Interval(low, np.inf, closed),
    ):
        assert Interval.parse(interval.label()) == interval


@pytest.mark.parametrize("text", ["*", "0-9", "[a, b)", "<x", "", "[1, 2]"])
def test_other_text_is_no_interval(text: str) -> None:
    assert Interval.parse(text) is None


@pytest.mark.parametrize(
    "raw",
    [
        {"cuts": [-1e308, 1e308]},
        {"width": 5, "origin": 1e308},
        {"width": 99999999999999999999},
        {"width": 1e308},
        {"width": 5, "factors": [999999999999, 999999999999]},
        {"width": 5, "bottom": -1e308, "top": 1e308},
    ],
)
@pytest.mark.parametrize("dtype", [pl.Int64, pl.Float64])
def test_limits_beyond_all_numbers_leave_values_with_or_without_an_interval(
    raw: dict[str, Any], dtype: pl.DataType
) -> None:
    values = pl.Series("age", [20, -59], dtype=dtype)
    found = Intervals.parse({"hierarchy": "intervals", **raw}).build(values)
    assert set(found.values.to_list()) <= {20, -59}


@given(
    st.lists(st.floats(allow_nan=False), min_size=1, max_size=20),
    st.sampled_from(["left", "right"]),
)
def test_many_labels_are_written_as_one_is(ends: list[float], closed: Any) -> None:
    pairs = [(min(a, b), max(a, b)) for a, b in pairwise([-np.inf, *ends, np.inf])]
    low, high = (np.array(side) for side in zip(*pairs, strict=True))
    one_by_one = [Interval(*pair, closed).label() for pair in pairs]
    assert labels_between(low, high, closed).to_list() == one_by_one
