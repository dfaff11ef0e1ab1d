"""Noise of sums: shares of the largest contributions, chosen by the key of the cell."""

from __future__ import annotations

from typing import Self

import numpy as np
from pydantic import Field, model_validator

from microveil.arrays import Flags, Floats, Longs
from microveil.hierarchies.text_files import find
from microveil.specs import Spec
from microveil.tabulation.cells import Cells
from microveil.tabulation.counted import KEY_SCALE
from microveil.tabulation.protections.cell_keys.level_table import LevelTable
from microveil.texts import phrase

KEY_BITS = 32
TURN = 8
"""Bits by which a key is turned for the next contribution."""


class MagnitudeNoise(Spec):
    """How sums are perturbed: each of the largest contributions brings noise of its own.

    A contribution's unit is a share of it. The noise is some units, by the cell's key and by how
    many units the cell holds; it has no bias and takes no cell below zero (de Wolf et al. 2019).
    """

    top: int = Field(default=1, ge=1, le=5)
    """How many of the largest contributions bring noise."""
    share: float = Field(default=0.1, gt=0, le=1)
    """Unit of the noise, as a share of a contribution."""
    large_share: float | None = Field(default=None, gt=0, le=1)
    """The share that large contributions approach."""
    flex_point: float | None = Field(default=None, gt=0)
    """Contributions from here on are large, and their share falls towards ``large_share``."""
    steepness: float = Field(default=3.0, ge=1)
    """How fast it falls."""
    fading: tuple[float, ...] = ()
    """Factors of the shares of the first, second … contribution; by default 1 for all."""
    extra: float = Field(default=0.0, ge=0)
    """Further units of noise for cells that a rule finds unsafe."""
    table: str | None = None
    """File of a perturbation table of magnitudes, in place of what follows."""
    deviation: int = Field(default=3, ge=1, le=20)
    """Largest noise, in units."""
    variance: float = Field(default=1.0, gt=0)
    """Variance of the noise, in units."""
    step: float = Field(default=0.5, gt=0, le=1)
    """Distance of two values of the noise, in units."""

    @model_validator(mode="after")
    def _fitting(self) -> Self:
        if (self.large_share is None) != (self.flex_point is None):
            raise ValueError(phrase("`large_share` and `flex_point` go together"))
        if self.large_share is not None and self.large_share > self.share:
            raise ValueError(phrase("`large_share` may not be above `share`"))
        if self.fading and len(self.fading) != self.top:
            raise ValueError(phrase("`fading` has one factor for each of the `top` contributions"))
        if any(not 0 <= factor <= 1 for factor in self.fading):
            raise ValueError(phrase("a factor of `fading` lies between 0 and 1"))
        return self

    def level_table(self) -> LevelTable:
        """The perturbation table of these parameters, or of the file."""
        if self.table is not None:
            return LevelTable.read(find(self.table))
        return LevelTable.of(deviation=self.deviation, variance=self.variance, step=self.step)

    def perturb(self, cells: Cells, unsafe: Flags) -> Floats:
        """The published sum of each cell."""
        table, values = self.level_table(), cells.values.copy()
        highest = float(table.levels[-1])
        for place in range(self.top):
            units = self._units(cells, place)
            known = units > 0
            levels = np.divide(np.abs(values), units, out=np.zeros(len(values)), where=known)
            if cells.signed:  # a sum near zero may hide large contributions of either sign
                levels[known] = highest
            noise = table.look_up(levels, turn_keys(cells.sum_keys, place) / KEY_SCALE)
            noise += np.sign(noise) * np.where(unsafe, self.extra, 0.0)
            if not cells.signed:
                noise = np.maximum(noise, -levels)
            values = values + np.where(np.signbit(values), -1.0, 1.0) * units * noise
        return values

    def _units(self, cells: Cells, place: int) -> Floats:
        """The unit of noise that one of the largest contributions brings to each cell."""
        size = cells.largest[:, place] * cells.weights[:, place]
        factor = self.fading[place] if self.fading else 1.0
        return np.asarray(factor * size * self._shares(size))

    def _shares(self, sizes: Floats) -> Floats:
        """The share of each contribution: constant, then falling as the flex function does."""
        shares = np.full(len(sizes), self.share)
        if self.large_share is None or self.flex_point is None:
            return shares
        large = sizes >= self.flex_point
        x, low, point = sizes[large], self.large_share, self.flex_point
        bend = (self.share * x - low * point) / (low * point)
        shares[large] = low * (1 + bend * (2 * point / (point + x)) ** self.steepness)
        return shares


def turn_keys(keys: Longs, place: int) -> Longs:
    """A key for each further contribution: the same bits, turned.

    >>> turn_keys(np.array([1]), 1).tolist()
    [256]
    """
    by = TURN * place % KEY_BITS
    return np.asarray(((keys << by) | (keys >> (KEY_BITS - by))) & (2**KEY_BITS - 1))
