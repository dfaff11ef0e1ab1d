"""Witnesses: other tables that agree with everything published, each checked before it counts.

Whoever proposes one, it proves something only if every sum holds, every published cell is as it is
published, and no cell is beyond what everybody knows.
"""

from __future__ import annotations

import numpy as np
from scipy import sparse

from microveil.arrays import Flags, Floats
from microveil.tabulation.system import System

ERROR = 1e-7
"""Relative error of sums that arithmetic makes."""


def check_witnesses(
    system: System, hidden: Flags, moves: sparse.csr_array, floor: Floats, ceiling: Floats
) -> sparse.csr_array:
    """The proposed deviations that are true witnesses, one row each."""
    if not moves.shape[0]:
        return moves
    size = np.asarray(abs(moves).max(axis=1).todense()).ravel()
    gaps = abs(moves @ system.matrix.T.tocsr())
    worst = np.asarray(gaps.max(axis=1).todense()).ravel()
    good = worst <= ERROR * np.maximum(size, 1e-300) * 10
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


def farthest_moves(moves: sparse.csr_array) -> tuple[Floats, Floats]:
    """How far each cell moves down and up at most."""
    n = moves.shape[1]
    if not moves.shape[0]:
        return np.zeros(n), np.zeros(n)
    down = np.asarray(moves.min(axis=0).todense()).ravel()
    up = np.asarray(moves.max(axis=0).todense()).ravel()
    return np.minimum(down, 0.0), np.maximum(up, 0.0)
