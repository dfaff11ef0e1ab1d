"""Ladders: ways to coarsen each quasi-identifier, from fine to coarse, and how far to go."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from microveil.errors import MicroveilError
from microveil.hierarchies import Dates, Digits, Intervals
from microveil.methods import Generalize, GroupRare, Method
from microveil.tables.values import Distinct

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from microveil.app.inspection import ColumnProfile

PARTS = (20, 10, 5, 3)
"""Approximate number of intervals for a numeric column, rung by rung."""
RARE_SHARES = (0.01, 0.03, 0.1)
"""Categories below these shares are merged, rung by rung."""
DATE_LEVELS = ("month", "quarter", "year", "decade")
TEXT_LIKE = (pl.String, pl.Categorical, pl.Enum, pl.Boolean)
SHORTEST_CODE = 3


@dataclass(frozen=True, eq=False)
class Ladder:
    """One column, the steps that coarsen it, and the codes of its records on each rung."""

    values: pl.Series
    steps: tuple[Method, ...]

    @cached_property
    def rungs(self) -> list[NDArray[np.int64]]:
        """Codes of the records: unchanged, then after each step; a failing step is not a rung."""
        return [codes for _, codes in self._climbed]

    @cached_property
    def usable(self) -> list[Method | None]:
        """The step of each rung; None for the lowest."""
        return [step for step, _ in self._climbed]

    @cached_property
    def _climbed(self) -> list[tuple[Method | None, NDArray[np.int64]]]:
        found: list[tuple[Method | None, NDArray[np.int64]]] = [(None, _codes(self.values))]
        for step in self.steps:
            try:
                coarse = step.protect(self.values.to_frame())[self.values.name]
            except MicroveilError:  # values that a hierarchy cannot read are left to later steps
                continue
            codes = _codes(coarse)
            if codes.max(initial=0) < found[-1][1].max(initial=0):
                found.append((step, codes))
        return found


def ladder_of(values: pl.Series, profile: ColumnProfile, k: int) -> Ladder:
    """The coarsenings that suit a column's type."""
    return Ladder(values, tuple(_steps(values, profile, k)))


def _steps(values: pl.Series, profile: ColumnProfile, k: int) -> list[Method]:
    name, dtype = values.name, values.dtype
    if dtype in (pl.Date, pl.Datetime):
        chain = Dates(levels=("day", *DATE_LEVELS))
        return [Generalize(column=name, hierarchy=chain, level=level) for level in DATE_LEVELS]
    if dtype.is_numeric():
        widths = dict.fromkeys(round_width(values, parts) for parts in PARTS)
        return [
            Generalize(column=name, hierarchy=Intervals(width=width), level=1) for width in widths
        ]
    if profile.kind == "postcode" and dtype == pl.String:
        longest = int(values.str.len_chars().max() or 0)  # type: ignore[arg-type]  # of text, a number
        return [
            Generalize(column=name, hierarchy=Digits(), level=level)
            for level in range(2, max(longest, SHORTEST_CODE))
        ]
    if dtype.base_type() in TEXT_LIKE:
        counts = (max(k, math.ceil(share * len(values))) for share in RARE_SHARES)
        return [GroupRare(columns=(name,), min_count=max(count, 2)) for count in counts]
    return []


def round_width(values: pl.Series, n_parts: int) -> float:
    """A width of 1, 2 or 5 times a power of ten that divides the middle 98 % into so many parts.

    >>> round_width(pl.Series(range(100)), 10)
    10.0
    """
    numbers = values.cast(pl.Float64)
    low, high = numbers.quantile(0.01), numbers.quantile(0.99)
    raw = max(((high or 0.0) - (low or 0.0)) / n_parts, 1e-9)
    power = 10.0 ** math.floor(math.log10(raw))
    width = next(step * power for step in (1, 2, 5, 10) if step * power >= raw * (1 - 1e-9))
    return max(width, 1.0) if values.dtype.is_integer() else width


def climb(ladders: Sequence[Ladder], k: int, most_at_risk: float) -> list[int]:
    """How far to coarsen each column until at most a share of the records is in small classes.

    Each time, the rung with the largest gain relative to its cost in distinct values is taken. Time
    grows with the remaining distinct rows × rungs.
    """
    rungs = [0] * len(ladders)
    while True:
        codes = [ladder.rungs[rung] for ladder, rung in zip(ladders, rungs, strict=True)]
        share = _at_risk(codes, k)
        if share <= most_at_risk:
            return rungs
        gains = {
            i: _gain(ladder, rungs[i], codes, i, (k, share))
            for i, ladder in enumerate(ladders)
            if rungs[i] + 1 < len(ladder.rungs)
        }
        if not gains:
            return rungs
        rungs[max(gains, key=lambda i: gains[i])] += 1


def _gain(
    ladder: Ladder, rung: int, codes: list[NDArray[np.int64]], place: int, now: tuple[int, float]
) -> float:
    """Records that one more rung of a column makes safe, per halving of its distinct values."""
    k, share = now
    higher = ladder.rungs[rung + 1]
    after = _at_risk([*codes[:place], higher, *codes[place + 1 :]], k)
    cost = math.log2((codes[place].max(initial=0) + 1) / (higher.max(initial=0) + 1))
    # Any coarsening gains a little, because later rungs depend on fine columns being coarsened.
    return (share - after + 1e-3) / max(cost, 0.1)


def _at_risk(codes: list[NDArray[np.int64]], k: int) -> float:
    """Share of the records in classes smaller than k."""
    packed = np.zeros(len(codes[0]), dtype=np.int64)
    for column in codes:
        packed = packed * (int(column.max(initial=0)) + 1) + column
        _, packed = np.unique(packed, return_inverse=True)
    sizes = np.bincount(packed)
    return float(sizes[sizes < k].sum() / max(len(packed), 1))


def _codes(values: pl.Series) -> NDArray[np.int64]:
    """Small numbers, equal for equal values."""
    return Distinct.of(values).of_record.astype(np.int64)
