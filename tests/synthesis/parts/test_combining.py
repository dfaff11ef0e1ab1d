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
    # v = 0.5 · 2, and the two copies vary by v + 0.5.
    found = mv.combine_full([1.0, 1.1], [0.5, 0.5], n=100, n_synthetic=200)
    assert found.variance == pytest.approx(1.0 + 1.5 / 2)
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


def test_a_variance_barely_above_zero_gives_no_absurd_interval() -> None:
    # b = 0.02, ū = 1.02 b: T = 0.18 b would leave 0.09 degrees of freedom with five copies.
    estimates = np.array([-1.0, -0.5, 0.0, 0.5, 1.0]) * (0.02 / 0.625) ** 0.5
    found = mv.combine_full(estimates, np.full(5, 0.0204))
    assert found.variance == pytest.approx(0.0204)
    low, high = found.interval()
    assert high - low == pytest.approx(2 * 1.959964 * 0.0204**0.5)


def intervals(
    m: int, share: float, n_rounds: int, *, sizes: bool
) -> tuple[float, float, float]:  # coverage, mean width and largest width over the ideal one
    """Intervals of a mean when copies are drawn from its posterior."""
    rng = np.random.default_rng(m)
    n, n_synthetic = 100, round(100 * share)
    centre = rng.normal(0, n**-0.5, (n_rounds, 1)) + rng.normal(0, n**-0.5, (n_rounds, m))
    estimates = (centre + rng.normal(0, n_synthetic**-0.5, (n_rounds, m))).T
    numbers = {"n": n, "n_synthetic": n_synthetic} if sizes else {}
    low, high = mv.combine_full(
        estimates, np.full_like(estimates, 1 / n_synthetic), **numbers
    ).interval()
    ideal = 2 * 1.959964 * (1 / n + (1 / n + 1 / n_synthetic) / m) ** 0.5
    width = (high - low) / ideal
    return ((low <= 0) & (high >= 0)).mean(), width.mean(), width.max()


@pytest.mark.parametrize("m", [5, 10, 20])
@pytest.mark.parametrize("share", [0.25, 0.5, 1, 2, 5, 10])
@pytest.mark.parametrize("sizes", [True, False])
def test_intervals_of_full_synthesis_hold_the_truth_and_stay_narrow(
    m: int,
    share: float,
    sizes: bool,  # noqa: FBT001
) -> None:
    covered, mean_width, largest = intervals(m, share, 4000, sizes=sizes)
    # Standard error of the share: 0.0035. Without sizes, small copies are taken for large ones.
    assert 0.925 < covered < (0.98 if sizes or share >= 1 else 1.01)
    assert mean_width < (1.4 if sizes else 2.2)
    assert largest < 7.5


def test_intervals_of_partial_synthesis_hold_the_truth_as_often_as_they_say() -> None:
    rng = np.random.default_rng(1)
    hits, m, n = 0, 20, 50
    for _ in range(2000):
        centre = rng.normal(0, n**-0.5) + rng.normal(0, n**-0.5, m)
        estimates = rng.normal(centre, 1, (n, m)).mean(axis=0)
        low, high = mv.combine_partial(estimates, np.full(m, 1 / n)).interval()
        hits += low <= 0 <= high
    # Standard error of the share: 0.005.
    assert hits / 2000 == pytest.approx(0.95, abs=0.02)


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
