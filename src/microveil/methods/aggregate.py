"""Replace values by a statistic of their group."""

from __future__ import annotations

from typing import Any, ClassVar, Literal, Self

import numpy as np
import polars as pl
from pydantic import Field, model_validator

from microveil.errors import ColumnError
from microveil.methods.parts.base import Method, Outcome
from microveil.methods.parts.columns import SomeColumns, apart, refuse_kinds, usable_frame
from microveil.methods.parts.facts import change_facts
from microveil.methods.parts.real_values import as_floats
from microveil.tables import Classes, Table
from microveil.tables.roles import Columns
from microveil.texts import phrase

NARROW = (pl.Int8, pl.Int16, pl.Int32, pl.UInt8, pl.UInt16, pl.UInt32)
"""Types whose sums would soon overflow."""
Statistic = Literal["mean", "median", "sum", "min", "max", "mode", "count"]


class Aggregate(Method):
    """Replace each value by a statistic of its group.

    Missing cells stay missing and do not count. Groups too small for the statistic to hide anybody
    become missing. Means and medians of whole numbers and decimals are floats, those of dates are
    dates; of equally frequent modes the smallest is used. Time grows with the number of records.

    >>> frame = {"team": ["a", "a", "a", "b"], "pay": [1.0, 2.0, 6.0, 9.0]}
    >>> Aggregate(columns="pay", by="team").protect(frame)["pay"].to_list()
    [3.0, 3.0, 3.0, None]
    """

    public_parameters: ClassVar[tuple[str, ...]] = ("by", "statistic")
    method: Literal["aggregate"] = "aggregate"
    columns: SomeColumns
    """Columns whose values are replaced."""
    by: Columns = ()
    """Columns whose combinations define the groups, missing being a value; default: one group."""
    statistic: Statistic = "mean"
    """Statistic that replaces each value. min and max publish one record's true value."""
    min_group: int = Field(default=3, ge=1)
    """Groups with fewer values (people, if the roles name an entity) become missing: the mean of
    one value is the value itself."""

    @model_validator(mode="after")
    def _groups_of_others(self) -> Self:
        apart(self.columns, self.by, ("columns", "by"))
        return self

    @property
    def draws(self) -> bool:
        """Never: nothing is left to chance."""
        return False

    def apply(self, table: Table, rng: np.random.Generator) -> Outcome:  # noqa: ARG002  nothing is left to chance
        """Replace the columns; the facts count the cells lost to small groups."""
        before = usable_frame(table, [*self.columns, *self.by], self.kind())
        refuse_kinds(before, self.columns, self._fits, self._needs())
        group = Classes.of(table, self.by).record_class
        after = before.with_columns(
            self._aggregate(table, before[name], group)
            for name in self.columns
            if before.schema[name] != pl.Null
        )
        facts: dict[str, Any] = change_facts(before, after, self.columns)
        facts["n_cells_suppressed"] = {
            name: after[name].null_count() - before[name].null_count() for name in self.columns
        }
        facts["n_groups"] = int(group.max()) + 1 if len(group) else 0
        facts["now_float"] = [
            name
            for name in self.columns
            if after.schema[name].is_float() and not before.schema[name].is_float()
        ]
        return Outcome(table.with_frame(after), facts)

    def _aggregate(self, table: Table, series: pl.Series, group: np.ndarray[Any, Any]) -> pl.Series:
        """One column, each value replaced by its group's statistic."""
        entity = table.roles.entity
        frame = pl.DataFrame([pl.Series("group", group), series.alias("value")])
        size = pl.len()
        if entity is not None:
            frame = frame.with_columns(table.frame[entity].alias("entity"))
            size = pl.col("entity").n_unique()
        present = frame.filter(pl.col("value").is_not_null())
        sizes = present.group_by("group").agg(size.alias("size"))
        plan = (
            self._statistics(present)
            .join(sizes, on="group")
            .filter(pl.col("size") >= self.min_group)
        )
        joined = frame.join(plan, on="group", how="left", maintain_order="left")
        return joined.select(
            pl.when(pl.col("value").is_not_null()).then("statistic").alias(series.name)
        ).to_series()

    def _statistics(self, present: pl.DataFrame) -> pl.DataFrame:
        """Each group's statistic."""
        value, dtype = pl.col("value"), present.schema["value"]
        if self.statistic == "mode":
            counts = present.group_by("group", "value").len()
            modes = counts.filter(pl.col("len") == pl.col("len").max().over("group"))
            return modes.group_by("group").agg(value.min().alias("statistic"))
        if dtype == pl.Boolean and self.statistic == "median":
            value = value.cast(pl.UInt8)
        statistic = {
            "mean": value.mean(),
            "median": value.median(),
            "sum": (value.cast(pl.Int64) if dtype in NARROW else value).sum(),
            "min": value.min(),
            "max": value.max(),
            "count": pl.len().cast(pl.Int64),
        }[self.statistic]
        if dtype == pl.Date and self.statistic in ("mean", "median"):
            statistic = statistic.cast(pl.Date)
        found = present.group_by("group").agg(statistic.alias("statistic"))
        if self.statistic == "sum" or (self.statistic == "mean" and dtype.is_float()):
            self._refuse_overflow(present, found)
        return found

    def _refuse_overflow(self, present: pl.DataFrame, found: pl.DataFrame) -> None:
        """Raise an error if a group's statistic exceeds the range of its type."""
        value = as_floats(present["value"])
        totals = present.select("group", value).group_by("group").agg(pl.col("value").sum())
        both = found.join(totals, on="group").get_columns()
        dtype = found.schema["statistic"]
        if dtype.is_float():
            n_bad = int((~both[1].is_finite()).sum())
        else:
            most = 2.0 ** (127 if dtype == pl.Int128 or dtype.is_decimal() else 63)
            n_bad = int((both[2].abs() >= most).sum())
        if n_bad:
            raise ColumnError(
                "The {statistic} of {n_bad} groups is too large for its type. Use another "
                "unit, or leave out the rows.",
                statistic=self.statistic,
                n_bad=n_bad,
            )

    def _fits(self, dtype: pl.DataType) -> bool:
        if self.statistic in ("mode", "count"):
            return True
        is_number = dtype.is_numeric() or dtype in (pl.Boolean, pl.Duration)
        return is_number or (self.statistic != "sum" and dtype.is_temporal())

    def _needs(self) -> str:
        sums = phrase("numbers or durations")
        kinds = sums if self.statistic == "sum" else phrase("numbers, dates or durations")
        return phrase(
            "The {statistic} needs {kinds}; use mode or count for categories.",
            statistic=self.statistic,
            kinds=kinds,
        )
