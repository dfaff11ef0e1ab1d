"""The best recipe is one that was run, meets what is required, and loses least."""

from __future__ import annotations

import polars as pl
import pytest

from microveil import app
from microveil.errors import InputError
from microveil.hierarchies import Intervals
from microveil.methods import Drop, Generalize, Round
from microveil.privacy import KAnonymity, LDiversity
from microveil.progress import silent
from microveil.tables import Roles
from microveil.web.project.candidates import Advice, Goal, candidates, find_best
from microveil.web.project.examples import patients
from microveil.web.project.plan import Item, Plan

PEOPLE = patients(300)
ROLES = Roles(
    identifiers=("name",),
    quasi_identifiers=("sex", "age"),
    sensitive=("disease",),
    insensitive=("postcode", "occupation", "visits", "cost"),
)
PLAN = Plan(roles=ROLES, require=(KAnonymity(k=5),))


@pytest.fixture(scope="module")
def advice() -> Advice:
    return find_best(PEOPLE, PLAN, Goal(), silent)


def test_the_best_candidate_meets_the_requirement_by_an_independent_count(advice: Advice) -> None:
    assert advice.best is not None
    released = app.run(advice.best.plan.recipe, PEOPLE, seed=1).data
    assert "name" not in released.columns
    assert int(released.group_by("sex", "age").len()["len"].min()) >= 5


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
        release = app.run(one.plan.recipe, PEOPLE, seed=1)
        risk = ClassSizes().measure(release.table).parts["average_risk"]
        loss = GeneralizationLoss().measure(release.original, release.table).value
        assert one.risk == pytest.approx(risk)
        assert one.loss == pytest.approx(loss)


def test_limits_on_risk_and_loss_are_kept_or_the_answer_says_what_is_reached(
    advice: Advice,
) -> None:
    assert advice.best is not None
    safest = min(one.risk for one in advice.candidates if one.counts and one.risk is not None)
    strict = find_best(PEOPLE, PLAN, Goal(max_risk=safest), silent)
    assert strict.best is not None
    assert strict.best.risk == pytest.approx(safest)
    nothing = find_best(PEOPLE, PLAN, Goal(max_risk=safest / 100), silent)
    assert nothing.best is None
    assert "at best" in nothing.problem


def test_an_impossible_requirement_is_told_and_every_candidate_says_why() -> None:
    plan = PLAN.with_require([LDiversity(l=50, column="disease")])
    found = find_best(PEOPLE, plan, Goal(), silent)
    assert found.best is None
    assert "requirement" in found.problem
    assert not any(one.holds for one in found.candidates)


def test_without_a_requirement_k_is_required() -> None:
    tried = candidates(PEOPLE, PLAN.with_require([]), Goal(k=7))
    assert {one.plan.require for one in tried} == {(KAnonymity(k=7),)}


def test_steps_beside_the_keys_stay_and_own_hierarchies_are_used() -> None:
    decades = Intervals(width=10)
    items = (
        Item(step=Drop(columns=("name",))),
        Item(step=Round(columns=("cost",), base=10)),
        Item(step=Generalize(column="age", hierarchy=decades, level=1)),
    )
    tried = candidates(PEOPLE, PLAN.model_copy(update={"items": items}), Goal())
    assert tried[0].plan.recipe.steps == tuple(item.step for item in items)
    for one in tried[1:]:
        kinds = [step.kind() for step in one.plan.recipe.steps]
        assert kinds[:2] == ["drop", "round"]
    search = next(one for one in tried if one.kind == "local_recoding")
    assert search.plan.recipe.steps[-1].hierarchies == {"age": decades}  # type: ignore[attr-defined]


def test_no_two_candidates_are_the_same() -> None:
    tried = candidates(PEOPLE, PLAN, Goal())
    recipes = [one.plan.recipe.to_yaml() for one in tried]
    assert len(set(recipes)) == len(recipes)


def test_what_is_missing_is_said() -> None:
    with pytest.raises(InputError, match="keys"):
        candidates(PEOPLE, Plan(), Goal())
    with pytest.raises(InputError, match="predict"):
        find_best(PEOPLE, PLAN, Goal(loss="prediction"), silent)


def test_advice_is_for_the_roles_and_requirements_that_were_asked_for(advice: Advice) -> None:
    assert advice.best is not None
    assert advice.fits(PLAN)
    assert advice.fits(advice.best.plan)
    assert not advice.fits(PLAN.with_require([KAnonymity(k=9)]))


def test_no_cell_is_in_the_advice(advice: Advice) -> None:
    told = repr(advice)
    assert not any(name in told for name in PEOPLE.select(pl.col("name").unique())["name"])
