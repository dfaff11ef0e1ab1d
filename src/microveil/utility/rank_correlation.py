"""Rank correlation: how much of the rank structure between columns is left."""

from __future__ import annotations

from typing import ClassVar, Literal

import numpy as np
import polars as pl

from microveil.arrays import Floats
from microveil.measures.base import UtilityMeasure
from microveil.pairs.numbers import complete_numbers
from microveil.scores import Score
from microveil.tables import Table
from microveil.tables.roles import Columns


class RankCorrelation(UtilityMeasure):
    """Mean absolute change of Spearman's rank correlation over all pairs of columns.

    ``parts`` also has each column's rank correlation with its original version (1 if the order is
    unchanged), which is all there is with a single column. Tied values get their mean rank; only
    complete records count; a constant column has correlation 0 with others.

    >>> before = {"height": [1.67, 1.90, 1.81, 1.73, 1.89], "shoe": [37, 45, 43, 39, 46]}
    >>> round(RankCorrelation().measure(before, before).parts["before"]["height, shoe"], 6)
    0.9
    """

    question: ClassVar[str] = "Are relations between columns kept?"
    title: ClassVar[str] = "Rank correlations"
    plain: ClassVar[str] = "Mean change of the rank correlation (Spearman's) of two columns."
    headline: ClassVar[bool] = True
    name: Literal["rank_correlation"] = "rank_correlation"
    needs_alignment: ClassVar[bool] = True
    needs_numbers: ClassVar[bool] = True
    computes: ClassVar[bool] = True
    least_columns: ClassVar[int] = 2
    columns: Columns = ()
    """Columns to compare; by default all that are numeric before and after."""

    def score(self, original: Table, released: Table) -> Score:
        """Correlate ranks before and after."""
        paired = complete_numbers(original, released, self.columns)
        names, d = paired.columns, len(paired.columns)
        sides = _rank_units(paired.before), _rank_units(paired.after)
        before, after = (np.clip(side.T @ side, -1, 1) for side in sides)
        across = np.clip(np.einsum("ij,ij->j", *sides), -1, 1)
        upper = np.triu_indices(d, 1)
        changes = np.abs(after[upper] - before[upper])
        parts = {
            "before": _by_pair(before, names),
            "after": _by_pair(after, names),
            "with_itself": {name: float(across[i]) for i, name in enumerate(names)},
        }
        value = float(changes.mean()) if len(changes) else 0.0
        return Score(measure=self.kind(), value=value, scale="correlation", parts=parts)


def _rank_units(values: Floats) -> Floats:
    """Ranks within each column with mean 0 and length 1, in place of the values.

    The products of such columns are their correlations; a constant column becomes 0.
    """
    for column in values.T:
        ranks = pl.Series(column).rank("average").to_numpy()
        if not len(ranks):
            continue
        centred = ranks - ranks.mean()
        length = np.sqrt(centred @ centred)
        column[:] = centred / (length or np.inf)
    return values


def _by_pair(correlations: Floats, names: tuple[str, ...]) -> dict[str, float]:
    return {
        f"{names[i]}, {names[j]}": float(correlations[i, j])
        for i in range(len(names))
        for j in range(i + 1, len(names))
    }
