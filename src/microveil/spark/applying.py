"""Applying plans to the partitions of a Spark frame, with the same code as locally, through Arrow.

The random stream of a partition follows from the seed, its number and its data: a task that is
retried draws the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from microveil.arrays import Floats
from microveil.planning.files import PART, protect_part
from microveil.planning.plan import State, StepPlan
from microveil.spark.frames import arrow_schema, spark_schema, to_polars
from microveil.tables import Roles, Table

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

Starts = dict[int, list[State]]
"""For each sequential plan, by its place, what each partition starts from."""


@dataclass(frozen=True)
class Work:
    """What a worker needs: the plans, and the seed of its random streams."""

    plans: tuple[StepPlan, ...]
    roles: Roles
    seed: int = field(repr=False)
    starts: Starts

    def tables(self, batches: Iterator[Any]) -> Iterator[Table]:
        """The parts of this partition after all plans."""
        from pyspark import TaskContext

        context = TaskContext.get()
        partition = context.partitionId() if context is not None else 0
        states = [self._start(place, plan, partition) for place, plan in enumerate(self.plans)]
        for number, frame in enumerate(_parts(batches)):
            part = Table(frame, self.roles)
            yield protect_part(self.plans, states, part, self.seed, (partition << 32) | number)[0]

    def _start(self, place: int, plan: StepPlan, partition: int) -> State:
        # Partitions behind the last one with rows are none that were tallied.
        if place not in self.starts or partition >= len(self.starts[place]):
            return plan.start()
        state = self.starts[place][partition]
        return None if state is None else state.copy()


def _parts(batches: Iterator[Any]) -> Iterator[pl.DataFrame]:
    """Batches combined into parts, so that results do not depend on Arrow's batch size."""
    waiting: list[pl.DataFrame] = []
    height = 0
    for batch in batches:
        waiting.append(to_polars(batch))
        height += batch.num_rows
        if height >= PART:
            whole = pl.concat(waiting)
            yield from (whole.slice(at, PART) for at in range(0, height - height % PART, PART))
            rest = whole.slice(height - height % PART)
            waiting, height = ([rest], rest.height) if rest.height else ([], 0)
    if height:
        yield pl.concat(waiting)


def apply_plans(frame: DataFrame, work: Work, example: pl.DataFrame) -> DataFrame:
    """The frame after all plans; ``example`` has the columns and types of the result."""
    schema = spark_schema(example)
    arrow = arrow_schema(schema, frame)
    names = example.columns

    def protect(batches: Iterator[Any]) -> Iterator[Any]:
        for table in work.tables(batches):
            yield from table.frame.select(names).to_arrow().cast(arrow).to_batches(1 << 16)

    return frame.mapInArrow(protect, schema)


def fold_partitions(
    frame: DataFrame, work: Work, function: Callable[[Table], Floats]
) -> list[Floats]:
    """A function's result for each partition, summed over its parts, in order of partitions."""
    import pyarrow as pa

    def fold(batches: Iterator[Any]) -> Iterator[Any]:
        from pyspark import TaskContext

        context = TaskContext.get()
        partition = context.partitionId() if context is not None else 0
        values = [function(table) for table in work.tables(batches)]
        if values:
            total = np.sum(values, axis=0)
            yield pa.RecordBatch.from_pydict(
                {
                    "partition": [partition],
                    "shape": [list(total.shape)],
                    "values": [total.ravel().astype(float).tolist()],
                },
                schema=_folded_schema(pa),
            )

    text = "partition bigint, shape array<bigint>, values array<double>"
    rows = frame.mapInArrow(fold, text).toArrow().to_pylist()
    n_partitions = max((row["partition"] for row in rows), default=-1) + 1
    found: list[Floats] = [np.zeros(0)] * n_partitions
    for row in rows:
        found[row["partition"]] = np.array(row["values"]).reshape(row["shape"])
    return found


def _folded_schema(pa: Any) -> Any:
    return pa.schema(
        [
            ("partition", pa.int64()),
            ("shape", pa.list_(pa.int64())),
            ("values", pa.list_(pa.float64())),
        ]
    )


def add_partitions(found: Sequence[Floats]) -> Floats:
    """The sum over all partitions that have rows."""
    there = [one for one in found if one.size]
    return np.sum(there, axis=0) if there else np.zeros(0)
