from __future__ import annotations

import numpy as np
import polars as pl

import microveil as mv
from microveil.app.inspection import inspect
from microveil.app.suggesting.exact_values import blur_exact_values, rounding_base


def steps_for(values: pl.Series) -> list[mv.Method]:
    frame = values.to_frame()
    roles = mv.Roles(sensitive=[values.name])
    return [step for step, _ in blur_exact_values(frame, inspect(frame), roles, 5)]


def test_exact_costs_no_longer_single_out_records() -> None:
    rng = np.random.default_rng(0)
    costs = pl.Series("cost", rng.lognormal(7, 1, 2000))
    (step,) = steps_for(costs)
    after = step.protect(costs.to_frame(), seed=1)["cost"]
    counts = after.unique_counts()
    assert counts.filter(counts >= 5).sum() >= 0.9 * len(costs)
    assert abs(float(np.corrcoef(costs, after)[0, 1])) > 0.9


def test_codes_and_repeated_numbers_stay() -> None:
    assert steps_for(pl.Series("cost", [1, 2, 3, 4, 5] * 20)) == []
    assert steps_for(pl.Series("note", [f"text {n}" for n in range(100)])) == []


def test_whole_numbers_are_rounded_to_whole_numbers() -> None:
    base = rounding_base(pl.Series(np.arange(2000)), 5)
    assert base is not None
    assert base == int(base) >= 5


def test_weights_that_number_households_are_made_alike() -> None:
    rng = np.random.default_rng(1)
    household = np.repeat(np.arange(300), 3)
    frame = pl.DataFrame(
        {
            "hh": household,
            "w": rng.gamma(6, 60, 300).round(2)[household],
            "area": np.repeat(["a", "b", "c"], 300),
        }
    )
    roles = mv.Roles(household="hh", weight="w", strata=["area"])
    ((step, reason),) = blur_exact_values(frame, inspect(frame), roles, 5)
    after = step.apply(mv.Table(frame, roles), rng).table.frame
    sizes = after.group_by("w").agg(pl.col("hh").n_unique())["hh"]
    assert sizes.filter(sizes >= 5).sum() >= 0.95 * 300
    assert abs(after["w"].to_numpy().sum() / frame["w"].to_numpy().sum() - 1) < 0.01
    assert "households" in reason
    shared = frame.with_columns(w=pl.lit(4.5))
    assert not list(blur_exact_values(shared, inspect(shared), roles, 5))


def test_incomes_of_households_show_nobody_who_lives_together() -> None:
    rng = np.random.default_rng(2)
    household = np.repeat(np.arange(300), 4)
    income = rng.lognormal(8, 0.6, 300).round(2)[household]
    frame = pl.DataFrame({"hh": household, "income": income, "own": rng.integers(0, 9, 1200)})
    roles = mv.Roles(household="hh", sensitive=["income"], insensitive=["own"])
    ((step, reason),) = blur_exact_values(frame, inspect(frame), roles, 5)
    after = step.apply(mv.Table(frame, roles), rng).table.frame
    homes = after.group_by("income").agg(pl.col("hh").n_unique())["hh"]
    assert homes.filter(homes >= 5).sum() >= 0.9 * 300
    assert "lives together" in reason or "live" in reason
