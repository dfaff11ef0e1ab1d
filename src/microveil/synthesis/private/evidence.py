"""Evidence: what a mechanism's noisy answers say about its own errors, for no further budget."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import log, pi, sqrt

import numpy as np
from numpy.typing import NDArray

from microveil.synthesis.private.junction_tree import Clique
from microveil.synthesis.private.marginals import Measurement

Floats = NDArray[np.float64]

DOUBT = 5e-4
"""Chance that one bound fails; a hundred of them then hold together nineteen times in twenty."""
MEAN_NOISE = sqrt(2 / pi)
"""Mean absolute value of standard normal noise."""


@dataclass(frozen=True, eq=False)
class Ceiling:
    """How far the records can be from a reference: sum of absolute differences of counts."""

    reference: Floats
    """Expected counts of the model that a choice was made with."""
    distance: float
    """The largest distance that is compatible with the choice."""


@dataclass(frozen=True, eq=False)
class Evidence:
    """All noisy answers."""

    measurements: tuple[Measurement, ...]
    """What was measured, one entry per set of columns."""
    ceilings: Mapping[Clique, Ceiling]
    """Bounds for pairs of columns that could have been chosen and were not."""


def distance_at_most(measurement: Floats, reference: Floats, scale: float) -> float:
    """Bound of the records' distance from a reference, by a measurement made after it.

    Symmetric noise makes distances larger on average (Jensen), and the sum of absolute values
    strays little from its mean: it is Lipschitz in the noise.
    """
    seen = float(np.abs(measurement - reference).sum())
    return seen + scale * sqrt(2 * measurement.size * log(1 / DOUBT))


def noise_at_most(variance: Floats) -> float:
    """Bound of the sum of absolute noise of given variances."""
    spread = sqrt(2 * float(variance.sum()) * log(1 / DOUBT))
    return MEAN_NOISE * float(np.sqrt(variance).sum()) + spread


def choice_slack(scale: float, n_candidates: int) -> float:
    """How far below the best score a choice with Gumbel noise may lie."""
    return scale * (log(n_candidates) + log(1 / DOUBT))
