from __future__ import annotations

import polars as pl
import pytest

import microveil as mv
from microveil.methods import Method

N = 100
FRAME = pl.DataFrame(
    {
        "sex": ["f", "m"] * (N // 2),
        "cost": [i * 1.37 for i in range(N)],
        "n": [i % 5 for i in range(N)],
    }
)
ROLES = mv.Roles(quasi_identifiers=["sex"], insensitive=["cost", "n"])


@pytest.mark.parametrize(
    ("step", "columns"),
    [
        (None, ("cost",)),
        (mv.Round(columns=["cost"], base=50), ()),
        (mv.Microaggregate(columns=["cost"], k=5), ()),
        (mv.AdditiveNoise(columns=["cost"], sd_share=0.1), ()),
        (mv.Drop(columns=["cost"]), ()),
    ],
)
def test_exact_values_that_link_are_a_caution_until_a_step_sees_to_them(
    step: Method | None, columns: tuple[str, ...]
) -> None:
    recipe = mv.Recipe(roles=ROLES, steps=() if step is None else (step,))
    release = mv.run(recipe, FRAME, seed=1)
    found = [one.columns for one in release.cautions if one.kind == "exact_values"]
    assert found == ([columns] if columns else [])


def test_the_step_that_is_offered_sees_to_it() -> None:
    release = mv.run(mv.Recipe(roles=ROLES), FRAME)
    (one,) = [one for one in release.cautions if one.kind == "exact_values"]
    offered = mv.Recipe.parse({"roles": ROLES.to_dict(), "steps": [one.details["step"]]})
    assert "exact_values" not in {one.kind for one in mv.run(offered, FRAME).cautions}
