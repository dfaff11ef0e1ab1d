from __future__ import annotations

import numpy as np
import pytest

from microveil.tabulation.protections.cell_keys.noise_table import NoiseTable


def test_large_counts_have_the_noise_of_the_last_row() -> None:
    table = NoiseTable.of(deviation=2, variance=0.9)
    keys = np.linspace(0, 1, 1001)
    noise = table.look_up(np.full(1001, 10**6), keys)
    assert (noise.min(), noise.max()) == (-2, 2)
    assert noise.var() == pytest.approx(0.9, abs=0.01)


def test_the_frame_has_the_intervals_that_people_exchange() -> None:
    frame = NoiseTable.of(deviation=2, variance=0.9).frame()
    row = frame.filter(**{"from": 1})
    assert row["to"].to_list() == [0, 1, 2, 3]
    assert row["upper"].to_list() == pytest.approx([0.3625, 0.725, 0.9125, 1])
