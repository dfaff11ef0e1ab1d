"""Class sizes when a missing key matches every value."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

if TYPE_CHECKING:
    from numpy.typing import NDArray


def matching_sizes(keys: pl.DataFrame, counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Number of records that each class is compatible with, missing matching anything.

    Two classes are compatible when no key is present in both and different. This is sdcMicro's
    reading with ``alpha = 1``, made symmetric: a fully suppressed record also counts for the
    complete ones (Templ, Kowarik & Meindl 2015, section 3.1, leave it out).

    Classes with the same pattern of missing keys are matched together: a pair of patterns costs
    one grouping over the keys that both have, so time grows with classes × patterns.

    >>> matching_sizes(pl.DataFrame({"a": ["x", None, "y"]}), np.array([1, 1, 3])).tolist()
    [2, 5, 4]
    """
    names = keys.columns
    if not names:  # nothing can differ
        return np.full(len(counts), counts.sum(), dtype=np.int64)
    pattern = keys.select(
        pl.concat_list(pl.all().is_null().cast(pl.String)).list.join("").alias("pattern")
    ).to_series()
    framed = keys.with_columns(
        pattern.alias("__pattern"),
        pl.Series("__count", counts),
        pl.Series("__class", np.arange(len(counts))),
    )
    groups = framed.partition_by("__pattern", maintain_order=True)
    present = [_present(group, names) for group in groups]
    sizes = np.zeros(len(counts), dtype=np.int64)
    for mine, my_keys in zip(groups, present, strict=True):
        for theirs, their_keys in zip(groups, present, strict=True):
            common = [name for name in my_keys if name in their_keys]
            sizes[mine["__class"].to_numpy()] += _matches(mine, theirs, common)
    return sizes


def _present(group: pl.DataFrame, names: list[str]) -> list[str]:
    return [name for name in names if group[name].null_count() == 0]


def _matches(mine: pl.DataFrame, theirs: pl.DataFrame, common: list[str]) -> NDArray[np.int64]:
    """For each class of ``mine``, the records of ``theirs`` with equal common keys."""
    if not common:
        return np.full(mine.height, theirs["__count"].sum())
    totals = theirs.group_by(common).agg(pl.col("__count").sum().alias("__total"))
    joined = mine.select(common).join(totals, on=common, how="left", maintain_order="left")
    return joined["__total"].fill_null(0).to_numpy()
