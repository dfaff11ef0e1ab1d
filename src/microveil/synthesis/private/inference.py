"""Inference: the maximum-entropy distribution that fits the noisy marginals.

The model is p ∝ exp(Σ θ_r) over the tables θ_r of the measured marginals r. It maximises
τ·N·entropy − ½ Σ ‖N p_r − y_r‖² / σ_r², whose dual is the smooth, strictly convex function

    N log Z(θ) − Σ ⟨θ_r, y_r⟩ + ½ Σ τ σ_r² ‖θ_r‖²,

minimised by L-BFGS in coordinates scaled by the approximate curvature of each cell. A small τ
trusts the measurements; single columns are trusted most, which shrinks relations hidden by noise
towards independence.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from microveil.arrays import Floats
from microveil.synthesis.private.descent import dot, minimise
from microveil.synthesis.private.junction_tree import Clique
from microveil.synthesis.private.marginals import (
    Measurement,
    shape_of,
    spread_shape,
    summed_axes,
)
from microveil.synthesis.private.propagation import Propagation

_FLOOR = -40.0
"""Smallest weight relative to a table's largest. Products of smaller ones would be subnormal
numbers, on which arithmetic is a hundred times slower."""
RESTRAINT = {1: 0.003, 2: 0.03}
"""τ by the number of columns of a marginal; larger marginals use the last one."""


@dataclass(frozen=True, eq=False)
class MarginalModel:
    """A distribution over coded records, fitted to noisy marginals."""

    total: float
    """Estimated number of records."""
    propagation: Propagation
    weights: Mapping[Clique, Floats]
    """θ: the table of each measured marginal, from which a richer model can start."""

    @property
    def sizes(self) -> tuple[int, ...]:
        """Number of codes of each column."""
        return self.propagation.sizes

    def counts(self, columns: Clique) -> Floats:
        """Expected counts of a marginal within one clique."""
        return self.total * self.propagation.marginal(columns)


def fit_marginals(
    measurements: Sequence[Measurement],
    sizes: Sequence[int],
    total: float,
    *,
    steps: int,
    start: MarginalModel | None = None,
) -> MarginalModel:
    """Fit a model to noisy marginals in at most ``steps`` steps, warm-started if possible."""
    problem = _Problem(measurements, sizes, total)
    first = problem.pack(start.weights if start else {})
    weights = problem.unpack(minimise(problem.value_and_slope, first, steps))
    problem.calibrate(weights)
    return MarginalModel(total, problem.propagation, weights)


class _Problem:
    """The dual function and its gradient, over one vector of scaled weights."""

    def __init__(
        self, measurements: Sequence[Measurement], sizes: Sequence[int], total: float
    ) -> None:
        self.sizes, self.total = tuple(sizes), total
        self.measured = [one.columns for one in measurements]
        self.propagation = Propagation(sizes, self.measured)
        self.tops = _largest(self.measured)
        lengths = [one.values.size for one in measurements]
        self.ends = np.cumsum([0, *lengths])
        self.target = np.concatenate([one.values.ravel() for one in measurements])
        self.penalty = np.concatenate(
            [_restraint(one.columns) * one.variance.ravel() for one in measurements]
        )
        self.scale = np.sqrt(np.maximum(self.target, 0) + self.penalty)

    def pack(self, weights: Mapping[Clique, Floats]) -> Floats:
        """Weights as a vector; new marginals start at 0."""
        vector = np.zeros(len(self.target))
        for position, columns in enumerate(self.measured):
            if columns in weights:
                vector[self._part(position)] = weights[columns].ravel()
        scaled: Floats = vector * self.scale
        return scaled

    def unpack(self, vector: Floats) -> dict[Clique, Floats]:
        """Weights as tables."""
        plain = vector / self.scale
        return {
            columns: plain[self._part(position)].reshape(shape_of(self.sizes, columns))
            for position, columns in enumerate(self.measured)
        }

    def _part(self, position: int) -> slice:
        return slice(int(self.ends[position]), int(self.ends[position + 1]))

    def calibrate(self, weights: Mapping[Clique, Floats]) -> float:
        """Log of the partition function; the propagation then holds the probabilities."""
        # Only maximal marginals touch the tree's tables; the marginals within them are added first.
        tables: dict[Clique, Floats] = {}
        for columns, weight in weights.items():
            top = self.tops[columns]
            spread = weight.reshape(spread_shape(self.sizes, columns, top))
            tables[top] = tables[top] + spread if top in tables else spread
        shift = 0.0
        factors: dict[Clique, Floats] = {}
        for top, table in tables.items():
            largest = float(table.max())
            shift += largest
            spread = np.broadcast_to(table - largest, shape_of(self.sizes, top))
            factors[top] = np.exp(np.maximum(spread, _FLOOR))
        return shift + self.propagation.calibrate(factors)

    def value_and_slope(self, vector: Floats) -> tuple[float, Floats]:
        """The dual function and its gradient."""
        weights = self.unpack(vector)
        log_total = self.calibrate(weights)
        plain = vector / self.scale
        tables = {top: self.propagation.marginal(top) for top in set(self.tops.values())}
        expected = np.concatenate(
            [
                tables[self.tops[columns]]
                .sum(axis=summed_axes(self.tops[columns], columns))
                .ravel()
                for columns in self.measured
            ]
        )
        pulled = self.penalty * plain
        value = self.total * log_total - dot(plain, self.target) + 0.5 * dot(pulled, plain)
        return value, (self.total * expected - self.target + pulled) / self.scale


def _restraint(columns: Clique) -> float:
    return RESTRAINT[min(len(columns), max(RESTRAINT))]


def _largest(measured: Sequence[Clique]) -> dict[Clique, Clique]:
    """For each marginal, a maximal measured one that contains it."""
    tops: list[Clique] = []
    for columns in sorted(measured, key=lambda one: (-len(one), one)):
        if not any(set(columns) <= set(top) for top in tops):
            tops.append(columns)
    return {columns: next(top for top in tops if set(columns) <= set(top)) for columns in measured}
