"""A release on Spark in a registry: its people are compared on the driver, its files noted."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from microveil.dp.coverage import coverage
from microveil.registry.registering import Registration, RegistryTerms
from microveil.tables import Table

if TYPE_CHECKING:
    from microveil.registry import Registry
    from microveil.spark.release import SparkRelease


def register(release: SparkRelease, registry: Registry | RegistryTerms) -> SparkRelease:
    """The release on its way into the registry, compared with those before it."""
    terms = registry if isinstance(registry, RegistryTerms) else RegistryTerms(registry)
    head = Table(release.original.head, release.recipe.roles)
    private = coverage(release.recipe.steps, head, release.columns)
    # Rows that were drawn belong to nobody: a few of them say as much as all.
    drawn = Table(release.table.head, release.table.roles, synthetic=True)
    made = Registration.of(
        terms,
        release.recipe,
        *((head, drawn) if release.rows is None else release.rows),
        None if private is None else private.to_dict(),
    )
    return replace(release, registration=made)
