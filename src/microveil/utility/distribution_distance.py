"""Distribution distance: how far columns, and pairs of columns, moved as distributions."""

from __future__ import annotations

from itertools import combinations
from typing import Any, ClassVar, Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray
from pydantic import Field

from microveil.measures.base import UtilityMeasure
from microveil.pairs.alignment import aligned
from microveil.scores import Score
from microveil.tables import Table
from microveil.tables.door import refuse_nested
from microveil.tables.roles import Columns, check_columns
from microveil.utility.parts.cell_bins import Bins, Support, coarsened, column_bins, pair_tables
from microveil.utility.parts.key_columns import plain_columns
from microveil.utility.parts.sample_weights import sample_weights
from microveil.utility.parts.shares import share

Floats = NDArray[np.float64]
Distance = Literal["total_variation", "hellinger", "chi_square"]


class DistributionDistance(UtilityMeasure):
    """Mean distance between the distributions of each column before and after, from 0 to 1.

    For each column: *total variation* ½Σ|p − q|, *Hellinger* √(1 − Σ√(pq)), *χ²* ½Σ(p − q)²/(p + q)
    and, for numbers, *Kolmogorov–Smirnov* max|F − G| and *Wasserstein* ∫|F − G| in standard
    deviations of the original. For each pair: the total variation of their table, and Cramér's V
    before and after. Numbers of many kinds are put into bins of about equal content; missing cells
    and ``*`` have a bin of their own. A released label is spread evenly over the original's values
    it covers, so that ``[30, 40)`` is as far from the ages of the original as they are from even.
    Rows need not be paired. Records count by their weight where the roles name one.

    >>> before, after = {"sex": ["f", "f", "f", "m"]}, {"sex": ["f", "f", "m", "m"]}
    >>> DistributionDistance().measure(before, after).value
    0.25
    """

    question: ClassVar[str] = "Are distributions kept?"
    title: ClassVar[str] = "Distance of distributions"
    headline: ClassVar[bool] = True
    name: Literal["distribution_distance"] = "distribution_distance"
    quick: ClassVar[bool] = False
    columns: Columns = ()
    """Columns to compare; all that both tables have unless named."""
    distance: Distance = "total_variation"
    """Which distance the score is the mean of; ``parts`` has all."""
    pairs: bool = True
    """Compare pairs of columns, too; time grows with their number."""
    n_bins: int = Field(default=20, ge=2, le=1000)
    """Bins for numbers, and categories kept apart in pairs."""

    def score(self, original: Table, released: Table) -> Score:
        """Compare the distributions; labels that name no value are read from the pairs of rows."""
        return self._score(original, released, paired=True)

    def score_unpaired(self, original: Table, released: Table) -> Score:
        """The same where labels alone must say what they cover."""
        return self._score(original, released, paired=False)

    def _score(self, original: Table, released: Table, *, paired: bool) -> Score:
        names = self._columns(original, released)
        weights = sample_weights(original, released)
        beside = aligned(original, released) if paired else None
        dealt = {
            name: column_bins(
                original.frame[name],
                released.frame[name],
                None if beside is None else beside.frame[name],
                self.n_bins,
                weights,
            )
            for name in names
        }
        columns = {name: _column(bins, weights) for name, bins in dealt.items()}
        frames = {"columns": _frame(columns)}
        parts: dict[str, Any] = {f"mean_{kind}": _mean(columns, kind) for kind in _KINDS}
        parts["columns"] = {name: one[self.distance] for name, one in columns.items()}
        if self.pairs:
            pairs = self._pairs(dealt, weights)
            frames["pairs"] = _frame(pairs)
            parts["pairs_total_variation"] = _mean(pairs, "total_variation")
            parts["cramers_v_change"] = _mean(pairs, "cramers_v_change")
        value = parts[f"mean_{self.distance}"]
        return Score(measure=self.kind(), value=value, parts=parts, frames=frames)

    def _columns(self, original: Table, released: Table) -> tuple[str, ...]:
        if not self.columns:
            weight = original.roles.weight
            return tuple(one for one in plain_columns(original, released) if one != weight)
        for table in (original, released):
            check_columns(self.columns, table.columns)
            refuse_nested(table.frame, list(self.columns), self.kind())
        return self.columns

    def _pairs(
        self, dealt: dict[str, Bins], weights: tuple[Floats | None, Floats | None]
    ) -> dict[str, dict[str, float]]:
        few = {name: coarsened(bins, self.n_bins) for name, bins in dealt.items()}
        return {
            f"{a}, {b}": _pair(*pair_tables(few[a], few[b], weights))
            for a, b in combinations(few, 2)
        }


