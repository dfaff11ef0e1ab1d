from __future__ import annotations

import numpy as np
from scipy import sparse

from microveil.tabulation.audit.witnesses import check_witnesses, farthest_moves
from tests.tabulation.instances import grid_system

SYSTEM = grid_system(np.array([[5.0, 2.0], [3.0, 4.0]]))
HIDDEN = np.isin(np.arange(9), [0, 1, 3, 4])


def _check(*rows: list[float]) -> sparse.csr_array:
    moves = sparse.csr_array(np.array(rows))
    return check_witnesses(SYSTEM, HIDDEN, moves, np.zeros(9), np.full(9, np.inf))


def test_only_what_agrees_with_everything_published_is_a_witness() -> None:
    good = [1.0, -1, 0, -1, 1, 0, 0, 0, 0]
    too_far = [3.0, -3, 0, -3, 3, 0, 0, 0, 0]  # a count would be negative
    no_sum = [1.0, 0, 0, -1, 0, 0, 0, 0, 0]
    published = [1.0, 0, 1, 0, 0, 0, 1, 0, 1]
    true = _check(good, too_far, no_sum, published)
    assert true.toarray().tolist() == [good]
    down, up = farthest_moves(true)
    assert (down[1], up[0]) == (-1, 1)
