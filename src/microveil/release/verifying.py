"""Verifying: requirements checked on a finished table, and again on the file that was written."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from microveil.errors import InternalError
from microveil.files import format_of, read
from microveil.files.atomic import replacing
from microveil.privacy import Check
from microveil.recipes import Recipe
from microveil.tables import Classes, LazyTable, Table


def verify(recipe: Recipe, table: Table | LazyTable) -> tuple[Check, ...]:
    """Check every requirement on a finished table, for each set of quasi-identifiers."""
    checks = []
    for scenario, keys in table.roles.key_sets().items():
        if not recipe.require:
            break
        classes = Classes.of(table, keys, recipe.reading)
        with recipe.beside_its_files():
            checks += [
                replace(model.verify(classes), scenario=scenario, missing=classes.missing)
                for model in recipe.require
            ]
    return tuple(checks)


@contextmanager
def checked(recipe: Recipe, table: Table, out: str | Path) -> Iterator[str | Path]:
    """A place to write to that becomes ``out`` when the promises hold there; not for databases."""
    if format_of(out).database:
        yield out
        return
    with replacing(Path(out).expanduser()) as partial:
        yield partial
        _check_written(recipe, table, partial, format_of(out).name)


def _check_written(recipe: Recipe, table: Table, path: Path, file_format: str) -> None:
    """Check the promises on what was really written, keys and sensitive columns read back."""
    roles = table.roles
    keys = {key for key_set in roles.key_sets().values() for key in key_set}
    read_by_models = {name for model in recipe.require for name in model.reads(roles)}
    wanted = keys | read_by_models | {roles.entity, roles.weight}
    columns = [name for name in table.columns if name in wanted]
    if not recipe.require or not columns:
        return
    # Keys as text, so that a reader's guess at types cannot make two of them equal.
    texts = {name: "text" for name in columns if name in keys - read_by_models}
    again = read(
        path, format=file_format, columns=columns, types=texts if file_format == "csv" else {}
    )
    checks = verify(recipe, Table(again, roles.without(set(roles.named) - set(columns))))
    if again.height != table.height or not all(check.holds for check in checks):
        raise InternalError(
            "The file that was written does not keep the promises that the table kept; it was "
            "removed."
        )
