"""Confidence interval overlap: whether estimates from the release lead to the same inference."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

import numpy as np
import polars as pl
from pydantic import Field

from microveil.arrays import Longs
from microveil.errors import ColumnError, InputError
from microveil.measures.base import UtilityMeasure
from microveil.pairs.alignment import common_columns
from microveil.pairs.numbers import released_numbers
from microveil.pairs.sample_weights import sample_weights
from microveil.scores import Score
from microveil.tables import Table
from microveil.tables.kinds import finite_numbers, is_number
from microveil.tables.roles import Columns, check_columns
from microveil.tables.values import as_text, rows_of
from microveil.utility.parts.estimates import Estimate, Side, group_means, overlap, regression
from microveil.utility.parts.key_columns import plain_columns, silent

MOST_GROUPS = 20
"""Largest number of distinct values of a column used for grouping by default."""


class ConfidenceOverlap(UtilityMeasure):
    """Loss of overlap between confidence intervals of means and regressions: 0 none, 1 complete.

    The overlap of two intervals is the mean of the shares that their intersection has in each (Karr
    et al. 2006), and 0 if they are disjoint. The score is 1 minus the mean over all estimates:
    means of numeric columns, overall and by group, and coefficients of linear regressions.
    ``parts`` has the mean overlap of each kind, ``frames["estimates"]`` each estimate. If the roles
    name a weight, means and regressions are weighted, with robust variances. Intervals in the
    release count as their midpoints. Groups are compared if both tables have them, so rows need not
    be paired; a group missing from the release has overlap 0.

    >>> before = {"pay": [1.0, 2.0, 3.0, 4.0, 5.0]}
    >>> after = {"pay": [2.0, 3.0, 4.0, 5.0, 6.0]}
    >>> round(ConfidenceOverlap().measure(before, after).value, 3)
    0.255
    """

    weighs: ClassVar[bool] = True
    question: ClassVar[str] = "Do analyses still give the same answers?"
    title: ClassVar[str] = "Overlap of confidence intervals"
    headline: ClassVar[bool] = True
    name: Literal["confidence_overlap"] = "confidence_overlap"
    quick: ClassVar[bool] = False
    needs_alignment: ClassVar[bool] = False
    computes: ClassVar[bool] = True
    columns: Columns = ()
    """Columns whose means are estimated; by default all that are numeric in both tables."""
    by: Columns = ()
    """Columns to group by, one at a time; by default all others with at most 20 values."""
    target: str | None = None
    """Response of the regression; by default each of ``columns`` given the others."""
    predictors: Columns = ()
    """Predictors of ``target``; by default the other ``columns``."""
    confidence: float = Field(default=0.95, gt=0, lt=1)
    """Confidence level of the intervals."""

    def score(self, original: Table, released: Table) -> Score:
        """Estimate from both tables, and compare the intervals."""
        sides = self._numbers(original, released)
        found: dict[str, list[tuple[str, Estimate, Estimate | None]]] = {
            "mean": self._means(*sides),
            "group_mean": self._group_means(original, released, *sides),
            "coefficient": self._coefficients(*sides),
        }
        rows = [
            (kind, about, overlap(before, after), *before, *(after or (None, None, None)))
            for kind, estimates in found.items()
            for about, before, after in estimates
        ]
        overlaps = {kind: [row[2] for row in rows if row[0] == kind] for kind in found}
        parts: dict[str, Any] = {
            f"{kind}_overlap": float(np.mean(values)) for kind, values in overlaps.items() if values
        }
        parts["n_estimates"] = len(rows)
        value = 1 - float(np.mean([row[2] for row in rows])) if rows else 0.0
        frame = pl.DataFrame(rows, schema=_SCHEMA, orient="row")
        return Score(
            measure=self.kind(), value=max(value, 0.0), parts=parts, frames={"estimates": frame}
        )

    def _numbers(self, original: Table, released: Table) -> tuple[Side, Side]:
        named = dict.fromkeys((*self.columns, *self.predictors))
        if self.target is not None:
            named[self.target] = None
        for table in (original, released):
            check_columns(named, table.columns)
        weight = original.roles.weight
        wanted = [name for name in named or common_columns(original, released) if name != weight]
        numbers = {
            name: released_numbers(original.frame[name], released.frame[name]) for name in wanted
        }
        wrong = [name for name, one in numbers.items() if one is None]
        if named and wrong:
            raise ColumnError(
                "Column {wrong:quoted} does not hold numbers in both tables. Name other columns.",
                wrong=wrong,
            )
        kept = {name: one for name, one in numbers.items() if one is not None}
        weights = sample_weights(original, released)
        before = Side({name: finite_numbers(original.frame[name]) for name in kept}, weights[0])
        return before, Side({name: finite_numbers(one) for name, one in kept.items()}, weights[1])

    def _means(self, before: Side, after: Side) -> _Found:
        names = self.columns or tuple(before.numbers)
        return _paired_up(
            (name, self._mean(before, name), self._mean(after, name)) for name in names
        )

    def _mean(self, side: Side, name: str) -> Estimate | None:
        one_group = np.zeros(len(side.numbers[name]), dtype=np.int64)
        return group_means(side.numbers[name], one_group, 1, side.weights, self.confidence)[0]

    def _group_means(self, original: Table, released: Table, before: Side, after: Side) -> _Found:
        names = self.columns or tuple(before.numbers)
        found: _Found = []
        for by in self._groupings(original, released, names):
            ours, theirs, n_groups = _groups(original.frame[by], released.frame[by])
            for name in names:
                if name == by:
                    continue
                sides = [
                    group_means(side.numbers[name], groups, n_groups, side.weights, self.confidence)
                    for side, groups in ((before, ours), (after, theirs))
                ]
                # A group is referred to by number, because its label is a cell value.
                labels = [f"{name} by {by} {number}" for number in range(1, n_groups + 1)]
                found += _paired_up(zip(labels, *sides, strict=True))
        return found

    def _groupings(self, original: Table, released: Table, names: tuple[str, ...]) -> list[str]:
        if self.by:
            for table in (original, released):
                check_columns(self.by, table.columns)
            return list(self.by)
        if not names:
            return []
        return [
            name
            for name in plain_columns(original, released)
            if name != original.roles.weight
            and not (is_number(original.frame[name].dtype) and name in names)
            and original.frame[name].n_unique() <= MOST_GROUPS
        ]

    def _coefficients(self, before: Side, after: Side) -> _Found:
        if self.target is None and self.predictors:
            raise InputError("'confidence_overlap': predictors need a target; name it as well.")
        targets = [self.target] if self.target is not None else list(before.numbers)
        found: _Found = []
        for target in targets:
            predictors = self.predictors or tuple(x for x in before.numbers if x != target)
            if not predictors:
                continue
            ours = regression(before, target, predictors, self.confidence)
            theirs = regression(after, target, predictors, self.confidence)
            found += _paired_up(
                (f"{target} on {name}", ours.get(name), theirs.get(name)) for name in predictors
            )
        return found


_Found = list[tuple[str, Estimate, Estimate | None]]
_SCHEMA = {
    "kind": pl.String,
    "about": pl.String,
    "overlap": pl.Float64,
    "before": pl.Float64,
    "low_before": pl.Float64,
    "high_before": pl.Float64,
    "after": pl.Float64,
    "low_after": pl.Float64,
    "high_after": pl.Float64,
}


def _paired_up(found: Any) -> _Found:
    """Estimates for which the original has an interval."""
    return [(about, before, after) for about, before, after in found if before is not None]


def _groups(before: pl.Series, after: pl.Series) -> tuple[Longs, Longs, int]:
    """Group number of each record among the original's groups; −1 for none."""
    ours, theirs = _texts(before), _texts(after)
    groups = ours.drop_nulls().unique().sort()
    sides = [rows_of(side.alias("group"), groups).astype(np.int64) for side in (ours, theirs)]
    return sides[0], sides[1], len(groups)


def _texts(column: pl.Series) -> pl.Series:
    """Values as text; missing if they carry no information."""
    shown = pl.lit(pl.Series(~silent(column)))
    return pl.select(pl.when(shown).then(pl.lit(as_text(column)))).to_series()
