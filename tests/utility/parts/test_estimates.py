from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from microveil.utility.parts.estimates import Estimate, Side, group_means, overlap, regression


def test_overlap_is_karr_s() -> None:
    assert overlap(Estimate(1, 0, 2), Estimate(1.5, 0.5, 2.5)) == pytest.approx(0.75)
    assert overlap(Estimate(1, 0, 4), Estimate(1, 1, 2)) == pytest.approx((0.25 + 1) / 2)
    assert overlap(Estimate(1, 0, 2), Estimate(5, 4, 6)) == 0
    assert overlap(Estimate(1, 1, 1), Estimate(1, 1, 1)) == 1
    assert overlap(Estimate(1, 1, 1), None) == 0


@settings(max_examples=25)
@given(st.lists(st.tuples(st.integers(0, 2), st.integers(-50, 50)), min_size=1, max_size=40))
def test_intervals_of_group_means_are_scipy_s(rows: list[tuple[int, int]]) -> None:
    from scipy.stats import t

    groups, numbers = np.array([g for g, _ in rows]), np.array([float(x) for _, x in rows])
    found = group_means(numbers, groups, 3, None, 0.95)
    for group, estimate in enumerate(found):
        inside = numbers[groups == group]
        if len(inside) < 3:
            assert estimate is None
            continue
        assert estimate is not None
        margin = t.ppf(0.975, len(inside) - 1) * inside.std(ddof=1) / np.sqrt(len(inside))
        assert estimate == pytest.approx(
            (inside.mean(), inside.mean() - margin, inside.mean() + margin), abs=1e-9
        )


def test_intervals_of_coefficients_are_those_of_least_squares() -> None:
    from scipy.stats import linregress, t

    rng = np.random.default_rng(8)
    x = rng.normal(3, 2, 100)
    y = 2 * x + rng.normal(0, 1, 100)
    found = regression(Side({"y": y, "x": x}, None), "y", ("x",), 0.95)["x"]
    peer = linregress(x, y)
    margin = t.ppf(0.975, 98) * peer.stderr
    assert found == pytest.approx((peer.slope, peer.slope - margin, peer.slope + margin))


def test_a_weight_counts_like_so_many_records_for_the_estimate() -> None:
    x, w = np.array([1.0, 2.0, 4.0, 9.0]), np.array([1.0, 2.0, 3.0, 4.0])
    groups = np.zeros(4, dtype=np.int64)
    weighted = group_means(x, groups, 1, w, 0.95)[0]
    assert weighted is not None
    assert weighted.value == pytest.approx(np.repeat(x, w.astype(int)).mean())
    y = np.array([0.0, 3.0, 3.0, 12.0])
    slope = regression(Side({"y": np.r_[y, y], "x": np.r_[x, x]}, np.r_[w, w]), "y", ("x",), 0.95)
    times = np.r_[w, w].astype(int)
    plain = regression(
        Side({"y": np.repeat(np.r_[y, y], times), "x": np.repeat(np.r_[x, x], times)}, None),
        "y",
        ("x",),
        0.95,
    )
    assert slope["x"].value == pytest.approx(plain["x"].value)
