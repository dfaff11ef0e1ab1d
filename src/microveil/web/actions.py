"""Actions: what a click does to a session, through the tasks that jobs run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from threading import Thread
from typing import Any

from microveil.app.advising import Advice, Candidate, Goal
from microveil.errors import InputError
from microveil.files import format_of
from microveil.texts import Message
from microveil.web.project import tasks
from microveil.web.project.comparing import PairView
from microveil.web.project.lattice import Surroundings
from microveil.web.project.plan import Item, ProjectPlan
from microveil.web.project.project import Project, new_name
from microveil.web.project.releasing import Made
from microveil.web.project.risk_view import RiskView
from microveil.web.project.saved import SavedProject, refuse_paths
from microveil.web.project.tasks import Applied, Opened
from microveil.web.sessions import WebSession


def project_of(session: WebSession) -> Project:
    """The project; raises an error if no data are open."""
    if session.project is None:
        raise InputError(Message("app.open_file_first", "Open a file first."))
    return session.project


def read_upload(session: WebSession) -> None:
    """Read the file that came last, with the options that were chosen."""
    if session.upload is None:
        raise InputError(Message("app.send_file_first", "Send a file first."))
    if session.waiting is not None:
        session.read_options = _options_for(session, session.waiting) | session.read_options
    read_again(session)


def _options_for(session: WebSession, saved: SavedProject) -> dict[str, Any]:
    """How a saved project reads its data, as far as the file that came has such options."""
    known = format_of(session.upload_name).reads | {"types"}
    return {name: one for name, one in saved.reading.options().items() if name in known}


def read_again(session: WebSession, options: Mapping[str, Any] | None = None) -> None:
    """Read the same source once more; new options stay only if it can be read so."""
    options = session.read_options if options is None else options
    if session.upload is None and "table" in options:
        _open(
            session,
            session.login.name_of(options["table"]),
            "job.read",
            tasks.open_table,
            login=session.login,
            options=dict(options),
        )
        return
    if session.upload is None:
        raise InputError("Send a file first.")
    _open(
        session,
        session.upload_name,
        "job.read",
        tasks.open_file,
        source=session.upload,
        options=dict(options),
    )


def list_tables(session: WebSession) -> None:
    """Ask a database for its tables."""

    def then(names: list[str]) -> None:
        if not names:
            raise InputError(
                Message("app.database_holds_no_table", "This database holds no table.")
            )
        session.tables = names

    session.start("job.tables", tasks.list_tables, then, login=session.login)


def read_table(session: WebSession, table: str) -> None:
    """Read a table of the database that was named."""
    session.upload = None
    read_again(session, {"table": table})


def open_example(session: WebSession, name: str) -> None:
    """Open one of the bundled examples."""
    session.upload, session.read_options = None, {}
    _open(session, f"{name}.csv", "job.example", tasks.open_example, name=name)


def open_project(session: WebSession, saved: SavedProject) -> None:
    """Go on with a saved project: at once, or as soon as its data are there."""
    if saved.data is not None:
        _open(session, saved.source, "job.read", tasks.open_frame, saved, project=saved)
    elif session.project is not None and _reads_otherwise(session, saved):
        session.waiting = saved
        read_again(session, session.read_options | _options_for(session, saved))
    elif session.project is not None and _fits(session.project, saved):
        session.project.restore(saved)
        session.say("success", "project.restored")
        refresh(session)
    else:
        session.waiting = saved
        session.say("info", "project.waiting")


def _fits(project: Project, saved: SavedProject) -> bool:
    return set(saved.plan.roles.named) <= set(project.frame.columns)


def _reads_otherwise(session: WebSession, saved: SavedProject) -> bool:
    """Whether the file that is open was read in another way than a saved project does."""
    project = session.project
    if project is None or session.upload is None or not _fits(project, saved):
        return False
    there = {name for name in saved.reading.columns if name in project.frame.columns}
    return any(
        saved.reading.columns[name] != project.opened.reading.columns.get(name) for name in there
    )


def _open(
    session: WebSession,
    called: str,
    title: str,
    task: Any,
    saved: SavedProject | None = None,
    **arguments: Any,
) -> None:
    target = session.folder / new_name(".arrow")
    ended = _end(session)

    def then(opened: Opened) -> None:
        before, session.project = session.project, Project.begin(called, target, opened)
        if before is not None:
            _carry_over(session, before, session.project)
        if "options" in arguments:
            session.read_options = dict(arguments["options"])
        session.project.note_in(session.registry)
        waiting, session.waiting = saved or session.waiting, None
        if waiting is not None:
            session.project.restore(waiting)
        session.forms.clear()
        keys = session.project.plan.roles.quasi_identifiers
        if keys:  # counted before anybody asks
            Thread(target=session.project.key_risk, args=(keys,), daemon=True).start()
        refresh(session)

    session.start(title, task, then, target=target, **arguments)
    if ended:
        session.say("info", "job.ended", everywhere=True)


def _carry_over(session: WebSession, before: Project, after: Project) -> None:
    """Wipe what is left of the data before; the plan stays where the same file is read again."""
    session.wipe_but(after.data, session.upload)
    if before.source == after.source and set(before.plan.roles.named) <= set(after.frame.columns):
        after.history = before.history
        after.pinned = before.pinned


def change(session: WebSession, plan: ProjectPlan) -> None:
    """Go on with another plan, and take its steps."""
    refuse_paths(plan)
    if project_of(session).history.add(plan):
        refresh(session)


def undo(session: WebSession) -> None:
    """Return to the previous plan."""
    project_of(session).history.undo()
    refresh(session)


def redo(session: WebSession) -> None:
    """Restore the plan that was undone."""
    project_of(session).history.redo()
    refresh(session)


def refresh(session: WebSession) -> None:
    """Take the steps of the plan that were not taken yet; a job under way is for another plan."""
    project = project_of(session)
    session.mark_changed()
    if project.up_to_date():
        return
    ended = _end(session)
    recipe = project.recipe

    def then(applied: Applied) -> None:
        project.effects.update(applied.effects)
        project.lattices.update(applied.lattices)
        if applied.problem:
            raise InputError(applied.problem)

    session.start(
        "job.steps",
        tasks.apply_steps,
        then,
        data=project.data,
        states=project.states,
        recipe=recipe,
        chance=project.chance,
        known=frozenset(project.effects),
    )
    if ended:
        session.say("info", "job.ended", everywhere=True)


def _end(session: WebSession) -> bool:
    """End the work under way; whether somebody asked for it, and must be told, in any tab.

    Taking the steps goes on with another plan, and nobody misses the old one.
    """
    job = session.job
    if job is None or not session.busy:
        return False
    session.cancel()
    return job.title != "job.steps"


def _catch_up(session: WebSession) -> None:
    """Work out what steps did that were taken on the way to something else."""
    if not project_of(session).up_to_date():
        session.after = refresh


def measure_risk(session: WebSession) -> None:
    """Measure the risk of the data as they came, in depth."""
    project = project_of(session)
    recipe, key = project.recipe, project.keys()[0]

    def then(found: RiskView) -> None:
        project.risks[key] = found

    session.start(
        "job.risk",
        tasks.assess_risk,
        then,
        data=project.data,
        states=project.states,
        key=None,
        roles=recipe.roles,
        recipe=recipe,
    )


def compare(session: WebSession, target: str | None = None) -> None:
    """Measure risk and utility of the plan's result beside the original."""
    project = project_of(session)
    recipe, key = project.recipe, project.key
    measures: Any = "default"
    if target:
        measures = [{"name": "prediction", "target": target}]

    def then(found: PairView) -> None:
        before = project.pairs.get(key)
        project.pairs[key] = found if not target or before is None else before.with_more(found)
        _catch_up(session)

    session.start(
        "job.compare",
        tasks.compare_pair,
        then,
        data=project.data,
        states=project.states,
        recipe=recipe,
        chance=project.chance,
        measures=measures,
        labels=replace(project.labels, gaps={}),
    )


