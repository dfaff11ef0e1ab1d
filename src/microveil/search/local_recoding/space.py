"""Keys for local recoding: distinct rows of codes, and trees with the cost of labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from microveil.arrays import Floats, Ints, Longs
from microveil.search.lattice.space import Space
from microveil.search.lattice.staircases import Staircase

if TYPE_CHECKING:
    from microveil.kernels.lattice.groups import Groups
    from microveil.kernels.recoding.trees import Trees


CellLoss = Literal[
    "loss",
    "precision",
    "height",
    "non_uniform_entropy",
    "normalized_non_uniform_entropy",
    "entropy_based",
]
"""Losses that are sums over cells, each depending on its label alone."""

TABLE_CELLS = 2**22
"""Largest table of costs of all pairs of codes, for all keys together."""


@dataclass(frozen=True, eq=False)
class RecodingTree:
    """A key's values in tree order, and the cost of each label."""

    code_of_value: Ints
    """Code of each distinct value; the last entry is that of missing."""
    value_of_code: Longs
    """A distinct value for each code."""
    first: Ints
    """(levels, codes) first code under the label of each code."""
    cost: Floats
    """(levels, codes) cost of a cell published under this label."""
    offset: float
    """Mean excess cost of every cell: entropy counts from the values themselves."""
    scale: float
    """Divisor of the sum over all cells."""

    @property
    def top(self) -> float:
        """Cost of a cell that is ``*``, or suppressed."""
        return float(self.cost[-1].max(initial=0.0))


def key_tree(stair: Staircase, counts: Floats, loss: CellLoss, whole: float) -> RecodingTree:
    """The tree of a key; ``whole`` is the divisor of entropy-based costs."""
    order = np.lexsort(stair.labels)  # the last level is the primary key
    labels = stair.labels[:, order]
    begins = np.ones(labels.shape, dtype=np.bool_)
    begins[:, 1:] = labels[:, 1:] != labels[:, :-1]
    # A label also begins wherever one above it does, so the tree always nests.
    begins = np.logical_or.accumulate(begins[::-1], axis=0)[::-1]
    leaf = np.cumsum(begins[0]) - 1
    codes = np.empty(len(order), dtype=np.int32)
    codes[order] = leaf
    starts = np.flatnonzero(begins[0])
    first = np.array([leaf[_last_true(row)][starts] for row in begins], dtype=np.int32)
    of_code = np.bincount(codes, weights=counts).astype(np.float64)
    cost = _costs(stair, order[starts], first, of_code, loss, whole)
    offset, scale = 0.0, float(max(counts.sum(), 1.0))
    if loss.endswith("entropy"):
        there = of_code > 0
        offset = float(of_code[there] @ np.log2(of_code[there])) / scale
        n = scale
        scale = n * (float(np.log2(n)) - offset) if loss.startswith("normalized") else 1.0
    elif loss == "entropy_based":
        scale = 1.0
    return RecodingTree(codes, order[starts], first, cost, offset, scale or 1.0)


def _last_true(flags: NDArray[np.bool_]) -> Longs:
    """For each position, the last true one up to it."""
    return np.maximum.accumulate(np.where(flags, np.arange(len(flags)), 0))


def _costs(
    stair: Staircase, values: Longs, first: Ints, counts: Floats, loss: CellLoss, whole: float
) -> Floats:
    shares = stair.shares[:, values]
    n_levels = len(shares)
    if loss == "loss":
        least = 1 / stair.n_leaves
        raw = (shares - least) / (1 - least) if stair.n_leaves > 1 else np.zeros_like(shares)
        return np.ascontiguousarray(np.maximum(raw, 0.0))
    if loss in ("precision", "height"):
        steps = np.arange(n_levels) / (n_levels - 1 if loss == "precision" else 1)
        return np.ascontiguousarray(np.broadcast_to(steps[:, None], shares.shape))
    if loss == "entropy_based":
        digits: Floats = np.log10(np.maximum(shares * stair.n_leaves, 1.0))
        return digits / whole
    totals = [np.bincount(row, weights=counts, minlength=len(row))[row] for row in first]
    bits: Floats = np.log2(np.maximum(np.array(totals), 1.0))
    return bits


