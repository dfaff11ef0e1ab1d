"""Default measures, and objections to a choice of measures."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from microveil.app.exploration.axes import Axis, Side, parse_axes
from microveil.errors import InputError, listing
from microveil.measures.evidence import perturbed_columns, perturbed_keys
from microveil.recipes import Recipe
from microveil.risk import RISK_MEASURES, RiskMeasure
from microveil.tables import Table
from microveil.utility import UTILITY_MEASURES, UtilityMeasure


def default_risk(recipes: Iterable[Recipe], table: Table) -> tuple[Axis, ...]:
    """Class sizes, or record linkage if values are perturbed, which invalidates class counts.

    The linkage intruder knows the quasi-identifiers and the columns that are changed.
    """
    recipes = list(recipes)
    required = _required_axes(recipes, "risk")
    if required:
        return required
    changed = {name for recipe in recipes for name in perturbed_columns(recipe, table)}
    keys = all(any(recipe.roles.key_sets().values()) for recipe in recipes)
    if (changed or not keys) and "record_linkage" in RISK_MEASURES:
        return (
            Axis("risk", RISK_MEASURES["record_linkage"].parse(_known_columns(table, changed))),
        )
    if not keys:
        raise InputError("Risk needs quasi-identifiers: list them in roles.quasi_identifiers.")
    return parse_axes(["class_sizes", "class_sizes.average_risk"], "risk")


def _known_columns(table: Table, changed: Collection[str]) -> dict[str, Any]:
    """The columns the intruder knows; none if the measure's own default covers them."""
    keys = table.roles.quasi_identifiers
    if not keys or set(changed) <= set(keys):
        return {}
    return {"columns": [name for name in table.columns if name in {*keys, *changed}]}


def default_utility(recipes: Iterable[Recipe], table: Table) -> tuple[Axis, ...]:
    """How far numbers moved if steps change numbers; otherwise how coarse values became.

    The share of changed cells is always included.
    """
    recipes = list(recipes)
    required = _required_axes(recipes, "utility")
    if required:
        return required
    changed = {name for recipe in recipes for name in perturbed_columns(recipe, table)}
    if any(table.frame.schema[name].is_numeric() for name in changed):
        wanted = ["il1s.per_cell", "cell_changes"]
    elif "generalization_loss" in UTILITY_MEASURES:
        wanted = ["generalization_loss", "cell_changes"]
    else:
        wanted = ["cell_changes"]
    return parse_axes(wanted, "utility")


def _required_axes(recipes: list[Recipe], side: Side) -> tuple[Axis, ...]:
    """The measures of one side that the recipes limit, each once."""
    kind = RiskMeasure if side == "risk" else UtilityMeasure
    axes = [
        Axis(side, one.spec, one.part)
        for recipe in recipes
        for one in recipe.limits
        if isinstance(one.spec, kind)
    ]
    return tuple({axis.label: axis for axis in axes}.values())


def ceilings_of(axes: Iterable[Axis], recipe: Recipe) -> dict[str, float]:
    """The largest value that the recipe accepts on each axis it limits."""
    found: dict[str, float] = {}
    for axis in axes:
        for one in recipe.limits:
            if Axis(axis.side, one.spec, one.part).label != axis.label:
                continue
            limits = [one.at_most, one.upper_bound_at_most, found.get(axis.label)]
            if one.part is None and one.at_least is not None:
                limits.append(1 - one.at_least)
            least = min((limit for limit in limits if limit is not None), default=None)
            found |= {} if least is None else {axis.label: least}
    return found


def cautions_of(
    axes: Iterable[Axis], recipes: Iterable[tuple[str, Recipe]], table: Table
) -> tuple[str, ...]:
    """Objections to these measures as evidence, or to comparing the points."""
    recipes = list(recipes)
    counting = sorted({axis.measure.kind() for axis in axes if axis.measure.counts_classes})
    changing = {name for name, one in recipes if perturbed_keys(one, table)}
    found = []
    if counting and changing:
        alone = len({name for name, _ in recipes}) == 1
        where = "" if alone else f" (recipe {listing(sorted(changing))})"
        found.append(
            f"Steps change what classes are counted by{where}, so {listing(counting)} is not valid "
            "evidence of risk afterwards. Use record linkage or interval disclosure instead."
        )
    if len({one.roles.quasi_identifiers for _, one in recipes}) > 1:
        found.append(
            "The points do not all name the same quasi-identifiers, so their risks refer to "
            "different intruders."
        )
    return tuple(found)
