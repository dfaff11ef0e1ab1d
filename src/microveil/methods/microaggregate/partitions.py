"""Partitions of records into groups of k to 2k−1 similar ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray

from microveil.arrays import Ints
from microveil.methods.microaggregate.likeness import LIKENESSES, record_distances
from microveil.methods.microaggregate.record_points import Points, euclidean_points, gower_records

Algorithm = Literal[
    "mdav", "v_mdav", "refined", "optimal", "fixed", "principal_component", "single_axis"
]

STEPS_PER_RECORD, MOST_STEPS = 20_000, 20_000_000


@dataclass(frozen=True)
class Partition:
    """How records are to be grouped."""

    k: int
    algorithm: Algorithm
    standardize: bool
    distance: str
    gamma: float
    axis: str | None
    steps: int | None


@dataclass(frozen=True, eq=False)
class Found:
    """A partition, and its loss: within-group and total sums of squares."""

    labels: Ints
    lost: float
    spread: float


def partition(frame: pl.DataFrame, how: Partition, rng: np.random.Generator) -> Found:
    """Group the records of a frame without missing cells and with at least k rows."""
    from microveil.kernels.microaggregation.group_means import group_sse, total_sse

    if how.distance in LIKENESSES:
        return _by_likeness(frame, how)
    if how.distance == "gower":
        from microveil.kernels.microaggregation.gower_mdav import gower_mdav

        return Found(gower_mdav(gower_records(frame), how.k), 0.0, 0.0)
    # The unit of a single column does not affect the groups, so it is left as it is.
    alone = frame.width == 1
    points = euclidean_points(frame, standardize=how.standardize and not alone)
    if how.algorithm == "single_axis" and how.axis in frame.columns:
        position = frame.columns.index(how.axis or "")
        start = euclidean_points(frame[:, :position], standardize=False).shape[1] if position else 0
        labels = _sorted_groups(points[:, start], how.k)
    else:
        labels = _labels(points, how, rng)
    lost, spread = float(group_sse(points, labels).sum()), total_sse(points)
    if alone and how.standardize:
        lost, spread = (lost / spread if spread > 0 else 0.0), float(spread > 0)
    return Found(labels, lost, spread)


def _by_likeness(frame: pl.DataFrame, how: Partition) -> Found:
    """Groups by the distances of all pairs; what is lost is squared distances to the medoids."""
    from microveil.kernels.microaggregation.medoid_mdav import medoid_mdav

    apart = record_distances(frame, how.distance)
    labels = medoid_mdav(apart, how.k)
    lost = sum(
        _to_medoid(apart[np.ix_(rows, rows)])
        for rows in (np.flatnonzero(labels == group) for group in range(labels.max() + 1))
    )
    return Found(labels, float(lost), _to_medoid(apart))


def _to_medoid(apart: NDArray[np.float32]) -> float:
    """Sum of squared distances to the record with the least sum of distances."""
    medoid = int(apart.sum(axis=1, dtype=np.float64).argmin())
    return float((apart[medoid].astype(np.float64) ** 2).sum())


def _labels(points: Points, how: Partition, rng: np.random.Generator) -> Ints:
    if points.shape[1] == 1 and how.algorithm in ("mdav", "refined", "optimal"):
        return _one_column(points[:, 0], how)
    if how.algorithm == "principal_component":
        return _sorted_groups(_first_component(points), how.k)
    if how.algorithm in ("fixed", "single_axis"):
        return _sorted_groups(points[:, 0], how.k)
    if how.algorithm == "v_mdav":
        from microveil.kernels.microaggregation.v_mdav import v_mdav

        return v_mdav(points, how.k, how.gamma)
    from microveil.kernels.microaggregation.mdav import mdav

    start = mdav(points, how.k)
    return _refine(points, start, how, rng) if how.algorithm == "refined" else start


def _one_column(values: Points, how: Partition) -> Ints:
    """On one column the optimum is known, so there is nothing to refine."""
    from microveil.kernels.microaggregation.univariate_groups import mdav_groups, optimal_groups

    groups = mdav_groups if how.algorithm == "mdav" else optimal_groups
    return groups(np.ascontiguousarray(values), how.k)


def _refine(points: Points, start: Ints, how: Partition, rng: np.random.Generator) -> Ints:
    from microveil.kernels.microaggregation.anneal_groups import anneal_groups

    usual = min(MOST_STEPS, STEPS_PER_RECORD * len(points))
    word = rng.integers(0, 2**63, size=1, dtype=np.uint64)
    return anneal_groups(points, start, how.k, word, usual if how.steps is None else how.steps)


def _sorted_groups(values: Points, k: int) -> Ints:
    from microveil.kernels.microaggregation.univariate_groups import fixed_groups

    return fixed_groups(np.ascontiguousarray(values), k)


def _first_component(points: Points) -> Points:
    """Scores on the axis of largest variance; its sign is that of its largest loading."""
    centred = points - points.mean(axis=0)
    _, axes = np.linalg.eigh(centred.T @ centred)
    axis = axes[:, -1]
    scores: Points = centred @ (axis * np.sign(axis[np.argmax(np.abs(axis))]))
    return scores
