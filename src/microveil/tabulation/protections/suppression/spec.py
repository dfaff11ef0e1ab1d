"""Suppression: unsafe cells are left out, with others so that no sum gives them back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar, Literal, NamedTuple

import numpy as np
from pydantic import Field
from scipy import sparse

from microveil.arrays import Flags, Floats, Longs
from microveil.errors import InputError
from microveil.specs import Spec
from microveil.tabulation.cells import Cells
from microveil.tabulation.knowledge import Knowledge
from microveil.tabulation.protections.suppression.demands import Demand, Problem
from microveil.tabulation.protections.suppression.heuristic import suppress_in_turn
from microveil.tabulation.protections.suppression.move_space import move_space
from microveil.tabulation.protections.suppression.moves import MoveSearch
from microveil.tabulation.protections.suppression.optimal import suppress_optimally
from microveil.tabulation.rules import Judgement
from microveil.tabulation.statuses import Given
from microveil.tabulation.tabulation import Tabulation

Cost = Literal["cells", "contributors", "value", "column"]
MOST_WORK = 2_000_000
"""Unsafe times all cells up to which each cell has a program of its own."""
PER_CELL = 0.05
"""Share of the mean value that any cell costs, where suppressions cost their values."""
SMALLEST_SHARE = 1e-3
"""Share of a value by which a cell must be able to move, where it must only not be exact."""


class Suppressed(NamedTuple):
    """A pattern of suppressed cells."""

    hidden: Flags
    bound: float | None
    """The lowest price that a safe pattern can have, where it was searched for."""
    price: float
    witnesses: sparse.csr_array
    """Other tables that agree with what is published: one for each demand that was met."""


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
    """What a further suppression costs: one, the cell's contributors, its value (and a twentieth of
    the mean value, so that few cells are preferred where the values are about the same), or what
    the table's ``cost`` column adds up to."""
    seconds: float = Field(default=60.0, gt=0)
    """Processor time for the search for the cheapest pattern."""
    singletons: bool = True
    """Whether the only contributor of a cell is an intruder too: they know one suppressed cell."""

    def choose(
        self,
        cells: Cells,
        judged: Judgement,
        given: Given,
        known: Knowledge,
        insiders: Sequence[tuple[int, int]] = (),
    ) -> Suppressed:
        """The pattern for the cells of several tables together.

        ``insiders``: cells with a contributor who must not know them, that an audit found.
        """
        if self.method == "heuristic" and is_large(cells, judged):
            found = self._choose_by_moves(cells, judged, given, known, insiders)
            if found is not None:
                return found
        problem = self._problem(cells, judged, given, known)
        problem = replace(problem, demands=problem.demands + _against(cells, insiders))
        bound: float | None = None
        if self.method == "optimal":
            best = suppress_optimally(problem, self.seconds)
            hidden, bound = best.hidden, best.bound
            witnesses = sparse.csr_array((0, cells.n_cells))
        else:
            hidden, witnesses = suppress_in_turn(problem)
        price = float(problem.costs[hidden & ~problem.unsafe].sum())
        return Suppressed(hidden, bound, price, witnesses)

    def _choose_by_moves(
        self,
        cells: Cells,
        judged: Judgement,
        given: Given,
        known: Knowledge,
        insiders: Sequence[tuple[int, int]],
    ) -> Suppressed | None:
        """The pattern of a table that is too large for a program per cell."""
        space = move_space(cells)
        if space is None:
            return None
        below, above = reach(cells, known)
        problem = self._frame_problem(cells, judged, given, below, above)
        smallest = smallest_moves(cells)
        up = np.where(judged.unsafe, np.maximum(judged.upper, smallest), 0.0)
        down = np.where(judged.unsafe, np.minimum(judged.lower, below), 0.0)
        search = MoveSearch(cells, problem, space, up, down)
        search.protect()
        search.thin_out()
        if self.singletons:
            search.protect_from_insiders(smallest)
        search.meet_if_possible(_against(cells, insiders))
        price = float(problem.costs[search.hidden & ~problem.unsafe].sum())
        return Suppressed(search.hidden, None, price, search.witnesses())

    def _problem(self, cells: Cells, judged: Judgement, given: Given, known: Knowledge) -> Problem:
        below, above = reach(cells, known)
        demands = demands_of(cells, judged, below)
        if self.singletons:
            demands += _insiders(cells, judged)
        problem = self._frame_problem(cells, judged, given, below, above)
        return replace(problem, demands=tuple(demands))

    def _frame_problem(
        self, cells: Cells, judged: Judgement, given: Given, below: Floats, above: Floats
    ) -> Problem:
        """The problem without its demands."""
        costs = self._costs(cells)
        costs = np.where(np.isnan(given.costs), costs, given.costs)
        left_out = judged.unsafe | given.suppressed
        return Problem(
            cells.system,
            left_out,
            (),
            costs,
            given.published,
            below,
            above,
            cells.codes_of,
        )

    def _costs(self, cells: Cells) -> Floats:
        if self.cost == "cells":
            return np.ones(cells.n_cells)
        if self.cost == "contributors":
            return cells.n.astype(np.float64)
        if self.cost == "column":
            return _column_costs(cells)
        size = np.abs(cells.values)
        return np.asarray(size + PER_CELL * size.mean())


def is_large(cells: Cells, judged: Judgement) -> bool:
    """Whether a program per cell would take too long."""
    return int(judged.unsafe.sum()) * cells.n_cells > MOST_WORK


def _column_costs(cells: Cells) -> Floats:
    if any(_has_no_cost(table.tabulation) for table in cells.tables):
        raise InputError(
            "A suppression costs what a column says, but no table names one: cost: COLUMN."
        )
    if (cells.costs < 0).any() or np.isnan(cells.costs).any():
        raise InputError("The column of costs has negative or missing values.")
    return cells.costs


def _has_no_cost(tabulation: Tabulation) -> bool:
    inside = tabulation.cells is not None and tabulation.cells.cost is not None
    return tabulation.cost is None and not inside


def reach(cells: Cells, known: Knowledge) -> tuple[Floats, Floats]:
    """How far each cell can lie below and above its value, as everybody knows."""
    widest = np.full(cells.n_cells, 2 * float(np.abs(cells.values).max(initial=1.0)))
    below = np.minimum(widest, cells.values - known.floor)
    return np.maximum(below, 0.0), np.clip(known.ceiling - cells.values, 0.0, widest)


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


def _against(cells: Cells, insiders: Sequence[tuple[int, int]]) -> tuple[Demand, ...]:
    """What must hold against the only contributors of some cells, whoever they are."""
    smallest = smallest_moves(cells)
    return tuple(
        Demand(cell, 1, float(smallest[cell]), tuple(np.flatnonzero(cells.sole == owner).tolist()))
        for cell, owner in insiders
    )


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
            for owner in sorted(owners - {int(cells.whole[cell])})
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
