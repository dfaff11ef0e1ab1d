from __future__ import annotations

from collections import Counter

import polars as pl
import pytest
from hypothesis import given, settings

from microveil.errors import InputError
from microveil.utility.average_class_size import AverageClassSize
from tests.utility.cases import codes


@settings(max_examples=40)
@given(codes)
def test_the_average_is_records_over_classes(values: list[str]) -> None:
    after = [value[0] + "*" for value in values]
    score = AverageClassSize(columns="x").measure({"x": values}, {"x": after})
    n, n_before, n_after = len(values), len(Counter(values)), len(Counter(after))
    assert score.parts["average"] == pytest.approx(n / n_after)
    assert score.parts["average_before"] == pytest.approx(n / n_before)
    span = n - n / n_before
    expected = (n / n_after - n / n_before) / span if span else 0.0
    assert score.value == pytest.approx(expected)


def test_suppressed_records_form_no_class() -> None:
    before = pl.DataFrame({"x": ["a", "b", "c", "d"]})
    score = AverageClassSize(columns="x").measure(before, {"x": ["ab", "ab", "*", None]})
    assert (score.parts["average"], score.parts["n_suppressed"]) == (2.0, 2)


def test_finer_classes_than_before_cost_nothing() -> None:
    score = AverageClassSize(columns="x").measure({"x": [1, 1, 2]}, {"x": [3, 4, 5]})
    assert score.value == 0


def test_classes_need_keys() -> None:
    with pytest.raises(InputError, match="'average_class_size' needs quasi-identifiers"):
        AverageClassSize().measure({"x": [1]}, {"x": [1]})
