"""Opening data as records: frames as they are, all else part by part."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import polars as pl

from microveil.files import batches
from microveil.tables import Roles, as_table
from microveil.tables.door import is_spark_frame, to_polars
from microveil.tables.table import table_inside
from microveil.tabulation.sources.record_source import PartsSource, RecordSource, TableSource
from microveil.tabulation.sources.spark_records import SparkRecords

N_ROWS = 500_000
"""Records of a part."""


def open_records(
    data: Any,
    roles: Roles | None = None,
    *,
    whole: bool = False,
    options: Mapping[str, Any] | None = None,
) -> RecordSource:
    """The records of a frame, or of a file, a database, a plan or parts, read part by part.

    ``whole``: all rows at once, as a table that is already aggregated needs them.
    """
    if isinstance(data, RecordSource):
        return data
    if is_spark_frame(data):
        return TableSource(as_table(data.toArrow(), roles)) if whole else SparkRecords(data, roles)
    parts = read_parts(data, options)
    if parts is None:
        return TableSource(as_table(data, roles))
    if whole:
        return TableSource(as_table(pl.concat(parts, how="vertical_relaxed"), roles))
    return PartsSource(parts, roles)


def read_parts(
    data: Any, options: Mapping[str, Any] | None = None
) -> Iterator[pl.DataFrame] | None:
    """The parts of a path, an address, a lazy frame, an answer of DuckDB or an iterator of frames.

    None for frames, which are in memory already.
    """
    data = table_inside(data)
    if isinstance(data, str | Path):
        return (to_polars(part) for part in batches(data, N_ROWS, **(options or {})))
    if isinstance(data, pl.LazyFrame):
        found = data.collect_batches(chunk_size=N_ROWS, maintain_order=True)
        return (to_polars(part) for part in found)
    if type(data).__module__.split(".")[0].lstrip("_") == "duckdb":
        return (to_polars(pl.DataFrame(part)) for part in data.to_arrow_reader(N_ROWS))
    if isinstance(data, Iterator):
        return (to_polars(part) for part in data)
    return None
