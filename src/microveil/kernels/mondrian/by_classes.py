"""Mondrian on distinct rows, each of which stands for several records."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from microveil.arrays import Ints, Longs
from microveil.kernels.jit import kernel, kernel_like, kernel_of_columns
from microveil.kernels.mondrian import by_numpy
from microveil.kernels.mondrian.cuts import (
    WIDEST,
    Cut,
    CutRule,
    Work,
    lowest_present,
    mark_sides,
    measure,
    new_work,
)
from microveil.kernels.mondrian.key_space import ALIKE, MISSING, KeySpace, cut_group
from microveil.kernels.mondrian.partition import Partitions, rearrange, smaller_first
from microveil.kernels.nth_smallest import BUCKETS


class Rows(NamedTuple):
    """Classes in the order of their partitions."""

    codes: Ints
    """(columns, m) the codes."""
    counts: Longs
    """(m,) the records of each class."""
    order: Ints
    """(m,) the class at each position."""
    scratch: Longs
    """(m,) space for the counts while they are reordered."""


def mondrian_of_classes(codes: Ints, counts: Longs, space: KeySpace, k: int) -> Partitions:
    """Partitions of at least k records, from classes of ``counts`` records each.

    They are those that :func:`~microveil.kernels.mondrian.partition.mondrian` makes of all records
    in strict mode, where records with equal keys stay together. ``codes`` has one row per key
    column, and one column per class. Time and memory follow the classes, however many records they
    have: m·log m, and three numbers per class besides the codes.
    """
    if k < 1 or int(counts.sum()) < k:
        raise ValueError(f"A partition needs k = {k} records, there are {int(counts.sum())}.")
    rows = Rows(
        np.array(codes, np.int32, order="C"),
        np.array(counts, np.int64),
        np.arange(len(counts), dtype=np.int32),
        np.empty(len(counts), np.int64),
    )
    begins = np.zeros(len(counts), np.bool_)
    _cut_all(rows, begins, space, CutRule(k, relaxed=False, split=WIDEST))
    return Partitions(rows.codes, rows.order, np.flatnonzero(begins))


@kernel_of_columns
def _cut_all(rows: Rows, begins: NDArray[np.bool_], space: KeySpace, rule: CutRule) -> None:
    """Cut until nothing can be cut, and mark where each partition begins."""
    start, end = 0, begins.size
    work = new_work(space, rule, end)
    waiting = np.empty((64, 2), np.int64)
    n_waiting = 0
    begins[0] = True
    while True:
        middle = _cut_here(rows, space, rule, work, start, end)
        if middle < 0:
            if n_waiting == 0:
                break
            n_waiting -= 1
            start, end = waiting[n_waiting, 0], waiting[n_waiting, 1]
            continue
        begins[middle] = True
        start, end = smaller_first(start, middle, end, waiting[n_waiting])
        n_waiting += 1


@kernel
def _cut_here(rows: Rows, space: KeySpace, rule: CutRule, work: Work, start: int, end: int) -> int:
    """Make the best cut of a partition; return its position, or −1 if there is none."""
    here, counts = rows.codes[:, start:end], rows.counts[start:end]
    cut = _widest_cut(here, counts, space, rule, work)
    if cut.column < 0:
        return -1
    side = work.side[: end - start]
    mark_sides(here[cut.column], cut, side)
    middle = start + _n_left(side)
    for j in range(here.shape[0]):
        rearrange(here[j], side, work.scratch)
    rearrange(rows.order[start:end], side, work.scratch)
    rearrange(counts, side, rows.scratch)
    return middle


@kernel_like(by_numpy.n_left)
def _n_left(side: NDArray[np.uint8]) -> int:
    n = 0
    for i in range(side.size):
        n += side[i]
    return n


@kernel
def _widest_cut(codes: Ints, counts: Longs, space: KeySpace, rule: CutRule, work: Work) -> Cut:
    """The cut of the widest column that leaves k records on each side."""
    size = counts.sum()
    if size >= 2 * rule.k:
        measure(codes, space, work)
        for rank in range(space.span.size):
            j = work.ranked[rank]
            if work.width[j] == ALIKE:
                break
            cut = _median_cut(codes[j], counts, space, rule, work, j, size)
            if cut.column >= 0:
                return cut
    return Cut(-1, 0, 0, 0)


@kernel
def _median_cut(
    column: Ints, counts: Longs, space: KeySpace, rule: CutRule, work: Work, j: int, size: int
) -> Cut:
    """Missing cut from present, else a cut beside the median, the more even one first."""
    low, high = work.low[j], work.high[j]
    if low == MISSING:
        cut = Cut(j, MISSING, 0, _n_up_to(column, counts, MISSING))
        if _leaves_k(cut, rule, size):
            return cut
        low = lowest_present(column, high)
    median = _nth_record(column, counts, work.low[j], high, (size + 1) // 2 - 1, work.counts)
    first, last = cut_group(space, j, low, high, median)
    below = Cut(j, first - 1, 0, _n_up_to(column, counts, first - 1))
    with_ = Cut(j, last, 0, _n_up_to(column, counts, last))
    if abs(2 * with_.n_left - size) > abs(2 * below.n_left - size):
        below, with_ = with_, below
    for cut in (with_, below):
        if cut.edge != MISSING and _leaves_k(cut, rule, size):
            return cut
    return Cut(-1, 0, 0, 0)


@kernel
def _leaves_k(cut: Cut, rule: CutRule, size: int) -> bool:
    return cut.n_left >= rule.k and size - cut.n_left >= rule.k


@kernel_like(by_numpy.n_records_up_to)
def _n_up_to(column: Ints, counts: Longs, edge: int) -> int:
    n = 0
    for i in range(column.size):
        if column[i] <= edge:
            n += counts[i]
    return n


@kernel_like(by_numpy.nth_record)
def _nth_record(column: Ints, counts: Longs, low: int, high: int, n: int, totals: Longs) -> int:
    """The code of the n-th record, counted from 0, in the order of codes; all in [low, high].

    Records are counted into buckets of equal width, then those of the bucket that holds the n-th.
    """
    most = BUCKETS
    while most > 2 * column.size:
        most >>= 1
    while low < high:
        shift = 0
        while (high - low) >> shift >= most:
            shift += 1
        totals[: ((high - low) >> shift) + 1] = 0
        for i in range(column.size):
            if low <= column[i] <= high:
                totals[(column[i] - low) >> shift] += counts[i]
        bucket = 0
        while n >= totals[bucket]:
            n -= totals[bucket]
            bucket += 1
        low += bucket << shift
        high = min(high, low + (1 << shift) - 1)
    return low
