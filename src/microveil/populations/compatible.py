"""Records that classes cannot be told from when a missing key matches every value.

Classes with the same pattern of missing keys are matched together: a pair of patterns costs one
join over the keys that both have, so time grows with classes × patterns.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

if TYPE_CHECKING:
    from numpy.typing import NDArray


def matched_entries(
    keys: pl.DataFrame,
    classes: NDArray[np.int64],
    values: NDArray[np.int64],
    counts: NDArray[np.int64],
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """The values of each class together with those of all classes compatible with it.

    >>> keys = pl.DataFrame({"a": ["x", None]})
    >>> entries = matched_entries(keys, np.array([0, 1]), np.array([5, 7]), np.array([2, 1]))
    >>> [part.tolist() for part in entries]
    [[0, 0, 1, 1], [5, 7, 5, 7], [2, 1, 2, 1]]
    """
    if not any(column.null_count() for column in keys):
        return classes, values, counts
    entries = pl.DataFrame({"__class": classes, "__value": values, "__n": counts})
    mine = keys.with_columns(pl.int_range(pl.len(), dtype=pl.Int64).alias("__class"))
    theirs = mine.join(entries, on="__class")
    found = pl.concat(
        _joined(part, other.group_by(*common, "__value").agg(pl.col("__n").sum()), common)
        for part, other, common in _pattern_pairs(mine, theirs, keys.columns)
    )
    summed = found.group_by("__class", "__value").agg(pl.col("__n").sum())
    ordered = summed.sort("__class", "__value")
    return (
        ordered["__class"].to_numpy(),
        ordered["__value"].to_numpy(),
        ordered["__n"].to_numpy(),
    )


def matched_amounts(
    keys: pl.DataFrame, other_keys: pl.DataFrame, amounts: pl.Series
) -> NDArray[np.float64]:
    """For each row of ``keys``, the amounts of all rows of ``other_keys`` compatible with it.

    >>> mine, theirs = pl.DataFrame({"a": ["x", None]}), pl.DataFrame({"a": ["x", "y", None]})
    >>> matched_amounts(mine, theirs, pl.Series([1, 2, 4])).tolist()
    [5.0, 7.0]
    """
    mine = keys.with_columns(pl.int_range(pl.len(), dtype=pl.Int64).alias("__class"))
    theirs = other_keys.with_columns(amounts.cast(pl.Float64).alias("__n"))
    summed = np.zeros(keys.height)
    for part, other, common in _pattern_pairs(mine, theirs, keys.columns):
        totals = (
            other.group_by(common).agg(pl.col("__n").sum())
            if common
            else other.select(pl.col("__n").sum())
        )
        joined = _joined(part, totals, common)
        summed[joined["__class"].to_numpy()] += joined["__n"].to_numpy()
    return summed


def _pattern_pairs(
    mine: pl.DataFrame, theirs: pl.DataFrame, names: list[str]
) -> Iterator[tuple[pl.DataFrame, pl.DataFrame, list[str]]]:
    """Each pair of groups with one pattern of missing keys, and the keys present in both."""
    others = [(group, _present(group, names)) for group in _by_pattern(theirs, names)]
    for part in _by_pattern(mine, names):
        there = _present(part, names)
        for other, their_keys in others:
            yield part, other, [name for name in there if name in their_keys]


def _by_pattern(rows: pl.DataFrame, names: list[str]) -> list[pl.DataFrame]:
    flags = [pl.col(name).is_null().alias(f"__missing_{i}") for i, name in enumerate(names)]
    marked = rows.with_columns(flags)
    by = [f"__missing_{i}" for i in range(len(names))]
    return (
        [part.drop(by) for part in marked.partition_by(by, maintain_order=True)] if by else [rows]
    )


def _present(group: pl.DataFrame, names: list[str]) -> list[str]:
    return [name for name in names if group[name].null_count() == 0]


def _joined(mine: pl.DataFrame, theirs: pl.DataFrame, common: list[str]) -> pl.DataFrame:
    """Class and amount (and value) of each match."""
    left = mine.select(*common, "__class")
    pairs = left.join(theirs, on=common) if common else left.join(theirs, how="cross")
    return pairs.drop(common)
