"""Privacy-loss distributions: pure mechanisms composed tightly.

A mechanism is described by the distribution of its privacy loss (the log of how much likelier an
answer is with a person than without), of the worst pair of tables. Composition convolves these
(Koskela, Jälkö & Honkela 2020). Everything is rounded towards less privacy: losses are split
between the two nearest points of a grid so that both tables' probabilities stay (Doroshenko, Ghazi,
Kamath, Kumar & Manurangsi 2022), tails that are cut off and errors of the transform count as δ.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from microveil.arrays import Floats

POINTS = 2**19
"""Points of the grid."""
BUCKETS = 4096
"""Most different losses that one mechanism is described by."""
FINEST = 1e-9
ROUNDING = 1e-12
"""Relative error that sums of probabilities are allowed."""


@dataclass(frozen=True)
class Atoms:
    """Losses, their probabilities, and how many such mechanisms there were."""

    losses: Floats
    masses: Floats
    times: int = 1


def pure_atoms(epsilon: float, times: int = 1) -> Atoms:
    """The worst that ε allows: an answer e^ε times as likely, or as unlikely.

    Every mechanism with pure ε is a blurred version of this (Kairouz, Oh & Viswanath 2015).
    """
    likely = 1 / (1 + math.exp(-epsilon))
    return Atoms(np.array([-epsilon, epsilon]), np.array([1 - likely, likely]), times)


def laplace_atoms(epsilon: float, steps: int, times: int = 1) -> Atoms:
    """Discrete Laplace noise on one number that moves by ``steps``: loss (steps − 2x)·ε/steps.

    Numbers of steps beyond a few thousand are put into buckets whose largest loss counts.
    """
    scale = steps / epsilon
    n = min(steps, BUCKETS)
    edges = np.unique(np.linspace(0, steps, n + 1).round())
    # P(X ≥ x) for whole x ≥ 0, of P(x) ∝ exp(−|x| / scale).
    decay = math.exp(-1 / scale)

    def at_least(x: Floats) -> Floats:
        found: Floats = np.exp(-x / scale) / (1 + decay)
        return found

    # A bucket holds the x from its left edge up to just below its right one; x ≤ 0 loses ε.
    inner = at_least(edges[:-1].clip(min=1)) - at_least(edges[1:])
    masses = np.concatenate([[1 - decay / (1 + decay)], inner, [at_least(edges[-1:])[0]]])
    left = np.concatenate([[0.0], edges[:-1].clip(min=1), [float(steps)]])
    losses = (steps - 2 * left) * epsilon / steps
    return Atoms(losses, masses.clip(min=0), times)


def gaussian_atoms(mu: float) -> Atoms:
    """Gaussian noise of ratio μ: a normal loss around μ²/2, put into buckets."""
    from scipy.special import ndtr

    edges = np.linspace(-12, 12, 2 * BUCKETS + 1)
    masses = np.diff(ndtr(edges))
    losses = mu * mu / 2 + mu * edges[1:]
    top = float(ndtr(-12.0))
    losses = np.concatenate([[losses[0]], losses])
    masses = np.concatenate([[top], masses])
    return Atoms(losses, masses)


class Composition:
    """The loss of several mechanisms together, as probabilities on a grid."""

    def __init__(self, parts: Sequence[Atoms], delta: float) -> None:
        """Compose; what is cut off is small against ``delta``."""
        tail = max(delta * 1e-7, 1e-300)
        low, high = _window(parts, tail)
        self.step = max((high - low) / (POINTS - 8), FINEST)
        self.start = math.floor(low / self.step) * self.step
        self.beyond: float = 2 * tail + sum(
            max(1 - float(part.masses.sum()), 0.0) * part.times for part in parts
        )
        masses, error = _convolve(parts, self.step, self.start)
        self.beyond += error
        losses = self.start + self.step * np.arange(POINTS)
        # δ needs positive losses alone; sums from the far end make each of its values two look-ups.
        self.losses, masses = losses[losses > 0], masses[losses > 0]
        self._likely = _sums_from(masses)
        self._unlikely = _sums_from(masses * np.exp(-self.losses))

    def delta(self, epsilon: float) -> float:
        """The δ at ε, from above."""
        at = int(np.searchsorted(self.losses, epsilon, side="right"))
        likely, unlikely = float(self._likely[at]), float(self._unlikely[at])
        factor = math.exp(epsilon) if unlikely else 1.0
        base = max(likely - factor * unlikely, 0.0) + ROUNDING * likely
        return min(base + self.beyond, 1.0)


def _sums_from(values: Floats) -> Floats:
    """Sums of each value and all after it; nothing at the end."""
    return np.concatenate([values[::-1].cumsum()[::-1], [0.0]])


def _window(parts: Sequence[Atoms], tail: float) -> tuple[float, float]:
    """Between which losses all lies but a tail on each side (Chernoff's bound)."""

    def bound(sign: int) -> float:
        best = math.inf
        for power in np.arange(-6, 14, 0.5):
            rate = 2.0**power
            best = min(best, (_log_moment(parts, sign * rate) - math.log(tail)) / rate)
        return best

    least = sum(float(part.losses.min()) * part.times for part in parts)
    most = sum(float(part.losses.max()) * part.times for part in parts)
    low, high = max(-bound(-1), least), min(bound(1), most)
    edge = 1e-6 * (1 + abs(low) + abs(high))
    return low - edge, high + edge


def _log_moment(parts: Sequence[Atoms], rate: float) -> float:
    total = 0.0
    for part in parts:
        some = part.masses > 0
        exponents = rate * part.losses[some] + np.log(part.masses[some])
        top = float(exponents.max())
        total += part.times * (top + math.log(float(np.exp(exponents - top).sum())))
    return total


def _convolve(parts: Sequence[Atoms], step: float, start: float) -> tuple[Floats, float]:
    """Probabilities on the grid from ``start`` on, and the error that the transform may have."""
    spectrum = np.ones(POINTS // 2 + 1, dtype=np.complex128)
    shift = 0
    for part in parts:
        first, masses = _on_grid(part, step)
        spectrum *= np.fft.rfft(masses, POINTS) ** part.times
        shift += first * part.times
    found = np.fft.irfft(spectrum, POINTS)
    # The grid is a circle: turn it so that it begins at the window.
    found = np.roll(found, shift - round(start / step))
    times = sum(part.times for part in parts)
    size = math.sqrt(float(found @ found) * POINTS)
    error = 8 * np.finfo(float).eps * (math.log2(POINTS) + times) * size
    return found.clip(min=0), float(error)


def _on_grid(part: Atoms, step: float) -> tuple[int, Floats]:
    """Split each loss between its two nearest points so that both tables' probabilities stay."""
    places = np.floor(part.losses / step)
    first = int(places.min())
    width = int(places.max()) - first + 2
    rest = part.losses - places * step
    upper = part.masses * np.expm1(-rest) / math.expm1(-step)
    at = (places - first).astype(np.int64)
    masses = np.bincount(at, part.masses - upper, minlength=width)
    masses += np.bincount(at + 1, upper, minlength=width)
    # A loss that spreads over more than the window wraps around it, as the sum does.
    folded = np.zeros(min(width, POINTS))
    np.add.at(folded, np.arange(width) % POINTS, masses)
    return first, folded
