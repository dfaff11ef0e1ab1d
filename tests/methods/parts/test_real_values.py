from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microveil.errors import ColumnError
from microveil.methods.parts.real_values import bounds_of, column_of, real_values, reflect

real = st.floats(-1e6, 1e6)


def back(values: list[float], like: pl.Series, *, keep: bool = True) -> pl.Series:
    rng = np.random.default_rng(0)
    return column_of(np.array(values), like, keep_integers=keep, rng=rng)


def test_there_and_back_is_no_change(any_number: pl.Series) -> None:
    assert back(real_values(any_number).tolist(), any_number).equals(any_number)


def test_dates_and_durations_come_back() -> None:
    for column in (pl.Series([date(2024, 2, 29), None]), pl.Series([timedelta(days=3), None])):
        assert back(real_values(column).tolist(), column).equals(column)


def test_what_must_be_whole_is_rounded_by_chance_to_either_side() -> None:
    found = back([2.25] * 4000, pl.Series([2] * 4000))
    assert set(found) == {2, 3}
    assert found.mean() == pytest.approx(2.25, abs=4 * 0.433 / np.sqrt(4000))


def test_what_does_not_fit_is_counted() -> None:
    with pytest.raises(ColumnError, match="2 values of column 'x' would not fit its type"):
        back([1e19, -1e19, 1.0], pl.Series("x", [1, 2, 3]))
    money = pl.Series("x", [Decimal("1.50")], dtype=pl.Decimal(5, 2))
    with pytest.raises(ColumnError, match="1 values of column 'x'"):
        back([1e9], money)
    with pytest.raises(ColumnError, match="1 values of column 'x'"):
        back([1e12], pl.Series("x", [date(2024, 1, 1)]))


@given(real, st.floats(-100, 100), st.floats(0, 100))
def test_reflection_ends_inside_at_the_nearest_mirror_image(
    value: float, low: float, width: float
) -> None:
    high = low + width
    found = float(reflect(np.array([value]), low, high)[0])
    assert low <= found <= high
    if low <= value <= high:
        assert found == value
    elif high < value <= high + width:
        assert found == pytest.approx(2 * high - value, abs=1e-6)


@given(real, real)
def test_one_bound_mirrors_once(value: float, bound: float) -> None:
    above = reflect(np.array([value]), bound, np.inf)[0]
    below = reflect(np.array([value]), -np.inf, bound)[0]
    assert above == max(value, 2 * bound - value)
    assert below == min(value, 2 * bound - value)


def test_missing_stays_missing_when_mirrored() -> None:
    for low, high in ((0, 0), (0, 1), (0, np.inf), (-np.inf, np.inf)):
        assert np.isnan(reflect(np.array([np.nan]), low, high)).all()


def test_bounds_of_whole_numbers_are_whole() -> None:
    column = pl.Series("x", [2, 3])
    assert bounds_of(column, 1.5, 3.5, whole=True) == (2, 3)
    assert bounds_of(column, None, 3.5, whole=False) == (-np.inf, 3.5)


def test_bounds_of_dates_are_dates() -> None:
    days = pl.Series("x", [date(1970, 1, 5)])
    assert bounds_of(days, "1970-01-02", None, whole=False) == (1, np.inf)
    with pytest.raises(ColumnError, match="must be an ISO date"):
        bounds_of(days, 3, None, whole=False)
