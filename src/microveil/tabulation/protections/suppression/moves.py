"""A pattern for large tables: each unsafe cell moves along pairs of codes.

A move takes from one code of a variable and gives to another, for several variables at once: what
stands above both codes stays as it is. With a pair for every variable these are the corners of a
hypercube (Repsilber 1994); with fewer pairs margins move too, which sparse tables need. A move is a
proof that a cell cannot be computed, so that the audit has little left to do.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np
from scipy import sparse

from microveil.arrays import Flags, Floats, Longs
from microveil.kernels.cell_moves.insiders import (
    Incidence,
    Owners,
    Suspicions,
    find_suspects,
    meet_insiders,
)
from microveil.kernels.cell_moves.searching import (
    MOST_CELLS,
    Demands,
    Found,
    Wanted,
    meet_demands,
)
from microveil.kernels.cell_moves.space import MoveSpace, MoveState
from microveil.kernels.cell_moves.thinning import Proofs, enter_move, thin_out
from microveil.progress import Progress, silent
from microveil.tabulation.cells import Cells
from microveil.tabulation.protections.suppression.demands import Demand, Problem
from microveil.tabulation.protections.suppression.exchanges import Exchanges
from microveil.tabulation.protections.suppression.heuristic import unmet
from microveil.tabulation.protections.suppression.neighbourhoods import flow_nearby

MOST_ROUNDS = 20
MOST_THINNED = 20_000_000
"""Cells of all moves up to which needless suppressions are looked for."""
ROOM = 4_000_000
"""Cells of moves that are found before they are put away."""


@dataclass(frozen=True, eq=False)
class Moves:
    """Moves as rows: what each cell does, and how far the move can go either way."""

    signs: sparse.csr_array
    low: Floats
    high: Floats
    unit: bool = True
    """Whether all cells move by the same amount."""


@dataclass(eq=False)
class MoveSearch:
    """The pattern in the making."""

    cells: Cells
    problem: Problem
    space: MoveSpace
    up: Floats
    """How far each unsafe cell must be able to rise; 0 elsewhere."""
    down: Floats
    progress: Progress = silent
    moves: list[Moves] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Begin with the unsafe cells."""
        n = self.cells.n_cells
        problem = self.problem
        self.state = MoveState(
            problem.unsafe.copy(),
            problem.fixed.copy(),
            problem.costs,
            problem.below,
            problem.above,
            np.zeros(n + 1, dtype=np.int64),
        )
        self.exchanges = Exchanges.of(self.space, n)
        self.wanted = Wanted(self.up, self.down, self.up <= 0, self.down <= 0)

    @property
    def hidden(self) -> Flags:
        """The cells suppressed so far."""
        return self.state.hidden

    def protect(self) -> None:
        """Find a move for each unsafe cell, the highest level first, and programs for the rest."""
        for level, direction in ((self.up, 1), (self.down, -1)):
            cells = np.flatnonzero(level > 0)
            cells = cells[np.argsort(-level[cells], kind="stable")]
            self._meet(cells, np.full(len(cells), direction))
        for met, level, direction in (
            (self.wanted.met_up, self.up, 1),
            (self.wanted.met_down, self.down, -1),
        ):
            self._exchange(np.flatnonzero(~met), level, direction)
            left = np.flatnonzero(~met)
            for number, cell in enumerate(left.tolist()):
                if not met[cell]:
                    self._solve(Demand(cell, direction, float(level[cell])))
                self.progress(number + 1, len(left), "Protecting single cells")

    def thin_out(self) -> None:
        """Publish the dearest cells again, where all they protect can move another way."""
        if sum(one.signs.nnz for one in self.moves) > MOST_THINNED:
            return
        found, kept = _join([one for one in self.moves if one.unit], self.cells)
        others = [one for one in self.moves if not one.unit]
        spare = self.hidden & ~self.problem.unsafe
        for one in others:
            spare[one.signs.indices] = False
        order = self.problem.price_order
        proofs = _no_proofs(found, self.cells.n_cells)
        for number in range(kept):
            enter_move(found, proofs, self.wanted, number)
        thin_out(self.space, self.state, order[spare[order]], self.wanted, found, proofs)
        moves = _as_moves(found, self.cells.n_cells)
        alive = proofs.alive[: len(moves.low)]
        self.moves = [Moves(moves.signs[alive], moves.low[alive], moves.high[alive]), *others]

    def protect_from_insiders(self, smallest: Floats) -> None:
        """Find further moves for cells that someone with a cell of their own could compute."""
        owners = _owners(self.cells)
        unsafe = np.flatnonzero(self.up > 0)
        need = self.wanted._replace(up=np.where(self.up > 0, smallest, 0.0))
        for _ in range(MOST_ROUNDS):
            suspects = self._suspects(unsafe, owners)
            pairs = Suspicions(unsafe[suspects >= 0], suspects[suspects >= 0])
            if not pairs.cells.size:
                return
            n_before = sum(len(one.low) for one in self.moves)
            self._run(
                len(pairs.cells),
                partial(meet_insiders, self.space, self.state, pairs, owners, need),
            )
            if sum(len(one.low) for one in self.moves) > n_before:
                continue
            met = self._exchange(pairs.cells, smallest, 1, (owners.sole, pairs.owners))
            if not met.any():
                self._solve_suspicions(pairs, owners, smallest)
                return

    def _exchange(
        self, cells: Longs, levels: Floats, direction: int, known: tuple[Longs, Longs] | None = None
    ) -> Flags:
        """Move cells by exchanges with their neighbours, where no corners are found."""
        if self.exchanges is None or not cells.size:
            return np.zeros(len(cells), dtype=np.bool_)
        # What was published again for want of need may be suppressed after all.
        state = self.state._replace(barred=self.problem.fixed)
        made = self.exchanges.find(cells, levels[cells], direction, state, known)
        moved = np.unique(made.signs.indices)
        self.hidden[moved] = True
        self.moves.append(Moves(made.signs, np.zeros(len(made.room)), made.room))
        met = self.wanted.met_up if direction > 0 else self.wanted.met_down
        if known is None:
            met[cells[made.found]] = True
        return made.found

    def _solve_suspicions(self, pairs: Suspicions, owners: Owners, smallest: Floats) -> None:
        """Ask a program where no move was found; what it cannot either shows in the audit."""
        demands = []
        for cell, owner in zip(pairs.cells.tolist(), pairs.owners.tolist(), strict=True):
            known = owners.cells[owners.starts[owner] : owners.starts[owner + 1]]
            demands.append(Demand(cell, 1, float(smallest[cell]), tuple(known.tolist())))
        self.meet_if_possible(demands)

    def meet_if_possible(self, demands: Sequence[Demand]) -> None:
        """Meet further demands by programs; one that nothing meets shows in the audit."""
        for demand in demands:
            self._solve(demand, needed=False)

    def witnesses(self) -> sparse.csr_array:
        """Each move as far as it goes, upwards; downwards too where a cell must be able to fall."""
        rows = [sparse.csr_array((0, self.cells.n_cells))]
        both = bool(self.down.any()) or sum(one.signs.nnz for one in self.moves) < MOST_THINNED
        for one in self.moves:
            for scale in (one.high, one.low) if both else (one.high,):
                rows += [_scale_rows(one.signs, scale)]
        return sparse.csr_array(sparse.vstack(rows))

    def _meet(self, cells: Longs, directions: Longs) -> None:
        self._run(
            len(cells),
            partial(meet_demands, self.space, self.state, Demands(cells, directions), self.wanted),
        )

    def _run(self, n: int, step: Callable[[Found, int], int]) -> None:
        """Go through all cells, and put the moves away whenever the arrays are full."""
        done = 0
        while done < n:
            found = _empty(len(self.cells.tables), n - done)
            done = step(found, done)
            self.moves.append(_as_moves(found, self.cells.n_cells))
            self.progress(done, n, "Protecting cells")

    def _solve(self, demand: Demand, *, needed: bool = True) -> None:
        """Meet a demand by a program of its neighbourhood."""
        flow = flow_nearby(self.problem, demand, self.hidden)
        if flow is None:
            if needed:
                raise unmet(self.problem, demand)
            return
        at, moves = flow
        self.hidden[at] = True
        n = self.cells.n_cells
        row = sparse.csr_array((moves, (np.zeros(len(at), dtype=np.int64), at)), shape=(1, n))
        self.moves.append(Moves(row, np.zeros(1), np.ones(1), unit=False))
        self.wanted.met_up[at[moves >= self.up[at] - 1e-9]] = True
        self.wanted.met_down[at[-moves >= self.down[at] - 1e-9]] = True

    def _suspects(self, unsafe: Longs, owners: Owners) -> Longs:
        signs = sparse.csr_array(sparse.vstack([_pattern(one.signs) for one in self.moves]))
        by_cell = signs.tocsc()
        known = Incidence(
            by_cell.indptr.astype(np.int64),
            by_cell.indices.astype(np.int32),
            signs.indptr.astype(np.int64),
            signs.indices.astype(np.int32),
        )
        return find_suspects(unsafe, owners, known)


