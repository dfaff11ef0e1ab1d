"""Draws with an exact covariance, and uncorrelated with what they must not reveal."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from microveil.arrays import Floats
from microveil.errors import InputError
from microveil.methods.shuffle.given_columns import known_columns
from microveil.statistics.covariances import power
from microveil.statistics.normal_scores import Known, normal_scores
from microveil.tables.kinds import numbers_of

COLLINEAR = 1e-10
"""Share of the largest singular value below which a direction counts as zero."""


def exact_noise(drawn: Floats, against: Floats, covariance: Floats) -> Floats:
    """Standard normal draws transformed to have exactly the given covariance (over n).

    They have mean zero and no correlation with the columns of ``against``.
    """
    n, n_columns = drawn.shape
    span = _basis(np.hstack([np.ones((n, 1)), against]))
    if n < span.shape[1] + n_columns:
        raise InputError(
            "`exact` needs more records than columns to be independent of: {n} are too few "
            "for {n_columns}. Merge small strata, or set exact to false.",
            n=n,
            n_columns=span.shape[1] + n_columns,
        )
    free = drawn - span @ (span.T @ drawn)
    turned = free @ power(free.T @ free / n, -0.5)
    return np.asarray(turned @ power(covariance, 0.5))


def _basis(columns: Floats) -> Floats:
    """Orthonormal columns that span the same space."""
    scale = np.sqrt((columns**2).sum(axis=0))
    left, singular, _ = np.linalg.svd(columns / np.where(scale > 0, scale, 1), full_matrices=False)
    return np.asarray(left[:, singular > COLLINEAR * max(float(singular.max(initial=0.0)), 1e-300)])


def rank_scores(ranks: Floats, known: Known) -> Floats:
    """Normal scores of columns of ranks and of the given columns, categories as 0/1 columns."""
    n = len(ranks)
    everything = slice(0, n)
    return np.hstack(
        [normal_scores(ranks, n), normal_scores(known.ranks, n), known.categories(everything)]
    )


def value_scores(
    columns: Sequence[pl.Series],
    given: Sequence[pl.Series],
    rng: np.random.Generator,
    *,
    exact: bool,
) -> Floats:
    """Draws from the normal distribution of the values themselves, given others.

    A missing cell counts as its column's mean.
    """
    values = np.column_stack([_standardize(series) for series in columns])
    n = len(values)
    numbers = [_standardize(s) for s in given if s.dtype.is_numeric() or s.dtype.is_temporal()]
    known = known_columns(given, n)
    design = np.column_stack([np.ones(n), *numbers, known.categories(slice(0, n))])
    expected = design @ np.linalg.lstsq(design, values, rcond=COLLINEAR)[0]
    residual = values - expected
    covariance = residual.T @ residual / max(n, 1)
    drawn = rng.standard_normal(values.shape)
    if exact:
        return np.asarray(expected + exact_noise(drawn, np.hstack([design, values]), covariance))
    return np.asarray(expected + drawn @ power(covariance, 0.5))


def _standardize(series: pl.Series) -> Floats:
    """Mean 0 and variance 1; constant columns and missing cells are 0."""
    values = numbers_of(series.to_physical() if isinstance(series.dtype, pl.Enum) else series)
    present = ~np.isnan(values)
    if not present.any():
        return np.zeros(len(values))
    # In a unit in which squares neither overflow nor underflow.
    unit = float(np.abs(values[present]).max())
    values = values / unit if unit > 0 else values
    centred = np.where(present, values - values[present].mean(), 0.0)
    spread = float(np.sqrt((centred**2).mean()))
    return np.asarray(centred / spread if spread > 0 else centred)
