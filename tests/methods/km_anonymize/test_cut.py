from __future__ import annotations

import numpy as np
import polars as pl

from microveil.hierarchies import Hierarchy
from microveil.methods.km_anonymize.cut import Tree, labels_at, raise_cut


def tree() -> Tree:
    leaves = pl.Series("x", ["a1", "a2", "b1", "b2"])
    hierarchy = Hierarchy.of([leaves, pl.Series(["A", "A", "B", "B"])])
    return Tree.of(hierarchy, hierarchy.match(leaves))


def test_labels_are_raised_whole_and_where_it_costs_least() -> None:
    level = np.zeros(4, dtype=np.int64)
    held = np.array([1, 1, 9, 9])
    made = tree()
    rare = made.of_item[[0, 2], 0][None, :]  # the pair a1, b1
    higher = raise_cut(made, level, rare, held)
    assert higher is not None
    assert higher.tolist() == [1, 1, 0, 0] or set(made.texts.gather(labels_at(made, higher))) == {
        "A",
        "b1",
        "b2",
    }


def test_at_the_top_nothing_can_rise() -> None:
    made = tree()
    top = np.full(4, 2)
    assert (
        raise_cut(made, top, labels_at(made, top)[:1][:, None], np.ones(4, dtype=np.int64)) is None
    )
    flat = Tree.flat(pl.Series(["a", "b"]))
    assert (
        raise_cut(flat, np.zeros(2, dtype=np.int64), np.array([[0, 1]]), np.ones(2, dtype=np.int64))
        is None
    )
