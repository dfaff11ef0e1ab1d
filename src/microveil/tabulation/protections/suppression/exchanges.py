"""Exchanges: one finest cell gains what another loses, with all that stands above either.

Such a move needs no cell to exist but these two and what is above them, so that it is found in
sparse tables where the corners of hypercubes are empty. Cells above both stay as they are.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from scipy import sparse

from microveil.arrays import Flags, Floats, Longs
from microveil.kernels.cell_moves.space import MoveSpace, MoveState

OFFSETS = (1, -1, 2, -2, 3, -3, 5, -5, 8, -8)
"""Which neighbours in the order of the cells are tried."""
AT_ONCE = 20_000


class Exchanged(NamedTuple):
    """Moves that were found: which of the cells asked for, and the rows of their moves."""

    found: Flags
    signs: sparse.csr_array
    room: Floats
    """How far each move can go."""


class Exchanges:
    """The finest cells of one table, in an order for every variable."""

    def __init__(self, space: MoveSpace, n_cells: int) -> None:
        """Sort the finest cells so that neighbours share all codes but one, where there are any."""
        self._space, self._n = space, n_cells
        every = space.nodes.astype(np.int64) @ space.strides
        self._order = np.argsort(every, kind="stable")
        self._sorted = every[self._order]
        n_variables = space.nodes.shape[1]
        leaf = np.stack([space.leaf_of[j, space.nodes[:, j]] for j in range(n_variables)], axis=1)
        self._finest = np.flatnonzero((leaf >= 0).all(axis=1))
        self._leaves = leaf[self._finest]
        self._above = self._stand_above(np.arange(len(self._finest)))
        first, self._last = np.full(n_cells, len(self._finest)), np.full(n_cells, -1)
        for column in self._above.T:  # finest cells below each cell: two, where there are two
            known = np.flatnonzero(column >= 0)
            np.maximum.at(self._last, column[known], known)
            np.minimum.at(first, column[known], known)
        self._first = np.where(self._last >= 0, first, -1)
        self._orders = [self._sort(j) for j in range(n_variables)]

    @classmethod
    def of(cls, space: MoveSpace, n_cells: int) -> Exchanges | None:
        """The exchanges of a single table; None for several, which may have other finest cells."""
        return cls(space, n_cells) if len(space.shows) == 1 else None

    def _sort(self, last: int) -> tuple[Longs, Longs]:
        """The finest cells with one variable as the last key, and the place of each."""
        names = [last, *(j for j in range(self._leaves.shape[1]) if j != last)]
        order = np.lexsort([self._leaves[:, j] for j in names])
        place = np.empty(len(order), dtype=np.int64)
        place[order] = np.arange(len(order))
        return order, place

    def _stand_above(self, finest: Longs) -> Longs:
        """The cells above each of some finest cells, themselves included; −1 fills up."""
        keys = np.zeros((len(finest), 1), dtype=np.int64)
        for j, stride in enumerate(self._space.strides.tolist()):
            chain = self._space.chains[0, j, self._leaves[finest, j]].astype(np.int64)
            part = np.where(chain >= 0, chain * stride, -1)
            both = keys[:, :, None] + part[:, None, :]
            wrong = (keys[:, :, None] < 0) | (part[:, None, :] < 0)
            keys = np.where(wrong, -1, both).reshape(len(finest), -1)
        at = np.minimum(np.searchsorted(self._sorted, keys), len(self._sorted) - 1)
        known = (keys >= 0) & (self._sorted[at] == keys)
        return np.where(known, self._order[at], -1).astype(np.int32)

    def find(
        self,
        wanted: Longs,
        levels: Floats,
        direction: int,
        state: MoveState,
        owners: tuple[Longs, Longs] | None = None,
    ) -> Exchanged:
        """An exchange for each of some cells, where one of the neighbours allows it.

        ``owners``: the only contributor of each cell, and for each wanted cell one who knows theirs
        and may not move.
        """
        found = np.zeros(len(wanted), dtype=np.bool_)
        rows: list[sparse.csr_array] = [sparse.csr_array((0, self._n), dtype=np.int8)]
        rooms: list[Floats] = [np.zeros(0)]
        for places, mine, others in self._proposals(wanted):
            left = ~found[places]
            at, one, other = places[left], mine[left], others[left]
            for first in range(0, len(at), AT_ONCE):
                part = slice(first, first + AT_ONCE)
                known = None if owners is None else (owners[0], owners[1][at[part]])
                good, signs, room = self._try(
                    (one[part], other[part]), levels[at[part]], direction, state, known
                )
                found[at[part][good]] = True
                rows.append(signs)
                rooms.append(room)
        return Exchanged(found, sparse.csr_array(sparse.vstack(rows)), np.concatenate(rooms))

    def _proposals(self, wanted: Longs) -> Iterator[tuple[Longs, Longs, Longs]]:
        """Places of wanted cells with a finest cell that gains and one that loses, near ones first.

        The first and the last finest cell below a cell belong to two people where it has two.
        """
        for offset in OFFSETS:
            for below in (self._first, self._last):
                mine = below[wanted]
                for j, (order, place) in enumerate(self._orders):
                    inside = self._space.nodes[wanted, j] > 0
                    at = place[mine] + offset
                    which = np.flatnonzero((mine >= 0) & inside & (at >= 0) & (at < len(order)))
                    other = order[at[which]]
                    apart = ~(self._above[other] == wanted[which, None]).any(axis=1)
                    yield which[apart], mine[which[apart]], other[apart]

    def _try(
        self,
        pair: tuple[Longs, Longs],
        levels: Floats,
        direction: int,
        state: MoveState,
        owners: tuple[Longs, Longs] | None,
    ) -> tuple[Flags, sparse.csr_array, Floats]:
        """The exchanges that nothing forbids, and how far each can go."""
        n, width = len(levels), self._above.shape[1]
        cells = np.concatenate([self._above[one] for one in pair], axis=1)
        signs = np.repeat([direction, -direction], width).astype(np.int8)[None, :].repeat(n, 0)
        rows = np.repeat(np.arange(n), 2 * width).reshape(n, -1)
        known = cells >= 0
        made = sparse.csr_array((signs[known], (rows[known], cells[known])), shape=(n, self._n))
        made.sum_duplicates()
        made.eliminate_zeros()
        row = np.repeat(np.arange(n), np.diff(made.indptr))
        limit = np.where(made.data > 0, state.above[made.indices], state.below[made.indices])
        room = np.full(n, np.inf)
        np.minimum.at(room, row, limit)
        barred = state.barred[made.indices]
        if owners is not None:
            barred = barred | (owners[0][made.indices] == owners[1][row])
        good = (room >= levels - 1e-9) & (np.bincount(row[barred], minlength=n) == 0)
        return good, made[np.flatnonzero(good)], room[good]
