from __future__ import annotations

import numpy as np
import pytest

from microveil.service.free.combining import combine


def flags(*rows: str) -> np.ndarray:
    return np.array([[cell == "1" for cell in row] for row in rows])


def test_a_part_is_the_whole_without_the_rest() -> None:
    found = combine(flags("111", "100"), flags("011"), np.ones(2))
    assert found is not None
    assert found.values.tolist() == [[1, -1]]


def test_two_ways_to_know_one_number_weigh_by_their_noise() -> None:
    found = combine(flags("11", "11"), flags("11"), np.array([1.0, 2.0]))
    assert found is not None
    assert found.values[0].tolist() == pytest.approx([0.8, 0.2])


def test_what_does_not_follow_has_no_weights() -> None:
    assert combine(flags("11"), flags("10"), np.ones(1)) is None
    assert combine(flags("00"), flags("10"), np.ones(1)) is None


def test_a_condition_that_nothing_fulfils_is_zero_without_asking() -> None:
    found = combine(flags("11"), flags("00"), np.ones(1))
    assert found is not None
    assert found.values.tolist() == [[0]]
