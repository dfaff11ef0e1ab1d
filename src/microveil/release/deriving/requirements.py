"""Requirements with what can be derived filled in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import polars as pl

from microveil.measures.evidence import perturbed_columns
from microveil.privacy import Check
from microveil.recipes import Recipe
from microveil.release.cautions import Caution
from microveil.release.deriving.derivation import Derivation
from microveil.release.deriving.finding import find_derivations
from microveil.release.deriving.wording import count_cells, say_caution, say_failing, say_publicly
from microveil.release.evidence import Evidence
from microveil.release.export_rules import undecided_columns
from microveil.release.verifying import verify
from microveil.tables import LazyTable, Missing, Table, standings
from microveil.tables.values import as_text, plain
from microveil.texts import Message


def derive(recipe: Recipe, original: Table, evidence: Evidence) -> tuple[Derivation, ...]:
    """What the columns that leave give back of the keys."""
    records = evidence.records
    if not isinstance(records, Table):
        return ()
    held_back = undecided_columns(recipe, records.columns, original)
    columns = [name for name in records.columns if name not in held_back]
    return find_derivations(original, records, columns, perturbed_columns(recipe, original))


def caution_of(
    derivations: Sequence[Derivation], records: Table | LazyTable, missing: Missing
) -> tuple[Caution, ...]:
    """One caution about everything that comes back, or none."""
    if not derivations or not isinstance(records, Table):
        return ()
    completed = standings(restore(records, derivations), missing)
    k = min(one.k for one in completed.values() if one.keys)
    n_unique = max(one.n_unique for one in completed.values() if one.keys)
    columns = dict.fromkeys(name for one in derivations for name in (one.key, one.by))
    details = {
        "n_cells": count_cells(derivations),
        "k": k,
        "n_unique": n_unique,
        "derivations": [one.to_dict() for one in derivations],
    }
    sentence = say_caution(derivations, k, n_unique)
    public = say_publicly(k)
    return (Caution("derivable_keys", sentence, tuple(columns), details, public),)


def not_looked_at() -> Caution:
    """The caution of a run that could not hold the rows to be compared."""
    return Caution(
        "derivable_keys_unknown",
        Message(
            "derived.unknown",
            "Whether keys can be worked out from the rest of the release was not examined: the "
            "rows do not fit in memory. Allow more by memory_limit.",
        ),
    )


def restore(released: Table, derivations: Sequence[Derivation]) -> Table:
    """The released table as an intruder completes it: every derivation filled in."""
    columns: dict[str, pl.Series] = {}
    # Exact values come last: they stand above a label that is only less coarse.
    for one in sorted(derivations, key=lambda one: one.cause in ("count", "column")):
        left_out = one.key not in released.columns
        there = one.values.clear(n=released.height) if left_out else released.frame[one.key]
        columns[one.key] = _fill(columns.get(one.key, there), one).alias(one.key)
    if not columns:
        return released
    gone = tuple(name for name in columns if name not in released.columns)
    roles = released.roles.model_copy(
        update={"quasi_identifiers": (*released.roles.quasi_identifiers, *gone)}
    )
    completed = released.with_columns(list(columns.values()))
    return completed.with_roles(roles) if gone else completed


def _fill(column: pl.Series, derivation: Derivation) -> pl.Series:
    column, values = plain(column), derivation.values
    if column.dtype != values.dtype:
        if column.dtype.is_numeric() and values.dtype.is_numeric():
            column, values = column.cast(pl.Float64), values.cast(pl.Float64)
        else:
            column, values = as_text(column), as_text(values)
    return values.zip_with(derivation.back, column)


def verify_derived(
    recipe: Recipe,
    evidence: Evidence,
    derivations: Sequence[Derivation],
    checks: Sequence[Check],
) -> tuple[Check, ...]:
    """The checks, each failing that holds only as long as nobody derives anything.

    Models that look keys up in a population are not asked again: its records have the labels of the
    release. Nor are tables whose links lead to several values.
    """
    strict = [one for one in derivations if one.strict]
    if not strict or not checks or not isinstance(evidence.records, Table):
        return tuple(checks)
    again = verify(recipe, replace(evidence, records=restore(evidence.records, strict)))
    models = [model for _ in evidence.roles.key_sets() for model in recipe.models]
    return tuple(
        _judge(check, other, strict) if getattr(model, "population", None) is None else check
        for check, other, model in zip(checks, again, models, strict=True)
    )


def _judge(check: Check, other: Check, derivations: Sequence[Derivation]) -> Check:
    if not check.holds or other.holds:
        return check
    notes = (*other.notes, say_failing(derivations))
    return replace(other, notes=notes, derivable=True)
