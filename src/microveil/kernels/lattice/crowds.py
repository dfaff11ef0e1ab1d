"""Which classes hold enough people, where a person may have several records."""

from typing import NamedTuple

import numpy as np

from microveil.arrays import Flags, Ints, Longs, Words
from microveil.kernels.jit import kernel, wrapping_kernel
from microveil.kernels.sorting import sort_integers


class Holdings(NamedTuple):
    """The records of each person."""

    starts: Longs
    """(people + 1,) where the records of each person begin."""
    records: Ints
    """Records, those of one person side by side."""


class _Sets(NamedTuple):
    """Sets of classes that people have, each stored once."""

    table: Ints
    """Number of the set at each place of a hash table; -1 if free."""
    hashes: Words
    starts: Longs
    members: Ints
    """The classes of each set, ascending."""
    n_people: Ints


@kernel
def lonely_classes(
    of_record: Ints, n_classes: int, kept: Flags, held: Holdings, least: int
) -> Flags:
    """Classes with a kept record, and fewer people than ``least`` among the kept records.

    >>> held = Holdings(np.array([0, 2, 3]), np.array([0, 1, 2], dtype=np.int32))
    >>> of_record = np.array([0, 1, 1], dtype=np.int32)
    >>> lonely_classes(of_record, 2, np.ones(3, dtype=np.bool_), held, 2).tolist()
    [True, False]
    """
    last = np.full(n_classes, -1, np.int32)
    n_people = np.zeros(n_classes, np.int32)
    for person in range(held.starts.size - 1):
        for at in range(held.starts[person], held.starts[person + 1]):
            record = held.records[at]
            if kept[record] and last[of_record[record]] != person:
                last[of_record[record]] = person
                n_people[of_record[record]] += 1
    lonely = np.zeros(n_classes, np.bool_)
    for group in range(n_classes):
        lonely[group] = 0 < n_people[group] < least
    return lonely


@kernel
def rare_classes(of_record: Ints, n_classes: int, kept: Flags, held: Holdings, least: int) -> Flags:
    """Classes of people whose set of classes fewer than ``least`` people have.

    An intruder who sees which records belong together tells people apart by all of them.

    >>> held = Holdings(np.array([0, 2, 3]), np.array([0, 1, 2], dtype=np.int32))
    >>> of_record = np.array([0, 1, 1], dtype=np.int32)
    >>> rare_classes(of_record, 2, np.ones(3, dtype=np.bool_), held, 2).tolist()
    [True, True]
    """
    n = held.starts.size - 1
    size = 16
    while size < 2 * n:
        size *= 2
    sets = _Sets(
        np.full(size, -1, np.int32),
        np.empty(n, np.uint64),
        np.zeros(n + 1, np.int64),
        np.empty(held.records.size, np.int32),
        np.zeros(n, np.int32),
    )
    last = np.full(n_classes, -1, np.int32)
    n_alone = np.zeros(n_classes, np.int32)  # people with records in this class only
    own = np.empty(held.records.size, np.int32)
    n_sets = 0
    for person in range(n):
        n_own = _classes_of(person, of_record, kept, held, last, own)
        if n_own == 1:
            n_alone[own[0]] += 1
        elif n_own > 1:
            n_sets = _count(sets, n_sets, own[:n_own])
    rare = np.zeros(n_classes, np.bool_)
    for group in range(n_classes):
        rare[group] = 0 < n_alone[group] < least
    for one in range(n_sets):
        if sets.n_people[one] < least:
            for at in range(sets.starts[one], sets.starts[one + 1]):
                rare[sets.members[at]] = True
    return rare


@kernel
def _classes_of(
    person: int, of_record: Ints, kept: Flags, held: Holdings, last: Ints, own: Ints
) -> int:
    """Fill in the classes of a person's kept records, ascending; return how many they are.

    ``last`` is who had each class last.
    """
    n_own = 0
    for at in range(held.starts[person], held.starts[person + 1]):
        record = held.records[at]
        if kept[record] and last[of_record[record]] != person:
            last[of_record[record]] = person
            own[n_own] = of_record[record]
            n_own += 1
    if n_own > 1:
        sort_integers(own[:n_own])
    return n_own


@wrapping_kernel
def _hash(own: Ints) -> np.uint64:
    mixed = np.uint64(own.size)
    for at in range(own.size):
        mixed = (mixed ^ np.uint64(own[at])) * np.uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> np.uint64(29)
    return mixed ^ (mixed >> np.uint64(32))


@kernel
def _count(sets: _Sets, n_sets: int, own: Ints) -> int:
    """Count a person with this set of classes; the number of sets so far."""
    mixed = _hash(own)
    last = np.uint64(sets.table.size - 1)
    place = mixed & last
    while True:
        found = sets.table[place]
        if found < 0:
            break
        if sets.hashes[found] == mixed and _equal(sets, found, own):
            sets.n_people[found] += 1
            return n_sets
        place = (place + np.uint64(1)) & last
    sets.table[place] = n_sets
    sets.hashes[n_sets] = mixed
    sets.n_people[n_sets] = 1
    start = sets.starts[n_sets]
    for at in range(own.size):
        sets.members[start + at] = own[at]
    sets.starts[n_sets + 1] = start + own.size
    return n_sets + 1


@kernel
def _equal(sets: _Sets, one: int, own: Ints) -> bool:
    start = sets.starts[one]
    if sets.starts[one + 1] - start != own.size:
        return False
    same = True
    for at in range(own.size):
        same = same and sets.members[start + at] == own[at]
    return same
