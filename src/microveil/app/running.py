"""Run a recipe: steps one after the other, each with its own stream of chance, then the checks."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl

from microveil.errors import InputError
from microveil.methods import Method, Outcome
from microveil.progress import Progress, silent
from microveil.recipes import Recipe
from microveil.release.release import Release, StepFacts
from microveil.release.verifying import verify
from microveil.tables import Door, Table


def run(
    recipe: Recipe, data: Any, *, seed: int | None = None, progress: Progress = silent
) -> Release:
    """Apply a recipe to a data frame.

    The seed is a secret: whoever has it can take the noise off. Without one, chance comes from
    the operating system. The release yields data only if every requirement holds.

    >>> from microveil.privacy import KAnonymity
    >>> from microveil.tables import Roles
    >>> roles = Roles(quasi_identifiers=["sex"])
    >>> run(Recipe(roles=roles, require=[KAnonymity(k=2)]), {"sex": ["f", "f"]}).holds
    True
    """
    door = Door(data)
    with at("roles"):
        original = Table(door.frame, recipe.roles)
    check_promises(recipe)
    seed = fresh_seed(seed)
    table = original
    done: list[Outcome] = []
    for i, step in enumerate(recipe.steps):
        progress(i, len(recipe.steps) + 1, step.kind())
        with recipe.beside_its_files():
            outcome = apply_step(step.toward(recipe.require), table, seed, i)
        table = outcome.table
        # Only facts and parts are kept of a step, so that no table in between lives on.
        done.append(replace(outcome, table=original))
    progress(len(recipe.steps), len(recipe.steps) + 1, "checks")
    release = finish(recipe, door, original, table, done)
    progress(1, 1, "done")
    return release


def finish(
    recipe: Recipe, door: Door, original: Table, table: Table, done: Sequence[Outcome]
) -> Release:
    """The release of a table on which every step is done: its checks, facts and parts."""
    return Release(
        recipe,
        original,
        table,
        checks=verify(recipe, table),
        facts=tuple(
            StepFacts(step.kind(), outcome.facts, step.perturbative)
            for step, outcome in zip(recipe.steps, done, strict=True)
        ),
        parts=_by_name(outcome.parts for outcome in done),
        secrets=_by_name(outcome.secrets for outcome in done),
        door=door,
    )


def _by_name(tables: Iterable[Mapping[str, pl.DataFrame]]) -> dict[str, pl.DataFrame]:
    """All steps' tables by name; a name that is taken gets its step's number."""
    named: dict[str, pl.DataFrame] = {}
    for position, some in enumerate(tables):
        for name, table in some.items():
            named[f"{name}_{position}" if name in named else name] = table
    return named


def apply_step(step: Method, table: Table, seed: int, position: int) -> Outcome:
    """Apply the step at a position of a recipe; its stream depends on nothing else."""
    with at(f"steps.{position}.{step.kind()}"):
        return step.apply(table, np.random.default_rng([seed, position]))


@contextmanager
def at(path: str) -> Iterator[None]:
    """Put the place in the recipe before the message of what the caller must put right."""
    try:
        yield
    except InputError as error:
        error.args = (f"{path}: {error}",)
        raise


def fresh_seed(seed: int | None) -> int:
    """The caller's seed, or one that nobody knows."""
    if seed is None:
        return secrets.randbits(128)
    if seed < 0:
        raise InputError("The seed must be a whole number, zero or larger.")
    return seed


def check_promises(recipe: Recipe) -> None:
    """Refuse promises about quasi-identifiers that nobody named: they would hold for nothing."""
    if recipe.require and not any(recipe.roles.key_sets().values()):
        raise InputError(
            "The recipe makes requirements but names no quasi-identifiers. "
            "List them in roles.quasi_identifiers."
        )
