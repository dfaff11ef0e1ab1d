from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest

from microveil.app.fitting.features import Container, Features, FeaturesError, take_rows


def test_a_matrix_gets_the_names_that_scikit_learn_gives() -> None:
    features = Features.read([[1, "a"], [2, None]])
    assert features.names == ("x0", "x1")
    assert features.frame["x1"].to_list() == ["a", None]
    assert features.back(features.frame, "default").shape == (2, 2)
    assert Features.read(np.array([[1.0, 2.0]])).frame.dtypes == [pl.Float64, pl.Float64]


@pytest.mark.parametrize("kind", ["pandas", "polars"])
def test_the_kind_that_is_asked_for_comes_out(kind: Container) -> None:
    for given in (pl.DataFrame({"a": [1]}), pd.DataFrame({"a": [1]}, index=[7]), {"a": [1]}):
        made = Features.read(given).back(given, kind)
        assert type(made).__module__.startswith(kind)
    assert list(Features.read(pd.DataFrame({"a": [1]}, index=[7])).frame.index) == [7]


@pytest.mark.parametrize("given", [np.zeros(3), np.zeros((2, 2, 2)), np.array([[1j]])])
def test_other_shapes_are_refused(given: np.ndarray) -> None:
    with pytest.raises(FeaturesError):
        Features.read(given)


def test_rows_of_any_target_are_taken() -> None:
    rows = np.array([2, 0])
    assert take_rows(["a", "b", "c"], rows) == ["c", "a"]
    assert take_rows(np.array([1, 2, 3]), rows).tolist() == [3, 1]
    assert take_rows(pl.Series([1, 2, 3]), rows).to_list() == [3, 1]
    taken = take_rows(pd.Series([1, 2, 3], index=[5, 6, 7]), rows)
    assert taken.index.tolist() == [7, 5]
