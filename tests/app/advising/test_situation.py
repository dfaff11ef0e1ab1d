"""What a goal and a table mean for the recipes to try."""

from __future__ import annotations

import pytest

from microveil.app.advising.goal import Goal
from microveil.app.advising.situation import Situation
from microveil.errors import InputError
from microveil.methods import Drop, LocalSuppression, Round
from microveil.recipes import Recipe
from microveil.tables import Roles
from tests.app.advising.cases import K5, LINKED, PEOPLE, ROLES, situation


def test_names_go_first_and_nothing_else_is_done_unasked() -> None:
    here = situation()
    assert here.first(truly=False) == (Drop(columns=["name"]),)
    assert here.keys == ("sex", "age")
    assert here.contents == ("disease", "postcode", "occupation", "visits", "cost")
    assert here.numbers_in(here.contents) == ("visits", "cost")


def test_exact_amounts_are_blurred_for_the_public_unless_they_stay_untouched() -> None:
    assert len(situation(audience="public").first(truly=False)) > 1
    assert len(situation(audience="public", untouched=["cost"]).first(truly=False)) == 1


def test_true_blurs_are_coarse_and_never_wrong() -> None:
    here = situation(audience="public", truthful=True)
    assert not any(step.perturbative for step in here.first(truly=False))
    assert here.first(truly=False) == here.first(truly=True)


def test_ids_of_people_go_first_and_of_households_last() -> None:
    frame = PEOPLE.with_columns(home=PEOPLE["age"].rank("ordinal") // 2)
    roles = Roles(quasi_identifiers=["sex", "age"], household="home", identifiers=["name"])
    here = Situation.of(frame, roles, Goal(require=[K5]), None)
    assert here.last == (Drop(columns=["home"]),)


def test_steps_that_touch_no_key_stay() -> None:
    kept = Round(columns=["cost"], base=10)
    base = Recipe(roles=ROLES, steps=[kept, LocalSuppression(k=2)])
    here = Situation.of(PEOPLE, ROLES, Goal(require=[K5]), base)
    assert here.first(truly=False) == (Drop(columns=["name"]), kept)


def test_an_untouched_key_has_no_rung() -> None:
    ladders = situation(untouched=["age"]).climbing.ladders
    assert len(ladders[1].rungs) == 1
    assert len(situation().climbing.ladders[1].rungs) > 1


def test_a_given_hierarchy_makes_the_ladder() -> None:
    here = situation(hierarchies={"age": {"hierarchy": "intervals", "width": [10, 20, 40]}})
    assert len(here.climbing.ladders[1].usable) == 5  # exact, three widths, left out


def test_hopeless_goals_are_told() -> None:
    with pytest.raises(InputError, match="fewer than k = 500"):
        situation(require=[{"model": "k_anonymity", "k": 500}])
    with pytest.raises(InputError, match="quasi-identifiers first"):
        Situation.of(PEOPLE, Roles(), Goal(require=[K5]), None)
    with pytest.raises(InputError, match="nothing would be left"):
        Situation.of(PEOPLE, Roles(identifiers=["name"]), Goal(), None)
    assert Situation.of(PEOPLE, ROLES, Goal(require=[LINKED]), None).k == 5
