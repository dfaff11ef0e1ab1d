"""The loss is that of the columns, unless analyses or a measure are named."""

from __future__ import annotations

import pytest

from microveil.app.advising.goal import Goal
from microveil.app.advising.usefulness import Usefulness
from microveil.errors import InputError
from microveil.measures.subject import Subject
from microveil.methods import Drop, Round
from microveil.tables import Roles, Table
from tests.app.advising.cases import PEOPLE, ROLES

BEFORE = Table(PEOPLE, ROLES)
AFTER = Table(Round(columns=["cost"], base=100).protect(PEOPLE), ROLES)
SUBJECT = Subject.of(BEFORE, AFTER)


def loss(**goal: object) -> float:
    return Usefulness(Goal.parse(goal), BEFORE).loss(SUBJECT).value


def test_weights_decide_how_much_a_column_counts() -> None:
    even, heavy = loss(), loss(weights={"cost": 9})
    assert 0 < even < heavy
    others = ("sex", "age", "disease", "postcode", "occupation", "visits")
    assert loss(weights=dict.fromkeys(others, 0)) == pytest.approx(7 * even)


def test_named_analyses_are_what_counts() -> None:
    assert loss(analyses=[{"analysis": "table", "by": ["sex"]}]) == 0
    both = loss(analyses=[{"analysis": "table", "by": ["sex"]}], weights={"cost": 1})
    assert both == pytest.approx(loss() / 2)


def test_another_measure_may_be_minimised() -> None:
    assert loss(loss="cell_changes") > loss()


def test_a_floor_is_kept_or_named() -> None:
    floor = {"analysis": "table", "by": ["cost"], "at_least": 0.99}
    useful = Usefulness(Goal.parse({"analyses": [floor]}), BEFORE)
    assert useful.floors_broken(useful.loss(SUBJECT)) == ["table by cost"]
    assert useful.floors_broken(useful.loss(Subject.of(BEFORE, BEFORE))) == []


def test_a_column_that_is_left_out_is_lost() -> None:
    gone = Table(Drop(columns=["age"]).protect(PEOPLE), ROLES.without(["age"]))
    found = Usefulness(Goal(), BEFORE).loss(Subject.of(BEFORE, gone))
    assert found.columns["age"] == 1
    assert found.value == pytest.approx(1 / 7)


def test_without_roles_there_is_nothing_to_keep() -> None:
    with pytest.raises(InputError, match="role"):
        Usefulness(Goal(), Table(PEOPLE, Roles())).loss(SUBJECT)
