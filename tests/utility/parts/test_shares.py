from __future__ import annotations

import numpy as np

from microveil.utility.parts.shares import MOST, relative_moves, share


def test_a_share_of_nothing_is_nothing() -> None:
    assert share(0, 0) == 0
    assert share(3, 4) == 0.75


def test_numbers_next_to_zero_move_by_no_more_than_the_cap() -> None:
    before, after = np.array([5e-324, 2.0]), np.array([1e300, 1.0])
    assert relative_moves(before, after).tolist() == [MOST, 0.5]
