"""Which measures are taken where the caller names none, and what stands against a choice."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from microveil.app.exploration.axes import Axis, parsed
from microveil.errors import InputError, listing
from microveil.measures.evidence import perturbed_columns, perturbed_keys
from microveil.recipes import Recipe
from microveil.risk import RISK_MEASURES
from microveil.tables import Table
from microveil.utility import UTILITY_MEASURES


def default_risk(recipes: Iterable[Recipe], table: Table) -> tuple[Axis, ...]:
    """Class sizes, or record linkage where values are changed, which makes counting say little.

    The intruder of the linkage knows the quasi-identifiers and the columns that are changed.
    """
    recipes = list(recipes)
    changed = {name for recipe in recipes for name in perturbed_columns(recipe, table)}
    keys = all(any(recipe.roles.key_sets().values()) for recipe in recipes)
    if (changed or not keys) and "record_linkage" in RISK_MEASURES:
        return (Axis("risk", RISK_MEASURES["record_linkage"].parse(_known(table, changed))),)
    if not keys:
        raise InputError("Risk needs quasi-identifiers: list them in roles.quasi_identifiers.")
    return parsed(["class_sizes", "class_sizes.average_risk"], "risk")


def _known(table: Table, changed: Collection[str]) -> dict[str, Any]:
    """The columns the intruder knows; none named where the measure's own choice has them all."""
    keys = table.roles.quasi_identifiers
    if not keys or set(changed) <= set(keys):
        return {}
    return {"columns": [name for name in table.columns if name in {*keys, *changed}]}


def default_utility(recipes: Iterable[Recipe], table: Table) -> tuple[Axis, ...]:
    """How far numbers moved where steps change numbers; else how coarse values became.

    The share of cells that are not as they were is taken beside it, whatever the recipes do.
    """
    changed = {name for recipe in recipes for name in perturbed_columns(recipe, table)}
    if any(table.frame.schema[name].is_numeric() for name in changed):
        wanted = ["il1s.per_cell", "cell_changes"]
    elif "generalization_loss" in UTILITY_MEASURES:
        wanted = ["generalization_loss", "cell_changes"]
    else:
        wanted = ["cell_changes"]
    return parsed(wanted, "utility")


def cautions_of(
    axes: Iterable[Axis], recipes: Iterable[tuple[str, Recipe]], table: Table
) -> tuple[str, ...]:
    """What stands against taking these measures as evidence, or against comparing the points."""
    recipes = list(recipes)
    counting = sorted({axis.measure.kind() for axis in axes if axis.measure.counts_classes})
    changing = {name for name, one in recipes if perturbed_keys(one, table)}
    found = []
    if counting and changing:
        alone = len({name for name, _ in recipes}) == 1
        where = "" if alone else f" (recipe {listing(sorted(changing))})"
        found.append(
            f"Steps change what classes are counted by{where}: {listing(counting)} is no valid "
            "evidence of risk afterwards. Judge it by record linkage or interval disclosure."
        )
    if len({one.roles.quasi_identifiers for _, one in recipes}) > 1:
        found.append(
            "The points do not all name the same quasi-identifiers, so their risks are not those "
            "of one intruder."
        )
    return tuple(found)
