from __future__ import annotations

import numpy as np
import polars as pl

import microveil as mv
from microveil.release.attacks import CEILINGS, attack_release
from microveil.reports.summarizing import summarize

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


def test_cautions_and_reports_tell_one_number_of_an_attack() -> None:
    release = mv.run(mv.Recipe(roles=ROLES, steps=[mv.Mondrian(k=3)]), people(), seed=1)
    scores = summarize(release).risk_scores
    assert scores is not None
    assert release.attacks
    for one in release.attacks:
        assert scores[one.details["require"]["measure"]]["after"]["value"] == one.details["risk"]


def test_a_report_attacks_with_the_settings_of_the_limit() -> None:
    limit = {"measure": "singling_out", "n_attacks": 30, "at_most": 1}
    recipe = mv.Recipe.parse({"roles": ROLES.to_dict(), "require": [limit]})
    release = mv.run(recipe, people(), seed=1)
    scores = summarize(release).risk_scores
    assert scores is not None
    assert scores["singling_out"]["after"]["value"] == release.checks[0].achieved


def test_the_inferred_column_is_named() -> None:
    frame = people().with_columns(age=pl.int_range(N) % 9, sex=pl.lit("f"))
    frame = frame.with_columns(group=pl.col("age") + 40)
    roles = mv.Roles(quasi_identifiers=["age", "sex"], insensitive=["cost", "group"])
    found = {
        one.details["require"]["measure"]: one
        for one in mv.run(mv.Recipe(roles=roles), frame).attacks
    }
    told = found["inference"]
    assert "sensitive" not in told.sentence
    assert told.sentence.startswith("Inferring column 'group' succeeds")
