"""What OpenDP draws is what the proofs take it to be."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import microveil as mv
from microveil import dp, noise

N = 1500
RARE = 1e-7
"""Chance alone fails a test that rarely."""


def surprise(seen: Counter[Any], chances: dict[Any, float]) -> float:
    """Probability of counts as far as these from what is expected, or further (Pearson 1900)."""
    from scipy.stats import chi2

    n = sum(seen.values())
    cells = {key: chance for key, chance in chances.items() if n * chance >= 5}
    rest = 1 - sum(cells.values())
    other = n - sum(seen[key] for key in cells)
    statistic = sum((seen[key] - n * p) ** 2 / (n * p) for key, p in cells.items())
    freedom = len(cells) - 1
    if n * rest >= 5:
        statistic += (other - n * rest) ** 2 / (n * rest)
        freedom += 1
    return float(chi2.sf(statistic, freedom))


def test_laplace_noise_is_discrete_laplace() -> None:
    scale = 2.5
    drawn = Counter(noise.laplace(np.zeros(N, dtype=np.int64), scale).tolist())
    decay = math.exp(-1 / scale)
    chances = {x: (1 - decay) / (1 + decay) * decay ** abs(x) for x in range(-60, 61)}
    assert surprise(drawn, chances) > RARE


def test_gaussian_noise_is_discrete_gaussian() -> None:
    scale = 2.5
    drawn = Counter(noise.gaussian(np.zeros(N, dtype=np.int64), scale).tolist())
    weights = {x: math.exp(-x * x / (2 * scale**2)) for x in range(-60, 61)}
    whole = sum(weights.values())
    assert surprise(drawn, {x: w / whole for x, w in weights.items()}) > RARE


@pytest.mark.parametrize(
    "choose", [noise.noisy_max, lambda s, b, **k: noise.noisy_top(s, 1, b, **k)[0]]
)
def test_gumbel_noise_is_the_exponential_mechanism(choose: Callable[..., int]) -> None:
    scores = np.array([2, 0, 1])
    drawn = Counter(choose(scores, 1.5, gumbel=True) for _ in range(N))
    weights = np.exp(scores / 1.5)
    assert surprise(drawn, dict(enumerate((weights / weights.sum()).tolist()))) > RARE


def test_exponential_noise_is_permute_and_flip() -> None:
    drawn = Counter(noise.noisy_max(np.array([1, -1]), 1.0) for _ in range(N))
    # The better one wins but when it is asked second and the worse one has said yes.
    worse = math.exp(-2) / 2
    assert surprise(drawn, {0: 1 - worse, 1: worse}) > RARE


def test_a_key_at_the_threshold_does_not_show_more_often_than_said() -> None:
    for is_gaussian, scale, threshold in ((False, 1.0, 3), (True, 1.5, 3)):
        _, delta = noise.threshold_loss(scale, threshold, (1, 1, 1), is_gaussian=is_gaussian)
        shown = sum(
            bool(noise.frequent({"a": 1}, scale, threshold, is_gaussian=is_gaussian))
            for _ in range(N)
        )
        assert shown / N <= delta + 5 * math.sqrt(delta * (1 - delta) / N)


def test_counts_above_a_threshold_show_with_their_noise() -> None:
    found = noise.frequent({"a": 10_000, "b": 0}, 1.0, 40)
    assert set(found) == {"a"}
    assert abs(found["a"] - 10_000) < 100


def test_responses_are_kept_as_often_as_said() -> None:
    for kinds, value in (((False, True), True), (("a", "b", "c"), "b")):
        drawn = Counter(noise.respond(value, kinds, 0.7) for _ in range(N))
        other = 0.3 / (len(kinds) - 1)
        assert surprise(drawn, {k: 0.7 if k == value else other for k in kinds}) > RARE


def test_noise_falls_on_the_same_grid_whatever_the_value() -> None:
    """Low bits of a naive float answer betray the value (Mironov 2012); here they are noise."""
    declaration = dp.Declaration.parse(
        {"columns": {"x": {"type": "real", "bounds": [0, 1]}}, "size": 10}
    )
    for spend in (dp.Loss(epsilon=1), dp.Loss(rho="1/2")):
        grids, bits = [], []
        for value in (0.1, 0.7000000001):
            frame = {"x": [value, 0.3]}
            drawn = [dp.answer(dp.Sum(column="x"), frame, declaration, spend) for _ in range(150)]
            step = drawn[0].noises[0].step
            grids.append({(one.value / step) % 1 for one in drawn})
            bits.append(np.array([round(one.value / step) % 16 for one in drawn]))
        assert grids == [{0.0}, {0.0}]
        # Each of the last four bits is a coin, whatever the value.
        for low in bits:
            assert abs(low.mean() - 7.5) < 5 * 4.61 / math.sqrt(150)


def test_large_numbers_are_kept_apart_from_the_edge_and_scales_from_nonsense() -> None:
    huge = np.array([2**63 - 1, -(2**63)], dtype=np.int64)
    found = noise.laplace(huge, 10.0)
    assert (np.abs(found) < 2**62 + 1000).all()
    for scale in (math.inf, math.nan, -1.0, 1e300):
        with pytest.raises(mv.InputError, match="spend more"):
            noise.laplace(np.array([1]), scale)
    assert noise.laplace(np.array([], dtype=np.int64), 1.0).tolist() == []
    with pytest.raises(mv.InputError, match="nothing to choose"):
        noise.noisy_max(np.array([], dtype=np.int64), 1.0)


def test_opendp_prices_the_noise_as_we_do() -> None:
    import opendp.prelude as opendp

    opendp.enable_features("contrib")
    for scale in (0.1, 1.0, 3.7, 1e6):
        made = noise._laplace(scale)
        assert made.map(3) == pytest.approx(3 / scale, rel=1e-12)
        assert noise._gaussian(scale).map(3.0) == pytest.approx(9 / (2 * scale**2), rel=1e-12)
        assert noise._max(scale, False, False).map(3) == pytest.approx(6 / scale, rel=1e-12)
        assert noise._max(scale, True, False).map(3) == pytest.approx(3 / scale, rel=1e-12)
        assert noise._max(scale, False, True).map(3) == pytest.approx(
            (6 / scale) ** 2 / 8, rel=1e-12
        )
        assert noise._top(4, scale, True, False).map(3) == pytest.approx(12 / scale, rel=1e-12)
