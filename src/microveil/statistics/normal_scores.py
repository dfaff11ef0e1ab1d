"""A normal copula of ranks: the distribution of columns conditional on others."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from microveil.arrays import Flags, Floats
from microveil.statistics.covariances import power, semidefinite

PART = 1 << 15
"""Rows processed at a time, so that dummy columns stay small."""
COLLINEAR = 1e-10
"""Share of the largest eigenvalue below which predictors count as collinear."""


class Known(NamedTuple):
    """Conditioning columns: ranks of some, and 0/1 columns for the categories of others."""

    ranks: Floats
    """(records, columns): average ranks; missing cells have the middle rank."""
    codes: NDArray[np.int64]
    """(records, categorical columns): index of the 0/1 column that is one; −1 for none."""
    shares: Floats
    """Share of ones in each 0/1 column."""

    @property
    def n_columns(self) -> int:
        """Number of columns, with categories as 0/1 columns."""
        return int(self.ranks.shape[1]) + len(self.shares)

    def categories(self, rows: slice) -> Floats:
        """The 0/1 columns of some rows, standardised over all rows."""
        codes = self.codes[rows]
        spread = np.zeros((len(codes), len(self.shares)))
        for one in codes.T:
            present = np.flatnonzero(one >= 0)
            spread[present, one[present]] = 1.0
        return (spread - self.shares) / np.sqrt(self.shares * (1 - self.shares))


def normal_scores(ranks: Floats, counts: Floats | int) -> Floats:
    """Normal quantiles of ranks among a number of values each (Blom-type scores, with ½).

    >>> normal_scores(np.array([1.0, 2.0, 3.0]), 3).round(3).tolist()
    [-0.967, 0.0, 0.967]
    """
    from scipy.special import ndtri

    return np.asarray(ndtri((ranks - 0.5) / np.maximum(counts, 1)))


class Copula(NamedTuple):
    """Expected normal scores of columns, given the scores of others."""

    correlations: Floats
    """Correlations of the scores: columns first, then the conditioning ones, then categories."""
    coefficients: Floats
    """(columns, given): coefficients of the conditioning columns' scores."""
    residual: Floats
    """(columns, columns): residual covariance."""

    def means(self, known: Known) -> Floats:
        """Expected scores of each record."""
        n_records = len(known.ranks)
        found = np.empty((n_records, len(self.coefficients)))
        for rows in _parts(n_records):
            found[rows] = self.means_of(known, rows)
        return found

    def means_of(self, known: Known, rows: slice) -> Floats:
        """Expected scores of some records."""
        n_records, n_ranked = known.ranks.shape
        by_rank, by_category = np.split(self.coefficients.T, [n_ranked])
        scores = normal_scores(known.ranks[rows], n_records) @ by_rank
        return np.asarray(scores + known.categories(rows) @ by_category)

    def noise(self, n_records: int, rng: np.random.Generator) -> Floats:
        """Random deviations from the expected scores."""
        drawn = rng.standard_normal((n_records, len(self.residual)))
        return np.asarray(drawn @ power(self.residual, 0.5))


def fit_copula(columns: Floats, present: Flags, known: Known) -> Copula:
    """Fit the normal copula of columns of ranks, where present, and the conditioning columns."""
    n_columns = columns.shape[1]
    normal = _correlations(columns, present, known)
    among, across = normal[:n_columns, :n_columns], normal[:n_columns, n_columns:]
    others = normal[n_columns:, n_columns:]
    coefficients = across @ np.linalg.pinv(others, rcond=COLLINEAR, hermitian=True)
    residual = among - coefficients @ across.T
    residual = (residual + residual.T) / 2
    np.fill_diagonal(residual, np.maximum(np.diag(residual), 0))
    return Copula(normal, coefficients, semidefinite(residual))


def _correlations(columns: Floats, present: Flags, known: Known) -> Floats:
    """Correlations of all normal scores, and of those with the categories.

    Spearman's correlations r of ranks become 2 sin(π r / 6), as for the normal distribution.
    """
    n_records, n_ranked = len(columns), columns.shape[1] + known.ranks.shape[1]
    counts = np.concatenate([present.sum(axis=0), np.full(known.ranks.shape[1], n_records)])
    by_rank = _Products(n_ranked)
    by_score = _Products(n_ranked + len(known.shares))
    for rows in _parts(n_records):
        ranks = np.hstack([columns[rows], known.ranks[rows]])
        here = np.hstack([present[rows], np.ones_like(known.ranks[rows], dtype=np.bool_)])
        by_rank.add(ranks - (counts + 1) / 2, here)
        if len(known.shares):
            categories = known.categories(rows)
            scores = np.hstack([normal_scores(ranks, counts), categories])
            by_score.add(scores, np.hstack([here, np.ones_like(categories, dtype=np.bool_)]))
    found = by_score.correlations()
    found[:n_ranked, :n_ranked] = 2 * np.sin(np.pi / 6 * by_rank.correlations())
    np.fill_diagonal(found, 1.0)
    return found


class _Products:
    """Sums of products of centred columns, over the rows where both are present."""

    def __init__(self, size: int) -> None:
        self._products = np.zeros((size, size))
        self._squares = np.zeros((size, size))

    def add(self, centred: Floats, here: Flags) -> None:
        """Add some rows."""
        centred[~here] = 0.0
        self._products += centred.T @ centred
        self._squares += (centred**2).T @ here

    def correlations(self) -> Floats:
        """Correlations so far; 0 for a constant column."""
        scale = np.sqrt(self._squares * self._squares.T)
        found = np.divide(self._products, scale, out=np.zeros_like(scale), where=scale > 0)
        return np.clip(found, -1, 1)


def _parts(n_records: int) -> Iterator[slice]:
    return (slice(start, start + PART) for start in range(0, n_records, PART))
