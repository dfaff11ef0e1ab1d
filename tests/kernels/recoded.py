"""Small tables with trees, as local recoding sees them, and what classes of them pay."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np
import polars as pl
from hypothesis import strategies as st

from microveil.kernels.recoding.classes import Parts
from microveil.search.lattice.space import Space
from microveil.search.local_recoding import space as recoding_space
from microveil.search.local_recoding.space import RecodingSpace
from microveil.tables import Table

TREES = {
    "a": {"tree": {"x": {"p": ["0", "1"], "q": ["2"]}, "y": {"r": ["3", "4", "5"]}}},
    "b": {"tree": {"u": ["0", "1"], "v": ["2", "3"]}},
    "c": {"tree": ["0", "1", "2"]},
}
rows = st.lists(
    st.tuples(st.integers(0, 5), st.integers(0, 3), st.integers(0, 2)), min_size=2, max_size=40
)


def space_of(
    rows: Sequence[tuple[int, ...]], loss: recoding_space.CellLoss = "loss"
) -> RecodingSpace:
    from microveil.methods.local_recoding.step import LocalRecoding

    names = list(TREES)[: len(rows[0])]
    frame = pl.DataFrame([[str(v) for v in row] for row in rows], schema=names, orient="row")
    trees = LocalRecoding(k=2, hierarchies={name: TREES[name] for name in names}).hierarchies
    return RecodingSpace.of(Space.of(Table(frame), names, trees), loss)


def parts_of(codes: np.ndarray) -> Parts:
    """Each row a record of its own, about which nothing else is known."""
    return Parts(codes, np.ones(len(codes), dtype=np.int64), np.empty((len(codes), 0), np.int32))


def everything() -> RecodingSpace:
    return space_of(list(product(range(6), range(4), range(3))))


def naive_paid(space: RecodingSpace, labels: np.ndarray) -> float:
    """Costs of the lowest common label of each class, climbed to level by level."""
    total = 0.0
    for one in np.unique(labels):
        members = np.flatnonzero(labels == one)
        for j, key in enumerate(space.keys):
            level = 0
            while len({int(key.first[level, space.codes[row, j]]) for row in members}) > 1:
                level += 1
            cost = key.cost[level, space.codes[members[0], j]] * space.factors[j]
            total += cost * space.weights[members].sum()
    return total


def records_of(space: RecodingSpace) -> np.ndarray:
    """Codes of each record."""
    return np.ascontiguousarray(space.codes[space.row_of_record])


def numbered(labels: np.ndarray) -> np.ndarray:
    """Classes numbered from 0 without gaps."""
    return np.unique(labels, return_inverse=True)[1].astype(np.int32)
