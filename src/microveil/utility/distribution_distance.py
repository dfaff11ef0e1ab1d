"""Distribution distance: how far the distributions of columns and pairs of columns moved."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import Any, ClassVar, Literal

import numpy as np
import polars as pl
from pydantic import Field

from microveil.arrays import Floats
from microveil.hierarchies import AnyHierarchy
from microveil.measures.base import UtilityMeasure
from microveil.pairs.alignment import align
from microveil.pairs.coverings import read_coverings
from microveil.pairs.reading import Reading
from microveil.scores import Score
from microveil.tables import Table
from microveil.tables.door import refuse_nested
from microveil.tables.roles import Columns, check_columns
from microveil.utility.parts.cell_bins import (
    Bins,
    Support,
    coarsen,
    column_bins,
    narrow,
    pair_tables,
)
from microveil.utility.parts.key_columns import plain_columns
from microveil.utility.parts.shares import share

Distance = Literal["total_variation", "hellinger", "chi_square"]


class DistributionDistance(UtilityMeasure):
    """Mean distance between each column's distributions before and after, from 0 to 1.

    For each column: *total variation* ½Σ|p − q|, *Hellinger* √(1 − Σ√(pq)), *χ²* ½Σ(p − q)²/(p + q)
    and, for numbers, *Kolmogorov–Smirnov* max|F − G| and *Wasserstein* ∫|F − G| in standard
    deviations of the original. For each pair: the total variation of their contingency table, and
    Cramér's V before and after. Numbers with many distinct values are binned into bins of about
    equal frequency; missing cells and ``*`` have a bin of their own. A released label is spread
    evenly over the original values it covers, so that the distance of ``[30, 40)`` is how far the
    original ages are from uniform. Rows need not be paired. Records are weighted if the roles name
    a weight.

    >>> before, after = {"sex": ["f", "f", "f", "m"]}, {"sex": ["f", "f", "m", "m"]}
    >>> DistributionDistance().measure(before, after).value
    0.25
    """

    question: ClassVar[str] = "Are distributions kept?"
    title: ClassVar[str] = "Distance of distributions"
    headline: ClassVar[bool] = True
    name: Literal["distribution_distance"] = "distribution_distance"
    quick: ClassVar[bool] = False
    weighs: ClassVar[bool] = True
    columns: Columns = ()
    """Columns to compare; by default all that both tables have."""
    distance: Distance = "total_variation"
    """Distance whose mean is the score; ``parts`` has all."""
    pairs: bool = True
    """Whether to compare pairs of columns as well; time grows with their number."""
    n_bins: int = Field(default=20, ge=2, le=1000)
    """Number of bins for numbers, and of categories kept apart in pairs."""
    hierarchies: Mapping[str, AnyHierarchy] = Field(default_factory=dict)
    """How values were generalised, by column: used to look up labels."""

    def score(self, original: Table, released: Table) -> Score:
        """Compare the distributions; unclear labels are interpreted from row pairs."""
        return self.score_reading(Reading(original, released))

    def score_unpaired(self, original: Table, released: Table) -> Score:
        """The same if the labels alone must show what they cover."""
        return self.score_reading(Reading(original, released, aligned=False))

    def score_reading(self, reading: Reading) -> Score:
        """Compare the distributions; labels stand for what steps and hierarchies made of values."""
        reading = reading.with_hierarchies(self.hierarchies)
        original, released = reading.original, reading.released
        names = self._columns(original, released)
        weights = reading.weights
        beside = align(original, released) if reading.aligned else None
        covers = read_coverings(reading, names)
        columns: dict[str, dict[str, float]] = {}
        dealt: dict[str, Bins] = {}
        for name in names:
            bins = column_bins(
                original.frame[name],
                released.frame[name],
                None if beside is None else beside.frame[name],
                self.n_bins,
                weights,
                covers.get(name),
            )
            columns[name] = _column(bins, weights)
            if self.pairs:
                dealt[name] = narrow(coarsen(bins, self.n_bins))
        frames = {"columns": _frame(columns)}
        parts: dict[str, Any] = {f"mean_{kind}": _mean(columns, kind) for kind in _KINDS}
        parts["columns"] = {name: one[self.distance] for name, one in columns.items()}
        if self.pairs:
            pairs = {
                f"{a}, {b}": _pair(*pair_tables(dealt[a], dealt[b], weights))
                for a, b in combinations(dealt, 2)
            }
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
        # Nothing on one side: the maximum distance, unless both are empty.
        far = float(p.any() != q.any())
        return {"total_variation": far, "hellinger": far, "chi_square": far}
    both = p + q > 0
    p, q = p[both], q[both]
    return {
        "total_variation": float(np.abs(p - q).sum() / 2),
        # √(½Σ(√p − √q)²) equals √(1 − Σ√(pq)), and is exactly 0 for equal distributions.
        "hellinger": float(np.sqrt(((np.sqrt(p) - np.sqrt(q)) ** 2).sum() / 2)),
        "chi_square": float(((p - q) ** 2 / (p + q)).sum() / 2),
    }


def _of_numbers(support: Support) -> dict[str, float]:
    if not (support.before.any() and support.after.any()):
        return {}
    p, q = _shares(support.before), _shares(support.after)
    gaps = np.abs(np.cumsum(p - q))
    # In a unit in which no square overflows; the distance is relative to the spread anyway.
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
    """Strength of association of two columns, from 0 to 1; 0 if either is constant."""
    total = counts.sum()
    rows, cols = counts.sum(axis=1), counts.sum(axis=0)
    counts = counts[rows > 0][:, cols > 0]
    least = min(counts.shape, default=0) - 1
    if total <= 0 or least < 1:
        return 0.0
    expected = np.outer(rows[rows > 0], cols[cols > 0]) / total
    chi_square = float(((counts - expected) ** 2 / expected).sum())
    return float(np.sqrt(chi_square / (total * least)))
