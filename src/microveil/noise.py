"""Noise for differential privacy: integers in, integers out, drawn by OpenDP.

Every draw is exact and discrete, from the operating system's random source, so no floating-point
rounding leaves a trace of the true value in the low bits of an answer (Mironov 2012). OpenDP is
loaded on first use, and each sampler is built once.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from functools import lru_cache
from types import SimpleNamespace
from typing import Any

import numpy as np

from microveil.arrays import Longs
from microveil.errors import InputError

LARGEST = 2**62
"""Aggregates are clamped to ± this before noise is added, so that no sum overflows."""
WIDEST = 2.0**50
"""A larger noise scale would overflow the integers too often."""


def laplace(values: Longs, scale: float) -> Longs:
    """Add discrete Laplace noise: P(x) ∝ exp(−|x| / scale) on the integers.

    Values with an L1 distance of at most Δ become ε-indistinguishable with ε = Δ / scale (Ghosh,
    Roughgarden & Sundararajan 2012).
    """
    return _noisy(_laplace(_usable(scale)), values)


def gaussian(values: Longs, scale: float) -> Longs:
    """Add discrete Gaussian noise: P(x) ∝ exp(−x² / (2·scale²)) on the integers.

    Values with an L2 distance of at most Δ give ρ = Δ² / (2·scale²) of zero-concentrated
    differential privacy (Canonne, Kamath & Steinke 2020).
    """
    return _noisy(_gaussian(_usable(scale)), values)


def gaussian_loss(scale: float, distance: int) -> float:
    """ρ that :func:`gaussian` costs, by OpenDP's own reckoning, which rounds upwards."""
    return float(_gaussian(_usable(scale)).map(float(distance)))


def noisy_max(scores: Longs, scale: float, *, monotonic: bool = False, gumbel: bool = False) -> int:
    """Position of the largest score after noise: exponential (permute and flip) or Gumbel.

    Scores that each change by at most Δ give ε = 2Δ / scale, or Δ / scale if all change in the same
    direction (``monotonic``). With Gumbel noise this is the exponential mechanism (McSherry &
    Talwar 2007) and costs ρ = ε² / 8; with exponential noise it is never worse (McKenna & Sheldon
    2020).
    """
    if not len(scores):
        raise InputError("There is nothing to choose from.")
    chosen = _max(_usable(scale), monotonic, gumbel)(np.ascontiguousarray(scores))
    return int(chosen)


def gumbel_loss(scale: float, distance: int) -> float:
    """ρ that :func:`noisy_max` with Gumbel noise costs, likewise rounded upwards."""
    return float(_max(_usable(scale), monotonic=False, gumbel=True).map(distance))


def noisy_top(
    scores: Longs, k: int, scale: float, *, monotonic: bool = False, gumbel: bool = False
) -> list[int]:
    """Positions of the ``k`` largest scores after noise, best first; costs k times one choice."""
    if not 0 < k <= len(scores):
        raise InputError("Choose between 1 and {n_scores} of {n_scores}.", n_scores=len(scores))
    if k == len(scores) == 1:
        return [0]
    chosen = _top(k, _usable(scale), monotonic, gumbel)(np.ascontiguousarray(scores))
    return [int(at) for at in chosen]


def frequent(
    counts: Mapping[str, int], scale: float, threshold: int, *, is_gaussian: bool = False
) -> dict[str, int]:
    """Noisy counts of only those keys whose noisy count is above the threshold.

    OpenDP (0.16) releases a count that equals its threshold but leaves that case out of the δ it
    reports. A threshold one higher is used here, so that :func:`threshold_loss` is correct.
    """
    made = _threshold(_usable(scale), threshold + 1, is_gaussian)
    found: dict[str, int] = made(dict(counts))
    return found


def threshold_loss(
    scale: float, threshold: int, distance: tuple[int, float, int], *, is_gaussian: bool = False
) -> tuple[float, float]:
    """The cost of :func:`frequent`: (ε, δ) for Laplace or (ρ, δ) for Gaussian noise.

    ``distance`` is how far apart neighbouring counts are: in the number of keys, in total (L1
    distance, or L2 distance for Gaussian noise), and in one key.
    """
    made = _threshold(_usable(scale), threshold, is_gaussian)
    keys, whole, one = distance
    apart = (keys, float(whole), float(one)) if is_gaussian else (keys, int(whole), int(one))
    loss, delta = made.map(apart)
    return float(loss), float(delta)


