"""Categories as small numbers, for PRAM and randomised response."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray
from pydantic import BeforeValidator

from microveil.errors import ColumnError
from microveil.methods.parts.value_text import value_text
from microveil.tables.values import Distinct

CodeArray = NDArray[np.int16] | NDArray[np.int32]

SHORT = 32_767
"""Largest number of categories that fit two bytes."""


def _label(raw: object) -> object:
    if isinstance(raw, bool):
        return "true" if raw else "false"
    return str(raw) if isinstance(raw, int | float) else raw


Label = Annotated[str, BeforeValidator(_label, json_schema_input_type=str | int | float | bool)]
"""A category as a recipe names it: text, a number, true or false."""


class Coded(NamedTuple):
    """A column as category numbers."""

    name: str
    codes: CodeArray
    """Position of each record's value in ``categories``; −1 if missing."""
    categories: pl.Series
    """Each category once: as given, otherwise ascending (text by characters, enums as declared)."""

    def decode(self, codes: CodeArray) -> pl.Series:
        """The column with these codes, in its original type."""
        n, source = len(self.categories), self.categories
        # Polars gathers faster from a column without missing cells.
        if len(codes) and codes.min() < 0:
            codes, source = np.where(codes < 0, n, codes), source.extend_constant(None, 1)
        return source.gather(pl.Series(codes.astype(np.uint32))).alias(self.name)


def encode_categories(series: pl.Series, labels: Sequence[str] | None, step: str) -> Coded:
    """Number the categories of a column; if given, ``labels`` are all there may be.

    >>> encode_categories(pl.Series("x", ["b", None, "a"]), None, "pram").codes.tolist()
    [1, -1, 0]
    """
    _refuse_measurements(series, step)
    distinct = Distinct.of(series)
    n = len(distinct.values)
    place = np.full(n + 1, -1, dtype=np.int32)
    if labels is None:
        order = _sortable(distinct.values).arg_sort().to_numpy()
        place[order] = np.arange(n)
        categories = distinct.values.gather(order)
    else:
        categories = _as_column(labels, series, step)
        place[:-1] = _places(distinct, categories, step)
    if len(categories) <= SHORT:
        return Coded(series.name, place.astype(np.int16)[distinct.of_record], categories)
    return Coded(series.name, place[distinct.of_record], categories)


def _refuse_measurements(series: pl.Series, step: str) -> None:
    """Raise an error unless the values can be categories: text, booleans, whole numbers."""
    dtype = series.dtype
    named = dtype in (pl.String, pl.Boolean, pl.Null) or isinstance(dtype, pl.Categorical | pl.Enum)
    if named or dtype.is_integer():
        return
    if not dtype.is_float():
        raise ColumnError(
            "Step '{step}' needs categories: text, booleans or whole numbers. Column "
            "'{name}' is of another type ({dtype}). Generalize or round it first.",
            step=step,
            name=series.name,
            dtype=dtype,
        )
    # A whole-number column with missing cells often arrives as floats.
    n_broken = int((~(series.is_finite() & (series == series.floor()))).sum())
    if n_broken:
        raise ColumnError(
            "Step '{step}' needs categories, but {n_broken} values of column '{name}' are "
            "not whole numbers. Generalize or round it first.",
            step=step,
            n_broken=n_broken,
            name=series.name,
        )


def _sortable(values: pl.Series) -> pl.Series:
    # The order of categoricals depends on what the process has seen before.
    return values.cast(pl.String) if isinstance(values.dtype, pl.Categorical) else values


def _as_column(labels: Sequence[str], series: pl.Series, step: str) -> pl.Series:
    """The labels as values of the column's type."""
    text = pl.Series(series.name, labels, dtype=pl.String)
    if series.dtype == pl.Null:
        return text
    if series.dtype == pl.Boolean:
        values = text.str.to_lowercase().replace_strict(
            {"true": True, "false": False}, default=None, return_dtype=pl.Boolean
        )
    else:
        values = text.cast(series.dtype, strict=False)
    n_strange = values.null_count()
    if n_strange:
        raise ColumnError(
            "Step '{step}' names {n_strange} categories that column '{name}' cannot hold (it "
            "is {dtype}). Correct them.",
            step=step,
            n_strange=n_strange,
            name=series.name,
            dtype=series.dtype.base_type(),
        )
    n_doubled = len(values) - values.n_unique()
    if n_doubled:
        raise ColumnError(
            "Step '{step}' names {n_doubled} categories of column '{name}' twice. Name each once.",
            step=step,
            n_doubled=n_doubled,
            name=series.name,
        )
    return values


def _places(distinct: Distinct, categories: pl.Series, step: str) -> NDArray[np.int32]:
    """Position of each distinct value among the categories; raises an error if one is absent."""
    known = pl.DataFrame({"value": value_text(categories)}).with_row_index("place")
    wanted = pl.DataFrame({"value": value_text(distinct.values)}, schema={"value": pl.String})
    found = wanted.join(known, on="value", how="left", maintain_order="left")["place"]
    if found.null_count():
        unknown = found.is_null().to_numpy()
        raise ColumnError(
            "Column '{name}' has {n_missing} categories that step '{step}' does not name, in "
            "{records_of} records. Name them, or group them first. In YAML, put words like "
            "yes and no in quotes.",
            name=distinct.name,
            n_missing=found.null_count(),
            step=step,
            records_of=distinct.records_of(unknown),
        )
    return found.cast(pl.Int32).to_numpy()