def suggest(session: WebSession, k: int | None, audience: str | None = None) -> None:
    """Put suggested steps and a requirement into the plan."""
    project = project_of(session)

    def then(found: tasks.Suggested) -> None:
        recipe = found.recipe
        items = tuple(Item(step=step) for step in recipe.steps)
        require = project.plan.requirements_with(recipe.require)
        project.reasons = (items, found.reasons)
        changed = project.plan.model_copy(update={"items": items, "require": require})
        if project.history.add(changed):
            session.after = refresh

    session.start(
        "job.suggest",
        tasks.suggest_recipe,
        then,
        data=project.data,
        roles=project.plan.roles,
        k=k,
        audience=audience,
        labels=replace(project.labels, gaps={}),
    )


def find_best(session: WebSession, goal: Goal) -> None:
    """Look for the recipe with the least loss that meets the requirements."""
    project = project_of(session)

    def then(advice: Advice) -> None:
        project.advice = advice

    session.start(
        "job.best", tasks.find_recipe, then, data=project.data, recipe=project.recipe, goal=goal
    )


def take_over(session: WebSession, candidate: Candidate) -> None:
    """Go on with the steps of a candidate, and with what they were to reach."""
    project = project_of(session)
    same = candidate.recipe == project.recipe
    change(session, project.plan if same else ProjectPlan.of(candidate.recipe))


def look_at_node(session: WebSession, position: int, levels: Mapping[str, int]) -> None:
    """Look at a generalisation of a search, and at its neighbours."""
    project = project_of(session)
    place = sum(item.on for item in project.plan.items[:position])
    key = project.keys()[place + 1]

    def then(found: Surroundings) -> None:
        project.surroundings[key] = found

    session.start(
        "job.node",
        tasks.look_at_node,
        then,
        data=project.data,
        states=project.states,
        recipe=project.recipe,
        place=place,
        levels=dict(levels),
    )


def check(session: WebSession) -> None:
    """Check the requirements of the plan."""
    _release(session, {"name": None}, "job.check")


def release(session: WebSession, suffix: str) -> None:
    """Make the files of the release, if every requirement holds."""
    project = project_of(session)
    folder = session.folder / new_name("")
    folder.mkdir(mode=0o700)
    wanted = {
        "folder": folder,
        "name": f"released{suffix}",
        "labels": project.labels,
        "source": project.source,
        "language": session.language,
    }
    _release(session, wanted, "job.release")


def _release(session: WebSession, wanted: Mapping[str, Any], title: str) -> None:
    project = project_of(session)
    key, folder = project.verdict_key(), Path(wanted.get("folder") or "")

    def then(made: Made) -> None:
        project.made[key] = made
        for what, name in made.files.items():
            session.offered[f"{key} {what}"] = (session.offer(folder / name, name), name)
        session.after = session.relook if made.noted else None
        _catch_up(session)

    session.start(
        title,
        tasks.make_release,
        then,
        data=project.data,
        states=project.states,
        recipe=project.recipe,
        chance=project.chance,
        wanted=dict(wanted),
        registry=project.registry,
    )


def pin(session: WebSession, name: str) -> None:
    """Keep the plan as a variant to compare with."""
    project = project_of(session)
    name = name.strip() or f"{len(project.pinned) + 1}"
    project.pinned[name[:40]] = project.plan
    session.mark_changed()
