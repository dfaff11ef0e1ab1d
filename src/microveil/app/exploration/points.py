"""Points: the settings of a grid, each as a recipe of its own."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Mapping, Sequence, Sized
from dataclasses import dataclass
from itertools import product
from typing import Any, TypeAlias

from microveil.errors import InputError, SpecError
from microveil.recipes import Recipe
from microveil.specs import identity_of

Grid: TypeAlias = "Mapping[str, Sequence[Any]] | Sequence[Mapping[str, Any]]"
"""Values by path, in every combination; or the points themselves, one mapping each."""
Alternatives: TypeAlias = "Mapping[str, Recipe | tuple[Recipe, Grid]]"

TOGETHER = "+"
"""Separates paths that take the same value."""
MOST_POINTS = 10_000
"""A grid with more points is taken to be a mistake."""
MAIN = "recipe"
"""Default name of the first recipe."""


@dataclass(frozen=True)
class Setting:
    """One point before it is run: a recipe with its values filled in, or why that fails."""

    name: str
    """Which recipe."""
    values: Mapping[str, Any]
    recipe: Recipe | None
    problem: str | None = None

    @property
    def digest(self) -> str:
        """Equal for equal steps, roles and requirements, whatever grid they come from."""
        plain = {"name": self.name, "values": dict(self.values)}
        return digest(plain if self.recipe is None else self.recipe.to_dict())


def digest(plain: Any) -> str:
    """A short hash of plain data."""
    return hashlib.sha256(identity_of(plain).encode()).hexdigest()[:32]


def settings_of(
    recipe: Recipe, grid: Grid | None, alternatives: Alternatives | None, name: str = MAIN
) -> tuple[Setting, ...]:
    """Every point of every recipe, in the order of the grid."""
    pairs: dict[str, tuple[Recipe, Grid]] = {name: (recipe, grid or {})}
    for other, given in (alternatives or {}).items():
        if other in pairs:
            raise InputError(
                "An alternative has the same name as the first recipe, '{name}': rename it.",
                name=name,
            )
        pairs[other] = given if isinstance(given, tuple) else (given, grid or {})
    n_points = sum(_size(own) for _, own in pairs.values())
    if n_points > MOST_POINTS:
        raise InputError(
            "The grid has {n_points:,} points; the limit is {most_points:,}.",
            n_points=n_points,
            most_points=MOST_POINTS,
        )
    return tuple(one for who, (base, own) in pairs.items() for one in _settings(who, base, own))


def _size(grid: Grid) -> int:
    """Number of points, without building them; every path needs a list of values."""
    if not isinstance(grid, Mapping):
        return len(grid)
    for path, values in grid.items():
        if isinstance(values, str | bytes | Mapping) or not isinstance(values, Sized):
            raise InputError("Give the values of '{path}' as a list.", path=path)
    empty = [path for path, values in grid.items() if not len(values)]
    if empty:
        raise InputError("The grid has no value for {empty:quoted}.", empty=empty)
    return math.prod(len(values) for values in grid.values())


def _settings(name: str, recipe: Recipe, grid: Grid) -> list[Setting]:
    points = list(_combinations(grid) if isinstance(grid, Mapping) else _list_points(grid))
    settings = [_setting(name, recipe, values) for values in points]
    broken = [one.problem for one in settings if one.recipe is None]
    if broken and len(broken) == len(settings):
        # Not a single value fits: the path is wrong, or all values are.
        raise InputError(
            "No point of the grid fits the recipe '{name}'. The first: {broken}",
            name=name,
            broken=broken[0],
        )
    return settings


def _combinations(grid: Mapping[str, Sequence[Any]]) -> Iterable[dict[str, Any]]:
    """Every combination of the values, the last path varying fastest.

    >>> list(_combinations({"steps.0.k": [2, 3], "steps.1.base": [5]}))
    [{'steps.0.k': 2, 'steps.1.base': 5}, {'steps.0.k': 3, 'steps.1.base': 5}]
    """
    for chosen in product(*grid.values()):
        yield dict(zip(grid, map(_scalar, chosen), strict=True))


def _scalar(value: Any) -> Any:
    """A NumPy number as a Python number, so that it can be used in a recipe."""
    return value.item() if hasattr(value, "item") else value


def _list_points(grid: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    if not all(isinstance(point, Mapping) for point in grid):
        raise InputError("A grid maps paths to lists of values, or lists points as mappings.")
    return [dict(point) for point in grid]


def _setting(name: str, recipe: Recipe, values: Mapping[str, Any]) -> Setting:
    single = {path.strip(): one for paths, one in values.items() for path in paths.split(TOGETHER)}
    try:
        return Setting(name, values, recipe.with_values(single) if single else recipe)
    except SpecError as error:
        return Setting(name, values, None, "; ".join(error.problems))
