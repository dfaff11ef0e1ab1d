from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import polars as pl
import pyarrow as pa
from polars.testing import assert_frame_equal

import microveil as mv
from microveil.tabulation.sources.spark_records import SparkRecords
from tests.tabulation.sources.test_opening import TABLES, people


class Standin:
    """A frame in partitions that runs what Spark's workers would run."""

    def __init__(self, partitions: list[pl.DataFrame]) -> None:
        self.partitions = partitions

    def mapInArrow(self, function: Callable[[Iterator[Any]], Iterator[Any]], _: str) -> Standin:  # noqa: N802
        self.made = [
            batch
            for part in self.partitions
            for batch in function(iter(part.to_arrow().to_batches()))
        ]
        return self

    def toArrow(self) -> pa.Table:  # noqa: N802
        return pa.Table.from_batches(self.made, pa.schema([("made", pa.binary())]))


def test_workers_gather_what_one_machine_gathers() -> None:
    frame = people()
    source = SparkRecords(Standin([frame[:300], frame[:0], frame[300:]]))
    for tables in TABLES.values():
        there = mv.tabulate(source, tables, rules=[mv.Threshold(n=4)])
        here = mv.tabulate(frame, tables, rules=[mv.Threshold(n=4)])
        for title, expected in here.frames.items():
            assert_frame_equal(there.frames[title], expected, rel_tol=1e-12)
