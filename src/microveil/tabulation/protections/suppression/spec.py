"""Suppression: unsafe cells are left out, with others so that no sum gives them back."""

from __future__ import annotations

from typing import ClassVar, Literal, NamedTuple

import numpy as np
from pydantic import Field

from microveil.arrays import Flags, Floats, Longs
from microveil.specs import Spec
from microveil.tabulation.cells import Cells
from microveil.tabulation.protections.suppression.demands import Demand, Problem
from microveil.tabulation.protections.suppression.heuristic import suppress_in_turn
from microveil.tabulation.protections.suppression.optimal import suppress_optimally
from microveil.tabulation.rules import Judgement

Cost = Literal["cells", "contributors", "value"]
SMALLEST_SHARE = 1e-3
"""Share of a value by which a cell must be able to move, where it must only not be exact."""


class Suppressed(NamedTuple):
    """A pattern of suppressed cells."""

    hidden: Flags
    bound: float | None
    """The lowest price that a safe pattern can have, where it was searched for."""
    price: float


class Suppress(Spec):
    """Suppress unsafe cells, and further cells until no sum gives an unsafe one back.

    >>> Suppress().method
    'heuristic'
    """

    tag: ClassVar[str | None] = "protection"
    protection: Literal["suppress"] = "suppress"
    method: Literal["heuristic", "optimal"] = "heuristic"
    """``heuristic``: fast. ``optimal``: the cheapest pattern, proved if time allows."""
    cost: Cost = "value"
    """What a further suppression costs: one, the cell's contributors, or its value."""
    seconds: float = Field(default=60.0, gt=0)
    """Processor time for the search for the cheapest pattern."""
    singletons: bool = True
    """Whether the only contributor of a cell is an intruder too: they know one suppressed cell."""

    def choose(self, cells: Cells, judged: Judgement, fixed: Flags) -> Suppressed:
        """The pattern for the cells of several tables together."""
        problem = self._problem(cells, judged, fixed)
        bound: float | None = None
        if self.method == "optimal":
            best = suppress_optimally(problem, self.seconds)
            hidden, bound = best.hidden, best.bound
        else:
            hidden = suppress_in_turn(problem)
        price = float(problem.costs[hidden & ~judged.unsafe].sum())
        return Suppressed(hidden, bound, price)

    def _problem(self, cells: Cells, judged: Judgement, fixed: Flags) -> Problem:
        below, above = reach(cells)
        demands = demands_of(cells, judged, below)
        if self.singletons:
            demands += _insiders(cells, judged)
        return Problem(
            cells.system, judged.unsafe, tuple(demands), self._costs(cells), fixed, below, above
        )

    def _costs(self, cells: Cells) -> Floats:
        if self.cost == "cells":
            return np.ones(cells.n_cells)
        if self.cost == "contributors":
            return cells.n.astype(np.float64)
        return np.abs(cells.values)


def reach(cells: Cells) -> tuple[Floats, Floats]:
    """How far each cell can lie below and above its value, as everybody knows."""
    widest = np.full(cells.n_cells, 2 * float(np.abs(cells.values).max(initial=1.0)))
    if (cells.values < 0).any():
        return widest, widest.copy()
    return cells.values.copy(), widest


def demands_of(cells: Cells, judged: Judgement, below: Floats) -> list[Demand]:
    """What each unsafe cell needs: room above and, as far as it can fall, room below."""
    smallest = smallest_moves(cells)
    demands: list[Demand] = []
    for cell in np.flatnonzero(judged.unsafe).tolist():
        demands.append(Demand(cell, 1, max(float(judged.upper[cell]), float(smallest[cell]))))
        lower = min(float(judged.lower[cell]), float(below[cell]))
        if lower > 0:
            demands.append(Demand(cell, -1, lower))
    return demands


def smallest_moves(cells: Cells) -> Floats:
    """How far a cell must be able to move at least, so that nobody knows it exactly."""
    size = np.abs(cells.values)
    if (size == np.round(size)).all():
        return np.ones(cells.n_cells)
    return SMALLEST_SHARE * np.maximum(size, 1e-6 * float(size.max(initial=1.0)))


def _insiders(cells: Cells, judged: Judgement) -> list[Demand]:
    """An only contributor of a cell must not learn another one in the same sum exactly.

    The protection level is no matter here: it protects the largest contributor from the others.
    """
    owned: dict[int, list[int]] = {}
    for cell in np.flatnonzero(judged.unsafe & (cells.sole >= 0)).tolist():
        owned.setdefault(int(cells.sole[cell]), []).append(cell)
    smallest = smallest_moves(cells)
    demands: list[Demand] = []
    for cell, others in _touching(cells, np.flatnonzero(judged.unsafe)).items():
        owners = {int(cells.sole[other]) for other in others if cells.sole[other] >= 0}
        demands += [
            Demand(cell, 1, float(smallest[cell]), tuple(owned[owner]))
            for owner in sorted(owners - {int(cells.sole[cell])})
        ]
    return demands


def _touching(cells: Cells, unsafe: Longs) -> dict[int, list[int]]:
    """For each unsafe cell the unsafe cells that stand in a sum with it."""
    some = abs(cells.system.by_cell[:, unsafe])
    pairs = (some.T @ some).tocoo()
    found: dict[int, list[int]] = {int(cell): [] for cell in unsafe}
    for one, other in zip(pairs.row.tolist(), pairs.col.tolist(), strict=True):
        if one != other:
            found[int(unsafe[one])].append(int(unsafe[other]))
    return found
