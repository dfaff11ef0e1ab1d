"""Draw all tables of a linked recipe, and give them keys."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import polars as pl

from microveil.arrays import Longs
from microveil.errors import InputError, InternalError
from microveil.linked.course import view_of
from microveil.linked.links import Frames, key_parts
from microveil.linked.owners import Relations
from microveil.linked.recipe import LinkedRecipe, key_columns
from microveil.linked.release import LinkedRelease
from microveil.linked.synthesis.drawing import COUNT, Drawing
from microveil.linked.synthesis.rules import check_rules, kept_rules
from microveil.linked.synthesis.settings import LinkedSynthesis
from microveil.linked.synthesis.structure import Structure
from microveil.progress import Progress
from microveil.recipes import Recipe
from microveil.release.release import Release
from microveil.tables import Table


def synthesize_linked(
    recipe: LinkedRecipe,
    settings: LinkedSynthesis,
    frames: Frames,
    rng: np.random.Generator,
    progress: Progress,
) -> LinkedRelease:
    """Synthetic tables in the place of the real ones; lists of codes stay."""
    _refuse_others(recipe)
    structure = Structure.of(frames, recipe.links, recipe.people.table, settings.wholes)
    columns = {name: _drawable(recipe, name, frames, structure) for name in structure.drawn}
    real = {name: _as_categories(recipe, name, frames, structure) for name in structure.drawn}
    check_rules(settings.rules, real, structure)
    for name, by in settings.order.items():
        if name not in structure.parent or by not in columns[name]:
            raise InputError(
                "synthesize.order: table '{name}' has no parent, or no column '{by}' that is "
                "drawn.",
                name=name,
                by=by,
            )
    drawing = Drawing(settings, structure, real, columns, rng)
    for place, name in enumerate(structure.drawn):
        progress(place, len(structure.drawn), name)
        drawing.draw(name)
    made = {name: frame for name, frame in frames.items() if name not in structure.drawn}
    made |= {name: _with_keys(recipe, name, frames, drawing) for name in structure.drawn}
    for name in structure.drawn:
        if not kept_rules(settings.rules, name, made[name], made, drawing.above[name]).all():
            raise InternalError("Synthetic rows of table '{name}' break a rule.", name=name)
    return _release(recipe, frames, made, drawing, int(rng.integers(2**63)))


def _refuse_others(recipe: LinkedRecipe) -> None:
    """Refuse steps and requirements, which would say little about rows that belong to nobody."""
    wrong = [name for name, one in recipe.tables.items() if one.steps or one.require]
    if wrong or recipe.people.require:
        raise InputError(
            "Synthetic tables take no steps and no requirements, which say little about rows that "
            "belong to nobody: leave them out of {wrong:quoted}.",
            wrong=wrong or ["people"],
        )
    several = [str(link) for link in recipe.links if len(link.columns) > 1]
    if several or len(key_parts(recipe.people.key)) > 1:
        raise InputError(
            "Synthetic tables have keys of one column each: give {several:quoted} one, or protect "
            "the tables by steps.",
            several=several or [recipe.people.key],
        )


def _drawable(recipe: LinkedRecipe, name: str, frames: Frames, structure: Structure) -> list[str]:
    """Columns that are drawn: all but names of people and keys that new rows get anew."""
    codes = {
        link.column
        for link in recipe.links
        if link.table == name and link.to not in structure.drawn
    }
    roles = recipe.tables[name].roles
    gone = {*roles.identifiers, *key_columns(recipe, name), roles.entity} - codes
    return [column for column in frames[name].columns if column not in gone]


def _as_categories(
    recipe: LinkedRecipe, name: str, frames: Frames, structure: Structure
) -> pl.DataFrame:
    """The table, in which keys of lists of codes are categories, not numbers."""
    codes = [
        link.column
        for link in recipe.links
        if link.table == name and link.to not in structure.drawn
    ]
    return frames[name].with_columns(pl.col(one).cast(pl.String) for one in codes)


def _with_keys(recipe: LinkedRecipe, name: str, frames: Frames, drawing: Drawing) -> pl.DataFrame:
    """The drawn rows with new keys, in the order of the original's columns."""
    made, above = drawing.made[name], drawing.above[name]
    height = made.height if made.width else len(next(iter(above.values()), []))
    keys: dict[str, Longs] = {}
    for key in key_columns(recipe, name):
        keys[key] = np.arange(height)
    for link in recipe.links:
        if link.table == name and link.to in above:
            keys[link.column] = above[link.to]
    drawn = made.select(
        pl.col(one).cast(frames[name].schema[one])
        for one in made.columns
        if not one.startswith(COUNT)
    )
    codes = set(drawn.columns)
    whole = drawn.with_columns(pl.Series(key, one) for key, one in keys.items() if key not in codes)
    return whole.select(one for one in frames[name].columns if one in whole.columns)


def _release(
    recipe: LinkedRecipe,
    frames: Frames,
    made: Mapping[str, pl.DataFrame],
    drawing: Drawing,
    numbering: int,
) -> LinkedRelease:
    table = recipe.people.table
    view, before = (
        view_of(recipe, Relations.of(some, recipe.links, table), some) for some in (made, frames)
    )
    view = Table(view.frame, view.roles, synthetic=True)
    releases = {}
    for name, one in recipe.tables.items():
        synthetic = name in drawing.structure.drawn
        own = _own_recipe(recipe, name, one, made[name], synthetic=synthetic)
        after = Table(made[name], own.roles, synthetic=synthetic)
        releases[name] = Release(own, Table(frames[name], one.roles), after, (), ())
    return LinkedRelease(
        recipe,
        releases,
        {},
        Release(Recipe(roles=view.roles, undeclared="keep"), before, view, (), ()),
        numbering,
        {"n_left_out_by_rules": dict(drawing.n_left_out)},
    )


def _own_recipe(
    recipe: LinkedRecipe, name: str, one: Recipe, made: pl.DataFrame, *, synthetic: bool
) -> Recipe:
    """The table's recipe, of which only the columns that are left count; drawn ones may leave."""
    roles = one.roles
    keys = key_columns(recipe, name)
    left = {
        field: tuple(column for column in getattr(roles, field) if column in made.columns)
        for field in ("identifiers", "quasi_identifiers", "sensitive", "insensitive")
    }
    entity = roles.entity if roles.entity in made.columns else None
    roles = roles.model_copy(update={**left, "entity": entity, "scenarios": {}})
    kept = [column for column in (*one.keep, *keys) if column in made.columns]
    changes: dict[str, Any] = {"roles": roles, "keep": tuple(dict.fromkeys(kept))}
    if synthetic:
        changes["undeclared"] = "keep"
    return one.model_copy(update=changes)
