from __future__ import annotations

import numpy as np
import pytest

import microveil as mv


def test_full_synthesis_is_combined_as_by_hand() -> None:
    # b = 1, ū = 0.3, m = 3: T = 4/3 − 0.3, degrees 2 (1 − 0.3 / (4/3))².
    found = mv.combine_full([1.0, 2.0, 3.0], [0.2, 0.3, 0.4])
    assert found.estimate == pytest.approx(2)
    assert found.between == pytest.approx(1)
    assert found.within == pytest.approx(0.3)
    assert found.variance == pytest.approx(4 / 3 - 0.3)
    assert found.degrees_of_freedom == pytest.approx(2 * (1 - 0.3 / (4 / 3)) ** 2)


def test_a_negative_variance_gives_way_to_that_of_a_sample() -> None:
    found = mv.combine_full([1.0, 1.1], [0.5, 0.5], n=100, n_synthetic=200)
    assert found.variance == pytest.approx(1.0)
    assert mv.combine_full([1.0, 1.1], [0.5, 0.5]).variance == pytest.approx(0.5)


def test_partial_synthesis_is_combined_as_by_hand() -> None:
    # b = 1, ū = 0.3, m = 3: T = 1/3 + 0.3, degrees 2 (1 + 0.3 / (1/3))².
    found = mv.combine_partial([1.0, 2.0, 3.0], [0.2, 0.3, 0.4])
    assert found.variance == pytest.approx(1 / 3 + 0.3)
    assert found.degrees_of_freedom == pytest.approx(2 * 1.9**2)
    # 95 % of t with 7.22 degrees of freedom is 2.3497.
    low, high = found.interval()
    assert (high - low) / 2 == pytest.approx(2.3497 * (1 / 3 + 0.3) ** 0.5, rel=1e-3)


def test_one_copy_of_a_fitted_model_is_combined_as_by_hand() -> None:
    found = mv.combine_simple(2.0, 0.3, n=100, n_synthetic=200)
    assert found.variance == pytest.approx(0.3 * (2 + 1))
    low, high = found.interval()
    assert (high - low) / 2 == pytest.approx(1.959964 * 0.9**0.5, rel=1e-5)


def test_several_estimates_are_combined_at_once() -> None:
    found = mv.combine_partial([[1.0, 5.0], [3.0, 5.0]], [[0.1, 0.2], [0.1, 0.2]])
    assert found.estimate.tolist() == [2.0, 5.0]
    assert found.variance.tolist() == pytest.approx([1.1, 0.2])
    assert found.degrees_of_freedom[1] == np.inf


def test_one_copy_or_wrong_variances_are_refused() -> None:
    with pytest.raises(mv.InputError, match="2 copies or more"):
        mv.combine_full([1.0], [0.1])
    with pytest.raises(mv.InputError, match="as many variances"):
        mv.combine_partial([1.0, 2.0], [0.1])
    with pytest.raises(mv.InputError, match="0 or more"):
        mv.combine_partial([1.0, 2.0], [0.1, -0.1])


def coverage(partial: bool, n_rounds: int, m: int = 20, n: int = 50) -> float:  # noqa: FBT001
    """How often intervals of a mean hold the truth, when copies are drawn from its posterior."""
    rng = np.random.default_rng(1)
    # The rule for full synthesis is conservative while few small copies leave T uncertain.
    n_synthetic = n if partial else 10 * n
    hits = 0
    for _ in range(n_rounds):
        observed = rng.normal(0, 1, n)
        centre = observed.mean() + rng.normal(0, n**-0.5, m)
        copies = rng.normal(centre, 1, (n_synthetic, m))
        estimates, variances = copies.mean(axis=0), np.full(m, 1 / n_synthetic)
        rule = mv.combine_partial if partial else mv.combine_full
        low, high = rule(estimates, variances).interval()
        hits += low <= 0 <= high
    return hits / n_rounds


@pytest.mark.parametrize("partial", [False, True])
def test_intervals_hold_the_truth_as_often_as_they_say(partial: bool) -> None:  # noqa: FBT001
    # Standard error of the share: 0.005.
    assert coverage(partial, 2000) == pytest.approx(0.95, abs=0.02)


@pytest.mark.slow
def test_intervals_from_copies_of_trees_hold_the_truth_as_often_as_they_say() -> None:
    rng = np.random.default_rng(1)
    generator = mv.Cart(proper=True)
    hits, n_rounds = 0, 300
    for seed in range(n_rounds):
        observed = {"x": rng.normal(0, 1, 100)}
        model = mv.Synthesizer(generator=generator).fit(observed, seed=seed).model.fitted
        copies = [model.sample(1000, rng)["x"].to_numpy() for _ in range(20)]
        means = [float(one.mean()) for one in copies]
        squares = [float(one.var(ddof=1)) / 1000 for one in copies]
        low, high = mv.combine_full(means, squares, n=100, n_synthetic=1000).interval()
        hits += low <= 0 <= high
    # Standard error of the share: 0.013.
    assert hits / n_rounds == pytest.approx(0.95, abs=0.04)
