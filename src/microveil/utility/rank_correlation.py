"""Rank correlation: how much of the rank structure between columns is left."""

from __future__ import annotations

from typing import ClassVar, Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray

from microveil.measures.base import UtilityMeasure
from microveil.pairs.numbers import Numbers, paired_numbers
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
    least_columns: ClassVar[int] = 2
    columns: Columns = ()
    """Columns to compare; by default all that are numeric before and after."""

    def score(self, original: Table, released: Table) -> Score:
        """Correlate ranks before and after."""
        paired = paired_numbers(original, released, self.columns).complete
        names, d = paired.columns, len(paired.columns)
        all_pairs = _correlations(_ranks(paired.before, paired.after))
        before, after, across = all_pairs[:d, :d], all_pairs[d:, d:], all_pairs[:d, d:]
        upper = np.triu_indices(d, 1)
        changes = np.abs(after[upper] - before[upper])
        parts = {
            "before": _named(before, names),
            "after": _named(after, names),
            "with_itself": {name: float(across[i, i]) for i, name in enumerate(names)},
        }
        value = float(changes.mean()) if len(changes) else 0.0
        return Score(measure=self.kind(), value=value, scale="correlation", parts=parts)


def _ranks(*sides: Numbers) -> Numbers:
    """Ranks within each column, with the columns of both tables side by side."""
    columns = [column for side in sides for column in side.T]
    ranks = np.empty((len(sides[0]), len(columns)), order="F")
    for number, column in enumerate(columns):
        ranks[:, number] = pl.Series(column).rank("average").to_numpy()
    return ranks


def _correlations(ranks: Numbers) -> NDArray[np.float64]:
    """Pearson correlations of ranks, which are overwritten; 0 with a constant column."""
    if not len(ranks):
        return np.zeros((ranks.shape[1], ranks.shape[1]))
    ranks -= ranks.mean(axis=0)
    length = np.sqrt(np.einsum("ij,ij->j", ranks, ranks))
    length[length == 0] = np.inf
    ranks /= length
    return np.clip(ranks.T @ ranks, -1, 1)


def _named(correlations: Numbers, names: tuple[str, ...]) -> dict[str, float]:
    return {
        f"{names[i]}, {names[j]}": float(correlations[i, j])
        for i in range(len(names))
        for j in range(i + 1, len(names))
    }
