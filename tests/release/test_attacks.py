from __future__ import annotations

import numpy as np
import polars as pl

import microveil as mv
from microveil.release.attacks import CEILINGS, attack_release

N = 300
ROLES = mv.Roles(quasi_identifiers=["age", "sex"], sensitive=["cost"])


def people(n: int = N) -> pl.DataFrame:
    draws = np.random.default_rng(1)
    return pl.DataFrame(
        {
            "age": draws.integers(18, 90, n),
            "sex": draws.choice(["f", "m"], n),
            "cost": draws.lognormal(7, 1, n).round(2),
        }
    )


def test_attacks_above_their_ceiling_are_cautions_that_offer_a_requirement() -> None:
    release = mv.run(mv.Recipe(roles=ROLES, steps=[mv.Mondrian(k=3)]), people(), seed=1)
    found = {one.details["require"]["measure"]: one for one in release.attacks}
    assert "singling_out" in found
    one = found["singling_out"]
    assert one.details["risk"] > one.details["ceiling"] == CEILINGS["singling_out"]
    asked = mv.Recipe.parse(
        {
            "roles": ROLES.to_dict(),
            "steps": [{"method": "mondrian", "k": 3}],
            "require": [dict(one.details["require"])],
        }
    )
    again = mv.run(asked, people(), seed=1)
    assert not again.holds
    assert "singling_out" not in {one.name for one in attack_release(again)}


def test_the_public_is_told_no_number_of_an_attack() -> None:
    release = mv.run(mv.Recipe(roles=ROLES, steps=[mv.Mondrian(k=3)]), people(), seed=1)
    for one in release.attacks:
        assert "between" in one.sentence
        assert "between" not in one.for_the_public


def test_a_release_that_says_nothing_is_not_warned_of() -> None:
    frame = people().with_columns(cost=pl.lit(1), age=pl.lit(1), sex=pl.lit("f"))
    assert mv.run(mv.Recipe(roles=ROLES), frame).attacks == ()


def test_few_records_prove_nothing() -> None:
    assert attack_release(mv.run(mv.Recipe(roles=ROLES), people(20))) == ()
