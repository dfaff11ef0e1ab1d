"""Run a linked recipe: the steps of every table, removals that spread, checks of people."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl

from microveil.app.running import facts_of, finish, read_by_recipe
from microveil.app.steps import Steps, StepsTaken
from microveil.arrays import Flags, Longs
from microveil.errors import InputError
from microveil.linked.links import check_links, check_primary_key, in_table
from microveil.linked.owners import owners, spread_removal
from microveil.linked.recipe import LinkedRecipe, key_columns
from microveil.linked.release import LinkedRelease
from microveil.linked.synthesis.releasing import synthesize_linked
from microveil.linked.table_set import TableSet
from microveil.linked.view import person_view
from microveil.methods.parts.streams import Chance, fresh_seed
from microveil.progress import Progress, silent
from microveil.recipes import Recipe
from microveil.release.evidence import Evidence
from microveil.release.release import Release
from microveil.release.verifying import verify
from microveil.tables import Classes, Door, Roles, Table
from microveil.tables.names import free_name
from microveil.tables.roles import check_columns

MOST_ROUNDS = 50
KEYS = 0x6B657973
"""Tells the stream that numbers keys from those of steps."""


@dataclass(frozen=True, eq=False)
class _Taken:
    """One table after its steps."""

    recipe: Recipe
    original: Table
    taken: StepsTaken
    helper: str | None
    """Column that tells people apart while the steps run, and does not leave."""

    def kept_rows(self) -> Flags:
        """Which rows of the original are still there."""
        rows = self.taken.table.rows
        flags = np.zeros(self.original.height, dtype=np.bool_)
        flags[np.arange(self.original.height) if rows is None else rows] = True
        return flags

    def at(self, stay: Flags) -> StepsTaken:
        """The steps' result without the rows that do not stay."""
        rows = self.taken.table.rows
        here = stay if rows is None else stay[rows]
        return replace(self.taken, table=self.taken.table.filter(here))


def run_linked(
    recipe: LinkedRecipe,
    tables: TableSet | Mapping[str, Any],
    *,
    seed: int | None = None,
    progress: Progress = silent,
) -> LinkedRelease:
    """Apply a linked recipe to several tables; the release yields all of them or none.

    The seed is a secret: whoever has it can remove the noise.
    """
    given = tables if isinstance(tables, TableSet) else TableSet(tables)
    frames = _frames(recipe, given)
    check_links(frames, recipe.links)
    people = recipe.people
    check_columns([people.key], frames[people.table].columns)
    check_primary_key(f"{people.table}.{people.key}", frames[people.table][people.key])
    whose = owners(frames, recipe.links, recipe.people.table)
    secret = fresh_seed(seed)
    if recipe.synthesize is not None:
        rng = np.random.default_rng([secret, KEYS])
        return synthesize_linked(recipe, recipe.synthesize, frames, rng, progress)
    done = {}
    for place, (name, one) in enumerate(recipe.tables.items()):
        progress(place, len(recipe.tables) + 1, name)
        done[name] = _take_steps(recipe, name, one, frames, whose, secret)
    stay = spread_removal(
        frames,
        recipe.links,
        recipe.people.table,
        {name: one.kept_rows() for name, one in done.items()},
    )
    stay = _remove_people(recipe, frames, whose, done, stay)
    progress(len(recipe.tables), len(recipe.tables) + 1, "checks")
    return _finish(recipe, frames, whose, done, stay, secret)


def _frames(recipe: LinkedRecipe, given: TableSet) -> dict[str, pl.DataFrame]:
    lacking = [name for name in recipe.tables if name not in given.tables]
    if lacking:
        raise InputError(
            "There is no table {lacking:quoted} in the data. Tables: {names:quoted}.",
            lacking=lacking,
            names=sorted(given.tables),
        )
    return {
        name: read_by_recipe(one, Table(given.tables[name])).frame
        for name, one in recipe.tables.items()
    }


