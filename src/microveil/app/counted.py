"""Assess and compare tables that are only ever counted: large files, and Spark frames."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from microveil.app.comparing import Comparison
from microveil.errors import InputError
from microveil.files import batches, scan
from microveil.measures.choosing import Choice
from microveil.planning.counting import CountedFile, plain_parquet
from microveil.planning.memory import memory_limit as memory_limit_of
from microveil.privacy import strictest_parameters
from microveil.recipes import Recipe
from microveil.risk import Assessment, assess_table, table_verdicts
from microveil.risk.assessment.acceptable_k import KRule
from microveil.risk.assessment.assessment import N_WORST
from microveil.scores import Score
from microveil.tables import LazyTable, Missing, Roles, Table
from microveil.tables.kinds import is_nested
from microveil.texts import Message, phrase
from microveil.utility import CellChanges

COUNTED = phrase(
    "The table was counted, not read into memory: only class sizes and models are given."
)
PART = 200_000
MOST_VALUES = 1_000_000
"""Columns with more distinct values are left out of the distances between distributions."""


def assess_counted(
    table: LazyTable,
    *,
    missing: Missing = "category",
    n_worst: int = N_WORST,
    thresholds: KRule | None = None,
    measures: Choice = "default",
) -> Assessment:
    """Class sizes of a table that is only counted, and the level of each privacy model."""
    if measures not in ("default", "none"):
        raise InputError(
            "{counted} Leave measures out, or assess the table whole.", counted=COUNTED
        )
    if not any(table.roles.key_sets().values()):
        raise InputError(
            Message(
                "assess.risk_needs_quasi_identifiers",
                "Risk needs quasi-identifiers: name the columns an intruder may know.",
            )
        )
    found = assess_table(
        table, missing=missing, n_worst=n_worst, thresholds=thresholds, models=strictest_parameters
    )
    return replace(found, verdicts=table_verdicts(found, {}), skipped={"others": COUNTED})


def counted_file(
    source: str | Path,
    roles: Roles,
    options: Mapping[str, Any] | None = None,
    memory_limit: str | int | None = None,
) -> CountedFile:
    """A CSV, Parquet or JSON lines file as a table that is only counted."""
    said = {name: value for name, value in (options or {}).items() if value is not None}
    return CountedFile(
        scan(source, **said),
        roles,
        plain_parquet(source, said),
        memory_limit_of(memory_limit) // 2,
    )


def assess_file(
    source: str | Path,
    roles: Roles,
    *,
    missing: Missing = "category",
    memory_limit: str | int | None = None,
    options: Mapping[str, Any] | None = None,
) -> Assessment:
    """Disclosure risk of a file that need not fit into memory, by its class sizes."""
    return assess_counted(counted_file(source, roles, options, memory_limit), missing=missing)


def compare_files(
    original: str | Path,
    released: str | Path,
    roles: Roles,
    *,
    aligned: bool = False,
    missing: Missing = "category",
    memory_limit: str | int | None = None,
) -> Comparison:
    """A release beside its original, both in files that need not fit into memory.

    Gives class sizes and the distance between the counts of each column; with ``aligned`` (both
    files have the same rows in the same order) also the share of cells changed.
    """
    before = counted_file(original, roles, None, memory_limit)
    names = scan(released).collect_schema().names()
    after = counted_file(released, _there(roles, names), None, memory_limit)
    found = compare_counted(before, after, missing=missing)
    if not aligned:
        return found
    if before.height != after.height:
        raise InputError(
            "Rows cannot be laid side by side: one file has {n_records} and the other "
            "{n_records_2}. Leave aligned out.",
            n_records=before.height,
            n_records_2=after.height,
        )
    return replace(found, utility={**found.utility, "cell_changes": _changes(original, released)})


def compare_counted(
    before: LazyTable,
    after: LazyTable,
    *,
    missing: Missing = "category",
    recipe: Recipe | None = None,
) -> Comparison:
    """A release beside its original, both only counted."""
    missing_keys = missing if recipe is None else recipe.missing_keys
    common = [name for name in before.columns if name in after.columns]
    distances, skipped = {}, {}
    for name in common:
        found = _distance(before, after, name)
        if found is None:
            skipped[name] = "has too many values to be counted"
        else:
            distances[name] = found
    mean = float(np.mean(list(distances.values()))) if distances else 0.0
    score = Score(measure="count_distance", value=mean, parts={"columns": distances})
    return Comparison(
        risk={},
        utility={"count_distance": score},
        before=assess_counted(before, missing=missing_keys),
        after=assess_counted(after, missing=missing_keys),
        skipped=skipped,
        notes=(COUNTED,),
    )


def _distance(before: LazyTable, after: LazyTable, name: str) -> float | None:
    """Total variation ½Σ|p − q| of a column's values, compared as text."""
    shares = []
    for place, table in enumerate((before, after)):
        if is_nested(table.schema[name]):
            return None
        found = table.count_distinct([name])
        if found.keys.height > MOST_VALUES:
            return None
        share = found.counts / max(found.n_records, 1)
        text = found.keys[name].cast(pl.String).alias("value")
        shares.append(pl.DataFrame([text, pl.Series(f"share{place}", share)]))
    both = shares[0].join(shares[1], on="value", how="full", nulls_equal=True).fill_null(0.0)
    return float((both["share0"] - both["share1"]).abs().sum()) / 2


def _changes(original: str | Path, released: str | Path) -> Score:
    """Cells that differ, counted part by part."""
    lost: list[tuple[int, Mapping[str, Any]]] = []
    sources = (batches(original, PART), batches(released, PART))
    for one, two in zip(*sources, strict=True):
        lost.append((one.height, CellChanges().measure(Table(one), Table(two)).parts))
    total = max(sum(rows for rows, _ in lost), 1)
    names = ("changed_share", "suppressed_share", "removed_share")
    parts: dict[str, Any] = {
        name: sum(rows * float(part[name]) for rows, part in lost) / total for name in names
    }
    return Score(measure="cell_changes", value=sum(parts.values()), parts=parts)


def _there(roles: Roles, columns: list[str]) -> Roles:
    return roles.without(set(roles.named) - set(columns))
