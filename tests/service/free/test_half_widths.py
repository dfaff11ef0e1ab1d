from __future__ import annotations

import math

import numpy as np
import pytest

from microveil.dp import Noise
from microveil.service.free.half_widths import half_width

LAPLACE = Noise("rows", "laplace", 10.0, 1.0)
GAUSSIAN = Noise("rows", "gaussian", 10.0, 1e-9)


def test_one_noise_has_its_own_half_width() -> None:
    assert half_width([2.0], [LAPLACE], 0.95) == 2 * LAPLACE.half_width(0.95)
    assert half_width([0.0, -1.0], [LAPLACE, GAUSSIAN], 0.9) == GAUSSIAN.half_width(0.9)


def test_gaussian_noises_add_up_by_their_squares() -> None:
    found = half_width([3.0, 4.0], [GAUSSIAN, GAUSSIAN], 0.95)
    assert found == pytest.approx(50 * 1.959964, rel=2e-3)
    assert found >= 50 * 1.959964


@pytest.mark.parametrize("confidence", [0.5, 0.9, 0.99, 0.9999])
def test_two_laplace_noises_are_known_in_closed_form(confidence: float) -> None:
    # P(|X + Y| > t) = (1 + t / 2) exp(−t) for two of scale 1.
    found = half_width([1.0, 1.0], [LAPLACE, LAPLACE], confidence) / 10
    miss = (1 + found / 2) * math.exp(-found)
    assert miss <= 1 - confidence
    tighter = found - 0.02
    assert (1 + tighter / 2) * math.exp(-tighter) > 1 - confidence


def test_thin_tails_are_bounded() -> None:
    for noises in ([LAPLACE] * 2, [GAUSSIAN] * 2, [LAPLACE, GAUSSIAN]):
        wide = half_width([1.0, 1.0], noises, 1 - 1e-8)
        assert wide > half_width([1.0, 1.0], noises, 1 - 2e-5)
        assert wide < 60 * 10
    found = half_width([1.0, 1.0], [LAPLACE, LAPLACE], 1 - 1e-8) / 10
    assert (1 + found / 2) * math.exp(-found) <= 1e-8


def test_many_noises_against_draws() -> None:
    rng = np.random.default_rng(3)
    weights = rng.uniform(-2, 2, 25)
    noises = [LAPLACE if n % 2 else GAUSSIAN for n in range(25)]
    drawn = sum(w * one.draw((200_000,), rng) for w, one in zip(weights, noises, strict=True))
    found = half_width(list(weights), noises, 0.95)
    assert np.quantile(np.abs(drawn), 0.95) == pytest.approx(found, rel=0.01)


def test_no_noise_has_no_width() -> None:
    none = Noise("rows", "none", 0.0, 1.0)
    assert half_width([1.0, 1.0], [none, none], 0.95) == 0
