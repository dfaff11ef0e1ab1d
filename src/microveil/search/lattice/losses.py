"""Losses: what a generalisation costs, as defined in ARX 3.9.

For each key the cost of every level without suppression is known in advance (it depends only on the
key's own values), so the cost of a node is bounded from below before its classes are formed.
Smaller is better; for a bounded loss 0 is the original and 1 means nothing is left.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from microveil.kernels.lattice.losses import Tally
    from microveil.search.lattice.space import Space

LossName = Literal[
    "loss",
    "precision",
    "discernibility",
    "average_class_size",
    "height",
    "non_uniform_entropy",
    "normalized_non_uniform_entropy",
    "ambiguity",
    "entropy_based",
]
Aggregate = Literal["geometric_mean", "arithmetic_mean", "sum", "max", "rank"]

DEFAULT_AGGREGATE: dict[str, Aggregate] = {
    "loss": "geometric_mean",
    "precision": "arithmetic_mean",
    "height": "sum",
    "non_uniform_entropy": "sum",
    "normalized_non_uniform_entropy": "sum",
}
"""Losses that are aggregated over the keys, and their default aggregate."""

Cost = tuple[float, ...]
"""What is compared: one number, or with ``rank`` the keys' losses in descending order."""


@dataclass(frozen=True)
class LossRule:
    """Which loss is minimised, and how it is aggregated."""

    name: LossName = "loss"
    aggregate: Aggregate | None = None
    monotone: bool = False
    """Whether to ignore the cost of suppression."""
    generalization_share: float = 0.5
    """ARX's generalisation–suppression factor: at 0 suppression is free, at 1 generalisation."""
    weights: tuple[float, ...] = ()
    """Importance of each key; equal by default."""

    @cached_property
    def of_suppressing(self) -> float:
        """Weight of suppression, 0 to 1."""
        return min(1.0, 2 * self.generalization_share)

    @cached_property
    def of_generalizing(self) -> float:
        """Weight of generalisation, 0 to 1."""
        return min(1.0, 2 - 2 * self.generalization_share)

    @property
    def by_key(self) -> bool:
        """Whether the loss is aggregated from one loss per key."""
        return self.name in DEFAULT_AGGREGATE

    def aggregate_losses(self, losses: Sequence[float]) -> Cost:
        """The losses of the keys, aggregated for comparison."""
        if self.weights:
            losses = [loss * weight for loss, weight in zip(losses, self.weights, strict=True)]
        how = self.aggregate or DEFAULT_AGGREGATE.get(self.name, "sum")
        if how == "rank":
            return tuple(sorted(losses, reverse=True))
        if how == "max":
            return (max(losses),)
        if how == "sum":
            return (math.fsum(losses),)
        if how == "arithmetic_mean":
            return (math.fsum(losses) / len(losses),)
        product = 1.0
        for loss in losses:
            product *= 1 + loss
        return (product ** (1 / len(losses)) - 1,)


