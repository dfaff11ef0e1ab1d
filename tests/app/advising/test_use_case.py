"""Say the goal, get the recipe: for every kind of table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

from microveil import app
from microveil.app.advising import Goal, advise
from microveil.errors import InputError
from microveil.methods import Round
from microveil.privacy import KAnonymity
from microveil.progress import silent
from microveil.recipes import Recipe
from microveil.tables import Roles
from tests.app.advising.cases import K5, PEOPLE, found

QUICK: dict[str, Any] = {"seconds": 600, "work": 1.5, "seed": 3, "progress": silent}
FEW = PEOPLE.head(120).select("sex", "age", "disease", "cost")
KEYS = Roles(quasi_identifiers=["sex", "age"], sensitive=["disease"], insensitive=["cost"])


def test_the_best_recipe_holds_by_an_independent_count() -> None:
    released = app.run(found().recipe, PEOPLE, seed=1).data
    assert "name" not in released.columns
    assert (released.group_by("sex", "age").len()["len"] >= 5).all()


def test_no_recipe_that_was_tried_and_holds_loses_less() -> None:
    advice = found()
    able = [one.loss for one in advice.candidates if one.counts and one.loss is not None]
    assert advice.best is not None
    assert advice.best.loss == pytest.approx(min(able))


def test_roles_come_from_an_inspection_if_none_are_given() -> None:
    assert advise(FEW, goal="internal", **QUICK).holds


def test_a_recipe_is_tried_and_its_other_steps_stay() -> None:
    kept = Round(columns=["cost"], base=50)
    recipe = Recipe(roles=KEYS, steps=[kept], require=[KAnonymity(k=3)])
    advice = advise(FEW, goal=Goal(), recipe=recipe, **QUICK)
    assert kept in advice.recipe.steps
    assert any(one.kind == "" for one in advice.candidates)
    assert advice.fits(recipe)


def test_finished_trials_are_found_again(tmp_path: Path) -> None:
    goal = Goal(require=[K5])
    one = advise(FEW, KEYS, goal, resume=tmp_path, **QUICK)
    n_files = len(list(tmp_path.iterdir()))
    other = advise(FEW, KEYS, goal, resume=tmp_path, **QUICK)
    assert n_files == len(list(tmp_path.iterdir())) > 3
    assert one.recipes == other.recipes


@pytest.mark.slow
@pytest.mark.parametrize("missing", ["category", "wildcard"])
@pytest.mark.parametrize(
    "more",
    [
        {"entity": "who"},
        {"household": "who"},
        {"weight": "w"},
        {"strata": ["area"]},
        {"scenarios": {"colleague": ["age", "disease"]}},
    ],
    ids=lambda more: next(iter(more)),
)
def test_people_households_weights_strata_and_scenarios(more: dict[str, Any], missing: Any) -> None:
    frame = FEW.with_columns(
        who=pl.int_range(FEW.height) // 2,
        w=1.0 + pl.int_range(FEW.height) % 3,
        area=pl.Series(["n", "s"] * (FEW.height // 2)),
    )
    used = [name for one in more.values() for name in ([one] if isinstance(one, str) else one)]
    there = [name for name in used if name in ("who", "w", "area")]
    roles = Roles.parse(KEYS.to_dict() | more)
    goal = Goal(require=[{"model": "k_anonymity", "k": 3}], missing=missing)
    advice = advise(frame.select(*FEW.columns, *there), roles, goal, **QUICK)
    assert advice.holds, advice.problem
    for one in advice.offers:
        again = app.run(one.candidate.recipe, frame.select(*FEW.columns, *there), seed=3)
        assert again.holds
        assert one.release is not None
        assert again.data.equals(one.release.data)


def test_if_nothing_fits_the_requirement_to_relax_is_told() -> None:
    goal = Goal(require=[{"model": "k_anonymity", "k": 3}], max_loss=1.0, untouched=["age", "sex"])
    advice = advise(FEW, KEYS, goal, **QUICK)
    assert not advice.holds
    assert "Relax '3-anonymity' from 3 to 1" in advice.problem


@pytest.mark.parametrize(
    ("goal", "told"),
    [
        ("everybody", "There is no audience"),
        (Goal(weights={"agee": 1}), "Did you mean 'age'"),
        (Goal(require=[{"model": "k_anonymity", "k": 5000}]), "fewer than k"),
        (
            Goal(require=[{"measure": "class_sizes", "part": "average_risk", "at_most": 1e-9}]),
            "even a table without a value",
        ),
    ],
)
def test_what_cannot_be_is_told_in_a_sentence(goal: Any, told: str) -> None:
    with pytest.raises(InputError, match=told):
        advise(FEW, KEYS, goal, **QUICK)


def test_too_little_time_is_told() -> None:
    with pytest.raises(InputError, match="too short"):
        advise(FEW, KEYS, Goal(require=[K5]), seconds=0.01, progress=silent)
