"""Correlations before and after, and those that changed most."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import microveil as mv
from microveil.utility.parts.correlations import (
    ChangedCorrelation,
    changed_correlations,
    correlations_of,
    scaled_covariances,
)

BEFORE = pl.DataFrame(
    {
        "sex": ["f", "m"] * 4,
        "x": [1, 2, 3, 4, 5, 6, 7, 8],
        "y": [2, 4, 6, 8, 10, 12, 14, 16],
        "z": [1, 1, 2, 2, 3, 3, 4, 4],
    }
)


def changed(before: pl.DataFrame, after: mv.Table | pl.DataFrame) -> list[ChangedCorrelation]:
    after = after if isinstance(after, mv.Table) else mv.Table(after)
    return changed_correlations(mv.Table(before), after, most_columns=40, most=10)


def test_correlations_are_those_of_numpy_and_of_ranks() -> None:
    values = np.random.default_rng(1).normal(size=(50, 3))
    assert correlations_of(values) == pytest.approx(np.corrcoef(values.T))
    assert correlations_of(np.exp(values), ranked=True) == pytest.approx(
        correlations_of(values, ranked=True)
    )
    assert scaled_covariances(np.array([[4.0, 0.0], [0.0, 0.0]])).tolist() == [[1, 0], [0, 1]]


def test_the_correlation_that_changed_most_comes_first() -> None:
    found = changed(BEFORE, BEFORE.with_columns(pl.col("y").reverse()))
    assert {found[0].one, found[0].other} in ({"x", "y"}, {"y", "z"})
    assert found[0].before - found[0].after == pytest.approx(2, abs=0.1)
    assert found[-1].before == pytest.approx(found[-1].after)


def test_fewer_than_two_numbers_or_records_and_constants_have_none() -> None:
    assert changed(BEFORE, BEFORE.select("sex", "x")) == []
    assert changed(BEFORE.head(1), BEFORE.head(1)) == []
    assert changed(BEFORE.select("x", "y"), BEFORE.with_columns(x=pl.lit(1))) == []


def test_labels_of_numbers_count_as_their_middles_and_only_complete_records_count() -> None:
    labels = BEFORE.with_columns(
        x=pl.Series(["[1, 3)", "[1, 3)", "[3, 5)", "[3, 5)", "[5, 7)", "[5, 7)", "*", "*"])
    )
    (one,) = [one for one in changed(BEFORE, labels) if {one.one, one.other} == {"x", "y"}]
    assert one.before == pytest.approx(1)
    assert one.after == pytest.approx(np.corrcoef([1, 1, 3, 3, 5, 5], [1, 2, 3, 4, 5, 6])[0, 1])


def test_rows_that_were_removed_are_left_out_before_and_unpaired_rows_are_not_paired() -> None:
    before = BEFORE.with_columns(y=pl.Series([2, 4, 6, 8, 10, 12, 14, -90]))
    kept = mv.Table(before).take(np.arange(7))
    assert all(one.before == pytest.approx(one.after) for one in changed(before, kept))
    drawn = mv.Table(before.reverse(), synthetic=True)
    assert all(one.before == pytest.approx(one.after) for one in changed(before, drawn))
