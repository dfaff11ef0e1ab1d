"""What a step changed, in numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from microveil.methods.parts.value_text import value_text


def n_changed(before: pl.Series, after: pl.Series) -> int:
    """Number of cells that differ, whatever their types; two missing cells do not differ.

    >>> n_changed(pl.Series([1, 2, None]), pl.Series(["1", "*", None]))
    1
    """
    return int(changes(before, after).sum())


def changes(before: pl.Series, after: pl.Series) -> pl.Series:
    """Which cells differ, likewise."""
    if before.dtype != after.dtype and before.dtype.is_numeric() and after.dtype.is_numeric():
        before, after = before.cast(pl.Float64), after.cast(pl.Float64)
    elif before.dtype != after.dtype:
        before, after = value_text(before), value_text(after)
    return before.ne_missing(after)


def change_facts(
    before: pl.DataFrame, after: pl.DataFrame, columns: Sequence[str]
) -> dict[str, Any]:
    """Number of cells changed, and of cells missing before, by column."""
    return {
        "n_changed": {name: n_changed(before[name], after[name]) for name in columns},
        "n_missing": {name: before[name].null_count() for name in columns},
    }


def class_facts(sizes: NDArray[np.int64]) -> dict[str, Any]:
    """Number of classes, and the smallest, largest, mean and variance of their sizes."""
    there = len(sizes) > 0
    return {
        "n_classes": len(sizes),
        "smallest": int(sizes.min()) if there else 0,
        "largest": int(sizes.max()) if there else 0,
        "mean": float(sizes.mean()) if there else 0.0,
        "variance": float(sizes.var()) if there else 0.0,
    }
