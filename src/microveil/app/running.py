"""Run a recipe on a data frame: its steps, then the checks."""

from __future__ import annotations

from collections.abc import Mapping, Sized
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, overload

import polars as pl

from microveil.app.labelling import resolve_labels
from microveil.app.steps import Steps, StepsTaken, at
from microveil.errors import InputError
from microveil.files import Labels
from microveil.files.columns.derived_columns import types_in_file
from microveil.files.columns.retyping import fitting, retype
from microveil.methods.parts.streams import Chance
from microveil.pairs.alignment import released_table
from microveil.progress import Progress, shows_progress, silent
from microveil.recipes import Recipe
from microveil.recipes.recipe import refuse_other
from microveil.registry.leaving import compare_with_earlier, refuse_without_registry
from microveil.release.across_unknown import across_unknown
from microveil.release.cautions import Caution
from microveil.release.deriving import Derivation, derive, verify_derived
from microveil.release.expecting import notes_of, refuse_unexpected
from microveil.release.export_rules import evidence_of
from microveil.release.limits import check_limits
from microveil.release.release import Release, StepFacts
from microveil.release.verifying import verify
from microveil.spark.frames import SparkFrame
from microveil.tables import Door, Roles, Table
from microveil.tables.door import is_spark_frame
from microveil.tables.kinds import refuse_odd_weights
from microveil.tables.roles import check_columns
from microveil.tables.table import table_inside

if TYPE_CHECKING:
    from microveil.registry import Registry, RegistryTerms
    from microveil.spark import SparkRelease

LocalFrameT = TypeVar("LocalFrameT", bound=Sized | pl.LazyFrame)
"""Frames of pandas, Polars and Arrow: all but lazy ones have a length."""


@overload
def run(
    recipe: Recipe,
    data: Mapping[str, Any] | Table,
    *,
    seed: int | None = None,
    labels: Labels | None = None,
    registry: Registry | RegistryTerms | None = None,
    progress: Progress = silent,
) -> Release[pl.DataFrame]: ...
@overload
def run(
    recipe: Recipe,
    data: LocalFrameT,
    *,
    seed: int | None = None,
    labels: Labels | None = None,
    registry: Registry | RegistryTerms | None = None,
    progress: Progress = silent,
) -> Release[LocalFrameT]: ...
@overload
def run(
    recipe: Recipe,
    data: SparkFrame,
    *,
    seed: int | None = None,
    labels: Labels | None = None,
    registry: Registry | RegistryTerms | None = None,
    progress: Progress = silent,
) -> SparkRelease: ...
@shows_progress
def run(
    recipe: Recipe,
    data: Any,
    *,
    seed: int | None = None,
    labels: Labels | None = None,
    registry: Registry | RegistryTerms | None = None,
    progress: Progress = silent,
) -> Release | SparkRelease:
    """Apply a recipe to a data frame.

    The seed is a secret: anyone who has it can remove the noise. Without one, randomness comes from
    the operating system. The release yields data only if every requirement holds. A Spark frame is
    processed by its own cluster, and the release yields a Spark frame
    (:class:`microveil.spark.SparkRelease`). ``labels`` are those of
    :func:`microveil.read_labelled`: SPSS and Stata files get them back, with new ones for new
    codes.

    With a ``registry`` the release is compared with earlier ones of the same people before it may
    leave, and noted when it is written; its :class:`RegistryTerms` name the source and the column
    that tells people apart.

    >>> from microveil.privacy import KAnonymity
    >>> from microveil.tables import Roles
    >>> roles = Roles(quasi_identifiers=["sex"])
    >>> run(Recipe(roles=roles, require=[KAnonymity(k=2)]), {"sex": ["f", "f"]}).holds
    True
    """
    check_requirements(recipe)
    refuse_without_registry(recipe, registry)
    if is_spark_frame(data):
        from microveil.spark import run_on_spark

        return run_on_spark(recipe, data, seed=seed, registry=registry)
    door = Door(data)
    recipe = recipe if labels is None else resolve_labels(recipe, labels)
    original = read_by_recipe(recipe, Table(door.frame))
    taken = Steps.start(
        recipe, original, Chance.of(seed, original.frame, steps=recipe.steps)
    ).finish(progress)
    progress(len(recipe.steps), len(recipe.steps) + 1, "checks")
    release = finish(recipe, door, original, taken)
    if registry is not None:
        release = compare_with_earlier(release, registry)
    progress(1, 1, "done")
    return release if labels is None else replace(release, labels=labels)