def respond(value: Hashable, categories: Sequence[Hashable], keep: float) -> Any:
    """The true answer with probability ``keep``, otherwise one of the others, equally likely."""
    if set(categories) <= {True, False}:
        return _boolean_response(keep)(bool(value))
    return _response(tuple(categories), keep)(value)


def _usable(scale: float) -> float:
    if not (math.isfinite(scale) and 0 <= scale <= WIDEST):
        raise InputError(
            "Such a small privacy loss leaves nothing but noise: spend more on this query."
        )
    return float(scale)


def _noisy(measurement: Any, values: Longs) -> Longs:
    if not len(values):
        return values
    safe = np.ascontiguousarray(np.clip(values, -LARGEST, LARGEST), dtype=np.int64)
    return np.asarray(measurement(safe), dtype=np.int64)


@lru_cache(maxsize=1)
def _opendp() -> Any:
    # Not `opendp.prelude`, which loads pandas and scikit-learn where they are installed.
    try:
        from opendp import domains, measurements, measures, metrics
        from opendp.mod import enable_features
    except ImportError:
        raise InputError(
            "Differential privacy needs OpenDP: install microveil with its extra `dp`."
        ) from None
    enable_features("contrib")
    names = {**vars(domains), **vars(measures), **vars(metrics)}
    return SimpleNamespace(**names, m=measurements)


@lru_cache(maxsize=256)
def _laplace(scale: float) -> Any:
    odp = _opendp()
    space = odp.vector_domain(odp.atom_domain(T="i64")), odp.l1_distance(T="i64")
    return odp.m.make_laplace(*space, scale=scale)


@lru_cache(maxsize=256)
def _gaussian(scale: float) -> Any:
    odp = _opendp()
    space = odp.vector_domain(odp.atom_domain(T="i64")), odp.l2_distance(T="f64")
    return odp.m.make_gaussian(*space, scale=scale)


def _scores_space(odp: Any, *, monotonic: bool) -> Any:
    domain = odp.vector_domain(odp.atom_domain(T="i64"))
    return domain, odp.linf_distance(T="i64", monotonic=monotonic)


def _selection(odp: Any, *, gumbel: bool) -> Any:
    return odp.zero_concentrated_divergence() if gumbel else odp.max_divergence()


@lru_cache(maxsize=256)
def _max(scale: float, monotonic: bool, gumbel: bool) -> Any:  # noqa: FBT001  keys of a cache
    odp = _opendp()
    space = _scores_space(odp, monotonic=monotonic)
    return odp.m.make_noisy_max(*space, _selection(odp, gumbel=gumbel), scale=scale)


@lru_cache(maxsize=256)
def _top(k: int, scale: float, monotonic: bool, gumbel: bool) -> Any:  # noqa: FBT001  likewise
    odp = _opendp()
    space = _scores_space(odp, monotonic=monotonic)
    return odp.m.make_noisy_top_k(*space, _selection(odp, gumbel=gumbel), k=k, scale=scale)


@lru_cache(maxsize=256)
def _threshold(scale: float, threshold: int, is_gaussian: bool) -> Any:  # noqa: FBT001  likewise
    odp = _opendp()
    domain = odp.map_domain(odp.atom_domain(T=str), odp.atom_domain(T="i64"))
    if is_gaussian:
        metric = odp.l02inf_distance(odp.absolute_distance(T="f64"))
        return odp.m.make_gaussian_threshold(domain, metric, scale=scale, threshold=threshold)
    metric = odp.l01inf_distance(odp.absolute_distance(T="i64"))
    return odp.m.make_laplace_threshold(domain, metric, scale=scale, threshold=threshold)


@lru_cache(maxsize=64)
def _boolean_response(keep: float) -> Any:
    return _opendp().m.make_randomized_response_bool(keep)


@lru_cache(maxsize=64)
def _response(categories: tuple[Hashable, ...], keep: float) -> Any:
    return _opendp().m.make_randomized_response(list(categories), keep)
