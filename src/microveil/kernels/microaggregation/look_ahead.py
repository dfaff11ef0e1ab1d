"""What threads find out before it is needed: the nearest and farthest of records that may be next.

A list holds a few records more than a group needs. Records only ever leave, so those of a list
that are still there are exactly the nearest (farthest) ones, as long as enough of them are.
"""

from typing import NamedTuple

import numpy as np

from microveil.arrays import Floats, Ints, Longs
from microveil.kernels.jit import kernel
from microveil.kernels.microaggregation.centroid_shell import Shell
from microveil.kernels.neighbours.kd_search import (
    Search,
    farthest_records,
    farthest_scanned,
    nearest_records,
    nearest_scanned,
    new_search,
    sort_found,
)
from microveil.kernels.neighbours.kd_tree import KdTree


class Lists(NamedTuple):
    """Lists of records, each in a slot; old ones give way to new ones."""

    slot: Ints  # of each record, −1 without one
    owner: Ints  # record of each slot, −1 if it is free
    near: Ints  # (slots, entries), nearest first
    far: Ints  # (slots, entries), farthest first
    n: Ints  # (slots, 2): entries of both
    known: Ints  # (slots, 2): whether they may be read
    state: Longs  # [the slot given away next]


class Play(NamedTuple):
    """Groups that are played through: who is taken, by the number of the play."""

    taken: Ints
    state: Longs  # [number of the play, k]


class Ball(NamedTuple):
    """A ball that holds all records: its centre and the square of its radius."""

    centre: Floats
    radius: float


@kernel
def new_lists(n_records: int, n_slots: int, n_near: int, n_far: int) -> Lists:
    """No lists yet."""
    return Lists(
        np.full(n_records, -1, np.int32),
        np.full(n_slots, -1, np.int32),
        np.empty((n_slots, n_near), np.int32),
        np.empty((n_slots, n_far), np.int32),
        np.zeros((n_slots, 2), np.int32),
        np.zeros((n_slots, 2), np.int32),
        np.zeros(1, np.int64),
    )


@kernel
def _slot_for(lists: Lists, record: int) -> int:
    """The slot of a record, its own or the oldest one."""
    if lists.slot[record] >= 0:
        return int(lists.slot[record])
    slot = lists.state[0]
    lists.state[0] = (slot + 1) % lists.owner.size
    if lists.owner[slot] >= 0:
        lists.slot[lists.owner[slot]] = -1
    lists.owner[slot], lists.slot[record] = record, slot
    lists.known[slot] = 0
    return int(slot)


@kernel
def choose_seeds(lists: Lists, tree: KdTree, shell: Shell, first: int, asked: Ints) -> int:
    """Slots of the records that may be next: `first`, then the outermost ones; their number.

    The farther half of them may begin a pair of groups. The others are mostly taken in by groups or
    lie opposite; a slot of theirs is given as its complement: the farthest record is not asked for.
    """
    n = 0
    position, seen = shell.state[0] - 1, 0
    while position < shell.records.size and seen < asked.size:
        record = first if position < shell.state[0] else shell.records[position]
        position += 1
        if record < 0 or tree.where[record] < 0:
            continue
        slot = _slot_for(lists, record)
        begins = 2 * seen < asked.size
        seen += 1
        if begins and not lists.known[slot, 1]:
            asked[n] = slot
            n += 1
        elif not lists.known[slot, 0]:
            asked[n] = ~slot
            n += 1
    return n


@kernel
def choose_opposites(
    lists: Lists, tree: KdTree, shell: Shell, first: int, play: Play, asked: Ints
) -> int:
    """Slots of the records that will lie opposite, by playing the groups through; their number."""
    n = 0
    play.state[0] += 1
    position, seen = shell.state[0] - 1, 0
    while position < shell.records.size and 2 * seen < asked.size and n < asked.size:
        seed = first if position < shell.state[0] else shell.records[position]
        position += 1
        if seed < 0 or tree.where[seed] < 0:
            continue
        seen += 1
        slot = lists.slot[seed]
        if slot < 0 or not lists.known[slot, 1] or play.taken[seed] == play.state[0]:
            continue
        _play_group(lists, tree, seed, play)
        for place in range(lists.n[slot, 1]):
            other = lists.far[slot, place]
            if tree.where[other] >= 0 and play.taken[other] != play.state[0]:
                if not lists.known[_slot_for(lists, other), 0]:
                    asked[n] = ~lists.slot[other]
                    n += 1
                _play_group(lists, tree, other, play)
                break
    return n


@kernel
def _play_group(lists: Lists, tree: KdTree, seed: int, play: Play) -> None:
    taken, stamp = play.taken, play.state[0]
    taken[seed] = stamp
    slot, wanted = lists.slot[seed], play.state[1] - 1
    if not lists.known[slot, 0]:
        return
    for place in range(lists.n[slot, 0]):
        record = lists.near[slot, place]
        if wanted > 0 and tree.where[record] >= 0 and taken[record] != stamp:
            taken[record] = stamp
            wanted -= 1


@kernel
def look_around(
    points: Floats, tree: KdTree, lists: Lists, asked: Ints, ball: Ball, scanning: int
) -> int:
    """Fill in the lists of some slots; return the leaves that were opened."""
    search = new_search(lists.near.shape[1])
    for asking in asked:
        slot = asking if asking >= 0 else ~asking
        query = points[lists.owner[slot]]
        if not lists.known[slot, 0]:
            if scanning:
                nearest_scanned(tree, search, query, lists.near.shape[1])
            else:
                nearest_records(tree, search, query, lists.near.shape[1])
            _note_nearest(lists, slot, search)
        if asking >= 0:
            if scanning:
                lists.n[slot, 1] = farthest_scanned(tree, search, query, lists.far[slot])
            else:
                lists.n[slot, 1] = farthest_of(tree, search, query, lists.far[slot], ball)
    return int(search.state[1])


@kernel
def now_known(lists: Lists, asked: Ints) -> None:
    """Let the lists that were asked for be read."""
    for asking in asked:
        lists.known[asking if asking >= 0 else ~asking, 0] = 1
        if asking >= 0:
            lists.known[asking, 1] = 1


@kernel
def _note_nearest(lists: Lists, slot: int, search: Search) -> None:
    """Store the records found, without the one that asked."""
    sort_found(search)
    n = 0
    for place in range(search.state[0]):
        if search.records[place] != lists.owner[slot]:
            lists.near[slot, n] = search.records[place]
            n += 1
    lists.n[slot, 0] = n


@kernel
def farthest_of(tree: KdTree, search: Search, query: Floats, found: Ints, ball: Ball) -> int:
    """Fill in the records farthest from one in a ball; return their number."""
    mirror = np.empty(query.size)
    own, size = 0.0, 0.0
    for j in range(query.size):
        mirror[j] = 2 * ball.centre[j] - query[j]
        own += (query[j] - ball.centre[j]) * (query[j] - ball.centre[j])
        size += abs(mirror[j])
    # Squares are rounded, and so is the mirror image, by more than they if far from the origin.
    reach = 2.0 * (ball.radius + own) * (1 + 1e-10) + 1e-15 * size * np.sqrt(ball.radius)
    return int(farthest_records(tree, search, query, mirror, reach, found))
