from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from microveil.errors import ColumnError, InputError
from microveil.risk.linkability import Linkability
from tests.risk.attack_data import people


def test_ties_count_by_their_chance() -> None:
    original = pl.DataFrame({"a": ["x"], "b": ["y"]})
    released = pl.DataFrame({"a": ["x", "x", "q", "q"], "b": ["y", "q", "y", "y"]})
    # By a records 0 and 1, by b records 0, 2 and 3: they meet in one of six ways.
    score = Linkability(known=[["a"], ["b"]]).measure(original, released)
    assert score.parts["attack"]["rate"] == pytest.approx(1 / 6)
    assert score.parts["baseline"]["rate"] == pytest.approx(1 / 4)
    assert score.records is not None
    assert score.records == pytest.approx([1 / 6])


def test_more_neighbours_link_more() -> None:
    original = people(1, 300)
    rng = np.random.default_rng(1)
    released = original.with_columns(
        pl.col(name) + pl.Series(rng.normal(0, 0.2, 300)) * pl.col(name).std()
        for name in ("height", "weight", "income")
    )
    rates = [
        Linkability(n_neighbours=k).measure(original, released).parts["attack"]["rate"]
        for k in (1, 5, 20)
    ]
    assert rates[0] < rates[1] < rates[2]


def test_more_neighbours_than_records_are_all_records() -> None:
    frame = people(1, 5)
    score = Linkability(n_neighbours=50).measure(frame, frame)
    assert score.parts["attack"]["rate"] == 1
    assert score.parts["baseline"]["rate"] == 1
    assert score.value == 0


def test_without_roles_columns_are_dealt_out_by_how_telling_they_are() -> None:
    frame = people(1, 100)
    known = Linkability().measure(frame, frame).parts["known"]
    assert sorted(known[0] + known[1]) == sorted(frame.columns)
    assert abs(len(known[0]) - len(known[1])) <= 1


def test_two_lists_of_columns_are_needed() -> None:
    frame = people(1, 10)
    with pytest.raises(InputError, match="two non-empty lists"):
        Linkability(known=[["height"]]).measure(frame, frame)
    with pytest.raises(ColumnError, match="'heigt'"):
        Linkability(known=[["heigt"], ["town"]]).measure(frame, frame)
    with pytest.raises(InputError, match="two columns"):
        Linkability().measure(frame.select("town"), frame.select("town"))


def test_equal_differences_are_ties_whatever_the_unit() -> None:
    # 0.3 − 0.2 and 0.1 − 0 are not the same in binary; whole numbers are.
    original = pl.DataFrame({"a": [35], "b": [7]})
    released = pl.DataFrame({"a": [34, 36, 17, 90], "b": [6, 8, 1, 70]})
    score = Linkability(known=[["a"], ["b"]]).measure(original, released)
    assert score.parts["attack"]["rate"] == pytest.approx(1 / 2)


def test_the_widest_range_there_is_does_not_overflow() -> None:
    frame = pl.DataFrame({"a": [-1.7e308, 1.7e308, float("inf")], "b": [1, 2, 3]})
    score = Linkability(known=[["a"], ["b"]]).measure(frame, frame)
    assert 0 <= score.value <= 1
