from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import microveil as mv
from tests.tabulation.instances import people, random_people

HANDBOOK = {("1", "a"): 1, ("2", "a"): 3, ("2", "b"): 3, ("3", "a"): 12, ("3", "b"): 20}
"""Hundepool et al. 2012, section 5.5: [1 0; 3 3; 12 20]."""


def rounded(frame: pl.DataFrame, **parameters: Any) -> dict[tuple[str, ...], float]:
    table = mv.Tabulation(by=frame.columns)
    protect = mv.RoundCells(**parameters)
    (made,) = mv.tabulate(frame, table, protect=protect, seed=1).frames.values()
    return {row[: frame.width]: row[frame.width] for row in made.iter_rows()}


def test_rounding_to_the_nearest_is_the_handbook_s_and_does_not_add_up() -> None:
    found = rounded(people(HANDBOOK, ["row", "column"]), base=5, method="nearest")
    assert found["1", "a"] == 0
    assert [found["3", code] for code in ("a", "b", "Total")] == [10, 20, 30]
    assert [found["Total", code] for code in ("a", "b", "Total")] == [15, 25, 40]
    assert found["1", "Total"] + found["2", "Total"] + found["3", "Total"] != 40


@given(st.integers(0, 10**6), st.sampled_from([3, 5, 10]))
def test_controlled_rounding_adds_up_and_moves_less_than_the_base(seed: int, base: int) -> None:
    rng = np.random.default_rng(seed)
    frame = random_people(rng, (3, 4), most=12)
    found = rounded(frame, base=base, method="controlled")
    counts = {row[:2]: row[2] for row in frame.group_by(frame.columns).len().iter_rows()}
    for (one, other), value in found.items():
        cells = [
            c
            for c in found
            if "Total" not in c and one in (c[0], "Total") and other in (c[1], "Total")
        ]
        assert value % base == 0
        assert value == sum(found[cell] for cell in cells)
        true = sum(
            n
            for cell, n in counts.items()
            if one in (cell[0], "Total") and other in (cell[1], "Total")
        )
        assert abs(value - true) < base


def test_random_rounding_keeps_the_mean() -> None:
    frame = people({(f"{i:04}",): 4 for i in range(3000)}, ["cell"])
    found = rounded(frame, base=3, method="random")
    inner = [value for (cell,), value in found.items() if cell != "Total"]
    assert set(inner) == {3, 6}
    assert np.mean(inner) == pytest.approx(4, abs=0.1)
