from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

from microveil.methods.microaggregate.step import Microaggregate

ORDERED = pl.Enum(["low", "mid", "high", "top"])


@pytest.mark.parametrize("distance", ["euclidean", "gower"])
def test_mixed_records_are_grouped_by_all_their_columns(distance: Any) -> None:
    frame = pl.DataFrame(
        {
            "age": [30, 31, 30, 60, 61, 60],
            "level": pl.Series(["low", "mid", "low", "high", "top", "high"], dtype=ORDERED),
            "town": ["Ur", "Ur", "Ur", "Uruk", "Uruk", "Uruk"],
        }
    )
    released = Microaggregate(columns=["age", "level", "town"], k=3, distance=distance).protect(
        frame
    )
    assert released["town"].to_list() == frame["town"].to_list()
    assert released["level"].to_list() == ["low"] * 3 + ["high"] * 3
    assert released["age"].to_list() == pytest.approx([91 / 3] * 3 + [181 / 3] * 3)


def test_units_do_not_matter_when_standardised() -> None:
    rng = np.random.default_rng(3)
    frame = pl.DataFrame({"a": rng.normal(size=60), "b": rng.normal(size=60)})
    scaled = frame.with_columns(pl.col("b") * 1000)
    step = Microaggregate(columns=["a", "b"], k=3)
    assert step.protect(frame)["a"].to_list() == pytest.approx(step.protect(scaled)["a"].to_list())
    raw = step.model_copy(update={"standardize": False})
    assert raw.protect(frame)["a"].to_list() != raw.protect(scaled)["a"].to_list()


def test_constant_columns_and_ties_are_no_trouble() -> None:
    frame = pl.DataFrame({"a": [5.0] * 7, "b": [1.0] * 7})
    assert Microaggregate(columns=["a", "b"], k=3).protect(frame).equals(frame)
