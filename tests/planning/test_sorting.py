"""Scratch tables are sorted on disk, and their rows are found again by their place."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from microveil.errors import FileError
from microveil.planning import sorting
from microveil.planning.sorting import Sorter, can_sort, rebatch, zip_frames
from tests.planning.test_parts_equal_whole import people

pytest.importorskip("duckdb")


@pytest.fixture
def sorter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Sorter:
    monkeypatch.setattr(sorting, "BATCH", 64)
    return Sorter(tmp_path, 2**28)


def test_rows_come_back_in_order_with_missing_values_first(sorter: Sorter) -> None:
    frame = people().select("age", "town", "name")
    stored = sorter.store(frame.iter_slices(100))
    found = pl.concat(sorter.in_order(stored, ["age", "name"], ["age", "name"]))
    assert found.rows() == frame.select("age", "name").sort("age", "name").rows()
    assert sorter.n_present(stored, "age") == frame["age"].count()


def test_any_rows_are_read_from_the_batches_they_lie_in(sorter: Sorter) -> None:
    frame = people(500).select("pay", "town", "born", "paid")
    kept = sorter.keep(frame.iter_slices(70), frame.schema)
    for start, n in ((0, 500), (63, 2), (64, 64), (499, 1), (200, 0)):
        assert kept.rows(start, n).equals(frame.slice(start, n))
    with pytest.raises(FileError, match="changed while they were read"):
        kept.rows(499, 2)


def test_frames_are_cut_to_size_and_paired() -> None:
    numbers = pl.DataFrame({"x": np.arange(10)})
    assert [one.height for one in rebatch(numbers.iter_slices(3), 4)] == [4, 4, 2]
    both = list(zip_frames(numbers.iter_slices(3), numbers.rename({"x": "y"}).iter_slices(7)))
    assert pl.concat(both).rows() == [(i, i) for i in range(10)]
    with pytest.raises(ValueError, match="shorter"):
        list(zip_frames(pl.DataFrame({"x": np.arange(10**6)}).iter_slices(10**5), []))


def test_types_that_duckdb_does_not_hold_are_not_sorted_there() -> None:
    schema = pl.Schema({"a": pl.Int64(), "b": pl.List(pl.Int64), "c": pl.Null()})
    assert can_sort(schema, ["a"])
    assert not can_sort(schema, ["a", "b"])
    assert not can_sort(schema, ["c"])
