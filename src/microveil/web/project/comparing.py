"""PairView: a release beside its original, column by column and measure by measure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import polars as pl
from numpy.typing import NDArray

from microveil.app import Comparison
from microveil.files import Labels
from microveil.pairs.numbers import number_matrix
from microveil.tables import Table
from microveil.tables.kinds import is_nested
from microveil.utility.parts.covariances import covariances_of
from microveil.web.project.columns import Bin, bars
from microveil.web.project.risk_view import MeasureView, measure_view

MOST_COLUMNS = 40
"""Columns that are drawn."""


@dataclass(frozen=True)
class ColumnPair:
    """One column before and after."""

    name: str
    before: tuple[Bin, ...]
    after: tuple[Bin, ...]
    """None where the column is gone."""


@dataclass(frozen=True)
class PairView:
    """What a page shows of a comparison."""

    risk: tuple[MeasureView, ...]
    utility: tuple[MeasureView, ...]
    verdicts: tuple[tuple[str, str, str], ...]
    skipped: Mapping[str, str]
    columns: tuple[ColumnPair, ...]
    correlations: tuple[tuple[str, str, float, float], ...]
    """Pairs of numeric columns with their correlation before and after."""
    notes: tuple[str, ...]

    def with_more(self, other: PairView) -> PairView:
        """This view with the measures of another one of the same pair."""
        names = {one.name for one in other.utility}
        kept = tuple(one for one in self.utility if one.name not in names)
        return replace(self, utility=(*kept, *other.utility))


def pair_view(
    found: Comparison, original: Table, released: Table, labels: Labels | None = None
) -> PairView:
    """A comparison as plain data, aggregated: no record leaves the job."""
    return PairView(
        risk=tuple(measure_view(name, score) for name, score in found.risk.items()),
        utility=tuple(measure_view(name, score) for name, score in found.utility.items()),
        verdicts=tuple((one.question, one.level, one.sentence) for one in found.verdicts),
        skipped={**found.skipped, **found.invalid},
        columns=tuple(column_pairs(original.frame, released.frame, labels)),
        correlations=tuple(_correlations(original.frame, released.frame)),
        notes=found.notes,
    )


def column_pairs(
    before: pl.DataFrame, after: pl.DataFrame, labels: Labels | None = None
) -> list[ColumnPair]:
    """The bars of each column on both sides, codes with their labels."""
    names = [name for name in before.columns if not is_nested(before[name].dtype)]
    pairs = [
        _column_pair(before[name], after[name] if name in after.columns else None)
        for name in names[:MOST_COLUMNS]
    ]
    return [_with_labels(pair, labels) for pair in pairs] if labels else pairs


def _with_labels(pair: ColumnPair, labels: Labels) -> ColumnPair:
    """The pair with labels at the bars of codes."""
    if pair.name not in labels.values:
        return pair

    def tell(bins: tuple[Bin, ...]) -> tuple[Bin, ...]:
        return tuple(
            one if one.low is not None else replace(one, label=labels.tell(pair.name, one.label))
            for one in bins
        )

    return replace(pair, before=tell(pair.before), after=tell(pair.after))


def _column_pair(before: pl.Series, after: pl.Series | None) -> ColumnPair:
    """One column on both sides; what no step touched is counted once."""
    first = bars(before)
    if after is None:
        return ColumnPair(before.name, first, ())
    untouched = before.dtype == after.dtype and before.equals(after)
    return ColumnPair(before.name, first, first if untouched else bars(after))


def _correlations(before: pl.DataFrame, after: pl.DataFrame) -> list[tuple[str, str, float, float]]:
    """Correlations of columns that are numbers on both sides, the largest change first."""
    names = [
        name
        for name in before.columns
        if name in after.columns
        and before[name].dtype.is_numeric()
        and after[name].dtype.is_numeric()
    ][:MOST_COLUMNS]
    if len(names) < 2:  # noqa: PLR2004  a pair
        return []
    first, second = (_correlation(frame.select(names)) for frame in (before, after))
    pairs = [
        (one, other, float(first[i, j]), float(second[i, j]))
        for i, one in enumerate(names)
        for j, other in enumerate(names[:i])
        if np.isfinite(first[i, j]) and np.isfinite(second[i, j])
    ]
    return sorted(pairs, key=lambda pair: -abs(pair[2] - pair[3]))[:10]


def _correlation(frame: pl.DataFrame) -> NDArray[np.float64]:
    complete = frame.drop_nulls() if any(one.null_count() for one in frame) else frame
    if complete.height < 2:  # noqa: PLR2004
        return np.full((frame.width, frame.width), np.nan)
    found = covariances_of(number_matrix(complete.get_columns()))
    spread = np.sqrt(np.diag(found))
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.clip(found / np.outer(spread, spread), -1, 1))
