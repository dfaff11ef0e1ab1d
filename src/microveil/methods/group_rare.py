"""Merge rare categories."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal, Self

import numpy as np
import polars as pl
from pydantic import Field, model_validator

from microveil.arrays import Longs
from microveil.labels.recoding import Recoding
from microveil.methods.parts.base import Method, Outcome
from microveil.methods.parts.columns import SomeColumns, usable_frame
from microveil.methods.parts.facts import changes
from microveil.methods.parts.recoding import replay
from microveil.methods.parts.value_text import value_text
from microveil.tables import Table


class GroupRare(Method):
    """Merge the rare categories of a column under one label.

    Numbers, dates and booleans are treated as categories: the column is text afterwards, unless the
    label is null. Missing stays missing and is never rare. A category that already has the label
    joins the group. Time grows with the records, memory with the categories.

    >>> frame = {"pet": ["cat", "cat", "owl"]}
    >>> GroupRare(columns="pet", min_count=2).protect(frame)["pet"].to_list()
    ['cat', 'cat', 'other']
    """

    public_parameters: ClassVar[tuple[str, ...]] = ("label",)
    method: Literal["group_rare"] = "group_rare"
    columns: SomeColumns = ()
    """Columns whose rare categories are merged, each separately."""
    min_count: int | None = Field(default=None, ge=2)
    """Categories with fewer records are rare."""
    min_share: float | None = Field(default=None, gt=0, lt=1)
    """Categories with a smaller share of the column's non-missing records are rare."""
    label: str | None = Field(default="other", min_length=1)
    """Label of the group; null makes the rare values missing and keeps the column's type."""
    enlarge: bool = False
    """Whether a group that is still too small absorbs the next rarest categories."""
    kept: Mapping[str, tuple[str, ...]] = Field(default_factory=dict)
    """Categories that are known to be frequent, by column: all others of that column are grouped,
    however many records have them. ``microveil fit`` fills this in."""

    @model_validator(mode="after")
    def _a_limit(self) -> Self:
        unknown = [name for name in self.columns if name not in self.kept]
        if self.min_count is None and self.min_share is None and unknown:
            raise ValueError("Define what is rare: give min_count, min_share, or both.")
        return self

    @property
    def row_wise(self) -> bool:
        """If the frequent categories are known: each row can then be treated by itself."""
        return all(name in self.kept for name in self.columns)

    def frequent(self, series: pl.Series) -> tuple[str, ...]:
        """The categories of a column that are not rare, in their order."""
        text = value_text(series)
        counts = text.alias("value").drop_nulls().value_counts(name="count")
        rare = self._rare(counts, self._threshold(int(counts["count"].sum())))
        often = counts.filter(~pl.col("value").is_in(rare["value"].implode()))["value"]
        return tuple(often.sort().to_list())

    @property
    def draws(self) -> bool:
        """Never: nothing is left to chance."""
        return False

    def apply(self, table: Table, rng: np.random.Generator) -> Outcome:  # noqa: ARG002  nothing is left to chance
        """Group the columns; the facts say how many records bear the label, and where too few."""
        return self._outcome(table, np.ones(table.height, dtype=np.int64))

    def on_classes(self, table: Table, counts: Longs) -> Outcome:
        """The same on distinct rows."""
        return self._outcome(table, counts)

    def recodes(self, name: str, values: pl.Series, counts: Longs) -> Recoding | None:
        """What each value becomes."""
        if name not in self.columns:
            return None
        return replay(self.model_copy(update={"columns": (name,)}), values, counts)

    def _outcome(self, table: Table, of_rows: Longs) -> Outcome:
        frame = usable_frame(table, self.columns, self.kind())
        facts: dict[str, Any] = {
            "n_changed": {},
            "n_missing": {name: _n_where(frame[name].is_null(), of_rows) for name in self.columns},
            "n_grouped_categories": {},
            "n_label_records": {},
            "label_too_small": [],
        }
        after = []
        for name in self.columns:
            text = value_text(frame[name])
            counts = _value_counts(text, of_rows)
            threshold = self._threshold(int(counts["count"].sum()))
            rare = self._rare_of(name, counts, threshold)
            grouped = self._group(frame[name], text, rare["value"])
            n_labelled = int(rare["count"].sum()) + _n_records(counts, self.label)
            facts["n_changed"][name] = _n_where(changes(frame[name], grouped), of_rows)
            facts["n_grouped_categories"][name] = rare.height
            facts["n_label_records"][name] = n_labelled
            if 0 < n_labelled < threshold:
                facts["label_too_small"].append(name)
            after.append(grouped)
        return Outcome(table.with_columns(after), facts)

    def _threshold(self, n_records: int) -> float:
        # No table has 2⁶² records, and counts are exact as floats up to 2⁵³.
        return max(float(min(self.min_count or 0, 2**62)), (self.min_share or 0) * n_records)

    def _rare_of(self, name: str, counts: pl.DataFrame, threshold: float) -> pl.DataFrame:
        """The categories of a column to be grouped: all but the known ones, or the rare ones."""
        known = self.kept.get(name)
        if known is None:
            return self._rare(counts, threshold)
        listed = [*known, *([] if self.label is None else [self.label])]
        return counts.filter(~pl.col("value").is_in(listed))

    def _rare(self, counts: pl.DataFrame, threshold: float) -> pl.DataFrame:
        """The categories to be merged with their counts, except the label's own."""
        n_label = _n_records(counts, self.label)
        others = counts if self.label is None else counts.filter(pl.col("value") != self.label)
        others = others.sort("count", "value")
        is_rare = others["count"] < threshold
        n_grouped = n_label + int(others.filter(is_rare)["count"].sum())
        if self.enlarge and 0 < n_grouped < threshold:
            before = others["count"].cum_sum() - others["count"] + n_label
            is_rare = is_rare | (before < threshold)
        return others.filter(is_rare)

    def _group(self, series: pl.Series, text: pl.Series, rare: pl.Series) -> pl.Series:
        is_rare = text.is_in(rare.implode()).fill_null(value=False)
        if self.label is None:
            return series.set(is_rare, None)
        labels = pl.Series(text.name, [self.label], dtype=pl.String)
        grouped = text.zip_with(~is_rare, labels.new_from_index(0, len(text)))
        return _like(grouped, series.dtype, self.label)


def _value_counts(text: pl.Series, of_rows: Longs) -> pl.DataFrame:
    """Number of records with each value; missing values are not counted."""
    rows = pl.DataFrame({"value": text, "count": of_rows}).drop_nulls("value")
    return rows.group_by("value").agg(pl.col("count").sum())


def _n_where(flags: pl.Series, of_rows: Longs) -> int:
    return int(of_rows[flags.to_numpy()].sum())


def _n_records(counts: pl.DataFrame, label: str | None) -> int:
    """Records that already have the label."""
    return 0 if label is None else int(counts.filter(pl.col("value") == label)["count"].sum())


def _like(text: pl.Series, dtype: pl.DataType, label: str) -> pl.Series:
    """Categoricals stay categorical, without the categories that are gone."""
    if isinstance(dtype, pl.Categorical):
        return text.cast(pl.Categorical())
    if isinstance(dtype, pl.Enum):
        occurring = set(text.drop_nulls().unique().to_list())
        known = [name for name in dtype.categories.to_list() if name in occurring]
        return text.cast(
            pl.Enum(known if label in known or label not in occurring else [*known, label])
        )
    return text
