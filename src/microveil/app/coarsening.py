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
    def rungs(self) -> list[NDArray[np.uint32]]:
        """Codes of the records: unchanged, then after each step; a failing step is not a rung."""
        return [codes for _, codes in self._climbed]

    @cached_property
    def usable(self) -> list[Method | None]:
        """The step of each rung; None for the lowest."""
        return [step for step, _ in self._climbed]

    @cached_property
    def _climbed(self) -> list[tuple[Method | None, NDArray[np.uint32]]]:
        found: list[tuple[Method | None, NDArray[np.uint32]]] = [(None, _codes(self.values))]
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
    numbers = numbers.filter(numbers.is_finite())
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
    keys = [_Key.of(ladder, place) for place, ladder in enumerate(ladders)]
    while True:
        packed = _packed(keys, rungs)
        share = _at_risk(packed, k)
        if share <= most_at_risk:
            return rungs
        gains = {
            place: _gain(key, rungs[place], packed, (k, share))
            for place, key in enumerate(keys)
            if rungs[place] + 1 < len(key.rungs)
        }
        if not gains:
            return rungs
        rungs[max(gains, key=lambda place: gains[place])] += 1


@dataclass(frozen=True, eq=False)
class _Key:
    """The codes of a column on each rung, and the number that they are multiplied by.

    A record is the sum of its codes times a random number for each column, modulo 2⁶⁴: different
    records have the same sum with a chance of about one in 2⁶⁰ (Carter and Wegman 1979), and one
    column can be exchanged for another rung of it without looking at the others.
    """

    rungs: list[NDArray[np.uint32]]
    factor: np.uint64

    @classmethod
    def of(cls, ladder: Ladder, place: int) -> _Key:
        drawn = np.random.default_rng([20, place]).integers(1 << 63, dtype=np.uint64)
        return cls(ladder.rungs, drawn * np.uint64(2) + np.uint64(1))

    def part(self, rung: int) -> NDArray[np.uint64]:
        """What the column adds to each record."""
        return np.asarray(self.rungs[rung].astype(np.uint64) * self.factor)

    def n_values(self, rung: int) -> int:
        return int(self.rungs[rung].max(initial=0)) + 1


def _packed(keys: Sequence[_Key], rungs: Sequence[int]) -> NDArray[np.uint64]:
    """One number for each record, equal for equal records."""
    total = np.zeros(len(keys[0].rungs[0]), dtype=np.uint64)
    for key, rung in zip(keys, rungs, strict=True):
        total += key.part(rung)
    return total


def _gain(key: _Key, rung: int, packed: NDArray[np.uint64], now: tuple[int, float]) -> float:
    """Records that one more rung of a column makes safe, per halving of its distinct values."""
    k, share = now
    after = _at_risk(packed - key.part(rung) + key.part(rung + 1), k)
    cost = math.log2(key.n_values(rung) / key.n_values(rung + 1))
    # Any coarsening gains a little, because later rungs depend on fine columns being coarsened.
    return (share - after + 1e-3) / max(cost, 0.1)


def _at_risk(packed: NDArray[np.uint64], k: int) -> float:
    """Share of the records in classes smaller than k."""
    sizes = pl.Series(packed).unique_counts().to_numpy()
    return float(sizes[sizes < k].sum() / max(len(packed), 1))


def _codes(values: pl.Series) -> NDArray[np.uint32]:
    """Small numbers, equal for equal values."""
    return Distinct.of(values).of_record
