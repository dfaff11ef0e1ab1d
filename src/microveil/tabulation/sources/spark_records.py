"""Records of a Spark frame: each partition is gathered where it is, and the driver adds up."""

from __future__ import annotations

import pickle
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from microveil.tables import Roles
from microveil.tables.door import to_polars
from microveil.tabulation.sources.gathered import Gathered
from microveil.tabulation.sources.record_source import KeyReader, RecordSource, RunningSums
from microveil.tabulation.tabulation import Tabulation

PART = 200_000
"""Records that a worker gathers at once."""
PARTITION_BITS = 40
"""Bits of a record's number that count within a partition."""


@dataclass(frozen=True, eq=False)
class SparkRecords(RecordSource):
    """A Spark frame; only what was gathered leaves its workers, never their records."""

    frame: Any
    roles: Roles | None = None

    def gather(
        self, tabulations: Sequence[Tabulation], keys: KeyReader | None = None
    ) -> list[Gathered]:
        """The records of each table, gathered by the workers."""
        import pyarrow as pa

        roles = self.roles

        def gather_partition(batches: Iterator[Any]) -> Iterator[Any]:
            from pyspark import TaskContext

            context = TaskContext.get()
            first = 0 if context is None else context.partitionId() << PARTITION_BITS
            sums = RunningSums(tabulations, roles, keys, first)
            for part in _parts(batches):
                sums.add(part)
            if sums.first > first:
                made = pickle.dumps(sums.close())
                yield pa.RecordBatch.from_arrays([pa.array([made], pa.binary())], names=["made"])

        sums = RunningSums(tabulations, roles, keys)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)  # of pandas, which is not used here
            found = self.frame.mapInArrow(gather_partition, "made binary").toArrow()
        for made in found["made"]:
            # Made by the function above, on workers that run what the driver sends them.
            sums.take(pickle.loads(made.as_py()))  # noqa: S301  made by our own tasks
        return sums.close()


def _parts(batches: Iterator[Any]) -> Iterator[pl.DataFrame]:
    """Batches combined, since each part costs some time whatever its size."""
    waiting: list[pl.DataFrame] = []
    for batch in batches:
        waiting.append(to_polars(pl.DataFrame(batch)))
        if sum(one.height for one in waiting) >= PART:
            yield pl.concat(waiting)
            waiting = []
    if waiting:
        yield pl.concat(waiting)
