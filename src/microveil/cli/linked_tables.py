"""`microveil run` on several linked tables."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec

from microveil.cli.metadata import read_study
from microveil.cli.output import console, print_json, progress_bar
from microveil.errors import InputError, RequirementNotMetError
from microveil.texts import Message, join

if TYPE_CHECKING:
    from microveil.app.checking import Fit
    from microveil.files import WriteReport
    from microveil.tables import Table

P = ParamSpec("P")
TAKEN = {"recipe", "data", "out", "seed", "dry_run", "as_json", "reading", "verbose", "log"} | {
    "metadata",
    "study",
    "report",
    "made_by",
    "language",
}
"""Options that mean the same for linked tables."""


def takes_linked_recipes(command: Callable[P, None]) -> Callable[P, None]:
    """The command, which also runs a recipe for linked tables."""
    defaults = {
        name: one.default
        for name, one in inspect.signature(command).parameters.items()
        if name not in TAKEN
    }

    @wraps(command)
    def either(*args: P.args, **options: P.kwargs) -> None:
        asked: dict[str, Any] = dict(options)
        if args or not is_linked_file(asked["recipe"]):
            command(*args, **options)
            return
        if any(asked.get(name, default) != default for name, default in defaults.items()):
            raise InputError(
                "A recipe for linked tables takes only --out, --report, --made-by, --language, "
                "--metadata, --study, --seed, --dry-run, --json and options of reading."
            )
        _run_linked(asked)

    return either


def is_linked_file(recipe: Path) -> bool:
    """Whether a recipe file is one for linked tables; what cannot be read is left to others."""
    from microveil.files.texts import parsed_yaml
    from microveil.linked.recipe import is_linked

    try:
        return is_linked(parsed_yaml(recipe.expanduser().read_text(encoding="utf-8"), None))
    except (OSError, UnicodeDecodeError, InputError):
        return False


def check_linked_file(recipe: Path, data: str | None, reading: dict[str, Any]) -> Fit:
    """Check a linked recipe, and with data whether it fits the tables."""
    from microveil.linked import LinkedRecipe, TableSet, check_linked

    tables = None if data is None else TableSet.read(data, **_reading_options(reading))
    return check_linked(LinkedRecipe.read(recipe), tables)


def linked_view(given: Mapping[str, Any], source: str, reading: dict[str, Any]) -> Table | None:
    """The people of several tables, if --recipe is a recipe for linked tables."""
    from microveil.linked import LinkedRecipe, TableSet, people_view

    if given["recipe"] is None or not is_linked_file(Path(given["recipe"])):
        return None
    recipe = LinkedRecipe.read(given["recipe"])
    return people_view(recipe, TableSet.read(source, **_reading_options(reading)))


def _reading_options(reading: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in reading.items() if value is not None}


def _run_linked(asked: dict[str, Any]) -> None:
    """Run a linked recipe on a folder, workbook or database, and write a folder."""
    from microveil.files.databases.address import is_url
    from microveil.linked import LinkedRecipe, TableSet, run_linked
    from microveil.metadata import describe_release
    from microveil.reports.writing import checked_target

    out, dry_run = asked.get("out"), bool(asked.get("dry_run"))
    if out is None and not dry_run:
        raise InputError("Say where the protected data go (--out FOLDER), or ask for a --dry-run.")
    if asked.get("report") is not None:
        checked_target(asked["report"], asked.get("language") or "en")
    recipe = LinkedRecipe.read(asked["recipe"])
    tables = TableSet.read(asked["data"], **_reading_options(asked["reading"]))
    with progress_bar() as progress:
        release = run_linked(recipe, tables, seed=asked.get("seed"), progress=progress)
    written: list[WriteReport] = []
    if release.holds and out is not None and not dry_run:
        written = release.write(out)
        if asked.get("metadata") is not None:
            about = describe_release(release, read_study(asked.get("study")), written)
            about.write(asked["metadata"])
    if asked.get("report") is not None and not dry_run:
        release.report(
            asked["report"],
            written=written,
            source=None if is_url(str(asked["data"])) else Path(asked["data"]).name,
            made_by=asked.get("made_by"),
            language=asked.get("language") or "en",
        )
    if asked.get("as_json"):
        files = {"written": [one.to_dict() for one in written]} if written else {}
        print_json(release.to_dict() | files | ({"dry_run": True} if dry_run else {}))
    else:
        console().print(str(release))
    broken = [check.sentence() for check in release.checks if not check.holds]
    if dry_run and not broken:
        release.require_all()  # a column that is still to be decided
    if broken:
        told = Message("run.unwritten", "No data were written.")
        raise RequirementNotMetError(join([*broken, told]))
