from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microveil.kernels.draws import draw

WORD = 2**64 - 1


def splitmix64(state: int, n: int) -> list[float]:
    """The published sequence, in whole numbers without a limit."""
    found = []
    for _ in range(n):
        state = (state + 0x9E3779B97F4A7C15) & WORD
        mixed = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & WORD
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & WORD
        mixed ^= mixed >> 31
        found.append((mixed >> 11) / 2**53)
    return found


@given(st.integers(0, WORD))
def test_numbers_are_those_of_splitmix64(seed: int) -> None:
    words = np.array([seed], dtype=np.uint64)
    assert [draw(words) for _ in range(5)] == splitmix64(seed, 5)


def test_the_first_word_is_the_published_one() -> None:
    # Reference implementation, seed 1234567: 6457827717110365317.
    words = np.array([1234567], dtype=np.uint64)
    assert draw(words) == (6457827717110365317 >> 11) / 2**53


def test_numbers_lie_evenly_between_0_and_1() -> None:
    words = np.array([1], dtype=np.uint64)
    found = np.array([draw(words) for _ in range(4000)])
    assert found.min() >= 0
    assert found.max() < 1
    assert found.mean() == pytest.approx(0.5, abs=0.02)
    assert np.histogram(found, 10, (0, 1))[0].min() > 330
