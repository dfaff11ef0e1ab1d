"""Audits: a lower bound on the privacy loss of a mechanism, from many draws or from one run.

A lower bound of ε from two neighbouring tables (Jagielski, Ullman & Oprea 2020): if an event has
probability p under one and q under the other, then ε ≥ ln((p − δ) / q). With intervals for p and q
(Clopper & Pearson 1934) the bound holds with the stated confidence. A bound above the claimed ε
refutes a mechanism; one below shows only that this attack failed.

A mechanism that takes long is run once on a table with many canaries, each put in by the toss of a
coin, and an attack guesses for some of them whether they are in (Steinke, Nasr & Jagielski 2023).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from microveil.arrays import Floats
from microveil.errors import InputError


@dataclass(frozen=True)
class Audit:
    """Result of an audit."""

    epsilon: float
    """Lower bound on ε, with the stated confidence; 0 if nothing was detected."""
    n_draws: int
    confidence: float


def audit(
    first: Callable[[], float],
    second: Callable[[], float],
    n_draws: int,
    *,
    delta: float = 0.0,
    confidence: float = 0.999,
) -> Audit:
    """Draw from a mechanism on two neighbouring tables, and bound its ε from below.

    Half of the draws select the event (answers above or below a limit) that best distinguishes the
    tables, the other half measures it, so that the selection does not bias the bound.
    """
    if n_draws < 20:  # noqa: PLR2004  fewer cannot show anything
        raise InputError("An audit needs at least 20 draws.")
    ones = np.array([first() for _ in range(n_draws)], dtype=np.float64)
    others = np.array([second() for _ in range(n_draws)], dtype=np.float64)
    half = n_draws // 2
    best = 0.0
    for above, below in ((ones, others), (others, ones)):
        for sign in (1.0, -1.0):
            limit = _limit(sign * above[:half], sign * below[:half], delta)
            hits = [int((sign * drawn[half:] >= limit).sum()) for drawn in (above, below)]
            best = max(best, _bound(hits, n_draws - half, delta, (1 - confidence) / 4))
    return Audit(best, n_draws, confidence)


def audit_in_one_run(
    scores: ArrayLike,
    included: ArrayLike,
    *,
    guess_share: float = 0.1,
    delta: float = 0.0,
    confidence: float = 0.999,
) -> Audit:
    """Bound ε from below by one run with many canaries (Steinke, Nasr & Jagielski 2023).

    ``included`` says which canaries were in the table, each by an independent fair coin;
    ``scores`` how much the attack, which sees only the output, believes that each is. The canaries
    with the highest and the lowest scores are guessed, a share that must be chosen beforehand.
    Under pure ε the number of right guesses is at most binomial with e^ε / (1 + e^ε).
    """
    beliefs, truth = np.asarray(scores, dtype=np.float64), np.asarray(included, dtype=np.bool_)
    each = int(len(truth) * guess_share / 2)
    if beliefs.shape != truth.shape or each < 5:  # noqa: PLR2004  fewer cannot show anything
        raise InputError("An audit in one run needs a score for each canary, and 10 guesses.")
    order = np.argsort(beliefs, kind="stable")
    right = int((~truth[order[:each]]).sum() + truth[order[-each:]].sum())
    least, most = 0.0, 100.0
    if _chance(right, 2 * each, len(truth), least, delta) > 1 - confidence:
        return Audit(0.0, len(truth), confidence)
    for _ in range(60):
        middle = (least + most) / 2
        refuted = _chance(right, 2 * each, len(truth), middle, delta) <= 1 - confidence
        least, most = (middle, most) if refuted else (least, middle)
    return Audit(least, len(truth), confidence)


def _chance(right: int, guesses: int, canaries: int, epsilon: float, delta: float) -> float:
    """How likely so many right guesses are at most under (ε, δ): the theorem of that paper."""
    from scipy.stats import binom

    likely = 1 / (1 + math.exp(-epsilon))
    tail = float(binom.sf(right - 1, guesses, likely))
    if not delta or not right:
        return min(tail, 1.0)
    fewer = np.arange(1, right + 1)
    masses = np.cumsum(binom.pmf(right - fewer, guesses, likely))
    return min(tail + 2 * canaries * delta * float((masses / fewer).max()), 1.0)


def _limit(above: Floats, below: Floats, delta: float) -> float:
    """The limit beyond which answers of one table are likeliest against the other's."""
    others = np.sort(below)
    best, limit = -math.inf, math.inf
    for candidate in np.unique(above):
        p = float((above >= candidate).mean())
        q = 1 - float(np.searchsorted(others, candidate)) / len(others)
        few = 1.0 / math.sqrt(len(others))
        score = math.log(max(p - delta, 1e-12) / (q + few / 10))
        if score > best:
            best, limit = score, float(candidate)
    return limit


def _bound(hits: list[int], n: int, delta: float, miss: float) -> float:
    from scipy.stats import beta

    p = float(beta.ppf(miss, hits[0], n - hits[0] + 1)) if hits[0] else 0.0
    q = float(beta.ppf(1 - miss, hits[1] + 1, n - hits[1])) if hits[1] < n else 1.0
    return math.log((p - delta) / q) if p > delta else 0.0
