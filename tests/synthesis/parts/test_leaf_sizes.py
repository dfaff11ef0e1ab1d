from __future__ import annotations

import numpy as np
import pytest

import microveil as mv
from microveil.synthesis.boosted import Boosted
from microveil.synthesis.parts.leaf_sizes import leaf_size


@pytest.mark.parametrize(
    ("n_records", "expected"), [(10, 15), (200, 20), (5_000, 60), (20_000, 15), (10**7, 15)]
)
def test_leaves_are_larger_in_small_tables(n_records: int, expected: int) -> None:
    assert leaf_size(None, n_records, large=15, small=60) == expected


def test_boosted_trees_are_careful_in_tables_of_any_size() -> None:
    settings = [Boosted()._boosting(n) for n in (2_000, 50_000, 10**6)]
    assert settings[0] == settings[1] == settings[2]
    assert Boosted(least_leaf=10, learning_rate=0.3)._boosting(50_000) != settings[1]


def test_a_wanted_leaf_is_kept() -> None:
    assert leaf_size(2, 300, large=15, small=60) == 2


@pytest.mark.slow
@pytest.mark.parametrize("generator", ["cart", "boosted"])
def test_defaults_hardly_show_who_was_in_a_small_table(generator: str) -> None:
    rng = np.random.default_rng(0)
    areas = []
    for seed in range(4):
        common = rng.normal(size=4000)
        people = {
            f"x{i}": np.round(5 * (common + rng.normal(size=4000))).astype(int) for i in range(8)
        }
        members = {name: cells[:2000] for name, cells in people.items()}
        others = {name: cells[2000:] for name, cells in people.items()}
        drawn = mv.Synthesize(generator=generator).protect(members, seed=seed)
        found = mv.Membership().measure(members, drawn, control=others)
        areas.append(found.parts["auc"])
    # Leaves of 15 give 0.58; the standard error of the mean is 0.005.
    assert np.mean(areas) < 0.54
