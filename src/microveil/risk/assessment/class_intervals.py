"""What interval the numbers of each class lie in."""

from __future__ import annotations

import numpy as np
import polars as pl

from microveil.tables import Classes
from microveil.tables.kinds import numbers_of


def class_intervals(classes: Classes, column: pl.Series) -> pl.DataFrame:
    """Least and largest number of each class that has one, and its width over the table's range.

    Dates and durations count in their unit. The ends are values of records: they are for whoever
    holds the data, not for a report.
    """
    numbers = numbers_of(column)
    there = ~np.isnan(numbers)
    of_class, numbers = classes.record_class[there], numbers[there]
    sizes = np.bincount(of_class, minlength=classes.n_classes)
    # Not by grouping, which takes several times the memory where every record is a class.
    low, high = np.full(len(sizes), np.inf), np.full(len(sizes), -np.inf)
    np.minimum.at(low, of_class, numbers)
    np.maximum.at(high, of_class, numbers)
    known = np.flatnonzero(sizes)
    extent = float(np.ptp(numbers)) if len(numbers) else 0.0
    with np.errstate(invalid="ignore"):  # between infinite numbers no width is known
        width = (high[known] - low[known]) / (extent if extent > 0 else 1.0)
    return pl.DataFrame(
        {
            "column": pl.repeat(column.name, len(known), dtype=pl.String, eager=True),
            "class": known,
            "size": sizes[known],
            "low": low[known],
            "high": high[known],
            "width_share": width,
        }
    )


def interval_parts(ends: pl.DataFrame, width: float) -> dict[str, float]:
    """Share of records in a short interval, the narrowest one, and the mean over records."""
    sizes, widths = ends["size"].to_numpy(), ends["width_share"].to_numpy()
    n = int(sizes.sum())
    if n == 0 or ends["low"].min() == ends["high"].max():
        # Without a range the whole table is the interval, and nothing is learnt from a class.
        return {"interval_share": 0.0, "narrowest": 1.0, "mean_width": 1.0}
    return {
        "interval_share": float(sizes[widths <= width].sum() / n),
        "narrowest": float(widths.min()),
        "mean_width": float((sizes * widths).sum() / n),
    }
