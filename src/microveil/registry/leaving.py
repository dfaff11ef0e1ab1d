"""Compare a release with those in a registry before it leaves, and note it when it does."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from microveil.errors import InputError
from microveil.files.formats import display_source
from microveil.files.reading_back import sha256
from microveil.files.sources import expand_home
from microveil.recipes import Recipe
from microveil.recipes.across_releases import NAME
from microveil.registry.registering import Registration, RegistryTerms
from microveil.registry.registry import Registry
from microveil.release import Release
from microveil.tables import Table


def refuse_without_registry(recipe: Recipe, registry: Registry | RegistryTerms | None) -> None:
    """Refuse a requirement on all releases where nobody knows what they were."""
    if recipe.across and registry is None:
        raise InputError(
            "The recipe requires something of all releases together (across_releases): say where "
            "they are noted (--registry FILE, or registry=Registry(…))."
        )


def compare_with_earlier(release: Release, registry: Registry | RegistryTerms) -> Release:
    """The release with the checks on all releases together, noted in the registry when written."""
    terms = registry if isinstance(registry, RegistryTerms) else RegistryTerms(registry)
    records = release.evidence.records
    released = records if isinstance(records, Table) else release.table
    private = release.privacy_loss
    made = Registration.of(
        terms,
        release.recipe,
        release.original,
        released,
        None if private is None else private.to_dict(),
    )
    own = (one for one in release.checks if one.model != NAME)
    checks = (*own, *made.checks(release.table.height))
    return replace(release, checks=checks, registration=made)


def name_source(
    terms: RegistryTerms | None, source: str | Path, made_by: str | None
) -> RegistryTerms | None:
    """The terms with the name and the checksum of the file, where they say nothing else."""
    if terms is None:
        return None
    path = expand_home(source) if "://" not in str(source) else Path()
    name = path.stem if path.name else display_source(source)
    return replace(
        terms,
        source=terms.source or name,
        made_by=terms.made_by or made_by,
        input_sha256=sha256(path) if path.is_file() else None,
    )


def tell_registered(registration: object) -> dict[str, Any] | None:
    """What the registry noted of a release, and what it tells together with earlier ones."""
    if not isinstance(registration, Registration):
        return None
    entry = registration.entry
    return {"id": None if entry is None else entry.id, **registration.composition.to_dict()}
