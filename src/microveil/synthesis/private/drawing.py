"""Drawing records from a model clique by clique, by systematic sampling."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from microveil.arrays import Floats, Longs
from microveil.synthesis.private.inference import MarginalModel
from microveil.synthesis.private.junction_tree import Clique
from microveil.synthesis.private.marginals import CodedTable, n_cells


def draw_records(model: MarginalModel, n: int, rng: np.random.Generator) -> CodedTable:
    """Draw ``n`` coded records.

    Records that agree on what a clique shares with its parent are placed at equal steps along the
    conditional distribution of the rest, in random order. The marginals of the model's cliques
    then differ from the expected ones by rounding only, unlike with independent draws.
    """
    tree, sizes = model.propagation.tree, model.sizes
    codes = np.zeros((len(sizes), n), dtype=np.int32)
    table = CodedTable(codes, sizes)
    for clique, shared, belief in zip(
        tree.cliques, tree.separators, model.propagation.beliefs, strict=True
    ):
        new = tuple(column for column in clique if column not in shared)
        rows = np.transpose(belief, [clique.index(column) for column in (*shared, *new)])
        chances = rows.reshape(n_cells(sizes, shared), n_cells(sizes, new))
        drawn = _draw_given(chances, table.cells(shared), rng)
        _write(codes, drawn, new, sizes)
    return table


def _draw_given(chances: Floats, given: Longs, rng: np.random.Generator) -> Longs:
    """For each record, a column of ``chances`` drawn from its given row."""
    n_rows, n_columns = chances.shape
    order = np.argsort(given + rng.random(len(given)))
    rows = given[order]
    counts = np.bincount(rows, minlength=n_rows)
    starts: Longs = np.cumsum(counts) - counts
    ranks = np.arange(len(rows)) - starts[rows]
    offsets = np.asarray(rng.random(n_rows))
    heights = (ranks + offsets[rows]) / counts[rows]
    bounds = _bounds(chances)
    # A value just below the next row must not be rounded up into it.
    places = np.minimum(rows + heights, np.nextafter(rows + 1.0, 0))
    found = np.searchsorted(bounds, places, side="right") - rows * n_columns
    drawn = np.empty(len(rows), dtype=np.int64)
    drawn[order] = np.minimum(found, n_columns - 1)
    return drawn


def _bounds(chances: Floats) -> Floats:
    """Row by row, where each column's part of [row, row + 1) ends."""
    sums = np.cumsum(chances, axis=1)
    last = sums[:, -1:]
    even = np.arange(1, chances.shape[1] + 1) / chances.shape[1]
    parts = np.divide(sums, last, out=np.broadcast_to(even, sums.shape).copy(), where=last > 0)
    bounds: Floats = (parts + np.arange(len(parts))[:, None]).ravel()
    return bounds


def _write(codes: NDArray[np.int32], drawn: Longs, columns: Clique, sizes: Sequence[int]) -> None:
    """Split positions in a table of new columns into their codes."""
    for column in reversed(columns):
        drawn, codes[column] = np.divmod(drawn, sizes[column])
