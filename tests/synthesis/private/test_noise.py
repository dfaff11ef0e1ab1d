from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest

from microveil.synthesis.private.noise import InsecureNoise, Noise, SecureNoise

Source = Callable[[], Noise]


def _insecure() -> Noise:
    return InsecureNoise(np.random.default_rng(1))


@pytest.mark.parametrize("source", [SecureNoise, _insecure])
def test_counts_have_noise_of_the_share(source: Source) -> None:
    noisy, scale = source().counts(np.full(4000, 100, dtype=np.int64), Fraction(1, 50))
    assert scale == pytest.approx(5.0)
    assert noisy.mean() == pytest.approx(100, abs=0.5)
    assert noisy.std() == pytest.approx(5.0, rel=0.06)


@pytest.mark.parametrize("source", [SecureNoise, _insecure])
def test_choices_follow_the_exponential_mechanism(source: Source) -> None:
    noise = source()
    scores = np.array([0, 1024, 2048], dtype=np.int64)
    draws = [noise.choice(scores, 1024, Fraction(1, 2)) for _ in range(2000)]
    scale = draws[0][1]
    assert scale == pytest.approx(1024.0)
    expected = np.exp(scores / scale) / np.exp(scores / scale).sum()
    found = np.bincount([one for one, _ in draws], minlength=3) / len(draws)
    assert found == pytest.approx(expected, abs=0.05)


def test_secure_noise_is_never_the_same_twice() -> None:
    zeros = np.zeros(50, dtype=np.int64)
    first, second = (SecureNoise().counts(zeros, Fraction(1, 5000))[0] for _ in range(2))
    assert (first != second).any()


def test_opendp_itself_certifies_the_cost() -> None:
    for share in (Fraction(1, 3), Fraction(2, 7), Fraction(123_457, 10**9)):
        _, scale = SecureNoise().counts(np.zeros(1, dtype=np.int64), share)
        assert 1 / (2 * Fraction(scale) ** 2) <= share
