"""A project: its table, its plan, and what is known of each of its states."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from microveil import app
from microveil.errors import ColumnError
from microveil.files import Labels
from microveil.methods import Drop, LocalSuppression
from microveil.privacy import KAnonymity
from microveil.progress import silent
from microveil.web.project import tasks
from microveil.web.project.plan import ProjectPlan
from microveil.web.project.project import Project, new_name
from tests.web.project.cases import PEOPLE, ROLES, recipe_of


def test_find_me_follows_a_person_through_the_steps(data: Path) -> None:
    opened = tasks.Opened(PEOPLE.height, {}, app.inspect(PEOPLE), Labels())
    project = Project.begin("patients.csv", data, opened)
    recipe = recipe_of(Drop(columns=("name",)), LocalSuppression(k=3))
    project.history.add(ProjectPlan.of(recipe))
    applied = tasks.apply_steps(data, project.states, recipe, project.chance, silent)
    project.effects.update(applied.effects)
    assert project.up_to_date()
    row = PEOPLE.row(0, named=True)
    found = project.find({key: str(row[key]) for key in ROLES.quasi_identifiers})
    assert [one.title for one in found] == ["original", "drop", "local_suppression"]
    assert found[0].n_left == PEOPLE.filter(
        pl.all_horizontal(pl.col(key) == row[key] for key in ROLES.quasi_identifiers)
    ).height  # fmt: skip
    assert found[-1].n_left >= 3


@pytest.fixture
def project(data: Path) -> Project:
    opened = tasks.Opened(PEOPLE.height, {}, app.inspect(PEOPLE), Labels())
    return Project.begin("patients.csv", data, opened)


def test_a_project_begins_with_the_suggested_roles_and_its_own_table(project: Project) -> None:
    assert project.plan.roles == project.inspection.roles
    assert project.frame.equals(PEOPLE)
    assert project.keys() == [project.key]
    assert not project.up_to_date()
    assert project.effect() is None


def test_a_release_has_another_name_when_more_is_asked_of_it(project: Project) -> None:
    before = (project.key, project.verdict_key())
    project.history.add(project.plan.with_require([KAnonymity(k=9)]))
    assert project.key == before[0]
    assert project.verdict_key() != before[1]


def test_a_saved_project_goes_on_where_it_was(project: Project) -> None:
    plan = ProjectPlan.of(recipe_of(Drop(columns=("name",))))
    project.history.add(plan)
    project.pinned["one"] = plan
    saved = project.to_saved(with_data=False)
    project.history.add(ProjectPlan())
    project.pinned.clear()
    project.restore(saved)
    assert (project.plan, project.pinned) == (plan, {"one": plan})
    assert saved.data is None
    assert project.to_saved(with_data=True).data is not None
    project.__dict__["frame"] = pl.DataFrame({"other": [1]})
    with pytest.raises(ColumnError):
        project.restore(saved)


def test_names_of_files_cannot_be_guessed() -> None:
    names = {new_name(".csv") for _ in range(50)}
    assert len(names) == 50
    assert all(name.endswith(".csv") and len(name) == 20 for name in names)
