"""Poisson regressions of cell counts: iterative proportional fitting and least squares."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from microveil.arrays import Floats

MOST_ROUNDS = 2000
CLOSE = 1e-10
"""Difference of margins, relative to the total, that counts as zero."""
MOST_STEPS = 200
BEGIN = 0.1
"""Added to counts, which may be 0, to start the search for their means."""
STILL = 1e-13
"""Relative change of the deviance below which the regression has converged."""
STEEPEST = 60.0
"""Largest absolute log mean: means of cells that must be empty tend to zero."""


def proportional_fit(
    counts: Floats, margins: Sequence[tuple[int, ...]], start: Floats | None = None
) -> Floats:
    """The table with the margins of ``counts`` that is nearest to ``start`` (Deming & Stephan).

    It is the maximum-likelihood fit of the log-linear model with these effects and the log of
    ``start`` as offset. A margin is named by the axes it keeps.

    >>> proportional_fit(np.array([[1.0, 2.0], [3.0, 4.0]]), [(0,), (1,)]).round(6).tolist()
    [[1.2, 1.8], [2.8, 4.2]]
    """
    axes = [tuple(set(range(counts.ndim)) - set(kept)) for kept in margins]
    wanted = [counts.sum(axis=gone, keepdims=True) for gone in axes]
    fit = np.ones_like(counts) if start is None else start.copy()
    total = max(float(counts.sum()), 1.0)
    for _ in range(MOST_ROUNDS):
        off = 0.0
        for gone, goal in zip(axes, wanted, strict=True):
            now = fit.sum(axis=gone, keepdims=True)
            off = max(off, float(np.abs(now - goal).max(initial=0.0)))
            fit *= np.divide(goal, now, out=np.zeros_like(goal), where=now > 0)
        if off <= CLOSE * total:
            break
    return fit


def iterated_least_squares(design: Floats, counts: Floats, offset: Floats) -> Floats:
    """Fitted means of a Poisson regression with a log link (Nelder & Wedderburn).

    >>> design = np.array([[1.0, 0.0], [1.0, 1.0], [1.0, 1.0]])
    >>> iterated_least_squares(design, np.array([4.0, 1.0, 3.0]), np.zeros(3)).round(6).tolist()
    [4.0, 2.0, 2.0]
    """
    means: Floats = counts + BEGIN
    logs, last = np.log(means), np.inf
    for _ in range(MOST_STEPS):
        working = logs - offset + (counts - means) / means
        weighted = design * means[:, None]
        effects = np.linalg.lstsq(weighted.T @ design, weighted.T @ working, rcond=None)[0]
        logs = np.clip(design @ effects + offset, -STEEPEST, STEEPEST)
        means = np.exp(logs)
        deviance = float(means.sum() - counts @ logs)
        if abs(deviance - last) <= STILL * (abs(deviance) + 1):
            break
        last = deviance
    return means
