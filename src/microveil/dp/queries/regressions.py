"""Linear and logistic regression from noisy sums of products; the data are read only once."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal, Self

import numpy as np
from pydantic import Field, model_validator

from microveil.arrays import Floats
from microveil.dp.grids import MomentCode
from microveil.dp.parts import Part, Vector
from microveil.dp.queries.base import Query
from microveil.dp.queries.moments import moments, simulating
from microveil.errors import QueryError
from microveil.tables.roles import Columns

if TYPE_CHECKING:
    from microveil.dp.declaration import Declaration

RIDGE = 1e-6
"""Least spread that a noisy matrix of products is given in each direction, per row."""


class _Regression(Query):
    target: str
    """Response column."""
    features: Columns = Field(min_length=1, max_length=20)
    """Predictors: numbers with bounds, or booleans."""

    @model_validator(mode="after")
    def _distinct(self) -> Self:
        if len({self.target, *self.features}) <= len(self.features):
            raise ValueError("The target and each feature may occur only once.")
        return self

    def answer_columns(self) -> tuple[str, ...]:
        """Features first, then the target."""
        return (*self.features, self.target)

    def _vector(
        self, declaration: Declaration, coefficients: Callable[[Floats, Floats], Floats]
    ) -> Part:
        """All sums of products; ``coefficients`` solves for scaled features and target."""
        columns = self.answer_columns()
        terms = moments(columns, 2, declaration, self.join)
        middles, halves = _scaling(columns, declaration, self.join)

        def answer(sums: Floats) -> Floats:
            gram = _gram(sums, halves)
            return _unscale(coefficients(gram[..., :-1, :-1], gram[..., :-1, -1]), middles, halves)

        outputs = ("intercept", *self.features)
        return Vector(terms, simulating(answer), columns, outputs=outputs)


class LinearRegression(_Regression):
    """Least squares from a noisy matrix of products (Vu & Slavković 2009; Wang 2018)."""

    query: Literal["linear_regression"] = "linear_regression"

    def part(self, declaration: Declaration) -> Part:
        """Sums of all products of features and target."""
        middle, half = _scaling((self.target,), declaration, self.join)

        def coefficients(inner: Floats, outer: Floats) -> Floats:
            found: Floats = _solve(inner, outer) * half[0]
            found[..., 0] += middle[0]
            return found

        return self._vector(declaration, coefficients)

    def words(self) -> str:
        """What is explained by what."""
        return f"linear regression of {self.target} on {', '.join(self.features)}"


class LogisticRegression(_Regression):
    """Log-odds of a boolean, by the second-order expansion of the likelihood.

    The functional mechanism (Zhang, Zhang, Xiao, Yang & Winslett 2012): around zero the loss is a
    quadratic of the coefficients, whose own coefficients are noisy sums of products. Effects far
    from zero are underestimated, as in the expansion itself.
    """

    query: Literal["logistic_regression"] = "logistic_regression"

    def part(self, declaration: Declaration) -> Part:
        """Sums of all products of features and target."""
        if declaration.column(self.target, self.join).type != "boolean":
            raise QueryError(
                f"Logistic regression needs a boolean target; declare '{self.target}' as boolean."
            )
        # With a target of −1 and 1 the loss is Σ (x·w)² / 8 − y·(x·w) / 2 and a constant.
        return self._vector(declaration, lambda inner, outer: 2 * _solve(inner, outer))

    def words(self) -> str:
        """What is explained by what."""
        return f"logistic regression of {self.target} on {', '.join(self.features)}"


def _scaling(
    columns: tuple[str, ...], declaration: Declaration, join: tuple[str, ...]
) -> tuple[Floats, Floats]:
    grids = [MomentCode(name).grid(declaration, join) for name in columns]
    middles = np.array([float(grid.offset) for grid in grids])
    return middles, np.array([float(grid.high * grid.unit) for grid in grids])


def _gram(sums: Floats, halves: Floats) -> Floats:
    """The matrix of products of (1, features, target), each within −1 and 1, per row."""
    size = len(halves) + 1
    scale = np.concatenate([[1.0], halves])
    gram = np.empty((*sums.shape[:-1], size, size))
    at = 0
    gram[..., 0, 0] = sums[..., 0]
    for one in range(1, size):
        gram[..., 0, one] = gram[..., one, 0] = sums[..., one]
    for at, (one, other) in enumerate(_pairs(size), start=size):
        gram[..., one, other] = gram[..., other, one] = sums[..., at]
    rows = np.maximum(sums[..., 0], 1)
    found: Floats = gram / (scale[:, None] * scale) / rows[..., None, None]
    return found


def _pairs(size: int) -> list[tuple[int, int]]:
    return [(one, other) for one in range(1, size) for other in range(one, size)]


def _solve(inner: Floats, outer: Floats) -> Floats:
    """Solve a system whose noisy matrix may have lost its positive definiteness."""
    values, vectors = np.linalg.eigh(inner)
    safe = np.maximum(values, RIDGE)
    turned = np.einsum("...ji,...j->...i", vectors, outer) / safe
    found: Floats = np.einsum("...ij,...j->...i", vectors, turned)
    return found


def _unscale(scaled: Floats, middles: Floats, halves: Floats) -> Floats:
    """Coefficients of the features as they are, from those of features within −1 and 1."""
    slopes = scaled[..., 1:] / halves[:-1]
    intercept = scaled[..., :1] - (slopes * middles[:-1]).sum(axis=-1, keepdims=True)
    found: Floats = np.concatenate([intercept, slopes], axis=-1)
    return found
