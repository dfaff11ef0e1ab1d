from __future__ import annotations

import numpy as np
import pytest

from microveil.kernels.blanking.packed_rows import missing_bits, packed_rows, strides


@pytest.mark.parametrize("hidden", [0, 1, 2, 5])
def test_rows_share_a_number_where_their_shown_cells_are_equal(hidden: int) -> None:
    codes = np.random.default_rng(0).integers(-1, 3, (60, 3)).astype(np.int32)
    packed = packed_rows(codes, hidden, strides(codes))
    shown = [column for column in range(3) if not hidden >> column & 1]
    same = (codes[:, None, shown] == codes[None, :, shown]).all(axis=2)
    assert np.array_equal(packed[:, None] == packed[None, :], same)


def test_missing_cells_are_bits() -> None:
    codes = np.array([[0, -1, 2], [-1, -1, -1], [1, 1, 1]], dtype=np.int32)
    assert missing_bits(codes).tolist() == [2, 7, 0]
