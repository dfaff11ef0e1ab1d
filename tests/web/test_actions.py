"""What a click does to a session: jobs that find, look and cancel."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from microveil.app.advising import Goal
from microveil.errors import InputError
from microveil.methods import Drop, OptimalGeneralization
from microveil.privacy import KAnonymity
from microveil.tables import Roles
from microveil.web import actions
from microveil.web.jobs import JobState, Workers
from microveil.web.project.examples import patients
from microveil.web.project.plan import Plan
from microveil.web.sessions import Session, Sessions

ROLES = Roles(identifiers=("name",), quasi_identifiers=("sex", "age"), sensitive=("disease",))


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    """A session with a small file open, and a requirement."""
    workers = Workers()
    sessions = Sessions(workers)
    found = sessions.new()
    found.upload, found.upload_name = found.folder / "people.csv", "people.csv"
    patients(150).write_csv(found.upload)
    actions.read_upload(found)
    worked(found)
    plan = Plan(roles=ROLES, require=(KAnonymity(k=3),))
    actions.change(found, plan)
    worked(found)
    yield found
    sessions.close()
    workers.close()


def worked(session: Session) -> None:
    assert session.job is not None
    assert session.job.ended.wait(300)  # kernels may have to be compiled first
    while session.busy:  # a job may be followed by another one
        assert session.job.ended.wait(300)


def test_the_best_recipe_is_found_and_taken_over_and_undone(session: Session) -> None:
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


def test_a_search_that_is_cancelled_leaves_everything_as_it_was(session: Session) -> None:
    project = actions.project_of(session)
    before = (project.plan, project.advice)
    actions.find_best(session, Goal(max_risk=0.5))
    assert session.job is not None
    session.cancel()
    worked(session)
    assert session.job.state is JobState.cancelled
    assert (project.plan, project.advice) == before


def test_a_node_of_a_search_is_looked_at_behind_a_step_that_is_off(session: Session) -> None:
    project = actions.project_of(session)
    plan = project.plan.with_step(Drop(columns=("name",))).with_step(OptimalGeneralization(k=3))
    actions.change(session, plan.switched(0))
    worked(session)
    actions.look_at_node(session, 1, {"sex": 1, "age": 1})
    worked(session)
    seen = project.surroundings[project.key]
    assert seen.node.levels == {"sex": 1, "age": 1}
    actions.undo(session)


def test_two_jobs_at_a_time_are_refused(session: Session) -> None:
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
