"""Numbers near the limits of their types, odd dates, constants and columns without a value.

Every step and measure ends in a result without NaN, or in one clear sentence.
"""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import microveil as mv
from tests.conformance import extremes

ROLES = mv.Roles(quasi_identifiers=["sex", "age"])
LONGEST_MESSAGE = 400


def clear(error: mv.InputError) -> bool:
    """Whether a message is a sentence of ours rather than what a library said."""
    text = str(error)
    return 20 < len(text) < LONGEST_MESSAGE and "\n" not in text and text.rstrip().endswith(".")


def check_step(step: mv.Method, column: pl.Series) -> None:
    frame = extremes.frame_with(column)
    try:
        outcome = step.apply(mv.Table(frame, ROLES), np.random.default_rng(1))
    except mv.InputError as error:
        assert clear(error), error  # noqa: PT017  either way out is right
        return
    json.dumps(dict(outcome.facts), allow_nan=False)
    if "x" not in outcome.table.columns:
        return
    after = outcome.table.frame["x"]
    if after.dtype.is_float() and bool(column.cast(pl.Float64, strict=False).is_finite().all()):
        assert after.is_finite().all()


def check_measure(measure: Any, before: pl.DataFrame, after: pl.DataFrame) -> None:
    try:
        score = measure.measure(before, after, roles=ROLES)
    except mv.InputError as error:
        assert clear(error), error  # noqa: PT017  either way out is right
        return
    assert math.isfinite(score.value)
    json.dumps(score.to_dict().get("parts", {}), allow_nan=False)


@pytest.mark.parametrize("name", list(extremes.METHODS))
def test_a_step_ends_in_a_result_or_in_one_clear_sentence(name: str) -> None:
    for make in extremes.METHODS[name]:
        for label, column in extremes.COLUMNS.items():
            try:
                check_step(make(), column)
            except BaseException as error:
                raise AssertionError(f"{make()!r} on {label}: {error!r}") from error


@pytest.mark.parametrize("name", list(extremes.MEASURES))
def test_a_measure_ends_in_a_number_or_in_one_clear_sentence(name: str) -> None:
    for measure in extremes.MEASURES[name]:
        for label, column in extremes.COLUMNS.items():
            before = extremes.frame_with(column)
            for after in (before, before.with_columns(x=pl.col("x").reverse())):
                try:
                    check_measure(measure, before, after)
                except BaseException as error:
                    raise AssertionError(f"{measure!r} on {label}: {error!r}") from error


def test_methods_that_are_left_out_are_there() -> None:
    assert set(mv.METHODS.classes) >= extremes.OTHERS


@st.composite
def columns(draw: st.DrawFn) -> pl.Series:
    dtype, values = extremes.POOLS[draw(st.sampled_from(list(extremes.POOLS)))]
    drawn = draw(st.lists(st.sampled_from(values), min_size=1, max_size=extremes.N))
    return pl.Series("x", drawn, dtype=dtype)


@given(columns(), st.sampled_from(list(extremes.METHODS)), st.integers(0, 9))
@settings(max_examples=300, deadline=None)
def test_random_columns_of_extremes_are_no_trouble_to_steps(
    column: pl.Series, name: str, number: int
) -> None:
    makers = extremes.METHODS[name]
    check_step(makers[number % len(makers)](), column)


@given(columns(), st.sampled_from(list(extremes.MEASURES)), st.integers(0, 9), st.data())
@settings(max_examples=200, deadline=None)
def test_random_columns_of_extremes_are_no_trouble_to_measures(
    column: pl.Series, name: str, number: int, data: st.DataObject
) -> None:
    before = extremes.frame_with(column)
    order = data.draw(st.permutations(range(len(column))))
    after = before.with_columns(before["x"].gather(order))
    measures = extremes.MEASURES[name]
    check_measure(measures[number % len(measures)], before, after)


@pytest.mark.parametrize("n", [2**63, 2**70, 10**400])
def test_counts_beyond_64_bits_are_refused(n: int) -> None:
    with pytest.raises(mv.InputError, match="min_count"):
        mv.GroupRare(columns="sex", min_count=n)
    for measure in ({"name": "population_risk"},):
        with pytest.raises(mv.InputError, match="population_size"):
            mv.RISK_MEASURES.parse({**measure, "population_size": n})
    for model in ({"model": "k_map", "k": 2}, {"model": "population_uniqueness", "threshold": 0.1}):
        with pytest.raises(mv.InputError, match="population_size"):
            mv.MODELS.parse({**model, "population_size": n})


def test_sums_that_outgrow_their_type_are_refused_or_widened() -> None:
    narrow = pl.DataFrame({"x": pl.Series([2**31 - 1] * 3, dtype=pl.Int32)})
    step = mv.Aggregate(columns="x", statistic="sum")
    assert step.protect(narrow)["x"].to_list() == [3 * (2**31 - 1)] * 3
    with pytest.raises(mv.ColumnError, match="too large"):
        step.protect({"x": [2**63 - 1] * 3})
    with pytest.raises(mv.ColumnError, match="too large"):
        mv.Aggregate(columns="x").protect({"x": [1e308] * 3})


def test_decimals_and_floats_of_the_same_value_are_the_same() -> None:
    decimals = extremes.frame_with(extremes.COLUMNS["decimals"])
    floats = decimals.with_columns(pl.col("x").cast(pl.Float64))
    for name in ("IL1s", "Sse", "ValueDistance", "ConfidenceOverlap", "Propensity", "Eigenvalues"):
        score = getattr(mv, name)().measure(decimals, floats)
        assert score.value == pytest.approx(0, abs=1e-9), name
