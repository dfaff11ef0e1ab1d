"""What a click does with several linked tables."""

from __future__ import annotations

from pathlib import Path

from microveil.errors import InputError
from microveil.linked import LinkedRecipe
from microveil.linked.table_set import BOOKS, DATABASES
from microveil.texts import Message
from microveil.web.project import linked_tables
from microveil.web.project.linked_tables import LinkedDraft, LinkedMade, LinkedOpened, LinkedWanted
from microveil.web.project.project import new_name
from microveil.web.project.registries import RegistryUse
from microveil.web.sessions import LinkedWork, WebSession

SUFFIXES = (".zip", *BOOKS, *DATABASES)
"""What may hold several tables."""


def take_tables(session: WebSession, path: Path, name: str) -> None:
    """Read all tables of a file that came for this; it is wiped afterwards."""
    if not name.lower().endswith(SUFFIXES):
        raise InputError(
            Message(
                "app.several_tables_kinds",
                "Several tables come as a packed folder (.zip), a workbook or a database file.",
            )
        )
    open_tables(session, path, name, wipe=True)


def open_tables(session: WebSession, path: Path, name: str, *, wipe: bool = False) -> None:
    """Read all tables of a file."""
    target = session.folder / new_name("")

    def then(opened: LinkedOpened) -> None:
        if wipe:
            path.unlink(missing_ok=True)
        before = session.linked
        session.linked = LinkedWork(name, target, LinkedDraft.begin(opened))
        session.forms.pop("linked", None)
        if before is not None:
            before.wipe()

    session.start("job.linked", linked_tables.open_tables, then, source=path, target=target)


def work_of(session: WebSession) -> LinkedWork:
    """The tables; raises an error if none are open."""
    if session.linked is None:
        raise InputError(Message("app.open_tables_first", "Open several tables first."))
    return session.linked


def run(session: WebSession, suffix: str, recipe: LinkedRecipe | None = None) -> None:
    """Run the recipe of the draft, or one that was typed, and make the files if it holds."""
    work = work_of(session)
    target = session.folder / new_name("")
    place = session.registry
    use = None if place is None else RegistryUse(place, Path(work.source).stem)

    def then(made: LinkedMade) -> None:
        work.made, work.target = made, target
        for what, name in made.files.items():
            session.offered[f"linked {what}"] = session.offer(target / name, name), name
        session.after = session.relook if made.noted else None

    session.start(
        "job.linked_run",
        linked_tables.run_tables,
        then,
        folder=work.folder,
        opened=work.draft.opened,
        recipe=recipe or work.draft.recipe(),
        wanted=LinkedWanted(
            target, suffix, work.draft.coarsen and recipe is None, use, session.language
        ),
    )
