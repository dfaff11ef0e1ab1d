"""A saved project holds the plan and no value of a record, unless asked."""

from __future__ import annotations

import json

import polars as pl
import pytest

from microveil.errors import InputError, SpecError
from microveil.methods import Drop, Mondrian
from microveil.privacy import KAnonymity
from microveil.tables import Roles
from microveil.web.project.plan import ProjectPlan
from microveil.web.project.saved import SavedProject, opened_project, pack_frame

PLAN = ProjectPlan(
    roles=Roles(identifiers=["name"], quasi_identifiers=["age"]),
    require=(KAnonymity(k=5),),
).with_step(Drop(columns=("name",)))


def test_a_project_comes_back_as_it_was() -> None:
    saved = SavedProject(
        source="a.csv", plan=PLAN.switch(0), pinned={"x": PLAN.with_step(Mondrian(k=5))}
    )
    assert opened_project(saved.to_text()) == saved


def test_without_data_no_value_is_in_the_file() -> None:
    assert json.loads(SavedProject(plan=PLAN).to_text())["data"] is None
    assert SavedProject(plan=PLAN).frame() is None


def test_with_data_they_come_back_exactly() -> None:
    frame = pl.DataFrame({"name": ["Ольга", None], "age": [31, 32]})
    saved = opened_project(SavedProject(plan=PLAN, data=pack_frame(frame)).to_text())
    found = saved.frame()
    assert found is not None
    assert found.equals(frame)


def test_damaged_data_are_told() -> None:
    with pytest.raises(InputError, match="cannot be read"):
        SavedProject(data="AAAA").frame()


def test_a_newer_format_is_refused() -> None:
    with pytest.raises(SpecError, match="microveil_project"):
        opened_project('{"microveil_project": 99}')


def test_a_recipe_is_a_project_too() -> None:
    assert opened_project(PLAN.recipe.to_yaml()).plan == PLAN
