"""One value for a group of records: mean, median, mode, convex median."""

from __future__ import annotations

from typing import Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray

from microveil.errors import ColumnError
from microveil.methods.microaggregate.record_points import is_ordinal
from microveil.tables.kinds import is_number

Labels = NDArray[np.int32]
Aggregation = Literal["auto", "mean", "median", "mode", "convex_median"]


def chosen_aggregation(column: pl.Series, asked: Aggregation) -> Aggregation:
    """What is done with a column: by its kind unless it is said."""
    number, ordinal = is_number(column.dtype), is_ordinal(column.dtype)
    if asked == "auto":
        return "mean" if number else ("median" if ordinal else "mode")
    fits = {"mean": number, "median": number or ordinal, "convex_median": ordinal, "mode": True}
    if not fits[asked]:
        raise ColumnError(
            f"Column '{column.name}' ({column.dtype.base_type()}) cannot be aggregated by {asked}. "
            "Numbers have a mean, numbers and enums a median, every column a mode."
        )
    return asked


def group_values(
    column: pl.Series, labels: Labels, aggregation: Aggregation, *, keep_integers: bool
) -> pl.Series:
    """The column with each value replaced by that of its group; the column has no gaps."""
    if aggregation == "mode":
        return _modes(column, labels).gather(labels).alias(column.name)
    if isinstance(column.dtype, pl.Enum):
        codes = _middle(column.to_physical(), labels, convex=aggregation == "convex_median")
        categories = pl.Series(column.dtype.categories, dtype=column.dtype)
        return categories.gather(codes.gather(labels)).alias(column.name)
    numbers = column.to_physical().cast(pl.Float64)
    centres = _means(numbers, labels) if aggregation == "mean" else _medians(numbers, labels)
    return _as_kind(centres.gather(labels).alias(column.name), column, keep_integers=keep_integers)


def _means(numbers: pl.Series, labels: Labels) -> pl.Series:
    # Offsets from the overall mean: large values with a small spread keep their digits.
    values = numbers.to_numpy()
    centre = values.mean()
    return pl.Series(centre + np.bincount(labels, weights=values - centre) / np.bincount(labels))


def _medians(numbers: pl.Series, labels: Labels) -> pl.Series:
    framed = pl.DataFrame({"label": labels, "value": numbers})
    return framed.group_by("label").agg(pl.col("value").median()).sort("label")["value"]


def _as_kind(centres: pl.Series, like: pl.Series, *, keep_integers: bool) -> pl.Series:
    """Centres in the kind of column they stand for, rounded where that is whole."""
    dtype = like.dtype
    if dtype.is_temporal() or (keep_integers and dtype.is_integer()):
        return centres.round(mode="half_to_even").cast(like.to_physical().dtype).cast(dtype)
    if isinstance(dtype, pl.Decimal):
        return centres.round(dtype.scale or 0).cast(dtype)
    return centres.cast(dtype) if dtype.is_float() else centres


def _modes(column: pl.Series, labels: Labels) -> pl.Series:
    """The most frequent value of each group; of several the smallest."""
    framed = pl.DataFrame({"label": labels, "value": column})
    counted = framed.group_by("label", "value").len()
    ranked = counted.sort("label", "len", "value", descending=[False, True, False])
    return ranked.unique("label", keep="first", maintain_order=True).sort("label")["value"]


def _middle(codes: pl.Series, labels: Labels, *, convex: bool) -> pl.Series:
    """The (lower) median of each group; a convex one first levels valleys of the frequencies.

    Convex median (Domingo-Ferrer & Torra 2003): a category between two frequent ones counts as
    often as the less frequent of them, so that two far camps meet in the middle.
    """
    values = codes.to_numpy().astype(np.int64)
    counts = np.zeros((labels.max() + 1, values.max() + 1), dtype=np.int64)
    np.add.at(counts, (labels, values), 1)
    if convex:
        from_left = np.maximum.accumulate(counts, axis=1)
        from_right = np.maximum.accumulate(counts[:, ::-1], axis=1)[:, ::-1]
        counts = np.minimum(from_left, from_right)
    reached = 2 * np.cumsum(counts, axis=1) >= counts.sum(axis=1, keepdims=True)
    return pl.Series(reached.argmax(axis=1))
