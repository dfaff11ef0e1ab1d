"""Check a linked recipe before it runs: every table, the links, and what is known of people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from microveil.app.checking import Fit, check
from microveil.errors import InputError
from microveil.linked.course import view_of
from microveil.linked.owners import Relations
from microveil.linked.preparing import check_keys, prepare, read_frames
from microveil.linked.recipe import LinkedRecipe
from microveil.linked.table_set import TableSet
from microveil.tables import Table
from microveil.texts import phrase


def check_linked(recipe: LinkedRecipe, tables: TableSet | Mapping[str, Any] | None = None) -> Fit:
    """Look for problems in a linked recipe, and in how it fits the tables.

    Steps are tried table by table on some of the records; nothing is released, and no requirement
    is evaluated.
    """
    n_steps = sum(len(one.steps) for one in recipe.tables.values())
    n_requirements = sum(len(one.require) for one in recipe.tables.values())
    try:
        found = () if tables is None else tuple(_problems(recipe, tables))
    except InputError as error:
        found = (error.message,)
    return Fit(found, n_steps, n_requirements + len(recipe.people.require))


def _problems(recipe: LinkedRecipe, tables: TableSet | Mapping[str, Any]) -> Iterator[str]:
    given = tables if isinstance(tables, TableSet) else TableSet(tables)
    frames = read_frames(recipe, given)
    check_keys(recipe, frames)
    relations = Relations.of(frames, recipe.links, recipe.people.table)
    view_of(recipe, relations, frames)
    if recipe.synthesize is not None:
        return
    for name in recipe.tables:
        own, original, _ = prepare(recipe, name, frames, relations)
        for problem in check(own, original.frame).problems:
            yield phrase("Table '{name}': {told}", name=name, told=problem)


def people_view(recipe: LinkedRecipe, tables: TableSet | Mapping[str, Any]) -> Table:
    """One row for each person, with what can be known over tables as they are.

    The tables are originals or released ones, in which columns may be gone. Measures take the view
    as any table: ``mv.assess(mv.people_view(recipe, tables))``.
    """
    given = tables if isinstance(tables, TableSet) else TableSet(tables)
    lacking = [name for name in recipe.tables if name not in given.tables]
    if lacking:
        raise InputError(
            "There is no table {lacking:quoted} in the data. Tables: {names:quoted}.",
            lacking=lacking,
            names=sorted(given.tables),
        )
    frames = {name: given.tables[name] for name in recipe.tables}
    check_keys(recipe, frames)
    gone = {
        name
        for name, (table, columns) in recipe.people.sources().items()
        if table in frames and not set(frames[table].columns).issuperset(columns)
    }
    return view_of(recipe, Relations.of(frames, recipe.links, recipe.people.table), frames, gone)
