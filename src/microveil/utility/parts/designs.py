"""Design: the predictors of a regression in standard deviations, a block of records at a time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from microveil.arrays import Floats

BLOCK = 65_536
"""Records that are worked on at a time: the matrix of all is never held."""
WELL_APART = 1e-6
"""Columns are independent beyond doubt if the Gram matrix's eigenvalues differ by less."""


class Block(NamedTuple):
    """Some records."""

    design: Floats
    """A constant, then the predictors, (records, width)."""
    weighted: Floats
    """The same, each record times its weight."""
    target: Floats


@dataclass(frozen=True, eq=False)
class Design:
    """A target and its predictors, complete and not constant, with the weights of the records."""

    target: Floats
    predictors: list[Floats]
    weights: Floats | None = None

    @property
    def width(self) -> int:
        """Number of coefficients, with the constant."""
        return 1 + len(self.predictors)

    @cached_property
    def _scales(self) -> list[tuple[float, float]]:
        return [(float(one.mean()), float(one.std())) for one in self.predictors]

    def blocks(self) -> Iterator[Block]:
        """The records, block by block."""
        for start in range(0, len(self.target), BLOCK):
            rows = slice(start, start + BLOCK)
            target = self.target[rows]
            design = np.ones((len(target), self.width))
            scaled = zip(self.predictors, self._scales, strict=True)
            for place, (column, (middle, spread)) in enumerate(scaled, 1):
                design[:, place] = (column[rows] - middle) / spread
            weighted = design if self.weights is None else design * self.weights[rows, None]
            yield Block(design, weighted, target)

    @cached_property
    def rank(self) -> int:
        """Number of coefficients that the data determine."""
        gram = sum((one.design.T @ one.design for one in self.blocks()), np.zeros(()))
        extents = np.linalg.eigvalsh(gram)
        if extents[0] > WELL_APART * extents[-1]:
            return self.width
        triangle = np.zeros((0, self.width))
        for one in self.blocks():  # the triangle has the singular values of the whole design
            triangle = np.asarray(np.linalg.qr(np.vstack([triangle, one.design]), mode="r"))
        singular = np.linalg.svd(triangle, compute_uv=False)
        least = singular.max() * len(self.target) * np.finfo(float).eps
        return int((singular > least).sum())

    def least_squares(self) -> tuple[Floats, Floats]:
        """Coefficients and their covariance: classical, or sandwich if records are weighted."""
        n, d = len(self.target), self.width
        products, moments = np.zeros((d, d)), np.zeros(d)
        for one in self.blocks():
            products += one.weighted.T @ one.design
            moments += one.weighted.T @ one.target
        inverse = np.linalg.pinv(products)
        beta: Floats = inverse @ moments
        squares, meat = 0.0, np.zeros((d, d))
        for one in self.blocks():
            residuals = one.target - one.design @ beta
            squares += float(residuals @ residuals)
            if self.weights is not None:
                spread = one.weighted * residuals[:, None]
                meat += spread.T @ spread
        if self.weights is None:
            return beta, inverse * squares / (n - d)
        return beta, inverse @ meat @ inverse * n / (n - d)