_KINDS = ("total_variation", "hellinger", "chi_square", "kolmogorov_smirnov", "wasserstein")


def _mean(found: dict[str, dict[str, float]], kind: str) -> float:
    values = [one[kind] for one in found.values() if kind in one]
    return float(np.mean(values)) if values else 0.0


def _frame(found: dict[str, dict[str, float]]) -> pl.DataFrame:
    kinds = list(dict.fromkeys(kind for one in found.values() for kind in one))
    return pl.DataFrame(
        {
            "column": pl.Series(list(found), dtype=pl.String),
            **{
                kind: pl.Series([one.get(kind) for one in found.values()], dtype=pl.Float64)
                for kind in kinds
            },
        }
    )


def _column(bins: Bins, weights: tuple[Floats | None, Floats | None]) -> dict[str, float]:
    before = np.bincount(bins.before, weights[0], minlength=bins.n_bins).astype(np.float64)
    atoms = np.bincount(bins.after, weights[1], minlength=bins.spread.shape[0])
    distances = _distances(_shares(before), _shares(bins.spread.T @ atoms))
    return distances if bins.support is None else distances | _of_numbers(bins.support)


def _shares(counts: Floats) -> Floats:
    total = counts.sum()
    return counts / total if total > 0 else np.zeros(len(counts))


def _distances(p: Floats, q: Floats) -> dict[str, float]:
    if not (p.any() and q.any()):
        # Nothing on one side: as far as can be, unless there is nothing on both.
        far = float(p.any() != q.any())
        return {"total_variation": far, "hellinger": far, "chi_square": far}
    both = p + q > 0
    p, q = p[both], q[both]
    return {
        "total_variation": float(np.abs(p - q).sum() / 2),
        # √(½Σ(√p − √q)²) is the same as √(1 − Σ√(pq)), and exactly 0 for equal ones.
        "hellinger": float(np.sqrt(((np.sqrt(p) - np.sqrt(q)) ** 2).sum() / 2)),
        "chi_square": float(((p - q) ** 2 / (p + q)).sum() / 2),
    }


def _of_numbers(support: Support) -> dict[str, float]:
    if not (support.before.any() and support.after.any()):
        return {}
    p, q = _shares(support.before), _shares(support.after)
    gaps = np.abs(np.cumsum(p - q))
    # In a unit in which no square overflows; the distance is a share of the spread anyway.
    unit = float(np.abs(support.points).max())
    points = support.points / unit if 0 < unit < np.inf else support.points
    distance = float((gaps[:-1] * np.diff(points)).sum())
    centre = float(p @ points)
    spread = float(np.sqrt(p @ (points - centre) ** 2))
    far = share(distance, spread) if spread > 0 else float(distance > 0)
    return {"kolmogorov_smirnov": float(gaps.max(initial=0.0)), "wasserstein": far}


def _pair(before: Floats, after: Floats) -> dict[str, float]:
    v_before, v_after = _cramers_v(before), _cramers_v(after)
    return {
        "total_variation": _distances(_shares(before.ravel()), _shares(after.ravel()))[
            "total_variation"
        ],
        "cramers_v_before": v_before,
        "cramers_v_after": v_after,
        "cramers_v_change": abs(v_after - v_before),
    }


def _cramers_v(counts: Floats) -> float:
    """How strongly two columns hang together, from 0 to 1; 0 where one of them is constant."""
    total = counts.sum()
    rows, cols = counts.sum(axis=1), counts.sum(axis=0)
    counts = counts[rows > 0][:, cols > 0]
    least = min(counts.shape, default=0) - 1
    if total <= 0 or least < 1:
        return 0.0
    expected = np.outer(rows[rows > 0], cols[cols > 0]) / total
    chi_square = float(((counts - expected) ** 2 / expected).sum())
    return float(np.sqrt(chi_square / (total * least)))
