"""The number sets are those of the thesis, with its parameters."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import polars as pl
import pytest

from microveil.errors import InputError
from microveil.studies.examples.numbers import (
    Shape,
    dependent,
    dependent_squares,
    independent,
    random_numbers,
    squares,
)
from microveil.studies.zaragoza.tables import DataSet, data_sets


@pytest.mark.parametrize("data", [one for one in data_sets() if one.n_records <= 10_000],
                         ids=lambda data: f"{data.kind}-{data.name}")  # fmt: skip
def test_the_command_writes_the_sets_that_the_study_runs_on(data: DataSet) -> None:
    makers: dict[tuple[str, str], Callable[[Shape], pl.DataFrame]] = {
        ("independent", "linear"): independent,
        ("independent", "quadratic"): squares,
        ("dependent", "linear"): dependent,
        ("dependent", "quadratic"): dependent_squares,
    }
    size = {"rows" if data.kind == "independent" else "values": data.size}
    found = makers[data.kind, data.growth](Shape(columns=data.n_columns, **size))
    assert found.equals(data.frame())


def test_dependent_squares_are_the_squares_of_dependent_values() -> None:
    shape = Shape(values=4, columns=3)
    assert dependent_squares(shape).rows() == [
        tuple(one**2 for one in row) for row in dependent(shape).rows()
    ]


def test_random_numbers_spread_evenly() -> None:
    drawn = random_numbers(Shape(rows=2000, columns=2))
    assert drawn.width == 2
    values = drawn["A1"].to_numpy()
    assert values.min() >= 1
    assert values.max() <= 2000
    assert abs(values.mean() - 1000.5) < 5 * 577 / np.sqrt(2000)


def test_what_does_not_go_together_is_refused() -> None:
    for make, shape, message in (
        (dependent, Shape(rows=5, values=2), "Leave out --rows"),
        (dependent, Shape(values=1000, columns=9), "Ask for fewer"),
        (squares, Shape(rows=5, values=2), "Leave out --values"),
    ):
        with pytest.raises(InputError, match=message):
            make(shape)
