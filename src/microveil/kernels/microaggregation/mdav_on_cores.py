"""MDAV on several threads: they look ahead, and one forms the groups; the partition is the same.

The records that form the next groups are nearly always among the outermost ones. Threads look for
the nearest and farthest records of some hundreds of those; then groups are formed one by one from
these lists, and threads take their members out of the tree. What no list tells is looked for on
the spot.
"""

from concurrent.futures import Executor
from typing import NamedTuple

import numpy as np

from microveil.arrays import Floats, Ints
from microveil.cores import n_threads, shared_pool
from microveil.kernels.exact_sums import add_exactly
from microveil.kernels.jit import kernel
from microveil.kernels.microaggregation.centroid_shell import Shell, list_shell, read_shell
from microveil.kernels.microaggregation.look_ahead import (
    Ball,
    Lists,
    Play,
    choose_opposites,
    choose_seeds,
    farthest_of,
    look_around,
    new_lists,
    now_known,
)
from microveil.kernels.microaggregation.mdav import (
    DEFEATED,
    Left,
    all_left,
    group_rest,
    set_centre,
)
from microveil.kernels.neighbours.kd_search import (
    Search,
    nearest_records,
    new_search,
    sort_found,
)
from microveil.kernels.neighbours.kd_tree import KdTree, mark_record
from microveil.kernels.neighbours.kd_tree_on_cores import (
    PartedTree,
    build_parted_tree,
    drop_on_cores,
    rebuild,
)

# Few enough records that one thread is as quick.
_REST = 5_000
# Outermost records that are looked at ahead, and how long their lists are beyond need (measured).
_FEWEST, _MOST = 64, 512
_SPARE, _FAR = 1, 2


def mdav_on_cores(points: Floats, everyone: Ints, k: int) -> Ints:
    """Group of each record, as :func:`~microveil.kernels.microaggregation.mdav.mdav`."""
    left = all_left(points)
    with shared_pool(n_threads()) as pool:
        parted = build_parted_tree(points, everyone, pool)
        rounds = _Rounds(points, k, pool)
        while left.state[0] >= max(_REST, 6 * k):
            if 2 * left.state[0] < left.state[1]:
                left.state[1] = left.state[0]
                parted = rebuild(parted, points, left.state[0], pool)
            rounds.go_on(parted, left)
    return group_rest(points, parted.tree, left, k)


class _Groups(NamedTuple):
    """What the thread that forms groups works with."""

    left: Left
    shell: Shell
    lists: Lists
    search: Search
    members: Ints  # records taken in this round, in order
    state: Ints  # [members, pairs of groups]


