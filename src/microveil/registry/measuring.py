"""What a release measures: risk, utility and the shape of its data, for the next one's gate."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from microveil.registry.keyed_hashes import KeyedHashes
from microveil.tables import Classes

if TYPE_CHECKING:
    from microveil.release import Release

MOST_CATEGORIES = 1_000
"""Distinct values up to which a column has categories."""
MOST_RECORDS = 200_000
"""Records up to which all quick measures of utility are taken; beyond, changed cells alone."""
RARE = 5
"""People in a class of the original that is rare."""


def measure_release(release: Release, hashes: KeyedHashes) -> dict[str, Any]:
    """Numbers and keyed hashes; no value of any cell."""
    after = release.assess_after(models=False)
    n = max(after.n_records, 1)
    quick = release.utility if release.original.height <= MOST_RECORDS else {}
    utility = {"cell_changes": release.cell_changes, **quick} if _has_cells(release) else quick
    return {
        "risk": {
            "highest_risk": 1 / after.k if after.k else 0.0,
            "unique_share": after.n_unique / n,
            "below_acceptable_share": after.below_share,
        },
        "utility": {
            name: float(score.value) for name, score in utility.items() if np.isfinite(score.value)
        },
        "data": {
            "n_records": release.original.height,
            "rare_share": _rare_share(release),
            "columns": {
                name: _column(release.original.frame[name], hashes)
                for name in release.original.columns
            },
        },
    }


def _has_cells(release: Release) -> bool:
    return not release.table.synthetic


def _rare_share(release: Release) -> float:
    """Share of the original's records in classes of fewer than five."""
    keys = release.original.roles.quasi_identifiers
    if not keys or not release.original.height:
        return 0.0
    classes = Classes.of(release.original, keys, release.recipe.missing_keys)
    counts = classes.record_counts
    return float(counts[classes.sizes < RARE].sum() / max(counts.sum(), 1))


def _column(values: pl.Series, hashes: KeyedHashes) -> dict[str, Any]:
    told: dict[str, Any] = {
        "type": _kind(values.dtype),
        "missing_share": values.null_count() / max(len(values), 1),
    }
    if told["type"] in ("text", "yes or no") and values.n_unique() <= MOST_CATEGORIES:
        distinct = values.drop_nulls().unique()
        told["categories"] = sorted(f"{one:016x}" for one in hashes.cells(distinct).tolist())
    return told


def _kind(dtype: pl.DataType) -> str:
    if dtype == pl.Boolean:
        return "yes or no"
    if dtype.is_temporal():
        return "dates"
    if dtype.is_numeric():
        return "numbers"
    return "lists" if dtype.is_nested() else "text"
