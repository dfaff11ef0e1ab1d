"""Records gathered: one row for each combination of codes, which parts of a table add up to.

All that a table needs is a sum, a smallest or largest number, or the largest contributions, so that
what was gathered from parts is what would have been gathered from all records at once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from microveil.arrays import Longs
from microveil.tables import Table
from microveil.tables.roles import check_columns
from microveil.tabulation.counted import N_LARGEST
from microveil.tabulation.sources.records import (
    COST,
    KEY,
    PERSON,
    ROWS,
    SHOWN,
    SIZE,
    SUM_KEY,
    VALUE,
    WAIVED,
    WEIGHT,
    has_named_contributors,
    plain_codes,
    records_of,
)
from microveil.tabulation.tabulation import Tabulation

ADDED = (SHOWN, SIZE, KEY, SUM_KEY, ROWS, COST)
N = "__n"
CODE = "__code"
BY_PERSON = (
    pl.col(VALUE, *ADDED).sum(),
    pl.col(WEIGHT).max(),
    pl.col(WAIVED).all(),
)
"""What several records of one contributor add up to."""
BY_CELL = (
    pl.len().cast(pl.Int64).alias(N),
    pl.col(*ADDED).sum(),
    pl.col(WAIVED).sum().cast(pl.Int64),
    pl.col(PERSON).min(),
)
"""What the contributors of a cell add up to."""
AGAIN = (pl.col(N, *ADDED, WAIVED).sum(), pl.col(PERSON).min())
"""What cells add up to whose contributors differ."""


@dataclass(frozen=True, eq=False)
class Gathered:
    """The records of one table, as far as its cells need them."""

    sums: pl.DataFrame
    """One row per combination of codes; where contributors are named, per contributor in it."""
    largest: pl.DataFrame | None
    """The largest contributions of each combination, one row each; None where all are alike."""
    codes: Mapping[str, pl.DataFrame]
    """The distinct codes of each variable, and how many records have each."""
    named: bool
    """Whether several records may be one contributor's."""
    n_records: int

    @classmethod
    def of(
        cls, table: Table, tabulation: Tabulation, record_keys: Longs | None = None, first: int = 0
    ) -> Gathered:
        """Gather the records of a frame, or of a part of one that begins with record ``first``."""
        check_columns(tabulation.by, table.frame.columns)
        records = records_of(table, tabulation, record_keys, first)
        named = has_named_contributors(table, tabulation)
        by, largest = list(tabulation.by), None
        if named:
            sums = records.group_by([*by, PERSON], maintain_order=True).agg(BY_PERSON)
        else:
            sums = records.group_by(by, maintain_order=True).agg(*BY_CELL)
            if tabulation.shown_statistic != "count":
                largest = keep_largest(records.select(*by, VALUE, WEIGHT, WAIVED, PERSON), by)
        codes = {name: _count_codes(table.frame[name]) for name in by}
        return cls(sums, largest, codes, named, table.height)

    @classmethod
    def together(cls, parts: Sequence[Gathered], tabulation: Tabulation) -> Gathered:
        """What parts of one table add up to."""
        first, by = parts[0], list(tabulation.by)
        if len(parts) == 1:
            return first
        keys = [*by, PERSON] if first.named else by
        sums = _join([one.sums for one in parts]).group_by(keys, maintain_order=True)
        found = [one.largest for one in parts if one.largest is not None]
        codes = {
            name: _join([one.codes[name] for one in parts])
            .group_by(CODE, maintain_order=True)
            .agg(pl.col(N).sum())
            for name in by
        }
        return cls(
            sums.agg(BY_PERSON if first.named else AGAIN),
            keep_largest(_join(found), by) if found else None,
            codes,
            first.named,
            sum(one.n_records for one in parts),
        )

    def column(self, name: str, *, repeated: bool = False) -> pl.Series:
        """The distinct codes of a variable, or each as often as records have it."""
        codes = self.codes[name]
        values = codes[CODE].alias(name)
        if not repeated:
            return values
        return values.gather(np.repeat(np.arange(len(values)), codes[N].to_numpy()))


def keep_largest(rows: pl.DataFrame, by: Sequence[str]) -> pl.DataFrame:
    """The largest contributions of each combination, with their weights; ties by contributor."""
    order = [pl.col(VALUE).abs(), pl.col(WEIGHT), pl.col(PERSON)]
    ordered = rows.sort(order, descending=[True, True, False])
    return ordered.group_by(by, maintain_order=True).head(N_LARGEST)


def _join(frames: Sequence[pl.DataFrame]) -> pl.DataFrame:
    """Rows of all parts; a column that is empty in one part takes the type it has in another."""
    return pl.concat(frames, how="vertical_relaxed")


def _count_codes(column: pl.Series) -> pl.DataFrame:
    counted = plain_codes(column).alias(CODE).to_frame().group_by(CODE, maintain_order=True)
    return counted.agg(pl.len().cast(pl.Int64).alias(N))
