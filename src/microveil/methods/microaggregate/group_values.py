"""One value for a group of records: mean, median, mode, convex median; of lists see set_values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import numpy as np
import polars as pl

from microveil.arrays import Floats, Ints
from microveil.errors import ColumnError
from microveil.methods.microaggregate.likeness import is_list
from microveil.methods.microaggregate.record_points import is_ordinal
from microveil.methods.microaggregate.set_values import majorities, mean_vectors, medoids
from microveil.methods.parts.real_values import cast_or_null, real_values
from microveil.tables.kinds import is_number

Aggregation = Literal["auto", "mean", "median", "mode", "convex_median", "medoid", "majority"]
OF_LISTS: Mapping[str, Aggregation] = {"cosine": "mean", "jaccard": "majority", "edit": "medoid"}
"""What stands for a group of lists, by the distance that made it."""


def chosen_aggregation(
    column: pl.Series, asked: Aggregation, distance: str = "euclidean"
) -> Aggregation:
    """How a column is aggregated: as given, otherwise by its kind and the distance."""
    number, ordinal = is_number(column.dtype), is_ordinal(column.dtype)
    if is_list(column.dtype):
        return _of_lists(column, asked, distance)
    if asked == "medoid" or (asked == "auto" and distance == "edit"):
        return "medoid"
    if asked == "auto":
        return "mean" if number else ("median" if ordinal else "mode")
    fits = {"mean": number, "median": number or ordinal, "convex_median": ordinal, "mode": True}
    if not fits.get(asked):
        raise ColumnError(
            "Column '{name}' ({dtype}) cannot be aggregated by {asked}. Numbers have a mean, "
            "numbers and enums a median, every column a mode, text a medoid, lists a "
            "majority.",
            name=column.name,
            dtype=column.dtype.base_type(),
            asked=asked,
        )
    return asked


def _of_lists(column: pl.Series, asked: Aggregation, distance: str) -> Aggregation:
    chosen = OF_LISTS[distance] if asked == "auto" else asked
    if chosen not in ("mean", "majority", "medoid"):
        raise ColumnError(
            "Column '{name}' holds lists, which cannot be aggregated by {asked}: they have a "
            "majority (as sets), a medoid (as sequences) or a mean (as vectors).",
            name=column.name,
            asked=asked,
        )
    return chosen


def group_values(
    column: pl.Series,
    labels: Ints,
    aggregation: Aggregation,
    *,
    keep_integers: bool,
    weights: Floats | None = None,
) -> pl.Series:
    """Replace each value by that of its group; the column has no missing cells.

    Values are weighted if records have weights; in a group of zero weights, all count equally.
    """
    weights = None if weights is None else _sound(weights, labels)
    if aggregation in ("medoid", "majority") or is_list(column.dtype):
        ways = {"medoid": medoids, "majority": majorities, "mean": mean_vectors}
        return ways[aggregation](column, labels, weights)
    if aggregation == "mode":
        return _modes(column, labels, weights).gather(labels).alias(column.name)
    if isinstance(column.dtype, pl.Enum):
        convex = aggregation == "convex_median"
        codes = _middle(column.to_physical(), labels, weights, convex=convex)
        categories = pl.Series(column.dtype.categories, dtype=column.dtype)
        return categories.gather(codes.gather(labels)).alias(column.name)
    numbers = real_values(column)
    found = (_means if aggregation == "mean" else _medians)(numbers, labels, weights)
    centres = pl.Series(column.name, found).gather(labels)
    return _as_kind(centres, column, keep_integers=keep_integers)


def _sound(weights: Floats, labels: Ints) -> Floats:
    total = np.bincount(labels, weights)
    return np.where(total[labels] > 0, weights, 1.0)


def _means(values: Floats, labels: Ints, weights: Floats | None) -> Floats:
    # Offsets from the overall mean, so that large values with a small spread keep their digits.
    centre = values.mean()
    each = np.ones(len(values)) if weights is None else weights
    return np.asarray(
        centre + np.bincount(labels, weights=(values - centre) * each) / np.bincount(labels, each)
    )


def _medians(values: Floats, labels: Ints, weights: Floats | None) -> Floats:
    """The weighted median of each group, or the midpoint of the two values around it."""
    order = np.lexsort((values, labels))
    ranked, group = values[order], labels[order]
    weight = np.ones(len(values)) if weights is None else weights[order]
    total = np.bincount(group, weight)
    before = np.concatenate([[0.0], np.cumsum(total)[:-1]])
    reached = np.cumsum(weight) - before[group]
    near = 1e-12 * total[group]
    ends = []
    for enough in (reached >= total[group] / 2 - near, reached > total[group] / 2 + near):
        place = np.flatnonzero(enough & (weight > 0))
        ends.append(ranked[place[np.unique(group[place], return_index=True)[1]]])
    return np.asarray(ends[0] + (ends[1] - ends[0]) / 2)


def _as_kind(centres: pl.Series, like: pl.Series, *, keep_integers: bool) -> pl.Series:
    """Centres in the type of their column, rounded if that is whole."""
    dtype = like.dtype
    if dtype.is_temporal() or (keep_integers and dtype.is_integer()):
        whole = like.to_physical()
        centres = centres.round(mode="half_to_even")
        return _within(centres.cast(whole.dtype, strict=False), centres, whole).cast(dtype)
    if isinstance(dtype, pl.Decimal):
        centres = centres.round(dtype.scale or 0)
        return _within(cast_or_null(centres, dtype), centres, like)
    return centres.cast(dtype) if dtype.is_float() else centres


def _within(cast: pl.Series, centres: pl.Series, like: pl.Series) -> pl.Series:
    """Clamp centres to the column's range, which rounding may exceed."""
    if not cast.null_count():
        return cast
    end = pl.when(pl.col("centre") > 0).then(pl.col("like").max()).otherwise(pl.col("like").min())
    framed = pl.DataFrame({"cast": cast, "centre": centres, "like": like})
    return framed.select(pl.coalesce("cast", end).alias(cast.name)).to_series()


def _modes(column: pl.Series, labels: Ints, weights: Floats | None) -> pl.Series:
    """The most frequent value of each group, by weight; the smallest if tied."""
    each = np.ones(len(column)) if weights is None else weights
    framed = pl.DataFrame({"label": labels, "value": column, "weight": each})
    counted = framed.group_by("label", "value").agg(pl.col("weight").sum())
    ranked = counted.sort("label", "weight", "value", descending=[False, True, False])
    return ranked.unique("label", keep="first", maintain_order=True).sort("label")["value"]


def _middle(codes: pl.Series, labels: Ints, weights: Floats | None, *, convex: bool) -> pl.Series:
    """The (lower) median of each group; a convex one first fills valleys of the frequencies.

    Convex median (Domingo-Ferrer & Torra 2003): a category between two frequent ones counts as
    often as the less frequent of them, so that two distant camps meet in the middle.
    """
    values = codes.to_numpy().astype(np.int64)
    counts = np.zeros((labels.max() + 1, values.max() + 1))
    np.add.at(counts, (labels, values), 1.0 if weights is None else weights)
    if convex:
        from_left = np.maximum.accumulate(counts, axis=1)
        from_right = np.maximum.accumulate(counts[:, ::-1], axis=1)[:, ::-1]
        counts = np.minimum(from_left, from_right)
    reached = 2 * np.cumsum(counts, axis=1) >= counts.sum(axis=1, keepdims=True) * (1 - 1e-12)
    return pl.Series(reached.argmax(axis=1))
