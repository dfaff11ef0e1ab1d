"""Frames of a search written down by hand: two records, three minimal uniques."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

from microveil.kernels.uniques.minimal_uniques import MinimalUniques
from microveil.risk.population.uniques.distinct_rows import distinct_rows
from microveil.risk.population.uniques.frames import (
    Found,
    column_frame,
    column_size_frame,
    set_frame,
    size_frame,
)
from microveil.tables import Table

FRAME = pl.DataFrame({"a": [1, 2], "b": [1, 2], "c": [1, 1]})


def found() -> Found:
    rows = distinct_rows(Table(FRAME), ["a", "b", "c"])
    bit = {name: 1 << rows.columns.index(name) for name in "abc"}
    sets = np.array([bit["a"], bit["b"] | bit["c"]])
    fields: dict[str, Any] = {name: np.zeros(0) for name in MinimalUniques._fields}
    fields |= {"sets": sets, "n_records": np.array([2, 1])}
    zeros = np.zeros(2)
    weights = np.array([4.0, 1.0, 0.5])
    return Found(("a", "b", "c"), rows, MinimalUniques(**fields), weights, zeros, zeros, 1.0)


def test_columns_share_the_score_of_the_sets_they_are_in() -> None:
    frame = column_frame(found())
    # Two uniques of size 1 weigh 8, one of size 2 weighs 1.
    assert frame["contribution"].to_list() == pytest.approx([8 / 9, 1 / 9, 1 / 9])
    assert frame["n_minimal_uniques"].to_list() == [2, 1, 1]


def test_sizes_are_counted_by_column() -> None:
    frame = column_size_frame(found())
    assert frame.filter(size=1)["n_minimal_uniques"].to_list() == [2, 0, 0]
    assert frame.filter(size=2)["share"].to_list() == pytest.approx([0, 1, 1])
    assert frame.filter(size=3)["share"].to_list() == [0, 0, 0]


def test_sets_come_with_most_records_first() -> None:
    frame = set_frame(found())
    assert frame["columns"].to_list() == [["a"], ["b", "c"]]
    assert frame["size"].to_list() == [1, 2]
    assert frame["n_records"].to_list() == [2, 1]


def test_records_count_at_every_size_and_at_their_smallest() -> None:
    by_size = np.array([[1, 0], [2, 1], [0, 3], [0, 0]], dtype=np.int32)
    frame = size_frame(by_size, np.ones(4, dtype=np.int64))
    assert frame["n_minimal_uniques"].to_list() == [3, 4]
    assert frame["n_records"].to_list() == [2, 2]
    assert frame["n_smallest"].to_list() == [2, 1]
