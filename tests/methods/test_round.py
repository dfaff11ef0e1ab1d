from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microveil.errors import ColumnError, SpecError
from microveil.methods.round import Round
from microveil.tables import Table


def rounded(values: Any, seed: int = 0, **how: Any) -> list[Any]:
    return list(Round(columns="x", **how).protect(pl.DataFrame({"x": values}), seed=seed)["x"])


def test_half_way_goes_to_the_even_multiple() -> None:
    assert rounded([14, 15, 16, 25, -15, -14, None], base=10) == [10, 20, 20, 20, -20, -10, None]
    assert rounded([0.25, 0.35, -0.25], base=0.1) == [0.2, 0.4, -0.2]


def test_down_is_towards_minus_infinity() -> None:
    assert rounded([19, 20, -1], base=10, mode="down") == [10, 20, -10]
    assert rounded([0.29, 0.7, 1.999], base=0.01, mode="down") == [0.29, 0.7, 1.99]


@given(
    st.lists(st.integers(-(10**12), 10**12), max_size=30),
    st.integers(1, 1000),
    st.sampled_from(["nearest", "down", "random"]),
)
def test_results_are_multiples_close_to_the_value(values: list[int], base: int, mode: str) -> None:
    after = rounded(pl.Series(values, dtype=pl.Int64), base=base, mode=mode)
    for old, new in zip(values, after, strict=True):
        assert new % base == 0
        assert abs(new - old) <= (base / 2 if mode == "nearest" else base - 1)
        assert mode != "down" or new <= old
        assert mode != "nearest" or new == base * round(old / base) or base * 2 > 10**6


@pytest.mark.parametrize("mode", ["nearest", "down", "random"])
def test_multiples_stay_as_they_are(mode: str) -> None:
    assert rounded([0, 50, -50], base=50, mode=mode) == [0, 50, -50]
    assert rounded([0.1, 0.3, 0.6, 0.7], base=0.1, mode=mode) == [0.1, 0.3, 0.6, 0.7]


@pytest.mark.parametrize("values", [[13] * 40_000, [13.0] * 40_000])
def test_random_rounding_keeps_the_mean(values: list[float]) -> None:
    after = np.array(rounded(values, base=10, mode="random"))
    assert set(after) == {10, 20}
    # The share of 20s is 0.3; its standard error is 0.0023.
    assert abs(float((after == 20).mean()) - 0.3) < 0.012


def test_random_rounding_repeats_with_its_seed() -> None:
    values = list(range(50))
    same = [rounded(values, seed=3, base=10, mode="random") for _ in range(2)]
    assert same[0] == same[1] != rounded(values, seed=4, base=10, mode="random")


@pytest.mark.parametrize("mode", ["nearest", "down", "random"])
def test_every_number_keeps_its_type_and_its_gaps(any_number: pl.Series, mode: str) -> None:
    after = Round(columns="x", base=1, mode=mode).protect(any_number.to_frame(), seed=1)["x"]
    assert after.dtype == any_number.dtype
    assert after.is_null().equals(any_number.is_null())


def test_whole_numbers_become_floats_only_for_a_base_that_is_not_whole() -> None:
    assert rounded([1, 2], base=0.75) == [0.75, 2.25]
    assert rounded([1, 2], base=2.0) == [0, 2]


def test_decimals_and_durations_have_multiples_too() -> None:
    assert rounded([Decimal("1.25"), None], base=0.5) == [Decimal("1.00"), None]
    durations = [timedelta(seconds=119), None]
    assert rounded(durations, base=60, mode="down") == [timedelta(seconds=60), None]


def test_a_value_that_would_not_fit_is_refused_without_showing_it() -> None:
    with pytest.raises(ColumnError, match="1 values of column 'x' would not fit") as error:
        rounded(pl.Series([1, 127], dtype=pl.Int8), base=10)
    assert "127" not in str(error.value)
    with pytest.raises(ColumnError, match="1 values of column 'x' would not fit"):
        rounded(pl.Series([1, 2**63], dtype=pl.UInt64), base=10)


def test_a_base_finer_than_the_clock_is_refused() -> None:
    fine = pl.Series([timedelta(0)], dtype=pl.Duration("ms"))
    with pytest.raises(ColumnError, match="finer than the unit"):
        rounded(fine, base=0.0001)


@pytest.mark.parametrize("values", [["a"], [True], [date(2024, 1, 1)]])
def test_what_has_no_multiples_is_refused_with_a_hint(values: list[Any]) -> None:
    with pytest.raises(ColumnError, match=r"needs numbers or durations; use generalize.*'x'"):
        rounded(values, base=10)


@pytest.mark.parametrize("base", [0, -5])
def test_a_base_is_positive(base: int) -> None:
    with pytest.raises(SpecError, match="greater than 0"):
        Round.parse({"columns": ["x"], "base": base})


def test_a_base_is_not_lost_in_floating_point() -> None:
    with pytest.raises(SpecError, match="lost in floating point"):
        Round.parse({"columns": ["x"], "base": 1e-300})


@pytest.mark.parametrize("mode", ["nearest", "down", "random"])
def test_floats_without_digits_to_round_stay(mode: str) -> None:
    huge = [1e308, -1e308, float("inf"), 2.0**60]
    assert rounded(huge, base=0.01, mode=mode) == huge


def test_facts_count_the_cells_that_changed() -> None:
    step = Round(columns="x", base=10)
    outcome = step.apply(Table({"x": [10, 11, None]}), np.random.default_rng(0))
    assert outcome.facts == {"n_changed": {"x": 1}, "n_missing": {"x": 1}}


def test_without_values_nothing_happens() -> None:
    assert rounded(pl.Series([], dtype=pl.Float64), base=10) == []
    assert rounded([None], base=10) == [None]


def test_chance_needs_a_stream_of_its_own() -> None:
    assert Round(columns="x", base=1).row_wise
    assert not Round(columns="x", base=1, mode="random").row_wise
