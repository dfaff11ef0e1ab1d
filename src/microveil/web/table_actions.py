"""What a click does with tables of the open data, and with outputs that somebody wants to take."""

from __future__ import annotations

from pathlib import Path
from secrets import randbelow

from microveil.tabulation.plan import TablePlan
from microveil.web.actions import project_of
from microveil.web.project import output_checks, tabulating
from microveil.web.project.output_checks import OutputsView
from microveil.web.project.project import new_name
from microveil.web.project.tabulating import TablesView
from microveil.web.sessions import WebSession


def count(session: WebSession, plan: TablePlan) -> None:
    """Count tables, and find their unsafe cells."""
    project = project_of(session)

    def then(view: TablesView) -> None:
        project.tables = view

    session.start("job.count", tabulating.count_tables, then, data=project.data, plan=plan)


def protect(session: WebSession, plan: TablePlan) -> None:
    """Protect tables and audit them."""
    _protect(session, plan, None)


def publish(session: WebSession, plan: TablePlan) -> None:
    """Make the files of tables that are safe, and note them where there is a registry."""
    folder = session.folder / new_name("")
    folder.mkdir(mode=0o700)
    _protect(session, plan, folder)


def _protect(session: WebSession, plan: TablePlan, folder: Path | None) -> None:
    project = project_of(session)
    if project.table_seed is None:
        project.table_seed = randbelow(2**63)

    def then(view: TablesView) -> None:
        project.tables = view
        for what, name in view.files.items():
            place = Path(folder or "") / name
            session.offered[f"tables {what}"] = session.offer(place, place.name), place.name
        session.after = session.relook if view.noted else None

    session.start(
        "job.tables_made" if folder else "job.protect",
        tabulating.protect_tables,
        then,
        data=project.data,
        plan=plan,
        seed=project.table_seed,
        folder=folder,
        registry=project.registry,
    )


def take_outputs(session: WebSession, path: Path, name: str) -> None:
    """Keep a package of outputs to be checked."""
    _keep(session, "outputs", path, name)


def take_accepted(session: WebSession, path: Path, name: str) -> None:
    """Keep a package of outputs that were accepted before."""
    _keep(session, "accepted", path, name)


def _keep(session: WebSession, what: str, path: Path, name: str) -> None:
    before = session.packages.pop(what, None)
    if before is not None:
        before[0].unlink(missing_ok=True)
    session.packages[what] = path, name
    session.outputs_view = None
    session.mark_changed()


def check_outputs(session: WebSession, appetite: str, threshold: int | None) -> None:
    """Check all outputs of a package together, with those accepted before."""

    def then(view: OutputsView) -> None:
        session.outputs_view = view

    packages = {what: path for what, (path, _) in session.packages.items()}
    session.start(
        "job.outputs",
        output_checks.check_package,
        then,
        package=packages.get("outputs"),
        accepted=packages.get("accepted"),
        folder=session.folder / new_name(""),
        appetite=appetite,
        threshold=threshold,
    )
