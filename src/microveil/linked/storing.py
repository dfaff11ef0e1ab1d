"""Storing: linked tables written to a folder or a database, together or not at all."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import polars as pl

from microveil.errors import InputError
from microveil.files import WriteReport, write
from microveil.files.databases.address import is_url
from microveil.files.databases.keys import KeyedTable, add_keys
from microveil.files.placing import Placing
from microveil.files.writing import Terms
from microveil.linked.links import key_parts
from microveil.linked.recipe import LinkedRecipe
from microveil.linked.table_set import DATABASES
from microveil.release.compacting import forget_categories

Tables = Iterable[tuple[str, pl.DataFrame]]
"""Tables by name, one at a time."""


def database_url(target: str | Path) -> str | None:
    """The URL of a database target; None for a folder."""
    if is_url(str(target)):
        return str(target)
    path = Path(target).expanduser()
    kind = DATABASES.get(path.suffix.lower())
    return None if kind is None or path.is_dir() else f"{kind}:///{path}"


def store_in_database(
    tables: Tables, recipe: LinkedRecipe, url: str, options: Mapping[str, Any]
) -> list[WriteReport]:
    """Write all tables with their primary and foreign keys, in one transaction; parents first."""
    joint = "&" if "?" in url else "?"
    reports, keyed = [], []
    with Placing() as placing:
        terms = Terms(placing, checked=True)
        for name, one in tables:
            place = f"{url}{joint}table={name}"
            reports.append(write(forget_categories(one), place, terms=terms, **options))
            keyed.append(keyed_table(recipe, name))
        add_keys(url, keyed, placing)
    return reports


def keyed_table(recipe: LinkedRecipe, name: str) -> KeyedTable:
    """The keys of a table as its links have them."""
    keys = [key_parts(recipe.people.key)] if recipe.people.table == name else []
    keys += [link.keys for link in recipe.links if link.to == name]
    foreign = [(link.columns, link.to, link.keys) for link in recipe.links if link.table == name]
    return KeyedTable(name, tuple(dict.fromkeys(keys)), tuple(foreign))


def store_in_folder(
    tables: Tables, folder: str | Path, suffix: str, options: Mapping[str, Any]
) -> list[WriteReport]:
    """Write one file for each table."""
    target = Path(folder).expanduser()
    if target.exists() and not target.is_dir():
        raise InputError("{folder} is a file: name a folder for the tables.", folder=folder)
    is_new = not target.exists()
    target.mkdir(parents=True, exist_ok=True)
    try:
        with Placing() as placing:
            terms = Terms(placing, checked=True)
            return [
                write(forget_categories(one), target / f"{name}.{suffix}", terms=terms, **options)
                for name, one in tables
            ]
    except BaseException:
        if is_new and not any(target.iterdir()):
            target.rmdir()  # nothing was written: leave nothing
        raise