@dataclass(frozen=True, eq=False)
class RecodingSpace:
    """Distinct rows of a table's keys with the cost of their labels."""

    stairs: tuple[Staircase, ...]
    keys: tuple[RecodingTree, ...]
    codes: Ints
    """(rows, keys)"""
    groups: Groups
    """The records of each row, and their sensitive values."""
    row_of_record: Ints
    importance: Floats
    """Weight of each key in the loss."""
    by_mean: bool
    """Whether the loss is the mean over the keys, not their sum."""

    @classmethod
    def of(
        cls, space: Space, loss: CellLoss = "loss", importance: Sequence[float] = ()
    ) -> RecodingSpace:
        """The keys of an encoded table; its classes at the lowest levels are the rows."""
        stairs = space.stairs
        whole = float(sum(np.log10(stair.n_leaves) for stair in stairs)) or 1.0
        keys = tuple(
            key_tree(stair, counts, loss, whole)
            for stair, counts in zip(stairs, space.value_counts, strict=True)
        )
        example = np.empty(len(space.base.counts), dtype=np.int64)
        example[space.base_of_record] = np.arange(space.n_records)
        columns = [
            key.code_of_value[stair.distinct.of_record[example]]
            for stair, key in zip(stairs, keys, strict=True)
        ]
        return cls(
            stairs,
            keys,
            np.ascontiguousarray(np.stack(columns, axis=1)),
            space.base,
            space.base_of_record,
            np.array(importance or [1.0] * len(stairs), dtype=np.float64),
            loss in ("loss", "precision"),
        )

    @property
    def weights(self) -> Longs:
        """Records of each row."""
        return self.groups.counts

    @property
    def n_records(self) -> int:
        """Records of the table."""
        return len(self.row_of_record)

    @cached_property
    def factors(self) -> Floats:
        """Factors for each key's costs such that a record that is all ``*`` costs 1."""
        raw = self.importance / np.array([key.scale for key in self.keys])
        whole = float(raw @ np.array([key.top for key in self.keys]))
        factors: Floats = raw / whole if whole > 0 else raw
        return factors

    @cached_property
    def trees(self) -> Trees:
        """The trees of all keys, with the costs by which classes are compared."""
        from microveil.kernels.recoding.trees import Trees, pair_table

        costs = [key.cost * factor for key, factor in zip(self.keys, self.factors, strict=True)]
        n_codes = np.array([key.cost.shape[1] for key in self.keys])
        tables, pair, end = [np.empty(0)], np.full(len(costs), -1), 0
        for j in np.argsort(n_codes, kind="stable"):
            n = int(n_codes[j])
            if end + n * n <= TABLE_CELLS:
                tables.append(pair_table(self.keys[j].first.ravel(), costs[j].ravel(), n))
                pair[j], end = end, end + n * n
        sizes = np.array([cost.size for cost in costs])
        return Trees(
            n_codes,
            np.cumsum(sizes) - sizes,
            np.concatenate([key.first.ravel() for key in self.keys]),
            np.concatenate([cost.ravel() for cost in costs]),
            pair,
            np.concatenate(tables),
        )

    def loss_by_key(self, costs: Floats) -> Floats:
        """The loss of each key, given the total cost of its cells."""
        offsets = np.array([key.offset for key in self.keys]) * self.n_records
        scales = np.array([key.scale for key in self.keys])
        losses: Floats = np.maximum((costs - offsets) / scales, 0.0)
        return losses

    def loss(self, by_key: Floats) -> float:
        """The aggregated loss of the keys."""
        total = float(self.importance @ by_key)
        return total / len(by_key) if self.by_mean else total
