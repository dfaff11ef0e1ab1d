from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

from microveil.errors import InputError
from microveil.methods.shuffle.step import Shuffle
from microveil.tables import Table


@pytest.mark.parametrize("model", ["ranks", "values"])
def test_exact_draws_keep_correlations_more_closely_than_chance(model: Any) -> None:
    rng = np.random.default_rng(3)
    changes: dict[bool, list[float]] = {True: [], False: []}
    for _ in range(40):
        x = rng.multivariate_normal([0, 0], [[1, 0.6], [0.6, 1]], 300)
        frame = pl.DataFrame(x, schema=["a", "b"])
        for exact, found in changes.items():
            step = Shuffle(columns=["a", "b"], model=model, exact=exact)
            after = step.apply(Table(frame), rng).table.frame.to_numpy()
            found.append(correlation(after, model) - correlation(x, model))
    assert np.std(changes[True]) < np.std(changes[False]) / 2


@pytest.mark.parametrize("model", ["ranks", "values"])
def test_exact_draws_say_nothing_about_the_values_they_replace(model: Any) -> None:
    rng = np.random.default_rng(4)
    frame = pl.DataFrame({"s": rng.normal(size=500)})
    frame = frame.with_columns(x=pl.col("s") + pl.Series(rng.normal(size=500)))
    step = Shuffle(columns=["x"], given=["s"], model=model, exact=True)
    after = step.apply(Table(frame), rng).table.frame
    assert sorted(after["x"].to_list()) == sorted(frame["x"].to_list())
    s, before, now = (column.to_numpy() for column in (frame["s"], frame["x"], after["x"]))
    rests = [column - np.polyval(np.polyfit(s, column, 1), s) for column in (before, now)]
    assert abs(np.corrcoef(rests[0], rests[1])[0, 1]) < 0.02  # chance alone: 0.045


def test_exact_draws_need_more_records_than_columns() -> None:
    with pytest.raises(InputError, match="too few"):
        Shuffle(columns=["a", "b"], exact=True).protect({"a": [1, 2, 3], "b": [3, 1, 2]})


def test_values_as_a_model_take_missing_constant_and_categories() -> None:
    frame = pl.DataFrame(
        {"x": [1.0, None, 3.0, 4.0], "c": [2.0, 2.0, 2.0, 2.0], "g": ["a", "b", None, "a"]}
    )
    after = Shuffle(columns=["x", "c"], given=["g"], model="values").protect(frame, seed=1)
    assert after["x"].is_null().to_list() == [False, True, False, False]
    assert after["c"].to_list() == [2.0] * 4


def correlation(values: Any, model: str) -> float:
    """Of the values, or of their ranks: what the model keeps."""
    if model == "ranks":
        values = np.argsort(np.argsort(values, axis=0), axis=0)
    return float(np.corrcoef(values[:, 0], values[:, 1])[0, 1])
