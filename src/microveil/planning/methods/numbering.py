"""Columns of all rows with the number of each row, as they come part by part."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import polars as pl

from microveil.planning.course import Course
from microveil.planning.sorting import Sorter, StoredColumns
from microveil.tables.kinds import refuse_infinite

ROW, LOT, VALUE = "row", "lot", "value"


def number_rows(
    course: Course, columns: Sequence[str], rng: np.random.Generator
) -> Iterator[pl.DataFrame]:
    """Row number, a lot drawn at random, and the columns by their place (``0``, ``1``, …)."""
    start = 0
    for table in course.tables():
        rows = np.arange(start, start + table.height)
        start += table.height
        yield pl.DataFrame(
            [
                pl.Series(ROW, rows),
                pl.Series(LOT, rng.integers(2**63, size=table.height)),
                *(table.frame[name].alias(str(place)) for place, name in enumerate(columns)),
            ]
        )


def order_values(course: Course, name: str, rng: np.random.Generator) -> Iterator[pl.DataFrame]:
    """Row number, lot and, as ``value``, numbers in the order of the column's values."""
    for frame in number_rows(course, [name], rng):
        column = frame["0"]
        refuse_infinite(column)
        yield frame.select(ROW, LOT, _physical(column).alias(VALUE))


def _physical(column: pl.Series) -> pl.Series:
    plain = isinstance(column.dtype, pl.Enum) or column.dtype.is_temporal()
    return column.to_physical() if plain else column


def laid_out(
    sorter: Sorter, moved: Iterator[pl.DataFrame], name: str, dtype: pl.DataType
) -> StoredColumns:
    """New values with the number of their row, brought into the order of the rows."""
    path = sorter.store(moved)
    in_rows = sorter.in_order(path, [VALUE], [ROW])
    columns = (_restore(frame[VALUE], dtype).alias(name).to_frame() for frame in in_rows)
    return sorter.keep(columns, pl.Schema({name: dtype}))


def _restore(column: pl.Series, dtype: pl.DataType) -> pl.Series:
    """Levels by their numbers, which Polars does not cast; all else is cast when it is kept."""
    return dtype.categories.gather(column) if isinstance(dtype, pl.Enum) else column
