"""Frames on their way to Spark and back."""

from __future__ import annotations

from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import polars as pl


def to_spark(spark: Any, frame: pl.DataFrame, n_partitions: int = 3) -> Any:
    folder = Path(mkdtemp(prefix="microveil-test-"))
    frame.write_parquet(folder / "table.parquet")
    # By way of a file: Spark takes clocks on the wall out of a frame for moments in time.
    return spark.read.parquet(str(folder)).repartition(n_partitions)


def back(frame: Any) -> pl.DataFrame:
    found = pl.from_arrow(frame.toArrow())
    assert isinstance(found, pl.DataFrame)
    return found