@dataclass(frozen=True, eq=False)
class Costs:
    """A loss rule prepared for a table: the cost of each level of each key without suppression."""

    rule: LossRule
    n_records: int
    n_leaves: NDArray[np.float64]
    levels: tuple[tuple[float, ...], ...]
    """For each key and level: Σ share (loss, entropy_based: Σ log₁₀ share), −Σ cnt·log₂ (entropy),
    or the level itself."""
    heights: tuple[int, ...]
    scale: tuple[float, ...]
    """For each key, the divisor of its entropy."""
    most_suppressed: int

    @classmethod
    def of(cls, space: Space, rule: LossRule, most_suppressed: int) -> Costs:
        """Prepare a rule for the values of a table."""
        levels, scale = [], []
        for key in range(len(space.stairs)):
            stair, counts = space.stairs[key], space.value_counts[key]
            if rule.name in ("non_uniform_entropy", "normalized_non_uniform_entropy"):
                entropies = [_entropy(row, counts) for row in stair.labels]
                levels.append(entropies)
                normal = entropies[-1] if rule.name.startswith("normalized") else 0.0
                scale.append(normal * rule.of_generalizing or 1.0)
            elif rule.name == "entropy_based":
                levels.append([float(counts @ np.log10(row)) for row in stair.shares])
                scale.append(1.0)
            else:
                levels.append([float(counts @ row) for row in stair.shares])
                scale.append(1.0)
        return cls(
            rule,
            space.n_records,
            space.n_leaves,
            tuple(tuple(one) for one in levels),
            tuple(stair.height for stair in space.stairs),
            tuple(scale),
            most_suppressed,
        )

    @property
    def needs(self) -> int:
        """What the kernel has to sum."""
        from microveil.kernels.lattice.losses import AREAS, MARGINS, SHARES, SIZES

        if self.rule.monotone and self.rule.by_key:
            return SIZES
        if self.rule.name in ("loss", "entropy_based"):
            return SHARES
        if self.rule.name in ("non_uniform_entropy", "normalized_non_uniform_entropy"):
            return MARGINS
        return AREAS if self.rule.name == "ambiguity" else SIZES

    @property
    def bounded_beforehand(self) -> bool:
        """Whether :meth:`bound` gives a node's loss, but for suppression, without its classes."""
        return self.rule.by_key or self.rule.name == "entropy_based"

    def bound(self, node: Sequence[int]) -> Cost:
        """Lower bound on the cost of this node and all above it, from the levels alone."""
        if self.rule.name == "entropy_based":
            return (self._entropy_based(node, 0, None),)
        if not self.rule.by_key:
            return (0.0,)
        return self.rule.aggregate_losses(
            [of[level] for of, level in zip(self._least, node, strict=True)]
        )

    @cached_property
    def _least(self) -> list[list[float]]:
        """Lower bound on the cost of each level of each key, whatever is suppressed."""
        return [
            [self._least_of(key, level) for level in range(height + 1)]
            for key, height in enumerate(self.heights)
        ]

    def _least_of(self, key: int, level: int) -> float:
        if self.rule.name == "precision":
            whole = level / self.heights[key] * self.rule.of_generalizing
            return whole if self.rule.monotone else min(whole, self.rule.of_suppressing)
        return self._of_key(key, level, 0, 0.0)

    def class_bound(self, tally: Tally) -> Cost:
        """Lower bound on the cost of a node with these classes and all above it."""
        n, rule = self.n_records, self.rule
        if rule.name == "discernibility":
            return (tally.all_squares,)
        if rule.name == "ambiguity":
            return (tally.all_area,)
        if rule.name == "average_class_size":
            most = rule.of_suppressing * tally.n_classes + rule.of_generalizing
            return (n / most,) if most else (0.0,)
        return (0.0,)

    def score(self, node: Sequence[int], tally: Tally) -> Cost:
        """The cost of a node."""
        rule, n = self.rule, self.n_records
        if rule.by_key:
            suppressed = tally.of_suppressed.tolist()
            return rule.aggregate_losses(
                [
                    self._of_key(key, level, tally.n_suppressed, gone)
                    for key, (level, gone) in enumerate(zip(node, suppressed, strict=True))
                ]
            )
        if rule.name == "discernibility":
            if rule.monotone:
                return (tally.all_squares,)
            return (tally.kept_squares + float(tally.n_suppressed) * n,)
        if rule.name == "average_class_size":
            # ARX swaps the two weights here: classes are in the denominator.
            some = rule.of_generalizing if tally.n_suppressed else 0.0
            parts = rule.of_suppressing * tally.n_kept_classes + some
            return (n / parts,) if parts else (float("inf"),)
        if rule.name == "ambiguity":
            whole = float(np.prod(self.n_leaves))
            return (tally.kept_area + tally.n_suppressed * whole,)
        return (self._entropy_based(node, tally.n_suppressed, tally.of_suppressed),)

    def _of_key(self, key: int, level: int, n_suppressed: int, suppressed: float) -> float:
        """Loss of one key; ``suppressed`` is the kernel's sum for it."""
        rule, n, known = self.rule, self.n_records, self.levels[key][level]
        general, suppress = rule.of_generalizing, rule.of_suppressing
        if rule.name == "height":
            return float(level)
        if rule.name == "precision":
            kept = 1.0 if rule.monotone else (n - n_suppressed) / n
            gone = 0.0 if rule.monotone else n_suppressed / n
            return kept * level / self.heights[key] * general + gone * suppress
        if rule.name == "loss":
            shift = general * n / float(self.n_leaves[key])
            total = (known - suppressed) * general
            if not rule.monotone:
                total += suppressed + suppress * (n_suppressed - suppressed)
            total -= shift
            # A key with one value has nothing to lose.
            return _cut(max(total / (n - shift), 0.0)) if n > shift else 0.0
        extra = 0.0 if rule.monotone else suppress * suppressed
        return (general * known + extra) / self.scale[key]

    def _entropy_based(
        self, node: Sequence[int], n_suppressed: int, logs: NDArray[np.float64] | None
    ) -> float:
        rule, n = self.rule, self.n_records
        whole = float(np.log10(self.n_leaves).sum()) or 1.0
        total = sum(self.levels[key][level] for key, level in enumerate(node))
        gone = 0.0 if logs is None else float(logs.sum())
        kept = (total - gone) / whole + (n - n_suppressed)
        slack = 0.0
        if logs is None and rule.of_suppressing < rule.of_generalizing:
            # If suppressing is cheaper than generalising, it may lower the cost by this much.
            slack = self.most_suppressed * (rule.of_generalizing - rule.of_suppressing)
        return max(kept * rule.of_generalizing + n_suppressed * rule.of_suppressing - slack, 0.0)


def _entropy(labels: NDArray[np.int32], counts: NDArray[np.float64]) -> float:
    """−Σ cnt(v)·log₂(cnt(v)/cnt(label of v))."""
    totals = np.bincount(labels, weights=counts)
    there = counts > 0
    own = counts[there]
    return float(-(own * np.log2(own / totals[labels[there]])).sum())


def _cut(value: float) -> float:
    """A key's loss truncated to ten decimals, as in ARX, so that equal costs compare as equal."""
    return math.floor(value * 1e10) / 1e10
