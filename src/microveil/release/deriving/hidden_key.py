"""HiddenKey: a key as it was and as it is released, cell by cell."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import polars as pl

from microveil.tables.values import as_text, plain

NOTHING = 2**31
"""How much a missing cell leaves open: more than any label."""


@dataclass(frozen=True, eq=False)
class HiddenKey:
    """A key as it was and as it is released, in one type, and which of its cells were changed."""

    name: str
    before: pl.Series
    after: pl.Series

    @classmethod
    def of(cls, name: str, before: pl.Series, after: pl.Series) -> HiddenKey | None:
        """The key, if some of its cells were changed; None for a key as it was.

        Cells that were missing from the start hide nothing.
        """
        if not (can_compare(before) and can_compare(after)):
            return None
        old, new = _in_one_type(before, after)
        found = cls(name, old, new)
        return found if found.n_hidden and old.drop_nulls().n_unique() > 1 else None

    @cached_property
    def hidden(self) -> pl.Series:
        """Cells that had a value and do not show it any more."""
        return self.before.is_not_null() & self.after.ne_missing(self.before)

    @cached_property
    def n_hidden(self) -> int:
        """Number of these cells."""
        return int(self.hidden.sum())

    @cached_property
    def codes(self) -> pl.Series:
        """A number for each original value, missing where it was missing."""
        return self.before.rank("dense").cast(pl.UInt32)

    @cached_property
    def chance(self) -> float:
        """Probability that two records share the original value."""
        counts = self.codes.drop_nulls().value_counts()["count"].to_numpy().astype(float)
        return float(((counts / max(counts.sum(), 1)) ** 2).sum())

    @cached_property
    def open_values(self) -> pl.Series:
        """How many original values the released cell leaves open; missing leaves all open."""
        frame = pl.DataFrame({"label": self.after, "code": self.codes})
        counted = frame.select(pl.col("code").n_unique().over("label"))["code"]
        missing = pl.lit(NOTHING, dtype=pl.UInt32)
        return (
            pl.DataFrame({"label": self.after, "n": counted.cast(pl.UInt32)})
            .select(pl.when(pl.col("label").is_null()).then(missing).otherwise("n").alias("n"))
            .to_series()
        )


def can_compare(column: pl.Series) -> bool:
    """Whether the cells of a column are plain values."""
    return not column.dtype.is_nested() and column.dtype not in (pl.Object, pl.Binary)


def values_alike(one: pl.Series, other: pl.Series) -> tuple[pl.Series, pl.Series] | None:
    """Two columns in one type, if they are of one kind: both numbers, or both of the same type."""
    if one.dtype.is_numeric() and other.dtype.is_numeric():
        return one.cast(pl.Float64), other.cast(pl.Float64)
    return (one, other) if one.dtype == other.dtype else None


def _in_one_type(before: pl.Series, after: pl.Series) -> tuple[pl.Series, pl.Series]:
    before, after = plain(before), plain(after)
    if before.dtype == after.dtype:
        return before, after
    if before.dtype.is_numeric() and after.dtype.is_numeric():
        return before.cast(pl.Float64), after.cast(pl.Float64)
    return as_text(before), as_text(after)
