"""Earth mover's distance between the sensitive values of each class and the whole table.

All three functions work on the entries that occur, never on classes × values. Time grows with the
entries (times the log of the number of values if ordered, times the levels for a tree).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from microveil.privacy.parts.distribution import Distribution


def equal_distances(found: Distribution) -> NDArray[np.float64]:
    """Distance with all values equally far apart: half the sum of absolute share differences.

    The excess of some values in a class equals the deficit of the others, so the entries that occur
    suffice.
    """
    return found.per_class(np.maximum(found.shares - found.table_shares, 0))


def ordered_distances(found: Distribution) -> NDArray[np.float64]:
    """Distance with neighbouring codes 1/(m − 1) apart, for m values in the table.

    It is the mean absolute difference of the cumulative shares at all values but the last. Between
    two values of a class, its own cumulative share is constant while the table's grows, so prefix
    sums of the table's shares on both sides of the crossing give the rest.
    """
    if found.n_values < 2 or not found.n_classes:  # noqa: PLR2004  one value is nowhere to move to
        return np.zeros(found.n_classes)
    table = np.cumsum(found.totals) / found.totals.sum()
    upto = np.concatenate([[0.0], np.cumsum(table)])
    share = np.cumsum(found.counts)
    offset = (share - found.counts)[found.starts]
    own = (share - offset[found.classes]) / found.sizes[found.classes]
    first = found.values
    last = np.append(found.values[1:], found.n_values)
    last[np.append(found.starts[1:], len(first)) - 1] = found.n_values
    cross = np.clip(np.searchsorted(table, own), first, last)
    below = own * (cross - first) - (upto[cross] - upto[first])
    above = (upto[last] - upto[cross]) - own * (last - cross)
    head = upto[found.values[found.starts]]  # a class has no mass before its first value
    moved = found.per_class(np.abs(below) + np.abs(above)) + head
    distances: NDArray[np.float64] = moved / (found.n_values - 1)
    return distances


def tree_distances(found: Distribution, levels: NDArray[np.int32]) -> NDArray[np.float64]:
    """Distance between values is the height of their lowest common node, as a share of the tree's.

    ``levels`` (values, height) gives each value's node at each level below the top. The distance is
    the mean, over these levels, of the equal distance between nodes: every level that mass has to
    climb costs the same.
    """
    height = levels.shape[1]
    total = np.zeros(found.n_classes)
    table = found.totals / max(int(found.totals.sum()), 1)
    for level in range(height):
        nodes = levels[:, level].astype(np.int64)
        n_nodes = int(nodes.max(initial=-1)) + 1
        node_share = np.bincount(nodes, weights=table, minlength=n_nodes)
        pairs, entry = np.unique(
            found.classes * max(n_nodes, 1) + nodes[found.values], return_inverse=True
        )
        share = np.bincount(entry, weights=found.shares, minlength=len(pairs))
        held, node = np.divmod(pairs, max(n_nodes, 1))
        more = np.maximum(share - node_share[node], 0)
        total += np.bincount(held, weights=more, minlength=found.n_classes)
    distances: NDArray[np.float64] = total / height
    return distances
