from __future__ import annotations

from collections import Counter

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microveil.app.coarsening.ladders import (
    Ladder,
    _at_risk,
    _Key,
    _pack_records,
    climb,
    ladder_of,
)
from microveil.app.coarsening.rungs import round_width
from microveil.app.inspection import inspect


def test_climbing_stops_once_few_records_are_at_risk() -> None:
    rng = np.random.default_rng(1)
    frame = pl.DataFrame({"a": rng.integers(0, 1000, 500), "b": rng.integers(0, 2, 500)})
    looked = inspect(frame)
    ladders = [ladder_of(frame[name], looked[name], 5) for name in frame.columns]
    rungs = climb(ladders, 5, 0.05)
    coarse = pl.DataFrame(
        {
            str(i): ladder.rungs[rung]
            for i, (ladder, rung) in enumerate(zip(ladders, rungs, strict=True))
        }
    )
    sizes = coarse.group_by(coarse.columns).len()["len"]
    assert sizes.filter(sizes < 5).sum() / 500 <= 0.05
    assert rungs[0] > 0


def test_nothing_is_climbed_where_everybody_is_safe() -> None:
    frame = pl.DataFrame({"a": [1, 2] * 20})
    assert climb([ladder_of(frame["a"], inspect(frame)["a"], 5)], 5, 0.05) == [0]


def test_a_ladder_leads_to_ever_fewer_values() -> None:
    frame = pl.DataFrame({"a": np.arange(5000)})
    ladder = ladder_of(frame["a"], inspect(frame)["a"], 5)
    counts = [len(np.unique(codes)) for codes in ladder.rungs]
    assert counts == sorted(counts, reverse=True)
    assert len(counts) > 3


def test_widths_are_round_and_whole_for_whole_numbers() -> None:
    assert round_width(pl.Series([0.0, 0.7]), 10) == 0.1
    assert round_width(pl.Series([1, 2]), 10) == 1.0


@given(st.lists(st.tuples(*[st.integers(0, 3)] * 3), min_size=1, max_size=30), st.integers(1, 4))
def test_records_in_small_classes_are_those_of_a_count(
    rows: list[tuple[int, int, int]], k: int
) -> None:
    columns = np.array(rows, dtype=np.int64).T
    ladders = [Ladder(pl.Series(name, one), ()) for name, one in zip("abc", columns, strict=True)]
    keys = [_Key.of(ladder, place) for place, ladder in enumerate(ladders)]
    sizes = Counter(rows)
    small = sum(sizes[row] < k for row in rows) / len(rows)
    assert _at_risk(_pack_records(keys, [0, 0, 0]), k) == pytest.approx(small)
