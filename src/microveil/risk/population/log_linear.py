"""Log-linear model of key combination counts, and the risk of unique records under it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np
import polars as pl
from pydantic import Field

from microveil.errors import ColumnError, InputError
from microveil.specs import Spec
from microveil.statistics.poisson_fits import iterated_least_squares, proportional_fit
from microveil.tables.codes import encode
from microveil.tables.roles import Columns, check_columns

if TYPE_CHECKING:
    from collections.abc import Collection

    from microveil.arrays import Floats, Longs

MOST_CELLS = 1 << 22
MOST_NUMBERS = 1 << 25
"""Largest design matrix: cells times columns."""
SHIFT = 0.1
"""Added by the offset to records per weight, for empty combinations (sdcMicro)."""


class Cells(NamedTuple):
    """The key combinations that occur in a table."""

    keys: pl.DataFrame
    counts: Longs
    """Number of records of each."""
    weights: Floats
    """Their summed weight."""
    drawn: Floats
    """Sampling probability of a person with the keys."""
    overall: float = 1.0
    """Sampled share of the population."""


class LogLinear(Spec):
    """Poisson model of the number of records with each key combination.

    The log of the mean is a sum of effects of the keys, which are treated as categories. Empty
    combinations are included as zeros.
    """

    method: Literal["poisson", "offset", "pseudo_likelihood", "weighted"] = "poisson"
    """How weights enter: not at all (sdcMicro's ``default``, ``IPF``); as an offset, the log of
    records per weight (``CE``, Clogg & Eliason 1987); as the response, scaled to the number of
    records (``PML``); as a further variable (``weightedLLM``)."""
    interactions: tuple[Columns, ...] = ()
    """Sets of keys that interact, in addition to the main effects."""
    linear: Columns = ()
    """Keys that enter as numbers rather than categories (sdcMicro: integer keys)."""
    bound: int | None = Field(default=None, ge=1)
    """Largest count of the combinations on which gr1 and gr2 are based."""

    @property
    def columns(self) -> tuple[str, ...]:
        """All keys that are named."""
        return (*self.linear, *(name for group in self.interactions for name in group))

    def within(self, keys: Collection[str]) -> LogLinear:
        """The same model with fewer keys."""
        linear = tuple(name for name in self.linear if name in keys)
        kept = tuple(group for group in self.interactions if set(group) <= set(keys))
        return self.model_copy(update={"linear": linear, "interactions": kept})

    def risks(self, cells: Cells) -> dict[str, float]:
        """Fit the model, and sum up the risk of unique records."""
        means = self.fit(cells)
        unique = cells.counts == 1
        drawn = np.minimum(cells.drawn[unique], 1.0)
        here = means[unique]
        tau_1, tau_2 = _sums(here * (1 - drawn) / drawn)
        gr1, gr2 = _sums(here * (1 - drawn))
        counted = means > 0
        if self.bound is not None:
            counted &= cells.counts <= self.bound
        n_counted = max(int(counted.sum()), 1)
        return {"tau_1": tau_1, "tau_2": tau_2, "gr1": gr1 / n_counted, "gr2": gr2 / n_counted}

    def fit(self, cells: Cells) -> Floats:
        """Fitted number of records for each combination that occurs."""
        names = cells.keys.columns
        check_columns(self.columns, names)
        codes = [_codes(cells.keys[name]) for name in names]
        response = self._response(cells)
        simple = not self.interactions and not self.linear
        if simple and self.method in ("poisson", "pseudo_likelihood"):
            return _independent(codes, response)
        shape = tuple(int(code.max(initial=0)) + 1 for code in codes)
        n_cells = int(np.prod([float(levels) for levels in shape]))
        if n_cells > MOST_CELLS:
            raise InputError(
                "The log-linear model has {n_cells} combinations of {n_names} keys, more "
                "than {most_cells}. Use fewer or coarser keys, or the method 'poisson' "
                "without interactions.",
                n_cells=n_cells,
                n_names=len(names),
                most_cells=MOST_CELLS,
            )
        place = np.ravel_multi_index(codes, shape) if codes else np.zeros(1, dtype=np.int64)
        counts = np.zeros(n_cells)
        counts[place] = response
        if self.method == "weighted" or self.linear:
            return self._regress(cells, counts, place, shape)[place]
        margins: list[tuple[int, ...]] = [(), *((i,) for i in range(len(names)))]
        margins += [tuple(names.index(one) for one in group) for group in self.interactions]
        start = np.exp(self._offset(cells, place, n_cells)).reshape(shape)
        return proportional_fit(counts.reshape(shape), margins, start).ravel()[place]

    def _response(self, cells: Cells) -> Floats:
        counts = cells.counts.astype(np.float64)
        if self.method != "pseudo_likelihood":
            return counts
        scaled: Floats = np.round(cells.weights * counts.sum() / cells.weights.sum())
        return scaled

    def _offset(self, cells: Cells, place: Longs, n_cells: int) -> Floats:
        if self.method != "offset":
            return np.zeros(n_cells)
        shares: Floats = np.full(n_cells, SHIFT)
        weighted = cells.weights > 0
        shares[place[weighted]] += cells.counts[weighted] / cells.weights[weighted]
        logs: Floats = np.log(shares)
        return logs

    def _regress(
        self, cells: Cells, counts: Floats, place: Longs, shape: tuple[int, ...]
    ) -> Floats:
        design = self._design(cells.keys, shape)
        if self.method == "weighted":
            weights = np.zeros(len(counts))
            weights[place] = cells.weights
            design = np.column_stack([design, weights / max(weights.max(), 1.0)])
        return iterated_least_squares(design, counts, self._offset(cells, place, len(counts)))

    def _design(self, keys: pl.DataFrame, shape: tuple[int, ...]) -> Floats:
        """One column per effect, one row per combination."""
        bases = [
            _numbers(keys[name]) if name in self.linear else np.eye(levels)[:, 1:]
            for name, levels in zip(keys.columns, shape, strict=True)
        ]
        effects: list[tuple[int, ...]] = [(i,) for i in range(len(shape))]
        effects += [tuple(keys.columns.index(one) for one in group) for group in self.interactions]
        n_cells = int(np.prod(shape))
        n_columns = 2 + sum(int(np.prod([bases[i].shape[1] for i in axes])) for axes in effects)
        if n_cells * n_columns > MOST_NUMBERS:
            raise InputError(
                "The log-linear model has {n_cells} combinations of keys and {n_columns} "
                "effects, too many for its regression. Use fewer or coarser keys, or fewer "
                "interactions.",
                n_cells=n_cells,
                n_columns=n_columns,
            )
        columns = [np.ones((n_cells, 1))]
        for axes in effects:
            product = np.ones((n_cells, 1))
            for axis in axes:
                spread = bases[axis][np.indices(shape)[axis].ravel()]
                product = (product[:, :, None] * spread[:, None, :]).reshape(n_cells, -1)
            columns.append(product)
        return np.column_stack(columns)


def _codes(column: pl.Series) -> Longs:
    """Codes from 0 without gaps, numbers in order; missing comes last."""
    return np.unique(encode(column).values, return_inverse=True)[1]


def _numbers(column: pl.Series) -> Floats:
    """The sorted values of a numeric column, standardised, as one column."""
    if not column.dtype.is_numeric() or column.null_count():
        raise ColumnError(
            "Column '{name}' must hold numbers without gaps to enter the model linearly.",
            name=column.name,
        )
    values = column.unique().sort().cast(pl.Float64).to_numpy()
    spread = float(values.std()) or 1.0
    scaled: Floats = (values - values.mean()) / spread
    return scaled[:, None]


def _independent(codes: list[Longs], response: Floats) -> Floats:
    """Fit of the main effects alone: the total times the product of the shares of each key."""
    total = float(response.sum())
    means: Floats = np.full(len(response), total)
    for code in codes:
        means *= (np.bincount(code, weights=response) / max(total, 1.0))[code]
    return means


def _sums(others: Floats) -> tuple[float, float]:
    """Sums over unique records of P(F = 1) and of E(1/F), F − 1 being Poisson."""
    matches = np.ones_like(others)
    np.divide(-np.expm1(-others), others, out=matches, where=others > 0)
    return float(np.exp(-others).sum()), float(matches.sum())
