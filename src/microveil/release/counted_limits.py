"""Limits on measures, checked on a table that is only counted: a large file, or a Spark frame."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from microveil.errors import InputError
from microveil.measures.base import Measure, RiskMeasure
from microveil.measures.evidence import no_evidence
from microveil.measures.scenarios import seen_by_each
from microveil.measures.subject import Subject
from microveil.measures.taking import score_of
from microveil.privacy import Check
from microveil.recipes import MeasureRequirement, Recipe
from microveil.release.limits import check_limits, limit_checks
from microveil.scores import Score
from microveil.tables import LazyTable, Roles, Table

PAIRS = ("discernibility", "average_class_size", "table_counts", "distribution_distance")
"""Measures that compare a release with its original by counts alone, whatever the order of rows."""
BYTES = 24
"""Memory for each record and column while a measure is taken."""

MayHold = Callable[[float, str], None]
"""Raises an error if so much memory may not be used."""


def needing_rows(recipe: Recipe, streamed: Sequence[str] = ()) -> list[Measure]:
    """Measures that compare records, or people, so that counts do not suffice.

    ``streamed`` are measures that are taken while the table is processed, cell by cell. Labels of
    a hierarchy may look like values they do not mean, which only all rows tell.
    """
    people, labels = recipe.roles.entity is not None, bool(recipe.hierarchies)
    found = []
    for required in recipe.limits:
        spec = required.spec
        if spec.kind() in streamed:
            needs = people or labels
        else:
            needs = people or not _needs_counts_only(spec)
        if needs:
            found.append(spec)
    return found


def why_not(recipe: Recipe, streamed: Sequence[str] = ()) -> str | None:
    """Why the limits of a recipe cannot be checked by counting, and what to require instead.

    ``streamed`` are measures that are taken while the table is processed.
    """
    for required in recipe.limits:
        spec = required.spec
        if spec.kind() in streamed or _needs_counts_only(spec):
            if recipe.roles.entity is not None and spec.kind() not in streamed:
                return f"measure '{spec.kind()}' counts rows here, and the roles name an entity"
            continue
        if spec.reads_all_columns:
            return f"measure '{spec.kind()}' reads every released column"
        if spec.kind() in PAIRS:
            return f"measure '{spec.kind()}' needs all columns at once unless it names `columns`"
        instead = "class_sizes" if isinstance(spec, RiskMeasure) else "discernibility"
        also = "" if isinstance(spec, RiskMeasure) or not streamed else f" or {', '.join(streamed)}"
        return (
            f"measure '{spec.kind()}' compares records one by one; require {instead}{also} in "
            "its place"
        )
    return None


def _needs_counts_only(spec: Measure) -> bool:
    """Whether the distinct rows of a few columns, and how often each occurs, are sufficient."""
    if isinstance(spec, RiskMeasure):
        return not spec.needs_original and not spec.reads_all_columns
    by_keys = spec.kind() in ("discernibility", "average_class_size")
    return spec.kind() in PAIRS and (by_keys or bool(getattr(spec, "columns", ())))


def check_counted_limits(
    recipe: Recipe,
    head: Table,
    tables: tuple[LazyTable, LazyTable],
    known: Mapping[str, Score],
    may_hold: MayHold,
    rows: tuple[Table, Table] | None = None,
) -> tuple[Check, ...]:
    """Check every limit on the released table, counted, compared with the original.

    ``head`` has a few rows of the original, for its columns; ``tables`` are the original and the
    released one; ``known`` are scores that were taken while the table was processed. ``rows`` are
    both tables as a whole, for measures that counts do not suffice for.
    """
    whole = () if rows is None else needing_rows(recipe, tuple(known))
    return tuple(
        check
        for required in recipe.limits
        for check in (
            check_limits(recipe, *rows, only=required)
            if rows is not None and any(required.spec is one for one in whole)
            else _check_limit(required, recipe, head, tables, known, may_hold)
        )
    )


def _check_limit(
    required: MeasureRequirement,
    recipe: Recipe,
    head: Table,
    tables: tuple[LazyTable, LazyTable],
    known: Mapping[str, Score],
    may_hold: MayHold,
) -> Iterator[Check]:
    spec, n_records = required.spec, tables[1].height
    if spec.kind() in known:
        yield from limit_checks(required, known[spec.kind()], "", n_records)
        return
    reason = no_evidence(recipe, head) if spec.counts_classes else ""
    if reason:
        yield from limit_checks(required, None, reason, n_records)
        return
    try:
        before, after = (_expand_rows(spec, table, may_hold) for table in tables)
    except InputError as error:
        yield from limit_checks(required, None, error.message, n_records)
        return
    subject = Subject(before, after, None, False, recipe.missing_keys, recipe)
    for scenario, measure, seen in seen_by_each(spec, subject):
        score, reason = _score_or_reason(measure, seen)
        yield from limit_checks(required, score, reason, n_records, scenario)


def _score_or_reason(measure: Measure, subject: Subject) -> tuple[Score | None, str]:
    try:
        return score_of(measure, subject), ""
    except InputError as error:
        return None, error.message


def _expand_rows(spec: Measure, table: LazyTable, may_hold: MayHold) -> Table:
    """A row for each record, with the columns that a measure may read, in no order."""
    columns = _read(spec, table.roles, table.columns)
    may_hold(float(table.height) * len(columns) * BYTES, f"measure '{spec.kind()}'")
    found = table.count_distinct(columns)
    rows = np.repeat(np.arange(found.keys.height), found.counts)
    roles = table.roles.without(set(table.roles.named) - set(columns))
    return Table(found.keys[rows], roles)


def _read(spec: Measure, roles: Roles, there: Sequence[str]) -> list[str]:
    wanted = {name for name in roles.named if name not in roles.identifiers}
    named = getattr(spec, "columns", ())
    wanted |= set(named) | _texts(spec.to_dict())
    return [name for name in there if name in wanted]


def _texts(plain: Any) -> set[str]:
    """Every text of a specification, among which are the columns that it names."""
    if isinstance(plain, str):
        return {plain}
    if isinstance(plain, Mapping):
        return {text for value in plain.values() for text in _texts(value)}
    if isinstance(plain, list | tuple):
        return {text for value in plain for text in _texts(value)}
    return set()
