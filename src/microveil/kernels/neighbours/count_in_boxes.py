"""Number of records in each of many boxes."""

import numpy as np

from microveil.arrays import Floats, Longs
from microveil.kernels.jit import kernel, stood_in_for
from microveil.kernels.linkage.link_bounds import Candidates, in_threads
from microveil.kernels.neighbours.mixed_tree import MixedTree, build_mixed_tree

MOST_CELLS = 400_000_000
"""Cells that NumPy compares, about a second, before the loop is compiled."""
_NARROW = 2.0**-20
"""Width of the narrowest boxes, as a share of a column's spread."""
_SMALLEST = 1e-200
"""Columns with a smaller spread are not brought to another unit, nor those as much larger."""
_BLOCK = 50_000
"""Rows and boxes that are compared together: they fit the processor's cache."""


def count_in_boxes(low: Floats, high: Floats, candidates: Candidates) -> Longs:
    """Rows between `low` and `high` in every column, inclusive; NaN lies in every range.

    All cores are used. A subtree inside a box is counted as a whole, so time grows with the
    surface of the boxes rather than with their contents.

    >>> candidates = Candidates(np.array([[0.0], [2.0], [np.nan]]), np.array([1, 3, 1]))
    >>> count_in_boxes(np.array([[1.0]]), np.array([[2.0]]), candidates).tolist()
    [4]
    """
    counts = np.zeros(len(low), np.int64)
    if not len(low) or not len(candidates.points):
        return counts
    if not low.shape[1]:
        counts[:] = candidates.weights.sum()
        return counts
    if stood_in_for(_count, len(low) * candidates.points.size, MOST_CELLS):
        return _by_columns(low, high, candidates)
    units = _units(low, high, candidates.points)
    tree = build_mixed_tree(candidates.points * units, candidates.weights)
    low, high = low * units, high * units
    in_threads(lambda rows: _count(tree, low, high, rows, counts), np.arange(len(low)), 1024)
    return counts


def _units(low: Floats, high: Floats, points: Floats) -> Floats:
    """A factor for each column that brings the boxes to a width of about one.

    The tree splits the widest column: without it, a column of large numbers whose ranges rule
    little out would be split again and again. Powers of two change no comparison.
    """
    least, most = (
        np.nanmin(points, axis=0, initial=np.inf),
        np.nanmax(points, axis=0, initial=-np.inf),
    )
    spread = np.where(most > least, most - least, 1.0)
    widths = (np.minimum(high, most) - np.maximum(low, least)).clip(min=0.0).mean(axis=0)
    usable = np.isfinite(spread) & (spread > _SMALLEST) & (spread < 1 / _SMALLEST)
    exponents = np.floor(
        np.log2(np.maximum(widths, spread * _NARROW), where=usable, out=np.zeros(len(spread)))
    )
    return np.asarray(np.ldexp(1.0, -exponents.astype(np.int64)))


def _by_columns(low: Floats, high: Floats, candidates: Candidates) -> Longs:
    """The same with NumPy, some boxes at a time."""
    counts = np.zeros(len(low), np.int64)
    columns = np.ascontiguousarray(candidates.points.T)
    n_together = max(1, _BLOCK // columns.shape[1])
    for start in range(0, len(low), n_together):
        rows = slice(start, start + n_together)
        outside = np.zeros((len(low[rows]), columns.shape[1]), dtype=np.bool_)
        for j, cells in enumerate(columns):
            outside |= (cells < low[rows, j : j + 1]) | (cells > high[rows, j : j + 1])
        counts[rows] = ~outside @ candidates.weights
    return counts


@kernel
def _position(tree: MixedTree, node: int, low: Floats, high: Floats) -> int:
    """0 if the node lies outside the box, 2 if inside, 1 if it overlaps the boundary."""
    inside = 2
    for j in range(low.size):
        least, most = tree.boxes[node, 0, j], tree.boxes[node, 1, j]
        if least > most:
            continue  # only missing cells
        if least > high[j] or most < low[j]:
            if tree.gaps[node, j] == 0:
                return 0
            inside = 1
        elif least < low[j] or most > high[j]:
            inside = 1
    return inside


@kernel
def _count(tree: MixedTree, low: Floats, high: Floats, rows: Longs, counts: Longs) -> None:
    stack = np.empty(128, np.int32)
    for i in rows:
        stack[0] = 0
        depth, count = 1, 0
        while depth > 0:
            depth -= 1
            node = stack[depth]
            position = _position(tree, node, low[i], high[i])
            if position == 0:
                continue
            child = tree.child[node]
            if position == 2:  # noqa: PLR2004  inside, see above
                count += tree.weights[node]
            elif child >= 0:
                stack[depth], stack[depth + 1] = child, child + 1
                depth += 2
            else:
                for slot in range(tree.filled[~child]):
                    within = True
                    for j in range(low.shape[1]):
                        value = tree.coordinates[~child, j, slot]
                        if value < low[i, j] or value > high[i, j]:
                            within = False
                            break
                    if within:
                        count += tree.record_weights[tree.records[~child, slot]]
        counts[i] = count
