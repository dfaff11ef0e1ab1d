"""SparkTable: a Spark frame with roles, from which only counts reach the driver."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import polars as pl

from microveil.errors import InputError, NotOnSparkError
from microveil.planning.course import TooManyClassesError
from microveil.spark.frames import col, head_of, refuse_nested_columns, tidy, to_polars
from microveil.tables import LazyTable, Roles, Table
from microveil.tables.names import free_name
from microveil.tables.table import Counted

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

MOST_CLASSES = 20_000_000
"""Distinct rows that the driver holds."""
BYTES_PER_CLASS = 80
"""Memory of the driver that a distinct row takes."""
COPIES = 3
"""Copies of columns of all rows that are in memory while something is made of them."""


class KnownClasses(NamedTuple):
    """What a step knows about its result, so that Spark need not compute rows to count them."""

    columns: tuple[str, ...]
    count_distinct: Callable[[Sequence[str]], Counted]
    """The distinct rows of some of these columns."""
    head: pl.DataFrame | None = None
    """A few rows of the result."""


@dataclass(frozen=True, eq=False, init=False)
class SparkTable(LazyTable):
    """Models, assessments and plans count its classes; its rows stay where they are."""

    frame: DataFrame
    most_classes: int
    classes: KnownClasses | None

    def __init__(
        self,
        frame: DataFrame,
        roles: Roles,
        most_classes: int = MOST_CLASSES,
        classes: KnownClasses | None = None,
    ) -> None:
        refuse_nested_columns(frame)
        object.__setattr__(self, "frame", frame)
        object.__setattr__(self, "most_classes", most_classes)
        object.__setattr__(self, "classes", classes)
        object.__setattr__(self, "roles", roles)
        empty = self.head.clear()
        object.__setattr__(self, "plan", empty.lazy().map_batches(_refuse, schema=empty.schema))
        roles.check_columns(empty.columns)

    @cached_property
    def head(self) -> pl.DataFrame:
        """A few rows, for the columns and their types."""
        known = None if self.classes is None else self.classes.head
        return head_of(self.frame) if known is None else known

    @cached_property
    def schema(self) -> pl.Schema:
        """Names and types of the columns."""
        return self.head.schema

    @cached_property
    def height(self) -> int:
        """Number of records."""
        return int(self.frame.count())

    def may_hold(self, n_bytes: float, what: str) -> None:
        """Raise an error if the driver may not use so much memory."""
        limit = self.most_classes * BYTES_PER_CLASS
        if n_bytes > limit:
            raise InputError(
                f"{what.capitalize()} would take about {n_bytes / 2**30:.1f} GiB of the driver's "
                f"memory, and {limit / 2**30:.1f} GiB may be used. Allow more by memory_limit."
            )

    def hold(self, columns: Iterable[str]) -> Table | LazyTable:
        """The columns needed for classes, on the driver if people are counted and not rows."""
        roles = self.roles
        if roles.entity is None:
            return self
        needed = [*columns, roles.entity, *([roles.weight] if roles.weight else [])]
        wanted = list(dict.fromkeys(needed))
        width = self.head.select(wanted).estimated_size() / max(self.head.height, 1)
        self.may_hold(COPIES * width * self.height, "counting people")
        there = self.frame.select(*[col(name) for name in wanted])
        kept = roles.without(set(roles.named) - set(wanted))
        return Table(to_polars(there.toArrow()), kept)

    def column(self, name: str) -> pl.Series:
        """Refused: a column of all records may not fit on one machine."""
        raise _too_large(name)

    def n_missing(self, name: str) -> int:
        """Cells of a column that are missing."""
        tidied = self.frame.select(tidy(self.frame, [name]))
        return int(tidied.filter(col(name).isNull()).count())

    def smallest(self, name: str) -> pl.Series:
        """The smallest number of a column, alone in a column of its name."""
        from pyspark.sql import functions

        found = self.frame.select(functions.min(col(name).cast("double"))).first()
        return pl.Series(name, [None if found is None else found[0]], dtype=pl.Float64)

    def count_distinct(self, columns: Sequence[str], weight: str | None = None) -> Counted:
        """The distinct rows of some columns, grouped by Spark."""
        from pyspark.sql import functions

        names = list(columns)
        known = self.classes
        if known is not None and names and weight is None and set(names) <= set(known.columns):
            told = known.count_distinct(names)
            self.__dict__.setdefault("height", told.n_records)
            return told
        n, summed = free_name("n", names), free_name("weight", names)
        wanted = dict.fromkeys([*names, *([weight] if weight else [])])
        frame = self.frame.select(tidy(self.frame, list(wanted)))
        sums = [functions.count(functions.lit(1)).alias(n)]
        if weight is not None:
            sums.append(functions.sum(col(weight).cast("double")).alias(summed))
        grouped = frame.groupBy([col(name) for name in names]).agg(*sums)
        found = to_polars(self._collect(grouped, names))
        if not names:
            found = found.filter(pl.col(n) > 0)
        else:
            types = {name: self.schema[name] for name in names}
            found = found.cast(types).sort(names)  # type: ignore[arg-type]
        weights = None if weight is None else found[summed].fill_null(0.0).to_numpy()
        counts = found[n].cast(pl.Int64).to_numpy()
        # Nothing need be counted again to know how many records there are.
        self.__dict__.setdefault("height", int(counts.sum()))
        return Counted(found.select(names), counts, weights)

    def _collect(self, grouped: DataFrame, names: list[str]) -> Any:
        found = grouped.limit(self.most_classes + 1).toArrow()
        if found.num_rows > self.most_classes:
            raise TooManyClassesError(grouped.count(), names)
        return found


def beside(original: DataFrame, released: DataFrame, roles: Roles) -> tuple[LazyTable, LazyTable]:
    """Two Spark frames with the roles of the columns that each has."""
    there = set(released.columns)
    return SparkTable(original, roles), SparkTable(
        released, roles.without(set(roles.named) - there)
    )


def _too_large(name: str) -> InputError:
    return NotOnSparkError(
        f"Column '{name}' of all records would have to come to one machine. Use a model or measure "
        "that counts classes, or --engine local."
    )


def _refuse(frame: pl.DataFrame) -> pl.DataFrame:  # noqa: ARG001  never called with rows
    raise NotOnSparkError("Rows of a Spark frame were asked for. Use --engine local.")
