from __future__ import annotations

import numpy as np

from microveil.methods.local_suppression.groups import (
    Group,
    cells_together,
    for_all,
    shared_columns,
)


def test_one_odd_household_in_ten_does_not_undo_the_others() -> None:
    of_record = np.repeat(np.arange(20), 2)
    codes = np.repeat(np.arange(20) % 3, 2).astype(np.int32)[:, None]
    codes[0] += 1
    assert shared_columns(codes, of_record) == (0,)
    codes[::2] += 1
    assert shared_columns(codes, of_record) == ()


def test_records_alone_share_nothing() -> None:
    assert shared_columns(np.zeros((3, 1), np.int32), np.arange(3)) == ()


def test_what_was_missing_before_takes_nothing_along() -> None:
    codes = np.array([[-1], [4], [-1], [5]], dtype=np.int32)
    there = np.array([[False], [True], [True], [True]])
    group = Group(np.array([0, 0, 1, 1]), (0,))
    assert for_all(codes, there, [group]).tolist() == [[-1], [4], [-1], [-1]]


def test_a_shared_cell_costs_as_much_as_its_group() -> None:
    assert cells_together(2, [Group(np.array([0, 0, 0]), (1,))]).tolist() == [1.0, 3.0]
