from __future__ import annotations

import polars as pl
import pytest

from microveil.errors import InputError
from microveil.plots import (
    error_curves_chart,
)
from microveil.plots.error_curves import MOST_CURVES
from microveil.plots.small_counts import SMALL_COUNT
from tests.plots.cases import noisy, people, rows_of
from tests.plots.releases import NOISY


def test_a_public_error_curve_ends_where_ten_records_are_left() -> None:
    release = noisy()
    internal = rows_of(error_curves_chart(release, columns=["pay"]))
    public = rows_of(error_curves_chart(release, columns=["pay"], audience="public"))

    assert max(row["share"] for row in internal) == 1.0
    assert max(row["share"] for row in public) == pytest.approx(1 - (SMALL_COUNT - 1) / 400)
    assert error_curves_chart(people(9), people(9), columns=["pay"], audience="public")


def test_error_curves_are_the_sorted_errors() -> None:
    before = pl.DataFrame({"x": [0.0, 0.0, 0.0, 0.0]})
    after = pl.DataFrame({"x": [3.0, -1.0, None, 2.0]})

    curve = rows_of(error_curves_chart(before, after))

    assert [row["error"] for row in curve] == [1.0, 2.0, 3.0]
    assert [row["share"] for row in curve] == pytest.approx([1 / 3, 2 / 3, 1])


def test_several_columns_are_drawn_in_standard_deviations() -> None:
    before = pl.DataFrame({"x": [0.0, 10.0], "y": [5.0, 5.0]})
    after = pl.DataFrame({"x": [10.0, 10.0], "y": [6.0, 5.0]})
    curves = rows_of(error_curves_chart(before, after))

    assert max(row["error"] for row in curves if row["curve"] == "x") == pytest.approx(2**0.5)
    assert max(row["error"] for row in curves if row["curve"] == "y") == 1.0


def test_of_many_columns_those_that_moved_most_are_drawn() -> None:
    before = pl.DataFrame({f"c{i:02}": [0.0, 1.0, 2.0] for i in range(MOST_CURVES + 3)})
    after = before.select(pl.col(name) + i for i, name in enumerate(before.columns))
    drawn = {row["curve"] for row in rows_of(error_curves_chart(before, after))}

    assert drawn == set(before.columns[3:])


def test_releases_are_laid_beside_each_other_for_one_column() -> None:
    with pytest.raises(InputError, match="one column"):
        error_curves_chart({"noise": NOISY})
    with pytest.raises(InputError, match="No column is numeric"):
        error_curves_chart({"a": ["x"]}, {"a": ["x"]})