class _Rounds:
    """Rounds: threads look around some of the outermost records, then groups are formed."""

    def __init__(self, points: Floats, k: int, pool: Executor) -> None:
        n, d = points.shape
        self._points, self._k, self._pool = points, k, pool
        self._size = _MOST
        self._lists = new_lists(n, 8 * _MOST, k + max(_SPARE, k // 4), _FAR)
        self._search = new_search(k)
        self._centre = np.empty(d)
        self._play = Play(np.zeros(n, dtype=np.int32), np.array([0, k]))
        self._members = np.empty(2 * k * _MOST, np.int32)
        self._shell: Shell | None = None

    def go_on(self, parted: PartedTree, left: Left) -> None:
        """Look around, and form the groups that begin with records that are known then."""
        tree = parted.tree
        set_centre(left, self._centre)
        first, shell = self._outermost(tree, left)
        out = self._points[first] - self._centre
        ball = Ball(self._centre, float(out @ out) * (1 + 1e-12))
        asked = np.empty(self._size, np.int32)
        n = choose_seeds(self._lists, tree, shell, first, asked)
        self._look_around(tree, left, asked[:n], ball)
        n = choose_opposites(self._lists, tree, shell, first, self._play, asked)
        self._look_around(tree, left, asked[:n], ball)
        state = np.zeros(2, np.int32)
        groups = _Groups(left, shell, self._lists, self._search, self._members, state)
        _form_groups(self._points, tree, groups, self._k)
        drop_on_cores(parted, self._members[: state[0]], self._pool)
        self._adapt(int(state[1]))

    def _adapt(self, n_pairs: int) -> None:
        """Look at fewer records if most were not needed, at more if many were."""
        if 8 * n_pairs < self._size:
            self._size = max(self._size // 2, _FEWEST)
        elif 4 * n_pairs > self._size:
            self._size = min(2 * self._size, _MOST)

    def _outermost(self, tree: KdTree, left: Left) -> tuple[int, Shell]:
        first, shell = -1, self._shell
        if shell is not None and shell.state[1] < 2 * left.state[0]:
            first = read_shell(shell, tree, self._centre)
        if shell is None or first < 0:
            shell = list_shell(self._points, tree, self._centre, left.state[0])
            first = read_shell(shell, tree, self._centre)
        self._shell = shell
        return first, shell

    def _look_around(self, tree: KdTree, left: Left, asked: Ints, ball: Ball) -> None:
        """Fill in the lists of some slots, on all threads."""
        if not len(asked):
            return

        def look(part: Ints) -> int:
            return look_around(self._points, tree, self._lists, part, ball, left.state[3])

        n_parts = min(2 * n_threads(), len(asked))
        opened = self._pool.map(look, [asked[start::n_parts] for start in range(n_parts)])
        if sum(opened) > DEFEATED * 1.5 * len(asked) * len(tree.filled):
            left.state[3] = 1
        now_known(self._lists, asked)


@kernel
def _take(points: Floats, tree: KdTree, groups: _Groups, record: int) -> None:
    """Put a record into the group that is being formed; the tree drops it later."""
    left = groups.left
    mark_record(tree, record)
    left.labels[record] = left.state[2]
    left.state[0] -= 1
    for j in range(points.shape[1]):
        add_exactly(left.high, left.low, j, -points[record, j])
    groups.members[groups.state[0]] = record
    groups.state[0] += 1


@kernel
def _take_group(points: Floats, tree: KdTree, groups: _Groups, seed: int, k: int) -> None:
    """Form a group of a record and its k−1 nearest."""
    _take(points, tree, groups, seed)
    lists, search = groups.lists, groups.search
    slot, n = lists.slot[seed], 0
    if slot >= 0 and lists.known[slot, 0]:
        for place in range(lists.n[slot, 0]):
            record = lists.near[slot, place]
            if n < k - 1 and tree.where[record] >= 0:
                search.records[n] = record
                n += 1
    if n < k - 1:
        nearest_records(tree, search, points[seed], k - 1)
        sort_found(search)
    for place in range(k - 1):
        _take(points, tree, groups, search.records[place])
    groups.left.state[2] += 1


@kernel
def _opposite(
    points: Floats, tree: KdTree, groups: _Groups, seed: int, centre: Floats, found: Ints
) -> int:
    """The record farthest from the first of a pair, after its group was formed."""
    lists = groups.lists
    slot = lists.slot[seed]
    for place in range(lists.n[slot, 1]):
        if tree.where[lists.far[slot, place]] >= 0:
            return int(lists.far[slot, place])
    radius = 0.0
    for j in range(centre.size):
        radius += (points[seed, j] - centre[j]) * (points[seed, j] - centre[j])
    farthest_of(tree, groups.search, points[seed], found, Ball(centre, radius))
    return int(found[0])


@kernel
def _form_groups(points: Floats, tree: KdTree, groups: _Groups, k: int) -> None:
    """Form pairs of groups as long as lists tell about the first of each."""
    centre = np.empty(points.shape[1])
    found = np.empty(1, np.int32)
    left, lists = groups.left, groups.lists
    while left.state[0] >= 3 * k and groups.state[0] + 2 * k <= groups.members.size:
        set_centre(left, centre)
        first = read_shell(groups.shell, tree, centre)
        slot = lists.slot[first] if first >= 0 else -1
        if slot < 0 or not lists.known[slot, 1]:
            return
        _take_group(points, tree, groups, first, k)
        second = _opposite(points, tree, groups, first, centre, found)
        _take_group(points, tree, groups, second, k)
        groups.state[1] += 1
