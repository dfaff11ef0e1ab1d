"""Mending: steps that would fix a requirement that fails."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from microveil.errors import listing
from microveil.methods import (
    LocalSuppression,
    Method,
    Mondrian,
    OptimalGeneralization,
    SuppressRecords,
)
from microveil.privacy import Check, PrivacyModel
from microveil.recipes import Recipe
from microveil.texts import Message, compose

SUPPRESSED = 0.1
"""Share of records that a search may remove."""
AS_A_WHOLE = ("average_risk", "population_uniqueness", "km_anonymity")
"""Models that blame no class by its keys: removing the records of classes does not reach them."""


def mends_for(broken: str, recipe: Recipe) -> Iterator[Method]:
    """Steps to choose from for a model that does not hold, the gentlest first.

    ``broken`` is the name of the model, as its check has it (``check.model``). Suppression counts
    records, which is enough for k-anonymity. Requirements about sensitive values need classes that
    are formed with those values in view.
    """
    model = next((one for one in recipe.models if one.kind() == broken), None)
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


TOLD = ("method", "model", "models", "column", "columns", "distance", "variant", "mode")
"""Parameters whose texts are names; orders, hierarchies and populations may hold values."""


def say_mends(checks: Iterable[Check], recipe: Recipe) -> Message:
    """Which step with which parameters would fix the requirements that fail, in a sentence.

    A check that fails by what can be derived says itself what helps.
    """
    broken = [check for check in checks if not check.holds and not check.derivable]
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
    if broken:
        return Message("mending.add_a_step", "Add a step that lowers it, or relax the limit.")
    return compose("")


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
