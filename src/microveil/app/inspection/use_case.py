"""Inspect a table before anything is decided."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import polars as pl

from microveil.app.inspection.batteries import judge_batteries
from microveil.app.inspection.cautions import cautions
from microveil.app.inspection.column import Column
from microveil.app.inspection.counting import joint_counts, key_set
from microveil.app.inspection.date_columns import dates_in, doubts
from microveil.app.inspection.dependencies import dependencies
from microveil.app.inspection.dirt import missing_codes
from microveil.app.inspection.limits import PAIRED_COLUMNS, SAMPLE
from microveil.app.inspection.result import ColumnProfile, Inspection, KeySet
from microveil.app.inspection.suggestion import Suggestion, roles_of, suggest
from microveil.app.inspection.unrecognised import mostly_labelled
from microveil.errors import InputError
from microveil.files import Labels
from microveil.files.columns.retyping import retype
from microveil.tables import Table, to_polars


def inspect(data: Any, *, sample: int | None = SAMPLE, labels: Labels | None = None) -> Inspection:
    """Profile every column of a frame and suggest roles, with reasons and cautions.

    Counts are exact; patterns see up to ``sample`` distinct values per column (None: all), drawn at
    random but always the same. ``labels`` are those of an SPSS, Stata or SAS file: they say what
    columns and codes mean, beside the names. Time grows linearly, with one grouping per column, and
    memory holds one grouping at a time. The result contains no cell values.

    >>> found = inspect({"sex": ["f", "m", "f"], "income": [1200.5, 900.0, 3100.0]})
    >>> found.roles.quasi_identifiers, found.roles.sensitive
    (('sex',), ('income',))
    """
    if sample is not None and sample < 1:
        raise InputError(
            "The sample must be 1 value or more, not {sample}; None uses all.", sample=sample
        )
    given = data.frame if isinstance(data, Table) else to_polars(data)
    dates = dates_in(given)
    frame = retype(given, {name: one.reading for name, one in dates.items()})
    known = Labels() if labels is None else labels
    columns = [
        Column(
            series,
            sample,
            known.columns.get(series.name, ""),
            known.values.get(series.name, {}),
        )
        for series in frame.get_columns()
    ]
    suggestions = judge_batteries(suggest(columns))
    dependent = dependencies(frame, [found.column for found in suggestions if _is_content(found)])
    return Inspection(
        n_records=frame.height,
        columns=tuple(_profile(found) for found in suggestions),
        roles=roles_of(suggestions),
        key_sets=tuple(_key_sets(frame, suggestions)),
        warnings=(*cautions(suggestions, dependent, frame.height), *doubts(dates)),
        sample=sample,
        dates=dates,
    )


def _is_content(found: Suggestion) -> bool:
    """Ids trivially determine everything else."""
    return found.role not in ("identifier", "entity", "household")


def _profile(found: Suggestion) -> ColumnProfile:
    counts = found.column.counts
    return ColumnProfile(
        name=found.name,
        dtype=found.column.dtype,
        n_missing=counts.n_missing,
        missing_share=counts.missing_share,
        n_distinct=counts.n_distinct,
        n_unique=counts.n_unique,
        uniqueness=counts.uniqueness,
        distinction=counts.distinction,
        separation=counts.separation,
        kind=found.kind,
        confidence=None if found.finding is None else found.finding.share,
        role=found.role,
        reasons=found.reasons,
        labelled=mostly_labelled(found.column),
        missing_codes=missing_codes(found.column),
    )


def _key_sets(frame: pl.DataFrame, suggestions: Sequence[Suggestion]) -> list[KeySet]:
    """Each column alone, pairs of the most identifying quasi-identifiers, and all of these."""
    flat = [found for found in suggestions if found.column.form not in ("nested", "binary")]
    sets = [key_set([found.name], found.column.counts) for found in flat]
    keys = [found for found in flat if found.role == "quasi_identifier"]
    telling = sorted(keys, key=lambda found: -found.column.counts.separation)[:PAIRED_COLUMNS]
    together = [tuple(found.name for found in pair) for pair in combinations(telling, 2)]
    if len(keys) > 2:  # noqa: PLR2004  two are a pair already
        together.append(tuple(found.name for found in keys))
    return sets + [key_set(names, joint_counts(frame, names)) for names in together]
