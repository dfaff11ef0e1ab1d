"""The codebook: what each released column contains, as a user of the data sees it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import polars as pl

from microveil.plots.bins import numbers_of, round_edges
from microveil.plots.small_counts import SMALL_COUNT
from microveil.reports.audience import Audience, public_share
from microveil.reports.plain import plain
from microveil.reports.summary import Column
from microveil.reports.words.wording import number
from microveil.tables.kinds import is_number
from microveil.tables.values import as_text

if TYPE_CHECKING:
    from microveil.files import Labels
    from microveil.release import Release

MOST_LEVELS = 24
"""Levels that are listed; a column with more is counted."""
N_STEPS = 10


def codebook_of(
    release: Release, columns: tuple[str, ...], audience: Audience
) -> tuple[Column, ...]:
    """Kind, levels or range, and missing cells of each released column.

    The public report lists no level with fewer than ten records, and rounds the ends of a range.
    """
    frame = release.table.frame
    entries = [_entry(frame[name], audience) for name in columns if name in frame.columns]
    return tuple(_with_labels(one, release.labels) for one in entries)


def _with_labels(entry: Column, labels: Labels) -> Column:
    """The entry with what the file said about the column and its codes."""
    levels = entry.levels
    if levels is not None and entry.name in labels.values:
        levels = tuple(labels.tell(entry.name, level) for level in levels)
    return replace(entry, levels=levels, label=labels.columns.get(entry.name))


def _entry(column: pl.Series, audience: Audience) -> Column:
    counts = level_counts(column)
    least = SMALL_COUNT if audience == "public" else 1
    listed = None
    n_levels, n_rare = len(counts), 0
    if 0 < n_levels <= MOST_LEVELS:
        common = [level for level, n in counts.items() if n >= least]
        listed, n_rare = tuple(plain(common)), n_levels - len(common)
    missing = column.null_count() / max(1, len(column))
    share = missing if audience == "internal" else public_share(missing, len(column))
    return Column(
        name=column.name,
        kind=_kind(column),
        n_levels=n_levels if audience == "internal" or n_levels <= MOST_LEVELS else None,
        levels=listed,
        n_rare=n_rare,
        range=None if listed is not None else rounded_range(column),
        missing_share=share,
    )


def level_counts(column: pl.Series) -> dict[str, int]:
    """Levels in their order, each with its records."""
    if column.dtype.is_nested() or column.dtype in (pl.Object, pl.Binary):
        return {}
    there = column.drop_nulls()
    counts = there.value_counts(name="n").sort(column.name)
    texts = as_text(counts[column.name]).to_list()
    return dict(zip(texts, counts["n"].to_list(), strict=True))


def _kind(column: pl.Series) -> str:
    dtype = column.dtype
    if dtype == pl.Boolean:
        return "yes or no"
    if dtype.is_temporal():
        return "dates or times"
    if dtype.is_integer():
        return "whole numbers"
    return "numbers" if dtype.is_numeric() else "text"


def rounded_range(column: pl.Series) -> tuple[str, str] | None:
    """Round ends, within which all numbers lie."""
    if not is_number(column.dtype) or column.dtype.is_temporal():
        return None
    values = numbers_of(column)
    if not len(values):
        return None
    edges = round_edges(values, n_bins=N_STEPS)
    return number(float(edges[0])), number(float(edges[-1]))
