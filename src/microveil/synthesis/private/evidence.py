"""Evidence: what a mechanism's noisy answers reveal about its errors, at no further cost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import log, pi, sqrt

import numpy as np

from microveil.arrays import Floats
from microveil.synthesis.private.junction_tree import Clique
from microveil.synthesis.private.marginals import Measurement

DOUBT = 5e-4
"""Failure probability of one bound; a hundred of them then hold jointly with 95 % probability."""
MEAN_NOISE = sqrt(2 / pi)
"""Mean absolute value of standard normal noise."""


@dataclass(frozen=True, eq=False)
class Ceiling:
    """Bound on the distance of the records from a reference: sum of absolute count differences."""

    reference: Floats
    """Expected counts of the model used for a choice."""
    distance: float
    """The largest distance compatible with the choice."""


@dataclass(frozen=True, eq=False)
class Evidence:
    """All noisy answers."""

    measurements: tuple[Measurement, ...]
    """The measurements, one per set of columns."""
    ceilings: Mapping[Clique, Ceiling]
    """Bounds for pairs of columns that could have been chosen and were not."""


def distance_at_most(measurement: Floats, reference: Floats, scale: float) -> float:
    """Bound on the records' distance from a reference, given a measurement made after it.

    Symmetric noise increases distances on average (Jensen), and the sum of absolute values
    concentrates around its mean because it is Lipschitz in the noise.
    """
    seen = float(np.abs(measurement - reference).sum())
    return seen + scale * sqrt(2 * measurement.size * log(1 / DOUBT))


def noise_at_most(variance: Floats) -> float:
    """Bound on the sum of absolute noise with given variances."""
    spread = sqrt(2 * float(variance.sum()) * log(1 / DOUBT))
    return MEAN_NOISE * float(np.sqrt(variance).sum()) + spread


def choice_slack(scale: float, n_candidates: int) -> float:
    """Bound on how far a choice with Gumbel noise may lie below the best score."""
    return scale * (log(n_candidates) + log(1 / DOUBT))
