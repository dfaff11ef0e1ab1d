from __future__ import annotations

import numpy as np

from microveil.kernels.blanking.places import open_rows, places_of


def test_rows_that_become_equal_are_one_place() -> None:
    codes = np.array([[0, 0], [0, 1], [0, -1]], dtype=np.int32)
    counts = np.array([1, 1, 5])
    places = places_of(codes, counts, 2, np.array([0, 1]), np.array([1, 2, 3]))
    sizes = np.diff(places.start)
    shared = int(np.flatnonzero((places.missing == 2) & (sizes == 2))[0])
    assert places.rows[places.start[shared] : places.start[shared + 1]].tolist() == [0, 1]
    assert places.settled[shared] == 2


def test_rows_have_room_for_more() -> None:
    rows = open_rows(np.array([[0, -1]], dtype=np.int32), np.array([3]), 2, np.ones(2))
    assert rows.sizes.tolist() == [3, 0, 0]
    assert rows.missing.tolist() == [2, 0, 0]
    assert rows.state.tolist() == [1]
