from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import microveil as mv
from microveil.app.suggesting.ceilings import CEILINGS_BY_AUDIENCE
from microveil.app.suggesting.grounds import AUDIENCES, K_BY_AUDIENCE


@pytest.fixture(scope="module")
def people() -> pl.DataFrame:
    rng = np.random.default_rng(3)
    n = 240
    return pl.DataFrame(
        {
            "age": rng.integers(20, 60, n),
            "sex": rng.choice(["f", "m"], n),
            "disease": rng.choice(["flu", "cold", "none"], n),
        }
    )


def test_ceilings_follow_the_risk_that_k_leaves_and_loosen_with_fewer_readers() -> None:
    assert set(CEILINGS_BY_AUDIENCE) == set(AUDIENCES)
    ordered = [CEILINGS_BY_AUDIENCE[one] for one in ("public", "research", "internal")]
    for name in ("singling_out", "linkability", "inference"):
        values = [one[name] for one in ordered]
        assert values == sorted(values)
    for audience, k in K_BY_AUDIENCE.items():
        assert CEILINGS_BY_AUDIENCE[audience]["singling_out"] == pytest.approx(1 / k, abs=0.01)


def test_attacks_below_their_ceiling_are_required_and_the_recipe_was_run(
    people: pl.DataFrame,
) -> None:
    roles = mv.Roles(quasi_identifiers=["age", "sex"], sensitive=["disease"])
    found = mv.propose(people, roles, audience="research", seed=1)
    limited = {one.spec.kind(): one.at_most for one in found.recipe.limits}
    assert limited
    assert limited.items() <= CEILINGS_BY_AUDIENCE["research"].items()
    assert found.release.holds
    assert len(found.release.checks) == 1 + len(limited)
    assert any("El Emam" in reason for reason in found.reasons)


def test_an_attack_above_its_ceiling_is_named_and_not_required(people: pl.DataFrame) -> None:
    # Inference hits whenever the key tells the disease.
    told = people.with_columns(disease=pl.col("sex").replace({"f": "flu", "m": "cold"}))
    roles = mv.Roles(quasi_identifiers=["age", "sex"], sensitive=["disease"])
    found = mv.propose(told, roles, audience="public", seed=1)
    assert "inference" not in {one.spec.kind() for one in found.recipe.limits}
    assert any("not required" in reason for reason in found.reasons)


def test_without_an_audience_no_attack_is_limited(people: pl.DataFrame) -> None:
    found = mv.propose(people, mv.Roles(quasi_identifiers=["age", "sex"]), k=5, seed=1)
    assert not found.recipe.limits
