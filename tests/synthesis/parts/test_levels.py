from __future__ import annotations

from itertools import pairwise

import numpy as np

from microveil.synthesis.parts.levels import CategoryLevels, NumberLevels


def test_few_numbers_have_a_level_each_and_missing_one_of_its_own() -> None:
    levels = NumberLevels.of(np.array([5.0, 1.0, np.nan, 9.0, 1.0]))
    assert levels.of_cells(np.array([1.0, 5.0, 9.0, np.nan])).tolist() == [1, 2, 3, 0]
    # Numbers nobody had fall to the nearer neighbour.
    assert levels.of_cells(np.array([-3.0, 4.0, 99.0])).tolist() == [1, 2, 3]


def test_many_numbers_share_levels_of_about_equal_size() -> None:
    numbers = np.random.default_rng(0).normal(size=20_000)
    found = NumberLevels.of(numbers).of_cells(numbers)
    counts = np.bincount(found, minlength=256)[1:]
    assert counts.min() > 60
    assert counts.max() < 100
    assert (np.diff(found[np.argsort(numbers)]) >= 0).all()


def test_a_spike_does_not_leave_levels_empty() -> None:
    numbers = np.concatenate([np.zeros(10_000), np.arange(1.0, 1001.0)])
    found = NumberLevels.of(numbers).of_cells(numbers)
    assert set(found[:10_000]) == {1}
    assert len(np.unique(found)) > 20


def test_categories_are_sorted_by_the_mean_of_a_number() -> None:
    codes = np.array([0, 1, 2, 0, 1, 2, -1], dtype=np.int32)
    target = np.array([5.0, 1.0, 3.0, 5.0, 1.0, 3.0, 9.0])
    levels = CategoryLevels.of(codes, 3, target)
    assert levels.of_cells(np.array([1, 2, 0, -1], dtype=np.int32)).tolist() == [0, 1, 2, 3]


def test_categories_that_go_with_the_same_classes_are_neighbours() -> None:
    codes = np.tile(np.arange(6, dtype=np.int32), 50)
    classes = (codes % 2).astype(np.int32)
    found = CategoryLevels.of(codes, 6, classes).of_code[:6]
    odd = sorted(found[1::2].tolist())
    assert odd[-1] - odd[0] <= 3
    assert {abs(int(a) - int(b)) for a, b in pairwise(odd)} == {1}


def test_thousands_of_categories_share_levels() -> None:
    codes = np.random.default_rng(0).integers(0, 5000, 20_000).astype(np.int32)
    levels = CategoryLevels.of(codes, 5000, codes.astype(np.float64))
    found = levels.of_cells(codes)
    assert 200 < len(np.unique(found)) <= 256
    assert (np.diff(found[np.argsort(codes)].astype(int)) >= 0).all()
