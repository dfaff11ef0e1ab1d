from __future__ import annotations

import numpy as np
import pytest

from microveil.synthesis.parts.smoothing import Smoothing


def test_a_number_that_many_have_stays_and_rare_ones_move() -> None:
    rng = np.random.default_rng(0)
    rare = rng.lognormal(10, 1, 500)
    smoothing = Smoothing.of(np.concatenate([np.zeros(100), rare, [np.nan]]), window=10)
    assert (smoothing.smooth(np.zeros(50), rng) == 0).all()
    moved = smoothing.smooth(rare, rng)
    assert (moved != rare).mean() > 0.99
    assert np.isnan(smoothing.smooth(np.array([np.nan]), rng)).all()


def test_numbers_keep_their_range_and_their_distribution() -> None:
    rng = np.random.default_rng(0)
    numbers = rng.normal(50, 10, 4000)
    moved = Smoothing.of(numbers, window=15).smooth(numbers, rng)
    assert moved.min() >= numbers.min()
    assert moved.max() <= numbers.max()
    shares = np.linspace(0.02, 0.98, 25)
    assert np.quantile(moved, shares) == pytest.approx(np.quantile(numbers, shares), abs=0.4)


def test_numbers_move_within_a_window_of_ranks() -> None:
    numbers = np.arange(100.0)
    moved = Smoothing.of(numbers, window=5).smooth(numbers, np.random.default_rng(0))
    assert np.abs(moved - numbers).max() <= 5


@pytest.mark.parametrize("numbers", [[], [3.0], [3.0, 3.0]])
def test_nothing_one_number_and_one_kind_of_number_stay(numbers: list[float]) -> None:
    cells = np.array(numbers)
    moved = Smoothing.of(cells, window=5).smooth(cells, np.random.default_rng(0))
    assert moved.tolist() == numbers


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("spread", [1.0, 0.0])
def test_one_extreme_number_leaves_no_trace(sign: int, spread: float) -> None:
    rng = np.random.default_rng(0)
    # With no spread all others are frequent numbers, which keep their place.
    others = np.round(rng.lognormal(3, 0.5, 2000) * spread) + 10 * (1 - spread)
    numbers = sign * np.append(others, 1e9)
    moved = Smoothing.of(numbers, window=15).smooth(np.repeat(numbers[-1:], 200), rng)
    assert np.abs(moved).max() <= np.sort(np.abs(others))[-4]


@pytest.mark.parametrize("window", [15, 80])
@pytest.mark.parametrize("sign", [1, -1])
def test_the_end_of_a_bounded_column_is_not_exceeded_beside_an_extreme_number(
    sign: int, window: int
) -> None:
    rng = np.random.default_rng(0)
    bounded = sign * rng.uniform(20, 120, 1000)
    numbers = np.append(bounded, sign * 1e9)
    drawn = Smoothing.of(numbers, window).smooth(rng.choice(numbers, 5000), rng)
    assert np.abs(drawn).max() < 120
    assert np.abs(drawn).max() > 115


def test_a_lone_rare_number_takes_the_nearest_frequent_one() -> None:
    numbers = np.append(np.repeat([10.0, 20.0, 30.0], 40), 17.0)
    moved = Smoothing.of(numbers, window=15).smooth(numbers, np.random.default_rng(0))
    assert moved.tolist() == [*numbers[:-1], 20.0]


def test_tails_keep_their_size() -> None:
    rng = np.random.default_rng(0)
    numbers = rng.lognormal(10, 1, 5000)
    moved = Smoothing.of(numbers, window=15).smooth(numbers, rng)
    assert moved.mean() == pytest.approx(numbers.mean(), rel=0.01)
    assert moved.std() == pytest.approx(numbers.std(), rel=0.05)
