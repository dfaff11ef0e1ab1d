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
N, K = 32, 4
"""Figure 4: 32 records, groups of four."""


def worked_examples() -> Experiment:
    """Figures 1 and 4: what Datafly leaves of six records, and how deep Mondrian cuts 32."""
    rng = np.random.default_rng(0)
    released = Datafly(k=2, columns=["A0", "A1"]).apply(Table(SIX), rng).table.frame
    counts = {
        (str(one), str(other)): n for one, other, n in released.group_by("A0", "A1").len().rows()
    }
    cut = Mondrian(k=K, columns=["A0"], publish="ranges").apply(
        Table(pl.DataFrame({"A0": np.arange(N)})), rng
    )
    parts = cut.table.frame["A0"].n_unique()
    cells = [
        Cell({"figure": 1}, "records {10, 10}", float(counts.get(("10", "10"), 0)), "2"),
        Cell({"figure": 1}, "records {19, 10}", float(counts.get(("19", "10"), 0)), "2"),
        Cell({"figure": 1}, "records deleted", float(SIX.height - released.height), "2"),
        Cell({"figure": 4}, "height of the tree", log2(parts), "3"),
    ]
    return Experiment.of(
        "Worked examples",
        "Figures 1 and 4",
        cells,
        note="Figure 3 halves a segment at its median, as Mondrian does here; figure 5 shows the "
        "two kinds of columns, which `microveil example independent` and `squares` write.",
    )
