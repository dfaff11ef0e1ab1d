from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from microveil.utility.parts.cell_bins import (
    Bins,
    coarsen,
    column_bins,
    narrow,
    pair_tables,
)


def bins(before: pl.Series, after: pl.Series, n_bins: int = 10) -> Bins:
    return column_bins(before, after, None, n_bins)


def released(found: Bins) -> list[float]:
    """Records of the release in each bin, those of a label by their shares."""
    atoms = np.bincount(found.after, minlength=found.spread.shape[0])
    counts: list[float] = (atoms @ found.spread).tolist()
    return counts


def test_each_value_has_a_bin_and_missing_the_last() -> None:
    found = bins(pl.Series(["b", "a", None]), pl.Series(["a", "new", None]))
    assert found.n_bins == 4
    assert np.bincount(found.before, minlength=4).tolist() == [1, 1, 0, 1]
    assert sorted(released(found)[:3]) == [0, 1, 1]
    assert released(found)[3] == 1


def test_a_label_is_spread_evenly_over_what_it_covers() -> None:
    found = bins(pl.Series(["a", "a", "b"]), pl.Series(["{a, b}", "{a, b}", "a"]))
    assert released(found) == pytest.approx([2, 1, 0])


def test_many_numbers_share_bins_of_about_equal_frequency() -> None:
    numbers = pl.Series(np.arange(100.0))
    found = bins(numbers, numbers, 4)
    assert np.bincount(found.before, minlength=5).tolist() == [25, 25, 25, 25, 0]
    assert found.support is not None
    assert found.support.before.sum() == 100
    spread = bins(numbers, pl.Series(["[0, 49]"] * 100), 4)
    assert released(spread) == pytest.approx([50, 50, 0, 0, 0])


def test_numbers_beyond_the_original_fall_into_the_outer_bins() -> None:
    found = bins(pl.Series([1.0, 2.0]), pl.Series([-5.0, 99.0, float("nan")]))
    assert released(found) == [1, 1, 1]


def test_the_rarest_bins_are_merged_and_no_record_is_lost() -> None:
    before = pl.Series(["a"] * 5 + ["b"] * 3 + ["c", "d"])
    found = coarsen(bins(before, before), 2)
    assert found.n_bins == 3
    assert np.bincount(found.before, minlength=3).tolist() == [5, 5, 0]
    assert released(found) == pytest.approx([5, 5, 0])


def test_pairs_are_counted_on_both_sides_by_weight() -> None:
    one = bins(pl.Series(["a", "b"]), pl.Series(["a", "*"]))
    other = bins(pl.Series(["x", "y"]), pl.Series(["x", "y"]))
    before, after = pair_tables(one, other, (np.array([2.0, 3.0]), None))
    assert before.tolist() == [[2, 0, 0], [0, 3, 0], [0, 0, 0]]
    assert after.tolist() == [[1, 0, 0], [0, 0, 0], [0, 1, 0]]


def test_narrow_bins_are_the_same_bins_in_fewer_bytes() -> None:
    numbers = pl.Series(np.arange(100.0))
    wide = bins(numbers, pl.Series(["[0, 49]"] * 100), 4)
    found = narrow(wide)
    assert found.before.itemsize == found.after.itemsize == 1
    assert found.support is None
    assert released(found) == released(wide)
    for ours, theirs in zip(
        pair_tables(found, found, (None, None)), pair_tables(wide, wide, (None, None)), strict=True
    ):
        assert np.array_equal(ours, theirs)
