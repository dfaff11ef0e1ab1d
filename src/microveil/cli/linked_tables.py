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
    from microveil.linked import LinkedRelease
    from microveil.tables import Table

P = ParamSpec("P")
TAKEN = {"recipe", "data", "out", "seed", "dry_run", "as_json", "reading", "verbose", "log"} | {
    "metadata",
    "study",
    "report",
    "made_by",
    "language",
    "registry",
    "registry_key",
    "source",
    "audience",
    "record",
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
                "--metadata, --study, --seed, --registry, --registry-key, --source, --audience, "
                "--record, --dry-run, --json and options of reading."
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
        written = _write(release, out, asked)
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


def _write(release: LinkedRelease, out: str, asked: dict[str, Any]) -> list[WriteReport]:
    """Write all tables, note them where a registry is named, and write their record."""
    from microveil.cli import options
    from microveil.files.databases.address import is_url
    from microveil.linked.noting import write_noted
    from microveil.registry.leaving import name_source
    from microveil.registry.records.recording import make_record, write_record

    named = [asked.get(name) for name in ("registry", "registry_key", "source", "audience")]
    terms = options.registry_terms(named[0], named[1], None, named[2], named[3])
    terms = name_source(terms, asked["data"], asked.get("made_by"))
    if terms is None:
        written = release.write(out)
    else:
        written, noted = write_noted(release, out, terms, {})
        entry = noted.entry
        if entry is not None and not asked.get("as_json"):
            told = noted.composition.sentence()
            console().print(f"Registered as {entry.id}. {told}", markup=False)
    if asked.get("record") is not None:
        places = [Path(str(one.path)) for one in written if not is_url(str(one.path))]
        files = {one.name: one for one in places if one.is_file()}
        if not files and Path(out).is_file():
            files = {Path(out).name: Path(out)}
        checks = [check.to_dict() for check in release.checks]
        write_record(
            make_record("linked", release.recipe.to_yaml(), checks, files), asked["record"]
        )
    return written
