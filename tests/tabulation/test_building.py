from __future__ import annotations

import numpy as np
import polars as pl

import microveil as mv
from microveil.tables import Table
from microveil.tabulation.building import build_cells


def test_counts_and_sums_are_families_of_their_own() -> None:
    frame = pl.DataFrame({"a": ["x", "y", "x"], "b": ["u", "u", "v"], "v": [1.0, 2.0, 3.0]})
    tables = [
        mv.Tabulation(by=["a"]),
        mv.Tabulation(by=["b"]),
        mv.Tabulation(by=["a", "b"], value="v"),
    ]
    counts, sums = build_cells([Table(frame)] * 3, tables)
    assert [len(counts.tables), len(sums.tables)] == [2, 1]
    assert sorted(counts.values.tolist()) == [1, 1, 2, 2, 3]
    assert np.isclose(sums.values.max(), 6)
