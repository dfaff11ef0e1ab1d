"""The thesis' worked examples: six records for Datafly, 32 for Mondrian."""

from __future__ import annotations

from math import log2

import numpy as np
import polars as pl

from microveil.methods import Datafly, Mondrian
from microveil.studies.cells import Cell, Experiment
from microveil.tables import Table

SIX = pl.DataFrame({"A0": [10, 10, 10, 19, 19, 19], "A1": [10, 11, 21, 10, 11, 21]})
"""Figure 1."""
SIX_VALUES = pl.DataFrame({"A0": [0, 2, 3, 4, 6, 9]})
"""Figure 3."""
N, K = 32, 4
"""Figure 4: 32 records, groups of four."""


def worked_examples() -> Experiment:
    """Figures 1, 3 and 4: what Datafly leaves of six records, and how deep Mondrian cuts 32."""
    rng = np.random.default_rng(0)
    released = Datafly(k=2, columns=["A0", "A1"]).apply(Table(SIX), rng).table.frame
    counts = {
        (str(one), str(other)): n for one, other, n in released.group_by("A0", "A1").len().rows()
    }
    cut = Mondrian(k=K, columns=["A0"], publish="ranges").apply(
        Table(pl.DataFrame({"A0": np.arange(N)})), rng
    )
    parts = cut.table.frame["A0"].n_unique()
    halves = _halves()
    cells = [
        Cell({"figure": 1}, "records {10, 10}", float(counts.get(("10", "10"), 0)), "2"),
        Cell({"figure": 1}, "records {19, 10}", float(counts.get(("19", "10"), 0)), "2"),
        Cell({"figure": 1}, "records deleted", float(SIX.height - released.height), "2"),
        *(Cell({"figure": 3, "k": k}, "ranges", float(n), "2") for k, n in halves.items()),
        Cell({"figure": 4}, "height of the tree", log2(parts), "3"),
    ]
    return Experiment.of(
        "Worked examples",
        "Figures 1, 3 and 4",
        cells,
        note="Figure 3 halves a segment of six values at its median: the result is the same for "
        "k = 3 and k = 2, although [0-2], [3-4], [6-9] would do for k = 2. The page prints the "
        "ends of those ranges only, so that two of the six values are taken to be 0 and 9.",
    )


def _halves() -> dict[int, int]:
    """Ranges that Mondrian leaves of figure 3's six values, at k = 3 and k = 2."""
    found = {}
    for k in (3, 2):
        step = Mondrian(k=k, columns=["A0"], publish="ranges")
        cut = step.apply(Table(SIX_VALUES), np.random.default_rng(0))
        found[k] = cut.table.frame["A0"].n_unique()
    return found
