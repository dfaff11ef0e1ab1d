"""Witnesses: other tables that agree with everything published, each checked before it counts.

Whoever proposes one, it proves something only if every sum holds, every published cell is as it is
published, and no cell is beyond what everybody knows.
"""

from __future__ import annotations

import numpy as np
from scipy import sparse

from microveil.arrays import Flags, Floats
from microveil.tabulation.system import System

AT_ONCE = 20_000
"""Witnesses whose sums are looked at together."""
ERROR = 1e-7
"""Relative error of sums that arithmetic makes."""


def check_witnesses(
    system: System, hidden: Flags, moves: sparse.csr_array, floor: Floats, ceiling: Floats
) -> sparse.csr_array:
    """The proposed deviations that are true witnesses, one row each."""
    if not moves.shape[0]:
        return moves
    size = np.asarray(abs(moves).max(axis=1).todense()).ravel()
    good = _largest_gaps(system, moves) <= ERROR * np.maximum(size, 1e-300) * 10
    rows = np.repeat(np.arange(moves.shape[0]), np.diff(moves.indptr))
    cells, amounts = moves.indices, moves.data
    room = ERROR * np.maximum(1.0, np.abs(system.values[cells]))
    moved = system.values[cells] + amounts
    wrong = (
        ((amounts != 0) & ~hidden[cells])
        | (moved < floor[cells] - room)
        | (moved > ceiling[cells] + room)
    )
    good &= np.bincount(rows[wrong], minlength=moves.shape[0]) == 0
    return moves[np.flatnonzero(good)]


def _largest_gaps(system: System, moves: sparse.csr_array) -> Floats:
    """By how much each row misses a sum; some rows at a time, for all sums are many numbers."""
    by_cell = system.matrix.T.tocsr()
    found = [
        np.asarray(abs(moves[first : first + AT_ONCE] @ by_cell).max(axis=1).todense()).ravel()
        for first in range(0, moves.shape[0], AT_ONCE)
    ]
    return np.concatenate(found)


def farthest_moves(moves: sparse.csr_array) -> tuple[Floats, Floats]:
    """How far each cell moves down and up at most."""
    n = moves.shape[1]
    if not moves.shape[0]:
        return np.zeros(n), np.zeros(n)
    down = np.asarray(moves.min(axis=0).todense()).ravel()
    up = np.asarray(moves.max(axis=0).todense()).ravel()
    return np.minimum(down, 0.0), np.maximum(up, 0.0)
