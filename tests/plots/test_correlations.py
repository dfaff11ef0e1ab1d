from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from microveil.errors import InputError
from microveil.plots import (
    correlations_chart,
)
from microveil.plots.correlations import MOST_COLUMNS as MOST_CORRELATED
from microveil.plots.correlations import correlation_maps
from tests.plots.cases import people
from tests.plots.releases import NOISY


def test_correlations_are_those_of_numpy() -> None:
    maps = correlation_maps(NOISY)
    frames = [one.frame.select(maps.columns).to_numpy() for one in (NOISY.original, NOISY.table)]

    for found, frame in zip((maps.before, maps.after), frames, strict=True):
        np.testing.assert_allclose(found, np.corrcoef(frame, rowvar=False), atol=1e-12)
    assert dict(maps.by_title)["Difference"][0, 0] == 0


def test_rank_correlations_do_not_see_a_monotone_change() -> None:
    before = people().select("pay", "age")
    maps = correlation_maps(before, before.with_columns(pl.col("pay").log()), kind="spearman")

    np.testing.assert_allclose(maps.before, maps.after, atol=1e-12)


def test_a_column_that_does_not_vary_correlates_with_nothing() -> None:
    frame = {"x": [1.0, 2.0, 3.0], "y": [7.0, 7.0, 7.0]}

    assert correlation_maps(frame, frame).before.tolist() == [[1.0, 0.0], [0.0, 1.0]]
    empty = {"x": pl.Series([], dtype=pl.Float64), "y": pl.Series([], dtype=pl.Float64)}
    assert correlation_maps(pl.DataFrame(empty), pl.DataFrame(empty)).n_records == 0


def test_correlations_take_two_columns_of_numbers() -> None:
    with pytest.raises(InputError, match="two columns"):
        correlations_chart({"a": [1.0]}, {"a": [1.0]})
    with pytest.raises(InputError, match="pearson or spearman"):
        correlations_chart(NOISY, kind="kendall")  # type: ignore[arg-type]  # on purpose
    wide = pl.DataFrame({f"c{i}": [1.0, 2.0, i] for i in range(MOST_CORRELATED + 2)})
    assert len(correlation_maps(wide, wide).columns) == MOST_CORRELATED
