"""Blocks of a k-d tree are aggregated by themselves, and lose little."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

import microveil as mv
from microveil.spark.methods import microaggregate
from microveil.spark.methods.microaggregate import _cut, blocks_of, suits
from tests.spark.cases import back, to_spark


@pytest.mark.filterwarnings("ignore")
@pytest.mark.slow
def test_microaggregation_by_blocks_loses_little_against_the_exact_one(
    spark: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(microaggregate, "BLOCK", 150)
    rng = np.random.default_rng(2)
    frame = pl.DataFrame(
        {"id": np.arange(700), "x": rng.normal(size=700), "y": rng.normal(size=700)}
    )
    recipe = mv.Recipe.parse(
        {
            "steps": [{"method": "microaggregate", "columns": ["x", "y"], "k": 3}],
            "keep": ["id", "x", "y"],
        }
    )
    blocks = back(mv.run(recipe, to_spark(spark, frame), seed=1).data).sort("id")
    exact = mv.run(recipe, frame, seed=1).data.sort("id")
    assert blocks.group_by("x", "y").len()["len"].min() >= 3  # type: ignore[operator]
    loss = [
        float(((after.select("x", "y").to_numpy() - frame.select("x", "y").to_numpy()) ** 2).sum())
        for after in (blocks, exact)
    ]
    assert loss[1] <= loss[0] * 1.02
    assert loss[0] < 1.4 * loss[1]


def test_every_point_falls_into_one_leaf_of_about_equal_size() -> None:
    points = np.random.default_rng(0).normal(size=(400, 2)) * [1.0, 100.0]
    scale = points.std(axis=0)
    tree = _cut(points / scale, scale, depth=2)
    leaves = [node for node, cuts in enumerate(tree) if not cuts]
    found, sizes = np.unique(blocks_of(points, tree), return_counts=True)
    assert found.tolist() == leaves
    assert sizes.tolist() == [100] * 4


def test_what_cannot_be_cut_stays_one_block() -> None:
    same = np.ones((50, 2))
    assert _cut(same, np.ones(2), depth=3) == [[]]
    assert blocks_of(same, []).tolist() == [0] * 50
    # Of two values, one of which is the median, both sides have rows.
    tree = _cut(np.array([[0.0], [0.0], [1.0]]), np.ones(1), depth=3)
    assert blocks_of(np.array([[0.0], [1.0], [9.0]]), tree).tolist() == [1, 2, 2]


def test_blocks_need_numbers_to_cut_by() -> None:
    head = mv.Table(pl.DataFrame({"sex": ["f", "m"], "pay": [1, 2]}))
    assert suits(mv.Microaggregate(columns=["sex", "pay"], k=2), head)
    assert not suits(mv.Microaggregate(columns=["sex"], k=2), head)
