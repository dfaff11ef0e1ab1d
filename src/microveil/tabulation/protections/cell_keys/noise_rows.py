"""The noise of one count: the distribution of most entropy under what is asked of it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy import optimize

from microveil.arrays import Floats, Longs
from microveil.errors import GoalNotReachedError

ACCURACY = 1e-12
NEARLY_EQUAL = 1e-6
"""Neighbours of the first, rough answer that are equal, but for its error."""
NEGLIGIBLE = 1e-14
VARIANCE = 2
"""Row of the conditions that states the variance."""


class NoiseRow(NamedTuple):
    """What one count may become, and how often."""

    true_count: int
    targets: Longs
    """Counts it may become, in increasing order."""
    shares: Floats
    """Probability of each."""

    @property
    def mean(self) -> float:
        """Mean of the noise."""
        return float(self.shares @ (self.targets - self.true_count))

    @property
    def variance(self) -> float:
        """Variance of the noise around zero."""
        return float(self.shares @ (self.targets - self.true_count) ** 2)


def noise_row(
    count: int,
    *,
    deviation: int,
    variance: float,
    smallest: int = 0,
    stay: float | None = None,
    monotone: bool = True,
) -> NoiseRow:
    """The row of a perturbation table: no bias, a fixed variance, the most entropy.

    ``smallest``: positive counts up to it never appear. ``stay``: probability that the count does
    not change. ``monotone``: larger changes are never likelier than smaller ones to the same side
    (Marley & Leaver 2011; Giessing 2016).
    """
    if count == 0:
        return NoiseRow(0, np.array([0]), np.array([1.0]))
    possible = np.arange(max(0, count - deviation), count + deviation + 1)
    targets = possible[(possible == 0) | (possible > smallest)]
    shares = noise_shares(
        targets - count, variance, f"the count {count}", stay=stay, monotone=monotone
    )
    return NoiseRow(count, targets, shares)


def noise_shares(
    moves: Longs | Floats,
    variance: float,
    what: str,
    *,
    stay: float | None = None,
    monotone: bool = True,
) -> Floats:
    """Probabilities of some moves: no bias, a fixed variance, the most entropy."""
    problem = _Problem(moves, variance, stay, monotone=monotone)
    problem.check(what)
    return problem.solve()


class _Problem:
    """Find p ≥ 0 of most entropy with A p = b, and p ordered away from zero."""

    def __init__(
        self, moves: Longs | Floats, variance: float, stay: float | None, *, monotone: bool
    ) -> None:
        self.moves, self.variance = moves.astype(np.float64), variance
        self._monotone = monotone
        rows = [np.ones(len(moves)), self.moves, self.moves**2]
        sides = [1.0, 0.0, variance]
        if stay is not None and (moves == 0).any():
            rows.append((moves == 0).astype(np.float64))
            sides.append(stay)
        self.matrix, self.sides = np.array(rows), np.array(sides)
        self._pairs = self._ordered_neighbours()

    def _ordered_neighbours(self) -> list[tuple[int, int]]:
        """Neighbours of which the first may not be likelier than the second."""
        if not self._monotone:
            return []
        left = [at for at, move in enumerate(self.moves) if move <= 0]
        right = [at for at, move in enumerate(self.moves) if move >= 0]
        return [(at, at + 1) for at in left[:-1]] + [(at + 1, at) for at in right[:-1]]

    def _limits(self) -> tuple[Floats, Floats] | tuple[None, None]:
        if not self._pairs:
            return None, None
        rows = np.zeros((len(self._pairs), len(self.moves)))
        for number, (less, more) in enumerate(self._pairs):
            rows[number, less], rows[number, more] = 1.0, -1.0
        return rows, np.zeros(len(self._pairs))

    def check(self, what: str) -> None:
        """Raise with the variances that are possible, if the one asked for is not."""
        upper, zeros = self._limits()
        keep = [row for row in range(len(self.sides)) if row != VARIANCE]
        found = []
        for sign in (1.0, -1.0):
            answer = optimize.linprog(
                sign * self.moves**2,
                A_eq=self.matrix[keep],
                b_eq=self.sides[keep],
                A_ub=upper,
                b_ub=zeros,
                bounds=(0, 1),
            )
            if answer.status != 0:
                msg = (
                    f"No noise without bias exists for {what}: allow larger deviations, "
                    "or another probability of staying."
                )
                raise GoalNotReachedError(msg)
            found.append(sign * float(answer.fun))
        low, high = found
        if not low - 1e-9 <= self.variance <= high + 1e-9:
            msg = (
                f"{what[:1].upper()}{what[1:]} cannot have noise of variance {self.variance:g} "
                f"under the other conditions: between {low:.6g} and {high:.6g} is possible. Ask "
                "for such a variance, allow larger deviations, or drop the order of the "
                "probabilities."
            )
            raise GoalNotReachedError(msg)

    def solve(self) -> Floats:
        """Solve the dual, then sharpen the answer on the conditions that hold with equality."""
        start = np.full(len(self.moves), 1.0 / len(self.moves))
        upper, _ = self._limits()
        conditions: list[dict[str, object]] = [
            {
                "type": "eq",
                "fun": lambda p: self.matrix @ p - self.sides,
                "jac": lambda _: self.matrix,
            }
        ]
        if upper is not None:
            rows = upper
            conditions.append(
                {"type": "ineq", "fun": lambda p: -(rows @ p), "jac": lambda _: -rows}
            )
        answer = optimize.minimize(
            lambda p: float((p * np.log(np.maximum(p, 1e-300))).sum()),
            start,
            jac=lambda p: np.log(np.maximum(p, 1e-300)) + 1.0,
            bounds=[(0.0, 1.0)] * len(start),
            constraints=conditions,
            method="SLSQP",
            options={"maxiter": 1000, "ftol": 1e-15},
        )
        return self._sharpen(np.maximum(answer.x, 0.0))

    def _sharpen(self, shares: Floats) -> Floats:
        """Newton's method on the multipliers, with equal neighbours as one."""
        groups = self._groups(shares)
        sizes = np.bincount(groups).astype(np.float64)
        matrix = np.array([np.bincount(groups, row) for row in self.matrix])
        means = matrix / sizes
        rough = np.array([shares[groups == group].mean() for group in range(len(sizes))])
        known = rough > NEGLIGIBLE
        factors, *_ = np.linalg.lstsq(means[:, known].T, np.log(rough[known]), rcond=None)
        for _ in range(100):
            p = np.exp(means.T @ factors)
            gap = matrix @ p - self.sides
            if np.abs(gap).max() < ACCURACY:
                break
            slope = (matrix * p) @ means.T
            factors -= np.linalg.lstsq(slope, gap, rcond=None)[0]
        return np.asarray(np.exp(means.T @ factors)[groups])

    def _groups(self, shares: Floats) -> Longs:
        """Number of the group of each target: neighbours of equal probability share one."""
        groups = np.arange(len(shares))
        for less, more in self._pairs:
            if abs(shares[less] - shares[more]) < NEARLY_EQUAL:
                groups[groups == groups[less]] = groups[more]
        return np.unique(groups, return_inverse=True)[1]
