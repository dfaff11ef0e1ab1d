"""The lattice of a recipe's search: explored without a release, or released at any node."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from microveil.app.running import read_by_recipe, run
from microveil.app.steps import Steps
from microveil.errors import InputError
from microveil.methods import OptimalGeneralization
from microveil.methods.parts.lattice_release import LatticeMethod
from microveil.methods.parts.streams import Chance
from microveil.progress import Progress, silent
from microveil.recipes import Recipe
from microveil.recipes.recipe import refuse_other
from microveil.release.release import Release
from microveil.search.lattice.choosing import parsed_levels
from microveil.search.lattice.lattice_search import LatticeSearch
from microveil.search.lattice.result import SearchResult
from microveil.tables import Door, Roles, Table, as_table


def lattice(
    recipe: Recipe, data: Any, *, seed: int | None = None, progress: Progress = silent
) -> SearchResult:
    """Search the lattice of a recipe's first searching step, as a run would, without a release.

    Steps before the search are applied, since they change its input; ``result.release(3)`` runs
    the whole recipe with a different node.

    >>> ages = {"age": [31, 32, 45, 47], "sex": ["f", "f", "m", "m"]}
    >>> recipe = Recipe.from_yaml('''
    ... roles: {quasi_identifiers: [age, sex]}
    ... steps: [{method: optimal_generalization, k: 2,
    ...          hierarchies: {age: {hierarchy: intervals, width: [10, 50]}}}]''')
    >>> walked = lattice(recipe, ages)
    >>> [node.levels for node in walked.first(2)]
    [{'age': 1, 'sex': 0}, {'age': 2, 'sex': 0}]
    """
    position = searching_step(recipe)
    table = read_by_recipe(recipe, Table(Door(data).frame))
    steps = Steps.start(recipe, table, Chance.of(seed, table.frame)).until(position)
    with steps.within(position):
        found: Any = steps.aimed_step(position)
        result: SearchResult = found.search(steps.table, progress)

    def release(levels: Mapping[str, int], own_seed: int | None) -> Release:
        again = at_node(recipe, ",".join(f"{name}={level}" for name, level in levels.items()))
        drawn = seed if own_seed is None else own_seed
        made: Release = run(again, data, seed=drawn, progress=progress)
        return made

    return replace(result, _releaser=release)


def searching_step(recipe: Recipe) -> int:
    """Position of the first step that searches a lattice."""
    refuse_other(recipe)
    for position, step in enumerate(recipe.steps):
        if isinstance(step, LatticeMethod):
            return position
    raise InputError(
        "No step of the recipe searches a lattice. Use `optimal_generalization` or `incognito`."
    )


def at_node(recipe: Recipe, node: str) -> Recipe:
    """The recipe with a given node of its search: a rank (``3``) or levels (``age=1,sex=0``)."""
    position = searching_step(recipe)
    path, step = f"steps.{position}", recipe.steps[position]
    if node.strip().isdecimal():
        return recipe.with_values({f"{path}.node": int(node)})
    keys = getattr(step, "columns", ()) or recipe.roles.quasi_identifiers
    return recipe.with_values({f"{path}.levels": parsed_levels(node, keys), f"{path}.node": 1})


def release_levels(
    search: LatticeSearch,
    levels: Mapping[str, int],
    data: Any,
    roles: Roles | None,
    seed: int | None,
) -> Release:
    """Release a table at the levels of a stand-alone search."""
    settled = {**search.to_dict(), "levels": dict(levels), "node": 1, "strategy": "auto"}
    step = OptimalGeneralization.parse(settled)
    table = as_table(data, roles)
    recipe = Recipe(roles=table.roles, steps=(step,), require=search.goal)
    return run(recipe, table.frame if isinstance(data, Table) else data, seed=seed)
