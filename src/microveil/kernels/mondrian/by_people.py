"""Mondrian for people with several records: every partition has k of them."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from microveil.arrays import Ints, Longs
from microveil.cores import map_on_cores
from microveil.kernels.jit import kernel, kernel_like, kernel_of_columns
from microveil.kernels.mondrian import by_numpy
from microveil.kernels.mondrian.cuts import CutRule, Work, cut_at, find_cuts, mark_sides, new_work
from microveil.kernels.mondrian.key_space import KeySpace
from microveil.kernels.mondrian.partition import (
    Partitions,
    check_codes,
    first_slices,
    rearrange,
    smaller_first,
)


class Crowd(NamedTuple):
    """Whose the records are, in the order of the partitions."""

    codes: Ints
    """(columns, n) the codes."""
    order: Ints
    """(n,) the record at each position."""
    people: Ints
    """(n,) its person, numbered from 0."""
    together: bool
    """Whether all records of a person stay in one partition: they are equal in all keys."""


class _Seen(NamedTuple):
    """Who was met on each side of the cut that is looked at."""

    last: Ints  # (2, people) the last cut at which a person was met, right and left
    cut: Ints  # (1,) the number of the cut


def mondrian_of_people(
    codes: Ints, space: KeySpace, rule: CutRule, people: Longs, *, together: bool
) -> Partitions:
    """Partitions like those of :func:`~microveil.kernels.mondrian.partition.mondrian`, of k people.

    Medians are those of records. A cut that leaves fewer than k people on a side is skipped, and
    the next best is tried. People are counted until both sides have k: few are looked at, except
    in small partitions. Time and memory are those of records, and two numbers per person.
    """
    check_codes(codes, space, rule)
    n = codes.shape[1]
    order = np.arange(n, dtype=np.int32)
    crowd = Crowd(codes, order, people.astype(np.int32), together)
    n_people = int(people.max(initial=-1)) + 1
    begins = np.zeros(n, np.bool_)

    def cut(ends: tuple[int, int], most: int) -> None:
        _cut_all(crowd, begins, space, rule, ends, (most, n_people))

    slices = first_slices(cut, begins)
    map_on_cores(lambda ends: cut(ends, n), slices)
    return Partitions(codes, order, np.flatnonzero(begins))


@kernel_like(by_numpy.both_have)
def _both_have(people: Ints, side: NDArray[np.uint8], k: int, scratch: Ints, cut: int) -> bool:
    """Whether k people have a record on each side."""
    n_right = n_left = 0
    for i in range(side.size):
        here, person = side[i], people[i]
        if scratch[here, person] != cut:
            scratch[here, person] = cut
            n_left += here
            n_right += 1 - here
            if n_left >= k and n_right >= k:
                return True
    return False


@kernel_like(by_numpy.has_people)
def _has_people(people: Ints, least: int, scratch: Ints, cut: int) -> bool:
    """Whether there are so many people."""
    n = 0
    for i in range(people.size):
        if scratch[0, people[i]] != cut:
            scratch[0, people[i]] = cut
            n += 1
            if n >= least:
                return True
    return False


@kernel
def _cut_here(
    crowd: Crowd, space: KeySpace, rule: CutRule, work: Work, scratch: _Seen, ends: tuple[int, int]
) -> int:
    """Make the best cut of a partition; return its position, or −1 if there is none."""
    start, end = ends
    here, people = crowd.codes[:, start:end], crowd.people[start:end]
    if crowd.together:
        scratch.cut[0] += 1
        if not _has_people(people, 2 * rule.k, scratch.last, scratch.cut[0]):
            return -1
    side = work.side[: end - start]
    # Mostly the first cut will do, so that the others are looked for only if it does not.
    found, i = find_cuts(here, space, rule, work, 0), 0
    while i < found:
        cut = cut_at(work, i)
        mark_sides(here[cut.column], cut, side)
        scratch.cut[0] += 1
        if _both_have(people, side, rule.k, scratch.last, scratch.cut[0]):
            for j in range(here.shape[0]):
                rearrange(here[j], side, work.scratch)
            rearrange(crowd.order[start:end], side, work.scratch)
            rearrange(people, side, work.scratch)
            return start + cut.n_left
        i += 1
        if i == 1:
            found = find_cuts(here, space, rule, work, work.score.size)
    return -1


@kernel_of_columns
def _cut_all(
    crowd: Crowd,
    begins: NDArray[np.bool_],
    space: KeySpace,
    rule: CutRule,
    ends: tuple[int, int],
    numbers: tuple[int, int],
) -> None:
    """Cut a slice at most so many times, and mark where each partition begins."""
    start, end = ends
    most, n_people = numbers
    work = new_work(space, rule, end - start)
    scratch = _Seen(np.zeros((2, n_people), np.int32), np.zeros(1, np.int32))
    waiting = np.empty((64, 2), np.int64)
    n_waiting = 0
    begins[start] = True
    while most > 0:
        middle = _cut_here(crowd, space, rule, work, scratch, (start, end))
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
