"""IPSO: numbers drawn so that means, covariances and regressions are exactly preserved."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Literal

import numpy as np
import polars as pl

from microveil.arrays import Floats
from microveil.errors import ColumnError, InputError
from microveil.statistics.covariances import power
from microveil.synthesis.parts.columns import CategoryColumn
from microveil.synthesis.parts.generator import Fitted, Generator
from microveil.tables import Table
from microveil.tables.door import refuse_nested
from microveil.texts import phrase

COLLINEAR = 1e-10
"""Share of the largest singular value below which columns count as collinear."""


class Ipso(Generator):
    """Draw numbers from a linear model whose estimates are exactly preserved.

    Given other columns x, the numbers y are replaced by x·B̂ + e: B̂ are the coefficients of the
    regression of y on x, and e normal residuals made orthogonal to x with the covariance of the
    real ones (Burridge 2003). Means, covariances, and every regression of y on x are the same as
    before. Without given columns, means and covariances of all columns are preserved. Results are
    floats, with no grid and no limits, because rounding would destroy the exactness; distributions
    become normal. Missing cells are refused. Time grows with records × columns².
    """

    generator: Literal["ipso"] = "ipso"
    takes_given: ClassVar[bool] = True
    numbers_only: ClassVar[bool] = True

    def fit(
        self,
        table: Table,
        rng: np.random.Generator,  # noqa: ARG002  nothing is left to chance yet
        given: Sequence[str] = (),
    ) -> IpsoModel:
        """Regress the numbers on the given columns."""
        names = [name for name in table.columns if name not in given]
        _refuse(table.frame, names, given)
        return IpsoModel(table.frame, names, given)


class IpsoModel(Fitted):
    """Coefficients and residual covariance of a linear model."""

    def __init__(self, frame: pl.DataFrame, names: Sequence[str], given: Sequence[str]) -> None:
        self.names, self.given = tuple(names), tuple(given)
        self.categories = {
            name: CategoryColumn.of(frame[name])
            for name in given
            if not frame.schema[name].is_numeric()
        }
        self.centres = {name: _centre(frame[name]) for name in given if name not in self.categories}
        numbers = _matrix(frame, names)
        design = self._design(frame, frame.height)
        self.coefficients = np.linalg.lstsq(design, numbers, rcond=COLLINEAR)[0]
        self.n_free = frame.height - int(np.linalg.matrix_rank(design))
        if self.n_free <= len(names):
            raise InputError(
                "{n_records} records are too few for a linear model of {n_names} columns "
                "given {n_given} others. Give fewer columns, or use another generator.",
                n_records=frame.height,
                n_names=len(names),
                n_given=design.shape[1] - 1,
            )
        residuals = numbers - design @ self.coefficients
        self.covariance = residuals.T @ residuals / self.n_free
        self.facts = {"n_predictors": design.shape[1] - 1}
        self.modelled = ((*self.names, *self.given),)

    def sample(
        self, n: int, rng: np.random.Generator, given: pl.DataFrame | None = None
    ) -> pl.DataFrame:
        """Draw residuals with exactly the covariance of the real ones, and add them."""
        design = self._design(given, n)
        basis = _basis(design)
        noise = rng.standard_normal((n, len(self.names)))
        noise -= basis @ (basis.T @ noise)
        n_free = n - basis.shape[1]
        if n_free <= len(self.names):
            raise InputError(
                "{n} records are too few to have the covariances of {n_names} columns. Draw "
                "more than {least}.",
                n=n,
                n_names=len(self.names),
                least=basis.shape[1] + len(self.names),
            )
        found = noise.T @ noise / n_free
        scaled = noise @ power(found, -0.5) @ power(self.covariance, 0.5)
        drawn = design @ self.coefficients + scaled
        return pl.DataFrame([pl.Series(name, drawn[:, j]) for j, name in enumerate(self.names)])

    def _design(self, given: pl.DataFrame | None, n: int) -> Floats:
        """A column of ones, the given numbers, and 0/1 columns of the given categories."""
        columns = [np.ones((n, 1))]
        if given is None:
            return columns[0]
        for name in self.given:
            if name in self.categories:
                kinds = self.categories[name]
                codes = kinds.encode(given[name])
                # The first category is what the others are compared with; missing is one, too.
                columns.append((codes[:, None] == np.arange(kinds.n_values)[None, :]).astype(float))
            else:
                mean, sd = self.centres[name]
                columns.append((_matrix(given, [name]) - mean) / sd)
        return np.hstack(columns)


def _refuse(frame: pl.DataFrame, names: Sequence[str], given: Sequence[str]) -> None:
    refuse_nested(frame, (*names, *given), phrase("Synthesis"))
    texts = [name for name in names if not frame.schema[name].is_numeric()]
    if texts:
        raise ColumnError(
            "Generator 'ipso' models only numbers, not column {texts:quoted}. Name the "
            "columns of numbers, or use 'cart'.",
            texts=texts,
        )
    numbers = [*names, *(name for name in given if frame.schema[name].is_numeric())]
    gaps = [name for name in numbers if not _complete(frame[name])]
    if gaps:
        raise ColumnError(
            "Generator 'ipso' needs a finite number in every cell, unlike in column "
            "{gaps:quoted}. Fill in or drop these records, or use 'cart'.",
            gaps=gaps,
        )


def _complete(series: pl.Series) -> bool:
    return series.null_count() == 0 and bool(series.cast(pl.Float64).is_finite().all())


def _matrix(frame: pl.DataFrame, names: Sequence[str]) -> Floats:
    return np.column_stack([frame[name].cast(pl.Float64).to_numpy() for name in names])


def _centre(series: pl.Series) -> tuple[float, float]:
    numbers = series.cast(pl.Float64).to_numpy()
    return float(numbers.mean()), float(numbers.std()) or 1.0


def _basis(design: Floats) -> Floats:
    """Orthonormal columns that span those of a matrix."""
    left, singular, _ = np.linalg.svd(design, full_matrices=False)
    basis: Floats = left[:, singular > COLLINEAR * singular.max(initial=0.0)]
    return basis
