"""Mondrian: cut the records into partitions of at least k records, top down."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from microveil.arrays import Ints, Longs
from microveil.cores import map_on_cores
from microveil.kernels.jit import kernel, kernel_like, kernel_of_columns
from microveil.kernels.mondrian import by_numpy
from microveil.kernels.mondrian.cuts import CutRule, Work, choose_cut, mark_sides, new_work
from microveil.kernels.mondrian.key_space import KeySpace

N_SLICES = 64
"""Number of slices that are cut in parallel; it does not depend on the machine."""
SMALL = 1 << 15
"""Slices of fewer records are not worth a thread."""


class Partitions(NamedTuple):
    """Records in the order of their partitions."""

    codes: Ints
    """(columns, n) the codes, in that order."""
    order: Ints
    """(n,) the record at each position."""
    starts: Longs
    """Where each partition begins; it ends where the next begins."""

    def of_record(self) -> Ints:
        """Partition of each record."""
        partition = np.empty(len(self.order), np.int32)
        sizes = np.diff(self.starts, append=len(self.order))
        partition[self.order] = np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)
        return partition


Judge = Callable[[Ints, int], NDArray[np.bool_]]
"""Takes the part of each record and the number of parts; returns which may be published."""


def mondrian(codes: Ints, space: KeySpace, rule: CutRule) -> Partitions:
    """Partitions of at least k records (LeFevre, DeWitt & Ramakrishnan 2006).

    ``codes`` has one row per key column, and one more for the targets if there are any; it is
    reordered in place. A partition is cut at the median of its widest column, or of the next
    widest that leaves k on each side: of n distinct values ⌈n/2⌉ go left. In strict mode records
    equal to the median go to the side that makes the halves more even; in relaxed mode they fill
    up the left half in order. Partitions keep their records in order, so that the result does not
    depend on threads. Time n·log n; memory: three numbers per record besides the codes.
    """
    check_codes(codes, space, rule)
    n = codes.shape[1]
    order = np.arange(n, dtype=np.int32)
    begins = np.zeros(n, np.bool_)

    def cut(ends: tuple[int, int], most: int) -> None:
        _cut_all(codes, order, begins, space, rule, ends, most)

    slices = first_slices(cut, begins)
    map_on_cores(lambda ends: cut(ends, n), slices)
    return Partitions(codes, order, np.flatnonzero(begins))


def first_slices(
    cut: Callable[[tuple[int, int], int], None], begins: NDArray[np.bool_]
) -> list[tuple[int, int]]:
    """The first cuts, level by level while slices are large and few; those of a level together.

    ``cut`` cuts a slice at most so many times, and marks where each part begins.
    """
    slices, whole = [(0, len(begins))], list[tuple[int, int]]()

    def halve(ends: tuple[int, int]) -> list[tuple[int, int]]:
        start, end = ends
        cut(ends, 1)
        inside = np.flatnonzero(begins[start + 1 : end])
        if not len(inside):
            return []
        middle = start + 1 + int(inside[0])
        return [(start, middle), (middle, end)]

    while slices and len(slices) + len(whole) < N_SLICES:
        large = [ends for ends in slices if ends[1] - ends[0] >= SMALL]
        whole += [ends for ends in slices if ends not in large]
        halves = map_on_cores(halve, large)
        whole += [ends for ends, parts in zip(large, halves, strict=True) if not parts]
        slices = [half for parts in halves for half in parts]
    return sorted([*slices, *whole])


def mondrian_where(codes: Ints, space: KeySpace, rule: CutRule, judge: Judge) -> Partitions:
    """Partitions like those of :func:`mondrian`, all of them accepted by a judge.

    All open partitions are cut at once and their halves judged together; if a half is rejected,
    the next best cut is tried. The judge must accept the whole table to begin with. Time: one
    call of the judge per level of the tree of cuts, and per successive rejection.
    """
    check_codes(codes, space, rule)
    n = codes.shape[1]
    order = np.arange(n, dtype=np.int32)
    side = np.zeros(n, np.uint8)
    starts, skips = np.zeros(1, np.int64), np.zeros(1, np.int64)  # skips −1: closed
    while (skips >= 0).any():
        ends = np.append(starts[1:], n)
        n_left = _propose(codes, side, space, rule, starts, ends, skips)
        skips[n_left == 0] = -1
        parts = np.empty(n, np.int32)
        numbers = np.arange(0, 2 * len(starts), 2, dtype=np.int32)
        parts[order] = np.repeat(numbers, ends - starts) + side
        approved = judge(parts, 2 * len(starts)).reshape(-1, 2).all(axis=1)
        accepted = (n_left > 0) & approved
        skips[(n_left > 0) & ~approved] += 1
        skips[accepted] = 0
        _apply(codes, order, side, starts, ends, accepted)
        middles = (starts + n_left)[accepted]
        starts = np.concatenate([starts, middles])
        ascending = np.argsort(starts)
        starts = starts[ascending]
        skips = np.concatenate([skips, np.zeros(len(middles), np.int64)])[ascending]
    return Partitions(codes, order, starts)


def check_codes(codes: Ints, space: KeySpace, rule: CutRule) -> None:
    """Refuse codes that cannot be cut in place."""
    if codes.dtype != np.int32 or not codes.flags.c_contiguous or not codes.flags.writeable:
        raise ValueError("codes must be a C-contiguous array of int32 that may be reordered.")
    if rule.k < 1 or codes.shape[1] < rule.k:
        raise ValueError(f"A partition needs k = {rule.k} records, there are {codes.shape[1]}.")
    if len(codes) < len(space.span):
        raise ValueError(f"{len(space.span)} columns need as many rows of codes.")


@kernel_like(by_numpy.rearrange)
def rearrange(row: Ints | Longs, side: NDArray[np.uint8], scratch: Ints | Longs) -> None:
    """Put the entries that go left before those that go right; both keep their order."""
    left = right = 0
    for i in range(row.size):
        entry = row[i]
        # Written to both sides, counted on one: faster than an unpredictable branch.
        row[left] = entry
        scratch[right] = entry
        left += side[i]
        right += 1 - side[i]
    for i in range(right):
        row[left + i] = scratch[i]


@kernel
def _cut_here(
    codes: Ints, order: Ints, space: KeySpace, rule: CutRule, work: Work, start: int, end: int
) -> int:
    """Make the best cut of a partition; return its position, or −1 if there is none."""
    here = codes[:, start:end]
    cut = choose_cut(here, space, rule, work, 0)
    if cut.column < 0:
        return -1
    side = work.side[: end - start]
    mark_sides(here[cut.column], cut, side)
    for j in range(codes.shape[0]):
        rearrange(here[j], side, work.scratch)
    rearrange(order[start:end], side, work.scratch)
    return start + cut.n_left


@kernel
def smaller_first(start: int, middle: int, end: int, later: Longs) -> tuple[int, int]:
    """The smaller half, to be cut now; the ends of the other go to `later`.

    At most log2(n) larger halves are then pending.
    """
    if middle - start < end - middle:
        later[0], later[1] = middle, end
        return start, middle
    later[0], later[1] = start, middle
    return middle, end


@kernel_of_columns
def _cut_all(
    codes: Ints,
    order: Ints,
    begins: NDArray[np.bool_],
    space: KeySpace,
    rule: CutRule,
    ends: tuple[int, int],
    most: int,
) -> None:
    """Cut a slice at most ``most`` times, and mark where each partition begins."""
    start, end = ends
    work = new_work(space, rule, end - start)
    waiting = np.empty((64, 2), np.int64)
    n_waiting = 0
    begins[start] = True
    while most > 0:
        middle = _cut_here(codes, order, space, rule, work, start, end)
        if middle < 0:
            if n_waiting == 0:
                break
            n_waiting -= 1
            start, end = waiting[n_waiting, 0], waiting[n_waiting, 1]
            continue
        most -= 1
        begins[middle] = True
        start, end = smaller_first(start, middle, end, waiting[n_waiting])
        n_waiting += 1


@kernel_of_columns
def _propose(
    codes: Ints,
    side: NDArray[np.uint8],
    space: KeySpace,
    rule: CutRule,
    starts: Longs,
    ends: Longs,
    skips: Longs,
) -> Longs:
    """Records left of the next cut of each open partition, 0 if there is none; marks the sides."""
    n_left = np.zeros(starts.size, np.int64)
    work = new_work(space, rule, _longest(starts, ends))
    for part in range(starts.size):
        start, end = starts[part], ends[part]
        side[start:end] = 0
        if skips[part] < 0:
            continue
        here = codes[:, start:end]
        cut = choose_cut(here, space, rule, work, skips[part])
        if cut.column >= 0:
            mark_sides(here[cut.column], cut, side[start:end])
            n_left[part] = cut.n_left
    return n_left


@kernel
def _longest(starts: Longs, ends: Longs) -> int:
    longest = 0
    for part in range(starts.size):
        longest = max(longest, ends[part] - starts[part])
    return longest


@kernel_of_columns
def _apply(
    codes: Ints,
    order: Ints,
    side: NDArray[np.uint8],
    starts: Longs,
    ends: Longs,
    accepted: NDArray[np.bool_],
) -> None:
    scratch = np.empty(_longest(starts, ends), np.int32)
    for part in range(starts.size):
        if accepted[part]:
            start, end = starts[part], ends[part]
            for j in range(codes.shape[0]):
                rearrange(codes[j, start:end], side[start:end], scratch)
            rearrange(order[start:end], side[start:end], scratch)
