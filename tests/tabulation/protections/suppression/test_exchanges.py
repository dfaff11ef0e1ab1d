from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import microveil as mv
from microveil.tabulation.protections.suppression import spec
from microveil.tabulation.protections.suppression.exchanges import Exchanges
from tests.kernels.cell_moves.grids import Grid


def test_an_exchange_keeps_every_sum_and_moves_the_cell() -> None:
    # No rectangle is filled: corners of a hypercube are not to be found.
    grid = Grid({("a", "x"): 1, ("b", "y"): 1, ("c", "z"): 5})
    made = Exchanges.of(grid.space, grid.cells.n_cells)
    assert made is not None
    wanted = np.array([grid.place["a × x"]])
    found = made.find(wanted, np.ones(1), 1, grid.state)
    assert found.found.all()
    moves = found.signs.toarray()[0].astype(np.float64)
    assert moves[wanted[0]] == 1
    assert not (grid.cells.system.matrix @ moves).any()
    assert moves[grid.place["Total × Total"]] == 0


def test_what_an_insider_knows_does_not_move() -> None:
    grid = Grid({("a", "x"): 1, ("b", "y"): 1, ("c", "z"): 5})
    made = Exchanges.of(grid.space, grid.cells.n_cells)
    assert made is not None
    wanted = np.array([grid.place["a × x"]])
    owner = grid.cells.sole[grid.place["b × y"]]
    known = grid.cells.sole, np.array([owner])
    found = made.find(wanted, np.ones(1), 1, grid.state, known)
    assert found.found.all()
    assert found.signs.toarray()[0][grid.place["b × y"]] == 0


def test_a_sparse_table_of_five_variables_ends_and_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    """The shape of a table that others report to take days, at a small size."""
    monkeypatch.setattr(spec, "MOST_WORK", -1)
    rng = np.random.default_rng(1)
    sizes, n = (4, 5, 2, 20, 5), 250
    frame = pl.DataFrame(
        {f"v{at}": (rng.beta(1, 2, n) * size).astype(int) for at, size in enumerate(sizes)}
    )
    made = mv.tabulate(frame, mv.Tabulation(by=frame.columns), rules=[mv.Threshold(n=3)])
    assert made.holds
    assert made.facts[0]["n_unsafe"] > 1000
