"""Split a Spark frame into linked tables: links are drawn on the driver, rows stay on the cluster.

Rows are numbered once and kept, so that a row has the same link in every table, however often a
table is computed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from microveil.methods import Decompose
from microveil.methods.parts.columns import usable_frame
from microveil.release.evidence import Evidence
from microveil.spark.frames import col
from microveil.spark.table import COPIES, SparkTable
from microveil.spark.whole import MayHold, gather, number_rows, on_spark
from microveil.tables import Roles, Table
from microveil.tables.names import free_name

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


@dataclass(frozen=True, eq=False)
class Split:
    """A frame with its links, and the step that says which columns go to which table."""

    step: Decompose
    linked: DataFrame
    """Every column of every row, with its link."""
    roles: Roles
    most_classes: int
    facts: Mapping[str, Any]

    @cached_property
    def main(self) -> SparkTable:
        """The first table."""
        columns = next(iter(self.step.groups.values()))
        return self._table(self.linked.select(*_columns([self.step.link, *columns])))

    @cached_property
    def parts(self) -> Mapping[str, DataFrame]:
        """The other tables, sorted by link and value: their order tells nothing of the rows."""
        from pyspark.sql import functions

        link, found = self.step.link, {}
        for name, columns in list(self.step.groups.items())[1:]:
            part = self.linked.select(*_columns([link, *columns]))
            if self.step.l is not None:
                part = part.withColumn(self.step.count_name, functions.lit(1).cast("bigint"))
            found[name] = part.sort(*_columns([link, *columns]))
        return found

    def evidence(self) -> Evidence:
        """The tables joined on their links; rows of one person stay rows of one person."""
        person, main = self.roles.entity, self.main.frame
        if person is not None and person not in main.columns:
            parts = [name for group in self.step.groups.values() for name in group]
            if person not in parts:
                columns = [*main.columns, person]
                main = self.linked.select(*_columns(columns))
        return self.join(main, self.parts)

    def join(self, main: DataFrame, parts: Mapping[str, DataFrame]) -> Evidence:
        """The same of tables that were written and read again."""
        joined, link = main, self.step.link
        for part in parts.values():
            shown = [name for name in part.columns if name not in (link, self._count)]
            joined = joined.join(part.select(*_columns([link, *shown])), link, "left")
        if self.step.l is None:
            return Evidence(self._table(joined))
        return Evidence(self._table(main), self._table(joined))

    @property
    def _count(self) -> str | None:
        return None if self.step.l is None else self.step.count_name

    def _table(self, frame: DataFrame) -> SparkTable:
        gone = set(self.roles.named) - set(frame.columns)
        return SparkTable(frame, self.roles.without(gone), self.most_classes)


def split_frame(
    step: Decompose, table: SparkTable, rng: np.random.Generator, may_hold: MayHold
) -> Split:
    """Draw a link for each row, with the sensitive column on the driver if groups are asked for.

    Memory of the driver: three times that column, with a number and a link for each row.
    """
    head = Table(table.head, table.roles)
    usable_frame(head, step.columns_named, step.kind())
    facts = step.describe(head.columns)
    names = [] if step.l is None else [list(step.groups.values())[1][0]]
    width = 16 + (head.frame.select(names).estimated_size() / max(head.height, 1) if names else 0)
    may_hold(COPIES * width * table.height, f"step '{step.kind()}' on all rows of its columns")
    number = free_name("microveil_row", table.columns)
    numbered = number_rows(table.frame, number)
    gathered = gather(numbered, [number, *names]).sort(number)
    links, sizes = step.draw_links(gathered, rng)
    drawn = on_spark(numbered, pl.DataFrame([gathered[number], links]))
    columns = [step.link, *table.columns]
    linked = numbered.join(drawn, number, "inner").sort(number).select(*_columns(columns))
    roles = step.declare_link(table.roles)
    return Split(step, linked, roles, table.most_classes, {**facts, **sizes})


def _columns(columns: list[str]) -> list[Any]:
    return [col(name) for name in columns]