def _pattern(signs: sparse.csr_array) -> sparse.csr_array:
    """Which cells move, in little room."""
    ones = np.ones(signs.nnz, dtype=np.int8)
    return sparse.csr_array((ones, signs.indices, signs.indptr), shape=signs.shape)


def _scale_rows(signs: sparse.csr_array, scale: Floats) -> sparse.csr_array:
    """Each row times its number, without rows of zeros."""
    kept = signs[scale != 0]
    data = kept.data * np.repeat(scale[scale != 0], np.diff(kept.indptr))
    return sparse.csr_array((data, kept.indices, kept.indptr), shape=kept.shape)


def _empty(n_tables: int, n: int) -> Found:
    room = min(ROOM, n * 256) + 2 * MOST_CELLS * n_tables
    most = min(n, ROOM // 4) + 1
    return Found(
        np.zeros(room, dtype=np.int32),
        np.zeros(room, dtype=np.int32),
        np.zeros(most + 1, dtype=np.int64),
        np.zeros(most),
        np.zeros(most),
        np.zeros(2, dtype=np.int64),
    )


def _join(moves: list[Moves], cells: Cells) -> tuple[Found, int]:
    """All moves in arrays with room for more, and how many there are."""
    signs = sparse.csr_array(sparse.vstack([one.signs for one in moves]))
    n, size = signs.shape[0], signs.nnz
    room, most = 2 * size + 4 * MOST_CELLS * len(cells.tables), 2 * n + 1_000
    found = Found(
        np.zeros(room, dtype=np.int32),
        np.zeros(room, dtype=np.int32),
        np.zeros(most + 1, dtype=np.int64),
        np.zeros(most),
        np.zeros(most),
        np.array([n, size]),
    )
    found.cells[:size], found.signs[:size] = signs.indices, signs.data
    found.starts[: n + 1] = signs.indptr
    found.low[:n] = np.concatenate([one.low for one in moves])
    found.high[:n] = np.concatenate([one.high for one in moves])
    return found, n


def _no_proofs(found: Found, n_cells: int) -> Proofs:
    room = len(found.cells)
    return Proofs(
        np.zeros(n_cells, dtype=np.int32),
        np.zeros(n_cells, dtype=np.int32),
        np.zeros(len(found.low), dtype=np.bool_),
        np.full(n_cells, -1, dtype=np.int64),
        np.zeros(room, dtype=np.int64),
        np.zeros(room, dtype=np.int32),
        np.zeros(room, dtype=np.int64),
        np.zeros(1, dtype=np.int64),
    )


def _as_moves(found: Found, n_cells: int) -> Moves:
    n, size = int(found.counts[0]), int(found.counts[1])
    signs = sparse.csr_array(
        (found.signs[:size].astype(np.int8), found.cells[:size].copy(), found.starts[: n + 1]),
        shape=(n, n_cells),
    )
    return Moves(signs, found.low[:n].copy(), found.high[:n].copy())


def _owners(cells: Cells) -> Owners:
    """The cells of each only contributor, by a number of its own."""
    owned = np.flatnonzero(cells.sole >= 0)
    people, numbers = np.unique(cells.sole[owned], return_inverse=True)
    sole = np.full(cells.n_cells, -1, dtype=np.int64)
    sole[owned] = numbers
    place = np.searchsorted(people, cells.whole) if people.size else np.zeros_like(cells.whole)
    place = np.minimum(place, max(len(people) - 1, 0))
    known = people[place] == cells.whole if people.size else np.zeros(len(place), dtype=np.bool_)
    order = np.argsort(numbers, kind="stable")
    starts = np.concatenate([[0], np.cumsum(np.bincount(numbers, minlength=len(people)))])
    return Owners(sole, np.where(known, place, -1), starts.astype(np.int64), owned[order])
