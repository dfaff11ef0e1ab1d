"""Privacy filter: when to stop an analyst whose next query may depend on the answers so far.

A bound on the joint loss of events that were fixed beforehand says nothing about when to stop
somebody who chooses each event, and how much of it, after seeing the answers (Rogers, Roth, Ullman
& Vadhan 2016). Nor may the smallest of several bounds decide, or one limit be shared by noise and
by δ: who has learnt little so far takes the one, who has learnt much the other, and together they
exceed both. So one quantity is added up and compared with one limit, fixed at the start: the
squared ratios μ² of Gaussian differential privacy, for which this rule is proved (Smith & Thakurta
2022, *Fully adaptive composition for Gaussian differential privacy*; Koskela, Tobaben & Honkela
2023). What is no Gaussian noise has limits of its own, fixed at the start too.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction

from microveil.dp.accounting.events import Event
from microveil.dp.accounting.gaussian import gaussian_epsilon, gaussian_mu
from microveil.dp.prices.rationals import as_float_above, as_float_below, up

SLACK_SHARE = 5e-7
"""Share of δ for what discrete noise differs from the continuous one."""
_MARGIN = 1 + 1e-12


def pure_mu(epsilon: float) -> float:
    """The μ of Gaussian differential privacy that pure ε keeps: −2·Φ⁻¹(1 / (1 + e^ε)).

    *Proof.* The trade-off between both errors of a test is bounded by two straight lines under pure
    ε, which meet where both errors are 1 / (1 + e^ε). The curve of μ runs through that point and
    through the lines' other ends, and is convex; so it lies below them. ∎

    >>> round(pure_mu(1.0), 4)
    1.232
    """
    from scipy.special import expit, ndtri

    least = float(expit(-epsilon))
    return -2 * float(ndtri(least)) * _MARGIN if least > 0 else math.inf


@dataclass(frozen=True)
class GaussianFilter:
    """What was drawn so far, against limits that were fixed before the first query."""

    epsilon: Fraction
    delta: Fraction
    """Of this, ``key_delta`` is for private keys, the rest for noise."""
    key_delta: Fraction = Fraction(0)
    squares: Fraction = Fraction(0)
    slack: Fraction = Fraction(0)
    lost: Fraction = Fraction(0)

    def with_events(self, events: Iterable[Event]) -> GaussianFilter:
        """The filter after further events; whether they are admitted is asked of it."""
        squares, slack, lost = self.squares, self.slack, self.lost
        for event in events:
            if event.mechanism == "delta":
                lost += event.amount
            elif event.mechanism == "gaussian":
                squares += event.amount
                slack += event.slack
            elif event.amount:
                mu = pure_mu(as_float_above(event.amount))
                squares += up(mu * mu * _MARGIN) if mu < math.inf else self.most_squares + 1
        return replace(self, squares=squares, slack=slack, lost=lost)

    @property
    def admits(self) -> bool:
        """Whether every quantity is within its own limit."""
        return (
            self.squares <= self.most_squares
            and as_float_above(self.slack) <= self._most_slack
            and self.lost <= self.key_delta
        )

    @property
    def most_squares(self) -> Fraction:
        """The limit of μ²: at it, all noise together keeps ε at the δ that is for noise."""
        epsilon = as_float_below(self.epsilon)
        return Fraction(gaussian_mu(epsilon, self._noise_delta, self._most_slack)) ** 2

    @property
    def noise_epsilon(self) -> float:
        """The ε that the noise so far keeps at the δ that is for noise."""
        if not self.squares:
            return 0.0
        mu = math.sqrt(as_float_above(self.squares)) * _MARGIN
        return gaussian_epsilon(mu, self._noise_delta, self._most_slack)

    @property
    def _noise_delta(self) -> float:
        return as_float_below(self.delta - self.key_delta)

    @property
    def _most_slack(self) -> float:
        epsilon = as_float_above(self.epsilon)
        factor = 1 + math.exp(epsilon) if epsilon < 700 else math.inf  # noqa: PLR2004  overflow
        return SLACK_SHARE * self._noise_delta / factor
