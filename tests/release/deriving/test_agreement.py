"""Agreement is measured beyond chance, in samples as in full."""

from __future__ import annotations

import numpy as np
import polars as pl

from microveil.release.deriving.agreement import NONE, SAMPLE, measure_agreement


def chance_of(codes: pl.Series) -> float:
    shares = codes.value_counts()["count"].to_numpy() / len(codes)
    return float((shares**2).sum())


def test_unrelated_columns_agree_as_by_chance() -> None:
    rng = np.random.default_rng(1)
    column, codes = pl.Series(rng.integers(0, 50, 5_000)), pl.Series(rng.integers(0, 4, 5_000))
    assert abs(measure_agreement(column, codes, chance_of(codes)).beyond_chance) < 0.05


def test_a_few_errors_lower_agreement_a_little() -> None:
    codes = pl.Series(np.arange(4_000) // 4 % 10)
    column = pl.Series(np.arange(4_000) // 4)
    dirty = codes.clone()
    dirty[0] = 7
    found = measure_agreement(column, dirty, chance_of(dirty))
    assert found.groups_share == 999 / 1_000
    assert 0.99 < found.beyond_chance < 1
    assert found.mean_size == 4


def test_a_small_table_may_agree_by_luck() -> None:
    codes = pl.Series([1, 1, 2])
    assert measure_agreement(pl.Series(["a", "a", "b"]), codes, chance_of(codes)) == NONE


def test_values_of_one_record_say_nothing() -> None:
    codes = pl.Series([1, 2] * 50)
    assert measure_agreement(pl.Series(range(100)), codes, 0.5) == NONE


def test_large_tables_are_judged_by_samples_first_with_the_same_result() -> None:
    n = 3 * SAMPLE
    homes, towns = pl.Series(np.arange(n) // 3), pl.Series(np.arange(n) // 3 % 7)
    assert measure_agreement(homes, towns, chance_of(towns)).groups_share == 1
    rng = np.random.default_rng(1)
    assert measure_agreement(homes, pl.Series(rng.integers(0, 7, n)), 1 / 7) == NONE
