"""Gaussian copula: each column's own distribution, and correlations of normal scores."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Literal, NamedTuple

import numpy as np
import polars as pl
from pydantic import Field

from microveil.arrays import Floats, Ints
from microveil.statistics.covariances import power, semidefinite
from microveil.synthesis.parts.columns import CategoryColumn
from microveil.synthesis.parts.generator import Fitted, Generator
from microveil.synthesis.parts.margins import Margin
from microveil.synthesis.parts.smoothing import Smoothing
from microveil.synthesis.parts.training import Cells, Training
from microveil.tables import Table

HIGHEST = 0.999
"""Correlation of scores at most: beyond it the matrix could not be inverted."""
LEAST_EIGENVALUE = 0.01
"""Columns that others determine keep so much chance of their own."""
LEAST_SPREAD = 1e-6
"""Variance of mean scores below which a column is constant."""
N_ROUNDS = 3
"""Rounds in which categories are put in order by what they go with."""


class Copula(Generator):
    """Draw normal scores with the correlations of the columns, then values of each column.

    A value has its interval of the normal distribution, as wide as the share of records that have
    it. Categories are ordered by their association with the other columns. Correlations of scores
    are those of the intervals' means, corrected for what the intervals hide. Whether a number is
    missing is a column of its own; a missing category is a category. Non-monotone relations are
    lost. Time grows with records × columns².
    """

    generator: Literal["copula"] = "copula"
    takes_given: ClassVar[bool] = True
    takes_weights: ClassVar[bool] = True
    smoothing: int = Field(default=15, ge=0)
    """A number held by fewer records is moved among its neighbours; 0: numbers stay exact."""

    def fit(
        self,
        table: Table,
        rng: np.random.Generator,  # noqa: ARG002  nothing is left to chance yet
        given: Sequence[str] = (),
    ) -> CopulaModel:
        """Read each column's distribution, and correlate their scores."""
        training = Training.of(table, given)
        return CopulaModel(training, _latents(training), self.smoothing)


class Latent(NamedTuple):
    """One normal score: of a column's values, or of whether they are missing."""

    column: str
    missing: bool
    margin: Margin


class CopulaModel(Fitted):
    """Margins of the columns, and the correlations of their scores."""

    def __init__(self, training: Training, latents: Sequence[Latent], window: int) -> None:
        self.training = training
        self.latents = tuple(latents)
        scores = np.column_stack([_mean_scores(training, one) for one in latents])
        present = np.column_stack([_count(training, one) for one in latents])
        self.correlations = _correlations(scores, present)
        self.smoothings = {
            one.column: Smoothing.of(training.cells[one.column].astype(np.float64), window)
            for one in latents
            if window and not _is_category(training, one.column)
        }
        self.facts = {"n_scores": len(self.latents)}
        self.modelled = tuple(
            (first, second)
            for i, first in enumerate(training.columns)
            for second in list(training.columns)[i + 1 :]
            if first in training.modelled or second in training.modelled
        )

    def sample(
        self, n: int, rng: np.random.Generator, given: pl.DataFrame | None = None
    ) -> pl.DataFrame:
        """Draw scores, those of given columns aside, and read values off them."""
        cells = self.training.read_given(given)
        scores = self._scores(n, cells, rng)
        drawn: Cells = {}
        for latent, column in zip(self.latents, scores.T, strict=True):
            if latent.column in cells:
                continue
            values = latent.margin.cells(column)
            if latent.missing:
                drawn[latent.column] = np.where(values > 0, np.nan, drawn[latent.column])
            elif latent.column in self.smoothings:
                drawn[latent.column] = self.smoothings[latent.column].smooth(values, rng)
            else:
                drawn[latent.column] = values.astype(np.int32)
        for name in self.training.modelled:
            if name not in drawn:
                drawn[name] = np.full(n, -1, dtype=np.int32)
        return self.training.frame(drawn)

    def _scores(self, n: int, cells: Cells, rng: np.random.Generator) -> Floats:
        """(records, latents): drawn given the scores of the cells that are there."""
        known = np.array([one.column in cells for one in self.latents])
        scores: Floats = np.zeros((n, len(self.latents)))
        for j in np.flatnonzero(known):
            latent = self.latents[j]
            values = cells[latent.column]
            present = _present(self.training, latent.column, values)
            if latent.missing:
                scores[:, j] = latent.margin.spread_scores((~present).astype(np.int32), rng)
            else:
                scores[:, j] = rng.standard_normal(n)
                scores[present, j] = latent.margin.spread_scores(values[present], rng)
        among = self.correlations[np.ix_(~known, ~known)]
        across = self.correlations[np.ix_(~known, known)]
        inside = self.correlations[np.ix_(known, known)]
        slopes = across @ np.linalg.pinv(inside, hermitian=True) if known.any() else across
        left = semidefinite(among - slopes @ across.T)
        noise = rng.standard_normal((n, len(among))) @ power(left, 0.5)
        scores[:, ~known] = scores[:, known] @ slopes.T + noise
        return scores


