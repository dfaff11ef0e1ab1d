"""Accountant: the joint cost of many answers."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from fractions import Fraction

from microveil.dp.accounting.events import Event
from microveil.dp.accounting.gaussian import gaussian_delta, smallest
from microveil.dp.accounting.losses import (
    Atoms,
    Composition,
    gaussian_atoms,
    laplace_atoms,
    pure_atoms,
)
from microveil.dp.prices.rationals import as_float_above, as_float_below, exact
from microveil.errors import InputError
from microveil.statistics.zcdp import zcdp_epsilon


def tight_epsilon(events: Iterable[Event], delta: object) -> float:
    """Upper bound on the joint ε of all events at δ: the smallest of several valid bounds.

    The events must have been fixed beforehand, though not the queries: it is no rule for when to
    stop an analyst who chooses them by earlier answers (see ``filtering``).

    Gaussian events are accounted for exactly, the rest by privacy-loss distributions. Sums and
    zero-concentrated privacy are also bounds, and better if δ is tiny. Rounded up to five digits.

    >>> count = Event(mechanism="gaussian", amount="1/10000")
    >>> tight_epsilon([count] * 1000, 1e-6)
    1.3676
    """
    whole = Ledger(events)
    left = as_float_below(exact(delta) - whole.delta)
    if left < 0:
        return math.inf
    return rounded_up(
        min(
            whole.epsilon_by_sum(left),
            whole.epsilon_by_zcdp(left),
            whole.epsilon_by_composition(left),
        )
    )


def rounded_up(epsilon: float) -> float:
    """Round up to five digits, for display."""
    if not 0 < epsilon < math.inf:
        return epsilon
    digits = 4 - math.floor(math.log10(epsilon))
    shown = round(epsilon, digits)
    if shown >= epsilon or math.isclose(shown, epsilon, rel_tol=1e-15):
        return shown
    return round(epsilon + 10.0**-digits / 2, digits)


def tight_delta(events: Iterable[Event], epsilon: object) -> float:
    """Upper bound on the joint δ of all events at ε."""
    limit = as_float_below(exact(epsilon))
    if limit < 0:
        raise InputError("ε must be 0 or more.")
    return Ledger(events).delta_at(limit)


class Ledger:
    """Events by kind, with equal ones counted."""

    def __init__(self, events: Iterable[Event]) -> None:
        """Sum what adds up exactly."""
        self.squares = self.delta = self.slack = Fraction(0)
        self.pure: Counter[tuple[Fraction, int]] = Counter()
        for event in events:
            if event.mechanism == "gaussian":
                self.squares += event.amount
                self.slack += event.slack
            elif event.mechanism == "delta":
                self.delta += event.amount
            elif event.amount:
                steps = event.steps if event.mechanism == "laplace" else 1
                self.pure[event.amount, steps] += 1

    @property
    def epsilon(self) -> Fraction:
        """The sum of all pure losses."""
        return sum((loss * n for (loss, _), n in self.pure.items()), Fraction(0))

    @property
    def mu(self) -> float:
        """Upper bound on the total ratio of all Gaussian events."""
        return math.sqrt(as_float_above(self.squares)) * (1 + 1e-15)

    def epsilon_by_sum(self, delta: float) -> float:
        """Pure losses added up, Gaussian ones exactly."""
        slack = as_float_above(self.slack)
        alone = smallest(lambda e: gaussian_delta(e, self.mu, slack) <= delta)
        return math.nextafter(as_float_above(self.epsilon) + alone, math.inf)

    def epsilon_by_zcdp(self, delta: float) -> float:
        """All by zero-concentrated privacy."""
        rho = self.squares / 2 + sum(loss * loss / 2 * n for (loss, _), n in self.pure.items())
        return zcdp_epsilon(as_float_above(Fraction(rho)), delta)

    def epsilon_by_composition(self, delta: float) -> float:
        """All by their privacy-loss distributions."""
        if not self.pure or not delta > 0:
            return math.inf
        whole = Composition(self._atoms(), delta)
        slack = as_float_above(self.slack)
        return smallest(lambda e: whole.delta(e) + _slack(e, slack) <= delta)

    def delta_at(self, epsilon: float) -> float:
        """The smallest δ of several valid bounds at ε."""
        slack, lost = as_float_above(self.slack), as_float_above(self.delta)
        rest = epsilon - as_float_above(self.epsilon)
        bounds = [gaussian_delta(rest, self.mu, slack)] if rest >= 0 else []
        if self.pure:
            bounds.append(Composition(self._atoms(), 1e-12).delta(epsilon) + _slack(epsilon, slack))
        return min(min(bounds, default=1.0) + lost, 1.0)

    def _atoms(self) -> list[Atoms]:
        parts = [
            laplace_atoms(as_float_above(loss), steps, n)
            if steps > 1
            else pure_atoms(as_float_above(loss), n)
            for (loss, steps), n in self.pure.items()
        ]
        return [*parts, gaussian_atoms(self.mu)] if self.squares else parts


def _slack(epsilon: float, slack: float) -> float:
    if not slack:
        return 0.0
    return slack * (1 + math.exp(epsilon)) if epsilon < 700 else 1.0  # noqa: PLR2004  overflow
