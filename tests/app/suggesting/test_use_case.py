from __future__ import annotations

import datetime as dt

import numpy as np
import polars as pl
import pytest

import microveil as mv


def survey(n: int, seed: int = 0) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    start = dt.date(2020, 1, 1)
    return pl.DataFrame(
        {
            "age": rng.integers(18, 90, n),
            "day": [start + dt.timedelta(days=int(days)) for days in rng.integers(0, 900, n)],
            "zip": [f"{code:05d}" for code in rng.integers(8000, 8999, n)],
            "product": rng.choice([f"p{i}" for i in range(60)], n),
            "pay": rng.lognormal(8, 1, n),
        }
    )


ROLES = mv.Roles(quasi_identifiers=["age", "day", "zip", "product"], sensitive=["pay"])


@pytest.mark.parametrize("k", [3, 10])
def test_a_suggestion_keeps_every_record_and_holds(k: int) -> None:
    frame = survey(2000)
    release = mv.run(mv.suggest(frame, ROLES, k=k), frame, seed=1)
    assert release.holds
    assert release.data.height == frame.height


def test_columns_are_coarsened_before_cells_are_blanked() -> None:
    frame = survey(3000)
    recipe = mv.suggest(frame, ROLES, k=5)
    coarsened = {name for step in recipe.steps[:-1] for name in step.touches(mv.Table(frame))}
    assert coarsened >= {"age", "day", "zip"}
    assert recipe.steps[-1].kind() == "local_suppression"


def test_coarse_columns_are_left_as_they_are() -> None:
    frame = pl.DataFrame({"sex": ["f", "m"] * 50, "pay": range(100)})
    recipe = mv.suggest(frame, mv.Roles(quasi_identifiers=["sex"]), k=5)
    assert [step.kind() for step in recipe.steps] == ["local_suppression"]


def test_a_harder_goal_climbs_at_least_as_high() -> None:
    frame = survey(2000)
    widths = []
    for k in (2, 20):
        steps = mv.suggest(frame, ROLES, k=k).steps
        age = next(step for step in steps if "age" in step.touches(mv.Table(frame)))
        widths.append(mv.run(mv.Recipe(steps=[age], undeclared="keep"), frame).table.frame["age"])
    assert widths[1].n_unique() <= widths[0].n_unique()


def test_codes_for_missing_values_are_no_values() -> None:
    frame = survey(1000).with_columns(
        age=pl.when(pl.int_range(pl.len()) % 50 == 0).then(9999).otherwise(pl.col("age"))
    )
    recipe = mv.suggest(frame, ROLES, k=5)
    assert mv.SetMissing(columns=["age"], values=[9999.0]) in recipe.steps
    release = mv.run(recipe, frame, seed=1)
    assert release.holds
