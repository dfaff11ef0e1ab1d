"""Logistic regression: the probability of one of two classes, given numbers."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from microveil.arrays import Floats

MOST_STEPS, MOST_HALVINGS = 50, 30
STEEPEST = 30.0
"""Largest absolute log odds: probabilities stay 10⁻¹³ away from 0 and 1."""
STILL = 1e-10
"""Change of log likelihood, and gradient, per record below which the fit has converged."""
COLLINEAR = 1e-10


class Logistic(NamedTuple):
    """A fitted regression."""

    coefficients: Floats
    """The intercept first."""

    def scores(self, x: Floats) -> Floats:
        """Log odds of class 1."""
        return np.asarray(self.coefficients[0] + x @ self.coefficients[1:])

    def chances(self, x: Floats) -> Floats:
        """Probabilities of class 1."""
        return _chances(self.scores(x))


def logistic_regression(
    x: Floats, y: Floats, *, weights: Floats | None = None, ridge: float = 0.0
) -> Logistic:
    """Maximise the penalised likelihood of classes 0 and 1 by Newton's method.

    The penalty per record is half of ``ridge`` times the sum of squared coefficients, without the
    intercept. Collinear columns share their effect. If the classes are perfectly separable and
    nothing is penalised, the likelihood has no maximum; the iteration is then stopped, with
    probabilities next to 0 and 1. Time grows with records × columns².

    >>> x = np.array([[0.0], [0.0], [1.0], [1.0], [1.0]])
    >>> fit = logistic_regression(x, np.array([0.0, 1.0, 1.0, 1.0, 0.0]))
    >>> fit.chances(np.array([[0.0], [1.0]])).round(6).tolist()
    [0.5, 0.666667]
    """
    design = np.column_stack([np.ones(len(x)), x])
    penalty = np.full(design.shape[1], ridge * len(y))
    penalty[0] = 0.0
    problem = _Problem(design, y, np.ones(len(y)) if weights is None else weights, penalty)
    beta = problem.beginning()
    loss = problem.loss(beta)
    for _ in range(MOST_STEPS):
        step = problem.newton_step(beta)
        if step is None:
            break
        for _ in range(MOST_HALVINGS):
            now = problem.loss(beta + step)
            if now <= loss:
                break
            step /= 2
        else:
            break
        beta, gain, loss = beta + step, loss - now, now
        if gain < STILL * len(y):
            break
    return Logistic(beta)


class _Problem(NamedTuple):
    """The problem to fit: columns with a leading 1, classes, weights, penalties."""

    design: Floats
    y: Floats
    weights: Floats
    penalty: Floats

    def beginning(self) -> Floats:
        """Coefficients that give everybody the overall probability of class 1."""
        share = float(np.average(self.y, weights=self.weights))
        beta = np.zeros(self.design.shape[1])
        certain = np.copysign(STEEPEST, share - 0.5)
        beta[0] = np.log(share / (1 - share)) if 0 < share < 1 else certain
        return beta

    def newton_step(self, beta: Floats) -> Floats | None:
        """The step to the optimum of the local quadratic; None once converged."""
        p = _chances(self.design @ beta)
        slope = self.design.T @ (self.weights * (self.y - p)) - self.penalty * beta
        if np.abs(slope).max() < STILL * len(p):
            return None
        each = self.weights * np.maximum(p * (1 - p), 1e-9)
        bend = (self.design * each[:, None]).T @ self.design + np.diag(self.penalty)
        return np.asarray(np.linalg.lstsq(bend, slope, rcond=COLLINEAR)[0])

    def loss(self, beta: Floats) -> float:
        """Negative log likelihood with the penalty."""
        p = _chances(self.design @ beta)
        likelihoods = self.weights * np.log(np.where(self.y > 0, p, 1 - p))
        return float(self.penalty @ beta**2 / 2 - likelihoods.sum())


def _chances(scores: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-np.clip(scores, -STEEPEST, STEEPEST))))
