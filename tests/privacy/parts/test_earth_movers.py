"""The three distances beside a transport problem solved by linear programming."""

from __future__ import annotations

from collections import Counter

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from microveil.privacy.parts.distribution import Distribution, distribution
from microveil.privacy.parts.earth_movers import equal_distances, ordered_distances, tree_distances
from microveil.tables import Classes, Table

rows = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 3)), min_size=1, max_size=15)


def classes_of(some: list[tuple[int, int]]) -> tuple[Classes, Distribution]:
    frame = pl.DataFrame(some, schema=["q", "s"], orient="row")
    classes = Classes.of(Table(frame), ["q"])
    return classes, distribution(classes, "s")


def least_cost(own: list[float], other: list[float], apart: NDArray[np.float64]) -> float:
    """Cheapest way to turn one distribution into another."""
    from scipy.optimize import linprog

    m = len(own)
    sums = np.zeros((2 * m, m * m))
    for i in range(m):
        sums[i, i * m : (i + 1) * m] = 1
        sums[m + i, i::m] = 1
    return float(linprog(apart.ravel(), A_eq=sums, b_eq=[*own, *other]).fun)


@settings(max_examples=25, deadline=None)
@given(rows)
def test_the_distance_is_the_cheapest_transport(some: list[tuple[int, int]]) -> None:
    classes, found = classes_of(some)
    values = sorted({s for _, s in some})
    m = len(values)
    table = Counter(s for _, s in some)
    place = np.arange(m)
    equal = 1.0 - np.eye(m)
    ordered = np.abs(place[:, None] - place) / max(m - 1, 1)
    # A tree of two levels: values below 2, and the others.
    node = np.array([int(value >= 2) for value in values])
    tree = np.where(node[:, None] == node, 0.5, 1.0) * equal
    levels = np.column_stack([place, node]).astype(np.int32)
    for i, key in enumerate(classes.keys["q"]):
        inside = Counter(s for q, s in some if q == key)
        own = [inside[value] / inside.total() for value in values]
        whole = [table[value] / len(some) for value in values]
        for apart, got in (
            (equal, equal_distances(found)),
            (ordered, ordered_distances(found)),
            (tree, tree_distances(found, levels)),
        ):
            assert got[i] == pytest.approx(least_cost(own, whole, apart), abs=1e-7)


def test_no_class_has_no_distance_and_one_value_is_nowhere_to_move_to() -> None:
    _, found = classes_of([(0, 1), (1, 1)])
    assert ordered_distances(found).tolist() == [0, 0]
    assert equal_distances(found).tolist() == [0, 0]
