from __future__ import annotations

import pytest

from microveil.errors import ColumnError, InputError
from microveil.plots import (
    histogram_chart,
)
from microveil.plots.pairs import pair_of, shared_columns
from tests.plots.cases import people, rows_of
from tests.plots.releases import NOISY


def test_a_figure_takes_a_release_or_two_frames() -> None:
    pair = histogram_chart(NOISY.original.frame.to_pandas(), NOISY.data, column="age")

    assert rows_of(pair) == rows_of(histogram_chart(NOISY, column="age"))
    with pytest.raises(InputError, match="release alone"):
        histogram_chart(NOISY, people(), column="age")
    with pytest.raises(InputError, match="Pass a Release"):
        histogram_chart(people(), column="age")


def test_columns_are_those_named_or_those_of_both() -> None:
    before, after = pair_of({"a": [1], "b": [2]}, {"b": [3], "c": [4]})
    assert shared_columns(before, after, ()) == ["b"]
    assert shared_columns(before, after, ["b"]) == ["b"]
    with pytest.raises(ColumnError, match="'a'"):
        shared_columns(before, after, ["a"])
