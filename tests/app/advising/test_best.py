"""The best recipe is one that was run, meets what is required, and loses least."""

from __future__ import annotations

import polars as pl
import pytest

from microveil import app
from microveil.app.advising import Advice, Goal, find_best
from microveil.errors import InputError
from microveil.privacy import KAnonymity, LDiversity, PrivacyModel
from microveil.recipes import Recipe
from microveil.tables import Roles
from microveil.web.project.examples import patients

PEOPLE = patients(300)
ROLES = Roles(
    identifiers=("name",),
    quasi_identifiers=("sex", "age"),
    sensitive=("disease",),
    insensitive=("postcode", "occupation", "visits", "cost"),
)
RECIPE = Recipe(roles=ROLES, require=(KAnonymity(k=5),))


def require(*models: PrivacyModel) -> Recipe:
    return RECIPE.model_copy(update={"require": models})


@pytest.fixture(scope="module")
def advice() -> Advice:
    return find_best(PEOPLE, RECIPE, Goal())


def test_the_best_candidate_meets_the_requirement_by_an_independent_count(advice: Advice) -> None:
    assert advice.best is not None
    released = app.run(advice.best.recipe, PEOPLE, seed=1).data
    assert "name" not in released.columns
    assert (released.group_by("sex", "age").len()["len"] >= 5).all()


def test_no_candidate_that_meets_the_requirement_loses_less(advice: Advice) -> None:
    counted = [one for one in advice.candidates if one.counts]
    assert len(counted) > 5
    assert advice.best is advice.candidates[0]
    assert advice.best.loss == min(one.loss for one in counted if one.loss is not None)


def test_the_figures_of_a_candidate_are_those_of_its_release(advice: Advice) -> None:
    from microveil.risk import ClassSizes
    from microveil.utility import GeneralizationLoss

    certain = [one for one in advice.candidates if one.kind != "local_recoding"]  # draws by chance
    for one in certain[:3]:
        release = app.run(one.recipe, PEOPLE, seed=1)
        risk = ClassSizes().measure(release.table).parts["average_risk"]
        loss = GeneralizationLoss().measure(release.original, release.table).value
        assert one.risk == pytest.approx(risk)
        assert one.loss == pytest.approx(loss)


@pytest.mark.slow
def test_limits_on_risk_and_loss_are_kept_or_the_answer_says_what_is_reached(
    advice: Advice,
) -> None:
    assert advice.best is not None
    safest = min(one.risk for one in advice.candidates if one.counts and one.risk is not None)
    strict = find_best(PEOPLE, RECIPE, Goal(max_risk=safest))
    assert strict.best is not None
    assert strict.best.risk == pytest.approx(safest)
    nothing = find_best(PEOPLE, RECIPE, Goal(max_risk=safest / 100))
    assert nothing.best is None
    assert "at best" in nothing.problem


def test_an_impossible_requirement_is_told_and_every_candidate_says_why() -> None:
    recipe = require(LDiversity(l=50, column="disease"))
    found = find_best(PEOPLE, recipe, Goal())
    assert found.best is None
    assert "requirement" in found.problem
    assert not any(one.holds for one in found.candidates)


def test_what_is_missing_is_said() -> None:
    with pytest.raises(InputError, match="predict"):
        find_best(PEOPLE, RECIPE, Goal(loss="prediction"))


def test_advice_is_for_the_roles_and_requirements_that_were_asked_for(advice: Advice) -> None:
    assert advice.best is not None
    assert advice.fits(RECIPE)
    assert advice.fits(advice.best.recipe)
    assert not advice.fits(require(KAnonymity(k=9)))


def test_no_cell_is_in_the_advice(advice: Advice) -> None:
    told = repr(advice)
    assert not any(name in told for name in PEOPLE.select(pl.col("name").unique())["name"])


def test_a_pandas_frame_is_as_good() -> None:
    few = PEOPLE.head(60)
    recipe = require(KAnonymity(k=3))
    found = find_best(few.to_pandas(), recipe)
    assert found.goal == Goal()
    assert found.best is not None
    assert app.run(found.best.recipe, few, seed=1).holds
