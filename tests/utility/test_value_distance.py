from __future__ import annotations

from math import atan, pi

import polars as pl
import pytest

from microveil.errors import ColumnError
from microveil.utility.value_distance import ValueDistance
from tests.utility.cases import tarragona


def test_numbers_are_as_far_as_sdcmicro_says() -> None:
    assert ValueDistance().measure(*tarragona()).value == pytest.approx(0.99621980806886, rel=1e-9)


def test_numbers_count_by_the_arctangent_of_their_move() -> None:
    score = ValueDistance().measure({"x": [1.0, 5.0, None]}, {"x": [3.0, 5.0, None]})
    assert score.value == pytest.approx(2 / pi * atan(2) / 3)


def test_ordered_categories_count_by_rank() -> None:
    order = pl.Enum(["low", "middle", "high"])
    before = pl.DataFrame({"x": pl.Series(["low", "low", "high"], dtype=order)})
    after = pl.DataFrame({"x": pl.Series(["middle", "high", "high"], dtype=order)})
    assert ValueDistance().measure(before, after).value == pytest.approx((0.5 + 1 + 0) / 3)


@pytest.mark.parametrize("values", [[1.0, 2.0], ["a", "b"]], ids=["numbers", "text"])
def test_a_cell_missing_on_one_side_is_as_far_as_can_be(values: list[float | str]) -> None:
    assert ValueDistance().measure({"x": values}, {"x": [values[0], None]}).value == 0.5


def test_an_unknown_column_is_named() -> None:
    with pytest.raises(ColumnError, match="'y'"):
        ValueDistance(columns="y").measure({"x": [1]}, {"x": [1]})
