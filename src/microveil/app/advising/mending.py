"""Mending: steps that would fix a requirement that fails."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from microveil.methods import (
    LocalSuppression,
    Method,
    Mondrian,
    OptimalGeneralization,
    SuppressRecords,
)
from microveil.privacy import PrivacyModel
from microveil.recipes import Recipe

SUPPRESSED = 0.1
"""Share of records that a search may remove."""


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


def _k(model: PrivacyModel | None, recipe: Recipe) -> int:
    """The k that is asked for anywhere, 2 at the least."""
    asked: list[Any] = [getattr(one, "k", None) for one in (model, *recipe.models)]
    return max([int(one) for one in asked if isinstance(one, int)], default=2)