def _latents(training: Training) -> list[Latent]:
    """The scores of a table's columns; categories in the order in which they go with others."""
    latents = []
    for name, cells in training.cells.items():
        present = _present(training, name, cells)
        if present.any():
            weights = None if training.weights is None else training.weights[present]
            latents.append(Latent(name, False, Margin.of(cells[present], weights, None)))
        if not _is_category(training, name) and not present.all():
            absent = (~present).astype(np.int32)
            latents.append(Latent(name, True, Margin.of(absent, training.weights, None)))
    for _ in range(N_ROUNDS):
        latents = _reorder(training, latents)
    return latents


def _reorder(training: Training, latents: Sequence[Latent]) -> list[Latent]:
    """Categories sorted by the mean, over their records, of what all columns have in common."""
    scores = np.column_stack([_mean_scores(training, one) for one in latents])
    scores /= np.maximum(scores.std(axis=0), LEAST_SPREAD)
    common = scores @ np.linalg.eigh(scores.T @ scores)[1][:, -1]
    fresh = []
    for latent in latents:
        if _is_category(training, latent.column) and len(latent.margin.values) > 2:  # noqa: PLR2004
            cells = training.cells[latent.column]
            kinds = np.unique(cells, return_inverse=True)[1]
            means = np.bincount(kinds, weights=common) / np.bincount(kinds)
            fresh.append(latent._replace(margin=Margin.of(cells, training.weights, means)))
        else:
            fresh.append(latent)
    return fresh


def _mean_scores(training: Training, latent: Latent) -> Floats:
    """Expected score of each record; 0 where a number is missing."""
    cells = training.cells[latent.column]
    present = _present(training, latent.column, cells)
    means = latent.margin.mean_scores()
    if latent.missing:
        return means[latent.margin.kinds((~present).astype(np.int32))]
    scores = np.zeros(len(cells))
    scores[present] = means[latent.margin.kinds(cells[present])]
    return scores


def _correlations(scores: Floats, counted: Floats) -> Floats:
    """Correlations that normal scores must have for their intervals' means to vary together so.

    The covariance of two means is about ρ times both of their variances. Pairs are taken over the
    records that have both; ``counted`` is the root of how much a record counts, 0 where missing.
    """
    weighed = scores * counted
    both = np.maximum(counted.T @ counted, LEAST_SPREAD)
    products = weighed.T @ weighed / both
    spread = np.maximum(np.diag(products), LEAST_SPREAD)
    found = np.clip(products / np.outer(spread, spread), -HIGHEST, HIGHEST)
    constant = np.diag(products) <= LEAST_SPREAD
    found[constant] = found[:, constant] = 0.0
    np.fill_diagonal(found, 1.0)
    eigenvalues, vectors = np.linalg.eigh(found)
    mended = (vectors * np.maximum(eigenvalues, LEAST_EIGENVALUE)) @ vectors.T
    scale = np.sqrt(np.diag(mended))
    return np.asarray(mended / np.outer(scale, scale))


def _count(training: Training, latent: Latent) -> Floats:
    """Root of how much each record counts for a score; 0 where its number is missing."""
    roots = np.ones(training.n) if training.weights is None else np.sqrt(training.weights)
    if latent.missing:
        return roots
    return np.where(_present(training, latent.column, training.cells[latent.column]), roots, 0.0)


def _present(
    training: Training, name: str, cells: Ints | Floats
) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Which cells have a value; a missing category is one."""
    if _is_category(training, name):
        return np.ones(len(cells), dtype=np.bool_)
    return ~np.isnan(cells)


def _is_category(training: Training, name: str) -> bool:
    return isinstance(training.columns[name], CategoryColumn)
