"""A cell's cheapest flow within its neighbourhood: a small program instead of a large one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy import sparse

from microveil.arrays import Flags, Floats, Longs
from microveil.tabulation.protections.suppression.demands import Demand, Problem
from microveil.tabulation.protections.suppression.flows import FlowModel
from microveil.tabulation.system import System

SIZES = (300, 3_000, 30_000)
"""Cells of the neighbourhoods that are tried before all cells."""


def flow_nearby(problem: Problem, demand: Demand, hidden: Flags) -> tuple[Longs, Floats] | None:
    """Cells that move, and how far, so that a demand is met; None if nothing meets it."""
    for size in (*SIZES, problem.system.n_cells):
        near = neighbourhood(problem, demand.cell, hidden, size)
        found = _flow(problem, demand, hidden, near)
        if found is not None:
            return found
        if len(near) == problem.system.n_cells:
            break
    return None


def neighbourhood(problem: Problem, cell: int, hidden: Flags, size: int) -> Longs:
    """Cells that share sums with a cell, and with those again: suppressed and cheap ones first."""
    n = problem.system.n_cells
    if size >= n:
        return np.arange(n)
    price = np.where(hidden, -1.0, problem.costs)
    inside = np.array([cell])
    while len(inside) < size:
        rows = np.unique(problem.system.by_cell[:, inside].indices)
        around = np.unique(problem.system.matrix[rows].indices)
        new = np.setdiff1d(around, inside)
        new = new[~problem.fixed[new]]
        if not new.size:
            break
        cheapest = new[np.argsort(price[new], kind="stable")[: max(size // 3, 1)]]
        inside = np.union1d(inside, cheapest)
    return np.asarray(inside)


def _flow(
    problem: Problem, demand: Demand, hidden: Flags, near: Longs
) -> tuple[Longs, Floats] | None:
    columns = problem.system.by_cell[:, near].tocsr()
    used = np.diff(columns.indptr) > 0
    small = replace(
        problem,
        system=System(problem.system.values[near], sparse.csr_array(columns[used])),
        unsafe=problem.unsafe[near],
        demands=(),
        costs=problem.costs[near],
        fixed=problem.fixed[near],
        below=problem.below[near],
        above=problem.above[near],
    )
    place = {int(cell): at for at, cell in enumerate(near)}
    known = tuple(place[cell] for cell in demand.known if cell in place)
    model = FlowModel(small)
    model.set_prices(np.where(hidden[near], 0.0, small.costs))
    flow = model.cheapest(demand._replace(cell=place[demand.cell], known=known))
    if flow is None:
        return None
    moved = np.flatnonzero(flow.moves)
    return near[moved], flow.moves[moved]
