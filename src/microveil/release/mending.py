"""Mending: steps that would fix a requirement that fails."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from microveil.errors import listing
from microveil.measures.base import UtilityMeasure
from microveil.methods import (
    Drop,
    LocalSuppression,
    Method,
    Mondrian,
    OptimalGeneralization,
    SuppressRecords,
)
from microveil.privacy import Check, PrivacyModel
from microveil.recipes import MeasureRequirement, Recipe
from microveil.release.limits import MeasureCheck
from microveil.risk.attacks.base import AttackMeasure
from microveil.texts import Message, compose

SUPPRESSED = 0.1
"""Share of records that a search may remove."""
BY_ALL_COLUMNS = ("record_linkage", "replicated_uniques")
"""Measures of risk by every column, besides the attacks."""
AS_A_WHOLE = ("average_risk", "population_uniqueness", "km_anonymity")
"""Models that blame no class by its keys: removing the records of classes does not reach them."""


def mends_for(broken: str, recipe: Recipe) -> Iterator[Method]:
    """Steps to choose from for a model that does not hold, the gentlest first.

    ``broken`` is the name of the model, as its check has it (``check.model``). Suppression counts
    records, which is enough for k-anonymity. Requirements about sensitive values need classes that
    are formed with those values in view.
    """
    model = next((one for one in recipe.models if one.kind() == broken), None)
    limit = next((one for one in recipe.limits if one.spec.kind() == broken), None)
    if model is None and limit is not None:
        yield from _mends_for_limit(limit, recipe)
        return
    k = _k(model, recipe)
    if broken == "k_anonymity":
        yield LocalSuppression(k=k)
        yield SuppressRecords(k=k)
        yield Mondrian(k=k)
        return
    if model is not None and recipe.roles.quasi_identifiers:
        yield Mondrian(k=k, models=(model,))
        yield OptimalGeneralization(k=k, models=(model,), suppression_share=SUPPRESSED)
        if broken not in AS_A_WHOLE:
            yield SuppressRecords(k=k, models=(model,))


def _mends_for_limit(limit: MeasureRequirement, recipe: Recipe) -> Iterator[Method]:
    """Classes so large that one person in them is found no more often than the limit accepts.

    An attack uses every column, so the classes are formed by all columns that have a role and
    leave: keys alone would leave exact values beside them.
    """
    accepted = limit.at_most if limit.at_most is not None else limit.upper_bound_at_most
    keys = recipe.roles.quasi_identifiers
    if accepted is None or accepted <= 0:
        return
    k = max(_k(None, recipe), math.ceil(1 / accepted - 1e-9))
    if limit.spec.counts_classes:
        if keys:
            yield Mondrian(k=k)
    elif isinstance(limit.spec, AttackMeasure) or limit.spec.kind() in BY_ALL_COLUMNS:
        gone = {name for step in recipe.steps if isinstance(step, Drop) for name in step.columns}
        roles = (*keys, *recipe.roles.sensitive, *recipe.roles.insensitive)
        columns = tuple(dict.fromkeys(name for name in roles if name not in gone))
        if columns:
            yield Mondrian(k=k, columns=columns)


TOLD = ("method", "model", "models", "column", "columns", "distance", "variant", "mode")
"""Parameters whose texts are names; orders, hierarchies and populations may hold values."""


def say_mends(checks: Iterable[Check], recipe: Recipe) -> Message:
    """Which step with which parameters would fix the requirements that fail, in a sentence.

    A check that fails by what can be derived says itself what helps, and so does a measure that
    could not be taken.
    """
    broken = [check for check in checks if not check.holds and not _says_itself(check)]
    steps: dict[str, None] = {}
    for check in broken:
        offered = next(mends_for(check.model, recipe), None)
        if offered is not None:
            steps[_write_inline(offered.to_dict())] = None
    if steps:
        return Message(
            "mending.add_this",
            "Add as the last step: {steps}.",
            steps=listing(f"`{one}`" for one in steps),
        )
    useful = {one.spec.kind() for one in recipe.limits if isinstance(one.spec, UtilityMeasure)}
    if broken and all(check.model in useful for check in broken):
        return Message(
            "mending.weaken", "Weaken or leave out a step that changes much, or relax the limit."
        )
    if broken:
        return Message("mending.add_a_step", "Add a step that lowers it, or relax the limit.")
    return compose("")


def _says_itself(check: Check) -> bool:
    return check.derivable or (isinstance(check, MeasureCheck) and bool(check.reason))


def _write_inline(plain: Any) -> str:
    """Plain data as a recipe writes them in one line; what may quote a cell is left out.

    >>> _write_inline({"method": "mondrian", "k": 4, "models": [{"model": "k_map"}]})
    '{method: mondrian, k: 4, models: [{model: k_map}]}'
    >>> _write_inline({"model": "t_closeness", "t": 0.4, "column": "ill", "order": ["flu", "cold"]})
    '{model: t_closeness, t: 0.4, column: ill, order: …}'
    """
    if isinstance(plain, Mapping):
        told = (
            f"{name}: {_write_inline(one) if _tells(name, one) else '…'}"
            for name, one in plain.items()
        )
        return "{" + ", ".join(told) + "}"
    if isinstance(plain, list | tuple):
        return "[" + ", ".join(map(_write_inline, plain)) + "]"
    return str(plain)


def _tells(name: str, value: Any) -> bool:
    """Whether a parameter can be told: numbers, and names of steps, models and columns."""
    return isinstance(value, int | float | None) or name in TOLD


def _k(model: PrivacyModel | None, recipe: Recipe) -> int:
    """The k that is asked for anywhere, 2 at the least."""
    asked: list[Any] = [getattr(one, "k", None) for one in (model, *recipe.models)]
    return max([int(one) for one in asked if isinstance(one, int)], default=2)
