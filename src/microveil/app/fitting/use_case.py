"""Fit a recipe: what its steps learn from one table, as a recipe for the next."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

from microveil.app.fitting.settling import settle
from microveil.app.running import check_requirements, finish, read_by_recipe
from microveil.app.steps import Steps
from microveil.errors import InputError
from microveil.hierarchies import File, HierarchyBuilder
from microveil.hierarchies.text_files import find
from microveil.methods import Method
from microveil.methods.parts.streams import Chance
from microveil.progress import Progress, silent
from microveil.recipes import Recipe
from microveil.release.release import Release
from microveil.tables import Door, Table


def fit(
    recipe: Recipe, data: Any, *, seed: int | None = None, progress: Progress = silent
) -> Recipe:
    """Learn from a table what a recipe's steps need, and return a recipe for new tables.

    Limits found by share, frequent categories, levels chosen by a search and the classes of
    Mondrian or local recoding become parameters; row-wise steps are unchanged. Only what the
    release shows is kept from the table. The requirements apply to every table that the fitted
    recipe is run on; records outside all known classes are removed.

    >>> recipe = Recipe.from_yaml("steps: [{method: group_rare, columns: [pet], min_count: 2}]")
    >>> fit(recipe, {"pet": ["cat", "cat", "owl"]}).steps[0].kept
    {'pet': ('cat',)}
    """
    return fit_with_release(recipe, data, seed=seed, progress=progress)[0]


def fit_with_release(
    recipe: Recipe, data: Any, *, seed: int | None = None, progress: Progress = silent
) -> tuple[Recipe, Release]:
    """The recipe for new tables, and the release of the table it was learnt from."""
    check_requirements(recipe)
    door = Door(data)
    original = read_by_recipe(recipe, Table(door.frame))
    if not original.height:
        raise InputError("Nothing can be learnt from a table without records.")
    steps = Steps.start(recipe, original, Chance.of(seed, original.frame))
    learnt: list[Method] = []
    for position, step in enumerate(recipe.steps):
        progress(position, len(recipe.steps) + 1, step.kind())
        before, steps = steps.table, steps.take()
        with steps.within(position):
            done = replace(steps.outcomes[-1], table=steps.table)
            learnt += settle(steps.aimed_step(position), before, done)
    release = finish(recipe, door, original, steps.finish())
    release.require_all()
    changed = recipe.model_copy(update={"steps": tuple(learnt)})
    changed._file = recipe._file  # noqa: SLF001  another recipe, not another object's secret
    return changed, release


def write_fitted(recipe: Recipe, path: str | Path) -> Path:
    """Write a fitted recipe; paths of hierarchy files are made relative to its folder."""
    target = Path(path).expanduser()
    with recipe.beside_its_files():
        steps = tuple(_rebase_paths(step, target.parent) for step in recipe.steps)
    recipe.model_copy(update={"steps": steps}).write(target)
    return target


def _rebase_paths(step: Method, folder: Path) -> Method:
    """The step with the paths of its hierarchy files relative to another folder."""
    changed: dict[str, Any] = {}
    single, several = getattr(step, "hierarchy", None), getattr(step, "hierarchies", None)
    if isinstance(single, File):
        changed["hierarchy"] = _rebase_file(single, folder)
    if isinstance(several, dict):
        changed["hierarchies"] = {name: _rebase_file(one, folder) for name, one in several.items()}
    return step.model_copy(update=changed) if changed else step


def _rebase_file(builder: HierarchyBuilder, folder: Path) -> HierarchyBuilder:
    if not isinstance(builder, File) or Path(builder.path).is_absolute():
        return builder
    path = os.path.relpath(find(builder.path).resolve(), folder.resolve())
    return builder.model_copy(update={"path": Path(path).as_posix()})
