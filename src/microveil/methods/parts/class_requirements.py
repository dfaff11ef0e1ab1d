"""Shared by methods that form classes of records: their keys, and what classes must satisfy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from microveil.errors import (
    ColumnError,
    GoalNotReachedError,
    InputError,
    RolesError,
    did_you_mean,
)
from microveil.methods.parts.columns import usable_frame
from microveil.privacy import MODELS, KAnonymity, PrivacyModel
from microveil.search.lattice.goals import refuse_keys
from microveil.search.lattice.record_judge import Judge, judge_of
from microveil.tables import Classes, Table

__all__ = [
    "Judge",
    "Models",
    "further_models",
    "judge_of",
    "keys_of",
    "refuse_hopeless",
    "refuse_strangers",
    "refuse_too_few",
]

Models = tuple[Annotated[PrivacyModel, MODELS], ...]


def keys_of(table: Table, named: Sequence[str], step: str) -> tuple[str, ...]:
    """The columns a step names as its keys, otherwise the roles' quasi-identifiers."""
    keys = tuple(named) or table.roles.quasi_identifiers
    if not keys:
        raise RolesError(
            "Step '{step}' needs keys: name quasi_identifiers in the roles, or columns in "
            "the step.",
            step=step,
        )
    usable_frame(table, keys, step)
    return keys


def refuse_strangers(hierarchies: Mapping[str, Any], keys: Sequence[str], step: str) -> None:
    """Raise an error if a hierarchy is given for a column that is not a key."""
    strangers = [name for name in hierarchies if name not in keys]
    if strangers:
        raise ColumnError(
            "Step '{step}' has a hierarchy for {strangers:quoted}, which is not one of its "
            "keys ({keys:quoted}).{hint}",
            step=step,
            strangers=strangers,
            keys=keys,
            hint=did_you_mean(strangers[0], keys),
        )


def refuse_too_few(n_records: int, k: int, step: str) -> None:
    """Raise an error if there are fewer records than one class needs."""
    if n_records < k:
        raise GoalNotReachedError(
            "Step '{step}' cannot form classes of k = {k}: the table has {n_records} "
            "records. Choose a smaller k, or protect more records at once.",
            step=step,
            k=k,
            n_records=n_records,
        )


def further_models(table: Table, k: int, models: Models, columns: Sequence[str] = ()) -> Models:
    """The requirements that counting records does not cover: people, and further models.

    Raises for a model that looks keys up in a file: while classes form, there are none yet; and
    for one about a column that is coarsened as a key.
    """
    for model in models:
        refuse_keys(model, table.roles, columns or table.roles.quasi_identifiers)
        if getattr(model, "population", None) is not None:
            raise InputError(
                "Model '{kind}' looks keys up in a population, which is impossible while "
                "they are being generalised. List it in the recipe's requirements instead.",
                kind=model.kind(),
            )
    counted = table.people is not None and k > 1
    return (KAnonymity(k=k), *models) if counted else models


def refuse_hopeless(table: Table, models: Models) -> None:
    """Raise an error if not even one class of all records would satisfy the models."""
    classes = Classes.of(table, ())
    broken = [check for model in models if not (check := model.verify(classes)).holds]
    if broken:
        raise GoalNotReachedError(
            "Not even a single class of all records would do: {sentence} Ask for less, or "
            "change the sensitive column first.",
            sentence=broken[0].sentence(),
        )
