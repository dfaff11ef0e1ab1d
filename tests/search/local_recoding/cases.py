"""A small table of two keys, encoded for local recoding."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from microveil.hierarchies import Tree
from microveil.search.lattice.space import Space
from microveil.search.local_recoding.space import RecodingSpace
from microveil.tables import Table

TREES = {
    "town": Tree(tree={"FR": ["Lyon", "Paris", "Nice"], "IT": ["Rome", "Bari"]}),
    "sex": Tree(tree=["f", "m"]),
}
FRAME = pl.DataFrame(
    {
        "town": ["Lyon", "Lyon", "Paris", "Rome", "Bari", "Rome", "Nice", "Lyon"],
        "sex": ["f", "f", "f", "m", "m", "m", "f", "f"],
    }
)
COVERED = {"Lyon": 1, "Paris": 1, "Nice": 1, "Rome": 1, "Bari": 1, "FR": 3, "IT": 2, "*": 5}
"""Values under each label of a town."""


def recoding_space(frame: pl.DataFrame = FRAME, loss: Any = "loss") -> RecodingSpace:
    return RecodingSpace.of(Space.of(Table(frame), frame.columns, TREES), loss)


def sizes(labels: Any) -> list[int]:
    """Number of records in each class; −1 is none."""
    return sorted(np.unique(labels[labels >= 0], return_counts=True)[1].tolist())