def _take_steps(
    recipe: LinkedRecipe,
    name: str,
    one: Recipe,
    frames: Mapping[str, pl.DataFrame],
    whose: Mapping[str, Longs],
    seed: int,
) -> _Taken:
    """Run the steps of a table, whose rows know their person."""
    frame, keys, helper = frames[name], key_columns(recipe, name), None
    roles, keep = one.roles, [*one.keep, *keys]
    if name in whose and roles.entity is None:
        helper = free_name("person", frame.columns)
        ids = frames[recipe.people.table][recipe.people.key]
        frame = frame.with_columns(ids.gather(whose[name]).alias(helper))
        roles = roles.model_copy(update={"entity": helper})
        keep.append(helper)
    _refuse_steps_on_keys(name, one, Table(frame, roles), keys)
    if recipe.keys == "keep":
        _refuse_kept_names(name, roles, keys)
    own = one.model_copy(
        update={"roles": _without(roles, keys), "keep": tuple(dict.fromkeys(keep))}
    )
    original = Table(frame, own.roles)
    chance = Chance.of(seed, original.frame, steps=own.steps)
    with in_table(name):
        taken = Steps.start(own, original, chance).finish(silent)
    if taken.table.synthetic or taken.joined is not None:
        raise InputError(
            "Table '{name}': a step makes new rows or splits the table, so that its links are "
            "lost. Leave it out of a linked recipe.",
            name=name,
        )
    return _Taken(own, original, taken, helper)


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


def _remove_people(
    recipe: LinkedRecipe,
    frames: Mapping[str, pl.DataFrame],
    whose: Mapping[str, Longs],
    done: Mapping[str, _Taken],
    stay: dict[str, Flags],
) -> dict[str, Flags]:
    """Remove people who break a requirement on people, until nobody does."""
    if not recipe.people.suppress or not recipe.people.require:
        return stay
    table = recipe.people.table
    for _ in range(MOST_ROUNDS):
        view, _ = _view(recipe, whose, done, stay)
        bad = np.zeros(view.height, dtype=np.bool_)
        for model in recipe.people.require:
            for keys in view.roles.key_sets().values():
                seen = view.with_roles(view.roles.knowing(keys))
                check = model.check(seen)
                if not check.holds:
                    bad |= np.isin(Classes.of(seen, keys).record_class, check.broken_in)
        if not bad.any():
            break
        stay[table][np.flatnonzero(stay[table])[bad]] = False
        stay = spread_removal(frames, recipe.links, table, stay)
    return stay


def _view(
    recipe: LinkedRecipe,
    whose: Mapping[str, Longs],
    done: Mapping[str, _Taken],
    stay: Mapping[str, Flags],
) -> tuple[Table, dict[str, StepsTaken]]:
    results = {name: one.at(stay[name]) for name, one in done.items()}
    left = {}
    for name, result in results.items():
        if name in whose:
            rows = result.table.rows
            left[name] = whose[name] if rows is None else whose[name][rows]
    frames = {name: result.table.frame for name, result in results.items()}
    return person_view(recipe.people, frames, left), results


def _finish(
    recipe: LinkedRecipe,
    frames: Mapping[str, pl.DataFrame],
    whose: Mapping[str, Longs],
    done: Mapping[str, _Taken],
    stay: Mapping[str, Flags],
    seed: int,
) -> LinkedRelease:
    view, results = _view(recipe, whose, done, stay)
    releases = {name: _release(one, results[name]) for name, one in done.items()}
    people = Recipe(roles=view.roles, require=recipe.people.require)
    known = any(view.roles.key_sets().values())
    if people.require and not known:
        raise InputError(
            "people.require is given, but nothing that an intruder knows: list it in "
            "people.quasi_identifiers."
        )
    checks = verify(people, Evidence(view)) if people.require else ()
    before = person_view(recipe.people, frames, whose)
    return LinkedRelease(
        recipe,
        releases,
        {name: one.helper for name, one in done.items() if one.helper is not None},
        view,
        before,
        tuple(checks),
        int(np.random.default_rng([seed, KEYS]).integers(2**63)),
    )


def _release(one: _Taken, result: StepsTaken) -> Release:
    if one.recipe.require:
        return finish(one.recipe, Door(one.original.frame), one.original, result)
    return Release(one.recipe, one.original, result.table, (), facts_of(one.recipe, result))
