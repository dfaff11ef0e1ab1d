"""Gaussian noise accounted for exactly.

Answers whose noise is Gaussian compose into one: squared ratios of sensitivity to noise add up to
μ², and the whole is as private as one answer with ratio μ (Balle & Wang 2018; Dong, Roth & Su
2022). Results are rounded towards less privacy.
"""

from __future__ import annotations

import math
from collections.abc import Callable

MARGIN = 1e-12
"""Relative error that the special functions are allowed; it is added to what they say."""
STEPS = 200


def gaussian_delta(epsilon: float, mu: float, slack: float = 0.0) -> float:
    """The δ that Gaussian answers of total ratio μ have at ε, not less than the exact one.

    δ = Φ(μ/2 − ε/μ) − e^ε·Φ(−μ/2 − ε/μ). ``slack`` is how far discrete noise may be from the
    continuous one (see :func:`discrete_slack`); it adds (1 + e^ε)·slack.

    >>> round(gaussian_delta(1.0, 1.0), 6)
    0.126937
    """
    if mu == 0:
        return min(slack * (1 + _exp(epsilon)), 1.0) if slack else 0.0
    near, far = epsilon / mu - mu / 2, epsilon / mu + mu / 2
    if near < 0:
        base = _tail(near) - _exp(epsilon) * _tail(far)
        error = MARGIN
    else:
        # φ(near) = e^ε·φ(far): both tails are that times their ratio of Mills.
        density = math.exp(-near * near / 2) / math.sqrt(2 * math.pi)
        base = density * (_mills(near) - _mills(far))
        error = MARGIN * density * (_mills(near) + _mills(far))
    return min(max(base, 0.0) + error + (slack * (1 + _exp(epsilon)) if slack else 0.0), 1.0)


def gaussian_epsilon(mu: float, delta: float, slack: float = 0.0) -> float:
    """Smallest ε that Gaussian answers of total ratio μ keep at δ, not less than the exact one.

    1,000 counts with a standard deviation of 100 keep ε = 1.3676 at δ = 10⁻⁶, where adding up
    the answers' own ε would give 50:

    >>> round(gaussian_epsilon(math.sqrt(1000) / 100, 1e-6), 4)
    1.3676
    """
    if mu == 0 and not slack:
        return 0.0
    if not delta > 0:
        return math.inf
    return smallest(lambda epsilon: gaussian_delta(epsilon, mu, slack) <= delta)


def gaussian_mu(epsilon: float, delta: float, slack: float = 0.0) -> float:
    """Largest ratio μ that ε and δ allow; Gaussian noise of Δ/μ is then enough."""
    high = 1.0
    while gaussian_delta(epsilon, high, slack) <= delta and high < 2.0**60:
        high *= 2
    low = 0.0
    for _ in range(STEPS):
        middle = (low + high) / 2
        if gaussian_delta(epsilon, middle, slack) <= delta:
            low = middle
        else:
            high = middle
    return low


def discrete_slack(scale: float, cells: int) -> float:
    """How far discrete Gaussian noise can be from the continuous one, rounded to the integers.

    *Proof.* Let s be the scale and g the normal density. The continuous noise, rounded, takes the
    integer x with probability g(x)·E[exp(−u²/2s²)·cosh(x·u/s²)], where u is uniform on
    [−½, ½]; the discrete one takes it with g(x)/Z, where 1 ≤ Z ≤ 1 + 3·exp(−2π²s²). For |x| ≤ s²
    the expectation is at most 1 + 1.14·x²/(24·s⁴). Summed with g that is 1.14/(24·s²); what is
    beyond and Z − 1 are smaller than the rest of 1/(20·s²) once s ≥ 4. So the total variation
    distance is 1/(20·s²) at most in each cell, and adds up over cells. ∎
    """
    if scale < 4:  # noqa: PLR2004  see the proof
        return 1.0
    return min(cells / (20 * scale * scale), 1.0)


def smallest(holds: Callable[[float], bool]) -> float:
    """The smallest ε from which on something holds, from above; infinite if it never does."""
    high = 1e-3
    while not holds(high):
        high *= 2
        if high > 2.0**40:
            return math.inf
    if holds(0.0):
        return 0.0
    low = 0.0
    for _ in range(STEPS):
        middle = (low + high) / 2
        if not low < middle < high:
            break
        if holds(middle):
            high = middle
        else:
            low = middle
    return high


def _tail(x: float) -> float:
    return math.erfc(x / math.sqrt(2)) / 2


def _mills(x: float) -> float:
    """Ratio of the normal tail to the normal density."""
    from scipy.special import erfcx

    return math.sqrt(math.pi / 2) * float(erfcx(x / math.sqrt(2)))


def _exp(x: float) -> float:
    return math.exp(x) if x < 700 else math.inf  # noqa: PLR2004  e^709 overflows
