"""Rank swapping: values sorted on disk, and swapped in a window that moves up the ranks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

import numpy as np
import polars as pl

from microveil.methods import RankSwap
from microveil.methods.parts.columns import refuse_kinds, usable_frame
from microveil.methods.parts.ranks import needs_order
from microveil.planning.course import Course
from microveil.planning.methods.numbering import LOT, ROW, VALUE, laid_out, order_values
from microveil.planning.moved_plan import MovedPlan
from microveil.planning.sorting import BATCH, Sorter, StoredColumns, rebatch
from microveil.tables.kinds import has_order


def suits(step: RankSwap) -> bool:
    """Whether a range of ranks is all there is to know, and no value is carried beyond it."""
    coded = step.top_share > 0 or step.bottom_share > 0
    return step.range_share is not None and not coded and step.variant != "chained"


def plan_swaps(
    step: RankSwap, position: int, course: Course, sorter: Sorter, rng: np.random.Generator
) -> MovedPlan:
    """Swap each column by itself; memory holds the ranks within the range."""
    head = usable_frame(course.head, step.columns, step.kind())
    refuse_kinds(head, step.columns, has_order, needs_order(step.kind()))
    moved: list[StoredColumns] = []
    told: dict[str, Any] = {"n_coded": {}, "n_unswapped": {}, "n_ranks": {}, "now_float": []}
    for name in step.columns:
        stored = sorter.store(order_values(course, name, rng))
        n_present = sorter.n_present(stored, VALUE)
        swaps = _Swaps(step, n_present, rng)
        ranked = sorter.in_order(stored, [ROW, VALUE], [VALUE, LOT], f"{VALUE} IS NOT NULL")
        missing = sorter.in_order(stored, [ROW, VALUE], [], f"{VALUE} IS NULL")
        everywhere = chain(swaps.swap(ranked), missing)
        moved.append(laid_out(sorter, everywhere, name, head.schema[name]))
        told["n_coded"][name] = 0
        told["n_unswapped"][name] = swaps.n_unswapped
        told["n_ranks"][name] = swaps.reach
    return MovedPlan(step, position, step.columns, tuple(moved), told)


class _Swaps:
    """The swaps of one column, from the lowest rank up."""

    def __init__(self, step: RankSwap, n_ranks: int, rng: np.random.Generator) -> None:
        share = step.range_share or 0.0
        self.reach = max(int(share * n_ranks + 1e-9), 1) if share and n_ranks else 0
        self.n_unswapped = 0
        self._blocks = step.variant == "blocks"
        self._n_ranks = n_ranks
        self._rng = rng

    def swap(self, ranked: Iterable[pl.DataFrame]) -> Iterator[pl.DataFrame]:
        """Rows in the order of ranks, each with the value it gets."""
        if self.reach == 0:
            self.n_unswapped = self._n_ranks
            return iter(ranked)
        return self._in_blocks(ranked) if self._blocks else self._in_windows(ranked)

    def _in_blocks(self, ranked: Iterable[pl.DataFrame]) -> Iterator[pl.DataFrame]:
        from microveil.kernels.swapping.rank_swap import permute_blocks

        size = max(self.reach, 2)
        several = size * max(BATCH // size, 1)
        for frame in _without_a_last_one(rebatch(ranked, several)):
            sources = permute_blocks(frame.height, size, self._rng.random(frame.height))
            self.n_unswapped += int((sources == np.arange(len(sources))).sum())
            yield frame.with_columns(frame[VALUE].gather(pl.Series(sources)))

    def _in_windows(self, ranked: Iterable[pl.DataFrame]) -> Iterator[pl.DataFrame]:
        from microveil.kernels.swapping.rank_swap import swap_window

        step = max(self.reach, BATCH)
        window, taken = pl.DataFrame(), np.zeros(0, dtype=np.bool_)
        done = 0
        coming = rebatch(ranked, step)
        while done < self._n_ranks:
            while window.height < step + self.reach and (more := next(coming, None)) is not None:
                window = more if not window.height else pl.concat([window, more], rechunk=True)
            taken = np.append(taken, np.zeros(window.height - len(taken), dtype=np.bool_))
            n_choosers = min(step, window.height)
            partners = swap_window(taken, n_choosers, self.reach, self._rng.random(n_choosers))
            known = np.flatnonzero(partners >= 0)
            self.n_unswapped += int((partners[known] == known).sum())
            values = window[VALUE].gather(pl.Series(partners[known]))
            yield pl.DataFrame([window[ROW].gather(pl.Series(known)), values])
            taken = (taken | (partners >= 0))[n_choosers:]
            window = window.slice(n_choosers)
            done += n_choosers


def _without_a_last_one(frames: Iterable[pl.DataFrame]) -> Iterator[pl.DataFrame]:
    """Frames of which the last has not a single row, which would have nobody to swap with."""
    held: pl.DataFrame | None = None
    for frame in frames:
        if held is not None and frame.height > 1:
            yield held
            held = frame
        else:
            held = frame if held is None else pl.concat([held, frame])
    if held is not None:
        yield held
