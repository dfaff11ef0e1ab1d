from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

import microveil as mv

RNG = np.random.default_rng(9)
N = 600
HEIGHTS = RNG.normal(170, 8, N).round(1)
AGES = RNG.integers(20, 60, N)
PEOPLE = pl.DataFrame(
    {
        "sex": RNG.choice(["f", "m"], N),
        "age": [200 if i % 20 == 0 else int(one) for i, one in enumerate(AGES)],
        "height": [9999.0 if i % 50 == 0 else float(one) for i, one in enumerate(HEIGHTS)],
        "cost": RNG.lognormal(7, 1, N).round(2),
        "w": RNG.uniform(2e6, 9e6, N).round(),
    }
)
ROLES = mv.Roles(quasi_identifiers=["sex", "age"], sensitive=["cost"], weight="w")
STEP = mv.Generalize(column="age", hierarchy=mv.Intervals(width=[20]), level=1)


@pytest.mark.parametrize("required", [True, False])
def test_a_run_in_parts_warns_as_one_of_the_whole_file_does(
    tmp_path: Path, *, required: bool
) -> None:
    source = tmp_path / "people.csv"
    PEOPLE.write_csv(source)
    recipe = mv.Recipe(
        roles=ROLES,
        steps=[STEP],
        require=[mv.KAnonymity(k=3)] if required else [],
        undeclared="keep",
    )
    told = {}
    for in_parts in (False, True):
        target = tmp_path / f"out{in_parts}.csv"
        done = mv.run_file(recipe, source, target, in_parts=in_parts, seed=4, attacks=True)
        assert done.in_parts == in_parts
        told[in_parts] = {(one.kind, *one.columns) for one in done.cautions}
    assert told[True] == told[False]
    kinds = {kind for kind, *_ in told[True]}
    expected = {"missing_code", "impossible_age", "impossible_population", "exact_values"}
    assert expected | {"attack_above_ceiling"} <= kinds
