"""Plans are applied to partitions as to parts of a file, whatever their sizes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import polars as pl
import pytest

import microveil as mv
from microveil.planning.plan import RowByRow
from microveil.spark import applying
from microveil.spark.applying import Work, _parts, add_partitions
from tests.planning.test_parts_equal_whole import people, recipe_of
from tests.spark.cases import back, to_spark

pytestmark = pytest.mark.filterwarnings("ignore")  # PySpark's own


def test_skew_empty_partitions_and_one_row(spark: Any) -> None:
    recipe = recipe_of([{"method": "suppress_records", "k": 2}])
    one = mv.run(recipe, to_spark(spark, people(1), 4), seed=1)
    assert back(one.data).height == 0
    same = people(1).select(pl.all().repeat_by(300).explode())
    assert back(mv.run(recipe, to_spark(spark, same, 8), seed=1).data).height == 300


def batches(*frames: pl.DataFrame) -> Iterator[Any]:
    return (batch for frame in frames for batch in frame.to_arrow().to_batches())


def test_parts_do_not_depend_on_the_size_of_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(applying, "PART", 4)
    frame = pl.DataFrame({"x": range(10)})
    for n in (1, 3, 4, 5, 10):
        found = list(_parts(batches(*frame.iter_slices(n))))
        assert [part.height for part in found] == [4, 4, 2]
        assert pl.concat(found).equals(frame)
    assert list(_parts(batches())) == []
    assert [part.height for part in _parts(batches(frame.head(8)))] == [4, 4]


def test_a_partition_starts_where_those_before_it_end() -> None:
    pytest.importorskip("pyspark")
    step = mv.Round(columns=["x"], base=10)
    plan = RowByRow(step, 0, ("x",))
    starts: Any = {0: [np.array([5]), None]}
    work = Work((plan,), mv.Roles(), 987654, starts)
    state = work._start(0, plan, 0)
    state[0] = 7
    assert starts[0][0].tolist() == [5]
    assert work._start(0, plan, 1) is None
    assert work._start(0, plan, 2) is plan.start()
    found = list(work.tables(batches(pl.DataFrame({"x": [12, 18, None]}))))
    assert [table.frame["x"].to_list() for table in found] == [[10, 20, None]]
    assert "987654" not in repr(work)


def test_partitions_without_rows_add_nothing() -> None:
    assert add_partitions([np.zeros(0), np.array([1.0, 2.0]), np.array([3.0, 4.0])]).tolist() == [
        4.0,
        6.0,
    ]
    assert add_partitions([np.zeros(0)]).size == add_partitions([]).size == 0
