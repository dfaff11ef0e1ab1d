"""A column as detectors see it: its name, its form, its counts and a sample of its values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

import numpy as np
import polars as pl

from microveil.app.inspection.counting import Counts, column_counts
from microveil.app.inspection.limits import ROWS_PER_VALUE
from microveil.files.columns.date_formats import read_dates
from microveil.files.columns.finding_dates import find_dates
from microveil.texts import Message

Form = Literal[
    "text", "whole", "decimal", "boolean", "date", "datetime", "time", "duration",
    "nested", "binary", "empty",
]  # fmt: skip
"""What cells are, whatever the dtype: floats without a fraction are whole numbers."""

_IN_WORDS: dict[Form, str] = {
    "text": Message("content.text", "text"),
    "whole": Message("content.whole", "whole number"),
    "decimal": Message("content.decimal", "number"),
    "boolean": Message("content.boolean", "yes/no"),
    "date": Message("content.date", "date"),
    "datetime": Message("content.datetime", "date and time"),
    "time": Message("content.time", "time of day"),
    "duration": Message("content.duration", "duration"),
    "nested": Message("content.nested", "nested"),
    "binary": Message("content.binary", "binary"),
    "empty": Message("content.empty", "empty"),
}


@dataclass(frozen=True, eq=False)
class Column:
    """One column, in the views that detectors need."""

    series: pl.Series
    sample: int | None
    """Largest number of distinct values that patterns see; None means all."""
    label: str = ""
    """What the file says the column means, in words."""
    value_labels: Mapping[int | float | str, str] = field(default_factory=dict)
    """What the file says its codes mean."""

    @property
    def name(self) -> str:
        """The column's name."""
        return self.series.name

    @property
    def names(self) -> tuple[str, str]:
        """The name and the label, for words to match."""
        return self.name, self.label

    @cached_property
    def counts(self) -> Counts:
        """Exact counts of the whole column."""
        return column_counts(self.series)

    @cached_property
    def form(self) -> Form:
        """What the cells are."""
        return _form(self.series, self.values)

    @property
    def dtype(self) -> str:
        """The type in words."""
        kind = self.series.dtype
        if isinstance(kind, pl.Categorical | pl.Enum) and self.form == "text":
            return Message("content.category", "category")
        if self.form == "nested":
            return Message(
                "content.nested_kind", "nested ({kind})", kind=kind.base_type().__name__.lower()
            )
        return _IN_WORDS[self.form]

    @cached_property
    def values(self) -> pl.Series:
        """Distinct values, sampled if the column is long; none for a nested column."""
        series = self.series
        if series.dtype.is_nested() or series.dtype in (pl.Object, pl.Binary, pl.Null):
            return pl.Series(self.name, [], dtype=pl.String)
        present = series.drop_nulls() if series.null_count() else series
        if self.sample is None:
            return present.unique(maintain_order=True)
        n_rows = ROWS_PER_VALUE * self.sample
        if len(present) > n_rows:
            # The draw only decides which values are examined; a fixed seed repeats the report.
            rows = np.random.default_rng(0).integers(0, len(present), n_rows)
            present = present.gather(np.unique(rows))
        return present.unique(maintain_order=True).head(self.sample)

    @cached_property
    def views(self) -> pl.DataFrame:
        """The sample as ``text``, ``number`` and ``date``, each null if it is not one."""
        match self.form:
            case "text":
                text = self.values.cast(pl.String).str.strip_chars()
                return _text_views(text.alias("text").to_frame())
            case "whole" | "decimal":
                number = self.values.cast(pl.Float64, strict=False)
                text = (
                    number.cast(pl.Int128, strict=False).cast(pl.String)
                    if self.form == "whole" and self.series.dtype.is_float()
                    else self.values.cast(pl.String)
                )
                return _frame(text, number, None)
            case "date" | "datetime":
                return _frame(None, None, self.values.cast(pl.Date))
            case _:
                return _frame(None, None, None, height=len(self.values))


def _form(series: pl.Series, values: pl.Series) -> Form:  # noqa: PLR0911  one line per form
    dtype = series.dtype
    if dtype.is_nested() or dtype == pl.Object:
        return "nested"
    if dtype == pl.Null or series.null_count() == len(series) > 0:
        return "empty"
    if dtype == pl.Binary:
        return "binary"
    if dtype == pl.Boolean:
        return "boolean"
    if dtype.is_integer():
        return "whole"
    if dtype.is_numeric():
        numbers = values.cast(pl.Float64, strict=False)
        return "whole" if bool((numbers.round(0) == numbers).all()) else "decimal"
    if dtype.is_temporal():
        named: dict[type[pl.DataType], Form] = {
            pl.Date: "date", pl.Datetime: "datetime", pl.Time: "time",
        }  # fmt: skip
        return named.get(dtype.base_type(), "duration")
    return "text"


def _text_views(text: pl.DataFrame) -> pl.DataFrame:
    """Text that may parse as numbers (decimal point or comma) or as dates."""
    column = pl.col("text")
    # Text as long as a card number is a code: as a number it would lose digits.
    number = (
        pl.when(column.str.len_chars() <= 18)  # noqa: PLR2004  digits that an int64 holds
        .then(column.str.replace(",", ".", literal=True))
        .cast(pl.Float64, strict=False)
    )
    found = find_dates(text["text"])
    dates = (
        [] if found is None else [read_dates(column, one).cast(pl.Date) for one in found.formats]
    )
    return text.with_columns(number=number, date=pl.coalesce(pl.lit(None, pl.Date), *dates))


def _frame(
    text: pl.Series | None, number: pl.Series | None, date: pl.Series | None, height: int = 0
) -> pl.DataFrame:
    """Three columns, with those not given all null."""
    given = {"text": text, "number": number, "date": date}
    height = max((len(series) for series in given.values() if series is not None), default=height)
    empty = {"text": pl.String(), "number": pl.Float64(), "date": pl.Date()}
    return pl.DataFrame(
        {
            name: pl.Series([None] * height, dtype=empty[name]) if series is None else series
            for name, series in given.items()
        }
    )
