"""Protect a table in one call: inspect, suggest, run, and state the assumptions."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from microveil.app.inspection import inspect
from microveil.app.running import run
from microveil.app.suggesting import suggest
from microveil.errors import InputError, quoted
from microveil.progress import Progress, shows_progress, silent
from microveil.recipes import Recipe
from microveil.release import Release
from microveil.risk import acceptable_k
from microveil.tables import Door, Roles


@shows_progress
def protect(
    data: Any,
    roles: Roles | None = None,
    *,
    k: int | None = None,
    seed: int | None = None,
    progress: Progress = silent,
) -> Release:
    """Make a first release of any data frame: inspect roles, suggest steps, verify k-anonymity.

    ``release.notes`` lists the assumptions; ``release.recipe`` is the recipe to review, change and
    run again. Columns without a role are left out.

    >>> release = protect({"age": [31, 32, 47, 48], "sex": ["f", "f", "m", "m"]}, k=2)
    >>> release.holds, release.data.height
    (True, 4)
    """
    door = Door(data)
    looked = inspect(door.frame)
    assumed = [] if roles is not None else _assumed_roles(looked.roles)
    roles = looked.roles if roles is None else roles
    if not roles.quasi_identifiers:
        raise InputError(
            "No column looks like a quasi-identifier. Name the columns an intruder may know: "
            "mv.protect(frame, mv.Roles(quasi_identifiers=[…]))."
        )
    if k is None:
        k = acceptable_k(door.frame.height)
        assumed.append(f"k = {k}, the acceptable k for {door.frame.height:,} records.")
    recipe = suggest(door.frame, roles, k=k, inspection=looked)
    recipe = recipe.model_copy(update={"undeclared": "drop"})
    release = run(recipe, data, seed=seed, progress=progress)
    return replace(release, notes=(*assumed, *_done(recipe, release)))


def _assumed_roles(roles: Roles) -> list[str]:
    """The roles found by an inspection, as sentences."""
    words = {
        "identifiers": "identifies people, so it is dropped",
        "quasi_identifiers": "may be known to an intruder",
        "sensitive": "is confidential",
    }
    return [
        f"Column {quoted(getattr(roles, name))} {text}."
        for name, text in words.items()
        if getattr(roles, name)
    ]


def _done(recipe: Recipe, release: Release) -> list[str]:
    """What the steps did that a user should know first."""
    left_out = [
        name
        for name in release.original.columns
        if name not in recipe.roles.named and name in release.table.columns
    ]
    notes = [f"Steps: {', '.join(step.kind() for step in recipe.steps)}."]
    if left_out:
        notes.append(f"Column {quoted(left_out)} has no role and is left out.")
    return notes
