"""What a click does to a session: jobs that find, look and cancel."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

import polars as pl
import pytest

import microveil as mv
from microveil.app.advising import Goal
from microveil.errors import InputError
from microveil.hierarchies import Dates
from microveil.methods import Drop, Generalize, OptimalGeneralization
from microveil.privacy import KAnonymity
from microveil.tables import Roles
from microveil.web import actions
from microveil.web.jobs import JobState, Workers
from microveil.web.project.examples import patients
from microveil.web.project.plan import ProjectPlan
from microveil.web.project.saved import opened_project
from microveil.web.sessions import Sessions, WebSession

ROLES = Roles(identifiers=("name",), quasi_identifiers=("sex", "age"), sensitive=("disease",))


@pytest.fixture(scope="module")
def session() -> Iterator[WebSession]:
    """A session with a small file open, and a requirement."""
    workers = Workers()
    sessions = Sessions(workers)
    found = sessions.new()
    found.upload, found.upload_name = found.folder / "people.csv", "people.csv"
    patients(150).write_csv(found.upload)
    actions.read_upload(found)
    worked(found)
    plan = ProjectPlan(roles=ROLES, require=(KAnonymity(k=3),))
    actions.change(found, plan)
    worked(found)
    yield found
    sessions.close()
    workers.close()


def worked(session: WebSession) -> None:
    assert session.job is not None
    assert session.job.ended.wait(300)  # kernels may have to be compiled first
    while session.busy:  # a job may be followed by another one
        assert session.job.ended.wait(300)


def test_the_best_recipe_is_found_and_taken_over_and_undone(session: WebSession) -> None:
    project = actions.project_of(session)
    before = project.plan
    actions.find_best(session, Goal())
    worked(session)
    assert project.advice is not None
    assert project.advice.best is not None
    actions.take_over(session, project.advice.best)
    worked(session)
    effect = project.effect()
    assert effect is not None
    assert effect.k is not None
    assert effect.k >= 3
    assert project.advice.fits(project.recipe)
    actions.undo(session)
    assert project.plan == before


def test_a_search_that_is_cancelled_leaves_everything_as_it_was(session: WebSession) -> None:
    project = actions.project_of(session)
    before = (project.plan, project.advice)
    actions.find_best(session, Goal(max_loss=0.5))
    assert session.job is not None
    session.cancel()
    worked(session)
    assert session.job.state is JobState.cancelled
    assert (project.plan, project.advice) == before


def test_a_node_of_a_search_is_looked_at_behind_a_step_that_is_off(session: WebSession) -> None:
    project = actions.project_of(session)
    plan = project.plan.with_step(Drop(columns=("name",))).with_step(OptimalGeneralization(k=3))
    actions.change(session, plan.switch(0))
    worked(session)
    actions.look_at_node(session, 1, {"sex": 1, "age": 1})
    worked(session)
    seen = project.surroundings[project.key]
    assert seen.node.levels == {"sex": 1, "age": 1}
    actions.undo(session)


def test_a_change_that_ends_a_search_says_so_on_every_page(session: WebSession) -> None:
    project = actions.project_of(session)
    actions.find_best(session, Goal(max_loss=0.4))
    searching = session.job
    actions.change(session, project.plan.with_step(Drop(columns=("cost",))))
    worked(session)
    assert searching is not None
    assert searching.state is JobState.cancelled
    assert session.notice is not None
    assert session.notice.text == "job.ended"
    assert all(session.notice.belongs_to(page) for page in ("roles", "protect"))
    actions.undo(session)


def test_steps_taken_on_the_way_to_a_release_are_worked_out(session: WebSession) -> None:
    project = actions.project_of(session)
    kept = OptimalGeneralization(k=3, suppression_share=0.5)
    steps = (Drop(columns=("name", "postcode", "occupation", "visits", "cost")), kept)
    project.history.add(ProjectPlan.of(mv.Recipe(roles=ROLES, steps=steps)))
    assert not project.up_to_date()
    actions.check(session)
    worked(session)
    assert project.up_to_date()
    assert project.key in project.lattices
    actions.undo(session)


def test_two_jobs_at_a_time_are_refused(session: WebSession) -> None:
    actions.find_best(session, Goal())
    with pytest.raises(InputError, match="One thing at a time"):
        actions.find_best(session, Goal())
    session.cancel()
    worked(session)


def test_without_a_file_there_is_nothing_to_do() -> None:
    workers = Workers()
    sessions = Sessions(workers)
    with pytest.raises(InputError, match="Open a file"):
        actions.find_best(sessions.new(), Goal())
    sessions.close()
    workers.close()


@pytest.fixture
def stays() -> Iterator[WebSession]:
    """A session with a file of dates as people write them, and a code that looks like a number."""
    workers = Workers()
    sessions = Sessions(workers)
    found = sessions.new()
    found.upload, found.upload_name = found.folder / "stays.csv", "stays.csv"
    days = [date(1950, 1, 3) + timedelta(days=11 * n) for n in range(120)]
    rows = [f"{day:%d/%m/%Y};{n % 3}.50;{'fm'[n % 2]}" for n, day in enumerate(days)]
    found.upload.write_text("\n".join(["birth;code;sex", *rows]) + "\n", encoding="latin-1")
    actions.read_upload(found)
    worked(found)
    yield found
    sessions.close()
    workers.close()


@pytest.mark.slow
def test_recipe_script_and_project_read_the_file_as_the_app_did(
    stays: WebSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert actions.project_of(stays).frame.schema["birth"] == pl.Date
    actions.read_again(stays, {"types": {"code": "text"}})
    worked(stays)
    project = actions.project_of(stays)
    assert project.frame["code"][0] == "0.50"
    year = Generalize(column="birth", hierarchy=Dates(levels=("day", "year")), level="year")
    roles = Roles(quasi_identifiers=("birth", "sex"), insensitive=("code",))
    plan = ProjectPlan(roles=roles, require=(KAnonymity(k=2),)).with_step(year)
    actions.change(stays, plan)
    worked(stays)
    actions.release(stays, ".csv")
    worked(stays)
    made = project.made[project.verdict_key()]
    assert made.holds, made
    assert set(made.files) >= {"recipe", "script", "data"}
    folder = next(stays.folder.glob("*/recipe.yaml")).parent
    recipe = mv.Recipe.read(folder / "recipe.yaml")
    assert recipe.reading.to_dict() == {"code": "text", "birth": "%d/%m/%Y"}

    assert stays.upload is not None
    source = tmp_path / "stays.csv"
    source.write_bytes(stays.upload.read_bytes())
    wanted = _rows(folder / "released.csv")
    mv.run_file(recipe, source, tmp_path / "run.csv")
    assert _rows(tmp_path / "run.csv") == wanted
    monkeypatch.chdir(tmp_path)
    exec(compile((folder / "release.py").read_text(encoding="utf-8"), "release.py", "exec"), {})  # noqa: S102
    assert _rows(tmp_path / "released.csv") == wanted

    saved = opened_project(project.to_saved(with_data=False).to_text())
    assert saved.reading == recipe.reading
    actions.read_again(stays, {})
    worked(stays)
    assert actions.project_of(stays).frame.schema["code"] == pl.Float64
    actions.open_project(stays, saved)
    worked(stays)
    assert actions.project_of(stays).recipe == recipe
    assert actions.project_of(stays).frame.schema["code"] == pl.String


def test_a_type_that_fails_does_not_stick(stays: WebSession) -> None:
    actions.read_again(stays, {"types": {"sex": "number"}})
    worked(stays)
    assert stays.notice is not None
    assert "'sex'" in stays.notice.text
    assert stays.read_options == {}
    actions.read_again(stays, {"types": {"code": "text"}})
    worked(stays)
    assert stays.read_options == {"types": {"code": "text"}}


def _rows(path: Path) -> list[str]:
    return sorted(path.read_text(encoding="utf-8").splitlines())
