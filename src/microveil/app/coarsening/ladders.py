"""Ladders: ways to coarsen each quasi-identifier, from fine to coarse, and how far to go."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from microveil.app.coarsening.rungs import coarsenings
from microveil.errors import MicroveilError
from microveil.methods import Drop, Method
from microveil.tables.values import Distinct

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from microveil.app.inspection import ColumnProfile


@dataclass(frozen=True, eq=False)
class Ladder:
    """One column, the steps that coarsen it, and the codes of its records on each rung."""

    values: pl.Series
    steps: tuple[Method, ...]
    leave_out: bool = False
    """Whether the last rung drops the column."""

    @cached_property
    def rungs(self) -> list[NDArray[np.uint32]]:
        """Codes of the records: unchanged, then after each step; a failing step is not a rung."""
        return [codes for _, codes, _ in self._climbed]

    @cached_property
    def labels(self) -> list[pl.Series]:
        """The column on each rung; on the one that drops it, nothing but missing cells."""
        return [labels for _, _, labels in self._climbed]

    @cached_property
    def usable(self) -> list[Method | None]:
        """The step of each rung; None for the lowest."""
        return [step for step, _, _ in self._climbed]

    @cached_property
    def _climbed(self) -> list[tuple[Method | None, NDArray[np.uint32], pl.Series]]:
        """Each rung has fewer labels than the one below, and at least two that occur."""
        found: list[tuple[Method | None, NDArray[np.uint32], pl.Series]] = [
            (None, _codes(self.values), self.values)
        ]
        for step in self.steps:
            try:
                coarse = step.protect(self.values.to_frame())[self.values.name]
            except MicroveilError:  # values that a hierarchy cannot read are left to later steps
                continue
            codes = _codes(coarse)
            fewer = codes.max(initial=0) < found[-1][1].max(initial=0)
            if fewer and coarse.drop_nulls().n_unique() > 1:
                found.append((step, codes, coarse))
        if self.leave_out and found[-1][1].max(initial=0) > 0:
            gone = np.zeros(len(self.values), dtype=np.uint32)
            nothing = pl.Series(self.values.name, [None] * len(self.values))
            found.append((Drop(columns=(self.values.name,)), gone, nothing))
        return found


def ladder_of(
    values: pl.Series, profile: ColumnProfile, k: int, *, leave_out: bool = False
) -> Ladder:
    """The coarsenings that suit a column, meaning first; leaving it out may be the last."""
    steps = coarsenings(values, profile, k)
    return Ladder(values, tuple(steps), leave_out=leave_out)


def climb(ladders: Sequence[Ladder], k: int, most_at_risk: float) -> list[int]:
    """How far to coarsen each column until at most a share of the records is in small classes.

    Each time, the rung with the largest gain relative to its cost in distinct values is taken. Time
    grows with the remaining distinct rows × rungs.
    """
    rungs = [0] * len(ladders)
    keys = [_Key.of(ladder, place) for place, ladder in enumerate(ladders)]
    while True:
        packed = _pack_records(keys, rungs)
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


def packed_rungs(ladders: Sequence[Ladder], rungs: Sequence[int]) -> NDArray[np.uint64]:
    """One number for each record on these rungs, equal for equal records."""
    return _pack_records([_Key.of(ladder, place) for place, ladder in enumerate(ladders)], rungs)


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


def _pack_records(keys: Sequence[_Key], rungs: Sequence[int]) -> NDArray[np.uint64]:
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
