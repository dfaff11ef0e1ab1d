"""Steps that must see all rows at once: their columns come to the driver, and go back changed.

The other columns stay with the cluster. Rows are numbered first, and the numbered frame is kept:
a worker that fails later ends the run instead of numbering its rows in another way.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import polars as pl

from microveil.errors import NotOnSparkError
from microveil.methods import Method, Outcome
from microveil.planning.narrow import roles_of
from microveil.planning.plan import read_by
from microveil.spark.frames import col, spark_schema, to_polars
from microveil.spark.table import COPIES
from microveil.tables import Roles, Table
from microveil.tables.names import free_name

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

MayHold = Callable[[float, str], None]


class Changed(NamedTuple):
    """A frame after a step that saw all of its rows."""

    frame: DataFrame
    roles: Roles
    facts: Mapping[str, Any]


def apply_whole(
    step: Method, frame: DataFrame, head: Table, rng: np.random.Generator, may_hold: MayHold
) -> Changed:
    """Apply a step to its own columns on the driver; the rest is joined by the number of the row.

    The result is that of one machine. Memory of the driver: three times these columns of all rows.
    """
    draws_rows = step.kind() == "synthesize" and not getattr(step, "columns", ())
    names = head.columns if draws_rows else list(read_by(step, head))
    width = head.frame.select(names).estimated_size() / max(head.height, 1)
    may_hold(COPIES * width * frame.count(), f"step '{step.kind()}' on all rows of its columns")
    number = free_name("microveil_row", frame.columns)
    numbered = number_rows(frame, number)
    gathered = gather(numbered, [number, *names]).sort(number)
    table = Table(gathered.drop(number), roles_of(head.roles, names))
    outcome = step.apply(table, rng)
    if outcome.parts or outcome.secrets:
        raise NotOnSparkError(
            f"Step '{step.kind()}' makes further tables, and the Spark engine writes one. Use "
            "--engine local."
        )
    if outcome.table.synthetic:
        return _put_drawn_rows(frame, outcome)
    return _join_changes(numbered, number, (gathered, outcome), head)


def gather(frame: DataFrame, names: Sequence[str]) -> pl.DataFrame:
    """Some columns of all rows, on the driver."""
    return to_polars(frame.select(*[col(name) for name in names]).toArrow())


def number_rows(frame: DataFrame, number: str) -> DataFrame:
    """The rows with a number that grows with their place, kept so that it never changes."""
    from pyspark.sql import functions

    numbered: DataFrame = frame.withColumn(number, functions.monotonically_increasing_id())
    return numbered.localCheckpoint()


def _put_drawn_rows(frame: DataFrame, outcome: Outcome) -> Changed:
    """Rows that belong to nobody take the place of all others."""
    return Changed(on_spark(frame, outcome.table.frame), outcome.table.roles, outcome.facts)


def _join_changes(
    numbered: DataFrame, number: str, found: tuple[pl.DataFrame, Outcome], head: Table
) -> Changed:
    """The rows that stay, with their changed columns, in the order that they had."""
    gathered, outcome = found
    after = outcome.table
    stay = gathered if after.rows is None else gathered[after.rows]
    changed = [
        name
        for name in after.columns
        if name not in stay.columns or not stay[name].equals(after.frame[name])
    ]
    gone = [name for name in gathered.columns if name != number and name not in after.columns]
    new = stay.select(number).with_columns(after.frame[name] for name in changed)
    kept = [name for name in head.columns if name not in {*changed, *gone}]
    there = [name for name in head.columns if name not in gone]
    order = [*there, *(name for name in changed if name not in there)]
    frame = numbered.select(*[col(name) for name in [number, *kept]])
    if changed or after.rows is not None:
        frame = frame.join(on_spark(numbered, new), number, "inner")
    frame = frame.sort(number).select(*[col(name) for name in order])
    return Changed(frame, roles_of(head.roles, order), outcome.facts)


def on_spark(like: DataFrame, frame: pl.DataFrame) -> DataFrame:
    """A frame of the driver as one of the cluster, in the session of another."""
    schema = spark_schema(frame)
    plain = frame.with_columns(pl.col(pl.Categorical, pl.Enum).cast(pl.String))
    return like.sparkSession.createDataFrame(plain.to_arrow(), schema=schema)
