"""Run a linked recipe: the steps of every table, removals that spread, checks of people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl

from microveil.app.running import facts_of, finish
from microveil.app.steps import Steps, StepsTaken
from microveil.arrays import Flags
from microveil.errors import InputError
from microveil.linked.course import Course, Taken
from microveil.linked.deriving import derive_people
from microveil.linked.links import in_table
from microveil.linked.memory import give_back
from microveil.linked.owners import Relations
from microveil.linked.preparing import check_keys, prepare, read_frames
from microveil.linked.recipe import LinkedRecipe
from microveil.linked.release import LinkedRelease
from microveil.linked.synthesis.releasing import synthesize_linked
from microveil.linked.table_set import TableSet
from microveil.methods.parts.streams import Chance, fresh_seed
from microveil.privacy import Check, KAnonymity, PrivacyModel
from microveil.progress import Progress, silent
from microveil.recipes import Recipe
from microveil.release.deriving import Derivation, restore
from microveil.release.release import Release
from microveil.tables import Classes, Door, Missing, Table

Derived = tuple[Derivation, ...]
MOST_ROUNDS = 50
KEYS = 0x6B657973
"""Tells the stream that numbers keys from those of steps."""


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
    frames = read_frames(recipe, given)
    check_keys(recipe, frames)
    secret = fresh_seed(seed)
    if recipe.synthesize is not None:
        rng = np.random.default_rng([secret, KEYS])
        return synthesize_linked(recipe, recipe.synthesize, frames, rng, progress)
    # Handed on without a name here, so that what checks no longer need is given back.
    return _finish(_run_steps(recipe, frames, secret, progress), secret)


def _run_steps(
    recipe: LinkedRecipe, frames: Mapping[str, pl.DataFrame], seed: int, progress: Progress
) -> Course:
    """Take the steps of every table, and spread what they remove."""
    relations = Relations.of(frames, recipe.links, recipe.people.table)
    done = {}
    for place, name in enumerate(recipe.tables):
        progress(place, len(recipe.tables) + 1, name)
        done[name] = _take_steps(recipe, name, frames, relations, seed)
    stay = relations.spread_removal({name: one.kept_rows() for name, one in done.items()})
    progress(len(recipe.tables), len(recipe.tables) + 1, "checks")
    return Course(recipe, relations, done, stay)


def _take_steps(
    recipe: LinkedRecipe,
    name: str,
    frames: Mapping[str, pl.DataFrame],
    relations: Relations,
    seed: int,
) -> Taken:
    """Run the steps of a table."""
    own, original, helper = prepare(recipe, name, frames, relations)
    chance = Chance.of(seed, original.frame, steps=own.steps)
    with in_table(name):
        taken = Steps.start(own, original, chance).finish(silent)
    if taken.table.synthetic or taken.joined is not None:
        raise InputError(
            "Table '{name}': a step makes new rows or splits the table, so that its links are "
            "lost. Leave it out of a linked recipe.",
            name=name,
        )
    return Taken(own, original, taken, helper)


def _remove_people(course: Course, before: Table) -> tuple[Course, Derived | None]:
    """Remove people who break a requirement on people, until nobody does.

    What is derived then is returned as well, if it was looked for.
    """
    people = course.recipe.people
    models = [model for model in people.require if isinstance(model, PrivacyModel)]
    if not people.suppress or not models:
        return course, None
    found: Derived | None = None
    for _ in range(MOST_ROUNDS):
        view = course.view()
        bad = _breaking(view, models, people.missing)
        if not bad.any():  # derived cells are looked for once the released ones are safe
            found = derive_people(course, before, view)
            full = restore(view, [one for one in found if one.strict])
            bad = _breaking(full, models, people.missing)
        if not bad.any():
            return course, found
        course, found = course.without(bad), None
    return course, None


def _breaking(view: Table, models: Sequence[PrivacyModel], missing: Missing) -> Flags:
    bad = np.zeros(view.height, dtype=np.bool_)
    for keys in view.roles.key_sets().values():
        seen = view.with_roles(view.roles.knowing(keys))
        classes = Classes.of(seen, keys, missing)
        for model in models:
            check = model.verify(classes)
            if not check.holds:
                bad |= np.isin(classes.record_class, check.broken_in)
    return bad


def _finish(course: Course, seed: int) -> LinkedRelease:
    recipe, done = course.recipe, course.done
    helpers = {name: one.helper for name, one in done.items() if one.helper is not None}
    before = course.view_before()
    if recipe.people.require and not any(before.roles.key_sets().values()):
        raise InputError(
            "people.require is given, but nothing that an intruder knows: list it in "
            "people.quasi_identifiers."
        )
    course, derived = _remove_people(course, before)
    people = _people_release(course, before, derived)
    stay = course.stay
    del course  # and with it which row leads where
    give_back()
    releases = {name: _release(one, one.at(stay[name])) for name, one in done.items()}
    return LinkedRelease(
        recipe,
        releases,
        helpers,
        people,
        int(np.random.default_rng([seed, KEYS]).integers(2**63)),
    )


def _people_release(course: Course, before: Table, derived: Derived | None) -> Release:
    """The person's view as a release: its checks, with what all tables give back filled in."""
    people, view = course.recipe.people, course.view()
    own = Recipe(
        roles=before.roles, require=people.require, missing=people.missing, undeclared="keep"
    )
    if derived is None:
        derived = derive_people(course, before, view) if people.require else ()
    made = finish(own, Door(before.frame), before, StepsTaken(view, ()), derived)
    return replace(made, checks=tuple(map(_of_people, made.checks)))


def _of_people(check: Check) -> Check:
    """A check of a view with one row for each person."""
    return replace(check, of_people=True, counts_people=check.model == KAnonymity.kind())


def _release(one: Taken, result: StepsTaken) -> Release:
    if one.recipe.require:
        return finish(one.recipe, Door(one.original.frame), one.original, result)
    return Release(one.recipe, one.original, result.table, (), facts_of(one.recipe, result))
