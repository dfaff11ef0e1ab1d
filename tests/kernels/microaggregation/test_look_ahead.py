from __future__ import annotations

import numpy as np
import pytest

from microveil.kernels.microaggregation.look_ahead import Ball, look_around, new_lists, now_known
from microveil.kernels.neighbours.kd_tree import build_tree, mark_record


@pytest.mark.parametrize("scanning", [0, 1])
def test_lists_hold_the_nearest_and_the_farthest_in_order(scanning: int) -> None:
    points = np.round(np.random.default_rng(1).normal(size=(90, 2)), 1)
    tree, lists = build_tree(points), new_lists(90, 4, 6, 3)
    mark_record(tree, 7)
    lists.owner[2], lists.slot[11] = 11, 2
    asked = np.array([2], dtype=np.int32)
    centre = points.mean(axis=0)
    radius = float(((points - centre) ** 2).sum(axis=1).max())
    look_around(points, tree, lists, asked, Ball(centre, radius), scanning)
    now_known(lists, asked)
    others = np.array([one for one in range(90) if one not in (7, 11)])
    distances = (points[others, 0] - points[11, 0]) ** 2 + (points[others, 1] - points[11, 1]) ** 2
    nearest = others[np.lexsort((-others, distances))]
    farthest = others[np.lexsort((others, -distances))]
    n_near, n_far = lists.n[2]
    assert lists.known[2].tolist() == [1, 1]
    assert n_near in (5, 6)
    assert n_far == 3
    assert lists.near[2, :n_near].tolist() == nearest[:n_near].tolist()
    assert lists.far[2, :n_far].tolist() == farthest[:n_far].tolist()
