"""V-MDAV: groups of variable size, extended while an outside record is close enough."""

import math

import numpy as np

from microveil.arrays import Floats, Ints
from microveil.kernels.checks import check_points
from microveil.kernels.jit import kernel
from microveil.kernels.neighbours.kd_search import Search, nearest_records, new_search
from microveil.kernels.neighbours.kd_tree import (
    KdTree,
    build_tree_over,
    live_records,
    remove_record,
)


def v_mdav(points: Floats, k: int, gamma: float = 0.2) -> Ints:
    """Group of each record by V-MDAV (Solanas and Martínez-Ballesté 2006); sizes k..2k−1.

    The record farthest from the centroid of all data forms a group with its k−1 nearest; the group
    then grows, up to 2k−1 records, by the outside record nearest to any member as long as that
    distance is below `gamma` times the record's distance to its own nearest outside record. Larger
    `gamma` suits clustered data (usually 1.1, otherwise 0.2); 0 never extends. A group does not
    grow if the remaining records could then neither form a group nor fit into others; fewer than k
    leftover records join the nearest centroid with room, in order of index. Ties as in `mdav`.

    >>> v_mdav(np.array([[0.0], [1.0], [1.5], [10.0], [11.0]]), 2, gamma=1.1).tolist()
    [1, 1, 1, 0, 0]
    """
    check_points(points, k)
    if not gamma >= 0.0:
        raise ValueError(f"gamma must not be negative, it is {gamma}.")
    points = np.ascontiguousarray(points, dtype=np.float64)
    order = _outermost_first(points)
    everyone = np.arange(len(points), dtype=np.int32)
    labels = _v_mdav(points, order, everyone, k, float(gamma))
    _house(points, labels, k)
    return labels


def _outermost_first(points: Floats) -> Ints:
    """Records by decreasing distance to the centroid; ties by increasing index."""
    distances = np.zeros(len(points))
    for column in points.T:
        difference = column - math.fsum(column.tolist()) / len(points)
        distances -= difference * difference
    return np.argsort(distances, kind="stable").astype(np.int32)


@kernel
def _closest_outside(
    points: Floats, tree: KdTree, search: Search, group: Ints, links: Ints, size: int
) -> tuple[int, float]:
    """Nearest outside record to any member and its squared distance; larger index on ties.

    `links` holds each member's nearest outside record; it is searched again once that has left.
    """
    found, least = -1, np.inf
    for member in range(size):
        if links[member] < 0 or tree.where[links[member]] < 0:
            nearest_records(tree, search, points[group[member]], 1)
            links[member] = search.records[0]
        distance = 0.0
        for j in range(points.shape[1]):
            difference = points[links[member], j] - points[group[member], j]
            distance += difference * difference
        if distance < least or (distance == least and links[member] > found):
            found, least = links[member], distance
    return found, least


@kernel
def _grow(
    points: Floats, tree: KdTree, search: Search, group: Ints, k: int, left: int, gamma: float
) -> int:
    """Extend a group of k removed from the tree, with `left` records outside; its new size."""
    size = k
    links = np.full(group.size, -1, np.int32)
    # Fewer than k outside all fit into this group; otherwise k must stay outside.
    while size < 2 * k - 1 and left > 1 and (left > k or size + left <= 2 * k - 1):
        candidate, inside = _closest_outside(points, tree, search, group, links, size)
        nearest_records(tree, search, points[candidate], 2)
        # The candidate is its own nearest record, unless a duplicate of it wins the tie.
        outside = max(search.distances[0], search.distances[1])
        if not np.sqrt(inside) < gamma * np.sqrt(outside):
            break
        remove_record(tree, candidate)
        group[size] = candidate
        size += 1
        left -= 1
    return size


def _house(points: Floats, labels: Ints, k: int) -> None:
    """Assign each record without a group to the nearest centroid among groups with room."""
    grouped, left = labels >= 0, np.flatnonzero(labels < 0)
    sizes = np.bincount(labels[grouped])
    means = [np.bincount(labels[grouped], column[grouped]) / sizes for column in points.T]
    for record in left:
        distances = np.zeros(len(sizes))
        for mean, value in zip(means, points[record], strict=True):
            distances += (value - mean) * (value - mean)
        nearest = np.argmin(np.where(sizes < 2 * k - 1, distances, np.inf))
        labels[record] = nearest
        sizes[nearest] += 1


@kernel
def _v_mdav(points: Floats, order: Ints, everyone: Ints, k: int, gamma: float) -> Ints:
    n = points.shape[0]
    labels = np.full(n, -1, np.int32)
    tree = build_tree_over(points, everyone)
    search = new_search(max(k, 2))
    group = np.empty(2 * k, np.int32)
    left, built, groups = n, n, 0
    for seed in order:
        if labels[seed] >= 0:
            continue
        if left < k:
            break
        if 2 * left < built:
            built = left
            tree = build_tree_over(points, live_records(tree, left))
        remove_record(tree, seed)
        nearest_records(tree, search, points[seed], k - 1)
        group[0] = seed
        for position in range(search.state[0]):
            group[position + 1] = search.records[position]
            remove_record(tree, search.records[position])
        size = _grow(points, tree, search, group, k, left - k, gamma)
        for member in range(size):
            labels[group[member]] = groups
        left -= size
        groups += 1
    return labels
