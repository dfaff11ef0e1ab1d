from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

import microveil as mv
from microveil.tabulation.protections.cell_keys.noise_rows import NoiseRow
from microveil.tabulation.protections.cell_keys.noise_table import NoiseTable


def frame(n: int = 2000) -> pl.DataFrame:
    rng = np.random.default_rng(3)
    return pl.DataFrame(
        {
            "id": np.arange(n),
            "town": rng.choice(["a", "b", "c", "d"], n),
            "sex": rng.choice(["f", "m"], n),
            "age": rng.integers(0, 9, n),
            "key": rng.random(n),
        }
    )


def test_the_handbook_s_look_up() -> None:
    # Record keys .9, .3 and .6 make the cell key .8, and 3 becomes 4.
    rows = [
        NoiseRow(0, np.array([0]), np.array([1.0])),
        NoiseRow(1, np.array([0, 2]), np.array([0.5, 0.5])),
        NoiseRow(2, np.array([2, 3]), np.array([0.8, 0.2])),
        NoiseRow(3, np.array([2, 3, 4]), np.array([0.3, 0.4, 0.3])),
    ]
    assert NoiseTable(tuple(rows)).look_up(np.array([3]), np.array([0.8])).tolist() == [1]


def test_the_same_people_have_the_same_noise_in_every_table_and_order() -> None:
    protect = mv.CellKeys(record_key="key")
    data = frame()
    one, *_ = mv.tabulate(data, mv.Tabulation(by=["town", "sex"]), protect=protect).frames.values()
    mixed = data.sample(fraction=1.0, shuffle=True, seed=1)
    other, *_ = mv.tabulate(
        mixed, mv.Tabulation(by=["age", "town"]), protect=protect
    ).frames.values()
    alone = one.filter(sex="Total").select("town", "value")
    again = other.filter(age="Total").select("town", "value")
    assert alone.sort("town").equals(again.sort("town"))


def test_no_small_count_appears_and_changes_are_bounded() -> None:
    data = frame(300)
    tables = [mv.Tabulation(by=["town", "sex", "age"])]
    protect = mv.CellKeys(identified_by=["id"], deviation=4, variance=2.0, smallest=2)
    noisy, *_ = mv.tabulate(data, tables, protect=protect).frames.values()
    true, *_ = mv.tabulate(data, tables, rules=[mv.Threshold(n=2)]).frames.values()
    assert noisy.filter(pl.col("value").is_between(1, 2)).is_empty()
    both = noisy.join(true.drop_nulls("value"), on=["town", "sex", "age"])
    assert ((both["value"] - both["value_right"]).abs() <= 4).all()
    assert (both["value"] != both["value_right"]).any()


def test_a_mean_is_that_of_the_perturbed_sum_and_count() -> None:
    """A true mean beside a perturbed count would give the true count back (handbook, 5.7)."""
    tables = [
        mv.Tabulation(by=["town"], value="age", statistic="mean", name="mean"),
        mv.Tabulation(by=["town"], value="age", name="sum"),
        mv.Tabulation(by=["town"], name="count"),
    ]
    made = mv.tabulate(frame(), tables, protect=mv.CellKeys(record_key="key")).frames
    mean, total, count = (made[name]["value"] for name in ("mean", "sum", "count"))
    assert mean.to_list() == pytest.approx((total / count).to_list())
    true = frame().group_by("town").agg(pl.col("age").mean()).sort("town")["age"]
    assert not np.isclose(mean[1:].to_numpy(), true.to_numpy()).any()


def test_a_weighted_mean_is_refused() -> None:
    table = mv.Tabulation(by=["town"], value="age", statistic="mean", weight="key")
    with pytest.raises(mv.InputError, match="without weights"):
        mv.tabulate(frame(), table, protect=mv.CellKeys(record_key="key"))


def test_an_aggregated_table_has_no_keys() -> None:
    table = mv.Tabulation(by=["town"], cells=mv.CellColumns(count="n"))
    with pytest.raises(mv.InputError, match="who is in a cell"):
        mv.tabulate(
            {"town": ["a"], "n": [5], "key": [0.5]}, table, protect=mv.CellKeys(record_key="key")
        )


def test_record_keys_are_named_once() -> None:
    both: dict[str, Any] = {"record_key": "key", "identified_by": ["id"]}
    for wrong in ({}, both):
        with pytest.raises(mv.SpecError, match="record_key"):
            mv.CellKeys(**wrong)
