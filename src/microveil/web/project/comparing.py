"""PairView: a release beside its original, column by column and measure by measure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import polars as pl

from microveil.app import Comparison
from microveil.files import Labels
from microveil.tables import Table
from microveil.tables.kinds import is_nested
from microveil.utility.parts.correlations import ChangedCorrelation, changed_correlations
from microveil.web.project.columns import Bin, bars
from microveil.web.project.risk_view import MeasureView, measure_view

MOST_COLUMNS = 40
"""Columns that are drawn."""
MOST_CORRELATIONS = 10
"""Pairs of columns that are listed."""


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
    correlations: tuple[ChangedCorrelation, ...]
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
        correlations=tuple(
            changed_correlations(
                original, released, most_columns=MOST_COLUMNS, most=MOST_CORRELATIONS
            )
        ),
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
