"""Values are changed only where limits on measures may ask for it."""

from __future__ import annotations

import pytest

from microveil.app.advising.families import FAMILIES
from microveil.app.advising.goal import Goal
from microveil.app.advising.situation import Situation
from microveil.tables import Roles
from tests.app.advising.cases import K5, LINKED, PEOPLE, situation

BESIDE = ["microaggregate", "rank_swap", "additive_noise", "shuffle", "pram"]


@pytest.mark.parametrize("name", BESIDE)
def test_amounts_and_categories_beside_the_keys_are_changed_for_ceilings_alone(name: str) -> None:
    family = FAMILIES[name]
    assert not family.suits(situation())
    here = situation(require=[K5, LINKED])
    assert family.suits(here)
    (step,) = family.steps(here, next(iter(family.starts(here))))
    assert not set(step.touches(here.table)) & set(here.keys)
    assert step.perturbative


def test_an_untouched_column_is_left_alone() -> None:
    here = situation(require=[K5, LINKED], untouched=["cost"])
    (step,) = FAMILIES["rank_swap"].steps(here, (0.05,))
    assert step.touches(here.table) == ("visits",)


def test_keys_are_changed_where_no_model_counts_classes() -> None:
    assert not FAMILIES["perturb_keys"].suits(situation(require=[K5, LINKED]))
    here = situation(require=[LINKED])
    touched = [name for s in FAMILIES["perturb_keys"].steps(here, (0.9,)) for name in s.columns]  # type: ignore[attr-defined]  # both have columns
    assert sorted(touched) == ["age", "sex"]


def test_keys_are_averaged_where_most_are_numbers() -> None:
    (step,) = FAMILIES["microaggregate_keys"].steps(situation(), (2, "mdav", "median"))
    assert step.to_dict()["k"] == 10
    assert step.to_dict()["distance"] == "gower"
    assert step.to_dict()["aggregation"] == {"age": "median"}


def test_groups_are_refined_where_all_keys_are_numbers() -> None:
    family = FAMILIES["microaggregate_keys"]
    roles = Roles(quasi_identifiers=("age", "cost"))
    here = Situation.of(PEOPLE, roles, Goal.parse({"require": [K5]}), None)
    assert (1, "refined", "median") in family.starts(here)
    assert (1, "refined", "median") not in family.starts(situation())
    (step,) = family.steps(here, (1, "refined", "median"))
    assert step.to_dict()["algorithm"] == "refined"
    assert family.cost_of(here, (1, "refined", "auto")) > family.cost_of(here, (1, "mdav", "auto"))


def test_places_are_swapped_where_a_key_is_one() -> None:
    assert not FAMILIES["swap_records"].suits(situation(require=[LINKED]))
