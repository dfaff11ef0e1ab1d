"""A pattern found cell by cell, then thinned out: fast, safe, and not always the cheapest."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from microveil.arrays import Flags, Floats
from microveil.errors import GoalNotReachedError
from microveil.tabulation.protections.suppression.demands import Demand, Problem
from microveil.tabulation.protections.suppression.flows import FlowModel, moved_cells


def suppress_in_turn(problem: Problem) -> tuple[Flags, sparse.csr_array]:
    """Protect the unsafe cells one after the other, then publish what is not needed after all.

    The cell with the highest level comes first: what it needs often serves the others.
    """
    search = _Search(problem)
    for number in search.order:
        search.meet(number)
    search.thin_out()
    return search.hidden, search.witnesses()


class _Search:
    """The pattern in the making, with one flow per demand that proves it is met."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.hidden = problem.unsafe.copy()
        self.model = FlowModel(problem)
        self.flows: dict[int, Floats] = {}
        levels = np.array([demand.level for demand in problem.demands])
        self.order = np.argsort(-levels, kind="stable").tolist()

    def meet(self, number: int) -> None:
        """Suppress what one demand needs, at the lowest price."""
        demand = self.problem.demands[number]
        if self._met_by_another(demand, number):
            return
        self.model.set_prices(self._prices(demand))
        flow = self.model.cheapest(demand)
        if flow is None:
            raise unmet(self.problem, demand)
        self.hidden |= moved_cells(flow, self.hidden)
        self.flows[number] = flow.moves

    def _prices(self, demand: Demand) -> Floats:
        """What each unit of a move costs: a small cell must be suppressed for a small move."""
        room = np.minimum(np.maximum(np.abs(self.problem.system.values), 1e-9), demand.level)
        prices = self.problem.costs / np.maximum(room, 1e-9) * demand.level
        return np.where(self.hidden, 0.0, prices)

    def _met_by_another(self, demand: Demand, number: int) -> bool:
        """Whether a known flow proves the demand, forwards, backwards or scaled."""
        for moves in self.flows.values():
            if self._proves(moves, demand):
                self.flows[number] = moves
                return True
        return False

    def _proves(self, moves: Floats, demand: Demand) -> bool:
        at = moves[demand.cell]
        if at == 0 or any(moves[cell] for cell in demand.known):
            return False
        scale = demand.direction * demand.level / at
        scaled = moves * scale
        return bool(
            (scaled >= -self.problem.below - 1e-9).all()
            and (scaled <= self.problem.above + 1e-9).all()
        )

    def witnesses(self) -> sparse.csr_array:
        """The distinct flows that prove the demands."""
        distinct = {id(moves): moves for moves in self.flows.values()}
        rows = [sparse.csr_array(moves[None, :]) for moves in distinct.values()]
        n = self.problem.system.n_cells
        return sparse.vstack(rows).tocsr() if rows else sparse.csr_array((0, n))

    def thin_out(self) -> None:
        """Publish every secondary cell, the dearest first, without which all demands are met."""
        self.model.set_prices(np.where(self.hidden, 0.0, 1.0))
        for cell in np.flatnonzero(~self.hidden):
            self.model.close(int(cell))
        for cell in self.problem.price_order.tolist():
            if self.hidden[cell] and not self.problem.unsafe[cell]:
                self._publish_if_safe(cell)

    def _publish_if_safe(self, cell: int) -> None:
        self.model.close(cell)
        found: dict[int, Floats] = {}
        for number, demand in enumerate(self.problem.demands):
            if self.flows[number][cell] == 0:
                continue
            known = next((one for one in found.values() if self._proves(one, demand)), None)
            if known is None:
                flow = self.model.cheapest(demand, doubting=False)
                if flow is None:
                    self.model.open(cell)
                    return
                known = flow.moves
            found[number] = known
        self.hidden[cell] = False
        self.flows.update(found)


def unmet(problem: Problem, demand: Demand) -> GoalNotReachedError:
    """Why a cell cannot be protected: what would have to be allowed."""
    return GoalNotReachedError(
        "Cell {cell} cannot be protected: no other cell may be suppressed with it ({n_fixed:,} "
        "must be published), or none is large enough for its protection level ({level:g}). Allow "
        "more cells to be suppressed, or merge codes.",
        cell=problem.name_of(demand.cell),
        n_fixed=int(problem.fixed.sum()),
        level=demand.level,
    )
