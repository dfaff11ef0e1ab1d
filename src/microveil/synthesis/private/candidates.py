"""Candidates: the marginals that may be measured, and the model's estimates of them."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from microveil.arrays import Floats, Longs
from microveil.synthesis.private.drawing import draw_records
from microveil.synthesis.private.inference import MarginalModel
from microveil.synthesis.private.junction_tree import Clique, neighbour_masks, table_cells
from microveil.synthesis.private.marginals import CodedTable, n_cells, shape_of
from microveil.synthesis.private.propagation import Propagation

MOST_TRIPLES = 2000
"""If there are more triples than this, those with the fewest cells are candidates."""
MOST_KEPT = 10_000_000
"""Number of cells of true counts that are cached instead of being counted again."""
FEWEST_DRAWN, MOST_DRAWN = 20_000, 200_000
"""Number of records drawn to estimate marginals that no clique contains."""


class Candidates:
    """Pairs (and triples) of columns, weighted by their worth for a workload of all of them."""

    def __init__(self, table: CodedTable, order: int) -> None:
        """List them, by the declared (and noisily merged) codes alone."""
        self._table = table
        self._kept: dict[Clique, Longs] = {}
        self._n_kept = 0
        n_columns = len(table.sizes)
        cliques: list[Clique] = list(combinations(range(n_columns), 2))
        if order > 2:  # noqa: PLR2004  pairs
            triples = sorted(
                combinations(range(n_columns), 3), key=lambda one: n_cells(table.sizes, one)
            )
            cliques += triples[:MOST_TRIPLES]
        self.cells = {one: n_cells(table.sizes, one) for one in cliques}
        # What a marginal shares with all marginals of an order is proportional to its columns.
        self.weights = {one: len(one) for one in cliques}

    def counts(self, columns: Clique) -> Longs:
        """True counts of a marginal."""
        if columns in self._kept:
            return self._kept[columns]
        counts = self._table.counts(columns)
        if self._n_kept + len(counts) <= MOST_KEPT:
            self._kept[columns] = counts
            self._n_kept += len(counts)
        return counts

    def fitting(self, propagation: Propagation, own: float, all_cells: float) -> list[Clique]:
        """Candidates within limits on their own cells and on the cells of the model with them."""
        tree, sizes = propagation.tree, propagation.sizes
        masks = neighbour_masks(len(sizes), tree.cliques)
        return [
            columns
            for columns, cells in self.cells.items()
            if cells <= own
            and (
                propagation.holds(columns) or table_cells(sizes, _with(masks, columns)) <= all_cells
            )
        ]


class ModelView:
    """Expected counts of any marginal: exact within cliques, otherwise from drawn records."""

    def __init__(self, model: MarginalModel) -> None:
        """Look at a model."""
        self._model = model
        self._drawn: CodedTable | None = None
        self._tables: dict[Clique, Floats] = {}

    def counts(self, columns: Clique) -> Floats:
        """Expected counts, one axis per column."""
        if columns not in self._tables:
            if self._model.propagation.holds(columns):
                self._tables[columns] = self._model.counts(columns)
            else:
                self._tables[columns] = self._estimate_counts(columns)
        return self._tables[columns]

    def _estimate_counts(self, columns: Clique) -> Floats:
        if self._drawn is None:
            # Post-processing: these draws need not be secret, only reproducible.
            n = int(np.clip(self._model.total, FEWEST_DRAWN, MOST_DRAWN))
            self._drawn = draw_records(self._model, n, np.random.default_rng(0))
        each = self._model.total / self._drawn.n_records
        counts = np.asarray(each * self._drawn.counts(columns), dtype=np.float64)
        return counts.reshape(shape_of(self._model.sizes, columns))


def _with(masks: list[int], columns: Clique) -> list[int]:
    """The graph with one more relation."""
    joined = list(masks)
    together = sum(1 << column for column in columns)
    for column in columns:
        joined[column] |= together
    return joined
