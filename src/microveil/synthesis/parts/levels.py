"""Predictors as at most 256 ordered levels, the input of the trees."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from microveil.arrays import Bytes, Floats, Ints
from microveil.cores import cells_on_cores
from microveil.synthesis.parts.columns import CategoryColumn, Column

MOST_LEVELS = 255
"""Number of levels for values; there is one more for missing cells."""
N_ROUNDS = 12
"""Iterations of reciprocal averaging; the order of categories hardly changes after a few."""
MOST_AVERAGED = 100_000
"""Number of records used to order categories."""


@dataclass(frozen=True, eq=False)
class NumberLevels:
    """Numbers in ascending order; those between two edges share a level, missing cells get 0."""

    edges: Floats

    @classmethod
    def of(cls, numbers: Floats) -> NumberLevels:
        """A level for each distinct number, or 255 levels with about equally many numbers."""
        distinct, counts = np.unique(numbers[~np.isnan(numbers)], return_counts=True)
        between = (distinct[1:] + distinct[:-1]) / 2
        if len(distinct) <= MOST_LEVELS:
            return cls(between)
        below = np.cumsum(counts)[:-1]
        wanted = np.arange(1, MOST_LEVELS) * (counts.sum() / MOST_LEVELS)
        nearest = np.minimum(np.searchsorted(below, wanted), len(between) - 1)
        return cls(between[np.unique(nearest)])

    def of_cells(self, numbers: Floats) -> Bytes:
        """Level of each number."""

        def of_part(part: Floats) -> Bytes:
            levels = (1 + np.searchsorted(self.edges, part, side="left")).astype(np.uint8)
            levels[np.isnan(part)] = 0
            return levels

        return cells_on_cores(of_part, numbers)


@dataclass(frozen=True, eq=False)
class CategoryLevels:
    """Categories ordered by their relation to a target; missing is one of them."""

    of_code: Bytes
    """Level of each code; the last is that of −1."""

    @classmethod
    def of(cls, codes: Ints, n_codes: int, target: Ints | Floats) -> CategoryLevels:
        """Sort categories by the target: by its mean, or its classes by reciprocal averaging."""
        cells = codes.astype(np.int64)
        cells[cells < 0] = n_codes
        counts = np.bincount(cells, minlength=n_codes + 1)
        order = np.argsort(_scores(cells, n_codes + 1, target), kind="stable")
        place = np.empty(n_codes + 1, dtype=np.int64)
        place[order] = np.arange(n_codes + 1)
        if n_codes >= MOST_LEVELS:
            # Too many to keep separate: neighbours share a level, with about equally many records.
            middle = np.cumsum(counts[order]) - counts[order] / 2
            place[order] = np.minimum(middle * MOST_LEVELS / len(codes), MOST_LEVELS).astype(int)
        return cls(place.astype(np.uint8))

    def of_cells(self, codes: Ints) -> Bytes:
        """Level of each code."""
        return self.of_code[codes]


Levels: TypeAlias = NumberLevels | CategoryLevels


def levels_for(column: Column, cells: Ints | Floats, target: Ints | Floats) -> Levels:
    """How the cells of a predictor become levels for one target."""
    if isinstance(column, CategoryColumn):
        return CategoryLevels.of(cells.astype(np.int32), column.n_values, target)
    return NumberLevels.of(cells.astype(np.float64))


def _scores(cells: NDArray[np.int64], n_cells: int, target: Ints | Floats) -> Floats:
    """A score for each category, similar for categories with a similar target.

    For classes: the first axis of correspondence analysis by reciprocal averaging (Hill 1973).
    """
    step = max(len(cells) // MOST_AVERAGED, 1)
    cells, target = cells[::step], target[::step]
    if target.dtype.kind == "f":
        return _means(cells, n_cells, target.astype(np.float64))
    classes = target.astype(np.int64) + 1
    n_classes = int(classes.max(initial=0)) + 1
    of_class = np.arange(n_classes, dtype=np.float64)
    of_cell = np.zeros(n_cells)
    for _ in range(N_ROUNDS):
        of_cell = _means(cells, n_cells, of_class[classes])
        of_record = of_cell[cells] - of_cell[cells].mean()
        spread = float(np.sqrt((of_record**2).mean()))
        if spread == 0:
            break
        of_class = _means(classes, n_classes, of_record / spread)
    return of_cell


def _means(groups: NDArray[np.int64], n_groups: int, numbers: Floats) -> Floats:
    """Mean of each group; the overall mean if a group is empty."""
    counts = np.bincount(groups, minlength=n_groups)
    sums = np.bincount(groups, weights=numbers, minlength=n_groups)
    overall = float(numbers.mean()) if len(numbers) else 0.0
    means: Floats = np.full(n_groups, overall)
    np.divide(sums, counts, out=means, where=counts > 0)
    return means
