"""The first cuts of Mondrian, from counts alone: the blocks of classes that workers finish."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from microveil.arrays import Ints, Longs

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from microveil.kernels.mondrian.key_space import KeySpace

BLOCK = 500_000
"""Blocks of more records than this are cut once more before workers finish them."""
MOST_CELLS = 20_000_000
"""Counts of values by block that come to the driver at once."""


class Space(NamedTuple):
    """The keys, and the codes that each has, with that of a missing value."""

    keys: KeySpace
    widths: list[int]


class BlockTree(NamedTuple):
    """The first cuts: codes of a column up to an edge go to one node, others to another."""

    column: Longs
    """−1 for a block, which is not cut."""
    edge: Longs
    low: Longs
    high: Longs

    def blocks_of(self, codes: Ints | Longs) -> Longs:
        """The block that each record falls into."""
        node = np.zeros(codes.shape[1], np.int64)
        record = np.arange(codes.shape[1])
        open_ = record[self.column[node] >= 0]
        while len(open_):
            here = node[open_]
            left = codes[self.column[here], open_] <= self.edge[here]
            node[open_] = np.where(left, self.low[here], self.high[here])
            open_ = open_[self.column[node[open_]] >= 0]
        return node


@dataclass
class _Growing:
    """A tree while it grows, and the nodes that may still be cut."""

    nodes: list[list[int]] = field(default_factory=lambda: [[-1, 0, 0, 0]])
    waiting: list[int] = field(default_factory=lambda: [0])

    @property
    def tree(self) -> BlockTree:
        return BlockTree(*np.array(self.nodes, dtype=np.int64).T)

    def cut(self, node: int, column: int, edge: int) -> None:
        """Divide a node into two that may be cut further."""
        low = len(self.nodes)
        self.nodes[node] = [column, edge, low, low + 1]
        self.nodes += [[-1, 0, 0, 0], [-1, 0, 0, 0]]
        self.waiting += [low, low + 1]


def first_cuts(classes: DataFrame | list[Any], space: Space, k: int) -> BlockTree:
    """Cut level by level while blocks are large; one pass over the classes for each level."""
    growing = _Growing()
    while growing.waiting and len(growing.waiting) * sum(space.widths) <= MOST_CELLS:
        nodes, growing.waiting = growing.waiting, []
        counts = _tally_codes(classes, space, growing.tree, nodes)
        for node, of_node in zip(nodes, counts, strict=True):
            by_key = np.split(of_node, np.cumsum(space.widths)[:-1])
            if by_key[0].sum() > BLOCK:
                cut = best_cut(by_key, space.keys, k)
                if cut is not None:
                    growing.cut(node, *cut)
    return growing.tree


def _tally_codes(
    classes: DataFrame | list[Any], space: Space, tree: BlockTree, nodes: Sequence[int]
) -> Longs:
    """Records of each node by the codes of each key: (nodes, codes of all keys)."""
    import pyarrow as pa

    starts = np.cumsum([0, *space.widths])
    shape = (len(nodes), int(starts[-1]))
    number = np.full(len(tree.column), -1)
    number[list(nodes)] = np.arange(len(nodes))

    def tally(batches: Iterator[Any]) -> Iterator[Any]:
        total = np.zeros(shape[0] * shape[1], np.int64)
        # Counted once for all batches: the counts may be many more than the rows of a batch.
        found = [np.stack([np.asarray(one) for one in batch.columns]) for batch in batches]
        if found:
            *codes, n = np.concatenate(found, axis=1)
            node = number[tree.blocks_of(np.stack(codes))]
            here = node >= 0
            for start, one in zip(starts, codes, strict=False):
                cells = node[here] * shape[1] + start + 1 + one[here]
                total += np.bincount(cells, n[here], total.size).astype(np.int64)
        yield pa.RecordBatch.from_arrays([pa.array([total.tobytes()])], names=["total"])

    if isinstance(classes, list):
        rows = [row for batch in tally(iter(classes)) for row in batch["total"].to_pylist()]
    else:
        rows = classes.mapInArrow(tally, "total binary").toArrow()["total"].to_pylist()
    found = np.zeros(shape, np.int64)
    for row in rows:
        found += np.frombuffer(row, np.int64).reshape(shape)
    return found


def best_cut(counts: Sequence[Longs], space: KeySpace, k: int) -> tuple[int, int] | None:
    """Column and last code on the left of a partition's best cut, as the kernel chooses it.

    ``counts`` has for each key the records of each code, the first those with a missing value.
    """
    from microveil.kernels.mondrian.key_space import ALIKE, width_of

    there = [np.flatnonzero(one) - 1 for one in counts]
    widths = [width_of(space, j, int(one[0]), int(one[-1])) for j, one in enumerate(there)]
    for j in sorted(range(len(widths)), key=lambda j: -widths[j]):
        if widths[j] == ALIKE:
            return None
        for edge in _edges(counts[j], there[j], space, j):
            n_left = int(counts[j][: edge + 2].sum())
            if min(n_left, int(counts[j].sum()) - n_left) >= k:
                return j, edge
    return None


def _edges(counts: Longs, there: Longs, space: KeySpace, j: int) -> Iterator[int]:
    """Cuts of a column in the order they are tried: missing apart, then beside the median."""
    from microveil.kernels.mondrian.key_space import MISSING, cut_group

    if there[0] == MISSING:
        yield MISSING
        there = there[1:]
    up_to = np.cumsum(counts)
    size = int(up_to[-1])
    median = int(np.searchsorted(up_to, (size + 1) // 2)) - 1
    first, last = cut_group(space, j, int(there[0]), int(there[-1]), median)
    edges = [last, first - 1]
    uneven = [abs(2 * int(up_to[edge + 1]) - size) if edge >= MISSING else size for edge in edges]
    if uneven[0] > uneven[1]:
        edges.reverse()
    yield from (edge for edge in edges if edge > MISSING)
