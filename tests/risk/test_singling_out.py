from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import microveil as mv
from microveil.risk.singling_out import SinglingOut, singled_out_of
from tests.risk.attack_data import noisy, parts


def test_successes_are_those_of_a_filter_over_the_original() -> None:
    original = pl.DataFrame({"age": [20, 30, 30, 40, None], "town": ["a", "b", "c", "c", None]})
    released = pl.DataFrame({"age": [20, 25, 30, 45], "town": ["a", "b", "b", None]})
    score = SinglingOut(mode="univariate").measure(original, released)
    # age = 20 and ≤ 20 (one person), = 25 (nobody), = 30 (two), = 45 and ≥ 45 (nobody),
    # town = a (one person), town missing (one person).
    assert score.parts["n_attacks"] == 8
    assert score.parts["attack"]["rate"] == pytest.approx(4 / 8)
    assert score.records is not None
    assert score.records.tolist() == [1, 0, 0, 0, 1]


def test_a_k_anonymous_release_asks_about_nobody() -> None:
    original, _ = parts(1, 1000, 10)
    keys = ["age", "sex", "race", "education"]
    original = original.select(keys)
    released = mv.Mondrian(k=5).protect(original, roles=mv.Roles(quasi_identifiers=keys))
    score = SinglingOut(n_columns=4, max_attempts=20_000).measure(original, released)
    assert score.parts["n_attacks"] == 0
    assert score.value == 0
    assert score.interval is None


@pytest.mark.parametrize("size", [1, 5, 9])
def test_a_larger_control_is_brought_down_exactly(size: int) -> None:
    n, counts = 10, np.array([0, 1, 2, 3, 9])
    rng = np.random.default_rng(0)
    drawn = np.zeros(len(counts))
    rounds = 20_000
    for _ in range(rounds):
        sample = rng.choice(n, size, replace=False)
        drawn += np.array([(sample < count).sum() == 1 for count in counts])
    found = singled_out_of(counts, n, size)
    assert found == pytest.approx(drawn.sum() / rounds, abs=0.04)


def test_a_smaller_control_is_carried_on_to_what_a_large_one_shows() -> None:
    rng = np.random.default_rng(1)
    chances = rng.beta(0.6, 1500, 4000)
    small = rng.binomial(2500, chances)
    expected = (5000 * chances * (1 - chances) ** 4999).sum()
    found = singled_out_of(small, 2500, 5000)
    assert found == pytest.approx(expected, rel=0.1)


def test_controls_of_different_size_agree() -> None:
    original, large = parts(3, 4000, 8000)
    released = noisy(original, 0.2, 1)
    risks = [
        SinglingOut(n_attacks=500).measure(original, released, control=large.head(n)).value
        for n in (2000, 4000, 8000)
    ]
    assert max(risks) - min(risks) < 0.08


@pytest.mark.slow
def test_adult_is_within_the_interval_of_the_authors_package() -> None:
    # benchmarks/bench_attacks.py compares with anonymeter in one run.
    original, control = parts(0, 15000, 15000)
    score = SinglingOut(n_attacks=500).measure(original, noisy(original, 0.2, 0), control=control)
    assert 0.15 < score.value < 0.4
