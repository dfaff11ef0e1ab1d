"""Clustering: whether records that were clustered together still are."""

from __future__ import annotations

from typing import ClassVar, Literal

import numpy as np
from pydantic import Field

from microveil.arrays import Floats, Longs
from microveil.errors import InputError
from microveil.labels.decoding import decode
from microveil.measures.base import UtilityMeasure
from microveil.pairs.alignment import align
from microveil.pairs.coverings import read_coverings
from microveil.pairs.reading import Reading
from microveil.scores import Score
from microveil.tables import Table
from microveil.tables.roles import Columns
from microveil.tables.row_sorting import content_order
from microveil.utility.parts.model_features import features, sample_rows, usable_columns

N_STEPS = 50
MOST_RECORDS = 10_000


class Clustering(UtilityMeasure):
    """How much the k-means partition of the records differs: 1 − adjusted Rand index.

    Original and release are each divided into ``n_clusters`` by k-means (best of several starts,
    the same for both). The adjusted Rand index of Hubert & Arabie (1985) measures how far the two
    partitions agree: 1 for identical, about 0 by chance. If rows are not paired, the original's
    records are partitioned by both sets of centres. Labels are decoded first: each becomes one of
    the values it covers, drawn uniformly. Numbers count in standard deviations, categories as 0 and
    1. Larger tables are sampled at 10,000 records.

    >>> people = {"pay": [1.0, 1.1, 5.0, 5.2]}
    >>> Clustering(n_clusters=2).measure(people, {"pay": [1.0, 5.1, 5.0, 1.2]}).value > 1
    True
    """

    question: ClassVar[str] = "Do analyses still give the same answers?"
    title: ClassVar[str] = "Clusters"
    headline: ClassVar[bool] = True
    name: Literal["clustering"] = "clustering"
    quick: ClassVar[bool] = False
    columns: Columns = ()
    """Columns to compare; by default all common ones except identifiers and weights."""
    n_clusters: int = Field(default=5, ge=2)
    """Number of clusters; fewer if there are fewer distinct records."""
    n_starts: int = Field(default=3, ge=1)
    """Number of starts, of which the best is used."""

    def score(self, original: Table, released: Table) -> Score:
        """Cluster both tables, and compare the partitions."""
        return self._score_paired(Reading(original, released))

    def score_unpaired(self, original: Table, released: Table) -> Score:
        """Partition the original's records by the centres of both tables."""
        return self._score_unpaired(Reading(original, released, aligned=False))

    def score_reading(self, reading: Reading) -> Score:
        """Compare the partitions; labels stand for what steps made of values."""
        return self._score_paired(reading) if reading.aligned else self._score_unpaired(reading)

    def _score_paired(self, reading: Reading) -> Score:
        original, released = reading.original, reading.released
        beside = align(original, released)
        columns = usable_columns(original, released, self.columns, self.kind())
        after = decode(original, released, columns, beside, read_coverings(reading, columns))
        before = beside.frame.select(columns)
        rows = content_order(before, after)[sample_rows(released.height, MOST_RECORDS)]
        both = features(before[rows], after[rows])
        # Both start from the same records, so that a difference is due to the data, not the start.
        starts = self._starts(both.before)
        ours, _ = _cluster(both.before, starts)
        theirs, _ = _cluster(both.after, starts)
        return self._compare(ours, theirs)

    def _score_unpaired(self, reading: Reading) -> Score:
        original, released = reading.original, reading.released
        columns = usable_columns(original, released, self.columns, self.kind())
        if bool(original.height) != bool(released.height):
            raise InputError("'clustering' needs records in both tables; one has none.")
        after = decode(original, released, columns, None, read_coverings(reading, columns))
        before = original.frame.select(columns)
        ours, theirs = (
            content_order(one)[sample_rows(one.height, MOST_RECORDS)] for one in (before, after)
        )
        both = features(before[ours], after[theirs])
        part, _ = _cluster(both.before, self._starts(both.before))
        _, centres = _cluster(both.after, self._starts(both.after))
        other = _nearest(both.before, centres) if len(centres) else part
        return self._compare(part, other)

    def _compare(self, ours: Longs, theirs: Longs) -> Score:
        index = adjusted_rand(ours, theirs)
        parts = {
            "adjusted_rand": index,
            "n_clusters_before": len(np.unique(ours)),
            "n_clusters_after": len(np.unique(theirs)),
            "n_records": len(ours),
        }
        return Score(measure=self.kind(), value=1 - index, scale="1 − Rand", parts=parts)

    def _starts(self, points: Floats) -> list[Longs]:
        """Records that the searches start from."""
        rng = np.random.default_rng(0)
        if not points.size:
            return []
        return [_far_apart(points, self.n_clusters, rng) for _ in range(self.n_starts)]


def _cluster(points: Floats, starts: list[Longs]) -> tuple[Longs, Floats]:
    """Cluster of each record, and the centres: the best of several starts."""
    from microveil.kernels.statistics.lloyd import lloyd

    if not points.size:
        return np.zeros(len(points), dtype=np.int64), points[:0]
    found = [lloyd(points, points[start], N_STEPS) for start in starts]
    _, clusters, centres = min(found, key=lambda one: one[0])
    return clusters, centres


def _far_apart(points: Floats, n_clusters: int, rng: np.random.Generator) -> Longs:
    """Distant records, drawn by their squared distances (Arthur & Vassilvitskii 2007)."""
    draws = rng.random(n_clusters)
    chosen = [int(draws[0] * len(points))]
    distances = ((points - points[chosen[0]]) ** 2).sum(axis=1)
    for draw in draws[1:]:
        total = np.cumsum(distances)
        if total[-1] <= 0:
            break
        chosen.append(min(int(np.searchsorted(total, draw * total[-1])), len(points) - 1))
        distances = np.minimum(distances, ((points - points[chosen[-1]]) ** 2).sum(axis=1))
    return np.array(chosen, dtype=np.int64)


def _nearest(points: Floats, centres: Floats) -> Longs:
    """Nearest centre of each point; the first if tied."""
    gaps = (centres**2).sum(axis=1) - 2 * points @ centres.T
    nearest: Longs = gaps.argmin(axis=1)
    return nearest


def adjusted_rand(a: Longs, b: Longs) -> float:
    """How far two partitions agree: 1 for identical, about 0 by chance.

    >>> adjusted_rand(np.array([0, 0, 1, 1]), np.array([1, 1, 0, 0]))
    1.0
    """
    n = len(a)
    table = np.zeros((int(a.max(initial=0)) + 1, int(b.max(initial=0)) + 1))
    np.add.at(table, (a, b), 1)
    together, ours, theirs = (
        float((counts * (counts - 1) / 2).sum())
        for counts in (table, table.sum(axis=1), table.sum(axis=0))
    )
    pairs = n * (n - 1) / 2
    chance = ours * theirs / pairs if pairs else 0.0
    most = (ours + theirs) / 2
    return 1.0 if most == chance else (together - chance) / (most - chance)