def read_by_recipe(recipe: Recipe, table: Table) -> Table:
    """The table as the recipe reads it, with its roles; it has every column named there."""
    with at("reading"):
        table = read_columns(recipe, table)
    with at("expect"):
        refuse_unexpected(recipe, table.frame.lazy())
    with at("roles"):
        original = table.with_roles(recipe.roles)
        if recipe.roles.weight is not None:
            refuse_odd_weights(original.frame.lazy(), recipe.roles.weight)
    with at("keep"):
        check_columns(recipe.keep, original.columns)
    return original


def read_columns(recipe: Recipe, table: Table) -> Table:
    """The table with its columns as the recipe reads them; what is read already stays so."""
    types = recipe.reading.columns
    if not types:
        return table
    check_columns(types_in_file(types), table.columns)
    return table.with_frame(retype(table.frame, types))


def read_where_fitting(recipe: Recipe | None, table: Table) -> Table:
    """The table with those columns as the recipe reads them that it has, and that can be.

    For a table that may be a release, whose columns are no longer as they came.
    """
    types = None if recipe is None else recipe.reading.columns
    return table.with_frame(fitting(table.frame, types)) if types else table


def read_release(recipe: Recipe | None, data: Any, roles: Roles | None) -> Table:
    """A table that may be a release, read where that fits, with those roles that it still has."""
    data = table_inside(data)
    if isinstance(data, Table):
        return read_where_fitting(recipe, data)
    said = recipe.roles if roles is None and recipe is not None else roles
    return released_table(read_where_fitting(recipe, Table(data)).frame, said)


def finish(
    recipe: Recipe,
    door: Door,
    original: Table,
    taken: StepsTaken,
    derived: tuple[Derivation, ...] | None = None,
) -> Release:
    """The release of a table after all steps: its checks, facts and parts.

    ``derived`` is what comes back of its keys, if that was found already.
    """
    shown = evidence_of(recipe, taken.table, taken.joined, original)
    if derived is None and recipe.models:
        derived = derive(recipe, original, shown)
    return Release(
        recipe,
        original,
        taken.table,
        checked=shown,
        known_derivations=derived,
        checks=(
            *verify_derived(recipe, shown, derived or (), verify(recipe, shown)),
            *check_limits(recipe, original, taken.whole),
            *across_unknown(recipe, taken.table.height),
        ),
        facts=facts_of(recipe, taken),
        part_tables=taken.parts,
        joined=taken.joined,
        secrets=taken.secrets,
        door=door,
    )


def facts_of(recipe: Recipe, taken: StepsTaken) -> tuple[StepFacts, ...]:
    """What each step did."""
    return tuple(
        StepFacts(step.kind(), outcome.facts, step.perturbative)
        for step, outcome in zip(recipe.steps, taken.outcomes, strict=True)
    )


def check_requirements(recipe: Recipe) -> None:
    """Refuse requirements without quasi-identifiers: they would hold trivially."""
    refuse_other(recipe)
    if recipe.models and not any(recipe.roles.key_sets().values()):
        raise InputError(
            "The recipe has requirements but names no quasi-identifiers. "
            "List them in roles.quasi_identifiers."
        )


def _write_report(release: Release, path: Path, **options: Any) -> Path:
    """Write a report; the reports package is loaded on first use."""
    from microveil.reports import write_report

    return write_report(release, path, **options)


Release.write_report = staticmethod(_write_report)


def _notice_data(release: Release) -> tuple[Caution, ...]:
    """What is odd about the data that are released; looked for when cautions are asked for."""
    from microveil.app.inspection.noticing import notice_dirt

    leaving = [name for name in release.whole.columns if name not in release.held_back]
    return (
        *notes_of(release.recipe, release.original.frame.lazy()),
        *notice_dirt(release.recipe, release.original, leaving, release.labels),
    )


Release.notice_data = staticmethod(_notice_data)
