"""Hierarchies by order and by frequency."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import microveil as mv
from microveil.errors import HierarchyError, SpecError
from microveil.hierarchies import Frequency, Order, build_hierarchy, skeleton, unlisted_values


def test_neighbours_are_grouped_and_groups_again() -> None:
    built = Order(sizes=[2, 2]).build(pl.Series([5, 1, 3, 2, 4, None, 5]))
    assert built.frame.rows() == [
        (1, "[1, 2]", "[1, 4]", "*"),
        (2, "[1, 2]", "[1, 4]", "*"),
        (3, "[3, 4]", "[1, 4]", "*"),
        (4, "[3, 4]", "[1, 4]", "*"),
        (5, "5", "5", "*"),
    ]


def test_a_given_order_does_not_hang_on_the_column() -> None:
    builder = Order(sizes=[2], order=["low", "medium", "high", "very, high"])
    assert builder.row_wise
    built = builder.build(pl.Series(["high"]))
    assert built.frame.to_series(1).unique(maintain_order=True).to_list() == [
        "{low, medium}",
        r"{high, very\, high}",
    ]


@pytest.mark.parametrize("steps", [1, 3, 6])
def test_rarer_values_never_outlive_more_frequent_ones(steps: int) -> None:
    rng = np.random.default_rng(steps)
    column = pl.Series("x", rng.choice(list("abcdefghij"), 300, p=np.arange(1, 11) / 55))
    counts = dict(column.value_counts().rows())
    built = Frequency(steps=steps).build(column)
    assert built.n_levels == steps + 2
    for level in range(1, steps + 1):
        labels = dict(zip(built.values, built.frame.to_series(level), strict=True))
        gone = [counts[value] for value, label in labels.items() if label == "*"]
        kept = [counts[value] for value, label in labels.items() if label != "*"]
        assert not gone or not kept or max(gone) < min(kept)


def test_frequencies_are_those_of_the_records_wherever_a_hierarchy_stands() -> None:
    pets: list[str | None] = [*["cat"] * 5, *["dog"] * 3, "owl", None]
    frame = pl.DataFrame({"pet": pets})
    rare = {"hierarchy": "frequency", "min_counts": [2, 4]}
    step = mv.Generalize(column="pet", hierarchy=rare, level=1)
    assert step.protect(frame)["pet"].to_list() == [*pets[:8], "*", None]
    searched = mv.OptimalGeneralization(
        k=2, columns=["pet"], hierarchies={"pet": rare}, suppression_share=0.2
    ).protect(frame)
    assert searched["pet"].n_unique() == 2
    direct = build_hierarchy(rare, frame["pet"])
    assert direct.frame.rows()[1] == ("dog", "dog", "*", "*")


def test_levels_that_do_not_ascend_are_refused() -> None:
    with pytest.raises(SpecError, match="ascending"):
        Frequency.parse({"min_counts": [5, 5]})


def test_a_skeleton_lists_every_value_once() -> None:
    made = skeleton(pl.Series("town", ["Rome", None, "Oslo", "Rome"]))
    assert made.frame.rows() == [("Oslo", "group", "*"), ("Rome", "group", "*")]
    assert unlisted_values(made, pl.Series("town", ["Rome", "Bari", None])) == ["Bari"]
    with pytest.raises(HierarchyError, match="no values"):
        skeleton(pl.Series("town", [None], dtype=pl.String))
