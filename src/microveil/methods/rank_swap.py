"""Swap values with others of a similar rank."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, Self

import numpy as np
import polars as pl
from pydantic import Field, model_validator

from microveil.arrays import Floats, Ints
from microveil.methods.parts.base import Method, Outcome
from microveil.methods.parts.columns import SomeColumns, refuse_kinds, usable_frame
from microveil.methods.parts.facts import change_facts
from microveil.methods.parts.households import HouseholdColumns, by_household
from microveil.methods.parts.ranks import (
    Values,
    gather_from,
    needs_order,
    own_places,
    rank_order,
    rows_present,
    sortable,
)
from microveil.methods.parts.real_values import as_floats
from microveil.methods.parts.strata import strata_rows
from microveil.tables import Table
from microveil.tables.kinds import has_order
from microveil.texts import phrase

LEAST_AVERAGED = 3
"""Fewer coded values than this are not averaged: the mean of one is the value itself."""


class RankSwap(Method):
    """Swap values with others of similar rank.

    Each column is sorted, and its values are swapped within a range of ranks, independently of the
    other columns. Ties are ranked at random. Missing cells stay missing and have no rank; a value
    left without a partner is unchanged. Time grows as n log n.

    >>> frame = {"pay": [40, 10, 30, 20]}
    >>> RankSwap(columns="pay", range_share=0.5).protect(frame, seed=3)["pay"].to_list()
    [20, 30, 10, 40]
    """

    method: Literal["rank_swap"] = "rank_swap"
    columns: SomeColumns = ()
    """Columns to swap: numbers, dates, times, durations or enums."""
    range_share: float | None = Field(default=None, ge=0, le=1)
    """How far a value may move, as a share of the records; at least to the next rank, but for 0,
    which swaps nothing."""
    variant: Literal["sequential", "blocks", "chained"] = "sequential"
    """sequential: from the lowest up, each unswapped value is swapped with an unswapped one within
    the range above, all equally likely. blocks: ranks are divided into consecutive blocks as long
    as the range, and each is permuted. chained: like sequential, but every value in turn is swapped
    with any within the range above, so that some are carried further up than the range."""
    correlation: float | None = Field(default=None, gt=0, lt=1)
    """Instead of range_share: target correlation of a column with its original version; the range
    is derived from the column's spread, conservatively for uniform values (sdcMicro's R0)."""
    mean_share: float | None = Field(default=None, gt=0)
    """Instead of range_share: how far means of subsets may move, as a share of the mean (sdcMicro's
    K0)."""
    top_share: float = Field(default=0, ge=0, le=1)
    """Share of the largest values that are replaced by their mean instead of swapped."""
    bottom_share: float = Field(default=0, ge=0, le=1)
    """Share of the smallest values that are replaced by their mean instead of swapped."""
    by_strata: bool = True
    """Whether to swap within each of the roles' strata; has no effect without strata."""
    household_columns: HouseholdColumns = None
    """Columns that describe a household as a whole and are changed once for all its members, if the
    roles name a household; by default those that are constant within every household."""

    @model_validator(mode="after")
    def _one_range(self) -> Self:
        given = (self.range_share, self.correlation, self.mean_share)
        if sum(range_ is not None for range_ in given) != 1:
            raise ValueError("Give one of range_share, correlation and mean_share.")
        if self.top_share + self.bottom_share > 1:
            raise ValueError("top_share and bottom_share together exceed 1.")
        return self

    @property
    def perturbative(self) -> bool:
        """Always: a value may end up in another record."""
        return True

    def apply(self, table: Table, rng: np.random.Generator) -> Outcome:
        """Swap the columns; the facts count values changed, coded and left without a partner."""
        return by_household(self, table, rng, RankSwap._change)

    def _change(self, table: Table, rng: np.random.Generator) -> Outcome:
        before = usable_frame(table, self.columns, self.kind())
        refuse_kinds(before, self.columns, self._fits, self._needs())
        strata = strata_rows(table, self.columns, apart=self.by_strata)
        present = [name for name in self.columns if before.schema[name] != pl.Null]
        swapped = {name: self._swap(before[name], strata, rng) for name in present}
        after = before.with_columns([result.series for result in swapped.values()])
        facts: dict[str, Any] = change_facts(before, after, self.columns)
        facts |= {
            "n_coded": {name: result.n_coded for name, result in swapped.items()},
            "n_unswapped": {name: result.n_unswapped for name, result in swapped.items()},
            "n_ranks": {name: result.n_ranks for name, result in swapped.items()},
            "now_float": [
                name
                for name, result in swapped.items()
                if result.series.dtype.is_float() and not before.schema[name].is_float()
            ],
        }
        return Outcome(table.with_frame(after), facts)

    def _fits(self, dtype: pl.DataType) -> bool:
        if self.range_share is not None and not self.top_share and not self.bottom_share:
            return has_order(dtype)
        return dtype.is_numeric() or dtype.is_temporal()

    def _needs(self) -> str:
        if self._fits(pl.Enum(["a"])):
            return needs_order(self.kind())
        return phrase(
            "Step 'rank_swap' needs numbers, dates, times or durations for means and "
            "correlations. For enums give range_share alone."
        )

    def _swap(self, series: pl.Series, strata: list[Ints], rng: np.random.Generator) -> _Swapped:
        from microveil.kernels.swapping.rank_swap import write_sources

        values = sortable(series)
        source = own_places(len(series))
        stand_ins: list[tuple[Ints, float]] = []
        n_unswapped = most_ranks = 0
        for rows in rows_present(series, strata):
            ranked = self._cut(rank_order(values, rows, rng))
            if len(ranked.middle):
                n_ranks = self._n_ranks(series, ranked)
                partners = self._partners(len(ranked.middle), n_ranks, rng)
                write_sources(source, ranked.middle, partners)
                n_unswapped += int((partners == np.arange(len(partners), dtype=np.int32)).sum())
                most_ranks = max(most_ranks, n_ranks)
            stand_ins += _stand_ins(series, ranked)
        coded = _code_ends(gather_from(series, source), stand_ins)
        return _Swapped(coded, sum(len(rows) for rows, _ in stand_ins), n_unswapped, most_ranks)

    def _cut(self, rows: Ints) -> _Ranked:
        """Rows in rank order, divided into the coded ends and what is swapped between them."""
        # 0.3 · 10 is 2.999… in floating point and means 3.
        n_low = int(self.bottom_share * len(rows) + 1e-9)
        n_high = int(self.top_share * len(rows) + 1e-9)
        low, middle, high = np.split(rows, [n_low, len(rows) - n_high])
        return _Ranked(low, middle, high)

    def _n_ranks(self, series: pl.Series, ranked: _Ranked) -> int:
        """Number of ranks that a value may move."""
        share = self.range_share
        if share is None:
            share = self._range_share(series, ranked)
        n = len(ranked.middle)
        return 0 if self.range_share == 0 else max(int(min(share, 1.0) * n + 1e-9), 1)

    def _range_share(self, series: pl.Series, ranked: _Ranked) -> float:
        """The range required by a correlation or a share of the mean (Moore 1996)."""
        unit = _unit(series)
        values = _numbers(series, ranked.middle) / unit
        below, above = [*ranked.low[-1:], ranked.middle[0]], [*ranked.high[:1], ranked.middle[-1]]
        low, high = _numbers(series, np.array([below[0], above[0]], dtype=np.int32)) / unit
        if high == low:
            return 1.0
        if self.correlation is not None:
            return float(np.sqrt(2 * values.var() * (1 - self.correlation)) / (high - low))
        mean_share = self.mean_share or 0.0
        return float(np.sqrt(8 / 3) * mean_share * abs(values.mean()) / (high - low))

    def _partners(self, n: int, n_ranks: int, rng: np.random.Generator) -> Values:
        from microveil.kernels.swapping.rank_swap import permute_blocks, swap_chain, swap_partners

        if n_ranks == 0:
            return np.arange(n, dtype=np.int32)
        if self.variant == "blocks":
            return permute_blocks(n, max(n_ranks, 2), rng.random(n))
        if self.variant == "chained":
            return swap_chain(n, n_ranks, rng.random(n))
        return swap_partners(n, n_ranks, rng.random(n // 2))


class _Swapped(NamedTuple):
    series: pl.Series
    n_coded: int
    n_unswapped: int
    n_ranks: int


class _Ranked(NamedTuple):
    low: Ints
    middle: Ints
    high: Ints


def _unit(series: pl.Series) -> float:
    """A unit in which squares and sums of the column's values do not overflow."""
    numbers = as_floats(series).abs().max()
    return max(float(numbers), 1.0) if isinstance(numbers, float) else 1.0


def _numbers(series: pl.Series, rows: Ints) -> Floats:
    return as_floats(series.gather(rows)).to_numpy()


def _stand_ins(series: pl.Series, ranked: _Ranked) -> list[tuple[Ints, float]]:
    """Replacement for each coded end: its mean, or the nearest other value if that hides none."""
    found = []
    for rows, nearest in ((ranked.low, ranked.middle[:1]), (ranked.high, ranked.middle[-1:])):
        averaged = rows if len(rows) >= LEAST_AVERAGED or not len(nearest) else nearest
        if len(rows):
            unit = _unit(series)
            found.append((rows, float((_numbers(series, averaged) / unit).mean()) * unit))
    return found


def _code_ends(series: pl.Series, stand_ins: list[tuple[Ints, float]]) -> pl.Series:
    """The column with the replacements at their rows; whole numbers and decimals become floats."""
    if not stand_ins:
        return series
    dtype = series.dtype
    if not dtype.is_temporal():
        dtype = dtype if dtype.is_float() else pl.Float64()
        series = series.cast(dtype)
    cells = series.to_physical().clone()
    for rows, value in stand_ins:
        cells.scatter(rows, round(value) if dtype.is_temporal() else value)
    return cells.cast(dtype)
