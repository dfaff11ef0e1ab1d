"""Adaptive measurement: the rounds of AIM (McKenna, Mullins, Sheldon and Miklau 2022)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

import numpy as np

from microveil.synthesis.private.accounting import scale_for
from microveil.synthesis.private.candidates import Candidates, ModelView
from microveil.synthesis.private.evidence import (
    MEAN_NOISE,
    Ceiling,
    Evidence,
    choice_slack,
    distance_at_most,
)
from microveil.synthesis.private.generator import Mechanism
from microveil.synthesis.private.inference import MarginalModel, fit_marginals
from microveil.synthesis.private.junction_tree import Clique
from microveil.synthesis.private.marginals import CodedTable, Measurement
from microveil.synthesis.private.measuring import SingleColumns, measure
from microveil.synthesis.private.scoring import PARTS, misfit

ROUNDS_PER_COLUMN = 16
"""Number of rounds at the first noise level, if it were never lowered."""
MEASURE_SHARE = Fraction(9, 10)
"""Share of a round's budget for the measurement; the rest is for the selection."""
ROUND_STEPS, LAST_STEPS = 40, 200
"""Steps of the inference in a round, and in the last one."""


@dataclass(frozen=True)
class Limits:
    """How large relations and models may become."""

    order: int
    max_cells: int


class AdaptiveRun:
    """One run of the rounds: the model so far and what is left to spend."""

    def __init__(
        self,
        table: CodedTable,
        singles: SingleColumns,
        mechanism: Mechanism,
        limits: Limits,
    ) -> None:
        """Start from the measured single columns."""
        self._table, self._total, self._mechanism = table, singles.total, mechanism
        self._limits = limits
        self._candidates = Candidates(table, limits.order)
        self._measured = {one.columns: one for one in singles.measurements}
        self._ceilings: dict[Clique, Ceiling] = {}
        self.finished = not self._candidates.weights
        if not self.finished:
            self._set_cost(mechanism.spending.left / (ROUNDS_PER_COLUMN * len(table.sizes)))
        self.model = self._fit(None, LAST_STEPS)

    def _fit(self, start: MarginalModel | None, steps: int) -> MarginalModel:
        measurements = list(self._measured.values())
        return fit_marginals(measurements, self._table.sizes, self._total, steps=steps, start=start)

    def _set_cost(self, cost: Fraction) -> None:
        """Set the cost of a round, and thereby the noise of its measurement."""
        self._cost = cost
        self._scale = scale_for(MEASURE_SHARE * cost)

    def advance(self) -> None:
        """Select a marginal, measure it and refit; lower the noise if that changed little."""
        spending = self._mechanism.spending
        if spending.left < 2 * self._cost:
            self._set_cost(spending.left)
            self.finished = True
        allowed = self._allowed_candidates()
        if not allowed:
            self._set_cost(4 * self._cost)
            return
        view = ModelView(self.model)
        chosen, slack = self._choose(allowed, view)
        before = view.counts(chosen)
        rho = MEASURE_SHARE * self._cost
        found = measure(self._table, chosen, self._mechanism, rho, "marginals")
        self._keep_ceilings(allowed, view, found, slack)
        known = self._measured.get(chosen)
        self._measured[chosen] = known.combine(found) if known else found
        self.model = self._fit(self.model, LAST_STEPS if self.finished else ROUND_STEPS)
        change = float(np.abs(self.model.counts(chosen) - before).sum())
        if change <= self._penalty(chosen):
            self._set_cost(4 * self._cost)

    def _allowed_candidates(self) -> list[Clique]:
        """Candidates that the noise is not certain to hide and that keep the model small."""
        share = 1 - (self._mechanism.spending.left - self._cost) / self._mechanism.spending.total
        audible = 2 * self._total / (MEAN_NOISE * self._scale)
        return self._candidates.fitting(
            self.model.propagation, audible, float(share) * self._limits.max_cells
        )

    def _penalty(self, columns: Clique) -> float:
        """Error that noise would add to a marginal, in records."""
        return MEAN_NOISE * self._scale * self._candidates.cells[columns]

    def _choose(self, allowed: list[Clique], view: ModelView) -> tuple[Clique, float]:
        """A marginal with about the largest misfit, and its possible distance from the best."""
        weights = self._candidates.weights
        scores = [
            weights[columns]
            * (
                misfit(self._candidates.counts(columns), view.counts(columns))
                - round(self._penalty(columns) * PARTS)
            )
            for columns in allowed
        ]
        sensitivity = PARTS * max(weights[columns] for columns in allowed)
        cost = self._mechanism.spending.take((1 - MEASURE_SHARE) * self._cost, "choices")
        chosen, scale = self._mechanism.noise.choice(
            np.array(scores, dtype=np.int64), sensitivity, cost
        )
        return allowed[chosen], choice_slack(scale, len(allowed)) / PARTS

    def _keep_ceilings(
        self, allowed: list[Clique], view: ModelView, found: Measurement, slack: float
    ) -> None:
        """Bounds that the choice implies for the pairs not chosen, if tighter than before."""
        weights, chosen = self._candidates.weights, found.columns
        scale = sqrt(float(found.variance.flat[0]))
        reached = distance_at_most(found.values, view.counts(chosen), scale)
        best = weights[chosen] * (reached - self._penalty(chosen)) + slack
        for columns in allowed:
            if len(columns) == 2:  # noqa: PLR2004  pairs
                distance = max(best / weights[columns] + self._penalty(columns), 0.0)
                known = self._ceilings.get(columns)
                if known is None or distance < known.distance:
                    self._ceilings[columns] = Ceiling(view.counts(columns), distance)

    def evidence(self) -> Evidence:
        """All noisy answers."""
        return Evidence(tuple(self._measured.values()), self._ceilings)
