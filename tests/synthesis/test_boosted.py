from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import microveil as mv
from microveil.synthesis.boosted import Boosted
from microveil.synthesis.parts.dichotomies import Dichotomies


def table(n: int = 1500) -> pl.DataFrame:
    rng = np.random.default_rng(0)
    sex = rng.choice(["f", "m"], n)
    age = rng.integers(18, 80, n)
    job = np.where(age > 65, "retired", rng.choice(["clerk", "cook", "nurse"], n))
    pay = age * 100 + (sex == "m") * 2000 + rng.normal(0, 300, n)
    gone = (age > 60) & (rng.random(n) < 0.7)
    return pl.DataFrame(
        {"sex": sex, "age": age, "job": job, "pay": pl.Series(pay).set(pl.Series(gone), None)}
    )


def test_relations_between_columns_of_all_kinds_are_kept() -> None:
    frame = table()
    model = Boosted().fit(mv.Table(frame), np.random.default_rng(1))
    drawn = model.sample(1500, np.random.default_rng(2))
    assert drawn.schema == frame.schema
    retired = drawn.filter(pl.col("age") > 67)["job"]
    assert (retired == "retired").mean() > 0.9  # type: ignore[operator]
    slope = drawn.drop_nulls().select(pl.cov("age", "pay") / pl.col("age").var()).item()
    assert slope == pytest.approx(100, abs=12)
    old = drawn.filter(pl.col("age") > 60)["pay"].is_null().mean()
    assert old == pytest.approx(0.7, abs=0.12)


def test_shares_are_those_of_the_data_where_nothing_explains_them() -> None:
    rng = np.random.default_rng(0)
    frame = pl.DataFrame({"a": rng.choice(["x", "y", "z"], 3000, p=[0.7, 0.2, 0.1])})
    drawn = Boosted().fit(mv.Table(frame), rng).sample(3000, rng)
    shares = drawn["a"].value_counts(normalize=True).sort("a")["proportion"].to_list()
    assert shares == pytest.approx([0.7, 0.2, 0.1], abs=0.03)


def test_a_column_given_others_is_drawn_by_halving() -> None:
    from microveil.kernels.synthesis.boost import Boosting
    from microveil.kernels.synthesis.grow_tree import Growth

    levels = np.tile(np.arange(8, dtype=np.uint8), 50)[None, :]
    classes = np.tile(np.arange(8), 50)
    boosting = Boosting(20, 0.5, Growth(2, 0.0, 3))
    asked = Dichotomies.of(levels, classes, 10, boosting, np.random.default_rng(1))
    assert len(asked.questions) == 7
    assert len(asked.donors) == 8
    drawn = classes[asked.draw(levels, None, np.random.default_rng(1))]
    assert (drawn == classes).mean() > 0.95
