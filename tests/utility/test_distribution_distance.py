from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import ks_2samp, wasserstein_distance
from scipy.stats.contingency import association

import microveil as mv
from microveil.utility.distribution_distance import DistributionDistance

letters = st.lists(st.sampled_from("abcd"), min_size=1, max_size=30)


@settings(max_examples=40)
@given(letters, letters)
def test_distances_of_categories_are_those_of_the_definitions(a: list[str], b: list[str]) -> None:
    score = DistributionDistance().measure({"x": a}, {"x": b}, aligned=False)
    p, q = (np.array([side.count(letter) / len(side) for letter in "abcd"]) for side in (a, b))
    row = score.frames["columns"].row(0, named=True)
    assert row["total_variation"] == pytest.approx(np.abs(p - q).sum() / 2)
    assert row["hellinger"] == pytest.approx(np.sqrt(max(1 - np.sqrt(p * q).sum(), 0)), abs=1e-7)
    there = p + q > 0
    chi = ((p - q)[there] ** 2 / (p + q)[there]).sum() / 2
    assert row["chi_square"] == pytest.approx(chi)
    assert score.value == row["total_variation"]


def test_distances_of_numbers_are_scipy_s() -> None:
    rng = np.random.default_rng(0)
    a, b = rng.lognormal(size=500), rng.lognormal(0.2, 1, size=300)
    row = DistributionDistance().measure({"x": a}, {"x": b}).frames["columns"].row(0, named=True)
    assert row["kolmogorov_smirnov"] == pytest.approx(ks_2samp(a, b).statistic)
    assert row["wasserstein"] == pytest.approx(wasserstein_distance(a, b) / a.std())


def test_cramers_v_is_scipy_s() -> None:
    rng = np.random.default_rng(0)
    x = rng.integers(0, 3, 200)
    y = (x + rng.integers(0, 2, 200)) % 3
    frame = pl.DataFrame({"x": x.astype(str), "y": y.astype(str)})
    shuffled = frame.with_columns(pl.col("y").shuffle(seed=1))
    pairs = DistributionDistance().measure(frame, shuffled).frames["pairs"].row(0, named=True)
    for side, kind in ((frame, "before"), (shuffled, "after")):
        table = np.zeros((3, 3), dtype=int)
        np.add.at(table, (side["x"].cast(int).to_numpy(), side["y"].cast(int).to_numpy()), 1)
        assert pairs[f"cramers_v_{kind}"] == pytest.approx(association(table, method="cramer"))
    assert pairs["cramers_v_change"] > 0.3


def test_a_label_is_spread_evenly_over_what_it_covers() -> None:
    before = {"x": ["a", "a", "a", "b"]}
    score = DistributionDistance().measure(before, {"x": ["{a, b}"] * 4})
    assert score.value == pytest.approx(0.25)
    ages = {"x": [30, 31, 32, 33]}
    even = DistributionDistance().measure(ages, {"x": ["[30, 33]"] * 4})
    assert even.value == pytest.approx(0)
    assert even.parts["mean_wasserstein"] == pytest.approx(0)


def test_pairs_spread_labels_over_both_columns() -> None:
    before = pl.DataFrame({"x": ["a", "a", "b", "b"], "y": ["u", "v", "u", "v"]})
    labels = pl.DataFrame({"x": ["{a, b}"] * 4, "y": ["{u, v}"] * 4})
    score = DistributionDistance().measure(before, labels)
    assert score.parts["pairs_total_variation"] == pytest.approx(0)
    linked = pl.DataFrame({"x": ["a", "a", "b", "b"], "y": ["u", "u", "v", "v"]})
    assert DistributionDistance().measure(linked, labels).parts[
        "cramers_v_change"
    ] == pytest.approx(1)


def test_many_labels_of_many_values_are_spread_the_same_way() -> None:
    rng = np.random.default_rng(0)
    frame = pl.DataFrame({"x": rng.normal(size=600), "y": rng.normal(size=600)})
    after = mv.Mondrian(k=5, columns=["x", "y"]).protect(frame)
    score = DistributionDistance().measure(frame, after)
    shuffled = after.sample(fraction=1.0, shuffle=True, seed=2)
    again = DistributionDistance().measure(frame, shuffled, aligned=False)
    assert again.parts["pairs_total_variation"] == pytest.approx(
        score.parts["pairs_total_variation"]
    )
    assert 0 < score.value < 0.1


def test_stars_and_missing_cells_are_a_value_of_their_own() -> None:
    before = {"x": ["a", "b", None, "a"]}
    assert DistributionDistance().measure(before, {"x": ["*"] * 4}).value == pytest.approx(0.75)
    assert DistributionDistance().measure(before, before).value == 0


def test_records_count_by_their_weight() -> None:
    roles = mv.Roles(weight="w")
    before = {"x": ["a", "b"], "w": [1.0, 3.0]}
    after = {"x": ["a", "a", "b", "b"], "w": [1.0, 1.0, 3.0, 3.0]}
    assert DistributionDistance().measure(before, after, roles=roles).value == 0
    assert (
        DistributionDistance()
        .measure(before, {**after, "w": [3.0, 3.0, 1.0, 1.0]}, roles=roles)
        .value
        == 0.5
    )


def test_released_categories_nobody_had_are_as_far_as_can_be() -> None:
    assert DistributionDistance().measure({"x": [1.5, 2.5]}, {"x": [7.0, 8.0]}).value >= 0.5
    paired = DistributionDistance().measure({"x": ["a", "b"]}, {"x": ["c", "d"]})
    # Rows are paired and every value became one label: a renaming loses nothing.
    assert paired.value == 0


def test_bad_weights_are_counted_not_quoted() -> None:
    roles = mv.Roles(weight="w")
    with pytest.raises(mv.ColumnError, match="1 weights that are missing"):
        DistributionDistance().measure({"x": [1], "w": [-1.0]}, {"x": [1], "w": [1.0]}, roles=roles)
