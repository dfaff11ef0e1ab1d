"""Prepare linked tables for their steps: read, checked, and each row with its person."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import polars as pl

from microveil.app.running import read_by_recipe
from microveil.errors import InputError
from microveil.linked.links import (
    AND,
    check_links,
    check_primary_key,
    in_table,
    key_frame,
    key_parts,
)
from microveil.linked.owners import Relations
from microveil.linked.recipe import LinkedRecipe, key_columns
from microveil.linked.table_set import TableSet
from microveil.methods.parts.value_text import value_text
from microveil.recipes import Recipe
from microveil.tables import Roles, Table
from microveil.tables.names import free_name
from microveil.tables.roles import check_columns

Frames = Mapping[str, pl.DataFrame]


def read_frames(recipe: LinkedRecipe, given: TableSet) -> dict[str, pl.DataFrame]:
    """The tables of a recipe as it reads them."""
    lacking = [name for name in recipe.tables if name not in given.tables]
    if lacking:
        raise InputError(
            "There is no table {lacking:quoted} in the data. Tables: {names:quoted}.",
            lacking=lacking,
            names=sorted(given.tables),
        )
    return {name: _read(name, one, given) for name, one in recipe.tables.items()}


def _read(name: str, one: Recipe, given: TableSet) -> pl.DataFrame:
    with in_table(name):
        return read_by_recipe(one, Table(given.tables[name])).frame


def check_keys(recipe: LinkedRecipe, frames: Frames) -> None:
    """Raise an error unless links and the key of people hold in the tables."""
    check_links(frames, recipe.links)
    people = recipe.people
    own, key = frames[people.table], key_parts(people.key)
    check_columns(key, own.columns)
    check_primary_key(f"{people.table}.{people.key}", key_frame(own, key))


class Prepared(NamedTuple):
    """A table before its steps."""

    recipe: Recipe
    original: Table
    helper: str | None
    """Column that tells people apart while the steps run, and does not leave."""


def prepare(recipe: LinkedRecipe, name: str, frames: Frames, relations: Relations) -> Prepared:
    """A table whose rows know their person, and the recipe for it alone."""
    one, frame, keys, helper = recipe.tables[name], frames[name], key_columns(recipe, name), None
    roles, keep = one.roles, [*one.keep, *keys]
    if name in relations.whose and roles.entity is None and (one.steps or one.require):
        entity = _person_column(recipe, name, frame)
        if entity is None:
            entity = helper = free_name("person", frame.columns)
            ids = _person_ids(frames[recipe.people.table], key_parts(recipe.people.key))
            frame = frame.with_columns(ids.gather(relations.whose[name]).alias(helper))
            keep.append(helper)
        roles = roles.model_copy(update={"entity": entity})
    _refuse_steps_on_keys(name, one, Table(frame, roles), keys)
    if recipe.keys == "keep":
        _refuse_kept_names(name, roles, keys)
    own = one.model_copy(
        update={"roles": _without(roles, keys), "keep": tuple(dict.fromkeys(keep))}
    )
    return Prepared(own, Table(frame, own.roles), helper)


def _person_column(recipe: LinkedRecipe, name: str, frame: pl.DataFrame) -> str | None:
    """A column of a table that names each row's person by itself, if there is one."""
    people = recipe.people
    found = [people.key] if name == people.table else []
    found += [
        link.column
        for link in recipe.links
        if (link.table, link.to, link.key) == (name, people.table, people.key)
    ]
    return next(
        (one for one in found if one in frame.columns and not frame[one].null_count()), None
    )


def _person_ids(people: pl.DataFrame, key: tuple[str, ...]) -> pl.Series:
    """What tells people apart: their key, or the parts of it as one text."""
    if len(key) == 1:
        return people[key[0]]
    texts = [value_text(people[name]).str.replace_all(AND, AND * 2, literal=True) for name in key]
    return people.select(pl.concat_str(texts, separator=f" {AND} ").alias("person")).to_series()


def _without(roles: Roles, keys: tuple[str, ...]) -> Roles:
    """The roles, in which a key that is replaced anyway need not be an identifier."""
    free = tuple(name for name in roles.identifiers if name not in keys)
    return roles.model_copy(update={"identifiers": free})


def _refuse_kept_names(name: str, roles: Roles, keys: tuple[str, ...]) -> None:
    named = [key for key in keys if key in roles.identifiers]
    if named:
        raise InputError(
            "Table '{name}': column {named:quoted} identifies people and cannot be kept. Leave "
            "`keys: keep` out: keys are then replaced by random numbers.",
            name=name,
            named=named,
        )


def _refuse_steps_on_keys(name: str, one: Recipe, table: Table, keys: tuple[str, ...]) -> None:
    touched = [
        key
        for step in one.steps
        for key in keys
        if key in step.touches(table) and key in table.columns
    ]
    if touched:
        raise InputError(
            "Table '{name}': a step changes column {touched:quoted}, which links tables. Keys are "
            "replaced in all tables alike: see `keys`.",
            name=name,
            touched=list(dict.fromkeys(touched)),
        )
